"""Segmentation metrics of parts of the trees, by distance to the trunk and by height.

The method is that of Henrich et al. 2024. Each target has its own frame of reference: its base (the
lowest z of its points), its trunk (mean x, y of its points near the base), and its reach along each
axis. Axis ``xy`` is the horizontal distance to the trunk, axis ``z`` the height above the base. The
points of the target and of its matched prediction are counted in B bins of equal width between 0
and the reach; points outside are not counted.

Counting works with B + 2 *slots* per target: slot 0 for negative distances, slots 1 to B for the
bins, and slot B + 1 for distances beyond the reach.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Array, Bools, Floats, Ints, split_array, split_range
from randcrowns.core.errors import InputError
from randcrowns.core.instances.overlap import (
    POINTS_PER_CHUNK,
    Instances,
    group_by_instance,
    points_by_instance,
)
from randcrowns.core.progress import Progress, no_progress, run_in_thread, subprogress
from randcrowns.core.statistics import OVERLAP_RATES, nan_mean, overlap_rates

#: Names of the axes: horizontal distance to the trunk, and height above the base.
AXES = ("xy", "z")
#: Quantile of the target's own distances that defines the reach, as in the reference
#: implementation. The documented maximum is 1.
REACH_QUANTILE = 0.95
#: Quantile of the distances at which the last partition ends, by key of the option.
END_QUANTILES = {"quantile": REACH_QUANTILE, "farthest": 1.0}

#: Points up to this height above the base define the position of the trunk, metres.
_TRUNK_HEIGHT = 0.30
#: Share of the counting time that the targets' own points take; for the progress.
_TARGETS_SHARE_OF_TIME = 0.7
#: Number of points whose arrays fit into the processor's cache.
_PIECE = 1 << 15
#: Number of targets with the same prediction from which sorting the prediction's points is faster.
_MANY = 12
#: Beyond this multiple of the reach no rounding puts a point into a bin.
_REACH_TOLERANCE = 1 + 1e-5


class PartitionCounts(NamedTuple):
    """Numbers of points of T targets in B bins along one axis."""

    target: Ints  #: (T, B) int64 number of points of the target.
    prediction: Ints  #: (T, B) int64 number of points of the target's prediction.
    both: Ints  #: (T, B) int64 number of points that belong to both.


def instance_heights(z: Floats, targets: Instances) -> Floats:
    """Compute the height of each target, the range of z of its points.

    Args:
        z: (N,) z of the points, metres.
        targets: the T instances of the N points.

    Returns:
        (T,) heights in the float type of ``z``, metres.

    Raises:
        InputError: if a point of a target has a z that is not finite.

    >>> from randcrowns.core.instances.overlap import count_pairs
    >>> tree = np.array([0, 0, 1])
    >>> instance_heights(np.array([1.0, 3.5, 2.0]), count_pairs(tree, tree, -1).targets).tolist()
    [2.5, 0.0]
    """
    n_targets = len(targets.ids)
    # The last item is for the points of no target.
    lowest = np.full(n_targets + 1, np.inf, dtype=z.dtype)
    highest = np.full(n_targets + 1, -np.inf, dtype=z.dtype)
    for chunk in split_range(len(z), POINTS_PER_CHUNK):
        z_by_target, ends = group_by_instance(
            np.ascontiguousarray(z[chunk]), targets.instance_at(chunk), n_targets + 1
        )
        present = np.flatnonzero(np.diff(ends))
        starts = ends[present]
        lowest_in_chunk = np.minimum.reduceat(z_by_target, starts)
        highest_in_chunk = np.maximum.reduceat(z_by_target, starts)
        lowest[present] = np.minimum(lowest[present], lowest_in_chunk)
        highest[present] = np.maximum(highest[present], highest_in_chunk)
    with np.errstate(invalid="ignore", over="ignore"):
        height = (highest - lowest)[:n_targets]
    invalid_targets = np.flatnonzero(~np.isfinite(height))
    if len(invalid_targets):
        raise InputError(
            "partitions.no_height",
            "Every point needs a z; target {target} has one that is not a finite number.",
            target=targets.ids[invalid_targets[0]],
        )
    return height


def partition_counts(
    xyz: Floats,
    targets: Instances,
    predictions: Instances,
    matched: Ints,
    axes: tuple[str, ...] = AXES,
    n_bins: int = 10,
    *,
    reach_quantile: float = REACH_QUANTILE,
    progress: Progress = no_progress,
) -> dict[str, PartitionCounts]:
    """Count the points of each target and of its prediction in bins along each axis.

    The bin of a distance d is floor((d / q) / (1 / B)), where q is the reach of the target and B
    the number of bins. Distances that overflow the float type of ``xyz`` are in no bin.

    Args:
        xyz: (N, 3) finite coordinates, metres.
        targets: the T target instances of the N points.
        predictions: the P predicted instances of the N points.
        matched: (T,) index of each target's prediction, -1 for none.
        axes: the axes to count along, a selection of :data:`AXES`.
        n_bins: number of bins B.
        reach_quantile: quantile of the target's own distances at which the bins end. With 1 the
            farthest point is counted in the last bin.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The counts by axis.

    >>> from randcrowns.core.instances.overlap import count_pairs
    >>> tree = np.zeros(4, dtype=np.int64)
    >>> trees = count_pairs(tree, tree, -1).targets
    >>> xyz = np.stack([np.zeros(4), np.zeros(4), np.arange(4.0)], axis=1)
    >>> counts = partition_counts(xyz, trees, trees, np.array([0]), ("z",), 2, reach_quantile=1.0)
    >>> counts["z"].target.tolist()
    [[2, 2]]
    """
    binning = Binning(n_bins, is_closed=reach_quantile >= 1)
    counter = _Counter(
        xyz=xyz,
        targets=targets,
        predictions=predictions,
        matched=matched,
        axes=axes,
        binning=binning,
    )
    # Overflow and 0/0 are expected: such distances are in no bin.
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        counter.count_targets(reach_quantile, subprogress(progress, 0, _TARGETS_SHARE_OF_TIME))
        counter.count_predictions(subprogress(progress, _TARGETS_SHARE_OF_TIME, 1))
    counts_of_axis = {}
    for axis in axes:
        counts_of_axis[axis] = PartitionCounts(
            target=binning.drop_outer_slots(counter.target_counts[axis]),
            prediction=binning.drop_outer_slots(counter.prediction_counts[axis]),
            both=binning.drop_outer_slots(counter.shared_counts[axis]),
        )
    return counts_of_axis


def partition_tables(
    counts: PartitionCounts, target_ids: Ints, prediction_ids: Ints, is_included: Bools
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Compute the metrics per bin, averaged over targets and of each target.

    Args:
        counts: the counts of T targets in B bins.
        target_ids: (T,) id of each target.
        prediction_ids: (T,) id of each target's prediction.
        is_included: (T,) mask of the targets to include in the means and in the table.

    Returns:
        The averaged metrics, B rows with the columns ``Partition``, ``MeanIoU``, ``MeanPrecision``
        and ``MeanRecall``, where NaN values are skipped; and the metrics of each target, B rows per
        target with ``TargetID``, ``PredictionID``, ``Partition``, ``IoU``, ``Precision`` and
        ``Recall``. Bins without points have NaN (0/0).

    >>> counts = PartitionCounts(np.array([[2, 4]]), np.array([[2, 2]]), np.array([[2, 1]]))
    >>> means, _ = partition_tables(counts, np.array([1]), np.array([1]), np.array([True]))
    >>> means["MeanRecall"].tolist()
    [1.0, 0.25]
    """
    target_counts = counts.target[is_included]
    prediction_counts = counts.prediction[is_included]
    shared_counts = counts.both[is_included]
    n_targets, n_bins = target_counts.shape
    partition = np.arange(n_bins)
    means = pd.DataFrame({"Partition": partition})
    per_target = pd.DataFrame(
        {
            "TargetID": np.repeat(target_ids[is_included], n_bins),
            "PredictionID": np.repeat(prediction_ids[is_included], n_bins),
            "Partition": np.tile(partition, n_targets),
        }
    )
    # Each table of rates has a row per target and a column per bin.
    rate_tables = overlap_rates(shared_counts, target_counts, prediction_counts)
    for name, rates in zip(OVERLAP_RATES, rate_tables):
        means[f"Mean{name}"] = nan_mean(rates, axis=0)
        per_target[name] = rates.ravel()
    return means, per_target


