"""Scores with alpha and omega from the spread of each target's own outlines."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
import shapely
from support.errors import raises

from randcrowns.core.crowns import Crowns
from randcrowns.core.scoring.layer import score_crowns
from randcrowns.core.scoring.own_spread import (
    OwnSpreadScores,
    length_of_spread,
    own_spread_message,
    score_with_own_spread,
)
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs

PARAMETERS = RandCrownsParameters(0.7, 1.2, 3)


def scene(seed: int, n: int = 12) -> tuple[Crowns, Crowns, np.ndarray]:
    """Return targets, delineations and the spread of the targets; some have none."""
    rng = np.random.default_rng(seed)
    centre = np.column_stack([np.arange(n) * 15.0, np.zeros(n)])
    targets = shapely.buffer(shapely.points(centre), rng.uniform(3, 5, n))
    moved = centre + rng.normal(0, 0.6, centre.shape)
    drawn = shapely.buffer(shapely.points(moved), rng.uniform(3, 5, n))[: n - 2]
    spread = rng.uniform(0.05, 0.6, n)
    spread[rng.random(n) < 0.2] = np.nan
    return Crowns(targets), Crowns(drawn), spread


def test_the_length_contains_95_percent_of_normal_distances_on_either_side() -> None:
    deviation = 0.7
    mean_distance = scipy.stats.foldnorm.mean(0, scale=deviation)
    expected = scipy.stats.norm.ppf(0.95, scale=deviation)
    assert length_of_spread(mean_distance) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_each_target_has_the_score_of_a_run_with_its_own_length(seed: int) -> None:
    targets, drawn, spread = scene(seed)
    scores = score_crowns(targets, drawn, PARAMETERS)
    pairs = scores.pairs[scores.pairs["assigned"]]
    own = score_with_own_spread(targets, drawn.geometry, pairs, spread, PARAMETERS)
    for row in range(len(targets)):
        if np.isnan(spread[row]):
            assert np.isnan(own.randcrowns[row])
            assert np.isnan(own.lengths[row])
            continue
        length = round(2.0615665 * spread[row], 2)
        assert own.lengths[row] == pytest.approx(length, abs=1e-12)
        of_target = pairs.loc[pairs["target"] == row, "delineation"].to_numpy()
        if not len(of_target):
            assert own.randcrowns[row] == 0
            continue
        alone = score_pairs(
            targets.geometry[[row]],
            drawn.geometry[of_target],
            RandCrownsParameters(length, length, 3),
        )
        assert own.randcrowns[row] == pytest.approx(alone["randcrowns"].iloc[0], abs=1e-12)


def test_with_the_common_length_the_scores_are_those_of_the_run() -> None:
    targets, drawn, _ = scene(1)
    parameters = RandCrownsParameters(0.7, 0.7, 3)
    spread = np.full(len(targets), 0.7 / 2.0615665)
    for pairing in ("nearest", "max_iou", "mean_over_count", "min_score", "hungarian"):
        scores = score_crowns(targets, drawn, parameters, pairing)
        pairs = scores.pairs[scores.pairs["assigned"]]
        own = score_with_own_spread(targets, drawn.geometry, pairs, spread, PARAMETERS, pairing)
        np.testing.assert_allclose(own.randcrowns, scores.targets["randcrowns"], atol=1e-12)


def test_the_extent_clips_the_offsets_as_in_a_run() -> None:
    targets, drawn, _ = scene(2)
    extent = shapely.box(-4, -4.2, 200, 4.2)
    parameters = RandCrownsParameters(0.7, 0.7, 3)
    scores = score_crowns(targets, drawn, parameters, extent=extent)
    pairs = scores.pairs[scores.pairs["assigned"]]
    spread = np.full(len(targets), 0.7 / 2.0615665)
    own = score_with_own_spread(targets, drawn.geometry, pairs, spread, PARAMETERS, extent=extent)
    np.testing.assert_allclose(own.randcrowns, scores.targets["randcrowns"], atol=1e-12)


def test_a_target_that_is_too_small_for_its_length_has_no_score() -> None:
    tree = Crowns([shapely.box(0, 0, 2, 2)] * 2)
    scores = score_crowns(tree, tree, RandCrownsParameters(0.1, 0.1, 3), "hungarian")
    pairs = scores.pairs[scores.pairs["assigned"]]
    own = score_with_own_spread(tree, tree.geometry, pairs, [0.1, 2.0], PARAMETERS)
    assert own.randcrowns[0] == pytest.approx(1)
    assert np.isnan(own.randcrowns[1])


def test_the_message_compares_means_of_the_same_targets() -> None:
    own = OwnSpreadScores(np.array([0.5, 0.7, np.nan]), np.array([0.2, 0.4, np.nan]))
    message = own_spread_message("anna", own, [0.4, 0.6, 0.0], None)
    assert message.key == "scoring.own_spread"
    assert message.values["count"] == 2
    assert message.values["common"] == pytest.approx(0.5)
    assert message.values["length"] == pytest.approx(0.3)
    assert str(message.values["own"]) == "0.60"
    nothing = OwnSpreadScores(np.full(2, np.nan), np.full(2, 9.0))
    assert own_spread_message("anna", nothing, [0, 0], None).key == "scoring.own_spread_none"


@pytest.mark.parametrize(
    ("spread", "key"),
    [
        ([np.nan] * 12, "spread.none"),
        ([-0.1] * 12, "spread.invalid"),
        ([np.inf] * 12, "spread.invalid"),
    ],
)
def test_a_spread_that_is_no_length_is_refused(spread: list[float], key: str) -> None:
    targets, drawn, _ = scene(0)
    scores = score_crowns(targets, drawn, PARAMETERS)
    with raises(key):
        score_with_own_spread(targets, drawn.geometry, scores.pairs, spread, PARAMETERS)
