"""The answer of page Annotators in two lines: how far they agree, and Smyth's bound with the user's limit."""

from __future__ import annotations

import math

from randcrowns.layers.words import counted, tr
from randcrowns.ui.annotator_results import AnnotatorResults

__all__ = ["answer_text", "answer_tooltip", "verdict_text", "verdict_tooltip"]


def answer_text(results: AnnotatorResults) -> str:
    """Mean F1 and kappa, as rich text; no F1 where nobody marked anything."""
    mean = math.nan if results.nothing_marked else results.value("mean_f1")
    pairs = tr(" (pairs {least} to {most})").format(
        least=_number(results.value("min_f1")), most=_number(results.value("max_f1"))
    )
    return tr("<b>{people}</b> &nbsp;mean F1 <b>{mean}</b>{pairs} &nbsp;Fleiss' kappa <b>{kappa}</b>").format(
        people=counted(len(results.names), tr("annotator"), tr("annotators")),
        mean=_number(mean),
        pairs="" if math.isnan(mean) else pairs,
        kappa=_number(results.value("fleiss_kappa")),
    )


def answer_tooltip(results: AnnotatorResults) -> str:
    """What the numbers mean, with their intervals."""
    return tr(
        "F1 of every two annotators, by area (Lampert et al. 2016, Eq. 6): the mean, and in brackets the lowest and "
        "the highest pair.\n95 % intervals from {blocks:,.0f} resampled blocks, {marked:,.0f} of them with marks: mean "
        "F1 {f1}; Fleiss' kappa {kappa}."
    ).format(
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
        return tr("Smyth's bound <b>n/a</b>: it needs two annotators")
    words = tr("above your limit") if bound > limit else tr("within your limit")
    if limit < 0:
        words = tr("limit not set")
    return tr("Smyth's bound <b>{bound}</b>, {words}").format(bound=_number(bound, 4), words=words)


def verdict_tooltip(results: AnnotatorResults) -> str:
    """What the bound means, with its interval."""
    return tr(
        "The annotators are wrong on at least this share of the study area on average, whatever the truth is "
        "(Smyth 1996; Eq. 1). 95 % interval: {interval}. What is acceptable is yours to say."
    ).format(interval=_interval(results, "smyth_bound", 4))


def _interval(results: AnnotatorResults, statistic: str, digits: int = 3) -> str:
    """Low to high, or n/a."""
    low, high = results.value(statistic, "low"), results.value(statistic, "high")
    if results.nothing_marked or math.isnan(low):
        return tr("n/a")
    return tr("{low} to {high}").format(low=_number(low, digits), high=_number(high, digits))


def _number(value: float, digits: int = 3) -> str:
    return tr("n/a") if math.isnan(value) else f"{value:.{digits}f}"
