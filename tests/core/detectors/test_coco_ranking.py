"""COCO's numbers of detectors are those of each detector under each annotator alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.coco import CocoResults, compute_coco_metrics
from randcrowns.core.detectors.crown_ranking import rank_crown_detectors
from randcrowns.core.instances.average_precision import COCO_METRICS, coco_metrics
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.scoring.parameters import RandCrownsParameters

PARAMETERS = RandCrownsParameters(0.7, 1.2, 3)


def boxes(seed, n, noise=0.0, groups=None):
    rng = np.random.default_rng(9)
    corner, size = rng.uniform(0, 60, (n, 2)), rng.uniform(3, 8, (n, 2))
    moved = corner + np.random.default_rng(seed).normal(0, noise, (n, 2))
    return Crowns(shapely.box(*moved.T, *(moved + size).T), plots=groups)


@pytest.mark.parametrize("plots", [None, ["a"] * 20 + ["b"] * 25])
def test_each_pair_is_judged_as_alone(plots):
    targets = {"ann": boxes(1, 45, 0.2, plots), "bob": boxes(2, 45, 0.4, plots)}
    scores = np.random.default_rng(3).uniform(size=45)
    detections = {
        "one": (boxes(4, 45, 0.7, plots), scores),
        "two": (boxes(5, 45, 1.2, plots), scores[::-1]),
    }
    ranking = rank_crown_detectors(targets, detections, PARAMETERS)
    found = compute_coco_metrics(ranking, targets, detections)
    metrics = found.metrics.set_index(["detector", "truth"])
    codes = None if plots is None else (np.repeat([0, 1], [20, 25]),) * 2
    for detector, (crowns, sure) in detections.items():
        for truth, wanted in targets.items():
            alone = coco_metrics(polygon_overlap(wanted, crowns), sure, plots=codes)
            assert 0 < alone.ap < 1
            expected = [getattr(alone, name) for name in COCO_METRICS]
            assert metrics.loc[(detector, truth)].tolist() == pytest.approx(expected, abs=1e-12)
    assert len(found.thresholds) == 4 * 18
    assert found.thresholds.columns[:6].tolist() == ["detector", "truth", "iou", "tp", "fp", "fn"]
    assert found.n_beyond_limit == {}


def test_where_not_all_crowns_were_drawn_only_recall_is_left():
    targets, scores = {"ann": boxes(1, 20)}, np.linspace(0, 1, 20)
    detections = {"one": (boxes(4, 20, 0.7), scores)}
    ranking = rank_crown_detectors(targets, detections, PARAMETERS, all_drawn=False)
    found = compute_coco_metrics(ranking, targets, detections, all_drawn=False)
    assert np.isnan(found.metrics.loc[0, "ap"])
    assert found.metrics.loc[0, "ar_100"] > 0


def test_a_detector_without_scores_has_no_numbers_and_one_with_many_is_cut_at_a_hundred():
    targets = {"ann": boxes(1, 130)}
    detections = {
        "none": (boxes(4, 130, 0.7), np.full(130, np.nan)),
        "many": (boxes(4, 130, 0.7), np.linspace(0, 1, 130)),
    }
    ranking = rank_crown_detectors(targets, detections, PARAMETERS, scoreless=["none"])
    found = compute_coco_metrics(ranking, targets, detections)
    assert found.metrics.set_index("detector").loc["none", list(COCO_METRICS)].isna().all()
    assert found.n_beyond_limit == {"many": 30}


@given(st.integers(0, 10**6))
@settings(max_examples=examples(20), deadline=None)
def test_the_order_of_crowns_changes_no_precision(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corner = rng.integers(0, 14, (40, 2))
    boxes = shapely.box(*corner.T, *(corner + rng.integers(2, 5, (40, 2))).T)
    classes = rng.choice(["oak", "ash"], 40).astype(object)
    score = rng.uniform(size=25).round(1)

    def results(targets: np.ndarray, rows: np.ndarray) -> list[float]:
        """Return all values of a ranking with crowns in an order."""
        wanted = {"ann": Crowns(boxes[targets], classes=classes[targets])}
        found = Crowns(boxes[15 + rows], classes=classes[15 + rows])
        detections = {"net": (found, score[rows])}
        ranking = rank_crown_detectors(wanted, detections, PARAMETERS, 0.3)
        coco = compute_coco_metrics(ranking, wanted, detections)
        return [
            ranking.average_precision.loc["net", "ann"],
            *ranking.counts[["recall", "iou_recall"]].iloc[0],
            *coco.metrics[list(COCO_METRICS)].iloc[0],
            *coco.thresholds["ap"],
            *coco.classes["ap"],
            coco.n_tied.get("net", 0),
        ]

    expected = results(np.arange(15), np.arange(25))
    found = results(rng.permutation(15), rng.permutation(25))
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_detections_of_one_score_are_counted_in_a_message() -> None:
    # Worked by hand: the miss in the west counts first, so that AP is 1/2; the curve of all points
    # takes both as one step with a precision of 1/2.
    target, miss = shapely.box(20, 0, 24, 4), shapely.box(0, 0, 4, 4)
    targets = {"ann": Crowns([target])}
    detections = {"net": (Crowns([target, miss]), np.array([0.9, 0.9]))}
    ranking = rank_crown_detectors(targets, detections, PARAMETERS)
    coco = compute_coco_metrics(ranking, targets, detections)
    assert coco.metrics.loc[0, "ap"] == pytest.approx(0.5, abs=1e-12)
    assert ranking.average_precision.loc["net", "ann"] == pytest.approx(0.5, abs=1e-12)
    (message,) = coco.messages
    assert message.key == "crowns.tied"
    assert "AP: net (2). They" in str(message)


def test_many_detectors_share_one_message() -> None:
    beyond = {f"net{number}": number for number in range(1, 13)}
    empty = pd.DataFrame()
    (message,) = CocoResults(empty, empty, beyond, empty, {}).messages
    assert "others: net1 (1), net2 (2), net3 (3), net4 (4), net5 (5) and 7 more." in str(message)
