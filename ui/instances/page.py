"""Page Instances: metrics of detection and segmentation for polygon layers or a point cloud."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from qgis.core import QgsFeature, QgsGeometry, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QEvent, QSignalBlocker
from qgis.PyQt.QtWidgets import QFileDialog

from randcrowns.algorithms.exchange.schema import parameters as exchange_parameters
from randcrowns.algorithms.instances.schema import outputs
from randcrowns.algorithms.instances.schema.parameters import (
    CLASSES,
    CLOUD,
    CLOUD_PARAMETERS,
    HEIGHT_FIELD,
    IGNORED,
    PLOT_FIELD,
    POINTS,
    POLYGON_PARAMETERS,
    PREDICTION_INPUT,
    SCORE_FIELD,
)
from randcrowns.algorithms.instances.schema.parameters import PREDICTIONS as LAYER_OF_PREDICTIONS
from randcrowns.algorithms.instances.schema.parameters import TARGETS as LAYER_OF_TARGETS
from randcrowns.algorithms.instances.schema.report_content import PRINT_CONTENT
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import Parameter
from randcrowns.algorithms.run_history import Run, check_same_targets, describe_runs
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import is_in_pixel_coordinates
from randcrowns.layers.styles import DELINEATION_COLOUR
from randcrowns.layers.styles.tree import combined_extent, transform_to_map
from randcrowns.layers.vector.tables import display_name_reader
from randcrowns.ui.instances.form import INPUT_KIND, InstanceForm, evaluates_cloud
from randcrowns.ui.instances.results import (
    FEATURE_COLUMN,
    PREDICTIONS,
    SIDES,
    TARGETS,
    InstanceResults,
    iou_of_targets,
    summarize_matches,
)
from randcrowns.ui.instances.results_panel import InstanceResultsPanel
from randcrowns.ui.services.layer_info import vector_layer
from randcrowns.ui.services.overlapping_images import choose_shown_image, show_image
from randcrowns.ui.services.run_outcome import Succeeded, add_result_layers
from randcrowns.ui.services.save_dialog import preferred_folder, remember_folder
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.running_page import RunningPage, WatchedLayers
from randcrowns.ui.widgets.delineation_colours import choose_delineation_colours
from randcrowns.ui.widgets.map_highlight import MapLink, centre_on, flash_geometry


class _Evaluation(NamedTuple):
    """One of the two evaluations that the page can run."""

    #: Id of the algorithm.
    algorithm: str
    #: Parameters of the algorithm.
    algorithm_parameters: Sequence[Parameter[Any]]
    #: Outputs of the algorithm.
    outputs: Sequence[Output]


#: Evaluations by the value of :data:`INPUT_KIND`.
_EVALUATIONS = {
    "polygons": _Evaluation(
        "randcrowns:evaluateinstances", POLYGON_PARAMETERS, outputs.POLYGON_OUTPUTS
    ),
    "cloud": _Evaluation("randcrowns:evaluatepointcloud", CLOUD_PARAMETERS, outputs.CLOUD_OUTPUTS),
}


class InstancesPage(RunningPage[InstanceForm, InstanceResultsPanel]):
    """Page that evaluates predictions of single trees: polygon layers or a point cloud.

    Args:
        iface: The interface of the QGIS window.
    """

    key = "instances"
    form_section = "matching"
    results_section = "what-it-computes"
    can_compare = True
    print_content = PRINT_CONTENT
    required_outputs = (outputs.MATCHED_TARGETS, outputs.MATCHED_PREDICTIONS, outputs.SUMMARY)
    export_parameters = (LAYER_OF_TARGETS, LAYER_OF_PREDICTIONS, IGNORED)
    export_fields = MappingProxyType(
        {
            exchange_parameters.CLASS_FIELD: CLASSES.class_field,
            exchange_parameters.SCORE_FIELD: SCORE_FIELD,
        }
    )
    target_parameter = LAYER_OF_TARGETS
    crown_parameters = (LAYER_OF_PREDICTIONS,)

    def __init__(self, iface: Any) -> None:
        empty_text = tr(
            "There is nothing to evaluate yet. Add two polygon layers (targets and predictions) or "
            "a labelled point cloud (LAS, LAZ, COPC), or try the sample data."
        )
        super().__init__(iface, InstanceForm(), InstanceResultsPanel(), empty_text)
        self.map_link = MapLink(iface.mapCanvas(), self)
        self.highlight = self.map_link.highlight
        #: Colour in which the predictions of the displayed run are drawn, ``#rrggbb``.
        self._prediction_colour = DELINEATION_COLOUR
        self.results.row_chosen.connect(self._show_frame_row)
        self.results.changes_tab.row_chosen.connect(self._show_changed_target)
        self.results.count_clicked.connect(self._select_features_of_status)
        self.results.cell_clicked.connect(self._select_crowns_of_cell)
        self.results.review_requested.connect(self._open_review)
        self.map_link.selected_on_map.connect(self._follow_selection)
        self.cloud_file_button = self.empty_state.add_button(
            tr("Point cloud file…"),
            tr("A LAS, LAZ or COPC file in which every point has the ids of its trees."),
        )
        self.cloud_file_button.clicked.connect(self._ask_for_cloud)
        self.load_parameters()

    # Settings

    def has_input(self) -> bool:
        """Return True if the project has a layer, or if a point cloud is selected as a file."""
        return bool(QgsProject.instance().mapLayers()) or bool(self.form.cloud_picker.path())

    def settings(self) -> Settings:
        """Return the current parameters, and set the algorithm that they select.

        Sets :attr:`algorithm`, :attr:`algorithm_parameters` and :attr:`outputs`.
        """
        settings: Settings = super().settings()
        evaluation = _EVALUATIONS[settings[INPUT_KIND]]
        self.algorithm = evaluation.algorithm
        self.algorithm_parameters = evaluation.algorithm_parameters
        self.outputs = evaluation.outputs
        return settings

    def result_settings(self, settings: Settings) -> Settings:
        """Return the settings that change the results of the selected evaluation."""
        evaluation = _EVALUATIONS[settings[INPUT_KIND]]
        return settings.subset((INPUT_KIND, *evaluation.algorithm_parameters))

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Ids of the algorithms whose runs the page shows."""
        return tuple(evaluation.algorithm for evaluation in _EVALUATIONS.values())

    def settings_of_run(self, run: Run, settings: Settings) -> Settings:
        """Return the settings of an earlier run, with the kind of its evaluation."""
        kinds = {evaluation.algorithm: kind for kind, evaluation in _EVALUATIONS.items()}
        return settings.with_values({INPUT_KIND: kinds[run.algorithm]})

    def run_problem(self) -> str:
        """Return the reason why nothing can be evaluated, or "" if it can.

        The form has already read the header of a cloud, so that the algorithm need not check it.
        """
        if evaluates_cloud(self.settings()):
            return self.form.run_problem()
        return super().run_problem()

    def show_parameters(self, stored_values: dict[str, Any]) -> None:
        """Select a cloud, or layers of polygons; the other parameters stay as they are.

        Args:
            stored_values: The path of the cloud by the name of its parameter, or values of the
                parameters of polygon layers by key, as a project stores them.
        """
        if CLOUD.name not in stored_values:
            super().show_parameters({**stored_values, INPUT_KIND.key: "polygons"})
            return
        self.form.set_value(INPUT_KIND, "cloud")
        self.form.set_value(CLOUD, stored_values[CLOUD.name])

    def enterEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Check the cloud's file before Run can be clicked.

        Changes on some network drives are not reported.
        """
        super().enterEvent(event)
        self.form.cloud_picker.reload()

    # Results

    def watched_layers(self, settings: Settings) -> WatchedLayers:
        """Return the file, or the layers and fields, whose changes outdate an evaluation."""
        if evaluates_cloud(settings):
            files = (settings[CLOUD], settings[PREDICTION_INPUT])
            return WatchedLayers(tuple(filter(None, files)), fields={})
        target_id = settings[LAYER_OF_TARGETS]
        prediction_id = settings[LAYER_OF_PREDICTIONS]
        plot_field = settings[PLOT_FIELD]
        class_fields = CLASSES.fields(settings)
        fields = {
            target_id: (
                settings[HEIGHT_FIELD],
                plot_field,
                class_fields.targets,
                settings[CLASSES.strata_field],
            ),
            prediction_id: (plot_field, settings[SCORE_FIELD], class_fields.others),
        }
        layer_ids = (target_id, prediction_id, settings[IGNORED], settings[POINTS])
        return WatchedLayers(tuple(filter(None, layer_ids)), fields)

    def make_reader(self, outcome: Succeeded, settings: Settings) -> Callable[[], Any]:
        """Return a function that reads the results in a worker thread.

        Args:
            outcome: The outputs of the run.
            settings: Settings of the run.

        Returns:
            A function without arguments that returns :class:`InstanceResults`.
        """
        target_layer = None
        if not evaluates_cloud(settings):
            target_layer = vector_layer(settings[LAYER_OF_TARGETS])
        sources = outcome.for_worker_thread()
        read_names = display_name_reader(target_layer)
        return lambda: InstanceResults(sources, read_names())

    def show_results(self, outcome: Succeeded, settings: Settings) -> str:
        """Show an evaluation, add its layers to the project, and follow their selection.

        Args:
            outcome: The results, with the :class:`InstanceResults` that were read of them.
            settings: Settings of the run.

        Returns:
            A sentence about the run for the message bar.
        """
        results: InstanceResults = outcome.page_data
        evaluation = _EVALUATIONS[settings[INPUT_KIND]]
        results.layer_ids = add_result_layers(outcome, evaluation.outputs)
        setting_labels = self.form.setting_labels(settings)
        results.settings_sentences = (*setting_labels, *results.settings_sentences)
        self.results.show_results(results)
        self.results.review_button.setVisible(bool(results.layer_ids.get(TARGETS)))
        self._follow_selections(results, settings)
        images = self._images_in_pixels(TARGETS)
        shown_image = choose_shown_image(images) if len(images) > 1 else ""
        if not shown_image:
            return summarize_matches(results)
        return tr(
            "{answer} The map shows image {image} of {count:,}; a row shows that of its crown.",
            answer=summarize_matches(results),
            image=shown_image,
            count=len(images),
        )

    def _follow_selections(self, results: InstanceResults, settings: Settings) -> None:
        """Select in the tables what is selected in the layers of a run, and not of the last one.

        Args:
            results: The results of the run.
            settings: Settings of the run.
        """
        self.map_link.close()
        self._prediction_colour = DELINEATION_COLOUR
        if not evaluates_cloud(settings):
            layer = vector_layer(settings[LAYER_OF_PREDICTIONS])
            if layer is not None:
                name = layer.name()
                self._prediction_colour = choose_delineation_colours({name: layer})[name]
        self.results.show_prediction_colour(self._prediction_colour)
        for side in SIDES:
            self.map_link.follow_selection(results.layer_ids.get(side, ""), side, FEATURE_COLUMN)
        if not evaluates_cloud(settings):
            self.map_link.follow_selection(settings[LAYER_OF_TARGETS], TARGETS, "target_id")
            self.map_link.follow_selection(
                settings[LAYER_OF_PREDICTIONS], PREDICTIONS, "prediction_id"
            )

    def show_comparison(
        self, before: Run, after: Run, both_results: Sequence[InstanceResults]
    ) -> None:
        """Show the differences between two runs.

        They are compared by the IoU of each target with its prediction, 0 for a target that was
        not found.

        Args:
            before: Earlier run.
            after: Later run.
            both_results: Results of both runs, in this order.

        Raises:
            RandCrownsError: if the runs have different targets.
        """
        is_cloud_run = before.algorithm == _EVALUATIONS["cloud"].algorithm
        check_same_targets(before, after, CLOUD if is_cloud_run else LAYER_OF_TARGETS)
        results_before, results_after = both_results
        self.results.changes_tab.compare(
            [iou_of_targets(results_before.targets), iou_of_targets(results_after.targets)],
            "IoU",
            describe_runs(before, after),
            results_after.target_names,
        )

    def clear_results(self) -> None:
        """Remove the results, their drawings, and the selected file of a cloud."""
        super().clear_results()
        self.map_link.close()
        self.form.cloud_picker.file_field.setFilePath("")

    def leave(self) -> None:
        """Remove the drawings from the map, and the selection from the layers of the run."""
        self._clear_map()
        super().leave()

    # Map

    def show_run_alone(self) -> None:
        """Hide other crown layers; of several images in pixels, show one."""
        super().show_run_alone()
        images = self._images_in_pixels(TARGETS)
        show_image(choose_shown_image(images), images)

    def _ask_for_cloud(self) -> None:
        """Ask the user for the file of a cloud and select it."""
        path, _ = QFileDialog.getOpenFileName(
            self, CLOUD.label, str(preferred_folder()), CLOUD.filter
        )
        if path:
            remember_folder(str(Path(path).parent))
            self.show_parameters({CLOUD.name: path})

    def _open_review(self) -> None:
        """Open page Review with the matched targets, at the selected one."""
        layer = self._result_layer(TARGETS)
        if layer is None:
            self.messages.warning(tr("The layer with these results was removed. Run again."))
            return
        stored_values: dict[str, Any] = {"layer": layer.id()}
        target_id = self.results.selected_target_id()
        if target_id is not None:
            stored_values["crown"] = target_id
        self.page_requested.emit("review", stored_values)

    def _show_changed_target(self, row: int) -> None:
        """Show a target of the comparison of two runs; warn if only the other run has it.

        Args:
            row: Row of the table of changes; -1 for none.
        """
        self.highlight.clear()
        results = self.results.results
        if row < 0 or results is None:
            return
        target_id = self.results.changes_tab.crown_id(row)
        matching_rows = np.flatnonzero(results.targets["target_id"] == target_id)
        if len(matching_rows):
            self._show_frame_row(TARGETS, int(matching_rows[0]))
        else:
            self.messages.warning(tr("The run that is shown does not have this crown."))

    def _follow_selection(self, side: str, column: str, ids: list[int]) -> None:
        """Select the table rows of crowns that are selected on the map; draw a single crown.

        Args:
            side: :data:`TARGETS` or :data:`PREDICTIONS`.
            column: Column of the table with the ids: :data:`FEATURE_COLUMN` for a layer of the run.
            ids: Ids of the selected features.
        """
        self._clear_map(kept_side=side if column == FEATURE_COLUMN else "")
        selected_rows = self.results.select_rows(side, column, ids)
        only_row = selected_rows[0] if len(selected_rows) == 1 else -1
        self._show_frame_row(side, only_row, move=False)

    def _show_frame_row(self, side: str, row: int, move: bool = True) -> None:
        """Replace the drawings by the crown in a row and its match; warn if it has no outline.

        Args:
            side: :data:`TARGETS` or :data:`PREDICTIONS`.
            row: Row of the frame; -1 for none.
            move: True to move the map to the crown.
        """
        self.highlight.clear()
        results = self.results.results
        if results is None or row < 0:
            return
        crown = self.results.table_of_side(side).model.frame.iloc[row]
        self._show_image(side, crown)
        with self.messages.show_errors():
            if not self._draw_crown(results, side, crown, move):
                self.messages.warning(
                    tr("This crown has no outline, or is no longer in its layer.")
                )

    def _draw_crown(
        self, results: InstanceResults, side: str, crown: pd.Series, move: bool
    ) -> bool:
        """Draw a crown and its match: the target in red, the prediction in its layer's colour.

        Args:
            results: Results of the run.
            side: Side of the crown, :data:`TARGETS` or :data:`PREDICTIONS`.
            crown: Row of the crown.
            move: True to move the map to both crowns.

        Returns:
            False if the crown has no outline.

        Raises:
            InputError: if an outline cannot be transformed to the map's coordinate system.
        """
        outline = self._outline(side, crown[FEATURE_COLUMN])
        if outline is None:
            return False
        other_side = PREDICTIONS if side == TARGETS else TARGETS
        match_id = _drawn_match_id(crown)
        match_outline = None
        if match_id is not None:
            match_outline = self._outline(other_side, results.feature_ids[other_side].get(match_id))
        outlines = {side: outline, other_side: match_outline}
        self.highlight.show_crown(
            outlines[TARGETS],
            outlines[PREDICTIONS],
            regions={},
            hide_layers=move,
            delineation_colour=self._prediction_colour,
        )
        if move:
            centre_on(self.iface.mapCanvas(), combined_extent((outline, match_outline)))
            flash_geometry(self.iface.mapCanvas(), outline)
        return True

    def _show_image(self, side: str, crown: pd.Series) -> None:
        """Show the image of a crown whose coordinates are pixels; its plot is the image's name.

        Args:
            side: Side of the crown, :data:`TARGETS` or :data:`PREDICTIONS`.
            crown: Row of the crown.
        """
        images = self._images_in_pixels(side)
        if images:
            show_image(str(crown["plot"]), images)

    def _images_in_pixels(self, side: str) -> list[str]:
        """Return the names of the images of all crowns of a side; none if these have a CRS.

        In pixels, plots are images.

        Args:
            side: :data:`TARGETS` or :data:`PREDICTIONS`.
        """
        layer = self._result_layer(side)
        crowns = self.results.table_of_side(side).model.frame
        if layer is None or "plot" not in crowns or not is_in_pixel_coordinates(layer):
            return []
        return list(crowns["plot"].dropna().astype(str).unique())

    def _outline(self, side: str, feature_id: Any) -> QgsGeometry | None:
        """Return the outline of a feature in map coordinates, or None if there is none."""
        layer = self._result_layer(side)
        if layer is None or feature_id is None:
            return None
        feature: QgsFeature = layer.getFeature(int(feature_id))
        if not feature.isValid() or feature.geometry().isEmpty():
            return None
        return transform_to_map(feature.geometry(), layer, self.highlight.map_crs())

    def _result_layer(self, side: str) -> QgsVectorLayer | None:
        """Return the result layer of a side, or None if it is no longer in the project."""
        results = self.results.results
        return None if results is None else vector_layer(results.layer_ids.get(side, ""))

    def _clear_map(self, kept_side: str = "") -> None:
        """Remove the drawings, and clear the selection of the result layers.

        Args:
            kept_side: Side whose selection is kept; "" for none.
        """
        self.highlight.clear()
        with QSignalBlocker(self.map_link):
            for side in SIDES:
                layer = self._result_layer(side)
                if layer is not None and side != kept_side:
                    layer.removeSelection()

    def _select_crowns_of_cell(self, side: str, rows: list[int]) -> None:
        """Select the crowns of a cell of the confusion matrix, and show the first one.

        Args:
            side: :data:`TARGETS` or :data:`PREDICTIONS`.
            rows: Rows of the crowns in the frame of the side.
        """
        results = self.results.results
        if results is None:
            return
        frame = self.results.table_of_side(side).model.frame
        feature_ids = [int(feature_id) for feature_id in frame[FEATURE_COLUMN].iloc[rows]]
        self._clear_map(kept_side=side)
        with QSignalBlocker(self.map_link):
            # The tab of the matrix stays open, so that the user can choose the next cell.
            self.map_link.select(results.layer_ids.get(side, ""), feature_ids)
        self._show_frame_row(side, rows[0] if rows else -1)

    def _select_features_of_status(self, side: str, status: str) -> None:
        """Select the crowns with a status in the result layer, and show their image in pixels.

        A message names their other images.

        Args:
            side: :data:`TARGETS` or :data:`PREDICTIONS`.
            status: Value of ``MatchStatus``.
        """
        results = self.results.results
        if results is None:
            return
        self.results.table_of_side(side).filter.clear()
        self._clear_map(kept_side=side)
        feature_ids = self.results.feature_ids_of(side, status)
        sentence = self.map_link.select(results.layer_ids.get(side, ""), feature_ids)
        if sentence:
            self.messages.info(sentence)


def _drawn_match_id(crown: pd.Series) -> int | None:
    """Return the id of the crown that is drawn as the match of a crown, or None.

    The prediction matched for segmentation, ``segmentation_match_id``, is preferred to that matched
    for detection, ``match_id``. Predictions have ``match_id`` only.

    Args:
        crown: Row of a target or a prediction.
    """
    match_id = crown.get("segmentation_match_id")
    if match_id is None or pd.isna(match_id):
        match_id = crown["match_id"]
    return None if pd.isna(match_id) else int(match_id)
