"""Parameters and outputs of randcrowns:rankdetectors."""

from __future__ import annotations

from qgis.core import (
    QgsProcessing,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.choices import OWN, add, add_extent, add_lengths
from randcrowns.core.agreement.ground_truths import EACH, LEVELS, TITLES
from randcrowns.core.bootstrap import LEVEL
from randcrowns.layers.words import tr

__all__ = [
    "CROWN_PRESETS",
    "CROWN_SCORES",
    "PRIORS",
    "RULES",
    "SKEWS",
    "TRUTHS",
    "UNITS",
    "add_detector_parameters",
]

#: Keys of the choices, in the order of the dialog.
TRUTHS = (EACH, *TITLES, LEVELS)
RULES = ("0.5", "any", "0.75", "excl-0.5", "staple", "simple")
UNITS = ("both", "areas", "crowns")
SKEWS = ("own", "truths")
PRIORS = ("mean", "any")
CROWN_SCORES = ("iou", "randcrowns")
CROWN_PRESETS = ("image_boxes", "field_polygons", OWN)
_KINDS = QgsProcessing.SourceType
_NUMBER = QgsProcessingParameterNumber.Type


def add_detector_parameters(algorithm: CrownAlgorithm) -> None:
    """Declare everything, in the order of the dialog."""
    _add_inputs(algorithm)
    _add_limits(algorithm)
    _add_places(algorithm)
    _add_crowns(algorithm)
    _add_draws(algorithm)
    _add_outputs(algorithm)


def _add_inputs(algorithm: CrownAlgorithm) -> None:
    add(
        algorithm,
        QgsProcessingParameterMultipleLayers("DETECTORS", tr("Detectors"), _KINDS.TypeMapLayer),
        tr(
            "Rasters with a score per pixel, or polygon layers with a score field. Higher means more certain; only the "
            "order of the scores counts."
        ),
    )
    add(
        algorithm,
        QgsProcessingParameterString(
            "SCORE_FIELD", tr("Field with a detector's score"), defaultValue="score", optional=True
        ),
        tr(
            "Name of the numeric field of the polygon detectors; rasters need none. Polygons without a score are left "
            "out and counted."
        ),
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "BAND", tr("Band of raster detectors"), _NUMBER.Integer, defaultValue=1, minValue=1
        ),
        tr("Number of the band that holds the score, from 1."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterMultipleLayers("ANNOTATORS", tr("Annotators"), _KINDS.TypeVectorPolygon),
        tr("Polygon layers, one per person; each is a ground truth, and together they make the others."),
    )
    names = {EACH: tr("Each annotator"), LEVELS: tr("Every level of agreement"), **TITLES}
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "TRUTHS",
            tr("Ground truths"),
            [names[key] for key in TRUTHS],
            allowMultiple=True,
            defaultValue=list(range(len(TRUTHS) - 1)),
            optional=True,
        ),
        tr(
            "Any, 0.5 and 0.75: what at least one, half, three quarters of the annotators marked. Excl-0.5: half of "
            "those who are no outliers. STAPLE, SIMPLE and LSML estimate the truth; LSML needs pixels."
        ),
    )
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "STAPLE_PRIOR",
            tr("Prior of STAPLE"),
            [tr("Mean decision of the annotators"), tr("Fraction marked by anyone")],
            defaultValue=0,
        ),
        tr("How much of the area STAPLE expects to be marked; it decides how much STAPLE marks."),
        advanced=True,
    )


def _add_limits(algorithm: CrownAlgorithm) -> None:
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "UNITS",
            tr("What is counted"),
            [tr("Areas, and crowns of polygon detectors"), tr("Areas only"), tr("Crowns only")],
            defaultValue=0,
        ),
        tr(
            "Areas: every place of the study area, by pixels or exactly. Crowns: whole crowns found or missed, against "
            "each annotator's own crowns."
        ),
    )
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "SKEW",
            tr("Limits of the fraction of positives (skew)"),
            [tr("The two numbers below"), tr("Mean ± standard deviation of the ground truths")],
            defaultValue=0,
        ),
        tr("P̄ is the precision averaged over scenes in which crowns cover between these two fractions of the area."),
        advanced=True,
    )
    for name, label, value in (("LOW", tr("Lower skew limit"), 0.1), ("HIGH", tr("Upper skew limit"), 0.5)):
        add(
            algorithm,
            QgsProcessingParameterNumber(name, label, _NUMBER.Double, defaultValue=value, minValue=0.0, maxValue=1.0),
            tr("A fraction of the area, 0 to 1 (no unit)."),
            advanced=True,
        )


def _add_places(algorithm: CrownAlgorithm) -> None:
    add_extent(algorithm)
    add(
        algorithm,
        QgsProcessingParameterFeatureSource(
            "TRAINING", tr("Training areas"), [_KINDS.TypeVectorPolygon], optional=True
        ),
        tr("Polygons in which a detector was trained; nothing in them is counted."),
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "RESOLUTION", tr("Pixel size (m; 0 = automatic)"), _NUMBER.Double, defaultValue=0.0, minValue=0.0
        ),
        tr(
            "Automatic: the pixels of the first raster; without a raster the polygons are overlaid exactly, with no "
            "pixels at all."
        ),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber("TOLERANCE", tr("Tolerance (m)"), _NUMBER.Double, defaultValue=0.0, minValue=0.0),
        tr(
            "A detection counts when it is within this distance of the ground truth: a marked pixel takes the highest "
            "score within the distance, and unmarked pixels that near to a marked one are not judged. Needs pixels."
        ),
        advanced=True,
    )


