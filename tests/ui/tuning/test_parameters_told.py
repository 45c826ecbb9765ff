"""Page Parameters: what it says of what it shows, and the room it has for it."""

from __future__ import annotations

import pytest
from qgis.core import Qgis
from support.boxes import TARGET_BOXES, box_layer, shifted
from support.qt import is_folded, spin
from support.searching import finish

from randcrowns.algorithms.tuning.choices import LIMIT
from randcrowns.core.tuning.search import SetVerdict


@pytest.fixture
def page(parameters_page):
    return parameters_page


def messages(page, level):
    return page.iface.messageBar().get_messages(level)


def test_the_form_is_folded_after_the_first_run_and_takes_room_when_unfolded(page, run):
    assert not is_folded(page)
    run(page)
    finish(page)
    assert is_folded(page)
    before = page.splitter.sizes()
    assert before[0] < before[1]
    page.form.boxes[0].setCollapsed(False)
    spin()
    assert page.splitter.sizes()[0] > before[0]
    run(page)
    finish(page)
    assert not is_folded(page)


def test_the_hint_on_one_layer_is_folded_away_with_its_part(page, run, three_people):
    """Also when a choice below changes while the part is folded."""
    who = page.form.boxes[0]
    who.setCollapsed(True)
    page.form.annotators.check((three_people[0].id(),))
    page.form.field(LIMIT).setValue(0.45)
    spin()
    assert not page.form.hint.isVisible()
    who.setCollapsed(False)
    spin()
    assert page.form.hint.isVisible()
    page.form.annotators.check(tuple(layer.id() for layer in three_people))
    for folded in (True, False):
        who.setCollapsed(folded)
        spin()
        assert not page.form.hint.isVisible()


def test_the_headline_says_the_targets_and_the_plots(page, run, project):
    run(page)
    finish(page)
    assert page.results.decided.text() == "targets: each annotator in turn · no plots"
    assert page.results.headline.text().endswith(" Found on 12 shared crowns.")
    plots = "&field=plotID:string"
    project.clear()
    layers = [box_layer(f"p{n}", shifted(TARGET_BOXES, n / 9), fields=plots, rows=[["A"]] * 8) for n in range(3)]
    field = box_layer("field polygons", TARGET_BOXES, fields=plots, rows=[["A"]] * 8)
    project.addMapLayers([*layers, field])
    page.form.target.pick(field.id())
    run(page)
    finish(page)
    assert page.results.decided.text() == "targets: field polygons · plots: plotID"
    assert page.results.decided.isVisible()


def test_one_layer_of_several_plots_has_its_intervals_over_them(page, run, project):
    project.clear()
    rows = [[f"plot {n % 2}"] for n in range(len(TARGET_BOXES))]
    drawn = box_layer("field crowns", TARGET_BOXES, fields="&field=plotID:string", rows=rows)
    project.addMapLayers([drawn])
    run(page)
    finish(page)
    assert page.results.decided.text() == "targets: each annotator in turn · plots: plotID"


def test_why_run_is_off_is_whole_in_a_narrow_dock_beside_results(searched, three_people):
    for width in (600, 360):
        searched.window().resize(width, 900)
        searched.form.annotators.check(tuple(layer.id() for layer in three_people[:2]))
        spin()
        why = searched.run_bar.why_not
        assert why.text() == searched.form.why_not() != ""
        assert why.height() >= why.heightForWidth(why.width())
        spin(50)
        assert why.visibleRegion().boundingRect() == why.rect()
        searched.form.annotators.check(tuple(layer.id() for layer in three_people))
        spin()
        assert why.isHidden()


def test_map_and_buttons_are_whole_in_a_small_window_by_scrolling(searched):
    searched.window().resize(360, 640)
    spin()
    map_ = searched.results.map
    assert map_.plot.canvas.height() >= 190
    for button in (map_.plot.open_button, map_.plot.save_button, map_.use_button):
        assert button.visibleRegion().boundingRect() == button.rect()


def test_stale_results_cannot_be_used(searched):
    results = searched.results
    grid = results.search.grid
    row = grid[grid["verdict"] == SetVerdict.OFFERED.value].iloc[0]
    results.map.choose(float(row["alpha"]), float(row["omega"]), float(row["gamma"]))
    finish(searched)
    assert results.map.use_button.isEnabled()
    searched.form.field(LIMIT).setValue(0.4)
    assert not results.map.use_button.isEnabled()
    assert "Search again" in results.map.use_button.toolTip()
    searched.form.field(LIMIT).setValue(0.5)
    assert results.map.use_button.isEnabled()


