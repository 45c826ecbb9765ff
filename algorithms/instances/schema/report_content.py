"""Report content and print content of runs that evaluated instances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from qgis.core import QgsVectorLayer

from randcrowns.algorithms.classes.outputs import CLASS_OUTPUTS
from randcrowns.algorithms.classes.report_content import class_and_strata_parts
from randcrowns.algorithms.instances.schema import outputs
from randcrowns.algorithms.instances.schema.explore_content import explore_matches
from randcrowns.algorithms.instances.schema.reviewed_crowns import (
    list_reviewed_crowns,
    prediction_name,
)
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.report_content import (
    CrownSheet,
    PrintContent,
    ReportAnswer,
    ReportContent,
    ReportCrown,
    ReportTable,
    RunOutputs,
    show_outlines,
)
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.old_names import stored_column
from randcrowns.core.review.problems import Problem
from randcrowns.core.status import ALL_PLOTS
from randcrowns.layers.localization import format_value, tr
from randcrowns.layers.styles import DELINEATION_COLOUR, TARGET_COLOUR
from randcrowns.layers.styles.print_layout import AtlasPages
from randcrowns.layers.styles.styles import hide_category
from randcrowns.report.content import Figure
from randcrowns.report.crown_sheets import (
    INSTANCE_SCORES,
    drop_only_plot,
    instance_score_labels,
    instance_sheets,
    plot_text,
    target_name,
    undetected_cause,
)
from randcrowns.report.instance_content import (
    COUNT_COLUMNS,
    METRIC_COLUMNS,
    PRECISION_COLUMNS,
    instance_answer,
    instance_figures,
    partition_figures,
)
from randcrowns.report.problems import PROBLEM_COLOURS


def _answer_evaluation(run: RunOutputs) -> ReportAnswer:
    """Return the answer of an evaluation, and what the run concluded on classes.

    The table replaces the numbers of the conclusion, which is the first message of the run.
    """
    summary = run.table(outputs.SUMMARY)
    if not len(summary):
        return ReportAnswer()
    method = run.display_text_of("detection_method")
    answer = instance_answer(summary, run.record.headline, method)
    return ReportAnswer(answer.sentences, answer.table, has_conclusion=False)


def _plot_metrics(run: RunOutputs) -> list[Figure]:
    """Return the figures of an evaluation, and one of the partitions for each axis of them."""
    figures = []
    summary = run.table(outputs.SUMMARY)
    if len(summary):
        figures = instance_figures(summary, run.table(outputs.MATCHED_TARGETS))
    return [*figures, *partition_figures(run.table(outputs.PARTITIONS))]


def _draw_sheets(run: RunOutputs, number: int) -> list[CrownSheet]:
    """Return sheets with the worst and the typical targets.

    Args:
        run: outputs of the run.
        number: maximum number of targets on a sheet.
    """
    targets = run.table(outputs.MATCHED_TARGETS)
    if not len(targets) or "iou" not in targets:
        return []
    shapes = run.geometries[outputs.MATCHED_TARGETS.id]
    # A target of a point cloud may have no outline.
    areas = [np.nan if shape.isEmpty() else shape.area() for shape in shapes]
    are_points = run.record.algorithm.endswith("pointcloud")
    sheets = []
    for sheet in instance_sheets(targets, pd.Series(areas, targets.index), number, are_points):
        crowns = [_create_report_crown(run, int(row), are_points) for row in sheet.rows]
        sheets.append(CrownSheet(sheet.title, sheet.about, crowns))
    return sheets


def _create_report_crown(run: RunOutputs, row: int, are_points: bool) -> ReportCrown:
    """Return the target in a row with its prediction, for a crown sheet.

    Args:
        run: outputs of the run.
        row: row of the target in the layer of matched targets.
        are_points: True if points are counted, and not areas.
    """
    targets = run.table(outputs.MATCHED_TARGETS)
    target = targets.iloc[row]
    predictions = run.table(outputs.MATCHED_PREDICTIONS)
    outlines = [run.outline(outputs.MATCHED_TARGETS, row, TARGET_COLOUR)]
    if len(predictions) and pd.notna(target["segmentation_match_id"]):
        is_match = predictions["prediction_id"] == target["segmentation_match_id"]
        outlines += [
            run.outline(outputs.MATCHED_PREDICTIONS, match_row, DELINEATION_COLOUR)
            for match_row in np.flatnonzero(is_match).tolist()
        ]

    columns = {column.name: column for column in outputs.MATCHED_TARGETS.columns}
    labels = instance_score_labels(are_points)
    scores = []
    for name in INSTANCE_SCORES:
        text = format_value(float(target[name]), 2)
        scores.append((labels[name], text))
    status = str(target["status"])
    problem = ""
    problem_colour = ""
    cause = ""
    if status != MatchStatus.TRUE_POSITIVE.value:
        problem = columns["status"].display_text(status)
        problem_colour = PROBLEM_COLOURS[Problem.MISSING]
        if status == MatchStatus.FALSE_NEGATIVE.value:
            cause = undetected_cause(float(target["iou"]))
    return ReportCrown(
        name=target_name(drop_only_plot(targets).iloc[row]),
        scores=scores,
        problem=problem,
        problem_colour=problem_colour,
        cause=cause,
        outlines=outlines,
        plot=plot_text(target),
        review_key=(prediction_name(run.record), int(target["target_id"])),
    )


def _select_rows_of_plots(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of single plots; the answer and a figure have the numbers of all plots."""
    return summary[summary["plot"] != ALL_PLOTS]


