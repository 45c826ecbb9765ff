"""The layers of one place, read together: one system in metres, the study area, and what of each layer lies in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import shapely
from qgis.core import QgsCoordinateTransformContext

from randcrowns.core.arrays import Objects
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress, steps
from randcrowns.core.remarks import Remark, note
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.vector.extent import ExtentChoice, cut_to_extent, inside_extent, run_extent
from randcrowns.layers.vector.read import AtExtent, CrownLayer, LayerRequest, read_crowns
from randcrowns.layers.vector.snapshot import LayerSnapshot


@dataclass(frozen=True, eq=False)
class Place:
    """What was read, in metres.

    Attributes:
        layers: in the order they were asked for.
        working: the system of all of them.
        area: the study area, a polygon; None for everywhere.
        plots: the polygons of the extent layer, or None.
        excluded: the layer of polygons that do not count, or None.
        mask: these polygons as one geometry, or None.
        grid: the pixels that it was started from, or None.
        decided: remarks on what was decided for the place as a whole.
    """

    layers: tuple[CrownLayer, ...]
    working: WorkingCrs
    area: Any = None
    plots: CrownLayer | None = None
    excluded: CrownLayer | None = None
    mask: Any = None
    grid: Grid | None = None
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
        return np.concatenate([layer.crowns.geometry for layer in self.layers])

    @property
    def region(self) -> Any:
        """The study area without what is excluded, or without it all that was drawn; None where neither is given.

        Raises:
            InputError: if nothing is left.
        """
        if self.mask is None:
            return self.area
        rest = shapely.difference(shapely.union_all(self.everything) if self.area is None else self.area, self.mask)
        if rest.is_empty:
            raise InputError("Nothing is left of the study area; exclude less of it, or choose a larger one.")
        return rest

    @property
    def bounds(self) -> tuple[float, ...]:
        """xmin, ymin, xmax, ymax of the study area, or of everything drawn."""
        return tuple(shapely.total_bounds(self.everything) if self.area is None else self.area.bounds)


def read_place(
    requests: Sequence[LayerRequest],
    start: Grid | QgsCoordinateTransformContext,
    extent: ExtentChoice | None = None,
    excluded: LayerSnapshot | None = None,
    progress: Progress = no_progress,
) -> Place:
    """Read layers that lie in one place.

    Args:
        requests: the layers, at least one. Without a grid the first that has crowns decides on the system.
        start: pixels to work in the system of; or the project's choices of datum transformations.
        extent: the study area as the user gave it.
        excluded: polygons that do not count.

    Raises:
        InputError: if a layer's coordinate system is missing or its coordinates do not belong to it, or the study area
            is empty.
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
    if extent is not None and extent.given:
        plots = None if extent.plots is None else read_crowns(LayerRequest(extent.plots), working)
        within = place.everything
        if grid is not None:
            within = np.append(within, shapely.box(*grid.bounds))
        area = run_extent(extent.rectangle, extent.crs, plots, working, within)
        if extent.rectangle is not None and plots is not None:
            said = "Both an image extent and an extent layer are given: what both share is taken."
            place.decided.append(note("input.two_extents", said))
    masks = None if excluded is None else read_crowns(LayerRequest(excluded), working)
    mask = None if masks is None or not len(masks.crowns) else shapely.union_all(masks.crowns.geometry)
    kept = [_at_extent(layer, area) for layer in layers]
    return replace(place, layers=tuple(kept), area=area, plots=plots, excluded=masks, mask=mask)


def _in_system(layer: CrownLayer, working: WorkingCrs) -> CrownLayer:
    """A layer without crowns, which was read before the system was known, belongs into it as well."""
    if layer.working == working or len(layer.crowns):
        return layer
    return replace(layer, working=working, crowns=replace(layer.crowns, crs=working.name))


def _at_extent(layer: CrownLayer, area: Any) -> CrownLayer:
    if layer.request.at_extent is AtExtent.INSIDE:
        return inside_extent(layer, area)
    return cut_to_extent(layer, area) if layer.request.at_extent is AtExtent.CUT else layer
