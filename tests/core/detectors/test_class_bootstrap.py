"""Certainty of the ranking by mAP, compared with pycocotools on resampled images."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest
import shapely
import shapely.affinity
from pycocotools import coco, cocoeval

from randcrowns.core.arrays import random_generator
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.bootstrap import BootstrapRanking, draw_multiplicities
from randcrowns.core.detectors.class_bootstrap import resample_class_ranking
from randcrowns.core.detectors.class_precision import class_ranking_messages
from randcrowns.core.detectors.coco import CocoResults, compute_coco_metrics
from randcrowns.core.detectors.conclusion import conclude_ranking
from randcrowns.core.detectors.crown_ranking import rank_crown_detectors
from randcrowns.core.scoring.parameters import RandCrownsParameters

PARAMETERS = RandCrownsParameters(0.7, 1.2, 3)
LABELS = ("ash", "oak", "pine")
N_PLOTS = 5
#: Boxes in a plot, and distance between the plots.
N_BOXES, APART = 12, 1000


def trees_in_plots(seed: int) -> Crowns:
    """Return squares in plots; every second plot lacks the last class."""
    rng = np.random.default_rng(seed)
    corner = rng.integers(0, 60, (N_PLOTS * N_BOXES, 2)).astype(float)
    plot = np.repeat(np.arange(N_PLOTS), N_BOXES)
    corner[:, 0] += plot * APART
    classes = np.array(LABELS, dtype=object)[rng.integers(0, 3 - plot % 2)]
    boxes = shapely.box(corner[:, 0], corner[:, 1], corner[:, 0] + 9, corner[:, 1] + 9)
    return Crowns(boxes, plots=plot.astype(str), classes=classes)


def detected(trees: Crowns, seed: int, error: float) -> tuple[Crowns, np.ndarray]:
    """Return moved trees with classes that are partly wrong, and their scores."""
    rng = np.random.default_rng(seed)
    moves = rng.normal(0, error, (len(trees), 2))
    boxes = [shapely.affinity.translate(box, *move) for box, move in zip(trees.geometry, moves)]
    is_wrong = rng.random(len(trees)) < error / 5
    classes = np.where(is_wrong, "oak", trees.classes)
    return Crowns(boxes, plots=trees.plots, classes=classes), rng.random(len(trees))


def box_of(polygon) -> list[float]:
    left, bottom, right, top = polygon.bounds
    return [left, bottom, right - left, top - bottom]


def rows_of(crowns: Crowns, times) -> list[tuple[int, int]]:
    """Return (image, row) of each crown in images that are plots, repeated ``times`` each."""
    plots = [int(plot) for plot, count in enumerate(times) for _ in range(int(count))]
    return [
        (image + 1, row)
        for image, plot in enumerate(plots)
        for row in np.flatnonzero(crowns.plots == str(plot))
    ]


def mean_precision_of_pycocotools(trees, found, scores, times) -> float:
    """Return mAP of a detector in images that are plots, repeated ``times`` each."""
    truth = coco.COCO()
    truth.dataset = {
        "images": [{"id": image + 1} for image in range(int(sum(times)))],
        "categories": [{"id": row + 1, "name": label} for row, label in enumerate(LABELS)],
        "annotations": [
            {
                "id": number + 1,
                "image_id": image,
                "category_id": LABELS.index(trees.classes[row]) + 1,
                "bbox": box_of(trees.geometry[row]),
                "area": 81.0,
                "iscrowd": 0,
            }
            for number, (image, row) in enumerate(rows_of(trees, times))
        ],
    }
    results = [
        {
            "image_id": image,
            "category_id": LABELS.index(found.classes[row]) + 1,
            "bbox": box_of(found.geometry[row]),
            "score": float(scores[row]),
        }
        for image, row in rows_of(found, times)
    ]
    with contextlib.redirect_stdout(io.StringIO()):
        truth.createIndex()
        evaluation = cocoeval.COCOeval(truth, truth.loadRes(results), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
    precision = evaluation.eval["precision"][..., 0, 2]
    return float(precision[:, :, (precision != -1).all(axis=(0, 1))].mean())


def resampled(
    annotators: dict[str, Crowns], detections, n: int
) -> tuple[CocoResults, BootstrapRanking | None]:
    ranking = rank_crown_detectors(annotators, detections, PARAMETERS)
    results = compute_coco_metrics(ranking, annotators, detections)
    crowns = {**annotators, **{name: crowns for name, (crowns, _) in detections.items()}}
    samples = resample_class_ranking(results.classes, results.class_matches, crowns, 50.0, n)
    return results, samples


@pytest.fixture(scope="module")
def scene():
    trees = trees_in_plots(3)
    return trees, {"good": detected(trees, 4, 0.6), "poor": detected(trees, 5, 1.6)}


def test_each_resample_has_the_precision_of_pycocotools_on_the_drawn_images(scene) -> None:
    trees, detections = scene
    n = 12
    results, samples = resampled({"ann": trees}, detections, n)
    assert samples is not None
    times = draw_multiplicities(N_PLOTS, n, random_generator(0))
    means = results.classes[results.classes["kind"] == "mean"].set_index("detector")["ap"]
    for name, (found, scores) in detections.items():
        expected = [mean_precision_of_pycocotools(trees, found, scores, own) for own in times]
        np.testing.assert_allclose(samples.resamples[name], expected, atol=1e-12)
        assert samples.estimate[name] == pytest.approx(means[name], abs=1e-12)
    assert samples.tile_kind == "plots"
    assert samples.n_tiles == N_PLOTS


def test_values_are_means_over_the_drawn_annotators(scene) -> None:
    trees, detections = scene
    other = Crowns(trees.geometry, plots=trees.plots, classes=trees.classes[::-1])
    n = 6
    _, alone = resampled({"ann": trees}, detections, n)
    _, others = resampled({"ben": other}, detections, n)
    _, both = resampled({"ann": trees, "ben": other}, detections, n)
    assert alone is not None
    assert others is not None
    assert both is not None
    drawn = both.annotator_counts
    values = np.stack([alone.resamples["good"], others.resamples["good"]], axis=1)
    np.testing.assert_allclose(both.resamples["good"], (values * drawn).sum(axis=1) / 2)
    turned = dict(reversed(list(detections.items())))
    _, reverse = resampled({"ann": trees, "ben": other}, turned, n)
    assert reverse is not None
    np.testing.assert_allclose(reverse.resamples["good"], both.resamples["good"])


def test_nothing_is_resampled_without_classes_or_a_second_detector(scene) -> None:
    trees, detections = scene
    assert resampled({"ann": trees}, {"good": detections["good"]}, 5)[1] is None
    assert resampled({"ann": trees}, detections, 0)[1] is None
    plain = Crowns(trees.geometry, plots=trees.plots)
    assert resampled({"ann": plain}, detections, 5)[1] is None


def test_the_message_states_whether_the_best_is_better(scene) -> None:
    trees, detections = scene
    results, samples = resampled({"ann": trees}, detections, 100)
    assert samples is not None
    conclusion = conclude_ranking(samples, 0.95)
    _, message = class_ranking_messages(results.classes, conclusion)
    assert conclusion.is_better
    assert message.key == "class_verdict.better"
    wins = (samples.resamples["good"] > samples.resamples["poor"]).mean()
    assert message.values["won"] == pytest.approx(100 * wins)
    assert message.values["draws"] == 100
    _, same = resampled({"ann": trees}, {"a": detections["good"], "b": detections["good"]}, 100)
    assert same is not None
    _, message = class_ranking_messages(results.classes, conclude_ranking(same, 0.95))
    assert message.key == "class_verdict.not_better"
    unknown = conclude_ranking(samples, 0.999)
    _, message = class_ranking_messages(results.classes, unknown)
    assert message.key == "class_verdict.unknown"
