"""Two runs on the same targets compared crown by crown."""

from __future__ import annotations

from typing import cast

import numpy as np
import pandas as pd

from randcrowns.core.status import Term

#: Scores that differ by less are the same: rounding is no change.
_SAME = 1e-9


class Change(Term):
    """What became of a crown from one run to another."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    #: Only the later run has it, or could score it.
    NEW = "new"
    #: Only the earlier run has it, or could score it.
    GONE = "gone"


def changes(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """How the score of each crown changed.

    Args:
        before, after: ``feature_id`` (each once) and ``score`` of both runs; a score may be NaN.

    Returns:
        A row per crown of either run, those of ``after`` first, in their order: ``feature_id``, ``before``, ``after``,
        ``change`` (a :class:`Change` as text; None where neither run could score it), ``difference`` (after less
        before; NaN unless both have a score).

    >>> one = pd.DataFrame({"feature_id": [1, 2], "score": [0.5, 0.9]})
    >>> changes(one, pd.DataFrame({"feature_id": [1, 3], "score": [0.75, 0.2]}))["change"].tolist()
    ['better', 'new', 'gone']
    """
    sides = [
        pd.Series(table["score"].to_numpy(float), table["feature_id"].to_numpy(np.int64))
        for table in (before, after)
    ]
    ids = np.concatenate([sides[1].index, sides[0].index.difference(sides[1].index, sort=False)])
    old, new = (side.reindex(ids).to_numpy() for side in sides)
    difference = new - old
    rules = {
        Change.NEW: np.isnan(old) & ~np.isnan(new),
        Change.GONE: ~np.isnan(old) & np.isnan(new),
        Change.BETTER: difference > _SAME,
        Change.WORSE: difference < -_SAME,
        Change.SAME: np.abs(difference) <= _SAME,
    }
    change = np.full(len(ids), None, dtype=object)
    for kind, rows in rules.items():
        change[rows] = kind.value
    return cast(
        "pd.DataFrame",
        pd.DataFrame(
            {
                "feature_id": ids,
                "before": old,
                "after": new,
                "change": change,
                "difference": difference,
            }
        ),
    )
