"""Areas shared by pairs of polygons, exact and for many pairs at once.

A polygon is, at every x, the signed sum of the half-lines below its edges: +1 below an upper edge, -1 below a
lower one. The signs of a closed ring add up to zero at every x, which leaves for two polygons P and Q

    area(P ∩ Q) = -sum over edges i of P, j of Q of  s_i · s_j · ∫ max(y_i(x) - y_j(x), 0) dx

over the x that both edges span, and the same with y_j - y_i. Edges j above all of P add nothing to the one, those below
nothing to the other. No intersection is constructed, nothing is decided by a comparison of coordinates, so touching,
collinear and nested edges need no special case, and the result is a continuous function of the input. Holes and parts
are edges like any other.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, parts_of, slices
from randcrowns.core.crowns import POLYGONAL
from randcrowns.core.progress import Progress, in_threads, no_progress

#: Areas this small beside the crowns' own are rounding, not overlap.
ROUNDING = 1e-12


class Edges(NamedTuple):
    """Edges of polygons that are not vertical, sorted by owner, then by where they start."""

    owner: Ints  #: (n,) index of the polygon that the edge belongs to.
    #: start, end: (n,) smaller and larger x of the edge, metres.
    start: Floats
    end: Floats
    #: slope, intercept: (n,) the edge's line, y = slope · x + intercept.
    slope: Floats
    intercept: Floats
    sign: Floats  #: (n,) +1 for an upper edge, -1 for a lower one.

    def take(self, rows: Ints) -> Edges:
        """Some of the edges."""
        columns: Any = (column.take(rows) for column in self)
        return Edges(*columns)


class PairedEdges(NamedTuple):
    """Edges of the delineations of many pairs, sorted by the pair's target, then by where they start."""

    pair: Ints  #: (n,) index of the pair that the edge belongs to.
    edges: Edges  #: the edges; their owner is the index of the pair's target.
    n_pairs: int  #: number of pairs.
    way: Floats  #: (n_pairs,) 1 where y_i - y_j is summed, -1 where y_j - y_i is.

    def of_pairs(self, wanted: Bools) -> PairedEdges:
        """The edges of the ``wanted`` pairs only; pairs keep their index."""
        keep = np.flatnonzero(wanted.take(self.pair))
        return self._replace(pair=self.pair.take(keep), edges=self.edges.take(keep))

    def times(self, copies: int, n_targets: int) -> PairedEdges:
        """``copies`` of each pair: copy k is pair + k · ``n_pairs``, and its target that + k · ``n_targets``."""
        if copies == 1:
            return self
        number = np.repeat(np.arange(copies), len(self.pair))
        edges = self.edges.take(np.tile(np.arange(len(self.pair)), copies))
        edges = edges._replace(owner=edges.owner + n_targets * number)
        pair = np.tile(self.pair, copies) + self.n_pairs * number
        return PairedEdges(pair, edges, self.n_pairs * copies, np.tile(self.way, copies))


def polygon_edges(polygons: Objects, origin: Floats | None = None) -> Edges:
    """Edges of (n,) valid polygons and multipolygons; empty ones have none.

    A point near them, the origin, becomes (0, 0): areas lose digits with the distance from it.
    """
    if shapely.is_empty(polygons).all():
        nothing = np.empty(0)
        return Edges(np.empty(0, dtype=np.int64), nothing, nothing, nothing, nothing, nothing)
    rings = rings_of(polygons)
    x, y = np.ascontiguousarray((rings.points if origin is None else rings.points - origin).T)
    width = np.diff(x)
    # The last point of a ring is followed by nothing.
    width[rings.closing[:-1]] = 0.0
    area = y[:-1] + y[1:]
    area -= 2 * y.take(rings.start).take(rings.ring[:-1])
    area *= width
    clockwise = np.add.reduceat(area, rings.start) > 0
    ring_sign = np.where(clockwise == rings.exterior, 1.0, -1.0)

    # Narrower edges than the coordinates' own rounding have no usable slope, and no area below them.
    first = np.flatnonzero(np.abs(width) > 4 * np.finfo(float).eps * np.abs(x).max())
    ring = rings.ring.take(first)
    owner = rings.owner.take(ring)
    ax, bx = x.take(first), x[1:].take(first)
    start = np.minimum(ax, bx)
    order = np.argsort(_sorting_keys(owner, start), kind="stable")
    first, owner, ax, bx = first.take(order), owner.take(order), ax.take(order), bx.take(order)
    width, ay = width.take(first), y.take(first)
    slope = y[1:].take(first)
    slope -= ay
    slope /= width
    ay -= slope * ax
    sign = np.copysign(1.0, width)
    sign *= ring_sign.take(ring.take(order))
    return Edges(owner, start.take(order), np.maximum(ax, bx), slope, ay, sign)


