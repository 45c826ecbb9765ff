"""Page Parameters: what it says of what it shows, and the room it has for it."""

from __future__ import annotations

import pytest
from support.boxes import TARGET_BOXES, box_layer, shifted
from support.qt import is_folded, spin
from support.searching import finish, show_table

from randcrowns.algorithms.tuning.schema.parameters import WRONG_PAIR_THRESHOLD


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(parameters_page):
    return parameters_page


def test_the_form_is_folded_after_the_first_run_and_takes_room_when_unfolded(page, run):
    assert not is_folded(page)
    run(page)
    finish(page)
    assert is_folded(page)
    before = page.splitter.sizes()
    assert before[0] < before[1]
    page.form.group_boxes[0].setCollapsed(False)
    spin()
    assert page.splitter.sizes()[0] > before[0]
    run(page)
    finish(page)
    assert not is_folded(page)


def test_the_hint_on_one_layer_is_folded_away_with_its_part(page, run, three_people):
    """Also when a choice below changes while the part is folded."""
    who = page.form.group_boxes[0]
    who.setCollapsed(True)
    page.form.annotator_list.check_layers((three_people[0].id(),))
    page.form.field(WRONG_PAIR_THRESHOLD).setValue(0.45)
    spin()
    assert not page.form.single_layer_notice.isVisible()
    who.setCollapsed(False)
    spin()
    assert page.form.single_layer_notice.isVisible()
    page.form.annotator_list.check_layers(tuple(layer.id() for layer in three_people))
    for folded in (True, False):
        who.setCollapsed(folded)
        spin()
        assert not page.form.single_layer_notice.isVisible()


def test_it_is_said_what_the_targets_and_the_plots_were(page, run, project):
    plots = "&field=plotID:string"
    project.clear()
    layers = [
        box_layer(f"p{n}", shifted(TARGET_BOXES, n / 9), fields=plots, rows=[["A"]] * 8)
        for n in range(3)
    ]
    field = box_layer("field polygons", TARGET_BOXES, fields=plots, rows=[["A"]] * 8)
    project.addMapLayers([*layers, field])
    page.form.field_target_picker.select_layer(field.id())
    show_table(page)
    run(page)
    finish(page)
    assert page.results.settings_label.text() == "targets: field polygons · plots: plotID"
    assert page.results.settings_label.isVisible()


def test_one_layer_of_several_plots_has_its_intervals_over_them(page, run, project):
    project.clear()
    rows = [[f"plot {n % 2}"] for n in range(len(TARGET_BOXES))]
    drawn = box_layer("field crowns", TARGET_BOXES, fields="&field=plotID:string", rows=rows)
    project.addMapLayers([drawn])
    show_table(page)
    run(page)
    finish(page)
    assert page.results.settings_label.text() == "targets: each annotator in turn · plots: plotID"
