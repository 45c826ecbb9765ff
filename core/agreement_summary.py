"""The headline numbers of a comparison of annotators, with intervals, in one table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from randcrowns.core.agreement import agreement_notes, coefficients, pairwise_f1, smyth_bound, vote_weights
from randcrowns.core.agreement_notes import Note
from randcrowns.core.intervals import bootstrap
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.votes import VoteTable

__all__ = ["WITH_INTERVALS", "AgreementSummary", "agreement_summary"]

#: Statistics that come with an interval.
WITH_INTERVALS = (
    "smyth_bound",
    "mean_f1",
    "min_f1",
    "max_f1",
    "raw_agreement",
    "fleiss_kappa",
    "krippendorff_alpha",
    "gwet_ac1",
)


class AgreementSummary(NamedTuple):
    """Headline numbers.

    Attributes:
        table: a row per statistic (index ``statistic``): ``value``, ``low`` and ``high``, NaN where there is no
            interval. The statistics are ``annotators``, ``study_area``, ``marked_by_any``, ``marked_by_all``, and
            those with intervals.
        n_blocks: number of blocks resampled; 0 where the table has no places.
        notes: what to show beside the numbers.
    """

    table: pd.DataFrame
    n_blocks: int
    notes: tuple[Note, ...]


def agreement_summary(
    votes: VoteTable,
    block_side: float | None = None,
    *,
    n_draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress = no_progress,
) -> AgreementSummary:
    """Summarise how far annotators agree; the arguments are those of :func:`randcrowns.core.intervals.bootstrap`."""
    by_votes = vote_weights(votes)
    sizes = {
        "annotators": float(votes.n_annotators),
        "study_area": votes.total,
        "marked_by_any": float(by_votes[1:].sum()),
        "marked_by_all": float(by_votes[-1]),
    }
    n_blocks, notes = 0, agreement_notes(votes)
    estimate = _statistics(votes)
    low = high = np.full(len(estimate), np.nan)
    if votes.has_places:
        interval = bootstrap(
            votes, _statistics, block_side, n_draws=n_draws, confidence=confidence, seed=seed, progress=progress
        )
        low, high, n_blocks = interval.low, interval.high, interval.n_blocks
        notes += interval.notes
    table = pd.DataFrame(
        {
            "value": [*sizes.values(), *estimate],
            "low": [*[np.nan] * len(sizes), *low],
            "high": [*[np.nan] * len(sizes), *high],
        },
        index=pd.Index([*sizes, *WITH_INTERVALS], name="statistic"),
    )
    return AgreementSummary(table, n_blocks, notes)


def _statistics(votes: VoteTable) -> NDArray[np.float64]:
    """The statistics of ``WITH_INTERVALS``, in that order."""
    f1 = pairwise_f1(votes)[np.triu_indices(votes.n_annotators, 1)]
    of_pairs = (f1.mean(), f1.min(), f1.max()) if len(f1) else (np.nan,) * 3
    return np.array([smyth_bound(votes), *of_pairs, *coefficients(votes)])
