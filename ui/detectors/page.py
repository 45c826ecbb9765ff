"""Page Detectors: how far the ranking of detectors depends on the ground truth."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsExpression, QgsMapLayer, QgsProject, QgsRasterLayer, QgsVectorLayer

from randcrowns.algorithms.choices import ANNOTATOR_FIELD
from randcrowns.algorithms.detectors.choices import (
    ANNOTATORS,
    DETECTORS,
    GROUP_FIELD,
    IGNORED,
    MADE_TRUTHS,
    POINTS,
    RANK_CHOICES,
    SCORE_FIELD,
    STUDY_AREA,
    TRAINING,
)
from randcrowns.algorithms.detectors.outputs import RANK_OUTPUTS
from randcrowns.algorithms.detectors.showing import PRINTED
from randcrowns.algorithms.layer_choice import is_raster
from randcrowns.layers.styles import DELINEATION, TARGET
from randcrowns.layers.styles.tree import extent_on_map
from randcrowns.layers.words import tr
from randcrowns.ui.detectors.form import DetectorForm
from randcrowns.ui.detectors.panel import DetectorPanel
from randcrowns.ui.detectors.results import DetectorResults
from randcrowns.ui.services.layer_facts import drawings
from randcrowns.ui.services.result_file import Succeeded, add_result_layers
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.running import RunningPage, Watched
from randcrowns.ui.widgets.map_highlight import MapHighlight, look_at


class DetectorsPage(RunningPage[DetectorForm, DetectorPanel]):
    """Fills in the parameters of the ranking algorithm and shows its results."""

    key = "detectors"
    exported = (ANNOTATORS, DETECTORS, IGNORED)
    algorithm = "randcrowns:rankdetectors"
    choices, outputs = RANK_CHOICES, RANK_OUTPUTS
    needed = RANK_OUTPUTS
    offered = staticmethod(drawings)
    printed = PRINTED

    def __init__(self, iface: Any) -> None:
        empty = tr(
            "There is no polygon layer and no raster in this project yet. Add what annotators drew and what detectors "
            "found (polygons with a score field, or rasters), or try the sample data."
        )
        super().__init__(iface, DetectorForm(), DetectorPanel(), empty)
        self.highlight = MapHighlight(iface.mapCanvas(), self)
        self.results.chosen.connect(self._show_on_map)
        self.restore()

    def watched(self, settings: Settings) -> Watched:
        detectors, annotators, plot = (
            settings[DETECTORS],
            settings[ANNOTATORS],
            settings[GROUP_FIELD],
        )
        person = (settings[ANNOTATOR_FIELD],) if settings[ANNOTATOR_FIELD] else ()
        plots = (plot,) if plot else ()
        fields = {
            **dict.fromkeys(annotators, (*plots, *person)),
            **dict.fromkeys(detectors, (settings[SCORE_FIELD], *plots)),
        }
        places = filter(None, (settings[TRAINING], settings[IGNORED], settings[POINTS]))
        areas = (*settings[STUDY_AREA].layer_ids, *places)
        return (*detectors, *annotators, *settings[MADE_TRUTHS], *areas), fields, ""

    def take(self, outcome: Succeeded, settings: Settings) -> str:
        """Add the tables that have rows to the project and show them."""
        results = DetectorResults(outcome, settings)
        made = [
            one
            for one in RANK_OUTPUTS
            if one.id in outcome.layers and outcome.layers[one.id].featureCount()
        ]
        add_result_layers(outcome, made)
        self.results.show_results(results)
        said = "Done; {count:,} tables are in the layer tree."
        return tr(said, one="Done; 1 table is in the layer tree.", count=len(made))

    def _show_on_map(self, detector: str, truth: str) -> None:
        self.highlight.clear()
        self.results.tell_drawn("", "")
        results = self.results.results
        if results is None or not (detector or truth):
            return
        own = results.layer_of.get(truth, "")
        own = "" if is_raster(own) else own  # its outlines are among the ground truths
        find = QgsProject.instance().mapLayer
        drawn, truths = (
            find(results.layer_of.get(detector, "")),
            find(own or (results.truths_layer if truth else "")),
        )
        with self.messages.telling():
            if self._draw(drawn, truths, "" if own else truth):
                self.results.tell_drawn(detector, truth, isinstance(drawn, QgsRasterLayer))
            else:
                self.messages.warning(
                    tr("There is nothing to show: nothing is marked, or the layer is gone.")
                )

    def _draw(self, detector: QgsMapLayer | None, truths: QgsMapLayer | None, truth: str) -> bool:
        """Outline a detector's polygons in black and a ground truth in red, and look at them if the map shows neither.

        A raster lies over the other layers. Of ``truths`` those are drawn whose field ``truth`` is that one, or all.

        Returns:
            False when nothing of them is there any more.

        Raises:
            InputError: if the map's coordinate system has no place for one of them.
        """
        canvas, raster = (
            self.iface.mapCanvas(),
            detector if isinstance(detector, QgsRasterLayer) else None,
        )
        only = QgsExpression.createFieldEqualityExpression("truth", truth) if truth else "true"
        parts = [
            (self.highlight.joined(layer, where, merged=False), colour, alpha, 2)
            for layer, where, colour, alpha in (
                (truths, only, TARGET, 45),
                (detector, "true", DELINEATION, 0),
            )
            if isinstance(layer, QgsVectorLayer)
        ]
        if raster is None:
            extent = self.highlight.draw(*parts)
        else:
            extent = extent_on_map(raster, self.highlight.map_crs())
            extent.combineExtentWith(self.highlight.draw(*parts, veil=0))
            self.highlight.show_only(
                [raster, *(layer for layer in canvas.layers() if layer.id() != raster.id())]
            )
        if not canvas.extent().intersects(extent):
            look_at(canvas, extent)
        return not extent.isEmpty()
