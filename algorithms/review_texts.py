"""Texts about the verdicts of reviewers, for page Review and for reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from randcrowns.algorithms.provenance import Provenance
from randcrowns.core.arrays import number_text
from randcrowns.core.review.queue import ReviewProgress, add_verdicts, review_progress
from randcrowns.core.review.verdicts import (
    CROWN_COLUMNS,
    LayerKey,
    Verdict,
    reviewer_agreement,
    select_layer_verdicts,
)
from randcrowns.layers.localization import format_value, tr

#: Labels of the verdicts in tables and counts.
VERDICT_LABELS = {
    Verdict.ACCEPTED: tr("accepted"),
    Verdict.REJECTED: tr("rejected"),
    Verdict.FIXED: tr("fixed"),
    Verdict.UNSURE: tr("unsure"),
    Verdict.WRONG_CLASS: tr("wrong class"),
}


class ReviewedLayer(NamedTuple):
    """Crowns of a run that were compared with one layer, as page Review lists them."""

    name: str  #: name of the delineation layer or of the prediction layer.
    keys: tuple[LayerKey, LayerKey]  #: keys of the target layer and of the other layer.
    #: A row per crown, see :func:`randcrowns.core.review.verdicts.crowns_to_review`.
    crowns: pd.DataFrame


def review_sentences(
    record: Provenance, layers: Sequence[ReviewedLayer], verdicts: pd.DataFrame
) -> list[str]:
    """Return sentences that sum up the reviewers' verdicts on the crowns of a run.

    Args:
        record: provenance of the run.
        layers: crowns of the run by layer.
        verdicts: table with the columns of
            :data:`randcrowns.core.review.verdicts.VERDICT_COLUMNS`.

    Returns:
        Sentences about each layer with a verdict; empty without any verdict.
    """
    lines = []
    for name, keys, crowns in layers:
        layer_verdicts = select_layer_verdicts(verdicts, *keys, project_layer_ids=record.inputs)
        crown_verdicts = layer_verdicts.merge(crowns[CROWN_COLUMNS], on=CROWN_COLUMNS)
        if not (crown_verdicts["verdict"] != "").any():
            continue
        progress = review_progress(add_verdicts(crowns, crown_verdicts))
        counts = ", ".join(progress_texts(progress))
        if len(layers) > 1:
            lines.append(tr("Reviewers' verdicts on {layer}: {told}.", layer=name, told=counts))
        else:
            lines.append(tr("Reviewers' verdicts: {told}.", told=counts))
        lines += [f"{line}." for line in agreement_texts(reviewer_agreement(crown_verdicts))]
    return lines


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
