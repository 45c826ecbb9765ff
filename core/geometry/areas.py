"""Areas shared by pairs of polygons, exact and for many pairs at once.

At every x, a polygon is the signed sum of the half-lines below its edges: +1 below an upper edge,
-1 below a lower edge. The signs of a closed ring add up to zero at every x. For two polygons P and
Q this leaves

    area(P ∩ Q) = -sum over edges i of P, j of Q of  s_i · s_j · ∫ max(y_i(x) - y_j(x), 0) dx

where s_i is the sign of edge i, y_i(x) is its height, and the integral runs over the x that both
edges span. The same holds with y_j - y_i in place of y_i - y_j. Edges j above all of P contribute
nothing to the first sum; edges j below all of P contribute nothing to the second.

No intersection is constructed and no decision depends on a comparison of coordinates. Touching,
collinear and nested edges therefore need no special case, and the result is a continuous function
of the input. Holes and parts are edges like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, split_array, split_range
from randcrowns.core.crowns import POLYGON_TYPES, is_box
from randcrowns.core.errors import InputError
from randcrowns.core.outlines import repair_outlines
from randcrowns.core.progress import (
    Progress,
    even_slices,
    map_in_threads,
    no_progress,
    subprogress,
)

#: Relative area below which an overlap is rounding error.
AREA_ROUNDING = 1e-12


class Edges(NamedTuple):
    """Non-vertical edges of polygons, sorted by polygon, then by the smaller x."""

    #: (n,) index of the polygon that the edge belongs to.
    polygon: Ints
    #: (n,) smaller x of the edge, metres.
    start: Floats
    #: (n,) larger x of the edge, metres.
    end: Floats
    #: (n,) slope of the edge's line, y = slope · x + intercept.
    slope: Floats
    #: (n,) intercept of the edge's line, metres.
    intercept: Floats
    #: (n,) +1 for an upper edge, -1 for a lower edge.
    sign: Floats

    def take(self, rows: Ints) -> Edges:
        """Return the edges in the given rows."""
        columns: Any = (column.take(rows) for column in self)
        return Edges(*columns)


class PairedEdges(NamedTuple):
    """Edges of the delineations of many pairs, sorted by the pair's target, then by smaller x."""

    #: (n,) index of the pair that the edge belongs to.
    pair: Ints
    #: Edges of the delineations; their owner is the index of the pair's target.
    edges: Edges
    #: Number of pairs.
    n_pairs: int
    #: (n_pairs,) 1 where y_i - y_j is summed, -1 where y_j - y_i is summed.
    direction: Floats

    def select_pairs(self, is_requested: Bools) -> PairedEdges:
        """Return the edges of the pairs in a mask (n_pairs,); pairs keep their index."""
        rows = np.flatnonzero(is_requested.take(self.pair))
        return self._replace(pair=self.pair.take(rows), edges=self.edges.take(rows))

    def repeat_pairs(self, copies: int, n_targets: int) -> PairedEdges:
        """Repeat all pairs, each copy with targets of its own.

        Args:
            copies: number of copies.
            n_targets: number of targets.

        Returns:
            The edges of ``copies · n_pairs`` pairs: copy k of a pair has the index
            pair + k · ``n_pairs``, and its target the index target + k · ``n_targets``.
        """
        if copies == 1:
            return self
        n_edges = len(self.pair)
        copy_number = np.repeat(np.arange(copies), n_edges)
        edges = self.edges.take(np.tile(np.arange(n_edges), copies))
        edges = edges._replace(polygon=edges.polygon + n_targets * copy_number)
        pair = np.tile(self.pair, copies) + self.n_pairs * copy_number
        return PairedEdges(pair, edges, self.n_pairs * copies, np.tile(self.direction, copies))


