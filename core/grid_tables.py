"""A(r) and O(r) of any targets and delineations for a whole grid of parameters, from tables.

At -alpha and at omega the areas are tabulated as they are. O(omega + tau) is found without tau: O is a growing function
of A, tabulated at the same distances, interpolated (PCHIP), and read off where A has the wanted value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from randcrowns.core.areas import PairedEdges, pair_edges, polygon_edges, shared_areas
from randcrowns.core.offset_grid import ROUNDING
from randcrowns.core.offsets import Offsets, Shapes, without_contact

__all__ = ["Slots", "TableGrid", "table_grid"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Beyond the largest omega the tabulated distances grow by at least this share of themselves, per metre of step.
_WIDENING = 0.7
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


@dataclass(frozen=True)
class TableGrid:
    """Anything else, from tables; see :class:`randcrowns.core.offset_grid.OffsetGrid`.

    Attributes:
        target_area: (n, T) A at n growing distances from the smallest omega on.
        shared: (n, J, T) O there.
        slope: (n, J, T) dO/dA there.
        omega_node: (nO,) the distances that are omegas.
    """

    target_area: Floats
    shared: Floats
    slope: Floats
    omega_node: Ints
    certain_area: Floats
    certain_shared: Floats
    tolerated_shared: Floats
    delineation_area: Floats

    def edge_shared(self, omega: int, ring: Floats) -> Floats:
        wanted = ring + self.target_area[self.omega_node[omega]]
        node = _cells(self.target_area, wanted)
        _, n_slots, n_targets = self.shared.shape
        target = np.arange(n_targets)
        start = self.target_area[node, target]
        width = self.target_area[node + 1, target] - start
        along = np.clip((wanted - start) / width, 0.0, 1.0)[..., None, :]
        width = width[..., None, :]

        layer = n_slots * n_targets
        place = node[..., None, :] * layer + np.arange(layer).reshape(n_slots, n_targets)
        shared, slope = self.shared.ravel(), self.slope.ravel()
        low, low_slope = shared[place], slope[place]
        place += layer
        rise, high_slope = shared[place], slope[place]
        rise -= low
        low_slope *= width
        high_slope *= width
        # Cubic Hermite: low + t · (m0 + t · (3 · rise - 2 · m0 - m1 + t · (m0 + m1 - 2 · rise)))
        cubic = low_slope + high_slope
        cubic -= rise
        square = 2 * rise
        square -= cubic
        square -= low_slope
        cubic -= rise
        cubic *= along
        cubic += square
        cubic *= along
        cubic += low_slope
        cubic *= along
        cubic += low
        return np.asarray(cubic)


def table_grid(
    offsets: Offsets, slots: Slots, alphas: Floats, omegas: Floats, most_gamma: float, step: float
) -> TableGrid:
    """The grid of any targets and delineations.

    Areas are tabulated every ``step`` metres (further out less densely) until a target holds all its delineations, or
    is as large as any set of parameters makes it.

    Args:
        offsets: the T targets.
        slots: their delineations.
        alphas, omegas: metres, growing.
        most_gamma: the largest area ratio.
        step: metres between tabulated distances.
    """
    itself = offsets.area(offsets.at(0.0))
    sharing = _Sharing(offsets, slots, itself)
    certain_area, certain_shared = _inwards(offsets, sharing, alphas)
    certain_area, certain_shared = (without_contact(area, itself) for area in (certain_area, certain_shared))
    # A delineation that misses the largest true positive region scores 0 whatever else it covers.
    open_slots = certain_shared[0] > 0
    most_ring = most_gamma * certain_area[0]
    target_area, shared, omega_node = _outwards(offsets, sharing, open_slots, omegas, most_ring, step)
    return TableGrid(
        target_area=target_area,
        shared=shared,
        slope=_monotone_slopes(target_area[:, None, :], shared),
        omega_node=omega_node,
        certain_area=certain_area,
        certain_shared=certain_shared,
        tolerated_shared=shared[omega_node],
        delineation_area=sharing.whole,
    )


class _Sharing:
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


def _inwards(offsets: Offsets, sharing: _Sharing, alphas: Floats) -> tuple[Floats, Floats]:
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


def _outwards(
    offsets: Offsets, sharing: _Sharing, open_slots: Bools, omegas: Floats, most_ring: Floats, step: float
) -> tuple[Floats, Floats, Ints]:
    """(n, T) A and (n, J, T) O at growing distances, and which of these are omegas.

    A target is left alone once it holds the delineations in all its open slots or is as large as it can get: its A is
    then only made to grow on, by numbers nobody looks at.
    """
    distances = _distances(omegas, step)
    omega_node = np.searchsorted(distances, omegas)
    last_omega = omega_node[-1]
    rows = np.arange(len(offsets))
    area, inside = np.zeros(len(offsets)), np.zeros_like(sharing.whole)
    areas: list[Floats] = []
    shared: list[Floats] = []
    for k, distance in enumerate(distances):
        before, area = area, area + 1.0
        if len(rows):
            shapes = offsets.at(distance, rows)
            area[rows] = offsets.area(shapes)
            wanted = np.zeros_like(open_slots)
            wanted[:, rows] = open_slots[:, rows]
            inside = np.where(wanted, np.maximum(inside, sharing.areas(shapes, rows, wanted)), inside)
        areas.append(area)
        shared.append(inside)
        open_slots = open_slots & (inside < sharing.whole)
        enough = ~open_slots.any(axis=0)
        if k > last_omega:
            enough |= before >= areas[last_omega] + most_ring
            if enough[rows].all():
                break
        rows = rows[~enough[rows]]
    return np.array(areas), np.array(shared), omega_node


def _distances(omegas: Floats, step: float) -> Floats:
    """The omegas, distances between them no more than ``step`` apart, and distances beyond them."""
    parts = np.maximum(np.ceil(np.diff(omegas) / step - 1e-6).astype(np.int64), 1)
    between = [np.linspace(a, b, n, endpoint=False) for a, b, n in zip(omegas[:-1], omegas[1:], parts)]
    beyond = [omegas[-1]]
    while len(beyond) < 3 or beyond[-1] < _FARTHEST:
        beyond.append(beyond[-1] + step * max(1.0, _WIDENING * beyond[-1]))
    return np.concatenate([*between, beyond])


def _cells(nodes: Floats, wanted: Floats) -> Ints:
    """(…, T) number of the cell between two (n, T) growing nodes that each (…, T) wanted value lies in."""
    n_nodes, n_targets = nodes.shape
    scale = 0.5 / (nodes[-1] - nodes[0])
    target = np.arange(n_targets)
    keys = ((nodes - nodes[0]) * scale + target).T.ravel()
    found = np.searchsorted(keys, np.minimum((wanted - nodes[0]) * scale, 0.75) + target, "right")
    return np.asarray(np.clip(found - 1 - target * n_nodes, 0, n_nodes - 2))


def _monotone_slopes(x: Floats, y: Floats) -> Floats:
    """dy/dx at the nodes along the first axis that keep a cubic between growing values growing.

    The weighted harmonic mean of the slopes on both sides (Fritsch and Butland 1984, as in scipy's PCHIP, which wants
    the same x for all columns); at the ends the slope of the cell.
    """
    width = np.diff(x, axis=0)
    rise = np.diff(y, axis=0) / width
    left, right = rise[:-1], rise[1:]
    near, far = 2 * width[1:] + width[:-1], width[1:] + 2 * width[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = np.where((left > 0) & (right > 0), (near + far) / (near / left + far / right), 0.0)
    return np.concatenate([rise[:1], inner, rise[-1:]])