def _sorting_keys(owner: Ints, start: Floats) -> Floats:
    """(n,) numbers that sort by the rising ``owner``, then by ``start``, to its rounding."""
    if len(owner) == 0:
        return start
    first = np.append(0, np.flatnonzero(owner[1:] != owner[:-1]) + 1)
    left = np.minimum.reduceat(start, first)
    stride = 2 * (np.maximum.reduceat(start, first) - left).max()
    add = np.zeros(owner[-1] + 1)
    add[owner[first]] = stride * owner[first] - left
    key = add.take(owner)
    key += start
    return key


def box_edges(bounds: Floats) -> Edges:
    """Edges of axis-aligned rectangles given as (n, 4) rows of xmin, ymin, xmax, ymax; those without area have none."""
    owner = np.flatnonzero((bounds[:, 2] > bounds[:, 0]) & (bounds[:, 3] > bounds[:, 1]))
    left, bottom, right, top = bounds[owner].T
    n = len(owner)
    return Edges(
        owner=np.repeat(owner, 2),
        start=np.repeat(left, 2),
        end=np.repeat(right, 2),
        slope=np.zeros(2 * n),
        intercept=np.stack([top, bottom], axis=1).ravel(),
        sign=np.tile([1.0, -1.0], n),
    )


def pair_edges(
    edges: Edges, n_polygons: int, polygon: Ints, target: Ints, bounds: Floats | None = None
) -> PairedEdges:
    """Gather the ``edges`` of each pair's delineation, of ``n_polygons``: (p,) its index and that of the target.

    Where the targets' regions all lie within (T, 4) ``bounds``, edges beside them that add nothing are left out.
    """
    first = np.searchsorted(edges.owner, np.arange(n_polygons + 1))
    by_target = np.argsort(target, kind="stable")
    polygon = polygon.take(by_target)
    count = np.diff(first).take(polygon)
    row, place = ranges(first.take(polygon), count)
    way = np.ones(len(polygon))
    if bounds is not None:
        ends = (
            edges.slope * edges.start + edges.intercept,
            edges.slope * edges.end + edges.intercept,
        )
        lowest, highest = np.minimum(*ends), np.maximum(*ends)
        middle = np.bincount(edges.owner, lowest + highest, n_polygons) / np.maximum(
            np.diff(first), 1
        )
        left, bottom, right, top = bounds.take(target.take(by_target), axis=0).T
        above = middle.take(polygon) > bottom + top
        way[by_target[~above]] = -1.0
        # An edge's lower end is to be below the top, or the negative of its upper end below that of the bottom.
        kept = np.append(lowest, -highest).take(row + np.where(above, 0, len(lowest)).take(place))
        near = kept < np.where(above, top, -bottom).take(place)
        near &= edges.start.take(row) < right.take(place)
        near &= edges.end.take(row) > left.take(place)
        some = np.flatnonzero(near)
        row, place = row.take(some), place.take(some)
    pair = by_target.take(place)
    owner = target.take(pair)
    order = np.argsort(_sorting_keys(owner, edges.start.take(row)), kind="stable")
    found = edges.take(row.take(order))._replace(owner=owner.take(order))
    return PairedEdges(pair.take(order), found, len(polygon), way)


