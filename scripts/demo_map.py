"""Draws the map of ``make demo``: crowns coloured by their score, over the image, with a legend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from osgeo import gdal
from qgis.core import (
    QgsFillSymbol,
    QgsGraduatedSymbolRenderer,
    QgsLayoutExporter,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemScaleBar,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPalLayerSettings,
    QgsPointXY,
    QgsPrintLayout,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsRendererRange,
    QgsSingleSymbolRenderer,
    QgsTextBufferSettings,
    QgsTextFormat,
    QgsUnitTypes,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtGui import QColor, QFont
from scipy.spatial import cKDTree

from randcrowns.core.errors import InputError
from randcrowns.layers.names import field_prefixes

__all__ = ["render_map"]

#: From bad to good; told apart with any colour vision.
_CLASSES = (
    (0.0, 0.2, "#3b0f70"),
    (0.2, 0.4, "#8c2981"),
    (0.4, 0.6, "#de4968"),
    (0.6, 0.8, "#fe9f6d"),
    (0.8, 1.0, "#fcfdbf"),
)
_DRAWN_BY = ("#56b4e9", "#cc79a7", "#f0e442", "#d55e00", "#009e73", "#0072b2")
_MOST_ACROSS = 60.0  # crowns across a map on which each can still be seen


def render_map(
    title: str, package: Path, image: QgsRasterLayer | None, delineations: list[QgsVectorLayer], map: Path
) -> str:
    """Write the map to the PNG ``map``; returns what to say of the part it shows."""
    targets = QgsVectorLayer(f"{package}|layername=scored_targets", "RandCrowns", "ogr")
    field = _score_field(targets, delineations)
    _colour_by_score(targets, field, edge="#ffffff" if image else "#000000")
    project = QgsProject.instance()
    drawn: list[Any] = []
    for layer, colour in zip(delineations, _DRAWN_BY):
        style = {"style": "no", "outline_color": colour, "outline_width": "0.35"}
        layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple(style)))
        drawn.append(layer)
    layers = [*drawn, targets, *([image] if image else [])]
    for layer in layers:
        project.addMapLayer(layer)
    extent, shown = _extent(targets, image)
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    page = layout.pageCollection().page(0)
    page.setPageSize(QgsLayoutSize(250, 205))
    view = QgsLayoutItemMap(layout)
    _place(layout, view, 8, 20, 178, 178)
    view.setLayers(layers)
    view.setCrs(targets.crs())
    view.setExtent(extent)
    view.setFrameEnabled(True)
    _text(layout, title, 8, 5, 234, 8, 15)
    heading = "mean RandCrowns over all layers" if field == "rc_mean" else "RandCrowns"
    _text(layout, f"Number and colour: {heading} (0 to 1){shown}", 8, 13, 234, 6, 9)
    legend = QgsLayoutItemLegend(layout)
    legend.setAutoUpdateModel(False)
    root = legend.model().rootGroup()
    root.clear()
    for layer in (targets, *drawn):
        root.addLayer(layer)
    legend.setLinkedMap(view)
    _place(layout, legend, 190, 18, 55, 100)
    bar = QgsLayoutItemScaleBar(layout)
    bar.setStyle("Single Box")
    bar.setLinkedMap(view)
    bar.applyDefaultSize(QgsUnitTypes.DistanceUnit.DistanceMeters)
    _place(layout, bar, 192, 180, 50, 12)
    settings = QgsLayoutExporter.ImageExportSettings()
    settings.dpi = 150
    gdal.PushErrorHandler("CPLQuietErrorHandler")  # a PNG takes no coordinates, which GDAL would complain of
    try:
        outcome = QgsLayoutExporter(layout).exportToImage(str(map), settings)
    finally:
        gdal.PopErrorHandler()
    if outcome != QgsLayoutExporter.ExportResult.Success:
        raise InputError(f"The map cannot be written to {map}.")
    return shown


def _score_field(targets: QgsVectorLayer, delineations: list[QgsVectorLayer]) -> str:
    names = targets.fields().names()
    if "rc_mean" in names and len(delineations) > 1:
        return "rc_mean"
    return f"{field_prefixes([delineations[0].name()])[0]}_rc"


def _colour_by_score(layer: QgsVectorLayer, field: str, edge: str) -> None:
    def symbol(colour: str) -> QgsFillSymbol:
        fill = QColor(colour)
        return QgsFillSymbol.createSimple(
            {
                "color": f"{fill.red()},{fill.green()},{fill.blue()},110",
                "outline_color": edge,
                "outline_style": "dot",
                "outline_width": "0.6",
            }
        )

    layer.setRenderer(
        QgsGraduatedSymbolRenderer(
            field,
            [QgsRendererRange(low, high, symbol(colour), f"{low:.1f} to {high:.1f}") for low, high, colour in _CLASSES],
        )
    )
    text = QgsTextFormat()
    text.setFont(QFont("DejaVu Sans"))
    text.setSize(8)
    text.setColor(QColor("#000000"))
    halo = QgsTextBufferSettings()
    halo.setEnabled(True)
    halo.setSize(0.8)
    halo.setColor(QColor("#ffffff"))
    text.setBuffer(halo)
    labels = QgsPalLayerSettings()
    labels.fieldName = f'format_number("{field}", 2)'
    labels.isExpression = True
    labels.setFormat(text)
    layer.setLabeling(QgsVectorLayerSimpleLabeling(labels))
    layer.setLabelsEnabled(True)


def _extent(targets: QgsVectorLayer, image: QgsRasterLayer | None) -> tuple[QgsRectangle, str]:
    """The square to show: everything, or where the crowns stand thickest if they would be too small to see."""
    bounds = [feature.geometry().boundingBox() for feature in targets.getFeatures() if feature.hasGeometry()]
    whole = image.extent() if image else targets.extent()
    middle, side, shown = whole.center(), max(whole.width(), whole.height()) * (1.0 if image else 1.05), ""
    usual = float(np.median([max(box.width(), box.height()) for box in bounds])) if bounds else 0.0
    if 0 < _MOST_ACROSS * usual < side:
        side, shown = _MOST_ACROSS / 3 * usual, ", where the crowns stand thickest"
        centres = np.array([[box.center().x(), box.center().y()] for box in bounds])
        near = cKDTree(centres).query_ball_point(centres, side / 2, return_length=True)
        middle = QgsPointXY(*centres[int(np.argmax(near))])
    half = side / 2
    return QgsRectangle(middle.x() - half, middle.y() - half, middle.x() + half, middle.y() + half), shown


def _place(layout: QgsPrintLayout, item: Any, left: float, top: float, width: float, height: float) -> None:
    item.attemptMove(QgsLayoutPoint(left, top))
    item.attemptResize(QgsLayoutSize(width, height))
    layout.addLayoutItem(item)


def _text(layout: QgsPrintLayout, text: str, left: float, top: float, width: float, height: float, size: int) -> None:
    label = QgsLayoutItemLabel(layout)
    label.setText(text)
    label.setFont(QFont("DejaVu Sans", size))
    _place(layout, label, left, top, width, height)
