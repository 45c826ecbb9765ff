"""The ground below a point cloud, found with the cloth simulation filter (Zhang et al. 2016).

The filter is an optional library; the grid of terrain heights that is read off its ground points is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates
from scipy.spatial import cKDTree

from randcrowns.core.cloth import filter_ground, has_filter
from randcrowns.core.errors import InputError, MissingLibraryError
from randcrowns.core.progress import Progress, aside, no_progress, part_of

__all__ = ["GRID", "ground_points", "height_above_terrain", "terrain_grid"]

Floats = NDArray[np.floating[Any]]

#: Distance between the heights of the terrain grid, metres.
GRID = 0.25

_VOXEL = 0.05
_NEIGHBOURS = 400
#: A fraction of a second's work.
_NODES_AT_ONCE = 1 << 10


def height_above_terrain(xyz: Floats, progress: Progress = no_progress) -> NDArray[np.float64]:
    """(N,) height of each point above the terrain below it, metres.

    Args:
        xyz: (N, 3) coordinates.
        progress: told the fraction done; may raise to cancel.

    Raises:
        InputError: for coordinates that are not finite, or a cloud in which no ground is found.
        MissingLibraryError: if the cloth simulation filter is not installed.
    """
    if not np.isfinite(xyz).all():
        raise InputError("The terrain needs finite coordinates; some points have none.")
    ground = ground_points(xyz, part_of(progress, 0, 0.2))
    return aside(lambda tell: _above(xyz, ground, tell), part_of(progress, 0.2, 1))


def ground_points(xyz: Floats, progress: Progress = no_progress) -> NDArray[np.bool_]:
    """(N,) which points are ground: within 0.5 m of a cloth of 0.5 m mesh and rigidness 2.

    Args:
        xyz: (N, 3) finite coordinates.
        progress: told about how far the filter is; may raise to cancel.

    Raises:
        InputError: if the filter fails.
        MissingLibraryError: if the cloth simulation filter is not installed.
    """
    if not has_filter():
        raise MissingLibraryError(
            "Heights above the terrain need the cloth simulation filter, which is not installed; install it with "
            "'python3 -m pip install cloth-simulation-filter', or leave the smallest tree height at 0."
        )
    try:
        return filter_ground(xyz, progress)
    except RuntimeError as error:
        raise InputError(
            f"The cloth simulation filter could not find the ground ({error}); leave the smallest tree height at 0."
        ) from error


def terrain_grid(
    ground: NDArray[np.float64], progress: Progress = no_progress
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Terrain heights on a grid of 0.25 m over the ground points.

    Each is the mean of the 400 nearest ground points (thinned to one per 0.05 m voxel), weighted by one over the
    distance; a ground point at the very place decides alone.

    Args:
        ground: (G, 3) ground points.
        progress: told the fraction of the grid that is done.

    Returns:
        (rows, columns) heights, and x and y of the first.
    """
    points = _thinned(ground)
    low = np.floor(points[:, :2].min(axis=0) / GRID)
    columns, rows = (np.floor(points[:, :2].max(axis=0) / GRID) - low + 1).astype(np.int64)
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    nodes = (low + np.stack([x.ravel(), y.ravel()], axis=1)) * GRID
    tree = cKDTree(points[:, :2])
    nearest = np.arange(1, min(_NEIGHBOURS, len(points)) + 1)
    heights = np.empty(len(nodes))
    for start in range(0, len(nodes), _NODES_AT_ONCE):
        distance, index = tree.query(nodes[start : start + _NODES_AT_ONCE], k=nearest)
        at_node = distance == 0
        with np.errstate(divide="ignore"):
            weight = np.where(at_node.any(axis=1, keepdims=True), at_node, 1 / distance)
        heights[start : start + _NODES_AT_ONCE] = (points[index, 2] * weight).sum(axis=1) / weight.sum(axis=1)
        progress(min(1.0, (start + _NODES_AT_ONCE) / len(nodes)))
    return heights.reshape(rows, columns), low * GRID


def _above(xyz: Floats, in_ground: NDArray[np.bool_], progress: Progress) -> NDArray[np.float64]:
    ground = xyz[in_ground].astype(np.float64)
    if len(ground) == 0:
        raise InputError("The cloth simulation filter found no ground in the cloud, so there are no tree heights.")
    heights, corner = terrain_grid(ground, progress)
    column, row = ((xyz[:, :2] - corner) / GRID).T
    return xyz[:, 2] - map_coordinates(heights, [row, column], order=1, mode="nearest")


def _thinned(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """One point per voxel: the one nearest to the voxel's centre."""
    voxel = np.floor(points / _VOXEL)
    off_centre = (((points / _VOXEL) - voxel - 0.5) ** 2).sum(axis=1)
    order = np.lexsort((off_centre, *voxel.T))
    new = np.any(np.diff(voxel[order], axis=0, prepend=np.nan) != 0, axis=1)
    return points[order[new]]
