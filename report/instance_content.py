"""Answer and figures of a run that evaluated instances, from its tables and without QGIS."""

from __future__ import annotations

import pandas as pd

from randcrowns.core.status import ALL_PLOTS
from randcrowns.report.content import Answer, Figure, Panel, Table, TableContent
from randcrowns.report.language import format_value, tr
from randcrowns.report.score_figures import (
    AXIS_HEIGHT,
    COMPACT_ROW_HEIGHT,
    MAX_DOTS,
    MAX_PLOTS,
    PANEL_WIDTH,
    MeanOfLayer,
    draw_distributions,
    draw_means,
    draw_plot_means,
    draw_problems,
    drawing,
    means_height,
    sort_means,
)

#: Height of a bar, inches.
_BAR_HEIGHT = 0.24


def instance_figures(summary: pd.DataFrame, targets: pd.DataFrame) -> list[Figure]:
    """Return the figures of an evaluation: metrics, IoU of the matched targets, counts and plots.

    Args:
        summary: summary with a row per plot and a row for all plots; see
            :func:`randcrowns.core.instances.summary.summarise_instances`.
        targets: matched targets with the column ``iou``; may be empty.
    """
    overall = summary[summary["plot"] == ALL_PLOTS]
    if not len(overall):
        return []
    figures = [_metrics_figure(overall), _counts_figure(overall)]
    iou = targets["iou"].dropna() if "iou" in targets else pd.Series(dtype=float)
    if len(iou):
        figures.append(_iou_figure(iou))
    plots = summary[summary["plot"] != ALL_PLOTS]
    if len(plots) > 1:
        figures.append(_plots_figure(plots))
    return figures


def instance_answer(summary: pd.DataFrame) -> Answer:
    """Return what was detected in all plots, with a table of the metrics and their intervals.

    Args:
        summary: summary; see :func:`instance_figures`.
    """
    overall = summary[summary["plot"] == ALL_PLOTS]
    if not len(overall):
        return Answer([], None)
    counts = overall.iloc[0]
    # Predictions that were not judged are no false detections.
    is_judged = "not_judged" not in overall or pd.isna(counts["not_judged"])
    n_detected, n_targets = int(counts["tp"]), int(counts["targets"])
    if is_judged:
        sentence = tr(
            "{detected:,} of {targets:,} targets were detected; false detections: {false:,}.",
            detected=n_detected,
            targets=n_targets,
            false=int(counts["fp"]),
        )
    else:
        sentence = tr(
            "{detected:,} of {targets:,} targets were detected.",
            detected=n_detected,
            targets=n_targets,
        )
    rows = [[row.name, row.text] for row in _metrics(overall)]
    cells = TableContent([tr("Meaning"), tr("Value")], [False, True], rows)
    return Answer([sentence], Table(tr("Metrics"), cells, tr("In brackets: 95 % interval.")))


def _metrics(overall: pd.DataFrame) -> list[MeanOfLayer]:
    """Return the metrics over all plots with their intervals.

    Args:
        overall: row of the summary for all plots.
    """
    metrics = []
    for column, name in _metric_names().items():
        ends = overall[[column, f"{column}_low", f"{column}_high"]].astype(float).iloc[0]
        metrics.append(MeanOfLayer(name, *ends.tolist()))
    return metrics


def _metric_names() -> dict[str, str]:
    """Return the names of the metrics by their column."""
    return {
        "precision": tr("Precision"),
        "recall": tr("Recall"),
        "f1": "F1",
        "pq": "PQ",
        "mean_iou": tr("Mean IoU"),
    }


def _metrics_figure(overall: pd.DataFrame) -> Figure:
    """Return the metrics over all plots with their intervals.

    Args:
        overall: row of the summary for all plots.
    """
    values = _metrics(overall)
    numbers = tuple(f"{row.name} {row.text}" for row in values)
    panel = Panel(
        drawing(draw_means, values, tr("value of the metric")),
        PANEL_WIDTH,
        means_height(len(values)),
        tr("Metrics: {numbers}", numbers=numbers),
    )
    n_targets, n_predictions = overall[["targets", "predictions"]].astype(int).iloc[0]
    caption = tr(
        "Points: metrics over {targets:,} targets and {predictions:,} predictions. Bars: 95 % "
        "intervals.",
        targets=int(n_targets),
        predictions=int(n_predictions),
    )
    return Figure(tr("Metrics"), [panel], caption)


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
    known = overall[[column for column in labels if column in overall]].astype(float)
    counts = {
        labels[column]: int(number) for column, number in known.iloc[0].items() if number == number
    }
    numbers = tuple(f"{label} {format_value(count, 0)}" for label, count in counts.items())
    panel = Panel(
        drawing(draw_problems, counts, max(counts.values(), default=0)),
        PANEL_WIDTH,
        AXIS_HEIGHT + _BAR_HEIGHT * len(counts),
        tr("Counts: {numbers}", numbers=numbers),
    )
    return Figure(tr("Counts"), [panel], tr("Bars: numbers of crowns."))


def _iou_figure(iou: pd.Series) -> Figure:
    """Return the distribution of the IoU of matched targets.

    Args:
        iou: IoU of the matched targets, without missing values.
    """
    name = tr("Matched targets")
    values = {name: iou.to_numpy(dtype=float)}
    low, median, high = (format_value(q, 2) for q in iou.astype(float).quantile([0.25, 0.5, 0.75]))
    description = tr(
        "{layer}: median {median}, quartiles {low} and {high}",
        layer="IoU",
        median=median,
        low=low,
        high=high,
    )
    caption = tr("Each dot is a target. Vertical lines: medians.")
    if len(iou) > MAX_DOTS:
        caption = tr(
            "The height of a shape is the share of the targets at this score; layers of up to "
            "{maximum} targets have a dot per target. Vertical lines: medians.",
            maximum=MAX_DOTS,
        )
    panel = Panel(
        drawing(draw_distributions, values, "IoU"), PANEL_WIDTH, means_height(1), description
    )
    return Figure(tr("Distribution of the scores"), [panel], caption)


def _plots_figure(plots: pd.DataFrame) -> Figure:
    """Return F1 per plot, the worst plot on top.

    Args:
        plots: rows of the summary for single plots.
    """
    ends = plots[["f1", "f1_low", "f1_high"]].astype(float).to_numpy().tolist()
    rows = [MeanOfLayer(str(plot), *values) for plot, values in zip(plots["plot"], ends)]
    worst = sort_means(rows, lowest_first=True)[:MAX_PLOTS]
    numbers = tuple(f"{row.name} {row.text}" for row in worst)
    panel = Panel(
        drawing(draw_plot_means, worst, "F1"),
        PANEL_WIDTH,
        AXIS_HEIGHT + COMPACT_ROW_HEIGHT * len(worst),
        tr("Mean {score}: {numbers}", score="F1", numbers=numbers),
    )
    caption = tr("Points: F1 of a plot. Bars: 95 % intervals, if there are any.")
    if len(rows) > MAX_PLOTS:
        rest = tr(
            "The {shown} worst of {all:,} plots; the table of the run contains the others.",
            shown=MAX_PLOTS,
            all=len(rows),
        )
        caption = f"{caption} {rest}"
    return Figure(tr("Plots, the worst first"), [panel], caption)
