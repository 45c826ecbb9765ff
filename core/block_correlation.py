"""Pearson correlation of two maps, with an interval and a p-value that count blocks, not pixels.

Neighbouring pixels are alike, so pixels cannot be counted as independent. The correlation is a sum over square blocks;
how much it may vary is read off the blocks' own contributions, with those of adjoining blocks weighted by how far they
reach into each other (Bartlett's weights; Conley 1999). Contributions are taken about the correlation that is tested,
and the ratio is held against Student's t with as many degrees of freedom as there are blocks that tell something
(Cameron, Gelbach and Miller 2008 on few clusters). The interval holds every correlation that is not rejected so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import convolve
from scipy.stats import t as student

from randcrowns.core.intervals import LEAST_BLOCKS, block_labels

__all__ = ["BlockCorrelation", "BlockGrid", "block_correlation"]

Floats = NDArray[np.float64]

_ROUNDING = 1e-12
_REACH = np.outer([0.5, 1.0, 0.5], [0.5, 1.0, 0.5])


class BlockGrid(NamedTuple):
    """Square blocks: the number of each pixel's block (rows, columns), and how many blocks there are (down, across)."""

    labels: NDArray[np.int64]
    shape: tuple[int, int]

    @classmethod
    def of(cls, shape: tuple[int, ...], side: float | None) -> BlockGrid:
        """Blocks of ``side`` pixels, an eighth of the longer side unless given."""
        if 0 in shape:
            return cls(np.zeros(shape, dtype=np.int64), (1, 1))
        labels = block_labels(shape, side)
        across = labels[0]
        down = np.unique(labels[:, 0], return_inverse=True)[1]
        width = int(across[-1]) + 1
        return cls(down[:, None] * width + across, (int(down[-1]) + 1, width))


class BlockCorrelation(NamedTuple):
    """A correlation.

    Attributes:
        correlation: Pearson's; NaN where there is none.
        low, high: the interval; NaN with too few blocks.
        p_value: two-sided, of no correlation; NaN with too few blocks.
        n_blocks: blocks that hold pixels.
        n_effective: how many blocks the votes vary in, those in which they vary more counting more.
        least_p: the p-value that an image would have that follows the votes exactly; none can be much smaller, as the
            correlation and what it may vary come of the same few blocks.
        reason: why there is no correlation, or no interval; else empty.
    """

    correlation: float
    low: float
    high: float
    p_value: float
    n_blocks: int
    n_effective: float
    least_p: float
    reason: str


def block_correlation(
    x: Floats, y: Floats, labels: NDArray[np.int64], shape: tuple[int, int], confidence: float = 0.95
) -> BlockCorrelation:
    """Correlation of an image with votes.

    Args:
        x: (n,) of the image.
        y: (n,) of the votes.
        labels: (n,) number of each pixel's block.
        shape: how many blocks there are, down and across.
        confidence: share of the interval.
    """
    held = int(np.count_nonzero(np.bincount(labels)))
    reason = "no pixel in the study area has data in every band"
    if len(x):
        reason = _constant(x, y)
    if reason:
        return BlockCorrelation(np.nan, np.nan, np.nan, np.nan, held, np.nan, np.nan, reason)
    x, y = x - x.mean(), y - y.mean()
    xx, yy, xy = (_sums(product, labels, shape) for product in (x * x, y * y, x * y))
    # The correlation is the sum of these; what each takes off for a correlation of rho is rho times its weight.
    part = xy / np.sqrt(xx.sum() * yy.sum())
    weight = (xx / xx.sum() + yy / yy.sum()) / 2
    correlation = float(np.clip(part.sum(), -1.0, 1.0))
    effective = float(yy.sum() ** 2 / (yy * yy).sum())
    if effective < LEAST_BLOCKS:
        reason = (
            f"the number of annotators varies in too few blocks (as if in {effective:.1f} alike; at least "
            f"{LEAST_BLOCKS} are needed)"
        )
        return BlockCorrelation(correlation, np.nan, np.nan, np.nan, held, effective, np.nan, reason)
    freedom = effective - 1
    of_votes = yy / yy.sum()
    least_p = _p_value(of_votes, freedom)
    limit = float(student.ppf((1 + confidence) / 2, freedom))
    if limit**2 * max(map(_largest_variance, (of_votes, weight))) >= 1:
        reason = (
            f"the number of annotators or the image varies in too few blocks (the number of annotators as if in "
            f"{effective:.1f} alike) to tell even a correlation of 1 from none"
        )
        return BlockCorrelation(correlation, np.nan, np.nan, np.nan, held, effective, least_p, reason)
    ends = [_accepted(part, weight, limit, reach) for reach in (False, True)]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    return BlockCorrelation(correlation, low, high, _p_value(part, freedom), held, effective, least_p, "")


def _p_value(part: Floats, freedom: float) -> float:
    """Two-sided, of no correlation, from the blocks' contributions."""
    return float(2 * student.sf(abs(part.sum()) / np.sqrt(_largest_variance(part)), freedom))


def _largest_variance(part: Floats) -> float:
    return max(_variance(part, part, reach) for reach in (False, True))


def _accepted(part: Floats, weight: Floats, limit: float, reach: bool) -> tuple[float, float]:
    """The correlations rho with (r - rho)² <= limit² · variance(part - rho · weight), where they have an end."""
    r, factor = part.sum(), limit**2
    square = 1 - factor * _variance(weight, weight, reach)
    half = r - factor * _variance(part, weight, reach)
    constant = r * r - factor * _variance(part, part, reach)
    root = np.sqrt(max(half * half - square * constant, 0.0))
    low, high = np.clip([(half - root) / square, (half + root) / square], -1.0, 1.0)
    return float(low), float(high)


def _variance(one: Floats, other: Floats, reach: bool) -> float:
    """Sum of products of the blocks' contributions, with ``reach`` of adjoining blocks too."""
    return float((one * (convolve(other, _REACH, mode="constant") if reach else other)).sum())


def _sums(values: Floats, labels: NDArray[np.int64], shape: tuple[int, int]) -> Floats:
    """(down, across) sum of each block."""
    return np.bincount(labels, values, shape[0] * shape[1]).astype(float).reshape(shape)


def _constant(x: Floats, y: Floats) -> str:
    """Why there is no correlation; empty where there is one."""
    if np.ptp(x) <= _ROUNDING * np.abs(x).max():
        return "the image is the same everywhere in the study area"
    if np.ptp(y) <= _ROUNDING * np.abs(y).max():
        return "the number of annotators is the same everywhere in the study area"
    return ""
