"""Parameters and outputs of randcrowns:annotatorvariance and randcrowns:tuneparameters."""

from __future__ import annotations

import math
import re

from qgis.core import (
    QgsProcessing,
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

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.choices import OWN, add, add_extent, add_offsets
from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark, note
from randcrowns.core.scoring.parameters import MOST
from randcrowns.core.tuning.experiment import MIN_IOU
from randcrowns.layers.words import tr

__all__ = [
    "MOST_SETS",
    "PRESETS_HERE",
    "add_grid",
    "add_labelers",
    "add_picture",
    "add_table",
    "add_tune_outputs",
    "add_variance_outputs",
    "grid_values",
    "untried_ends",
]

PRESETS_HERE = ("image_boxes", "field_polygons", OWN)
_KINDS = QgsProcessing.SourceType
_NUMBER = QgsProcessingParameterNumber.Type
_PICTURES = "PNG (*.png);;SVG (*.svg)"
_GRID_HELP = (
    "Values separated by spaces or semicolons, or first:last:step, as in 0.1:1.0:0.1. The paper's grid (Table III) is "
    "the default."
)


def add_labelers(algorithm: CrownAlgorithm) -> None:
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


def _add_warps(algorithm: CrownAlgorithm) -> None:
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


def add_grid(algorithm: CrownAlgorithm) -> None:
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


def add_variance_outputs(algorithm: CrownAlgorithm) -> None:
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
    _add_texts(algorithm)


def add_tune_outputs(algorithm: CrownAlgorithm) -> None:
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
    _add_texts(algorithm)


def add_table(algorithm: CrownAlgorithm, name: str, label: str, explained: str, by_default: bool = True) -> None:
    """An output table without geometry."""
    sink = QgsProcessingParameterFeatureSink(name, label, _KINDS.TypeVector, None, True, by_default)
    add(algorithm, sink, explained)


def add_picture(algorithm: CrownAlgorithm, name: str, label: str, explained: str) -> None:
    """An output picture, not made unless asked for."""
    file = QgsProcessingParameterFileDestination(name, label, _PICTURES, optional=True, createByDefault=False)
    add(algorithm, file, explained)


def _add_texts(algorithm: CrownAlgorithm) -> None:
    algorithm.addOutput(QgsProcessingOutputString("FINDING", tr("What was found, in a sentence")))
    algorithm.add_remark_outputs()


#: More sets than this are surely a slip of the finger.
MOST_SETS = 20_000
_DIGITS = 9
_WRITTEN_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


def grid_values(name: str, text: str) -> tuple[float, ...]:
    """The values in a text.

    Args:
        name: what they are values of, for sentences.
        text: numbers separated by spaces or semicolons; ``first:last:step`` stands for a range with both ends.

    Raises:
        InputError: when something is no number from 0 to a million, a range leads nowhere, or there are none; for
            commas, which some write between numbers and others within.
    """
    if "," in text:
        raise InputError(
            f"The values of {name} have commas: '{text.strip()}'. Write decimals with a point and spaces between "
            "numbers, such as 0.5 0.7."
        )
    found: list[float] = []
    for part in re.split(r"[\s;]+", text.strip()):
        if part:
            found += _range(name, part) if ":" in part else [_number(name, part)]
    if not found:
        raise InputError(f"There are no values of {name} to try; write some, such as 0.1:1.0:0.1.")
    return tuple(found)


def untried_ends(name: str, text: str) -> list[Remark]:
    """A remark on each range whose last value no step ends at; arguments as in :func:`grid_values`."""
    said = "The range '{range}' of {name} ends at {reached:g}: no step leads to {last:g}, so it is not tried."
    told = []
    for part in re.split(r"[\s;]+", text.strip()):
        if ":" in part:
            reached, last = _range(name, part)[-1], float(part.split(":")[1])
            if abs(reached - last) > 10**-_DIGITS * max(1.0, last):
                told.append(note("grid.untried", said, range=part, name=name, reached=reached, last=last))
    return told


def _range(name: str, text: str) -> list[float]:
    parts = text.split(":")
    if len(parts) != 3:
        raise InputError(f"'{text}' is no range of {name}; write first:last:step, such as 0.1:1.0:0.1.")
    first, last, step = (_number(name, part) for part in parts)
    if step <= 0 or last < first:
        raise InputError(
            f"The range '{text}' of {name} leads nowhere: the step must be above 0 and the last not below the first."
        )
    steps = (last - first) / step
    if steps > MOST_SETS:
        raise InputError(f"The range '{text}' of {name} has more than {MOST_SETS:,} values; take a larger step.")
    return [round(first + number * step, _DIGITS) for number in range(math.floor(steps + 1e-6) + 1)]


def _number(name: str, text: str) -> float:
    if not _WRITTEN_NUMBER.fullmatch(text):
        raise InputError(f"'{text}' is no value of {name}; write numbers, or first:last:step.")
    value = float(text)
    if not 0 <= value <= MOST:
        raise InputError(f"All values of {name} must be from 0 to {MOST:,.0f}, but there is {text}.")
    return value
