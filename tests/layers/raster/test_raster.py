"""Rasters on a common grid, and polygons drawn onto it."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsRasterLayer,
    QgsRasterRange,
)
from support.errors import raises
from support.rasters import NORTH, WEST, write_raster

from randcrowns.core.errors import Cancelled
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import (
    Grid,
    RasterSnapshot,
    colour_bands,
    count_bands,
    rasterise_mask,
    read_band,
)

CONTEXT = QgsCoordinateTransformContext()


def snapshot(path, **settings):
    layer = QgsRasterLayer(str(path), path.stem)
    for nodata in settings.get("nodata", ()):
        layer.dataProvider().setUserNoDataValue(1, [QgsRasterRange(nodata, nodata)])
    if "heed" in settings:
        layer.dataProvider().setUseSourceNoDataValue(1, settings["heed"])
    return RasterSnapshot.from_layer(layer)


@pytest.fixture
def values():
    return np.random.default_rng(3).normal(size=(7, 5))


def metres(crs="EPSG:32617"):
    return WorkingCrs(QgsCoordinateReferenceSystem(crs), 1.0, "", CONTEXT)


def test_a_raster_on_its_own_grid_is_read_to_the_bit(qgis_app, tmp_path, values):
    raster = snapshot(write_raster(tmp_path / "a.tif", values, pixel=0.37))
    grid = Grid.from_raster(raster, CONTEXT)
    assert grid.shape == values.shape
    assert (grid.left, grid.top) == pytest.approx((WEST, NORTH))
    assert np.array_equal(read_band(raster, 1, grid), values)


def test_nodata_is_nan_whoever_declared_it(qgis_app, tmp_path, values):
    values[2, 3] = -9.0
    values[4, 1] = 7.0
    path = write_raster(tmp_path / "a.tif", values, nodata=-9.0)
    raster = snapshot(path, nodata=[7.0])
    read = read_band(raster, 1, Grid.from_raster(raster, CONTEXT))
    assert np.argwhere(np.isnan(read)).tolist() == [[2, 3], [4, 1]]
    ignored = snapshot(path, heed=False)
    assert read_band(ignored, 1, Grid.from_raster(ignored, CONTEXT))[2, 3] == -9.0


def test_nodata_of_single_precision_is_told_from_the_number_that_the_file_names(
    qgis_app, tmp_path, values
):
    values[2, 3] = -9.1
    raster = snapshot(write_raster(tmp_path / "a.tif", values, nodata=-9.1, kind=gdal.GDT_Float32))
    read = read_band(raster, 1, Grid.from_raster(raster, CONTEXT))
    assert np.argwhere(np.isnan(read)).tolist() == [[2, 3]]


def test_nodata_is_nan_on_another_grid_too_and_is_a_value_where_it_is_not_heeded(
    qgis_app, tmp_path
):
    path = write_raster(tmp_path / "a.tif", [[1, 2], [-9, 4]], pixel=1.0, nodata=-9)
    grid = Grid.from_raster(
        snapshot(write_raster(tmp_path / "fine.tif", np.zeros((4, 4)), pixel=0.5)), CONTEXT
    )
    for raster, low in ((snapshot(path), np.nan), (snapshot(path, heed=False), -9.0)):
        wanted = np.repeat(np.repeat([[1, 2], [low, 4]], 2, axis=0), 2, axis=1)
        np.testing.assert_array_equal(read_band(raster, 1, grid), wanted)


def test_scale_and_offset_give_the_values_that_the_map_shows(qgis_app, tmp_path):
    """The file's nodata is a stored number (30), the user's a scaled value (-0.35), as in QGIS."""
    path = write_raster(tmp_path / "a.tif", [[10, 20, 30], [40, 50, -9]], nodata=30)
    opened = gdal.Open(str(path), gdal.GA_Update)
    opened.GetRasterBand(1).SetScale(-0.01)
    opened.GetRasterBand(1).SetOffset(0.05)
    del opened
    raster = snapshot(path, nodata=[-0.35])
    read = read_band(raster, 1, Grid.from_raster(raster, CONTEXT))
    assert read == pytest.approx(
        np.array([[-0.05, -0.15, np.nan], [np.nan, -0.45, 0.14]]), nan_ok=True
    )
    layer = QgsRasterLayer(str(path), "a")
    shown = layer.dataProvider().block(1, layer.extent(), 3, 2)
    kept = [
        (row, column) for row in (0, 1) for column in range(3) if not np.isnan(read[row, column])
    ]
    assert [read[place] for place in kept] == pytest.approx([shown.value(*place) for place in kept])


def test_another_grid_is_aligned_by_the_nearest_pixel(qgis_app, tmp_path):
    first = snapshot(write_raster(tmp_path / "first.tif", np.zeros((4, 4)), pixel=1.0))
    fine = np.arange(64.0).reshape(8, 8)
    other = snapshot(write_raster(tmp_path / "other.tif", fine, pixel=0.5, west=WEST + 1.0))
    read = read_band(other, 1, Grid.from_raster(first, CONTEXT))
    assert np.isnan(read[:, 0]).all()
    # The centre of a pixel of 1 m is a corner of four pixels of 0.5 m: any of them is nearest.
    for row in range(4):
        for column in range(1, 4):
            near = fine[2 * row : 2 * row + 2, 2 * column - 2 : 2 * column]
            assert read[row, column] in near


def test_degrees_become_pixels_in_metres(qgis_app, tmp_path):
    raster = snapshot(
        write_raster(
            tmp_path / "a.tif", np.ones((30, 30)), pixel=1e-5, west=-82.0, north=29.7, epsg=4326
        )
    )
    grid = Grid.from_raster(raster, CONTEXT)
    assert grid.working_crs.crs.authid() == "EPSG:32617"
    assert 0.9 < grid.pixel_width < 1.2
    read = read_band(raster, 1, grid)
    assert np.nanmin(read) == 1.0
    assert np.isnan(read).mean() < 0.15


def test_the_grid_of_a_raster_has_its_pixels_though_they_are_no_squares(qgis_app, tmp_path, values):
    path = write_raster(tmp_path / "a.tif", values)
    gdal.Open(str(path), gdal.GA_Update).SetGeoTransform((WEST, 1.0, 0.0, NORTH, 0.0, -2.0))
    grid = Grid.from_raster(snapshot(path), CONTEXT)
    assert (grid.pixel_width, grid.pixel_height) == (1, 2)
    assert (grid.left, grid.top, grid.shape) == (WEST, NORTH, values.shape)


def test_feet_are_metres_on_the_grid(qgis_app, tmp_path, values):
    raster = snapshot(
        write_raster(tmp_path / "a.tif", values, pixel=1.0, west=2e6, north=2e5, epsg=2236)
    )
    grid = Grid.from_raster(raster, CONTEXT)
    assert grid.pixel_width == pytest.approx(0.3048, rel=1e-5)
    assert np.array_equal(read_band(raster, 1, grid), values)
    left, bottom, right, top = grid.bounds
    drawn = rasterise_mask([shapely.box(left, bottom, (left + right) / 2, top)], grid)
    assert drawn[:, :2].all()
    assert not drawn[:, 3:].any()


def test_a_part_of_a_grid_keeps_its_pixels(qgis_app):
    grid = Grid.from_bounds((WEST, NORTH - 10, WEST + 10, NORTH), 0.5, metres())
    part = grid.crop((WEST + 1.2, NORTH - 3.0, WEST + 2.0, NORTH - 1.0))
    assert part.shape == (4, 2)
    assert part.bounds == pytest.approx((WEST + 1.0, NORTH - 3.0, WEST + 2.0, NORTH - 1.0))
    assert part.has_same_pixels(Grid.from_bounds(part.bounds, 0.5, metres()))
    assert grid.crop((WEST - 9, NORTH - 99, WEST + 99, NORTH + 9)).has_same_pixels(grid)
    assert not part.has_same_pixels(Grid.from_bounds(part.bounds, 0.25, metres()))
    assert Grid.from_bounds((WEST, NORTH - 0.3, WEST + 0.2, NORTH), 0.5, metres()).shape == (1, 1)
    with raises("study_area.no_common_pixel"):
        grid.crop((WEST + 11, NORTH - 3, WEST + 12, NORTH - 1))


@pytest.mark.parametrize(
    ("pixel", "coarser", "off"), [(0.1, 2, 0.05), (0.1, 2, 0.15), (0.1, 3, 0.0), (0.3, 4, 0.15)]
)
def test_a_part_of_a_grid_is_read_as_the_whole_is(qgis_app, tmp_path, pixel, coarser, off):
    west, north, wide = 403560.3, 3285199.7, pixel * coarser
    other = np.arange(60.0 * 60.0).reshape(60, 60)
    first = snapshot(write_raster(tmp_path / "first.tif", np.zeros((90, 90)), pixel, west, north))
    path = write_raster(tmp_path / "other.tif", other, wide, west - off - wide, north + off + wide)
    raster, grid = snapshot(path), Grid.from_raster(first, CONTEXT)
    whole = read_band(raster, 1, grid)
    # A centre on a border belongs to the eastern and southern pixel.
    place = np.floor(((np.arange(90) + 0.5) * pixel + off + wide) / wide + 1e-6).astype(int)
    assert np.array_equal(whole, other[np.ix_(place, place)])
    rng = np.random.default_rng(1)
    for row, column, rows, columns in rng.integers((0, 0, 5, 5), (60, 60, 30, 30), (25, 4)):
        left, top = west + column * pixel, north - row * pixel
        part = grid.crop((left, top - rows * pixel, left + columns * pixel, top))
        assert np.array_equal(
            read_band(raster, 1, part), whole[row : row + rows, column : column + columns]
        )


@pytest.mark.parametrize("pixel", [0.0, -1.0, math.nan])
def test_pixels_without_size_are_refused(qgis_app, pixel):
    with raises("pixel_size.not_positive"):
        Grid.from_bounds((0, 0, 1, 1), pixel, metres())


def test_too_many_pixels_are_refused(qgis_app):
    with raises("raster.too_many_pixels"):
        Grid.from_bounds((0, 0, 1e6, 1e6), 0.1, metres())


def test_bands_that_are_not_there_and_files_that_are_gone_are_told(qgis_app, tmp_path, values):
    path = write_raster(tmp_path / "a.tif", values)
    raster = snapshot(path)
    grid = Grid.from_raster(raster, CONTEXT)
    with raises("raster.no_band", band=2):
        read_band(raster, 2, grid)
    path.unlink()
    with raises("raster.not_opened"):
        read_band(raster, 1, grid)
    with raises("raster.file_missing"):
        RasterSnapshot.from_layer(QgsRasterLayer(str(path), "gone"))


def test_a_raster_without_a_place_lies_in_pixels_as_qgis_shows_it(qgis_app, tmp_path):
    path = tmp_path / "a.tif"
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), 3, 3, 1, gdal.GDT_Float32)
    del dataset
    layer = QgsRasterLayer(str(path), "a")
    layer.setCrs(QgsCoordinateReferenceSystem())
    grid = Grid.from_raster(RasterSnapshot.from_layer(layer), CONTEXT)
    shown = layer.extent()
    assert (
        grid.bounds
        == (shown.xMinimum(), shown.yMinimum(), shown.xMaximum(), shown.yMaximum())
        == (0, -3, 3, 0)
    )
    assert (grid.working_crs.unit, grid.working_crs.in_pixels) == ("px", True)


@pytest.mark.parametrize(
    "place", [(0, 0.5, 0, 0, 0, -0.5), (5e5, 1, 0, 3e6, 0, -1), (0, 1, 0.1, 0, 0, -1)]
)
def test_a_map_that_lost_its_system_is_refused(qgis_app, tmp_path, place):
    path = tmp_path / "a.tif"
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), 3, 3, 1, gdal.GDT_Float32)
    dataset.SetGeoTransform(place)
    del dataset
    with raises("crs.missing"):
        RasterSnapshot.from_layer(QgsRasterLayer(str(path), "a"))


def test_a_map_that_does_not_say_where_it_lies_is_refused(qgis_app, tmp_path):
    path = tmp_path / "a.tif"
    gdal.GetDriverByName("GTiff").Create(str(path), 3, 3, 1, gdal.GDT_Float32)
    layer = QgsRasterLayer(str(path), "a")
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:32617"))
    with raises("raster.no_georeference"):
        Grid.from_raster(RasterSnapshot.from_layer(layer), CONTEXT)


def test_numbers_of_colours_are_told_from_values(qgis_app, tmp_path, values):
    assert not snapshot(write_raster(tmp_path / "a.tif", values)).has_palette()
    made = gdal.GetDriverByName("GTiff").Create(str(tmp_path / "b.tif"), 3, 3, 1, gdal.GDT_Byte)
    made.SetGeoTransform((WEST, 1, 0, NORTH, 0, -1))
    colours = gdal.ColorTable()
    colours.SetColorEntry(1, (255, 0, 0, 255))
    made.GetRasterBand(1).SetColorTable(colours)
    made.SetProjection(metres().crs.toWkt())
    del made
    assert snapshot(tmp_path / "b.tif").has_palette()


def test_a_part_of_its_own_pixels_is_read_without_resampling(
    qgis_app, tmp_path, values, monkeypatch
):
    raster = snapshot(write_raster(tmp_path / "a.tif", values))
    monkeypatch.setattr(gdal, "Warp", None)
    grid = Grid.from_raster(raster, CONTEXT)
    part = grid.crop((WEST + 1, NORTH - 5, WEST + 4, NORTH - 2))
    assert np.array_equal(read_band(raster, 1, part), values[2:5, 1:4])


def test_reading_can_be_cancelled(qgis_app, tmp_path, values):
    raster = snapshot(write_raster(tmp_path / "a.tif", values))
    grid = Grid.from_raster(raster, CONTEXT)

    def stop(_fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        read_band(raster, 1, grid, stop)


@pytest.mark.parametrize("n_bands", [1, 2, 3])
def test_a_turned_raster_has_the_bands_of_its_file(qgis_app, tmp_path, n_bands: int) -> None:
    path = write_raster(tmp_path / "turned.tif", np.ones((n_bands, 4, 6)))
    raster = gdal.Open(str(path), gdal.GA_Update)
    raster.SetGeoTransform((WEST, 0.8, 0.6, NORTH, 0.6, -0.8))
    del raster
    # QGIS 3.40 adds a band with the opacity to such a layer.
    layer = QgsRasterLayer(str(path), "turned")
    assert count_bands(layer) == n_bands
    assert colour_bands(layer) == ((1, 2, 3) if n_bands == 3 else None)
