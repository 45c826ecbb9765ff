"""What a run of page Annotators found, read once from the algorithm's outputs, and put into the project."""

from __future__ import annotations

import math
from html import escape

import numpy as np
import pandas as pd

from randcrowns.algorithms.agreement import outputs
from randcrowns.algorithms.output import UNIT
from randcrowns.core.agreement.notes import Note
from randcrowns.core.arrays import Floats
from randcrowns.layers.styles.plots import matrix_of_pairs
from randcrowns.layers.words import sentences, tr
from randcrowns.ui.services.result_file import Succeeded
from randcrowns.ui.widgets.table_model import as_number


class AnnotatorResults:
    """The tables of a run, what was said of it, and the ids of the layers that were added to the project, by output."""

    def __init__(self, outcome: Succeeded, made: dict[str, str]) -> None:
        self.made = made
        self.unit = str(outcome.outputs[UNIT.id])
        self.annotators = outcome.table(outputs.ANNOTATOR_TABLE)
        self.pairs = outcome.table(outputs.ANNOTATOR_PAIRS)
        #: Of several images each number stands in many rows, of all images first.
        self.by_image = outcome.table(outputs.SUMMARY)
        self.summary = self.by_image.drop_duplicates("statistic", ignore_index=True)
        self.ratio = outcome.table(outputs.RATIO)
        self.linkage = outcome.table(outputs.LINKAGE)
        self.disagreements = outcome.table(outputs.DISAGREEMENTS)
        self.image = outcome.table(outputs.IMAGE_TABLE)
        self.notes = outcome.said("agreement")
        #: Who has nothing in the study area, and which polygons are nobody's.
        self.outside = (
            *outcome.said("outside"),
            *(one for one in outcome.remarks if one.key == "input.no_name"),
        )
        self.of_image = outcome.said("image")
        self.area = outcome.said("study_area")

    @property
    def names(self) -> list[str]:
        """The annotators in the order of the run."""
        return list(self.annotators["annotator"])

    def value(self, statistic: str, column: str = "value") -> float:
        """A number of the summary."""
        return float(self.summary.set_index("statistic").loc[statistic, column])

    @property
    def nothing_marked(self) -> bool:
        """Whether nobody marked anything that counts."""
        return Note.NOTHING_MARKED in self.notes

    def f1(self) -> Floats:
        """(K, K) pairwise F1."""
        return self._matrix("f1", 1.0)

    def shared(self) -> Floats:
        """(K, K) shared area, square metres; on the diagonal what each one marked."""
        found = self._matrix("shared", 0.0)
        np.fill_diagonal(found, self.annotators["marked"].to_numpy(dtype=float))
        return found

    def pair(self, first: int, second: int) -> pd.Series:
        """The row of two different annotators."""
        one, other = sorted((first, second))
        rows = self.pairs[
            (self.pairs["first"] == self.names[one]) & (self.pairs["second"] == self.names[other])
        ]
        return rows.iloc[0]

    def _matrix(self, column: str, diagonal: float) -> Floats:
        return matrix_of_pairs(self.pairs[column].to_numpy(dtype=float), len(self.names), diagonal)


def answer_text(results: AnnotatorResults) -> str:
    """Mean F1 and kappa, as rich text; no F1 where nobody marked anything."""
    area = escape(" ".join(sentences(results.area)), quote=False)
    if len(results.names) == 1:
        said = "<b>1 annotator</b> marked <b>{marked:,.1f} {unit}²</b><br>{area}"
        return tr(said, marked=results.value("marked_by_any"), unit=results.unit, area=area)
    number, mean = as_number(3), math.nan if results.nothing_marked else results.value("mean_f1")
    said = (
        "<b>{people}</b> &nbsp;mean F1 <b>{mean}</b> &nbsp;Fleiss' kappa <b>{kappa}</b><br>{area}"
    )
    if not math.isnan(mean):
        said = (
            "<b>{people}</b> &nbsp;mean F1 <b>{mean}</b> (pairs {least} to {most}) &nbsp;Fleiss' kappa <b>{kappa}</b>"
            "<br>{area}"
        )
    return tr(
        said,
        area=area,
        people=tr("{count:,} annotators", one="1 annotator", count=len(results.names)),
        mean=number(mean),
        least=number(results.value("min_f1")),
        most=number(results.value("max_f1")),
        kappa=number(results.value("fleiss_kappa")),
    )


def answer_tooltip(results: AnnotatorResults) -> str:
    """What the numbers mean, with their intervals."""
    return tr(
        "F1 of every two annotators by area (Lampert et al. 2016, Eq. 6): mean, lowest and highest.\n95 % intervals "
        "from {blocks:,.0f} resampled blocks, {marked:,.0f} of them with marks: mean F1 {f1}; Fleiss' kappa {kappa}.",
        blocks=results.value("mean_f1", "blocks"),
        marked=results.value("mean_f1", "marked_blocks"),
        f1=_interval(results, "mean_f1"),
        kappa=_interval(results, "fleiss_kappa"),
    )


def verdict_text(results: AnnotatorResults, limit: float) -> str:
    """Smyth's bound against the limit, which is negative until the user sets one; or why there is no bound."""
    bound = results.value("smyth_bound")
    if results.nothing_marked:
        return tr("Smyth's bound <b>n/a</b>: nobody marked anything")
    if math.isnan(bound):
        return tr("Smyth's bound <b>n/a</b>: it requires two annotators")
    words = tr("above your limit") if bound > limit else tr("within your limit")
    if limit < 0:
        words = tr("limit not set")
    return tr("Smyth's bound <b>{bound}</b>, {words}", bound=as_number(4)(bound), words=words)


def verdict_tooltip(results: AnnotatorResults) -> str:
    """What the bound means, with its interval."""
    return tr(
        "Lower bound of the annotators' mean error, as a share of the study area, whatever the truth is (Smyth 1996; "
        "Eq. 1). 95 % interval: {interval}. The acceptable limit is your choice.",
        interval=_interval(results, "smyth_bound", 4),
    )


def _interval(results: AnnotatorResults, statistic: str, digits: int = 3) -> str:
    """Low to high, or n/a."""
    low, high = results.value(statistic, "low"), results.value(statistic, "high")
    if results.nothing_marked or math.isnan(low):
        return tr("n/a")
    number = as_number(digits)
    return tr("{low} to {high}", low=number(low), high=number(high))
