"""Classes of a scoring and of an evaluation: their numbers add up to those of the summary."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from randcrowns.core.classes import values
from randcrowns.core.classes.results import classes_of_evaluation, classes_of_scores
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.evaluation import (
    CrownAttributes,
    EvaluationOptions,
    evaluate_crowns,
)
from randcrowns.core.scoring.layer import mark_not_judged, score_crowns
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.status import Status

#: Targets narrower than 3 m are too small for this alpha.
PARAMETERS = RandCrownsParameters(1.5, 1.2, 3)
CLASSES = np.array(["ash", "oak", "pine", None], dtype=object)
#: Kinds of cells with matched crowns.
MATCHED = ["right", "wrong", "no class"]


def random_crowns(rng, corner, has_plots) -> Crowns:
    """Return boxes of 2 to 6 m with random classes, in two plots if any."""
    sides = rng.uniform(2, 6, (len(corner), 2))
    plots = np.where(corner[:, 0] < 30, "west", "east") if has_plots else None
    return Crowns(
        shapely.box(*corner.T, *(corner + sides).T),
        plots=plots,
        classes=rng.choice(CLASSES, len(corner)),
    )


def random_layers(rng) -> tuple[Crowns, Crowns]:
    """Return targets and predictions near them; both, one side or none has plots."""
    corner = rng.uniform(0, 60, (25, 2))
    moved = corner[rng.integers(0, 25, 30)] + rng.normal(0, 2, (30, 2))
    has_plots = [(True, True), (True, False), (False, False)][int(rng.integers(3))]
    return random_crowns(rng, corner, has_plots[0]), random_crowns(rng, moved, has_plots[1])


def counts_of(cells) -> dict[str, int]:
    """Return the numbers of matched crowns, of crowns not found and of unmatched predictions."""
    crowns = cells.groupby("kind")["crowns"].sum()
    return {
        "matched": int(crowns.reindex(MATCHED).sum()),
        "not found": int(crowns.get("not found", 0)),
        "no reference": int(crowns.get("no reference", 0)),
        "not judged": int(crowns.get("not judged", 0)),
    }


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(Pairing), st.booleans(), st.booleans())
def test_sums_equal_the_counts_of_a_scoring(seed, pairing, has_extent, all_drawn):
    rng = np.random.default_rng(seed)
    targets, delineations = random_layers(rng)
    extent = shapely.box(0, 0, 50, 50) if has_extent else None
    scores = score_crowns(targets, delineations, PARAMETERS, pairing, extent)
    if not all_drawn:
        scores = mark_not_judged(scores)
    classes = classes_of_scores(targets, delineations, scores, all_drawn=all_drawn)
    summary = scores.summary.iloc[0]
    counts = counts_of(classes.cells)
    assert counts["matched"] == summary["matched"]
    assert counts["not found"] == summary["missed"] + summary["unmatched_targets"]
    n_without_target = summary["unmatched_delineations" if all_drawn else "not_judged"]
    result = "no reference" if all_drawn else "not judged"
    assert counts[result] == n_without_target
    assert (classes.predictions["class_result"] == result).sum() == n_without_target
    assert classes.cells["crowns"].sum() == (
        summary["targets"] - summary["too_small"] + n_without_target
    )
    is_too_small = (scores.targets["status"] == Status.TARGET_TOO_SMALL.value).to_numpy()
    assert classes.targets["class_result"].isna().tolist() == is_too_small.tolist()
    has_class = pd.notna(targets.classes)
    assert classes.classes["reference"].sum() == (has_class & ~is_too_small).sum()


def test_means_of_one_class_are_those_of_the_summary():
    rng = np.random.default_rng(1)
    targets, delineations = (
        layer.with_classes(np.full(len(layer), "tree", dtype=object))
        for layer in random_layers(rng)
    )
    scores = score_crowns(targets, delineations, PARAMETERS, "max_iou")
    assert scores.summary.loc[0, "too_small"] > 0
    row = classes_of_scores(targets, delineations, scores).classes.iloc[0]
    for name in ("iou_mean", "randcrowns_mean", "iou_crowns_mean"):
        assert row[name] == pytest.approx(scores.summary.loc[0, name], abs=1e-12)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_sums_equal_the_counts_of_an_evaluation(
    seed, has_shares, has_heights, has_ignored, within_classes
):
    rng = np.random.default_rng(seed)
    targets, predictions = random_layers(rng)
    options = EvaluationOptions(
        min_share=0.4 if has_shares else 0.0,
        min_height=5.0 if has_heights else 0.0,
        within_classes=within_classes,
    )
    attributes = CrownAttributes(
        prediction_heights=rng.uniform(0, 20, 30) if has_heights else None,
        scores=rng.random(30),
        ignored=Crowns([shapely.box(0, 0, 30, 30)]) if has_ignored else None,
    )
    evaluation = evaluate_crowns(targets, predictions, options, attributes)
    classes = classes_of_evaluation(targets, predictions, evaluation, options, attributes)
    summary = evaluation.summary.iloc[0]
    counts = counts_of(classes.cells)
    assert counts["matched"] == summary["tp"]
    assert counts["not found"] == summary["fn"]
    assert counts["no reference"] == summary["fp"]
    results = classes.predictions["class_result"]
    assert results.isna().sum() == summary["uncertain"]
    # The numbers of a matching within classes leave out crowns without a class.
    if within_classes:
        is_known = pd.notna(predictions.classes)
        assert classes.classes["tp"].sum() == summary["tp"]
        assert classes.classes["fp"].sum() == (results[is_known] == "no reference").sum()


def test_a_prediction_on_an_ignored_area_is_no_false_detection():
    # One tree is found; of two other predictions, one lies on an area to ignore.
    boxes = shapely.box([0, 10, 20], 0, [4, 14, 24], 4)
    targets = Crowns(boxes[:1], classes=["oak"])
    predictions = Crowns(boxes, classes=["oak", "oak", "oak"])
    attributes = CrownAttributes(ignored=Crowns(boxes[1:2]))
    options = EvaluationOptions()
    evaluation = evaluate_crowns(targets, predictions, options, attributes)
    classes = classes_of_evaluation(targets, predictions, evaluation, options, attributes)
    assert classes.cells[["kind", "crowns"]].to_numpy().tolist() == [
        ["right", 1],
        ["no reference", 1],
    ]
    assert classes.predictions["class_result"].tolist() == ["right", None, "no reference"]
    assert classes.classes[["tp", "fp", "user_accuracy"]].to_numpy().tolist() == [[1, 1, 1 / 2]]


def test_the_classes_of_an_evaluation_are_encoded_once(monkeypatch):
    encode = values.encode_classes
    encoded = []

    def counted(*layers):
        encoded.append(layers)
        return encode(*layers)

    monkeypatch.setattr(values, "encode_classes", counted)
    targets, predictions = random_layers(np.random.default_rng(0))
    options, attributes = EvaluationOptions(), CrownAttributes(scores=np.ones(len(predictions)))
    evaluation = evaluate_crowns(targets, predictions, options, attributes)
    assert classes_of_evaluation(targets, predictions, evaluation, options, attributes)
    assert len(encoded) == 1
