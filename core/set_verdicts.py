"""What is to be said of each set of a grid of parameters, and which sets come first."""

from __future__ import annotations

from enum import Enum

import numpy as np
import pandas as pd

__all__ = ["Verdict", "judged_sets", "nothing_offered"]

#: Variances closer than this are equal: the tables' own error.
_SAME_VARIANCE = 1e-6


class Verdict(str, Enum):
    """What is to be said of a set of parameters."""

    #: Can be chosen.
    OFFERED = "offered"
    #: Wrong pairs score at or above the limit.
    WRONG_PAIRS_TOO_HIGH = "wrong_pairs_too_high"
    #: The same, and its variance is below that of every set offered: low only because nothing scores low (Fig. 3).
    DEGENERATE = "degenerate"
    #: Too many crowns are narrower than twice alpha.
    TOO_MANY_LEFT_OUT = "too_many_left_out"

    def __str__(self) -> str:
        return self.value


def judged_sets(grid: pd.DataFrame, limit: float, most_left_out: float, in_image: bool) -> pd.DataFrame:
    """The grid with the columns verdict, reason and rank.

    Args:
        grid: a row per set, as in :class:`randcrowns.core.tuning.GridSearch`.
        limit: mean score of wrong pairs from which on a set is refused.
        most_left_out: share of the targets that may be too small.
        in_image: whether targets were cut to an extent.
    """
    variance, wrong, mean, too_small = (
        grid[name].to_numpy() for name in ("common_variance", "wrong", "mean", "too_small")
    )
    n_targets = too_small + grid["scored"].to_numpy()
    many = too_small / n_targets > most_left_out
    # Where no wrong pair can be scored, nothing speaks for a set.
    high = ~many & ~(wrong < limit)
    offered = ~many & ~high
    best = variance[offered].min(initial=np.inf)
    degenerate = high & (variance < best - _SAME_VARIANCE) & offered.any()

    verdict = np.full(len(grid), Verdict.OFFERED.value, dtype=object)
    verdict[high] = Verdict.WRONG_PAIRS_TOO_HIGH.value
    verdict[degenerate] = Verdict.DEGENERATE.value
    verdict[many] = Verdict.TOO_MANY_LEFT_OUT.value
    reason = np.full(len(grid), "", dtype=object)
    reason[many] = [
        f"{count} of {total} targets ({count / total:.0%}) {_without_score(in_image)} and have no score"
        for count, total in zip(too_small[many], n_targets[many])
    ]
    reason[high] = [
        f"wrong pairs score {score:.2f} on average, and the limit is {limit:g}"
        if score >= limit
        else "all targets of wrong pairs are too small, so nothing is known of what the set makes of them"
        for score in wrong[high]
    ]
    reason[degenerate] = [
        f"the variance is low ({low:.1e}) only because everything scores high: wrong pairs {score:.2f} on average, "
        f"right ones {right:.2f}"
        for low, score, right in zip(variance[degenerate], wrong[degenerate], mean[degenerate])
    ]
    order = np.lexsort((wrong, np.round(variance / _SAME_VARIANCE)))
    order = order[offered[order]]
    rank = pd.array([pd.NA] * len(grid), dtype="Int64")
    rank[order] = np.arange(1, len(order) + 1)
    return grid.assign(verdict=verdict, reason=reason, rank=rank)


def nothing_offered(grid: pd.DataFrame, limit: float, most_left_out: float, in_image: bool) -> str:
    """Why there is nothing to choose, or empty; arguments as in :func:`judged_sets`."""
    verdict = grid["verdict"]
    if (verdict == Verdict.OFFERED).any():
        return ""
    if (verdict == Verdict.TOO_MANY_LEFT_OUT).all():
        return (
            f"Every alpha of the grid leaves out more than {most_left_out:.0%} of the targets, which "
            f"{_without_score(in_image)}; try smaller values of alpha."
        )
    lowest = grid.loc[verdict != Verdict.TOO_MANY_LEFT_OUT, "wrong"].min()
    return (
        f"No set of the grid keeps wrong pairs below {limit:g}: the lowest mean is {lowest:.2f}. Try smaller values of "
        "gamma or omega, or raise the limit."
    )


def _without_score(in_image: bool) -> str:
    only_edges = ", or have no more than their edge within the image extent" if in_image else ""
    return f"are narrower than twice alpha{only_edges}"
