"""Results of a run of page Score, read once from the outputs of the algorithm."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

import pandas as pd
from qgis.core import QgsExpression, QgsFeatureRequest, QgsVectorLayer

from randcrowns.algorithms.classes.outputs import (
    CLASS_METRICS,
    CLASS_OUTPUTS,
    CLASS_SUMMARY,
    CONFUSION,
    STRATA,
)
from randcrowns.algorithms.common_parameters import TARGETS
from randcrowns.algorithms.provenance import PROVENANCE, Provenance
from randcrowns.algorithms.run_history import record_field_results
from randcrowns.algorithms.scoring.answer import ScoreAnswer, score_answer
from randcrowns.algorithms.scoring.schema import outputs
from randcrowns.algorithms.scoring.schema.parameters import DELINEATIONS, PLOT_FIELD
from randcrowns.algorithms.scoring.scored_site import ScoredSite
from randcrowns.core.errors import InputError
from randcrowns.core.scoring.answer import are_unmatched_judged
from randcrowns.core.statistics import ratio
from randcrowns.core.status import ALL_PLOTS, Status, count_statuses
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.score_fields import select_prefix
from randcrowns.layers.vector.features import iterate_features
from randcrowns.layers.vector.tables import read_attributes
from randcrowns.layers.vector.write import write_fields
from randcrowns.ui.scoring.form import DESTINATION, FIELDS
from randcrowns.ui.services.layer_info import vector_layer
from randcrowns.ui.services.replaced_layers import styled_by_page
from randcrowns.ui.services.run_outcome import Succeeded, add_result_layers
from randcrowns.ui.services.settings import Settings


@dataclass(frozen=True)
class LayerScores:
    """Scores of one delineation layer against the targets; an edit replaces the object."""

    #: Id of the delineation layer, which may have been removed from the project.
    layer_id: str
    #: Name of the delineation layer when the run began.
    name: str
    #: Prefix of the layer's fields in the scored targets.
    prefix: str
    #: One row per target. Columns: target_id (int), delineation_id (Int64; missing without a
    #: match), randcrowns, iou, iou_crowns (0 to 1), status, rc_problem, rc_cause; group (plot) if
    #: a plot field was selected; for several delineation layers the mean and the variance of each
    #: score over them (``iou_mean``, ``iou_variance`` and so on).
    crowns: pd.DataFrame
    #: Number of targets in the table by status.
    status_counts: Mapping[str, int]
    #: Cells of the confusion matrix; empty without classes.
    confusion: pd.DataFrame
    #: Numbers per class; empty without classes.
    class_metrics: pd.DataFrame
    #: Numbers of all classes; empty without classes.
    class_summary: pd.DataFrame
    #: Scores by strata; empty without strata.
    strata: pd.DataFrame
    #: Ids of the delineations that match no target.
    unmatched_ids: tuple[int, ...]
    #: Class of each of these delineations; "" without a class; empty without classes.
    unmatched_classes: tuple[str, ...]
    #: True if unmatched delineations count as errors; False if only some crowns were drawn as
    #: targets.
    counts_unmatched: bool
    #: Row of the summary with the values over all plots; after an edit without the columns that the
    #: page does not show.
    overall: pd.Series

    @property
    def target_ids(self) -> list[int]:
        """Ids of all targets in the table."""
        return [int(target_id) for target_id in self.crowns["target_id"]]

    @cached_property
    def answer(self) -> ScoreAnswer:
        """Mean scores of the layer, and the numbers of crowns behind them."""
        return score_answer(
            self.name,
            self.overall,
            self.status_counts,
            len(self.unmatched_ids),
            self.counts_unmatched,
        )

    @cached_property
    def drawn_so_far(self) -> DrawnSoFar:
        """Scores of the targets with a delineation, without those that nobody has drawn yet."""
        answer = self.answer
        n_left = answer.target_counts[Status.UNMATCHED]
        n_drawn = answer.n_scored - n_left
        means = {}
        for score, mean in answer.means.items():
            # Targets without a delineation have score 0, so that both means have the same sum.
            means[score] = ratio(mean.mean * answer.n_scored, n_drawn)
        return DrawnSoFar(n_drawn=n_drawn, n_targets_left=n_left, means=means)

    def unmatched_of_class(self, name: str) -> list[int]:
        """Return the ids of the delineations without a target that have a class; "" for none."""
        return [
            delineation_id
            for delineation_id, crown_class in zip(self.unmatched_ids, self.unmatched_classes)
            if crown_class == name
        ]

    def ids_of(self, status: Status) -> list[int]:
        """Return the ids of the targets with a status."""
        has_status = self.crowns["status"] == status.value
        return [int(target_id) for target_id in self.crowns.loc[has_status, "target_id"]]


class DrawnSoFar(NamedTuple):
    """Mean scores over the targets that have a delineation, and the number of these targets."""

    n_drawn: int  #: Number of targets with a delineation and a score.
    n_targets_left: int  #: Number of targets that have no delineation yet.
    means: dict[str, float]  #: Mean by name of the score; NaN without a matched target.


class ScoreResults:
    """Results of a scoring run.

    Args:
        outcome: Outcome of the run, with its output layers.
        settings: Settings of the run.
        names: Target id -> display name of the target.
    """

    def __init__(self, outcome: Succeeded, settings: Settings, names: dict[int, str]) -> None:
        #: Settings of the run.
        self.settings = settings
        #: Crowns and scores in memory; None for an earlier run and for very large layers.
        self.scored_site: ScoredSite | None = outcome.kept_results
        #: Returns True if no layer of the run was edited since it began.
        self.has_current_layers: Callable[[], bool] = lambda: False
        #: True if the table shows the scores of edits.
        self.has_edits = False
        #: Target id -> display name.
        self.names = names
        #: Labels of the settings that the scores depend on.
        self.settings_labels: tuple[str, ...] = ()
        #: Id of an output -> id of the layer that was added to the project for it.
        self.layer_ids: dict[str, str] = {}
        prefixes = outputs.read_prefixes(outcome.outputs)
        _, first_prefix = prefixes[0]
        scored_targets = outcome.layers[outputs.SCORED_TARGETS.id]
        #: Field of the scored targets that contains the ids of the targets.
        self.id_field = outputs.target_id_field(scored_targets.fields().names(), first_prefix)
        #: Summary: one row per delineation layer and plot.
        self.summary = outcome.table(outputs.SUMMARY)
        #: Tables of classes and strata by the id of their output.
        self._class_tables = {output.id: outcome.table(output) for output in CLASS_OUTPUTS}
        #: Delineations that match no target; columns layer, delineation_id, status.
        self.unmatched = _read_unmatched(outcome.layers[outputs.SCORED_DELINEATIONS.id])
        targets = _read_targets(
            scored_targets,
            id_field=self.id_field,
            plot_field=settings[PLOT_FIELD],
            prefixes=[prefix for _, prefix in prefixes],
        )
        #: Scores per delineation layer, in the order of the settings.
        self.layers = [
            self._collect_scores(layer_id, name, prefix, _crowns_of_layer(targets, prefix))
            for layer_id, (name, prefix) in zip(settings[DELINEATIONS], prefixes)
        ]

    def _collect_scores(
        self, layer_id: str, name: str, prefix: str, crowns: pd.DataFrame
    ) -> LayerScores:
        """Return the scores of one delineation layer.

        Args:
            layer_id: Id of the layer.
            name: Name of the layer in the outputs.
            prefix: Prefix of its fields in the scored targets.
            crowns: Table of the targets, see :attr:`LayerScores.crowns`.
        """
        unmatched = self.unmatched[self.unmatched["layer"] == name]
        unmatched_classes: Sequence[str] = ()
        if "crown_class" in unmatched:
            unmatched_classes = unmatched["crown_class"].fillna("").tolist()
        is_overall = (self.summary["layer"] == name) & (self.summary["plot"] == ALL_PLOTS)
        overall = self.summary[is_overall].iloc[0]
        return LayerScores(
            layer_id=layer_id,
            name=name,
            prefix=prefix,
            crowns=crowns,
            status_counts=count_statuses(crowns["status"]),
            confusion=_rows_of_layer(self._class_tables[CONFUSION.id], name),
            class_metrics=_rows_of_layer(self._class_tables[CLASS_METRICS.id], name),
            class_summary=_rows_of_layer(self._class_tables[CLASS_SUMMARY.id], name),
            strata=_rows_of_layer(self._class_tables[STRATA.id], name),
            unmatched_ids=tuple(int(crown_id) for crown_id in unmatched["delineation_id"]),
            unmatched_classes=tuple(unmatched_classes),
            counts_unmatched=are_unmatched_judged(overall, unmatched["status"]),
            overall=overall,
        )


def worst_layer(layers: Sequence[LayerScores]) -> LayerScores:
    """Return the layer with the lowest RandCrowns of a crown; among equals that of the lowest mean.

    Args:
        layers: scores of the delineation layers, at least one.
    """

    def rank(scores: LayerScores) -> tuple[float, float]:
        """Return the lowest and the mean score of a layer; infinity without scored crowns."""
        values = scores.crowns["randcrowns"].dropna()
        return (math.inf, math.inf) if values.empty else (values.min(), values.mean())

    return min(layers, key=rank)


def _rows_of_layer(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows of a delineation layer of a table of classes or strata."""
    if not len(table):
        return table
    return cast("pd.DataFrame", table[table["layer"] == name].reset_index(drop=True))


