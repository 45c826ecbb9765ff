"""Average precision, thresholds side by side and point recall of randcrowns:evaluateinstances."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProject
from support.crowds import boxes, class_precision, crowd_scene
from support.layers import EAST, NORTH, layer_of, points_at
from support.shown import shows

from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.average_precision import COCO_METRICS, coco_metrics, ignored_shares
from randcrowns.core.instances.overlap import polygon_overlap

OUTPUTS = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY", "THRESHOLDS")


def scene(seed, n):
    rng = np.random.default_rng(seed)
    corner, size = rng.uniform(0, 60, (n, 2)), rng.uniform(3, 8, (n, 2))
    found = corner + rng.normal(0, 0.6, (n, 2))
    return (
        shapely.box(*corner.T, *(corner + size).T),
        shapely.box(*found.T, *(found + size).T),
        rng.uniform(size=n),
    )


def moved(shapes):
    return [
        shape.wkt for shape in shapely.transform(shapes, lambda xy: xy + np.array([EAST, NORTH]))
    ]


@pytest.fixture
def sides(qgis_new_project):
    targets, found, scores = scene(4, 40)
    plots = np.where(shapely.bounds(targets)[:, 0] < 30, "east", "west")
    rows = [[str(plot)] for plot in plots]
    one = layer_of("trees", moved(targets), fields="&field=plot:string", rows=rows)
    both = [[str(plot), float(score)] for plot, score in zip(plots, scores)]
    other = layer_of(
        "found", moved(found), fields="&field=plot:string&field=confidence:double", rows=both
    )
    return one, other, (targets, found, scores, plots)


@pytest.fixture
def evaluate(run, sides):
    def evaluate_layers(**given):
        return run(
            "evaluateinstances",
            {"TARGETS": sides[0], "PREDICTIONS": sides[1], **given},
            outputs=OUTPUTS,
        )

    return evaluate_layers


def test_average_precision_of_all_and_of_each_plot_is_that_of_core(evaluate, sides):
    targets, found, scores, plots = sides[2]
    done = evaluate(PLOT_FIELD="plot")
    assert done.ok, done.error
    summary = done.table("SUMMARY").set_index("plot")
    codes = (plots == "west").astype(int)
    table = polygon_overlap(Crowns(targets, plots=plots), Crowns(found, plots=plots))
    expected = coco_metrics(table, scores, plots=(codes, codes))
    assert 0 < expected.ap < 1
    for name in COCO_METRICS:
        assert summary.loc["all", name] == pytest.approx(getattr(expected, name), abs=1e-12)
        assert done.results[name.upper()] == pytest.approx(getattr(expected, name), abs=1e-12)
    for plot in ("east", "west"):
        alone = [Crowns(side[plots == plot]) for side in (targets, found)]
        own = coco_metrics(polygon_overlap(*alone), scores[plots == plot])
        assert summary.loc[plot, "ap"] == pytest.approx(own.ap, abs=1e-12)
    assert "confidence" in done.said("ap.score")


def test_thresholds_stand_side_by_side(evaluate):
    rows = evaluate().table("THRESHOLDS")
    assert rows["iou"].tolist() == pytest.approx(np.arange(0.1, 0.96, 0.05))
    half = evaluate(DETECTION_METHOD=3).table("SUMMARY").iloc[0]
    at_half = rows[np.isclose(rows["iou"], 0.5)].iloc[0]
    assert (at_half["tp"], at_half["fp"], at_half["fn"]) == (half["tp"], half["fp"], half["fn"])
    assert (rows["recall"].diff().dropna() <= 0).all()


def test_without_scores_or_where_not_all_was_drawn_there_is_no_average_precision(
    evaluate, run, sides
):
    none = run("evaluateinstances", {"TARGETS": sides[1], "PREDICTIONS": sides[0]}, outputs=OUTPUTS)
    assert none.ok, none.error
    assert np.isnan(none.results["AP"])
    assert shows(none.said("ap.no_score"), "ap.no_score")
    assert none.table("THRESHOLDS")["recall"].notna().all()
    partly = evaluate(ALL_DRAWN=False)
    assert np.isnan(partly.results["AP"])
    assert partly.results["AR_100"] > 0
    assert partly.table("THRESHOLDS")[["precision", "ap"]].isna().all(axis=None)


def test_predictions_beyond_the_hundredth_are_said(run, qgis_new_project):
    targets, found, scores = scene(5, 130)
    one = layer_of("trees", moved(targets))
    other = layer_of(
        "found", moved(found), fields="&field=score:double", rows=[[float(one)] for one in scores]
    )
    done = run("evaluateinstances", {"TARGETS": one, "PREDICTIONS": other}, outputs=OUTPUTS)
    assert shows(done.said("ap.beyond"), "ap.beyond", count=30)


def test_predictions_on_areas_to_ignore_are_neither_right_nor_wrong(evaluate, sides):
    targets, found, scores, _ = sides[2]
    areas = shapely.box([0, 30], [0, 30], [20, 62], [20, 62])
    ignored = layer_of("crowds", moved(areas))
    far = targets[~shapely.intersects(targets, shapely.union_all(areas))]
    trees = layer_of("some trees", moved(far))
    done = evaluate(TARGETS=trees, IGNORED=ignored)
    assert done.ok, done.error
    sides = Crowns(far), Crowns(found)
    share = ignored_shares(Crowns(areas), sides[1])
    table = polygon_overlap(*sides)
    assert done.results["AP"] == pytest.approx(
        coco_metrics(table, scores, ignored_share=share).ap, abs=1e-12
    )
    assert done.results["AP"] > evaluate(TARGETS=trees).results["AP"] + 0.05
    row = done.table("SUMMARY").iloc[0]
    assert row["uncertain"] == int((share >= 0.5).sum()) > 3
    assert row["fp"] + row["uncertain"] == evaluate(TARGETS=trees).table("SUMMARY")["fp"].iloc[0]
    half = done.table("THRESHOLDS").set_index("iou").loc[0.5]
    assert half["fp"] == row["fp"]
    assert f"{row['uncertain']} predictions lie on areas to ignore" in done.said(
        "instances.on_ignored"
    )


def test_point_recall_is_the_share_of_stems_in_a_prediction(evaluate, sides):
    found = sides[2][1]
    middle = shapely.get_coordinates(shapely.centroid(found[:3]))
    places = [*(middle + np.array([EAST, NORTH])), (EAST + 500, NORTH)]
    crs = sides[0].crs().authid()
    done = evaluate(POINTS=points_at(places, crs))
    assert done.ok, done.error
    assert done.results["POINT_RECALL"] == 0.75
    assert shows(done.said("points.inside"), "points.inside", inside=3, count=4, layer="stems")
    assert done.table("SUMMARY")["point_recall"].tolist()[0] == 0.75
    assert np.isnan(evaluate().results["POINT_RECALL"])


@pytest.mark.parametrize(("selected_only", "limit", "expected"), [(False, 3, 1.0), (True, -1, 0.5)])
def test_point_recall_is_of_the_stems_that_the_toolbox_was_told_to_take(
    evaluate, sides, selected_only, limit, expected
):
    middle = shapely.get_coordinates(shapely.centroid(sides[2][1][:3]))
    stems = points_at(
        [*(middle + np.array([EAST, NORTH])), (EAST + 500, NORTH)], sides[0].crs().authid()
    )
    stems.selectByIds([1, 4])
    QgsProject.instance().addMapLayer(stems)
    done = evaluate(POINTS=QgsProcessingFeatureSourceDefinition(stems.id(), selected_only, limit))
    assert done.ok, done.refused or done.error
    assert done.results["POINT_RECALL"] == expected


@pytest.mark.parametrize("step", [1, -1])
def test_equal_scores_have_one_average_precision_in_each_order(run, qgis_new_project, step):
    # Of two predictions with one score, the western one is a miss: AP50 is 1/2, not 1.
    boxes = moved(shapely.box([0, 20], 0, [4, 24], 4))
    found = layer_of("found", boxes[::step], fields="&field=score:double", rows=[[0.5], [0.5]])
    given = {"TARGETS": layer_of("trees", boxes[1:]), "PREDICTIONS": found, "SCORE_FIELD": "score"}
    done = run("evaluateinstances", given, outputs=OUTPUTS)
    assert done.ok, done.error
    assert done.results["AP50"] == pytest.approx(0.5, abs=1e-12)
    assert shows(done.said("ap.tied"), "ap.tied", count=2)


@pytest.mark.parametrize("names_areas", [True, False])
def test_areas_to_ignore_of_a_class_count_for_crowns_of_that_class(
    run, qgis_new_project, names_areas
):
    scene = crowd_scene(5)

    def layer(name, rows, classes, scores=None):
        fields, values = "&field=species:string", [[str(one)] for one in classes]
        if scores is not None:
            fields += "&field=score:double"
            values = [[*row, float(score)] for row, score in zip(values, scores)]
        return layer_of(name, moved(boxes(rows)), fields=fields, rows=values)

    crowds = layer("crowds", scene.crowds, scene.crowd_class)
    given = {
        "TARGETS": layer("trees", scene.trees, scene.tree_class),
        "PREDICTIONS": layer("found", scene.found, scene.found_class, scene.score),
        "IGNORED": crowds if names_areas else layer_of("crowds", moved(boxes(scene.crowds))),
        "CLASS_FIELD": "species",
    }
    done = run("evaluateinstances", given, outputs=("CLASS_METRICS", "MATCHED_PREDICTIONS"))
    assert done.ok, done.error
    by_class = done.table("CLASS_METRICS").set_index("class")["ap"].to_dict()
    statuses = done.table("MATCHED_PREDICTIONS")["status"].tolist()
    if names_areas:
        assert by_class == pytest.approx(class_precision(scene), abs=1e-12)
        is_unmatched = np.array(statuses) != "true_positive"
        assert statuses.count("uncertain") == (scene.uncertain & is_unmatched).sum() > 3
    else:
        assert by_class["oak"] > class_precision(scene)["oak"]
        assert not done.said("input.no_class_field")
