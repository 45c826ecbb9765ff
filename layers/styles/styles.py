"""Styles of the result layers, read from the QML files under resources/ (usable by hand too: each says how)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsExpressionContextUtils,
    QgsFillSymbol,
    QgsMapLayer,
    QgsMapLayerStyle,
    QgsReadWriteContext,
    QgsRendererCategory,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtXml import QDomDocument

from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Said
from randcrowns.core.review.problems import Problem
from randcrowns.layers.styles.templates import style_in
from randcrowns.layers.words import in_expressions, tr

#: Layer variable with the beginning of the fields that scored targets are coloured by.
PREFIX_VARIABLE = "randcrowns_prefix"
#: Expression: the beginning of the fields of the first delineation layer.
_FIRST_PREFIX = (
    "regexp_substr(array_to_string(map_akeys(attributes($currentfeature))), '([^,]+)_rc(?:,|$)')"
)
_SYMBOLS = (
    QgsMapLayer.StyleCategory.Symbology
    | QgsMapLayer.StyleCategory.Labeling
    | QgsMapLayer.StyleCategory.MapTips
)
_FOLDER = Path(__file__).parents[2] / "resources"


#: Two pieces around an expression of QGIS's, which then gives text that HTML shows letter by letter.
_ESCAPED = (
    "replace(replace(replace(replace(",
    ", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '\"', '&quot;')",
)


def map_tip(template: str) -> str:
    """A map tip whose values are shown letter by letter: names and fields are other people's, and QGIS runs scripts."""

    def escaped(found: re.Match[str]) -> str:
        asked = found.group(1).strip()
        known = asked.startswith(_ESCAPED[0]) and asked.endswith(_ESCAPED[1])
        return f"[% {asked if known else asked.join(_ESCAPED)} %]"

    return re.sub(r"\[%(.*?)%\]", escaped, in_expressions(template), flags=re.DOTALL)


def style_scored(layer: QgsVectorLayer, prefix: str = "") -> None:
    """Scored targets by class of RandCrowns, with labels and map tips; missed, unmatched and too small set apart.

    The layer has fields ``<prefix>_rc``, ``_iou``, ``_iouc`` and ``_status``; without a prefix, its first are shown.
    """
    load_style(layer, "scored_targets")
    if prefix:
        show_scores_of(layer, prefix)


def show_scores_of(layer: QgsVectorLayer, prefix: str) -> None:
    """Colour, label and explain scored targets by another delineation layer; the style stays as the user made it."""
    QgsExpressionContextUtils.setLayerVariable(layer, PREFIX_VARIABLE, prefix)
    layer.triggerRepaint()


#: Problem of a crown -> its colour, of a palette that people with any colour vision can tell apart.
_PROBLEM_COLOURS = {
    Problem.MISSING: "#d55e00",
    Problem.MERGED: "#cc79a7",
    Problem.SPLIT: "#e69f00",
    Problem.SHIFTED: "#0072b2",
    Problem.TOO_LARGE: "#f0e442",
    Problem.TOO_SMALL: "#56b4e9",
    Problem.LOW_OVERLAP: "#000000",
    Problem.NONE: "#009e73",
}


def add_problem_style(
    layer: QgsVectorLayer, name: str, usual: str, labels: Mapping[Problem, str]
) -> None:
    """A second style of scored targets, by problem, that the layer's menu offers by ``name`` beside the ``usual`` one.

    The legend has the ``labels`` of the problems.
    """
    field = f"attribute(coalesce(@{PREFIX_VARIABLE}, {_FIRST_PREFIX}) || '_rc_problem')"
    symbols = {
        problem: QgsFillSymbol.createSimple(
            {"style": "no", "outline_color": colour, "outline_width": "0.7"}
        )
        for problem, colour in _PROBLEM_COLOURS.items()
    }
    categories = [
        QgsRendererCategory(one.value, symbol, labels[one]) for one, symbol in symbols.items()
    ]
    shown = layer.clone()
    shown.setRenderer(QgsCategorizedSymbolRenderer(field, categories))
    document = QDomDocument()
    shown.exportNamedStyle(document, QgsReadWriteContext(), _SYMBOLS)
    manager = layer.styleManager()
    manager.renameStyle(manager.currentStyle(), usual)
    manager.addStyle(name, QgsMapLayerStyle(document.toString()))


