"""Outputs of comparing annotators and of making a consensus: layers, tables, rasters and their columns."""

from __future__ import annotations

from dataclasses import replace

from randcrowns.algorithms.output import IMAGE, UNIT, Column, Output, Value
from randcrowns.layers.styles.styles import style_agreement, style_consensus, style_disagreements
from randcrowns.layers.words import tr

#: Key of the colours (``#rrggbb`` by name) among the other outputs that the style of a consensus is handed.
ANNOTATOR_COLOURS = "ANNOTATOR_COLOURS"
_SHARE = tr("Of the study area, 0 to 1.")
_ANNOTATOR = Column("annotator", tr("Annotator"), tr("Layer, or value of the field."), "text")
_WITHOUT = Column(
    "left_out", tr("Without"), tr("The annotator whose polygons were excluded."), "text"
)
_INTERVAL = (
    Column("low", tr("From"), tr("Lower end of the 95 % interval.")),
    Column("high", tr("To"), tr("Upper end of the 95 % interval.")),
)
_PLACES = (
    Column("rank", tr("No."), tr("The largest place is 1."), "integer"),
    Column("area", tr("Area"), tr("Its area."), unit="m²", digits=2),
    Column("n_yes", tr("Yes"), tr("Number of annotators who marked it."), "integer"),
    Column("n_no", tr("No"), tr("Number of annotators who did not."), "integer"),
    Column("yes", tr("Marked by"), tr("Annotators who marked it."), "text"),
    Column("no", tr("Not marked by"), tr("Annotators who did not."), "text"),
    Column("votes", tr("Votes"), tr("1 for yes and 0 for no, annotator by annotator."), "text"),
    IMAGE,
)
DISAGREEMENTS = Output(
    "DISAGREEMENTS",
    tr("Disagreements"),
    tr("Places where annotators differ, the largest first, with who marked them and who did not."),
    "polygons",
    columns=_PLACES,
    style=lambda layer, _: style_disagreements(layer),
    shown=False,
)
AGREEMENT = Output(
    "AGREEMENT",
    tr("Agreement map"),
    tr("Faces by the number of annotators."),
    "polygons",
    columns=_PLACES,
    style=lambda layer, _: style_agreement(layer),
)
ANNOTATOR_TABLE = Output(
    "ANNOTATOR_TABLE",
    tr("Annotators"),
    tr("A row per annotator, against the consensus."),
    columns=(
        _ANNOTATOR,
        Column(
            "marked", tr("Marked"), tr("Area marked inside the study area."), unit="m²", digits=1
        ),
        Column("share", tr("Share"), _SHARE),
        Column(
            "sensitivity",
            tr("Sensitivity"),
            tr("Share of the consensus that this annotator marked."),
        ),
        Column(
            "specificity",
            tr("Specificity"),
            tr("Share of what is no consensus that was left unmarked."),
        ),
        Column(
            "ppv",
            "PPV",
            tr("Positive predictive value: share of the marked area that is consensus."),
        ),
        Column(
            "npv",
            "NPV",
            tr("Negative predictive value: share of the unmarked area that is no consensus."),
        ),
        Column(
            "kappa",
            tr("Kappa"),
            tr("Cohen's kappa with the consensus: agreement beyond chance, up to 1."),
        ),
        Column("mean_f1", tr("Mean F1"), tr("Mean F1 with each of the others, 0 to 1 (Eq. 6).")),
        Column("mean_distance", tr("Mean distance"), tr("Mean of 1 - F1 with the others.")),
        Column(
            "outlier",
            tr("Outlier"),
            tr(
                "1 for an outlier: the mean of 1 - F1 with the others is above the mean of all annotators plus one "
                "standard deviation. It does not mean that the drawings are wrong."
            ),
            "integer",
            words={"1": tr("outlier"), "0": ""},
        ),
        Column(
            "limit",
            tr("Outlier threshold"),
            tr("Mean distance above which an annotator is an outlier."),
        ),
    ),
)
ANNOTATOR_PAIRS = Output(
    "ANNOTATOR_PAIRS",
    tr("Pairs of annotators"),
    tr("F1, shared area, and agreement crown by crown."),
    by_default=False,
    columns=(
        Column("first", tr("First"), tr("Annotator."), "text"),
        Column("second", tr("Second"), tr("Annotator."), "text"),
        Column("f1", "F1", tr("2 x shared / (marked by one + marked by the other) (Eq. 6).")),
        Column("shared", tr("Shared"), tr("Area that both marked."), unit="m²", digits=1),
        Column(
            "only_first",
            tr("Only first"),
            tr("Area that only the first marked."),
            unit="m²",
            digits=1,
        ),
        Column(
            "only_second",
            tr("Only second"),
            tr("Area that only the second marked."),
            unit="m²",
            digits=1,
        ),
        Column("pq", "PQ", tr("Panoptic quality, crown by crown.")),
        Column("sq", "SQ", tr("Segmentation quality: mean IoU of the matched crowns.")),
        Column("rq", "RQ", tr("Recognition quality: F1 of the crowns, matched above IoU 0.5.")),
        Column("matched", tr("Matched"), tr("Crowns with an IoU above 0.5."), "integer"),
        Column(
            "crowns_first",
            tr("Unmatched, first"),
            tr("Crowns of the first without a match."),
            "integer",
        ),
        Column(
            "crowns_second",
            tr("Unmatched, second"),
            tr("Crowns of the second without a match."),
            "integer",
        ),
        Column(
            "splits",
            tr("Splits"),
            tr("Crowns of the first in which the second drew several."),
            "integer",
        ),
        Column(
            "merges",
            tr("Merges"),
            tr("Crowns of the second in which the first drew several."),
            "integer",
        ),
    ),
)
#: What the headline numbers are.
MEANINGS = {
    "annotators": tr("Number of annotators"),
    "study_area": tr("Counted area"),
    "marked_by_any": tr("Area marked by anybody"),
    "marked_by_all": tr("Area marked by all"),
    "smyth_bound": tr("Smyth's lower bound on the mean error"),
    "mean_f1": tr("Mean pairwise F1"),
    "min_f1": tr("Lowest pairwise F1"),
    "max_f1": tr("Highest pairwise F1"),
    "raw_agreement": tr("Raw agreement: chance that two annotators decide alike"),
    "fleiss_kappa": tr("Fleiss' kappa"),
    "krippendorff_alpha": tr("Krippendorff's alpha (nominal)"),
    "gwet_ac1": tr("Gwet's AC1 (high for rare classes in any case)"),
}
SUMMARY = Output(
    "SUMMARY",
    tr("Agreement summary"),
    tr("Headline numbers with 95 % intervals."),
    summary=True,
    columns=(
        Column("statistic", tr("Statistic"), tr("Key of the number."), "text", words=MEANINGS),
        Column(
            "value", tr("Value"), tr("Square metres for areas, otherwise no unit."), digits=None
        ),
        *(replace(end, digits=None) for end in _INTERVAL),
        Column("unit", tr("Unit"), tr("Unit of the value."), "text"),
        Column("blocks", tr("Blocks"), tr("Blocks resampled."), "integer"),
        Column(
            "marked_blocks",
            tr("Marked blocks"),
            tr("Blocks in which somebody marked anything."),
            "integer",
        ),
        Column(
            "draws",
            tr("Bootstrap samples"),
            tr("Bootstrap samples that gave it a value."),
            "integer",
        ),
        Column("meaning", tr("Meaning"), tr("What the number is."), "text"),
        IMAGE,
    ),
)
RATIO = Output(
    "RATIO",
    tr("Agreement ratio"),
    tr("Area that at least 1, 2, … annotators marked (Eq. 3)."),
    by_default=False,
    columns=(
        Column("annotators", tr("Annotators"), tr("At least so many."), "integer"),
        Column("area", tr("Area"), tr("Area marked by so many or more."), unit="m²", digits=1),
        Column("ratio", tr("Ratio"), tr("Share of the area marked by anybody.")),
    ),
)
LINKAGE = Output(
    "LINKAGE",
    tr("Dendrogram"),
    tr(
        "Steps of Ward's clustering on 1 - F1: annotators count from 0, then the clusters as they were made."
    ),
    by_default=False,
    columns=(
        Column("step", tr("Step"), tr("From 0."), "integer"),
        Column("first", tr("First"), tr("Annotator or cluster."), "integer"),
        Column("second", tr("Second"), tr("Annotator or cluster."), "integer"),
        Column("distance", tr("Distance"), tr("Ward's distance on 1 - F1.")),
        Column("size", tr("Size"), tr("Annotators in the new cluster."), "integer"),
        Column("first_place", tr("Place of the first"), tr("Where it stands in a drawing.")),
        Column("first_height", tr("Height of the first"), tr("Distance at which it was made.")),
        Column("second_place", tr("Place of the second"), tr("Where it stands in a drawing.")),
        Column("second_height", tr("Height of the second"), tr("Distance at which it was made.")),
    ),
)
IMAGE_TABLE = Output(
    "IMAGE_TABLE",
    tr("Agreement and the image"),
    tr("Correlation of the number of annotators with the image."),
    by_default=False,
    columns=(
        Column(
            "property",
            tr("Image"),
            tr("Brightness, each band, and contrast (Michelson) of CIELAB lightness and of grey."),
            "text",
            words={
                "intensity": tr("intensity"),
                "contrast": tr("contrast"),
                "contrast of grey": tr("contrast of grey"),
                "band #": tr("band {number}", number="#"),
            },
        ),
        Column(
            "correlation", tr("Correlation"), tr("Pearson, with the number of annotators, -1 to 1.")
        ),
        *_INTERVAL,
        Column("p_value", "p", tr("Of no correlation; blocks count, not pixels.")),
        Column(
            "least_p",
            tr("Least p"),
            tr("That of an image that follows the number of annotators exactly."),
        ),
        Column(
            "n_effective",
            tr("Effective blocks"),
            tr(
                "In how many blocks the number of annotators varies, as if it varied alike in all of them."
            ),
            digits=1,
        ),
        Column("n_blocks", tr("Blocks"), tr("Blocks with pixels."), "integer"),
        Column("reason", tr("Reason"), tr("Why there is no number."), "text"),
        IMAGE,
    ),
)
AGREEMENT_RASTER = Output(
    "AGREEMENT_RASTER",
    tr("Agreement raster"),
    tr(
        "Number of annotators per pixel, 255 outside of the study area; requires a pixel size or an image."
    ),
    "raster",
    by_default=False,
    shown=False,
)
#: Of randcrowns:compareannotators, from top to bottom in the layer tree.
COMPARE_OUTPUTS = (
    DISAGREEMENTS,
    AGREEMENT,
    AGREEMENT_RASTER,
    ANNOTATOR_TABLE,
    ANNOTATOR_PAIRS,
    SUMMARY,
    RATIO,
    LINKAGE,
    IMAGE_TABLE,
)
COMPARE_VALUES = (
    Value("SMYTH_BOUND", tr("Smyth's bound on the mean error")),
    Value("MEAN_F1", tr("Mean pairwise F1")),
    UNIT,
)


