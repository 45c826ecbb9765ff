"""Outlines of the instances of a point cloud, seen from above."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import scipy
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, split_range
from randcrowns.core.instances.overlap import Instances
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, subprogress

#: Number of points that are thinned between two progress reports.
_POINTS_PER_CHUNK = 1 << 20
#: Number of hulls that are computed between two progress reports.
_HULLS_PER_CHUNK = 32
#: Ratio of shapely's concave hull: 1 is the convex hull, 0 the tightest outline.
_HULL_RATIO = 0.5
#: Side of the squares that connect points to parts, in cells.
_PART_SQUARE = 5
#: Largest key of a point's instance and square; leaves a margin below the limit of int64.
_MAX_KEY = 1 << 62
#: Parts with a smaller share of their instance's points (after thinning) are dropped.
_MIN_PART_SHARE = 0.1


def instance_outlines(
    xyz: Floats, instances: Instances, cell: float = 0.2, progress: Progress = no_progress
) -> Objects:
    """Compute the outlines of the instances of a point cloud in plan view.

    An outline is the concave hull of the instance's points, thinned to one per square ground cell.
    Groups of points that are more than about five cells apart get separate hulls. A group with
    less than a tenth of the instance's thinned points is dropped, so that stray points do not
    stretch the outline. Points at one position or on one line get a polygon one cell wide.
    Hulls are convex if the GEOS library is older than 3.11.

    Args:
        xyz: (N, 2 or 3) finite coordinates, metres.
        instances: the I instances of the N points.
        cell: side of the ground cells, metres.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (I,) polygons or multipolygons, in the order of the instances.

    >>> from randcrowns.core.instances.overlap import count_pairs
    >>> tree = np.zeros(4, dtype=np.int64)
    >>> xyz = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> [outline.area for outline in instance_outlines(xyz, count_pairs(tree, tree, -1).targets)]
    [1.0]
    """
    all_points, owner = thin_points(xyz, instances, cell, subprogress(progress, 0.0, 0.3))
    part_of_point, owner_of_part = _split_parts(
        all_points, owner, len(instances.ids), _PART_SQUARE * cell
    )

    # Sort the points by part, without those of dropped parts (-1).
    kept_rows = np.flatnonzero(part_of_point >= 0)
    by_part = np.argsort(part_of_point[kept_rows], kind="stable")
    sorted_rows = kept_rows[by_part]
    points = all_points[sorted_rows]
    part = part_of_point[sorted_rows]

    hulls = np.empty(len(owner_of_part), dtype=object)
    # The points of part i are points[ends[i] : ends[i + 1]].
    ends = np.searchsorted(part, np.arange(len(hulls) + 1))
    chunks = list(split_range(len(hulls), _HULLS_PER_CHUNK))
    for chunk, _ in iterate_with_progress(chunks, subprogress(progress, 0.3, 1.0)):
        rows = slice(ends[chunk.start], ends[chunk.stop])
        part_in_chunk = part[rows] - chunk.start
        hulls[chunk] = _compute_hulls(_connect_points(points[rows], part_in_chunk))
    # Parts of one or two points, or of points on a line, get a width of one cell.
    is_flat = shapely.get_dimensions(hulls) < 2
    hulls[is_flat] = shapely.buffer(hulls[is_flat], cell / 2, quad_segs=2)
    return _merge_parts(hulls, owner_of_part)


def thin_points(
    xyz: Floats, instances: Instances, cell: float, progress: Progress = no_progress
) -> tuple[Floats, Ints]:
    """Thin the points of each instance to the first one in each square ground cell.

    Args:
        xyz: (N, 2 or 3) coordinates, metres.
        instances: the instances of the N points.
        cell: side of the ground cells, metres.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (m, 2) x, y of the thinned points, and the (m,) instance of each, ascending.

    >>> from randcrowns.core.instances.overlap import count_pairs
    >>> tree = np.zeros(3, dtype=np.int64)
    >>> xyz = np.array([[0.0, 0.0], [0.5, 0.5], [3.0, 0.0]])
    >>> thin_points(xyz, count_pairs(tree, tree, -1).targets, 1.0)[0].tolist()
    [[0.0, 0.0], [3.0, 0.0]]
    """
    n_instances = len(instances.ids)
    cells = _GroundCells.for_points(xyz, cell, n_instances)
    # The distinct pairs of an instance and a cell, as keys, and the row of the first point of each.
    keys = np.empty(0, dtype=np.int64)
    first_points = np.empty(0, dtype=np.int64)
    for chunk in split_range(len(xyz), _POINTS_PER_CHUNK):
        instance_of_point = instances.instance_at(chunk)
        inside = np.flatnonzero(instance_of_point < n_instances)
        cell_of_point = cells.cell_numbers(xyz[chunk, 0][inside], xyz[chunk, 1][inside])
        instance_inside = instance_of_point[inside].astype(np.int64)
        new_keys = instance_inside * cells.n_cells + cell_of_point
        # The keys of the chunks before come first, so that their points stay the first ones.
        keys, first_rows = np.unique(np.concatenate([keys, new_keys]), return_index=True)
        first_points = np.append(first_points, chunk.start + inside)[first_rows]
        progress(chunk.stop / len(xyz))
    return xyz[first_points, :2].astype(np.float64), keys // cells.n_cells


class _GroundCells(NamedTuple):
    """Grid of square cells, numbered row by row.

    Cells of a very large extent are numbered without the empty columns and rows between them.
    """

    #: (2,) lowest x and lowest y of the grid, metres.
    lower: Floats
    #: Side of the cells, metres.
    side: float
    #: Number of columns.
    n_columns: int
    #: Number of rows.
    n_rows: int
    #: (n_columns,) ascending columns that are not empty; None if all columns are numbered.
    used_columns: Ints | None = None
    #: (n_rows,) ascending rows that are not empty; None if all rows are numbered.
    used_rows: Ints | None = None

    @classmethod
    def for_points(cls, xyz: Floats, side: float, n_instances: int) -> _GroundCells:
        """Return the cells that cover points.

        Args:
            xyz: (N, 2 or 3) coordinates, metres.
            side: side of the cells, metres.
            n_instances: number of instances that share the numbers of the cells in 64 bits.
        """
        if len(xyz) == 0:
            return cls(np.zeros(2), side, 1, 1)
        # Column by column: a minimum over the first axis of the whole array is slower.
        x = xyz[:, 0]
        y = xyz[:, 1]
        lower = np.array([x.min(), y.min()])
        upper = np.array([x.max(), y.max()])
        last_column, last_row = np.floor((upper - lower) / side)
        n_columns = int(last_column) + 1
        n_rows = int(last_row) + 1
        if n_instances * n_columns * n_rows <= _MAX_KEY:
            return cls(lower, side, n_columns, n_rows)
        # Too many cells for the keys: only columns and rows with points are numbered.
        used_columns = np.unique(_cell_numbers(x, lower[0], side))
        used_rows = np.unique(_cell_numbers(y, lower[1], side))
        return cls(lower, side, len(used_columns), len(used_rows), used_columns, used_rows)

    @property
    def n_cells(self) -> int:
        """Number of cells."""
        return self.n_columns * self.n_rows

    def cell_numbers(self, x: Floats, y: Floats) -> Ints:
        """Return the number (n,) of the cell that contains each point x (n,), y (n,)."""
        column = _cell_numbers(x, self.lower[0], self.side)
        row = _cell_numbers(y, self.lower[1], self.side)
        if self.used_columns is not None and self.used_rows is not None:
            column = np.searchsorted(self.used_columns, column)
            row = np.searchsorted(self.used_rows, row)
        return row * self.n_columns + column


def _split_parts(points: Floats, owner: Ints, n_owners: int, side: float) -> tuple[Ints, Ints]:
    """Split the points of each instance into connected parts and drop small parts.

    Points are connected if they lie in the same square of a grid or in squares that touch, also at
    a corner.

    Args:
        points: (m, 2) coordinates, metres.
        owner: (m,) instance of each point, ascending.
        n_owners: number of instances.
        side: side of the squares, metres.

    Returns:
        (m,) part of each point, -1 for points of dropped parts, and the instance of each part,
        ascending.
    """
    if len(points) == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    x = points[:, 0]
    y = points[:, 1]
    column = _close_gaps(_cell_numbers(x, x.min(), side))
    row = _close_gaps(_cell_numbers(y, y.min(), side))
    # One empty column and row, so that the last square of a row does not touch the next row.
    n_columns = int(column.max()) + 2
    n_rows = int(row.max()) + 2
    square_keys = (owner * n_rows + row) * n_columns + column
    distinct_keys, square_of_point = np.unique(square_keys, return_inverse=True)

    n_parts, part_of_square = _connect_squares(distinct_keys, n_columns)
    part_of_point = part_of_square[square_of_point.ravel()]
    owner_of_part = np.empty(n_parts, dtype=np.int64)
    owner_of_part[part_of_point] = owner

    # Large parts are numbered by owner; the others get -1.
    is_large = _is_large_part(part_of_point, owner_of_part, owner, n_owners)
    unsorted_parts = np.flatnonzero(is_large)
    by_owner = np.argsort(owner_of_part[unsorted_parts], kind="stable")
    large_parts = unsorted_parts[by_owner]
    new_number = np.full(n_parts, -1, dtype=np.int64)
    new_number[large_parts] = np.arange(len(large_parts))
    return new_number[part_of_point], owner_of_part[large_parts]


def _connect_squares(keys: Ints, n_columns: int) -> tuple[int, Ints]:
    """Connect squares of a grid that touch, also at a corner.

    Args:
        keys: (k,) ascending numbers of the squares, row by row.
        n_columns: number of columns of the grid; the last one contains no squares.

    Returns:
        Number of connected parts, and (k,) part of each square.
    """
    # Connect each square with its neighbours to the right and in the next row. The other four
    # neighbours are connected from their side.
    n_squares = len(keys)
    squares = []
    neighbours = []
    for step in (1, n_columns - 1, n_columns, n_columns + 1):
        neighbour_keys = keys + step
        position = np.searchsorted(keys, neighbour_keys)
        key_at_position = keys[np.minimum(position, n_squares - 1)]
        has_neighbour = (position < n_squares) & (key_at_position == neighbour_keys)
        squares.append(np.flatnonzero(has_neighbour))
        neighbours.append(position[has_neighbour])
    links = (np.concatenate(squares), np.concatenate(neighbours))
    is_connected = np.ones(len(links[0]), dtype=np.int8)
    graph = scipy.sparse.coo_matrix((is_connected, links), shape=(n_squares, n_squares))
    n_parts, part_of_square = scipy.sparse.csgraph.connected_components(graph, directed=False)
    return int(n_parts), part_of_square


def _is_large_part(part: Ints, part_owner: Ints, owner: Ints, n_owners: int) -> Bools:
    """Return the mask of the parts with at least a tenth of their instance's points.

    The largest part of an instance is always in it.

    Args:
        part: (m,) part of each point.
        part_owner: (k,) instance of each part.
        owner: (m,) instance of each point.
        n_owners: number of instances.
    """
    size = np.bincount(part, minlength=len(part_owner))
    largest = np.zeros(n_owners, dtype=np.int64)
    np.maximum.at(largest, part_owner, size)
    total = np.bincount(owner, minlength=n_owners)
    return size >= np.minimum(_MIN_PART_SHARE * total, largest)[part_owner]


def _cell_numbers(coordinates: Floats, lowest: float, side: float) -> Ints:
    """Return the (n,) number of the cell that contains each coordinate, counted from ``lowest``."""
    return np.asarray(np.floor((coordinates - lowest) / side), dtype=np.int64)


def _close_gaps(numbers: Ints) -> Ints:
    """Renumber (n,) cells so that consecutive numbers stay consecutive and gaps shrink to one.

    >>> _close_gaps(np.array([0, 1, 9, 1])).tolist()
    [0, 1, 3, 1]
    """
    distinct, position = np.unique(numbers, return_inverse=True)
    steps_between = np.minimum(np.diff(distinct, prepend=distinct[:1]), 2)
    return cast("Ints", np.cumsum(steps_between)[position.ravel()])


def _merge_parts(hulls: Objects, owner: Ints) -> Objects:
    """Merge the hulls of each instance into one geometry.

    Args:
        hulls: (k,) polygons.
        owner: (k,) instance of each polygon, ascending; every instance has at least one.

    Returns:
        (I,) a polygon or multipolygon per instance.
    """
    if len(hulls) == 0:
        return hulls
    outlines = shapely.multipolygons(hulls, indices=owner)
    is_single = shapely.get_num_geometries(outlines) == 1
    outlines[is_single] = shapely.get_geometry(outlines[is_single], 0)
    # Hulls may overlap. A union over rows of one geometry unites its parts.
    overlapping = outlines[~is_single]
    outlines[~is_single] = shapely.union_all(overlapping[:, None], axis=1)
    return np.asarray(outlines)


def _connect_points(points: Floats, part: Ints) -> Objects:
    """Return a line through the points of each part, which has the same hull as the points.

    A line is made without a geometry object per point. A point that is alone is repeated, as a
    line needs two.

    Args:
        points: (m, 2) coordinates, metres.
        part: (m,) number of the part of each point, ascending from 0 without gaps.

    Returns:
        (k,) lines.
    """
    # A line needs two points, so that the only point of a part is repeated.
    n_points_of_part = np.bincount(part)
    is_only_point = n_points_of_part[part] == 1
    point_rows = np.repeat(np.arange(len(points)), np.where(is_only_point, 2, 1))
    return np.asarray(shapely.linestrings(points[point_rows], indices=part[point_rows]))


def _compute_hulls(clouds: Objects) -> Objects:
    """Return the concave hulls of (k,) geometries; convex ones where that fails."""
    try:
        hulls = shapely.concave_hull(clouds, _HULL_RATIO)
    except shapely.errors.UnsupportedGEOSVersionError:
        return np.asarray(shapely.convex_hull(clouds))
    is_wrong = shapely.get_type_id(hulls) != shapely.GeometryType.POLYGON
    is_wrong |= ~shapely.is_valid(hulls)
    hulls[is_wrong] = shapely.convex_hull(clouds[is_wrong])
    return np.asarray(hulls)
