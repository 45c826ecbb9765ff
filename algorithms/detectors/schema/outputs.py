"""Outputs of randcrowns:rankdetectors: ground truths as polygons, tables and values."""

from __future__ import annotations

from randcrowns.algorithms.output_types import (
    COCO_COLUMNS,
    IMAGE,
    POINT_RECALL,
    THRESHOLD_COLUMNS,
    UNIT,
    Column,
    Output,
    ValueOutput,
)
from randcrowns.core.detectors.class_precision import ClassRow
from randcrowns.core.detectors.tables import AP_ALL_POINTS, AREAS, CLASSES, CROWNS
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.styles import qml_style, style_unmarked_places

_COUNTED = Column(
    "counted",
    tr("Counted"),
    tr("Areas, crowns, or crowns by class."),
    "text",
    display_texts={AREAS: tr("areas"), CROWNS: tr("crowns"), CLASSES: tr("classes (mAP)")},
)
_DETECTOR = Column("detector", tr("Detector"), tr("Name of the detector's layer."), "text")
_TRUTH = Column(
    "truth", tr("Ground truth"), tr("Ground truth that the detectors are compared with."), "text"
)
_REASON = Column("reason", tr("Why n/a"), tr("Reason why there is no value."), "text")
TRUTH_POLYGONS = Output(
    "TRUTH_POLYGONS",
    tr("Ground truths"),
    tr("Ground truths made of all annotators together: a multipolygon per ground truth."),
    "polygons",
    is_written_by_default=False,
    columns=(
        _TRUTH,
        Column("area", tr("Area"), tr("Area of the multipolygon."), unit="m²", digits=1),
        IMAGE,
    ),
    style=qml_style("target"),
    is_visible=False,
    is_reusable=True,
)
LOOK_AGAIN = Output(
    "LOOK_AGAIN",
    tr("Look again here"),
    tr(
        "Places at which at least half of the polygon detectors, and two of them, found a crown "
        "and no annotator drew one."
    ),
    "polygons",
    columns=(
        Column("place", tr("Place"), tr("Number of the place, from 1."), "integer"),
        Column("votes", tr("Detected by"), tr("Number of detectors that detected it."), "integer"),
        Column("detectors", tr("Detectors"), tr("Number of polygon detectors."), "integer"),
        Column(
            "confidence",
            tr("Confidence"),
            tr(
                "How high the score of the crown here is: the share of the detector's crowns with "
                "no higher score, 0 to 1. Mean over the detectors that found it."
            ),
            digits=2,
        ),
        Column(
            "looked",
            tr("Reviewed by"),
            tr("Number of annotators who reviewed its area."),
            "integer",
        ),
        Column("area", tr("Area"), tr("Area of the place."), unit="m²", digits=1),
        Column(
            "marked_share",
            tr("Marked share"),
            tr("Share of the area that any annotator marked, at most 0.1."),
            digits=2,
        ),
        Column(
            "members",
            tr("Members"),
            tr("Detector and feature id of each crown of the place."),
            "text",
        ),
    ),
    style=lambda layer, _: style_unmarked_places(layer),
    is_written_by_default=False,
)
AUCR = Output(
    "AUCR",
    tr("Detector scores"),
    tr(
        "Area under the P̄-recall curve (areas), average precision over all points (crowns), rank "
        "and skew per ground truth."
    ),
    has_provenance_columns=True,
    columns=(
        _COUNTED,
        Column(
            "measure",
            tr("Measure"),
            tr("AUCR: area under P̄ over recall; AP: average precision, all points of the curve."),
            "text",
            display_texts={AP_ALL_POINTS: tr("AP, all points")},
        ),
        _DETECTOR,
        _TRUTH,
        Column("value", tr("Value"), tr("AUCR (Lampert et al. 2016) or AP (all points), 0 to 1.")),
        Column("rank", tr("Rank"), tr("1 is best; ties share a rank."), "integer"),
        Column(
            "skew",
            tr("Skew"),
            tr("Share of the study area that the ground truth marks."),
            digits=-3,
            is_share=True,
        ),
        Column(
            "crowns", tr("Crowns"), tr("Number of the annotator's crowns that count."), "integer"
        ),
        Column(
            "detections",
            tr("Detections"),
            tr("Number of crowns that the detector marked, judged or not."),
            "integer",
        ),
        Column(
            "not_judged",
            tr("Not judged"),
            tr("Number of detections that are neither right nor wrong."),
            "integer",
        ),
        Column(
            "crown_recall",
            tr("Recall"),
            tr("Share of the annotator's crowns that any detection matches, 0 to 1."),
        ),
        Column(
            "crown_recall_iou",
            tr("Recall at IoU 0.5"),
            tr(
                "Share of all crowns of the annotator that any detection matches with an IoU of at "
                "least 0.5, whatever score matches the crowns."
            ),
        ),
        _REASON,
        IMAGE,
    ),
)
RANKINGS = Output(
    "RANKINGS",
    tr("Rankings"),
    tr("The distinct rankings of the detectors, and the ground truths that give each."),
    columns=(
        _COUNTED,
        Column(
            "position",
            tr("Position"),
            tr("1 is best."),
            "text",
            display_texts={"Ground truths": tr("Ground truths")},
        ),
        Column(
            "ranking_#",
            tr("Ranking #"),
            tr("Detectors by rank. The last row lists the ground truths that give this ranking."),
            "text",
        ),
    ),
)
CERTAINTY_TABLE = Output(
    "CERTAINTY_TABLE",
    tr("Certainty"),
    tr("Share of the bootstrap samples in which each detector has each rank."),
    is_written_by_default=False,
    columns=(
        _COUNTED,
        Column("detector", tr("Detector"), tr("Name of the detector; the best is first."), "text"),
        Column(
            "value",
            tr("Value"),
            tr("AUCR; AP (all points) of crowns, or mAP of classes, over the annotators."),
        ),
        Column(
            "rank_#",
            tr("Share at rank #"),
            tr("Share of the bootstrap samples in which the detector has this rank."),
            digits=1,
            is_share=True,
        ),
        Column(
            "beats_next",
            tr("Beats next"),
            tr("Share of the bootstrap samples in which it beats the detector of the next row."),
            digits=1,
            is_share=True,
        ),
    ),
)
_CORRELATION_INTERVAL = tr(
    "End of the interval with the required certainty, from tiles and not from pixels. Empty with "
    "too few tiles."
)
_CORRELATION_P_VALUE = tr(
    "Two-sided p-value of the hypothesis of no correlation, from tiles and not from pixels. "
    "Significant below 1 - certainty."
)


