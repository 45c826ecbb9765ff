from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import stats
from support.errors import raises
from support.shown import shows

from randcrowns.core.agreement.consensus import CONSENSUS_METHODS, majority_consensus
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.detectors import bootstrap as rank_probability
from randcrowns.core.detectors.bootstrap import (
    BootstrapRanking,
    bootstrap_ranking,
    number_square_tiles,
)
from randcrowns.core.detectors.conclusion import conclude_ranking
from randcrowns.core.detectors.curves import aucr
from randcrowns.core.detectors.ranking import rank_detectors
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.core.errors import Cancelled
from randcrowns.core.messages import Message


def values_of(message: Message) -> dict[str, object]:
    """Return the values of a message."""
    return dict(message.values)


def scene(noises: dict[str, float]) -> tuple[dict[str, NDArray], NDArray]:
    rng = np.random.default_rng(5)
    real = rng.normal(size=(40, 40))
    scores = {
        name: np.round(real + noise * rng.normal(size=real.shape), 1)
        for name, noise in noises.items()
    }
    return scores, np.stack([real + 0.5 * rng.normal(size=real.shape) > 0.8 for _ in range(5)])


TILES = number_square_tiles((40, 40), 10)


def test_square_tiles() -> None:
    tiles = number_square_tiles((3, 5), 2)
    np.testing.assert_array_equal(tiles, [[0, 0, 1, 1, 2], [0, 0, 1, 1, 2], [3, 3, 4, 4, 5]])
    with raises("tiles.below_pixel"):
        number_square_tiles((3, 5), 0)


def test_a_draw_equals_doing_it_by_hand() -> None:
    """Repeat the drawn tiles pixel by pixel and stack the drawn annotators."""
    scores, stack = scene({"a": 0.5, "b": 1.0})
    ranks = bootstrap_ranking(scores, VoteTable.from_stack(stack), TILES, resamples=3, seed=7)
    rng = np.random.default_rng(7)
    for draw in range(3):
        annotators, tiles = rng.choice(5, 5), rng.integers(16, size=16)
        units = np.concatenate([np.flatnonzero(TILES.ravel() == tile) for tile in tiles])
        truth = (2 * stack[annotators].sum(axis=0) >= 5).ravel()[units]
        for name, score in scores.items():
            assert ranks.resamples.loc[draw, name] == pytest.approx(
                aucr(score.ravel()[units], truth), abs=1e-12
            )
    truth = 2 * stack.sum(axis=0) >= 5
    assert ranks.estimate["a"] == pytest.approx(aucr(scores["a"], truth), abs=1e-12)
    assert (ranks.n_annotators, ranks.n_tiles, ranks.n_used) == (5, 16, 3)


@pytest.mark.parametrize("distance", [1.0, 2.3])
def test_a_draw_with_a_tolerance_equals_doing_it_by_hand(distance: float) -> None:
    """The drawn annotators' truth is widened in the whole scene before tiles are repeated."""
    scores, stack = scene({"a": 0.5, "b": 1.0})
    scores["b"][3:5, 7:30] = np.nan
    tolerance = Tolerance(distance, 1.0, 0.8)
    area = ~np.isnan(scores["b"])
    ranks = bootstrap_ranking(
        scores, VoteTable.from_stack(stack), TILES, tolerance=tolerance, resamples=3, seed=7
    )
    highest = {
        name: tolerance.highest_score_nearby(np.where(area, score, -np.inf))
        for name, score in scores.items()
    }
    rng = np.random.default_rng(7)
    for draw in range(3):
        annotators, tiles = rng.choice(5, 5), rng.integers(16, size=16)
        truth = (2 * stack[annotators].sum(axis=0) >= 5) & area
        units = np.concatenate(
            [
                np.flatnonzero((tile == TILES) & tolerance.counted_mask(truth) & area)
                for tile in tiles
            ]
        )
        for name, score in scores.items():
            judged = np.where(truth, highest[name], score).ravel()[units]
            assert ranks.resamples.loc[draw, name] == pytest.approx(
                aucr(judged, truth.ravel()[units]), abs=1e-12
            )
    truth = 2 * stack.sum(axis=0) >= 5
    exact = rank_detectors(scores, {"half": truth}, tolerance=tolerance).aucr["half"]
    pd.testing.assert_series_equal(ranks.estimate, exact, check_names=False, atol=1e-12)


