"""Offsets of a target: T(r), the target grown (r > 0) or shrunk (r < 0) by r metres, and its area A(r).

All regions of RandCrowns are offsets of the target (Stewart et al. 2021, Eq. 5-9). Rectangles with mitre offsets are
closed form; anything else goes through buffers of whole arrays, or where an outline has many corners through a ball
that rolls along it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Union, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.crowns import is_box
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import Edges, box_edges, polygon_edges, polygonal, to_origin
from randcrowns.core.geometry.outlines import round_offsets
from randcrowns.core.scoring.parameters import RandCrownsParameters

Rows = Union[Ints, slice]
#: Areas this small beside the target's own are contact, not overlap: UTM coordinates are rounded to a nanometre.
_CONTACT = 1e-8
_RATIO_TOLERANCE = 2e-10
#: Metres; buffers by far less are empty, or lose parts.
_NO_DISTANCE = 1e-12
#: Round offsets of outlines with more vertices are rolled, of others buffered: so nothing moves for what is drawn.
_MANY_VERTICES = 100
_MOST_STEPS, _REACH_STEPS = 100, 20


@dataclass(frozen=True)
class BoxOffsets:
    """Mitre offsets T(r) of axis-aligned rectangles, within a rectangular extent or none.

    The shapes of one offset are (n, 4) bounds; areas are square metres, lengths metres.
    """

    bounds: Floats  #: (n, 4) xmin, ymin, xmax, ymax.
    extent: Floats | None = None  #: (4,) bounds of the extent, or None.

    def __len__(self) -> int:
        return len(self.bounds)

    def take(self, rows: Rows) -> BoxOffsets:
        """The offsets of some of the targets."""
        return replace(self, bounds=self.bounds[rows])

    def at(self, distance: Floats | float, rows: Rows = slice(None)) -> Array:
        """Shapes of T(r) for the targets in ``rows``; one that shrinks to nothing is turned inside out."""
        grow = np.broadcast_to(distance, self.bounds[rows].shape[:1])[:, None]
        shapes = self.bounds[rows] + grow * np.array([-1.0, -1.0, 1.0, 1.0])
        if self.extent is not None:
            np.maximum(shapes[:, :2], self.extent[:2], out=shapes[:, :2])
            np.minimum(shapes[:, 2:], self.extent[2:], out=shapes[:, 2:])
        return cast("Array", shapes)

    def whole_area(self) -> Floats:
        """Areas of the targets themselves, uncut."""
        return self.area(self.bounds)

    def area(self, shapes: Array) -> Floats:
        """Areas of shapes."""
        width, height = np.maximum(shapes[:, 2:] - shapes[:, :2], 0.0).T
        return cast("Floats", width * height)

    def perimeter(self, shapes: Array) -> Floats:
        """Perimeters of shapes: the derivative of A(r) where nothing is cut off."""
        return cast("Floats", 2 * np.maximum(shapes[:, 2:] - shapes[:, :2], 0.0).sum(axis=1))

    def edges(self, shapes: Array) -> Edges:
        """Edges of shapes."""
        return box_edges(shapes)

    def polygons(self, shapes: Array) -> Objects:
        """Shapes as polygons; empty ones where nothing is left."""
        polygons = shapely.box(*shapes.T)
        polygons[self.area(shapes) == 0] = shapely.Polygon()
        return cast("Objects", polygons)

    def reach(self) -> Floats:
        """Distance at which T(r) stops growing because it covers the whole extent; infinite without one."""
        if self.extent is None:
            return np.full(len(self), np.inf)
        beyond = np.maximum(
            self.bounds[:, :2] - self.extent[:2], self.extent[2:] - self.bounds[:, 2:]
        )
        return cast("Floats", beyond.max(axis=1))


@dataclass(frozen=True)
class PolygonOffsets:
    """Round (or mitre) offsets of any polygons, always made from the polygon itself, within any extent or none.

    The methods are those of :class:`BoxOffsets`; the shapes of one offset are (n,) polygons.
    """

    targets: Objects  #: (n,) valid polygons.
    extent: Any = None  #: a polygon, or None.
    mitre: bool = False  #: square corners instead of round ones.
    quad_segs: int = 16  #: segments per quarter circle.

    def __len__(self) -> int:
        return len(self.targets)

    def take(self, rows: Rows) -> PolygonOffsets:
        return replace(self, targets=self.targets[rows])

    def at(self, distance: Floats | float, rows: Rows = slice(None)) -> Array:
        targets = self.targets[rows]
        moved = np.broadcast_to(distance, targets.shape).astype(float)
        shapes, left = targets.copy(), np.abs(moved) >= _NO_DISTANCE
        corners = shapely.get_num_coordinates(targets)
        many = np.flatnonzero(left & (not self.mitre) & (corners > _MANY_VERTICES))
        if len(many):  # of each ring the first coordinate is there twice
            parts, part_of = shapely.get_parts(targets[many], return_index=True)
            rings = np.bincount(part_of, 1 + shapely.get_num_interior_rings(parts), len(many))
            many = many[corners[many] - rings > _MANY_VERTICES]
        if len(many):
            shapes[many], left[many] = (
                round_offsets(targets[many], moved[many], self.quad_segs),
                False,
            )
        join = "mitre" if self.mitre else "round"
        shapes[left] = shapely.buffer(
            targets[left], moved[left], quad_segs=self.quad_segs, join_style=join
        )
        return (
            shapes if self.extent is None else polygonal(shapely.intersection(shapes, self.extent))
        )

    def whole_area(self) -> Floats:
        return self.area(self.targets)

    def area(self, shapes: Array) -> Floats:
        return cast("Floats", shapely.area(shapes))

    def perimeter(self, shapes: Array) -> Floats:
        return cast("Floats", shapely.length(shapes))

    def edges(self, shapes: Array) -> Edges:
        return polygon_edges(shapes)

    def polygons(self, shapes: Array) -> Objects:
        return shapes

    def reach(self) -> Floats:
        if self.extent is None:
            return np.full(len(self), np.inf)
        corners = shapely.points(shapely.get_coordinates(self.extent))
        farthest = shapely.distance(self.targets[:, None], corners[None, :]).max(axis=1)
        # The chords of a round offset fall short of its arcs.
        reach = farthest / np.cos(np.pi / (4 * self.quad_segs))
        # Between the parts, arms or holes of a target a point of the extent can be farther than all its corners.
        whole = shapely.area(self.extent) * (1 - _RATIO_TOLERANCE)
        size = np.hypot(*np.ptp(shapely.get_coordinates(self.extent), axis=0))
        low, rows = reach.copy(), np.arange(len(self))
        for _ in range(_REACH_STEPS):
            rows = rows[self.area(self.at(reach[rows], rows)) < whole]
            low[rows] = reach[rows]
            reach[rows] = 1.5 * reach[rows] + size / 100
        for _ in range(_REACH_STEPS):
            rows = np.flatnonzero(reach > low)
            middle = (low[rows] + reach[rows]) / 2
            covered = self.area(self.at(middle, rows)) >= whole
            reach[rows[covered]], low[rows[~covered]] = middle[covered], middle[~covered]
        return cast("Floats", reach)


#: The offsets T(r) of an array of targets, cut to the extent where there is one.
Offsets = Union[BoxOffsets, PolygonOffsets]


@dataclass(frozen=True)
class Regions:
    """The three offsets that carry a target's regions, and their areas in square metres."""

    #: certain, tolerated, edge: shapes of T(-alpha), T(omega) and T(omega + tau).
    certain: Array
    tolerated: Array
    edge: Array
    #: certain_area, tolerated_area, edge_area: A(-alpha), A(omega), A(omega + tau); a certain area that is mere
    #: rounding is 0.
    certain_area: Floats
    tolerated_area: Floats
    edge_area: Floats
    tau: Floats  #: (n,) metres; NaN where the certain area is 0.
    limited: Bools  #: (n,) True where the extent leaves less room than gamma asks for.

    def take(self, rows: Rows) -> Regions:
        """The regions of some of the targets."""
        return Regions(*(getattr(self, field.name)[rows] for field in fields(self)))


