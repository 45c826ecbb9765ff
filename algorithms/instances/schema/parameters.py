"""Parameters of the algorithms that evaluate instances: crown polygons and point clouds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsPointCloudLayer,
    QgsProcessingParameterDefinition,
    QgsProject,
)

from randcrowns.algorithms import common_parameters
from randcrowns.algorithms.classes.parameters import ClassParameters
from randcrowns.algorithms.layer_parameters import (
    CrsParameter,
    FileParameter,
    RequiredLayerParameter,
)
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    FieldParameter,
    FloatParameter,
    IntegerParameter,
    Option,
    OptionParameter,
    RunParameters,
    RunSettings,
    TextParameter,
)
from randcrowns.core.classes.summarise import SummariseBy
from randcrowns.core.errors import InputError
from randcrowns.core.instances.matching import MatchingMethod
from randcrowns.core.instances.no_tree_values import NoTreeValues
from randcrowns.core.instances.point_values import parse_no_tree_values_of_both
from randcrowns.layers.cloud.header import find_cloud_file, read_header
from randcrowns.layers.crs import crs_name, layer_crs
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.guesses import find_image_field, find_score_field

#: The matching methods as options. The label names the program or paper that a method comes from.
_METHODS = (
    Option(
        MatchingMethod.PANOPTIC_SEGMENTATION.value,
        tr("Panoptic (best, IoU above 0.5)"),
        tr(
            "Each target gets its best prediction, if their IoU is above 0.5 "
            "(Kirillov et al. 2019)."
        ),
    ),
    Option(
        MatchingMethod.POINT2TREE.value,
        tr("point2tree (tallest first, any overlap)"),
        tr(
            "Each target, the tallest first, gets the best prediction that is still free, at any "
            "overlap (Wielgosz et al. 2023)."
        ),
    ),
    Option(
        MatchingMethod.FOR_INSTANCE.value,
        tr("FOR-instance (tallest first, IoU from 0.5)"),
        tr("As point2tree, if the IoU is at least 0.5 (Puliti et al. 2023)."),
    ),
    Option(
        MatchingMethod.FOR_AI_NET.value,
        tr("ForAINet (best, IoU from 0.5)"),
        tr(
            "Each target gets its best prediction, if their IoU is at least 0.5 "
            "(Xiang et al. 2024)."
        ),
    ),
    Option(
        MatchingMethod.FOR_AI_NET_COVERAGE.value,
        tr("ForAINet coverage (best, any overlap)"),
        tr(
            "Each target gets its best prediction, at any overlap. Several targets may get the "
            "same prediction (Xiang et al. 2024)."
        ),
    ),
    Option(
        MatchingMethod.TREE_LEARN.value,
        tr("TreeLearn (largest total IoU)"),
        tr(
            "One to one with the largest total IoU. Only pairs with an IoU above 0.5 are matched "
            "(Henrich et al. 2024)."
        ),
    ),
    Option(
        MatchingMethod.DEEPFOREST.value,
        tr("DeepForest (largest shared area)"),
        tr(
            "One to one with the largest total shared area. Only pairs with an IoU above 0.4 are "
            "matched, as DeepForest's evaluate_boxes does (Weinstein et al. 2020)."
        ),
    ),
    Option(
        MatchingMethod.STARDIST.value,
        tr("StarDist (most pairs)"),
        tr(
            "One to one with the largest number of pairs whose IoU is at least 0.5, as StarDist's "
            "matching does (Weigert et al. 2020)."
        ),
    ),
)
#: Paragraph about the matching methods in the help of an algorithm, as HTML.
MATCHING_HELP = "<br>".join(
    [
        tr("<b>Matching.</b> One method for detection and one for segmentation."),
        *(f"<i>{method.label}</i>: {method.help}" for method in _METHODS),
    ]
)

TARGETS = replace(common_parameters.TARGETS, project_key="")
PREDICTIONS = RequiredLayerParameter(
    "predictions",
    tr("Predicted crowns"),
    tr("Polygon layer with the predicted crowns."),
    default_role=1,
)
HEIGHT_FIELD = FieldParameter(
    "height_field",
    tr("Height field"),
    tr(
        "Numeric field that orders the targets, the tallest first (point2tree, FOR-instance). "
        "Default: the area."
    ),
    optional=True,
    layer_parameter=TARGETS,
    numeric=True,
)
PLOT_FIELD = replace(
    common_parameters.PLOT_FIELD,
    help=tr(
        "Field of the targets with the plot of each crown. The summary then has one row per plot, "
        "and intervals are over plots. If the predictions have this field too, only crowns of the "
        "same plot are compared, so plot names must be equal in both layers. Default: the image, "
        "for crowns in pixels of several images."
    ),
    layer_parameter=TARGETS,
    guess_field=find_image_field,
)
ALL_DRAWN = replace(
    common_parameters.ALL_DRAWN,
    help=tr(
        "Switch off if only some crowns were drawn, as in most field work. Predictions without "
        "a target are then not judged, and precision, F1 and panoptic quality are n/a."
    ),
)
DETECTION_METHOD = OptionParameter(
    "detection_method",
    tr("Matching for detection"),
    tr("Decides which targets are detected: precision, recall, F1 and panoptic quality."),
    options=_METHODS,
    project_key="detection",
)
SEGMENTATION_METHOD = OptionParameter(
    "segmentation_method",
    tr("Matching for segmentation"),
    tr("Decides with which prediction IoU, precision and recall of a target are computed."),
    default=MatchingMethod.FOR_AI_NET_COVERAGE.value,
    options=_METHODS,
    project_key="segmentation",
)

CLOUD = FileParameter(
    "input",
    tr("Point cloud"),
    tr(
        "A LAS, LAZ, COPC, PLY, NPY or NPZ file, a TXT or CSV file with a heading, a folder with "
        "one file per tree, or a point cloud layer."
    ),
    optional=True,
    project_key="cloud",
    # The name or id of a layer has no file ending, so the filter must also offer all files.
    filter=tr(
        "Point clouds (*.las *.laz *.ply *.npy *.npz *.txt *.csv *.xyz *.asc);;All files (*)"
    ),
)
TARGET_ATTRIBUTE = TextParameter(
    "target_attribute",
    tr("Target attribute"),
    tr(
        "Attribute of the points with the id of their target tree. Not required if only classes "
        "are compared."
    ),
    optional=True,
)
PREDICTION_ATTRIBUTE = TextParameter(
    "prediction_attribute",
    tr("Predicted attribute"),
    tr(
        "Attribute of the points with the id of their predicted tree. Not required if only classes "
        "are compared."
    ),
    optional=True,
)
#: Smallest and largest id of a tree.
_MIN_ID = -(2**31)
_MAX_ID = 2**31 - 1
NO_TREE_ID = IntegerParameter(
    "no_tree_id",
    tr("Value that means no tree: targets"),
    tr(
        "Points with this id belong to no target tree. The id is below all ids of trees, often -1 "
        "or 0. In an attribute without negative numbers, -1 means the largest number of its type "
        "if points have that, else 0."
    ),
    default=-1,
    minimum=_MIN_ID,
    maximum=_MAX_ID,
)


@dataclass(frozen=True, eq=False)
class _SameAsTargets(IntegerParameter):
    """Parameter with an integer; its default is the value of :data:`NO_TREE_ID`."""

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return a new Processing parameter without a default."""
        definition = super().create_definition()
        definition.setDefaultValue(None)
        return definition

    def read(self, run_parameters: RunParameters) -> int:
        """Return the integer; that of the targets if none is set."""
        return (
            super().read(run_parameters) if self in run_parameters else run_parameters[NO_TREE_ID]
        )

    def from_project(self, stored: Mapping[str, Any]) -> Any:
        """Return the integer that a project stores, else that of the targets.

        Older versions stored one value for targets and predictions.
        """
        return super().from_project({self.key: stored.get(NO_TREE_ID.key), **stored})


