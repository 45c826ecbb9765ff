"""A(r) and O(r) of targets and their delineations, tabulated at growing distances."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from randcrowns.core.areas import PairedEdges, pair_edges, polygon_edges, shared_areas
from randcrowns.core.offset_grid import ROUNDING
from randcrowns.core.offsets import Offsets, Shapes

__all__ = ["Nodes", "Sharing", "Slots", "inwards", "outwards"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Beyond the largest omega the tabulated distances grow by at least this share of themselves, per metre of step.
_WIDENING = 0.7
#: A is taken to grow by this share of itself where it does not.
_STANDSTILL = 1e-12
#: Farther out than any target needs, metres.
_FARTHEST = 1e5


class Slots(NamedTuple):
    """The delineations of T targets, J slots each.

    Attributes:
        polygons: (M,) delineations, in the coordinates of the offsets.
        rows: (J, T) row of the slot's delineation, or -1 where the slot is empty.
    """

    polygons: NDArray[np.object_]
    rows: Ints


class Nodes(NamedTuple):
    """A and O of T targets at n growing distances, each target's own.

    Attributes:
        distance: (n, T) metres; infinite where a target has fewer distances than others.
        area: (n, T) A, growing.
        shared: (n, J, T) O.
    """

    distance: Floats
    area: Floats
    shared: Floats

    def rows_of(self, distances: Floats) -> Ints:
        """(m, T) which nodes lie at ``distances``, that every target has."""
        return np.asarray((self.distance < distances[:, None, None]).sum(axis=1))

    def at(self, values: Floats, rows: Ints) -> Floats:
        """The (n, …, T) ``values`` of each target at its own of the (T,) ``rows``."""
        return np.asarray(np.moveaxis(values, -1, 1)[rows, np.arange(len(rows))].T)

    def with_more(self, target: Ints, distance: Floats, area: Floats, shared: Floats) -> Nodes:
        """The nodes with m more: the (m,) ``target`` that each belongs to, its distance and A, and (J, m) O."""
        order = np.argsort(target, kind="stable")
        target = target[order]
        count = np.bincount(target, minlength=self.area.shape[1])
        place = np.arange(len(target)) - np.searchsorted(target, target)
        # Nodes beyond a target's own, at which nobody looks, go on from its last.
        spare = np.arange(1, count.max() + 1)
        more = Nodes(
            np.full((len(spare), len(count)), np.inf),
            self.area[-1] + spare[:, None],
            np.repeat(self.shared[-1:], len(spare), axis=0),
        )
        more.distance[place, target] = distance[order]
        more.area[place, target] = area[order]
        more.shared[place, :, target] = shared[:, order].T
        joined = [np.concatenate(columns) for columns in zip(self, more)]
        by_distance = np.argsort(joined[0], axis=0, kind="stable")
        return Nodes(
            np.take_along_axis(joined[0], by_distance, 0),
            np.take_along_axis(joined[1], by_distance, 0),
            np.take_along_axis(joined[2], by_distance[:, None], 0),
        )


class Sharing:
    """Areas that the offsets of T targets share with their delineations.

    Attributes:
        whole: (J, T) areas of the delineations, 0 in an empty slot.
        rounding: (J, T) areas too small to tell.
    """

    def __init__(self, offsets: Offsets, slots: Slots, target_area: Floats) -> None:
        n_slots, n_targets = slots.rows.shape
        filled = slots.rows >= 0
        used, place = np.unique(slots.rows[filled], return_inverse=True)
        drawn = slots.polygons[used]
        slot, target = np.nonzero(filled)
        index = np.zeros(filled.shape, dtype=np.int64)
        index[slot, target] = place
        edges = polygon_edges(drawn)
        paired = pair_edges(edges, len(drawn), index.ravel(), np.tile(np.arange(n_targets), n_slots))
        self._paired: PairedEdges = paired.of_pairs(filled.ravel())
        self._offsets = offsets
        self.whole: Floats = np.where(filled, shapely.area(drawn)[index], 0.0)
        self.rounding: Floats = ROUNDING * (self.whole + target_area)

    def areas(self, shapes: Shapes, rows: Ints, wanted: Bools) -> Floats:
        """(J, T) areas that ``shapes``, one for each of the targets in ``rows``, share with the ``wanted`` slots."""
        edges = self._offsets.edges(shapes)
        edges = edges._replace(owner=rows[edges.owner])
        pairs = self._paired.of_pairs(wanted.ravel())
        area = shared_areas(edges, pairs, len(self._offsets)).reshape(wanted.shape)
        area[area <= self.rounding] = 0.0
        return np.where(area >= self.whole - self.rounding, self.whole, area)


def inwards(offsets: Offsets, sharing: Sharing, alphas: Floats) -> tuple[Floats, Floats]:
    """(nA, T) A(-alpha) and (nA, J, T) O(-alpha); what is covered or missed once stays so further inside."""
    area = np.empty((len(alphas), len(offsets)))
    shared = np.zeros((len(alphas), *sharing.whole.shape))
    rows = np.arange(len(offsets))
    unsettled = sharing.whole > 0
    covered = np.zeros_like(unsettled)
    for i, alpha in enumerate(alphas):
        shapes = offsets.at(-alpha)
        area[i] = offsets.area(shapes)
        shared[i] = np.where(covered, area[i], sharing.areas(shapes, rows, unsettled))
        covered |= unsettled & (shared[i] >= area[i] - sharing.rounding)
        unsettled &= ~covered & (shared[i] > 0)
    return area, shared


def outwards(
    offsets: Offsets, sharing: Sharing, open_slots: Bools, omegas: Floats, most_ring: Floats, step: float
) -> Nodes:
    """A and O at growing distances, the omegas among them.

    A target is left alone once it holds the delineations in all its open slots or is as large as it can get: its A is
    then only made to grow on, by numbers nobody looks at.
    """
    distances = _distances(omegas, step)
    last_omega = np.searchsorted(distances, omegas[-1])
    rows = np.arange(len(offsets))
    area, inside = np.zeros(len(offsets)), np.zeros_like(sharing.whole)
    reach = offsets.reach()
    areas: list[Floats] = []
    shared: list[Floats] = []
    for k, distance in enumerate(distances):
        before, area = area, area + 1.0
        if len(rows):
            shapes = offsets.at(distance, rows)
            # Within an extent of parts T(r) can stand still before it grows on.
            area[rows] = np.maximum(offsets.area(shapes), before[rows] * (1 + _STANDSTILL))
            wanted = np.zeros_like(open_slots)
            wanted[:, rows] = open_slots[:, rows]
            inside = np.where(wanted, np.maximum(inside, sharing.areas(shapes, rows, wanted)), inside)
        areas.append(area)
        shared.append(inside)
        open_slots = open_slots & (inside < sharing.whole)
        enough = ~open_slots.any(axis=0) | (distance >= reach)
        if k > last_omega:
            enough |= before >= areas[last_omega] + most_ring
            if enough[rows].all():
                break
        rows = rows[~enough[rows]]
    used = np.broadcast_to(distances[: len(areas), None], (len(areas), len(offsets)))
    return Nodes(used, np.array(areas), np.array(shared))


def _distances(omegas: Floats, step: float) -> Floats:
    """The omegas, distances between them no more than ``step`` apart, and distances beyond them."""
    parts = np.maximum(np.ceil(np.diff(omegas) / step - 1e-6).astype(np.int64), 1)
    between = [np.linspace(a, b, n, endpoint=False) for a, b, n in zip(omegas[:-1], omegas[1:], parts)]
    beyond = [omegas[-1]]
    while len(beyond) < 3 or beyond[-1] < _FARTHEST:
        beyond.append(beyond[-1] + step * max(1.0, _WIDENING * beyond[-1]))
    return np.concatenate([*between, beyond])
