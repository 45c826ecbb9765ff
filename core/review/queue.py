"""The order in which crowns are reviewed, which of them are listed, and how far the review is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Bools, Ints, Objects
from randcrowns.core.review.verdicts import Verdict, latest

#: Columns that :func:`with_verdicts` adds.
REVIEW_COLUMNS = ["verdict", "comment", "reviewer", "changed"]


def with_verdicts(crowns: pd.DataFrame, verdicts: pd.DataFrame, reviewer: str = "") -> pd.DataFrame:
    """The crowns with the last verdict on each.

    Args:
        crowns: a row per crown: ``layer``, ``feature_id``, ``outline`` (see
            :func:`randcrowns.core.review.verdicts.outline_hashes`) and anything else.
        verdicts: with the columns of :data:`randcrowns.core.review.verdicts.VERDICT_COLUMNS`.
        reviewer: whose verdicts count; empty for everybody's.

    Returns:
        The same rows, with ``verdict``, ``comment`` and ``reviewer`` (None where there is none), and ``changed``:
        whether the outline is another one than that judged.
    """
    told = latest(verdicts if not reviewer else verdicts[verdicts["reviewer"] == reviewer])
    told = told.drop_duplicates(["layer", "feature_id"], keep="last").rename(columns={"outline": "judged"})
    told = told[["layer", "feature_id", "judged", "verdict", "comment", "reviewer"]]
    key = {"layer": object, "feature_id": np.int64}
    found = crowns.astype(key).merge(told.astype(key), how="left", on=list(key)).set_axis(crowns.index)
    found["changed"] = found["judged"].notna() & (found["judged"] != found["outline"])
    return cast("pd.DataFrame", found.drop(columns="judged"))


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
