"""Tables of an instance evaluation as features, and its conclusion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsField, QgsFields

from randcrowns.algorithms.instances.schema.outputs import METRIC_VALUES, SUMMARY
from randcrowns.algorithms.output_types import Output, ValueOutput
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.instances.results import (
    InstanceMatches,
    pointtree_metrics,
    prediction_results,
    target_results,
)
from randcrowns.core.instances.summary import instances_headline
from randcrowns.core.messages import Message
from randcrowns.core.names import unused_name
from randcrowns.layers.vector.read import CrownLayer
from randcrowns.layers.vector.tables import FeatureTable, copied_field_indices


def add_result_fields(
    output: Output,
    table: FeatureTable,
    columns: pd.DataFrame,
    layer_fields: QgsFields | None = None,
    layer: CrownLayer | None = None,
) -> FeatureTable:
    """Add the results of targets or predictions to features without fields.

    Args:
        output: output that declares the columns; its first one contains the ids.
        table: features, which get the fields.
        columns: results, one row per feature; with a layer, one row per crown of the layer.
        layer_fields: fields of the layer, which are copied first. A field with the name of a result
            is renamed to ``<name>_own``.
        layer: layer of the features. Those that are no crown get an id and a status only.

    Returns:
        ``table``.
    """
    if layer_fields is not None and layer is not None:
        _add_own_fields(table, layer_fields, layer, [str(name) for name in columns])
    columns_by_name = {column.name: column for column in output.columns}
    for name in columns:
        column = columns_by_name[str(name)]
        values: Any = columns[column.name]
        if layer is not None and column is output.columns[0]:
            values = [feature.id() for feature in layer.features]
        elif layer is not None:
            values = values.set_axis(layer.feature_rows).reindex(range(len(layer.features)))
            if column.name == "status":
                values = values.fillna(MatchStatus.NO_GEOMETRY.value)
        column.add_to_table(table, values)
    return table


def _add_own_fields(
    table: FeatureTable, fields: QgsFields, layer: CrownLayer, result_names: Sequence[str]
) -> None:
    """Copy the fields of a layer to a table; rename those with the name of a result.

    A field "plot" is renamed in any case, as the column of that name is the plot of the run.

    Args:
        table: table; changed by this function.
        fields: fields of the layer.
        layer: features of the layer.
        result_names: names of the result fields.
    """
    reserved = {"plot", *(name.lower() for name in result_names)}
    for index in copied_field_indices(fields, layer.features, without=()):
        field = QgsField(fields.at(index))
        if field.name().lower() in reserved:
            field.setName(unused_name(f"{field.name()}_own", fields.names()))
        table.copy_field(field, layer.features, index)


def instances_conclusion(summary: pd.DataFrame) -> list[Message]:
    """Return the conclusion of a run: a message with counts and metrics over all instances.

    Args:
        summary: summary of the run, whose first row is for all instances.
    """
    labels = {column.name: column.label for column in SUMMARY.columns}
    return [instances_headline(summary.iloc[0], labels)]


def result_numbers(
    summary: pd.DataFrame, values: Sequence[ValueOutput] = METRIC_VALUES
) -> dict[str, float]:
    """Return the numbers that an algorithm returns, by id.

    Args:
        summary: summary of the run, whose first row is for all instances.
        values: outputs that are numbers; a number is NaN if the summary has no such column.
    """
    overall = summary.iloc[0]
    return {value.id: float(overall.get(value.id.lower(), np.nan)) for value in values}


__all__ = [
    "InstanceMatches",
    "add_result_fields",
    "instances_conclusion",
    "pointtree_metrics",
    "prediction_results",
    "result_numbers",
    "target_results",
]
