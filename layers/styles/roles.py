"""Colours of layers by their role: targets are red, other crowns have a colour of their own."""

from __future__ import annotations

from collections.abc import Collection

from qgis.core import (
    QgsFillSymbol,
    QgsMapLayer,
    QgsSimpleFillSymbolLayer,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import Qt

from randcrowns.layers.styles import SERIES_COLOURS, TARGET_COLOUR
from randcrowns.layers.styles.casing import add_casing, main_outline
from randcrowns.layers.styles.styles import load_style
from randcrowns.layers.vector.guesses import (
    LayerRole,
    find_score_field,
    imported_role,
    polygon_layers,
)

#: Width of the outlines of crowns, mm.
_OUTLINE_WIDTH = "0.6"


def layer_colour(layer: QgsMapLayer | None) -> str:
    """Return the colour in which a layer is drawn.

    Returns:
        The fill colour, ``#rrggbb``, or the outline colour of a layer without fill; "" if the
        layer is not a vector layer with a single symbol.
    """
    renderer = layer.renderer() if isinstance(layer, QgsVectorLayer) else None
    if not isinstance(renderer, QgsSingleSymbolRenderer):
        return ""
    symbol_layer = main_outline(renderer.symbol()) or renderer.symbol().symbolLayer(0)
    has_no_fill = (
        isinstance(symbol_layer, QgsSimpleFillSymbolLayer)
        and symbol_layer.brushStyle() == Qt.BrushStyle.NoBrush
    )
    colour = symbol_layer.strokeColor() if has_no_fill else symbol_layer.fillColor()
    return str(colour.name())


def style_targets(layer: QgsVectorLayer) -> None:
    """Draw the crowns of a layer as targets: red dotted outlines."""
    load_style(layer, "target")


def style_outlines(layer: QgsVectorLayer, colour: str) -> None:
    """Draw the crowns of a layer as outlines of a colour.

    Args:
        layer: polygon layer, whose renderer is replaced.
        colour: colour of the outlines, ``#rrggbb``.
    """
    symbol = QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": colour, "outline_width": _OUTLINE_WIDTH}
    )
    add_casing(symbol)
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
    layer.triggerRepaint()


def style_imported_crowns(layer: QgsVectorLayer) -> None:
    """Draw imported crowns so that they differ from all other crowns of the project.

    Crowns that the user imported as targets are drawn as such; if their role is unknown, the first
    crowns without scores of a detector are. Other crowns have outlines of the next free colour.

    Args:
        layer: layer with the imported crowns; main thread only.
    """
    others = [other for other in polygon_layers() if other.id() != layer.id()]
    used_colours = {layer_colour(other) for other in others}
    role = imported_role(layer)
    may_be_targets = role is None and not find_score_field(layer)
    if role is LayerRole.TARGETS or (may_be_targets and TARGET_COLOUR not in used_colours):
        style_targets(layer)
    else:
        style_outlines(layer, free_colour(used_colours))


def free_colour(used_colours: Collection[str]) -> str:
    """Return the first colour of the series that is not used; the first one if all are used.

    Args:
        used_colours: colours of other layers, ``#rrggbb``.
    """
    return next(
        (colour for colour in SERIES_COLOURS if colour not in used_colours), SERIES_COLOURS[0]
    )
