"""Base class of the pages that run an algorithm and show its results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from qgis.core import QgsMapLayer, QgsProject, QgsReferencedRectangle
from qgis.PyQt.QtCore import QSignalBlocker
from qgis.PyQt.QtGui import QShowEvent

from randcrowns.algorithms.layer_parameters import LayerListParameter, LayerParameter
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import FieldParameter, Parameter
from randcrowns.algorithms.provenance import PROVENANCE, Provenance
from randcrowns.algorithms.report_content import PrintContent
from randcrowns.algorithms.run_history import Run
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.tree import show_groups_of
from randcrowns.ui.services.layer_info import polygon_layers, store_layer_names
from randcrowns.ui.services.layer_watch import Connections, LayerWatch
from randcrowns.ui.services.message_bar import MessageBar, add_sample_plot
from randcrowns.ui.services.new_crown_layer import NEW_LAYER_TOOLTIP, add_crown_layer
from randcrowns.ui.services.replaced_layers import watch_result_layers
from randcrowns.ui.services.run_outcome import Outcome, Succeeded, destinations
from randcrowns.ui.services.runner import AlgorithmRun, PageRuns
from randcrowns.ui.services.settings import Settings, write_parameters
from randcrowns.ui.shell.import_dialog import open_import_dialog
from randcrowns.ui.shell.import_export import ExportButton
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.shell.print_layouts import PrintLayouts, ShownRun
from randcrowns.ui.shell.run_history import F, PageWithRuns, R, RunHistory, run_parameters
from randcrowns.ui.widgets.editors import REPLACE_LAST, RESULT_FILE
from randcrowns.ui.widgets.map_controls import MapControls
from randcrowns.ui.widgets.map_highlight import MapHighlight, zoom_to_layers
from randcrowns.ui.widgets.outline_button import OutlineButton, SelectedCrowns
from randcrowns.ui.widgets.parts import set_guide_section
from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.widgets.run_widgets import SHOWN_RUN, START_RUN, CopyRow
from randcrowns.ui.widgets.table_view import TableView


class WatchedLayers(NamedTuple):
    """Layers and files whose changes outdate the results of a run."""

    layer_ids: tuple[str, ...]  #: Ids of layers, or paths of files.
    fields: Mapping[str, Sequence[str]]  #: Layer id -> names of the fields that matter.
    selection_layer: str = ""  #: Id of the layer whose selection matters; "" for none.


class RunningPage(PageWithRuns[F, R]):
    """A page with a form, a run bar and results.

    Subclasses specify the algorithm and its parameters, show the results, and call
    :meth:`load_parameters` at the end of their constructor.

    Args:
        iface: The interface of the QGIS window.
        form: The form.
        results: The widget with the results.
        empty: Message while the project has no layer that can be used.
    """

    #: Parameters of the algorithm that the form edits.
    algorithm_parameters: Sequence[Parameter[Any]] = ()
    #: Outputs of the algorithm.
    outputs: Sequence[Output] = ()
    #: Parameters of the layers that can be exported: targets, predictions, areas to ignore.
    export_parameters: Sequence[Parameter[Any]] = ()
    #: Parameter of the export of crowns -> parameter of the page with the name of a field.
    export_fields: Mapping[FieldParameter, FieldParameter] = MappingProxyType({})
    #: Parameter of the layer with the targets; None if the page has no targets.
    target_parameter: Parameter[Any] | None = None
    #: Parameters of the layers of annotators and detectors.
    crown_parameters: Sequence[Parameter[Any]] = ()
    #: What a print layout shows of a run; None if there are no layouts.
    print_content: PrintContent | None = None
    #: Headings of the page's guide that F1 opens in the form and in the results.
    form_section = "what-goes-in"
    results_section = "what-comes-out"
    #: Message after a run was cancelled.
    cancelled_message = tr("The run was cancelled; no layer was changed.")
    #: The page's drawings on the map.
    highlight: MapHighlight

    #: Returns the layers of the project that a run can use.
    usable_layers: Callable[[], Sequence[QgsMapLayer]] = staticmethod(polygon_layers)

    def __init__(self, iface: Any, form: F, results: R, empty: str) -> None:
        super().__init__(form, results, empty)
        self.iface = iface
        self.messages = MessageBar(iface)
        #: Watches the layers of the run that the page shows.
        self.watch = LayerWatch(self)
        #: Watches the layers of the run in progress.
        self._next_watch = LayerWatch(self)
        self.runs = PageRuns(self.messages, self.cancelled_message, self)
        #: Settings of the run that the page shows; None if it shows none.
        self._shown_settings: Settings | None = None
        #: Id of an output -> id of its layer, for the run that the page shows.
        self._shown_layer_ids: dict[str, str] = {}
        self.history = RunHistory(self)
        self._add_export()
        self._add_controls()
        set_guide_section(self.form_section, self.form)
        set_guide_section(self.results_section, self.results)
        self._connect_form_and_runs()
        self._connect_project()

    def _add_export(self) -> None:
        """Add the export button to the tabs of the results, with the print layouts of the page."""
        self.export_button = ExportButton(
            self.iface, self._layers_to_export, self._fields_to_export
        )
        self.results.tabs.setCornerWidget(self.export_button)
        #: Menu entries for print layouts; None if the page has no layouts.
        self.printing: PrintLayouts | None = None
        if self.print_content is not None:
            self.printing = PrintLayouts(
                iface=self.iface,
                printed=self.print_content,
                shown=self.shown_run,
                results=self.results,
                menu=self.export_button.menu(),
            )

    def _add_controls(self) -> None:
        """Add the controls of the map and of the outlines, and the row below the results."""
        #: Buttons that copy or report the run.
        self.quote_row = CopyRow()
        self.quote_row.report_requested.connect(
            lambda *run: self.page_requested.emit("report", {SHOWN_RUN: run})
        )
        #: Opacity of the displayed crowns, and visibility of the other crown layers.
        self.map_controls = MapControls()
        self.quote_row.add_controls(self.map_controls)
        #: Outlines of the selected layers in the colours of their roles.
        self.outline_button = OutlineButton(self.selected_crowns)
        self.run_bar.add_control(self.outline_button)
        self.form.changed.connect(self.outline_button.follow_selection)
        # At the bottom, where it takes room of the table, it moves no button.
        self.results.layout().addWidget(self.results.stale_label)
        self.results.layout().addWidget(self.quote_row)

    def _connect_form_and_runs(self) -> None:
        """Connect the signals of the form, the run bar, the runs and the question before a run."""
        self.form.changed.connect(self._show_ready)
        self.form.changed.connect(self.show_staleness)
        self.run_bar.run_requested.connect(self.start_or_ask)
        self.run_bar.cancel_requested.connect(self.runs.cancel)
        self.runs.progressed.connect(self.run_bar.set_progress)
        self.runs.busy_changed.connect(self._show_busy)
        self.run_question.answered.connect(self.start)
        self.form.changed.connect(
            lambda: self.run_question.update_question(self.form.run_question())
        )

    def _connect_project(self) -> None:
        """Connect the buttons of the empty page, and the signals of the project."""
        self.empty_state.import_requested.connect(
            lambda: open_import_dialog(self.iface, self.page_requested.emit, page_key=self.key)
        )
        self.empty_state.sample_requested.connect(lambda: add_sample_plot(self.iface))
        self.project_layers.changed.connect(self.form.reload_layers)
        self.project_layers.changed.connect(self.distribute_height_soon)
        #: Connections to signals of the project.
        self._project_connections = Connections()
        self._project_connections.connect(
            QgsProject.instance(), "readProject", lambda *_: watch_result_layers()
        )

    def add_drawing_button(self) -> None:
        """Add a button to the empty page that adds a layer to draw crowns in."""
        button = self.empty_state.add_button(tr("New crown layer…"), NEW_LAYER_TOOLTIP)
        button.clicked.connect(lambda *_: add_crown_layer(self.iface))

    # Methods that subclasses implement or extend

    def settings_of(self, stored_values: dict[str, Any]) -> Settings:
        """Return the settings for stored parameters.

        Args:
            stored_values: Key -> value, as the project stores them; {} for the defaults.
        """
        return Settings.from_stored(self.form.parameters, stored_values)

    def watched_layers(self, settings: Settings) -> WatchedLayers:
        """Return the layers and fields of a run whose changes outdate its results."""
        raise NotImplementedError

    def show_results(self, outcome: Succeeded, settings: Settings) -> str:
        """Show the results of a run and add its layers to the project.

        Args:
            outcome: The results, with what the page has read of them.
            settings: Settings of the run.

        Returns:
            A sentence about the run and where its results are, for the message bar.

        Raises:
            RandCrownsError: if the results cannot be shown.
        """
        raise NotImplementedError

    def has_input(self) -> bool:
        """Return True if the project has a layer that can be used."""
        return bool(self.usable_layers())

    def run_problem(self) -> str:
        """Return why nothing can be run, a sentence of the form or the algorithm; "" if it can."""
        problem = self.form.run_problem()
        if problem:
            return problem
        algorithm = self.history.algorithm(self.algorithm)
        if algorithm is None:
            return ""
        parameters = self.settings().to_parameters(self.algorithm_parameters)
        return algorithm.find_problem(run_parameters(algorithm, parameters))

    def settings_to_run(self) -> Settings:
        """Return the settings for a run, with the current extent of the map."""
        self.highlight.clear()
        canvas = self.iface.mapCanvas()
        extent = QgsReferencedRectangle(canvas.extent(), canvas.mapSettings().destinationCrs())
        return self.settings().with_canvas_extent(extent)

    def requested_outputs(self, settings: Settings) -> Sequence[Output]:
        """Return the outputs that a run with these settings produces."""
        return self.outputs

    def parameters(self, settings: Settings) -> dict[str, Any]:
        """Return the Processing parameters of a run, with the destinations of its outputs."""
        return {
            **settings.to_parameters(self.algorithm_parameters),
            **destinations(self.requested_outputs(settings), settings[RESULT_FILE]),
        }

    def result_settings(self, settings: Settings) -> Settings:
        """Return the settings that change the results, by which outdated results are detected."""
        return settings.subset(self.algorithm_parameters)

    def selected_crowns(self) -> SelectedCrowns:
        """Return the layers of targets, annotators and detectors that the form selects."""
        settings = self.form.settings()
        target_id = "" if self.target_parameter is None else settings[self.target_parameter]
        other_ids: list[str] = []
        for parameter in self.crown_parameters:
            value = settings[parameter]  # the id of a layer, or several ids
            other_ids += [value] if isinstance(value, str) else value
        return SelectedCrowns(target_id, other_ids)

    def shown_run(self) -> ShownRun | None:
        """Return the run that a print layout shows, or None if the page shows none."""
        if self.history.shown_record is None:
            return None
        return ShownRun(self.history.shown_record, self._shown_layer_ids)

    def clear_results(self) -> None:
        """Remove the results and their drawings, when another project is opened or at the end."""
        self.highlight.clear()
        self.results.results = None
        self.quote_row.clear()
        self.map_controls.show_run(())

    # Methods that the dock calls

    def load_parameters(self) -> None:
        """Show the parameters stored in the project; remove the results of another project."""
        self.runs.close()
        self.watch.close()
        self._shown_settings = None
        self.clear_results()
        self.results.hide()
        self.form.restore_collapsed()
        # The form emits several changes, which the last statements handle once.
        with QSignalBlocker(self.form):
            self.form.result_file_field.set_path("")
            self.form.reload_layers()
            self.show_stored_parameters(self.form, self.settings_of)
        self._show_ready()
        self.outline_button.update_state()
        self.history.reset()

    def store_parameters(self, *_: object) -> None:
        """Store the parameters in the project if it has a layer that can be used."""
        if self.has_input():
            write_parameters(self.key, self.settings().to_stored())

    def show_parameters(self, stored_values: dict[str, Any]) -> None:
        """Show parameters that another page has sent; the others stay as they are.

        Args:
            stored_values: Values by key, as a project stores them. With START_RUN, a run is
                started like with the button: not if something is wrong, and a doubt is asked first.
        """
        stored = {**self.form.settings().to_stored(), **stored_values}
        starts_run = bool(stored.pop(START_RUN, False))
        self.form.set_settings(Settings.from_stored(self.form.parameters, stored))
        if starts_run:
            self._show_ready()
            self.run_from_shortcut()

    def show_run_alone(self) -> None:
        """Hide the crown layers that do not belong to the displayed run; images stay visible."""
        self.map_controls.step_back()

    def adapt_to_previous(self, page: DockPage) -> None:
        """Show the run of this page on the map, in place of that of the previous page."""
        project = QgsProject.instance()
        if any(project.mapLayer(layer_id) for layer_id in self._shown_layer_ids.values()):
            show_groups_of(project, self._shown_layer_ids.values())
        self.map_controls.update_state()
        self.outline_button.update_state()

    def leave(self) -> None:
        """Remove the drawings from the map, and the selection of the results."""
        self.highlight.clear()
        self.results.clear_selection()

    def close_down(self) -> None:
        """Stop all work; remove signal connections and drawings; close windows of plots."""
        self.runs.close()
        self.history.stop()
        self.clear_results()
        self.project_layers.close()
        self._project_connections.close()
        self.form.check.close()
        self.watch.close()
        self._next_watch.close()
        self.map_controls.close_down()
        for plot in self.results.findChildren(PlotWidget):
            plot.close_window()

    # Runs

    @property
    def run(self) -> AlgorithmRun | None:
        """The run whose progress is shown; None while there is none."""
        return self.runs.main_run

    def start_or_ask(self) -> None:
        """Start a run; ask first if the roles of the selected layers are doubtful."""
        if not self.run_question.ask(self.form.run_question()):
            self.start()

    def start(self) -> None:
        """Start a run with the settings of the form, unless there is one or something is wrong."""
        if self.run is not None or self.run_problem():
            self._show_ready()
            return
        settings = self.settings_to_run()
        self.history.stop()
        # From now on these layers count as chosen by the user: layers that are added to the
        # project later do not replace them.
        for parameter in self.form.parameters:
            if isinstance(parameter, (LayerParameter, LayerListParameter)):
                self.form.set_value(parameter, settings[parameter])
        self.store_parameters()
        self._watch_layers_of(settings)
        self.runs.start(
            self.algorithm,
            self.parameters(settings),
            partial(self._finish_run, settings=settings),
            reader=partial(self.make_reader, settings=settings),
        )

    def show_earlier_run(self, outcome: Succeeded, settings: Settings) -> None:
        """Show the results of an earlier run.

        Args:
            outcome: The results, with what the page has read of them.
            settings: Settings of the run.
        """
        self._watch_layers_of(settings)
        self.show_outcome(outcome, settings, is_read_back=True)

    def show_outcome(
        self, outcome: Succeeded, settings: Settings, is_read_back: bool = False
    ) -> str:
        """Show the results of a run and watch its layers from now on.

        Errors are shown in the message bar.

        Args:
            outcome: The results.
            settings: Settings of the run.
            is_read_back: True if the results are those of an earlier run.

        Returns:
            A sentence about the run; "" if its results cannot be shown.
        """
        record = Provenance.from_json(outcome.outputs[PROVENANCE.id])
        store_layer_names(record)
        sentence = ""
        with self.messages.show_errors(outcome.log, is_read_back):
            if isinstance(outcome.page_data, Exception):
                raise outcome.page_data
            sentence = self.show_results(outcome, settings)
            self.results.show_messages(outcome.messages)
            self._name_run_in_copies(record)
        if not sentence:
            return ""

        self._set_shown_run(record, outcome, settings)
        if self.results.isHidden() and not is_read_back:
            self.form.collapse()
        self.results.show()
        self.distribute_height()  # plots are drawn in their final size
        self.show_staleness()
        return sentence

    def _name_run_in_copies(self, record: Provenance) -> None:
        """Let copied tables and saved plots of the results name a run."""
        for plot in self.results.findChildren(PlotWidget):
            plot.provenance = record.one_line_text
        for table in self.results.findChildren(TableView):
            table.provenance = record.one_line_text

    def show_staleness(self, *_: object) -> None:
        """Mark the results as outdated if a layer or a parameter has changed since the run."""
        if self._shown_settings is None or self.results.isHidden():
            return
        reason = self.watch.reason
        if not reason:
            current_settings = self.result_settings(self.form.settings())
            if current_settings != self.result_settings(self._shown_settings):
                reason = tr("the parameters above changed.")
        self.results.set_stale(reason)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Distribute the height of the page, and show the last run of a project just opened."""
        super().showEvent(event)
        self.distribute_height_soon()  # size hints of a hidden page are unknown
        self.history.show_last_run()

    def _watch_layers_of(self, settings: Settings) -> None:
        """Watch the layers of a run that starts, in addition to those of the displayed run."""
        watched = self.watched_layers(settings)
        self._next_watch = LayerWatch(self)
        self._next_watch.watch(watched.layer_ids, watched.fields, watched.selection_layer)

    def _finish_run(self, outcome: Outcome, settings: Settings) -> None:
        """Show the results of a run that has ended, and replace the previous run if requested.

        The layers of the previous run are kept if the new run has added none to the project.

        Args:
            outcome: Outcome of the run; nothing is shown if it failed or was cancelled.
            settings: Settings of the run.
        """
        if not isinstance(outcome, Succeeded):
            self._next_watch.close()
            return
        # The new run becomes the last one as soon as it is shown.
        previous_run = self.history.last_run() if settings[REPLACE_LAST] else None
        layer_ids = [layer.id() for layer in outcome.layers.values()]
        # A tab of the previous run would hide the table that belongs to the new answer.
        self.results.tabs.setCurrentIndex(0)
        sentence = self.show_outcome(outcome, settings)
        if not sentence:
            self._next_watch.close()
            return
        with self.messages.show_errors():
            zoom_to_layers(self.iface.mapCanvas(), outcome.layers.values())
        self.messages.show_run_messages(sentence, outcome.messages, self.results.visible_messages)

        project = QgsProject.instance()
        is_in_project = any(project.mapLayer(layer_id) is not None for layer_id in layer_ids)
        if previous_run is not None and is_in_project:
            self._remove_replaced_run(previous_run)
        self.show_run_alone()

    def _remove_replaced_run(self, run: Run) -> None:
        """Remove the layers of a replaced run, and update the print layouts that show it."""
        self.history.remove_replaced_run(run)
        if self.printing is not None:
            with self.messages.show_errors():
                self.printing.update_layouts(run.record.id)

    def _set_shown_run(self, record: Provenance, outcome: Succeeded, settings: Settings) -> None:
        """Register the run that the page shows from now on.

        Args:
            record: Record of the run.
            outcome: The results.
            settings: Settings of the run.
        """
        self.watch.close()
        self.watch = self._next_watch
        self.watch.changed.connect(self.show_staleness)
        self._next_watch = LayerWatch(self)
        self._shown_settings = settings
        self.history.set_shown_run(record, outcome.layers)
        self._shown_layer_ids = {output: layer.id() for output, layer in outcome.layers.items()}
        self.export_button.result_layer_ids = list(self._shown_layer_ids.values())
        self.quote_row.show_run(record, outcome.layers.values())
        self.map_controls.show_run(self._shown_layer_ids.values())

    def _show_busy(self, busy: bool) -> None:
        """Update the run bar when the run with progress starts or ends."""
        if busy:
            self.run_bar.start()
        else:
            self.run_bar.stop()
        self._show_ready()

    def _show_ready(self) -> None:
        """Update the Run button, and show the form or the message that there is no layer."""
        self.run_bar.set_run_state(self.form.run_label(), self.run_problem())
        has_form = self.has_input() or self.run is not None
        self.stack.setCurrentWidget(self.splitter if has_form else self.empty_state)

    def _fields_to_export(self) -> dict[str, str]:
        """Return the fields selected on the page, as Processing parameters of the export."""
        settings = self.form.settings()
        return {
            export_parameter.id: settings[page_parameter]
            for export_parameter, page_parameter in self.export_fields.items()
            if settings[page_parameter]
        }

    def _layers_to_export(self) -> list[Any]:
        """Return the layers selected on the page, as the export button takes them."""
        settings = self.form.settings()
        return [settings[parameter] for parameter in self.export_parameters]
