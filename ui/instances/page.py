"""Page Instances: detection and segmentation metrics of two polygon layers, or of a labelled point cloud."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsFeature, QgsGeometry, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QEvent, QSignalBlocker
from qgis.PyQt.QtWidgets import QFileDialog

from randcrowns.algorithms.instances import outputs
from randcrowns.algorithms.instances.choices import (
    CLOUD,
    CLOUD_CHOICES,
    HEIGHT_FIELD,
    IGNORED,
    PLOT_FIELD,
    POINTS,
    POLYGON_CHOICES,
    SCORE_FIELD,
)
from randcrowns.algorithms.instances.choices import PREDICTIONS as LAYER_OF_PREDICTIONS
from randcrowns.algorithms.instances.choices import TARGETS as LAYER_OF_TARGETS
from randcrowns.algorithms.instances.showing import PRINTED
from randcrowns.algorithms.runs import Run, runs_in_words, same_targets
from randcrowns.layers.styles.tree import extent_of, on_map
from randcrowns.layers.vector.tables import display_names
from randcrowns.layers.words import tr
from randcrowns.ui.instances.form import KIND, InstanceForm, is_cloud
from randcrowns.ui.instances.panel import InstancePanel
from randcrowns.ui.instances.results import (
    FEATURE,
    PREDICTIONS,
    SIDES,
    TARGETS,
    InstanceResults,
    found_sentence,
    iou_of_targets,
)
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.result_file import Succeeded, add_result_layers
from randcrowns.ui.services.settings import Settings, preference, set_preference
from randcrowns.ui.shell.running import RunningPage, Watched
from randcrowns.ui.widgets.map_highlight import MapLink, bring_into_view, flash

#: By the kind of input: the algorithm, what is chosen for it, and what it makes.
_EVALUATIONS = {
    "polygons": ("randcrowns:evaluateinstances", POLYGON_CHOICES, outputs.POLYGON_OUTPUTS),
    "cloud": ("randcrowns:evaluatepointcloud", CLOUD_CHOICES, outputs.CLOUD_OUTPUTS),
}


class InstancesPage(RunningPage[InstanceForm, InstancePanel]):
    """Fills in the parameters of one of the two evaluations and shows its results."""

    key = "instances"
    compares = True
    printed = PRINTED
    needed = (outputs.MATCHED_TARGETS, outputs.MATCHED_PREDICTIONS, outputs.SUMMARY)
    exported = (LAYER_OF_TARGETS, LAYER_OF_PREDICTIONS, IGNORED)

    def __init__(self, iface: Any) -> None:
        empty = tr(
            "Nothing here to evaluate yet. Add two polygon layers (targets and predictions) or a labelled point cloud "
            "(LAS, LAZ, COPC), or try the sample data."
        )
        super().__init__(iface, InstanceForm(), InstancePanel(), empty)
        self.link = MapLink(iface.mapCanvas(), self)
        self.highlight = self.link.highlight
        self.results.row_chosen.connect(self._choose_row)
        self.results.changes.row_chosen.connect(self._choose_changed)
        self.results.count_clicked.connect(self._select_count)
        self.link.selected_on_map.connect(self._follow_selection)
        self.cloud_button = self.empty.add_button(
            tr("Point cloud file…"),
            tr("A LAS, LAZ or COPC file in which every point has the ids of its trees."),
        )
        self.cloud_button.clicked.connect(self._ask_for_cloud)
        self.restore()

    def has_input(self) -> bool:
        """Whether anything is in the project: a cloud can also be picked as a file."""
        return bool(QgsProject.instance().mapLayers()) or bool(self.form.cloud.path())

    def leave(self) -> None:
        """Take the drawings off the map, and what was selected in the layers of the run."""
        self._select_nothing()
        super().leave()

    def settings(self) -> Settings:
        """The choices; they say which algorithm runs."""
        settings: Settings = super().settings()
        self.algorithm, self.choices, self.outputs = _EVALUATIONS[settings[KIND]]
        return settings

    def comparable(self, settings: Settings) -> Settings:
        _, choices, _ = _EVALUATIONS[settings[KIND]]
        return settings.only((KIND, *choices))

    @property
    def algorithms(self) -> tuple[str, ...]:
        return tuple(algorithm for algorithm, _, _ in _EVALUATIONS.values())

    def settings_of_run(self, run: Run, settings: Settings) -> Settings:
        kind = next(
            kind for kind, (algorithm, _, _) in _EVALUATIONS.items() if algorithm == run.algorithm
        )
        return settings.replaced({KIND: kind})

    def why_not(self) -> str:
        """The form looks into the file of a cloud already."""
        return self.form.why_not() if is_cloud(self.settings()) else super().why_not()

    def enterEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Look at the file before Run can be pressed: some network drives report no changes."""
        super().enterEvent(event)
        self.form.cloud.look_again()

    def watched(self, settings: Settings) -> Watched:
        if is_cloud(settings):
            return (settings[CLOUD],), {}, ""
        plot = settings[PLOT_FIELD]
        targets, predictions = settings[LAYER_OF_TARGETS], settings[LAYER_OF_PREDICTIONS]
        fields = {
            targets: (settings[HEIGHT_FIELD], plot),
            predictions: (plot, settings[SCORE_FIELD]),
        }
        return (
            tuple(filter(None, (targets, predictions, settings[IGNORED], settings[POINTS]))),
            fields,
            "",
        )

    def reading(self, outcome: Succeeded, settings: Settings) -> Callable[[], Any]:
        layer = None if is_cloud(settings) else vector_layer(settings[LAYER_OF_TARGETS])
        sources, names = outcome.sources(), display_names(layer)
        return lambda: InstanceResults(sources, names())

    def take(self, outcome: Succeeded, settings: Settings) -> str:
        results: InstanceResults = outcome.read
        made = add_result_layers(outcome, _EVALUATIONS[settings[KIND]][2])
        results.made, results.decided = made, (*self.form.decided_by(settings), *results.decided)
        self.results.show_results(results)
        self.link.close()
        for side, layer, column in zip(
            SIDES, (LAYER_OF_TARGETS, LAYER_OF_PREDICTIONS), ("target_id", "prediction_id")
        ):
            self.link.tell_selection(made.get(side, ""), side, FEATURE)
            if not is_cloud(settings):
                self.link.tell_selection(settings[layer], side, column)
        return found_sentence(results)

    def compare(self, before: Run, after: Run, read: Sequence[InstanceResults]) -> None:
        """By the IoU of each target with its prediction, 0 for one that was not found."""
        same_targets(
            before,
            after,
            CLOUD if before.algorithm == _EVALUATIONS["cloud"][0] else LAYER_OF_TARGETS,
        )
        tables = [iou_of_targets(found.targets) for found in read]
        self.results.changes.compare(tables, "IoU", runs_in_words(before, after), read[1].names)

    def _choose_changed(self, row: int) -> None:
        """A target of the comparison; the map has none that only the other run had."""
        self.highlight.clear()
        if row >= 0 and self.results.results is not None:
            ids = self.results.results.targets["target_id"]
            rows = np.flatnonzero(ids == self.results.changes.crown(row))
            if len(rows):
                self._choose_row(TARGETS, int(rows[0]))
            else:
                self.messages.warning(tr("The run that is shown does not have this crown."))

    def put_away(self) -> None:
        super().put_away()
        self.link.close()
        self.form.cloud.file.setFilePath("")

    def take_over(self, choices: dict[str, Any]) -> None:
        """Choose a cloud."""
        self.form.choose(KIND, "cloud")
        self.form.choose(CLOUD, choices[CLOUD.name])

    def _ask_for_cloud(self) -> None:
        folder = preference("folder", str(Path.home()))
        path, _ = QFileDialog.getOpenFileName(self, CLOUD.label, folder, CLOUD.filter)
        if path:
            set_preference("folder", str(Path(path).parent))
            self.take_over({CLOUD.name: path})

    def _follow_selection(self, side: str, column: str, ids: list[int]) -> None:
        """One crown selected on the map is drawn where it is; several are not. Nothing else of ours stays selected."""
        self._select_nothing(side if column == FEATURE else "")
        rows = self.results.select_rows(side, column, ids)
        self._choose_row(side, rows[0] if len(rows) == 1 else -1, move=False)

    def _choose_row(self, side: str, row: int, move: bool = True) -> None:
        self.highlight.clear()
        results = self.results.results
        if row < 0 or results is None:
            return
        with self.messages.telling():
            if not self._show_row(
                results, side, self.results.crowns(side).model.frame.iloc[row], move
            ):
                self.messages.warning(
                    tr("This crown has no outline, or is no longer in its layer.")
                )

    def _show_row(self, results: InstanceResults, side: str, row: pd.Series, move: bool) -> bool:
        """Draw the crown of this row (target red, prediction black) and its match; False when it is gone.

        ``move`` brings it into view too.

        Raises:
            InputError: if the map's coordinate system has no place for it.
        """
        shape = self._shape(side, row[FEATURE])
        if shape is None:
            return False
        wanted = row.get("cut_id")
        if wanted is None or pd.isna(wanted):
            wanted = row["match_id"]
        other = PREDICTIONS if side == TARGETS else TARGETS
        match = (
            None
            if pd.isna(wanted)
            else self._shape(other, results.features[other].get(int(wanted)))
        )
        target, prediction = (shape, match) if side == TARGETS else (match, shape)
        self.highlight.show(target, prediction, {}, move)
        if move:
            bring_into_view(self.iface.mapCanvas(), extent_of((shape, match)))
            flash(self.iface.mapCanvas(), shape)
        return True

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
        results = self.results.results
        return None if results is None else vector_layer(results.made.get(side, ""))

    def _select_nothing(self, but: str = "") -> None:
        """Take the drawings away, and the selection off the layers of the run but for that of this side."""
        self.highlight.clear()
        with QSignalBlocker(self.link):
            for side in SIDES:
                layer = self._layer(side)
                if layer is not None and side != but:
                    layer.removeSelection()

    def _select_count(self, side: str, status: str) -> None:
        if self.results.results is not None:
            self.results.crowns(side).filter.clear()
            self._select_nothing(side)
            self.link.select(
                self.results.results.made.get(side, ""), self.results.features_of(side, status)
            )
