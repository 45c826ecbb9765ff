"""More tabulated distances where reading between two of them could move a score too far.

O bends where a delineation's outline meets that of T(r) along a stretch, or a gap closes, and a cubic between two nodes
cuts the corner. How much that moves a score depends on how large its four terms are. Both are estimated for every pair
and every cell between two nodes; cells that could err too much are split, as often as it takes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randcrowns.core.grid_nodes import Nodes, Sharing, Slots
from randcrowns.core.offsets import Offsets

__all__ = ["refined"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

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
    nodes: Nodes, offsets: Offsets, slots: Slots, omegas: Floats, gammas: Floats, least_certain: Floats
) -> Nodes:
    """The nodes with those added that the scores need.

    Args:
        nodes: of the T targets, the omegas among them.
        offsets, slots: the targets and their delineations.
        omegas, gammas: of the grid, growing.
        least_certain: (J, T) the smallest A(-alpha) of the grid that the delineation has part of; infinite where it
            has part of none, so that it scores 0 whatever else it covers.
    """
    ratios = gammas[gammas > 0]
    if len(ratios) == 0:
        return nodes
    whole = nodes.shared[-1]
    for _ in range(_ROUNDS):
        error = (_misread(nodes) * _sensitivity(nodes, whole, omegas, ratios, least_certain)).max(axis=1)
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


def _sensitivity(nodes: Nodes, whole: Floats, omegas: Floats, ratios: Floats, least_certain: Floats) -> Floats:
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
        area, shared, bare = (nodes.at(values, node) for values in (nodes.area, nodes.shared, uncovered))
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


def _split(nodes: Nodes, offsets: Offsets, slots: Slots, cell: Ints, target: Ints, pieces: Ints) -> Nodes:
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
