"""Grids of pixels in metres; rasters read onto a grid; polygons drawn on a grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike
from osgeo import gdal, gdal_array, ogr, osr
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsMapLayer,
    QgsMultiBandColorRenderer,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, split_array
from randcrowns.core.errors import Cancelled, InputError
from randcrowns.core.exchange.pixel_frame import PIXEL_GEOTRANSFORM, usable_geotransform
from randcrowns.core.messages import TranslatableText
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.layers.crs import WorkingCrs, check_crs, has_datum_or_code, layer_crs

#: Maximum number of pixels of a grid.
MAX_PIXELS = 500_000_000
#: Maximum number of pixels of a grid that holds a number per pixel; several rasters of such numbers
#: must fit into memory.
MAX_NUMERIC_PIXELS = 100_000_000
#: Fraction of a pixel that is ignored when a grid is fitted to bounds.
_SLACK = 1e-6
#: Fraction of a pixel by which coinciding pixels of two grids may differ.
_COINCIDENCE_TOLERANCE = 1e-3
#: Fraction of a pixel by which the grid is shifted east and south to read a raster. Without it, a
#: pixel centre on the border of two raster pixels would get either of them by rounding, which
#: differs between parts of a grid. With it, the centre gets the eastern or southern one.
_BORDER_SHIFT = 1e-6
#: Number of values that are read at a time when all pixels of a band are inspected.
_VALUES_PER_CHUNK = 1 << 22
#: Number of parts into which the longer side of a raster is divided for its outline on the map.
_FOOTPRINT_STEPS = 20
#: Relative rounding error by which scaling may move a value off a user's nodata value.
_ROUNDING = 1e-12
#: GDAL's six numbers: x of the origin, x per column, x per row, y of the origin, y per column,
#: y per row.
Geotransform = tuple[float, float, float, float, float, float]
#: Maximum distance of pixels from the upper left corner of an image without a georeference.
_MAX_PIXEL_COORDINATE = 100_000
#: Minimum number of polygons that are drawn between two progress reports.
_BATCH = 500
#: Maximum number of pixels that all drawing passes together visit. Each batch visits every pixel of
#: the grid, so that large grids need larger batches.
_MOST_PIXELS_PASSED = 500_000_000


def is_in_pixel_coordinates(layer: QgsMapLayer) -> bool:
    """Return True if a layer is in pixel coordinates.

    This is so for a raster without a georeference (neither a CRS nor a pixel size), and for a
    vector layer without a CRS whose coordinates may be pixels of such a raster.
    """
    if has_datum_or_code(layer_crs(layer)):
        return False
    if isinstance(layer, QgsVectorLayer):
        return layer.isValid() and _may_be_in_pixels(layer.extent())
    if not isinstance(layer, QgsRasterLayer) or layer.providerType() != "gdal":
        return False
    if not layer.isValid():
        return False
    dataset = open_raster(layer.source())
    if dataset is None or dataset.GetGCPCount():
        return False
    geotransform = dataset.GetGeoTransform(can_return_null=True) or PIXEL_GEOTRANSFORM
    left, x_per_column, x_per_row, top, y_per_column, y_per_row = geotransform
    has_unit_pixels = (x_per_column, x_per_row, y_per_column, y_per_row) == (1.0, 0.0, 0.0, -1.0)
    # The raster may be a part of an image, whose corner is not at 0, 0. A raster that is farther
    # away is a map whose CRS was lost.
    is_near = max(abs(left), abs(top)) <= _MAX_PIXEL_COORDINATE
    return is_near and has_unit_pixels


def _may_be_in_pixels(extent: QgsRectangle) -> bool:
    """Return True if coordinates are small enough for pixels of an image, or if there are none."""
    if extent.isNull():
        return True
    coordinates = (extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum())
    return max(abs(coordinate) for coordinate in coordinates) <= _MAX_PIXEL_COORDINATE


def open_raster(source: str) -> gdal.Dataset | None:
    """Return the GDAL dataset of a source; None if GDAL cannot open it."""
    try:
        return gdal.Open(source)
    except RuntimeError:  # GDAL raises errors only if its exceptions are enabled.
        return None


def count_bands(layer: QgsRasterLayer) -> int:
    """Return the number of bands in the file of a layer.

    QGIS 3.40 adds a band with the opacity to a layer whose pixels are turned against the map.
    """
    n_bands = layer.bandCount()
    # The file is opened only if one of several bands may be that of the opacity.
    if n_bands < 2 or layer.providerType() != "gdal":
        return n_bands
    dataset = open_raster(layer.source())
    return n_bands if dataset is None else min(n_bands, dataset.RasterCount)


@dataclass(frozen=True)
class RasterSnapshot:
    """State of a raster layer that can be read in the background.

    It does not refer to the layer, which may be removed meanwhile.
    """

    #: Name of the layer.
    name: str
    #: Source that GDAL opens.
    source: str
    #: CRS set in the layer's properties; invalid for an image without a georeference.
    crs: QgsCoordinateReferenceSystem
    #: Number of bands.
    n_bands: int
    #: Ranges (minimum, maximum) of values that the user declared as nodata, for each band.
    user_nodata_ranges: tuple[tuple[tuple[float, float], ...], ...]
    #: Per band, True if the file's own nodata value is used.
    uses_file_nodata: tuple[bool, ...]

    @classmethod
    def from_layer(cls, layer: QgsRasterLayer) -> RasterSnapshot:
        """Take a snapshot of a raster layer; call on the layer's thread.

        Raises:
            InputError: if the layer is invalid, is not read by GDAL (such as a web service), or has
                an unknown CRS.
        """
        name = layer.name()
        provider = layer.dataProvider()
        if not layer.isValid() or provider is None:
            raise InputError(
                "raster.file_missing",
                "Raster '{name}' cannot be read; check that its file is still there.",
                name=name,
            )
        if layer.providerType() != "gdal":
            raise InputError(
                "raster.no_file",
                "Raster '{name}' is not read from a file; save it as a GeoTIFF and use that.",
                name=name,
            )
        if is_in_pixel_coordinates(layer):
            crs = QgsCoordinateReferenceSystem()
        else:
            crs = layer_crs(layer)
            check_crs(name, crs)

        n_bands = count_bands(layer)
        user_ranges_by_band = []
        uses_file_nodata = []
        for band in range(1, n_bands + 1):
            user_ranges = provider.userNoDataValues(band)
            limits = [(user_range.min(), user_range.max()) for user_range in user_ranges]
            user_ranges_by_band.append(tuple(limits))
            uses_file_nodata.append(bool(provider.useSourceNoDataValue(band)))
        return cls(
            name=name,
            source=layer.source(),
            crs=crs,
            n_bands=n_bands,
            user_nodata_ranges=tuple(user_ranges_by_band),
            uses_file_nodata=tuple(uses_file_nodata),
        )

    @property
    def is_in_pixels(self) -> bool:
        """True if the raster has no georeference and is in pixel coordinates."""
        return not self.crs.isValid()

    def open(self) -> gdal.Dataset:
        """Return the GDAL dataset.

        Raises:
            InputError: if the file is missing or damaged.
        """
        dataset = open_raster(self.source)
        if dataset is None:
            raise InputError(
                "raster.not_opened",
                "Raster '{name}' cannot be opened; check that its file is still there.",
                name=self.name,
            )
        return dataset

    def is_byte(self) -> bool:
        """Return True if the first band holds bytes."""
        dataset = self.open()  # A band is invalid without a reference to its dataset.
        return bool(dataset.GetRasterBand(1).DataType == gdal.GDT_Byte)

    def is_complex(self, band: int) -> bool:
        """Return True if a band (from 1) holds complex numbers."""
        dataset = self.open()
        return bool(gdal.DataTypeIsComplex(dataset.GetRasterBand(band).DataType))

    def dtype(self, band: int) -> np.dtype:
        """Return the type of the values of a band, from 1, as the file stores them.

        Whole numbers of a band with a scale or an offset are none when stored, so their type is
        that of decimal numbers.

        Args:
            band: number of the band, from 1.
        """
        dataset = self.open()
        stored_band = dataset.GetRasterBand(band)
        if stored_band.GetScale() not in (None, 1.0) or stored_band.GetOffset() not in (None, 0.0):
            return np.dtype(float)
        code = gdal_array.GDALTypeCodeToNumericTypeCode(stored_band.DataType)
        return np.dtype(float if code is None else code)

    def is_turned(self) -> bool:
        """Return True if the rows of the raster do not run from west to east."""
        geotransform = self.open().GetGeoTransform(can_return_null=True) or PIXEL_GEOTRANSFORM
        return bool(geotransform[2] or geotransform[4])

    def has_palette(self) -> bool:
        """Return True if the first band holds indices of a colour table and not brightness."""
        dataset = self.open()
        return dataset.GetRasterBand(1).GetColorTable() is not None


@dataclass(frozen=True)
class Grid:
    """Rows and columns of rectangular pixels in working metres; row 0 is the northernmost.

    Raises:
        InputError: if the grid has more than ``MAX_PIXELS`` pixels, unless it is not limited.
    """

    #: Working CRS of the grid and of the core.
    working_crs: WorkingCrs
    #: x of the upper left corner, working metres.
    left: float
    #: y of the upper left corner, working metres.
    top: float
    #: Width of a pixel, metres.
    pixel_width: float
    #: Height of a pixel, metres.
    pixel_height: float
    #: Number of rows.
    rows: int
    #: Number of columns.
    columns: int
    #: False for the pixels of a raster, of any number: they are cropped, or replaced by coarser
    #: ones, before they are counted.
    is_limited: bool = field(default=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.is_limited:
            self.check_size(MAX_PIXELS)

    def check_size(self, max_pixels: int = MAX_NUMERIC_PIXELS) -> None:
        """Raise InputError if the grid has too many pixels.

        Args:
            max_pixels: maximum number of pixels.
        """
        check_n_pixels(self.rows, self.columns, max_pixels)

    @classmethod
    def from_raster(cls, raster: RasterSnapshot, context: QgsCoordinateTransformContext) -> Grid:
        """Return the grid of a raster.

        It has the raster's own pixels if they are aligned with the axes of a CRS in metres on the
        ground. Otherwise it is a grid of square pixels of about the same size over the raster's
        bounds in the working CRS.

        Args:
            raster: the raster.
            context: the project's transform context, for the choice of the working CRS.

        Raises:
            InputError: if the raster cannot be opened, or has no valid geotransform.
        """
        dataset = raster.open()
        n_columns = dataset.RasterXSize
        n_rows = dataset.RasterYSize
        geotransform = usable_geotransform(dataset.GetGeoTransform(can_return_null=True))
        if raster.is_in_pixels:
            geotransform = geotransform or PIXEL_GEOTRANSFORM
            return cls(
                WorkingCrs.for_pixels(context),
                left=geotransform[0],
                top=geotransform[3],
                pixel_width=1.0,
                pixel_height=1.0,
                rows=n_rows,
                columns=n_columns,
                is_limited=False,
            )

        if geotransform is None:
            raise InputError(
                "raster.no_georeference",
                "Raster '{name}' does not say where its pixels lie; georeference it first.",
                name=raster.name,
            )
        left, x_per_column, x_per_row, top, y_per_column, y_per_row = geotransform
        corners = _compute_raster_corners(geotransform, n_rows, n_columns)
        centre_x, centre_y = corners.mean(axis=0).tolist()
        working = WorkingCrs.for_layer(raster.name, raster.crs, (centre_x, centre_y), context)
        is_aligned = x_per_row == 0 and y_per_column == 0
        is_north_up = is_aligned and x_per_column > 0 and y_per_row < 0
        if working.crs == raster.crs and is_north_up:
            metres = working.metres_per_unit
            return cls(
                working,
                left=left * metres,
                top=top * metres,
                pixel_width=x_per_column * metres,
                pixel_height=-y_per_row * metres,
                rows=n_rows,
                columns=n_columns,
                is_limited=False,
            )

        pixel_length = math.hypot(x_per_column, y_per_column)
        working_corners = _select_reversible_corners(raster, working, corners, pixel_length)
        return cls._from_corners(working_corners, n_rows, n_columns, working)

    @classmethod
    def _from_corners(
        cls, corners: Floats, n_rows: int, n_columns: int, working_crs: WorkingCrs
    ) -> Grid:
        """Return a grid of square pixels about as large as those of a turned raster.

        Args:
            corners: (n, 2) corners of the raster in the working CRS; the first and the last are
                opposite, at the ends of a diagonal.
            n_rows: number of rows of the raster.
            n_columns: number of columns of the raster.
            working_crs: CRS of the grid.
        """
        offset = corners[0] - corners[-1]
        diagonal = float(np.hypot(offset[0], offset[1]))
        pixel_size = diagonal / math.hypot(n_columns, n_rows)
        bounds = np.concatenate([corners.min(axis=0), corners.max(axis=0)])
        return cls.from_bounds(bounds, pixel_size, working_crs)

    @classmethod
    def from_bounds(cls, bounds: ArrayLike, pixel_size: float, working: WorkingCrs) -> Grid:
        """Return a grid of square pixels that covers bounds, starting in the upper left corner.

        Args:
            bounds: xmin, ymin, xmax, ymax in working metres.
            pixel_size: size of a pixel, metres.
            working: working CRS of the grid.

        Raises:
            InputError: if the bounds are empty, the pixel size is not positive, or the grid would
                have too many pixels.
        """
        xmin, ymin, xmax, ymax = (float(value) for value in np.asarray(bounds, dtype=float))
        if not (math.isfinite(pixel_size) and pixel_size > 0):
            raise InputError(
                "pixel_size.not_positive",
                "The pixel size must be above 0 m, but it is {pixel:g} m.",
                pixel=pixel_size,
            )
        if not (xmax > xmin and ymax > ymin):
            raise InputError(
                "study_area.no_size",
                "The study area has no width or no height; choose one with an area.",
            )
        n_across = (xmax - xmin) / pixel_size
        n_down = (ymax - ymin) / pixel_size
        if max(n_across, n_down) > MAX_PIXELS:
            raise InputError(
                "pixel_size.too_small",
                "The grid would have {down:.3g} x {across:.3g} pixels of {pixel:g} m, more than "
                "{most:,}; choose a smaller study area or larger pixels.",
                pixel=pixel_size,
                down=n_down,
                across=n_across,
                most=MAX_PIXELS,
            )
        return cls(
            working,
            left=xmin,
            top=ymax,
            pixel_width=float(pixel_size),
            pixel_height=float(pixel_size),
            rows=max(1, math.ceil(n_down - _SLACK)),
            columns=max(1, math.ceil(n_across - _SLACK)),
        )

    def crop(self, bounds: ArrayLike) -> Grid:
        """Return the part of the grid whose rows and columns intersect bounds.

        Args:
            bounds: xmin, ymin, xmax, ymax in working metres.

        Raises:
            InputError: if no pixel intersects the bounds, or too many pixels do.
        """
        xmin, ymin, xmax, ymax = np.asarray(bounds, dtype=float).tolist()
        # Distances from the upper left corner of the grid, pixels.
        start_x = (xmin - self.left) / self.pixel_width
        end_x = (xmax - self.left) / self.pixel_width
        start_y = (self.top - ymax) / self.pixel_height
        end_y = (self.top - ymin) / self.pixel_height
        first_column = max(math.floor(start_x + _SLACK), 0)
        end_column = min(math.ceil(end_x - _SLACK), self.columns)
        first_row = max(math.floor(start_y + _SLACK), 0)
        end_row = min(math.ceil(end_y - _SLACK), self.rows)
        if end_column <= first_column or end_row <= first_row:
            raise InputError(
                "study_area.no_common_pixel",
                "The study area and the raster have no pixel in common; check where both lie.",
            )
        return replace(
            self,
            left=self.left + first_column * self.pixel_width,
            top=self.top - first_row * self.pixel_height,
            rows=end_row - first_row,
            columns=end_column - first_column,
            is_limited=True,
        )

    def extend(self, bounds: ArrayLike) -> Grid:
        """Return the grid with whole rows and columns added, so that it covers bounds.

        Args:
            bounds: xmin, ymin, xmax, ymax in working metres.
        """
        xmin, ymin, xmax, ymax = np.asarray(bounds, dtype=float).tolist()
        left, bottom, right, top = self.bounds
        n_left = max(math.ceil((left - xmin) / self.pixel_width - _SLACK), 0)
        n_right = max(math.ceil((xmax - right) / self.pixel_width - _SLACK), 0)
        n_above = max(math.ceil((ymax - top) / self.pixel_height - _SLACK), 0)
        n_below = max(math.ceil((bottom - ymin) / self.pixel_height - _SLACK), 0)
        return replace(
            self,
            left=left - n_left * self.pixel_width,
            top=top + n_above * self.pixel_height,
            rows=self.rows + n_above + n_below,
            columns=self.columns + n_left + n_right,
            is_limited=False,
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self.rows, self.columns

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Bounds xmin, ymin, xmax, ymax in working metres."""
        right = self.left + self.columns * self.pixel_width
        return self.left, self.top - self.rows * self.pixel_height, right, self.top

    @property
    def geotransform(self) -> Geotransform:
        """GDAL's geotransform of the grid, in the units of its CRS."""
        metres = self.working_crs.metres_per_unit
        left = self.left / metres
        width = self.pixel_width / metres
        top = self.top / metres
        height = self.pixel_height / metres
        return left, width, 0.0, top, 0.0, -height

    def georeference(self, dataset: gdal.Dataset) -> None:
        """Set the geotransform and the CRS of a dataset to those of the grid.

        Args:
            dataset: dataset with the rows and columns of the grid, which is changed.
        """
        dataset.SetGeoTransform(self.geotransform)
        if not self.working_crs.in_pixels:
            dataset.SetProjection(to_wkt(self.working_crs.crs))

    def has_same_pixels(self, other: Grid) -> bool:
        """Return True if pixels of both grids coincide, within a thousandth of a pixel.

        The grids may cover different areas.
        """
        if self.working_crs.crs != other.working_crs.crs:
            return False
        size = np.array([self.pixel_width, self.pixel_height])
        other_size = np.array([other.pixel_width, other.pixel_height])
        # A difference of sizes adds up over the pixels of a row or column.
        n_pixels = max(self.rows, self.columns, other.rows, other.columns)
        total_difference = np.abs(size - other_size).max() * n_pixels
        if total_difference > _COINCIDENCE_TOLERANCE * size.min():
            return False
        # The grids are offset by whole pixels, or by a part of one.
        offset = np.array([other.left - self.left, other.top - self.top]) / size
        part_of_pixel = np.abs(offset - np.round(offset))
        return bool(part_of_pixel.max() <= _COINCIDENCE_TOLERANCE)


