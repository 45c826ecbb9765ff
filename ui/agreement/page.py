"""Page Annotators: agreement of annotators, areas where they differ, and their consensus."""

from __future__ import annotations

from typing import Any, NamedTuple

from qgis.core import QgsFeatureRequest, QgsGeometry, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QSignalBlocker

from randcrowns.algorithms.agreement.crown_by_crown import conclude_crowns
from randcrowns.algorithms.agreement.schema.outputs import (
    AGREEMENT,
    AGREEMENT_RASTER,
    ANNOTATOR_COLOURS,
    CLASS_AGREEMENT,
    CLASS_CONFUSION,
    COMPARE_OUTPUTS,
    CONSENSUS,
    CONSENSUS_OUTPUTS,
    CONSENSUS_RASTER,
    DISAGREEMENTS,
    IMAGE_TABLE,
    LOOK_AGAIN,
    PRIOR_EFFECT,
    PROBABILITY,
)
from randcrowns.algorithms.agreement.schema.parameters import (
    ANNOTATORS,
    CLASS_FIELD,
    COMPARE_PARAMETERS,
    COMPARED_CLASS_FIELD,
    CONSENSUS_PARAMETERS,
    CROWN_BY_CROWN,
    EXCLUDED,
    IMAGE,
    LEAVE_ONE_OUT,
    METHOD,
    PLOT_FIELD,
    STUDY_AREA,
)
from randcrowns.algorithms.agreement.schema.report_content import COMPARISON_PRINT
from randcrowns.algorithms.classes.parameters import CLASS_GROUPS
from randcrowns.algorithms.common_parameters import ANNOTATOR_FIELD, REVIEWED
from randcrowns.algorithms.multiple_images import IMAGES
from randcrowns.algorithms.output_types import UNIT, Output
from randcrowns.algorithms.provenance import PROVENANCE, Provenance
from randcrowns.core.errors import InputError
from randcrowns.core.review.verdicts import Verdict
from randcrowns.layers.localization import message_texts, tr
from randcrowns.ui.agreement.form import (
    AGREEMENT_RASTER_FLAG,
    AnnotatorForm,
    can_compare_classes,
    can_divide_by_class,
    can_make_raster,
    counts_pixels,
    has_rasters,
)
from randcrowns.ui.agreement.place_verdicts import PlaceVerdicts
from randcrowns.ui.agreement.results import AnnotatorResults
from randcrowns.ui.agreement.results_panel import ERROR_LIMIT, AnnotatorResultsPanel
from randcrowns.ui.services.layer_info import annotation_layers, vector_layer, vector_layers
from randcrowns.ui.services.overlapping_images import show_image_of_crowns
from randcrowns.ui.services.run_outcome import Outcome, Succeeded, add_result_layers, destinations
from randcrowns.ui.services.save_dialog import save_new_project, show_verdict_file
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.running_page import RunningPage, WatchedLayers
from randcrowns.ui.widgets.colours import MISSED, SHARED, annotator_colours
from randcrowns.ui.widgets.editors import RESULT_FILE
from randcrowns.ui.widgets.map_highlight import DrawnShape, MapHighlight, flash_geometry, zoom_to
from randcrowns.ui.widgets.run_widgets import SHOWN_TAB

#: Colour of an area where annotators differ.
_DISAGREEMENT_COLOUR = "#d55e00"
#: Opacity of the faces of the agreement map, 0 to 255; the image remains visible below them.
_FACE_ALPHA = 110
#: Opacity of the fill of a disagreement on the map, 0 to 255.
_DISAGREEMENT_ALPHA = 90
#: Condition on the agreement map for faces that at least half of the annotators marked.
_MAJORITY = '("n_yes" > 0 and 2 * "n_yes" >= "n_yes" + "n_no")'

#: Tables of a comparison of classes.
_CLASS_TABLES = (CLASS_AGREEMENT, CLASS_CONFUSION)


class _MarkedFaces(NamedTuple):
    """Faces of the agreement map that an annotator or a consensus marks."""

    #: Condition on the faces as a QGIS expression.
    condition: str
    #: Colour of the faces that only this annotator or consensus marks.
    colour: str


