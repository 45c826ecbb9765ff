"""Texts about the verdicts of reviewers, for page Review and for reports."""

from __future__ import annotations

import pandas as pd

from randcrowns.core.arrays import number_text
from randcrowns.core.review.queue import ReviewProgress
from randcrowns.core.review.verdicts import Verdict
from randcrowns.layers.localization import format_value, tr

#: Labels of the verdicts in tables and counts.
VERDICT_LABELS = {
    Verdict.ACCEPTED: tr("accepted"),
    Verdict.REJECTED: tr("rejected"),
    Verdict.FIXED: tr("fixed"),
    Verdict.UNSURE: tr("unsure"),
    Verdict.WRONG_CLASS: tr("wrong class"),
}


def progress_texts(progress: ReviewProgress) -> list[str]:
    """Return the progress of a review as texts, such as ``12 of 106 reviewed``, ``9 accepted``.

    Args:
        progress: numbers of crowns and of verdicts.

    Returns:
        The number of reviewed crowns, the number of each verdict that was given, and the number of
        crowns that changed since, if there are any.
    """
    texts = [tr("{done:,} of {all:,} reviewed", done=progress.reviewed, all=progress.crowns)]
    for verdict, number in progress.verdicts.items():
        if number:
            texts.append(f"{format_value(number, 0)} {VERDICT_LABELS[verdict]}")
    if progress.changed:
        texts.append(tr("{number:,} changed since", number=progress.changed))
    return texts


def agreement_texts(agreement: pd.DataFrame) -> list[str]:
    """Return texts about the agreement of each pair of reviewers.

    Args:
        agreement: result of :func:`randcrowns.core.review.verdicts.reviewer_agreement`.

    Returns:
        For each pair a text about the crowns that both judged, and a text about those that changed
        between the verdicts; either only if there are such crowns.
    """
    texts = []
    for pair in agreement.to_dict("records"):
        reviewers = {"first": pair["reviewer"], "other": pair["other"]}
        if pair["crowns"]:
            texts.append(
                tr(
                    "{first} and {other}: {count:,} crowns, {share:.0%} equal verdicts, kappa "
                    "{kappa}",
                    one="{first} and {other}: 1 crown, {share:.0%} equal verdicts, kappa {kappa}",
                    **reviewers,
                    count=pair["crowns"],
                    share=pair["agreement"],
                    kappa=number_text(pair["kappa"]),
                )
            )
        if pair["changed"]:
            texts.append(
                tr(
                    "{first} and {other}: {count:,} crowns not compared because they changed "
                    "between the verdicts",
                    one="{first} and {other}: 1 crown not compared because it changed between the "
                    "verdicts",
                    **reviewers,
                    count=pair["changed"],
                )
            )
    return texts
