"""Conclusion about a ranking: whether the best detector is better than the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from randcrowns.core.arrays import decimal_text
from randcrowns.core.detectors.bootstrap import BootstrapRanking, zero_ties
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, info
from randcrowns.core.statistics import CONFIDENCE_LEVEL

#: Measure of a ranking by area: area under the P̄-recall curve.
BY_AREA = "AUCR"
#: Measure of a ranking by whole crowns.
BY_CROWNS = "average precision"
# Subtracted from the required number of bootstrap samples, so that rounding does not raise it by
# one.
_ROUNDING_MARGIN = 1e-6

# Sentences by measure: a translation needs each as a whole.
_NOT_FIRST = {
    BY_AREA: "{best} has the highest AUCR but cannot be called the best.",
    BY_CROWNS: "{best} has the highest AP (all points) but cannot be called the best.",
}
_LEVEL = {
    BY_AREA: "By area, {best} and {second} tied in all bootstrap samples.",
    BY_CROWNS: "By whole crowns, {best} and {second} tied in all bootstrap samples.",
}
_AHEAD = {
    BY_AREA: "By area, {best} came out ahead of {second} in {won:.1f} % of the bootstrap samples.",
    BY_CROWNS: (
        "By whole crowns, {best} came out ahead of {second} in {won:.1f} % of the bootstrap "
        "samples."
    ),
}
_AHEAD_OR_TIED = {
    BY_AREA: (
        "By area, {best} came out ahead of {second} in {won:.1f} % of the bootstrap samples and "
        "tied with it in {tied:.1f} %."
    ),
    BY_CROWNS: (
        "By whole crowns, {best} came out ahead of {second} in {won:.1f} % of the bootstrap "
        "samples and tied with it in {tied:.1f} %."
    ),
}
_FIRSTS = {
    BY_AREA: (
        "By area, {best} came first in {first:.1f} % of the bootstrap samples, {rival} in "
        "{rival_first:.1f} %."
    ),
    BY_CROWNS: (
        "By whole crowns, {best} came first in {first:.1f} % of the bootstrap samples, {rival} in "
        "{rival_first:.1f} %."
    ),
}
_MARGIN = {
    BY_AREA: (
        "The AUCR of {best} is {difference} higher than that of {second} "
        "(lower bound at a certainty of {level:g} % over all detectors: {low})."
    ),
    BY_CROWNS: (
        "The AP (all points) of {best} is {difference} higher than that of {second} "
        "(lower bound at a certainty of {level:g} % over all detectors: {low})."
    ),
}
# Sentences on the bootstrap samples by what was resampled, see `_resampled_units`.
_SAMPLES = {
    "annotators": "The shares are from {draws:,} bootstrap samples of annotators.",
    "tiles": "The shares are from {draws:,} bootstrap samples of tiles.",
    "plots": "The shares are from {draws:,} bootstrap samples of plots.",
    "annotators and tiles": (
        "The shares are from {draws:,} bootstrap samples of annotators and tiles."
    ),
    "annotators and plots": (
        "The shares are from {draws:,} bootstrap samples of annotators and plots."
    ),
}
_SAMPLES_OF_ALL = {
    "annotators": (
        "The shares are from {draws:,} of {asked:,} bootstrap samples of annotators; the others "
        "could not be ranked."
    ),
    "tiles": (
        "The shares are from {draws:,} of {asked:,} bootstrap samples of tiles; the others could "
        "not be ranked."
    ),
    "plots": (
        "The shares are from {draws:,} of {asked:,} bootstrap samples of plots; the others could "
        "not be ranked."
    ),
    "annotators and tiles": (
        "The shares are from {draws:,} of {asked:,} bootstrap samples of annotators and tiles; "
        "the others could not be ranked."
    ),
    "annotators and plots": (
        "The shares are from {draws:,} of {asked:,} bootstrap samples of annotators and plots; "
        "the others could not be ranked."
    ),
}


def area_truth_message(truth: str) -> Message:
    """Return the ground truth by which the detectors were ranked by area.

    >>> print(area_truth_message("0.5-GT"))
    Ground truth: 0.5-GT.
    """
    return info("verdict.truth", "Ground truth: {truth}.", truth=truth)


def crown_truth_message(annotators: Sequence[str], n_ranked: int) -> Message:
    """Return the annotators by whom the detectors were ranked by whole crowns.

    Args:
        annotators: names of all annotators.
        n_ranked: number of annotators with an average precision.

    >>> print(crown_truth_message(["ann", "ben"], 2))
    AP, all points: mean over 2 annotators.
    """
    if len(annotators) > 1:
        text = "AP, all points: mean over {number} annotators."
        return info("crown_verdict.truth", text, number=n_ranked)
    return info("crown_verdict.truth", "Annotator: {name}.", name=annotators[0])


@dataclass(frozen=True)
class RankConclusion:
    """Conclusion about a ranking: whether the best detector can be called better than the others.

    Numbers are NaN, and ``rival`` is empty, where ``reason`` is given.
    """

    bootstrap: BootstrapRanking  #: bootstrap samples that the conclusion rests on.
    best: str  #: detector with the highest estimate; empty without any detector.
    second: str  #: detector with the second highest estimate; empty without one.
    level: float  #: probability that no detector is wrongly called better, 0.5 to 1.
    measure: str  #: what the estimates are, `BY_AREA` or `BY_CROWNS`.
    topic: str  #: topic of the messages, the first part of their keys.
    reason: Message | None  #: why no conclusion is possible; None if one is.
    #: Estimate of the best minus that of the second; 0 if they tie.
    difference: float = math.nan
    #: Lower bound of that difference, see ``BootstrapRanking.lead_lower_bounds``.
    lower_bound: float = math.nan
    #: Share of the bootstrap samples in which the best beats the second; ties count half.
    win_probability: float = math.nan
    tied_share: float = math.nan  #: share of the bootstrap samples in which the two tie.
    #: Share of the bootstrap samples in which the best is first of all; ties share the first place.
    first_share: float = math.nan
    #: Other detector that is first most often; empty for two detectors.
    rival: str = ""
    rival_first_share: float = (
        math.nan
    )  #: share of the bootstrap samples in which the rival is first.
    leads_all: bool = False  #: True if the lower bounds of the leads over all others are above 0.

    @property
    def is_better(self) -> bool:
        """True if the best detector can be called better than the second and all others."""
        return self.beats_second and self.leads_all

    @property
    def beats_second(self) -> bool:
        """True if the best detector can be called better than the second."""
        return self.reason is None and self.lower_bound > 0.0

    @property
    def messages(self) -> tuple[Message, ...]:
        """Messages for the user: the conclusion first, then the numbers that it rests on."""
        return _unknown_messages(self) if self.reason is not None else _conclusion_messages(self)

    def __str__(self) -> str:
        return " ".join(str(message) for message in self.messages)


def conclude_ranking(
    ranks: BootstrapRanking,
    level: float = CONFIDENCE_LEVEL,
    scoreless: Sequence[str] = (),
    *,
    measure: str = BY_AREA,
    topic: str = "verdict",
) -> RankConclusion:
    """Conclude whether the best detector can be called better than the others.

    At least 1 / (1 - level) bootstrap samples are required: with fewer, not even one sample is
    expected to contradict a wrong conclusion.

    Args:
        ranks: values of the detectors in bootstrap samples.
        level: probability that no detector is wrongly called better, over all pairs; 0.5 to 1.
        scoreless: further detectors that were chosen but have no score to rank.
        measure: what the estimates are, :data:`BY_AREA` or :data:`BY_CROWNS`.
        topic: topic of the messages, the first part of their keys.

    Returns:
        The conclusion.

    Raises:
        InputError: if the level is outside 0.5 to 1.

    >>> import numpy as np
    >>> import pandas as pd
    >>> resamples = pd.DataFrame({"a": np.full(20, 0.7), "b": np.full(20, 0.5)})
    >>> ranks = BootstrapRanking(pd.Series({"a": 0.7, "b": 0.5}), resamples, np.ones((20, 2)), 9)
    >>> conclude_ranking(ranks).is_better
    True
    """
    if not 0.5 <= level <= 1.0:
        raise InputError(
            "ranking.invalid_certainty",
            "The required certainty is {level:g}. Give a share between 0.5 and 1, such as "
            "{usual:g}.",
            level=level,
            usual=CONFIDENCE_LEVEL,
        )
    order = ranks.order
    best = order[0] if order else ""
    second = order[1] if len(order) > 1 else ""
    conclusion = RankConclusion(
        bootstrap=ranks,
        best=best,
        second=second,
        level=level,
        measure=measure,
        topic=topic,
        reason=_unknown_reason(ranks, level, scoreless),
    )
    if conclusion.reason is not None:
        return conclusion

    resamples = ranks.resamples.dropna()
    is_tied = zero_ties(resamples[best] - resamples[second]) == 0
    leads = ranks.lead_lower_bounds(best, level)
    # Share of the bootstrap samples in which each detector is first.
    first_shares = ranks.rank_shares[1]
    rival = ""
    rival_first_share = math.nan
    if len(order) > 2:
        other_first_shares = first_shares.drop(best)
        rival = str(other_first_shares.idxmax())
        rival_first_share = float(other_first_shares.max())
    return replace(
        conclusion,
        difference=float(zero_ties(ranks.estimate[best] - ranks.estimate[second])),
        lower_bound=float(leads[second]),
        win_probability=float(ranks.win_probabilities[second][best]),
        tied_share=float(is_tied.mean()),
        first_share=float(first_shares[best]),
        rival=rival,
        rival_first_share=rival_first_share,
        leads_all=bool((leads > 0).all()),
    )


def _unknown_reason(
    ranks: BootstrapRanking, level: float, scoreless: Sequence[str]
) -> Message | None:
    """Return a message why no conclusion is possible, or None if one is.

    Args:
        ranks: values of the detectors in bootstrap samples.
        level: required certainty, 0.5 to 1.
        scoreless: detectors that were chosen but have no score to rank.
    """
    n_ranked = len(ranks.order)
    if not n_ranked:
        return info("verdict.nothing_to_judge", "There are no marked places, or no unmarked ones.")
    if n_ranked < 2 and scoreless:
        return info(
            "verdict.scoreless",
            "{names} have no score inside the study area, so {best} is the only detector to rank.",
            one="{names} has no score inside the study area, so {best} is the only detector to "
            "rank.",
            count=len(scoreless),
            names=scoreless,
            best=ranks.order[0],
        )
    if n_ranked < 2:
        return info("verdict.one_detector", "There is only one detector.")
    if ranks.n_tiles < 2:
        return _one_place_message(ranks)
    if ranks.n_used == 0:
        return info(
            "verdict.none_ranked",
            "No bootstrap sample had a ground truth with both marked and unmarked units.",
        )
    return _too_few_samples(ranks, level)


def _one_place_message(ranks: BootstrapRanking) -> Message:
    """Return the message that a single tile or plot does not allow a conclusion."""
    are_plots = ranks.tile_kind == "plots"
    if ranks.n_annotators < 2:
        template = (
            "With one annotator and one tile there is nothing to resample. Use smaller tiles."
        )
        if are_plots:
            template = "With one annotator and one plot there is nothing to resample."
        return info("verdict.nothing_to_draw", template)
    template = "One tile does not show how the detectors differ in other places. Use smaller tiles."
    if are_plots:
        template = "One plot does not show how the detectors differ in other places."
    return info("verdict.one_place", template)


def _too_few_samples(ranks: BootstrapRanking, level: float) -> Message | None:
    """Return a message if the bootstrap samples are too few for a level of certainty.

    Args:
        ranks: bootstrap samples of the ranking.
        level: required certainty, 0 to 1.

    Returns:
        The message; None if the samples suffice.
    """
    if level >= 1.0:
        return info(
            "verdict.surely",
            "No number of bootstrap samples can show {level:g} %. Require less, such as 99 %.",
            level=100 * level,
        )
    needed = math.ceil(1.0 / (1.0 - level) - _ROUNDING_MARGIN)
    if ranks.n_used >= needed:
        return None
    template = (
        "A certainty of {level:g} % requires {needed:,} bootstrap samples, but only {used:,} were "
        "made."
    )
    if ranks.n_used < len(ranks.resamples):
        template = (
            "A certainty of {level:g} % requires {needed:,} bootstrap samples, but only {used:,} "
            "could be ranked."
        )
    return info(
        "verdict.too_few_draws", template, used=ranks.n_used, needed=needed, level=100 * level
    )


def _unknown_messages(verdict: RankConclusion) -> tuple[Message, ...]:
    """Return the messages if no conclusion is possible."""
    topic = verdict.topic
    return (
        info(f"{topic}.unknown", "It is unknown whether one detector is better than another."),
        info(f"{topic}.why", "{why}", why=verdict.reason),
    )


def _conclusion_messages(verdict: RankConclusion) -> tuple[Message, ...]:
    """Return the messages of a conclusion and of the numbers that it rests on."""
    answer = _answer_message(verdict)
    lead_messages = _lead_messages(verdict)
    first_messages = _first_messages(verdict)
    samples_message = _samples_message(verdict)
    if verdict.beats_second and not verdict.is_better:
        # The shares of the first places explain this answer and follow it at once.
        return (answer, *first_messages, *lead_messages, samples_message)
    return (answer, *lead_messages, *first_messages, samples_message)


def _answer_message(verdict: RankConclusion) -> Message:
    """Return the message whether the best detector can be called better than the others."""
    topic = verdict.topic
    best = verdict.best
    second = verdict.second
    if verdict.is_better:
        template = "{best} can be called better than {second}."
        return info(f"{topic}.better", template, best=best, second=second)
    if verdict.beats_second:
        return info(f"{topic}.not_first", _NOT_FIRST[verdict.measure], best=best)
    template = "{best} cannot be called better than {second}."
    return info(f"{topic}.not_better", template, best=best, second=second)


def _first_messages(verdict: RankConclusion) -> list[Message]:
    """Return a message on how often the best detector and its rival are first; none for two."""
    if not verdict.rival:
        return []
    message = info(
        f"{verdict.topic}.firsts",
        _FIRSTS[verdict.measure],
        best=verdict.best,
        first=100 * verdict.first_share,
        rival=verdict.rival,
        rival_first=100 * verdict.rival_first_share,
    )
    return [message]


def _lead_messages(verdict: RankConclusion) -> list[Message]:
    """Return messages on how often, and by how much, the best detector leads the second."""
    topic = verdict.topic
    names = {"best": verdict.best, "second": verdict.second}
    if verdict.tied_share >= 1.0:
        return [info(f"{topic}.level", _LEVEL[verdict.measure], **names)]
    template = _AHEAD[verdict.measure]
    if verdict.tied_share > 0:
        template = _AHEAD_OR_TIED[verdict.measure]
    won = 100 * (verdict.win_probability - verdict.tied_share / 2)
    return [
        info(f"{topic}.ahead", template, **names, won=won, tied=100 * verdict.tied_share),
        info(
            f"{topic}.margin",
            _MARGIN[verdict.measure],
            **names,
            difference=decimal_text(verdict.difference),
            low=decimal_text(verdict.lower_bound, sign="+"),
            level=100 * verdict.level,
        ),
    ]


def _samples_message(verdict: RankConclusion) -> Message:
    """Return a message on what was resampled and how often."""
    ranks = verdict.bootstrap
    resampled = _resampled_units(ranks)
    key = f"{verdict.topic}.drawn"
    n_resamples = len(ranks.resamples)
    if ranks.n_used < n_resamples:
        template = _SAMPLES_OF_ALL[resampled]
        return info(key, template, draws=ranks.n_used, asked=n_resamples)
    return info(key, _SAMPLES[resampled], draws=ranks.n_used)


def _resampled_units(ranks: BootstrapRanking) -> str:
    """Return what was resampled: annotators, tiles or plots, or annotators and either of these."""
    if ranks.n_tiles <= 1:
        return "annotators"
    places = "plots" if ranks.tile_kind == "plots" else "tiles"
    return f"annotators and {places}" if ranks.n_annotators > 1 else places