class AnnotatorsPage(RunningPage[AnnotatorForm, AnnotatorResultsPanel]):
    """Page that compares annotators and makes a consensus of them.

    Args:
        iface: The interface of the QGIS window.
    """

    key = "annotators"
    form_section = "what-is-counted"
    algorithm = "randcrowns:compareannotators"
    algorithm_parameters = COMPARE_PARAMETERS
    crown_parameters = (ANNOTATORS,)
    outputs = COMPARE_OUTPUTS
    usable_layers = staticmethod(annotation_layers)
    print_content = COMPARISON_PRINT
    required_outputs = tuple(
        output
        for output in COMPARE_OUTPUTS
        if output not in (IMAGE_TABLE, AGREEMENT_RASTER, *_CLASS_TABLES)
    )

    def __init__(self, iface: Any) -> None:
        empty_text = tr(
            "There is no polygon layer and no raster in this project. Add what several annotators "
            "drew of the same place, one layer per annotator, or try the sample data."
        )
        super().__init__(iface, AnnotatorForm(iface), AnnotatorResultsPanel(), empty_text)
        self.add_drawing_button()
        self.highlight = MapHighlight(iface.mapCanvas(), self)
        #: Settings of the comparison that the page shows.
        self._compared_settings = Settings({})
        self._connect_results()
        self._project_connections.connect(
            QgsProject.instance(), "crsChanged", self.form.reload_layers
        )
        self._project_connections.connect(
            QgsProject.instance(), "projectSaved", self._show_verdict_problem
        )
        self.load_parameters()

    def _connect_results(self) -> None:
        """Connect the signals of the results and of the consensus form."""
        self.results.pair_chosen.connect(self._show_pair)
        self.results.annotator_chosen.connect(self._show_annotator)
        self.results.disagreement_chosen.connect(self._show_disagreement)
        self.results.verdict_given.connect(self._save_verdict)
        self.results.selection_cleared.connect(self.highlight.clear)
        self.runs.busy_changed.connect(self.results.consensus_form.set_busy)
        self.results.consensus_form.requested.connect(self.make_consensus)
        self.results.limit_field.valueChanged.connect(self.store_parameters)
        self.results.consensus_form.changed.connect(self.store_parameters)
        self.form.changed.connect(self._preset_consensus)

    # Comparison

    def settings_of(self, stored_values: dict[str, Any]) -> Settings:
        """Return the settings for stored parameters.

        The parameters next to the results, which are not part of the form, are set at once.

        Args:
            stored_values: Key -> value, as the project stores them; {} for the defaults.
        """
        consensus = self.results.consensus_form
        settings = Settings.from_stored(
            (*self.form.parameters, *consensus.parameters, ERROR_LIMIT), stored_values
        )
        with QSignalBlocker(self.results.limit_field), QSignalBlocker(consensus):
            self.results.limit_field.setValue(settings[ERROR_LIMIT])
            consensus.set_settings(Settings({}), reset_defaults=True)
            # A stored method stays, also if it is the default of the algorithm.
            if stored_values:
                self._preset_consensus()
            consensus.set_settings(settings)
        return settings

    def load_parameters(self) -> None:
        """Show the parameters stored in the project; remove the results of another project."""
        super().load_parameters()
        self._preset_consensus()

    def _preset_consensus(self) -> None:
        """Preset the method and the class field of a consensus for the checked layers.

        The method is crown by crown for polygon layers, and half or more for rasters.
        """
        settings = self.form.settings()
        method = METHOD.default
        if settings[ANNOTATORS] and not has_rasters(settings):
            method = CROWN_BY_CROWN
        polygon_layers = vector_layers(settings[ANNOTATORS])
        first_layer = polygon_layers[0] if polygon_layers else None
        consensus = self.results.consensus_form
        with QSignalBlocker(consensus):
            consensus.set_default(METHOD, method)
            consensus.offer_fields(CLASS_FIELD, first_layer)
            consensus.set_default(CLASS_FIELD, self.form.class_field())
        self.results.summarise_consensus()

    def settings(self) -> Settings:
        """Return the current parameters of the form and of the results."""
        consensus_settings = self.results.consensus_form.settings()
        result_settings = consensus_settings.with_values(
            {ERROR_LIMIT: self.results.limit_field.value()}
        )
        return self.form.settings().with_values(result_settings)

    def result_settings(self, settings: Settings) -> Settings:
        """Return the settings that change the results of a comparison."""
        return settings.subset((*COMPARE_PARAMETERS, AGREEMENT_RASTER_FLAG))

    def requested_outputs(self, settings: Settings) -> list[Output]:
        """Return the outputs of a comparison.

        Correlations require an image, the agreement raster requires pixels, and the agreement on
        classes a class field or rasters of classes.
        """
        excluded = set() if can_compare_classes(settings) else set(_CLASS_TABLES)
        if not settings[IMAGE]:
            excluded.add(IMAGE_TABLE)
        if not (settings[AGREEMENT_RASTER_FLAG] and can_make_raster(settings)):
            excluded.add(AGREEMENT_RASTER)
        return [output for output in COMPARE_OUTPUTS if output not in excluded]

    def watched_layers(self, settings: Settings) -> WatchedLayers:
        """Return the layers and fields whose changes outdate a comparison."""
        annotator_ids = settings[ANNOTATORS]
        other_ids = (*settings[STUDY_AREA].layer_ids, settings[EXCLUDED], settings[REVIEWED])
        layer_ids = (*annotator_ids, *filter(None, other_ids))
        field_parameters = (ANNOTATOR_FIELD, PLOT_FIELD, COMPARED_CLASS_FIELD)
        fields = [settings[parameter] for parameter in field_parameters if settings[parameter]]
        fields_by_layer = dict.fromkeys(annotator_ids, fields) if fields else {}
        return WatchedLayers(layer_ids, fields_by_layer)

    def show_results(self, outcome: Succeeded, settings: Settings) -> str:
        """Show a comparison and add its layers to the project.

        Args:
            outcome: The results.
            settings: Settings of the run.

        Returns:
            A sentence about the run for the message bar.
        """
        layer_ids = add_result_layers(outcome, COMPARE_OUTPUTS)
        self._compared_settings = settings
        results = AnnotatorResults(outcome, layer_ids)
        self.results.show_results(results, self._read_verdicts(results))
        self._show_verdict_problem()
        self.results.consensus_form.set_comparison(
            len(results.names), counts_pixels(settings), has_rasters(settings)
        )
        return tr(
            "Compared {count:,} annotators.",
            one="Compared 1 annotator.",
            count=len(results.names),
        )

    def show_parameters(self, stored_values: dict[str, Any]) -> None:
        """Show parameters and the tab of results that another page has sent.

        Args:
            stored_values: Values by key, see :meth:`RunningPage.show_parameters`. With SHOWN_TAB,
                the key of a tab is given.
        """
        values = dict(stored_values)
        tab = self.results.tabs_by_key.get(values.pop(SHOWN_TAB, ""))
        super().show_parameters(values)
        if tab is not None:
            self.results.tabs.setCurrentWidget(tab)

    # Verdicts on disagreements

    def _place_verdicts(self, results: AnnotatorResults) -> PlaceVerdicts | None:
        """Return the verdicts on the disagreements; None if their layer is gone."""
        layer = vector_layer(results.layer_ids.get(DISAGREEMENTS.id, ""))
        if layer is None:
            return None
        return PlaceVerdicts(layer, results.disagreements, results.names)

    def _show_verdict_problem(self, *_: object) -> None:
        """Show why verdicts cannot be saved, before the first one opens a dialog of QGIS."""
        results = self.results.results
        verdicts = None if results is None else self._place_verdicts(results)
        self.results.disagreement_table.show_problem("" if verdicts is None else verdicts.problem)

    def _read_verdicts(self, results: AnnotatorResults) -> dict[int, str]:
        """Return the verdicts by the rank of the disagreement; errors are shown."""
        verdicts = self._place_verdicts(results)
        with self.messages.show_errors():
            return {} if verdicts is None else verdicts.read()
        return {}

    def _save_verdict(self, rank: int, verdict: str) -> None:
        """Save a verdict on a disagreement and go to the next one without; errors are shown.

        If the project is not saved yet, QGIS's dialog to save it is opened first.
        """
        if self.results.results is None:
            return
        is_project_new = save_new_project(self.iface)
        with self.messages.show_errors():
            verdicts = self._place_verdicts(self.results.results)
            if verdicts is None:
                raise InputError(
                    "results.no_disagreements",
                    "The layer of disagreements is no longer in the project; run again.",
                )
            verdicts.save(rank, Verdict(verdict))
            self.results.disagreement_table.show_verdict(rank, verdict)
            if is_project_new:
                show_verdict_file(self.messages)

    # Consensus

    def make_consensus(self) -> None:
        """Make a consensus of the compared layers in the same study area.

        Do nothing while an algorithm runs, and if there are no results or they are out of date.
        """
        if self.run is not None or self.results.results is None or self.results.is_stale:
            return
        self.store_parameters()
        consensus = self.results.consensus_form
        settings = self._compared_settings.with_values(consensus.settings())
        settings = settings.with_values({RESULT_FILE: self.form.result_file_field.path()})
        consensus.show_description("")
        self.runs.start(
            "randcrowns:consensus", _consensus_parameters(settings), self._show_consensus
        )

    def _show_consensus(self, outcome: Outcome) -> None:
        """Add the layers of a consensus to the project and show its messages.

        Do nothing if the run failed or was cancelled.
        """
        if not isinstance(outcome, Succeeded):
            return
        comparison = self.results.results
        annotator_names = [] if comparison is None else comparison.names
        add_result_layers(
            outcome,
            CONSENSUS_OUTPUTS,
            extra_values={ANNOTATOR_COLOURS: annotator_colours(annotator_names)},
            names={CONSENSUS: tr("Consensus: {method}", method=outcome.outputs["TITLE"])},
        )
        self._report_consensus(outcome)
        summary = _summarise_consensus(outcome)
        # The messages of the comparison are already next to its answer.
        visible_messages = self.results.visible_messages
        new_messages = []
        for message in outcome.messages:
            is_relevant = message.topic == "agreement" or message.is_notice
            if is_relevant and message not in visible_messages:
                new_messages.append(message)
        description = "\n".join([summary, *message_texts(new_messages)])
        method = str(outcome.outputs["METHOD_USED"])
        self.results.consensus_form.show_description(description, tooltip=method)
        if PRIOR_EFFECT.id in outcome.layers:
            used_prior = float(outcome.outputs["PRIOR_USED"])
            unit = outcome.outputs[UNIT.id]
            self.results.show_priors(outcome.table(PRIOR_EFFECT), used_prior, unit)
        self.messages.show_run_messages(
            f"{summary} {tr('The layers are in the layer tree.')}", outcome.messages, new_messages
        )

    def _report_consensus(self, outcome: Succeeded) -> None:
        """Let the button *Report* select a consensus; the answer to copy stays the comparison's."""
        record = Provenance.from_json(outcome.outputs[PROVENANCE.id])
        self.quote_row.show_run(record, outcome.layers.values(), self.quote_row.answer)

    # Map

    def _show_pair(self, first: int, second: int) -> None:
        """Show what two annotators marked, or what one annotator marked.

        Args:
            first: Position of an annotator in the order of the run.
            second: Position of the other annotator, or of the same.
        """
        results = self.results.results
        if results is None:
            return
        first_name = results.names[first]
        second_name = results.names[second]
        colours = annotator_colours(results.names)
        first_faces = _MarkedFaces(_marked_condition(first), colours[first_name])
        if first == second:
            no_faces = _MarkedFaces("false", colours[second_name])
            self._show_faces(first_faces, no_faces, tr("{name} marked nothing.", name=first_name))
        else:
            second_faces = _MarkedFaces(_marked_condition(second), colours[second_name])
            empty_message = tr("Neither of the two annotators marked anything.")
            self._show_faces(first_faces, second_faces, empty_message)

    def _show_annotator(self, row: int) -> None:
        """Show an annotator against the majority of all annotators, or of the others.

        Faces of the majority that the annotator missed are yellow.

        Args:
            row: Position of the annotator in the order of the run.
        """
        results = self.results.results
        if results is None:
            return
        name = results.names[row]
        marked_condition = _marked_condition(row)
        majority_condition = _MAJORITY
        if self._compared_settings[LEAVE_ONE_OUT] and len(results.names) > 1:
            # In a QGIS expression, a condition that is met counts as 1.
            other_votes = f'("n_yes" - {marked_condition})'
            other_count = '("n_yes" + "n_no" - 1)'
            majority_condition = f"({other_votes} > 0 and 2 * {other_votes} >= {other_count})"
        self._show_faces(
            _MarkedFaces(marked_condition, annotator_colours([name])[name]),
            _MarkedFaces(majority_condition, MISSED),
            tr("{name} marked nothing, and the consensus is empty.", name=name),
        )

    def _show_faces(self, first: _MarkedFaces, second: _MarkedFaces, empty_message: str) -> None:
        """Draw faces of the agreement map on the image; hide all other layers.

        Faces that both mark are grey, the others have their own colours.

        Args:
            first: Faces that the first annotator marks.
            second: Faces that the second annotator or the consensus marks.
            empty_message: Warning that is shown if there is no face to draw.
        """
        self.highlight.clear()
        layer = self._result_layer(AGREEMENT)
        if layer is None:
            self.messages.warning(tr("The agreement map is no longer in the project; run again."))
            return
        colours_by_condition = {
            f"{first.condition} and {second.condition}": SHARED,
            f"{first.condition} and not {second.condition}": first.colour,
            f"not {first.condition} and {second.condition}": second.colour,
        }
        with self.messages.show_errors():
            shapes = []
            for condition, colour in colours_by_condition.items():
                geometry = self.highlight.combine_features(layer, condition)
                shapes.append(DrawnShape(geometry, colour, _FACE_ALPHA))
            extent = self.highlight.draw_on_image(*shapes)
            zoom_to(self.iface.mapCanvas(), extent)
            if extent.isEmpty():
                self.messages.warning(empty_message)

    def _show_disagreement(self, rank: int) -> None:
        """Draw the disagreement of a rank and zoom to it; warn if its layer is gone."""
        self.highlight.clear()
        canvas = self.iface.mapCanvas()
        layer = self._result_layer(DISAGREEMENTS)
        with self.messages.show_errors():
            geometry = QgsGeometry()
            if layer is not None:
                condition = f'"rank" = {rank}'
                geometry = self.highlight.combine_features(layer, condition)
                request = QgsFeatureRequest().setFilterExpression(condition)
                faces = [feature.id() for feature in layer.getFeatures(request)]
                show_image_of_crowns(layer, faces)
            shape = DrawnShape(geometry, _DISAGREEMENT_COLOUR, _DISAGREEMENT_ALPHA, width=3)
            extent = self.highlight.draw(shape, veil=0)
            if extent.isEmpty():
                self.messages.warning(
                    tr("The layer of disagreements is no longer in the project; run again.")
                )
                return
            margin_width = max(extent.width(), extent.height()) / 2
            zoom_to(canvas, extent.buffered(margin_width))
            flash_geometry(canvas, geometry)

    def _result_layer(self, output: Output) -> QgsVectorLayer | None:
        """Return the layer of an output, or None if it is no longer in the project."""
        results = self.results.results
        return None if results is None else vector_layer(results.layer_ids.get(output.id, ""))


