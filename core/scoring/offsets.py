"""Offsets T(r) of targets T and their areas A(r); T(r) is grown (r > 0) or shrunk (r < 0) by r.

All regions of RandCrowns are offsets of the target (Stewart et al. 2021, Eq. 5-9):

- T(-alpha): the true positive region, here the certain region;
- T(omega): the outer region as a filled area, here the tolerated region;
- T(omega + tau): its outer boundary is that of the true negative region, here the edge region. The
  distance tau is the solution of A(omega + tau) - A(omega) = gamma · A(-alpha) (Eq. 9).

Lengths are metres, areas m². Offsets of rectangles with square corners are closed form. All others
are buffers of whole arrays, or, for outlines like stairs, paths of a ball that rolls along the
outline. T(omega + tau) is made of T(omega + s), where s is near tau, by moving its edges.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple, Union, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.crowns import is_box
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import (
    Edges,
    box_edges,
    extract_polygons,
    polygon_edges,
    translate_to_origin,
)
from randcrowns.core.geometry.ball_offsets import are_too_near, reflex_turns, round_offsets
from randcrowns.core.geometry.parallel_outlines import change_areas
from randcrowns.core.scoring.parameters import RandCrownsParameters

Rows = Union[Ints, slice]
#: Area relative to the target's below which an overlap is contact only: UTM coordinates are rounded
#: to a nanometre.
_CONTACT = 1e-8
#: Tolerance of the area ratio, relative to A(-alpha). A score moves by at most 5e-8 within it.
_RATIO_TOLERANCE = 2e-7
#: The same for targets whose offsets are made by a rolling ball, which are less exact themselves.
_BALL_RATIO_TOLERANCE = 1e-5
#: Relative difference of two areas that are the same.
_SAME_AREA = 2e-10
#: Distance below which an offset is the target itself, metres: buffers by much smaller distances
#: are empty or lose parts.
_NO_DISTANCE = 1e-12
#: Number of full turns at reflex vertices above which round offsets are made by a rolling ball, not
#: a buffer: the outline that a buffer starts from crosses itself at each such vertex. Crowns drawn
#: by hand turn there about 0.3 times, smooth outlines 0.2 times, stairs of pixels 5 times and more.
_MANY_REFLEX_TURNS = 2.5
#: Number of full turns of all arcs of an offset: one, and the turns that its outline makes back at
#: reflex vertices; about 0.3 for drawn targets and 1 for the paths of a rolling ball.
_ARC_TURNS = 1.3
_BALL_ARC_TURNS = 2.0
#: Maximum last step of tau for which the edges of T(omega + tau) are moved, relative to
#: omega + tau. A chord of an arc moves 0.12 % too far, which moves tau by about 1e-6 m.
_MAX_MOVE = 1e-3
#: Maximum number of steps for tau.
_MAX_STEPS = 100
#: Number of steps for the distance at which an offset covers the extent.
_REACH_STEPS = 20
#: Maximum difference of two estimates of A'(r) that are trusted, relative to A'(r).
_MAX_DIFFERENCE = 0.1
#: Relative rounding error of an area or a distance.
_ROUNDING = 1e-14


@dataclass(frozen=True)
class BoxOffsets:
    """Offsets with square corners of n axis-aligned rectangles.

    The shapes of an offset are bounds (m, 4): xmin, ymin, xmax, ymax.
    """

    #: (n, 4) bounds of the targets, metres.
    bounds: Floats
    #: (4,) bounds of a rectangular extent that offsets are clipped to, or None.
    extent: Floats | None = None

    def __len__(self) -> int:
        return len(self.bounds)

    def take(self, rows: Rows) -> BoxOffsets:
        """Return the offsets of the targets in the given rows."""
        return replace(self, bounds=self.bounds[rows])

    def shapes_at(self, distance: Floats | float, rows: Rows = slice(None)) -> Array:
        """Return the shapes of T(r).

        Args:
            distance: r, metres; one number or (m,) one per target in ``rows``.
            rows: targets to offset.

        Returns:
            (m, 4) shapes. A rectangle that shrinks to nothing is turned inside out.
        """
        bounds = self.bounds[rows]
        distances = np.broadcast_to(distance, len(bounds))
        # Each side moves outwards: the lower sides down, the upper sides up.
        shapes = bounds + distances[:, None] * np.array([-1.0, -1.0, 1.0, 1.0])
        if self.extent is not None:
            np.maximum(shapes[:, :2], self.extent[:2], out=shapes[:, :2])
            np.minimum(shapes[:, 2:], self.extent[2:], out=shapes[:, 2:])
        return cast("Array", shapes)

    def target_area(self) -> Floats:
        """Return the areas (n,) of the targets, not clipped, m²."""
        return self.area(self.bounds)

    def area(self, shapes: Array) -> Floats:
        """Return the areas (m,) of shapes, m²."""
        width, height = np.maximum(shapes[:, 2:] - shapes[:, :2], 0.0).T
        return cast("Floats", width * height)

    def perimeter(self, shapes: Array) -> Floats:
        """Return the perimeters (m,) of shapes, metres."""
        return cast("Floats", 2 * np.maximum(shapes[:, 2:] - shapes[:, :2], 0.0).sum(axis=1))

    def growth(self, shapes: Array, distance: Floats, rows: Ints) -> Floats:
        """Return A'(r) of the shapes of T(r) where nothing is clipped, which is their perimeter.

        Args:
            shapes: (m,) shapes of T(r).
            distance: (m,) r of each shape, metres; not used.
            rows: (m,) targets of the shapes; not used.

        Returns:
            (m,) growth of the area per metre of r, metres.
        """
        return self.perimeter(shapes)

    def ratio_tolerance(self) -> Floats:
        """Return the tolerance (n,) of the area ratio, relative to A(-alpha)."""
        return np.full(len(self), _RATIO_TOLERANCE)

    def edges(self, shapes: Array) -> Edges:
        """Return the edges of shapes; owners are rows of the shapes."""
        return box_edges(shapes)

    def polygons(self, shapes: Array) -> Objects:
        """Return rectangles as polygons.

        Args:
            shapes: (m, 4) left, bottom, right and top of the rectangles.

        Returns:
            (m,) polygons; empty polygons for rectangles without area.
        """
        left, bottom, right, top = shapes.T
        polygons = shapely.box(left, bottom, right, top)
        polygons[self.area(shapes) == 0] = shapely.Polygon()
        return cast("Objects", polygons)

    def covering_distance(self) -> Floats:
        """Return the r (n,) at which T(r) covers the extent, metres; infinite without an extent."""
        if self.extent is None:
            return np.full(len(self), np.inf)
        to_lower = self.bounds[:, :2] - self.extent[:2]
        to_upper = self.extent[2:] - self.bounds[:, 2:]
        return cast("Floats", np.maximum(to_lower, to_upper).max(axis=1))


@dataclass(frozen=True)
class PolygonOffsets:
    """Offsets with round or square corners of n polygons, always made from the polygon itself.

    The shapes of an offset are polygons (m,).
    """

    #: (n,) valid polygons or multipolygons, metres.
    targets: Objects
    #: Polygon that offsets are clipped to, or None.
    extent: Any = None
    #: True for square corners, False for round ones.
    is_mitre: bool = False
    #: Number of segments per quarter circle.
    quad_segs: int = 16
    #: False to leave the check of offsets made by a rolling ball to :meth:`find_wrong`, for targets
    #: of one ring.
    is_ball_checked: bool = True

    def __len__(self) -> int:
        return len(self.targets)

    @cached_property
    def uses_ball(self) -> Bools:
        """(n,) True for targets like stairs, whose offsets are made by a rolling ball."""
        if self.is_mitre:
            return np.zeros(len(self), dtype=bool)
        return reflex_turns(self.targets) > _MANY_REFLEX_TURNS

    def take(self, rows: Rows) -> PolygonOffsets:
        """Return the offsets of the targets in the given rows."""
        return replace(self, targets=self.targets[rows])

    def shapes_at(self, distance: Floats | float, rows: Rows = slice(None)) -> Array:
        """Return the shapes of T(r).

        Args:
            distance: r, metres; one number or (m,) one per target in ``rows``.
            rows: targets to offset.

        Returns:
            (m,) polygons or multipolygons, empty where nothing remains.
        """
        targets = self.targets[rows]
        distances = np.broadcast_to(distance, targets.shape).astype(float)
        shapes = targets.copy()
        is_moved = np.abs(distances) >= _NO_DISTANCE
        is_rolled = is_moved & self.uses_ball[rows]
        if is_rolled.any():
            shapes[is_rolled] = round_offsets(
                targets[is_rolled],
                distances[is_rolled],
                self.quad_segs,
                is_checked=self.is_ball_checked,
            )
        is_buffered = is_moved & ~is_rolled
        shapes[is_buffered] = shapely.buffer(
            targets[is_buffered],
            distances[is_buffered],
            quad_segs=self.quad_segs,
            join_style="mitre" if self.is_mitre else "round",
        )
        if self.extent is None:
            return shapes
        return extract_polygons(shapely.intersection(shapes, self.extent))

    def find_wrong(self, shapes: Array, distance: Floats | float) -> Ints:
        """Return the rows of targets of one ring whose offset by a rolling ball is wrong.

        Args:
            shapes: (n,) shapes of T(r), not clipped.
            distance: r, metres; one number or (n,) one per target.
        """
        is_one_ring = shapely.get_num_geometries(self.targets) == 1
        is_one_ring &= shapely.get_num_interior_rings(self.targets) == 0
        rolled = np.flatnonzero(self.uses_ball & is_one_ring)
        radius = np.abs(np.broadcast_to(distance, len(self))[rolled])
        is_wrong = are_too_near(self.targets[rolled], shapes[rolled], radius)
        return cast("Ints", rolled[is_wrong])

    def target_area(self) -> Floats:
        """Return the areas (n,) of the targets, not clipped, m²."""
        return self.area(self.targets)

    def area(self, shapes: Array) -> Floats:
        """Return the areas (m,) of shapes, m²."""
        return cast("Floats", shapely.area(shapes))

    def perimeter(self, shapes: Array) -> Floats:
        """Return the perimeters (m,) of shapes, metres."""
        return cast("Floats", shapely.length(shapes))

    def growth(self, shapes: Array, distance: Floats, rows: Ints) -> Floats:
        """Estimate A'(r) (m,) of the shapes of T(r), metres, where nothing is clipped.

        A straight edge grows by its length. A chord of an arc grows by its length times the cosine
        of half its angle, because its middle moves less than its ends.

        Args:
            shapes: (m,) shapes of T(r).
            distance: (m,) r of each shape, metres.
            rows: (m,) targets of the shapes.
        """
        perimeter = self.perimeter(shapes)
        if self.is_mitre:
            return perimeter
        arc_turns = np.where(self.uses_ball[rows], _BALL_ARC_TURNS, _ARC_TURNS)
        return perimeter - self.lost_growth(distance, arc_turns)

    def lost_growth(self, distance: Floats, arc_turns: Floats) -> Floats:
        """Return by how much A'(r) (m,) falls short of the perimeter because of chords, metres.

        Args:
            distance: (m,) r of each shape, metres.
            arc_turns: (m,) full turns of the shape's arcs.
        """
        half_angle = np.pi / (4 * self.quad_segs)
        arc_length = 2 * np.pi * arc_turns * distance
        return cast("Floats", (1 - np.cos(half_angle)) * arc_length)

    @property
    def can_move_edges(self) -> bool:
        """True if T(r) can be made of T(s), where r is almost s, by moving the edges."""
        return not self.is_mitre and self.extent is None

    def ratio_tolerance(self) -> Floats:
        """Return the tolerance (n,) of the area ratio, relative to A(-alpha)."""
        return np.where(self.uses_ball, _BALL_RATIO_TOLERANCE, _RATIO_TOLERANCE)

    def edges(self, shapes: Array) -> Edges:
        """Return the edges of shapes; owners are rows of the shapes."""
        return polygon_edges(shapes)

    def polygons(self, shapes: Array) -> Objects:
        """Return the shapes (m,) themselves, because they are polygons already."""
        return shapes

    def covering_distance(self) -> Floats:
        """Return the r (n,) at which T(r) covers the extent, metres; infinite without an extent."""
        if self.extent is None:
            return np.full(len(self), np.inf)
        vertices = shapely.points(shapely.get_coordinates(self.extent))
        farthest = shapely.distance(self.targets[:, None], vertices[None, :]).max(axis=1)
        # The chords of a round offset fall short of its arcs.
        reach = farthest / np.cos(np.pi / (4 * self.quad_segs))

        # A point of the extent between the parts, arms or holes of a target can be farther from it
        # than all vertices of the extent. The reach grows until the extent is covered.
        xmin, ymin, xmax, ymax = shapely.bounds(self.extent)
        diagonal = np.hypot(xmax - xmin, ymax - ymin)
        too_short = reach.copy()
        uncovered_rows = np.arange(len(self))
        for _ in range(_REACH_STEPS):
            is_covered = self._covers_extent(reach[uncovered_rows], uncovered_rows)
            uncovered_rows = uncovered_rows[~is_covered]
            too_short[uncovered_rows] = reach[uncovered_rows]
            reach[uncovered_rows] = 1.5 * reach[uncovered_rows] + diagonal / 100

        # Bisection finds the smallest distance at which the extent is covered.
        for _ in range(_REACH_STEPS):
            open_rows = np.flatnonzero(reach > too_short)
            middle = (too_short[open_rows] + reach[open_rows]) / 2
            is_covered = self._covers_extent(middle, open_rows)
            reach[open_rows] = np.where(is_covered, middle, reach[open_rows])
            too_short[open_rows] = np.where(is_covered, too_short[open_rows], middle)
        return cast("Floats", reach)

    def _covers_extent(self, distance: Floats, rows: Ints) -> Bools:
        """Return True (m,) where T(r) of the targets in ``rows`` covers the extent, up to rounding.

        Args:
            distance: (m,) r of each target, metres.
            rows: (m,) rows of the targets.
        """
        covered_area = shapely.area(self.extent) * (1 - _SAME_AREA)
        return cast("Bools", self.area(self.shapes_at(distance, rows)) >= covered_area)


#: Offsets of an array of targets.
Offsets = Union[BoxOffsets, PolygonOffsets]


@dataclass(frozen=True)
class OffsetRegions:
    """Three offsets of n targets that define the regions of RandCrowns, and their areas."""

    #: Shapes of T(-alpha).
    certain: Array
    #: Shapes of T(omega).
    tolerated: Array
    #: Shapes of T(omega + tau).
    edge: Array
    #: (n,) A(-alpha), m²; 0 where it is rounding error only.
    certain_area: Floats
    #: (n,) A(omega), m².
    tolerated_area: Floats
    #: (n,) A(omega + tau), m².
    edge_area: Floats
    #: (n,) tau, metres; NaN where the certain area is 0.
    tau: Floats
    #: (n,) True where the extent leaves less area than gamma requires.
    is_limited: Bools

    def take(self, rows: Rows) -> OffsetRegions:
        """Return the regions of the targets in the given rows."""
        return OffsetRegions(*(getattr(self, field.name)[rows] for field in fields(self)))

    def put(self, rows: Ints, regions: OffsetRegions) -> None:
        """Replace the regions of the targets in the given rows, in place."""
        for field in fields(self):
            getattr(self, field.name)[rows] = getattr(regions, field.name)


def split_by_offsets(
    targets: Objects, parameters: RandCrownsParameters, extent: Any, origin: Floats
) -> list[tuple[Ints, Offsets]]:
    """Split targets by the kind of their offsets.

    Args:
        targets: (n,) valid polygons, metres.
        parameters: kind of offsets, and segments per quarter circle.
        extent: polygon that every offset is clipped to, or None.
        origin: (2,) point that becomes (0, 0) in the offsets.

    Returns:
        Rows of the targets of each kind, and their offsets.

    >>> trees = np.array([shapely.box(0, 0, 5, 5), shapely.Point(9, 9).buffer(2)])
    >>> split = split_by_offsets(trees, RandCrownsParameters(0.7, 1.2, 3), None, np.zeros(2))
    >>> [(rows.tolist(), type(offsets).__name__) for rows, offsets in split]
    [([0], 'BoxOffsets'), ([1], 'PolygonOffsets')]
    """
    is_target_box = is_box(targets)
    # The offsets of a rectangle with square corners are rectangles, also within a rectangle.
    is_extent_box = extent is None or bool(is_box(np.array([extent]))[0])
    allows_closed_form = parameters.offsets != "round" and is_extent_box
    is_closed_form = is_target_box & allows_closed_form
    if parameters.offsets == "auto":
        has_square_corners = is_target_box
    else:
        has_square_corners = np.full(len(targets), parameters.offsets == "mitre")

    split: list[tuple[Ints, Offsets]] = []
    box_rows = np.flatnonzero(is_closed_form)
    if len(box_rows):
        shift = np.tile(origin, 2)
        box_offsets = BoxOffsets(
            bounds=shapely.bounds(targets[box_rows]) - shift,
            extent=None if extent is None else shapely.bounds(extent) - shift,
        )
        split.append((box_rows, box_offsets))

    local_extent = None
    if extent is not None and not is_closed_form.all():
        local_extent = translate_to_origin(np.array([extent]), origin)[0]
    for is_mitre in (True, False):
        polygon_rows = np.flatnonzero(~is_closed_form & (has_square_corners == is_mitre))
        if len(polygon_rows):
            polygon_offsets = PolygonOffsets(
                targets=translate_to_origin(targets[polygon_rows], origin),
                extent=local_extent,
                is_mitre=is_mitre,
                quad_segs=parameters.quad_segs,
            )
            split.append((polygon_rows, polygon_offsets))
    return split


@dataclass(frozen=True)
class _TauEquation:
    """Eq. 9 for n targets: A(omega + tau) - A(omega) = gamma · A(-alpha)."""

    #: Offsets of the n targets.
    offsets: Offsets
    #: Omega, metres.
    omega: float
    #: Shapes of T(omega).
    tolerated: Array
    #: (n,) A(omega), m².
    tolerated_area: Floats
    #: (n,) right side gamma · A(-alpha), m².
    goal: Floats
    #: (n,) maximum difference of the two sides, m².
    tolerance: Floats
    #: (n,) tau at which T(omega + tau) covers the extent, metres; infinite without an extent.
    max_tau: Floats

    @property
    def is_bounded(self) -> Bools:
        """(n,) True where an extent clips the offsets."""
        return np.isfinite(self.max_tau)


class _TauSolution(NamedTuple):
    """Solution of Eq. 9 for n targets."""

    #: (n,) tau, metres.
    tau: Floats
    #: Shapes of T(omega + tau).
    shapes: Array
    #: (n,) A(omega + tau), m².
    area: Floats
    #: (n,) True where the extent leaves less area than gamma requires.
    is_limited: Bools


def solve_regions(offsets: Offsets, parameters: RandCrownsParameters) -> OffsetRegions:
    """Compute the regions of targets (Eq. 5, 6 and 9).

    The distance tau is solved so that A(omega + tau) - A(omega) differs from gamma · A(-alpha) by
    at most 2e-7 · A(-alpha), unless the extent has no room. For targets like stairs, whose offsets
    are less exact, the difference is at most 1e-5 · A(-alpha).

    Args:
        offsets: offsets of n targets.
        parameters: alpha, omega and gamma.

    Returns:
        The regions.

    Raises:
        InputError: if no tau is found, because a geometry is degenerate.

    >>> square = BoxOffsets(np.array([[0.0, 0.0, 5.0, 5.0]]))
    >>> solve_regions(square, RandCrownsParameters(0.7, 1.2, 3)).tau.round(3).tolist()
    [1.138]
    """
    if isinstance(offsets, BoxOffsets) or offsets.extent is not None:
        return _solve_offset_regions(offsets, parameters)
    if not offsets.uses_ball.any():
        return _solve_offset_regions(offsets, parameters)

    # The check of a ball's path takes as long as the path. Only the three shapes that are kept are
    # checked, and targets with a wrong one are solved again with a check in every step.
    unchecked = replace(offsets, is_ball_checked=False)
    regions = _solve_offset_regions(unchecked, parameters)
    wrong = _find_wrong_regions(unchecked, parameters, regions)
    if len(wrong):
        checked = _solve_offset_regions(offsets.take(wrong), parameters)
        regions.put(wrong, checked)
    return regions


def _find_wrong_regions(
    offsets: PolygonOffsets, parameters: RandCrownsParameters, regions: OffsetRegions
) -> Ints:
    """Return the rows of targets with a wrong shape, or with a tau that does not solve Eq. 9.

    Args:
        offsets: offsets of n targets without an extent.
        parameters: alpha, omega and gamma.
        regions: their regions.
    """
    # The two sides of Eq. 9.
    ring_area = regions.edge_area - regions.tolerated_area
    goal = parameters.gamma * regions.certain_area
    tolerance = offsets.ratio_tolerance() * regions.certain_area
    is_unsolved = offsets.uses_ball & (np.abs(ring_area - goal) > tolerance)

    edge_distance = parameters.omega + np.nan_to_num(regions.tau)
    wrong_rows = [
        np.flatnonzero(is_unsolved),
        offsets.find_wrong(regions.certain, -parameters.alpha),
        offsets.find_wrong(regions.tolerated, parameters.omega),
        offsets.find_wrong(regions.edge, edge_distance),
    ]
    return cast("Ints", np.unique(np.concatenate(wrong_rows)))


def _solve_offset_regions(offsets: Offsets, parameters: RandCrownsParameters) -> OffsetRegions:
    """Compute regions as :func:`solve_regions`, with the check that the offsets make themselves.

    Args:
        offsets: offsets of n targets.
        parameters: alpha, omega and gamma.
    """
    alpha = parameters.alpha
    omega = parameters.omega
    certain, tolerated = _shapes_at_distances(offsets, -alpha, omega)

    certain_area = drop_contact_areas(offsets.area(certain), offsets.target_area())
    tolerated_area = offsets.area(tolerated)
    equation = _TauEquation(
        offsets=offsets,
        omega=omega,
        tolerated=tolerated,
        tolerated_area=tolerated_area,
        goal=parameters.gamma * certain_area,
        tolerance=offsets.ratio_tolerance() * certain_area,
        max_tau=np.maximum(offsets.covering_distance() - omega, 0.0),
    )
    solution = _solve_tau(equation)
    solution.tau[certain_area == 0] = np.nan
    return OffsetRegions(
        certain=certain,
        tolerated=tolerated,
        edge=solution.shapes,
        certain_area=certain_area,
        tolerated_area=tolerated_area,
        edge_area=solution.area,
        tau=solution.tau,
        is_limited=solution.is_limited,
    )


def _shapes_at_distances(offsets: Offsets, *distances: Floats | float) -> list[Array]:
    """Return the shapes of T(r) at each of several distances r.

    All shapes are made together, which takes half the time for a single target.

    Args:
        offsets: offsets of n targets.
        *distances: each r, metres; one number or (n,) one per target.

    Returns:
        For each distance the shapes of the n targets.
    """
    n = len(offsets)
    all_distances = np.concatenate([np.broadcast_to(distance, n) for distance in distances])
    target_rows = np.tile(np.arange(n), len(distances))
    all_shapes = offsets.shapes_at(all_distances, target_rows)
    return np.split(all_shapes, len(distances))


def drop_contact_areas(certain: Floats, area: Floats) -> Floats:
    """Set areas to 0 that are numerical contact: at most 1e-8 of the target's area.

    Args:
        certain: (n,) A(-alpha) or O(-alpha), m².
        area: (n,) area of the target, m².

    Returns:
        (n,) areas, m².

    >>> drop_contact_areas(np.array([1e-9, 4.0]), np.array([9.0, 9.0])).tolist()
    [0.0, 4.0]
    """
    return np.where(certain <= _CONTACT * area, 0.0, certain)


def _solve_tau(equation: _TauEquation) -> _TauSolution:
    """Solve A(omega + tau) - A(omega) = gamma · A(-alpha) for tau (Eq. 9).

    The first tau solves A(omega + s) = A(omega) + A'(omega)·s + c·s², which is exact for convex
    targets (Steiner's formula). Safeguarded Newton steps follow. A short step is the last one: the
    edges of T(omega + s) are moved so that the areas solve the equation.

    Args:
        equation: the equation of n targets.

    Raises:
        InputError: if no tau is found after the maximum number of steps.
    """
    offsets = equation.offsets
    omega = equation.omega
    goal = equation.goal
    growth, c = _estimate_growth(equation)
    first_tau = _quadratic_step(c, growth, goal)
    search = _TauSearch.begin(equation, np.minimum(first_tau, equation.max_tau))

    solution = _solution_without_search(equation)
    rows = np.flatnonzero((goal > 0) & ~solution.is_limited)
    shapes = offsets.shapes_at(omega + search.tau[rows], rows)
    for _ in range(_MAX_STEPS):
        area = offsets.area(shapes)
        solution.tau[rows] = search.tau[rows]
        solution.shapes[rows] = shapes
        solution.area[rows] = area
        missing_area = goal[rows] - (area - equation.tolerated_area[rows])
        search.narrow_bracket(rows, missing_area)

        # A buffer can jump slightly where its outline is simplified. No tau meets the goal then,
        # and the search ends when the bracket is closed.
        is_unsolved = np.abs(missing_area) > equation.tolerance[rows]
        is_unsolved &= ~search.is_closed(rows)
        if not is_unsolved.any():
            return solution
        rows = rows[is_unsolved]
        shapes = shapes[is_unsolved]
        missing_area = missing_area[is_unsolved]
        search.step(rows, shapes, area[is_unsolved], missing_area)
        is_solved = _move_to_goal(solution, search, rows, shapes, missing_area)
        rows = rows[~is_solved]
        shapes = offsets.shapes_at(omega + search.tau[rows], rows)
    raise InputError(
        "offsets.no_boundary",
        "The true negative outer boundary could not be found; is a target's geometry degenerate?",
    )


def _move_to_goal(
    solution: _TauSolution, search: _TauSearch, rows: Ints, shapes: Array, missing_area: Floats
) -> Bools:
    """Solve the targets for which tau took a short step, by moving the edges of their shapes.

    This takes a tenth of the time of a new offset. A(omega + tau) meets the goal exactly.

    Args:
        solution: the solution to write to.
        search: state of the search, after the step.
        rows: (m,) rows of the targets.
        shapes: (m,) shapes of T(omega + tau) before the step.
        missing_area: (m,) area that they lack to meet the goal, m².

    Returns:
        (m,) True for the targets that are solved.
    """
    offsets = search.equation.offsets
    is_solved = np.zeros(len(rows), dtype=bool)
    if isinstance(offsets, BoxOffsets) or not offsets.can_move_edges:
        return is_solved
    previous_tau = search.previous_tau[rows]
    distance = search.equation.omega + previous_tau
    # Targets for which tau changed little, by their position in ``rows``.
    near = np.flatnonzero(np.abs(search.tau[rows] - previous_tau) <= _MAX_MOVE * distance)
    if len(near) == 0:
        return is_solved
    moved = change_areas(shapes[near], missing_area[near])
    perimeter = offsets.perimeter(shapes[near])
    lost_growth = offsets.lost_growth(distance[near], moved.convex_turns)
    step = moved.distance * perimeter / (perimeter - lost_growth)

    # Of these, the targets whose moved outlines are right.
    right = moved.is_right
    moved_polygons = moved.polygons[right]
    solved = near[right]
    solved_rows = rows[solved]
    solution.tau[solved_rows] = previous_tau[solved] + step[right]
    solution.shapes[solved_rows] = moved_polygons
    solution.area[solved_rows] = offsets.area(moved_polygons)
    is_solved[solved] = True
    return is_solved


def _solution_without_search(equation: _TauEquation) -> _TauSolution:
    """Return the solution of the targets for which tau need not be searched.

    If the extent has too little room for the goal, tau is the maximum. If the goal is 0, tau is 0.
    The other targets are not solved yet: their tau, shapes and areas are to be overwritten.

    Args:
        equation: the equation of n targets.
    """
    offsets = equation.offsets
    tolerated_area = equation.tolerated_area
    tau = np.zeros(len(offsets))
    shapes = equation.tolerated.copy()
    area = tolerated_area.copy()

    # The widest edge region of each target, which fills the extent.
    bounded = np.flatnonzero(equation.is_bounded)
    if len(bounded):
        widest_distance = equation.omega + equation.max_tau[bounded]
        shapes[bounded] = offsets.shapes_at(widest_distance, bounded)
        area[bounded] = offsets.area(shapes[bounded])
    is_too_small = area - tolerated_area < equation.goal - equation.tolerance
    is_limited = equation.is_bounded & is_too_small
    tau[is_limited] = equation.max_tau[is_limited]

    has_no_goal = equation.goal <= 0
    tau[has_no_goal] = 0.0
    shapes[has_no_goal] = equation.tolerated[has_no_goal]
    area[has_no_goal] = tolerated_area[has_no_goal]
    return _TauSolution(tau, shapes, area, is_limited)


@dataclass(frozen=True)
class _TauSearch:
    """State of the search for tau of n targets; the arrays are changed in place."""

    #: The equation to solve.
    equation: _TauEquation
    #: (n,) current tau, metres.
    tau: Floats
    #: (n,) largest tau known to be too small, metres.
    low: Floats
    #: (n,) smallest tau known to be too large or the maximum, metres.
    high: Floats
    #: (n,) tau before the current one, metres.
    previous_tau: Floats
    #: (n,) A(omega + previous_tau), m².
    previous_area: Floats
    #: (n,) A'(omega + previous_tau), metres, where no extent clips the offsets.
    previous_growth: Floats

    @classmethod
    def begin(cls, equation: _TauEquation, first_tau: Floats) -> _TauSearch:
        """Begin a search.

        Args:
            equation: the equation of n targets.
            first_tau: (n,) tau to begin with, metres.
        """
        n = len(first_tau)
        return cls(
            equation=equation,
            tau=first_tau,
            low=np.zeros(n),
            high=equation.max_tau.copy(),
            previous_tau=np.zeros(n),
            previous_area=equation.tolerated_area.copy(),
            previous_growth=equation.offsets.perimeter(equation.tolerated),
        )

    def narrow_bracket(self, rows: Ints, missing_area: Floats) -> None:
        """Replace one end of the bracket of each target by its current tau.

        Args:
            rows: (m,) rows of the targets.
            missing_area: (m,) area that A(omega + tau) lacks to meet the goal, m².
        """
        is_short = missing_area > 0
        self.low[rows] = np.where(is_short, self.tau[rows], self.low[rows])
        self.high[rows] = np.where(is_short, self.high[rows], self.tau[rows])

    def is_closed(self, rows: Ints) -> Bools:
        """Return True (m,) where the ends of the bracket are equal, up to rounding."""
        low = self.low[rows]
        return self.high[rows] <= low + _ROUNDING * (low + self.equation.omega)

    def step(self, rows: Ints, shapes: Array, area: Floats, missing_area: Floats) -> None:
        """Move tau by a Newton step that stays within the bracket.

        Args:
            rows: (m,) rows of the targets.
            shapes: (m,) shapes of T(omega + tau).
            area: (m,) A(omega + tau), m².
            missing_area: (m,) area that A(omega + tau) lacks to meet the goal, m².
        """
        tau = self.tau[rows]
        # The smallest float avoids 0/0.
        last_step = tau - self.previous_tau[rows] + np.finfo(float).tiny
        growth = self.equation.offsets.growth(shapes, self.equation.omega + tau, rows)
        c = np.maximum((growth - self.previous_growth[rows]) / (2 * last_step), 0.0)
        self.previous_growth[rows] = growth

        # Where an extent clips the offsets, only the areas tell A'.
        is_bounded = self.equation.is_bounded[rows]
        slope = (area - self.previous_area[rows]) / last_step
        newton_step = _quadratic_step(
            np.where(is_bounded, 0.0, c), np.where(is_bounded, slope, growth), missing_area
        )

        # A step out of the bracket is replaced by bisection, or by doubling without an upper end.
        low = self.low[rows]
        high = self.high[rows]
        newton_tau = tau + newton_step
        is_inside = (newton_tau > low) & (newton_tau < high)
        fallback_tau = np.where(np.isinf(high), 2 * tau, (low + high) / 2)

        self.previous_tau[rows] = tau
        self.previous_area[rows] = area
        self.tau[rows] = np.where(is_inside, newton_tau, fallback_tau)


def _estimate_growth(equation: _TauEquation) -> tuple[Floats, Floats]:
    """Estimate A'(omega) and c of A(omega + s) = A(omega) + A'(omega)·s + c·s².

    Where no extent clips the offsets, both follow from A(0), A'(0), which is the perimeter, and
    A(omega). If that A'(omega) is far from the perimeter of T(omega), as for stairs that offsets
    smooth, the perimeter and c of a convex target are used instead.

    Args:
        equation: the equation of n targets.

    Returns:
        (n,) A'(omega), metres, and (n,) c.
    """
    offsets = equation.offsets
    omega = equation.omega
    tolerated_area = equation.tolerated_area
    growth = offsets.perimeter(equation.tolerated)
    c = np.full(len(offsets), _convex_c(offsets))
    if omega <= _NO_DISTANCE or equation.is_bounded.any():
        return growth, c

    unmoved = offsets.shapes_at(0.0)
    perimeter = offsets.perimeter(unmoved)
    measured_c = ((tolerated_area - offsets.area(unmoved)) / omega - perimeter) / omega
    measured_growth = perimeter + 2 * measured_c * omega
    # For a small omega, the measured c would be rounding error only.
    is_exact = _ROUNDING * tolerated_area <= _MAX_DIFFERENCE * omega**2
    is_trusted = is_exact & (np.abs(measured_growth - growth) <= _MAX_DIFFERENCE * growth)
    growth[is_trusted] = measured_growth[is_trusted]
    c[is_trusted] = measured_c[is_trusted]
    return growth, c


def _convex_c(offsets: Offsets) -> float:
    """Return c of A(r) = A(0) + P·r + c·r² for a convex target with perimeter P."""
    if isinstance(offsets, PolygonOffsets) and not offsets.is_mitre:
        return cast("float", 2 * offsets.quad_segs * np.sin(np.pi / (2 * offsets.quad_segs)))
    return 4.0


def _quadratic_step(c: Floats, growth: Floats, missing_area: Floats) -> Floats:
    """Solve growth·s + c·s² = missing_area for the step s; of two solutions the one nearer to 0.

    Args:
        c: (n,) coefficient of s².
        growth: (n,) coefficient of s, metres.
        missing_area: (n,) area to gain, m².

    Returns:
        (n,) steps, metres.
    """
    discriminant = np.maximum(growth**2 + 4 * c * missing_area, 0.0)
    denominator = growth + np.sqrt(discriminant) + np.finfo(float).tiny
    return cast("Floats", 2 * missing_area / denominator)
