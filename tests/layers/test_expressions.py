"""The functions in real expressions, against core and by hand."""

from __future__ import annotations

import math

import pytest
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextScope,
    QgsExpressionContextUtils,
    QgsGeometry,
    QgsProject,
    QgsRectangle,
)
from support.layers import box_layer

from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs
from randcrowns.layers import expressions
from randcrowns.layers.expressions import GROUP, register_functions, withdraw_functions

TARGET, DRAWN = (
    "geom_from_wkt('POLYGON((0 0,10 0,10 10,0 10,0 0))')",
    "geom_from_wkt('POLYGON((0 0,10 0,10 7,0 7,0 0))')",
)


@pytest.fixture
def functions(qgis_app):
    assert register_functions() == []
    yield [one for one in QgsExpression.Functions() if one.group() == GROUP]
    withdraw_functions()
    QgsProject.instance().clear()


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
    assert value(f"rc_score({TARGET}, {DRAWN}, 0.6, 3, 3)") == pytest.approx(
        expected["randcrowns"], abs=1e-12
    )
    assert value(f"rc_iou_crowns({TARGET}, {DRAWN}, 0.6, 3, 3)") == pytest.approx(
        expected["iou_crowns"], abs=1e-12
    )
    assert value(f"rc_iou({TARGET}, {DRAWN})") == pytest.approx(0.7)
    assert value(f"rc_score({TARGET}, {DRAWN})") == value(
        f"rc_score({TARGET}, {DRAWN}, 0.7, 1.2, 3)"
    )


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
    assert value(f"rc_problem(NULL, {DRAWN})") is None
    assert value(f"rc_problem({TARGET}, {DRAWN}, NULL)") is None


def test_a_target_without_a_delineation_is_missing(functions):
    assert value(f"rc_problem({TARGET}, NULL)") == "missing"
    assert value(f"rc_problem({TARGET}, geometry(get_feature('no layer', 'id', 1)))") == "missing"


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


def system(crs: str) -> QgsCoordinateReferenceSystem:
    return (
        QgsCoordinateReferenceSystem.fromProj(crs)
        if crs[0] == "+"
        else QgsCoordinateReferenceSystem(crs)
    )


def in_layer(crs: str) -> QgsExpressionContext:
    """Of a layer in that system."""
    layer = box_layer("boxes", [(0, 0, 10, 10)], "EPSG:4326")
    layer.setCrs(system(crs))
    QgsProject.instance().addMapLayer(layer)
    return QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))


@pytest.mark.parametrize(
    ("crs", "x", "y", "metres"),
    [
        ("EPSG:32617", 500_000, 3_000_000, 1.0),
        ("EPSG:2236", 700_000, 1_000_000, 1200 / 3937),
        ("EPSG:2222", 700_000, 1_000_000, 0.3048),
        (
            "+proj=tmerc +lat_0=24.3 +lon_0=-81 +k=0.9999 +x_0=2e5 +datum=NAD83 +units=us-ft",
            7e5,
            1e6,
            1200 / 3937,
        ),
        (
            "+proj=tmerc +lat_0=24.3 +lon_0=-81 +k=0.9999 +x_0=2e5 +datum=NAD83 +units=link",
            1e6,
            2e6,
            0.201168,
        ),
    ],
)
def test_lengths_are_metres_whatever_the_units_of_the_map(functions, crs, x, y, metres):
    """A box of 10 x 10 m; 1 m inside its outline lies what is surely crown, 8 x 8 m."""
    side = 10 / metres
    shape = (
        f"geom_from_wkt('{QgsGeometry.fromRect(QgsRectangle(x, y, x + side, y + side)).asWkt(9)}')"
    )
    drawn = f"geom_from_wkt('{QgsGeometry.fromRect(QgsRectangle(x, y, x + side, y + 0.7 * side)).asWkt(9)}')"
    context = in_layer(crs)
    assert value(f"area(rc_region({shape}, 'a', 1, 2, 3))", context) == pytest.approx(
        64 / metres**2, rel=1e-6
    )
    expected = value(f"rc_score({TARGET}, {DRAWN}, 0.6, 3, 3)")
    assert value(f"rc_score({shape}, {drawn}, 0.6, 3, 3)", context) == pytest.approx(
        expected, abs=1e-6
    )


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:3857"])
def test_degrees_and_stretched_metres_are_computed_on_the_ground(functions, crs):
    """The same boxes at 46 degrees north, where a metre of EPSG:3857 is 0.69 m."""
    utm = QgsCoordinateReferenceSystem("EPSG:32633")
    move = QgsCoordinateTransform(utm, QgsCoordinateReferenceSystem(crs), QgsProject.instance())
    texts = []
    for height in (10, 7):
        shape = QgsGeometry.fromRect(QgsRectangle(500_000, 5_100_000, 500_010, 5_100_000 + height))
        shape.transform(move)
        texts.append(f"geom_from_wkt('{shape.asWkt(12)}')")
    context, expected = in_layer(crs), value(f"rc_score({TARGET}, {DRAWN}, 0.6, 3, 3)")
    assert value(f"rc_score({', '.join(texts)}, 0.6, 3, 3)", context) == pytest.approx(
        expected, abs=1e-3
    )
    region = value(f"rc_region({texts[0]}, 'a', 1, 2, 3)", context)
    region.transform(
        QgsCoordinateTransform(QgsCoordinateReferenceSystem(crs), utm, QgsProject.instance())
    )
    assert region.area() == pytest.approx(64, rel=1e-2)


