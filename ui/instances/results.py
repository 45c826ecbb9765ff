"""What a run of page Instances found, read once from the algorithm's outputs, and its layers put into the project."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd
from qgis.core import QgsFeatureRequest, QgsProject, QgsVectorLayer

from randcrowns.core.remarks import Remark
from randcrowns.layers.styles.styles import style_output
from randcrowns.layers.styles.tree import add_run_group, run_title, unfold
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.words import counted, tr
from randcrowns.ui.instances.settings import CLOUD_OUTPUTS, InstanceSettings
from randcrowns.ui.services.layer_facts import RESULT_PROPERTY
from randcrowns.ui.services.runner import Succeeded

__all__ = ["FEATURE", "InstanceResults", "add_layers", "read_instance_results"]

#: Column with the id of the feature in the result layer.
FEATURE = "feature"
_WHOLE = ["target_id", "prediction_id", "match_id", "cut_id", "points"]
_SHOWN_AT_FIRST = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS")


@dataclass(frozen=True)
class InstanceResults:
    """The tables of a run; those of the two sides have a column :data:`FEATURE`.

    Attributes:
        settings: what was run.
        targets, predictions: a row each.
        summary: a row for all and one per plot.
        partitions: mean metrics per axis and partition, empty for polygons.
        performance: what each step took, empty for polygons.
        height: what the tallest target was decided by.
        made: ids of the layers added to the project, by output.
    """

    settings: InstanceSettings
    targets: pd.DataFrame
    predictions: pd.DataFrame
    summary: pd.DataFrame
    partitions: pd.DataFrame
    performance: pd.DataFrame
    height: tuple[Remark, ...]
    made: dict[str, str] = field(default_factory=dict)


def read_instance_results(outcome: Succeeded, settings: InstanceSettings) -> InstanceResults:
    """The tables of a run."""
    layers = outcome.layers
    optional = {name: table_of(layers[name]) if name in layers else pd.DataFrame() for name in CLOUD_OUTPUTS[4:]}
    return InstanceResults(
        settings,
        _side(layers["MATCHED_TARGETS"]),
        _side(layers["MATCHED_PREDICTIONS"]),
        table_of(layers["SUMMARY"]),
        optional["PARTITIONS"],
        optional["PERFORMANCE"],
        outcome.said("height"),
    )


def add_layers(outcome: Succeeded, results: InstanceResults, title: str) -> tuple[str, dict[str, str]]:
    """Add the layers to the project as one group.

    Returns:
        A sentence that tells where, and the ids of the layers by output.
    """
    names = {
        "MATCHED_TARGETS": tr("Matched targets"),
        "MATCHED_PREDICTIONS": tr("Matched predictions"),
        "SUMMARY": tr("Summary"),
        "METRICS": tr("Metrics"),
        "PARTITIONS": tr("Partitions"),
        "TREE_PARTITIONS": tr("Partitions of each tree"),
        "PERFORMANCE": tr("Time and memory"),
    }
    layers = []
    for output in CLOUD_OUTPUTS:
        layer = outcome.layers.get(output)
        if isinstance(layer, QgsVectorLayer):
            layer.setCustomProperty(RESULT_PROPERTY, output)
            layer.setName(names[output])
            style_output(layer, output)
            layers.append(layer)
    called = run_title(title)
    group = add_run_group(QgsProject.instance(), called, layers)
    unfold(group)
    for node in group.findLayers():
        output = node.layer().customProperty(RESULT_PROPERTY)
        node.setItemVisibilityChecked(output in _SHOWN_AT_FIRST)
        node.setExpanded(output == "MATCHED_TARGETS")
    row = results.summary.iloc[0]
    said = tr("{found} of {targets} found, {false} of {predictions} false; the layers are in group '{group}'.").format(
        found=f"{int(row['tp']):,}",
        targets=counted(int(row["targets"]), tr("target"), tr("targets")),
        false=f"{int(row['fp']):,}",
        predictions=counted(int(row["predictions"]), tr("prediction"), tr("predictions")),
        group=called,
    )
    return said, {str(layer.customProperty(RESULT_PROPERTY)): layer.id() for layer in layers}


def _side(layer: QgsVectorLayer) -> pd.DataFrame:
    request = QgsFeatureRequest().setFlags(QgsFeatureRequest.Flag.NoGeometry)
    ids = [feature.id() for feature in layer.getFeatures(request)]
    table = table_of(layer)
    for column in table.columns.intersection(_WHOLE):
        table[column] = table[column].astype("Int64")
    table[FEATURE] = ids
    return table