class CommonGrid(NamedTuple):
    """Pixels on which several rasters are read, whatever their order."""

    #: Name of the raster that sets the size and position of the pixels.
    raster: str
    #: The pixels, over the area of all rasters.
    grid: Grid


def find_common_grid(
    rasters: Mapping[str, RasterSnapshot], context: QgsCoordinateTransformContext
) -> CommonGrid:
    """Return the pixels of the raster with the largest ones, over the area of all rasters.

    The order of the rasters does not change the pixels.

    Args:
        rasters: rasters by name, at least one.
        context: the project's transform context.

    Raises:
        InputError: if a raster cannot be opened, or has no valid geotransform.
    """
    grids = {name: Grid.from_raster(raster, context) for name, raster in rasters.items()}

    def sort_key(name: str) -> tuple[object, ...]:
        """Return the size of a pixel, then what distinguishes pixels of one size."""
        grid = grids[name]
        area = grid.pixel_width * grid.pixel_height
        crs = grid.working_crs.crs.authid() or grid.working_crs.crs.toWkt()
        column = round(grid.left / grid.pixel_width % 1, 6) % 1
        row = round(grid.top / grid.pixel_height % 1, 6) % 1
        return (-float(f"{area:.9g}"), grid.pixel_width, crs, column, row)

    first_raster = min(grids, key=sort_key)
    grid = grids[first_raster]
    for name, raster in rasters.items():
        if raster.is_in_pixels == grid.working_crs.in_pixels:
            grid = grid.extend(_transform_bounds(raster, grids[name], grid))
    return CommonGrid(first_raster, grid)


