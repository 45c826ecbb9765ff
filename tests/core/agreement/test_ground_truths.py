"""Ground truths made from one vote table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.answers import answers_of
from support.errors import raises
from support.examples import examples

from randcrowns.core.agreement.consensus import (
    AGREEMENT_LEVELS,
    COOKE,
    EACH_ANNOTATOR,
    GROUND_TRUTH_NAMES,
    EstimationOptions,
    compute_ground_truths,
    consensus_at_level,
    consensus_method,
    majority_consensus,
    simple_vote,
)
from randcrowns.core.agreement.lsml import level_set
from randcrowns.core.agreement.staple_em import staple
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.errors import Cancelled

STACKS = st.integers(2, 5).flatmap(lambda k: arrays(bool, (k, 6, 7)))


def table(stack, mask=None):
    names = [f"person {k}" for k in range(len(stack))]
    return VoteTable.from_stack(stack, mask, names=names)


@settings(max_examples=examples(25), deadline=None)
@given(STACKS)
def test_they_are_what_a_look_at_the_votes_says(stack):
    found = compute_ground_truths(
        table(stack), [EACH_ANNOTATOR, "any", "0.5", "0.75", AGREEMENT_LEVELS]
    ).truths
    votes, k = stack.sum(axis=0), len(stack)
    for number in range(k):
        assert np.array_equal(found[f"person {number}"], stack[number])
        assert np.array_equal(found[f"at least {number + 1} of {k}"], votes > number)
    assert np.array_equal(found["Any-GT"], votes > 0)
    assert np.array_equal(found["0.5-GT"], 2 * votes >= k)
    assert np.array_equal(found["0.75-GT"], 4 * votes >= 3 * k)


@pytest.mark.parametrize("name", ["STAPLE", "0.5-GT", "at least 1 of 2"])
def test_an_annotator_called_like_a_ground_truth_is_refused(name):
    votes = VoteTable.from_stack(np.eye(4, dtype=bool).reshape(2, 2, 4), names=[name, "other"])
    with raises("annotators.named_as_truth", name=name):
        compute_ground_truths(votes, [EACH_ANNOTATOR, "staple"])


@pytest.fixture
def stack():
    rng = np.random.default_rng(4)
    truth = np.zeros((20, 20), dtype=bool)
    truth[4:15, 5:16] = True
    return np.stack([truth ^ (rng.random(truth.shape) < share) for share in (0.05, 0.1, 0.2)])


def test_all_can_be_made_and_each_estimate_comes_with_its_notes(stack):
    mask = np.zeros((20, 20), dtype=bool)
    mask[:, :3] = True
    votes = table(stack, mask)
    answers = answers_of(dict.fromkeys(votes.names, (4, 4.9, 6)))
    found = compute_ground_truths(
        votes,
        [EACH_ANNOTATOR, *GROUND_TRUTH_NAMES, AGREEMENT_LEVELS],
        how=EstimationOptions(answers=answers),
    )
    assert set(found.truths) >= set(GROUND_TRUTH_NAMES.values())
    assert not found.missing_reasons
    assert not any(truth[mask].any() for truth in found.truths.values())
    assert np.array_equal(found.truths["LSML"], level_set(votes).marked)
    assert np.array_equal(found.truths["STAPLE"], votes.on_map(staple(votes).marked))
    assert set(found.messages) == {"STAPLE", "SIMPLE", "LSML", "Cooke-GT"}
    # Equal answers have equal weights: half of the weight is half of the annotators.
    assert np.array_equal(found.truths["Cooke-GT"], found.truths["0.5-GT"])


def test_cookes_weights_decide_alone_for_the_only_calibrated_annotator(stack):
    # Person 1 is right. The true value lies far above the quantiles of the others.
    quantiles = {"person 0": (1, 2, 3), "person 1": (4, 4.9, 6), "person 2": (1, 2, 3)}
    how = EstimationOptions(answers=answers_of(quantiles), calibration_cutoff=0.5)
    assert how.weights(["person 0", "person 1", "person 2"]).weight.tolist() == [0, 1, 0]
    is_missing = np.zeros(stack.shape, dtype=bool)
    is_missing[1, :, :4] = True
    votes = VoteTable.from_stack(stack, names=list(quantiles), missing=is_missing)
    found = compute_ground_truths(votes, [COOKE], how=how)
    assert np.array_equal(found.truths["Cooke-GT"], stack[1] & ~is_missing[1])
    assert np.array_equal(found.known["Cooke-GT"], ~is_missing[1])


def test_cookes_weights_without_answers_or_for_resampled_annotators_are_refused(stack):
    with raises("cooke.no_file"):
        compute_ground_truths(table(stack), [COOKE])
    with raises("truths.not_for_resampling", method=COOKE):
        consensus_method(COOKE)


def test_the_prior_reaches_staple(stack):
    votes = table(stack[:2])
    low, high = (
        compute_ground_truths(votes, ["staple"], how=EstimationOptions(prior=prior))
        .truths["STAPLE"]
        .sum()
        for prior in (0.05, 0.95)
    )
    assert low < high


def test_without_pixels_lsml_has_a_reason_and_the_others_go_on(stack):
    on_a_line = stack.reshape(len(stack), -1)
    found = compute_ground_truths(table(on_a_line), ["lsml", "0.5"])
    assert "pixel size" in str(found.missing_reasons["LSML"])
    assert list(found.truths) == ["0.5-GT"]


def test_one_annotator_is_the_only_ground_truth(stack):
    found = compute_ground_truths(table(stack[:1]), [EACH_ANNOTATOR, *GROUND_TRUTH_NAMES])
    assert list(found.truths) == ["person 0"]
    assert set(found.missing_reasons) == set(GROUND_TRUTH_NAMES.values())


def test_what_is_not_known_is_refused(stack):
    with raises("truths.unknown", method="best"):
        compute_ground_truths(table(stack), ["best"])
    with raises("truths.not_for_resampling"):
        consensus_method("lsml")


def test_rules_are_the_consensus_methods(stack):
    votes = table(stack)
    assert np.array_equal(consensus_method("0.5")(votes), majority_consensus(votes))
    assert np.array_equal(consensus_method("0.75")(votes), consensus_at_level(votes, 0.75))
    assert np.array_equal(
        consensus_method("staple", EstimationOptions(prior="mean"))(votes),
        staple(votes, "mean").marked,
    )


def test_it_can_be_cancelled(stack):
    def stop(_fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        compute_ground_truths(table(stack), ["0.5"], progress=stop)


def test_parameters_of_the_methods_reach_them() -> None:
    rng = np.random.default_rng(4)
    stack = rng.random((5, 20, 20)) < 0.4
    votes, how = table(stack), EstimationOptions("mean", True, 0.2, "share", False, 3, 0.1)
    made = compute_ground_truths(votes, ["staple", "simple", "lsml"], how=how).truths
    expected = {
        "STAPLE": votes.on_map(staple(votes, "mean", assign_consensus=True).marked),
        "SIMPLE": votes.on_map(simple_vote(votes, 0.2, "share").marked),
        "LSML": level_set(votes, clip=False, max_iterations=3, curvature=0.1).marked,
    }
    plain = compute_ground_truths(votes, ["staple", "simple", "lsml"]).truths
    for name, marked in expected.items():
        assert np.array_equal(made[name], marked), name
    assert any(not np.array_equal(plain[name], marked) for name, marked in expected.items())
    for rule in ("staple", "simple"):
        assert np.array_equal(
            votes.on_map(consensus_method(rule, how)(votes)), made[GROUND_TRUTH_NAMES[rule]]
        )


def test_staple_says_what_the_other_prior_marks() -> None:
    votes = table(np.random.default_rng(1).random((4, 30, 30)) < 0.2)
    (told,) = (
        one
        for one in compute_ground_truths(votes, ["staple"]).messages["STAPLE"]
        if one.key == "staple.prior"
    )
    for prior, value, share in (("any", "value", "share"), ("mean", "other_value", "other_share")):
        alone = staple(votes, prior)
        assert told.values[value] == pytest.approx(alone.prior)
        assert told.values[share] == pytest.approx(votes.on_map(alone.marked).mean())
    assert told.values["share"] != told.values["other_share"]
    assert [str(told.values[prior]) for prior in ("prior", "other")] == [
        "the share that anybody marked",
        "the mean decision",
    ]


def test_a_prior_that_changes_little_is_said_to_change_little() -> None:
    # The same rare marks of five annotators, who differ in a few of 10,000 units.
    rng = np.random.default_rng(2)
    truth = np.zeros((100, 100), dtype=bool)
    truth[20:60, 20:60] = True
    votes = table(truth ^ (rng.random((5, 100, 100)) < 0.001))
    (message,) = (
        one
        for one in compute_ground_truths(votes, ["staple"]).messages["STAPLE"]
        if one.topic == "staple"
    )
    assert message.key == "staple.prior_minor"
    shares = message.values["share"], message.values["other_share"]
    assert abs(shares[0] - shares[1]) <= 0.01 * max(shares)
    assert str(message).startswith("The prior hardly changes how much is marked: with ")


@pytest.mark.parametrize("clipped", [True, False])
def test_lsml_says_how_many_pixels_nobody_marked(clipped: bool) -> None:
    rng = np.random.default_rng(3)
    stack = np.zeros((4, 40, 40), dtype=bool)
    for k in range(4):
        down, across = rng.integers(8, 16, 2)
        stack[k, down : down + 14, across : across + 14] = rng.random((14, 14)) < 0.8
    how = EstimationOptions(clip_lsml=clipped, max_iterations=200)
    made = compute_ground_truths(table(stack), ["lsml"], how=how)
    published = level_set(table(stack), clip=False, max_iterations=200).marked
    beyond = int((published & ~stack.any(axis=0)).sum())
    told = made.messages["LSML"][0]
    assert told.key == ("lsml.clipped" if clipped else "lsml.published")
    assert told.values["pixels"] == beyond
    assert beyond > 0
    assert (
        told.values["of"]
        == made.truths["LSML"].sum()
        == published.sum() - (beyond if clipped else 0)
    )
