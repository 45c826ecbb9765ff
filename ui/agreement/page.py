"""Page Annotators: how far people agree, where they do not, and what to train on."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QSignalBlocker
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.algorithms.agreement.choices import (
    ANNOTATOR_FIELD,
    ANNOTATORS,
    COMPARE_CHOICES,
    CONSENSUS_CHOICES,
    IMAGE,
    LEAVE_ONE_OUT,
    LEFT_OUT,
    METHOD,
    RESOLUTION,
    STUDY_AREA,
)
from randcrowns.algorithms.agreement.outputs import (
    AGREEMENT,
    AGREEMENT_RASTER,
    ANNOTATOR_COLOURS,
    COMPARE_OUTPUTS,
    CONSENSUS,
    CONSENSUS_OUTPUTS,
    DISAGREEMENTS,
    IMAGE_TABLE,
    PRIORS,
    PROBABILITY,
)
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.words import counted, tr
from randcrowns.ui.agreement.form import RASTER, AnnotatorForm, has_pixels
from randcrowns.ui.agreement.map import AnnotatorHighlight
from randcrowns.ui.agreement.panel import LIMIT, AnnotatorPanel
from randcrowns.ui.agreement.results import notes_of, read_annotator_results
from randcrowns.ui.services.memory import remember
from randcrowns.ui.services.result_file import places_of
from randcrowns.ui.services.result_layers import add_result_layers
from randcrowns.ui.services.runner import AlgorithmRun, Failed, Succeeded
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.running import RunningPage, Watched
from randcrowns.ui.widgets.colours import annotator_colours
from randcrowns.ui.widgets.kept_in import FILE

__all__ = ["AnnotatorsPage"]

#: Share of the height that the form takes beside results while a part of it is unfolded, percent.
_UNFOLDED_SHARE = 50


class AnnotatorsPage(RunningPage):
    """Fills in the parameters of the two algorithms on annotators and shows their results."""

    key = "annotators"
    algorithm = "randcrowns:compareannotators"
    form_share = 18

    def __init__(self, iface: Any, parent: QWidget | None = None) -> None:
        empty = tr(
            "There is no polygon layer in this project yet. Add what several people drew of the same place, one layer "
            "per person, or try the sample data."
        )
        super().__init__(iface, AnnotatorForm(), AnnotatorPanel(), empty, parent)
        self.highlight = AnnotatorHighlight(iface.mapCanvas())
        self.consensus_run: AlgorithmRun | None = None
        self._compared = Settings({})
        self.results.pair_chosen.connect(self._show_pair)
        self.results.annotator_chosen.connect(self._show_annotator)
        self.results.place_chosen.connect(self._show_place)
        self.results.left.connect(self.highlight.clear)
        self.form.folded.connect(self._make_room)
        self.results.consensus.asked.connect(self.make_consensus)
        self.results.limit.valueChanged.connect(self.keep)
        self.results.consensus.changed.connect(self.keep)
        self._project.connect(QgsProject.instance(), "crsChanged", self.form.follow_project)
        self.restore()

    # What the dock asks

    def restore(self) -> None:
        """Take up the choices kept in the project, those beside the results too."""
        super().restore()
        self.highlight.clear()

    def keep(self, *_: object) -> None:
        """Keep the choices in the project."""
        if self.form.annotators.topLevelItemCount():
            remember(self.key, self._all_settings().to_kept())

    def leave(self) -> None:
        """Take the drawings off the map."""
        self.results.forget_row()
        self.highlight.clear()

    def close_down(self) -> None:
        """Stop what runs, take back connections and drawings."""
        if self.run is not None:
            self.run.ended.disconnect(self._compared_once)
        super().close_down()
        if self.consensus_run is not None:
            self.consensus_run.ended.disconnect(self._end_consensus)
            self.consensus_run.cancel()
            self.consensus_run = None
        self.highlight.clear()
        self.results.close_windows()

    # The comparison

    def settings_of(self, choices: dict[str, Any]) -> Settings:
        """The settings that the project kept; those beside the results are shown at once."""
        settings = Settings.of((*self.form.choices, *self.results.consensus.choices, LIMIT), choices)
        with QSignalBlocker(self.results.limit), QSignalBlocker(self.results.consensus):
            self.results.limit.setValue(settings[LIMIT])
            self.results.consensus.show_settings(settings)
        return settings

    def ready_settings(self) -> Settings:
        """The choices, with what the map shows."""
        self.highlight.clear()
        return self.with_canvas(self._all_settings())

    def comparable(self, settings: Settings) -> Settings:
        """The settings without what is chosen beside the results."""
        return settings.only((*COMPARE_CHOICES, RASTER))

    def parameters(self, settings: Settings) -> dict[str, Any]:
        """Of the comparison; correlations and raster where there is what they need."""
        without = set() if settings[IMAGE] else {IMAGE_TABLE}
        if not (settings[RASTER] and has_pixels(settings)):
            without.add(AGREEMENT_RASTER)
        wanted = [output for output in COMPARE_OUTPUTS if output not in without]
        return {**settings.to_parameters(COMPARE_CHOICES), **places_of(wanted, settings[FILE])}

    def watched(self, settings: Settings) -> Watched:
        """The layers read, and the field that names the annotator."""
        field, annotators = settings[ANNOTATOR_FIELD], settings[ANNOTATORS]
        areas = (*settings[STUDY_AREA].layer_ids, *filter(None, (settings[LEFT_OUT],)))
        return (*annotators, *areas), dict.fromkeys(annotators, (field,)) if field else {}, ""

    def take(self, outcome: Succeeded, settings: Settings) -> str:
        """Add the layers to the project and show the tables."""
        title, made = add_result_layers(outcome, COMPARE_OUTPUTS, tr("annotators"))
        self._compared = settings
        results = read_annotator_results(outcome, made)
        self.results.show_results(results)
        if self.results.isHidden():
            self.form.fold()
        self.results.consensus.set_compared(len(results.names), settings[RESOLUTION])
        people = counted(len(results.names), tr("annotator"), tr("annotators"))
        return tr("Compared {people}; the layers are in group '{group}'.").format(people=people, group=title)

    def _make_room(self) -> None:
        """The form takes the room it needs when a part of it is unfolded, and gives it back."""
        if not self.results.isHidden():
            share, height = self.form_share if self.form.is_folded else _UNFOLDED_SHARE, self.splitter.height()
            self.splitter.setSizes([height * share // 100, height * (100 - share) // 100])

    def put_away(self) -> None:
        """Forget the results."""
        self.results.results = None

    # A consensus

    def make_consensus(self) -> None:
        """Make it from the layers that were compared, in the same study area."""
        nothing = self.results.results is None or self.results.is_stale
        if self.run is not None or self.consensus_run is not None or nothing:
            return
        self.keep()
        settings = self._compared.replaced(self.results.consensus.settings())
        settings = settings.replaced({FILE: self.form.kept_in.path()})
        self.results.consensus.set_busy(True)
        self.results.consensus.say("")
        self.run_bar.start()
        self.consensus_run = AlgorithmRun("randcrowns:consensus", _consensus_parameters(settings))
        self.consensus_run.progressed.connect(self.run_bar.set_progress)
        self.consensus_run.ended.connect(self._end_consensus)
        self.consensus_run.start()

    def cancel(self) -> None:
        """Stop what runs; every layer stays as it was."""
        super().cancel()
        if self.consensus_run is not None:
            self.consensus_run.cancel()

    def start(self) -> None:
        """Compare, unless a consensus is being made."""
        if self.consensus_run is not None:
            return
        super().start()
        if self.run is not None:
            self.results.consensus.set_busy(True)
            self.run.ended.connect(self._compared_once)

    def _compared_once(self, *_: object) -> None:
        self.results.consensus.set_busy(False)

    def _end_consensus(self, outcome: Any) -> None:
        self.consensus_run = None
        self.run_bar.stop()
        self.results.consensus.set_busy(False)
        if isinstance(outcome, Failed):
            self.messages.error(outcome.message, outcome.log)
        elif isinstance(outcome, Succeeded):
            with self.messages.telling(outcome.log):
                self._show_consensus(outcome)
        else:
            self.messages.info(self.cancelled_words())

    def _show_consensus(self, outcome: Succeeded) -> None:
        if PRIORS.id in outcome.layers:
            self.results.show_priors(table_of(outcome.layers[PRIORS.id]), float(outcome.outputs["PRIOR_USED"]))
        what = tr("consensus: {method}").format(method=outcome.outputs["TITLE"])
        names = [] if self.results.results is None else self.results.results.names
        called = {CONSENSUS: tr("Consensus: {method}").format(method=outcome.outputs["TITLE"])}
        others = {ANNOTATOR_COLOURS: annotator_colours(names)}
        title, _ = add_result_layers(outcome, CONSENSUS_OUTPUTS, what, others, called)
        how = str(outcome.outputs["METHOD_USED"])
        made = _made_sentence(outcome)
        notes = [tr(note.value) for note in notes_of(outcome) if note not in self.results.said_above]
        self.results.consensus.say("\n".join([made, *notes]), how)
        where = tr("The layers are in group '{group}'.").format(group=title)
        self.messages.success(f"{made} {where}", str(outcome.outputs.get("REPORT") or ""))

    # The map

    def _show_pair(self, first: int, second: int) -> None:
        results = self.results.results
        if results is None:
            return
        colours = annotator_colours(results.names)
        pair = colours[results.names[first]], colours[results.names[second]]
        layer_id = results.made.get(AGREEMENT.id, "")
        with self.messages.telling():
            if not self.highlight.show_pair(layer_id, first, second, pair):
                self._warn_of_nothing(layer_id, tr("Neither of the two marked anything there."))

    def _show_annotator(self, row: int) -> None:
        results = self.results.results
        if results is None:
            return
        name, layer_id = results.names[row], results.made.get(AGREEMENT.id, "")
        colour, of_others = annotator_colours([name])[name], self._compared[LEAVE_ONE_OUT] and len(results.names) > 1
        with self.messages.telling():
            if not self.highlight.show_against_consensus(layer_id, row, colour, of_others):
                nothing = tr("{name} marked nothing there, and the consensus is empty.")
                self._warn_of_nothing(layer_id, nothing.format(name=name))

    def _warn_of_nothing(self, layer_id: str, why: str) -> None:
        gone = QgsProject.instance().mapLayer(layer_id) is None
        self.messages.warning(tr("The agreement map is no longer in the project; run again.") if gone else why)

    def _show_place(self, rank: int) -> None:
        results = self.results.results
        if results is None:
            return
        with self.messages.telling():
            if not self.highlight.show_place(results.made.get(DISAGREEMENTS.id, ""), rank):
                self.messages.warning(tr("The layer of disagreements is no longer in the project; run again."))

    def _all_settings(self) -> Settings:
        """What is chosen in the form and beside the results."""
        beside = self.results.consensus.settings().replaced({LIMIT: self.results.limit.value()})
        return self.form.settings().replaced(beside)


def _consensus_parameters(settings: Settings) -> dict[str, Any]:
    """In the study area of the comparison; a raster of probabilities where there are pixels to hold them."""
    raster = settings[METHOD] == "staple" and settings[RESOLUTION] > 0
    wanted = [output for output in CONSENSUS_OUTPUTS if output is not PROBABILITY or raster]
    parameters = settings.to_parameters(CONSENSUS_CHOICES)
    if settings[IMAGE] and settings[STUDY_AREA].kind == "none":
        parameters[STUDY_AREA.ids[0]] = settings[IMAGE]
    return {**parameters, **places_of(wanted, settings[FILE])}


def _made_sentence(outcome: Succeeded) -> str:
    """Which consensus was made, and how much it marks."""
    method, area = outcome.outputs["TITLE"], float(outcome.outputs["MARKED"])
    beyond = float(outcome.outputs["MARKED_BY_NOBODY"])
    if outcome.layers[CONSENSUS.id].fields().lookupField("left_out") >= 0:
        said = tr("Consensus: {method}; field 'left_out' says whose each is.").format(method=method)
        return " ".join(filter(None, [said, str(outcome.outputs.get("EMPTY") or "")]))
    if not area > 0:
        return tr("Consensus: {method}: it is empty, for no place fits the method.").format(method=method)
    said = tr("Consensus: {method}: {area:,.1f} m².").format(method=method, area=area)
    if beyond > 0:
        said += " " + tr("It marks {area:,.1f} m² that nobody marked.").format(area=beyond)
    return said
