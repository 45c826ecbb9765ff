"""Rasters as drawings of annotators."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsPointXY,
    QgsRasterLayer,
)
from support.errors import raises
from support.rasters import NORTH, WEST, write_raster
from support.shown import shows

from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import Grid, RasterSnapshot, iterate_values
from randcrowns.layers.raster.masks import (
    ReferenceMask,
    alignment_message,
    first_band_messages,
    is_reference_mask,
    names_with_other_pixels,
)

CONTEXT = QgsCoordinateTransformContext()
VALUES = np.array([[0, 1, 1], [2, -9, 0]])


def working(epsg: int) -> WorkingCrs:
    return WorkingCrs(QgsCoordinateReferenceSystem(f"EPSG:{epsg}"), 1.0, "", CONTEXT)


@pytest.fixture
def drawing(qgis_app, tmp_path: Path) -> QgsRasterLayer:
    return QgsRasterLayer(str(write_raster(tmp_path / "anna.tif", VALUES, 2.0, nodata=-9)), "anna")


def test_all_values_but_0_and_no_data_are_marked_or_one_alone(drawing: QgsRasterLayer) -> None:
    raster = RasterSnapshot.from_layer(drawing)
    own = ReferenceMask(raster).own_grid(CONTEXT)
    assert own.bounds == (WEST, NORTH - 4, WEST + 6, NORTH)
    assert ReferenceMask(raster).read_on_grid(own).tolist() == [
        [False, True, True],
        [True, False, False],
    ]
    assert ReferenceMask(raster, 2.0).read_on_grid(own).tolist() == [
        [False, False, False],
        [True, False, False],
    ]


def test_the_marks_of_another_grid_are_looked_up_anew(drawing: QgsRasterLayer) -> None:
    marks = ReferenceMask(RasterSnapshot.from_layer(drawing))
    own = marks.own_grid(CONTEXT)
    assert marks.read_on_grid(own) is marks.read_on_grid(own)
    right = Grid.from_bounds((WEST + 2, NORTH - 4, WEST + 6, NORTH), 2.0, own.working_crs)
    assert marks.read_on_grid(right).tolist() == [[True, True], [False, False]]


def test_polygons_follow_the_edges_of_the_marked_pixels(drawing: QgsRasterLayer) -> None:
    marks = ReferenceMask(RasterSnapshot.from_layer(drawing))
    expected = {
        shapely.box(WEST + 2, NORTH - 2, WEST + 6, NORTH),
        shapely.box(WEST, NORTH - 4, WEST + 2, NORTH - 2),
    }
    told: list[float] = []
    found = marks.polygons(working(32617), told.append)
    assert (told, told[-1]) == (sorted(told), 1.0)
    assert {shapely.normalize(one) for one in found} == {shapely.normalize(one) for one in expected}
    there = QgsCoordinateTransform(
        QgsCoordinateReferenceSystem("EPSG:32617"),
        QgsCoordinateReferenceSystem("EPSG:32616"),
        CONTEXT,
    ).transform(QgsPointXY(WEST, NORTH))
    moved = shapely.union_all(marks.polygons(working(32616)))
    assert shapely.distance(moved, shapely.Point(there.x() + 2, there.y())) < 1.0
    assert moved.area == pytest.approx(12.0, rel=0.02)


def test_a_drawing_in_pixels_is_no_drawing_in_metres(qgis_app, tmp_path: Path) -> None:
    raster = gdal.GetDriverByName("GTiff").Create(str(tmp_path / "plain.tif"), 3, 3)
    del raster
    marks = ReferenceMask(
        RasterSnapshot.from_layer(QgsRasterLayer(str(tmp_path / "plain.tif"), "plain"))
    )
    with raises("crs.missing", name="plain"):
        marks.polygons(working(32617))


@pytest.mark.parametrize(
    ("values", "looks_like_one"),
    [
        ([[0, 1], [1, 0]], True),
        ([[-9, 7], [0, 7]], True),
        ([[0, 0], [0, 0]], True),
        ([[0, 1], [2, 0]], False),
        ([[1, 1], [1, 1]], False),
        ([[[0, 1]], [[0, 1]]], False),
    ],
)
def test_a_drawing_has_one_value_beside_none(
    qgis_app, tmp_path: Path, values: list, looks_like_one: bool
) -> None:
    path = write_raster(tmp_path / "a.tif", np.array(values), nodata=-9)
    assert is_reference_mask(QgsRasterLayer(str(path), "a")) is looks_like_one


def test_rasters_of_other_pixels_and_of_several_bands_are_named(qgis_app, tmp_path: Path) -> None:
    made = {
        "one": write_raster(tmp_path / "one.tif", VALUES, 2.0),
        "finer": write_raster(tmp_path / "finer.tif", VALUES, 1.0),
        "two bands": write_raster(tmp_path / "two.tif", np.array([VALUES, VALUES]), 2.0),
    }
    rasters = {
        name: RasterSnapshot.from_layer(QgsRasterLayer(str(path), name))
        for name, path in made.items()
    }
    grid = Grid.from_raster(rasters["one"], CONTEXT)
    assert names_with_other_pixels(rasters, grid, CONTEXT) == ["finer"]
    assert shows(
        str(alignment_message(grid, "one", ["finer"])),
        "areas.pixels_aligned",
        first="one",
        width=2,
        height=2,
        unit="m",
        others="finer",
    )
    third = replace(grid, pixel_width=1 / 3, pixel_height=2 / 3)
    assert shows(
        str(alignment_message(third, "one", ["finer"])),
        "areas.pixels_aligned",
        width=0.3333,
        height=0.6667,
        unit="m",
    )
    assert [str(message) for message in first_band_messages(rasters)] == [
        "The first band is used of annotators' rasters with several bands: two bands."
    ]
    assert first_band_messages({"one": rasters["one"]}) == []


ONE_HOT = [[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 0], [1, 0]]]


@pytest.mark.parametrize(
    ("bands", "kind", "key"),
    [
        (ONE_HOT, gdal.GDT_Byte, "marks.one_hot"),
        (np.array(ONE_HOT) * 0.5, gdal.GDT_Float32, "marks.one_hot"),
        ([*ONE_HOT, *np.zeros((9, 2, 2))], gdal.GDT_Byte, "marks.one_hot"),
        (np.array(ONE_HOT) * 255, gdal.GDT_Byte, "marks.colours"),
        (np.arange(12).reshape(3, 2, 2), gdal.GDT_Byte, "marks.colours"),
        (np.arange(12).reshape(3, 2, 2), gdal.GDT_Float32, "input.first_band"),
        ([[[1, 0]], [[1, 1]]], gdal.GDT_Byte, "input.first_band"),
        ([[[1, 0]]], gdal.GDT_Byte, ""),
    ],
)
def test_bands_of_classes_and_colours_have_a_note_of_their_own(
    qgis_app, tmp_path: Path, bands: Any, kind: int, key: str
) -> None:
    path = write_raster(tmp_path / "a.tif", np.array(bands), kind=kind)
    rasters = {"a": RasterSnapshot.from_layer(QgsRasterLayer(str(path), "a"))}
    messages = first_band_messages(rasters)
    assert [message.key for message in messages] == ([key] if key else [])
    if key == "marks.one_hot":
        assert messages[0].values["bands"] == len(bands)


def _area_of(path: Path) -> list[list[bool]]:
    raster = RasterSnapshot.from_layer(QgsRasterLayer(str(path), "photo"))
    mask = ReferenceMask.of_area(raster)
    return mask.read_on_grid(mask.own_grid(CONTEXT)).tolist()


def _write_bands(path: Path, bands: list[Any], nodata: float | None = None) -> gdal.Dataset:
    shape = np.shape(bands[0])
    dataset = gdal.GetDriverByName("GTiff").Create(
        str(path), shape[1], shape[0], len(bands), gdal.GDT_Int16
    )
    dataset.SetGeoTransform((WEST, 1, 0, NORTH, 0, -1))
    dataset.SetProjection(QgsCoordinateReferenceSystem("EPSG:32617").toWkt())
    for number, values in enumerate(bands, start=1):
        band = dataset.GetRasterBand(number)
        band.WriteArray(np.array(values))
        if nodata is not None:
            band.SetNoDataValue(nodata)
    return dataset


DARK = [[0, 7, 9], [0, 3, 0]]


def test_area_of_an_image_is_where_it_has_data(qgis_app, tmp_path: Path) -> None:
    path = tmp_path / "photo.tif"
    _write_bands(path, [DARK, DARK]).FlushCache()
    assert _area_of(path) == [[True, True, True], [True, True, True]]


def test_transparent_pixels_of_an_image_are_outside(qgis_app, tmp_path: Path) -> None:
    path = tmp_path / "photo.tif"
    dataset = _write_bands(path, [DARK, DARK, DARK, [[255, 255, 0], [255, 0, 255]]])
    dataset.GetRasterBand(4).SetColorInterpretation(gdal.GCI_AlphaBand)
    dataset.FlushCache()
    del dataset
    assert _area_of(path) == [[True, True, False], [True, False, True]]


def test_a_pixel_without_data_in_one_band_only_has_data(qgis_app, tmp_path: Path) -> None:
    path = tmp_path / "photo.tif"
    _write_bands(path, [DARK, [[0, 7, 9], [5, 3, 0]]], nodata=0).FlushCache()
    assert _area_of(path) == [[False, True, True], [True, True, False]]


def test_undeclared_values_for_no_data_are_outside_an_image(qgis_app, tmp_path: Path) -> None:
    path = tmp_path / "photo.tif"
    band = [[-9999, 7, 9], [0, 3, -9999]]
    _write_bands(path, [band, band, band]).FlushCache()
    assert _area_of(path) == [[False, True, True], [True, True, False]]


def test_a_mask_that_was_saved_with_colours_stays_a_mask(qgis_app, tmp_path: Path) -> None:
    path = tmp_path / "mask.tif"
    band = [[0, 255, 255], [0, 0, 255]]
    _write_bands(path, [band, band, band]).FlushCache()
    assert _area_of(path) == [[False, True, True], [False, False, True]]


def test_pixels_that_are_all_equal_are_counted_at_once(qgis_app, tmp_path: Path) -> None:
    path = write_raster(tmp_path / "ids.tif", np.full((30, 20), 7), kind=gdal.GDT_UInt32)
    raster = RasterSnapshot.from_layer(QgsRasterLayer(str(path), "ids"))
    counted = [(values.tolist(), counts.tolist()) for values, counts in iterate_values(raster, 1)]
    assert counted == [([7.0], [600])]