def _transform_bounds(raster: RasterSnapshot, own_grid: Grid, grid: Grid) -> ArrayLike:
    """Return the bounds of a raster in the working metres of a grid.

    Args:
        raster: the raster.
        own_grid: grid of the raster.
        grid: the grid.
    """
    if own_grid.working_crs.crs == grid.working_crs.crs:
        return own_grid.bounds
    dataset = raster.open()
    corners = _compute_raster_corners(
        dataset.GetGeoTransform(), dataset.RasterYSize, dataset.RasterXSize
    )
    corners = grid.working_crs.to_working(raster.crs, corners, raster.name)
    return np.append(corners.min(axis=0), corners.max(axis=0))


def check_n_pixels(n_rows: int, n_columns: int, max_pixels: int) -> None:
    """Raise InputError if a grid has too many pixels.

    Args:
        n_rows: number of rows.
        n_columns: number of columns.
        max_pixels: maximum number of pixels.
    """
    if n_rows * n_columns > max_pixels:
        raise InputError(
            "raster.too_many_pixels",
            "The grid would have {rows:,} x {columns:,} pixels, more than {most:,}; choose a "
            "smaller study area or larger pixels.",
            rows=n_rows,
            columns=n_columns,
            most=max_pixels,
        )


def _compute_raster_corners(geotransform: Sequence[float], n_rows: int, n_columns: int) -> Floats:
    """Return the corners (4, 2) of a raster: the two on its left side, then those on its right.

    Args:
        geotransform: GDAL's six numbers: x of the origin, x per column, x per row, y of the origin,
            y per column, y per row.
        n_rows: number of rows.
        n_columns: number of columns.

    Returns:
        x and y of each corner, from the upper left to the lower right.
    """
    left, x_per_column, x_per_row, top, y_per_column, y_per_row = geotransform
    columns_and_rows = np.array([[0, 0], [0, n_rows], [n_columns, 0], [n_columns, n_rows]], float)
    matrix = np.array([[x_per_column, y_per_column], [x_per_row, y_per_row]])
    return np.asarray(columns_and_rows @ matrix + (left, top))


