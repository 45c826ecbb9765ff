"""Exact overlay of several annotators' polygons: all faces, with the annotators that cover each.

All outlines are cut at their crossings once, the pieces are joined to faces, and an inner point of
each face determines whose polygons cover it. The annotators' polygons are never clipped beforehand:
clipping would move their vertices by rounding and leave slivers along the edge of the study area.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import scipy
import shapely

from randcrowns.core.arrays import (
    Array,
    Bools,
    Floats,
    Ints,
    Objects,
    free_objects,
    split_array,
    split_range,
)
from randcrowns.core.crowns import POLYGON_TYPES
from randcrowns.core.crs import geometry_array
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import (
    bounds_centre,
    clip_geometries,
    iterate_intersecting_pairs,
    translate_to_origin,
)
from randcrowns.core.geometry.polygon_file import PolygonFile
from randcrowns.core.outlines import check_complexity, make_usable, repair_outlines
from randcrowns.core.progress import (
    Progress,
    iterate_with_progress,
    map_in_threads,
    no_progress,
    subprogress,
)

#: Maximum number of segments in one rectangle: less than a tenth of a second of work, during some
#: of which Python's global lock is held.
MAX_SEGMENTS = 5_000
#: Length-to-width ratio from which a sliver counts as running along an edge; a shorter sliver is
#: the corner of a crossing.
LONG_RATIO = 1000
#: Width relative to the coordinates below which a sliver comes from the cutting itself, not from
#: outlines that are nearly the same.
NOISE_RATIO = 2.0**-46

#: Number of polygons united between two progress reports.
_BATCH = 500
#: Number of outline edges made into polygons between two progress reports, unless one connected
#: area has more.
_BATCH_EDGES = 20_000
#: Number of polygons whose rings are read at a time.
_AT_ONCE = 4096
#: Distance of an inner point from its face's outline, relative to the face's width.
_CLEAR = 1e-3
#: Relative difference between areas, or between coordinates, that rounding explains.
_ROUNDING = 1e-9
#: Maximum share of a rectangle's segments in each of the two parts that it is split into.
_MAX_SPLIT_SHARE = 0.9
#: Metres by which the outer blocks of a grid reach beyond all outlines.
_MARGIN = 1.0
#: Rounding of a coordinate, times the error that a reprojection there and back and a crossing add:
#: 2e-7 m in UTM.
_RELATIVE_WIDTH = 2.0**-44


class Overlay(NamedTuple):
    """F faces of K annotators' overlaid polygons within the study area."""

    #: F faces that do not overlap. An unmarked area may be cut into several faces along straight
    #: lines.
    faces: PolygonFile
    #: (F, K) bool, True where the annotator's polygons cover the face.
    decisions: Bools
    #: (F,) areas of the faces, m².
    areas: Floats
    #: Number of polygons that were repaired because they were invalid.
    n_repaired: int


class _FaceCodes(NamedTuple):
    """Annotators of the faces of one rectangle."""

    #: (n,) uint64 code of the annotators that cover each face.
    code: Array
    #: (n,) True for faces that may have to be joined with others.
    is_piece: Bools


def overlay_faces(
    layers: Sequence[Any], area: Any = None, progress: Progress = no_progress
) -> Overlay:
    """Overlay the polygons of K annotators.

    Args:
        layers: polygons of each annotator, m: an array, one geometry, or an object with a
            ``geometry`` array. None and empty geometries are skipped, invalid ones are repaired,
            and overlapping ones are united.
        area: one or several polygons of the study area; without it, only faces that an annotator
            covers are returned.
        progress: receives the fraction done.

    Returns:
        The faces.

    Raises:
        InputError: if a geometry is not polygonal or has coordinates that are not finite, or if
            the study area is empty.

    >>> overlay = overlay_faces([[shapely.box(0, 0, 2, 1)], [shapely.box(1, 0, 4, 1)]])
    >>> sorted(zip(overlay.areas.tolist(), overlay.decisions.tolist()))
    [(1.0, [True, False]), (1.0, [True, True]), (2.0, [False, True])]
    """
    scene = OverlayScene(layers, area, progress)
    cut = RectangleCut(scene.outlines, scene.rounding, MAX_SEGMENTS)
    codes: list[_FaceCodes] = []

    def yield_faces(grid: float, report_progress: Progress) -> Iterator[Objects]:
        """Yield the faces of each rectangle and append their codes; stop at too fine a grid."""
        codes.clear()
        work = partial(scene.build_faces, cut, grid=grid)
        for marked in map_in_threads(work, cut.rectangles, report_progress, max_threads=4):
            if marked.is_grid_too_fine:
                return
            is_inside = marked.is_inside
            # Faces that no annotator covers may stay in pieces: nobody looks at them.
            is_piece = marked.faces.is_on_seam & (marked.code > 0)
            codes.append(_FaceCodes(marked.code[is_inside], is_piece[is_inside]))
            yield marked.faces.polygons[is_inside]

    # First without a grid; outlines that differ by rounding only need a coarse one.
    faces = PolygonFile(yield_faces(0.0, subprogress(progress, 0.3, 0.5)), scene.origin)
    was_stopped = len(codes) < len(cut.rectangles)
    if was_stopped:
        coarse_faces = yield_faces(scene.rounding, subprogress(progress, 0.5, 0.9))
        faces = PolygonFile(coarse_faces, scene.origin)
    piece_codes = np.concatenate([rectangle_codes.code for rectangle_codes in codes])
    is_piece = np.concatenate([rectangle_codes.is_piece for rectangle_codes in codes])
    face_codes = join_pieces(faces, piece_codes, is_piece, subprogress(progress, 0.9, 1.0))

    # Bit k of a code is annotator k.
    decisions = np.empty((len(face_codes), scene.n_annotators), dtype=bool)
    for annotator in range(scene.n_annotators):
        annotator_bit = np.uint64(1) << np.uint64(annotator)
        decisions[:, annotator] = (face_codes & annotator_bit) > 0
    free_objects(scene.outlines, scene.polygons)
    return Overlay(faces=faces, decisions=decisions, areas=faces.areas, n_repaired=scene.n_repaired)


