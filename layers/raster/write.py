"""Grids of values written as GeoTIFF files, and converted to polygons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import shapely
from osgeo import gdal, gdal_array, ogr

from randcrowns.core.arrays import Bools, Ints, Objects, split_range
from randcrowns.core.errors import InputError
from randcrowns.core.messages import TranslatableText
from randcrowns.core.outlines import repair_outlines
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, subprogress
from randcrowns.layers.raster.grid import Geotransform, Grid, gdal_callback

#: Function that returns the values (n, columns) of a slice of n rows.
RowReader = Callable[[slice], np.ndarray]

_GDAL_TYPES = {"uint8": gdal.GDT_Byte, "uint16": gdal.GDT_UInt16, "float32": gdal.GDT_Float32}
#: Number of pixels that are written or compared at a time.
_PIXELS_PER_BLOCK = 1 << 20
#: Number of rows per strip of a file; a strip is compressed as a whole.
_ROWS_PER_STRIP = 16
#: Number of polygons that are read between two progress reports.
_BATCH = 1000


@dataclass(frozen=True, eq=False)
class RasterOutput:
    """Raster to be written."""

    #: Per band, by name, a function that returns the values of a slice of rows.
    bands: dict[str, RowReader]
    #: Data type of the values: "uint8", "uint16" or "float32".
    data_type: str
    #: Pixels of the raster.
    grid: Grid
    #: Value of pixels without data.
    nodata: float
    #: Description of how the values were computed, stored in the file's metadata.
    description: str = ""


def lookup_rows(values: np.ndarray, index: np.ndarray) -> RowReader:
    """Return a function that looks up the values of a slice of rows.

    The values are looked up when rows are written, so that no array of the whole raster is created.

    Args:
        values: (m,) values to choose from.
        index: (rows, columns) index into ``values`` for each pixel.
    """
    return lambda rows: np.asarray(values[index[rows]])


def write_raster(path: Path, raster: RasterOutput, progress: Progress = no_progress) -> None:
    """Write a GeoTIFF file, and read it again to verify its values.

    Args:
        path: the file, which is overwritten.
        raster: the values.
        progress: callback that receives the completed fraction.

    Raises:
        InputError: if the file cannot be written, or holds other values than were written.
    """
    gdal.ErrorReset()
    try:
        _write_bands(path, raster, subprogress(progress, 0.0, 0.7))
        has_error = gdal.GetLastErrorType() >= gdal.CE_Failure
        is_written = not has_error and _is_equal(path, raster, subprogress(progress, 0.7, 1.0))
    except RuntimeError:  # GDAL raises errors only if its exceptions are enabled.
        is_written = False
    if not is_written:
        reason = gdal.GetLastErrorMsg() or TranslatableText("no reason given; is the disk full?")
        raise InputError(
            "raster.not_written",
            "The raster {path} cannot be written ({reason}). Free disk space, or choose another "
            "folder.",
            path=path,
            reason=reason,
        )


def polygonise_grid(
    values: np.ndarray, mask: Bools, grid: Grid, progress: Progress = no_progress
) -> tuple[Objects, Ints]:
    """Return polygons along the edges of pixels that have equal values and share a side.

    Args:
        values: (rows, columns) integers up to 2,147,483,647.
        mask: (rows, columns) mask of the pixels to include.
        grid: pixels of the arrays.
        progress: callback that receives the completed fraction.

    Returns:
        Array (n,) of valid polygons in working metres, and array (n,) of their values.

    Raises:
        InputError: if GDAL cannot create the polygons.
    """
    polygons, polygon_values = polygonise(values, mask, grid.geotransform, progress)
    return to_metres(polygons, grid), polygon_values


def to_metres(polygons: Objects, grid: Grid) -> Objects:
    """Return polygons (n,) in the coordinates of a grid's CRS in working metres."""
    metres = grid.working_crs.metres_per_unit
    if metres == 1.0:
        return polygons
    return np.asarray(shapely.transform(polygons, lambda xy: xy * metres), dtype=object)


