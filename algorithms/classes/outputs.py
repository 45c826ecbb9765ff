"""Outputs for classes and strata, and the columns of crowns with their classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd
from qgis.core import QgsVectorLayer

from randcrowns.algorithms.output_types import Column, Output, with_interval_columns
from randcrowns.core.classes.evaluation import ClassEvaluation
from randcrowns.core.classes.strata_columns import problem_column, with_problem_columns
from randcrowns.core.classes.summarise import RowKind, StrataSummary
from randcrowns.core.review.problems import TARGET_PROBLEMS
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.styles import add_class_style
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.report.class_words import class_metric_labels, class_result_labels
from randcrowns.report.problems import problem_label

#: Display texts of the results of comparing two classes.
CLASS_RESULT_TEXTS = class_result_labels()
#: Columns of the crowns of either side.
CROWN_COLUMNS = (
    Column("crown_class", tr("Class"), tr("Class of the crown."), "text"),
    Column("matched_class", tr("Class of the match"), tr("Class of the matched crown."), "text"),
    Column(
        "class_result",
        tr("Class right"),
        tr("Shows if the crown and its match have the same class."),
        "text",
        display_texts=CLASS_RESULT_TEXTS,
    ),
)
#: Name of the map style that shows whether the class of a crown is right.
CLASS_STYLE = tr("Class right or wrong")


def style_with_classes(
    style: Callable[[QgsVectorLayer, Mapping[str, Any]], None], field_ending: str = ""
) -> Callable[[QgsVectorLayer, Mapping[str, Any]], None]:
    """Return a function that styles crowns, with a second style by class if they have classes.

    Args:
        style: function that styles the layer without classes.
        field_ending: see :func:`randcrowns.layers.styles.styles.add_class_style`.
    """

    def style_layer(layer: QgsVectorLayer, others: Mapping[str, Any]) -> None:
        style(layer, others)
        ending = field_ending or CROWN_COLUMNS[-1].name
        if any(name.endswith(ending) for name in layer.fields().names()):
            add_class_style(layer, CLASS_STYLE, CLASS_RESULT_TEXTS, field_ending)

    return style_layer


_LAYER = Column("layer", tr("Layer"), tr("Layer compared with the targets."), "text")
CONFUSION = Output(
    "CONFUSION",
    tr("Confusion matrix"),
    tr(
        "One row for each pair of a target's class and the class of its match: how often they "
        "occur together. The numbers add up to the counts of the summary: targets that are too "
        "small and uncertain predictions do not count."
    ),
    columns=(
        _LAYER,
        Column("reference", tr("Class of the target"), tr("Empty without a class."), "text"),
        Column("predicted", tr("Class of the match"), tr("Empty without a class."), "text"),
        Column(
            "kind",
            tr("Result"),
            tr("Right or wrong class; targets not detected; false detections."),
            "text",
            display_texts=CLASS_RESULT_TEXTS,
        ),
        Column("crowns", tr("Crowns"), tr("Number of crowns."), "integer"),
    ),
)
_CLASS_RATES = (
    Column("detection_recall", tr("Detected, share"), tr("Share of the class that was detected.")),
    Column(
        "producer_accuracy",
        tr("Producer's accuracy"),
        tr("Share of the class that was detected with the right class."),
    ),
    Column(
        "user_accuracy",
        tr("User's accuracy"),
        tr("Share of the predictions of the class that are right."),
    ),
)
_MATCHED_RATES = (
    Column(
        "matched_precision",
        tr("Precision of pairs"),
        tr("Among matched crowns: share of the predicted class that is right."),
    ),
    Column(
        "matched_recall",
        tr("Recall of pairs"),
        tr("Among matched crowns: share of the class that is predicted so."),
    ),
)
_MEAN_SCORES = (
    Column("randcrowns", "RC", tr("Mean RandCrowns of the class.")),
    Column("iou", "IoU", tr("Mean IoU of the class.")),
    Column("iou_crowns", "IoUC", tr("Mean IoUCrowns of the class.")),
)


def _mean_columns(columns: Iterable[Column]) -> list[Column]:
    """Return the columns of mean scores with the ends of their intervals."""
    means = []
    for column in columns:
        value, low, high = with_interval_columns(column)
        means += [
            Column(f"{value.name}_mean", tr("Mean {score}", score=value.label), value.help),
            low,
            high,
        ]
    return means


CLASS_METRICS = Output(
    "CLASS_METRICS",
    tr("Numbers per class"),
    tr("Counts and rates of each class; with a matching within classes also as COCO does."),
    columns=(
        _LAYER,
        Column("class", tr("Class"), tr("Name of the class."), "text"),
        Column("reference", tr("Targets"), tr("Targets of the class."), "integer"),
        Column("predicted", tr("Predictions"), tr("Predictions of the class."), "integer"),
        Column("found", tr("Detected"), tr("Targets of the class that were detected."), "integer"),
        Column("correct", tr("Right"), tr("Detected targets with the right class."), "integer"),
        Column(
            "correct_predictions",
            tr("Right predictions"),
            tr("Predictions of the class whose target has it."),
            "integer",
        ),
        *(end for column in _CLASS_RATES for end in with_interval_columns(column)),
        Column("f1", "F1", tr("Harmonic mean of producer's and user's accuracy.")),
        *(end for column in _MATCHED_RATES for end in with_interval_columns(column)),
        Column("matched_f1", tr("F1 of pairs"), tr("Harmonic mean of both among matched crowns.")),
        *_mean_columns(_MEAN_SCORES),
        Column("tp", "TP", tr("Within classes: targets that were detected."), "integer"),
        Column("fp", "FP", tr("Within classes: false detections."), "integer"),
        Column("fn", "FN", tr("Within classes: targets that were not detected."), "integer"),
        Column("precision", tr("Precision"), tr("Within classes: TP / (TP + FP).")),
        Column("recall", tr("Recall"), tr("Within classes: TP / (TP + FN).")),
        Column("pq", "PQ", tr("Within classes: panoptic quality.")),
        Column("sq", "SQ", tr("Within classes: mean IoU of the matched pairs.")),
        Column("rq", "RQ", tr("Within classes: F1.")),
        Column("ap", tr("AP, COCO"), tr("Within classes: average precision.")),
        Column("ap50", tr("AP50, COCO"), tr("The same at an IoU of 0.50.")),
        Column("ap75", tr("AP75, COCO"), tr("The same at an IoU of 0.75.")),
    ),
)
#: Labels of the overall metrics of classes.
METRIC_LABELS = class_metric_labels()
CLASS_SUMMARY = Output(
    "CLASS_SUMMARY",
    tr("Numbers of all classes"),
    tr("Agreement of the classes of matched crowns, with 95 % intervals."),
    columns=(
        _LAYER,
        Column(
            "metric", tr("Metric"), tr("Name of the metric."), "text", display_texts=METRIC_LABELS
        ),
        Column("value", tr("Value"), tr("Value of the metric.")),
        Column("low", tr("From"), tr("Lower end of the 95 % interval.")),
        Column("high", tr("To"), tr("Upper end of the 95 % interval.")),
        Column("reason", tr("Why n/a"), tr("Reason why the metric is undefined."), "text"),
    ),
)
#: Display texts of the kinds of rows of strata.
_ROW_KINDS = {
    RowKind.STRATUM.value: tr("stratum"),
    RowKind.NO_VALUE.value: tr("no value"),
    RowKind.UNMATCHED.value: tr("predictions without a target"),
}


STRATA = Output(
    "STRATA",
    tr("Strata"),
    tr("Scores by a property of the targets, with 95 % intervals."),
    columns=(
        _LAYER,
        Column("stratum", tr("Stratum"), tr("Category, or range of numbers."), "text"),
        Column(
            "kind",
            tr("Row"),
            tr("Stratum, targets without a value, or predictions without a target."),
            "text",
            display_texts=_ROW_KINDS,
        ),
        Column("crowns", tr("Crowns"), tr("Targets in the stratum."), "integer"),
        Column("plots", tr("Plots"), tr("Plots of the targets."), "integer"),
        *_mean_columns(_MEAN_SCORES),
        Column("found", tr("Detected"), tr("Targets that were detected."), "integer"),
        Column("found_share", tr("Detected, share"), tr("Share of the targets that was detected.")),
        Column(
            "unmatched",
            tr("Predictions without a target"),
            tr(
                "Their number, where they have the property too. If all crowns were drawn, they "
                "are false detections."
            ),
            "integer",
        ),
        *(
            Column(
                problem_column(problem),
                problem_label(problem),
                tr("Targets with this problem."),
                "integer",
            )
            for problem in TARGET_PROBLEMS
        ),
    ),
)
STRATA_TESTS = Output(
    "STRATA_TESTS",
    tr("Differences between strata"),
    tr("A test for each score and pair of strata, adjusted for their number (Holm 1979)."),
    columns=(
        _LAYER,
        Column("score", tr("Score"), tr("Name of the score."), "text"),
        Column("first", tr("First stratum"), "", "text"),
        Column("second", tr("Second stratum"), "", "text"),
        Column("difference", tr("Difference"), tr("Mean of the first minus mean of the second.")),
        Column("low", tr("From"), tr("Lower end of the 95 % interval.")),
        Column("high", tr("To"), tr("Upper end of the 95 % interval.")),
        Column("p", "p", tr("Probability of such a difference by chance.")),
        Column("p_adjusted", tr("p, adjusted"), tr("Adjusted for all pairs and scores.")),
        Column("differs", tr("Differs"), tr("1 if the adjusted p is below 0.05."), "integer"),
        Column("reason", tr("Why n/a"), tr("Reason why there is no test."), "text"),
    ),
)
#: Outputs for classes and strata, from top to bottom in the layer tree.
CLASS_OUTPUTS = (CONFUSION, CLASS_METRICS, CLASS_SUMMARY, STRATA, STRATA_TESTS)


def class_tables(evaluations: Iterable[tuple[str, ClassEvaluation]]) -> dict[Output, FeatureTable]:
    """Return the tables of classes; empty without an evaluation.

    Args:
        evaluations: name of each layer that was compared with the targets, and its classes.
    """
    frames: dict[Output, list[pd.DataFrame]] = {}
    for layer, evaluation in evaluations:
        parts = {
            CONFUSION: evaluation.cells,
            CLASS_METRICS: evaluation.classes,
            CLASS_SUMMARY: evaluation.summary,
        }
        for output, frame in parts.items():
            frames.setdefault(output, []).append(frame.assign(layer=layer))
    return {output: output.create_table(_join_values(parts)) for output, parts in frames.items()}


def strata_tables(summaries: Iterable[tuple[str, StrataSummary]]) -> dict[Output, FeatureTable]:
    """Return the tables of strata; empty without a summary.

    Args:
        summaries: name of each layer that was compared with the targets, and its strata.
    """
    frames: dict[Output, list[pd.DataFrame]] = {}
    for layer, summary in summaries:
        table = with_problem_columns(summary.table)
        tests = summary.tests.assign(differs=summary.tests["differs"].astype(int))
        frames.setdefault(STRATA, []).append(table.assign(layer=layer))
        frames.setdefault(STRATA_TESTS, []).append(tests.assign(layer=layer))
    return {output: output.create_table(_join_values(parts)) for output, parts in frames.items()}


def _join_values(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """Return frames of several layers in one."""
    return pd.concat(frames, ignore_index=True)
