"""The order of annotators, detectors, plots and crowns permutes the samples and changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
import shapely

from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.bootstrap import (
    BootstrapRanking,
    bootstrap_ranking,
    number_square_tiles,
    resample_crown_ranking,
)
from randcrowns.core.detectors.class_bootstrap import resample_class_ranking
from randcrowns.core.detectors.coco import compute_coco_metrics
from randcrowns.core.detectors.crown_ranking import rank_crown_detectors
from randcrowns.core.scoring.parameters import PRESETS

LENGTHS = PRESETS["image_boxes"]
ANNOTATORS = ("ann", "ben", "eve")
DETECTORS = ("net", "box", "sam")
N_SAMPLES = 40


def crowns_of(name: str, noise: float, plots: bool) -> Crowns:
    """Return 60 trees in six plots as somebody drew them, with classes."""
    trees = np.random.default_rng(0).uniform(0, 40, (60, 2))
    rng = np.random.default_rng(sum(name.encode()))
    plot = np.arange(60) % 6
    corner = trees + rng.normal(0, noise, (60, 2)) + 100.0 * plot[:, None]
    size = rng.integers(4, 7, (60, 1))
    classes = rng.choice(["oak", "ash"], 60, p=[0.8, 0.2]).astype(object)
    names = np.array([f"p{number}" for number in plot], dtype=object)
    drawn = rng.random(60) < 0.8
    return Crowns(
        shapely.box(*corner.T, *(corner + size).T)[drawn],
        plots=names[drawn] if plots else None,
        classes=classes[drawn],
    )


def crown_samples(
    annotators: Sequence[str], detectors: Sequence[str], plots: bool, rng: Any = None
) -> list[BootstrapRanking]:
    """Return the samples of AP and of mAP of names in an order; crowns are shuffled by rng."""

    def read(name: str, noise: float) -> tuple[Crowns, np.ndarray]:
        crowns = crowns_of(name, noise, plots)
        scores = np.random.default_rng(1).random(len(crowns)).round(1)
        rows = np.arange(len(crowns)) if rng is None else rng.permutation(len(crowns))
        own_plots = None if crowns.plots is None else crowns.plots[rows]
        shuffled = Crowns(crowns.geometry[rows], plots=own_plots, classes=crowns.classes[rows])
        return shuffled, scores[rows]

    drawn = {name: read(name, 0.3)[0] for name in annotators}
    found = {name: read(name, 0.9) for name in detectors}
    layers = {**drawn, **{name: crowns for name, (crowns, _) in found.items()}}
    ranking = rank_crown_detectors(drawn, found, LENGTHS)
    coco = compute_coco_metrics(ranking, drawn, found)
    samples = [
        resample_crown_ranking(ranking, layers, 30.0, N_SAMPLES),
        resample_class_ranking(coco.classes, coco.class_matches, layers, 30.0, N_SAMPLES),
    ]
    return [own for own in samples if own is not None]


def assert_same_samples(found: BootstrapRanking, expected: BootstrapRanking) -> None:
    """Fail unless two results differ at most in the order of the detectors."""
    names = list(expected.resamples.columns)
    pd.testing.assert_frame_equal(found.resamples[names], expected.resamples, atol=1e-12, rtol=0)
    pd.testing.assert_series_equal(found.estimate[names], expected.estimate, atol=1e-12, rtol=0)
    shares = found.rank_shares.loc[names]
    pd.testing.assert_frame_equal(shares, expected.rank_shares, atol=1e-12, rtol=0)
    assert found.order == expected.order
    best = found.order[0]
    bounds = found.lead_lower_bounds(best, 0.95)
    expected_bounds = expected.lead_lower_bounds(best, 0.95)[bounds.index]
    pd.testing.assert_series_equal(bounds, expected_bounds, atol=1e-9, rtol=0)


@pytest.mark.parametrize("plots", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_crowns_have_the_same_samples_in_each_order(plots: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    expected = crown_samples(ANNOTATORS, DETECTORS, plots)
    names = [rng.permutation(ANNOTATORS).tolist(), rng.permutation(DETECTORS).tolist()]
    found = crown_samples(*names, plots, rng)
    assert len(found) == len(expected) == 2
    for own, other in zip(found, expected):
        assert_same_samples(own, other)


@pytest.mark.parametrize("seed", range(3))
def test_areas_have_the_same_samples_in_each_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    trees = rng.random((16, 16)) < 0.3
    decisions = {name: trees ^ (rng.random(trees.shape) < 0.1) for name in ANNOTATORS}
    scores = {name: trees + rng.normal(0, 0.8, trees.shape).round(1) for name in DETECTORS}
    tiles = number_square_tiles(trees.shape, 4)

    def sampled(annotators: Sequence[str], detectors: Sequence[str]) -> BootstrapRanking:
        votes = VoteTable.from_stack([decisions[name] for name in annotators], names=annotators)
        own_scores = {name: scores[name] for name in detectors}
        return bootstrap_ranking(own_scores, votes, tiles, resamples=N_SAMPLES)

    names = [rng.permutation(own).tolist() for own in (ANNOTATORS, DETECTORS)]
    assert_same_samples(sampled(*names), sampled(ANNOTATORS, DETECTORS))


def test_tied_detectors_are_ordered_by_name() -> None:
    for names in (["b", "a"], ["a", "b"]):
        ranks = BootstrapRanking(
            pd.Series(0.5, index=names), pd.DataFrame(0.5, [0, 1], names), np.ones((2, 1)), 1
        )
        assert ranks.order == ["a", "b"]
