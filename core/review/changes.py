"""Comparison of two scoring runs on the same targets, crown by crown."""

from __future__ import annotations

from typing import cast

import numpy as np
import pandas as pd

from randcrowns.core.status import TextEnum

#: Scores that differ by less than this are equal except for rounding.
_SAME = 1e-9


class Change(TextEnum):
    """Change of the score of a crown from an earlier run to a later one."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    #: Only the later run contains the crown, or could score it.
    NEW = "new"
    #: Only the earlier run contains the crown, or could score it.
    GONE = "gone"


def compare_scores(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """Compare the scores of each crown in two runs.

    Args:
        before: ``feature_id`` (unique) and ``score`` of the earlier run; a score can be NaN.
        after: the same columns of the later run.

    Returns:
        A row per crown of either run; those of ``after`` come first, in their order. Columns:
        ``feature_id``, ``before`` and ``after`` (scores; NaN where there is none), ``change`` (a
        :class:`Change` as text; None where neither run could score the crown), ``difference``
        (after minus before; NaN unless both runs have a score).

    >>> before = pd.DataFrame({"feature_id": [1, 2], "score": [0.5, 0.9]})
    >>> after = pd.DataFrame({"feature_id": [1, 3], "score": [0.75, 0.2]})
    >>> compare_scores(before, after)["change"].tolist()
    ['better', 'new', 'gone']
    """
    old_scores = _scores_by_id(before)
    new_scores = _scores_by_id(after)
    gone_ids = old_scores.index.difference(new_scores.index, sort=False)
    ids = np.concatenate([new_scores.index, gone_ids])
    old = old_scores.reindex(ids).to_numpy()
    new = new_scores.reindex(ids).to_numpy()
    difference = new - old
    # NaN compares as False, so that at most one mask is True for a crown.
    mask_of_change = {
        Change.NEW: np.isnan(old) & ~np.isnan(new),
        Change.GONE: ~np.isnan(old) & np.isnan(new),
        Change.BETTER: difference > _SAME,
        Change.WORSE: difference < -_SAME,
        Change.SAME: np.abs(difference) <= _SAME,
    }
    change = np.full(len(ids), None, dtype=object)
    for kind, mask in mask_of_change.items():
        change[mask] = kind.value
    table = pd.DataFrame(
        {
            "feature_id": ids,
            "before": old,
            "after": new,
            "change": change,
            "difference": difference,
        }
    )
    return cast("pd.DataFrame", table)


def _scores_by_id(table: pd.DataFrame) -> pd.Series:
    """Return the scores of a run, indexed by the ids of the crowns."""
    scores = pd.Series(table["score"].to_numpy(float), table["feature_id"].to_numpy(np.int64))
    return cast("pd.Series", scores)
