"""Tables of A(r) and O(r) of any targets and delineations for a whole grid of parameters.

A(r) is the area of the target T offset by the distance r, and O(r) the area that this offset T(r)
shares with a delineation (see :mod:`randcrowns.core.scoring.offsets`). At r = -alpha and r = omega
they are computed exactly. O(omega + tau) is found without tau: O is a rising function of A, known
at the nodes of a table, interpolated between them by a monotone cubic (PCHIP), and read where A has
the value A(omega) + gamma · A(-alpha).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.geometry.areas import (
    AREA_ROUNDING,
    PairedEdges,
    pair_edges,
    polygon_edges,
    shared_areas,
)
from randcrowns.core.scoring.offsets import Offsets, drop_contact_areas


@dataclass(frozen=True)
class OffsetAreas:
    """A(r) of T targets and O(r) of their delineations at nA alphas and nO omegas.

    Each target has J slots for delineations, some of which may be empty.
    """

    #: (nA, T) A(-alpha), m²; 0 if the target is too small.
    certain_area: Floats
    #: (nA, J, T) O(-alpha), m².
    certain_shared: Floats
    #: (nO, J, T) O(omega), m².
    tolerated_shared: Floats
    #: (J, T) area of each slot's delineation, m²; 0 in an empty slot.
    delineation_area: Floats
    #: (nO, T) maximum of A(omega + tau) - A(omega) within the extent, m²; infinite without one.
    max_ring: Floats

    def edge_shared(self, omega: int, ring: Floats) -> Floats:
        """Compute O(omega + tau) for tau such that A(omega + tau) - A(omega) is the ring's area.

        Args:
            omega: index of omega.
            ring: (…, T) area of the true negative region, gamma · A(-alpha), but at most
                ``max_ring``; m².

        Returns:
            (…, J, T) O(omega + tau), m². Values of delineations that do not touch the certain
            region are finite but arbitrary, because these score 0 anyway.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class TableAreas(OffsetAreas):
    """Areas of targets and delineations of any shape, interpolated from n nodes."""

    #: (n, T) A at rising distances from the smallest omega on, m².
    node_area: Floats
    #: (n, J, T) O at these distances, m².
    node_shared: Floats
    #: (n, J, T) dO/dA at these distances.
    node_slope: Floats
    #: (nO, T) index of the node of each omega.
    omega_node: Ints

    def edge_shared(self, omega: int, ring: Floats) -> Floats:
        """Compute O(omega + tau); see :meth:`OffsetAreas.edge_shared`."""
        _, n_slots, n_targets = self.node_shared.shape
        target_rows = np.arange(n_targets)
        edge_area = ring + self.node_area[self.omega_node[omega], target_rows]
        # Cell of the table that contains each area, and the position in it, 0 to 1.
        cell_rows = _find_cells(self.node_area, edge_area)
        start_area = self.node_area[cell_rows, target_rows]
        cell_width = self.node_area[cell_rows + 1, target_rows] - start_area
        position = np.clip((edge_area - start_area) / cell_width, 0.0, 1.0)
        # Shapes (…, 1, T), which broadcast over the slots.
        slot_position = position[..., None, :]
        slot_width = cell_width[..., None, :]

        # Indices into flattened arrays and operations in place: these arrays are the largest.
        node_size = n_slots * n_targets
        index_in_node = np.arange(node_size).reshape(n_slots, n_targets)
        node_index = cell_rows[..., None, :] * node_size + index_in_node
        shared = self.node_shared.ravel()
        slope = self.node_slope.ravel()
        low = shared[node_index]
        low_slope = slope[node_index]
        # From here on the index is that of the node at the upper end of the cell.
        node_index += node_size
        rise = shared[node_index]
        rise -= low
        high_slope = slope[node_index]
        low_slope *= slot_width
        high_slope *= slot_width
        return _evaluate_hermite(slot_position, low, rise, low_slope, high_slope)


