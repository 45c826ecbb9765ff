"""Files dropped onto the dock are imported; the empty pages and the menu open the dialog."""

from __future__ import annotations

import gc
import json
import shutil
from types import SimpleNamespace

import pytest
from osgeo import gdal
from qgis.core import Qgis, QgsField, QgsProject, QgsRasterLayer, QgsRectangle
from qgis.PyQt.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl, QVariant
from qgis.PyQt.QtGui import QDragEnterEvent, QDropEvent, QImage
from qgis.PyQt.QtWidgets import QApplication, QComboBox, QDialog
from support.clouds import labelled_cloud, write_cloud
from support.layers import TARGET_BOXES, box_layer, shifted
from support.processing import without_window
from support.qt import spin, wait_until
from support.shown import shows

from randcrowns.algorithms import common_parameters
from randcrowns.algorithms.algorithm_catalogue import EXPORT_CROWNS, EXPORT_LAYERS
from randcrowns.algorithms.common_parameters import LENGTHS, OWN, PRESET
from randcrowns.algorithms.detectors.schema.parameters import (
    ANNOTATORS,
    BOOTSTRAP_SAMPLES,
    DETECTORS,
)
from randcrowns.algorithms.instances.schema.parameters import CLOUD
from randcrowns.algorithms.instances.schema.parameters import TARGETS as INSTANCE_TARGETS
from randcrowns.algorithms.scoring.schema.parameters import CLASSES, SCORE_FIELD
from randcrowns.layers.vector.guesses import polygon_layers
from randcrowns.ui.services.save_dialog import remember_folder
from randcrowns.ui.shell.import_dialog import ImportDialog
from randcrowns.ui.shell.import_export import open_algorithm_dialog
from randcrowns.ui.widgets.editors import REPLACE_LAST


@pytest.fixture
def dock(project, one_dock):
    return one_dock


def dragged(*paths):
    held = QMimeData()
    held.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return held


def drop(dock, held):
    """Whether the dock takes what is dragged onto it and dropped."""
    action, button, none = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    entering = QDragEnterEvent(QPoint(20, 20), action, held, button, none)
    entering.ignore()
    QApplication.sendEvent(dock, entering)
    if entering.isAccepted():
        QApplication.sendEvent(dock, QDropEvent(QPointF(20, 20), action, held, button, none))
    return entering.isAccepted()


@pytest.fixture
def boxes(tmp_path):
    path = tmp_path / "boxes.csv"
    path.write_text(
        "image_path,xmin,ymin,xmax,ymax,label,score\na.png,0,0,4,4,Tree,0.9\na.png,5,5,5,9,Tree,0.9\n"
    )
    return path


def names():
    return {layer.name() for layer in QgsProject.instance().mapLayers().values()}


def test_a_dropped_file_becomes_a_layer_that_pages_offer(dock, boxes, qgis_iface):
    page = dock.show_page("score")
    assert page.stack.currentWidget() is page.empty_state
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
    assert "notes are in the log tab RandCrowns." in told[-1]
    assert "a.png" in told[-1]


def test_an_import_that_skipped_nothing_needs_no_table(dock, tmp_path):
    """The message has the numbers."""
    path = tmp_path / "complete.csv"
    path.write_text("image_path,xmin,ymin,xmax,ymax,label\na.png,0,0,4,4,Tree\n")
    assert drop(dock, dragged(path))
    wait_until(lambda: "complete" in names())
    spin()
    assert names() == {"complete"}
    (group,) = QgsProject.instance().layerTreeRoot().findGroups()
    assert group.name() == "Imported crowns"


@pytest.mark.parametrize("is_folder", [False, True])
def test_several_files_and_folders_open_the_dialog(dock, boxes, tmp_path, is_folder):
    """They may hold targets and predictions, which belong into layers of their own."""
    shape = {"label": "oak", "points": [[0, 0], [4, 0], [4, 4]], "shape_type": "polygon"}
    other = tmp_path / "a.json"
    other.write_text(json.dumps({"shapes": [shape], "imagePath": "a.png"}))
    assert drop(dock, dragged(tmp_path) if is_folder else dragged(boxes, other))
    dialog = next(
        widget
        for widget in QApplication.topLevelWidgets()
        if isinstance(widget, ImportDialog) and widget.isVisible()
    )
    wait_until(lambda: len(dialog.rows) == 2 and not dialog.is_reading)
    assert {row.name for row in dialog.rows} == {"boxes.csv", "a.json"}
    assert not polygon_layers()
    dialog.close()


