"""How the tables of page Parameters are titled and explained."""

from __future__ import annotations

from typing import Any

import pandas as pd

from randcrowns.layers.words import tr
from randcrowns.ui.widgets.table_model import Column, as_number, as_text

__all__ = [
    "left_out_columns",
    "left_out_words",
    "look_columns",
    "pair_words",
    "set_columns",
    "variance_columns",
]

#: Pixels that a name may take: ids and reasons beside it stay in sight.
_NAME = 90


def set_columns() -> list[Column]:
    """Columns of the sets of parameters."""
    return [
        Column("rank", tr("place"), tr("Place among the sets that can be chosen."), _whole),
        Column("alpha", tr("alpha (m)"), tr("True positive boundary, metres."), _short),
        Column("omega", tr("omega (m)"), tr("True negative inner boundary, metres."), _short),
        Column("gamma", tr("gamma"), tr("Area ratio, no unit."), _short),
        Column(
            "common_variance",
            tr("variance"),
            tr("Average variance of RandCrowns (Eq. 15) over the targets that every set can score."),
            _small,
        ),
        Column("mean", tr("mean"), tr("Mean RandCrowns of the right pairs, 0 to 1."), as_number(3)),
        Column(
            "missed_share",
            tr("missed"),
            tr(
                "Share of the right pairs that are missed and score 0, 0 to 1: they share nothing that is surely crown."
            ),
            as_number(2),
        ),
        Column("wrong", tr("wrong pairs"), tr("Mean RandCrowns of the wrong pairs, 0 to 1."), as_number(3)),
        *(
            Column(f"wrong_{kind}", words, tr("Mean RandCrowns of this kind of wrong pairs, 0 to 1."), as_number(2))
            for kind, words in (
                ("neighbours", tr("neighbours")),
                ("shifted", tr("shifted")),
                ("shrunk", tr("shrunk")),
                ("grown", tr("grown")),
            )
        ),
        Column("too_small", tr("too small"), tr("Targets narrower than twice alpha, without a score."), as_number(0)),
        Column("reason", tr("refused because"), tr("Why the set cannot be chosen."), as_text, right=False),
    ]


def look_columns() -> list[Column]:
    """Columns of the crowns to look at."""
    return [
        Column(
            "look",
            tr("crown"),
            tr("Worst: its RandCrowns differs most between delineations. Typical: its variance is near the median."),
            _look,
            right=False,
        ),
        Column("randcrowns", tr("RC"), tr("RandCrowns, 0 to 1 (Stewart et al. 2021, Eq. 14)."), as_number(2)),
        Column("iou", tr("IoU"), tr("Shared area over the area of both, 0 to 1."), as_number(2)),
        Column("iou_crowns", tr("IoUC"), tr("IoUCrowns: RandCrowns without true negatives, 0 to 1."), as_number(2)),
        Column("target_annotator", tr("target by"), tr("Who drew the target."), as_text, right=False, widest=_NAME),
        Column("target_id", tr("id"), tr("Feature id of the target in that layer."), as_text),
        Column(
            "delineation_annotator", tr("drawn by"), tr("Who drew the delineation."), as_text, right=False, widest=_NAME
        ),
        Column("variance", tr("variance"), tr("Variance of the target's RandCrowns over its delineations."), _small),
    ]


def variance_columns() -> list[Column]:
    """Columns of the table of variances."""
    columns = [
        Column(
            "target_annotator",
            tr("target"),
            tr("Whose crowns are the targets; all: everybody's."),
            as_text,
            right=False,
            widest=_NAME,
        ),
        Column("crowns", tr("crowns"), tr("Number of targets."), as_number(0)),
    ]
    scores = (("randcrowns", "RC"), ("iou", "IoU"), ("iou_crowns", "IoUC"))
    for name, title in scores:
        meaning = tr("Average variance of {name} over the delineations of a target (Eq. 15).").format(name=title)
        columns.append(Column(f"{name}_variance", tr("{name} var.").format(name=title), meaning, _small))
    for name, title in scores:
        mean = tr("Mean {name} of the pairs, 0 to 1.").format(name=title)
        columns.append(Column(f"{name}_mean", tr("{name} mean").format(name=title), mean, as_number(3)))
    for name, title in scores:
        between = tr("95 % bootstrap interval of the variance of {name}, over crowns.").format(name=title)
        columns.append(Column(f"{name}_variance_low", tr("{name} low").format(name=title), between, _small))
        columns.append(Column(f"{name}_variance_high", tr("{name} high").format(name=title), between, _small))
    columns.append(
        Column("too_small", tr("too small"), tr("Narrower than twice alpha; without a score."), as_number(0))
    )
    columns.append(Column("missed", tr("missed"), tr("Pairs that share nothing that is surely crown."), as_number(0)))
    return columns


def left_out_columns() -> list[Column]:
    """Columns of the crowns left out."""
    return [
        Column("annotator", tr("left out"), tr("Whose crown it is."), as_text, right=False, widest=_NAME),
        Column("crown_id", tr("id"), tr("Feature id of the crown in that layer."), as_text),
        Column("reason", tr("because"), tr("Why it is no crown that everybody drew."), as_text, right=False),
    ]


def pair_words(pair: pd.Series) -> str:
    """Who drew what of a pair, and its scores."""
    score = as_number(2)
    return tr(
        "Red: {target} {target_id}. Black: {drawn} {drawn_id}. RandCrowns {randcrowns}, IoU {iou}, IoUCrowns "
        "{iou_crowns}."
    ).format(
        target=pair["target_annotator"],
        target_id=pair["target_id"],
        drawn=pair["delineation_annotator"],
        drawn_id=pair["delineation_id"],
        **{name: score(pair[name]) for name in ("randcrowns", "iou", "iou_crowns")},
    )


def left_out_words(crown: pd.Series, candidates: dict[str, int]) -> str:
    """A crown left out, why, and what of the others is nearest to it (annotator -> id)."""
    said = tr("Red: {annotator} {id}, left out: {reason}.").format(
        annotator=crown["annotator"], id=crown["crown_id"], reason=crown["reason"]
    )
    if not candidates:
        return said + " " + tr("Nobody else drew anything there.")
    names = ", ".join(f"{name} {number}" for name, number in candidates.items())
    return said + " " + tr("Black, what fits it best of the others: {names}.").format(names=names)


def _short(value: Any) -> str:
    return tr("n/a") if pd.isna(value) else f"{value:g}"


def _whole(value: Any) -> str:
    return "" if pd.isna(value) else f"{int(value)}"


def _small(value: Any) -> str:
    return tr("n/a") if pd.isna(value) else f"{value:.2g}"


def _look(value: Any) -> str:
    return tr("worst") if value == "worst" else tr("typical")
