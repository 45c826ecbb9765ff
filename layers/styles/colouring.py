"""Colours of scored targets by any of their fields, with a line around those with a low score."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsExpression,
    QgsFeatureRenderer,
    QgsFeatureRequest,
    QgsFillSymbol,
    QgsGraduatedSymbolRenderer,
    QgsMapLayerStyle,
    QgsProperty,
    QgsRenderContext,
    QgsRendererCategory,
    QgsRendererRange,
    QgsSimpleFillSymbolLayer,
    QgsSymbolLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor

from randcrowns.core.arrays import to_numbers
from randcrowns.core.review.sampling import SCORE_CLASSES
from randcrowns.core.thresholds import SCORE_TOLERANCE
from randcrowns.layers.compat import is_null
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import format_value, tr
from randcrowns.layers.styles import SERIES_COLOURS
from randcrowns.layers.styles.casing import add_casings, contrasting_colour, main_outline
from randcrowns.layers.styles.pictures import swatch_entry
from randcrowns.layers.styles.score_fields import select_prefix
from randcrowns.layers.styles.styles import agreement_colour
from randcrowns.report.colours import SCORE_COLOURS
from randcrowns.report.content import LegendEntry

#: RandCrowns and IoU below which a target is outlined.
LOW_SCORE = 0.5
#: Limits of the classes of a score; those of the style of scored targets.
_SCORE_LIMITS = (0.0, *SCORE_CLASSES, 1.0)
#: Number of classes of a column of other numbers.
_N_CLASSES = 5
#: Maximum number of values of a text column that have a colour of their own.
_MAX_CATEGORIES = 12
_FILL_ALPHA = 110
#: Width of the line around low scores, mm: less than that of outlines, which show the class.
_LOW_WIDTH = 0.3
#: Beginning of the expression of a line around low scores, by which the line is recognised.
_LOW_MARK = "/* RandCrowns: low */ "


@dataclass(frozen=True)
class Colouring:
    """Field or style that determines the colours of scored targets."""

    field: str = ""  #: Field of the layer; "" for a named style.
    style: str = ""  #: Name of a style of the layer; "" for a field.
    is_score: bool = False  #: True for a score from 0 to 1, which has fixed classes.


def colour_targets(layer: QgsVectorLayer, prefix: str, colouring: Colouring) -> None:
    """Colour scored targets, and outline those with a low RandCrowns or IoU.

    Styles of the user stay: the colours by a field are a style of their own in the layer's menu.

    Args:
        layer: layer of scored targets; its style is changed.
        prefix: prefix of the fields of a delineation layer.
        colouring: what the colours show. A style that the layer does not have changes nothing.
    """
    manager = layer.styleManager()
    if colouring.style:
        if colouring.style not in manager.styles():
            return
        manager.setCurrentStyle(colouring.style)
    elif field_index(layer.fields(), colouring.field) >= 0:
        name = tr("Colours by field")
        if name not in manager.styles():
            style = QgsMapLayerStyle()
            style.readFromLayer(layer)
            manager.addStyle(name, style)
        manager.setCurrentStyle(name)
        layer.setRenderer(_create_field_renderer(layer, colouring))
        add_casings(layer)
    select_prefix(layer, prefix)
    outline_low_scores(layer, prefix)
    layer.triggerRepaint()


def outline_low_scores(layer: QgsVectorLayer, prefix: str) -> None:
    """Draw a line around targets with a RandCrowns or IoU below 0.5, whatever the colours show.

    Args:
        layer: layer of scored targets, whose renderer is replaced.
        prefix: prefix of the fields of a delineation layer.
    """
    if layer.renderer() is None:
        return
    limit = LOW_SCORE - SCORE_TOLERANCE
    conditions = []
    for name in (f"{prefix}_rc", f"{prefix}_iou"):
        if field_index(layer.fields(), name) < 0:
            return
        conditions.append(f"{QgsExpression.quotedColumnRef(name)} < {limit}")
    is_low = " OR ".join(conditions)
    renderer = layer.renderer().clone()
    _replace_symbols(renderer, partial(_set_low_line, is_low=is_low))
    layer.setRenderer(renderer)


def low_score_legend(layer: QgsVectorLayer) -> list[LegendEntry]:
    """Return the legend of the line around targets with a low score; call on the main thread only.

    Args:
        layer: layer of scored targets.

    Returns:
        The entry of the line; none if no target has it.
    """
    symbols_with_line = [
        symbol for symbol in _list_fill_symbols(layer) if _find_low_line(symbol) is not None
    ]
    if not symbols_with_line:
        return []
    # The line is the same in all symbols.
    symbol = symbols_with_line[0]
    request = QgsFeatureRequest()
    request.setFilterExpression(_compose_low_condition(symbol))
    request.setLimit(1)
    has_low_target = any(True for _ in layer.getFeatures(request))
    if not has_low_target:
        return []
    label = tr("dashed line: RandCrowns or IoU below {limit}", limit=format_value(LOW_SCORE, 1))
    return [swatch_entry(_create_legend_symbol(symbol), label)]


def _list_fill_symbols(layer: QgsVectorLayer) -> list[QgsFillSymbol]:
    """Return the fill symbols of a layer's renderer; empty without a renderer."""
    renderer = layer.renderer()
    symbols = [] if renderer is None else renderer.symbols(QgsRenderContext())
    return [symbol for symbol in symbols if isinstance(symbol, QgsFillSymbol)]


