"""Which parts of a tree are segmented well, by distance to the trunk and by height (Henrich et al. 2024).

Every target has a frame of its own: its trunk (mean position of its points near the lowest one), its base (the lowest
one), and how far it reaches in each direction. The points of the target and those of its matched prediction fall into
bins of equal width between 0 and that reach; points outside of it are excluded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Bools, Floats, Ints
from randcrowns.core.errors import InputError
from randcrowns.core.instances.labels import CHUNK, Instances, group, rows_by_instance
from randcrowns.core.instances.parts import AXES, Binning, Frames, columns, count_predictions, pieces
from randcrowns.core.progress import Progress, no_progress, part_of
from randcrowns.core.rates import RATES, known_mean, overlap_rates

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
    with np.errstate(invalid="ignore", over="ignore"):
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
        progress: receives how far the count is.

    Returns:
        For each axis the counts. The bin of a distance d is floor((d / q) / (1 / B)), with q the reach. Distances too
        large for the type of ``xyz`` are in no bin.
    """
    n = len(targets.ids)
    binning = Binning(n_bins, reach >= 1)
    own = {axis: np.zeros((n, binning.n_places), dtype=np.int64) for axis in axes}
    both = {axis: np.zeros_like(counts) for axis, counts in own.items()}
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        frames = _count_own(xyz, targets, predictions, matched, reach, binning, own, both, part_of(progress, 0, 0.7))
        of_prediction = {axis: counts.copy() for axis, counts in both.items()}
        last = part_of(progress, 0.7, 1)
        count_predictions(xyz, targets, predictions, matched, frames, binning, of_prediction, last)
    tables = {axis: (own[axis], of_prediction[axis], both[axis]) for axis in axes}
    return {axis: PartitionCounts(*(counts[:, 1:-1] for counts in tables[axis])) for axis in axes}


def partition_tables(
    counts: PartitionCounts, target_ids: Ints, prediction_ids: Ints, kept: Bools
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
    metrics = dict(zip(RATES, overlap_rates(both, target, prediction)))
    partition = np.arange(n_bins)
    averages = {f"Mean{name}": known_mean(table, axis=0) for name, table in metrics.items()}
    means = pd.DataFrame({"Partition": partition, **averages})
    each = pd.DataFrame(
        {
            "TargetID": np.repeat(target_ids[kept], n_bins),
            "PredictionID": np.repeat(prediction_ids[kept], n_bins),
            "Partition": np.tile(partition, n),
            **{name: table.ravel() for name, table in metrics.items()},
        }
    )
    return means, each


def _count_own(
    xyz: Floats,
    targets: Instances,
    predictions: Instances,
    matched: Ints,
    reach: float,
    binning: Binning,
    own: dict[str, Ints],
    both: dict[str, Ints],
    progress: Progress,
) -> Frames:
    """Count the targets' own points, block of targets by block, and measure their frames on the way."""
    n = len(targets.ids)
    rows, ends = rows_by_instance(targets)
    frames = Frames(np.empty(n, xyz.dtype), np.empty((2, n), xyz.dtype), {axis: np.empty(n, xyz.dtype) for axis in own})
    first = 0
    while first < n:
        last = max(first + 1, int(np.searchsorted(ends, ends[first] + CHUNK, side="right")) - 1)
        block = slice(first, last)
        some = rows[ends[first] : ends[last]]
        starts = ends[first:last] - ends[first]
        size = targets.size[block]
        local = np.repeat(np.arange(last - first, dtype=np.int32), size)
        x, y, z = columns(xyz, some)
        frames.base[block] = np.minimum.reduceat(z, starts)
        trunk_top = (frames.base[block].astype(np.float64) + _TRUNK_HEIGHT).astype(xyz.dtype)
        frames.trunk[:, block] = _trunks(x, y, z <= trunk_top[local], local, last - first)
        progress(first / n)
        same = predictions.of_rows(some) == matched[block][local]
        for axis, reaches in frames.reach.items():
            away = np.empty_like(z)
            for piece in pieces(len(z)):
                owner = first + local[piece]
                away[piece] = frames.away(axis, x[piece], y[piece], z[piece], owner)
            reaches[block] = _quantiles(away, starts, size, reach)
            progress(first / n)
            for piece in pieces(len(z)):
                cell = binning.cells(away[piece], reaches[block][local[piece]], local[piece])
                for counts, counted in ((own, cell), (both, cell[same[piece]])):
                    found = np.bincount(counted, minlength=(last - first) * binning.n_places)
                    counts[axis][block] += found.reshape(last - first, binning.n_places)
                progress(first / n)
        first = last
        progress(first / n)
    return frames


def _trunks(x: Floats, y: Floats, in_trunk: Bools, local: np.ndarray, n: int) -> Floats:
    """(2, n) mean position of each target's points near the base."""
    low = np.flatnonzero(in_trunk)
    owner = local[low]
    number = np.bincount(owner, minlength=n)
    sums = [np.bincount(owner, weights=column[low], minlength=n) for column in (x, y)]
    return np.stack(sums) / number


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
