"""Columns of the list of page Review, and texts about crowns, verdicts and progress."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.algorithms.classes.outputs import CROWN_COLUMNS
from randcrowns.algorithms.review_texts import VERDICT_LABELS, progress_texts
from randcrowns.algorithms.scoring.schema.outputs import SCORED_DELINEATIONS
from randcrowns.core.errors import InputError
from randcrowns.core.review.queue import QueueFilter
from randcrowns.core.review.sampling import AcceptedShare
from randcrowns.core.review.verdicts import JudgedSubject, Side, Verdict
from randcrowns.layers.localization import fill_template, tr
from randcrowns.ui.review.queue_form import Sample
from randcrowns.ui.review.review_session import ReviewSession
from randcrowns.ui.widgets.crown_list import describe_counts, format_difference
from randcrowns.ui.widgets.table_model import (
    NumberFormat,
    TableColumn,
    find_table_column,
    format_text,
)

#: Columns of the crowns that the list always has.
_COLUMNS = [
    "feature_id",
    "score",
    "iou",
    "problem",
    "side",
    "verdict",
    "right_class",
    "changed",
    "others",
    "comment",
    "cause",
    "difference",
]
#: Columns of the list that only some layers have.
_OPTIONAL_COLUMNS = ["name", "plot", *(column.name for column in CROWN_COLUMNS)]


def read_list(
    session: ReviewSession, order: str, crown_filter: QueueFilter, sample: Sample | None
) -> None:
    """Read the crowns of a session and list them; call once, on any thread.

    Args:
        session: The session; see :meth:`ReviewSession.update_list` for the other arguments.
        order: Key of the order.
        crown_filter: Filter of the crowns.
        sample: Random sample to list; None for all crowns. A sample that cannot be drawn is
            reported when the list is shown.

    Raises:
        InputError: if the layer lacks a field, or the verdicts cannot be read.
    """
    session.read()
    with suppress(InputError):
        session.update_list(order, crown_filter, sample)
        session.shown_crowns = listed_crowns(session)


def listed_crowns(session: ReviewSession) -> pd.DataFrame:
    """Return the crowns of the list.

    Returns:
        The rows of ``ReviewSession.crowns`` that are listed, in the order of the list, with the
        columns that the list needs and the added column ``verdict_text``: the reviewer's verdict
        as a text.
    """
    if len(session.listed_rows):
        # Copies of all columns of a large layer would delay the window, as would pandas joining
        # the columns.
        optional = [name for name in _OPTIONAL_COLUMNS if name in session.crowns]
        columns = {
            name: session.crowns[name].to_numpy()[session.listed_rows]
            for name in (*_COLUMNS, *optional)
        }
        crowns = pd.DataFrame(columns, index=session.listed_rows, copy=False)
    else:
        crowns = pd.DataFrame(columns=_COLUMNS)
    # Most crowns of a large layer have no verdict, and a loop over all would delay the window.
    is_judged = crowns["verdict"].notna().to_numpy()
    texts = np.full(len(crowns), "", dtype=object)
    texts[is_judged] = _own_verdict_texts(crowns[is_judged])
    crowns["verdict_text"] = texts
    return crowns


def _own_verdict_texts(crowns: pd.DataFrame) -> list[str]:
    """Return the reviewer's verdict on each crown as a text.

    Args:
        crowns: (n,) judged crowns; columns ``verdict``, ``right_class`` and ``changed``.

    Returns:
        (n,) labels of the verdicts, with the right class of a crown whose class is wrong. They say
        so if the crown has changed since.
    """
    changed_template = tr("changed since {verdict}")
    texts = []
    for crown in crowns[["verdict", "right_class", "changed"]].itertuples():
        text = _verdict_label(crown.verdict)
        if crown.verdict == Verdict.WRONG_CLASS.value and crown.right_class:
            text = tr("{verdict}: {name}", verdict=text, name=crown.right_class)
        if text and crown.changed:
            text = changed_template.format(verdict=text)
        texts.append(text)
    return texts


#: Maximum width of the columns with others' verdicts and with comments, pixels.
_MAX_TEXT_WIDTH = 160
#: Maximum width of the column with causes, pixels.
_MAX_CAUSE_WIDTH = 220


def review_columns(
    crowns: pd.DataFrame, has_changes: bool, has_randcrowns: bool
) -> list[TableColumn]:
    """Return the columns of the list of crowns.

    Args:
        crowns: The listed crowns. Their side is shown if there are targets and delineations, since
            the ids of the two can be the same.
        has_changes: True to show the change since an earlier run.
        has_randcrowns: False if page Instances has evaluated the crowns: they have only an IoU, and
            the crowns without a target are called predictions.
    """
    # The verdict can be read without scrolling, also in a narrow dock.
    columns = [_id_column(), *_score_columns(has_randcrowns), _own_verdict_column()]
    if len(set(crowns["side"])) > 1:
        columns.append(_side_column(has_randcrowns))
    if has_changes:
        columns.append(
            TableColumn(
                "difference",
                tr("Change"),
                tr("Score minus that of the earlier run."),
                format_difference,
            )
        )
    if "crown_class" in crowns:
        columns += [find_table_column(column) for column in CROWN_COLUMNS]
    return columns + _remark_columns()


def _id_column() -> TableColumn:
    """Return the column with the id of a crown."""
    return TableColumn(
        "feature_id",
        tr("Id"),
        tr("Feature id in the target layer; of a false detection, in its own layer."),
        format_text,
    )


def _side_column(has_randcrowns: bool) -> TableColumn:
    """Return the column with the side of a crown.

    Args:
        has_randcrowns: as in :func:`review_columns`.
    """
    other_label, tooltip = (
        (tr("delineation"), tr("A target, or a delineation without a target."))
        if has_randcrowns
        else (tr("prediction"), tr("A target, or a prediction without a target."))
    )
    side_labels = {Side.TARGET.value: tr("target"), Side.DELINEATION.value: other_label}
    return TableColumn("side", tr("Side"), tooltip, side_labels.__getitem__, align_right=False)


def _score_columns(has_randcrowns: bool) -> list[TableColumn]:
    """Return the columns with the scores of a crown and its problem.

    Args:
        has_randcrowns: False if the crowns have only an IoU.
    """
    format_score = NumberFormat(2)
    columns = []
    if has_randcrowns:
        columns.append(TableColumn("score", "RC", tr("RandCrowns, 0 to 1."), format_score))
    columns.append(
        TableColumn("iou", "IoU", tr("Shared area over the area of both, 0 to 1."), format_score)
    )
    problem_field = SCORED_DELINEATIONS.select_columns(["rc_problem"])[0]
    columns.append(
        TableColumn(
            "problem",
            tr("Problem"),
            tr("Problem of the crown."),
            problem_field.display_text,
            align_right=False,
        )
    )
    return columns


def _own_verdict_column() -> TableColumn:
    """Return the column with the reviewer's verdict on a crown."""
    return TableColumn(
        "verdict_text",
        tr("Verdict"),
        tr("Your last verdict on the crown."),
        format_text,
        align_right=False,
    )