def polygon_edges(polygons: Objects, origin: Floats | None = None) -> Edges:
    """Return the non-vertical edges of polygons.

    Args:
        polygons: (n,) valid polygons and multipolygons, metres; empty ones have no edges.
        origin: (2,) point near the polygons that becomes (0, 0), because areas lose digits with
            the distance from the origin; None leaves the coordinates as they are.

    Returns:
        The edges; their owners are indices of ``polygons``.

    >>> edges = polygon_edges(np.array([shapely.box(0, 0, 3, 2)]))
    >>> edges.intercept.tolist(), edges.sign.tolist()
    ([2.0, 0.0], [1.0, -1.0])
    """
    if shapely.is_empty(polygons).all():
        return box_edges(np.empty((0, 4)))  # no edges
    rings = get_rings(polygons)
    points = rings.points if origin is None else rings.points - origin
    x, y = np.ascontiguousarray(points.T)
    # Each edge goes from the point in a row to the point in the next row.
    next_x = x[1:]
    next_y = y[1:]
    width = np.diff(x)
    # The last point of a ring starts no edge: the next point belongs to another ring.
    width[rings.is_closing[:-1]] = 0.0
    ring_sign = _ring_signs(rings, y, width)

    # Edges narrower than the rounding of the coordinates have no usable slope and no area below.
    min_width = 4 * np.finfo(float).eps * np.abs(x).max()
    unsorted_points = np.flatnonzero(np.abs(width) > min_width)
    unsorted_owners = rings.owner.take(rings.ring.take(unsorted_points))
    unsorted_starts = np.minimum(x.take(unsorted_points), next_x.take(unsorted_points))
    order = np.argsort(_sorting_keys(unsorted_owners, unsorted_starts), kind="stable")

    point_rows = unsorted_points.take(order)
    first_x = x.take(point_rows)
    second_x = next_x.take(point_rows)
    edge_width = width.take(point_rows)
    # Computed in place: these arrays are large.
    intercept = y.take(point_rows)
    slope = next_y.take(point_rows)
    slope -= intercept
    slope /= edge_width
    intercept -= slope * first_x
    sign = np.copysign(1.0, edge_width)
    sign *= ring_sign.take(rings.ring.take(point_rows))
    return Edges(
        polygon=unsorted_owners.take(order),
        start=unsorted_starts.take(order),
        end=np.maximum(first_x, second_x),
        slope=slope,
        intercept=intercept,
        sign=sign,
    )


def _sorting_keys(owner: Ints, start: Floats) -> Floats:
    """Return keys that sort edges by their owner, then by their start.

    The starts of each owner are shifted into a range of its own. Starts closer than the rounding
    of the keys are not distinguished.

    Args:
        owner: (n,) owner of each edge, ascending.
        start: (n,) smaller x of each edge, metres.

    Returns:
        (n,) keys.
    """
    if len(owner) == 0:
        return start
    first_rows = np.append(0, np.flatnonzero(owner[1:] != owner[:-1]) + 1)
    lowest_start = np.minimum.reduceat(start, first_rows)
    highest_start = np.maximum.reduceat(start, first_rows)
    stride = 2 * (highest_start - lowest_start).max()
    distinct_owners = owner[first_rows]
    shift_of_owner = np.zeros(owner[-1] + 1)
    shift_of_owner[distinct_owners] = stride * distinct_owners - lowest_start
    keys = shift_of_owner.take(owner)
    keys += start
    return keys


def box_edges(bounds: Floats) -> Edges:
    """Return the upper and lower edges of axis-aligned rectangles.

    Args:
        bounds: (n, 4) rows of xmin, ymin, xmax, ymax, metres; rectangles without area, and
            inverted ones, have no edges.

    Returns:
        The edges; their owners are rows of ``bounds``.

    >>> box_edges(np.array([[0.0, 0.0, 3.0, 2.0], [1.0, 1.0, 1.0, 2.0]])).polygon.tolist()
    [0, 0]
    """
    has_area = (bounds[:, 2] > bounds[:, 0]) & (bounds[:, 3] > bounds[:, 1])
    owners = np.flatnonzero(has_area)
    n = len(owners)
    left, bottom, right, top = bounds[owners].T
    # The upper edge of each rectangle is followed by its lower edge.
    heights = np.stack([top, bottom], axis=1).ravel()
    return Edges(
        polygon=np.repeat(owners, 2),
        start=np.repeat(left, 2),
        end=np.repeat(right, 2),
        slope=np.zeros(2 * n),
        intercept=heights,
        sign=np.tile([1.0, -1.0], n),
    )


def _ring_signs(rings: Rings, y: Floats, width: Floats) -> Floats:
    """Return the (R,) sign of the edges of each ring that point to the right.

    It is 1 for clockwise exterior rings and counterclockwise holes, whose edges to the right have
    the polygon below them; else -1.

    Args:
        rings: R rings with P points.
        y: (P,) y of the points.
        width: (P - 1,) difference in x of each point and the next; 0 between two rings.
    """
    # The orientation of a ring is the sign of its area, measured from its first point.
    trapezoids = y[:-1] + y[1:]
    trapezoids -= 2 * y.take(rings.start).take(rings.ring[:-1])
    trapezoids *= width
    is_clockwise = np.add.reduceat(trapezoids, rings.start) > 0
    return np.where(is_clockwise == rings.is_exterior, 1.0, -1.0)


