"""Points that a target's prediction has and the target itself has not, counted in the bins of that target."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from randcrowns.core.label_counts import CHUNK, Instances, rows_by_instance
from randcrowns.core.progress import Progress
from randcrowns.core.tree_frames import Binning, Frames, columns, pieces

__all__ = ["count_predictions"]

Ints = NDArray[np.int64]
Floats = NDArray[np.floating[Any]]

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
        progress: told how far the count is.
    """
    number = np.bincount(matched[matched >= 0], minlength=len(predictions.ids))
    alone = np.append(number, 0)[matched] == 1
    _add_strays(xyz, targets, predictions, np.where(alone, matched, -1), frames, binning, counts, progress)
    if (number > 1).any():
        _count_shared(xyz, predictions, matched, np.flatnonzero(number > 1), frames, binning, counts, progress)


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
