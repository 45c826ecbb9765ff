"""Ranking detectors: 4 detectors x 21 ground truths x 1.3 million pixels, beside numpy with one sort per detector.

    python benchmarks/bench_detectors.py

The peers sort a detector's scores once; for every ground truth they then evaluate the closed form of P̄ along that
order, at every pixel or only where recall rises, and integrate with the trapezium rule. They find AUCR alone, ours
curves and rankings too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
from scipy.ndimage import gaussian_filter
from table import Row, growth, in_turns, memory, show, timed

from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.detectors.certainty import rank_probabilities, square_tiles
from randcrowns.core.detectors.correlations import agreement_correlations
from randcrowns.core.detectors.ranking import rank_detectors
from randcrowns.core.detectors.tolerance import Tolerance

SIDE = 1140
DETECTORS = 4
TRUTHS = 21
SMALLER = (285, 570)
LOW, HIGH = 0.1, 0.5


def scene(side: int, seed: int = 1) -> tuple[dict[str, Floats], dict[str, Bools]]:
    """Detectors and ground truths that look at one smooth field with errors of their own; all scores differ."""
    rng = np.random.default_rng(seed)

    def field(width: float) -> Floats:
        values = gaussian_filter(rng.normal(size=(side, side)), width)
        return values / values.std()

    real = field(8)
    scores = {f"detector {k + 1}": real + (0.3 + 0.3 * k) * field(2) for k in range(DETECTORS)}
    truths = {f"truth {k + 1}": real + 0.4 * field(4) > 1.0 for k in range(TRUTHS)}
    return scores, truths


_Area = Callable[[Bools], float]


def one_sort_per_detector(
    scores: dict[str, Floats], truths: dict[str, Bools], area: _Area
) -> pd.DataFrame:
    """AUCR of every detector under every ground truth."""
    found = {}
    for name, score in scores.items():
        order = np.argsort(-score, axis=None)
        found[name] = {other: area(truth.ravel()[order]) for other, truth in truths.items()}
    return pd.DataFrame(found).T


def _at_every_pixel(marked: Bools) -> float:
    """AUCR with the trapezium rule over recall, of the decisions in the order of falling scores."""
    t = np.cumsum(marked) / marked.sum()
    f = np.cumsum(~marked) / (~marked).sum()
    height = _p_bar(t, f)
    return float(np.sum(np.diff(t) * (height[1:] + height[:-1]) / 2))


def _where_recall_rises(marked: Bools) -> float:
    """The same from the marked pixels alone: before and after each."""
    place = np.flatnonzero(marked)
    found = np.arange(place.size + 1)
    f = (place - found[:-1]) / (marked.size - place.size)
    return float(
        np.mean(_p_bar(found[:-1] / place.size, f) + _p_bar(found[1:] / place.size, f)) / 2
    )


def _p_bar(t: Floats, f: Floats) -> Floats:
    a = t - f
    with np.errstate(all="ignore"):
        height = t / a * (1 - f / (a * (HIGH - LOW)) * np.log((f + a * HIGH) / (f + a * LOW)))
    return np.where(
        t == 0, 0.0, np.where(f == 0, 1.0, np.where(np.abs(a) < 1e-9, (LOW + HIGH) / 2, height))
    )


def rows() -> Iterator[Row]:
    scores, truths = scene(SIDE)
    ranked = partial(rank_detectors, scores, truths, LOW, HIGH)
    peers = [
        partial(one_sort_per_detector, scores, truths, area)
        for area in (_at_every_pixel, _where_recall_rises)
    ]
    ours, *theirs = in_turns(ranked, *peers, repeats=3)
    smaller = [
        in_turns(partial(rank_detectors, *scene(side), LOW, HIGH), repeats=3)[0] for side in SMALLER
    ]
    grows = growth(
        [side**2 for side in (*SMALLER, SIDE)], [time.processor for time in (*smaller, ours)]
    )
    used = memory(ranked)
    names = (
        "numpy, one sort per detector",
        "numpy, one sort per detector, P̄ only where recall rises",
    )
    for number, (name, peer, time) in enumerate(zip(names, peers, theirs)):
        difference = float((ranked().aucr - peer()).abs().to_numpy().max())
        yield Row(
            "ranking of detectors",
            ours,
            name,
            time,
            grows,
            used,
            f"{DETECTORS} detectors x {TRUTHS} ground truths x {SIDE**2 / 1e6:.1f} Mpx; AUCR within {difference:.0e}",
            quoted=number == 0,
        )
    votes = VoteTable.from_stack(np.stack(list(truths.values())[:13]))
    tiles = square_tiles((SIDE, SIDE), 114)
    yield Row(
        "certainty of a ranking",
        timed(lambda: rank_probabilities(scores, votes, tiles, resamples=100)),
        conditions="13 annotators, 100 tiles, 100 bootstrap samples, same scene",
    )
    yield Row(
        "correlations with agreement",
        timed(lambda: [agreement_correlations(score, votes) for score in scores.values()]),
        conditions=f"{DETECTORS} detectors, 13 annotators, same scene",
    )
    yield Row(
        "ranking with a tolerance",
        timed(lambda: rank_detectors(scores, truths, tolerance=Tolerance(5.0))),
        conditions="5 pixels, same scene",
    )


if __name__ == "__main__":
    show(rows())
