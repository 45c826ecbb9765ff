"""Report content and print content of runs that evaluated instances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from randcrowns.algorithms.instances import outputs
from randcrowns.algorithms.record import Record
from randcrowns.algorithms.showing import (
    CrownSheet,
    Plot,
    Printed,
    RunTables,
    Showing,
    ShownCrown,
    ShownTable,
)
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.review.picks import typical_crowns, worst_crowns
from randcrowns.layers.styles import DELINEATION, TARGET
from randcrowns.layers.styles.plots import draw_partitions
from randcrowns.layers.styles.print_layout import Pages
from randcrowns.layers.words import tr, written

_COUNTS = (
    "group",
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
_METRICS = ("group", "precision", "recall", "f1", "pq", "sq", "rq", "mean_iou")
_SCORES = ("iou", "precision", "recall")


def _plots(run: RunTables) -> list[Plot]:
    """Return a plot of the mean metrics per partition for each axis that the run used."""
    partitions = run.table(outputs.PARTITIONS)
    if not len(partitions):
        return []
    titles = {"xy": tr("Metrics by distance to the trunk"), "z": tr("Metrics by height")}
    return [
        _partition_plot(title, partitions, axis)
        for axis, title in titles.items()
        if (partitions["axis"] == axis).any()
    ]


def _partition_plot(title: str, partitions: pd.DataFrame, axis: str) -> Plot:
    """Return a plot of the mean metrics per partition along an axis, ``xy`` or ``z``."""
    labels = {column.name: column.label for column in outputs.PARTITIONS.columns}
    return Plot(
        title,
        lambda axes: draw_partitions(axes, partitions, axis, labels),
        width=6.0,
        height=4.0,
    )


def _sheets(run: RunTables, number: int) -> list[CrownSheet]:
    """Return sheets with the worst and the typical targets.

    Args:
        run: outputs of the run.
        number: maximum number of targets on a sheet.
    """
    targets = run.table(outputs.MATCHED_TARGETS)
    if not len(targets) or "iou" not in targets:
        return []
    shapes = run.shapes[outputs.MATCHED_TARGETS.id]
    has_outline = np.array([not shape.isEmpty() for shape in shapes])
    # An unmatched target counts as 0; a target without an outline cannot be shown.
    iou = targets["iou"].fillna(0.0).where(has_outline)
    ranked = targets.assign(iou=iou, shown_area=[shape.area() for shape in shapes])
    worst_rows = worst_crowns(ranked, ("iou",), number, larger="shown_area")
    typical_rows = typical_crowns(targets, _SCORES, number)
    colours = tr("red: target, black: prediction.")
    worst = CrownSheet(
        tr("Worst targets"),
        tr("The lowest IoU first; with equal IoU, the largest first; {colours}", colours=colours),
        [_report_crown(run, int(row)) for row in worst_rows],
    )
    typical = CrownSheet(
        tr("Typical targets"),
        tr(
            "Targets whose IoU, precision and recall are nearest to the medians; {colours}",
            colours=colours,
        ),
        [_report_crown(run, int(row)) for row in typical_rows],
    )
    return [sheet for sheet in (worst, typical) if sheet.crowns]


def _report_crown(run: RunTables, row: int) -> ShownCrown:
    """Return the target in a row with its prediction, for a crown sheet."""
    target = run.table(outputs.MATCHED_TARGETS).iloc[row]
    predictions = run.table(outputs.MATCHED_PREDICTIONS)
    outlines = [(run.shapes[outputs.MATCHED_TARGETS.id][row], TARGET)]
    if len(predictions) and pd.notna(target["cut_id"]):
        shapes = run.shapes[outputs.MATCHED_PREDICTIONS.id]
        is_match = predictions["prediction_id"] == target["cut_id"]
        outlines += [(shapes[match], DELINEATION) for match in np.flatnonzero(is_match)]
    columns = {column.name: column for column in outputs.MATCHED_TARGETS.columns}
    status = str(target["status"])
    is_found = status == MatchStatus.TRUE_POSITIVE.value
    return ShownCrown(
        name=tr("Target {id}", id=target["target_id"]),
        numbers=[(columns[name].label, written(float(target[name]), 2)) for name in _SCORES],
        problem="" if is_found else columns["status"].shown(status),
        cause="",
        outlines=outlines,
        system=run.systems[outputs.MATCHED_TARGETS.id],
    )


#: Report content of ``randcrowns:evaluateinstances`` and ``randcrowns:evaluatepointcloud``.
SHOWING = Showing(
    tables=(
        ShownTable(outputs.SUMMARY, _METRICS, tr("Metrics")),
        ShownTable(outputs.SUMMARY, _COUNTS, tr("Counts")),
        ShownTable(
            outputs.SUMMARY,
            ("group", "ap", "ap50", "ap75", "ar_100", "point_recall"),
            tr("Average precision"),
        ),
        ShownTable(outputs.THRESHOLDS),
        ShownTable(outputs.CLASSES),
    ),
    map=(outputs.MATCHED_TARGETS,),
    read=(outputs.MATCHED_TARGETS, outputs.MATCHED_PREDICTIONS, outputs.PARTITIONS),
    plots=_plots,
    crowns=_sheets,
)


def _pages(_record: Record, names: Sequence[str], _shown: str) -> Pages:
    """Return the pages of a print layout, sorted by IoU.

    Args:
        names: field names of the layer of matched targets.
    """
    return Pages(
        tr("Target {name}"),
        "target_id",
        "iou",
        ("target_id", "status", *_SCORES),
        plot="group" if "group" in names else "",
        columns=("group", "targets", "precision", "recall", "f1", "mean_iou"),
    )


#: Print content of ``randcrowns:evaluateinstances`` and ``randcrowns:evaluatepointcloud``.
PRINTED = Printed(tr("worst targets"), outputs.MATCHED_TARGETS, outputs.SUMMARY, _pages)