def _select_reversible_corners(
    raster: RasterSnapshot, working: WorkingCrs, corners: Floats, pixel_length: float
) -> Floats:
    """Return the corners of a raster in working metres.

    Args:
        raster: the raster.
        working: the working CRS.
        corners: (4, 2) corners in the CRS of the raster.
        pixel_length: length of a pixel in units of that CRS. Corners that are transformed there
            and back must be closer than that to the original ones.

    Raises:
        InputError: if the corners cannot be transformed back, as for a raster of the whole earth.
    """
    working_corners = working.to_working(raster.crs, corners, raster.name)
    restored_corners = working.from_working(raster.crs, working_corners, raster.name)
    is_reversible = np.abs(restored_corners - corners).max() < pixel_length  # False for NaN
    if not is_reversible:
        raise InputError(
            "raster.too_wide",
            "Raster '{name}' covers too much of the earth for a grid in metres. Clip it to the "
            "study area first.",
            name=raster.name,
        )
    return working_corners


class _BandSource(NamedTuple):
    """Band of an opened raster."""

    #: Dataset of the raster.
    dataset: gdal.Dataset
    #: Number of the band, from 1.
    band: int
    #: The raster.
    raster: RasterSnapshot
    #: Nodata value of the file that is used, in the file's numbers; None without one.
    nodata: float | None


