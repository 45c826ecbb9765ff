"""Layers of different roles look different: targets are red, other crowns have own colours."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject
from support.layers import TARGET_BOXES, box_layer

from randcrowns.layers.styles import SERIES_COLOURS, TARGET_COLOUR
from randcrowns.layers.styles.roles import (
    free_colour,
    layer_colour,
    style_imported_crowns,
    style_outlines,
)

SCORES = "&field=score:double"


@pytest.fixture
def project(qgis_new_project):
    yield QgsProject.instance()
    QgsProject.instance().clear()


def imported(project, name, scores=False):
    """A layer of imported crowns in the project."""
    rows = [(0.5,)] * len(TARGET_BOXES)
    given = {"fields": SCORES, "rows": rows} if scores else {}
    layer = box_layer(name, TARGET_BOXES, **given)
    project.addMapLayer(layer)
    style_imported_crowns(layer)
    return layer


def test_imported_truth_is_red_and_predictions_are_not(project):
    truth = imported(project, "truth")
    predictions = imported(project, "predictions", scores=True)
    assert layer_colour(truth) == TARGET_COLOUR
    assert layer_colour(predictions) == SERIES_COLOURS[0]


def test_predictions_that_come_first_are_not_red_either(project):
    assert layer_colour(imported(project, "predictions", scores=True)) != TARGET_COLOUR


def test_no_two_imported_layers_have_the_same_colour(project):
    layers = [imported(project, name) for name in ("truth", "ann", "bob", "cleo")]
    assert len({layer_colour(layer) for layer in layers}) == len(layers)


def test_an_outline_has_the_colour_that_it_was_given(project):
    layer = box_layer("crowns", TARGET_BOXES)
    style_outlines(layer, "#56b4e9")
    assert layer_colour(layer) == "#56b4e9"


def test_the_colours_of_a_series_repeat_once_all_are_used():
    assert free_colour(SERIES_COLOURS[:2]) == SERIES_COLOURS[2]
    assert free_colour(SERIES_COLOURS) == SERIES_COLOURS[0]