def _read_unmatched(scored_delineations: QgsVectorLayer) -> pd.DataFrame:
    """Read the delineations that match no target.

    Args:
        scored_delineations: Output layer of the run.

    Returns:
        A row per delineation; columns layer, delineation_id, status, and crown_class if the run
        has classes.
    """
    is_matched = QgsExpression.createFieldEqualityExpression("status", Status.MATCHED.value)
    columns = ["layer", "delineation_id", "status"]
    if "crown_class" in scored_delineations.fields().names():
        columns.append("crown_class")
    return read_attributes(scored_delineations, columns, f"NOT ({is_matched})")


def _read_targets(
    scored_targets: QgsVectorLayer, *, id_field: str, plot_field: str, prefixes: Sequence[str]
) -> pd.DataFrame:
    """Read the targets with their scores for all delineation layers.

    Args:
        scored_targets: Output layer of the run.
        id_field: Its field with the ids of the targets.
        plot_field: Its field with the plots; ignored if the layer has no such field.
        prefixes: Prefixes of the fields of the delineation layers.

    Returns:
        A row per target. Columns: target_id; plot, crown_class and the means and variances of
        :data:`outputs.SPREAD_FIELDS` if the layer has them; the fields with the scores and the
        classes of each delineation layer, under their own names.
    """
    field_names = scored_targets.fields().names()
    # Names of fields -> names of columns.
    renamed_fields = {id_field: "target_id"}
    if plot_field in field_names:
        renamed_fields[plot_field] = "plot"
    class_field = outputs.target_class_field(field_names, prefixes[-1])
    if class_field:
        renamed_fields[class_field] = "crown_class"
    if len(prefixes) > 1:
        # The mean and the variance over several layers are in the last fields.
        spread_fields = field_names[-len(outputs.SPREAD_FIELDS) :]
        renamed_fields.update(zip(spread_fields, outputs.SPREAD_FIELDS))
    read_fields = list(renamed_fields)
    for prefix in prefixes:
        read_fields += [prefix + ending for ending in outputs.FIELD_ENDINGS]
    for prefix in prefixes:
        # Only layers with classes have these fields.
        class_fields = [prefix + ending for ending in outputs.CLASS_ENDINGS]
        read_fields += [name for name in class_fields if name in field_names]
    targets = read_attributes(scored_targets, read_fields)
    return targets.rename(columns=renamed_fields)


