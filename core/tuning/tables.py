"""A(r) and O(r) of any targets and delineations for a whole grid of parameters, read from tables.

At -alpha and at omega the areas are tabulated as they are. O(omega + tau) is found without tau: O is a growing function
of A, tabulated at the same distances, interpolated (PCHIP), and read off where A has the wanted value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.geometry.areas import (
    ROUNDING,
    PairedEdges,
    pair_edges,
    polygon_edges,
    shared_areas,
)
from randcrowns.core.scoring.offsets import Offsets, without_contact


@dataclass(frozen=True)
class OffsetGrid:
    """A of T targets and O of their delineations, J slots each, at nA alphas and nO omegas; square metres."""

    certain_area: Floats  #: (nA, T) A(-alpha); 0 where the target is too small.
    certain_shared: Floats  #: (nA, J, T) O(-alpha).
    tolerated_shared: Floats  #: (nO, J, T) O(omega).
    delineation_area: Floats  #: (J, T) area of each slot's delineation, 0 in an empty slot.
    #: (nO, T) the most that A(omega + tau) - A(omega) can be within the extent; infinite without one.
    rooms: Floats

    def edge_shared(self, omega: int, ring: Floats) -> Floats:
        """(…, J, T) O(omega + tau), omega by its number, where A(omega + tau) - A(omega) = ``ring`` (…, T): gamma times
        A(-alpha), or the room there is.

        Of delineations that do not touch the target the numbers are finite and mean nothing: they score 0 anyway.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class TableGrid(OffsetGrid):
    """Anything else, from tables."""

    target_area: Floats  #: (n, T) A at n growing distances from the smallest omega on.
    shared: Floats  #: (n, J, T) O there.
    slope: Floats  #: (n, J, T) dO/dA there.
    omega_node: Ints  #: (nO, T) the distances that are omegas.

    def edge_shared(self, omega: int, ring: Floats) -> Floats:
        _, n_slots, n_targets = self.shared.shape
        target = np.arange(n_targets)
        wanted = ring + self.target_area[self.omega_node[omega], target]
        node = _cells(self.target_area, wanted)
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
    offsets: Offsets, slots: Slots, alphas: Floats, omegas: Floats, gammas: Floats, step: float
) -> TableGrid:
    """The grid of any targets and delineations; alphas, omegas (metres) and gammas grow.

    Areas are tabulated every ``step`` metres (further out less densely, denser where the scores need it) until a target
    holds all its delineations, or is as large as any set of parameters makes it.
    """
    itself = offsets.whole_area()
    sharing = Sharing(offsets, slots, itself)
    certain_area, certain_shared = inwards(offsets, sharing, alphas)
    certain_area, certain_shared = (
        without_contact(area, itself) for area in (certain_area, certain_shared)
    )
    # A delineation that misses the largest true positive region scores 0 whatever else it covers.
    open_slots = certain_shared[0] > 0
    nodes = outwards(offsets, sharing, open_slots, omegas, gammas[-1] * certain_area[0], step)
    least_certain = np.where(certain_shared > 0, certain_area[:, None], np.inf).min(axis=0)
    nodes = refined(nodes, offsets, slots, omegas, gammas, least_certain)
    omega_node = nodes.rows_of(omegas)
    return TableGrid(
        target_area=nodes.area,
        shared=nodes.shared,
        slope=_monotone_slopes(nodes.area[:, None], nodes.shared),
        omega_node=omega_node,
        certain_area=certain_area,
        certain_shared=certain_shared,
        tolerated_shared=np.array([nodes.at(nodes.shared, node) for node in omega_node]),
        delineation_area=sharing.whole,
        rooms=_rooms(offsets, omegas),
    )