def test_a_tolerance_of_nothing_changes_nothing() -> None:
    scores, stack = scene({"a": 0.5})
    plain, none = (
        bootstrap_ranking(
            scores, VoteTable.from_stack(stack), TILES, resamples=5, tolerance=tolerance
        ).resamples
        for tolerance in (None, Tolerance(0.0))
    )
    pd.testing.assert_frame_equal(plain, none)


def test_many_thresholds_are_grouped_with_little_loss() -> None:
    rng = np.random.default_rng(0)
    _, stack = scene({})
    score = stack.sum(axis=0) + rng.normal(size=(40, 40))
    ranks = bootstrap_ranking(
        [score], VoteTable.from_stack(stack), TILES, resamples=1, max_thresholds=300
    )
    assert ranks.estimate["Detector 1"] == pytest.approx(
        aucr(score, 2 * stack.sum(axis=0) >= 5), abs=1e-3
    )


def test_groups_share_what_is_marked_and_what_is_not_evenly() -> None:
    rng = np.random.default_rng(5)
    score, voted = rng.integers(0, 400, 3000) / 7.0, rng.random(3000) < 0.1
    group = rank_probability._score_groups(score, voted, 20)
    distinct, place = np.unique(-score, return_inverse=True)
    marked, others = (
        np.bincount(place[which], minlength=distinct.size) for which in (voted, ~voted)
    )
    share = marked / marked.sum() + others / others.sum()
    expected = ((np.cumsum(share) - share) * 20 / share.sum()).astype(int)[place]
    np.testing.assert_array_equal(group, expected)
    assert set(group) == set(range(20))
    assert rank_probability._score_groups(score, voted, 400).max() == distinct.size - 1


def test_clear_and_unclear_differences() -> None:
    scores, stack = scene({"sharp": 0.3, "dull": 2.0, "dull too": 2.0})
    ranks = bootstrap_ranking(scores, VoteTable.from_stack(stack), TILES, resamples=100)
    assert ranks.rank_shares.columns.tolist() == [1, 2, 3]
    np.testing.assert_allclose(ranks.rank_shares.sum(axis=1), 1.0)
    assert ranks.rank_shares.loc["sharp", 1] == 1.0
    np.testing.assert_allclose(
        ranks.win_probabilities + ranks.win_probabilities.T, np.where(np.eye(3) == 1, np.nan, 1.0)
    )
    said = conclude_ranking(ranks)
    assert said.best == "sharp"
    assert said.is_better
    assert 0 < said.lower_bound <= said.difference
    answer = said.messages[0]
    assert (answer.key, values_of(answer)) == (
        "verdict.better",
        {"best": "sharp", "second": "dull"},
    )
    assert "annotators and tiles" in str(said)
    unclear = conclude_ranking(
        bootstrap_ranking(
            {k: scores[k] for k in ("dull", "dull too")},
            VoteTable.from_stack(stack),
            TILES,
            resamples=100,
        )
    )
    assert not unclear.is_better
    assert unclear.messages[0].key == "verdict.not_better"
    assert unclear.lower_bound < 0


def test_identical_detectors_win_half_of_the_time() -> None:
    scores, stack = scene({"a": 1.0})
    twins = {"a": scores["a"], "b": 2 * scores["a"]}
    ranks = bootstrap_ranking(twins, VoteTable.from_stack(stack), TILES, resamples=20)
    assert ranks.win_probabilities.loc["a", "b"] == 0.5
    assert (ranks.rank_shares[1] == 1.0).all()
    assert not conclude_ranking(ranks, 0.5).is_better
    assert str(conclude_ranking(ranks)) == (
        "a cannot be called better than b. By area, a and b tied in all bootstrap samples. "
        "The shares are from 20 bootstrap samples of annotators and tiles."
    )


def test_the_seed_decides_and_the_rule_is_used() -> None:
    scores, stack = scene({"a": 0.5, "b": 1.0})
    votes = VoteTable.from_stack(stack)
    first, again, other = (
        bootstrap_ranking(scores, votes, TILES, resamples=5, seed=seed) for seed in (1, 1, 2)
    )
    pd.testing.assert_frame_equal(first.resamples, again.resamples)
    assert not first.resamples.equals(other.resamples)
    by_any = bootstrap_ranking(scores, votes, TILES, resamples=1, rule=CONSENSUS_METHODS["any"])
    assert by_any.estimate["a"] == pytest.approx(aucr(scores["a"], stack.any(axis=0)), abs=1e-12)
    assert bootstrap_ranking(
        scores, votes, TILES, resamples=1, rule=majority_consensus
    ).estimate.equals(first.estimate)


