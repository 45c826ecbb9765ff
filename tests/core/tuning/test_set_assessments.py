"""Assessments at the exact limits, which whole experiments hardly ever meet."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.shown import shows

from randcrowns.core.tuning.search import (
    SetAssessment,
    assess_sets,
    format_score,
    no_choice_message,
)


def sets(variance, wrong, too_small=0, scored=20, mean=0.97, missed=0.0):
    """Return a grid with these columns and one row per variance."""
    columns = {
        "common_variance": variance,
        "wrong": wrong,
        "too_small": too_small,
        "scored": scored,
        "mean": mean,
        "missed_share": missed,
    }
    n = len(variance)
    return pd.DataFrame(
        {name: np.broadcast_to(np.array(values), n) for name, values in columns.items()}
    )


def judged(grid, limit=0.5, most_excluded=0.05, in_image=False):
    return assess_sets(grid, limit, most_excluded, in_image)


def test_wrong_pairs_that_reach_the_limit_refuse_a_set():
    # Rounding errors do not decide: a value that differs from the limit by 1e-9 reaches it.
    found = judged(sets([1e-3] * 4, [0.5, 0.5 - 1e-9, 0.5 - 1e-7, 0.6]))
    assert found["assessment"].tolist() == [
        SetAssessment.WRONG_PAIRS_TOO_HIGH,
        SetAssessment.WRONG_PAIRS_TOO_HIGH,
        SetAssessment.OFFERED,
        SetAssessment.WRONG_PAIRS_TOO_HIGH,
    ]
    assert found["reason"].tolist() == [
        "wrong pairs score 0.50 on average, and the threshold is 0.5",
        "wrong pairs score 0.50 on average, and the threshold is 0.5",
        "",
        "wrong pairs score 0.60 on average, and the threshold is 0.5",
    ]


def test_a_set_without_scored_wrong_pairs_is_refused():
    found = judged(sets([1e-3], [np.nan]))
    assert found["assessment"].tolist() == [SetAssessment.WRONG_PAIRS_TOO_HIGH]
    assert "all targets of wrong pairs are too small" in found["reason"][0]


def test_a_share_of_excluded_targets_at_the_limit_is_allowed():
    found = judged(sets([1e-3, 1e-3], 0.3, too_small=[5, 6], scored=[95, 94]))
    assert found["assessment"].tolist() == [SetAssessment.OFFERED, SetAssessment.TOO_MANY_EXCLUDED]
    assert (
        found["reason"][1]
        == "6 of 100 targets (6\N{NO-BREAK SPACE}%) are narrower than twice alpha and have no score"
    )


@pytest.mark.parametrize(
    ("too_small", "scored", "share"),
    [
        (4, 72, "5.3\N{NO-BREAK SPACE}%"),
        (12, 64, "16\N{NO-BREAK SPACE}%"),
        (501, 9499, "5.01\N{NO-BREAK SPACE}%"),
        (1, 0, "100\N{NO-BREAK SPACE}%"),
    ],
)
def test_a_share_over_the_limit_is_displayed_above_it(too_small, scored, share):
    grid = judged(sets([1e-3], 0.3, too_small, scored))
    assert f"({share})" in grid["reason"][0]
    assert shows(
        str(no_choice_message(grid, 0.5, 0.05, False)), "finding.too_many_excluded", most=5
    )
    assert shows(
        str(no_choice_message(grid, 0.5, 0.005, False)), "finding.too_many_excluded", most=0.5
    )


@pytest.mark.parametrize(
    ("score", "text"), [(0.503, "0.503"), (0.50321, "0.5032"), (0.512, "0.51"), (0.504, "0.504")]
)
def test_a_score_over_the_limit_is_displayed_above_it(score, text):
    grid = judged(sets([1e-3], score), limit=0.503)
    assert f"wrong pairs score {text} on average, and the threshold is 0.503" in grid["reason"][0]
    assert f"the lowest mean is {text}." in str(no_choice_message(grid, 0.503, 0.05, False))


def test_equally_good_sets_are_ordered_by_wrong_pairs():
    """A tier reaches 5e-6 above the lowest variance of the sets that remain."""
    variance = np.array([1.2, 6.1, 3.0, 6.3, 9.0, 12.0]) * 1e-6
    found = judged(sets(variance, [0.4, 0.3, 0.2, 0.2, 0.1, 0.1]))
    # 1.2, 3.0 and 6.1 are as good; of the rest 6.3 and 9.0; then 12.0 is beyond 6.3 by more.
    assert found["rank"].tolist() == [3, 2, 1, 5, 4, 6]


def test_a_refused_set_does_not_split_those_that_are_equally_good():
    found = judged(sets(np.array([1.0, 4.0, 7.0]) * 1e-6, [0.6, 0.3, 0.2]))
    assert found["rank"].tolist() == [pd.NA, 2, 1]


def test_order_follows_variance_up_to_the_error_of_the_tables():
    rng = np.random.default_rng(0)
    found = judged(sets(rng.uniform(0, 1e-4, 300), rng.uniform(0, 0.49, 300))).sort_values("rank")
    variance = found["common_variance"].to_numpy()
    least_to_come = np.minimum.accumulate(variance[::-1])[::-1]
    assert (variance <= least_to_come + 5e-6).all()
    assert (np.diff(variance) < 0).any()


def test_variances_within_the_error_of_the_tables_are_not_degenerate():
    found = judged(sets([1e-4, 1e-4 - 4e-6, 1e-4 - 6e-6], [0.3, 0.7, 0.7]))
    assert found["assessment"].tolist() == [
        SetAssessment.OFFERED,
        SetAssessment.WRONG_PAIRS_TOO_HIGH,
        SetAssessment.DEGENERATE,
    ]
    assert found["reason"][2] == (
        "the variance is low (9.4\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻⁵) only because everything scores high: wrong pairs 0.70 on "
        "average, right ones 0.97"
    )


def test_reason_of_a_degenerate_set_just_over_the_limit():
    found = judged(sets([1e-3, 1e-4], [0.3, 0.503]))
    assert found["assessment"].tolist() == [SetAssessment.OFFERED, SetAssessment.DEGENERATE]
    assert found["reason"][1] == (
        "the variance (1.0\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻⁴) is below that of every set that can be chosen, but wrong pairs "
        "score 0.503 on average, and the threshold is 0.5"
    )


def test_right_pairs_that_score_no_higher_than_wrong_ones_refuse_a_set():
    found = judged(sets([0.0, 0.0, 1e-3], 0.25, mean=[0.25, np.nextafter(0.25, 1), 0.0]))
    low = SetAssessment.RIGHT_PAIRS_TOO_LOW
    assert found["assessment"].tolist() == [low, SetAssessment.OFFERED, low]
    assert found["rank"].tolist() == [pd.NA, 1, pd.NA]
    assert found["reason"].tolist() == [
        "right pairs score 0.25 on average, no more than wrong ones (0.25)",
        "",
        "right pairs score 0.00 on average, no more than wrong ones (0.25)",
    ]


def test_a_set_that_misses_most_right_pairs_is_refused():
    found = judged(sets([0.0, 0.0], 0.1, mean=0.4, missed=[0.5, 0.504]))
    assert found["assessment"].tolist() == [
        SetAssessment.OFFERED,
        SetAssessment.RIGHT_PAIRS_TOO_LOW,
    ]
    assert found["reason"][1].startswith(
        "in 50.4\N{NO-BREAK SPACE}% of the right pairs the delineation does not "
    )
    assert no_choice_message(found, 0.5, 0.05, False) is None
    assert shows(str(no_choice_message(found[1:], 0.5, 0.05, False)), "finding.right_pairs_too_low")


def test_right_pairs_too_low_precedes_wrong_pairs_too_high():
    """A set whose right pairs score low is not called one that scores everything high."""
    found = judged(sets([0.0, 1e-3], [0.6, 0.3], mean=[0.1, 0.9]))
    assert found["assessment"].tolist() == [
        SetAssessment.RIGHT_PAIRS_TOO_LOW,
        SetAssessment.OFFERED,
    ]


@pytest.mark.parametrize(
    ("score", "text"),
    [(0.4999, "0.4999"), (0.5, "0.50"), (0.5001, "0.5001"), (0.494, "0.49"), (0.0, "0.00")],
)
def test_score_words_show_the_side_of_the_limit(score, text):
    assert format_score(score, 0.5) == text
