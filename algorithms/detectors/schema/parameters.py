"""Parameters of randcrowns:rankdetectors, its settings and its input checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
from qgis.core import QgsProcessing, QgsRasterLayer, QgsVectorLayer

from randcrowns.algorithms.classes.parameters import CLASS_FIELD as _CLASS_FIELD
from randcrowns.algorithms.classes.parameters import CLASS_GROUPS
from randcrowns.algorithms.common_parameters import ALL_DRAWN as _ALL_DRAWN
from randcrowns.algorithms.common_parameters import (
    ANNOTATOR_FIELD,
    CORNER_STYLE,
    LENGTHS,
    MARK_BAND,
    MARK_COLOUR,
    MARK_VALUE,
    OWN,
    POINTS,
    PRESET,
    REVIEWED,
    VALUES,
    check_annotator_field,
    check_annotators,
    check_layers,
    check_lengths,
    create_study_area,
    find_unused_plot_field,
    read_lengths,
    take_snapshot,
)
from randcrowns.algorithms.common_parameters import ANNOTATORS as _ANNOTATORS
from randcrowns.algorithms.common_parameters import IGNORED_AREAS as _IGNORED
from randcrowns.algorithms.common_parameters import PLOT_FIELD as _PLOT_FIELD
from randcrowns.algorithms.estimation_parameters import (
    ANSWERS,
    CALIBRATION_CUTOFF,
    CONSENSUS_HELP,
    ESTIMATION_PARAMETERS,
    PRIOR,
    check_answers,
    read_estimation,
)
from randcrowns.algorithms.layer_parameters import LayerListParameter, ZoneParameter
from randcrowns.algorithms.multiple_images import (
    IMAGES,
    check_images,
    check_plot_field,
    group_layers_by_image,
)
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    FieldParameter,
    FloatParameter,
    IntegerParameter,
    MultiOptionParameter,
    Option,
    OptionParameter,
    Parameter,
    RunParameters,
    RunSettings,
)
from randcrowns.core.agreement.consensus import (
    AGREEMENT_LEVELS,
    COOKE,
    EACH_ANNOTATOR,
    GROUND_TRUTH_NAMES,
    EstimationOptions,
    reserved_annotator_names,
)
from randcrowns.core.agreement.cooke import read_answers
from randcrowns.core.agreement.votes import MAX_ANNOTATORS
from randcrowns.core.classes.values import check_class_options, parse_class_groups
from randcrowns.core.detectors.checks import (
    check_class_field,
    check_crown_score,
    check_detectors_chosen,
    no_score_field_error,
)
from randcrowns.core.detectors.mean_precision import check_skew_limits
from randcrowns.core.detectors.thinning import MAX_THRESHOLDS, TOLERANCE_SHARE
from randcrowns.core.errors import InputError
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.statistics import CONFIDENCE_LEVEL, DEFAULT_BOOTSTRAP_SAMPLES
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.read import LayerSnapshot
from randcrowns.layers.vector.study_site import Snapshot

DETECTORS = LayerListParameter(
    "detectors",
    tr("Detectors"),
    tr(
        "Rasters with a score per pixel, or polygon layers with a score field. Higher means more "
        "certain; only the order of the scores counts."
    ),
    kind=QgsProcessing.SourceType.TypeMapLayer,
)
SCORE_FIELD = FieldParameter(
    "score_field",
    tr("Score field"),
    tr(
        "Numeric field of the polygon detectors with their score; rasters need none. Polygons "
        "without a score are excluded and counted."
    ),
    default="score",
    optional=True,
    layers_parameter=DETECTORS,
    numeric=True,
)
BAND = IntegerParameter(
    "band",
    tr("Raster band"),
    tr("Number of the band of raster detectors that holds the score, from 1."),
    default=1,
    advanced=True,
    minimum=1,
)
ANNOTATORS = replace(
    _ANNOTATORS,
    help=tr(
        "Polygon layers or rasters, one per annotator. Each of them is a ground truth; the other "
        "ground truths are made from all of them together."
    ),
    kind=QgsProcessing.SourceType.TypeMapLayer,
)
_TRUTHS = {
    key: Option(key, title, CONSENSUS_HELP[key]) for key, title in GROUND_TRUTH_NAMES.items()
}
_TRUTHS_WITHOUT_ANSWERS = {key: option for key, option in _TRUTHS.items() if key != COOKE}
CONSENSUS_METHODS = MultiOptionParameter(
    "consensus_methods",
    tr("Ground truths"),
    tr(
        "Ground truths that the detectors are compared with: each annotator, and consensuses of "
        "all annotators."
    ),
    default=(EACH_ANNOTATOR, *_TRUTHS_WITHOUT_ANSWERS),
    optional=True,
    options=(
        Option(EACH_ANNOTATOR, tr("Each annotator"), tr("The polygons of every annotator alone.")),
        *_TRUTHS_WITHOUT_ANSWERS.values(),
        Option(
            AGREEMENT_LEVELS,
            tr("Every level of agreement"),
            tr("Everything that at least 1, 2, … of the annotators marked."),
        ),
        _TRUTHS[COOKE],
    ),
)
GROUND_TRUTH_LAYERS = LayerListParameter(
    "ground_truth_layers",
    tr("Existing ground truths"),
    tr(
        "Polygon layers or rasters that are used as ground truths unchanged, such as a consensus "
        "from page Annotators. All pixels of a raster except 0 and no data are marked."
    ),
    advanced=True,
    optional=True,
    kind=QgsProcessing.SourceType.TypeMapLayer,
)
STAPLE_PRIOR = replace(PRIOR, name="staple_prior", project_key="prior")
COUNTED_UNITS = OptionParameter(
    "counted_units",
    tr("Counted units"),
    tr("Count the area of the study area, or whole crowns that are detected or not."),
    options=(
        Option(
            "both",
            tr("Areas and crowns"),
            tr("The whole study area; and whole crowns for detectors that are polygons."),
        ),
        Option("areas", tr("Areas only"), tr("The whole study area, in pixels or as exact areas.")),
        Option("crowns", tr("Crowns only"), tr("Whole crowns detected or not, per annotator.")),
    ),
)
SKEW_LIMITS = OptionParameter(
    "skew_limits",
    tr("Skew limits"),
    tr(
        "P̄ is the precision averaged over scenes in which crowns cover between these two shares of "
        "the area (Lampert et al. 2016, Eq. 7)."
    ),
    advanced=True,
    options=(
        Option("own", tr("Two numbers"), tr("The lower and the upper skew limit.")),
        Option(
            "truths", tr("From the ground truths"), tr("Mean ± standard deviation of their skew.")
        ),
    ),
)
MIN_SKEW = FloatParameter(
    "min_skew",
    tr("Lower skew limit"),
    tr("A share of the area, 0 to 1; 0.1 in the source."),
    default=0.1,
    advanced=True,
    maximum=1.0,
    decimals=3,
)
MAX_SKEW = FloatParameter(
    "max_skew",
    tr("Upper skew limit"),
    tr("A share of the area, 0 to 1; 0.5 in the source."),
    default=0.5,
    advanced=True,
    maximum=1.0,
    decimals=3,
)
STUDY_AREA = create_study_area(
    Option(
        "none",
        tr("Automatic"),
        tr(
            "The pixels of the rasters; without a raster the rectangle around all annotators' "
            "polygons."
        ),
    )
)
TRAINING = ZoneParameter(
    "training",
    tr("Training areas"),
    tr("Polygons in which a detector was trained; nothing in them is counted."),
)
IGNORED = replace(
    _IGNORED,
    help=tr(
        "Polygons, such as COCO's crowds (iscrowd). A detected crown without a matching target "
        "does not count if the share of it on such a polygon reaches the threshold of a match. By "
        "area, nothing in these polygons is counted. With a class field, a polygon with a class "
        "counts for crowns of its class only."
    ),
)
RESOLUTION = FloatParameter(
    "resolution",
    tr("Pixel size"),
    tr(
        "Automatic: the pixels of the raster with the largest pixels. Polygons alone are overlaid "
        "exactly, without pixels."
    ),
    advanced=True,
    unit="m",
    minimum_label=tr("automatic"),
)


class _LengthOrPixels(FloatParameter):
    """Length in metres, or in pixels if the layers lie in pixel coordinates."""

    def unit_of(self, in_pixels: bool) -> str:
        """Return the unit of the value, ``px`` for layers in pixel coordinates."""
        return "px" if in_pixels else self.unit

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the value in a run as display text, with the unit of the run."""
        return replace(self, unit=self.unit_of(run_parameters.in_pixels)).format_value(
            run_parameters[self]
        )


