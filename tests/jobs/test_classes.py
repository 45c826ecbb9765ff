"""Classes and strata of jobs."""

from __future__ import annotations

import geopandas
import pytest
import shapely
from support.errors import raises

import randcrowns as rc
from randcrowns.core.classes.summarise import MAX_STRATA


@pytest.mark.parametrize("job", [rc.score, rc.evaluate])
def test_a_field_with_a_value_per_crown_is_refused_before_the_scoring(job, monkeypatch) -> None:
    def score(*_, **__):
        raise AssertionError("the crowns were scored")

    monkeypatch.setattr("randcrowns.jobs.scoring.score_layers", score)
    monkeypatch.setattr("randcrowns.jobs.evaluation.evaluate_crowns", score)
    n = MAX_STRATA + 1
    boxes = [shapely.box(9 * number, 0, 9 * number + 4, 4) for number in range(n)]
    names = [f"tree {number}" for number in range(n)]
    trees = geopandas.GeoDataFrame({"name": names}, geometry=boxes, crs="EPSG:32617")
    with raises("strata.too_many", name="name", count=n, maximum=MAX_STRATA):
        job(trees, trees.iloc[:3], summarise_by="attribute", strata_field="name")


def test_a_score_field_that_the_predictions_lack_is_refused() -> None:
    trees = [shapely.box(0, 0, 4, 4), shapely.box(9, 0, 13, 4)]
    with raises("predictions.no_field", field="confidence"):
        rc.evaluate(trees, trees[:1], score_field="confidence")