def _marked_condition(annotator: int) -> str:
    """Return the condition for faces of the agreement map that an annotator marked.

    The field ``votes`` contains a character per annotator: 1 if the annotator marked the face.

    Args:
        annotator: Position of the annotator in the order of the run.

    Returns:
        The condition as a QGIS expression in parentheses.
    """
    return f"""(substr("votes", {annotator + 1}, 1) = '1')"""


def _consensus_parameters(settings: Settings) -> dict[str, Any]:
    """Return the Processing parameters of a consensus, with the destinations of its outputs.

    Rasters require pixels, and the probabilities require STAPLE. If no study area was selected,
    the image is the study area, as in the comparison. Classes that count as one have no effect
    without classes.
    """
    used_settings = settings
    if not can_divide_by_class(settings):
        used_settings = settings.with_values({CLASS_GROUPS: CLASS_GROUPS.default})
    parameters = used_settings.to_parameters(CONSENSUS_PARAMETERS)
    if settings[IMAGE] and settings[STUDY_AREA].kind == "none":
        parameters[STUDY_AREA.id] = settings[IMAGE]
    return {**parameters, **destinations(_consensus_outputs(settings), settings[RESULT_FILE])}


def _consensus_outputs(settings: Settings) -> list[Output]:
    """Return the outputs of a consensus, see :func:`_consensus_parameters`."""
    has_one_grid = counts_pixels(settings) and not (settings[IMAGES] or settings[PLOT_FIELD])
    is_by_crown = settings[METHOD] == CROWN_BY_CROWN
    is_requested = {
        PROBABILITY: has_one_grid and settings[METHOD] == "staple",
        CONSENSUS_RASTER: has_one_grid and not is_by_crown,
        LOOK_AGAIN: is_by_crown,
    }
    return [output for output in CONSENSUS_OUTPUTS if is_requested.get(output, True)]


def _summarise_consensus(outcome: Succeeded) -> str:
    """Return sentences that name the method of a consensus and the area that it marks."""
    method = outcome.outputs["TITLE"]
    if "excluded" in outcome.table(CONSENSUS):
        text = tr("Consensus: {method}; field 'excluded' names the annotator.", method=method)
        return " ".join([text, *message_texts(outcome.messages_of("consensus"))])
    if LOOK_AGAIN.id in outcome.layers:
        n_doubtful = len(outcome.table(LOOK_AGAIN))
        conclusion = conclude_crowns(method, len(outcome.table(CONSENSUS)), n_doubtful)
        return " ".join(message_texts([conclusion]))

    area = float(outcome.outputs["MARKED"])
    if not area > 0:
        return tr("Consensus: {method}: it is empty.", method=method)
    unit = outcome.outputs[UNIT.id]
    sentences = [
        tr("Consensus: {method}: {area:,.1f} {unit}².", method=method, area=area, unit=unit)
    ]
    unmarked_area = float(outcome.outputs["MARKED_BY_NOBODY"])
    if unmarked_area > 0:
        sentences.append(
            tr("{area:,.1f} {unit}² of it were marked by nobody.", area=unmarked_area, unit=unit)
        )
    return " ".join(sentences)
