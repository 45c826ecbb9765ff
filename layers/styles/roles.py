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

from randcrowns.layers.localization import tr
from randcrowns.layers.styles import OUTLINE_COLOURS, TARGET_COLOUR
from randcrowns.layers.styles.casing import add_casings, main_outline
from randcrowns.layers.styles.styles import load_style
from randcrowns.layers.vector.guesses import (
    LayerRole,
    find_score_field,
    imported_role,
    polygon_layers,
)

#: Width of the outlines of crowns, mm.
_OUTLINE_WIDTH = "0.6"
#: Name of the style with outlines in the colour of a role, in the layer's menu of styles.
_ROLE_STYLE = tr("RandCrowns: outlines")
#: Custom property of that style: name of the style that the layer had before.
_PREVIOUS_STYLE_PROPERTY = "randcrowns/previous_style"


def layer_colour(layer: QgsMapLayer | None) -> str:
    """Return the colour in which a layer is drawn.

    Returns:
        The fill colour, ``#rrggbb``, or the outline colour of a layer without fill; "" if the
        layer is not a vector layer with a single symbol.
    """
    if not isinstance(layer, QgsVectorLayer):
        return ""
    renderer = layer.renderer()
    if not isinstance(renderer, QgsSingleSymbolRenderer):
        return ""
    symbol_layer = main_outline(renderer.symbol()) or renderer.symbol().symbolLayer(0)
    is_simple_fill = isinstance(symbol_layer, QgsSimpleFillSymbolLayer)
    if is_simple_fill and symbol_layer.brushStyle() == Qt.BrushStyle.NoBrush:
        return str(symbol_layer.strokeColor().name())
    return str(symbol_layer.fillColor().name())


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
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
    add_casings(layer)
    layer.triggerRepaint()


def style_imported_crowns(layer: QgsVectorLayer) -> None:
    """Draw imported crowns so that they differ from all other crowns of the project.

    Crowns that the user imported as targets are drawn as such; if their role is unknown, the first
    crowns without scores of a detector are. Other crowns have outlines of the next free colour.

    Args:
        layer: layer with the imported crowns; main thread only.
    """
    other_layers = [other for other in polygon_layers() if other.id() != layer.id()]
    used_colours = {layer_colour(other) for other in other_layers}
    role = imported_role(layer)
    may_be_targets = role is None and not find_score_field(layer)
    if role is LayerRole.TARGETS or (may_be_targets and TARGET_COLOUR not in used_colours):
        style_targets(layer)
    else:
        style_outlines(layer, free_colour(used_colours))


def free_colour(used_colours: Collection[str]) -> str:
    """Return the first colour of outlines that is not used; the first one if all are used.

    Args:
        used_colours: colours of other layers, ``#rrggbb``.
    """
    return next(
        (colour for colour in OUTLINE_COLOURS if colour not in used_colours), OUTLINE_COLOURS[0]
    )


def show_role_style(layer: QgsVectorLayer, colour: str) -> None:
    """Draw a layer of the user as outlines in the colour of its role.

    The outlines are a style of their own, so that :func:`restore_own_style` brings back the
    layer's own style unchanged.

    Args:
        layer: polygon layer, whose current style changes.
        colour: :data:`TARGET_COLOUR` for targets, else the colour of the layer, ``#rrggbb``.
    """
    manager = layer.styleManager()
    previous_style = manager.currentStyle()
    if previous_style != _ROLE_STYLE:
        if _ROLE_STYLE not in manager.styles():
            manager.addStyleFromLayer(_ROLE_STYLE)
        manager.setCurrentStyle(_ROLE_STYLE)
        layer.setCustomProperty(_PREVIOUS_STYLE_PROPERTY, previous_style)
    if colour == TARGET_COLOUR:
        style_targets(layer)
    else:
        style_outlines(layer, colour)


def has_role_style(layer: QgsVectorLayer) -> bool:
    """Return True if a layer is drawn by :func:`show_role_style`."""
    return bool(layer.styleManager().currentStyle() == _ROLE_STYLE)


def restore_own_style(layer: QgsVectorLayer) -> None:
    """Show the style again that a layer had before :func:`show_role_style`."""
    manager = layer.styleManager()
    if manager.currentStyle() != _ROLE_STYLE:
        return
    previous_style = str(layer.customProperty(_PREVIOUS_STYLE_PROPERTY, ""))
    other_styles = [name for name in manager.styles() if name != _ROLE_STYLE]
    if previous_style not in other_styles:  # the user has renamed or removed it
        previous_style = other_styles[0] if other_styles else ""
    if not previous_style:
        return
    manager.setCurrentStyle(previous_style)
    manager.removeStyle(_ROLE_STYLE)
    layer.triggerRepaint()