class Rectangle(NamedTuple):
    """A rectangle that outlines are cut into."""

    #: (4,) xmin, ymin, xmax, ymax, metres; infinite if it holds all outlines.
    bounds: Floats
    #: (n,) numbers of the segments that reach into it.
    segments: Ints


class Faces(NamedTuple):
    """F faces that cover the area within outlines without overlap."""

    #: (F,) polygons.
    polygons: Objects
    #: (F,) True for a face that ends at a border between rectangles and is a piece of a larger one.
    is_on_seam: Bools


class MarkedFaces(NamedTuple):
    """F faces of a rectangle, with the annotators that cover each."""

    #: The faces; slivers and the faces that they belong to count as pieces on a seam.
    faces: Faces
    #: (F,) uint64, bit k is set if annotator k covers the face.
    code: Array
    #: (F,) True for faces within the study area; without one, for faces that an annotator covers.
    is_inside: Bools
    #: True if outlines differ by rounding only, so that a coarser grid is needed.
    is_grid_too_fine: bool


class OverlayScene:
    """Polygons of an overlay, in coordinates near the origin.

    Args:
        layers: polygons of each of K annotators; see :func:`overlay_faces`.
        area: polygons of the study area, or None.
        progress: receives the fraction done.

    Attributes:
        polygons: (P,) polygons of the annotators, united for each one, then the parts of the study
            area.
        owner: (P,) index of each polygon's annotator; K for the study area.
        bits: (K + 1,) uint64 bit of each annotator in codes; 0 for the study area.
        outlines: boundary lines of all polygons.
        polygon_of_outline: index of each outline's polygon.
        area_parts: parts of the study area; empty without one.
        origin: (2,) point that was moved to (0, 0), metres.
        rounding: metres by which coordinates may be off due to rounding.
        noise: width in metres of slivers that come from the cutting itself, not from outlines that
            are nearly the same.
        tree: spatial index of the polygons.
        n_annotators: K.
        has_area: True if there is a study area.
        n_repaired: number of polygons that were repaired.
    """

    def __init__(self, layers: Sequence[Any], area: Any, progress: Progress) -> None:
        region = None
        region_parts = np.empty(0, dtype=object)
        self.n_repaired = 0
        if area is not None:
            region, self.n_repaired = unite_study_area(area)
            region_parts = shapely.get_parts(region)
        drawn_layers = []
        for number, layer in enumerate(layers, 1):
            drawn = split_into_polygons(layer, f"Annotator {number}")
            polygons = drawn.polygons
            if region is not None:
                polygons = polygons[shapely.intersects(polygons, region)]
            drawn_layers.append(polygons)
            self.n_repaired += drawn.n_repaired
            progress(0.0)

        all_drawn = np.concatenate(drawn_layers)
        scene_polygons = all_drawn if region is None else region_parts
        self.origin = np.zeros(2)
        if len(scene_polygons):
            self.origin = np.round(bounds_centre(scene_polygons))
        self.rounding = rounding_width(shapely.bounds(all_drawn))
        united_layers = []
        uniting = iterate_with_progress(drawn_layers, subprogress(progress, 0.0, 0.3))
        for polygons, report_progress in uniting:
            near_origin = translate_to_origin(polygons, self.origin)
            united_layers.append(_unite_overlapping(near_origin, report_progress))
        self.area_parts = translate_to_origin(region_parts, self.origin)
        self.polygons = np.concatenate([*united_layers, self.area_parts])

        self.n_annotators = len(united_layers)
        self.has_area = region is not None
        n_polygons_of_layers = [len(polygons) for polygons in (*united_layers, self.area_parts)]
        self.owner = np.repeat(np.arange(self.n_annotators + 1), n_polygons_of_layers)
        annotator_bits = np.uint64(1) << np.arange(self.n_annotators, dtype=np.uint64)
        self.bits = np.append(annotator_bits, np.uint64(0))

        boundaries = shapely.boundary(self.polygons)
        self.outlines, self.polygon_of_outline = shapely.get_parts(boundaries, return_index=True)
        largest_coordinate = np.abs(shapely.get_coordinates(self.outlines)).max(initial=0.0)
        self.noise = NOISE_RATIO * float(largest_coordinate)
        # The tree gets a copy, because shapely 2.0.0 makes the array of its tree read-only.
        self.tree = shapely.STRtree(self.polygons.copy())

    def rows_near(self, rectangle: Rectangle) -> Ints:
        """Return the sorted rows of the polygons whose bounds reach into a rectangle."""
        return np.sort(self.tree.query(shapely.box(*rectangle.bounds)))

    def annotators_at(self, points: Objects, near: Ints) -> tuple[Array, Bools]:
        """Determine which annotators cover each point.

        Args:
            points: (n,) points.
            near: rows of the polygons to consider.

        Returns:
            (n,) uint64 codes with bit k set if annotator k covers the point, and (n,) True for
            points within the study area.
        """
        # Pairs of a polygon and a point in it.
        polygon_rows, point_rows = shapely.STRtree(points).query(
            self.polygons[near], predicate="contains"
        )
        layers = self.owner[near[polygon_rows]]
        codes = np.zeros(len(points), dtype=np.uint64)
        np.bitwise_or.at(codes, point_rows, self.bits[layers])
        is_in_area = np.zeros(len(points), dtype=bool)
        is_in_area[point_rows[layers == self.n_annotators]] = True
        return codes, is_in_area

    def build_faces(
        self, cut: RectangleCut, rectangle: Rectangle, grid: float = 0.0
    ) -> MarkedFaces:
        """Build the faces in a rectangle and determine which annotators marked them.

        A sliver, a face narrower than twice the rounding, gets the annotators of the neighbour that
        it is joined with later.

        Args:
            cut: the outlines, cut into rectangles.
            rectangle: one of these rectangles.
            grid: metres that coordinates are rounded to; 0 for no rounding.

        Returns:
            The faces, with the annotators of each, whether each lies in the study area (without
            one, whether an annotator covers it), and whether a coarser grid is needed.
        """
        faces = cut.build_faces(rectangle, grid)
        polygons = faces.polygons

        # A long thin face comes from outlines that are nearly the same, unless it is so thin that
        # the cutting itself explains it.
        is_too_fine = False
        if grid < self.rounding:
            is_thin = are_slivers(polygons, self.rounding, LONG_RATIO * self.rounding)
            is_noise = are_slivers(polygons, self.noise)
            is_too_fine = bool((is_thin & ~is_noise).any())

        codes, is_in_area = self.annotators_at(inner_points(polygons), self.rows_near(rectangle))
        if not self.has_area:
            is_in_area = codes > 0

        # Each sliver is joined with its host, a wider neighbour; other faces are their own hosts.
        host_rows = assign_slivers(polygons, width=2 * self.rounding)
        has_slivers = np.bincount(host_rows, minlength=len(host_rows)) > 1
        is_joined = faces.is_on_seam | has_slivers[host_rows]
        return MarkedFaces(
            Faces(polygons, is_joined), codes[host_rows], is_in_area[host_rows], is_too_fine
        )