CONSENSUS = Output(
    "CONSENSUS",
    tr("Consensus"),
    tr(
        "Its polygons, with the method and its parameters in every row and in the layer's metadata."
    ),
    "polygons",
    optional=False,
    columns=(
        Column("area", tr("Area"), tr("Its area."), unit="m²", digits=2),
        Column("method", tr("Method"), tr("How the consensus was made."), "text"),
        Column("parameters", tr("Parameters"), tr("Parameters of the method."), "text"),
        Column(
            "annotators", tr("Annotators"), tr("Number of annotators it was made from."), "integer"
        ),
        _WITHOUT,
        Column(
            "marked", tr("Marked"), tr("Area marked without this annotator."), unit="m²", digits=1
        ),
        Column(
            "by_nobody",
            tr("Marked by nobody"),
            tr("Part of it that nobody else marked."),
            unit="m²",
            digits=1,
        ),
        Column("prior", tr("Prior"), tr("STAPLE's prior without this annotator.")),
        IMAGE,
    ),
    style=lambda layer, others: style_consensus(layer, others.get(ANNOTATOR_COLOURS) or {}),
    unfolded=True,
    reusable=True,
)
PERFORMANCE = Output(
    "PERFORMANCE",
    tr("Performance of the annotators"),
    tr("A row per annotator."),
    summary=True,
    by_default=False,
    columns=(
        _ANNOTATOR,
        Column("sensitivity", tr("Sensitivity"), tr("As the method estimates it.")),
        Column("specificity", tr("Specificity"), tr("As the method estimates it.")),
        Column("overlap", tr("Overlap"), tr("SIMPLE: Dice with the consensus.")),
        Column(
            "kept",
            tr("Kept"),
            tr("1 for an annotator whose polygons count, 0 for a discarded one."),
            "integer",
        ),
        _WITHOUT,
    ),
)
PRIORS = Output(
    "PRIORS",
    tr("Effect of the prior"),
    tr("STAPLE: the marked area along the prior."),
    by_default=False,
    columns=(
        Column("prior", tr("Prior"), tr("Share of the area expected to be marked.")),
        Column("marked", tr("Marked"), tr("Area marked."), unit="m²", digits=1),
        Column("share", tr("Share"), _SHARE),
        Column("rounds", tr("Rounds"), tr("Rounds of the estimation."), "integer"),
    ),
)
PROBABILITY = Output(
    "PROBABILITY",
    tr("Probability raster"),
    tr("STAPLE's probability of every pixel, -1 outside of the study area; requires a pixel size."),
    "raster",
    by_default=False,
    shown=False,
)
CONSENSUS_RASTER = Output(
    "CONSENSUS_RASTER",
    tr("Consensus raster"),
    tr(
        "1 where the consensus marks, 0 where it does not, 255 outside; requires rasters or a pixel size."
    ),
    "raster",
    by_default=False,
    shown=False,
    reusable=True,
)
#: Of randcrowns:consensus, from top to bottom in the layer tree.
CONSENSUS_OUTPUTS = (CONSENSUS, CONSENSUS_RASTER, PROBABILITY, PERFORMANCE, PRIORS)
CONSENSUS_VALUES = (
    Value("MARKED", tr("Marked area (m², or px² without a georeference)")),
    Value(
        "MARKED_BY_NOBODY",
        tr("Marked area that no annotator marked (m², or px² without a georeference)"),
    ),
    UNIT,
    Value("PRIOR_USED", tr("STAPLE's prior")),
    Value("TITLE", tr("The method in a few words"), text=True),
    Value("METHOD_USED", tr("The method and its parameters"), text=True),
)
