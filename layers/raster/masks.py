"""Rasters as reference masks: marked pixels on any grid, or polygons around marked pixels."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import shapely
from qgis.core import QgsCoordinateTransformContext, QgsRasterLayer

from randcrowns.core.arrays import Bools, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import Grid, RasterSnapshot, open_raster, read_band
from randcrowns.layers.raster.write import polygonise_grid

#: Maximum side of the central part of a raster that is inspected, pixels.
_INSPECTED_SIZE = 2048


@dataclass(eq=False)
class ReferenceMask:
    """Marked pixels of the first band of a raster."""

    #: The raster.
    raster: RasterSnapshot
    #: Value of marked pixels; 0 if all pixels but 0 and nodata are marked.
    value: float = 0.0
    #: Grid of the last call of :meth:`read_on_grid` and its result.
    _cached: tuple[Grid, Bools] | None = field(default=None, init=False, repr=False)

    def read_on_grid(self, grid: Grid, progress: Progress = no_progress) -> Bools:
        """Return a mask of the marked pixels on a grid, by nearest neighbour.

        The result for the last grid is cached.

        Args:
            grid: the grid.
            progress: callback that receives the completed fraction.

        Returns:
            Mask (rows, columns).

        Raises:
            InputError: if the raster cannot be read, or the grid has too many pixels.
        """
        if self._cached is None or self._cached[0] != grid:
            values = read_band(self.raster, 1, grid, progress)
            mask = values == self.value if self.value else (values != 0) & ~np.isnan(values)
            self._cached = (grid, mask)
        return self._cached[1]

    def own_grid(self, context: QgsCoordinateTransformContext) -> Grid:
        """Return the grid of the raster, see :meth:`Grid.from_raster`.

        Args:
            context: the project's transform context.
        """
        return Grid.from_raster(self.raster, context)

    def polygons(self, working: WorkingCrs, progress: Progress = no_progress) -> Objects:
        """Return polygons along the edges of marked pixels that share a side.

        Args:
            working: working CRS of the result.
            progress: callback that receives the completed fraction.

        Returns:
            Array (n,) of polygons in working metres.

        Raises:
            InputError: if the raster cannot be read, or only one of the raster and the working CRS
                is in pixel coordinates.
        """
        grid = self.own_grid(working.transform_context)
        if grid.working_crs.in_pixels != working.in_pixels:
            working.check_layer(self.raster.name, self.raster.crs)
            raise InputError(
                "raster.only_one_without_georeference",
                "Raster '{raster}' has no georeference, but other layers have one. Georeference "
                "the raster first.",
                raster=self.raster.name,
            )
        mask = self.read_on_grid(grid, subprogress(progress, 0.0, 0.4))
        outlines, _ = polygonise_grid(
            mask.view(np.uint8), mask, grid, subprogress(progress, 0.4, 1.0)
        )
        raster_crs = grid.working_crs.crs
        if raster_crs == working.crs or not len(outlines):
            return outlines
        coordinates = grid.working_crs.from_working(raster_crs, shapely.get_coordinates(outlines))
        transformed: Objects = shapely.set_coordinates(
            outlines, working.to_working(raster_crs, coordinates, self.raster.name)
        )
        return transformed


def is_reference_mask(layer: QgsRasterLayer) -> bool:
    """Return True if a raster looks like a reference mask.

    A reference mask has one band. In its central part, it holds 0 or nodata and at most one other
    value.
    """
    is_single_band = layer.bandCount() == 1 and layer.providerType() == "gdal"
    return is_single_band and _is_binary(layer.source())


@functools.lru_cache(maxsize=256)
def _is_binary(source: str) -> bool:
    """Return True if a raster's centre holds unmarked pixels and at most one other value."""
    dataset = open_raster(source)
    if dataset is None:
        return False
    columns = min(dataset.RasterXSize, _INSPECTED_SIZE)
    rows = min(dataset.RasterYSize, _INSPECTED_SIZE)
    left = (dataset.RasterXSize - columns) // 2
    top = (dataset.RasterYSize - rows) // 2
    band = dataset.GetRasterBand(1)
    values = set(np.unique(band.ReadAsArray(left, top, columns, rows)).tolist())
    unmarked_values = {0, band.GetNoDataValue()}
    return len(values - unmarked_values) <= 1 and bool(values & unmarked_values)


def names_with_other_pixels(
    rasters: Mapping[str, RasterSnapshot], grid: Grid, context: QgsCoordinateTransformContext
) -> list[str]:
    """Return the names of the rasters whose pixels differ from those of a grid.

    Args:
        rasters: rasters by name.
        grid: the grid.
        context: the project's transform context.
    """
    return [
        name
        for name, raster in rasters.items()
        if not Grid.from_raster(raster, context).has_same_pixels(grid)
    ]


def alignment_message(grid: Grid, first: str, others: list[str]) -> Message:
    """Return the message that rasters are resampled to the pixels of one raster.

    Args:
        grid: the grid of the raster.
        first: name of the raster.
        others: names of the rasters that are resampled.
    """
    return note(
        "areas.pixels_aligned",
        "Raster '{first}' sets the pixels ({width:g} x {height:g} {unit}); aligned to them: "
        "{others}.",
        first=first,
        others=others,
        width=round(grid.pixel_width, 4),
        height=round(grid.pixel_height, 4),
        unit=grid.working_crs.unit,
    )


def first_band_messages(rasters: Mapping[str, RasterSnapshot]) -> list[Message]:
    """Return a message if only the first of several bands is used of some rasters.

    Args:
        rasters: annotators' rasters by name.

    Returns:
        List of one message; empty if all rasters have one band.
    """
    names = [name for name, raster in rasters.items() if raster.n_bands > 1]
    if not names:
        return []
    template = "The first band is used of annotators' rasters with several bands: {names}."
    return [note("input.first_band", template, names=names)]
