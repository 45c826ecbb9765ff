"""The frame of a tree, in which its parts are told apart: where it stands, how far it reaches, and bins in between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["AXES", "Binning", "Frames", "columns", "pieces"]

Floats = NDArray[np.floating[Any]]

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

    def away(self, axis: str, x: Floats, y: Floats, z: Floats, target: NDArray[Any] | int) -> Floats:
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

    def counts(self, distance: Floats, reach: np.floating[Any]) -> NDArray[np.int64]:
        """(places,) number of distances in each place."""
        return np.bincount(self.places(distance, reach).astype(np.int64), minlength=self.n_places)

    def cells(self, distance: Floats, reach: Floats, target: NDArray[np.int32]) -> NDArray[np.int64]:
        """Cell of each point in a table of targets x places."""
        cell = target.astype(np.int64)
        cell *= self.n_places
        cell += self.places(distance, reach).astype(np.int64)
        return cell


def pieces(n: int) -> Iterator[slice]:
    """Slices of n points that are few enough for the processor's cache."""
    return (slice(start, min(start + _PIECE, n)) for start in range(0, n, _PIECE))


def columns(xyz: Floats, rows: NDArray[np.integer[Any]]) -> Floats:
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
