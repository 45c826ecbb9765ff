"""Scores that follow edits: each edit updates only what it changes, as a full run would."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.crowns import Crowns, extent_polygon
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.scoring.editable_crowns import (
    NO_EDITS,
    EditableCrowns,
    Edits,
    NearestIndex,
    PairTable,
    rows_to_mask,
)
from randcrowns.core.scoring.layer import (
    SCORES,
    CrownScores,
    ScoredPairs,
    delineation_columns,
    mean_values,
    score_candidates,
    summary_counts,
    target_columns,
    uses_plots_of_nearest,
)
from randcrowns.core.scoring.pairing import (
    DISTANCE_TOLERANCE,
    Candidates,
    Pairing,
    search_radii,
    select_assigned,
)
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import PreparedTarget
from randcrowns.core.status import Status

#: Maximum number of targets whose offsets are cached; those used last are retained.
_MAX_CACHED = 2000
#: Statuses by code.
_STATUSES = tuple(status.value for status in Status)
#: Code of each status.
_STATUS_CODES = {status: code for code, status in enumerate(_STATUSES)}


class AffectedRows(NamedTuple):
    """Rows that an edit affects; the rows of deleted crowns are among them."""

    #: Rows of the targets whose scores may have changed.
    targets: Ints
    #: Rows of the delineations whose scores may have changed.
    delineations: Ints
    #: Rows of the targets that were edited.
    edited_targets: Ints
    #: Rows of the delineations that were edited.
    edited_delineations: Ints


class LiveScores:
    """Scores of one layer of delineations that are updated when crowns change.

    Args:
        targets: crowns to be found.
        delineations: crowns to be scored.
        parameters: alpha, omega, gamma and the kind of offsets.
        pairing: name of a :class:`randcrowns.core.scoring.pairing.Pairing`.
        extent: see :func:`randcrowns.core.scoring.layer.score_crowns`.
        clipped: see :func:`randcrowns.core.scoring.layer.score_crowns`.
        search_radius: see :func:`randcrowns.core.scoring.layer.score_crowns`.
        shared_with: scores of another layer against the same targets with the same edits, whose
            cached offsets are shared; or None.
        scores: scores of these crowns with the same parameters and all pairs; None to compute them.
        progress: receives the fraction done.

    Attributes:
        targets: the targets, in n rows; a row stays free after its crown is deleted.
        delineations: the delineations, in m rows.
        match: (n,) row of each target's delineation; -1 for none, undefined for deleted targets.
        columns_of_targets: columns (n,) of the table of targets, by name; undefined for deleted
            targets.
        columns_of_delineations: columns (m,) of the table of delineations, likewise.
        parameters: alpha, omega, gamma and the kind of offsets.

    >>> import shapely
    >>> tree, drawn = shapely.box(0, 0, 5, 5), shapely.box(0, 0, 5, 4)
    >>> live = LiveScores(Crowns([tree]), Crowns([drawn]), RandCrownsParameters(0.7, 1.2, 3))
    >>> touched = live.apply_edits(delineations=Edits(np.array([0]), np.array([tree])))
    >>> live.tables()[0]["iou"].tolist()
    [1.0]
    """

    def __init__(
        self,
        targets: Crowns,
        delineations: Crowns,
        parameters: RandCrownsParameters,
        pairing: str = "nearest",
        extent: Any = None,
        *,
        clipped: Objects | None = None,
        search_radius: float | None = None,
        shared_with: LiveScores | None = None,
        scores: CrownScores | None = None,
        progress: Progress = no_progress,
    ) -> None:
        self.parameters = parameters
        self._radius = search_radius
        self._pairing = Pairing.from_value(pairing, "pairing method")
        self._extent = extent_polygon(extent)
        plot_codes: dict[Any, int] | None = {}
        if targets.plots is None or delineations.plots is None:
            plot_codes = None
        self.targets = EditableCrowns(targets, clipped=None, plot_codes=plot_codes)
        self.delineations = EditableCrowns(delineations, clipped, plot_codes)

        if scores is None:
            (scored,), _ = score_candidates(
                targets,
                [delineations],
                parameters,
                self._pairing,
                self._extent,
                clipped=[clipped],
                search_radius=search_radius,
                progress=progress,
            )
        else:
            scored = _pairs_of_scores(scores)
        pair_columns = {}
        for name in scored.pairs.columns:
            pair_columns[str(name)] = scored.pairs[name].to_numpy().copy()
        self._pairs = PairTable(pair_columns)
        #: (n,) tau of the targets, metres.
        self._tau = scored.tau.copy()
        #: (n,) True where the true positive region is empty.
        self._too_small = scored.is_too_small.copy()
        #: Offsets of targets by row, in the order of their last use.
        self._cache: dict[int, PreparedTarget] = {}
        if shared_with is not None:
            self._cache = shared_with._cache  # noqa: SLF001 - the same class

        #: Nearest delineations of each target, if the pairing uses them.
        self._nearest: NearestIndex | None = None
        #: Nearest targets of each delineation, if the pairing or the plots use them.
        self._home: NearestIndex | None = None
        self._in_plots_of_targets = uses_plots_of_nearest(targets, delineations)
        if self._pairing is Pairing.NEAREST:
            self._nearest = NearestIndex(self.targets, self.delineations)
        if self._pairing.is_many_to_one or self._in_plots_of_targets:
            self._home = NearestIndex(self.delineations, self.targets)

        self.match = np.full(len(targets), -1, dtype=np.int64)
        #: (n,) code of each target's status; undefined for deleted targets.
        self._status_codes = np.zeros(len(targets), dtype=np.int8)
        #: (n,) number of each target's plot; undefined for deleted targets.
        self._plot_numbers = np.zeros(len(targets), dtype=np.int64)
        #: Number of each plot of the targets, by plot.
        self._number_of_plot: dict[Any, int] = {}
        self.columns_of_targets: dict[str, Array] = {}
        self.columns_of_delineations: dict[str, Array] = {}
        self._tabulate(np.arange(len(targets)), np.arange(len(delineations)))

    def apply_edits(
        self, targets: Edits = NO_EDITS, delineations: Edits = NO_EDITS
    ) -> AffectedRows:
        """Apply edits and update the scores that they change.

        Args:
            targets: edited targets.
            delineations: edited delineations.

        Returns:
            Rows of the targets and delineations that were edited, and of those whose scores may
            have changed.
        """
        edited_targets = self.targets.apply(targets)
        edited_drawn = self.delineations.apply(delineations)
        self._add_rows()
        is_affected, with_new_home = self._find_affected(edited_targets, edited_drawn)
        rescored_targets, paired_drawn = self._rescore(
            np.flatnonzero(is_affected),
            is_moved=rows_to_mask(len(self.targets), edited_targets),
            is_drawn=rows_to_mask(len(self.delineations), edited_drawn),
        )
        changed_drawn = np.unique(np.concatenate([paired_drawn, edited_drawn, with_new_home]))
        self._tabulate(rescored_targets, changed_drawn)
        return AffectedRows(rescored_targets, changed_drawn, edited_targets, edited_drawn)

    def _find_affected(self, edited_targets: Ints, edited_drawn: Ints) -> tuple[Bools, Ints]:
        """Find what edits affect, and update the nearest crowns.

        Args:
            edited_targets: rows of the edited targets.
            edited_drawn: rows of the edited delineations.

        Returns:
            (n,) True for targets whose pairs may have changed, and rows of the delineations whose
            nearest target (their home) may have changed.
        """
        n_targets = len(self.targets)
        pairs_before = np.union1d(
            self._pairs.find("target", edited_targets),
            self._pairs.find("delineation", edited_drawn),
        )
        is_affected = rows_to_mask(n_targets, edited_targets, self._pairs["target"][pairs_before])
        if self._nearest is not None:
            is_affected[self._nearest.update(edited_targets, edited_drawn)] = True
        with_new_home = np.empty(0, dtype=np.int64)
        if self._home is not None:
            with_new_home = self._home.update(edited_drawn, edited_targets)

        if self._pairing.is_many_to_one and self._home is not None:
            # A delineation leaves the target of its pair and goes to its new home.
            old_pairs = self._pairs.find("delineation", with_new_home)
            is_affected[self._pairs["target"][old_pairs]] = True
            new_homes = self._home.nearest_lowest_id(with_new_home)
            is_affected[new_homes[new_homes >= 0]] = True
        elif not self._pairing.uses_distance:
            for row in edited_drawn[self.delineations.exists[edited_drawn]].tolist():
                is_affected[self.targets.intersecting(self.delineations, row)] = True
        return is_affected, with_new_home

    def overall_values(self) -> dict[str, Any]:
        """Return the counts, the means and their intervals over all targets.

        They are those of :func:`randcrowns.core.scoring.layer.summary_values` that an answer shows.
        """
        n_unmatched = int(np.count_nonzero(self.is_unmatched))
        n_delineations = int(np.count_nonzero(self.delineations.exists))
        delineation_counts = {
            Status.MATCHED.value: n_delineations - n_unmatched,
            Status.UNMATCHED.value: n_unmatched,
        }
        # Rows of deleted crowns stay in the columns until they are used again.
        randcrowns = self.columns_of_targets["randcrowns"]
        scored_rows = np.flatnonzero(self.targets.exists & ~np.isnan(randcrowns))
        scores = {name: self.columns_of_targets[name][scored_rows] for name in SCORES}
        plots = self._plot_numbers[scored_rows]
        is_one_plot = not len(plots) or bool((plots == plots[0]).all())
        return {
            **summary_counts(self.count_statuses(), delineation_counts),
            **mean_values(scores, None if is_one_plot else plots),
        }

    def count_statuses(self) -> dict[str, int]:
        """Return the number of targets by status."""
        codes = self._status_codes[self.targets.exists]
        numbers = np.bincount(codes, minlength=len(_STATUSES)).tolist()
        return dict(zip(_STATUSES, numbers))

    @property
    def is_unmatched(self) -> Bools:
        """(m,) mask of the delineations that are paired with no target."""
        has_no_target = self.columns_of_delineations["n_targets"] == 0
        return cast("Bools", self.delineations.exists & has_no_target)

    def pairs_of(self, rows: Ints) -> dict[str, Array]:
        """Return the columns of the scored pairs of targets.

        Args:
            rows: rows of the targets.
        """
        return self._pairs.select(self._pairs.find("target", rows))

    def tables(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the tables of targets and of delineations, sorted by id.

        They equal ``targets`` and ``delineations`` of
        :class:`randcrowns.core.scoring.layer.CrownScores` after a full run.
        """

        def to_table(columns: Mapping[str, Array], rows: Ints) -> pd.DataFrame:
            """Return the rows of columns as a table."""
            selected_columns = {name: values[rows] for name, values in columns.items()}
            return cast("pd.DataFrame", pd.DataFrame(selected_columns))

        targets = to_table(self.columns_of_targets, self.targets.rows_by_id())
        delineations = to_table(self.columns_of_delineations, self.delineations.rows_by_id())
        return targets, delineations

    def _add_rows(self) -> None:
        """Extend the arrays of targets to the number of rows."""
        n_added = len(self.targets) - len(self._tau)
        if n_added > 0:
            self._tau = np.append(self._tau, np.full(n_added, np.nan))
            self._too_small = np.append(self._too_small, np.zeros(n_added, dtype=bool))
            self.match = np.append(self.match, np.full(n_added, -1, dtype=np.int64))
            self._status_codes = np.append(self._status_codes, np.zeros(n_added, dtype=np.int8))
            self._plot_numbers = np.append(self._plot_numbers, np.zeros(n_added, dtype=np.int64))

    def _rescore(self, rows: Ints, is_moved: Bools, is_drawn: Bools) -> tuple[Ints, Ints]:
        """Find the candidate pairs of targets again, score the new ones and assign all.

        Pairs of crowns that were not edited keep their scores.

        Args:
            rows: rows of the targets.
            is_moved: (n,) True for edited targets.
            is_drawn: (m,) True for edited delineations.

        Returns:
            Rows of the targets that were assigned again, and rows of the delineations that are or
            were in one of their pairs.
        """
        old_pairs = self._pairs.find("target", rows)
        drawn_before = self._pairs["delineation"][old_pairs]
        reusable_pairs = self._index_unedited_pairs(old_pairs, is_moved, is_drawn)
        reused_pairs: list[int] = []
        new_parts: list[dict[str, Array]] = []
        for target_row in rows[self.targets.exists[rows]].tolist():
            if is_moved[target_row]:
                self._solve_tau(target_row)
            drawn_rows, distances = self._find_candidates(target_row)
            is_new = np.ones(len(drawn_rows), dtype=bool)
            for position, drawn_row in enumerate(drawn_rows.tolist()):
                reusable_pair = reusable_pairs.get((target_row, drawn_row))
                if reusable_pair is not None:
                    reused_pairs.append(reusable_pair)
                    is_new[position] = False
            if is_new.any():
                new_part = self._score_pairs(target_row, drawn_rows[is_new], distances[is_new])
                new_parts.append(new_part)

        reused_part = self._pairs.select(np.array(reused_pairs, dtype=np.int64))
        parts = [reused_part, *new_parts]
        columns: dict[str, Array] = {}
        for name in reused_part:
            columns[name] = np.concatenate([part[name] for part in parts])
        self._pairs.replace(old_pairs, columns)
        assigned = self._assign(rows, np.unique(drawn_before))
        pairs_after = self._pairs.find("target", assigned)
        return assigned, np.union1d(drawn_before, self._pairs["delineation"][pairs_after])

    def _index_unedited_pairs(
        self, pairs: Ints, is_moved: Bools, is_drawn: Bools
    ) -> dict[tuple[int, int], int]:
        """Return the pairs of two crowns that were not edited.

        Args:
            pairs: indices of pairs.
            is_moved: (n,) True for edited targets.
            is_drawn: (m,) True for edited delineations.

        Returns:
            Index of each such pair by the rows of its target and of its delineation.
        """
        target_rows = self._pairs["target"][pairs]
        drawn_rows = self._pairs["delineation"][pairs]
        is_unedited = ~is_moved[target_rows] & ~is_drawn[drawn_rows]
        crown_rows = zip(target_rows[is_unedited].tolist(), drawn_rows[is_unedited].tolist())
        return dict(zip(crown_rows, pairs[is_unedited].tolist()))

    def _solve_tau(self, row: int) -> None:
        """Update tau of a target after an edit, and whether the target is too small."""
        regions = self._prepare_target(row).regions
        self._tau[row] = regions.tau[0]
        self._too_small[row] = regions.certain_area[0] == 0

    def _find_candidates(self, row: int) -> tuple[Ints, Floats]:
        """Return the candidate delineations of a target.

        Returns:
            (p,) rows of the delineations, ascending, and (p,) distances of the centroids, metres.
        """
        if self._nearest is not None:
            unsorted_rows = self._nearest.nearest(row)
        elif self._pairing.is_many_to_one and self._home is not None:
            unsorted_rows = self._home.seekers_of(row)
        else:
            unsorted_rows = self.delineations.intersecting(self.targets, row)
        drawn_rows = np.sort(unsorted_rows)
        distances = np.linalg.norm(
            self.targets.centroids[row] - self.delineations.centroids[drawn_rows], axis=1
        )
        if not self._pairing.uses_distance:
            return drawn_rows, distances
        radius = search_radii(self.targets.select(np.array([row])), self._radius)[0]
        is_near = distances <= radius * (1 + DISTANCE_TOLERANCE)
        return drawn_rows[is_near], distances[is_near]

    def _score_pairs(
        self, target_row: int, drawn_rows: Ints, distances: Floats
    ) -> dict[str, Array]:
        """Score delineations against a target.

        Args:
            target_row: row of the target.
            drawn_rows: (p,) rows of the delineations.
            distances: (p,) distances of the centroids, metres.

        Returns:
            Columns (p,) of the pairs, which are not assigned.
        """
        n_pairs = len(drawn_rows)
        scores = self._prepare_target(target_row).score(self.delineations.clipped[drawn_rows])
        return {
            "target": np.full(n_pairs, target_row),
            "delineation": drawn_rows,
            "target_id": np.full(n_pairs, self.targets.ids[target_row]),
            "delineation_id": self.delineations.ids[drawn_rows],
            "distance": distances,
            **scores,
            "assigned": np.zeros(n_pairs, dtype=bool),
        }

    def _prepare_target(self, row: int) -> PreparedTarget:
        """Return a target with its offsets from the cache, or make and cache it."""
        geometry = self.targets.geometry[row]
        prepared = self._cache.pop(row, None)
        if prepared is None or prepared.target is not geometry:
            prepared = PreparedTarget.prepare(geometry, self.parameters, self._extent)

        # The dict is in the order of the last use.
        self._cache[row] = prepared
        if len(self._cache) > _MAX_CACHED:
            oldest = next(iter(self._cache))
            del self._cache[oldest]
        return prepared

    def _assign(self, rows: Ints, released: Ints) -> Ints:
        """Assign the pairs of targets again.

        Args:
            rows: rows of the targets.
            released: rows of the delineations that were in a pair of these targets.

        Returns:
            Rows of the targets that were assigned again: with the Hungarian method all targets
            that pairs connect with them.
        """
        n_targets = len(self.targets)
        target_rows = rows
        if self._pairing is Pairing.HUNGARIAN:
            is_requested = rows_to_mask(n_targets, rows)
            is_released = rows_to_mask(len(self.delineations), released)
            target_rows = self._connected_targets(is_requested, is_released)
        pair_rows = self._pairs.find("target", target_rows)
        columns = self._pairs.select(pair_rows)
        pairs = Candidates(columns["target"], columns["delineation"], columns["distance"])
        self._pairs["assigned"][pair_rows] = select_assigned(
            pairs,
            self._pairing,
            randcrowns=columns["randcrowns"].astype(float),
            iou=columns["iou"].astype(float),
            target_ids=self.targets.ids,
            delineation_ids=self.delineations.ids,
        )
        return target_rows

    def _connected_targets(self, is_target: Bools, is_delineation: Bools) -> Ints:
        """Return the rows of targets that chains of pairs with a score above 0 connect with others.

        Args:
            is_target: (n,) targets to begin with; changed in place.
            is_delineation: (m,) delineations to begin with; changed in place.
        """
        indices = self._pairs.indices()
        # All pairs with a score above 0.
        with_gain = indices[self._pairs["randcrowns"][indices].astype(float) > 0]
        pair_targets = self._pairs["target"][with_gain]
        pair_drawn = self._pairs["delineation"][with_gain]
        n_connected = -1
        while True:
            # Each round follows all chains by one pair, until no round adds a pair.
            is_connected = is_target[pair_targets] | is_delineation[pair_drawn]
            if is_connected.sum() <= n_connected:
                return np.flatnonzero(is_target)
            n_connected = int(is_connected.sum())
            is_target[pair_targets[is_connected]] = True
            is_delineation[pair_drawn[is_connected]] = True

    def _tabulate(self, targets: Ints, delineations: Ints) -> None:
        """Update the columns of targets and of delineations, and the match, from the pairs.

        Args:
            targets: rows of targets; rows without a crown are skipped.
            delineations: rows of delineations, likewise.
        """
        self._tabulate_targets(targets[self.targets.exists[targets]])
        self._tabulate_delineations(delineations[self.delineations.exists[delineations]])

    def _tabulate_targets(self, rows: Ints) -> None:
        """Update the columns and the match of the targets in ``rows``, which must all exist."""
        n_targets = len(self.targets)
        columns = target_columns(
            self._assigned_pairs("target", rows, n_targets),
            tau=self._tau[rows],
            is_too_small=self._too_small[rows],
            targets=self.targets.select(rows),
            pairing=self._pairing,
        )
        write_columns(self.columns_of_targets, columns, rows, n_targets)
        self._status_codes[rows] = [_STATUS_CODES[status] for status in columns["status"].tolist()]
        if self.targets.has_plots:
            numbers = self._number_of_plot
            plots = columns["plot"].tolist()
            self._plot_numbers[rows] = [numbers.setdefault(plot, len(numbers)) for plot in plots]
        row_of_id = self.delineations.row_of_id
        matched_ids = columns["delineation_id"].astype(object).tolist()
        self.match[rows] = [
            -1 if matched_id is pd.NA else row_of_id[matched_id] for matched_id in matched_ids
        ]

    def _tabulate_delineations(self, rows: Ints) -> None:
        """Update ``columns_of_delineations`` from the pairs.

        Args:
            rows: (r,) rows of the delineations to update, which must all exist.
        """
        n_delineations = len(self.delineations)
        columns = delineation_columns(
            self._assigned_pairs("delineation", rows, n_delineations),
            self.delineations.select(rows),
            self._plots_of_delineations(rows),
        )
        write_columns(self.columns_of_delineations, columns, rows, n_delineations)

    def _plots_of_delineations(self, rows: Ints) -> Objects:
        """Return the plots (r,) of delineations; None without a plot.

        Delineations without plots of their own are in the plot of the nearest target.

        Args:
            rows: (r,) rows of the delineations.
        """
        if not self._in_plots_of_targets or self._home is None:
            return self.delineations.plots[rows]
        nearest_target = self._home.nearest_lowest_id(rows)
        has_target = nearest_target >= 0
        plots = np.full(len(rows), None, dtype=object)
        plots[has_target] = self.targets.plots[nearest_target[has_target]]
        return plots

    def _assigned_pairs(self, side: str, rows: Ints, length: int) -> dict[str, Array]:
        """Return the columns of the assigned pairs of some crowns.

        Args:
            side: ``"target"`` or ``"delineation"``.
            rows: (k,) rows of the crowns.
            length: number of rows on that side.

        Returns:
            The columns; the one named ``side`` holds indices of ``rows``, 0 to k - 1.
        """
        pairs = self._pairs.find(side, rows)
        is_assigned = self._pairs["assigned"][pairs]
        columns = self._pairs.select(pairs[is_assigned])
        # Index of each crown in ``rows``; only crowns in ``rows`` are in the pairs.
        index_of_row = np.full(length, -1, dtype=np.int64)
        index_of_row[rows] = np.arange(len(rows))
        columns[side] = index_of_row[columns[side]]
        return columns


