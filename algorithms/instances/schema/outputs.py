"""Outputs of the algorithms that evaluate instances, and their fields."""

from __future__ import annotations

from dataclasses import replace

from randcrowns.algorithms.classes.outputs import CLASS_OUTPUTS, CROWN_COLUMNS, style_with_classes
from randcrowns.algorithms.output_types import (
    COCO_COLUMNS,
    POINT_RECALL,
    RESAMPLED_UNITS,
    THRESHOLD_COLUMNS,
    UNIT,
    Column,
    Output,
    ValueOutput,
    with_interval_columns,
)
from randcrowns.core.instances.summary import INTERVAL_METRICS
from randcrowns.core.status import ALL_PLOTS
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.styles import qml_style, style_matched_predictions
from randcrowns.report.explore.matched import match_labels
from randcrowns.report.instance_content import division_meanings, metric_meanings

_IOU = Column("iou", "IoU", tr("Shared size divided by the joint size of both, 0 to 1."), digits=2)
_PRECISION = Column(
    "precision",
    tr("Precision"),
    tr("Shared size divided by the size of the prediction, 0 to 1."),
    digits=2,
)
_RECALL = Column(
    "recall", tr("Recall"), tr("Shared size divided by the size of the target, 0 to 1."), digits=2
)
_SIZES = (
    Column(
        "height", tr("Height"), tr("Height in metres, or the value of the height field."), digits=1
    ),
    Column("points", tr("Points"), tr("Number of points."), "integer"),
    Column("area", tr("Area"), tr("Area of the outline."), unit="m²", digits=1),
    Column("plot", tr("Plot"), tr("Value of the plot field."), "text"),
)
_STATUS = Column(
    "status",
    tr("Status"),
    tr("detected (true positive), or not detected (false negative)."),
    "text",
    display_texts=match_labels(),
)
MATCHED_TARGETS = Output(
    "MATCHED_TARGETS",
    tr("Matched targets"),
    tr("All targets with their status, match, IoU, precision and recall."),
    "polygons",
    columns=(
        Column("target_id", tr("Id"), tr("Id of the target."), "integer"),
        _STATUS,
        Column(
            "match_id",
            tr("Match"),
            tr("Id of the prediction that the matching for detection assigns to it."),
            "integer",
        ),
        Column(
            "segmentation_match_id",
            tr("Id for IoU"),
            tr("Id of the prediction with which IoU, precision and recall are computed."),
            "integer",
        ),
        _IOU,
        _PRECISION,
        _RECALL,
        *_SIZES,
        *CROWN_COLUMNS,
    ),
    style=style_with_classes(qml_style("matched_instances")),
    is_expanded=True,
)
MATCHED_PREDICTIONS = Output(
    "MATCHED_PREDICTIONS",
    tr("Matched predictions"),
    tr(
        "All predictions with their status, their target, and the IoU, precision and recall with "
        "that target."
    ),
    "polygons",
    columns=(
        Column("prediction_id", tr("Id"), tr("Id of the prediction."), "integer"),
        replace(
            _STATUS,
            help=tr(
                "detected: it has a target (true positive); false detection: it has none (false "
                "positive); uncertain: it does not count; not judged: it has none, but only some "
                "crowns were drawn."
            ),
        ),
        Column(
            "match_id",
            tr("Match"),
            tr("Id of the target that the matching for detection assigns to it."),
            "integer",
        ),
        _IOU,
        _PRECISION,
        _RECALL,
        *_SIZES,
        *CROWN_COLUMNS,
    ),
    style=style_with_classes(style_matched_predictions),
)

#: Columns of the metrics, without the ends of their intervals.
_METRICS = tuple(
    Column(name, label, metric_meanings()[name])
    for name, label in (
        ("precision", tr("Precision")),
        ("recall", tr("Recall")),
        ("f1", "F1"),
        ("pq", "PQ"),
        ("sq", "SQ"),
        ("rq", "RQ"),
        ("mean_iou", tr("Mean IoU")),
    )
)
SUMMARY = Output(
    "SUMMARY",
    tr("Summary"),
    tr("Counts and metrics with 95 % intervals: one row for all, then one row per plot."),
    has_provenance_columns=True,
    columns=(
        Column(
            "plot",
            tr("Plot"),
            tr("Value of the plot field; all: all plots together."),
            "text",
            display_texts={ALL_PLOTS: tr("all plots")},
        ),
        Column("targets", tr("Targets"), tr("Number of targets."), "integer"),
        Column("predictions", tr("Predictions"), tr("Number of predictions."), "integer"),
        Column(
            "uncertain",
            tr("Uncertain"),
            tr("Predictions without a target that are no false detections."),
            "integer",
        ),
        Column(
            "not_judged",
            tr("Not judged"),
            tr("Predictions without a target if only some crowns were drawn."),
            "integer",
        ),
        Column("tp", "TP", tr("True positives: detected targets."), "integer"),
        Column("fp", "FP", tr("False positives: false detections."), "integer"),
        Column("fn", "FN", tr("False negatives: targets that were not detected."), "integer"),
        *_METRICS,
        *COCO_COLUMNS,
        POINT_RECALL,
        Column(
            "splits",
            tr("Splits"),
            division_meanings()["splits"],
            "integer",
        ),
        Column(
            "merges",
            tr("Merges"),
            division_meanings()["merges"],
            "integer",
        ),
        *(
            end
            for metric in _METRICS
            if metric.name in INTERVAL_METRICS
            for end in with_interval_columns(metric)[1:]
        ),
        RESAMPLED_UNITS,
    ),
)

