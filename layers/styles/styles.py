"""Styles of result layers, most of them read from the QML files in ``resources``.

Each QML file can also be loaded by hand in QGIS; a comment at its beginning says how.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsFillSymbol,
    QgsGraduatedSymbolRenderer,
    QgsMapLayer,
    QgsMapLayerStyle,
    QgsReadWriteContext,
    QgsRendererCategory,
    QgsRendererRange,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtXml import QDomDocument

from randcrowns.core.classes.evaluation import ClassResult
from randcrowns.core.errors import InputError
from randcrowns.core.messages import TranslatableText
from randcrowns.core.old_names import stored_column
from randcrowns.core.review.problems import TARGET_PROBLEMS, Problem
from randcrowns.layers.compat import is_null
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import localize_expressions, tr
from randcrowns.layers.styles.casing import add_casings, dash_outlines, main_outline
from randcrowns.layers.styles.score_fields import first_prefix, select_prefix, selected_field
from randcrowns.layers.styles.templates import translate_style
from randcrowns.report.colour_classes import vote_classes
from randcrowns.report.colours import RAMP, SERIES_COLOURS
from randcrowns.report.problems import PROBLEM_COLOURS

#: Parts of a style that the second style of scored targets contains.
_STYLE_CATEGORIES = (
    QgsMapLayer.StyleCategory.Symbology
    | QgsMapLayer.StyleCategory.Labeling
    | QgsMapLayer.StyleCategory.MapTips
)
#: Colour of crowns by the result of comparing their class with that of their match.
CLASS_COLOURS = {
    ClassResult.RIGHT.value: "#0072b2",
    ClassResult.WRONG.value: "#d55e00",
    ClassResult.NO_CLASS.value: "#cc79a7",
    ClassResult.NOT_FOUND.value: "#808080",
    ClassResult.NO_REFERENCE.value: "#000000",
    ClassResult.NOT_JUDGED.value: "#9e9e9e",
}
_RESOURCES = Path(__file__).parents[2] / "resources"
#: Beginning and end of a QGIS expression that escapes the value between them for HTML.
_ESCAPE_START = "replace(replace(replace(replace("
_ESCAPE_END = ", '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '\"', '&quot;')"
#: Problems of scored targets in the order of the legend.
_TARGET_PROBLEMS = (*TARGET_PROBLEMS, Problem.NONE)
_DISAGREEMENT_COLOUR = "#d55e00"
_CONSENSUS_COLOUR = "#0072b2"
#: Widest and narrowest outline of the ground truths on a map, millimetres.
_TRUTH_WIDTHS = (1.4, 0.3)
#: Line of a map tip with the number of annotators who drew a tree, of those who reviewed its area.
_VOTES_LINE = '<b>[% "votes" %] / [% "looked" %]</b>'


def escape_map_tip(template: str) -> str:
    """Return a map tip in the plugin's number format, with values escaped for HTML.

    Args:
        template: map tip, see :func:`escape_values`.
    """
    return escape_values(localize_expressions(template))


def escape_values(template: str) -> str:
    """Return a map tip whose expressions escape their values for HTML.

    Names and field values come from other people's files, and QGIS runs scripts in map tips.

    Args:
        template: map tip as HTML with expressions in ``[% %]``; expressions that are escaped
            already stay unchanged.
    """

    def escape_value(match: re.Match[str]) -> str:
        expression = match[1].strip()
        is_escaped = expression.startswith(_ESCAPE_START) and expression.endswith(_ESCAPE_END)
        if not is_escaped:
            expression = f"{_ESCAPE_START}{expression}{_ESCAPE_END}"
        return f"[% {expression} %]"

    return re.sub(r"\[%(.*?)%\]", escape_value, template, flags=re.DOTALL)


def style_scored_targets(layer: QgsVectorLayer, prefix: str = "") -> None:
    """Colour scored targets by classes of RandCrowns, with labels and map tips.

    Missed, unmatched and too small targets have a class of their own.

    Args:
        layer: layer with the fields ``<prefix>_rc``, ``<prefix>_iou``, ``<prefix>_iouc`` and
            ``<prefix>_status``; its style is changed.
        prefix: prefix of the fields of a delineation layer; empty for the first one.

    Raises:
        InputError: if the style cannot be read.
    """
    load_style(layer, "scored_targets")
    prefix = prefix or first_prefix(layer)
    if prefix:
        select_prefix(layer, prefix)


def add_problem_style(
    layer: QgsVectorLayer,
    problem_style_name: str,
    score_style_name: str,
    labels: Mapping[Problem, str],
) -> None:
    """Add a second style to scored targets that colours them by problem.

    Args:
        layer: layer of scored targets; the current style stays the current one.
        problem_style_name: name of the new style in the layer's menu.
        score_style_name: new name of the current style.
        labels: legend label of each problem.
    """
    field = selected_field(layer, "_rc_problem")
    categories = []
    for problem in _TARGET_PROBLEMS:
        symbol = _create_outline_symbol(PROBLEM_COLOURS[problem], width="0.7")
        categories.append(QgsRendererCategory(problem.value, symbol, labels[problem]))
    manager = layer.styleManager()
    manager.renameStyle(manager.currentStyle(), score_style_name)
    _add_style(layer, problem_style_name, QgsCategorizedSymbolRenderer(field, categories))


def add_class_style(
    layer: QgsVectorLayer, style_name: str, labels: Mapping[str, str], field_ending: str = ""
) -> None:
    """Add a style to crowns that colours them by whether their class is right.

    Args:
        layer: layer of crowns; the current style stays the current one.
        style_name: name of the new style in the layer's menu.
        labels: legend label of each value of the field, see :data:`CLASS_COLOURS`.
        field_ending: end of the field's name after the prefix of a delineation layer; "" for the
            field ``class_result``.
    """
    field = '"class_result"'
    if field_ending:
        field = selected_field(layer, field_ending)
    categories = [
        QgsRendererCategory(value, _create_outline_symbol(colour, width="0.7"), labels[value])
        for value, colour in CLASS_COLOURS.items()
        if value in labels
    ]
    _add_style(layer, style_name, QgsCategorizedSymbolRenderer(field, categories))


def _add_style(layer: QgsVectorLayer, name: str, renderer: QgsCategorizedSymbolRenderer) -> None:
    """Add a style with another renderer to the menu of a layer, whose current style stays."""
    styled_layer = layer.clone()
    styled_layer.setRenderer(renderer)
    add_casings(styled_layer)
    document = QDomDocument()
    styled_layer.exportNamedStyle(document, QgsReadWriteContext(), _STYLE_CATEGORIES)
    layer.styleManager().addStyle(name, QgsMapLayerStyle(document.toString()))


def qml_style(name: str) -> Callable[[QgsVectorLayer, Mapping[str, Any]], None]:
    """Return a function that styles an output layer by ``resources/<name>.qml``.

    Args:
        name: name of the file without its extension, see :func:`load_style`.

    Returns:
        Function of the layer and of the other results of the run, which it ignores.
    """
    return lambda layer, _other_results: load_style(layer, name)


def style_matched_predictions(layer: QgsVectorLayer, _other_results: Mapping[str, Any]) -> None:
    """Style predictions as the matched targets, but with dashed outlines.

    Args:
        layer: layer with the field ``status``; its style is changed.
        _other_results: other results of the run, which are ignored.

    Raises:
        InputError: if the style cannot be read.
    """
    load_style(layer, "matched_instances")
    dash_outlines(layer)


def hide_category(layer: QgsVectorLayer, value: str) -> None:
    """Do not draw the features of a category.

    Args:
        layer: layer, whose style is changed; nothing is changed in a layer without categories.
        value: value of the category.
    """
    renderer = layer.renderer().clone()
    if isinstance(renderer, QgsCategorizedSymbolRenderer):
        index = renderer.categoryIndexForValue(value)
        if index >= 0:
            renderer.updateCategoryRenderState(index, False)
            layer.setRenderer(renderer)


def load_style(layer: QgsVectorLayer, name: str) -> None:
    """Style a layer by ``resources/<name>.qml``, with its texts in the user's language.

    Args:
        layer: layer with the fields that a comment at the beginning of the file lists.
        name: name of the file without its extension.

    Raises:
        InputError: if the file cannot be read.
    """
    file = _RESOURCES / f"{name}.qml"
    problem = _import_style(layer, file)
    if problem:
        raise InputError(
            "style.unreadable",
            "The style {file} cannot be read ({why}); install the plugin again.",
            file=file,
            why=problem,
        )
    add_casings(layer)
    layer.triggerRepaint()


def _import_style(layer: QgsVectorLayer, file: Path) -> str | TranslatableText:
    """Apply a style file to a layer, and return why it cannot be applied, or ""."""
    try:
        content = file.read_text(encoding="utf-8")
    except OSError as error:
        return str(error)
    document = QDomDocument()
    is_valid = document.setContent(translate_style(localize_expressions(content), tr))[0]
    if not is_valid:
        return TranslatableText("it is not valid XML")
    is_loaded, problem = layer.importNamedStyle(document)
    return "" if is_loaded else str(problem)


def agreement_colour(share: float) -> QColor:
    """Return the colour of a share of the annotators, from dark (0) to bright yellow (1).

    Args:
        share: share from 0 to 1; values outside are limited to this range.
    """
    limited_share = min(max(share, 0.0), 1.0)
    # The colour lies between two neighbours on the ramp and is mixed from both.
    position = limited_share * (len(RAMP) - 1)
    index = min(int(position), len(RAMP) - 2)
    weight = position - index
    lower_colour = QColor(RAMP[index])
    upper_colour = QColor(RAMP[index + 1])

    def mix(lower: int, upper: int) -> int:
        """Return the mixture of a component of both colours."""
        return round(lower + weight * (upper - lower))

    return QColor(
        mix(lower_colour.red(), upper_colour.red()),
        mix(lower_colour.green(), upper_colour.green()),
        mix(lower_colour.blue(), upper_colour.blue()),
    )


def style_disagreements(layer: QgsVectorLayer) -> None:
    """Fill areas on which annotators differ with one colour; the map tip lists the annotators.

    Args:
        layer: layer with the fields ``area``, ``yes`` and ``no``; its style is changed.
    """
    _fill_with_colour(layer, _DISAGREEMENT_COLOUR, 90)
    template = f'<b>[% format_number("area", 2) %] m²</b><br>{_create_annotator_lines()}'
    layer.setMapTipTemplate(escape_map_tip(template))


def style_consensus(layer: QgsVectorLayer, colours: Mapping[str, str]) -> None:
    """Style a consensus layer.

    A single consensus is filled with one colour. If the layer contains a consensus without each
    annotator, these are outlines in the colour of the excluded annotator.

    Args:
        layer: layer with the fields ``method`` and ``area``, and ``excluded`` if it contains a
            consensus without each annotator; its style is changed.
        colours: colours (``#rrggbb``) by annotator.
    """
    if field_index(layer.fields(), _find_excluded_field(layer)) >= 0:
        _style_by_excluded_annotator(layer, colours)
    else:
        _fill_with_colour(layer, _CONSENSUS_COLOUR, 70)
        template = '[% "method" %]<br>[% format_number("area", 2) %] m²'
        if field_index(layer.fields(), "votes") >= 0:
            template = f"{_VOTES_LINE}<br>{template}"
        layer.setMapTipTemplate(escape_map_tip(template))


def style_truths_map(layer: QgsVectorLayer) -> None:
    """Draw each ground truth in a colour of its own on the map of a report.

    Later ones are narrower, so that outlines that coincide are all visible.

    Args:
        layer: layer with the field ``truth``; its style is changed.
    """
    index = field_index(layer.fields(), "truth")
    truths = list(dict.fromkeys(feature[index] for feature in layer.getFeatures()))
    widths = np.linspace(_TRUTH_WIDTHS[0], _TRUTH_WIDTHS[1], len(truths))
    categories = []
    for truth, colour, width in zip(truths, itertools.cycle(SERIES_COLOURS), widths):
        symbol = _fill_symbol(colour, 0)
        outline = main_outline(symbol)
        if outline is not None:
            outline.setStrokeWidth(float(width))
        categories.append(QgsRendererCategory(truth, symbol, str(truth)))
    layer.setRenderer(QgsCategorizedSymbolRenderer("truth", categories))
    layer.setLabelsEnabled(False)


def style_consensus_map(layer: QgsVectorLayer) -> None:
    """Fill the crowns of a consensus by their votes on the map of a report.

    Trees that too few annotators drew are outlines. A consensus of areas stays unchanged.

    Args:
        layer: crowns or areas of a consensus, or trees that too few annotators drew; its style is
            changed.
    """
    fields = layer.fields()
    index = field_index(fields, "votes")
    values = layer.uniqueValues(index) if index >= 0 else set()
    votes = sorted({int(value) for value in values if not is_null(value)})
    if not votes:
        return
    if field_index(fields, "mean_iou") < 0:
        symbol = _fill_symbol(_DISAGREEMENT_COLOUR, 0)
        label = tr("Trees that too few annotators drew")
        ranges = [QgsRendererRange(votes[0], votes[-1], symbol, label)]
    else:
        classes = vote_classes(votes)
        ends = [*classes.limits[1:-1], votes[-1] + 1]
        ranges = [
            QgsRendererRange(low, end - 0.5, _fill_symbol(colour, 130), f"{tr('Votes')}: {label}")
            for low, end, colour, label in zip(
                classes.limits, ends, classes.colours, classes.labels
            )
        ]
    layer.setRenderer(QgsGraduatedSymbolRenderer("votes", ranges))
    add_casings(layer)


def style_unmarked_places(layer: QgsVectorLayer) -> None:
    """Outline places that no annotator marked; the map tip lists the detectors' crowns.

    Args:
        layer: layer with the fields ``votes``, ``detectors`` and ``members``; its style is changed.
    """
    _fill_with_colour(layer, _DISAGREEMENT_COLOUR, 40)
    line = '<b>[% "votes" %] / [% "detectors" %]</b>'
    layer.setMapTipTemplate(escape_map_tip(f'{line}<br>[% "members" %]'))


def style_look_again(layer: QgsVectorLayer) -> None:
    """Outline trees that too few annotators drew; the map tip lists who drew them.

    Args:
        layer: layer with the fields ``votes``, ``looked`` and ``members``; its style is changed.
    """
    _fill_with_colour(layer, _DISAGREEMENT_COLOUR, 40)
    layer.setMapTipTemplate(escape_map_tip(f'{_VOTES_LINE}<br>[% "members" %]'))


def style_agreement(layer: QgsVectorLayer) -> None:
    """Colour the faces of an overlay by their number of annotators.

    The total number of annotators is read from the first face.

    Args:
        layer: layer with the fields ``n_yes``, ``n_no``, ``yes`` and ``no``; its style is changed.
    """
    n_annotators = 0
    first_face = next(layer.getFeatures(), None)
    if first_face is not None:
        n_annotators = int(first_face["n_yes"]) + int(first_face["n_no"])
    categories = []
    for number in range(1, n_annotators + 1):
        colour = agreement_colour((number - 1) / max(n_annotators - 1, 1)).name()
        # Without an outline of the same colour, the background is visible between the faces.
        symbol = QgsFillSymbol.createSimple(
            {"color": colour, "outline_color": colour, "outline_width": "0.1"}
        )
        label = tr("{number} of {all}", number=number, all=n_annotators)
        categories.append(QgsRendererCategory(number, symbol, label))
    layer.setRenderer(QgsCategorizedSymbolRenderer("n_yes", categories))
    layer.setOpacity(0.75)
    counts = tr("{number} of {all}", number='[% "n_yes" %]', all='[% "n_yes" + "n_no" %]')
    layer.setMapTipTemplate(escape_map_tip(f"<b>{counts}</b><br>{_create_annotator_lines()}"))


def _create_annotator_lines() -> str:
    """Return two lines of a map tip: the annotators who marked an area, and the others."""
    marked_line = tr("yes: {names}", names='[% "yes" %]')
    unmarked_line = tr("no: {names}", names='[% "no" %]')
    return f"{marked_line}<br>{unmarked_line}"


def _find_excluded_field(layer: QgsVectorLayer) -> str:
    """Return the name of the field with the excluded annotator of a consensus."""
    return stored_column(layer.fields().names(), "excluded", "CONSENSUS")


def _style_by_excluded_annotator(layer: QgsVectorLayer, colours: Mapping[str, str]) -> None:
    """Style a consensus without each annotator as outlines, because the polygons overlap.

    Args:
        layer: layer with a field for the excluded annotator; its style is changed.
        colours: colours by annotator; annotators without one get a colour of the ramp.
    """
    field = _find_excluded_field(layer)
    values = layer.uniqueValues(field_index(layer.fields(), field))
    annotators = sorted(str(name) for name in values)
    last_position = max(len(annotators) - 1, 1)
    categories = []
    for position, name in enumerate(annotators):
        colour = colours.get(name) or agreement_colour(position / last_position).name()
        symbol = _create_outline_symbol(colour, width="0.5")
        categories.append(QgsRendererCategory(name, symbol, tr("without {name}", name=name)))
    layer.setRenderer(QgsCategorizedSymbolRenderer(field, categories))
    add_casings(layer)
    title = tr("without {name}", name=f'[% "{field}" %]')
    template = f'{title}<br>[% "method" %]<br>[% format_number("area", 2) %] m²'
    layer.setMapTipTemplate(escape_map_tip(template))


def _create_outline_symbol(colour: str, width: str) -> QgsFillSymbol:
    """Return a symbol of an outline without fill; the width is in millimetres."""
    return QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": colour, "outline_width": width}
    )


def _fill_with_colour(layer: QgsVectorLayer, colour: str, alpha: int) -> None:
    """Draw all polygons of a layer with an outline and a filling of opacity ``alpha`` (0-255).

    Args:
        layer: layer, whose renderer is replaced.
        colour: colour (``#rrggbb``).
        alpha: opacity of the filling, 0 to 255.
    """
    layer.setRenderer(QgsSingleSymbolRenderer(_fill_symbol(colour, alpha)))
    add_casings(layer)


def _fill_symbol(colour: str, alpha: int) -> QgsFillSymbol:
    """Return a symbol with an outline and a filling of opacity ``alpha`` (0-255)."""
    fill_colour = QColor(colour)
    fill_colour.setAlpha(alpha)
    rgba = ",".join(map(str, fill_colour.getRgb()))
    return QgsFillSymbol.createSimple(
        {"color": rgba, "outline_color": colour, "outline_width": "0.4"}
    )
