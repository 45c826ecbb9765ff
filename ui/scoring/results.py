"""What a run of page Score found, read once from the algorithm's outputs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from qgis.core import QgsExpression, QgsProject, QgsVectorLayer

from randcrowns.algorithms.scoring.tables import ENDINGS
from randcrowns.core.errors import InputError
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.status import Status
from randcrowns.layers.styles.styles import show_scores_of, style_output
from randcrowns.layers.styles.tree import add_run_group, run_title, unfold
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.vector.write import write_fields
from randcrowns.layers.words import counted, tr
from randcrowns.ui.scoring.settings import FIELDS, ScoreSettings
from randcrowns.ui.services.layer_facts import RESULT_PROPERTY
from randcrowns.ui.services.runner import Succeeded

__all__ = ["LayerScores", "ScoreResults", "deliver", "first_prefix", "id_column", "read_results", "show_on_map"]


@dataclass(frozen=True)
class LayerScores:
    """One delineation layer against the target.

    Attributes:
        layer_id: of the delineation layer; it may be gone from the project by now.
        name: of the delineation layer when the run began.
        prefix: beginning of its fields in the scored targets.
        crowns: one row per target: target_id, delineation_id, randcrowns, iou, iou_crowns, status; with several
            delineation layers also the mean and variance of each score over them, as iou_mean and iou_variance.
        extra: ids of the delineations that serve no target.
        overall: the summary's row for all groups.
    """

    layer_id: str
    name: str
    prefix: str
    crowns: pd.DataFrame
    extra: tuple[int, ...]
    overall: pd.Series

    def ids_of(self, status: Status) -> list[int]:
        """Ids of the targets of that status."""
        return [int(number) for number in self.crowns.loc[self.crowns["status"] == status.value, "target_id"]]


@dataclass(frozen=True)
class ScoreResults:
    """Everything page Score shows after a run.

    Attributes:
        settings: what was run.
        target_name: of the target layer when the run began.
        layers: per delineation layer.
        summary: the summary table.
        id_field: field of the scored targets that holds the id of the crown in the target layer.
        made: ids of the layers that were added to the project, by output.
    """

    settings: ScoreSettings
    target_name: str
    layers: tuple[LayerScores, ...]
    summary: pd.DataFrame
    id_field: str = "target_id"
    made: dict[str, str] = field(default_factory=dict)


#: What the last fields of the scored targets hold where there are several delineation layers, in their order.
_SPREAD = tuple(f"{score}_{what}" for score in SCORES for what in ("mean", "variance"))


def read_results(outcome: Succeeded, settings: ScoreSettings) -> ScoreResults:
    """The tables of a run, per delineation layer in the order of the settings."""
    prefixes = json.loads(outcome.outputs["PREFIXES"])
    scored = outcome.layers["SCORED_TARGETS"]
    ids = id_column(scored.fields().names(), first_prefix(outcome))
    names = scored.fields().names()
    spread = dict(zip(names[-len(_SPREAD) :], _SPREAD)) if len(prefixes) > 1 else {}
    fields = [ids, *(named["prefix"] + ending for named in prefixes for ending in ENDINGS), *spread]
    targets = table_of(scored, fields).rename(columns=spread)
    summary = table_of(outcome.layers["SUMMARY"])
    unmatched = QgsExpression.createFieldEqualityExpression("status", Status.UNMATCHED.value)
    extra = table_of(outcome.layers["SCORED_DELINEATIONS"], ["layer", "delineation_id"], unmatched)
    layers = []
    for layer_id, named in zip(settings.delineations, prefixes):
        name = named["layer"]
        layers.append(
            LayerScores(
                layer_id=layer_id,
                name=name,
                prefix=named["prefix"],
                crowns=_crowns(targets, ids, named["prefix"]).join(targets[list(spread.values())]),
                extra=tuple(int(number) for number in extra.loc[extra["layer"] == name, "delineation_id"]),
                overall=summary[(summary["layer"] == name) & (summary["group"] == "all")].iloc[0],
            )
        )
    target = QgsProject.instance().mapLayer(settings.target)
    name = target.name() if target is not None else ""
    return ScoreResults(settings, name, tuple(layers), summary, ids)


def first_prefix(outcome: Succeeded) -> str:
    """The prefix of the first delineation layer's fields."""
    return str(json.loads(outcome.outputs["PREFIXES"])[0]["prefix"])


def id_column(names: list[str], first_prefix: str) -> str:
    """The column with the targets' ids: it stands directly before the scores, whatever it had to be called."""
    return names[names.index(first_prefix + next(iter(ENDINGS))) - 1]


def _crowns(targets: pd.DataFrame, id_column: str, prefix: str) -> pd.DataFrame:
    columns: dict[str, Any] = {"target_id": targets[id_column].astype("int64")}
    for ending, (name, _) in ENDINGS.items():
        columns[name] = targets[prefix + ending]
    frame = pd.DataFrame(columns)
    frame["delineation_id"] = frame["delineation_id"].astype("Int64")
    return frame


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
