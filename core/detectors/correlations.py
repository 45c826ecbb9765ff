"""Correlation of a detector's score with the number of annotators (Lampert et al. 2016)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.agreement.image_correlation import block_correlation
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints
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
    has_values = usable_mask(scores.shape, score, vote_counts, valid=valid)
    is_used = has_values & (weights > 0)
    tile = None
    n_tile_rows = 0
    if blocks is not None:
        tile = np.asarray(blocks)[is_used].astype(np.int64)
        n_tile_rows = int(tile.max(initial=0)) // tiles_per_row + 1
    everywhere = _Sample(
        score=np.asarray(scores[is_used], dtype=float),
        votes=np.asarray(counts[is_used], dtype=float),
        weight=np.asarray(weights[is_used], dtype=float),
        tile=tile,
    )
    marked = everywhere.select(everywhere.votes > 0)

    tile_shape = (n_tile_rows, tiles_per_row)
    inside = _correlate(everywhere, _UNDEFINED_EVERYWHERE, tile_shape, level)
    on_object = _correlate(marked, _UNDEFINED_WHERE_MARKED, tile_shape, level)
    return AgreementCorrelations(
        cco=on_object.value,
        cci=inside.value,
        difference=inside.value - on_object.value,
        reason=inside.reason or on_object.reason,
        cco_interval=on_object.interval,
        cci_interval=inside.interval,
    )


class _Sample(NamedTuple):
    """Units over which a correlation is computed."""

    score: Floats  #: (n,) scores of the detector.
    votes: Floats  #: (n,) number of annotators who marked each unit.
    weight: Floats  #: (n,) weights, above 0.
    tile: Ints | None  #: (n,) number of the tile of each unit, row by row; None for no intervals.

    def select(self, is_selected: Bools) -> _Sample:
        """Return the units of a mask (n,)."""
        return _Sample(
            score=self.score[is_selected],
            votes=self.votes[is_selected],
            weight=self.weight[is_selected],
            tile=None if self.tile is None else self.tile[is_selected],
        )


class _Correlation(NamedTuple):
    """Correlation of score and votes over a sample."""

    value: float  #: NaN if it is undefined.
    reason: Message | None  #: why it is undefined.
    interval: tuple[float, float, float]  #: lower end, upper end, p-value of no correlation.


def _correlate(
    sample: _Sample, templates: dict[str, str], tile_shape: tuple[int, int], level: float
) -> _Correlation:
    """Return the correlation over a sample, with its interval by block resampling.

    Args:
        sample: n units, possibly none.
        templates: sentences about undefined correlations by cause.
        tile_shape: rows and columns of tiles.
        level: confidence level of the interval.
    """
    reason = _undefined_message(sample, templates)
    if reason:
        return _Correlation(value=np.nan, reason=reason, interval=_NO_INTERVAL)
    value = _weighted_pearson(sample)
    if sample.tile is None:
        return _Correlation(value=value, reason=None, interval=_NO_INTERVAL)
    by_blocks = block_correlation(
        sample.score,
        sample.votes,
        labels=sample.tile,
        shape=tile_shape,
        weight=sample.weight,
        confidence_level=level,
    )
    interval = (by_blocks.low, by_blocks.high, by_blocks.p_value)
    return _Correlation(value=value, reason=None, interval=interval)


def _weighted_pearson(sample: _Sample) -> float:
    """Return the weighted Pearson correlation of score and votes, both of which vary."""
    share = sample.weight / sample.weight.sum()
    x = sample.score - share @ sample.score
    y = sample.votes - share @ sample.votes
    # Scaled to at most 1, so that squares of very small or large scores stay finite and above 0.
    x /= np.abs(x).max()
    covariance = (share * x) @ y
    x_variance = (share * x) @ x
    y_variance = (share * y) @ y
    correlation = covariance / np.sqrt(x_variance * y_variance)
    # Rounding may lead beyond the limits.
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