def covered_area(layer: Any, area: Any = None, progress: Progress = no_progress) -> float:
    """Compute the area that one annotator's polygons cover; overlaps count once.

    Args:
        layer: polygons, m; an array, one geometry, or an object with a ``geometry`` array.
        area: polygon of the study area, which is prepared in place; None for everything.
        progress: receives the fraction done.

    Returns:
        The area, m².

    Raises:
        InputError: if a geometry is not polygonal or has coordinates that are not finite.

    >>> covered_area([shapely.box(0, 0, 2, 1), shapely.box(1, 0, 4, 1)])
    4.0
    """
    drawn = split_into_polygons(layer, "The annotator")
    covered = _unite_overlapping(drawn.polygons, progress)
    if area is not None:
        shapely.prepare(area)
        nearby = covered[shapely.intersects(area, covered)]
        covered = clip_geometries(area, nearby)
    return float(shapely.area(covered).sum())


class SinglePolygons(NamedTuple):
    """P valid single polygons of a layer."""

    #: (P,) polygons.
    polygons: Objects
    #: Number of geometries of the layer that were repaired.
    n_repaired: int
    #: (P,) row of the geometry that each polygon is a part of.
    row: Ints


def split_into_polygons(layer: Any, name: str) -> SinglePolygons:
    """Split the geometries of a layer into valid single polygons.

    Args:
        layer: an array of geometries, one geometry, or an object with a ``geometry`` array. None
            and empty geometries are skipped, invalid ones are repaired.
        name: name of the layer in messages.

    Returns:
        The polygons, without z.

    Raises:
        InputError: if a geometry is not polygonal or has coordinates that are not finite.

    >>> parts = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1)])
    >>> split_into_polygons([None, parts], "Crowns").row.tolist()
    [1, 1]
    """
    all_geometry = geometry_array(layer, name)
    is_used = ~(shapely.is_missing(all_geometry) | shapely.is_empty(all_geometry))
    used_rows = np.flatnonzero(is_used)
    geometry = all_geometry[used_rows]
    is_polygon = np.isin(shapely.get_type_id(geometry), POLYGON_TYPES)
    if not is_polygon.all():
        first_other = geometry[~is_polygon][0]
        raise InputError(
            "crowns.not_polygon_but",
            "{name}: only polygons can be compared, but there is a {kind} among the geometries.",
            name=name,
            kind=first_other.geom_type,
        )
    if not np.isfinite(shapely.get_coordinates(geometry)).all():
        raise InputError(
            "crowns.not_finite",
            "{name}: a polygon has coordinates that are not numbers; remove or redraw it.",
            name=name,
        )
    outlines = make_usable(shapely.force_2d(geometry))
    check_complexity(outlines.is_too_complex)
    parts, outline_of_part = shapely.get_parts(outlines.polygons, return_index=True)
    has_area = ~shapely.is_empty(parts)
    return SinglePolygons(
        polygons=np.asarray(parts[has_area], dtype=object),
        n_repaired=int((outlines.is_repaired | outlines.is_closed).sum()),
        row=used_rows[outline_of_part[has_area]],
    )


