"""Base class of the pages that run an algorithm and show its results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from qgis.core import QgsMapLayer, QgsProject, QgsReferencedRectangle
from qgis.PyQt.QtCore import QSignalBlocker
from qgis.PyQt.QtGui import QShowEvent

from randcrowns.algorithms.catalogue import IMPORT_CROWNS
from randcrowns.algorithms.choice import Choice
from randcrowns.algorithms.layer_choice import Layer, Layers
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.record import RECORD, Record
from randcrowns.algorithms.showing import Printed
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import polygon_layers, remember_names
from randcrowns.ui.services.layer_watch import Connections, LayerWatch
from randcrowns.ui.services.messages import Messages, load_sample_plot
from randcrowns.ui.services.replacing import follow_results
from randcrowns.ui.services.result_file import Outcome, Succeeded, places_of
from randcrowns.ui.services.runner import AlgorithmRun, Runs
from randcrowns.ui.services.settings import Settings, remember
from randcrowns.ui.shell.history import F, PageWithRuns, R, RunHistory, given_in_project
from randcrowns.ui.shell.importing import ExportButton, show_dialog
from randcrowns.ui.shell.printing import Printing, ShownRun
from randcrowns.ui.widgets.editors import FILE, REPLACE
from randcrowns.ui.widgets.map_highlight import MapHighlight, go_to_results
from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.widgets.run_bar import SHOWN, QuoteRow
from randcrowns.ui.widgets.table_view import TableView

#: What is watched for changes that outdate the results: ids of layers or paths of files, layer
#: id -> names of the fields that matter, and the id of the layer whose selection matters or "".
Watched = tuple[tuple[str, ...], Mapping[str, Sequence[str]], str]


class RunningPage(PageWithRuns[F, R]):
    """A page with a form, a run bar and results.

    Subclasses specify the algorithm and its parameters, show the results, and call
    :meth:`restore` at the end of their constructor.

    Args:
        iface: The interface of the QGIS window.
        form: The form.
        results: The widget with the results.
        empty: Message while the project has no layer that can be used.
    """

    #: Parameters of the algorithm that the form edits.
    choices: Sequence[Choice[Any]] = ()
    #: Outputs of the algorithm.
    outputs: Sequence[Output] = ()
    #: Parameters of the layers that can be exported: targets, predictions, areas to ignore.
    exported: Sequence[Choice[Any]] = ()
    #: What a print layout shows of a run; None if there are no layouts.
    printed: Printed | None = None
    #: Message after a run was cancelled.
    cancelled = tr("The run was cancelled; no layer was changed.")
    #: The page's drawings on the map.
    highlight: MapHighlight

    #: Returns the layers of the project that a run can use.
    offered: Callable[[], Sequence[QgsMapLayer]] = staticmethod(polygon_layers)

    def __init__(self, iface: Any, form: F, results: R, empty: str) -> None:
        super().__init__(form, results, empty)
        self.iface = iface
        self.messages = Messages(iface)
        #: Watches the layers of the run that the page shows.
        self.watch = LayerWatch(self)
        #: Watches the layers of the run in progress.
        self._next_watch = LayerWatch(self)
        self.runs = Runs(self.messages, self.cancelled, self)
        #: Settings of the run that the page shows; None if it shows none.
        self._shown: Settings | None = None
        #: Id of an output -> id of its layer, for the run that the page shows.
        self._shown_layer_ids: dict[str, str] = {}
        self.history = RunHistory(self)

        self.export_button = ExportButton(self.iface, self._layers_to_export)
        self.results.tabs.setCornerWidget(self.export_button)
        self.printing: Printing | None = None
        if self.printed is not None:
            menu = self.export_button.menu()
            self.printing = Printing(iface, self.printed, self.to_print, self.results, menu)
        self.quotes = QuoteRow()
        self.quotes.report_asked.connect(lambda *run: self.page_asked.emit("report", {SHOWN: run}))
        self.results.layout().addWidget(self.quotes)

        self.form.changed.connect(self._show_ready)
        self.form.changed.connect(self.show_staleness)
        self.run_bar.run_asked.connect(self.start)
        self.run_bar.cancel_asked.connect(self.runs.cancel)
        self.runs.progressed.connect(self.run_bar.set_progress)
        self.runs.busy_changed.connect(self._show_busy)
        self.empty.import_asked.connect(lambda: show_dialog(self.iface, IMPORT_CROWNS))
        self.empty.sample_asked.connect(lambda: load_sample_plot(self.iface))
        self.project_layers.changed.connect(self.form.follow_project)
        self.project_layers.changed.connect(self.make_room_soon)
        #: Connections to signals of the project.
        self._project = Connections()
        self._project.connect(QgsProject.instance(), "readProject", lambda *_: follow_results())

    # Methods that subclasses implement or extend

    def settings_of(self, choices: dict[str, Any]) -> Settings:
        """Return the settings for stored parameters.

        Args:
            choices: Key -> value, as the project stores them; {} for the defaults.
        """
        return Settings.of(self.form.choices, choices)

    def watched(self, settings: Settings) -> Watched:
        """Return the layers and fields of a run whose changes outdate its results."""
        raise NotImplementedError

    def take(self, outcome: Succeeded, settings: Settings) -> str:
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
        return bool(self.offered())

    def why_not(self) -> str:
        """Return why nothing can be run, a sentence of the form or the algorithm; "" if it can."""
        problem = self.form.why_not()
        if problem:
            return problem
        algorithm = self.history.algorithm(self.algorithm)
        if algorithm is None:
            return ""
        parameters = self.settings().to_parameters(self.choices)
        return algorithm.first_problem(given_in_project(algorithm, parameters))

    def ready_settings(self) -> Settings:
        """Return the settings for a run, with the current extent of the map."""
        self.highlight.clear()
        canvas = self.iface.mapCanvas()
        extent = QgsReferencedRectangle(canvas.extent(), canvas.mapSettings().destinationCrs())
        return self.settings().on_canvas(extent)

    def wanted(self, settings: Settings) -> Sequence[Output]:
        """Return the outputs that a run with these settings produces."""
        return self.outputs

    def parameters(self, settings: Settings) -> dict[str, Any]:
        """Return the Processing parameters of a run, with the destinations of its outputs."""
        return {
            **settings.to_parameters(self.choices),
            **places_of(self.wanted(settings), settings[FILE]),
        }

    def comparable(self, settings: Settings) -> Settings:
        """Return the settings that change the results, by which outdated results are detected."""
        return settings.only(self.choices)

    def to_print(self) -> ShownRun | None:
        """Return the run that a print layout shows, or None if the page shows none."""
        if self.history.shown is None:
            return None
        return ShownRun(self.history.shown, self._shown_layer_ids)

    def put_away(self) -> None:
        """Remove the results and their drawings, when another project is opened or at the end."""
        self.highlight.clear()
        self.results.results = None
        self.quotes.forget()

    # Methods that the dock calls

    def restore(self) -> None:
        """Show the parameters stored in the project; remove the results of another project."""
        self.runs.close()
        self.watch.close()
        self._shown = None
        self.put_away()
        self.results.hide()
        self.form.unfold()
        # The form emits several changes, which the last statements handle once.
        with QSignalBlocker(self.form):
            self.form.kept_in.set_path("")
            self.form.follow_project()
            self.show_kept(self.form, self.settings_of)
        self._show_ready()
        self.history.forget()

    def keep(self, *_: object) -> None:
        """Store the parameters in the project if it has a layer that can be used."""
        if self.has_input():
            remember(self.key, self.settings().to_kept())

    def take_over(self, choices: dict[str, Any]) -> None:
        """Show parameters that another page has sent; the others stay as they are.

        Args:
            choices: Values by key, as a project stores them.
        """
        stored = {**self.form.settings().to_kept(), **choices}
        self.form.show_settings(Settings.of(self.form.choices, stored))

    def leave(self) -> None:
        """Remove the drawings from the map, and the selection of the results."""
        self.highlight.clear()
        self.results.forget_choice()

    def close_down(self) -> None:
        """Stop all work; remove signal connections and drawings; close windows of plots."""
        self.runs.close()
        self.history.stop()
        self.put_away()
        self.project_layers.close()
        self._project.close()
        self.form.check.close()
        self.watch.close()
        self._next_watch.close()
        for plot in self.results.findChildren(PlotWidget):
            plot.close_window()

    # Runs

    @property
    def run(self) -> AlgorithmRun | None:
        """The run whose progress is shown; None while there is none."""
        return self.runs.shown

    def start(self) -> None:
        """Start a run with the settings of the form, unless there is one or something is wrong."""
        if self.run is not None or self.why_not():
            self._show_ready()
            return
        settings = self.ready_settings()
        self.history.stop()
        # From now on these layers count as chosen by the user: layers that are added to the
        # project later do not replace them.
        for choice in self.form.choices:
            if isinstance(choice, (Layer, Layers)):
                self.form.choose(choice, settings[choice])
        self.keep()
        self._watch_layers_of(settings)
        self.runs.begin(
            self.algorithm,
            self.parameters(settings),
            partial(self._finish_run, settings=settings),
            reader=partial(self.reading, settings=settings),
        )

    def show_again(self, outcome: Succeeded, settings: Settings) -> None:
        """Show the results of an earlier run.

        Args:
            outcome: The results, with what the page has read of them.
            settings: Settings of the run.
        """
        self._watch_layers_of(settings)
        self.show_outcome(outcome, settings, again=True)

    def show_outcome(self, outcome: Succeeded, settings: Settings, again: bool = False) -> str:
        """Show the results of a run and watch its layers from now on.

        Errors are shown in the message bar.

        Args:
            outcome: The results.
            settings: Settings of the run.
            again: True if the results are those of an earlier run.

        Returns:
            A sentence about the run; "" if its results cannot be shown.
        """
        record = Record.from_json(outcome.outputs[RECORD.id])
        remember_names(record)
        text = ""
        with self.messages.telling(outcome.log, again):
            if isinstance(outcome.read, Exception):
                raise outcome.read
            text = self.take(outcome, settings)
            self.results.tell_remarks(outcome.remarks)
            # Copied tables and saved plots name the run.
            for plot in self.results.findChildren(PlotWidget):
                plot.made = record.line
            for table in self.results.findChildren(TableView):
                table.made = record.line
        if text:
            self._set_shown_run(record, outcome, settings)
            if self.results.isHidden() and not again:
                self.form.fold()
            self.results.show()
            self.make_room()  # plots are drawn in their final size
            self.show_staleness()
        return text

    def show_staleness(self, *_: object) -> None:
        """Mark the results as outdated if a layer or a parameter has changed since the run."""
        if self._shown is None or self.results.isHidden():
            return
        reason = self.watch.reason
        if not reason and self.comparable(self.form.settings()) != self.comparable(self._shown):
            reason = tr("the parameters above changed.")
        self.results.set_stale(reason)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Distribute the height of the page, and show the last run of a project just opened."""
        super().showEvent(event)
        self.make_room_soon()  # size hints of a hidden page are unknown
        self.history.look()

    def _watch_layers_of(self, settings: Settings) -> None:
        """Watch the layers of a run that starts, in addition to those of the displayed run."""
        self._next_watch = LayerWatch(self)
        self._next_watch.watch(*self.watched(settings))

    def _finish_run(self, outcome: Outcome, settings: Settings) -> None:
        """Show the results of a run that has ended, and replace the previous run if requested.

        The layers of the previous run are kept if the new run has added none to the project.
        """
        if not isinstance(outcome, Succeeded):
            self._next_watch.close()
            return
        previous_run = self.history.last() if settings[REPLACE] else None
        layer_ids = [layer.id() for layer in outcome.layers.values()]
        text = self.show_outcome(outcome, settings)
        if not text:
            self._next_watch.close()
            return
        with self.messages.telling():
            go_to_results(self.iface.mapCanvas(), outcome.layers.values())
        self.messages.tell_remarks(text, outcome.remarks, self.results.beside)

        project = QgsProject.instance()
        is_in_project = any(project.mapLayer(layer_id) is not None for layer_id in layer_ids)
        if previous_run is not None and is_in_project:
            self.history.replace(previous_run)
            if self.printing is not None:
                with self.messages.telling():
                    self.printing.follow(previous_run.record.id)

    def _set_shown_run(self, record: Record, outcome: Succeeded, settings: Settings) -> None:
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
        self._shown = settings
        self.history.take(record, outcome.layers)
        self._shown_layer_ids = {output: layer.id() for output, layer in outcome.layers.items()}
        self.export_button.made = list(self._shown_layer_ids.values())
        self.quotes.show_run(record, outcome.layers.values())

    def _show_busy(self, busy: bool) -> None:
        """Update the run bar when the run with progress starts or ends."""
        if busy:
            self.run_bar.start()
        else:
            self.run_bar.stop()
        self._show_ready()

    def _show_ready(self) -> None:
        """Update the Run button, and show the form or the message that there is no layer."""
        self.run_bar.set_ready(self.form.what_run_does(), self.why_not())
        has_form = self.has_input() or self.run is not None
        self.stack.setCurrentWidget(self.splitter if has_form else self.empty)

    def _layers_to_export(self) -> list[Any]:
        """Return the layers selected on the page, as the export button takes them."""
        settings = self.form.settings()
        return [settings[choice] for choice in self.exported]
