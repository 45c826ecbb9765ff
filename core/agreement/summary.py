"""Summary table of the agreement of annotators, with confidence intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import repeat
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.agreement import measures
from randcrowns.core.agreement.blocks import block_grid, block_interval, iterate_block_resamples
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints, number_text, number_with_interval_text
from randcrowns.core.messages import Message, TranslatableText, info
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, subprogress
from randcrowns.core.statistics import DEFAULT_BOOTSTRAP_SAMPLES
from randcrowns.core.validation import validate_arguments

# Number of resamples between two reports of the progress.
_BATCH = 200

#: Names of the statistics that are resampled, in the order of the table.
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


#: Statistics that are areas.
_AREA_STATISTICS = ("study_area", "marked_by_any", "marked_by_all")
#: Statistics from -1 to 1; all others are from 0 to 1.
_FROM_MINUS_1 = ("fleiss_kappa", "krippendorff_alpha", "gwet_ac1")
#: Statistics without an interval: resamples do not show how extremes vary.
_EXTREMES = ("min_f1", "max_f1")


# (S,) masks of the statistics.
_IS_FROM_MINUS_1 = np.isin(INTERVAL_STATISTICS, _FROM_MINUS_1)
_IS_EXTREME = np.isin(INTERVAL_STATISTICS, _EXTREMES)


class AgreementSummary(NamedTuple):
    """Summary of the agreement of annotators.

    Attributes:
        table: a row per statistic (index ``statistic``) with the columns ``value``, ``low`` and
            ``high`` (NaN where there is no interval), and ``bootstrap_samples``, the
            number of resamples in which the statistic is defined. The statistics are
            ``annotators``, ``study_area``, ``marked_by_any``, ``marked_by_all``, and
            ``INTERVAL_STATISTICS``.
        n_blocks: number of resampled blocks; 0 if the vote table has neither tiles nor a map, or
            no study area.
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
    [0.4, 0.37, 0.42]
    """
    marks_nothing = np.diagonal(votes.shared_weights) == 0
    by_pair = None if votes.is_complete else (votes.compared_weights, votes.has_common_area)
    estimate = _statistics(
        measures.counts_histogram(votes),
        votes.shared_weights,
        unit=votes.unit_weight,
        # In the whole study area, annotators without marks marked nothing at all.
        marks_nothing=np.ones_like(marks_nothing),
        by_pair=by_pair,
    )
    messages = measures.agreement_messages(votes)
    if not votes.has_positions or votes.total_weight == 0:
        table = _summary_table(votes, estimate, low=np.nan, high=np.nan, n_defined=0)
        return AgreementSummary(table, n_blocks=0, n_marked_blocks=0, messages=messages)

    grid = block_grid(votes, block_side)
    sums = _block_sums(votes, grid.weights, subprogress(progress, 0.0, 0.5))
    n_marked_blocks = sums.count_marked()
    windows = grid.windows(n_marked_blocks)
    resampled = _resample(
        _window_sums(sums, windows.membership),
        window_size=windows.size,
        unit=votes.unit_weight,
        marks_nothing=marks_nothing,
        resamples=n_resamples,
        progress=subprogress(progress, 0.5, 1.0),
    )
    interval = block_interval(
        estimate,
        resampled,
        n_marked_blocks,
        _IS_FROM_MINUS_1.tolist(),
        windows.size,
        are_plots=grid.are_plots,
    )
    # The extremes of pairs that are alike vary otherwise in resamples than in other study areas.
    interval.low[_IS_EXTREME] = np.nan
    interval.high[_IS_EXTREME] = np.nan
    if not np.isnan(estimate).all():
        messages += interval.messages
    n_defined = np.count_nonzero(~np.isnan(resampled), axis=0)
    return AgreementSummary(
        table=_summary_table(votes, estimate, interval.low, interval.high, n_defined),
        n_blocks=int(np.count_nonzero(grid.is_filled)),
        n_marked_blocks=n_marked_blocks,
        messages=messages,
    )


def _summary_table(
    votes: VoteTable,
    estimate: Floats,
    low: Floats | float,
    high: Floats | float,
    n_defined: Ints | int,
) -> pd.DataFrame:
    """Return the table of :class:`AgreementSummary`.

    Args:
        votes: vote table.
        estimate: (S,) values of ``INTERVAL_STATISTICS``.
        low: (S,) lower ends of their intervals, or NaN without intervals.
        high: (S,) upper ends, likewise.
        n_defined: (S,) numbers of resamples in which the statistics are defined, or 0.
    """
    by_votes = measures.vote_histogram(votes)
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
    table = pd.concat([size_rows, statistic_rows])
    return cast("pd.DataFrame", table.rename_axis("statistic"))


def summary_rows(
    summary: AgreementSummary,
    unit: str,
    by_image: Mapping[str, AgreementSummary],
    all_images: str,
) -> pd.DataFrame:
    """Return a row per statistic with value, interval, unit and number of blocks.

    Args:
        summary: statistics of all images together.
        unit: unit of lengths; areas are in its square.
        by_image: statistics of each of several images by its name, whose rows follow; empty for
            one image.
        all_images: name of all images together, in the column ``image`` of several images.

    >>> votes = VoteTable.from_stack([[[1, 1], [0, 0]], [[1, 0], [0, 0]]])
    >>> rows = summary_rows(agreement_summary(votes, n_resamples=0), "m", {}, "")
    >>> area = rows.loc[1]
    >>> area["statistic"], float(area["value"]), area["unit"]
    ('study_area', 4.0, 'm²')
    """
    rows = _rows_with_unit(summary, unit)
    if not by_image:
        return rows
    parts = [rows.assign(image=all_images)]
    for image, image_summary in by_image.items():
        parts.append(_rows_with_unit(image_summary, unit).assign(image=image))
    return cast("pd.DataFrame", pd.concat(parts, ignore_index=True))


def _rows_with_unit(summary: AgreementSummary, unit: str) -> pd.DataFrame:
    """Return a row per statistic of one image; ``unit`` is that of lengths."""
    rows: pd.DataFrame = summary.table.reset_index()
    rows["unit"] = np.where(rows["statistic"].isin(_AREA_STATISTICS), f"{unit}²", "")
    rows["blocks"] = summary.n_blocks
    rows["marked_blocks"] = summary.n_marked_blocks
    return rows


def agreement_headline(summary: AgreementSummary) -> Message:
    """Return a message that says how far several annotators agree.

    Args:
        summary: statistics of at least two annotators.
    """
    table = summary.table.astype(float)
    value = table["value"]

    def with_interval(name: str) -> TranslatableText:
        """Return a statistic with its interval."""
        number, low, high = table.loc[name, ["value", "low", "high"]].tolist()
        return number_with_interval_text(number, low, high, 3)

    return info(
        "headline.agreement",
        "{count} annotators: mean F1 {f1}, pairs {least} to {most}; Fleiss' kappa {kappa}, "
        "Smyth's bound on the mean error {bound}.",
        count=int(value["annotators"]),
        f1=with_interval("mean_f1"),
        kappa=with_interval("fleiss_kappa"),
        bound=with_interval("smyth_bound"),
        least=number_text(value["min_f1"], 3),
        most=number_text(value["max_f1"], 3),
    )


class _BlockSums(NamedTuple):
    """Sums over T blocks or windows of a vote table, from which all statistics follow."""

    #: (T, K + 1) weight of the units with 0 to K votes; with missing ratings (T, K + 1, K + 1), as
    #: :func:`randcrowns.core.agreement.measures.rating_histogram`.
    by_votes: Floats
    shared: Floats  #: (T, K, K) weight that both of two annotators marked.
    #: (T, K, K) weight that an annotator marked where another looked; None if all did everywhere.
    compared: Floats | None = None
    rated: Floats | None = None  #: (T, K, K) weight at which both of two annotators looked.

    def count_marked(self) -> int:
        """Return the number of blocks that contain marks."""
        # All weights but those of 0 votes belong to units with marks.
        marked_weights = self.by_votes[..., 1:].reshape(len(self.by_votes), -1)
        return int(np.count_nonzero(marked_weights.any(axis=1)))


def _window_sums(sums: _BlockSums, membership: Any) -> _BlockSums:
    """Return the sums of each window of blocks.

    Args:
        sums: sums of each of T blocks.
        membership: (W, T) sparse; 1 where a window contains a block.
    """

    def add_up(values: Floats) -> Floats:
        """Return the (W, …) sums of the (T, …) values of the blocks of each window."""
        n_blocks = len(values)
        flat_values = values.reshape(n_blocks, -1)
        flat_sums = np.asarray(membership @ flat_values)
        return flat_sums.reshape(-1, *values.shape[1:])

    return _BlockSums(
        by_votes=add_up(sums.by_votes),
        shared=add_up(sums.shared),
        compared=None if sums.compared is None else add_up(sums.compared),
        rated=None if sums.rated is None else add_up(sums.rated),
    )


def _resample(
    sums: _BlockSums,
    window_size: int,
    unit: float,
    marks_nothing: Bools,
    resamples: int,
    progress: Progress,
) -> Floats:
    """Return the (resamples, S) statistics of the bootstrap resamples of the blocks.

    Args:
        sums: sums of each block, or of each window of blocks.
        window_size: number of blocks of a window.
        unit: weight of one unit.
        marks_nothing: (K,) annotators without marks in the whole study area.
        resamples: number of resamples.
        progress: called with the fraction of the resamples done.
    """
    statistics: list[Floats] = []
    n_blocks, n_annotators, _ = sums.shared.shape
    batches = iterate_block_resamples(
        n_blocks,
        resamples,
        seed=0,
        values_per_resample=n_annotators**2,
        window_size=window_size,
    )
    # Each batch holds, per resample, how often each block was drawn.
    for counts in batches:
        by_votes = np.tensordot(counts, sums.by_votes, axes=1)
        shared = np.tensordot(counts, sums.shared, axes=1)
        ratings_by_pair: Iterable[tuple[Floats, Bools] | None] = repeat(None)
        if sums.compared is not None and sums.rated is not None:
            compared = np.tensordot(counts, sums.compared, axes=1)
            has_common_area = np.tensordot(counts, sums.rated, axes=1) > 0
            ratings_by_pair = zip(compared, has_common_area)

        for sample_votes, sample_shared, by_pair in zip(by_votes, shared, ratings_by_pair):
            if len(statistics) % _BATCH == 0:
                progress(len(statistics) / resamples)
            statistics.append(
                _statistics(sample_votes, sample_shared, unit, marks_nothing, by_pair)
            )
    return np.array(statistics).reshape(-1, len(INTERVAL_STATISTICS))


def _statistics(
    by_votes: Floats,
    shared: Floats,
    unit: float,
    marks_nothing: Bools,
    by_pair: tuple[Floats, Bools] | None = None,
) -> Floats:
    """Return the statistics of ``INTERVAL_STATISTICS``, in that order.

    The F1 of two annotators without marks in a resample is 1 only if both marked nothing in the
    whole study area. If their marks lie in blocks outside of the resample, it is unknown, and the
    pair is excluded.

    Args:
        by_votes: (K + 1,) weight of the units with 0 to K votes, or a rating histogram.
        shared: (K, K) weight that both of two annotators marked.
        unit: weight of one unit.
        marks_nothing: (K,) annotators without marks in the whole study area.
        by_pair: with missing ratings, (K, K) weight that an annotator marked where another looked,
            and (K, K) True where both looked at a common place.
    """
    first, second = _pair_indices(len(shared))
    has_marks = np.diagonal(shared) > 0
    has_pair_marks = has_marks[first] | has_marks[second]
    is_known = has_pair_marks | (marks_nothing[first] & marks_nothing[second])
    compared = None
    if by_pair is not None:
        compared, has_common_area = by_pair
        is_known &= has_common_area[first, second]
    f1_of_pairs = measures.pairwise_f1_from_shared(shared, compared)[first, second]
    known_f1 = f1_of_pairs[is_known]
    mean_f1 = min_f1 = max_f1 = np.nan
    if len(known_f1):
        mean_f1 = known_f1.mean()
        min_f1 = known_f1.min()
        max_f1 = known_f1.max()
    smyth_bound = measures.smyth_bound_from_histogram(by_votes)
    coefficients = measures.coefficients_from_histogram(by_votes, unit)
    return np.array([smyth_bound, mean_f1, min_f1, max_f1, *coefficients])


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
    histogram_shape = (k + 1,) if votes.is_complete else (k + 1, k + 1)
    by_votes = np.zeros((n_blocks, *histogram_shape))
    shared = np.zeros((n_blocks, k, k))
    compared = np.zeros((n_blocks, k, k))
    rated = np.zeros((n_blocks, k, k))
    for row, _ in iterate_with_progress(range(n_blocks), progress):
        # The patterns and the weights of a row of a sparse matrix.
        entries = slice(blocks.indptr[row], blocks.indptr[row + 1])
        patterns = blocks.indices[entries]
        weights = blocks.data[entries]
        is_rated = None if votes.is_rated is None else votes.is_rated[patterns]
        block_votes = VoteTable(votes.patterns[patterns], weights, is_rated=is_rated)
        by_votes[row] = measures.counts_histogram(block_votes)
        shared[row] = block_votes.shared_weights
        if not votes.is_complete:
            compared[row] = block_votes.compared_weights
            rated[row] = block_votes.ratings.shared_weights
    if votes.is_complete:
        return _BlockSums(by_votes=by_votes, shared=shared)
    return _BlockSums(by_votes=by_votes, shared=shared, compared=compared, rated=rated)
