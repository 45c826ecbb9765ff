"""Page Score: select targets and delineations, run, and inspect the scores next to the map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

import pandas as pd
from qgis.core import (
    QgsExpression,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProcessingFeatureSourceDefinition,
    QgsProject,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSignalBlocker

from randcrowns.algorithms.algorithm_catalogue import TARGET_REGIONS
from randcrowns.algorithms.classes.outputs import CLASS_OUTPUTS
from randcrowns.algorithms.common_parameters import (
    CORNER_STYLE,
    IDTREES,
    IMAGE_EXTENT,
    LENGTHS,
    PRESET,
    TARGETS,
)
from randcrowns.algorithms.exchange.schema import parameters as exchange_parameters
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.run_history import Run, check_same_targets, describe_runs
from randcrowns.algorithms.scoring.schema.outputs import (
    REGIONS,
    SCORE_OUTPUTS,
    SCORED_DELINEATIONS,
    SCORED_TARGETS,
    SUMMARY,
)
from randcrowns.algorithms.scoring.schema.parameters import (
    CLASSES,
    DELINEATIONS,
    PLOT_FIELD,
    SCORE_FIELD,
    SCORE_PARAMETERS,
    SPREAD_FIELD,
)
from randcrowns.algorithms.scoring.schema.report_content import PRINT_CONTENT
from randcrowns.core.errors import InputError
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.status import NOT_FOUND_STATUSES, Status
from randcrowns.layers.localization import tr
from randcrowns.layers.styles import DELINEATION_COLOUR
from randcrowns.layers.styles.colouring import colour_targets
from randcrowns.layers.styles.crown_view import CrownView, CrownViewer
from randcrowns.layers.styles.score_fields import IS_WITHOUT_TARGET, select_delineations
from randcrowns.layers.styles.tree import combined_extent, transform_to_map
from randcrowns.layers.vector.tables import display_name_reader
from randcrowns.ui.scoring.colour_options import colouring_of, offer_colourings
from randcrowns.ui.scoring.form import (
    DESTINATION,
    FIELDS,
    LIVE_SCORING,
    MAX_REGION_TARGETS,
    NEW_LAYERS,
    SELECTED_ONLY,
    ScoreForm,
)
from randcrowns.ui.scoring.live_scoring import LiveScoring, live_scoring_problem
from randcrowns.ui.scoring.live_update import LiveUpdater
from randcrowns.ui.scoring.panel import UNMATCHED_DELINEATIONS, ScorePanel
from randcrowns.ui.scoring.results import (
    LayerScores,
    ScoreResults,
    add_to_project,
    style_scored_targets,
    worst_layer,
)
from randcrowns.ui.services.layer_info import vector_layer
from randcrowns.ui.services.replaced_layers import styled_by_page
from randcrowns.ui.services.run_outcome import Succeeded, temporary_destinations
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.shell.print_layouts import ShownRun
from randcrowns.ui.shell.running_page import RunningPage, WatchedLayers
from randcrowns.ui.widgets.class_tab import CellCrowns
from randcrowns.ui.widgets.map_highlight import DrawnShape, MapLink, centre_on

#: Column of :attr:`LayerScores.crowns` -> column of a comparison of two runs.
_COMPARED_COLUMNS = {"target_id": "feature_id", "randcrowns": "score", "plot": "plot"}
#: Statuses of targets that were not detected, as text.
_NOT_FOUND = frozenset(status.value for status in NOT_FOUND_STATUSES)


class ScorePage(RunningPage[ScoreForm, ScorePanel]):
    """Page that runs the scoring algorithm and shows its results.

    Args:
        iface: The interface of the QGIS window.
    """

    key = "score"
    export_parameters = (TARGETS, DELINEATIONS)
    export_fields = MappingProxyType(
        {
            exchange_parameters.CLASS_FIELD: CLASSES.class_field,
            exchange_parameters.SCORE_FIELD: SCORE_FIELD,
        }
    )
    target_parameter = TARGETS
    crown_parameters = (DELINEATIONS,)
    algorithm = "randcrowns:scorecrowns"
    algorithm_parameters = SCORE_PARAMETERS
    outputs = SCORE_OUTPUTS
    can_compare = True
    form_section = "what-the-page-presets"
    results_section = "results"
    print_content = PRINT_CONTENT
    required_outputs = (SCORED_TARGETS, SCORED_DELINEATIONS, SUMMARY)
    cancelled_message = tr("Scoring was cancelled; no layer was changed.")

    #: Scores crowns while they are drawn; None until the page is complete.
    live_scoring: LiveScoring | None = None

    def __init__(self, iface: Any) -> None:
        empty = tr(
            "There is no polygon layer in this project yet. Add one with the crowns, or try the "
            "sample data."
        )
        super().__init__(iface, ScoreForm(iface), ScorePanel(), empty)
        self.add_drawing_button()
        #: True until the first results are shown, if the user's options turn live scoring on.
        self._starts_live = _is_live_by_default()
        #: Connects the table with the selections on the map.
        self.map_link = MapLink(iface.mapCanvas(), self)
        self.highlight = self.map_link.highlight
        #: Computes what is drawn of a crown; None until a crown is drawn.
        self._viewer: CrownViewer | None = None
        #: Crowns of the clicked cell of the confusion matrix; None until a cell is clicked.
        self._cell: CellCrowns | None = None
        self._connect_results()
        #: Updates the results while crowns are drawn.
        self.live_updater = LiveUpdater(self)
        self.live_scoring = self.live_updater.live
        self.form.live_switch.toggled.connect(self._start_live_run)
        self.load_parameters()

    def _connect_results(self) -> None:
        """Connect the signals of the results and of the selections on the map."""
        self.results.row_chosen.connect(self._show_row)
        self.results.count_clicked.connect(self._select_count)
        self.results.layer_switched.connect(self._link_layer)
        self.results.colouring_changed.connect(self._colour_map)
        self.results.changes_tab.row_chosen.connect(self._show_compared_row)
        self.results.cell_clicked.connect(self._select_cell)
        self.results.cell_crown_chosen.connect(self._show_cell_crown)
        self.results.review_requested.connect(self._open_review)
        self.form.lengths_requested.connect(lambda: self.page_requested.emit("parameters", {}))
        self.map_link.selected_on_map.connect(self._show_selected)

    # Runs

    def _start_live_run(self, on: bool) -> None:
        """Start a run whose layers are scored while crowns are drawn; called before any run.

        Args:
            on: False to let the next run start without live scoring.
        """
        self._starts_live = on
        if on:
            self.start_or_ask()

    def settings_to_run(self) -> Settings:
        """Return the settings for a run; remove the messages of the previous run."""
        self.messages.clear()
        return super().settings_to_run()

    def watched_layers(self, settings: Settings) -> WatchedLayers:
        """Return the layers and fields of a run whose changes outdate its results."""
        target_id = settings[TARGETS]
        delineation_ids = settings[DELINEATIONS]
        plot_field = settings[PLOT_FIELD]
        class_fields = CLASSES.fields(settings)
        target_fields = (
            plot_field,
            class_fields.targets,
            settings[CLASSES.strata_field],
            settings[SPREAD_FIELD],
        )
        delineation_fields = (settings[SCORE_FIELD], plot_field, class_fields.others)
        # A layer that is both has the fields of delineations.
        fields: dict[str, tuple[str, ...]] = {target_id: target_fields}
        for delineation_id in delineation_ids:
            fields[delineation_id] = delineation_fields
        return WatchedLayers(
            layer_ids=(target_id, *delineation_ids, *settings[IMAGE_EXTENT].layer_ids),
            fields=fields,
            selection_layer=target_id if settings[SELECTED_ONLY] else "",
        )

    def requested_outputs(self, settings: Settings) -> Sequence[Output]:
        """Return the outputs that a run with these settings produces.

        Fields of the target layer cannot store lines and regions. The regions of more than
        MAX_REGION_TARGETS targets are excluded, since they take too much memory.

        Args:
            settings: Settings of the run.
        """
        if settings[DESTINATION] == FIELDS:
            return (SCORED_TARGETS, SCORED_DELINEATIONS, SUMMARY, *CLASS_OUTPUTS)
        target_layer = vector_layer(settings[TARGETS]) or QgsVectorLayer()
        if settings[SELECTED_ONLY]:
            target_count = target_layer.selectedFeatureCount()
        else:
            target_count = target_layer.featureCount()
        if target_count <= MAX_REGION_TARGETS:
            return self.outputs
        return [output for output in self.outputs if output is not REGIONS]

    def parameters(self, settings: Settings) -> dict[str, Any]:
        """Return the Processing parameters of a run.

        The outputs are temporary layers if the scores go into fields of the target layer.
        """
        parameters = super().parameters(settings)
        if settings[DESTINATION] == FIELDS:
            parameters.update(temporary_destinations(self.requested_outputs(settings)))
        if settings[SELECTED_ONLY]:
            source = QgsProcessingFeatureSourceDefinition(settings[TARGETS], True)
            parameters[TARGETS.id] = source
        return parameters

    def result_settings(self, settings: Settings) -> Settings:
        """Return the settings that change the results."""
        return settings.subset((*SCORE_PARAMETERS, SELECTED_ONLY))

    def settings_of_run(self, run: Run, settings: Settings) -> Settings:
        """Return the settings of an earlier run, with the parameters that only the dock has.

        Args:
            run: The run.
            settings: Settings with the parameters of the algorithm.
        """
        # The record has a dict instead of a layer id if only the selected features were read.
        is_selected_only = isinstance(run.record.parameters.get(TARGETS.id), dict)
        destination = FIELDS if run.field_results else NEW_LAYERS
        return settings.with_values({DESTINATION: destination, SELECTED_ONLY: is_selected_only})

    def make_reader(self, outcome: Succeeded, settings: Settings) -> Callable[[], Any]:
        """Return a function that reads the results in a worker thread.

        Args:
            outcome: Outcome of the run.
            settings: Settings of the run.
        """
        sources = outcome.for_worker_thread()
        read_names = display_name_reader(vector_layer(settings[TARGETS]))
        return lambda: ScoreResults(sources, settings, read_names())

    def show_results(self, outcome: Succeeded, settings: Settings) -> str:
        """Show the results of a run and add its scores to the project.

        Live scoring continues with the new results if it was on.

        Args:
            outcome: The results, with the :class:`ScoreResults` that were read.
            settings: Settings of the run.

        Returns:
            A sentence about the run and where its scores are.

        Raises:
            InputError: if the scores cannot be added to the project.
        """
        results: ScoreResults = outcome.page_data
        results.settings_labels = self._settings_labels(outcome, results)
        watch = self._next_watch
        results.has_current_layers = lambda: not watch.has_changes
        message = add_to_project(outcome, results)
        self.results.show_results(results)
        if settings[DESTINATION] == FIELDS and outcome.add_to_project:
            # Undo acts on the active layer, and should remove the scores.
            self.iface.setActiveLayer(QgsProject.instance().mapLayer(settings[TARGETS]))
        self._link_layer()
        self._continue_live_scoring(results)
        return message

    def _continue_live_scoring(self, results: ScoreResults) -> None:
        """Score the edits of the layers of new results if live scoring was on, or is to start."""
        self.results.set_live_problem(live_scoring_problem(results))
        if self.live_scoring is not None and (self.live_scoring.is_on or self._starts_live):
            self.live_updater.set_live(self.results.live_switch.isEnabled())
        self._starts_live = False
        self.form.live_switch.hide()  # that of the results takes its place

    def _settings_labels(self, outcome: Succeeded, results: ScoreResults) -> tuple[str, ...]:
        """Return labels of what the scores depend on, and of regions that were excluded."""
        labels = self.form.settings_labels(results.settings)
        adds_layers = results.settings[DESTINATION] == NEW_LAYERS
        is_large = len(results.layers[0].crowns) > MAX_REGION_TARGETS
        lacks_regions = REGIONS.id not in outcome.layers
        if adds_layers and is_large and lacks_regions:
            excluded_label = tr(
                "layer Regions not made because it is large: '{name}' in the toolbox makes it",
                name=TARGET_REGIONS.label,
            )
            labels = (*labels, excluded_label)
        return labels

    def show_comparison(
        self, before: Run, after: Run, both_results: Sequence[ScoreResults]
    ) -> None:
        """Show how the RandCrowns of the displayed delineation layer changed between two runs.

        Args:
            before: The earlier run.
            after: The later run.
            both_results: The results of both runs, in this order.

        Raises:
            InputError: if the runs have different targets, or a run with several delineation
                layers does not have the displayed one.
        """
        check_same_targets(before, after, TARGETS)
        scores = self.results.displayed_scores()
        layer_name = "" if scores is None else scores.name
        results_before, results_after = both_results
        crowns_before = _select_crowns(before, results_before, layer_name)
        crowns_after = _select_crowns(after, results_after, layer_name)
        self.results.changes_tab.compare(
            [
                crowns_before.rename(columns=_COMPARED_COLUMNS),
                crowns_after.rename(columns=_COMPARED_COLUMNS),
            ],
            SCORE_NAMES["randcrowns"],
            describe_runs(before, after),
            results_after.names,
        )

    def adapt_to_previous(self, page: DockPage) -> None:
        """Show the run of this page on the map; preset a consensus that was made meanwhile."""
        super().adapt_to_previous(page)
        self.form.preset_consensus()

    def shown_run(self) -> ShownRun | None:
        """Return the run to print, with the scores of the displayed delineation layer.

        Scores in fields are printed from the target layer.
        """
        shown_run = super().shown_run()
        results = self.results.results
        scores = self.results.displayed_scores()
        if shown_run is None or results is None or scores is None:
            return None
        layer_ids = {SCORED_TARGETS.id: results.settings[TARGETS], **results.layer_ids}
        return ShownRun(shown_run.record, layer_ids, scores.name)

    def clear_results(self) -> None:
        """Remove the results and their drawings; stop live scoring."""
        if self.live_scoring is not None:
            self.live_scoring.stop()
        super().clear_results()
        self._starts_live = _is_live_by_default()
        with QSignalBlocker(self.form.live_switch):
            self.form.live_switch.setChecked(self._starts_live)
        self.form.live_switch.show()
        self.map_link.close()
        self._viewer = None

    def show_staleness(self, *_: object) -> None:
        """Mark the results as outdated if a layer has changed that is not scored live."""
        if self.live_scoring is not None:
            self.watch.live_layer_ids = self.live_scoring.live_layer_ids
        super().show_staleness()

    # Results and the map

    def _link_layer(self) -> None:
        """Connect the table with the selections in the input layers and in the result layers."""
        results = self.results.results
        scores = self.results.displayed_scores()
        if results is None or scores is None:
            return
        style_scored_targets(results, scores)
        offer_colourings(self.results.colour_box, results)
        self._colour_map()
        self.map_link.close()
        self._viewer = None
        self._follow_selections(results, scores)

    def _follow_selections(self, results: ScoreResults, scores: LayerScores) -> None:
        """Select in the table what is selected in the layers of a run.

        Args:
            results: The results of the run.
            scores: The scores of the displayed delineation layer.
        """
        id_field = results.id_field
        layer_name = scores.name

        def selected_target_ids(scored_targets: QgsVectorLayer) -> list[int]:
            """Return the ids of the selected targets."""
            return [int(crown[id_field]) for crown in scored_targets.selectedFeatures()]

        # The delineations of all layers are in one result layer.
        def selected_delineation_ids(scored_delineations: QgsVectorLayer) -> list[int]:
            """Return the ids of the selected delineations of the displayed layer."""
            return [
                int(crown["delineation_id"])
                for crown in scored_delineations.selectedFeatures()
                if crown["layer"] == layer_name
            ]

        follow_selection = self.map_link.follow_selection
        follow_selection(results.settings[TARGETS], "", "target_id")
        follow_selection(scores.layer_id, "", "delineation_id")
        scored_targets_id = results.layer_ids.get(SCORED_TARGETS.id, "")
        follow_selection(scored_targets_id, "", "target_id", selected_target_ids)
        scored_delineations_id = results.layer_ids.get(SCORED_DELINEATIONS.id, "")
        follow_selection(scored_delineations_id, "", "delineation_id", selected_delineation_ids)

    def _colour_map(self) -> None:
        """Colour the scored targets by what is selected, and draw their false detections."""
        results = self.results.results
        scores = self.results.displayed_scores()
        if results is None or scores is None:
            return
        layer = vector_layer(results.layer_ids.get(SCORED_TARGETS.id, ""))
        if layer is None:
            return
        colouring = colouring_of(self.results.colour_box.value(), scores)
        with styled_by_page(layer):
            colour_targets(layer, scores.prefix, colouring)
        delineations = vector_layer(results.layer_ids.get(SCORED_DELINEATIONS.id, ""))
        if delineations is not None:
            with styled_by_page(delineations):
                select_delineations(delineations, scores.name)
        self.map_controls.update_state()

    def _show_selected(self, _table: str, column: str, ids: list[int]) -> None:
        """Select the rows of the crowns selected on the map; draw the crown if it is only one.

        Args:
            _table: Unused.
            column: "target_id" or "delineation_id".
            ids: Ids of the selected crowns.
        """
        selected_rows = self.results.crown_table.select_ids(column, ids)
        only_row = selected_rows[0] if len(selected_rows) == 1 else -1
        self.results.plot.mark_row(only_row)
        self.results.changes_tab.select_crowns(ids if column == "target_id" else [])
        self._show_row(only_row, move=False)

    def _show_row(self, row: int, move: bool = True) -> None:
        """Draw the crown of a row of the crown table.

        Args:
            row: Row of :attr:`LayerScores.crowns`; -1 to draw nothing.
            move: True to move the map to the crown.
        """
        scores = self.results.displayed_scores()
        if scores is None or row < 0:
            self._show_crown(None)
        else:
            self._show_crown(scores.crowns.iloc[row], move)

    def _show_compared_row(self, row: int) -> None:
        """Draw the crown of a row of the comparison; -1 to draw nothing.

        The target is drawn alone if the displayed run does not have the crown.
        """
        scores = self.results.displayed_scores()
        if row < 0 or scores is None:
            self._show_crown(None)
            return
        target_id = self.results.changes_tab.crown_id(row)
        crowns = scores.crowns[scores.crowns["target_id"] == target_id]
        if len(crowns):
            self._show_crown(crowns.iloc[0])
        else:
            self._show_crown({"target_id": target_id, "delineation_id": None})

    def _show_crown(self, crown: Any, move: bool = True) -> None:
        """Draw a crown on the map, or warn that it is no longer in its layer.

        Args:
            crown: Values by name with ``target_id`` and ``delineation_id``; None to draw nothing.
            move: True to move the map to the crown.
        """
        self.highlight.clear()
        results = self.results.results
        scores = self.results.displayed_scores()
        if crown is None or results is None or scores is None:
            return
        with self.messages.show_errors():
            view = self.view(results.settings, scores, crown)
            if view is None:
                self.messages.warning(tr("This crown is no longer in its layer."))
            else:
                self.highlight.show_view(view, move)
                if crown.get("status") in _NOT_FOUND:
                    self._draw_unpaired(vector_layer(scores.layer_id), view.target)

    def _draw_unpaired(self, layer: QgsVectorLayer | None, target: QgsGeometry) -> None:
        """Draw all delineations that overlap a target that was not detected, as thin outlines.

        The description of the crown names one that is not its pair.

        Args:
            layer: The layer with the delineations; None if it was removed.
            target: Outline of the target in the coordinates of the map.
        """
        if layer is None:
            return
        request = QgsFeatureRequest(target.boundingBox())
        map_crs = self.highlight.map_crs()
        request.setDestinationCrs(map_crs, QgsProject.instance().transformContext())
        outlines = [feature.geometry() for feature in layer.getFeatures(request)]
        overlapping = [outline for outline in outlines if outline.intersects(target)]
        if overlapping:
            shape = QgsGeometry.collectGeometry(overlapping)
            self.highlight.draw(DrawnShape(shape, DELINEATION_COLOUR, width=1), veil=0)

    def view(self, settings: Settings, scores: LayerScores, row: pd.Series) -> CrownView | None:
        """Return the outlines of a crown and its match, with the regions that were scored.

        Args:
            settings: Settings of the run.
            scores: Scores of the delineation layer.
            row: Row of the crown, with ``target_id`` and ``delineation_id``.

        Returns:
            The geometries in map coordinates; None if the crown or its layer was removed.
        """
        target_layer = vector_layer(settings[TARGETS])
        if target_layer is None:
            return None
        if self._viewer is None:
            self._viewer = _create_viewer(settings, target_layer)
        match_id = None if pd.isna(row["delineation_id"]) else int(row["delineation_id"])
        return self._viewer.create_view(
            target_layer,
            int(row["target_id"]),
            vector_layer(scores.layer_id),
            match_id,
            self.highlight.map_crs(),
        )

    def _open_review(self) -> None:
        """Open page Review at the selected crown, or with the layer that has the worst crown."""
        results = self.results.results
        scores = self.results.displayed_scores()
        if results is None or scores is None:
            return
        rows = self.results.crown_table.view.selected_rows()
        if not rows:
            scores = worst_layer(results.layers)
        layer_id = results.layer_ids.get(SCORED_TARGETS.id, "") or results.settings[TARGETS]
        if vector_layer(layer_id) is None:
            self.messages.warning(tr("The layer with these scores was removed. Run again."))
            return
        parameters: dict[str, Any] = {"layer": layer_id, "delineations": scores.name}
        if rows:
            frame_row = self.results.crown_model.frame_row(rows[0])
            parameters["crown"] = int(scores.crowns["target_id"].iloc[frame_row])
        self.page_requested.emit("review", parameters)

    def _select_count(self, key: str) -> None:
        """Select the crowns of a count in the headline.

        Args:
            key: A status, for targets; UNMATCHED_DELINEATIONS.
        """
        results = self.results.results
        scores = self.results.displayed_scores()
        if results is None or scores is None:
            return
        # This selection must not mark the results as outdated.
        self.watch.is_selecting = True
        if key == UNMATCHED_DELINEATIONS:
            self._select_unmatched(results, scores)
        else:
            self.results.crown_table.filter.clear()
            self.results.tabs.setCurrentWidget(self.results.crown_table)
            self.map_link.select(results.settings[TARGETS], scores.ids_of(Status(key)))
        self.watch.is_selecting = False

    def _select_unmatched(self, results: ScoreResults, scores: LayerScores) -> None:
        """Select the delineations without a target in their layer, and in that of the results.

        The user may have hidden their layer.
        """
        scored_layer = vector_layer(results.layer_ids.get(SCORED_DELINEATIONS.id, ""))
        if scored_layer is not None:
            is_of_layer = QgsExpression.createFieldEqualityExpression("layer", scores.name)
            scored_layer.selectByExpression(f"{is_of_layer} AND {IS_WITHOUT_TARGET}")
        self.map_link.select(scores.layer_id, list(scores.unmatched_ids))

    def _select_cell(self, cell: CellCrowns) -> None:
        """Select the crowns of a cell of the confusion matrix, and show the first one."""
        results = self.results.results
        scores = self.results.displayed_scores()
        if results is None or scores is None:
            return
        self._cell = cell
        if cell.are_predictions:
            layer_id = scores.layer_id
            crown_ids = scores.unmatched_of_class(cell.predicted)
        else:
            layer_id = results.settings[TARGETS]
            target_ids = scores.crowns["target_id"].iloc[cell.rows_of(scores.crowns)]
            crown_ids = [int(target_id) for target_id in target_ids]
        self.results.class_tab.show_crowns(cell, len(crown_ids))
        # This selection must not mark the results as outdated, and the tab stays open.
        self.watch.is_selecting = True
        with QSignalBlocker(self.map_link):
            self.map_link.select(layer_id, crown_ids)
        self.watch.is_selecting = False
        if crown_ids:
            self._show_cell_crown(0)

    def _show_cell_crown(self, position: int) -> None:
        """Show a crown of the clicked cell on the map; the map is only moved to a delineation.

        Args:
            position: Position of the crown among those of the cell.
        """
        scores = self.results.displayed_scores()
        if scores is None or self._cell is None:
            return
        if not self._cell.are_predictions:
            self._show_row(self._cell.rows_of(scores.crowns)[position])
            return
        layer = vector_layer(scores.layer_id)
        if layer is not None:
            delineation_id = scores.unmatched_of_class(self._cell.predicted)[position]
            outline = transform_to_map(
                layer.getGeometry(delineation_id), layer, self.highlight.map_crs()
            )
            centre_on(self.iface.mapCanvas(), combined_extent([outline]))


def _is_live_by_default() -> bool:
    """Return True if the user's options turn live scoring on for the first results."""
    return bool(Settings.from_stored((LIVE_SCORING,))[LIVE_SCORING])