def _style_map(layer: QgsVectorLayer, output: Output, _record: Provenance) -> None:
    """Draw outlines alone: all targets, and the predictions without a target.

    Args:
        layer: matched targets or matched predictions, whose style is changed.
        output: output that the layer is.
    """
    show_outlines(layer)
    if output is outputs.MATCHED_PREDICTIONS:
        hide_category(layer, MatchStatus.TRUE_POSITIVE.value)


#: Report content of ``randcrowns:evaluateinstances`` and ``randcrowns:evaluatepointcloud``.
REPORT_CONTENT = ReportContent(
    tables=(
        ReportTable(
            outputs.SUMMARY, ("plot", *METRIC_COLUMNS), tr("Metrics by plot"), _select_rows_of_plots
        ),
        ReportTable(
            outputs.SUMMARY, ("plot", *COUNT_COLUMNS), tr("Counts by plot"), _select_rows_of_plots
        ),
        ReportTable(
            outputs.SUMMARY,
            ("plot", *PRECISION_COLUMNS),
            tr("Average precision"),
        ),
        ReportTable(outputs.THRESHOLDS),
        ReportTable(outputs.CLASSES),
    ),
    map=(outputs.MATCHED_TARGETS, outputs.MATCHED_PREDICTIONS),
    style_map=_style_map,
    extra_outputs=(
        outputs.MATCHED_TARGETS,
        outputs.MATCHED_PREDICTIONS,
        outputs.PARTITIONS,
        *CLASS_OUTPUTS,
    ),
    answer=_answer_evaluation,
    plots=_plot_metrics,
    further=class_and_strata_parts,
    crowns=_draw_sheets,
    review=list_reviewed_crowns,
    explore=explore_matches,
)


def _list_pages(_record: Provenance, names: Sequence[str], _shown: str) -> AtlasPages:
    """Return the pages of a print layout, sorted by IoU.

    Args:
        names: field names of the layer of matched targets.
    """
    plot_field = stored_column(names, "plot", outputs.MATCHED_TARGETS.id)
    return AtlasPages(
        tr("Target {name}"),
        "target_id",
        "iou",
        ("target_id", "status", *INSTANCE_SCORES),
        tie_field="target_id",
        requires_outline=True,
        missing_number=0.0,
        plot_field=plot_field if plot_field in names else "",
        summary_fields=("plot", "targets", "precision", "recall", "f1", "mean_iou"),
    )


#: Print content of ``randcrowns:evaluateinstances`` and ``randcrowns:evaluatepointcloud``.
PRINT_CONTENT = PrintContent(
    tr("worst targets"), outputs.MATCHED_TARGETS, outputs.SUMMARY, _list_pages
)
