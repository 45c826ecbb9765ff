"""Equally good detectors are called better in no more than the required share of cases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from equal_detectors import claimed, false_claims, first_of, scene, sums

from randcrowns.core.detectors.bootstrap import BootstrapRanking
from randcrowns.core.detectors.conclusion import conclude_ranking


def test_no_more_claims_than_asked_for() -> None:
    """Test 2, 3 and 4 detectors; docs/detectors.md has 1,000 runs, also on scenes of pixels."""
    runs = 150
    ours, before = false_claims(sums, runs, 16, 4, 0.5, resamples=100).T
    assert (ours <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs)).all()
    assert before[0] > 0.08


def test_the_simulation_claims_what_the_verdict_claims() -> None:
    said = []
    for seed in range(20):
        ranks = sums(seed, 16, 4, 0.5, 60)
        more = np.array([0.1 * seed, 0, 0, 0])
        ranks = replace(ranks, estimate=ranks.estimate + more, resamples=ranks.resamples + more)
        made = BootstrapRanking(
            ranks.estimate, ranks.resamples, ranks.annotator_counts, ranks.n_tiles
        )
        said.append(conclude_ranking(made).is_better)
        assert claimed(ranks) is said[-1]
    assert set(said) == {False, True}


def test_a_scene_of_pixels_is_ranked_as_it_comes() -> None:
    ours, _ = false_claims(scene, 3, 16, 3, 0.0, resamples=30).T
    assert (ours <= 0.4).all()


def test_from_one_place_nothing_is_claimed() -> None:
    """With one tile, half the claims from annotators alone would be false."""
    ranks = [first_of(sums(seed, 1, 6, 0.5, 60), 2) for seed in range(20)]
    assert sum(map(claimed, ranks)) > 5
    for one in ranks:
        said = conclude_ranking(one)
        assert not said.is_better
        assert said.reason.key == "verdict.one_place"
        assert str(said).endswith("Use smaller tiles.")
    by_plot = conclude_ranking(replace(ranks[0], tile_kind="plots"))
    assert by_plot.reason.key == "verdict.one_place"
    assert "One plot" in str(by_plot)
