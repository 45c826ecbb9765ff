"""Choices with a sentence each, and the combo box that offers them."""

from __future__ import annotations

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QComboBox

from randcrowns.layers.words import tr

__all__ = ["Choice", "choice_box", "extents", "offsets", "pairings"]

#: Key, words, tooltip.
Choice = tuple[str, str, str]


def pairings() -> tuple[Choice, ...]:
    """Which delineation for which target."""
    return (
        (
            "nearest",
            tr("Nearest centroid (recommended)"),
            tr(
                "Each target gets the delineation whose centroid is nearest; of several at the same distance the worst "
                "score counts. The paper's recommendation."
            ),
        ),
        ("max_iou", tr("Highest IoU"), tr("Each target gets the delineation of highest IoU. The paper's experiments.")),
        (
            "max_score",
            tr("Highest RandCrowns"),
            tr("Every pair is scored and the best kept. One large delineation can then serve many targets."),
        ),
        (
            "mean_over_count",
            tr("Mean of all that are nearest, divided by their number"),
            tr("The mean score of all delineations nearest to a target, divided by their number: splitting costs."),
        ),
        (
            "hungarian",
            tr("One to one, highest total RandCrowns"),
            tr("No delineation serves two targets; of all such pairings the one with the largest total score."),
        ),
    )


def offsets() -> tuple[Choice, ...]:
    """How corners behave when a target is grown or shrunk."""
    return (
        ("auto", tr("Square for boxes, round for polygons"), tr("Boxes are told by their outline.")),
        ("mitre", tr("Square"), tr("The paper's way for boxes (mitre).")),
        ("round", tr("Round"), tr("The paper's way for polygons drawn in the field.")),
    )


def extents(images: bool = False) -> tuple[Choice, ...]:
    """Where the image ends; ``images`` offers the extent of a raster too."""
    image = ("image", tr("Image"), tr("The rectangle of a raster layer of the project."))
    return (
        ("none", tr("None"), tr("Nothing is cut.")),
        *((image,) if images else ()),
        ("layer", tr("Polygon layer"), tr("The polygons of a layer say where the image is.")),
        ("canvas", tr("Map as shown"), tr("What the map shows when Run is pressed.")),
    )


def choice_box(entries: tuple[Choice, ...]) -> QComboBox:
    """A combo box of these, narrow enough for a narrow dock."""
    combo = QComboBox()
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(10)
    for number, (key, words, tooltip) in enumerate(entries):
        combo.addItem(words, key)
        combo.setItemData(number, tooltip, Qt.ItemDataRole.ToolTipRole)
    return combo
