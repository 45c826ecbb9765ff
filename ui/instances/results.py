"""What a run of page Instances found, read once from the algorithm's outputs, and the columns that its tables show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pandas as pd

from randcrowns.algorithms.instances import outputs
from randcrowns.algorithms.output import UNIT, Output
from randcrowns.core.arrays import between
from randcrowns.core.instances.average_precision import COCO_METRICS
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.instances.summary import INTERVALS
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.words import sentences, tr, written
from randcrowns.ui.services.result_file import Succeeded
from randcrowns.ui.widgets.table_model import TableColumn, as_text, as_whole, column_of, columns_of

#: The two tables: the outputs with their rows.
TARGETS, PREDICTIONS = SIDES = outputs.MATCHED_TARGETS.id, outputs.MATCHED_PREDICTIONS.id
#: Column with the id of the feature in the result layer.
FEATURE = "feature"


class InstanceResults:
    """The tables of a run; those of the two sides have a row each, with a column :data:`FEATURE`."""

    def __init__(self, outcome: Succeeded, names: dict[int, str]) -> None:
        self.names = names  #: display name of each target.
        self.made: dict[
            str, str
        ] = {}  #: ids of the layers that were added to the project, by output.
        self.targets = _side(outcome.layers[outputs.MATCHED_TARGETS.id])
        self.predictions = _side(outcome.layers[outputs.MATCHED_PREDICTIONS.id])
        self.summary = outcome.table(outputs.SUMMARY)  #: a row for all and one per plot.
        #: Mean metrics per axis and partition, empty for polygons.
        self.partitions = outcome.table(outputs.PARTITIONS)
        self.performance = outcome.table(
            outputs.PERFORMANCE
        )  #: what each step took, empty for polygons.
        #: What is found at several thresholds of IoU, empty for a cloud.
        self.thresholds = outcome.table(outputs.THRESHOLDS)
        #: Metrics of the classes of a cloud, empty without any.
        self.classes = outcome.table(outputs.CLASSES)
        self.height = outcome.said("height")  #: what the tallest target was decided by.
        #: What average precision and point recall were computed from.
        self.scores = outcome.said("ap", "points")
        scores = (remark for remark in self.scores if remark.key in ("ap.score", "ap.no_score"))
        self.unit = str(outcome.outputs.get(UNIT.id) or "m")
        self.decided = tuple(sentences(scores))  #: what the numbers depend on, in words.
        #: Per side, the feature of each crown by its id.
        self.features = {
            TARGETS: dict(zip(self.targets["target_id"], self.targets[FEATURE])),
            PREDICTIONS: dict(zip(self.predictions["prediction_id"], self.predictions[FEATURE])),
        }


def iou_of_targets(targets: pd.DataFrame) -> pd.DataFrame:
    """``feature_id`` and ``score`` of each target: its IoU, 0 where it was not found, NaN without an outline."""
    score = targets["iou"].where(targets["status"] == MatchStatus.TRUE_POSITIVE.value, 0.0)
    score = score.where(targets["status"] != MatchStatus.NO_GEOMETRY.value)
    return pd.DataFrame({"feature_id": targets["target_id"], "score": score.astype(float)})


def found_sentence(results: InstanceResults) -> str:
    """How many were found, and where the layers are."""
    row = results.summary.iloc[0]
    judged = "not_judged" not in row
    said = "{found} of {targets} found, {left} of {predictions} unmatched; see the layer tree."
    if not judged:
        said = "{found} of {targets} found, {left} of {predictions} not judged; see the layer tree."
    return tr(
        said,
        found=written(int(row["tp"]), 0),
        targets=tr("{count:,} targets", one="1 target", count=int(row["targets"])),
        left=written(int(row["fp" if judged else "not_judged"]), 0),
        predictions=tr("{count:,} predictions", one="1 prediction", count=int(row["predictions"])),
    )


def _side(layer: Any) -> pd.DataFrame:
    table = table_of(layer, ids=FEATURE)
    whole = [
        column.name
        for column in (*outputs.MATCHED_TARGETS.columns, *outputs.MATCHED_PREDICTIONS.columns)
        if column.kind == "integer"
    ]
    for column in table.columns.intersection(whole):
        table[column] = table[column].astype("Int64")
    return table


def matched_columns(output: Output, names: Iterable[str]) -> list[TableColumn]:
    """Columns of the targets or of the predictions, of those ``names`` that the table has."""
    id_: dict[str, Any] = {"text": as_whole}
    columns = output.columns_of(names)
    return [
        column_of(one, csv=one.name, **(id_ if one.name.endswith("_id") else {})) for one in columns
    ]


def with_intervals(summary: pd.DataFrame) -> pd.DataFrame:
    """The summary with a text ``<metric>_between`` for each interval."""
    ends = {name: summary[[f"{name}_low", f"{name}_high"]].to_numpy(float) for name in INTERVALS}
    return summary.assign(
        **{f"{name}_between": [between(*pair) for pair in pairs] for name, pairs in ends.items()}
    )


def summary_columns(names: Iterable[str]) -> list[TableColumn]:
    """Columns of a summary with these fields: the plot, each metric with its interval, counts."""
    columns = columns_of(outputs.SUMMARY, "group")
    for name in INTERVALS:
        metric, low = columns_of(outputs.SUMMARY, name, f"{name}_low")
        columns += [metric, replace(low, name=f"{name}_between", title=tr("95 %"), text=as_text)]
    columns += columns_of(
        outputs.SUMMARY, *(name for name in (*COCO_METRICS, "point_recall") if name in set(names))
    )
    counts = (
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
    columns += columns_of(
        outputs.SUMMARY, *(name for name in (*counts, "sq", "resampled") if name in set(names))
    )
    return [replace(column, csv=column.name) for column in columns]


def columns_of_all(output: Output) -> list[TableColumn]:
    """All columns that an output declares."""
    return [replace(column, csv=column.name) for column in columns_of(output, *output.names)]
