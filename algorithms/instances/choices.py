"""What the user chooses when instances are evaluated: crown polygons, or a labelled point cloud."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsPointCloudLayer, QgsProject

from randcrowns.algorithms import choices
from randcrowns.algorithms.choice import Field, Flag, Given, Number, OneOf, Option, Text, Whole
from randcrowns.algorithms.layer_choice import Crs, File, NeededLayer
from randcrowns.core.errors import InputError
from randcrowns.core.instances.matching import Method
from randcrowns.core.instances.partitions import REACH as QUANTILE
from randcrowns.layers.cloud.head import cloud_file, look_into
from randcrowns.layers.crs import name_of, system_of
from randcrowns.layers.vector.guesses import image_field, score_field
from randcrowns.layers.words import tr

_METHODS = tuple(
    Option(method.value, method.value, told)
    for method, told in {
        Method.PANOPTIC_SEGMENTATION: tr(
            "Each target's best prediction, kept if their IoU is above 0.5 (Kirillov et al. 2019)."
        ),
        Method.POINT2TREE: tr(
            "The tallest target takes the best prediction that is still free, at any overlap (Wielgosz et al. 2023)."
        ),
        Method.FOR_INSTANCE: tr(
            "As point2tree, kept if the IoU is at least 0.5 (Puliti et al. 2023)."
        ),
        Method.FOR_AI_NET: tr(
            "Each target's best prediction, kept if their IoU is at least 0.5 (Xiang et al. 2024)."
        ),
        Method.FOR_AI_NET_COVERAGE: tr(
            "Each target's best prediction at any overlap; one may serve several targets (Xiang et al. 2024)."
        ),
        Method.TREE_LEARN: tr(
            "One to one with the largest total IoU; pairs with an IoU above 0.5 are kept (Henrich et al. 2024)."
        ),
    }.items()
)
#: A paragraph of an algorithm's help.
MATCHING_HELP = "<br>".join(
    [
        tr("<b>Matching.</b> One method for detection and one for segmentation."),
        *(f"<i>{method.label}</i>: {method.help}" for method in _METHODS),
    ]
)

TARGETS = replace(choices.TARGETS, kept="")
PREDICTIONS = NeededLayer(
    "predictions",
    tr("Predicted crowns"),
    tr("Polygon layer with the crowns that a method predicted."),
    role=1,
)
HEIGHT_FIELD = Field(
    "height_field",
    tr("Height field"),
    tr(
        "Number by which the tallest target chooses first (point2tree, for_instance). Default: the area."
    ),
    optional=True,
    of=TARGETS,
    numeric=True,
)
PLOT_FIELD = replace(
    choices.PLOT_FIELD,
    help=tr(
        "Field of the targets with the plot of each crown: the summary has a row per plot, and the intervals are over "
        "plots. Where the predictions have the field too, only crowns of one plot are compared, so plots must "
        "be spelled alike in both layers. Default: the image, where crowns lie in pixels of several."
    ),
    of=TARGETS,
    guess=image_field,
)
ALL_DRAWN = replace(
    choices.ALL_DRAWN,
    help=tr(
        "Switch off where only some crowns were drawn, as in most field work: unmatched predictions are then not "
        "judged, and precision, F1 and panoptic quality are n/a."
    ),
)
DETECTION = OneOf(
    "detection_method",
    tr("Matching for detection"),
    tr("Decides which targets are found: precision, recall, F1 and panoptic quality."),
    options=_METHODS,
    kept="detection",
)
SEGMENTATION = OneOf(
    "segmentation_method",
    tr("Matching for segmentation"),
    tr("Decides which prediction the IoU, precision and recall of a target are measured with."),
    default=Method.FOR_AI_NET_COVERAGE.value,
    options=_METHODS,
    kept="segmentation",
)

CLOUD = File(
    "input",
    tr("Point cloud"),
    tr("A LAS, LAZ or COPC file, or a point cloud layer that is read from one."),
    optional=True,
    kept="cloud",
    # Names and ids of layers have no ending, so a filter must let them through.
    filter=tr("Point clouds (*.las *.laz);;All files (*)"),
)
TARGET = Text(
    "target",
    tr("Target attribute"),
    tr(
        "Attribute of the points with the id of their target tree. Not needed where classes alone are compared."
    ),
    optional=True,
    kept="target_attribute",
)
PREDICTION = Text(
    "prediction",
    tr("Predicted attribute"),
    tr(
        "Attribute of the points with the id of their predicted tree. Not needed where classes alone are compared."
    ),
    optional=True,
    kept="prediction_attribute",
)


def attributes_problem(target: str, prediction: str, true_class: str, predicted_class: str) -> str:
    """Why nothing can be compared by these attributes of a cloud; empty where something can."""
    if bool(true_class) is not bool(predicted_class):
        return tr("Classes require two attributes: the true class and the predicted one.")
    if bool(target) is not bool(prediction):
        return tr("Trees require two attributes: the id of the target and of the predicted tree.")
    if not target and not true_class:
        return tr("Choose the attributes with the ids of the trees, or those with the classes.")
    for one, other in ((target, prediction), (true_class, predicted_class)):
        if one and one == other:
            return tr(
                "Targets and predictions are the same attribute, '{name}'; choose another.",
                name=one,
            )
    return ""


INVALID_ID = Whole(
    "invalid_id",
    tr("Value that means no tree: targets"),
    tr(
        "Points with this id belong to no target tree. It is below all ids of trees, often -1 or 0. In an attribute "
        "that cannot be negative, -1 stands for its largest number where points have that, and otherwise for 0."
    ),
    default=-1,
    least=-(2**31),
    most=2**31 - 1,
)


@dataclass(frozen=True, eq=False)
class _AsTarget(Whole):
    """A whole number that is that of the targets unless given."""

    def definition(self) -> Any:
        made = super().definition()
        made.setDefaultValue(None)
        return made

    def read(self, given: Given) -> int:
        return super().read(given) if self in given else given[INVALID_ID]

    def taken_up(self, kept: Mapping[str, Any]) -> Any:
        """The number kept, or that of the targets: both once had one number."""
        return super().taken_up({self.key: kept.get(INVALID_ID.key), **kept})


PREDICTION_INVALID_ID = _AsTarget(
    "prediction_invalid_id",
    tr("Value that means no tree: predictions"),
    tr("The same for the predicted attribute. Default: as for the targets."),
    default=-1,
    optional=True,
    least=-(2**31),
    most=2**31 - 1,
)


def cloud_of(given: Given) -> tuple[Path, QgsCoordinateReferenceSystem]:
    """The file that the input names (a path, or a layer by id or name), and the system chosen for it."""
    source, crs, chosen = given[CLOUD], given[CRS], given.parameters.get(CRS.ids[0])
    if isinstance(chosen, str) and chosen.strip() and not crs.isValid():
        raise InputError("There is no coordinate system '{name}'; choose another one.", name=chosen)
    project = given.context.project() or QgsProject.instance()
    for layer in (project.mapLayer(source), *project.mapLayersByName(source)):
        if isinstance(layer, QgsPointCloudLayer):
            return cloud_file(layer.source()), crs if crs.isValid() else system_of(layer)
    return cloud_file(source), crs


@dataclass(frozen=True, eq=False)
class _CloudCrs(Crs):
    """The system of a cloud whose file names none; what is said of it is the file's own where it names one."""

    def words(self, given: Given) -> str:
        path, chosen = cloud_of(given)
        return name_of(look_into(path).system(chosen))