def _remark_columns() -> list[TableColumn]:
    """Return the columns with the verdicts of others on a crown, the comment and the cause."""
    return [
        TableColumn(
            "others",
            tr("Others"),
            tr("Verdicts of other reviewers."),
            _other_verdicts,
            align_right=False,
            max_width=_MAX_TEXT_WIDTH,
        ),
        TableColumn(
            "comment",
            tr("Comment"),
            tr("Saved with the verdict."),
            format_text,
            align_right=False,
            max_width=_MAX_TEXT_WIDTH,
        ),
        TableColumn(
            "cause",
            tr("Cause"),
            tr("Cause of the problem."),
            format_text,
            align_right=False,
            max_width=_MAX_CAUSE_WIDTH,
        ),
    ]


def _verdict_label(verdict: Any) -> str:
    """Return the label of a verdict; a text that is no verdict is returned unchanged."""
    if verdict in {member.value for member in Verdict}:
        return VERDICT_LABELS[Verdict(verdict)]
    return format_text(verdict)


def _other_verdicts(verdicts: Sequence[tuple[str, str, bool]]) -> str:
    """Return the verdicts of other reviewers as a text.

    Args:
        verdicts: Name of the reviewer, verdict, and whether the crown has changed since.
    """
    changed_template = tr("{who}: {verdict} before it changed")
    texts = []
    for reviewer, verdict, is_changed in verdicts:
        template = changed_template if is_changed else "{who}: {verdict}"
        texts.append(template.format(who=reviewer, verdict=_verdict_label(verdict)))
    return "; ".join(texts)


def describe_crown(crown: pd.Series, has_randcrowns: bool = True) -> list[str]:
    """Return the lines of a description of a crown, at most four.

    The lines are its id with the scores, the cause of its problem, what is judged, and the last
    verdicts on it.

    Args:
        crown: Row of ``ReviewSession.crowns``.
        has_randcrowns: as in :func:`review_columns`.
    """
    lines = [
        _crown_line(crown, has_randcrowns),
        crown["cause"] or tr("No problem."),
        _subject_line(judged_subject(crown), has_randcrowns),
        _verdicts_line(crown),
    ]
    return [line for line in lines if line]