def _rooms(offsets: Offsets, omegas: Floats) -> Floats:
    """(nO, T) how much T(omega) can still grow within the extent, square metres; infinite without an extent."""
    reach = offsets.reach()
    if np.isinf(reach).all():
        return np.full((len(omegas), len(offsets)), np.inf)
    widest = offsets.area(offsets.at(reach))
    return np.array([np.maximum(widest - offsets.area(offsets.at(omega)), 0.0) for omega in omegas])


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

    The weighted harmonic mean of the slopes on both sides (Fritsch and Butland 1984, as in scipy's PCHIP, which
    requires the same x for all columns); at the ends the slope of the cell.
    """
    width = np.diff(x, axis=0)
    rise = np.diff(y, axis=0) / width
    left, right = rise[:-1], rise[1:]
    near, far = 2 * width[1:] + width[:-1], width[1:] + 2 * width[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = np.where((left > 0) & (right > 0), (near + far) / (near / left + far / right), 0.0)
    return np.concatenate([rise[:1], inner, rise[-1:]])


#: Beyond the largest omega the tabulated distances grow by at least this share of themselves, per metre of step.
_WIDENING = 0.7
#: A is taken to grow by this share of itself where it does not.
_STANDSTILL = 1e-12
#: Farther out than any target needs, metres.
_FARTHEST = 1e5


class Slots(NamedTuple):
    """The delineations of T targets, J slots each."""

    polygons: Objects  #: (M,) delineations, in the coordinates of the offsets.
    rows: Ints  #: (J, T) row of the slot's delineation, or -1 where the slot is empty.


class Nodes(NamedTuple):
    """A and O of T targets at n growing distances, each target's own."""

    distance: Floats  #: (n, T) metres; infinite where a target has fewer distances than others.
    area: Floats  #: (n, T) A, growing.
    shared: Floats  #: (n, J, T) O.

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
    """Areas that the offsets of T targets share with their delineations."""

    def __init__(self, offsets: Offsets, slots: Slots, target_area: Floats) -> None:
        n_slots, n_targets = slots.rows.shape
        filled = slots.rows >= 0
        used, place = np.unique(slots.rows[filled], return_inverse=True)
        drawn = slots.polygons[used]
        index = np.zeros(filled.shape, dtype=np.int64)
        index[filled] = place
        paired = pair_edges(
            polygon_edges(drawn), len(drawn), index.ravel(), np.tile(np.arange(n_targets), n_slots)
        )
        self._paired: PairedEdges = paired.of_pairs(filled.ravel())
        self._offsets = offsets
        #: (J, T) areas of the delineations, 0 in an empty slot.
        self.whole: Floats = np.where(filled, shapely.area(drawn)[index], 0.0)
        self.rounding: Floats = ROUNDING * (
            self.whole + target_area
        )  #: (J, T) areas too small to tell.

    def areas(self, shapes: Array, rows: Ints, wanted: Bools) -> Floats:
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
    offsets: Offsets,
    sharing: Sharing,
    open_slots: Bools,
    omegas: Floats,
    most_ring: Floats,
    step: float,
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
            inside = np.where(
                wanted, np.maximum(inside, sharing.areas(shapes, rows, wanted)), inside
            )
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
    between = [
        np.linspace(a, b, n, endpoint=False) for a, b, n in zip(omegas[:-1], omegas[1:], parts)
    ]
    beyond = [omegas[-1]]
    while len(beyond) < 3 or beyond[-1] < _FARTHEST:
        beyond.append(beyond[-1] + step * max(1.0, _WIDENING * beyond[-1]))
    return np.concatenate([*between, beyond])


#: Cells are split until no score is estimated to err more.
_NEAR = 1e-3
#: Most parts that a cell is split into at once, and how often cells are split.
_MOST_PIECES, _ROUNDS = 8, 4
#: A corner in the middle of a cell bends the slopes of the cells on both sides by half of itself, and a cubic misses it
#: there by 3/8 of that times the cell's width; in the cell beside it, whose slope at the node is off, by 4/27.
_CORNER, _BESIDE = 3 / 8, 4 / 27
#: What the larger of the two bends counts where the smaller is less: of several corners close together (the teeth of a
#: comb) one can straighten what another bends.
_CROWDED = 0.4


def refined(
    nodes: Nodes,
    offsets: Offsets,
    slots: Slots,
    omegas: Floats,
    gammas: Floats,
    least_certain: Floats,
) -> Nodes:
    """The nodes, the omegas among them, with those added that the scores need.

    ``least_certain`` (J, T) is the smallest A(-alpha) of the grid that the delineation has part of; infinite where it
    has part of none, so that it scores 0 whatever else it covers.
    """
    ratios = gammas[gammas > 0]
    if len(ratios) == 0:
        return nodes
    whole = nodes.shared[-1]
    for _ in range(_ROUNDS):
        error = (_misread(nodes) * _sensitivity(nodes, whole, omegas, ratios, least_certain)).max(
            axis=1
        )
        cell, target = np.nonzero(error > _NEAR)
        if len(cell) == 0:
            break
        pieces = np.minimum(np.ceil(error[cell, target] / _NEAR), _MOST_PIECES).astype(np.int64)
        nodes = _split(nodes, offsets, slots, cell, target, pieces)
    return nodes


