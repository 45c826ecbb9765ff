"""The image extent: from a rectangle or a polygon layer to one polygon in working coordinates, and cutting to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsRectangle

from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import cut_to, polygonal
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.vector.geometry import LARGEST, Oddity
from randcrowns.layers.vector.read import CrownLayer
from randcrowns.layers.vector.snapshot import LayerSnapshot

_SIDE_PARTS = 20
#: Width of the neighbourhood around crowns, metres.
_MARGIN = 200_000.0


@dataclass(frozen=True)
class ExtentChoice:
    """The extent as the user gave it: a rectangle in a system (invalid: the layers' working system), or plots."""

    rectangle: QgsRectangle | None
    crs: QgsCoordinateReferenceSystem
    plots: LayerSnapshot | None

    @property
    def given(self) -> bool:
        """Whether there is any."""
        return self.rectangle is not None or self.plots is not None


def run_extent(
    rectangle: QgsRectangle | None,
    rectangle_crs: QgsCoordinateReferenceSystem,
    plots: CrownLayer | None,
    working: WorkingCrs,
    crowns: Any = None,
) -> Any:
    """The extent of a run as one polygon in working coordinates, or None without one.

    Args:
        rectangle: from the user, in ``rectangle_crs``.
        rectangle_crs: its system; an invalid one stands for the working system's.
        plots: a polygon layer whose polygons together are the extent; with a rectangle as well, what both share.
        working: the working system.
        crowns: (n,) what is going to be scored, in working coordinates. Of a rectangle in another system that reaches
            to where the working system no longer holds, only what lies around them is taken.

    Raises:
        InputError: if nothing is left.
    """
    parts = []
    if rectangle is not None:
        parts.append(_rectangle(rectangle, rectangle_crs, working, crowns))
    if plots is not None:
        if len(plots.crowns) == 0:
            raise InputError(f"Layer '{plots.crowns.name}' has no usable polygons to take as the extent.")
        parts.append(shapely.union_all(plots.crowns.geometry))
    if not parts:
        return None
    (extent,) = polygonal(np.array([shapely.intersection_all(parts)], dtype=object))
    if extent.is_empty:
        raise InputError("The extent and the extent layer have nothing in common; leave one of them out.")
    return extent


def inside_extent(layer: CrownLayer, extent: Any) -> CrownLayer:
    """The targets that share an area with the extent, uncut; the others are reported."""
    if extent is None or len(layer.crowns) == 0:
        return layer
    shapely.prepare(extent)
    touching = shapely.intersects(extent, layer.crowns.geometry)
    shared = np.zeros(len(touching), dtype=bool)
    shared[touching] = shapely.area(shapely.intersection(layer.crowns.geometry[touching], extent)) > 0
    layer.report.add(Oddity.OUTSIDE, layer.crowns.ids[~shared])
    return layer.kept(shared)


def cut_to_extent(layer: CrownLayer, extent: Any) -> CrownLayer:
    """The delineations within the extent, whole, and what of each lies within; cut and lost ones are reported.

    Nothing exists outside an image, so the parts within are scored; the whole crowns say which target is meant.
    """
    crowns = layer.crowns
    if extent is None or len(crowns) == 0:
        return layer
    geometry = cut_to(extent, crowns.geometry)
    beyond = np.flatnonzero([cut is not whole for cut, whole in zip(geometry, crowns.geometry)])
    within = shapely.area(geometry) > 0
    layer.report.add(Oddity.CUT, crowns.ids[beyond[within[beyond]]])
    layer.report.add(Oddity.OUTSIDE, crowns.ids[~within])
    return replace(layer.kept(within), cut=geometry[within])


def _rectangle(rectangle: QgsRectangle, crs: QgsCoordinateReferenceSystem, working: WorkingCrs, crowns: Any) -> Any:
    corners = np.array([rectangle.xMinimum(), rectangle.yMinimum(), rectangle.xMaximum(), rectangle.yMaximum()])
    if not np.isfinite(corners).all():
        raise InputError("The extent must be four numbers.")
    if rectangle.isEmpty():
        raise InputError("The extent has no area.")
    if np.abs(corners).max() > LARGEST:
        raise InputError("The extent is larger than any map; give one in metres or degrees around the crowns.")
    if not crs.isValid() or crs == working.crs:
        return shapely.box(*(corners * working.metres))
    near = _around(crowns, crs, working)
    if near is not None and shapely.box(*corners).intersects(near):
        corners = np.array(shapely.bounds(shapely.intersection(shapely.box(*corners), near)))
    side = float(max(corners[2] - corners[0], corners[3] - corners[1]))
    if side == 0:
        raise InputError("The extent has no area.")
    box = shapely.segmentize(shapely.box(*corners), side / _SIDE_PARTS)
    try:
        outline = working.metres_from(crs, shapely.get_coordinates(box), "extent")
    except InputError as error:
        raise InputError(
            f"The extent cannot be brought to {working.name}: it is too large, or not in {crs.authid()}; "
            "give a smaller one around the crowns."
        ) from error
    return shapely.make_valid(shapely.Polygon(outline))


def _around(crowns: Any, crs: QgsCoordinateReferenceSystem, working: WorkingCrs) -> Any:
    """The neighbourhood of the crowns as a box in ``crs``; None where it is not known."""
    if crowns is None or len(crowns) == 0:
        return None
    xmin, ymin, xmax, ymax = shapely.total_bounds(crowns)
    box = shapely.box(xmin - _MARGIN, ymin - _MARGIN, xmax + _MARGIN, ymax + _MARGIN)
    outline = shapely.get_coordinates(shapely.segmentize(box, max(xmax - xmin, ymax - ymin, _MARGIN) / _SIDE_PARTS))
    try:
        there = working.metres_to(crs, outline, "extent")
    except InputError:
        return None
    return shapely.box(*there.min(axis=0), *there.max(axis=0))