def _add_crowns(algorithm: CrownAlgorithm) -> None:
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "CROWN_SCORE", tr("A crown is found by"), [tr("IoU"), tr("RandCrowns")], defaultValue=0
        ),
        tr("Which score of a detected crown and an annotator's decides whether they are the same crown."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "CROWN_THRESHOLD",
            tr("… of at least"),
            _NUMBER.Double,
            defaultValue=0.5,
            minValue=0.01,
            maxValue=1.0,
        ),
        tr("Least IoU or RandCrowns (0.01 to 1) of a crown that counts as found."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterBoolean("ALL_DRAWN", tr("The annotators drew every crown"), defaultValue=True),
        tr(
            "Uncheck where only some crowns were drawn, as in most field work: a detected crown that touches none of "
            "the drawn ones is then not judged, since it may be right."
        ),
    )
    add(
        algorithm,
        QgsProcessingParameterString("GROUP_FIELD", tr("Field with the plot"), optional=True),
        tr(
            "For counting crowns: those of the annotators and of the detectors meet only within their plot, and plots "
            "in which no detector found anything are left out."
        ),
        advanced=True,
    )
    add_lengths(algorithm, CROWN_PRESETS)


def _add_draws(algorithm: CrownAlgorithm) -> None:
    names = {"0.5": TITLES["0.5"], **{key: TITLES[key] for key in RULES}}
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "RULE", tr("Ground truth of the certainty"), [names[key] for key in RULES], defaultValue=0
        ),
        tr("Annotators and tiles are drawn again and again; this ground truth is made of the drawn annotators."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "DRAWS", tr("Draws"), _NUMBER.Integer, defaultValue=500, minValue=0, maxValue=100_000
        ),
        tr("How often annotators and tiles are drawn; 0 leaves the certainty out, 95 % needs 20 at least, 99 % 100."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "TILE_SIDE", tr("Side of a tile (m; 0 = automatic)"), _NUMBER.Double, defaultValue=0.0, minValue=0.0
        ),
        tr(
            "Tiles should be wider than a crown. Automatic: an eighth of the side of a square as large as the study "
            "area, and at least the median crown's diameter."
        ),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "CERTAINTY", tr("Certainty asked for"), _NUMBER.Double, defaultValue=LEVEL, minValue=0.5, maxValue=1.0
        ),
        tr("Share of the draws that the best detector must win to be called better than the second."),
        advanced=True,
    )


def _add_outputs(algorithm: CrownAlgorithm) -> None:
    for name, label, optional, explained in (
        (
            "AUCR",
            tr("Scores"),
            False,
            tr("Area under the P̄-recall curve (areas), average precision (crowns), rank and skew per ground truth."),
        ),
        ("CURVES", tr("Curves"), True, tr("P̄, precision and false positive rate along recall, per ground truth.")),
        ("RANKINGS", tr("Rankings"), True, tr("The distinct orders of the detectors and what gives each.")),
        ("TAU", tr("Kendall's tau"), True, tr("How alike the orders under every two ground truths are, -1 to 1.")),
        (
            "CORRELATIONS",
            tr("Agreement correlations"),
            True,
            tr("Correlation of the score with the number of annotators: where anyone marked (CCO) and all over (CCI)."),
        ),
        ("CERTAINTY_TABLE", tr("Certainty"), True, tr("Probability of each rank over the draws.")),
    ):
        sink = QgsProcessingParameterFeatureSink(name, label, _KINDS.TypeVector, None, optional, True)
        add(algorithm, sink, explained)
    shapes = QgsProcessingParameterFeatureSink(
        "TRUTH_POLYGONS", tr("Ground truths as polygons"), _KINDS.TypeVectorPolygon, None, True, False
    )
    add(algorithm, shapes, tr("What the annotators make together: a multipolygon per ground truth."))
    algorithm.addOutput(QgsProcessingOutputString("VERDICT", tr("Whether the best detector can be called better")))
    algorithm.addOutput(
        QgsProcessingOutputNumber("PROBABILITY", tr("Share of draws in which the best beat the second; a tie is half"))
    )
    algorithm.addOutput(QgsProcessingOutputString("FIRST_PLACES", tr("Which detector comes first how often")))
    algorithm.addOutput(QgsProcessingOutputString("CROWN_VERDICT", tr("Which detector comes first over whole crowns")))
    algorithm.addOutput(QgsProcessingOutputString("NOTES", tr("What decides the values, and what was left out")))
    algorithm.addOutput(QgsProcessingOutputString("CROWN_NOTES", tr("Which whole crowns were left out")))
    algorithm.add_remark_outputs()
