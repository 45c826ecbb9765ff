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

    def select_pairs(self, is_wanted: Bools) -> PairedEdges:
        """Return the edges of the pairs in a mask (n_pairs,); pairs keep their index."""
        rows = np.flatnonzero(is_wanted.take(self.pair))
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
        no_values = np.empty(0)
        no_owners = np.empty(0, dtype=np.int64)
        return Edges(
            polygon=no_owners,
            start=no_values,
            end=no_values,
            slope=no_values,
            intercept=no_values,
            sign=no_values,
        )
    rings = get_rings(polygons)
    points = rings.points if origin is None else rings.points - origin
    x, y = np.ascontiguousarray(points.T)
    width = np.diff(x)
    # The last point of a ring starts no edge: the next point belongs to another ring.
    width[rings.is_closing[:-1]] = 0.0
    ring_sign = _ring_signs(rings, y, width)

    # Edges narrower than the rounding of the coordinates have no usable slope and no area below.
    point = np.flatnonzero(np.abs(width) > 4 * np.finfo(float).eps * np.abs(x).max())
    ring = rings.ring.take(point)
    owner = rings.owner.take(ring)
    start = np.minimum(x.take(point), x[1:].take(point))
    order = np.argsort(_sorting_keys(owner, start), kind="stable")

    point = point.take(order)
    owner = owner.take(order)
    start = start.take(order)
    first_x = x.take(point)
    second_x = x[1:].take(point)
    width = width.take(point)
    intercept = y.take(point)
    slope = y[1:].take(point)
    slope -= intercept
    slope /= width
    intercept -= slope * first_x
    sign = np.copysign(1.0, width)
    sign *= ring_sign.take(ring.take(order))
    return Edges(
        polygon=owner,
        start=start,
        end=np.maximum(first_x, second_x),
        slope=slope,
        intercept=intercept,
        sign=sign,
    )


