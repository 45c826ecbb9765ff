"""Page Instances with crowns in pixels of several images, which lie on one another."""

from __future__ import annotations

import pytest
import shapely
from osgeo import gdal
from qgis.core import Qgis, QgsMapLayer, QgsRasterLayer, QgsRectangle
from qgis.PyQt.QtGui import QColor
from support.layers import layer_of
from support.maps import map_picture
from support.qt import spin, wait_until

from randcrowns.algorithms.instances.schema import parameters
from randcrowns.algorithms.report.schema.explore_parameters import EXPLORER
from randcrowns.layers.styles import TARGET_COLOUR
from randcrowns.layers.styles.roles import style_outlines
from randcrowns.layers.vector.guesses import is_result_layer
from randcrowns.ui.instances.results import TARGETS


@pytest.fixture
def dock(same_dock):
    return same_dock


def add_layers(project, boxes):
    """Add a layer of targets and one of equal predictions; ``boxes``: name of an image -> crown."""
    crowns = list(boxes.values())
    names = [[image] for image in boxes]
    for layer in ("target", "found"):
        fields = "&field=image:string"
        project.addMapLayer(layer_of(layer, crowns, "", fields=fields, rows=names))


def add_images(project, names, folder):
    """Add black images of 60 x 40 pixels, and return their layers."""
    images = []
    for name in names:
        picture = gdal.GetDriverByName("MEM").Create("", 60, 40, 3)
        gdal.GetDriverByName("PNG").CreateCopy(str(folder / name), picture)
        images.append(QgsRasterLayer(str(folder / name), name))
    project.addMapLayers(images)
    return images


@pytest.mark.parametrize("n_images", [1, 2])
def test_a_page_to_explore_and_a_print_layout_name_the_image_that_they_show(
    project, dock, run, tmp_path, monkeypatch, n_images
):
    boxes = {"a.png": shapely.box(4, -20, 12, -10), "b.png": shapely.box(5, -21, 13, -11)}
    names = list(boxes)[:n_images]
    add_layers(project, {name: boxes[name] for name in names})
    add_images(project, names, tmp_path)
    page = dock.show_page("instances")
    run(page)
    monkeypatch.setattr(page.iface, "openLayoutDesigner", lambda _: None, raising=False)
    page.printing.create_layout(plots=False)
    told = page.iface.messageBar().get_messages(Qgis.MessageLevel.Info)
    assert any("layout shows image a.png" in text for text in told) == (n_images == 2)

    report = dock.show_page("report")
    path = tmp_path / "explore.html"
    report.save(EXPLORER, str(path))
    wait_until(lambda: report.runs.main_run is None and report.saved_label.text())
    is_named = "The page shows image a.png." in path.read_text(encoding="utf-8")
    assert is_named == (n_images == 2)


def test_a_crown_is_shown_on_its_own_image(project, dock, run, monkeypatch):
    boxes = {"a.png": shapely.box(4, -20, 12, -10), "b.png": shapely.box(24, -20, 32, -10)}
    add_layers(project, boxes)
    page = dock.show_page("instances")
    run(page)
    shown = []
    monkeypatch.setattr(
        "randcrowns.ui.instances.page.show_image",
        lambda name, names: shown.append((name, sorted(names))),
    )
    page.results.row_chosen.emit(TARGETS, 1)
    page.results.row_chosen.emit(TARGETS, 0)
    both = ["a.png", "b.png"]
    assert shown == [("b.png", both), ("a.png", both)]


