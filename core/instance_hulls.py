"""Outlines of the instances of a point cloud, seen from above."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from randcrowns.core.label_counts import Instances
from randcrowns.core.progress import Progress, no_progress, part_of

__all__ = ["instance_outlines", "thinned_points"]

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int64]

_POINTS_AT_ONCE = 1 << 20
_OUTLINES_AT_ONCE = 32
#: How far in an outline goes, from 1 (the convex hull) to 0.
_RATIO = 0.5


def instance_outlines(
    xyz: Floats, instances: Instances, cell: float = 0.2, progress: Progress = no_progress
) -> NDArray[np.object_]:
    """(n,) a polygon per instance: the concave hull of its points, one point taken per square of the ground.

    An instance whose points lie on one spot or one line gets a polygon one ``cell`` wide around them. With a GEOS
    library older than 3.11 the hulls are convex.

    Args:
        xyz: (N, 2 or 3) coordinates, metres, finite.
        instances: the instances of the N points.
        cell: side of the squares, metres.
        progress: told the fraction done.
    """
    points, owner = thinned_points(xyz, instances, cell, part_of(progress, 0.0, 0.3))
    n = len(instances.ids)
    ends = np.searchsorted(owner, np.arange(n + 1))
    outlines = np.empty(n, dtype=object)
    for first in range(0, n, _OUTLINES_AT_ONCE):
        last = min(first + _OUTLINES_AT_ONCE, n)
        rows = slice(ends[first], ends[last])
        clouds = shapely.multipoints(shapely.points(points[rows]), indices=owner[rows] - first)
        outlines[first:last] = _hulls(clouds)
        progress(0.3 + 0.7 * last / n)
    flat = shapely.get_dimensions(outlines) < 2
    outlines[flat] = shapely.buffer(outlines[flat], cell / 2, quad_segs=2)
    return outlines


def thinned_points(
    xyz: Floats, instances: Instances, cell: float, progress: Progress = no_progress
) -> tuple[NDArray[np.float64], Ints]:
    """(m, 2) one point of each instance in each square of the ground, and the (m,) instance of each, ascending."""
    n_instances = len(instances.ids)
    lower = np.array([column.min() for column in (xyz[:, 0], xyz[:, 1])]) if len(xyz) else np.zeros(2)
    upper = np.array([column.max() for column in (xyz[:, 0], xyz[:, 1])]) if len(xyz) else np.zeros(2)
    across, up = (np.floor((upper - lower) / cell) + 1).astype(np.int64)
    keys, rows = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    for start in range(0, len(xyz), _POINTS_AT_ONCE):
        stop = min(start + _POINTS_AT_ONCE, len(xyz))
        instance = instances.of_points(start, stop)
        inside = np.flatnonzero(instance < n_instances)
        place = ((xyz[start:stop, :2][inside] - lower) / cell).astype(np.int64)
        key = (instance[inside].astype(np.int64) * up + place[:, 1]) * across + place[:, 0]
        keys, first = np.unique(np.concatenate([keys, key]), return_index=True)
        rows = np.concatenate([rows, start + inside])[first]
        progress(stop / len(xyz))
    return xyz[rows, :2].astype(np.float64), keys // (across * up)


def _hulls(clouds: NDArray[np.object_]) -> NDArray[np.object_]:
    try:
        hulls = shapely.concave_hull(clouds, _RATIO)
    except shapely.errors.UnsupportedGEOSVersionError:
        return np.asarray(shapely.convex_hull(clouds))
    wrong = (shapely.get_type_id(hulls) != shapely.GeometryType.POLYGON) | ~shapely.is_valid(hulls)
    hulls[wrong] = shapely.convex_hull(clouds[wrong])
    return np.asarray(hulls)
