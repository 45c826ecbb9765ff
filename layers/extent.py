"""The image extent: from a rectangle or a polygon layer to one polygon in working coordinates, and cutting to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from qgis.core import QgsCoordinateReferenceSystem, QgsRectangle

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.geometry import polygon_parts
from randcrowns.layers.read import CrownLayer, read_crowns
from randcrowns.layers.report import Oddity
from randcrowns.layers.snapshot import LayerSnapshot

__all__ = ["cut_to_extent", "inside_extent", "plot_polygons", "run_extent"]

_SIDE_PARTS = 20


def run_extent(
    rectangle: QgsRectangle | None,
    rectangle_crs: QgsCoordinateReferenceSystem,
    plots: CrownLayer | None,
    working: WorkingCrs,
) -> Any:
    """The extent of a run as one polygon in working coordinates, or None without one.

    Args:
        rectangle: from the user, in ``rectangle_crs``.
        rectangle_crs: its system; an invalid one stands for the working system's.
        plots: a polygon layer whose polygons together are the extent; with a rectangle as well, what both share.
        working: the working system.

    Raises:
        InputError: if nothing is left.
    """
    parts = []
    if rectangle is not None:
        parts.append(_rectangle(rectangle, rectangle_crs, working))
    if plots is not None:
        if len(plots.crowns) == 0:
            raise InputError(f"Layer '{plots.crowns.name}' has no usable polygons to take as the extent.")
        parts.append(shapely.union_all(plots.crowns.geometry))
    if not parts:
        return None
    (extent,) = polygon_parts(np.array([shapely.intersection_all(parts)], dtype=object))
    if extent.is_empty:
        raise InputError("The extent and the extent layer have nothing in common; leave one of them out.")
    return extent


def plot_polygons(snapshot: LayerSnapshot, working: WorkingCrs) -> CrownLayer:
    """The polygons of an extent layer, one per plot."""
    return read_crowns(snapshot, working)


def inside_extent(layer: CrownLayer, extent: Any) -> CrownLayer:
    """The targets that share an area with the extent, uncut; the others are reported."""
    if extent is None or len(layer.crowns) == 0:
        return layer
    shapely.prepare(extent)
    touching = shapely.intersects(extent, layer.crowns.geometry)
    shared = np.zeros(len(touching), dtype=bool)
    shared[touching] = shapely.area(shapely.intersection(layer.crowns.geometry[touching], extent)) > 0
    return _kept(layer, layer.crowns.geometry, shared)


def cut_to_extent(layer: CrownLayer, extent: Any) -> tuple[CrownLayer, NDArray[np.object_]]:
    """The delineations within the extent, whole, and what of each lies within; cut and lost ones are reported.

    Nothing exists outside an image, so the parts within are scored; the whole crowns say which target is meant.
    """
    crowns = layer.crowns
    if extent is None or len(crowns) == 0:
        return layer, crowns.geometry
    shapely.prepare(extent)
    whole = shapely.covers(extent, crowns.geometry)
    geometry = crowns.geometry.copy()
    beyond = np.flatnonzero(~whole)
    geometry[beyond] = polygon_parts(shapely.intersection(geometry[beyond], extent))
    kept = shapely.area(geometry) > 0
    layer.report.add(Oddity.CUT, crowns.ids[beyond[kept[beyond]]])
    return _kept(layer, crowns.geometry, kept), geometry[kept]


def _kept(layer: CrownLayer, geometry: NDArray[np.object_], kept: NDArray[np.bool_]) -> CrownLayer:
    crowns = layer.crowns
    layer.report.add(Oddity.OUTSIDE, crowns.ids[~kept])
    groups = None if crowns.groups is None else crowns.groups[kept]
    within = Crowns(geometry[kept], crowns.ids[kept], groups, crowns.name, crowns.crs)
    return replace(layer, crowns=within, rows=layer.rows[kept])


def _rectangle(rectangle: QgsRectangle, crs: QgsCoordinateReferenceSystem, working: WorkingCrs) -> Any:
    corners = [rectangle.xMinimum(), rectangle.yMinimum(), rectangle.xMaximum(), rectangle.yMaximum()]
    if not np.isfinite(corners).all():
        raise InputError("The extent must be four numbers.")
    if rectangle.isEmpty():
        raise InputError("The extent has no area.")
    box = shapely.box(*corners)
    if crs.isValid() and crs != working.crs:
        box = shapely.segmentize(box, max(rectangle.width(), rectangle.height()) / _SIDE_PARTS)
    source = crs if crs.isValid() else working.crs
    outline = working.metres_from(source, shapely.get_coordinates(box), "extent")
    return shapely.make_valid(shapely.Polygon(outline))
