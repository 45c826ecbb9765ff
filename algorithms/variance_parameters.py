"""Parameters and outputs of randcrowns:annotatorvariance and randcrowns:tuneparameters."""

from __future__ import annotations

from qgis.core import (
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
)

from randcrowns.algorithms.base import tr
from randcrowns.algorithms.shared_parameters import OWN, add, add_extent, add_offsets
from randcrowns.core.tuning.experiment import MIN_IOU

__all__ = [
    "PRESETS_HERE",
    "add_grid",
    "add_labelers",
    "add_picture",
    "add_table",
    "add_tune_outputs",
    "add_variance_outputs",
]

PRESETS_HERE = ("image_boxes", "field_polygons", OWN)
_KINDS = QgsProcessing.SourceType
_NUMBER = QgsProcessingParameterNumber.Type
_PICTURES = "PNG (*.png);;SVG (*.svg)"
_GRID_HELP = (
    "Values separated by spaces or semicolons, or first:last:step, as in 0.1:1.0:0.1. The paper's grid (Table III) is "
    "the default."
)


def add_labelers(algorithm: QgsProcessingAlgorithm) -> None:
    """ANNOTATORS, TARGETS, GROUP_FIELD, MIN_IOU, the warped copies of a single drawing, and the extent."""
    add(
        algorithm,
        QgsProcessingParameterMultipleLayers("ANNOTATORS", tr("Annotators"), _KINDS.TypeVectorPolygon),
        tr(
            "Polygon layers, one per person. Each in turn is the target and the others are scored against it; that "
            "takes three, or two beside field targets. Of a single layer, warped copies are made."
        ),
    )
    add(
        algorithm,
        QgsProcessingParameterFeatureSource(
            "TARGETS", tr("Targets drawn in the field"), [_KINDS.TypeVectorPolygon], optional=True
        ),
        tr("With such a layer its crowns alone are the targets, and every annotator is scored against them."),
    )
    add(
        algorithm,
        QgsProcessingParameterString("GROUP_FIELD", tr("Field with the plot"), optional=True),
        tr("Only crowns of one plot are compared. Layers without the field go by the place alone."),
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "MIN_IOU",
            tr("Least IoU of two drawings of one crown"),
            _NUMBER.Double,
            defaultValue=MIN_IOU,
            minValue=0.0,
            maxValue=1.0,
        ),
        tr(
            "A crown takes part when everybody drew it: any two of its drawings are each other's best by IoU, with at "
            "least this IoU (0 to 1). All others are listed with the reason."
        ),
        advanced=True,
    )
    _add_warps(algorithm)
    add_extent(
        algorithm,
        tr(
            "What the annotators could see: every target's regions and the drawings scored against it are cut to it, "
            "as in 'Score crowns'; crowns outside it are left out and listed. Choose a raster layer to take its extent."
        ),
    )


def _add_warps(algorithm: QgsProcessingAlgorithm) -> None:
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "WARPS",
            tr("Warped copies of a single annotator"),
            _NUMBER.Integer,
            defaultValue=3,
            minValue=0,
            maxValue=20,
        ),
        tr("Simulated annotators, who draw every crown again a little differently. Read only with one annotator."),
        advanced=True,
    )
    for name, label, value, most, explained in (
        (
            "WARP_SCALE",
            tr("Warped copies: scale"),
            0.1,
            1.0,
            tr("Standard deviation of the logarithm of the scale along x and y; 0.1 is about 10 %."),
        ),
        (
            "WARP_ROTATION",
            tr("Warped copies: rotation (degrees)"),
            10.0,
            180.0,
            tr("Standard deviation of the angle, degrees. Boxes are not turned."),
        ),
        (
            "WARP_TRANSLATION",
            tr("Warped copies: movement (m)"),
            0.4,
            100.0,
            tr("Standard deviation of the movement along x and y, metres on the ground."),
        ),
    ):
        number = QgsProcessingParameterNumber(name, label, _NUMBER.Double, value, False, 0.0, most)
        add(algorithm, number, explained, advanced=True)


def add_grid(algorithm: QgsProcessingAlgorithm) -> None:
    """ALPHAS, OMEGAS, GAMMAS, LIMIT, MOST_LEFT_OUT, OFFSETS."""
    for name, label, value in (
        ("ALPHAS", tr("True positive boundary (alpha) (m)"), "0.1:1.0:0.1"),
        ("OMEGAS", tr("True negative inner boundary (omega) (m)"), "0.1:1.5:0.1"),
        ("GAMMAS", tr("Area ratio (gamma)"), "1:7:1"),
    ):
        add(algorithm, QgsProcessingParameterString(name, label, defaultValue=value), tr(_GRID_HELP))
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "LIMIT", tr("Limit for wrong pairs"), _NUMBER.Double, defaultValue=0.5, minValue=0.01, maxValue=1.0
        ),
        tr(
            "A set is refused when deliberately wrong pairs (neighbours, shifted, shrunk and grown copies) reach this "
            "RandCrowns (0 to 1) on average: where wrong pairs score high, a low variance says nothing."
        ),
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "MOST_LEFT_OUT",
            tr("Most crowns too small (%)"),
            _NUMBER.Double,
            defaultValue=5.0,
            minValue=0.0,
            maxValue=99.0,
        ),
        tr("A set is refused when a larger share of the targets is narrower than twice alpha and has no score."),
        advanced=True,
    )
    add_offsets(algorithm)


