"""How the tables of page Score are titled and explained."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pandas as pd

from randcrowns.core.status import Status
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.table_model import Column, as_number, as_text

__all__ = ["crown_columns", "status_meaning", "status_words", "summary_columns", "with_intervals"]

_SCORES = (("randcrowns", "RC"), ("iou", "IoU"), ("iou_crowns", "IoUC"))


def status_words(status: Any) -> str:
    """A status as a forester would say it."""
    words = {
        Status.SCORED.value: tr("scored"),
        Status.EXTENT_LIMITED.value: tr("scored, cut by extent"),
        Status.MISSED.value: tr("missed"),
        Status.UNMATCHED.value: tr("unmatched"),
        Status.TARGET_TOO_SMALL.value: tr("too small"),
        Status.NO_GEOMETRY.value: tr("no geometry"),
        Status.OUTSIDE_EXTENT.value: tr("outside the extent"),
    }
    return words.get(str(status), as_text(status))


def status_meaning(status: str) -> str:
    """What a status means, in a sentence."""
    meanings = {
        Status.MISSED.value: tr("the delineation does not touch what is surely crown; the score is 0"),
        Status.UNMATCHED.value: tr("no delineation was found for the target; the score is 0"),
        Status.TARGET_TOO_SMALL.value: tr(
            "narrower than twice the length alpha, so nothing is surely crown; no score, left out of the means"
        ),
        Status.NO_GEOMETRY.value: tr("the feature has no usable outline; no score"),
        Status.EXTENT_LIMITED.value: tr("scored; the image extent leaves less room outside the crown than asked for"),
    }
    return meanings.get(status, "")


def crown_columns(names: Iterable[str] = ()) -> list[Column]:
    """Columns of the crown table; ``names`` are those it has, with means over several layers where there are any."""
    columns = [
        Column("target_id", tr("id"), tr("Feature id of the crown in the target layer."), as_text),
        Column("delineation_id", tr("match"), tr("Feature id of its match in the delineation layer."), as_text),
        Column("randcrowns", tr("RC"), tr("RandCrowns, 0 to 1 (Stewart et al. 2021, Eq. 14)."), as_number(2)),
        Column("iou", tr("IoU"), tr("Shared area over the area of both, 0 to 1."), as_number(2)),
        Column("iou_crowns", tr("IoUC"), tr("IoUCrowns: IoU without what is not judged, 0 to 1."), as_number(2)),
        Column("status", tr("status"), tr("What became of the crown."), status_words, right=False),
    ]
    for name, title in _SCORES:
        mean = tr("Mean {name} of this crown over all delineation layers of the run, 0 to 1.").format(name=title)
        variance = tr(
            "Variance of this crown's {name} over all delineation layers of the run (Stewart et al. 2021, Eq. 15)."
        ).format(name=title)
        columns += [
            Column(f"{name}_mean", tr("mean {name}").format(name=title), mean, as_number(2)),
            Column(f"{name}_variance", tr("variance {name}").format(name=title), variance, as_number(4)),
        ]
    several = f"{_SCORES[0][0]}_mean" in set(names)
    return columns if several else columns[: -2 * len(_SCORES)]


def with_intervals(summary: pd.DataFrame) -> pd.DataFrame:
    """The summary with a text per score that holds the mean and its interval: ``0.85 (0.74–0.94)``."""
    texts = {
        f"{name}_shown": [
            _interval(*row) for row in summary[[f"{name}_{what}" for what in ("mean", "low", "high")]].to_numpy(float)
        ]
        for name, _ in _SCORES
    }
    return summary.assign(**texts)


def _interval(mean: float, low: float, high: float) -> str:
    if math.isnan(mean):
        return tr("n/a")
    return f"{mean:.2f}" if math.isnan(low + high) else f"{mean:.2f} ({low:.2f}–{high:.2f})"


def summary_columns(names: list[str]) -> list[Column]:
    """Columns of the summary table; ``names`` are those it has, with the thresholds that were asked for."""
    columns = [
        Column("layer", tr("layer"), tr("Delineation layer."), as_text, right=False),
        Column("group", tr("group"), tr("Value of the group field; all: every target."), as_text, right=False),
    ]
    columns.append(Column("targets", tr("crowns"), tr("Target crowns."), as_number(0)))
    for name, title in _SCORES:
        shown = tr(
            "Mean {name} of the target crowns, 0 to 1; in brackets its 95 % confidence interval, from resampled crowns."
        ).format(name=title)
        columns.append(Column(f"{name}_shown", title, shown, as_text))
    for name, title, tooltip in (
        ("delineations", tr("delineations"), tr("Delineated crowns.")),
        ("matched", tr("matched"), tr("Targets with a delineation.")),
        ("missed", tr("missed"), status_meaning(Status.MISSED.value)),
        ("unmatched_targets", tr("unmatched"), status_meaning(Status.UNMATCHED.value)),
        ("unmatched_delineations", tr("extra"), tr("Delineations that serve no target.")),
        ("too_small", tr("too small"), status_meaning(Status.TARGET_TOO_SMALL.value)),
    ):
        columns.append(Column(name, title, tooltip, as_number(0)))
    for name, title in _SCORES:
        mean = tr("Mean {name} of the target crowns, 0 to 1.").format(name=title)
        between = tr("95 % confidence interval of the mean {name}, from resampled crowns.").format(name=title)
        columns += [
            Column(f"{name}_mean", tr("{name} mean").format(name=title), mean, as_number(3)),
            Column(f"{name}_low", tr("{name} low").format(name=title), between, as_number(3)),
            Column(f"{name}_high", tr("{name} high").format(name=title), between, as_number(3)),
            Column(f"{name}_median", tr("{name} median").format(name=title), tr("Median, 0 to 1."), as_number(3)),
            Column(f"{name}_sd", tr("{name} sd").format(name=title), tr("Standard deviation."), as_number(3)),
        ]
    columns.append(
        Column(
            "penalised_mean",
            tr("penalised"),
            tr("Sum of RandCrowns over scored targets plus unmatched delineations: every false crown costs."),
            as_number(3),
        )
    )
    columns += [_found_column(name) for name in names if name.split("_")[0] in ("precision", "recall", "f1")]
    return [column for column in columns if column.name in names or column.name.endswith("_shown")]


def _found_column(name: str) -> Column:
    """A column such as ``recall_iou_0_4``."""
    measure, score, threshold = name.split("_", 2)
    threshold = threshold.replace("_", ".")
    score = {"iou": "IoU", "randcrowns": "RC"}.get(score, score)
    meaning = {
        "recall": tr("Share of the target crowns that were found"),
        "precision": tr("Share of the delineations that find a target"),
        "f1": tr("Harmonic mean of precision and recall"),
    }[measure]
    counts = tr("a crown counts as found from {score} {threshold} on.").format(score=score, threshold=threshold)
    return Column(name, f"{measure} {score} {threshold}", f"{meaning}; {counts}", as_number(3))
