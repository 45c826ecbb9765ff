"""Round offsets of outlines with many corners, such as the stairs along pixels that models draw."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.geometry.areas import Rings, ranges, rings_of

#: Beside the radius of the ball: points that lie so close are one, and lines so little bent are straight.
_SAME = 1e-9
#: A point so much farther from the ball's centre than its surface is not touched.
_ROUNDING = 1e-12
#: Points that an edge as long as the radius gets at least: where the ball leaves an edge lies near one.
_POINTS = 3
#: Of the radius, how near to the old outline a new one may come; chords and rounding bring it nearer than the radius.
_NEAREST = 0.995
#: Of the area; of little that is left within, differences between two ways of rounding are too large a part.
_LEAST_LEFT = 0.2
#: Steps in which a ball that touches two points comes to touch the edges there.
_SETTLING = 3


class _Track(NamedTuple):
    """Rings as points of the complex plane, without the last ones that close them."""

    points: Array  #: (P,) metres.
    ring: Ints  #: (P,) number of the ring.
    #: before, after: (P,) rows of the points next to each.
    before: Ints
    after: Ints
    side: Floats  #: (P,) 1 where the ball rolls on the left of the way along the ring, -1 on the right.
    radius: Floats  #: (P,) of the ball, metres.


def round_offsets(polygons: Objects, distance: Floats, quad_segs: int) -> Objects:
    """T(r), ring by ring: of a ball that rolls along it where that is right, else of a buffer.

    The parts of T(r) are the parts moved by r, less their holes moved by -r.

    Args:
        polygons: (n,) valid polygons or multipolygons.
        distance: (n,) metres, not 0.
        quad_segs: chords per quarter circle.
    """
    found = rings_of(polygons)
    rings = shapely.polygons(shapely.linearrings(found.points, indices=found.ring))
    far = np.where(found.exterior, 1.0, -1.0) * distance[found.owner]
    # By less than a mean edge a buffer is fast, and a ball would ask for points without end.
    right = np.abs(far) * np.bincount(found.ring) >= shapely.length(rings)
    moved = rings.copy()
    moved[right], right[right] = ball_offsets(rings[right], far[right], quad_segs)
    moved[~right] = shapely.buffer(rings[~right], far[~right], quad_segs=quad_segs)
    if not np.array_equal(found.owner, np.arange(len(polygons))):
        moved = _put_together(moved, found, len(polygons))
    little = shapely.area(moved) < _LEAST_LEFT * shapely.area(polygons)
    moved[little] = shapely.buffer(polygons[little], distance[little], quad_segs=quad_segs)
    return cast("Objects", moved)


def _put_together(moved: Objects, found: Rings, n_polygons: int) -> Objects:
    """The rings of each polygon: each part less its own holes, for a part may lie in a hole of another, and those
    together."""
    part = np.cumsum(found.exterior) - 1
    parts, holed = moved[found.exterior], np.unique(part[~found.exterior])
    if len(holed):
        holes = np.full(len(parts), shapely.Polygon())
        shapely.geometrycollections(
            moved[~found.exterior], indices=part[~found.exterior], out=holes
        )
        parts[holed] = shapely.difference(
            parts[holed], shapely.union_all(holes[holed, None], axis=-1)
        )
    whole = np.full(n_polygons, shapely.Polygon())
    shapely.geometrycollections(parts, indices=found.owner[found.exterior], out=whole)
    return cast("Objects", shapely.union_all(whole[:, None], axis=-1))


def ball_offsets(outlines: Objects, distance: Floats, quad_segs: int) -> tuple[Objects, Bools]:
    """T(r) by a ball of radius \\|r\\| that rolls along the outlines, and which of them are right.

    The outline of T(r) is the way of the ball's centre: an arc around each corner that it touches, a line along each
    edge, and a corner where it touches two at once. Corners that it cannot reach, as the inner ones of stairs, have no
    part in it. Where the ball meets an outline once more, farther along, the way crosses itself: T(r) is those of the
    faces between its lines that lie within r. What comes nearer to the outline than the radius is not right.

    Args:
        outlines: (n,) valid polygons of one part without holes.
        distance: (n,) metres, not 0; below 0 the ball rolls within.
        quad_segs: chords per quarter circle, between the same directions around every corner.
    """
    radius = np.abs(distance)
    spacing = np.minimum(
        shapely.length(outlines) / shapely.get_num_coordinates(outlines), radius / _POINTS
    )
    xy, ring = shapely.get_coordinates(shapely.segmentize(outlines, spacing), return_index=True)
    open_ends = np.diff(ring, append=-1) == 0
    points, ring = (xy[:, 0] + 1j * xy[:, 1])[open_ends], ring[open_ends]
    after, before = _around(ring)
    left = np.bincount(ring, (points.conj() * points[after]).imag) > 0
    side = np.where(left, -1.0, 1.0) * np.sign(distance)
    rings = _Track(points, ring, before, after, side[ring], radius[ring])
    way, ring = _way(rings, *_touched(rings), quad_segs)

    right = np.bincount(ring, minlength=len(outlines)) >= 3
    whole, ring = way[right[ring]], (np.cumsum(right) - 1)[ring[right[ring]]]
    moved = outlines.copy()
    moved[right] = shapely.polygons(shapely.linearrings(whole.real, whole.imag, indices=ring))
    crossing = ~shapely.is_valid(moved)
    moved[crossing] = _within_reach(
        shapely.boundary(moved[crossing]), outlines[crossing], distance[crossing]
    )
    before_it = shapely.boundary(outlines)
    shapely.prepare(before_it)
    right &= ~shapely.dwithin(before_it, shapely.boundary(moved), _NEAREST * radius)
    return moved, right


def _within_reach(ways: Objects, outlines: Objects, distance: Floats) -> Objects:
    """T(r) of (n,) outlines, put together from the faces between ways that cross themselves."""
    noded = shapely.unary_union(ways[:, None], axis=-1)
    faces, row = shapely.get_parts(shapely.polygonize(noded[:, None], axis=-1), return_index=True)
    points = shapely.point_on_surface(faces)
    far = shapely.distance(shapely.boundary(outlines)[row], points)
    signed = np.where(shapely.contains_properly(outlines[row], points), -far, far)
    reached = signed < distance[row]
    found = np.full(len(ways), shapely.MultiPolygon())
    if reached.any():
        shapely.multipolygons(faces[reached], indices=row[reached], out=found)
    return cast("Objects", shapely.union_all(found[:, None], axis=-1))


def _around(ring: Ints) -> tuple[Ints, Ints]:
    """Rows of the points after and before each on its ring."""
    size = np.bincount(ring)
    end = np.cumsum(size)
    after, before = np.arange(1, len(ring) + 1), np.arange(-1, len(ring) - 1)
    after[end - 1], before[end - size] = end - size, end - 1
    return after, before


def _centres(one: Array, other: Array, side: Floats, radius: Floats) -> Array:
    """Centres of balls that touch two points; NaN where these are too far apart."""
    chord = other - one
    with np.errstate(invalid="ignore", divide="ignore"):
        reach = np.sqrt((radius / np.abs(chord)) ** 2 - 0.25)
        return cast("Array", (one + other) / 2 + side * 1j * reach * chord)


def _touched(rings: _Track) -> tuple[Ints, Ints]:
    """Rows of the points that the ball touches, and for all points which of these is next.

    A point is not touched if it lies outside a ball that touches the ones before and after it; it is taken out, and
    these look again. Of neighbours only one goes at a time.
    """
    points, side, squared = rings.points, rings.side, rings.radius**2
    before, after = rings.before.copy(), rings.after.copy()
    some = np.arange(len(points))
    shuffled = some * 2654435761 % 4294967291 + 1
    claim = np.zeros(len(points), dtype=np.int64)
    touched = np.ones(len(points), dtype=bool)
    look = np.zeros(len(points), dtype=bool)
    with np.errstate(invalid="ignore", divide="ignore"):
        while len(some):
            one, other = before[some], after[some]
            start = points[one]
            way, chord = points[some] - start, points[other] - start
            beside = way * chord.conj()
            reach = side[some] * np.sqrt(squared[some] / (chord.real**2 + chord.imag**2) - 0.25)
            # The square of its distance from the centre of the ball, above that of the radius.
            beyond = way.real**2 + way.imag**2 - beside.real - 2 * reach * beside.imag
            hidden = some[(beyond > 2 * _ROUNDING * squared[some]) & (one != other)]
            claim[hidden] = shuffled[hidden]
            go = hidden[claim[hidden] > np.maximum(claim[before[hidden]], claim[after[hidden]])]
            claim[hidden] = 0
            touched[go] = False
            one, other = before[go], after[go]
            after[one], before[other] = other, one
            look[one] = look[other] = look[hidden] = True
            some = (look & touched).nonzero()[0]
            look[:] = False
    return touched.nonzero()[0], after


@np.errstate(invalid="ignore", divide="ignore")
def _way(rings: _Track, touched: Ints, after: Ints, quad_segs: int) -> tuple[Array, Ints]:
    """The points along the way of the ball's centre, and their rings."""
    side, radius = rings.side[touched], rings.radius[touched]
    here, there = rings.points[touched], rings.points[after[touched]]
    beside = side * 1j * radius * (there - here) / np.abs(there - here)
    corner = _centres(here, there, side, radius)
    on_edge = (after[touched] == rings.after[touched]) | np.isnan(corner)
    free = np.flatnonzero(~on_edge)
    corner[free] = _settled(corner[free], rings, touched[free], after[touched[free]])
    came_before = np.empty(len(touched), dtype=np.int64)
    came_before[np.searchsorted(touched, after[touched])] = np.arange(len(touched))
    leave = np.where(on_edge, here + beside, corner) - here
    arrive = np.where(on_edge, there + beside, corner)[came_before] - here
    swing = -side * np.angle(leave / arrive)

    # Around an inner corner the lines along its edges meet; where one of them ends in a corner of the way, it is that.
    meet = ~(swing >= _SAME)  # or no way is known: NaN
    middle = arrive * np.exp(-0.5j * side * swing) / np.cos(swing / 2)
    from_edge = on_edge[came_before]
    middle = np.where(from_edge == on_edge, middle, np.where(on_edge, arrive, leave))
    arcs = _Arcs.of(rings, touched, arrive, swing, quad_segs)
    # From one corner to the next at once the ball turns where their chords meet.
    come, go = here + arcs.on_chords(arrive, arcs.begin), here + arcs.on_chords(leave, arcs.end)
    turns = (come + go[came_before]) / 2
    go[came_before] = np.where(from_edge, go[came_before], turns)
    arrive, leave = np.where(from_edge, come, turns) - here, go - here
    first, last = arcs.inner()
    between = np.nan_to_num(last - first + 1).clip(0).astype(np.int64)
    count = np.where(meet, 1, between + 2)
    place, row = ranges(np.zeros_like(count), count)
    arc = (radius * arcs.start)[row] * np.exp(
        -1j * side[row] * arcs.step[row] * (first[row] + place - 1)
    )
    arc = np.where(place == 0, arrive[row], np.where(place == count[row] - 1, leave[row], arc))
    way, ring = here[row] + np.where(meet[row], middle[row], arc), rings.ring[touched][row]
    moved = np.abs(way - way[_around(ring)[1]]) > _SAME * radius[row]
    straight = (np.abs(swing) < _SAME) & from_edge & on_edge
    kept = moved & ~straight[row] & np.isfinite(way)
    return way[kept], ring[kept]


