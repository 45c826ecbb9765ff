"""Page Score end to end: real layers, the real algorithm, the real map."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsExpressionContextUtils,
    QgsGeometry,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.gui import QgsRubberBand
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest
from support.layers import TARGET_BOXES, box_layer, shifted
from support.panel import errors
from support.qt import spin, wait_until
from support.rasters import write_raster
from support.shown import shows

from randcrowns.algorithms.common_parameters import (
    ALPHA,
    GAMMA,
    IMAGE_EXTENT,
    OMEGA,
    PRESET,
    TARGETS,
)
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.algorithms.scoring.schema.parameters import DELINEATIONS, PAIRING, PLOT_FIELD
from randcrowns.core.status import Status
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.scoring.form import DESTINATION, FIELDS, NEW_LAYERS, SELECTED_ONLY


@pytest.fixture
def dock(same_dock):
    same_dock.show_page("score").results.crown_table.filter.clear()
    return same_dock


def bands(page):
    """What is drawn for the row chosen."""
    return page.map_link.highlight.bands


def all_bands(page):
    """Everything drawn on the map, a flash that still fades included."""
    return [
        item for item in page.iface.mapCanvas().scene().items() if isinstance(item, QgsRubberBand)
    ]


def crowns(page):
    return page.results.displayed_scores().crowns


# Running


def test_ctrl_return_runs(page):
    page.window().activateWindow()
    page.form.field(ALPHA).setFocus()
    spin(20)
    QTest.keyClick(page.form.field(ALPHA), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert page.run is not None
    wait_until(lambda: page.run is None)
    assert page.results.results is not None


def test_layers_of_a_run_stay_chosen_when_others_come_and_named_when_they_go(
    page, run, project, two_layers
):
    targets, drawn = two_layers
    run(page)
    project.addMapLayers(
        [box_layer("reference", TARGET_BOXES), box_layer("predicted", TARGET_BOXES)]
    )
    spin()
    settings = page.form.settings()
    assert (settings[TARGETS], settings[DELINEATIONS]) == (targets.id(), (drawn.id(),))
    assert not page.results.is_stale
    page.start()
    project.removeMapLayer(drawn.id())
    wait_until(lambda: page.run is None)
    assert "delineations: drawn" in page.results.answer_view.settings_label.text()


def test_the_problems_of_crowns_are_seen_without_scrolling(page, run, dock, low_font):
    dock.resize(440, 700)
    run(page)
    view = page.results.crown_table.view
    names = [column.name for column in page.results.crown_table.model.columns]
    number = names.index("rc_problem")
    end = view.columnViewportPosition(number) + view.columnWidth(number)
    assert end <= view.viewport().width()


def test_several_layers_are_scored_on_their_own(page, run, project, two_layers):
    better = box_layer("better", TARGET_BOXES)
    project.addMapLayer(better)
    page.form.delineation_list.check_layers((two_layers[1].id(), better.id()))
    assert page.run_bar.run_button.text() == "Score 2 layers"
    run(page)
    assert errors(page) == []
    results = page.results
    assert [scores.name for scores in results.results.layers] == ["better", "drawn"]
    assert not results.layer_table.isHidden()
    assert crowns(page)["iou"].tolist() == pytest.approx([1.0] * 8)
    made = project.mapLayer(results.results.layer_ids["SCORED_TARGETS"])
    assert made.name() == "Scored targets: better"
    results.layer_box.setCurrentIndex(1)
    assert made.name() == "Scored targets: drawn"
    assert QgsExpressionContextUtils.layerScope(made).variable("randcrowns_prefix") == "drawn"
    assert crowns(page)["iou"].iloc[0] < 1
    assert len(results.summary_table.model.frame) == 2
    frame = crowns(page)
    better = results.results.layers[0].crowns
    assert frame["iou_mean"].iloc[0] == pytest.approx(
        (frame["iou"].iloc[0] + better["iou"].iloc[0]) / 2
    )
    assert frame["iou_variance"].iloc[0] == pytest.approx(
        (frame["iou"].iloc[0] - better["iou"].iloc[0]) ** 2 / 2
    )
    titles = [column.title for column in results.crown_table.model.columns]
    means = ["Mean RC", "Variance RC", "Mean IoU", "Variance IoU", "Mean IoUC", "Variance IoUC"]
    assert titles[5:] == ["Problem", "Status", *means, "Cause"]
    scored = [
        layer
        for layer in project.mapLayers().values()
        if layer.customProperty(RESULT_PROPERTY) == "SCORED_TARGETS"
    ]
    assert {"rc_mean", "rc_var", "iou_mean", "better_rc", "drawn_rc"} <= set(
        scored[0].fields().names()
    )


def test_groups_have_lines_of_their_own_in_the_summary(page, run, project, two_layers):
    plots = box_layer(
        "plots",
        TARGET_BOXES,
        fields="&field=plot:string",
        rows=[("p" + str(n // 4),) for n in range(8)],
    )
    project.addMapLayer(plots)
    page.form.target_picker.select_layer(plots.id())
    page.form.delineation_list.check_layers((two_layers[1].id(),))
    page.form.field(PLOT_FIELD).setField("plot")
    run(page)
    assert errors(page) == []
    assert set(page.results.summary_table.model.frame["plot"]) == {"all", "p0", "p1"}
    listed = page.results.crown_table
    assert [column.title for column in listed.model.columns][-4:] == [
        "Problem",
        "Status",
        "Plot",
        "Cause",
    ]
    listed.filter.setText("p1")
    assert listed.model.rowCount() == 4
    assert crowns(page)["plot"].tolist() == ["p0"] * 4 + ["p1"] * 4


def test_the_summary_shows_each_mean_with_its_interval_first(page, run, project, two_layers):
    boxes = [(20.0 * i, 0.0, 20.0 * i + 8, 8.0 + i % 3) for i in range(12)]
    many = box_layer("many", boxes)
    project.addMapLayer(many)
    page.form.target_picker.select_layer(many.id())
    page.form.delineation_list.check_layers((two_layers[1].id(),))
    run(page)
    model = page.results.summary_table.model
    assert [column.title for column in model.columns[:5]] == [
        "Plot",
        "RC",
        "IoU",
        "IoUC",
        "Targets",
    ]
    row = page.results.displayed_scores().overall
    assert row["iou_low"] < row["iou_mean"] < row["iou_high"]
    assert (
        model.index(0, 2).data()
        == f"{row['iou_mean']:.2f} ({row['iou_low']:.2f}–{row['iou_high']:.2f})"
    )
    assert [column.title for column in page.results.crown_table.model.columns][-3:] == [
        "Problem",
        "Status",
        "Cause",
    ]


def test_selected_targets_only_and_others_selected_since_make_them_stale(page, run, two_layers):
    two_layers[0].selectByIds([1, 2, 8])
    page.form.field(SELECTED_ONLY).setChecked(True)
    run(page)
    assert crowns(page)["target_id"].tolist() == [1, 2, 8]
    page.results.count_clicked.emit(Status.UNMATCHED.value)
    assert two_layers[0].selectedFeatureIds() == [8]
    assert not page.results.is_stale
    two_layers[0].selectByIds([3])
    assert page.results.is_stale


def test_the_map_as_extent(page, run):
    page.iface.mapCanvas().setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:32617"))
    page.iface.mapCanvas().setExtent(QgsRectangle(499990, 2999990, 500020, 3000020))
    page.form.field(IMAGE_EXTENT).set_area(AreaValue("canvas"))
    run(page)
    assert errors(page) == []
    assert 0 < len(crowns(page)) <= 8


def test_a_file_keeps_the_layers_and_a_second_run_adds_its_own(page, run, project, tmp_path):
    page.form.result_file_field.file.setFilePath(str(tmp_path / "scores"))
    run(page)
    assert errors(page) == []
    scored = [
        layer for layer in project.mapLayers().values() if layer.customProperty(RESULT_PROPERTY)
    ]
    assert {layer.dataProvider().name() for layer in scored} == {"ogr"}
    assert all(str(tmp_path / "scores.gpkg") in layer.source() for layer in scored)
    (first,) = [
        layer for layer in scored if layer.customProperty(RESULT_PROPERTY) == "SCORED_TARGETS"
    ]
    assert first.featureCount() == len(TARGET_BOXES)
    run(page)
    assert first.featureCount() == len(TARGET_BOXES)
    assert len(
        {
            layer.source()
            for layer in project.mapLayers().values()
            if layer.customProperty(RESULT_PROPERTY)
        }
    ) == (2 * len(scored))


def test_layers_are_kept_beside_the_project(page, run, project, tmp_path):
    assert project.write(str(tmp_path / "plots.qgz"))
    assert page.form.result_file_field.temporary_warning.isHidden()
    run(page)
    assert errors(page) == []
    scored = [
        layer for layer in project.mapLayers().values() if layer.customProperty(RESULT_PROPERTY)
    ]
    assert scored
    assert all(str(tmp_path / "plots_randcrowns.gpkg") in layer.source() for layer in scored)


def test_an_image_as_extent(page, run, project, tmp_path):
    file = write_raster(tmp_path / "image.tif", np.zeros((20, 16)), west=500000, north=3000020)
    image = QgsRasterLayer(str(file), "image")
    project.addMapLayer(image)
    page.form.field(IMAGE_EXTENT).set_area(AreaValue("image", image=image.id()))
    run(page)
    assert errors(page) == []
    assert 0 < (crowns(page)["status"] != Status.OUTSIDE_EXTENT.value).sum() < len(TARGET_BOXES)
    page.results.crown_table.view.go_to_frame_row(0)
    assert len(bands(page)) >= 4


def test_a_file_that_cannot_be_written_gets_a_sentence(page, run, tmp_path, monkeypatch):
    folder = tmp_path / "gone soon"
    folder.mkdir()
    page.form.result_file_field.file.setFilePath(str(folder / "scores.gpkg"))
    assert page.form.run_problem() == ""
    watched = page.watched_layers
    monkeypatch.setattr(
        page, "watched_layers", lambda settings: (folder.rmdir(), watched(settings))[1]
    )  # once it was checked
    run(page)
    assert len(errors(page)) == 1
    assert page.results.results is None
    assert "There is no folder" in page.form.run_problem()


@pytest.mark.parametrize("place", [NEW_LAYERS, FIELDS])
def test_bar_and_headline_count_the_same_crowns(page, run, two_layers, place):
    targets = two_layers[0]
    targets.dataProvider().changeGeometryValues({3: QgsGeometry()})
    page.form.destination_field.set_value(place)
    run(page)
    (said,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Success)
    number = len(TARGET_BOXES) - 1
    assert f"Scored {number} crowns" in said
    assert len(said) <= len("RandCrowns:") + 110
    # A feature without geometry is no target; the answer names it apart.
    assert f"<b>{number} crowns<" in page.results.answer_view.answer.text()
    assert "not counted: 1 without geometry" in page.quote_row.copy.toolTip()
    targets.rollBack()


# Fields of the target layer


def test_fields_are_one_step_that_can_be_undone(page, run, two_layers):
    targets = two_layers[0]
    before = targets.fields().names()
    page.form.destination_field.set_value(FIELDS)
    run(page)
    assert errors(page) == []
    assert targets.isEditable()
    assert targets.undoStack().count() == 1
    assert page.iface.activeLayer() is targets
    (said,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Success)
    assert said.startswith("RandCrowns:Layer 'crowns' is in edit mode")
    assert "drawn_rc" in targets.fields().names()
    assert targets.getFeature(1)["drawn_rc"] == pytest.approx(crowns(page)["randcrowns"].iloc[0])
    assert QgsProject.instance().layerTreeRoot().findGroups() == []
    targets.undoStack().undo()
    assert targets.fields().names() == before
    assert not page.results.is_stale
    targets.rollBack()


def test_a_field_of_the_users_own_is_left_alone(page, run, project, two_layers):
    mine = box_layer("mine", TARGET_BOXES, fields="&field=drawn_rc:double", rows=[(7.0,)] * 8)
    project.addMapLayer(mine)
    page.form.target_picker.select_layer(mine.id())
    page.form.delineation_list.check_layers((two_layers[1].id(),))
    page.form.destination_field.set_value(FIELDS)
    run(page)
    assert errors(page) == []
    assert mine.getFeature(1)["drawn_rc"] == 7.0
    assert mine.getFeature(1)["drawn_2_rc"] == pytest.approx(crowns(page)["randcrowns"].iloc[0])
    mine.commitChanges(False)
    fields = mine.fields().names()
    run(page)
    assert mine.fields().names() == fields
    mine.rollBack()


def test_a_layer_that_takes_no_fields_is_said_before_the_run(page, two_layers):
    two_layers[0].setReadOnly(True)
    page.form.destination_field.set_value(FIELDS)
    assert "cannot take new fields" in page.run_bar.run_button.toolTip()
    assert not page.run_bar.run_button.isEnabled()


# Cancel and failure


def many_crowns(project, side):
    boxes = [(6.0 * x, 6.0 * y, 6.0 * x + 5, 6.0 * y + 5) for x in range(side) for y in range(side)]
    targets, drawn = box_layer("many", boxes), box_layer("many drawn", shifted(boxes, 0.3))
    project.addMapLayers([targets, drawn])
    return targets, drawn


def test_cancel_stops_and_changes_nothing(page, project):
    targets, drawn = many_crowns(project, 80)
    page.form.target_picker.select_layer(targets.id())
    page.form.delineation_list.check_layers((drawn.id(),))
    page.form.destination_field.set_value(FIELDS)
    count = len(project.mapLayers())
    page.start()
    assert page.run_bar.is_running
    spin(30)
    page.run_bar.cancel_button.click()
    wait_until(lambda: page.run is None)
    assert not page.run_bar.is_running
    assert not targets.isEditable()
    assert len(project.mapLayers()) == count
    assert page.results.results is None
    assert any(
        "cancelled" in text for text in page.iface.messageBar().get_messages(Qgis.MessageLevel.Info)
    )


def test_a_project_closed_during_the_run_takes_the_run_with_it(page, project):
    page.start()
    run, ended = page.run, []
    run.finished.connect(ended.append)
    project.clear()
    assert page.run is None
    assert not page.run_bar.is_running
    wait_until(lambda: ended)
    assert project.mapLayers() == {}
    assert page.results.isHidden()


def test_a_layer_removed_during_the_run_does_no_harm(page, project):
    targets, drawn = many_crowns(project, 20)
    page.form.target_picker.select_layer(targets.id())
    page.form.delineation_list.check_layers((drawn.id(),))
    page.start()
    project.removeMapLayer(drawn.id())
    project.removeMapLayer(targets.id())
    wait_until(lambda: page.run is None)
    spin(50)
    assert page.results.results is not None
    assert page.results.is_stale
    page.results.crown_table.view.go_to_frame_row(0)
    assert bands(page) == []


def test_a_layer_without_a_coordinate_system_gets_the_algorithms_sentence(page, two_layers):
    two_layers[1].setCrs(QgsCoordinateReferenceSystem())
    assert "drawn" in page.run_problem()
    assert shows(page.run_problem(), "crs.missing")
    page.start()
    assert page.run is None


def test_an_extent_without_any_crown_gets_a_sentence(page, run, project):
    far = box_layer("far", [(9000, 9000, 9010, 9010)])
    project.addMapLayer(far)
    page.form.field(IMAGE_EXTENT).set_area(AreaValue("layer", far.id()))
    run(page)
    assert (
        len(errors(page)) + len(page.iface.messageBar().get_messages(Qgis.MessageLevel.Success))
        == 1
    )


# Stale results


def test_an_edited_layer_makes_results_stale_until_the_next_run(page, run, two_layers):
    run(page)
    drawn = two_layers[1]
    drawn.startEditing()
    drawn.deleteFeature(1)
    assert page.results.is_stale
    assert "drawn" in page.results.stale_label.text()
    drawn.rollBack()
    assert not page.results.is_stale
    drawn.startEditing()
    drawn.deleteFeature(1)
    assert drawn.commitChanges()
    assert page.results.is_stale
    run(page)
    assert not page.results.is_stale
    assert len(QgsProject.instance().layerTreeRoot().findGroups()) == 2
    assert page.form.settings()[DELINEATIONS] == (drawn.id(),)


def test_a_removed_layer_makes_results_stale_and_rows_still_work(page, run, project, two_layers):
    run(page)
    project.removeMapLayer(two_layers[1].id())
    assert page.results.is_stale
    page.results.crown_table.view.go_to_frame_row(0)
    assert len(bands(page)) >= 1


def test_a_failed_run_leaves_the_stale_mark_of_the_earlier_results(page, run, two_layers):
    run(page)
    two_layers[1].startEditing()
    two_layers[1].deleteFeature(1)
    two_layers[1].rollBack()
    two_layers[1].setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    run(page)
    assert len(errors(page)) == 1
    assert page.results.is_stale


# Remembered choices


def test_choices_are_kept_in_the_project(page, two_layers, project, tmp_path):
    path = str(tmp_path / "p.qgz")
    targets, drawn = two_layers
    saved = []
    for layer in (targets, drawn):
        from qgis.core import QgsVectorFileWriter

        options = QgsVectorFileWriter.SaveVectorOptions()
        file = str(tmp_path / f"{layer.name()}.gpkg")
        QgsVectorFileWriter.writeAsVectorFormatV3(layer, file, project.transformContext(), options)
        saved.append(QgsVectorLayer(file, layer.name() + " saved", "ogr"))
    project.removeAllMapLayers()
    project.addMapLayers(saved)
    page.form.target_picker.select_layer(saved[1].id())
    page.form.delineation_list.check_layers((saved[0].id(),))
    page.form.field(ALPHA).setValue(0.33)
    kept = page.form.settings()
    assert project.write(path)
    project.clear()
    assert page.stack.currentWidget() is page.empty_state
    assert project.read(path)
    spin(200)
    assert page.form.settings() == kept


def test_an_empty_project_offers_the_sample_data(project, dock):
    page = dock.show_page("score")
    assert page.stack.currentWidget() is page.empty_state
    project.addMapLayer(box_layer("crowns", TARGET_BOXES))
    assert page.stack.currentWidget() is page.splitter
    assert not page.run_bar.run_button.isEnabled()
    assert "second polygon layer" in page.run_bar.run_button.toolTip()


def test_tab_goes_through_the_page_from_top_to_bottom(page):
    spin(50)
    wanted = [
        page.form.target_picker.combo,
        page.form.delineation_list,
        *(page.form.field(choice) for choice in (PRESET, ALPHA, OMEGA, GAMMA, PAIRING)),
        page.form.destination_field.buttons[NEW_LAYERS],
        page.form.destination_field.buttons[FIELDS],
        page.form.result_file_field.file.lineEdit(),
        page.run_bar.run_button,
        page.results.layer_table,
        page.results.crown_table.filter,
        page.results.crown_table.view,
    ]
    met, widget = [], wanted[0]
    for _ in range(500):
        if widget in wanted and widget not in met:
            met.append(widget)
        widget = widget.nextInFocusChain()
    assert met == wanted


def test_the_cause_of_a_problem_stands_below_the_legend(page, run, project, two_layers):
    """Score with the default thresholds; a crown without a problem has no sentence."""
    large = box_layer("large", [(x - 6, y - 6, x + 11, y + 11) for x, y, *_ in TARGET_BOXES])
    project.addMapLayer(large)
    page.form.delineation_list.check_layers((large.id(),))
    run(page)
    listed = page.results.crown_table
    assert listed.message_label.isHidden()
    listed.choose_frame_row(0)
    assert listed.message_label.text() == crowns(page)["rc_cause"].iloc[0] != ""
    assert crowns(page)["rc_problem"].iloc[0] in listed.message_label.text()
    listed.clear_selection()
    assert listed.message_label.isHidden()


def test_scores_as_fields_of_the_targets_are_not_chosen_in_the_next_project(page, project):
    page.form.set_value(DESTINATION, FIELDS)
    page.store_parameters()
    project.clear()
    project.addMapLayers([box_layer("field", TARGET_BOXES), box_layer("found", TARGET_BOXES)])
    assert page.settings()[DESTINATION] == NEW_LAYERS


def test_the_regions_of_many_targets_are_left_out_which_stands_beside_the_answer(
    page, run, monkeypatch
):
    told, made = "layer Regions not made", []
    for most, count in ((8, 8), (7, 8), (7, 2)):
        monkeypatch.setattr("randcrowns.ui.scoring.page.MAX_REGION_TARGETS", most)
        if count < 8:
            page.form.target_picker.layer().selectByIds([1, 2])
            page.form.set_value(SELECTED_ONLY, True)
        run(page)
        made.append(
            (
                "REGIONS" in page.results.results.layer_ids,
                told in page.results.answer_view.settings_label.text(),
            )
        )
    assert made == [(True, False), (False, True), (True, False)]