def _evaluate_hermite(
    position: Floats, low: Floats, rise: Floats, low_slope: Floats, high_slope: Floats
) -> Floats:
    """Evaluate cubic Hermite polynomials on the unit interval.

    With t = ``position``, and m0 and m1 for the two slopes, the value is
    low + t · (m0 + t · (3 · rise - 2 · m0 - m1 + t · (m0 + m1 - 2 · rise))).

    Args:
        position: positions t, 0 to 1.
        low: values at t = 0.
        rise: values at t = 1 minus ``low``.
        low_slope: derivatives by t at t = 0.
        high_slope: derivatives by t at t = 1.
    """
    # Operations in place: these arrays are the largest of the table.
    cubic = low_slope + high_slope
    cubic -= rise
    square = 2 * rise
    square -= cubic
    square -= low_slope
    cubic -= rise
    cubic *= position
    cubic += square
    cubic *= position
    cubic += low_slope
    cubic *= position
    cubic += low
    return np.asarray(cubic)


def tabulate_areas(
    offsets: Offsets, slots: Slots, alphas: Floats, omegas: Floats, gammas: Floats, step: float
) -> TableAreas:
    """Tabulate the areas of targets and delineations of any shape.

    Areas are computed every ``step`` metres, less densely far out and more densely where the scores
    need it, until a target holds all its delineations or is as large as any set of parameters can
    make it.

    Args:
        offsets: offsets of T targets.
        slots: the delineations of each target.
        alphas: (nA,) rising values, metres.
        omegas: (nO,) rising values, metres.
        gammas: (nG,) rising values.
        step: distance between nodes, metres.

    Returns:
        The areas, and the nodes between which they are interpolated.

    >>> target = np.array([[0.0, 0.0, 4.0, 4.0]])
    >>> slots = Slots(np.array([shapely.box(0, 0, 4, 2)]), np.array([[0]]))
    >>> from randcrowns.core.scoring.offsets import BoxOffsets
    >>> one, three = np.array([1.0]), np.array([3.0])
    >>> grid = tabulate_areas(BoxOffsets(target), slots, one, one, three, 0.1)
    >>> grid.certain_area.tolist(), grid.certain_shared.tolist(), grid.tolerated_shared.tolist()
    ([[4.0]], [[[2.0]]], [[[8.0]]])
    """
    whole_area = offsets.target_area()
    overlaps = SlotOverlaps(offsets, slots, whole_area)
    certain_area, certain_shared = shrunk_areas(offsets, overlaps, alphas)
    certain_area = drop_contact_areas(certain_area, whole_area)
    certain_shared = drop_contact_areas(certain_shared, whole_area)

    # A delineation that misses the largest true positive region scores 0 whatever else it covers.
    is_open = certain_shared[0] > 0
    max_ring = gammas[-1] * certain_area[0]
    coarse_nodes = tabulate_nodes(offsets, overlaps, is_open, omegas, max_ring, step)
    shared_certain = np.where(certain_shared > 0, certain_area[:, np.newaxis], np.inf)
    min_certain = shared_certain.min(axis=0)
    nodes = refine_nodes(coarse_nodes, offsets, slots, omegas, gammas, min_certain)
    omega_node = nodes.rows_at(omegas)
    tolerated_shared = [nodes.select(nodes.shared, row) for row in omega_node]
    return TableAreas(
        node_area=nodes.area,
        node_shared=nodes.shared,
        node_slope=_monotone_slopes(nodes.area[:, np.newaxis], nodes.shared),
        omega_node=omega_node,
        certain_area=certain_area,
        certain_shared=certain_shared,
        tolerated_shared=np.array(tolerated_shared),
        delineation_area=overlaps.delineation_area,
        max_ring=_max_ring(offsets, omegas),
    )


def _max_ring(offsets: Offsets, omegas: Floats) -> Floats:
    """Return by how much T(omega) can still grow within the extent.

    Args:
        offsets: offsets of T targets.
        omegas: (nO,) metres.

    Returns:
        (nO, T) areas, m²; infinite without an extent.
    """
    covering_distance = offsets.covering_distance()
    if np.isinf(covering_distance).all():
        return np.full((len(omegas), len(offsets)), np.inf)
    max_area = offsets.area(offsets.shapes_at(covering_distance))
    max_rings = []
    for omega in omegas:
        omega_area = offsets.area(offsets.shapes_at(omega))
        # Rounding must not make the ring negative.
        max_rings.append(np.maximum(max_area - omega_area, 0.0))
    return np.array(max_rings)