def _crowns_of_layer(targets: pd.DataFrame, prefix: str) -> pd.DataFrame:
    """Return the targets with the scores and the classes of one delineation layer.

    Args:
        targets: Table of :func:`_read_targets`.
        prefix: Prefix of the fields of the delineation layer.

    Returns:
        A row per target, see :attr:`LayerScores.crowns`.
    """
    endings = (*outputs.FIELD_ENDINGS, *outputs.CLASS_ENDINGS)
    columns = (*outputs.SCORE_FIELDS, *outputs.CLASS_FIELDS)
    column_of_field = {}
    for ending, column in zip(endings, columns):
        if prefix + ending in targets:
            column_of_field[prefix + ending] = column
    columns_before = [name for name in ("target_id", "plot", "crown_class") if name in targets]
    columns_after = [name for name in outputs.SPREAD_FIELDS if name in targets]
    shown_fields = [*columns_before, *column_of_field, *columns_after]
    crowns = targets[shown_fields].rename(columns=column_of_field)
    crowns["delineation_id"] = crowns["delineation_id"].astype("Int64")
    return crowns


def add_to_project(outcome: Succeeded, results: ScoreResults) -> str:
    """Add the scores to the project, as layers or as fields of the target layer.

    The fields of an earlier run, which are already in the target layer, are not written again.

    Args:
        outcome: Outcome of the run, with its output layers.
        results: The results; their ``layer_ids`` are set if layers are added.

    Returns:
        A sentence about the scored crowns and where their scores are.

    Raises:
        InputError: if the scores cannot be written; nothing is changed then.
    """
    if results.settings[DESTINATION] == FIELDS:
        if outcome.add_to_project:
            return _write_fields(outcome, results)
        return tr("The scores are in fields of the target layer.")
    results.layer_ids = add_result_layers(outcome, outputs.SCORE_OUTPUTS)
    return tr(
        "Scored {count:,} crowns.",
        one="Scored 1 crown.",
        count=_scored_count(results),
    )