def from_qml(name: str) -> Callable[[QgsVectorLayer, Mapping[str, Any]], None]:
    """A style for the declaration of an output: that of ``resources/<name>.qml``, see :func:`load_style`."""
    return lambda layer, _others: load_style(layer, name)


def load_style(layer: QgsVectorLayer, name: str) -> None:
    """Style a layer by ``resources/<name>.qml``, which says at its beginning which fields it needs."""
    file, document = _FOLDER / f"{name}.qml", QDomDocument()
    try:
        right = document.setContent(style_in(in_expressions(file.read_text(encoding="utf-8")), tr))[
            0
        ]
        loaded, why = layer.importNamedStyle(document) if right else (False, Said("it is no XML"))
    except OSError as error:
        loaded, why = False, str(error)
    if not loaded:
        raise InputError(
            "The style {file} cannot be read ({why}); install the plugin again.", file=file, why=why
        )
    layer.triggerRepaint()


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


def style_disagreements(layer: QgsVectorLayer) -> None:
    """Places on which annotators differ, in one colour, with who said what as map tip."""
    _style_plain(layer, _DIFFERENCE, 90)
    layer.setMapTipTemplate(map_tip(f'<b>[% format_number("area", 2) %] m²</b><br>{_yes_no()}'))


def style_consensus(layer: QgsVectorLayer, colours: Mapping[str, str]) -> None:
    """A consensus; one without each annotator as outlines in their ``colours`` (``#rrggbb`` by name)."""
    if layer.fields().lookupField("left_out") >= 0:
        _style_left_out(layer, colours)
    else:
        _style_plain(layer, _CONSENSUS, 70)
        layer.setMapTipTemplate(map_tip('[% "method" %]<br>[% format_number("area", 2) %] m²'))


def style_agreement(layer: QgsVectorLayer) -> None:
    """One category per number of annotators; how many there are is told by any face."""
    first = next(layer.getFeatures(), None)
    count = 0 if first is None else int(first["n_yes"]) + int(first["n_no"])
    categories = []
    for number in range(1, count + 1):
        colour = agreement_colour((number - 1) / max(count - 1, 1)).name()
        # An outline of the same colour, or light would show through between the faces.
        symbol = QgsFillSymbol.createSimple(
            {"color": colour, "outline_color": colour, "outline_width": "0.1"}
        )
        categories.append(
            QgsRendererCategory(number, symbol, tr("{number} of {all}", number=number, all=count))
        )
    layer.setRenderer(QgsCategorizedSymbolRenderer("n_yes", categories))
    layer.setOpacity(0.75)
    counted = tr("{number} of {all}", number='[% "n_yes" %]', all='[% "n_yes" + "n_no" %]')
    layer.setMapTipTemplate(map_tip(f"<b>{counted}</b><br>{_yes_no()}"))


def _yes_no() -> str:
    """Lines of a map tip: who marked a place, and who did not."""
    marked = tr("yes: {names}", names='[% "yes" %]')
    return f"{marked}<br>" + tr("no: {names}", names='[% "no" %]')


def _style_left_out(layer: QgsVectorLayer, colours: Mapping[str, str]) -> None:
    """Outlines, for they lie over each other: a colour for each annotator who was left out."""
    names = sorted(str(name) for name in layer.uniqueValues(layer.fields().lookupField("left_out")))
    categories = []
    for number, name in enumerate(names):
        colour = colours.get(name) or agreement_colour(number / max(len(names) - 1, 1)).name()
        symbol = QgsFillSymbol.createSimple(
            {"style": "no", "outline_color": colour, "outline_width": "0.5"}
        )
        categories.append(QgsRendererCategory(name, symbol, tr("without {name}", name=name)))
    layer.setRenderer(QgsCategorizedSymbolRenderer("left_out", categories))
    without = tr("without {name}", name='[% "left_out" %]')
    layer.setMapTipTemplate(
        map_tip(f'{without}<br>[% "method" %]<br>[% format_number("area", 2) %] m²')
    )


def _style_plain(layer: QgsVectorLayer, colour: str, alpha: int) -> None:
    inside = QColor(colour)
    inside.setAlpha(alpha)
    rgba = ",".join(map(str, inside.getRgb()))
    symbol = QgsFillSymbol.createSimple(
        {"color": rgba, "outline_color": colour, "outline_width": "0.4"}
    )
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