class TargetFrames(NamedTuple):
    """Frames of reference of T targets, in the float type of the coordinates, metres."""

    base: Floats  #: (T,) lowest z.
    trunk: Floats  #: (2, T) x and y of the trunk.
    reach: dict[str, Floats]  #: (T,) distance at which the bins end, by axis.

    def distance(
        self, axis: str, x: Floats, y: Floats, z: Floats, target_rows: Array | int
    ) -> Floats:
        """Return the distance of points from their target along an axis.

        Args:
            axis: ``"xy"`` or ``"z"``.
            x: (n,) x of the points.
            y: (n,) y of the points.
            z: (n,) z of the points.
            target_rows: (n,) target of each point, or one target for all of them.

        Returns:
            (n,) distances; along ``z`` they may be negative.
        """
        if axis == "z":
            return z - self.base[target_rows]
        return _horizontal_distance(x, y, self.trunk[:, target_rows])


class Binning(NamedTuple):
    """Division of the distances between 0 and the reach into bins of equal width."""

    n_bins: int  #: number of bins.
    is_closed: bool  #: True if a point exactly at the reach is counted in the last bin.

    @property
    def n_slots(self) -> int:
        """Number of slots: the bins, one slot below them and one beyond."""
        return self.n_bins + 2

    def drop_outer_slots(self, counts: Ints) -> Ints:
        """Return the counts (T, B) of the bins, without the slots below and beyond them.

        Args:
            counts: (T, B + 2) counts per slot.
        """
        return counts[:, 1 : self.n_bins + 1]

    def slots(self, distance: Floats, reach: Floats | np.floating[Any]) -> Floats:
        """Return the slot of each distance.

        The slot never decreases as the distance increases, and 0/0 is beyond the bins. On the edge
        of a bin the result depends on rounding. It is computed in the float type of ``distance``
        and in the order of operations of the reference implementation, floor((d / q) / (1 / B)).

        Args:
            distance: (n,) distances d, metres.
            reach: (n,) reach q of each point's target, or one reach for all points.

        Returns:
            (n,) slots 0 to B + 1, in the float type of ``distance``.
        """
        share = distance / reach
        slot = share / share.dtype.type(1 / self.n_bins)
        np.floor(slot, out=slot)
        np.fmin(slot, self.n_bins, out=slot)
        if self.is_closed:
            np.minimum(slot, self.n_bins - 1, out=slot, where=share <= 1)
        np.maximum(slot, -1, out=slot)
        slot += 1
        return cast("Floats", slot)

    def count_per_slot(self, distance: Floats, reach: np.floating[Any]) -> Ints:
        """Return the (B + 2,) number of (n,) distances in each slot, for one target."""
        return np.bincount(self.slots(distance, reach).astype(np.int64), minlength=self.n_slots)

    def table_cells(self, distance: Floats, reach: Floats, target_rows: Array) -> Ints:
        """Return the flat index of each point's cell in a (targets, slots) table.

        Args:
            distance: (n,) distances, metres.
            reach: (n,) reach of each point's target, metres.
            target_rows: (n,) target of each point.
        """
        cells = target_rows.astype(np.int64)
        cells *= self.n_slots
        cells += self.slots(distance, reach).astype(np.int64)
        return cells


