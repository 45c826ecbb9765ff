"""Verdicts of reviewers: what they are, whether they still hold, and how far reviewers agree."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from itertools import combinations
from typing import NamedTuple, cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.review.problems import Problem
from randcrowns.core.statistics import ratio
from randcrowns.core.status import Term


class Verdict(Term):
    """What a reviewer says of a crown."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    #: The outline was wrong, and the reviewer has corrected it.
    FIXED = "fixed"
    UNSURE = "unsure"


class Side(Term):
    """What is judged: a target with its delineation, or a delineation without a target."""

    TARGET = "target"
    DELINEATION = "delineation"


class LayerKey(NamedTuple):
    """A layer: known by its id, else by its source (empty for one in memory); the name may change, and is shown."""

    id: str
    source: str
    name: str

    def is_same(self, other: LayerKey) -> bool:
        """Whether the other key is of this layer."""
        return any(mine == theirs != "" for mine, theirs in zip(self[:2], other[:2]))


#: Columns that say which crown a verdict is on, and as what it was seen: its own outline, and its match's.
CROWN, STATE = ["side", "feature_id"], ["outline", "match"]
#: Columns that say on which layers, in the order of :class:`LayerKey`.
LAYERS = {side: [f"{side}_id", f"{side}_source", side] for side in ("layer", "delineations")}
#: Columns of a table of verdicts; ``time`` is ISO 8601 in UTC, so that text sorts as time does. An empty ``verdict``
#: is a comment alone.
VERDICT_COLUMNS = [
    *(*LAYERS["layer"], *LAYERS["delineations"], *CROWN, *STATE),
    *("score", "problem", "verdict", "comment", "reviewer", "time"),
]


def outline_hashes(shapes: ArrayLike) -> list[str]:
    """(n,) text that stands for each outline: equal where the vertices are, wherever and which way a ring begins.

    >>> one, same = shapely.box(0, 0, 1, 1), shapely.MultiPolygon([shapely.Polygon([(1, 1), (1, 0), (0, 0), (0, 1)])])
    >>> len(set(outline_hashes([one, same])))
    1
    """
    flat = shapely.force_2d(shapes)
    flat = np.where(shapely.get_num_geometries(flat) == 1, shapely.get_geometry(flat, 0), flat)
    written = shapely.to_wkb(shapely.normalize(flat), byte_order=1)
    return ["" if each is None else hashlib.sha256(each).hexdigest()[:16] for each in written]


def to_review(crowns: pd.DataFrame, drawn: pd.DataFrame) -> pd.DataFrame:
    """What reviewers judge: every scored target, and every delineation without a target that is a false positive.

    Args:
        crowns: a row per target: ``feature_id``, ``outline`` (see :func:`outline_hashes`), ``delineation_id``,
            ``problem`` and anything else.
        drawn: a row per delineation: ``delineation_id``, ``outline``, ``problem``, and columns of ``crowns``.

    Returns:
        The targets that have a problem, which may be none, then the others: ``side``, ``match`` (outline of the
        delineation; empty without one, None where it is not known); scores of false positives are 0, as of misses.

    >>> crowns = pd.DataFrame({"feature_id": [4], "outline": "p", "delineation_id": [7], "problem": "none"})
    >>> drawn = pd.DataFrame({"delineation_id": [7, 8], "outline": ["q", "r"], "problem": [None, "extra"]})
    >>> to_review(crowns, drawn)[["side", "feature_id", "outline", "match"]].to_numpy().tolist()
    [['target', 4, 'p', 'q'], ['delineation', 8, 'r', '']]
    """
    known = drawn[drawn["outline"] != ""].drop_duplicates("delineation_id")
    matches = (
        crowns["delineation_id"].map(known.set_index("delineation_id")["outline"]).astype(object)
    )
    matches = matches.where(matches.notna(), None).where(crowns["delineation_id"].notna(), "")
    mine = crowns.assign(side=Side.TARGET.value, match=matches)
    lone = drawn[drawn["problem"] == Problem.EXTRA.value]
    lone = lone.assign(side=Side.DELINEATION.value, match="", feature_id=lone["delineation_id"])
    lone = lone.assign(**dict.fromkeys(({"score", "iou", "iou_crowns"} & {*crowns}), 0.0))
    judged = mine[mine["problem"].isin([one.value for one in Problem])]
    both = pd.concat([judged, lone] if len(lone) else [judged], ignore_index=True)
    return cast("pd.DataFrame", both.astype({"feature_id": np.int64}))


def of_layers(
    verdicts: pd.DataFrame, targets: LayerKey, delineations: LayerKey, here: Collection[str] = ()
) -> pd.DataFrame:
    """The verdicts on crowns of these layers: known by id or source, else by name where that id is not ``here``."""
    keep = np.ones(len(verdicts), dtype=bool)
    for key, names in zip((targets, delineations), LAYERS.values()):
        ids, sources, called = (verdicts[name] for name in names)
        known = ((ids == key.id) & bool(key.id)) | ((sources == key.source) & bool(key.source))
        keep &= known | ((called == key.name) & ~ids.isin(list(here))) | called.isna()
    return cast("pd.DataFrame", verdicts[keep])


def merged(tables: list[pd.DataFrame]) -> pd.DataFrame:
    """The verdicts of several tables, each once."""
    return cast(
        "pd.DataFrame",
        pd.concat(tables, ignore_index=True)[VERDICT_COLUMNS].drop_duplicates(ignore_index=True),
    )


def reviewer_agreement(verdicts: pd.DataFrame) -> pd.DataFrame:
    """How far each two reviewers agree on the crowns that both have judged in the same state.

    Returns:
        A row per pair with crowns in common: ``reviewer``, ``other``, ``crowns``, ``agreement`` (share of equal
        verdicts), ``kappa`` (Cohen 1960; NaN where both always say the same one thing), ``changed`` (crowns that both
        have judged, but never in the same state: those are not compared).

    >>> rows = [{"side": "target", "feature_id": row, "outline": "p", "match": "q", "reviewer": who, "verdict": one,
    ...          "time": ""}
    ...         for row, pair in enumerate(("aa", "ab", "bb", "bb")) for who, one in zip(("Ann", "Ben"), pair)]
    >>> reviewer_agreement(pd.DataFrame(rows))
      reviewer other  crowns  agreement  kappa  changed
    0      Ann   Ben       4       0.75    0.5        0
    """
    given = verdicts[verdicts["verdict"] != ""].sort_values("time", kind="stable")
    given = given.fillna(dict.fromkeys(STATE, "?")).drop_duplicates(
        [*CROWN, *STATE, "reviewer"], keep="last"
    )
    rows = []
    for one, other in combinations(sorted(given["reviewer"].unique()), 2):
        mine, theirs = (given[given["reviewer"] == who] for who in (one, other))
        both = mine.merge(theirs, on=[*CROWN, *STATE]).drop_duplicates(CROWN, keep="last")
        crowns = mine.merge(theirs, on=CROWN).drop_duplicates(CROWN)
        if len(crowns):
            shares = [
                both[said].value_counts(normalize=True) for said in ("verdict_x", "verdict_y")
            ]
            by_chance = float(shares[0].mul(shares[1], fill_value=0.0).sum())
            equal = float((both["verdict_x"] == both["verdict_y"]).mean())
            kappa = ratio(equal - by_chance, 1.0 - by_chance)
            rows.append((one, other, len(both), equal, kappa, len(crowns) - len(both)))
    names = ["reviewer", "other", "crowns", "agreement", "kappa", "changed"]
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=names))
