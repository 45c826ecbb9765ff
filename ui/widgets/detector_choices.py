"""What can be chosen on page Detectors, each with a sentence."""

from __future__ import annotations

from randcrowns.core.agreement.ground_truths import TITLES
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.choices import Choice

__all__ = ["crown_scores", "ground_truth_choices", "presets", "priors", "rules", "skews", "study_areas", "units"]


def ground_truth_choices() -> tuple[Choice, ...]:
    """What detectors are held against."""
    return (
        ("each", tr("Each annotator"), tr("The drawing of every annotator on its own.")),
        ("any", TITLES["any"], tr("What at least one annotator marked.")),
        ("0.5", TITLES["0.5"], tr("What half of the annotators or more marked.")),
        ("0.75", TITLES["0.75"], tr("What three quarters of the annotators or more marked.")),
        (
            "excl-0.5",
            TITLES["excl-0.5"],
            tr("What half or more of the annotators marked who are no outliers (unlike the others, not wrong)."),
        ),
        ("staple", TITLES["staple"], tr("Estimates the truth and everybody's sensitivity (Warfield et al. 2004).")),
        ("simple", TITLES["simple"], tr("Votes again and again without those far off (Langerak et al. 2010).")),
        ("lsml", TITLES["lsml"], tr("A contour that moves to the likeliest truth (Li et al. 2011). Needs pixels.")),
        ("levels", tr("Every level of agreement"), tr("At least 1, 2, … of the annotators; one curve each.")),
    )


def units() -> tuple[Choice, ...]:
    """What is counted."""
    return (
        ("both", tr("Areas and crowns"), tr("Every place; and whole crowns for detectors that are polygons.")),
        ("areas", tr("Areas only"), tr("Every place of the study area, by pixels or exactly.")),
        ("crowns", tr("Crowns only"), tr("Whole crowns found or missed, against each annotator's own.")),
    )


def study_areas() -> tuple[Choice, ...]:
    """Where is counted."""
    automatic = tr("The pixels of the rasters; without a raster the rectangle around everything the annotators drew.")
    return (
        ("none", tr("Automatic"), automatic),
        ("layer", tr("Polygon layer"), tr("The polygons of a layer.")),
        ("canvas", tr("Map as shown"), tr("What the map shows when Run is pressed.")),
    )


def skews() -> tuple[Choice, ...]:
    """Where the skew limits come from."""
    return (
        ("own", tr("As typed"), tr("The two numbers below.")),
        ("truths", tr("From ground truths"), tr("Mean minus and plus one standard deviation of their skew.")),
    )


def crown_scores() -> tuple[Choice, ...]:
    """What decides whether two crowns are the same."""
    return (
        ("iou", tr("IoU"), tr("Area shared over area covered by either.")),
        ("randcrowns", tr("RandCrowns"), tr("Forgives the edge that nobody can draw exactly (Stewart et al. 2021).")),
    )


def presets() -> tuple[Choice, ...]:
    """Lengths of RandCrowns."""
    return (
        ("image_boxes", tr("Boxes on images"), tr("alpha 0.7 m, omega 1.2 m, gamma 3.")),
        ("field_polygons", tr("Field polygons"), tr("alpha 0.6 m, omega 3 m, gamma 3.")),
    )


def priors() -> tuple[Choice, ...]:
    """STAPLE's prior."""
    return (
        ("mean", tr("Mean decision"), tr("The fraction that the annotators marked on average.")),
        ("any", tr("Marked by anyone"), tr("The fraction that anybody marked; marks more.")),
    )


def rules() -> tuple[Choice, ...]:
    """Ground truths that can be made anew of drawn annotators."""
    choices = {key: (words, tooltip) for key, words, tooltip in ground_truth_choices()}
    return tuple((key, *choices[key]) for key in ("0.5", "any", "0.75", "excl-0.5", "staple", "simple"))
