"""COCO metrics compared with pycocotools, metrics per IoU threshold, and recall at points."""

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

from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.average_precision import (
    COCO_IOU_THRESHOLDS,
    COCO_METRICS,
    CocoMetrics,
    coco_metrics,
    ignored_shares,
    point_recall,
    subset_table,
    threshold_table,
)
from randcrowns.core.instances.matching import MatchingMethod, match_one_to_one
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.instances.summary import summarise_instances

coco = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
cocoeval = pytest.importorskip("pycocotools.cocoeval")


def pycocotools_metrics(
    table: OverlapTable,
    score: np.ndarray,
    plots: tuple[np.ndarray, np.ndarray],
    ignored: np.ndarray,
) -> dict[str, float]:
    """Evaluate the IoU matrix of the table with pycocotools; sizes are given as areas of boxes.

    pycocotools orders equal scores by row, so that rows are those of the ranks by place.
    """
    rows = [np.argsort(table.target_rank), np.argsort(table.prediction_rank)]
    table = table.select_instances(*rows)
    score, ignored = score[rows[1]], ignored[rows[0]]
    plots = plots[0][rows[0]], plots[1][rows[1]]
    images = sorted(set(plots[0].tolist()) | set(plots[1].tolist()))
    truth = coco.COCO()
    truth.dataset = {
        "images": [{"id": int(number)} for number in images],
        "categories": [{"id": 1, "name": "tree"}],
        "annotations": [
            {
                "id": row + 1,
                "image_id": int(plots[0][row]),
                "category_id": 1,
                "bbox": [0.0, 0.0, float(size), 1.0],
                "area": float(size),
                "iscrowd": int(ignored[row]),
            }
            for row, size in enumerate(table.target_size)
        ],
    }
    results = [
        {
            "image_id": int(plots[1][row]),
            "category_id": 1,
            "bbox": [0.0, 0.0, float(size), 1.0],
            "score": float(score[row]),
        }
        for row, size in enumerate(table.prediction_size)
    ]
    with contextlib.redirect_stdout(io.StringIO()):
        truth.createIndex()
        found = truth.loadRes(results)
        evaluation = cocoeval.COCOeval(truth, found, "bbox")
        dense = np.zeros((len(table.prediction_size), len(table.target_size)))
        union = (
            table.target_size[table.target] + table.prediction_size[table.prediction] - table.shared
        )
        whole = np.where(ignored[table.target], table.prediction_size[table.prediction], union)
        dense[table.prediction, table.target] = table.shared / whole

        def overlaps(image: int, category: int) -> Any:
            truths, results = evaluation._gts[image, category], evaluation._dts[image, category]
            if not truths or not results:
                return []
            order = np.argsort([-one["score"] for one in results], kind="mergesort")[:100]
            rows = [results[place]["id"] - 1 for place in order]
            return dense[np.ix_(rows, [one["id"] - 1 for one in truths])]

        evaluation.computeIoU = overlaps
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    values = [
        np.nan if evaluation.stats[place] == -1 else evaluation.stats[place]
        for place in (0, 1, 2, 6, 7, 8)
    ]
    return dict(zip(COCO_METRICS, values))


