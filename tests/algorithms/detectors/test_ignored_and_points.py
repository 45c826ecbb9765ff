"""Areas to ignore and point recall of randcrowns:rankdetectors."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.crowds import boxes, class_precision, crowd_scene
from support.layers import EAST, NORTH, layer_of, points_at
from support.shown import shows

from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.average_precision import COCO_METRICS, coco_metrics, ignored_shares
from randcrowns.core.instances.overlap import polygon_overlap

OUTPUTS = ("AUCR", "COCO", "THRESHOLDS")
CROWDS = shapely.box([0, 30], [0, 30], [20, 62], [20, 62])


def on_map(shapes):
    return list(shapely.transform(np.array(shapes), lambda xy: xy + np.array([EAST, NORTH])))


@pytest.fixture
def scene():
    rng = np.random.default_rng(6)
    corner, size = rng.uniform(0, 60, (50, 2)), rng.uniform(3, 8, (50, 2))
    trees = shapely.box(*corner.T, *(corner + size).T)
    found = {
        name: corner + rng.normal(0, noise, (50, 2))
        for name, noise in (("good", 0.15), ("poor", 0.4))
    }
    known = trees[~shapely.intersects(trees, shapely.union_all(CROWDS))]
    return (
        known,
        {name: shapely.box(*at.T, *(at + size).T) for name, at in found.items()},
        rng.uniform(size=50),
    )


@pytest.fixture
def rank(run, scene, qgis_new_project):
    known, found, scores = scene
    rows = [(float(score),) for score in scores]
    detectors = [
        layer_of(name, on_map(at), fields="&field=score:double", rows=rows)
        for name, at in found.items()
    ]
    trees = layer_of("ann", on_map(known))

    def ranked(**more):
        given = {"DETECTORS": detectors, "ANNOTATORS": [trees], "BOOTSTRAP_SAMPLES": 0, **more}
        done = run("rankdetectors", given, outputs=OUTPUTS)
        assert done.ok, done.error
        return done

    return ranked


def test_detections_on_areas_to_ignore_are_judged_as_coco_judges_them(rank, scene):
    known, found, scores = scene
    done, without = rank(IGNORED=layer_of("crowds", on_map(CROWDS))), rank()
    coco = done.table("COCO").set_index("detector")
    for name, shapes in found.items():
        predictions = Crowns(shapes)
        share = ignored_shares(Crowns(CROWDS), predictions)
        table = polygon_overlap(Crowns(known), predictions)
        expected = coco_metrics(table, scores, ignored_share=share)
        assert 0 < expected.ap < 1
        values = [getattr(expected, one) for one in COCO_METRICS]
        assert coco.loc[name, list(COCO_METRICS)].tolist() == pytest.approx(values, abs=1e-12)
        assert expected.ap > coco_metrics(table, scores).ap + 0.05
    crowns = [
        ran.table("AUCR").query("counted == 'crowns'").set_index("detector")
        for ran in (done, without)
    ]
    assert (crowns[0]["value"] > crowns[1]["value"] + 0.05).all()
    assert (crowns[0]["not_judged"] > 3).all()
    assert (crowns[1]["not_judged"] == 0).all()


@pytest.mark.parametrize("resolution", [0.0, 0.5])
def test_by_area_nothing_in_them_is_counted(rank, scene, resolution):
    known = shapely.union_all(scene[0])
    done = rank(IGNORED=layer_of("crowds", on_map(CROWDS)), COUNTED_UNITS=1, RESOLUTION=resolution)
    area = shapely.difference(shapely.box(*known.bounds), shapely.union_all(CROWDS))
    skew = done.table("AUCR").query("truth == 'ann'")["skew"].iloc[0]
    assert skew == pytest.approx(known.area / area.area, rel=0.02 if resolution else 1e-6)


def test_areas_that_leave_nothing_are_refused(run, rank, scene):
    everywhere = layer_of("everywhere", on_map([shapely.box(-9, -9, 99, 99)]))
    with pytest.raises(AssertionError, match="Nothing is left of the study area"):
        rank(IGNORED=everywhere, COUNTED_UNITS=1)


def test_point_recall_of_each_detector(rank, scene):
    found = scene[1]
    middle = shapely.get_coordinates(shapely.centroid(found["good"][:4])) + np.array([EAST, NORTH])
    stems = points_at([*middle, (EAST + 500, NORTH)])
    wide = layer_of("wide", on_map([shapely.box(-9, -9, 600, 90)]))
    coco = rank(POINTS=stems, EXTENT_LAYER=wide).table("COCO").set_index("detector")["point_recall"]
    assert coco["good"] == 0.8
    inside = shapely.intersects(
        shapely.union_all(found["poor"]), shapely.centroid(found["good"][:4])
    )
    assert coco["poor"] == inside.sum() / 5
    done = rank(POINTS=stems)  # within the rectangle around the annotators' crowns
    assert done.table("COCO")["point_recall"].iloc[0] == 1.0
    assert shows(done.said("points.counted"), "points.counted", count=4, layer="stems")
    assert "point_recall" not in rank().table("COCO")


def test_areas_to_ignore_of_a_class_count_for_detections_of_that_class(run, qgis_new_project):
    scene = crowd_scene(7)
    scored = [[str(name), float(score)] for name, score in zip(scene.found_class, scene.score)]
    layers = [
        layer_of(
            name,
            on_map(boxes(rows)),
            fields="&field=species:string&field=score:double",
            rows=values,
        )
        for name, rows, values in (
            ("found", scene.found, scored),
            ("trees", scene.trees, [[str(name), None] for name in scene.tree_class]),
            ("crowds", scene.crowds, [[str(name), None] for name in scene.crowd_class]),
        )
    ]
    wide = layer_of("wide", on_map([shapely.box(-9, -9, 600, 200)]))
    given = {
        "DETECTORS": layers[:1],
        "ANNOTATORS": layers[1:2],
        "IGNORED": layers[2],
        "EXTENT_LAYER": wide,
        "CLASS_FIELD": "species",
        "COUNTED_UNITS": 2,
        "BOOTSTRAP_SAMPLES": 0,
    }
    done = run("rankdetectors", given, outputs=("CLASS_PRECISION",))
    assert done.ok, done.error
    rows = done.table("CLASS_PRECISION").query("kind == 'class'").set_index("class")
    assert rows["ap"].to_dict() == pytest.approx(class_precision(scene), abs=1e-12)
