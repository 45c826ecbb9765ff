"""Review queue: the order of the crowns, the filter of the list, and the progress of the review."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Bools, Ints, Objects
from randcrowns.core.review.example_crowns import lowest_first
from randcrowns.core.review.verdicts import CROWN_COLUMNS, STATE_COLUMNS, Verdict
from randcrowns.core.thresholds import falls_below

#: Columns that :func:`add_verdicts` adds.
REVIEW_COLUMNS = ["verdict", "right_class", "comment", "reviewer", "changed", "others"]


def add_verdicts(crowns: pd.DataFrame, verdicts: pd.DataFrame, reviewer: str = "") -> pd.DataFrame:
    """Add the last verdict on each crown to a table of crowns.

    A verdict on the present state of a crown takes precedence over later verdicts on other states.

    Args:
        crowns: a row per crown, with the columns of
            :data:`randcrowns.core.review.verdicts.CROWN_COLUMNS` and ``STATE_COLUMNS``, and any
            others.
        verdicts: verdicts on crowns of the same layers, see
            :func:`randcrowns.core.review.verdicts.select_layer_verdicts`.
        reviewer: name of the reviewer whose verdicts are added; empty for all reviewers.

    Returns:
        The same rows and columns, and ``REVIEW_COLUMNS``: ``verdict``, ``right_class`` and
        ``reviewer`` (missing without a verdict), ``comment`` (the last one, also without a
        verdict), ``changed`` (True if the outline of the crown or of its match differs from the
        judged one; an outline that is None is unknown), and ``others`` (a tuple of the verdicts of
        other reviewers, each as reviewer, verdict and ``changed``).

    >>> crowns = pd.DataFrame(
    ...     {"side": "target", "feature_id": [1, 2], "outline": ["p", "q"], "match": ""}
    ... )
    >>> verdicts = crowns.head(1).assign(verdict="fixed", comment="", reviewer="Ann", time="")
    >>> add_verdicts(crowns, verdicts)["verdict"].fillna("").tolist()
    ['fixed', '']
    """
    current_verdicts = _join_states(crowns, verdicts)
    is_own = current_verdicts["reviewer"].notna()
    if reviewer:
        is_own = current_verdicts["reviewer"] == reviewer
    has_verdict = current_verdicts["verdict"] != ""
    own_verdicts = current_verdicts[is_own & has_verdict].drop_duplicates("row", keep="last")
    own_comments = current_verdicts[is_own].drop_duplicates("row", keep="last")
    is_changed = np.zeros(len(crowns), dtype=bool)
    is_changed[own_verdicts["row"]] = own_verdicts["changed"]
    columns: dict[str, Any] = {}
    for name in ("verdict", "right_class", "reviewer"):
        # A table may lack right_class; then its values are missing.
        values = own_verdicts.reindex(columns=["row", name])
        columns[name] = _values_of_rows(values, len(crowns))
    columns["comment"] = _values_of_rows(own_comments[["row", "comment"]], len(crowns))
    columns["changed"] = is_changed
    columns["others"] = _other_verdicts(current_verdicts[~is_own & has_verdict], len(crowns))
    # A shallow copy: pandas would also copy the columns that stay as they are.
    judged_crowns: pd.DataFrame = crowns.copy(deep=False)
    for name, column in columns.items():
        judged_crowns[name] = column
    return judged_crowns


def _join_states(crowns: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Return the verdicts on crowns with the rows of the crowns, those that count most last.

    Args:
        crowns: a row per crown, see :func:`add_verdicts`.
        verdicts: verdicts on crowns of the same layers.

    Returns:
        The verdicts on these crowns, with the columns ``row`` (position of the crown) and
        ``changed`` (True if its outline or that of its match has changed since). Verdicts on
        changed crowns come first, and earlier verdicts before later ones.
    """
    # Only the rows of crowns with a verdict are joined: most crowns of a large layer have none.
    n_crowns = len(crowns) if len(verdicts) else 0
    states = crowns[[*CROWN_COLUMNS, *STATE_COLUMNS]].head(n_crowns)
    states = states.assign(row=np.arange(n_crowns))
    joined = verdicts.astype({"feature_id": np.int64}).merge(
        states, on=CROWN_COLUMNS, suffixes=("", "_now")
    )
    has_both_outlines = joined["outline"].notna() & (joined["outline_now"].fillna("") != "")
    has_both_matches = joined["match"].notna() & joined["match_now"].notna()
    outline_changed = has_both_outlines & (joined["outline"] != joined["outline_now"])
    match_changed = has_both_matches & (joined["match"] != joined["match_now"])
    joined["changed"] = outline_changed | match_changed
    sorted_verdicts: pd.DataFrame = joined.sort_values(
        ["changed", "time"], ascending=[False, True], kind="stable"
    )
    return sorted_verdicts


