"""The dialog of three steps that imports crowns: files, images, roles, and the next page."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from qgis.core import QgsProject, QgsRasterLayer, QgsRectangle
from qgis.PyQt.QtCore import (
    QCoreApplication,
    QMimeData,
    QPoint,
    QPointF,
    QRect,
    Qt,
    QTranslator,
    QUrl,
)
from qgis.PyQt.QtGui import QDragEnterEvent, QDropEvent
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QApplication
from support.clouds import write_cloud
from support.layers import EAST, NORTH, TARGET_BOXES, box_layer, shifted
from support.overlaps import overlaps
from support.qt import spin, wait_until
from support.rasters import write_raster

from randcrowns.algorithms.agreement.schema.parameters import ANNOTATORS, STUDY_AREA
from randcrowns.algorithms.common_parameters import TARGETS
from randcrowns.algorithms.instances.schema.parameters import CLOUD, PREDICTIONS
from randcrowns.algorithms.instances.schema.parameters import TARGETS as INSTANCE_TARGETS
from randcrowns.algorithms.scoring.schema.parameters import DELINEATIONS
from randcrowns.layers.files.staging import write_layer
from randcrowns.layers.vector.guesses import (
    LayerRole,
    guess_role_of_name,
    imported_role,
    polygon_layers,
)
from randcrowns.ui.services.settings import set_preference
from randcrowns.ui.shell import import_export
from randcrowns.ui.shell.import_dialog import ImportDialog, open_import_dialog

#: Folder of the catalogues of the translations.
I18N = Path(import_export.__file__).parents[2] / "i18n"


def write_boxes(path, lefts, score=None, image="plot.tif"):
    """Write a table of boxes of 8 by 8 pixels on an image of 60 by 60."""
    has_score = score is not None
    lines = ["image_path,xmin,ymin,xmax,ymax,label" + (",score" if has_score else "")]
    for left in lefts:
        line = f"{image},{left},4,{left + 8},12,Tree"
        lines.append(f"{line},{score}" if has_score else line)
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def files(tmp_path):
    write_raster(tmp_path / "plot.tif", np.full((60, 60), 90), west=500000, north=3000050)
    return [
        write_boxes(tmp_path / "found.csv", [4, 20, 41], score=0.8),
        write_boxes(tmp_path / "field.csv", [4, 20, 40]),
    ]


@pytest.fixture
def dock(project, same_dock):
    return same_dock


@pytest.fixture
def opened(dock, qgis_iface):
    """The pages that the dialog showed with their values, and a function that opens it."""
    made = []

    def open_with(paths):
        dialog = open_import_dialog(
            qgis_iface, lambda key, values: dock.show_page(key).show_parameters(values), paths
        )
        made.append(dialog)
        wait_until(lambda: not dialog.is_reading)
        return dialog

    yield open_with
    for dialog in made:
        dialog.close()


def roles(dialog):
    return [row.role for row in dialog.rows]


def do_import(dialog):
    QTest.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    wait_until(lambda: bool(dialog.imported))
    spin()


def test_roles_that_scores_tell_are_not_asked_for_while_files_are_read(qgis_iface, tmp_path):
    """The dialog does not grow, so that its buttons keep their places."""
    paths = [
        write_boxes(tmp_path / "one.csv", [4, 20, 41], score=0.8),
        write_boxes(tmp_path / "two.csv", [4, 20, 40]),
    ]
    dialog = open_import_dialog(qgis_iface, lambda *_: None, paths)
    assert dialog.is_reading
    asked = []

    def is_read():
        asked.append(not dialog.role_label.isHidden() or not dialog.annotators_button.isHidden())
        return not dialog.is_reading

    wait_until(is_read)
    assert roles(dialog) == [LayerRole.DETECTOR, LayerRole.TARGETS]
    assert not any(asked)
    dialog.close()


def test_from_files_to_scored_crowns_in_two_clicks(dock, opened, files, tmp_path):
    assert QgsProject.instance().write(str(tmp_path / "plot.qgz"))
    dialog = opened(files)
    assert [row.item.text() for row in dialog.rows] == [
        "found.csv · 3 crowns",
        "field.csv · 3 crowns",
    ]
    # Both files name the same image.
    assert dialog.image_label.text() == "1 image found."
    assert [label.isVisible() for label in dialog.pictures] == [True] * 3
    assert roles(dialog) == [LayerRole.DETECTOR, LayerRole.TARGETS]

    do_import(dialog)
    assert [imported_role(layer) for layer in dialog.imported] == roles(dialog)
    assert "6 crowns imported" in dialog.result_label.text()
    # Imported crowns are stored like results, so that they are still there tomorrow.
    assert all("plot_randcrowns.gpkg" in layer.source() for layer in dialog.imported)

    QTest.mouseClick(dialog.score_button, Qt.MouseButton.LeftButton)
    page = dock.page
    assert page.key == "score"
    found, field = dialog.imported
    assert page.form.settings()[TARGETS] == field.id()
    assert page.form.settings()[DELINEATIONS] == (found.id(),)
    assert page.form.run_question() is None
    # No further click: the user has already decided what the crowns are.
    wait_until(lambda: page.results.results is not None)
    scores = page.results.displayed_scores()
    assert scores.name == "found"
    assert len(scores.crowns) == 3


def test_one_click_imports_crowns_and_scores_them(dock, opened, files):
    dialog = opened(files)
    assert dialog.import_button.isVisible()
    assert dialog.score_button.text() == "Import and score"
    # Enter does what most people want, too.
    assert dialog.score_button.isDefault()
    QTest.mouseClick(dialog.score_button, Qt.MouseButton.LeftButton)
    # No file is imported twice, also if a row of the list is selected meanwhile.
    dialog.rows[0].item.setSelected(True)
    assert not dialog.score_button.isEnabled()
    assert not dialog.import_button.isEnabled()
    wait_until(lambda: not dialog.isVisible())
    page = dock.page
    assert page.key == "score"
    found, field = dialog.imported
    assert page.form.settings()[TARGETS] == field.id()
    assert page.form.settings()[DELINEATIONS] == (found.id(),)
    wait_until(lambda: page.results.results is not None)


def test_one_click_does_not_score_a_part_of_the_files(dock, opened, files):
    dock.show_page("start")
    dialog = opened([*files, str(Path(files[0]).with_name("other.csv"))])
    first = dialog.rows[0]
    Path(first.path).unlink()
    QTest.mouseClick(dialog.score_button, Qt.MouseButton.LeftButton)
    wait_until(lambda: bool(dialog.imported))
    spin()
    assert dialog.isVisible()
    assert dock.page.key == "start"


def test_one_click_runs_nothing_after_the_dialog_was_closed(dock, opened, files):
    dock.show_page("start")
    dialog = opened(files)
    QTest.mouseClick(dialog.score_button, Qt.MouseButton.LeftButton)
    dialog.close()
    wait_until(lambda: len(dialog.imported) == len(files))
    spin()
    assert dock.page.key == "start"


@pytest.mark.parametrize("is_targets", [True, False])
def test_crowns_alone_are_only_imported_unless_the_project_has_others(opened, files, is_targets):
    alone = opened([files[is_targets]])
    choose_role(alone.rows[0], LayerRole.TARGETS if is_targets else LayerRole.DETECTOR)
    assert not alone.score_button.isVisible()
    assert alone.import_button.isDefault()
    alone.close()
    QgsProject.instance().addMapLayer(box_layer("ground truth", TARGET_BOXES))
    dialog = opened([files[is_targets]])
    assert dialog.score_button.text() == "Import and score"


def test_crowns_that_are_imported_one_after_another_are_compared(dock, opened, tmp_path):
    write_raster(tmp_path / "plot.tif", np.full((60, 60), 90), west=500000, north=3000050)
    people = [write_boxes(tmp_path / f"annotator_{name}.csv", [4, 20, 40]) for name in "ab"]
    dialog = opened(people[:1])
    choose_role(dialog.rows[0], LayerRole.ANNOTATOR)
    assert not dialog.score_button.isVisible()
    do_import(dialog)
    dialog.add_paths(people[1:])
    wait_until(lambda: not dialog.is_reading)
    choose_role(dialog.rows[1], LayerRole.ANNOTATOR)
    assert dialog.score_button.text() == "Import and compare"
    QTest.mouseClick(dialog.score_button, Qt.MouseButton.LeftButton)
    wait_until(lambda: not dialog.isVisible())
    assert dock.page.key == "annotators"
    assert len(dock.page.form.settings()[ANNOTATORS]) == 2


def test_crowns_for_page_annotators_are_those_of_people_and_need_no_targets(
    project, dock, tmp_path, qgis_iface
):
    page = dock.show_page("annotators")
    write_raster(tmp_path / "plot.tif", np.full((60, 60), 90), west=500000, north=3000050)
    files = [write_boxes(tmp_path / f"{name}.csv", [4, 20, 40]) for name in ("anna", "ben")]
    dialog = open_import_dialog(
        qgis_iface,
        lambda key, values: dock.show_page(key).show_parameters(values),
        files,
        page_key="annotators",
    )
    wait_until(lambda: not dialog.is_reading)
    assert roles(dialog) == [LayerRole.ANNOTATOR] * 2
    do_import(dialog)
    # All are ticked on the page, also if the user closes the dialog now.
    imported = {layer.id() for layer in dialog.imported}
    wait_until(lambda: set(page.form.annotator_list.checked_ids()) == imported)
    QTest.mouseClick(dialog.score_button, Qt.MouseButton.LeftButton)
    assert dock.page.key == "annotators"
    assert set(dock.page.form.settings()[ANNOTATORS]) == {layer.id() for layer in dialog.imported}


def test_the_names_of_files_without_scores_say_what_they_are(opened, tmp_path):
    write_raster(tmp_path / "plot.tif", np.full((60, 60), 90), west=500000, north=3000050)
    names = ("anna", "detections", "ground_truth")
    dialog = opened([write_boxes(tmp_path / f"{name}.csv", [4, 20, 40]) for name in names])
    assert roles(dialog) == [LayerRole.ANNOTATOR, LayerRole.DETECTOR, LayerRole.TARGETS]


def choose_role(row, role):
    """Select a role as the user does."""
    row.role_box.setCurrentIndex(row.role_box.findData(role.value))
    row.role_box.activated.emit(row.role_box.currentIndex())


def test_files_that_nothing_tells_apart_are_asked_about(opened, tmp_path):
    """The first by name would become the targets without a word."""
    write_raster(tmp_path / "plot.tif", np.full((60, 60), 90), west=500000, north=3000050)
    files = [write_boxes(tmp_path / f"{name}.csv", [4, 20, 40]) for name in ("a", "b", "c")]
    found = write_boxes(tmp_path / "found.csv", [4, 20], score=0.5)
    dialog = opened([*files, found])
    assert roles(dialog) == [None, None, None, LayerRole.DETECTOR]
    assert not dialog.import_button.isEnabled()
    assert dialog.role_label.isVisible()

    # With one of them an annotator's, it is still unknown what the others are.
    choose_role(dialog.rows[0], LayerRole.ANNOTATOR)
    assert roles(dialog) == [LayerRole.ANNOTATOR, None, None, LayerRole.DETECTOR]
    assert not dialog.import_button.isEnabled()
    choose_role(dialog.rows[1], LayerRole.TARGETS)
    people = [LayerRole.ANNOTATOR, LayerRole.TARGETS, LayerRole.ANNOTATOR]
    assert roles(dialog) == [*people, LayerRole.DETECTOR]
    assert not dialog.role_label.isVisible()
    assert dialog.import_button.isEnabled()

    # A file of the two that is left alone has the targets.
    two = opened(files[:2])
    assert roles(two) == [None, None]
    two.file_list.setCurrentRow(0)
    two.remove_button.click()
    assert roles(two) == [LayerRole.TARGETS]
    assert two.import_button.isEnabled()


def test_a_picture_shows_the_outline_on_its_image(opened, files):
    dialog = opened(files[1:])
    image = dialog.pictures[0].pixmap().toImage()
    colours = [
        image.pixelColor(x, y).getRgb()[:3]
        for x in range(image.width())
        for y in range(image.height())
    ]
    is_red = [red - max(green, blue) > 60 for red, green, blue in colours]
    assert 0.01 < np.mean(is_red) < 0.2
    is_image = [max(rgb) - min(rgb) < 20 and max(rgb) < 200 for rgb in colours]
    assert np.mean(is_image) > 0.3


def test_missing_images_are_named_and_found_in_a_folder(opened, tmp_path):
    file = write_boxes(tmp_path / "field.csv", [4, 20], image="other.tif")
    dialog = opened([file])
    assert "Not found: other.tif." in dialog.image_label.text()
    assert not dialog.pictures[0].isVisible()
    folder = tmp_path / "images"
    folder.mkdir()
    write_raster(folder / "other.tif", np.full((60, 60), 90), west=500000, north=3000050)
    dialog.set_image_folder(str(folder))
    wait_until(lambda: not dialog.is_reading)
    assert dialog.image_label.text() == "1 image found."
    assert dialog.pictures[0].isVisible()
    do_import(dialog)
    assert dialog.imported[0].crs().isValid()


def row_texts(dialog):
    return [row.item.text() for row in dialog.rows]


def test_a_folder_with_targets_and_predictions_becomes_two_layers(opened, files, tmp_path):
    dialog = opened([str(tmp_path)])
    wait_until(lambda: len(dialog.rows) == 2 and not dialog.is_reading)
    assert row_texts(dialog) == ["field.csv · 3 crowns", "found.csv · 3 crowns"]
    assert roles(dialog) == [LayerRole.TARGETS, LayerRole.DETECTOR]
    do_import(dialog)
    wait_until(lambda: len(dialog.imported) == 2)
    assert {layer.name() for layer in dialog.imported} == {"field", "found"}


def test_a_folder_cannot_be_imported_before_its_files_are_known(dock, qgis_iface, files, tmp_path):
    dialog = open_import_dialog(qgis_iface, lambda *_: None, [str(tmp_path)])
    assert dialog.is_reading
    assert not dialog.import_button.isEnabled()
    assert not any(row.role_box.isVisible() for row in dialog.rows)
    wait_until(lambda: len(dialog.rows) == 2 and not dialog.is_reading)
    assert dialog.import_button.isEnabled()
    assert all(row.role_box.isVisible() for row in dialog.rows)
    dialog.close()


def test_the_dialog_shows_its_progress_and_keeps_its_place(opened, files, monkeypatch):
    monkeypatch.setattr(import_export, "BUSY_DELAY", 0)
    dialog = opened(files)
    spin(50)
    highest = int(0.94 * dialog.screen().availableGeometry().height())
    assert dialog.height() <= max(highest, dialog.minimumSizeHint().height())
    place = dialog.geometry()
    bar = dialog.progress_bar
    shown = []
    show = bar.show
    monkeypatch.setattr(bar, "show", lambda: (show(), shown.append(bar.isVisible())))
    do_import(dialog)
    spin(50)
    assert shown == [True]
    assert not bar.isVisible()
    assert dialog.result_label.isVisible()
    assert dialog.geometry() == place


@pytest.mark.parametrize("is_folder", [False, True], ids=["files", "folder"])
def test_files_and_folders_show_targets_on_top_where_the_image_is(
    opened, qgis_iface, tmp_path, is_folder
):
    far = [(east + 7000, south, east2 + 7000, north) for east, south, east2, north in TARGET_BOXES]
    paths = [tmp_path / "field.gpkg", tmp_path / "predicted.gpkg", tmp_path / "ortho.tif"]
    for path in paths[:2]:
        write_layer(box_layer(path.stem, [*TARGET_BOXES, *far]), path, path.stem)
    write_raster(paths[2], np.full((3, 40, 50), 90), west=EAST - 5, north=NORTH + 25)
    qgis_iface.mapCanvas().setExtent(QgsRectangle(0, 0, 5, 5))
    dialog = opened([str(tmp_path)] if is_folder else list(map(str, paths)))
    wait_until(lambda: len(dialog.rows) > 1 and not dialog.is_reading)
    do_import(dialog)
    order = [layer.name() for layer in QgsProject.instance().layerTreeRoot().layerOrder()]
    assert order == ["field", "predicted", "ortho"]
    assert qgis_iface.mapCanvas().extent().width() < 500


def write_yolo(folder, line, name="plot.txt"):
    folder.mkdir(parents=True)
    (folder / name).write_text(line)


def test_predictions_of_yolo_take_the_images_of_the_labels(opened, tmp_path):
    """Labels and predictions have the layout of Ultralytics, with images beside the labels only."""
    write_yolo(tmp_path / "labels" / "val", "0 0.5 0.5 0.2 0.2\n")
    write_yolo(tmp_path / "predict" / "labels", "0 0.5 0.5 0.3 0.3 0.9\n0 0.2 0.2 0.1 0.1 0.8\n")
    images = tmp_path / "images" / "val"
    images.mkdir(parents=True)
    write_raster(images / "plot.tif", np.full((60, 60), 90), west=500000, north=3000050)
    dialog = opened([str(tmp_path)])
    wait_until(lambda: len(dialog.rows) == 2 and not dialog.is_reading)
    assert row_texts(dialog) == [
        f"{tmp_path.name}/labels/val · 1 crown",
        "predict/labels · 2 crowns",
    ]
    assert dialog.image_label.text() == "1 image found."
    assert roles(dialog) == [LayerRole.TARGETS, LayerRole.DETECTOR]


def test_predictions_of_yolo_take_images_and_class_names_of_a_data_set_elsewhere(opened, tmp_path):
    """Ultralytics writes predictions into runs/, without images and names of classes."""
    data = tmp_path / "data_set"
    for part in ("train", "val"):
        write_yolo(data / "labels" / part, "0 0.5 0.5 0.2 0.2\n", f"{part}.txt")
        (data / "images" / part).mkdir(parents=True)
        raster = data / "images" / part / f"{part}.tif"
        write_raster(raster, np.full((60, 60), 90), west=500000, north=3000050)
    (data / "data.yaml").write_text("names:\n  0: oak\n  1: pine\n")
    predicted = tmp_path / "runs" / "predict" / "labels"
    write_yolo(predicted, "1 0.5 0.5 0.3 0.3 0.9\n", "val.txt")
    dialog = opened([str(data), str(predicted)])
    wait_until(lambda: not dialog.is_reading and not dialog.image_label.text().startswith("Not"))
    assert row_texts(dialog) == ["data_set · 2 crowns", "predict/labels · 1 crown"]
    assert dialog.image_label.text() == "2 images found."
    assert roles(dialog) == [LayerRole.TARGETS, LayerRole.DETECTOR]
    do_import(dialog)
    wait_until(lambda: len(dialog.imported) == 2)
    labels = [{feature["label"] for feature in layer.getFeatures()} for layer in dialog.imported]
    assert labels == [{"oak"}, {"pine"}]


def write_coco(folder, name, content):
    folder.mkdir()
    (folder / name).write_text(json.dumps(content))


def test_results_of_coco_take_the_images_of_the_ground_truth_in_another_folder(
    dock, opened, tmp_path
):
    box = {"image_id": 7, "category_id": 1, "bbox": [4, 4, 8, 8]}
    truth = {
        "images": [{"id": 7, "file_name": "plot.png", "width": 60, "height": 60}],
        "annotations": [{**box, "id": 1, "area": 64, "iscrowd": 0}],
        "categories": [{"id": 1, "name": "tree"}],
    }
    write_coco(tmp_path / "gt", "truth.json", truth)
    write_coco(tmp_path / "dt", "found.json", [{**box, "score": 0.5}, {**box, "score": 0.4}])
    dialog = opened([str(tmp_path)])
    wait_until(lambda: not any(row.problem for row in dialog.rows) and not dialog.is_reading)
    assert row_texts(dialog) == ["truth.json · 1 crown", "found.json · 2 crowns"]
    do_import(dialog)
    wait_until(lambda: len(dialog.imported) == 2)
    assert [layer.featureCount() for layer in dialog.imported] == [1, 2]
    # Pixels have no lengths in metres, so they are evaluated and not scored.
    assert dialog.score_button.text() == "Evaluate these"
    dialog.score_button.click()
    assert dock.page.key == "instances"
    settings = dock.page.form.settings()
    shown = [settings[INSTANCE_TARGETS], settings[PREDICTIONS]]
    assert shown == [layer.id() for layer in dialog.imported]


def test_a_photo_beside_crowns_is_shown_below_them(opened, files, tmp_path):
    write_raster(tmp_path / "photo.tif", np.full((60, 60), 0.5))
    dialog = opened([str(tmp_path / "photo.tif"), *files])
    assert row_texts(dialog)[0] == "photo.tif · image, shown below the crowns"
    assert not dialog.problem_label.isVisible()
    assert roles(dialog)[1:] == [LayerRole.DETECTOR, LayerRole.TARGETS]
    # The image is no layer of crowns: nothing says what its crowns are.
    assert [row.role_box.isVisible() for row in dialog.rows] == [False, True, True]
    do_import(dialog)
    wait_until(lambda: len(dialog.imported) == 2)
    assert QgsProject.instance().mapLayersByName("photo")
    assert not dialog.import_button.isVisible()


def test_side_files_of_a_folder_whose_files_are_all_selected_are_ignored(opened, files, tmp_path):
    side_files = [tmp_path / name for name in ("plot.tif.aux.xml", "crowns.DBF", "a.gpkg-wal")]
    for file in side_files:
        file.write_text("<PAMDataset/>")
    dialog = opened([*map(str, side_files), *files])
    assert len(dialog.rows) == len(files)
    assert not dialog.problem_label.isVisible()
    # A side file alone is refused, and nothing asks what its crowns are.
    alone = opened([str(side_files[0])])
    assert alone.problem_label.isVisible()
    assert not alone.rows[0].role_box.isVisible()


def test_a_point_cloud_leads_to_page_instances(dock, opened, tmp_path):
    cloud = tmp_path / "plot.las"
    cloud.write_bytes(b"")
    dialog = opened([str(cloud)])
    assert row_texts(dialog) == ["plot.las · point cloud"]
    assert not dialog.import_button.isVisible()
    assert dialog.score_button.text() == "Evaluate the cloud"
    assert "page Instances" in dialog.image_label.text()
    dialog.score_button.click()
    assert dock.page.key == "instances"
    assert dock.page.form.settings()[CLOUD] == str(cloud)


def test_imported_files_are_not_imported_again(opened, files):
    dialog = opened(files[1:])
    do_import(dialog)
    assert row_texts(dialog) == ["field.csv · 3 crowns ✓"]
    assert not dialog.import_button.isEnabled()
    dialog.add_paths(files[:1])
    wait_until(lambda: not dialog.is_reading)
    QTest.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    wait_until(lambda: len(dialog.imported) == 2)
    assert len(polygon_layers()) == 2
    assert dialog.score_button.isVisible()


def test_the_user_decides_what_the_crowns_are(dock, opened, files):
    dialog = opened(files)
    for row in dialog.rows:
        row.role_box.set_value(LayerRole.ANNOTATOR.value)
        row.role_box.activated.emit(row.role_box.currentIndex())
    do_import(dialog)
    assert dialog.score_button.text() == "Compare these"
    dialog.score_button.click()
    assert dock.page.key == "annotators"
    assert set(dock.page.form.settings()[ANNOTATORS]) == {layer.id() for layer in dialog.imported}


def test_crowns_alone_say_what_is_still_needed(opened, files):
    dialog = opened(files[1:])
    do_import(dialog)
    assert "Import the crowns to compare them with, too." in dialog.result_label.text()
    assert not dialog.score_button.isVisible()
    dialog.add_paths(files[:1])
    wait_until(lambda: not dialog.is_reading)
    assert roles(dialog)[-1] is LayerRole.DETECTOR


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_imported(opened, files, tmp_path):
    broken = tmp_path / "broken.csv"
    broken.write_text("a,b\n1,2\n")
    dialog = opened([str(broken), *files])
    assert "⚠" in dialog.rows[0].item.text()
    assert dialog.problem_label.isVisible()
    do_import(dialog)
    wait_until(lambda: len(dialog.imported) == 2)
    assert len(polygon_layers()) == 2


def test_files_are_dropped_onto_the_dialog_and_removed(opened, files):
    dialog = opened([])
    assert not dialog.import_button.isEnabled()
    held = QMimeData()
    held.setUrls([QUrl.fromLocalFile(path) for path in files])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(20, 20), action, held, button, none)
    entering.ignore()
    QApplication.sendEvent(dialog, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(dialog, QDropEvent(QPointF(20, 20), action, held, button, none))
    wait_until(lambda: not dialog.is_reading)
    assert [row.path for row in dialog.rows] == files
    dialog.file_list.setCurrentRow(0)
    dialog.remove_button.click()
    assert [row.path for row in dialog.rows] == files[1:]
    assert roles(dialog) == [LayerRole.TARGETS]


def test_other_parameters_are_set_in_the_dialog_of_the_toolbox(opened, files, monkeypatch):
    import processing
    from processing.core.Processing import Processing

    Processing.initialize()
    asked = []
    monkeypatch.setattr(
        processing, "createAlgorithmDialog", lambda name, given: asked.append((name, given))
    )
    dialog = opened(files)
    dialog.options_button.click()
    assert asked == [("randcrowns:importcrowns", {"INPUT": ";".join(files)})]
    assert not dialog.isVisible()


@pytest.mark.parametrize("key", ["score", "instances", "review", "start"])
def test_pages_open_the_dialog(dock, key):
    page = dock.show_page(key)
    button = page.import_button if key == "start" else page.empty_state.import_button
    button.click()
    dialog = next(
        widget
        for widget in QApplication.topLevelWidgets()
        if type(widget).__name__ == "ImportDialog" and widget.isVisible()
    )
    dialog.close()


def write_people(folder):
    """Write map layers of two people, and a photo and a height model of the same place."""
    for name, by in {"anna": 0.0, "ben": 0.5}.items():
        write_layer(box_layer(name, shifted(TARGET_BOXES, by)), folder / f"{name}.gpkg", name)
    # The boxes are from 0 to 34 m east and from 0 to 14 m north of the corner.
    for name, bands in {"ortho": 3, "heights": 1}.items():
        values = np.full((bands, 40, 50), 90)
        write_raster(folder / f"{name}.tif", values, west=EAST - 5, north=NORTH + 25)
    # Another place.
    write_raster(folder / "away.tif", np.full((3, 9, 9), 90), west=EAST + 5000, north=NORTH)


def rasters():
    return [
        layer.name()
        for layer in QgsProject.instance().mapLayers().values()
        if isinstance(layer, QgsRasterLayer)
    ]


@pytest.mark.parametrize("is_shown", [True, False])
def test_a_photo_in_the_folder_of_map_layers_is_shown_once_below_them(opened, tmp_path, is_shown):
    write_people(tmp_path)
    dialog = opened([str(tmp_path / "anna.gpkg"), str(tmp_path / "ben.gpkg")])
    choose_role(dialog.rows[0], LayerRole.TARGETS)
    assert dialog.image_label.text() == "1 image found."
    assert [label.isVisible() for label in dialog.pictures] == [True] * 3
    assert dialog.show_images_box.isChecked()
    if not is_shown:
        dialog.show_images_box.click()
    do_import(dialog)
    wait_until(lambda: len(dialog.imported) == 2)
    assert rasters() == (["ortho"] if is_shown else [])
    order = [layer.name() for layer in QgsProject.instance().layerTreeRoot().layerOrder()]
    assert order[-1:] == (["ortho"] if is_shown else order[-1:])
    # The switch is remembered.
    assert opened([]).show_images_box.isChecked() == is_shown
    set_preference("show_images", "1")


def test_layers_of_a_file_become_layers_of_their_own(opened, tmp_path):
    path = tmp_path / "all.gpkg"
    for name, by in {"field": 0.0, "found": 0.5}.items():
        write_layer(box_layer(name, shifted(TARGET_BOXES, by)), path, name)
    dialog = opened([str(path)])
    wait_until(lambda: not dialog.is_reading)
    assert [row.name for row in dialog.rows] == ["field", "found"]
    assert roles(dialog) == [LayerRole.TARGETS, LayerRole.ANNOTATOR]
    do_import(dialog)
    wait_until(lambda: len(dialog.imported) == 2)
    assert [layer.name() for layer in dialog.imported] == ["field", "found"]


def write_json(path, content):
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))
    return str(path)


CROWN = {"image_id": 1, "category_id": 1, "bbox": [0, 0, 4, 2]}
TRUTH = {"images": [{"id": 1, "file_name": "a.png"}], "categories": [{"id": 1, "name": "oak"}]}


def test_two_truths_of_one_image_in_a_folder_are_two_layers(opened, tmp_path):
    for name in ("anna", "ben"):
        write_json(tmp_path / f"{name}.json", {**TRUTH, "annotations": [CROWN]})
    dialog = opened([str(tmp_path)])
    wait_until(lambda: not dialog.is_reading)
    assert [row.name for row in dialog.rows] == ["anna.json", "ben.json"]


def test_results_that_name_images_take_their_classes_from_the_truth_in_the_dialog(opened, tmp_path):
    truth = write_json(tmp_path / "truth" / "truth.json", {**TRUTH, "annotations": [CROWN]})
    named = {**CROWN, "image_id": "a.png", "score": 0.5}
    results = write_json(tmp_path / "found" / "results.json", [named])
    dialog = opened([results])
    assert dialog.rows[0].preview.n_crowns == 1
    dialog.add_paths([truth])
    wait_until(lambda: not dialog.is_reading)
    do_import(dialog)
    wait_until(lambda: len(dialog.imported) == 2)
    labels = [feature["label"] for layer in dialog.imported for feature in layer.getFeatures()]
    assert labels == ["oak", "oak"]


def test_areas_to_ignore_are_no_crowns_to_compare(opened, tmp_path):
    crowd = {**CROWN, "bbox": [5, 5, 4, 2], "iscrowd": 1}
    dialog = opened([write_json(tmp_path / "a.json", {**TRUTH, "annotations": [CROWN, crowd]})])
    do_import(dialog)
    (areas,) = QgsProject.instance().mapLayersByName("Areas to ignore")
    assert imported_role(areas) is LayerRole.IGNORED
    assert not dialog.score_button.isVisible()


def test_results_without_their_ground_truth_ask_for_it_in_the_list(opened, tmp_path):
    results = write_json(tmp_path / "found" / "results.json", [{**CROWN, "score": 0.5}])
    dialog = opened([results])
    assert dialog.rows[0].lacks_truth
    # The dialog has no field 'Images of', which the error of the toolbox names.
    assert "Images of" not in dialog.problem_label.text()
    assert "results.json" in dialog.problem_label.text()
    dialog.add_paths([write_json(tmp_path / "a" / "gt.json", {**TRUTH, "annotations": [CROWN]})])
    wait_until(lambda: not dialog.is_reading)
    assert not dialog.problem_label.text()


def test_a_folder_with_a_cloud_per_tree_is_one_cloud(dock, opened, tmp_path):
    for number in (1, 2):
        write_cloud(tmp_path / f"tree_{number}.las", [[0, 0, number]], {})
    dialog = opened([str(tmp_path)])
    assert row_texts(dialog) == [f"{tmp_path.name} · point cloud"]
    assert dialog.role_form.rowCount() == 0
    QTest.mouseClick(dialog.score_button, Qt.MouseButton.LeftButton)
    assert dock.page.form.settings()[CLOUD] == str(tmp_path)


def test_clouds_with_ids_of_trees_are_clouds_of_their_own(opened, tmp_path):
    for number in (1, 2):
        write_cloud(tmp_path / f"plot_{number}.las", [[0, 0, number]], {"treeID": [1]})
    dialog = opened([str(tmp_path)])
    assert row_texts(dialog) == ["plot_1.las · point cloud", "plot_2.las · point cloud"]


def test_truths_of_one_image_beside_their_results_are_two_layers(opened, tmp_path):
    for name in ("anna", "ben"):
        write_json(tmp_path / f"{name}.json", {**TRUTH, "annotations": [CROWN]})
    write_json(tmp_path / "found.json", [{**CROWN, "score": 0.5}])
    dialog = opened([str(tmp_path)])
    wait_until(lambda: not dialog.is_reading)
    assert sorted(row.name for row in dialog.rows) == ["anna.json", "ben.json", "found.json"]


def test_crowns_without_a_place_on_the_map_end_the_import(opened, elsewhere, tmp_path):
    for name, by in {"field": 0.0, "found": 0.5}.items():
        write_layer(box_layer(name, shifted(TARGET_BOXES, by)), tmp_path / f"{name}.gpkg", name)
    dialog = opened([str(tmp_path / "field.gpkg"), str(tmp_path / "found.gpkg")])
    do_import(dialog)
    assert [layer.name() for layer in dialog.imported] == ["field", "found"]
    assert dialog.score_button.isVisible()


def test_three_equal_files_of_annotators_are_imported_with_two_clicks(dock, opened, tmp_path):
    write_raster(tmp_path / "plot.tif", np.full((60, 60), 90), west=500000, north=3000050)
    names = ("anna", "ben", "cleo")
    dialog = opened([write_boxes(tmp_path / f"{name}.csv", [4, 20, 40]) for name in names])
    assert roles(dialog) == [None] * 3
    assert not dialog.import_button.isEnabled()
    assert dialog.annotators_button.isVisible()
    QTest.mouseClick(dialog.annotators_button, Qt.MouseButton.LeftButton)
    assert roles(dialog) == [LayerRole.ANNOTATOR] * 3
    assert not dialog.annotators_button.isVisible()
    # A role that was set for all can be changed for one file.
    choose_role(dialog.rows[2], LayerRole.TARGETS)
    assert roles(dialog) == [LayerRole.ANNOTATOR, LayerRole.ANNOTATOR, LayerRole.TARGETS]
    choose_role(dialog.rows[2], LayerRole.ANNOTATOR)
    do_import(dialog)
    assert [imported_role(layer) for layer in dialog.imported] == [LayerRole.ANNOTATOR] * 3


#: Names of files with the crowns of people, in the languages of the plugin.
NAMES_OF_PEOPLE = [
    ("annotator_01", "observer_2", "labeler-anna", "rater1", "Digitizer B"),
    ("Annotator 1", "Beobachterin_2", "bewerter_3", "digitalisierer4"),
    ("anotador_1", "observador2", "etiquetadora-ana", "evaluador_4", "intérprete_5"),
    ("annotateur_1", "observatrice2", "étiqueteur_3", "évaluateur-4", "photo-interprète_5"),
    ("anotadora_1", "rotulador2", "avaliador_3", "digitalizador_4"),
]


@pytest.mark.parametrize("names", NAMES_OF_PEOPLE, ids=["en", "de", "es", "fr", "pt"])
def test_files_that_are_all_named_like_people_are_those_of_annotators(opened, tmp_path, names):
    write_raster(tmp_path / "plot.tif", np.full((60, 60), 90), west=500000, north=3000050)
    found = write_boxes(tmp_path / "rater_of_a_program.csv", [4, 20], score=0.5)
    drawn = [write_boxes(tmp_path / f"{name}.csv", [4, 20, 40]) for name in names]
    dialog = opened([*drawn, found])
    assert roles(dialog) == [LayerRole.ANNOTATOR] * len(names) + [LayerRole.DETECTOR]
    assert dialog.import_button.isEnabled()
    assert not dialog.role_label.isVisible()
    # Among them, a file with another name may be the targets: the only one is.
    dialog.add_paths([write_boxes(tmp_path / "field.csv", [4, 20, 40])])
    wait_until(lambda: not dialog.is_reading)
    assert roles(dialog)[-1] is LayerRole.TARGETS


@pytest.mark.parametrize("name", ["crater_1", "relabelled", "raterised", "anna"])
def test_other_names_are_not_those_of_people(name):
    assert guess_role_of_name(name) is None


def test_the_button_to_the_next_page_closes_the_dialog_first_and_shows_that_it_works(
    qgis_iface, files
):
    shown = []
    dialog = open_import_dialog(
        qgis_iface,
        lambda key, _: shown.append(
            (key, dialog.isVisible(), QApplication.overrideCursor().shape())
        ),
        files,
    )
    wait_until(lambda: not dialog.is_reading)
    do_import(dialog)
    QTest.mouseClick(dialog.score_button, Qt.MouseButton.LeftButton)
    assert shown == [("score", False, Qt.CursorShape.WaitCursor)]
    assert QApplication.overrideCursor() is None


def test_files_whose_roles_are_known_are_not_set_at_once(opened, files):
    assert not opened(files).annotators_button.isVisible()


def test_results_in_a_folder_are_no_crowns_to_import(dock, opened, files, tmp_path):
    """The project's GeoPackage and a saved result are left out when the folder is added again."""
    assert QgsProject.instance().write(str(tmp_path / "plot.qgz"))
    dialog = opened([str(tmp_path)])
    assert sorted(row.name for row in dialog.rows) == ["field.csv", "found.csv"]
    assert dialog.problem_label.isHidden()
    do_import(dialog)
    assert (tmp_path / "plot_randcrowns.gpkg").exists()
    # A result that was saved under another name has the metadata of its run.
    (tmp_path / "plot_randcrowns.gpkg").rename(tmp_path / "saved.gpkg")
    (tmp_path / "other_randcrowns.gpkg").write_bytes((tmp_path / "saved.gpkg").read_bytes())
    again = opened([str(tmp_path)])
    assert sorted(row.name for row in again.rows) == ["field.csv", "found.csv"]
    assert "other_randcrowns.gpkg, saved.gpkg" in again.problem_label.text()
    # A file that the user selects is imported.
    one = opened([str(tmp_path / "saved.gpkg")])
    assert sum(row.preview.n_crowns for row in one.rows) == 6
    assert one.problem_label.isHidden()


