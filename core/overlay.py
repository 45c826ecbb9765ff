"""The exact overlay of several people's polygons: every face, with who marked it.

All outlines are cut at their crossings once, the pieces are joined to faces, and an inner point of each face tells
whose polygons cover it. The annotators' polygons are never clipped beforehand: that would move their corners by
rounding and leave slivers along the study area's edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress

__all__ = ["Overlay", "overlay_faces", "polygon_parts"]

_POLYGONAL = (shapely.GeometryType.POLYGON, shapely.GeometryType.MULTIPOLYGON)


class Overlay(NamedTuple):
    """Faces of K annotators' overlaid polygons within the study area.

    Attributes:
        faces: (F,) polygons that do not overlap.
        decisions: (F, K) bool, who marked the face.
        areas: (F,) their areas.
        n_repaired: number of polygons that had to be repaired.
    """

    faces: NDArray[np.object_]
    decisions: NDArray[np.bool_]
    areas: NDArray[np.float64]
    n_repaired: int


def overlay_faces(layers: Sequence[Any], area: Any = None, progress: Progress = no_progress) -> Overlay:
    """Overlay the polygons of K annotators.

    Args:
        layers: for each annotator polygons and multipolygons (an array, one geometry, or an object with a ``geometry``
            array); None and empty ones are skipped, invalid ones repaired, overlapping ones united.
        area: the study area, one polygon or several; without it only faces that somebody marked are returned.
        progress: told how far the overlay is.

    Raises:
        InputError: for geometries that are no polygons, coordinates that are not finite, or an empty study area.
    """
    region, n_repaired = (None, 0) if area is None else _study_area(area)
    annotators = []
    for k, layer in enumerate(layers):
        polygons, repaired = polygon_parts(layer, f"Annotator {k + 1}")
        annotators.append(polygons if region is None else polygons[shapely.intersects(polygons, region)])
        n_repaired += repaired
        progress(0.1 * (k + 1) / len(layers))

    origin = _centre(annotators if region is None else [shapely.get_parts(region)])
    annotators = [_united(_moved(polygons, -origin)) for polygons in annotators]
    area_parts = np.empty(0, dtype=object) if region is None else _moved(shapely.get_parts(region), -origin)
    progress(0.2)

    outlines = shapely.boundary(np.concatenate([*annotators, area_parts]))
    pieces = shapely.union_all(outlines)
    progress(0.7)
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(pieces)))
    progress(0.85)

    tree = shapely.STRtree(shapely.point_on_surface(faces))
    decisions = np.zeros((len(faces), len(annotators)), dtype=bool)
    for k, polygons in enumerate(annotators):
        decisions[tree.query(polygons, predicate="contains")[1], k] = True
    inside = decisions.any(axis=1)
    if region is not None:
        inside[:] = False
        inside[tree.query(area_parts, predicate="contains")[1]] = True
    progress(0.95)
    faces, decisions = faces[inside], decisions[inside]
    areas = shapely.area(faces)
    return Overlay(_moved(faces, origin), decisions, areas, n_repaired)


def polygon_parts(layer: Any, name: str) -> tuple[NDArray[np.object_], int]:
    """Valid single polygons of a layer, and how many of the given geometries were repaired.

    Raises:
        InputError: for geometries that are no polygons, or coordinates that are not finite.
    """
    given = getattr(layer, "geometry", layer)
    geometry = np.atleast_1d(np.asarray(given, dtype=object)).ravel()
    if not np.all(shapely.is_geometry(geometry) | shapely.is_missing(geometry)):
        raise InputError(f"{name}: every item must be a shapely geometry or None.")
    geometry = geometry[~(shapely.is_missing(geometry) | shapely.is_empty(geometry))]
    wrong = np.flatnonzero(~np.isin(shapely.get_type_id(geometry), _POLYGONAL))
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


def _study_area(area: Any) -> tuple[Any, int]:
    parts, n_repaired = polygon_parts(area, "The study area")
    region = shapely.union_all(parts)
    if shapely.area(region) == 0:
        raise InputError("The study area is empty; choose a polygon with an area, or none.")
    return region, n_repaired


def _centre(groups: Sequence[NDArray[np.object_]]) -> NDArray[np.float64]:
    """Whole metres near the middle of all polygons."""
    polygons = np.concatenate(groups)
    if len(polygons) == 0:
        return np.zeros(2)
    bounds = shapely.total_bounds(polygons)
    return np.asarray(np.round((bounds[:2] + bounds[2:]) / 2))


def _moved(geometry: NDArray[np.object_], by: NDArray[np.float64]) -> NDArray[np.object_]:
    return np.asarray(shapely.transform(geometry, lambda coordinates: coordinates + by), dtype=object)


def _united(polygons: NDArray[np.object_]) -> NDArray[np.object_]:
    """One annotator's polygons without overlaps."""
    return np.asarray(shapely.get_parts(shapely.union_all(polygons)), dtype=object)
