"""Parameters, outputs and help of randcrowns:scorecrowns."""

from __future__ import annotations

from qgis.core import (
    QgsProcessing,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterField,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.choices import PRESET_KEYS, add, add_extent, add_lengths, add_targets
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.layers.words import tr

__all__ = ["PAIRINGS", "add_score_parameters"]

PAIRINGS = tuple(method.value for method in Pairing)
_NUMBERS = QgsProcessingParameterNumber.Type.Double
_KINDS = QgsProcessing.SourceType


def add_score_parameters(algorithm: CrownAlgorithm) -> None:
    """Declare everything, in the order of the dialog."""
    add_targets(algorithm)
    add(
        algorithm,
        QgsProcessingParameterMultipleLayers("DELINEATIONS", tr("Delineations"), _KINDS.TypeVectorPolygon),
        tr("One or more polygon layers to be scored. Each gets fields of its own, named after it."),
    )
    add_lengths(algorithm, PRESET_KEYS)
    _add_pairing(algorithm)
    _add_fields(algorithm)
    add_extent(algorithm)
    _add_outputs(algorithm)


def _add_pairing(algorithm: CrownAlgorithm) -> None:
    names = {
        Pairing.NEAREST: tr("Nearest centroid (recommended)"),
        Pairing.MAX_IOU: tr("Highest IoU"),
        Pairing.MAX_SCORE: tr("Highest RandCrowns"),
        Pairing.MEAN_OVER_COUNT: tr("Mean of all that are nearest, divided by their number"),
        Pairing.HUNGARIAN: tr("One to one, highest total RandCrowns"),
    }
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "PAIRING", tr("Which delineation for which target"), [names[method] for method in Pairing], defaultValue=0
        ),
        tr(
            "With 'Highest RandCrowns' one large delineation can serve many targets; look at n_targets in the scored "
            "delineations. The IDTReeS preset has a matching of its own."
        ),
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "SEARCH_RADIUS", tr("Search radius (m; 0 = automatic)"), _NUMBERS, defaultValue=0.0, minValue=0.0
        ),
        tr("Largest distance between centroids. Automatic: half the diagonal of each target's bounding box."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "RANDCROWNS_THRESHOLD",
            tr("RandCrowns from which a crown counts as found"),
            _NUMBERS,
            defaultValue=0.5,
            minValue=0.0,
            maxValue=1.0,
        ),
        tr("For precision, recall and F1 in the summary, beside those at IoU 0.4 and 0.5."),
        advanced=True,
    )


def _add_fields(algorithm: CrownAlgorithm) -> None:
    add(
        algorithm,
        QgsProcessingParameterField(
            "GROUP_FIELD", tr("Group field"), parentLayerParameterName="TARGETS", optional=True
        ),
        tr(
            "Field with the plot of each crown: the summary gets a row per plot, and where a delineation layer has the "
            "field too, only crowns of one plot are paired."
        ),
    )
    add(
        algorithm,
        QgsProcessingParameterString("SCORE_FIELD", tr("Field with a detector's score"), optional=True),
        tr("Name of a field of the delineations. Layers without it keep every crown."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber("SCORE_THRESHOLD", tr("Lowest score to keep"), _NUMBERS, defaultValue=0.5),
        tr("Delineations below it, or without a score, are left out and counted. Read only with a score field."),
        advanced=True,
    )


def _add_outputs(algorithm: CrownAlgorithm) -> None:
    for name, label, kind, optional, by_default, explained in (
        (
            "SCORED_TARGETS",
            tr("Scored targets"),
            _KINDS.TypeVectorPolygon,
            False,
            True,
            tr(
                "The targets as they are, with RandCrowns, IoU, IoUCrowns, status and match for each delineation layer."
            ),
        ),
        (
            "SCORED_DELINEATIONS",
            tr("Scored delineations"),
            _KINDS.TypeVectorPolygon,
            True,
            True,
            tr("All delineations with the target they serve best, or none."),
        ),
        (
            "PAIRS",
            tr("Pairs"),
            _KINDS.TypeVectorLine,
            True,
            False,
            tr("Every pair that was scored, with the four terms, as a line between the centroids."),
        ),
        (
            "REGIONS",
            tr("Regions"),
            _KINDS.TypeVectorPolygon,
            True,
            True,
            tr("Regions of each target: a surely crown, o where it may reach, e outer edge, b surely not crown."),
        ),
        (
            "SUMMARY",
            tr("Summary"),
            _KINDS.TypeVector,
            True,
            True,
            tr("Means, intervals and counts per layer and group."),
        ),
    ):
        sink = QgsProcessingParameterFeatureSink(name, label, kind, None, optional, by_default)
        add(algorithm, sink, explained)
    for name, label in (
        ("MEAN_RANDCROWNS", tr("Mean RandCrowns of the first delineation layer")),
        ("MEAN_IOU", tr("Mean IoU of the first delineation layer")),
        ("MEAN_IOU_CROWNS", tr("Mean IoUCrowns of the first delineation layer")),
    ):
        algorithm.addOutput(QgsProcessingOutputNumber(name, label))
    algorithm.addOutput(QgsProcessingOutputString("PREFIXES", tr("Field prefix of each delineation layer (JSON)")))
    algorithm.add_remark_outputs()