def pair_edges(
    edges: Edges, n_polygons: int, polygon: Ints, target: Ints, bounds: Floats | None = None
) -> PairedEdges:
    """Gather the edges of the delineation of each pair.

    Args:
        edges: edges of all delineations.
        n_polygons: number of delineations.
        polygon: (P,) index of each pair's delineation.
        target: (P,) index of each pair's target.
        bounds: (T, 4) xmin, ymin, xmax, ymax of each target's regions. Edges outside them that
            contribute nothing are excluded. None includes all edges.

    Returns:
        The edges of the P pairs, for :func:`shared_areas`.

    >>> square = polygon_edges(np.array([shapely.box(0, 0, 1, 1)]))
    >>> pair_edges(square, 1, np.array([0, 0]), np.array([1, 0])).pair.tolist()
    [1, 1, 0, 0]
    """
    first_edge = np.searchsorted(edges.polygon, np.arange(n_polygons + 1))
    n_edges = np.diff(first_edge)

    # List the edges of each pair, with the pairs sorted by target.
    by_target = np.argsort(target, kind="stable")
    sorted_polygons = polygon.take(by_target)
    edge_rows, sorted_pair_rows = concatenate_ranges(
        first_edge.take(sorted_polygons), n_edges.take(sorted_polygons)
    )
    direction = np.ones(len(polygon))

    if bounds is not None:
        heights = _edge_heights(edges)
        total_height = np.bincount(edges.polygon, heights.lowest + heights.highest, n_polygons)
        twice_mean_height = total_height / np.maximum(n_edges, 1)
        left, bottom, right, top = bounds.take(target.take(by_target), axis=0).T
        is_above = twice_mean_height.take(sorted_polygons) > bottom + top
        direction[by_target[~is_above]] = -1.0

        # An edge matters if its lower end is below the top of the regions, or, for pairs that sum
        # y_j - y_i, if its upper end is above their bottom. The negatives of both sides turn the
        # second comparison into the first.
        both_heights = np.append(heights.lowest, -heights.highest)
        height_offset = np.where(is_above, 0, len(heights.lowest))
        height = both_heights.take(edge_rows + height_offset.take(sorted_pair_rows))
        height_limit = np.where(is_above, top, -bottom)
        is_near = height < height_limit.take(sorted_pair_rows)
        is_near &= edges.start.take(edge_rows) < right.take(sorted_pair_rows)
        is_near &= edges.end.take(edge_rows) > left.take(sorted_pair_rows)
        near_rows = np.flatnonzero(is_near)
        edge_rows = edge_rows.take(near_rows)
        sorted_pair_rows = sorted_pair_rows.take(near_rows)

    # Sort the edges by target, then by their left end.
    pair_of_edge = by_target.take(sorted_pair_rows)
    target_of_edge = target.take(pair_of_edge)
    keys = _sorting_keys(target_of_edge, edges.start.take(edge_rows))
    order = np.argsort(keys, kind="stable")
    sorted_edges = edges.take(edge_rows.take(order))
    return PairedEdges(
        pair=pair_of_edge.take(order),
        edges=sorted_edges._replace(polygon=target_of_edge.take(order)),
        n_pairs=len(polygon),
        direction=direction,
    )


class _EdgeHeights(NamedTuple):
    """Heights of the two ends of edges."""

    lowest: Floats  #: (n,) y of the lower end, metres.
    highest: Floats  #: (n,) y of the upper end, metres.


def _edge_heights(edges: Edges) -> _EdgeHeights:
    """Return the heights of the lower and the upper end of each edge."""
    start_y = edges.slope * edges.start + edges.intercept
    end_y = edges.slope * edges.end + edges.intercept
    return _EdgeHeights(np.minimum(start_y, end_y), np.maximum(start_y, end_y))


