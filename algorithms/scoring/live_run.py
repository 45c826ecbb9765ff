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
from randcrowns.algorithms.scoring.tables import score_spread
from randcrowns.core.arrays import Ints, Objects
from randcrowns.core.comparison import check_plots
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.core.review.live import LiveProblems
from randcrowns.core.review.problems import describe_causes
from randcrowns.core.scoring.editable_crowns import NO_EDITS, Edits
from randcrowns.core.scoring.layer import SCORES, CrownScores, mark_not_judged, summarise
from randcrowns.core.scoring.live import LiveScores
from randcrowns.core.status import ALL_PLOTS, Status
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.geometry import FeatureIssue
from randcrowns.layers.vector.read import CrownLayer
from randcrowns.layers.vector.study_site import StudySite, reread_features

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
    overall: dict[str, Any]  #: counts, means and intervals over all targets.


class LiveRun:
    """Data and results of a scoring run that follows edits.

    Use :meth:`start` to create one.

    Args:
        settings: settings of the run.
        site: layers that were read, the targets first.
        layers: scores and problems of each delineation layer.
    """

    def __init__(
        self, settings: ScoreSettings, site: StudySite, layers: Sequence[LiveProblems]
    ) -> None:
        self._settings = settings
        self._area = site.study_area
        self._crown_layers = site.layers
        self._layers = layers

    @classmethod
    def start(cls, settings: ScoreSettings, progress: Progress) -> LiveRun:
        """Read and score all layers; call in a worker thread.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        site = ScoreCrowns().read_layers(settings, subprogress(progress, 0.0, 0.4))
        targets, *delineation_layers = site.layers
        layers: list[LiveProblems] = []
        score_progress = subprogress(progress, 0.4, 1.0)
        for layer, share in iterate_with_progress(delineation_layers, score_progress):
            # All layers share the cached offsets of the targets with the first layer.
            scores = LiveScores(
                targets=targets.crowns,
                delineations=layer.crowns,
                parameters=settings.lengths,
                pairing=settings[parameters.PAIRING],
                extent=site.study_area,
                clipped=layer.clipped,
                search_radius=settings[parameters.SEARCH_RADIUS] or None,
                shared_with=layers[0].scores if layers else None,
                progress=subprogress(share, 0.0, 0.7),
            )
            problems = LiveProblems(
                scores,
                problem_limits(settings),
                subprogress(share, 0.7, 1.0),
            )
            layers.append(problems)
        return cls(settings, site, layers)

    def all_rows(self) -> list[LayerChange]:
        """Return a change with all current rows for each delineation layer."""
        targets = self._crown_layers[0]
        feature_ids = {feature.id() for feature in targets.features}
        ids_without_crown = feature_ids.difference(targets.crowns.ids.tolist())
        unscored_ids = ids_without_crown.union(targets.report.feature_ids(FeatureIssue.OUTSIDE))
        unscored = _find_unscored_rows(targets, sorted(unscored_ids))
        rows_by_layer = self._tabulate_changes(self._layers[0].scores.targets.rows_by_id())
        return [
            _change(layer, _append(rows, unscored), deleted_ids=[])
            for layer, rows in zip(self._layers, rows_by_layer)
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
        edits = {}
        unscored = None
        deleted_ids: list[int] = []
        for number, (layer, ids) in edited.items():
            crown_layer = self._crown_layers[number]
            snapshot = crown_layer.request.snapshot.current_subset(layer, ids)
            edited_crowns = reread_features(crown_layer, snapshot, self._area)
            edits[number] = _collect_edits(edited_crowns, ids)
            if number == 0:
                existing_ids = {feature.id() for feature in edited_crowns.features}
                deleted_ids = [feature_id for feature_id in ids if feature_id not in existing_ids]
                unscored_ids = existing_ids.difference(edited_crowns.crowns.ids.tolist())
                unscored = _find_unscored_rows(edited_crowns, sorted(unscored_ids))
        target_edits = edits.get(0, NO_EDITS)
        changed_rows = [
            layer.apply_edits(target_edits, edits.get(number, NO_EDITS)).targets
            for number, layer in enumerate(self._layers, 1)
        ]
        rows = np.unique(np.concatenate(changed_rows))
        rows = rows[self._layers[0].scores.targets.exists[rows]]
        return [
            _change(layer, _append(layer_rows, unscored), deleted_ids)
            for layer, layer_rows in zip(self._layers, self._tabulate_changes(rows))
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
        run_messages = [
            message
            for message in run_messages
            if message.key != "roles.more_targets"
            and not (message.key == "input.none" and dict(message.values)["layer"] in filled_layers)
        ]
        if not self._settings[parameters.PLOT_FIELD]:
            return run_messages
        messages = [message for message in run_messages if message.topic != "plots"]
        for layer in self._layers:
            targets = layer.scores.targets
            delineations = layer.scores.delineations
            messages += check_plots(
                [targets.select(targets.rows_by_id())],
                [delineations.select(delineations.rows_by_id())],
            )
        messages += [message for message in run_messages if message.key == "plots.renamed"]
        return messages

    def _list_layers_with_crowns(self) -> set[str]:
        """Return the names of the layers that have crowns now."""
        targets, *delineations = (layer.crowns.name for layer in self._crown_layers)
        scores = [layer.scores for layer in self._layers]
        names = {
            name for name, layer in zip(delineations, scores) if layer.delineations.exists.any()
        }
        return names | ({targets} if scores[0].targets.exists.any() else set())

    def _tabulate_changes(self, rows: Ints) -> Iterator[dict[str, Any]]:
        """Yield the values (k,) of targets by column, for each delineation layer.

        Args:
            rows: (k,) rows of the targets.
        """
        scores_by_layer = [
            {name: layer.scores.columns_of_targets[name][rows] for name in _SCORE_COLUMNS}
            for layer in self._layers
        ]
        spread = dict(score_spread(scores_by_layer)) if len(scores_by_layer) > 1 else {}
        for layer, scores in zip(self._layers, scores_by_layer):
            problems = {name: values[rows] for name, values in layer.target_columns.items()}
            yield {
                **scores,
                "rc_problem": problems["problem"],
                "rc_cause": describe_causes(problems, tr),
                **spread,
            }


def _append(rows: dict[str, Any], more: pd.DataFrame | None) -> dict[str, Any]:
    """Return values (k,) by column, followed by those of a frame; unchanged for None."""
    if more is None:
        return rows
    return dict(pd.concat([pd.DataFrame(rows), more], ignore_index=True).items())


def _change(layer: LiveProblems, rows: dict[str, Any], deleted_ids: list[int]) -> LayerChange:
    """Return the change of a delineation layer, with its current unmatched crowns and means."""
    scores = layer.scores
    is_matched = scores.columns_of_delineations["status"] == Status.MATCHED.value
    is_unmatched = scores.delineations.exists & ~is_matched
    return LayerChange(
        rows,
        deleted_ids,
        tuple(scores.delineations.ids[is_unmatched].tolist()),
        {"plot": ALL_PLOTS, **scores.summary_values()},
    )


def _collect_edits(layer: CrownLayer, ids: Sequence[int]) -> Edits:
    """Return the current crowns of edited features.

    Args:
        layer: crowns of the edited features that still exist.
        ids: ids of all edited features, in any order. Features without a crown get no outline.
    """
    sorted_ids = np.array(sorted(set(ids)), dtype=np.int64)
    positions = np.searchsorted(sorted_ids, layer.crowns.ids)

    def at_positions(values: Objects | None) -> Any:
        """Return the values of the crowns for all ids, None for an id without a crown."""
        if values is None:
            return None
        filled = np.full(len(sorted_ids), None, dtype=object)
        filled[positions] = values
        return filled

    return Edits(
        sorted_ids,
        geometry=at_positions(layer.crowns.geometry),
        plots=at_positions(layer.crowns.plots),
        clipped=at_positions(layer.clipped),
    )


def _find_unscored_rows(layer: CrownLayer, ids: Sequence[int]) -> pd.DataFrame | None:
    """Return rows for targets that cannot be scored, with their status; None without such ids.

    Args:
        layer: target layer, whose report lists the targets outside the extent.
        ids: ids of the targets.
    """
    if not len(ids):
        return None
    ids_outside = set(layer.report.feature_ids(FeatureIssue.OUTSIDE))
    status = []
    for target_id in ids:
        is_outside = target_id in ids_outside
        target_status = Status.OUTSIDE_EXTENT if is_outside else Status.NO_GEOMETRY
        status.append(target_status.value)
    return pd.DataFrame(
        {
            "target_id": np.array(ids, dtype=np.int64),
            "status": status,
            "rc_problem": None,
            "rc_cause": None,
            "plot": None,
        }
    )