class _Arcs(NamedTuple):
    """The arcs of the ball around the points that it touches, as chords of equal length."""

    start: Array  #: (n,) unit directions from which chords are counted.
    step: Floats  #: (n,) radians of a chord.
    #: begin, end: (n,) so many chords from there the ball comes and leaves.
    begin: Floats
    end: Floats
    most: Floats  #: (n,) chords of the corner: those of a buffer; infinite where the point is none that arcs fit.

    @classmethod
    def of(
        cls, rings: _Track, touched: Ints, arrive: Array, swing: Floats, quad_segs: int
    ) -> _Arcs:
        here, side, quarter = rings.points[touched], rings.side[touched], np.pi / 2
        came, goes = (
            here - rings.points[rings.before[touched]],
            rings.points[rings.after[touched]] - here,
        )
        start = side * 1j * came / np.abs(came)
        bend, behind = -side * np.angle(goes / came), -side * np.angle(arrive / start)
        behind = np.where(behind < -quarter, behind + 4 * quarter, behind)
        fits = (bend > _SAME) & (behind < bend) & (behind + swing > 0)
        most = np.where(fits, np.floor(bend / quarter * quad_segs + 0.5).clip(1.0), np.inf)
        step = np.where(fits, bend / most, quarter / quad_segs)
        begin = np.where(fits, behind, -side * np.angle(arrive)) / step
        return cls(np.where(fits, start, 1.0), step, begin, begin + swing / step, most)

    def inner(self) -> tuple[Floats, Floats]:
        """Numbers of the first and of the last end of a chord between where the ball comes and leaves."""
        least = np.where(np.isinf(self.most), -np.inf, -0.5)
        return np.floor(np.maximum(self.begin, least)) + 1, np.ceil(
            np.minimum(self.end, self.most + 0.5)
        ) - 1

    def on_chords(self, way: Array, at: Floats) -> Array:
        """Ways from the points to the ball, from its arcs to the chords, which fall short of them."""
        short = np.cos(self.step / 2) / np.cos((at - np.floor(at) - 0.5) * self.step)
        return np.where((at > 0) & (at < self.most) & np.isfinite(self.most), way * short, way)


def _settled(centre: Array, rings: _Track, one: Ints, other: Ints) -> Array:
    """Centres of balls that touch the edges at two points, from those of balls that touch the points: Newton steps."""
    rows = np.stack([one, other])
    point, radius = rings.points[rows], rings.radius[one]
    edge = rings.points[np.stack([rings.before[rows], rings.after[rows]])] - point
    per_length = edge.conj() / (edge.real**2 + edge.imag**2)
    for _ in range(_SETTLING):
        along = ((centre - point) * per_length).real.clip(0.0, 1.0)
        ways = (
            centre - point - along * edge
        )  # from the nearest points of the edges before and after
        far = np.abs(ways)
        first = far[0] <= far[1]
        far = np.where(first, far[0], far[1])
        to_one, to_other = np.where(first, ways[0], ways[1]) / far
        short, short_other = radius - far
        with np.errstate(invalid="ignore", divide="ignore"):
            step = (
                1j
                * (short * to_other - short_other * to_one)
                / (1j * to_other * to_one.conj()).real
            )
        centre = centre + np.where(np.abs(step) < radius / 10, step, 0.0)
    return centre
