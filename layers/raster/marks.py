"""Rasters as drawings: the pixels that one marks, on any grid or as polygons along their edges."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import shapely
from qgis.core import QgsCoordinateTransformContext, QgsRasterLayer

from randcrowns.core.arrays import Bools, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress, part_of
from randcrowns.core.remarks import Remark, note
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import Grid, RasterSnapshot, opened_raster, read_band
from randcrowns.layers.raster.output import grid_polygons


@dataclass(eq=False)
class Marks:
    """What the first band of a raster marks."""

    raster: RasterSnapshot  #: the layer.
    value: float = 0.0  #: of the pixels that are marked; 0 for all but 0 and no data.
    _last: tuple[Grid, Bools] | None = field(default=None, init=False, repr=False)

    def on(self, grid: Grid, progress: Progress = no_progress) -> Bools:
        """(rows, columns) marked pixels of a grid, each the raster's nearest; the last grid's are kept."""
        if self._last is None or self._last[0] != grid:
            values = read_band(self.raster, 1, grid, progress)
            marked = values == self.value if self.value else (values != 0) & ~np.isnan(values)
            self._last = grid, marked
        return self._last[1]

    def own_grid(self, context: QgsCoordinateTransformContext) -> Grid:
        """The raster's own pixels."""
        return Grid.of_raster(self.raster, context)

    def polygons(self, working: WorkingCrs, progress: Progress = no_progress) -> Objects:
        """(P,) polygons in another system along the edges of marked pixels that adjoin side to side."""
        grid = self.own_grid(working.transform_context)
        if grid.working.in_pixels != working.in_pixels:
            working.check(self.raster.name, self.raster.crs)
            raise InputError(
                "Raster '{raster}' has no georeference as other layers have; georeference it.",
                raster=self.raster.name,
            )
        marked = self.on(grid, part_of(progress, 0.0, 0.4))
        outlines, _ = grid_polygons(
            marked.view(np.uint8), marked, grid, part_of(progress, 0.4, 1.0)
        )
        if grid.working.crs == working.crs or not len(outlines):
            return outlines
        there = grid.working.metres_to(grid.working.crs, shapely.get_coordinates(outlines))
        moved: Objects = shapely.set_coordinates(
            outlines, working.metres_from(grid.working.crs, there, self.raster.name)
        )
        return moved


#: Side of the middle part of a raster that is looked at, pixels.
_LOOKED_AT = 2048


def holds_marks(layer: QgsRasterLayer) -> bool:
    """Whether a raster looks like a drawing: one band, with 0 or no data and at most one other value in its middle."""
    return layer.bandCount() == 1 and layer.providerType() == "gdal" and _two_values(layer.source())


@functools.lru_cache(maxsize=256)
def _two_values(source: str) -> bool:
    opened = opened_raster(source)
    if opened is None:
        return False
    width, height = opened.RasterXSize, opened.RasterYSize
    columns, rows = min(width, _LOOKED_AT), min(height, _LOOKED_AT)
    band = opened.GetRasterBand(1)
    found = set(
        np.unique(
            band.ReadAsArray((width - columns) // 2, (height - rows) // 2, columns, rows)
        ).tolist()
    )
    unmarked = {0, band.GetNoDataValue()}
    return len(found - unmarked) <= 1 and bool(found & unmarked)


def of_other_pixels(
    rasters: Mapping[str, RasterSnapshot], grid: Grid, context: QgsCoordinateTransformContext
) -> list[str]:
    """Names of the rasters whose pixels are not those of a grid."""
    return [
        name
        for name, raster in rasters.items()
        if not Grid.of_raster(raster, context).same_as(grid)
    ]


def aligned(grid: Grid, first: str, others: list[str]) -> Remark:
    """That a raster sets the pixels of all."""
    said = "Raster '{first}' sets the pixels ({width:g} x {height:g} {unit}); aligned to them: {others}."
    width, height, unit = round(grid.pixel_width, 4), round(grid.pixel_height, 4), grid.working.unit
    return note(
        "areas.pixels_aligned",
        said,
        first=first,
        others=others,
        width=width,
        height=height,
        unit=unit,
    )


def first_bands(rasters: Mapping[str, RasterSnapshot]) -> list[Remark]:
    """That of rasters with several bands the first is taken."""
    several = [name for name, raster in rasters.items() if raster.bands > 1]
    said = "The first band is taken of annotators' rasters with several: {names}."
    return [note("input.first_band", said, names=several)] if several else []