def read_band(
    raster: RasterSnapshot, band: int, grid: Grid, progress: Progress = no_progress
) -> Floats:
    """Read a band of a raster onto a grid by nearest neighbour.

    The scale and offset of the band are applied, as on the map. The file's own nodata value refers
    to the stored numbers, and the user's nodata values refer to the scaled values. If the centre of
    a grid pixel lies on the border of raster pixels, the eastern or southern one is used, so that
    a part of a grid gets the same values as the whole grid.

    Args:
        raster: the raster.
        band: number of the band, from 1.
        grid: the grid.
        progress: callback that receives the completed fraction.

    Returns:
        Array (rows, columns) of values; NaN for nodata and outside of the raster.

    Raises:
        InputError: if the band does not exist, the raster cannot be read, or the grid has too many
            pixels.
    """
    if not 1 <= band <= raster.n_bands:
        raise InputError(
            "raster.no_band",
            "Raster '{name}' has no band {band} (bands: {bands}).",
            name=raster.name,
            bands=raster.n_bands,
            band=band,
        )
    grid.working_crs.check_layer(raster.name, raster.crs)
    grid.check_size()
    dataset = raster.open()
    stored_band = dataset.GetRasterBand(band)
    nodata = stored_band.GetNoDataValue() if raster.uses_file_nodata[band - 1] else None
    source = _BandSource(dataset, band, raster, nodata)

    # GDAL stops if the callback cancels, and the exception is raised after GDAL has returned.
    callback, cancellations = gdal_callback(progress)
    stored_values = _read_aligned(source, grid, callback)
    if stored_values is None and not cancellations:
        stored_values = _read_warped(source, grid, callback)
    if cancellations:
        raise cancellations[0]
    if stored_values is None:
        why = gdal.GetLastErrorMsg().rstrip(". ") or TranslatableText("no reason given")
        raise InputError(
            "raster.unreadable", "Raster '{name}' cannot be read: {why}.", name=raster.name, why=why
        )

    user_ranges = raster.user_nodata_ranges[band - 1]
    values = _scale_values(stored_values, stored_band, user_ranges)
    is_transparent = _read_transparent_pixels(source, grid, callback)
    if is_transparent is not None:
        values[is_transparent] = np.nan
    progress(1.0)
    return values


def _read_transparent_pixels(source: _BandSource, grid: Grid, callback: Any) -> Bools | None:
    """Return a mask (rows, columns) of the pixels of a grid that the alpha band makes transparent.

    Args:
        source: band whose values are read.
        grid: the grid.
        callback: progress callback of GDAL.

    Returns:
        The mask; None if the raster has no alpha band, if the band itself is the alpha band, whose
        values are all read, or if the alpha band cannot be read.
    """
    opacity_band = alpha_band(source.dataset)
    if opacity_band is None or opacity_band == source.band:
        return None
    opacity_source = _BandSource(source.dataset, opacity_band, source.raster, nodata=None)
    opacity = _read_source(opacity_source, grid, callback)
    if opacity is None:
        return None
    return np.asarray(opacity == 0)


def _read_source(source: _BandSource, grid: Grid, callback: Any) -> Floats | None:
    """Return the stored values (rows, columns) of a band on a grid; None if they cannot be read."""
    values = _read_aligned(source, grid, callback)
    return _read_warped(source, grid, callback) if values is None else values


class CountedValues(NamedTuple):
    """Values of some rows of a band that have data."""

    #: (n,) scaled values; distinct if the band holds small integers, or one value in these rows.
    values: Floats
    #: (n,) number of pixels of each value.
    counts: Ints


