"""The exact overlay of several people's polygons: every face, with who marked it.

All outlines are cut at their crossings once, the pieces are joined to faces, and an inner point of each face tells
whose polygons cover it. The annotators' polygons are never clipped beforehand: that would move their corners by
rounding and leave slivers along the study area's edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse.csgraph
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.crowns import POLYGONAL
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import cut_to, to_origin
from randcrowns.core.geometry.faces import Faces, SharedEdges, faces_between, join_pieces, rounding_width, sliver_hosts
from randcrowns.core.progress import Progress, no_progress, part_of

# Polygons worked on between two looks at the progress.
_BATCH = 500


class Overlay(NamedTuple):
    """Faces of K annotators' overlaid polygons within the study area.

    Attributes:
        faces: (F,) polygons that do not overlap; what nobody marked may be cut into several at straight lines.
        decisions: (F, K) bool, who marked the face.
        areas: (F,) their areas.
        n_repaired: number of polygons that had to be repaired.
    """

    faces: Objects
    decisions: Bools
    areas: Floats
    n_repaired: int


def overlay_faces(layers: Sequence[Any], area: Any = None, progress: Progress = no_progress) -> Overlay:
    """Overlay the polygons of K annotators.

    Args:
        layers: for each annotator polygons and multipolygons (an array, one geometry, or an object with a ``geometry``
            array); None and empty ones are skipped, invalid ones repaired, overlapping ones united.
        area: the study area, one polygon or several; without it only faces that somebody marked are returned.
        progress: receives how far the overlay is.

    Raises:
        InputError: for geometries that are no polygons, coordinates that are not finite, or an empty study area.
    """
    region, n_repaired = (None, 0) if area is None else study_area(area)
    annotators = []
    for k, layer in enumerate(layers):
        polygons, repaired = single_polygons(layer, f"Annotator {k + 1}")
        annotators.append(polygons if region is None else polygons[shapely.intersects(polygons, region)])
        n_repaired += repaired
        progress(0.0)

    origin = _centre(annotators if region is None else [shapely.get_parts(region)])
    rounding = rounding_width(shapely.bounds(np.concatenate(annotators)))
    for k, polygons in enumerate(annotators):
        annotators[k] = _united(
            to_origin(polygons, origin), part_of(progress, 0.3 * k / len(layers), 0.3 * (k + 1) / len(layers))
        )
    area_parts = np.empty(0, dtype=object) if region is None else to_origin(shapely.get_parts(region), origin)

    outlines = shapely.boundary(np.concatenate([*annotators, area_parts]))
    faces = faces_between(outlines, part_of(progress, 0.3, 0.8), rounding=rounding)
    tree = shapely.STRtree(shapely.point_on_surface(faces.polygons))
    decisions = np.zeros((len(faces.polygons), len(annotators)), dtype=bool)
    for k, polygons in enumerate(annotators):
        for _, face in faces_within(polygons, tree):
            decisions[face, k] = True
        progress(0.8 + 0.1 * (k + 1) / len(annotators))
    inside = decisions.any(axis=1)
    if region is not None:
        inside[:] = False
        inside[tree.query(area_parts, predicate="contains")[1]] = True

    hosts = sliver_hosts(faces.polygons, 2 * rounding)
    decisions, inside = decisions[hosts], inside[hosts]
    to_join = faces.on_seam | _has_several(hosts)

    decisions = decisions[inside]
    patterns, owner = np.unique(np.packbits(decisions, axis=1), axis=0, return_inverse=True)
    # What nobody marked is no place to look at; it may stay in pieces.
    pieces = to_join[inside] & decisions.any(axis=1)
    polygons, owner = join_pieces(Faces(faces.polygons[inside], pieces), owner.ravel(), part_of(progress, 0.9, 1.0))
    decisions = np.unpackbits(patterns, axis=1, count=len(annotators))[owner].astype(bool)
    return Overlay(to_origin(polygons, -origin), decisions, shapely.area(polygons), n_repaired)


def marked_area(layer: Any, area: Any = None, progress: Progress = no_progress) -> float:
    """What one annotator's polygons cover, overlaps once, within a study area (one polygon); square metres."""
    polygons = _united(single_polygons(layer, "The annotator")[0], progress)
    if area is None:
        return float(shapely.area(polygons).sum())
    shapely.prepare(area)
    polygons = polygons[shapely.intersects(area, polygons)]
    return float(shapely.area(cut_to(area, polygons)).sum())


def single_polygons(layer: Any, name: str) -> tuple[Objects, int]:
    """Valid single polygons of a layer, and how many of the given geometries were repaired.

    Raises:
        InputError: for geometries that are no polygons, or coordinates that are not finite.
    """
    given = getattr(layer, "geometry", layer)
    geometry = np.atleast_1d(np.asarray(given, dtype=object)).ravel()
    if not np.all(shapely.is_geometry(geometry) | shapely.is_missing(geometry)):
        raise InputError(f"{name}: every item must be a shapely geometry or None.")
    geometry = geometry[~(shapely.is_missing(geometry) | shapely.is_empty(geometry))]
    wrong = np.flatnonzero(~np.isin(shapely.get_type_id(geometry), POLYGONAL))
    if len(wrong):
        kind = geometry[wrong[0]].geom_type
        raise InputError(f"{name}: only polygons can be compared, but there is a {kind} among the geometries.")
    if not np.isfinite(shapely.get_coordinates(geometry)).all():
        raise InputError(f"{name}: a polygon has coordinates that are not numbers; remove or redraw it.")
    geometry = shapely.force_2d(geometry)
    invalid = ~shapely.is_valid(geometry)
    geometry[invalid] = shapely.make_valid(geometry[invalid])
    parts = shapely.get_parts(shapely.get_parts(geometry))
    return parts[shapely.get_type_id(parts) == shapely.GeometryType.POLYGON], int(invalid.sum())


