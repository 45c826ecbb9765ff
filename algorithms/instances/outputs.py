"""What evaluating instances gives: matched targets and predictions, and tables of metrics."""

from __future__ import annotations

from dataclasses import replace

from randcrowns.algorithms.output import (
    COCO_COLUMNS,
    POINT_RECALL,
    RESAMPLED,
    THRESHOLD_COLUMNS,
    UNIT,
    Column,
    Output,
    Value,
    with_ends,
)
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.instances.summary import INTERVALS
from randcrowns.core.status import ALL
from randcrowns.layers.styles.styles import from_qml
from randcrowns.layers.words import tr

_IOU = Column("iou", "IoU", tr("Shared size over the size of both, 0 to 1."), digits=2)
_PRECISION = Column(
    "precision",
    tr("Precision"),
    tr("Shared size over the size of the prediction, 0 to 1."),
    digits=2,
)
_RECALL = Column(
    "recall", tr("Recall"), tr("Shared size over the size of the target, 0 to 1."), digits=2
)
_SIZES = (
    Column("height", tr("Height"), tr("Metres, or the value of the height field."), digits=1),
    Column("points", tr("Points"), tr("Number of points."), "integer"),
    Column("area", tr("Area"), tr("Area of the outline."), unit="m²", digits=1),
    Column("group", tr("Plot"), tr("Value of the plot field."), "text"),
)
_STATUS = Column(
    "status",
    tr("Status"),
    tr("found (true positive), or not found (false negative)."),
    "text",
    words={
        **{
            MatchStatus.TRUE_POSITIVE.value: tr("found"),
            MatchStatus.FALSE_NEGATIVE.value: tr("not found"),
        },
        **{
            MatchStatus.FALSE_POSITIVE.value: tr("false positive"),
            MatchStatus.UNCERTAIN.value: tr("uncertain"),
        },
        **{
            MatchStatus.NOT_JUDGED.value: tr("not judged"),
            MatchStatus.NO_GEOMETRY.value: tr("no outline"),
        },
    },
)
MATCHED_TARGETS = Output(
    "MATCHED_TARGETS",
    tr("Matched targets"),
    tr("Every target with its status, its match, IoU, precision and recall."),
    "polygons",
    optional=False,
    columns=(
        Column("target_id", tr("Id"), tr("Id of the target."), "integer"),
        _STATUS,
        Column(
            "match_id",
            tr("Match"),
            tr("Id of its prediction in the matching for detection."),
            "integer",
        ),
        Column(
            "cut_id",
            tr("Id for IoU"),
            tr("Prediction that IoU, precision and recall are of."),
            "integer",
        ),
        *(_IOU, _PRECISION, _RECALL, *_SIZES),
    ),
    style=from_qml("matched_instances"),
    unfolded=True,
)
MATCHED_PREDICTIONS = Output(
    "MATCHED_PREDICTIONS",
    tr("Matched predictions"),
    tr("Every prediction with its status, its target, and IoU, precision and recall with that."),
    "polygons",
    columns=(
        Column("prediction_id", tr("Id"), tr("Id of the prediction."), "integer"),
        replace(
            _STATUS,
            help=tr(
                "found: has a target (true positive); false positive: has none; uncertain: does not count; not judged: "
                "has none where only some crowns were drawn."
            ),
        ),
        Column(
            "match_id",
            tr("Match"),
            tr("Id of its target in the matching for detection."),
            "integer",
        ),
        *(_IOU, _PRECISION, _RECALL, *_SIZES),
    ),
    style=from_qml("matched_instances"),
)

_METRICS = (
    Column(
        "precision",
        tr("Precision"),
        tr("Share of the predictions, but for uncertain ones, that have a target."),
    ),
    Column("recall", tr("Recall"), tr("Share of the targets that were found.")),
    Column("f1", "F1", tr("Harmonic mean of precision and recall.")),
    Column("pq", "PQ", tr("Panoptic quality: mean IoU of the matched pairs times F1.")),
    Column("sq", "SQ", tr("Segmentation quality: mean IoU of the matched pairs.")),
    Column("rq", "RQ", tr("Recognition quality: F1.")),
    Column(
        "mean_iou",
        tr("Mean IoU"),
        tr("Mean IoU of all targets; a target without a prediction counts as 0."),
    ),
)
SUMMARY = Output(
    "SUMMARY",
    tr("Summary"),
    tr("Counts and metrics with 95 % intervals: a row for all, then a row per plot."),
    summary=True,
    columns=(
        Column(
            "group",
            tr("Plot"),
            tr("Value of the plot field; all: everything."),
            "text",
            words={ALL: tr("all")},
        ),
        Column("targets", tr("Targets"), tr("Number of targets."), "integer"),
        Column("predictions", tr("Predictions"), tr("Number of predictions."), "integer"),
        Column(
            "uncertain",
            tr("Uncertain"),
            tr("Unmatched predictions that are no false positives."),
            "integer",
        ),
        Column(
            "not_judged",
            tr("Not judged"),
            tr("Unmatched predictions where not all were drawn."),
            "integer",
        ),
        Column("tp", "TP", tr("True positives: targets that were found."), "integer"),
        Column("fp", "FP", tr("False positives: unmatched predictions."), "integer"),
        Column("fn", "FN", tr("False negatives: targets that were not found."), "integer"),
        *(*_METRICS, *COCO_COLUMNS, POINT_RECALL),
        Column(
            "splits",
            tr("Splits"),
            tr("Targets in which several predictions lie by more than half."),
            "integer",
        ),
        Column(
            "merges",
            tr("Merges"),
            tr("Predictions in which several targets lie by more than half."),
            "integer",
        ),
        *(end for metric in _METRICS if metric.name in INTERVALS for end in with_ends(metric)[1:]),
        RESAMPLED,
    ),
)