def join_sentences(lines: Sequence[str]) -> str:
    """Return lines as one text, in which each line but the last ends like a sentence."""
    ended = [line if line.endswith((".", "?", "!")) else f"{line}." for line in lines[:-1]]
    return " ".join([*ended, *lines[-1:]])


def judged_subject(crown: pd.Series) -> JudgedSubject:
    """Return what a verdict on a crown judges.

    Args:
        crown: Row of ``ReviewSession.crowns``.
    """
    return JudgedSubject.of(crown["side"], has_match=not pd.isna(crown["delineation_id"]))


def _subject_line(subject: JudgedSubject, has_randcrowns: bool) -> str:
    """Return a sentence about what a verdict judges.

    Args:
        subject: What is judged.
        has_randcrowns: as in :func:`review_columns`.
    """
    lines = {
        JudgedSubject.PAIR: tr("You judge the delineation of this crown."),
        JudgedSubject.TARGET: tr("You judge the target: is it a tree, and drawn right?"),
        JudgedSubject.FALSE_DETECTION: tr(
            "You judge the delineation: is it a tree, and drawn right?"
        ),
    }
    if not has_randcrowns:
        lines[JudgedSubject.PAIR] = tr("You judge the prediction for this crown.")
        lines[JudgedSubject.FALSE_DETECTION] = tr(
            "You judge the prediction: is it a tree, and drawn right?"
        )
    return lines[subject]


def _crown_line(crown: pd.Series, has_randcrowns: bool) -> str:
    """Return the id of a crown, with the scores of a target or the layer of a delineation.

    Args:
        crown: Row of ``ReviewSession.crowns``.
        has_randcrowns: as in :func:`review_columns`.
    """
    if crown["side"] == Side.DELINEATION:
        template = tr("Delineation {number} of {layer}.")
        if not has_randcrowns:
            template = tr("Prediction {number} of {layer}.")
        return fill_template(template, number=crown["feature_id"], layer=crown["delineations"])
    format_score = NumberFormat(2)
    names = {"score": "RandCrowns", "iou": "IoU", "iou_crowns": "IoUCrowns"}
    if not has_randcrowns:
        names = {"iou": "IoU"}
    scores = ", ".join(f"{name} {format_score(crown[column])}" for column, name in names.items())
    return tr("Crown {number}: {scores}.", number=crown["feature_id"], scores=scores)


def _verdicts_line(crown: pd.Series) -> str:
    """Return the reviewer's verdict on a crown and those of others; "" if there are none."""
    sentences = []
    if not pd.isna(crown["verdict"]):
        label = _verdict_label(crown["verdict"])
        if crown["changed"]:
            sentences.append(tr("Changed since your verdict: {verdict}.", verdict=label))
        else:
            sentences.append(tr("Your verdict: {verdict}.", verdict=label))
    if crown["others"]:
        sentences.append(tr("Others: {told}.", told=_other_verdicts(crown["others"])))
    return " ".join(sentences)


def progress_summary(session: ReviewSession) -> list[str]:
    """Return lines about the progress of a review, and about the share that is accepted.

    If several layers were compared with the targets, the first line names the one that is listed.
    The share is that of the whole layer, estimated from a random sample.
    """
    lines = []
    layer_count = 0 if session.scored_layer is None else len(session.scored_layer.prefixes)
    if layer_count > 1:
        text = tr(
            "Crowns of '{name}', 1 of {count:,} layers.",
            name=session.delineation_name,
            count=layer_count,
        )
        lines.append(text)
    progress = session.list_progress()
    if progress is not None:
        counts = [*progress_texts(progress), *describe_counts(session.change_counts)]
        lines.append(", ".join(counts))
    share = session.accepted_share()
    if share is not None:
        lines.append(_share_line(share))
    return lines


def _share_line(share: AcceptedShare) -> str:
    """Return a sentence about the accepted share, or about why it is not known yet."""
    if math.isnan(share.share):
        return tr(
            "The accepted share of the layer is known once the sample is judged in its order, "
            "with at least one crown of each score class or plot."
        )
    return tr(
        "Of the whole layer {share:.0%} would be accepted (95 % interval {low:.0%} to {high:.0%};"
        " crowns judged in the sample's order: {number}).",
        share=share.share,
        low=share.low,
        high=share.high,
        number=share.reviewed,
    )