def style_scored_targets(results: ScoreResults, scores: LayerScores) -> None:
    """Style the scored targets by one delineation layer, and name it in the layer tree.

    Nothing is done if the scored targets are not in the project.

    Args:
        results: The results of the run.
        scores: The scores of the delineation layer.
    """
    layer = vector_layer(results.layer_ids.get(outputs.SCORED_TARGETS.id, ""))
    if layer is not None:
        with styled_by_page(layer):
            select_prefix(layer, scores.prefix)
        layer.setName(tr("{what}: {layer}", what=outputs.SCORED_TARGETS.label, layer=scores.name))


def _write_fields(outcome: Succeeded, results: ScoreResults) -> str:
    """Write the scores to fields of the target layer, and record the run in the project.

    The names of the fields differ from those of the layer, so that no field is overwritten.

    Args:
        outcome: The outputs of the run.
        results: The results as read from the outputs.

    Returns:
        A sentence about the scored crowns, and about those that are no longer in the layer.

    Raises:
        InputError: if the target layer was removed, or its fields cannot be added.
    """
    layer = vector_layer(results.settings[TARGETS])
    if layer is None:
        raise InputError(
            "results.target_layer_removed",
            "The target layer was removed while it was scored, so no field could be written.",
        )
    scored_targets = outcome.layers[outputs.SCORED_TARGETS.id]
    table = read_attributes(scored_targets)
    # The scores follow the field with the ids of the targets.
    ids_and_scores = table.loc[:, results.id_field :]
    target_ids = ids_and_scores[results.id_field].tolist()
    scores = ids_and_scores.drop(columns=results.id_field)
    scores_by_field = {str(name): values for name, values in scores.items()}
    outlines = [
        feature.geometry() for feature in iterate_features(scored_targets, QgsFeatureRequest())
    ]
    written = write_fields(layer, target_ids, scores_by_field, shapes=outlines)
    record_field_results(
        layer,
        Provenance.from_json(outcome.outputs[PROVENANCE.id]),
        output=outputs.SCORED_TARGETS.id,
        rows=ids_and_scores,
        written=written.names,
        tables={
            outputs.SUMMARY.id: results.summary,
            outputs.SCORED_DELINEATIONS.id: results.unmatched,
        },
    )
    return _fields_message(layer, _scored_count(results), written.missing_ids)


def _fields_message(layer: QgsVectorLayer, target_count: int, missing_ids: Sequence[int]) -> str:
    """Return the sentences about scores that were written to fields, as one text.

    Args:
        layer: The target layer.
        target_count: Number of scored targets.
        missing_ids: Ids of scored targets that the layer no longer has; negative for features
            that were not saved when the run began.
    """
    written_sentence = tr(
        "Layer '{layer}' is in edit mode: save its edits, or undo (Ctrl+Z). Scored {crowns}.",
        crowns=tr("{count:,} crowns", one="1 crown", count=target_count),
        layer=layer.name(),
    )
    sentences = [written_sentence]
    unsaved_count = sum(feature_id < 0 for feature_id in missing_ids)
    deleted_count = len(missing_ids) - unsaved_count
    if deleted_count:
        deleted_sentence = tr(
            "{count:,} crowns had been deleted meanwhile.",
            one="1 crown had been deleted meanwhile.",
            count=deleted_count,
        )
        sentences.append(deleted_sentence)
    if unsaved_count:
        unsaved_sentence = tr(
            "{count:,} crowns had not been saved when the run began, and were saved or "
            "deleted meanwhile. Run again to score the current crowns.",
            one="1 crown had not been saved when the run began, and was saved or deleted "
            "meanwhile. Run again to score the current crowns.",
            count=unsaved_count,
        )
        sentences.append(unsaved_sentence)
    return " ".join(sentences)


def _scored_count(results: ScoreResults) -> int:
    """Return the number of targets of a run that have a score for its first delineation layer."""
    return results.layers[0].answer.n_scored
