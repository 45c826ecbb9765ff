"""Which parts of a tree are segmented well, by distance to the trunk and by height (Henrich et al. 2024).

Every target has a frame of its own: its trunk (mean position of its points near the lowest one), its base (the lowest
one), and how far it reaches in each direction. The points of the target and those of its matched prediction fall into
bins of equal width between 0 and that reach; points outside of it are excluded.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Array, Bools, Floats, Ints, parts_of, slices
from randcrowns.core.errors import InputError
from randcrowns.core.instances.overlap import CHUNK, Instances, group, rows_by_instance
from randcrowns.core.progress import Progress, aside, no_progress, part_of
from randcrowns.core.statistics import RATES, known_mean, overlap_rates

#: Across (distance to the trunk) and up (height above the base).
AXES = ("xy", "z")
#: Part of a target's own points within its reach, as in the reference implementation; 1 is the documented maximum.
REACH = 0.95

_TRUNK_HEIGHT = 0.30
# Points at a time that are few enough for the processor's cache.
_PIECE = 1 << 15


class PartitionCounts(NamedTuple):
    """Points per target and bin: of the target, of its prediction, and of both."""

    #: target, prediction, both: (T, B) int64.
    target: Ints
    prediction: Ints
    both: Ints


def heights(z: Floats, targets: Instances) -> Floats:
    """(T,) largest less smallest z (N,) of each target's points, in the type of ``z``; InputError where not finite."""
    n = len(targets.ids)
    lowest = np.full(n + 1, np.inf, dtype=z.dtype)
    highest = np.full(n + 1, -np.inf, dtype=z.dtype)
    for some in slices(len(z), CHUNK):
        values, ends = group(np.ascontiguousarray(z[some]), targets.of(some), n + 1)
        present = np.flatnonzero(np.diff(ends))
        lowest[present] = np.minimum(lowest[present], np.minimum.reduceat(values, ends[present]))
        highest[present] = np.maximum(highest[present], np.maximum.reduceat(values, ends[present]))
    with np.errstate(invalid="ignore", over="ignore"):
        height = (highest - lowest)[:n]
    wrong = np.flatnonzero(~np.isfinite(height))
    if len(wrong):
        raise InputError(
            "Every point needs a z; target {target} has one that is not a finite number.",
            target=targets.ids[wrong[0]],
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
    reach: float = REACH,
    progress: Progress = no_progress,
) -> dict[str, PartitionCounts]:
    """For each axis the points of each target, and of its prediction, by bin.

    The bin of a distance d is floor((d / q) / (1 / B)), with q the reach. Distances too large for the type of ``xyz``
    are in no bin.

    Args:
        xyz: (N, 3) coordinates, finite.
        targets, predictions: the instances of the N points.
        matched: (T,) index of each target's prediction, -1 for none.
        axes: which of :data:`AXES`.
        n_bins: number of bins B.
        reach: the bins end at this quantile of the target's own distances; with 1 the farthest point still counts.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        counting = _Counting(xyz, targets, predictions, matched, axes, Binning(n_bins, reach >= 1))
        counting.count_own(reach, part_of(progress, 0, 0.7))
        counting.count_predictions(part_of(progress, 0.7, 1))
    tables = counting.own, counting.predicted, counting.both
    return {axis: PartitionCounts(*(table[axis][:, 1:-1] for table in tables)) for axis in axes}


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


def _trunks(x: Floats, y: Floats, in_trunk: Bools, local: Array, n: int) -> Floats:
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


# Targets of one prediction from which on it pays to sort its points.
_MANY = 12
# Beyond this many times its reach no rounding brings a point back into a target's bins.
_SURELY_BEYOND = 1 + 1e-5


def _sorted_counts(z: Floats, base: Floats, reach: Floats, binning: Binning) -> Ints:
    """(k, places) number of the sorted ``z`` in each place of k targets, by looking for where each place begins."""
    places = np.arange(1, binning.n_places)
    low = np.zeros((len(base), len(places)), dtype=np.int64)
    high = np.full_like(low, len(z))
    while (open_ := low < high).any():
        middle = (low + high) // 2
        height = z[np.minimum(middle, len(z) - 1)] - base[:, None]
        reached = binning.places(height, reach[:, None]) >= places
        np.copyto(low, middle + 1, where=open_ & ~reached)
        np.copyto(high, middle, where=open_ & reached)
    return np.diff(low, axis=1, prepend=0, append=len(z))


def _near(x: Floats, trunk: np.floating[Any], reach: np.floating[Any]) -> tuple[int, int]:
    """First and last (excluded) of the sorted ``x`` that may be within reach of the trunk."""
    far = float(reach) * _SURELY_BEYOND
    west, east = np.array([float(trunk) - far, float(trunk) + far]).astype(x.dtype)
    return int(np.searchsorted(x, west, side="left")), int(np.searchsorted(x, east, side="right"))


class Frames(NamedTuple):
    """Frames of T targets."""

    base: Floats  #: (T,) z of the lowest point.
    trunk: Floats  #: (2, T) x and y of the trunk.
    reach: dict[str, Floats]  #: one (T,) array per axis, the distance at which the bins end.

    def away(self, axis: str, x: Floats, y: Floats, z: Floats, target: Array | int) -> Floats:
        """How far each point is from its target, or from the one target, along an axis."""
        return z - self.base[target] if axis == "z" else _distance(x, y, self.trunk[:, target])


class Binning(NamedTuple):
    """Bins of equal width between 0 and the reach."""

    n_bins: int  #: number of bins.
    closed: bool  #: whether a point at the reach is in the last one.

    @property
    def n_places(self) -> int:
        """The bins, one place for what is below them and one for what is beyond."""
        return self.n_bins + 2

    def places(self, distance: Floats, reach: Floats | np.floating[Any]) -> Floats:
        """Place of each distance, 0 to n_bins + 1; never falls as the distance rises, and 0/0 is beyond.

        On the edge of a bin, rounding decides in the type of ``distance``, in the order of operations of the reference
        implementation: floor((d / q) / (1 / B)).
        """
        share = distance / reach
        place = share / share.dtype.type(1 / self.n_bins)
        np.floor(place, out=place)
        np.fmin(place, self.n_bins, out=place)
        if self.closed:
            np.minimum(place, self.n_bins - 1, out=place, where=share <= 1)
        np.maximum(place, -1, out=place)
        place += 1
        return cast("Floats", place)

    def counts(self, distance: Floats, reach: np.floating[Any]) -> Ints:
        """(places,) number of distances in each place."""
        return np.bincount(self.places(distance, reach).astype(np.int64), minlength=self.n_places)

    def cells(self, distance: Floats, reach: Floats, target: Array) -> Ints:
        """Cell of each point in a table of targets x places."""
        cell = target.astype(np.int64)
        cell *= self.n_places
        cell += self.places(distance, reach).astype(np.int64)
        return cell


class _Counting:
    """The points of each target, of its prediction and of both by bin; per axis (T, places), as they are counted."""

    def __init__(
        self,
        xyz: Floats,
        targets: Instances,
        predictions: Instances,
        matched: Ints,
        axes: tuple[str, ...],
        binning: Binning,
    ) -> None:
        self.xyz, self.targets, self.predictions = xyz, targets, predictions
        self.matched, self.binning = matched, binning
        n = len(targets.ids)
        reach = {axis: np.empty(n, xyz.dtype) for axis in axes}
        self.frames = Frames(np.empty(n, xyz.dtype), np.empty((2, n), xyz.dtype), reach)
        self.own, self.both, self.predicted = (
            {axis: np.zeros((n, binning.n_places), dtype=np.int64) for axis in axes}
            for _ in range(3)
        )

    def count_own(self, reach: float, progress: Progress) -> None:
        """Count the targets' own points, block of targets by block, and measure their frames on the way."""
        n, binning, frames = len(self.targets.ids), self.binning, self.frames
        rows, ends = aside(lambda _: rows_by_instance(self.targets), progress)
        first = 0
        while first < n:
            last = max(first + 1, int(np.searchsorted(ends, ends[first] + CHUNK, side="right")) - 1)
            block = slice(first, last)
            some = rows[ends[first] : ends[last]]
            starts = ends[first:last] - ends[first]
            size = self.targets.size[block]
            local = np.repeat(np.arange(last - first, dtype=np.int32), size)
            x, y, z = columns(self.xyz, some)
            frames.base[block] = np.minimum.reduceat(z, starts)
            trunk_top = (frames.base[block].astype(np.float64) + _TRUNK_HEIGHT).astype(
                self.xyz.dtype
            )
            frames.trunk[:, block] = _trunks(x, y, z <= trunk_top[local], local, last - first)
            progress(first / n)
            same = self.predictions.of(some) == self.matched[block][local]
            for axis, reaches in frames.reach.items():
                away = np.empty_like(z)
                for piece in slices(len(z), _PIECE):
                    owner = first + local[piece]
                    away[piece] = frames.away(axis, x[piece], y[piece], z[piece], owner)
                reaches[block] = _quantiles(away, starts, size, reach)
                progress(first / n)
                for piece in slices(len(z), _PIECE):
                    cell = binning.cells(away[piece], reaches[block][local[piece]], local[piece])
                    for counts, counted in ((self.own, cell), (self.both, cell[same[piece]])):
                        found = np.bincount(counted, minlength=(last - first) * binning.n_places)
                        counts[axis][block] += found.reshape(last - first, binning.n_places)
                    progress(first / n)
            first = last
            progress(first / n)

    def count_predictions(self, progress: Progress) -> None:
        """Count the points of the targets' predictions: those in both are known, the others are added."""
        self.predicted = {axis: counts.copy() for axis, counts in self.both.items()}
        number = np.bincount(self.matched[self.matched >= 0], minlength=len(self.predictions.ids))
        alone = np.append(number, 0)[self.matched] == 1
        shared = np.flatnonzero(number > 1)
        self._add_strays(alone, part_of(progress, 0.0, 0.5 if len(shared) else 1.0))
        if len(shared):
            self._count_shared(shared, part_of(progress, 0.5, 1.0))

    def _add_strays(self, alone: Bools, progress: Progress) -> None:
        """Add the points of predictions that a target has ``alone``, and that are not that target's."""
        n = len(self.targets.ids)
        owners = np.full(len(self.predictions.ids) + 1, n, dtype=np.int32)
        owners[self.matched[alone]] = np.flatnonzero(alone)
        for some in slices(len(self.xyz), CHUNK):
            owner = owners[self.predictions.of(some)]
            stray = np.flatnonzero((owner < n) & (owner != self.targets.of(some)))
            owner = owner[stray]
            x, y, z = columns(self.xyz, some.start + stray)
            for axis, reach in self.frames.reach.items():
                cell = self.binning.cells(
                    self.frames.away(axis, x, y, z, owner), reach[owner], owner
                )
                counts = self.predicted[axis]
                counts += np.bincount(cell, minlength=counts.size).reshape(counts.shape)
            progress(some.stop / len(self.xyz))

    def _count_shared(self, shared: Ints, progress: Progress) -> None:
        """Count all points of the ``shared`` predictions, in the frame of every target that has them."""
        order = np.argsort(self.matched, kind="stable")
        first, last = (
            np.searchsorted(self.matched[order], shared, side=side) for side in ("left", "right")
        )
        rows, ends = rows_by_instance(self.predictions)
        whole = int(((last - first) * self.predictions.size[shared]).sum())
        done = 0
        for prediction, some in zip(shared.tolist(), map(slice, first.tolist(), last.tolist())):
            owners = order[some]
            counting = self._count_sorted if len(owners) >= _MANY else self._count_each
            for counts in self.predicted.values():
                counts[owners] = 0
            for part in parts_of(rows[ends[prediction] : ends[prediction + 1]], CHUNK):
                counting(columns(self.xyz, part), owners)
                done += len(part) * len(owners)
                progress(done / whole)

    def _count_each(self, xyz: Floats, owners: Ints) -> None:
        """Add the points, (3, n), to the counts of each of a few targets."""
        for piece in slices(xyz.shape[1], _PIECE):
            x, y, z = xyz[:, piece]
            for owner in owners.tolist():
                for axis, reach in self.frames.reach.items():
                    away = self.frames.away(axis, x, y, z, owner)
                    self.predicted[axis][owner] += self.binning.counts(away, reach[owner])

    def _count_sorted(self, xyz: Floats, owners: Ints) -> None:
        """The same for many targets: what is sorted by z needs no look at each point, by x not at every one."""
        x, y, z = xyz
        frames, binning = self.frames, self.binning
        if "z" in self.predicted:
            z.sort()
            self.predicted["z"][owners] += _sorted_counts(
                z, frames.base[owners], frames.reach["z"][owners], binning
            )
        if "xy" in self.predicted:
            by_x = np.argsort(x)
            x, y = x[by_x], y[by_x]
            for owner in owners.tolist():
                reach = frames.reach["xy"][owner]
                first, last = _near(x, frames.trunk[0, owner], reach)
                for piece in slices(last - first, _PIECE):
                    near_x, near_y = x[first:last][piece], y[first:last][piece]
                    self.predicted["xy"][owner] += binning.counts(
                        frames.away("xy", near_x, near_y, z, owner), reach
                    )


def columns(xyz: Floats, rows: Ints) -> Floats:
    """(3, n) coordinates of the points in ``rows``."""
    found = np.empty((3, len(rows)), dtype=xyz.dtype)
    for piece in slices(len(rows), _PIECE):
        # take is faster, but copies the whole of an array in another order.
        some = xyz.take(rows[piece], axis=0) if xyz.flags.c_contiguous else xyz[rows[piece]]
        found[:, piece] = some.T
    return found


def _distance(x: Floats, y: Floats, trunk: Floats) -> Floats:
    """Distance of each point to its trunk, (2, n), or to one trunk, (2,)."""
    across = x - trunk[0]
    up = y - trunk[1]
    across *= across
    up *= up
    across += up
    return cast("Floats", np.sqrt(across, out=across))
