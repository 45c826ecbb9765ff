import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import quad
from support.errors import ExpectedError, raises
from support.examples import examples

from randcrowns.core.detectors.curves import (
    ScoreOrder,
    aucr,
    integrate_p_bar_curve,
    interpolate_curves,
    roc_points,
)
from randcrowns.core.detectors.mean_precision import p_bar


def points_table(score: NDArray, truth: NDArray, valid: NDArray | None = None) -> pd.DataFrame:
    """A row per distinct score, highest first."""
    points = roc_points(score, truth, valid=valid)
    return pd.DataFrame(
        {
            "threshold": points.thresholds,
            "recall": points.recall,
            "p_bar": p_bar(points.recall, points.false_positive_rate),
            "precision": points.precision,
            "false_positive_rate": points.false_positive_rate,
            "true_positives": points.true_positives,
            "false_positives": points.false_positives,
        }
    )


def slow_counts(score: NDArray, truth: NDArray) -> list[tuple[float, int, int]]:
    """(threshold, true positives, false positives), one threshold after the other."""
    rows = []
    for threshold in sorted(set(score.tolist()), reverse=True):
        detected = score >= threshold
        rows.append((threshold, int((detected & truth).sum()), int((detected & ~truth).sum())))
    return rows


def slow_aucr(score: NDArray, truth: NDArray, low: float, high: float) -> float:
    """Adaptive quadrature of P̄ along every ROC piece."""
    positives, negatives = truth.sum(), (~truth).sum()
    points = [(0.0, 0.0)] + [
        (tp / positives, fp / negatives) for _, tp, fp in slow_counts(score, truth)
    ]
    area = 0.0
    for (t0, f0), (t1, f1) in zip(points, points[1:]):
        if t1 > t0:
            slope = (f1 - f0) / (t1 - t0)
            area += quad(
                lambda t, t0=t0, f0=f0, slope=slope: p_bar(
                    t, min(f0 + slope * (t - t0), 1.0), low, high
                ),
                t0,
                t1,
                epsabs=1e-14,
                epsrel=1e-13,
                limit=300,
            )[0]
    return area


@st.composite
def scenes(draw: st.DrawFn) -> tuple[NDArray, NDArray]:
    size = draw(st.integers(2, 30))
    truth = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    truth[0], truth[1] = True, False
    levels = draw(st.sampled_from([1, 3, 1000]))
    score = np.array(
        draw(st.lists(st.integers(0, levels), min_size=size, max_size=size)), dtype=float
    )
    return score, truth


@given(scenes())
@settings(max_examples=examples(100), deadline=None)
def test_counts_equal_a_slow_reference_at_every_distinct_score(
    scene: tuple[NDArray, NDArray],
) -> None:
    score, truth = scene
    curve = points_table(score, truth)
    expected = slow_counts(score, truth)
    columns = curve[["threshold", "true_positives", "false_positives"]]
    np.testing.assert_array_equal(columns.to_numpy(), np.array(expected))
    t, f = curve["true_positives"] / truth.sum(), curve["false_positives"] / (~truth).sum()
    np.testing.assert_array_equal(curve["recall"], t)
    np.testing.assert_array_equal(curve["false_positive_rate"], f)
    np.testing.assert_array_equal(curve["p_bar"], p_bar(t, f, 0.1, 0.5))
    np.testing.assert_array_equal(
        curve["precision"],
        curve["true_positives"] / (curve["true_positives"] + curve["false_positives"]),
    )
    assert curve["recall"].iloc[-1] == curve["false_positive_rate"].iloc[-1] == 1.0
    points = roc_points(score, truth)
    assert (points.reason, points.positives, points.negatives) == (
        None,
        truth.sum(),
        (~truth).sum(),
    )


@given(scenes(), st.sampled_from([(0.1, 0.5), (0.3, 1.0), (0.01, 0.02)]))
@settings(max_examples=examples(60), deadline=None)
def test_area_equals_adaptive_quadrature(
    scene: tuple[NDArray, NDArray], limits: tuple[float, float]
) -> None:
    assert aucr(*scene, *limits) == pytest.approx(slow_aucr(*scene, *limits), abs=1e-12)


