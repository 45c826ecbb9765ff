r"""Round offsets of outlines with many vertices, such as the pixel stairs that models draw.

A buffer of such an outline is slow. Here a ball of radius \|r\| rolls along the outline, and the
path of its centre is the outline of the offset T(r): the polygon grown (r > 0) or shrunk (r < 0) by
r metres. Points are numbers of the complex plane, x + iy, so that a multiplication by i rotates by
a quarter turn.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.geometry.areas import Rings, concatenate_ranges, get_rings

#: Distance, relative to the ball's radius, below which two points are the same, and angle in
#: radians below which a line is straight.
_SAME = 1e-9
#: Relative distance of a point beyond the ball's surface from which the ball does not touch it.
_ROUNDING = 1e-12
#: Minimum number of points on an edge as long as the radius. The ball leaves an edge at a point
#: between its vertices, and such a point must lie close to one of the points of the ring.
_POINTS_PER_RADIUS = 3
#: Minimum distance of the new outline from the old one, relative to the radius. Chords and rounding
#: bring it nearer than the radius.
_NEAREST = 0.995
#: Minimum area of an offset relative to the polygon. Of smaller remainders, the differences
#: between two ways of rounding are too large a part.
_MIN_REMAINDER = 0.2
#: Number of Newton steps from a ball that touches two points to one that touches the edges there.
_N_STEPS = 3


class _OpenRings(NamedTuple):
    """P points of rings in the complex plane, without the last points that close the rings."""

    #: (P,) complex positions, metres.
    points: Array
    #: (P,) index of the point's ring.
    ring: Ints
    #: (P,) row of the previous point on the ring.
    before: Ints
    #: (P,) row of the next point on the ring.
    after: Ints
    #: (P,) 1 if the ball rolls on the left of the direction along the ring, -1 on the right.
    side: Floats
    #: (P,) radius of the ball, metres.
    radius: Floats


def round_offsets(polygons: Objects, distance: Floats, quad_segs: int) -> Objects:
    """Compute the offsets T(r) of polygons, ring by ring.

    The parts of T(r) are the parts of the polygon moved by r, less their holes moved by -r. A ring
    is moved by a rolling ball where that is faster than a buffer and the result is right.

    Args:
        polygons: (n,) valid polygons or multipolygons, metres.
        distance: (n,) r of each polygon, metres, not 0.
        quad_segs: number of chords per quarter circle.

    Returns:
        (n,) offsets; empty where nothing remains.

    >>> square = shapely.segmentize(shapely.box(0, 0, 4, 4), 0.5)
    >>> offset = round_offsets(np.array([square]), np.array([1.0]), 16)[0]
    >>> round(offset.area, 1), round(square.buffer(1.0).area, 1)
    (35.1, 35.1)
    """
    found = get_rings(polygons)
    rings = shapely.polygons(shapely.linearrings(found.points, indices=found.ring))
    ring_distance = np.where(found.is_exterior, 1.0, -1.0) * distance[found.owner]
    # For distances below the mean edge length, a buffer is fast and a ball needs too many points.
    uses_ball = np.abs(ring_distance) * np.bincount(found.ring) >= shapely.length(rings)
    moved = rings.copy()
    moved[uses_ball], is_right = ball_offsets(rings[uses_ball], ring_distance[uses_ball], quad_segs)
    uses_ball[uses_ball] = is_right
    moved[~uses_ball] = shapely.buffer(
        rings[~uses_ball], ring_distance[~uses_ball], quad_segs=quad_segs
    )
    if not np.array_equal(found.owner, np.arange(len(polygons))):
        moved = _assemble(moved, found, len(polygons))
    is_small = shapely.area(moved) < _MIN_REMAINDER * shapely.area(polygons)
    moved[is_small] = shapely.buffer(polygons[is_small], distance[is_small], quad_segs=quad_segs)
    return cast("Objects", moved)


def _assemble(moved: Objects, rings: Rings, n_polygons: int) -> Objects:
    """Assemble polygons (n,) from the moved rings (R,) of the polygons.

    Holes are subtracted part by part, because a part may lie in a hole of another one.
    """
    part = np.cumsum(rings.is_exterior) - 1
    parts = moved[rings.is_exterior]
    hole_part = part[~rings.is_exterior]
    holed_parts = np.unique(hole_part)
    if len(holed_parts):
        holes = np.full(len(parts), shapely.Polygon())
        shapely.geometrycollections(moved[~rings.is_exterior], indices=hole_part, out=holes)
        united_holes = shapely.union_all(holes[holed_parts, None], axis=-1)
        parts[holed_parts] = shapely.difference(parts[holed_parts], united_holes)
    collections = np.full(n_polygons, shapely.Polygon())
    shapely.geometrycollections(parts, indices=rings.owner[rings.is_exterior], out=collections)
    return cast("Objects", shapely.union_all(collections[:, None], axis=-1))


def ball_offsets(outlines: Objects, distance: Floats, quad_segs: int) -> tuple[Objects, Bools]:
    r"""Compute offsets T(r) by a ball of radius \|r\| that rolls along the outlines.

    The outline of T(r) is the path of the ball's centre: an arc around each vertex that the ball
    touches, a line along each edge, and a corner where the ball touches two points at once.
    Vertices that the ball cannot reach, such as the inner ones of stairs, have no part in the path.
    Where the ball meets a distant part of the outline, the path crosses itself: T(r) then consists
    of the faces between the path's lines that lie within r.

    Args:
        outlines: (n,) valid polygons of one part without holes, metres.
        distance: (n,) r of each polygon, metres, not 0; the ball rolls inside for r < 0.
        quad_segs: number of chords per quarter circle, between the same directions around every
            vertex.

    Returns:
        (n,) offsets, and (n,) True where the offset is right. It is wrong where it comes closer to
        the outline than the radius, or where the path has fewer than three points.

    >>> square = shapely.segmentize(shapely.box(0, 0, 4, 4), 0.5)
    >>> offsets, is_right = ball_offsets(np.array([square]), np.array([-1.0]), 16)
    >>> offsets[0].area, is_right.tolist()
    (4.0, [True])
    """
    radius = np.abs(distance)
    rings = _open_rings(outlines, distance)
    path, path_ring = _centre_path(rings, *_find_touched(rings), quad_segs)

    is_right = np.bincount(path_ring, minlength=len(outlines)) >= 3
    is_in_ring = is_right[path_ring]
    path = path[is_in_ring]
    ring_number = (np.cumsum(is_right) - 1)[path_ring[is_in_ring]]
    moved = outlines.copy()
    moved[is_right] = shapely.polygons(
        shapely.linearrings(path.real, path.imag, indices=ring_number)
    )
    is_crossing = ~shapely.is_valid(moved)
    moved[is_crossing] = _faces_within(
        shapely.boundary(moved[is_crossing]), outlines[is_crossing], distance[is_crossing]
    )
    boundary = shapely.boundary(outlines)
    shapely.prepare(boundary)
    is_right &= ~shapely.dwithin(boundary, shapely.boundary(moved), _NEAREST * radius)
    return moved, is_right


def _open_rings(outlines: Objects, distance: Floats) -> _OpenRings:
    """Return the points of outlines (n,), with points added on edges that are long for r (n,)."""
    radius = np.abs(distance)
    mean_edge = shapely.length(outlines) / shapely.get_num_coordinates(outlines)
    spacing = np.minimum(mean_edge, radius / _POINTS_PER_RADIUS)
    xy, ring = shapely.get_coordinates(shapely.segmentize(outlines, spacing), return_index=True)
    is_open = np.diff(ring, append=-1) == 0
    points = (xy[:, 0] + 1j * xy[:, 1])[is_open]
    ring = ring[is_open]
    after, before = _neighbours(ring)
    is_counterclockwise = np.bincount(ring, (points.conj() * points[after]).imag) > 0
    side = np.where(is_counterclockwise, -1.0, 1.0) * np.sign(distance)
    return _OpenRings(points, ring, before, after, side[ring], radius[ring])


def _faces_within(paths: Objects, outlines: Objects, distance: Floats) -> Objects:
    """Assemble T(r) of outlines (n,) from the faces between paths (n,) that cross themselves."""
    noded = shapely.unary_union(paths[:, None], axis=-1)
    faces, row = shapely.get_parts(shapely.polygonize(noded[:, None], axis=-1), return_index=True)
    points = shapely.point_on_surface(faces)
    to_outline = shapely.distance(shapely.boundary(outlines)[row], points)
    is_inside = shapely.contains_properly(outlines[row], points)
    is_within = np.where(is_inside, -to_outline, to_outline) < distance[row]
    collections = np.full(len(paths), shapely.MultiPolygon())
    if is_within.any():
        shapely.multipolygons(faces[is_within], indices=row[is_within], out=collections)
    return cast("Objects", shapely.union_all(collections[:, None], axis=-1))


def _neighbours(ring: Ints) -> tuple[Ints, Ints]:
    """Return the row of the next and of the previous point on the ring, for ring indices (P,)."""
    size = np.bincount(ring)
    end = np.cumsum(size)
    after = np.arange(1, len(ring) + 1)
    before = np.arange(-1, len(ring) - 1)
    after[end - 1] = end - size
    before[end - size] = end - 1
    return after, before


def _centres(first: Array, second: Array, side: Floats, radius: Floats) -> Array:
    """Return the centres (n,) of balls that touch two points (n,); NaN for too distant points."""
    chord = second - first
    with np.errstate(invalid="ignore", divide="ignore"):
        reach = np.sqrt((radius / np.abs(chord)) ** 2 - 0.25)
        return cast("Array", (first + second) / 2 + side * 1j * reach * chord)


def _find_touched(rings: _OpenRings) -> tuple[Ints, Ints]:
    """Find the points that the ball touches.

    A point is hidden if it lies outside the ball that touches its previous and its next point.
    Hidden points are removed, and their neighbours are tested again. Of adjacent hidden points,
    only the one with the highest of shuffled priorities is removed at a time.

    Returns:
        Rows of the points touched, and (P,) row of the next remaining point after each point.
    """
    points, side, squared_radius = rings.points, rings.side, rings.radius**2
    before, after = rings.before.copy(), rings.after.copy()
    tested = np.arange(len(points))
    shuffled = tested * 2654435761 % 4294967291 + 1
    priority = np.zeros(len(points), dtype=np.int64)
    is_touched = np.ones(len(points), dtype=bool)
    is_due = np.zeros(len(points), dtype=bool)
    with np.errstate(invalid="ignore", divide="ignore"):
        while len(tested):
            previous, following = before[tested], after[tested]
            start = points[previous]
            way, chord = points[tested] - start, points[following] - start
            product = way * chord.conj()
            squared_chord = chord.real**2 + chord.imag**2
            reach = side[tested] * np.sqrt(squared_radius[tested] / squared_chord - 0.25)
            # Squared distance of the point from the ball's centre, minus the squared radius.
            excess = way.real**2 + way.imag**2 - product.real - 2 * reach * product.imag
            is_hidden = excess > 2 * _ROUNDING * squared_radius[tested]
            hidden = tested[is_hidden & (previous != following)]

            priority[hidden] = shuffled[hidden]
            highest_beside = np.maximum(priority[before[hidden]], priority[after[hidden]])
            removed = hidden[priority[hidden] > highest_beside]
            priority[hidden] = 0
            is_touched[removed] = False
            previous, following = before[removed], after[removed]
            after[previous] = following
            before[following] = previous

            is_due[previous] = is_due[following] = is_due[hidden] = True
            tested = (is_due & is_touched).nonzero()[0]
            is_due[:] = False
    return is_touched.nonzero()[0], after


class _Contacts(NamedTuple):
    """n points that the ball touches, and the ball's way around each."""

    #: (n,) rows of the points in the rings.
    row: Ints
    #: (n,) complex positions, metres.
    point: Array
    #: (n,) side and radius (m) of the ball, as in :class:`_OpenRings`.
    side: Floats
    radius: Floats
    #: (n,) index of the previous contact on the ring.
    previous: Ints
    #: (n,) True if the ball leaves the point along an edge, False if it turns straight to the next.
    on_edge: Bools
    #: (n,) vectors from the point to the ball's centre when it arrives and when it leaves, metres.
    arrive: Array
    leave: Array
    #: (n,) angle that the centre turns around the point, radians; NaN if unknown.
    swing: Floats


