"""Casings of outlines, and the opacity of fills, so that crowns and the image are both visible.

A casing is a wider line below a coloured line. It is white below dark colours and black below
light ones: one of the two lines is visible on a dark canopy, and one on bright sand. In overviews
the crowns are as narrow as their casings, which are left out there. Crowns in pixels always have
casings.
"""

from __future__ import annotations

from collections.abc import Iterator

from qgis.core import (
    QgsFeatureRenderer,
    QgsFillSymbol,
    QgsProperty,
    QgsRenderContext,
    QgsSimpleFillSymbolLayer,
    QgsSymbol,
    QgsSymbolLayer,
    QgsUnitTypes,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor

from randcrowns.layers.crs import has_datum_or_code, layer_crs
from randcrowns.report.colours import relative_luminance

#: Width by which a casing is visible on each side of its line, mm.
_VISIBLE_WIDTH = 0.25
#: Minimum width of a line that gets a casing, mm. Thinner lines belong to the details of a crown.
_MIN_LINE_WIDTH = 0.4
#: Expression that is true on maps with casings. On a map of 1:5,000, a crown of 5 m is 1 mm wide,
#: like a casing: smaller crowns would be covered, and the map would take twice as long to draw. A
#: map without a coordinate system has no scale.
_IS_DETAILED_MAP = "@map_crs IS NULL OR @map_scale <= 5000"
#: Casings of dark and of light lines. No other line has these colours.
_LIGHT_CASING = QColor(255, 255, 255, 171)
_DARK_CASING = QColor(0, 0, 0, 171)
#: Relative luminance above which a line contrasts more with black than with white (WCAG 2.1).
_LIGHT_FROM = 0.179
#: Opacity from which a fill has its own colour in a small picture, and width of the edge of a more
#: translucent one, mm.
_OPAQUE_FROM = 0.6
_SWATCH_EDGE = 1.6


def add_casings(layer: QgsVectorLayer) -> None:
    """Add a casing to each outline of a polygon layer; do nothing for other layers.

    A layer without a coordinate system, as crowns in pixels, has casings on every map. The scale
    of the map is not that of its crowns: on a map in degrees, QGIS takes pixels for degrees.

    Args:
        layer: layer, whose renderer is replaced. Outlines that have a casing keep it.
    """
    renderer = layer.renderer()
    if renderer is None:
        return
    cased_renderer = renderer.clone()
    condition = _IS_DETAILED_MAP if has_datum_or_code(layer_crs(layer)) else ""
    for symbol in _fill_symbols(cased_renderer):
        _add_casing(symbol, condition)
    layer.setRenderer(cased_renderer)


def _add_casing(symbol: QgsFillSymbol, condition: str) -> None:
    """Add a casing below the first outline of a symbol, unless it has one or has no outline.

    Args:
        symbol: symbol, which is changed.
        condition: expression that is true on maps with casings; "" for all maps.
    """
    symbol_layers = _list_simple_fills(symbol)
    outlines = [fill for fill in symbol_layers if _is_visible_outline(fill)]
    if not outlines or any(map(is_casing, symbol_layers)):
        return
    outline = outlines[0]
    casing = QgsSimpleFillSymbolLayer()
    casing.setBrushStyle(Qt.BrushStyle.NoBrush)
    casing.setFillColor(QColor(0, 0, 0, 0))
    casing.setStrokeColor(_choose_casing_colour(outline.strokeColor()))
    casing.setStrokeWidth(outline.strokeWidth() + 2 * _VISIBLE_WIDTH)
    casing.setStrokeWidthUnit(QgsUnitTypes.RenderUnit.RenderMillimeters)
    casing.setPenJoinStyle(outline.penJoinStyle())
    casing.setDataDefinedProperty(
        QgsSymbolLayer.Property.PropertyLayerEnabled,
        QgsProperty.fromExpression(condition, bool(condition)),
    )
    casing.setLocked(True)  # the symbol's own colour remains that of the line and the fill
    symbol.insertSymbolLayer(0, casing)


def is_casing(symbol_layer: QgsSimpleFillSymbolLayer) -> bool:
    """Return True if a part of a symbol is a casing."""
    return symbol_layer.brushStyle() == Qt.BrushStyle.NoBrush and symbol_layer.strokeColor() in (
        _LIGHT_CASING,
        _DARK_CASING,
    )


def dash_outlines(layer: QgsVectorLayer) -> None:
    """Draw the solid outlines of a polygon layer as dashed lines; casings stay solid.

    Args:
        layer: polygon layer, whose renderer is replaced.
    """
    renderer = layer.renderer()
    if renderer is None:
        return
    changed_renderer = renderer.clone()
    for symbol in _fill_symbols(changed_renderer):
        outline = main_outline(symbol)
        if outline is not None and outline.strokeStyle() == Qt.PenStyle.SolidLine:
            outline.setStrokeStyle(Qt.PenStyle.DashLine)
    layer.setRenderer(changed_renderer)


def main_outline(symbol: QgsSymbol) -> QgsSimpleFillSymbolLayer | None:
    """Return the first part of a fill symbol that is no casing; None if there is none."""
    return next((fill for fill in _list_simple_fills(symbol) if not is_casing(fill)), None)


def fill_opacity(layer: QgsVectorLayer) -> float | None:
    """Return the opacity of the fill of a layer's first filled symbol, 0 to 1.

    Returns:
        The opacity; None if the layer has no symbol with a solid fill.
    """
    renderer = layer.renderer()
    fills = [] if renderer is None else list(_list_solid_fills(renderer))
    return fills[0].fillColor().alphaF() if fills else None


def set_fill_opacity(layer: QgsVectorLayer, opacity: float) -> None:
    """Set the opacity of all solid fills of a layer; outlines and all else stay unchanged.

    Args:
        layer: polygon layer, whose renderer is replaced.
        opacity: opacity of the fills, 0 to 1.
    """
    renderer = layer.renderer()
    if renderer is None:
        return
    changed_renderer = renderer.clone()
    for fill in _list_solid_fills(changed_renderer):
        colour = fill.fillColor()
        colour.setAlphaF(opacity)
        fill.setFillColor(colour)
    layer.setRenderer(changed_renderer)
    layer.triggerRepaint()


def filled_symbol(symbol: QgsSymbol) -> QgsSymbol:
    """Return a copy of a fill symbol with an opaque fill; other symbols are copied unchanged.

    A symbol without a visible fill is copied unchanged, too, because the map shows its outline.
    """
    copy = symbol.clone()
    fill = main_outline(copy)
    if fill is None or _is_empty(fill):
        return copy
    colour = QColor(fill.fillColor())
    colour.setAlpha(255)
    fill.setFillColor(colour)
    return copy


def _is_empty(fill: QgsSimpleFillSymbolLayer) -> bool:
    """Return True if a part of a symbol draws no fill."""
    return fill.brushStyle() == Qt.BrushStyle.NoBrush or fill.fillColor().alpha() == 0


def widen_edge(symbol: QgsSymbol) -> None:
    """Widen the outline of a fill symbol without an opaque fill, for a small picture of it.

    On the map, the outline decides its colour; in a picture of a few pixels, the fill would.
    """
    fill = main_outline(symbol)
    if fill is None or fill.strokeStyle() == Qt.PenStyle.NoPen:
        return
    opacity = symbol.opacity() * fill.fillColor().alphaF()
    if not _is_empty(fill) and opacity >= _OPAQUE_FROM:
        return
    fill.setStrokeWidthUnit(QgsUnitTypes.RenderUnit.RenderMillimeters)
    fill.setStrokeWidth(max(fill.strokeWidth(), _SWATCH_EDGE))


def contrasting_colour(line: QColor) -> QColor:
    """Return black or white, whichever contrasts more with a line."""
    luminance = relative_luminance(line.redF(), line.greenF(), line.blueF())
    return QColor("black" if luminance > _LIGHT_FROM else "white")


def _choose_casing_colour(line: QColor) -> QColor:
    """Return the casing, light or dark, that contrasts more with a line."""
    return _DARK_CASING if contrasting_colour(line) == QColor("black") else _LIGHT_CASING


def _is_visible_outline(fill: QgsSimpleFillSymbolLayer) -> bool:
    """Return True if a part of a symbol draws an outline that is wide enough for a casing."""
    return (
        fill.strokeStyle() != Qt.PenStyle.NoPen
        and fill.strokeColor().alpha() > 0
        and fill.strokeWidthUnit() == QgsUnitTypes.RenderUnit.RenderMillimeters
        and fill.strokeWidth() >= _MIN_LINE_WIDTH
    )


def _fill_symbols(renderer: QgsFeatureRenderer) -> Iterator[QgsFillSymbol]:
    """Yield the fill symbols of a renderer, which may be changed."""
    for symbol in renderer.symbols(QgsRenderContext()):
        if isinstance(symbol, QgsFillSymbol):
            yield symbol


def _list_simple_fills(symbol: QgsSymbol) -> list[QgsSimpleFillSymbolLayer]:
    """Return the parts of a symbol that are simple fills, the lowest first."""
    parts = (symbol.symbolLayer(number) for number in range(symbol.symbolLayerCount()))
    return [part for part in parts if isinstance(part, QgsSimpleFillSymbolLayer)]


def _list_solid_fills(renderer: QgsFeatureRenderer) -> Iterator[QgsSimpleFillSymbolLayer]:
    """Yield the solid fills of a renderer, which may be changed."""
    for symbol in _fill_symbols(renderer):
        for fill in _list_simple_fills(symbol):
            if fill.brushStyle() == Qt.BrushStyle.SolidPattern:
                yield fill