def pycocotools_on_boxes(
    targets: np.ndarray, predictions: np.ndarray, score: np.ndarray, images: list[np.ndarray]
) -> dict[str, float]:
    """Evaluate boxes in pixels (n, 4), as x, y, width and height, with pycocotools itself."""
    truth = coco.COCO()
    truth.dataset = {
        "images": [{"id": int(number)} for number in np.unique(np.concatenate(images))],
        "categories": [{"id": 1, "name": "tree"}],
        "annotations": [
            {
                "id": row + 1,
                "image_id": int(images[0][row]),
                "category_id": 1,
                "bbox": box.tolist(),
                "area": float(box[2] * box[3]),
                "iscrowd": 0,
            }
            for row, box in enumerate(targets.astype(float))
        ],
    }
    results = [
        {
            "image_id": int(images[1][row]),
            "category_id": 1,
            "bbox": box.tolist(),
            "score": float(score[row]),
        }
        for row, box in enumerate(predictions.astype(float))
    ]
    with contextlib.redirect_stdout(io.StringIO()):
        truth.createIndex()
        evaluation = cocoeval.COCOeval(truth, truth.loadRes(results), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    places = (0, 1, 2, 6, 7, 8)
    return {name: evaluation.stats[place] for name, place in zip(COCO_METRICS, places)}


@pytest.mark.parametrize("pixel", [0.05, 0.07, 0.1, 0.2, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_boxes_of_whole_pixels_equal_pycocotools_on_a_map(pixel: float, seed: int) -> None:
    # Boxes of few sizes, moved by whole pixels: many IoU are equal, and many are at thresholds.
    random = np.random.default_rng(seed)
    n = 120
    corner = random.integers(0, 90, (n, 2)) * 4
    size = random.choice([10, 12, 20], (n, 2))
    targets = np.hstack([corner, size])
    near = random.integers(0, n, 3 * n)
    predictions = targets[near].copy()
    predictions[:, :2] += random.integers(-4, 5, (3 * n, 2)) * random.integers(0, 2, (3 * n, 2))
    predictions[:, 2:] = random.choice([10, 12, 20], (3 * n, 2))
    score = random.uniform(0, 1, 3 * n).round(1)
    images = [random.integers(0, 2, n), np.empty(0, int)]
    images[1] = images[0][near]

    def on_map(boxes: np.ndarray) -> Crowns:
        """Return the boxes on an image in UTM."""
        left = 654321.35 + boxes[:, 0] * pixel
        top = 7654321.15 - boxes[:, 1] * pixel
        return Crowns(shapely.box(left, top - boxes[:, 3] * pixel, left + boxes[:, 2] * pixel, top))

    table = polygon_overlap(on_map(targets), on_map(predictions))
    # pycocotools orders equal scores by row.
    rows = [np.argsort(table.target_rank), np.argsort(table.prediction_rank)]
    expected = pycocotools_on_boxes(
        targets[rows[0]],
        predictions[rows[1]],
        score[rows[1]],
        [images[0][rows[0]], images[1][rows[1]]],
    )
    found = coco_metrics(table, score, plots=(images[0], images[1]))
    for name, value in expected.items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-12), name


def judged(table: OverlapTable, score: Any, plots: Any, ignored: np.ndarray) -> CocoMetrics:
    """Compute the metrics of the plugin, with some of the targets as ignored regions."""
    everything = np.ones(len(table.prediction_size), dtype=bool)
    areas, own = (
        subset_table(table, ignored, everything),
        subset_table(table, ~ignored, everything),
    )
    there = plots[0][ignored][areas.target] == plots[1][areas.prediction]
    share = np.zeros(len(everything))
    np.maximum.at(
        share,
        areas.prediction[there],
        (areas.shared / areas.prediction_size[areas.prediction])[there],
    )
    return coco_metrics(own, score, plots=(plots[0][~ignored], plots[1]), ignored_share=share)


def scene(seed: int, n: int, m: int, side: float, boxes: bool = True) -> tuple[Crowns, Crowns]:
    rng = np.random.default_rng(seed)
    corner = rng.uniform(0, side, (n, 2))
    size = rng.uniform(2, 6, (n, 2))
    near = rng.integers(0, max(n, 1), m)
    moved = corner[near] + rng.normal(0, 0.6, (m, 2)) if n else rng.uniform(0, side, (m, 2))
    wide = size[near] * rng.uniform(0.7, 1.3, (m, 2)) if n else rng.uniform(2, 6, (m, 2))
    shapes = []
    for at, extent in ((corner, size), (moved, wide)):
        drawn = shapely.box(*at.T, *(at + extent).T)
        shapes.append(
            drawn if boxes else shapely.buffer(shapely.centroid(drawn), extent.min(axis=1) / 2)
        )
    return Crowns(shapes[0]), Crowns(shapes[1])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("boxes", [True, False])
def test_equals_pycocotools_on_boxes_and_on_polygons(seed: int, boxes: bool) -> None:
    targets, predictions = scene(seed, 90, 260, 30, boxes)
    table = polygon_overlap(targets, predictions)
    rng = np.random.default_rng(seed + 100)
    score = np.round(rng.uniform(0, 1, 260), 1 + seed % 3)  # with ties
    plots = rng.integers(0, 3, 90), rng.integers(0, 3, 260)
    ignored = rng.uniform(size=90) < 0.15
    expected = pycocotools_metrics(table, score, plots, ignored)
    found = judged(table, score, plots, ignored)
    assert 0 < expected["ap"] < 1
    for name, value in expected.items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-12), name


def test_predictions_beyond_the_hundredth_of_a_plot_are_left_out_and_counted() -> None:
    targets, predictions = scene(1, 200, 250, 200)
    table = polygon_overlap(targets, predictions)
    score = np.linspace(1, 0, 250)
    one_plot = np.zeros(200, np.int64), np.zeros(250, np.int64)
    expected = pycocotools_metrics(table, score, one_plot, np.zeros(200, bool))
    found = coco_metrics(table, score)
    assert found.n_beyond_limit == 150
    assert found.ar_100 == pytest.approx(expected["ar_100"], abs=1e-12)
    assert found.ap == pytest.approx(expected["ap"], abs=1e-12)
    unlimited = threshold_table(table, score).set_index("iou")
    assert unlimited.loc[0.5, "ap"] > found.ap50


def test_predictions_that_cannot_count_are_not_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    """AP of 100,000 crowns in 10 classes took 100 ms; at most 100 crowns of each class count."""
    targets, predictions = scene(1, 200, 250, 200)
    table = polygon_overlap(targets, predictions)
    n_pairs: list[int] = []

    def occurs_once(members: Any) -> Any:
        n_pairs.append(len(members))
        return np.bincount(members)[members] == 1

    monkeypatch.setattr("randcrowns.core.instances.average_precision.occurs_once", occurs_once)
    distinct = np.linspace(1, 0, 250)
    shown = coco_metrics(table, distinct)
    first = np.flatnonzero((table.iou >= 0.5) & (table.prediction < 100))
    assert n_pairs[0] == len(first)
    # The order of equal scores may count, so that all predictions are compared.
    n_pairs.clear()
    tied = np.round(distinct, 1)
    assert coco_metrics(table, tied).n_beyond_limit == shown.n_beyond_limit == 150
    assert n_pairs[0] == np.count_nonzero(table.iou >= 0.5) > len(first)


@given(st.integers(0, 10**6), st.integers(0, 8), st.integers(0, 12), st.integers(1, 3))
@settings(max_examples=examples(30), deadline=None)
def test_equals_pycocotools_on_small_scenes(seed: int, n: int, m: int, n_plots: int) -> None:
    targets, predictions = scene(seed, n, m, 8)
    table = polygon_overlap(targets, predictions)
    rng = np.random.default_rng(seed)
    score, ignored = np.round(rng.uniform(0, 1, m), 1), rng.uniform(size=n) < 0.2
    plots = rng.integers(0, n_plots, n), rng.integers(0, n_plots, m)
    found = judged(table, score, plots, ignored)
    if m == 0:  # pycocotools takes no empty list of results
        assert np.isnan(found.ap) if ignored.all() else found.ap == 0
        return
    expected = pycocotools_metrics(table, score, plots, ignored)
    for name, value in expected.items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-12, nan_ok=True), name


