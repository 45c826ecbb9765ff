"""Layers of different roles look different: targets are red, other crowns have own colours."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject, QgsReadWriteContext
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtXml import QDomDocument
from support.layers import TARGET_BOXES, box_layer

from randcrowns.layers.styles import OUTLINE_COLOURS, TARGET_COLOUR
from randcrowns.layers.styles.casing import is_casing
from randcrowns.layers.styles.roles import (
    free_colour,
    has_role_style,
    layer_colour,
    restore_own_style,
    show_role_style,
    style_imported_crowns,
    style_outlines,
)
from randcrowns.report.colours import SCORE_COLOURS

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
    assert layer_colour(predictions) == OUTLINE_COLOURS[0]


def test_predictions_have_no_colour_of_scored_targets(project):
    predictions = QColor(layer_colour(imported(project, "predictions", scores=True)))
    for colour in map(QColor, SCORE_COLOURS):
        assert abs(predictions.blue() - colour.blue()) > 100


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
    assert free_colour(OUTLINE_COLOURS[:2]) == OUTLINE_COLOURS[2]
    assert free_colour(OUTLINE_COLOURS) == OUTLINE_COLOURS[0]


def renderer_xml(layer):
    """The symbols of a layer, as QGIS stores them."""
    document = QDomDocument()
    context = QgsReadWriteContext()
    document.appendChild(layer.renderer().save(document, context))
    return document.toString()


@pytest.mark.parametrize("colour", [TARGET_COLOUR, OUTLINE_COLOURS[1]])
def test_outlines_of_a_role_have_a_casing_and_leave_no_trace(project, colour):
    layer = box_layer("own", TARGET_BOXES)
    project.addMapLayer(layer)
    styles, symbols = layer.styleManager().styles(), renderer_xml(layer)
    show_role_style(layer, colour)
    assert has_role_style(layer)
    assert layer_colour(layer) == colour
    symbol = layer.renderer().symbol()
    assert is_casing(symbol.symbolLayer(0))
    assert symbol.symbolLayer(1).brushStyle() == Qt.BrushStyle.NoBrush
    show_role_style(layer, OUTLINE_COLOURS[3])  # it has got another role
    assert layer_colour(layer) == OUTLINE_COLOURS[3]
    restore_own_style(layer)
    assert (layer.styleManager().styles(), renderer_xml(layer)) == (styles, symbols)
    restore_own_style(layer)
    assert (layer.styleManager().styles(), renderer_xml(layer)) == (styles, symbols)


def test_a_style_that_the_user_removed_is_not_missed(project):
    layer = box_layer("own", TARGET_BOXES)
    project.addMapLayer(layer)
    manager = layer.styleManager()
    manager.addStyleFromLayer("mine")
    show_role_style(layer, TARGET_COLOUR)
    manager.removeStyle("default")
    restore_own_style(layer)
    assert (manager.styles(), manager.currentStyle()) == (["mine"], "mine")
