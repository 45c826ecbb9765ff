"""Joining many adjoining faces to polygons.

Faces of one overlay meet edge to edge, so an edge that occurs twice lies within and only the others are outlines: rings
are made of those alone. Faces whose corners do not match, as along the seams of a large overlay, keep both their edges;
polygons that still touch are joined last. Where that loses area, as with edges that cross by rounding, the faces are
united one by one, which takes longer.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.slivers import Edges

__all__ = ["dissolved"]

# Relative difference of areas that rounding explains.
_ROUNDING = 1e-9


def dissolved(faces: NDArray[np.object_], progress: Progress = no_progress) -> NDArray[np.object_]:
    """The polygons that faces cover together, one for each connected place.

    Args:
        faces: (F,) polygons that do not overlap; those without an area, which rounding leaves, cover nothing.
        progress: told the fraction done.
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


def _polygons(shape: shapely.Geometry) -> NDArray[np.object_]:
    """The polygons of a union, without the lines and points that nearly flat faces leave beside them."""
    parts = shapely.get_parts(shape)
    return np.asarray(parts[shapely.get_type_id(parts) == shapely.GeometryType.POLYGON], dtype=object)


def _covered(lines: NDArray[np.object_], inner: shapely.STRtree) -> NDArray[np.object_]:
    """Regions between lines that hold an inner point of a face; a region is covered wholly or not at all."""
    regions = shapely.get_parts(shapely.polygonize(lines))
    covered, _ = inner.query(regions, predicate="contains")
    return np.asarray(regions[np.unique(covered)], dtype=object)


def _unmatched_edges(polygons: NDArray[np.object_]) -> NDArray[np.object_]:
    """Lines of two points: the edges that only one ring has."""
    edges = Edges(polygons)
    alone = np.bincount(edges.number)[edges.number] == 1
    return np.asarray(shapely.linestrings(edges.ends[alone]), dtype=object)
