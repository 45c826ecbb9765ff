import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.errors import ExpectedError, raises
from support.examples import examples
from support.shown import shows

from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.crown_ranking import (
    average_precision,
    compute_crown_curve,
    match_targets,
    rank_crown_detectors,
)
from randcrowns.core.scoring.parameters import PRESETS


def slow_match(pairs: pd.DataFrame, confidence: NDArray, threshold: float) -> list[int]:
    """One detection after the other, the surest first."""
    best = {
        d: group["iou"].max()
        for d, group in pairs[pairs["iou"] >= threshold].groupby("delineation")
    }
    order = sorted(range(len(confidence)), key=lambda d: (-confidence[d], -best.get(d, -1), d))
    taken: dict[int, int] = {}
    for detection in order:
        wishes = pairs[(pairs["delineation"] == detection) & (pairs["iou"] >= threshold)]
        wishes = wishes[~wishes["target"].isin(taken.values())]
        if len(wishes):
            wish = wishes.sort_values(["iou", "target"], ascending=[False, True]).iloc[0]
            taken[detection] = int(wish["target"])
    return [taken.get(d, -1) for d in range(len(confidence))]


@st.composite
def crowns(draw: st.DrawFn) -> tuple[pd.DataFrame, NDArray, int]:
    n_targets, n_detections = draw(st.integers(1, 8)), draw(st.integers(1, 10))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    iou = np.round(rng.random((n_targets, n_detections)), draw(st.sampled_from([1, 3])))
    iou[rng.random(iou.shape) < 0.4] = 0
    target, delineation = np.nonzero(iou)
    pairs = pd.DataFrame(
        {"target": target, "delineation": delineation, "iou": iou[target, delineation]}
    )
    confidence = np.round(rng.random(n_detections), draw(st.sampled_from([1, 3])))
    return pairs.sample(frac=1, random_state=0), confidence, n_targets


@given(crowns(), st.sampled_from([0.0, 0.3, 0.5]))
@settings(max_examples=examples(150), deadline=None)
def test_equals_choosing_one_after_the_other(
    scene: tuple[pd.DataFrame, NDArray, int], threshold: float
) -> None:
    pairs, confidence, _ = scene
    assert match_targets(pairs, confidence, threshold).tolist() == slow_match(
        pairs, confidence, threshold
    )


@given(crowns())
@settings(max_examples=examples(60), deadline=None)
def test_counts_add_up_and_only_the_order_of_confidence_matters(
    scene: tuple[pd.DataFrame, NDArray, int],
) -> None:
    pairs, confidence, n_targets = scene
    curve = compute_crown_curve(pairs, confidence, n_targets, 0.3)
    found = match_targets(pairs, confidence, 0.3) >= 0
    for row in curve.points.itertuples():
        detected = confidence >= row.threshold
        assert (row.true_positives, row.false_positives) == (
            (detected & found).sum(),
            (detected & ~found).sum(),
        )
    assert curve.points["recall"].iloc[-1] == found.sum() / n_targets
    other = compute_crown_curve(pairs, np.exp(3 * confidence), n_targets, 0.3)
    pd.testing.assert_frame_equal(
        curve.points.drop(columns="threshold"), other.points.drop(columns="threshold")
    )
    assert 0 <= average_precision(curve) <= 1 + 1e-12


def test_by_hand() -> None:
    """Four detections of three crowns: right, the same crown again, right, too little overlap."""
    pairs = pd.DataFrame(
        {
            "target": [0, 0, 1, 2],
            "delineation": [0, 1, 2, 3],
            "iou": [0.6, 0.9, 0.5, 0.49],
            "randcrowns": [0.9] * 4,
        }
    )
    curve = compute_crown_curve(pairs, [0.9, 0.8, 0.7, 0.6], 3)
    assert curve.points["true_positives"].tolist() == [1, 1, 2, 2]
    assert curve.points["false_positives"].tolist() == [0, 1, 1, 2]
    np.testing.assert_allclose(curve.points["precision"], [1, 1 / 2, 2 / 3, 1 / 2])
    np.testing.assert_allclose(curve.points["recall"], [1 / 3, 1 / 3, 2 / 3, 2 / 3])
    assert average_precision(curve) == pytest.approx(1 / 3 + 2 / 3 / 3)
    by_randcrowns = compute_crown_curve(pairs, [0.9, 0.8, 0.7, 0.6], 3, 0.9, "randcrowns")
    assert by_randcrowns.points["true_positives"].tolist() == [1, 1, 2, 3]


def test_the_surest_chooses_first_and_the_others_move_on() -> None:
    pairs = pd.DataFrame({"target": [0, 1, 0], "delineation": [0, 0, 1], "iou": [0.9, 0.6, 0.7]})
    assert match_targets(pairs, [0.5, 0.9], 0.5).tolist() == [1, 0]
    assert match_targets(pairs, [0.9, 0.5], 0.5).tolist() == [0, -1]


def test_equal_confidence_is_one_threshold() -> None:
    pairs = pd.DataFrame({"target": [0], "delineation": [1], "iou": [0.9]})
    curve = compute_crown_curve(pairs, [0.5, 0.5], 1)
    assert curve.points[["true_positives", "false_positives"]].to_numpy().tolist() == [[1, 1]]