def _sorting_keys(owner: Ints, start: Floats) -> Floats:
    """Return keys (n,) that sort by the ascending ``owner`` (n,), then by ``start`` (n,).

    Starts closer than the rounding of the keys are not distinguished.
    """
    if len(owner) == 0:
        return start
    first = np.append(0, np.flatnonzero(owner[1:] != owner[:-1]) + 1)
    left = np.minimum.reduceat(start, first)
    stride = 2 * (np.maximum.reduceat(start, first) - left).max()
    shift = np.zeros(owner[-1] + 1)
    shift[owner[first]] = stride * owner[first] - left
    key = shift.take(owner)
    key += start
    return key


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
    owner = np.flatnonzero((bounds[:, 2] > bounds[:, 0]) & (bounds[:, 3] > bounds[:, 1]))
    left, bottom, right, top = bounds[owner].T
    n = len(owner)
    return Edges(
        polygon=np.repeat(owner, 2),
        start=np.repeat(left, 2),
        end=np.repeat(right, 2),
        slope=np.zeros(2 * n),
        intercept=np.stack([top, bottom], axis=1).ravel(),
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
    edge_count = np.diff(first_edge)

    # List the edges of each pair, with the pairs sorted by target.
    by_target = np.argsort(target, kind="stable")
    sorted_polygon = polygon.take(by_target)
    edge, sorted_row = concatenate_ranges(
        first_edge.take(sorted_polygon), edge_count.take(sorted_polygon)
    )
    direction = np.ones(len(polygon))

    if bounds is not None:
        heights = _edge_heights(edges)
        total_height = np.bincount(edges.polygon, heights.lowest + heights.highest, n_polygons)
        twice_mean_height = total_height / np.maximum(edge_count, 1)
        left, bottom, right, top = bounds.take(target.take(by_target), axis=0).T
        is_above = twice_mean_height.take(sorted_polygon) > bottom + top
        direction[by_target[~is_above]] = -1.0

        # An edge matters if its lower end is below the top of the regions, or, for pairs that sum
        # y_j - y_i, if its upper end is above their bottom. The negatives of both sides turn the
        # second comparison into the first.
        both_heights = np.append(heights.lowest, -heights.highest)
        height_offset = np.where(is_above, 0, len(heights.lowest))
        height = both_heights.take(edge + height_offset.take(sorted_row))
        height_limit = np.where(is_above, top, -bottom)
        is_near = height < height_limit.take(sorted_row)
        is_near &= edges.start.take(edge) < right.take(sorted_row)
        is_near &= edges.end.take(edge) > left.take(sorted_row)
        near = np.flatnonzero(is_near)
        edge = edge.take(near)
        sorted_row = sorted_row.take(near)

    pair = by_target.take(sorted_row)
    owner = target.take(pair)
    order = np.argsort(_sorting_keys(owner, edges.start.take(edge)), kind="stable")
    paired = edges.take(edge.take(order))._replace(polygon=owner.take(order))
    return PairedEdges(pair.take(order), paired, len(polygon), direction)


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
    owner, first = np.unique(regions.polygon, return_index=True)
    left_edge, right = np.zeros((2, n_targets))
    left_edge[owner] = regions.start.take(first)
    right[owner] = np.maximum.reduceat(regions.end, first)
    is_near = pairs.edges.start < right.take(pairs.edges.polygon)
    is_near &= pairs.edges.end > left_edge.take(pairs.edges.polygon)
    if not is_near.all():
        near = np.flatnonzero(is_near)
        pairs = pairs._replace(pair=pairs.pair.take(near), edges=pairs.edges.take(near))
    pair = pairs.pair
    drawn = pairs.edges

    # The keys sort by target, then by x. Edges are cut off at the sides of the region, because
    # nothing is shared outside it.
    shift = 2 * (right - left_edge).max() * np.arange(n_targets) - left_edge
    region_shift = shift.take(regions.polygon)
    region_key = region_shift + regions.start
    region_end_key = region_shift + regions.end
    drawn_shift = shift.take(drawn.polygon)
    drawn_key = drawn_shift + np.maximum(drawn.start, left_edge.take(drawn.polygon))
    drawn_end_key = drawn_shift + np.minimum(drawn.end, right.take(drawn.polygon))

    # Of two edges that overlap in x, one starts within the other. Each of the two cases is
    # summed separately; in sorted order the partners of an edge are contiguous.
    first_region, first_drawn = _ranks(drawn_key, region_key)
    region_row, drawn_row, count = _starting_within(region_key, first_region, drawn_end_key)
    direction = pairs.direction.take(pair)
    gaps = _signed_gaps(
        regions,
        region_row,
        delineations=drawn,
        delineation_row=drawn_row,
        start=regions.start.take(region_row),
        direction=direction,
    )
    total = np.bincount(pair, _sums(gaps, count) * drawn.sign, pairs.n_pairs)
    drawn_row, region_row, _ = _starting_within(drawn_key, first_drawn, region_end_key)
    gaps = _signed_gaps(
        regions,
        region_row,
        delineations=drawn,
        delineation_row=drawn_row,
        start=drawn.start.take(drawn_row),
        direction=direction,
    )
    gaps *= drawn.sign.take(drawn_row)
    total += np.bincount(pair.take(drawn_row), gaps, pairs.n_pairs)
    return cast("Floats", np.maximum(-total / 2, 0.0))


def _ranks(first: Floats, second: Floats) -> tuple[Ints, Ints]:
    """Rank the values of two sorted arrays (n,) and (m,) in each other.

    Returns:
        (n,) number of values of ``second`` below each value of ``first``, and (m,) number of
        values of ``first`` that are at most each value of ``second``.
    """
    merged = np.argsort(np.concatenate([first, second]), kind="stable")
    is_second = merged >= len(first)
    below_first = np.flatnonzero(~is_second) - np.arange(len(first))
    below_second = np.flatnonzero(is_second) - np.arange(len(second))
    return below_first, below_second


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
    count = np.maximum(np.searchsorted(starts, end, "left") - begin, 0)
    start_row, query = concatenate_ranges(begin, count)
    return start_row, query, count


def _sums(values: Floats, count: Ints) -> Floats:
    """Return the sums (n,) of consecutive runs of ``count`` (n,) values; 0 for empty runs."""
    sums = np.zeros(len(count))
    filled = np.flatnonzero(count > 0)
    if len(filled):
        sums[filled] = np.add.reduceat(values, (np.cumsum(count) - count)[filled])
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
    rings = polygons
    owner = np.arange(len(polygons))
    exterior = np.ones(len(polygons), dtype=bool)
    is_polygon = shapely.get_type_id(polygons) == shapely.GeometryType.POLYGON
    is_simple = is_polygon & ~shapely.is_empty(polygons)
    if not is_simple.all() or shapely.get_num_interior_rings(polygons).any():
        parts, owner = shapely.get_parts(polygons, return_index=True)
        rings, part = shapely.get_rings(parts, return_index=True)
        exterior = np.diff(part, prepend=-1) > 0
        owner = owner[part]
    points, ring = shapely.get_coordinates(rings, return_index=True)
    start = np.flatnonzero(np.diff(ring, prepend=-1))
    closing = np.diff(ring, append=-1) != 0
    return Rings(
        points=points, ring=ring, is_closing=closing, start=start, is_exterior=exterior, owner=owner
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
    end = np.cumsum(count)
    total = end[-1] if len(end) else 0
    # numpy.repeat would do the same, but would hold Python's global lock meanwhile.
    row = np.cumsum(np.bincount(end, minlength=total + 1)[:total])
    integers = (first - (end - count)).take(row)
    integers += np.arange(total)
    return integers, row


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

    def find_pairs(batches: list[slice]) -> Ints:
        """Return the pairs (2, k) of the polygons in several batches."""
        pair_blocks: list[Ints] = []
        for batch in batches:
            left_row, right_row = query(left[batch])
            pairs = np.stack([left_row + batch.start, right_row])
            if plots is not None:
                pairs = pairs[:, plots[0][pairs[0]] == plots[1][pairs[1]]]
            pair_blocks.append(pairs)
            counter.add(pairs.shape[1])
        return np.concatenate(pair_blocks, axis=1)

    batches = list(split_range(len(left), _PAIR_BATCH))
    # Groups of batches save tasks, where there are many, and leave some for each processor.
    group_size = min(_GROUP, 1 + len(batches) // _GROUP)
    groups = [batches[first : first + group_size] for first in range(0, len(batches), group_size)]
    row_pairs = [np.empty((2, 0), dtype=np.int64)]
    row_pairs += map_in_threads(find_pairs, groups, progress)
    left_row, right_row = np.concatenate(row_pairs, axis=1)
    # A stable sort is fast for keys that are nearly in order.
    order = np.argsort(left_row * len(right) + right_row, kind="stable")
    return left_row[order], right_row[order]


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
    # Rectangles intersect if their bounding boxes do, which the tree finds by itself.
    if are_boxes is None:
        are_boxes = bool(is_box(left, AREA_ROUNDING).all() and is_box(right, AREA_ROUNDING).all())
    predicate = None if are_boxes else "intersects"
    # The tree gets a copy, because shapely 2.0.0 makes the array of its tree read-only.
    return partial(shapely.STRtree(right.copy()).query, predicate=predicate)


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
    first_row = first_batch = n_pairs = 0
    # One batch shows how many pairs the next group will have.
    n_batches = 1
    collected: list[Ints] = []
    while first_batch < len(batches):
        group = batches[first_batch : first_batch + n_batches]
        ends = (first_batch / len(batches), (first_batch + len(group)) / len(batches))
        n_found = 0
        for batch, rows in zip(group, map_in_threads(query, group, subprogress(progress, *ends))):
            n_found += rows.shape[1]
            pairs = np.stack([rows[0] + first_row, rows[1]])
            if plots is not None:
                pairs = pairs[:, plots[0][pairs[0]] == plots[1][pairs[1]]]
            collected.append(pairs)
            first_row += len(batch)
            n_pairs += pairs.shape[1]
        first_batch += len(group)
        n_batches = min(max(1, _BLOCK_PAIRS * len(group) // max(1, n_found)), _GROUP)
        if n_pairs > _BLOCK_PAIRS or first_row == len(left):
            yield from _split_blocks(np.concatenate(collected, axis=1))
            collected = []
            n_pairs = 0


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
    moved = np.empty(len(polygons), dtype=object)
    # shapely.transform holds Python's global lock: batches let other threads run in between.
    for batch in split_range(len(polygons), _BATCH):
        moved[batch] = shapely.transform(polygons[batch], lambda coordinates: coordinates - origin)
    return moved


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
    while (shapely.get_type_id(parts) > shapely.GeometryType.POLYGON).any():
        parts, row = shapely.get_parts(parts, return_index=True)
        owner = owner[row]
    is_polygon = shapely.get_type_id(parts) == shapely.GeometryType.POLYGON
    is_polygon &= ~shapely.is_empty(parts)
    result = geometry.copy()
    result[mixed] = shapely.Polygon()
    owners, number = np.unique(owner[is_polygon], return_inverse=True)
    if len(owners):
        joined = shapely.multipolygons(parts[is_polygon], indices=number)
        is_single = shapely.get_num_geometries(joined) == 1
        joined[is_single] = shapely.get_geometry(joined[is_single], 0)
        joined[~is_single] = repair_outlines(joined[~is_single])
        result[mixed[owners]] = joined
    return result


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
