"""Ranking of detectors by their average precision in each class, compared with pycocotools."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pandas as pd
import pytest
import shapely
from support.layers import EAST, NORTH, layer_of
from support.shown import shows

coco = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
cocoeval = pytest.importorskip("pycocotools.cocoeval")

OUTPUTS = ("AUCR", "COCO", "CLASS_PRECISION", "CERTAINTY_TABLE")
LABELS = ["ash", "oak", "pine"]
N = 60


def corners_of(noise: float, seed: int) -> np.ndarray:
    """Return (N, 4) boxes: left, bottom, width, height; those of the trees moved by noise."""
    rng = np.random.default_rng(5)
    boxes = np.hstack([rng.uniform(0, 60, (N, 2)), rng.uniform(3, 8, (N, 2))])
    boxes[:, :2] += np.random.default_rng(seed).normal(0, noise, (N, 2))
    return boxes


@pytest.fixture
def scene():
    """Return boxes, classes and scores of the trees and of two detectors."""
    rng = np.random.default_rng(8)
    classes = rng.choice(LABELS[:2], N).astype(object)
    taken = {name: rng.random(N) < share for name, share in (("good", 0.1), ("poor", 0.5))}
    found = {name: np.where(wrong, "pine", classes).astype(object) for name, wrong in taken.items()}
    boxes = {"good": corners_of(0.3, 1), "poor": corners_of(0.7, 2)}
    return corners_of(0, 0), classes, boxes, found, rng.permutation(N) / N


def polygons(boxes: np.ndarray) -> np.ndarray:
    left, bottom = boxes[:, 0] + EAST, boxes[:, 1] + NORTH
    return shapely.box(left, bottom, left + boxes[:, 2], bottom + boxes[:, 3])


@pytest.fixture
def layers(scene, qgis_new_project):
    """Return the layers of the annotator and of the detectors, which call the class otherwise."""
    trees, classes, found, found_classes, scores = scene
    annotator = layer_of(
        "ann", list(polygons(trees)), fields="&field=species:string", rows=[(c,) for c in classes]
    )
    detectors = [
        layer_of(
            name,
            list(polygons(boxes)),
            fields="&field=score:double&field=label:string",
            rows=list(zip(scores.tolist(), found_classes[name])),
        )
        for name, boxes in found.items()
    ]
    return annotator, detectors


@pytest.fixture
def rank(run, layers):
    def ranked(**more):
        annotator, detectors = layers
        given = {
            "DETECTORS": detectors,
            "ANNOTATORS": [annotator],
            "COUNTED_UNITS": 2,
            "BOOTSTRAP_SAMPLES": 0,
            **more,
        }
        return run("rankdetectors", given, outputs=OUTPUTS)

    return ranked


def precision_of_pycocotools(scene, name: str) -> np.ndarray:
    """Return AP, AP50 and AP75 (3, classes) of a detector; NaN for a class without a tree."""
    trees, classes, found, found_classes, scores = scene
    truth = coco.COCO()
    truth.dataset = {
        "images": [{"id": 1}],
        "categories": [{"id": row + 1, "name": label} for row, label in enumerate(LABELS)],
        "annotations": [
            {
                "id": row + 1,
                "image_id": 1,
                "category_id": LABELS.index(classes[row]) + 1,
                "bbox": box.tolist(),
                "area": float(box[2] * box[3]),
                "iscrowd": 0,
            }
            for row, box in enumerate(trees)
        ],
    }
    results = [
        {
            "image_id": 1,
            "category_id": LABELS.index(found_classes[name][row]) + 1,
            "bbox": box.tolist(),
            "score": float(scores[row]),
        }
        for row, box in enumerate(found[name])
    ]
    with contextlib.redirect_stdout(io.StringIO()):
        truth.createIndex()
        evaluation = cocoeval.COCOeval(truth, truth.loadRes(results), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
    precision = evaluation.eval["precision"][..., 0, 2]
    values = np.stack([precision.mean(axis=(0, 1)), precision[0].mean(0), precision[5].mean(0)])
    return np.where(values == -1, np.nan, values)


def test_precision_of_each_class_and_its_mean_equal_pycocotools(rank, scene):
    done = rank(CLASS_FIELD="species", DETECTOR_CLASS_FIELD="label")
    assert done.ok, done.error
    table = done.table("CLASS_PRECISION")
    assert len(table) == 2 * 4
    means = {}
    for name in ("good", "poor"):
        expected = precision_of_pycocotools(scene, name)
        rows = table[table["detector"] == name]
        assert rows["class"].tolist()[:3] == LABELS
        assert rows["kind"].tolist() == ["class"] * 3 + ["mean"]
        found = rows[["ap", "ap50", "ap75"]].to_numpy(dtype=float)
        np.testing.assert_allclose(found[:3].T, expected, atol=1e-12)
        means[name] = np.nanmean(expected[:, :2], axis=1)
        np.testing.assert_allclose(found[3], means[name], atol=1e-12)
    assert means["good"][0] > means["poor"][0]
    ranks = table.set_index(["detector", "class"])["rank"]
    assert ranks["good", ""] == 1
    assert ranks["poor", ""] == 2
    assert pd.isna(ranks["good", "pine"])
    # The numbers without classes do not change.
    assert done.table("COCO").equals(rank().table("COCO"))


def test_the_message_names_the_detectors_by_map_and_the_best_of_each_class(rank):
    done = rank(CLASS_FIELD="species", DETECTOR_CLASS_FIELD="label")
    table = done.table("CLASS_PRECISION").set_index(["detector", "class"])["ap"]
    assert shows(
        done.said("crowns.by_class"),
        "crowns.by_class",
        ranking=[f"good ({table['good', '']:.2f})", f"poor ({table['poor', '']:.2f})"],
        classes=[f"{name} good ({table['good', name]:.2f})" for name in LABELS[:2]],
    )


def test_classes_taken_as_one_are_one_class(rank):
    done = rank(
        CLASS_FIELD="species", DETECTOR_CLASS_FIELD="label", CLASS_GROUPS="tree=ash+oak+pine"
    )
    rows = done.table("CLASS_PRECISION").set_index(["detector", "class"])
    whole = done.table("COCO").set_index("detector")["ap"]
    for name in ("good", "poor"):
        assert rows.loc[(name, "tree"), "ap"] == pytest.approx(whole[name], abs=1e-12)


def test_without_a_class_field_nothing_is_ranked_by_class(rank):
    done = rank()
    assert done.ok
    assert not len(done.table("CLASS_PRECISION"))
    assert "crowns.by_class" not in done.keys


def test_where_only_some_crowns_were_drawn_there_is_no_precision_of_classes(rank):
    done = rank(CLASS_FIELD="species", DETECTOR_CLASS_FIELD="label", ALL_DRAWN=False)
    assert done.table("CLASS_PRECISION")[["ap", "ap50", "ap75", "rank"]].isna().all(axis=None)
    assert "crowns.by_class" not in done.keys


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"CLASS_FIELD": "kind"}, "classes.no_field"),
        ({"CLASS_FIELD": "species"}, "detectors.no_class_field"),
        ({"CLASS_FIELD": "species", "CLASS_GROUPS": "tree"}, "classes.invalid_group"),
    ],
)
def test_classes_that_cannot_be_compared_are_refused(rank, fields, key):
    assert shows(rank(**fields).refused, key)


def test_the_certainty_of_the_ranking_by_classes_is_a_part_of_the_table(rank):
    done = rank(
        CLASS_FIELD="species", DETECTOR_CLASS_FIELD="label", BOOTSTRAP_SAMPLES=100, TILE_SIDE=20
    )
    assert done.ok, done.error
    certainty = done.table("CERTAINTY_TABLE")
    rows = certainty[certainty["counted"] == "classes"].set_index("detector")
    means = done.table("CLASS_PRECISION")
    means = means[means["kind"] == "mean"].set_index("detector")["ap"]
    assert rows["value"].to_dict() == pytest.approx(means.to_dict())
    assert list(rows.index) == ["good", "poor"]
    assert (rows["rank_1"] + rows["rank_2"]).tolist() == pytest.approx([1, 1])
    assert "class_verdict.better" in done.keys
    # The certainty of crowns without classes does not change.
    plain = rank(BOOTSTRAP_SAMPLES=100, TILE_SIDE=20).table("CERTAINTY_TABLE")
    assert plain["counted"].tolist() == ["crowns"] * 2
    assert certainty[certainty["counted"] == "crowns"].reset_index(drop=True).equals(plain)
