"""Form of page Detectors: the layers of detectors and annotators, and the parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from qgis.core import QgsMapLayer, QgsVectorLayer

from randcrowns.algorithms.choice import Option
from randcrowns.algorithms.choices import ANNOTATOR_FIELD, CORNERS, LENGTHS, MARK_VALUE, OWN
from randcrowns.algorithms.detectors.choices import (
    ALL_DRAWN,
    ANNOTATORS,
    BAND,
    CERTAINTY,
    CROWN_PRESET,
    CROWN_SCORE,
    CROWN_THRESHOLD,
    DETECTORS,
    DRAWS,
    GROUP_FIELD,
    HIGH,
    IGNORED,
    LINES,
    LOW,
    MADE_TRUTHS,
    POINTS,
    RESOLUTION,
    RULE,
    SCORE_FIELD,
    SKEW,
    STAPLE_PRIOR,
    STUDY_AREA,
    TILE_SIDE,
    TOLERANCE,
    TRAINING,
    TRUTHS,
    UNITS,
)
from randcrowns.algorithms.estimation import (
    ASSIGN_CONSENSUS,
    CLIPPED,
    CURVATURE,
    PRIOR_VALUE,
    ROUNDS,
    SIMPLE_A,
    SIMPLE_RULE,
)
from randcrowns.algorithms.images import IMAGES
from randcrowns.algorithms.layer_choice import AreaValue, is_raster
from randcrowns.layers.raster.marks import holds_marks
from randcrowns.layers.vector.guesses import SCORES, score_field, usual_area
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import (
    Compared,
    LayerCheck,
    drawings,
    lie_in_pixels,
    numeric_fields,
    polygon_layers,
    raster_layers,
    usual_annotators,
    vector_layer,
)
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.choice_form import ChoiceForm, Line, Part, Row
from randcrowns.ui.widgets.colours import WARN
from randcrowns.ui.widgets.editors import FILE, REPLACE, editor_in
from randcrowns.ui.widgets.layer_checklist import LayerChecklist, offer_people
from randcrowns.ui.widgets.parts import tell, wrapped


class DetectorForm(ChoiceForm):
    """Form with the parameters of a ranking of detectors."""

    def __init__(self) -> None:
        check = LayerCheck()
        self.detectors = LayerChecklist(
            check, _detector_candidates, tr("Check it to rank it as a detector.")
        )
        self.annotators = LayerChecklist(
            check, drawings, tr("Check it to compare the detectors with this annotator.")
        )
        #: Layers that are ground truths as they are.
        self.truths = LayerChecklist(
            check, _truth_candidates, tr("Check it to compare the detectors with it as it is.")
        )
        #: Field with the detectors' scores.
        self.scores = OptionBox()
        #: Field with the annotators' names, if all annotators are in one layer.
        self.person = OptionBox()
        #: Reason for the assumption that only some crowns were drawn.
        self.why_partial = wrapped(tone=WARN)
        self._compared = Compared()
        super().__init__(
            (self._layers_group(), _advanced_group(), Part(tr("Output"), (FILE, REPLACE))),
            {
                DETECTORS: editor_in(self.detectors),
                ANNOTATORS: editor_in(self.annotators),
                SCORE_FIELD: editor_in(self.scores),
                ANNOTATOR_FIELD: editor_in(self.person),
                MADE_TRUTHS: editor_in(self.truths),
            },
            check,
        )

    def what_run_does(self) -> str:
        """Return the label of the Run button: what a run ranks."""
        layer_count = len(self.detectors.checked_ids())
        if self.settings()[IMAGES]:
            return tr("Rank {count} rasters of several images", count=layer_count)
        if layer_count == 0:
            return tr("Rank")
        if layer_count == 1:
            return tr("Score the detector")
        return tr("Rank {count:,} detectors", one="Rank 1 detector", count=layer_count)

    def why_not(self) -> str:
        """Return the reason why no ranking can be made, or "" if one can be made."""
        return self.kept_in.why_not()

    def pass_on(self, settings: Settings) -> None:
        """Check the layers that are probably detectors and annotators, and offer their fields.

        A layer that is checked in one list is not offered in the next. Presets the study area,
        the annotator field, and the parameters of crowns.
        """
        self.detectors.check_unless_chosen(_guess_detectors())
        detector_ids = self.detectors.checked_ids()
        self.annotators.leave_out(*detector_ids, *self.truths.checked_ids())
        area_ids = (*settings[STUDY_AREA].layer_ids, settings[TRAINING])
        self.annotators.check_unless_chosen(usual_annotators(*detector_ids, *area_ids))
        annotator_ids = self.annotators.checked_ids()
        self.truths.leave_out(*detector_ids, *annotator_ids)

        area_id = usual_area(*detector_ids, *annotator_ids)
        self.preset(STUDY_AREA, AreaValue("layer" if area_id else "none", area_id))
        self._offer_score_fields(detector_ids)
        self.show_row(ANNOTATOR_FIELD, offer_people(self.person, annotator_ids))
        self.preset(ANNOTATOR_FIELD, self.person.usual)
        in_pixels = lie_in_pixels((*detector_ids, *annotator_ids))
        self.field(TOLERANCE).setSuffix(f" {TOLERANCE.unit_of(in_pixels)}")
        self._preset_crowns()

    def _layers_group(self) -> Part:
        """Return the group with the layers, their fields and the study area."""
        return Part(
            tr("Layers"),
            (
                Row(DETECTORS, wide=True),
                SCORE_FIELD,
                Row(ANNOTATORS, wide=True),
                ANNOTATOR_FIELD,
                STUDY_AREA,
                Row(GROUP_FIELD, shown=_has_polygons),
                Row(ALL_DRAWN, shown=_has_polygons, enabled=_counts_crowns),
                self.why_partial,
            ),
        )

    def _offer_score_fields(self, detector_ids: Iterable[str]) -> None:
        """Offer the numeric fields of the detectors, those named like a score first."""
        names = dict.fromkeys(
            name for layer in _vector_layers(detector_ids) for name in numeric_fields(layer)
        )

        def sort_key(name: str) -> tuple[bool, str]:
            return not name.lower().startswith(SCORES), name.lower()

        self.scores.offer(Option(name, name) for name in sorted(names, key=sort_key))
        self.show_row(SCORE_FIELD, bool(names))

    def _preset_crowns(self) -> None:
        """Preset the plot field, whether all crowns were drawn, and the lengths of RandCrowns.

        The annotator layer with the most features decides. Without a plot field that all layers
        have, no plot field is preset.
        """
        annotator_ids = self.annotators.checked_ids()
        detector_ids = self.detectors.checked_ids()
        annotator_layers = _vector_layers(annotator_ids)
        detector_layers = _vector_layers(detector_ids)
        largest_layer = max(annotator_layers, key=QgsVectorLayer.featureCount, default=None)
        largest_id = "" if largest_layer is None else str(largest_layer.id())

        self.offer_fields(GROUP_FIELD, largest_layer)
        plot_field = self._compared.plot_field(largest_id, detector_ids)
        all_have_field = all(
            layer.fields().lookupField(plot_field) >= 0
            for layer in (*annotator_layers, *detector_layers)
        )
        self.preset(GROUP_FIELD, plot_field if all_have_field else "")

        current_field = self.field(GROUP_FIELD).currentField()
        message = self._compared.partial_because(largest_id, detector_ids, current_field)
        self.preset(ALL_DRAWN, message is None)
        self.preset(CROWN_PRESET, self._compared.preset(largest_id))
        tell(self.why_partial, "" if message is None else tr("{why}.", why=message.sentence(tr)))


def _advanced_group() -> Part:
    """Return the group with the parameters that are rarely changed."""
    return Part(
        tr("Advanced"),
        (
            *_comparison_rows(),
            tr("Curve"),
            *_curve_rows(),
            tr("Crowns"),
            *_crown_rows(),
            tr("Certainty"),
            *_certainty_rows(),
            tr("Consensus"),
            *_consensus_rows(),
        ),
        folded=True,
    )


def _comparison_rows() -> tuple[Line, ...]:
    """Return the rows about ground truths, units, and pixels."""
    return (
        Row(TRUTHS, enabled=_counts_areas, wide=True),
        Row(MADE_TRUTHS, enabled=_counts_areas, wide=True),
        UNITS,
        TRAINING,
        IGNORED,
        Row(POINTS, enabled=_counts_crowns),
        Row(RESOLUTION, enabled=_counts_areas),
        BAND,
        Row(TOLERANCE, enabled=_counts_areas),
        Row(LINES, enabled=_counts_areas),
        Row(IMAGES, shown=_has_annotator_rasters, wide=True),
        Row(MARK_VALUE, shown=_has_annotator_rasters),
    )


def _curve_rows() -> tuple[Line, ...]:
    """Return the rows about the skew of P̄-recall curves."""
    return (
        Row(SKEW, enabled=_counts_areas),
        Row(LOW, enabled=_has_own_skew_limits),
        Row(HIGH, enabled=_has_own_skew_limits),
    )


def _crown_rows() -> tuple[Line, ...]:
    """Return the rows about the scores of whole crowns."""
    return (
        Row(CROWN_SCORE, enabled=_counts_crowns),
        Row(CROWN_THRESHOLD, enabled=_counts_crowns),
        Row(CROWN_PRESET, enabled=_uses_randcrowns),
        *(Row(length, shown=_has_own_lengths) for length in LENGTHS),
        Row(CORNERS, enabled=_uses_randcrowns),
    )


def _certainty_rows() -> tuple[Line, ...]:
    """Return the rows about the bootstrap samples."""
    return (
        Row(RULE, enabled=_counts_areas),
        DRAWS,
        Row(TILE_SIDE, enabled=lambda settings: settings[DRAWS] > 0),
        CERTAINTY,
    )


def _consensus_rows() -> tuple[Line, ...]:
    """Return the rows about the methods that make ground truths from annotators."""
    makes_staple = _makes_truth("staple")
    makes_simple = _makes_truth("simple")
    makes_lsml = _makes_truth("lsml")
    return (
        Row(STAPLE_PRIOR, shown=makes_staple, wide=True),
        Row(PRIOR_VALUE, shown=_has_own_prior),
        Row(ASSIGN_CONSENSUS, shown=makes_staple),
        Row(SIMPLE_RULE, shown=makes_simple),
        Row(SIMPLE_A, shown=makes_simple),
        Row(CLIPPED, shown=makes_lsml),
        Row(ROUNDS, shown=makes_lsml),
        Row(CURVATURE, shown=makes_lsml),
    )


def _has_annotator_rasters(settings: Settings) -> bool:
    """Return True if an annotator's layer is a raster."""
    return any(map(is_raster, settings[ANNOTATORS]))