class _Counter:
    """Counts of the points of each target, of its prediction, and of both.

    Call :meth:`count_targets` first, then :meth:`count_predictions`.

    Args:
        xyz: (N, 3) coordinates.
        targets: the T target instances.
        predictions: the P predicted instances.
        matched: (T,) index of each target's prediction, -1 for none.
        axes: names of the axes.
        binning: the bins.

    Attributes:
        frames: frames of reference of the targets, computed by :meth:`count_targets`.
        target_counts: (T, B + 2) int64 number of the target's points per slot, by axis.
        prediction_counts: the same of the prediction's points.
        shared_counts: the same of the points that belong to both.
    """

    def __init__(
        self,
        xyz: Floats,
        targets: Instances,
        predictions: Instances,
        matched: Ints,
        axes: tuple[str, ...],
        binning: Binning,
    ) -> None:
        self.xyz = xyz
        self.targets = targets
        self.predictions = predictions
        self.matched = matched
        self.binning = binning
        n_targets = len(targets.ids)
        # count_targets fills the empty arrays.
        self.frames = TargetFrames(
            base=np.empty(n_targets, xyz.dtype),
            trunk=np.empty((2, n_targets), xyz.dtype),
            reach={axis: np.empty(n_targets, xyz.dtype) for axis in axes},
        )
        shape = (n_targets, binning.n_slots)
        self.target_counts = {axis: np.zeros(shape, dtype=np.int64) for axis in axes}
        self.prediction_counts = {axis: np.zeros(shape, dtype=np.int64) for axis in axes}
        self.shared_counts = {axis: np.zeros(shape, dtype=np.int64) for axis in axes}

    def count_targets(self, reach: float, progress: Progress) -> None:
        """Compute the frames, and count the targets' points and those shared with the prediction.

        Targets are processed in blocks of about :data:`POINTS_PER_CHUNK` points.

        Args:
            reach: quantile of the target's own distances at which the bins end.
            progress: receives the fraction done.
        """
        n_targets = len(self.targets.ids)
        point_rows, ends = run_in_thread(lambda _: points_by_instance(self.targets), progress)
        start = 0
        while start < n_targets:
            max_end = ends[start] + POINTS_PER_CHUNK
            last_fitting_stop = int(np.searchsorted(ends, max_end, side="right")) - 1
            stop = max(start + 1, last_fitting_stop)  # a block holds at least one target
            self._count_block(
                block=slice(start, stop),
                point_rows=point_rows[ends[start] : ends[stop]],
                starts=ends[start:stop] - ends[start],
                reach=reach,
                report_progress=partial(progress, start / n_targets),
            )
            start = stop
            progress(start / n_targets)

    def _count_block(
        self,
        block: slice,
        point_rows: Array,
        starts: Ints,
        reach: float,
        report_progress: Callable[[], None],
    ) -> None:
        """Compute the frames of a block of targets and count its points.

        Args:
            block: the targets.
            point_rows: (n,) indices of their points, target by target.
            starts: position in ``point_rows`` at which each target's points start.
            reach: quantile of the target's own distances at which the bins end.
            report_progress: called several times, so that the work can be cancelled.
        """
        frames = self.frames
        n_points = self.targets.n_points[block]
        # Target of each point, counted from the start of the block.
        local_target_rows = np.repeat(np.arange(len(n_points), dtype=np.int32), n_points)
        x, y, z = coordinate_rows(self.xyz, point_rows)

        frames.base[block] = np.minimum.reduceat(z, starts)
        # Added in double precision, then rounded, as in the reference implementation.
        trunk_top = frames.base[block].astype(np.float64) + _TRUNK_HEIGHT
        is_in_trunk = z <= trunk_top.astype(self.xyz.dtype)[local_target_rows]
        frames.trunk[:, block] = _trunk_positions(
            x, y, is_in_trunk, local_target_rows, len(n_points)
        )
        report_progress()

        prediction_of_point = self.predictions.instance_at(point_rows)
        prediction_of_target = self.matched[block]
        is_shared = prediction_of_point == prediction_of_target[local_target_rows]
        for axis, reaches in frames.reach.items():
            distance = np.empty_like(z)
            for piece in split_range(len(z), _PIECE):
                piece_target_rows = block.start + local_target_rows[piece]
                distance[piece] = frames.distance(
                    axis, x[piece], y[piece], z[piece], piece_target_rows
                )
            reaches[block] = _quantiles(distance, starts, n_points, reach)
            report_progress()
            self._count_own_points(
                axis, block, local_target_rows, distance, is_shared, report_progress
            )

    def _count_own_points(
        self,
        axis: str,
        block: slice,
        local_target_rows: Array,
        distance: Floats,
        is_shared: Bools,
        report_progress: Callable[[], None],
    ) -> None:
        """Count the points of a block of targets, and those shared with their predictions.

        Args:
            axis: name of the axis.
            block: the targets.
            local_target_rows: (n,) target of each point, counted from the start of the block.
            distance: (n,) distances of the points along the axis, metres.
            is_shared: (n,) mask of the points that belong to the target's prediction.
            report_progress: called several times, so that the work can be cancelled.
        """
        reach = self.frames.reach[axis][block]
        # Views of the tables, which are changed in place.
        own_counts = self.target_counts[axis][block]
        shared_counts = self.shared_counts[axis][block]
        n_cells = own_counts.size
        shape = own_counts.shape
        for piece in split_range(len(distance), _PIECE):
            target_rows = local_target_rows[piece]
            cells = self.binning.table_cells(distance[piece], reach[target_rows], target_rows)
            own_counts += np.bincount(cells, minlength=n_cells).reshape(shape)
            shared_cells = cells[is_shared[piece]]
            shared_counts += np.bincount(shared_cells, minlength=n_cells).reshape(shape)
            report_progress()

    def count_predictions(self, progress: Progress) -> None:
        """Count the points of the targets' predictions; needs :meth:`count_targets` before.

        The shared points are already counted. For a prediction of one target the other points are
        added; for a prediction of several targets all points are counted again.
        """
        self.prediction_counts = {
            axis: counts.copy() for axis, counts in self.shared_counts.items()
        }
        n_predictions = len(self.predictions.ids)
        n_targets = np.bincount(self.matched[self.matched >= 0], minlength=n_predictions)
        # The 0 that is appended is for targets without a prediction, whose match is -1.
        has_own_prediction = np.append(n_targets, 0)[self.matched] == 1
        shared_predictions = np.flatnonzero(n_targets > 1)
        end = 0.5 if len(shared_predictions) else 1.0
        self._add_unshared_points(has_own_prediction, subprogress(progress, 0.0, end))
        if len(shared_predictions):
            self._recount_predictions(shared_predictions, subprogress(progress, 0.5, 1.0))

    def _add_unshared_points(self, has_own_prediction: Bools, progress: Progress) -> None:
        """Add the points of predictions that do not belong to the matched target.

        Args:
            has_own_prediction: (T,) mask of the targets whose prediction has no other target.
            progress: receives the fraction done.
        """
        no_target = len(self.targets.ids)
        # Target of each prediction, if it has one of its own. The last item is for points without
        # a prediction.
        target_of_prediction = np.full(len(self.predictions.ids) + 1, no_target, dtype=np.int32)
        target_of_prediction[self.matched[has_own_prediction]] = np.flatnonzero(has_own_prediction)
        for chunk in split_range(len(self.xyz), POINTS_PER_CHUNK):
            matched_targets = target_of_prediction[self.predictions.instance_at(chunk)]
            has_target = matched_targets < no_target
            is_unshared = has_target & (matched_targets != self.targets.instance_at(chunk))
            unshared_rows = np.flatnonzero(is_unshared)
            target_rows = matched_targets[unshared_rows]
            x, y, z = coordinate_rows(self.xyz, chunk.start + unshared_rows)
            for axis, reach in self.frames.reach.items():
                distance = self.frames.distance(axis, x, y, z, target_rows)
                cells = self.binning.table_cells(distance, reach[target_rows], target_rows)
                # The table is changed in place.
                counts = self.prediction_counts[axis]
                counts += np.bincount(cells, minlength=counts.size).reshape(counts.shape)
            progress(chunk.stop / len(self.xyz))

    def _recount_predictions(self, predictions: Ints, progress: Progress) -> None:
        """Count all points of some predictions in the frame of each of their targets.

        Args:
            predictions: the predictions that several targets share, ascending.
            progress: receives the fraction done.
        """
        # The targets of a prediction are targets_by_prediction[start:stop].
        targets_by_prediction = np.argsort(self.matched, kind="stable")
        sorted_matches = self.matched[targets_by_prediction]
        starts = np.searchsorted(sorted_matches, predictions, side="left")
        stops = np.searchsorted(sorted_matches, predictions, side="right")
        point_rows, ends = points_by_instance(self.predictions)
        n_additions = int(((stops - starts) * self.predictions.n_points[predictions]).sum())
        n_done = 0
        for prediction, start, stop in zip(predictions.tolist(), starts.tolist(), stops.tolist()):
            target_rows = targets_by_prediction[start:stop]
            add_points = self._add_sorted if len(target_rows) >= _MANY else self._add_to_each
            for counts in self.prediction_counts.values():
                counts[target_rows] = 0
            points_of_prediction = point_rows[ends[prediction] : ends[prediction + 1]]
            for rows in split_array(points_of_prediction, POINTS_PER_CHUNK):
                add_points(coordinate_rows(self.xyz, rows), target_rows)
                n_done += len(rows) * len(target_rows)
                progress(n_done / n_additions)

    def _add_to_each(self, xyz: Floats, targets: Ints) -> None:
        """Add points of a prediction to the counts of each of a few targets.

        Args:
            xyz: (3, n) coordinates of the points, metres.
            targets: rows of the targets.
        """
        for piece in split_range(xyz.shape[1], _PIECE):
            x, y, z = xyz[:, piece]
            for target in targets.tolist():
                for axis, reach in self.frames.reach.items():
                    distance = self.frames.distance(axis, x, y, z, target)
                    counts = self.binning.count_per_slot(distance, reach[target])
                    self.prediction_counts[axis][target] += counts

    def _add_sorted(self, xyz: Floats, targets: Ints) -> None:
        """Add points of a prediction to the counts of many targets.

        In points sorted by z the slots are found by bisection. In points sorted by x only those
        within reach of the trunk are examined.

        Args:
            xyz: (3, n) coordinates of the points, metres; ``xyz[2]`` is sorted in place.
            targets: rows of the targets.
        """
        x, y, z = xyz
        frames = self.frames
        if "z" in self.prediction_counts:
            z.sort()
            added_counts = _counts_of_sorted(
                z, frames.base[targets], frames.reach["z"][targets], self.binning
            )
            self.prediction_counts["z"][targets] += added_counts
        if "xy" in self.prediction_counts:
            by_x = np.argsort(x)
            x = x[by_x]
            y = y[by_x]
            for target in targets.tolist():
                reach = frames.reach["xy"][target]
                first, last = _range_within_reach(x, frames.trunk[0, target], reach)
                self._add_near_trunk(x[first:last], y[first:last], target)

    def _add_near_trunk(self, x: Floats, y: Floats, target: int) -> None:
        """Add points x (n,), y (n,) of a prediction to the horizontal counts of one target."""
        trunk = self.frames.trunk[:, target]
        reach = self.frames.reach["xy"][target]
        for piece in split_range(len(x), _PIECE):
            distance = _horizontal_distance(x[piece], y[piece], trunk)
            self.prediction_counts["xy"][target] += self.binning.count_per_slot(distance, reach)


