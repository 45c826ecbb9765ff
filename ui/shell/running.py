"""What pages share that run algorithms: the form above, the results below, the runs between them."""

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

#: Layers, the fields that matter in each, and the layer in which the selection matters.
Watched = tuple[tuple[str, ...], Mapping[str, Sequence[str]], str]


class RunningPage(PageWithRuns[F, R]):
    """A form, a run bar and results. A page says which algorithm runs, with what, and shows what comes of it.

    A page calls :meth:`restore` once it is built.
    """

    #: What the user chooses for the algorithm, and what it makes.
    choices: Sequence[Choice[Any]] = ()
    outputs: Sequence[Output] = ()
    #: Choices of the layers that can be exported from the page: targets, predictions, areas to ignore.
    exported: Sequence[Choice[Any]] = ()
    #: What a print layout shows of a run.
    printed: Printed | None = None
    #: What is said after a run was cancelled.
    cancelled = tr("The run was cancelled; no layer was changed.")
    #: What the page draws on the map.
    highlight: MapHighlight

    #: The layers of the project that a run can be made of.
    offered: Callable[[], Sequence[QgsMapLayer]] = staticmethod(polygon_layers)

    def __init__(self, iface: Any, form: F, results: R, empty: str) -> None:
        super().__init__(form, results, empty)
        self.iface, self.messages = iface, Messages(iface)
        self.watch = LayerWatch(self)
        self.runs = Runs(self.messages, self.cancelled, self)
        self._next_watch = LayerWatch(self)
        self._shown: Settings | None = None
        #: Ids of the layers of the run that is shown, by output.
        self._made_layers: dict[str, str] = {}
        self.history = RunHistory(self)
        self.export_button = ExportButton(self.iface, self._to_export)
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
        self._project = Connections()
        self._project.connect(QgsProject.instance(), "readProject", lambda *_: follow_results())

    # What a page says

    def settings_of(self, choices: dict[str, Any]) -> Settings:
        """The settings that the project kept."""
        return Settings.of(self.form.choices, choices)

    def watched(self, settings: Settings) -> Watched:
        """Layers whose change makes the results old, the fields that matter in each, where the selection matters."""
        raise NotImplementedError

    def take(self, outcome: Succeeded, settings: Settings) -> str:
        """Show the results, or raise a RandCrownsError; the sentence says where they are."""
        raise NotImplementedError

    def has_input(self) -> bool:
        """Whether there is anything to work on; otherwise the page says what to do."""
        return bool(self.offered())

    def why_not(self) -> str:
        """Why nothing can be run: what the form says, or what the algorithm would refuse; empty when it can."""
        if why := self.form.why_not():
            return why
        parameters = self.settings().to_parameters(self.choices)
        algorithm = self.history.algorithm(self.algorithm)
        return (
            ""
            if algorithm is None
            else algorithm.first_problem(given_in_project(algorithm, parameters))
        )

    def ready_settings(self) -> Settings:
        """The settings to run with: what is chosen, with what the map shows."""
        self.highlight.clear()
        canvas = self.iface.mapCanvas()
        return self.settings().on_canvas(
            QgsReferencedRectangle(canvas.extent(), canvas.mapSettings().destinationCrs())
        )

    def wanted(self, settings: Settings) -> Sequence[Output]:
        """The outputs that are made."""
        return self.outputs

    def parameters(self, settings: Settings) -> dict[str, Any]:
        """Of the algorithm."""
        return {
            **settings.to_parameters(self.choices),
            **places_of(self.wanted(settings), settings[FILE]),
        }

    def comparable(self, settings: Settings) -> Settings:
        """The settings without what does not change the results."""
        return settings.only(self.choices)

    def to_print(self) -> ShownRun | None:
        """The run that a print layout shows; None before one."""
        return (
            None if self.history.shown is None else ShownRun(self.history.shown, self._made_layers)
        )

    def put_away(self) -> None:
        """Forget the results and what they drew: another project was opened, or the page closes."""
        self.highlight.clear()
        self.results.results = None
        self.quotes.forget()

    # What the dock asks

    def restore(self) -> None:
        self.runs.close()
        self.watch.close()
        self._shown = None
        self.put_away()
        self.results.hide()
        self.form.unfold()
        with QSignalBlocker(self.form):  # told once, by what follows
            self.form.kept_in.set_path("")
            self.form.follow_project()
            self.show_kept(self.form, self.settings_of)
        self._show_ready()
        self.history.forget()

    def keep(self, *_: object) -> None:
        if self.has_input():
            remember(self.key, self.settings().to_kept())

    def take_over(self, choices: dict[str, Any]) -> None:
        """Take up choices that another page made: some of the form's settings."""
        kept = {**self.form.settings().to_kept(), **choices}
        self.form.show_settings(Settings.of(self.form.choices, kept))

    def leave(self) -> None:
        self.highlight.clear()
        self.results.forget_choice()

    def close_down(self) -> None:
        """Stop the runs, take back connections and drawings, close the plots' own windows."""
        self.runs.close()
        self.history.stop()
        self.put_away()
        for follower in (
            self.project_layers,
            self._project,
            self.form.check,
            self.watch,
            self._next_watch,
        ):
            follower.close()
        for plot in self.results.findChildren(PlotWidget):
            plot.close_window()

    # Runs

    @property
    def run(self) -> AlgorithmRun | None:
        """The run that the bar shows."""
        return self.runs.shown

    def start(self) -> None:
        """Run with the choices made."""
        if self.run is not None or self.why_not():
            self._show_ready()
            return
        settings = self.ready_settings()
        self.history.stop()
        for choice in self.form.choices:
            if isinstance(choice, (Layer, Layers)):  # chosen now, whatever comes to the project
                self.form.choose(choice, settings[choice])
        self.keep()
        self._watch_next(settings)
        ended, reader = (
            partial(self._take, settings=settings),
            partial(self.reading, settings=settings),
        )
        self.runs.begin(self.algorithm, self.parameters(settings), ended, reader=reader)

    def show_again(self, outcome: Succeeded, settings: Settings) -> None:
        self._watch_next(settings)
        self.show_outcome(outcome, settings, again=True)

    def _watch_next(self, settings: Settings) -> None:
        self._next_watch = LayerWatch(self)
        self._next_watch.watch(*self.watched(settings))

    def _take(self, outcome: Outcome, settings: Settings) -> None:
        last = self.history.last() if settings[REPLACE] else None
        made = (
            [layer.id() for layer in outcome.layers.values()]
            if isinstance(outcome, Succeeded)
            else []
        )
        said = self.show_outcome(outcome, settings) if isinstance(outcome, Succeeded) else ""
        if not isinstance(outcome, Succeeded) or not said:
            self._next_watch.close()
            return
        with self.messages.telling():
            go_to_results(self.iface.mapCanvas(), outcome.layers.values())
        self.messages.tell_remarks(said, outcome.remarks, self.results.beside)
        if last is not None and any(map(QgsProject.instance().mapLayer, made)):
            self.history.replace(last)
            if self.printing is not None:
                with self.messages.telling():
                    self.printing.follow(last.record.id)

    def show_outcome(self, outcome: Succeeded, settings: Settings, again: bool = False) -> str:
        """Show what a run made, and watch its layers from now on; empty where it cannot be shown, which is told."""
        said, record = "", Record.from_json(outcome.outputs[RECORD.id])
        remember_names(record)
        with self.messages.telling(outcome.log, again):
            if isinstance(outcome.read, Exception):
                raise outcome.read
            said = self.take(outcome, settings)
            self.results.tell_remarks(outcome.remarks)
            for part in (
                *self.results.findChildren(PlotWidget),
                *self.results.findChildren(TableView),
            ):
                part.made = record.line
        if said:
            self.watch.close()
            self.watch, self._next_watch = self._next_watch, LayerWatch(self)
            self.watch.changed.connect(self.show_staleness)
            self._shown = settings
            self.history.take(record, outcome.layers)
            self._made_layers = {output: layer.id() for output, layer in outcome.layers.items()}
            self.export_button.made = list(self._made_layers.values())
            self.quotes.show_run(record, outcome.layers.values())
            if self.results.isHidden() and not again:
                self.form.fold()
            self.results.show()
            self.make_room()  # before plots are drawn
            self.show_staleness()
        return said

    def show_staleness(self, *_: object) -> None:
        """Mark the results as old when a layer or a choice changed since."""
        if self._shown is None or self.results.isHidden():
            return
        why = self.watch.reason
        if not why and self.comparable(self.form.settings()) != self.comparable(self._shown):
            why = tr("the choices above changed.")
        self.results.set_stale(why)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self.make_room_soon()  # what a page needs that is not shown is not known
        self.history.look()

    def _show_busy(self, busy: bool) -> None:
        (self.run_bar.start if busy else self.run_bar.stop)()
        self._show_ready()

    def _show_ready(self) -> None:
        self.run_bar.set_ready(self.form.what_run_does(), self.why_not())
        self.stack.setCurrentWidget(self.splitter if self.has_input() or self.run else self.empty)

    def _to_export(self) -> list[Any]:
        settings = self.form.settings()
        return [settings[choice] for choice in self.exported]
