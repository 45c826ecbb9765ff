"""Simulate how often one of several equally good detectors is called better at a certainty of 95 %.

    python benchmarks/equal_detectors.py [runs] [scenes]

``scenes`` are pixels: a field that all see, annotators who differ, and detectors whose errors are
alike within a tile. With ``style``, every annotator and every detector leans one way or the other
along a second field, so that the leader depends on the annotators. ``sums`` are sums of values per
annotator and tile. They take a minute, scenes an hour.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pandas as pd

from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.detectors.bootstrap import (
    BootstrapRanking,
    bootstrap_ranking,
    number_square_tiles,
)
from randcrowns.core.statistics import CONFIDENCE_LEVEL

RUNS = 1000
_MOST = 4
_PIXELS = 4
NAMES = [f"detector {number}" for number in range(_MOST)]


def scene(seed: int, tiles: int, annotators: int, style: float, resamples: int) -> BootstrapRanking:
    """Rank four equally good detectors on a square scene of ``tiles`` tiles of 4 x 4 pixels."""
    rng = np.random.default_rng(seed)
    side = round(tiles**0.5) * _PIXELS

    def patches() -> np.ndarray:
        return np.kron(rng.standard_normal((side // _PIXELS,) * 2), np.ones((_PIXELS,) * 2))

    real, lean = rng.standard_normal((side, side)) + patches(), rng.standard_normal((side, side))
    stack = np.stack(
        [
            real + style * rng.standard_normal() * lean + 0.7 * rng.standard_normal((side, side))
            > 1
            for _ in range(annotators)
        ]
    )
    scores = {
        name: np.round(
            real
            + style * rng.choice([-1, 1]) * lean
            + rng.standard_normal((side, side))
            + 0.5 * patches(),
            1,
        )
        for name in NAMES
    }
    votes = VoteTable.from_stack(stack)
    return bootstrap_ranking(
        scores,
        votes,
        number_square_tiles((side, side), _PIXELS),
        resamples=resamples,
        max_thresholds=20,
        seed=seed,
    )


def sums(seed: int, tiles: int, annotators: int, style: float, resamples: int) -> BootstrapRanking:
    """Rank four equally good detectors whose values are means over annotators and tiles."""
    rng = np.random.default_rng(seed)
    by_tile = rng.exponential(size=(tiles, _MOST))
    by_annotator = style * rng.standard_normal((annotators, _MOST))
    drawn = rng.multinomial(annotators, np.full(annotators, 1 / annotators), resamples)
    times = rng.multinomial(tiles, np.full(tiles, 1 / tiles), resamples)
    values = pd.DataFrame(
        drawn @ by_annotator / annotators + times @ by_tile / tiles, columns=NAMES
    )
    estimate = pd.Series(by_annotator.mean(axis=0) + by_tile.mean(axis=0), index=NAMES)
    return BootstrapRanking(estimate, values, drawn.astype(float), tiles)


def first_of(ranks: BootstrapRanking, number: int) -> BootstrapRanking:
    """Return the ranking of the first detectors only."""
    some = NAMES[:number]
    return replace(ranks, estimate=ranks.estimate[some], resamples=ranks.resamples[some])


def claimed(ranks: BootstrapRanking, level: float = CONFIDENCE_LEVEL) -> bool:
    """Return True if the best detector is called better.

    The rule is that of :func:`randcrowns.core.detectors.conclusion.conclude_ranking`.
    """
    return bool((ranks.lead_lower_bounds(ranks.order[0], level) > 0).all())


def before(ranks: BootstrapRanking, level: float = CONFIDENCE_LEVEL) -> bool:
    """Return True if the best detector was called better by the former rule.

    It had to beat the second, and come first of all, in the share ``level`` of the resamples.
    """
    best, second, *rest = ranks.order
    values = ranks.resamples.dropna()
    ahead = np.sort((values[best] - values[second]).to_numpy())
    won = ahead[int((1 - level) * len(ahead) + 1e-6)] > 0
    return bool(
        won
        and (
            not rest
            or (values.to_numpy().argmax(axis=1) == list(values).index(best)).mean() >= level
        )
    )


def false_claims(
    make, runs: int, tiles: int, annotators: int, style: float, resamples: int = 200
) -> np.ndarray:
    """Return the share of runs with a claim.

    Returns:
        (3, 2) shares for 2, 3 and 4 detectors, by :func:`claimed` and by :func:`before`.
    """
    found = np.zeros((_MOST - 1, 2))
    for seed in range(runs):
        ranks = make(seed, tiles, annotators, style, resamples)
        for number in range(2, _MOST + 1):
            some = first_of(ranks, number)
            found[number - 2] += claimed(some), before(some)
    return found / runs


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    print("| values | tiles | annotators | style | 2, 3, 4 equal detectors | rule before |")
    print("|---|---|---|---|---|---|")
    for make in (sums, scene) if "scenes" in sys.argv else (sums,):
        for tiles, annotators, style in (
            (16, 4, 0.0),
            (64, 4, 0.0),
            (64, 12, 0.0),
            (64, 4, 0.5),
            (64, 12, 0.5),
        ):
            ours, earlier = (
                ", ".join(f"{100 * share:.1f}" for share in column)
                for column in false_claims(make, runs, tiles, annotators, style).T
            )
            print(
                f"| {make.__name__} | {tiles} | {annotators} | {style:g} | {ours} | {earlier} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
