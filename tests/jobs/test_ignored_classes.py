"""Areas to ignore with a class count for crowns of that class only, as in COCO."""

from __future__ import annotations

import geopandas
import pytest
from support.crowds import boxes, class_precision, crowd_scene

import randcrowns as rc


def _layers(seed):
    """Return a scene, and its targets, predictions and areas as layers."""
    scene = crowd_scene(seed)
    columns = (
        ({"species": scene.tree_class}, scene.trees),
        ({"species": scene.found_class, "score": scene.score}, scene.found),
        ({"species": scene.crowd_class}, scene.crowds),
    )
    layers = [
        geopandas.GeoDataFrame(own, geometry=boxes(rows), crs="EPSG:32617") for own, rows in columns
    ]
    return scene, layers


@pytest.mark.parametrize("seed", range(4))
def test_evaluations_and_rankings_equal_pycocotools(seed):
    scene, (trees, found, crowds) = _layers(seed)
    expected = class_precision(scene)
    done = rc.evaluate(trees, found, ignored=crowds, class_field="species")
    by_class = done.tables["class_metrics"].set_index("class")["ap"].to_dict()
    assert by_class == pytest.approx(expected, abs=1e-12)
    without = rc.evaluate(trees, found, class_field="species")
    assert by_class["oak"] > without.tables["class_metrics"].set_index("class")["ap"]["oak"] + 0.02

    ranked = rc.rank_detectors(
        {"found": found},
        {"ann": trees},
        ignored=crowds,
        class_field="species",
        counted_units="crowns",
        bootstrap_samples=0,
        extent=(-9, -9, 140, 140),
    )
    rows = ranked.tables["class_precision"].query("kind == 'class'").set_index("class")
    assert rows["ap"].to_dict() == pytest.approx(expected, abs=1e-12)


def test_the_status_follows_the_rule_of_the_average_precision():
    scene, (trees, found, crowds) = _layers(5)
    done = rc.evaluate(trees, found, ignored=crowds, class_field="species")
    status = done.tables["predictions"]["status"]
    is_matched = done.tables["predictions"]["match_id"].notna()
    expected = scene.uncertain & ~is_matched
    assert (status == "uncertain").tolist() == expected.tolist()
    assert 3 < expected.sum() < (~is_matched).sum() - 3
    # Without a class field, or with areas without a class, an area counts for all crowns.
    plain = rc.evaluate(trees, found, ignored=crowds)
    classless = rc.evaluate(
        trees, found, ignored=crowds.drop(columns="species"), class_field="species"
    )
    counts = [ran.summary["uncertain"].iloc[0] for ran in (plain, classless)]
    assert counts[0] == counts[1] > expected.sum()
    assert not [m for m in classless.messages if m.key == "input.no_class_field"]


def test_areas_without_a_class_are_no_crowns_without_one():
    _, (trees, found, crowds) = _layers(6)
    crowds["species"] = ["oak", None]
    done = rc.evaluate(trees, found, ignored=crowds, class_field="species")
    assert not [m for m in done.messages if m.key == "classes.missing"]
    groups = {"class_groups": "tree=oak+ash"}
    grouped = rc.evaluate(trees, found, ignored=crowds, class_field="species", **groups)
    one_class = rc.evaluate(trees, found, ignored=crowds)
    assert grouped.summary["uncertain"].iloc[0] == one_class.summary["uncertain"].iloc[0]
