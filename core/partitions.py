"""Which parts of a tree are segmented well, by distance to the trunk and by height (Henrich et al. 2024).

Every target has a frame of its own: its trunk (mean position of its points near the lowest one), its base (the lowest
one), and how far it reaches in each direction. The points of the target and those of its matched prediction fall into
bins of equal width between 0 and that reach; points outside of it are left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from randcrowns.core.errors import InputError
from randcrowns.core.label_counts import CHUNK, Instances, group
from randcrowns.core.progress import Progress, no_progress, part_of

__all__ = ["AXES", "REACH", "PartitionCounts", "heights", "partition_counts", "partition_tables"]

Ints = NDArray[np.int64]
Floats = NDArray[np.floating[Any]]

#: Across (distance to the trunk) and up (height above the base).
AXES = ("xy", "z")
#: Part of a target's own points within its reach, as in the reference implementation; 1 is the documented maximum.
REACH = 0.95

_TRUNK_HEIGHT = 0.30


class PartitionCounts(NamedTuple):
    """Points per target and bin: of the target, of its prediction, and of both.

    Attributes:
        target, prediction, both: (T, B) int64.
    """

    target: Ints
    prediction: Ints
    both: Ints


class _Frames(NamedTuple):
    """Frames of T targets.

    Attributes:
        base: (T,) z of the lowest point.
        trunk: (T, 2) position of the trunk.
        reach: one (T,) array per axis.
    """

    base: Floats
    trunk: Floats
    reach: dict[str, Floats]


def heights(z: Floats, targets: Instances) -> Floats:
    """(T,) largest less smallest z of each target's points, in the type of ``z``.

    Args:
        z: (N,) coordinates of the points.
        targets: the instances.

    Raises:
        InputError: for a target with a z that is not a number.
    """
    n = len(targets.ids)
    lowest = np.full(n + 1, np.inf, dtype=z.dtype)
    highest = np.full(n + 1, -np.inf, dtype=z.dtype)
    for start in range(0, len(z), CHUNK):
        chunk = np.ascontiguousarray(z[start : start + CHUNK])
        values, ends = group(chunk, targets.of_points(start, start + len(chunk)), n + 1)
        present = np.flatnonzero(np.diff(ends))
        lowest[present] = np.minimum(lowest[present], np.minimum.reduceat(values, ends[present]))
        highest[present] = np.maximum(highest[present], np.maximum.reduceat(values, ends[present]))
    with np.errstate(invalid="ignore"):
        height = (highest - lowest)[:n]
    wrong = np.flatnonzero(~np.isfinite(height))
    if len(wrong):
        raise InputError(f"Every point needs a z; target {targets.ids[wrong[0]]} has one that is not a finite number.")
    return height


def partition_counts(
    xyz: Floats,
    targets: Instances,
    predictions: Instances,
    matched: Ints,
    axes: tuple[str, ...] = AXES,
    n_bins: int = 10,
    *,
    reach: float = REACH,
    progress: Progress = no_progress,
) -> dict[str, PartitionCounts]:
    """Count each target's points, and those of its prediction, by bin.

    Args:
        xyz: (N, 3) coordinates, finite.
        targets, predictions: the instances of the N points.
        matched: (T,) index of each target's prediction, -1 for none.
        axes: which of :data:`AXES`.
        n_bins: number of bins B.
        reach: the bins end at this quantile of the target's own distances; with 1 the farthest point still counts.
        progress: told how far the count is.

    Returns:
        For each axis the counts. The bin of a distance d is floor((d / q) / (1 / B)), with q the reach; on the edge of
        a bin, rounding decides in the type of ``xyz``, in this order of operations as in the reference implementation.
    """
    n = len(targets.ids)
    counts = {axis: np.zeros((3, n * n_bins), dtype=np.int64) for axis in axes}
    binning = _Binning(n_bins, reach >= 1)
    frames = _count_own(xyz, targets, predictions, matched, axes, reach, binning, counts, part_of(progress, 0, 0.7))
    _count_strays(xyz, targets, predictions, matched, frames, binning, counts, part_of(progress, 0.7, 1))
    found = {}
    for axis, (own, both, stray) in counts.items():
        tables = own, both + stray, both
        found[axis] = PartitionCounts(*(table.reshape(n, n_bins) for table in tables))
    return found


def partition_tables(
    counts: PartitionCounts, target_ids: Ints, prediction_ids: Ints, kept: NDArray[np.bool_]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Metrics per bin: averaged over targets, and of each target.

    Args:
        counts: the counts of T targets in B bins.
        target_ids, prediction_ids: (T,) what to call each target and its prediction.
        kept: (T,) targets that have a say in the means and a place in the table.

    Returns:
        Partition, MeanIoU, MeanPrecision, MeanRecall of B rows, where NaN are skipped; and TargetID, PredictionID,
        Partition, IoU, Precision, Recall of B rows per target. A bin without points has NaN (0/0).
    """
    target, prediction, both = (table[kept] for table in counts)
    n, n_bins = target.shape
    with np.errstate(invalid="ignore"):
        metrics = {"IoU": both / (target + prediction - both), "Precision": both / prediction, "Recall": both / target}
    partition = np.arange(n_bins)
    means = pd.DataFrame({"Partition": partition, **{f"Mean{name}": _mean(table) for name, table in metrics.items()}})
    each = pd.DataFrame(
        {
            "TargetID": np.repeat(target_ids[kept], n_bins),
            "PredictionID": np.repeat(prediction_ids[kept], n_bins),
            "Partition": np.tile(partition, n),
            **{name: table.ravel() for name, table in metrics.items()},
        }
    )
    return means, each


