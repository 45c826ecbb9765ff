"""Parameters and outputs of randcrowns:compareannotators."""

from __future__ import annotations

from qgis.core import (
    QgsProcessing,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterDestination,
)

from randcrowns.algorithms.annotator_parameters import add_annotators, add_image, add_study_area
from randcrowns.algorithms.base import CrownAlgorithm, tr
from randcrowns.algorithms.shared_parameters import add

__all__ = ["add_compare_parameters"]

_KINDS = QgsProcessing.SourceType
_NUMBER = QgsProcessingParameterNumber.Type
# As in the dock. Intervals change no more with more draws, and a window is no larger than an image.
_MOST = {"MIN_AREA": 1e6, "WINDOW": 100_000, "BLOCK_SIDE": 1e6, "DRAWS": 100_000}


def add_compare_parameters(algorithm: CrownAlgorithm) -> None:
    """Declare everything, in the order of the dialog."""
    add_annotators(algorithm)
    add_study_area(algorithm)
    add_image(algorithm)
    _add_choices(algorithm)
    _add_outputs(algorithm)


def _add_choices(algorithm: CrownAlgorithm) -> None:
    add(
        algorithm,
        QgsProcessingParameterBoolean(
            "LEAVE_ONE_OUT", tr("Hold each annotator against the others only"), defaultValue=False
        ),
        tr("The consensus an annotator is held against is then made without their own drawing."),
        advanced=True,
    )
    for name, label, kind, value, least, explained in (
        (
            "MIN_AREA",
            tr("Smallest disagreement to list (m²)"),
            _NUMBER.Double,
            0.0,
            0.0,
            tr("Smaller places are left out of the layer of disagreements, and counted; the numbers stay exact."),
        ),
        ("WINDOW", tr("Window for the contrast (pixels)"), _NUMBER.Integer, 7, 1, tr("Odd; read only with an image.")),
        (
            "BLOCK_SIDE",
            tr("Side of a block (m; 0 = automatic)"),
            _NUMBER.Double,
            0.0,
            0.0,
            tr(
                "Intervals come from drawing square blocks of the study area with replacement; blocks should be larger "
                "than a crown. Automatic: an eighth of the longer side."
            ),
        ),
        ("DRAWS", tr("Draws for the intervals"), _NUMBER.Integer, 1000, 2, tr("How often the blocks are drawn.")),
    ):
        number = QgsProcessingParameterNumber(
            name, label, kind, defaultValue=value, minValue=least, maxValue=_MOST[name]
        )
        add(algorithm, number, explained, advanced=True)


def _add_outputs(algorithm: CrownAlgorithm) -> None:
    polygons, table = _KINDS.TypeVectorPolygon, _KINDS.TypeVector
    for name, label, kind, optional, by_default, explained in (
        ("AGREEMENT", tr("Agreement map"), polygons, False, True, tr("Faces by the number of annotators.")),
        (
            "DISAGREEMENTS",
            tr("Disagreements"),
            polygons,
            True,
            True,
            tr("Places on which not all decided alike, the largest first, with who said yes and who no."),
        ),
        ("ANNOTATOR_TABLE", tr("Annotators"), table, True, True, tr("A row per annotator, against the consensus.")),
        (
            "ANNOTATOR_PAIRS",
            tr("Pairs of annotators"),
            table,
            True,
            True,
            tr("F1, shared area, and agreement crown by crown."),
        ),
        ("SUMMARY", tr("Summary"), table, True, True, tr("Headline numbers with 95 % intervals.")),
        ("RATIO", tr("Agreement ratio"), table, True, False, tr("What at least 1, 2, … annotators marked.")),
        ("LINKAGE", tr("Dendrogram"), table, True, False, tr("Steps of Ward's clustering on 1 - F1.")),
        ("IMAGE_TABLE", tr("Agreement and the image"), table, True, False, tr("Correlations with the image.")),
    ):
        sink = QgsProcessingParameterFeatureSink(name, label, kind, None, optional, by_default)
        add(algorithm, sink, explained)
    add(
        algorithm,
        QgsProcessingParameterRasterDestination("AGREEMENT_RASTER", tr("Agreement raster"), None, True, False),
        tr("Number of annotators per pixel, 255 outside of the study area; needs a pixel size or an image."),
    )
    algorithm.addOutput(QgsProcessingOutputNumber("SMYTH_BOUND", tr("Smyth's bound on the mean error")))
    algorithm.addOutput(QgsProcessingOutputNumber("MEAN_F1", tr("Mean pairwise F1")))
    algorithm.addOutput(QgsProcessingOutputString("COLOURS", tr("Which bands the image's brightness was taken from")))
    algorithm.addOutput(QgsProcessingOutputString("NOTES", tr("Keys of what must be known beside the numbers (JSON)")))
    algorithm.addOutput(
        QgsProcessingOutputString("OUTSIDE", tr("Who drew nothing inside the study area, and what names nobody"))
    )
    algorithm.addOutput(QgsProcessingOutputString("REPORT", tr("What was odd about the input")))
