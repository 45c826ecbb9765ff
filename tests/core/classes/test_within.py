"""Matching within classes and average precision per class, compared with pycocotools."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import raises
from support.examples import examples

from randcrowns.core.classes.within import (
    class_average_precision,
    class_ignored_shares,
    match_within_classes,
    split_by_class,
    within_class_table,
)
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.average_precision import coco_metrics
from randcrowns.core.instances.matching import MatchingMethod, match_one_to_one
from randcrowns.core.instances.metrics import count_detections, panoptic_quality
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap

coco = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
cocoeval = pytest.importorskip("pycocotools.cocoeval")

LABELS = np.array(["ash", "beech", "oak", "pine"], dtype=object)


def rank_rows(boxes: np.ndarray) -> np.ndarray:
    """Return the rows of boxes (x, y, width, height) from west to east, then south to north."""
    x, y, width, height = boxes.T
    return np.lexsort((y + height, x + width, y, x))


class Scene:
    """Boxes of whole pixels on four images, of which one is empty, with classes and scores."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 40))
        m = int(rng.integers(0, 90))
        n_classes = int(rng.integers(1, 5))
        corner = rng.integers(0, 30, (n, 2)) * 2
        self.targets = np.hstack([corner, rng.choice([8, 10, 12, 20], (n, 2))])
        near = rng.integers(0, n, m)
        self.predictions = self.targets[near].copy()
        moved = rng.integers(-3, 4, (m, 2)) * rng.integers(0, 2, (m, 2))
        self.predictions[:, :2] += moved
        self.target_image = rng.integers(1, 4, n)
        self.prediction_image = np.where(rng.random(m) < 0.9, self.target_image[near], 1)
        self.target_class = rng.integers(0, n_classes, n)
        own = self.target_class[near]
        self.prediction_class = np.where(rng.random(m) < 0.75, own, rng.integers(0, 4, m))
        self.score = rng.random(m).round(1)
        self.is_ignored = rng.random(n) < rng.choice([0.0, 0.2])
        # pycocotools orders equal scores by row, RandCrowns by place.
        rows = rank_rows(self.targets)
        for name in ("targets", "target_image", "target_class", "is_ignored"):
            setattr(self, name, getattr(self, name)[rows])
        rows = rank_rows(self.predictions)
        for name in ("predictions", "prediction_image", "prediction_class", "score"):
            setattr(self, name, getattr(self, name)[rows])

    def ours(self) -> Any:
        kept = ~self.is_ignored

        def crowns(boxes: np.ndarray, images: np.ndarray) -> Crowns:
            left, top = boxes[:, 0], boxes[:, 1]
            return Crowns(
                shapely.box(left, top, left + boxes[:, 2], top + boxes[:, 3]), plots=images
            )

        predictions = crowns(self.predictions, self.prediction_image)
        targets = crowns(self.targets[kept], self.target_image[kept])
        ignored = crowns(self.targets[~kept], self.target_image[~kept])
        predicted = LABELS[self.prediction_class]
        return class_average_precision(
            polygon_overlap(targets, predictions),
            LABELS[self.target_class[kept]],
            predicted,
            self.score,
            plots=(self.target_image[kept], self.prediction_image),
            ignored_share=class_ignored_shares(
                ignored, LABELS[self.target_class[~kept]], predictions, predicted
            ),
        )

    def pycocotools(self) -> Any:
        truth = coco.COCO()
        truth.dataset = {
            "images": [{"id": number} for number in range(1, 5)],
            "categories": [{"id": row + 1, "name": name} for row, name in enumerate(LABELS)],
            "annotations": [
                {
                    "id": row + 1,
                    "image_id": int(self.target_image[row]),
                    "category_id": int(self.target_class[row]) + 1,
                    "bbox": box.tolist(),
                    "area": float(box[2] * box[3]),
                    "iscrowd": int(self.is_ignored[row]),
                }
                for row, box in enumerate(self.targets.astype(float))
            ],
        }
        results = [
            {
                "image_id": int(self.prediction_image[row]),
                "category_id": int(self.prediction_class[row]) + 1,
                "bbox": box.tolist(),
                "score": float(self.score[row]),
            }
            for row, box in enumerate(self.predictions.astype(float))
        ]
        with contextlib.redirect_stdout(io.StringIO()):
            truth.createIndex()
            found = truth.loadRes(results) if results else coco.COCO()
            if not results:
                found.dataset = dict(truth.dataset, annotations=[])
                found.createIndex()
            evaluation = cocoeval.COCOeval(truth, found, "bbox")
            evaluation.params.areaRng = [[0, 1e10]]
            evaluation.params.areaRngLbl = ["all"]
            evaluation.evaluate()
            evaluation.accumulate()
        return evaluation.eval


