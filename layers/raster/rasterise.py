"""Polygons drawn onto a grid of pixels."""

from __future__ import annotations

import math

import numpy as np
import shapely
from numpy.typing import ArrayLike
from osgeo import gdal, ogr, osr

from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.raster.grid import Grid, empty_raster, wkt_of

# Polygons drawn between two looks at the progress; more where the grid is large, since every drawing passes over it.
_BATCH = 500
_MOST_PIXELS_PASSED = 500_000_000


def inside_polygons(polygons: ArrayLike, grid: Grid, progress: Progress = no_progress) -> Bools:
    """(rows, columns) pixels whose centre lies in any of the polygons (working metres)."""
    shapes = np.asarray(polygons, dtype=object).ravel()
    return np.isfinite(highest_value(shapes, np.zeros(len(shapes)), grid, progress))


def highest_value(polygons: ArrayLike, values: ArrayLike, grid: Grid, progress: Progress = no_progress) -> Floats:
    """(rows, columns) the highest value of the polygons that a pixel's centre lies in; minus infinity without any.

    Args:
        polygons: (n,) polygons in working metres; None and empty ones are passed over.
        values: (n,) a value each; polygons with NaN are passed over.
        grid: where to draw.
        progress: told the fraction done.
    """
    shapes = np.asarray(polygons, dtype=object).ravel()
    height = np.asarray(values, dtype=float).ravel()
    target = empty_raster(grid, -np.inf)
    usable = ~(shapely.is_missing(shapes) | shapely.is_empty(shapes) | np.isnan(height))
    rows = np.flatnonzero(usable)
    rows = rows[np.argsort(height[rows], kind="stable")]
    metres = grid.working.metres
    passes = max(1, _MOST_PIXELS_PASSED // (grid.rows * grid.columns))
    batch = max(_BATCH, math.ceil(len(rows) / passes))
    for start in range(0, len(rows), batch):
        some = rows[start : start + batch]
        placed = shapes[some] if metres == 1.0 else shapely.transform(shapes[some], lambda xy: xy / metres)
        _draw(target, placed, height[some], wkt_of(grid.working.crs))
        progress(min(1.0, (start + batch) / len(rows)))
    return np.asarray(target.GetRasterBand(1).ReadAsArray(), dtype=np.float64)


def _draw(target: gdal.Dataset, polygons: Objects, values: Floats, wkt: str) -> None:
    """Draw the polygons in their order, so that later ones cover earlier ones."""
    driver = gdal.GetDriverByName("Memory") or gdal.GetDriverByName("MEM")
    shapes = driver.Create("", 0, 0, 0, gdal.GDT_Unknown)
    layer = shapes.CreateLayer("polygons", _srs(wkt), ogr.wkbUnknown)
    layer.CreateField(ogr.FieldDefn("value", ogr.OFTReal))
    for wkb, value in zip(shapely.to_wkb(polygons), values):
        _add_polygon(layer, wkb, float(value))
    gdal.RasterizeLayer(target, [1], layer, options=["ATTRIBUTE=value"])
    del layer  # before the dataset it belongs to


def _add_polygon(layer: ogr.Layer, wkb: bytes, value: float) -> None:
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(ogr.CreateGeometryFromWkb(wkb))
    feature.SetField(0, value)
    layer.CreateFeature(feature)


def _srs(wkt: str) -> osr.SpatialReference:
    system = osr.SpatialReference()
    system.ImportFromWkt(wkt)
    return system