THRESHOLDS = Output(
    "THRESHOLDS",
    tr("Thresholds side by side"),
    tr("Counts and metrics at other minimum IoUs of a match, from 0.10 to 0.95."),
    columns=THRESHOLD_COLUMNS,
)

CLASSES = Output(
    "CLASSES",
    tr("Classes"),
    tr("IoU, precision and recall of each class of the points, and of combined classes."),
    is_written_by_default=False,
    columns=(
        Column("class", tr("Class"), tr("Name or number of the class."), "text"),
        Column(
            "kind",
            tr("Kind"),
            tr("class; aggregate: combined classes; mean: of the classes, or with aggregates."),
            "text",
            display_texts={
                "class": tr("class"),
                "aggregate": tr("aggregate"),
                "mean": tr("mean"),
                "mean with aggregates": tr("mean with aggregates"),
            },
        ),
        Column(
            "iou", "IoU", tr("Points with this class in both, divided by points with it in either.")
        ),
        Column(
            "precision",
            tr("Precision"),
            tr("Share of the points with this predicted class that have it."),
        ),
        Column(
            "recall",
            tr("Recall"),
            tr("Share of the points with this true class that are predicted so."),
        ),
    ),
)
METRICS = Output(
    "METRICS",
    tr("Metrics"),
    tr("Metrics of detection and segmentation in one row, with the names of pointtree."),
    is_written_by_default=False,
)
#: Columns that identify a partition.
_PARTITION = (
    Column(
        "axis",
        tr("Axis"),
        tr("xy: distance to the trunk; z: height above the lowest point."),
        "text",
        display_texts={"xy": tr("distance to the trunk"), "z": tr("height above the lowest point")},
    ),
    Column(
        "partition",
        tr("Partition"),
        tr("Number of the partition from 0, outwards or upwards."),
        "integer",
    ),
    Column(
        "begin",
        tr("From"),
        tr("Begin, as a share of the distance at which the last partition ends."),
    ),
    Column(
        "end", tr("To"), tr("End, as a share of the distance at which the last partition ends.")
    ),
)
PARTITIONS = Output(
    "PARTITIONS",
    tr("Partitions"),
    tr("Mean metrics by distance to the trunk (xy) and by height above the lowest point (z)."),
    columns=(
        *_PARTITION,
        Column("mean_iou", tr("Mean IoU"), tr("Mean of the targets.")),
        Column("mean_precision", tr("Mean precision"), tr("Mean of the targets.")),
        Column("mean_recall", tr("Mean recall"), tr("Mean of the targets.")),
    ),
)
TREE_PARTITIONS = Output(
    "TREE_PARTITIONS",
    tr("Partitions of each tree"),
    tr(
        "Metrics by distance to the trunk (xy) and by height above the lowest point (z), for each "
        "target."
    ),
    is_written_by_default=False,
    columns=(
        *_PARTITION,
        Column("target_id", tr("Target"), tr("Id of the target."), "integer"),
        Column(
            "prediction_id",
            tr("Prediction"),
            tr("Id of the prediction with which the metrics are computed."),
            "integer",
        ),
        _IOU,
        _PRECISION,
        _RECALL,
    ),
)
PERFORMANCE = Output(
    "PERFORMANCE",
    tr("Time and memory"),
    tr("Time and memory of each step, except the writing of the outputs."),
    is_written_by_default=False,
    columns=(
        Column(
            "step",
            tr("Step"),
            tr("Step of the run; the last row is the whole run except the writing."),
            "text",
        ),
        Column("wallclock_s", tr("Time"), tr("Wall-clock time."), unit="s", digits=2),
        Column("cpu_s", tr("CPU time"), tr("CPU time of all cores."), unit="s", digits=2),
        Column(
            "memory_gb",
            tr("Memory"),
            tr("Peak of the memory that QGIS used during the step."),
            unit="GB",
            digits=2,
        ),
        Column(
            "memory_increment_gb",
            tr("Change"),
            tr("Memory at the end of the step minus that at its start."),
            unit="GB",
            digits=2,
        ),
    ),
)

#: Outputs of ``randcrowns:evaluateinstances``, from top to bottom in the layer tree.
POLYGON_OUTPUTS = (
    MATCHED_TARGETS,
    MATCHED_PREDICTIONS,
    SUMMARY,
    THRESHOLDS,
    METRICS,
    *CLASS_OUTPUTS,
)
#: Outputs of ``randcrowns:evaluatepointcloud``, from top to bottom in the layer tree.
CLOUD_OUTPUTS = (
    MATCHED_TARGETS,
    MATCHED_PREDICTIONS,
    SUMMARY,
    METRICS,
    CLASSES,
    PARTITIONS,
    TREE_PARTITIONS,
    PERFORMANCE,
)
#: Numbers that both algorithms return: the metrics of the summary that have intervals.
METRIC_VALUES = tuple(
    ValueOutput(metric.name.upper(), metric.label)
    for metric in _METRICS
    if metric.name in INTERVAL_METRICS
)
#: Numbers that ``randcrowns:evaluateinstances`` returns.
POLYGON_NUMBERS = (
    *METRIC_VALUES,
    *(ValueOutput(column.name.upper(), column.label) for column in (*COCO_COLUMNS, POINT_RECALL)),
)
#: Numbers and texts that ``randcrowns:evaluateinstances`` returns.
POLYGON_VALUES = (*POLYGON_NUMBERS, UNIT)
