"""The cloth simulation filter, which separates the ground points of a cloud (Zhang et al. 2016).

The cloud is turned upside down and a simulated cloth falls on it. Points near the cloth at rest are
ground. The cloth is a regular grid of nodes; each node is tied to its neighbours. Heights are in
metres, and a cloth of H rows (northwards) and W columns (eastwards) is an (H, W) array.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import scipy

from randcrowns.core.arrays import Bools, Floats, first_rows, split_range
from randcrowns.core.progress import Progress, no_progress, run_in_thread, subprogress

#: Distance between neighbouring nodes of the cloth, metres.
CLOTH_RESOLUTION = 0.5

#: Maximum distance of a ground point from the cloth, metres.
_THRESHOLD = 0.5
#: Maximum number of iterations.
_MAX_ITERATIONS = 100
#: The simulation stops when no node moves this far in an iteration, metres.
_MIN_MOVE = 0.005
#: Share of its last step that a node keeps (damping).
_DAMPING = 0.99
#: Distance that a node falls in the first iteration, metres.
_FALL = 0.2
#: Share of the height difference between two tied nodes by which each of them moves, if both are
#: movable. With rigidness 2 each moves twice by 0.3 of the difference that remains.
_MOVE_OF_BOTH = (1 - 0.4**2) / 2
#: The same for a movable node that is tied to a fixed one: twice 0.3 of what remains.
_MOVE_OF_ONE = 1 - 0.7**2
#: Initial height of the cloth above the highest point of the surface, metres.
_START_HEIGHT = 0.05
#: Number of nodes by which the cloth is larger than the cloud on each side.
_MARGIN = 2
#: Offsets (rows, columns) from a node to its tied nodes: the 8 neighbours, and 8 at twice the
#: distance, in the order of the published program.
_TIES = [
    (distance * y, distance * x)
    for distance in (1, 2)
    for y, x in ((-1, -1), (0, -1), (1, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, 1))
]
#: Nodes this many steps apart share no tied node, so all of them are moved at once.
_STRIDE = 5
#: Number of points that are processed between two progress reports.
_POINTS_PER_CHUNK = 1 << 20


def classify_ground(xyz: Floats, progress: Progress = no_progress) -> Bools:
    """Classify points as ground with the cloth simulation filter (Zhang et al. 2016).

    The parameters are: cloth resolution 0.5 m, class threshold 0.5 m, rigidness 2, no slope
    post-processing, at most 100 iterations, time step 1. The result is deterministic: nodes are
    moved in a fixed order, unlike in the multi-threaded program of the authors.

    Args:
        xyz: (N, 3) coordinates, metres; N is at least 1.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (N,) mask of the ground points.

    >>> classify_ground(np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 3.0]])).tolist()
    [True, True, False]
    """
    return run_in_thread(lambda report_progress: _filter_ground(xyz, report_progress), progress)


def _filter_ground(xyz: Floats, progress: Progress) -> Bools:
    """Classify points as :func:`classify_ground` does, in the current thread."""
    lower = xyz[:, :2].min(axis=0).astype(np.float64)
    upper = xyz[:, :2].max(axis=0).astype(np.float64)
    n_nodes = np.floor((upper - lower) / CLOTH_RESOLUTION).astype(int) + 2 * _MARGIN
    n_columns, n_rows = n_nodes.tolist()

    heights = _nearest_heights(xyz, lower, (n_rows, n_columns), subprogress(progress, 0.0, 0.1))
    # The cloth falls on the inverted surface, so its heights are those of the ground times -1.
    cloth = simulate_cloth(-fill_gaps(heights), subprogress(progress, 0.1, 0.9))

    is_ground = np.empty(len(xyz), dtype=bool)
    for rows in split_range(len(xyz), _POINTS_PER_CHUNK):
        inverted_ground = _interpolate(cloth, _to_nodes(xyz[rows], lower))
        is_ground[rows] = np.abs(inverted_ground + xyz[rows, 2]) < _THRESHOLD
        progress(0.9 + 0.1 * rows.stop / len(xyz))
    return is_ground


def _to_nodes(xyz: Floats, lower: Floats) -> Floats:
    """Convert x, y of (n, 3) points to (n, 2) columns and rows of the cloth, with fractions."""
    return (xyz[:, :2] - lower) / CLOTH_RESOLUTION + _MARGIN


def _nearest_heights(
    xyz: Floats, lower: Floats, shape: tuple[int, int], progress: Progress
) -> Floats:
    """Return for each node of the cloth the height of the nearest point in its cell.

    A cell is the square around a node, and nearness is horizontal distance.

    Args:
        xyz: (N, 3) coordinates, metres.
        lower: (2,) smallest x and y.
        shape: rows and columns of the cloth.
        progress: receives the fraction done.

    Returns:
        (H, W) heights; NaN for cells without a point.
    """
    heights = np.full(shape, np.nan).ravel()
    nearest_distance = np.full(shape, np.inf).ravel()  # squared, in nodes
    for rows in split_range(len(xyz), _POINTS_PER_CHUNK):
        positions = _to_nodes(xyz[rows], lower)
        nodes = np.floor(positions + 0.5)
        distances = ((positions - nodes) ** 2).sum(axis=1)
        node_numbers = (nodes[:, 1] * shape[1] + nodes[:, 0]).astype(np.int64)

        # The nearest point of each node in this chunk, if it is nearer than those before.
        nearest = first_rows(distances, node_numbers)
        is_nearer = distances[nearest] < nearest_distance[node_numbers[nearest]]
        nearer_points = nearest[is_nearer]
        updated_nodes = node_numbers[nearer_points]
        nearest_distance[updated_nodes] = distances[nearer_points]
        heights[updated_nodes] = xyz[rows, 2][nearer_points]
        progress(rows.stop / len(xyz))
    return heights.reshape(shape)


def fill_gaps(heights: Floats) -> Floats:
    """Fill missing heights from the nearest known height.

    A missing height is taken from the next known height to the east in the same row, else to the
    west, else to the south in the same column, else to the north, else from the nearest node.

    Args:
        heights: (H, W) heights, metres; NaN where missing, with at least one known height.

    Returns:
        (H, W) heights without NaN.

    >>> fill_gaps(np.array([[np.nan, 1.0, np.nan, 2.0]])).tolist()
    [[1.0, 1.0, 2.0, 2.0]]
    """
    is_missing = np.isnan(heights)
    if not is_missing.any():
        return heights
    row, column = scipy.ndimage.distance_transform_edt(
        is_missing, return_distances=False, return_indices=True
    )
    result = heights[row, column]
    # Later fills overwrite earlier ones, so the preferred directions come last.
    for step in (-1, 1):
        _fill_forward(result[::step].T, heights[::step].T)
    for step in (1, -1):
        _fill_forward(result[:, ::step], heights[:, ::step])
    return cast("Floats", result)


def _fill_forward(result: Floats, heights: Floats) -> None:
    """Write to each cell of ``result`` the last known height at or before it in its row, if any.

    Both arrays have the same two-dimensional shape; ``result`` is changed in place.
    """
    columns = np.where(np.isnan(heights), -1, np.arange(heights.shape[1]))
    last_known = np.maximum.accumulate(columns, axis=1)
    values = np.take_along_axis(heights, np.maximum(last_known, 0), axis=1)
    np.copyto(result, values, where=last_known >= 0)


def simulate_cloth(surface: Floats, progress: Progress = no_progress) -> Floats:
    """Simulate a cloth that falls on a surface, and return its heights at rest.

    In each iteration every movable node falls, tied nodes pull each other, and nodes below the
    surface are put on it and fixed.

    Args:
        surface: (H, W) heights of the surface at the nodes, metres.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (H, W) heights of the cloth, metres.

    >>> simulate_cloth(np.array([[1.0, 1.0], [1.0, 1.0]])).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    n_blocks = [-(-length // _STRIDE) + 2 for length in surface.shape]
    surface_blocks = _to_blocks(surface, n_blocks, 0.0)
    # 1 for movable nodes, 0 for fixed nodes and for the margin around the cloth.
    movable = _to_blocks(np.ones_like(surface), n_blocks, 0.0)
    # Share of the height difference by which the other node of a tie moves towards this one.
    pull = movable * _MOVE_OF_BOTH
    heights = _to_blocks(np.full_like(surface, surface.max() + _START_HEIGHT), n_blocks, 0.0)
    previous = heights.copy()

    for iteration in range(_MAX_ITERATIONS):
        # Every movable node continues its last step, damped, and falls a little more.
        step = (heights - previous) * _DAMPING
        step -= _FALL
        step *= movable
        previous[...] = heights
        heights += step
        for y in range(_STRIDE):
            for x in range(_STRIDE):
                _pull_tied_nodes(heights, movable, pull, y, x)
            progress((iteration + (y + 1) / _STRIDE) / _MAX_ITERATIONS)

        # Distances that movable nodes went; the array of the steps is used again.
        distance = np.subtract(heights, previous, out=step)
        np.abs(distance, out=distance)
        distance *= movable
        # Nodes below the surface are put on it and fixed.
        is_caught = (heights < surface_blocks) & (movable > 0)
        heights[is_caught] = surface_blocks[is_caught]
        movable[is_caught] = 0.0
        pull[is_caught] = _MOVE_OF_ONE
        if 0 < distance.max() < _MIN_MOVE:
            break
    return _from_blocks(heights, surface.shape)


def _to_blocks(values: Floats, n_blocks: list[int], margin: float) -> Floats:
    """Rearrange (H, W) values of the nodes so that nodes five steps apart are adjacent.

    Args:
        values: (H, W) values.
        n_blocks: numbers h, w of 5 x 5 blocks along both axes, with one block of margin per side.
        margin: value of the nodes in the margin.

    Returns:
        (5, 5, h, w) values: element (y, x, i, j) belongs to node (y, x) of block (i, j).
    """
    n_rows, n_columns = values.shape
    grid = np.full((n_blocks[0] * _STRIDE, n_blocks[1] * _STRIDE), margin)
    grid[_STRIDE : _STRIDE + n_rows, _STRIDE : _STRIDE + n_columns] = values
    blocks = grid.reshape(n_blocks[0], _STRIDE, n_blocks[1], _STRIDE)
    return blocks.transpose(1, 3, 0, 2).copy()


def _from_blocks(blocks: Floats, shape: tuple[int, ...]) -> Floats:
    """Arrange the (5, 5, h, w) values of :func:`_to_blocks` by row and column again.

    Args:
        blocks: (5, 5, h, w) values.
        shape: rows and columns H, W of the cloth, without the margin.

    Returns:
        (H, W) values.
    """
    n_rows, n_columns = shape
    n_block_rows, n_block_columns = blocks.shape[2:]
    grid = blocks.transpose(2, 0, 3, 1).reshape(n_block_rows * _STRIDE, n_block_columns * _STRIDE)
    return grid[_STRIDE : _STRIDE + n_rows, _STRIDE : _STRIDE + n_columns]


def _pull_tied_nodes(heights: Floats, movable: Floats, pull: Floats, y: int, x: int) -> None:
    """Move the nodes (y, x) of all blocks and their tied nodes towards each other.

    Ties are processed one after the other. All arrays have the shape (5, 5, h, w) of
    :func:`_to_blocks`: element (y, x, i, j) belongs to node (y, x) of block (i, j).

    Args:
        heights: heights of the nodes, metres; changed in place.
        movable: 1 for movable nodes, 0 for fixed ones and for the margin.
        pull: share of the height difference by which the other node of a tie moves towards a node.
        y: row of the nodes in their blocks.
        x: column of the nodes in their blocks.
    """
    n_rows = heights.shape[2] - 1
    n_columns = heights.shape[3] - 1
    node = (y, x, slice(1, n_rows), slice(1, n_columns))
    for rows_away, columns_away in _TIES:
        block_row, tied_y = divmod(y + rows_away, _STRIDE)
        block_column, tied_x = divmod(x + columns_away, _STRIDE)
        tied = (
            tied_y,
            tied_x,
            slice(1 + block_row, n_rows + block_row),
            slice(1 + block_column, n_columns + block_column),
        )
        difference = heights[tied] - heights[node]
        heights[node] += difference * movable[node] * pull[tied]
        heights[tied] -= difference * movable[tied] * pull[node]


def _interpolate(cloth: Floats, position: Floats) -> Floats:
    """Interpolate the cloth bilinearly at (n, 2) columns and rows; return (n,) heights."""
    column, row = np.floor(position).astype(np.int64).T
    x, y = (position - np.floor(position)).T
    south = cloth[row, column] * (1 - x) + cloth[row, column + 1] * x
    north = cloth[row + 1, column] * (1 - x) + cloth[row + 1, column + 1] * x
    return cast("Floats", south * (1 - y) + north * y)
