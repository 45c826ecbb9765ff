"""The confusion matrix and the strata of page Score."""

from __future__ import annotations

import pytest
from support.layers import TARGET_BOXES, box_layer, layer_of
from support.panel import errors
from support.shown import shows

from randcrowns.algorithms.common_parameters import TARGETS
from randcrowns.algorithms.scoring.schema.parameters import CLASSES, DELINEATIONS
from randcrowns.core.classes.evaluation import ClassResult
from randcrowns.ui.widgets.class_tab import CellCrowns

SPECIES = ["oak", "oak", "ash", "ash", "oak", "ash", "pine", "pine"]
FOUND_SPECIES = ["oak", "ash", "ash", "oak", "ash", "ash", "pine", "pine"]


def species_layer(name, boxes, classes):
    shapes = [feature.geometry().asWkt() for feature in box_layer("boxes", boxes).getFeatures()]
    return layer_of(name, shapes, fields="&field=species:string", rows=[[kind] for kind in classes])


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(project, dock):
    layers = (
        species_layer("trees", TARGET_BOXES, SPECIES),
        species_layer("found", [*TARGET_BOXES[:7], (90, 0, 94, 4)], FOUND_SPECIES),
        species_layer("right", TARGET_BOXES, SPECIES),
    )
    project.addMapLayers(layers)
    made = dock.show_page("score")
    made.form.field(TARGETS).select_layer(layers[0].id())
    made.form.field(DELINEATIONS).check_layers((layers[1].id(), layers[2].id()))
    return made


def test_each_delineation_layer_has_its_matrix(page, run):
    assert page.form.settings()[CLASSES.class_field] == "species"
    run(page)
    assert errors(page) == []
    panel = page.results
    found = [scores.name for scores in panel.results.layers].index("found")
    panel.layer_box.setCurrentIndex(found)
    assert int(panel.class_tab.matrix_view.matrix.counts.sum()) == 9
    panel.layer_box.setCurrentIndex(1 - found)
    matrix = panel.class_tab.matrix_view.matrix
    assert matrix.counts.tolist() == [[3, 0, 0], [0, 3, 0], [0, 0, 2]]


def test_a_cell_selects_its_crowns_and_leaves_the_results_valid(page, run, project):
    run(page)
    panel = page.results
    found = [scores.name for scores in panel.results.layers].index("found")
    panel.layer_box.setCurrentIndex(found)
    panel.tabs.setCurrentWidget(panel.class_tab)
    panel.class_tab.cell_chosen.emit(CellCrowns("oak", "ash", ClassResult.WRONG))
    trees = project.mapLayersByName("trees")[0]
    assert sorted(trees.selectedFeatureIds()) == [2, 5]
    assert panel.tabs.currentWidget() is panel.class_tab
    panel.class_tab.next_button.click()
    assert "2 of 2" in panel.class_tab.cell_label.text()
    assert len(page.map_link.highlight.bands) > 0
    panel.class_tab.cell_chosen.emit(CellCrowns("", "pine", ClassResult.NO_REFERENCE))
    assert project.mapLayersByName("found")[0].selectedFeatureIds() == [8]
    assert not panel.is_stale


def test_strata_of_areas_are_shown(page, run):
    page.form.set_value(CLASSES.summarise_by, "area")
    page.form.set_value(CLASSES.breaks, "10")
    run(page)
    assert errors(page) == []
    frame = page.results.strata_tab.table.model.frame
    assert frame["stratum"].tolist() == ["< 10", ">= 10"]
    assert page.results.strata_tab.score_box.count() == 3


def test_crowns_matched_within_classes_are_not_scored_while_drawing(page, run):
    page.form.set_value(CLASSES.within, True)
    run(page)
    assert errors(page) == []
    matrix = page.results.class_tab.matrix_view.matrix
    assert all(
        matrix.result_at(row, column) is not ClassResult.WRONG or matrix.counts[row, column] == 0
        for row in range(len(matrix.rows))
        for column in range(len(matrix.columns))
    )


def test_groups_without_a_class_field_are_refused_and_can_be_removed(page, run):
    page.form.set_value(CLASSES.class_field, "")
    assert not page.form.field(CLASSES.groups).isEnabled()
    page.form.set_value(CLASSES.groups, "tree=oak+ash")
    assert page.form.field(CLASSES.groups).isEnabled()
    page.start()
    assert page.run is None
    assert shows(" ".join(errors(page)) or page.run_problem(), "classes.option_without_field")
    page.form.set_value(CLASSES.groups, "")
    run(page)
    assert errors(page) == []