def _find_low_line(symbol: QgsFillSymbol) -> QgsSymbolLayer | None:
    """Return the part of a symbol that is the line around low scores; None if it has none."""
    parts = (symbol.symbolLayer(number) for number in range(symbol.symbolLayerCount()))
    return next(
        (part for part in parts if _compose_line_expression(part).startswith(_LOW_MARK)), None
    )


def _compose_line_expression(symbol_layer: QgsSymbolLayer) -> str:
    """Return the expression of the style of a part's line; "" without one."""
    style = QgsSymbolLayer.Property.PropertyStrokeStyle
    return str(symbol_layer.dataDefinedProperties().property(style).expressionString())


def _compose_low_condition(symbol: QgsFillSymbol) -> str:
    """Return the expression that is true for targets with the line of :func:`_find_low_line`."""
    line = _find_low_line(symbol)
    return "false" if line is None else f"({_compose_line_expression(line)}) = 'dash'"


def _create_legend_symbol(symbol: QgsFillSymbol) -> QgsFillSymbol:
    """Return a symbol with its line around low scores, which legends do not show otherwise."""
    legend_symbol = symbol.clone()
    line = _find_low_line(legend_symbol)
    if isinstance(line, QgsSimpleFillSymbolLayer):
        line.setDataDefinedProperty(QgsSymbolLayer.Property.PropertyStrokeStyle, QgsProperty())
        line.setStrokeStyle(Qt.PenStyle.DashLine)
    return legend_symbol


def _replace_symbols(renderer: QgsFeatureRenderer, change: Callable[[QgsFillSymbol], None]) -> None:
    """Change the fill symbols of a categorised or graduated renderer.

    Args:
        renderer: renderer; other kinds stay as they are.
        change: changes a symbol.
    """
    if isinstance(renderer, QgsCategorizedSymbolRenderer):
        symbols = [category.symbol().clone() for category in renderer.categories()]
        update = renderer.updateCategorySymbol
    elif isinstance(renderer, QgsGraduatedSymbolRenderer):
        symbols = [part.symbol().clone() for part in renderer.ranges()]
        update = renderer.updateRangeSymbol
    else:
        return
    for number, symbol in enumerate(symbols):
        if isinstance(symbol, QgsFillSymbol):
            change(symbol)
            update(number, symbol)


