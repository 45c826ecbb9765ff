"""The list of page Review: its columns; a crown, verdicts and progress in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from randcrowns.algorithms.scoring.outputs import SCORED_DELINEATIONS
from randcrowns.algorithms.scoring.reviewed import VERDICTS, progress_words
from randcrowns.core.review.verdicts import Side, Verdict
from randcrowns.layers.words import tr
from randcrowns.ui.review.session import ReviewSession
from randcrowns.ui.widgets.crown_list import as_difference, counts_in_words
from randcrowns.ui.widgets.table_model import TableColumn, as_number, as_text

_COLUMNS = [
    "feature_id",
    "score",
    "iou",
    "problem",
    "side",
    "verdict",
    "changed",
    "others",
    "comment",
    "cause",
]


def listed(session: ReviewSession) -> pd.DataFrame:
    """The crowns of the list in its order, with the reviewer's verdict in words as ``said``."""
    found = (
        session.crowns.iloc[session.rows]
        if len(session.rows)
        else pd.DataFrame(columns=[*_COLUMNS, "difference"])
    )
    verdicts, before = map(_known, found["verdict"]), tr("changed since {verdict}")
    said = [
        before.format(verdict=one) if one and since else one
        for one, since in zip(verdicts, found["changed"])
    ]
    return found.assign(said=said)


def review_columns(shown: pd.DataFrame, compared: bool) -> list[TableColumn]:
    """Columns of the list shown; with the side of each crown where both occur, for ids are only known within one, and
    with the change since the run that it is compared with."""
    number, told = as_number(2), tr("RandCrowns less that of the earlier run.")
    (problem,) = (column.shown for column in SCORED_DELINEATIONS.columns_of(["rc_problem"]))
    sides = {Side.TARGET.value: tr("target"), Side.DELINEATION.value: tr("delineation")}
    side = TableColumn(
        "side", tr("Side"), tr("A target, or a lone delineation."), sides.__getitem__, right=False
    )
    changed = TableColumn("difference", tr("Change"), told, as_difference)
    return [
        TableColumn(
            "feature_id",
            tr("Id"),
            tr("Feature id in the target layer; of an extra one, in its own."),
            as_text,
        ),
        *([side] * (len(set(shown["side"])) > 1)),
        TableColumn("score", "RC", tr("RandCrowns, 0 to 1."), number),
        TableColumn("iou", "IoU", tr("Shared area over the area of both, 0 to 1."), number),
        TableColumn(
            "problem", tr("Problem"), tr("What is wrong with the crown."), problem, right=False
        ),
        *([changed] * compared),
        TableColumn("said", tr("Verdict"), tr("Your last verdict on it."), as_text, right=False),
        TableColumn(
            "others",
            tr("Others"),
            tr("Verdicts of other reviewers."),
            _others,
            right=False,
            widest=160,
        ),
        TableColumn(
            "comment", tr("Comment"), tr("Kept with the verdict."), as_text, right=False, widest=160
        ),
        TableColumn(
            "cause", tr("Cause"), tr("Why, in a sentence."), as_text, right=False, widest=220
        ),
    ]


def _known(verdict: Any) -> str:
    return (
        VERDICTS[Verdict(verdict)]
        if verdict in {one.value for one in Verdict}
        else as_text(verdict)
    )


def _others(told: Sequence[tuple[str, str, bool]]) -> str:
    before = tr("{who}: {verdict} before it changed")
    return "; ".join(
        (before if changed else "{who}: {verdict}").format(who=who, verdict=_known(verdict))
        for who, verdict, changed in told
    )


def crown_told(crown: pd.Series) -> str:
    """A crown in a few lines: its scores, what is wrong with it and why, and the last verdicts on it."""
    names, number = {"score": "RandCrowns", "iou": "IoU", "iou_crowns": "IoUCrowns"}, as_number(2)
    scores = ", ".join(f"{name} {number(crown[column])}" for column, name in names.items())
    said = tr("Crown {number}: {scores}.", number=crown["feature_id"], scores=scores)
    if crown["side"] == Side.DELINEATION:
        said = tr(
            "Delineation {number} of {layer}.",
            number=crown["feature_id"],
            layer=crown["delineations"],
        )
    mine = (
        ""
        if pd.isna(crown["verdict"])
        else tr("Your verdict: {verdict}.", verdict=_known(crown["verdict"]))
    )
    if mine and crown["changed"]:
        mine = tr("Changed since your verdict: {verdict}.", verdict=_known(crown["verdict"]))
    others = tr("Others: {told}.", told=_others(crown["others"])) if crown["others"] else ""
    verdicts = " ".join(filter(None, [mine, others]))
    return "\n".join(filter(None, [said, crown["cause"] or tr("No problem."), verdicts]))


def progress_told(session: ReviewSession) -> list[str]:
    """How far a review is, and what a sample says of the whole layer, a line each."""
    progress, found = session.progress(), session.share()
    lines = []
    if progress is not None:
        lines.append(
            ", ".join([*progress_words(progress), *counts_in_words(session.change_counts)])
        )
    if found is not None and math.isnan(found.share):
        said = (
            "The accepted share of the layer is known once the sample is judged in its order, to a crown of each score"
            " class or plot."
        )
        lines.append(tr(said))
    elif found is not None:
        said = (
            "Of the whole layer {share:.0%} would be accepted (95 % interval {low:.0%} to {high:.0%};"
            " crowns judged in the sample's order: {number})."
        )
        lines.append(
            tr(said, share=found.share, low=found.low, high=found.high, number=found.reviewed)
        )
    return lines
