"""Page Annotators: how far annotators agree, where they differ, and a consensus of them."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsGeometry, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QSignalBlocker

from randcrowns.algorithms.agreement.choices import (
    ANNOTATORS,
    COMPARE_CHOICES,
    CONSENSUS_CHOICES,
    GROUP_FIELD,
    IMAGE,
    LEAVE_ONE_OUT,
    LEFT_OUT,
    METHOD,
    STUDY_AREA,
)
from randcrowns.algorithms.agreement.outputs import (
    AGREEMENT,
    AGREEMENT_RASTER,
    ANNOTATOR_COLOURS,
    COMPARE_OUTPUTS,
    CONSENSUS,
    CONSENSUS_OUTPUTS,
    CONSENSUS_RASTER,
    DISAGREEMENTS,
    IMAGE_TABLE,
    PRIORS,
    PROBABILITY,
)
from randcrowns.algorithms.agreement.showing import PRINTED
from randcrowns.algorithms.choices import ANNOTATOR_FIELD
from randcrowns.algorithms.images import IMAGES
from randcrowns.algorithms.output import UNIT, Output
from randcrowns.layers.words import sentences, tr
from randcrowns.ui.agreement.form import RASTER, AnnotatorForm, counts_pixels, has_pixels
from randcrowns.ui.agreement.panel import LIMIT, AnnotatorPanel
from randcrowns.ui.agreement.results import AnnotatorResults
from randcrowns.ui.services.layer_facts import drawings, vector_layer
from randcrowns.ui.services.result_file import Outcome, Succeeded, add_result_layers, places_of
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.running import RunningPage, Watched
from randcrowns.ui.widgets.colours import MISSED, SHARED, annotator_colours
from randcrowns.ui.widgets.editors import FILE
from randcrowns.ui.widgets.map_highlight import MapHighlight, flash, look_at

#: The colour of a place where annotators differ, and the alpha of the inside of faces, which lets the image through.
_PLACE, _ALPHA = "#d55e00", 110


class AnnotatorsPage(RunningPage[AnnotatorForm, AnnotatorPanel]):
    """Fills in the parameters of the two algorithms on annotators and shows their results."""

    key = "annotators"
    algorithm = "randcrowns:compareannotators"
    choices, outputs = COMPARE_CHOICES, COMPARE_OUTPUTS
    offered = staticmethod(drawings)
    printed = PRINTED

    needed = tuple(
        output for output in COMPARE_OUTPUTS if output not in (IMAGE_TABLE, AGREEMENT_RASTER)
    )

    def __init__(self, iface: Any) -> None:
        empty = tr(
            "There is no polygon layer and no raster in this project. Add what several annotators drew of the same "
            "place, one layer per annotator, or try the sample data."
        )
        super().__init__(iface, AnnotatorForm(), AnnotatorPanel(), empty)
        self.highlight = MapHighlight(iface.mapCanvas(), self)
        self._compared = Settings({})
        self.results.pair_chosen.connect(self._show_pair)
        self.results.annotator_chosen.connect(self._show_annotator)
        self.results.place_chosen.connect(self._show_place)
        self.results.left.connect(self.highlight.clear)
        self.runs.busy_changed.connect(self.results.consensus.set_busy)
        self.results.consensus.asked.connect(self.make_consensus)
        self.results.limit.valueChanged.connect(self.keep)
        self.results.consensus.changed.connect(self.keep)
        self._project.connect(QgsProject.instance(), "crsChanged", self.form.follow_project)
        self.restore()

    # The comparison

    def settings_of(self, choices: dict[str, Any]) -> Settings:
        """The settings that the project kept; those beside the results are shown at once."""
        settings = Settings.of(
            (*self.form.choices, *self.results.consensus.choices, LIMIT), choices
        )
        with QSignalBlocker(self.results.limit), QSignalBlocker(self.results.consensus):
            self.results.limit.setValue(settings[LIMIT])
            self.results.consensus.show_settings(settings)
        return settings

    def settings(self) -> Settings:
        beside = self.results.consensus.settings().replaced({LIMIT: self.results.limit.value()})
        return self.form.settings().replaced(beside)

    def comparable(self, settings: Settings) -> Settings:
        return settings.only((*COMPARE_CHOICES, RASTER))

    def wanted(self, settings: Settings) -> list[Output]:
        """Correlations and raster where there is what they need."""
        without = set() if settings[IMAGE] else {IMAGE_TABLE}
        if not (settings[RASTER] and has_pixels(settings)):
            without.add(AGREEMENT_RASTER)
        return [output for output in COMPARE_OUTPUTS if output not in without]

    def watched(self, settings: Settings) -> Watched:
        fields = tuple(filter(None, (settings[ANNOTATOR_FIELD], settings[GROUP_FIELD])))
        annotators = settings[ANNOTATORS]
        areas = (*settings[STUDY_AREA].layer_ids, *filter(None, (settings[LEFT_OUT],)))
        return (*annotators, *areas), dict.fromkeys(annotators, fields) if fields else {}, ""

    def take(self, outcome: Succeeded, settings: Settings) -> str:
        made = add_result_layers(outcome, COMPARE_OUTPUTS)
        self._compared = settings
        results = AnnotatorResults(outcome, made)
        self.results.show_results(results)
        self.results.consensus.set_compared(len(results.names), counts_pixels(settings))
        said = "Compared {count:,} annotators; see the layer tree."
        one = "Compared 1 annotator; see the layer tree."
        return tr(said, one=one, count=len(results.names))

    # A consensus

    def make_consensus(self) -> None:
        """Make it from the layers that were compared, in the same study area."""
        if self.run is not None or self.results.results is None or self.results.is_stale:
            return
        self.keep()
        settings = self._compared.replaced(self.results.consensus.settings())
        settings = settings.replaced({FILE: self.form.kept_in.path()})
        self.results.consensus.say("")
        self.runs.begin(
            "randcrowns:consensus", _consensus_parameters(settings), self._show_consensus
        )

    def _show_consensus(self, outcome: Outcome) -> None:
        if not isinstance(outcome, Succeeded):
            return
        names = [] if self.results.results is None else self.results.results.names
        called = {CONSENSUS: tr("Consensus: {method}", method=outcome.outputs["TITLE"])}
        others = {ANNOTATOR_COLOURS: annotator_colours(names)}
        add_result_layers(outcome, CONSENSUS_OUTPUTS, others, called)
        made = _made_sentence(outcome)
        told = [one for one in outcome.remarks if one.topic == "agreement" or one.is_odd]
        new = [one for one in told if one not in self.results.beside]
        self.results.consensus.say(
            "\n".join([made, *sentences(new)]), str(outcome.outputs["METHOD_USED"])
        )
        if PRIORS.id in outcome.layers:
            used = float(outcome.outputs["PRIOR_USED"])
            self.results.show_priors(outcome.table(PRIORS), used, outcome.outputs[UNIT.id])
        self.messages.tell_remarks(
            f"{made} {tr('The layers are in the layer tree.')}", outcome.remarks, new
        )

    # The map

    def _show_pair(self, first: int, second: int) -> None:
        """Only what these two marked: grey where both did, their colours where only one did; or one, in its colour."""
        results = self.results.results
        if results is not None:
            colours = annotator_colours(results.names)
            pair = colours[results.names[first]], colours[results.names[second]]
            other, nothing = _marked(second), tr("Neither of the two annotators marked anything.")
            if first == second:
                other, nothing = "false", tr("{name} marked nothing.", name=results.names[first])
            self._show_two(_marked(first), other, pair, nothing)

    def _show_annotator(self, row: int) -> None:
        """One annotator against what half of all (or of the others) marked; yellow where they missed the consensus."""
        results = self.results.results
        if results is None:
            return
        name, own = results.names[row], _marked(row)
        consensus = '("n_yes" > 0 and 2 * "n_yes" >= "n_yes" + "n_no")'
        if self._compared[LEAVE_ONE_OUT] and len(results.names) > 1:
            without = f'("n_yes" - {own})'
            consensus = f'({without} > 0 and 2 * {without} >= "n_yes" + "n_no" - 1)'
        nothing = tr("{name} marked nothing, and the consensus is empty.", name=name)
        self._show_two(own, consensus, (annotator_colours([name])[name], MISSED), nothing)

    def _show_two(self, one: str, other: str, colours: tuple[str, str], nothing: str) -> None:
        """Only the faces of the agreement map of which one holds, or both, on the image that was drawn on."""
        self.highlight.clear()
        layer = self._made(AGREEMENT)
        if layer is None:
            self.messages.warning(tr("The agreement map is no longer in the project; run again."))
            return
        parts = (
            (f"{one} and {other}", SHARED),
            (f"{one} and not {other}", colours[0]),
            (f"not {one} and {other}", colours[1]),
        )
        with self.messages.telling():
            drawn = [
                (self.highlight.joined(layer, where), colour, _ALPHA, 2) for where, colour in parts
            ]
            extent = self.highlight.draw_on_image(*drawn)
            look_at(self.iface.mapCanvas(), extent)
            if extent.isEmpty():
                self.messages.warning(nothing)

    def _show_place(self, rank: int) -> None:
        """The place of that rank in the layer of disagreements."""
        self.highlight.clear()
        layer = self._made(DISAGREEMENTS)
        with self.messages.telling():
            place = (
                QgsGeometry() if layer is None else self.highlight.joined(layer, f'"rank" = {rank}')
            )
            extent = self.highlight.draw((place, _PLACE, 90, 3), veil=0)
            if extent.isEmpty():
                self.messages.warning(
                    tr("The layer of disagreements is no longer in the project; run again.")
                )
                return
            look_at(
                self.iface.mapCanvas(), extent.buffered(max(extent.width(), extent.height()) / 2)
            )
            flash(self.iface.mapCanvas(), place)

    def _made(self, output: Output) -> QgsVectorLayer | None:
        """A layer of the run, where it is still in the project."""
        results = self.results.results
        return None if results is None else vector_layer(results.made.get(output.id, ""))


def _marked(annotator: int) -> str:
    """Holds for the faces that the annotator marked, by their field ``votes``: 1 or 0 per annotator."""
    return f"""(substr("votes", {annotator + 1}, 1) = '1')"""


def _consensus_parameters(settings: Settings) -> dict[str, Any]:
    """In the study area of the comparison; a raster of probabilities where there are pixels to hold them."""
    without = set() if counts_pixels(settings) else {PROBABILITY, CONSENSUS_RASTER}
    if settings[IMAGES] or settings[GROUP_FIELD]:
        without |= {CONSENSUS_RASTER, PROBABILITY}
    if settings[METHOD] != "staple":
        without.add(PROBABILITY)
    wanted = [output for output in CONSENSUS_OUTPUTS if output not in without]
    parameters = settings.to_parameters(CONSENSUS_CHOICES)
    if settings[IMAGE] and settings[STUDY_AREA].kind == "none":
        parameters[STUDY_AREA.ids[0]] = settings[IMAGE]
    return {**parameters, **places_of(wanted, settings[FILE])}


def _made_sentence(outcome: Succeeded) -> str:
    """Which consensus was made, and how much it marks."""
    method, area = outcome.outputs["TITLE"], float(outcome.outputs["MARKED"])
    beyond = float(outcome.outputs["MARKED_BY_NOBODY"])
    if outcome.layers[CONSENSUS.id].fields().lookupField("left_out") >= 0:
        said = tr("Consensus: {method}; field 'left_out' names the annotator.", method=method)
        return " ".join([said, *sentences(outcome.said("consensus"))])
    if not area > 0:
        return tr("Consensus: {method}: it is empty.", method=method)
    unit = outcome.outputs[UNIT.id]
    said = tr("Consensus: {method}: {area:,.1f} {unit}².", method=method, area=area, unit=unit)
    if beyond > 0:
        said += " " + tr("{area:,.1f} {unit}² of it were marked by nobody.", area=beyond, unit=unit)
    return said