def _trunk_positions(
    x: Floats, y: Floats, is_in_trunk: Bools, target_rows: Array, n_targets: int
) -> Floats:
    """Compute the mean position of the trunk points of each target.

    Args:
        x: (m,) x of the points.
        y: (m,) y of the points.
        is_in_trunk: (m,) mask of the points near the base; at least one per target.
        target_rows: (m,) target of each point.
        n_targets: number of targets.

    Returns:
        (2, n) x and y.
    """
    trunk_rows = np.flatnonzero(is_in_trunk)
    trunk_target_rows = target_rows[trunk_rows]
    n_points = np.bincount(trunk_target_rows, minlength=n_targets)
    sums = [
        np.bincount(trunk_target_rows, weights=coordinates[trunk_rows], minlength=n_targets)
        for coordinates in (x, y)
    ]
    return np.stack(sums) / n_points


def _quantiles(values: Floats, starts: Ints, lengths: Ints, level: float) -> Floats:
    """Compute a quantile of each run of values, linear between neighbours.

    Args:
        values: (m,) values, run by run.
        starts: (k,) position at which each run starts.
        lengths: (k,) length of each run, at least 1.
        level: the quantile, 0 to 1.

    Returns:
        (k,) quantiles in the type of ``values``.
    """
    positions = (lengths - 1) * level
    lower_positions = np.floor(positions).astype(np.int64)
    upper_positions = np.minimum(lower_positions + 1, lengths - 1)
    weights = positions - lower_positions
    quantiles = np.empty(len(starts), dtype=values.dtype)
    for run, (start, length) in enumerate(zip(starts.tolist(), lengths.tolist())):
        # Only the two neighbours of the quantile are sorted into their positions.
        lower = lower_positions[run]
        upper = upper_positions[run]
        values_of_run = np.partition(values[start : start + length], (lower, upper))
        lower_share = values_of_run[lower] * (1 - weights[run])
        upper_share = values_of_run[upper] * weights[run]
        quantiles[run] = lower_share + upper_share
    return quantiles