def test_only_usable_units_count() -> None:
    scores, stack = scene({"a": 0.5, "b": 1.0})
    scores["a"][:10] = np.nan
    outside = np.zeros((40, 40), dtype=bool)
    outside[-10:] = True
    ranks = bootstrap_ranking(scores, VoteTable.from_stack(stack, outside), TILES, resamples=1)
    middle = np.s_[10:30]
    truth = 2 * stack.sum(axis=0) >= 5
    assert ranks.estimate["b"] == pytest.approx(aucr(scores["b"][middle], truth[middle]), abs=1e-12)
    assert ranks.n_tiles == 8


def test_weights_and_valid_area() -> None:
    scores, stack = scene({"a": 0.5})
    weight = np.linspace(1, 2, 1600).reshape(40, 40)
    valid = TILES % 2 == 0
    ranks = bootstrap_ranking(
        scores, VoteTable.from_stack(stack), TILES, resamples=1, weight=weight, valid=valid
    )
    expected = aucr(scores["a"], 2 * stack.sum(axis=0) >= 5, weight=weight, valid=valid)
    assert ranks.estimate["a"] == pytest.approx(expected, abs=1e-12)


def test_draws_without_a_ground_truth_are_left_out_and_counted() -> None:
    stack = np.zeros((2, 4, 4), dtype=bool)
    stack[:, 0, 0] = True
    score = np.arange(16.0).reshape(4, 4)
    ranks = bootstrap_ranking(
        {"a": score, "b": -score},
        VoteTable.from_stack(stack),
        number_square_tiles((4, 4), 2),
        resamples=60,
    )
    assert 0 < ranks.n_used < 60
    assert ranks.resamples.isna().any(axis=None)
    drawn = conclude_ranking(ranks).messages[-1]
    assert (drawn.key, values_of(drawn)) == ("verdict.drawn", {"draws": ranks.n_used, "asked": 60})
    np.testing.assert_allclose(ranks.rank_shares.sum(axis=1), 1.0)


@pytest.mark.parametrize(
    ("scores", "stack", "side", "reason"),
    [
        ({"a": np.eye(4)}, np.eye(4, dtype=bool)[None], 2, "only one detector"),
        ({"a": np.eye(4), "b": np.eye(4)}, np.eye(4, dtype=bool)[None], 4, "nothing to resample"),
        ({"a": np.eye(4), "b": np.eye(4)}, np.zeros((2, 4, 4), dtype=bool), 2, "no unmarked ones"),
    ],
)
def test_nothing_can_be_said(
    scores: dict[str, NDArray], stack: NDArray, side: int, reason: str
) -> None:
    ranks = bootstrap_ranking(
        scores, VoteTable.from_stack(stack), number_square_tiles((4, 4), side), resamples=5
    )
    said = conclude_ranking(ranks)
    assert reason in str(said.reason)
    assert not said.is_better
    assert np.isnan(said.win_probability)
    assert [message.key for message in said.messages] == ["verdict.unknown", "verdict.why"]


def drawn_of(resamples: int) -> NDArray:
    """Three annotators, drawn as they come."""
    return np.random.default_rng(0).multinomial(3, np.full(3, 1 / 3), resamples)


def of_draws(best: NDArray, second: NDArray, times: int = 1) -> BootstrapRanking:
    draws = pd.DataFrame({"best": np.tile(best, times), "second": np.tile(second, times)})
    return BootstrapRanking(
        pd.Series({"best": 0.6, "second": 0.5}),
        draws,
        drawn_of(len(draws)),
        3,
    )


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
@pytest.mark.parametrize(("annotators", "tiles"), [(1, 40), (5, 1), (5, 40)])
def test_the_lower_bound_against_loops(level: float, annotators: int, tiles: int) -> None:
    rng = np.random.default_rng(tiles + annotators)
    n = 400
    drawn = rng.multinomial(annotators, np.full(annotators, 1 / annotators), n)
    style = rng.normal(0, 0.05, (annotators, 3))
    draws = pd.DataFrame(
        0.5 + drawn @ style / annotators + rng.normal(0, 0.03, (n, 3)), columns=["a", "b", "c"]
    )
    estimate = pd.Series({"a": 0.5, "b": 0.52, "c": 0.6})
    found = BootstrapRanking(estimate, draws, drawn, tiles).lead_lower_bounds("c", level)
    for other in ("a", "b"):
        ahead = (draws["c"] - draws[other]).to_numpy()
        variance, by_annotators = ahead.var(ddof=1), 0.0
        if annotators > 1 and tiles > 1:
            # One annotator is left out: how often the others were drawn says how often it was.
            known = unexplained(ahead, np.column_stack([np.ones(n), drawn[:, 1:]]))
            by_annotators = variance - known
        elif tiles == 1:
            by_annotators = variance
        parts = [(by_annotators, annotators), (variance - by_annotators, tiles)]
        reach = sum(
            stats.t.ppf(1 - (1 - level) / 3, number - 1) ** 2 * part * number / (number - 1)
            for part, number in parts
            if number > 1
        )
        assert found[other] == pytest.approx(0.6 - estimate[other] - np.sqrt(reach), abs=1e-9)