PREDICTION_NO_TREE_ID = _SameAsTargets(
    "prediction_no_tree_id",
    tr("Value that means no tree: predictions"),
    tr("The same for the predicted attribute. Default: as for the targets."),
    default=-1,
    optional=True,
    minimum=_MIN_ID,
    maximum=_MAX_ID,
)


FURTHER_NO_TREE_IDS = TextParameter(
    "further_no_tree_ids",
    tr("Further values that mean no tree: targets"),
    tr(
        "Further values of points that belong to no target tree, such as 0 9999. Default: negative "
        "numbers, and 0 or a number such as 9999 if its points spread much wider than a tree. -1 "
        "alone switches this off. Values that the file declares to mean no data need not be "
        "listed."
    ),
    optional=True,
    advanced=True,
)
PREDICTION_FURTHER_NO_TREE_IDS = TextParameter(
    "prediction_further_no_tree_ids",
    tr("Further values that mean no tree: predictions"),
    tr("The same for the predicted attribute. Default: as for the targets."),
    optional=True,
    advanced=True,
)
EXCLUDED_POINTS = TextParameter(
    "excluded_points",
    tr("Points to leave out"),
    tr(
        "Attributes and values of points that are left out of everything, such as: "
        "classification=7+18 withheld=1."
    ),
    optional=True,
    advanced=True,
)


