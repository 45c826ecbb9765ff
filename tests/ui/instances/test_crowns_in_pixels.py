"""Page Instances with crowns in pixels of several images, which lie on one another."""

from __future__ import annotations

import pytest
import shapely
from osgeo import gdal
from qgis.core import Qgis, QgsRasterLayer
from support.layers import layer_of

from randcrowns.ui.instances.results import TARGETS


@pytest.fixture
def dock(same_dock):
    return same_dock


def test_a_crown_is_shown_on_its_own_image(project, dock, run, monkeypatch):
    boxes = [shapely.box(4, -20, 12, -10), shapely.box(24, -20, 32, -10)]
    for name in ("target", "found"):
        rows = [["a.png"], ["b.png"]]
        project.addMapLayer(layer_of(name, boxes, "", fields="&field=image:string", rows=rows))
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
    rows = [[name] for name in boxes]
    for name in ("target", "found"):
        fields = "&field=image:string"
        project.addMapLayer(layer_of(name, [*boxes.values()], "", fields=fields, rows=rows))
    images = []
    for name in boxes:
        picture = gdal.GetDriverByName("MEM").Create("", 60, 40, 3)
        gdal.GetDriverByName("PNG").CreateCopy(str(tmp_path / name), picture)
        images.append(QgsRasterLayer(str(tmp_path / name), name))
    project.addMapLayers(images)
    page = dock.show_page("instances")
    run(page)

    def drawn():
        """The images that the layer tree shows, and what is drawn on them."""
        root = project.layerTreeRoot()
        shown = [one.name() for one in images if root.findLayer(one.id()).isVisible()]
        outlines = [shapely.from_wkt(band.asGeometry().asWkt()) for band in page.highlight.bands]
        return shown, [shapely.normalize(outline) for outline in outlines]

    def crowns_of(name):
        """What is drawn of an image: its prediction and its target."""
        return [name], [shapely.normalize(shapely.MultiPolygon([boxes[name]]))] * 2

    assert drawn() == crowns_of("a.png")
    (sentence,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Success)
    assert "a.png" in sentence
    page.results.row_chosen.emit(TARGETS, 1)
    assert drawn()[0] == ["b.png"]
    page.results.row_chosen.emit(TARGETS, -1)
    assert drawn() == crowns_of("b.png")
    dock.show_page("start")
    assert drawn() == (["b.png"], [])
    dock.show_page("instances")
    assert drawn() == crowns_of("b.png")
