"""How the tables of page Instances are titled and explained, and the matching methods in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from randcrowns.core.instances.matching import MatchStatus, Method
from randcrowns.core.instances.summary import INTERVALS, LEAST_TARGETS
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.form_rows import Choice
from randcrowns.ui.widgets.table_model import Column, as_number, as_text

__all__ = [
    "METRICS",
    "instance_columns",
    "instance_status_words",
    "methods",
    "metric_meaning",
    "performance_columns",
    "plot_summary_columns",
    "too_few",
    "with_plot_intervals",
]

#: Column of the summary -> how it is called.
METRICS = {"precision": "precision", "recall": "recall", "f1": "F1", "pq": "PQ", "mean_iou": "mean IoU"}


def methods() -> tuple[Choice, ...]:
    """The six matching methods with their rules."""
    return (
        (
            Method.PANOPTIC_SEGMENTATION.value,
            tr("panoptic_segmentation"),
            tr("Each target's best prediction, kept if their IoU is above 0.5 (Kirillov et al. 2019)."),
        ),
        (
            Method.POINT2TREE.value,
            tr("point2tree"),
            tr("The tallest target takes the best prediction that is still free, at any overlap (Wielgosz 2023)."),
        ),
        (
            Method.FOR_INSTANCE.value,
            tr("for_instance"),
            tr("As point2tree, kept if the IoU is at least 0.5 (Puliti et al. 2023)."),
        ),
        (
            Method.FOR_AI_NET.value,
            tr("for_ai_net"),
            tr("Each target's best prediction, kept if their IoU is at least 0.5 (Xiang et al. 2024)."),
        ),
        (
            Method.FOR_AI_NET_COVERAGE.value,
            tr("for_ai_net_coverage"),
            tr("Each target's best prediction at any overlap; one may serve several targets (Xiang et al. 2024)."),
        ),
        (
            Method.TREE_LEARN.value,
            tr("tree_learn"),
            tr("One to one with the largest total IoU; pairs above 0.5 are kept (Henrich et al. 2024)."),
        ),
    )


def metric_meaning(name: str) -> str:
    """What a metric of the summary means."""
    return {
        "precision": tr("Share of the predictions that found a target; uncertain ones do not count."),
        "recall": tr("Share of the targets that were found."),
        "f1": tr("Harmonic mean of precision and recall."),
        "pq": tr("Panoptic quality: mean IoU of the matched pairs times F1."),
        "mean_iou": tr("Mean IoU of all targets with their prediction; a target without one always counts as 0."),
    }[name]


def instance_status_words(status: Any) -> str:
    """A status in words."""
    words = {
        MatchStatus.TRUE_POSITIVE.value: tr("found"),
        MatchStatus.FALSE_NEGATIVE.value: tr("not found"),
        MatchStatus.FALSE_POSITIVE.value: tr("false"),
        MatchStatus.UNCERTAIN.value: tr("uncertain"),
        MatchStatus.NO_GEOMETRY.value: tr("no outline"),
    }
    return words.get(str(status), as_text(status))


def instance_columns(of_targets: bool, names: list[str]) -> list[Column]:
    """Columns of the table of the targets or of the predictions; ``names`` are those it has."""
    meaning = (
        tr("found: has a prediction (true positive); not found: has none (false negative).")
        if of_targets
        else tr("found: has a target (true positive); false: has none (false positive); uncertain: does not count.")
    )
    own, other = (tr("target"), tr("prediction")) if of_targets else (tr("prediction"), tr("target"))
    columns = [
        Column("target_id" if of_targets else "prediction_id", tr("id"), tr("Id of the {own}.").format(own=own), _id),
        Column("status", tr("status"), meaning, instance_status_words, right=False, also=_layer_words),
        Column(
            "match_id", tr("match"), tr("The {other} it was matched with, for what was found.").format(other=other), _id
        ),
        Column("cut_id", tr("cut by"), tr("The prediction that IoU, precision and recall are measured with."), _id),
        Column("iou", tr("IoU"), tr("Shared size over the size of both, 0 to 1."), as_number(2)),
        Column("precision", tr("prec."), tr("Shared size over the size of the prediction, 0 to 1."), as_number(2)),
        Column("recall", tr("recall"), tr("Shared size over the size of the target, 0 to 1."), as_number(2)),
        Column("height", tr("height"), tr("Height (m), or the value of the height field."), as_number(1)),
        Column("points", tr("points"), tr("Number of points."), as_number(0)),
        Column("area", tr("area"), tr("Area of the outline (m²)."), as_number(1)),
        Column("group", tr("plot"), tr("Value of the group field."), as_text, right=False),
    ]
    return [replace(column, csv=column.name) for column in columns if column.name in names]


def too_few() -> str:
    """Where there is no interval, and why."""
    return tr("Below {least} targets it is n/a: so few, drawn again and again, say little of others.").format(
        least=LEAST_TARGETS
    )


def with_plot_intervals(summary: pd.DataFrame) -> pd.DataFrame:
    """The summary with a text ``<metric>_between`` for each interval."""
    frame = summary.copy()
    for name in INTERVALS:
        frame[f"{name}_between"] = [
            tr("n/a") if pd.isna(low) or pd.isna(high) else f"{low:.2f}–{high:.2f}"
            for low, high in zip(frame[f"{name}_low"], frame[f"{name}_high"])
        ]
    return frame


def plot_summary_columns(names: list[str]) -> list[Column]:
    """Columns of the summary, one row per plot."""
    columns = [Column("group", tr("plot"), tr("Value of the group field; all: everything."), as_text, right=False)]
    between = tr("95 % interval, from drawing plots (or instances, see the last column) with replacement.")
    between += " " + too_few()
    for name, title in METRICS.items():
        columns.append(Column(name, title, metric_meaning(name), as_number(3)))
        columns.append(Column(f"{name}_between", tr("95 %"), between, as_text))
    for name, title, meaning in (
        ("targets", tr("targets"), tr("Target instances.")),
        ("predictions", tr("predictions"), tr("Predicted instances.")),
        ("tp", tr("TP"), tr("Targets that were found.")),
        ("fp", tr("FP"), tr("Predictions that found no target.")),
        ("fn", tr("FN"), tr("Targets that were not found.")),
        ("uncertain", tr("uncertain"), tr("Unmatched predictions that do not count as mistakes.")),
        ("splits", tr("splits"), tr("Targets in which several predictions lie for more than half of their size.")),
        ("merges", tr("merges"), tr("Predictions in which several targets lie for more than half of their size.")),
    ):
        columns.append(Column(name, title, meaning, as_number(0)))
    columns.append(Column("sq", tr("SQ"), tr("Mean IoU of the matched pairs."), as_number(3)))
    columns.append(Column("resampled", tr("drawn"), tr("What was drawn for the intervals."), as_text, right=False))
    return [replace(column, csv=column.name) for column in columns if column.name in names]


def performance_columns() -> list[Column]:
    """Columns of what each step took."""
    return [
        Column(
            "step",
            tr("step"),
            tr("Part of the run; the last row is all of it but the writing of the layers."),
            as_text,
            right=False,
        ),
        Column("wallclock_s", tr("time (s)"), tr("Seconds on the clock."), as_number(2)),
        Column("cpu_s", tr("CPU (s)"), tr("Seconds of the processor, over all its cores."), as_number(2)),
        Column("memory_gb", tr("memory (GB)"), tr("Held by QGIS when the step ended."), as_number(2)),
        Column("memory_increment_gb", tr("change (GB)"), tr("More than when the step began."), as_number(2)),
    ]


def _layer_words(status: Any) -> str:
    """A status as the layers and their legends have it, so that it is found by those words too."""
    return str(status).replace("_", " ")


def _id(value: Any) -> str:
    return "" if pd.isna(value) else str(int(value))
