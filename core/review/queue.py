"""The order in which crowns are reviewed, which of them are listed, and how far the review is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Bools, Ints, Objects
from randcrowns.core.review.verdicts import CROWN, STATE, Verdict

#: Columns that :func:`with_verdicts` adds.
REVIEW_COLUMNS = ["verdict", "comment", "reviewer", "changed", "others"]


def with_verdicts(crowns: pd.DataFrame, verdicts: pd.DataFrame, reviewer: str = "") -> pd.DataFrame:
    """The crowns with the last verdict on each, of its state now where there is one on that.

    Args:
        crowns: a row per crown: the columns of :data:`randcrowns.core.review.verdicts.CROWN` and ``STATE``, and
            anything else.
        verdicts: on crowns of these layers, see :func:`randcrowns.core.review.verdicts.of_layers`.
        reviewer: whose verdicts count; empty for everybody's.

    Returns:
        The same rows, with ``verdict``, ``comment`` and ``reviewer`` (None where there is none), ``changed``: whether
        it, or its match, has another outline than that judged, and ``others``: who else has judged it, what each said,
        and whether it has changed since; empty for none.
    """
    found = verdicts.astype({"feature_id": np.int64}).merge(
        crowns[[*CROWN, *STATE]], on=CROWN, suffixes=("", "_now")
    )
    known = found["match"].notna() & found["match_now"].notna()
    moved = (found["outline_now"] != "") & (found["outline"] != found["outline_now"])
    found["changed"] = moved | (known & (found["match"] != found["match_now"]))
    found = found.sort_values(["changed", "time"], ascending=[False, True], kind="stable")
    mine = found["reviewer"] == reviewer if reviewer else found["reviewer"].notna()
    judged = found["verdict"] != ""
    own = found[mine & judged].drop_duplicates(CROWN, keep="last")
    said = found[mine].drop_duplicates(CROWN, keep="last")[[*CROWN, "comment"]]
    table = crowns.merge(own[[*CROWN, "verdict", "reviewer", "changed"]], how="left", on=CROWN)
    table = table.merge(said, how="left", on=CROWN).set_axis(crowns.index)
    others: dict[object, list[tuple[str, str, bool]]] = {}
    for row in (
        found[~mine & judged].drop_duplicates([*CROWN, "reviewer"], keep="last").itertuples()
    ):
        others.setdefault((row.side, row.feature_id), []).append(
            (row.reviewer, row.verdict, row.changed)
        )
    table["others"] = [
        tuple(sorted(others.get(crown, ()))) for crown in zip(table["side"], table["feature_id"])
    ]
    return cast("pd.DataFrame", table.assign(changed=table["changed"].eq(True)))


@dataclass(frozen=True)
class Filter:
    """Which crowns are listed."""

    problem: str = ""  #: with this problem only; empty for any.
    plot: str = ""  #: of this plot only; empty for any.
    unreviewed: bool = False  #: only those without a verdict, or changed since.
    below: float | None = None  #: only those whose score is below; None for any.


def queue(crowns: pd.DataFrame, by: str, rising: bool = True, listed: Filter = Filter()) -> Ints:
    """Rows of the crowns to be reviewed, in their order; equal values by id, NaN last.

    Args:
        crowns: with ``feature_id``, ``score``, ``problem``, ``plot``, the column ``by``, and those of
            :func:`with_verdicts`.
        by: column that orders them.
        rising: lowest first.

    >>> crowns = pd.DataFrame({"feature_id": [1, 2, 3], "score": [0.9, 0.2, 0.4], "problem": ["none", "split", "split"],
    ...                        "plot": "", "verdict": [None, "fixed", None], "changed": False})
    >>> queue(crowns, "score").tolist(), queue(crowns, "score", listed=Filter("split", unreviewed=True)).tolist()
    ([1, 2, 0], [2])
    """
    keep = np.ones(len(crowns), dtype=bool)
    for column, wanted in (("problem", listed.problem), ("plot", listed.plot)):
        if wanted:
            keep &= (crowns[column].astype(object) == wanted).to_numpy()
    if listed.unreviewed:
        keep &= unreviewed(crowns)
    if listed.below is not None:
        keep &= (crowns["score"] < listed.below).to_numpy()
    value = crowns[by].to_numpy(dtype=float)
    order = np.lexsort((crowns["feature_id"].to_numpy(), value if rising else -value))
    return cast("Ints", order[keep[order]])


def unreviewed(crowns: pd.DataFrame) -> Bools:
    """(n,) whether a crown has no verdict, or has changed since."""
    return (crowns["verdict"].isna() | crowns["changed"]).to_numpy(dtype=bool)


def next_unreviewed(crowns: pd.DataFrame, rows: Ints, after: int) -> int:
    """The row that comes after one in the queue and is to be reviewed, its beginning after its end; -1 for none.

    >>> crowns = pd.DataFrame({"verdict": ["fixed", None, None], "changed": False})
    >>> next_unreviewed(crowns, np.array([2, 0, 1]), 2), next_unreviewed(crowns, np.array([2, 0, 1]), 1)
    (1, 2)
    """
    place = int(np.flatnonzero(rows == after)[0]) if after in rows else -1
    following = np.concatenate([rows[place + 1 :], rows[: place + 1]])
    open_rows = following[unreviewed(crowns)[following]]
    return int(open_rows[0]) if len(open_rows) and open_rows[0] != after else -1


class Progress(NamedTuple):
    """How far a review is: all crowns, those with a verdict that holds, those changed since, and each verdict's."""

    crowns: int
    reviewed: int
    changed: int
    verdicts: dict[Verdict, int]


def progress_of(crowns: pd.DataFrame) -> Progress:
    """How far the review of these crowns is."""
    holds = ~unreviewed(crowns)
    given: Objects = crowns.loc[holds, "verdict"].to_numpy(dtype=object)
    counts = {verdict: int(np.count_nonzero(given == verdict.value)) for verdict in Verdict}
    return Progress(len(crowns), int(holds.sum()), int(crowns["changed"].sum()), counts)
