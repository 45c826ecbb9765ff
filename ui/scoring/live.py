"""Scoring while drawing: the results on page Score follow what is drawn in the layers of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Callable

import pandas as pd
from qgis.core import QgsProcessingContext, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, pyqtSignal

from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import IDTREES, PRESET, TARGETS
from randcrowns.algorithms.scoring.choices import DELINEATIONS, GROUP_FIELD, SCORE_FIELD
from randcrowns.algorithms.scoring.live import LiveRun
from randcrowns.algorithms.scoring.score_crowns import ScoreCrowns
from randcrowns.core.errors import Cancelled, RandCrownsError
from randcrowns.core.progress import Progress
from randcrowns.core.remarks import Remark
from randcrowns.layers.words import reason, tr
from randcrowns.ui.scoring.form import SELECTED_ONLY
from randcrowns.ui.scoring.results import ScoreResults
from randcrowns.ui.services.background import Background
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.layer_watch import Connections, after
from randcrowns.ui.services.messages import Messages

#: Edited crowns that are scored while the window waits; of more, everything is read again in the background.
_MOST_AT_ONCE = 200
_LOOKING = tr("RandCrowns: read crowns to score while drawing")


class LiveScoring(QObject):
    """Follows the edits of a run's layers while it is on; off, it is connected to nothing.

    Args:
        messages: what goes wrong is told there.
        parameters: of the algorithm, with the settings of a run.
    """

    #: Changes of each delineation layer's crowns, in the order of the results, and ids of the features edited in them:
    #: layer id -> ids.
    scored = pyqtSignal(list, dict)
    #: All rows, as they are now.
    read = pyqtSignal(list)
    #: What it does, in a sentence; empty when it is off.
    told = pyqtSignal(str)
    #: It went on or off.
    switched = pyqtSignal(bool)

    def __init__(
        self,
        messages: Messages,
        parameters: Callable[[Any], dict[str, Any]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._messages, self._parameters = messages, parameters
        self._connections = Connections()
        self._results: ScoreResults | None = None
        self._run: LiveRun | None = None
        self._reading: Background | None = None
        self._ids: list[str] = []
        self._edited: dict[str, dict[int, None]] = {}
        self._soon = after(0, self._follow, self)

    @property
    def is_on(self) -> bool:
        """Whether it follows edits, or is about to."""
        return self._results is not None

    @property
    def is_ready(self) -> bool:
        """Whether everything was read, so that edits are scored as they come."""
        return self._run is not None

    @property
    def is_settled(self) -> bool:
        """Whether every edit so far is scored."""
        return self.is_ready and not self._soon.isActive()

    @property
    def followed(self) -> frozenset[str]:
        """Ids of the layers whose edits are followed."""
        return frozenset(self._ids) if self.is_ready else frozenset()

    def rest(self, remarks: Iterable[Remark]) -> tuple[pd.DataFrame, list[Remark]] | None:
        """Summary and remarks of what is there now, as the run's own, which ``remarks`` are; None while not ready."""
        if self._run is None or self._results is None:
            return None
        return self._run.summary(
            [scores.name for scores in self._results.layers]
        ), self._run.remarks(remarks)

    def begin(self, results: ScoreResults) -> None:
        """Follow the layers of these results from now on."""
        self.stop()
        self._results = results
        self._ids = [results.settings[TARGETS], *results.settings[DELINEATIONS]]
        self._connect(results)
        self._read(results)
        self.switched.emit(self.is_on)

    def stop(self, why: str = "") -> None:
        """Follow nothing any more; ``why`` is said."""
        was_on, self._results = self.is_on, None
        self._connections.close()
        self._soon.stop()
        self._run, self._ids, self._edited = None, [], {}
        self._stop_reading()
        if was_on:
            self.told.emit("")
            self.switched.emit(False)
            if why:
                self._messages.warning(why)

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.stop()
            self._reading.deleteLater()
            self._reading = None

    def _connect(self, results: ScoreResults) -> None:
        settings, connect = results.settings, self._connections.connect
        connect(QgsProject.instance(), "layersWillBeRemoved", self._leave)
        connect(QgsProject.instance(), "removeAll", self.stop)
        fields = (settings[GROUP_FIELD], settings[SCORE_FIELD])
        for layer_id in self._ids:
            layer = vector_layer(layer_id)
            if layer is None:
                continue
            edited = partial(self._note, layer_id)
            for signal in ("featureAdded", "featureDeleted", "geometryChanged"):
                connect(layer, signal, edited)
            connect(layer, "attributeValueChanged", partial(self._note_value, layer_id, fields))
            for signal in (
                "subsetStringChanged",
                "crsChanged",
                "dataSourceChanged",
                "afterRollBack",
            ):
                connect(layer, signal, self._read_again)

    def _note(self, layer_id: str, feature: int, *_: object) -> None:
        self._edited.setdefault(layer_id, {})[feature] = None
        if self._run is not None:
            self._soon.start()

    def _note_value(
        self, layer_id: str, fields: Sequence[str], feature: int, field: int, *_: object
    ) -> None:
        """Of the attributes only plots and a detector's scores matter."""
        layer = vector_layer(layer_id)
        if layer is not None and field in {
            layer.fields().lookupField(name) for name in fields if name
        }:
            self._note(layer_id, feature)

    def _leave(self, layer_ids: list[str]) -> None:
        gone = next(
            (
                one
                for one in map(vector_layer, self._ids)
                if one is not None and one.id() in layer_ids
            ),
            None,
        )
        if gone is not None:
            said = (
                "Layer {name} is being removed: crowns are no longer scored while they are drawn."
            )
            self.stop(tr(said, name=gone.name()))

    # Reading everything, in the background

    def _read_again(self, *_: object) -> None:
        """Another filter, system or source: everything is another."""
        if self._results is not None:
            self._run = None
            self._soon.stop()
            self._read(self._results)

    def _read(self, results: ScoreResults) -> None:
        self._stop_reading()
        self._edited = {}
        try:
            algorithm, context = ScoreCrowns(), QgsProcessingContext()
            algorithm.initAlgorithm()
            context.setProject(QgsProject.instance())
            job = algorithm.take(Given(algorithm, self._parameters(results.settings), context))
        except RandCrownsError as error:
            self.stop(reason(error))
            return

        def read(progress: Progress) -> tuple[LiveRun, list[Any]]:
            return (run := LiveRun.begin(job, progress)), run.everything()

        self.told.emit(tr("Reading the layers…"))
        self._reading = Background(_LOOKING, read, self)
        self._reading.ended.connect(self._begin)
        self._reading.progressed.connect(
            lambda percent: self.told.emit(
                tr("Reading the layers… {percent:.0f} %", percent=percent)
            )
        )

    def _begin(self, found: Any) -> None:
        self._reading = None
        if isinstance(found, Exception):
            why = "" if isinstance(found, Cancelled) else str(found)
            self.stop(
                tr("Crowns cannot be scored while they are drawn: {why}", why=why) if why else ""
            )
            return
        self._run, rows = found
        self.told.emit(
            tr("Table, headline and map follow what is drawn; the run's layers stay as they are.")
        )
        self.read.emit(rows)
        if self._edited:
            self._soon.start()

    # Following

    def _follow(self) -> None:
        """Score what was edited since."""
        if self._run is None:
            return
        edited, self._edited = self._edited, {}
        if sum(map(len, edited.values())) > _MOST_AT_ONCE:
            self._read_again()
            return
        layers = {number: vector_layer(layer_id) for number, layer_id in enumerate(self._ids)}
        known = {
            number: (layer, list(edited[layer.id()]))
            for number, layer in layers.items()
            if isinstance(layer, QgsVectorLayer) and layer.id() in edited
        }
        with self._messages.telling():
            try:
                changes = self._run.change(known)
            except Exception:
                self.stop(tr("Crowns are no longer scored while they are drawn."))
                raise
            self.scored.emit(changes, {layer.id(): ids for layer, ids in known.values()})


def why_not_live(results: ScoreResults | None) -> str:
    """Why the crowns of these results cannot be scored while they are drawn; empty where they can."""
    if results is not None and results.settings[PRESET] == IDTREES:
        return tr("The scores of IDTReeS 2020 are of whole plots: run again after drawing.")
    if results is not None and results.settings[SELECTED_ONLY]:
        return tr(
            "Only the crowns selected were scored: run with all of them to have them scored while drawing."
        )
    return ""