def shared_areas(regions: Edges, pairs: PairedEdges, n_targets: int) -> Floats:
    """(n_pairs,) area that each pair's delineation shares with the region of its target.

    Args:
        regions: edges of one region (any polygon) per target; owners are indices of targets.
        pairs: the delineations' edges.
    """
    if len(regions.owner) == 0:
        return np.zeros(pairs.n_pairs)
    owner, first = np.unique(regions.owner, return_index=True)
    left, right = np.zeros((2, n_targets))
    left[owner] = regions.start.take(first)
    right[owner] = np.maximum.reduceat(regions.end, first)
    near = pairs.edges.start < right.take(pairs.edges.owner)
    near &= pairs.edges.end > left.take(pairs.edges.owner)
    if not near.all():
        some = np.flatnonzero(near)
        pairs = pairs._replace(pair=pairs.pair.take(some), edges=pairs.edges.take(some))
    pair, drawn = pairs.pair, pairs.edges

    # Numbers that sort by target, then x. What lies outside a region is moved to its side: nothing is shared there.
    add = 2 * (right - left).max() * np.arange(n_targets) - left
    base = add.take(regions.owner)
    region_key, region_end_key = base + regions.start, base + regions.end
    base = add.take(drawn.owner)
    drawn_key = base + np.maximum(drawn.start, left.take(drawn.owner))
    drawn_end_key = base + np.minimum(drawn.end, right.take(drawn.owner))

    # Of two edges that overlap in x, one starts within the other: each case once, both contiguous when sorted.
    before, after = _ranks(drawn_key, region_key)
    i, j, count = _starting_within(region_key, before, drawn_end_key)
    way = pairs.way.take(pair)
    of_edges = _sums(_signed_gaps(regions, i, drawn, j, regions.start.take(i), way), count)
    total = np.bincount(pair, of_edges * drawn.sign, pairs.n_pairs)
    j, i, _ = _starting_within(drawn_key, after, region_end_key)
    gaps = _signed_gaps(regions, i, drawn, j, drawn.start.take(j), way)
    gaps *= drawn.sign.take(j)
    total += np.bincount(pair.take(j), gaps, pairs.n_pairs)
    return cast("Floats", np.maximum(-total / 2, 0.0))


def _ranks(one: Floats, other: Floats) -> tuple[Ints, Ints]:
    """How many of the ``other`` lie below each of ``one``, and of ``one`` not above each of ``other``; both sorted."""
    merged = np.argsort(np.concatenate([one, other]), kind="stable")
    from_other = merged >= len(one)
    return np.flatnonzero(~from_other) - np.arange(len(one)), np.flatnonzero(
        from_other
    ) - np.arange(len(other))


def _starting_within(starts: Floats, begin: Ints, last: Floats) -> tuple[Ints, Ints, Ints]:
    """Rows of the sorted ``starts`` from each ``begin`` to its ``last``, the row of the latter, and how many it has."""
    count = np.maximum(np.searchsorted(starts, last, "left") - begin, 0)
    return *ranges(begin, count), count


def _sums(values: Floats, count: Ints) -> Floats:
    """Sums of ``count`` values after one another; 0 where there are none."""
    sums = np.zeros(len(count))
    filled = np.flatnonzero(count > 0)
    if len(filled):
        sums[filled] = np.add.reduceat(values, (np.cumsum(count) - count)[filled])
    return sums


def _signed_gaps(
    regions: Edges, i: Ints, delineations: Edges, j: Ints, start: Floats, way: Floats
) -> Floats:
    """s_i · 2 ∫ max(way_j · (y_i - y_j), 0) dx of edges i and j from ``start`` to the nearer of their ends."""
    end = np.minimum(regions.end.take(i), delineations.end.take(j))
    way = way.take(j)
    slope = regions.slope.take(i)
    slope -= delineations.slope.take(j)
    slope *= way
    intercept = regions.intercept.take(i)
    intercept -= delineations.intercept.take(j)
    intercept *= way
    at_start = slope * start
    at_start += intercept
    slope *= end
    slope += intercept
    at_end = slope
    crossing = at_start * at_end
    some = (crossing < 0).nonzero()[0]
    over = crossing[some] / np.abs(at_start[some] - at_end[some])
    gap = np.maximum(at_start, 0.0, out=at_start)
    gap += np.maximum(at_end, 0.0, out=at_end)
    gap[some] += over
    end -= start
    gap *= end
    gap *= regions.sign.take(i)
    return cast("Floats", gap)


class Rings(NamedTuple):
    """All rings of polygons."""

    points: Floats  #: (P, 2) one ring after the other, each closed by its first point.
    ring: Ints  #: (P,) number of the ring.
    closing: Bools  #: (P,) whether it is the last one of its ring.
    start: Ints  #: (R,) row of each ring's first point.
    exterior: Bools  #: (R,) whether it is a polygon's outline and no hole.
    owner: Ints  #: (R,) index of its polygon.


