"""What a run of page Instances found, read once from the algorithm's outputs."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd
from qgis.core import QgsFeatureRequest, QgsVectorLayer

from randcrowns.algorithms.instances.outputs import (
    MATCHED_PREDICTIONS,
    MATCHED_TARGETS,
    PARTITIONS,
    PERFORMANCE,
    SUMMARY,
)
from randcrowns.core.remarks import Remark
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.words import counted, tr
from randcrowns.ui.services.runner import Succeeded

#: Column with the id of the feature in the result layer.
FEATURE = "feature"


@dataclass(frozen=True)
class InstanceResults:
    """The tables of a run; those of the two sides have a column :data:`FEATURE`.

    Attributes:
        targets, predictions: a row each.
        summary: a row for all and one per plot.
        partitions: mean metrics per axis and partition, empty for polygons.
        performance: what each step took, empty for polygons.
        height: what the tallest target was decided by.
        made: ids of the layers added to the project, by output.
    """

    targets: pd.DataFrame
    predictions: pd.DataFrame
    summary: pd.DataFrame
    partitions: pd.DataFrame
    performance: pd.DataFrame
    height: tuple[Remark, ...]
    made: dict[str, str] = field(default_factory=dict)


def read_instance_results(outcome: Succeeded, made: dict[str, str]) -> InstanceResults:
    """The tables of a run."""
    layers = outcome.layers
    partitions, performance = (
        table_of(layers[output.id]) if output.id in layers else pd.DataFrame() for output in (PARTITIONS, PERFORMANCE)
    )
    return InstanceResults(
        targets=_side(layers[MATCHED_TARGETS.id]),
        predictions=_side(layers[MATCHED_PREDICTIONS.id]),
        summary=table_of(layers[SUMMARY.id]),
        partitions=partitions,
        performance=performance,
        height=outcome.said("height"),
        made=made,
    )


def found_sentence(results: InstanceResults, group: str) -> str:
    """How many were found, and in which group the layers are."""
    row = results.summary.iloc[0]
    return tr(
        "{found} of {targets} found, {false} of {predictions} false positives; the layers are in group '{group}'."
    ).format(
        found=f"{int(row['tp']):,}",
        targets=counted(int(row["targets"]), tr("target"), tr("targets")),
        false=f"{int(row['fp']):,}",
        predictions=counted(int(row["predictions"]), tr("prediction"), tr("predictions")),
        group=group,
    )


def _side(layer: QgsVectorLayer) -> pd.DataFrame:
    request = QgsFeatureRequest().setFlags(QgsFeatureRequest.Flag.NoGeometry)
    ids = [feature.id() for feature in layer.getFeatures(request)]
    table = table_of(layer)
    whole = [
        column.name for column in (*MATCHED_TARGETS.columns, *MATCHED_PREDICTIONS.columns) if column.kind == "integer"
    ]
    for column in table.columns.intersection(whole):
        table[column] = table[column].astype("Int64")
    table[FEATURE] = ids
    return table
