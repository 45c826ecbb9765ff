"""Images that annotations name: their georeferences, their files, and parts written of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
from osgeo import gdal
from support.errors import raises
from support.rasters import NORTH, WEST, write_raster

from randcrowns.core.exchange.rle import RleMask
from randcrowns.layers.raster.images import (
    AnnotatedImage,
    ImageFinder,
    Window,
    mask_outline,
    write_crop,
)


def placed(path: Path, *place: float) -> AnnotatedImage:
    """An image of 6 columns and 4 rows that says so where it lies."""
    raster = gdal.GetDriverByName("GTiff").Create(str(path), 6, 4)
    raster.SetGeoTransform(place)
    del raster
    return AnnotatedImage.from_file("turned", path)


def test_an_image_says_where_its_pixels_lie(qgis_app, tmp_path: Path) -> None:
    image = AnnotatedImage.from_file("a", write_raster(tmp_path / "a.tif", np.zeros((4, 6)), 0.5))
    assert (image.name, image.path, image.width, image.height) == ("a", tmp_path / "a.tif", 6, 4)
    assert (image.crs.authid(), image.is_unreadable) == ("EPSG:32617", False)
    pixels = np.array([[0.0, 0.0], [6.0, 4.0], [2.0, 1.0]])
    corners = [[WEST, NORTH], [WEST + 3, NORTH - 2], [WEST + 1, NORTH - 0.5]]
    assert image.to_map(pixels).tolist() == corners
    assert image.to_pixels(np.array(corners)) == pytest.approx(pixels, abs=1e-9)
    inside = [[0, 0], [6, 4], [6.1, 4], [6, 4.1], [-0.1, 0], [0, -0.1]]
    assert image.contains(np.array(inside)).tolist() == [True, True, False, False, False, False]


def test_a_turned_image_lies_where_it_says_and_one_without_area_nowhere(
    qgis_app, tmp_path: Path
) -> None:
    turned = placed(tmp_path / "turned.tif", 10, 1, 1, 20, 1, -1)
    assert turned.geotransform == (10, 1, 1, 20, 1, -1)
    assert turned.to_map(np.array([[2.0, 1.0]])).tolist() == [[13.0, 21.0]]
    assert turned.to_pixels(np.array([[13.0, 21.0]])) == pytest.approx(np.array([[2.0, 1.0]]))
    flat = placed(tmp_path / "flat.tif", 10, 1, 2, 20, 2, 4)
    assert flat.geotransform is None
    assert not flat.crs.isValid()
    assert flat.to_map(np.array([[2.0, 1.0]])).tolist() == [[2.0, -1.0]]


def test_what_is_no_image_is_broken_and_what_is_absent_is_not(qgis_app, tmp_path: Path) -> None:
    (tmp_path / "a.tif").write_bytes(b"no image")
    finder = ImageFinder(None)
    assert finder.find("a", tmp_path / "a.json").is_unreadable
    absent = finder.find("b.tif", tmp_path / "a.json")
    assert (absent.name, absent.path, absent.is_unreadable) == ("b.tif", None, False)
    with raises("image.not_cut", image="b.tif", why="it cannot be read"):
        write_crop(absent, Window(0, 0, 1, 1), tmp_path / "cut.tif")


@pytest.mark.parametrize(
    ("lies", "file"),
    [
        ("set/a.png", "set/a.json"),
        ("set/images/a.png", "set/a.json"),
        ("images/a.png", "set/a.json"),
        ("set/images/train/a.png", "set/labels/train/a.txt"),
    ],
)
@pytest.mark.parametrize("name", ["a", "a.png", "C:\\pictures\\a.png"])
def test_an_image_is_found_beside_its_annotations(
    qgis_app, tmp_path: Path, lies: str, file: str, name: str
) -> None:
    place = tmp_path / lies
    place.parent.mkdir(parents=True)
    gdal.GetDriverByName("PNG").CreateCopy(str(place), gdal.GetDriverByName("MEM").Create("", 3, 2))
    finder = ImageFinder(None)
    found = finder.find(name, tmp_path / file)
    assert (found.path, found.width, found.height) == (place, 3, 2)
    assert finder.find(name, tmp_path / file) is found


def test_the_image_beside_its_file_goes_before_those_of_the_folder(
    qgis_app, tmp_path: Path
) -> None:
    for place in ("set/a.tif", "picked/deep/a.tif"):
        (tmp_path / place).parent.mkdir(parents=True)
        write_raster(tmp_path / place, np.zeros((2, 2)))
    finder = ImageFinder(tmp_path / "picked")
    assert finder.find("a.tif", tmp_path / "set/a.json").path == tmp_path / "set/a.tif"
    assert finder.find("a.tif", tmp_path / "x/a.json").path == tmp_path / "picked/deep/a.tif"
    assert ImageFinder(None).find("a.tif", tmp_path / "set/a.json").path == tmp_path / "set/a.tif"


@pytest.mark.parametrize(
    ("file", "name", "path", "expected"),
    [
        ("voc/site2/a.xml", "a.tif", "", "img/site2/a.tif"),
        ("voc/a.xml", "a.tif", "C:\\img\\site2\\a.tif", "img/site2/a.tif"),
        ("voc/site1/a.xml", "a.tif", "/data/site2/a.tif", "img/site2/a.tif"),
        ("voc/a.csv", "site2/a.tif", "", "img/site2/a.tif"),
        ("voc/a.csv", "SITE2/A.TIF", "", "img/site2/a.tif"),
        ("voc/site2/a.txt", "a", "", "img/site2/a.tif"),
    ],
)
def test_of_images_with_one_name_that_of_the_same_folders_is_taken(
    qgis_app, tmp_path: Path, file: str, name: str, path: str, expected: str
) -> None:
    for site in ("site1", "site2"):
        (tmp_path / "img" / site).mkdir(parents=True)
        write_raster(tmp_path / "img" / site / "a.tif", np.zeros((2, 2)))
    finder = ImageFinder(tmp_path / "img")
    assert finder.find(name, tmp_path / file, path).path == tmp_path / expected
    with raises("image.several_fit", file="a.json", images=["site1/a.tif", "site2/a.tif"]):
        finder.find("a.tif", tmp_path / "voc" / "a.json")


def test_a_part_of_an_image_lies_where_it_lay(qgis_app, tmp_path: Path) -> None:
    values = np.arange(24.0).reshape(4, 6)
    image = AnnotatedImage.from_file("a", write_raster(tmp_path / "a.tif", values, 0.5))
    write_crop(image, Window(2, 1, 3, 2), tmp_path / "cut.tif")
    cut = gdal.Open(str(tmp_path / "cut.tif"))
    assert cut.ReadAsArray().tolist() == [[8.0, 9.0, 10.0], [14.0, 15.0, 16.0]]
    assert cut.GetGeoTransform() == (WEST + 1, 0.5, 0, NORTH - 0.5, 0, -0.5)
    assert AnnotatedImage.from_file("cut", tmp_path / "cut.tif").crs.authid() == "EPSG:32617"


def test_the_outline_of_a_mask_keeps_holes_and_parts() -> None:
    marks = np.zeros((6, 8), dtype=bool)
    marks[1:4, 2:5] = True
    marks[2, 3] = False
    ring = shapely.difference(shapely.box(2, 1, 5, 4), shapely.box(3, 2, 4, 3))
    assert mask_outline(RleMask.from_pixels(marks)).equals(ring)
    marks[5, 7] = True
    assert mask_outline(RleMask.from_pixels(marks)).equals(
        shapely.union(ring, shapely.box(7, 5, 8, 6))
    )