def _find_cells(nodes: Floats, values: Floats) -> Ints:
    """Find the cell between two consecutive nodes that holds each value.

    Args:
        nodes: (n, T) rising nodes of each target.
        values: (…, T) values of each target.

    Returns:
        (…, T) index of the node at the lower end of the cell; values outside the nodes are in the
        first or last cell.
    """
    n_nodes, n_targets = nodes.shape
    # One search serves all targets: the nodes of target t are scaled to the range t to t + 0.5, and
    # values beyond its last node to at most t + 0.75, which is below the nodes of target t + 1.
    scale = 0.5 / (nodes[-1] - nodes[0])
    target_rows = np.arange(n_targets)
    node_keys = (nodes - nodes[0]) * scale + target_rows
    value_keys = np.minimum((values - nodes[0]) * scale, 0.75) + target_rows
    # Target by target, so that the keys rise.
    rising_keys = node_keys.T.ravel()
    positions = np.searchsorted(rising_keys, value_keys, side="right")
    cell_rows = positions - 1 - target_rows * n_nodes
    return np.asarray(np.clip(cell_rows, 0, n_nodes - 2))


def _monotone_slopes(x: Floats, y: Floats) -> Floats:
    """Return slopes at nodes for which the cubics between rising nodes rise, too.

    Inside, the slope is the weighted harmonic mean of the slopes on both sides (Fritsch and
    Butland 1984, as in scipy's PCHIP, which requires the same x for all columns); at both ends it
    is the slope of the cell.

    Args:
        x: (n, …) rising along the first axis.
        y: (n, …) not falling along the first axis; broadcasts with ``x``.

    Returns:
        (n, …) dy/dx.
    """
    width = np.diff(x, axis=0)
    cell_slope = np.diff(y, axis=0) / width
    left = cell_slope[:-1]
    right = cell_slope[1:]
    left_weight = 2 * width[1:] + width[:-1]
    right_weight = width[1:] + 2 * width[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        harmonic_mean = (left_weight + right_weight) / (left_weight / left + right_weight / right)
    inner = np.where((left > 0) & (right > 0), harmonic_mean, 0.0)
    return np.concatenate([cell_slope[:1], inner, cell_slope[-1:]])


#: Minimum growth of the distance from node to node beyond the largest omega, relative to the
#: distance, per metre of step.
_WIDENING = 0.7
#: Growth of A from node to node, relative to A, that is assumed if A does not grow.
_MIN_GROWTH = 1e-12
#: Distance that no set of parameters reaches, metres.
_MAX_DISTANCE = 1e5
#: Part of a step by which the space between two omegas may exceed a number of whole steps.
_STEP_TOLERANCE = 1e-6
#: Minimum number of nodes from the largest omega on, even if that exceeds ``_MAX_DISTANCE``.
_MIN_NODES_BEYOND = 3


class Slots(NamedTuple):
    """Delineations of T targets, in J slots per target."""

    #: (M,) polygons of the delineations, in the coordinates of the offsets.
    polygons: Objects
    #: (J, T) index of each slot's delineation; -1 if the slot is empty.
    polygon_index: Ints


class Nodes(NamedTuple):
    """A(r) and O(r) of T targets at n rising distances r; each target has its own distances."""

    #: (n, T) r, metres; infinite at the end if a target has fewer nodes than others.
    distance: Floats
    #: (n, T) A(r), m², rising.
    area: Floats
    #: (n, J, T) O(r), m².
    shared: Floats

    def rows_at(self, distances: Floats) -> Ints:
        """Return the indices (m, T) of the nodes at (m,) distances that all targets have."""
        return np.asarray((self.distance < distances[:, None, None]).sum(axis=1))

    def select(self, values: Floats, rows: Ints) -> Floats:
        """Return the values (…, T) at one node of each target.

        Args:
            values: (n, …, T) values at all nodes.
            rows: (T,) index of the node of each target.
        """
        return np.asarray(np.moveaxis(values, -1, 1)[rows, np.arange(len(rows))].T)

    def insert(self, target: Ints, distance: Floats, area: Floats, shared: Floats) -> Nodes:
        """Return the nodes with m nodes added, in the order of distance.

        Args:
            target: (m,) index of the target of each new node.
            distance: (m,) r of the new nodes, metres.
            area: (m,) A(r), m².
            shared: (J, m) O(r), m².
        """
        n_targets = self.area.shape[1]
        by_target = np.argsort(target, kind="stable")
        target_rows = target[by_target]
        n_rows = np.bincount(target_rows, minlength=n_targets).max()
        # Number of each new node among those of its target, from 0.
        first_of_target = np.searchsorted(target_rows, target_rows)
        new_rows = np.arange(len(target_rows)) - first_of_target

        # All targets get as many new nodes as the target with most. Surplus nodes are at an
        # infinite distance and never used; they extend the last node so that areas rise.
        added = Nodes(
            distance=np.full((n_rows, n_targets), np.inf),
            area=self.area[-1] + np.arange(1, n_rows + 1)[:, None],
            shared=np.repeat(self.shared[-1:], n_rows, axis=0),
        )
        added.distance[new_rows, target_rows] = distance[by_target]
        added.area[new_rows, target_rows] = area[by_target]
        added.shared[new_rows, :, target_rows] = shared[:, by_target].T

        all_distances = np.concatenate([self.distance, added.distance])
        all_areas = np.concatenate([self.area, added.area])
        all_shared = np.concatenate([self.shared, added.shared])
        by_distance = np.argsort(all_distances, axis=0, kind="stable")
        return Nodes(
            distance=np.take_along_axis(all_distances, by_distance, axis=0),
            area=np.take_along_axis(all_areas, by_distance, axis=0),
            shared=np.take_along_axis(all_shared, by_distance[:, None], axis=0),
        )


class SlotOverlaps:
    """Areas that offsets of T targets share with the delineations in their J slots.

    Args:
        offsets: offsets of the targets.
        slots: the delineations.
        target_area: (T,) areas of the targets, m².
    """

    #: (J, T) areas of the delineations, m²; 0 in an empty slot.
    delineation_area: Floats
    #: (J, T) areas that are within the rounding error of 0, m².
    tolerance: Floats

    def __init__(self, offsets: Offsets, slots: Slots, target_area: Floats) -> None:
        n_slots, n_targets = slots.polygon_index.shape
        is_filled = slots.polygon_index >= 0
        used_rows, used_index = np.unique(slots.polygon_index[is_filled], return_inverse=True)
        delineations = slots.polygons[used_rows]
        delineation_rows = np.zeros(is_filled.shape, dtype=np.int64)
        delineation_rows[is_filled] = used_index
        all_pairs = pair_edges(
            polygon_edges(delineations),
            n_polygons=len(delineations),
            polygon=delineation_rows.ravel(),
            target=np.tile(np.arange(n_targets), n_slots),
        )
        self._pairs: PairedEdges = all_pairs.select_pairs(is_filled.ravel())
        self._offsets = offsets
        self.delineation_area = np.where(
            is_filled, shapely.area(delineations)[delineation_rows], 0.0
        )
        self.tolerance = AREA_ROUNDING * (self.delineation_area + target_area)

    def areas(self, shapes: Array, target_rows: Ints, is_selected: Bools) -> Floats:
        """Compute the areas that shapes share with the delineations in the selected slots.

        Args:
            shapes: (m,) shapes of the offsets, one per target in ``target_rows``.
            target_rows: (m,) indices of targets.
            is_selected: (J, T) mask of slots.

        Returns:
            (J, T) areas, m²; 0 in the other slots. Areas within the rounding error of 0 or of the
            whole delineation are exactly that.
        """
        shape_edges = self._offsets.edges(shapes)
        shape_edges = shape_edges._replace(polygon=target_rows[shape_edges.polygon])
        pairs = self._pairs.select_pairs(is_selected.ravel())
        area = shared_areas(shape_edges, pairs, len(self._offsets)).reshape(is_selected.shape)
        area[area <= self.tolerance] = 0.0
        is_whole = area >= self.delineation_area - self.tolerance
        return np.where(is_whole, self.delineation_area, area)


def shrunk_areas(offsets: Offsets, overlaps: SlotOverlaps, alphas: Floats) -> tuple[Floats, Floats]:
    """Compute A(-alpha) and O(-alpha).

    A delineation that covers or misses T(-alpha) does so for all larger alphas, which saves most
    overlays.

    Args:
        offsets: offsets of T targets.
        overlaps: areas shared with their delineations.
        alphas: (nA,) rising values, metres.

    Returns:
        (nA, T) A(-alpha) and (nA, J, T) O(-alpha), m².

    >>> from randcrowns.core.scoring.offsets import BoxOffsets
    >>> offsets = BoxOffsets(np.array([[0.0, 0.0, 4.0, 4.0]]))
    >>> slots = Slots(np.array([shapely.box(0, 0, 4, 2)]), np.array([[0]]))
    >>> overlaps = SlotOverlaps(offsets, slots, np.array([16.0]))
    >>> [area.tolist() for area in shrunk_areas(offsets, overlaps, np.array([1.0]))]
    [[[4.0]], [[[2.0]]]]
    """
    area = np.empty((len(alphas), len(offsets)))
    shared = np.zeros((len(alphas), *overlaps.delineation_area.shape))
    target_rows = np.arange(len(offsets))
    is_partial = overlaps.delineation_area > 0
    is_covered = np.zeros_like(is_partial)
    for row, alpha in enumerate(alphas):
        shapes = offsets.shapes_at(-alpha)
        area[row] = offsets.area(shapes)
        partial_areas = overlaps.areas(shapes, target_rows, is_partial)
        shared[row] = np.where(is_covered, area[row], partial_areas)
        # From here on for all larger alphas.
        is_covered |= is_partial & (shared[row] >= area[row] - overlaps.tolerance)
        is_missed = shared[row] <= 0
        is_partial &= ~is_covered & ~is_missed
    return area, shared


def tabulate_nodes(
    offsets: Offsets,
    overlaps: SlotOverlaps,
    is_open: Bools,
    omegas: Floats,
    max_ring: Floats,
    step: float,
) -> Nodes:
    """Compute A(r) and O(r) at rising distances r, which include the omegas.

    A target is finished once it holds the delineations in all its open slots, is as large as any
    set of parameters can make it, or covers the extent. From then on its area grows by arbitrary
    numbers that are never used.

    Args:
        offsets: offsets of T targets.
        overlaps: areas shared with their delineations.
        is_open: (J, T) mask of slots whose O(r) is needed.
        omegas: (nO,) rising values, metres.
        max_ring: (T,) maximum of A(omega + tau) - A(omega), m².
        step: distance between nodes, metres.

    Returns:
        The nodes; all targets have the same distances.

    >>> from randcrowns.core.scoring.offsets import BoxOffsets
    >>> offsets = BoxOffsets(np.array([[0.0, 0.0, 4.0, 4.0]]))
    >>> slots = Slots(np.array([shapely.box(-9, 0, 9, 4)]), np.array([[0]]))
    >>> overlaps = SlotOverlaps(offsets, slots, np.array([16.0]))
    >>> is_open, max_ring = np.array([[True]]), np.array([9.0])
    >>> nodes = tabulate_nodes(offsets, overlaps, is_open, np.array([0.0, 0.5]), max_ring, 0.5)
    >>> nodes.distance[:3].ravel().tolist(), nodes.shared[:3].ravel().tolist()
    ([0.0, 0.5, 1.0], [16.0, 20.0, 24.0])
    """
    distances = _node_distances(omegas, step)
    last_omega = np.searchsorted(distances, omegas[-1])
    reach = offsets.covering_distance()
    unfinished_rows = np.arange(len(offsets))
    area = np.zeros(len(offsets))
    shared = np.zeros_like(overlaps.delineation_area)
    node_areas: list[Floats] = []
    node_shared: list[Floats] = []
    for node, distance in enumerate(distances):
        previous_area = area
        # Finished targets only have to grow.
        area = previous_area + 1.0
        if len(unfinished_rows):
            shapes = offsets.shapes_at(distance, unfinished_rows)
            # Within an extent that has several parts, T(r) can stop growing and start again.
            min_area = previous_area[unfinished_rows] * (1 + _MIN_GROWTH)
            area[unfinished_rows] = np.maximum(offsets.area(shapes), min_area)
            is_needed = np.zeros_like(is_open)
            is_needed[:, unfinished_rows] = is_open[:, unfinished_rows]
            overlap = overlaps.areas(shapes, unfinished_rows, is_needed)
            shared = np.where(is_needed, np.maximum(shared, overlap), shared)
        node_areas.append(area)
        node_shared.append(shared)

        is_open = is_open & (shared < overlaps.delineation_area)
        is_finished = ~is_open.any(axis=0) | (distance >= reach)
        if node > last_omega:
            is_finished |= previous_area >= node_areas[last_omega] + max_ring
            if is_finished[unfinished_rows].all():
                break
        unfinished_rows = unfinished_rows[~is_finished[unfinished_rows]]
    n_nodes = len(node_areas)
    node_distances = np.broadcast_to(distances[:n_nodes, None], (n_nodes, len(offsets)))
    return Nodes(distance=node_distances, area=np.array(node_areas), shared=np.array(node_shared))


def _node_distances(omegas: Floats, step: float) -> Floats:
    """Return the distances at which the areas of all targets are computed.

    They include the omegas and are evenly spaced between two omegas. Beyond the largest omega the
    spaces widen in proportion to the distance, up to a distance that no set of parameters reaches.

    Args:
        omegas: (nO,) rising values, metres.
        step: maximum distance between nodes up to the largest omega, metres.

    Returns:
        (n,) rising distances, metres.
    """
    distances = []
    for low, high in zip(omegas[:-1], omegas[1:]):
        # A space that exceeds a multiple of the step only by rounding gets no further node.
        n_steps = math.ceil((high - low) / step - _STEP_TOLERANCE)
        distances.append(np.linspace(low, high, max(n_steps, 1), endpoint=False))
    distance = omegas[-1]
    distances_beyond = [distance]
    while len(distances_beyond) < _MIN_NODES_BEYOND or distance < _MAX_DISTANCE:
        distance = distance + step * max(1.0, _WIDENING * distance)
        distances_beyond.append(distance)
    return np.concatenate([*distances, distances_beyond])


#: Maximum estimated error of a score; cells with a larger error are split.
_MAX_ERROR = 1e-3
#: Maximum number of parts into which a cell is split at once.
_MAX_PIECES = 8
#: Maximum number of times that cells are split.
_MAX_ROUNDS = 4
# A corner of O(A) in the middle of a cell changes the slope between the two cells beside it. Half
# of the change is at each end of the cell. The cubic misses the corner by 3/8 of that half times
# the cell's width. In the next cell, whose slope at the common node is wrong, the error is 4/27.
#: Error in the cell of a corner, relative to bend · width.
_CORNER_ERROR = 3 / 8
#: Error in the cell next to a corner, relative to bend · width.
_NEXT_CELL_ERROR = 4 / 27
#: Minimum weight of the larger of two bends: of several corners close together, as of the teeth of
#: a comb, one can straighten what another bends.
_MIN_BEND_WEIGHT = 0.4


def refine_nodes(
    nodes: Nodes,
    offsets: Offsets,
    slots: Slots,
    omegas: Floats,
    gammas: Floats,
    min_certain: Floats,
) -> Nodes:
    """Add nodes until the estimated error of all interpolated scores is below 1e-3.

    Args:
        nodes: the nodes, which include the omegas.
        offsets: offsets of T targets.
        slots: the delineations of each target.
        omegas: (nO,) rising values, metres.
        gammas: (nG,) rising values.
        min_certain: (J, T) smallest A(-alpha) of the grid that the delineation shares area with,
            m²; infinite if there is none, because the delineation then scores 0.

    Returns:
        The nodes with those added.

    >>> from randcrowns.core.scoring.offsets import BoxOffsets
    >>> offsets = BoxOffsets(np.array([[0.0, 0.0, 4.0, 4.0]]))
    >>> slots = Slots(np.array([shapely.box(-0.55, -0.55, 4.55, 4.55)]), np.array([[0]]))
    >>> overlaps = SlotOverlaps(offsets, slots, np.array([16.0]))
    >>> omegas, is_open = np.array([0.1, 1.0]), np.array([[True]])
    >>> nodes = tabulate_nodes(offsets, overlaps, is_open, omegas, np.array([5.0]), 0.1)
    >>> gammas, min_certain = np.array([1.0, 3.0]), np.array([[0.05]])
    >>> finer = refine_nodes(nodes, offsets, slots, omegas, gammas, min_certain)
    >>> len(finer.distance) > len(nodes.distance)
    True
    """
    positive_gammas = gammas[gammas > 0]
    if len(positive_gammas) == 0:
        return nodes
    max_shared = nodes.shared[-1]
    for _ in range(_MAX_ROUNDS):
        sensitivity = _score_sensitivity(nodes, max_shared, omegas, positive_gammas, min_certain)
        score_errors = _area_errors(nodes) * sensitivity
        # The largest error of the slots in each cell of each target.
        cell_errors = score_errors.max(axis=1)
        cell_rows, target_rows = np.nonzero(cell_errors > _MAX_ERROR)
        if len(cell_rows) == 0:
            break
        required_pieces = np.ceil(cell_errors[cell_rows, target_rows] / _MAX_ERROR)
        n_pieces = np.minimum(required_pieces, _MAX_PIECES).astype(np.int64)
        nodes = _split_cells(nodes, offsets, slots, cell_rows, target_rows, n_pieces)
    return nodes


def _area_errors(nodes: Nodes) -> Floats:
    """Estimate the largest error (n - 1, J, T) of interpolated O(A) in each cell, m²."""
    width = np.diff(nodes.area, axis=0)[:, np.newaxis]
    rise = np.diff(nodes.shared, axis=0)
    slope = rise / width
    bend = np.zeros_like(slope)
    if len(slope) > 1:
        bend[0] = np.abs(slope[1] - slope[0])
    bend[1:-1] = np.abs(np.diff(slope, 2, axis=0))

    # A corner in this cell bends both of the neighbouring cells.
    padded_bend = np.concatenate([bend[:1], bend, bend[-1:]])
    bend_before = padded_bend[:-2]
    bend_after = padded_bend[2:]
    smaller_bend = np.minimum(bend_before, bend_after)
    larger_bend = np.maximum(bend_before, bend_after)
    corner = np.maximum(smaller_bend, _MIN_BEND_WEIGHT * larger_bend)
    error = (_CORNER_ERROR * corner + _NEXT_CELL_ERROR * bend) * width
    # dO/dA is the share of the outline of T(r) that lies in D, so it is from 0 to 1.
    max_error = np.minimum(rise, width - rise)
    return np.minimum(error, max_error)


def _score_sensitivity(
    nodes: Nodes, max_shared: Floats, omegas: Floats, gammas: Floats, min_certain: Floats
) -> Floats:
    """Return an upper limit of the change of a score per m² of error of O(omega + tau).

    With the terms a to d of Eq. 10-13, n the root of b, X = c + d and S = a + b + c + d, the change
    is 2 · n · X / S². As a + d is at least half the square of R = A(-alpha), this is at most
    2 · n / (n² + K) with K = R² / 2 + c. It is also at most 1 / (2 · n) and 0.65 / sqrt(c),
    whatever the other terms.

    Args:
        nodes: n nodes of T targets with J slots.
        max_shared: (J, T) largest O, m².
        omegas: (nO,) rising values, metres.
        gammas: (nG,) rising values above 0.
        min_certain: (J, T) smallest A(-alpha), as in :func:`refine_nodes`.

    Returns:
        (n - 1, J, T) limits for omega + tau in each cell, 1/m²; 0 for cells that no set reaches.
    """
    uncovered = nodes.area[:, np.newaxis] - nodes.shared
    omega_rows = nodes.rows_at(omegas)

    # Among the omegas whose true negative region can end in a cell, the largest makes c and n the
    # smallest.
    max_omega_area = nodes.area[1:, np.newaxis] - gammas[0] * min_certain
    omega_shared = np.full(max_omega_area.shape, -np.inf)
    omega_uncovered = np.full(max_omega_area.shape, np.inf)
    for row in omega_rows:
        is_reached = nodes.select(nodes.area, row) <= max_omega_area
        omega_shared = np.where(is_reached, nodes.select(nodes.shared, row), omega_shared)
        omega_uncovered = np.where(is_reached, nodes.select(uncovered, row), omega_uncovered)
    min_n = np.maximum(uncovered[:-1] - omega_uncovered, 0.0)
    max_n = uncovered[1:] - nodes.select(uncovered, omega_rows[0])
    root_c = max_shared - omega_shared

    last_omega_area = nodes.select(nodes.area, omega_rows[-1])
    ring_area = (nodes.area[:-1] - last_omega_area)[:, np.newaxis]
    certain_area = np.maximum(ring_area / gammas[-1], min_certain)
    k = certain_area**2 / 2 + root_c**2
    # 2 · n / (n² + K) is largest at n = sqrt(K).
    worst_n = np.clip(np.sqrt(k), min_n, max_n)
    with np.errstate(divide="ignore"):
        limit_by_k = 2 * worst_n / (worst_n**2 + k)
        limit_by_n = 0.5 / min_n
        limit_by_c = 0.65 / root_c
    limit = np.minimum(limit_by_k, np.minimum(limit_by_n, limit_by_c))
    # Without an omega that reaches the cell, no score depends on it.
    return np.where(np.isfinite(omega_uncovered), limit, 0.0)


def _split_cells(
    nodes: Nodes, offsets: Offsets, slots: Slots, cell_rows: Ints, target_rows: Ints, n_pieces: Ints
) -> Nodes:
    """Return the nodes with cells split into pieces of equal distance.

    Args:
        nodes: nodes of T targets.
        offsets: offsets of the targets.
        slots: the delineations of each target.
        cell_rows: (c,) index of each cell to split.
        target_rows: (c,) target of the cell.
        n_pieces: (c,) number of pieces, at least 2.
    """
    n_new = n_pieces - 1
    new_cell_rows = np.repeat(cell_rows, n_new)
    new_target_rows = np.repeat(target_rows, n_new)
    # Number of each new node within its cell, from 1.
    first_of_cell = np.cumsum(n_new) - n_new
    number_in_cell = np.arange(len(new_cell_rows)) - np.repeat(first_of_cell, n_new) + 1
    position_in_cell = number_in_cell / np.repeat(n_pieces, n_new)
    low = nodes.distance[new_cell_rows, new_target_rows]
    high = nodes.distance[new_cell_rows + 1, new_target_rows]
    distance = low + position_in_cell * (high - low)

    # Each new node is the only target of its own offsets and slots.
    node_offsets = offsets.take(new_target_rows)
    node_slots = Slots(slots.polygons, slots.polygon_index[:, new_target_rows])
    overlaps = SlotOverlaps(node_offsets, node_slots, node_offsets.target_area())
    shapes = node_offsets.shapes_at(distance)
    min_shared = nodes.shared[new_cell_rows, :, new_target_rows].T
    max_shared = nodes.shared[new_cell_rows + 1, :, new_target_rows].T
    is_changing = min_shared < max_shared
    computed_shared = overlaps.areas(shapes, np.arange(len(new_target_rows)), is_changing)
    shared = np.clip(computed_shared, min_shared, max_shared)
    return nodes.insert(new_target_rows, distance, node_offsets.area(shapes), shared)
