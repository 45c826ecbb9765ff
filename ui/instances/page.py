"""Page Instances: detection and segmentation metrics of two polygon layers, or of a labelled point cloud."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QEvent
from qgis.PyQt.QtWidgets import QFileDialog

from randcrowns.algorithms.instances.choices import (
    CLOUD,
    CLOUD_CHOICES,
    HEIGHT_FIELD,
    PLOT_FIELD,
    POLYGON_CHOICES,
    PREDICTIONS,
    TARGETS,
)
from randcrowns.algorithms.instances.outputs import CLOUD_OUTPUTS, POLYGON_OUTPUTS
from randcrowns.layers.words import tr
from randcrowns.ui.instances.form import KIND, InstanceForm, is_cloud
from randcrowns.ui.instances.map import InstanceLink
from randcrowns.ui.instances.panel import InstancePanel
from randcrowns.ui.instances.results import FEATURE, InstanceResults, found_sentence
from randcrowns.ui.services.result_file import add_result_layers
from randcrowns.ui.services.runner import Succeeded
from randcrowns.ui.services.settings import Settings, preference, set_preference
from randcrowns.ui.shell.running import RunningPage, Watched

#: By the kind of input: the algorithm, what is chosen for it, and what it makes.
_EVALUATIONS = {
    "polygons": ("randcrowns:evaluateinstances", POLYGON_CHOICES, POLYGON_OUTPUTS),
    "cloud": ("randcrowns:evaluatepointcloud", CLOUD_CHOICES, CLOUD_OUTPUTS),
}


class InstancesPage(RunningPage[InstanceForm, InstancePanel]):
    """Fills in the parameters of one of the two evaluations and shows its results."""

    key = "instances"

    def __init__(self, iface: Any) -> None:
        empty = tr(
            "Nothing here to evaluate yet. Add two polygon layers (targets and predictions) or a labelled point cloud "
            "(LAS, LAZ, COPC), or try the sample data."
        )
        super().__init__(iface, InstanceForm(), InstancePanel(), empty)
        self.link = InstanceLink(iface.mapCanvas(), self)
        self.highlight = self.link.highlight
        self.results.row_chosen.connect(self._choose_row)
        self.results.count_clicked.connect(self._select_count)
        self.link.selected_on_map.connect(self._follow_selection)
        self.cloud_button = self.empty.add_button(
            tr("Point cloud file…"), tr("A LAS, LAZ or COPC file in which every point has the ids of its trees.")
        )
        self.cloud_button.clicked.connect(self._ask_for_cloud)
        self.restore()

    def has_input(self) -> bool:
        """Whether anything is in the project: a cloud can also be picked as a file."""
        return bool(QgsProject.instance().mapLayers()) or bool(self.form.cloud.path())

    def leave(self) -> None:
        """Take the drawings off the map, and what was selected in the layers of the run."""
        self.link.select_nothing()
        super().leave()

    def ready_settings(self) -> Settings:
        """The choices; they say which algorithm runs."""
        settings: Settings = super().ready_settings()
        self.algorithm, self.choices, self.outputs = _EVALUATIONS[settings[KIND]]
        return settings

    def comparable(self, settings: Settings) -> Settings:
        """The settings of this kind of input, without where the results go."""
        _, choices, _ = _EVALUATIONS[settings[KIND]]
        return settings.only((KIND, *choices))

    def enterEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Look at the file before Run can be pressed: some network drives report no changes."""
        super().enterEvent(event)
        self.form.cloud.look_again()

    def watched(self, settings: Settings) -> Watched:
        """The file, or the two layers and the fields that matter in them."""
        if is_cloud(settings):
            return (settings[CLOUD],), {}, ""
        plot = settings[PLOT_FIELD]
        fields = {settings[TARGETS]: (settings[HEIGHT_FIELD], plot), settings[PREDICTIONS]: (plot,)}
        return (settings[TARGETS], settings[PREDICTIONS]), fields, ""

    def take(self, outcome: Succeeded, settings: Settings) -> str:
        """Add the layers to the project and show the tables."""
        title, made = add_result_layers(outcome, self.outputs)
        decided = () if is_cloud(settings) else self.form.decided(settings, tr("precision, F1, PQ"))
        results = InstanceResults(outcome, made, decided)
        self.results.show_results(results)
        self.link.follow(results, ("", "") if is_cloud(settings) else (settings[TARGETS], settings[PREDICTIONS]))
        return found_sentence(results, title)

    def put_away(self) -> None:
        super().put_away()
        self.link.close()
        self.form.cloud.file.setFilePath("")

    def _ask_for_cloud(self) -> None:
        folder = preference("folder", str(Path.home()))
        path, _ = QFileDialog.getOpenFileName(self, CLOUD.label, folder, CLOUD.filter)
        if path:
            set_preference("folder", str(Path(path).parent))
            self.form.choose(KIND, "cloud")
            self.form.choose(CLOUD, path)

    def _follow_selection(self, side: str, column: str, ids: list[int]) -> None:
        """One crown selected on the map is drawn where it is; several are not. Nothing else of ours stays selected."""
        self.link.select_nothing(side if column == FEATURE else "")
        rows = self.results.select_rows(side, column, ids)
        self._choose_row(side, rows[0] if len(rows) == 1 else -1, move=False)

    def _choose_row(self, side: str, row: int, move: bool = True) -> None:
        if row < 0 or self.results.results is None:
            self.highlight.clear()
            return
        with self.messages.telling():
            if not self.link.show_row(side, self.results.crowns(side).model.frame.iloc[row], move):
                self.messages.warning(tr("This crown has no outline, or is no longer in its layer."))

    def _select_count(self, side: str, status: str) -> None:
        if self.results.results is not None:
            self.results.crowns(side).filter.clear()
            self.link.select_nothing(side)
            self.link.select(self.results.results.made.get(side, ""), self.results.features_of(side, status))