def offsets_of(
    targets: Objects, parameters: RandCrownsParameters, extent: Any, origin: Floats
) -> list[tuple[Ints, Offsets]]:
    """The (n,) targets split by the kind of their offsets: rows, and the offsets of those rows.

    Every offset is cut to the extent, a polygon or None; ``origin`` (2,) becomes (0, 0) in the offsets.
    """
    boxes = is_box(targets)
    closed_form = boxes & (
        parameters.offsets != "round" and (extent is None or bool(is_box(np.array([extent]))[0]))
    )
    mitre = (
        boxes
        if parameters.offsets == "auto"
        else np.full(len(targets), parameters.offsets == "mitre")
    )

    split: list[tuple[Ints, Offsets]] = []
    rows = np.flatnonzero(closed_form)
    if len(rows):
        corners = np.tile(origin, 2)
        within = None if extent is None else shapely.bounds(extent) - corners
        split.append((rows, BoxOffsets(shapely.bounds(targets[rows]) - corners, within)))
    for square in (True, False):
        rows = np.flatnonzero(~closed_form & (mitre == square))
        if len(rows):
            near = to_origin(targets[rows], origin)
            within = None if extent is None else to_origin(np.array([extent]), origin)[0]
            split.append((rows, PolygonOffsets(near, within, square, parameters.quad_segs)))
    return split


