"""Problems of crowns that are updated while crowns are edited, like their scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.instances.overlap import OverlapTable, overlap_without_ranks, pair_overlap
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.review.coverage import Coverage, ScoredPairs, find_coverage
from randcrowns.core.review.problems import (
    REQUIRED_SCORES,
    ProblemLimits,
    Problems,
    match_of_scores,
    problem_columns,
)
from randcrowns.core.scoring.editable_crowns import NO_EDITS, Edits, PairTable, rows_to_mask
from randcrowns.core.scoring.live import AffectedRows, LiveScores, write_columns
from randcrowns.core.status import Status

_DEFAULT_LIMITS = ProblemLimits()


class LiveProblems:
    """The problems of all targets and unmatched delineations, updated after each edit.

    Args:
        scores: scores of the crowns. They are updated together with the problems.
        limits: limits beyond which something is a problem.
        progress: called with the fraction of the overlaps done.
        problems: problems of these crowns with the same limits, and all their overlaps; None to
            compute them.

    Attributes:
        scores: scores of the crowns.
        target_columns: columns of :attr:`randcrowns.core.review.problems.Problems.targets`, by row
            of the targets in ``scores``.

    >>> import shapely
    >>> from randcrowns.core.crowns import Crowns
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> tree, drawn = shapely.box(0, 0, 5, 5), shapely.box(0, 0, 9, 9)
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> live = LiveProblems(LiveScores(Crowns([tree]), Crowns([drawn]), parameters))
    >>> before = live.target_columns["problem"].tolist()
    >>> touched = live.apply_edits(delineations=Edits(np.array([0]), np.array([tree])))
    >>> before, live.target_columns["problem"].tolist()
    (['too large'], ['none'])
    """

    def __init__(
        self,
        scores: LiveScores,
        limits: ProblemLimits = _DEFAULT_LIMITS,
        progress: Progress = no_progress,
        problems: Problems | None = None,
    ) -> None:
        self.scores = scores
        self._limits = limits
        target_rows = np.arange(len(scores.targets))
        overlap = None if problems is None else problems.overlap
        if overlap is None:
            delineation_rows = np.arange(len(scores.delineations))
            overlap = overlap_without_ranks(
                scores.targets.select(target_rows),
                scores.delineations.select(delineation_rows),
                progress,
            )
        #: Shared area (m²) of each pair of a target and a delineation that overlap.
        self._shared = PairTable(
            {
                "target": overlap.target.copy(),
                "delineation": overlap.prediction.copy(),
                "shared": overlap.shared.copy(),
            }
        )
        self.target_columns: dict[str, Any] = {}
        if problems is None:
            self._tabulate(target_rows)
        else:
            self.target_columns = _copy_columns(problems.targets)

    def apply_edits(
        self, targets: Edits = NO_EDITS, delineations: Edits = NO_EDITS
    ) -> AffectedRows:
        """Apply edits: update the scores and the problems that they affect.

        Args:
            targets: edited targets.
            delineations: edited delineations.

        Returns:
            The affected rows, as :meth:`randcrowns.core.scoring.live.LiveScores.apply_edits`
            returns them. Their ``targets`` also contain those whose problem can have changed.
        """
        touched = self.scores.apply_edits(targets, delineations)
        n_targets = len(self.scores.targets)
        n_delineations = len(self.scores.delineations)

        # Replace the overlaps of the edited crowns.
        old_rows = self._pairs_of_edited(touched)
        old_pairs = self._shared.select(old_rows)
        self._shared.replace(old_rows, self._overlaps(touched))
        new_pairs = self._shared.select(self._pairs_of_edited(touched))

        is_affected = rows_to_mask(
            n_targets, touched.targets, old_pairs["target"], new_pairs["target"]
        )
        # The problem of a target depends on the targets that its delineation overlaps, and on their
        # own delineations.
        near_pairs = self._shared.find("target", np.flatnonzero(is_affected))
        is_near = rows_to_mask(
            n_delineations + 1,
            self._shared["delineation"][near_pairs],
            touched.delineations,
            old_pairs["delineation"],
            new_pairs["delineation"],
        )
        # Targets without a delineation have the match -1, which selects the additional last value.
        is_affected |= is_near[self.scores.match]
        near_delineations = np.flatnonzero(is_near[:-1])
        pairs = self._shared.find("delineation", near_delineations)
        overlapping_targets = np.unique(self._shared["target"][pairs])
        is_unpaired = self._is_unpaired(overlapping_targets)
        is_affected[overlapping_targets[is_unpaired]] = True
        affected_targets = np.flatnonzero(is_affected)
        self._tabulate(affected_targets)
        return touched._replace(targets=affected_targets)

    def _is_unpaired(self, rows: Ints) -> Bools:
        """Return which targets (k,) have no pair, or one that misses the certain part.

        Args:
            rows: (k,) rows of the targets. Texts of all targets would take most of an edit's time.
        """
        status = self.scores.columns_of_targets["status"][rows]
        is_missed = (status == Status.MISSED.value) | (status == Status.TARGET_TOO_SMALL.value)
        return cast("Bools", (self.scores.match[rows] < 0) | is_missed)

    def _pairs_of_edited(self, touched: AffectedRows) -> Ints:
        """Return the rows of the stored pairs that contain an edited crown, each once."""
        of_targets = self._shared.find("target", touched.edited_targets)
        of_delineations = self._shared.find("delineation", touched.edited_delineations)
        return cast("Ints", np.unique(np.concatenate([of_targets, of_delineations])))

    def _overlaps(self, touched: AffectedRows) -> dict[str, Array]:
        """Return the present overlaps of all edited crowns, each pair once.

        Args:
            touched: rows of the edited targets and delineations.

        Returns:
            Columns (p,) ``target``, ``delineation`` (rows in ``scores``) and ``shared`` (m²).
        """
        targets = self.scores.targets
        delineations = self.scores.delineations
        # A part without pairs, so that there is always a part to concatenate.
        parts = [self._shared.select(np.empty(0, dtype=np.int64))]
        for row in touched.edited_targets:
            if targets.exists[row]:
                delineation_rows = delineations.intersecting(targets, row)
                parts.append(self._overlap(np.array([row]), delineation_rows))
        for row in touched.edited_delineations:
            if delineations.exists[row]:
                target_rows = targets.intersecting(delineations, row)
                # The pairs of edited targets are in the list already.
                unedited_rows = np.setdiff1d(target_rows, touched.edited_targets)
                parts.append(self._overlap(unedited_rows, np.array([row])))

        columns = {}
        for name in parts[0]:
            columns[name] = np.concatenate([part[name] for part in parts])
        return columns

    def _overlap(self, target_rows: Ints, delineation_rows: Ints) -> dict[str, Array]:
        """Return the overlaps of targets and delineations of which every pair intersects.

        Args:
            target_rows: rows of the targets in ``scores``.
            delineation_rows: rows of the delineations in ``scores``.

        Returns:
            Columns (p,) ``target``, ``delineation`` (rows in ``scores``) and ``shared`` (m²).
        """
        targets = self.scores.targets.select(target_rows)
        delineations = self.scores.delineations.select(delineation_rows)
        # Every target with every delineation.
        target_of_pair = np.repeat(np.arange(len(targets)), len(delineations))
        delineation_of_pair = np.tile(np.arange(len(delineations)), len(targets))
        overlap = pair_overlap(targets, delineations, target_of_pair, delineation_of_pair)
        return {
            "target": target_rows[overlap.target],
            "delineation": delineation_rows[overlap.prediction],
            "shared": overlap.shared,
        }

    def _tabulate(self, rows: Ints) -> None:
        """Find the problems of targets and write them to ``target_columns``.

        The problem of a target depends on all overlaps of the target, of its delineation, and of
        the targets that its delineation overlaps. The crowns of these overlaps are numbered again,
        and the columns are computed for them alone.

        Args:
            rows: rows of the targets; rows of deleted targets are skipped.
        """
        scores = self.scores
        existing_rows = rows[scores.targets.exists[rows]]
        matches = scores.match[existing_rows]
        matched_rows = matches[matches >= 0]
        pairs = self._surrounding_pairs(existing_rows, matched_rows)
        near = _Neighbourhood.from_rows(
            target_rows=np.union1d(existing_rows, pairs["target"]),
            delineation_rows=np.union1d(matched_rows, pairs["delineation"]),
            n_targets=len(scores.targets),
            n_delineations=len(scores.delineations),
        )
        near_scores = {}
        for name in REQUIRED_SCORES:
            near_scores[name] = scores.columns_of_targets[name][near.target_rows]
        # Only the columns of the requested targets are written; the others are their neighbours.
        requested_numbers = near.target_number[existing_rows]
        is_requested = rows_to_mask(len(near.target_rows), requested_numbers)
        coverage = self._find_coverage(near, pairs, near_scores, is_requested)
        near_columns = problem_columns(coverage, near_scores, self._limits, is_requested)
        columns = {name: values[requested_numbers] for name, values in near_columns.items()}
        write_columns(self.target_columns, columns, existing_rows, len(scores.targets))

    def _find_coverage(
        self,
        near: _Neighbourhood,
        pairs: Mapping[str, Array],
        target_scores: Mapping[str, Array],
        is_requested: Bools,
    ) -> Coverage:
        """Find the delineation that counts for each target of a neighbourhood.

        Args:
            near: the neighbourhood of T targets.
            pairs: overlaps of its crowns: (p,) columns ``target``, ``delineation`` (rows in
                ``scores``) and ``shared`` (m²).
            target_scores: (T,) columns ``REQUIRED_SCORES`` of its targets.
            is_requested: (T,) mask of the targets whose delineation is needed.
        """
        scores = self.scores
        targets = scores.targets.select(near.target_rows)
        delineations = scores.delineations.select(near.delineation_rows)
        overlap = _overlap_table(
            targets=targets.geometry,
            delineations=delineations.geometry,
            pair_target=near.target_number[pairs["target"]],
            pair_delineation=near.delineation_number[pairs["delineation"]],
            shared=pairs["shared"],
        )
        matches = scores.match[near.target_rows]
        assigned = match_of_scores(
            near.delineation_number[matches],
            scores.columns_of_delineations["target_id"][near.delineation_rows],
            target_scores,
            overlap,
        )
        pair_columns = scores.pairs_of(near.target_rows[is_requested])
        scored_pairs = ScoredPairs(
            target=near.target_number[pair_columns["target"]],
            delineation=near.delineation_number[pair_columns["delineation"]],
            is_missed=pair_columns["status"] == Status.MISSED.value,
        )
        return find_coverage(
            targets,
            delineations,
            overlap,
            match=assigned,
            scored=scored_pairs,
            parameters=scores.parameters,
            covered=self._limits.covered,
            is_requested=is_requested,
        )

    def _surrounding_pairs(self, rows: Ints, matched: Ints) -> dict[str, Array]:
        """Return the overlaps that the problems of targets depend on.

        Args:
            rows: rows of the targets.
            matched: rows of their delineations.
        """
        own_pairs = self._shared.find("target", rows)
        # Any overlapping delineation can be that of a target without a pair.
        unpaired = rows[self._is_unpaired(rows)]
        of_unpaired = self._shared.find("target", unpaired)
        delineations = np.union1d(matched, self._shared["delineation"][of_unpaired])
        covering = self._shared.find("delineation", delineations)
        others = self._shared.find("target", self._shared["target"][covering])
        pairs = np.unique(np.concatenate([own_pairs, covering, others]))
        return self._shared.select(pairs)


def _copy_columns(table: pd.DataFrame) -> dict[str, Any]:
    """Return copies of the columns of a table as arrays by name."""
    columns: dict[str, Any] = {}
    for name, values in table.items():
        is_integer_array = isinstance(values.array, pd.arrays.IntegerArray)
        array = values.array if is_integer_array else values.to_numpy()
        columns[str(name)] = array.copy()
    return columns


def _overlap_table(
    targets: Objects,
    delineations: Objects,
    pair_target: Ints,
    pair_delineation: Ints,
    shared: Floats,
) -> OverlapTable:
    """Return the table of overlaps whose pairs come in any order.

    Args:
        targets: (n,) polygons.
        delineations: (m,) polygons.
        pair_target: (P,) row of the target of each pair.
        pair_delineation: (P,) row of the delineation of each pair.
        shared: (P,) shared area of each pair, m².
    """
    order = np.lexsort((pair_delineation, pair_target))
    return OverlapTable(
        target=pair_target[order],
        prediction=pair_delineation[order],
        shared=shared[order],
        target_size=shapely.area(targets),
        prediction_size=shapely.area(delineations),
    )


class _Neighbourhood(NamedTuple):
    """Crowns that the problems of some targets depend on, numbered from 0."""

    target_rows: Ints  #: (T,) rows of the targets among all targets.
    delineation_rows: Ints  #: (D,) rows of the delineations among all delineations.
    target_number: Ints  #: number of each of all targets here; -1 for one that is not here.
    #: Number of each of all delineations here; -1 for one that is not here. An additional last
    #: value -1 is that of targets without a delineation, whose row is -1.
    delineation_number: Ints

    @classmethod
    def from_rows(
        cls, target_rows: Ints, delineation_rows: Ints, n_targets: int, n_delineations: int
    ) -> _Neighbourhood:
        """Return crowns numbered from 0.

        Args:
            target_rows: (T,) rows of the targets.
            delineation_rows: (D,) rows of the delineations.
            n_targets: number of all targets.
            n_delineations: number of all delineations.
        """
        return cls(
            target_rows=target_rows,
            delineation_rows=delineation_rows,
            target_number=_positions(target_rows, n_targets),
            delineation_number=_positions(delineation_rows, n_delineations + 1),
        )


def _positions(rows: Ints, length: int) -> Ints:
    """Return the (length,) position of each row among ``rows``; -1 for rows that are not in it."""
    numbers = np.full(length, -1, dtype=np.int64)
    numbers[rows] = np.arange(len(rows))
    return numbers
