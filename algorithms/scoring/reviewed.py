"""Texts about the verdicts of reviewers, for page Review and for reports."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from randcrowns.algorithms.choices import TARGETS
from randcrowns.algorithms.record import Record
from randcrowns.algorithms.scoring.choices import DELINEATIONS
from randcrowns.algorithms.scoring.outputs import prefixes_of
from randcrowns.core.arrays import as_words
from randcrowns.core.review.queue import Progress, progress_of, with_verdicts
from randcrowns.core.review.verdicts import CROWN, LayerKey, Verdict, of_layers, reviewer_agreement
from randcrowns.layers.words import tr, written

#: Labels of the verdicts in tables and counts.
VERDICTS = {
    Verdict.ACCEPTED: tr("accepted"),
    Verdict.REJECTED: tr("rejected"),
    Verdict.FIXED: tr("fixed"),
    Verdict.UNSURE: tr("unsure"),
}


def progress_words(progress: Progress) -> list[str]:
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
            texts.append(f"{written(number, 0)} {VERDICTS[verdict]}")
    if progress.changed:
        texts.append(tr("{number:,} changed since", number=progress.changed))
    return texts


def agreement_words(agreement: pd.DataFrame) -> list[str]:
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
                    kappa=as_words(pair["kappa"]),
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


def judged_layers(record: Record, name: str) -> tuple[LayerKey, LayerKey]:
    """Return the keys of the target layer and of a delineation layer of a run.

    Args:
        record: provenance of the run.
        name: name of the delineation layer in the run.

    Returns:
        Keys with empty ids and sources if the provenance does not contain the layers.
    """
    targets = record.layers_of(TARGETS.ids[0])
    target_key = targets[0] if targets else LayerKey("", "", record.words_of(TARGETS.name))
    names = [layer for layer, _ in prefixes_of(record.results)]
    delineations = dict(zip(names, record.layers_of(DELINEATIONS.ids[0])))
    delineation_key = delineations.get(name, LayerKey("", "", name))
    return target_key, delineation_key._replace(name=name)


def review_of(
    record: Record, layers: Mapping[str, pd.DataFrame], verdicts: pd.DataFrame
) -> list[str]:
    """Return sentences that sum up the reviewers' verdicts on the crowns of a run.

    Args:
        record: provenance of the run.
        layers: crowns by name of the delineation layer, one row per crown, see
            :func:`randcrowns.core.review.verdicts.to_review`.
        verdicts: table with the columns of
            :data:`randcrowns.core.review.verdicts.VERDICT_COLUMNS`.

    Returns:
        Sentences about each layer with a verdict; empty without any verdict.
    """
    lines = []
    for name, crowns in layers.items():
        layer_verdicts = of_layers(verdicts, *judged_layers(record, name), here=record.inputs)
        crown_verdicts = layer_verdicts.merge(crowns[CROWN], on=CROWN)
        if not (crown_verdicts["verdict"] != "").any():
            continue
        progress = progress_of(with_verdicts(crowns, crown_verdicts))
        counts = ", ".join(progress_words(progress))
        if len(layers) > 1:
            lines.append(tr("Reviewers' verdicts on {layer}: {told}.", layer=name, told=counts))
        else:
            lines.append(tr("Reviewers' verdicts: {told}.", told=counts))
        lines += [f"{line}." for line in agreement_words(reviewer_agreement(crown_verdicts))]
    return lines
