"""One sentence: can the best detector be called better than the second, and how certain is that?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from randcrowns.core.arrays import in_decimals
from randcrowns.core.detectors.certainty import RankProbabilities, untied
from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark, info
from randcrowns.core.statistics import LEVEL

#: What is estimated of a detector by area, and by whole crowns.
BY_AREA, BY_CROWNS = "AUCR", "average precision"
#: Of a number of bootstrap samples, which a share of them may miss by rounding.
_SLACK = 1e-6


@dataclass(frozen=True)
class RankVerdict:
    """Whether the best detector can be called better than the second."""

    ranks: RankProbabilities  #: what it rests on.
    #: best, second: the detector with the highest estimate, and the one after it.
    best: str
    second: str
    level: float  #: probability with which no detector is called better that is not.
    measure: str  #: what is estimated.
    topic: str  #: of the remarks.
    reason: Remark | None  #: why nothing can be said; None when something can.
    difference: float = (
        math.nan
    )  #: estimate of the best minus that of the second; 0 where they tie.
    #: Lower bound of that difference; see :meth:`randcrowns.core.detectors.certainty.RankProbabilities.least_leads`.
    low: float = math.nan
    #: Share of the bootstrap samples in which the best beat the second, ties counting half.
    probability: float = math.nan
    tied: float = math.nan  #: share of the samples in which the two were tied.
    #: Share of the samples in which the best came first of all; ties share the first place.
    first: float = math.nan
    rival: str = ""  #: of three or more detectors, the other one that came first most often.
    rival_first: float = math.nan  #: share of the samples in which it did.
    leads_all: bool = False  #: the lower bounds of the differences to all others lie above 0.

    @property
    def is_better(self) -> bool:
        """The best can be called better, than the second and than all others."""
        return self._beats_second and self.leads_all

    @property
    def _beats_second(self) -> bool:
        return self.reason is None and self.low > 0.0

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The answer, and what it rests on."""
        if self.reason is not None:
            unknown = "Whether one detector is better than another cannot be said:"
            why = info(f"{self.topic}.why", "{why}", why=self.reason)
            return info(f"{self.topic}.unknown", unknown), why
        names = {"best": self.best, "second": self.second}
        shares: dict[str, Any] = {
            "first": 100 * self.first,
            "rival": self.rival,
            "rival_first": 100 * self.rival_first,
        }
        if self._beats_second and not self.is_better:
            highest = f"{{best}} has the highest {self.measure} but cannot be called the best:"
            firsts = "it came first in {first:.1f} % of {drawn}, {rival} in {rival_first:.1f} %."
            ahead = f"{{second}} is second; {{best}} came out ahead of it in {{won:.1f}} %{self._margin}"
            return (
                info(f"{self.topic}.not_first", highest, best=self.best),
                info(f"{self.topic}.firsts", firsts, **shares, drawn=self._drawn),
                info(f"{self.topic}.margin", ahead, **names, **self._lead),
            )
        can = "can" if self.is_better else "cannot"
        key = "better" if self.is_better else "not_better"
        answer = info(
            f"{self.topic}.{key}", f"{{best}} {can} be called better than {{second}}:", **names
        )
        why = info(f"{self.topic}.level", "the two were tied in all {drawn}.", drawn=self._drawn)
        if self.tied < 1.0:
            ahead = f"it came out ahead in {{won:.1f}} % of {{drawn}}{self._margin}"
            why = info(f"{self.topic}.margin", ahead, drawn=self._drawn, **self._lead)
        if not self.rival:
            return answer, why
        firsts = "It came first in {first:.1f} % of samples, {rival} in {rival_first:.1f} %."
        return answer, why, info(f"{self.topic}.firsts", firsts, **shares)

    def __str__(self) -> str:
        return " ".join(map(str, self.remarks))

    @property
    def _drawn(self) -> Remark:
        """What was resampled how often."""
        what, plots = "annotators", self.ranks.kind == "plots"
        if self.ranks.tiles > 1:
            what = "plots" if plots else "tiles"
            if self.ranks.annotators > 1:
                what = "annotators and plots" if plots else "annotators and tiles"
        draws, asked = self.ranks.used, len(self.ranks.resamples)
        if draws < asked:
            said = f"{{draws:,}} of {{asked:,}} bootstrap samples of {what} (the others could not be ranked)"
            return info("verdict.drawn", said, draws=draws, asked=asked)
        return info("verdict.drawn", f"{{draws:,}} bootstrap samples of {what}", draws=draws)

    @property
    def _margin(self) -> str:
        """How a sentence on how often the best was ahead ends."""
        level = ", tied in {tied:.1f} %" if self.tied > 0 else ""
        bound = "(lower bound at a certainty of {level:g} % over all detectors: {low})"
        return f"{level}, with an {self.measure} {{difference}} higher {bound}."

    @property
    def _lead(self) -> dict[str, Any]:
        """How often and by how much the best beat the second."""
        return {
            "won": 100 * (self.probability - self.tied / 2),
            "tied": 100 * self.tied,
            "level": 100 * self.level,
            "difference": in_decimals(self.difference),
            "low": in_decimals(self.low, sign="+"),
        }


