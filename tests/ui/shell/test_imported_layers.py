"""The page that an import leads to, by the roles of the imported layers."""

from __future__ import annotations

import shapely
from support.layers import TARGET_BOXES, box_layer, layer_of

from randcrowns.algorithms.agreement.schema.parameters import ANNOTATORS
from randcrowns.algorithms.common_parameters import TARGETS
from randcrowns.algorithms.scoring.schema.parameters import DELINEATIONS
from randcrowns.layers.vector.guesses import LayerRole, guess_roles, set_imported_role
from randcrowns.ui.shell.imported_layers import next_page


def imported(project, name, role):
    layer = box_layer(name, TARGET_BOXES)
    set_imported_role(layer, role)
    return project.addMapLayer(layer)


def test_targets_and_others_are_scored(project):
    found = imported(project, "a", LayerRole.DETECTOR)
    field = imported(project, "b", LayerRole.TARGETS)
    page = next_page([found, field])
    assert page.key == "score"
    assert page.values == {TARGETS.key: field.id(), DELINEATIONS.key: [found.id()]}


def test_others_are_scored_against_the_targets_of_the_project(project):
    field = project.addMapLayer(box_layer("ground truth", TARGET_BOXES))
    found = imported(project, "a", LayerRole.DETECTOR)
    assert next_page([found]).values[TARGETS.key] == field.id()


def test_targets_alone_are_compared_with_what_the_project_has(project):
    drawn = project.addMapLayer(box_layer("drawn", TARGET_BOXES))
    field = imported(project, "field", LayerRole.TARGETS)
    assert next_page([field]).values == {TARGETS.key: field.id(), DELINEATIONS.key: [drawn.id()]}


def test_annotators_without_targets_are_compared_with_each_other(project):
    people = [imported(project, name, LayerRole.ANNOTATOR) for name in "ab"]
    page = next_page(people)
    assert page.key == "annotators"
    assert page.values == {ANNOTATORS.key: [layer.id() for layer in people]}


def test_a_layer_alone_leads_nowhere(project):
    assert next_page([imported(project, "a", LayerRole.TARGETS)]) is None
    project.clear()
    assert next_page([imported(project, "a", LayerRole.ANNOTATOR)]) is None


def test_areas_to_ignore_are_not_compared_with_the_targets(project):
    imported(project, "areas", LayerRole.IGNORED)
    field = imported(project, "field", LayerRole.TARGETS)
    assert next_page([field]) is None
    found = imported(project, "found", LayerRole.DETECTOR)
    page = next_page([field])
    assert page.values[DELINEATIONS.key] == [found.id()]
    assert guess_roles() == (field.id(), found.id())


def in_pixels(project, name, role):
    """A layer without a CRS whose crowns lie on an image as QGIS shows it."""
    layer = layer_of(name, [shapely.box(4, -20, 12, -10)], "")
    set_imported_role(layer, role)
    return project.addMapLayer(layer)


def test_crowns_in_pixels_are_evaluated_instead_of_scored(project):
    field = in_pixels(project, "field", LayerRole.TARGETS)
    found = in_pixels(project, "found", LayerRole.DETECTOR)
    page = next_page([found, field])
    assert (page.key, page.button_text) == ("instances", "Evaluate these")
    assert page.values == {"targets": field.id(), "predictions": found.id()}


def test_two_annotators_in_pixels_are_evaluated_against_each_other(project):
    first, second = [in_pixels(project, name, LayerRole.ANNOTATOR) for name in "ab"]
    page = next_page([first, second])
    assert page.key == "instances"
    assert list(page.values.values()) == [first.id(), second.id()]