def iterate_values(raster: RasterSnapshot, band: int) -> Iterator[CountedValues]:
    """Yield the values with data of a band, some rows at a time.

    All pixels are read, without overviews. Small integers are counted before anything else, since
    large masks have few values.

    Args:
        raster: the raster.
        band: number of the band, from 1.

    Raises:
        InputError: if the raster cannot be read.
    """
    dataset = raster.open()
    stored_band = dataset.GetRasterBand(band)
    mask_band = None
    if stored_band.GetMaskFlags() & gdal.GMF_PER_DATASET:
        mask_band = stored_band.GetMaskBand()
    nodata = stored_band.GetNoDataValue() if raster.uses_file_nodata[band - 1] else None

    # Whole blocks of the file are read at a time, at least one row of blocks.
    n_columns = dataset.RasterXSize
    block_rows = stored_band.GetBlockSize()[1]
    rows_per_chunk = _VALUES_PER_CHUNK // max(n_columns, 1)
    n_rows = max(block_rows, rows_per_chunk // block_rows * block_rows)
    for first_row in range(0, dataset.RasterYSize, n_rows):
        window = (0, first_row, n_columns, min(n_rows, dataset.RasterYSize - first_row))
        stored_values = _read_stored(stored_band, window, raster.name)
        if mask_band is not None:
            stored_values = stored_values[mask_band.ReadAsArray(*window) != 0]

        distinct, counts = _count_stored(stored_values.real)
        values = distinct.astype(np.float64)
        if nodata is not None:
            values[values == _round_as_stored(nodata, stored_values.dtype)] = np.nan
        values = _scale_values(values, stored_band, raster.user_nodata_ranges[band - 1])
        has_data = ~np.isnan(values)
        yield CountedValues(values[has_data], counts[has_data])


def _read_stored(
    stored_band: gdal.Band, window: tuple[int, int, int, int], name: str
) -> np.ndarray:
    """Return the (rows, columns) values of a window of a band, as the file stores them.

    Args:
        stored_band: the band.
        window: first column, first row, number of columns and number of rows, in pixels.
        name: name of the raster, for the error.

    Raises:
        InputError: if the window cannot be read.
    """
    try:
        stored_values = stored_band.ReadAsArray(*window)
    except RuntimeError:  # raised if GDAL's exceptions are switched on
        stored_values = None
    if stored_values is None:
        raise InputError(
            "raster.unreadable",
            "Raster '{name}' cannot be read: {why}.",
            name=name,
            why=gdal.GetLastErrorMsg().rstrip(". ") or TranslatableText("no reason given"),
        )
    return stored_values


def _count_stored(stored: np.ndarray) -> tuple[np.ndarray, Ints]:
    """Return (n,) values and their counts: distinct ones for integers of one or two bytes.

    So is the value of pixels that are all equal, as in most parts of a sparse raster of ids.
    """
    values = stored.ravel()
    if values.size and values.min() == values.max():
        return values[:1], np.array([values.size])
    n_bytes = values.dtype.itemsize
    is_small_integer = values.dtype.kind in "iu" and n_bytes <= 2
    if not is_small_integer or not values.size:
        return values, np.ones(values.size, dtype=np.int64)
    # Counting requires numbers that are not negative, so the same bytes are taken as unsigned.
    unsigned_type = f"u{n_bytes}"
    counts = np.bincount(values.view(unsigned_type))
    counted_numbers = np.flatnonzero(counts)
    distinct_values = counted_numbers.astype(unsigned_type).view(values.dtype)
    return distinct_values, counts[counted_numbers]


def alpha_band(dataset: gdal.Dataset) -> int | None:
    """Return the number of the band with the opacity of pixels; None without one."""
    for number in range(dataset.RasterCount, 1, -1):
        if dataset.GetRasterBand(number).GetColorInterpretation() == gdal.GCI_AlphaBand:
            return number
    return None


def _round_as_stored(nodata: float, dtype: np.dtype) -> float:
    """Return a nodata value as pixels of a type hold it: rounded, if they are floats."""
    return float(dtype.type(nodata)) if dtype.kind == "f" else nodata


def _scale_values(
    values: Floats, band: gdal.Band, user_nodata: tuple[tuple[float, float], ...]
) -> Floats:
    """Apply the scale and offset of a band in place, and set the user's nodata values to NaN.

    Args:
        values: stored values of any shape; changed by this function.
        band: the band.
        user_nodata: ranges of scaled values that the user declared as nodata.
    """
    scale = band.GetScale()
    offset = band.GetOffset()
    values *= 1.0 if scale is None else scale
    values += 0.0 if offset is None else offset
    for low, high in user_nodata:
        # Infinite values need no tolerance: those outside the range would be within it.
        tolerance = np.where(np.isfinite(values), _ROUNDING * np.abs(values), 0.0)
        is_nodata = (values >= low - tolerance) & (values <= high + tolerance)
        values[is_nodata] = np.nan
    return values


def footprint_mask(raster: RasterSnapshot, grid: Grid) -> Bools:
    """Return a mask of the pixels of a grid whose centre lies in a raster's rectangle.

    A rotated raster has empty corners in its bounds, which lie outside its rectangle.

    Args:
        raster: the raster.
        grid: the grid.
    """
    dataset = raster.open()
    geotransform = dataset.GetGeoTransform(can_return_null=True) or PIXEL_GEOTRANSFORM
    left, x_per_column, x_per_row, top, y_per_column, y_per_row = geotransform
    n_columns = dataset.RasterXSize
    n_rows = dataset.RasterYSize
    outline = shapely.segmentize(
        shapely.box(0, 0, n_columns, n_rows), max(n_columns, n_rows) / _FOOTPRINT_STEPS
    )
    pixels = shapely.get_coordinates(outline)
    corners = pixels @ np.array([[x_per_column, y_per_column], [x_per_row, y_per_row]])
    corners += (left, top)
    if not raster.is_in_pixels:
        corners = grid.working_crs.to_working(raster.crs, corners, raster.name)
    # Centres on the edge get the eastern or southern pixel, as in `read_band`.
    corners -= _BORDER_SHIFT * np.array([grid.pixel_width, -grid.pixel_height])
    return rasterise_mask([shapely.Polygon(corners)], grid)


def _read_aligned(source: _BandSource, grid: Grid, callback: Any) -> Floats | None:
    """Read a band whose pixels coincide with those of a grid, without resampling.

    Args:
        source: the band.
        grid: the grid.
        callback: progress callback of GDAL.

    Returns:
        Array (rows, columns) of unscaled values, NaN for the file's nodata value; None if the
        pixels differ or the band cannot be read.
    """
    geotransform = source.dataset.GetGeoTransform(can_return_null=True)
    if geotransform is None and source.raster.is_in_pixels:
        geotransform = PIXEL_GEOTRANSFORM
    if geotransform is None or source.raster.crs != grid.working_crs.crs:
        return None
    stored_band = source.dataset.GetRasterBand(source.band)
    mask_flags = stored_band.GetMaskFlags()
    if mask_flags & gdal.GMF_PER_DATASET and not mask_flags & gdal.GMF_ALPHA:
        return None  # only warping applies the mask of the whole file

    raster_size = (source.dataset.RasterXSize, source.dataset.RasterYSize)
    first_pixel = _find_first_common_pixel(geotransform, raster_size, grid)
    if first_pixel is None:
        return None
    try:
        stored_values = stored_band.ReadAsArray(
            *first_pixel, grid.columns, grid.rows, callback=callback
        )
    except RuntimeError:
        return None
    if stored_values is None or np.iscomplexobj(stored_values):
        return None
    values = stored_values.astype(np.float64)
    if source.nodata is not None:
        values[values == _round_as_stored(source.nodata, stored_values.dtype)] = np.nan
    return values


def _find_first_common_pixel(
    geotransform: Sequence[float], raster_size: tuple[int, int], grid: Grid
) -> tuple[int, int] | None:
    """Return the column and row of the raster pixel that is the upper left pixel of a grid.

    Args:
        geotransform: GDAL's six numbers of the raster, in the CRS of the grid.
        raster_size: number of columns and of rows of the raster.
        grid: the grid.

    Returns:
        The column and the row, from 0; None if the grid has other pixels or extends beyond the
        raster.
    """
    metres = grid.working_crs.metres_per_unit
    left, x_per_column, x_per_row, top, y_per_column, y_per_row = (
        metres * value for value in geotransform
    )
    is_rotated = bool(x_per_row or y_per_column)
    has_same_size = np.isclose(
        [x_per_column, -y_per_row], [grid.pixel_width, grid.pixel_height], rtol=1e-9, atol=0.0
    ).all()
    if is_rotated or not has_same_size:
        return None

    offset = np.array([(grid.left - left) / x_per_column, (top - grid.top) / -y_per_row])
    first_pixel = np.round(offset).astype(int)
    is_shifted = np.abs(offset - first_pixel).max() > _BORDER_SHIFT
    end_pixel = first_pixel + np.array([grid.columns, grid.rows])
    is_beyond = (first_pixel < 0).any() or (end_pixel > raster_size).any()
    if is_shifted or is_beyond:
        return None
    column, row = first_pixel.tolist()
    return column, row


def _read_warped(source: _BandSource, grid: Grid, callback: Any) -> Floats | None:
    """Read a band onto a grid by nearest neighbour resampling.

    Args:
        source: the band.
        grid: the grid.
        callback: progress callback of GDAL.

    Returns:
        Array (rows, columns) of unscaled values, NaN for nodata; None if the band cannot be read.
    """
    shifted_grid = replace(
        grid,
        left=grid.left + _BORDER_SHIFT * grid.pixel_width,
        top=grid.top - _BORDER_SHIFT * grid.pixel_height,
    )
    target = create_raster(shifted_grid, np.nan)
    options: dict[str, Any] = {
        "resampleAlg": gdal.GRA_NearestNeighbour,
        "dstNodata": math.nan,
        "callback": callback,
        # Overviews hold other values than the pixels, and files with equal pixels may lack them.
        "overviewLevel": "NONE",
    }
    if not source.raster.is_in_pixels:
        options["srcSRS"] = to_wkt(source.raster.crs)
        options["dstSRS"] = to_wkt(grid.working_crs.crs)
    if source.nodata is not None:
        options["srcNodata"] = source.nodata
    elif source.dataset.GetRasterBand(source.band).GetNoDataValue() is not None:
        # The file has a value for no data that the user switched off.
        options["srcNodata"] = "None"
    try:
        is_done = gdal.Warp(target, _select_band(source), **options)
    except RuntimeError:
        return None
    if not is_done:
        return None
    return np.asarray(target.GetRasterBand(1).ReadAsArray(), dtype=np.float64)


def _select_band(source: _BandSource) -> gdal.Dataset:
    """Return a virtual raster with a single band of a file.

    A raster in pixels gets the coordinates of its pixels and no coordinate system.

    Args:
        source: the band.

    Raises:
        RuntimeError: if GDAL cannot read the file.
    """
    single_band = gdal.Translate("", source.dataset, format="VRT", bandList=[source.band])
    if source.raster.is_in_pixels:
        geotransform = source.dataset.GetGeoTransform(can_return_null=True)
        single_band.SetGeoTransform(geotransform or PIXEL_GEOTRANSFORM)
        single_band.SetProjection("")
    return single_band


def gdal_callback(progress: Progress) -> tuple[Callable[[float, str, Any], int], list[Cancelled]]:
    """Return a progress callback for GDAL.

    An exception must not pass through GDAL. If ``progress`` raises Cancelled, the callback stores
    the exception and stops GDAL; the caller raises it afterwards.

    Args:
        progress: callback that receives the completed fraction.

    Returns:
        The callback for GDAL, and a list to which it appends the Cancelled exception.
    """
    cancellations: list[Cancelled] = []

    def report_progress(fraction: float, _message: str, _data: Any) -> int:
        try:
            # GDAL reports fractions above 1 for small rasters.
            progress(min(float(fraction), 1.0))
        except Cancelled as cancelled:
            cancellations.append(cancelled)
            return 0
        return 1

    return report_progress, cancellations


def create_raster(grid: Grid, value: float, data_type: int = gdal.GDT_Float64) -> gdal.Dataset:
    """Return a raster in memory with one band that is filled with a value.

    Args:
        grid: the pixels of the raster.
        value: value of all pixels; NaN is also declared as the nodata value.
        data_type: GDAL's type of the values.

    Raises:
        InputError: if the grid has more than ``MAX_NUMERIC_PIXELS`` pixels.
    """
    grid.check_size()
    dataset = gdal.GetDriverByName("MEM").Create("", grid.columns, grid.rows, 1, data_type)
    grid.georeference(dataset)
    band = dataset.GetRasterBand(1)
    if math.isnan(value):
        band.SetNoDataValue(math.nan)
    band.Fill(value)
    return dataset


def to_wkt(crs: QgsCoordinateReferenceSystem) -> str:
    """Return a CRS as well-known text that GDAL reads."""
    return str(crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED_GDAL))