@pytest.mark.parametrize("negatives", [1, 30, 10_000, 1_000_000])
@pytest.mark.parametrize(("low", "high"), [(0.1, 0.5), (0.0, 0.5)])
def test_area_of_one_positive_behind_one_false_alarm(
    negatives: int, low: float, high: float
) -> None:
    """The hardest piece: the whole rise close to where P̄ bends most. In 40 digits by mpmath."""
    mpmath = pytest.importorskip("mpmath")
    score = -np.arange(negatives + 1.0)
    truth = score == -1
    with mpmath.workdps(40):
        f, lo, hi = mpmath.mpf(1) / negatives, mpmath.mpf(low), mpmath.mpf(high)

        def height(t: object) -> object:
            if abs(t - f) < 1e-25:
                return (lo + hi) / 2
            return (
                t
                / (t - f)
                * (
                    1
                    - f
                    / ((t - f) * (hi - lo))
                    * mpmath.log((f + (t - f) * hi) / (f + (t - f) * lo))
                )
            )

        expected = mpmath.quad(
            height, [0, *sorted({float(f) * 10.0**k for k in range(-2, 7) if f * 10**k < 1}), 1]
        )
    assert aucr(score, truth, low, high) == pytest.approx(float(expected), abs=1e-12)


@given(scenes(), st.booleans())
@settings(max_examples=examples(80), deadline=None)
def test_pieces_from_the_marked_units_alone_are_the_pieces_of_the_points(
    scene: tuple[NDArray, NDArray], weighted: bool
) -> None:
    score, truth = scene
    order = ScoreOrder(score, np.linspace(0, 1, score.size) if weighted else None)
    for marked in (truth, ~truth, truth & False, truth | True):
        fast, plain = order.segments(marked), order.count_points(marked).segments
        for name in ("t0", "t1", "f0", "f1", "positives", "negatives", "reason"):
            np.testing.assert_array_equal(getattr(fast, name), getattr(plain, name))


@given(scenes())
@settings(max_examples=examples(50), deadline=None)
def test_only_the_order_of_scores_matters(scene: tuple[NDArray, NDArray]) -> None:
    score, truth = scene
    area = aucr(score, truth)
    for monotone in (
        np.exp(score / 100),
        score**3 - 7,
        np.arctan(score / 50),
        score.astype(np.float32),
        score.astype(int),
    ):
        assert aucr(monotone, truth) == area


@given(scenes(), st.randoms(use_true_random=False))
@settings(max_examples=examples(50), deadline=None)
def test_the_order_of_units_does_not_matter(scene: tuple[NDArray, NDArray], random: object) -> None:
    score, truth = scene
    shuffled = list(range(score.size))
    random.shuffle(shuffled)
    assert aucr(score[shuffled], truth[shuffled]) == aucr(score, truth)


def test_areas_known_by_hand() -> None:
    truth = np.array([True, True, False, False])
    assert aucr([4, 3, 2, 1], truth) == 1.0
    # A constant score is a straight ROC line, P̄ = (low + high)/2 all along it.
    assert aucr([7, 7, 7, 7], truth, 0.1, 0.5) == pytest.approx(0.3, abs=1e-15)
    # Everything wrong first: f = 1 while recall rises; limits close to 1/2: integral of t/(t + 1).
    assert aucr([1, 1, 2, 2], truth, 0.5 - 1e-8, 0.5 + 1e-8) == pytest.approx(
        1 - np.log(2), abs=1e-13
    )


def test_straight_on_the_roc_not_on_the_curve() -> None:
    """One long ROC piece: joining its two P̄ points by a straight line would give another area."""
    truth = np.array([True] * 10 + [False] * 100)
    score = np.concatenate([[2.0], np.ones(9), np.full(100, 1.0)])
    recall = np.array([0.1, 0.4, 1.0])
    points = roc_points(score, truth).segments
    f = (recall - 0.1) / 0.9
    table = interpolate_curves(points, recall)
    np.testing.assert_allclose(table["false_positive_rate"], f, atol=1e-15)
    np.testing.assert_allclose(table["p_bar"], p_bar(recall, f), atol=1e-14)
    np.testing.assert_allclose(
        table["precision"], 10 * recall / (10 * recall + 100 * f), atol=1e-14
    )
    assert integrate_p_bar_curve(points) == pytest.approx(
        slow_aucr(score, truth, 0.1, 0.5), abs=1e-12
    )


def test_curves_at_take_the_best_threshold_of_a_recall_and_the_limit_at_0() -> None:
    truth = np.array([True, False, True, False])
    points = roc_points([4, 3, 2, 1], truth).segments
    table = interpolate_curves(points, [0.0, 0.25, 0.5, 0.75, 1.0])
    np.testing.assert_allclose(table["false_positive_rate"], [0, 0, 0, 0.5, 0.5])
    np.testing.assert_allclose(table["p_bar"], [1, 1, 1, p_bar(0.75, 0.5), p_bar(1.0, 0.5)])
    wrong_first = interpolate_curves(roc_points([1, 2], [True, False]).segments, [0.0, 1.0])
    np.testing.assert_allclose(wrong_first["p_bar"], [0.0, 0.3])


