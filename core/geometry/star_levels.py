"""Areas that several outlines cover together, if all of them are seen whole from one centre.

Let u be a direction from the centre. An edge on the line n · x = 1 is 1 / (n · u) away from the
centre, so that the inverse distance of an outline is linear between two vertices. The area that at
least m outlines cover reaches to the m-th largest distance, the m-th smallest inverse distance.
The directions of all vertices divide the circle into sectors, in each of which every outline is one
line. The order of two lines changes at most once in a sector, where they cross.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects

#: Minimum sine of the angle of an edge, seen from the centre.
_MIN_SINE = 1e-6
#: Share of a sector after its start at which outlines are ordered; they may touch at the start.
_STEP = 1e-6
#: Relative difference of inverse distances up to which outlines coincide.
_ROUNDING = 1e-13
#: Distance up to which two points of an outline are the same, m.
_SAME_POINT = 1e-9


class StarLevels(NamedTuple):
    """Areas that enough of the outlines of each group cover.

    Attributes:
        areas: (n,) polygons; None for groups that are not seen whole from one centre.
        is_star_shaped: (n,) True for groups that are seen whole from their centre.
    """

    areas: Objects
    is_star_shaped: Bools


def star_levels(outlines: Objects, count: int) -> StarLevels:
    """Return the area that at least a number of the outlines of each group cover.

    Args:
        outlines: (n, k) polygons and multipolygons of n groups.
        count: minimum number of outlines, 1 to k.

    >>> levels = star_levels(np.array([shapely.box([-4, -3, -2], -1, [2, 3, 4], 1)]), 2)
    >>> levels.is_star_shaped.tolist(), [round(side, 6) for side in levels.areas[0].bounds]
    ([True], [-3.0, -1.0, 3.0, 1.0])
    """
    is_star_shaped = np.zeros(len(outlines), dtype=bool)
    areas = np.empty(len(outlines), dtype=object)
    has_one_ring = shapely.get_type_id(outlines) == shapely.GeometryType.POLYGON
    has_one_ring &= shapely.get_num_interior_rings(outlines) == 0
    simple_groups = np.flatnonzero(has_one_ring.all(axis=1))
    if not len(simple_groups):
        return StarLevels(areas, is_star_shaped)
    vertices = _Vertices.around_centres(outlines[simple_groups])
    is_star = _are_star_shaped(vertices, len(simple_groups))
    is_star_shaped[simple_groups[is_star]] = True
    if is_star.any():
        chosen = vertices.select(is_star)
        areas[is_star_shaped] = _level_polygons(chosen, count)
    return StarLevels(areas, is_star_shaped)


@dataclass(frozen=True, eq=False)
class _Vertices:
    """P vertices of the outlines of groups of k outlines, ring by ring.

    Attributes:
        offset: (P, 2) position relative to the centre of the group, metres.
        group: (P,) number of the group.
        member: (P,) number of the outline in its group.
        following: (P,) row of the next vertex of the ring.
        centres: (n, 2) centres of the groups, metres.
        n_members: k.
    """

    offset: Floats
    group: Ints
    member: Ints
    following: Ints
    centres: Floats
    n_members: int

    @classmethod
    def around_centres(cls, outlines: Objects) -> _Vertices:
        """Return the vertices of polygons (n, k) without holes."""
        n_groups, n_members = outlines.shape
        bounds = shapely.bounds(outlines).reshape(n_groups, n_members, 2, 2)
        centres = bounds.mean(axis=(1, 2))
        points, owner = shapely.get_coordinates(outlines.reshape(-1), return_index=True)
        # The last point of a ring repeats the first one.
        is_kept = np.append(owner[1:] == owner[:-1], False)
        points = points[is_kept]
        owner = owner[is_kept]
        group, member = np.divmod(owner, n_members)
        first_of_ring = np.searchsorted(owner, owner)
        is_last = np.append(owner[1:] != owner[:-1], True)
        following = np.where(is_last, first_of_ring, np.arange(1, len(owner) + 1))
        return cls(
            offset=points - centres[group],
            group=group,
            member=member,
            following=following,
            centres=centres,
            n_members=n_members,
        )

    @property
    def cross(self) -> Floats:
        """(P,) cross product of each vertex and the next one; its sign is that of the turn."""
        return cross_products(self.offset, self.offset[self.following])

    def select(self, is_selected: Bools) -> _Vertices:
        """Return the vertices of the groups of a mask, which are numbered again."""
        is_kept = is_selected[self.group]
        # Numbers of the rows and groups among those that are kept.
        new_row = np.cumsum(is_kept) - 1
        new_group = np.cumsum(is_selected) - 1
        return replace(
            self,
            offset=self.offset[is_kept],
            group=new_group[self.group[is_kept]],
            member=self.member[is_kept],
            following=new_row[self.following[is_kept]],
            centres=self.centres[is_selected],
        )


def cross_products(first: Floats, second: Floats) -> Floats:
    """Return the cross products (n,) of vectors (n, 2).

    Args:
        first: (n, 2) vectors.
        second: (n, 2) vectors.

    >>> cross_products(np.array([[1.0, 0.0]]), np.array([[0.0, 2.0]])).tolist()
    [2.0]
    """
    return np.asarray(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])


def _are_star_shaped(vertices: _Vertices, n_groups: int) -> Bools:
    """Return a mask (n_groups,) of groups all of whose outlines are seen whole from the centre."""
    cross = vertices.cross
    length = np.hypot(*vertices.offset.T)
    sine = cross / np.maximum(length * length[vertices.following], np.finfo(float).tiny)
    owner = vertices.group * vertices.n_members + vertices.member
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    lowest = np.minimum.reduceat(sine, starts)
    highest = np.maximum.reduceat(sine, starts)
    is_star = (lowest > _MIN_SINE) | (highest < -_MIN_SINE)
    return np.asarray(is_star.reshape(n_groups, vertices.n_members).all(axis=1))


@dataclass(frozen=True, eq=False)
class _Sectors:
    """P sectors of the circles around n centres; each begins at a vertex.

    Attributes:
        group: (P,) number of the centre, ascending.
        member: (P,) outline that the vertex at the start belongs to.
        start: (P, 2) direction of the start, of length 1.
        end: (P, 2) direction of the end, of length 1.
        inverse: (P, k) inverse distance of each outline at the start, 1/m.
        inverse_end: (P, k) inverse distance of each outline at the end, 1/m.
        previous: (P,) sector before.
    """

    group: Ints
    member: Ints
    start: Floats
    end: Floats
    inverse: Floats
    inverse_end: Floats
    previous: Ints

    @classmethod
    def between(cls, vertices: _Vertices) -> _Sectors:
        """Return the sectors between the directions of all vertices of each group."""
        angle = np.arctan2(vertices.offset[:, 1], vertices.offset[:, 0])
        order = np.lexsort((angle, vertices.group))
        offset = vertices.offset[order]
        group = vertices.group[order]
        member = vertices.member[order]
        start = offset / np.hypot(offset[:, 0], offset[:, 1])[:, None]
        lines = _lines(vertices)[order]

        line = _line_after(group, member, vertices.n_members)
        inverse = np.einsum("pkd,pd->pk", lines[line], start)
        # The sectors of a group form a circle.
        rows = np.arange(len(group))
        first_of_group = np.searchsorted(group, group)
        last_of_group = np.searchsorted(group, group, side="right") - 1
        following = np.where(rows == last_of_group, first_of_group, rows + 1)
        previous = np.where(rows == first_of_group, last_of_group, rows - 1)
        return cls(group, member, start, start[following], inverse, inverse[following], previous)


def _lines(vertices: _Vertices) -> Floats:
    """Return n (P, 2) of the line n · x = 1 of the edge that leaves each vertex anticlockwise."""
    cross = vertices.cross
    step = vertices.offset[vertices.following] - vertices.offset
    normal = np.stack([step[:, 1], -step[:, 0]], axis=1) / cross[:, None]
    # The edges of clockwise rings leave their following vertex anticlockwise.
    lines = normal.copy()
    is_clockwise = cross < 0
    lines[vertices.following[is_clockwise]] = normal[is_clockwise]
    return np.asarray(lines)


def _line_after(group: Ints, member: Ints, n_members: int) -> Ints:
    """Return the vertex (P, k) at which the edge of each outline in each sector begins.

    Args:
        group: (P,) group of the vertices, in order of their directions.
        member: (P,) outline of the vertices.
        n_members: k.
    """
    rows = np.arange(len(group))
    latest = np.full((len(group), n_members), -1)
    latest[rows, member] = rows
    last = np.zeros((group[-1] + 1, n_members), dtype=np.int64)
    np.maximum.at(last, (group, member), rows)
    latest = np.maximum.accumulate(latest, axis=0)
    # Before the first vertex of an outline, its last edge continues across the angle of 180°.
    is_earlier = latest < np.searchsorted(group, group)[:, None]
    return np.where(is_earlier, last[group], latest)


class _Points(NamedTuple):
    """Points of the border of the areas."""

    sector: Ints  #: (m,) sector of each point.
    share: Floats  #: (m,) share of the sector before the point.
    position: Floats  #: (m, 2) position relative to the centre, metres.


def _level_polygons(vertices: _Vertices, count: int) -> Objects:
    """Return the polygons (n,) of the area that at least ``count`` outlines cover.

    Args:
        vertices: vertices of the outlines of n groups, which are star-shaped.
        count: minimum number of outlines, from 1 to the number per group.
    """
    sectors = _Sectors.between(vertices)
    points = _border_points(sectors, count)
    order = np.lexsort((points.share, points.sector))
    group = sectors.group[points.sector[order]]
    position = points.position[order]

    # The point before the first one of a group is the last one of the group.
    before = np.roll(position, 1, axis=0)
    first_rows = np.flatnonzero(np.diff(group, prepend=-1) > 0)
    last_rows = np.append(first_rows[1:], len(group)) - 1
    before[first_rows] = position[last_rows]
    # Repeated points are dropped.
    is_new = (np.abs(position - before) > _SAME_POINT).any(axis=1)
    group_of_corner = group[is_new]
    corners = position[is_new] + vertices.centres[group_of_corner]
    rings = shapely.linearrings(corners, indices=group_of_corner)
    return np.asarray(shapely.polygons(rings))


def _border_points(sectors: _Sectors, count: int) -> _Points:
    """Return the vertices of the border, and the points at which it changes to another outline.

    Args:
        sectors: P sectors between the directions of all vertices.
        count: minimum number of outlines that cover the area inside the border.
    """
    n_sectors = len(sectors.group)
    rows = np.arange(n_sectors)
    share = np.zeros(n_sectors)
    inverse = sectors.inverse
    direction = sectors.start
    first_outline = np.empty(n_sectors, dtype=np.int64)
    last_outline = np.empty(n_sectors, dtype=np.int64)
    border_points: list[_Points] = []
    # Each round goes to the next crossing in all sectors that have one.
    while len(rows):
        # A short way beyond the last crossing, where its two outlines have an order.
        inverse = inverse + _STEP * (sectors.inverse_end[rows] - inverse)
        direction = direction + _STEP * (sectors.end[rows] - direction)
        # The border is the outline with the count-th smallest inverse distance.
        outline = np.argpartition(inverse, count - 1, axis=1)[:, count - 1]
        if not border_points:
            first_outline[rows] = outline
        last_outline[rows] = outline
        step = _next_crossing(inverse, sectors.inverse_end[rows], outline)
        is_crossed = step < 1.0

        rows = rows[is_crossed]
        step = step[is_crossed, None]
        outline = outline[is_crossed]
        inverse = inverse[is_crossed] + step * (sectors.inverse_end[rows] - inverse[is_crossed])
        direction = direction[is_crossed] + step * (sectors.end[rows] - direction[is_crossed])
        share = share[is_crossed] + (1 - share[is_crossed]) * (_STEP + (1 - _STEP) * step[:, 0])
        distance = 1 / inverse[np.arange(len(rows)), outline]
        border_points.append(_Points(rows, share, direction * distance[:, None]))

    all_points = [_sector_starts(sectors, first_outline, last_outline), *border_points]
    return _Points(
        sector=np.concatenate([points.sector for points in all_points]),
        share=np.concatenate([points.share for points in all_points]),
        position=np.concatenate([points.position for points in all_points]),
    )


def _next_crossing(inverse: Floats, inverse_end: Floats, outline: Ints) -> Floats:
    """Return the share (m,) of the way to the end at which another outline crosses the border.

    Args:
        inverse: (m, k) inverse distances.
        inverse_end: (m, k) inverse distances at the end of the sector.
        outline: (m,) outline that is the border.

    Returns:
        Shares from 0 to 1; 1 for no crossing.
    """
    rows = np.arange(len(outline))
    border = inverse[rows, outline][:, None]
    border_end = inverse_end[rows, outline][:, None]
    # Gaps between each outline and the border, at both ends.
    gap = inverse - border
    gap_end = inverse_end - border_end
    smallest_gap = np.minimum(np.abs(gap), np.abs(gap_end))
    crosses = (gap * gap_end < 0) & (smallest_gap > _ROUNDING * border)
    # Between the ends, gaps change linearly.
    shares = np.ones_like(gap)
    np.divide(gap, gap - gap_end, out=shares, where=crosses)
    return np.asarray(shares.min(axis=1))


def _sector_starts(sectors: _Sectors, outline: Ints, last_outline: Ints) -> _Points:
    """Return the points at the start of sectors that are corners of the border.

    Args:
        sectors: the sectors.
        outline: (P,) outline that is the border after the start of each sector.
        last_outline: (P,) outline that is the border before the end of each sector.
    """
    outline_before = last_outline[sectors.previous]
    is_corner = (sectors.member == outline) | (sectors.member == outline_before)
    is_corner |= outline != outline_before
    rows = np.flatnonzero(is_corner)
    distance = 1 / sectors.inverse[rows, outline[rows]]
    return _Points(rows, np.zeros(len(rows)), sectors.start[rows] * distance[:, None])
