"""Live scoring of real layers in edit mode: the table equals that of a run on the same crowns."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pandas as pd
import pytest
from qgis.core import Qgis, QgsFeature, QgsProject, QgsRasterLayer
from qgis.PyQt.QtGui import QTextDocumentFragment
from qgis.PyQt.QtWidgets import QApplication
from support.layers import box_layer, save
from support.live import box, check_live, follow, settle, shown
from support.panel import opened_dock
from support.qt import spin, wait_until
from support.rasters import write_raster
from support.shown import shows

from randcrowns.algorithms.scoring.live_run import LayerChange, LiveRun
from randcrowns.algorithms.scoring.schema.parameters import PAIRING
from randcrowns.algorithms.scoring.score_crowns import ScoreCrowns
from randcrowns.core.scoring import live as live_scores
from randcrowns.ui.scoring.form import SELECTED_ONLY
from randcrowns.ui.shell.run_history import READ_BACK_KEY


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def live(page, run, two_layers):
    """Page Score after a run, scoring while drawing; both layers in edit mode."""
    run(page)
    follow(page)
    for layer in two_layers:
        layer.startEditing()
    return page


def test_the_layer_that_is_edited_stays_on_the_map_above_the_image(page, run, two_layers, tmp_path):
    targets, drawn = two_layers
    file = write_raster(tmp_path / "image.tif", np.ones((60, 60)), west=500000, north=3000050)
    image, canvas = QgsRasterLayer(str(file), "image"), page.iface.mapCanvas()
    QgsProject.instance().addMapLayer(image)
    run(page)
    shown = [targets, drawn, image]
    canvas.setLayers(shown)
    page.results.crown_table.choose_frame_row(0)
    assert canvas.layers() == [image]
    follow(page)
    spin()
    assert canvas.layers() == shown  # no row is chosen, and the map is free to be drawn on
    drawn.startEditing()
    page.results.crown_table.choose_frame_row(0)
    assert canvas.layers() == [drawn, image]


def never(*_: Any, **__: Any) -> None:
    raise AssertionError("called")


def test_the_crowns_of_a_run_are_neither_read_nor_scored_nor_shown_again(
    page, run, two_layers, monkeypatch
):
    run(page)
    monkeypatch.setattr(ScoreCrowns, "read_layers", never)
    monkeypatch.setattr(live_scores, "score_candidates", never)
    monkeypatch.setattr(LiveRun, "all_rows", never)
    model = page.results.crown_model
    resets: list[object] = []
    model.modelReset.connect(lambda: resets.append(model))
    follow(page)
    assert page.live_scoring.is_ready
    assert not resets
    monkeypatch.undo()
    targets, drawn = two_layers
    drawn.startEditing()
    drawn.changeGeometry(next(drawn.getFeatures()).id(), box(0, 0, 4, 4))
    targets.startEditing()
    targets.deleteFeature(next(targets.getFeatures()).id())
    check_live(page)


def test_edits_before_the_switch_goes_on_are_scored_without_the_other_crowns(
    page, run, two_layers, monkeypatch
):
    """The rows are made in a worker thread, so that the window does not wait."""
    run(page)
    targets, drawn = two_layers
    for layer in two_layers:
        layer.startEditing()
    first, second = (feature.id() for feature in list(drawn.getFeatures())[:2])
    drawn.changeGeometry(first, box(0, 0, 4, 4))
    drawn.deleteFeature(second)
    added = QgsFeature(targets.fields())
    added.setGeometry(box(60, 60, 64, 64))
    targets.addFeature(added)
    threads, window, everything = [], threading.get_ident(), LiveRun.all_rows

    def noted(self: LiveRun) -> list[LayerChange]:
        threads.append(threading.get_ident())
        return everything(self)

    monkeypatch.setattr(LiveRun, "all_rows", noted)
    monkeypatch.setattr(live_scores, "score_candidates", never)
    follow(page)
    assert len(threads) == 1
    assert window not in threads
    monkeypatch.undo()
    check_live(page)


def test_edits_that_were_undone_while_it_was_off_are_shown_no_more(live, two_layers):
    _, drawn = two_layers
    before = shown(live)
    drawn.changeGeometry(next(drawn.getFeatures()).id(), box(0, 0, 4, 4))
    settle(live)
    assert not shown(live).equals(before)
    live.results.live_switch.setChecked(False)
    drawn.undoStack().undo()
    follow(live)
    pd.testing.assert_frame_equal(shown(live), before)
    check_live(live)


def test_a_crown_drawn_without_a_plot_is_told_until_it_has_one(page, run, project):
    fields = "&field=plot:string"
    boxes = [(0, 0, 4, 4), (10, 0, 14, 4), (20, 0, 24, 4)]
    layers = [box_layer(name, boxes, fields=fields, rows="abb") for name in "xy"]
    drawn = layers[1]
    for layer in layers:
        project.addMapLayer(layer)
    page.form.target_picker.select_layer(layers[0].id())
    page.form.delineation_list.check_layers((drawn.id(),))
    run(page)
    follow(page)
    drawn.startEditing()
    drawn.deleteFeature(2)
    added = QgsFeature(drawn.fields())
    added.setGeometry(box(10, 0, 14, 4))
    drawn.addFeature(added)
    settle(page)
    assert page.results.crown_model.frame["status"].tolist() == ["scored", "unmatched", "scored"]
    assert [message.key for message in page.results.visible_messages] == ["plots.not_entered"]
    assert shows(page.results.notes.text(), "plots.empty", layer="y")
    check_live(page)
    assert "plots.not_entered" in [
        message.key for message in page.results.visible_messages
    ]  # of the run too
    follow(page)
    drawn.changeAttributeValue(added.id(), drawn.fields().lookupField("plot"), "b")
    settle(page)
    assert [message.topic for message in page.results.visible_messages] == ["input"]


def check_that_it_ended(page, warnings):
    spin(50)
    assert not page.live_scoring.is_on
    assert not page.results.live_switch.isChecked()
    assert len(page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)) == warnings


@pytest.mark.parametrize("what", ["target", "delineations", "project"])
def test_layers_that_go_end_it_without_a_loss(live, two_layers, what):
    targets, drawn = two_layers
    drawn.changeGeometry(next(drawn.getFeatures()).id(), box(0, 0, 9, 9))
    rows = len(shown(live))
    if what == "project":
        QgsProject.instance().clear()
    else:
        QgsProject.instance().removeMapLayer((targets if what == "target" else drawn).id())
        assert len(shown(live)) == rows
        assert live.results.is_stale
    check_that_it_ended(live, warnings=what != "project")  # a project that is closed is no news


def test_a_page_that_closes_ends_it(two_layers, qgis_iface, run):
    with opened_dock(qgis_iface) as own:
        page, drawn = own.show_page("score"), two_layers[1]
        run(page)
        follow(page)
        drawn.startEditing()
        drawn.changeGeometry(next(drawn.getFeatures()).id(), box(0, 0, 9, 9))
        page.close_down()
        check_that_it_ended(page, warnings=0)


def test_a_filter_a_new_name_and_many_edits_are_followed(live, two_layers):
    _, drawn = two_layers
    drawn.rollBack()
    first = next(drawn.getFeatures()).id()
    assert drawn.setSubsetString("x_min($geometry) < 500025")
    check_live(live)
    drawn.setName("renamed")
    drawn.startEditing()
    for place in range(300):
        added = QgsFeature(drawn.fields())
        added.setGeometry(box(200 + 5 * place, 0, 204 + 5 * place, 4))
        drawn.addFeature(added)
    settle(live)
    assert "300" in live.results.answer_view.counts.text()
    live.quote_row.copy.menu().actions()[0].trigger()
    number = len(live.results.displayed_scores().unmatched_ids)
    assert number >= 300
    assert f"false detections: {number}." in QApplication.clipboard().text()
    drawn.deleteFeature(first)
    settle(live)
    assert (
        "layer" not in live.results.stale_label.text()
    )  # the default of a choice may be another now


def test_several_layers_follow_with_their_spread_by_the_pairing_chosen(page, run, two_layers):
    """Each pairing is tested in tests/core/review/test_live.py; this one is not the default."""
    targets, drawn = two_layers
    other = box_layer("other", [(0.3, 0, 4.3, 4), (1.5, 0, 5.5, 4)])
    QgsProject.instance().addMapLayer(other)
    page.form.target_picker.select_layer(targets.id())
    page.form.delineation_list.check_layers((drawn.id(), other.id()))
    page.form.field(PAIRING).set_value("min_score")
    run(page)
    follow(page)
    other.startEditing()
    other.changeGeometry(next(other.getFeatures()).id(), box(0, 0, 4, 4))
    assert page.results.layer_box.count() == 2
    check_live(page)


def test_selected_crowns_only_cannot_be_followed_and_it_says_so(page, run, two_layers):
    two_layers[0].selectByIds([next(two_layers[0].getFeatures()).id()])
    page.form.field(SELECTED_ONLY).setChecked(True)
    run(page)
    assert not page.results.live_switch.isEnabled()
    assert "selected" in page.results.live_switch.toolTip()


def test_a_run_shown_again_is_said_to_notice_no_edits_until_they_are_followed(
    page, run, two_layers
):
    run(page)
    page.history.show(page.history.runs()[0])
    assert READ_BACK_KEY in {message.key for message in page.results.messages}
    follow(page)
    assert READ_BACK_KEY not in {message.key for message in page.results.messages}
    assert "updated while you draw" in page.results.live_label.text()


@pytest.mark.parametrize("driver", ["ESRI Shapefile", "GPKG"])
def test_saving_a_deletion_in_a_format_that_renumbers_its_features_is_followed(
    page, run, project, two_layers, tmp_path, driver
):
    """The crowns behind the deleted one have other ids once a shapefile is saved."""
    ending = {"ESRI Shapefile": "shp", "GPKG": "gpkg"}[driver]
    layers = [save(layer, tmp_path / f"{layer.name()}.{ending}", driver) for layer in two_layers]
    project.removeMapLayers([layer.id() for layer in two_layers])
    project.addMapLayers(layers)
    page.form.target_picker.select_layer(layers[0].id())
    page.form.delineation_list.check_layers((layers[1].id(),))
    run(page)
    follow(page)
    for layer in layers:
        layer.startEditing()
        layer.deleteFeature(next(layer.getFeatures()).id())
    settle(page)
    for layer in layers:
        assert layer.commitChanges(False)
    wait_until(lambda: page.live_scoring.is_ready)
    settle(page)
    for row in range(len(page.results.crown_model.frame)):
        page.results.crown_table.choose_frame_row(row)
        spin()
    assert page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning) == []
    check_live(page)


def test_it_can_be_switched_on_before_any_run(page, two_layers):
    switch = page.form.live_switch
    assert switch.isVisible()
    switch.setChecked(True)
    wait_until(lambda: page.live_scoring.is_ready)
    assert page.results.live_switch.isChecked()
    assert not switch.isVisible()
    QgsProject.instance().clear()
    assert not switch.isHidden()
    assert not switch.isChecked()


def headline(page):
    return QTextDocumentFragment.fromHtml(page.results.answer_view.answer.text()).toPlainText()


def test_the_headline_is_of_the_crowns_drawn_so_far(page, run, project, two_layers):
    """Of six targets, one is drawn exactly and one is shifted by half its width."""
    targets, _ = two_layers
    drawn = box_layer("so far", [])
    project.addMapLayer(drawn)
    page.form.delineation_list.check_layers((drawn.id(),))
    run(page)
    assert any(message.key == "input.none" for message in page.results.visible_messages)
    follow(page)
    drawn.startEditing()
    for left in (0, 12):
        crown = QgsFeature(drawn.fields())
        crown.setGeometry(box(left, 0, left + 4, 4))
        drawn.addFeature(crown)
    settle(page)
    n_left = targets.featureCount() - 2
    words = " ".join(headline(page).split())
    assert words.startswith("2 drawn:")
    # IoU of the two: 1, and 2 * 4 / (16 + 16 - 8) = 1 / 3.
    assert "IoU 0.67" in words
    assert words.endswith(f"{n_left} targets still without")
    assert not any(message.key == "input.none" for message in page.results.visible_messages)
    page.results.live_switch.setChecked(False)
    assert f"{targets.featureCount()} crowns" in headline(page)


def test_a_message_about_two_empty_layers_stays_for_the_one_that_is_empty(
    page, run, project, two_layers
):
    layers = [box_layer(name, []) for name in ("so far", "later")]
    project.addMapLayers(layers)
    page.form.delineation_list.check_layers([layer.id() for layer in layers])
    run(page)

    def about_empty_layers():
        messages = [one for one in page.results.visible_messages if one.key == "input.none"]
        return " ".join(map(str, messages))

    assert "so far" in about_empty_layers()
    assert "later" in about_empty_layers()
    follow(page)
    layers[0].startEditing()
    crown = QgsFeature(layers[0].fields())
    crown.setGeometry(box(0, 0, 4, 4))
    layers[0].addFeature(crown)
    settle(page)
    assert "so far" not in about_empty_layers()
    assert "'later'" in about_empty_layers()


def test_the_number_drawn_is_that_of_the_means(page, run, project, two_layers):
    """One target is drawn exactly, one is not reached, and one delineation has no target."""
    targets, _ = two_layers
    drawn = box_layer("so far", [])
    project.addMapLayer(drawn)
    page.form.delineation_list.check_layers((drawn.id(),))
    run(page)
    follow(page)
    drawn.startEditing()
    # The second one lies in the rim of 0.7 m of the box from x = 10 to 14.
    for left, bottom, right, top in ((0, 0, 4, 4), (13.4, 0, 14, 4), (90, 90, 94, 94)):
        crown = QgsFeature(drawn.fields())
        crown.setGeometry(box(left, bottom, right, top))
        drawn.addFeature(crown)
    settle(page)
    words = " ".join(headline(page).split())
    assert words.startswith("2 drawn:")
    assert "RC 0.50" in words  # 1 and 0
    assert "IoU 0.57" in words or "IoU 0.58" in words  # 1 and 0.6 / 4
    assert words.endswith(f"{targets.featureCount() - 2} targets still without")
    assert drawn.rollBack()


def test_few_crowns_are_no_sign_of_swapped_layers_while_drawing(page, run, project):
    boxes = [(20.0 * number, 0.0, 20.0 * number + 8.0, 8.0) for number in range(20)]
    many, few = box_layer("many", boxes), box_layer("few", boxes[:1])
    project.addMapLayers([many, few])
    page.form.set_roles(many.id(), few.id())
    run(page)
    assert any(message.key == "roles.more_targets" for message in page.results.messages)
    follow(page)
    few.startEditing()
    crown = QgsFeature(few.fields())
    crown.setGeometry(box(20, 0, 28, 8))
    few.addFeature(crown)
    settle(page)
    assert not any(message.key == "roles.more_targets" for message in page.results.messages)
    assert few.rollBack()


def test_a_crown_that_was_not_saved_yet_is_new(live, two_layers):
    _, drawn = two_layers
    crown = QgsFeature(drawn.fields())
    crown.setGeometry(box(10, 10, 14, 14))
    drawn.addFeature(crown)
    assert crown.id() < 0
    settle(live)
    model = live.results.crown_model
    texts = [
        model.index(row, column).data() for row in range(model.rowCount()) for column in range(2)
    ]
    assert not any(text.startswith(("-", "\N{MINUS SIGN}")) for text in texts)
