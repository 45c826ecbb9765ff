"""Scoring while drawing: real layers in edit mode, the real page. Its table is that of a run on what is there."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pandas as pd
import pytest
from qgis.core import Qgis, QgsFeature, QgsGeometry, QgsProject, QgsRasterLayer, QgsRectangle
from support.boxes import box_layer
from support.qt import spin, wait_until
from support.rasters import write_raster

from randcrowns.algorithms.scoring.choices import PAIRING
from randcrowns.algorithms.scoring.live import LiveRun
from randcrowns.ui.scoring.form import SELECTED_ONLY

COLUMNS = ["target_id", "delineation_id", "randcrowns", "iou", "iou_crowns", "status", "rc_problem", "rc_cause"]


def box(xmin: float, ymin: float, xmax: float, ymax: float) -> QgsGeometry:
    """Where :func:`box_layer` puts it."""
    return QgsGeometry.fromRect(QgsRectangle(500000 + xmin, 3000000 + ymin, 500000 + xmax, 3000000 + ymax))


def settle(page) -> None:
    """Until what was edited is scored."""
    wait_until(lambda: page.live.is_settled and not page.following.pause.isActive())
    spin()


@pytest.fixture
def live(page, run, two_layers):
    """Page Score after a run, scoring while drawing; both layers in edit mode."""
    run(page)
    page.results.live_switch.setChecked(True)
    wait_until(lambda: page.live.is_ready)
    for layer in two_layers:
        layer.startEditing()
    return page


def shown(page) -> pd.DataFrame:
    return page.results.rows.frame[COLUMNS].sort_values("target_id", ignore_index=True)


def check(page, run) -> None:
    """The table, headline, counts and summary are those of a new run."""
    settle(page)
    assert page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) == []
    before, headline = shown(page), page.results.headline
    said = headline.answer.text(), headline.answer.toolTip(), headline.counts.text()
    summary = page.results.summary.model.frame
    assert not page.results.is_stale
    run(page)
    pd.testing.assert_frame_equal(before, shown(page), check_dtype=False, atol=1e-6)
    assert said == (headline.answer.text(), headline.answer.toolTip(), headline.counts.text())
    after = page.results.summary.model.frame
    told = [name for name in after.columns if not name.startswith("made_")]
    pd.testing.assert_frame_equal(summary[told], after[told], check_dtype=False, atol=1e-6)
    wait_until(lambda: page.live.is_ready)


def test_crowns_are_scored_as_they_are_changed_added_and_deleted(live, run, two_layers):
    targets, drawn = two_layers
    first, last = (list(drawn.getFeatures())[place].id() for place in (0, -1))
    score = shown(live)["iou"].iloc[0]
    drawn.changeGeometry(first, box(0, 0, 4, 4))
    settle(live)
    assert shown(live)["iou"].iloc[0] == pytest.approx(1.0)
    assert shown(live)["iou"].iloc[0] > score
    check(live, run)
    drawn.deleteFeature(last)
    added = QgsFeature(targets.fields())
    added.setGeometry(box(60, 60, 64, 64))
    targets.addFeature(added)
    check(live, run)
    targets.deleteFeature(next(targets.getFeatures()).id())
    check(live, run)


def test_undo_redo_saving_and_rolling_back_are_followed(live, run, two_layers):
    targets, drawn = two_layers
    first = next(drawn.getFeatures()).id()
    before = shown(live)
    drawn.beginEditCommand("draw")
    drawn.changeGeometry(first, box(0, 0, 4, 4))
    added = QgsFeature(drawn.fields())
    added.setGeometry(box(80, 80, 84, 84))
    drawn.addFeature(added)
    drawn.endEditCommand()
    settle(live)
    changed = shown(live)
    assert not changed.equals(before)
    drawn.undoStack().undo()
    settle(live)
    pd.testing.assert_frame_equal(shown(live), before)
    drawn.undoStack().redo()
    settle(live)
    pd.testing.assert_frame_equal(shown(live), changed)
    drawn.commitChanges(False)
    check(live, run)
    drawn.changeGeometry(first, box(0, 0, 9, 9))
    targets.deleteFeature(next(targets.getFeatures()).id())
    settle(live)
    drawn.rollBack()
    targets.rollBack()
    check(live, run)


def test_the_crown_edited_is_chosen_in_the_table_and_drawn_on_the_map(live, two_layers):
    _, drawn = two_layers
    extent = live.iface.mapCanvas().extent()
    drawn.changeGeometry(next(drawn.getFeatures()).id(), box(-2, -2, 6, 6))
    settle(live)
    wait_until(lambda: live.highlight.bands)
    assert live.results.crowns.view.selected_rows() == [0]
    assert "too large" in live.results.crowns.said.text()
    assert live.iface.mapCanvas().extent() == extent


def test_of_two_crowns_that_share_an_edited_delineation_the_one_chosen_stays_chosen(live, two_layers):
    targets, drawn = two_layers
    first = next(targets.getFeatures())
    twin = QgsFeature(first)
    targets.addFeature(twin)
    settle(live)
    (row,) = live.results.crowns.select_ids("target_id", [first.id()])
    live.results.crowns.choose(row)
    drawn.changeGeometry(next(drawn.getFeatures()).id(), box(-2, -2, 6, 6))
    settle(live)
    wait_until(lambda: live.highlight.bands)
    frame = live.results.crowns.model.frame
    assert (frame["delineation_id"] == frame["delineation_id"].iloc[row]).sum() == 2
    assert len(live.results.crowns.view.selected_rows()) == 1
    assert live.results.crowns.said.text()


def test_the_layer_that_is_edited_stays_on_the_map_above_the_image(page, run, two_layers, tmp_path):
    targets, drawn = two_layers
    file = write_raster(tmp_path / "image.tif", np.ones((60, 60)), west=500000, north=3000050)
    image, canvas = QgsRasterLayer(str(file), "image"), page.iface.mapCanvas()
    QgsProject.instance().addMapLayer(image)
    run(page)
    shown = [targets, drawn, image]
    canvas.setLayers(shown)
    page.results.crowns.choose(0)
    assert canvas.layers() == [image]
    page.results.live_switch.setChecked(True)
    wait_until(lambda: page.live.is_ready)
    spin()
    assert canvas.layers() == shown  # no row is chosen, and the map is free to be drawn on
    drawn.startEditing()
    page.results.crowns.choose(0)
    assert canvas.layers() == [drawn, image]


def test_the_order_and_the_filter_stay_while_drawing(live, two_layers):
    _, drawn = two_layers
    rows = live.results.rows
    rows.sort(2)
    live.results.crowns.filter.setText("scored")
    order = [rows.frame_row(row) for row in range(rows.rowCount())]
    drawn.changeGeometry(next(drawn.getFeatures()).id(), box(0, 0, 4, 4))
    settle(live)
    assert [rows.frame_row(row) for row in range(rows.rowCount())] == order
    assert rows.as_csv().count("\n") == len(order) + 1


def test_nothing_is_connected_while_it_is_off(page, run, two_layers):
    signals = ("featureAdded", "featureDeleted", "geometryChanged", "attributeValueChanged", "afterRollBack")

    def connected() -> list[int]:
        return [layer.receivers(getattr(layer, name)) for layer in two_layers for name in signals]

    run(page)
    before = connected()
    page.results.live_switch.setChecked(True)
    wait_until(lambda: page.live.is_ready)
    assert connected() != before
    page.results.live_switch.setChecked(False)
    assert connected() == before
    assert not page.live.is_ready


def live_runs() -> int:
    gc.collect()
    return sum(isinstance(one, LiveRun) for one in gc.get_objects())


def test_a_crown_drawn_without_a_plot_is_told_until_it_has_one(page, run, project):
    fields = "&field=plot:string"
    boxes = [(0, 0, 4, 4), (10, 0, 14, 4), (20, 0, 24, 4)]
    layers = [box_layer(name, boxes, fields=fields, rows="abb") for name in "xy"]
    drawn = layers[1]
    for layer in layers:
        project.addMapLayer(layer)
    page.form.target.pick(layers[0].id())
    page.form.delineations.check((drawn.id(),))
    run(page)
    page.results.live_switch.setChecked(True)
    wait_until(lambda: page.live.is_ready)
    drawn.startEditing()
    drawn.deleteFeature(2)
    added = QgsFeature(drawn.fields())
    added.setGeometry(box(10, 0, 14, 4))
    drawn.addFeature(added)
    settle(page)
    assert page.results.rows.frame["status"].tolist() == ["scored", "unmatched", "scored"]
    assert [remark.key for remark in page.results.beside] == ["plots.not_entered"]
    assert "1 crown of 'y' has no plot" in page.results.notes.text()
    check(page, run)
    assert "plots.not_entered" in [remark.key for remark in page.results.beside]  # of the run too
    page.results.live_switch.setChecked(True)
    wait_until(lambda: page.live.is_ready)
    drawn.changeAttributeValue(added.id(), drawn.fields().lookupField("plot"), "b")
    settle(page)
    assert [remark.topic for remark in page.results.beside] == ["input"]


def test_many_edits_leave_nothing_behind(live, two_layers):
    """Fifty edits add fewer objects than that: none leaves one.

    What a library keeps once comes once; weak references go in batches.
    """
    _, drawn = two_layers
    first = next(drawn.getFeatures()).id()
    shapes = [box(0, 0, 4 + step, 4) for step in (0.5, 1.0)]
    made = []
    for number in range(111):
        drawn.changeGeometry(first, shapes[number % 2])
        wait_until(lambda: live.live.is_settled)
        if number in (10, 60, 110):
            settle(live)
            gc.collect()
            made.append(sum(type(one) is not weakref.ref for one in gc.get_objects()))
    assert min(made[1] - made[0], made[2] - made[1]) < 50
    assert live.results.rows.rowCount() == 8
    assert live_runs() == 1
    live.results.live_switch.setChecked(False)
    assert live_runs() == 0


@pytest.mark.parametrize("what", ["target", "delineations", "project", "page"])
def test_layers_that_go_end_it_without_a_loss(live, two_layers, dock, what):
    targets, drawn = two_layers
    drawn.changeGeometry(next(drawn.getFeatures()).id(), box(0, 0, 9, 9))
    rows = len(shown(live))
    if what == "project":
        QgsProject.instance().clear()
    elif what == "page":
        live.close_down()
    else:
        QgsProject.instance().removeMapLayer((targets if what == "target" else drawn).id())
        assert len(shown(live)) == rows
        assert live.results.is_stale
    spin(50)
    assert not live.live.is_on
    assert not live.results.live_switch.isChecked()
    told = live.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)
    assert len(told) == (what in ("target", "delineations")), "a project that is closed is no news"


def test_a_filter_a_new_name_and_many_edits_are_followed(live, run, two_layers):
    _, drawn = two_layers
    drawn.rollBack()
    first = next(drawn.getFeatures()).id()
    assert drawn.setSubsetString("x_min($geometry) < 500025")
    check(live, run)
    drawn.setName("renamed")
    drawn.startEditing()
    for place in range(300):
        added = QgsFeature(drawn.fields())
        added.setGeometry(box(200 + 5 * place, 0, 204 + 5 * place, 4))
        drawn.addFeature(added)
    settle(live)
    assert "300" in live.results.headline.counts.text()
    drawn.deleteFeature(first)
    settle(live)
    assert "layer" not in live.results.stale.text()  # the default of a choice may be another now


@pytest.mark.parametrize("pairing", ["max_iou", "hungarian", "min_score"])
def test_several_layers_follow_with_their_spread(page, run, two_layers, pairing):
    targets, drawn = two_layers
    other = box_layer("other", [(0.3, 0, 4.3, 4)])
    QgsProject.instance().addMapLayer(other)
    page.form.target.pick(targets.id())
    page.form.delineations.check((drawn.id(), other.id()))
    page.form.field(PAIRING).show_value(pairing)
    run(page)
    page.results.live_switch.setChecked(True)
    wait_until(lambda: page.live.is_ready)
    other.startEditing()
    other.changeGeometry(next(other.getFeatures()).id(), box(0, 0, 4, 4))
    for place in (0, 1):
        page.results.layer_choice.setCurrentIndex(place)
        check(page, run)


def test_selected_crowns_only_cannot_be_followed_and_it_says_so(page, run, two_layers):
    two_layers[0].selectByIds([next(two_layers[0].getFeatures()).id()])
    page.form.field(SELECTED_ONLY).setChecked(True)
    run(page)
    assert not page.results.live_switch.isEnabled()
    assert "selected" in page.results.live_switch.toolTip()


def test_a_run_shown_again_is_said_to_notice_no_edits_until_they_are_followed(page, run, two_layers):
    run(page)
    page.history.show(page.history.runs()[0])
    assert "edits of the layers since then are not noticed" in page.results.notes.text()
    page.results.live_switch.setChecked(True)
    wait_until(lambda: page.live.is_ready)
    assert "not noticed" not in page.results.notes.text()
    assert "follow what is drawn" in page.results.live_told.text()


def test_an_exact_copy_changes_no_match_while_it_is_drawn_and_once_it_is_saved(live, run, two_layers):
    _, drawn = two_layers
    before = shown(live)
    copy = QgsFeature(drawn.fields())
    copy.setGeometry(next(drawn.getFeatures()).geometry())
    drawn.addFeature(copy)
    check(live, run)
    pd.testing.assert_series_equal(shown(live)["delineation_id"], before["delineation_id"])
    drawn.commitChanges(False)
    check(live, run)
    pd.testing.assert_series_equal(shown(live)["delineation_id"], before["delineation_id"])