def polygonise_labels(
    labels: Ints, geotransform: Geotransform, progress: Progress = no_progress
) -> tuple[Objects, Ints]:
    """Return one outline per number, along the edges of its pixels.

    Args:
        labels: (rows, columns) numbers of the instances; 0 for the background.
        geotransform: position of the pixels.
        progress: callback that receives the completed fraction.

    Returns:
        Array (n,) of valid (multi)polygons in the coordinates of the geotransform, and array (n,)
        of their numbers, ascending.

    Raises:
        InputError: if GDAL cannot create the polygons.
    """
    # GDAL requires small numbers, so each label is replaced by its rank.
    numbers, ranks = np.unique(labels, return_inverse=True)
    rank_of_pixel = ranks.reshape(labels.shape)
    outlines, rank_of_outline = polygonise(rank_of_pixel, labels != 0, geotransform, progress)
    # All parts of a number are one instance, whether they touch or not.
    parts, outline_of_part = shapely.get_parts(outlines, return_index=True)
    rank_of_part = rank_of_outline[outline_of_part]
    order = np.argsort(rank_of_part, kind="stable")
    instance_ranks, instance_of_part, n_parts = np.unique(
        rank_of_part[order], return_inverse=True, return_counts=True
    )
    multipolygons = shapely.multipolygons(parts[order], indices=instance_of_part)
    instances = np.asarray(multipolygons, dtype=object)
    is_single = n_parts == 1
    instances[is_single] = shapely.get_geometry(instances[is_single], 0)
    return instances, numbers[instance_ranks]


def polygonise(
    values: np.ndarray, mask: Bools, geotransform: Geotransform, progress: Progress = no_progress
) -> tuple[Objects, Ints]:
    """Return the outlines of pixels that have equal values and share a side.

    Args:
        values: (rows, columns) integers up to 2,147,483,647.
        mask: (rows, columns) mask of the pixels to include.
        geotransform: position of the pixels.
        progress: callback that receives the completed fraction.

    Returns:
        Array (n,) of valid (multi)polygons in the coordinates of the geotransform, and array (n,)
        of their values.

    Raises:
        InputError: if GDAL cannot create the polygons.
    """
    if values.dtype.name not in _GDAL_TYPES:
        values = np.asarray(values, dtype=np.int32)
    # The layer is deleted together with its data source, so both are held here.
    driver = ogr.GetDriverByName("Memory") or ogr.GetDriverByName("MEM")
    source = driver.CreateDataSource("polygons")
    layer = source.CreateLayer("polygons", None, ogr.wkbPolygon)
    layer.CreateField(ogr.FieldDefn("value", ogr.OFTInteger))
    _polygonise_into_layer(values, mask, geotransform, layer, progress)

    layer.ResetReading()
    wkbs = []
    outline_values = []
    for number, feature in enumerate(layer):
        if number % _BATCH == 0:
            progress(1.0)  # which raises after a cancel
        outline = feature.GetGeometryRef()
        wkbs.append(bytes(outline.ExportToWkb()))
        outline_values.append(feature.GetField(0))
    polygons = shapely.from_wkb(np.array(wkbs, dtype=object))
    # Rings that touch themselves in the corner of a pixel are invalid.
    valid_polygons = repair_outlines(
        np.asarray(polygons, dtype=object), lambda _fraction: progress(1.0)
    )
    return valid_polygons, np.array(outline_values, dtype=np.int64)


