"""Selection of the crowns that illustrate the results of a run: the worst and the most typical."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Ints


def lowest_first(values: ArrayLike, ids: ArrayLike) -> Ints:
    """Return the order of crowns in lists and reports: the lowest value first.

    Args:
        values: (n,) values that decide the order; NaN comes last.
        ids: (n,) ids of the crowns; of equal values, the lowest id comes first.

    >>> lowest_first([0.5, 0.0, np.nan, 0.0], [3, 7, 1, 5]).tolist()
    [3, 1, 0, 2]
    """
    return cast("Ints", np.lexsort((np.asarray(ids), np.asarray(values, dtype=float))))


def worst_crowns(crowns: pd.DataFrame, score: str, max_crowns: int, id_column: str) -> Ints:
    """Return the rows of the crowns with the lowest scores, in the order of :func:`lowest_first`.

    Args:
        crowns: a row per crown.
        score: column with the score. Crowns without a value are never selected.
        max_crowns: maximum number of crowns.
        id_column: column with the ids of the crowns.

    >>> crowns = pd.DataFrame({"rc": [0.5, 0.0, np.nan, 0.0], "target_id": [3, 7, 1, 5]})
    >>> worst_crowns(crowns, "rc", 3, "target_id").tolist()
    [3, 1, 0]
    """
    order = lowest_first(crowns[score], crowns[id_column])
    n_scored = int(crowns[score].notna().sum())
    return order[: min(max_crowns, n_scored)]


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
