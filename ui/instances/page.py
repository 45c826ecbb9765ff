"""Page Instances: were the trees found, and how well were they cut out? Polygons or a labelled point cloud."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QEvent
from qgis.PyQt.QtWidgets import QFileDialog, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.instances.form import InstanceForm
from randcrowns.ui.instances.map import InstanceLink
from randcrowns.ui.instances.panel import InstancePanel
from randcrowns.ui.instances.results import add_layers, read_instance_results
from randcrowns.ui.instances.settings import CLOUD, POLYGONS, InstanceSettings
from randcrowns.ui.services.memory import preference, set_preference
from randcrowns.ui.services.runner import Succeeded
from randcrowns.ui.shell.running import RunningPage, Watched

__all__ = ["InstancesPage"]

_OF_CLOUDS = (
    "cloud",
    "cloud_stamp",
    "target_attribute",
    "prediction_attribute",
    "invalid_id",
    "prediction_invalid_id",
    "cloud_crs",
    "include_unmatched",
    "n_partitions",
    "reach",
    "min_share",
    "min_height",
    "cell",
)
_OF_POLYGONS = ("targets", "predictions", "height_field", "group_field")


class InstancesPage(RunningPage):
    """Fills in the parameters of one of the two evaluations and shows its results."""

    key = "instances"

    def __init__(self, iface: Any, parent: QWidget | None = None) -> None:
        empty = tr(
            "Nothing here to evaluate yet. Add two polygon layers (targets and predictions) or a labelled point cloud "
            "(LAS, LAZ, COPC), or try the sample data."
        )
        super().__init__(iface, InstanceForm(), InstancePanel(), empty, parent)
        self.link = InstanceLink(iface.mapCanvas(), self)
        self.results.row_chosen.connect(self._choose_row)
        self.results.count_clicked.connect(self._select_count)
        self.link.selected_on_map.connect(self._follow_selection)
        self.cloud_button = self.empty.add_button(
            tr("Point cloud file…"), tr("A LAS, LAZ or COPC file in which every point has the number of its tree.")
        )
        self.cloud_button.clicked.connect(self._ask_for_cloud)
        self.restore()

    def has_input(self) -> bool:
        """Whether anything is in the project: a cloud can also be picked as a file."""
        return bool(QgsProject.instance().mapLayers()) or bool(self.form.cloud.path())

    def leave(self) -> None:
        """Take the drawings off the map, and what was selected in the layers of the run."""
        self.link.select_nothing()
        self.results.forget_choice()

    def close_down(self) -> None:
        """Stop the run, take back connections and drawings."""
        super().close_down()
        self.link.close()
        self.results.plot.close_window()

    def settings_of(self, choices: dict[str, Any]) -> InstanceSettings:
        """The settings that the project kept."""
        return InstanceSettings.from_choices(choices)

    def ready_settings(self) -> InstanceSettings:
        """The choices; they say which algorithm runs."""
        settings: InstanceSettings = self.form.settings()
        self.algorithm = settings.algorithm
        return settings

    def comparable(self, settings: InstanceSettings) -> InstanceSettings:
        """The settings without those of the other kind of input, and without where the results go."""
        usual = InstanceSettings()
        other = _OF_CLOUDS if settings.kind == POLYGONS else _OF_POLYGONS
        return replace(settings, **{name: getattr(usual, name) for name in (*other, "file")})

    def enterEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Look at the file before Run can be pressed: on some drives nobody tells of changes."""
        super().enterEvent(event)
        self.form.cloud.look_again()

    def what_changed(self, shown: InstanceSettings) -> str:
        """What makes the results old: the file, or a choice."""
        now: InstanceSettings = self.form.settings()
        if (now.kind, now.cloud) == (shown.kind, shown.cloud) and now.cloud_stamp != shown.cloud_stamp:
            name = Path(now.cloud).name
            return (tr("{file} changed.") if now.cloud_stamp else tr("{file} is gone.")).format(file=name)
        return super().what_changed(shown)

    def watched(self, settings: InstanceSettings) -> Watched:
        """The two layers and the fields that matter in them; a file has its stamp."""
        if settings.kind == CLOUD:
            return (), {}, ""
        fields = {
            settings.targets: (settings.height_field, settings.group_field),
            settings.predictions: (settings.group_field,),
        }
        return (settings.targets, settings.predictions), fields, ""

    def take(self, outcome: Succeeded, settings: InstanceSettings) -> str:
        """Add the layers to the project and show the tables."""
        results = read_instance_results(outcome, settings)
        said, made = add_layers(outcome, results, self._title(settings))
        results = replace(results, made=made)
        self.results.show_results(results)
        self.link.follow(results)
        with self.messages.telling():
            self.link.bring_into_view()
        return said

    def put_away(self) -> None:
        """Forget the results and what they drew."""
        self.link.close()
        self.results.results = None
        self.form.cloud.file.setFilePath("")

    def _title(self, settings: InstanceSettings) -> str:
        if settings.kind == CLOUD:
            return Path(settings.cloud).stem
        layer = QgsProject.instance().mapLayer(settings.targets)
        return layer.name() if layer is not None else tr("crowns")

    def _ask_for_cloud(self) -> None:
        folder = preference("folder", str(Path.home()))
        words = tr("Point clouds (*.las *.laz)")
        path, _ = QFileDialog.getOpenFileName(self, tr("Point cloud"), folder, words)
        if path:
            set_preference("folder", str(Path(path).parent))
            self.form.of_cloud.setChecked(True)
            self.form.cloud.file.setFilePath(path)

    def _follow_selection(self, side: str, column: str, ids: list[int]) -> None:
        """One crown selected on the map is drawn where it is; several leave nothing drawn."""
        rows = self.results.select_rows(side, column, ids)
        self._choose_row(side, rows[0] if len(rows) == 1 else -1, move=False)

    def _choose_row(self, side: str, row: int, move: bool = True) -> None:
        if row < 0 or self.results.results is None:
            self.link.highlight.clear()
            return
        with self.messages.telling():
            if not self.link.show_row(side, self.results.crowns(side).model.frame.iloc[row], move):
                self.messages.warning(tr("This crown has no outline, or is no longer in its layer."))

    def _select_count(self, side: str, status: str) -> None:
        self.results.crowns(side).filter.clear()
        self.link.select(side, self.results.features_of(side, status))