def test_a_role_is_whole_beside_a_long_name_and_lists_grow_with_the_window(opened, tmp_path):
    names = [f"crowns_20261130_074726_2377{number}_of_the_forest.csv" for number in range(4)]
    dialog = opened([write_boxes(tmp_path / name, [4, 20]) for name in names])
    spin(50)
    area = dialog.role_form.parentWidget().parentWidget()
    for row in dialog.rows:
        box = row.role_box
        assert box.mapTo(area, QPoint(box.width(), 0)).x() <= area.width()
        assert box.width() > box.fontMetrics().horizontalAdvance("Crowns of a detector") + 20
    heights = (dialog.file_list.height(), area.height())
    dialog.resize(1366, 1000)
    spin(50)
    assert dialog.file_list.height() > heights[0]
    assert area.height() > heights[1]


@pytest.fixture(params=["en", "de"])
def language(request, qgis_app):
    """The texts that the dialog reads while it is made are in this language."""
    translator = QTranslator()
    if request.param != "en":
        assert translator.load(str(I18N / f"randcrowns_{request.param}.qm"))
        assert QCoreApplication.installTranslator(translator)
    yield request.param
    QCoreApplication.removeTranslator(translator)


@pytest.mark.parametrize("count", [1, 5, 20])
def test_at_768_pixels_no_part_of_the_dialog_is_drawn_over_another(
    opened, tmp_path, monkeypatch, low_font, language, count
):
    screen = SimpleNamespace(availableGeometry=lambda: QRect(0, 0, 1366, 768))
    monkeypatch.setattr(ImportDialog, "screen", lambda _: screen)
    write_raster(tmp_path / "plot.tif", np.full((60, 60), 90), west=500000, north=3000050)
    dialog = opened(
        [write_boxes(tmp_path / f"plot_{number}.csv", [4, 20, 40]) for number in range(count)]
    )
    wait_until(lambda: dialog.pictures[0].isVisible())
    spin(100)
    assert dialog.height() < 768 - 30
    assert dialog.role_label.isVisible() == (count > 1)
    assert overlaps(dialog) == []
    dialog.add_paths([str(tmp_path / "missing_file.csv")])
    wait_until(lambda: not dialog.is_reading)
    spin(100)
    assert dialog.problem_label.isVisible()
    assert overlaps(dialog) == []
    for row in dialog.rows[1:]:
        choose_role(row, LayerRole.DETECTOR)
    spin(100)
    buttons = [dialog.import_button, dialog.options_button]
    if count > 1:
        buttons.append(dialog.score_button)
    for button in buttons:
        assert button.visibleRegion().boundingRect() == button.rect()