TOLERANCE = _LengthOrPixels(
    "tolerance",
    tr("Tolerance"),
    tr(
        "A detection within this distance of the ground truth is right. A marked pixel gets the "
        "highest score within the distance; unmarked pixels within the distance of a marked one "
        "are ignored. Requires pixels. For images without a georeference it is a number of pixels."
    ),
    advanced=True,
    unit="m",
    minimum_label=tr("none"),
)
THIN = BooleanParameter(
    "thin",
    tr("Thin to lines of one pixel"),
    tr(
        "For edges, cracks and other lines: ground truths and detections are thinned to one pixel "
        "(Lampert et al. 2016, IV-C), detections at up to {steps} thresholds. Without a tolerance, "
        "{share:.2%} of the diagonal of the pixels is used. Requires pixels.",
        steps=MAX_THRESHOLDS,
        share=TOLERANCE_SHARE,
    ),
    advanced=True,
)
CROWN_SCORE = OptionParameter(
    "crown_score",
    tr("Crowns matched by"),
    tr("The score that decides whether a detected crown is the annotator's crown."),
    advanced=True,
    options=(
        Option("iou", tr("IoU"), tr("Shared area over joint area.")),
        Option(
            "randcrowns",
            tr("RandCrowns"),
            tr("Tolerates the uncertainty of drawn outlines (Stewart et al. 2021)."),
        ),
    ),
)
CROWN_THRESHOLD = FloatParameter(
    "crown_threshold",
    tr("Matching threshold"),
    tr("Minimum IoU or RandCrowns of a crown that counts as detected, 0.01 to 1."),
    default=0.5,
    advanced=True,
    minimum=0.01,
    maximum=1.0,
)
ALL_DRAWN = replace(
    _ALL_DRAWN,
    label=tr("The annotators drew all crowns in the area"),
    help=tr(
        "Switch off if only some crowns were drawn, as in most field work. A detected crown "
        "without a match is then not judged, since it may be right: precision and AP are n/a, "
        "recall is not affected."
    ),
)
PLOT_FIELD = replace(
    _PLOT_FIELD,
    help=tr(
        "Field of the annotators and the detectors with the plot, or the image. Crowns match only "
        "within their plot; areas are counted together, with rows per plot, and plots are "
        "resampled."
    ),
    layer_parameter=None,
    layers_parameter=ANNOTATORS,
)
CLASS_FIELD = replace(
    _CLASS_FIELD,
    help=tr(
        "Field of the annotators' crowns with the kind of each crown, such as its species. Whole "
        "crowns then also have an average precision per class, and its mean over classes (mAP)."
    ),
    layer_parameter=None,
    layers_parameter=ANNOTATORS,
)
DETECTOR_CLASS_FIELD = FieldParameter(
    "detector_class_field",
    tr("Class of the detectors"),
    tr("Field of the detectors with the class, if its name differs from that of the annotators."),
    advanced=True,
    optional=True,
    layers_parameter=DETECTORS,
)
CROWN_PRESET = replace(
    PRESET.with_options("image_boxes", "field_polygons", OWN), label=tr("RandCrowns preset")
)
RESAMPLED_GROUND_TRUTH = OptionParameter(
    "resampled_ground_truth",
    tr("Resampled ground truth"),
    tr(
        "The ground truth that is made of the annotators of each bootstrap sample. LSML is not "
        "offered because it would take too long."
    ),
    advanced=True,
    options=tuple(_TRUTHS[key] for key in ("0.5", "any", "0.75", "excl-0.5", "staple", "simple")),
)
BOOTSTRAP_SAMPLES = IntegerParameter(
    "bootstrap_samples",
    tr("Bootstrap samples"),
    tr(
        "Number of resamples of annotators and of tiles or plots. A certainty of 95 % requires at "
        "least 20, one of 99 % requires 100."
    ),
    default=DEFAULT_BOOTSTRAP_SAMPLES,
    advanced=True,
    maximum=100_000,
    minimum_label=tr("none"),
)
TILE_SIDE = FloatParameter(
    "tile_side",
    tr("Side of a tile"),
    tr(
        "Tiles should be wider than a crown; whole crowns are resampled by plots if there are any. "
        "Automatic: an eighth of the side of a square as large as the study area, and at least the "
        "median crown's diameter."
    ),
    advanced=True,
    unit="m",
    minimum_label=tr("automatic"),
    decimals=1,
)
CERTAINTY = FloatParameter(
    "certainty",
    tr("Certainty (1 - significance level)"),
    tr(
        "Probability that no detector is wrongly called better, over all pairs of detectors, and "
        "probability with which the intervals of CCO and CCI hold. A correlation is significant if "
        "its p-value is below 1 - certainty."
    ),
    default=CONFIDENCE_LEVEL,
    advanced=True,
    minimum=0.5,
    maximum=1.0,
    decimals=3,
)
#: Parameters of randcrowns:rankdetectors, in the order of the dialog.
RANK_PARAMETERS: tuple[Parameter[Any], ...] = (
    DETECTORS,
    SCORE_FIELD,
    BAND,
    ANNOTATORS,
    ANNOTATOR_FIELD,
    VALUES,
    MARK_VALUE,
    MARK_BAND,
    MARK_COLOUR,
    IMAGES,
    CONSENSUS_METHODS,
    GROUND_TRUTH_LAYERS,
    STAPLE_PRIOR,
    *ESTIMATION_PARAMETERS,
    ANSWERS,
    CALIBRATION_CUTOFF,
    COUNTED_UNITS,
    SKEW_LIMITS,
    MIN_SKEW,
    MAX_SKEW,
    STUDY_AREA,
    TRAINING,
    IGNORED,
    REVIEWED,
    POINTS,
    RESOLUTION,
    TOLERANCE,
    THIN,
    CROWN_SCORE,
    CROWN_THRESHOLD,
    ALL_DRAWN,
    PLOT_FIELD,
    CLASS_FIELD,
    DETECTOR_CLASS_FIELD,
    CLASS_GROUPS,
    CROWN_PRESET,
    *LENGTHS,
    CORNER_STYLE,
    RESAMPLED_GROUND_TRUTH,
    BOOTSTRAP_SAMPLES,
    TILE_SIDE,
    CERTAINTY,
)


