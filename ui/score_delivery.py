"""Puts the scores where the user wants them: layers in a group of their own, or fields of the target layer."""

from __future__ import annotations

from qgis.core import QgsProject, QgsVectorLayer

from randcrowns.core.errors import InputError
from randcrowns.layers.styles.styles import show_scores_of, style_output
from randcrowns.layers.styles.tree import add_run_group, run_title, unfold
from randcrowns.layers.vector.write import write_fields
from randcrowns.layers.words import counted, tr
from randcrowns.ui.layer_facts import RESULT_PROPERTY
from randcrowns.ui.runner import Succeeded
from randcrowns.ui.score_output import first_prefix, id_column, table_of
from randcrowns.ui.score_results import LayerScores, ScoreResults
from randcrowns.ui.score_settings import FIELDS

__all__ = ["deliver", "show_on_map"]

#: From top to bottom in the group; those not shown at first are for looking closer.
_ORDER = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "PAIRS", "REGIONS", "SUMMARY")
_SHOWN_AT_FIRST = ("SCORED_TARGETS", "SUMMARY")


def deliver(outcome: Succeeded, results: ScoreResults) -> tuple[str, dict[str, str]]:
    """Put the scores where the settings say.

    Returns:
        A sentence that tells where, and the ids of the layers added to the project, by output.

    Raises:
        InputError: when they cannot go there; nothing is changed then.
    """
    if results.settings.destination == FIELDS:
        return _write_fields(outcome, results), {}
    return _add_layers(outcome, results)


def show_on_map(results: ScoreResults, scores: LayerScores) -> None:
    """Colour the scored targets of the run by this delineation layer, and name it in the layer tree."""
    layer = QgsProject.instance().mapLayer(results.made.get("SCORED_TARGETS", ""))
    if isinstance(layer, QgsVectorLayer):
        show_scores_of(layer, scores.prefix)
        layer.setName(tr("{what}: {layer}").format(what=_name("SCORED_TARGETS"), layer=scores.name))


def _add_layers(outcome: Succeeded, results: ScoreResults) -> tuple[str, dict[str, str]]:
    project = QgsProject.instance()
    prefix = first_prefix(outcome)
    layers = []
    for output in _ORDER:
        layer = outcome.layers.get(output)
        if isinstance(layer, QgsVectorLayer):
            layer.setCustomProperty(RESULT_PROPERTY, output)
            layer.setName(_name(output))
            style_output(layer, output, prefix)
            layers.append(layer)
    title = run_title(results.target_name or tr("crowns"))
    group = add_run_group(project, title, layers)
    unfold(group)
    for node in group.findLayers():
        node.setItemVisibilityChecked(node.layer().customProperty(RESULT_PROPERTY) in _SHOWN_AT_FIRST)
        node.setExpanded(node.layer().customProperty(RESULT_PROPERTY) == "SCORED_TARGETS")
    said = tr("Scored {crowns}; the layers are in group '{group}'.").format(
        crowns=_counted_crowns(results), group=title
    )
    return said, {layer.customProperty(RESULT_PROPERTY): layer.id() for layer in layers}


def _write_fields(outcome: Succeeded, results: ScoreResults) -> str:
    """The algorithm's names never meet a field of the user's own, so nothing of theirs is written over."""
    layer = QgsProject.instance().mapLayer(results.settings.target)
    if not isinstance(layer, QgsVectorLayer):
        raise InputError(tr("The target layer was removed while it was scored, so no field could be written."))
    scored = outcome.layers["SCORED_TARGETS"]
    table = table_of(scored)
    names = list(table.columns)
    ids = id_column(names, first_prefix(outcome))
    columns = {name: table[name] for name in names[names.index(ids) + 1 :]}
    shapes = [feature.geometry() for feature in scored.getFeatures()]
    written = write_fields(layer, table[ids].tolist(), columns, shapes=shapes)
    said = tr(
        "Layer '{layer}' is in edit mode: save its edits, or undo (Ctrl+Z). "
        "Scored {crowns}; {fields} written (first: {first})."
    ).format(
        crowns=_counted_crowns(results),
        fields=counted(len(written.fields), tr("field was"), tr("fields were")),
        layer=layer.name(),
        first=written.fields[0],
    )
    unsaved = sum(number < 0 for number in written.missing)
    if len(written.missing) > unsaved:
        gone = counted(len(written.missing) - unsaved, tr("crown"), tr("crowns"))
        said += " " + tr("{crowns} had been deleted meanwhile.").format(crowns=gone)
    if unsaved:
        gone = counted(unsaved, tr("crown"), tr("crowns"))
        said += " " + tr(
            "{crowns} had not been saved when the run began, and were saved or deleted meanwhile; run again to score "
            "what is there now."
        ).format(crowns=gone)
    return said


def _name(output: str) -> str:
    return {
        "SCORED_TARGETS": tr("Scored targets"),
        "SCORED_DELINEATIONS": tr("Scored delineations"),
        "PAIRS": tr("Pairs"),
        "REGIONS": tr("Regions"),
        "SUMMARY": tr("Summary"),
    }[output]


def _counted_crowns(results: ScoreResults) -> str:
    return counted(len(results.layers[0].crowns), tr("crown"), tr("crowns"))
