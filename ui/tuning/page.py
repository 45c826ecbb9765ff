"""Page Parameters: which alpha, omega and gamma make the score robust against who drew the target."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from qgis.core import QgsProcessing, QgsProject, QgsVectorLayer
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.algorithms.choices import CORNERS, LENGTHS, OWN
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.tuning.choices import (
    EXTENT,
    GROUP_FIELD,
    IMAGE,
    LOOKS,
    SETS,
    TUNE_CHOICES,
    VARIANCE_CHOICES,
)
from randcrowns.algorithms.tuning.outputs import GALLERY_FILE, TUNE_OUTPUTS, VARIANCE_OUTPUTS
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.styles.crown_view import CrownViewer, DrawnLayer, left_out_view
from randcrowns.layers.words import sentences, tr
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.runner import AlgorithmRun, Failed, Succeeded, WasCancelled
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.running import RunningPage, Watched
from randcrowns.ui.tuning.form import TuningForm, layers_read
from randcrowns.ui.tuning.panel import TuningPanel
from randcrowns.ui.tuning.results import Lengths, add_layers, read_look, read_search
from randcrowns.ui.widgets.map_highlight import MapHighlight

__all__ = ["ParametersPage"]

_VARIANCE = "randcrowns:annotatorvariance"
#: Share of the height that the form takes beside results while a part of it is unfolded, percent.
_UNFOLDED_SHARE = 50


class ParametersPage(RunningPage):
    """Runs the grid search; then, for each set the user goes to, the experiment at that set."""

    key = "parameters"
    algorithm = "randcrowns:tuneparameters"
    form_share = 17

    def __init__(self, iface: Any, parent: QWidget | None = None) -> None:
        empty = tr(
            "There is no polygon layer in this project yet. Add the crowns as several people drew them, or try the "
            "sample data."
        )
        super().__init__(iface, TuningForm(), TuningPanel(), empty, parent)
        self.highlight = MapHighlight(iface.mapCanvas())
        #: The experiment at one set, and the drawing of the gallery, while they are under way.
        self.look_run: AlgorithmRun | None = None
        self.gallery_run: AlgorithmRun | None = None
        #: The galleries that are being saved; what is drawn on screen does not stop them.
        self.saving: list[AlgorithmRun] = []
        self._viewer: CrownViewer | None = None
        self._show_worst = False
        #: Whether what is shown of the set chosen may have been read from layers that were edited since the search.
        self._read_edits = False
        self._folder = tempfile.mkdtemp(prefix="randcrowns_")
        self.form.folded.connect(self._make_room)
        self.results.map.set_chosen.connect(self._go_to_set)
        self.results.map.use_asked.connect(self._use)
        self.results.pair_chosen.connect(self._show_pair)
        self.results.left_out_chosen.connect(self._show_left_out)
        self.results.layers_button.clicked.connect(self._add_layers)
        self.results.gallery_wanted.connect(self._draw_gallery)
        self.results.gallery.save_asked.connect(self._save_gallery)
        self._project_layers.changed.connect(self.results.follow_images)
        self.restore()

    def leave(self) -> None:
        """Take the drawings off the map."""
        self.highlight.clear()
        self.results.forget_choice()

    def close_down(self) -> None:
        """Stop the runs, take back connections and drawings."""
        super().close_down()
        self._stop_looking()
        for run in self.saving:
            run.cancel()
        self.highlight.clear()
        self.results.close_windows()
        shutil.rmtree(self._folder, ignore_errors=True)

    def settings_of(self, choices: dict[str, Any]) -> Settings:
        """The settings that the project kept."""
        return Settings.of(self.form.choices, choices)

    def comparable(self, settings: Settings) -> Settings:
        """The settings without where the layers go."""
        return settings.only(TUNE_CHOICES)

    def parameters(self, settings: Settings) -> dict[str, Any]:
        """Of the grid search."""
        return {**settings.to_parameters(TUNE_CHOICES), **_in_memory(TUNE_OUTPUTS)}

    def watched(self, settings: Settings) -> Watched:
        """The layers read, and their field with the plot."""
        layers, field = layers_read(settings), settings[GROUP_FIELD]
        return layers, dict.fromkeys(layers, (field,)) if field else {}, ""

    def cancelled_words(self) -> str:
        """What is said after a run was cancelled."""
        return tr("The search was cancelled; no layer was changed.")

    def start(self) -> None:
        """Run with the choices made."""
        if self.run is None and not self.form.why_not():
            self._stop_looking()
            self.highlight.clear()
        super().start()

    def take(self, outcome: Succeeded, settings: Settings) -> str:
        """Show the grid; the crowns at the best set follow."""
        search = read_search(outcome, settings)
        self.results.show_search(search)
        if self.results.isHidden():
            self.form.fold()
        self.results.gallery.follow_project()
        self._viewer = None
        if search.best is not None:
            self._look_at(search.best)
        self._read_edits = False
        return search.finding

    def show_staleness(self, *_: object) -> None:
        """Mark the results as old; once edits are taken back, what was read of them is read again."""
        super().show_staleness()
        if self.watch.reason:
            self._read_edits |= self.look_run is not None or self.gallery_run is not None
        elif self._read_edits and self.results.map.chosen is not None:
            self._look_at(self.results.map.chosen)

    def put_away(self) -> None:
        """Forget the results and what they drew."""
        self._stop_looking()
        self.highlight.clear()
        self.results.search = self.results.look = None
        self._viewer = None

    def _make_room(self) -> None:
        """The form takes the room it needs when a part of it is unfolded, and gives it back."""
        if not self.results.isHidden():
            share, height = self.form_share if self.form.is_folded else _UNFOLDED_SHARE, self.splitter.height()
            self.splitter.setSizes([height * share // 100, height * (100 - share) // 100])

    # The crowns at one set

    def _go_to_set(self, alpha: float, omega: float, gamma: float) -> None:
        self._show_worst = True
        self._look_at((alpha, omega, gamma))

    def _look_at(self, lengths: Lengths) -> None:
        if self.results.search is None:
            return
        self._stop_looking()
        self._read_edits = bool(self.watch.reason)
        self.results.look = None
        self.highlight.clear()
        if any(QgsProject.instance().mapLayer(layer) is None for layer in layers_read(self.results.search.settings)):
            self.results.show_waiting(tr("A layer that was read is no longer in the project; search again."))
            return
        self.results.show_waiting(tr("Scoring the crowns…"))
        settings = _at(self.results.search.settings, lengths)
        wanted = {**settings.to_parameters(VARIANCE_CHOICES), **_in_memory(VARIANCE_OUTPUTS)}
        run = AlgorithmRun(_VARIANCE, wanted)
        run.ended.connect(lambda outcome: self._take_look(run, outcome, lengths))
        self.look_run = run
        run.start()

    def _take_look(self, run: AlgorithmRun, outcome: Succeeded | Failed | WasCancelled, lengths: Lengths) -> None:
        if run is not self.look_run:
            return
        self.look_run = None
        if isinstance(outcome, Failed):
            self.results.show_waiting(outcome.message)
            self.messages.error(outcome.message, outcome.log)
        if isinstance(outcome, Succeeded):
            with self.messages.telling(outcome.log):
                self._show_look(outcome, lengths)

    def _show_look(self, outcome: Succeeded, lengths: Lengths) -> None:
        look = read_look(outcome, lengths)
        try:
            self._viewer = self._viewer_of(look.targets_layer, lengths)
        except RandCrownsError as error:
            self.messages.warning(str(error))
            self._viewer = None
        self.results.show_look(look)
        if self._show_worst and len(look.looks):
            self.results.looks.view.choose_frame_row(0)
        self._show_worst = False

    def _viewer_of(self, targets: QgsVectorLayer, lengths: Lengths) -> CrownViewer:
        settings: Settings = self.results.search.settings
        area = settings[EXTENT]
        parameters = RandCrownsParameters(*lengths, offsets=settings[CORNERS])
        return CrownViewer.of(targets, parameters, area.rectangle, vector_layer(area.layer))

    def _show_pair(self, pair: int) -> None:
        look = self.results.look
        if pair < 0 or look is None or self._viewer is None:
            self.highlight.clear()
            return
        target, drawn = look.features_of(pair)
        crs = self.iface.mapCanvas().mapSettings().destinationCrs()
        with self.messages.telling():
            view = self._viewer.view(look.targets_layer, target, look.drawings_layer, drawn, crs)
            if view is not None:
                self.highlight.show_view(view)

    def _show_left_out(self, row: int) -> None:
        look = self.results.look
        if row < 0 or look is None:
            self.highlight.clear()
            return
        features = [feature.id() for feature in look.left_out_layer.getFeatures()]
        left_out = DrawnLayer(look.left_out_layer, "annotator", "crown_id")
        others = (
            left_out,
            DrawnLayer(look.targets_layer, "target_annotator", "target_id"),
            DrawnLayer(look.drawings_layer, "delineation_annotator", "delineation_id"),
        )
        crs = self.iface.mapCanvas().mapSettings().destinationCrs()
        with self.messages.telling():
            found = left_out_view(left_out, features[row], others, crs)
            if found is not None:
                self.highlight.show_view(found.view)
                self.results.tell_left_out(row, found.candidates)

    def _add_layers(self) -> None:
        if self.results.look is None:
            return
        with self.messages.telling():
            self.messages.success(add_layers(self.results.look, self.form.kept_in.path()))

    def _use(self, alpha: float, omega: float, gamma: float) -> None:
        """Hand the set over to page Score, with what it was found with where that was chosen."""
        settings = _at(self.results.search.settings, (alpha, omega, gamma))
        found = [SETS, *LENGTHS, CORNERS]
        found += [GROUP_FIELD] if settings[GROUP_FIELD] else []
        found += [EXTENT] if settings[EXTENT].kind != "none" else []
        self.page_asked.emit("score", settings.only(found).to_kept())

    # The gallery

    def _draw_gallery(self) -> None:
        path = str(Path(self._folder) / "gallery.png")
        run = self._gallery_at(path)
        if run is None:
            return
        if self.gallery_run is not None:
            self.gallery_run.cancel()
        self._read_edits |= bool(self.watch.reason)
        self.results.gallery.show_busy()
        self.gallery_run = run
        run.ended.connect(lambda outcome: self._take_gallery(run, outcome, path))
        run.start()

    def _take_gallery(self, run: AlgorithmRun, outcome: Succeeded | Failed | WasCancelled, path: str) -> None:
        if run is not self.gallery_run:
            return
        self.gallery_run = None
        if isinstance(outcome, Succeeded):
            self.results.gallery.show_picture(path)
            for sentence in sentences(outcome.said("gallery")):
                self.messages.warning(sentence)
        elif isinstance(outcome, Failed):
            self.results.gallery.show_problem(outcome.message)
            self.messages.error(outcome.message, outcome.log)

    def _save_gallery(self, path: str) -> None:
        run = self._gallery_at(path)
        if run is None:
            self.messages.warning(tr("There is no gallery to save yet: choose a set of parameters first."))
            return
        self.saving.append(run)
        run.ended.connect(lambda outcome: self._tell_saved(run, outcome, path))
        run.start()

    def _tell_saved(self, run: AlgorithmRun, outcome: Succeeded | Failed | WasCancelled, path: str) -> None:
        self.saving.remove(run)
        if isinstance(outcome, Succeeded):
            self.messages.success(tr("Gallery saved as {file}.").format(file=path))
        elif isinstance(outcome, Failed):
            self.messages.error(outcome.message, outcome.log)

    def _gallery_at(self, path: str) -> AlgorithmRun | None:
        """A run that makes the gallery of the set shown; None where no set is."""
        look, search, sheet = self.results.look, self.results.search, self.results.gallery
        if look is None or search is None:
            return None
        shown = {LOOKS: sheet.number.value(), IMAGE: sheet.image_id()}
        settings = _at(search.settings, look.lengths).replaced(shown)
        return AlgorithmRun(_VARIANCE, {**settings.to_parameters(VARIANCE_CHOICES), GALLERY_FILE.id: path})

    def _stop_looking(self) -> None:
        for run in (self.look_run, self.gallery_run):
            if run is not None:
                run.cancel()
        self.look_run = self.gallery_run = None


def _at(settings: Settings, lengths: Lengths) -> Settings:
    """The settings with one set of parameters."""
    return settings.replaced({SETS: OWN, **dict(zip(LENGTHS, lengths))})


def _in_memory(outputs: Iterable[Output]) -> dict[str, str]:
    """All layers and tables among the outputs, in memory."""
    return {output.id: str(QgsProcessing.TEMPORARY_OUTPUT) for output in outputs if output.kind != "picture"}
