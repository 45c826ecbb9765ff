"""Form of page Detectors: the layers of detectors and annotators, and the parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from qgis.core import QgsMapLayer, QgsVectorLayer

from randcrowns.algorithms.common_parameters import (
    ANNOTATOR_FIELD,
    CORNER_STYLE,
    LENGTHS,
    MARK_BAND,
    MARK_COLOUR,
    MARK_VALUE,
    OWN,
    REVIEWED,
    VALUES,
)
from randcrowns.algorithms.detectors.schema.parameters import (
    ALL_DRAWN,
    ANNOTATORS,
    BAND,
    BOOTSTRAP_SAMPLES,
    CERTAINTY,
    CLASS_FIELD,
    CLASS_GROUPS,
    CONSENSUS_METHODS,
    COUNTED_UNITS,
    CROWN_PRESET,
    CROWN_SCORE,
    CROWN_THRESHOLD,
    DETECTOR_CLASS_FIELD,
    DETECTORS,
    GROUND_TRUTH_LAYERS,
    IGNORED,
    MAX_SKEW,
    MIN_SKEW,
    PLOT_FIELD,
    POINTS,
    RESAMPLED_GROUND_TRUTH,
    RESOLUTION,
    SCORE_FIELD,
    SKEW_LIMITS,
    STAPLE_PRIOR,
    STUDY_AREA,
    THIN,
    TILE_SIDE,
    TOLERANCE,
    TRAINING,
)
from randcrowns.algorithms.estimation_parameters import (
    ANSWERS,
    ASSIGN_CONSENSUS,
    CALIBRATION_CUTOFF,
    CLIPPED,
    CURVATURE,
    MAX_ITERATIONS,
    PRIOR_VALUE,
    SIMPLE_FACTOR,
    SIMPLE_RULE,
)
from randcrowns.algorithms.layer_parameters import AreaValue, is_raster_id
from randcrowns.algorithms.multiple_images import IMAGES
from randcrowns.algorithms.parameter_types import Option
from randcrowns.core.agreement.consensus import COOKE
from randcrowns.core.field_names import is_score_name
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import count_bands
from randcrowns.layers.raster.masks import is_reference_mask
from randcrowns.layers.vector.guesses import (
    LayerRole,
    crown_layers,
    find_score_field,
    guess_area_layer,
    imported_role,
    offered_polygon_layers,
)
from randcrowns.ui.services.layer_info import (
    LayerCheck,
    LayerComparison,
    annotation_layers,
    any_in_pixels,
    guess_annotator_layers,
    numeric_fields,
    polygon_layers,
    raster_layers,
    vector_layers,
)
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.colours import WARNING_TONE
from randcrowns.ui.widgets.editors import REPLACE_LAST, RESULT_FILE, editor_for_field
from randcrowns.ui.widgets.layer_checklist import LayerChecklist, offer_annotator_fields
from randcrowns.ui.widgets.parameter_form import FormGroup, FormRow, ParameterForm, ParameterRow
from randcrowns.ui.widgets.parts import make_wrapped_label, set_text_or_hide


class DetectorForm(ParameterForm):
    """Form with the parameters of a ranking of detectors."""

    def __init__(self) -> None:
        check = LayerCheck()
        self.detector_list = LayerChecklist(
            check, _detector_candidates, tr("Tick it to rank it as a detector.")
        )
        self.annotator_list = LayerChecklist(
            check, annotation_layers, tr("Tick it to compare the detectors with this annotator.")
        )
        #: Layers that are ground truths as they are.
        self.truth_list = LayerChecklist(
            check, _truth_candidates, tr("Tick it to compare the detectors with it as it is.")
        )
        #: Field with the detectors' scores.
        self.score_box = OptionBox()
        #: Field with the annotators' names, if all annotators are in one layer.
        self.annotator_box = OptionBox()
        #: Reason for the assumption that only some crowns were drawn.
        self.partial_notice = make_wrapped_label(tone=WARNING_TONE)
        self._compared = LayerComparison()
        groups = (
            self._create_layers_group(),
            _create_advanced_group(),
            FormGroup(tr("Output"), (RESULT_FILE, REPLACE_LAST)),
        )
        fields = {
            DETECTORS: self.detector_list,
            ANNOTATORS: self.annotator_list,
            SCORE_FIELD: self.score_box,
            ANNOTATOR_FIELD: self.annotator_box,
            GROUND_TRUTH_LAYERS: self.truth_list,
        }
        editors = {parameter: editor_for_field(field) for parameter, field in fields.items()}
        super().__init__(groups, editors, check)

    def run_label(self) -> str:
        """Return the label of the Run button: what a run ranks."""
        layer_count = len(self.detector_list.checked_ids())
        if self.settings()[IMAGES]:
            return tr("Rank {count} rasters of several images", count=layer_count)
        if layer_count == 0:
            return tr("Rank")
        if layer_count == 1:
            return tr("Score the detector")
        return tr("Rank {count:,} detectors", one="Rank 1 detector", count=layer_count)

    def run_problem(self) -> str:
        """Return the reason why no ranking can be made, or "" if one can be made."""
        return self.result_file_field.file_problem_message()

    def update_fields(self, settings: Settings) -> None:
        """Check the layers that are probably detectors and annotators, and offer their fields.

        Presets the study area, the annotator field, and the parameters of crowns.

        Args:
            settings: Settings that the form shows.
        """
        self._check_layers(settings)
        detector_ids = self.detector_list.checked_ids()
        annotator_ids = self.annotator_list.checked_ids()
        area_id = guess_area_layer(*detector_ids, *annotator_ids)
        self.set_default(STUDY_AREA, AreaValue("layer" if area_id else "none", area_id))
        self._offer_score_fields(detector_ids)
        has_annotator_fields = offer_annotator_fields(self.annotator_box, annotator_ids)
        self.set_row_visible(ANNOTATOR_FIELD, has_annotator_fields)
        self.set_default(ANNOTATOR_FIELD, self.annotator_box.default_key)
        in_pixels = any_in_pixels((*detector_ids, *annotator_ids))
        self.field(TOLERANCE).setSuffix(f" {TOLERANCE.unit_of(in_pixels)}")
        self._preset_crowns()

    def _check_layers(self, settings: Settings) -> None:
        """Check the layers that are probably detectors and annotators, unless the user has.

        A layer that is checked in one list is not offered in the others.

        Args:
            settings: Settings with the layers of areas, which no annotator drew.
        """
        self.detector_list.check_unless_chosen(_guess_detectors())
        detector_ids = self.detector_list.checked_ids()
        self.annotator_list.exclude(*detector_ids, *self.truth_list.checked_ids())
        area_ids = (*settings[STUDY_AREA].layer_ids, settings[TRAINING])
        annotator_layers = guess_annotator_layers(*detector_ids, *area_ids)
        # Without annotators, detectors are compared with the targets of an import.
        self.annotator_list.check_unless_chosen(annotator_layers or _imported_targets())
        annotator_ids = self.annotator_list.checked_ids()
        self.truth_list.exclude(*detector_ids, *annotator_ids)

    def _create_layers_group(self) -> FormGroup:
        """Return the group with the layers, their fields and the study area."""
        return FormGroup(
            tr("Layers"),
            (
                ParameterRow(DETECTORS, wide=True),
                SCORE_FIELD,
                ParameterRow(ANNOTATORS, wide=True),
                ANNOTATOR_FIELD,
                STUDY_AREA,
                ParameterRow(PLOT_FIELD, is_visible=_has_polygons),
                ParameterRow(CLASS_FIELD, is_visible=_has_polygons, is_enabled=_counts_crowns),
                ParameterRow(ALL_DRAWN, is_visible=_has_polygons, is_enabled=_counts_crowns),
                self.partial_notice,
            ),
        )

    def _offer_score_fields(self, detector_ids: Iterable[str]) -> None:
        """Offer the numeric fields of the detectors, those named like a score first."""
        all_names: list[str] = []
        for layer in vector_layers(detector_ids):
            all_names += numeric_fields(layer)
        # A dictionary keeps the order of the names, by which equal keys are sorted.
        names = dict.fromkeys(all_names)

        def sort_key(name: str) -> tuple[bool, str]:
            """Return a key that puts names of scores first, in alphabetical order."""
            return not is_score_name(name), name.lower()

        self.score_box.set_options(Option(name, name) for name in sorted(names, key=sort_key))
        self.set_row_visible(SCORE_FIELD, bool(names))

    def _preset_crowns(self) -> None:
        """Preset the fields of plots and classes, and the parameters of whole crowns.

        The annotator layer with the most features decides. Without a plot field that all layers
        have, no plot field is preset. A notice says so if only some crowns seem to be drawn.
        """
        detector_ids = self.detector_list.checked_ids()
        detector_layers = vector_layers(detector_ids)
        annotator_layers = vector_layers(self.annotator_list.checked_ids())
        largest_layer = max(annotator_layers, key=QgsVectorLayer.featureCount, default=None)
        largest_id = "" if largest_layer is None else str(largest_layer.id())
        self.offer_fields(CLASS_FIELD, largest_layer)
        self.set_default(CLASS_FIELD, self._compared.class_field(largest_id, detector_ids))
        first_detector = detector_layers[0] if detector_layers else None
        self.offer_fields(DETECTOR_CLASS_FIELD, first_detector)

        self.offer_fields(PLOT_FIELD, largest_layer)
        plot_field = self._compared.plot_field(largest_id, detector_ids)
        for layer in (*annotator_layers, *detector_layers):
            if field_index(layer.fields(), plot_field) < 0:
                plot_field = ""
                break
        self.set_default(PLOT_FIELD, plot_field)

        selected_field = self.field(PLOT_FIELD).currentField()
        message = self._compared.partial_drawing_message(largest_id, detector_ids, selected_field)
        self.set_default(ALL_DRAWN, message is None)
        self.set_default(CROWN_PRESET, self._compared.preset_key(largest_id))
        notice = "" if message is None else tr("{why}.", why=message.sentence(tr))
        set_text_or_hide(self.partial_notice, notice)


def _create_advanced_group() -> FormGroup:
    """Return the group with the parameters that are rarely changed."""
    rows: list[FormRow] = list(_comparison_rows())
    # A text is the heading of the rows that follow it.
    rows += [tr("Curve"), *_curve_rows()]
    rows += [tr("Crowns"), *_crown_rows()]
    rows += [tr("Certainty"), *_certainty_rows()]
    rows += [tr("Consensus"), *_consensus_rows()]
    return FormGroup(tr("Advanced"), tuple(rows), collapsed=True)


def _comparison_rows() -> tuple[FormRow, ...]:
    """Return the rows about ground truths, units, and pixels."""
    return (
        ParameterRow(CONSENSUS_METHODS, is_enabled=_counts_areas, wide=True),
        ParameterRow(GROUND_TRUTH_LAYERS, is_enabled=_counts_areas, wide=True),
        COUNTED_UNITS,
        TRAINING,
        IGNORED,
        REVIEWED,
        ParameterRow(POINTS, is_enabled=_counts_crowns),
        ParameterRow(RESOLUTION, is_enabled=_counts_areas),
        BAND,
        ParameterRow(TOLERANCE, is_enabled=_counts_areas),
        ParameterRow(THIN, is_enabled=_counts_areas),
        ParameterRow(IMAGES, is_visible=_has_annotator_rasters, wide=True),
        ParameterRow(VALUES, is_visible=_has_annotator_rasters),
        ParameterRow(MARK_VALUE, is_visible=_takes_mark_value),
        ParameterRow(MARK_COLOUR, is_visible=_takes_mark_colour),
        ParameterRow(MARK_BAND, is_visible=_has_annotator_rasters),
    )


def _curve_rows() -> tuple[FormRow, ...]:
    """Return the rows about the skew of P̄-recall curves."""
    return (
        ParameterRow(SKEW_LIMITS, is_enabled=_counts_areas),
        ParameterRow(MIN_SKEW, is_enabled=_has_own_skew_limits),
        ParameterRow(MAX_SKEW, is_enabled=_has_own_skew_limits),
    )


def _crown_rows() -> tuple[FormRow, ...]:
    """Return the rows about the scores of whole crowns."""
    return (
        ParameterRow(CROWN_SCORE, is_enabled=_counts_crowns),
        ParameterRow(CROWN_THRESHOLD, is_enabled=_counts_crowns),
        ParameterRow(CROWN_PRESET, is_enabled=_uses_randcrowns),
        *(ParameterRow(length, is_visible=_has_own_lengths) for length in LENGTHS),
        ParameterRow(CORNER_STYLE, is_enabled=_uses_randcrowns),
        ParameterRow(DETECTOR_CLASS_FIELD, is_enabled=_uses_detector_classes),
        ParameterRow(CLASS_GROUPS, is_enabled=_uses_class_groups),
    )


def _certainty_rows() -> tuple[FormRow, ...]:
    """Return the rows about the bootstrap samples."""
    return (
        ParameterRow(RESAMPLED_GROUND_TRUTH, is_enabled=_counts_areas),
        BOOTSTRAP_SAMPLES,
        ParameterRow(TILE_SIDE, is_enabled=lambda settings: settings[BOOTSTRAP_SAMPLES] > 0),
        CERTAINTY,
    )


def _consensus_rows() -> tuple[FormRow, ...]:
    """Return the rows about the methods that make ground truths from annotators."""
    makes_staple = _makes_truth("staple")
    makes_simple = _makes_truth("simple")
    makes_lsml = _makes_truth("lsml")
    makes_cooke = _makes_truth(COOKE)
    return (
        ParameterRow(STAPLE_PRIOR, is_visible=makes_staple, wide=True),
        ParameterRow(PRIOR_VALUE, is_visible=_has_own_prior),
        ParameterRow(ASSIGN_CONSENSUS, is_visible=makes_staple),
        ParameterRow(SIMPLE_RULE, is_visible=makes_simple),
        ParameterRow(SIMPLE_FACTOR, is_visible=makes_simple),
        ParameterRow(CLIPPED, is_visible=makes_lsml),
        ParameterRow(MAX_ITERATIONS, is_visible=makes_lsml),
        ParameterRow(CURVATURE, is_visible=makes_lsml),
        ParameterRow(ANSWERS, is_visible=makes_cooke),
        ParameterRow(CALIBRATION_CUTOFF, is_visible=makes_cooke),
    )


def _takes_mark_value(settings: Settings) -> bool:
    """Return True if the values of rasters are compared with a value."""
    return _has_annotator_rasters(settings) and settings[VALUES] in (
        "automatic",
        "threshold",
        "value",
    )


def _takes_mark_colour(settings: Settings) -> bool:
    """Return True if the pixels of a colour are marked."""
    return _has_annotator_rasters(settings) and settings[VALUES] == "colour"


def _has_annotator_rasters(settings: Settings) -> bool:
    """Return True if an annotator's layer is a raster."""
    return any(map(is_raster_id, settings[ANNOTATORS]))


