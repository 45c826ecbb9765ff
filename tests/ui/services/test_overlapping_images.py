"""Images without a georeference on one another: one of them is shown, with its crowns alone."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import QgsMapRendererCustomPainterJob, QgsMapSettings, QgsRasterLayer, QgsRectangle
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, QSize
from qgis.PyQt.QtGui import QColor, QImage, QPainter
from support.layers import layer_of
from support.qt import spin
from support.rasters import write_raster

from randcrowns.layers.styles.tree import add_images
from randcrowns.ui.services.overlapping_images import ImageFollower, show_image


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


#: Left edge of the crown on each image, pixels.
LEFTS = {"a.png": 2, "sub/b.png": 12}


@pytest.fixture
def crowns(project, tmp_path):
    """A layer with a crown on each of two images."""
    (tmp_path / "sub").mkdir()
    for name in LEFTS:
        write_picture(tmp_path / name)
    owner = QObject()
    follower = ImageFollower(owner)
    boxes = [shapely.box(left, -10, left + 5, -2) for left in LEFTS.values()]
    rows = [[name] for name in LEFTS]
    layer = layer_of("crowns", boxes, "", "Polygon", fields="&field=image:string", rows=rows)
    project.addMapLayer(layer)
    add_images(project, [str(tmp_path / name) for name in LEFTS])
    spin()
    yield layer
    follower.close()


def drawn_lefts(layer):
    """Left edges of the crowns that the map draws."""
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setExtent(QgsRectangle(0, -20, 20, 0))
    settings.setOutputSize(QSize(200, 200))
    image = QImage(QSize(200, 200), QImage.Format.Format_ARGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    job = QgsMapRendererCustomPainterJob(settings, painter)
    job.renderSynchronously()
    painter.end()
    middles = {name: image.pixelColor(10 * left + 25, 60) for name, left in LEFTS.items()}
    return [name for name, colour in middles.items() if colour != QColor("white")]


def tick(project, name):
    """Tick an image in the layer tree, as the user does."""
    (layer,) = project.mapLayersByName(name)
    project.layerTreeRoot().findLayer(layer.id()).setItemVisibilityChecked(True)
    spin()


def test_the_map_shows_one_image_at_a_time_with_its_crowns_alone(project, crowns):
    visible = [
        project.mapLayer(node.layerId()).name()
        for node in project.layerTreeRoot().findLayers()
        if node.isVisible()
    ]
    assert visible == ["crowns", "a"]
    assert drawn_lefts(crowns) == ["a.png"]
    tick(project, "b")
    (image,) = project.mapLayersByName("a")
    assert not project.layerTreeRoot().findLayer(image.id()).isVisible()
    assert drawn_lefts(crowns) == ["sub/b.png"]
    # A run reads all crowns.
    assert crowns.featureCount() == 2
    # Without an image, there is nothing that the crowns could be on.
    (group,) = project.layerTreeRoot().findGroups()
    group.setItemVisibilityChecked(False)
    spin()
    assert drawn_lefts(crowns) == [*LEFTS]


def test_crowns_of_images_that_are_not_in_the_project_are_all_drawn(project, crowns):
    for name in ("a", "b"):
        project.removeMapLayer(project.mapLayersByName(name)[0])
    spin()
    assert drawn_lefts(crowns) == [*LEFTS]


def test_a_deleted_panel_follows_no_images(project, tmp_path):
    """QGIS deletes the panel without closing it if the plugin fails to load again."""
    owner = QObject()
    ImageFollower(owner)
    spin()
    sip.delete(owner)
    write_picture(tmp_path / "a.png")
    add_images(project, [str(tmp_path / "a.png")])  # an error in a slot fails the test
    spin()
