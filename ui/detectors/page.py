"""Page Detectors: how far the ranking of detectors depends on the ground truth."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProject, QgsRasterLayer

from randcrowns.algorithms.detectors.choices import (
    ANNOTATORS,
    DETECTORS,
    GROUP_FIELD,
    RANK_CHOICES,
    SCORE_FIELD,
    STUDY_AREA,
    TRAINING,
)
from randcrowns.algorithms.detectors.outputs import RANK_OUTPUTS
from randcrowns.layers.words import counted, tr
from randcrowns.ui.detectors.form import ALGORITHM, DetectorForm
from randcrowns.ui.detectors.map import DetectorHighlight
from randcrowns.ui.detectors.panel import DetectorPanel
from randcrowns.ui.detectors.results import read_detector_results
from randcrowns.ui.services.result_file import add_result_layers
from randcrowns.ui.services.runner import Succeeded
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.running import RunningPage, Watched


class DetectorsPage(RunningPage[DetectorForm, DetectorPanel]):
    """Fills in the parameters of the ranking algorithm and shows its results."""

    key = "detectors"
    algorithm = ALGORITHM
    choices, outputs = RANK_CHOICES, RANK_OUTPUTS
    highlight: DetectorHighlight

    def __init__(self, iface: Any) -> None:
        empty = tr(
            "There is no polygon layer in this project yet. Add the polygons of annotators and what detectors found "
            "(polygons with a score field, or rasters), or try the sample data."
        )
        super().__init__(iface, DetectorForm(), DetectorPanel(), empty)
        self.highlight = DetectorHighlight(iface.mapCanvas())
        self.results.chosen.connect(self._show_on_map)
        self.restore()

    def watched(self, settings: Settings) -> Watched:
        """The layers read, the score field of the detectors and the plot's in all."""
        detectors, annotators, plot = settings[DETECTORS], settings[ANNOTATORS], settings[GROUP_FIELD]
        plots = (plot,) if plot else ()
        fields = {**dict.fromkeys(annotators, plots), **dict.fromkeys(detectors, (settings[SCORE_FIELD], *plots))}
        areas = (*settings[STUDY_AREA].layer_ids, *filter(None, (settings[TRAINING],)))
        return (*detectors, *annotators, *areas), fields, ""

    def take(self, outcome: Succeeded, settings: Settings) -> str:
        """Add the tables that have rows to the project and show them."""
        results = read_detector_results(outcome, settings)
        made = [one for one in RANK_OUTPUTS if one.id in outcome.layers and outcome.layers[one.id].featureCount()]
        title, _ = add_result_layers(outcome, made)
        self.results.show_results(results)
        number = counted(len(made), tr("table is"), tr("tables are"))
        return tr("Done; {tables} in group '{group}'.", tables=number, group=title)

    def _show_on_map(self, detector: str, truth: str) -> None:
        results = self.results.results
        if results is None or not (detector or truth):
            self.highlight.clear()
            self.results.tell_drawn("", "")
            return
        own = results.layer_of.get(truth, "")
        place = (own, "") if own else (results.truths_layer if truth else "", truth)
        layer_id = results.layer_of.get(detector, "")
        self.results.tell_drawn("", "")
        with self.messages.telling():
            if self.highlight.show_pair(layer_id, *place):
                raster = isinstance(QgsProject.instance().mapLayer(layer_id), QgsRasterLayer)
                self.results.tell_drawn(detector, truth, raster)
            else:
                self.messages.warning(tr("There is nothing to show: nothing is marked, or the layer is gone."))
