"""Draws the map of ``make demo``: crowns coloured by their score, over the image, with a legend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
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
_WIDEST = 60.0  # crowns across a map on which each can still be seen


def render_map(
    title: str, package: Path, image: QgsRasterLayer | None, delineations: list[QgsVectorLayer], map: Path
) -> str:
    """Write the map to the PNG ``map``; returns what to say of the part it shows."""
    targets = QgsVectorLayer(f"{package}|layername=scored_targets", "RandCrowns of the target crowns", "ogr")
    field = _score_field(targets, delineations)
    _colour_by_score(targets, field)
    project = QgsProject.instance()
    layers: list[Any] = [targets]
    for layer, colour in zip(delineations, _DRAWN_BY):
        style = {"style": "no", "outline_color": colour, "outline_width": "0.3"}
        layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple(style)))
        layers.append(layer)
    layers += [image] if image else []
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
    view.zoomToExtent(extent)
    view.setFrameEnabled(True)
    _text(layout, title, 8, 5, 234, 8, 15)
    heading = "mean RandCrowns over all layers" if field == "rc_mean" else "RandCrowns"
    _text(layout, f"Number and colour: {heading} (0 to 1){shown}", 8, 13, 234, 6, 9)
    legend = QgsLayoutItemLegend(layout)
    legend.setAutoUpdateModel(False)
    root = legend.model().rootGroup()
    root.clear()
    for layer in layers[: len(delineations) + 1]:
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
    if QgsLayoutExporter(layout).exportToImage(str(map), settings) != QgsLayoutExporter.ExportResult.Success:
        raise InputError(f"The map cannot be written to {map}.")
    return shown


def _score_field(targets: QgsVectorLayer, delineations: list[QgsVectorLayer]) -> str:
    names = targets.fields().names()
    if "rc_mean" in names and len(delineations) > 1:
        return "rc_mean"
    return f"{field_prefixes([delineations[0].name()])[0]}_rc"


def _colour_by_score(layer: QgsVectorLayer, field: str) -> None:
    def symbol(colour: str) -> QgsFillSymbol:
        fill = QColor(colour)
        return QgsFillSymbol.createSimple(
            {
                "color": f"{fill.red()},{fill.green()},{fill.blue()},150",
                "outline_color": "#ffffff",
                "outline_style": "dot",
                "outline_width": "0.5",
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
    """What the map shows: everything, or where the crowns stand thickest if they would be too small to see."""
    if image is not None:
        return image.extent(), ""
    bounds = [feature.geometry().boundingBox() for feature in targets.getFeatures() if feature.hasGeometry()]
    whole = targets.extent()
    if bounds:
        usual = float(np.median([max(box.width(), box.height()) for box in bounds]))
        side = _WIDEST / 3 * usual
        if max(whole.width(), whole.height()) > _WIDEST * usual > 0:
            middle = np.array([[box.center().x(), box.center().y()] for box in bounds])
            near = cKDTree(middle).query_ball_point(middle, side / 2, return_length=True)
            east, north = middle[int(np.argmax(near))]
            return QgsRectangle(east - side / 2, north - side / 2, east + side / 2, north + side / 2), (
                ", where the crowns stand thickest"
            )
    whole.scale(1.05)
    return whole, ""


def _place(layout: QgsPrintLayout, item: Any, left: float, top: float, width: float, height: float) -> None:
    item.attemptMove(QgsLayoutPoint(left, top))
    item.attemptResize(QgsLayoutSize(width, height))
    layout.addLayoutItem(item)


def _text(layout: QgsPrintLayout, text: str, left: float, top: float, width: float, height: float, size: int) -> None:
    label = QgsLayoutItemLabel(layout)
    label.setText(text)
    label.setFont(QFont("DejaVu Sans", size))
    _place(layout, label, left, top, width, height)
