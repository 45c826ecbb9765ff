"""Agreement on classes, compared with krippendorff, irrCAC and scikit-learn; plurality."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import raises
from support.examples import examples

from randcrowns.core.agreement.measures import agreement_coefficients
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.classes.agreement import (
    ClassRatings,
    class_agreement,
    pairwise_agreement,
    plurality,
)

#: Values of krippendorff 0.9.0 (alpha), irrCAC 0.4.4 (CAC: fleiss, gwet) and scikit-learn 1.9.1
#: (cohen_kappa_score of the first two annotators) for random ratings, some of them missing.
CASES = json.loads(
    (Path(__file__).parent / "data" / "outside_values.json").read_text(encoding="utf-8")
)["ratings"]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
def test_agreement_equals_krippendorff_and_irrcac(case, scale):
    agreement = class_agreement(ClassRatings.from_ratings(case["ratings"]), scale)
    assert agreement.krippendorff_alpha == pytest.approx(case[f"alpha_{scale}"], abs=1e-10)
    # irrCAC rounds its chance agreement; its coefficients have about 14 digits.
    assert agreement.raw_agreement == pytest.approx(case["pa"], abs=1e-10)
    assert agreement.fleiss_kappa == pytest.approx(case["fleiss"], abs=1e-10)
    assert agreement.gwet_ac1 == pytest.approx(case["gwet"], abs=1e-10)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
def test_kappa_of_a_pair_equals_scikit_learn(case, weights):
    pairs = pairwise_agreement(ClassRatings.from_ratings(case["ratings"]), weights=weights)
    n_annotators = len(case["ratings"][0])
    assert len(pairs) == n_annotators * (n_annotators - 1) // 2
    first = pairs.iloc[0]
    both = [row[:2] for row in case["ratings"] if None not in row[:2]]
    assert first["compared"] == len(both)
    assert first["agreement"] == pytest.approx(np.mean([a == b for a, b in both]), abs=1e-12)
    assert first["kappa"] == pytest.approx(case[f"kappa_{weights}"], abs=1e-12)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10**6))
def test_two_classes_give_the_numbers_of_a_vote_table(seed):
    rng = np.random.default_rng(seed)
    decisions = rng.random((4, 60)) < 0.4
    missing = rng.random((4, 60)) < 0.2
    votes = VoteTable.from_stack(decisions, missing=missing)
    expected = agreement_coefficients(votes)
    ratings = ClassRatings.from_stack(decisions, missing)
    found = class_agreement(ratings)[:4]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    rows = np.where(missing, None, decisions.astype(object)).T
    same = class_agreement(ClassRatings.from_ratings(rows))[:4]
    np.testing.assert_allclose(same, expected, rtol=0, atol=1e-12)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10**6))
def test_order_and_names_change_nothing(seed):
    rng = np.random.default_rng(seed)
    values = rng.choice(np.array(["a", "b", "c", None], dtype=object), (40, 4))
    renamed = np.array([{"a": "z", "b": "y", "c": "x", None: None}[v] for v in values.ravel()])
    moved = renamed.reshape(values.shape)[rng.permutation(40)][:, rng.permutation(4)]
    first = class_agreement(ClassRatings.from_ratings(values))
    second = class_agreement(ClassRatings.from_ratings(moved))
    np.testing.assert_allclose(first, second, rtol=0, atol=1e-12)


def test_weights_count_as_repeated_units():
    rows = [["a", "a", None], ["a", "b", "b"], ["b", "b", "b"]]
    weighted = ClassRatings.from_ratings(rows, [3, 2, 1])
    repeated = ClassRatings.from_ratings([rows[0]] * 3 + [rows[1]] * 2 + [rows[2]])
    assert class_agreement(weighted) == pytest.approx(class_agreement(repeated), abs=1e-12)
    with raises("ratings.wrong_weight_count", units=3, weights=1):
        ClassRatings.from_ratings(rows, [1])


def test_areas_with_classes_by_hand():
    # On 4 m²: both oak on 1, only a (oak) on 1, a oak and b ash on 1, neither on 1.
    layers = {
        "a oak": [shapely.box(0, 0, 3, 1)],
        "b oak": [shapely.box(0, 0, 1, 1)],
        "b ash": [shapely.box(2, 0, 3, 1)],
    }
    votes = VoteTable.from_polygons(layers, shapely.box(0, 0, 4, 1))
    names = (["a", "b", "b"], ["oak", "oak", "ash"])
    ratings = ClassRatings.from_votes(votes, *names)
    assert ratings.labels == ("ash", "background", "oak")
    confusion = ratings.pair_confusion(0, 1)
    assert confusion.tolist() == [[0, 0, 0], [0, 1, 0], [1, 1, 1]]
    assert class_agreement(ratings).raw_agreement == 0.5
    left_out = ClassRatings.from_votes(votes, *names, count_background=False)
    assert left_out.labels == ("ash", "oak")
    agreement = class_agreement(left_out)
    assert (agreement.raw_agreement, agreement.compared_weight) == (0.5, 2.0)


def test_area_that_was_not_reviewed_is_a_missing_rating():
    layers = {"a": [shapely.box(0, 0, 2, 1)], "b": [shapely.box(0, 0, 1, 1)]}
    votes = VoteTable.from_polygons(
        layers, shapely.box(0, 0, 4, 1), reviewed={"b": [shapely.box(0, 0, 2, 1)]}
    )
    ratings = ClassRatings.from_votes(votes, ["a", "b"], ["oak", "oak"])
    agreement = class_agreement(ratings)
    assert agreement.compared_weight == pytest.approx(2.0)
    assert agreement.raw_agreement == pytest.approx(0.5)


def test_two_classes_at_one_place_are_refused():
    layers = {"oak": [shapely.box(0, 0, 2, 1)], "ash": [shapely.box(1, 0, 3, 1)]}
    votes = VoteTable.from_polygons(layers)
    with raises("ratings.two_classes", name="a", area=1.0):
        ClassRatings.from_votes(votes, ["a", "a"], ["oak", "ash"])
    with raises("ratings.wrong_layer_count", layers=2):
        ClassRatings.from_votes(votes, ["a"], ["oak"])


def test_rasters_equal_their_pixels_as_units():
    rng = np.random.default_rng(5)
    stack = rng.integers(3, 7, (3, 8, 9))
    missing = rng.random(stack.shape) < 0.3
    ratings = ClassRatings.from_stack(stack, missing)
    rows = np.where(missing, None, stack.astype(object)).reshape(3, -1).T
    units = ClassRatings.from_ratings(rows)
    assert ratings.labels == units.labels
    assert (
        ratings.codes[ratings.pattern_index].tolist() == units.codes[units.pattern_index].tolist()
    )
    assert ratings.weights.sum() == 72
    with raises("ratings.invalid_stack"):
        ClassRatings.from_stack(stack + 0.5)
    with raises("ratings.invalid_stack"):
        ClassRatings.from_stack(stack, missing[0])


@pytest.mark.parametrize("rows", [[["a", "a"], ["a", "a"]], [["a", None], [None, "b"]], [["a"]]])
def test_undefined_agreement_is_nan(rows):
    agreement = class_agreement(ClassRatings.from_ratings(rows))
    assert np.isnan(agreement.krippendorff_alpha)
    assert np.isnan(agreement.fleiss_kappa)


def test_names_that_are_no_numbers_have_no_intervals():
    ratings = ClassRatings.from_ratings([["a", "b"], ["b", "b"]])
    with raises("ratings.not_numbers", labels="a, b"):
        class_agreement(ratings, "interval")
    with raises("key.unknown"):
        class_agreement(ratings, "ratio")
    with raises("ratings.not_two_dimensional", ndim=1):
        ClassRatings.from_ratings(["a", "b"])
    with raises("ratings.wrong_name_count", annotators=2, names=1):
        pairwise_agreement(ratings, ["ann"])


def test_plurality_names_ties():
    rows = [["a", "a", "b"], ["a", "b", None], [None] * 3, ["c", "b", "a"], ["b", None, None]]
    ratings = ClassRatings.from_ratings(rows)
    consensus = plurality(ratings)
    at = ratings.pattern_index
    assert consensus.classes[at].tolist() == ["a", None, None, None, "b"]
    assert consensus.tied[at].tolist() == ["", "a = b", "", "a = b = c", ""]
    np.testing.assert_allclose(consensus.share[at], [2 / 3, 0.5, np.nan, 1 / 3, 1])
