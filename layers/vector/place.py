"""The layers of one place, read together: one system in metres, the study area, and what of each layer lies in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, Union

import numpy as np
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsRectangle

from randcrowns.core.arrays import Objects
from randcrowns.core.crowns import LARGEST, Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import cut_to, polygonal
from randcrowns.core.progress import Progress, no_progress, steps
from randcrowns.core.remarks import Remark, note
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import Grid, RasterSnapshot
from randcrowns.layers.raster.marks import Marks
from randcrowns.layers.vector.geometry import Oddity, ReadReport
from randcrowns.layers.vector.names import by_number
from randcrowns.layers.vector.read import (
    AtExtent,
    CrownLayer,
    LayerRequest,
    LayerSnapshot,
    read_crowns,
)

AnyPlace = TypeVar("AnyPlace", bound="Place")
_SIDE_PARTS = 20
#: Width of the neighbourhood around crowns, metres.
_MARGIN = 200_000.0


#: A layer whose polygons, or marked pixels, are taken.
Snapshot = Union[LayerSnapshot, RasterSnapshot]


@dataclass(frozen=True)
class ExtentChoice:
    """The extent as the user gave it: a rectangle in a system (invalid: the layers' working system), or plots."""

    rectangle: QgsRectangle | None
    crs: QgsCoordinateReferenceSystem
    plots: Snapshot | None


@dataclass(frozen=True, eq=False)
class Place:
    """What was read, in metres."""

    layers: tuple[CrownLayer, ...]  #: in the order they were asked for.
    working: WorkingCrs  #: the system of all of them.
    area: Any = None  #: the study area, a polygon; None for everywhere.
    plots: CrownLayer | None = None  #: the polygons of the extent layer, or None.
    excluded: CrownLayer | None = None  #: the layer of polygons that do not count, or None.
    mask: Any = None  #: these polygons as one geometry, or None.
    grid: Grid | None = None  #: the pixels that it was started from, or None.
    #: Remarks on what was decided for the place as a whole.
    decided: list[Remark] = field(default_factory=list)

    @property
    def remarks(self) -> list[Remark]:
        """What was odd about the layers, and what was decided."""
        others = [layer for layer in (self.plots, self.excluded) if layer is not None]
        told = [remark for layer in (*others, *self.layers) for remark in layer.remarks()]
        return [*told, *self.decided]

    @property
    def everything(self) -> Objects:
        """The polygons of all layers."""
        return np.concatenate(
            [np.empty(0, dtype=object), *(layer.crowns.geometry for layer in self.layers)]
        )

    @property
    def region(self) -> Any:
        """The study area without what is excluded, or without it all that was drawn; None where neither is given."""
        if self.mask is None:
            return self.area
        rest = shapely.difference(
            shapely.union_all(self.everything) if self.area is None else self.area, self.mask
        )
        if rest.is_empty:
            raise InputError(
                "Nothing is left of the study area; exclude less of it, or choose a larger one."
            )
        return rest

    @property
    def bounds(self) -> tuple[float, ...]:
        """xmin, ymin, xmax, ymax of the study area, or of everything drawn."""
        return tuple(
            shapely.total_bounds(self.everything) if self.area is None else self.area.bounds
        )

    def of_plot(self: AnyPlace, plot: str, area: Any) -> AnyPlace:
        """The same of one plot alone, with its study area."""
        mask, masks = self.mask, self.excluded
        if masks is not None and masks.crowns.groups is not None:
            inside = masks.crowns.geometry[masks.crowns.groups == plot]
            mask = shapely.union_all(inside) if len(inside) else None
        layers = (layer.kept(layer.plots == plot) for layer in self.layers)
        kept = tuple(layer for layer in layers if len(layer.crowns))
        return replace(self, layers=kept, area=area, mask=mask, decided=list(self.decided))

    @property
    def plot_names(self) -> list[str]:
        """The plots of what was drawn, and those of a study area that names its own; numbers before words."""
        named = {plot for layer in self.layers for plot in layer.plots.tolist() if plot is not None}
        return sorted(
            named | (frozenset() if self.plots is None else self.plots.groups), key=by_number
        )

    def plot_areas(self) -> dict[str, Any] | None:
        """The study area of each plot, None for everywhere; or none, where the study area does not keep plots apart.

        A study area with the field of the plots names its own; in pixel coordinates each plot is an image, and the
        study area is that of every one; else a polygon of it belongs to the plot whose polygons it holds.
        """
        names = self.plot_names
        if self.plots is not None and self.plots.crowns.groups is not None:
            crowns = self.plots.crowns
            own = {
                name: shapely.union_all(crowns.geometry[crowns.groups == name]) for name in names
            }
            return {name: shapely.intersection(self.area, one) for name, one in own.items()}
        if self.area is None or self.working.in_pixels:
            return dict.fromkeys(names, self.area)
        areas: dict[str, list[Any]] = {name: [] for name in names}
        plots = np.concatenate([layer.plots for layer in self.layers])
        tree = shapely.STRtree(self.everything)
        for part in shapely.get_parts(self.area):
            inside = set(plots[tree.query(part, predicate="intersects")].tolist()) - {None}
            if len(inside) > 1:
                return None
            for name in inside:
                areas[name].append(part)
        return {name: shapely.union_all(parts) for name, parts in areas.items() if parts}


def read_place(
    requests: Sequence[LayerRequest],
    start: Grid | WorkingCrs | QgsCoordinateTransformContext,
    extent: ExtentChoice | None = None,
    excluded: Snapshot | None = None,
    progress: Progress = no_progress,
    plot_field: str = "",
) -> Place:
    """Read layers that lie in one place.

    Args:
        requests: the layers, at least one without a grid; the first that has crowns then decides on the system.
        start: pixels to work in the system of, or the system; or the project's choices of datum transformations.
        extent: the study area as the user gave it.
        excluded: polygons, or marked pixels, that do not count.
        plot_field: field with the plot, where plots lie apart, of these two.
    """
    grid = start if isinstance(start, Grid) else None
    working: Any = start if grid is None else grid.working
    layers: list[CrownLayer] = []
    for request, share in steps(requests, progress):
        layers.append(read_crowns(request, working, share))
        if len(layers[-1].crowns):
            working = layers[-1].working
    if not isinstance(working, WorkingCrs):
        working = layers[0].working
    layers = [_in_system(layer, working) for layer in layers]
    place = Place(tuple(layers), working, grid=grid)
    if grid is not None and grid.working.note is not None:
        place.decided.append(grid.working.note)
    area, plots = None, None
    if extent is not None:
        plots = None if extent.plots is None else _read_zone(extent.plots, working, plot_field)
        within = place.everything
        if grid is not None:
            within = np.append(within, shapely.box(*grid.bounds))
        area = run_extent(extent.rectangle, extent.crs, plots, working, within)
        if extent.rectangle is not None and plots is not None:
            said = "Both an image extent and an extent layer are given: what both share is taken."
            place.decided.append(note("input.two_extents", said))
    masks = None if excluded is None else _read_zone(excluded, working, plot_field)
    mask = (
        None if masks is None or not len(masks.crowns) else shapely.union_all(masks.crowns.geometry)
    )
    kept = [_at_extent(layer, area) for layer in layers]
    return replace(place, layers=tuple(kept), area=area, plots=plots, excluded=masks, mask=mask)


def _read_zone(snapshot: Snapshot, working: WorkingCrs, plot_field: str = "") -> CrownLayer:
    """The polygons of a layer, with their plots where it has such, or those around the marked pixels of a raster."""
    request = LayerRequest(snapshot)  # type: ignore[arg-type]
    if isinstance(snapshot, LayerSnapshot):
        named = plot_field if snapshot.fields.lookupField(plot_field) >= 0 else ""
        return read_crowns(replace(request, group_field=named), working)
    outlines = Marks(snapshot).polygons(working)
    crowns = Crowns(outlines, name=snapshot.name, crs=working.name)
    return CrownLayer(
        crowns, np.arange(len(outlines)), [], working, ReadReport(snapshot.name), request
    )


def _in_system(layer: CrownLayer, working: WorkingCrs) -> CrownLayer:
    """A layer without crowns, which was read before the system was known, belongs into it as well."""
    if layer.working == working or len(layer.crowns):
        return layer
    return replace(layer, working=working, crowns=replace(layer.crowns, crs=working.name))


def _at_extent(layer: CrownLayer, area: Any) -> CrownLayer:
    if layer.request.at_extent is AtExtent.INSIDE:
        return inside_extent(layer, area)
    return cut_to_extent(layer, area) if layer.request.at_extent is AtExtent.CUT else layer


def read_again(layer: CrownLayer, snapshot: LayerSnapshot, area: Any) -> CrownLayer:
    """Features of a layer as they are now, read and brought to the study area as the layer was."""
    return _at_extent(read_crowns(replace(layer.request, snapshot=snapshot), layer.working), area)


def run_extent(
    rectangle: QgsRectangle | None,
    rectangle_crs: QgsCoordinateReferenceSystem,
    plots: CrownLayer | None,
    working: WorkingCrs,
    crowns: Any = None,
) -> Any:
    """The extent of a run as one polygon in working coordinates, or None without one.

    Args:
        rectangle: from the user, in ``rectangle_crs``; an invalid one stands for the working system's.
        plots: a polygon layer whose polygons together are the extent; with a rectangle as well, what both share.
        crowns: (n,) what is going to be scored, in working coordinates. Of a rectangle in another system that reaches
            to where the working system no longer holds, only what lies around them is taken.
    """
    parts = []
    if rectangle is not None:
        parts.append(_rectangle(rectangle, rectangle_crs, working, crowns))
    if plots is not None:
        if len(plots.crowns) == 0:
            raise InputError(
                "Layer '{layer}' has no usable polygons to take as the extent.",
                layer=plots.crowns.name,
            )
        parts.append(shapely.union_all(plots.crowns.geometry))
    if not parts:
        return None
    (extent,) = polygonal(np.array([shapely.intersection_all(parts)], dtype=object))
    if extent.is_empty:
        raise InputError(
            "The extent and the extent layer have nothing in common; leave one of them out."
        )
    return extent


def inside_extent(layer: CrownLayer, extent: Any) -> CrownLayer:
    """The targets that share an area with the extent, uncut; the others are reported."""
    if extent is None:
        return layer
    shapely.prepare(extent)
    touching = shapely.intersects(extent, layer.crowns.geometry)
    shared = np.zeros(len(touching), dtype=bool)
    shared[touching] = (
        shapely.area(shapely.intersection(layer.crowns.geometry[touching], extent)) > 0
    )
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


def _rectangle(
    rectangle: QgsRectangle, crs: QgsCoordinateReferenceSystem, working: WorkingCrs, crowns: Any
) -> Any:
    corners = np.array(
        [rectangle.xMinimum(), rectangle.yMinimum(), rectangle.xMaximum(), rectangle.yMaximum()]
    )
    if not np.isfinite(corners).all():
        raise InputError("The extent must be four numbers.")
    if rectangle.isEmpty():
        raise InputError("The extent has no area.")
    if np.abs(corners).max() > LARGEST:
        raise InputError(
            "The extent is larger than any map; give one in metres or degrees around the crowns."
        )
    if not crs.isValid() or crs == working.crs or working.in_pixels:
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
        said = (
            "The extent cannot be brought to {working}: it is too large, or not in {crs}; give a smaller one around "
            "the crowns."
        )
        raise InputError(said, working=working.name, crs=crs.authid()) from error
    return shapely.make_valid(shapely.Polygon(outline))


def _around(crowns: Any, crs: QgsCoordinateReferenceSystem, working: WorkingCrs) -> Any:
    """The neighbourhood of the crowns as a box in ``crs``; None where it is not known."""
    if crowns is None or len(crowns) == 0:
        return None
    xmin, ymin, xmax, ymax = shapely.total_bounds(crowns)
    box = shapely.box(xmin - _MARGIN, ymin - _MARGIN, xmax + _MARGIN, ymax + _MARGIN)
    outline = shapely.get_coordinates(
        shapely.segmentize(box, max(xmax - xmin, ymax - ymin, _MARGIN) / _SIDE_PARTS)
    )
    try:
        there = working.metres_to(crs, outline, "extent")
    except InputError:
        return None
    return shapely.box(*there.min(axis=0), *there.max(axis=0))
