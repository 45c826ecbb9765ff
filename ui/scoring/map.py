"""Links the crown table and the map both ways: a row shows its crown, a selection selects its rows."""

from __future__ import annotations

from functools import partial

import pandas as pd
from qgis.core import QgsVectorLayer
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QObject, pyqtSignal

from randcrowns.algorithms.choices import CORNERS, IDTREES, IMAGE_EXTENT, LENGTHS, PRESET, TARGETS
from randcrowns.algorithms.scoring.outputs import SCORED_DELINEATIONS, SCORED_TARGETS
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.styles.crown_view import CrownView, CrownViewer
from randcrowns.ui.scoring.results import LayerScores, ScoreResults
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.layer_watch import Connections
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.map_highlight import MapHighlight


class MapLink(QObject):
    """Shows crowns of one target layer and one delineation layer; follows what is selected in them."""

    #: Column of the crown table and the ids selected on the map.
    selected_on_map = pyqtSignal(str, list)

    def __init__(self, canvas: QgsMapCanvas, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self.highlight = MapHighlight(canvas)
        self._selection = Connections()
        self._settings = Settings({})
        self._scores: LayerScores | None = None
        self._viewer: CrownViewer | None = None

    def follow(self, results: ScoreResults, scores: LayerScores) -> None:
        """Link the results of one delineation layer with the map: with the layers read, and those made from them."""
        self.close()
        self._settings, self._scores = results.settings, scores
        made = results.made.get
        for layer_id, column, field in (
            (results.settings[TARGETS], "target_id", ""),
            (scores.layer_id, "delineation_id", ""),
            (made(SCORED_TARGETS.id, ""), "target_id", results.id_field),
            (made(SCORED_DELINEATIONS.id, ""), "delineation_id", "delineation_id"),
        ):
            layer = vector_layer(layer_id)
            if layer is not None:
                self._selection.connect(layer, "selectionChanged", partial(self._tell, layer_id, column, field))

    def close(self) -> None:
        """Take the link and every drawing away."""
        self.highlight.clear()
        self._selection.close()
        self._scores = self._viewer = None

    def show_row(self, row: pd.Series, move: bool = True) -> bool:
        """Draw the crown of this row; False when its layer or it is gone. ``move`` brings it into view too.

        Raises:
            InputError: if a coordinate system does not allow it.
        """
        self.highlight.clear()
        view = self._view(row)
        if view is None:
            return False
        self.highlight.show_view(view, move)
        return True

    def select(self, layer_id: str, ids: list[int]) -> None:
        """Select these features on the map, and show where they are."""
        layer = vector_layer(layer_id)
        if layer is None:
            return
        layer.selectByIds(ids)
        if ids:
            self._canvas.zoomToSelected(layer)

    def _view(self, row: pd.Series) -> CrownView | None:
        target = vector_layer(self._settings[TARGETS])
        if self._scores is None or target is None:
            return None
        if self._viewer is None:
            self._viewer = _viewer(self._settings, target)
        return self._viewer.view(
            target,
            int(row["target_id"]),
            vector_layer(self._scores.layer_id),
            None if pd.isna(row["delineation_id"]) else int(row["delineation_id"]),
            self._canvas.mapSettings().destinationCrs(),
        )

    def _tell(self, layer_id: str, column: str, field: str, *_: object) -> None:
        layer = vector_layer(layer_id)
        if layer is None or self._scores is None:
            return
        if not field:
            self.selected_on_map.emit(column, list(layer.selectedFeatureIds()))
            return
        features = layer.selectedFeatures()
        if column == "delineation_id":
            features = [feature for feature in features if feature["layer"] == self._scores.name]
        self.selected_on_map.emit(column, [int(feature[field]) for feature in features])


def _viewer(settings: Settings, target: QgsVectorLayer) -> CrownViewer:
    """Draws with what was scored; the competition's preset has no such regions."""
    extent, parameters = settings[IMAGE_EXTENT], None
    if settings[PRESET] != IDTREES:
        alpha, omega, gamma = (settings[length] for length in LENGTHS)
        parameters = RandCrownsParameters(alpha, omega, gamma, settings[CORNERS])
    plots = next(map(vector_layer, extent.layer_ids), None)
    return CrownViewer.of(target, parameters, extent.rectangle, plots)
