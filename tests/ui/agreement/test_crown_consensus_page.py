"""Consensus crown by crown on page Annotators: preset, run, layer of trees to look at again."""

from __future__ import annotations

import json

import numpy as np
import pytest
import shapely
from qgis.core import QgsProject, QgsRasterLayer
from support.consensus import consensus_layers, made_consensus, rows_of
from support.layers import TARGET_BOXES, box_layer, layer_of, shifted
from support.qt import wait_until
from support.rasters import write_raster

from randcrowns.algorithms.agreement.schema.parameters import (
    CLASS_FIELD,
    METHOD,
    OUTLINE,
    VOTE_RULE,
)
from randcrowns.algorithms.common_parameters import TARGETS
from randcrowns.algorithms.provenance import read_provenance
from randcrowns.algorithms.scoring.schema.parameters import DELINEATIONS
from randcrowns.layers.localization import message_texts
from randcrowns.layers.vector.write import RESULT_PROPERTY


@pytest.fixture
def layers(project):
    """Three annotators, of whom only the last drew a further tree."""
    further = (*TARGET_BOXES, (200.0, 200.0, 210.0, 210.0))
    drawn = {"ann": TARGET_BOXES, "bob": shifted(TARGET_BOXES, 0.5), "cleo": further}
    found = {name: box_layer(name, boxes) for name, boxes in drawn.items()}
    project.addMapLayers(list(found.values()))
    project.setCrs(found["ann"].crs())
    return found


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(layers, dock):
    return dock.show_page("annotators")


def method_of(page) -> str:
    return page.results.consensus_form.settings()[METHOD]


def look_again_layers():
    layers = QgsProject.instance().mapLayers().values()
    return [layer for layer in layers if layer.customProperty(RESULT_PROPERTY) == "LOOK_AGAIN"]


def test_polygons_get_a_consensus_crown_by_crown_and_rasters_one_of_areas(page, tmp_path):
    assert method_of(page) == "crowns"
    raster = QgsRasterLayer(
        str(write_raster(tmp_path / "dan.tif", np.eye(20, dtype=np.uint8))), "dan"
    )
    QgsProject.instance().addMapLayer(raster)
    page.form.annotator_list.check_layers((raster.id(),))
    assert method_of(page) == "0.5"


def test_a_method_that_the_user_chose_stays(page, layers):
    page.results.consensus_form.set_value(METHOD, "staple")
    page.form.annotator_list.check_layers((layers["ann"].id(), layers["bob"].id()))
    assert method_of(page) == "staple"


@pytest.mark.parametrize("stored", [{"method": "0.5"}, {"min_area": 0.0}])
def test_a_stored_project_keeps_its_method(page, stored):
    QgsProject.instance().writeEntry("RandCrowns", "annotators", json.dumps(stored))
    page.load_parameters()
    assert method_of(page) == "0.5"


def test_a_new_project_gets_the_preset(page):
    page.results.consensus_form.set_value(METHOD, "staple")
    QgsProject.instance().removeEntry("RandCrowns", "annotators")
    page.load_parameters()
    assert method_of(page) == "crowns"


def test_crowns_and_trees_to_look_at_again_are_layers(page, run):
    run(page)
    layer = made_consensus(page, "crowns")
    rows = rows_of(layer)
    assert len(rows) == len(TARGET_BOXES)
    assert {row["votes"] for row in rows} == {3}
    (doubtful,) = look_again_layers()
    assert [row["members"] for row in rows_of(doubtful)] == [f"cleo:{len(TARGET_BOXES) + 1}"]
    text = page.results.consensus_form.description_label.text()
    assert f"{len(TARGET_BOXES)} crowns" in text


def test_the_button_report_ticks_the_consensus_that_was_just_made(page, dock, run):
    run(page)
    answer = page.quote_row.answer
    record = read_provenance(made_consensus(page, "crowns"))
    # The answer on the page is still that of the comparison.
    assert page.quote_row.answer == answer
    page.quote_row.report.click()
    assert dock.page.run_list.checked_keys() == (record.id,)
    dock.show_page("annotators")
    run(page)
    assert dock.show_page("report").run_list.checked_keys() == (page.history.shown_record.id,)


def test_only_the_parameters_of_the_method_are_shown(page, run):
    run(page)
    form = page.results.consensus_form
    for method, is_shown in (("crowns", True), ("0.5", False)):
        form.set_value(METHOD, method)
        for parameter in (VOTE_RULE, OUTLINE):
            assert form.field(parameter).isHidden() is not is_shown


def test_crown_by_crown_of_rasters_says_why_not(page):
    form = page.results.consensus_form
    form.set_outdated("")
    form.set_comparison(2, counts_pixels=True, has_rasters=True)
    form.set_value(METHOD, "crowns")
    assert not form.make_button.isEnabled()
    assert "polygon layers" in form.problem_label.text()


def test_the_class_field_that_all_share_is_preset(project, dock, run):
    boxes = TARGET_BOXES[:3]
    species = {"ann": "oak ash oak", "bob": "oak ash ash", "cleo": "oak elm oak"}
    layers = [
        layer_of(
            name,
            [shapely.box(*box) for box in boxes],
            fields="&field=species:string",
            rows=[[value] for value in words.split()],
        )
        for name, words in species.items()
    ]
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    page = dock.show_page("annotators")
    assert page.results.consensus_form.settings()[CLASS_FIELD] == "species"
    run(page)
    rows = rows_of(made_consensus(page, "crowns"))
    assert [row["crown_class"] for row in rows] == ["oak", "ash", "oak"]


def test_scores_against_a_consensus_of_the_scored_layers_are_called_optimistic(
    page, layers, dock, run
):
    run(page)
    consensus = made_consensus(page, "crowns")
    page.make_consensus()
    wait_until(lambda: page.run is None)
    score = dock.show_page("score")
    # A new consensus is preset as targets, and all annotators are compared with it.
    assert score.settings()[TARGETS] in {layer.id() for layer in consensus_layers()}
    assert set(score.settings()[DELINEATIONS]) == {layer.id() for layer in layers.values()}
    # Two layers of the same name differ in the lists.
    box = score.form.target_picker.combo
    texts = [box.itemText(number) for number in range(box.count())]
    names = [text for text in texts if text.startswith(consensus.name())]
    assert len(names) == len(set(names)) == 2
    score.form.target_picker.select_layer(consensus.id())
    ids = tuple(layers[name].id() for name in ("ann", "bob"))
    score.form.delineation_list.check_layers(ids)
    run(score)
    (text,) = _optimistic_notes(score)
    assert text.startswith("The targets are a consensus that was made of ann, bob, among others.")
    # A selected target layer stays.
    score.form.target_picker.select_layer(layers["cleo"].id())
    dock.show_page("annotators").make_consensus()
    wait_until(lambda: dock.page.run is None)
    dock.show_page("score")
    assert score.settings()[TARGETS] == layers["cleo"].id()
    run(score)
    assert not _optimistic_notes(score)


def _optimistic_notes(page):
    """Return the notes of a page about targets that are a consensus of the scored layers."""
    messages = page.results.visible_messages
    keys = [message.key for message in messages]
    texts = message_texts(messages)
    return [text for key, text in zip(keys, texts) if key == "targets.consensus"]