def _contacts(rings: _OpenRings, touched: Ints, after: Ints) -> _Contacts:
    """Return the contacts of the ball.

    Args:
        rings: P points.
        touched: (n,) rows of the points touched.
        after: (P,) row of the next point touched.
    """
    side, radius = rings.side[touched], rings.radius[touched]
    point, next_point = rings.points[touched], rings.points[after[touched]]
    normal = side * 1j * radius * (next_point - point) / np.abs(next_point - point)
    centre = _centres(point, next_point, side, radius)
    on_edge = (after[touched] == rings.after[touched]) | np.isnan(centre)
    turning = np.flatnonzero(~on_edge)
    centre[turning] = _touch_edges(
        centre[turning], rings, touched[turning], after[touched[turning]]
    )
    previous = np.empty(len(touched), dtype=np.int64)
    previous[np.searchsorted(touched, after[touched])] = np.arange(len(touched))
    leave = np.where(on_edge, point + normal, centre) - point
    arrive = np.where(on_edge, next_point + normal, centre)[previous] - point
    swing = -side * np.angle(leave / arrive)
    return _Contacts(touched, point, side, radius, previous, on_edge, arrive, leave, swing)


@np.errstate(invalid="ignore", divide="ignore")
def _centre_path(
    rings: _OpenRings, touched: Ints, after: Ints, quad_segs: int
) -> tuple[Array, Ints]:
    """Return the path of the ball's centre.

    Args:
        rings: P points.
        touched: (n,) rows of the points touched.
        after: (P,) row of the next point touched.
        quad_segs: number of chords per quarter circle.

    Returns:
        Complex positions along the paths, metres, and the ring of each.
    """
    contacts = _contacts(rings, touched, after)
    point, side, radius = contacts.point, contacts.side, contacts.radius
    arrive, leave, swing = contacts.arrive, contacts.leave, contacts.swing
    on_edge, previous = contacts.on_edge, contacts.previous
    from_edge = on_edge[previous]

    # Around an inner vertex, the lines along its two edges meet in one point of the path. If one
    # of the lines ends in a corner of the path, the lines meet there.
    is_meeting = ~(swing >= _SAME)  # also where the swing is NaN
    meeting = arrive * np.exp(-0.5j * side * swing) / np.cos(swing / 2)
    corner = np.where(on_edge, arrive, leave)
    meeting = np.where(from_edge == on_edge, meeting, corner)

    # Where the ball turns straight from one vertex to the next, the path's corner is halfway
    # between the ends of their chords.
    arcs = _Arcs.of(rings, contacts, quad_segs)
    first_end = point + arcs.on_chords(arrive, arcs.begin)
    last_end = point + arcs.on_chords(leave, arcs.end)
    turns = (first_end + last_end[previous]) / 2
    last_end[previous] = np.where(from_edge, last_end[previous], turns)
    arrive = np.where(from_edge, first_end, turns) - point
    leave = last_end - point

    # Each contact becomes one point, or the two ends of its arc and the chord ends in between.
    first, last = arcs.inner()
    n_inner = np.nan_to_num(last - first + 1).clip(0).astype(np.int64)
    count = np.where(is_meeting, 1, n_inner + 2)
    place, row = concatenate_ranges(np.zeros_like(count), count)
    angle = arcs.step[row] * (first[row] + place - 1)
    chord_end = (radius * arcs.start)[row] * np.exp(-1j * side[row] * angle)
    is_last = place == count[row] - 1
    arc = np.where(place == 0, arrive[row], np.where(is_last, leave[row], chord_end))
    path = point[row] + np.where(is_meeting[row], meeting[row], arc)
    ring = rings.ring[touched][row]

    is_moving = np.abs(path - path[_neighbours(ring)[1]]) > _SAME * radius[row]
    is_straight = (np.abs(swing) < _SAME) & from_edge & on_edge
    is_kept = is_moving & ~is_straight[row] & np.isfinite(path)
    return path[is_kept], ring[is_kept]