def shared_areas(regions: Edges, pairs: PairedEdges, n_targets: int) -> Floats:
    """Compute the area that each pair's delineation shares with the region of its target.

    Args:
        regions: edges of one region per target, any polygons; owners are indices of targets.
        pairs: edges of the pairs' delineations.
        n_targets: number of targets.

    Returns:
        (n_pairs,) areas, m².

    >>> regions = polygon_edges(np.array([shapely.box(0, 0, 4, 4)]))
    >>> drawn = polygon_edges(np.array([shapely.box(3, 2, 6, 5)]))
    >>> shared_areas(regions, pair_edges(drawn, 1, np.array([0]), np.array([0])), 1).tolist()
    [2.0]
    """
    if len(regions.polygon) == 0:
        return np.zeros(pairs.n_pairs)
    owners, first_rows = np.unique(regions.polygon, return_index=True)
    # Left and right side of the region of each target.
    left = np.zeros(n_targets)
    right = np.zeros(n_targets)
    left[owners] = regions.start.take(first_rows)
    right[owners] = np.maximum.reduceat(regions.end, first_rows)
    near_pairs = _edges_within(pairs, left, right)
    pair_of_edge = near_pairs.pair
    drawn = near_pairs.edges

    # The keys sort by target, then by x. Edges are cut off at the sides of the region, because
    # nothing is shared outside it.
    shift = 2 * (right - left).max() * np.arange(n_targets) - left
    region_shift = shift.take(regions.polygon)
    region_start_keys = region_shift + regions.start
    region_end_keys = region_shift + regions.end
    drawn_shift = shift.take(drawn.polygon)
    drawn_start_keys = drawn_shift + np.maximum(drawn.start, left.take(drawn.polygon))
    drawn_end_keys = drawn_shift + np.minimum(drawn.end, right.take(drawn.polygon))

    # Of two edges that overlap in x, one starts within the other. Each of the two cases is
    # summed separately; in sorted order the partners of an edge are contiguous.
    first_regions, first_drawn = _rank_in_each_other(drawn_start_keys, region_start_keys)
    region_rows, drawn_rows, counts = _starting_within(
        region_start_keys, first_regions, drawn_end_keys
    )
    direction = near_pairs.direction.take(pair_of_edge)
    gaps_from_regions = _signed_gaps(
        regions,
        region_rows,
        delineations=drawn,
        delineation_row=drawn_rows,
        start=regions.start.take(region_rows),
        direction=direction,
    )
    sums_of_drawn = _run_sums(gaps_from_regions, counts) * drawn.sign
    total = np.bincount(pair_of_edge, sums_of_drawn, pairs.n_pairs)

    drawn_rows, region_rows, _ = _starting_within(drawn_start_keys, first_drawn, region_end_keys)
    gaps_from_drawn = _signed_gaps(
        regions,
        region_rows,
        delineations=drawn,
        delineation_row=drawn_rows,
        start=drawn.start.take(drawn_rows),
        direction=direction,
    )
    gaps_from_drawn *= drawn.sign.take(drawn_rows)
    total += np.bincount(pair_of_edge.take(drawn_rows), gaps_from_drawn, pairs.n_pairs)
    # The gaps are twice the integrals, and the sum has the opposite sign.
    return cast("Floats", np.maximum(-total / 2, 0.0))


def _edges_within(pairs: PairedEdges, left: Floats, right: Floats) -> PairedEdges:
    """Return the edges of pairs that reach between the two sides of their targets' regions.

    Args:
        pairs: edges of the pairs' delineations.
        left: (T,) smallest x of the region of each target, metres.
        right: (T,) largest x of the region of each target, metres.
    """
    edges = pairs.edges
    is_near = edges.start < right.take(edges.polygon)
    is_near &= edges.end > left.take(edges.polygon)
    if is_near.all():
        return pairs
    near = np.flatnonzero(is_near)
    return pairs._replace(pair=pairs.pair.take(near), edges=edges.take(near))


def _rank_in_each_other(left: Floats, right: Floats) -> tuple[Ints, Ints]:
    """Rank the values of two sorted arrays in each other.

    Args:
        left: (n,) ascending values.
        right: (m,) ascending values.

    Returns:
        (n,) number of values of ``right`` below each value of ``left``, and (m,) number of values
        of ``left`` that are at most each value of ``right``.
    """
    # Of equal values those of ``left`` come first, because the sort is stable.
    merged_order = np.argsort(np.concatenate([left, right]), kind="stable")
    is_right = merged_order >= len(left)
    # The position of a value among all, less the number of values of its own array before it.
    positions_of_left = np.flatnonzero(~is_right)
    positions_of_right = np.flatnonzero(is_right)
    n_right_below = positions_of_left - np.arange(len(left))
    n_left_below = positions_of_right - np.arange(len(right))
    return n_right_below, n_left_below


def _starting_within(starts: Floats, begin: Ints, end: Floats) -> tuple[Ints, Ints, Ints]:
    """Find, for each of n queries, the starts from a row on that are below an end.

    Args:
        starts: (m,) ascending values.
        begin: (n,) first row of ``starts`` of each query.
        end: (n,) value that the starts must be below.

    Returns:
        Rows of ``starts`` and, in parallel, the queries that they belong to; and (n,) number of
        starts of each query.
    """
    counts = np.maximum(np.searchsorted(starts, end, "left") - begin, 0)
    start_rows, queries = concatenate_ranges(begin, counts)
    return start_rows, queries, counts