def colour_bands(layer: QgsRasterLayer) -> tuple[int, int, int] | None:
    """Return the bands that a layer shows as red, green and blue.

    Args:
        layer: the raster layer.

    Returns:
        Numbers of the bands, from 1; the first three if the layer has another kind of style. None
        for a raster with fewer than three bands.
    """
    n_bands = count_bands(layer)
    if n_bands < 3:
        return None
    renderer = layer.renderer()
    if isinstance(renderer, QgsMultiBandColorRenderer):
        bands = (renderer.redBand(), renderer.greenBand(), renderer.blueBand())
        if all(1 <= band <= n_bands for band in bands):
            return bands
    return (1, 2, 3)


def rasterise_mask(polygons: ArrayLike, grid: Grid, progress: Progress = no_progress) -> Bools:
    """Return a mask of the pixels whose centre lies in any of the polygons.

    Args:
        polygons: (n,) polygons in working metres; None and empty polygons are skipped.
        grid: the grid.
        progress: callback that receives the completed fraction.

    Returns:
        Mask (rows, columns).
    """
    shapes = np.asarray(polygons, dtype=object).ravel()
    grid.check_size()
    if _any_covers(shapes, grid):
        progress(1.0)
        return np.ones((grid.rows, grid.columns), dtype=bool)
    target = create_raster(grid, 0, gdal.GDT_Byte)
    _draw_in_batches(target, shapes, np.ones(len(shapes)), grid, progress)
    marks = np.asarray(target.GetRasterBand(1).ReadAsArray())
    # The bytes are 0 and 1, so they are booleans without a copy.
    return marks.view(bool)