def test_what_is_no_file_of_annotations_is_left_to_qgis(dock, boxes, tmp_path):
    for name in ("image.tif", "crowns.gpkg"):
        (tmp_path / name).write_text("")
        assert not drop(dock, dragged(tmp_path / name))
    assert not drop(dock, dragged(boxes, tmp_path / "image.tif"))
    text = QMimeData()
    text.setText("hello")
    assert not drop(dock, text)


def test_a_point_cloud_is_chosen_on_page_instances(dock, boxes, tmp_path):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(tmp_path / "plot.LAS", xyz, {"tree_id": target, "predicted_id": prediction})
    dock.show_page("score")
    assert not drop(dock, dragged(boxes, path))
    assert drop(dock, dragged(path))
    assert dock.page.key == "instances"
    assert dock.page.stack.currentWidget() is dock.page.splitter
    assert dock.page.settings()[CLOUD] == str(path)
    assert dock.page.run_bar.run_button.isEnabled()
    assert names() == set()


def test_a_broken_file_is_told_and_adds_nothing(dock, tmp_path, qgis_iface):
    path = tmp_path / "broken.json"
    path.write_text('{"images": [')
    assert drop(dock, dragged(path))
    wait_until(lambda: bool(qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)))
    assert shows(
        qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1], "json.incomplete"
    )
    assert names() == set()


def test_the_layers_of_a_page_are_exported_from_its_results(dock, two_layers, monkeypatch):
    import processing
    from processing.core.Processing import Processing

    Processing.initialize()
    asked = []
    monkeypatch.setattr(
        processing, "createAlgorithmDialog", lambda name, given: asked.append((name, given))
    )
    targets, delineations = two_layers
    page = dock.show_page("score")
    page.form.field(common_parameters.TARGETS).select_layer(targets.id())
    page.export_button.crowns_action.trigger()
    page = dock.show_page("instances")
    page.export_button.crowns_action.trigger()
    sides = {"TARGETS": targets.id(), "PREDICTIONS": delineations.id()}
    assert [name for name, _ in asked] == ["randcrowns:exportcrowns"] * 2
    assert asked[1][1] == {**sides, "IGNORED": None, "IMAGE": []}
    assert asked[0][1]["TARGETS"] == targets.id()


def test_the_fields_of_a_page_are_those_of_its_export(dock, qgis_new_project, monkeypatch):
    import processing
    from processing.core.Processing import Processing

    Processing.initialize()
    asked = []
    monkeypatch.setattr(
        processing, "createAlgorithmDialog", lambda name, given: asked.append(given)
    )
    fields = "&field=health:string&field=species:string&field=sure:double"
    rows = [["dead", "oak", 0.5], ["alive", "ash", 0.7]]
    for name in ("targets", "predictions"):
        layer = box_layer(name, TARGET_BOXES[:2], fields=fields, rows=rows)
        QgsProject.instance().addMapLayer(layer)
    page = dock.show_page("score")
    page.form.field(CLASSES.class_field).setField("health")
    page.form.field(SCORE_FIELD).setField("sure")
    page.export_button.crowns_action.trigger()
    assert asked[0]["CLASS_FIELD"] == "health"
    assert asked[0]["SCORE_FIELD"] == "sure"


def test_what_a_run_made_is_exported_from_its_results(dock, two_layers, run, tmp_path, monkeypatch):
    import processing
    from processing.core.Processing import Processing

    Processing.initialize()
    asked = []
    monkeypatch.setattr(
        processing, "createAlgorithmDialog", lambda name, given: asked.append((name, given))
    )
    page = dock.show_page("score")
    run(page)
    assert not page.results.isHidden()
    made = page.export_button.result_layer_ids
    assert set(made) <= set(QgsProject.instance().mapLayers())
    page.export_button.results_action.trigger()
    ((name, parameters),) = asked
    assert (name, parameters["LAYERS"]) == ("randcrowns:exportlayers", list(made))
    done = processing.run(name, {**parameters, "FOLDER": str(tmp_path / "out")})
    assert done["EXPORTED"] == len(made)
    assert (tmp_path / "out" / "results.gpkg").exists()


