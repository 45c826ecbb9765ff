"""What a report shows of a run that matched instances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Callable

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

_COUNTED = (
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
    partitions = run.table(outputs.PARTITIONS)
    labels = {column.name: column.label for column in outputs.PARTITIONS.columns}
    titles = {"xy": tr("Metrics by distance to the trunk"), "z": tr("Metrics by height")}
    axes_there = [axis for axis in titles if len(partitions) and (partitions["axis"] == axis).any()]

    def drawn(axis: str) -> Callable[[object], None]:
        return lambda axes: draw_partitions(axes, partitions, axis, labels)

    return [Plot(titles[axis], drawn(axis), 6.0, 4.0) for axis in axes_there]


def _sheets(run: RunTables, number: int) -> list[CrownSheet]:
    targets = run.table(outputs.MATCHED_TARGETS)
    if not len(targets) or "iou" not in targets:
        return []
    shapes = run.shapes[outputs.MATCHED_TARGETS.id]
    scored = targets["iou"].fillna(0.0).where(np.array([not shape.isEmpty() for shape in shapes]))
    frame = targets.assign(iou=scored, shown_area=[shape.area() for shape in shapes])
    colours = tr("red: target, black: prediction.")
    sheets = []
    for title, about, rows in (
        (
            tr("Worst targets"),
            tr("The lowest IoU first, of equal ones the largest; {colours}", colours=colours),
            worst_crowns(frame, _SCORES[:1], number, larger="shown_area"),
        ),
        (
            tr("Typical targets"),
            tr(
                "Those whose IoU, precision and recall lie nearest to the medians; {colours}",
                colours=colours,
            ),
            typical_crowns(targets, _SCORES, number),
        ),
    ):
        shown = [_crown(run, int(row)) for row in rows]
        sheets += [CrownSheet(title, about, shown)] if shown else []
    return sheets


def _crown(run: RunTables, row: int) -> ShownCrown:
    target, predictions = (
        run.table(outputs.MATCHED_TARGETS).iloc[row],
        run.table(outputs.MATCHED_PREDICTIONS),
    )
    outlines = [(run.shapes[outputs.MATCHED_TARGETS.id][row], TARGET)]
    if len(predictions) and pd.notna(target["cut_id"]):
        match = np.flatnonzero(predictions["prediction_id"] == target["cut_id"])
        outlines += [
            (run.shapes[outputs.MATCHED_PREDICTIONS.id][place], DELINEATION) for place in match
        ]
    columns = {column.name: column for column in outputs.MATCHED_TARGETS.columns}
    status = str(target["status"])
    return ShownCrown(
        tr("Target {id}", id=target["target_id"]),
        [
            (columns[name].label, written(value, 2))
            for name, value in zip(_SCORES, target[[*_SCORES]].astype(float))
        ],
        "" if status == MatchStatus.TRUE_POSITIVE.value else columns["status"].shown(status),
        "",
        outlines,
        run.systems[outputs.MATCHED_TARGETS.id],
    )


#: Of randcrowns:evaluateinstances and randcrowns:evaluatepointcloud.
SHOWING = Showing(
    tables=(
        ShownTable(outputs.SUMMARY, _METRICS, tr("Metrics")),
        ShownTable(outputs.SUMMARY, _COUNTED, tr("Counts")),
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
    plot = "group" if "group" in names else ""
    columns = ("group", "targets", "precision", "recall", "f1", "mean_iou")
    return Pages(
        tr("Target {name}"),
        "target_id",
        "iou",
        ("target_id", "status", *_SCORES),
        plot=plot,
        columns=columns,
    )


#: Of randcrowns:evaluateinstances and randcrowns:evaluatepointcloud.
PRINTED = Printed(tr("worst targets"), outputs.MATCHED_TARGETS, outputs.SUMMARY, _pages)
