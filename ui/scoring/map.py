"""Shows the crowns of page Score on the map."""

from __future__ import annotations

import pandas as pd
from qgis.core import QgsVectorLayer

from randcrowns.algorithms.choices import CORNERS, IDTREES, IMAGE_EXTENT, LENGTHS, PRESET, TARGETS
from randcrowns.algorithms.scoring.outputs import SCORED_DELINEATIONS, SCORED_TARGETS
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.styles.crown_view import CrownView, CrownViewer
from randcrowns.ui.scoring.results import LayerScores, ScoreResults
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.map_highlight import MapLink


class ScoreLink(MapLink):
    """Shows crowns of one target layer and one delineation layer; follows what is selected in them."""

    _settings = Settings({})
    _scores: LayerScores | None = None
    _viewer: CrownViewer | None = None

    def follow(self, results: ScoreResults, scores: LayerScores) -> None:
        """Link the results of one delineation layer with the map: with the layers read, and those made from them."""
        self.close()
        self._settings, self._scores = results.settings, scores

        def targets(layer: QgsVectorLayer) -> list[int]:
            return [int(crown[results.id_field]) for crown in layer.selectedFeatures()]

        def delineations(layer: QgsVectorLayer) -> list[int]:
            own = (crown for crown in layer.selectedFeatures() if crown["layer"] == scores.name)
            return [int(crown["delineation_id"]) for crown in own]

        self.tell_selection(results.settings[TARGETS], "", "target_id")
        self.tell_selection(scores.layer_id, "", "delineation_id")
        self.tell_selection(results.made.get(SCORED_TARGETS.id, ""), "", "target_id", targets)
        self.tell_selection(results.made.get(SCORED_DELINEATIONS.id, ""), "", "delineation_id", delineations)

    def close(self) -> None:
        super().close()
        self._scores = self._viewer = None

    def show_row(self, row: pd.Series, move: bool = True) -> bool:
        """Draw the crown of this row; False when its layer or it is gone. ``move`` brings it into view too.

        Raises:
            InputError: if a coordinate system does not allow it.
        """
        self.highlight.clear()
        view = self._view(row)
        if view is not None:
            self.highlight.show_view(view, move)
        return view is not None

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
            self.highlight.map_crs(),
        )


def _viewer(settings: Settings, target: QgsVectorLayer) -> CrownViewer:
    """Draws with what was scored; the competition's preset has no such regions."""
    extent, parameters = settings[IMAGE_EXTENT], None
    if settings[PRESET] != IDTREES:
        alpha, omega, gamma = (settings[length] for length in LENGTHS)
        parameters = RandCrownsParameters(alpha, omega, gamma, settings[CORNERS])
    plots = next(map(vector_layer, extent.layer_ids), None)
    return CrownViewer.of(target, parameters, extent.rectangle, plots)
