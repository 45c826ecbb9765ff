"""Summary table of the agreement of annotators, with confidence intervals."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.agreement import measures
from randcrowns.core.agreement.blocks import block_interval, block_weights, iterate_block_resamples
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, subprogress
from randcrowns.core.statistics import DEFAULT_BOOTSTRAP_SAMPLES
from randcrowns.core.validation import validate_arguments

# Number of resamples between two reports of the progress.
_BATCH = 200

#: Names of the statistics that have an interval, in the order of the table.
INTERVAL_STATISTICS = (
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
    """Summary of the agreement of annotators.

    Attributes:
        table: a row per statistic (index ``statistic``) with the columns ``value``, ``low`` and
            ``high`` (NaN where there is no interval), and ``bootstrap_samples``, the
            number of resamples in which the statistic is defined. The statistics are
            ``annotators``, ``study_area``, ``marked_by_any``, ``marked_by_all``, and
            ``INTERVAL_STATISTICS``.
        n_blocks: number of resampled blocks; 0 if the vote table has neither tiles nor a map.
        n_marked_blocks: number of blocks that contain marks.
        messages: messages to show beside the numbers.
    """

    table: pd.DataFrame
    n_blocks: int
    n_marked_blocks: int
    messages: tuple[Message, ...]


@validate_arguments
def agreement_summary(
    votes: VoteTable,
    block_side: float | None = None,
    *,
    n_resamples: int = DEFAULT_BOOTSTRAP_SAMPLES,
    progress: Progress = no_progress,
) -> AgreementSummary:
    """Summarise the agreement of annotators in a table with intervals.

    Args:
        votes: vote table with a map (pixels or faces), or merged from tiles, which are then the
            blocks. Without any of these there are no intervals.
        block_side: side of a block in pixels or, for faces, metres; an eighth of the longer side of
            the study area by default. It should be larger than the objects.
        n_resamples: number of bootstrap resamples of the blocks.
        progress: called with the fraction of the work done.

    Returns:
        The table with the number of blocks and messages for the user.

    Raises:
        InputError: if the blocks are too small.

    >>> votes = VoteTable.from_stack(np.random.default_rng(0).random((3, 40, 40)) < 0.4)
    >>> agreement_summary(votes).table.loc["mean_f1", ["value", "low", "high"]].round(2).tolist()
    [0.4, 0.38, 0.42]
    """
    by_votes = measures.vote_histogram(votes)
    shared = votes.shared_weights
    marks_nothing = np.diagonal(shared) == 0
    estimate = _statistics(by_votes, shared, votes.unit_weight, np.ones_like(marks_nothing))
    low = np.full(len(estimate), np.nan)
    high = np.full(len(estimate), np.nan)
    n_defined = np.zeros(len(estimate), dtype=np.int64)
    n_blocks = 0
    n_marked = 0
    notes = measures.agreement_messages(votes)
    if votes.has_positions:
        blocks = block_weights(votes, block_side)
        sums = _block_sums(votes, blocks, subprogress(progress, 0.0, 0.5))
        n_blocks = len(sums.by_votes)
        n_marked = int(np.count_nonzero(sums.by_votes[:, 1:].any(axis=1)))
        values = _resample(
            sums, votes.unit_weight, marks_nothing, n_resamples, subprogress(progress, 0.5, 1.0)
        )
        low, high, interval_notes = block_interval(estimate, values, n_marked)
        n_defined = np.count_nonzero(~np.isnan(values), axis=0)
        if not np.isnan(estimate).all():
            notes += interval_notes

    sizes = {
        "annotators": float(votes.n_annotators),
        "study_area": votes.total_weight,
        "marked_by_any": float(by_votes[1:].sum()),
        "marked_by_all": float(by_votes[-1]),
    }
    size_rows = pd.DataFrame(
        {"value": pd.Series(sizes), "low": np.nan, "high": np.nan, "bootstrap_samples": 0}
    )
    statistic_rows = pd.DataFrame(
        {"value": estimate, "low": low, "high": high, "bootstrap_samples": n_defined},
        index=[*INTERVAL_STATISTICS],
    )
    table = pd.concat([size_rows, statistic_rows]).rename_axis("statistic")
    return AgreementSummary(table, n_blocks, n_marked, notes)


class _BlockSums(NamedTuple):
    """Sums over the T blocks of a vote table, from which all statistics follow."""

    by_votes: Floats  #: (T, K + 1) weight of the units with 0 to K votes.
    shared: Floats  #: (T, K, K) weight that both of two annotators marked.


def _resample(
    sums: _BlockSums, unit: float, marks_nothing: Bools, resamples: int, progress: Progress
) -> Floats:
    """Return the (resamples, S) statistics of the bootstrap resamples of the blocks.

    Args:
        sums: sums of each block.
        unit: weight of one unit.
        marks_nothing: (K,) annotators without marks in the whole study area.
        resamples: number of resamples.
        progress: called with the fraction of the resamples done.
    """
    values: list[Floats] = []
    n_blocks, k, _ = sums.shared.shape
    for counts in iterate_block_resamples(n_blocks, resamples, seed=0, values_per_resample=k * k):
        by_votes = counts @ sums.by_votes
        shared = np.tensordot(counts, sums.shared, axes=1)
        for row in range(len(counts)):
            if row % _BATCH == 0:
                progress(len(values) / resamples)
            values.append(_statistics(by_votes[row], shared[row], unit, marks_nothing))
    return np.array(values).reshape(-1, len(INTERVAL_STATISTICS))


def _statistics(by_votes: Floats, shared: Floats, unit: float, marks_nothing: Bools) -> Floats:
    """Return the statistics of ``INTERVAL_STATISTICS``, in that order.

    The F1 of two annotators without marks in a resample is 1 only if both marked nothing in the
    whole study area. If their marks lie in blocks outside of the resample, it is unknown, and the
    pair is excluded.

    Args:
        by_votes: (K + 1,) weight of the units with 0 to K votes.
        shared: (K, K) weight that both of two annotators marked.
        unit: weight of one unit.
        marks_nothing: (K,) annotators without marks in the whole study area.
    """
    first, second = _pair_indices(len(shared))
    has_marks = np.diagonal(shared) > 0
    is_known = has_marks[first] | has_marks[second] | (marks_nothing[first] & marks_nothing[second])
    f1 = measures.pairwise_f1_from_shared(shared)[first, second][is_known]
    f1_statistics = (f1.mean(), f1.min(), f1.max()) if len(f1) else (np.nan, np.nan, np.nan)
    return np.array(
        [
            measures.smyth_bound_from_histogram(by_votes),
            *f1_statistics,
            *measures.coefficients_from_histogram(by_votes, unit),
        ]
    )


@cache
def _pair_indices(k: int) -> tuple[Ints, Ints]:
    """Return the first and the second annotator of each pair of k annotators."""
    return np.triu_indices(k, 1)


def _block_sums(votes: VoteTable, blocks: Any, progress: Progress) -> _BlockSums:
    """Return the sums of each block; they add up to those of a resample of blocks.

    Args:
        votes: vote table of K annotators and M patterns.
        blocks: (T, M) sparse weight of each pattern in each block.
        progress: called with the fraction of the blocks done.
    """
    k = votes.n_annotators
    n_blocks = blocks.shape[0]
    by_votes = np.zeros((n_blocks, k + 1))
    shared = np.zeros((n_blocks, k, k))
    for row, _ in iterate_with_progress(range(n_blocks), progress):
        entries = slice(blocks.indptr[row], blocks.indptr[row + 1])
        block_votes = VoteTable(votes.patterns[blocks.indices[entries]], blocks.data[entries])
        by_votes[row] = measures.vote_histogram(block_votes)
        shared[row] = block_votes.shared_weights
    return _BlockSums(by_votes, shared)