def _set_low_line(symbol: QgsFillSymbol, is_low: str) -> None:
    """Set the condition of a symbol's line around low scores; add the line if it is missing.

    The line is black or white: no class has such dashes. It is invisible by default, so that
    legends, which have no feature, do not show it.

    Args:
        symbol: symbol of a class.
        is_low: QGIS expression that is true for targets with a low score.
    """
    style_property = QgsSymbolLayer.Property.PropertyStrokeStyle
    expression = f"{_LOW_MARK}CASE WHEN {is_low} THEN 'dash' ELSE 'no' END"
    style = QgsProperty.fromExpression(expression)
    present_line = _find_low_line(symbol)
    if present_line is not None:
        present_line.setDataDefinedProperty(style_property, style)
        return
    outline = main_outline(symbol)
    if outline is None:
        return
    line = QgsSimpleFillSymbolLayer()
    line.setBrushStyle(Qt.BrushStyle.NoBrush)
    line.setStrokeColor(contrasting_colour(outline.strokeColor()))
    line.setStrokeWidth(_LOW_WIDTH)
    line.setStrokeStyle(Qt.PenStyle.NoPen)
    line.setLocked(True)
    line.setDataDefinedProperty(style_property, style)
    symbol.appendSymbolLayer(line)


def _create_field_renderer(layer: QgsVectorLayer, colouring: Colouring) -> QgsFeatureRenderer:
    """Return a renderer by the values of a field.

    A score has fixed classes, a number with many values has classes of about equal size, and any
    other field has a colour per value.

    Args:
        layer: layer with the field.
        colouring: the field, and whether it is a score.
    """
    index = field_index(layer.fields(), colouring.field)
    attribute = QgsExpression.quotedColumnRef(colouring.field)
    if colouring.is_score:
        return _create_graduated_renderer(attribute, list(_SCORE_LIMITS), SCORE_COLOURS)
    values = [value for value in layer.uniqueValues(index) if not is_null(value)]
    finite_numbers = np.empty(0)
    if layer.fields().at(index).isNumeric():
        numbers = to_numbers(values)
        finite_numbers = numbers[np.isfinite(numbers)]
    if len(finite_numbers) <= _N_CLASSES:
        return _create_category_renderer(attribute, sorted(values, key=str))

    shares = np.linspace(0, 1, _N_CLASSES + 1)
    # Quantiles of few values may be equal, so there may be fewer classes.
    limits = np.unique(np.quantile(finite_numbers, shares)).tolist()
    colour_positions = np.linspace(0, 1, len(limits) - 1)
    colours = [agreement_colour(position).name() for position in colour_positions]
    return _create_graduated_renderer(attribute, limits, colours)


def _create_graduated_renderer(
    attribute: str, limits: list[float], colours: Sequence[str]
) -> QgsGraduatedSymbolRenderer:
    """Return a renderer with a class and a colour (``#rrggbb``) between every two limits.

    Args:
        attribute: QGIS expression of the values.
        limits: (n + 1) limits of the classes, ascending.
        colours: (n) colours of the classes.
    """
    ranges = []
    for low, high, colour in zip(limits[:-1], limits[1:], colours):
        symbol = _create_fill_symbol(QColor(colour))
        label = tr("{low} to {high}", low=format_value(low, None), high=format_value(high, None))
        ranges.append(QgsRendererRange(low, high, symbol, label))
    return QgsGraduatedSymbolRenderer(attribute, ranges)


def _create_category_renderer(attribute: str, values: list[object]) -> QgsCategorizedSymbolRenderer:
    """Return a renderer with a colour per value; further values share a grey.

    Args:
        attribute: QGIS expression of the values.
        values: distinct values in the order of the legend.
    """
    categories = []
    for value, colour in zip(values[:_MAX_CATEGORIES], itertools.cycle(SERIES_COLOURS)):
        symbol = _create_fill_symbol(QColor(colour))
        categories.append(QgsRendererCategory(value, symbol, str(value)))
    # QGIS applies the category without a value to all other values.
    grey_symbol = _create_fill_symbol(QColor("#808080"))
    categories.append(QgsRendererCategory(None, grey_symbol, tr("other")))
    return QgsCategorizedSymbolRenderer(attribute, categories)


def _create_fill_symbol(colour: QColor) -> QgsFillSymbol:
    """Return a symbol with a light fill and an outline of a colour."""
    fill_colour = QColor(colour)
    fill_colour.setAlpha(_FILL_ALPHA)
    rgba = ",".join(map(str, fill_colour.getRgb()))
    return QgsFillSymbol.createSimple(
        {"color": rgba, "outline_color": colour.name(), "outline_width": "0.5"}
    )
