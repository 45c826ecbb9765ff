"""The columns of the tables of page Parameters, and what is said of a pair or an excluded crown."""

from __future__ import annotations

from typing import Any

import pandas as pd

from randcrowns.algorithms.tuning.outputs import CROWNS, DRAWINGS, GRID, LEFT_OUT, VARIANCE
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.table_model import Column, as_number, as_text, column_of, columns_of

#: A name takes no more pixels, so that ids and reasons beside it stay in sight.
_NAME = {"widest": 90}
_ID = {"title": tr("Id"), "text": as_text}
_SCORES = {"randcrowns": "RC", "iou": "IoU", "iou_crowns": "IoUC"}


def set_columns() -> list[Column]:
    """Of the sets of parameters."""
    return columns_of(
        GRID,
        *("rank", "alpha", "omega", "gamma", "common_variance", "mean", "missed_share", "wrong"),
        *("wrong_neighbours", "wrong_shifted", "wrong_shrunk", "wrong_grown", "too_small", "reason"),
        rank={"text": _whole},
        common_variance={"title": tr("Variance")},
    )


def look_columns() -> list[Column]:
    """Of the crowns to look at: a row per pair of a target that is marked."""
    looked = {column.name: column for column in CROWNS.columns}
    return [
        column_of(looked["look"], text=_look),
        *columns_of(
            DRAWINGS,
            *(*_SCORES, "target_annotator", "target_id", "delineation_annotator"),
            target_annotator=_NAME,
            target_id=_ID,
            delineation_annotator=_NAME,
            **{score: {"title": short} for score, short in _SCORES.items()},
        ),
        column_of(looked["randcrowns_variance"], title=tr("Variance")),
    ]


def variance_columns() -> list[Column]:
    """Of the variances per target annotator."""
    numbers = {"variance": tr("var."), "mean": tr("mean")}
    ends = {"low": tr("from"), "high": tr("to")}
    titles = {
        f"{score}_{end}": f"{short} {words}" for end, words in numbers.items() for score, short in _SCORES.items()
    }
    titles |= {
        f"{score}_variance_{end}": f"{short} {words}" for score, short in _SCORES.items() for end, words in ends.items()
    }
    return columns_of(
        VARIANCE,
        *("target_annotator", "crowns", *titles, "too_small", "missed"),
        target_annotator=_NAME,
        **{name: {"title": title} for name, title in titles.items()},
    )


def left_out_columns() -> list[Column]:
    """Of the excluded crowns."""
    return columns_of(LEFT_OUT, "annotator", "crown_id", "reason", annotator=_NAME, crown_id=_ID)


def pair_words(pair: pd.Series) -> str:
    """Whose the two crowns of a pair are, and its scores."""
    score = as_number(2)
    return tr(
        "Red: {target} {target_id}. Black: {drawn} {drawn_id}. RandCrowns {randcrowns}, IoU {iou}, IoUCrowns "
        "{iou_crowns}."
    ).format(
        target=pair["target_annotator"],
        target_id=pair["target_id"],
        drawn=pair["delineation_annotator"],
        drawn_id=pair["delineation_id"],
        **{name: score(pair[name]) for name in _SCORES},
    )


def left_out_words(crown: pd.Series, candidates: dict[str, int]) -> str:
    """An excluded crown, why, and the best match by each of the other annotators (annotator -> id)."""
    said = tr("Red: {annotator} {id}, excluded: {reason}.").format(
        annotator=crown["annotator"], id=crown["crown_id"], reason=crown["reason"]
    )
    if not candidates:
        return said + " " + tr("No other annotator has a crown there.")
    names = ", ".join(f"{name} {number}" for name, number in candidates.items())
    return said + " " + tr("Black, the best match by each of the others: {names}.").format(names=names)


def _whole(value: Any) -> str:
    return "" if pd.isna(value) else f"{int(value)}"


def _look(value: Any) -> str:
    return tr("worst") if value == "worst" else tr("typical")