@pytest.fixture
def opened(monkeypatch, qgis_iface):
    """The print layouts that were opened."""
    found = []
    monkeypatch.setattr(
        qgis_iface, "openLayoutDesigner", lambda layout: found.append(layout), raising=False
    )
    return found


def shows_its_run(layout, page):
    """Whether a layout has pages, plot, words and tables of what a page shows."""
    covered = layout.atlas().coverageLayer()
    assert covered.id() in page.export_button.result_layer_ids
    assert layout.atlas().count() == min(10, covered.featureCount()) > 0
    assert layout.itemById("answer").currentText() == page.history.shown_record.conclusion != ""
    assert layout.itemById("plot").picturePath().startswith("base64:")
    for item in ("crowns", "summary"):
        table = layout.itemById(item).multiFrame()
        assert table.sourceLayer().id() in page.export_button.result_layer_ids
        assert len(table.columns()) > 1


def printing_of(page):
    """The actions that make print layouts, and the one that updates them to another run."""
    actions = page.export_button.menu().actions()
    return [one for one in actions if "Print layout" in one.text()], actions[-1]


@pytest.mark.parametrize("key", ["score", "instances"])
def test_print_layouts_are_made_of_what_a_page_shows(
    dock, two_layers, run, key, opened, qgis_iface
):
    for layer in two_layers:
        layer.dataProvider().addAttributes([QgsField("plot", QVariant.String)])
        layer.updateFields()
        place = layer.fields().lookupField("plot")
        named = {one.id(): {place: f"p{one.id() % 2}"} for one in layer.getFeatures()}
        layer.dataProvider().changeAttributeValues(named)
    page = dock.show_page(key)
    page.form.reload_layers()
    page.form.set_value(
        next(choice for choice in page.form.parameters if "plot_field" in choice.name), "plot"
    )
    (worst, plots), _ = printing_of(page)
    worst.trigger()
    assert (
        "no results to print"
        in qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1]
    )
    run(page)
    worst.trigger()
    plots.trigger()
    assert len(opened) == 2, qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    first, second = opened
    assert first.atlas().count() == min(10, two_layers[0].featureCount())
    assert second.atlas().count() == 2
    assert first.atlas().coverageLayer().id() in page.export_button.result_layer_ids
    assert len(QgsProject.instance().layoutManager().layouts()) == 2
    QgsProject.instance().removeMapLayers(list(page.export_button.result_layer_ids))
    worst.trigger()
    assert (
        "not made, or was removed"
        in qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1]
    )


def test_layouts_follow_a_later_run_when_asked_and_where_it_replaces_theirs(
    dock, two_layers, run, opened, qgis_iface
):
    page = dock.show_page("score")
    (worst, _), update = printing_of(page)
    run(page)
    worst.trigger()
    (layout,) = opened
    first_run, picture = page.history.shown_record, layout.itemById("plot").picturePath()
    assert picture
    page.form.set_value(PRESET, OWN)
    page.form.set_value(LENGTHS[0], 0.01)
    page.form.set_value(LENGTHS[1], 0.02)
    run(page)
    assert layout.atlas().coverageLayer().id() not in page.export_button.result_layer_ids
    assert layout.itemById("answer").currentText() == first_run.conclusion
    update.trigger()
    assert layout.atlas().coverageLayer().id() in page.export_button.result_layer_ids
    assert (
        layout.itemById("answer").currentText()
        == page.history.shown_record.conclusion
        != first_run.conclusion
    )
    assert layout.itemById("plot").picturePath() != picture
    assert (
        "1 print layout shows this run now"
        in qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Success)[-1]
    )
    update.trigger()
    assert shows(
        qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1],
        "print_layout.earlier_run",
    )
    page.form.set_value(REPLACE_LAST, True)
    page.form.set_value(LENGTHS[0], 0.2)
    run(page)
    assert layout.atlas().coverageLayer().id() in page.export_button.result_layer_ids
    assert layout.itemById("answer").currentText() == page.history.shown_record.conclusion


