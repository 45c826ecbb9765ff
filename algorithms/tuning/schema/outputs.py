"""Outputs of randcrowns:annotatorvariance and randcrowns:tuneparameters, and their columns."""

from __future__ import annotations

from dataclasses import replace

from randcrowns.algorithms.output_types import (
    INTERVAL_HELP,
    RESAMPLED_UNITS,
    STATUS,
    Column,
    Output,
    ValueOutput,
)
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.core.status import ALL_PLOTS
from randcrowns.core.tuning.variance import CrownKind
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.figures import PICK_TITLES
from randcrowns.layers.styles.styles import qml_style
from randcrowns.report.tuning_content import assessment_labels, wrong_pair_labels

_TARGET = Column(
    "target", tr("Target"), tr("Number of the target in the layer of targets."), "integer"
)
_CROWN = Column("crown", tr("Crown"), tr("Number of the shared crown."), "integer")
_TARGET_ANNOTATOR = Column(
    "target_annotator", tr("Target by"), tr("Annotator of the target."), "text"
)
_TARGET_ID = Column(
    "target_id", tr("Target id"), tr("Feature id of the target in its layer."), "integer"
)
_PLACE = Column(
    "place", tr("Rank"), tr("Rank among the examples of its kind; 1 is the clearest."), "integer"
)
_PAIR = (
    Column("pair", tr("Pair"), tr("Number of the pair in the layer of delineations."), "integer"),
    _TARGET,
    _CROWN,
    _TARGET_ANNOTATOR,
    _TARGET_ID,
    Column(
        "delineation_annotator", tr("Delineation by"), tr("Annotator of the delineation."), "text"
    ),
    Column(
        "delineation_id",
        tr("Delineation id"),
        tr("Feature id of the delineation in its layer."),
        "integer",
    ),
    Column("randcrowns", "RandCrowns", tr("0 to 1 (Stewart et al. 2021, Eq. 14)."), digits=2),
    Column("iou", "IoU", tr("Shared area over the area of both, 0 to 1."), digits=2),
    Column("iou_crowns", "IoUCrowns", tr("RandCrowns without true negatives, 0 to 1."), digits=2),
    Column("target_area", tr("Target area"), tr("Area of the target."), unit="m²", digits=1),
    Column(
        "delineation_area",
        tr("Delineation area"),
        tr("Area of the delineation."),
        unit="m²",
        digits=1,
    ),
    replace(STATUS, help=tr("Status of the score.")),
    Column(
        "series", tr("Annotators"), tr("Annotators of the pair, in the order of the run."), "text"
    ),
)


def _declare_for_each_score(*columns: Column) -> list[Column]:
    """Return the columns once per score, with ``{score}`` and ``{name}`` filled in."""
    return [
        column.format(score=score, name=name)
        for score, name in SCORE_NAMES.items()
        for column in columns
    ]