def _pairs_of_scores(scores: CrownScores) -> ScoredPairs:
    """Return the scored pairs from which scores were tabulated."""
    is_too_small = scores.targets["status"].to_numpy() == Status.TARGET_TOO_SMALL.value
    return ScoredPairs(scores.pairs, scores.targets["tau"].to_numpy(), is_too_small)


def write_columns(columns: dict[str, Array], new: dict[str, Any], rows: Ints, length: int) -> None:
    """Write values into rows of columns; shorter columns are extended.

    Args:
        columns: arrays by name; changed in place. A missing name is added.
        new: (k,) values by name.
        rows: (k,) rows to write to.
        length: minimum length of the columns.

    >>> columns = {"iou": np.array([0.5])}
    >>> write_columns(columns, {"iou": np.array([0.7])}, np.array([1]), 2)
    >>> columns["iou"].tolist()
    [0.5, 0.7]
    """
    for name, values in new.items():
        column = columns.get(name)
        if column is None:
            # The new values have the type of the column.
            column = values if len(values) == length else values[:0]
        if len(column) < length:
            column = _extended(column, length)
        column[rows] = values
        columns[name] = column


def _extended(values: Any, length: int) -> Any:
    """Return values with undefined rows appended up to a length."""
    n_added = length - len(values)
    if isinstance(values, pd.arrays.IntegerArray):
        # Position -1 is that of a missing value.
        positions = np.append(np.arange(len(values)), np.full(n_added, -1))
        return values.take(positions, allow_fill=True)
    return np.append(values, np.empty(n_added, dtype=values.dtype))
