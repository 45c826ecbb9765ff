"""What reviewers said of scored crowns, in sentences: on page Review, and in reports."""

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

#: Verdict -> what it is called in tables and counts.
VERDICTS = {
    Verdict.ACCEPTED: tr("accepted"),
    Verdict.REJECTED: tr("rejected"),
    Verdict.FIXED: tr("fixed"),
    Verdict.UNSURE: tr("unsure"),
}


def progress_words(told: Progress) -> list[str]:
    """How far a review is: ``12 of 106 reviewed``, ``9 accepted``, …"""
    words = [tr("{done:,} of {all:,} reviewed", done=told.reviewed, all=told.crowns)]
    words += [
        f"{written(number, 0)} {VERDICTS[verdict]}"
        for verdict, number in told.verdicts.items()
        if number
    ]
    return [
        *words,
        *([tr("{number:,} changed since", number=told.changed)] if told.changed else []),
    ]


def agreement_words(agreement: pd.DataFrame) -> list[str]:
    """A line or two on each two reviewers, see :func:`randcrowns.core.review.verdicts.reviewer_agreement`."""
    said = "{first} and {other}: {count:,} crowns, {share:.0%} alike, kappa {kappa}"
    one = "{first} and {other}: 1 crown, {share:.0%} alike, kappa {kappa}"
    apart = (
        "{first} and {other}: {count:,} crowns not compared, for they changed between the verdicts"
    )
    apart_one = "{first} and {other}: 1 crown not compared, for it changed between the verdicts"
    lines = []
    for row in agreement.to_dict("records"):
        who = {"first": row["reviewer"], "other": row["other"]}
        if row["crowns"]:
            kappa = as_words(row["kappa"])
            lines.append(
                tr(said, one=one, **who, count=row["crowns"], share=row["agreement"], kappa=kappa)
            )
        if row["changed"]:
            lines.append(tr(apart, one=apart_one, **who, count=row["changed"]))
    return lines


def judged_layers(record: Record, name: str) -> tuple[LayerKey, LayerKey]:
    """The targets of a run, and the delineations that it calls by that name."""
    targets = record.layers_of(TARGETS.ids[0]) or [LayerKey("", "", record.words_of(TARGETS.name))]
    names = [layer for layer, _ in prefixes_of(record.results)]
    drawn = dict(zip(names, record.layers_of(DELINEATIONS.ids[0]))).get(
        name, LayerKey("", "", name)
    )
    return targets[0], drawn._replace(name=name)


def review_of(
    record: Record, layers: Mapping[str, pd.DataFrame], verdicts: pd.DataFrame
) -> list[str]:
    """What reviewers said of the crowns of a run; nothing where nobody gave a verdict on any.

    Args:
        layers: the crowns of each delineation layer, see :func:`randcrowns.core.review.verdicts.to_review`.
        verdicts: with the columns of :data:`randcrowns.core.review.verdicts.VERDICT_COLUMNS`.
    """
    lines = []
    for name, crowns in layers.items():
        of_these = of_layers(verdicts, *judged_layers(record, name), here=record.inputs)
        own = of_these.merge(crowns[CROWN], on=CROWN)
        if (own["verdict"] != "").any():
            told = ", ".join(progress_words(progress_of(with_verdicts(crowns, own))))
            several = tr("Reviewers' verdicts on {layer}: {told}.", layer=name, told=told)
            lines.append(
                several if len(layers) > 1 else tr("Reviewers' verdicts: {told}.", told=told)
            )
            lines += [f"{line}." for line in agreement_words(reviewer_agreement(own))]
    return lines
