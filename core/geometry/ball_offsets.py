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
#: Minimum distance of the new outline from the old one, relative to the radius. Nearly all wrong
#: paths that do not cross themselves run through the old outline or have a point inside a ball, see
#: :func:`_are_pierced`. The check takes a third of the time with half the distance.
_NEAREST = 0.5
#: Maximum depth at which a point lies inside the ball that passes it, relative to the radius.
_MAX_PIERCED = 0.005
#: Minimum area of an offset relative to the polygon. Of smaller remainders, the differences
#: between two ways of rounding are too large a part.
_MIN_REMAINDER = 0.2
#: Minimum area of the places of a ball's centre in a bay, relative to the squared radius. Smaller
#: places are differences between the chords and the arc of a circle.
_MIN_ROOM = 1e-4
#: Number of Newton steps from a ball that touches two points to one that touches the edges there.
_N_STEPS = 3
#: Factor and prime modulus that shuffle positions along a ring; both are near 2^32.
_SHUFFLE_FACTOR = 2654435761
_SHUFFLE_PRIME = 4294967291


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


def reflex_turns(polygons: Objects) -> Floats:
    """Return how far the outlines of polygons turn at their reflex vertices, in full turns.

    A reflex vertex has an interior angle above 180 degrees; at such a vertex the outline turns
    against its own direction. Outlines along pixels turn there many times, drawn outlines less than
    once. Holes count like exterior rings.

    Args:
        polygons: (n,) polygons or multipolygons.

    Returns:
        (n,) numbers of full turns.

    >>> cross = shapely.box(0, 1, 3, 2).union(shapely.box(1, 0, 2, 3))
    >>> reflex_turns(np.array([cross, shapely.box(0, 0, 1, 1)])).tolist()
    [1.0, 0.0]
    """
    rings = get_rings(polygons)
    positions = rings.points[:, 0] + 1j * rings.points[:, 1]
    # Edges of different rings do not meet: the edge after a ring's last edge is its first edge.
    edges = np.diff(positions, append=0.0)[~rings.is_closing]
    ring_of_edge = rings.ring[~rings.is_closing]
    next_edges, _ = _find_neighbours(ring_of_edge)
    turns = np.angle(_products(edges[next_edges], edges.conj()))
    n_rings = len(rings.start)
    direction = np.sign(np.bincount(ring_of_edge, turns, n_rings))
    against_direction = np.maximum(-turns * direction[ring_of_edge], 0.0)
    reflex_angle = np.bincount(rings.owner[ring_of_edge], against_direction, len(polygons))
    return reflex_angle / (2 * np.pi)


