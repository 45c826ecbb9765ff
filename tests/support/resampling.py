"""Bootstrap interval of any statistic of a vote table, computed from every resample of blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.agreement.blocks import block_grid, block_interval, iterate_block_resamples
from randcrowns.core.agreement.measures import pairwise_f1
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress, no_progress


class Interval(NamedTuple):
    """Statistics, ends of their intervals, messages, and number of blocks with marks."""

    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    notes: tuple[Message, ...]
    n_blocks: int


def block_weights(votes: VoteTable, block_side: float | None = None) -> Any:
    """Return the (T, M) sparse weight of each pattern in each block that is not empty."""
    grid = block_grid(votes, block_side)
    return grid.weights[grid.is_filled]


def with_weights(votes: VoteTable, weights: np.ndarray) -> VoteTable:
    """Return the same patterns with other weights, without a map."""
    return VoteTable(
        votes.patterns,
        weights,
        names=votes.names,
        messages=votes.messages,
        unit_weight=votes.unit_weight,
    )


def mean_pairwise_f1(votes: VoteTable) -> float:
    """Return the mean F1 over all pairs of annotators; NaN for one annotator."""
    f1 = pairwise_f1(votes)[np.triu_indices(votes.n_annotators, 1)]
    return float(f1.mean()) if len(f1) else np.nan


def bootstrap(
    votes: VoteTable,
    statistic: Callable[[VoteTable], ArrayLike],
    block_side: float | None = None,
    *,
    resamples: int = 1000,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Interval:
    """Return estimate and interval of a statistic, a number or an array."""
    blocks = block_weights(votes, block_side)
    estimate = np.asarray(statistic(votes), dtype=float)
    values = []
    for piece in iterate_block_resamples(blocks.shape[0], resamples, seed):
        for counts in piece:
            values.append(
                np.asarray(statistic(with_weights(votes, blocks.T @ counts)), dtype=float)
            )
            progress(len(values) / resamples)
    n_marked = int(np.count_nonzero(blocks @ (votes.n_yes > 0)))
    return Interval(estimate, *block_interval(estimate, np.array(values), n_marked), n_marked)
