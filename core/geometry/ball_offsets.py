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
    rings = get_rings(polygons)
    outlines = shapely.polygons(shapely.linearrings(rings.points, indices=rings.ring))
    ring_distance = np.where(rings.is_exterior, 1.0, -1.0) * distance[rings.owner]
    # For distances below the mean edge length, a buffer is fast and a ball needs too many points.
    uses_ball = np.abs(ring_distance) * np.bincount(rings.ring) >= shapely.length(outlines)
    moved = outlines.copy()
    moved[uses_ball], is_right = ball_offsets(
        outlines[uses_ball], ring_distance[uses_ball], quad_segs
    )
    uses_ball[uses_ball] = is_right
    moved[~uses_ball] = shapely.buffer(
        outlines[~uses_ball], ring_distance[~uses_ball], quad_segs=quad_segs
    )
    has_several_rings = not np.array_equal(rings.owner, np.arange(len(polygons)))
    if has_several_rings:
        moved = _assemble(moved, rings, len(polygons))
    is_small = shapely.area(moved) < _MIN_REMAINDER * shapely.area(polygons)
    moved[is_small] = shapely.buffer(polygons[is_small], distance[is_small], quad_segs=quad_segs)
    return cast("Objects", moved)


def _assemble(moved: Objects, rings: Rings, n_polygons: int) -> Objects:
    """Assemble polygons from the moved rings of their parts and holes.

    Holes are subtracted part by part, because a part may lie in a hole of another one.

    Args:
        moved: (R,) polygons of the moved rings.
        rings: the R rings before they were moved.
        n_polygons: n, the number of polygons.

    Returns:
        (n,) polygons or multipolygons.
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
    """Assemble offsets T(r) from the faces between paths that cross themselves.

    Args:
        paths: (n,) closed paths of a ball's centre that rolls along each outline.
        outlines: (n,) polygons.
        distance: (n,) r of each polygon, metres; negative for an offset to the inside.

    Returns:
        (n,) polygons or multipolygons: the faces that lie within r.
    """
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
    """Return the neighbours of points on closed rings.

    Args:
        ring: (P,) index of each point's ring, ascending; the points are in order along the ring.

    Returns:
        (P,) row of the next point, and (P,) row of the previous point.
    """
    size = np.bincount(ring)
    end = np.cumsum(size)
    after = np.arange(1, len(ring) + 1)
    before = np.arange(-1, len(ring) - 1)
    after[end - 1] = end - size
    before[end - size] = end - 1
    return after, before


def _centres(first: Array, second: Array, side: Floats, radius: Floats) -> Array:
    """Return the centres of balls that touch two points.

    Args:
        first: (n,) complex positions of the first points, metres.
        second: (n,) complex positions of the second points, metres.
        side: (n,) 1 for a ball on the left of the way from the first to the second point, else -1.
        radius: (n,) radius of the balls, metres.

    Returns:
        (n,) complex centres, metres; NaN for points that are too far from each other.
    """
    chord = second - first
    with np.errstate(invalid="ignore", divide="ignore"):
        reach = np.sqrt((radius / np.abs(chord)) ** 2 - 0.25)
        return cast("Array", (first + second) / 2 + side * 1j * reach * chord)


def _find_touched(rings: _OpenRings) -> tuple[Ints, Ints]:
    """Find the points that the ball touches.

    A point is hidden if it lies outside the ball that touches its previous and its next point.
    Hidden points are removed, and their neighbours are tested again. Of adjacent hidden points,
    only the one with the highest of shuffled priorities is removed at a time.

    Args:
        rings: P points.

    Returns:
        Rows of the points touched, and (P,) row of the next remaining point after each point.
    """
    before = rings.before.copy()
    after = rings.after.copy()
    tested = np.arange(len(rings.points))
    # Multiples of a number modulo a prime, which are distinct and in no order along the ring.
    shuffled = tested * 2654435761 % 4294967291 + 1
    priority = np.zeros(len(tested), dtype=np.int64)
    is_touched = np.ones(len(tested), dtype=bool)
    is_due = np.zeros(len(tested), dtype=bool)
    while len(tested):
        hidden = tested[_are_hidden(rings, tested, before[tested], after[tested])]

        priority[hidden] = shuffled[hidden]
        neighbour_priority = np.maximum(priority[before[hidden]], priority[after[hidden]])
        removed = hidden[priority[hidden] > neighbour_priority]
        priority[hidden] = 0

        # Close the ring over each removed point.
        is_touched[removed] = False
        previous = before[removed]
        following = after[removed]
        after[previous] = following
        before[following] = previous

        is_due[previous] = is_due[following] = is_due[hidden] = True
        tested = (is_due & is_touched).nonzero()[0]
        is_due[:] = False
    return is_touched.nonzero()[0], after


@np.errstate(invalid="ignore", divide="ignore")
def _are_hidden(rings: _OpenRings, tested: Ints, previous: Ints, following: Ints) -> Bools:
    """Return True (n,) for points outside the ball that touches the points before and after.

    Args:
        rings: the points.
        tested: (n,) rows of the points to test.
        previous: (n,) row of the remaining point before each of them.
        following: (n,) row of the remaining point after each of them.
    """
    squared_radius = rings.radius[tested] ** 2
    start = rings.points[previous]
    to_point = rings.points[tested] - start
    chord = rings.points[following] - start
    product = to_point * chord.conj()
    squared_chord = chord.real**2 + chord.imag**2
    # Distance of the ball's centre from the chord, in chord lengths.
    reach = rings.side[tested] * np.sqrt(squared_radius / squared_chord - 0.25)
    # Squared distance of the point from the ball's centre, minus the squared radius.
    squared_distance = to_point.real**2 + to_point.imag**2
    excess = squared_distance - product.real - 2 * reach * product.imag
    is_outside = excess > 2 * _ROUNDING * squared_radius
    return cast("Bools", is_outside & (previous != following))


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
        touched: (n,) rows of the points touched, ascending.
        after: (P,) row of the next point touched.
    """
    side = rings.side[touched]
    radius = rings.radius[touched]
    point = rings.points[touched]
    next_point = rings.points[after[touched]]
    normal = side * 1j * radius * (next_point - point) / np.abs(next_point - point)
    centre = _centres(point, next_point, side, radius)
    # The ball leaves along an edge if it touches the next point of the ring, or cannot reach from
    # one touched point to the next.
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
    point = contacts.point
    side = contacts.side
    swing = contacts.swing
    on_edge = contacts.on_edge
    previous = contacts.previous
    from_edge = on_edge[previous]

    # Around an inner vertex, the lines along its two edges meet in one point of the path. If one
    # of the lines ends in a corner of the path, the lines meet there.
    is_meeting = ~(swing >= _SAME)  # also where the swing is NaN
    meeting = contacts.arrive * np.exp(-0.5j * side * swing) / np.cos(swing / 2)
    corner = np.where(on_edge, contacts.arrive, contacts.leave)
    meeting = np.where(from_edge == on_edge, meeting, corner)

    # Where the ball turns straight from one vertex to the next, the path's corner is halfway
    # between the ends of their chords.
    arcs = _Arcs.of(rings, contacts, quad_segs)
    first_end = point + arcs.on_chords(contacts.arrive, arcs.begin)
    last_end = point + arcs.on_chords(contacts.leave, arcs.end)
    turns = (first_end + last_end[previous]) / 2
    last_end[previous] = np.where(from_edge, last_end[previous], turns)
    first_end = np.where(from_edge, first_end, turns)

    # A contact where lines meet becomes one point, any other one all points of its arc.
    n_inner = arcs.n_inner_ends()
    count = np.where(is_meeting, 1, n_inner + 2)
    position, row = concatenate_ranges(np.zeros_like(count), count)
    arc_points = arcs.points(contacts, first_end - point, last_end - point, row, position)
    path = point[row] + np.where(is_meeting[row], meeting[row], arc_points)
    ring = rings.ring[touched][row]

    # Drop repeated points, and points in the middle of straight lines.
    before = _neighbours(ring)[1]
    is_moving = np.abs(path - path[before]) > _SAME * contacts.radius[row]
    is_straight = (np.abs(swing) < _SAME) & from_edge & on_edge
    is_needed = is_moving & ~is_straight[row] & np.isfinite(path)
    return path[is_needed], ring[is_needed]


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
        """Divide the arcs around contacts into chords.

        Args:
            rings: the points.
            contacts: the n contacts.
            quad_segs: number of chords per quarter circle.
        """
        quarter = np.pi / 2
        side = contacts.side
        arrive = contacts.arrive
        swing = contacts.swing
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

    def n_inner_ends(self) -> Ints:
        """Return the number (n,) of chord ends strictly between the two ends of each arc."""
        first, last = self._inner_limits()
        return np.nan_to_num(last - first + 1).clip(0).astype(np.int64)

    def points(
        self, contacts: _Contacts, arrive: Array, leave: Array, row: Ints, position: Ints
    ) -> Array:
        """Return points of arcs: both ends and the chord ends in between.

        Args:
            contacts: the n contacts.
            arrive: (n,) complex vectors from the contacts to the first ends, metres.
            leave: (n,) complex vectors from the contacts to the last ends, metres.
            row: (m,) contact of each point.
            position: (m,) number of each point along its arc; 0 is the first end.

        Returns:
            (m,) complex vectors from the contacts to the points, metres.
        """
        first, _ = self._inner_limits()
        angle = self.step[row] * (first[row] + position - 1)
        chord_end = (contacts.radius * self.start)[row] * np.exp(-1j * contacts.side[row] * angle)
        is_last = position == self.n_inner_ends()[row] + 1
        return np.where(position == 0, arrive[row], np.where(is_last, leave[row], chord_end))

    def _inner_limits(self) -> tuple[Floats, Floats]:
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
    point = rings.points[rows]
    radius = rings.radius[first]
    # Edges (2, 2, n): the edge before and the edge after the first and the second point.
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
