"""Form of page Score: the layers to score, the parameters, and the destination of the scores."""

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
    missing_plots_message,
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

#: Options of :data:`DESTINATION`.
NEW_LAYERS, FIELDS = "new_layers", "fields"
#: Maximum number of targets whose regions the dock adds as a layer. The regions of one target
#: take about 16 kB.
MOST_REGIONS = 5_000
#: Destination of the scores. Only the dock has this parameter: the toolbox has a destination for
#: each output.
DESTINATION = OneOf(
    "destination",
    tr("Output"),
    options=(
        Option(
            NEW_LAYERS,
            tr("New layers"),
            tr(
                "Adds scored copies, and the regions of up to {most:,} targets, in a new group. "
                "Your layers stay as they are.",
                most=MOST_REGIONS,
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
SELECTED_ONLY = Flag(
    "selected_only",
    tr("Selected targets only"),
    tr("Score only the crowns selected in the target layer."),
)
#: Options of PAIRING that use the search radius.
_PAIRINGS_BY_DISTANCE = tuple(pairing.value for pairing in Pairing if pairing.by_distance)


class ScoreForm(ComparingForm):
    """Form with the parameters of a scoring run."""

    def __init__(self) -> None:
        #: Editor of the preset and of alpha, omega and gamma.
        self.lengths = LengthsField()
        #: Editor of the destination.
        self.destination = RadioField(DESTINATION)
        self.make_ready()
        super().__init__(
            TARGETS,
            GROUP_FIELD,
            ALL_DRAWN,
            self._groups(),
            {**self.lengths.editors, DESTINATION: editor_in(self.destination)},
        )
        #: Editor of the target layer.
        self.target: LayerPicker = self.field(TARGETS)
        #: Editor of the delineation layers.
        self.delineations: LayerChecklist = self.field(DELINEATIONS)

    def _groups(self) -> tuple[Part, ...]:
        """Return the groups of the form, from top to bottom."""
        layers = Part(
            tr("Layers"),
            (
                Row(TARGETS, wide=True),
                Row(DELINEATIONS, wide=True, beside=self.swap),
                self.swapped,
                GROUP_FIELD,
                ALL_DRAWN,
                self.why_partial,
            ),
        )
        advanced = Part(
            tr("Advanced"),
            (
                Row(PAIRING, enabled=_has_regions),
                Row(SEARCH_RADIUS, enabled=_uses_search_radius),
                Row(CORNERS, enabled=_has_regions),
                SCORE_FIELD,
                Row(SCORE_THRESHOLD, enabled=lambda settings: bool(settings[SCORE_FIELD])),
                RANDCROWNS_THRESHOLD,
                *PROBLEM_LIMITS,
                IMAGE_EXTENT,
                SELECTED_ONLY,
            ),
            folded=True,
        )
        output = Part(
            DESTINATION.label,
            (
                Row(DESTINATION, labelled=False),
                Row(FILE, shown=_adds_layers),
                Row(REPLACE, shown=_adds_layers),
            ),
        )
        return (layers, Part(tr("Parameters"), (self.lengths,)), advanced, output)

    def pick_other(self, layer: QgsVectorLayer | None) -> None:
        """Check a delineation layer unless the user has checked some; exclude the target layer.

        Args:
            layer: The layer; None if there is none.
        """
        # The base class may call this before its constructor has finished.
        delineations: LayerChecklist = self.field(DELINEATIONS)
        delineations.leave_out(self.field(TARGETS).layer_id())
        if layer is None:
            return
        delineations.check_unless_chosen((layer.id(),))
        if not delineations.checked_ids():
            delineations.check((layer.id(),))

    def pass_on(self, settings: Settings) -> None:
        """Adapt the form to the selected layers.

        The target layer is excluded from the delineations. The fields with detection scores are
        those of a delineation layer.
        """
        delineations: LayerChecklist = self.field(DELINEATIONS)
        self.keep_apart()
        delineations.leave_out(settings[TARGETS])
        checked_layers = filter(None, map(vector_layer, delineations.checked_ids()))
        self.offer_fields(SCORE_FIELD, _first_with_scores(checked_layers))
        self.preset_for(settings[TARGETS], delineations.checked_ids())
        self.preset(PRESET, self._compared.preset(settings[TARGETS]))

    def others(self) -> Sequence[str]:
        """Return the ids of the checked delineation layers."""
        checked_ids: tuple[str, ...] = self.field(DELINEATIONS).checked_ids()
        return checked_ids

    def pick_sides(self, targets: str, other: str) -> None:
        """Select the target layer and check one delineation layer, both by id."""
        self.target.pick(targets)
        self.delineations.check((other,))

    def decided_by(self, settings: Settings) -> tuple[str, ...]:
        """Return labels of the settings that the scores of a run depend on.

        Several delineation layers are only counted: the results name the displayed layer.
        """
        layer_ids = settings[DELINEATIONS]
        if len(layer_ids) > 1:
            layers = tr("{count:,} layers", one="1 layer", count=len(layer_ids))
        else:
            layers = name_of(layer_ids[0])
        labels = [
            *self.decided(
                settings,
                tr("precision, F1, penalised mean"),
                tr("delineations: {layer}", layer=layers),
            ),
            tr("preset: {preset}", preset=PRESET.label_of(settings[PRESET])),
        ]
        if _has_regions(settings):
            labels.append(tr("pairing: {pairing}", pairing=PAIRING.label_of(settings[PAIRING])))
        return tuple(labels)

    def what_run_does(self) -> str:
        """Return the label of the Run button."""
        return tr(
            "Score {count:,} layers",
            one="Score",
            count=max(len(self.delineations.checked_ids()), 1),
        )

    def why_not(self) -> str:
        """Return why nothing can be scored, in a sentence; "" if it can."""
        settings = self.settings()
        target = self.target.layer()
        adds_layers = _adds_layers(settings)
        if target is None:
            return tr("Select a target layer first.")
        if not settings[DELINEATIONS]:
            return tr(
                "Check at least one delineation layer first; a second polygon layer is needed."
            )
        if target.featureCount() == 0:
            return tr(
                "Layer {name} has no crowns. Select another target layer.", name=target.name()
            )
        if settings[SELECTED_ONLY] and not target.selectedFeatureCount():
            return tr("No crown is selected in layer {name}.", name=target.name())
        if not adds_layers and not _can_add_fields(target):
            return tr(
                "Layer {name} cannot take new fields; choose new layers instead.",
                name=target.name(),
            )
        file_problem = self.kept_in.why_not() if adds_layers else ""
        if file_problem:
            return file_problem
        if settings[PRESET] == IDTREES and settings[IMAGE_EXTENT].kind == "none":
            return missing_plots_message()
        return ""


def _adds_layers(settings: Settings) -> bool:
    """Return True if the scores are added as new layers."""
    return bool(settings[DESTINATION] == NEW_LAYERS)


def _has_regions(settings: Settings) -> bool:
    """Return True if the targets have regions; the preset of the competition has none.

    That preset also determines the pairing.
    """
    return settings[PRESET] != IDTREES


def _uses_search_radius(settings: Settings) -> bool:
    """Return True if the search radius affects the pairing."""
    return _has_regions(settings) and settings[PAIRING] in _PAIRINGS_BY_DISTANCE


def _can_add_fields(layer: QgsVectorLayer) -> bool:
    """Return True if fields can be added to a layer."""
    capability = QgsVectorDataProvider.Capability.AddAttributes
    return not layer.readOnly() and bool(layer.dataProvider().capabilities() & capability)


def _first_with_scores(layers: Iterable[QgsVectorLayer]) -> QgsVectorLayer | None:
    """Return the first layer with numeric fields besides keys, else the first layer, or None."""
    return max(layers, key=lambda layer: len(numeric_fields(layer)) > 0, default=None)