@dataclass(frozen=True)
class RankingSettings(RunSettings):
    """Settings of a run that ranks detectors; layers are in dictionaries by their unique names."""

    detectors: dict[str, Snapshot]  #: layers of the detectors.
    annotators: dict[str, Snapshot]  #: layers of the annotators.
    existing_truths: dict[str, Snapshot]  #: existing ground truths.
    randcrowns_parameters: RandCrownsParameters  #: parameters of RandCrowns; lengths in metres.
    #: Plot field that all polygon layers share but that is not selected; "" if there is none.
    unused_plot_field: str
    #: Answers of the annotators for Cooke's weights; None if no ground truth needs them.
    answers: pd.DataFrame | None = None

    @property
    def by_image(self) -> dict[str, RankingSettings]:
        """Settings of each image by its name; the settings themselves, under "", of one image."""
        if not self[IMAGES]:
            return {"": self}
        images = group_layers_by_image(
            self[IMAGES], self.annotators, self.detectors, self.existing_truths
        )
        return {image: self._with_layers(*roles) for image, roles in images.items()}

    def _with_layers(
        self,
        annotators: Mapping[str, Snapshot],
        detectors: Mapping[str, Snapshot],
        made_truths: Mapping[str, Snapshot],
    ) -> RankingSettings:
        """Return the settings with other layers, renamed so that all names are unique.

        Args:
            annotators: layers of the annotators by name.
            detectors: layers of the detectors by name.
            made_truths: layers that are ground truths, by name.
        """
        # The names are in the order of the three groups of layers.
        names = unique_layer_names(list(annotators), list(detectors), list(made_truths))
        first_detector = len(annotators)
        first_truth = first_detector + len(detectors)
        annotator_names = names[:first_detector]
        detector_names = names[first_detector:first_truth]
        truth_names = names[first_truth:]
        return replace(
            self,
            annotators=dict(zip(annotator_names, annotators.values())),
            detectors=dict(zip(detector_names, detectors.values())),
            existing_truths=dict(zip(truth_names, made_truths.values())),
        )

    @property
    def reserved_names(self) -> list[str]:
        """Names that annotators in a field must not have: of detectors and of consensuses."""
        return [*reserved_annotator_names(0), *self.detectors]

    @property
    def detector_class_field(self) -> str:
        """Class field of the detectors; "" without classes."""
        return detector_class_field(self)

    @property
    def counts_areas(self) -> bool:
        """True if areas are counted."""
        return self[COUNTED_UNITS] != "crowns"

    @property
    def counts_crowns(self) -> bool:
        """True if whole crowns are counted."""
        return self[COUNTED_UNITS] != "areas"

    @property
    def estimation(self) -> EstimationOptions:
        """Options of STAPLE, SIMPLE, LSML and Cooke's weights."""
        return read_estimation(self, STAPLE_PRIOR, self.answers)

    @property
    def raster_detectors(self) -> dict[str, RasterSnapshot]:
        """Detectors that are rasters."""
        return _select_rasters(self.detectors)

    @property
    def polygon_annotators(self) -> dict[str, LayerSnapshot]:
        """Annotators that are polygon layers."""
        return _select_polygon_layers(self.annotators)

    @property
    def raster_annotators(self) -> dict[str, RasterSnapshot]:
        """Annotators that are rasters."""
        return _select_rasters(self.annotators)

    @property
    def pixel_rasters(self) -> dict[str, RasterSnapshot]:
        """Rasters that can define the pixels; the one with the largest pixels does.

        They are detectors, annotators, existing ground truths, and the study area and training
        areas if these are rasters without a georeference.
        """
        zones = (self[STUDY_AREA].layer, self[TRAINING])
        return {
            **self.raster_detectors,
            **self.raster_annotators,
            **_select_rasters(self.existing_truths),
            **{
                zone.name: zone
                for zone in zones
                if isinstance(zone, RasterSnapshot) and zone.is_in_pixels
            },
        }

    @property
    def polygon_detectors(self) -> dict[str, LayerSnapshot]:
        """Detectors that are polygon layers."""
        return _select_polygon_layers(self.detectors)


