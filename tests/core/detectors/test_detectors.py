import threading
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import pearsonr
from scipy.stats import t as student
from support.errors import ExpectedError, raises
from support.examples import examples
from support.shown import shows

from randcrowns.core.agreement.consensus import agreement_levels
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.detectors.correlations import correlate_with_agreement
from randcrowns.core.detectors.curves import aucr, interpolate_curves, roc_points
from randcrowns.core.detectors.ranking import rank_detectors
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.core.errors import Cancelled


def scene(seed: int = 3) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
    rng = np.random.default_rng(seed)
    real = rng.normal(size=(30, 40))
    scores = {
        name: real + noise * rng.normal(size=real.shape)
        for name, noise in (("sharp", 0.2), ("dull", 2.0))
    }
    truths = {f"A{k}": real + 0.3 * rng.normal(size=real.shape) > 1.0 for k in range(3)}
    return scores, truths


def test_every_detector_under_every_ground_truth() -> None:
    scores, truths = scene()
    ranking = rank_detectors(scores, truths, 0.05, 0.4)
    for detector, score in scores.items():
        for truth, marked in truths.items():
            assert ranking.aucr.loc[detector, truth] == aucr(score, marked, 0.05, 0.4)
            curve = ranking.curves.query("detector == @detector and truth == @truth").reset_index(
                drop=True
            )
            expected = interpolate_curves(
                roc_points(score, marked).segments, np.linspace(0, 1, 101), 0.05, 0.4
            )
            pd.testing.assert_frame_equal(curve[expected.columns], expected)
    assert (ranking.ranks.loc["sharp"] == 1).all()
    assert [(r.order, r.truths) for r in ranking.rankings] == [
        (("sharp", "dull"), ("A0", "A1", "A2"))
    ]
    assert (ranking.kendall_tau == 1).all(axis=None)
    assert ranking.skew["A1"] == pytest.approx(truths["A1"].mean())
    assert (ranking.n_used, ranking.n_excluded, ranking.reasons) == (1200, 0, {})


def test_bands_span_the_curves_of_all_ground_truths() -> None:
    ranking = rank_detectors(*scene())
    bands = ranking.p_bar_ranges
    assert len(bands) == 2 * 101
    assert bands["detector"].unique().tolist() == ["sharp", "dull"]
    at = ranking.curves.query("detector == 'dull' and recall == 0.5")["p_bar"]
    row = bands.query("detector == 'dull' and recall == 0.5").iloc[0]
    assert (row["lowest"], row["median"], row["highest"]) == (at.min(), at.median(), at.max())


def test_arrays_and_lists_get_names() -> None:
    scores, truths = scene()
    ranking = rank_detectors(list(scores.values()), np.stack(list(truths.values())))
    assert ranking.aucr.index.tolist() == ["Detector 1", "Detector 2"]
    assert ranking.aucr.columns.tolist() == ["Ground truth 1", "Ground truth 2", "Ground truth 3"]
    flat = pd.DataFrame({name: score.ravel() for name, score in scores.items()})
    by_frame = rank_detectors(flat, {name: truth.ravel() for name, truth in truths.items()})
    np.testing.assert_array_equal(by_frame.aucr.to_numpy(), ranking.aucr.to_numpy())


def test_all_detectors_are_judged_on_the_same_units() -> None:
    scores, truths = scene()
    scores["sharp"][:10] = np.nan
    valid = np.ones((30, 40), dtype=bool)
    valid[-5:] = False
    ranking = rank_detectors(scores, truths, valid=valid)
    both = np.s_[10:25]
    assert (ranking.n_used, ranking.n_excluded) == (15 * 40, 15 * 40)
    for name, score in scores.items():
        assert ranking.aucr.loc[name, "A0"] == aucr(score[both], truths["A0"][both])


def test_what_has_no_value_is_nan_with_a_reason_and_spoils_nothing_else() -> None:
    scores, truths = scene()
    clean = rank_detectors(scores, truths)
    scores["blank"] = np.full((30, 40), np.nan)
    scores["flat"] = np.zeros((30, 40))
    truths["nobody"] = np.zeros((30, 40), dtype=bool)
    truths["everybody"] = np.ones((30, 40), dtype=bool)
    ranking = rank_detectors(scores, truths)
    pd.testing.assert_frame_equal(
        ranking.aucr.loc[["sharp", "dull"], ["A0", "A1", "A2"]], clean.aucr
    )
    assert ranking.aucr.loc["blank"].isna().all()
    assert ranking.aucr[["nobody", "everybody"]].isna().all(axis=None)
    assert ranking.aucr.loc["flat", "A0"] == pytest.approx(0.3, abs=1e-14)
    assert set(ranking.reasons) == {"blank", "nobody", "everybody"}
    assert shows(str(ranking.reasons["nobody"]), "reason.no_positive")
    assert shows(str(ranking.reasons["blank"]), "reason.no_score")
    assert ranking.rankings[0].order == ("sharp", "dull", "flat")
    assert (ranking.n_used, ranking.n_excluded) == (1200, 0)


