"""Samples, and Wilson's interval against published figures, its definition and simulated layers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq
from support.errors import raises
from support.examples import examples

from randcrowns.core.review.sampling import estimate_accepted_share, random_sample, score_classes

STRATA = st.lists(st.sampled_from("abc"), min_size=3, max_size=60)


@pytest.mark.parametrize(("right", "number"), [(0, 5), (5, 5), (81, 263), (15, 148), (1, 29)])
def test_one_stratum_is_wilsons_interval(right: int, number: int) -> None:
    """The ends p are the limits of the score test of a sample without replacement.

    (p - right/number)² = z² p (1 - p) / number · (N - number)/(N - 1), rounded outwards to crowns.
    """
    total = number + 10

    def beyond(p: float) -> float:
        variance = p * (1 - p) / number * (total - number) / (total - 1)
        return (p - right / number) ** 2 - 1.959963984540054**2 * variance

    judged = np.arange(total) < number
    found = estimate_accepted_share(np.zeros(total), judged, np.arange(total) < right)
    share = right / number
    low = 0.0 if right == 0 else brentq(beyond, 1e-12, share - 1e-9)
    high = 1.0 if right == number else brentq(beyond, share + 1e-9, 1 - 1e-12)
    fewest = max(math.floor(low * total), right)
    most = min(math.ceil(high * total), total - (number - right))
    assert found == pytest.approx((share, fewest / total, most / total, number), abs=1e-9)


def test_newcombes_published_figures() -> None:
    """Newcombe 1998 (Stat. Med. 17, Table I), in a layer far larger than the sample.

    81 of 263 gives 0.2553 to 0.3662, 15 of 148 gives 0.0624 to 0.1605.
    """
    for right, number, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)):
        crown = np.arange(2_000_000)
        found = estimate_accepted_share(np.zeros(len(crown)), crown < number, crown < right)
        assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_a_layer_that_is_reviewed_as_a_whole_has_no_uncertainty() -> None:
    found = estimate_accepted_share([0, 0, 1, 1, 1], [1] * 5, [1, 0, 1, 1, 0])
    assert found == pytest.approx((0.6, 0.6, 0.6, 5))
    # Of the second stratum, one crown has no verdict: 3 or 4 of 5 crowns are accepted.
    found = estimate_accepted_share([0, 0, 1, 1, 1], [1, 1, 1, 1, 0], [1, 0, 1, 1, 0])
    assert (found.low, found.high) == pytest.approx((3 / 5, 4 / 5))


@pytest.mark.parametrize("n_good", [30, 42, 48, 54, 57])
def test_the_coverage_of_a_large_sample(n_good: int) -> None:
    """20 of 60 crowns are reviewed: all outcomes with their hypergeometric probabilities.

    Without the correction the interval covers 98.5 to 100 %; it would fail with 30 and 48 of 60.
    """
    n_accepted = np.arange(21)
    probability = stats.hypergeom.pmf(n_accepted, 60, n_good, 20)
    crown = np.arange(60)
    covers = []
    for accepted in n_accepted:
        found = estimate_accepted_share(np.zeros(60), crown < 20, crown < accepted)
        covers.append(found.low - 1e-9 <= n_good / 60 <= found.high + 1e-9)
    coverage = probability[covers].sum()
    assert coverage >= 0.94
    if n_good in (30, 54):
        assert coverage <= 0.99


def test_the_share_is_weighted_to_the_whole_layer() -> None:
    """The share is 0.9 x 0.5 + 0.1 x 1.

    Half of 10 reviewed crowns of 90, and all of 5 reviewed crowns of 10 are accepted.
    """
    strata = np.repeat(["good", "bad"], [90, 10])
    judged = np.concatenate([np.arange(90) < 10, np.arange(10) < 5])
    accepted = np.concatenate([np.arange(90) < 5, np.arange(10) < 5])
    assert estimate_accepted_share(strata, judged, accepted).share == pytest.approx(0.55)


def test_a_stratum_without_a_verdict_is_unknown() -> None:
    found = estimate_accepted_share(["a", "a", "b"], [True, True, False], [True, True, False])
    assert math.isnan(found.share)
    assert math.isnan(found.low)
    assert found.reviewed == 2


def test_it_covers_what_it_says() -> None:
    """2,000 layers of three strata with shares 0.95, 0.6, 0.2, of which 40 crowns are judged."""
    rng = np.random.default_rng(5)
    strata = np.repeat([0, 1, 2], [600, 300, 100])
    held = 0
    for seed in range(2000):
        good = rng.random(1000) < np.array([0.95, 0.6, 0.2])[strata]
        judged = np.zeros(1000, dtype=bool)
        judged[random_sample(strata, 40, seed)] = True
        found = estimate_accepted_share(strata, judged, good)
        held += found.low <= good.mean() <= found.high
    assert 0.93 <= held / 2000 <= 0.99


@given(STRATA, st.integers(3, 70), st.integers(0, 9))
def test_a_sample_has_its_size_and_every_stratum(strata: list[str], size: int, seed: int) -> None:
    rows = random_sample(strata, size, seed)
    assert len(rows) == len(set(rows.tolist())) == min(size, len(strata))
    assert set(np.array(strata)[rows]) == set(strata)
    assert rows.tolist() == random_sample(strata, size, seed).tolist()


@settings(max_examples=examples(30))
@given(STRATA.filter(lambda strata: len(set(strata)) > 1))
def test_strata_have_their_share(strata: list[str]) -> None:
    """Of half of the crowns, each stratum gives half of its own, within one crown a stratum."""
    size = max(3, len(strata) // 2)
    rows = random_sample(strata, size)
    for name in set(strata):
        assert (
            abs(strata.count(name) * size / len(strata) - np.sum(np.array(strata)[rows] == name))
            <= 2
        )


def test_every_crown_is_as_likely() -> None:
    times = np.zeros(20)
    for seed in range(2000):
        times[random_sample(["x"] * 20, 5, seed)] += 1
    assert np.abs(times / 2000 - 0.25).max() < 0.05


def test_sizes_that_cannot_be() -> None:
    with raises("review.sample_too_small", parts=3):
        random_sample(list("abc"), 2)


def test_classes_of_the_map() -> None:
    assert score_classes([0, 0.2499, 0.25, 0.5, 0.75, 0.9, 1, math.nan]).tolist() == [
        0,
        0,
        1,
        2,
        3,
        4,
        4,
        -1,
    ]


def test_scores_at_a_limit_but_for_rounding_are_in_the_upper_class() -> None:
    """The tolerance of docs/numbers.md, 1e-8, at all limits of the classes."""
    limits = np.array([0.25, 0.5, 0.75, 0.9])
    assert score_classes(limits - 4e-9).tolist() == [1, 2, 3, 4]
    assert score_classes(limits - 4e-8).tolist() == [0, 1, 2, 3]
