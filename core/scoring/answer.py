"""The answer of a scoring run: mean scores of a delineation layer, and the crowns behind them.

The dock, the report, the print layout, the list of runs and copied answers show this content.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import number_with_interval_text
from randcrowns.core.messages import Message, TranslatableText, info
from randcrowns.core.scoring.layer import SCORE_NAMES, SCORES
from randcrowns.core.status import (
    EXCLUDED_STATUSES,
    NOT_FOUND_STATUSES,
    SCORED_STATUSES,
    TARGET_STATUSES,
    Status,
    count_statuses,
)

#: Key of the message with the numbers of crowns of a layer, which follows its mean scores.
COUNTS_KEY = "headline.counts"
#: Texts with the number of targets that were not detected, and with those that have a pair.
_NOT_DETECTED_TEXT = "targets not detected: {number:,}"
_PARTLY_NOT_REACHED_TEXT = (
    "targets not detected: {number:,} (of these, with a pair that does not reach their certain "
    "part: {not_reached:,})"
)
#: Text with the number of targets of each further status that the answer lists.
_COUNT_TEXTS = {
    Status.TARGET_TOO_SMALL: "too small targets: {number:,}",
    Status.EXTENT_LIMITED: "targets limited by the extent: {number:,}",
    Status.NO_GEOMETRY: "not counted: {number:,} without geometry",
    Status.OUTSIDE_EXTENT: "not counted: {number:,} outside the extent",
}
#: Text with the number of delineations without target, by whether they count as errors.
_UNMATCHED_TEXTS = {
    True: "false detections: {number:,}",
    False: "delineations not judged: {number:,}",
}


class MeanScore(NamedTuple):
    """Mean of a score over the targets with a score, with its 95 % interval; NaN if undefined."""

    mean: float
    low: float
    high: float


class ScoreAnswer(NamedTuple):
    """Mean scores of a delineation layer, and the numbers of crowns behind them."""

    layer: str  #: name of the delineation layer.
    means: dict[str, MeanScore]  #: means by name of the score.
    target_counts: dict[Status, int]  #: number of targets by status, 0 for statuses without one.
    n_unmatched: int  #: number of delineations that match no target.
    judges_unmatched: bool  #: False if only some crowns were drawn as targets.

    @property
    def n_scored(self) -> int:
        """Number of targets that the means are computed over."""
        return sum(self.target_counts[status] for status in SCORED_STATUSES)

    @property
    def n_targets(self) -> int:
        """Number of targets as in the summary: inside the extent and with a geometry."""
        return sum(
            number
            for status, number in self.target_counts.items()
            if status not in EXCLUDED_STATUSES
        )

    def messages(self) -> list[Message]:
        """Return the answer in two messages: the mean scores, and the numbers of crowns."""
        means = info(
            "headline.scores",
            "{layer}: {means} over {scored:,} of {targets:,} targets.",
            layer=self.layer,
            means=[_mean_text(name, mean) for name, mean in self.means.items()],
            scored=self.n_scored,
            targets=self.n_targets,
        )
        counts = info(COUNTS_KEY, "Counts: {counts}.", counts=self._count_texts())
        return [means, counts]

    def _count_texts(self) -> list[TranslatableText]:
        """Return texts with the numbers of crowns; rare statuses are listed if they occur."""
        n_missed = self.target_counts[Status.MISSED]
        text = _PARTLY_NOT_REACHED_TEXT if n_missed else _NOT_DETECTED_TEXT
        n_not_detected = sum(self.target_counts[status] for status in NOT_FOUND_STATUSES)
        texts = [TranslatableText(text, number=n_not_detected, not_reached=n_missed)]
        for status, template in _COUNT_TEXTS.items():
            number = self.target_counts[status]
            if number or not TARGET_STATUSES[status].is_rare:
                texts.append(TranslatableText(template, number=number))
        unmatched = TranslatableText(
            _UNMATCHED_TEXTS[self.judges_unmatched], number=self.n_unmatched
        )
        return [*texts, unmatched]


def are_unmatched_judged(overall: pd.Series, statuses: pd.Series) -> bool:
    """Return False if only some crowns were drawn, so that unmatched delineations may be right.

    Args:
        overall: row of the summary over all plots.
        statuses: statuses of the delineations of the layer.

    >>> are_unmatched_judged(pd.Series({"not_judged": 0.0}), pd.Series(["matched"]))
    False
    >>> are_unmatched_judged(pd.Series({"unmatched_delineations": 0}), pd.Series(["matched"]))
    True
    """
    # The summary has this number also if each delineation has a target.
    has_number = pd.notna(overall.get("not_judged"))
    return not has_number and not (statuses == Status.NOT_JUDGED.value).any()


def score_answer(
    layer: str,
    overall: pd.Series,
    target_counts: Mapping[str, int],
    n_unmatched: int,
    judges_unmatched: bool,
) -> ScoreAnswer:
    """Return the answer for a delineation layer.

    Args:
        layer: name of the delineation layer.
        overall: row of the summary over all plots, with ``<score>_mean``, ``_low`` and ``_high``.
        target_counts: number of targets by status, those without geometry and outside the extent
            too.
        n_unmatched: number of delineations that match no target.
        judges_unmatched: False if only some crowns were drawn as targets.
    """
    means = {}
    for score in SCORES:
        names = [f"{score}_mean", f"{score}_low", f"{score}_high"]
        # A stored table contains None for an undefined interval, which becomes NaN.
        mean, low, high = np.array([overall[name] for name in names], dtype=float).tolist()
        means[score] = MeanScore(mean, low, high)
    # Layers that were changed by hand may contain other statuses.
    counts = {status: target_counts.get(status.value, 0) for status in Status}
    return ScoreAnswer(
        layer=layer,
        means=means,
        target_counts=counts,
        n_unmatched=n_unmatched,
        judges_unmatched=judges_unmatched,
    )


def answer_from_statuses(
    layer: str, overall: pd.Series, target_statuses: Iterable[str], statuses: pd.Series
) -> ScoreAnswer:
    """Return the answer for a delineation layer, with the crowns counted by their statuses.

    Args:
        layer: name of the delineation layer.
        overall: row of the summary over all plots; see :func:`score_answer`.
        target_statuses: status of each target, those without geometry and outside the extent too.
        statuses: statuses of the delineations of the layer.
    """
    return score_answer(
        layer,
        overall,
        count_statuses(target_statuses),
        n_unmatched=int((statuses != Status.MATCHED.value).sum()),
        judges_unmatched=are_unmatched_judged(overall, statuses),
    )


def _mean_text(score: str, mean: MeanScore) -> TranslatableText:
    """Return the name of a score with its mean and interval."""
    return TranslatableText(
        "{name} {value}", name=SCORE_NAMES[score], value=number_with_interval_text(*mean)
    )
