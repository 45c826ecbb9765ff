"""The functions in real expressions, against core and by hand."""

from __future__ import annotations

import math

import pytest
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsFeature,
)
from support.boxes import TARGET_BOXES, box_layer

from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs
from randcrowns.layers.expressions import GROUP, register, unregister

TARGET, DRAWN = (
    "geom_from_wkt('POLYGON((0 0,10 0,10 10,0 10,0 0))')",
    "geom_from_wkt('POLYGON((0 0,10 0,10 7,0 7,0 0))')",
)


@pytest.fixture
def functions(qgis_app):
    made = register()
    yield made
    unregister(made)


def value(text: str, context: QgsExpressionContext | None = None):
    expression = QgsExpression(text)
    assert not expression.hasParserError(), expression.parserErrorString()
    found = expression.evaluate(context or QgsExpressionContext())
    assert not expression.hasEvalError(), expression.evalErrorString()
    return found


def error(text: str, context: QgsExpressionContext | None = None) -> str:
    expression = QgsExpression(text)
    assert not expression.hasParserError(), expression.parserErrorString()
    assert expression.evaluate(context or QgsExpressionContext()) is None
    return expression.evalErrorString()


def test_scores_are_those_of_core(functions):
    expected = score_pairs(
        [shapely.box(0, 0, 10, 10)], [shapely.box(0, 0, 10, 7)], RandCrownsParameters(0.6, 3, 3)
    ).iloc[0]
    assert value(f"rc_score({TARGET}, {DRAWN}, 0.6, 3, 3)") == pytest.approx(expected["randcrowns"], abs=1e-12)
    assert value(f"rc_iou_crowns({TARGET}, {DRAWN}, 0.6, 3, 3)") == pytest.approx(expected["iou_crowns"], abs=1e-12)
    assert value(f"rc_iou({TARGET}, {DRAWN})") == pytest.approx(0.7)
    assert value(f"rc_score({TARGET}, {DRAWN})") == value(f"rc_score({TARGET}, {DRAWN}, 0.7, 1.2, 3)")


def test_regions_by_hand(functions):
    assert value(f"area(rc_region({TARGET}, 'a', 1, 2, 3))") == pytest.approx(64)
    assert value(f"area(rc_region({TARGET}, 'o', 1, 2, 3))") == pytest.approx(196)
    assert value(f"area(rc_region({TARGET}, 'b', 1, 2, 3))") == pytest.approx(192)
    assert value(f"area(rc_region({TARGET}, 'e', 1, 2, 3))") == pytest.approx(388)


def test_problems(functions):
    assert value(f"rc_problem({TARGET}, {DRAWN})") == "none"
    assert value(f"rc_problem({TARGET}, buffer({TARGET}, 5))") == "too large"
    assert value(f"rc_problem({TARGET}, translate({TARGET}, 3, 0))") == "shifted"
    assert value(f"rc_problem({TARGET}, translate({TARGET}, 30, 0))") == "missing"


def test_null_gives_null(functions):
    assert value(f"rc_score(NULL, {DRAWN})") is None
    assert value(f"rc_iou({TARGET}, NULL)") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"rc_score({TARGET}, 3)", "A polygon is needed"),
        (f"rc_score({TARGET}, make_point(1, 2))", "no polygon with an area"),
        (f"rc_region({TARGET}, 'x')", "no region 'x'"),
        (f"rc_score({TARGET}, {DRAWN}, -1, 1, 1)", "from 0 to"),
        (f"rc_score({TARGET}, {DRAWN}, 'wide')", "could not convert"),
    ],
)
def test_what_cannot_be_computed_is_an_error_of_the_expression(functions, text, said):
    assert said in error(text)


def test_degrees_are_refused(functions):
    layer = box_layer("degrees", TARGET_BOXES, "EPSG:4326")
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    assert "in degrees" in error(f"rc_score({TARGET}, {DRAWN})", context)
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:32617"))
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    context.setFeature(next(layer.getFeatures(), QgsFeature()))
    assert value("rc_iou($geometry, $geometry)", context) == 1.0


def test_invalid_curved_and_multipart_outlines_are_ordinary(functions):
    bow = "geom_from_wkt('POLYGON((0 0,10 10,10 0,0 10,0 0))')"
    assert value(f"rc_iou({TARGET}, {bow})") == pytest.approx(0.5)
    circle = "geom_from_wkt('CURVEPOLYGON(CIRCULARSTRING(0 5,5 10,10 5,5 0,0 5))')"
    assert value(f"rc_iou({TARGET}, {circle})") == pytest.approx(math.pi / 4, abs=1e-3)
    assert value(f"rc_iou({TARGET}, collect_geometries({DRAWN}, translate({DRAWN}, 50, 0)))") == pytest.approx(70 / 170)


def test_help_has_an_example_that_parses_and_a_group(functions):
    for function in functions:
        assert function.group() == GROUP
        assert f"<code>{function.name()}(" in function.helpText()


def test_they_are_gone_once_taken_back(qgis_app):
    made = register()
    unregister(made)
    assert not any(QgsExpression.isFunctionName(one.name()) for one in made)
