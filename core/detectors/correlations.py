"""How a detector's score goes with the number of annotators who marked the place (Lampert et al. 2016)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.agreement.image import BlockCorrelation, block_correlation
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Floats
from randcrowns.core.detectors.curves import as_score, as_weight, usable_units
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.remarks import Remark, info
from randcrowns.core.statistics import LEVEL

_UNKNOWN = (np.nan, np.nan, np.nan)


class AgreementCorrelations(NamedTuple):
    """How a detector's score goes with the number of annotators who marked the place.

    Attributes:
        cco: Pearson correlation where at least one annotator marked.
        cci: the same over the whole study area.
        difference: cci - cco; a small one means few false alarms away from what anyone marked.
        reason: why one of them is NaN; None when neither is.
        cco_interval, cci_interval: lower and upper end, and the p-value of no correlation; NaN where too few blocks
            vary, or there are none.
    """

    cco: float
    cci: float
    difference: float
    reason: Remark | None = None
    cco_interval: tuple[float, float, float] = _UNKNOWN
    cci_interval: tuple[float, float, float] = _UNKNOWN


@as_declared
def agreement_correlations(
    score: ArrayLike,
    votes: ArrayLike | VoteTable,
    *,
    weight: ArrayLike | None = None,
    valid: ArrayLike | None = None,
    blocks: ArrayLike | None = None,
    across: int = 1,
    level: float = LEVEL,
) -> AgreementCorrelations:
    """CCO and CCI: Pearson correlation of the score with the number of annotators who marked each unit.

    Args:
        score: the detector's score per unit; NaN and masked units are excluded.
        votes: number of annotators who marked each unit, same shape; or a vote table of those units.
        weight: weight of each unit, such as a face's area; 1 by default.
        valid: where to look (study area without training areas); everywhere by default.
        blocks: number of the square tile of each unit, row by row, for the intervals: neighbouring places are alike,
            so p-values that count them would mean nothing. None for no intervals.
        across: number of tiles in a row.
        level: probability with which the intervals hold.

    Returns:
        The correlations; NaN where the score or the votes do not vary, or a score is infinite.

    Raises:
        InputError: shapes that differ, or values that are not numbers.

    >>> round(agreement_correlations([0.1, 0.4, 0.8, 0.9], [0, 1, 2, 3]).cci, 3)
    0.978
    """
    values = as_score(score)
    marks = votes.on_map(votes.yes_votes) if isinstance(votes, VoteTable) else votes
    counts = as_score(marks, "The number of votes")
    if counts.shape != values.shape:
        said = "The votes have shape {shape}, the score {other_shape}: give both the same grid."
        raise InputError(said, shape=str(counts.shape), other_shape=str(values.shape))
    heavy = np.ones(values.shape) if weight is None else as_weight(weight, values.shape)
    usable = usable_units(values.shape, score, marks, valid=valid) & (heavy > 0)
    x, y, w = (np.asarray(array[usable], dtype=float) for array in (values, counts, heavy))
    own, marks_there, area = (array[y > 0] for array in (x, y, w))
    everywhere, marked = _why_not(x, y), _why_not(own, marks_there, "Where anyone marked: ")
    cco = np.nan if marked else _pearson(own, marks_there, area)
    cci = np.nan if everywhere else _pearson(x, y, w)
    intervals = [_UNKNOWN, _UNKNOWN]
    if blocks is not None:
        tile = np.asarray(blocks)[usable].astype(np.int64)
        shape = (int(tile.max(initial=0)) // across + 1, across)
        sides = ((own, marks_there, tile[y > 0], area, marked), (x, y, tile, w, everywhere))
        intervals = [
            _UNKNOWN
            if why
            else _interval(block_correlation(one, other, where, shape, heavy_there, level))
            for one, other, where, heavy_there, why in sides
        ]
    return AgreementCorrelations(cco, cci, cci - cco, everywhere or marked, *intervals)


def _interval(found: BlockCorrelation) -> tuple[float, float, float]:
    return found.low, found.high, found.p_value


def _pearson(x: Floats, y: Floats, weight: Floats) -> float:
    share = weight / weight.sum()
    x = x - share @ x
    y = y - share @ y
    x /= np.abs(x).max()
    correlation = (share * x) @ y / np.sqrt(((share * x) @ x) * ((share * y) @ y))
    return float(np.clip(correlation, -1.0, 1.0))


def _why_not(score: Floats, votes: Floats, beginning: str = "") -> Remark | None:
    for key, text, applies in (
        ("no_place", "there is no place with a score.", score.size == 0),
        ("infinite", "some scores are infinite.", not np.isfinite(score).all()),
        (
            "constant",
            "its score is the same everywhere.",
            score.size and score.min() == score.max(),
        ),
        (
            "same_votes",
            "the same number of annotators marked every place.",
            votes.size and votes.min() == votes.max(),
        ),
    ):
        if applies:
            return info(f"reason.{key}", beginning + text if beginning else text.capitalize())
    return None
