"""Page Score end to end: real layers, the real algorithm, the real map."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import (
    Qgis,
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsExpressionContextUtils,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.gui import QgsRubberBand
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtTest import QTest
from support.boxes import TARGET_BOXES, box_layer, shifted
from support.qt import spin, wait_until
from support.rasters import write_raster

from randcrowns.algorithms.choices import ALPHA, GAMMA, IMAGE_EXTENT, OMEGA, PRESET
from randcrowns.algorithms.layer_choice import AreaValue
from randcrowns.algorithms.scoring.choices import DELINEATIONS, GROUP_FIELD, PAIRING
from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.core.scoring.score import score_pairs
from randcrowns.core.status import Status
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.scoring.form import DESTINATION, FIELDS, NEW_LAYERS, SELECTED_ONLY
from randcrowns.ui.scoring.panel import UNMATCHED_DELINEATIONS


def bands(page):
    """What is drawn for the row chosen."""
    return page.link.highlight.bands


def all_bands(page):
    """Everything drawn on the map, a flash that still fades included."""
    return [item for item in page.iface.mapCanvas().scene().items() if isinstance(item, QgsRubberBand)]


def errors(page):
    return page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)


def crowns(page):
    return page.results.scores().crowns


# Running


def test_the_default_run_scores_every_crown(page, run):
    import shapely

    run(page)
    assert errors(page) == []
    frame = crowns(page)
    assert len(frame) == len(TARGET_BOXES)
    (expected,) = score_pairs([shapely.box(0, 0, 4, 4)], [shapely.box(0.5, 0, 4.5, 4)], PRESETS["image_boxes"]).to_dict(
        "records"
    )
    assert frame["randcrowns"].iloc[0] == pytest.approx(expected["randcrowns"], abs=1e-6)
    assert frame["iou"].iloc[0] == pytest.approx(expected["iou"], abs=1e-6)
    assert frame["iou_crowns"].iloc[0] == pytest.approx(expected["iou_crowns"], abs=1e-6)
    assert frame["status"].tolist() == [Status.SCORED.value] * 7 + [Status.UNMATCHED.value]
    assert "<b>8 crowns</b>" in page.results.headline.answer.text()
    assert "95 % interval" in page.results.headline.answer.toolTip()
    assert not page.results.isHidden()


def test_ctrl_return_runs(page):
    page.window().activateWindow()
    page.form.field(ALPHA).setFocus()
    spin(20)
    QTest.keyClick(page.form.field(ALPHA), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert page.run is not None
    wait_until(lambda: page.run is None)
    assert page.results.results is not None


def test_results_are_styled_layers_in_a_group_of_their_own(page, run, two_layers):
    run(page)
    root = QgsProject.instance().layerTreeRoot()
    (group,) = root.findGroups()
    layers = [node.layer() for node in group.findLayers()]
    assert {layer.customProperty(RESULT_PROPERTY) for layer in layers} >= {"SCORED_TARGETS", "REGIONS"}
    scored = next(layer for layer in layers if layer.customProperty(RESULT_PROPERTY) == "SCORED_TARGETS")
    assert scored.featureCount() == len(TARGET_BOXES)
    assert "drawn_rc" in scored.fields().names()
    assert scored.renderer().type() != "singleSymbol"
    run(page)
    assert len(root.findGroups()) == 2
    assert page.form.settings()[DELINEATIONS] == (two_layers[1].id(),)


def test_several_layers_are_scored_on_their_own(page, run, project, two_layers):
    better = box_layer("better", TARGET_BOXES)
    project.addMapLayer(better)
    page.form.delineations.check((two_layers[1].id(), better.id()))
    assert page.run_bar.run_button.text() == "Score 2 layers"
    run(page)
    assert errors(page) == []
    results = page.results
    assert [scores.name for scores in results.results.layers] == ["better", "drawn"]
    assert not results.layer_choice.isHidden()
    assert crowns(page)["iou"].tolist() == pytest.approx([1.0] * 8)
    made = project.mapLayer(results.results.made["SCORED_TARGETS"])
    assert made.name() == "Scored targets: better"
    results.layer_choice.setCurrentIndex(1)
    assert made.name() == "Scored targets: drawn"
    assert QgsExpressionContextUtils.layerScope(made).variable("randcrowns_prefix") == "drawn"
    assert crowns(page)["iou"].iloc[0] < 1
    assert len(results.summary.model.frame) == 2
    frame = crowns(page)
    better = results.results.layers[0].crowns
    assert frame["iou_mean"].iloc[0] == pytest.approx((frame["iou"].iloc[0] + better["iou"].iloc[0]) / 2)
    assert frame["iou_variance"].iloc[0] == pytest.approx((frame["iou"].iloc[0] - better["iou"].iloc[0]) ** 2 / 2)
    titles = [column.title for column in results.crowns.model.columns]
    means = ["Mean RC", "Variance RC", "Mean IoU", "Variance IoU", "Mean IoUC", "Variance IoUC"]
    assert titles[5:] == ["Status", "Problem", *means, "Cause"]
    scored = [
        layer for layer in project.mapLayers().values() if layer.customProperty(RESULT_PROPERTY) == "SCORED_TARGETS"
    ]
    assert {"rc_mean", "rc_var", "iou_mean", "better_rc", "drawn_rc"} <= set(scored[0].fields().names())


def test_groups_have_lines_of_their_own_in_the_summary(page, run, project, two_layers):
    plots = box_layer("plots", TARGET_BOXES, fields="&field=plot:string", rows=[("p" + str(n // 4),) for n in range(8)])
    project.addMapLayer(plots)
    page.form.target.pick(plots.id())
    page.form.delineations.check((two_layers[1].id(),))
    page.form.field(GROUP_FIELD).setField("plot")
    run(page)
    assert errors(page) == []
    assert set(page.results.summary.model.frame["group"]) == {"all", "p0", "p1"}
    listed = page.results.crowns
    assert [column.title for column in listed.model.columns][-4:] == ["Status", "Problem", "Plot", "Cause"]
    listed.filter.setText("p1")
    assert listed.model.rowCount() == 4
    assert crowns(page)["group"].tolist() == ["p0"] * 4 + ["p1"] * 4


def test_the_summary_shows_each_mean_with_its_interval_first(page, run, project, two_layers):
    run(page)
    assert "95 % intervals over crowns; none for fewer than 10" in page.results.headline.answer.toolTip()
    boxes = [(20.0 * i, 0.0, 20.0 * i + 8, 8.0 + i % 3) for i in range(12)]
    many = box_layer("many", boxes)
    project.addMapLayer(many)
    page.form.target.pick(many.id())
    page.form.delineations.check((two_layers[1].id(),))
    run(page)
    model = page.results.summary.model
    assert [column.title for column in model.columns[:5]] == ["Plot", "RC", "IoU", "IoUC", "Targets"]
    row = page.results.scores().overall
    assert row["iou_low"] < row["iou_mean"] < row["iou_high"]
    assert model.index(0, 2).data() == f"{row['iou_mean']:.2f} ({row['iou_low']:.2f}–{row['iou_high']:.2f})"
    assert [column.title for column in page.results.crowns.model.columns][-3:] == ["Status", "Problem", "Cause"]


def test_selected_targets_only(page, run, two_layers):
    two_layers[0].selectByIds([1, 2, 3])
    page.form.field(SELECTED_ONLY).setChecked(True)
    run(page)
    assert crowns(page)["target_id"].tolist() == [1, 2, 3]


def test_the_map_as_extent(page, run):
    page.iface.mapCanvas().setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:32617"))
    page.iface.mapCanvas().setExtent(QgsRectangle(499990, 2999990, 500020, 3000020))
    page.form.field(IMAGE_EXTENT).show_area(AreaValue("canvas"))
    run(page)
    assert errors(page) == []
    assert 0 < len(crowns(page)) <= 8


def test_a_file_keeps_the_layers_and_a_second_run_adds_its_own(page, run, project, tmp_path):
    page.form.kept_in.file.setFilePath(str(tmp_path / "scores"))
    run(page)
    assert errors(page) == []
    scored = [layer for layer in project.mapLayers().values() if layer.customProperty(RESULT_PROPERTY)]
    assert {layer.dataProvider().name() for layer in scored} == {"ogr"}
    assert all(str(tmp_path / "scores.gpkg") in layer.source() for layer in scored)
    (first,) = [layer for layer in scored if layer.customProperty(RESULT_PROPERTY) == "SCORED_TARGETS"]
    assert first.featureCount() == len(TARGET_BOXES)
    spin(1100)
    run(page)
    assert first.featureCount() == len(TARGET_BOXES)
    assert len({layer.source() for layer in project.mapLayers().values() if layer.customProperty(RESULT_PROPERTY)}) == (
        2 * len(scored)
    )


def test_layers_are_kept_beside_the_project(page, run, project, tmp_path):
    assert project.write(str(tmp_path / "plots.qgz"))
    assert page.form.kept_in.temporary.isHidden()
    run(page)
    assert errors(page) == []
    scored = [layer for layer in project.mapLayers().values() if layer.customProperty(RESULT_PROPERTY)]
    assert scored
    assert all(str(tmp_path / "plots_randcrowns.gpkg") in layer.source() for layer in scored)


def test_an_image_as_extent(page, run, project, tmp_path):
    file = write_raster(tmp_path / "image.tif", np.zeros((20, 16)), west=500000, north=3000020)
    image = QgsRasterLayer(str(file), "image")
    project.addMapLayer(image)
    page.form.field(IMAGE_EXTENT).show_area(AreaValue("image", image=image.id()))
    run(page)
    assert errors(page) == []
    assert 0 < (crowns(page)["status"] != Status.OUTSIDE_EXTENT.value).sum() < len(TARGET_BOXES)
    page.results.crowns.view.choose_frame_row(0)
    assert len(bands(page)) >= 4


def test_a_file_that_cannot_be_written_gets_a_sentence(page, run, tmp_path):
    folder = tmp_path / "gone soon"
    folder.mkdir()
    page.form.kept_in.file.setFilePath(str(folder / "scores.gpkg"))
    assert page.form.why_not() == ""
    page.watched = lambda settings, watched=page.watched: (folder.rmdir(), watched(settings))[1]  # once it was checked
    run(page)
    assert len(errors(page)) == 1
    assert page.results.results is None
    assert "There is no folder" in page.form.why_not()


# Fields of the target layer


def test_fields_are_one_step_that_can_be_undone(page, run, two_layers):
    targets = two_layers[0]
    before = targets.fields().names()
    page.form.destination.show_value(FIELDS)
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
    page.form.target.pick(mine.id())
    page.form.delineations.check((two_layers[1].id(),))
    page.form.destination.show_value(FIELDS)
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
    page.form.destination.show_value(FIELDS)
    assert "cannot take new fields" in page.run_bar.run_button.toolTip()
    assert not page.run_bar.run_button.isEnabled()


# Cancel and failure


def many_crowns(project):
    boxes = [(6.0 * x, 6.0 * y, 6.0 * x + 5, 6.0 * y + 5) for x in range(80) for y in range(80)]
    targets, drawn = box_layer("many", boxes), box_layer("many drawn", shifted(boxes, 0.3))
    project.addMapLayers([targets, drawn])
    return targets, drawn


def test_cancel_stops_and_changes_nothing(page, project):
    targets, drawn = many_crowns(project)
    page.form.target.pick(targets.id())
    page.form.delineations.check((drawn.id(),))
    page.form.destination.show_value(FIELDS)
    count = len(project.mapLayers())
    page.start()
    assert page.run_bar.running
    spin(30)
    page.run_bar.cancel_button.click()
    wait_until(lambda: page.run is None)
    assert not page.run_bar.running
    assert not targets.isEditable()
    assert len(project.mapLayers()) == count
    assert page.results.results is None
    assert any("cancelled" in text for text in page.iface.messageBar().get_messages(Qgis.MessageLevel.Info))


def test_a_project_closed_during_the_run_takes_the_run_with_it(page, project):
    page.start()
    run, ended = page.run, []
    run.ended.connect(ended.append)
    project.clear()
    assert page.run is None
    assert not page.run_bar.running
    wait_until(lambda: ended)
    assert project.mapLayers() == {}
    assert page.results.isHidden()


def test_a_layer_removed_during_the_run_does_no_harm(page, project):
    targets, drawn = many_crowns(project)
    page.form.target.pick(targets.id())
    page.form.delineations.check((drawn.id(),))
    page.start()
    project.removeMapLayer(drawn.id())
    project.removeMapLayer(targets.id())
    wait_until(lambda: page.run is None)
    spin(50)
    assert page.results.results is not None
    assert page.results.is_stale
    page.results.crowns.view.choose_frame_row(0)
    assert bands(page) == []


def test_a_layer_without_a_coordinate_system_gets_the_algorithms_sentence(page, two_layers):
    two_layers[1].setCrs(QgsCoordinateReferenceSystem())
    assert "drawn" in page.why_not()
    assert "coordinate system" in page.why_not()
    page.start()
    assert page.run is None


def test_an_extent_without_any_crown_gets_a_sentence(page, run, project):
    far = box_layer("far", [(9000, 9000, 9010, 9010)])
    project.addMapLayer(far)
    page.form.field(IMAGE_EXTENT).show_area(AreaValue("layer", far.id()))
    run(page)
    assert len(errors(page)) + len(page.iface.messageBar().get_messages(Qgis.MessageLevel.Success)) == 1


# Stale results


def test_other_parameters_make_results_stale_until_they_are_back(page, run):
    run(page)
    assert not page.results.is_stale
    page.form.field(ALPHA).setValue(0.3)
    assert page.results.is_stale
    page.form.field(PRESET).setCurrentIndex(0)
    assert not page.results.is_stale
    page.form.destination.show_value(FIELDS)
    assert not page.results.is_stale


def test_an_edited_layer_makes_results_stale_until_the_next_run(page, run, two_layers):
    run(page)
    drawn = two_layers[1]
    drawn.startEditing()
    drawn.deleteFeature(1)
    assert page.results.is_stale
    assert "drawn" in page.results.stale.text()
    drawn.rollBack()
    assert not page.results.is_stale
    drawn.startEditing()
    drawn.deleteFeature(1)
    assert drawn.commitChanges()
    assert page.results.is_stale
    run(page)
    assert not page.results.is_stale


def test_a_removed_layer_makes_results_stale_and_rows_still_work(page, run, project, two_layers):
    run(page)
    project.removeMapLayer(two_layers[1].id())
    assert page.results.is_stale
    page.results.crowns.view.choose_frame_row(0)
    assert len(bands(page)) >= 1


def test_other_selected_crowns_make_results_of_selected_ones_stale(page, run, two_layers):
    two_layers[0].selectByIds([1, 8])
    page.form.field(SELECTED_ONLY).setChecked(True)
    run(page)
    page.results.count_clicked.emit(Status.UNMATCHED.value)
    assert not page.results.is_stale
    two_layers[0].selectByIds([3])
    assert page.results.is_stale


def test_a_failed_run_leaves_the_stale_mark_of_the_earlier_results(page, run, two_layers):
    run(page)
    two_layers[1].startEditing()
    two_layers[1].deleteFeature(1)
    two_layers[1].rollBack()
    two_layers[1].setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    run(page)
    assert len(errors(page)) == 1
    assert page.results.is_stale


# The map


def test_a_row_shows_its_crown_on_the_image_alone(page, run, project, two_layers, tmp_path):
    run(page)
    file = write_raster(tmp_path / "image.tif", np.ones((60, 60)), west=500000, north=3000050)
    image = QgsRasterLayer(str(file), "image")
    project.addMapLayer(image)
    canvas, shown = page.iface.mapCanvas(), [*two_layers, image]
    canvas.setLayers(shown)
    page.results.crowns.view.choose_frame_row(0)
    assert canvas.layers() == [image]
    assert len(bands(page)) == 4  # no veil on the image
    page.leave()
    assert canvas.layers() == shown
    two_layers[0].selectByIds([2])  # on the map: the others are there to be selected next
    assert canvas.layers() == shown


def test_a_row_shows_its_crown_and_leaving_leaves_no_trace(page, run, dock):
    run(page)
    page.results.crowns.view.choose_frame_row(0)
    assert len(bands(page)) == 5
    assert not page.results.crowns.legend.isHidden()
    box = page.iface.mapCanvas().extent()
    assert box.contains(QgsRectangle(500000, 3000000, 500004, 3000004))
    page.results.crowns.view.choose_frame_row(7)
    assert len(bands(page)) == 4
    page.leave()
    assert bands(page) == []
    wait_until(lambda: all_bands(page) == [])
    page.results.crowns.view.choose_frame_row(1)
    assert len(bands(page)) == 5
    dock.close()
    wait_until(lambda: bands(page) == [])
    wait_until(lambda: all_bands(page) == [])


def test_a_row_brings_its_crown_to_a_size_that_can_be_judged(page, run):
    canvas = page.iface.mapCanvas()
    run(page)
    for far in (2.0, 3000.0):
        canvas.setExtent(QgsRectangle(500000, 3000000, 500000 + far, 3000000 + far))
        page.results.crowns.view.choose_frame_row(0)
        shown = canvas.extent()
        assert shown.contains(QgsRectangle(500000, 3000000, 500004, 3000004))
        assert 0.3 < 4 / min(shown.width(), shown.height()) < 0.5
        page.results.crowns.view.choose_frame_row(6)
        assert canvas.extent().width() == pytest.approx(shown.width())
        assert canvas.extent().contains(QgsRectangle(500020, 3000010, 500024, 3000014))


def test_up_and_down_walk_the_table_and_the_map_follows(page, run):
    run(page)
    view = page.results.crowns.view
    view.choose_frame_row(0)
    before = page.link.highlight.bands
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.selected_rows() == [1]
    assert page.link.highlight.bands != before
    assert len(bands(page)) == 5


def test_a_selection_on_the_map_selects_rows(page, run, two_layers):
    run(page)
    two_layers[0].selectByIds([2, 5])
    assert page.results.crowns.view.selected_rows() == [1, 4]
    assert bands(page) == []
    shown = page.iface.mapCanvas().extent()
    two_layers[1].selectByIds([4])
    assert page.results.crowns.view.selected_rows() == [3]
    assert len(bands(page)) == 5
    assert not page.results.crowns.legend.isHidden()
    assert page.iface.mapCanvas().extent() == shown
    two_layers[0].selectByIds([2, 5])
    assert bands(page) == []
    assert page.results.crowns.legend.isHidden()
    page.results.crowns.view.choose_frame_row(3)
    assert len(bands(page)) == 5
    two_layers[0].selectByIds([2])
    page.results.crowns.view.choose_frame_row(3)
    assert page.iface.mapCanvas().extent().contains(QgsRectangle(500030, 3000000, 500034, 3000004))
    page.results.crowns.view.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    two_layers[0].selectByIds([8])
    assert page.results.crowns.view.selected_rows() == [0]


def test_a_selection_in_the_new_layers_selects_rows(page, run, project):
    run(page)
    made = page.results.results.made
    project.mapLayer(made["SCORED_TARGETS"]).selectByExpression("target_id in (3, 8)")
    assert page.results.crowns.view.selected_rows() == [2, 7]
    project.mapLayer(made["SCORED_DELINEATIONS"]).selectByExpression("delineation_id = 5")
    assert page.results.crowns.view.selected_rows() == [4]


def test_counts_select_their_crowns(page, run, two_layers):
    run(page)
    assert "1&nbsp;unmatched" in page.results.headline.counts.text()
    assert "1&nbsp;unmatched&nbsp;delineation" in page.results.headline.counts.text()
    page.results.count_clicked.emit(Status.UNMATCHED.value)
    assert two_layers[0].selectedFeatureIds() == [8]
    assert page.results.crowns.view.selected_rows() == [7]
    page.results.count_clicked.emit(UNMATCHED_DELINEATIONS)
    assert two_layers[1].selectedFeatureIds() == [8]


def test_the_plot_and_the_table_are_linked(page, run):
    run(page)
    page.results.tabs.setCurrentWidget(page.results.plot)
    spin(50)
    page.results.plot.row_chosen.emit(2)
    assert page.results.crowns.view.selected_rows() == [2]
    assert len(bands(page)) == 5


def test_a_click_on_a_point_goes_to_its_crown(page, run):
    run(page)
    plot = page.results.plot
    page.results.tabs.setCurrentWidget(plot)
    spin(50)
    canvas, axes = plot.canvas, plot.axes
    frame = crowns(page)
    x, y = axes.transData.transform((frame["iou"].iloc[7], frame["randcrowns"].iloc[7]))
    scale = canvas.devicePixelRatioF()
    place = QPoint(round(x / scale), round(canvas.height() - y / scale))
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert page.results.crowns.view.selected_rows() == [7]
    assert len(bands(page)) == 4


def test_the_plot_opens_in_a_window_of_its_own_and_stays_linked(page, run):
    run(page)
    plot = page.results.plot
    plot.open_window()
    spin(100)
    plot.window_plot.row_chosen.emit(3)
    assert page.results.crowns.view.selected_rows() == [3]
    assert plot.window_plot.chosen == 3
    plot.close_window()
    assert not plot.own_window.isVisible()


def test_the_plot_is_saved(page, run, tmp_path):
    run(page)
    page.results.plot.save(str(tmp_path / "plot.svg"))
    page.results.plot.save(str(tmp_path / "plot.png"))
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")
    assert (tmp_path / "plot.png").stat().st_size > 1000


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
    page.form.target.pick(saved[1].id())
    page.form.delineations.check((saved[0].id(),))
    page.form.field(ALPHA).setValue(0.33)
    kept = page.form.settings()
    assert project.write(path)
    project.clear()
    assert page.stack.currentWidget() is page.empty
    assert project.read(path)
    spin(200)
    assert page.form.settings() == kept


def test_an_empty_project_offers_the_sample_data(project, dock):
    page = dock.show_page("score")
    assert page.stack.currentWidget() is page.empty
    project.addMapLayer(box_layer("crowns", TARGET_BOXES))
    assert page.stack.currentWidget() is page.splitter
    assert not page.run_bar.run_button.isEnabled()
    assert "second polygon layer" in page.run_bar.run_button.toolTip()


def test_tab_goes_through_the_page_from_top_to_bottom(page):
    spin(50)
    wanted = [
        page.form.target.combo,
        page.form.delineations,
        *(page.form.field(choice) for choice in (PRESET, ALPHA, OMEGA, GAMMA, PAIRING)),
        page.form.destination.buttons[NEW_LAYERS],
        page.form.destination.buttons[FIELDS],
        page.form.kept_in.file.lineEdit(),
        page.run_bar.run_button,
        page.results.layer_choice,
        page.results.crowns.filter,
        page.results.crowns.view,
    ]
    met, widget = [], wanted[0]
    for _ in range(500):
        if widget in wanted and widget not in met:
            met.append(widget)
        widget = widget.nextInFocusChain()
    assert met == wanted


def test_attribute_tables_show_labels_and_three_digits(page, run):
    run(page)
    layer = page.results.results.made["SCORED_TARGETS"]
    layer = QgsProject.instance().mapLayer(layer)
    place = layer.fields().lookupField("drawn_iou")
    assert layer.attributeAlias(place) == "drawn: IoU"
    setup = layer.editorWidgetSetup(place)
    shown = QgsApplication.fieldFormatterRegistry().fieldFormatter(setup.type())
    assert shown.representValue(layer, place, setup.config(), None, 0.123456789) == "0.123"


def test_the_cause_of_a_problem_stands_below_the_legend(page, run, project, two_layers):
    """Score what is there with every threshold as it is; a crown without a problem has no sentence."""
    large = box_layer("large", [(x - 6, y - 6, x + 11, y + 11) for x, y, *_ in TARGET_BOXES])
    project.addMapLayer(large)
    page.form.delineations.check((large.id(),))
    run(page)
    listed = page.results.crowns
    assert listed.said.isHidden()
    listed.choose(0)
    assert listed.said.text() == crowns(page)["rc_cause"].iloc[0] != ""
    assert crowns(page)["rc_problem"].iloc[0] in listed.said.text()
    listed.forget_choice()
    assert listed.said.isHidden()


def test_scores_as_fields_of_the_targets_are_not_chosen_in_the_next_project(page, project):
    page.form.choose(DESTINATION, FIELDS)
    page.keep()
    project.clear()
    project.addMapLayers([box_layer("field", TARGET_BOXES), box_layer("found", TARGET_BOXES)])
    assert page.settings()[DESTINATION] == NEW_LAYERS