PREDICTION_INPUT = FileParameter(
    "prediction_input",
    tr("Point cloud of the predictions"),
    tr(
        "Point cloud with the predicted attribute, if it is in a file of its own: in another "
        "order, thinned or voxelised. Each point of the targets' cloud gets the prediction of the "
        "nearest point. Default: the same file."
    ),
    optional=True,
    advanced=True,
    filter=CLOUD.filter,
)
MAX_PARTNER_DISTANCE = FloatParameter(
    "max_partner_distance",
    tr("Distance of the nearest point at most"),
    tr(
        "For predictions in a file of their own: a point of the targets' cloud without a point of "
        "the predictions within this distance has no predicted tree."
    ),
    default=0.5,
    advanced=True,
    minimum=0.0,
    maximum=1000.0,
    unit="m",
    step=0.1,
)


def no_tree_values(
    run_parameters: RunParameters | RunSettings,
) -> tuple[NoTreeValues, NoTreeValues]:
    """Return the values that mean no tree, of the targets and of the predictions.

    Args:
        run_parameters: parameters or settings of the run.

    Raises:
        InputError: if a further value is not an integer.
    """
    return parse_no_tree_values_of_both(
        (run_parameters[NO_TREE_ID], run_parameters[PREDICTION_NO_TREE_ID]),
        (run_parameters[FURTHER_NO_TREE_IDS], run_parameters[PREDICTION_FURTHER_NO_TREE_IDS]),
    )


def find_prediction_file(run_parameters: RunParameters) -> Path | None:
    """Return the file of the predictions; None if they are in the same file as the targets.

    Args:
        run_parameters: parameters of the run. The value is a path, or the id or name of a layer.

    Raises:
        InputError: if the file cannot be used.
    """
    source = run_parameters[PREDICTION_INPUT]
    return _find_source(run_parameters, source)[0] if source else None


def find_cloud(run_parameters: RunParameters) -> tuple[Path, QgsCoordinateReferenceSystem]:
    """Return the file of the point cloud, and the coordinate reference system to use by default.

    Args:
        run_parameters: parameters of the run. The input is a path, or the id or name of a layer.

    Returns:
        The path; and the selected coordinate reference system, or else that of the layer. It is
        invalid if there is none.

    Raises:
        InputError: if the file cannot be used, or the coordinate reference system is unknown.
    """
    source = run_parameters[CLOUD]
    crs = run_parameters[CRS]
    crs_text = run_parameters.raw_values.get(CRS.id)
    if isinstance(crs_text, str) and crs_text.strip() and not crs.isValid():
        raise InputError(
            "crs.unknown",
            "There is no coordinate system '{name}'; choose another one.",
            name=crs_text,
        )
    path, crs_of_layer = _find_source(run_parameters, source)
    if not crs.isValid():
        crs = crs_of_layer
    return path, crs