def _run_sums(values: Floats, lengths: Ints) -> Floats:
    """Return the sums (n,) of consecutive runs of values; 0 for empty runs.

    Args:
        values: values, run by run.
        lengths: (n,) number of values in each run.
    """
    sums = np.zeros(len(lengths))
    filled_runs = np.flatnonzero(lengths > 0)
    if len(filled_runs):
        run_starts = np.cumsum(lengths) - lengths
        sums[filled_runs] = np.add.reduceat(values, run_starts[filled_runs])
    return sums


def _signed_gaps(
    regions: Edges,
    region_row: Ints,
    delineations: Edges,
    delineation_row: Ints,
    start: Floats,
    direction: Floats,
) -> Floats:
    """Return s_i · 2 ∫ max(d_j · (y_i - y_j), 0) dx for n pairs of edges i and j.

    The integral runs from ``start`` to the nearer of the two edges' ends. y_i and y_j are the
    heights of the edges at x, s_i is the sign of edge i and d_j the direction of edge j.

    Args:
        regions: edges of regions.
        region_row: (n,) row i in ``regions`` of each pair.
        delineations: m edges of delineations.
        delineation_row: (n,) row j in ``delineations`` of each pair.
        start: (n,) x at which the integral starts, metres.
        direction: (m,) 1 or -1 for each edge of the delineations.

    Returns:
        (n,) values, m².
    """
    i = region_row
    j = delineation_row
    end = np.minimum(regions.end.take(i), delineations.end.take(j))
    pair_direction = direction.take(j)
    slope = regions.slope.take(i)
    slope -= delineations.slope.take(j)
    slope *= pair_direction
    intercept = regions.intercept.take(i)
    intercept -= delineations.intercept.take(j)
    intercept *= pair_direction
    at_start = slope * start
    at_start += intercept
    at_end = slope
    at_end *= end
    at_end += intercept

    # Where two edges cross, with gaps p > 0 and q < 0 at the two ends, only a triangle of twice
    # the area p² / (p - q) per unit of width is positive: p + p·q / (p - q).
    product = at_start * at_end
    crossing = (product < 0).nonzero()[0]
    correction = product[crossing] / np.abs(at_start[crossing] - at_end[crossing])
    gap = np.maximum(at_start, 0.0, out=at_start)
    gap += np.maximum(at_end, 0.0, out=at_end)
    gap[crossing] += correction
    end -= start
    gap *= end
    gap *= regions.sign.take(i)
    return cast("Floats", gap)


class Rings(NamedTuple):
    """All R rings of polygons, with P points."""

    #: (P, 2) points of one ring after another; each ring ends with its first point.
    points: Floats
    #: (P,) index of the point's ring.
    ring: Ints
    #: (P,) True for the last point of a ring.
    is_closing: Bools
    #: (R,) row of each ring's first point.
    start: Ints
    #: (R,) True for an exterior ring, False for a hole.
    is_exterior: Bools
    #: (R,) index of the ring's polygon.
    owner: Ints


def get_rings(polygons: Objects) -> Rings:
    """Return the rings of polygons.

    Args:
        polygons: (n,) polygons and multipolygons.

    Returns:
        The rings in the order of the polygons, exterior rings before their holes.

    >>> holed = shapely.box(0, 0, 9, 9).difference(shapely.box(2, 2, 4, 4))
    >>> get_rings(np.array([holed])).is_exterior.tolist()
    [True, False]
    """
    is_polygon = shapely.get_type_id(polygons) == shapely.GeometryType.POLYGON
    is_simple = is_polygon & ~shapely.is_empty(polygons)
    if is_simple.all() and not shapely.get_num_interior_rings(polygons).any():
        # Each polygon stands for its only ring, which saves the extraction of the rings.
        rings = polygons
        owner = np.arange(len(polygons))
        is_exterior = np.ones(len(polygons), dtype=bool)
    else:
        parts, polygon_of_part = shapely.get_parts(polygons, return_index=True)
        rings, part_of_ring = shapely.get_rings(parts, return_index=True)
        owner = polygon_of_part[part_of_ring]
        # The first ring of a part is its exterior.
        is_exterior = np.diff(part_of_ring, prepend=-1) > 0
    points, ring_of_point = shapely.get_coordinates(rings, return_index=True)
    return Rings(
        points=points,
        ring=ring_of_point,
        is_closing=np.diff(ring_of_point, append=-1) != 0,
        start=np.flatnonzero(np.diff(ring_of_point, prepend=-1)),
        is_exterior=is_exterior,
        owner=owner,
    )


