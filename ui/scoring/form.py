"""Form of page Score: the layers to score, the parameters, and the destination of the scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qgis.core import QgsProject, QgsVectorDataProvider, QgsVectorLayer
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from randcrowns.algorithms.agreement.schema.outputs import CONSENSUS
from randcrowns.algorithms.common_parameters import (
    CORNER_STYLE,
    IDTREES,
    IMAGE_EXTENT,
    LENGTHS,
    PRESET,
    TARGETS,
)
from randcrowns.algorithms.parameter_types import BooleanParameter, Option, OptionParameter
from randcrowns.algorithms.provenance import find_input_layers, read_output_id, read_provenance
from randcrowns.algorithms.scoring.schema.parameters import (
    ALL_DRAWN,
    CLASSES,
    DELINEATIONS,
    PAIRING,
    PLOT_FIELD,
    PROBLEM_LIMITS,
    RANDCROWNS_THRESHOLD,
    SCORE_FIELD,
    SCORE_THRESHOLD,
    SEARCH_RADIUS,
    SPREAD_FIELD,
    WARPED_TARGETS,
    missing_plots_message,
)
from randcrowns.core.arrays import number_text
from randcrowns.core.scoring.checks import check_lengths_for_size
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.localization import message_texts, tr
from randcrowns.layers.vector.consensus_spread import spread_field_of
from randcrowns.layers.vector.guesses import crown_layers, polygon_layers
from randcrowns.ui.scoring.lengths_field import LengthsField
from randcrowns.ui.services.layer_info import (
    layer_name,
    numeric_fields,
    vector_layer,
    vector_layers,
)
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.comparison_form import ComparisonForm, class_parameter_rows
from randcrowns.ui.widgets.boxes import LayerPicker
from randcrowns.ui.widgets.colours import SECONDARY_TONE, WARNING_TONE
from randcrowns.ui.widgets.editors import REPLACE_LAST, RESULT_FILE, editor_for_field
from randcrowns.ui.widgets.fields import RadioField
from randcrowns.ui.widgets.folding_row import FoldingRow
from randcrowns.ui.widgets.layer_checklist import LayerChecklist
from randcrowns.ui.widgets.new_layer_button import make_new_layer_button
from randcrowns.ui.widgets.parameter_form import FormGroup, ParameterRow
from randcrowns.ui.widgets.parts import (
    FREE_SPACE,
    fill_layout,
    make_tool_button,
    make_wrapped_label,
    set_guide_section,
    set_text_or_hide,
)

#: Options of :data:`DESTINATION`.
NEW_LAYERS = "new_layers"
FIELDS = "fields"
#: Maximum number of targets whose regions the dock adds as a layer. The regions of one target
#: take about 16 kB.
MAX_REGION_TARGETS = 5_000
#: Destination of the scores. Only the dock has this parameter: the toolbox has a destination for
#: each output.
DESTINATION = OptionParameter(
    "destination",
    tr("Output"),
    options=(
        Option(
            NEW_LAYERS,
            tr("New layers"),
            tr(
                "Adds scored copies, and the regions of up to {most:,} targets, in a new group. "
                "Your layers stay as they are.",
                most=MAX_REGION_TARGETS,
            ),
        ),
        Option(
            FIELDS,
            tr("Fields of the target layer"),
            tr(
                "Adds the scores as fields of the target layer, in one step that can be undone. "
                "The layer stays in edit mode for you to save or discard."
            ),
        ),
    ),
)
#: True to score only the selected targets. Only the dock has this parameter: the toolbox has a
#: check box for selected features next to each layer.
SELECTED_ONLY = BooleanParameter(
    "selected_only",
    tr("Selected targets only"),
    tr("Score only the crowns selected in the target layer."),
)
#: True to turn live scoring on for the first results. Only the dock has this parameter.
LIVE_SCORING = BooleanParameter(
    "live",
    tr("Score while drawing"),
    tr(
        "Score the crowns of the run's layers as soon as they are added, changed or deleted; this "
        "includes undo and redo."
    ),
)
#: Options of PAIRING that use the search radius.
_PAIRINGS_BY_DISTANCE = tuple(pairing.value for pairing in Pairing if pairing.uses_distance)


class ScoreForm(ComparisonForm):
    """Form with the parameters of a scoring run.

    Args:
        iface: The interface of the QGIS window.
    """

    #: Emitted when the user chooses lengths on page Parameters.
    lengths_requested = pyqtSignal()

    def __init__(self, iface: Any = None) -> None:
        #: Ids of the consensuses that :meth:`preset_consensus` has considered.
        self._known_consensus_ids: set[str] = set()
        #: Size of alpha and omega in comparison with the targets.
        self.size_label = make_wrapped_label(tone=SECONDARY_TONE)
        self.size_label.hide()
        #: Notice that the lengths do not suit the size of the targets or the pixels of the image.
        self.lengths_notice = make_wrapped_label(tone=WARNING_TONE)
        self.lengths_notice.hide()
        #: Button below the notice that leads to the search for lengths.
        self.lengths_button = make_tool_button(
            tr("Choose lengths…"),
            tr("Open page Parameters, which searches lengths for your crowns."),
            lambda *_: self.lengths_requested.emit(),
        )
        self.lengths_button.hide()
        button_row = QWidget()
        fill_layout(QHBoxLayout(button_row), self.lengths_button, FREE_SPACE)
        #: Editor of the preset and of alpha, omega and gamma.
        self.lengths_field = LengthsField(self.size_label, self.lengths_notice, button_row)
        #: Editor of the destination.
        self.destination_field = RadioField(DESTINATION)
        #: Check box that starts a run with live scoring; hidden once results are shown.
        self.live_switch = QCheckBox(LIVE_SCORING.label)
        self.live_switch.setToolTip(LIVE_SCORING.help)
        #: Button that adds a layer to draw crowns in.
        self.new_layer_button = make_new_layer_button(iface)
        self.new_layer_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        new_layer = fill_layout(QHBoxLayout(), self.new_layer_button, FREE_SPACE)
        live = fill_layout(QHBoxLayout(), self.live_switch, FREE_SPACE)
        self._drawing_row = FoldingRow(new_layer, live, stretched=1)
        self.create_widgets()
        super().__init__(
            targets=TARGETS,
            plot=PLOT_FIELD,
            all_drawn=ALL_DRAWN,
            parts=self._create_groups(),
            editors={
                **self.lengths_field.editors,
                DESTINATION: editor_for_field(self.destination_field),
            },
            class_field=CLASSES.class_field,
        )
        #: Editor of the target layer.
        self.target_picker: LayerPicker = self.field(TARGETS)
        #: Editor of the delineation layers.
        self.delineation_list: LayerChecklist = self.field(DELINEATIONS)
        set_guide_section("the-regions", self.lengths_field)
        set_guide_section("pairing", self.field(PAIRING), self.field(SEARCH_RADIUS))
        set_guide_section("problems", *(self.field(limit) for limit in PROBLEM_LIMITS))

    def _create_groups(self) -> tuple[FormGroup, ...]:
        """Return the groups of the form, from top to bottom."""
        output_group = FormGroup(
            DESTINATION.label,
            (
                ParameterRow(DESTINATION, labelled=False),
                ParameterRow(RESULT_FILE, is_visible=_adds_layers),
                ParameterRow(REPLACE_LAST, is_visible=_adds_layers),
            ),
        )
        return (
            self._create_layers_group(),
            FormGroup(tr("Parameters"), (self.lengths_field,)),
            _create_advanced_group(),
            output_group,
        )

    def _create_layers_group(self) -> FormGroup:
        """Return the group with the layers, and the fields and notices about them."""
        return FormGroup(
            tr("Layers"),
            (
                ParameterRow(TARGETS, wide=True),
                ParameterRow(DELINEATIONS, wide=True, label_companion=self.swap_button),
                self.role_notice,
                PLOT_FIELD,
                CLASSES.class_field,
                ALL_DRAWN,
                self.partial_notice,
                self._drawing_row,
            ),
        )

    def select_others(self, layers: Sequence[QgsVectorLayer]) -> None:
        """Check delineation layers unless the user has checked some; exclude the target layer.

        Args:
            layers: The layers; may be empty.
        """
        # The base class may call this before its constructor has finished.
        checklist: LayerChecklist = self.field(DELINEATIONS)
        checklist.exclude(self.field(TARGETS).layer_id())
        if not layers:
            return
        layer_ids = tuple(layer.id() for layer in layers)
        checklist.check_unless_chosen(layer_ids)
        if not checklist.checked_ids():
            checklist.check_layers(layer_ids)

    def update_fields(self, settings: Settings) -> None:
        """Adapt the form to the selected layers.

        The target layer is excluded from the delineations. The fields with detection scores are
        those of a delineation layer.

        Args:
            settings: Settings that the form shows.
        """
        target_id = settings[TARGETS]
        checklist: LayerChecklist = self.field(DELINEATIONS)
        self.separate_roles()
        checklist.exclude(target_id)
        delineation_layers = vector_layers(checklist.checked_ids())
        self.offer_fields(SCORE_FIELD, _first_with_scores(delineation_layers))
        first_delineations = delineation_layers[0] if delineation_layers else None
        self.offer_fields(CLASSES.other_class_field, first_delineations)
        target_layer = vector_layer(target_id)
        self.offer_fields(SPREAD_FIELD, target_layer)
        spread_field = spread_field_of(target_layer) if _has_regions(settings) else ""
        self.set_default(SPREAD_FIELD, spread_field)
        self.update_presets(target_id, checklist.checked_ids())
        self.set_default(PRESET, self._compared.preset_key(target_id))
        self._show_length_notices(target_id, checklist.checked_ids())

    def _show_length_notices(self, target_id: str, other_ids: Sequence[str]) -> None:
        """Show how large alpha and omega are, and a notice and a button if they do not suit.

        They do not suit if a warning of the run would say so, or if omega is shorter than a pixel
        of the image.

        Args:
            target_id: Id of the target layer.
            other_ids: Ids of the delineation layers.
        """
        settings = self.settings()
        size_text = ""
        notices = []
        if target_id and _has_regions(settings):
            alpha, omega, gamma = (settings[length] for length in LENGTHS)
            diameter = self._compared.mean_diameter(target_id)
            if diameter > 0:
                size_text = tr(
                    "Alpha is {alpha:.1%} and omega {omega:.1%} of the mean diameter of the "
                    "targets ({diameter:,.1f} m).",
                    alpha=alpha / diameter,
                    omega=omega / diameter,
                    diameter=diameter,
                )
            notices = message_texts(
                check_lengths_for_size(diameter, RandCrownsParameters(alpha, omega, gamma))
            )
            image = self._compared.coarsest_image(target_id, other_ids)
            if image is not None and omega < image.size:
                pixel_text = tr(
                    "A pixel of image '{name}' is {size} m wide, more than omega ({omega} m): "
                    "RandCrowns is then near 1 for nearly every crown that overlaps its target. "
                    "Choose lengths for this image on page Parameters.",
                    name=image.name,
                    size=number_text(image.size),
                    omega=number_text(omega),
                )
                # Both notices have the same cause; this one says more about it.
                notices = [pixel_text]
        set_text_or_hide(self.size_label, size_text)
        set_text_or_hide(self.lengths_notice, "\n".join(notices))
        self.lengths_button.setVisible(bool(notices))

    def preset_consensus(self) -> None:
        """Preset a new consensus as targets, and check the layers that it was made of.

        A consensus is offered once, and never replaces a target layer that the user selected.
        """
        new_layers = [
            layer
            for layer in polygon_layers(include_results=True)
            if read_output_id(layer) == CONSENSUS.id and layer.id() not in self._known_consensus_ids
        ]
        self._known_consensus_ids.update(layer.id() for layer in new_layers)
        if not new_layers or self.target_picker.is_chosen:
            return
        consensus = max(new_layers, key=_run_time)
        record = read_provenance(consensus)
        inputs = {} if record is None else record.inputs
        input_ids = set(find_input_layers(inputs, QgsProject.instance()).values())
        part_ids = [layer.id() for layer in crown_layers() if layer.id() in input_ids]
        if part_ids:
            self.target_picker.select_layer(consensus.id())
            self.delineation_list.check_layers(tuple(part_ids))

    def other_layer_ids(self) -> Sequence[str]:
        """Return the ids of the checked delineation layers."""
        checked_ids: tuple[str, ...] = self.field(DELINEATIONS).checked_ids()
        return checked_ids

    def set_roles(self, targets: str, other: str) -> None:
        """Select the target layer and check one delineation layer, both by id."""
        self.target_picker.select_layer(targets)
        self.delineation_list.check_layers((other,))

    def settings_labels(self, settings: Settings) -> tuple[str, ...]:
        """Return labels of the settings that the scores of a run depend on.

        Several delineation layers are only counted: the results name the displayed layer.

        Args:
            settings: Settings of the run.
        """
        layer_ids = settings[DELINEATIONS]
        if len(layer_ids) > 1:
            layers_text = tr("{count:,} layers", one="1 layer", count=len(layer_ids))
        else:
            layers_text = layer_name(layer_ids[0])
        labels = self.answer_labels(
            settings,
            undefined=tr("precision, F1, penalised mean"),
            other_label=tr("delineations: {layer}", layer=layers_text),
        )
        labels += (tr("preset: {preset}", preset=PRESET.label_of(settings[PRESET])),)
        if _has_regions(settings):
            labels += (tr("pairing: {pairing}", pairing=PAIRING.label_of(settings[PAIRING])),)
        return labels

    def run_label(self) -> str:
        """Return the label of the Run button."""
        return tr(
            "Score {count:,} layers",
            one="Score",
            count=max(len(self.delineation_list.checked_ids()), 1),
        )

    def run_problem(self) -> str:
        """Return why nothing can be scored, in a sentence; "" if it can."""
        settings = self.settings()
        target_layer = self.target_picker.layer()
        if target_layer is None:
            return tr("Select a target layer first.")
        if not settings[DELINEATIONS]:
            return tr(
                "Tick at least one delineation layer first. A second polygon layer is needed."
            )
        crown_problem = _target_crowns_problem(target_layer, settings[SELECTED_ONLY])
        if crown_problem:
            return crown_problem

        if _adds_layers(settings):
            destination_problem = self.result_file_field.file_problem_message()
        else:
            destination_problem = _field_problem(target_layer)
        if destination_problem:
            return destination_problem
        if settings[PRESET] == IDTREES and settings[IMAGE_EXTENT].kind == "none":
            return missing_plots_message()
        return ""


def _run_time(layer: QgsVectorLayer) -> str:
    """Return the time of the run that made a layer, as a text that sorts by time; "" if unknown."""
    record = read_provenance(layer)
    return "" if record is None else record.display_text_of("time")


def _create_advanced_group() -> FormGroup:
    """Return the collapsed group with the rarely changed parameters."""
    return FormGroup(
        tr("Advanced"),
        (
            ParameterRow(PAIRING, is_enabled=_has_regions),
            ParameterRow(SEARCH_RADIUS, is_enabled=_uses_search_radius),
            ParameterRow(CORNER_STYLE, is_enabled=_has_regions),
            ParameterRow(SPREAD_FIELD, is_enabled=_has_regions),
            ParameterRow(WARPED_TARGETS, is_enabled=_has_regions),
            SCORE_FIELD,
            ParameterRow(SCORE_THRESHOLD, is_enabled=lambda settings: bool(settings[SCORE_FIELD])),
            RANDCROWNS_THRESHOLD,
            *PROBLEM_LIMITS,
            IMAGE_EXTENT,
            SELECTED_ONLY,
            *class_parameter_rows(CLASSES),
        ),
        collapsed=True,
    )


def _target_crowns_problem(target_layer: QgsVectorLayer, selected_only: bool) -> str:
    """Return why a target layer has no crowns to score; "" if it has some.

    Args:
        target_layer: The target layer.
        selected_only: True if only its selected crowns are scored.
    """
    if target_layer.featureCount() == 0:
        return tr(
            "Layer {name} has no crowns. Select another target layer.", name=target_layer.name()
        )
    if selected_only and not target_layer.selectedFeatureCount():
        return tr("No crown is selected in layer {name}.", name=target_layer.name())
    return ""


def _field_problem(layer: QgsVectorLayer) -> str:
    """Return why the scores cannot be written to new fields of a layer; "" if they can."""
    capability = QgsVectorDataProvider.Capability.AddAttributes
    if layer.readOnly() or not layer.dataProvider().capabilities() & capability:
        return tr(
            "Layer {name} cannot take new fields; choose new layers instead.", name=layer.name()
        )
    return ""


def _adds_layers(settings: Settings) -> bool:
    """Return True if the scores are added as new layers."""
    return bool(settings[DESTINATION] == NEW_LAYERS)


def _has_regions(settings: Settings) -> bool:
    """Return True if the scores use regions of the targets.

    The preset of the competition IDTReeS uses none, and pairs crowns by its own rule.
    """
    return settings[PRESET] != IDTREES


def _uses_search_radius(settings: Settings) -> bool:
    """Return True if the search radius affects the pairing."""
    return _has_regions(settings) and settings[PAIRING] in _PAIRINGS_BY_DISTANCE


def _first_with_scores(layers: Iterable[QgsVectorLayer]) -> QgsVectorLayer | None:
    """Return the first layer with numeric fields besides keys, else the first layer, or None."""
    all_layers = list(layers)
    layers_with_scores = [layer for layer in all_layers if numeric_fields(layer)]
    candidates = layers_with_scores or all_layers
    return candidates[0] if candidates else None
