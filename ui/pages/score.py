"""Page Score: pick a target and delineations, run, read the scores beside the map."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QFrame, QScrollArea, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from randcrowns.core.errors import RandCrownsError
from randcrowns.core.status import Status
from randcrowns.ui.layer_facts import polygon_layers
from randcrowns.ui.layer_watch import LayerWatch
from randcrowns.ui.map_link import MapLink
from randcrowns.ui.memory import recall, remember
from randcrowns.ui.pages.base import Page
from randcrowns.ui.project_layers import ProjectLayers
from randcrowns.ui.runner import AlgorithmRun, Cancelled, Failed, Succeeded
from randcrowns.ui.sample import load_sample_plot
from randcrowns.ui.score_delivery import deliver
from randcrowns.ui.score_output import read_results
from randcrowns.ui.score_results import ScoreResults
from randcrowns.ui.score_settings import ALGORITHM, ScoreSettings
from randcrowns.ui.widgets.empty_state import EmptyState
from randcrowns.ui.widgets.results_panel import EXTRA, ResultsPanel
from randcrowns.ui.widgets.run_bar import RunBar
from randcrowns.ui.widgets.score_form import ScoreForm
from randcrowns.ui.words import counted, tr

__all__ = ["ScorePage"]


class ScorePage(Page):
    """Fills in the parameters of the scoring algorithm and shows its results."""

    key = "score"

    def __init__(self, iface: Any, parent: QWidget | None = None) -> None:
        super().__init__(iface, parent)
        self.form = ScoreForm()
        self.run_bar = RunBar()
        self.results = ResultsPanel()
        self.empty = EmptyState(
            tr("There is no polygon layer in this project yet. Add one with the crowns, or try the sample data.")
        )
        self.link = MapLink(iface.mapCanvas(), self)
        self.watch = LayerWatch(self)
        self.run: AlgorithmRun | None = None
        self._next_watch = LayerWatch(self)
        self._asked: ScoreSettings | None = None
        self._project_layers = ProjectLayers(self)
        self._build()
        self._connect()
        self.restore()

    # What the dock asks

    def restore(self) -> None:
        """Take up the choices kept in the project; results of another project are put away."""
        self._put_away()
        self.form.follow_project()
        choices = recall(self.key)
        if choices:
            self.form.show_settings(ScoreSettings.from_choices(choices))
        self._show_ready()

    def keep(self) -> None:
        """Keep the choices in the project."""
        if polygon_layers():
            remember(self.key, self.form.settings().to_choices())

    def leave(self) -> None:
        """Take the drawings off the map."""
        self.link.highlight.clear()
        self.results.crowns.forget_choice()

    def close_down(self) -> None:
        """Stop the run, take back connections and drawings."""
        if self.run is not None:
            self.run.ended.disconnect(self._end)
            self.run.cancel()
            self.run = None
        self._project_layers.close()
        self.form.check.close()
        self.watch.close()
        self._next_watch.close()
        self.link.close()
        self.results.plot.close_window()

    # One run

    def start(self) -> None:
        """Run with the choices made."""
        if self.run is not None or self.form.why_not():
            return
        settings = self._with_canvas(self.form.settings())
        self._asked = settings
        self.keep()
        self.link.highlight.clear()
        self._next_watch = LayerWatch(self)
        selected_in = settings.target if settings.selected_only else ""
        self._next_watch.watch(settings.layer_ids, _fields_that_matter(settings), selected_in)
        self.run_bar.start()
        self.run = AlgorithmRun(ALGORITHM, settings.to_parameters())
        self.run.progressed.connect(self.run_bar.set_progress)
        self.run.ended.connect(self._end)
        self.run.start()

    def cancel(self) -> None:
        """Stop the run; every layer stays as it was."""
        if self.run is not None:
            self.run.cancel()

    def _end(self, outcome: Succeeded | Failed | Cancelled) -> None:
        settings, self.run = self._asked, None
        self.run_bar.stop()
        self._show_ready()
        if not isinstance(outcome, Succeeded):
            self._next_watch.close()
        if isinstance(outcome, Cancelled):
            self.messages.info(tr("Scoring was cancelled; no layer was changed."))
        elif isinstance(outcome, Failed):
            self.messages.error(outcome.message, outcome.log)
        elif settings is not None:
            self._take(outcome, settings)

    def _take(self, outcome: Succeeded, settings: ScoreSettings) -> None:
        try:
            results = read_results(outcome, settings)
            said, made = deliver(outcome, results)
        except RandCrownsError as error:
            self._next_watch.close()
            self.messages.error(str(error), outcome.log)
            return
        self.watch.close()
        self.watch, self._next_watch = self._next_watch, self.watch
        self.watch.changed.connect(self._show_staleness)
        self._show_results(replace(results, made=made))
        notes = str(outcome.outputs.get("REPORT") or "")
        if notes:
            number = counted(len(notes.splitlines()), tr("note"), tr("notes"))
            said += " " + tr("{notes} on the input in the log tab RandCrowns.").format(notes=number)
        self.messages.success(said, notes)

    # Results and the map

    def _show_results(self, results: ScoreResults) -> None:
        first = self.results.isHidden()
        self.results.show_results(results)
        self.results.show()
        if first:
            height = self.splitter.height()
            self.splitter.setSizes([height * 35 // 100, height * 65 // 100])
        self._follow_layer()
        self._show_staleness()

    def _follow_layer(self) -> None:
        scores = self.results.scores()
        if self.results.results is not None and scores is not None:
            self.link.follow(self.results.results, scores)

    def _choose_row(self, row: int) -> None:
        scores = self.results.scores()
        if row < 0 or scores is None:
            self.link.highlight.clear()
            return
        try:
            shown = self.link.show_row(scores.crowns.iloc[row])
        except RandCrownsError as error:
            self.messages.warning(str(error))
            return
        if not shown:
            self.messages.warning(tr("This crown is no longer in its layer."))

    def _select_count(self, key: str) -> None:
        scores = self.results.scores()
        if scores is None or self.results.results is None:
            return
        self.watch.selecting = True
        if key == EXTRA:
            self.link.select(scores.layer_id, list(scores.extra))
        else:
            self.results.crowns.filter.clear()
            self.results.tabs.setCurrentIndex(0)
            self.link.select(self.results.results.settings.target, scores.ids_of(Status(key)))
        self.watch.selecting = False

    def _show_staleness(self) -> None:
        if self.results.results is None or self.results.isHidden():
            return
        why = self.watch.reason
        if not why and _comparable(self.form.settings()) != _comparable(self.results.results.settings):
            why = tr("the choices above changed.")
        self.results.set_stale(why)

    def _put_away(self) -> None:
        self.watch.close()
        self.link.close()
        self.results.results = None
        self.results.hide()

    # The form

    def _form_changed(self) -> None:
        self._show_ready()
        self._show_staleness()

    def _show_ready(self) -> None:
        self.run_bar.set_ready(self.form.what_run_does(), self.form.why_not())
        self.stack.setCurrentWidget(self.splitter if polygon_layers() or self.run else self.empty)

    def _with_canvas(self, settings: ScoreSettings) -> ScoreSettings:
        canvas = self.iface.mapCanvas()
        shown, crs = canvas.extent(), canvas.mapSettings().destinationCrs()
        return replace(
            settings,
            canvas=(shown.xMinimum(), shown.yMinimum(), shown.xMaximum(), shown.yMaximum()),
            canvas_crs=crs.authid() or f"WKT:{crs.toWkt()}",
        )

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

    def _connect(self) -> None:
        self.form.changed.connect(self._form_changed)
        self.run_bar.run_asked.connect(self.start)
        self.run_bar.cancel_asked.connect(self.cancel)
        self.results.row_chosen.connect(self._choose_row)
        self.results.count_clicked.connect(self._select_count)
        self.results.layer_switched.connect(self._follow_layer)
        self.link.selected_on_map.connect(self.results.crowns.select_ids)
        self.empty.sample_asked.connect(lambda: load_sample_plot(self.iface))
        self._project_layers.changed.connect(self.form.follow_project)


def _comparable(settings: ScoreSettings) -> ScoreSettings:
    """The settings without what does not change the scores."""
    return replace(settings, canvas=(0.0, 0.0, 0.0, 0.0), canvas_crs="", destination="", file="")


def _fields_that_matter(settings: ScoreSettings) -> dict[str, str]:
    matter = {layer_id: settings.score_field for layer_id in settings.delineations if settings.score_field}
    if settings.group_field:
        matter[settings.target] = settings.group_field
    return matter
