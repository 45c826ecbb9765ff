"""The headline numbers of a comparison of annotators, with intervals, in one table."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.agreement import measures
from randcrowns.core.agreement.blocks import block_interval, block_resamples, block_weights
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, no_progress, part_of, steps
from randcrowns.core.remarks import Remark

# Resamples between two looks at the progress.
_BATCH = 200

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
            interval, and ``draws``, how many of the resamples gave the statistic a value. The statistics are
            ``annotators``, ``study_area``, ``marked_by_any``, ``marked_by_all``, and those with intervals.
        n_blocks: number of blocks resampled; 0 where the table has no places.
        n_marked: number of them that hold marks.
        notes: what to show beside the numbers.
    """

    table: pd.DataFrame
    n_blocks: int
    n_marked: int
    notes: tuple[Remark, ...]


@as_declared
def agreement_summary(
    votes: VoteTable,
    block_side: float | None = None,
    *,
    resamples: int = 1000,
    progress: Progress = no_progress,
) -> AgreementSummary:
    """Summarise how far annotators agree.

    Args:
        votes: with a map (pixels or faces), or merged from tiles, which are the blocks then; no intervals otherwise.
        block_side: side of a block in pixels or, for faces, metres; should be larger than the objects.

    >>> votes = VoteTable.from_stack(np.random.default_rng(0).random((3, 40, 40)) < 0.4)
    >>> agreement_summary(votes).table.loc["mean_f1", ["value", "low", "high"]].round(2).tolist()
    [0.4, 0.38, 0.42]
    """
    by_votes, shared = measures.vote_weights(votes), votes.shared_sums
    sizes = {
        "annotators": float(votes.n_annotators),
        "study_area": votes.total,
        "marked_by_any": float(by_votes[1:].sum()),
        "marked_by_all": float(by_votes[-1]),
    }
    n_blocks, n_marked, notes = 0, 0, measures.agreement_notes(votes)
    marked, pairs = np.diagonal(shared), np.triu_indices(len(shared), 1)
    estimate = _statistics(by_votes, shared, votes.unit, pairs, np.ones_like(marked, dtype=bool))
    low = high = np.full(len(estimate), np.nan)
    known = np.zeros(len(estimate), dtype=np.int64)
    if votes.has_places:
        blocks = block_weights(votes, block_side)
        votes_of_blocks, shared_of_blocks = _block_sums(votes, blocks, part_of(progress, 0.0, 0.5))
        n_blocks, n_marked = (
            len(votes_of_blocks),
            int(np.count_nonzero(votes_of_blocks[:, 1:].any(axis=1))),
        )
        found: list[Floats] = []
        for counts in block_resamples(n_blocks, resamples, 0, shared.size):
            sums = zip(counts @ votes_of_blocks, np.tensordot(counts, shared_of_blocks, axes=1))
            for number, one in enumerate(sums):
                if number % _BATCH == 0:
                    progress(0.5 + 0.5 * len(found) / resamples)
                found.append(_statistics(*one, votes.unit, pairs, marked == 0))
        values = np.array(found).reshape(-1, len(estimate))
        low, high, told = block_interval(estimate, values, n_marked)
        known = np.count_nonzero(~np.isnan(values), axis=0)
        if not np.isnan(estimate).all():
            notes += told
    statistics = pd.DataFrame(
        {"value": estimate, "low": low, "high": high, "draws": known}, index=[*WITH_INTERVALS]
    )
    plain = pd.DataFrame({"value": pd.Series(sizes), "low": np.nan, "high": np.nan, "draws": 0})
    table = pd.concat([plain, statistics]).rename_axis("statistic")
    return AgreementSummary(table, n_blocks, n_marked, notes)


def _statistics(
    by_votes: Floats, shared: Floats, unit: float, pairs: tuple[Ints, Ints], empty: Bools
) -> Floats:
    """The statistics of ``WITH_INTERVALS``, in that order, from the weights of votes and the shared ones of ``pairs``.

    Two annotators who both marked nothing agree only where they are ``empty`` (K,) anyway: of those whose marks lie in
    blocks outside the resample, nothing is known.
    """
    first, second = pairs
    marking = np.diagonal(shared) > 0
    known = marking[first] | marking[second] | (empty[first] & empty[second])
    f1 = measures.pairwise_f1_of(shared)[first, second][known]
    of_pairs = (f1.mean(), f1.min(), f1.max()) if len(f1) else (np.nan,) * 3
    return np.array(
        [measures.smyth_bound_of(by_votes), *of_pairs, *measures.coefficients_of(by_votes, unit)]
    )


def _block_sums(votes: VoteTable, blocks: Any, progress: Progress) -> tuple[Floats, Floats]:
    """(T, K + 1) weights of votes and (T, K, K) shared weights of each block.

    All the statistics follow from these sums, which add up over blocks: a resample needs no look at the patterns.
    """
    k = votes.n_annotators
    by_votes = np.zeros((blocks.shape[0], k + 1))
    shared = np.zeros((blocks.shape[0], k, k))
    for row, _ in steps(range(blocks.shape[0]), progress):
        entries = slice(blocks.indptr[row], blocks.indptr[row + 1])
        own = VoteTable(votes.patterns[blocks.indices[entries]], blocks.data[entries])
        by_votes[row], shared[row] = measures.vote_weights(own), own.shared_sums
    return by_votes, shared