def _counts_of_sorted(z: Floats, base: Floats, reach: Floats, binning: Binning) -> Ints:
    """Count sorted heights per slot of each of k targets, by bisection for the slots' limits.

    Args:
        z: (n,) z of the points, ascending.
        base: (k,) base of each target.
        reach: (k,) reach of each target along z.
        binning: the bins.

    Returns:
        (k, B + 2) int64 counts.
    """
    slots = np.arange(1, binning.n_slots)
    # For each target and slot: the first point in this slot or a higher one is in [low, high].
    low = np.zeros((len(base), len(slots)), dtype=np.int64)
    high = np.full_like(low, len(z))
    is_open = low < high
    while is_open.any():
        middle = (low + high) // 2
        height = z[np.minimum(middle, len(z) - 1)] - base[:, None]
        is_reached = binning.slots(height, reach[:, None]) >= slots
        np.copyto(low, middle + 1, where=is_open & ~is_reached)
        np.copyto(high, middle, where=is_open & is_reached)
        is_open = low < high
    return np.diff(low, axis=1, prepend=0, append=len(z))


def _range_within_reach(
    x: Floats, trunk: np.floating[Any], reach: np.floating[Any]
) -> tuple[int, int]:
    """Return the range of points whose x is within reach of a trunk.

    Args:
        x: (n,) ascending x of the points, metres.
        trunk: x of the trunk, metres.
        reach: maximum distance, metres.

    Returns:
        Start and end of the range in ``x``; a little wider than the reach, for rounding.
    """
    distance = float(reach) * _REACH_TOLERANCE
    # Of the same type as x; otherwise searchsorted would convert all of x.
    lowest = x.dtype.type(float(trunk) - distance)
    highest = x.dtype.type(float(trunk) + distance)
    start = np.searchsorted(x, lowest, side="left")
    stop = np.searchsorted(x, highest, side="right")
    return int(start), int(stop)