def detector_class_field(run_parameters: Any) -> str:
    """Return the class field of the detectors; "" without classes.

    Args:
        run_parameters: parameters or settings of the run, or of a form, by parameter.
    """
    field = run_parameters[CLASS_FIELD]
    if not field:
        return ""
    return str(run_parameters[DETECTOR_CLASS_FIELD] or field)


def _select_rasters(layers: Mapping[str, Snapshot]) -> dict[str, RasterSnapshot]:
    """Return the layers that are rasters."""
    return {name: layer for name, layer in layers.items() if isinstance(layer, RasterSnapshot)}


def _select_polygon_layers(layers: Mapping[str, Snapshot]) -> dict[str, LayerSnapshot]:
    """Return the layers that are polygon layers."""
    return {name: layer for name, layer in layers.items() if isinstance(layer, LayerSnapshot)}


def unique_layer_names(
    annotators: Sequence[str], detectors: Sequence[str], existing_truths: Sequence[str] = ()
) -> list[str]:
    """Return unique names of the layers of a run.

    Numbers are added to names that occur twice or that a ground truth of all annotators has.

    Args:
        annotators: names of the annotators' layers.
        detectors: names of the detectors' layers.
        existing_truths: names of the existing ground truths.

    Returns:
        Names of the annotators, then of the detectors, then of the existing ground truths.
    """
    reserved = reserved_annotator_names(len(annotators))
    return unique_names([*reserved, *annotators, *detectors, *existing_truths])[len(reserved) :]