def _misread(nodes: Nodes) -> Floats:
    """(n - 1, J, T) by how many square metres O may be misread within each cell."""
    width, rise = np.diff(nodes.area, axis=0)[:, None], np.diff(nodes.shared, axis=0)
    slope = rise / width
    bend = np.zeros_like(slope)
    if len(slope) > 1:
        bend[0] = np.abs(slope[1] - slope[0])
    bend[1:-1] = np.abs(np.diff(slope, 2, axis=0))
    ends = np.concatenate([bend[:1], bend, bend[-1:]])
    before, after = ends[:-2], ends[2:]
    beside = np.maximum(np.minimum(before, after), _CROWDED * np.maximum(before, after))
    # dO/dA is the share of the outline of T(r) that lies in D: O neither falls nor outgrows A.
    return np.minimum((_CORNER * beside + _BESIDE * bend) * width, np.minimum(rise, width - rise))


def _sensitivity(
    nodes: Nodes, whole: Floats, omegas: Floats, ratios: Floats, least_certain: Floats
) -> Floats:
    """(n - 1, J, T) the most that a score can move per square metre that O(omega + tau) is misread by in each cell.

    With n the root of b (Eq. 11), X = c + d and S the sum of all four terms, it is 2 · n · X / S². As a + d is at least
    half the square of R_a's area R, that is at most 2 · n / (n² + K) with K = R² / 2 + c; and it is at most 1 / (2 · n)
    and 0.65 / sqrt(c), whatever the other terms.
    """
    uncovered = nodes.area[:, None] - nodes.shared
    end = nodes.area[1:, None] - ratios[0] * least_certain
    # The largest omega with which a true negative region can end in the cell leaves c and n the smallest.
    inside, before = np.full(end.shape, -np.inf), np.full(end.shape, np.inf)
    for node in nodes.rows_of(omegas):
        area, shared, bare = (
            nodes.at(values, node) for values in (nodes.area, nodes.shared, uncovered)
        )
        fits = area <= end
        inside = np.where(fits, shared, inside)
        before = np.where(fits, bare, before)
    negative = np.maximum(uncovered[:-1] - before, 0.0)
    last = nodes.at(nodes.area, nodes.rows_of(omegas)[-1])
    certain = np.maximum((nodes.area[:-1] - last)[:, None] / ratios[-1], least_certain)
    beyond = whole - inside
    rest = certain**2 / 2 + beyond**2
    most_negative = uncovered[1:] - nodes.at(uncovered, nodes.rows_of(omegas)[0])
    worst = np.clip(np.sqrt(rest), negative, most_negative)
    with np.errstate(divide="ignore"):
        most = np.minimum(2 * worst / (worst**2 + rest), np.minimum(0.5 / negative, 0.65 / beyond))
    return np.where(np.isfinite(before), most, 0.0)


def _split(
    nodes: Nodes, offsets: Offsets, slots: Slots, cell: Ints, target: Ints, pieces: Ints
) -> Nodes:
    """The nodes with cells number ``cell`` of the targets ``target`` split into so many equal ``pieces``."""
    below, rows, parts = (np.repeat(values, pieces - 1) for values in (cell, target, pieces))
    nth = np.arange(len(rows)) - np.repeat(np.cumsum(pieces - 1) - pieces + 1, pieces - 1) + 1
    low, high = nodes.distance[below, rows], nodes.distance[below + 1, rows]
    distance = low + nth / parts * (high - low)

    some = offsets.take(rows)
    sharing = Sharing(some, Slots(slots.polygons, slots.rows[:, rows]), some.whole_area())
    shapes = some.at(distance)
    floor, ceiling = (nodes.shared[below + i, :, rows].T for i in (0, 1))
    shared = sharing.areas(shapes, np.arange(len(rows)), floor < ceiling)
    return nodes.with_more(rows, distance, some.area(shapes), np.clip(shared, floor, ceiling))