def test_what_has_no_confidence_is_left_out_and_counted() -> None:
    pairs = pd.DataFrame({"target": [0, 0], "delineation": [0, 1], "iou": [0.9, 0.8]})
    curve = compute_crown_curve(pairs, [np.nan, 0.5], 1)
    assert curve.n_excluded == 1
    assert curve.points["true_positives"].tolist() == [1]


def test_targets_that_cannot_be_scored_are_neither_found_nor_missed() -> None:
    pairs = pd.DataFrame({"target": [0, 1, 1], "delineation": [0, 1, 0], "iou": [0.9, 0.9, 0.95]})
    pairs.loc[1:, "iou"] = np.nan
    curve = compute_crown_curve(pairs, [0.9, 0.8, 0.7], 2, unscorable=[False, True])
    assert curve.points["true_positives"].tolist() == [1, 1]
    assert curve.points["false_positives"].tolist() == [0, 1]
    assert curve.points["recall"].iloc[-1] == 1.0
    assert (curve.n_targets, curve.n_excluded) == (1, 1)


def test_where_only_some_crowns_are_drawn_unmatched_detections_are_not_judged() -> None:
    pairs = pd.DataFrame({"target": [0, 0, 0], "delineation": [0, 1, 3], "iou": [0.9, 0.2, 0.0]})
    curve = compute_crown_curve(pairs, [0.9, 0.8, 0.7, 0.6], 2, all_drawn=False)
    assert curve.points["true_positives"].tolist() == [1, 1, 1, 1]
    assert curve.points[["false_positives", "precision"]].isna().all(axis=None)
    assert (curve.n_excluded, curve.recall) == (3, 0.5)
    assert np.isnan(average_precision(curve))
    assert shows(str(curve.reason), "reason.partly")
    assert shows(
        str(compute_crown_curve(pairs[:0], [], 0, all_drawn=False).reason), "reason.no_target"
    )


def test_where_only_some_crowns_are_drawn_nothing_is_ranked() -> None:
    trees = Crowns([shapely.box(9 * place, 0, 9 * place + 5, 5) for place in range(4)])
    found = {"all": (trees, np.full(4, 0.5)), "one": (trees.subset([0]), np.array([0.9]))}
    found["none"] = trees, np.full(4, np.nan)
    preset = PRESETS["image_boxes"]
    ranking = rank_crown_detectors(
        {"ann": trees}, found, preset, all_drawn=False, scoreless=["none"]
    )
    assert ranking.average_precision.isna().all(axis=None)
    assert ranking.ranks.isna().all(axis=None)
    assert ranking.counts.set_index("detector")["recall"].to_dict() == pytest.approx(
        {"all": 1.0, "one": 0.25, "none": np.nan}, nan_ok=True
    )


def test_nothing_to_find_and_nothing_found() -> None:
    none = pd.DataFrame({"target": [], "delineation": [], "iou": []})
    empty = compute_crown_curve(none, [0.5, 0.6], 0)
    assert shows(str(empty.reason), "reason.no_target")
    assert empty.points["recall"].isna().all()
    assert np.isnan(average_precision(empty))
    assert np.isnan(average_precision(compute_crown_curve(none, [], 0)))
    assert average_precision(compute_crown_curve(none, [], 3)) == 0.0
    assert average_precision(compute_crown_curve(none, [0.5], 3)) == 0.0


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            {"pairs": pd.DataFrame({"target": [0], "delineation": [0]})},
            raises("pairs.no_column", missing="iou"),
        ),
        (
            {"pairs": pd.DataFrame({"target": [0], "delineation": [5], "iou": [1.0]})},
            raises("pairs.too_few_confidences", detection=5),
        ),
        (
            {"pairs": pd.DataFrame({"target": [7], "delineation": [0], "iou": [1.0]})},
            raises("pairs.wrong_target_count"),
        ),
        ({"confidence": ["high"]}, raises("pairs.confidence_not_numeric")),
        ({"threshold": np.nan}, raises("matching.threshold_not_a_number")),
        ({"targets": -1}, raises("pairs.wrong_target_count")),
        ({"unscorable": [True, False]}, raises("pairs.wrong_mask_length")),
    ],
)
def test_bad_input_gets_a_sentence(change: dict, expected: ExpectedError) -> None:
    arguments = {
        "pairs": pd.DataFrame({"target": [0], "delineation": [0], "iou": [1.0]}),
        "confidence": [0.5],
        "targets": 1,
        "threshold": 0.5,
        "unscorable": None,
    }
    with expected:
        compute_crown_curve(**{**arguments, **change})


def test_average_precision_takes_the_best_precision_at_this_or_a_higher_recall() -> None:
    """Right, wrong, right, right: precision 1, 1/2, 2/3, 3/4."""
    pairs = pd.DataFrame({"target": [0, 1, 2], "delineation": [0, 2, 3], "iou": [0.9] * 3})
    curve = compute_crown_curve(pairs, [0.9, 0.8, 0.7, 0.6], 3)
    assert average_precision(curve) == pytest.approx((1 + 3 / 4 + 3 / 4) / 3)
