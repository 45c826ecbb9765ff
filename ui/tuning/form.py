"""Form of page Parameters: the annotators, the sets of parameters to try, and the thresholds."""

from __future__ import annotations

import math

from randcrowns.algorithms.choices import ANNOTATORS, CORNERS
from randcrowns.algorithms.tuning.choices import (
    EXTENT,
    FIELD_TARGETS,
    GRID_CHOICES,
    GROUP_FIELD,
    LIMIT,
    MIN_IOU,
    MOST_LEFT_OUT,
    WARP_CHOICES,
    WARPS,
    too_few_annotators,
    too_many_sets,
)
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import Compared, usual_annotators, vector_layer
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.choice_form import ChoiceForm, Part, Row
from randcrowns.ui.widgets.editors import FILE
from randcrowns.ui.widgets.parts import wrapped


class TuningForm(ChoiceForm):
    """Form with the parameters of a grid search."""

    def __init__(self) -> None:
        #: Notice that copies of the only layer replace other annotators.
        self.hint = wrapped()
        self._compared = Compared()
        super().__init__(self._groups())
        #: Editor of the annotators' layers.
        self.annotators = self.field(ANNOTATORS)
        #: Editor of the layer with targets measured in the field.
        self.target = self.field(FIELD_TARGETS)
        self.target.allow_none(tr("none: each annotator in turn"))

    def _groups(self) -> tuple[Part, ...]:
        """Return the groups of the form, from top to bottom."""
        warp_rows = [Row(parameter, shown=_has_one_annotator) for parameter in WARP_CHOICES]
        return (
            Part(
                tr("Layers"),
                (
                    Row(ANNOTATORS, wide=True),
                    Row(FIELD_TARGETS, wide=True),
                    GROUP_FIELD,
                    self.hint,
                ),
            ),
            Part(
                tr("Sets to try"),
                (*(Row(parameter, wide=True) for parameter in GRID_CHOICES), LIMIT),
            ),
            Part(
                tr("Advanced"), (MOST_LEFT_OUT, MIN_IOU, CORNERS, EXTENT, *warp_rows), folded=True
            ),
            Part(tr("Output"), (FILE,)),
        )

    def what_run_does(self) -> str:
        """Return the label of the Run button."""
        return tr("Search {count:,} sets", one="Search 1 set", count=_set_count(self.settings()))

    def why_not(self) -> str:
        """Return why no search can be run, in a sentence; "" if it can."""
        settings = self.settings()
        annotator_count = len(settings[ANNOTATORS])
        has_field_targets = bool(settings[FIELD_TARGETS])
        annotator_problem = too_few_annotators(annotator_count, has_field_targets, settings[WARPS])
        if annotator_problem:
            return annotator_problem
        for parameter in GRID_CHOICES:
            first, last, _ = settings[parameter]
            if last < first:
                return tr("The last {name} is below the first.", name=parameter.symbol)
        return too_many_sets(_set_count(settings)) or self.kept_in.why_not()

    def pass_on(self, settings: Settings) -> None:
        """Adapt the form to the selected layers.

        Checks the layers that are probably annotators, unless the user has checked some. Offers
        the fields of the first layer as plot field.
        """
        field_targets = settings[FIELD_TARGETS]
        # The constructor of the base class calls this before the attributes are set.
        annotators = self.field(ANNOTATORS)
        annotators.leave_out(field_targets)
        annotators.check_unless_chosen(usual_annotators(field_targets, settings[EXTENT].layer))
        checked_ids = annotators.checked_ids()
        layer_ids = [field_targets, *checked_ids] if field_targets else list(checked_ids)
        first_id = layer_ids[0] if layer_ids else ""
        self.offer_fields(GROUP_FIELD, vector_layer(first_id))
        self.preset(GROUP_FIELD, self._compared.plot_field(first_id, layer_ids[1:]))
        self.hint.setVisible(len(checked_ids) == 1)
        self.hint.setText(
            tr(
                "One layer only: {count:,} warped copies of it replace other annotators (see "
                "Advanced).",
                one="One layer only: 1 warped copy of it replaces another annotator (see "
                "Advanced).",
                count=settings[WARPS],
            )
        )


def layers_read(settings: Settings) -> tuple[str, ...]:
    """Return the ids of all layers that a run reads."""
    area = settings[EXTENT]
    optional_ids = (settings[FIELD_TARGETS], area.layer, area.image)
    return (*filter(None, optional_ids), *settings[ANNOTATORS])


def _has_one_annotator(settings: Settings) -> bool:
    """Return True if exactly one annotator is selected."""
    return len(settings[ANNOTATORS]) == 1


def _set_count(settings: Settings) -> int:
    """Return the number of sets of parameters in the grid."""
    return math.prod(parameter.count(settings[parameter]) for parameter in GRID_CHOICES)