def _find_source(
    run_parameters: RunParameters, source: str
) -> tuple[Path, QgsCoordinateReferenceSystem]:
    """Return the file of a source and the system of its layer, which is invalid for a file.

    Args:
        run_parameters: parameters of the run.
        source: path, or id or name of a layer.

    Raises:
        InputError: if the file cannot be used.
    """
    project = run_parameters.context.project() or QgsProject.instance()
    for layer in (project.mapLayer(source), *project.mapLayersByName(source)):
        if isinstance(layer, QgsPointCloudLayer):
            return find_cloud_file(layer.source()), layer_crs(layer)
    return find_cloud_file(source), QgsCoordinateReferenceSystem()


@dataclass(frozen=True, eq=False)
class _CloudCrs(CrsParameter):
    """Parameter with the coordinate reference system of a cloud whose file contains none."""

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the name of the system that the run uses: that of the file, if it has one."""
        path, crs = find_cloud(run_parameters)
        return crs_name(read_header(path).resolve_crs(crs))


CRS = _CloudCrs(
    "crs",
    tr("Coordinate system"),
    tr(
        "Coordinate system for a file that contains none. For local coordinates in metres, choose "
        "any system in metres."
    ),
    optional=True,
    project_key="cloud_crs",
)
INCLUDE_UNMATCHED = BooleanParameter(
    "include_unmatched",
    tr("Targets not detected count"),
    tr(
        "Includes targets that were not detected, with IoU and recall 0, in table Metrics and in "
        "the means per partition. The mean IoU of the summary always includes them as 0."
    ),
    default=True,
    advanced=True,
)
NUM_PARTITIONS = IntegerParameter(
    "num_partitions",
    tr("Partitions per axis"),
    tr("Number of parts of equal width by distance to the trunk, and by height."),
    default=10,
    advanced=True,
    maximum=1000,
    minimum_label=tr("none"),
    project_key="n_partitions",
)
PARTITION_END = OptionParameter(
    "partition_end",
    tr("Partitions end at"),
    tr("Distance at which the last partition of a tree ends."),
    advanced=True,
    options=(
        Option(
            "quantile",
            tr("95 % of the points"),
            tr("The 95 % quantile of the distances, as pointtree computes."),
        ),
        Option(
            "farthest", tr("farthest point"), tr("The largest distance, as pointtree documents.")
        ),
    ),
)
MIN_PRECISION_FP = FloatParameter(
    "min_precision_fp",
    tr("Labelled at least"),
    tr(
        "A prediction without a target is uncertain, not a false detection, if a smaller share of "
        "its points or area lies on targets."
    ),
    advanced=True,
    maximum=1.0,
    minimum_label=tr("off"),
    step=0.05,
    project_key="min_share",
)
MIN_HEIGHT_FP = FloatParameter(
    "min_height_fp",
    tr("Height at least"),
    tr(
        "A prediction without a target is uncertain, not a false detection, if it is lower above "
        "the ground. In a cloud a cloth simulation filter finds the ground. For polygons the "
        "height field is used, which the predictions must have too."
    ),
    advanced=True,
    maximum=1000.0,
    unit="m",
    minimum_label=tr("off"),
    step=0.05,
    project_key="min_height",
)
LABELLED_ATTRIBUTE = TextParameter(
    "labelled_attribute",
    tr("Attribute of labelled points"),
    tr(
        "Points with another value than 0 in this attribute are labelled, for 'Labelled at least'. "
        "Default: the points of target trees."
    ),
    advanced=True,
    optional=True,
)
TARGET_CLASS_ATTRIBUTE = TextParameter(
    "target_class_attribute",
    tr("Class attribute: targets"),
    tr("Attribute of the points with their true class, for table Classes."),
    advanced=True,
    optional=True,
)
PREDICTION_CLASS_ATTRIBUTE = TextParameter(
    "prediction_class_attribute",
    tr("Class attribute: predictions"),
    tr("Attribute of the points with their predicted class, for table Classes."),
    advanced=True,
    optional=True,
)
CLASS_NAMES = TextParameter(
    "class_names",
    tr("Classes"),
    tr(
        "Names and numbers, such as: ground=2 tree=5. Default: all classes of the points, named "
        "by their numbers."
    ),
    advanced=True,
    optional=True,
)
CLASS_AGGREGATES = TextParameter(
    "class_aggregates",
    tr("Combined classes"),
    tr("Names and numbers of classes that count as one, such as: vegetation=3+4+5."),
    advanced=True,
    optional=True,
)
CELL_SIZE = FloatParameter(
    "cell_size",
    tr("Cell of the outlines"),
    tr(
        "Side of the square cells for outlines: each cell contributes one point. The metrics do "
        "not depend on it."
    ),
    default=0.2,
    advanced=True,
    minimum=0.01,
    maximum=100.0,
    unit="m",
    step=0.1,
)

SCORE_FIELD = FieldParameter(
    "score_field",
    tr("Score field"),
    tr(
        "Numeric field of the predictions with their scores, for average precision. Default: a "
        "field whose name begins with score, conf or prob. Without scores, average precision is "
        "n/a."
    ),
    optional=True,
    layer_parameter=PREDICTIONS,
    numeric=True,
    guess_field=find_score_field,
)
IGNORED = replace(
    common_parameters.IGNORED_AREAS,
    help=tr(
        "Polygons, such as COCO's crowds (iscrowd). A prediction without a target does not count "
        "if enough of it lies on such a polygon. For AP and thresholds, this is a share as large "
        "as the IoU of a match. In the counts it is half of the prediction, which is then "
        "uncertain. With a class field, an area with a class counts for crowns of its class only."
    ),
)
POINTS = common_parameters.POINTS
PREDICTION_CLASS_FIELD = FieldParameter(
    "prediction_class_field",
    tr("Class of the predictions"),
    tr("Field of the predictions with their class, if its name differs from that of the targets."),
    advanced=True,
    optional=True,
    layer_parameter=PREDICTIONS,
)
#: Parameters of classes and strata. The run has no image, so that its edge is unknown.
CLASSES = ClassParameters.of_layers(
    TARGETS, PREDICTION_CLASS_FIELD, [by for by in SummariseBy if by is not SummariseBy.EDGE]
)
#: Parameters of ``randcrowns:evaluateinstances``, in the order of the dialog.
POLYGON_PARAMETERS = (
    TARGETS,
    PREDICTIONS,
    DETECTION_METHOD,
    SEGMENTATION_METHOD,
    HEIGHT_FIELD,
    PLOT_FIELD,
    CLASSES.class_field,
    ALL_DRAWN,
    SCORE_FIELD,
    IGNORED,
    POINTS,
    INCLUDE_UNMATCHED,
    MIN_PRECISION_FP,
    MIN_HEIGHT_FP,
    *CLASSES.advanced,
)
#: Parameters of ``randcrowns:evaluatepointcloud``, in the order of the dialog.
CLOUD_PARAMETERS = (
    CLOUD,
    TARGET_ATTRIBUTE,
    PREDICTION_ATTRIBUTE,
    NO_TREE_ID,
    PREDICTION_NO_TREE_ID,
    CRS,
    DETECTION_METHOD,
    SEGMENTATION_METHOD,
    INCLUDE_UNMATCHED,
    NUM_PARTITIONS,
    PARTITION_END,
    MIN_PRECISION_FP,
    MIN_HEIGHT_FP,
    LABELLED_ATTRIBUTE,
    CELL_SIZE,
    TARGET_CLASS_ATTRIBUTE,
    PREDICTION_CLASS_ATTRIBUTE,
    CLASS_NAMES,
    CLASS_AGGREGATES,
    FURTHER_NO_TREE_IDS,
    PREDICTION_FURTHER_NO_TREE_IDS,
    EXCLUDED_POINTS,
    PREDICTION_INPUT,
    MAX_PARTNER_DISTANCE,
)