def _values_of_rows(values: pd.DataFrame, n_crowns: int) -> Objects:
    """Return the values of a column per crown, (n_crowns,); NaN without a value.

    Args:
        values: column ``row`` with the positions of crowns, and a column with the values.
        n_crowns: number of crowns.
    """
    column = np.full(n_crowns, np.nan, dtype=object)
    column[values["row"].to_numpy()] = values.iloc[:, 1].to_numpy(dtype=object)
    return column


def _other_verdicts(
    verdicts: pd.DataFrame, n_crowns: int
) -> list[tuple[tuple[str, str, bool], ...]]:
    """Return (reviewer, verdict, changed) of the last verdict of each reviewer, per crown.

    Args:
        verdicts: verdicts with the columns ``changed`` and ``row`` (position of the crown); the
            last of each reviewer and crown counts.
        n_crowns: number of crowns.

    Returns:
        n_crowns tuples.
    """
    last_verdicts = verdicts.drop_duplicates(["row", "reviewer"], keep="last")
    by_row: dict[int, list[tuple[str, str, bool]]] = {}
    for verdict in last_verdicts.itertuples():
        by_row.setdefault(verdict.row, []).append(
            (verdict.reviewer, verdict.verdict, verdict.changed)
        )
    others: list[tuple[tuple[str, str, bool], ...]] = [()] * n_crowns
    for row, row_verdicts in by_row.items():
        others[row] = tuple(sorted(row_verdicts))
    return others


@dataclass(frozen=True)
class QueueFilter:
    """Conditions that a listed crown must meet."""

    problem: str = ""  #: problem of the crown; empty for any.
    plot: str = ""  #: plot of the crown; empty for any.
    only_unreviewed: bool = False  #: True to list only crowns without a verdict or changed since.
    score_below: float | None = None  #: limit that the score must be below; None for any score.
    crown_class: str = ""  #: class of the crown; empty for any.
    class_result: str = ""  #: result of comparing its class with that of its match; empty for any.


def order_queue(
    crowns: pd.DataFrame,
    column: str,
    ascending: bool = True,
    crown_filter: QueueFilter = QueueFilter(),
) -> Ints:
    """Return the rows of the crowns to review, in order.

    Args:
        crowns: table with ``feature_id``, ``score``, ``problem``, ``plot``, the column ``column``,
            and those of :func:`add_verdicts`. Filters by class also require ``crown_class`` and
            ``class_result``.
        column: column with the numbers that decide the order. Equal values are ordered by id, and
            NaN comes last.
        ascending: True for the lowest value first.
        crown_filter: filter of the crowns.

    >>> crowns = pd.DataFrame(
    ...     {
    ...         "feature_id": [1, 2, 3],
    ...         "score": [0.9, 0.2, 0.4],
    ...         "problem": ["none", "split", "split"],
    ...         "plot": "",
    ...         "verdict": [None, "fixed", None],
    ...         "changed": False,
    ...     }
    ... )
    >>> order_queue(crowns, "score").tolist()
    [1, 2, 0]
    >>> crown_filter = QueueFilter("split", only_unreviewed=True)
    >>> order_queue(crowns, "score", crown_filter=crown_filter).tolist()
    [2]
    """
    is_listed = np.ones(len(crowns), dtype=bool)
    if crown_filter.problem:
        is_listed &= (crowns["problem"].astype(object) == crown_filter.problem).to_numpy()
    if crown_filter.plot:
        is_listed &= (crowns["plot"].astype(object) == crown_filter.plot).to_numpy()
    for name in ("crown_class", "class_result"):
        value_of_filter = getattr(crown_filter, name)
        if value_of_filter:
            is_listed &= (crowns[name].astype(object) == value_of_filter).to_numpy()
    if crown_filter.only_unreviewed:
        is_listed &= unreviewed_mask(crowns)
    if crown_filter.score_below is not None:
        is_listed &= falls_below(crowns["score"], crown_filter.score_below).to_numpy()
    value = crowns[column].to_numpy(dtype=float)
    order = lowest_first(value if ascending else -value, crowns["feature_id"])
    listed: Ints = order[is_listed[order]]
    return listed


