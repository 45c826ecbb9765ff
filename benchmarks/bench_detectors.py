"""Measure the ranking of 4 detectors under 21 ground truths of 1.3 million pixels.

    python benchmarks/bench_detectors.py

The peers are numpy implementations. They sort the scores of a detector once. For every ground
truth they evaluate the closed form of the mean precision P̄ in that order, at every pixel or only
where recall rises, and integrate it over recall with the trapezium rule. They compute only AUCR;
our ranking includes curves and ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
from scipy.ndimage import gaussian_filter
from table import (
    Row,
    growth_exponent,
    measure_alternating,
    measure_memory,
    measure_time,
    report_rows,
)

from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.detectors.bootstrap import bootstrap_ranking, number_square_tiles
from randcrowns.core.detectors.correlations import correlate_with_agreement
from randcrowns.core.detectors.ranking import rank_detectors
from randcrowns.core.detectors.tolerance import Tolerance

#: Side of the scene and of the smaller scenes for the growth, pixels.
SIDE = 1140
SMALLER_SIDES = (285, 570)
N_DETECTORS = 4
N_TRUTHS = 21
#: Range of skew over which precision is averaged.
LOW, HIGH = 0.1, 0.5

_AreaFunction = Callable[[Bools], float]


def scene(side: int, seed: int = 1) -> tuple[dict[str, Floats], dict[str, Bools]]:
    """Return detectors and ground truths that see one smooth field with errors of their own.

    Returns:
        Name -> (side, side) scores, all different, of each detector; name -> (side, side)
        decisions of each ground truth.
    """
    rng = np.random.default_rng(seed)

    def field(width: float) -> Floats:
        values = gaussian_filter(rng.normal(size=(side, side)), width)
        return values / values.std()

    true_field = field(8)
    scores = {
        f"detector {k + 1}": true_field + (0.3 + 0.3 * k) * field(2) for k in range(N_DETECTORS)
    }
    truths = {f"truth {k + 1}": true_field + 0.4 * field(4) > 1.0 for k in range(N_TRUTHS)}
    return scores, truths


def one_sort_per_detector(
    scores: dict[str, Floats], truths: dict[str, Bools], area_function: _AreaFunction
) -> pd.DataFrame:
    """Return AUCR, one row per detector, one column per ground truth.

    Args:
        scores: name -> scores of each detector.
        truths: name -> decisions of each ground truth.
        area_function: returns AUCR from the decisions in the order of falling scores.
    """
    areas = {}
    for detector, score in scores.items():
        order = np.argsort(-score, axis=None)
        areas[detector] = {
            name: area_function(truth.ravel()[order]) for name, truth in truths.items()
        }
    return pd.DataFrame(areas).T


def _area_at_every_pixel(marked: Bools) -> float:
    """Return AUCR from (n,) decisions in the order of falling scores, by the trapezium rule."""
    recall = np.cumsum(marked) / marked.sum()
    fall_out = np.cumsum(~marked) / (~marked).sum()
    height = _mean_precision(recall, fall_out)
    return float(np.sum(np.diff(recall) * (height[1:] + height[:-1]) / 2))


def _area_where_recall_rises(marked: Bools) -> float:
    """Return AUCR from (n,) decisions, evaluated only before and after each marked pixel."""
    position = np.flatnonzero(marked)
    n_found = np.arange(position.size + 1)
    fall_out = (position - n_found[:-1]) / (marked.size - position.size)
    before = _mean_precision(n_found[:-1] / position.size, fall_out)
    after = _mean_precision(n_found[1:] / position.size, fall_out)
    return float(np.mean(before + after) / 2)


def _mean_precision(recall: Floats, fall_out: Floats) -> Floats:
    """Return P̄, precision averaged over the skew from LOW to HIGH, in closed form."""
    a = recall - fall_out
    with np.errstate(all="ignore"):
        logarithm = np.log((fall_out + a * HIGH) / (fall_out + a * LOW))
        height = recall / a * (1 - fall_out / (a * (HIGH - LOW)) * logarithm)
    height = np.where(np.abs(a) < 1e-9, (LOW + HIGH) / 2, height)
    height = np.where(fall_out == 0, 1.0, height)
    return np.where(recall == 0, 0.0, height)


def rows() -> Iterator[Row]:
    """Yield the rows of the ranking next to each peer, then those of its further results."""
    scores, truths = scene(SIDE)
    yield from _ranking_rows(scores, truths)
    votes = VoteTable.from_stack(np.stack(list(truths.values())[:13]))
    tiles = number_square_tiles((SIDE, SIDE), 114)
    yield Row(
        "certainty of a ranking",
        measure_time(lambda: bootstrap_ranking(scores, votes, tiles, resamples=100)),
        conditions="13 annotators, 100 tiles, 100 bootstrap samples, same scene",
    )
    yield Row(
        "correlations with agreement",
        measure_time(lambda: [correlate_with_agreement(score, votes) for score in scores.values()]),
        conditions=f"{N_DETECTORS} detectors, 13 annotators, same scene",
    )
    yield Row(
        "ranking with a tolerance",
        measure_time(lambda: rank_detectors(scores, truths, tolerance=Tolerance(5.0))),
        conditions="5 pixels, same scene",
    )


def _ranking_rows(scores: dict[str, Floats], truths: dict[str, Bools]) -> Iterator[Row]:
    """Yield the row of the ranking next to each peer."""
    own_ranking = partial(rank_detectors, scores, truths, LOW, HIGH)
    peers = {
        "numpy, one sort per detector": partial(
            one_sort_per_detector, scores, truths, _area_at_every_pixel
        ),
        "numpy, one sort per detector, P̄ only where recall rises": partial(
            one_sort_per_detector, scores, truths, _area_where_recall_rises
        ),
    }
    ours, *peer_times = measure_alternating(own_ranking, *peers.values(), repeats=3)
    smaller_times = [
        measure_alternating(partial(rank_detectors, *scene(side), LOW, HIGH), repeats=3)[0]
        for side in SMALLER_SIDES
    ]
    exponent = growth_exponent(
        [side**2 for side in (*SMALLER_SIDES, SIDE)],
        [time.processor for time in (*smaller_times, ours)],
    )
    used_memory = measure_memory(own_ranking)
    for number, ((name, peer), theirs) in enumerate(zip(peers.items(), peer_times)):
        difference = float((own_ranking().aucr - peer()).abs().to_numpy().max())
        yield Row(
            "ranking of detectors",
            ours,
            name,
            theirs,
            exponent,
            used_memory,
            f"{N_DETECTORS} detectors x {N_TRUTHS} ground truths x {SIDE**2 / 1e6:.1f} Mpx; "
            f"AUCR within {difference:.0e}",
            is_quoted=number == 0,
        )


if __name__ == "__main__":
    report_rows(rows())
