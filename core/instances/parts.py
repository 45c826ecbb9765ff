"""Points that a target's prediction has and the target itself has not, counted in the bins of that target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.instances.labels import CHUNK, Instances, rows_by_instance
from randcrowns.core.progress import Progress, part_of

# Targets of one prediction from which on it pays to sort its points.
_MANY = 12
# Beyond this many times its reach no rounding brings a point back into a target's bins.
_SURELY_BEYOND = 1 + 1e-5


def count_predictions(
    xyz: Floats,
    targets: Instances,
    predictions: Instances,
    matched: Ints,
    frames: Frames,
    binning: Binning,
    counts: dict[str, Ints],
    progress: Progress,
) -> None:
    """Count the points of each target's prediction by bin.

    Args:
        xyz: (N, 3) coordinates.
        targets, predictions: the instances of the N points.
        matched: (T,) index of each target's prediction, -1 for none.
        frames: of the targets.
        binning: the bins.
        counts: per axis (T, places) what is in both the target and its prediction; the rest is added.
        progress: receives how far the count is.
    """
    number = np.bincount(matched[matched >= 0], minlength=len(predictions.ids))
    alone = np.append(number, 0)[matched] == 1
    shared = np.flatnonzero(number > 1)
    half = part_of(progress, 0.0, 0.5 if len(shared) else 1.0)
    _add_strays(xyz, targets, predictions, np.where(alone, matched, -1), frames, binning, counts, half)
    if len(shared):
        _count_shared(xyz, predictions, matched, shared, frames, binning, counts, part_of(progress, 0.5, 1.0))


def _add_strays(
    xyz: Floats,
    targets: Instances,
    predictions: Instances,
    matched: Ints,
    frames: Frames,
    binning: Binning,
    counts: dict[str, Ints],
    progress: Progress,
) -> None:
    """Add the points of predictions that one target has, and that are not that target's."""
    n = len(targets.ids)
    owners = np.full(len(predictions.ids) + 1, n, dtype=np.int32)
    owners[matched[matched >= 0]] = np.flatnonzero(matched >= 0)
    for start in range(0, len(xyz), CHUNK):
        stop = min(start + CHUNK, len(xyz))
        owner = owners[predictions.of_points(start, stop)]
        stray = np.flatnonzero((owner < n) & (owner != targets.of_points(start, stop)))
        owner = owner[stray]
        x, y, z = columns(xyz, start + stray)
        for axis, reach in frames.reach.items():
            cell = binning.cells(frames.away(axis, x, y, z, owner), reach[owner], owner)
            counts[axis] += np.bincount(cell, minlength=counts[axis].size).reshape(counts[axis].shape)
        progress(stop / len(xyz))


def _count_shared(
    xyz: Floats,
    predictions: Instances,
    matched: Ints,
    shared: Ints,
    frames: Frames,
    binning: Binning,
    counts: dict[str, Ints],
    progress: Progress,
) -> None:
    """Count all points of the ``shared`` predictions, in the frame of every target that has them."""
    order = np.argsort(matched, kind="stable")
    first, last = (np.searchsorted(matched[order], shared, side=side) for side in ("left", "right"))
    rows, ends = rows_by_instance(predictions)
    whole = int(((last - first) * predictions.size[shared]).sum())
    done = 0
    for prediction, some in zip(shared.tolist(), map(slice, first.tolist(), last.tolist())):
        owners = order[some]
        counting = _count_sorted if len(owners) >= _MANY else _count_each
        for axis in counts:
            counts[axis][owners] = 0
        for start in range(ends[prediction], ends[prediction + 1], CHUNK):
            part = rows[start : min(start + CHUNK, ends[prediction + 1])]
            counting(columns(xyz, part), owners, frames, binning, counts)
            done += len(part) * len(owners)
            progress(done / whole)


def _count_each(xyz: Floats, owners: Ints, frames: Frames, binning: Binning, counts: dict[str, Ints]) -> None:
    """Add the points, (3, n), to the counts of each of a few targets."""
    for piece in pieces(xyz.shape[1]):
        x, y, z = xyz[:, piece]
        for owner in owners.tolist():
            for axis, reach in frames.reach.items():
                counts[axis][owner] += binning.counts(frames.away(axis, x, y, z, owner), reach[owner])


def _count_sorted(xyz: Floats, owners: Ints, frames: Frames, binning: Binning, counts: dict[str, Ints]) -> None:
    """The same for many targets: what is sorted by z needs no look at each point, what is by x not at every one."""
    x, y, z = xyz
    if "z" in counts:
        z.sort()
        counts["z"][owners] += _sorted_counts(z, frames.base[owners], frames.reach["z"][owners], binning)
    if "xy" in counts:
        by_x = np.argsort(x)
        x, y = x[by_x], y[by_x]
        for owner in owners.tolist():
            reach = frames.reach["xy"][owner]
            first, last = _near(x, frames.trunk[0, owner], reach)
            for piece in pieces(last - first):
                near_x, near_y = x[first:last][piece], y[first:last][piece]
                counts["xy"][owner] += binning.counts(frames.away("xy", near_x, near_y, z, owner), reach)


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


#: Across (distance to the trunk) and up (height above the base).
AXES = ("xy", "z")

_PIECE = 1 << 15


class Frames(NamedTuple):
    """Frames of T targets.

    Attributes:
        base: (T,) z of the lowest point.
        trunk: (2, T) x and y of the trunk.
        reach: one (T,) array per axis, the distance at which the bins end.
    """

    base: Floats
    trunk: Floats
    reach: dict[str, Floats]

    def away(self, axis: str, x: Floats, y: Floats, z: Floats, target: np.ndarray | int) -> Floats:
        """How far each point is from its target, or from the one target, along an axis."""
        return z - self.base[target] if axis == "z" else _distance(x, y, self.trunk[:, target])


class Binning(NamedTuple):
    """Bins of equal width between 0 and the reach.

    Attributes:
        n_bins: number of bins.
        closed: whether a point at the reach is in the last one.
    """

    n_bins: int
    closed: bool

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
        return place

    def counts(self, distance: Floats, reach: np.floating[Any]) -> Ints:
        """(places,) number of distances in each place."""
        return np.bincount(self.places(distance, reach).astype(np.int64), minlength=self.n_places)

    def cells(self, distance: Floats, reach: Floats, target: np.ndarray) -> Ints:
        """Cell of each point in a table of targets x places."""
        cell = target.astype(np.int64)
        cell *= self.n_places
        cell += self.places(distance, reach).astype(np.int64)
        return cell


def pieces(n: int) -> Iterator[slice]:
    """Slices of n points that are few enough for the processor's cache."""
    return (slice(start, min(start + _PIECE, n)) for start in range(0, n, _PIECE))


def columns(xyz: Floats, rows: Ints) -> Floats:
    """(3, n) coordinates of the points in ``rows``."""
    found = np.empty((3, len(rows)), dtype=xyz.dtype)
    for piece in pieces(len(rows)):
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
    return np.sqrt(across, out=across)