def _has_polygons(settings: Settings) -> bool:
    """Return True if a selected layer is not a raster, or if no layer is selected yet."""
    layer_ids = (*settings[DETECTORS], *settings[ANNOTATORS])
    return not layer_ids or not all(map(is_raster_id, layer_ids))


def _counts_areas(settings: Settings) -> bool:
    """Return True if detectors are ranked by areas, alone or with whole crowns."""
    return settings[COUNTED_UNITS] != "crowns"


def _counts_crowns(settings: Settings) -> bool:
    """Return True if detectors are ranked by whole crowns, alone or with areas."""
    return settings[COUNTED_UNITS] != "areas"


def _makes_truth(method: str) -> Callable[[Settings], bool]:
    """Return a predicate that is true if a run makes a ground truth with the method.

    The method may make it from all annotators or from those of each bootstrap sample.
    """
    return lambda settings: (
        _counts_areas(settings)
        and (method in settings[CONSENSUS_METHODS] or settings[RESAMPLED_GROUND_TRUTH] == method)
    )


def _has_own_prior(settings: Settings) -> bool:
    """Return True if STAPLE uses a prior that the user enters."""
    return _makes_truth("staple")(settings) and settings[STAPLE_PRIOR] == "number"


def _has_own_skew_limits(settings: Settings) -> bool:
    """Return True if the user enters the limits of the skew."""
    return _counts_areas(settings) and settings[SKEW_LIMITS] == "own"