@given(scenes())
@settings(max_examples=examples(50), deadline=None)
def test_curves_at_the_recalls_of_the_points_are_the_best_points(
    scene: tuple[NDArray, NDArray],
) -> None:
    points = roc_points(*scene).segments
    curve = points_table(*scene).query("recall > 0").groupby("recall")["p_bar"].max()
    np.testing.assert_allclose(interpolate_curves(points, curve.index)["p_bar"], curve, atol=1e-13)


@given(scenes())
@settings(max_examples=examples(50), deadline=None)
def test_a_whole_weight_is_as_many_units(scene: tuple[NDArray, NDArray]) -> None:
    score, truth = scene
    weight = 1 + np.arange(score.size) % 3
    repeated = aucr(np.repeat(score, weight), np.repeat(truth, weight))
    assert aucr(score, truth, weight=weight) == pytest.approx(repeated, abs=1e-13)
    assert aucr(score, truth, weight=weight * 0.125) == pytest.approx(repeated, abs=1e-13)


def test_units_without_a_score_or_outside_of_the_area_are_left_out_and_counted() -> None:
    score = np.ma.masked_equal([4.0, np.nan, 9.0, 3.0, 2.0, 1.0], 9.0)
    truth = np.array([1, 0, 0, 0, 1, 0])
    valid = np.array([1, 1, 1, 1, 1, 0], dtype=bool)
    points = roc_points(score, truth, valid=valid)
    assert points.positives + points.negatives == 3
    np.testing.assert_array_equal(points.thresholds, [4, 3, 2])
    assert aucr(score, truth, valid=valid) == aucr([4, 3, 2], [1, 0, 1])
    assert aucr([4, 3, 2, 8], [1, 0, 1, np.nan]) == aucr([4, 3, 2], [1, 0, 1])


@pytest.mark.parametrize("scale", [1e-12, 1e-300])
def test_scores_that_differ_ever_so_little_are_no_tie(scale: float) -> None:
    rng = np.random.default_rng(4)
    score = rng.normal(size=400)
    truth = score + rng.normal(size=400) > 0.5
    assert roc_points(scale * score, truth).thresholds.size == 400
    assert aucr(scale * score, truth) == aucr(score, truth)


def test_infinite_scores_are_scores() -> None:
    curve = points_table([np.inf, 1.0, -np.inf, -np.inf], [1, 0, 1, 0])
    np.testing.assert_array_equal(curve["threshold"], [np.inf, 1, -np.inf])
    np.testing.assert_array_equal(curve["recall"], [0.5, 0.5, 1.0])


@pytest.mark.parametrize(
    ("score", "truth", "reason"),
    [
        ([1.0, 2.0], [0, 0], "marks nothing"),
        ([1.0, 2.0], [1, 1], "marks everything"),
        ([], [], "No unit"),
        ([np.nan, np.nan], [1, 0], "No unit"),
        ([np.nan, 1.0], [1, 0], "marks nothing"),
    ],
)
def test_no_curve_is_nan_with_a_reason(score: list[float], truth: list[int], reason: str) -> None:
    assert np.isnan(aucr(np.array(score), np.array(truth, dtype=int)))
    points = roc_points(np.array(score), np.array(truth, dtype=int))
    assert reason in str(points.reason)
    assert points_table(np.array(score), np.array(truth, dtype=int))["p_bar"].isna().all()
    assert interpolate_curves(points.segments, [0.5])["p_bar"].isna().all()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (([1.0, 2.0], [1, 0, 1]), raises("ranking.different_shapes")),
        (([1.0, 2.0], [1, 2]), raises("ranking.truth_not_binary")),
        ((["a", "b"], [1, 0]), raises("array.not_numeric")),
        (([1.0, 2.0], ["a", "b"]), raises("ranking.truth_not_boolean")),
        (([1.0, 2.0], [1, 0], 0.5, 0.1), raises("skew.invalid_limits")),
    ],
)
def test_bad_input_gets_a_sentence(arguments: tuple, expected: ExpectedError) -> None:
    with expected:
        aucr(*arguments)


def test_skew_limits_are_checked_where_no_curve_can_be_drawn() -> None:
    nothing = roc_points([1.0, 2.0], [0, 0]).segments
    for refused in (
        lambda: interpolate_curves(nothing, [0.5], 0.5, 0.1),
        lambda: aucr([1.0, 2.0], [0, 0], 0.5, 0.1),
    ):
        with raises("skew.invalid_limits"):
            refused()


def test_bad_weights_and_areas_get_a_sentence() -> None:
    with raises("ranking.invalid_weight"):
        aucr([1, 2], [1, 0], weight=[1, -1])
    with raises("ranking.different_shapes"):
        aucr([1, 2], [1, 0], weight=[1])
    with raises("ranking.different_shapes"):
        aucr([1, 2], [1, 0], valid=[True])
