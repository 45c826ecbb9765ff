"""Outlines moved by small distances that change the area of polygons by given amounts.

All edges of a polygon move to the outside by the same distance d, parallel to themselves. With the
perimeter P and the angles at which the outline turns at its vertices, the area changes by

    P · d + sum of tan(angle / 2) · d²

so that no geometry engine is needed. Arcs of chords stay arcs, because their chords meet again.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.geometry.areas import Rings, get_rings

#: Minimum cosine of the angle by which an outline turns at a vertex: sharper corners move far.
_MIN_COSINE = -0.5
#: Minimum length of a moved edge, relative to its length before.
_MIN_EDGE = 0.5


class MovedOutlines(NamedTuple):
    """n polygons with moved outlines."""

    #: (n,) the polygons.
    polygons: Objects
    #: (n,) distance by which all edges moved to the outside, metres.
    distance: Floats
    #: (n,) full turns of the outline at its convex corners.
    convex_turns: Floats
    #: (n,) True where a polygon is valid and no edge vanished.
    is_right: Bools


def change_areas(polygons: Objects, area_change: Floats) -> MovedOutlines:
    """Move the outlines of polygons so that their areas change by given amounts.

    Args:
        polygons: (n,) valid polygons or multipolygons, metres.
        area_change: (n,) m²; negative to shrink a polygon.

    Returns:
        The moved outlines. An outline cannot be moved so far that an edge vanishes or that parts of
        the outline meet.

    >>> grown = change_areas(np.array([shapely.box(0, 0, 4, 4)]), np.array([0.81]))
    >>> shapely.bounds(grown.polygons).round(9).tolist(), grown.distance.round(9).tolist()
    ([[-0.05, -0.05, 4.05, 4.05]], [0.05])
    """
    rings = get_rings(polygons)
    x, y = np.ascontiguousarray(rings.points.T)
    turns = _turns(rings, x, y)
    n = len(polygons)
    owner = rings.owner.take(rings.ring)
    perimeter = np.bincount(owner, turns.length, n)
    half_tangents = np.bincount(owner, turns.half_tangent, n)
    discriminant = np.maximum(perimeter**2 + 4 * half_tangents * area_change, 0.0)
    distance = 2 * area_change / (perimeter + np.sqrt(discriminant))

    point_distance = distance.take(owner)
    moved = np.stack([x + point_distance * turns.x, y + point_distance * turns.y], axis=1)
    moved[rings.is_closing] = moved[rings.start]
    # An edge loses or gains a part at both of its ends.
    end_change = turns.half_tangent + _next_on_ring(turns.half_tangent, rings)
    end_change *= point_distance
    is_kept = end_change > -_MIN_EDGE * turns.length
    is_kept &= turns.is_wide
    is_kept |= rings.is_closing
    is_right = np.ones(n, dtype=bool)
    is_right[owner[~is_kept]] = False
    moved = np.where(is_right.take(owner)[:, None], moved, rings.points)
    result = shapely.set_coordinates(polygons.copy(), moved)
    is_right &= shapely.is_valid(result)
    # The tangents of small angles, such as those of arcs, are almost the angles.
    convex_turns = np.bincount(owner, np.maximum(turns.half_tangent, 0.0), n) / np.pi
    return MovedOutlines(cast("Objects", result), distance, convex_turns, is_right)


class _Turns(NamedTuple):
    """Edges and turns at the P points of rings; the values of closing points are 0."""

    #: (P,) length of the edge that starts at the point, metres.
    length: Floats
    #: (P,) tangent of half the angle by which the outline turns, positive at convex corners.
    half_tangent: Floats
    #: (P,) x and y of the point's move if all edges move to the outside by one metre.
    x: Floats
    y: Floats
    #: (P,) True where the corner is not too sharp.
    is_wide: Bools


def _turns(rings: Rings, x: Floats, y: Floats) -> _Turns:
    """Return the edges and turns of rings.

    Args:
        rings: the rings, with P points.
        x: (P,) x of the points.
        y: (P,) y of the points.
    """
    width = np.diff(x, append=0.0)
    height = np.diff(y, append=0.0)
    width[rings.is_closing] = 0.0
    height[rings.is_closing] = 0.0
    length = np.sqrt(width * width + height * height)
    outward = _outward_signs(rings, x, y, width, height).take(rings.ring)
    with np.errstate(invalid="ignore", divide="ignore"):
        per_length = outward / length
        # Unit normals on the outer side of the edges after and before each point.
        normal_x = height * per_length
        normal_y = -width * per_length
        before_x = _previous_on_ring(normal_x, rings)
        before_y = _previous_on_ring(normal_y, rings)
        cosine = before_x * normal_x + before_y * normal_y
        sine = before_x * normal_y - before_y * normal_x
        sine *= outward
        per_sum = 1.0 / (1.0 + cosine)
        values = [sine, before_x + normal_x, before_y + normal_y]
        half_tangent, move_x, move_y = [value * per_sum for value in values]
    half_tangent[rings.is_closing] = 0.0
    return _Turns(
        length=length, half_tangent=half_tangent, x=move_x, y=move_y, is_wide=cosine > _MIN_COSINE
    )


def _previous_on_ring(values: Floats, rings: Rings) -> Floats:
    """Return the value (P,) of the point before each point; arbitrary at closing points."""
    previous = np.empty_like(values)
    previous[1:] = values[:-1]
    previous[rings.start] = values[np.flatnonzero(rings.is_closing) - 1]
    return previous


def _next_on_ring(values: Floats, rings: Rings) -> Floats:
    """Return the value (P,) of the point after each point; arbitrary at closing points."""
    following = np.empty_like(values)
    following[:-1] = values[1:]
    following[np.flatnonzero(rings.is_closing) - 1] = values[rings.start]
    return following


def _outward_signs(rings: Rings, x: Floats, y: Floats, width: Floats, height: Floats) -> Floats:
    """Return 1 for each ring (R,) with the outside of its polygon on the right, else -1.

    Args:
        rings: R rings with P points.
        x: (P,) x of the points.
        y: (P,) y of the points.
        width: (P,) difference in x of each point and the next; 0 at closing points.
        height: (P,) difference in y.
    """
    # Measured from the first point of the ring, because large coordinates cost digits.
    from_x = x - x.take(rings.start).take(rings.ring)
    from_y = y - y.take(rings.start).take(rings.ring)
    area = np.add.reduceat(from_x * height - from_y * width, rings.start)
    return np.where((area > 0) == rings.is_exterior, 1.0, -1.0)