THRESHOLDS = Output(
    "THRESHOLDS",
    tr("Thresholds side by side"),
    tr("What is found where a match needs another IoU, from 0.10 to 0.95."),
    columns=THRESHOLD_COLUMNS,
)

CLASSES = Output(
    "CLASSES",
    tr("Classes"),
    tr("IoU, precision and recall of every class of the points, and of classes taken as one."),
    by_default=False,
    columns=(
        Column("class", tr("Class"), tr("Name, or number."), "text"),
        Column(
            "kind",
            tr("Kind"),
            tr("class; aggregate; mean of the classes, or with aggregates in their place."),
            "text",
            words={
                **{"class": tr("class"), "aggregate": tr("aggregate"), "mean": tr("mean")},
                **{"mean with aggregates": tr("mean with aggregates")},
            },
        ),
        Column("iou", "IoU", tr("Points of the class in both over points of it in either.")),
        Column("precision", tr("Precision"), tr("Share of the points predicted so that are.")),
        Column(
            "recall", tr("Recall"), tr("Share of the points of the class that are predicted so.")
        ),
    ),
)
METRICS = Output(
    "METRICS",
    tr("Metrics"),
    tr("Metrics of detection and segmentation as pointtree names them, one row."),
    by_default=False,
)
_PARTITION = (
    Column(
        "axis",
        tr("Axis"),
        tr("xy: distance to the trunk; z: height above the lowest point."),
        "text",
        words={"xy": tr("distance to the trunk"), "z": tr("height above the lowest point")},
    ),
    Column("partition", tr("Partition"), tr("From 0, outwards or upwards."), "integer"),
    Column("begin", tr("From"), tr("Share of the distance at which the last partition ends.")),
    Column("end", tr("To"), tr("Share of the distance at which the last partition ends.")),
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
        "Metrics by distance to the trunk (xy) and by height above the lowest point (z), for each target."
    ),
    by_default=False,
    columns=(
        *_PARTITION,
        Column("target_id", tr("Target"), tr("Id of the target."), "integer"),
        Column(
            "prediction_id",
            tr("Prediction"),
            tr("Id of the prediction it is measured with."),
            "integer",
        ),
        *(_IOU, _PRECISION, _RECALL),
    ),
)
PERFORMANCE = Output(
    "PERFORMANCE",
    tr("Time and memory"),
    tr("Time and memory of each step but the writing of the outputs."),
    by_default=False,
    columns=(
        Column(
            "step",
            tr("Step"),
            tr("Part of the run; the last row is all of it but the writing."),
            "text",
        ),
        Column("wallclock_s", tr("Time"), tr("Wall-clock time."), unit="s", digits=2),
        Column("cpu_s", tr("CPU time"), tr("Over all cores."), unit="s", digits=2),
        Column(
            "memory_gb", tr("Memory"), tr("Held by QGIS when the step ended."), unit="GB", digits=2
        ),
        Column(
            "memory_increment_gb",
            tr("Change"),
            tr("Memory more than at the start."),
            unit="GB",
            digits=2,
        ),
    ),
)

#: Of randcrowns:evaluateinstances, from top to bottom in the layer tree.
POLYGON_OUTPUTS = (MATCHED_TARGETS, MATCHED_PREDICTIONS, SUMMARY, THRESHOLDS, METRICS)
#: Of randcrowns:evaluatepointcloud.
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
#: Numbers that both give out: those of the summary that have intervals.
VALUES = tuple(
    Value(metric.name.upper(), metric.label) for metric in _METRICS if metric.name in INTERVALS
)
#: Numbers of polygons beside them.
POLYGON_NUMBERS = (
    *VALUES,
    *(Value(one.name.upper(), one.label) for one in (*COCO_COLUMNS, POINT_RECALL)),
)
POLYGON_VALUES = (*POLYGON_NUMBERS, UNIT)
