"""Metrics of classes, compared with values of scikit-learn, and their intervals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from support.errors import raises

from randcrowns.core.classes.confusion import MatchedClasses, match_classes
from randcrowns.core.classes.metrics import (
    OVERALL_METRICS,
    classification_report,
    metrics_of_matrices,
    overall_metrics,
)
from randcrowns.core.instances.matching import Matching
from randcrowns.core.statistics import ratio_interval

#: Values of scikit-learn 1.9.1 for random classes: confusion_matrix, accuracy_score,
#: balanced_accuracy_score, f1_score, cohen_kappa_score, matthews_corrcoef, classification_report.
SCENES = json.loads(
    (Path(__file__).parent / "data" / "outside_values.json").read_text(encoding="utf-8")
)["classification"]


def matched_in_order(reference, predicted) -> MatchedClasses:
    """Match each reference crown with the prediction of its number."""
    rows = np.arange(len(reference))
    return match_classes(reference, predicted, Matching(rows, rows, np.zeros(len(rows))))


@pytest.mark.parametrize("scene", SCENES)
def test_metrics_equal_scikit_learn(scene):
    matched = matched_in_order(scene["reference"], scene["predicted"])
    assert list(matched.labels) == scene["labels"]
    assert matched.confusion[:-2, :-2].tolist() == scene["confusion"]
    overall = overall_metrics(matched)
    assert overall["reason"].tolist() == [""] * 6
    for name, value in scene["overall"].items():
        assert overall.loc[name, "value"] == pytest.approx(value, abs=1e-12), name
    report = classification_report(matched)
    columns = ["matched_precision", "matched_recall", "matched_f1"]
    for label, values in scene["per_class"].items():
        assert report.loc[label, columns].tolist() == pytest.approx(values, abs=1e-12, nan_ok=True)
    # All crowns are matched, so that the accuracies are recall and precision.
    assert report["producer_accuracy"].equals(report["matched_recall"].rename("producer_accuracy"))
    assert report["user_accuracy"].equals(report["matched_precision"].rename("user_accuracy"))


def test_report_by_hand():
    # Reference: 4 oaks (3 found: oak, oak, ash), 2 ashes (1 found: ash), 1 without a class (oak).
    reference = ["oak", "oak", "oak", "oak", "ash", "ash", None]
    predicted = ["oak", "oak", "ash", "ash", "oak", "oak"]
    prediction = np.array([0, 1, 2, -1, 3, -1, 4])
    target = np.array([0, 1, 2, 4, 6, -1])
    matched = match_classes(reference, predicted, Matching(prediction, target, np.zeros(7)))
    score = [0.8, 0.6, 0.4, 0.0, 0.5, np.nan, 0.9]
    report = classification_report(matched, scores={"iou": score})
    counts = ["reference", "predicted", "found", "correct", "correct_predictions"]
    assert report.loc["oak", counts].tolist() == [4, 4, 3, 2, 2]
    assert report.loc["ash", counts].tolist() == [2, 2, 1, 1, 1]
    rates = ["detection_recall", "producer_accuracy", "user_accuracy", "f1"]
    assert report.loc["oak", rates].tolist() == [0.75, 0.5, 0.5, 0.5]
    matched_rates = ["matched_precision", "matched_recall", "matched_f1"]
    assert report.loc["oak", matched_rates].tolist() == pytest.approx([1, 2 / 3, 0.8])
    assert report.loc["ash", matched_rates].tolist() == pytest.approx([0.5, 1, 2 / 3])
    assert report["iou_mean"].tolist() == pytest.approx([0.5, 0.45])
    assert overall_metrics(matched).loc["accuracy", "value"] == 0.75


def test_order_and_names_of_classes_change_nothing():
    scene = SCENES[1]
    renamed = {label: f"z{9 - int(label[1:])}" for label in scene["labels"]}
    matched = matched_in_order(scene["reference"], scene["predicted"])
    other = matched_in_order(
        [renamed[name] for name in scene["reference"]][::-1],
        [renamed[name] for name in scene["predicted"]][::-1],
    )
    columns = ["value", "low", "high"]
    np.testing.assert_allclose(
        overall_metrics(matched)[columns], overall_metrics(other)[columns], rtol=0, atol=1e-12
    )
    report = classification_report(matched)
    moved = classification_report(other).loc[[renamed[name] for name in report.index]]
    np.testing.assert_allclose(report, moved, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("reference", "predicted", "undefined"),
    [
        (["oak"] * 3, ["oak"] * 3, ["cohen_kappa", "matthews_corrcoef"]),
        (["oak", "ash"], ["oak", "oak"], ["matthews_corrcoef"]),
        ([None, "ash"], ["oak", None], list(OVERALL_METRICS)),
        ([], [], list(OVERALL_METRICS)),
    ],
)
def test_undefined_metrics_have_a_reason(reference, predicted, undefined):
    overall = overall_metrics(matched_in_order(reference, predicted))
    is_undefined = overall["value"].isna()
    assert overall.index[is_undefined].tolist() == undefined
    assert (overall["reason"] != "").equals(is_undefined.rename("reason"))


def with_plots(seed: int, n_plots: int = 12) -> tuple[MatchedClasses, np.ndarray]:
    rng = np.random.default_rng(seed)
    plots = np.repeat(np.arange(n_plots), rng.integers(3, 15, n_plots))
    reference = rng.choice(["a", "b", "c"], len(plots))
    skill = rng.beta(6, 3, n_plots)[plots]
    predicted = np.where(rng.random(len(plots)) < skill, reference, rng.choice(["a", "b"]))
    return matched_in_order(reference, predicted), plots


def test_interval_of_the_accuracy_is_that_of_a_ratio():
    matched, plots = with_plots(1)
    is_right = (matched.reference == matched.predicted_at).astype(float)
    for units in (plots, None):
        low, high = ratio_interval(is_right, np.ones(len(plots)), units)
        found = overall_metrics(matched, units).loc["accuracy"]
        assert [found["low"], found["high"]] == pytest.approx([float(low), float(high)], abs=1e-12)


@pytest.mark.parametrize("by_plot", [True, False])
def test_intervals_are_those_of_a_literal_jackknife(by_plot):
    matched, plots = with_plots(2)
    units = plots if by_plot else np.arange(len(plots))
    cells = (matched.reference, matched.predicted_at)

    def metrics(kept: np.ndarray) -> np.ndarray:
        matrix = np.zeros((3, 3))
        np.add.at(matrix, tuple(side[kept] for side in cells), 1)
        return metrics_of_matrices(matrix[None])[0]

    values = metrics(np.ones(len(plots), bool))
    without = np.array([metrics(units != unit) for unit in np.unique(units)])
    size = np.array([np.count_nonzero(units == unit) for unit in np.unique(units)])
    # Hinkley (1977): a unit counts less, the larger its share.
    weights = (1 - size / size.sum())[:, None]
    error = np.sqrt((weights * (without - values) ** 2).sum(axis=0))
    table = overall_metrics(matched, plots if by_plot else None)
    # The logit of the middle of the interval is that of the value.
    scale = np.array([1, 1, 1, 1, 2, 2])
    offset = np.array([0, 0, 0, 0, 1, 1])
    share = (values + offset) / scale
    logits = [np.log(x / (1 - x)) for x in ((table[["low", "high"]].T + offset) / scale).to_numpy()]
    np.testing.assert_allclose(logits[0] + logits[1], 2 * np.log(share / (1 - share)), atol=1e-9)
    reach = error / scale / (share * (1 - share))
    t = (logits[1] - logits[0]) / 2 / reach
    np.testing.assert_allclose(t, t[0], rtol=1e-9)
    assert 1.9 < t[0] < 2.6


def test_few_plots_have_no_interval():
    matched, plots = with_plots(3, n_plots=4)
    assert overall_metrics(matched, plots)[["low", "high"]].isna().all(axis=None)
    report = classification_report(matched, (plots, plots))
    assert report["producer_accuracy_low"].isna().all()


def test_class_on_one_side_only_has_no_accuracy_on_the_other():
    plots = np.repeat(np.arange(6), 2)
    matched = matched_in_order(["oak"] * 12, ["oak", "ash"] * 6)
    report = classification_report(matched, (plots, plots), {"iou": np.full(12, 0.5)})
    ash = report.loc["ash"]
    assert ash[["reference", "predicted", "correct_predictions"]].tolist() == [0, 6, 0]
    assert ash[["producer_accuracy", "producer_accuracy_low", "iou_mean", "iou_low"]].isna().all()
    assert ash["user_accuracy"] == 0


def test_one_plot_and_score_per_crown_is_required():
    matched = matched_in_order(["oak", "ash"], ["oak", "ash"])
    with raises("classes.wrong_plot_count", crowns=2, plots=1):
        overall_metrics(matched, ["a"])
    with raises("classes.wrong_score_count", crowns=2, scores=1, name="iou"):
        classification_report(matched, scores={"iou": [0.5]})
