from __future__ import annotations

import numpy as np
import pytest
import shapely
from scipy import sparse, special, stats
from shapely import affinity
from support.crowns import KINDS, crown
from support.errors import raises
from support.resampling import block_weights, bootstrap

from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.blocks import (
    BlockGrid,
    block_interval,
    block_labels,
    iterate_block_resamples,
)
from randcrowns.core.agreement.measures import agreement_ratio, smyth_bound
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.errors import Cancelled


def patches(seed: int = 0) -> np.ndarray:
    """Three annotators who differ patch by patch of 8 x 8 pixels."""
    coarse = np.random.default_rng(seed).random((3, 10, 10)) < 0.4
    return coarse.repeat(8, axis=1).repeat(8, axis=2)


def test_blocks_add_up_to_the_table() -> None:
    stack = patches()
    mask = np.zeros((80, 80), dtype=bool)
    mask[:13, :30] = True
    votes = VoteTable.from_stack(stack, mask, pixel_area=0.25)
    blocks = block_weights(votes, 13)
    np.testing.assert_allclose(np.asarray(blocks.sum(axis=0)).ravel(), votes.weights)
    labels = block_labels((80, 80), 13)
    first = labels == labels[20, 40]
    pattern = votes.pattern_index[20, 40]
    place = np.unique(labels[~mask]).tolist().index(labels[20, 40])
    assert blocks[place, pattern] == 0.25 * (votes.pattern_index[first] == pattern).sum()


def test_faces_whose_edges_cross_by_rounding_add_up_to_the_table() -> None:
    rng = np.random.default_rng(8)
    places = rng.uniform([404_000.0, 3_285_000.0], [404_040.0, 3_285_040.0], (30, 2))
    first = [crown(rng, KINDS[k % 5], x, y, rng.uniform(0.8, 4)) for k, (x, y) in enumerate(places)]
    second = [affinity.translate(one, *rng.normal(0, 0.7, 2)) for one in first]
    second += [*(affinity.translate(one, 0.5, 0) for one in first[::5]), *first[::6]]
    votes = VoteTable.from_polygons(
        [first, second, [affinity.translate(one, 0.4, -0.7) for one in first]]
    )
    assert not shapely.is_valid(votes.faces).all()
    np.testing.assert_allclose(
        np.asarray(block_weights(votes).sum(axis=0)).ravel(), votes.weights, rtol=1e-9
    )


def test_labels_are_squares() -> None:
    labels = block_labels((5, 7), 3)
    assert labels.shape == (5, 7)
    assert len(np.unique(labels)) == 2 * 3
    assert (labels[:3, :3] == labels[0, 0]).all()
    assert labels[3, 0] != labels[2, 0]
    assert len(np.unique(block_labels((80, 80)))) == 64


@pytest.mark.parametrize("side", [2.9, 3.4, 7.75])
def test_blocks_have_their_side_though_it_is_no_whole_number_of_pixels(side: float) -> None:
    across = block_labels((1, 200), side)[0]
    assert across.max() + 1 == np.ceil(200 / side)
    np.testing.assert_allclose(np.bincount(across)[:-1].mean(), side, rtol=0.01)
    assert len(np.unique(block_labels((200, 100), side))) == np.ceil(200 / side) * np.ceil(
        100 / side
    )


def test_faces_are_cut_exactly_at_the_blocks() -> None:
    area = shapely.box(0, 0, 8, 8)
    votes = VoteTable.from_polygons([[shapely.box(1, 1, 5, 5)], [shapely.box(0, 0, 2, 2)]], area)
    blocks = block_weights(votes, 4)
    assert blocks.shape[0] == 4
    np.testing.assert_allclose(np.asarray(blocks.sum(axis=1)).ravel(), 16)
    np.testing.assert_allclose(np.asarray(blocks.sum(axis=0)).ravel(), votes.weights)
    only_first = np.flatnonzero((votes.patterns == [True, False]).all(axis=1))
    np.testing.assert_allclose(blocks[:, only_first].toarray().ravel(), [8, 3, 3, 1])


def test_tiles_are_the_blocks_of_a_merged_table() -> None:
    stack = patches()
    tiles = [stack[:, start : start + 20] for start in range(0, 80, 20)]
    assert block_weights(VoteTable.from_tiles(tiles)).shape[0] == 4


def test_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    truth = 3 * 0.4 * 0.6 / 3  # one of three differs, or two: the minority is one annotator
    covered = 0
    for seed in range(40):
        interval = bootstrap(VoteTable.from_stack(patches(seed)), smyth_bound, 8, resamples=200)
        covered += interval.low <= truth <= interval.high
    assert 34 <= covered <= 40


