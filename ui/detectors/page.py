"""Page Detectors: how much the ranking of detectors depends on the ground truth."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from qgis.core import QgsExpression, QgsMapLayer, QgsProject, QgsRasterLayer, QgsVectorLayer

from randcrowns.algorithms.common_parameters import ANNOTATOR_FIELD, REVIEWED
from randcrowns.algorithms.detectors.schema.outputs import RANK_OUTPUTS
from randcrowns.algorithms.detectors.schema.parameters import (
    ANNOTATORS,
    CLASS_FIELD,
    DETECTORS,
    GROUND_TRUTH_LAYERS,
    IGNORED,
    PLOT_FIELD,
    POINTS,
    RANK_PARAMETERS,
    SCORE_FIELD,
    STUDY_AREA,
    TRAINING,
    detector_class_field,
)
from randcrowns.algorithms.detectors.schema.report_content import RANKING_PRINT
from randcrowns.algorithms.exchange.schema import parameters as exchange_parameters
from randcrowns.algorithms.layer_parameters import is_raster_id
from randcrowns.layers.localization import tr
from randcrowns.layers.styles import DELINEATION_COLOUR, TARGET_COLOUR
from randcrowns.layers.styles.tree import extent_in_map_crs
from randcrowns.ui.detectors.form import DetectorForm
from randcrowns.ui.detectors.results import DetectorResults
from randcrowns.ui.detectors.results_panel import DetectorResultsPanel
from randcrowns.ui.services.layer_info import annotation_layers
from randcrowns.ui.services.run_outcome import Succeeded, add_result_layers
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.running_page import RunningPage, WatchedLayers
from randcrowns.ui.widgets.map_highlight import DrawnShape, MapHighlight, centre_on, zoom_to

#: Opacity of the fill of a ground truth on the map, 0 to 255.
_TRUTH_ALPHA = 45


class DetectorsPage(RunningPage[DetectorForm, DetectorResultsPanel]):
    """Page that ranks detectors under several ground truths.

    Args:
        iface: The interface of the QGIS window.
    """

    key = "detectors"
    export_parameters = (ANNOTATORS, DETECTORS, IGNORED)
    export_fields = MappingProxyType(
        {
            exchange_parameters.CLASS_FIELD: CLASS_FIELD,
            exchange_parameters.SCORE_FIELD: SCORE_FIELD,
        }
    )
    crown_parameters = (ANNOTATORS, DETECTORS)
    algorithm = "randcrowns:rankdetectors"
    algorithm_parameters = RANK_PARAMETERS
    outputs = RANK_OUTPUTS
    required_outputs = RANK_OUTPUTS
    usable_layers = staticmethod(annotation_layers)
    print_content = RANKING_PRINT

    def __init__(self, iface: Any) -> None:
        empty_text = tr(
            "There is no polygon layer and no raster in this project yet. Add what annotators drew "
            "and what detectors found (polygons with a score field, or rasters), or try the sample "
            "data."
        )
        super().__init__(iface, DetectorForm(), DetectorResultsPanel(), empty_text)
        self.highlight = MapHighlight(iface.mapCanvas(), self)
        self.results.cell_selected.connect(self._show_on_map)
        self.results.place_selected.connect(self._show_place)
        self.load_parameters()

    def watched_layers(self, settings: Settings) -> WatchedLayers:
        """Return the layers and fields whose changes outdate a ranking."""
        plot_field = settings[PLOT_FIELD]
        annotator_fields = (plot_field, settings[ANNOTATOR_FIELD], settings[CLASS_FIELD])
        detector_fields = (settings[SCORE_FIELD], detector_class_field(settings), plot_field)
        fields = {}
        for layer_id in settings[ANNOTATORS]:
            fields[layer_id] = tuple(filter(None, annotator_fields))
        for layer_id in settings[DETECTORS]:
            fields[layer_id] = tuple(filter(None, detector_fields))
        single_ids = [settings[parameter] for parameter in (TRAINING, IGNORED, REVIEWED, POINTS)]
        layer_ids = (
            *settings[DETECTORS],
            *settings[ANNOTATORS],
            *settings[GROUND_TRUTH_LAYERS],
            *settings[STUDY_AREA].layer_ids,
            *filter(None, single_ids),
        )
        return WatchedLayers(layer_ids, fields)

    def show_results(self, outcome: Succeeded, settings: Settings) -> str:
        """Show a ranking and add its tables that have rows to the project.

        Args:
            outcome: The results.
            settings: Settings of the run.

        Returns:
            A sentence with the number of tables for the message bar.
        """
        results = DetectorResults(outcome, settings)
        made_outputs = [output for output in RANK_OUTPUTS if output.id in outcome.layers]
        non_empty_outputs = [
            output for output in made_outputs if outcome.layers[output.id].featureCount()
        ]
        add_result_layers(outcome, non_empty_outputs)
        self.results.show_results(results)
        return tr(
            "Done; {count:,} tables are in the layer tree.",
            one="Done; 1 table is in the layer tree.",
            count=len(non_empty_outputs),
        )

    def _show_on_map(self, detector: str, truth: str) -> None:
        """Draw a detector and a ground truth on the map, and name them below the tables.

        Args:
            detector: Name of the detector; "" for none.
            truth: Name of the ground truth; "" for none.
        """
        self.highlight.clear()
        self.results.show_map_label("", "")
        results = self.results.results
        if results is None or not (detector or truth):
            return

        truth_layer_id, condition = _truth_source(results, truth)
        project = QgsProject.instance()
        detector_layer = project.mapLayer(results.layer_ids_by_name.get(detector, ""))
        truth_layer = project.mapLayer(truth_layer_id)
        with self.messages.show_errors():
            if self._draw_detector_and_truth(detector_layer, truth_layer, condition):
                is_detector_raster = isinstance(detector_layer, QgsRasterLayer)
                self.results.show_map_label(detector, truth, is_detector_raster)
            else:
                self.messages.warning(
                    tr("There is nothing to show: nothing is marked, or the layer is gone.")
                )

    def _show_place(self, place: int) -> None:
        """Draw a place that no annotator marked on the map, and zoom to it.

        Args:
            place: Number of the place.
        """
        results = self.results.results
        if results is None:
            return
        layer = QgsProject.instance().mapLayer(results.places_layer_id)
        if not isinstance(layer, QgsVectorLayer):
            self.messages.warning(
                tr("There is nothing to show: nothing is marked, or the layer is gone.")
            )
            return
        with self.messages.show_errors():
            condition = f'"place" = {place}'
            geometry = self.highlight.combine_features(layer, condition, dissolve=False)
            extent = self.highlight.draw(DrawnShape(geometry, DELINEATION_COLOUR))
            centre_on(self.iface.mapCanvas(), extent)

    def _draw_detector_and_truth(
        self,
        detector_layer: QgsMapLayer | None,
        truth_layer: QgsMapLayer | None,
        truth_condition: str,
    ) -> bool:
        """Draw a detector's polygons in black and a ground truth in red.

        A detector that is a raster is shown above the other layers. The map zooms to the drawings
        if it shows none of them.

        Args:
            detector_layer: Layer of the detector; None for none.
            truth_layer: Layer with the outlines of the ground truth; None for none.
            truth_condition: Condition on the features of ``truth_layer`` as a QGIS expression.

        Returns:
            False if there was nothing to draw.

        Raises:
            InputError: if a layer cannot be transformed to the map's coordinate system.
        """
        canvas = self.iface.mapCanvas()
        shapes = []
        if isinstance(truth_layer, QgsVectorLayer):
            geometry = self.highlight.combine_features(truth_layer, truth_condition, dissolve=False)
            shapes.append(DrawnShape(geometry, TARGET_COLOUR, _TRUTH_ALPHA))
        if isinstance(detector_layer, QgsVectorLayer):
            geometry = self.highlight.combine_features(detector_layer, "true", dissolve=False)
            shapes.append(DrawnShape(geometry, DELINEATION_COLOUR))

        if isinstance(detector_layer, QgsRasterLayer):
            extent = extent_in_map_crs(detector_layer, self.highlight.map_crs())
            extent.combineExtentWith(self.highlight.draw(*shapes, veil=0))
            other_layers = [layer for layer in canvas.layers() if layer.id() != detector_layer.id()]
            self.highlight.show_only([detector_layer, *other_layers])
        else:
            extent = self.highlight.draw(*shapes)
        if not canvas.extent().intersects(extent):
            zoom_to(canvas, extent)
        return not extent.isEmpty()


def _truth_source(results: DetectorResults, truth: str) -> tuple[str, str]:
    """Return the layer that contains the outlines of a ground truth, and which of its features.

    A ground truth with a vector layer of its own is drawn from that layer. The outlines of the
    others, rasters included, are in the run's layer of ground truths.

    Args:
        results: Results of the run.
        truth: Name of the ground truth; "" for none.

    Returns:
        Id of the layer, "" for no ground truth; and a condition on its features as a QGIS
        expression.
    """
    layer_id = results.layer_ids_by_name.get(truth, "")
    if not truth or (layer_id and not is_raster_id(layer_id)):
        return layer_id, "true"
    condition = QgsExpression.createFieldEqualityExpression("truth", truth)
    return results.truths_layer_id, condition
