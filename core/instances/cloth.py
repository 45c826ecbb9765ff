"""The cloth simulation filter (Zhang et al. 2016): a cloth falls on a cloud turned upside down."""

from __future__ import annotations

from typing import cast

import numpy as np
from scipy.ndimage import distance_transform_edt

from randcrowns.core.arrays import Bools, Floats, slices
from randcrowns.core.progress import Progress, aside, no_progress, part_of

#: Distance between the nodes of the cloth, metres.
MESH = 0.5

#: Points so near to the cloth are ground, metres.
_THRESHOLD = 0.5
#: Rounds at most; the cloth lies still once no node moves as far as this in a round, metres.
_ROUNDS, _STILL = 100, 0.005
#: Share of its last step that a node keeps, and how far it falls in the first, metres.
_KEPT, _FALL = 0.99, 0.2
#: Share of the height between two tied nodes that each goes, and that one goes whose other is held: rigidness 2.
_BOTH, _ONE = (1 - 0.4**2) / 2, 1 - 0.7**2
#: The cloth starts so far above what it falls on, metres, and is so many nodes larger on each side.
_ABOVE, _BEYOND = 0.05, 2
#: Steps to the nodes that a node is tied to: its neighbours, and as many twice as far away.
_TIES = [
    (far * y, far * x)
    for far in (1, 2)
    for y, x in ((-1, -1), (0, -1), (1, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, 1))
]
#: Nodes so many steps apart have no tie to a node in common: all of them move at once.
_APART = 5
_POINTS_AT_ONCE = 1 << 20


def filter_ground(xyz: Floats, progress: Progress = no_progress) -> Bools:
    """(N,) which points are within 0.5 m of a cloth of 0.5 m mesh and rigidness 2 that falls on the cloud from below.

    Args:
        xyz: (N, 3) coordinates, metres.

    Returns:
        The same for the same points, however often it is asked.
    """
    return aside(lambda tell: _filtered(xyz, tell), progress)


def _filtered(xyz: Floats, progress: Progress) -> Bools:
    low, high = xyz[:, :2].min(axis=0).astype(np.float64), xyz[:, :2].max(axis=0).astype(np.float64)
    across, along = (np.floor((high - low) / MESH).astype(int) + 2 * _BEYOND).tolist()
    heights = _nearest_heights(xyz, low, (along, across), part_of(progress, 0.0, 0.1))
    cloth = settle(-filled(heights), part_of(progress, 0.1, 0.9))
    ground = np.empty(len(xyz), dtype=bool)
    for rows in slices(len(xyz), _POINTS_AT_ONCE):
        ground[rows] = (
            np.abs(_height_of(cloth, _in_nodes(xyz[rows], low)) + xyz[rows, 2]) < _THRESHOLD
        )
        progress(0.9 + 0.1 * rows.stop / len(xyz))
    return ground


def _in_nodes(xyz: Floats, low: Floats) -> Floats:
    """(n, 2) x, y counted in nodes of the cloth."""
    return (xyz[:, :2] - low) / MESH + _BEYOND


def _nearest_heights(
    xyz: Floats, low: Floats, shape: tuple[int, int], progress: Progress
) -> Floats:
    """Height of the point that is nearest to each node as seen from above, of those in its cell; NaN without any."""
    heights, nearest = np.full(shape, np.nan).ravel(), np.full(shape, np.inf).ravel()
    for rows in slices(len(xyz), _POINTS_AT_ONCE):
        place = _in_nodes(xyz[rows], low)
        node = np.floor(place + 0.5)
        distance = ((place - node) ** 2).sum(axis=1)
        cell = (node[:, 1] * shape[1] + node[:, 0]).astype(np.int64)
        order = np.lexsort((distance, cell))
        first = order[np.diff(cell[order], prepend=-1) > 0]
        first = first[distance[first] < nearest[cell[first]]]
        nearest[cell[first]], heights[cell[first]] = distance[first], xyz[rows, 2][first]
        progress(rows.stop / len(xyz))
    return heights.reshape(shape)


