"""Label rasters read as crowns: numbers of crowns, classes, and images that are none."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from osgeo import gdal
from support.errors import assert_message, raises
from support.rasters import NORTH, WEST, write_raster

from randcrowns.core.exchange.annotations import CoordinateUnit
from randcrowns.layers.files.label_raster import read_label_raster


def test_touching_numbers_are_crowns_of_their_own_and_parts_of_one_number_are_one(tmp_path):
    values = np.zeros((6, 8))
    values[1:3, 1:3] = 7
    values[1:3, 3:5] = 12
    values[4, 1] = 7  # a second part of crown 7
    read, crs = read_label_raster(write_raster(tmp_path / "ids.tif", values, 2.0))
    assert crs.authid() == "EPSG:32617"
    assert read.unit is CoordinateUnit.MAP
    assert read.fields["id"].tolist() == [7, 12]
    # By hand: pixels of 2 m, the first corner in the upper left.
    expected = [
        shapely.union_all(
            [
                shapely.box(WEST + 2, NORTH - 6, WEST + 6, NORTH - 2),
                shapely.box(WEST + 2, NORTH - 10, WEST + 4, NORTH - 8),
            ]
        ),
        shapely.box(WEST + 6, NORTH - 6, WEST + 10, NORTH - 2),
    ]
    assert shapely.equals(read.shapes, expected).all()
    assert_message(read.messages[0], "import.labels_ids", file="ids.tif", count=2)


def test_scattered_numbers_are_classes_and_their_patches_are_crowns(tmp_path):
    values = np.zeros((20, 20))
    values[0:2, 0:2] = values[18:20, 18:20] = 1
    values[0:2, 18:20] = values[18:20, 0:2] = 2
    read, _ = read_label_raster(write_raster(tmp_path / "classes.tif", values, nodata=0))
    assert sorted(read.label) == ["1", "1", "2", "2"]
    assert shapely.area(read.shapes).tolist() == [4.0] * 4
    assert_message(read.messages[0], "import.labels_classes", classes=2, count=4)


def test_a_png_without_a_georeference_is_in_pixels_and_a_hole_stays_one(tmp_path):
    values = np.zeros((9, 9), dtype=np.uint8)
    values[2:7, 3:8] = 255
    values[4, 5] = 0
    pixels = gdal.GetDriverByName("MEM").Create("", 9, 9)
    pixels.GetRasterBand(1).WriteArray(values)
    gdal.GetDriverByName("PNG").CreateCopy(str(tmp_path / "mask.png"), pixels)
    read, crs = read_label_raster(tmp_path / "mask.png")
    assert not crs.isValid()
    assert read.unit is CoordinateUnit.PIXELS
    assert [image.name for image in read.images] == ["mask.png"]
    expected = shapely.box(3, 2, 8, 7) - shapely.box(5, 4, 6, 5)
    assert shapely.equals(read.shapes[0], expected)


@pytest.mark.parametrize("values", [np.full((3, 5, 5), 9.0), np.full((5, 5), 0.25)])
def test_photos_and_probabilities_are_refused(tmp_path, values):
    path = write_raster(tmp_path / "photo.tif", values)
    with raises("import.no_labels", path="photo.tif"):
        read_label_raster(path)
