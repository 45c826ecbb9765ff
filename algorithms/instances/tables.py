"""The tables of an evaluation of instances as features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsField, QgsFields

from randcrowns.algorithms.instances.outputs import SUMMARY, VALUES
from randcrowns.algorithms.output import Output, Value
from randcrowns.core.arrays import Bools, Ints, with_interval
from randcrowns.core.instances.matching import (
    Matching,
    MatchStatus,
    matched_ids,
    prediction_status,
    target_status,
)
from randcrowns.core.instances.metrics import (
    detection,
    detection_metrics,
    matched_shares,
    segmentation_means,
    segmentation_table,
    semantic_segmentation_metrics,
)
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.instances.summary import INTERVALS
from randcrowns.core.remarks import Remark, Said, info
from randcrowns.core.statistics import RATES, overlap_rates
from randcrowns.layers.vector.names import free_name
from randcrowns.layers.vector.read import CrownLayer
from randcrowns.layers.vector.tables import FeatureTable, carried_fields, carried_values
from randcrowns.layers.words import tr


@dataclass(frozen=True)
class InstanceMatches:
    """Two matchings of one overlap table."""

    table: OverlapTable  #: what the instances share.
    found: Matching  #: matching for detection.
    cut: Matching  #: matching for segmentation.
    #: target_ids, prediction_ids: (T,) and (P,) ids.
    target_ids: Ints
    prediction_ids: Ints
    uncertain: Bools | None = None  #: (P,) predictions that are no mistake, or None.
    all_drawn: bool = True  #: False where unmatched predictions are not judged.


def target_columns(matches: InstanceMatches) -> pd.DataFrame:
    """One row per target: target_id, status, match_id, cut_id, iou, precision, recall."""
    iou, precision, recall = matched_shares(matches.table, matches.cut)
    return pd.DataFrame(
        {
            "target_id": matches.target_ids,
            "status": target_status(matches.found),
            "match_id": matched_ids(matches.prediction_ids, matches.found.prediction),
            "cut_id": matched_ids(matches.prediction_ids, matches.cut.prediction),
            "iou": iou,
            "precision": precision,
            "recall": recall,
        }
    )


def prediction_columns(matches: InstanceMatches) -> pd.DataFrame:
    """One row per prediction: prediction_id, status, match_id, iou, precision, recall with its target."""
    found, table = matches.found, matches.table
    # The last, which NONE stands for, is what a prediction without a target shares, and the size of no target.
    shared, target_size = (
        np.append(of_each, 0.0)[found.target] for of_each in (found.shared, table.target_size)
    )
    iou, precision, recall = overlap_rates(shared, target_size, table.prediction_size)
    return pd.DataFrame(
        {
            "prediction_id": matches.prediction_ids,
            "status": prediction_status(found, matches.uncertain, matches.all_drawn),
            "match_id": matched_ids(matches.target_ids, found.target),
            "iou": iou,
            "precision": precision,
            "recall": recall,
        }
    )


def side_table(
    output: Output,
    table: FeatureTable,
    columns: pd.DataFrame,
    own: QgsFields | None = None,
    layer: CrownLayer | None = None,
) -> FeatureTable:
    """Add columns of the output to features without fields, a row per feature or per crown of the ``layer``.

    The fields that the features came with, ``own``, stand first; one of the name of a column is called ``…_own``. A
    feature that is none of the layer's crowns has its id only.
    """
    if own is not None and layer is not None:
        ours = {str(name).lower() for name in columns}
        for place in carried_fields(own, layer.features, ()):
            described = QgsField(own.at(place))
            if described.name().lower() in ours:
                described.setName(free_name(f"{described.name()}_own", own.names()))
            table.add_field(described, carried_values(layer.features, place, described.isNumeric()))
    declared = {column.name: column for column in output.columns}
    for column in (declared[str(name)] for name in columns):
        values: Any = columns[column.name]
        if layer is not None:
            values = values.set_axis(layer.rows).reindex(range(len(layer.features)))
            if column.name == "status":
                values = values.fillna(MatchStatus.NO_GEOMETRY.value)
            elif column is output.columns[0]:
                values = [feature.id() for feature in layer.features]
        column.add_to(table, values)
    return table


def metrics_row(
    matches: InstanceMatches, no_prediction: int, include_unmatched: bool
) -> pd.DataFrame:
    """The metrics that pointtree documents, one row; ``no_prediction`` is the id in place of a match."""
    ids = np.append(matches.prediction_ids, no_prediction)[matches.cut.prediction]
    rows = segmentation_table(
        matches.table, matches.cut, matches.target_ids, ids, include_unmatched
    )
    counts = detection_metrics(detection(matches.found, matches.uncertain))
    metrics = {f"Detection{name}": value for name, value in counts.items()}
    return pd.DataFrame(
        [{**metrics, **{f"Segmentation{n}": v for n, v in segmentation_means(rows).items()}}]
    )


def class_rows(
    target: Ints,
    prediction: Ints,
    classes: Mapping[str, list[int]],
    aggregates: Mapping[str, list[int]],
) -> pd.DataFrame:
    """A row per class, per aggregate, and the two means; every class of the points where none is named."""
    named = {name: number for name, (number, *_) in classes.items()}
    if not named:
        found = np.unique(np.concatenate([np.unique(target), np.unique(prediction)]))
        named = {str(number): int(number) for number in found}
    metrics = semantic_segmentation_metrics(target, prediction, named, aggregates)
    wanted = [
        *((name, "class", name, "") for name in named),
        *((name, "aggregate", name, "") for name in aggregates),
    ]
    wanted += [("Mean", "mean", tr("all classes"), "")]
    wanted += (
        [("Mean", "mean with aggregates", tr("all classes"), "Aggregated")] if aggregates else []
    )
    rows = [
        (called, kind, *(metrics[f"{name}{rate}{end}"] for rate in RATES))
        for name, kind, called, end in wanted
    ]
    return pd.DataFrame(rows, columns=["class", "kind", "iou", "precision", "recall"])


def instances_headline(summary: pd.DataFrame) -> list[Remark]:
    """The answer: how many targets were found, and how well."""
    row = summary.iloc[0]
    said = "{found:,} of {targets:,} targets found by {predictions:,} predictions; {metrics}."
    named = {column.name: column.label for column in SUMMARY.columns}
    ends = {name: row[[name, f"{name}_low", f"{name}_high"]] for name in INTERVALS}
    metrics = [
        Said("{name} {value}", name=named[name], value=with_interval(*of))
        for name, of in ends.items()
    ]
    numbers = (int(row[name]) for name in ("tp", "targets", "predictions"))
    values: dict[str, Any] = {
        **dict(zip(("found", "targets", "predictions"), numbers)),
        "metrics": metrics,
    }
    return [info("headline.instances", said, **values)]


def result_numbers(summary: pd.DataFrame, values: Sequence[Value] = VALUES) -> dict[str, float]:
    """The numbers that an algorithm gives out, from the row of the summary for everything; NaN where it has none."""
    return {value.id: float(summary.iloc[0].get(value.id.lower(), np.nan)) for value in values}
