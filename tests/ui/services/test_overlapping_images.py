"""Images without a georeference on one another: one of them is shown, with its crowns alone."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import (
    QgsFillSymbol,
    QgsRasterLayer,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QColor
from support.layers import layer_of
from support.maps import map_picture
from support.qt import spin
from support.rasters import write_raster

from randcrowns.layers.styles.tree import add_images
from randcrowns.ui.services.overlapping_images import (
    ImageFollower,
    choose_shown_image,
    show_image,
)


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


def test_crowns_may_name_an_image_by_its_whole_path(images, tmp_path):
    names = [f"{tmp_path}/site{number}/tile.png" for number in (1, 2)]
    show_image(names[1], names)
    assert images() == [False, True, True]
    assert choose_shown_image(names) == names[1]


def test_a_visible_image_is_preferred_and_one_that_is_missing_is_never_chosen(images):
    assert choose_shown_image(["elsewhere.png", *NAMES]) == NAMES[0]
    show_image(NAMES[1], NAMES)
    assert choose_shown_image(NAMES) == NAMES[1]
    assert choose_shown_image(["elsewhere.png"]) == ""


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


def drawn_images(layer):
    """Names of the images whose crowns a map of the project draws."""
    picture = map_picture([layer], QgsRectangle(0, -20, 20, 0), 10)
    middles = {name: picture.pixelColor(10 * left + 25, 60) for name, left in LEFTS.items()}
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
    assert drawn_images(crowns) == ["a.png"]
    tick(project, "b")
    (image,) = project.mapLayersByName("a")
    assert not project.layerTreeRoot().findLayer(image.id()).isVisible()
    assert drawn_images(crowns) == ["sub/b.png"]
    (names,) = project.customVariables().values()
    assert names == "//sub/b.png//"  # no path of this machine
    # A run reads all crowns.
    assert crowns.featureCount() == 2
    # Without an image, there is nothing that the crowns could be on.
    (group,) = project.layerTreeRoot().findGroups()
    group.setItemVisibilityChecked(False)
    spin()
    assert drawn_images(crowns) == [*LEFTS]


def test_a_saved_style_draws_the_crowns_of_all_images(project, crowns, tmp_path):
    tick(project, "b")
    path = str(tmp_path / "style.qml")
    crowns.saveNamedStyle(path)
    assert "b.png" not in (tmp_path / "style.qml").read_text(encoding="utf-8")
    copy = QgsVectorLayer(crowns.source(), "copy", "memory")
    copy.dataProvider().addFeatures(list(crowns.getFeatures()))
    copy.loadNamedStyle(path)
    project.setCustomVariables({})  # as in another project
    assert drawn_images(copy) == [*LEFTS]


def test_the_style_follows_no_image_that_is_shown(project, crowns):
    style_before = crowns.renderer().dump()
    changes = []
    crowns.styleChanged.connect(lambda: changes.append(crowns.name()))
    tick(project, "b")
    tick(project, "a")
    assert crowns.renderer().dump() == style_before
    assert not changes


def test_an_image_without_crowns_shows_none_of_another_image(project, crowns, tmp_path):
    write_picture(tmp_path / "c.png")
    add_images(project, [str(tmp_path / "c.png")])
    tick(project, "c")
    assert drawn_images(crowns) == []


def test_a_new_style_shows_the_crowns_of_the_visible_image_alone(project, crowns):
    symbol = QgsFillSymbol.createSimple({"color": "#ff0000"})
    crowns.setRenderer(QgsSingleSymbolRenderer(symbol))
    crowns.styleChanged.emit()
    spin()
    assert drawn_images(crowns) == ["a.png"]


def test_a_crown_that_was_just_drawn_has_no_image_and_is_visible(project, crowns):
    crowns.startEditing()
    feature = next(crowns.getFeatures())
    crowns.changeAttributeValue(feature.id(), 0, None)
    tick(project, "b")
    assert drawn_images(crowns) == [*LEFTS]
    crowns.rollBack()
    spin()
    assert drawn_images(crowns) == ["sub/b.png"]


def test_names_of_images_are_read_again_after_a_change_of_data_only(project, crowns, monkeypatch):
    read_layers = []
    monkeypatch.setattr(
        "randcrowns.ui.services.overlapping_images.read_image_names",
        lambda layer: read_layers.append(layer.name()) or set(LEFTS),
    )
    for name in ("b", "a", "b"):
        tick(project, name)
    assert not read_layers
    crowns.setSubsetString("\"image\" = 'a.png'")
    tick(project, "a")
    tick(project, "b")
    assert read_layers == ["crowns"]


def test_crowns_of_images_that_are_not_in_the_project_are_all_drawn(project, crowns):
    for name in ("a", "b"):
        project.removeMapLayer(project.mapLayersByName(name)[0])
    spin()
    assert drawn_images(crowns) == [*LEFTS]


def test_a_deleted_panel_follows_no_images(project, tmp_path):
    """QGIS deletes the panel without closing it if the plugin fails to load again."""
    owner = QObject()
    ImageFollower(owner)
    spin()
    sip.delete(owner)
    write_picture(tmp_path / "a.png")
    add_images(project, [str(tmp_path / "a.png")])  # an error in a slot fails the test
    spin()
