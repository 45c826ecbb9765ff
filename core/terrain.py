"""The ground below a point cloud, found with the cloth simulation filter (Zhang et al. 2016).

The filter is an optional library; the grid of terrain heights that is read off its ground points is ours.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates
from scipy.spatial import cKDTree

from randcrowns.core.errors import InputError, MissingLibraryError

__all__ = ["GRID", "ground_points", "height_above_terrain", "terrain_grid"]

Floats = NDArray[np.floating[Any]]

#: Distance between the heights of the terrain grid, metres.
GRID = 0.25

_CLOTH, _THRESHOLD, _RIGIDNESS, _ROUNDS = 0.5, 0.5, 2, 100
_VOXEL = 0.05
_NEIGHBOURS = 400
_NODES_AT_ONCE = 1 << 13


def height_above_terrain(xyz: Floats) -> NDArray[np.float64]:
    """(N,) height of each point above the terrain below it, metres.

    Raises:
        InputError: for coordinates that are not finite, or a cloud in which no ground is found.
        MissingLibraryError: if the cloth simulation filter is not installed.
    """
    if not np.isfinite(xyz).all():
        raise InputError("The terrain needs finite coordinates; some points have none.")
    ground = xyz[ground_points(xyz)].astype(np.float64)
    if len(ground) == 0:
        raise InputError("The cloth simulation filter found no ground in the cloud, so there are no tree heights.")
    heights, corner = terrain_grid(ground)
    column, row = ((xyz[:, :2] - corner) / GRID).T
    return xyz[:, 2] - map_coordinates(heights, [row, column], order=1, mode="nearest")


def ground_points(xyz: Floats) -> NDArray[np.bool_]:
    """(N,) which points are ground: within 0.5 m of a cloth of 0.5 m mesh and rigidness 2.

    Raises:
        MissingLibraryError: if the cloth simulation filter is not installed.
    """
    try:
        import CSF
    except ImportError:
        raise MissingLibraryError(
            "Heights above the terrain need the cloth simulation filter, which is not installed; install it with "
            "'python3 -m pip install cloth-simulation-filter', or leave the smallest tree height at 0."
        ) from None
    cloth = CSF.CSF()
    cloth.params.cloth_resolution = _CLOTH
    cloth.params.class_threshold = _THRESHOLD
    cloth.params.rigidness = _RIGIDNESS
    cloth.params.bSloopSmooth = False
    cloth.params.interations = _ROUNDS
    cloth.params.time_step = 1
    found, rest = CSF.VecInt(), CSF.VecInt()
    cloth.setPointCloud(np.ascontiguousarray(xyz, dtype=np.float64))
    with _silent():
        cloth.do_filtering(found, rest, False)
    ground = np.zeros(len(xyz), dtype=bool)
    ground[np.array(found, dtype=np.int64)] = True
    return ground


def terrain_grid(ground: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Terrain heights on a grid of 0.25 m over the ground points.

    Each is the mean of the 400 nearest ground points (thinned to one per 0.05 m voxel), weighted by one over the
    distance; a ground point at the very place decides alone.

    Args:
        ground: (G, 3) ground points.

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
    return heights.reshape(rows, columns), low * GRID


def _thinned(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """One point per voxel: the one nearest to the voxel's centre."""
    voxel = np.floor(points / _VOXEL)
    off_centre = (((points / _VOXEL) - voxel - 0.5) ** 2).sum(axis=1)
    order = np.lexsort((off_centre, *voxel.T))
    new = np.any(np.diff(voxel[order], axis=0, prepend=np.nan) != 0, axis=1)
    return points[order[new]]


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Keep what the library prints from standard output, where there is one."""
    try:
        kept = os.dup(1)
    except OSError:
        yield
        return
    if sys.stdout is not None:
        sys.stdout.flush()
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