def round_offsets(
    polygons: Objects, distance: Floats, quad_segs: int, *, is_checked: bool = True
) -> Objects:
    """Compute the offsets T(r) of polygons, ring by ring.

    The parts of T(r) are the parts of the polygon moved by r, less their holes moved by -r. A ring
    is moved by a rolling ball where that is faster than a buffer and the result is right.

    Args:
        polygons: (n,) valid polygons or multipolygons, metres.
        distance: (n,) r of each polygon, metres, not 0.
        quad_segs: number of chords per quarter circle.
        is_checked: True to replace wrong paths of the ball by buffers. False if the caller checks
            the offsets of polygons of one ring with :func:`are_too_near`; about one in a thousand
            is wrong. Rings of polygons with several rings are always checked.

    Returns:
        (n,) offsets; empty where nothing remains.

    >>> square = shapely.segmentize(shapely.box(0, 0, 4, 4), 0.5)
    >>> offset = round_offsets(np.array([square]), np.array([1.0]), 16)[0]
    >>> round(offset.area, 1), round(square.buffer(1.0).area, 1)
    (35.1, 35.1)
    """
    rings = get_rings(polygons)
    outlines = shapely.polygons(shapely.linearrings(rings.points, indices=rings.ring))
    # Holes move the other way.
    ring_distance = distance[rings.owner]
    ring_distance[~rings.is_exterior] *= -1
    can_remain = _can_remain(outlines, ring_distance)
    # For distances below the mean edge length, a buffer is fast and a ball needs too many points.
    n_edges = np.bincount(rings.ring)
    is_far = np.abs(ring_distance) * n_edges >= shapely.length(outlines)
    has_several_rings = np.bincount(rings.owner, minlength=len(polygons)) > 1

    moved_rings = np.full(len(outlines), shapely.Polygon())
    rolled_rows = np.flatnonzero(can_remain & is_far)
    rolled, is_right = ball_offsets(outlines[rolled_rows], ring_distance[rolled_rows], quad_segs)
    checked = np.flatnonzero(is_checked | has_several_rings[rings.owner[rolled_rows]])
    checked_rows = rolled_rows[checked]
    is_right[checked] &= ~are_too_near(
        outlines[checked_rows], rolled[checked], np.abs(ring_distance[checked_rows])
    )
    moved_rings[rolled_rows] = rolled

    # All rings that no ball has moved rightly are buffered.
    is_buffered = can_remain.copy()
    is_buffered[rolled_rows[is_right]] = False
    moved_rings[is_buffered] = shapely.buffer(
        outlines[is_buffered], ring_distance[is_buffered], quad_segs=quad_segs
    )
    offsets = moved_rings
    if has_several_rings.any():
        offsets = _assemble_polygons(moved_rings, rings, len(polygons))
    is_small = shapely.area(offsets) < _MIN_REMAINDER * shapely.area(polygons)
    offsets[is_small] = shapely.buffer(polygons[is_small], distance[is_small], quad_segs=quad_segs)
    return cast("Objects", offsets)


def _can_remain(outlines: Objects, distance: Floats) -> Bools:
    """Return False (n,) for outlines that are narrower than the ball that shrinks them.

    Args:
        outlines: (n,) polygons, metres.
        distance: (n,) r of each outline, metres; negative for an offset to the inside.
    """
    west, south, east, north = shapely.bounds(outlines).T
    narrow_side = np.minimum(east - west, north - south)
    return cast("Bools", narrow_side > -2 * distance)


