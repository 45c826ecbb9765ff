"""Page Parameters: which alpha, omega and gamma make the score robust against who drew the target."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qgis.core import QgsProject, QgsVectorLayer

from randcrowns.algorithms.choice import Choice
from randcrowns.algorithms.choices import CORNERS, LENGTHS, OWN
from randcrowns.algorithms.record import RECORD, Record
from randcrowns.algorithms.runs import runs_of
from randcrowns.algorithms.tuning.choices import (
    EXTENT,
    GROUP_FIELD,
    IMAGE,
    LOOKS,
    SETS,
    TUNE_CHOICES,
    VARIANCE_CHOICES,
)
from randcrowns.algorithms.tuning.outputs import (
    BEST_VARIANCE,
    CROWNS,
    DRAWINGS,
    GALLERY_FILE,
    GRID,
    LEFT_OUT,
    RECOMMENDED,
    VARIANCE_OUTPUTS,
)
from randcrowns.algorithms.tuning.showing import PRINTED
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.styles.crown_view import CrownViewer, DrawnLayer, excluded_view
from randcrowns.layers.words import reason, sentences, tr
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.result_file import Failed, Outcome, Succeeded, in_memory
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.printing import ShownRun
from randcrowns.ui.shell.running import RunningPage, Watched
from randcrowns.ui.tuning.form import TuningForm, layers_read
from randcrowns.ui.tuning.panel import TuningPanel
from randcrowns.ui.tuning.results import Lengths, LookResults, SearchResults, add_layers
from randcrowns.ui.widgets.map_highlight import MapHighlight

_VARIANCE = "randcrowns:annotatorvariance"
#: What is made beside the search, of the set of parameters that the user went to.
_LOOK, _GALLERY = "crowns at a set", "gallery"


class ParametersPage(RunningPage[TuningForm, TuningPanel]):
    """Runs the grid search; then, for each set the user goes to, the experiment at that set."""

    key = "parameters"
    algorithm = "randcrowns:tuneparameters"
    choices, outputs = TUNE_CHOICES, (RECOMMENDED, GRID, BEST_VARIANCE)
    needed, on_map = (RECOMMENDED, GRID), False
    printed = PRINTED
    cancelled = tr("The search was cancelled; no layer was changed.")

    def __init__(self, iface: Any) -> None:
        empty = tr(
            "There is no polygon layer in this project yet. Add the crowns as several people drew them, or try the "
            "sample data."
        )
        super().__init__(iface, TuningForm(), TuningPanel(), empty)
        self.highlight = MapHighlight(iface.mapCanvas(), self)
        self._viewer: CrownViewer | None = None
        self._show_worst = False
        #: Whether what is shown of the set chosen may have been read from layers that were edited since the search.
        self._read_edits = False
        self._folder = tempfile.mkdtemp(prefix="randcrowns_")
        self.results.map.set_chosen.connect(self._go_to_set)
        self.results.map.use_asked.connect(self._use)
        self.results.pair_chosen.connect(self._show_pair)
        self.results.excluded_chosen.connect(self._show_excluded)
        self.results.layers_button.clicked.connect(self._add_layers)
        self.results.gallery_wanted.connect(self._draw_gallery)
        self.results.gallery.save_asked.connect(self._save_gallery)
        self.project_layers.changed.connect(self.results.follow_images)
        self.restore()

    def close_down(self) -> None:
        super().close_down()
        shutil.rmtree(self._folder, ignore_errors=True)

    def ready_settings(self) -> Settings:
        """The choices, with what the map shows; what is shown of the last search goes."""
        self.runs.stop(_LOOK, _GALLERY)
        return super().ready_settings()

    def watched(self, settings: Settings) -> Watched:
        layers, field = layers_read(settings), settings[GROUP_FIELD]
        return layers, dict.fromkeys(layers, (field,)) if field else {}, ""

    def take(self, outcome: Succeeded, settings: Settings) -> str:
        """Show the grid; the crowns at the best set follow."""
        search = SearchResults(outcome, settings)
        self.results.show_search(search)
        self.results.gallery.follow_project()
        if search.best is not None:
            self._look_at(search.best)
        self._read_edits = False
        return search.finding

    def show_staleness(self, *_: object) -> None:
        """Mark the results as old; once edits are taken back, what was read of them is read again."""
        super().show_staleness()
        if self.watch.reason:
            self._read_edits |= _LOOK in self.runs.beside or _GALLERY in self.runs.beside
        elif self._read_edits and self.results.map.chosen is not None:
            self._look_at(self.results.map.chosen)

    def put_away(self) -> None:
        self.highlight.clear()
        self.runs.stop(_LOOK, _GALLERY)
        self.results.search = self.results.look = self._viewer = None
        self.results.gallery.image.offer(())

    # The crowns at one set

    def _go_to_set(self, alpha: float, omega: float, gamma: float) -> None:
        self._show_worst = True
        self._look_at((alpha, omega, gamma))

    def _look_at(self, lengths: Lengths) -> None:
        search = self.results.search
        if search is None:
            return
        self.runs.stop(_LOOK, _GALLERY)
        self._read_edits = bool(self.watch.reason)
        self.results.look = None
        self.highlight.clear()
        if any(
            QgsProject.instance().mapLayer(layer) is None for layer in layers_read(search.settings)
        ):
            self.results.show_waiting(
                tr("A layer that was read is no longer in the project; search again.")
            )
            return
        self.results.show_waiting(tr("Scoring the crowns…"))
        wanted = {**_at(search.settings, lengths), **in_memory(VARIANCE_OUTPUTS)}
        self.runs.begin(_VARIANCE, wanted, lambda outcome: self._take_look(outcome, lengths), _LOOK)

    def _take_look(self, outcome: Outcome, lengths: Lengths) -> None:
        if isinstance(outcome, Failed):
            self.results.show_waiting(outcome.message)
        if not isinstance(outcome, Succeeded):
            return
        look = LookResults(outcome, lengths)
        try:
            self._viewer = self._viewer_of(look.layer(CROWNS), lengths)
        except RandCrownsError as error:
            self.messages.warning(reason(error))
            self._viewer = None
        self.results.show_look(look)
        if self._show_worst and len(look.looks):
            self.results.looks.view.choose_frame_row(0)
        self._show_worst = False

    def _viewer_of(self, targets: QgsVectorLayer, lengths: Lengths) -> CrownViewer | None:
        if self.results.search is None:
            return None
        settings = self.results.search.settings
        area, parameters = (
            settings[EXTENT],
            RandCrownsParameters(*lengths, offsets=settings[CORNERS]),
        )
        return CrownViewer.of(targets, parameters, area.rectangle, vector_layer(area.layer))

    def _show_pair(self, pair: int) -> None:
        look = self.results.look
        if pair < 0 or look is None or self._viewer is None:
            self.highlight.clear()
            return
        target, drawn = look.features_of(pair)
        with self.messages.telling():
            view = self._viewer.view(
                look.layer(CROWNS), target, look.layer(DRAWINGS), drawn, self.highlight.map_crs()
            )
            if view is not None:
                self.highlight.show_view(view)

    def _show_excluded(self, row: int) -> None:
        look = self.results.look
        if row < 0 or look is None:
            self.highlight.clear()
            return
        excluded = DrawnLayer(look.layer(LEFT_OUT), "annotator", "crown_id")
        features = [feature.id() for feature in excluded.layer.getFeatures()]
        others = (
            excluded,
            DrawnLayer(look.layer(CROWNS), "target_annotator", "target_id"),
            DrawnLayer(look.layer(DRAWINGS), "delineation_annotator", "delineation_id"),
        )
        with self.messages.telling():
            found = excluded_view(excluded, features[row], others, self.highlight.map_crs())
            if found is not None:
                self.highlight.show_view(found.view)
                self.results.tell_excluded(row, found.candidates)

    def _add_layers(self) -> None:
        if self.results.look is None:
            return
        with self.messages.telling():
            add_layers(self.results.look, self.form.kept_in.path())
            self.messages.success(tr("The layers are in the layer tree."))

    def to_print(self) -> ShownRun | None:
        """The crowns at the set on show, whose layers are added to the project where it does not have them."""
        look = self.results.look
        if look is None:
            return None
        record = Record.from_json(look.outcome.outputs[RECORD.id])
        if not _layers_of(record):
            add_layers(look, self.form.kept_in.path())
        return ShownRun(record, _layers_of(record))

    def _use(self, alpha: float, omega: float, gamma: float) -> None:
        """Hand the set over to page Score, with what it was found with where that was chosen."""
        if self.results.search is None:
            return
        settings = self.results.search.settings
        chosen = [choice for choice in (GROUP_FIELD, EXTENT) if settings[choice] != choice.default]
        found = settings.only([CORNERS, *chosen]).replaced(_set_of((alpha, omega, gamma)))
        self.page_asked.emit("score", found.to_kept())

    # The gallery

    def _draw_gallery(self) -> None:
        path = str(Path(self._folder) / "gallery.png")
        wanted = self._gallery_at(path)
        if not wanted:
            return
        self._read_edits |= bool(self.watch.reason)
        self.results.gallery.show_busy()
        self.runs.begin(
            _VARIANCE, wanted, lambda outcome: self._take_gallery(outcome, path), _GALLERY
        )

    def _take_gallery(self, outcome: Outcome, path: str) -> None:
        if isinstance(outcome, Succeeded):
            self.results.gallery.show_picture(path)
            for sentence in sentences(outcome.said("gallery")):
                self.messages.warning(sentence)
        elif isinstance(outcome, Failed):
            self.results.gallery.forget(outcome.message)

    def _save_gallery(self, path: str) -> None:
        wanted = self._gallery_at(path)
        if not wanted:
            self.messages.warning(
                tr("There is no gallery to save yet: choose a set of parameters first.")
            )
            return
        self.runs.begin(
            _VARIANCE, wanted, lambda outcome: self._tell_saved(outcome, path), f"file {path}"
        )

    def _tell_saved(self, outcome: Outcome, path: str) -> None:
        if isinstance(outcome, Succeeded):
            self.messages.success(tr("Gallery saved as {file}.", file=path))

    def _gallery_at(self, path: str) -> dict[str, Any]:
        """The parameters that make the gallery of the set shown; none where no set is."""
        look, search, sheet = self.results.look, self.results.search, self.results.gallery
        if look is None or search is None:
            return {}
        shown = {LOOKS: sheet.number.value(), IMAGE: sheet.image_id()}
        return {**_at(search.settings.replaced(shown), look.lengths), GALLERY_FILE.id: path}


def _layers_of(record: Record) -> Mapping[str, str]:
    """The layers of a run that the project has, by output."""
    return next(
        (run.layers for run in runs_of(QgsProject.instance()) if run.record.id == record.id), {}
    )


def _set_of(lengths: Lengths) -> dict[Choice[Any], Any]:
    return {SETS: OWN, **dict(zip(LENGTHS, lengths))}


def _at(settings: Settings, lengths: Lengths) -> dict[str, Any]:
    return settings.replaced(_set_of(lengths)).to_parameters(VARIANCE_CHOICES)
