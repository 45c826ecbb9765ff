"""The map shows the run of the page alone, with light fills; one click shows the other layers."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject
from support.qt import spin, wait_until

from randcrowns.layers.styles.casing import fill_opacity
from randcrowns.ui.services.replaced_layers import is_unchanged


@pytest.fixture
def scored(page, run):
    run(page)
    return page


def visible():
    nodes = QgsProject.instance().layerTreeRoot().findLayers()
    return {node.name() for node in nodes if node.isVisible() and node.layer().isSpatial()}


def scored_targets(page):
    layer_id = page.results.results.layer_ids["SCORED_TARGETS"]
    return QgsProject.instance().mapLayer(layer_id)


def test_after_a_run_the_other_crown_layers_step_back_and_one_click_brings_them_back(scored):
    results = {scored_targets(scored).name(), "Scored delineations"}
    assert visible() == results
    button = scored.map_controls.alone_button
    assert button.isChecked()
    button.click()
    assert visible() == {"crowns", "drawn", *results}
    button.click()
    assert visible() == results


def test_the_slider_sets_the_fill_of_the_scored_targets(scored):
    slider = scored.map_controls.fill_slider
    assert slider.value() == 25
    slider.setValue(70)
    wait_until(lambda: fill_opacity(scored_targets(scored)) == pytest.approx(0.7, abs=0.01), 10)
    scored.map_controls.update_state()
    assert slider.value() == 70
    assert is_unchanged(scored_targets(scored)), "a later run may replace the layer"


@pytest.mark.parametrize("run_count", [1, 2])
def test_a_layer_comes_back_when_the_user_begins_to_edit_it(scored, run, two_layers, run_count):
    """Also a layer that an earlier run has hidden."""
    if run_count == 2:
        run(scored)
    _, drawn = two_layers
    drawn.startEditing()
    spin()
    assert {"drawn", scored_targets(scored).name(), "Scored delineations"} == visible()
    assert drawn.rollBack()


def test_crowns_that_are_selected_by_a_number_of_the_answer_are_visible(scored):
    scored.results.count_clicked.emit("unmatched")
    assert "crowns" in visible()
    assert scored.form.target_picker.layer().selectedFeatureCount() == 1


def test_the_map_follows_the_page(scored, dock, run):
    """Each page shows its own run on the map when it is opened."""
    name = scored_targets(scored).name()
    annotators = dock.show_page("annotators")
    run(annotators)
    spin(50)
    assert name not in visible()
    dock.show_page("score")
    assert name in visible()
    dock.show_page("annotators")
    assert name not in visible()


def test_without_a_run_there_is_nothing_to_control(page):
    assert page.map_controls.fill_slider.isHidden()
    assert page.map_controls.alone_button.isHidden()


def test_scores_in_fields_of_the_targets_leave_the_map_as_it_is(page, run, two_layers):
    from randcrowns.ui.scoring.form import DESTINATION, FIELDS

    page.form.set_value(DESTINATION, FIELDS)
    run(page)
    assert visible() == {"crowns", "drawn"}
    assert two_layers[0].rollBack()
