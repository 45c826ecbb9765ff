"""Outputs of randcrowns:compareannotators and randcrowns:consensus: layers, tables and rasters."""

from __future__ import annotations

from dataclasses import replace

from randcrowns.algorithms.output_types import IMAGE, UNIT, Column, Output, ValueOutput
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.styles import (
    style_agreement,
    style_consensus,
    style_disagreements,
    style_look_again,
)
from randcrowns.report.agreement_content import summary_labels

#: Key of the annotators' colours (``#rrggbb`` by name) in the values passed to the style of a
#: consensus.
ANNOTATOR_COLOURS = "ANNOTATOR_COLOURS"
_SHARE = tr(
    "Share of the counted area: of the study area, or of what any annotator marked if there is no "
    "study area."
)
_ANNOTATOR = Column(
    "annotator", tr("Annotator"), tr("Name of the layer, or value of the annotator field."), "text"
)
_EXCLUDED_ANNOTATOR = Column(
    "excluded", tr("Without"), tr("Annotator whose polygons were excluded."), "text"
)
_INTERVAL = (
    Column("low", tr("From"), tr("Lower end of the 95 % interval.")),
    Column("high", tr("To"), tr("Upper end of the 95 % interval.")),
)
_FACE_COLUMNS = (
    Column("rank", tr("No."), tr("Number by size; the largest area is 1."), "integer"),
    Column("area", tr("Area"), tr("Size of the area."), unit="m²", digits=2),
    Column(
        "n_yes",
        tr("Annotators who marked it"),
        tr("Number of annotators who marked it."),
        "integer",
    ),
    Column(
        "n_no",
        tr("Annotators who did not mark it"),
        tr("Number of annotators who did not mark it."),
        "integer",
    ),
    Column("yes", tr("Marked by"), tr("Annotators who marked it."), "text"),
    Column("no", tr("Not marked by"), tr("Annotators who did not mark it."), "text"),
    Column("votes", tr("Votes"), tr("1 for yes and 0 for no, one digit per annotator."), "text"),
    IMAGE,
)
DISAGREEMENTS = Output(
    "DISAGREEMENTS",
    tr("Disagreements"),
    tr("Areas where annotators differ, the largest first, with who marked them and who did not."),
    "polygons",
    columns=_FACE_COLUMNS,
    style=lambda layer, _: style_disagreements(layer),
    is_visible=False,
)
AGREEMENT = Output(
    "AGREEMENT",
    tr("Agreement map"),
    tr("Marked areas with the number of annotators who marked each."),
    "polygons",
    columns=_FACE_COLUMNS,
    style=lambda layer, _: style_agreement(layer),
)
ANNOTATOR_TABLE = Output(
    "ANNOTATOR_TABLE",
    tr("Annotators"),
    tr("Comparison of each annotator with the consensus; one row per annotator."),
    columns=(
        _ANNOTATOR,
        Column(
            "marked", tr("Marked"), tr("Area marked inside the study area."), unit="m²", digits=1
        ),
        Column("share", tr("Share"), _SHARE, digits=1, is_share=True),
        Column(
            "sensitivity",
            tr("Sensitivity"),
            tr(
                "Share of the consensus that this annotator marked. The consensus is what at least "
                "half of the annotators marked, or half of the others if each is compared with "
                "the others only."
            ),
        ),
        Column(
            "specificity",
            tr("Specificity"),
            tr("Share of the area outside the consensus that this annotator left unmarked."),
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
        Column(
            "mean_f1",
            tr("Mean F1"),
            tr("Mean F1 with each of the others, 0 to 1 (Lampert et al. 2016, Eq. 6)."),
        ),
        Column("mean_distance", tr("Mean distance"), tr("Mean of 1 - F1 with the others.")),
        Column(
            "outlier",
            tr("Outlier"),
            tr(
                "1 for an outlier: the mean of 1 - F1 with the others is above the mean of all "
                "annotators plus one standard deviation (Lampert et al. 2016). This rule marks "
                "somebody in most groups, even if all are alike; see Unlike the others. An "
                "outlier's polygons are not necessarily wrong."
            ),
            "integer",
            display_texts={"1": tr("outlier"), "0": ""},
        ),
        Column(
            "unlike",
            tr("Unlike the others"),
            tr(
                "1 if the annotator differs from the others beyond chance: the adjusted p-value is "
                "below 5 %. Chance alone also makes outliers, so the two can differ."
            ),
            "integer",
            display_texts={"1": tr("unlike the others"), "0": ""},
        ),
        Column(
            "p_unlike",
            tr("p, unlike the others"),
            tr(
                "Adjusted p-value: the probability that, if all annotators were alike, one of them "
                "would differ from the others at least as much. From permutations within blocks "
                "or plots. Empty if annotators differ in too few of them."
            ),
        ),
        Column(
            "limit",
            tr("Outlier threshold"),
            tr(
                "Mean distance above which an annotator is an outlier: the mean over all "
                "annotators plus one standard deviation."
            ),
        ),
    ),
)
ANNOTATOR_PAIRS = Output(
    "ANNOTATOR_PAIRS",
    tr("Pairs of annotators"),
    tr("F1, shared area, and agreement crown by crown."),
    is_written_by_default=False,
    columns=(
        Column("first", tr("First"), tr("First annotator of the pair."), "text"),
        Column("second", tr("Second"), tr("Second annotator of the pair."), "text"),
        Column(
            "f1",
            "F1",
            tr("2 x shared / (marked by one + marked by the other) (Lampert et al. 2016, Eq. 6)."),
        ),
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
            tr("No match, first"),
            tr("Crowns of the first without a match."),
            "integer",
        ),
        Column(
            "crowns_second",
            tr("No match, second"),
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
#: Labels of the statistics in the summary, by their keys.
STATISTIC_LABELS = summary_labels()
SUMMARY = Output(
    "SUMMARY",
    tr("Agreement summary"),
    tr("Statistics of all annotators together, with 95 % intervals."),
    has_provenance_columns=True,
    columns=(
        Column(
            "statistic",
            tr("Statistic"),
            tr("Key of the statistic."),
            "text",
            display_texts=STATISTIC_LABELS,
        ),
        Column("value", tr("Value"), tr("Number in the unit of its row."), digits=None),
        *(replace(end, digits=None) for end in _INTERVAL),
        Column("unit", tr("Unit"), tr("Unit of the value."), "text"),
        Column("blocks", tr("Blocks"), tr("Number of blocks that were resampled."), "integer"),
        Column(
            "marked_blocks",
            tr("Marked blocks"),
            tr("Number of blocks in which any annotator marked an area."),
            "integer",
        ),
        Column(
            "bootstrap_samples",
            tr("Bootstrap samples"),
            tr("Number of bootstrap samples in which the statistic has a value."),
            "integer",
        ),
        Column("meaning", tr("Measure"), tr("Name of the statistic."), "text"),
        IMAGE,
    ),
)
RATIO = Output(
    "RATIO",
    tr("Agreement ratio"),
    tr("Area that at least 1, 2, … annotators marked (Lampert et al. 2016, Eq. 3)."),
    is_written_by_default=False,
    columns=(
        Column("annotators", tr("Annotators"), tr("Minimum number of annotators."), "integer"),
        Column(
            "area",
            tr("Area"),
            tr("Area marked by this number of annotators or more."),
            unit="m²",
            digits=1,
        ),
        Column("ratio", tr("Ratio"), tr("Share of the area marked by anybody.")),
    ),
)
LINKAGE = Output(
    "LINKAGE",
    tr("Dendrogram"),
    tr(
        "Steps of Ward's clustering on 1 - F1. Annotators are numbered from 0, then the clusters "
        "in the order of the steps."
    ),
    is_written_by_default=False,
    columns=(
        Column("step", tr("Step"), tr("Number of the step, from 0."), "integer"),
        Column("first", tr("First"), tr("Number of an annotator or a cluster."), "integer"),
        Column("second", tr("Second"), tr("Number of an annotator or a cluster."), "integer"),
        Column("distance", tr("Distance"), tr("Ward's distance on 1 - F1.")),
        Column("size", tr("Size"), tr("Number of annotators in the new cluster."), "integer"),
        Column("first_position", tr("Position of the first"), tr("Position in the dendrogram.")),
        Column("first_height", tr("Height of the first"), tr("Distance at which it was formed.")),
        Column("second_position", tr("Position of the second"), tr("Position in the dendrogram.")),
        Column("second_height", tr("Height of the second"), tr("Distance at which it was formed.")),
    ),
)
IMAGE_TABLE = Output(
    "IMAGE_TABLE",
    tr("Agreement and the image"),
    tr("Correlation of the number of annotators with the image."),
    is_written_by_default=False,
    columns=(
        Column(
            "property",
            tr("Image"),
            tr("Brightness, each band, and contrast (Michelson) of CIELAB lightness and of grey."),
            "text",
            display_texts={
                "intensity": tr("intensity"),
                "contrast": tr("contrast"),
                "contrast of grey": tr("contrast of grey"),
                "band #": tr("band {number}", number="#"),
            },
        ),
        Column(
            "correlation",
            tr("Correlation"),
            tr("Pearson correlation with the number of annotators, -1 to 1."),
        ),
        *_INTERVAL,
        Column(
            "p_value",
            "p",
            tr("p-value of the hypothesis of no correlation, from blocks and not from pixels."),
        ),
        Column(
            "min_p_value",
            tr("Smallest possible p"),
            tr("p-value of an image that is equal to the number of annotators."),
        ),
        Column(
            "n_effective",
            tr("Effective blocks"),
            tr(
                "Number of blocks in which the number of annotators varies, as if it varied "
                "equally in all of them."
            ),
            digits=1,
        ),
        Column("n_blocks", tr("Blocks"), tr("Number of blocks with pixels."), "integer"),
        Column("reason", tr("Reason"), tr("Reason why there is no number."), "text"),
        IMAGE,
    ),
)
AGREEMENT_RASTER = Output(
    "AGREEMENT_RASTER",
    tr("Agreement raster"),
    tr(
        "Number of annotators per pixel, 255 outside the study area. Requires a pixel size or an "
        "image."
    ),
    "raster",
    is_written_by_default=False,
    is_visible=False,
)
#: Outputs of randcrowns:compareannotators, from top to bottom in the layer tree.
CLASS_AGREEMENT = Output(
    "CLASS_AGREEMENT",
    tr("Agreement on classes"),
    tr(
        "Agreement on the classes of crowns that annotators drew alike, and of the ground that "
        "several marked: all annotators in the first row, then each pair. Who did not draw a crown "
        "did not rate it."
    ),
    columns=(
        Column("first", tr("Annotator"), tr("Empty for all annotators."), "text"),
        Column("second", tr("Other annotator"), tr("Empty for all annotators."), "text"),
        Column(
            "compared", tr("Crowns"), tr("Crowns with a class by both, or by several."), "integer"
        ),
        Column("agreement", tr("Equal classes"), tr("Share of equal classes, 0 to 1.")),
        Column(
            "kappa",
            tr("Kappa"),
            tr("Cohen's kappa of a pair, weighted on an ordered scale; Fleiss' kappa of all."),
        ),
        Column(
            "alpha",
            tr("Krippendorff's alpha"),
            tr("Krippendorff's alpha of all annotators, on the scale."),
        ),
        Column(
            "area",
            tr("Area"),
            tr("Ground with a class by both, or by several."),
            unit="m²",
            digits=1,
        ),
        Column("area_agreement", tr("Equal, area"), tr("Share of this ground with equal classes.")),
        Column("area_kappa", tr("Kappa, area"), tr("Kappa of this ground: Cohen's or Fleiss'.")),
        Column(
            "area_alpha",
            tr("Alpha, area"),
            tr("Krippendorff's alpha of this ground, of all annotators, on the scale."),
        ),
        Column("area_ac1", tr("AC1, area"), tr("Gwet's AC1 of this ground, of all annotators.")),
    ),
)
CLASS_CONFUSION = Output(
    "CLASS_CONFUSION",
    tr("Classes of annotators"),
    tr("How often a pair of annotators gave a crown, or the ground, a pair of classes."),
    columns=(
        Column("first", tr("Annotator"), "", "text"),
        Column("second", tr("Other annotator"), "", "text"),
        Column("first_class", tr("Class of the first"), "", "text"),
        Column("second_class", tr("Class of the other"), "", "text"),
        Column("crowns", tr("Crowns"), tr("Number of crowns."), "integer"),
        Column(
            "area",
            tr("Area"),
            tr("Ground with these classes."),
            unit="m²",
            digits=1,
        ),
    ),
)
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
    CLASS_AGREEMENT,
    CLASS_CONFUSION,
)
COMPARE_VALUES = (
    ValueOutput("SMYTH_BOUND", tr("Smyth's bound on the mean error")),
    ValueOutput("MEAN_F1", tr("Mean pairwise F1")),
    UNIT,
)

_CROWN_VOTES = (
    Column(
        "votes", tr("Votes"), tr("Crown by crown: number of annotators who drew it."), "integer"
    ),
    Column(
        "looked",
        tr("Reviewed by"),
        tr("Crown by crown: number of annotators who reviewed its area."),
        "integer",
    ),
    Column(
        "members",
        tr("Members"),
        tr("Crown by crown: annotator and feature id of each crown of the tree."),
        "text",
    ),
)
CONSENSUS = Output(
    "CONSENSUS",
    tr("Consensus"),
    tr(
        "Polygons of the consensus. Each row, and the layer's metadata, contain the method and its "
        "parameters."
    ),
    "polygons",
    optional=False,
    columns=(
        Column("area", tr("Area"), tr("Area of the polygon."), unit="m²", digits=2),
        Column("method", tr("Method"), tr("Method of the consensus."), "text"),
        Column("parameters", tr("Parameters"), tr("Parameters of the method."), "text"),
        Column(
            "annotators",
            tr("Annotators"),
            tr("Number of annotators that the consensus was made from."),
            "integer",
        ),
        _EXCLUDED_ANNOTATOR,
        Column(
            "marked", tr("Marked"), tr("Area marked without this annotator."), unit="m²", digits=1
        ),
        Column(
            "by_nobody",
            tr("Marked by nobody"),
            tr("Part of that area that none of the other annotators marked."),
            unit="m²",
            digits=1,
        ),
        Column("prior", tr("Prior"), tr("STAPLE's prior without this annotator.")),
        *_CROWN_VOTES,
        Column(
            "kept_share",
            tr("Share of its outline"),
            tr(
                "Crown by crown: share of the outline of the tree that this polygon has. Where "
                "outlines overlap, the area belongs to the crown with more votes, then to the "
                "crown whose drawings agree better."
            ),
        ),
        Column(
            "mean_iou",
            tr("Mean IoU"),
            tr(
                "Crown by crown: mean IoU of the outline, without what belongs to other crowns, "
                "with the crowns it was made from."
            ),
        ),
        Column(
            "spread",
            tr("Spread"),
            tr(
                "Crown by crown: mean distance of the annotators' outlines from this outline; NULL "
                "if one annotator drew it."
            ),
            unit="m",
        ),
        Column(
            "crown_class",
            tr("Class"),
            tr("Class that most annotators gave, or that STAPLE estimates; NULL for a tie."),
            "text",
        ),
        Column(
            "class_share",
            tr("Share of the class"),
            tr(
                "Share of the annotators' classes that are the most frequent one; of an area the "
                "mean."
            ),
        ),
        Column(
            "tied_classes",
            tr("Tied classes"),
            tr("Classes with equally many votes."),
            "text",
        ),
        Column(
            "class_probability",
            tr("Probability of the class"),
            tr("Probability of the class, as STAPLE estimates it; of an area the mean."),
        ),
        IMAGE,
    ),
    style=lambda layer, others: style_consensus(layer, others.get(ANNOTATOR_COLOURS) or {}),
    is_expanded=True,
    is_reusable=True,
)
LOOK_AGAIN = Output(
    "LOOK_AGAIN",
    tr("Look again here"),
    tr("Crown by crown: trees that too few annotators drew, as the union of what was drawn."),
    "polygons",
    columns=(
        Column("votes", tr("Votes"), tr("Number of annotators who drew it."), "integer"),
        Column(
            "looked",
            tr("Reviewed by"),
            tr("Number of annotators who reviewed its area."),
            "integer",
        ),
        Column("needed", tr("Needed"), tr("Number of votes that a tree needs there."), "integer"),
        Column(
            "members",
            tr("Members"),
            tr("Annotator and feature id of each crown of the tree."),
            "text",
        ),
        Column(
            "reason",
            tr("Reason"),
            tr("Why there is no crown of the consensus."),
            "text",
            display_texts={
                "too_few_votes": tr("too few votes"),
                "covered": tr("other crowns cover it"),
            },
        ),
        _EXCLUDED_ANNOTATOR,
        IMAGE,
    ),
    style=lambda layer, _: style_look_again(layer),
    is_written_by_default=False,
)
ANNOTATOR_PERFORMANCE = Output(
    "PERFORMANCE",
    tr("Performance of the annotators"),
    tr("Performance of each annotator as the method estimates it; one row per annotator."),
    has_provenance_columns=True,
    is_written_by_default=False,
    columns=(
        _ANNOTATOR,
        Column(
            "sensitivity",
            tr("Sensitivity"),
            tr(
                "Share of the true area that the annotator marked, 0 to 1; STAPLE or LSML "
                "estimates it together with the true area."
            ),
        ),
        Column(
            "specificity",
            tr("Specificity"),
            tr(
                "Share of the area outside of the true area that the annotator left unmarked, 0 "
                "to 1; STAPLE or LSML estimates it."
            ),
        ),
        Column("overlap", tr("Overlap"), tr("SIMPLE: Dice with the consensus.")),
        Column(
            "calibration",
            tr("Calibration"),
            tr("Cooke: p-value that the quantiles are calibrated, 0 to 1; 1 is best."),
        ),
        Column(
            "information",
            tr("Information"),
            tr("Cooke: mean relative information of the quantiles; narrow ones have more."),
        ),
        Column("weight", tr("Weight"), tr("Cooke: weight of the annotator; the sum is 1.")),
        Column(
            "kept",
            tr("Kept"),
            tr("1 for an annotator whose polygons count, 0 for a discarded one."),
            "integer",
        ),
        _EXCLUDED_ANNOTATOR,
    ),
)
CLASS_PERFORMANCE = Output(
    "CLASS_PERFORMANCE",
    tr("Classes by annotator"),
    tr(
        "Probability that an annotator gives a class to crowns, or areas, of each class, as STAPLE "
        "for several classes estimates it."
    ),
    has_provenance_columns=True,
    is_written_by_default=False,
    columns=(
        _ANNOTATOR,
        Column("true_class", tr("Estimated class"), tr("Class of the crowns."), "text"),
        Column("given_class", tr("Given class"), tr("Class that the annotator gives."), "text"),
        Column(
            "probability",
            tr("Probability"),
            tr("Share of these crowns that get this class; NULL without such a crown."),
        ),
        _EXCLUDED_ANNOTATOR,
    ),
)
PRIOR_EFFECT = Output(
    "PRIOR_EFFECT",
    tr("Effect of the prior"),
    tr("Area that STAPLE marks with different priors."),
    is_written_by_default=False,
    columns=(
        Column("prior", tr("Prior"), tr("Share of the area expected to be marked.")),
        Column("marked", tr("Marked"), tr("Marked area."), unit="m²", digits=1),
        Column("share", tr("Share"), _SHARE, digits=1, is_share=True),
        Column("iterations", tr("Rounds"), tr("Rounds of the estimation."), "integer"),
    ),
)
PROBABILITY = Output(
    "PROBABILITY",
    tr("Probability raster"),
    tr(
        "STAPLE's probability that each pixel is marked, -1 outside the study area. Requires a "
        "pixel size."
    ),
    "raster",
    is_written_by_default=False,
    is_visible=False,
)
CONSENSUS_RASTER = Output(
    "CONSENSUS_RASTER",
    tr("Consensus raster"),
    tr(
        "1 where the consensus is marked, 0 where it is not, 255 outside the study area. Requires "
        "rasters or a pixel size."
    ),
    "raster",
    is_written_by_default=False,
    is_visible=False,
    is_reusable=True,
)
#: Outputs of randcrowns:consensus, from top to bottom in the layer tree.
CONSENSUS_OUTPUTS = (
    CONSENSUS,
    CONSENSUS_RASTER,
    PROBABILITY,
    ANNOTATOR_PERFORMANCE,
    PRIOR_EFFECT,
    LOOK_AGAIN,
    CLASS_PERFORMANCE,
)
CONSENSUS_VALUES = (
    ValueOutput("MARKED", tr("Marked area (m², or px² without a georeference)")),
    ValueOutput(
        "MARKED_BY_NOBODY",
        tr("Marked area that no annotator marked (m², or px² without a georeference)"),
    ),
    UNIT,
    ValueOutput("PRIOR_USED", tr("STAPLE's prior")),
    ValueOutput("TITLE", tr("Short name of the method and its parameters"), is_text=True),
    ValueOutput("METHOD_USED", tr("Method, parameters and input of the consensus"), is_text=True),
)