def concatenate_ranges(first: Ints, count: Ints) -> tuple[Ints, Ints]:
    """Concatenate ranges of integers.

    Args:
        first: (n,) first integer of each range.
        count: (n,) length of each range.

    Returns:
        The integers of all ranges, one range after another, and the row of each one's range.

    >>> [values.tolist() for values in concatenate_ranges(np.array([3, 7]), np.array([2, 1]))]
    [[3, 4, 7], [0, 0, 1]]
    """
    ends = np.cumsum(count)
    total = ends[-1] if len(ends) else 0
    # The row of each integer's range rises by one at the end of each range. numpy.repeat would do
    # the same, but would hold Python's global lock meanwhile.
    rows = np.cumsum(np.bincount(ends, minlength=total + 1)[:total])
    range_starts = ends - count
    integers = (first - range_starts).take(rows)
    integers += np.arange(total)
    return integers, rows


#: Number of polygons per task of a worker thread.
_BATCH = 1024
#: Number of polygons per task that finds pairs; where thousands of polygons lie in one spot, each
#: of them has thousands of pairs.
_PAIR_BATCH = 256
#: Number of such tasks whose pairs are found before they are passed on.
_GROUP = 16
#: Minimum number of pairs in a block, except in the last one.
_BLOCK_PAIRS = 1_000_000
#: Number of pairs of intersecting polygons that is allowed for layers of any size. A pair takes
#: about 90 bytes while its shared area is computed.
MAX_PAIRS = 10_000_000
#: Number of pairs per polygon of both layers that is allowed for large layers.
MAX_PAIRS_PER_POLYGON = 50
#: What is found in pairs.
Found = TypeVar("Found")


def too_many_pairs_error(limit: int) -> InputError:
    """Return the error that more pairs of crowns overlap than fit into memory.

    >>> too_many_pairs_error(100).values["limit"]
    100
    """
    return InputError(
        "crowns.too_many_pairs",
        "More than {limit:,} pairs of crowns overlap, which needs too much memory. Many "
        "crowns lie in one spot. Remove duplicates, or compare parts of the layers.",
        limit=limit,
    )


def unless_too_many_pairs(find: Callable[[], Found], *, is_needed: bool) -> Found | None:
    """Return what a function finds in all pairs; None if there are more than fit into memory.

    Args:
        find: function that raises :func:`too_many_pairs_error` if there are too many pairs.
        is_needed: True to raise that error again.

    Raises:
        InputError: if all pairs are needed but there are too many, or for another reason.

    >>> unless_too_many_pairs(lambda: 5, is_needed=False)
    5
    """
    try:
        return find()
    except InputError as error:
        if is_needed or error.key != "crowns.too_many_pairs":
            raise
        return None