def _assemble_polygons(moved: Objects, rings: Rings, n_polygons: int) -> Objects:
    """Assemble polygons from the moved rings of their parts and holes.

    Holes are subtracted part by part, because a part may lie in a hole of another one.

    Args:
        moved: (R,) polygons of the moved rings.
        rings: the R rings before they were moved.
        n_polygons: n, the number of polygons.

    Returns:
        (n,) polygons or multipolygons.
    """
    # The holes of a part follow its exterior ring.
    part_of_ring = np.cumsum(rings.is_exterior) - 1
    parts = moved[rings.is_exterior]
    part_of_hole = part_of_ring[~rings.is_exterior]
    holed_parts = np.unique(part_of_hole)
    if len(holed_parts):
        holes = np.full(len(parts), shapely.Polygon())
        shapely.geometrycollections(moved[~rings.is_exterior], indices=part_of_hole, out=holes)
        united_holes = shapely.union_all(holes[holed_parts, None], axis=-1)
        parts[holed_parts] = shapely.difference(parts[holed_parts], united_holes)
    collections = np.full(n_polygons, shapely.Polygon())
    shapely.geometrycollections(parts, indices=rings.owner[rings.is_exterior], out=collections)

    # A union rounds and changes the order of the vertices. An offset of one ring must not depend
    # on the other polygons, and stays as it is.
    n_rings = np.bincount(rings.owner, minlength=n_polygons)
    has_several_rings = n_rings > 1
    assembled = np.full(n_polygons, shapely.Polygon())
    assembled[n_rings == 1] = moved[n_rings[rings.owner] == 1]
    assembled[has_several_rings] = shapely.union_all(collections[has_several_rings, None], axis=-1)
    return cast("Objects", assembled)


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
        (n,) offsets, and (n,) False where a buffer is to be used: the path has fewer than three
        points or passes a point of the outline inside the ball, or the ball passes a bay with room
        for another ball. Offsets that come close to the outline are wrong too, see
        :func:`are_too_near`.

    >>> square = shapely.segmentize(shapely.box(0, 0, 4, 4), 0.5)
    >>> offsets, has_path = ball_offsets(np.array([square]), np.array([-1.0]), 16)
    >>> offsets[0].area, has_path.tolist()
    (4.0, [True])
    """
    rings = _open_rings(outlines, distance)
    touched, after = _find_touched(rings)
    path_points, ring_of_path = _trace_centre_path(rings, touched, after, quad_segs)

    has_path = np.bincount(ring_of_path, minlength=len(outlines)) >= 3
    is_in_path = has_path[ring_of_path]
    path_points = path_points[is_in_path]
    path_number = (np.cumsum(has_path) - 1)[ring_of_path[is_in_path]]
    moved = outlines.copy()
    moved[has_path] = shapely.polygons(
        shapely.linearrings(path_points.real, path_points.imag, indices=path_number)
    )
    hidden = _find_hidden(rings, touched, after)
    is_right = has_path & ~_pass_wide_bays(rings, hidden, after, len(outlines))
    is_crossing = is_right & ~shapely.is_valid(moved)
    is_right &= is_crossing | ~_are_pierced(rings, hidden, len(outlines))
    moved[is_crossing] = _select_faces_within(
        shapely.boundary(moved[is_crossing]), outlines[is_crossing], distance[is_crossing]
    )
    return moved, is_right


def are_too_near(polygons: Objects, offsets: Objects, radius: Floats) -> Bools:
    """Return True (n,) for offsets whose boundary is much closer to the polygon's than the radius.

    Such an offset is wrong: the path of the ball passed through a part of the outline.

    Args:
        polygons: (n,) polygons or multipolygons, metres.
        offsets: (n,) their offsets.
        radius: (n,) distance of each offset, metres, positive.

    >>> square = np.array([shapely.box(0, 0, 4, 4)])
    >>> wrong = np.array([shapely.box(-1, -1, 5, 4.2)])
    >>> are_too_near(square, wrong, np.ones(1)).tolist()
    [True]
    """
    boundary = shapely.boundary(polygons)
    shapely.prepare(boundary)
    return cast("Bools", shapely.dwithin(boundary, shapely.boundary(offsets), _NEAREST * radius))


def _open_rings(outlines: Objects, distance: Floats) -> _OpenRings:
    """Return the points of outlines (n,), with points added on edges that are long for r (n,).

    Args:
        outlines: (n,) polygons without holes, metres.
        distance: (n,) r of each outline, metres; the radius of the ball is its absolute value.
    """
    radius = np.abs(distance)
    xy, owner = shapely.get_coordinates(outlines, return_index=True)
    vertices = xy[:, 0] + 1j * xy[:, 1]
    # Edges, by the row of their first vertex.
    start_rows = np.flatnonzero(np.diff(owner, append=-1) == 0)
    edges = vertices[start_rows + 1] - vertices[start_rows]
    lengths = np.abs(edges)
    ring_of_edge = owner[start_rows]
    mean_length = np.bincount(ring_of_edge, lengths) / np.bincount(owner)
    spacing = np.minimum(mean_length, radius / _POINTS_PER_RADIUS)
    # A length that is a multiple of the spacing, up to rounding, is divided by that number.
    n_steps = np.ceil(lengths / spacing[ring_of_edge] - _SAME)
    n_parts = np.maximum(n_steps, 1.0).astype(np.int64)
    # Each part of an edge begins with a point.
    part_numbers, edge_rows = concatenate_ranges(np.zeros_like(n_parts), n_parts)
    shares = part_numbers / n_parts[edge_rows]
    points = vertices[start_rows[edge_rows]] + shares * edges[edge_rows]
    ring = ring_of_edge[edge_rows]
    after, before = _find_neighbours(ring)
    is_counterclockwise = np.bincount(ring, _products(points.conj(), points[after]).imag) > 0
    side = np.where(is_counterclockwise, -1.0, 1.0) * np.sign(distance)
    return _OpenRings(
        points=points, ring=ring, before=before, after=after, side=side[ring], radius=radius[ring]
    )


def _select_faces_within(paths: Objects, outlines: Objects, distance: Floats) -> Objects:
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


def _find_neighbours(ring: Ints) -> tuple[Ints, Ints]:
    """Return the neighbours of points on closed rings.

    Args:
        ring: (P,) index of each point's ring, ascending; the points are in order along the ring.

    Returns:
        (P,) row of the next point, and (P,) row of the previous point.
    """
    size = np.bincount(ring)
    first = np.cumsum(size) - size
    last = first + size - 1
    after = np.arange(1, len(ring) + 1)
    before = np.arange(-1, len(ring) - 1)
    # Each ring is closed: its last point is followed by its first point.
    after[last] = first
    before[first] = last
    return after, before


def _products(first: Array, second: Array) -> Array:
    """Return the products of complex numbers, rounded alike in arrays of any size.

    The operator ``*`` reuses the memory of large temporary arrays, and numpy rounds a product of
    complex numbers differently there.

    Args:
        first: (n,) complex numbers.
        second: (n,) complex numbers.
    """
    return np.multiply(first, second)


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
    # Positions along each ring, so that a ring's path does not depend on the other rings.
    size = np.bincount(rings.ring)
    first = np.cumsum(size) - size
    position = tested - first[rings.ring]
    # Multiples of a number modulo a prime, which are distinct and in no order along the ring.
    shuffled = position * _SHUFFLE_FACTOR % _SHUFFLE_PRIME + 1
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

        # Only points whose neighbours changed, and hidden points that remain, are tested again.
        is_due[previous] = True
        is_due[following] = True
        is_due[hidden] = True
        tested = np.flatnonzero(is_due & is_touched)
        is_due[:] = False
    return np.flatnonzero(is_touched), after


class _Hidden(NamedTuple):
    """h points that the ball does not touch, and the ball that passes each."""

    #: (h,) rows of the points in the rings, ascending.
    row: Ints
    #: (h,) row of the touched point before each of them.
    before: Ints
    #: (h,) complex centres of the balls that touch the points before and after the hidden ones,
    #: metres; NaN where the two are too far from each other.
    centre: Array
    #: (h,) distances of the hidden points from these balls, metres; negative inside.
    depth: Floats


def _find_hidden(rings: _OpenRings, touched: Ints, after: Ints) -> _Hidden:
    """Return the hidden points of rings.

    Args:
        rings: P points.
        touched: (t,) rows of the points touched, ascending.
        after: (P,) row of the next point touched.
    """
    is_hidden = np.ones(len(rings.points), dtype=bool)
    is_hidden[touched] = False
    row = np.flatnonzero(is_hidden)
    before = _find_touched_before(rings, row, touched)
    first = rings.points[before]
    second = rings.points[after[before]]
    centre = _centres(first, second, rings.side[row], rings.radius[row])
    return _Hidden(row, before, centre, np.abs(rings.points[row] - centre) - rings.radius[row])


def _are_pierced(rings: _OpenRings, hidden: _Hidden, n_rings: int) -> Bools:
    """Return True (n,) for rings with a hidden point inside a ball that passes it.

    Points are removed one after another. A point that a ball between its own neighbours does not
    touch can lie inside a ball between points farther away.

    Args:
        rings: P points of n rings.
        hidden: the hidden points.
        n_rings: n, the number of rings.
    """
    is_inside = hidden.depth < -_MAX_PIERCED * rings.radius[hidden.row]
    return np.bincount(rings.ring[hidden.row[is_inside]], minlength=n_rings) > 0


def _pass_wide_bays(rings: _OpenRings, hidden: _Hidden, after: Ints, n_rings: int) -> Bools:
    """Return True (n,) for rings with a bay that the ball passes, and that has room for a ball.

    Where the ball turns from one touched point to the next, the hidden points between them are a
    bay. Another ball in this bay has its own path, which is a hole or a part of the offset, and it
    is lost. On the line from the passing ball's centre through the other centre, the outline lies
    at least a radius beyond the other centre. The other centre is on the far side of both touched
    points, so that it cannot be nearer than the passing centre's mirror image, or than a radius.
    The other ball can reach out of the bay only between these two points. The part inside is as
    wide as the radius and the distance of its centre from the line between the points.

    Args:
        rings: P points of n rings.
        hidden: the hidden points.
        after: (P,) row of the next point touched.
        n_rings: n, the number of rings.
    """
    first_points = rings.points[hidden.before]
    second_points = rings.points[after[hidden.before]]
    to_mirror_image = np.abs(2 * hidden.centre - first_points - second_points)
    is_deep = hidden.depth > np.minimum(to_mirror_image, rings.radius[hidden.row])

    deep_starts = np.unique(hidden.before[is_deep])
    bays = _draw_bays(rings, hidden.row, hidden.before, deep_starts, after[deep_starts])
    west, south, east, north = shapely.bounds(bays).T
    deep_radius = rings.radius[deep_starts]
    half_mouth = np.abs(rings.points[after[deep_starts]] - rings.points[deep_starts]) / 2
    needed_width = deep_radius + np.sqrt(np.maximum(deep_radius**2 - half_mouth**2, 0.0))
    is_broad = np.minimum(east - west, north - south) >= needed_width
    broad_starts = deep_starts[is_broad]
    has_room = _have_room(bays[is_broad], deep_radius[is_broad])
    return np.bincount(rings.ring[broad_starts[has_room]], minlength=n_rings) > 0


def _find_touched_before(rings: _OpenRings, hidden: Ints, touched: Ints) -> Ints:
    """Return the row (h,) of the touched point before each hidden point along its ring.

    Args:
        rings: P points.
        hidden: (h,) rows of hidden points, ascending.
        touched: (t,) rows of the points touched, ascending.
    """
    before = touched[np.searchsorted(touched, hidden) - 1]
    # Before the first touched point of a ring comes the last one.
    n_touched = np.bincount(rings.ring[touched])
    last_touched = touched[np.cumsum(n_touched) - 1]
    ring = rings.ring[hidden]
    return np.where(rings.ring[before] == ring, before, last_touched[ring])


def _draw_bays(rings: _OpenRings, hidden: Ints, before: Ints, first: Ints, last: Ints) -> Objects:
    """Return the outlines of bays as lines from the first to the last point.

    Args:
        rings: P points.
        hidden: (h,) rows of hidden points.
        before: (h,) row of the touched point before each of them.
        first: (n,) rows of the touched points where the bays begin, ascending.
        last: (n,) rows of the touched points where the bays end.
    """
    is_in_bay = np.isin(before, first)
    inner_rows = hidden[is_in_bay]
    first_of_inner = before[is_in_bay]
    # A bay continues at the start of its ring, whose rows are lower.
    n_points = len(rings.points)
    inner_keys = np.where(inner_rows < first_of_inner, inner_rows + n_points, inner_rows)
    last_keys = np.full(len(last), 2 * n_points)
    bays = np.arange(len(first))
    # First, inner and last points of all bays; the keys sort the points of a bay.
    bay_of_point = np.concatenate([bays, np.searchsorted(first, first_of_inner), bays])
    keys = np.concatenate([first, inner_keys, last_keys])
    order = np.lexsort((keys, bay_of_point))
    points = rings.points[np.concatenate([first, inner_rows, last])[order]]
    lines = shapely.linestrings(points.real, points.imag, indices=bay_of_point[order])
    return cast("Objects", lines)


def _have_room(bays: Objects, radius: Floats) -> Bools:
    """Return True (n,) for bays with room for the centre of a ball.

    Args:
        bays: (n,) lines along the outlines of the bays.
        radius: (n,) radius of the balls, metres.
    """
    points, owner = shapely.get_coordinates(bays, return_index=True)
    insides = shapely.polygons(shapely.linearrings(points, indices=owner))
    has_room = ~shapely.is_valid(insides)
    valid = np.flatnonzero(~has_room)
    within_reach = shapely.buffer(bays[valid], radius[valid], quad_segs=16)
    room = shapely.area(shapely.difference(insides[valid], within_reach))
    has_room[valid] = room > _MIN_ROOM * radius[valid] ** 2
    return cast("Bools", has_room)


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
    product = _products(to_point, chord.conj())
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


def _find_contacts(rings: _OpenRings, touched: Ints, after: Ints) -> _Contacts:
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
    # From an edge to the centre of the ball that touches it.
    normal = side * 1j * radius * (next_point - point) / np.abs(next_point - point)
    centre = _centres(point, next_point, side, radius)
    # The ball leaves along an edge if it touches the next point of the ring, or cannot reach from
    # one touched point to the next.
    next_touched = after[touched]
    on_edge = (next_touched == rings.after[touched]) | np.isnan(centre)
    turning = np.flatnonzero(~on_edge)
    centre[turning] = _move_to_edges(
        centre[turning], rings, touched[turning], next_touched[turning]
    )
    # Contact before each contact: the inverse of the contact after each.
    next_contact = np.searchsorted(touched, next_touched)
    previous = np.empty(len(touched), dtype=np.int64)
    previous[next_contact] = np.arange(len(touched))
    leave = np.where(on_edge, point + normal, centre) - point
    arrive = np.where(on_edge, next_point + normal, centre)[previous] - point
    swing = -side * np.angle(leave / arrive)
    return _Contacts(
        row=touched,
        point=point,
        side=side,
        radius=radius,
        previous=previous,
        on_edge=on_edge,
        arrive=arrive,
        leave=leave,
        swing=swing,
    )


def _meeting_offsets(contacts: _Contacts) -> Array:
    """Return the points in which the lines along the two edges of inner vertices meet.

    Args:
        contacts: n contacts of the ball.

    Returns:
        (n,) complex offsets from the vertices, metres; of no meaning for other vertices.
    """
    half_swing = np.exp(-0.5j * contacts.side * contacts.swing)
    half_way = _products(contacts.arrive, half_swing)
    meeting = half_way / np.cos(contacts.swing / 2)
    # If one of the lines ends in a corner of the path, the lines meet there.
    from_edge = contacts.on_edge[contacts.previous]
    corner = np.where(contacts.on_edge, contacts.arrive, contacts.leave)
    return np.where(from_edge == contacts.on_edge, meeting, corner)


@np.errstate(invalid="ignore", divide="ignore")
def _trace_centre_path(
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
    contacts = _find_contacts(rings, touched, after)
    point = contacts.point
    swing = contacts.swing
    on_edge = contacts.on_edge
    previous = contacts.previous
    from_edge = on_edge[previous]
    # Around an inner vertex, the lines along its two edges meet in one point of the path.
    is_meeting = ~(swing >= _SAME)  # also where the swing is NaN
    meeting = _meeting_offsets(contacts)

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
    n_points = np.where(is_meeting, 1, n_inner + 2)
    place_in_contact, contact_rows = concatenate_ranges(np.zeros_like(n_points), n_points)
    arc_points = arcs.points(
        contacts, first_end - point, last_end - point, contact_rows, place_in_contact
    )
    path_offsets = np.where(is_meeting[contact_rows], meeting[contact_rows], arc_points)
    path = point[contact_rows] + path_offsets
    ring_of_point = rings.ring[touched][contact_rows]

    # Drop repeated points, and points in the middle of straight lines.
    before = _find_neighbours(ring_of_point)[1]
    is_moving = np.abs(path - path[before]) > _SAME * contacts.radius[contact_rows]
    is_straight = (np.abs(swing) < _SAME) & from_edge & on_edge
    is_needed = is_moving & ~is_straight[contact_rows] & np.isfinite(path)
    return path[is_needed], ring_of_point[is_needed]


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
        rotation = np.exp(-1j * contacts.side[row] * angle)
        chord_end = _products((contacts.radius * self.start)[row], rotation)
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


def _move_to_edges(centre: Array, rings: _OpenRings, first: Ints, second: Ints) -> Array:
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
        along = _products(centre - point, per_length).real.clip(0.0, 1.0)
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
                / _products(1j * other_direction, direction.conj()).real
            )
        # A long step leaves the neighbourhood where the edges are the ones touched.
        centre = centre + np.where(np.abs(step) < radius / 10, step, 0.0)
    return centre