def read_settings(run_parameters: RunParameters) -> RankingSettings:
    """Return the settings of a run, with snapshots of its layers; on the main thread only."""
    detectors = run_parameters[DETECTORS]
    annotators = run_parameters[ANNOTATORS]
    existing_truths = run_parameters[GROUND_TRUTH_LAYERS]
    names = iter(
        unique_layer_names(
            [layer.name() for layer in annotators],
            [layer.name() for layer in detectors],
            [layer.name() for layer in existing_truths],
        )
    )
    _, lengths = read_lengths(run_parameters, CROWN_PRESET)
    # The names are in the order of the three groups of layers.
    annotator_snapshots = {next(names): take_snapshot(layer) for layer in annotators}
    detector_snapshots = {next(names): take_snapshot(layer) for layer in detectors}
    truth_snapshots = {next(names): take_snapshot(layer) for layer in existing_truths}
    answers = None
    if _uses_cooke(run_parameters):
        answers = read_answers(run_parameters[ANSWERS])
    return RankingSettings.from_parameters(
        run_parameters,
        annotators=annotator_snapshots,
        detectors=detector_snapshots,
        existing_truths=truth_snapshots,
        randcrowns_parameters=lengths,
        unused_plot_field=_find_unused_plot_field(run_parameters, [*annotators, *detectors]),
        answers=answers,
    )


