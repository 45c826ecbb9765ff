"""Shows the crowns of page Instances on the map, with their matches."""

from __future__ import annotations

from typing import Any

import pandas as pd
from qgis.core import QgsFeature, QgsGeometry, QgsVectorLayer
from qgis.PyQt.QtCore import QSignalBlocker

from randcrowns.algorithms.instances.outputs import MATCHED_PREDICTIONS, MATCHED_TARGETS
from randcrowns.layers.styles.tree import on_map
from randcrowns.ui.instances.results import FEATURE, InstanceResults
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.widgets.map_highlight import MapLink, bring_into_view, flash

#: The two tables, and the outputs with their rows.
TARGETS, PREDICTIONS = SIDES = MATCHED_TARGETS.id, MATCHED_PREDICTIONS.id


class InstanceLink(MapLink):
    """Shows rows of the targets and predictions of one run; follows what is selected in its layers and those read."""

    _results: InstanceResults | None = None

    def follow(self, results: InstanceResults, read: tuple[str, str]) -> None:
        """Link the results of a run, whose layers are in the project.

        Args:
            results: of the run.
            read: ids of the layers of targets and predictions that it read; empty for a point cloud.
        """
        self.close()
        self._results = results
        self._places = {
            TARGETS: dict(zip(results.targets["target_id"], results.targets[FEATURE])),
            PREDICTIONS: dict(zip(results.predictions["prediction_id"], results.predictions[FEATURE])),
        }
        for side, layer_id, column in zip(SIDES, read, ("target_id", "prediction_id")):
            self.tell_selection(results.made.get(side, ""), side, FEATURE)
            self.tell_selection(layer_id, side, column)

    def close(self) -> None:
        super().close()
        self._results = None

    def show_row(self, side: str, row: pd.Series, move: bool = True) -> bool:
        """Draw the crown of this row (target red, prediction black) and its match; False when it is gone.

        ``move`` brings it into view too.

        Raises:
            InputError: if the map's coordinate system has no place for it.
        """
        self.highlight.clear()
        shape = self._shape(side, row[FEATURE])
        if shape is None:
            return False
        other = PREDICTIONS if side == TARGETS else TARGETS
        wanted = row.get("cut_id")
        if wanted is None or pd.isna(wanted):
            wanted = row["match_id"]
        match = None if pd.isna(wanted) else self._shape(other, self._places[other].get(int(wanted)))
        target, prediction = (shape, match) if side == TARGETS else (match, shape)
        self.highlight.show(target, prediction, {})
        if move:
            extent = shape.boundingBox()
            if match is not None:
                extent.combineExtentWith(match.boundingBox())
            bring_into_view(self.canvas, extent)
            flash(self.canvas, shape)
        return True

    def select_nothing(self, but: str = "") -> None:
        """Take the drawings away, and the selection off the layers of the run but for that of this side."""
        self.highlight.clear()
        with QSignalBlocker(self):
            for side in SIDES:
                layer = self._layer(side)
                if layer is not None and side != but:
                    layer.removeSelection()

    def _shape(self, side: str, feature_id: Any) -> QgsGeometry | None:
        """The outline of a feature in the coordinates of the map; None when it is gone or has none."""
        layer = self._layer(side)
        if layer is None or feature_id is None:
            return None
        feature: QgsFeature = layer.getFeature(int(feature_id))
        if not feature.isValid() or feature.geometry().isEmpty():
            return None
        return on_map(feature.geometry(), layer, self.highlight.map_crs())

    def _layer(self, side: str) -> QgsVectorLayer | None:
        return None if self._results is None else vector_layer(self._results.made.get(side, ""))
