"""Results of page Annotators: the tables of a run, and the texts of the answer."""

from __future__ import annotations

import math
from html import escape

import numpy as np
import pandas as pd

from randcrowns.algorithms.agreement.schema import outputs
from randcrowns.algorithms.output_types import UNIT
from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.arrays import Floats
from randcrowns.layers.localization import message_texts, tr
from randcrowns.report.agreement_content import has_unmarked_area, kappa_sentence
from randcrowns.report.result_figures import pairwise_matrix
from randcrowns.ui.services.run_outcome import Succeeded
from randcrowns.ui.widgets.table_model import NumberFormat

#: Keys of messages about the agreement on classes.
_CLASS_MESSAGES = (
    "agreement.classes",
    "agreement.no_classes",
    "agreement.area_classes",
    "agreement.overlapping_classes",
    "agreement.too_many_classes",
    "agreement.too_many_values",
    "agreement.values_with_decimals",
)


class AnnotatorResults:
    """Tables and messages of a comparison of annotators.

    Args:
        outcome: The outputs of the run.
        layer_ids: Id of an output -> id of its layer in the project.
    """

    def __init__(self, outcome: Succeeded, layer_ids: dict[str, str]) -> None:
        #: Id of an output -> id of its layer in the project.
        self.layer_ids = layer_ids
        #: Unit of lengths, such as "m".
        self.unit = str(outcome.outputs[UNIT.id])
        #: One row per annotator, in the order of the run.
        self.annotators = outcome.table(outputs.ANNOTATOR_TABLE)
        #: One row per pair of annotators.
        self.pairs = outcome.table(outputs.ANNOTATOR_PAIRS)
        #: One row per statistic and image; the rows of all images together come first.
        self.summary_by_image = outcome.table(outputs.SUMMARY)
        #: One row per statistic, of all images together.
        self.summary = self.summary_by_image.drop_duplicates("statistic", ignore_index=True)
        #: One row per number of annotators, with the agreement ratio.
        self.ratio = outcome.table(outputs.RATIO)
        #: One row per step of the hierarchical clustering.
        self.linkage = outcome.table(outputs.LINKAGE)
        #: One row per area where annotators differ, largest first.
        self.disagreements = outcome.table(outputs.DISAGREEMENTS)
        #: Correlations with the image; empty without an image.
        self.image_correlations = outcome.table(outputs.IMAGE_TABLE)
        #: Agreement on classes, of all annotators and of each pair; empty without a class field.
        self.class_agreement = outcome.table(outputs.CLASS_AGREEMENT)
        self._store_messages(outcome)

    def _store_messages(self, outcome: Succeeded) -> None:
        """Set the attributes with the messages of the run, by their subjects."""
        class_messages = []
        agreement_messages = []
        for message in outcome.messages_of("agreement"):
            if message.key in _CLASS_MESSAGES:
                class_messages.append(message)
            else:
                agreement_messages.append(message)
        #: Messages about the agreement on classes.
        self.class_messages = tuple(class_messages)
        #: Other messages about the agreement.
        self.agreement_messages = tuple(agreement_messages)
        #: Messages about annotators who are unlike the others beyond chance.
        self.outlier_messages = outcome.messages_of("outliers")
        unnamed_messages = [
            message for message in outcome.messages if message.key == "input.no_name"
        ]
        #: Messages about annotators without anything in the study area, and about polygons
        #: without an annotator.
        self.input_messages = (*outcome.messages_of("outside"), *unnamed_messages)
        #: Messages about the image.
        self.image_messages = outcome.messages_of("image")
        #: Messages about the study area.
        self.study_area_messages = outcome.messages_of("study_area")

    @property
    def names(self) -> list[str]:
        """Names of the annotators in the order of the run."""
        return list(self.annotators["annotator"])

    def value(self, statistic: str, column: str = "value") -> float:
        """Return a number of the summary.

        Args:
            statistic: Key of the statistic, such as "mean_f1".
            column: Column of the summary: "value", an end of the interval ("low", "high"), or a
                number of blocks ("blocks", "marked_blocks").
        """
        return float(self.summary.set_index("statistic").loc[statistic, column])

    @property
    def is_nothing_marked(self) -> bool:
        """True if no annotator marked anything that counts."""
        return AgreementMessage.NOTHING_MARKED in self.agreement_messages

    def f1_matrix(self) -> Floats:
        """Return the pairwise F1 of K annotators, (K, K), with 1 on the diagonal."""
        return self._pair_matrix("f1", 1.0)

    def shared_area_matrix(self) -> Floats:
        """Return the shared areas of K annotators, (K, K), in ``unit``².

        The diagonal contains the area that each annotator marked.
        """
        areas = self._pair_matrix("shared", 0.0)
        np.fill_diagonal(areas, self.annotators["marked"].to_numpy(dtype=float))
        return areas

    def find_pair(self, position: int, other_position: int) -> pd.Series:
        """Return the row of :attr:`pairs` of two different annotators, in any order.

        Args:
            position: Position of an annotator in :attr:`names`.
            other_position: Position of another annotator.
        """
        earlier_name = self.names[min(position, other_position)]
        later_name = self.names[max(position, other_position)]
        # The annotator who comes first in the order of the run is in the column "first".
        is_pair = (self.pairs["first"] == earlier_name) & (self.pairs["second"] == later_name)
        return self.pairs[is_pair].iloc[0]

    def _pair_matrix(self, column: str, diagonal: float) -> Floats:
        """Return a column of the pairs as a symmetric matrix (K, K)."""
        return pairwise_matrix(self.pairs[column].to_numpy(dtype=float), len(self.names), diagonal)


