"""Page Score: pick a target and delineations, run, read the scores beside the map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProject

from randcrowns.algorithms.choices import IMAGE_EXTENT, TARGETS
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.scoring.choices import DELINEATIONS, GROUP_FIELD, SCORE_CHOICES, SCORE_FIELD
from randcrowns.algorithms.scoring.outputs import SCORE_OUTPUTS, SCORED_DELINEATIONS, SCORED_TARGETS, SUMMARY
from randcrowns.core.status import Status
from randcrowns.layers.words import tr
from randcrowns.ui.scoring.form import DESTINATION, FIELDS, SELECTED_ONLY, ScoreForm
from randcrowns.ui.scoring.map import ScoreLink
from randcrowns.ui.scoring.panel import UNMATCHED_DELINEATIONS, ScorePanel
from randcrowns.ui.scoring.results import ScoreResults, deliver, show_on_map
from randcrowns.ui.services.result_file import in_memory
from randcrowns.ui.services.runner import Succeeded
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.running import RunningPage, Watched


class ScorePage(RunningPage[ScoreForm, ScorePanel]):
    """Fills in the parameters of the scoring algorithm and shows its results."""

    key = "score"
    algorithm = "randcrowns:scorecrowns"
    choices, outputs = SCORE_CHOICES, SCORE_OUTPUTS
    cancelled = tr("Scoring was cancelled; no layer was changed.")

    def __init__(self, iface: Any) -> None:
        empty = tr("There is no polygon layer in this project yet. Add one with the crowns, or try the sample data.")
        super().__init__(iface, ScoreForm(), ScorePanel(), empty)
        self.link = ScoreLink(iface.mapCanvas(), self)
        self.highlight = self.link.highlight
        self.results.row_chosen.connect(self._choose_row)
        self.results.count_clicked.connect(self._select_count)
        self.results.layer_switched.connect(self._follow_layer)
        self.link.selected_on_map.connect(self._follow_selection)
        self.restore()

    # One run

    def ready_settings(self) -> Settings:
        self.messages.clear()
        return super().ready_settings()

    def watched(self, settings: Settings) -> Watched:
        """The layers read, their score and group fields, and the target's selection where it matters."""
        target, group = settings[TARGETS], settings[GROUP_FIELD]
        matter = dict.fromkeys(settings[DELINEATIONS], (settings[SCORE_FIELD], group))
        layers = (target, *settings[DELINEATIONS], *settings[IMAGE_EXTENT].layer_ids)
        return layers, {target: (group,), **matter}, target if settings[SELECTED_ONLY] else ""

    def wanted(self, settings: Settings) -> Sequence[Output]:
        """Lines and regions have no place in the fields of the target layer."""
        return (SCORED_TARGETS, SCORED_DELINEATIONS, SUMMARY) if settings[DESTINATION] == FIELDS else self.outputs

    def parameters(self, settings: Settings) -> dict[str, Any]:
        """Of the algorithm; what goes into fields is made in memory."""
        parameters = super().parameters(settings)
        if settings[DESTINATION] == FIELDS:
            parameters.update(in_memory(self.wanted(settings)))
        if settings[SELECTED_ONLY]:
            parameters[TARGETS.ids[0]] = QgsProcessingFeatureSourceDefinition(settings[TARGETS], True)
        return parameters

    def comparable(self, settings: Settings) -> Settings:
        return settings.only((*SCORE_CHOICES, SELECTED_ONLY))

    def take(self, outcome: Succeeded, settings: Settings) -> str:
        """Put the scores where they go and show them."""
        results = ScoreResults(outcome, settings, self.form.decided(settings, tr("precision, F1, penalised mean")))
        said = deliver(outcome, results)
        self.results.show_results(results)
        if settings[DESTINATION] == FIELDS:  # so that Undo undoes the scores
            self.iface.setActiveLayer(QgsProject.instance().mapLayer(settings[TARGETS]))
        self._follow_layer()
        return said

    def put_away(self) -> None:
        super().put_away()
        self.link.close()

    # Results and the map

    def _follow_layer(self) -> None:
        scores = self.results.scores()
        if self.results.results is not None and scores is not None:
            show_on_map(self.results.results, scores)
            self.link.follow(self.results.results, scores)

    def _follow_selection(self, _table: str, column: str, ids: list[int]) -> None:
        """One crown selected on the map is drawn where it is; several leave nothing drawn."""
        rows = self.results.crowns.select_ids(column, ids)
        row = rows[0] if len(rows) == 1 else -1
        self.results.plot.choose(row)
        self._choose_row(row, move=False)

    def _choose_row(self, row: int, move: bool = True) -> None:
        scores = self.results.scores()
        if row < 0 or scores is None:
            self.highlight.clear()
            return
        with self.messages.telling():
            if not self.link.show_row(scores.crowns.iloc[row], move):
                self.messages.warning(tr("This crown is no longer in its layer."))

    def _select_count(self, key: str) -> None:
        scores = self.results.scores()
        if scores is None or self.results.results is None:
            return
        self.watch.selecting = True
        if key == UNMATCHED_DELINEATIONS:
            self.link.select(scores.layer_id, list(scores.unmatched))
        else:
            self.results.crowns.filter.clear()
            self.results.tabs.setCurrentIndex(0)
            self.link.select(self.results.results.settings[TARGETS], scores.ids_of(Status(key)))
        self.watch.selecting = False