def rank_verdict(
    ranks: RankProbabilities,
    level: float = LEVEL,
    scoreless: Sequence[str] = (),
    *,
    measure: str = BY_AREA,
    topic: str = "verdict",
) -> RankVerdict:
    """Whether the best detector can be called better than the second, and how certain that is.

    Nothing is said from so few samples that not one is expected to go the other way: from less than 1 / (1 - level).

    Args:
        ranks: see :func:`rank_probabilities`.
        level: probability with which no detector is called better that is not, over all pairs.
        scoreless: detectors that were chosen too and have no score to rank.
        measure: what the estimates are.
        topic: of the remarks.

    Raises:
        InputError: for a level outside 0.5 to 1.
    """
    if not 0.5 <= level <= 1.0:
        said = "The required certainty is {level:g}; give a share between 0.5 and 1, such as {usual:g}."
        raise InputError(said, level=level, usual=LEVEL)
    order = ranks.order
    best, second = [*order, "", ""][:2]
    verdict = RankVerdict(
        ranks, best, second, level, measure, topic, _nothing_to_say(ranks, level, scoreless)
    )
    if verdict.reason is not None:
        return verdict
    drawn = ranks.resamples.dropna()
    leads = ranks.least_leads(best, level)
    firsts = ranks.probabilities[1]
    others = firsts.drop(best) if len(order) > 2 else firsts[:0]
    return replace(
        verdict,
        difference=float(untied(ranks.estimate[best] - ranks.estimate[second])),
        low=float(leads[second]),
        probability=float(ranks.better[second][best]),
        tied=float((untied(drawn[best] - drawn[second]) == 0).mean()),
        first=float(firsts[best]),
        rival=str(others.idxmax()) if len(others) else "",
        rival_first=float(others.max()),
        leads_all=bool((leads > 0).all()),
    )


def _nothing_to_say(
    ranks: RankProbabilities, level: float, scoreless: Sequence[str]
) -> Remark | None:
    """Why nothing can be said; None where something can."""
    if not ranks.order:
        return info("verdict.nothing_to_judge", "there are no marked places, or no unmarked ones.")
    if len(ranks.order) < 2 and scoreless:
        have = "has" if len(scoreless) == 1 else "have"
        said = f"{{names}} {have} no score inside the study area, so {{best}} stands alone."
        return info("verdict.scoreless", said, names=scoreless, best=ranks.order[0])
    if len(ranks.order) < 2:
        return info("verdict.one_detector", "there is only one detector.")
    if ranks.annotators < 2 and ranks.tiles < 2:
        said = "with one annotator and one tile there is nothing to resample. Use smaller tiles."
        if ranks.kind == "plots":
            said = "with one annotator and one plot there is nothing to resample."
        return info("verdict.nothing_to_draw", said)
    if ranks.tiles < 2:
        said = "with one tile nothing is known of other places. Use smaller tiles."
        if ranks.kind == "plots":
            said = "with one plot nothing is known of other places."
        return info("verdict.one_place", said)
    if ranks.used == 0:
        return info(
            "verdict.none_ranked",
            "no bootstrap sample had a ground truth with both marked and unmarked units.",
        )
    return _too_few(ranks, level)


def _too_few(ranks: RankProbabilities, level: float) -> Remark | None:
    """Why so few samples say nothing at that level; None when they do."""
    if level >= 1.0:
        said = "no number of bootstrap samples shows {level:g} %. Require less, such as 99 %."
        return info("verdict.surely", said, level=100 * level)
    needed = math.ceil(1.0 / (1.0 - level) - _SLACK)
    if ranks.used >= needed:
        return None
    ranked = "could be ranked" if ranks.used < len(ranks.resamples) else "were made"
    said = f"only {{used:,}} of the {{needed:,}} bootstrap samples that {{level:g}} % requires {ranked}."
    return info("verdict.too_few_draws", said, used=ranks.used, needed=needed, level=100 * level)