def unexplained(values: NDArray, columns: NDArray) -> float:
    """Variance of what a regression leaves."""
    left = values - columns @ np.linalg.solve(columns.T @ columns, columns.T @ values)
    return float(left @ left) / (len(values) - columns.shape[1])


def test_what_rounding_adds_is_level() -> None:
    noise = np.linspace(-1e-12, 1e-12, 40)
    found = conclude_ranking(of_draws(0.5 + noise, np.full(40, 0.5)), 0.5)
    assert (found.tied_share, found.win_probability, found.first_share) == (1.0, 0.5, 1.0)
    assert [message.key for message in found.messages][1:] == ["verdict.level", "verdict.drawn"]
    ranks = of_draws(np.array([0.6]), np.array([0.5]))
    noisy = replace(ranks, estimate=pd.Series({"a": 0.5, "best": 0.7, "b": 0.5 + 1e-15}))
    assert noisy.order == ["best", "a", "b"]


def test_draws_won_and_draws_level_are_told_apart() -> None:
    found = conclude_ranking(
        of_draws(np.array([0.7, 0.6, 0.5, 0.4]), np.array([0.5, 0.5, 0.5, 0.5]), 5)
    )
    ahead, margin = found.messages[1:3]
    assert (ahead.key, values_of(ahead)["won"], values_of(ahead)["tied"]) == (
        "verdict.ahead",
        50.0,
        25.0,
    )
    assert "tied" in str(ahead)
    assert (margin.key, values_of(margin)["level"]) == ("verdict.margin", 95.0)
    assert "tied" not in str(
        conclude_ranking(of_draws(np.array([0.7, 0.4]), np.array([0.5, 0.5]), 10))
    )


def of_three(copy: NDArray, third: NDArray) -> BootstrapRanking:
    draws = pd.DataFrame({"third": third, "copy": copy, "best": np.full(copy.size, 0.6)})
    return BootstrapRanking(
        pd.Series({"third": 0.5, "copy": 0.599, "best": 0.6}),
        draws,
        drawn_of(len(draws)),
        3,
    )


def test_a_near_copy_in_second_place_does_not_make_the_best() -> None:
    third = np.where(np.arange(100) < 77, 0.9, 0.1)
    found = conclude_ranking(of_three(np.full(100, 0.599), third))
    assert (found.second, found.win_probability) == ("copy", 1.0)
    assert not found.is_better
    assert str(found).startswith(
        "best has the highest AUCR but cannot be called the best. By area, best came first in "
        "23.0 % of the bootstrap samples, third in 77.0 %. By area, best came out ahead of copy in 100.0 % of the"
    )
    found = conclude_ranking(of_three(np.where(np.arange(100) % 2, 0.599, 0.601), third))
    keys = ["not_better", "ahead", "margin", "firsts", "drawn"]
    assert [message.key for message in found.messages] == [f"verdict.{key}" for key in keys]
    assert values_of(found.messages[1])["won"] == 50.0
    first = values_of(found.messages[3])
    assert (first["first"], first["rival"], first["rival_first"]) == (12.0, "third", 77.0)
    level = conclude_ranking(of_three(np.full(100, 0.6), third))
    keys = ["not_better", "level", "firsts", "drawn"]
    assert [message.key for message in level.messages] == [f"verdict.{key}" for key in keys]