def _polygonise_into_layer(
    values: np.ndarray,
    mask: Bools,
    geotransform: Geotransform,
    layer: ogr.Layer,
    progress: Progress,
) -> None:
    """Add the outlines of pixels with equal values to a layer.

    Args:
        values: (rows, columns) integers of a type that GDAL knows.
        mask: (rows, columns) mask of the pixels to include.
        geotransform: position of the pixels.
        layer: layer whose first field gets the values; changed by this function.
        progress: callback that receives the completed fraction.

    Raises:
        InputError: if GDAL cannot create the polygons.
    """
    value_dataset = _create_dataset(values, geotransform)
    mask_dataset = _create_dataset(mask.view(np.uint8), geotransform)
    callback, cancellations = gdal_callback(progress)
    try:
        gdal.Polygonize(
            value_dataset.GetRasterBand(1),
            mask_dataset.GetRasterBand(1),
            layer,
            0,
            [],
            callback=callback,
        )
    except RuntimeError as error:
        # A cancel is an error of GDAL, too.
        if not cancellations:
            raise InputError(
                "raster.not_polygonised",
                "The pixels cannot be turned into polygons: {error}",
                error=error,
            ) from error
    if cancellations:
        raise cancellations[0]


def _write_bands(path: Path, raster: RasterOutput, progress: Progress) -> None:
    """Write the bands to a file; GDAL keeps the error if the file cannot be created.

    Args:
        path: the file to create.
        raster: raster to write.
        progress: callback that receives the completed fraction.
    """
    grid = raster.grid
    driver = gdal.GetDriverByName("GTiff")
    dataset = driver.Create(
        str(path),
        grid.columns,
        grid.rows,
        len(raster.bands),
        _GDAL_TYPES[raster.data_type],
        ["COMPRESS=DEFLATE", "BIGTIFF=IF_SAFER", f"BLOCKYSIZE={_ROWS_PER_STRIP}"],
    )
    if dataset is None:
        return
    grid.georeference(dataset)
    dataset.SetMetadataItem("DESCRIPTION", raster.description)
    for number, name in enumerate(raster.bands, start=1):
        dataset.GetRasterBand(number).SetNoDataValue(raster.nodata)
        dataset.GetRasterBand(number).SetDescription(name)
    for block in _read_value_blocks(raster, progress):
        band = dataset.GetRasterBand(block.band)
        band.WriteArray(block.values, 0, block.first_row)
        # Otherwise all blocks are compressed at the end, which cannot be cancelled.
        band.FlushCache()
    dataset.FlushCache()


def _is_equal(path: Path, raster: RasterOutput, progress: Progress) -> bool:
    """Return True if a file holds the values of a raster.

    Args:
        path: the written file.
        raster: raster with the expected values.
        progress: callback that receives the completed fraction.
    """
    dataset = gdal.Open(str(path))
    if dataset is None:
        return False
    for block in _read_value_blocks(raster, progress):
        n_rows, n_columns = block.values.shape
        band = dataset.GetRasterBand(block.band)
        stored_values = band.ReadAsArray(0, block.first_row, n_columns, n_rows)
        if not np.array_equal(stored_values, block.values):
            return False
    return True


class _ValueBlock(NamedTuple):
    """Some rows of a band."""

    #: Number of the band, from 1.
    band: int
    #: Index of the first row.
    first_row: int
    #: (rows, columns) values.
    values: np.ndarray


def _read_value_blocks(raster: RasterOutput, progress: Progress) -> Iterator[_ValueBlock]:
    """Yield the values of all bands in blocks of whole strips.

    Args:
        raster: raster to be written.
        progress: callback that receives the fraction of the blocks that were yielded.
    """
    strips_per_block = _PIXELS_PER_BLOCK // raster.grid.columns // _ROWS_PER_STRIP
    rows_per_block = max(1, strips_per_block) * _ROWS_PER_STRIP
    blocks = list(split_range(raster.grid.rows, rows_per_block))
    bands = list(enumerate(raster.bands.values(), start=1))
    for (number, read_rows), band_progress in iterate_with_progress(bands, progress):
        for rows, _ in iterate_with_progress(blocks, band_progress):
            yield _ValueBlock(band=number, first_row=rows.start, values=read_rows(rows))


def _create_dataset(values: np.ndarray, geotransform: Geotransform) -> gdal.Dataset:
    """Return a dataset with one band that shares the memory of an array (rows, columns)."""
    dataset = gdal_array.OpenArray(values)
    dataset.SetGeoTransform(geotransform)
    return dataset
