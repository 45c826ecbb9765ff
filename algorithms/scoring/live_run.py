"""Scoring run that follows edits of its layers and returns the changed rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsVectorLayer

from randcrowns.algorithms.scoring.schema import parameters
from randcrowns.algorithms.scoring.score_crowns import ScoreCrowns, ScoreSettings, problem_limits
from randcrowns.algorithms.scoring.scored_site import ScoredSite, without_features
from randcrowns.algorithms.scoring.tables import score_spread
from randcrowns.core.arrays import Ints, Objects
from randcrowns.core.comparison import check_plots_of_layers
from randcrowns.core.messages import (
    Message,
    merge_layer_messages,
    separate_layer_messages,
)
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, subprogress
from randcrowns.core.review.live import LiveProblems
from randcrowns.core.review.problems import Problems, describe_causes
from randcrowns.core.scoring.editable_crowns import NO_EDITS, Edits
from randcrowns.core.scoring.layer import SCORES, CrownScores, mark_not_judged, summarise
from randcrowns.core.scoring.live import LiveScores
from randcrowns.core.status import ALL_PLOTS, Status
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.geometry import FeatureIssue
from randcrowns.layers.vector.read import CrownLayer
from randcrowns.layers.vector.study_site import StudySite, reread_features

#: Number of the target layer; delineation layers are numbered from the next number.
_TARGETS_NUMBER = 0
#: Columns that a target's row takes from the core's table of targets.
_SCORE_COLUMNS = ("target_id", "delineation_id", *SCORES, "status", "distance", "plot")


@dataclass(frozen=True)
class LayerChange:
    """Changed results of one delineation layer."""

    #: New and changed targets: values (k,) by column, with the columns of the table on page Score.
    #: They are no data frame because pandas needs a millisecond to make one of a single row.
    rows: dict[str, Any]
    deleted_ids: list[int]  #: ids of deleted targets.
    unmatched_ids: tuple[int, ...]  #: ids of the delineations that belong to no target.
    status_counts: Mapping[str, int]  #: number of all targets by status.
    #: Counts, means and intervals over all targets, without the other columns of the summary.
    overall: dict[str, Any]


class LiveRun:
    """Data and results of a scoring run that follows edits.

    Use :meth:`start` or :meth:`from_scored_site` to create one.

    Args:
        settings: settings of the run.
        site: layers of the run, the targets first; their features are not stored.
        target_ids: ids of all features of the target layer.
        layers: scores and problems of each delineation layer.
    """

    def __init__(
        self,
        settings: ScoreSettings,
        site: StudySite,
        target_ids: Ints,
        layers: Sequence[LiveProblems],
    ) -> None:
        self._settings = settings
        self._area = site.study_area
        self._crown_layers = without_features(site).layers
        self._layers = layers
        targets = site.layers[0]
        ids_without_crown = np.setdiff1d(target_ids, targets.crowns.ids).tolist()
        unscored_ids = {*ids_without_crown, *targets.report.feature_ids(FeatureIssue.OUTSIDE)}
        #: Rows of the targets that could not be scored at first; None without such targets.
        self._first_unscored = _find_unscored_rows(targets, sorted(unscored_ids))
        #: Status of each target that cannot be scored now, by id.
        self._unscored_status: dict[int, str] = {}
        self._replace_unscored(self._first_unscored)

    @classmethod
    def start(
        cls, settings: ScoreSettings, progress: Progress, scored_site: ScoredSite | None = None
    ) -> LiveRun:
        """Read all layers and score their crowns; call in a worker thread.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
            scored_site: crowns and scores of an earlier run with the same parameters. Crowns that
                did not change since keep their scores. None to score all.
        """
        site = ScoreCrowns().read_layers(settings, subprogress(progress, 0.0, 0.4))
        target_ids = site.layers[0].feature_ids
        edits = None if scored_site is None else scored_site.find_edits(site)
        if scored_site is None or edits is None:
            layers = _score_layers(settings, site, None, subprogress(progress, 0.4, 1.0))
            return cls(settings, site, target_ids, layers)
        layers = _score_layers(
            settings, scored_site.site, scored_site.scores, subprogress(progress, 0.4, 0.7)
        )
        target_edits, *delineation_edits = edits
        for layer, layer_edits in zip(layers, delineation_edits):
            layer.apply_edits(target_edits, layer_edits)
        return cls(settings, site, target_ids, layers)

    @classmethod
    def from_scored_site(cls, settings: ScoreSettings, scored_site: ScoredSite) -> LiveRun:
        """Return a live run of crowns and scores that are known; call in a worker thread.

        Args:
            settings: settings of the run.
            scored_site: crowns and scores of a run with the same parameters, whose layers have not
                changed since.
        """
        site = scored_site.site
        layers = _score_layers(settings, site, scored_site.scores, no_progress)
        return cls(settings, site, scored_site.target_ids, layers)

    def all_rows(self) -> list[LayerChange]:
        """Return a change with all rows for each delineation layer; call before any edit."""
        unscored = self._first_unscored
        columns_by_layer = self._tabulate_targets(self._layers[0].scores.targets.rows_by_id())
        return [
            self._create_layer_change(layer, _append_rows(columns, unscored), deleted_ids=[])
            for layer, columns in zip(self._layers, columns_by_layer)
        ]

    def apply_edits(
        self, edited: Mapping[int, tuple[QgsVectorLayer, Sequence[int]]]
    ) -> list[LayerChange]:
        """Score edited features; call on the main thread.

        Args:
            edited: layer and ids of its edited features by the number of the layer: 0 for the
                targets, 1 for the first delineation layer and so on. Features that the layer no
                longer has are deleted crowns.

        Returns:
            The change of each delineation layer.
        """
        edits_by_number = {}
        unscored = None
        deleted_ids: list[int] = []
        for number, (map_layer, ids) in edited.items():
            crown_layer = self._crown_layers[number]
            snapshot = crown_layer.request.snapshot.current_subset(map_layer, ids)
            current_crowns = reread_features(crown_layer, snapshot, self._area)
            edits_by_number[number] = _collect_edits(current_crowns, ids)
            if number == _TARGETS_NUMBER:
                existing_ids = {feature.id() for feature in current_crowns.features}
                deleted_ids = [feature_id for feature_id in ids if feature_id not in existing_ids]
                unscored_ids = existing_ids.difference(current_crowns.crowns.ids.tolist())
                unscored = _find_unscored_rows(current_crowns, sorted(unscored_ids))
                self._replace_unscored(unscored, ids)

        target_edits = edits_by_number.get(_TARGETS_NUMBER, NO_EDITS)
        changed_rows = []
        for number, problems in enumerate(self._layers, start=_TARGETS_NUMBER + 1):
            layer_edits = edits_by_number.get(number, NO_EDITS)
            changed_rows.append(problems.apply_edits(target_edits, layer_edits).targets)
        # Targets that changed in one layer are tabulated for all, because they share the spread.
        target_rows = np.unique(np.concatenate(changed_rows))
        exists = self._layers[0].scores.targets.exists
        columns_by_layer = self._tabulate_targets(target_rows[exists[target_rows]])
        return [
            self._create_layer_change(problems, _append_rows(columns, unscored), deleted_ids)
            for problems, columns in zip(self._layers, columns_by_layer)
        ]

    def summary(self, names: Sequence[str]) -> pd.DataFrame:
        """Return the current summary, with the rows and columns of the run's own summary.

        Args:
            names: names of the delineation layers.
        """
        threshold = self._settings[parameters.RANDCROWNS_THRESHOLD]
        summaries = []
        for name, layer in zip(names, self._layers):
            targets, delineations = layer.scores.tables()
            layer_summary = summarise(targets, delineations, randcrowns_threshold=threshold)
            scores = CrownScores(targets, delineations, layer_summary, pd.DataFrame())
            if not self._settings[parameters.ALL_DRAWN]:
                scores = mark_not_judged(scores)
            summaries.append(scores.summary.assign(layer=name))
        summary = pd.concat(summaries, ignore_index=True)
        summary.columns = summary.columns.str.replace(".", "_", regex=False)
        return summary

    def messages(self, run_messages: Iterable[Message]) -> list[Message]:
        """Return the messages of the run that are still true, with current ones about plots.

        A message that a layer has no crowns is removed once the layer has some. That there are
        few crowns says nothing about the roles of the layers while a person is drawing.

        Args:
            run_messages: messages of the run.
        """
        filled_layers = self._list_layers_with_crowns()

        def is_true(message: Message) -> bool:
            """Return True if a message of the run still applies."""
            if message.key == "input.none":
                return dict(message.values)["layer"] not in filled_layers
            return message.key != "roles.more_targets"

        separate_messages = separate_layer_messages(run_messages)
        true_messages = [message for message in separate_messages if is_true(message)]
        if not self._settings[parameters.PLOT_FIELD]:
            return merge_layer_messages(true_messages)
        messages = [message for message in true_messages if message.topic != "plots"]
        targets = self._layers[0].scores.targets
        delineations = [layer.scores.delineations for layer in self._layers]
        messages += check_plots_of_layers(
            targets.select(targets.rows_by_id()),
            [crowns.select(crowns.rows_by_id()) for crowns in delineations],
        )
        messages += [message for message in true_messages if message.key == "plots.renamed"]
        return merge_layer_messages(messages)

    def _list_layers_with_crowns(self) -> set[str]:
        """Return the names of the layers that have crowns now."""
        names = set()
        target_layer, *delineation_layers = self._crown_layers
        if self._layers[0].scores.targets.exists.any():
            names.add(target_layer.crowns.name)
        for crown_layer, layer in zip(delineation_layers, self._layers):
            if layer.scores.delineations.exists.any():
                names.add(crown_layer.crowns.name)
        return names

    def _replace_unscored(self, rows: pd.DataFrame | None, edited_ids: Sequence[int] = ()) -> None:
        """Store which targets cannot be scored now.

        Args:
            rows: rows of the targets that cannot be scored; None without such targets.
            edited_ids: ids of the edited targets, which may have been among these before.
        """
        for feature_id in edited_ids:
            self._unscored_status.pop(feature_id, None)
        if rows is not None:
            self._unscored_status.update(zip(rows["target_id"].tolist(), rows["status"].tolist()))

    def _create_layer_change(
        self, layer: LiveProblems, rows: dict[str, Any], deleted_ids: list[int]
    ) -> LayerChange:
        """Return the change of a delineation layer, with its current unmatched crowns and means.

        Args:
            layer: current scores and problems of the layer.
            rows: (k,) values of the changed targets by column.
            deleted_ids: ids of deleted targets.
        """
        scores = layer.scores
        status_counts = scores.count_statuses()
        for status in self._unscored_status.values():
            status_counts[status] += 1
        return LayerChange(
            rows=rows,
            deleted_ids=deleted_ids,
            unmatched_ids=tuple(scores.delineations.ids[scores.is_unmatched].tolist()),
            status_counts=status_counts,
            overall={"plot": ALL_PLOTS, **scores.overall_values()},
        )

    def _tabulate_targets(self, target_rows: Ints) -> Iterator[dict[str, Any]]:
        """Yield the values (k,) of targets by column, for each delineation layer.

        Args:
            target_rows: (k,) rows of the targets.
        """
        scores_by_layer = []
        for layer in self._layers:
            columns = layer.scores.columns_of_targets
            scores_by_layer.append({name: columns[name][target_rows] for name in _SCORE_COLUMNS})
        spread: dict[str, Any] = {}
        if len(scores_by_layer) > 1:
            spread = dict(score_spread(scores_by_layer))
        for layer, scores in zip(self._layers, scores_by_layer):
            problems = {name: values[target_rows] for name, values in layer.target_columns.items()}
            yield {
                **scores,
                "rc_problem": problems["problem"],
                "rc_cause": describe_causes(problems, tr),
                **spread,
            }


def _score_layers(
    settings: ScoreSettings,
    site: StudySite,
    known: Sequence[tuple[CrownScores, Problems]] | None,
    progress: Progress,
) -> list[LiveProblems]:
    """Return the scores and problems of each delineation layer.

    Args:
        settings: settings of the run.
        site: layers of the run, the targets first.
        known: scores and problems of each delineation layer; None to compute them.
        progress: called with the fraction done.
    """
    targets, *delineation_layers = site.layers
    layers: list[LiveProblems] = []
    for layer, share in iterate_with_progress(delineation_layers, progress):
        scores, problems = (None, None) if known is None else known[len(layers)]
        live_scores = LiveScores(
            targets=targets.crowns,
            delineations=layer.crowns,
            parameters=settings.lengths,
            pairing=settings[parameters.PAIRING],
            extent=site.study_area,
            clipped=layer.clipped,
            search_radius=settings[parameters.SEARCH_RADIUS] or None,
            # All layers share the cached offsets of the targets with the first layer.
            shared_with=layers[0].scores if layers else None,
            scores=scores,
            progress=subprogress(share, 0.0, 0.7),
        )
        live_problems = LiveProblems(
            live_scores, problem_limits(settings), subprogress(share, 0.7, 1.0), problems
        )
        layers.append(live_problems)
    return layers


def _append_rows(columns: dict[str, Any], unscored: pd.DataFrame | None) -> dict[str, Any]:
    """Return values by column, followed by the rows of unscored targets; unchanged for None.

    Args:
        columns: (k,) values of scored targets by column.
        unscored: rows of m targets without a score; None for none.

    Returns:
        (k + m,) values by column.
    """
    if unscored is None:
        return columns
    rows = pd.concat([pd.DataFrame(columns), unscored], ignore_index=True)
    return dict(rows.items())


def _collect_edits(layer: CrownLayer, ids: Sequence[int]) -> Edits:
    """Return the current crowns of edited features.

    Args:
        layer: crowns of the edited features that still exist.
        ids: ids of all edited features, in any order. Features without a crown get no outline.
    """
    sorted_ids = np.unique(np.array(ids, dtype=np.int64))
    crown_rows = np.searchsorted(sorted_ids, layer.crowns.ids)

    def spread_over_ids(values: Objects | None) -> Any:
        """Return the values of the crowns for all ids, None for an id without a crown."""
        if values is None:
            return None
        values_of_ids = np.full(len(sorted_ids), None, dtype=object)
        values_of_ids[crown_rows] = values
        return values_of_ids

    return Edits(
        sorted_ids,
        geometry=spread_over_ids(layer.crowns.geometry),
        plots=spread_over_ids(layer.crowns.plots),
        clipped=spread_over_ids(layer.clipped),
    )


def _find_unscored_rows(layer: CrownLayer, ids: Sequence[int]) -> pd.DataFrame | None:
    """Return rows for targets that cannot be scored, with their status; None without such ids.

    Args:
        layer: target layer, whose report lists the targets outside the extent.
        ids: ids of the targets.
    """
    if not len(ids):
        return None
    is_outside = np.isin(ids, list(layer.report.feature_ids(FeatureIssue.OUTSIDE)))
    statuses = np.where(is_outside, Status.OUTSIDE_EXTENT.value, Status.NO_GEOMETRY.value)
    return pd.DataFrame(
        {
            "target_id": np.array(ids, dtype=np.int64),
            "status": statuses.astype(object),
            "rc_problem": None,
            "rc_cause": None,
            "plot": None,
        }
    )
