"""Images without a georeference on one another: that of the selected crown is shown."""

from __future__ import annotations

import numpy as np
import pytest
from osgeo import gdal
from qgis.core import QgsRasterLayer
from support.rasters import write_raster

from randcrowns.ui.services.overlapping_images import show_image


def write_picture(path):
    """Write a PNG of 4 by 4 pixels, without a georeference."""
    pixels = gdal.GetDriverByName("MEM").Create("", 4, 4, 3)
    gdal.GetDriverByName("PNG").CreateCopy(str(path), pixels)


@pytest.fixture
def images(project, tmp_path):
    """Two images in pixels, one on the map, and their names."""
    for folder in ("site1", "site2"):
        (tmp_path / folder).mkdir()
        write_picture(tmp_path / folder / "tile.png")
    write_raster(tmp_path / "map.tif", np.zeros((4, 4)))
    paths = (tmp_path / "site1/tile.png", tmp_path / "site2/tile.png", tmp_path / "map.tif")
    layers = [QgsRasterLayer(str(path), path.stem) for path in paths]
    project.addMapLayers(layers)

    def visible():
        root = project.layerTreeRoot()
        return [root.findLayer(layer.id()).isVisible() for layer in layers]

    return visible


NAMES = ("site1/tile.png", "site2/tile.png", "map.tif")


def test_the_image_of_a_crown_hides_the_others_in_pixels(images):
    show_image("site2/tile.png", NAMES)
    assert images() == [False, True, True]
    show_image("site1/tile", ["site1/tile", *NAMES[1:]])
    assert images() == [True, False, True]


def test_an_image_that_is_not_in_the_project_changes_nothing(images):
    show_image("site3/tile.png", NAMES)
    assert images() == [True, True, True]


def test_images_of_no_crown_stay(images):
    show_image("site1/tile.png", NAMES[:1])
    assert images() == [True, True, True]
