"""Draws the map of ``make demo``: a panel per delineation layer, crowns coloured by their score, with a legend."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from osgeo import gdal
from qgis.core import (
    QgsLayoutExporter,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemScaleBar,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPointXY,
    QgsPrintLayout,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsTextFormat,
    QgsUnitTypes,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QFont
from scipy.spatial import cKDTree

from randcrowns.core.errors import InputError
from randcrowns.layers.compat import save_style
from randcrowns.layers.databases import reading, source_parts
from randcrowns.layers.styles.styles import load_style, style_scored
from randcrowns.layers.vector.names import field_prefixes

__all__ = ["keep_style", "render_map"]

_KEPT = "RandCrowns"

_MOST_PANELS = 4
_MOST_ACROSS = 60.0  # crowns across a map on which each can still be seen
# Millimetres on the page.
_MARGIN, _TOP, _HEADING, _LEGEND = 8, 20, 7, 68
_ALONE, _SIDE_BY_SIDE = 180, 125


def render_map(
    title: str,
    package: Path,
    image: QgsRasterLayer | None,
    delineations: list[QgsVectorLayer],
    path: Path,
) -> str:
    """Write the map as a PNG; returns what to say of the part it shows.

    Raises:
        InputError: the file cannot be written.
    """
    shown = delineations[:_MOST_PANELS]
    prefixes = field_prefixes([layer.name() for layer in delineations])
    panels = [
        _panel_layers(package, layer, prefix, image) for layer, prefix in zip(shown, prefixes)
    ]
    extent, part = _extent(panels[0][1], image)
    across = 1 if len(panels) == 1 else 2
    side = _ALONE if across == 1 else _SIDE_BY_SIDE
    down = -(-len(panels) // across)
    layout = QgsPrintLayout(QgsProject.instance())
    layout.initializeDefaults()
    width, height = (
        across * (side + _MARGIN) + _MARGIN + _LEGEND,
        _TOP + down * (side + _HEADING + 3) + 2,
    )
    layout.pageCollection().page(0).setPageSize(QgsLayoutSize(width, height))
    _text(layout, title, _MARGIN, 4, width - 2 * _MARGIN, 9, 16)
    _text(
        layout,
        f"Number and colour: RandCrowns, from 0 to 1{part}",
        _MARGIN,
        13,
        width - 2 * _MARGIN,
        6,
        10,
    )
    for index, (layer, layers) in enumerate(zip(shown, panels)):
        left = _MARGIN + index % across * (side + _MARGIN)
        top = _TOP + index // across * (side + _HEADING + 3)
        _text(layout, layer.name(), left, top, side, _HEADING, 11)
        view = _map(layout, layers, extent, left, top + _HEADING, side)
    _legend(layout, view, panels[0], width - _LEGEND)
    _scale_bar(layout, view, width - _LEGEND + 2, height - 18)
    _export(layout, path)
    return part


def _panel_layers(
    package: Path, drawn: QgsVectorLayer, prefix: str, image: QgsRasterLayer | None
) -> list[Any]:
    """Delineations, scored targets and image, top first, styled as the plugin does."""
    outlines = drawn.clone()
    outlines.setName("delineation")
    load_style(outlines, "delineation")
    scored = QgsVectorLayer(f"{package}|layername=scored_targets", "target", "ogr")
    style_scored(scored, prefix)
    layers = [outlines, scored, *([image] if image else [])]
    for layer in layers:
        QgsProject.instance().addMapLayer(layer, False)
    return layers


def _extent(targets: QgsVectorLayer, image: QgsRasterLayer | None) -> tuple[QgsRectangle, str]:
    """The square to show: everything, or where the crowns stand thickest if they would be too small to see."""
    bounds = [
        feature.geometry().boundingBox()
        for feature in targets.getFeatures()
        if feature.hasGeometry()
    ]
    whole = image.extent() if image else targets.extent()
    middle, side, part = (
        whole.center(),
        max(whole.width(), whole.height()) * (1.0 if image else 1.05),
        "",
    )
    usual = float(np.median([max(box.width(), box.height()) for box in bounds])) if bounds else 0.0
    if 0 < _MOST_ACROSS * usual < side:
        side, part = _MOST_ACROSS / 3 * usual, ", where the crowns stand thickest"
        centres = np.array([[box.center().x(), box.center().y()] for box in bounds])
        near = cKDTree(centres).query_ball_point(centres, side / 2, return_length=True)
        middle = QgsPointXY(*centres[int(np.argmax(near))])
    half = side / 2
    return QgsRectangle(
        middle.x() - half, middle.y() - half, middle.x() + half, middle.y() + half
    ), part


def _map(
    layout: QgsPrintLayout,
    layers: list[Any],
    extent: QgsRectangle,
    left: float,
    top: float,
    side: float,
) -> QgsLayoutItemMap:
    view = QgsLayoutItemMap(layout)
    _place(layout, view, left, top, side, side)
    view.setLayers(layers)
    view.setCrs(layers[1].crs())
    view.setExtent(extent)
    view.setFrameEnabled(True)
    return view


def _legend(layout: QgsPrintLayout, view: QgsLayoutItemMap, layers: list[Any], left: float) -> None:
    legend = QgsLayoutItemLegend(layout)
    legend.setAutoUpdateModel(False)
    root = legend.model().rootGroup()
    root.clear()
    for layer in layers[:2]:
        root.addLayer(layer)
    legend.setLinkedMap(view)
    _place(layout, legend, left, _TOP + _HEADING - 2, _LEGEND - _MARGIN, 100)


def _scale_bar(layout: QgsPrintLayout, view: QgsLayoutItemMap, left: float, top: float) -> None:
    bar = QgsLayoutItemScaleBar(layout)
    bar.setStyle("Single Box")
    bar.setLinkedMap(view)
    bar.applyDefaultSize(QgsUnitTypes.DistanceUnit.DistanceMeters)
    _place(layout, bar, left, top, _LEGEND - _MARGIN, 12)


def _text(
    layout: QgsPrintLayout,
    text: str,
    left: float,
    top: float,
    width: float,
    height: float,
    size: int,
) -> None:
    label = QgsLayoutItemLabel(layout)
    label.setText(text)
    font = QFont("DejaVu Sans", size)
    if hasattr(label, "setTextFormat"):  # QGIS 3.24 and later
        label.setTextFormat(QgsTextFormat.fromQFont(font))
    else:
        label.setFont(font)
    _place(layout, label, left, top, width, height)


def _place(
    layout: QgsPrintLayout, item: Any, left: float, top: float, width: float, height: float
) -> None:
    item.attemptMove(QgsLayoutPoint(left, top))
    item.attemptResize(QgsLayoutSize(width, height))
    layout.addLayoutItem(item)


def _export(layout: QgsPrintLayout, path: Path) -> None:
    settings = QgsLayoutExporter.ImageExportSettings()
    settings.dpi = 130
    gdal.PushErrorHandler(
        "CPLQuietErrorHandler"
    )  # a PNG takes no coordinates, which GDAL would complain of
    try:
        outcome = QgsLayoutExporter(layout).exportToImage(str(path), settings)
    finally:
        gdal.PopErrorHandler()
    if outcome != QgsLayoutExporter.ExportResult.Success:
        raise InputError(f"The map cannot be written to {path}.")


def keep_style(layer: QgsVectorLayer) -> None:
    """Write the layer's style into its GeoPackage, as the one that QGIS opens the layer with.

    Raises:
        InputError: if it cannot be written there.
    """
    number, ids, names, *_ = layer.listStylesInDatabase()
    for earlier in range(max(number, 0)):  # QGIS would ask in a window whether to write over it
        if names[earlier] == _KEPT:
            layer.deleteStyleFromDatabase(ids[earlier])
    message = save_style(layer, _KEPT)
    # Read beside QGIS, which at times cannot open the file again right after it wrote to it.
    path = Path(layer.source().partition("|")[0])
    table = source_parts(layer).get("layerName") or path.stem
    styles = []
    with suppress(sqlite3.Error), reading(path) as database:
        styles = database.execute("SELECT f_table_name, styleName FROM layer_styles").fetchall()
    if (table, _KEPT) not in styles:
        raise InputError(f"The style of {layer.source()} cannot be kept in its file ({message}).")
