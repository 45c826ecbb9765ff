"""Styles of what comparing annotators makes: faces by number of annotators, disagreements, a consensus."""

from __future__ import annotations

from collections.abc import Mapping

from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsFillSymbol,
    QgsMapLayer,
    QgsRendererCategory,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QColor

__all__ = ["agreement_colour", "style_annotator_output"]

# Ends and middle stops of the viridis ramp, which people with any colour vision can order.
_RAMP = ("#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725")
_DIFFERENCE = "#d55e00"
_CONSENSUS = "#0072b2"


def agreement_colour(share: float) -> QColor:
    """Colour of a share of the annotators, 0 to 1: few dark, all bright yellow."""
    place = min(max(share, 0.0), 1.0) * (len(_RAMP) - 1)
    lower = min(int(place), len(_RAMP) - 2)
    one, other = QColor(_RAMP[lower]), QColor(_RAMP[lower + 1])
    part = place - lower
    mixed = [round(a + part * (b - a)) for a, b in zip(one.getRgb()[:3], other.getRgb()[:3])]
    return QColor(*mixed)


def style_annotator_output(layer: QgsMapLayer, output: str, colours: Mapping[str, str] | None = None) -> None:
    """Style an output of the two algorithms by its name; tables and rasters are left as they are.

    Args:
        layer: the output.
        output: its name, as AGREEMENT.
        colours: of annotators, ``#rrggbb`` by name, for a consensus without each of them.
    """
    if not isinstance(layer, QgsVectorLayer):
        return
    if output == "AGREEMENT":
        _style_agreement(layer)
    elif output == "DISAGREEMENTS":
        _style_plain(layer, _DIFFERENCE, 90)
        layer.setMapTipTemplate('<b>[% round("area", 2) %] m²</b><br>yes: [% "yes" %]<br>no: [% "no" %]')
    elif output == "CONSENSUS":
        if layer.fields().lookupField("left_out") >= 0:
            _style_left_out(layer, colours or {})
        else:
            _style_plain(layer, _CONSENSUS, 70)
        layer.setMapTipTemplate('[% "method" %]<br>[% round("area", 2) %] m²')
    layer.triggerRepaint()


def _style_agreement(layer: QgsVectorLayer) -> None:
    """One category per number of annotators; how many there are is told by any face."""
    first = next(layer.getFeatures(), None)
    count = 0 if first is None else int(first["n_yes"]) + int(first["n_no"])
    categories = []
    for number in range(1, count + 1):
        colour = agreement_colour((number - 1) / max(count - 1, 1)).name()
        # An outline of the same colour, or light would show through between the faces.
        symbol = QgsFillSymbol.createSimple({"color": colour, "outline_color": colour, "outline_width": "0.1"})
        label = f"{number} of {count}"
        categories.append(QgsRendererCategory(number, symbol, label))
    layer.setRenderer(QgsCategorizedSymbolRenderer("n_yes", categories))
    layer.setOpacity(0.75)
    layer.setMapTipTemplate('<b>[% "n_yes" %] of [% "n_yes" + "n_no" %]</b><br>yes: [% "yes" %]<br>no: [% "no" %]')


def _style_left_out(layer: QgsVectorLayer, colours: Mapping[str, str]) -> None:
    """Outlines, for they lie over each other: a colour for each annotator who was left out."""
    names = sorted(str(name) for name in layer.uniqueValues(layer.fields().lookupField("left_out")))
    categories = []
    for number, name in enumerate(names):
        colour = colours.get(name) or agreement_colour(number / max(len(names) - 1, 1)).name()
        symbol = QgsFillSymbol.createSimple({"style": "no", "outline_color": colour, "outline_width": "0.5"})
        categories.append(QgsRendererCategory(name, symbol, f"without {name}"))
    layer.setRenderer(QgsCategorizedSymbolRenderer("left_out", categories))
    layer.setMapTipTemplate('without [% "left_out" %]<br>[% "method" %]<br>[% round("area", 2) %] m²')


def _style_plain(layer: QgsVectorLayer, colour: str, alpha: int) -> None:
    inside = QColor(colour)
    symbol = QgsFillSymbol.createSimple(
        {
            "color": f"{inside.red()},{inside.green()},{inside.blue()},{alpha}",
            "outline_color": colour,
            "outline_width": "0.4",
        }
    )
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