def unite_study_area(area: Any) -> tuple[Any, int]:
    """Unite the polygons of a study area.

    Args:
        area: one or several polygons, as a layer of :func:`overlay_faces`.

    Returns:
        The area as one geometry, and the number of its polygons that were repaired.

    Raises:
        InputError: if the area is empty, or a geometry is not polygonal.

    >>> region, n_repaired = unite_study_area([shapely.box(0, 0, 2, 1), shapely.box(1, 0, 4, 1)])
    >>> region.area, n_repaired
    (4.0, 0)
    """
    parts, n_repaired, _ = split_into_polygons(area, "The study area")
    region = shapely.union_all(parts)
    if shapely.area(region) == 0:
        raise InputError(
            "study_area.empty", "The study area is empty; choose a polygon with an area."
        )
    return region, n_repaired


def inner_points(faces: Objects) -> Objects:
    """Return a point inside each face, at a distance from its outline.

    GEOS puts its own inner points on the outline where edges nearly touch; such a point is
    replaced by one of the face shrunk by half its width.

    Args:
        faces: (F,) polygons.

    Returns:
        (F,) points.

    >>> inner_points(np.array([shapely.box(0, 0, 4, 2)]))[0]
    <POINT (2 1)>
    """
    points: Objects = shapely.point_on_surface(faces)
    # Area over perimeter, which is half the width of a long face.
    widths = shapely.area(faces) / np.maximum(shapely.length(faces), np.finfo(float).tiny)
    distances = shapely.distance(points, shapely.boundary(faces))
    near_rows = np.flatnonzero(distances < _CLEAR * widths)
    shrunk_faces = shapely.buffer(faces[near_rows], -widths[near_rows] / 2)
    replacements = shapely.point_on_surface(shrunk_faces)
    exists = ~shapely.is_empty(replacements)
    points[near_rows[exists]] = replacements[exists]
    return points


def _touching_components(polygons: Objects, progress: Progress) -> Ints:
    """Return the number of the group of each polygon, in which polygons touch one another.

    Args:
        polygons: (n,) polygons.
        progress: receives the fraction done.

    Returns:
        (n,) numbers of the groups, from 0.
    """
    n_polygons = len(polygons)
    rows = np.arange(n_polygons)
    group = rows
    for left_rows, right_rows in iterate_intersecting_pairs(polygons, polygons, progress):
        # A link to the first polygon of its group stands for the pairs of the blocks before.
        _, first_rows = np.unique(group, return_index=True)
        first_of_group = first_rows[group]
        link_ends = (np.append(left_rows, rows), np.append(right_rows, first_of_group))
        links = np.ones(len(link_ends[0]), dtype=bool)
        graph = scipy.sparse.csr_matrix((links, link_ends), (n_polygons, n_polygons))
        _, group = scipy.sparse.csgraph.connected_components(graph, directed=False)
    return np.asarray(group, dtype=np.int64)