class _Arcs(NamedTuple):
    """Arcs of the ball's centre around n contacts, divided into chords of equal length.

    Positions along an arc are counted in chords from its start.
    """

    #: (n,) unit vectors from the contact to the start of the arc.
    start: Array
    #: (n,) angle of a chord, radians.
    step: Floats
    #: (n,) position where the ball arrives.
    begin: Floats
    #: (n,) position where the ball leaves.
    end: Floats
    #: (n,) number of chords of the whole arc between the vertex's edges, as of a buffer; infinite
    #: if the ball's way is not within that arc.
    n_chords: Floats

    @classmethod
    def of(cls, rings: _OpenRings, contacts: _Contacts, quad_segs: int) -> _Arcs:
        """Divide the arcs around contacts, with ``quad_segs`` chords per quarter circle."""
        quarter = np.pi / 2
        side, arrive, swing = contacts.side, contacts.arrive, contacts.swing
        incoming = contacts.point - rings.points[rings.before[contacts.row]]
        outgoing = rings.points[rings.after[contacts.row]] - contacts.point
        start = side * 1j * incoming / np.abs(incoming)
        bend = -side * np.angle(outgoing / incoming)
        arrival = -side * np.angle(arrive / start)
        arrival = np.where(arrival < -quarter, arrival + 4 * quarter, arrival)
        is_within = (bend > _SAME) & (arrival < bend) & (arrival + swing > 0)

        chords_of_bend = np.floor(bend / quarter * quad_segs + 0.5).clip(1.0)
        n_chords = np.where(is_within, chords_of_bend, np.inf)
        step = np.where(is_within, bend / n_chords, quarter / quad_segs)
        begin = np.where(is_within, arrival, -side * np.angle(arrive)) / step
        return cls(np.where(is_within, start, 1.0), step, begin, begin + swing / step, n_chords)

    def inner(self) -> tuple[Floats, Floats]:
        """Return the number of the first and of the last chord end strictly between both ends."""
        lowest = np.where(np.isinf(self.n_chords), -np.inf, -0.5)
        first = np.floor(np.maximum(self.begin, lowest)) + 1
        last = np.ceil(np.minimum(self.end, self.n_chords + 0.5)) - 1
        return first, last

    def on_chords(self, vector: Array, position: Floats) -> Array:
        """Shorten vectors (n,) from the contacts to the arcs, so that they end on the chords.

        Args:
            vector: (n,) complex, from the contact to the arc, metres.
            position: (n,) position of the vector's end along the arc.
        """
        within_chord = position - np.floor(position) - 0.5
        factor = np.cos(self.step / 2) / np.cos(within_chord * self.step)
        is_within = (position > 0) & (position < self.n_chords) & np.isfinite(self.n_chords)
        return np.where(is_within, vector * factor, vector)


