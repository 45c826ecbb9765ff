"""Verdicts of reviewers: what they are, whether they still hold, and how far reviewers agree."""

from __future__ import annotations

import hashlib
from itertools import combinations
from typing import cast

import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.statistics import ratio
from randcrowns.core.status import Term


class Verdict(Term):
    """What a reviewer says of a crown."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    #: The outline was wrong, and the reviewer has corrected it.
    FIXED = "fixed"
    UNSURE = "unsure"


#: Columns that say which crown a verdict is on.
CROWN = ["layer", "feature_id"]
#: Columns of a table of verdicts; ``time`` is ISO 8601 in UTC, so that text sorts as time does.
VERDICT_COLUMNS = [*CROWN, "outline", "score", "problem", "verdict", "comment", "reviewer", "time"]


def outline_hashes(shapes: ArrayLike) -> list[str]:
    """(n,) text that stands for each outline: equal where the vertices are, wherever and which way a ring begins.

    >>> one, same = shapely.box(0, 0, 1, 1), shapely.Polygon([(1, 1), (1, 0), (0, 0), (0, 1)])
    >>> len(set(outline_hashes([one, same])))
    1
    """
    written = shapely.to_wkb(shapely.normalize(shapely.force_2d(shapes)), byte_order=1)
    return ["" if each is None else hashlib.sha256(each).hexdigest()[:16] for each in written]


def latest(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The last verdict of each reviewer on each crown, in the order they were given.

    >>> rows = [{"layer": "a", "feature_id": 1, "reviewer": "Ann", "verdict": one, "time": time}
    ...         for one, time in (("fixed", "2026-01-02"), ("unsure", "2026-01-01"))]
    >>> latest(pd.DataFrame(rows))["verdict"].tolist()
    ['fixed']
    """
    return cast(
        "pd.DataFrame", verdicts.sort_values("time", kind="stable").drop_duplicates([*CROWN, "reviewer"], keep="last")
    )


def merged(tables: list[pd.DataFrame]) -> pd.DataFrame:
    """The verdicts of several tables, each once."""
    return cast(
        "pd.DataFrame", pd.concat(tables, ignore_index=True)[VERDICT_COLUMNS].drop_duplicates(ignore_index=True)
    )


def reviewer_agreement(verdicts: pd.DataFrame) -> pd.DataFrame:
    """How far each two reviewers agree on the crowns that both have judged.

    Returns:
        A row per pair with crowns in common: ``reviewer``, ``other``, ``crowns``, ``agreement`` (share of equal
        verdicts), ``kappa`` (Cohen 1960; NaN where both always say the same one thing).

    >>> rows = [{"layer": "a", "feature_id": row, "reviewer": who, "verdict": one, "time": ""}
    ...         for row, pair in enumerate(("aa", "ab", "bb", "bb")) for who, one in zip(("Ann", "Ben"), pair)]
    >>> reviewer_agreement(pd.DataFrame(rows))
      reviewer other  crowns  agreement  kappa
    0      Ann   Ben       4       0.75    0.5
    """
    by_reviewer = latest(verdicts).set_index([*CROWN, "reviewer"])["verdict"].unstack("reviewer")  # noqa: PD010
    rows = []
    for one, other in combinations(sorted(by_reviewer.columns), 2):
        both = by_reviewer[[one, other]].dropna()
        if len(both):
            equal = float((both[one] == both[other]).mean())
            shares = [both[who].value_counts(normalize=True) for who in (one, other)]
            by_chance = float(shares[0].mul(shares[1], fill_value=0.0).sum())
            rows.append((one, other, len(both), equal, ratio(equal - by_chance, 1.0 - by_chance)))
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=["reviewer", "other", "crowns", "agreement", "kappa"]))