def _unite_overlapping(polygons: Objects, progress: Progress) -> Objects:
    """Unite overlapping polygons.

    Args:
        polygons: (n,) polygons.
        progress: receives the fraction done.

    Returns:
        The polygons that touch no other, unchanged, then the parts of the unions of the others.
    """
    component = _touching_components(polygons, subprogress(progress, 0.0, 0.2))
    n_polygons = np.bincount(component, minlength=1)
    is_touching = n_polygons[component] > 1
    unsorted_rows = np.flatnonzero(is_touching)
    touching_rows = unsorted_rows[np.argsort(component[unsorted_rows], kind="stable")]

    # Batches begin at the start of a component, so that no component is split over two batches.
    component_starts = np.flatnonzero(np.diff(component[touching_rows], prepend=-1))
    begins_batch = np.diff(component_starts // _BATCH, prepend=-1) != 0
    batch_starts = component_starts[begins_batch]
    batches = np.split(polygons[touching_rows], batch_starts[1:])
    united = [polygons[~is_touching]]
    for batch, _ in iterate_with_progress(batches, subprogress(progress, 0.2, 1.0)):
        union = shapely.union_all(batch)
        united.append(shapely.get_parts(union))
    return np.concatenate(united)


def dissolve_faces(
    faces: Objects | PolygonFile, progress: Progress = no_progress, rows: Any = slice(None)
) -> Objects:
    """Dissolve faces that do not overlap into one polygon for each connected area.

    Args:
        faces: (F,) polygons that meet vertex to vertex.
        progress: receives the fraction done.
        rows: slice, indices or mask of the faces to dissolve.

    Returns:
        The polygons.

    >>> left = np.array([0, 1, 5])
    >>> cells = shapely.box(left, 0, left + 1, 1)
    >>> sorted(shapely.area(dissolve_faces(cells)).tolist())
    [1.0, 2.0]
    """
    selected_rows = np.arange(len(faces))[rows]
    batches = split_array(selected_rows, _AT_ONCE)
    parts = [np.empty(0, dtype=object)]
    for batch, _ in iterate_with_progress(batches, subprogress(progress, 0.0, 0.2)):
        parts.append(faces[batch])
    all_selected = np.concatenate(parts)
    selected = all_selected[shapely.area(all_selected) > 0]
    if len(selected) == 0:
        return np.empty(0, dtype=object)
    edges = SharedEdges(selected)
    progress(0.3)

    regions = _regions_of_faces(selected, edges, subprogress(progress, 0.3, 0.5))
    area_of_faces = shapely.area(selected).sum()
    area_of_regions = shapely.area(regions).sum()
    if abs(area_of_regions - area_of_faces) > _ROUNDING * area_of_faces:
        # The shared edges do not fit together: let GEOS unite the faces.
        progress(0.5)
        regions = _select_polygons(shapely.union_all(repair_outlines(selected)))
    free_objects(selected)
    return _select_polygons(_unite_overlapping(regions, subprogress(progress, 0.7, 1.0)))


def _regions_of_faces(faces: Objects, edges: SharedEdges, progress: Progress) -> Objects:
    """Return the regions that faces cover, as polygons that may touch each other.

    Args:
        faces: (F,) polygons with an area that meet vertex to vertex.
        edges: their edges.
        progress: receives the fraction done.
    """
    # A region enclosed by edges that only one ring has is covered entirely or not at all.
    is_outer = np.bincount(edges.number)[edges.number] == 1
    batch_of_face = _batches_of_faces(edges, is_outer, len(faces))
    ends = edges.ends[is_outer]
    batch_of_edge = batch_of_face[edges.polygon[is_outer]]
    n_batches = int(batch_of_face.max()) + 1
    regions_of_batches = []
    for batch, _ in iterate_with_progress(range(n_batches), progress):
        # Merging the lines first leaves less work to polygonize, which holds Python's global lock.
        outline = shapely.line_merge(shapely.multilinestrings(ends[batch_of_edge == batch]))
        regions = shapely.get_parts(shapely.polygonize(shapely.get_parts(outline)))
        tree = shapely.STRtree(inner_points(faces[batch_of_face == batch]))
        region_rows, _ = tree.query(regions, predicate="contains")
        regions_of_batches.append(regions[np.unique(region_rows)])
    return np.concatenate(regions_of_batches)


def _batches_of_faces(edges: SharedEdges, is_outer: Bools, n_faces: int) -> Ints:
    """Divide faces into batches of few outer edges; connected faces are in the same batch.

    Args:
        edges: edges of F faces.
        is_outer: mask of the edges that only one ring has.
        n_faces: F.

    Returns:
        (F,) batch of each face.
    """
    # The nodes of the graph are the faces, then the distinct edges.
    n_nodes = n_faces + edges.number.max() + 1
    edge_nodes = n_faces + edges.number
    links = np.ones(len(edges.number), dtype=bool)
    graph = scipy.sparse.csr_matrix((links, (edges.polygon, edge_nodes)), (n_nodes, n_nodes))
    _, component_of_node = scipy.sparse.csgraph.connected_components(graph, directed=False)
    component_of_face = component_of_node[:n_faces]

    component_of_outer_edge = component_of_face[edges.polygon[is_outer]]
    n_edges = np.bincount(component_of_outer_edge, minlength=component_of_face.max() + 1)
    batch_of_component = np.cumsum(n_edges) // _BATCH_EDGES
    # Renumber the batches without gaps.
    _, batch_of_face = np.unique(batch_of_component[component_of_face], return_inverse=True)
    return cast("Ints", batch_of_face)


def _select_polygons(shapes: shapely.Geometry | Objects) -> Objects:
    """Return the polygons in collections; drop lines and points that nearly flat faces leave."""
    parts = shapely.get_parts(shapes)
    is_polygon = shapely.get_type_id(parts) == shapely.GeometryType.POLYGON
    return np.asarray(parts[is_polygon], dtype=object)


class RectangleCut:
    """Outlines divided into rectangles with few segments each.

    Args:
        outlines: (n,) lines.
        grid: metres that the rectangles' borders are rounded to; 0 for no rounding.
        most_segments: maximum number of segments per rectangle; outlines with fewer segments stay
            in one rectangle.

    Attributes:
        coordinates: (C, 2) coordinates of all lines, metres.
        line: (C,) number of the line that each coordinate belongs to.
        segment_start: (S,) row of the first coordinate of each segment; the second one follows it.
        rectangles: the rectangles.
    """

    def __init__(self, outlines: Objects, grid: float, most_segments: int) -> None:
        self._lines = shapely.get_parts(outlines)
        self.coordinates, self.line = shapely.get_coordinates(self._lines, return_index=True)
        self.segment_start = np.empty(0, dtype=np.int64)
        if len(self.line):
            self.segment_start = np.flatnonzero(self.line[:-1] == self.line[1:])
        self._whole = np.array([-np.inf, -np.inf, np.inf, np.inf])
        segments = np.arange(len(self.segment_start))
        self.rectangles: list[Rectangle] = [Rectangle(self._whole, segments)]
        if len(segments) > most_segments:
            low, high = self._extents()
            self._whole = self._bounds(np.ptp(self.coordinates, axis=0).max() / 100)
            if grid:
                self._whole = np.round(self._whole / grid) * grid
            whole = Rectangle(self._whole, segments)
            self.rectangles = _split_rectangle(whole, low, high, most_segments, grid)

    def _bounds(self, margin: float) -> Floats:
        """Return the bounds (4,) of all coordinates, with a margin in metres."""
        low = self.coordinates.min(axis=0)
        high = self.coordinates.max(axis=0)
        return np.concatenate([low - margin, high + margin])

    def _extents(self) -> tuple[Floats, Floats]:
        """Return the lower left and upper right corners (S, 2) of all segments."""
        start = self.coordinates[self.segment_start]
        end = self.coordinates[self.segment_start + 1]
        return np.minimum(start, end), np.maximum(start, end)

    def divide_blocks(self, x: Floats, y: Floats, most_segments: int) -> Ints:
        """Divide each block of a grid separately; replaces the rectangles.

        The borders that divide a block are clear of vertices and of vertical or horizontal edges.

        Args:
            x: ascending borders of the grid's columns, metres.
            y: ascending borders of the grid's rows, metres. The outer blocks reach beyond the
                outer borders to include all outlines.
            most_segments: maximum number of segments per rectangle.

        Returns:
            (number of rectangles,) block of each rectangle, counted row by row from the lower
            left.
        """
        low, high = self._extents()
        self._whole = self._bounds(_MARGIN)
        xmin, ymin, xmax, ymax = self._whole
        # Move the outer borders outwards where outlines reach beyond them.
        all_x = np.concatenate([[min(x[0], xmin)], x[1:-1], [max(x[-1], xmax)]])
        all_y = np.concatenate([[min(y[0], ymin)], y[1:-1], [max(y[-1], ymax)]])
        n_columns = len(all_x) - 1
        self.rectangles = []
        block_of_rectangle: list[int] = []
        for row, (bottom, top) in enumerate(zip(all_y[:-1], all_y[1:])):
            row_segments = np.flatnonzero((low[:, 1] <= top) & (high[:, 1] >= bottom))
            for column, (left, right) in enumerate(zip(all_x[:-1], all_x[1:])):
                is_in_block = (low[row_segments, 0] <= right) & (high[row_segments, 0] >= left)
                bounds = np.array([left, bottom, right, top])
                undivided = Rectangle(bounds, row_segments[is_in_block])
                rectangles = _split_rectangle(
                    undivided, low, high, most_segments, avoid_vertices=True
                )
                self.rectangles += rectangles
                block_of_rectangle += [row * n_columns + column] * len(rectangles)
        return np.array(block_of_rectangle, dtype=np.int64)

    def build_faces(self, rectangle: Rectangle, grid: float = 0.0) -> Faces:
        """Make the faces within a rectangle.

        Args:
            rectangle: one of the rectangles.
            grid: metres that coordinates are rounded to; 0 for no rounding.

        Returns:
            The faces; those at the rectangle's border are pieces on a seam.
        """
        bounds, segments = rectangle
        if np.isinf(bounds).any():
            polygons = _polygonize_lines(self._lines, grid)
            return Faces(polygons, np.zeros(len(polygons), dtype=bool))
        runs = _join_segments(self.coordinates, self.line, self.segment_start[segments])
        border = shapely.boundary(shapely.box(*bounds))
        all_faces = _polygonize_lines(np.append(runs, border), grid)

        # Segments reach beyond the rectangle and enclose faces there, which are dropped.
        points = shapely.get_coordinates(shapely.point_on_surface(all_faces))
        is_within = ((points > bounds[:2]) & (points < bounds[2:])).all(axis=1)
        faces = all_faces[is_within]
        face_bounds = shapely.bounds(faces)
        # (n, 4) distances of each face from the four sides.
        to_lower = face_bounds[:, :2] - bounds[:2]
        to_upper = bounds[2:] - face_bounds[:, 2:]
        to_border = np.concatenate([to_lower, to_upper], axis=1)
        tolerance = _ROUNDING * np.abs(self._whole).max()
        return Faces(polygons=faces, is_on_seam=(to_border <= tolerance).any(axis=1))


def join_pieces(
    polygons: PolygonFile, owner: Array, is_piece: Bools, progress: Progress = no_progress
) -> Array:
    """Unite touching pieces of the same owner.

    Args:
        polygons: F polygons; changed in place. Polygons that are no pieces come first afterwards,
            unchanged, then the united pieces.
        owner: (F,) owner of each polygon, any numbers.
        is_piece: (F,) True for pieces.
        progress: receives the fraction done.

    Returns:
        Owner of each polygon afterwards.

    >>> halves = PolygonFile([[shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1)]])
    >>> join_pieces(halves, np.array([7, 7]), np.array([True, True])).tolist()
    [7]
    >>> halves.areas.tolist()
    [2.0]
    """
    unsorted_rows = np.flatnonzero(is_piece)
    piece_rows = unsorted_rows[np.argsort(owner[unsorted_rows], kind="stable")]
    distinct_owners, starts = np.unique(owner[piece_rows], return_index=True)
    rows_of_owners = np.split(piece_rows, starts[1:])
    pieces_of_owners = list(zip(distinct_owners, rows_of_owners))
    owner_parts = [owner[~is_piece]]

    def yield_united() -> Iterator[Objects]:
        """Yield the united pieces of each owner and append the owner of each polygon."""
        for (piece_owner, rows), _ in iterate_with_progress(pieces_of_owners, progress):
            union = shapely.union_all(polygons.read_at_origin(rows))
            united_pieces = shapely.get_parts(union)
            owner_parts.append(np.full(len(united_pieces), piece_owner))
            yield united_pieces

    polygons.extend(yield_united())
    other_rows = np.flatnonzero(~is_piece)
    united_rows = np.arange(len(is_piece), len(polygons))
    polygons.select(np.append(other_rows, united_rows))
    return np.concatenate(owner_parts)


def _polygonize_lines(lines: Objects, grid: float) -> Objects:
    """Return the faces between lines, which are cut at their crossings.

    Args:
        lines: (n,) lines.
        grid: metres that coordinates are rounded to; 0 for no rounding.
    """
    pieces = shapely.get_parts(shapely.union_all(lines, grid_size=grid or None))
    return np.asarray(shapely.get_parts(shapely.polygonize(pieces)), dtype=object)


def _split_rectangle(
    rectangle: Rectangle,
    low: Floats,
    high: Floats,
    max_segments: int,
    grid: float = 0.0,
    avoid_vertices: bool = False,
) -> list[Rectangle]:
    """Split a rectangle at the median of its segments until each part has few segments.

    Segments that cross a border belong to the rectangles on both sides.

    Args:
        rectangle: rectangle to split, across its longer side.
        low: (S, 2) lower left corner of every segment, metres.
        high: (S, 2) upper right corner of every segment, metres.
        max_segments: maximum number of segments per rectangle. Segments that no border separates
            stay together.
        grid: metres that borders are rounded to; 0 for no rounding.
        avoid_vertices: put borders between vertices, not on them.
    """
    bounds, segments = rectangle
    if len(segments) <= max_segments:
        return [rectangle]
    # 0 to split along x, 1 along y; the bounds of an axis are items ``axis`` and ``axis`` + 2.
    axis = int(np.argmax(bounds[2:] - bounds[:2]))
    segment_low = low[segments, axis]
    segment_high = high[segments, axis]
    border = float(np.median((segment_low + segment_high) / 2))
    if grid:
        border = round(border / grid) * grid
    if avoid_vertices:
        ends = np.append(segment_low, segment_high)
        before = ends[ends <= border].max(initial=bounds[axis])
        after = ends[ends > border].min(initial=bounds[axis + 2])
        border = (before + after) / 2

    # A border that most segments cross would only duplicate them.
    lower_segments = segments[segment_low <= border]
    upper_segments = segments[segment_high >= border]
    n_larger = max(len(lower_segments), len(upper_segments))
    is_separating = n_larger <= _MAX_SPLIT_SHARE * len(segments)
    if not is_separating or not bounds[axis] < border < bounds[axis + 2]:
        return [rectangle]
    lower_bounds = bounds.copy()
    upper_bounds = bounds.copy()
    lower_bounds[axis + 2] = border
    upper_bounds[axis] = border
    lower_part = Rectangle(lower_bounds, lower_segments)
    upper_part = Rectangle(upper_bounds, upper_segments)
    rectangles: list[Rectangle] = []
    for part in (lower_part, upper_part):
        rectangles += _split_rectangle(
            part, low, high, max_segments, grid=grid, avoid_vertices=avoid_vertices
        )
    return rectangles


def _join_segments(coordinates: Floats, line: Ints, first: Ints) -> Objects:
    """Make lines of segments; segments that follow each other on a line stay together.

    Args:
        coordinates: (C, 2) coordinates of all lines.
        line: (C,) number of each coordinate's line.
        first: rows of the segments' first coordinates.
    """
    is_used = np.zeros(len(coordinates), dtype=bool)
    is_used[first] = True
    is_used[first + 1] = True
    used_rows = np.flatnonzero(is_used)
    begins_run = (np.diff(used_rows) != 1) | (np.diff(line[used_rows]) != 0)
    run_of_coordinate = np.append(0, np.cumsum(begins_run))
    runs = shapely.linestrings(coordinates[used_rows], indices=run_of_coordinate)
    return np.asarray(runs, dtype=object)


class SharedEdges:
    """Edges of polygons, numbered so that edges between the same two vertices are equal.

    Args:
        polygons: polygons whose edges meet vertex to vertex; at least one.
    """

    def __init__(self, polygons: Objects) -> None:
        coordinate_parts = []
        ring_parts = []
        polygon_parts = []
        n_rings = 0
        # shapely holds Python's global lock meanwhile: batches let other threads run in between.
        for batch in split_range(len(polygons), _AT_ONCE):
            rings, polygon = shapely.get_rings(polygons[batch], return_index=True)
            coordinates, ring = shapely.get_coordinates(rings, return_index=True)
            coordinate_parts.append(coordinates)
            ring_parts.append(ring + n_rings)
            polygon_parts.append(polygon + batch.start)
            n_rings += len(rings)
        coordinates = np.concatenate(coordinate_parts)
        ring = np.concatenate(ring_parts)
        polygon = np.concatenate(polygon_parts)

        # Complex numbers, because pandas numbers distinct values of one dimension only.
        vertex_numbers, vertices = pd.factorize(coordinates[:, 0] + 1j * coordinates[:, 1])
        start_rows = np.flatnonzero(ring[:-1] == ring[1:])
        start_vertices = vertex_numbers[start_rows].astype(np.int64)
        end_vertices = vertex_numbers[start_rows + 1].astype(np.int64)
        lower_vertices = np.minimum(start_vertices, end_vertices)
        higher_vertices = np.maximum(start_vertices, end_vertices)
        #: (E,) number of the edge, the same in both directions.
        self.number, _ = pd.factorize(lower_vertices * len(vertices) + higher_vertices)
        #: (E,) index of the edge's polygon.
        self.polygon = polygon[ring[start_rows]]
        #: (E, 2, 2) coordinates of the edge's two ends, metres.
        self.ends = np.stack([coordinates[start_rows], coordinates[start_rows + 1]], axis=1)


def rounding_width(coordinates: Floats) -> float:
    """Return the width below which a face is due to the rounding of coordinates.

    Args:
        coordinates: any shape, metres.

    Returns:
        Width in metres: a power of two, of which multiples stay exact when moved; 0 if all
        coordinates are 0.

    >>> rounding_width(np.array([1024.0])) == 2.0**-33
    True
    """
    largest = float(np.abs(coordinates).max(initial=0.0))
    if not largest:
        return 0.0
    return math.ldexp(_RELATIVE_WIDTH, math.frexp(largest)[1])


def are_slivers(faces: Objects, width: float, length: float = 0.0) -> Bools:
    """Return a mask of the faces that are narrower than a width and longer than a length.

    Args:
        faces: (F,) polygons.
        width: metres.
        length: metres.

    Returns:
        (F,) mask.

    >>> are_slivers(np.array([shapely.box(0, 0, 9, 0.1), shapely.box(0, 0, 9, 9)]), 1.0).tolist()
    [True, False]
    """
    perimeter = shapely.length(faces)
    is_narrow = 2 * shapely.area(faces) < width * perimeter
    return np.asarray(is_narrow & (perimeter > 2 * length))


def assign_slivers(faces: Objects, width: float) -> Ints:
    """Assign each sliver to the neighbour that it shares most of its outline with.

    Args:
        faces: (F,) polygons that meet vertex to vertex.
        width: metres below which a face is a sliver.

    Returns:
        (F,) row of the face that each face belongs to: its own row for a face that is no sliver,
        and for a sliver that no chain of slivers connects to a wider face.

    >>> assign_slivers(np.array([shapely.box(0, 0, 9, 9), shapely.box(9, 0, 9.1, 9)]), 1.0).tolist()
    [0, 0]
    """
    host_rows = np.arange(len(faces))
    is_sliver = are_slivers(faces, width)
    if not is_sliver.any():
        return host_rows

    pairs = _shared_lengths(SharedEdges(faces))
    sliver_pairs = pairs[is_sliver[pairs["face"]]]
    # The neighbours of each sliver, that with the longest shared outline first.
    open_pairs = sliver_pairs.sort_values(
        ["face", "shared"], ascending=[True, False], kind="stable"
    )
    # Slivers next to a wider face are assigned first, then the slivers next to those.
    while len(open_pairs):
        has_wide_neighbour = ~is_sliver[open_pairs["neighbour"]]
        assigned = open_pairs[has_wide_neighbour].drop_duplicates("face")
        if assigned.empty:
            break
        host_rows[assigned["face"]] = host_rows[assigned["neighbour"]]
        is_sliver[assigned["face"]] = False
        open_pairs = open_pairs[is_sliver[open_pairs["face"]]]
    return host_rows


def _shared_lengths(edges: SharedEdges) -> pd.DataFrame:
    """Return the length of outline that each two neighbouring faces share.

    Args:
        edges: edges of the faces.

    Returns:
        Two rows per pair of neighbours, one for each order: ``face``, ``neighbour`` (rows of the
        faces) and ``shared`` (m), sorted by ``face``, then by ``neighbour``.
    """
    # In order of the edge numbers, the two sides of a shared edge follow each other.
    order = np.argsort(edges.number, kind="stable")
    positions = np.flatnonzero(np.diff(edges.number[order]) == 0)
    one_side = order[positions]
    other_side = order[positions + 1]
    faces = edges.polygon[one_side]
    neighbours = edges.polygon[other_side]
    steps = edges.ends[one_side, 0] - edges.ends[one_side, 1]
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    shared = pd.DataFrame(
        {
            "face": np.append(faces, neighbours),
            "neighbour": np.append(neighbours, faces),
            "shared": np.append(lengths, lengths),
        }
    )
    sums = shared.groupby(["face", "neighbour"], as_index=False)["shared"].sum()
    return cast("pd.DataFrame", sums)
