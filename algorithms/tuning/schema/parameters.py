"""Parameters of randcrowns:annotatorvariance and randcrowns:tuneparameters, with their checks."""

from __future__ import annotations

from dataclasses import replace

from randcrowns.algorithms import common_parameters
from randcrowns.algorithms.layer_parameters import OptionalLayerParameter, RasterParameter
from randcrowns.algorithms.number_list import NumberListParameter
from randcrowns.algorithms.parameter_types import FloatParameter, IntegerParameter
from randcrowns.core.errors import InputError
from randcrowns.core.tuning.checks import check_annotator_count, check_grid_size
from randcrowns.core.tuning.experiment import MIN_IOU as DEFAULT_MIN_IOU
from randcrowns.layers.localization import tr

FIELD_TARGETS = OptionalLayerParameter(
    "targets",
    tr("Targets drawn in the field"),
    tr(
        "Without this layer, each annotator in turn is the target, and the other annotators are "
        "scored against it. With this layer, its crowns are the only targets, and every annotator "
        "is scored against them."
    ),
    project_key=common_parameters.TARGETS.project_key,
)
PLOT_FIELD = replace(
    common_parameters.PLOT_FIELD,
    help=tr(
        "Field of the annotators with the plot. Only crowns of the same plot are compared, and the "
        "intervals are over plots. Layers without the field are compared by location alone."
    ),
    layer_parameter=None,
    layers_parameter=common_parameters.ANNOTATORS,
)
MIN_IOU = FloatParameter(
    "min_iou",
    tr("Minimum IoU of one crown"),
    tr(
        "A crown is used if all annotators drew it: any two of its delineations are each other's "
        "best match by IoU, with at least this IoU (0 to 1). The other crowns are excluded and "
        "listed with the reason."
    ),
    default=DEFAULT_MIN_IOU,
    advanced=True,
    maximum=1.0,
    step=0.05,
)
WARPS = IntegerParameter(
    "warps",
    tr("Warped copies of a single annotator"),
    tr(
        "Number of simulated annotators, who draw every crown a little differently. Used only if "
        "one annotator is selected."
    ),
    default=3,
    advanced=True,
    maximum=20,
)
WARP_SCALE = FloatParameter(
    "warp_scale",
    tr("Warped copies: scale"),
    tr("Standard deviation of the logarithm of the scale along x and y; 0.1 is about 10 %."),
    default=0.1,
    advanced=True,
    maximum=1.0,
    step=0.05,
)
WARP_ROTATION = FloatParameter(
    "warp_rotation",
    tr("Warped copies: rotation"),
    tr("Standard deviation of the angle. Boxes are not rotated."),
    default=10.0,
    advanced=True,
    maximum=180.0,
    unit="°",
    decimals=1,
    step=5.0,
)
WARP_TRANSLATION = FloatParameter(
    "warp_translation",
    tr("Warped copies: shift"),
    tr("Standard deviation of the shift along x and y, metres of the coordinate system."),
    default=0.4,
    advanced=True,
    maximum=100.0,
    unit="m",
    step=0.1,
)
EXTENT = common_parameters.IMAGE_EXTENT.with_options("none", "image", "layer")

_VALUES_HELP = tr(
    "Values to try, from the first to the last by a step. The last is tried only if a step reaches "
    "it. As text: numbers with spaces between them, or first:last:step, such as 0.1:1.0:0.1. "
    "Default: the grid of the paper (Table III)."
)


def _list_grid_values(
    length: FloatParameter, symbol: str, default: tuple[float, float, float]
) -> NumberListParameter:
    """Return the parameter with the values to try of a length or ratio.

    Args:
        length: parameter for a single value.
        symbol: name in sentences.
        default: first value, last value and step.
    """
    return NumberListParameter(
        f"{length.name}s",
        length.label,
        _VALUES_HELP,
        default,
        project_key=length.name,
        symbol=symbol,
        maximum=length.maximum,
        unit=length.unit,
        step=length.step,
    )


