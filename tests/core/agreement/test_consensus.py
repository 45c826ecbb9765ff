from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.errors import raises

from randcrowns.core.agreement import consensus
from randcrowns.core.agreement.measures import annotator_statistics, outliers
from randcrowns.core.agreement.votes import VoteTable


def of_votes(n_annotators: int) -> VoteTable:
    """Units that 0, 1, … all annotators marked."""
    return VoteTable.from_stack(np.arange(n_annotators)[:, None] < np.arange(n_annotators + 1))


@pytest.mark.parametrize(
    ("n_annotators", "share", "needed"),
    [
        (4, 0, 1),
        (4, 0.5, 2),
        (5, 0.5, 3),
        (4, 0.75, 3),
        (5, 0.75, 4),
        (4, 1, 4),
        (20, 0.55, 11),
        (10, 0.7, 7),
        (25, 0.28, 7),
        (1, 0.5, 1),
    ],
)
def test_levels(n_annotators: int, share: float, needed: int) -> None:
    votes = of_votes(n_annotators)
    marked = votes.on_map(consensus.consensus_at_level(votes, share))
    np.testing.assert_array_equal(marked, np.arange(n_annotators + 1) >= needed)


def test_named_levels() -> None:
    votes = of_votes(8)
    for method, needed in (
        (consensus.CONSENSUS_METHODS["any"], 1),
        (consensus.majority_consensus, 4),
        (consensus.CONSENSUS_METHODS["0.75"], 6),
        (consensus.CONSENSUS_METHODS["unanimous"], 8),
    ):
        assert votes.weights[method(votes)].sum() == 9 - needed


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan])
def test_a_level_outside_of_0_to_1_is_refused(share: float) -> None:
    with raises("consensus.invalid_level"):
        consensus.consensus_at_level(of_votes(3), share)


def test_outliers_are_left_out_of_the_vote() -> None:
    rows = ["1111....", "1111....", "111.....", ".....111", "111....."]
    votes = VoteTable.from_stack(np.array([[letter == "1" for letter in row] for row in rows]))
    np.testing.assert_array_equal(outliers(votes), [False, False, False, True, False])
    # Two of the remaining four marked the fourth unit.
    np.testing.assert_array_equal(
        votes.on_map(consensus.CONSENSUS_METHODS["excl-0.5"](votes)), [True] * 4 + [False] * 4
    )
    assert not votes.on_map(consensus.majority_consensus(votes))[3]


def test_one_annotator_is_their_own_consensus() -> None:
    votes = VoteTable.from_stack(np.array([[True, False, True]]))
    for name, method in consensus.CONSENSUS_METHODS.items():
        np.testing.assert_array_equal(
            votes.on_map(method(votes)), [True, False, True], err_msg=name
        )


@pytest.mark.parametrize("name", consensus.CONSENSUS_METHODS)
def test_identical_annotators_are_their_own_consensus(name: str) -> None:
    votes = VoteTable.from_stack(np.tile(np.arange(9) % 3 == 0, (4, 1)))
    np.testing.assert_array_equal(
        votes.on_map(consensus.CONSENSUS_METHODS[name](votes)), np.arange(9) % 3 == 0
    )


@pytest.mark.parametrize("name", consensus.CONSENSUS_METHODS)
def test_nobody_is_in_the_consensus_without_them(name: str) -> None:
    stack = np.random.default_rng(2).random((5, 80)) < 0.4
    votes = VoteTable.from_stack(stack)
    method = consensus.CONSENSUS_METHODS[name]
    truths = consensus.leave_one_out(votes, method)
    assert truths.shape == (5, len(votes.patterns))
    for k in range(5):
        alone = VoteTable.from_stack(np.delete(stack, k, axis=0))
        np.testing.assert_array_equal(votes.on_map(truths[k]), alone.on_map(method(alone)))
    assert len(annotator_statistics(votes, truths)) == 5


def test_one_annotator_cannot_be_left_out() -> None:
    with raises("annotators.too_few_to_leave_out"):
        consensus.leave_one_out(VoteTable.from_stack(np.ones((1, 3), bool)))


def test_a_consensus_becomes_polygons() -> None:
    layers = [
        [shapely.box(0, 0, 4, 4)],
        [shapely.box(2, 0, 6, 4)],
        [shapely.box(0, 0, 6, 4), shapely.box(9, 9, 10, 10)],
    ]
    votes = VoteTable.from_polygons(layers)
    polygons = consensus.marked_polygons(votes, consensus.majority_consensus(votes))
    assert [polygon.area for polygon in polygons] == [24]
    everybody = consensus.marked_polygons(votes, consensus.consensus_at_level(votes, 1))
    assert everybody[0].equals(shapely.box(2, 0, 4, 4))
    assert sorted(
        shapely.area(consensus.marked_polygons(votes, consensus.consensus_at_level(votes, 0)))
    ) == [
        1,
        24,
    ]
    assert len(consensus.marked_polygons(votes, np.zeros(len(votes.patterns), bool))) == 0
    with raises("consensus.no_faces"):
        consensus.marked_polygons(of_votes(3), np.ones(4, bool))
