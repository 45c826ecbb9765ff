"""The upper half of page Parameters: whose delineations, which grid, which thresholds."""

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
    """Edits the choices of a grid search."""

    def __init__(self) -> None:
        self.hint, self._compared = wrapped(), Compared()
        super().__init__(
            (
                Part(
                    tr("What"),
                    (
                        Row(ANNOTATORS, wide=True),
                        Row(FIELD_TARGETS, wide=True),
                        GROUP_FIELD,
                        self.hint,
                    ),
                ),
                Part(
                    tr("Sets to try"), (*(Row(choice, wide=True) for choice in GRID_CHOICES), LIMIT)
                ),
                Part(
                    tr("More"),
                    (
                        MOST_LEFT_OUT,
                        MIN_IOU,
                        CORNERS,
                        EXTENT,
                        *(
                            Row(choice, shown=lambda chosen: len(chosen[ANNOTATORS]) == 1)
                            for choice in WARP_CHOICES
                        ),
                    ),
                    folded=True,
                ),
                Part(tr("Output"), (FILE,)),
            )
        )
        self.annotators, self.target = self.field(ANNOTATORS), self.field(FIELD_TARGETS)
        self.target.allow_none(tr("none: each annotator in turn"))

    def what_run_does(self) -> str:
        return tr("Search {count:,} sets", one="Search 1 set", count=_sets(self.settings()))

    def why_not(self) -> str:
        settings = self.settings()
        number = len(settings[ANNOTATORS])
        if few := too_few_annotators(number, bool(settings[FIELD_TARGETS]), settings[WARPS]):
            return few
        for choice in GRID_CHOICES:
            first, last, _ = settings[choice]
            if last < first:
                return tr("The last {name} is below the first.", name=choice.symbol)
        return too_many_sets(_sets(settings)) or self.kept_in.why_not()

    def pass_on(self, settings: Settings) -> None:
        """Offer and check what look like annotators, and offer the fields of the first layer."""
        elsewhere = settings[FIELD_TARGETS]
        annotators = self.field(ANNOTATORS)
        annotators.leave_out(elsewhere)
        annotators.check_unless_chosen(usual_annotators(elsewhere, settings[EXTENT].layer))
        checked = annotators.checked_ids()
        first, *others = [*filter(None, [elsewhere]), *checked] or [""]
        self.offer_fields(GROUP_FIELD, vector_layer(first))
        self.preset(GROUP_FIELD, self._compared.plot_field(first, others))
        self.hint.setVisible(len(checked) == 1)
        said = (
            "One layer only: {count:,} warped copies of it stand for other annotators (see More)."
        )
        one = "One layer only: 1 warped copy of it stands for another annotator (see More)."
        self.hint.setText(tr(said, one=one, count=settings[WARPS]))


def layers_read(settings: Settings) -> tuple[str, ...]:
    """Every layer a run reads."""
    area = settings[EXTENT]
    return (*filter(None, (settings[FIELD_TARGETS], area.layer, area.image)), *settings[ANNOTATORS])


def _sets(settings: Settings) -> int:
    return math.prod(choice.count(settings[choice]) for choice in GRID_CHOICES)
