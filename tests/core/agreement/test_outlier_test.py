"""Which annotators are unlike the others: false rate, power, and cases worked by hand."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from randcrowns.core.agreement.measures import mean_distances, outliers
from randcrowns.core.agreement.outlier_testing import outlier_test
from randcrowns.core.agreement.votes import VoteTable


def drawings(seed: int, errors: list[float], n_blocks: int = 40) -> VoteTable:
    """Return annotators who decide wrongly at each place with these probabilities.

    The blocks are independent tiles of 30 places, at a third of which there is something.
    """
    rng = np.random.default_rng(seed)
    wrong = np.array(errors)[:, None]
    return VoteTable.from_tiles(
        [
            (rng.random(30) < 1 / 3) ^ (rng.random((len(errors), 30)) < wrong)
            for _ in range(n_blocks)
        ]
    )


def test_p_values_of_all_permutations() -> None:
    """Three annotators in five blocks: the share of all 6^5 permutations, listed one by one."""
    votes = drawings(3, [0.1, 0.1, 0.35], n_blocks=5)
    blocks = votes.blocks.toarray()
    decisions = votes.patterns.astype(float)
    shared = [decisions.T @ (decisions * weights[:, None]) for weights in blocks]
    largest = []
    for names in product(permutations(range(3)), repeat=5):
        total = sum(part[np.ix_(order, order)] for part, order in zip(shared, names))
        marked = np.diagonal(total)
        distance = 1 - 2 * total / (marked[:, None] + marked)
        mean_distance = distance.sum(axis=1) / 2
        largest.append((mean_distance - mean_distance.mean()).max())
    own = mean_distances(votes)
    exact = [(np.array(largest) >= value - 1e-12).mean() for value in own - own.mean()]
    assert outlier_test(votes).p_value == pytest.approx(exact, abs=0.05)


@pytest.mark.parametrize("n_annotators", [3, 8])
def test_alike_annotators_are_outliers_but_not_unlike(n_annotators: int) -> None:
    """60 comparisons of annotators who are all alike."""
    n_outliers = n_unlike = 0
    by_chance = []
    for seed in range(60):
        votes = drawings(seed, [0.1] * n_annotators, n_blocks=15)
        tested = outlier_test(votes)
        n_outliers += outliers(votes).any()
        n_unlike += tested.is_unlike.any()
        by_chance.append(tested.any_by_chance)
    assert n_outliers > 24
    assert n_unlike <= 8  # 3 are expected; more than 8 have a probability below 1 %
    assert n_outliers / 60 == pytest.approx(np.mean(by_chance), abs=0.2)


def test_who_differs_everywhere_is_unlike_the_others() -> None:
    votes = drawings(1, [0.1, 0.1, 0.1, 0.3])
    tested = outlier_test(votes)
    assert tested.is_unlike.tolist() == [False, False, False, True]
    assert [message.key for message in tested.messages] == [
        "outliers.unlike",
        "outliers.by_chance",
    ]
    assert tested.messages[0].values["names"] == ("4",)
    assert outlier_test(votes).p_value.tolist() == tested.p_value.tolist()


def test_too_few_blocks_or_annotators_are_not_tested() -> None:
    """Three annotators in three blocks: a p-value of 3^-2 at best."""
    few = outlier_test(drawings(1, [0.1, 0.1, 0.4], n_blocks=3))
    assert np.isnan(few.p_value).all()
    assert not few.is_unlike.any()
    assert [message.key for message in few.messages] == ["outliers.unlike_unknown"]
    two = outlier_test(drawings(1, [0.1, 0.4]))
    assert np.isnan(two.p_value).all()
    assert two.messages == ()
    same = outlier_test(VoteTable.from_stack(np.ones((4, 16, 16), bool)))
    assert np.isnan(same.p_value).all()


def test_blocks_that_annotators_did_not_look_at_are_not_permuted() -> None:
    """The fourth annotator looked at every other tile only, and is like the others there."""
    rng = np.random.default_rng(5)
    tiles = []
    for number in range(60):
        stack = (rng.random(30) < 1 / 3) ^ (rng.random((4, 30)) < 0.1)
        missing = np.zeros((4, 30), dtype=bool)
        missing[3] = number % 2
        tiles.append((stack, None, missing))
    tested = outlier_test(VoteTable.from_tiles(tiles))
    assert np.isfinite(tested.p_value).all()
    assert not tested.is_unlike.any()


def test_crowns_across_the_borders_of_blocks_widen_the_permutations() -> None:
    """Errors in squares of 8 pixels that lie across the borders of blocks of 8 pixels."""
    rng = np.random.default_rng(6)
    n_unlike = np.zeros(2)
    for _ in range(40):
        errors = np.kron(rng.random((4, 9, 9)) < 0.15, np.ones((8, 8), bool))[:, 4:68, 4:68]
        stack = np.kron(rng.random((9, 9)) < 0.4, np.ones((8, 8), bool))[4:68, 4:68] ^ errors
        votes = VoteTable.from_stack(stack)
        blocks = stack.reshape(4, 8, 8, 8, 8).transpose(1, 3, 0, 2, 4).reshape(64, 4, 64)
        # Merged tiles are taken as independent.
        for row, table in enumerate((votes, VoteTable.from_tiles(list(blocks)))):
            n_unlike[row] += outlier_test(table).is_unlike.any()
    assert n_unlike[0] <= 5
    assert n_unlike[1] > n_unlike[0]


@pytest.mark.parametrize("order", list(permutations(range(3)))[1:])
def test_the_order_of_the_annotators_changes_nothing(order: tuple[int, ...]) -> None:
    votes = drawings(5, [0.1, 0.12, 0.2], n_blocks=12)
    tested, turned = outlier_test(votes), outlier_test(votes.select(np.array(order)))
    assert turned.p_value.tolist() == tested.p_value[list(order)].tolist()
    assert (turned.n_by_chance, turned.any_by_chance) == (
        tested.n_by_chance,
        tested.any_by_chance,
    )