def test_page_annotators_lays_out_the_largest_disagreements(dock, two_layers, run, opened):
    page = dock.show_page("annotators")
    run(page)
    (worst, _), _ = printing_of(page)
    worst.trigger()
    shows_its_run(opened[0], page)
    largest = max(feature["area"] for feature in opened[0].atlas().coverageLayer().getFeatures())
    opened[0].atlas().first()
    assert opened[0].atlas().layout().reportContext().feature()["area"] == largest


def test_page_detectors_lays_out_the_ground_truths(dock, two_layers, run, opened):
    QgsProject.instance().addMapLayer(box_layer("person", shifted(TARGET_BOXES, 0.3)))
    drawn = two_layers[1]
    drawn.dataProvider().addAttributes([QgsField("score", QVariant.Double)])
    drawn.updateFields()
    place = drawn.fields().lookupField("score")
    drawn.dataProvider().changeAttributeValues(
        {one.id(): {place: 0.5} for one in drawn.getFeatures()}
    )
    page = dock.show_page("detectors")
    page.form.reload_layers()
    page.form.set_value(BOOTSTRAP_SAMPLES, 10)
    run(page)
    (truths, _), _ = printing_of(page)
    truths.trigger()
    assert opened, page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    shows_its_run(opened[0], page)


def test_page_parameters_lays_out_the_crowns_of_the_set_on_show(searched, opened):
    ((made,), _) = printing_of(searched)
    before = set(QgsProject.instance().mapLayers())
    made.trigger()
    made.trigger()
    first, second = opened
    added = set(QgsProject.instance().mapLayers()) - before
    assert len(added) == 3  # once
    assert first.atlas().coverageLayer().id() in added
    assert first.atlas().count() == second.atlas().count() > 0
    assert first.itemById("plot").picturePath().startswith("base64:")


def import_files(dock, *paths):
    """Drop files and wait for their layer."""
    before = len(polygon_layers())
    assert drop(dock, dragged(*paths))
    wait_until(lambda: len(polygon_layers()) > before)
    spin()


def test_an_import_is_offered_and_changes_no_choice(dock, two_layers, boxes):
    drawn = two_layers[1]
    drawn.dataProvider().addAttributes([QgsField("score", QVariant.Double)])
    drawn.updateFields()
    drawn.dataProvider().changeAttributeValues({one.id(): {0: 0.5} for one in drawn.getFeatures()})
    pages = {"score": common_parameters.TARGETS, "instances": INSTANCE_TARGETS, "detectors": None}
    forms = {key: dock.show_page(key).form for key in pages}
    for form in forms.values():
        form.reload_layers()
    before = {key: form.settings() for key, form in forms.items()}
    for key in ("score", "instances"):
        assert before[key][pages[key]] == two_layers[0].id()
    assert [before["detectors"][one] for one in (DETECTORS, ANNOTATORS)] == [
        (drawn.id(),),
        (two_layers[0].id(),),
    ]
    import_files(dock, boxes)
    imported = next(layer for layer in polygon_layers() if layer.name() == "boxes")
    for key, targets in pages.items():
        form = dock.show_page(key).form
        spin()
        assert form.settings() == before[key], key
        if targets is not None:
            assert form.field(targets).combo.findData(imported.id()) >= 0
    assert len(forms["detectors"].detector_list.layer_items()) == 2


def test_what_an_import_fills_in_is_told(dock, boxes, tmp_path):
    form = dock.show_page("score").form
    truth = tmp_path / "truth.csv"
    truth.write_text("image_path,xmin,ymin,xmax,ymax,label\na.png,0,0,4,4,Tree\n")
    import_files(dock, boxes)
    assert form.role_notice.isHidden()
    import_files(dock, truth)
    assert "'truth' are the targets, and 'boxes' is compared with them" in form.role_notice.text()
    assert not form.role_notice.isHidden()
    import_files(dock, shutil.copy(truth, tmp_path / "other.csv"))
    assert form.target_picker.layer().name() == "truth"


