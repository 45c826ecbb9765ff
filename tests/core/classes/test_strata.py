"""Strata: their limits, their table, and the test that they differ, which holds its level."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from scipy import stats
from support.errors import raises
from support.examples import examples

from randcrowns.core.classes.strata import (
    Strata,
    area_strata,
    category_strata,
    compare_strata,
    crowding,
    edge_distance,
    number_strata,
    strata_table,
)
from randcrowns.core.crowns import Crowns
from randcrowns.core.statistics import mean_interval


def test_quartiles_contain_equal_numbers_and_equal_values_stay_together():
    strata = number_strata(np.arange(100.0))
    assert np.bincount(strata.codes).tolist() == [25, 25, 25, 25]
    strata = number_strata([1, 1, 1, 1, 1, 2, 3, 4])
    assert strata.labels == ("< 2.25", ">= 2.25")
    assert strata.codes.tolist() == [0] * 6 + [1] * 2
    assert number_strata([1, 1, 1]).labels == ("all",)
    assert number_strata([np.nan]).codes.tolist() == [-1]


def test_own_breaks_include_the_lower_limit():
    strata = number_strata([4.9, 5, 9.99, 10, np.nan], [5, 10])
    assert strata == (("< 5", "5 to < 10", ">= 10"), strata.codes)
    assert strata.codes.tolist() == [0, 1, 1, 2, -1]
    names = number_strata([1.0], [1.00001, 1.00002]).labels
    assert len(set(names)) == 3


@pytest.mark.parametrize("breaks", [[], [2, 2], [3, 1], [1, np.inf]])
def test_breaks_must_rise(breaks):
    with raises("strata.invalid_breaks"):
        number_strata([1.0, 2.0], breaks)


def test_areas_by_breaks_and_by_the_classes_of_coco():
    # At 0.1 m a square of 3.2 m has 32² pixels, one of 9.6 m has 96².
    sides = np.array([3.19, 3.21, 9.59, 9.61])
    crowns = Crowns(shapely.box(0, 0, sides, sides))
    assert area_strata(crowns, pixel_size=0.1).codes.tolist() == [0, 1, 1, 2]
    assert area_strata(crowns, [50.0]).codes.tolist() == [0, 0, 1, 1]
    with raises("strata.pixel_size"):
        area_strata(crowns, [50.0], 0.1)
    with raises("strata.pixel_size"):
        area_strata(crowns, pixel_size=0.0)


def test_crowding_counts_overlaps_of_the_same_plot():
    targets = Crowns(shapely.box([0, 10], 0, [4, 14], 4), plots=["a", "b"])
    drawn = shapely.box([1, 3, 4, 11], 0, [2, 5, 8, 12], 4)
    assert crowding(targets, Crowns(drawn)).tolist() == [2, 1]
    assert crowding(targets, Crowns(drawn, plots=["a", "a", "a", "a"])).tolist() == [2, 0]


def test_distance_to_the_edge_of_the_image():
    crowns = Crowns(shapely.box([1, 8, -9, 4], 3, [2, 11, -8, 5], 5))
    assert edge_distance(crowns, (0, 0, 10, 10)).tolist() == [1, 0, 0, 3]
    with raises("strata.no_extent"):
        edge_distance(crowns, None)


def test_table_by_hand():
    strata = category_strata(["a", "a", "b", None])
    table = strata_table(
        strata,
        {"iou": [0.2, 0.4, np.nan, 0.9]},
        plots=["p", "q", "q", "q"],
        is_found=[False, True, True, True],
        problems=["split", None, "merged", "split"],
    )
    assert table.index.tolist() == ["a", "b", "n/a"]
    assert table["crowns"].tolist() == [2, 1, 1]
    assert table["plots"].tolist() == [2, 1, 1]
    assert table["iou_mean"].tolist() == pytest.approx([0.3, np.nan, 0.9], nan_ok=True)
    assert table["found"].tolist() == [1, 1, 1]
    assert table["found_share"].tolist() == [0.5, 1, 1]
    assert table["problem: split"].tolist() == [1, 0, 1]
    assert table["problem: merged"].tolist() == [0, 1, 0]


def test_intervals_of_strata_are_those_of_the_summary():
    rng = np.random.default_rng(1)
    plots = np.repeat(np.arange(8), 10)
    score = rng.random(80)
    strata = category_strata(rng.choice(["a", "b"], 80))
    table = strata_table(strata, {"iou": score}, plots=plots)
    rows = strata.codes == 1
    low, high = mean_interval(score[rows], 1 + plots[rows])
    assert table.loc["b", ["iou_low", "iou_high"]].tolist() == pytest.approx([low, high], abs=1e-12)


def test_difference_of_separate_crowns_is_close_to_welchs():
    # Without plots the jackknife of a mean is its standard error.
    rng = np.random.default_rng(2)
    first, second = rng.normal(0.5, 0.1, 60), rng.normal(0.55, 0.2, 60)
    strata = Strata(("a", "b"), np.repeat([0, 1], 60))
    row = compare_strata(strata, {"iou": np.append(first, second)}).iloc[0]
    error = np.sqrt(first.var(ddof=1) / 60 + second.var(ddof=1) / 60)
    assert row["difference"] == pytest.approx(first.mean() - second.mean())
    assert (row["high"] - row["low"]) / 2 == pytest.approx(stats.t.ppf(0.975, 59) * error, rel=1e-9)
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(row["difference"]) / error, 59), rel=1e-9)


def test_difference_within_plots_is_that_of_paired_means():
    # Every plot has 5 crowns of both strata: the test is the paired t-test of the plots' means.
    rng = np.random.default_rng(3)
    plots = np.repeat(np.arange(12), 10)
    codes = np.tile([0] * 5 + [1] * 5, 12)
    score = rng.normal(0.5, 0.1, 12)[plots] + rng.normal(0, 0.1, 120) + 0.03 * codes
    row = compare_strata(Strata(("a", "b"), codes), {"iou": score}, plots).iloc[0]
    means = np.array(
        [[score[(plots == p) & (codes == c)].mean() for p in range(12)] for c in (0, 1)]
    )
    assert row["p"] == pytest.approx(stats.ttest_rel(*means).pvalue, rel=1e-9)


def simulate(
    kind: str, seed: int, difference: float = 0.0
) -> tuple[Strata, np.ndarray, np.ndarray]:
    """Return three strata of 10 plots with 20 crowns, of an intraclass correlation of 0.3."""
    rng = np.random.default_rng(seed)
    plots = np.repeat(np.arange(10), 20)
    value = rng.normal(0, np.sqrt(0.3), 10)[plots] + rng.normal(0, np.sqrt(0.7), 200)
    if kind == "within":
        codes = rng.integers(0, 3, 200)
    elif kind == "between":
        codes = plots % 2
    else:
        shares = rng.dirichlet(np.full(3, 0.7), 10)
        codes = (rng.random(200)[:, None] > shares.cumsum(axis=1)[plots]).sum(axis=1).clip(max=2)
    score = 1 / (1 + np.exp(-(0.6 + value + difference * codes)))
    return Strata(("a", "b", "c"), codes), score, plots


@pytest.mark.parametrize("kind", ["within", "between", "mixed"])
def test_claim_that_strata_differ_holds_its_level(kind):
    n = examples(1000)
    n_claims = 0
    for seed in range(n):
        strata, score, plots = simulate(kind, seed)
        n_claims += compare_strata(strata, {"iou": score}, plots)["differs"].any()
    # The upper limit has a chance of 1 % at a level of exactly 5 %.
    assert n_claims <= stats.binom.ppf(0.99, n, 0.05)


def test_large_difference_is_claimed():
    for seed in range(10):
        strata, score, plots = simulate("within", seed, difference=1.0)
        table = compare_strata(strata, {"iou": score}, plots)
        assert table.loc[(table["first"] == "a") & (table["second"] == "c"), "differs"].all()


def test_p_values_are_adjusted_over_all_pairs_and_scores():
    strata, score, plots = simulate("within", 1)
    table = compare_strata(strata, {"iou": score, "half": score / 2}, plots)
    assert len(table) == 6
    p = np.sort(table["p"])
    holm = np.minimum(np.maximum.accumulate(p * np.arange(6, 0, -1)), 1)
    assert np.sort(table["p_adjusted"]) == pytest.approx(holm)


def test_order_of_crowns_changes_nothing():
    strata, score, plots = simulate("mixed", 5)
    order = np.random.default_rng(1).permutation(200)
    first = compare_strata(strata, {"iou": score}, plots)
    second = compare_strata(
        Strata(strata.labels, strata.codes[order]), {"iou": score[order]}, plots[order]
    )
    columns = ["difference", "low", "high", "p", "p_adjusted"]
    np.testing.assert_allclose(first[columns], second[columns], rtol=1e-9)


def test_too_few_units_and_constant_scores_make_no_claim():
    codes = np.repeat([0, 1], 20)
    strata = Strata(("a", "b"), codes)
    row = compare_strata(strata, {"iou": codes * 0.9}).iloc[0]
    assert np.isnan(row["p"])
    assert not row["differs"]
    assert "do not vary" in row["reason"]
    # Stratum b lies in 2 plots only.
    row = compare_strata(
        strata, {"iou": np.linspace(0, 1, 40)}, np.append(np.arange(20), [1, 2] * 10)
    )
    assert row["reason"].tolist() == ["a stratum occurs in fewer than 5 plots"]
    row = compare_strata(Strata(("a", "b"), np.zeros(20, int)), {"iou": np.linspace(0, 1, 20)})
    assert row["reason"].tolist() == ["a stratum has fewer than 10 crowns"]


@pytest.mark.parametrize("n_plots", [10, 20])
def test_intervals_of_strata_cover_the_mean(n_plots):
    n = examples(600)
    n_covered = n_intervals = 0
    for seed in range(n):
        rng = np.random.default_rng(seed)
        plots = np.repeat(np.arange(n_plots), 20)
        value = rng.normal(0, np.sqrt(0.3), n_plots)[plots] + rng.normal(
            0, np.sqrt(0.7), len(plots)
        )
        score = stats.norm.cdf(value)  # uniform, with mean 1/2
        table = strata_table(
            category_strata(rng.integers(0, 2, len(plots))), {"iou": score}, plots=plots
        )
        n_covered += int(((table["iou_low"] <= 0.5) & (table["iou_high"] >= 0.5)).sum())
        n_intervals += len(table)
    # 93 to 97 %, and three standard errors of the simulation of strata in the same plots.
    error = 3 * np.sqrt(0.95 * 0.05 / n)
    assert 0.93 - error <= n_covered / n_intervals <= 0.97 + error


def test_one_value_per_crown_is_required():
    strata = category_strata(["a", "b"])
    with raises("strata.wrong_count", crowns=2, what="iou"):
        strata_table(strata, {"iou": [0.5]})
    with raises("strata.wrong_count", crowns=2, what="plots"):
        compare_strata(strata, {"iou": [0.5, 0.6]}, ["p"])
