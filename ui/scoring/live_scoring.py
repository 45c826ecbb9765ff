"""Live scoring: the results of a run are updated while crowns are drawn in its layers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Callable

import pandas as pd
from qgis.core import QgsProcessingContext, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, pyqtSignal

from randcrowns.algorithms.common_parameters import IDTREES, PRESET, TARGETS
from randcrowns.algorithms.parameter_types import RunParameters
from randcrowns.algorithms.scoring.live_run import LayerChange, LiveRun
from randcrowns.algorithms.scoring.schema.parameters import (
    CLASSES,
    DELINEATIONS,
    PLOT_FIELD,
    SCORE_FIELD,
)
from randcrowns.algorithms.scoring.score_crowns import ScoreCrowns
from randcrowns.core.errors import Cancelled, RandCrownsError
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import error_message, tr
from randcrowns.ui.scoring.form import SELECTED_ONLY
from randcrowns.ui.scoring.results import ScoreResults
from randcrowns.ui.services.background import BackgroundTask
from randcrowns.ui.services.layer_info import vector_layer
from randcrowns.ui.services.layer_watch import Connections, single_shot_timer
from randcrowns.ui.services.message_bar import MessageBar

#: Maximum number of edited crowns that are scored on the main thread. If more are edited, all
#: layers are read again in the background.
_MAX_EDITED_AT_ONCE = 200
#: Signals of a layer after which single features are scored again.
_EDIT_SIGNALS = ("featureAdded", "featureDeleted", "geometryChanged")
#: Signals of a layer after which all layers are read again.
_RELOAD_SIGNALS = ("subsetStringChanged", "crsChanged", "dataSourceChanged", "afterRollBack")
#: Signal of a layer after which all layers are read again once the edits are saved: some formats,
#: such as shapefiles, renumber the remaining features when deleted ones are removed.
_REMOVED_SIGNAL = "committedFeaturesRemoved"
#: Title of the background task.
_TASK_TITLE = tr("RandCrowns: read crowns to score while drawing")


class LiveScoring(QObject):
    """Scores the edits of a run's layers while it is on.

    While it is off, it is connected to no signal.

    Args:
        messages: Message bar for errors.
        parameters: Returns the Processing parameters of a run for its settings.
        parent: Qt parent.
    """

    #: Emitted after edits were scored: a list with the change of each delineation layer, in the
    #: order of the results, and the ids of the edited features by layer id.
    edits_scored = pyqtSignal(list, dict)
    #: Emitted after all layers were read: a list of changes that contain all rows; an empty list if
    #: the table shows these rows.
    layers_read = pyqtSignal(list)
    #: Emitted with a sentence about the current state; "" when it is off.
    state_changed = pyqtSignal(str)
    #: Emitted with True when it is switched on, with False when it is switched off.
    switched = pyqtSignal(bool)

    def __init__(
        self,
        messages: MessageBar,
        parameters: Callable[[Any], dict[str, Any]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._messages = messages
        self._parameters = parameters
        self._connections = Connections()
        #: Results that are updated; None while it is off.
        self._results: ScoreResults | None = None
        #: Run that scores the edits; None until all layers are read.
        self._run: LiveRun | None = None
        #: Background task that reads the layers; None if there is none.
        self._reading: BackgroundTask | None = None
        #: Ids of the target layer and of the delineation layers, in this order.
        self._layer_ids: list[str] = []
        #: Layer id -> ids of the edited features. They are the keys of a dictionary, because a set
        #: would lose the order of the edits.
        self._edited_features: dict[str, dict[int, None]] = {}
        #: Timer that scores the edits once control returns to the event loop.
        self._scoring_timer = single_shot_timer(0, self._score_edits, self)
        #: Timer that reads all layers again once control returns to the event loop.
        self._reading_timer = single_shot_timer(0, self._read_again, self)

    @property
    def is_on(self) -> bool:
        """True if edits are scored, or will be once the layers are read."""
        return self._results is not None

    @property
    def is_ready(self) -> bool:
        """True if all layers are read, so that edits are scored at once."""
        return self._run is not None

    @property
    def is_settled(self) -> bool:
        """True if all edits so far are scored."""
        return self.is_ready and not self._scoring_timer.isActive()

    @property
    def live_layer_ids(self) -> frozenset[str]:
        """Ids of the layers whose edits are scored."""
        return frozenset(self._layer_ids) if self.is_ready else frozenset()

    def current_summary(
        self, messages: Iterable[Message]
    ) -> tuple[pd.DataFrame, list[Message]] | None:
        """Return the current summary and the current messages.

        Args:
            messages: Messages of the run; those about plots are replaced.

        Returns:
            A table with the columns of the run's summary, and the messages; None if the layers
            are not read yet.
        """
        if self._run is None or self._results is None:
            return None
        layer_names = [scores.name for scores in self._results.layers]
        return self._run.summary(layer_names), self._run.messages(messages)

    def start(self, results: ScoreResults) -> None:
        """Start to score the edits of the layers of these results; stop those of others."""
        self.stop()
        self._results = results
        self._layer_ids = [results.settings[TARGETS], *results.settings[DELINEATIONS]]
        self._connect(results)
        self._read(results)
        self.switched.emit(self.is_on)

    def stop(self, warning: str = "") -> None:
        """Stop scoring edits and disconnect from all signals.

        Args:
            warning: Warning for the message bar if live scoring was on; "" for none.
        """
        was_on = self.is_on
        self._results = None
        self._connections.close()
        self._scoring_timer.stop()
        self._reading_timer.stop()
        self._run = None
        self._layer_ids = []
        self._edited_features = {}
        self._stop_reading()
        if not was_on:
            return
        self.state_changed.emit("")
        self.switched.emit(False)
        if warning:
            self._messages.warning(warning)

    def _stop_reading(self) -> None:
        """Cancel the background task that reads the layers."""
        if self._reading is not None:
            self._reading.stop()
            self._reading.deleteLater()
            self._reading = None

    def _connect(self, results: ScoreResults) -> None:
        """Connect to the signals of the project and of the layers of a run."""
        settings = results.settings
        connect = self._connections.connect
        connect(QgsProject.instance(), "layersWillBeRemoved", self._on_layers_removed)
        connect(QgsProject.instance(), "removeAll", self.stop)
        fields = (settings[PLOT_FIELD], settings[SCORE_FIELD])
        for layer_id in self._layer_ids:
            layer = vector_layer(layer_id)
            if layer is None:
                continue
            for signal in _EDIT_SIGNALS:
                connect(layer, signal, partial(self._on_feature_edited, layer_id))
            on_attribute_edited = partial(self._on_attribute_edited, layer_id, fields)
            connect(layer, "attributeValueChanged", on_attribute_edited)
            for signal in _RELOAD_SIGNALS:
                connect(layer, signal, self._read_again)
            connect(layer, _REMOVED_SIGNAL, self._on_features_removed)

    def _on_feature_edited(self, layer_id: str, feature: int, *_: object) -> None:
        """Record an edited feature, to be scored once the layers are read."""
        features_of_layer = self._edited_features.setdefault(layer_id, {})
        features_of_layer[feature] = None
        if self._run is not None:
            self._scoring_timer.start()

    def _on_attribute_edited(
        self, layer_id: str, fields: Sequence[str], feature: int, field: int, *_: object
    ) -> None:
        """Record a feature if its plot or its detection score was edited.

        Args:
            layer_id: Id of the layer.
            fields: Names of the fields that affect the scores; "" is ignored.
            feature: Id of the feature.
            field: Index of the edited field.
        """
        layer = vector_layer(layer_id)
        if layer is None:
            return
        score_indices = [field_index(layer.fields(), name) for name in fields if name]
        if field in score_indices:
            self._on_feature_edited(layer_id, feature)

    def _on_features_removed(self, *_: object) -> None:
        """Read all layers again once QGIS has saved the other edits of the layer."""
        # Until then, ids may be those before the deletion.
        self._run = None
        self._scoring_timer.stop()
        self._reading_timer.start()

    def _on_layers_removed(self, layer_ids: list[str]) -> None:
        """Stop if a layer of the run is about to be removed from the project."""
        for layer_id in self._layer_ids:
            layer = vector_layer(layer_id)
            if layer is not None and layer_id in layer_ids:
                text = tr(
                    "Layer {name} is being removed. Crowns are no longer scored while you draw.",
                    name=layer.name(),
                )
                self.stop(text)
                return

    # Reading all layers in the background

    def _read_again(self, *_: object) -> None:
        """Read all layers again, since a filter, a CRS or a data source has changed."""
        if self._results is not None:
            self._run = None
            self._scoring_timer.stop()
            self._read(self._results)

    def _read(self, results: ScoreResults) -> None:
        """Start to read and score the layers of a run in the background.

        Live scoring stops with a warning if the parameters of the run are not valid any more.
        """
        self._stop_reading()
        self._edited_features = {}
        try:
            parameters = self._parameters(results.settings)
            algorithm = ScoreCrowns()
            algorithm.initAlgorithm()
            context = QgsProcessingContext()
            context.setProject(QgsProject.instance())
            run_settings = algorithm.read_settings(RunParameters(algorithm, parameters, context))
        except RandCrownsError as error:
            self.stop(error_message(error))
            return

        scored_site = results.scored_site
        is_current = results.has_current_layers()
        shows_edits = results.has_edits

        def read_layers(progress: Progress) -> tuple[LiveRun, list[LayerChange]]:
            """Return the live run, and its rows unless the table shows them already."""
            if scored_site is not None and is_current and scored_site.has_current_files():
                run = LiveRun.from_scored_site(run_settings, scored_site)
                return run, run.all_rows() if shows_edits else []
            run = LiveRun.start(run_settings, progress, scored_site)
            return run, run.all_rows()

        self.state_changed.emit(tr("Reading the layers…"))
        self._reading = BackgroundTask(_TASK_TITLE, read_layers, self)
        self._reading.finished.connect(self._on_read)
        self._reading.progressed.connect(self._show_progress)

    def _show_progress(self, percent: float) -> None:
        """Report the progress of the reading, in percent."""
        self.state_changed.emit(tr("Reading the layers… {percent:.0f} %", percent=percent))

    def _on_read(self, outcome: Any) -> None:
        """Start to score edits once the layers are read; stop if they cannot be read.

        Args:
            outcome: The live run and the changes with all rows, or an exception.
        """
        self._reading = None
        if isinstance(outcome, Cancelled):
            self.stop()
            return
        if isinstance(outcome, Exception):
            reason = str(outcome)
            warning = tr("Crowns cannot be scored while you draw: {why}", why=reason)
            self.stop(warning if reason else "")
            return
        self._run, changes = outcome
        self.state_changed.emit(
            tr(
                "Table, headline and map are updated while you draw. The layers of the run stay "
                "as they are."
            )
        )
        self.layers_read.emit(changes)
        if self._edited_features:
            self._scoring_timer.start()

    # Scoring edits

    def _score_edits(self) -> None:
        """Score the features edited since the last call; read all layers again if these are many.

        Raises:
            Exception: Caught by the message bar, after live scoring was stopped.
        """
        if self._run is None:
            return
        edited_ids = {
            layer_id: list(features) for layer_id, features in self._edited_features.items()
        }
        self._edited_features = {}
        edited_count = sum(len(feature_ids) for feature_ids in edited_ids.values())
        if edited_count > _MAX_EDITED_AT_ONCE:
            self._read_again()
            return
        edited_layers = self._find_edited_layers(edited_ids)
        scored_ids = {layer.id(): feature_ids for layer, feature_ids in edited_layers.values()}
        with self._messages.show_errors():
            try:
                changes = self._run.apply_edits(edited_layers)
            except Exception:
                self.stop(tr("Crowns are no longer scored while you draw."))
                raise
            self.edits_scored.emit(changes, scored_ids)

    def _find_edited_layers(
        self, edited_ids: Mapping[str, list[int]]
    ) -> dict[int, tuple[QgsVectorLayer, list[int]]]:
        """Return the layers of the run that were edited; layers that were removed are omitted.

        Args:
            edited_ids: Id of a layer -> ids of its edited features.

        Returns:
            Position of a layer in the run -> the layer and the ids of its edited features.
        """
        edited_layers = {}
        for position, layer_id in enumerate(self._layer_ids):
            layer = vector_layer(layer_id)
            if layer is not None and layer_id in edited_ids:
                edited_layers[position] = (layer, edited_ids[layer_id])
        return edited_layers


def live_scoring_problem(results: ScoreResults | None) -> str:
    """Return why the crowns of these results cannot be scored while drawing; "" if they can.

    Args:
        results: Results of a run; None for none, which is no reason.
    """
    if results is None:
        return ""
    settings = results.settings
    if settings[PRESET] == IDTREES:
        return tr("The scores of IDTReeS 2020 are of whole plots. Run again after drawing.")
    if settings[SELECTED_ONLY]:
        return tr(
            "Only the selected crowns were scored. Run with all crowns to score while you draw."
        )
    if settings[CLASSES.within]:
        return tr("The crowns were matched within classes. Run again after drawing.")
    return ""
