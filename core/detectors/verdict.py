"""One sentence: can the best detector be called better than the second, and how sure is that?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats, in_decimals
from randcrowns.core.bootstrap import LEVEL
from randcrowns.core.detectors.certainty import RankProbabilities
from randcrowns.core.detectors.ranking import TIE
from randcrowns.core.errors import InputError

#: Of a number of draws, which a share of them may miss by rounding.
_SLACK = 1e-6


@dataclass(frozen=True)
class RankVerdict:
    """Whether the best detector can be called better than the second.

    Attributes:
        best: the detector with the highest estimate.
        second: the one after it.
        difference: estimate of the best minus that of the second; 0 where they tie.
        low: lower end of the one-sided interval of that difference at the level asked for: in so many of the draws
            the difference was at least as large.
        probability: share of the draws in which the best beat the second, ties counting half.
        tied: share of the draws in which the two were level.
        level: the share asked for.
        draws: number of draws behind it.
        asked: number of draws made; of those that are not behind it the ground truth left nothing to rank.
        annotators: how many annotators were drawn from.
        tiles: how many tiles were drawn from.
        reason: why nothing can be said; empty when something can.
        first: share of the draws in which the best came first of all; ties share the first place.
        rival: of three or more detectors, the other one that came first most often.
        rival_first: share of the draws in which it did.
    """

    best: str
    second: str
    difference: float
    low: float
    probability: float
    tied: float
    level: float
    draws: int
    asked: int
    annotators: int
    tiles: int
    reason: str = ""
    first: float = math.nan
    rival: str = ""
    rival_first: float = math.nan

    @property
    def is_better(self) -> bool:
        """The best can be called better: it beat the second, and all others, in the share of draws asked for."""
        return self._beats_second and not (self.rival and self.first < self.level)

    @property
    def _beats_second(self) -> bool:
        return not self.reason and self.low > 0.0

    @property
    def drawn(self) -> str:
        """What was drawn again how often, in words."""
        what = " and ".join(
            word for word, count in (("annotators", self.annotators), ("tiles", self.tiles)) if count > 1
        )
        if self.draws < self.asked:
            return f"{self.draws:,} of {self.asked:,} draws of {what} (the others could not be ranked)"
        return f"{self.draws:,} draws of {what}"

    def __str__(self) -> str:
        if self.reason:
            return f"Whether one detector is better than another cannot be said: {self.reason}"
        if self._beats_second and not self.is_better:
            return (
                f"{self.best} has the highest AUCR but cannot be called the best: it came first in "
                f"{100 * self.first:.1f} % of {self.drawn}, {self.rival} in "
                f"{100 * self.rival_first:.1f} % (asked for: {100 * self.level:g} %). {self.second} is second; "
                f"{self.best} came out ahead of it in {self._margin('')}."
            )
        can = "can" if self.is_better else "cannot"
        said = f"{self.best} {can} be called better than {self.second}:"
        if self.tied == 1.0:
            return f"{said} the two were level in all {self.drawn}.{self._firsts}"
        return f"{said} it came out ahead in {self._margin(f' of {self.drawn}')}.{self._firsts}"

    def _margin(self, draws: str) -> str:
        """How often and by how much the best beat the second."""
        level = f", level in {100 * self.tied:.1f} %" if self.tied > 0 else ""
        won = self.probability - self.tied / 2
        return (
            f"{100 * won:.1f} %{draws}{level} (asked for: {100 * self.level:g} %), with an AUCR "
            f"{in_decimals(self.difference)} higher (one-sided {100 * self.level:g} % lower bound: "
            f"{in_decimals(self.low, sign='+')})"
        )

    @property
    def _firsts(self) -> str:
        """Of three or more detectors, who came first how often."""
        if not self.rival:
            return ""
        return f" It came first in {100 * self.first:.1f} % of draws, {self.rival} in {100 * self.rival_first:.1f} %."


def rank_verdict(ranks: RankProbabilities, level: float = LEVEL, scoreless: Sequence[str] = ()) -> RankVerdict:
    """Whether the best detector can be called better than the second, and how sure that is.

    Nothing is said from so few draws that not one is expected to go the other way: from less than 1 / (1 - level).

    Args:
        ranks: see :func:`rank_probabilities`.
        level: share of the draws in which the best must beat the second; also that of the lower bound.
        scoreless: detectors that were chosen too and have no score to rank.

    Raises:
        InputError: for a level outside 0.5 to 1.
    """
    if not 0.5 <= level <= 1.0:
        raise InputError(f"The certainty asked for is {level:g}; give a share between 0.5 and 1, such as {LEVEL:g}.")
    order = ranks.order
    best, second = (order[place] if len(order) > place else "" for place in (0, 1))
    nan = float("nan")
    reason = ""
    if not order:
        reason = "there are no marked places, or no unmarked ones, to judge."
    elif not second and scoreless:
        have = "has" if len(scoreless) == 1 else "have"
        reason = f"{', '.join(scoreless)} {have} no score inside the study area, so {best} stands alone."
    elif not second:
        reason = "there is only one detector."
    elif ranks.annotators < 2 and ranks.tiles < 2:
        reason = "with one annotator and one tile there is nothing to draw again. Use smaller tiles."
    elif ranks.used == 0:
        reason = "no draw had a ground truth with both marked and unmarked units."
    else:
        reason = _too_few(ranks, level)
    numbers = (level, ranks.used, len(ranks.draws), ranks.annotators, ranks.tiles)
    if reason:
        return RankVerdict(best, second, nan, nan, nan, nan, *numbers, reason)
    drawn = ranks.draws.dropna()
    differences = np.sort(_untied((drawn[best] - drawn[second]).to_numpy()))
    firsts = ranks.probabilities[1]
    others = firsts.drop(best) if len(order) > 2 else firsts[:0]
    return RankVerdict(
        best,
        second,
        float(_untied(ranks.estimate[best] - ranks.estimate[second])),
        float(differences[math.floor((1.0 - level) * len(differences) + _SLACK)]),
        float(ranks.better[second][best]),
        float((differences == 0).mean()),
        *numbers,
        first=float(firsts[best]),
        rival=str(others.idxmax()) if len(others) else "",
        rival_first=float(others.max()),
    )


def _untied(differences: ArrayLike) -> Floats:
    """The differences, 0 where they are no more than rounding."""
    found = np.asarray(differences, dtype=float)
    return np.where(np.abs(found) <= TIE, 0.0, found)


def _too_few(ranks: RankProbabilities, level: float) -> str:
    """Why so few draws say nothing at that level; empty when they do."""
    asked = f"{100 * level:g} %"
    if level >= 1.0:
        return f"no number of draws shows {asked}. Ask for less, such as 99 %."
    needed = math.ceil(1.0 / (1.0 - level) - _SLACK)
    if ranks.used >= needed:
        return ""
    ranked = "could be ranked" if ranks.used < len(ranks.draws) else "were made"
    return f"only {ranks.used:,} of the {needed:,} draws that {asked} needs {ranked}."