def test_average_precision_per_class_equals_pycocotools():
    has_ignored = has_ties = 0
    for seed in range(examples(200)):
        scene = Scene(seed)
        ours, theirs = scene.ours(), scene.pycocotools()
        has_ignored += scene.is_ignored.any()
        has_ties += len(np.unique(scene.score)) < len(scene.score)
        # precision: threshold, recall, class, area, limit; recall: threshold, class, area, limit.
        precision, recall = theirs["precision"][..., 0, :], theirs["recall"][:, :, 0, :]
        expected = {
            "ap": precision[:, :, :, 2].mean(axis=(0, 1)),
            "ap50": precision[0, :, :, 2].mean(axis=0),
            "ap75": precision[5, :, :, 2].mean(axis=0),
            "ar_1": recall[:, :, 0].mean(axis=0),
            "ar_10": recall[:, :, 1].mean(axis=0),
            "ar_100": recall[:, :, 2].mean(axis=0),
        }
        for name, values in expected.items():
            by_class = np.where(values == -1, np.nan, values)
            found = ours.classes[name].reindex(LABELS).to_numpy(dtype=float)
            np.testing.assert_allclose(
                found, by_class, rtol=0, atol=1e-12, err_msg=f"{seed} {name}"
            )
            mean = np.nan if np.isnan(by_class).all() else np.nanmean(by_class)
            assert ours.means[name] == pytest.approx(mean, abs=1e-12, nan_ok=True)
    assert has_ignored > 5
    assert has_ties > 5


def random_table(seed: int, n: int = 30, m: int = 40) -> OverlapTable:
    rng = np.random.default_rng(seed)
    corner = rng.uniform(0, 30, (n, 2))
    moved = corner[rng.integers(0, n, m)] + rng.normal(0, 0.7, (m, 2))
    first, second = (shapely.box(*at.T, *(at + 4).T) for at in (corner, moved))
    return polygon_overlap(Crowns(first), Crowns(second))


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**6))
def test_one_class_gives_the_numbers_without_classes(seed):
    table = random_table(seed)
    reference, predicted = ["oak"] * 30, ["oak"] * 40
    score = np.random.default_rng(seed).random(40)
    expected = match_one_to_one(table, MatchingMethod.PANOPTIC_SEGMENTATION)
    matching = match_within_classes(
        table, reference, predicted, MatchingMethod.PANOPTIC_SEGMENTATION
    )
    assert matching.prediction.tolist() == expected.prediction.tolist()
    row = within_class_table(table, reference, predicted, matching).loc["oak"]
    assert tuple(row[["tp", "fp", "fn"]]) == count_detections(expected)
    assert row["pq"] == pytest.approx(panoptic_quality(table, expected).pq, abs=1e-12)
    result = class_average_precision(table, reference, predicted, score)
    assert result.means["ap"] == coco_metrics(table, score).ap


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([MatchingMethod.FOR_AI_NET, MatchingMethod.STARDIST]))
def test_matching_within_classes_is_that_of_each_class_alone(seed, method):
    table = random_table(seed)
    rng = np.random.default_rng(seed)
    reference = rng.choice(["a", "b", "c", None], 30)
    predicted = rng.choice(["a", "b", "d", None], 40)
    matching = match_within_classes(table, reference, predicted, method)
    for part in split_by_class(table, reference, predicted):
        own = match_one_to_one(part.table, method)
        expected = np.where(own.prediction < 0, -1, np.append(part.predicted, -1)[own.prediction])
        assert matching.prediction[part.reference].tolist() == expected.tolist()
    without = np.array([value is None for value in reference])
    assert (matching.prediction[without] == -1).all()


def test_crowns_without_a_class_are_excluded_and_counted():
    table = random_table(1)
    reference = [None, *["oak"] * 29]
    result = class_average_precision(table, reference, [None] * 40, np.ones(40))
    assert (result.n_reference_without_class, result.n_predicted_without_class) == (1, 40)
    assert result.classes.loc["oak", ["reference", "predicted"]].tolist() == [29, 0]
    assert result.means["ap"] == 0


def test_ignored_region_without_a_class_counts_for_all_classes():
    crowns = Crowns(shapely.box([0, 5], 0, [2, 7], 2))
    region = Crowns([shapely.box(0, 0, 10, 1)])
    shares = class_ignored_shares(region, [None], crowns, ["oak", None])
    assert shares.tolist() == [0.5, 0.5]
    assert class_ignored_shares(region, ["oak"], crowns, ["oak", None]).tolist() == [0.5, 0.0]


def test_one_class_per_crown_is_required():
    table = random_table(1)
    with raises("classes.wrong_count", side="predictions", crowns=40, classes=39):
        match_within_classes(table, ["a"] * 30, ["a"] * 39)
    with raises("classes.wrong_prediction_count", n=40):
        class_average_precision(table, ["a"] * 30, ["a"] * 40, [1.0])