def unreviewed_mask(crowns: pd.DataFrame) -> Bools:
    """Return a mask (n,) of the crowns that have no verdict or have changed since.

    Args:
        crowns: table with ``verdict`` and ``changed``, see :func:`add_verdicts`.

    >>> crowns = pd.DataFrame({"verdict": ["fixed", "fixed"], "changed": [False, True]})
    >>> unreviewed_mask(crowns).tolist()
    [False, True]
    """
    return (crowns["verdict"].isna() | crowns["changed"]).to_numpy(dtype=bool)


def next_unreviewed(crowns: pd.DataFrame, rows: Ints, after: int) -> int:
    """Return the next crown in the queue that is unreviewed.

    The search continues at the beginning of the queue after its end.

    Args:
        crowns: table with ``verdict`` and ``changed``, see :func:`add_verdicts`.
        rows: rows of the crowns in the queue, in order.
        after: row of the crown after which the search starts; a row that is not in the queue for
            its beginning.

    Returns:
        Row of the crown; -1 if no other crown is unreviewed.

    >>> crowns = pd.DataFrame({"verdict": ["fixed", None, None], "changed": False})
    >>> rows = np.array([2, 0, 1])
    >>> next_unreviewed(crowns, rows, 2), next_unreviewed(crowns, rows, 1)
    (1, 2)
    """
    position = int(np.flatnonzero(rows == after)[0]) if after in rows else -1
    following = np.concatenate([rows[position + 1 :], rows[: position + 1]])
    candidates = following[unreviewed_mask(crowns)[following]]
    if len(candidates) == 0 or candidates[0] == after:
        return -1
    return int(candidates[0])


class ReviewProgress(NamedTuple):
    """Progress of a review, in numbers of crowns."""

    crowns: int  #: all crowns.
    reviewed: int  #: crowns with a verdict that is still valid.
    changed: int  #: crowns that changed since their verdict.
    verdicts: dict[Verdict, int]  #: crowns with each verdict that is still valid.


def review_progress(crowns: pd.DataFrame) -> ReviewProgress:
    """Count the crowns that are reviewed.

    Args:
        crowns: table with ``verdict`` and ``changed``, see :func:`add_verdicts`.

    >>> crowns = pd.DataFrame({"verdict": ["fixed", "fixed"], "changed": [False, True]})
    >>> review_progress(crowns)[:3]
    (2, 1, 1)
    """
    is_reviewed = ~unreviewed_mask(crowns)
    valid_verdicts: Objects = crowns.loc[is_reviewed, "verdict"].to_numpy(dtype=object)
    counts = {}
    for verdict in Verdict:
        counts[verdict] = int(np.count_nonzero(valid_verdicts == verdict.value))
    return ReviewProgress(
        crowns=len(crowns),
        reviewed=int(is_reviewed.sum()),
        changed=int(crowns["changed"].sum()),
        verdicts=counts,
    )
