"""Which crowns show best what a run found: the worst, and the most typical."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Ints


def worst_crowns(
    crowns: pd.DataFrame, scores: Sequence[str], number: int, larger: str = ""
) -> Ints:
    """Rows of the crowns with the lowest scores, the lowest first; those without one are never among them.

    Args:
        crowns: a row per crown.
        scores: columns, the first of which decides; equal ones are told apart by the next.
        number: at most so many.
        larger: column that tells crowns apart whose scores are all equal, the largest first; else their order does.

    >>> crowns = pd.DataFrame({"rc": [0.5, 0.0, np.nan, 0.0], "area": [9, 2, 7, 5]})
    >>> worst_crowns(crowns, ["rc"], 3, larger="area").tolist()
    [3, 1, 0]
    """
    known = np.flatnonzero(crowns[scores[0]].notna().to_numpy())
    columns = [crowns[name].to_numpy(dtype=float)[known] for name in scores]
    size = -crowns[larger].to_numpy(dtype=float)[known] if larger else np.zeros(len(known))
    order = np.lexsort((known, size, *columns[::-1]))
    return cast("Ints", known[order[:number]])


def typical_crowns(crowns: pd.DataFrame, scores: Sequence[str], number: int) -> Ints:
    """Rows of the crowns whose scores lie nearest to the medians of all, the nearest first; none without all scores.

    >>> crowns = pd.DataFrame({"rc": [0.1, 0.8, 0.9, 0.7], "iou": [0.1, 0.6, 0.9, 0.55]})
    >>> typical_crowns(crowns, ["rc", "iou"], 2).tolist()
    [1, 3]
    """
    values = crowns[list(scores)].to_numpy(dtype=float)
    known = np.flatnonzero(~np.isnan(values).any(axis=1))
    if not len(known):
        return known
    away = np.linalg.norm(values[known] - np.median(values[known], axis=0), axis=1)
    # A distance is the same wherever it is computed but for its last digits.
    return cast("Ints", known[np.lexsort((known, away.round(9)))[:number]])
