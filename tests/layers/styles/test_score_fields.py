from __future__ import annotations

import pytest
from qgis.core import QgsExpression, QgsVectorLayerSimpleLabeling
from support.layers import crowns_at, layer_of

from randcrowns.core.review.problems import Problem
from randcrowns.layers.styles.score_fields import first_prefix, select_prefix
from randcrowns.layers.styles.styles import add_problem_style, style_scored_targets

ENDINGS = ("rc:double", "status:string", "rc_problem:string")
#: Scores of the delineation layers "a" and "a b" of two targets.
ROWS = [[0.95, "scored", "none", 0.1, "scored", "split"]] * 2


@pytest.fixture
def scored(qgis_app):
    fields = "".join(f"&field={prefix}_{end}" for prefix in ("a", "a b") for end in ENDINGS)
    places = [(0, 0), (20, 0)]
    return layer_of("scored", crowns_at(places), kind="Polygon", fields=fields, rows=ROWS)


def used_fields(layer) -> tuple[set[str], set[str]]:
    """Return the fields that the classes and the labels of a layer read."""
    expressions = (layer.renderer().classAttribute(), layer.labeling().settings().fieldName)
    classes, labels = (QgsExpression(text).referencedColumns() for text in expressions)
    return set(classes), set(labels)


def test_classes_and_labels_read_the_fields_of_one_layer_only(scored):
    style_scored_targets(scored, "a")
    assert used_fields(scored) == ({"a_rc", "a_status"}, {"a_rc"})
    select_prefix(scored, "a b")
    assert used_fields(scored) == ({"a b_rc", "a b_status"}, {"a b_rc"})
    select_prefix(scored, "a")
    assert used_fields(scored) == ({"a_rc", "a_status"}, {"a_rc"})


def test_without_a_prefix_the_first_layer_is_read(scored):
    assert first_prefix(scored) == "a"
    style_scored_targets(scored)
    assert used_fields(scored) == ({"a_rc", "a_status"}, {"a_rc"})


def test_all_styles_of_the_layer_follow_the_selection(scored):
    style_scored_targets(scored, "a")
    labels = {problem: problem.value for problem in Problem}
    add_problem_style(scored, "Problem", "Score", labels)
    select_prefix(scored, "a b")
    assert scored.styleManager().currentStyle() == "Score"
    assert used_fields(scored)[0] == {"a b_rc", "a b_status"}
    scored.styleManager().setCurrentStyle("Problem")
    assert scored.renderer().classAttribute() == '"a b_rc_problem"'
    select_prefix(scored, "a")
    scored.styleManager().setCurrentStyle("Score")
    assert used_fields(scored)[0] == {"a_rc", "a_status"}


def test_edits_of_the_style_by_the_user_remain(scored):
    style_scored_targets(scored, "a")
    renderer = scored.renderer().clone()
    renderer.updateCategoryLabel(0, "my best crowns")
    scored.setRenderer(renderer)
    settings = scored.labeling().settings()
    settings.fieldName = "'my label'"
    scored.setLabeling(QgsVectorLayerSimpleLabeling(settings))
    select_prefix(scored, "a b")
    assert scored.renderer().categories()[0].label() == "my best crowns"
    assert scored.labeling().settings().fieldName == "'my label'"