def add_variance_outputs(algorithm: QgsProcessingAlgorithm) -> None:
    """The tables and pictures of randcrowns:annotatorvariance."""
    add_table(
        algorithm, "VARIANCE", tr("Variance"), tr("Mean and average variance of each score per target annotator.")
    )
    for name, label, explained in (
        ("CROWNS", tr("Crowns"), tr("Every target with the mean and the variance of its scores.")),
        ("DRAWINGS", tr("Drawings"), tr("Every delineation with the three scores against its target.")),
        ("LEFT_OUT", tr("Crowns left out"), tr("The crowns that not everybody drew, and why they were left out.")),
    ):
        sink = QgsProcessingParameterFeatureSink(name, label, _KINDS.TypeVectorPolygon, None, True, True)
        add(algorithm, sink, explained)
    add_table(
        algorithm,
        "GALLERY",
        tr("Gallery"),
        tr("Pairs on which RandCrowns and IoU disagree most, agree, or are both low; 'pair' says which drawing."),
        by_default=False,
    )
    add(
        algorithm,
        QgsProcessingParameterRasterLayer("IMAGE", tr("Image behind the gallery"), optional=True),
        tr("Shown behind the crowns on the sheet of small maps; without one they are drawn on white."),
        advanced=True,
    )
    add_picture(algorithm, "GALLERY_FILE", tr("Gallery as a picture"), tr("A sheet of small maps, as PNG or SVG."))
    add_picture(algorithm, "SCATTER_FILE", tr("Scatter as a picture"), tr("RandCrowns against IoU, as PNG or SVG."))
    for name, label in (
        ("VARIANCE_RANDCROWNS", tr("Average variance of RandCrowns")),
        ("VARIANCE_IOU", tr("Average variance of IoU")),
        ("VARIANCE_IOU_CROWNS", tr("Average variance of IoUCrowns")),
    ):
        algorithm.addOutput(QgsProcessingOutputNumber(name, label))
    algorithm.addOutput(QgsProcessingOutputString("WARNING", tr("What is odd about the image behind the gallery")))
    _add_texts(algorithm)


def add_tune_outputs(algorithm: QgsProcessingAlgorithm) -> None:
    """The tables and the picture of randcrowns:tuneparameters."""
    add_table(algorithm, "GRID", tr("Grid"), tr("A row per set of parameters: variance, wrong pairs, verdict, rank."))
    add_table(algorithm, "RECOMMENDED", tr("Recommended sets"), tr("The best sets that can be chosen, in order."))
    add_table(
        algorithm, "VARIANCE", tr("Variance"), tr("The best set scored directly, per target annotator, beside IoU.")
    )
    add_picture(
        algorithm,
        "HEATMAP_FILE",
        tr("Variance over the grid as a picture"),
        tr("A map of the variance over alpha and omega for each gamma, as PNG or SVG; refused sets are hatched."),
    )
    for name, label in (
        ("ALPHA", tr("Alpha of the best set (m)")),
        ("OMEGA", tr("Omega of the best set (m)")),
        ("GAMMA", tr("Gamma of the best set")),
    ):
        algorithm.addOutput(QgsProcessingOutputNumber(name, label))
    algorithm.addOutput(
        QgsProcessingOutputString("WARNING", tr("What to be careful with, or to do when no set can be chosen"))
    )
    _add_texts(algorithm)


def add_table(
    algorithm: QgsProcessingAlgorithm, name: str, label: str, explained: str, by_default: bool = True
) -> None:
    """An output table without geometry."""
    sink = QgsProcessingParameterFeatureSink(name, label, _KINDS.TypeVector, None, True, by_default)
    add(algorithm, sink, explained)


def add_picture(algorithm: QgsProcessingAlgorithm, name: str, label: str, explained: str) -> None:
    """An output picture, not made unless asked for."""
    file = QgsProcessingParameterFileDestination(name, label, _PICTURES, optional=True, createByDefault=False)
    add(algorithm, file, explained)


def _add_texts(algorithm: QgsProcessingAlgorithm) -> None:
    algorithm.addOutput(QgsProcessingOutputString("FINDING", tr("What was found, in a sentence")))
    algorithm.addOutput(QgsProcessingOutputString("REPORT", tr("What was odd about the input")))
