"""What the user chooses when crowns are scored or their regions drawn, and what does not go together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from randcrowns.algorithms import choices
from randcrowns.algorithms.choice import Field, Given, Job, Number, OneOf, Option
from randcrowns.algorithms.layer_choice import Layers
from randcrowns.core.errors import InputError
from randcrowns.core.review.problems import ProblemLimits
from randcrowns.core.scoring.layer import RANDCROWNS_THRESHOLD as USUAL_THRESHOLD
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.words import tr

DELINEATIONS = Layers(
    "delineations",
    tr("Delineations"),
    tr(
        "One or more polygon layers, each scored against the targets on its own; each gets fields named after it."
    ),
    made=True,
)
PAIRING = OneOf(
    "pairing",
    tr("Pairing"),
    tr("Which delineation belongs to which target. The IDTReeS preset has a pairing of its own."),
    options=(
        Option(
            Pairing.NEAREST.value,
            tr("Nearest centroid (recommended)"),
            tr(
                "Each target gets the delineation with the nearest centroid; of several at the same distance the "
                "lowest score counts. The paper's recommendation."
            ),
        ),
        Option(
            Pairing.MAX_IOU.value,
            tr("Highest IoU"),
            tr("Each target gets the delineation of highest IoU. The paper's experiments."),
        ),
        Option(
            Pairing.MAX_SCORE.value,
            tr("Highest RandCrowns"),
            tr(
                "Every pair is scored and the best kept. One large delineation can then serve many targets."
            ),
        ),
        Option(
            Pairing.MEAN_OVER_COUNT.value,
            tr("Mean over count"),
            tr(
                "The mean score of all delineations nearest to a target, divided by their number: splitting costs."
            ),
        ),
        Option(
            Pairing.HUNGARIAN.value,
            tr("One to one"),
            tr(
                "No delineation serves two targets; the assignment with the largest total RandCrowns."
            ),
        ),
        Option(
            Pairing.MIN_SCORE.value,
            tr("Minimum score"),
            tr(
                "The lowest RandCrowns of all delineations nearest to a target: one poor delineation costs."
            ),
        ),
    ),
)
SEARCH_RADIUS = Number(
    "search_radius",
    tr("Search radius"),
    tr(
        "Largest distance between the centroids of a target and its delineation, for the pairings by nearest centroid. "
        "Automatic: half the diagonal of each target's bounding box."
    ),
    advanced=True,
    unit="m",
    zero=tr("automatic"),
    digits=1,
    step=1.0,
)
RANDCROWNS_THRESHOLD = Number(
    "randcrowns_threshold",
    tr("RandCrowns threshold"),
    tr(
        "A crown with this RandCrowns or more counts as found, for precision, recall and F1 beside those at IoU 0.4 "
        "and 0.5; one below it has a problem."
    ),
    default=USUAL_THRESHOLD,
    advanced=True,
    most=1.0,
    step=0.05,
)
GROUP_FIELD = replace(
    choices.PLOT_FIELD,
    help=tr(
        "Field of the targets with the plot of each crown: the summary gets a row per plot, and the intervals are "
        "over plots. Where a delineation layer has the field too, only crowns of one plot are paired."
    ),
)
ALL_DRAWN = replace(
    choices.ALL_DRAWN,
    help=tr(
        "Switch off where only some crowns were drawn, as in most field work: unmatched delineations are then not "
        "judged, and precision, F1 and the penalised mean are n/a."
    ),
)
SCORE_FIELD = Field(
    "score_field",
    tr("Score field"),
    tr(
        "Field of the delineations with a detector's score. Every crown of a layer without the field is kept."
    ),
    advanced=True,
    optional=True,
    of_any=DELINEATIONS,
    numeric=True,
)
SCORE_THRESHOLD = Number(
    "score_threshold",
    tr("Score threshold"),
    tr(
        "Delineations with a lower score, or without one, are excluded and counted. Read only with a score field."
    ),
    default=0.5,
    advanced=True,
    least=-1e9,
    most=1e9,
    digits=3,
    step=0.05,
)
_LIMITS = ProblemLimits()
MERGED_FROM = Number(
    "merged_from",
    tr("Merged from"),
    tr("A delineation that covers this share of another target than its own has merged the two."),
    default=_LIMITS.covered,
    advanced=True,
    least=0.05,
    most=1.0,
    step=0.05,
)
SPLIT_FROM = Number(
    "split_from",
    tr("Split from"),
    tr("Two or more delineations with this share of their own area in one target have split it."),
    default=_LIMITS.inside,
    advanced=True,
    least=0.05,
    most=1.0,
    step=0.05,
)
SHIFTED_FROM = Number(
    "shifted_from",
    tr("Shifted from"),
    tr(
        "A delineation of the target's size is shifted when the centroids are farther apart: in widths of the target."
    ),
    default=_LIMITS.shift,
    advanced=True,
    least=0.01,
    most=100.0,
    step=0.05,
)
TOO_LARGE_FROM = Number(
    "too_large_from",
    tr("Too large from"),
    tr("A delineation is too large when its area is more than so many times the target's."),
    default=_LIMITS.larger,
    advanced=True,
    least=1.0,
    most=1000.0,
    step=0.1,
)
TOO_SMALL_FROM = Number(
    "too_small_from",
    tr("Too small from"),
    tr("A delineation is too small when its area is less than this share of the target's."),
    default=_LIMITS.smaller,
    advanced=True,
    least=0.01,
    most=1.0,
    step=0.05,
)
#: From where on something is wrong with a crown, besides RANDCROWNS_THRESHOLD.
PROBLEM_LIMITS = (MERGED_FROM, SPLIT_FROM, SHIFTED_FROM, TOO_LARGE_FROM, TOO_SMALL_FROM)
#: Of randcrowns:scorecrowns, in the order of the dialog.
SCORE_CHOICES = (
    choices.TARGETS,
    DELINEATIONS,
    choices.PRESET,
    *choices.LENGTHS,
    choices.CORNERS,
    PAIRING,
    SEARCH_RADIUS,
    RANDCROWNS_THRESHOLD,
    *PROBLEM_LIMITS,
    GROUP_FIELD,
    ALL_DRAWN,
    SCORE_FIELD,
    SCORE_THRESHOLD,
    choices.IMAGE_EXTENT,
)
#: Without the preset of the competition, which has other regions.
REGION_PRESET = choices.PRESET.only(*(key for key in choices.PRESET.keys if key != choices.IDTREES))
#: Of randcrowns:targetregions, in the order of the dialog.
REGION_CHOICES = (
    choices.TARGETS,
    REGION_PRESET,
    *choices.LENGTHS,
    choices.CORNERS,
    choices.IMAGE_EXTENT,
)


@dataclass(frozen=True)
class LengthsJob(Job):
    """The job of a run with one set of lengths, and the key of the preset that they come from."""

    preset: str
    lengths: RandCrownsParameters


def check_scoring(given: Given) -> None:
    """Refuse what a scoring run cannot work with."""
    target, delineations = given.layer(choices.TARGETS), given[DELINEATIONS]
    if not delineations:
        raise InputError("Choose at least one layer of delineations.")
    group, score = given[GROUP_FIELD], given[SCORE_FIELD]
    choices.check_layers(target, *delineations)
    if group and target is not None and not _has(target, group):
        raise InputError(
            "Layer '{name}' has no field '{field}' to group by.", name=target.name(), field=group
        )
    if score and not any(_has(layer, score) for layer in delineations):
        raise InputError(
            "None of the delineation layers has a field '{field}' with scores.", field=score
        )
    if (
        choices.chosen_lengths(given, choices.PRESET)[0] == choices.IDTREES
        and choices.IMAGE_EXTENT not in given
    ):
        raise InputError(plots_needed())


def plots_needed() -> str:
    """What the IDTReeS preset requires, in a sentence."""
    return tr(
        "The IDTReeS 2020 preset needs the bounds of each plot's image (20 x 20 m): choose the image, or a layer with "
        "one polygon per plot, as 'Image extent'."
    )


def _has(layer: Any, field: str) -> bool:
    return layer.fields().lookupField(field) >= 0
