"""Outlines of the instances of a point cloud, seen from above."""

from __future__ import annotations

from typing import cast

import numpy as np
import shapely
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from randcrowns.core.arrays import Floats, Ints, Objects, slices
from randcrowns.core.instances.overlap import Instances
from randcrowns.core.progress import Progress, no_progress, part_of, steps

_POINTS_AT_ONCE = 1 << 20
_OUTLINES_AT_ONCE = 32
#: How far in an outline goes, from 1 (the convex hull) to 0.
_RATIO = 0.5
#: Squares that may be empty between points of one part.
_FAR_APART = 5
#: What an array of whole numbers can hold, with a margin.
_LARGEST_KEY = 1 << 62
#: Share of an instance's squares below which a part is excluded.
_SMALLEST_SHARE = 0.1


def instance_outlines(
    xyz: Floats, instances: Instances, cell: float = 0.2, progress: Progress = no_progress
) -> Objects:
    """(n,) a polygon or multipolygon per instance: the concave hulls of its points, one taken per square of the ground.

    Points that lie apart from each other (by more than about five squares) get a hull each; such a part is excluded if
    it has less than a tenth of the instance's squares: single stray points do not stretch the outline. Points on one
    spot or one line get a polygon one ``cell`` wide around them. With a GEOS library older than 3.11 the hulls are
    convex.

    Args:
        xyz: (N, 2 or 3) coordinates, metres, finite.
        instances: the instances of the N points.
        cell: side of the squares, metres.
    """
    points, owner = thinned_points(xyz, instances, cell, part_of(progress, 0.0, 0.3))
    n = len(instances.ids)
    part, part_owner = _parts(points, owner, n, _FAR_APART * cell)
    order = np.argsort(part, kind="stable")
    order = order[np.searchsorted(part[order], 0) :]
    points, part = points[order], part[order]
    hulls = np.empty(len(part_owner), dtype=object)
    ends = np.searchsorted(part, np.arange(len(hulls) + 1))
    for some, _ in steps(list(slices(len(hulls), _OUTLINES_AT_ONCE)), part_of(progress, 0.3, 1.0)):
        rows = slice(ends[some.start], ends[some.stop])
        hulls[some] = _hulls(
            shapely.multipoints(shapely.points(points[rows]), indices=part[rows] - some.start)
        )
    flat = shapely.get_dimensions(hulls) < 2
    hulls[flat] = shapely.buffer(hulls[flat], cell / 2, quad_segs=2)
    return _together(hulls, part_owner)


def thinned_points(
    xyz: Floats, instances: Instances, cell: float, progress: Progress = no_progress
) -> tuple[Floats, Ints]:
    """(m, 2) one point of each instance in each square of the ground, and the (m,) instance of each, ascending."""
    n_instances = len(instances.ids)
    lower = (
        np.array([column.min() for column in (xyz[:, 0], xyz[:, 1])]) if len(xyz) else np.zeros(2)
    )
    upper = (
        np.array([column.max() for column in (xyz[:, 0], xyz[:, 1])]) if len(xyz) else np.zeros(2)
    )
    across, up = (int(number) + 1 for number in np.floor((upper - lower) / cell))
    columns = rows_taken = None
    if n_instances * across * up > _LARGEST_KEY:
        columns, rows_taken = (
            np.unique(_squares(xyz[:, axis], lower[axis], cell)) for axis in (0, 1)
        )
        across, up = len(columns), len(rows_taken)
    keys, rows = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    for some in slices(len(xyz), _POINTS_AT_ONCE):
        instance = instances.of(some)
        inside = np.flatnonzero(instance < n_instances)
        column, row = (_squares(xyz[some, axis][inside], lower[axis], cell) for axis in (0, 1))
        if columns is not None and rows_taken is not None:
            column, row = np.searchsorted(columns, column), np.searchsorted(rows_taken, row)
        key = (instance[inside].astype(np.int64) * up + row) * across + column
        keys, first = np.unique(np.concatenate([keys, key]), return_index=True)
        rows = np.concatenate([rows, some.start + inside])[first]
        progress(some.stop / len(xyz))
    return xyz[rows, :2].astype(np.float64), keys // (across * up)


def _parts(points: Floats, owner: Ints, n: int, gap: float) -> tuple[Ints, Ints]:
    """Part of each point, -1 for parts excluded, and the owner of each part, ascending.

    Points belong together when their squares of side ``gap`` touch.
    """
    if len(points) == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    column, row = (_closed_up(_squares(some, some.min(), gap)) for some in points.T)
    across, up = (
        int(column.max()) + 2,
        int(row.max()) + 2,
    )  # one more: the last square of a row touches no next row
    keys, square = np.unique((owner * up + row) * across + column, return_inverse=True)
    ends = []
    for step in (1, across - 1, across, across + 1):
        there = np.searchsorted(keys, keys + step)
        one = np.flatnonzero(
            (there < len(keys)) & (keys[np.minimum(there, len(keys) - 1)] == keys + step)
        )
        ends.append(np.stack([one, there[one]]))
    one, other = np.concatenate(ends, axis=1)
    touching = coo_matrix(
        (np.ones(len(one), dtype=np.int8), (one, other)), shape=(len(keys), len(keys))
    )
    number, label = connected_components(touching, directed=False)
    part = label[square.ravel()]
    part_owner = np.empty(number, dtype=np.int64)
    part_owner[part] = owner
    size = np.bincount(part, minlength=number)
    largest = np.zeros(n, dtype=np.int64)
    np.maximum.at(largest, part_owner, size)
    kept = (
        size >= np.minimum(_SMALLEST_SHARE * np.bincount(owner, minlength=n), largest)[part_owner]
    )
    order = np.flatnonzero(kept)[np.argsort(part_owner[kept], kind="stable")]
    renumbered = np.full(number, -1, dtype=np.int64)
    renumbered[order] = np.arange(len(order))
    return renumbered[part], part_owner[order]


def _squares(coordinates: Floats, lowest: float, side: float) -> Ints:
    """(n,) number of the square that each coordinate lies in, from the lowest on."""
    return np.asarray(np.floor((coordinates - lowest) / side), dtype=np.int64)


def _closed_up(numbers: Ints) -> Ints:
    """The numbers with every gap closed but for one, so that those that follow one another still do and no others."""
    found, place = np.unique(numbers, return_inverse=True)
    return cast("Ints", np.cumsum(np.minimum(np.diff(found, prepend=found[:1]), 2))[place.ravel()])


def _together(hulls: Objects, owner: Ints) -> Objects:
    """The hulls of each owner as one geometry; every owner has at least one."""
    if len(hulls) == 0:
        return hulls
    whole = shapely.multipolygons(hulls, indices=owner)
    alone = shapely.get_num_geometries(whole) == 1
    whole[alone] = shapely.get_geometry(whole[alone], 0)
    whole[~alone] = shapely.union_all(whole[~alone][:, None], axis=1)
    return np.asarray(whole)


def _hulls(clouds: Objects) -> Objects:
    try:
        hulls = shapely.concave_hull(clouds, _RATIO)
    except shapely.errors.UnsupportedGEOSVersionError:
        return np.asarray(shapely.convex_hull(clouds))
    wrong = (shapely.get_type_id(hulls) != shapely.GeometryType.POLYGON) | ~shapely.is_valid(hulls)
    hulls[wrong] = shapely.convex_hull(clouds[wrong])
    return np.asarray(hulls)
