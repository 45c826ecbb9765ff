"""Parameters and outputs that the two evaluations of instances share, and those of each."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingOutputNumber,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterCrs,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFile,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.choices import add, add_targets
from randcrowns.core.instances.matching import Method
from randcrowns.core.instances.partitions import REACH
from randcrowns.layers.words import tr

__all__ = ["METHODS", "REACHES", "add_cloud_parameters", "add_polygon_parameters", "matching_method"]

#: In the order of the dialog.
METHODS = tuple(Method)
#: Part of a tree's own points within its partitions, in the order of the dialog.
REACHES = (REACH, 1.0)
_KINDS = QgsProcessing.SourceType
_NUMBER = QgsProcessingParameterNumber.Type


def add_polygon_parameters(algorithm: CrownAlgorithm) -> None:
    """Declare what randcrowns:evaluateinstances has."""
    add_targets(algorithm)
    add(
        algorithm,
        QgsProcessingParameterFeatureSource("PREDICTIONS", tr("Predicted crowns"), [_KINDS.TypeVectorPolygon]),
        tr("Polygon layer with the crowns that a method found."),
    )
    _add_methods(algorithm)
    add(
        algorithm,
        QgsProcessingParameterField(
            "HEIGHT_FIELD", tr("Height field"), parentLayerParameterName="TARGETS", optional=True
        ),
        tr("Number by which the tallest target chooses first (point2tree, for_instance). Without it: the area."),
    )
    add(
        algorithm,
        QgsProcessingParameterField(
            "GROUP_FIELD", tr("Group field"), parentLayerParameterName="TARGETS", optional=True
        ),
        tr(
            "Field with the plot of each crown: the summary gets a row per plot, intervals come from drawing plots, "
            "and where the predictions have the field too, only crowns of one plot are compared."
        ),
    )
    _add_sinks(algorithm)
    _add_results(algorithm)


def add_cloud_parameters(algorithm: CrownAlgorithm) -> None:
    """Declare what randcrowns:evaluatepointcloud has."""
    add(
        algorithm,
        QgsProcessingParameterFile(
            # Names and ids of layers have no ending, so a filter must let them through.
            "INPUT",
            tr("Point cloud"),
            optional=True,
            fileFilter=tr("Point clouds (*.las *.laz);;All files (*)"),
        ),
        tr("A LAS, LAZ or COPC file, or the name of a point cloud layer that is read from one."),
    )
    for name, label, explained in (
        ("TARGET", tr("Target attribute"), tr("Attribute with the number of the tree that each point belongs to.")),
        ("PREDICTION", tr("Predicted attribute"), tr("Attribute with the number of the tree that a method gave it.")),
    ):
        add(algorithm, QgsProcessingParameterString(name, label), explained)
    add(
        algorithm,
        QgsProcessingParameterNumber("INVALID_ID", tr("Number of points without a tree"), _NUMBER.Integer, -1),
        tr(
            "Points with this number belong to no tree; it is below all tree numbers, often -1 or 0. In an attribute "
            "that cannot be negative -1 means the largest number it can hold where points have that, and otherwise 0."
        ),
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "PREDICTION_INVALID_ID",
            tr("Number of points without a predicted tree, if it is another"),
            _NUMBER.Integer,
            optional=True,
        ),
        tr("The same for the predicted attribute. Without it: as for the target attribute."),
    )
    add(
        algorithm,
        QgsProcessingParameterCrs("CRS", tr("Coordinate system, for a cloud that names none"), optional=True),
        tr("Needed for such a cloud only. For local coordinates in metres any system in metres will do."),
    )
    _add_methods(algorithm)
    _add_cloud_options(algorithm)
    _add_sinks(algorithm)
    for name, label, explained in (
        ("METRICS", tr("Metrics"), tr("The cloud's detection and segmentation metrics, one row.")),
        (
            "PARTITIONS",
            tr("Partitions"),
            tr("Mean metrics by distance to the trunk (xy) and by height above the tree's base (z)."),
        ),
        ("TREE_PARTITIONS", tr("Partitions of each tree"), tr("The same for each target.")),
        ("PERFORMANCE", tr("Time and memory"), tr("What each step took, but the writing of the outputs.")),
    ):
        _add_sink(algorithm, name, label, _KINDS.TypeVector, explained, name == "PARTITIONS")
    _add_results(algorithm)


def matching_method(
    algorithm: QgsProcessingAlgorithm, parameters: dict[str, Any], name: str, context: QgsProcessingContext
) -> Method:
    """The matching method chosen."""
    return METHODS[algorithm.parameterAsEnum(parameters, name, context)]


def _add_methods(algorithm: QgsProcessingAlgorithm) -> None:
    names = {
        Method.PANOPTIC_SEGMENTATION: tr("panoptic_segmentation: best prediction, IoU above 0.5"),
        Method.POINT2TREE: tr("point2tree: tallest first, best free prediction"),
        Method.FOR_INSTANCE: tr("for_instance: tallest first, IoU from 0.5"),
        Method.FOR_AI_NET: tr("for_ai_net: best prediction, IoU from 0.5"),
        Method.FOR_AI_NET_COVERAGE: tr("for_ai_net_coverage: best prediction, any overlap"),
        Method.TREE_LEARN: tr("tree_learn: largest total IoU one to one, above 0.5"),
    }
    for name, label, default, explained in (
        (
            "DETECTION_METHOD",
            tr("Matching for what was found"),
            Method.PANOPTIC_SEGMENTATION,
            tr("Decides which trees count as found: precision, recall, F1, panoptic quality."),
        ),
        (
            "SEGMENTATION_METHOD",
            tr("Matching for how well it was cut out"),
            Method.FOR_AI_NET_COVERAGE,
            tr("Decides which prediction a tree's IoU, precision and recall are measured with."),
        ),
    ):
        add(
            algorithm,
            QgsProcessingParameterEnum(
                name, label, [names[method] for method in METHODS], defaultValue=METHODS.index(default)
            ),
            explained,
        )


def _add_cloud_options(algorithm: QgsProcessingAlgorithm) -> None:
    add(
        algorithm,
        QgsProcessingParameterBoolean("INCLUDE_UNMATCHED", tr("Trees without a prediction count in the means"), True),
        tr("They count with IoU and recall 0; otherwise they are left out of the segmentation metrics."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "NUM_PARTITIONS", tr("Number of partitions"), _NUMBER.Integer, 10, minValue=0, maxValue=1000
        ),
        tr("Parts that each tree is cut into by distance to the trunk and by height; 0 leaves them out."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "REACH",
            tr("Partitions end at"),
            [
                tr("95 % of the tree's points (as pointtree computes)"),
                tr("its farthest point (as pointtree documents)"),
            ],
            defaultValue=0,
        ),
        tr("Distance at which the last partition of a tree ends."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "MIN_PRECISION_FP",
            tr("Uncertain below this labelled share"),
            _NUMBER.Double,
            0.0,
            minValue=0.0,
            maxValue=1.0,
        ),
        tr("An unmatched prediction with a smaller share of its points on target trees is uncertain, no mistake."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "MIN_HEIGHT_FP", tr("Uncertain below this height (m)"), _NUMBER.Double, 0.0, minValue=0.0
        ),
        tr(
            "An unmatched prediction that is lower above the ground is uncertain, no mistake. Above 0 it needs the "
            "library cloth-simulation-filter."
        ),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "CELL", tr("Detail of the outlines (m)"), _NUMBER.Double, 0.2, minValue=0.01, maxValue=100.0
        ),
        tr("Outlines are drawn around one point per square of this side; it does not change the metrics."),
        advanced=True,
    )


def _add_sinks(algorithm: QgsProcessingAlgorithm) -> None:
    polygons = _KINDS.TypeVectorPolygon
    _add_sink(
        algorithm,
        "MATCHED_TARGETS",
        tr("Matched targets"),
        polygons,
        tr("Every target with what became of it, its match, IoU, precision and recall."),
        optional=False,
    )
    _add_sink(
        algorithm,
        "MATCHED_PREDICTIONS",
        tr("Matched predictions"),
        polygons,
        tr("Every prediction with what became of it and the target it belongs to."),
    )
    _add_sink(
        algorithm,
        "SUMMARY",
        tr("Summary"),
        _KINDS.TypeVector,
        tr("Counts, precision, recall, F1, panoptic quality and mean IoU with 95 % intervals, per group."),
    )


def _add_sink(
    algorithm: QgsProcessingAlgorithm,
    name: str,
    label: str,
    kind: Any,
    explained: str,
    by_default: bool = True,
    optional: bool = True,
) -> None:
    add(algorithm, QgsProcessingParameterFeatureSink(name, label, kind, None, optional, by_default), explained)


def _add_results(algorithm: CrownAlgorithm) -> None:
    for name, label in (
        ("PRECISION", tr("Precision")),
        ("RECALL", tr("Recall")),
        ("F1", tr("F1")),
        ("PQ", tr("Panoptic quality")),
        ("MEAN_IOU", tr("Mean IoU of the targets")),
    ):
        algorithm.addOutput(QgsProcessingOutputNumber(name, label))
    algorithm.add_remark_outputs()
