"""Which crowns to look at: where RandCrowns and IoU disagree most, agree at the top or at the bottom, and where the
annotators do (Stewart et al. 2021, Figs. 4 to 8)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from randcrowns.core.errors import InputError
from randcrowns.core.status import Term

#: An IoU below this is a false positive by the usual threshold; a RandCrowns above that is a high one (Fig. 4).
_LOW_IOU, _HIGH_RANDCROWNS = 0.5, 0.9
#: Both scores below this agree on a poor delineation (Fig. 6).
_BOTH_LOW = 0.4

_SCORE_COLUMNS = ("randcrowns", "iou", "target_area", "delineation_area")


class Pick(Term):
    """Why a pair is worth looking at."""

    #: High RandCrowns, low IoU, and the delineation is the larger of the two (Fig. 4a-d, Fig. 8).
    FORGIVEN_LARGER = "forgiven_larger"
    #: High RandCrowns, low IoU, and the delineation is the smaller (Fig. 4e-h).
    FORGIVEN_SMALLER = "forgiven_smaller"
    #: Both scores are highest (Fig. 5).
    BOTH_HIGH = "both_high"
    #: Both scores are low (Fig. 6).
    BOTH_LOW = "both_low"
    #: RandCrowns is lower than IoU (Fig. 7).
    RANDCROWNS_LOWER = "randcrowns_lower"


class Look(Term):
    """Why a target is worth looking at."""

    #: Its RandCrowns differs most between delineations.
    WORST = "worst"
    #: Its variance is nearest to the median of all targets.
    TYPICAL = "typical"


def gallery_picks(scores: pd.DataFrame, number: int = 4) -> pd.DataFrame:
    """The pairs that show best what the two scores make of a delineation.

    Args:
        scores: the table ``scores`` of :func:`randcrowns.core.tuning.variance.annotator_variance`, or any with
            ``randcrowns``, ``iou``, ``target_area`` and ``delineation_area``. Pairs without a score are passed over.
        number: the most pairs of each kind; the paper shows four.

    Returns:
        The rows picked, with ``pick`` (a :class:`Pick` as text) and ``place`` (1 for the clearest case) in front, kind
        by kind. A shared crown stands at most once in a kind. Pairs with equal scores keep the order of the table.

    Raises:
        InputError: when a column is missing, or the number is not a whole number from 1.

    >>> areas = {"target_area": 9, "delineation_area": 12}
    >>> scores = pd.DataFrame({"randcrowns": [0.95, 0.2], "iou": [0.4, 0.1], **areas})
    >>> gallery_picks(scores)["pick"].tolist()
    ['forgiven_larger', 'both_low']
    """
    _check(scores, _SCORE_COLUMNS, number)
    known = scores[scores["randcrowns"].notna() & scores["iou"].notna()]
    randcrowns, iou = known["randcrowns"], known["iou"]
    forgiven = (randcrowns >= _HIGH_RANDCROWNS) & (iou < _LOW_IOU)
    larger = known["delineation_area"] >= known["target_area"]
    chosen = {
        Pick.FORGIVEN_LARGER: (forgiven & larger, iou - randcrowns),
        Pick.FORGIVEN_SMALLER: (forgiven & ~larger, iou - randcrowns),
        Pick.BOTH_HIGH: ((randcrowns >= _HIGH_RANDCROWNS) & (iou >= _LOW_IOU), -np.minimum(randcrowns, iou)),
        Pick.BOTH_LOW: (
            (randcrowns < _BOTH_LOW) & (iou < _BOTH_LOW) & (randcrowns >= iou),
            np.maximum(randcrowns, iou),
        ),
        Pick.RANDCROWNS_LOWER: (randcrowns < iou, randcrowns - iou),
    }
    picks = []
    for pick, (wanted, order) in chosen.items():
        rows = known.loc[order[wanted].sort_values(kind="stable").index]
        if "crown" in rows:
            rows = rows.drop_duplicates("crown")
        picks.append(_placed(rows.head(number), "pick", pick.value))
    return pd.concat([rows for rows in picks if len(rows)] or picks[:1], ignore_index=True)


def crown_looks(crowns: pd.DataFrame, number: int = 4) -> pd.DataFrame:
    """The targets on which the annotators' RandCrowns differ most, and those that are like most others.

    Args:
        crowns: the table ``crowns`` of :func:`randcrowns.core.tuning.variance.annotator_variance`. Targets without a
            variance are passed over.
        number: the most targets of each kind.

    Returns:
        The rows picked, with ``look`` (a :class:`Look` as text) and ``place`` in front; no target twice.

    Raises:
        InputError: when a column is missing, or the number is not a whole number from 1.

    >>> crown_looks(pd.DataFrame({"randcrowns_variance": [0.1, 0.3, 0.2]}), number=1)["look"].tolist()
    ['worst', 'typical']
    """
    _check(crowns, ("randcrowns_variance",), number)
    known = crowns[crowns["randcrowns_variance"].notna()]
    variance = known["randcrowns_variance"]
    worst = known.loc[(-variance).sort_values(kind="stable").index].head(number)
    others = variance.drop(worst.index)
    distance = (others - variance.median()).abs()
    typical = known.loc[distance.sort_values(kind="stable").index].head(number)
    looks = [_placed(worst, "look", Look.WORST.value), _placed(typical, "look", Look.TYPICAL.value)]
    return pd.concat([rows for rows in looks if len(rows)] or looks[:1], ignore_index=True)


def _placed(rows: pd.DataFrame, column: str, kind: str) -> pd.DataFrame:
    rows = rows.copy()
    rows.insert(0, column, kind)
    rows.insert(1, "place", np.arange(1, len(rows) + 1))
    return rows


def _check(table: pd.DataFrame, columns: tuple[str, ...], number: int) -> None:
    missing = [name for name in columns if name not in table]
    if missing:
        raise InputError(f"The table has no column {', '.join(missing)}; take one that annotator_variance made.")
    if int(number) != number or number < 1:
        raise InputError(f"The number of crowns to pick must be a whole number of at least 1, not {number}.")