def test_no_detector_has_a_score() -> None:
    _, truths = scene()
    ranking = rank_detectors({"blank": np.full((30, 40), np.nan)}, truths)
    assert ranking.aucr.isna().all(axis=None)
    assert ranking.rankings == ()
    assert ranking.curves.empty
    assert ranking.p_bar_ranges.empty
    assert "detector" in ranking.curves


def test_identical_detectors_tie() -> None:
    scores, truths = scene()
    ranking = rank_detectors({"a": scores["sharp"], "b": np.exp(scores["sharp"])}, truths)
    assert ranking.rankings[0].places == (("a", "b"),)


def test_weights_count_as_area() -> None:
    scores, truths = scene()
    weight = np.linspace(0.5, 2, 1200).reshape(30, 40)
    ranking = rank_detectors(scores, truths, weight=weight)
    assert ranking.aucr.loc["dull", "A2"] == aucr(scores["dull"], truths["A2"], weight=weight)
    assert ranking.skew["A0"] == pytest.approx(weight[truths["A0"]].sum() / weight.sum())


def test_a_tolerance_forgives_a_shift() -> None:
    truth = np.zeros((40, 40), dtype=bool)
    truth[10:20, 10:20] = True
    shifted = np.roll(truth, 1, axis=0).astype(float) * np.random.default_rng(0).uniform(
        0.5, 1, truth.shape
    )
    assert rank_detectors([shifted], [truth]).aucr.iloc[0, 0] < 0.95
    assert (
        rank_detectors([shifted], [truth], tolerance=Tolerance(0.1, 0.1, 0.1)).aucr.iloc[0, 0]
        == 1.0
    )
    exact = rank_detectors([shifted], [truth], tolerance=Tolerance(0.0)).aucr.iloc[0, 0]
    assert exact == rank_detectors([shifted], [truth]).aucr.iloc[0, 0]


def test_a_tolerance_judges_marked_and_other_units_by_their_own_scores() -> None:
    scores, truths = scene()
    scores["dull"] = np.round(scores["dull"], 1)
    scores["dull"][5, 5] = np.nan
    valid = np.ones((30, 40), dtype=bool)
    valid[:, :8] = False
    valid[5, 5] = False
    tolerance, weight = Tolerance(1.5), np.linspace(1, 2, 1200).reshape(30, 40)
    ranking = rank_detectors(scores, truths, valid=valid, tolerance=tolerance, weight=weight)
    for name, score in scores.items():
        highest = tolerance.highest_score_nearby(np.where(valid, score, -np.inf))
        for truth, marked in truths.items():
            counted = tolerance.counted_mask(marked & valid) & valid
            expected = aucr(np.where(marked, highest, score), marked, valid=counted, weight=weight)
            assert ranking.aucr.loc[name, truth] == pytest.approx(expected, abs=1e-13)
            assert ranking.aucr.loc[name, truth] > aucr(score, marked, valid=valid, weight=weight)


def test_cancel_stops_and_leaves_no_thread() -> None:
    scores, truths = scene()
    before = threading.active_count()

    def cancel(fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        rank_detectors(scores, truths, progress=cancel)
    while threading.active_count() > before:  # what was begun still ends
        time.sleep(0.01)


def test_progress_rises_to_1() -> None:
    told: list[float] = []
    rank_detectors(*scene(), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) == 2 + 6


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda s, t: ({}, t), raises("ranking.no_detector_or_truth")),
        (lambda s, t: (s, {}), raises("ranking.no_detector_or_truth")),
        (
            lambda s, t: ({**s, "small": np.zeros((3, 3))}, t),
            raises("ranking.different_shapes", name="small"),
        ),
        (
            lambda s, t: (s, {**t, "small": np.zeros((3, 3), dtype=bool)}),
            raises("ranking.different_shapes", name="small"),
        ),
        (
            lambda s, t: (s, {**t, "counts": np.full((30, 40), 3)}),
            raises("ranking.truth_not_binary", name="counts"),
        ),
        (
            lambda s, t: ({**s, "text": np.full((30, 40), "a")}, t),
            raises("array.not_numeric", name="text"),
        ),
    ],
)
def test_bad_input_gets_a_sentence(change: object, expected: ExpectedError) -> None:
    with expected:
        rank_detectors(*change(*scene()))


def test_skew_limits_are_checked_where_no_curve_can_be_drawn() -> None:
    with raises("skew.invalid_limits"):
        rank_detectors({"a": [1.0, 2.0]}, {"nothing": [0, 0]}, 0.5, 0.1)


