"""Results of a search on page Parameters: the sets, the crowns at one set, and their layout."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import QgsProject, QgsRenderContext
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QScrollArea
from support.panel import errors
from support.qt import spin
from support.searching import finish, people_of

from randcrowns.algorithms.common_parameters import IMAGE_EXTENT, LENGTHS, OWN, PRESET
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.algorithms.tuning.schema.parameters import WRONG_PAIR_THRESHOLD
from randcrowns.core.tuning.search import SetAssessment
from randcrowns.ui.tuning.plots import VarianceMap


@pytest.fixture
def dock(searched):
    return searched.window()


@pytest.fixture
def people(searched):
    return people_of(searched)


def look_at(page, cell):
    page.results.variance_map.select_set(*cell)
    finish(page)


def _symbols(layers):
    context = QgsRenderContext()
    return [symbol.clone() for layer in layers for symbol in layer.renderer().symbols(context)]


def some_cell(page, assessment):
    grid = page.results.search.grid
    row = grid[grid["assessment"] == assessment].iloc[0]
    return float(row["alpha"]), float(row["omega"]), float(row["gamma"])


def moved_away(layer):
    """The layer in edit mode, with two crowns moved."""
    layer.startEditing()
    for feature in list(layer.getFeatures())[:2]:
        outline = feature.geometry()
        outline.translate(1.0, 0.5)
        layer.changeGeometry(feature.id(), outline)


def found(table):
    """A table without the columns that say how and when it was made."""
    return table.loc[:, ~table.columns.str.startswith("run_")]


def test_grid_and_crowns_at_the_best_set_are_shown(searched):
    results = searched.results
    assert results.variance_map.selected_set == results.search.recommended
    assert len(results.search.grid) == 112
    assert f"alpha {results.search.recommended[0]:g} m" in results.headline_label.text()
    assert results.headline_label.text().endswith(" Found on 12 shared crowns.")
    assert results.settings_label.text() == "targets: each annotator in turn · no plots"
    assert results.experiment.lengths == results.search.recommended
    assert len(results.variance_table.model.frame) == 4
    assert set(results.experiment.examples["example"]) == {"worst", "typical"}


def test_figures_of_the_look_are_those_of_the_grid(searched):
    grid, best = searched.results.search.grid, searched.results.search.recommended
    row = grid[np.isclose(grid[["alpha", "omega", "gamma"]], best).all(axis=1)].iloc[0]
    overall = searched.results.experiment.variances.iloc[-1]
    assert overall["randcrowns_variance"] == pytest.approx(row["variance"], abs=1e-5)


def test_stale_when_a_layer_or_a_choice_changes(searched, people):
    assert not searched.results.is_stale
    searched.form.field(WRONG_PAIR_THRESHOLD).setValue(0.4)
    assert searched.results.is_stale
    searched.form.field(WRONG_PAIR_THRESHOLD).setValue(0.5)
    assert not searched.results.is_stale
    people[0].startEditing()
    people[0].deleteFeature(1)
    assert "person 1" in searched.results.stale_label.text()
    people[0].rollBack()


def test_a_cell_shows_its_worst_crown_on_the_map(searched):
    cell = some_cell(searched, SetAssessment.WRONG_PAIRS_TOO_HIGH.value)
    look_at(searched, cell)
    assert searched.results.experiment.lengths == cell
    assert searched.highlight.bands
    assert not searched.results.legend.isHidden()
    row = searched.results.examples_table.model.frame.iloc[0]
    assert row["example"] == "worst"
    assert (
        row["randcrowns_variance"]
        == searched.results.experiment.examples["randcrowns_variance"].max()
    )


def test_the_slider_goes_through_gamma(searched):
    searched.results.variance_map.slider.setValue(0)
    assert searched.results.variance_map.gamma() == 1.0
    assert "1" in searched.results.variance_map.gamma_label.text()
    searched.results.variance_map.slider.setValue(6)
    assert searched.results.variance_map.gamma() == 7.0


def test_only_the_last_of_many_cells_counts(searched):
    first, last = (
        some_cell(searched, SetAssessment.OFFERED.value),
        some_cell(searched, SetAssessment.WRONG_PAIRS_TOO_HIGH.value),
    )
    searched.results.examples_table.view.go_to_frame_row(0)
    assert searched.highlight.bands
    searched.results.variance_map.select_set(*first)
    assert searched.highlight.bands == []
    searched.results.variance_map.select_set(*last)
    finish(searched)
    assert searched.results.experiment.lengths == last
    assert errors(searched) == []


def test_use_these_puts_the_set_on_page_score(searched, dock):
    cell = some_cell(searched, SetAssessment.OFFERED.value)
    look_at(searched, cell)
    assert searched.highlight.bands
    assert searched.results.variance_map.use_button.isEnabled()
    searched.results.variance_map.use_button.click()
    assert dock.page.key == "score"
    taken = dock.page.form.settings()
    assert (taken[PRESET], *(taken[length] for length in LENGTHS)) == (OWN, *cell)
    assert searched.highlight.bands == []


def test_use_these_leaves_page_scores_own_extent_where_none_was_chosen(searched, dock):
    score = dock.show_page("score")
    score.form.field(IMAGE_EXTENT).set_area(AreaValue("canvas"))
    dock.show_page("parameters").results.variance_map.use_button.click()
    assert dock.page.form.settings()[IMAGE_EXTENT] == AreaValue("canvas")


def test_a_refused_set_cannot_be_used_and_says_why(searched):
    look_at(searched, some_cell(searched, SetAssessment.WRONG_PAIRS_TOO_HIGH.value))
    assert not searched.results.variance_map.use_button.isEnabled()
    assert "wrong pairs score" in searched.results.variance_map.use_button.toolTip()
    assert "refused: wrong pairs" in searched.results.variance_map.selected_set_label.text()


def test_a_set_of_the_table_is_chosen_on_the_map(searched):
    searched.results.sets_table.view.go_to_frame_row(3)
    row = searched.results.sets_table.model.frame.iloc[3]
    assert searched.results.variance_map.selected_set == (row["alpha"], row["omega"], row["gamma"])
    finish(searched)


def test_outlines_become_layers_on_request(searched, people):
    project = QgsProject.instance()
    look_at(searched, searched.results.search.recommended)
    searched.leave()
    searched.results.layers_button.click()
    made = [layer for layer in project.mapLayers().values() if layer not in people]
    assert sorted(layer.featureCount() for layer in made) == [0, 36, 72]
    assert {bool(layer.renderer().dump().count("variance under 0.0001")) for layer in made} == {
        True,
        False,
    }
    assert {symbol.symbolLayer(0).brushStyle() for symbol in _symbols(made)} == {
        Qt.BrushStyle.NoBrush
    }
    assert searched.form.annotator_list.checked_ids() == tuple(layer.id() for layer in people)
    project.removeMapLayers([layer.id() for layer in made])
    searched.results.examples_table.view.go_to_frame_row(0)  # the one that was on show before
    assert searched.highlight.bands


def test_tabs_take_no_more_room_than_their_words(searched):
    """All six tabs fit into a dock of 360 pixels in QGIS's default font, without scroll buttons."""
    bar = searched.results.tabs.tabBar()
    words = [bar.fontMetrics().horizontalAdvance(bar.tabText(i)) for i in range(bar.count())]
    widths = [bar.tabRect(i).width() for i in range(bar.count())]
    assert all(8 <= width - word <= 20 for width, word in zip(widths, words))


