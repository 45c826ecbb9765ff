"""Correlation of a detector's score with the number of annotators (Lampert et al. 2016)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.agreement.image_correlation import block_correlation
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.detectors.curves import to_score_array, to_weight_array, usable_mask
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, info
from randcrowns.core.statistics import CONFIDENCE_LEVEL
from randcrowns.core.validation import validate_arguments

_NO_INTERVAL = (np.nan, np.nan, np.nan)
# Sentences on why a correlation is undefined, by cause.
_UNDEFINED_EVERYWHERE = {
    "no_place": "There is no place with a score.",
    "infinite": "Some scores are infinite.",
    "constant": "Its score is the same everywhere.",
    "same_votes": "The same number of annotators marked every place.",
}
_UNDEFINED_WHERE_MARKED = {
    "no_place": "No place that anyone marked has a score.",
    "infinite": "Some scores of marked places are infinite.",
    "constant": "Its score is the same at all places that anyone marked.",
    "same_votes": "All marked places were marked by the same number of annotators.",
}


class AgreementCorrelations(NamedTuple):
    """Correlations of a detector's score with the number of annotators who marked each unit.

    Attributes:
        cco: Pearson correlation over the units that at least one annotator marked.
        cci: Pearson correlation over the whole study area.
        difference: cci - cco; small if there are few false alarms far from marked units.
        reason: message why cci (or else cco) is NaN; None if neither is.
        cco_interval: lower end, upper end, and p-value of no correlation; NaN without blocks, or if
            values vary in too few blocks.
        cci_interval: the same for cci.
    """

    cco: float
    cci: float
    difference: float
    reason: Message | None = None
    cco_interval: tuple[float, float, float] = _NO_INTERVAL
    cci_interval: tuple[float, float, float] = _NO_INTERVAL


@validate_arguments
def correlate_with_agreement(
    score: ArrayLike,
    votes: ArrayLike | VoteTable,
    *,
    weight: ArrayLike | None = None,
    valid: ArrayLike | None = None,
    blocks: ArrayLike | None = None,
    tiles_per_row: int = 1,
    level: float = CONFIDENCE_LEVEL,
) -> AgreementCorrelations:
    """Compute CCO and CCI: Pearson correlations of the score with the number of annotators.

    CCO is computed over the units that at least one annotator marked, CCI over the whole study area
    (Lampert et al. 2016). Neighbouring units are alike, so intervals and p-values rest on blocks,
    not on units.

    Args:
        score: the detector's score per unit, any shape; units with NaN and masked units are
            excluded.
        votes: number of annotators who marked each unit, same shape; or a vote table of those
            units, of which the comparable votes count. NaN excludes a unit.
        weight: weight of each unit, such as a face's area; 1 by default.
        valid: units to count (study area without training areas); all by default.
        blocks: number of the square tile of each unit, row by row; None for no intervals.
        tiles_per_row: number of tiles in a row.
        level: confidence level of the intervals.

    Returns:
        The correlations; NaN if the score or the votes do not vary, or a score is infinite.

    Raises:
        InputError: if shapes differ, or values are not numbers.

    >>> round(correlate_with_agreement([0.1, 0.4, 0.8, 0.9], [0, 1, 2, 3]).cci, 3)
    0.978
    """
    scores = to_score_array(score)
    vote_counts = votes.on_map(votes.comparable_votes) if isinstance(votes, VoteTable) else votes
    counts = to_score_array(vote_counts, "The number of votes")
    if counts.shape != scores.shape:
        message = "The votes have shape {shape}, the score {other_shape}. Give both the same grid."
        raise InputError(
            "ranking.different_shapes",
            message,
            shape=str(counts.shape),
            other_shape=str(scores.shape),
        )
    weights = np.ones(scores.shape) if weight is None else to_weight_array(weight, scores.shape)
    usable = usable_mask(scores.shape, score, vote_counts, valid=valid) & (weights > 0)

    # All counted units, and those that an annotator marked.
    everywhere = _Sample(
        np.asarray(scores[usable], dtype=float),
        np.asarray(counts[usable], dtype=float),
        np.asarray(weights[usable], dtype=float),
    )
    is_marked = everywhere.votes > 0
    marked = _Sample(*(values[is_marked] for values in everywhere))
    cci_reason = _undefined_message(everywhere, _UNDEFINED_EVERYWHERE)
    cco_reason = _undefined_message(marked, _UNDEFINED_WHERE_MARKED)
    cci = np.nan if cci_reason else _weighted_pearson(everywhere)
    cco = np.nan if cco_reason else _weighted_pearson(marked)

    cci_interval = _NO_INTERVAL
    cco_interval = _NO_INTERVAL
    if blocks is not None:
        tile = np.asarray(blocks)[usable].astype(np.int64)
        last_row = int(tile.max(initial=0)) // tiles_per_row
        shape = (last_row + 1, tiles_per_row)
        if not cci_reason:
            cci_interval = _block_interval(everywhere, tile, shape, level)
        if not cco_reason:
            cco_interval = _block_interval(marked, tile[is_marked], shape, level)
    return AgreementCorrelations(
        cco, cci, cci - cco, cci_reason or cco_reason, cco_interval, cci_interval
    )


class _Sample(NamedTuple):
    """Units over which a correlation is computed."""

    score: Floats  #: (n,) scores of the detector.
    votes: Floats  #: (n,) number of annotators who marked each unit.
    weight: Floats  #: (n,) weights, above 0.


def _block_interval(
    sample: _Sample, tile: Ints, shape: tuple[int, int], level: float
) -> tuple[float, float, float]:
    """Return the interval of a correlation by block resampling.

    Args:
        sample: n units.
        tile: (n,) number of the tile of each unit, row by row.
        shape: rows and columns of tiles.
        level: confidence level of the interval.

    Returns:
        Lower end, upper end, and p-value of no correlation.
    """
    correlation = block_correlation(sample.score, sample.votes, tile, shape, sample.weight, level)
    return correlation.low, correlation.high, correlation.p_value


def _weighted_pearson(sample: _Sample) -> float:
    """Return the weighted Pearson correlation of score and votes, both of which vary."""
    share = sample.weight / sample.weight.sum()
    x = sample.score - share @ sample.score
    y = sample.votes - share @ sample.votes
    # Scaled to at most 1, so that squares of very small or large scores stay finite and above 0.
    x /= np.abs(x).max()
    correlation = (share * x) @ y / np.sqrt(((share * x) @ x) * ((share * y) @ y))
    return float(np.clip(correlation, -1.0, 1.0))


def _undefined_message(sample: _Sample, templates: dict[str, str]) -> Message | None:
    """Return a message if the correlation of a sample is undefined.

    Args:
        sample: units, possibly none.
        templates: sentences by cause, such as ``_UNDEFINED_EVERYWHERE``.
    """
    score = sample.score
    votes = sample.votes
    if score.size == 0:
        cause = "no_place"
    elif not np.isfinite(score).all():
        cause = "infinite"
    elif score.min() == score.max():
        cause = "constant"
    elif votes.min() == votes.max():
        cause = "same_votes"
    else:
        return None
    return info(f"reason.{cause}", templates[cause])