def test_after_a_run_the_map_shows_one_image_with_its_crowns_alone(project, dock, run, tmp_path):
    """Crowns of two images overlap on the map, since both images begin at the pixel (0, 0)."""
    boxes = {"a.png": shapely.box(4, -20, 12, -10), "b.png": shapely.box(5, -21, 13, -11)}
    add_layers(project, boxes)
    images = add_images(project, boxes, tmp_path)
    page = dock.show_page("instances")
    run(page)

    def shown():
        """The images that the layer tree shows, and those whose outlines are on the map."""
        spin()
        root = project.layerTreeRoot()
        visible = [one.name() for one in images if root.findLayer(one.id()).isVisible()]
        outcomes = [layer for layer in project.mapLayers().values() if is_result_layer(layer)]
        drawn = map_picture(
            [*filter(QgsMapLayer.isSpatial, outcomes)], QgsRectangle(0, -40, 60, 0), 10
        )
        # The left edge of the first crown and the right edge of the second one.
        edges = {"a.png": drawn.pixelColor(40, 150), "b.png": drawn.pixelColor(130, 150)}
        return visible, [name for name, colour in edges.items() if colour != QColor("white")]

    assert shown() == (["a.png"], ["a.png"])
    (sentence,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Success)
    assert "a.png" in sentence
    page.results.row_chosen.emit(TARGETS, 1)
    assert shown()[0] == ["b.png"]
    page.results.row_chosen.emit(TARGETS, -1)
    assert shown() == (["b.png"], ["b.png"])
    dock.show_page("start")
    assert shown() == (["b.png"], ["b.png"])
    # Another run leaves the image that the user sees.
    run(page)
    assert shown()[0] == ["b.png"]


def test_without_images_in_the_project_no_sentence_names_one(project, dock, run):
    boxes = {"a.png": shapely.box(4, -20, 12, -10), "b.png": shapely.box(24, -20, 32, -10)}
    add_layers(project, boxes)
    page = dock.show_page("instances")
    run(page)
    (sentence,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Success)
    assert "a.png" not in sentence


def test_a_count_visits_the_images_of_its_crowns_one_after_another(project, dock, run, tmp_path):
    boxes = {
        "a.png": shapely.box(4, -20, 12, -10),
        "b.png": shapely.box(5, -21, 13, -11),
        "c.png": shapely.box(40, -38, 58, -20),
    }
    add_layers(project, boxes)
    project.mapLayersByName("found")[0].dataProvider().deleteFeatures([2, 3])
    images = add_images(project, boxes, tmp_path)
    page = dock.show_page("instances")
    page.form.field(parameters.TARGETS).select_layer(project.mapLayersByName("target")[0].id())
    page.form.field(parameters.PREDICTIONS).select_layer(project.mapLayersByName("found")[0].id())
    run(page)
    root = project.layerTreeRoot()
    canvas = page.iface.mapCanvas()

    def click():
        """Click "2 not detected"; return the visible images and the centre of the map."""
        page.results.answer_view.count_clicked.emit(f"{TARGETS}/false_negative")
        visible = [one.name() for one in images if root.findLayer(one.id()).isVisible()]
        return visible, (round(canvas.center().x()), round(canvas.center().y()))

    assert click() == (["b.png"], (9, -16))
    sentence = page.iface.messageBar().get_messages(Qgis.MessageLevel.Info)[-1]
    assert "b.png shows 1 of 2 crowns" in sentence
    assert "c.png (1)" in sentence
    assert click() == (["c.png"], (49, -29))
    assert click()[0] == ["b.png"]
    # Other crowns begin with the image that has most of them.
    page.results.answer_view.count_clicked.emit(f"{TARGETS}/true_positive")
    assert [one.name() for one in images if root.findLayer(one.id()).isVisible()] == ["a.png"]


def test_a_crown_has_the_colours_of_the_layers_and_a_count_leaves_the_image_visible(
    project, dock, run, tmp_path
):
    add_layers(project, {"a.png": shapely.box(4, -20, 12, -10)})
    add_images(project, ["a.png"], tmp_path)
    page = dock.show_page("instances")
    found = project.mapLayersByName("found")[0]
    style_outlines(found, "#009e73")
    page.form.field(parameters.TARGETS).select_layer(project.mapLayersByName("target")[0].id())
    page.form.field(parameters.PREDICTIONS).select_layer(found.id())
    run(page)
    page.results.row_chosen.emit(TARGETS, 0)
    colours = [band.strokeColor().name() for band in page.highlight.bands]
    assert colours == ["#009e73", TARGET_COLOUR]
    canvas = page.iface.mapCanvas()
    before = canvas.selectionColor()
    page.results.answer_view.count_clicked.emit(f"{TARGETS}/true_positive")
    assert canvas.selectionColor().alpha() < 100
    dock.show_page("start")
    assert canvas.selectionColor() == before