def target_offsets(
    offsets: Offsets, parameters: RandCrownsParameters, near: float = np.nan
) -> Regions:
    """The regions of targets: Eq. 5, 6 and 9, with tau solved so that the area ratio is gamma.

    |A(omega + tau) - A(omega) - gamma · A(-alpha)| <= 1e-9 · A(-alpha), unless the extent has no room. It begins
    at a tau that is ``near`` (m; NaN: none is known), such as that of a crown before it was edited.
    """
    at_near = [] if np.isnan(near) else [parameters.omega + near]
    certain, tolerated, *tried = _at_each(offsets, -parameters.alpha, parameters.omega, *at_near)
    certain_area = without_contact(offsets.area(certain), offsets.whole_area())
    tolerated_area = offsets.area(tolerated)
    begin = (near, tried[0]) if tried else None
    tau, edge, edge_area, limited = _solve_tau(
        offsets, parameters, certain_area, tolerated, tolerated_area, begin
    )
    tau[certain_area == 0] = np.nan
    return Regions(certain, tolerated, edge, certain_area, tolerated_area, edge_area, tau, limited)


def offsets_at(offsets: Offsets, parameters: RandCrownsParameters, tau: Floats) -> Regions:
    """The regions of :func:`target_offsets` from its (n,) ``tau`` (m), without an extent that limits them."""
    distances = -parameters.alpha, parameters.omega, parameters.omega + np.nan_to_num(tau)
    certain, tolerated, edge = _at_each(offsets, *distances)
    certain_area = without_contact(offsets.area(certain), offsets.whole_area())
    areas = (certain_area, offsets.area(tolerated), offsets.area(edge))
    return Regions(certain, tolerated, edge, *areas, tau.copy(), np.zeros(len(tau), dtype=bool))


def _at_each(offsets: Offsets, *distances: Floats | float) -> list[Array]:
    """Shapes of T(r) at several distances, made together: of a single target that takes half the time."""
    n = len(offsets)
    every = np.concatenate([np.broadcast_to(distance, n) for distance in distances])
    return np.split(offsets.at(every, np.tile(np.arange(n), len(distances))), len(distances))


def without_contact(certain: Floats, area: Floats) -> Floats:
    """A(-alpha) or O(-alpha) with what is only contact beside the target's ``area`` made 0."""
    return np.where(certain <= _CONTACT * area, 0.0, certain)


