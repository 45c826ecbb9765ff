"""A layer is called better only if chance does not explain its higher mean."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from randcrowns.core.classes.best_layer import compare_layer_scores, compare_layers


def better_layer(scores, plots=None):
    """Index of the layer that can be called better than all others, or None."""
    found = compare_layer_scores(scores, plots)
    return None if found is None else found.better_than_all


def test_a_clear_difference_of_each_target_is_found_although_targets_differ_much():
    rng = np.random.default_rng(1)
    difficulty = rng.uniform(0.1, 0.9, 60)
    scores = np.array([difficulty, difficulty + 0.05, difficulty - 0.05])
    found = compare_layer_scores(scores + rng.normal(0, 0.01, (3, 60)))
    assert (found.best, found.better_than, found.not_separable) == (1, (0, 2), ())


def test_the_best_of_equal_layers_is_not_called_better():
    rng = np.random.default_rng(2)
    assert better_layer(rng.uniform(0.4, 0.9, (2, 60))) is None


def test_the_claim_agrees_with_a_paired_t_test_of_two_layers():
    """An independent test: Student's t of the paired differences, from scipy."""
    rng = np.random.default_rng(3)
    for _ in range(100):
        first, second = rng.beta(8, 3, 50), rng.beta(8, 3, 50) - rng.uniform(0, 0.1)
        result = stats.ttest_rel(first, second)
        assert (better_layer(np.array([first, second])) is not None) == (result.pvalue < 0.05)


@pytest.mark.parametrize(("n_layers", "lead"), [(3, 0.05), (4, 0.06)])
def test_the_claims_are_paired_t_tests_adjusted_for_all_pairs(n_layers, lead):
    """Independent: p-values from scipy, adjusted by hand (Holm 1979)."""
    rng = np.random.default_rng(5)
    disagreed = 0
    for _ in range(40):
        scores = rng.beta(5, 2, 60) + rng.normal(0, 0.12, (n_layers, 60))
        scores[0] += lead
        pairs = [(i, j) for i in range(n_layers) for j in range(i)]
        p = np.array([stats.ttest_rel(scores[i], scores[j]).pvalue for i, j in pairs])
        order = np.argsort(p)
        # A pair differs if it and all pairs with smaller p-values are below their limits.
        limits = 0.05 / np.arange(len(p), 0, -1)
        n_differ = int(np.logical_and.accumulate(p[order] < limits).sum())
        best = int(scores.mean(axis=1).argmax())
        differing = [pairs[place] for place in order[:n_differ]]
        worse = sorted(sum(pair) - best for pair in differing if best in pair)
        found = compare_layer_scores(scores)
        assert (found.best, list(found.better_than)) == (best, worse)
        unadjusted = all(p[n] < 0.05 for n, pair in enumerate(pairs) if best in pair)
        disagreed += unadjusted != (found.better_than_all is not None)
    assert disagreed  # the adjustment matters


@pytest.mark.parametrize("n_layers", [2, 4])
def test_the_false_rate_of_the_claim_is_at_most_5_percent(n_layers):
    rng = np.random.default_rng(4)
    runs = 300
    claims = sum(
        bool(compare_layer_scores(rng.beta(6, 2, (n_layers, 40))).better_than) for _ in range(runs)
    )
    # The upper limit of 5 %: the 99.9 % quantile of a binomial distribution.
    assert claims <= stats.binom.ppf(0.999, runs, 0.05)


def test_targets_of_one_plot_are_not_independent():
    """Each plot has one difference, repeated for its 20 targets."""
    rng = np.random.default_rng(5)
    plots = np.repeat(np.arange(5), 20)
    differences = np.array([0.06, -0.02, 0.05, -0.03, 0.08])[plots]
    first = rng.uniform(0.5, 0.6, 100)
    scores = np.array([first + differences, first])
    assert better_layer(scores) == 0
    assert better_layer(scores, plots) is None


def test_a_difference_that_is_the_same_everywhere_is_no_chance():
    scores = np.array([[0.5] * 12, [0.75] * 12, [0.75] * 12])
    found = compare_layer_scores(scores)
    assert (found.best, found.better_than, found.not_separable) == (1, (0,), (2,))


def test_a_layer_without_scores_is_left_out():
    scores = np.array([[np.nan] * 40, [0.5] * 40, [0.9] * 40]) + np.linspace(0, 0.01, 40)
    found = compare_layer_scores(scores)
    assert (found.best, found.better_than, found.not_separable) == (2, (1,), ())


@pytest.mark.parametrize("shape", [(1, 50), (2, 0)])
def test_one_layer_or_no_target_gives_no_comparison(shape):
    assert compare_layer_scores(np.full(shape, 0.5)) is None


def test_too_few_targets_or_plots_are_not_tested():
    scores = np.array([[0.7] * 9, [0.5] * 9])
    assert not compare_layer_scores(scores).is_tested
    many = np.repeat(scores, 10, axis=1)
    found = compare_layer_scores(many, np.arange(90) % 4)
    assert (found.is_tested, found.better_than_all) == (False, None)
    assert compare_layer_scores(many, np.arange(90) % 5).better_than_all == 0


def test_tables_are_compared_target_by_target_and_by_plots_if_all_have_them():
    rng = np.random.default_rng(6)
    ids = rng.permutation(40)
    score = np.linspace(0.0, 0.9, 40)
    first = pd.DataFrame({"target_id": np.arange(40), "randcrowns": score + 0.01})
    second = pd.DataFrame({"target_id": ids, "randcrowns": score[ids]})
    found = compare_layers([first, second])
    assert (found.better_than_all, found.are_plots) == (0, False)
    tables = [table.assign(plot=table["target_id"] % 8) for table in (first, second)]
    assert compare_layers(tables).are_plots
    assert not compare_layers([first, tables[1]]).are_plots