ALPHAS = _list_grid_values(common_parameters.ALPHA, tr("alpha"), (0.1, 1.0, 0.1))
OMEGAS = _list_grid_values(common_parameters.OMEGA, tr("omega"), (0.1, 1.5, 0.1))
GAMMAS = _list_grid_values(common_parameters.GAMMA, tr("gamma"), (1.0, 7.0, 1.0))
WRONG_PAIR_THRESHOLD = FloatParameter(
    "wrong_pair_threshold",
    tr("Threshold for wrong pairs"),
    tr(
        "A set is refused if deliberately wrong pairs (neighbours, shifted, shrunk and enlarged "
        "copies) reach this mean RandCrowns (0 to 1). If wrong pairs score high, a low variance "
        "means nothing."
    ),
    default=0.5,
    minimum=0.01,
    maximum=1.0,
    step=0.05,
    project_key="limit",
)
MAX_EXCLUDED = FloatParameter(
    "max_excluded",
    tr("Maximum share too small"),
    tr(
        "A set is refused if a larger share of the targets is narrower than twice alpha, so that "
        "they have no score."
    ),
    default=5.0,
    advanced=True,
    maximum=99.0,
    unit="%",
    decimals=1,
    step=1.0,
)
PRESET = common_parameters.PRESET.with_options(
    "image_boxes", "field_polygons", common_parameters.OWN
)
EXAMPLES = IntegerParameter(
    "examples",
    tr("Examples of each kind"),
    tr(
        "Maximum number of pairs of each kind in the gallery (the paper shows four), and of crowns "
        "marked as worst and as typical."
    ),
    default=4,
    advanced=True,
    minimum=1,
    maximum=50,
)
IMAGE = RasterParameter(
    "image",
    tr("Image behind the gallery"),
    tr("Image behind the crowns in the gallery. Without it, they are drawn on white."),
    advanced=True,
    optional=True,
)

#: Parameters of the warped copies of a single annotator.
WARP_PARAMETERS = (WARPS, WARP_SCALE, WARP_ROTATION, WARP_TRANSLATION)
#: Parameters of both algorithms.
_EXPERIMENT = (
    common_parameters.ANNOTATORS,
    FIELD_TARGETS,
    PLOT_FIELD,
    MIN_IOU,
    *WARP_PARAMETERS,
    EXTENT,
)
#: Parameters with the values of the grid.
GRID_PARAMETERS = (ALPHAS, OMEGAS, GAMMAS)
#: Parameters of randcrowns:tuneparameters, in the order of the dialog.
TUNING_PARAMETERS = (
    *_EXPERIMENT,
    *GRID_PARAMETERS,
    WRONG_PAIR_THRESHOLD,
    MAX_EXCLUDED,
    common_parameters.CORNER_STYLE,
)
#: Parameters of randcrowns:annotatorvariance, in the order of the dialog.
VARIANCE_PARAMETERS = (
    *_EXPERIMENT,
    PRESET,
    *common_parameters.LENGTHS,
    common_parameters.CORNER_STYLE,
    EXAMPLES,
    IMAGE,
)


def describe_set(alpha: float, omega: float, gamma: float) -> str:
    """Return a set of parameters as display text; alpha and omega are in metres.

    Args:
        alpha: alpha, metres.
        omega: omega, metres.
        gamma: gamma, a ratio of areas.
    """
    return tr(
        "alpha {alpha:g} m, omega {omega:g} m, gamma {gamma:g}",
        alpha=alpha,
        omega=omega,
        gamma=gamma,
    )


def grid_size_message(sets: int) -> str:
    """Return a message if a grid of ``sets`` sets of parameters is too large, or ""."""
    try:
        check_grid_size(sets)
    except InputError as error:
        return error.sentence(tr)
    return ""


def annotator_count_message(number: int, in_field: bool, warps: int, minimum: int = 3) -> str:
    """Return a message if an experiment requires more annotators, or "".

    Args:
        number: number of annotators.
        in_field: True if the targets were drawn in the field. Then one annotator less is required,
            because no annotator is the target.
        warps: number of warped copies that are made of a single annotator.
        minimum: number of annotators that are required without field targets.
    """
    try:
        check_annotator_count(number, in_field, warps, minimum)
    except InputError as error:
        return error.sentence(tr)
    return ""