def _any_covers(polygons: Objects, grid: Grid) -> bool:
    """Return True if one of the polygons (n,) covers the whole grid.

    Then no pixel has to be drawn. A study area is often the rectangle of the raster itself.
    """
    xmin, ymin, xmax, ymax = grid.bounds
    bounds = shapely.bounds(polygons)
    may_cover = (bounds[:, :2] <= (xmin, ymin)).all(axis=1)
    may_cover &= (bounds[:, 2:] >= (xmax, ymax)).all(axis=1)
    return bool(shapely.covers(polygons[may_cover], shapely.box(xmin, ymin, xmax, ymax)).any())


def rasterise_maximum(
    polygons: ArrayLike, values: ArrayLike, grid: Grid, progress: Progress = no_progress
) -> Floats:
    """Return, per pixel, the maximum value of the polygons that contain the pixel's centre.

    Args:
        polygons: (n,) polygons in working metres; None and empty polygons are skipped.
        values: (n,) value of each polygon; polygons with NaN are skipped.
        grid: the grid.
        progress: callback that receives the completed fraction.

    Returns:
        Array (rows, columns); minus infinity for pixels in no polygon.
    """
    shapes = np.asarray(polygons, dtype=object).ravel()
    heights = np.asarray(values, dtype=float).ravel()
    target = create_raster(grid, -np.inf)
    _draw_in_batches(target, shapes, heights, grid, progress)
    return np.asarray(target.GetRasterBand(1).ReadAsArray(), dtype=np.float64)


def _draw_in_batches(
    target: gdal.Dataset, shapes: Objects, values: Floats, grid: Grid, progress: Progress
) -> None:
    """Draw polygons (n,) with their values (n,), the highest last; see :func:`rasterise_maximum`.

    Args:
        target: the raster.
        shapes: (n,) polygons in working metres; None and empty polygons are skipped.
        values: (n,) values; polygons with NaN are skipped.
        grid: the pixels of the raster.
        progress: callback that receives the completed fraction.
    """
    is_skipped = shapely.is_missing(shapes) | shapely.is_empty(shapes) | np.isnan(values)
    rows = np.flatnonzero(~is_skipped)
    rows = rows[np.argsort(values[rows], kind="stable")]
    metres = grid.working_crs.metres_per_unit
    n_passes = max(1, _MOST_PIXELS_PASSED // (grid.rows * grid.columns))
    batch_size = max(_BATCH, math.ceil(len(rows) / n_passes))
    for batch, _ in iterate_with_progress(split_array(rows, batch_size), progress):
        batch_shapes = shapes[batch]
        if metres != 1.0:
            batch_shapes = shapely.transform(batch_shapes, lambda xy: xy / metres)
        _draw_polygons(target, batch_shapes, values[batch])


def _draw_polygons(target: gdal.Dataset, polygons: Objects, values: Floats) -> None:
    """Draw polygons (n,) with their values (n,) in order; later ones cover earlier ones.

    Args:
        target: dataset of one band; changed by this function.
        polygons: (n,) polygons in the coordinates of the dataset.
        values: (n,) value of each polygon.
    """
    driver = gdal.GetDriverByName("Memory") or gdal.GetDriverByName("MEM")
    dataset = driver.Create("", 0, 0, 0, gdal.GDT_Unknown)
    # GDAL warns each time it draws a layer without a CRS.
    local_crs = osr.SpatialReference('LOCAL_CS["pixels"]')
    layer = dataset.CreateLayer("polygons", target.GetSpatialRef() or local_crs, ogr.wkbUnknown)
    layer.CreateField(ogr.FieldDefn("value", ogr.OFTReal))
    for wkb, value in zip(shapely.to_wkb(polygons), values):
        _add_polygon(layer, wkb, float(value))
    gdal.RasterizeLayer(target, [1], layer, options=["ATTRIBUTE=value"])
    del layer  # The layer must be deleted before its dataset.


def _add_polygon(layer: ogr.Layer, wkb: bytes, value: float) -> None:
    """Add a feature to a layer; the local variable deletes the feature before the layer."""
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(ogr.CreateGeometryFromWkb(wkb))
    feature.SetField(0, value)
    layer.CreateFeature(feature)