def test_invalid_curved_and_multipart_outlines_are_ordinary(functions):
    bow = "geom_from_wkt('POLYGON((0 0,10 10,10 0,0 10,0 0))')"
    assert value(f"rc_iou({TARGET}, {bow})") == pytest.approx(0.5)
    circle = "geom_from_wkt('CURVEPOLYGON(CIRCULARSTRING(0 5,5 10,10 5,5 0,0 5))')"
    assert value(f"rc_iou({TARGET}, {circle})") == pytest.approx(math.pi / 4, abs=1e-3)
    assert value(
        f"rc_iou({TARGET}, collect_geometries({DRAWN}, translate({DRAWN}, 50, 0)))"
    ) == pytest.approx(70 / 170)


def test_parts_that_overlap_are_one_crown(functions):
    parts = "geom_from_wkt('MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((2 1,6 1,6 5,2 5,2 1)))')"
    union = "geom_from_wkt('POLYGON((0 0,4 0,4 1,6 1,6 5,2 5,2 4,0 4,0 0))')"
    assert value(f"rc_iou({parts}, {union})") == pytest.approx(1.0, abs=1e-9)


def test_help_has_an_example_that_parses_and_a_group(functions):
    for function in functions:
        assert function.group() == GROUP
        assert f"<code>{function.name()}(" in function.helpText()


def test_after_unloading_they_are_errors_and_after_reloading_they_compute_again(functions):
    before = [one.name() for one in QgsExpression.Functions()]
    parsed = QgsExpression(f"rc_iou({TARGET}, {DRAWN})")
    assert parsed.evaluate(QgsExpressionContext()) == pytest.approx(0.7)
    withdraw_functions()
    assert parsed.evaluate(QgsExpressionContext()) is None
    assert parsed.evalErrorString() == "rc_iou: The plugin RandCrowns is not loaded."
    register_functions()
    assert parsed.evaluate(QgsExpressionContext()) == pytest.approx(0.7)
    assert not parsed.hasEvalError()
    assert [one.name() for one in QgsExpression.Functions()] == before


def scope_of(**variables) -> QgsExpressionContext:
    scope = QgsExpressionContextScope()
    for name, value in variables.items():
        scope.setVariable(name, value)
    context = QgsExpressionContext()
    context.appendScope(scope)
    return context


REGION = f"area(rc_region({TARGET}, 'a', 1, 2, 3))"


@pytest.mark.parametrize(
    "variables",
    [
        {"layer_id": "of_no_layer_here"},
        {"layer_id": "of_no_layer_here", "layer_crs": ""},
        {"layer_id": "of_no_layer_here", "layer_crs": "EPSG:999999"},
        {"layer_crs": "USER:999999"},
    ],
)
def test_a_layer_of_which_no_crs_is_known_is_an_error(functions, variables):
    assert error(REGION, scope_of(**variables)) == (
        "rc_region: The coordinate system of the layer is not known. Add the layer to the project."
    )


def test_a_layer_in_feet_that_is_not_in_the_project_is_computed_in_metres(functions):
    """A foot of 0.3048 m, in a system that has no code: 1 m inside of 100 x 100 feet."""
    feet = "+proj=tmerc +lat_0=24.3 +lon_0=-81 +k=1 +x_0=2e5 +datum=NAD83 +units=ft"
    layer = box_layer("boxes", [(0, 0, 10, 10)], "EPSG:4326")
    layer.setCrs(system(feet))
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    box = "geom_from_wkt('POLYGON((7e5 1e6,700100 1e6,700100 1000100,7e5 1000100,7e5 1e6))')"
    expected = (100 - 2 / 0.3048) ** 2
    found = value(f"area(rc_region({box}, 'a', 1, 2, 3))", context)
    assert found == pytest.approx(expected, rel=1e-6)
    # The same, where only the code is known, or only a layer of the project.
    code = scope_of(layer_id="of_no_layer_here", layer_crs="EPSG:2222")
    assert value(f"area(rc_region({box}, 'a', 1, 2, 3))", code) == pytest.approx(expected, rel=1e-6)
    QgsProject.instance().addMapLayer(layer)
    in_project = scope_of(layer_id=layer.id())
    assert value(f"area(rc_region({box}, 'a', 1, 2, 3))", in_project) == pytest.approx(
        expected, rel=1e-6
    )


def test_broken_libraries_are_one_sentence_for_all_rows(functions, monkeypatch):
    checks = []
    monkeypatch.setattr(
        expressions, "libraries_message", lambda: checks.append(1) or "shapely is not here."
    )
    expressions._describe_missing_libraries.cache_clear()
    monkeypatch.setattr(expressions.time, "monotonic", lambda: 5.0)
    for _ in range(50):
        assert error(f"rc_iou({TARGET}, {DRAWN})") == "rc_iou: shapely is not here."
    assert len(checks) == 1
    # They may be installed while QGIS runs.
    monkeypatch.setattr(expressions, "libraries_message", lambda: "")
    monkeypatch.setattr(expressions.time, "monotonic", lambda: 25.0)
    assert value(f"rc_iou({TARGET}, {DRAWN})") == pytest.approx(0.7)


def test_an_unexpected_error_is_an_error_of_the_expression(functions, monkeypatch):
    def fail(*_):
        raise OSError("the library is gone")

    monkeypatch.setattr(expressions, "_read_polygon", fail)
    assert error(f"rc_iou({TARGET}, {DRAWN})") == "rc_iou: the library is gone"


def test_classes_are_compared_as_texts(functions):
    assert value("rc_class_confusion(' oak', 'oak ')") == "right"
    assert value("rc_class_confusion(3, '3')") == "right"
    assert value("rc_class_confusion('oak', 'ash')") == "oak → ash"
    assert value("rc_class_confusion('oak', NULL)") == "no class"
    assert value("rc_class_confusion('', 'ash')") == "no class"
    assert "1.5" in error("rc_class_confusion(1.5, 'ash')")