def test_agreement_levels() -> None:
    levels = agreement_levels([0, 1, 2, 3], 3)
    assert list(levels) == ["at least 1 of 3", "at least 2 of 3", "at least 3 of 3"]
    np.testing.assert_array_equal(levels["at least 2 of 3"], [False, False, True, True])


def test_correlations_equal_scipy_where_marked_and_everywhere() -> None:
    rng = np.random.default_rng(0)
    votes = rng.integers(0, 5, (20, 20))
    score = votes + rng.normal(size=votes.shape)
    cco, cci, difference, why = correlate_with_agreement(score, votes)[:4]
    marked = votes > 0
    assert cco == pytest.approx(pearsonr(score[marked], votes[marked])[0], abs=1e-13)
    assert cci == pytest.approx(pearsonr(score.ravel(), votes.ravel())[0], abs=1e-13)
    assert difference == pytest.approx(cci - cco)
    assert why is None


def test_correlations_by_hand() -> None:
    result = correlate_with_agreement([5.0, 1.0, 2.0, 3.0], [0, 1, 2, 3])
    assert result.cco == pytest.approx(1.0)
    # Means 11/4 and 3/2; covariance sum -2.5, variances sums 8.75 and 5.
    assert result.cci == pytest.approx(-2.5 / np.sqrt(8.75 * 5))


def test_correlations_of_a_vote_table() -> None:
    scores, truths = scene()
    stack = np.stack(list(truths.values()))
    expected = correlate_with_agreement(scores["dull"], stack.sum(axis=0))
    assert correlate_with_agreement(scores["dull"], VoteTable.from_stack(stack)) == expected
    outside = np.zeros((30, 40), dtype=bool)
    outside[:7] = True
    masked = correlate_with_agreement(scores["dull"], VoteTable.from_stack(stack, outside))
    assert masked == correlate_with_agreement(scores["dull"], stack.sum(axis=0), valid=~outside)
    assert masked == correlate_with_agreement(
        np.where(outside, np.nan, scores["dull"]), stack.sum(axis=0)
    )


@given(st.floats(1e-3, 1e3), st.floats(-100, 100))
@settings(max_examples=examples(30), deadline=None)
def test_correlations_do_not_change_with_scale(scale: float, shift: float) -> None:
    votes = np.array([0, 0, 1, 2, 3, 1])
    score = np.array([0.1, 0.4, 0.3, 0.7, 0.8, 0.2])
    np.testing.assert_allclose(
        correlate_with_agreement(scale * score + shift, votes)[:3],
        correlate_with_agreement(score, votes)[:3],
        atol=1e-9,
    )


def test_a_whole_weight_is_as_many_units() -> None:
    votes, score, weight = (
        np.array([0, 1, 2, 3]),
        np.array([2.0, 1.0, 4.0, 3.0]),
        np.array([1, 3, 2, 0]),
    )
    np.testing.assert_allclose(
        correlate_with_agreement(score, votes, weight=weight)[:3],
        correlate_with_agreement(np.repeat(score, weight), np.repeat(votes, weight))[:3],
    )


def test_units_without_weight_do_not_count() -> None:
    result = correlate_with_agreement([1.0, 2.0, 3.0, -np.inf], [0, 1, 2, 2], weight=[1, 1, 1, 0])
    np.testing.assert_allclose(result[:3], (1.0, 1.0, 0.0), atol=1e-12)


@pytest.mark.parametrize(
    ("score", "votes", "cco", "cci", "why"),
    [
        ([1.0, 1.0, 1.0], [0, 1, 2], np.nan, np.nan, "Its score is the same everywhere."),
        (
            [1.0, 2.0, 3.0],
            [0, 0, 0],
            np.nan,
            np.nan,
            "The same number of annotators marked every place.",
        ),
        (
            [0.0, 1.0, 1.0],
            [0, 1, 2],
            np.nan,
            np.sqrt(3) / 2,
            "Its score is the same at all places that anyone marked.",
        ),
        ([-np.inf, 1.0, 2.0], [0, 1, 2], 1.0, np.nan, "Some scores are infinite."),
        ([np.nan, np.nan], [0, 1], np.nan, np.nan, "There is no place with a score."),
        ([0.0, 1.0, 2.0], [0, 1, 2], 1.0, 1.0, ""),
    ],
)
def test_what_does_not_vary_has_no_correlation(
    score: list, votes: list, cco: float, cci: float, why: str
) -> None:
    result = correlate_with_agreement(score, votes)
    np.testing.assert_allclose(result[:2], [cco, cci])
    assert str(result.reason or "") == why


