"""What a run of page Score found, read once from the algorithm's outputs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pandas as pd
from qgis.core import QgsExpression

from randcrowns.algorithms.choices import TARGETS
from randcrowns.algorithms.record import RECORD, Record
from randcrowns.algorithms.runs import keep_in_fields
from randcrowns.algorithms.scoring import outputs
from randcrowns.algorithms.scoring.choices import DELINEATIONS, GROUP_FIELD
from randcrowns.core.errors import InputError
from randcrowns.core.status import ALL, Status
from randcrowns.layers.styles.styles import show_scores_of
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.vector.write import write_fields
from randcrowns.layers.words import tr
from randcrowns.ui.scoring.form import DESTINATION, FIELDS
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.result_file import Succeeded, add_result_layers
from randcrowns.ui.services.settings import Settings


@dataclass(frozen=True)
class LayerScores:
    """One delineation layer against the target."""

    layer_id: str  #: of the delineation layer; it may be gone from the project by now.
    name: str  #: of the delineation layer when the run began.
    prefix: str  #: beginning of its fields in the scored targets.
    #: One row per target: target_id, delineation_id, randcrowns, iou, iou_crowns, status; its plot as group, where
    #: plots were chosen; with several delineation layers also the mean and variance of each score over them, as
    #: iou_mean and iou_variance.
    crowns: pd.DataFrame
    unmatched: tuple[int, ...]  #: ids of the delineations that were given to no target.
    judged: bool  #: whether those count as wrong; not where only some crowns were drawn as targets.
    overall: pd.Series  #: the summary's row for all groups.

    @property
    def target_ids(self) -> list[int]:
        """Ids of all targets in the table."""
        return [int(number) for number in self.crowns["target_id"]]

    def counts(self) -> Counter[str]:
        """How many targets have each status."""
        return Counter(self.crowns["status"].tolist())

    def ids_of(self, status: Status) -> list[int]:
        """Ids of the targets of that status."""
        return [
            int(number)
            for number in self.crowns.loc[self.crowns["status"] == status.value, "target_id"]
        ]


class ScoreResults:
    """Everything page Score shows after a run."""

    def __init__(self, outcome: Succeeded, settings: Settings, names: dict[int, str]) -> None:
        self.settings, self.names = settings, names  #: what was run; display name of each target.
        self.decided: tuple[str, ...] = ()  #: what the scores depend on, in words.
        self.made: dict[
            str, str
        ] = {}  #: ids of the layers that were added to the project, by output.
        prefixes = outputs.prefixes_of(outcome.outputs)
        scored = outcome.layers[outputs.SCORED_TARGETS.id]
        fields = scored.fields().names()
        self.id_field = outputs.target_id_field(
            fields, prefixes[0][1]
        )  #: field with the targets' ids.
        spread = (
            dict(zip(fields[-len(outputs.SPREAD_FIELDS) :], outputs.SPREAD_FIELDS))
            if len(prefixes) > 1
            else {}
        )
        plots = {settings[GROUP_FIELD]: "group"} if settings[GROUP_FIELD] in fields else {}
        ends = [prefix + ending for _, prefix in prefixes for ending in outputs.ENDINGS]
        targets = table_of(scored, [self.id_field, *plots, *ends, *spread])
        targets = targets.rename(columns={self.id_field: "target_id", **plots, **spread})
        self.summary = summary = outcome.table(outputs.SUMMARY)
        of_none = (
            f"NOT ({QgsExpression.createFieldEqualityExpression('status', Status.MATCHED.value)})"
        )
        #: Layer, delineation_id and status of the delineations that were given to no target.
        self.unmatched = unmatched = table_of(
            outcome.layers[outputs.SCORED_DELINEATIONS.id],
            ["layer", "delineation_id", "status"],
            of_none,
        )
        self.layers = []  #: per delineation layer, in the order of the settings.
        for layer_id, (name, prefix) in zip(settings[DELINEATIONS], prefixes):
            own = {
                prefix + ending: column
                for ending, column in zip(outputs.ENDINGS, outputs.SCORE_FIELDS)
            }
            crowns = targets[["target_id", *plots.values(), *own, *spread.values()]].rename(
                columns=own
            )
            crowns["delineation_id"] = crowns["delineation_id"].astype("Int64")
            left = unmatched[unmatched["layer"] == name]
            judged = not (left["status"] == Status.NOT_JUDGED.value).any()
            overall = summary[(summary["layer"] == name) & (summary["group"] == ALL)].iloc[0]
            self.layers.append(
                LayerScores(
                    layer_id,
                    name,
                    prefix,
                    crowns,
                    tuple(map(int, left["delineation_id"])),
                    judged,
                    overall,
                )
            )


def deliver(outcome: Succeeded, results: ScoreResults) -> str:
    """Put the scores where the settings say; a sentence tells where.

    Raises:
        InputError: when they cannot go there; nothing is changed then.
    """
    if results.settings[DESTINATION] == FIELDS:
        return (
            _write_fields(outcome, results)
            if outcome.added
            else tr("The scores are in fields of the target layer.")
        )
    results.made = add_result_layers(outcome, outputs.SCORE_OUTPUTS)
    said = "Scored {count:,} crowns; see the layer tree."
    one = "Scored 1 crown; see the layer tree."
    return tr(said, one=one, count=int(results.layers[0].overall["targets"]))


def show_on_map(results: ScoreResults, scores: LayerScores) -> None:
    """Colour the scored targets of the run by this delineation layer, and name it in the layer tree."""
    layer = vector_layer(results.made.get(outputs.SCORED_TARGETS.id, ""))
    if layer is not None:
        show_scores_of(layer, scores.prefix)
        layer.setName(tr("{what}: {layer}", what=outputs.SCORED_TARGETS.label, layer=scores.name))


def _write_fields(outcome: Succeeded, results: ScoreResults) -> str:
    """The algorithm's names never meet a field of the user's own, so nothing of theirs is written over."""
    layer = vector_layer(results.settings[TARGETS])
    if layer is None:
        raise InputError(
            "The target layer was removed while it was scored, so no field could be written."
        )
    scored = outcome.layers[outputs.SCORED_TARGETS.id]
    table = table_of(scored)
    names = list(table.columns)
    columns = {name: table[name] for name in names[names.index(results.id_field) + 1 :]}
    shapes = [feature.geometry() for feature in scored.getFeatures()]
    written = write_fields(layer, table[results.id_field].tolist(), columns, shapes=shapes)
    record, kept = Record.from_json(outcome.outputs[RECORD.id]), table[[results.id_field, *columns]]
    others = {
        outputs.SUMMARY.id: results.summary,
        outputs.SCORED_DELINEATIONS.id: results.unmatched,
    }
    keep_in_fields(layer, record, outputs.SCORED_TARGETS.id, kept, written.fields, others)
    said = tr(
        "Layer '{layer}' is in edit mode: save its edits, or undo (Ctrl+Z). Scored {crowns}.",
        crowns=tr(
            "{count:,} crowns", one="1 crown", count=int(results.layers[0].overall["targets"])
        ),
        layer=layer.name(),
    )
    unsaved = sum(number < 0 for number in written.missing)
    deleted = len(written.missing) - unsaved
    if deleted:
        said += " " + tr(
            "{count:,} crowns had been deleted meanwhile.",
            one="1 crown had been deleted meanwhile.",
            count=deleted,
        )
    if unsaved:
        said += " " + tr(
            "{count:,} crowns had not been saved when the run began, and were saved or deleted meanwhile; run again to "
            "score what is there now.",
            one="1 crown had not been saved when the run began, and was saved or deleted meanwhile; run again to score "
            "what is there now.",
            count=unsaved,
        )
    return said
