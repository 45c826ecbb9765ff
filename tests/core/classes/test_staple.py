"""STAPLE for several classes, compared with SimpleITK and with a literal implementation."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from support.errors import raises

from randcrowns.core.agreement.staple_em import staple
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.classes.agreement import ClassRatings
from randcrowns.core.classes.staple import staple_classes

#: Values of SimpleITK 2.5.7: MultiLabelSTAPLE (three labels and two), and STAPLE (two labels).
OUTSIDE = json.loads(
    (Path(__file__).parent / "data" / "outside_values.json").read_text(encoding="utf-8")
)


def stack_of(case) -> np.ndarray:
    return np.array([list(map(int, raster)) for raster in case["stack"]])


@pytest.mark.parametrize("name", ["staple_labels", "staple_two"])
def test_confusion_and_labels_equal_simpleitk(name):
    case = OUTSIDE[name]
    ratings = ClassRatings.from_stack(stack_of(case))
    result = staple_classes(ratings)
    assert result.converged
    n_classes = len(result.labels)
    # Rows of SimpleITK's matrices are the ratings, columns the truth, in single precision.
    expected = np.array(case["confusion"])[:, :n_classes].transpose(0, 2, 1)
    np.testing.assert_allclose(result.confusion, expected, rtol=0, atol=2e-5)
    assert "".join(result.classes[ratings.pattern_index]) == case["labels"]


def test_two_labels_equal_the_binary_filter_of_simpleitk():
    case = OUTSIDE["staple_two"]
    stack = stack_of(case)
    ratings = ClassRatings.from_stack(stack)
    result = staple_classes(ratings)
    probability = result.probability[ratings.pattern_index, 1]
    np.testing.assert_allclose(probability, case["probability"], rtol=0, atol=1e-4)
    np.testing.assert_allclose(result.confusion[:, 1, 1], case["sensitivity"], atol=1e-4)
    np.testing.assert_allclose(result.confusion[:, 0, 0], case["specificity"], atol=1e-4)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_two_labels_equal_the_binary_estimate(missing):
    rng = np.random.default_rng(4)
    truth = rng.random(300) < 0.35
    decisions = truth ^ (rng.random((5, 300)) < np.array([0.05, 0.1, 0.15, 0.2, 0.3])[:, None])
    is_missing = rng.random(decisions.shape) < missing
    votes = VoteTable.from_stack(decisions, missing=is_missing)
    expected = staple(votes, "mean")
    ratings = ClassRatings.from_stack(decisions, is_missing)
    result = staple_classes(ratings, [1 - expected.prior, expected.prior])
    np.testing.assert_allclose(result.confusion[:, 1, 1], expected.sensitivity, atol=1e-5)
    np.testing.assert_allclose(result.confusion[:, 0, 0], expected.specificity, atol=1e-5)


def literal_staple(rows, labels, n_rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Estimate rating by rating, as Warfield et al. 2004 write it (Section III)."""
    ratings = [name for row in rows for name in row if name is not None]
    prior = [ratings.count(label) / len(ratings) for label in labels]
    weight = [
        [row.count(label) / sum(name is not None for name in row) for label in labels]
        for row in rows
    ]
    n_annotators = len(rows[0])
    for _ in range(n_rounds):
        theta = np.zeros((n_annotators, len(labels), len(labels)))
        for j in range(n_annotators):
            for s in range(len(labels)):
                total = sum(weight[i][s] for i, row in enumerate(rows) if row[j] is not None)
                for given, label in enumerate(labels):
                    part = sum(weight[i][s] for i, row in enumerate(rows) if row[j] == label)
                    theta[j, s, given] = part / total
        weight = []
        for row in rows:
            joint = []
            for s in range(len(labels)):
                product = prior[s]
                for j, name in enumerate(row):
                    if name is not None:
                        product *= theta[j, s, labels.index(name)]
                joint.append(product)
            weight.append([value / sum(joint) for value in joint])
    return np.array(weight), theta


def random_rows(seed: int, n: int = 40) -> list[list[str | None]]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    rows = np.where(rng.random((n, 4)) < 0.75, truth[:, None], rng.integers(0, 3, (n, 4)))
    names = np.array(["ash", "oak", "pine"], dtype=object)[rows]
    names[rng.random(names.shape) < 0.15] = None
    names[:, 0] = np.array(["ash", "oak", "pine"], dtype=object)[rows[:, 0]]
    return names.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_estimate_equals_a_literal_implementation_with_missing_ratings(seed):
    rows = random_rows(seed)
    ratings = ClassRatings.from_ratings(rows)
    result = staple_classes(ratings, max_iterations=7)
    weight, _ = literal_staple(rows, list(result.labels), 7)
    np.testing.assert_allclose(result.probability[ratings.pattern_index], weight, atol=1e-12)
    assert result.n_rounds == 7


def test_likelihood_never_falls_and_order_changes_nothing():
    rows = random_rows(9, 80)
    result = staple_classes(ClassRatings.from_ratings(rows))
    assert (np.diff(result.log_likelihood) >= -1e-9).all()
    backwards = staple_classes(ClassRatings.from_ratings([row[::-1] for row in rows[::-1]]))
    np.testing.assert_allclose(result.confusion[::-1], backwards.confusion, atol=1e-6)


def test_units_without_a_rating_have_no_probability():
    ratings = ClassRatings.from_ratings([["a", "a"], [None, None], ["b", "b"]])
    result = staple_classes(ratings)
    at = ratings.pattern_index
    assert np.isnan(result.probability[at[1]]).all()
    assert result.classes[at].tolist() == ["a", None, "b"]
    empty = staple_classes(ClassRatings.from_ratings(np.empty((0, 2))))
    assert empty.probability.shape == (0, 0)


def test_equally_probable_classes_are_no_consensus():
    ratings = ClassRatings.from_ratings([["a", "b"], ["b", "a"]])
    assert staple_classes(ratings).classes.tolist() == [None, None]


@pytest.mark.parametrize("prior", [[1.0], [0.5, 0.6], [1.0, 0.0], [np.nan, 0.5]])
def test_prior_must_be_a_distribution(prior):
    ratings = ClassRatings.from_ratings([["a", "b"], ["b", "a"]])
    with raises("staple.invalid_prior", count=2):
        staple_classes(ratings, prior)