def _declare_interval_columns(name: str) -> tuple[Column, Column, Column]:
    """Return the columns for both ends of the interval and the p-value of ``cco`` or ``cci``."""
    label = name.upper()
    return (
        Column(f"{name}_low", f"{label}, {tr('from')}", _CORRELATION_INTERVAL),
        Column(f"{name}_high", f"{label}, {tr('to')}", _CORRELATION_INTERVAL),
        Column(f"{name}_p", f"{label}, p", _CORRELATION_P_VALUE),
    )


CORRELATIONS = Output(
    "CORRELATIONS",
    tr("Agreement correlations"),
    tr(
        "Correlation of the score with the number of annotators: where anybody marked (CCO) and "
        "everywhere (CCI)."
    ),
    is_written_by_default=False,
    columns=(
        _DETECTOR,
        Column(
            "cco",
            "CCO",
            tr("Pearson correlation of score and number of annotators, where anybody marked."),
        ),
        Column("cci", "CCI", tr("The same correlation over the whole study area.")),
        Column(
            "difference",
            "CCI - CCO",
            tr("A small difference means that little was detected outside the marked areas."),
        ),
        *_declare_interval_columns("cco"),
        *_declare_interval_columns("cci"),
        _REASON,
    ),
)
KENDALL_TAU = Output(
    "KENDALL_TAU",
    tr("Kendall's tau"),
    tr("Similarity of the rankings under every two ground truths, -1 to 1."),
    is_written_by_default=False,
    columns=(
        _COUNTED,
        Column("truth_1", tr("First ground truth"), kind="text"),
        Column("truth_2", tr("Second ground truth"), kind="text"),
        Column("kendall_tau", tr("Kendall's tau"), tr("1: the same ranking, -1: the reverse.")),
    ),
)
CURVES = Output(
    "CURVES",
    tr("Curves"),
    tr("P̄, precision and false positive rate by recall, per ground truth."),
    is_written_by_default=False,
    columns=(
        _COUNTED,
        _DETECTOR,
        _TRUTH,
        Column("recall", tr("Recall"), tr("True positive rate, 0 to 1.")),
        Column("p_bar", "P̄", tr("Precision averaged over the skew limits.")),
        Column("precision", tr("Precision"), tr("Precision at the skew of the study area.")),
        Column(
            "false_positive_rate",
            tr("False positive rate"),
            tr("Share of the unmarked area that is detected, 0 to 1."),
        ),
        Column("threshold", tr("Threshold"), tr("Minimum score of the detections that count.")),
    ),
)
COCO = Output(
    "COCO",
    tr("COCO metrics"),
    tr(
        "Average precision and recall of whole crowns as defined by COCO, per detector and "
        "annotator."
    ),
    columns=(_DETECTOR, _TRUTH, *COCO_COLUMNS, POINT_RECALL),
)
CLASS_PRECISION = Output(
    "CLASS_PRECISION",
    tr("AP by class"),
    tr(
        "Average precision of whole crowns in each class as defined by COCO, its mean over classes "
        "(mAP), and the ranks of the detectors, per annotator. Only crowns of one class match."
    ),
    columns=(
        _DETECTOR,
        _TRUTH,
        Column(
            "kind",
            tr("Row"),
            tr("A class, or the mean over the classes with a crown of the annotator."),
            "text",
            display_texts={
                ClassRow.CLASS.value: tr("class"),
                ClassRow.MEAN.value: tr("mean over classes (mAP)"),
            },
        ),
        Column("class", tr("Class"), tr("Name of the class; empty for the mean."), "text"),
        Column("targets", tr("Crowns"), tr("Number of the annotator's crowns."), "integer"),
        Column("detections", tr("Detections"), tr("Number of the detector's crowns."), "integer"),
        Column("ap", tr("AP, COCO"), tr("Mean average precision over IoU 0.50 to 0.95.")),
        Column("ap50", tr("AP50, COCO"), tr("The same at an IoU of 0.50.")),
        Column("ap75", tr("AP75, COCO"), tr("The same at an IoU of 0.75.")),
        Column("rank", tr("Rank"), tr("1 is best; ties share a rank."), "integer"),
    ),
)
THRESHOLDS = Output(
    "THRESHOLDS",
    tr("Thresholds side by side"),
    tr(
        "Counts and scores with IoU thresholds from 0.10 to 0.95 for a match, per detector and "
        "annotator."
    ),
    is_written_by_default=False,
    columns=(_DETECTOR, _TRUTH, *THRESHOLD_COLUMNS),
)
#: Outputs of randcrowns:rankdetectors, from top to bottom in the layer tree.
RANK_OUTPUTS = (
    LOOK_AGAIN,
    TRUTH_POLYGONS,
    AUCR,
    RANKINGS,
    CERTAINTY_TABLE,
    CORRELATIONS,
    KENDALL_TAU,
    CURVES,
    COCO,
    CLASS_PRECISION,
    THRESHOLDS,
)
RANK_VALUES = (
    ValueOutput(
        "CONCLUSION", tr("Conclusion: can the best detector be called better?"), is_text=True
    ),
    ValueOutput(
        "PROBABILITY",
        tr(
            "Share of bootstrap samples in which the best detector by area beats the second; a tie "
            "counts half"
        ),
    ),
    ValueOutput(
        "CROWN_PROBABILITY",
        tr(
            "Share of bootstrap samples in which the best detector by whole crowns beats the "
            "second; a tie counts half"
        ),
    ),
    UNIT,
)