def _uses_cooke(run_parameters: RunParameters) -> bool:
    """Return True if a run makes a ground truth with Cooke's weights."""
    return run_parameters[COUNTED_UNITS] != "crowns" and COOKE in run_parameters[CONSENSUS_METHODS]


def _find_unused_plot_field(run_parameters: RunParameters, layers: Sequence[Any]) -> str:
    """Return the plot field that all polygon layers share but that is not selected, or ""."""
    polygon_layers = [layer for layer in layers if isinstance(layer, QgsVectorLayer)]
    first_layer = polygon_layers[0] if polygon_layers else None
    field_name = find_unused_plot_field(run_parameters, PLOT_FIELD, first_layer, polygon_layers[1:])
    is_shared = all(field_index(layer.fields(), field_name) >= 0 for layer in polygon_layers)
    return field_name if is_shared else ""


def check_ranking(run_parameters: RunParameters) -> None:
    """Raise an InputError for parameters and layers that cannot be used."""
    detectors = run_parameters[DETECTORS]
    annotators = run_parameters[ANNOTATORS]
    made_truths = run_parameters[GROUND_TRUTH_LAYERS]
    in_pixels = run_parameters.in_pixels
    check_detectors_chosen(detectors)
    if not annotators:
        raise InputError(
            "annotators.no_layer_or_raster",
            "Choose at least one annotator's polygon layer or raster.",
        )
    for layer in detectors:
        _check_detector(run_parameters, layer)
    area_ids = [*TRAINING.ids, *STUDY_AREA.ids_of_layers]
    check_annotators(run_parameters, annotators, *area_ids, rasters=True)
    check_annotator_field(run_parameters[ANNOTATOR_FIELD], annotators)
    ignored = run_parameters.layer(IGNORED)
    reviewed = run_parameters.layer(REVIEWED)
    check_layers(ignored, reviewed, in_pixels=in_pixels)
    polygon_truths = [layer for layer in made_truths if not isinstance(layer, QgsRasterLayer)]
    check_layers(*polygon_truths, in_pixels=in_pixels)
    check_lengths(run_parameters, RESOLUTION, TILE_SIDE)
    check_images(
        run_parameters,
        PLOT_FIELD,
        (annotators, detectors, made_truths),
        unsupported=(),
        maximum_annotators=MAX_ANNOTATORS,
    )
    if in_pixels:
        check_plot_field(run_parameters, PLOT_FIELD, [*annotators, *detectors, *made_truths])
    _check_combination(run_parameters, detectors, annotators)


def _check_detector(run_parameters: RunParameters, layer: Any) -> None:
    """Raise an InputError for a layer that cannot be a detector."""
    if isinstance(layer, QgsRasterLayer):
        _check_score_band(layer, run_parameters[BAND])
        return
    if not isinstance(layer, QgsVectorLayer):
        raise InputError(
            "detectors.neither_raster_nor_polygons",
            "Layer '{name}' is no raster and has no polygons, so it cannot be a detector.",
            name=layer.name(),
        )
    check_layers(layer, in_pixels=run_parameters.in_pixels)
    score_field = run_parameters[SCORE_FIELD]
    index = field_index(layer.fields(), score_field) if score_field else -1
    if index < 0 or not layer.fields().at(index).isNumeric():
        raise no_score_field_error(layer.name(), score_field)


def _check_score_band(layer: QgsRasterLayer, band: int) -> None:
    """Raise an InputError if a raster has no such band, or complex numbers in it."""
    snapshot = RasterSnapshot.from_layer(layer)
    if band > snapshot.n_bands:
        raise InputError(
            "detectors.no_score_band",
            "Raster '{name}' has no band {band} to hold its score (bands: {bands}).",
            name=layer.name(),
            bands=snapshot.n_bands,
            band=band,
        )
    if snapshot.is_complex(band):
        raise InputError(
            "detectors.complex_numbers",
            "Raster '{name}' has complex numbers in band {band}, and those have no order. Save "
            "their magnitude as a raster and use that.",
            name=layer.name(),
            band=band,
        )