def _select_crowns(run: Run, results: ScoreResults, layer_name: str) -> pd.DataFrame:
    """Return the crowns of a run for a delineation layer, or for the only one that it has.

    Args:
        run: The run.
        results: Results of the run.
        layer_name: Name of the delineation layer.

    Raises:
        InputError: if the run has several delineation layers, but not this one.
    """
    tables = {scores.name: scores.crowns for scores in results.layers}
    if layer_name not in tables and len(tables) > 1:
        raise InputError(
            "runs.no_delineation_layer",
            "The run '{run}' has no delineation layer '{name}'; show one that both runs have.",
            run=run.title,
            name=layer_name,
        )
    return tables.get(layer_name, results.layers[0].crowns)


def _create_viewer(settings: Settings, target_layer: QgsVectorLayer) -> CrownViewer:
    """Return the viewer that draws crowns with the parameters of a run.

    The preset of the IDTReeS competition has no regions.
    """
    parameters = None
    if settings[PRESET] != IDTREES:
        alpha, omega, gamma = (settings[length] for length in LENGTHS)
        parameters = RandCrownsParameters(alpha, omega, gamma, settings[CORNER_STYLE])
    extent = settings[IMAGE_EXTENT]
    extent_layer = None
    if extent.layer_ids:
        extent_layer = vector_layer(extent.layer_ids[0])
    return CrownViewer.for_run(target_layer, parameters, extent.rectangle, extent_layer)
