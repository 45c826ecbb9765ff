"""Test what page Instances shows of one run on polygons: numbers, tables, and the map."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from qgis.core import Qgis, QgsProject
from support.layers import TARGET_BOXES
from support.panel import add_two_layers, empty_project, opened_dock, run_page
from support.qt import spin
from support.shown import shows

from randcrowns.algorithms.instances.schema import parameters
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.instances.results import PREDICTIONS, TARGETS
from randcrowns.ui.services.settings import read_parameters

FOUND = len(TARGET_BOXES) - 1


@pytest.fixture(scope="module")
def after_run(qgis_iface):
    """The page after one run, the layers it read, what was said, and the choices it had."""
    with empty_project() as project, opened_dock(qgis_iface) as dock:
        targets, drawn = add_two_layers(project)
        page = dock.show_page("instances")
        page.form.field(parameters.TARGETS).select_layer(targets.id())
        page.form.field(parameters.PREDICTIONS).select_layer(drawn.id())
        run_page(page)
        bar = page.iface.messageBar()
        assert bar.get_messages(Qgis.MessageLevel.Critical) == []
        yield (
            page,
            (targets, drawn),
            bar.get_messages(Qgis.MessageLevel.Success),
            page.settings().to_stored(),
        )


@pytest.fixture
def two_layers(after_run):
    return after_run[1]


@pytest.fixture
def matched(after_run):
    """The page as its run left it: choices, tables, and nothing chosen."""
    page, _, _, kept = after_run
    if page.settings().to_stored() != kept:
        page.form.set_settings(page.settings_of(kept))
    for layer in QgsProject.instance().mapLayers().values():
        layer.removeSelection()
    for table in (page.results.target_table, page.results.prediction_table):
        table.filter.clear()
    page.results.tabs.setCurrentWidget(page.results.target_table)
    page.leave()
    spin()
    assert not page.results.is_stale
    return page


def layer_of(page, side):
    return QgsProject.instance().mapLayer(page.results.results.layer_ids[side])


def titles(crowns):
    return [column.title for column in crowns.model.columns]


def test_polygons_are_matched_and_shown(matched):
    results = matched.results.results
    assert len(results.targets) == len(TARGET_BOXES)
    assert (results.targets["status"] == "true_positive").sum() == FOUND
    assert "PQ" in matched.results.answer_view.answer.text()
    assert f"{FOUND}&nbsp;detected" in matched.results.answer_view.counts.text()
    assert "1&nbsp;not&nbsp;detected" in matched.results.answer_view.counts.text()
    assert matched.results.summary_table.model.rowCount() == 1
    assert not matched.results.tabs.isTabEnabled(4)
    thresholds = matched.results.threshold_table.model.frame
    half = thresholds[thresholds["iou"].round(2) == 0.5].iloc[0]
    assert (half["tp"], half["fn"]) == (FOUND, len(TARGET_BOXES) - FOUND)
    assert "AP," not in matched.results.answer_view.answer.text()  # no field of scores
    assert shows(matched.results.answer_view.answer.toolTip(), "ap.no_score")
    layer = QgsProject.instance().mapLayer(results.layer_ids[TARGETS])
    assert layer.customProperty(RESULT_PROPERTY) == TARGETS
    assert {category.value() for category in layer.renderer().categories()} >= {
        "true_positive",
        "false_negative",
    }
    assert read_parameters("instances")["kind"] == "polygons"


def test_the_message_says_how_many_were_found(after_run):
    (said,) = after_run[2]
    targets = len(TARGET_BOXES)
    assert (
        f"{targets - 1} of {targets} targets detected, 1 of {targets} predictions without a target"
        in said
    )


def test_the_filter_finds_the_words_shown(matched):
    crowns = matched.results.target_table
    crowns.filter.setText("not detected")
    assert crowns.model.rowCount() == 1
    place = titles(crowns).index("Status")
    assert place == 1
    assert crowns.model.data(crowns.model.index(0, place)) == "not detected"
    assert "1&nbsp;not&nbsp;detected" in matched.results.answer_view.counts.text()


def test_files_have_the_layers_names_and_whole_ids(matched, tmp_path):
    for side, first in (("targets", "target_id"), ("predictions", "prediction_id")):
        table = {"targets": "target_table", "predictions": "prediction_table"}[side]
        getattr(matched.results, table).view.export(str(tmp_path / f"{side}.csv"))
        saved = pd.read_csv(tmp_path / f"{side}.csv", dtype=str)
        assert saved.columns[:3].tolist() == [first, "status", "match_id"]
        for column in (first, "match_id"):
            assert not saved[column].str.contains(".", regex=False, na=False).any()
        assert set(saved["status"]) <= {"true_positive", "false_negative", "false_positive"}


def test_few_targets_have_no_interval_and_the_reason(matched):
    assert len(TARGET_BOXES) < 10
    summary = matched.results.summary_table.model
    place = [column.name for column in summary.columns].index("precision_between")
    assert summary.data(summary.index(0, place)) == "n/a"
    assert "fewer than 5 plots or 10 crowns" in summary.columns[place].tooltip
    assert "fewer than 10 of them" in matched.results.answer_view.answer.toolTip()
    assert "nan" not in matched.results.answer_view.answer.toolTip()


def test_results_go_stale_by_choices_and_edits(matched, two_layers):
    assert not matched.results.is_stale
    matched.form.field(parameters.NO_TREE_ID).setValue(7)
    assert not matched.results.is_stale
    matched.form.field(parameters.DETECTION_METHOD).setCurrentIndex(3)
    assert matched.results.is_stale
    matched.form.field(parameters.DETECTION_METHOD).setCurrentIndex(0)
    assert not matched.results.is_stale
    two_layers[1].startEditing()
    two_layers[1].deleteFeature(two_layers[1].allFeatureIds()[0])
    assert matched.results.is_stale
    two_layers[1].rollBack()


def test_a_row_shows_its_crown_and_its_match(matched):
    matched.results.target_table.choose_frame_row(0)
    assert len(matched.map_link.highlight.bands) == 3  # veil, prediction, target
    row = int(np.flatnonzero(matched.results.results.targets["status"] == "false_negative")[0])
    matched.results.target_table.choose_frame_row(row)
    assert len(matched.map_link.highlight.bands) == 2
    matched.results.prediction_table.choose_frame_row(0)
    assert len(matched.map_link.highlight.bands) == 3
    matched.leave()
    assert matched.map_link.highlight.bands == []


def test_a_count_selects_its_crowns(matched):
    matched.results.answer_view.count_clicked.emit(f"{PREDICTIONS}/false_positive")
    layer = QgsProject.instance().mapLayer(matched.results.results.layer_ids[PREDICTIONS])
    assert layer.selectedFeatureCount() == 1
    assert matched.results.tabs.currentWidget() is matched.results.prediction_table


def test_one_count_after_another_leaves_one_selection(matched):
    matched.results.target_table.choose_frame_row(0)
    assert matched.map_link.highlight.bands
    matched.results.answer_view.count_clicked.emit(f"{TARGETS}/true_positive")
    assert matched.map_link.highlight.bands == []
    assert layer_of(matched, TARGETS).selectedFeatureCount() == len(TARGET_BOXES) - 1
    matched.results.answer_view.count_clicked.emit(f"{PREDICTIONS}/true_positive")
    assert layer_of(matched, TARGETS).selectedFeatureCount() == 0
    assert matched.results.target_table.view.selected_rows() == []
    assert len(matched.results.prediction_table.view.selected_rows()) == len(TARGET_BOXES) - 1
    matched.leave()
    assert layer_of(matched, PREDICTIONS).selectedFeatureCount() == 0


def test_one_crown_selected_on_the_map_opens_its_tab_and_is_drawn(matched):
    assert matched.results.tabs.currentWidget() is matched.results.target_table
    layer = layer_of(matched, PREDICTIONS)
    layer.selectByIds([sorted(layer.allFeatureIds())[2]])
    assert matched.results.tabs.currentWidget() is matched.results.prediction_table
    assert matched.results.prediction_table.view.selected_rows() == [2]
    assert len(matched.map_link.highlight.bands) == 3
    layer_of(matched, TARGETS).selectByIds(sorted(layer_of(matched, TARGETS).allFeatureIds())[:2])
    assert layer.selectedFeatureCount() == 0
    assert matched.map_link.highlight.bands == []
    assert matched.results.target_table.view.selected_rows() == [0, 1]


@pytest.mark.parametrize("side", [TARGETS, PREDICTIONS])
def test_selecting_in_the_layers_read_selects_rows(matched, two_layers, side):
    layer = two_layers[side == PREDICTIONS]
    wanted = sorted(layer.allFeatureIds())[1]
    layer.selectByIds([wanted])
    crowns = matched.results.table_of_side(side)
    (row,) = crowns.view.selected_rows()
    assert (
        crowns.model.frame.iloc[crowns.model.frame_row(row), :][
            f"{'target' if side == TARGETS else 'prediction'}_id"
        ]
        == wanted
    )
    assert matched.map_link.highlight.bands


def test_a_row_can_be_chosen_again_after_leaving(matched):
    matched.results.target_table.choose_frame_row(0)
    matched.leave()
    assert matched.map_link.highlight.bands == []
    matched.results.target_table.choose_frame_row(0)
    assert matched.map_link.highlight.bands