def intersecting_pairs(
    left: Objects,
    right: Objects,
    progress: Progress = no_progress,
    max_pairs: int | None = None,
    plots: tuple[Ints, Ints] | None = None,
    are_boxes: bool | None = None,
) -> tuple[Ints, Ints]:
    """Find all pairs of intersecting polygons, on all processors.

    Args:
        left: (n,) polygons.
        right: (m,) polygons.
        progress: receives the fraction done.
        max_pairs: number of pairs that is allowed for layers of any size; None for
            :data:`MAX_PAIRS`.
        plots: (n,) and (m,) numbers of the polygons' plots; pairs of different plots are left out.
            None to compare all polygons.
        are_boxes: True if all polygons are axis-aligned rectangles; None if unknown.

    Returns:
        Row in ``left`` and row in ``right`` of each pair, sorted by the first, then the second.
        Polygons that only touch are a pair, too.

    Raises:
        InputError: if there are more than ``max_pairs`` pairs, and more than
            :data:`MAX_PAIRS_PER_POLYGON` per polygon, because many polygons lie in one spot.

    >>> left, right = shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1)
    >>> [rows.tolist() for rows in intersecting_pairs(np.array([left]), np.array([right, left]))]
    [[0, 0], [0, 1]]
    """
    query = _intersection_query(left, right, are_boxes)
    allowed = MAX_PAIRS if max_pairs is None else max_pairs
    limit = max(allowed, MAX_PAIRS_PER_POLYGON * (len(left) + len(right)))
    counter = _PairCounter(limit)

    def find_pairs(group: list[slice]) -> Ints:
        """Return the pairs (2, k) of the polygons in the batches of a group."""
        blocks: list[Ints] = []
        for batch in group:
            pairs = _drop_other_plots(query(left[batch]), batch.start, plots)
            blocks.append(pairs)
            counter.add(pairs.shape[1])
        return np.concatenate(blocks, axis=1)

    batches = list(split_range(len(left), _PAIR_BATCH))
    # Groups of batches save tasks, where there are many, and leave some for each processor.
    group_size = min(_GROUP, 1 + len(batches) // _GROUP)
    groups = [batches[first : first + group_size] for first in range(0, len(batches), group_size)]
    # An empty array first, because np.concatenate needs at least one.
    pairs_of_groups = [np.empty((2, 0), dtype=np.int64)]
    pairs_of_groups += map_in_threads(find_pairs, groups, progress)
    left_rows, right_rows = np.concatenate(pairs_of_groups, axis=1)
    # A stable sort is fast for keys that are nearly in order.
    order = np.argsort(left_rows * len(right) + right_rows, kind="stable")
    return left_rows[order], right_rows[order]


def _drop_other_plots(batch_pairs: Ints, first_row: int, plots: tuple[Ints, Ints] | None) -> Ints:
    """Return the pairs of a batch within a plot, with rows of all polygons.

    Args:
        batch_pairs: (2, k) rows of both polygons of each pair; the first counts from the start of
            the batch.
        first_row: row of the first polygon of the batch among all polygons.
        plots: numbers of the polygons' plots, see :func:`intersecting_pairs`; None to keep all.

    Returns:
        (2, m) rows of both polygons of each pair.
    """
    left_rows = batch_pairs[0] + first_row
    right_rows = batch_pairs[1]
    pairs: Ints = np.stack([left_rows, right_rows])
    if plots is None:
        return pairs
    left_plots, right_plots = plots
    is_same_plot = left_plots[left_rows] == right_plots[right_rows]
    return pairs.compress(is_same_plot, axis=1)


class _PairCounter:
    """Number of pairs that all threads have found; it must not exceed a limit.

    The limit holds for all threads together, so that memory does not grow with their number.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._n_pairs = 0
        self._lock = Lock()

    def add(self, n_pairs: int) -> None:
        """Add pairs of one thread.

        Raises:
            InputError: if there are more than the limit.
        """
        with self._lock:
            self._n_pairs += n_pairs
        if self._n_pairs > self._limit:
            raise too_many_pairs_error(self._limit)


def _intersection_query(
    left: Objects, right: Objects, are_boxes: bool | None = None
) -> Callable[[Objects], Ints]:
    """Return a function of some polygons of ``left`` that finds their pairs with ``right``.

    The function returns (2, k) rows: those of its polygons, and those of ``right``.
    """
    if are_boxes is None:
        are_left_boxes = is_box(left, AREA_ROUNDING).all()
        are_boxes = bool(are_left_boxes and is_box(right, AREA_ROUNDING).all())
    # Rectangles intersect if their bounding boxes do, which the tree finds by itself.
    predicate = None if are_boxes else "intersects"
    # The tree gets a copy, because shapely 2.0.0 makes the array of its tree read-only.
    tree = shapely.STRtree(right.copy())
    return partial(tree.query, predicate=predicate)


def iterate_intersecting_pairs(
    left: Objects,
    right: Objects,
    progress: Progress = no_progress,
    plots: tuple[Ints, Ints] | None = None,
) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs of intersecting polygons in blocks, whose size does not grow with the layers.

    All pairs of a polygon of ``left`` are in one block.

    Args:
        left: (n,) polygons.
        right: (m,) polygons.
        progress: receives the fraction done.
        plots: numbers of the polygons' plots, see :func:`intersecting_pairs`.

    Yields:
        Row in ``left`` and row in ``right`` of each pair of a block, sorted by the first.

    >>> square = np.array([shapely.box(0, 0, 1, 1)])
    >>> for left_row, right_row in iterate_intersecting_pairs(square, square):
    ...     print(left_row, right_row)
    [0] [0]
    """
    query = _intersection_query(left, right)
    batches = split_array(left, _PAIR_BATCH)
    first_row = 0
    first_batch = 0
    # One batch shows how many pairs the next group will have.
    group_size = 1
    collected: list[Ints] = []
    n_collected = 0
    while first_batch < len(batches):
        group = batches[first_batch : first_batch + group_size]
        end_batch = first_batch + len(group)
        group_progress = subprogress(progress, first_batch / len(batches), end_batch / len(batches))
        n_found = 0
        for batch, batch_pairs in zip(group, map_in_threads(query, group, group_progress)):
            n_found += batch_pairs.shape[1]
            pairs = _drop_other_plots(batch_pairs, first_row, plots)
            collected.append(pairs)
            n_collected += pairs.shape[1]
            first_row += len(batch)
        first_batch = end_batch
        # As many batches as will probably have the pairs of one block.
        fitting_batches = _BLOCK_PAIRS * len(group) // max(1, n_found)
        group_size = min(max(1, fitting_batches), _GROUP)
        is_last = first_row == len(left)
        if n_collected > _BLOCK_PAIRS or is_last:
            yield from _split_blocks(np.concatenate(collected, axis=1))
            collected = []
            n_collected = 0


def _split_blocks(pairs: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs (2, k) in blocks of about :data:`_BLOCK_PAIRS`; no row is in two of them.

    Args:
        pairs: rows of both polygons of each pair, sorted by the first.
    """
    # All pairs of a row have one load, so that no block ends between them.
    load = np.searchsorted(pairs[0], pairs[0]) + 1
    for block in even_slices(load, max(1, _BLOCK_PAIRS)):
        yield pairs[0, block], pairs[1, block]


def translate_to_origin(polygons: Objects, origin: Floats) -> Objects:
    """Translate polygons so that ``origin`` becomes (0, 0).

    Coordinates as large as those of UTM cost digits in areas.

    Args:
        polygons: (n,) polygons.
        origin: (2,) x and y of the new origin.

    Returns:
        (n,) translated polygons.

    >>> boxes = np.array([shapely.box(5, 5, 6, 7)])
    >>> shapely.bounds(translate_to_origin(boxes, np.array([5, 5]))).tolist()
    [[0.0, 0.0, 1.0, 2.0]]
    """
    translated = np.empty(len(polygons), dtype=object)
    # shapely.transform holds Python's global lock: batches let other threads run in between.
    for batch in split_range(len(polygons), _BATCH):
        translated[batch] = shapely.transform(
            polygons[batch], lambda coordinates: coordinates - origin
        )
    return translated


def bounds_centre(polygons: Objects) -> Floats:
    """Return the centre (2,) of the total bounds of polygons (n,).

    >>> bounds_centre(np.array([shapely.box(0, 0, 1, 1), shapely.box(3, 0, 4, 3)])).tolist()
    [2.0, 1.5]
    """
    xmin, ymin, xmax, ymax = shapely.total_bounds(polygons)
    return np.array([(xmin + xmax) / 2, (ymin + ymax) / 2])


def extract_polygons(geometry: Objects) -> Objects:
    """Drop the points and lines of geometries.

    Args:
        geometry: (n,) geometries of any type.

    Returns:
        (n,) polygon or multipolygon of the polygons in each geometry; an empty polygon where there
        are none. The array itself is returned if it holds polygons and multipolygons only.

    >>> mixed = shapely.GeometryCollection([shapely.Point(0, 0), shapely.box(0, 0, 1, 1)])
    >>> extract_polygons(np.array([mixed]))[0].geom_type
    'Polygon'
    """
    mixed = np.flatnonzero(~np.isin(shapely.get_type_id(geometry), POLYGON_TYPES))
    if len(mixed) == 0:
        return geometry
    parts, owner = shapely.get_parts(geometry[mixed], return_index=True)
    # Collections within collections: the ids of multipart types are above that of polygons.
    while (shapely.get_type_id(parts) > shapely.GeometryType.POLYGON).any():
        parts, part_rows = shapely.get_parts(parts, return_index=True)
        owner = owner[part_rows]
    is_polygon = shapely.get_type_id(parts) == shapely.GeometryType.POLYGON
    is_polygon &= ~shapely.is_empty(parts)
    polygons = geometry.copy()
    polygons[mixed] = shapely.Polygon()
    owners, owner_numbers = np.unique(owner[is_polygon], return_inverse=True)
    if len(owners):
        joined = shapely.multipolygons(parts[is_polygon], indices=owner_numbers)
        is_single = shapely.get_num_geometries(joined) == 1
        joined[is_single] = shapely.get_geometry(joined[is_single], 0)
        joined[~is_single] = repair_outlines(joined[~is_single])
        polygons[mixed[owners]] = joined
    return polygons


def clip_geometries(extent: Any, polygons: Objects) -> Objects:
    """Clip polygons to an extent.

    Args:
        extent: a valid polygon, which is prepared in place, or None for no clipping.
        polygons: (n,) valid polygons.

    Returns:
        (n,) part of each polygon within the extent; an empty polygon where there is none.

    >>> boxes = np.array([shapely.box(0, 0, 2, 2)])
    >>> shapely.area(clip_geometries(shapely.box(0, 0, 1, 9), boxes)).tolist()
    [2.0]
    """
    if extent is None:
        return polygons
    shapely.prepare(extent)
    is_outside = ~shapely.covers(extent, polygons)
    clipped = polygons.copy()
    clipped[is_outside] = extract_polygons(shapely.intersection(polygons[is_outside], extent))
    return clipped