#: Six crowns of 8 x 8 m, and a box around them, in metres from EAST, NORTH.
SIX_BOXES = [(20.0 * number, 0.0, 20.0 * number + 8.0, 8.0) for number in range(6)]
AREA_BOX = (-5.0, -5.0, 120.0, 20.0)


@pytest.mark.parametrize("name", ["Peel_AOI_2500", "Peel_2500"])
def test_a_study_area_among_the_files_is_no_annotator(dock, opened, tmp_path, name):
    for person, by in {"anna": 0.0, "ben": 0.5, "cleo": 1.0}.items():
        write_layer(box_layer(person, shifted(SIX_BOXES, by)), tmp_path / f"{person}.gpkg", person)
    write_layer(box_layer(name, [AREA_BOX]), tmp_path / f"{name}.gpkg", name)
    dialog = opened([str(path) for path in sorted(tmp_path.glob("*.gpkg"))])
    role_by_name = {row.name: row.role for row in dialog.rows}
    assert role_by_name.pop(f"{name}.gpkg") is LayerRole.STUDY_AREA
    assert set(role_by_name.values()) == {None}
    assert dialog.file_list.item(0).text() == f"{name}.gpkg · 1 polygon"
    QTest.mouseClick(dialog.annotators_button, Qt.MouseButton.LeftButton)
    do_import(dialog)
    wait_until(lambda: len(dialog.imported) == 4)
    assert dialog.result_label.text() == "18 crowns imported."
    assert dialog.score_button.text() == "Compare these"
    QTest.mouseClick(dialog.score_button, Qt.MouseButton.LeftButton)
    _check_comparison_in(dock, name)


