"""Page Detectors: pick detectors and annotators, see how far the ranking depends on who drew the truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qgis.core import QgsProject, QgsRasterLayer
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.detectors.form import DetectorForm
from randcrowns.ui.detectors.map import DetectorHighlight
from randcrowns.ui.detectors.panel import DetectorPanel
from randcrowns.ui.detectors.results import add_tables, read_detector_results
from randcrowns.ui.detectors.settings import ALGORITHM, DetectorSettings
from randcrowns.ui.services.runner import Succeeded
from randcrowns.ui.shell.running import RunningPage, Watched

__all__ = ["DetectorsPage"]


class DetectorsPage(RunningPage):
    """Fills in the parameters of the ranking algorithm and shows its results."""

    key = "detectors"
    algorithm = ALGORITHM

    def __init__(self, iface: Any, parent: QWidget | None = None) -> None:
        empty = tr(
            "There is no polygon layer in this project yet. Add what people drew and what detectors found (polygons "
            "with a score field, or rasters), or try the sample data."
        )
        super().__init__(iface, DetectorForm(), DetectorPanel(), empty, parent)
        self.highlight = DetectorHighlight(iface.mapCanvas())
        self.results.chosen.connect(self._show_on_map)
        self.restore()

    def restore(self) -> None:
        """Take up the choices kept in the project; nothing of another one stays on the map."""
        super().restore()
        self.highlight.clear()

    def leave(self) -> None:
        """Take the drawings off the map."""
        self.results.choose_nothing()

    def close_down(self) -> None:
        """Stop the run, take back connections and drawings, close the plot's window."""
        super().close_down()
        self.highlight.clear()
        self.results.plot.close_window()

    def settings_of(self, choices: dict[str, Any]) -> DetectorSettings:
        """The settings that the project kept."""
        return DetectorSettings.from_choices(choices)

    def ready_settings(self) -> DetectorSettings:
        """The choices, with what the map shows."""
        self.highlight.clear()
        return self.with_canvas(self.form.settings())

    def comparable(self, settings: DetectorSettings) -> DetectorSettings:
        """The settings without where the user looks and where the tables go."""
        return replace(settings, canvas=(0.0, 0.0, 0.0, 0.0), canvas_crs="", file="")

    def watched(self, settings: DetectorSettings) -> Watched:
        """The layers read, the score field of the detectors and the plot's in all."""
        plot = (settings.group_field,) if settings.group_field else ()
        fields = {
            **dict.fromkeys(settings.annotators, plot),
            **dict.fromkeys(settings.detectors, (settings.score_field, *plot)),
        }
        return settings.layer_ids, fields, ""

    def take(self, outcome: Succeeded, settings: DetectorSettings) -> str:
        """Add the tables to the project and show them."""
        results = read_detector_results(outcome, settings)
        said = add_tables(outcome)
        self.results.show_results(results)
        return said

    def put_away(self) -> None:
        """Forget the results."""
        self.results.results = None

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
                self.messages.warning(tr("Nothing of it can be shown: it marks nothing, or its layer is gone."))
