"""Grids written as rasters and turned into polygons."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext
from support.errors import raises
from support.full_disk import room

from randcrowns.core.errors import Cancelled
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster import write
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.write import RasterOutput, polygonise_grid, write_raster

WEST, NORTH = 500000.0, 3000020.0


@pytest.fixture
def grid(qgis_app):
    working = WorkingCrs(
        QgsCoordinateReferenceSystem("EPSG:32617"), 1.0, "", QgsCoordinateTransformContext()
    )
    return Grid(working, WEST, NORTH, 2.0, 2.0, 5, 6)


@pytest.mark.parametrize(("kind", "nodata"), [("uint8", 255), ("uint16", 65535), ("float32", -1.0)])
def test_what_is_written_is_read_again(grid, tmp_path, kind, nodata):
    values = np.arange(30).reshape(5, 6).astype(kind)
    path = tmp_path / "made.tif"
    bands = {"first": values.__getitem__, "second": (values + 1).__getitem__}
    write_raster(path, RasterOutput(bands, kind, grid, nodata, "how it was made"))
    found = gdal.Open(str(path))
    np.testing.assert_array_equal(found.ReadAsArray(), [values, values + 1])
    assert found.GetGeoTransform() == (WEST, 2.0, 0.0, NORTH, 0.0, -2.0)
    assert found.GetRasterBand(2).GetDescription() == "second"
    assert found.GetRasterBand(1).GetNoDataValue() == nodata
    assert found.GetMetadataItem("DESCRIPTION") == "how it was made"
    assert found.GetSpatialRef().GetAuthorityCode(None) == "32617"


def test_a_place_that_cannot_be_written_is_told(grid, tmp_path):
    with raises("raster.not_written"):
        write_raster(
            tmp_path / "nowhere" / "made.tif",
            RasterOutput({"a": np.zeros((5, 6)).__getitem__}, "uint8", grid, 1),
        )


@pytest.mark.parametrize("exceptions", [False, True])
def test_a_full_disk_is_told(grid, tmp_path, exceptions):
    values = np.random.default_rng(0).random((400, 500)).astype(np.float32)
    large = replace(grid, rows=400, columns=500)
    before = gdal.GetUseExceptions()
    (gdal.UseExceptions if exceptions else gdal.DontUseExceptions)()
    try:
        with room(200_000), raises("raster.not_written"):
            write_raster(
                tmp_path / "made.tif", RasterOutput({"a": values.__getitem__}, "float32", large, -1)
            )
    finally:
        (gdal.UseExceptions if before else gdal.DontUseExceptions)()


def test_what_gdal_says_of_a_failure_is_told_though_all_of_it_can_be_read(
    grid, tmp_path, monkeypatch
):
    def write_and_fail(*given, written=write._write_bands):
        written(*given)
        gdal.Error(gdal.CE_Failure, gdal.CPLE_FileIO, "lost a block")

    monkeypatch.setattr(write, "_write_bands", write_and_fail)
    with raises("raster.not_written", reason="lost a block"):
        write_raster(
            tmp_path / "made.tif",
            RasterOutput({"a": np.zeros((5, 6)).__getitem__}, "uint8", grid, 1),
        )


def test_writing_is_told_and_can_be_cancelled(grid, tmp_path):
    told, bands = [], {"a": np.zeros((3000, 1000), np.uint8).__getitem__}
    raster = RasterOutput(bands, "uint8", replace(grid, rows=3000, columns=1000), 1)
    write_raster(tmp_path / "made.tif", raster, told.append)
    assert told == sorted(told)
    assert len(told) >= 6
    assert told[-1] == 1

    def stop(_fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        write_raster(tmp_path / "b.tif", raster, stop)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.int64])
def test_polygons_follow_the_pixels(grid, kind):
    values = np.array(
        [
            [1, 1, 1, 0, 2, 2],
            [1, 0, 1, 0, 2, 2],
            [1, 1, 1, 0, 0, 0],
            [0, 0, 0, 3, 0, 0],
            [0, 0, 0, 0, 3, 0],
        ]
    )
    polygons, found = polygonise_grid(values.astype(kind), values > 0, grid)
    assert sorted(found) == [1, 2, 3, 3]
    assert shapely.is_valid(polygons).all()
    for number in (1, 2, 3):
        area = shapely.area(polygons[found == number]).sum()
        assert area == pytest.approx(4 * (values == number).sum())
    (ring,) = polygons[found == 1]
    assert len(ring.interiors) == 1
    assert shapely.total_bounds(polygons).tolist() == [WEST, NORTH - 10, WEST + 12, NORTH]


def test_polygons_are_in_metres_where_the_system_is_in_feet(qgis_app):
    feet = WorkingCrs(
        QgsCoordinateReferenceSystem("EPSG:2236"), 0.3048, "", QgsCoordinateTransformContext()
    )
    polygons, _ = polygonise_grid(
        np.ones((2, 2), np.uint8), np.ones((2, 2), bool), Grid(feet, 1000.0, 2000.0, 5.0, 5.0, 2, 2)
    )
    assert shapely.total_bounds(polygons) == pytest.approx([1000, 1990, 1010, 2000])


def test_nothing_wanted_gives_nothing(grid):
    polygons, found = polygonise_grid(np.zeros((5, 6), np.uint8), np.zeros((5, 6), bool), grid)
    assert len(polygons) == len(found) == 0


def test_it_can_be_cancelled(grid):
    def stop(_fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        polygonise_grid(np.ones((5, 6), np.uint8), np.ones((5, 6), bool), grid, stop)


def test_polygons_are_made_without_a_copy_of_the_pixels(grid):
    status, reset = Path("/proc/self/status"), Path("/proc/self/clear_refs")
    if not os.access(reset, os.W_OK):
        pytest.skip("only Linux tells and resets the highest use of memory")

    def megabytes(name):
        return int(re.search(rf"{name}:\s+(\d+) kB", status.read_text()).group(1)) / 1024

    large = replace(grid, rows=8000, columns=8000)
    values = np.zeros(large.shape, dtype=np.uint8)
    values[100:4000, 100:4000] = 1
    wanted = values == 1  # 61 MB each
    reset.write_text("5")
    before = megabytes("VmRSS")
    polygons, found = polygonise_grid(values, wanted, large)
    assert megabytes("VmHWM") - before < 40
    assert found.tolist() == [1]
    assert shapely.area(polygons).tolist() == [3900 * 3900 * 4.0]