def test_why_run_is_off_is_whole_in_a_narrow_dock_beside_results(searched, people):
    for width in (600, 360):
        searched.window().resize(width, 900)
        searched.form.annotator_list.check_layers(tuple(layer.id() for layer in people[:2]))
        spin()
        why = searched.run_bar.problem_label
        assert why.text() == searched.form.run_problem() != ""
        assert why.height() >= why.heightForWidth(why.width())
        spin(50)
        assert why.visibleRegion().boundingRect() == why.rect()
        searched.form.annotator_list.check_layers(tuple(layer.id() for layer in people))
        spin()
        assert why.isHidden()


def test_stale_results_cannot_be_used(searched):
    results = searched.results
    look_at(searched, some_cell(searched, SetAssessment.OFFERED.value))
    assert results.variance_map.use_button.isEnabled()
    searched.form.field(WRONG_PAIR_THRESHOLD).setValue(0.4)
    assert not results.variance_map.use_button.isEnabled()
    assert "Search again" in results.variance_map.use_button.toolTip()
    searched.form.field(WRONG_PAIR_THRESHOLD).setValue(0.5)
    assert results.variance_map.use_button.isEnabled()


def test_what_was_looked_at_during_an_edit_is_looked_at_again_when_it_is_thrown_away(
    searched, people
):
    results = searched.results
    chosen = results.variance_map.selected_set
    before = found(results.experiment.variances)
    moved_away(people[0])
    assert results.is_stale
    results.variance_map.select_set(*chosen)
    finish(searched)
    assert not found(results.experiment.variances).equals(before)
    people[0].rollBack()
    assert results.experiment is None
    finish(searched)
    assert not results.is_stale
    assert results.experiment.lengths == chosen
    assert found(results.experiment.variances).equals(before)
    assert found(results.variance_table.model.frame).equals(before)


def test_a_look_from_before_an_edit_stays_when_the_edit_is_thrown_away(searched, people):
    look = searched.results.experiment
    moved_away(people[0])
    people[0].rollBack()
    assert searched.results.experiment is look
    assert not searched.runs.side_run_keys


def test_words_say_which_pair_is_shown_and_the_map_shows_all_of_both(searched):
    results = searched.results
    for row in (0, 40):
        results.plot.row_chosen.emit(row)
        pair = results.experiment.pairs.iloc[row]
        assert (
            f"Red: {pair['target_annotator']} {pair['target_id']}."
            in results.description_label.text()
        )
        assert (
            f"Black: {pair['delineation_annotator']} {pair['delineation_id']}."
            in results.description_label.text()
        )
        assert (
            f"RandCrowns {pair['randcrowns']:.2f}, IoU {pair['iou']:.2f}"
            in results.description_label.text()
        )
        assert not results.description_label.isHidden()
        assert not results.legend.isHidden()
        black, red = searched.highlight.bands[-2:]
        shown = searched.iface.mapCanvas().extent()
        assert shown.contains(red.asGeometry().boundingBox())
        assert shown.contains(black.asGeometry().boundingBox())
    searched.leave()
    assert results.description_label.isHidden()


def test_the_map_is_whole_in_a_narrow_dock_of_a_low_window(searched, low_font):
    """A dock of 360 x 637 pixels leaves 344 x 289 for the tab, or 268 beside a message."""
    search = searched.results.search
    shown = VarianceMap()
    shown.show_grid(search.grid, search.recommended, 0.5)
    shown.resize(344, 268)
    shown.show()
    spin(50)
    plot = shown.plot
    (area,) = plot.findChildren(QScrollArea)
    assert not area.verticalScrollBar().isVisible()
    for label in (plot.axes.xaxis.label, plot.axes.yaxis.label):
        lower, upper = label.get_window_extent().get_points()
        assert (lower >= 0).all(), label
        assert (upper <= plot.canvas.get_width_height()).all(), label
    assert shown.selected_set_label.width() > 300
    shown.deleteLater()
