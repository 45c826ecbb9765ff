"""Page Score: pick a target and delineations, run, read the scores beside the map."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qgis.core import QgsProject
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.core.status import Status
from randcrowns.layers.words import tr
from randcrowns.ui.scoring.form import ScoreForm
from randcrowns.ui.scoring.map import MapLink
from randcrowns.ui.scoring.panel import EXTRA, ResultsPanel
from randcrowns.ui.scoring.results import deliver, read_results, show_on_map
from randcrowns.ui.scoring.settings import ALGORITHM, FIELDS, ScoreSettings
from randcrowns.ui.services.runner import Succeeded
from randcrowns.ui.shell.running import RunningPage, Watched

__all__ = ["ScorePage"]


class ScorePage(RunningPage):
    """Fills in the parameters of the scoring algorithm and shows its results."""

    key = "score"
    algorithm = ALGORITHM

    def __init__(self, iface: Any, parent: QWidget | None = None) -> None:
        empty = tr("There is no polygon layer in this project yet. Add one with the crowns, or try the sample data.")
        super().__init__(iface, ScoreForm(), ResultsPanel(), empty, parent)
        self.link = MapLink(iface.mapCanvas(), self)
        self.results.row_chosen.connect(self._choose_row)
        self.results.count_clicked.connect(self._select_count)
        self.results.layer_switched.connect(self._follow_layer)
        self.link.selected_on_map.connect(self._follow_selection)
        self.restore()

    def leave(self) -> None:
        """Take the drawings off the map."""
        self.link.highlight.clear()
        self.results.crowns.forget_choice()

    def close_down(self) -> None:
        """Stop the run, take back connections and drawings."""
        super().close_down()
        self.link.close()
        self.results.plot.close_window()

    # One run

    def start(self) -> None:
        """Run with the choices made."""
        if self.run is None and not self.form.why_not():
            self.link.highlight.clear()
            self.messages.clear()
        super().start()

    def settings_of(self, choices: dict[str, Any]) -> ScoreSettings:
        """The settings that the project kept."""
        return ScoreSettings.from_choices(choices)

    def watched(self, settings: ScoreSettings) -> Watched:
        """The layers read, their score and group fields, and the target's selection where it matters."""
        selected_in = settings.target if settings.selected_only else ""
        return settings.layer_ids, _fields_that_matter(settings), selected_in

    def ready_settings(self) -> ScoreSettings:
        """The choices, with what the map shows."""
        return self.with_canvas(self.form.settings())

    def comparable(self, settings: ScoreSettings) -> ScoreSettings:
        """The settings without what does not change the scores."""
        return replace(settings, canvas=(0.0, 0.0, 0.0, 0.0), canvas_crs="", destination="", file="")

    def cancelled_words(self) -> str:
        """What is said after a run was cancelled."""
        return tr("Scoring was cancelled; no layer was changed.")

    def take(self, outcome: Succeeded, settings: ScoreSettings) -> str:
        """Put the scores where they go and show them."""
        results = read_results(outcome, settings)
        said, made = deliver(outcome, results)
        self.results.show_results(replace(results, made=made))
        if settings.destination == FIELDS:  # so that Undo undoes the scores
            self.iface.setActiveLayer(QgsProject.instance().mapLayer(settings.target))
        self._follow_layer()
        return said

    def put_away(self) -> None:
        """Forget the results and what they drew."""
        self.link.close()
        self.results.results = None

    # Results and the map

    def _follow_layer(self) -> None:
        scores = self.results.scores()
        if self.results.results is not None and scores is not None:
            show_on_map(self.results.results, scores)
            self.link.follow(self.results.results, scores)

    def _follow_selection(self, column: str, ids: list[int]) -> None:
        """One crown selected on the map is drawn where it is; several leave nothing drawn."""
        rows = self.results.crowns.select_ids(column, ids)
        row = rows[0] if len(rows) == 1 else -1
        self.results.plot.choose(row)
        self._choose_row(row, move=False)

    def _choose_row(self, row: int, move: bool = True) -> None:
        scores = self.results.scores()
        if row < 0 or scores is None:
            self.link.highlight.clear()
            return
        with self.messages.telling():
            if not self.link.show_row(scores.crowns.iloc[row], move):
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


def _fields_that_matter(settings: ScoreSettings) -> dict[str, tuple[str, ...]]:
    matter = dict.fromkeys(settings.delineations, (settings.score_field, settings.group_field))
    return {settings.target: (settings.group_field,), **matter}
