"""Usable outlines of crowns: invalid ones are repaired, and hairline cracks and specks are closed.

An outline is the union of its parts, minus the holes of each part. A ring that crosses itself
encloses the points with a winding number other than 0: both halves of a bow tie, and ground that
it encircles twice. This is the method "structure" of GEOS. Its other method, "linework", drops
ground that two parts share.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, Callable, NamedTuple, TypeVar, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, split_array
from randcrowns.core.errors import InputError
from randcrowns.core.messages import abbreviate
from randcrowns.core.progress import Progress, map_in_threads, no_progress, subprogress

Result = TypeVar("Result")
#: Working precision, m: narrower cracks, necks and parts are errors of rounding, no features.
WORKING_PRECISION = 1e-6
#: Maximum number of crossings of a repaired outline. A crossing takes 50 µs and 2 kB.
MAX_CROSSINGS = 100_000
#: Share of the area by which a repair must change an outline to be reported.
AREA_CHANGE = 0.01

#: Number of outlines per call of a worker thread.
_AT_ONCE = 4096
#: Maximum number of outlines that are repaired at a time, each with up to 0.2 GB.
_MAX_REPAIRS = 4
#: Cells per metre of the lattice on which cracks are searched. The side of a cell, 0.11 mm, is no
#: divisor of common sizes of pixels, so that corners of pixels do not lie between two cells.
_CELLS_PER_METRE = 9137.0
#: Minimum number of vertices of a single ring with a crack, with the repeated first vertex.
_MIN_CRACKED = 6
#: Maximum ratio of a mitre to the distance of an offset; sharper corners are bevelled.
_MITRE_LIMIT = 5.0
#: Number of intersecting pairs of segments that are found at a time.
_PAIRS_AT_ONCE = 400_000
#: Number of pairs of faces and vertices for which winding numbers are computed at a time.
_WINDING_BLOCK = 2_000_000
#: True if shapely offers the method "structure": from shapely 2.1 with GEOS 3.10 on.
_HAS_STRUCTURE = (
    shapely.geos_version >= (3, 10) and "method" in inspect.signature(shapely.make_valid).parameters
)


class OutlineWarning(UserWarning):
    """Warning that outlines were changed before they were measured."""


class UsableOutlines(NamedTuple):
    """Outlines that can be measured, and what was changed in them."""

    #: (n,) valid polygons and multipolygons; None without one.
    polygons: Objects
    #: (n,) True if an invalid outline was repaired.
    is_repaired: Bools
    #: (n,) True if the repair changed the area by more than :data:`AREA_CHANGE`.
    is_area_changed: Bools
    #: (n,) True if cracks or specks below :data:`WORKING_PRECISION` were closed.
    is_closed: Bools
    #: (n,) True if the outline crosses itself too often to be repaired.
    is_too_complex: Bools


class OutlineChecks(NamedTuple):
    """Results of :func:`check_outlines`."""

    #: (n,) True for valid outlines, and for None.
    is_valid: Bools
    #: (n,) True for valid outlines that may have cracks or specks.
    is_suspicious: Bools


def make_usable(polygons: Objects, progress: Progress = no_progress) -> UsableOutlines:
    """Repair invalid outlines, and close cracks and specks narrower than the working precision.

    Outlines without such flaws are returned unchanged.

    Args:
        polygons: (n,) two-dimensional polygons, multipolygons or None, metres, with finite
            coordinates.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The outlines. An outline without an area becomes None or an empty polygon.

    >>> parts = shapely.MultiPolygon([shapely.box(0, 0, 4, 4), shapely.box(2, 1, 6, 5)])
    >>> usable = make_usable(np.array([parts]))
    >>> usable.polygons[0].area, usable.is_repaired.tolist(), usable.is_area_changed.tolist()
    (26.0, [True], [True])
    """
    checks = check_outlines(polygons, subprogress(progress, 0.0, 0.4))
    invalid_rows = np.flatnonzero(~checks.is_valid)
    if not len(invalid_rows) and not checks.is_suspicious.any():
        progress(1.0)
        no_outline = np.zeros(len(polygons), dtype=bool)
        return UsableOutlines(
            polygons=polygons,
            is_repaired=no_outline,
            is_area_changed=no_outline,
            is_closed=no_outline,
            is_too_complex=no_outline,
        )

    usable = polygons.copy()
    usable[invalid_rows] = list(_map_outlines(_repair, polygons[invalid_rows], progress, 0.4, 0.7))
    is_too_complex = shapely.is_missing(usable) & ~shapely.is_missing(polygons)
    is_repaired = ~checks.is_valid & ~is_too_complex
    repaired = usable[is_repaired]
    is_area_changed = np.zeros(len(polygons), dtype=bool)
    is_area_changed[is_repaired] = _area_differs(polygons[is_repaired], repaired)

    # The check of repaired outlines costs little: few outlines are invalid.
    is_suspicious = checks.is_suspicious.copy()
    is_suspicious[is_repaired] = check_outlines(repaired).is_suspicious
    closed_polygons, is_closed = close_cracks(
        usable, is_suspicious, subprogress(progress, 0.7, 1.0)
    )
    return UsableOutlines(
        polygons=closed_polygons,
        is_repaired=is_repaired,
        is_area_changed=is_area_changed,
        is_closed=is_closed,
        is_too_complex=is_too_complex,
    )


def repair_outlines(polygons: Objects, progress: Progress = no_progress) -> Objects:
    """Repair invalid polygons; cracks stay as they are.

    Args:
        polygons: (n,) two-dimensional polygons, multipolygons or None, in any unit.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (n,) valid polygons; the array itself if all are valid.

    Raises:
        InputError: if an outline has more than :data:`MAX_CROSSINGS` crossings.

    >>> bow_tie = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    >>> repair_outlines(np.array([bow_tie]))[0].area
    2.0
    """
    # The empty array gives the result its type if there is no polygon.
    blocks = _map_blocks(_is_valid, polygons, subprogress(progress, 0.0, 0.5))
    is_valid = np.concatenate([_NO_OUTLINES, *blocks])
    if is_valid.all():
        progress(1.0)
        return polygons
    invalid = polygons[~is_valid]
    repaired = polygons.copy()
    repaired[~is_valid] = list(_map_outlines(_repair, invalid, progress, 0.5, 1.0))
    is_too_complex = shapely.is_missing(repaired) & ~shapely.is_missing(polygons)
    check_complexity(is_too_complex)
    return repaired


def check_complexity(is_too_complex: Bools) -> None:
    """Raise InputError if an outline crosses itself too often to be repaired.

    Args:
        is_too_complex: (n,) mask of such outlines.

    >>> check_complexity(np.array([False]))
    """
    if is_too_complex.any():
        raise InputError(
            "crowns.too_complex",
            "The outlines in rows {rows} cross themselves more than {limit:,} times. Remove or "
            "redraw them.",
            rows=abbreviate(np.flatnonzero(is_too_complex)),
            limit=MAX_CROSSINGS,
        )


def check_outlines(polygons: Objects, progress: Progress = no_progress) -> OutlineChecks:
    """Check whether outlines are valid, and whether they may have cracks or specks.

    On a lattice, the two sides of a crack, or of a thin part, coincide and make the outline
    invalid. Lattice cells are wider than cracks, so that few cracks lie across two cells. The
    outlines that are found include some with wider gaps; :func:`close_cracks` sorts them out.

    Args:
        polygons: (n,) two-dimensional polygons, multipolygons or None, metres.
        progress: receives the fraction done; may raise to cancel.

    >>> gap = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(1 + 1e-9, 0, 2, 1)])
    >>> check_outlines(np.array([gap])).is_suspicious.tolist()
    [True]
    """
    # The empty arrays give the results their type if there is no polygon.
    is_valid = [_NO_OUTLINES]
    is_suspicious = [_NO_OUTLINES]
    for block in _map_blocks(_check_block, polygons, progress):
        is_valid.append(block.is_valid)
        is_suspicious.append(block.is_suspicious)
    return OutlineChecks(
        is_valid=np.concatenate(is_valid), is_suspicious=np.concatenate(is_suspicious)
    )


def close_cracks(
    polygons: Objects, is_suspicious: Bools, progress: Progress = no_progress
) -> tuple[Objects, Bools]:
    """Close the cracks of outlines and remove parts, necks and spikes thinner than a crack.

    Args:
        polygons: (n,) valid polygons, multipolygons or None, metres.
        is_suspicious: (n,) True for the outlines to search, see :func:`check_outlines`.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (n,) valid polygons, and (n,) True where they were changed. The array itself if none was.

    >>> gap = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(1 + 1e-9, 0, 2, 1)])
    >>> closed, is_closed = close_cracks(np.array([gap]), np.array([True]))
    >>> closed[0].geom_type, round(closed[0].area, 6), is_closed.tolist()
    ('Polygon', 2.0, [True])
    """
    is_closed = np.zeros(len(polygons), dtype=bool)
    rows = np.flatnonzero(is_suspicious)
    if not len(rows):
        progress(1.0)
        return polygons, is_closed
    suspicious = polygons[rows]
    closed = np.empty(len(rows), dtype=object)
    closed[:] = list(_map_outlines(_close, suspicious, progress, 0.0, 1.0))
    # A crack of a width of 1e-9 m has no area, but two sides.
    shortened = shapely.length(suspicious) - shapely.length(closed)
    lost_rings = _count_rings(suspicious) - _count_rings(closed)
    is_changed = (np.abs(shortened) > 10 * WORKING_PRECISION) | (lost_rings > 0)
    changed_rows = rows[is_changed]
    is_closed[changed_rows] = True
    result = polygons.copy()
    result[changed_rows] = closed[is_changed]
    return result, is_closed


def close_area(area: Any) -> Any:
    """Close the cracks of an area that is the union of polygons, such as a study area.

    Neighbours whose borders differ by rounding leave cracks in their union.

    Args:
        area: valid polygon or multipolygon, metres.

    >>> gap = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(1 + 1e-9, 0, 2, 1)])
    >>> close_area(gap).geom_type
    'Polygon'
    """
    areas = np.array([area], dtype=object)
    checks = check_outlines(areas)
    closed_areas, _ = close_cracks(areas, checks.is_suspicious)
    return closed_areas[0]


_NO_OUTLINES: Bools = np.empty(0, dtype=bool)


def _map_blocks(
    work: Callable[[Objects], Result], polygons: Objects, progress: Progress
) -> Iterator[Result]:
    """Yield the results of a function for blocks of polygons, computed in threads."""
    return map_in_threads(work, split_array(polygons, _AT_ONCE), progress)


def _map_outlines(
    work: Callable[[shapely.Geometry], Result],
    polygons: Objects,
    progress: Progress,
    start: float,
    end: float,
) -> Iterator[Result]:
    """Yield the results of a function for each polygon, computed in a few threads.

    Args:
        work: the function.
        polygons: (n,) its arguments.
        progress: receives fractions from ``start`` to ``end``.
        start: fraction of the whole work that is done before.
        end: fraction that is done afterwards.
    """
    own_progress = subprogress(progress, start, end)
    return map_in_threads(work, list(polygons), own_progress, max_threads=_MAX_REPAIRS)


def _is_valid(polygons: Objects) -> Bools:
    """Return True (n,) for valid polygons with finite coordinates, and for None."""
    return cast("Bools", shapely.is_valid(polygons) | shapely.is_missing(polygons))


def _check_block(polygons: Objects) -> OutlineChecks:
    """Check a block of polygons, see :func:`check_outlines`.

    Outlines that may have cracks are rounded to the working precision: those with cracks or specks
    become invalid.

    Args:
        polygons: (n,) polygons, multipolygons or None.
    """
    is_valid = _is_valid(polygons)
    n_vertices = shapely.get_num_coordinates(polygons)
    is_multipolygon = shapely.get_type_id(polygons) == shapely.GeometryType.MULTIPOLYGON
    may_have_cracks = is_valid & (is_multipolygon | (n_vertices >= _MIN_CRACKED))
    rows = np.flatnonzero(may_have_cracks)
    is_suspicious = np.zeros(len(polygons), dtype=bool)
    if len(rows):
        rows = rows[~_is_star_shaped(polygons[rows])]
    if len(rows):
        cells = shapely.get_coordinates(polygons[rows])
        cells *= _CELLS_PER_METRE
        np.rint(cells, out=cells)
        on_lattice = shapely.set_coordinates(polygons[rows], cells)
        is_suspicious[rows] = ~shapely.is_valid(on_lattice)
    return OutlineChecks(is_valid, is_suspicious)


#: Factor of the working precision that leaves room for rounding.
_ROUNDING_FACTOR = 10


def _is_star_shaped(polygons: Objects) -> Bools:
    """Return True (n,) for polygons without cracks because all of a ring is seen from a centre.

    This quick check settles most drawn crowns. Let D be the diagonal of the bounds, and C the
    smallest cross product of the directions from their centre to neighbouring vertices. If all
    cross products have one sign, edges that are no neighbours are at least C² / D³ apart: the ring
    is at least C / D from the centre, and the sine of each edge's angle there is at least C / D².

    Args:
        polygons: (n,) valid polygons and multipolygons.
    """
    is_star_shaped = np.zeros(len(polygons), dtype=bool)
    is_polygon = shapely.get_type_id(polygons) == shapely.GeometryType.POLYGON
    rows = np.flatnonzero(is_polygon & (shapely.get_num_interior_rings(polygons) == 0))
    if not len(rows):
        return is_star_shaped
    points = shapely.get_coordinates(polygons[rows])
    n_vertices = shapely.get_num_coordinates(polygons[rows])
    ring_ends = np.cumsum(n_vertices)
    ring_starts = ring_ends - n_vertices
    bounds = shapely.bounds(polygons[rows])
    x = points[:, 0] - np.repeat((bounds[:, 0] + bounds[:, 2]) / 2, n_vertices)
    y = points[:, 1] - np.repeat((bounds[:, 1] + bounds[:, 3]) / 2, n_vertices)
    cross = np.empty(len(points))
    np.multiply(x[:-1], y[1:], out=cross[:-1])
    cross[:-1] -= x[1:] * y[:-1]
    # The last vertex of a ring repeats the first one; the product before it stands for it.
    cross[ring_ends - 1] = cross[ring_ends - 2]
    # C of rings that run to the left, and to the right; negative if signs differ.
    smallest_left = np.minimum.reduceat(cross, ring_starts)
    smallest_right = -np.maximum.reduceat(cross, ring_starts)
    smallest = np.maximum(smallest_left, smallest_right)
    diagonal = np.hypot(bounds[:, 2] - bounds[:, 0], bounds[:, 3] - bounds[:, 1])
    min_distance = _ROUNDING_FACTOR * WORKING_PRECISION
    is_star_shaped[rows] = (smallest > 0) & (smallest**2 > min_distance * diagonal**3)
    return is_star_shaped


def _area_differs(before: Objects, after: Objects) -> Bools:
    """Return True (n,) where areas differ by more than :data:`AREA_CHANGE` of the larger one."""
    old = shapely.area(before)
    new = shapely.area(after)
    return cast("Bools", np.abs(new - old) > AREA_CHANGE * np.maximum(old, new))


def _count_rings(polygons: Objects) -> Ints:
    """Return the number (n,) of rings of polygons and multipolygons."""
    parts, row = shapely.get_parts(polygons, return_index=True)
    rings = 1 + shapely.get_num_interior_rings(parts)
    return np.bincount(row, rings, len(polygons)).astype(np.int64)


def _close(polygon: shapely.Geometry) -> shapely.Geometry:
    """Return a valid polygon without cracks and parts narrower than :data:`WORKING_PRECISION`.

    The outline is offset outwards, inwards and outwards again with sharp corners. Wider features
    keep their vertices up to rounding.
    """
    origin = np.floor(shapely.bounds(polygon)[:2])
    step = WORKING_PRECISION / 2
    closed = shapely.transform(polygon, lambda xy: xy - origin)
    for distance in (step, -2 * step, step):
        closed = shapely.buffer(closed, distance, join_style="mitre", mitre_limit=_MITRE_LIMIT)
    closed = shapely.transform(closed, lambda xy: xy + origin)
    # Large coordinates are rounded, so that rings that touch in a point may cross there.
    return closed if closed.is_valid else _repair(closed)


def _repair(polygon: shapely.Geometry) -> shapely.Geometry | None:
    """Return the valid polygon of an outline; None if it crosses itself too often."""
    parts = _polygon_parts(polygon)
    if not len(parts):
        return shapely.Polygon()
    outlines, part = shapely.get_rings(parts, return_index=True)
    rings = shapely.polygons(outlines)
    is_shell = np.diff(part, prepend=-1) > 0
    for row in np.flatnonzero(~shapely.is_valid(rings)):
        if _has_too_many_crossings(rings[row : row + 1], shared_meetings=0):
            return None
        rings[row] = _fix_ring(rings[row])

    shells = rings[is_shell]
    holes = np.flatnonzero(~is_shell)
    if len(holes):
        # A hole outside of its part is drawn ground: GEOS and QGIS fill it as well.
        owner = np.unique(part, return_inverse=True)[1][holes]
        is_inside = shapely.intersects(shells[owner], rings[holes])
        for shell in np.unique(owner[is_inside]):
            united = _unite(rings[holes[is_inside & (owner == shell)]])
            pair = np.array([shells[shell], united], dtype=object)
            if united is None or _has_too_many_crossings(pair):
                return None
            shells[shell] = shapely.difference(shells[shell], united)
        shells = np.concatenate([shells, rings[holes[~is_inside]]])
    return _unite(shells)


def _unite(polygons: Objects) -> shapely.Geometry | None:
    """Return the union of valid polygons (n,); None if two of the unions cross too often.

    Neighbours are united first. Parts that cover each other have many crossings, but their unions
    have few.
    """
    polygons = polygons[_neighbour_order(polygons)]
    while len(polygons) > 1:
        first = polygons[: len(polygons) // 2 * 2 : 2]
        second = polygons[1::2]
        n_vertices = shapely.get_num_coordinates(first) * shapely.get_num_coordinates(second)
        for row in np.flatnonzero(n_vertices > MAX_CROSSINGS):
            if _has_too_many_crossings(np.array([first[row], second[row]], dtype=object)):
                return None
        polygons = np.append(shapely.union(first, second), polygons[2 * len(second) :])
    return _only_polygons(polygons[0])


def _neighbour_order(polygons: Objects) -> Ints:
    """Return an order (n,) of polygons in which most follow a neighbour: strip by strip."""
    bounds = shapely.bounds(polygons)
    centres = (bounds[:, :2] + bounds[:, 2:]) / 2
    x = centres[:, 0]
    y = centres[:, 1]
    # The smallest number keeps polygons above each other from a division by 0.
    width = max(x.max() - x.min(), 1e-300)
    n_strips = np.ceil(np.sqrt(len(polygons)))
    strip = np.floor((x - x.min()) / width * n_strips)
    return cast("Ints", np.lexsort((y, strip)))


def _only_polygons(geometry: shapely.Geometry) -> shapely.Geometry:
    """Return the polygons of a geometry; points and lines are left out."""
    if isinstance(geometry, (shapely.Polygon, shapely.MultiPolygon)):
        return geometry
    polygons = _polygon_parts(geometry)
    return shapely.union_all(polygons) if len(polygons) else shapely.Polygon()


def _polygon_parts(geometry: shapely.Geometry) -> Objects:
    """Return the polygons (n,) in a geometry, also those of collections in collections."""
    parts = shapely.get_parts([geometry])
    while (shapely.get_type_id(parts) > shapely.GeometryType.POLYGON).any():
        parts = shapely.get_parts(parts)
    is_polygon = shapely.get_type_id(parts) == shapely.GeometryType.POLYGON
    return np.asarray(parts[is_polygon & ~shapely.is_empty(parts)])


def _has_too_many_crossings(polygons: Objects, shared_meetings: int = 5) -> bool:
    """Return True if the rings of polygons cross more than :data:`MAX_CROSSINGS` times.

    Args:
        polygons: (n,) polygons.
        shared_meetings: number of meetings of each segment that are allowed in addition, because
            several rings share vertices.
    """
    coordinates, ring = shapely.get_coordinates(
        shapely.get_rings(shapely.get_parts(polygons)), return_index=True
    )
    is_segment = ring[1:] == ring[:-1]
    segments = np.stack([coordinates[:-1][is_segment], coordinates[1:][is_segment]], axis=1)
    n_segments = len(segments)
    if n_segments**2 / 2 <= MAX_CROSSINGS:
        return False
    lines = shapely.linestrings(segments)
    tree = shapely.STRtree(lines)
    # Each meeting is found from both sides, and each segment meets itself and its neighbours.
    max_pairs = 2 * (MAX_CROSSINGS + shared_meetings * n_segments) + 3 * n_segments
    n_pairs = 0
    block = max(1, _PAIRS_AT_ONCE // n_segments)
    row = 0
    while row < n_segments:
        n_found = tree.query(lines[row : row + block], predicate="intersects").shape[1]
        n_pairs += n_found
        if n_pairs > max_pairs:
            return True
        row += block
        # Most outlines cross rarely, so that large blocks fit into memory.
        if n_found < _PAIRS_AT_ONCE // 8:
            block *= 2
    return False


def _fix_ring(polygon: shapely.Geometry) -> shapely.Geometry:
    """Return the ground that the exterior ring of a polygon encloses, as a valid polygon."""
    if _HAS_STRUCTURE:
        fixed = shapely.make_valid(polygon, method="structure", keep_collapsed=False)
    else:
        fixed = _enclosed_ground(polygon)
    return _only_polygons(fixed)


def _enclosed_ground(polygon: shapely.Geometry) -> shapely.Geometry:
    """Return the union of the faces of a polygon's exterior ring with a winding number.

    This takes the place of the method "structure" in shapely 2.0.
    """
    ring = shapely.get_exterior_ring(polygon)
    noded = shapely.get_parts(shapely.union_all([ring]))
    faces = shapely.get_parts(shapely.polygonize(noded))
    points = shapely.get_coordinates(shapely.point_on_surface(faces))
    vertices = shapely.get_coordinates(ring)
    is_enclosed = np.empty(len(faces), dtype=bool)
    step = max(1, _WINDING_BLOCK // len(vertices))
    for start in range(0, len(faces), step):
        rows = slice(start, start + step)
        is_enclosed[rows] = _winding_numbers(vertices, points[rows]) != 0
    return shapely.union_all(faces[is_enclosed])


def _winding_numbers(vertices: Floats, points: Floats) -> Ints:
    """Return how often a closed ring of vertices (m, 2) runs around each of the points (n, 2).

    Counted are the edges that cross the ray from a point to the right: upward ones as 1, downward
    ones as -1.
    """
    x = vertices[:, 0] - points[:, :1]
    y = vertices[:, 1] - points[:, 1:]
    is_above = y > 0
    is_upward = ~is_above[:, :-1] & is_above[:, 1:]
    is_downward = is_above[:, :-1] & ~is_above[:, 1:]
    cross = x[:, :-1] * y[:, 1:] - x[:, 1:] * y[:, :-1]
    upward = (is_upward & (cross > 0)).sum(axis=1)
    downward = (is_downward & (cross < 0)).sum(axis=1)
    return cast("Ints", upward - downward)