def test_a_hit_and_a_miss_of_one_score_count_from_west_to_east() -> None:
    target, miss = shapely.box(0, 0, 4, 4), shapely.box(20, 0, 24, 4)
    for x, ap in ((0, 1.0), (40, 0.5)):  # the hit lies west of the miss, then east
        targets = Crowns([shapely.box(x, 0, x + 4, 4)])
        pair = [targets.geometry[0], miss]
        for found in (pair, pair[::-1]):
            table = polygon_overlap(targets, Crowns(found))
            metrics = coco_metrics(table, [0.9, 0.9])
            assert metrics.ap == pytest.approx(ap, abs=1e-12)
            assert metrics.n_tied == 2
            assert threshold_table(table, [0.9, 0.9]).loc[0, "ap"] == pytest.approx(ap, abs=1e-12)
            # With unequal scores, and where both results are the same, the order has no effect.
            assert coco_metrics(table, [0.9, 0.8]).n_tied == 0
    twice = polygon_overlap(Crowns([target, miss]), Crowns([target, miss]))
    assert coco_metrics(twice, [0.9, 0.9]).n_tied == 0


@given(st.integers(0, 10**6))
@settings(max_examples=examples(30), deadline=None)
def test_the_order_of_rows_changes_no_average_precision(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corner = rng.integers(0, 12, (30, 2))
    boxes = shapely.box(*corner.T, *(corner + rng.integers(2, 5, (30, 2))).T)
    plots = rng.integers(0, 2, 30)
    score, share = rng.uniform(size=20).round(1), rng.uniform(size=20)

    def metrics(targets: np.ndarray, predictions: np.ndarray) -> list[Any]:
        """Return all metrics of rows in an order."""
        sides = [Crowns(boxes[rows], plots=plots[rows]) for rows in (targets, 10 + predictions)]
        table = polygon_overlap(*sides)
        options: dict[str, Any] = {
            "plots": (plots[targets], plots[10 + predictions]),
            "ignored_share": share[predictions],
        }
        precision = threshold_table(table, score[predictions], **options)["ap"].tolist()
        return [*vars(coco_metrics(table, score[predictions], **options)).values(), *precision]

    expected = metrics(np.arange(10), np.arange(20))
    found = metrics(rng.permutation(10), rng.permutation(20))
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_thresholds_side_by_side_are_those_of_each_alone() -> None:
    targets, predictions = scene(3, 60, 90, 40)
    table = polygon_overlap(targets, predictions)
    score = np.random.default_rng(3).uniform(size=90)
    rows = threshold_table(table, score)
    half = rows[rows["iou"] == 0.5].iloc[0]
    assert half["tp"] == (match_one_to_one(table, "for_ai_net").target >= 0).sum()
    assert (rows["tp"].diff().dropna() <= 0).all()
    assert (rows["tp"] + rows["fp"] == 90).all()
    assert (rows["tp"] + rows["fn"] == 60).all()
    coco_rows = rows[rows["iou"].isin(np.round(COCO_IOU_THRESHOLDS, 9))]
    assert coco_rows["ap"].mean() == pytest.approx(coco_metrics(table, score).ap, abs=1e-12)
    assert threshold_table(table)["ap"].isna().all()


def test_a_prediction_on_an_ignored_target_is_neither_right_nor_wrong() -> None:
    targets, ignored = Crowns([shapely.box(0, 0, 4, 4)]), Crowns([shapely.box(10, 0, 30, 20)])
    predictions = Crowns(
        [shapely.box(0, 0, 4, 4), shapely.box(12, 2, 16, 6), shapely.box(40, 0, 44, 4)]
    )
    table = polygon_overlap(targets, predictions)
    share = ignored_shares(ignored, predictions)
    found = coco_metrics(table, [0.5, 0.9, 0.4], ignored_share=share)
    assert found.ap == pytest.approx(1.0)
    row = threshold_table(table, ignored_share=share, thresholds=[0.5]).iloc[0]
    assert (row["tp"], row["fp"], row["fn"]) == (1, 1, 0)


def test_predictions_without_a_score_are_left_out_and_arrays_must_fit() -> None:
    targets, predictions = scene(5, 5, 6, 12)
    table = polygon_overlap(targets, predictions)
    found = coco_metrics(table, [0.9, np.nan, 0.8, np.nan, 0.7, 0.6])
    assert found.n_unscored == 2
    with raises("predictions.wrong_score_count"):
        coco_metrics(table, [0.9])
    with raises("predictions.wrong_share_count"):
        coco_metrics(table, np.ones(6), ignored_share=[0.0])
    with raises("plots.number_missing"):
        coco_metrics(table, np.ones(6), plots=([0], [0]))


def test_point_recall_is_the_share_of_points_in_a_crown() -> None:
    crowns = Crowns([shapely.box(0, 0, 2, 2), shapely.box(1, 1, 3, 3)])
    inside, share = point_recall(
        shapely.points([[1.5, 1.5], [2.0, 0.5], [5.0, 5.0], [0.5, 2.5]]), crowns
    )
    assert inside.tolist() == [True, True, False, False]
    assert share == 0.5
    assert np.isnan(point_recall([], crowns)[1])


def test_rates_at_a_threshold_have_the_intervals_of_a_summary_by_the_same_matching() -> None:
    rng = np.random.default_rng(5)
    corner = rng.uniform(0, 90, (80, 2))
    targets = Crowns(shapely.box(*corner.T, *(corner + 5).T))
    moved = corner + rng.normal(0, 0.9, (80, 2))
    predictions = Crowns(shapely.box(*moved.T, *(moved + 5).T))
    table, plots = polygon_overlap(targets, predictions), np.arange(80) % 16
    found = match_one_to_one(table, MatchingMethod.PANOPTIC_SEGMENTATION)
    row = threshold_table(table, thresholds=[0.5]).iloc[0]
    summary = summarise_instances(table, found, found).iloc[0]
    for rate in ("precision", "recall", "f1"):
        assert row[f"{rate}_low"] < row[rate] < row[f"{rate}_high"]
        for end in ("", "_low", "_high"):
            assert row[rate + end] == pytest.approx(summary[rate + end], abs=1e-12)
    over_plots = threshold_table(table, plots=(plots, plots), thresholds=[0.5]).iloc[0]
    assert over_plots["recall_low"] < over_plots["recall"] < over_plots["recall_high"]
    undefined = threshold_table(table, thresholds=[0.5], all_drawn=False).iloc[0]
    assert undefined[["precision_low", "precision_high", "f1_low", "f1_high"]].isna().all()
    assert undefined["recall_low"] == pytest.approx(row["recall_low"])