def _check_comparison_in(dock, area_name):
    """Check that page Annotators compares three layers inside the study area."""
    page = dock.page
    assert page.key == "annotators"
    layers = {layer.name(): layer.id() for layer in polygon_layers()}
    area_id = layers.pop(area_name)
    assert set(page.form.settings()[ANNOTATORS]) == set(layers.values())
    assert page.form.settings()[STUDY_AREA].layer == area_id
    wait_until(lambda: page.results.results is not None)
    assert len(page.results.results.names) == 3


def test_crowns_are_compared_if_the_project_has_only_their_study_area(dock, opened, tmp_path):
    area = QgsProject.instance().addMapLayer(box_layer("Peel_AOI_2500", [AREA_BOX]))
    # Nothing is preset as targets, and no person is counted.
    assert dock.show_page("score").settings()[TARGETS] == ""
    assert dock.show_page("instances").settings()[INSTANCE_TARGETS] == ""
    start = dock.show_page("start")
    rows = {row.job.page_key: row.need_label.text() for row in start.job_rows}
    assert rows["annotators"] == "Still needed: a layer of crowns for each person."
    for person, by in {"anna": 0.0, "ben": 0.5, "cleo": 1.0}.items():
        write_layer(box_layer(person, shifted(SIX_BOXES, by)), tmp_path / f"{person}.gpkg", person)
    dialog = opened([str(path) for path in sorted(tmp_path.glob("*.gpkg"))])
    QTest.mouseClick(dialog.annotators_button, Qt.MouseButton.LeftButton)
    do_import(dialog)
    wait_until(lambda: len(dialog.imported) == 3)
    assert dialog.score_button.text() == "Compare these"
    QTest.mouseClick(dialog.score_button, Qt.MouseButton.LeftButton)
    _check_comparison_in(dock, area.name())
    assert area.id() not in dock.show_page("score").settings()[DELINEATIONS]
