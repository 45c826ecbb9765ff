"""What reviewers said of scored crowns, in sentences: on page Review, and in reports."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import shapely
from qgis.core import QgsGeometry

from randcrowns.algorithms.choices import TARGETS
from randcrowns.algorithms.record import Record
from randcrowns.core.arrays import as_words
from randcrowns.core.review.queue import Progress, progress_of, with_verdicts
from randcrowns.core.review.verdicts import Verdict, outline_hashes, reviewer_agreement
from randcrowns.layers.words import tr

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
    words += [f"{number:,} {VERDICTS[verdict]}" for verdict, number in told.verdicts.items() if number]
    return [*words, *([tr("{number:,} changed since", number=told.changed)] if told.changed else [])]


def agreement_words(agreement: pd.DataFrame) -> list[str]:
    """A line on each two reviewers, see :func:`randcrowns.core.review.verdicts.reviewer_agreement`."""
    said = "{first} and {other}: {count:,} crowns, {share:.0%} alike, kappa {kappa}"
    one = "{first} and {other}: 1 crown, {share:.0%} alike, kappa {kappa}"
    return [
        tr(
            said,
            one=one,
            first=row["reviewer"],
            other=row["other"],
            count=row["crowns"],
            share=row["agreement"],
            kappa=as_words(row["kappa"]),
        )
        for row in agreement.to_dict("records")
    ]


def review_of(record: Record, ids: Sequence[int], shapes: Sequence[QgsGeometry], verdicts: pd.DataFrame) -> list[str]:
    """What reviewers said of the targets of a run; nothing where nobody gave a verdict on any.

    Args:
        ids, shapes: (n,) of the targets, as in the layer that was scored.
        verdicts: with the columns of :data:`randcrowns.core.review.verdicts.VERDICT_COLUMNS`.
    """
    own = verdicts[(verdicts["layer"] == record.words_of(TARGETS.name)) & verdicts["feature_id"].isin(ids)]
    if not len(own):
        return []
    outlines = shapely.from_wkb([bytes(shape.asWkb()) or None for shape in shapes], on_invalid="ignore")
    crowns = pd.DataFrame({"feature_id": ids, "outline": outline_hashes(outlines)}).assign(layer=own["layer"].iloc[0])
    told = ", ".join(progress_words(progress_of(with_verdicts(crowns, own))))
    between = [f"{line}." for line in agreement_words(reviewer_agreement(own))]
    return [tr("Reviewers' verdicts: {told}.", told=told), *between]
