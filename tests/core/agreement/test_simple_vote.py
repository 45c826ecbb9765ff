from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.errors import ExpectedError, raises
from support.examples import examples

from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.consensus import simple_vote
from randcrowns.core.agreement.votes import VoteTable


def slow_simple(stack: np.ndarray, a: float) -> tuple[np.ndarray, list[int]]:
    """SIMPLE on units, with exact fractions of sums replaced by a tolerance."""

    def dice(first: np.ndarray, second: np.ndarray) -> float:
        size = first.sum() + second.sum()
        return 2 * (first & second).sum() / size if size else 1.0

    def vote(members: dict[int, float]) -> np.ndarray:
        total = sum(members.values())
        if total == 0:
            return np.zeros(stack.shape[1], dtype=bool)
        return sum(weight * stack[k] for k, weight in members.items()) >= total / 2 - 1e-12 * total

    members = dict.fromkeys(range(len(stack)), 1.0)
    outcome = vote(members)
    for _ in range(99):
        scores = {k: dice(stack[k], outcome) for k in members}
        limit = np.mean(list(scores.values()))
        if len(scores) > 1:
            limit -= a * np.std(list(scores.values()), ddof=1)
        best = sorted(scores, key=lambda k: (-scores[k], k))[:2]
        kept = {
            k: s for k, s in scores.items() if len(scores) <= 2 or k in best or s >= limit - 1e-12
        }
        new = vote(kept)
        stable = kept.keys() == members.keys() and (new == outcome).all()
        members, outcome = kept, new
        if stable:
            break
    return outcome, sorted(members)


@settings(max_examples=examples(80), deadline=None)
@given(
    st.tuples(st.integers(1, 7), st.integers(1, 30)).flatmap(lambda shape: arrays(bool, shape)),
    st.sampled_from([0.0, 0.5, 1.0, 2.0]),
)
def test_equal_to_working_unit_by_unit(stack: np.ndarray, a: float) -> None:
    votes = VoteTable.from_stack(stack)
    result = simple_vote(votes, a)
    outcome, kept = slow_simple(stack, a)
    np.testing.assert_array_equal(votes.on_map(result.marked), outcome)
    np.testing.assert_array_equal(np.flatnonzero(result.is_kept), kept)


def test_someone_unlike_the_others_is_discarded() -> None:
    stack = np.array(
        [
            [letter == "1" for letter in row]
            for row in ("11110000", "11110000", "11100000", "00001111")
        ]
    )
    result = simple_vote(VoteTable.from_stack(stack))
    # Dice with the first vote (units 1 to 4, and none of the rest): 1, 1, 6/7, 0; mean 0.714,
    # standard deviation 0.481.
    assert not result.is_kept[3]
    assert result.converged
    assert AgreementMessage.SIMPLE_RULE in result.messages


def test_the_deviation_has_n_minus_one() -> None:
    # Overlaps 0.667, 0.833 and 0.727: with n in the denominator the limit would be 0.674, above the
    # first overlap.
    rows = ["1.1111111111", "11..1..1...1", "111...1....."]
    votes = VoteTable.from_stack(np.array([[letter == "1" for letter in row] for row in rows]))
    assert simple_vote(votes).is_kept.all()


def test_votes_count_by_overlap() -> None:
    # After the first vote the two larger drawings overlap more with the outcome, and neither of
    # them outvotes anybody alone.
    stack = np.array([[letter == "1" for letter in row] for row in ("1111", "1110", "1000")])
    result = simple_vote(VoteTable.from_stack(stack), factor=5)
    np.testing.assert_allclose(result.performance, [6 / 7, 1, 2 / 4])
    assert result.is_kept.all()


def test_even_votes_are_marked_whatever_their_order() -> None:
    rows = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]], dtype=bool)
    for order in ([0, 1, 2, 3], [0, 2, 1, 3], [3, 2, 0, 1]):
        assert simple_vote(VoteTable.from_stack(rows[order]), factor=3).marked.all()


def test_the_best_two_are_always_kept() -> None:
    stack = np.random.default_rng(0).random((6, 60)) < 0.4
    assert simple_vote(VoteTable.from_stack(stack), factor=0).is_kept.sum() == 2


def test_a_share_of_the_mean_as_the_rule() -> None:
    stack = np.array(
        [
            [letter == "1" for letter in row]
            for row in ("11110000", "11110000", "11100000", "10001111")
        ]
    )
    votes = VoteTable.from_stack(stack)
    assert simple_vote(votes, 0.1, rule="share").is_kept.all()
    np.testing.assert_array_equal(
        simple_vote(votes, 0.7, rule="share").is_kept, [True, True, True, False]
    )


def test_few_empty_and_many_annotators() -> None:
    alone = simple_vote(VoteTable.from_stack(np.array([[True, False]])))
    np.testing.assert_array_equal(alone.marked, [False, True])
    assert AgreementMessage.ONE_ANNOTATOR in alone.messages
    nothing = simple_vote(VoteTable.from_stack(np.zeros((3, 4), bool)))
    assert not nothing.marked.any()
    assert AgreementMessage.NOTHING_MARKED in nothing.messages
    assert nothing.is_kept.all()
    two = simple_vote(VoteTable.from_stack(np.array([[True, True, False], [False, True, False]])))
    assert two.is_kept.all()
    many = simple_vote(VoteTable.from_stack(np.random.default_rng(1).random((64, 200)) < 0.3))
    assert many.is_kept.sum() >= 2


@pytest.mark.parametrize(
    ("a", "rule", "expected"),
    [
        (-1, "deviation", raises("consensus.invalid_factor", a=-1)),
        (np.nan, "deviation", raises("consensus.invalid_factor")),
        (1, "luck", raises("consensus.unknown_rule", rule="luck")),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    a: float, rule: str, expected: ExpectedError
) -> None:
    with expected:
        simple_vote(VoteTable.from_stack(np.ones((3, 4), bool)), a, rule)


def test_equal_weights_tie_in_whatever_order_they_are_added() -> None:
    # Six annotators of equal overlap, three for each half, whose sums differ in the last digit.
    stack = np.zeros((6, 40), dtype=bool)
    stack[:, :20] = True
    for k in range(6):
        stack[k, 20 + k] = True
    stack[:3, 30], stack[3:, 31] = True, True
    for order in ([0, 1, 2, 3, 4, 5], [5, 0, 3, 1, 4, 2], [3, 4, 0, 5, 1, 2]):
        votes = VoteTable.from_stack(stack[order])
        marked = votes.on_map(simple_vote(votes, factor=9).marked)
        assert marked[30]
        assert marked[31]
