"""Raster files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from osgeo import gdal, osr

__all__ = ["NORTH", "WEST", "write_raster"]

WEST, NORTH = 500000.0, 3000020.0


def write_raster(
    path: Path,
    values,
    pixel=1.0,
    west=WEST,
    north=NORTH,
    epsg=32617,
    nodata=None,
    kind=gdal.GDT_Float64,
) -> Path:
    """Write a GeoTIFF of values (rows, columns) or (bands, rows, columns)."""
    bands = np.asarray(values, dtype=float)
    bands = bands[None] if bands.ndim == 2 else bands
    raster = gdal.GetDriverByName("GTiff").Create(
        str(path), bands.shape[2], bands.shape[1], len(bands), kind
    )
    raster.SetGeoTransform((west, pixel, 0, north, 0, -pixel))
    system = osr.SpatialReference()
    system.ImportFromEPSG(epsg)
    raster.SetProjection(system.ExportToWkt())
    for number, band in enumerate(bands, start=1):
        raster.GetRasterBand(number).WriteArray(band)
        if nodata is not None:
            raster.GetRasterBand(number).SetNoDataValue(nodata)
    del raster
    return path
