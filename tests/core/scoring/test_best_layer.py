"""A layer is called better only if chance does not explain its higher mean."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from randcrowns.core.scoring.best_layer import find_better_layer


def test_a_clear_difference_of_each_target_is_found_although_targets_differ_much():
    rng = np.random.default_rng(1)
    difficulty = rng.uniform(0.1, 0.9, 60)
    scores = np.array([difficulty, difficulty + 0.05, difficulty - 0.05])
    assert find_better_layer(scores + rng.normal(0, 0.01, (3, 60))) == 1


def test_the_best_of_equal_layers_is_not_called_better():
    rng = np.random.default_rng(2)
    assert find_better_layer(rng.uniform(0.4, 0.9, (2, 60))) is None


def test_the_claim_agrees_with_a_paired_t_test_on_typical_scores():
    """An independent test: Student's t of the paired differences, from scipy."""
    rng = np.random.default_rng(3)
    agreed = 0
    for _ in range(200):
        first, second = rng.beta(8, 3, 50), rng.beta(8, 3, 50) - rng.uniform(0, 0.1)
        claim = find_better_layer(np.clip([first, second], 0, 1)) is not None
        result = stats.ttest_rel(np.clip(first, 0, 1), np.clip(second, 0, 1))
        agreed += claim == (result.pvalue < 0.05)
    assert agreed >= 196


@pytest.mark.parametrize("n_layers", [2, 4])
def test_the_false_rate_of_the_claim_is_at_most_5_percent(n_layers):
    rng = np.random.default_rng(4)
    runs = 1500
    claims = sum(find_better_layer(rng.beta(6, 2, (n_layers, 40))) is not None for _ in range(runs))
    # The upper limit of 5 % with 1500 runs: the 99.9 % quantile of a binomial distribution.
    assert claims <= stats.binom.ppf(0.999, runs, 0.05)


def test_targets_of_one_plot_are_not_independent():
    """Each plot has one difference, repeated for its 20 targets."""
    rng = np.random.default_rng(5)
    plots = np.repeat(np.arange(5), 20)
    differences = np.array([0.06, -0.02, 0.05, -0.03, 0.08])[plots]
    first = rng.uniform(0.5, 0.6, 100)
    scores = np.array([first + differences, first])
    assert find_better_layer(scores) == 0
    assert find_better_layer(scores, plots) is None


def test_only_targets_that_all_layers_score_count():
    scores = np.array([[0.9] * 30 + [np.nan] * 30, [0.5] * 30 + [1.0] * 30])
    scores += np.linspace(0, 0.01, 60)
    assert find_better_layer(scores) == 0


@pytest.mark.parametrize("shape", [(1, 50), (2, 0), (2, 5)])
def test_one_layer_no_target_or_too_few_targets_give_no_claim(shape):
    scores = np.full(shape, 0.5)
    scores[0] += 0.2
    assert find_better_layer(scores) is None
