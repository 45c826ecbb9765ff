"""Draw the map of ``make demo``.

The map has one panel per delineation layer, targets coloured by their score, and a legend.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

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
from randcrowns.layers.databases import open_read_only, source_parts
from randcrowns.layers.styles.pictures import transform_extent
from randcrowns.layers.styles.styles import load_style, style_scored_targets
from randcrowns.layers.vector.names import field_prefixes

__all__ = ["render_map", "save_default_style"]

#: Name of the style that is saved in a GeoPackage.
_STYLE_NAME = "RandCrowns"
_MAX_PANELS = 4
#: Maximum number of crowns across a panel; with more, a single crown is too small to see.
_MAX_CROWNS_ACROSS = 60.0
# Lengths on the page, mm.
_MARGIN = 8
_TITLE_HEIGHT = 20
_HEADING_HEIGHT = 7
_PANEL_GAP = 3
_LEGEND_WIDTH = 92
_SINGLE_PANEL_SIDE = 180
_PANEL_SIDE = 125


class _Rectangle(NamedTuple):
    """A rectangle on the page, mm from its upper left corner."""

    left: float
    top: float
    width: float
    height: float


class _Panel(NamedTuple):
    """Layers of one panel; ``image`` is its background."""

    delineations: QgsVectorLayer
    targets: QgsVectorLayer
    image: QgsRasterLayer | None

    @property
    def layers(self) -> list[Any]:
        """The layers, top first."""
        return [layer for layer in self if layer is not None]


def render_map(
    title: str,
    package: Path,
    image: QgsRasterLayer | None,
    delineations: list[QgsVectorLayer],
    path: Path,
) -> str:
    """Write the map as a PNG.

    Args:
        title: title of the page.
        package: GeoPackage with the scored targets.
        image: background of the panels.
        delineations: layers that were scored; the first four get a panel.
        path: path of the PNG.

    Returns:
        A note for the map's caption, beginning with a comma, if the map shows only a part of the
        crowns, else "".

    Raises:
        InputError: if the file cannot be written.
    """
    shown = delineations[:_MAX_PANELS]
    prefixes = field_prefixes([layer.name() for layer in delineations])
    panels = [_make_panel(package, layer, prefix, image) for layer, prefix in zip(shown, prefixes)]
    extent, note = map_extent(panels[0].targets, image)

    n_columns = 1 if len(panels) == 1 else 2
    n_rows = -(-len(panels) // n_columns)
    side = _SINGLE_PANEL_SIDE if n_columns == 1 else _PANEL_SIDE
    row_height = side + _HEADING_HEIGHT + _PANEL_GAP
    width = n_columns * (side + _MARGIN) + _MARGIN + _LEGEND_WIDTH
    height = _TITLE_HEIGHT + n_rows * row_height + 2
    layout = QgsPrintLayout(QgsProject.instance())
    layout.initializeDefaults()
    layout.pageCollection().page(0).setPageSize(QgsLayoutSize(width, height))

    text_width = width - 2 * _MARGIN
    _add_text(layout, title, _Rectangle(_MARGIN, 4, text_width, 9), size=16)
    caption = f"Number and colour: RandCrowns, from 0 to 1{note}"
    _add_text(layout, caption, _Rectangle(_MARGIN, 13, text_width, 6), size=10)
    for index, (layer, panel) in enumerate(zip(shown, panels)):
        left = _MARGIN + index % n_columns * (side + _MARGIN)
        top = _TITLE_HEIGHT + index // n_columns * row_height
        _add_text(layout, layer.name(), _Rectangle(left, top, side, _HEADING_HEIGHT), size=11)
        map_place = _Rectangle(left, top + _HEADING_HEIGHT, side, side)
        map_item = _add_map(layout, panel, extent, map_place)
    _add_legend(layout, map_item, panels[0], width - _LEGEND_WIDTH)
    _add_scale_bar(layout, map_item, width - _LEGEND_WIDTH + 2, height - 18)
    _export(layout, path)
    return note


def _make_panel(
    package: Path, delineations: QgsVectorLayer, prefix: str, image: QgsRasterLayer | None
) -> _Panel:
    """Return the styled layers of a panel, added to the project but not to its layer tree.

    Args:
        package: GeoPackage with the scored targets.
        delineations: the layer of the panel; a copy is styled.
        prefix: prefix of its fields in the scored targets.
        image: background.
    """
    outlines = delineations.clone()
    outlines.setName("delineation")
    load_style(outlines, "delineation")
    scored = QgsVectorLayer(f"{package}|layername=scored_targets", "target", "ogr")
    style_scored_targets(scored, prefix)
    panel = _Panel(outlines, scored, image)
    for layer in panel.layers:
        QgsProject.instance().addMapLayer(layer, False)
    return panel


def map_extent(targets: QgsVectorLayer, image: QgsRasterLayer | None) -> tuple[QgsRectangle, str]:
    """Return the square that the panels show, in the CRS of the targets, and a note.

    The square contains the image or, if there is no image or it lies elsewhere, all targets. If
    single crowns would be too small to see, it is the square with the most crowns. The note is for
    the caption and names these two cases.
    """
    bounds = [
        feature.geometry().boundingBox()
        for feature in targets.getFeatures()
        if feature.hasGeometry()
    ]
    note = ""
    margin = 1.05
    full_extent = targets.extent()
    if image is not None:
        context = QgsProject.instance().transformContext()
        image_extent = transform_extent(image.extent(), image.crs(), targets.crs(), context)
        if image_extent.intersects(full_extent):
            margin = 1.0
            full_extent = image_extent
        else:
            note = ", the image lies elsewhere"
    centre = full_extent.center()
    side = max(full_extent.width(), full_extent.height()) * margin

    crown_size = 0.0
    if bounds:
        crown_size = float(np.median([max(box.width(), box.height()) for box in bounds]))
    if 0 < _MAX_CROWNS_ACROSS * crown_size < side:
        side = _MAX_CROWNS_ACROSS / 3 * crown_size
        note += ", where the crowns are densest"
        centres = np.array([[box.center().x(), box.center().y()] for box in bounds])
        n_near = cKDTree(centres).query_ball_point(centres, side / 2, return_length=True)
        centre = QgsPointXY(*centres[int(np.argmax(n_near))])

    half = side / 2
    square = QgsRectangle(
        centre.x() - half, centre.y() - half, centre.x() + half, centre.y() + half
    )
    return square, note


def _add_map(
    layout: QgsPrintLayout, panel: _Panel, extent: QgsRectangle, place: _Rectangle
) -> QgsLayoutItemMap:
    """Add the map of a panel to the page and return it."""
    map_item = QgsLayoutItemMap(layout)
    _add_item(layout, map_item, place)
    map_item.setLayers(panel.layers)
    map_item.setCrs(panel.targets.crs())
    map_item.setExtent(extent)
    map_item.setFrameEnabled(True)
    return map_item


def _add_legend(
    layout: QgsPrintLayout, map_item: QgsLayoutItemMap, panel: _Panel, left: float
) -> None:
    """Add a legend of delineations and targets to the page."""
    legend = QgsLayoutItemLegend(layout)
    legend.setAutoUpdateModel(False)
    root = legend.model().rootGroup()
    root.clear()
    root.addLayer(panel.delineations)
    root.addLayer(panel.targets)
    legend.setLinkedMap(map_item)
    top = _TITLE_HEIGHT + _HEADING_HEIGHT - 2
    _add_item(layout, legend, _Rectangle(left, top, _LEGEND_WIDTH - _MARGIN, 100))


def _add_scale_bar(
    layout: QgsPrintLayout, map_item: QgsLayoutItemMap, left: float, top: float
) -> None:
    """Add the scale bar of a map to the page."""
    bar = QgsLayoutItemScaleBar(layout)
    bar.setStyle("Single Box")
    bar.setLinkedMap(map_item)
    bar.applyDefaultSize(QgsUnitTypes.DistanceUnit.DistanceMeters)
    _add_item(layout, bar, _Rectangle(left, top, _LEGEND_WIDTH - _MARGIN, 12))


def _add_text(layout: QgsPrintLayout, text: str, place: _Rectangle, size: int) -> None:
    """Add a text of a font size in points to the page."""
    label = QgsLayoutItemLabel(layout)
    label.setText(text)
    font = QFont("DejaVu Sans", size)
    if hasattr(label, "setTextFormat"):  # QGIS 3.24 and later
        label.setTextFormat(QgsTextFormat.fromQFont(font))
    else:
        label.setFont(font)
    _add_item(layout, label, place)


def _add_item(layout: QgsPrintLayout, item: Any, place: _Rectangle) -> None:
    """Add an item to the page at a place."""
    item.attemptMove(QgsLayoutPoint(place.left, place.top))
    item.attemptResize(QgsLayoutSize(place.width, place.height))
    layout.addLayoutItem(item)


def _export(layout: QgsPrintLayout, path: Path) -> None:
    """Write the page as a PNG; raise InputError if the file cannot be written."""
    settings = QgsLayoutExporter.ImageExportSettings()
    settings.dpi = 130
    # GDAL would report that a PNG cannot store coordinates.
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        outcome = QgsLayoutExporter(layout).exportToImage(str(path), settings)
    finally:
        gdal.PopErrorHandler()
    if outcome != QgsLayoutExporter.ExportResult.Success:
        raise InputError(
            "demo.map_not_written",
            "The map cannot be written to {path}.",
            path=path,
        )


def save_default_style(layer: QgsVectorLayer) -> None:
    """Save a layer's style in its GeoPackage, as the default style of its table.

    Raises:
        InputError: if the style cannot be saved.
    """
    number, ids, names, *_ = layer.listStylesInDatabase()
    # QGIS would ask in a dialog whether to replace an earlier style of this name.
    for index in range(max(number, 0)):
        if names[index] == _STYLE_NAME:
            layer.deleteStyleFromDatabase(ids[index])
    message = save_style(layer, _STYLE_NAME)

    # SQLite reads the result because QGIS sometimes cannot reopen a file that it has just written.
    path = Path(layer.source().partition("|")[0])
    table = source_parts(layer).get("layerName") or path.stem
    saved_styles = []
    with suppress(sqlite3.Error), open_read_only(path) as database:
        saved_styles = database.execute(
            "SELECT f_table_name, styleName FROM layer_styles"
        ).fetchall()
    if (table, _STYLE_NAME) not in saved_styles:
        raise InputError(
            "demo.style_not_saved",
            "The style of {source} cannot be saved in its file ({message}).",
            source=layer.source(),
            message=message,
        )
