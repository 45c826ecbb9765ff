"""Round offsets of outlines with many corners, such as the stairs along pixels that models draw."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.geometry.areas import ranges, rings_of

#: Beside the radius of the ball: points that lie so close are one, and lines so little bent are straight.
_SAME = 1e-9
#: A point so much farther from the ball's centre than its surface is not touched.
_ROUNDING = 1e-12
#: Points that an edge as long as the radius gets at least: where the ball leaves an edge lies near one.
_POINTS = 3
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


def ball_offsets(polygons: Objects, distance: Floats, quad_segs: int) -> tuple[Objects, Bools]:
    """T(r) by a ball of radius \\|r\\| that rolls along the outlines, and which of them are right.

    The outline of T(r) is the way of the ball's centre: an arc around each corner that it touches, a line along each
    edge, and a corner where it touches two at once. Corners that it cannot reach, as the inner ones of stairs, have no
    part in it. Where the ball meets an outline once more, farther along, the way crosses itself: that is not right.

    Args:
        polygons: (n,) valid polygons or multipolygons.
        distance: (n,) metres, not 0; below 0 the ball rolls within.
        quad_segs: chords per quarter circle, between the same directions around every corner.
    """
    spacing = np.minimum(shapely.length(polygons) / shapely.get_num_coordinates(polygons), np.abs(distance) / _POINTS)
    dense = shapely.segmentize(polygons, spacing)
    found = rings_of(dense)
    xy, owner = found.points, found.owner
    width = np.ptp(np.stack([ends.reduceat(xy, found.start) for ends in (np.minimum, np.maximum)]), axis=0).min(axis=1)
    stays = found.exterior | (width > 2 * distance[owner])
    kept = stays[found.ring] & ~found.closing
    points, ring = (xy[:, 0] + 1j * xy[:, 1])[kept], (np.cumsum(stays) - 1)[found.ring][kept]
    exterior, owner = found.exterior[stays], owner[stays]

    after, before = _around(ring)
    turn = _turn(points, after, ring)
    outer = np.where((turn > 0) == exterior, -1.0, 1.0)
    side, radius = outer * np.sign(distance)[owner], np.abs(distance)[owner]
    rings = _Track(points, ring, before, after, side[ring], radius[ring])
    way, ring = _way(rings, *_touched(rings), quad_segs)
    lost = np.bincount(ring, minlength=len(owner)) < 3
    if lost.any():  # such rings stay as they were
        way, ring = (
            np.append(way[~lost[ring]], points[lost[rings.ring]]),
            np.append(ring[~lost[ring]], rings.ring[lost[rings.ring]]),
        )
        order = np.argsort(ring, kind="stable")
        way, ring = way[order], ring[order]
    turned = lost | (np.sign(_turn(way, _around(ring)[0], ring)) != np.sign(turn))
    size = np.bincount(ring)
    ends = np.cumsum(size)
    closed = np.insert(way, ends, way[ends - size])
    parts = np.append(0, np.cumsum(stays))[found.offsets[1]]
    lines = np.append(0, np.cumsum(size + 1))
    whole = np.column_stack([closed.real, closed.imag])
    moved = shapely.from_ragged_array(found.kind, whole, (lines, parts, *found.offsets[2:]))
    right = shapely.is_valid(moved)
    right[owner[turned]] = False
    return moved, right


def _around(ring: Ints) -> tuple[Ints, Ints]:
    """Rows of the points after and before each on its ring."""
    size = np.bincount(ring)
    end = np.cumsum(size)
    after, before = np.arange(1, len(ring) + 1), np.arange(-1, len(ring) - 1)
    after[end - 1], before[end - size] = end - size, end - 1
    return after, before


def _turn(points: Array, after: Ints, ring: Ints) -> Array:
    """Twice the area of each ring, below 0 where it turns right."""
    return np.bincount(ring, (points.conj() * points[after]).imag)


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

    hidden = (swing < -_SAME) & ~on_edge & ~on_edge[came_before]
    hidden &= ~hidden[came_before]
    if hidden.any():  # from the ball, by the edges on both sides
        after = after.copy()
        after[touched[came_before[hidden]]] = after[touched[hidden]]
        return _way(rings, touched[~hidden], after, quad_segs)

    # Around an inner corner the lines along its edges meet; where one of them ends in a corner of the way, it is that.
    meet = swing < _SAME
    middle = arrive * np.exp(-0.5j * side * swing) / np.cos(swing / 2)
    from_edge = on_edge[came_before]
    middle = np.where(from_edge == on_edge, middle, np.where(on_edge, arrive, leave))
    step = np.pi / 2 / quad_segs
    begin = -side * np.angle(arrive) / step
    between = np.where(meet, 0, np.ceil(begin + swing / step) - np.floor(begin) - 1).clip(0).astype(np.int64)
    count = np.where(meet, 1, between + 2)
    place, row = ranges(np.zeros_like(count), count)
    arc = radius[row] * np.exp(-1j * side[row] * step * (np.floor(begin[row]) + place))
    arc = np.where(place == 0, arrive[row], np.where(place == count[row] - 1, leave[row], arc))
    way, ring = here[row] + np.where(meet[row], middle[row], arc), rings.ring[touched][row]
    moved = np.abs(way - way[_around(ring)[1]]) > _SAME * radius[row]
    straight = (np.abs(swing) < _SAME) & from_edge & on_edge
    kept = moved & ~straight[row] & np.isfinite(way)
    return way[kept], ring[kept]


def _settled(centre: Array, rings: _Track, one: Ints, other: Ints) -> Array:
    """Centres of balls that touch the edges at two points, from those of balls that touch the points: Newton steps."""
    rows = np.stack([one, other])
    point, radius = rings.points[rows], rings.radius[one]
    edge = rings.points[np.stack([rings.before[rows], rings.after[rows]])] - point
    per_length = edge.conj() / (edge.real**2 + edge.imag**2)
    for _ in range(_SETTLING):
        along = ((centre - point) * per_length).real.clip(0.0, 1.0)
        ways = centre - point - along * edge  # from the nearest points of the edges before and after
        far = np.abs(ways)
        first = far[0] <= far[1]
        far = np.where(first, far[0], far[1])
        to_one, to_other = np.where(first, ways[0], ways[1]) / far
        short, short_other = radius - far
        with np.errstate(invalid="ignore", divide="ignore"):
            step = 1j * (short * to_other - short_other * to_one) / (1j * to_other * to_one.conj()).real
        centre = centre + np.where(np.abs(step) < radius / 10, step, 0.0)
    return centre