def rings_of(polygons: Objects) -> Rings:
    """The rings of (n,) polygons and multipolygons."""
    rings, owner, exterior = polygons, np.arange(len(polygons)), np.ones(len(polygons), dtype=bool)
    simple = (shapely.get_type_id(polygons) == shapely.GeometryType.POLYGON) & ~shapely.is_empty(
        polygons
    )
    if not simple.all() or shapely.get_num_interior_rings(polygons).any():
        parts, owner = shapely.get_parts(polygons, return_index=True)
        rings, part = shapely.get_rings(parts, return_index=True)
        exterior, owner = np.diff(part, prepend=-1) > 0, owner[part]
    points, ring = shapely.get_coordinates(rings, return_index=True)
    start = np.flatnonzero(np.diff(ring, prepend=-1))
    return Rings(points, ring, np.diff(ring, append=-1) != 0, start, exterior, owner)


def ranges(first: Ints, count: Ints) -> tuple[Ints, Ints]:
    """The numbers first, first + 1, … (count of them) of every row, one after the other, and the row of each."""
    end = np.cumsum(count)
    total = end[-1] if len(end) else 0
    row = np.cumsum(
        np.bincount(end, minlength=total + 1)[:total]
    )  # np.repeat would hold Python's lock
    found = (first - (end - count)).take(row)
    found += np.arange(total)
    return found, row


#: Polygons that a thread looks up at a time.
_AT_ONCE = 1024


def meeting_pairs(
    one: Objects, other: Objects, progress: Progress = no_progress
) -> tuple[Ints, Ints]:
    """Rows of all pairs of (n,) and (m,) polygons that meet, sorted, on all processors.

    >>> left, right = shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1)
    >>> [rows.tolist() for rows in meeting_pairs(np.array([left]), np.array([right, left]))]
    [[0, 0], [0, 1]]
    """
    # A copy, because shapely 2.0.0 makes the array of its tree read-only.
    tree = shapely.STRtree(other.copy())
    found = [np.empty((2, 0), dtype=np.int64)]
    parts = parts_of(one, _AT_ONCE)
    for number, rows in enumerate(
        in_threads(partial(tree.query, predicate="intersects"), parts, progress)
    ):
        found.append(np.stack([rows[0] + number * _AT_ONCE, rows[1]]))
    first, second = np.concatenate(found, axis=1)
    order = np.lexsort((second, first))
    return first[order], second[order]


def to_origin(polygons: Objects, origin: Floats) -> Objects:
    """The polygons moved so that ``origin`` becomes (0, 0): numbers of UTM size cost digits in areas."""
    found = np.empty(len(polygons), dtype=object)
    for some in slices(len(polygons), _AT_ONCE):  # shapely holds Python's lock meanwhile
        found[some] = shapely.transform(polygons[some], lambda coordinates: coordinates - origin)
    return found


def centre_of(polygons: Objects) -> Floats:
    """(2,) centre of the bounds of all polygons."""
    xmin, ymin, xmax, ymax = shapely.total_bounds(polygons)
    return np.array([(xmin + xmax) / 2, (ymin + ymax) / 2])


def polygonal(geometry: Objects) -> Objects:
    """(n,) the polygons within each geometry, as one polygon or multipolygon; empty where there are none."""
    mixed = np.flatnonzero(~np.isin(shapely.get_type_id(geometry), POLYGONAL))
    if len(mixed) == 0:
        return geometry
    parts, owner = shapely.get_parts(geometry[mixed], return_index=True)
    while (shapely.get_type_id(parts) > shapely.GeometryType.POLYGON).any():
        parts, inner = shapely.get_parts(parts, return_index=True)
        owner = owner[inner]
    keep = (shapely.get_type_id(parts) == shapely.GeometryType.POLYGON) & ~shapely.is_empty(parts)
    found = geometry.copy()
    found[mixed] = shapely.Polygon()
    owners, number = np.unique(owner[keep], return_inverse=True)
    if len(owners):
        joined = shapely.multipolygons(parts[keep], indices=number)
        alone = shapely.get_num_geometries(joined) == 1
        joined[alone] = shapely.get_geometry(joined[alone], 0)
        joined[~alone] = shapely.make_valid(joined[~alone])
        found[mixed[owners]] = joined
    return found


def cut_to(extent: Any, polygons: Objects) -> Objects:
    """(n,) what of each polygon lies within the extent (a valid polygon, or None), empty where nothing does."""
    if extent is None:
        return polygons
    shapely.prepare(extent)
    beyond = ~shapely.covers(extent, polygons)
    cut = polygons.copy()
    cut[beyond] = polygonal(shapely.intersection(polygons[beyond], extent))
    return cut
