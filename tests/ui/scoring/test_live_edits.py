"""Edits are scored while drawing, on real layers in edit mode and the real page."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pandas as pd
import pytest
from qgis.core import Qgis, QgsFeature, QgsGeometry
from qgis.PyQt.QtCore import Qt
from support.live import box, check_live, follow, settle, shown
from support.panel import add_two_layers, empty_project, opened_dock, run_page
from support.qt import spin, wait_until

from randcrowns.algorithms.scoring.live_run import LiveRun


@pytest.fixture(scope="module")
def after_run(qgis_iface):
    """Page Score after a run, and the layers it read with what was in them."""
    with empty_project() as project, opened_dock(qgis_iface) as dock:
        layers = add_two_layers(project)
        page = dock.show_page("score")
        run_page(page)
        yield (
            page,
            layers,
            [
                {one.id(): QgsGeometry(one.geometry()) for one in layer.getFeatures()}
                for layer in layers
            ],
        )


@pytest.fixture
def two_layers(after_run):
    """Both in edit mode, with what was in them at first."""
    _, layers, features = after_run
    for layer, known in zip(layers, features):
        layer.rollBack()
        layer.startEditing()
        for one in list(layer.getFeatures()):
            if one.id() not in known:
                layer.deleteFeature(one.id())
            elif not one.geometry().equals(known[one.id()]):
                layer.changeGeometry(one.id(), known[one.id()])
        assert layer.commitChanges(False)
        assert set(layer.allFeatureIds()) == set(known)
    return layers


@pytest.fixture
def live(after_run, two_layers):
    """The page, scoring while drawing."""
    page = after_run[0]
    page.results.crown_table.filter.clear()
    page.results.crown_table.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    if page.results.is_stale or not page.live_scoring.is_on:
        run_page(page)
    follow(page)
    settle(page)
    page.leave()
    return page


def test_crowns_are_scored_as_they_are_changed_added_and_deleted(live, two_layers):
    targets, drawn = two_layers
    first, last = (list(drawn.getFeatures())[place].id() for place in (0, -1))
    score = shown(live)["iou"].iloc[0]
    drawn.changeGeometry(first, box(0, 0, 4, 4))
    settle(live)
    assert shown(live)["iou"].iloc[0] == pytest.approx(1.0)
    assert shown(live)["iou"].iloc[0] > score
    check_live(live)
    drawn.deleteFeature(last)
    added = QgsFeature(targets.fields())
    added.setGeometry(box(60, 60, 64, 64))
    targets.addFeature(added)
    check_live(live)
    targets.deleteFeature(next(targets.getFeatures()).id())
    check_live(live)


def test_undo_redo_saving_and_rolling_back_are_followed(live, two_layers):
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
    check_live(live)
    drawn.changeGeometry(first, box(0, 0, 9, 9))
    targets.deleteFeature(next(targets.getFeatures()).id())
    settle(live)
    drawn.rollBack()
    targets.rollBack()
    check_live(live)


def test_the_crown_edited_is_chosen_in_the_table_and_drawn_on_the_map(live, two_layers):
    _, drawn = two_layers
    extent = live.iface.mapCanvas().extent()
    drawn.changeGeometry(next(drawn.getFeatures()).id(), box(-2, -2, 6, 6))
    settle(live)
    wait_until(lambda: live.highlight.bands)
    assert live.results.crown_table.view.selected_rows() == [0]
    assert "too large" in live.results.crown_table.message_label.text()
    assert live.iface.mapCanvas().extent() == extent


def test_of_two_crowns_that_share_an_edited_delineation_the_one_chosen_stays_chosen(
    live, two_layers
):
    targets, drawn = two_layers
    first = next(targets.getFeatures())
    twin = QgsFeature(first)
    targets.addFeature(twin)
    settle(live)
    (row,) = live.results.crown_table.select_ids("target_id", [first.id()])
    live.results.crown_table.choose_frame_row(row)
    drawn.changeGeometry(next(drawn.getFeatures()).id(), box(-2, -2, 6, 6))
    settle(live)
    wait_until(lambda: live.highlight.bands)
    frame = live.results.crown_table.model.frame
    assert (frame["delineation_id"] == frame["delineation_id"].iloc[row]).sum() == 2
    assert len(live.results.crown_table.view.selected_rows()) == 1
    assert live.results.crown_table.message_label.text()


def test_the_order_and_the_filter_stay_while_drawing(live, two_layers):
    _, drawn = two_layers
    rows = live.results.crown_model
    rows.sort(2)
    live.results.crown_table.filter.setText("scored")
    order = [rows.frame_row(row) for row in range(rows.rowCount())]
    drawn.changeGeometry(next(drawn.getFeatures()).id(), box(0, 0, 4, 4))
    settle(live)
    assert [rows.frame_row(row) for row in range(rows.rowCount())] == order
    assert rows.to_csv().count("\n") == len(order) + 1


def test_nothing_is_connected_while_it_is_off(live, two_layers):
    signals = (
        "featureAdded",
        "featureDeleted",
        "geometryChanged",
        "attributeValueChanged",
        "afterRollBack",
    )

    def connected() -> list[int]:
        return [layer.receivers(getattr(layer, name)) for layer in two_layers for name in signals]

    live.results.live_switch.setChecked(False)
    before = connected()
    assert not live.live_scoring.is_ready
    follow(live)
    assert connected() != before
    live.results.live_switch.setChecked(False)
    assert connected() == before
    assert not live.live_scoring.is_ready


def objects_there() -> tuple[int, int]:
    """How many there are but for weak references, and how many runs that follow edits."""
    gc.collect()
    there = gc.get_objects()
    return sum(type(one) is not weakref.ref for one in there), sum(
        isinstance(one, LiveRun) for one in there
    )


def test_many_edits_leave_nothing_behind(live, two_layers):
    """Thirty edits add fewer objects than that: none leaves one.

    Objects that a library caches are created once; weak references are removed in batches. Objects
    created before are excluded.
    """
    live.results.live_switch.setChecked(False)
    gc.collect()
    gc.freeze()
    follow(live)
    _, drawn = two_layers
    first = next(drawn.getFeatures()).id()
    shapes = [box(0, 0, 4 + step, 4) for step in (0.5, 1.0)]
    found = []
    for number in range(71):
        drawn.changeGeometry(first, shapes[number % 2])
        wait_until(lambda: live.live_scoring.is_settled)
        if number in (10, 40, 70):
            settle(live)
            found.append(objects_there())
    made, runs = zip(*found)
    assert min(made[1] - made[0], made[2] - made[1]) < 30
    assert runs == (1, 1, 1)
    assert live.results.crown_model.rowCount() == 8
    live.results.live_switch.setChecked(False)
    assert objects_there()[1] == 0


def test_an_exact_copy_changes_no_match_while_it_is_drawn_and_once_it_is_saved(live, two_layers):
    _, drawn = two_layers
    before = shown(live)
    copy = QgsFeature(drawn.fields())
    copy.setGeometry(next(drawn.getFeatures()).geometry())
    drawn.addFeature(copy)
    check_live(live)
    pd.testing.assert_series_equal(shown(live)["delineation_id"], before["delineation_id"])
    drawn.commitChanges(False)
    check_live(live)
    pd.testing.assert_series_equal(shown(live)["delineation_id"], before["delineation_id"])


@pytest.mark.parametrize("which", ["target", "delineation"])
@pytest.mark.parametrize("select", [False, True], ids=["", "selected on the map"])
@pytest.mark.parametrize("place", [-10, 60], ids=["first row", "last row"])
def test_saving_or_deleting_the_crown_chosen_warns_of_nothing(
    live, two_layers, which, select, place
):
    """A new crown gets another id when it is saved; the row that is drawn goes and comes again."""
    targets, drawn = two_layers
    live.iface.messageBar().clear_messages()
    layer = targets if which == "target" else drawn
    for other in two_layers:  # so that the new crowns match
        added = QgsFeature(other.fields())
        added.setGeometry(box(place, place, place + 4, place + 4))
        other.addFeature(added)
        settle(live)
    rows = shown(live)
    new = rows.index[rows["target_id"] < 0]
    assert len(new) == 1
    frame = live.results.crown_model.frame
    live.results.crown_table.choose_frame_row(int(np.flatnonzero(frame["target_id"] < 0)[0]))
    wait_until(lambda: live.highlight.bands)
    if select:
        newest = min(one.id() for one in layer.getFeatures())
        layer.selectByIds([newest])
    assert layer.commitChanges(False)
    spin()
    settle(live)
    check_live(live)
    newest = max(one.id() for one in layer.getFeatures())
    column = "target_id" if which == "target" else "delineation_id"
    live.results.crown_table.select_ids(column, [newest])
    spin()
    layer.deleteFeature(newest)
    settle(live)
    assert layer.commitChanges(False)
    settle(live)
    spin()
    for layer in two_layers:
        layer.rollBack()
        layer.startEditing()
    settle(live)
    assert live.iface.messageBar().get_messages(Qgis.MessageLevel.Warning) == []
