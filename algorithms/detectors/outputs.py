"""What ranking detectors gives: ground truths as polygons, tables with their columns, and sentences."""

from __future__ import annotations

from randcrowns.algorithms.output import (
    COCO_COLUMNS,
    IMAGE,
    POINT_RECALL,
    THRESHOLD_COLUMNS,
    UNIT,
    Column,
    Output,
    Value,
)
from randcrowns.layers.styles.styles import from_qml
from randcrowns.layers.words import tr

_COUNTED = Column(
    "counted",
    tr("Counted"),
    tr("Areas or crowns."),
    "text",
    words={"areas": tr("areas"), "crowns": tr("crowns")},
)
_DETECTOR = Column("detector", tr("Detector"), tr("Name of its layer."), "text")
_TRUTH = Column("truth", tr("Ground truth"), tr("What the detectors are compared with."), "text")
_REASON = Column("reason", tr("Why n/a"), tr("Why there is no value."), "text")
_OF_INTERVAL = tr(
    "End of the interval with the certainty required; tiles count, not places. Empty with too few tiles."
)
TRUTH_POLYGONS = Output(
    "TRUTH_POLYGONS",
    tr("Ground truths"),
    tr("What the annotators make together: a multipolygon per ground truth."),
    "polygons",
    by_default=False,
    columns=(_TRUTH, Column("area", tr("Area"), tr("Its area."), unit="m²", digits=1), IMAGE),
    style=from_qml("target"),
    shown=False,
    reusable=True,
)
AUCR = Output(
    "AUCR",
    tr("Detector scores"),
    tr(
        "Area under the P̄-recall curve (areas), average precision (crowns), rank and skew per ground truth."
    ),
    summary=True,
    optional=False,
    columns=(
        _COUNTED,
        Column(
            "measure",
            tr("Measure"),
            tr("AUCR: area under P̄ over recall; AP: average precision."),
            "text",
        ),
        _DETECTOR,
        _TRUTH,
        Column("value", tr("Value"), tr("AUCR (Lampert et al. 2016) or AP, 0 to 1.")),
        Column("rank", tr("Rank"), tr("1 is best; ties share a rank."), "integer"),
        Column("skew", tr("Skew"), tr("Share of the study area that the ground truth marks.")),
        Column("crowns", tr("Crowns"), tr("Crowns of the annotator that count."), "integer"),
        Column(
            "detections",
            tr("Detections"),
            tr("Crowns that the detector found, judged or not."),
            "integer",
        ),
        Column(
            "not_judged",
            tr("Not judged"),
            tr("Of these, crowns that are neither right nor wrong."),
            "integer",
        ),
        Column(
            "crown_recall",
            tr("Recall"),
            tr("Share of the annotator's crowns that any detection matches, 0 to 1."),
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
            words={"Ground truths": tr("Ground truths")},
        ),
        Column(
            "ranking_#",
            tr("Ranking #"),
            tr("The detectors; last the ground truths that rank them so."),
            "text",
        ),
    ),
)
CERTAINTY_TABLE = Output(
    "CERTAINTY_TABLE",
    tr("Certainty"),
    tr("Probability of each rank over the bootstrap samples."),
    by_default=False,
    columns=(
        _COUNTED,
        Column("detector", tr("Detector"), tr("Best first."), "text"),
        Column(
            "value",
            tr("Value"),
            tr("AUCR, or average precision over the annotators (crowns); not resampled."),
        ),
        Column(
            "rank_#",
            tr("P(rank #)"),
            tr("Share of the bootstrap samples in which it took this rank."),
            digits=2,
        ),
        Column(
            "beats_next",
            tr("Beats next"),
            tr("Share of the bootstrap samples won against the next row's."),
        ),
    ),
)
CORRELATIONS = Output(
    "CORRELATIONS",
    tr("Agreement correlations"),
    tr(
        "Correlation of the score with the number of annotators: where anybody marked (CCO) and everywhere (CCI)."
    ),
    by_default=False,
    columns=(
        _DETECTOR,
        Column(
            "cco",
            "CCO",
            tr("Pearson correlation of score and number of annotators, where anybody marked."),
        ),
        Column("cci", "CCI", tr("The same over the whole study area.")),
        Column(
            "difference",
            "CCI - CCO",
            tr("Small: few false positives away from what anybody marked."),
        ),
        *(
            Column(f"{name}_{end}", f"{name.upper()}, {title}", told)
            for name in ("cco", "cci")
            for end, title, told in (
                ("low", tr("from"), _OF_INTERVAL),
                ("high", tr("to"), _OF_INTERVAL),
                (
                    "p",
                    "p",
                    tr(
                        "Of no correlation, two-sided; tiles count, not places. Significant below 1 - certainty."
                    ),
                ),
            )
        ),
        _REASON,
    ),
)
TAU = Output(
    "TAU",
    tr("Kendall's tau"),
    tr("How similar the rankings under every two ground truths are, -1 to 1."),
    by_default=False,
    columns=(
        _COUNTED,
        Column("truth_1", tr("First ground truth"), kind="text"),
        Column("truth_2", tr("Second ground truth"), kind="text"),
        Column("tau", tr("Kendall's tau"), tr("1: the same ranking, -1: the reverse.")),
    ),
)
CURVES = Output(
    "CURVES",
    tr("Curves"),
    tr("P̄, precision and false positive rate along recall, per ground truth."),
    by_default=False,
    columns=(
        _COUNTED,
        _DETECTOR,
        _TRUTH,
        Column("recall", tr("Recall"), tr("True positive rate, 0 to 1.")),
        Column("p_bar", "P̄", tr("Precision averaged over the skew limits.")),
        Column("precision", tr("Precision"), tr("At the skew of the study area.")),
        Column("false_positive_rate", tr("False positive rate"), tr("0 to 1.")),
        Column("threshold", tr("Threshold"), tr("The detector's score.")),
    ),
)
COCO = Output(
    "COCO",
    tr("COCO metrics"),
    tr(
        "Average precision and recall of whole crowns as COCO has them, per detector and annotator."
    ),
    columns=(_DETECTOR, _TRUTH, *COCO_COLUMNS, POINT_RECALL),
)
THRESHOLDS = Output(
    "THRESHOLDS",
    tr("Thresholds side by side"),
    tr(
        "What is found where a match needs another IoU, from 0.10 to 0.95, per detector and annotator."
    ),
    by_default=False,
    columns=(_DETECTOR, _TRUTH, *THRESHOLD_COLUMNS),
)
#: Of randcrowns:rankdetectors, from top to bottom in the layer tree.
RANK_OUTPUTS = (
    TRUTH_POLYGONS,
    AUCR,
    RANKINGS,
    CERTAINTY_TABLE,
    CORRELATIONS,
    TAU,
    CURVES,
    COCO,
    THRESHOLDS,
)
RANK_VALUES = (
    Value("VERDICT", tr("Whether the best detector can be called better"), text=True),
    Value(
        "PROBABILITY",
        tr("Share of bootstrap samples in which the best by area beat the second; a tie is half"),
    ),
    Value("CROWN_PROBABILITY", tr("The same of the best by whole crowns")),
    UNIT,
)
