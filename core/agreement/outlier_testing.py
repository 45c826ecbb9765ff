"""Test which annotators are unlike the others, beyond what chance explains.

The rule of :func:`randcrowns.core.agreement.measures.outliers` names about one annotator in six
among annotators who are all alike, because somebody is always the most distant. The test compares
the mean distances with those of alike annotators. These are simulated by permuting the names of the
annotators in each block of the study area, independently of the other blocks (Edgington and Onghena
2007). An annotator who differs in most blocks has a larger distance than any permutation.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from randcrowns.core.agreement.blocks import BlockGrid, block_grid
from randcrowns.core.agreement.measures import exceed_limit, mean_distances, outliers
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints, random_generator, split_range
from randcrowns.core.messages import Message, info
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.core.statistics import ratio
from randcrowns.core.validation import validate_arguments

#: Probability, after adjustment for all annotators, below which one is unlike the others.
SIGNIFICANCE = 0.05
#: Default number of permutations.
DEFAULT_PERMUTATIONS = 999
# Difference up to which distances, and relative areas, count as equal.
_ROUNDING = 1e-12
# Maximum number of blocks; more would hardly change the result.
_MAX_BLOCKS = 256
# Lowest maximum, however many annotators there are.
_MIN_BLOCKS = 16
# Number of values that all permutations need at most; blocks are made larger to keep it.
_MAX_VALUES = 200_000_000
# Number of values in memory at a time.
_VALUES_PER_CHUNK = 1 << 22


class OutlierTest(NamedTuple):
    """Result of the test which of K annotators are unlike the others."""

    #: (K,) probability that the largest mean distance of K alike annotators is at least that of
    #: this annotator (adjusted for the number of annotators); NaN if it cannot be tested.
    p_value: Floats
    is_outlier: Bools  #: (K,) True for outliers by the rule of Lampert et al.
    #: Mean number of outliers that the rule names among K alike annotators; NaN likewise.
    n_by_chance: float
    #: Probability that the rule names at least one of K alike annotators; NaN likewise.
    any_by_chance: float
    #: Number of blocks in which annotators differ.
    n_blocks: int
    names: tuple[str, ...]  #: (K,) names of the annotators.

    @property
    def is_unlike(self) -> Bools:
        """(K,) True for annotators who are unlike the others: ``p_value`` below 5 %."""
        return self.p_value < SIGNIFICANCE

    @property
    def is_testable(self) -> bool:
        """True if any annotator has a ``p_value``."""
        return bool(np.isfinite(self.p_value).any())

    @property
    def messages(self) -> tuple[Message, ...]:
        """Messages to show with outliers; none for fewer than three annotators."""
        n_annotators = len(self.names)
        if n_annotators < 3:
            return ()
        if not self.is_testable:
            return (
                info(
                    "outliers.unlike_unknown",
                    "It cannot be tested whether an annotator is unlike the others: the annotators "
                    "differ in too few blocks or plots ({blocks}). Being an outlier is then no "
                    "evidence.",
                    blocks=self.n_blocks,
                ),
            )
        by_chance = info(
            "outliers.by_chance",
            "Outliers are also found by chance: of {count} annotators who are all alike, the rule "
            "names {number:.1f} on average, and at least one with a probability of {share:.0%} "
            "({permutations} permutations in {blocks} blocks or plots).",
            count=n_annotators,
            number=self.n_by_chance,
            share=self.any_by_chance,
            permutations=DEFAULT_PERMUTATIONS,
            blocks=self.n_blocks,
        )
        return (self._verdict_message(), by_chance)

    def _verdict_message(self) -> Message:
        """Return the message that names the annotators who are unlike the others."""
        unlike = [name for name, is_unlike in zip(self.names, self.is_unlike) if is_unlike]
        if not unlike:
            return info(
                "outliers.none_unlike",
                "No annotator is unlike the others beyond chance (5 %, adjusted for all "
                "annotators).",
            )
        return info(
            "outliers.unlike",
            "Unlike the others, beyond chance (5 %, adjusted for all annotators): {names}.",
            names=unlike,
        )


@validate_arguments
def outlier_test(
    votes: VoteTable,
    block_side: float | None = None,
    *,
    seed: int = 0,
    progress: Progress = no_progress,
) -> OutlierTest:
    """Test which annotators are unlike the others, by permutations within blocks.

    The statistic is by how much the mean distance of an annotator exceeds the mean of all
    (:func:`randcrowns.core.agreement.measures.mean_distances`). If all annotators are alike, their
    names can be permuted in each block without a change of the distribution. The adjusted p-value
    of an annotator is the share of the permutations, including the original, whose largest excess
    is at least the annotator's (maxT, Westfall and Young 1993). Crowns that cross the borders of
    blocks make the permutations vary too little, which is corrected. With missing ratings, only
    those who looked at the whole block are permuted in it.

    The smallest possible p-value of K annotators who differ in n blocks is about K^(1-n). There is
    no test if it is not below :data:`SIGNIFICANCE`.

    Args:
        votes: vote table with a map (pixels or faces), or merged from tiles, which are then the
            blocks.
        block_side: side of a block, see :func:`randcrowns.core.agreement.blocks.block_grid`.
        seed: seed of the random numbers; the same seed gives the same result.
        progress: receives the fraction done; may raise to cancel.

    Raises:
        InputError: if the blocks are too small.

    >>> rng = np.random.default_rng(0)
    >>> trees = rng.random((24, 24)) < 0.3
    >>> drawings = [trees ^ (rng.random((24, 24)) < error) for error in (0.05, 0.05, 0.05, 0.3)]
    >>> outlier_test(VoteTable.from_stack(drawings)).is_unlike.tolist()
    [False, False, False, True]
    """
    n_annotators = votes.n_annotators
    untested = OutlierTest(
        p_value=np.full(n_annotators, np.nan),
        is_outlier=outliers(votes),
        n_by_chance=np.nan,
        any_by_chance=np.nan,
        n_blocks=0,
        names=tuple(votes.names),
    )
    if n_annotators < 3 or not votes.has_positions:
        return untested

    # The random numbers are assigned by name, so that the order of the annotators changes nothing.
    by_name = np.argsort(np.array(votes.names), kind="stable")
    sorted_votes = votes.select(by_name)
    grid = _limited_grid(sorted_votes, block_side)
    sums = _differing_sums(sorted_votes, grid)
    n_blocks = len(sums)
    min_p_value = float(n_annotators) ** (1 - n_blocks)
    if not min_p_value < SIGNIFICANCE:
        return untested._replace(n_blocks=n_blocks)

    rng = random_generator(seed)
    is_counted = sorted_votes.has_common_area & ~np.eye(n_annotators, dtype=bool)
    distances = _permuted_distances(sums, is_counted, rng, subprogress(progress, 0.0, 0.5))
    excess = _subtract_mean(distances)
    inflation = 1.0
    if grid.columns:
        coarse_distances = _permuted_distances(
            _differing_sums(sorted_votes, grid.coarsen()),
            is_counted,
            rng,
            subprogress(progress, 0.5, 1.0),
        )
        inflation = _variance_inflation(excess, _subtract_mean(coarse_distances))
    progress(1.0)

    own_excess = _subtract_mean(mean_distances(sorted_votes))
    p_value = np.empty(n_annotators)
    p_value[by_name] = _adjusted_p_values(own_excess, excess * np.sqrt(inflation))
    n_named = exceed_limit(distances).sum(axis=1)
    return untested._replace(
        p_value=p_value,
        n_by_chance=float(n_named.mean()),
        any_by_chance=float((n_named > 0).mean()),
        n_blocks=n_blocks,
    )


def _adjusted_p_values(own_excess: Floats, excess: Floats) -> Floats:
    """Return the (K,) p-values of annotators, adjusted for their number; NaN without a distance.

    Args:
        own_excess: (K,) excess distances of the annotators; NaN without a distance.
        excess: (n, K) excess distances in n permutations.
    """
    largest = np.nanmax(excess, axis=1)
    n_as_large = (largest[:, np.newaxis] >= own_excess - _ROUNDING).sum(axis=0)
    # The original arrangement counts as one of the permutations.
    p_values = (1 + n_as_large) / (1 + len(largest))
    return np.where(np.isnan(own_excess), np.nan, p_values)


def _subtract_mean(distances: Floats) -> Floats:
    """Return by how much mean distances (…, K) exceed the mean over the annotators."""
    return cast("Floats", distances - np.nanmean(distances, axis=-1, keepdims=True))


def _variance_inflation(excess: Floats, coarse_excess: Floats) -> float:
    """Return the factor by which the variance of the permutations is too small; at least 1.

    Crowns cross the borders of blocks, and permutations tear them apart there. The missing part of
    the variance is proportional to the length of the borders, which is half for blocks of twice the
    side. The variance without borders is therefore 2·V(2s) - V(s) for a side s (Richardson's
    extrapolation).

    Args:
        excess: (n, K) excess distances of permutations within blocks.
        coarse_excess: (n, K) the same within blocks of twice the side.
    """
    variance = float(np.nanmean(np.square(excess)))
    coarse_variance = float(np.nanmean(np.square(coarse_excess)))
    if not variance > 0:
        return 1.0
    extrapolated_variance = 2 * coarse_variance - variance
    return max(extrapolated_variance, coarse_variance, variance) / variance


class _BlockSums(NamedTuple):
    """Sums over a block."""

    shared: Floats  #: (K, K) weight that both of two annotators marked.
    #: (K, K) weight that the annotator of the row marked where that of the column looked.
    compared: Floats
    can_permute: Ints  #: Numbers of the annotators who looked at the whole block.

    @property
    def has_differences(self) -> bool:
        """True if two annotators who can be permuted marked different areas."""
        shared = self.shared[np.ix_(self.can_permute, self.can_permute)]
        marked = np.diagonal(shared)
        # Weight that only one annotator of each pair marked.
        differing = marked[:, np.newaxis] + marked - 2 * shared
        return bool((differing > _ROUNDING * marked.max(initial=0)).any())


def _limited_grid(votes: VoteTable, block_side: float | None) -> BlockGrid:
    """Return the blocks, enlarged until there are no more than the permutations can use.

    Args:
        votes: vote table with a map or tiles.
        block_side: side of a block; None for the default.
    """
    n_values = DEFAULT_PERMUTATIONS * votes.n_annotators**2
    maximum = int(np.clip(_MAX_VALUES // n_values, _MIN_BLOCKS, _MAX_BLOCKS))
    grid = block_grid(votes, block_side)
    while grid.weights.shape[0] > maximum:
        grid = grid.coarsen()
    return grid


def _differing_sums(votes: VoteTable, grid: BlockGrid) -> list[_BlockSums]:
    """Return the sums of the blocks in which annotators differ."""
    sums = [_block_sums(votes, block) for block in grid.weights]
    return [block for block in sums if block.has_differences]


def _block_sums(votes: VoteTable, block: Any) -> _BlockSums:
    """Return the sums of one block.

    Args:
        votes: vote table of K annotators and M patterns.
        block: (1, M) sparse weights of the patterns in the block.
    """
    patterns = block.indices
    weights = block.data
    n_annotators = votes.n_annotators
    decisions = votes.patterns[patterns].astype(float)
    weighted_decisions = decisions * weights[:, np.newaxis]
    shared = weighted_decisions.T @ decisions
    if votes.is_rated is None:
        marked = np.diagonal(shared)
        compared = np.repeat(marked[:, np.newaxis], n_annotators, axis=1)
        return _BlockSums(shared=shared, compared=compared, can_permute=np.arange(n_annotators))
    is_rated = votes.is_rated[patterns]
    compared = weighted_decisions.T @ is_rated.astype(float)
    looked = weights @ is_rated
    has_seen_whole = looked >= weights.sum() * (1 - _ROUNDING)
    return _BlockSums(shared=shared, compared=compared, can_permute=np.flatnonzero(has_seen_whole))


def _permuted_distances(
    sums: list[_BlockSums], is_counted: Bools, rng: np.random.Generator, progress: Progress
) -> Floats:
    """Return the (n, K) mean distances of the annotators in n permutations.

    Args:
        sums: sums of each block.
        is_counted: (K, K) True for the pairs whose distances count.
        rng: source of random numbers.
        progress: receives the fraction done; may raise to cancel.
    """
    n_annotators = len(is_counted)
    n_others = is_counted.sum(axis=1).astype(float)
    distances = np.empty((DEFAULT_PERMUTATIONS, n_annotators))
    permutations_per_chunk = max(1, _VALUES_PER_CHUNK // n_annotators**2)
    for chunk in split_range(DEFAULT_PERMUTATIONS, permutations_per_chunk):
        n_permutations = chunk.stop - chunk.start
        shared = np.zeros((n_permutations, n_annotators, n_annotators))
        compared = np.zeros_like(shared)
        for block in sums:
            # In each permutation, the annotator whose drawing of the block everybody gets.
            drawers = np.tile(np.arange(n_annotators), (n_permutations, 1))
            order = rng.random((n_permutations, len(block.can_permute))).argsort(axis=1)
            drawers[:, block.can_permute] = block.can_permute[order]
            pairs = (drawers[:, :, np.newaxis], drawers[:, np.newaxis, :])
            shared += block.shared[pairs]
            compared += block.compared[pairs]
        both_compared = compared + compared.transpose(0, 2, 1)
        # Two annotators who marked nothing have an F1 of 1.
        f1 = np.divide(2 * shared, both_compared, out=np.ones_like(shared), where=both_compared > 0)
        distance = np.where(is_counted, 1 - np.minimum(f1, 1.0), 0.0)
        distances[chunk] = ratio(distance.sum(axis=2), n_others)
        progress(chunk.stop / DEFAULT_PERMUTATIONS)
    return distances