def test_the_best_of_three_can_be_called_better() -> None:
    found = conclude_ranking(
        of_three(np.full(100, 0.599), np.where(np.arange(100) < 4, 0.601, 0.59))
    )
    assert found.is_better
    assert str(found).startswith(
        "best can be called better than copy. By area, best came out ahead of copy in 100.0 % of "
        "the boot"
    )
    assert "By area, best came first in 96.0 % of the bootstrap samples, third in 4.0 %." in str(
        found
    )
    assert "came first" not in str(
        conclude_ranking(of_draws(np.array([0.7, 0.4]), np.array([0.5, 0.5]), 10))
    )


@pytest.mark.parametrize(
    ("made", "level", "key", "needed"),
    [
        (19, 0.95, "verdict.too_few_draws", 20),
        (20, 0.95, "", 20),
        (9, 0.9, "verdict.too_few_draws", 10),
        (10, 0.9, "", 10),
        (999, 0.999, "verdict.too_few_draws", 1000),
        (1, 0.5, "verdict.too_few_draws", 2),
        (5000, 1.0, "verdict.surely", None),
    ],
)
def test_too_few_draws_say_nothing(made: int, level: float, key: str, needed: int | None) -> None:
    found = conclude_ranking(of_draws(np.full(made, 0.6), np.full(made, 0.5)), level)
    assert found.is_better is not bool(key)
    assert (found.reason.key if found.reason else "") == key
    if found.reason is not None:
        assert values_of(found.reason).get("needed") == needed
        assert values_of(found.reason)["level"] == pytest.approx(100 * level)
        assert str(found.reason) in str(found)


def test_draws_that_could_not_be_ranked_are_told() -> None:
    best = np.concatenate([np.full(30, 0.6), np.full(10, np.nan)])
    found = conclude_ranking(of_draws(best, np.full(40, 0.5)))
    assert values_of(found.messages[1])["won"] == 100.0
    assert str(found).endswith(
        "from 30 of 40 bootstrap samples of annotators and tiles; the others could not be ranked."
    )
    few = conclude_ranking(of_draws(best[20:], np.full(20, 0.5)))
    assert str(few.reason) == (
        "A certainty of 95 % requires 20 bootstrap samples, but only 10 could be ranked."
    )


def test_the_one_without_a_score_is_named() -> None:
    scores, stack = scene({"a": 0.5})
    ranks = bootstrap_ranking(scores, VoteTable.from_stack(stack), TILES, resamples=20)
    alone = "b has no score inside the study area, so a is the only detector to rank."
    assert str(conclude_ranking(ranks, scoreless=["b"]).reason) == alone
    assert shows(str(conclude_ranking(ranks, scoreless=["b", "c"])), "verdict.scoreless")


def test_no_draw_could_be_ranked() -> None:
    estimate = pd.Series({"a": 0.5, "b": 0.4})
    draws = pd.DataFrame({"a": [np.nan], "b": [np.nan]})
    ranks = BootstrapRanking(estimate, draws, drawn_of(1), 3)
    assert conclude_ranking(ranks).reason.key == "verdict.none_ranked"


def test_bad_input_gets_a_sentence() -> None:
    scores, stack = scene({"a": 0.5})
    votes = VoteTable.from_stack(stack)
    with raises("ranking.no_map"):
        bootstrap_ranking(scores, VoteTable.from_tiles([stack]), TILES)
    with raises("ranking.no_resamples_or_thresholds"):
        bootstrap_ranking(scores, votes, TILES, resamples=0)
    with raises("ranking.memory", resamples=1152921504606846976):
        bootstrap_ranking(scores, votes, TILES, resamples=2**60)
    with raises("detectors.none"):
        bootstrap_ranking({}, votes, TILES)
    with raises("skew.invalid_limits"):
        bootstrap_ranking(
            scores, VoteTable.from_stack(np.zeros_like(stack)), TILES, min_skew=0.5, max_skew=0.1
        )
    with raises("ranking.different_shapes"):
        bootstrap_ranking(scores, votes, TILES[:3])
    with raises("ranking.no_common_unit"):
        bootstrap_ranking(scores, votes, TILES, valid=np.zeros((40, 40), dtype=bool))
    with raises("ranking.invalid_certainty"):
        conclude_ranking(bootstrap_ranking(scores, votes, TILES, resamples=1), 95)


def test_cancel() -> None:
    scores, stack = scene({"a": 0.5})

    def cancel(fraction: float) -> None:
        if fraction > 0.1:
            raise Cancelled

    with pytest.raises(Cancelled):
        bootstrap_ranking(
            scores, VoteTable.from_stack(stack), TILES, resamples=100, progress=cancel
        )
