"""Results of page Instances: the tables of a run, and the columns that display them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pandas as pd

from randcrowns.algorithms.classes.outputs import (
    CLASS_METRICS,
    CLASS_SUMMARY,
    CONFUSION,
    STRATA,
)
from randcrowns.algorithms.instances.schema import outputs
from randcrowns.algorithms.output_types import Output, length_unit
from randcrowns.algorithms.provenance import PROVENANCE, Provenance
from randcrowns.core.arrays import interval_text
from randcrowns.core.instances.average_precision import COCO_METRICS
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.instances.summary import INTERVAL_METRICS
from randcrowns.layers.localization import format_value, message_texts, tr
from randcrowns.layers.vector.tables import read_attributes
from randcrowns.ui.services.run_outcome import Succeeded
from randcrowns.ui.widgets.table_model import (
    TableColumn,
    find_table_column,
    format_integer,
    format_text,
    table_columns,
)

#: Side of the targets: id of the output with the matched targets.
TARGETS = outputs.MATCHED_TARGETS.id
#: Side of the predictions: id of the output with the matched predictions.
PREDICTIONS = outputs.MATCHED_PREDICTIONS.id
SIDES = (TARGETS, PREDICTIONS)
#: Column with the id of the feature in the result layer.
FEATURE_COLUMN = "feature"
#: Columns of the summary with counts, in the order in which they are displayed.
_COUNT_COLUMNS = (
    "targets",
    "predictions",
    "tp",
    "fp",
    "not_judged",
    "fn",
    "uncertain",
    "splits",
    "merges",
)


class InstanceResults:
    """Tables and messages of an evaluation.

    Args:
        outcome: The outputs of the run.
        names: Id of a target -> display name.
    """

    def __init__(self, outcome: Succeeded, names: dict[int, str]) -> None:
        #: Id of a target -> display name.
        self.target_names = names
        #: Id of an output -> id of its layer in the project.
        self.layer_ids: dict[str, str] = {}
        #: One row per target, with the id of its feature in the column :data:`FEATURE_COLUMN`.
        self.targets = _read_crowns(
            outcome.layers[outputs.MATCHED_TARGETS.id], outputs.MATCHED_TARGETS
        )
        #: One row per prediction, with the id of its feature in the column :data:`FEATURE_COLUMN`.
        self.predictions = _read_crowns(
            outcome.layers[outputs.MATCHED_PREDICTIONS.id], outputs.MATCHED_PREDICTIONS
        )
        #: Metrics: one row for all crowns, then one per plot.
        self.summary = outcome.table(outputs.SUMMARY)
        #: Mean metrics per axis and partition; empty for polygons.
        self.partitions = outcome.table(outputs.PARTITIONS)
        #: Time and memory per step; empty for polygons.
        self.performance = outcome.table(outputs.PERFORMANCE)
        #: Metrics per threshold of IoU; empty for a cloud.
        self.thresholds = outcome.table(outputs.THRESHOLDS)
        #: Metrics per class of a cloud; empty without classes.
        self.classes = outcome.table(outputs.CLASSES)
        #: Cells of the confusion matrix; empty without a class field.
        self.confusion = outcome.table(CONFUSION)
        #: Numbers per class of polygons; empty without a class field.
        self.class_metrics = outcome.table(CLASS_METRICS)
        #: Numbers of all classes of polygons; empty without a class field.
        self.class_summary = outcome.table(CLASS_SUMMARY)
        #: IoU by strata; empty without strata.
        self.strata = outcome.table(STRATA)
        #: Messages about the heights that decide which target is the tallest.
        self.height_messages = outcome.messages_of("height")
        #: Messages about the scores of average precision and the points of point recall.
        self.score_messages = outcome.messages_of("ap", "points")
        #: Unit of lengths, such as "m".
        self.unit = length_unit(outcome.outputs)
        algorithm = Provenance.from_json(outcome.outputs[PROVENANCE.id]).algorithm
        #: True if points are counted, as in a cloud, and not areas.
        self.are_points = algorithm.endswith("pointcloud")
        score_field_messages = [
            message for message in self.score_messages if message.key in ("ap.score", "ap.no_score")
        ]
        #: Sentences about the settings that the numbers depend on.
        self.settings_sentences = tuple(message_texts(score_field_messages))
        #: Side -> (id of a crown -> id of its feature).
        self.feature_ids = {
            TARGETS: _feature_ids_of(self.targets, "target_id"),
            PREDICTIONS: _feature_ids_of(self.predictions, "prediction_id"),
        }


def _feature_ids_of(crowns: pd.DataFrame, id_column: str) -> dict[int, int]:
    """Return the ids of the features of crowns by the ids of the crowns.

    Args:
        crowns: One row per crown, with the column :data:`FEATURE_COLUMN`.
        id_column: Column with the ids of the crowns.
    """
    return dict(zip(crowns[id_column], crowns[FEATURE_COLUMN]))


def iou_of_targets(targets: pd.DataFrame) -> pd.DataFrame:
    """Return the IoU of each target with its prediction.

    Args:
        targets: One row per target, with ``target_id``, ``status`` and ``iou``.

    Returns:
        One row per target with ``feature_id``, the target's id, and ``score``, its IoU: 0 if it
        was not found, NaN if it has no outline.
    """
    is_found = targets["status"] == MatchStatus.TRUE_POSITIVE.value
    has_geometry = targets["status"] != MatchStatus.NO_GEOMETRY.value
    score = targets["iou"].where(is_found, 0.0).where(has_geometry)
    return pd.DataFrame({"feature_id": targets["target_id"], "score": score.astype(float)})


def summarize_matches(results: InstanceResults) -> str:
    """Return a sentence with the numbers of targets found and of predictions without a target.

    If only some crowns were drawn, predictions without a target are not judged.
    """
    counts = results.summary.iloc[0]
    found_text = format_value(int(counts["tp"]), 0)
    target_text = tr("{count:,} targets", one="1 target", count=int(counts["targets"]))
    prediction_text = tr(
        "{count:,} predictions", one="1 prediction", count=int(counts["predictions"])
    )
    if "not_judged" in counts:
        return tr(
            "{found} of {targets} detected, {left} of {predictions} not judged; see the layer "
            "tree.",
            found=found_text,
            targets=target_text,
            left=format_value(int(counts["not_judged"]), 0),
            predictions=prediction_text,
        )
    return tr(
        "{found} of {targets} detected, {left} of {predictions} without a target; see the layer "
        "tree.",
        found=found_text,
        targets=target_text,
        left=format_value(int(counts["fp"]), 0),
        predictions=prediction_text,
    )


def _read_crowns(layer: Any, output: Output) -> pd.DataFrame:
    """Read the crowns of a side, targets or predictions, with integers as nullable ``Int64``.

    Args:
        layer: Result layer of the side.
        output: Output of the side.

    Returns:
        A row per crown with the columns of the output, and the feature id in the column
        :data:`FEATURE_COLUMN`.
    """
    table = read_attributes(layer, id_column=FEATURE_COLUMN, output=output.id)
    integer_names = [
        column.name
        for column in (*outputs.MATCHED_TARGETS.columns, *outputs.MATCHED_PREDICTIONS.columns)
        if column.kind == "integer"
    ]
    for name in table.columns.intersection(integer_names):
        table[name] = table[name].astype("Int64")
    return table


def iou_labels(are_points: bool) -> dict[str, str]:
    """Return the labels of columns with an IoU if it is one of points; {} for areas.

    Args:
        are_points: True if points are counted, and not areas.
    """
    if not are_points:
        return {}
    return {"iou": tr("IoU of points"), "mean_iou": tr("Mean IoU of points")}


def matched_columns(
    output: Output, names: Iterable[str], are_points: bool = False
) -> list[TableColumn]:
    """Return the columns that display targets or predictions; ids are whole numbers.

    Args:
        output: Output of the side.
        names: Names of the columns that the table has.
        are_points: True if points are counted, and not areas.
    """
    labels = iou_labels(are_points)
    columns = []
    for declared in output.select_columns(names):
        column = find_table_column(declared, saved_title=declared.name)
        if declared.name.endswith("_id"):
            column = replace(column, format_value=format_integer)
        columns.append(replace(column, title=labels.get(declared.name, column.title)))
    return columns


def add_interval_texts(summary: pd.DataFrame) -> pd.DataFrame:
    """Return a copy of the summary with a text ``<metric>_between`` for each interval.

    Args:
        summary: Table with the columns ``<metric>_low`` and ``<metric>_high`` of each metric in
            :data:`INTERVAL_METRICS`.
    """
    texts = {}
    for metric in INTERVAL_METRICS:
        intervals = summary[[f"{metric}_low", f"{metric}_high"]].to_numpy(float)  # (n, 2)
        texts[f"{metric}_between"] = [interval_text(low, high) for low, high in intervals]
    return summary.assign(**texts)


def summary_columns(names: Iterable[str], are_points: bool = False) -> list[TableColumn]:
    """Return the columns of a summary: the plot, each metric with its interval, and counts.

    Args:
        names: Names of the columns that the summary has; optional columns are omitted if they are
            not among them.
        are_points: True if points are counted, and not areas.
    """
    available = set(names)
    labels = iou_labels(are_points)
    columns = table_columns(outputs.SUMMARY, "plot")
    for name in INTERVAL_METRICS:
        metric, low = table_columns(outputs.SUMMARY, name, f"{name}_low")
        metric = replace(metric, title=labels.get(name, metric.title))
        interval = replace(low, name=f"{name}_between", title=tr("95 %"), format_value=format_text)
        columns += [metric, interval]
    optional_names = (*COCO_METRICS, "point_recall", *_COUNT_COLUMNS, "sq", "resampled")
    available_names = [name for name in optional_names if name in available]
    columns += table_columns(outputs.SUMMARY, *available_names)
    return [replace(column, saved_title=column.name) for column in columns]


def all_columns(output: Output) -> list[TableColumn]:
    """Return the columns that display all columns that an output declares."""
    return [
        replace(column, saved_title=column.name)
        for column in table_columns(output, *output.field_names)
    ]