def study_area(area: Any) -> tuple[Any, int]:
    """The study area as one geometry, and how many of its polygons were repaired.

    Raises:
        InputError: as :func:`single_polygons`, and for an area that is empty.
    """
    parts, n_repaired = single_polygons(area, "The study area")
    region = shapely.union_all(parts)
    if shapely.area(region) == 0:
        raise InputError("The study area is empty; choose a polygon with an area.")
    return region, n_repaired


def faces_within(polygons: Objects, inner: shapely.STRtree) -> Iterator[tuple[Ints, Ints]]:
    """Rows of polygons with the rows of the faces within them, by inner points of the faces, a few at a time."""
    for start in range(0, len(polygons), _BATCH):
        row, face = inner.query(polygons[start : start + _BATCH], predicate="contains")
        yield start + row, face


def _centre(groups: Sequence[Objects]) -> Floats:
    """Whole metres near the middle of all polygons."""
    polygons = np.concatenate(groups)
    if len(polygons) == 0:
        return np.zeros(2)
    bounds = shapely.total_bounds(polygons)
    return np.asarray(np.round((bounds[:2] + bounds[2:]) / 2))


def _united(polygons: Objects, progress: Progress) -> Objects:
    """One annotator's polygons without overlaps; those that touch no other stay as they are."""
    one, other = shapely.STRtree(polygons).query(polygons, predicate="intersects")
    touching = np.bincount(one, minlength=len(polygons)) > 1
    pairs = scipy.sparse.csr_matrix((np.ones(len(one), dtype=bool), (one, other)), (len(polygons),) * 2)
    group = scipy.sparse.csgraph.connected_components(pairs, directed=False)[1][touching]
    order = np.argsort(group, kind="stable")
    grouped, group = polygons[touching][order], group[order]
    # Groups are never split over two batches.
    start = np.flatnonzero(np.diff(group, prepend=-1))
    start = start[np.flatnonzero(np.diff(start // _BATCH, prepend=-1))]
    united = [polygons[~touching]]
    for number, some in enumerate(np.split(grouped, start[1:])):
        united.append(shapely.get_parts(shapely.union_all(some)))
        progress((number + 1) / max(len(start), 1))
    return np.concatenate(united)


def _has_several(hosts: Ints) -> Bools:
    """Whether a face is a sliver of another one or has slivers of its own."""
    return np.asarray((np.bincount(hosts, minlength=len(hosts)) > 1)[hosts])


# Relative difference of areas that rounding explains.
_ROUNDING = 1e-9


def dissolved(faces: Objects, progress: Progress = no_progress) -> Objects:
    """The polygons that faces cover together, one for each connected place.

    Args:
        faces: (F,) polygons that do not overlap; those without an area, which rounding leaves, cover nothing.
        progress: receives the fraction done.
    """
    faces = faces[shapely.area(faces) > 0]
    if len(faces) == 0:
        return np.empty(0, dtype=object)
    outlines = _unmatched_edges(faces)
    inner = shapely.STRtree(shapely.point_on_surface(faces))
    progress(0.3)
    regions = _covered(outlines, inner)
    area = shapely.area(faces).sum()
    if abs(shapely.area(regions).sum() - area) > _ROUNDING * area:
        progress(0.5)
        regions = _polygons(shapely.union_all(shapely.make_valid(faces)))
    progress(0.7)

    one, _ = shapely.STRtree(regions).query(regions, predicate="intersects")
    adjoining = np.bincount(one, minlength=len(regions)) > 1
    return np.concatenate([regions[~adjoining], _polygons(shapely.union_all(regions[adjoining]))])


def _polygons(shape: shapely.Geometry) -> Objects:
    """The polygons of a union, without the lines and points that nearly flat faces leave beside them."""
    parts = shapely.get_parts(shape)
    return np.asarray(parts[shapely.get_type_id(parts) == shapely.GeometryType.POLYGON], dtype=object)


def _covered(lines: Objects, inner: shapely.STRtree) -> Objects:
    """Regions between lines that hold an inner point of a face; a region is covered wholly or not at all."""
    regions = shapely.get_parts(shapely.polygonize(lines))
    covered, _ = inner.query(regions, predicate="contains")
    return np.asarray(regions[np.unique(covered)], dtype=object)


def _unmatched_edges(polygons: Objects) -> Objects:
    """Lines of two points: the edges that only one ring has."""
    edges = SharedEdges(polygons)
    alone = np.bincount(edges.number)[edges.number] == 1
    return np.asarray(shapely.linestrings(edges.ends[alone]), dtype=object)