def _solve_tau(
    offsets: Offsets,
    how: RandCrownsParameters,
    certain: Floats,
    tolerated: Array,
    tolerated_area: Floats,
    begin: Any,
) -> tuple[Floats, Array, Floats, Bools]:
    """tau, T(omega + tau), its area, and where the extent stops it; for all targets, whose A(-alpha) is ``certain``.

    It begins at a tau and its T(omega + tau), or where ``begin`` is None at that of A(omega) and A'(omega).

    Safeguarded steps along A(r) = A(omega) + A'(omega)·tau + c·tau², which is exact for convex targets (Steiner). A' is
    known from the areas found so far: it is less than the perimeter, since the arcs of T(r) are chords.
    """
    n, omega = len(offsets), how.omega
    goal, tolerance = how.gamma * certain, _RATIO_TOLERANCE * certain
    most = np.maximum(offsets.reach() - omega, 0.0)
    low, high = np.zeros(n), most.copy()
    growth, corner = _growth(offsets, omega, tolerated, tolerated_area, np.isinf(most))
    tau = np.minimum(_root(corner, growth, goal) if begin is None else begin[0], most)
    corner[np.isfinite(most)] = 0.0
    edge, edge_area = tolerated.copy(), tolerated_area.copy()
    rows = np.flatnonzero(np.isfinite(most))
    if len(rows):
        edge[rows] = offsets.at(omega + most[rows], rows)
        edge_area[rows] = offsets.area(edge[rows])
    # Even the widest edge that the extent has room for is too small for the goal.
    limited = np.isfinite(most) & (edge_area - tolerated_area < goal - tolerance)
    tau[limited], tau[goal <= 0] = most[limited], 0.0
    edge[goal <= 0], edge_area[goal <= 0] = tolerated[goal <= 0], tolerated_area[goal <= 0]

    rows, last_tau, last_area = (
        np.flatnonzero((goal > 0) & ~limited),
        np.zeros(n),
        tolerated_area.copy(),
    )
    shapes = offsets.at(omega + tau[rows], rows) if begin is None else begin[1][rows]
    for _ in range(_MOST_STEPS):
        area = offsets.area(shapes)
        edge[rows], edge_area[rows] = shapes, area
        missing = goal[rows] - (area - tolerated_area[rows])
        low[rows] = np.where(missing > 0, tau[rows], low[rows])
        high[rows] = np.where(missing > 0, high[rows], tau[rows])
        # A buffer can jump by a hair where its outline is simplified: then no tau meets the goal.
        closed = high[rows] <= low[rows] + 1e-14 * (low[rows] + omega)
        again = (np.abs(missing) > tolerance[rows]) & ~closed
        rows, missing, shapes, area = rows[again], missing[again], shapes[again], area[again]
        if len(rows) == 0:
            return tau, edge, edge_area, limited
        since = tau[rows] - last_tau[rows]
        growth = (area - last_area[rows]) / (since + np.finfo(float).tiny) + corner[rows] * since
        around = offsets.perimeter(shapes)
        believed = np.isfinite(most[rows]) | (
            (growth > _LEAST * around) & (growth < around / _LEAST)
        )
        growth = np.where(believed, growth, around)
        step = _root(corner[rows], growth, missing)
        last_tau[rows], last_area[rows] = tau[rows], area
        middle = np.where(np.isinf(high[rows]), 2 * tau[rows], (low[rows] + high[rows]) / 2)
        inside = (tau[rows] + step > low[rows]) & (tau[rows] + step < high[rows])
        tau[rows] = np.where(inside, tau[rows] + step, middle)
        shapes = offsets.at(omega + tau[rows], rows)
    raise InputError(
        "The true negative outer boundary could not be found; is a target's geometry degenerate?"
    )


# Of the perimeter, how far the growth of an area may be off before it is not believed.
_OFF = 0.1
# Of an area, how far rounding may move it.
_ROUNDING = 1e-14
# Of the perimeter, the least growth that is believed where no extent cuts: near rounding it can be anything.
_LEAST = 0.1


def _growth(
    offsets: Offsets, omega: float, tolerated: Array, tolerated_area: Floats, free: Bools
) -> tuple[Floats, Floats]:
    """A'(omega) and c of A(r) = A + A'·r + c·r².

    Where no extent cuts (``free``) from A(0), A'(0), which is the perimeter, and A(omega); where that is far from the
    perimeter of T(omega), as of stairs that offsets smooth, that and c of a convex target.
    """
    growth, corner = offsets.perimeter(tolerated), np.full(len(offsets), _corner_growth(offsets))
    if omega > _NO_DISTANCE and free.all():
        itself = offsets.at(0.0)
        around = offsets.perimeter(itself)
        bend = ((tolerated_area - offsets.area(itself)) / omega - around) / omega
        exact = _ROUNDING * tolerated_area <= _OFF * omega**2  # else the bend is of rounding alone
        known = exact & (np.abs(around + 2 * bend * omega - growth) <= _OFF * growth)
        growth[known], corner[known] = (around + 2 * bend * omega)[known], bend[known]
    return growth, corner


def _corner_growth(offsets: Offsets) -> float:
    """c of A(r) = A + P·r + c·r² for a convex target."""
    if isinstance(offsets, PolygonOffsets) and not offsets.mitre:
        return cast("float", 2 * offsets.quad_segs * np.sin(np.pi / (2 * offsets.quad_segs)))
    return 4.0


def _root(c: Floats, growth: Floats, more: Floats) -> Floats:
    """The step s with growth·s + c·s² = more; for shrinking, the smaller of the two."""
    inside = np.maximum(growth**2 + 4 * c * more, 0.0)
    return cast("Floats", 2 * more / (growth + np.sqrt(inside) + np.finfo(float).tiny))