def test_the_ends_are_students_on_a_scale_without_ends() -> None:
    """Ten blocks: t with 9 degrees of freedom, on the scales logit and artanh."""
    values = np.linspace(0.3, 0.5, 201)
    low, high, notes = block_interval(
        np.array([0.4, -0.4, 1.0]),
        np.stack([values, -values, np.ones(201)], axis=1),
        10,
        [False, True, True],
    )
    reach = stats.t.ppf(0.975, 9) * values.std(ddof=1) * np.sqrt(10 / 9)
    share = special.expit(special.logit(0.4) + np.array([-1, 1]) * reach / (0.4 * 0.6))
    kappa = np.tanh(np.arctanh(-0.4) + np.array([-1, 1]) * reach / (1 - 0.4**2))
    assert np.stack([low, high], axis=1) == pytest.approx(np.array([share, kappa, [1, 1]]))
    assert notes == (AgreementMessage.BLOCK_RESAMPLING,)


def grid_of(rows: int, columns: int) -> BlockGrid:
    """Return a grid of blocks with one pattern."""
    return BlockGrid(sparse.csr_matrix(np.ones((rows * columns, 1))), columns)


def test_windows_are_adjacent_blocks_and_continue_at_the_opposite_edge() -> None:
    membership, size = grid_of(4, 6).windows(24)
    assert size == 4
    # The last block of the last row, with the first of that row and with those of the first row.
    assert np.flatnonzero(membership.toarray()[23]).tolist() == [0, 5, 18, 23]
    assert np.flatnonzero(membership.toarray()[0]).tolist() == [0, 1, 6, 7]
    assert (membership.sum(axis=0) == 4).all()


@pytest.mark.parametrize(
    ("rows", "columns", "n_marked", "size"),
    [(4, 5, 20, 4), (4, 5, 19, 1), (1, 12, 12, 2), (12, 1, 12, 2), (1, 9, 9, 1)],
)
def test_blocks_are_resampled_singly_if_too_few_windows_remain(
    rows: int, columns: int, n_marked: int, size: int
) -> None:
    assert grid_of(rows, columns).windows(n_marked).size == size


def test_tiles_and_plots_that_form_no_grid_are_resampled_singly() -> None:
    windows = BlockGrid(sparse.csr_matrix(np.ones((30, 1))), 0).windows(30)
    assert windows.size == 1
    np.testing.assert_array_equal(windows.membership.toarray(), np.eye(30))


def test_windows_of_blocks_count_bartletts_covariances() -> None:
    """Variance of a mean over a circle of blocks: Bartlett's weights 1 and 1/2 per axis."""
    values = np.random.default_rng(3).normal(size=64).reshape(8, 8)
    membership, size = grid_of(8, 8).windows(64)
    counts = np.concatenate([*iterate_block_resamples(64, 40_000, 0, window_size=size)])
    means = counts @ (membership @ values.ravel()) / 64
    centred = values - values.mean()
    expected = sum(
        (1 - abs(down) / 2)
        * (1 - abs(right) / 2)
        * (centred * np.roll(centred, (down, right), (0, 1))).sum()
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
    )
    assert means.var() == pytest.approx(expected / 64**2, rel=0.03)


def test_resamples_are_of_as_many_blocks() -> None:
    times = np.concatenate([*iterate_block_resamples(30, 40, seed=0)])
    assert times.shape == (40, 30)
    assert (times.sum(axis=1) == 30).all()
    times = np.concatenate([*iterate_block_resamples(30, 40, seed=0, window_size=4)])
    assert (times.sum(axis=1) == 8).all()


def test_pixels_would_claim_too_much() -> None:
    votes = VoteTable.from_stack(patches())
    by_blocks = bootstrap(votes, smyth_bound, 8, resamples=300)
    by_pixels = bootstrap(votes, smyth_bound, 1, resamples=300)
    assert by_blocks.high - by_blocks.low > 4 * (by_pixels.high - by_pixels.low)
    assert by_blocks.estimate == by_pixels.estimate == smyth_bound(votes)


def test_the_seed_decides_and_arrays_are_welcome() -> None:
    votes = VoteTable.from_stack(patches())
    first, again = (bootstrap(votes, agreement_ratio, resamples=150, seed=4) for _ in range(2))
    other = bootstrap(votes, agreement_ratio, resamples=150, seed=5)
    np.testing.assert_array_equal(first.low, again.low)
    assert (first.low != other.low).any()
    assert first.low.shape == (3,)
    assert (first.low <= first.high).all()


def test_too_few_blocks_are_told_or_give_no_interval() -> None:
    votes = VoteTable.from_stack(patches())
    one = bootstrap(votes, smyth_bound, 80)
    assert one.n_blocks == 1
    assert np.isnan([one.low, one.high]).all()
    assert one.estimate == smyth_bound(votes)
    assert AgreementMessage.TOO_FEW_BLOCKS in one.notes
    four = bootstrap(votes, smyth_bound, 40, resamples=10)
    assert AgreementMessage.TOO_FEW_BLOCKS in four.notes
    assert np.isnan([four.low, four.high]).all()
    nine = bootstrap(votes, smyth_bound, 30, resamples=100)
    assert nine.n_blocks == 9
    assert AgreementMessage.TOO_FEW_BLOCKS in nine.notes
    assert np.isnan([nine.low, nine.high]).all()
    assert (
        AgreementMessage.TOO_FEW_BLOCKS not in bootstrap(votes, smyth_bound, 8, resamples=10).notes
    )