def _has_polygons(settings: Settings) -> bool:
    """Return True if a selected layer is not a raster, or if no layer is selected yet."""
    layer_ids = (*settings[DETECTORS], *settings[ANNOTATORS])
    return not layer_ids or not all(map(is_raster, layer_ids))


def _counts_areas(settings: Settings) -> bool:
    """Return True if detectors are ranked by areas, alone or with whole crowns."""
    return settings[UNITS] != "crowns"


def _counts_crowns(settings: Settings) -> bool:
    """Return True if detectors are ranked by whole crowns, alone or with areas."""
    return settings[UNITS] != "areas"


def _makes_truth(method: str) -> Callable[[Settings], bool]:
    """Return a predicate that is true if a run makes a ground truth with the method.

    The method may make it from all annotators or from those of each bootstrap sample.
    """
    return lambda settings: (
        _counts_areas(settings) and (method in settings[TRUTHS] or settings[RULE] == method)
    )


def _has_own_prior(settings: Settings) -> bool:
    """Return True if STAPLE uses a prior that the user enters."""
    return _makes_truth("staple")(settings) and settings[STAPLE_PRIOR] == "number"


def _has_own_skew_limits(settings: Settings) -> bool:
    """Return True if the user enters the limits of the skew."""
    return _counts_areas(settings) and settings[SKEW] == "own"


