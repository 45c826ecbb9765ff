"""Form of page Parameters: the annotators, the sets of parameters to try, and the thresholds."""

from __future__ import annotations

import math

from qgis.PyQt.QtWidgets import QPushButton

from randcrowns.algorithms.common_parameters import ANNOTATORS, CORNER_STYLE
from randcrowns.algorithms.tuning.schema.parameters import (
    ALPHAS,
    EXTENT,
    FIELD_TARGETS,
    GRID_PARAMETERS,
    MAX_EXCLUDED,
    MIN_IOU,
    OMEGAS,
    PLOT_FIELD,
    WARP_PARAMETERS,
    WARPS,
    WRONG_PAIR_THRESHOLD,
    annotator_count_message,
    grid_size_message,
)
from randcrowns.core.errors import InputError
from randcrowns.core.tuning.spread import start_from_spread
from randcrowns.layers.localization import error_message, tr
from randcrowns.layers.vector.consensus_spread import find_spread_layer, read_spread
from randcrowns.ui.services.layer_info import LayerComparison, guess_annotator_layers, vector_layer
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.editors import RESULT_FILE
from randcrowns.ui.widgets.parameter_form import FormGroup, ParameterForm, ParameterRow
from randcrowns.ui.widgets.parts import make_wrapped_label, set_text_or_hide


class TuningForm(ParameterForm):
    """Form with the parameters of a grid search."""

    def __init__(self) -> None:
        #: Notice that copies of the only layer replace other annotators.
        self.single_layer_notice = make_wrapped_label()
        #: Button that sets alpha and omega from the spread of a consensus.
        self.spread_button = QPushButton(tr("Start from the spread of a consensus"))
        #: Lengths that the button set, and the layer that they come from.
        self.spread_notice = make_wrapped_label()
        self._compared = LayerComparison()
        super().__init__(self._create_groups())
        #: Editor of the annotators' layers.
        self.annotator_list = self.field(ANNOTATORS)
        #: Editor of the layer with targets measured in the field.
        self.field_target_picker = self.field(FIELD_TARGETS)
        self.field_target_picker.allow_none(tr("none: each annotator in turn"))
        self.spread_button.setToolTip(
            tr(
                "Sets values of alpha and omega around a distance from the consensus. 95 % of the "
                "annotators' outlines lie no farther inside than this, and 95 % no farther outside."
            )
        )
        self.spread_button.clicked.connect(self._start_from_spread)
        self.spread_notice.hide()

    def _create_groups(self) -> tuple[FormGroup, ...]:
        """Return the groups of the form, from top to bottom."""
        grid_rows = [ParameterRow(parameter, wide=True) for parameter in GRID_PARAMETERS]
        warp_rows = [
            ParameterRow(parameter, is_visible=_has_one_annotator) for parameter in WARP_PARAMETERS
        ]
        return (
            FormGroup(
                tr("Layers"),
                (
                    ParameterRow(ANNOTATORS, wide=True),
                    ParameterRow(FIELD_TARGETS, wide=True),
                    PLOT_FIELD,
                    self.single_layer_notice,
                ),
            ),
            FormGroup(
                tr("Sets to try"),
                (self.spread_button, self.spread_notice, *grid_rows, WRONG_PAIR_THRESHOLD),
            ),
            FormGroup(
                tr("Advanced"),
                (MAX_EXCLUDED, MIN_IOU, CORNER_STYLE, EXTENT, *warp_rows),
                collapsed=True,
            ),
            FormGroup(tr("Output"), (RESULT_FILE,)),
        )

    def run_label(self) -> str:
        """Return the label of the Run button."""
        return tr("Search {count:,} sets", one="Search 1 set", count=_set_count(self.settings()))

    def run_problem(self) -> str:
        """Return why no search can be run, in a sentence; "" if it can."""
        settings = self.settings()
        annotator_count = len(settings[ANNOTATORS])
        has_field_targets = bool(settings[FIELD_TARGETS])
        annotator_problem = annotator_count_message(
            annotator_count, has_field_targets, settings[WARPS]
        )
        if annotator_problem:
            return annotator_problem
        for parameter in GRID_PARAMETERS:
            first, last, _ = settings[parameter]
            if last < first:
                return tr("The last {name} is below the first.", name=parameter.symbol)
        grid_problem = grid_size_message(_set_count(settings))
        return grid_problem or self.result_file_field.file_problem_message()

    def update_fields(self, settings: Settings) -> None:
        """Adapt the form to the selected layers.

        Checks the layers that are probably annotators, unless the user has checked some. Offers
        the fields of the first layer as plot field.

        Args:
            settings: Settings that the form shows.
        """
        field_target_id = settings[FIELD_TARGETS]
        # The constructor of the base class calls this before the attributes are set.
        annotator_list = self.field(ANNOTATORS)
        annotator_list.exclude(field_target_id)
        guessed_ids = guess_annotator_layers(field_target_id, settings[EXTENT].layer)
        annotator_list.check_unless_chosen(guessed_ids)
        checked_ids = annotator_list.checked_ids()
        first_id = ""
        other_ids = [layer_id for layer_id in (field_target_id, *checked_ids) if layer_id]
        if other_ids:
            first_id = other_ids.pop(0)
        self.offer_fields(PLOT_FIELD, vector_layer(first_id))
        self.set_default(PLOT_FIELD, self._compared.plot_field(first_id, other_ids))
        self.spread_button.setVisible(find_spread_layer() is not None)
        notice = ""
        if len(checked_ids) == 1:
            notice = tr(
                "One layer only: {count:,} warped copies of it replace other annotators (see "
                "Advanced).",
                one="One layer only: 1 warped copy of it replaces another annotator (see "
                "Advanced).",
                count=settings[WARPS],
            )
        set_text_or_hide(self.single_layer_notice, notice)

    def _start_from_spread(self) -> None:
        """Set the values of alpha and omega from the topmost consensus with a spread."""
        layer = find_spread_layer()
        if layer is None:
            return
        try:
            start = start_from_spread(read_spread(layer))
        except InputError as error:
            set_text_or_hide(self.spread_notice, error_message(error))
            return
        for parameter in (ALPHAS, OMEGAS):
            self.set_value(parameter, start.values_to_try())
        text = tr(
            "{length:.2f} m from the spread of {count:,} crowns of '{layer}'.",
            one="{length:.2f} m from the spread of 1 crown of '{layer}'.",
            length=start.length,
            count=start.n_crowns,
            layer=layer.name(),
        )
        set_text_or_hide(self.spread_notice, text)


def input_layer_ids(settings: Settings) -> tuple[str, ...]:
    """Return the ids of all layers that a run reads."""
    area = settings[EXTENT]
    optional_ids = (settings[FIELD_TARGETS], area.layer, area.image)
    selected_ids = [layer_id for layer_id in optional_ids if layer_id]
    return (*selected_ids, *settings[ANNOTATORS])


def _has_one_annotator(settings: Settings) -> bool:
    """Return True if exactly one annotator is selected."""
    return len(settings[ANNOTATORS]) == 1


def _set_count(settings: Settings) -> int:
    """Return the number of sets of parameters in the grid."""
    return math.prod(parameter.count_numbers(settings[parameter]) for parameter in GRID_PARAMETERS)
