"""Files dropped onto the dock are imported; the empty pages and the menu open the dialog."""

from __future__ import annotations

import json

import pytest
from qgis.core import Qgis, QgsField, QgsProject
from qgis.PyQt.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl, QVariant
from qgis.PyQt.QtGui import QDragEnterEvent, QDropEvent
from qgis.PyQt.QtWidgets import QApplication
from support.qt import spin, wait_until

from randcrowns.algorithms import choices
from randcrowns.layers.vector.guesses import polygon_layers


def dragged(*paths):
    held = QMimeData()
    held.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return held


def drop(dock, held):
    """Whether the dock takes what is dragged onto it and dropped."""
    action, button, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(20, 20), action, held, button, none)
    entering.ignore()
    QApplication.sendEvent(dock, entering)
    if entering.isAccepted():
        QApplication.sendEvent(dock, QDropEvent(QPointF(20, 20), action, held, button, none))
    return entering.isAccepted()


@pytest.fixture
def boxes(tmp_path):
    path = tmp_path / "boxes.csv"
    path.write_text("image_path,xmin,ymin,xmax,ymax,label,score\na.png,0,0,4,4,Tree,0.9\na.png,5,5,5,9,Tree,0.9\n")
    return path


def names():
    return {layer.name() for layer in QgsProject.instance().mapLayers().values()}


def test_a_dropped_file_becomes_a_layer_that_pages_offer(dock, boxes, qgis_iface):
    page = dock.show_page("score")
    assert page.stack.currentWidget() is page.empty
    assert drop(dock, dragged(boxes))
    wait_until(lambda: "boxes" in names())
    spin()
    assert [layer.name() for layer in polygon_layers()] == ["boxes"]
    layer = polygon_layers()[0]
    assert layer.featureCount() == 1
    assert not layer.crs().isValid()
    assert "Import summary" in names()
    assert "Imported points" not in names()
    assert page.stack.currentWidget() is page.splitter
    told = qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Warning)
    assert "1 crown imported, 1 skipped" in told[-1]
    assert "a.png" in told[-1]


def test_several_files_dropped_together_become_one_layer(dock, boxes, tmp_path):
    shape = {"label": "oak", "points": [[0, 0], [4, 0], [4, 4]], "shape_type": "polygon"}
    other = tmp_path / "a.json"
    other.write_text(json.dumps({"shapes": [shape], "imagePath": "a.png"}))
    assert drop(dock, dragged(boxes, other))
    wait_until(lambda: bool(polygon_layers()))
    assert polygon_layers()[0].featureCount() == 2


def test_what_is_no_file_of_annotations_is_left_to_qgis(dock, boxes, tmp_path):
    for name in ("image.tif", "crowns.gpkg"):
        (tmp_path / name).write_text("")
        assert not drop(dock, dragged(tmp_path / name))
    assert not drop(dock, dragged(boxes, tmp_path / "image.tif"))
    text = QMimeData()
    text.setText("hello")
    assert not drop(dock, text)


def test_a_broken_file_is_told_and_adds_nothing(dock, tmp_path, qgis_iface):
    path = tmp_path / "broken.json"
    path.write_text('{"images": [')
    assert drop(dock, dragged(path))
    wait_until(lambda: bool(qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)))
    assert "broken.json is no whole JSON file" in qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1]
    assert names() == set()


def test_an_empty_page_offers_the_import(dock, monkeypatch):
    import processing
    from processing.core.Processing import Processing

    Processing.initialize()
    page = dock.show_page("instances")
    asked = []
    monkeypatch.setattr(processing, "createAlgorithmDialog", lambda name, given: asked.append(name))
    page.empty.import_button.click()
    assert asked == ["randcrowns:importcrowns"]


def test_the_layers_of_a_page_are_exported_from_its_results(dock, two_layers, monkeypatch):
    import processing
    from processing.core.Processing import Processing

    Processing.initialize()
    asked = []
    monkeypatch.setattr(processing, "createAlgorithmDialog", lambda name, given: asked.append((name, given)))
    targets, delineations = two_layers
    page = dock.show_page("score")
    page.form.field(choices.TARGETS).pick(targets.id())
    page.export_button.crowns.trigger()
    page = dock.show_page("instances")
    page.export_button.crowns.trigger()
    sides = {"TARGETS": targets.id(), "PREDICTIONS": delineations.id()}
    assert [name for name, _ in asked] == ["randcrowns:exportcrowns"] * 2
    assert set(asked[1][1].values()) == set(sides.values())
    assert asked[0][1]["TARGETS"] == targets.id()


def test_what_a_run_made_is_exported_from_its_results(dock, two_layers, run, tmp_path, monkeypatch):
    import processing
    from processing.core.Processing import Processing

    Processing.initialize()
    asked = []
    monkeypatch.setattr(processing, "createAlgorithmDialog", lambda name, given: asked.append((name, given)))
    page = dock.show_page("score")
    run(page)
    assert not page.results.isHidden()
    made = page.export_button.made
    assert set(made) <= set(QgsProject.instance().mapLayers())
    page.export_button.run.trigger()
    ((name, parameters),) = asked
    assert (name, parameters["LAYERS"]) == ("randcrowns:exportlayers", list(made))
    done = processing.run(name, {**parameters, "FOLDER": str(tmp_path / "out")})
    assert done["EXPORTED"] == len(made)
    assert (tmp_path / "out" / "results.gpkg").exists()


@pytest.mark.parametrize("key", ["score", "instances"])
def test_print_layouts_are_made_of_what_a_page_shows(dock, two_layers, run, key, monkeypatch, qgis_iface):
    for layer in two_layers:
        layer.dataProvider().addAttributes([QgsField("plot", QVariant.String)])
        layer.updateFields()
        place = layer.fields().lookupField("plot")
        named = {one.id(): {place: f"p{one.id() % 2}"} for one in layer.getFeatures()}
        layer.dataProvider().changeAttributeValues(named)
    page = dock.show_page(key)
    page.form.follow_project()
    page.form.choose(next(choice for choice in page.form.choices if "group_field" in choice.name), "plot")
    opened = []
    monkeypatch.setattr(qgis_iface, "openLayoutDesigner", lambda layout: opened.append(layout), raising=False)
    worst, plots = [one for one in page.export_button.menu().actions() if "Print layout" in one.text()]
    worst.trigger()
    assert "no results to print" in qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1]
    run(page)
    worst.trigger()
    plots.trigger()
    assert len(opened) == 2, qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    first, second = opened
    assert first.atlas().count() == min(10, two_layers[0].featureCount())
    assert second.atlas().count() == 2
    assert first.atlas().coverageLayer().id() in page.export_button.made
    assert len(QgsProject.instance().layoutManager().layouts()) == 2
    QgsProject.instance().removeMapLayers(list(page.export_button.made))
    worst.trigger()
    assert "no longer in the project" in qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1]