def _uses_randcrowns(settings: Settings) -> bool:
    """Return True if whole crowns are matched by RandCrowns."""
    return _counts_crowns(settings) and settings[CROWN_SCORE] == "randcrowns"


def _has_own_lengths(settings: Settings) -> bool:
    """Return True if the user enters the lengths of RandCrowns."""
    return _uses_randcrowns(settings) and settings[CROWN_PRESET] == OWN


def _vector_layers(layer_ids: Iterable[str]) -> list[QgsVectorLayer]:
    """Return the vector layers of the project with these ids; other ids are ignored."""
    layers = [vector_layer(layer_id) for layer_id in layer_ids]
    return [layer for layer in layers if layer is not None]


def _detector_candidates() -> list[QgsMapLayer]:
    """Return the layers that can be detectors: polygons with a numeric field, and rasters."""
    polygons = [layer for layer in polygon_layers() if numeric_fields(layer)]
    return [*polygons, *raster_layers()]


def _truth_candidates() -> list[QgsMapLayer]:
    """Return the layers that can be ground truths, including results of other runs."""
    return [*polygon_layers(made=True), *raster_layers()]


def _guess_detectors() -> tuple[str, ...]:
    """Return the ids of the layers that are probably detectors.

    These are polygon layers with a field named like a score or, if there is none, rasters with
    one band that are not reference masks.
    """
    scored_layers = [layer for layer in polygon_layers() if score_field(layer)]
    score_rasters = [
        layer for layer in raster_layers() if layer.bandCount() == 1 and not holds_marks(layer)
    ]
    return tuple(layer.id() for layer in scored_layers or score_rasters)
