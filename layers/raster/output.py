"""Grids of numbers as files and as polygons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from osgeo import gdal, gdal_array, ogr

from randcrowns.core.arrays import Bools, Ints, Objects, slices
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress, part_of, steps
from randcrowns.core.remarks import Said
from randcrowns.layers.raster.grid import Grid, gdal_progress

#: Gives the values (n, columns) of n rows of pixels.
Rows = Callable[[slice], np.ndarray]

_TYPES = {"uint8": gdal.GDT_Byte, "uint16": gdal.GDT_UInt16, "float32": gdal.GDT_Float32}
# Written or compared at a time.
_PIXELS_AT_ONCE = 1 << 20
# Rows that are compressed together.
_STRIP = 16
# Polygons taken over between two looks at the progress.
_BATCH = 1000


@dataclass(frozen=True, eq=False)
class RasterTable:
    """A raster to be written."""

    bands: dict[str, Rows]  #: by name, a function that gives the values of a slice of rows.
    kind: str  #: type of the values: uint8, uint16 or float32.
    grid: Grid  #: where the pixels lie.
    nodata: float  #: value of pixels without data.
    described: str = ""  #: how the values were made, kept in the file's metadata.


def looked_up(values: np.ndarray, index: np.ndarray) -> Rows:
    """Rows of a raster that shows a value for each pattern: (M + 1,) values, the last outside; (rows, columns) index.

    No array of the whole raster is made.
    """
    return lambda rows: np.asarray(values[index[rows]])


def write_raster(path: Path, raster: RasterTable, progress: Progress = no_progress) -> None:
    """Write a GeoTIFF over what is there, a few rows at a time, and read it again to see whether all of it arrived.

    Raises:
        InputError: if the file cannot be written, or does not hold what was written.
    """
    gdal.ErrorReset()
    try:
        _write_bands(path, raster, part_of(progress, 0.0, 0.7))
        failed = gdal.GetLastErrorType() >= gdal.CE_Failure
        right = not failed and _holds(path, raster, part_of(progress, 0.7, 1.0))
    except RuntimeError:  # where GDAL's exceptions are switched on
        right = False
    if not right:
        reason = gdal.GetLastErrorMsg() or Said("no reason given; is the disk full?")
        said = "The raster {path} cannot be written ({reason}); make room, or choose another place."
        raise InputError(said, path=path, reason=reason)


def grid_polygons(
    values: np.ndarray, wanted: Bools, grid: Grid, progress: Progress = no_progress
) -> tuple[Objects, Ints]:
    """Polygons along pixel edges around pixels of one value that adjoin side to side.

    Args:
        values: (rows, columns) whole numbers up to 2,147,483,647.
        wanted: (rows, columns) pixels to take.

    Returns:
        (P,) polygons in working metres, and the value of each.
    """
    plain = values if values.dtype.name in _TYPES else np.asarray(values, dtype=np.int32)
    polygons, found = traced(
        _as_raster(plain, grid), _as_raster(wanted.view(np.uint8), grid), progress
    )
    if grid.working.metres != 1.0:
        polygons = shapely.transform(polygons, lambda xy: xy * grid.working.metres)
    broken = ~shapely.is_valid(polygons)  # rings that meet in a corner
    polygons[broken] = shapely.make_valid(polygons[broken])
    return polygons, found


def traced(
    target: gdal.Dataset, mask: gdal.Dataset, progress: Progress = no_progress
) -> tuple[Objects, Ints]:
    """(P,) outlines of pixels of one value that adjoin side to side, where the mask is not 0, and the value of each."""
    driver = ogr.GetDriverByName("Memory") or ogr.GetDriverByName("MEM")
    source = driver.CreateDataSource("polygons")
    layer = source.CreateLayer("polygons", None, ogr.wkbPolygon)
    layer.CreateField(ogr.FieldDefn("value", ogr.OFTInteger))
    tell, stopped = gdal_progress(progress)
    try:
        gdal.Polygonize(target.GetRasterBand(1), mask.GetRasterBand(1), layer, 0, [], callback=tell)
    except RuntimeError as error:
        if not stopped:
            raise InputError(
                "The pixels cannot be turned into polygons: {error}", error=error
            ) from error
    if stopped:
        raise stopped[0]
    layer.ResetReading()
    wkb, found = [], []
    for number, feature in enumerate(layer):
        if number % _BATCH == 0:
            progress(1.0)
        wkb.append(bytes(feature.GetGeometryRef().ExportToWkb()))
        found.append(feature.GetField(0))
    polygons = np.asarray(shapely.from_wkb(np.array(wkb, dtype=object)), dtype=object)
    return polygons, np.array(found, dtype=np.int64)


def _write_bands(path: Path, raster: RasterTable, progress: Progress) -> None:
    grid, options = raster.grid, ["COMPRESS=DEFLATE", "BIGTIFF=IF_SAFER", f"BLOCKYSIZE={_STRIP}"]
    driver = gdal.GetDriverByName("GTiff")
    made = driver.Create(
        str(path), grid.columns, grid.rows, len(raster.bands), _TYPES[raster.kind], options
    )
    if made is None:
        return
    grid.place(made)
    made.SetMetadataItem("DESCRIPTION", raster.described)
    for number, name in enumerate(raster.bands, start=1):
        made.GetRasterBand(number).SetNoDataValue(raster.nodata)
        made.GetRasterBand(number).SetDescription(name)
    for number, first, values in _strips(raster, progress):
        band = made.GetRasterBand(number)
        band.WriteArray(values, 0, first)
        band.FlushCache()  # else all of it is compressed at the end, deaf to a cancel
    made.FlushCache()


def _holds(path: Path, raster: RasterTable, progress: Progress) -> bool:
    found = gdal.Open(str(path))
    return found is not None and all(
        np.array_equal(
            found.GetRasterBand(number).ReadAsArray(0, first, *values.shape[::-1]), values
        )
        for number, first, values in _strips(raster, progress)
    )


def _strips(raster: RasterTable, progress: Progress) -> Iterator[tuple[int, int, np.ndarray]]:
    """Number of a band, from 1, a row, and the values from there on."""
    at_once = max(1, _PIXELS_AT_ONCE // raster.grid.columns // _STRIP) * _STRIP
    for (number, rows_of), share in steps(
        list(enumerate(raster.bands.values(), start=1)), progress
    ):
        for rows, _ in steps(list(slices(raster.grid.rows, at_once)), share):
            yield number, rows.start, rows_of(rows)


def _as_raster(values: np.ndarray, grid: Grid) -> gdal.Dataset:
    """The array as a raster of one band; it stays where it is, for a copy may be large."""
    dataset = gdal_array.OpenArray(values)
    grid.place(dataset)
    return dataset