def test_what_cannot_be_computed_has_no_interval() -> None:
    nothing = VoteTable.from_stack(np.zeros((3, 80, 80), bool))
    interval = bootstrap(nothing, agreement_ratio, resamples=120)
    assert np.isnan([interval.estimate, interval.low, interval.high]).all()
    empty = VoteTable.from_stack(np.zeros((3, 8, 8), bool), np.ones((8, 8), bool))
    assert bootstrap(empty, smyth_bound).n_blocks == 0
    undrawn = VoteTable.from_polygons([[], []])
    assert bootstrap(undrawn, smyth_bound).n_blocks == 0


def test_few_draws_give_no_interval() -> None:
    votes = VoteTable.from_stack(patches())
    few = bootstrap(votes, smyth_bound, 8, resamples=99)
    assert np.isnan([few.low, few.high]).all()
    assert few.estimate == smyth_bound(votes)
    assert AgreementMessage.FEW_RESAMPLES in few.notes
    enough = bootstrap(votes, smyth_bound, 8, resamples=100)
    assert enough.low < enough.estimate < enough.high
    assert AgreementMessage.FEW_RESAMPLES not in enough.notes
    rarely = bootstrap(votes, lambda _: np.nan, 8, resamples=100)
    assert (
        AgreementMessage.FEW_RESAMPLES not in rarely.notes
    )  # that has no value for another reason


def test_draws_are_as_many_as_there_are_blocks() -> None:
    (counts,) = iterate_block_resamples(6, 50, 0)
    assert counts.shape == (50, 6)
    assert (counts.sum(axis=1) == 6).all()
    assert list(iterate_block_resamples(1, 50, 0)) == []


def test_draws_come_in_bounded_pieces_and_stay_the_same() -> None:
    (whole,) = iterate_block_resamples(9, 1000, 3)
    pieces = list(iterate_block_resamples(9, 1000, 3, values_per_resample=1 << 16))
    assert max(map(len, pieces)) == 64
    np.testing.assert_array_equal(np.concatenate(pieces), whole)


@pytest.mark.parametrize("side", [1e-9, 0.3, 5e-324])
def test_too_many_blocks_are_refused_before_they_are_made(side: float) -> None:
    votes = VoteTable.from_polygons([[shapely.box(0, 0, 100, 100)], [shapely.box(0, 0, 50, 100)]])
    with raises("blocks.too_many"):
        block_weights(votes, side)
    with raises("blocks.below_pixel"):
        block_labels((100, 100), side)
    with raises("blocks.side_not_positive", side=0.0):
        block_weights(votes, 0.0)


def test_too_many_blocks_of_pixels_are_refused() -> None:
    with raises("blocks.too_many_of_pixels", side=1):
        block_labels((1000, 1000), 1)


@pytest.mark.parametrize("side", [1e9, 1e300])
def test_a_block_larger_than_everything_holds_everything(side: float) -> None:
    votes = VoteTable.from_polygons([[shapely.box(0, 0, 100, 100)], [shapely.box(0, 0, 50, 100)]])
    assert block_weights(votes, side).sum(axis=0).tolist()[0] == pytest.approx(votes.weights)
    assert len(np.unique(block_labels((30, 40), side))) == 1


def test_settings_that_make_no_sense_are_refused() -> None:
    votes = VoteTable.from_stack(patches())
    with raises("blocks.below_pixel"):
        bootstrap(votes, smyth_bound, 0)
    with raises("blocks.no_units"):
        bootstrap(VoteTable.from_stack(np.ones((2, 9), bool)), smyth_bound)


def test_it_can_be_cancelled() -> None:
    def cancel(fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        bootstrap(VoteTable.from_stack(patches()), smyth_bound, progress=cancel)


@pytest.mark.parametrize("turned", [False, True])
def test_a_long_narrow_study_area_is_cut_along_its_longer_side(turned: bool) -> None:
    """800 x 10 m: eight blocks of 100 m in a row, each as the pixels of the same area have it."""
    area = shapely.box(0, 0, 10, 800) if turned else shapely.box(0, 0, 800, 10)
    part = shapely.box(0, 0, 10, 250) if turned else shapely.box(0, 0, 250, 10)
    votes = VoteTable.from_polygons([[area], [part]])
    blocks = block_weights(votes).toarray()
    assert np.sort(blocks.sum(axis=1)).tolist() == pytest.approx([1000.0] * 8)
    alone = [pattern.tolist() for pattern in votes.patterns].index([True, False])
    assert np.sort(blocks[:, alone]).tolist() == pytest.approx([0, 0, 500, *[1000] * 5])
    shape = (800, 10) if turned else (10, 800)
    assert np.bincount(block_labels(shape).ravel()).tolist() == [1000] * 8
    # One block holds all of it where its side is longer than the shorter side only.
    assert np.sort(block_weights(votes, 400.0).toarray().sum(axis=1)).tolist() == pytest.approx(
        [4000.0] * 2
    )