def coordinate_rows(xyz: Floats, rows: Ints) -> Floats:
    """Return the coordinates of some points, one row per axis.

    Args:
        xyz: (N, 3) coordinates of all points.
        rows: (n,) rows of the points.

    Returns:
        (3, n) coordinates, of the type of ``xyz``.

    >>> coordinate_rows(np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]), np.array([1])).tolist()
    [[3.0], [4.0], [5.0]]
    """
    coordinates = np.empty((3, len(rows)), dtype=xyz.dtype)
    for piece in split_range(len(rows), _PIECE):
        piece_rows = rows[piece]
        # take is faster, but it copies the whole array if that is not in C order.
        points = xyz.take(piece_rows, axis=0) if xyz.flags.c_contiguous else xyz[piece_rows]
        coordinates[:, piece] = points.T
    return coordinates


def _horizontal_distance(x: Floats, y: Floats, trunk: Floats) -> Floats:
    """Return the horizontal distances of points to trunks.

    Args:
        x: (n,) x of the points, metres.
        y: (n,) y of the points, metres.
        trunk: (2, n) x and y of each point's trunk, or (2,) of one trunk, metres.

    Returns:
        (n,) distances, metres.
    """
    squared = x - trunk[0]
    dy = y - trunk[1]
    squared *= squared
    dy *= dy
    squared += dy
    return cast("Floats", np.sqrt(squared, out=squared))
