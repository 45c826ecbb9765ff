"""Comparisons of measures with thresholds, the same wherever a value is compared with a limit.

Coordinates are stored with about 16 digits. In UTM, where northings have seven digits before the
point, a coordinate is rounded by up to 1e-9 m, so that the IoU of two boxes of a few pixels of
5 cm is wrong by up to 4e-9. A value at a threshold would lie above or below it depending on where
the plot lies. Values closer to a threshold than :data:`SCORE_TOLERANCE` are therefore equal to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from randcrowns.core.arrays import Floats, Ints

#: Difference from a threshold up to which scores, IoU, shares and ratios are equal to it.
SCORE_TOLERANCE = 1e-8


def reaches(values: Any, threshold: Any) -> Any:
    """Return True where values are equal to a threshold or above it; False for NaN.

    Args:
        values: number or array.
        threshold: number or array; arrays broadcast.

    Returns:
        A boolean, or an array of booleans.

    >>> reaches(np.array([0.5 - 1e-9, 0.5, 0.499]), 0.5).tolist()
    [True, True, False]
    """
    return values >= threshold - SCORE_TOLERANCE


def exceeds(values: Any, threshold: Any) -> Any:
    """Return True where values are above a threshold, not equal to it; False for NaN.

    Args:
        values: number or array.
        threshold: number or array; arrays broadcast.

    Returns:
        A boolean, or an array of booleans.

    >>> exceeds(np.array([0.5 + 1e-9, 0.5, 0.501]), 0.5).tolist()
    [False, False, True]
    """
    return values > threshold + SCORE_TOLERANCE


def falls_below(values: Any, threshold: Any) -> Any:
    """Return True where values are below a threshold, not equal to it; False for NaN.

    Args:
        values: number or array.
        threshold: number or array; arrays broadcast.

    Returns:
        A boolean, or an array of booleans.

    >>> falls_below(np.array([0.5 - 1e-9, 0.5, 0.499]), 0.5).tolist()
    [False, False, True]
    """
    return values < threshold - SCORE_TOLERANCE


def rank_equal_scores(scores: Floats) -> Ints:
    """Rank scores from the highest on; scores that differ by rounding errors have one rank.

    Neighbouring scores tie if they differ by no more than :data:`SCORE_TOLERANCE`.

    Args:
        scores: (n,) scores without NaN.

    Returns:
        (n,) ranks from 0.

    >>> rank_equal_scores(np.array([0.5, 0.9, 0.5 + 1e-9])).tolist()
    [1, 0, 1]
    """
    order = np.argsort(-scores, kind="stable")
    is_lower = -np.diff(scores[order], prepend=scores[order[:1]]) > SCORE_TOLERANCE
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[order] = np.cumsum(is_lower)
    return ranks
