"""Matched targets of page Instances, which can be reviewed like the scored crowns of page Score.

Crowns in pixels have no scores, because RandCrowns needs metres, but they have matches with an IoU.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
from qgis.core import QgsFeature, QgsVectorLayer

from randcrowns.algorithms.classes.outputs import CROWN_COLUMNS
from randcrowns.algorithms.instances.schema.outputs import MATCHED_PREDICTIONS, MATCHED_TARGETS
from randcrowns.algorithms.instances.schema.reviewed_crowns import (
    compared_ids,
    layer_keys_of_run,
    prediction_name,
    target_problems,
)
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.provenance import read_provenance
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.review.problems import Problem
from randcrowns.core.review.verdicts import LayerKey
from randcrowns.layers.compat import is_null
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.attribute_source import AttributeSource
from randcrowns.layers.vector.guesses import polygon_layers
from randcrowns.layers.vector.tables import display_name_reader, read_attributes
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.review.scored_layer import ScoredLayer


@dataclass(frozen=True)
class EvaluatedLayer(ScoredLayer):
    """Matched targets of two polygon layers or of a point cloud, with their IoU as score."""

    score_name: ClassVar[str] = "IoU"
    delineation_output: ClassVar[Output] = MATCHED_PREDICTIONS
    delineation_id_field: ClassVar[str] = "prediction_id"

    @classmethod
    def from_layer(cls, layer: QgsVectorLayer) -> EvaluatedLayer:
        """Create the evaluated layer from a run's layer of matched targets.

        Args:
            layer: The layer; the result has no prefixes if it is not such a layer of a run.
        """
        record = read_provenance(layer)
        is_evaluated = layer.customProperty(RESULT_PROPERTY) == MATCHED_TARGETS.id
        if record is None or not is_evaluated:
            return cls(layer, {})
        name = prediction_name(record)
        return cls(layer, {name: ""} if name else {})

    def layer_keys(self, name: str) -> tuple[LayerKey, LayerKey]:
        """Return the identification of the target layer and of the prediction layer.

        Args:
            name: Name of the prediction layer.

        Returns:
            The identification of the targets and that of the predictions.
        """
        record = self.provenance
        if record is None:
            return LayerKey("", "", name), LayerKey("", "", name)
        return layer_keys_of_run(record, name)

    def _target_reader(self, name: str) -> Callable[[], pd.DataFrame]:
        """Return a function that reads the targets, see ``ScoredLayer._target_reader``.

        Args:
            name: Name of the prediction layer.
        """
        id_columns = ["target_id", "match_id", "segmentation_match_id"]
        columns = [*id_columns, "status", "iou", *self._optional_columns()]
        source = AttributeSource.from_layer(self.layer)
        input_layer = self._input_layer(self.layer_keys(name)[0])
        # The display names are those of the input layer, or of this layer if it was removed.
        named_id_column = "feature" if input_layer is None else "feature_id"
        read_names = display_name_reader(input_layer or self.layer)

        def read_targets() -> pd.DataFrame:
            """Read the targets with the ids of their matches and their problems."""
            table = read_attributes(source, columns, id_column="feature")
            match_ids = compared_ids(table)
            problems = target_problems(table["status"], table["iou"])
            targets = table.drop(columns=id_columns).assign(
                feature_id=table["target_id"].astype(np.int64),
                delineation_id=match_ids,
                score=table["iou"],
                iou_crowns=np.nan,
                problem=problems,
                cause=_target_causes(problems, table["iou"]),
                spread=np.nan,
            )
            display_names = targets[named_id_column].map(read_names())
            return targets.assign(name=display_names, plot=targets.get("plot", None))

        return read_targets

    def _optional_columns(self) -> list[str]:
        """Return the columns with the plot and the classes that the layer has."""
        field_names = set(self.layer.fields().names())
        class_columns = [column.name for column in CROWN_COLUMNS]
        columns = ["plot"] if "plot" in field_names else []
        if field_names.issuperset(class_columns):
            columns += class_columns
        return columns

    def _false_positive_reader(
        self, name: str, layer: QgsVectorLayer | None
    ) -> Callable[[], pd.DataFrame]:
        """Return a function that reads the false positives; those of an input layer are unknown.

        Args:
            name: Name of the prediction layer.
            layer: Layer with the outlines; None if it was removed.

        Returns:
            See ``ScoredLayer._false_positive_reader``.
        """
        if layer is None or not self._is_run_table(layer):
            columns = ["delineation_id", "feature", "problem", "cause", "plot"]
            return lambda: pd.DataFrame(columns=columns)
        source = AttributeSource.from_layer(layer)
        equal_values = {"status": MatchStatus.FALSE_POSITIVE.value}
        field_names = layer.fields().names()
        optional_columns = ["plot", *(column.name for column in CROWN_COLUMNS)]
        columns = ["prediction_id", "status"]
        columns += [column for column in optional_columns if column in field_names]

        def read_false_positives() -> pd.DataFrame:
            """Read the predictions without a match, whose problem is the same for all."""
            table = read_attributes(source, columns, id_column="feature", equal_values=equal_values)
            return table.drop(columns=["prediction_id"]).assign(
                delineation_id=table["prediction_id"],
                problem=Problem.EXTRA.value,
                cause=tr("No target for this prediction: false detection"),
                plot=table.get("plot", None),
            )

        return read_false_positives

    def _match_id(self, feature: QgsFeature, name: str) -> int | None:
        """Return the id of the prediction that is matched or compared with a target, or None."""
        for field in ("match_id", "segmentation_match_id"):
            if not is_null(feature[field]):
                return int(feature[field])
        return None

    def _is_run_table(self, layer: QgsVectorLayer) -> bool:
        """Return True if a layer is a run's table of all predictions, not an input layer."""
        return bool(layer.customProperty(RESULT_PROPERTY) == MATCHED_PREDICTIONS.id)

    def _values_of(self, name: str) -> dict[str, str]:
        """Return no values: the table contains the predictions of one layer."""
        return {}


def _target_causes(problems: list[str | None], iou: pd.Series) -> list[str]:
    """Return a sentence about each problem; "" for none.

    Args:
        problems: (n,) problems of the targets.
        iou: (n,) IoU with the prediction that they are compared with.
    """
    causes = []
    for problem, value in zip(problems, iou):
        cause = ""
        if problem == Problem.MISSING.value:
            cause = tr("The crown has no prediction: no delineation")
        elif problem == Problem.LOW_OVERLAP.value:
            cause = tr(
                "The prediction has an IoU of {iou:.2f} with the crown: low overlap", iou=value
            )
        causes.append(cause)
    return causes


def reviewable_layers() -> list[ScoredLayer]:
    """Return the layers of the project that can be reviewed.

    The outputs of runs come first, the newest run before the others.
    """
    layers = polygon_layers(include_results=True)
    candidates = [
        kind.from_layer(layer) for kind in (ScoredLayer, EvaluatedLayer) for layer in layers
    ]

    def sort_key(candidate: ScoredLayer) -> tuple[bool, str]:
        """Return whether a run made the layer, and when."""
        return bool(candidate.layer.customProperty(RESULT_PROPERTY)), candidate.run_time

    reviewable = [candidate for candidate in candidates if candidate.prefixes]
    return sorted(reviewable, key=sort_key, reverse=True)