def filled(heights: Floats) -> Floats:
    """Heights, and where there is none that of the next node in its row (first eastwards) or column, else nearby."""
    empty = np.isnan(heights)
    if not empty.any():
        return heights
    row, column = distance_transform_edt(empty, return_distances=False, return_indices=True)
    whole = heights[row, column]
    for step in (-1, 1):  # what is written last stands: from the east
        _fill_from_before(whole[::step].T, heights[::step].T)
    for step in (1, -1):
        _fill_from_before(whole[:, ::step], heights[:, ::step])
    return cast("Floats", whole)


def _fill_from_before(whole: Floats, heights: Floats) -> None:
    """Set each place to the last height at or before it in its row, where there is one."""
    last = np.maximum.accumulate(
        np.where(np.isnan(heights), -1, np.arange(heights.shape[1])), axis=1
    )
    found = np.take_along_axis(heights, np.maximum(last, 0), axis=1)
    np.copyto(whole, found, where=last >= 0)


def settle(floor: Floats, progress: Progress = no_progress) -> Floats:
    """(H, W) heights of a cloth that fell on a floor of such heights, metres.

    In each round every node falls, then tied nodes pull each other, then what is below the floor is held on it.
    """
    block = [-(-length // _APART) + 2 for length in floor.shape]
    ground = _apart(floor, block, 0.0)
    moves = _apart(np.ones_like(floor), block, 0.0)
    follows = moves * _BOTH
    now = _apart(np.full_like(floor, floor.max() + _ABOVE), block, 0.0)
    before = now.copy()
    for number in range(_ROUNDS):
        step = (now - before) * _KEPT
        step -= _FALL
        step *= moves
        before[...] = now
        now += step
        for y in range(_APART):
            for x in range(_APART):
                _pull(now, moves, follows, y, x)
            progress((number + (y + 1) / _APART) / _ROUNDS)
        moved = np.abs(np.subtract(now, before, out=step), out=step)
        moved *= moves
        caught = (now < ground) & (moves > 0)
        now[caught], moves[caught], follows[caught] = ground[caught], 0.0, _ONE
        if 0 < moved.max() < _STILL:
            break
    high, wide = floor.shape
    return now.transpose(2, 0, 3, 1).reshape(block[0] * _APART, block[1] * _APART)[
        _APART : _APART + high, _APART : _APART + wide
    ]


def _apart(values: Floats, block: list[int], around: float) -> Floats:
    """(5, 5, h, w) values, those five steps apart beside one another, with a margin on all sides."""
    whole = np.full((block[0] * _APART, block[1] * _APART), around)
    whole[_APART : _APART + values.shape[0], _APART : _APART + values.shape[1]] = values
    return whole.reshape(block[0], _APART, block[1], _APART).transpose(1, 3, 0, 2).copy()


def _pull(now: Floats, moves: Floats, follows: Floats, y: int, x: int) -> None:
    """Have the nodes at (y, x) of all blocks and those tied to them pull each other, one tie after the other."""
    high, wide = now.shape[2] - 1, now.shape[3] - 1
    here = (y, x, slice(1, high), slice(1, wide))
    for up, right in _TIES:
        (to_y, at_y), (to_x, at_x) = divmod(y + up, _APART), divmod(x + right, _APART)
        there = (at_y, at_x, slice(1 + to_y, high + to_y), slice(1 + to_x, wide + to_x))
        apart = now[there] - now[here]
        now[here] += apart * moves[here] * follows[there]
        now[there] -= apart * moves[there] * follows[here]


def _height_of(cloth: Floats, place: Floats) -> Floats:
    """(n,) height of the cloth between four nodes at places counted in nodes, bilinear."""
    column, row = np.floor(place).astype(np.int64).T
    x, y = (place - np.floor(place)).T
    south = cloth[row, column] * (1 - x) + cloth[row, column + 1] * x
    north = cloth[row + 1, column] * (1 - x) + cloth[row + 1, column + 1] * x
    return cast("Floats", south * (1 - y) + north * y)
