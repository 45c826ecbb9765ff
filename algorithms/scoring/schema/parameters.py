"""Parameters of the algorithms that score crowns and draw their regions, and checks of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from qgis.core import QgsVectorLayer

from randcrowns.algorithms import common_parameters
from randcrowns.algorithms.classes.parameters import ClassParameters
from randcrowns.algorithms.layer_parameters import LayerListParameter
from randcrowns.algorithms.parameter_types import (
    FieldParameter,
    FloatParameter,
    IntegerParameter,
    Option,
    OptionParameter,
    RunParameters,
    RunSettings,
)
from randcrowns.core.classes.summarise import SummariseBy
from randcrowns.core.review.problems import ProblemLimits
from randcrowns.core.scoring.checks import (
    idtrees_with_spread_error,
    idtrees_with_warped_targets_error,
    idtrees_within_classes_error,
    no_delineations_error,
    no_plot_field_error,
    no_plots_error,
    no_scores_error,
    no_spread_field_error,
)
from randcrowns.core.scoring.layer import RANDCROWNS_THRESHOLD as DEFAULT_THRESHOLD
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import error_message, tr

DELINEATIONS = LayerListParameter(
    "delineations",
    tr("Delineations"),
    tr(
        "One or more polygon layers. Each is scored against the targets separately, in fields "
        "named after the layer."
    ),
    offers_results=True,
    counted_label=tr("Delineation layers"),
)
PAIRING = OptionParameter(
    "pairing",
    tr("Pairing"),
    tr("Which delineation belongs to which target. The IDTReeS preset has a pairing of its own."),
    options=(
        Option(
            Pairing.NEAREST.value,
            tr("Nearest centroid (recommended)"),
            tr(
                "Each target gets the delineation with the nearest centroid. If several are "
                "equally near, the lowest score counts. Recommended by the paper."
            ),
        ),
        Option(
            Pairing.MAX_IOU.value,
            tr("Highest IoU"),
            tr("Each target gets the delineation with the highest IoU, as in the paper's tests."),
        ),
        Option(
            Pairing.MAX_SCORE.value,
            tr("Highest RandCrowns"),
            tr(
                "Each target gets the delineation with the highest RandCrowns. One large "
                "delineation can then belong to many targets."
            ),
        ),
        Option(
            Pairing.MEAN_OVER_COUNT.value,
            tr("Mean over count"),
            tr(
                "The mean score of all delineations that are nearest to a target, divided by their "
                "number. Splitting a crown lowers the score."
            ),
        ),
        Option(
            Pairing.HUNGARIAN.value,
            tr("One to one"),
            tr(
                "Each delineation belongs to one target at most. The pairs are those with the "
                "largest sum of RandCrowns."
            ),
        ),
        Option(
            Pairing.MIN_SCORE.value,
            tr("Minimum score"),
            tr(
                "The lowest RandCrowns of all delineations that are nearest to a target. One poor "
                "delineation lowers the score."
            ),
        ),
    ),
)
SEARCH_RADIUS = FloatParameter(
    "search_radius",
    tr("Search radius"),
    tr(
        "Maximum distance between the centroids of a target and its delineation, for pairings by "
        "nearest centroid. Automatic: half the diagonal of each target's bounding box."
    ),
    advanced=True,
    unit="m",
    minimum_label=tr("automatic"),
    decimals=1,
    step=1.0,
)
RANDCROWNS_THRESHOLD = FloatParameter(
    "randcrowns_threshold",
    tr("RandCrowns threshold"),
    tr(
        "Crowns with at least this RandCrowns count as found for precision, recall and F1, which "
        "are also computed at IoU 0.4 and 0.5. Crowns below it have a problem."
    ),
    default=DEFAULT_THRESHOLD,
    advanced=True,
    maximum=1.0,
    step=0.05,
)
PLOT_FIELD = replace(
    common_parameters.PLOT_FIELD,
    help=tr(
        "Field of the targets with the plot of each crown. The summary then has one row per plot, "
        "and intervals are over plots. If delineations have this field too, only crowns of the "
        "same plot are paired."
    ),
)
ALL_DRAWN = replace(
    common_parameters.ALL_DRAWN,
    help=tr(
        "Switch off if only some crowns were drawn, as in most field work. Delineations without "
        "a target are then not judged, and precision, F1 and the penalised mean are n/a."
    ),
)
SCORE_FIELD = FieldParameter(
    "score_field",
    tr("Score field"),
    tr(
        "Field of the delineations with the scores of a detector. In layers without this field all "
        "crowns are used."
    ),
    advanced=True,
    optional=True,
    layers_parameter=DELINEATIONS,
    numeric=True,
)
SCORE_THRESHOLD = FloatParameter(
    "score_threshold",
    tr("Score threshold"),
    tr(
        "Delineations with a lower score, or without a score, are excluded and counted. Used only "
        "with a score field."
    ),
    default=0.5,
    advanced=True,
    minimum=-1e9,
    maximum=1e9,
    decimals=3,
    step=0.05,
)
DELINEATION_CLASS_FIELD = FieldParameter(
    "delineation_class_field",
    tr("Class of the delineations"),
    tr("Field of the delineations with their class, if its name differs from that of the targets."),
    advanced=True,
    optional=True,
    layers_parameter=DELINEATIONS,
)
SPREAD_FIELD = FieldParameter(
    "spread_field",
    tr("Spread of the outlines"),
    tr(
        "Field of the targets with the spread of their annotators' outlines in metres, as a "
        "consensus crown by crown has it. RandCrowns is then also computed with an alpha and omega "
        "of 2.06 times each target's spread, beside the result with one alpha and omega for all."
    ),
    advanced=True,
    optional=True,
    layer_parameter=common_parameters.TARGETS,
    numeric=True,
)
WARPED_TARGETS = IntegerParameter(
    "warped_targets",
    tr("Warped targets"),
    tr(
        "Number of copies of each target that are stretched, rotated and shifted at random, as "
        "other annotators might draw it. Mean and standard deviation of the scores against them "
        "are in the output 'Scores against warped targets'."
    ),
    advanced=True,
    maximum=1000,
    minimum_label=tr("none"),
)
#: Parameters of classes and strata.
CLASSES = ClassParameters.of_layers(
    common_parameters.TARGETS,
    DELINEATION_CLASS_FIELD,
    [by for by in SummariseBy if by is not SummariseBy.PIXELS],
)
_DEFAULT_LIMITS = ProblemLimits()
MERGED_FROM = FloatParameter(
    "merged_from",
    tr("Merged from"),
    tr(
        "A delineation merges two targets if it covers at least this share of a target other than "
        "its own."
    ),
    default=_DEFAULT_LIMITS.covered,
    advanced=True,
    minimum=0.05,
    maximum=1.0,
    step=0.05,
)
SPLIT_FROM = FloatParameter(
    "split_from",
    tr("Split from"),
    tr(
        "A target is split if two or more delineations have at least this share of their own area "
        "in it."
    ),
    default=_DEFAULT_LIMITS.inside,
    advanced=True,
    minimum=0.05,
    maximum=1.0,
    step=0.05,
)
SHIFTED_FROM = FloatParameter(
    "shifted_from",
    tr("Shifted from"),
    tr(
        "A delineation of the target's size is shifted if the distance of their centroids is "
        "larger than this, in widths of the target."
    ),
    default=_DEFAULT_LIMITS.shift,
    advanced=True,
    minimum=0.01,
    maximum=100.0,
    step=0.05,
)
TOO_LARGE_FROM = FloatParameter(
    "too_large_from",
    tr("Too large from"),
    tr("A delineation is too large if its area is more than this many times the target's."),
    default=_DEFAULT_LIMITS.larger,
    advanced=True,
    minimum=1.0,
    maximum=1000.0,
    step=0.1,
)
TOO_SMALL_FROM = FloatParameter(
    "too_small_from",
    tr("Too small from"),
    tr("A delineation is too small if its area is less than this share of the target's."),
    default=_DEFAULT_LIMITS.smaller,
    advanced=True,
    minimum=0.01,
    maximum=1.0,
    step=0.05,
)
#: Limits beyond which a crown has a problem; RANDCROWNS_THRESHOLD is a further one.
PROBLEM_LIMITS = (MERGED_FROM, SPLIT_FROM, SHIFTED_FROM, TOO_LARGE_FROM, TOO_SMALL_FROM)
#: Parameters of ``randcrowns:scorecrowns``, in the order of the dialog.
SCORE_PARAMETERS = (
    common_parameters.TARGETS,
    DELINEATIONS,
    common_parameters.PRESET,
    *common_parameters.LENGTHS,
    common_parameters.CORNER_STYLE,
    PAIRING,
    SEARCH_RADIUS,
    RANDCROWNS_THRESHOLD,
    *PROBLEM_LIMITS,
    PLOT_FIELD,
    CLASSES.class_field,
    ALL_DRAWN,
    SCORE_FIELD,
    SCORE_THRESHOLD,
    common_parameters.IMAGE_EXTENT,
    *CLASSES.advanced,
    SPREAD_FIELD,
    WARPED_TARGETS,
)
#: Presets without the one of the IDTReeS competition, which defines other regions.
REGION_PRESET = common_parameters.PRESET.with_options(
    *(key for key in common_parameters.PRESET.keys if key != common_parameters.IDTREES)
)
#: Parameters of ``randcrowns:targetregions``, in the order of the dialog.
REGION_PARAMETERS = (
    common_parameters.TARGETS,
    REGION_PRESET,
    *common_parameters.LENGTHS,
    common_parameters.CORNER_STYLE,
    common_parameters.IMAGE_EXTENT,
)


@dataclass(frozen=True)
class LengthsSettings(RunSettings):
    """Settings of a run with one set of alpha, omega and gamma."""

    preset: str  #: key of the preset.
    lengths: RandCrownsParameters  #: alpha, omega and gamma of the preset, or the user's own.


def check_scoring(run_parameters: RunParameters) -> None:
    """Raise an InputError if crowns cannot be scored with the parameters of a run."""
    targets = run_parameters.layer(common_parameters.TARGETS)
    delineations = run_parameters[DELINEATIONS]
    if not delineations:
        raise no_delineations_error()
    common_parameters.check_layers(targets, *delineations)
    _check_fields(run_parameters, targets, delineations)
    preset, _ = common_parameters.read_lengths(run_parameters, common_parameters.PRESET)
    is_idtrees = preset == common_parameters.IDTREES
    if is_idtrees:
        _check_idtrees(run_parameters)
    CLASSES.check(run_parameters, targets, delineations)
    if is_idtrees and run_parameters[CLASSES.within]:
        raise idtrees_within_classes_error(CLASSES.within.label)


def _check_fields(
    run_parameters: RunParameters,
    targets: QgsVectorLayer | None,
    delineations: Sequence[QgsVectorLayer],
) -> None:
    """Raise an InputError if the layers lack the field with plots, scores or spreads.

    Args:
        run_parameters: parameters of the run, with the names of the fields.
        targets: target layer; None if it is chosen later, as in a model.
        delineations: delineation layers, of which one must have the scores.
    """
    plot_field = run_parameters[PLOT_FIELD]
    if plot_field and targets is not None and not _has_field(targets, plot_field):
        raise no_plot_field_error(targets.name(), plot_field)
    score_field = run_parameters[SCORE_FIELD]
    if score_field and not any(_has_field(layer, score_field) for layer in delineations):
        raise no_scores_error(score_field)
    spread_field = run_parameters[SPREAD_FIELD]
    if spread_field and targets is not None and not _has_field(targets, spread_field):
        raise no_spread_field_error(targets.name(), spread_field)


def _check_idtrees(run_parameters: RunParameters) -> None:
    """Raise an InputError for parameters that the preset of the IDTReeS competition lacks."""
    if run_parameters[SPREAD_FIELD]:
        raise idtrees_with_spread_error(SPREAD_FIELD.label)
    if run_parameters[WARPED_TARGETS]:
        raise idtrees_with_warped_targets_error(WARPED_TARGETS.label)
    if common_parameters.IMAGE_EXTENT not in run_parameters:
        raise no_plots_error()


def missing_plots_message() -> str:
    """Return the message that the IDTReeS preset requires the bounds of the plots."""
    return error_message(no_plots_error())


def _has_field(layer: QgsVectorLayer, name: str) -> bool:
    """Return True if a layer has a field of this name."""
    return bool(field_index(layer.fields(), name) >= 0)