def _touch_edges(centre: Array, rings: _OpenRings, first: Ints, second: Ints) -> Array:
    """Move balls that touch two points until they touch the edges there, by Newton steps.

    Args:
        centre: (n,) complex centres, metres.
        rings: the points.
        first: (n,) row of the first point touched.
        second: (n,) row of the second point touched.

    Returns:
        (n,) new centres.
    """
    rows = np.stack([first, second])
    point, radius = rings.points[rows], rings.radius[first]
    edge = rings.points[np.stack([rings.before[rows], rings.after[rows]])] - point
    per_length = edge.conj() / (edge.real**2 + edge.imag**2)
    for _ in range(_N_STEPS):
        # Vectors from the nearest points of the edges before and after each point to the centre;
        # the nearer edge of each point is the one touched.
        along = ((centre - point) * per_length).real.clip(0.0, 1.0)
        vectors = centre - point - along * edge
        distances = np.abs(vectors)
        is_before = distances[0] <= distances[1]
        distance = np.where(is_before, distances[0], distances[1])
        direction, other_direction = np.where(is_before, vectors[0], vectors[1]) / distance
        missing, other_missing = radius - distance
        with np.errstate(invalid="ignore", divide="ignore"):
            step = (
                1j
                * (missing * other_direction - other_missing * direction)
                / (1j * other_direction * direction.conj()).real
            )
        # A long step leaves the neighbourhood where the edges are the ones touched.
        centre = centre + np.where(np.abs(step) < radius / 10, step, 0.0)
    return centre
