"""Grids of numbers as files and as polygons."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from osgeo import gdal, ogr, osr
from qgis.core import QgsCoordinateReferenceSystem, QgsRasterFileWriter

from randcrowns.core.errors import Cancelled, InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.raster import Grid

__all__ = ["grid_polygons", "write_grid"]

_TYPES = {"uint8": gdal.GDT_Byte, "uint16": gdal.GDT_UInt16, "float32": gdal.GDT_Float32}


def write_grid(
    path: Path, bands: Sequence[NDArray[Any]], grid: Grid, nodata: float, names: Sequence[str], described: str = ""
) -> None:
    """Write bands of one type (uint8, uint16 or float32) as a raster file, in the format of the file's ending.

    Args:
        path: file; what it held is lost.
        bands: (rows, columns) each.
        grid: where the pixels lie.
        nodata: value of pixels without data.
        names: of the bands.
        described: how the values were made, kept in the file's metadata.

    Raises:
        InputError: if the format cannot be written, or not there.
    """
    dataset = _memory(grid, bands[0].dtype, len(bands))
    dataset.SetMetadataItem("DESCRIPTION", described)
    for number, (values, name) in enumerate(zip(bands, names), start=1):
        band = dataset.GetRasterBand(number)
        band.WriteArray(values)
        band.SetNoDataValue(nodata)
        band.SetDescription(name)
    driver = gdal.GetDriverByName(QgsRasterFileWriter.driverForExtension(path.suffix.lstrip(".")) or "GTiff")
    options = ["COMPRESS=DEFLATE"] if driver is not None and driver.ShortName == "GTiff" else []
    try:
        written = None if driver is None else driver.CreateCopy(str(path), dataset, options=options)
    except RuntimeError:  # where GDAL's exceptions are switched on
        written = None
    if written is None:
        reason = gdal.GetLastErrorMsg() or "no reason given"
        raise InputError(f"The raster {path} cannot be written ({reason}); choose another place, or a .tif file.")
    written.FlushCache()


def grid_polygons(
    values: NDArray[Any], wanted: NDArray[np.bool_], grid: Grid, progress: Progress = no_progress
) -> tuple[NDArray[np.object_], NDArray[np.int64]]:
    """Polygons along pixel edges around pixels of one value that adjoin side to side.

    Args:
        values: (rows, columns) whole numbers up to 2,147,483,647.
        wanted: (rows, columns) pixels to take.
        grid: where the pixels lie.
        progress: told the fraction done.

    Returns:
        (P,) polygons in working metres, and the value of each.
    """
    plain = values if values.dtype.name in _TYPES else np.asarray(values, dtype=np.int32)
    target, mask = _memory(grid, plain.dtype, 1), _memory(grid, np.dtype(np.uint8), 1)
    target.GetRasterBand(1).WriteArray(plain)
    mask.GetRasterBand(1).WriteArray(wanted.view(np.uint8))
    driver = ogr.GetDriverByName("Memory") or ogr.GetDriverByName("MEM")
    source = driver.CreateDataSource("polygons")
    layer = source.CreateLayer("polygons", None, ogr.wkbPolygon)
    layer.CreateField(ogr.FieldDefn("value", ogr.OFTInteger))
    stopped: list[Cancelled] = []

    def tell(fraction: float, _message: str, _data: Any) -> int:
        try:
            progress(float(fraction))
        except Cancelled as cancelled:
            stopped.append(cancelled)
            return 0
        return 1

    try:
        gdal.Polygonize(target.GetRasterBand(1), mask.GetRasterBand(1), layer, 0, [], callback=tell)
    except RuntimeError as error:
        if not stopped:
            raise InputError(f"The pixels cannot be turned into polygons: {error}") from error
    if stopped:
        raise stopped[0]
    layer.ResetReading()
    wkb, found = [], []
    for feature in layer:
        wkb.append(bytes(feature.GetGeometryRef().ExportToWkb()))
        found.append(feature.GetField(0))
    polygons = np.asarray(shapely.from_wkb(np.array(wkb, dtype=object)), dtype=object)
    if grid.working.metres != 1.0:
        polygons = shapely.transform(polygons, lambda xy: xy * grid.working.metres)
    broken = ~shapely.is_valid(polygons)  # rings that meet in a corner
    polygons[broken] = shapely.make_valid(polygons[broken])
    return polygons, np.array(found, dtype=np.int64)


def _memory(grid: Grid, kind: np.dtype[Any], bands: int) -> gdal.Dataset:
    gdal_type = _TYPES.get(kind.name, gdal.GDT_Int32)
    dataset = gdal.GetDriverByName("MEM").Create("", grid.columns, grid.rows, bands, gdal_type)
    dataset.SetGeoTransform(grid.geotransform)
    system = osr.SpatialReference()
    system.ImportFromWkt(str(grid.working.crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED_GDAL)))
    dataset.SetProjection(system.ExportToWkt())
    return dataset