def _check_combination(
    run_parameters: RunParameters, detectors: list[Any], annotators: list[Any]
) -> None:
    """Raise an InputError for parameters and layers that cannot be combined.

    Args:
        run_parameters: parameters of the run.
        detectors: map layers of the detectors.
        annotators: map layers of the annotators.
    """
    counts_areas = run_parameters[COUNTED_UNITS] != "crowns"
    counts_crowns = run_parameters[COUNTED_UNITS] != "areas"
    n_raster_detectors = sum(isinstance(layer, QgsRasterLayer) for layer in detectors)
    n_raster_annotators = sum(isinstance(layer, QgsRasterLayer) for layer in annotators)
    if counts_areas and run_parameters[SKEW_LIMITS] == "own":
        check_skew_limits(run_parameters[MIN_SKEW], run_parameters[MAX_SKEW])
    _check_roles(detectors, annotators)

    has_polygon_detector = n_raster_detectors < len(detectors)
    has_polygon_annotator = n_raster_annotators < len(annotators)
    if not counts_areas and not (has_polygon_detector and has_polygon_annotator):
        raise InputError(
            "detectors.raster_for_crowns",
            "Rasters hold no crowns to count. Count areas, or choose polygon layers.",
        )
    if counts_crowns:
        check_crown_score(run_parameters[CROWN_SCORE], run_parameters.in_pixels)
        _check_classes(run_parameters, detectors, annotators)
        check_plot_field(run_parameters, PLOT_FIELD, [*annotators, *detectors])
    if counts_areas:
        _check_areas(
            run_parameters,
            annotators,
            has_raster_detector=n_raster_detectors > 0,
            has_raster_annotator=n_raster_annotators > 0,
        )


def _check_classes(
    run_parameters: RunParameters, detectors: list[Any], annotators: list[Any]
) -> None:
    """Raise an InputError if crowns have no classes that can be compared.

    Args:
        run_parameters: parameters of the run.
        detectors: map layers of the detectors.
        annotators: map layers of the annotators.
    """
    parse_class_groups(run_parameters[CLASS_GROUPS])
    class_field = run_parameters[CLASS_FIELD]
    check_class_options(
        class_field,
        {option.label: run_parameters[option] for option in (CLASS_GROUPS, DETECTOR_CLASS_FIELD)},
        CLASS_FIELD.label,
    )
    check_class_field(
        class_field,
        {layer.name(): _has_field(layer, class_field) for layer in annotators},
        [_has_field(layer, detector_class_field(run_parameters)) for layer in detectors],
        CLASS_FIELD.label,
    )


def _has_field(layer: Any, name: str) -> bool:
    """Return True if a map layer is a vector layer with a field of this name."""
    return isinstance(layer, QgsVectorLayer) and field_index(layer.fields(), name) >= 0


def _check_roles(detectors: list[Any], annotators: list[Any]) -> None:
    """Raise an InputError if a map layer is both a detector and an annotator."""
    annotator_ids = [layer.id() for layer in annotators]
    for layer in detectors:
        if layer.id() in annotator_ids:
            raise InputError(
                "detectors.also_annotator",
                "Layer '{name}' is both a detector and an annotator; it can only be one of them.",
                name=layer.name(),
            )


def _check_areas(
    run_parameters: RunParameters,
    annotators: list[Any],
    has_raster_detector: bool,
    has_raster_annotator: bool,
) -> None:
    """Raise an InputError for parameters with which areas cannot be counted.

    Args:
        run_parameters: parameters of the run.
        annotators: map layers of the annotators.
        has_raster_detector: True if a detector is a raster.
        has_raster_annotator: True if an annotator is a raster.
    """
    if len(annotators) > MAX_ANNOTATORS and IMAGES not in run_parameters:
        raise InputError(
            "annotators.too_many_for_areas",
            "Areas can be compared with at most {most} annotators, not {number}. Choose fewer "
            "annotators.",
            most=MAX_ANNOTATORS,
            number=len(annotators),
        )
    if not run_parameters[CONSENSUS_METHODS]:
        raise InputError("truths.not_chosen", "Choose at least one ground truth.")
    check_answers(run_parameters, _uses_cooke(run_parameters))
    has_pixels = has_raster_detector or has_raster_annotator or run_parameters[RESOLUTION] > 0
    if run_parameters[TOLERANCE] > 0 and not has_pixels:
        raise InputError(
            "tolerance.no_pixel_size",
            "A tolerance requires pixels: give a pixel size, about a quarter of the tolerance.",
        )
    has_raster_truth = any(
        isinstance(layer, QgsRasterLayer) for layer in run_parameters[GROUND_TRUTH_LAYERS]
    )
    if run_parameters[THIN] and not (has_pixels or has_raster_truth):
        raise InputError(
            "thinning.no_pixel_size", "Lines of one pixel require pixels: give a pixel size."
        )