def moved_away(layer):
    """The layer in edit mode, with two crowns moved."""
    layer.startEditing()
    for feature in list(layer.getFeatures())[:2]:
        outline = feature.geometry()
        outline.translate(1.0, 0.5)
        layer.changeGeometry(feature.id(), outline)


def found(table):
    """A table without the columns that say how and when it was made."""
    return table.loc[:, ~table.columns.str.startswith("made_")]


def test_what_was_looked_at_during_an_edit_is_looked_at_again_when_it_is_thrown_away(searched, three_people):
    results = searched.results
    chosen = results.map.chosen
    before = found(results.look.variance)
    moved_away(three_people[0])
    assert results.is_stale
    results.map.choose(*chosen)
    finish(searched)
    assert not found(results.look.variance).equals(before)
    three_people[0].rollBack()
    assert results.look is None
    finish(searched)
    assert not results.is_stale
    assert results.look.lengths == chosen
    assert found(results.look.variance).equals(before)
    assert found(results.variance.model.frame).equals(before)


def test_a_look_from_before_an_edit_stays_when_the_edit_is_thrown_away(searched, three_people):
    look = searched.results.look
    moved_away(three_people[0])
    three_people[0].rollBack()
    assert searched.results.look is look
    assert not searched.runs.beside


def test_the_gallery_drawn_during_an_edit_is_drawn_again(searched, three_people):
    results = searched.results
    moved_away(three_people[0])
    results.tabs.setCurrentWidget(results.gallery)
    finish(searched)
    edited = results.gallery.sheet.toImage()
    three_people[0].rollBack()
    finish(searched)
    assert results.gallery.is_shown
    assert results.gallery.sheet.toImage() != edited


def test_a_grid_without_a_set_to_offer_is_a_warning(page, run):
    page.form.field(LIMIT).setValue(0.01)
    run(page)
    finish(page)
    (told,) = messages(page, Qgis.MessageLevel.Warning)
    assert "No set of the grid" in told
    assert messages(page, Qgis.MessageLevel.Success) == []


def test_words_say_which_pair_is_shown_and_the_map_shows_all_of_both(searched):
    results = searched.results
    for row in (0, 40):
        results.plot.row_chosen.emit(row)
        pair = results.look.delineations.iloc[row]
        assert f"Red: {pair['target_annotator']} {pair['target_id']}." in results.shown.text()
        assert f"Black: {pair['delineation_annotator']} {pair['delineation_id']}." in results.shown.text()
        assert f"RandCrowns {pair['randcrowns']:.2f}, IoU {pair['iou']:.2f}" in results.shown.text()
        assert not results.shown.isHidden()
        assert not results.legend.isHidden()
        black, red = searched.highlight.bands[-2:]
        shown = searched.iface.mapCanvas().extent()
        assert shown.contains(red.asGeometry().boundingBox())
        assert shown.contains(black.asGeometry().boundingBox())
    searched.leave()
    assert results.shown.isHidden()


def test_an_excluded_crown_is_shown_beside_what_the_others_drew_there(page, run, three_people):
    three_people[0].dataProvider().deleteFeatures([1])
    run(page)
    finish(page)
    page.results.excluded.view.choose_frame_row(0)
    assert page.results.shown.text().startswith("Red: person 2 1, excluded: ")
    assert page.results.shown.text().endswith("each of the others: person 3 1.")
    assert page.results.legend.isHidden()
    _veil, black, red = page.highlight.bands
    outlines = {n: next(three_people[n - 1].getFeatures([1])).geometry() for n in (2, 3)}
    assert red.asGeometry().symDifference(outlines[2]).area() < 1e-6
    assert black.asGeometry().symDifference(outlines[3]).area() < 1e-6


def test_the_legend_of_the_scatter_covers_no_point(searched):
    results = searched.results
    results.tabs.setCurrentWidget(results.plot)
    for width in (360, 900, 360, 900):
        searched.window().resize(width, 800)
        spin()
        axes = results.plot.axes
        axes.figure.canvas.draw()
        legend = axes.get_legend().get_window_extent()
        assert not legend.overlaps(axes.get_window_extent())
        wide = axes.figure.bbox.width > 1.4 * axes.figure.bbox.height
        assert (legend.x0 >= axes.get_window_extent().x1) == wide
        assert axes.figure.bbox.x0 <= legend.x0 < legend.x1 <= axes.figure.bbox.x1
        assert axes.figure.bbox.y0 <= legend.y0 < legend.y1 <= axes.figure.bbox.y1
