"""Links the tables of page Instances with the map: a row shows its crown and its match, a selection selects rows."""

from __future__ import annotations

from typing import Any, Callable

import pandas as pd
from qgis.core import QgsFeature, QgsGeometry, QgsRectangle, QgsVectorLayer
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QObject, pyqtSignal

from randcrowns.algorithms.instances.outputs import MATCHED_PREDICTIONS, MATCHED_TARGETS
from randcrowns.layers.styles.tree import extent_on_map, on_map
from randcrowns.ui.instances.results import FEATURE, InstanceResults
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.layer_watch import Connections
from randcrowns.ui.widgets.map_highlight import MapHighlight, bring_into_view, flash

TARGETS, PREDICTIONS = MATCHED_TARGETS.id, MATCHED_PREDICTIONS.id


class InstanceLink(QObject):
    """Shows rows of the targets and predictions of one run; follows what is selected in its layers and those read."""

    #: :data:`TARGETS` or :data:`PREDICTIONS`, a column of its table, and what it holds for the features selected.
    selected_on_map = pyqtSignal(str, str, list)

    def __init__(self, canvas: QgsMapCanvas, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self.highlight = MapHighlight(canvas)
        self._selection = Connections()
        self._results: InstanceResults | None = None
        self._places: dict[str, dict[int, int]] = {}
        self._selecting = False

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
        for side, layer, column in (
            (TARGETS, self._layer(TARGETS), FEATURE),
            (PREDICTIONS, self._layer(PREDICTIONS), FEATURE),
            (TARGETS, vector_layer(read[0]), "target_id"),
            (PREDICTIONS, vector_layer(read[1]), "prediction_id"),
        ):
            if layer is not None:
                self._selection.connect(layer, "selectionChanged", self._teller(side, layer, column))

    def close(self) -> None:
        """Take the link and every drawing away."""
        self.highlight.clear()
        self._selection.close()
        self._results, self._places = None, {}

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
        if not move:
            return True
        extent = shape.boundingBox()
        if match is not None:
            extent.combineExtentWith(match.boundingBox())
        bring_into_view(self._canvas, extent)
        flash(self._canvas, shape)
        return True

    def select(self, side: str, features: list[int]) -> None:
        """Select these features on the map and nothing else of ours, and show where they are."""
        layer = self._layer(side)
        self.select_nothing(layer)
        if layer is not None:
            layer.selectByIds(features)
            if features:
                self._canvas.zoomToSelected(layer)

    def select_nothing(self, but: QgsVectorLayer | None = None) -> None:
        """Take the drawings away, and the selection off the layers of the run but this one."""
        self.highlight.clear()
        self._selecting = True
        for layer in (self._layer(TARGETS), self._layer(PREDICTIONS)):
            if layer is not None and layer is not but:
                layer.removeSelection()
        self._selecting = False

    def bring_into_view(self) -> None:
        """Show the results on the map where none of them is to be seen.

        Raises:
            InputError: if the map's coordinate system has no place for them.
        """
        shown = QgsRectangle()
        crs = self._canvas.mapSettings().destinationCrs()
        for layer in (self._layer(TARGETS), self._layer(PREDICTIONS)):
            if layer is not None and layer.featureCount():
                shown.combineExtentWith(extent_on_map(layer, crs))
        if not shown.isEmpty() and not self._canvas.extent().intersects(shown):
            bring_into_view(self._canvas, shown)

    def _shape(self, side: str, feature_id: Any) -> QgsGeometry | None:
        """The outline of a feature in the coordinates of the map; None when it is gone or has none."""
        layer = self._layer(side)
        if layer is None or feature_id is None:
            return None
        feature: QgsFeature = layer.getFeature(int(feature_id))
        if not feature.isValid() or feature.geometry().isEmpty():
            return None
        return on_map(feature.geometry(), layer, self._canvas.mapSettings().destinationCrs())

    def _layer(self, side: str) -> QgsVectorLayer | None:
        if self._results is None:
            return None
        return vector_layer(self._results.made.get(side, ""))

    def _teller(self, side: str, layer: QgsVectorLayer, column: str) -> Callable[..., None]:
        def tell(*_: object) -> None:
            if self._selecting:
                return
            self.select_nothing(layer)
            self.selected_on_map.emit(side, column, list(layer.selectedFeatureIds()))

        return tell