def answer_text(results: AnnotatorResults) -> str:
    """Return mean F1 by area and a sentence on Fleiss' kappa with the study area, as rich text.

    F1 is n/a if no annotator marked anything. For one annotator, the text states the marked area
    instead.
    """
    sentences = message_texts(results.study_area_messages)
    if len(results.names) == 1:
        return tr(
            "<b>1 annotator</b> marked <b>{marked:,.1f} {unit}²</b><br>{area}",
            marked=results.value("marked_by_any"),
            unit=results.unit,
            area=escape(" ".join(sentences), quote=False),
        )
    format_number = NumberFormat(3)
    count_text = tr("{count:,} annotators", one="1 annotator", count=len(results.names))
    mean_f1 = math.nan if results.is_nothing_marked else results.value("mean_f1")
    if math.isnan(mean_f1):
        return tr(
            "<b>{people}</b> &nbsp;mean F1 by area <b>{mean}</b><br>{area}",
            area=escape(" ".join(sentences), quote=False),
            people=count_text,
            mean=format_number(mean_f1),
        )
    counts_unmarked = has_unmarked_area(results.value("study_area"), results.value("marked_by_any"))
    kappa_text = kappa_sentence(
        results.value("fleiss_kappa"),
        results.value("raw_agreement"),
        is_short=True,
        in_marked_area=not counts_unmarked,
    )
    all_sentences = filter(None, [kappa_text, *sentences])
    return tr(
        "<b>{people}</b> &nbsp;mean F1 by area <b>{mean}</b> (pairs {least} to {most})<br>{area}",
        area=escape(" ".join(all_sentences), quote=False),
        people=count_text,
        mean=format_number(mean_f1),
        least=format_number(results.value("min_f1")),
        most=format_number(results.value("max_f1")),
    )


def answer_tooltip(results: AnnotatorResults) -> str:
    """Return an explanation of mean F1 and Fleiss' kappa, with their intervals."""
    return tr(
        "F1 of every two annotators by area (Lampert et al. 2016, Eq. 6): mean, lowest and "
        "highest.\n95 % intervals from {blocks:,.0f} resampled blocks, {marked:,.0f} of them with "
        "marks: mean F1 {f1}; Fleiss' kappa {kappa}.",
        blocks=results.value("mean_f1", "blocks"),
        marked=results.value("mean_f1", "marked_blocks"),
        f1=_format_interval(results, "mean_f1"),
        kappa=_format_interval(results, "fleiss_kappa"),
    )


def bound_text(results: AnnotatorResults, limit: float) -> str:
    """Return a comparison of Smyth's bound with a limit, as rich text.

    Args:
        results: The results.
        limit: Largest mean error that the user accepts; negative if the user has set none.

    Returns:
        The bound and whether it is within the limit, or the reason why there is no bound.
    """
    bound = results.value("smyth_bound")
    if results.is_nothing_marked:
        return tr("Smyth's bound <b>n/a</b>: nobody marked anything")
    if math.isnan(bound):
        return tr("Smyth's bound <b>n/a</b>: it requires two annotators")
    if limit < 0:
        assessment = tr("limit not set")
    elif bound > limit:
        assessment = tr("above your limit")
    else:
        assessment = tr("within your limit")
    formatted_bound = NumberFormat(4)(bound)
    return tr("Smyth's bound <b>{bound}</b>, {words}", bound=formatted_bound, words=assessment)


def bound_tooltip(results: AnnotatorResults) -> str:
    """Return an explanation of Smyth's bound, with its interval."""
    return tr(
        "Lower bound of the annotators' mean error, as a share of the study area, whatever the "
        "truth is (Smyth 1996; Eq. 1). 95 % interval: {interval}. The acceptable limit is your "
        "choice.",
        interval=_format_interval(results, "smyth_bound", 4),
    )


def _format_interval(results: AnnotatorResults, statistic: str, digits: int = 3) -> str:
    """Return the 95 % interval of a statistic as "low to high", or "n/a" if it is undefined.

    Args:
        results: Results of the comparison.
        statistic: Name of the statistic, such as "mean_f1".
        digits: Number of decimals.
    """
    low = results.value(statistic, "low")
    high = results.value(statistic, "high")
    if results.is_nothing_marked or math.isnan(low):
        return tr("n/a")
    format_number = NumberFormat(digits)
    return tr("{low} to {high}", low=format_number(low), high=format_number(high))
