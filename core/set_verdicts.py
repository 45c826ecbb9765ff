"""What is to be said of each set of a grid of parameters, and which sets come first."""

from __future__ import annotations

from enum import Enum

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["Verdict", "judged_sets", "nothing_offered", "score_words"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A set that misses a larger share of the right pairs is of no use.
_MOST_MISSED = 0.5
#: Variances closer than this are equal: more than the tables have been seen to misread one by.
_SAME_VARIANCE = 5e-6
#: From here on a mean score of wrong pairs means that everything scores high, right or wrong.
_EVERYTHING_HIGH = 0.7


class Verdict(str, Enum):
    """What is to be said of a set of parameters."""

    #: Can be chosen.
    OFFERED = "offered"
    #: Wrong pairs score at or above the limit.
    WRONG_PAIRS_TOO_HIGH = "wrong_pairs_too_high"
    #: The same, and its variance is below that of every set offered, as where nothing scores low (Fig. 3).
    DEGENERATE = "degenerate"
    #: Right pairs score no higher than wrong ones, or most of them are missed: robust, and useless.
    RIGHT_PAIRS_TOO_LOW = "right_pairs_too_low"
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
    variance, wrong, mean, missed, too_small = (
        grid[name].to_numpy() for name in ("common_variance", "wrong", "mean", "missed_share", "too_small")
    )
    n_targets = too_small + grid["scored"].to_numpy()
    many = too_small / n_targets > most_left_out
    low = ~many & ((missed > _MOST_MISSED) | (mean <= wrong))
    # Where no wrong pair can be scored, nothing speaks for a set.
    high = ~many & ~low & ~(wrong < limit)
    offered = ~many & ~low & ~high
    best = variance[offered].min(initial=np.inf)
    degenerate = high & (variance < best - _SAME_VARIANCE) & offered.any()

    verdict = np.full(len(grid), Verdict.OFFERED.value, dtype=object)
    verdict[high] = Verdict.WRONG_PAIRS_TOO_HIGH.value
    verdict[degenerate] = Verdict.DEGENERATE.value
    verdict[low] = Verdict.RIGHT_PAIRS_TOO_LOW.value
    verdict[many] = Verdict.TOO_MANY_LEFT_OUT.value
    reason = np.full(len(grid), "", dtype=object)
    why = _without_score(in_image)
    reason[many] = [
        f"{count} of {total} targets ({_percent(count / total, most_left_out)}) {why} and have no score"
        for count, total in zip(too_small[many], n_targets[many])
    ]
    reason[high] = [
        f"wrong pairs score {score_words(score, limit)} on average, and the limit is {limit:g}"
        if score >= limit
        else "all targets of wrong pairs are too small, so nothing is known of what the set makes of them"
        for score in wrong[high]
    ]
    reason[degenerate] = [
        f"the variance is low ({low:.1e}) only because everything scores high: wrong pairs {score:.2f} on average, "
        f"right ones {right:.2f}"
        if score >= _EVERYTHING_HIGH
        else f"the variance ({low:.1e}) is below that of every set that can be chosen, but wrong pairs score "
        f"{score_words(score, limit)} on average, and the limit is {limit:g}"
        for low, score, right in zip(variance[degenerate], wrong[degenerate], mean[degenerate])
    ]
    reason[low] = [
        f"{_percent(share, _MOST_MISSED)} of the right pairs are missed: they share nothing that is surely crown, and "
        "score 0"
        if share > _MOST_MISSED
        else f"right pairs score {right:.2f} on average, no more than wrong ones ({score:.2f})"
        for share, right, score in zip(missed[low], mean[low], wrong[low])
    ]
    choice = np.flatnonzero(offered)
    order = choice[_order(variance[choice], wrong[choice])]
    rank = pd.array([pd.NA] * len(grid), dtype="Int64")
    rank[order] = np.arange(1, len(order) + 1)
    return grid.assign(verdict=verdict, reason=reason, rank=rank)


def _order(variance: Floats, wrong: Floats) -> Ints:
    """Rows from the first to the last: the group as good as the lowest variance, by wrong pairs; then that of the rest.

    A group is whole: those as good as its lowest variance, and none of them again in the next.
    """
    by_variance = np.argsort(variance, kind="stable")
    growing = variance[by_variance]
    place = np.empty(len(variance), dtype=np.int64)
    start = 0
    while start < len(growing):
        end = np.searchsorted(growing, growing[start] + _SAME_VARIANCE, "right")
        place[by_variance[start:end]] = start
        start = int(end)
    return np.lexsort((variance, wrong, place))


def nothing_offered(grid: pd.DataFrame, limit: float, most_left_out: float, in_image: bool) -> str:
    """Why there is nothing to choose, or empty; arguments as in :func:`judged_sets`."""
    verdict = grid["verdict"]
    if (verdict == Verdict.OFFERED).any():
        return ""
    if (verdict == Verdict.TOO_MANY_LEFT_OUT).all():
        return (
            f"Every alpha of the grid leaves out more than {100 * most_left_out:g}% of the targets, which "
            f"{_without_score(in_image)}; try smaller values of alpha."
        )
    if (verdict == Verdict.RIGHT_PAIRS_TOO_LOW).any():
        return (
            f"No set of the grid can be chosen: those that keep wrong pairs below {limit:g} miss most of the right "
            "pairs, or score them no higher than wrong ones. Try smaller values of alpha, and check that the layers "
            "lie on each other."
        )
    lowest = grid.loc[verdict != Verdict.TOO_MANY_LEFT_OUT, "wrong"].min()
    return (
        f"No set of the grid keeps wrong pairs below {limit:g}: the lowest mean is {score_words(lowest, limit)}. Try "
        "smaller values of gamma or omega, or raise the limit."
    )


def _percent(share: float, limit: float) -> str:
    return f"{100 * share:.{_decimals(100 * share, 100 * limit, 0)}f}%"


def score_words(score: float, limit: float) -> str:
    """A mean score with two decimals, or as many more as tell on which side of the limit it lies."""
    return f"{score:.{_decimals(score, limit, 2)}f}"


def _decimals(value: float, limit: float, decimals: int) -> int:
    """As many as it takes to see on which side of the limit the value lies."""
    while decimals < 9 and _side(round(value, decimals), limit) != _side(value, limit):
        decimals += 1
    return decimals


def _side(value: float, limit: float) -> int:
    return int(value > limit) - int(value < limit)


def _without_score(in_image: bool) -> str:
    only_edges = ", or have no more than their edge within the image extent" if in_image else ""
    return f"are narrower than twice alpha{only_edges}"