CRS = _CloudCrs(
    "crs",
    tr("Coordinate system"),
    tr(
        "Of the coordinates, where the file names none. For local coordinates in metres any system in metres will do."
    ),
    optional=True,
    kept="cloud_crs",
)
INCLUDE_UNMATCHED = Flag(
    "include_unmatched",
    tr("Unmatched targets count"),
    tr(
        "In the means per partition and in table Metrics, with IoU and recall 0; otherwise they are excluded there. "
        "The mean IoU of the summary always counts them, as 0."
    ),
    default=True,
    advanced=True,
)
N_PARTITIONS = Whole(
    "num_partitions",
    tr("Partitions per axis"),
    tr("Number of parts of equal width by distance to the trunk, and by height."),
    default=10,
    advanced=True,
    most=1000,
    zero=tr("none"),
    kept="n_partitions",
)
REACH = OneOf(
    "reach",
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
#: Quantile of the distances at which partitions end, by option.
REACHES = dict(zip(REACH.keys, (QUANTILE, 1.0)))
MIN_SHARE = Number(
    "min_precision_fp",
    tr("Labelled at least"),
    tr(
        "An unmatched prediction with a smaller share of its points, or of its area, on targets is uncertain: it is no "
        "false positive."
    ),
    advanced=True,
    most=1.0,
    zero=tr("off"),
    step=0.05,
    kept="min_share",
)
MIN_HEIGHT = Number(
    "min_height_fp",
    tr("Height at least"),
    tr(
        "An unmatched prediction that is lower above the ground is uncertain: it is no false positive. The ground of a "
        "cloud comes from a cloth simulation filter; of polygons the height field counts, which the predictions must "
        "have too."
    ),
    advanced=True,
    most=1000.0,
    unit="m",
    zero=tr("off"),
    step=0.05,
    kept="min_height",
)
LABELLED = Text(
    "labelled",
    tr("Attribute that says what is labelled"),
    tr(
        "Points where it is not 0 are labelled, for 'Labelled at least'. Default: those of a target tree."
    ),
    advanced=True,
    optional=True,
)
TARGET_CLASS = Text(
    "target_class",
    tr("Class attribute: targets"),
    tr("Attribute of the points with their true class, for table Classes."),
    advanced=True,
    optional=True,
)
PREDICTION_CLASS = Text(
    "prediction_class",
    tr("Class attribute: predictions"),
    tr("Attribute of the points with their predicted class, for table Classes."),
    advanced=True,
    optional=True,
)
CLASSES = Text(
    "class_names",
    tr("Classes"),
    tr(
        "Names and numbers, such as: ground=2 tree=5. Default: every class of the points, by its number."
    ),
    advanced=True,
    optional=True,
)
AGGREGATES = Text(
    "class_aggregates",
    tr("Classes taken as one"),
    tr("Names and numbers, such as: vegetation=3+4+5."),
    advanced=True,
    optional=True,
)


def numbers_by_name(text: str, most: int = 1000) -> dict[str, list[int]]:
    """The numbers of ``name=1+2 other=3``, so many at most; spaces, commas or semicolons between names."""
    found = {}
    for part in re.findall(r"[^\s,;]+", text):
        name, _, numbers = part.partition("=")
        try:
            found[name] = [int(number) for number in numbers.split("+")]
        except ValueError:
            said = "'{part}' is no class: write a name and numbers, such as vegetation=3+4+5."
            raise InputError(said, part=part) from None
        if not name or len(found[name]) > most:
            raise InputError(
                "'{part}' is no class: write a name and one number, such as tree=5.", part=part
            )
    return found


CELL = Number(
    "cell",
    tr("Cell of the outlines"),
    tr(
        "Outlines are drawn around one point per square cell of this side. The metrics do not depend on it."
    ),
    default=0.2,
    advanced=True,
    least=0.01,
    most=100.0,
    unit="m",
    step=0.1,
)

SCORE_FIELD = Field(
    "score_field",
    tr("Score field"),
    tr(
        "Numeric field of the predictions with their score, for average precision. Default: the field whose name "
        "begins with score, conf or prob; without one there is no average precision."
    ),
    optional=True,
    of=PREDICTIONS,
    numeric=True,
    guess=score_field,
)
IGNORED = replace(
    choices.IGNORED,
    help=tr(
        "Polygons, such as COCO's crowds (iscrowd). An unmatched prediction is neither right nor wrong where as much "
        "of it lies on one of them as a match needs IoU (AP, thresholds), or half of it (uncertain)."
    ),
)
POINTS = choices.POINTS
#: Of randcrowns:evaluateinstances, in the order of the dialog.
POLYGON_CHOICES = (
    *(TARGETS, PREDICTIONS, DETECTION, SEGMENTATION, HEIGHT_FIELD, PLOT_FIELD, ALL_DRAWN),
    *(SCORE_FIELD, IGNORED, POINTS, INCLUDE_UNMATCHED, MIN_SHARE, MIN_HEIGHT),
)
#: Of randcrowns:evaluatepointcloud, in the order of the dialog.
CLOUD_CHOICES = (
    *(CLOUD, TARGET, PREDICTION, INVALID_ID, PREDICTION_INVALID_ID, CRS, DETECTION, SEGMENTATION),
    *(INCLUDE_UNMATCHED, N_PARTITIONS, REACH, MIN_SHARE, MIN_HEIGHT, LABELLED, CELL),
    *(TARGET_CLASS, PREDICTION_CLASS, CLASSES, AGGREGATES),
)