CROWNS = Output(
    "CROWNS",
    tr("Targets with variance"),
    tr("Every target with the mean and the variance of its scores."),
    "polygons",
    columns=(
        _TARGET,
        _CROWN,
        _TARGET_ANNOTATOR,
        _TARGET_ID,
        *_declare_for_each_score(
            Column("{score}_mean", tr("{name} mean"), tr("Mean over the delineations, 0 to 1.")),
            Column(
                "{score}_variance",
                tr("{name} variance"),
                tr("Variance over the delineations of the target."),
                digits=-3,
            ),
        ),
        Column(
            "example",
            tr("Example"),
            tr("worst: the largest variance of RandCrowns; typical: about the median variance."),
            "text",
            display_texts={
                CrownKind.WORST.value: tr("worst"),
                CrownKind.TYPICAL.value: tr("typical"),
            },
        ),
        _PLACE,
    ),
    style=qml_style("target_variance"),
)
DELINEATIONS = Output(
    "DELINEATIONS",
    tr("Delineations with scores"),
    tr("Every delineation with the three scores against its target."),
    "polygons",
    columns=_PAIR,
    style=qml_style("delineation"),
    is_visible=False,
)
EXCLUDED = Output(
    "EXCLUDED",
    tr("Excluded crowns"),
    tr(
        "Crowns that not all annotators drew or that lie outside the image extent, with the reason."
    ),
    "polygons",
    columns=(
        Column("annotator", tr("Annotator"), tr("Annotator of the crown."), "text"),
        Column("crown_id", tr("Crown id"), tr("Feature id of the crown in its layer."), "integer"),
        Column("reason", tr("Reason"), tr("Why the crown is excluded."), "text"),
    ),
    style=qml_style("target"),
    is_visible=False,
)
DRAWN = Output(
    "DRAWN_CROWNS",
    tr("Crowns by annotator"),
    tr("Number of crowns that each annotator drew in each plot, as Table I of the source."),
    columns=(
        Column("annotator", tr("Annotator"), tr("Annotator of the crown."), "text"),
        Column(
            "plot",
            tr("Plot"),
            tr("Value of the plot field; all: all plots together."),
            "text",
            display_texts={ALL_PLOTS: tr("all plots")},
        ),
        Column("drawn", tr("Drawn"), tr("Number of crowns that the annotator drew."), "integer"),
        Column(
            "shared",
            tr("Shared"),
            tr("Number of these crowns that all annotators drew and that are compared."),
            "integer",
        ),
    ),
)
VARIANCE = Output(
    "VARIANCE",
    tr("Variance"),
    tr("Mean and average variance of each score per target annotator."),
    has_provenance_columns=True,
    columns=(
        Column(
            "target_annotator",
            tr("Target by"),
            tr("Annotator of the targets; all: of every annotator."),
            "text",
            display_texts={ALL_PLOTS: tr("all annotators")},
        ),
        Column(
            "crowns",
            tr("Targets"),
            tr(
                "Number of targets. Without targets of their own, each shared crown counts once "
                "for every annotator who drew it."
            ),
            "integer",
        ),
        Column(
            "too_small",
            tr("Too small"),
            tr("Targets narrower than twice alpha, without a score."),
            "integer",
        ),
        Column(
            "missed",
            tr("Not reached"),
            tr("Pairs that score 0, because the delineation misses the certain crown."),
            "integer",
        ),
        *_declare_for_each_score(
            Column("{score}_mean", tr("{name} mean"), tr("Mean over the pairs, 0 to 1.")),
            Column(
                "{score}_variance",
                tr("{name} variance"),
                tr("Variance averaged over the targets (Stewart et al. 2021, Eq. 15)."),
                digits=-3,
            ),
            Column("{score}_variance_low", tr("{name} from"), INTERVAL_HELP, digits=-3),
            Column("{score}_variance_high", tr("{name} to"), INTERVAL_HELP, digits=-3),
        ),
        RESAMPLED_UNITS,
        Column("reason", tr("Reason"), tr("Why there is no variance."), "text"),
    ),
)
GALLERY = Output(
    "GALLERY",
    tr("Gallery"),
    tr("Pairs on which RandCrowns and IoU disagree most, agree, or are both low."),
    is_written_by_default=False,
    columns=(
        Column(
            "kind",
            tr("Kind"),
            tr("Why the pair is in the gallery."),
            "text",
            display_texts={pick.value: title for pick, title in PICK_TITLES.items()},
        ),
        *(_PLACE, *_PAIR),
    ),
)
GALLERY_FILE = Output(
    "GALLERY_FILE",
    tr("Gallery as a picture"),
    tr("A sheet of small maps, as PNG or SVG."),
    "picture",
    is_written_by_default=False,
)
SCATTER_FILE = Output(
    "SCATTER_FILE",
    tr("Scatter plot as a picture"),
    tr("RandCrowns over IoU, as PNG or SVG."),
    "picture",
    is_written_by_default=False,
)
_FINDING = ValueOutput("CONCLUSION", tr("Result in words"), is_text=True)
#: Outputs of randcrowns:annotatorvariance, from top to bottom in the layer tree.
VARIANCE_OUTPUTS = (
    CROWNS,
    DELINEATIONS,
    EXCLUDED,
    DRAWN,
    VARIANCE,
    GALLERY,
    GALLERY_FILE,
    SCATTER_FILE,
)
#: Further results of randcrowns:annotatorvariance.
VARIANCE_VALUES = (
    *(
        ValueOutput(f"VARIANCE_{score.upper()}", tr("Average variance of {name}", name=name))
        for score, name in SCORE_NAMES.items()
    ),
    _FINDING,
)