def _mean(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of each column without its NaN; NaN for one that has nothing else."""
    number = np.sum(~np.isnan(table), axis=0)
    with np.errstate(invalid="ignore"):
        return np.nansum(table, axis=0) / number


class _Binning(NamedTuple):
    n_bins: int
    closed: bool

    def places(self, target: NDArray[Any], distance: Floats, reach: Floats) -> tuple[Ints, NDArray[np.bool_]]:
        """Place of each point in a table of targets x bins, and whether it is in it at all."""
        with np.errstate(invalid="ignore", divide="ignore"):
            share = distance / reach
            place = np.floor(share / share.dtype.type(1 / self.n_bins))
        within = (place >= 0) & ((share <= 1) if self.closed else (place < self.n_bins))
        bins = np.zeros(len(share), dtype=np.int64)
        bins[within] = place[within]
        np.minimum(bins, self.n_bins - 1, out=bins)
        bins += target.astype(np.int64) * self.n_bins
        return bins, within


def _count_own(
    xyz: Floats,
    targets: Instances,
    predictions: Instances,
    matched: Ints,
    axes: tuple[str, ...],
    reach: float,
    binning: _Binning,
    counts: dict[str, Ints],
    progress: Progress,
) -> _Frames:
    """Count the targets' own points, block of targets by block, and measure their frames on the way."""
    n = len(targets.ids)
    rows, ends = _rows_of_targets(targets)
    frames = _Frames(
        np.empty(n, xyz.dtype), np.empty((n, 2), xyz.dtype), {axis: np.empty(n, xyz.dtype) for axis in axes}
    )
    first = 0
    while first < n:
        last = max(first + 1, int(np.searchsorted(ends, ends[first] + CHUNK, side="right")) - 1)
        block = slice(first, last)
        some = rows[ends[first] : ends[last]]
        starts = ends[first:last] - ends[first]
        size = targets.size[block]
        local = np.repeat(np.arange(last - first, dtype=np.int32), size)
        x, y, z = np.ascontiguousarray(xyz[some].T)
        frames.base[block] = np.minimum.reduceat(z, starts)
        trunk_top = (frames.base[block].astype(np.float64) + _TRUNK_HEIGHT).astype(xyz.dtype)
        frames.trunk[block] = _trunks(x, y, z <= trunk_top[local], local, last - first)
        height = z - frames.base[block][local]
        same = predictions.of_rows(some) == matched[block][local]
        for axis in axes:
            distance = height if axis == "z" else _distance(x, y, frames.trunk[block], local)
            frames.reach[axis][block] = _quantiles(distance, starts, size, reach)
            place, within = binning.places(local, distance, frames.reach[axis][block][local])
            cells = slice(first * binning.n_bins, last * binning.n_bins)
            n_cells = cells.stop - cells.start
            counts[axis][0, cells] = np.bincount(place[within], minlength=n_cells)
            counts[axis][1, cells] = np.bincount(place[within & same], minlength=n_cells)
        first = last
        progress(first / n)
    return frames


def _rows_of_targets(targets: Instances) -> tuple[NDArray[Any], Ints]:
    """Rows of the targets' points, target by target, and where each target's rows start (and the last ones end)."""
    n_points = len(targets.labels)
    n = len(targets.ids)
    index = np.arange(n_points, dtype=np.int32 if n_points < np.iinfo(np.int32).max else np.int64)
    rows, ends = group(index, targets.of_points(0, n_points), n + 1)
    return rows, ends[: n + 1].astype(np.int64)


def _trunks(x: Floats, y: Floats, in_trunk: NDArray[np.bool_], local: NDArray[np.int32], n: int) -> Floats:
    """(n, 2) mean position of each target's points near the base."""
    low = np.flatnonzero(in_trunk)
    owner = local[low]
    number = np.bincount(owner, minlength=n)
    sums = [np.bincount(owner, weights=column[low], minlength=n) for column in (x, y)]
    return np.stack(sums, axis=1) / number[:, None]


def _distance(x: Floats, y: Floats, trunk: Floats, target: NDArray[Any]) -> Floats:
    """Distance of each point to the trunk of the target at that place."""
    across = x - trunk[target, 0]
    up = y - trunk[target, 1]
    across *= across
    up *= up
    across += up
    return np.sqrt(across, out=across)


def _quantiles(values: Floats, starts: Ints, size: Ints, level: float) -> Floats:
    """Quantile of each run of values, linear between neighbours."""
    found = np.empty(len(starts), dtype=values.dtype)
    position = (size - 1) * level
    below = np.floor(position).astype(np.int64)
    part = position - below
    for i, (start, count, k) in enumerate(zip(starts.tolist(), size.tolist(), below.tolist())):
        above = min(k + 1, count - 1)
        run = np.partition(values[start : start + count], (k, above))
        found[i] = run[k] * (1 - part[i]) + run[above] * part[i]
    return found


def _count_strays(
    xyz: Floats,
    targets: Instances,
    predictions: Instances,
    matched: Ints,
    frames: _Frames,
    binning: _Binning,
    counts: dict[str, Ints],
    progress: Progress,
) -> None:
    """Count points of a matched prediction that are not the target's, in the frame of every target that has it."""
    n_targets, n_predictions = len(targets.ids), len(predictions.ids)
    served = np.flatnonzero(matched >= 0)
    served = served[np.argsort(matched[served], kind="stable")]
    number = np.bincount(matched[served], minlength=n_predictions + 1)
    first = np.cumsum(number) - number
    wanted = np.append(matched, n_predictions + 1)
    for start in range(0, len(xyz), CHUNK):
        stop = min(start + CHUNK, len(xyz))
        target, prediction = targets.of_points(start, stop), predictions.of_points(start, stop)
        stray = np.flatnonzero(number[prediction] > (wanted[target] == prediction))
        times = number[prediction[stray]]
        row = np.repeat(stray, times)
        end = np.cumsum(times)
        turn = np.arange(len(row)) - np.repeat(end - times, times)
        owner = served[first[prediction[row]] + turn]
        elsewhere = owner != target[row]
        row, owner = row[elsewhere], owner[elsewhere]
        x, y, z = np.ascontiguousarray(xyz[start + row].T)
        for axis, reach in frames.reach.items():
            distance = z - frames.base[owner] if axis == "z" else _distance(x, y, frames.trunk, owner)
            place, within = binning.places(owner, distance, reach[owner])
            counts[axis][2] += np.bincount(place[within], minlength=n_targets * binning.n_bins)
        progress(stop / len(xyz))
