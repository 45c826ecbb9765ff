"""Label rasters read as crowns: numbers of crowns, classes, and images that are none."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from osgeo import gdal
from support.errors import assert_message, find_message, raises
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


@pytest.mark.parametrize("west", [np.inf, np.nan, 1e300])
def test_a_damaged_georeference_is_none(tmp_path, west):
    read, _ = read_label_raster(write_raster(tmp_path / "a.tif", np.eye(2), west=west))
    assert read.unit is CoordinateUnit.PIXELS
    assert shapely.area(read.shapes).sum() == 2.0


@pytest.mark.parametrize("values", [np.full((3, 5, 5), 9.0), np.full((5, 5), 0.25)])
def test_photos_and_probabilities_are_refused(tmp_path, values):
    path = write_raster(tmp_path / "photo.tif", values)
    with raises("import.no_labels", path="photo.tif"):
        read_label_raster(path)


def write_bands(path, bands, kind=gdal.GDT_Byte, alpha=0):
    """Write bands (rows, columns) of a raster without a georeference; ``alpha`` is its opacity."""
    rows, columns = bands[0].shape
    driver = gdal.GetDriverByName("GTiff")
    dataset = driver.Create(str(path), columns, rows, len(bands), kind)
    for number, values in enumerate(bands, 1):
        dataset.GetRasterBand(number).WriteArray(values)
    if alpha:
        dataset.GetRasterBand(alpha).SetColorInterpretation(gdal.GCI_AlphaBand)
    return path


def test_further_bands_are_not_read_which_is_reported(tmp_path):
    values = np.zeros((6, 8), dtype=np.uint8)
    values[1:3, 1:4] = 1
    read, _ = read_label_raster(write_bands(tmp_path / "two.tif", [values, values.T.reshape(6, 8)]))
    # By hand: 2 x 3 pixels of the first band.
    assert shapely.area(read.shapes).tolist() == [6.0]
    find_message(read.messages, "import.labels_first_band", file="two.tif", count=2)
    opaque = np.full((6, 8), 255, dtype=np.uint8)
    opaque[2] = 0
    read, _ = read_label_raster(write_bands(tmp_path / "alpha.tif", [values, opaque], alpha=2))
    # By hand: the second row of the crown is transparent.
    assert shapely.area(read.shapes).tolist() == [3.0]
    assert [message.key for message in read.messages] == ["import.labels_classes"]


@pytest.mark.skipif(not hasattr(gdal, "GDT_Int64"), reason="before GDAL 3.5 there is no such type")
def test_numbers_of_64_bits_stay_apart(tmp_path):
    values = np.zeros((6, 8), dtype=np.int64)
    values[1:3, 1:3] = 2**55 + 1
    values[1:3, 3:5] = 2**55 + 2
    path = write_bands(tmp_path / "ids.tif", [values], gdal.GDT_Int64)
    read, _ = read_label_raster(path)
    assert sorted(read.fields["id"]) == [2**55 + 1, 2**55 + 2]
    assert shapely.area(read.shapes).tolist() == [4.0, 4.0]


def test_a_raster_with_a_class_per_pixel_is_read_in_one_pass(qgis_app, tmp_path):
    # 90,000 pixels of 60,000 classes; a search per class would take half an hour.
    rng = np.random.default_rng(5)
    values = rng.integers(1, 60_000, (300, 300)).astype(np.uint16)
    dataset = gdal.GetDriverByName("GTiff").Create(
        str(tmp_path / "a.tif"), 300, 300, 1, gdal.GDT_UInt16
    )
    dataset.GetRasterBand(1).WriteArray(values)
    dataset = None
    n_joined = (values[1:] == values[:-1]).sum() + (values[:, 1:] == values[:, :-1]).sum()
    found, _ = read_label_raster(tmp_path / "a.tif")
    # No joined pixels of this seed are in a ring, so every contact joins two patches.
    assert len(found) == values.size - n_joined


def test_values_that_were_taken_for_no_data_undeclared_are_told(tmp_path):
    values = np.full((9, 9), -9999.0)
    values[2:4, 2:5] = 1
    read, _ = read_label_raster(write_raster(tmp_path / "a.tif", values))
    assert shapely.area(read.shapes).tolist() == [6.0]
    find_message(read.messages, "marks.undeclared_nodata", name="a.tif", value=-9999.0)
    declared, _ = read_label_raster(write_raster(tmp_path / "b.tif", values, nodata=-9999))
    assert [message.key for message in declared.messages] == ["import.labels_classes"]


@pytest.mark.parametrize(
    ("kind", "largest"),
    [(gdal.GDT_Byte, 255), (gdal.GDT_UInt16, 65535), (gdal.GDT_UInt32, 2**32 - 1)],
)
def test_the_largest_number_beside_small_ones_is_no_crown(tmp_path, kind, largest):
    """VOC marks the edges of objects with 255; -1 in an unsigned type is its largest number."""
    values = np.zeros((9, 9))
    values[1:5, 1:5] = largest
    values[2:4, 2:4] = 1
    values[6:8, 6:8] = 2
    read, _ = read_label_raster(write_raster(tmp_path / "a.tif", values, kind=kind))
    assert read.fields["id"].tolist() == [1, 2]
    find_message(read.messages, "marks.undeclared_nodata", name="a.tif", value=float(largest))
    # A mask of one number, and numbers over the whole range, have no such pixels.
    for others in ((0, 0), (1, largest // 2 + 1)):
        values[2:4, 2:4], values[6:8, 6:8] = others
        read, _ = read_label_raster(write_raster(tmp_path / "b.tif", values, kind=kind))
        assert shapely.area(read.shapes).max() >= 12
        assert "marks.undeclared_nodata" not in [message.key for message in read.messages]


@pytest.mark.parametrize(
    ("void", "others", "is_void"),
    [
        (255, (1, 2), True),
        (9999, (1, 2), True),
        (255, (1, 3), False),  # a gap: numbers of a part of an image
        (254, (1, 2), False),
        (-1, (7, 300), True),
    ],
)
def test_a_placeholder_in_a_larger_type_counts_beside_numbers_without_a_gap(
    tmp_path, void, others, is_void
):
    values = np.zeros((9, 9))
    values[1:5, 1:5] = void
    values[2:4, 2:4], values[6:8, 6:8] = others
    read, _ = read_label_raster(write_raster(tmp_path / "a.tif", values, kind=gdal.GDT_Int32))
    assert sorted(read.fields["id"].tolist()) == sorted([*others, *([] if is_void else [void])])
    keys = [message.key for message in read.messages]
    assert ("marks.undeclared_nodata" in keys) is is_void


def test_a_mask_that_may_be_inverted_is_told(tmp_path):
    values = np.ones((10, 10))
    values[2:4, 2:5] = 0
    read, _ = read_label_raster(write_raster(tmp_path / "a.tif", values))
    assert shapely.area(read.shapes).tolist() == [94.0]
    find_message(read.messages, "import.mostly_crowns", name="a.tif", share=0.94)
    values[values == 1] = np.arange(94) // 47 + 1
    numbered, _ = read_label_raster(write_raster(tmp_path / "b.tif", values))
    assert [message.key for message in numbered.messages] == ["import.labels_ids"]
