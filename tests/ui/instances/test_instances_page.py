"""Page Instances end to end: real layers, real LAZ files, the real algorithms."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import Qgis, QgsCoordinateReferenceSystem, QgsProject
from qgis.PyQt.QtCore import QEvent, QSignalBlocker
from qgis.PyQt.QtWidgets import QApplication
from sample import simulate_cloud
from support.clouds import labelled_cloud, write_cloud
from support.layers import TARGET_BOXES, box_layer, load_sample, shifted
from support.panel import errors
from support.qt import spin, wait_until
from support.shown import shows

from randcrowns.algorithms.instances.schema import parameters
from randcrowns.algorithms.instances.schema.parameters import (
    CLASS_NAMES,
    INCLUDE_UNMATCHED,
    LABELLED_ATTRIBUTE,
    MIN_HEIGHT_FP,
    MIN_PRECISION_FP,
    PREDICTION_CLASS_ATTRIBUTE,
    TARGET_CLASS_ATTRIBUTE,
)
from randcrowns.core.sample import PREDICTION_ATTRIBUTE, TARGET_ATTRIBUTE
from randcrowns.layers.sample import load_plot
from randcrowns.ui.instances.form import INPUT_KIND
from randcrowns.ui.instances.results import TARGETS
from randcrowns.ui.services.settings import Settings, read_parameters

FOUND = len(TARGET_BOXES) - 1


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(two_layers, dock):
    made = dock.show_page("instances")
    made.form.field(parameters.TARGETS).select_layer(two_layers[0].id())
    made.form.field(parameters.PREDICTIONS).select_layer(two_layers[1].id())
    return made


@pytest.fixture
def cloud(tmp_path):
    xyz, target, prediction = labelled_cloud()
    return write_cloud(tmp_path / "plot.laz", xyz, {"tree_id": target, "predicted_id": prediction})


@pytest.fixture
def cloud_page(page, cloud):
    page.form.set_value(INPUT_KIND, "cloud")
    page.form.cloud_picker.file_field.setFilePath(str(cloud))
    return page


def test_two_layers_are_picked_and_differ(page):
    settings = page.form.settings()
    assert settings[parameters.TARGETS] != settings[parameters.PREDICTIONS]
    assert settings[INPUT_KIND] == "polygons"
    assert page.run_bar.run_button.isEnabled()
    page.form.field(parameters.PREDICTIONS).select_layer(settings[parameters.TARGETS])
    assert "same layer" in page.form.run_problem()


def test_large_numbers_are_all_written_alike(page, project, run):
    boxes = [
        (6.0 * column, 6.0 * row, 6.0 * column + 4, 6.0 * row + 4)
        for row in range(30)
        for column in range(40)
    ]
    away = shifted(boxes, 1000.0)
    layers = box_layer("many", boxes), box_layer("more", [*boxes[:-1], *away])
    project.addMapLayers(layers)
    page.form.field(parameters.TARGETS).select_layer(layers[0].id())
    page.form.field(parameters.PREDICTIONS).select_layer(layers[1].id())
    run(page)
    (said,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Success)
    assert "1,199 of 1,200 targets detected, 1,200 of 2,399 predictions without a target" in said


def test_a_cloud_is_matched_and_shown_and_its_partitions_are_plotted_and_saved(
    cloud_page, run, tmp_path
):
    page = cloud_page
    assert page.form.attribute_boxes.target_box.currentText() == "tree_id"
    assert page.form.attribute_boxes.prediction_box.currentText() == "predicted_id"
    assert "200 points · EPSG:32617" in page.form.cloud_picker.badge.text()
    run(page)
    assert errors(page) == []
    results = page.results.results
    assert results.targets["status"].tolist() == [
        "true_positive",
        "false_negative",
        "false_negative",
    ]
    assert len(results.partitions) == 20
    assert results.performance["step"].iloc[-1] == "Whole run but writing"
    assert page.results.tabs.isTabEnabled(page.results.tabs.indexOf(page.results.performance_table))
    page.results.target_table.choose_frame_row(1)
    assert len(page.map_link.highlight.bands) == 3  # cut by a prediction, though not found
    assert read_parameters("instances")["kind"] == "cloud"
    for number in range(2):
        page.results.axis_box.setCurrentIndex(number)
        page.results.plot.save(str(tmp_path / f"{number}.svg"))
    drawings = [(tmp_path / f"{number}.svg").read_text() for number in range(2)]
    assert drawings[0] != drawings[1]


def test_results_go_stale_when_the_file_changes_once_and_again(cloud_page, cloud, run):
    run(cloud_page)
    assert not cloud_page.results.is_stale
    xyz, target, prediction = labelled_cloud()
    for missed in (0, 1):
        write_cloud(
            cloud,
            xyz,
            {"tree_id": target, "predicted_id": np.where(prediction == missed, -1, prediction)},
        )
        wait_until(lambda: cloud_page.results.is_stale)
        run(cloud_page)
        assert not cloud_page.results.is_stale
    cloud.unlink()
    wait_until(lambda: cloud_page.results.is_stale)
    assert shows(cloud_page.form.run_problem(), "cloud.no_file")
    assert "plot.laz was removed" in cloud_page.results.stale_label.text()
    assert "choices" not in cloud_page.results.stale_label.text()


def test_a_file_that_comes_back_or_comes_later_is_noticed(cloud_page, cloud, tmp_path, run):
    form = cloud_page.form
    form.attribute_boxes.target_box.setCurrentText("predicted_id")
    form.attribute_boxes.prediction_box.setCurrentText("tree_id")
    whole = cloud.read_bytes()
    cloud.unlink()
    wait_until(lambda: "There is no file" in form.run_problem())
    cloud.write_bytes(whole)
    wait_until(lambda: form.run_problem() == "")
    assert (
        form.attribute_boxes.target_box.currentText(),
        form.attribute_boxes.prediction_box.currentText(),
    ) == (
        "predicted_id",
        "tree_id",
    )
    later = tmp_path / "folder" / "later.laz"
    form.cloud_picker.file_field.setFilePath(str(later))
    assert shows(form.run_problem(), "cloud.no_file")
    later.parent.mkdir()
    wait_until(lambda: form.cloud_picker.file_watch.watched_paths() == [str(later.parent)])
    later.write_bytes(whole)
    wait_until(lambda: form.run_problem() == "")
    run(cloud_page)
    assert errors(cloud_page) == []


def test_showing_the_page_and_moving_over_it_look_at_the_file_again(cloud_page, cloud):
    form = cloud_page.form
    whole = cloud.read_bytes()
    looks = (
        lambda: QApplication.sendEvent(cloud_page, QEvent(QEvent.Type.Enter)),
        lambda: (form.cloud_picker.hide(), form.cloud_picker.show()),
    )
    for look in looks:
        form.cloud_picker.file_field.setFilePath("")
        cloud.unlink()
        form.cloud_picker.file_field.setFilePath(str(cloud))
        with QSignalBlocker(
            form.cloud_picker.file_watch
        ):  # as on a network drive, whose changes are not told
            cloud.write_bytes(whole)
            assert shows(form.run_problem(), "cloud.no_file")
            look()
            assert form.run_problem() == ""


def test_a_file_that_goes_during_the_run_is_not_told_as_a_choice(cloud_page, tmp_path):
    made = simulate_cloud(200_000, 40)
    path = write_cloud(
        tmp_path / "large.las", made.xyz, {"tree_id": made.target, "predicted_id": made.prediction}
    )
    cloud_page.form.cloud_picker.file_field.setFilePath(str(path))
    cloud_page.start()
    wait_until(lambda: cloud_page.run_bar.progress.value() > 46)
    path.unlink()
    wait_until(
        lambda: cloud_page.run is None and "There is no file" in cloud_page.form.run_problem()
    )
    assert errors(cloud_page) == []
    assert "large.las was removed" in cloud_page.results.stale_label.text()


def test_a_bad_file_is_told_before_and_during_the_run(cloud_page, cloud, run):
    form = cloud_page.form
    whole = cloud.read_bytes()
    form.cloud_picker.file_field.setFilePath(str(cloud.with_name("gone.laz")))
    assert shows(form.run_problem(), "cloud.no_file")
    assert shows(form.cloud_picker.badge.text(), "cloud.no_file")
    assert not cloud_page.run_bar.run_button.isEnabled()
    form.cloud_picker.file_field.setFilePath(str(cloud))
    assert form.run_problem() == ""
    cloud.write_bytes(whole[:-40])
    run(cloud_page)
    assert any(shows(text, "cloud.unreadable") for text in errors(cloud_page))
    assert cloud_page.results.isHidden()


def test_one_attribute_on_both_sides_is_told(cloud_page):
    picker = cloud_page.form.attribute_boxes
    picker.prediction_box.setCurrentText(picker.target_box.currentText())
    assert "are the same attribute" in cloud_page.form.run_problem()
    assert not cloud_page.run_bar.run_button.isEnabled()


def test_ground_taken_for_a_tree_turns_the_message_yellow(cloud_page, tmp_path, run):
    xyz, target, prediction = labelled_cloud()
    columns = {"tree_id": target + 1, "predicted_id": prediction}
    cloud_page.form.cloud_picker.file_field.setFilePath(
        str(write_cloud(tmp_path / "zero.las", xyz, columns))
    )
    cloud_page.form.set_value(parameters.FURTHER_NO_TREE_IDS, "-1")
    run(cloud_page)
    (warned,) = cloud_page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)
    told = "zero.las: every point has a tree in attribute 'tree_id'"
    assert 0 <= warned.find("targets detected") < warned.find("1 warning")
    assert told in cloud_page.results.notes.text()


def test_zero_over_the_plot_is_no_tree_and_is_named_beside_the_answer(cloud_page, tmp_path, run):
    xyz, target, prediction = labelled_cloud()
    columns = {"tree_id": target + 1, "predicted_id": prediction}
    cloud_page.form.cloud_picker.file_field.setFilePath(
        str(write_cloud(tmp_path / "zero.las", xyz, columns))
    )
    run(cloud_page)
    assert not cloud_page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)
    assert "zero.las: 0 means no tree in attribute 'tree_id'" in cloud_page.results.notes.text()


def test_numbers_that_are_never_negative_need_no_choice(cloud_page, tmp_path, run):
    """Files with and without a sign, one after the other: no number sticks."""
    xyz, target, prediction = labelled_cloud()
    stored = {
        "zero": (target + 1).astype(np.uint16),
        "largest": target.astype(np.uint16),
        "signed": target,
    }
    for name, numbers in stored.items():
        path = write_cloud(
            tmp_path / f"{name}.las", xyz, {"tree_id": numbers, "predicted_id": prediction}
        )
        cloud_page.form.cloud_picker.file_field.setFilePath(str(path))
        run(cloud_page)
        assert errors(cloud_page) == []
        assert cloud_page.results.results.targets["iou"].tolist() == [1.0, 0.5, 0.0], name
    assert cloud_page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning) == []
    assert cloud_page.form.field(parameters.NO_TREE_ID).value() == -1


def test_each_attribute_has_its_own_number_for_no_tree(cloud_page, tmp_path, run):
    xyz, target, prediction = labelled_cloud()
    columns = {"tree_id": target + 1, "predicted_id": prediction}
    cloud_page.form.cloud_picker.file_field.setFilePath(
        str(write_cloud(tmp_path / "both.las", xyz, columns))
    )
    cloud_page.form.field(parameters.NO_TREE_ID).setValue(0)
    run(cloud_page)
    assert errors(cloud_page) == []
    results = cloud_page.results.results
    assert results.targets["status"].tolist() == [
        "true_positive",
        "false_negative",
        "false_negative",
    ]
    assert results.predictions["prediction_id"].tolist() == [0, 1, 2, 3]
    kept = cloud_page.form.settings().to_stored()
    del kept["prediction_no_tree_id"]
    assert (
        Settings.from_stored(cloud_page.form.parameters, kept)[parameters.PREDICTION_NO_TREE_ID]
        == 0
    )


def test_a_cloud_without_trees_is_evaluated_by_its_classes(cloud_page, tmp_path, run):
    xyz, target, _ = labelled_cloud()
    true = (target >= 0).astype(np.uint8) * 3 + 2
    path = write_cloud(tmp_path / "classes.laz", xyz, {"is": true, "said": np.roll(true, 5)})
    form = cloud_page.form
    form.cloud_picker.file_field.setFilePath(str(path))
    form.set_value(parameters.TARGET_CLASS_ATTRIBUTE, "is")
    assert "Classes require two attributes" in form.run_problem()
    form.set_value(parameters.PREDICTION_CLASS_ATTRIBUTE, "said")
    assert attributes_picked(cloud_page) == ("", "")
    assert form.run_problem() == ""
    run(cloud_page)
    classes = cloud_page.results.class_table
    assert cloud_page.results.tabs.isTabEnabled(cloud_page.results.tabs.indexOf(classes))
    assert classes.model.frame["class"].tolist() == ["2", "5", "all classes"]
    assert cloud_page.results.tabs.currentWidget() is classes


def attributes_picked(page):
    return (
        page.form.attribute_boxes.target_box.currentText(),
        page.form.attribute_boxes.prediction_box.currentText(),
    )


def test_attributes_that_were_guessed_do_not_stick_and_standard_ones_are_not_guessed(
    cloud_page, tmp_path
):
    xyz, target, prediction = labelled_cloud()
    share = np.zeros(len(target))
    files = {
        "none": ({}, ("", "")),
        "one": ({"pred": prediction}, ("", "pred")),
        "named": ({"pred": prediction, "height": share, "treeID": target}, ("treeID", "pred")),
        "unnamed": (
            {"height": share, "label": target, "label_2": prediction},
            ("label", "label_2"),
        ),
    }
    for _ in range(2):
        for name, (columns, guessed) in files.items():
            path = write_cloud(tmp_path / f"{name}.las", xyz, columns)
            cloud_page.form.cloud_picker.file_field.setFilePath(str(path))
            assert attributes_picked(cloud_page) == guessed, name
            assert ("attributes" in cloud_page.form.run_problem()) is ("" in guessed)
        cloud_page.store_parameters()
        cloud_page.load_parameters()
    cloud_page.form.cloud_picker.file_field.setFilePath(str(tmp_path / "none.las"))
    cloud_page.form.attribute_boxes.target_box.setCurrentText("point_source_id")
    cloud_page.form.attribute_boxes.prediction_box.setCurrentText("user_data")
    cloud_page.form.cloud_picker.file_field.setFilePath(str(tmp_path / "named.las"))
    assert attributes_picked(cloud_page) == ("point_source_id", "user_data")
    assert cloud_page.form.run_problem() == ""


def test_a_side_without_any_tree_turns_the_message_yellow(cloud_page, tmp_path, run):
    xyz, target, prediction = labelled_cloud()
    columns = {"tree_id": target, "predicted_id": np.full_like(prediction, -1)}
    cloud_page.form.cloud_picker.file_field.setFilePath(
        str(write_cloud(tmp_path / "none.las", xyz, columns))
    )
    run(cloud_page)
    (warned,) = cloud_page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)
    assert 0 <= warned.find("0 of 3 targets detected") < warned.find("1 warning")
    assert shows(cloud_page.results.notes.text(), "cloud.no_tree", name="predicted_id")


def test_a_cloud_without_a_system_asks_for_one_and_remembers_it(cloud_page, run, tmp_path):
    page = cloud_page
    assert page.form.crs_field.isHidden()
    xyz, target, prediction = labelled_cloud()
    columns = {"tree_id": target, "predicted_id": prediction}
    path = write_cloud(tmp_path / "local.laz", xyz, columns, wkt="", corner=(0.0, 0.0, 0.0))
    page.form.cloud_picker.file_field.setFilePath(str(path))
    assert not page.form.crs_field.isHidden()
    assert shows(page.form.run_problem(), "cloud.no_crs", file="local.laz")
    assert not page.run_bar.run_button.isEnabled()
    page.form.crs_field.setCrs(QgsCoordinateReferenceSystem("EPSG:32618"))
    assert page.form.run_problem() == ""
    run(page)
    assert errors(page) == []
    layer = QgsProject.instance().mapLayer(page.results.results.layer_ids[TARGETS])
    assert layer.crs().authid() == "EPSG:32618"
    page.form.crs_field.setCrs(QgsCoordinateReferenceSystem())
    assert page.results.is_stale
    page.load_parameters()
    assert page.form.settings()[parameters.CRS] == "EPSG:32618"


def test_cancel_ends_the_run_and_leaves_nothing(page, tmp_path):
    made = simulate_cloud(400_000, 80)
    path = write_cloud(
        tmp_path / "large.laz",
        made.xyz,
        {"tree_id": made.target, "predicted_id": made.prediction},
    )
    page.form.set_value(INPUT_KIND, "cloud")
    page.form.cloud_picker.file_field.setFilePath(str(path))
    before = set(QgsProject.instance().mapLayers())
    page.start()
    under_way = page.run
    wait_until(lambda: page.run_bar.progress.value() > 0)
    page.runs.cancel()
    wait_until(lambda: page.run is not under_way)
    spin()
    assert page.results.isHidden()
    assert set(QgsProject.instance().mapLayers()) == before


def test_the_sample_data_work_as_they_are_and_say_that_the_cloud_has_other_trees(
    dock, project, run
):
    folder = load_sample(project)
    page = dock.show_page("instances")
    page.form.set_value(INPUT_KIND, "cloud")
    assert page.form.settings()[parameters.CLOUD] == str(folder / "cloud.laz")
    assert (
        page.form.attribute_boxes.target_box.currentText(),
        page.form.attribute_boxes.prediction_box.currentText(),
    ) == (
        TARGET_ATTRIBUTE,
        PREDICTION_ATTRIBUTE,
    )
    assert "simulated trees" in page.form.cloud_picker.badge.text()
    canvas = page.iface.mapCanvas()
    image = next(layer for layer in project.mapLayers().values() if layer.name() == "image")
    canvas.setExtent(image.extent())
    run(page)
    assert errors(page) == []
    assert len(page.results.results.targets) == 49
    assert 0.5 < page.results.results.summary["f1"].iloc[0] < 1
    made = project.mapLayer(page.results.results.layer_ids[TARGETS]).extent()
    assert not made.intersects(image.extent())
    assert canvas.extent().intersects(made)


def test_choices_come_back_with_the_project(cloud_page, cloud):
    form = cloud_page.form
    form.field(parameters.NUM_PARTITIONS).setValue(7)
    form.field(parameters.CELL_SIZE).setValue(0.5)
    form.field(parameters.DETECTION_METHOD).setCurrentIndex(4)
    kept = form.settings()
    cloud_page.store_parameters()
    form.set_settings(Settings({}))
    assert form.settings() != kept
    cloud_page.load_parameters()
    assert form.settings() == kept


def test_an_empty_project_says_what_to_do(dock):
    page = dock.show_page("instances")
    assert page.stack.currentWidget() is page.empty_state


def test_attributes_of_a_file_that_is_gone_are_kept_until_it_is_back(cloud_page, cloud):
    form = cloud_page.form
    form.attribute_boxes.target_box.setCurrentText("predicted_id")
    form.attribute_boxes.prediction_box.setCurrentText("tree_id")
    whole = cloud.read_bytes()
    cloud_page.store_parameters()
    cloud.unlink()
    for _ in range(2):
        cloud_page.load_parameters()
        assert attributes_picked(cloud_page) == ("predicted_id", "tree_id")
        assert shows(form.run_problem(), "cloud.no_file")
        cloud_page.store_parameters()
    cloud.write_bytes(whole)
    form.cloud_picker.reload()
    assert attributes_picked(cloud_page) == ("predicted_id", "tree_id")
    assert form.run_problem() == ""


def test_classes_of_a_cloud_have_a_tab(cloud_page, run):
    page = cloud_page
    page.form.set_value(TARGET_CLASS_ATTRIBUTE, "tree_id")
    page.form.set_value(PREDICTION_CLASS_ATTRIBUTE, "predicted_id")
    page.form.set_value(CLASS_NAMES, "first=0 second=1")
    run(page)
    table = page.results.class_table
    assert page.results.tabs.isTabEnabled(page.results.tabs.indexOf(table))
    assert table.model.frame["class"].tolist() == ["first", "second", "all classes"]
    assert table.model.frame["iou"].between(0, 1).all()


def test_polygons_have_the_least_share_and_height(page):
    page.form.group_boxes[2].setCollapsed(False)
    for choice in (INCLUDE_UNMATCHED, MIN_PRECISION_FP, MIN_HEIGHT_FP):
        assert page.form.field(choice).isVisibleTo(page.form)
    assert not page.form.field(LABELLED_ATTRIBUTE).isVisibleTo(page.form)


def test_the_plot_of_the_layers_is_preset_where_no_field_names_the_image(project, dock):
    """What a layer alone says must not undo what both say, for ever."""
    load_plot(project)
    page = dock.show_page("instances")
    page.form.set_value(parameters.TARGETS, project.mapLayersByName("crowns")[0].id())
    page.form.set_value(parameters.PREDICTIONS, project.mapLayersByName("detector")[0].id())
    assert page.form.settings()[parameters.PLOT_FIELD] == "plot"
