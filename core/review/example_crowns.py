"""Selection of the crowns that illustrate the results of a run: the worst and the most typical."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Ints


def worst_crowns(
    crowns: pd.DataFrame, scores: Sequence[str], max_crowns: int, tie_breaker: str = ""
) -> Ints:
    """Return the rows of the crowns with the lowest scores, the lowest first.

    Args:
        crowns: a row per crown.
        scores: columns with scores. The first column decides; ties are broken by the following
            columns. Crowns without a value in the first column are never selected.
        max_crowns: maximum number of crowns.
        tie_breaker: column that breaks ties of all scores, the largest value first; empty to break
            them by the order of the rows.

    >>> crowns = pd.DataFrame({"rc": [0.5, 0.0, np.nan, 0.0], "area": [9, 2, 7, 5]})
    >>> worst_crowns(crowns, ["rc"], 3, tie_breaker="area").tolist()
    [3, 1, 0]
    """
    scored_rows = np.flatnonzero(crowns[scores[0]].notna().to_numpy())
    # Keys from the one that decides first to the one that decides last.
    keys = [crowns[name].to_numpy(dtype=float)[scored_rows] for name in scores]
    if tie_breaker:
        sizes = crowns[tie_breaker].to_numpy(dtype=float)[scored_rows]
        keys.append(-sizes)  # the largest first
    keys.append(scored_rows)
    # The last key of lexsort decides first.
    order = np.lexsort(keys[::-1])
    return cast("Ints", scored_rows[order[:max_crowns]])


def typical_crowns(crowns: pd.DataFrame, scores: Sequence[str], max_crowns: int) -> Ints:
    """Return the rows of the crowns whose scores are nearest to the medians, the nearest first.

    Args:
        crowns: a row per crown.
        scores: columns with scores. Crowns without a value in one of them are never selected.
        max_crowns: maximum number of crowns.

    >>> crowns = pd.DataFrame({"rc": [0.1, 0.8, 0.9, 0.7], "iou": [0.1, 0.6, 0.9, 0.55]})
    >>> typical_crowns(crowns, ["rc", "iou"], 2).tolist()
    [1, 3]
    """
    values = crowns[list(scores)].to_numpy(dtype=float)
    scored_rows = np.flatnonzero(~np.isnan(values).any(axis=1))
    if not len(scored_rows):
        return scored_rows
    scored_values = values[scored_rows]
    medians = np.median(scored_values, axis=0)
    distance = np.linalg.norm(scored_values - medians, axis=1)
    # The last digits of a distance can differ between computers; without them ties are stable.
    order = np.lexsort((scored_rows, distance.round(9)))
    return cast("Ints", scored_rows[order[:max_crowns]])