def _uses_detector_classes(settings: Settings) -> bool:
    """Return True if the class field of the detectors has an effect, or is refused by a run."""
    return _counts_crowns(settings) and bool(
        settings[CLASS_FIELD] or settings[DETECTOR_CLASS_FIELD]
    )


def _uses_class_groups(settings: Settings) -> bool:
    """Return True if the groups of classes have an effect, or are refused by a run."""
    return _counts_crowns(settings) and bool(settings[CLASS_FIELD] or settings[CLASS_GROUPS])


def _uses_randcrowns(settings: Settings) -> bool:
    """Return True if whole crowns are matched by RandCrowns."""
    return _counts_crowns(settings) and settings[CROWN_SCORE] == "randcrowns"


def _has_own_lengths(settings: Settings) -> bool:
    """Return True if the user enters the lengths of RandCrowns."""
    return _uses_randcrowns(settings) and settings[CROWN_PRESET] == OWN


def _detector_candidates() -> list[QgsMapLayer]:
    """Return the layers that can be detectors: polygons with a numeric field, and rasters."""
    polygons = [layer for layer in polygon_layers() if numeric_fields(layer)]
    return [*polygons, *raster_layers()]


def _truth_candidates() -> list[QgsMapLayer]:
    """Return the layers that can be ground truths, including consensuses."""
    return [*offered_polygon_layers(), *raster_layers()]


def _imported_targets() -> tuple[str, ...]:
    """Return the ids of the polygon layers that were imported as targets."""
    return tuple(
        layer.id() for layer in polygon_layers() if imported_role(layer) is LayerRole.TARGETS
    )


def _guess_detectors() -> tuple[str, ...]:
    """Return the ids of the layers that are probably detectors.

    These are polygon layers with a field named like a score or, if there is none, rasters with
    one band that are not reference masks.
    """
    detectors: list[QgsMapLayer] = [layer for layer in crown_layers() if find_score_field(layer)]
    if not detectors:
        single_bands = [layer for layer in raster_layers() if count_bands(layer) == 1]
        detectors = [layer for layer in single_bands if not is_reference_mask(layer)]
    return tuple(layer.id() for layer in detectors)
