"""Answer and figures of a run that evaluated instances, from its tables and without QGIS."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from randcrowns.core.messages import Message
from randcrowns.core.status import ALL_PLOTS
from randcrowns.report.class_content import class_sentences
from randcrowns.report.content import (
    Answer,
    Figure,
    Panel,
    Table,
    TableContent,
    single_figure,
)
from randcrowns.report.interval_notes import interval_note, plot_interval_note
from randcrowns.report.language import format_value, tr
from randcrowns.report.result_figures import draw_partitions
from randcrowns.report.score_figures import (
    AXIS_HEIGHT,
    BAR_HEIGHT,
    MAX_PLOTS,
    PANEL_WIDTH,
    MeanOfLayer,
    draw_distributions,
    draw_problems,
    drawing,
    means_height,
    sort_means,
)
from randcrowns.report.score_panels import (
    add_number_of_plots,
    describe_means,
    describe_quartiles,
    distribution_caption,
    missing_interval_note,
    plot_means_panel,
    read_means,
)
from randcrowns.report.words import detection_sentence

#: Columns of the summary with metrics, with counts, and with average precision.
METRIC_COLUMNS = ("precision", "recall", "f1", "pq", "sq", "rq", "mean_iou")
COUNT_COLUMNS = (
    "targets",
    "predictions",
    "uncertain",
    "not_judged",
    "tp",
    "fp",
    "fn",
    "splits",
    "merges",
)
PRECISION_COLUMNS = ("ap", "ap50", "ap75", "ar_100", "point_recall")


def instance_figures(summary: pd.DataFrame, targets: pd.DataFrame) -> list[Figure]:
    """Return the figures of an evaluation: counts, IoU of the matched targets, and plots.

    The metrics of all plots are in the table of the answer only.

    Args:
        summary: summary with a row per plot and a row for all plots; see
            :func:`randcrowns.core.instances.summary.summarise_instances`.
        targets: matched targets with the column ``iou``; may be empty.
    """
    overall = summary[summary["plot"] == ALL_PLOTS]
    if not len(overall):
        return []
    figures = [_counts_figure(overall)]
    iou = targets["iou"].dropna() if "iou" in targets else pd.Series(dtype=float)
    if len(iou):
        figures.append(_iou_figure(iou))
    plots = summary[summary["plot"] != ALL_PLOTS]
    if len(plots) > 1:
        figures.append(_plots_figure(plots))
    return figures


def partition_figures(partitions: pd.DataFrame) -> list[Figure]:
    """Return a figure of the mean metrics of parts of the trees for each axis of them.

    Args:
        partitions: table with the columns ``axis`` (``xy`` for the distance to the trunk, ``z`` for
            the height), ``begin`` and ``end`` (limits of a part as shares), ``mean_iou``,
            ``mean_precision`` and ``mean_recall``; may be empty.
    """
    if not len(partitions):
        return []
    titles = {"xy": tr("Metrics by distance to the trunk"), "z": tr("Metrics by height")}
    is_present = set(partitions["axis"])
    return [
        _partition_figure(title, partitions, axis)
        for axis, title in titles.items()
        if axis in is_present
    ]


def _partition_figure(title: str, partitions: pd.DataFrame, axis: str) -> Figure:
    """Return a plot of the mean metrics of parts of the trees along an axis, ``xy`` or ``z``."""
    labels = {
        "mean_iou": tr("Mean IoU"),
        "mean_precision": tr("Mean precision"),
        "mean_recall": tr("Mean recall"),
    }
    rows = partitions[partitions["axis"] == axis]
    means = []
    for name, label in labels.items():
        values = ", ".join(format_value(float(value), 2) for value in rows[name])
        means.append(f"{label} {values}")
    caption = tr(
        "Points: means over the targets with points in each of the {count} parts of a tree.",
        count=len(rows),
    )
    return single_figure(
        title,
        lambda axes: draw_partitions(axes, partitions, axis, labels),
        caption,
        f"{title}: {'; '.join(means)}",
        (4.8, 3.4),
    )


def instance_answer(
    summary: pd.DataFrame, headline: Sequence[Message] = (), method: str = ""
) -> Answer:
    """Return what was detected in all plots, with a table of the metrics and their intervals.

    Args:
        summary: summary; see :func:`instance_figures`.
        headline: conclusion of the run, whose sentences about classes are part of the answer.
        method: label of the matching method for detection; "" if it is unknown.
    """
    overall = summary[summary["plot"] == ALL_PLOTS]
    if not len(overall):
        return Answer([], None)
    counts = overall.iloc[0]
    # Predictions that were not judged are no false detections.
    is_judged = "not_judged" not in overall or pd.isna(counts["not_judged"])
    n_false = int(counts["fp"]) if is_judged else None
    sentence = detection_sentence(int(counts["tp"]), int(counts["targets"]), n_false)
    metrics = _metrics(overall)
    rows = [[row.name, row.text] for row in metrics]
    names = _metric_names()
    meanings_by_column = metric_meanings()
    meanings = [(names[column], meanings_by_column[column]) for column in _known_metrics(overall)]
    cells = TableContent([tr("Measure"), tr("Value")], [False, True], rows, meanings)
    has_intervals = any(row.has_interval for row in metrics)
    note = interval_note(has_intervals) or missing_interval_note(len(summary) - len(overall))
    table = Table(tr("Metrics"), cells, note)
    rule = [tr("Rule by which a target is detected: {method}.", method=method)] if method else []
    return Answer([sentence, *rule, *class_sentences(headline)], table)


def _metrics(overall: pd.DataFrame) -> list[MeanOfLayer]:
    """Return the metrics over all plots with their intervals.

    Args:
        overall: row of the summary for all plots.
    """
    names = _metric_names()
    metrics = []
    for metric in _known_metrics(overall):
        columns = _metric_columns(metric)
        metrics += read_means(overall.reindex(columns=[*columns]), [names[metric]], columns)
    return metrics


def _known_metrics(overall: pd.DataFrame) -> list[str]:
    """Return the columns of the metrics over all plots; AP only if predictions have scores.

    Args:
        overall: row of the summary for all plots.
    """
    metrics = [metric for metric in _metric_names() if metric in overall]
    if "ap" in metrics and overall["ap"].isna().all():
        metrics.remove("ap")
    return metrics


def _metric_columns(metric: str) -> tuple[str, str, str]:
    """Return the columns of a metric and of the ends of its interval."""
    return metric, f"{metric}_low", f"{metric}_high"


def _metric_names() -> dict[str, str]:
    """Return the names of the metrics by their column."""
    return {
        "precision": tr("Precision"),
        "recall": tr("Recall"),
        "f1": "F1",
        "pq": tr("Panoptic quality (PQ)"),
        "sq": tr("Segmentation quality (SQ)"),
        "rq": tr("Recognition quality (RQ)"),
        "mean_iou": tr("Mean IoU"),
        "ap": tr("AP, COCO"),
    }


def metric_meanings() -> dict[str, str]:
    """Return the meaning of the metrics by their column.

    >>> metric_meanings()["f1"]
    'F1 of detection: harmonic mean of precision and recall.'
    """
    return {
        "precision": tr(
            "Share of the predictions that have a target; uncertain ones are excluded."
        ),
        "recall": tr("Share of the targets that were detected."),
        "f1": tr("F1 of detection: harmonic mean of precision and recall."),
        "pq": tr("Panoptic quality: mean IoU of the matched pairs times F1."),
        "sq": tr("Segmentation quality: mean IoU of the matched pairs."),
        "rq": tr("Recognition quality: F1."),
        "mean_iou": tr("Mean IoU of all targets; a target without a prediction counts as 0."),
        "ap": tr(
            "Average precision as in COCO: over IoU 0.50:0.05:0.95 and 101 recall levels, at most "
            "100 predictions per plot."
        ),
    }


def division_meanings() -> dict[str, str]:
    """Return the meaning of the numbers of splits and merges by their column.

    >>> division_meanings()["splits"]
    'Targets that contain more than half of each of several predictions.'
    """
    return {
        "splits": tr("Targets that contain more than half of each of several predictions."),
        "merges": tr("Predictions that contain more than half of each of several targets."),
    }


def _counts_figure(overall: pd.DataFrame) -> Figure:
    """Return the numbers of detected and not detected targets and false detections.

    Args:
        overall: row of the summary for all plots.
    """
    labels = {
        "tp": tr("Detected"),
        "fn": tr("Not detected"),
        "fp": tr("False detections"),
        "splits": tr("Splits"),
        "merges": tr("Merges"),
    }
    further_labels = {"uncertain": tr("Uncertain"), "not_judged": tr("Not judged")}
    counts = _known_counts(overall, labels)
    counts |= {
        label: count for label, count in _known_counts(overall, further_labels).items() if count
    }
    numbers = tuple(f"{label} {format_value(count, 0)}" for label, count in counts.items())
    panel = Panel(
        drawing(draw_problems, counts, max(counts.values(), default=0)),
        PANEL_WIDTH,
        AXIS_HEIGHT + BAR_HEIGHT * len(counts),
        tr("Counts: {numbers}", numbers=numbers),
    )
    n_targets, n_predictions = overall[["targets", "predictions"]].astype(int).iloc[0]
    caption = tr(
        "Bars: counts, of {targets:,} targets and {predictions:,} predictions.",
        targets=int(n_targets),
        predictions=int(n_predictions),
    )
    definitions = [
        f"{labels[column]}: {meaning}"
        for column, meaning in division_meanings().items()
        if labels[column] in counts
    ]
    return Figure(tr("Counts"), [panel], " ".join([caption, *definitions]))


def _known_counts(overall: pd.DataFrame, labels: Mapping[str, str]) -> dict[str, int]:
    """Return the counts of all plots by label, without missing ones.

    Args:
        overall: row of the summary for all plots.
        labels: labels by column.
    """
    numbers = overall.reindex(columns=[*labels]).astype(float).iloc[0]
    return {labels[str(column)]: int(number) for column, number in numbers.dropna().items()}


def _iou_figure(iou: pd.Series) -> Figure:
    """Return the distribution of the IoU of the targets, of which some may not be detected.

    Args:
        iou: IoU of the targets with their match, without missing values.
    """
    name = tr("Targets")
    values = {name: iou.to_numpy(dtype=float)}
    panel = Panel(
        drawing(draw_distributions, values, "IoU"),
        PANEL_WIDTH,
        means_height(1),
        describe_quartiles("IoU", values[name]),
    )
    return Figure(tr("Distribution of the scores"), [panel], distribution_caption([len(iou)]))


def _plots_figure(plots: pd.DataFrame) -> Figure:
    """Return F1 per plot, the worst plot on top.

    Args:
        plots: rows of the summary for single plots.
    """
    rows = read_means(plots, plots["plot"], _metric_columns("f1"))
    worst = sort_means(rows, lowest_first=True)[:MAX_PLOTS]
    panel = plot_means_panel(worst, "F1", describe_means("F1", worst))
    caption = tr("Points: F1 of a plot. Bars: 95 % intervals.")
    caption = f"{caption} {plot_interval_note()}"
    caption = add_number_of_plots(caption, MAX_PLOTS, len(rows))
    return Figure(tr("Plots, the worst first"), [panel], caption)
