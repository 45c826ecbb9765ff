"""The upper half of page Score: what is scored, how, and where the scores go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qgis.core import QgsVectorDataProvider, QgsVectorLayer

from randcrowns.algorithms.choice import Flag, OneOf, Option
from randcrowns.algorithms.choices import CORNERS, IDTREES, IMAGE_EXTENT, PRESET, TARGETS
from randcrowns.algorithms.scoring.choices import (
    ALL_DRAWN,
    DELINEATIONS,
    GROUP_FIELD,
    PAIRING,
    PROBLEM_LIMITS,
    RANDCROWNS_THRESHOLD,
    SCORE_FIELD,
    SCORE_THRESHOLD,
    SEARCH_RADIUS,
    plots_needed,
)
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.layers.words import tr
from randcrowns.ui.scoring.lengths import LengthsField
from randcrowns.ui.services.layer_facts import name_of, numeric_fields, vector_layer
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.comparing import ComparingForm
from randcrowns.ui.widgets.boxes import LayerPicker
from randcrowns.ui.widgets.choice_form import Part, Row
from randcrowns.ui.widgets.editors import FILE, REPLACE, editor_in
from randcrowns.ui.widgets.fields import RadioField
from randcrowns.ui.widgets.layer_checklist import LayerChecklist

NEW_LAYERS, FIELDS = "new_layers", "fields"
#: Targets up to which the dock keeps their regions: some 16 kB of each, which nobody would look for.
MOST_REGIONS = 5_000
#: Of the dock alone; the toolbox asks for each output, and for selected features beside the layer.
DESTINATION = OneOf(
    "destination",
    tr("Output"),
    options=(
        Option(
            NEW_LAYERS,
            tr("New layers"),
            tr(
                "Scored copies, and the regions of up to {most:,} targets, in a group of their own. Your layers stay "
                "as they are.",
                most=MOST_REGIONS,
            ),
        ),
        Option(
            FIELDS,
            tr("Fields of the target layer"),
            tr(
                "Writes the scores beside the target layer's own fields, as one step that can be undone; the layer is "
                "left in edit mode for you to save or discard."
            ),
        ),
    ),
)
SELECTED_ONLY = Flag(
    "selected_only",
    tr("Selected targets only"),
    tr("Score only the crowns selected in the target layer."),
)
_BY_DISTANCE = tuple(pairing.value for pairing in Pairing if pairing.by_distance)


class ScoreForm(ComparingForm):
    """Edits the choices of a scoring run."""

    def __init__(self) -> None:
        self.lengths, self.destination = LengthsField(), RadioField(DESTINATION)
        self.make_ready()
        super().__init__(
            *(TARGETS, GROUP_FIELD, ALL_DRAWN),
            (
                Part(
                    tr("What"),
                    (
                        Row(TARGETS, wide=True),
                        Row(DELINEATIONS, wide=True, beside=self.swap),
                        *(self.swapped, GROUP_FIELD, ALL_DRAWN, self.why_partial),
                    ),
                ),
                Part(tr("How"), (self.lengths,)),
                Part(
                    tr("More"),
                    (
                        Row(PAIRING, enabled=_has_regions),
                        Row(
                            SEARCH_RADIUS,
                            enabled=lambda settings: (
                                _has_regions(settings) and settings[PAIRING] in _BY_DISTANCE
                            ),
                        ),
                        Row(CORNERS, enabled=_has_regions),
                        SCORE_FIELD,
                        Row(SCORE_THRESHOLD, enabled=lambda settings: bool(settings[SCORE_FIELD])),
                        RANDCROWNS_THRESHOLD,
                        *PROBLEM_LIMITS,
                        IMAGE_EXTENT,
                        SELECTED_ONLY,
                    ),
                    folded=True,
                ),
                Part(
                    DESTINATION.label,
                    (
                        Row(DESTINATION, labelled=False),
                        Row(FILE, shown=_is_new),
                        Row(REPLACE, shown=_is_new),
                    ),
                ),
            ),
            {**self.lengths.editors, DESTINATION: editor_in(self.destination)},
        )
        self.target: LayerPicker = self.field(TARGETS)
        self.delineations: LayerChecklist = self.field(DELINEATIONS)

    def pick_other(self, layer: QgsVectorLayer | None) -> None:
        delineations: LayerChecklist = self.field(DELINEATIONS)
        delineations.leave_out(self.field(TARGETS).layer_id())
        if layer is not None:
            delineations.check_unless_chosen((layer.id(),))
            if not delineations.checked_ids():
                delineations.check((layer.id(),))

    def pass_on(self, settings: Settings) -> None:
        """The target is not its own delineation; detectors' scores are in fields of the delineations."""
        delineations: LayerChecklist = self.field(DELINEATIONS)
        self.keep_apart()
        delineations.leave_out(settings[TARGETS])
        self.offer_fields(
            SCORE_FIELD, _with_scores(filter(None, map(vector_layer, delineations.checked_ids())))
        )
        self.preset_for(settings[TARGETS], delineations.checked_ids())
        self.preset(PRESET, self._compared.preset(settings[TARGETS]))

    def others(self) -> Sequence[str]:
        checked: tuple[str, ...] = self.field(DELINEATIONS).checked_ids()
        return checked

    def pick_sides(self, targets: str, other: str) -> None:
        self.target.pick(targets)
        self.delineations.check((other,))

    def decided_by(self, settings: Settings) -> tuple[str, ...]:
        """What the scores of a run depend on; of several delineation layers the one on show is named above them."""
        one, *more = settings[DELINEATIONS]
        layers = (
            tr("{count:,} layers", one="1 layer", count=len(more) + 1) if more else name_of(one)
        )
        told = [
            tr("delineations: {layer}", layer=layers),
            tr("preset: {preset}", preset=PRESET.label_of(settings[PRESET])),
        ]
        if _has_regions(settings):
            told.append(tr("pairing: {pairing}", pairing=PAIRING.label_of(settings[PAIRING])))
        first = self.decided(settings, tr("precision, F1, penalised mean"), told[0])
        return (*first, *told[1:])

    def what_run_does(self) -> str:
        return tr(
            "Score {count:,} layers",
            one="Score",
            count=max(len(self.delineations.checked_ids()), 1),
        )

    def why_not(self) -> str:
        settings, target = self.settings(), self.target.layer()
        new_layers = settings[DESTINATION] == NEW_LAYERS
        if target is None:
            return tr("Pick a target layer first.")
        if not settings[DELINEATIONS]:
            return tr(
                "Check at least one delineation layer first; a second polygon layer is needed."
            )
        if target.featureCount() == 0:
            return tr("Layer {name} has no crowns; pick another target layer.", name=target.name())
        if settings[SELECTED_ONLY] and not target.selectedFeatureCount():
            return tr("No crown is selected in layer {name}.", name=target.name())
        if not new_layers and not _can_take_fields(target):
            return tr(
                "Layer {name} cannot take new fields; choose new layers instead.",
                name=target.name(),
            )
        if new_layers and self.kept_in.why_not():
            return self.kept_in.why_not()
        if settings[PRESET] == IDTREES and settings[IMAGE_EXTENT].kind == "none":
            return plots_needed()
        return ""


def _is_new(settings: Settings) -> bool:
    return bool(settings[DESTINATION] == NEW_LAYERS)


def _has_regions(settings: Settings) -> bool:
    """The competition's preset brings its own pairing and regions."""
    return settings[PRESET] != IDTREES


def _can_take_fields(layer: QgsVectorLayer) -> bool:
    needed = QgsVectorDataProvider.Capability.AddAttributes
    return not layer.readOnly() and bool(layer.dataProvider().capabilities() & needed)


def _with_scores(layers: Iterable[QgsVectorLayer]) -> QgsVectorLayer | None:
    """The first layer with numeric fields beyond its keys, else the first."""
    return max(layers, key=lambda layer: len(numeric_fields(layer)) > 0, default=None)