def test_an_import_shows_its_image_and_leaves_other_groups_alone(dock, boxes, tmp_path, qgis_iface):
    image = QImage(40, 30, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.darkGreen)
    assert image.save(str(tmp_path / "a.png"))
    canvas = qgis_iface.mapCanvas()
    canvas.setExtent(QgsRectangle(-180, -90, 180, 90))
    for name in ("boxes.csv", "more.csv"):
        import_files(dock, shutil.copy(boxes, tmp_path / name) if name != boxes.name else boxes)
    tree = QgsProject.instance().layerTreeRoot().children()
    assert [node.name() for node in tree] == ["Imported crowns", "Images"]
    (image_node,) = tree[1].findLayers()
    assert image_node.name() == "a"
    assert all(node.itemVisibilityChecked() for node in (*tree, image_node))
    shown, there = canvas.extent(), QgsRectangle(0, -30, 40, 0)
    assert shown.contains(there)
    assert shown.width() < 200


def test_the_image_that_crowns_lie_on_is_filled_in_for_the_export(
    dock, two_layers, tmp_path, monkeypatch
):
    import processing
    from processing.core.Processing import Processing

    Processing.initialize()
    asked = []
    monkeypatch.setattr(
        processing, "createAlgorithmDialog", lambda name, given: asked.append(given)
    )

    def add(name, left, bands):
        made = gdal.GetDriverByName("GTiff").Create(str(tmp_path / name), 80, 40, bands)
        made.SetGeoTransform((500000.0 + left, 0.5, 0.0, 3000020.0, 0.0, -0.5))
        made.SetProjection(two_layers[0].crs().toWkt())
        made.FlushCache()
        return QgsProject.instance().addMapLayer(QgsRasterLayer(made.GetDescription(), name)).id()

    def images():
        dock.show_page("score").export_button.crowns_action.trigger()
        open_algorithm_dialog(None, EXPORT_CROWNS)
        one, other = (given["IMAGE"] for given in asked[-2:])
        assert one == other
        return one

    far, height = add("far.tif", 5000, 3), add("height.tif", 0, 1)
    assert images() == [height]
    assert far not in images()
    colours = add("colours.tif", 0, 3)
    assert images() == [colours]
    add("later.tif", 0, 3)
    assert images() == []
    # Without a project file, the files are written next to the imported ones.
    assert "FOLDER" not in asked[-1]
    remember_folder(str(tmp_path))
    (tmp_path / "export").mkdir()
    images()
    assert asked[-1]["FOLDER"] == str(tmp_path / "export_2")


def test_the_dialog_that_the_menu_opens_keeps_what_run_does(
    algorithms, qgis_iface, monkeypatch, qgis_new_project
):
    """Nobody else holds the dialog, and QGIS's window is one that was not made in Python."""
    from processing.tools import general

    shown, box = without_window(monkeypatch), QComboBox()
    window = SimpleNamespace(mainWindow=lambda: box.view().parentWidget())
    monkeypatch.setattr(general, "iface", window)
    open_algorithm_dialog(qgis_iface, EXPORT_CROWNS)
    gc.collect()
    (dialog,) = window.mainWindow().findChildren(QDialog)
    assert isinstance(dialog, shown.AlgorithmDialog)
    dialog.close()
    spin()


@pytest.mark.parametrize("entry", [EXPORT_CROWNS, EXPORT_LAYERS])
def test_an_export_goes_beside_the_project_where_that_was_saved(
    algorithms, qgis_iface, monkeypatch, qgis_new_project, tmp_path, entry
):
    from processing.tools import general

    without_window(monkeypatch)
    box = QComboBox()
    window = box.view().parentWidget()
    monkeypatch.setattr(general, "iface", SimpleNamespace(mainWindow=lambda: window))
    layer = box_layer("crowns", TARGET_BOXES)
    QgsProject.instance().addMapLayer(layer)
    folders = []
    for name in ("", str(tmp_path / "plot.qgz")):
        QgsProject.instance().setFileName(name)
        open_algorithm_dialog(
            qgis_iface,
            entry,
            {"TARGETS": layer.id()} if entry is EXPORT_CROWNS else {"LAYERS": [layer.id()]},
        )
        dialog = window.findChildren(QDialog)[-1]
        folders.append(str(dialog.createProcessingParameters()["FOLDER"]))
        dialog.close()
        spin()
    assert not folders[0].startswith(str(tmp_path))
    assert folders[1] == str(tmp_path / "export")