def test_correlations_of_unlike_shapes() -> None:
    with raises("ranking.different_shapes"):
        correlate_with_agreement([1.0, 2.0], [1, 2, 3])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (([[1], [1, 2]], [[1], [0, 1]]), raises("array.ragged", name="The score")),
        (([1, 2], [[1], [0, 1]]), raises("array.ragged", name="The ground truth")),
        (
            ([1, 2], [0, 1], None, 0.5),
            raises("argument.wrong_type", name="aucr: min_skew", expected="a number", value="None"),
        ),
    ],
)
def test_what_is_no_array_gets_a_sentence(arguments: tuple, expected: ExpectedError) -> None:
    with expected:
        aucr(*arguments)


def test_weights_of_texts_get_a_sentence() -> None:
    with raises("array.not_numeric", name="The weight"):
        aucr([1.0, 2.0], [0, 1], weight=["a", "b"])


def test_no_detector_is_lost_to_a_name_that_is_there_twice() -> None:
    score, truth = np.array([0.1, 0.4, 0.3]), np.array([0, 1, 0])
    two_columns = pd.DataFrame(np.column_stack([score, -score]), columns=["a", "a"])
    for scores in (two_columns, {1: score, "1": -score}):
        with raises("ranking.repeated_name", kind="Detector"):
            rank_detectors(scores, {"truth": truth})
    with raises("ranking.repeated_name", kind="Ground truth", name="1"):
        rank_detectors({"a": score}, {1: truth, "1": truth})


def test_detectors_that_share_no_unit_have_no_value_in_any_order() -> None:
    west, east = np.array([0.1, 0.9, np.nan, np.nan]), np.array([np.nan, np.nan, 0.2, 0.8])
    scores, truth = (
        {"west": west, "east": east, "none": np.full(4, np.nan)},
        {"truth": np.array([0, 1, 0, 1])},
    )
    for order in (scores, dict(reversed(scores.items()))):
        found = rank_detectors(order, truth)
        assert found.aucr.isna().all(axis=None)
        assert (
            str(found.reasons["west"])
            == str(found.reasons["east"])
            == "No pixel has a score from every detector."
        )
        assert str(found.reasons["none"]) == "It has no score inside the study area."
        assert found.rankings == ()


def slow_blocks(x, y, w, labels, shape, level):
    """Compute interval and p-value by trying every correlation, with sums over 3 x 3 blocks."""
    mean_x, mean_y = (w @ x) / w.sum(), (w @ y) / w.sum()
    parts = []
    for one, other in (
        (x - mean_x, x - mean_x),
        (y - mean_y, y - mean_y),
        (x - mean_x, y - mean_y),
    ):
        cells = np.zeros(shape)
        for k, label in enumerate(labels):
            cells[label // shape[1], label % shape[1]] += w[k] * one[k] * other[k]
        parts.append(cells)
    xx, yy, xy = parts

    def variance(cells):
        near = 0.0
        for (r, c), value in np.ndenumerate(cells):
            for down in (-1, 0, 1):
                for right in (-1, 0, 1):
                    if 0 <= r + down < shape[0] and 0 <= c + right < shape[1]:
                        near += value * cells[r + down, c + right] * 0.5 ** (abs(down) + abs(right))
        return max((cells * cells).sum(), near)

    effective = yy.sum() ** 2 / (yy * yy).sum()
    part = xy / np.sqrt(xx.sum() * yy.sum())
    weight = (xx / xx.sum() + yy / yy.sum()) / 2
    limit = student.ppf((1 + level) / 2, effective - 1)
    inside = [
        rho
        for rho in np.linspace(-1, 1, 4001)
        if (part.sum() - rho) ** 2 <= limit**2 * variance(part - rho * weight)
    ]
    p_value = 2 * student.sf(abs(part.sum()) / np.sqrt(variance(part)), effective - 1)
    return inside[0], inside[-1], p_value


def test_intervals_of_correlations_count_tiles() -> None:
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 30, 600)
    votes = rng.integers(0, 4, 600).astype(float)
    score = votes + rng.normal(0, 2, 600) + rng.normal(0, 0.5, 30)[labels]
    weight = rng.uniform(0.5, 2, 600)
    found = correlate_with_agreement(
        score, votes, weight=weight, blocks=labels, tiles_per_row=6, level=0.8
    )
    for interval, used in ((found.cci_interval, votes >= 0), (found.cco_interval, votes > 0)):
        expected = slow_blocks(score[used], votes[used], weight[used], labels[used], (5, 6), 0.8)
        assert interval[:2] == pytest.approx(expected[:2], abs=1e-3)
        assert interval[2] == pytest.approx(expected[2], rel=1e-6)
    assert found.cci_interval[0] < found.cci < found.cci_interval[1]


def test_one_tile_gives_no_interval() -> None:
    score, votes = np.arange(20.0), np.arange(20) // 4
    found = correlate_with_agreement(score, votes, blocks=np.zeros(20))
    assert np.isnan(found.cci_interval).all()
    assert found.cci > 0.9
