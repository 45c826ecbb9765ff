"""Page Score: pick a target and delineations, run, read the scores beside the map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProject, QgsVectorLayer

from randcrowns.algorithms.catalogue import TARGET_REGIONS
from randcrowns.algorithms.choices import CORNERS, IDTREES, IMAGE_EXTENT, LENGTHS, PRESET, TARGETS
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.runs import Run, runs_in_words, same_targets
from randcrowns.algorithms.scoring.choices import (
    DELINEATIONS,
    GROUP_FIELD,
    SCORE_CHOICES,
    SCORE_FIELD,
)
from randcrowns.algorithms.scoring.outputs import (
    REGIONS,
    SCORE_OUTPUTS,
    SCORED_DELINEATIONS,
    SCORED_TARGETS,
    SUMMARY,
)
from randcrowns.algorithms.scoring.showing import PRINTED
from randcrowns.core.errors import InputError
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.status import Status
from randcrowns.layers.styles.crown_view import CrownView, CrownViewer
from randcrowns.layers.vector.tables import display_names
from randcrowns.layers.words import tr
from randcrowns.ui.scoring.following import Following
from randcrowns.ui.scoring.form import (
    DESTINATION,
    FIELDS,
    MOST_REGIONS,
    NEW_LAYERS,
    SELECTED_ONLY,
    ScoreForm,
)
from randcrowns.ui.scoring.live import LiveScoring, why_not_live
from randcrowns.ui.scoring.panel import LIVE, UNMATCHED_DELINEATIONS, ScorePanel
from randcrowns.ui.scoring.results import LayerScores, ScoreResults, deliver, show_on_map
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.result_file import Succeeded, in_memory
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.printing import ShownRun
from randcrowns.ui.shell.running import RunningPage, Watched
from randcrowns.ui.widgets.map_highlight import MapLink

#: Columns of the crowns -> what they are when two runs are compared.
_COMPARED = {"target_id": "feature_id", "randcrowns": "score", "group": "plot"}


class ScorePage(RunningPage[ScoreForm, ScorePanel]):
    """Fills in the parameters of the scoring algorithm and shows its results."""

    key = "score"
    exported = (TARGETS, DELINEATIONS)
    algorithm = "randcrowns:scorecrowns"
    choices, outputs = SCORE_CHOICES, SCORE_OUTPUTS
    compares = True
    printed = PRINTED
    needed = (SCORED_TARGETS, SCORED_DELINEATIONS, SUMMARY)
    cancelled = tr("Scoring was cancelled; no layer was changed.")

    #: Scores while crowns are drawn.
    live: LiveScoring | None = None

    def __init__(self, iface: Any) -> None:
        empty = tr(
            "There is no polygon layer in this project yet. Add one with the crowns, or try the sample data."
        )
        super().__init__(iface, ScoreForm(), ScorePanel(), empty)
        #: Whether the first results are followed, as the user's options have it.
        self._live_at_first = Settings.of((LIVE,))[LIVE]
        self.link = MapLink(iface.mapCanvas(), self)
        self._viewer: CrownViewer | None = None
        self.highlight = self.link.highlight
        self.results.row_chosen.connect(self._choose_row)
        self.results.count_clicked.connect(self._select_count)
        self.results.layer_switched.connect(self._follow_layer)
        self.results.changes.row_chosen.connect(self._choose_changed)
        self.results.review_asked.connect(self._review)
        self.link.selected_on_map.connect(self._follow_selection)
        self.following = Following(self)
        self.live = self.following.live
        self.restore()

    # One run

    def ready_settings(self) -> Settings:
        self.messages.clear()
        return super().ready_settings()

    def watched(self, settings: Settings) -> Watched:
        target, group = settings[TARGETS], settings[GROUP_FIELD]
        matter = dict.fromkeys(settings[DELINEATIONS], (settings[SCORE_FIELD], group))
        layers = (target, *settings[DELINEATIONS], *settings[IMAGE_EXTENT].layer_ids)
        return layers, {target: (group,), **matter}, target if settings[SELECTED_ONLY] else ""

    def wanted(self, settings: Settings) -> Sequence[Output]:
        """Lines and regions have no place in the fields of the target layer; those of many targets are left out."""
        if settings[DESTINATION] == FIELDS:
            return (SCORED_TARGETS, SCORED_DELINEATIONS, SUMMARY)
        layer = vector_layer(settings[TARGETS]) or QgsVectorLayer()
        count = layer.selectedFeatureCount() if settings[SELECTED_ONLY] else layer.featureCount()
        return [output for output in self.outputs if output is not REGIONS or count <= MOST_REGIONS]

    def parameters(self, settings: Settings) -> dict[str, Any]:
        """Of the algorithm; what goes into fields is made in memory."""
        parameters = super().parameters(settings)
        if settings[DESTINATION] == FIELDS:
            parameters.update(in_memory(self.wanted(settings)))
        if settings[SELECTED_ONLY]:
            parameters[TARGETS.ids[0]] = QgsProcessingFeatureSourceDefinition(
                settings[TARGETS], True
            )
        return parameters

    def comparable(self, settings: Settings) -> Settings:
        return settings.only((*SCORE_CHOICES, SELECTED_ONLY))

    def settings_of_run(self, run: Run, settings: Settings) -> Settings:
        selected = isinstance(run.record.parameters.get(TARGETS.ids[0]), dict)
        return settings.replaced(
            {DESTINATION: FIELDS if run.in_fields else NEW_LAYERS, SELECTED_ONLY: selected}
        )

    def reading(self, outcome: Succeeded, settings: Settings) -> Callable[[], Any]:
        sources, names = outcome.sources(), display_names(vector_layer(settings[TARGETS]))
        return lambda: ScoreResults(sources, settings, names())

    def take(self, outcome: Succeeded, settings: Settings) -> str:
        results: ScoreResults = outcome.read
        results.decided = self.form.decided_by(settings)
        large = len(results.layers[0].crowns) > MOST_REGIONS and settings[DESTINATION] == NEW_LAYERS
        if large and REGIONS.id not in outcome.layers:
            made_by = TARGET_REGIONS.label
            results.decided += (
                tr(
                    "layer Regions left out, as it is large; the toolbox has '{name}'", name=made_by
                ),
            )
        said = deliver(outcome, results)
        self.results.show_results(results)
        if settings[DESTINATION] == FIELDS and outcome.added:  # so that Undo undoes the scores
            self.iface.setActiveLayer(QgsProject.instance().mapLayer(settings[TARGETS]))
        self._follow_layer()
        self.results.allow_live(why_not_live(results))
        if self.live is not None and (self.live.is_on or self._live_at_first):
            self.following.switch(self.results.live_switch.isEnabled())
        self._live_at_first = False
        return said

    def compare(self, before: Run, after: Run, read: Sequence[ScoreResults]) -> None:
        """By RandCrowns of the delineation layer on show; by the only one of a run that has no other."""
        same_targets(before, after, TARGETS)
        scores = self.results.scores()
        name = "" if scores is None else scores.name
        tables = [
            _scores_of(*side, name).rename(columns=_COMPARED) for side in zip((before, after), read)
        ]
        words = runs_in_words(before, after)
        self.results.changes.compare(tables, SCORE_NAMES["randcrowns"], words, read[1].names)

    def to_print(self) -> ShownRun | None:
        """The layer of scores on show; what went into fields is in the target layer."""
        shown, results, scores = super().to_print(), self.results.results, self.results.scores()
        if shown is None or results is None or scores is None:
            return None
        return ShownRun(
            shown.record,
            {SCORED_TARGETS.id: results.settings[TARGETS], **results.made},
            scores.name,
        )

    def put_away(self) -> None:
        if self.live is not None:
            self.live.stop()
        super().put_away()
        self.link.close()
        self._viewer = None

    def show_staleness(self, *_: object) -> None:
        if self.live is not None:
            self.watch.followed = self.live.followed
        super().show_staleness()

    # Results and the map

    def _follow_layer(self) -> None:
        """Link the delineation layer on show with the map: the layers that were read, and those made from them."""
        results, scores = self.results.results, self.results.scores()
        if results is None or scores is None:
            return
        show_on_map(results, scores)
        self.link.close()
        self._viewer = None
        id_field, name = results.id_field, scores.name

        def targets(layer: QgsVectorLayer) -> list[int]:
            return [int(crown[id_field]) for crown in layer.selectedFeatures()]

        def delineations(layer: QgsVectorLayer) -> list[int]:
            return [
                int(crown["delineation_id"])
                for crown in layer.selectedFeatures()
                if crown["layer"] == name
            ]

        self.link.tell_selection(results.settings[TARGETS], "", "target_id")
        self.link.tell_selection(scores.layer_id, "", "delineation_id")
        self.link.tell_selection(results.made.get(SCORED_TARGETS.id, ""), "", "target_id", targets)
        self.link.tell_selection(
            results.made.get(SCORED_DELINEATIONS.id, ""), "", "delineation_id", delineations
        )

    def _follow_selection(self, _table: str, column: str, ids: list[int]) -> None:
        """One crown selected on the map is drawn where it is; several leave nothing drawn."""
        rows = self.results.crowns.select_ids(column, ids)
        row = rows[0] if len(rows) == 1 else -1
        self.results.plot.choose(row)
        self.results.changes.select_crowns(ids if column == "target_id" else [])
        self._choose_row(row, move=False)

    def _choose_row(self, row: int, move: bool = True) -> None:
        scores = self.results.scores()
        self._show_crown(None if row < 0 or scores is None else scores.crowns.iloc[row], move)

    def _choose_changed(self, row: int) -> None:
        """A crown of the comparison; where only the other run has it, the target alone."""
        scores = self.results.scores()
        crown: Any = (
            None if row < 0 or scores is None else {"target_id": self.results.changes.crown(row)}
        )
        if crown is not None and scores is not None:
            found = scores.crowns[scores.crowns["target_id"] == crown["target_id"]]
            crown = found.iloc[0] if len(found) else {**crown, "delineation_id": None}
        self._show_crown(crown)

    def _show_crown(self, crown: Any, move: bool = True) -> None:
        self.highlight.clear()
        results, scores = self.results.results, self.results.scores()
        if crown is None or results is None or scores is None:
            return
        with self.messages.telling():
            view = self.view(results.settings, scores, crown)
            if view is None:
                self.messages.warning(tr("This crown is no longer in its layer."))
            else:
                self.highlight.show_view(view, move)

    def view(self, settings: Settings, scores: LayerScores, row: pd.Series) -> CrownView | None:
        """The crown of this row, with the regions that were scored; None when its layer or it is gone."""
        target = vector_layer(settings[TARGETS])
        if target is None:
            return None
        self._viewer = self._viewer or _viewer(settings, target)
        match = None if pd.isna(row["delineation_id"]) else int(row["delineation_id"])
        drawn, crs = vector_layer(scores.layer_id), self.highlight.map_crs()
        return self._viewer.view(target, int(row["target_id"]), drawn, match, crs)

    def _review(self) -> None:
        """Go to page Review with the crowns on show; the row chosen is at hand."""
        results, scores = self.results.results, self.results.scores()
        if results is None or scores is None:
            return
        layer = results.made.get(SCORED_TARGETS.id, "") or results.settings[TARGETS]
        if vector_layer(layer) is None:
            self.messages.warning(tr("The layer with these scores was removed: run again."))
            return
        rows = self.results.crowns.view.selected_rows()
        crown = (
            {"crown": int(scores.crowns["target_id"].iloc[self.results.rows.frame_row(rows[0])])}
            if rows
            else {}
        )
        self.page_asked.emit("review", {"layer": layer, "delineations": scores.name, **crown})

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


def _scores_of(run: Run, read: ScoreResults, name: str) -> pd.DataFrame:
    layers = {scores.name: scores.crowns for scores in read.layers}
    if name not in layers and len(layers) > 1:
        said = "The run '{run}' has no delineation layer '{name}'; show one that both runs have."
        raise InputError(said, run=run.title, name=name)
    return layers.get(name, read.layers[0].crowns)


def _viewer(settings: Settings, target: QgsVectorLayer) -> CrownViewer:
    """Draws with what was scored; the competition's preset has no such regions."""
    extent, parameters = settings[IMAGE_EXTENT], None
    if settings[PRESET] != IDTREES:
        alpha, omega, gamma = (settings[length] for length in LENGTHS)
        parameters = RandCrownsParameters(alpha, omega, gamma, settings[CORNERS])
    plots = next(map(vector_layer, extent.layer_ids), None)
    return CrownViewer.of(target, parameters, extent.rectangle, plots)