_LENGTHS = (
    Column(
        "alpha",
        tr("Alpha"),
        tr(
            "True positive boundary: the area more than this distance inside the outline of the "
            "target counts as certain crown."
        ),
        unit="m",
        digits=-6,
    ),
    Column(
        "omega",
        tr("Omega"),
        tr(
            "True negative inner boundary: the ring that counts as certain background begins this "
            "distance outside the outline of the target."
        ),
        unit="m",
        digits=-6,
    ),
    Column(
        "gamma",
        tr("Gamma"),
        tr("Area of that ring divided by the area of the certain crown."),
        digits=-6,
    ),
)
_SETS = (
    *_LENGTHS,
    Column("scored", tr("Scored"), tr("Targets with a score."), "integer"),
    Column(
        "too_small",
        tr("Too small"),
        tr("Targets narrower than twice alpha, without a score."),
        "integer",
    ),
    Column(
        "missed_share",
        tr("Share not reached"),
        tr("Share of right pairs that miss the certain crown."),
        digits=1,
        is_share=True,
    ),
    Column("mean", tr("Mean"), tr("Mean RandCrowns of the right pairs, 0 to 1.")),
    Column(
        "variance",
        tr("Variance"),
        tr(
            "Variance of RandCrowns (Stewart et al. 2021, Eq. 15), averaged over targets with a "
            "score."
        ),
        digits=-3,
    ),
    Column(
        "common_variance",
        tr("Common variance"),
        tr("Variance over the targets that every set can score."),
        digits=-3,
    ),
    Column("wrong", tr("Wrong pairs"), tr("Mean RandCrowns of the wrong pairs, 0 to 1.")),
    *(
        Column(
            f"wrong_{kind}",
            label,
            tr("Mean RandCrowns of this kind of wrong pairs, 0 to 1."),
        )
        for kind, label in wrong_pair_labels().items()
    ),
    Column(
        "assessment",
        tr("Assessment"),
        tr("Shows whether the set can be chosen, or why not."),
        "text",
        display_texts=assessment_labels(),
    ),
    Column("reason", tr("Refused because"), tr("Why the set cannot be chosen."), "text"),
    Column(
        "rank",
        tr("Rank"),
        tr("Rank by common variance among the sets that can be chosen."),
        "integer",
    ),
)
RECOMMENDED = Output(
    "RECOMMENDED",
    tr("Recommended sets"),
    tr("The best sets that can be chosen, in order."),
    has_provenance_columns=True,
    columns=_SETS,
)
GRID = Output(
    "GRID",
    tr("Grid"),
    tr("A row per set of parameters: variance, wrong pairs, assessment, rank."),
    is_written_by_default=False,
    columns=_SETS,
)
BEST_VARIANCE = replace(
    VARIANCE,
    is_written_by_default=False,
    help=tr("The best set scored directly, per target annotator."),
)
HEATMAP_FILE = Output(
    "HEATMAP_FILE",
    tr("Variance over the grid as a picture"),
    tr(
        "The variance over alpha and omega for each gamma, as PNG or SVG; refused sets are hatched."
    ),
    "picture",
    is_written_by_default=False,
)
#: Outputs of randcrowns:tuneparameters, from top to bottom in the layer tree.
TUNING_OUTPUTS = (RECOMMENDED, GRID, BEST_VARIANCE, HEATMAP_FILE)
#: Alpha, omega and gamma of the best set.
BEST_SET_VALUES = (
    ValueOutput("ALPHA", tr("Alpha of the best set (m)")),
    ValueOutput("OMEGA", tr("Omega of the best set (m)")),
    ValueOutput("GAMMA", tr("Gamma of the best set")),
)
#: Further results of randcrowns:tuneparameters.
TUNING_VALUES = (*BEST_SET_VALUES, _FINDING)
