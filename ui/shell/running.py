"""What pages share that run one algorithm: the form above, the results below, the run between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from qgis.core import QgsProject, QgsReferencedRectangle
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QFrame, QScrollArea, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import polygon_layers
from randcrowns.ui.services.layer_watch import Connections, LayerWatch, ProjectLayers
from randcrowns.ui.services.memory import recall, remember
from randcrowns.ui.services.messages import load_sample_plot
from randcrowns.ui.services.runner import AlgorithmRun, Failed, Succeeded, WasCancelled
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.page import Page
from randcrowns.ui.widgets.run_bar import EmptyState, RunBar

__all__ = ["RunningPage", "Watched"]

#: Layers, the fields that matter in each, and the layer in which the selection matters.
Watched = tuple[tuple[str, ...], Mapping[str, Sequence[str]], str]


class RunningPage(Page):
    """A form, a run bar and results. A page says which algorithm runs, with what, and shows what comes of it.

    The form offers ``changed``, ``settings()``, ``show_settings()``, ``follow_project()``, ``what_run_does()`` and
    ``why_not()``, and ``kept_in``; the results ``set_stale()``. A page calls :meth:`restore` once it is built.
    """

    #: Id of the algorithm.
    algorithm = ""
    #: Share of the height that the form keeps once there are results, percent.
    form_share = 35

    def __init__(self, iface: Any, form: Any, results: Any, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(iface, parent)
        self.form, self.results = form, results
        self.run_bar = RunBar()
        self.empty = EmptyState(empty)
        self.watch = LayerWatch(self)
        self.run: AlgorithmRun | None = None
        self._next_watch = LayerWatch(self)
        self._asked: Any = None
        self._shown: Any = None
        self._project_layers = ProjectLayers(self)
        self._build()
        self.form.changed.connect(self._form_changed)
        self.run_bar.run_asked.connect(self.start)
        self.run_bar.cancel_asked.connect(self.cancel)
        self.empty.sample_asked.connect(lambda: load_sample_plot(self.iface))
        self._project_layers.changed.connect(self.form.follow_project)
        self._project = Connections()
        self._project.connect(QgsProject.instance(), "projectSaved", self.form.follow_project)

    # What a page says

    def settings_of(self, choices: dict[str, Any]) -> Any:
        """The settings that the project kept."""
        raise NotImplementedError

    def watched(self, settings: Any) -> Watched:
        """Layers whose change makes the results old, the fields that matter in each, where the selection matters."""
        raise NotImplementedError

    def take(self, outcome: Succeeded, settings: Any) -> str:
        """Show the results; the sentence says where they are.

        Raises:
            RandCrownsError: when they cannot be shown or delivered.
        """
        raise NotImplementedError

    def has_input(self) -> bool:
        """Whether there is anything to work on; otherwise the page says what to do."""
        return bool(polygon_layers())

    def ready_settings(self) -> Any:
        """The settings to run with."""
        return self.form.settings()

    def with_canvas(self, settings: Any) -> Any:
        """The settings with what the map shows."""
        canvas = self.iface.mapCanvas()
        shown, crs = canvas.extent(), canvas.mapSettings().destinationCrs()
        if isinstance(settings, Settings):
            return settings.on_canvas(QgsReferencedRectangle(shown, crs))
        return replace(
            settings,
            canvas=(shown.xMinimum(), shown.yMinimum(), shown.xMaximum(), shown.yMaximum()),
            canvas_crs=crs.authid() or f"WKT:{crs.toWkt()}",
        )

    def parameters(self, settings: Any) -> dict[str, Any]:
        """Of the algorithm."""
        return settings.to_parameters()

    def comparable(self, settings: Any) -> Any:
        """The settings without what does not change the results."""
        return settings

    def what_changed(self, shown: Any) -> str:
        """What about the choices makes the results old, which were made with others."""
        return tr("the choices above changed.")

    def cancelled_words(self) -> str:
        """What is said after a run was cancelled."""
        return tr("The run was cancelled; no layer was changed.")

    def put_away(self) -> None:
        """Forget the results: another project was opened."""

    # What the dock asks

    def restore(self) -> None:
        """Take up the choices kept in the project; results and runs of another project are put away."""
        self.cancel()
        self.watch.close()
        self._shown = None
        self.put_away()
        self.results.hide()
        self.form.kept_in.set_path("")
        self.form.follow_project()
        choices = recall(self.key)
        if choices:
            self.form.show_settings(self.settings_of(choices))
        self._show_ready()

    def keep(self) -> None:
        """Keep the choices in the project."""
        if self.has_input():
            settings = self.form.settings()
            remember(self.key, settings.to_kept() if isinstance(settings, Settings) else settings.to_choices())

    def take_over(self, choices: dict[str, Any]) -> None:
        """Take up choices that another page made: some of the form's settings."""
        settings = self.form.settings()
        if isinstance(settings, Settings):
            settings = Settings.of(self.form.choices, {**settings.to_kept(), **choices})
        else:
            settings = replace(settings, **choices)
        self.form.show_settings(settings)

    def close_down(self) -> None:
        """Stop the run, take back connections."""
        if self.run is not None:
            self.run.ended.disconnect(self._end)
            self.run.cancel()
            self.run = None
        self._project_layers.close()
        self._project.close()
        self.form.check.close()
        self.watch.close()
        self._next_watch.close()

    # One run

    def start(self) -> None:
        """Run with the choices made."""
        if self.run is not None or self.form.why_not():
            return
        settings = self.ready_settings()
        self._asked = settings
        self.keep()
        self._next_watch = LayerWatch(self)
        self._next_watch.watch(*self.watched(settings))
        self.run_bar.start()
        self.run = AlgorithmRun(self.algorithm, self.parameters(settings))
        self.run.progressed.connect(self.run_bar.set_progress)
        self.run.ended.connect(self._end)
        self.run.start()

    def cancel(self) -> None:
        """Stop the run; every layer stays as it was."""
        if self.run is not None:
            self.run.cancel()

    def _end(self, outcome: Succeeded | Failed | WasCancelled) -> None:
        settings, self.run = self._asked, None
        self.run_bar.stop()
        self._show_ready()
        if not isinstance(outcome, Succeeded):
            self._next_watch.close()
        if isinstance(outcome, WasCancelled):
            self.messages.info(self.cancelled_words())
        elif isinstance(outcome, Failed):
            self.messages.error(outcome.message, outcome.log)
        else:
            self._take(outcome, settings)

    def _take(self, outcome: Succeeded, settings: Any) -> None:
        first, said = self.results.isHidden(), ""
        with self.messages.telling(outcome.log):
            said = self.take(outcome, settings)
        if not said:
            self._next_watch.close()
            return
        self.watch.close()
        self.watch, self._next_watch = self._next_watch, self.watch
        self.watch.changed.connect(self.show_staleness)
        self._shown = settings
        self.results.show()
        if first:
            height = self.splitter.height()
            self.splitter.setSizes([height * self.form_share // 100, height * (100 - self.form_share) // 100])
        self.show_staleness()
        self.messages.tell_remarks(said, outcome.remarks)

    def show_staleness(self, *_: object) -> None:
        """Mark the results as old when a layer or a choice changed since."""
        if self._shown is None or self.results.isHidden():
            return
        why = self.watch.reason
        if not why and self.comparable(self.form.settings()) != self.comparable(self._shown):
            why = self.what_changed(self._shown)
        self.results.set_stale(why)

    # The form

    def _form_changed(self) -> None:
        self._show_ready()
        self.show_staleness()

    def _show_ready(self) -> None:
        self.run_bar.set_ready(self.form.what_run_does(), self.form.why_not())
        self.stack.setCurrentWidget(self.splitter if self.has_input() or self.run else self.empty)

    def _build(self) -> None:
        scroll = QScrollArea()
        scroll.setWidget(self.form)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(scroll, 1)
        bar = QWidget()
        bar_column = QVBoxLayout(bar)
        bar_column.setContentsMargins(8, 0, 8, 2)
        bar_column.addWidget(self.run_bar)
        column.addWidget(bar)
        self.results.setContentsMargins(8, 2, 8, 6)
        self.results.hide()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.results)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.empty)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(self.stack)
        self.run_bar.serve(self)
