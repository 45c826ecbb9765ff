"""Rankings of detectors by their whole crowns: average precision under several annotators."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.ranking import (
    Ranking,
    find_distinct_rankings,
    kendall_tau,
    rank_values,
)
from randcrowns.core.errors import InputError
from randcrowns.core.instances.average_precision import CocoMatches
from randcrowns.core.instances.matching import NO_MATCH
from randcrowns.core.messages import Message, info
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, subprogress
from randcrowns.core.scoring.checks import check_lengths_for_size, mean_diameter
from randcrowns.core.scoring.layer import ScoredPairs, score_candidates
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.statistics import precision_recall_f1, ratio, select_greedily
from randcrowns.core.thresholds import rank_equal_scores, reaches
from randcrowns.core.tie_ranks import rank_crowns
from randcrowns.core.validation import validate_arguments

_CURVE_COLUMNS = [
    "detector",
    "truth",
    "threshold",
    "recall",
    "precision",
    "true_positives",
    "false_positives",
]
_COUNT_COLUMNS = [
    "detector",
    "truth",
    "targets",
    "detections",
    "excluded",
    "recall",
    "iou_recall",
]
#: Minimum IoU of the recall that is given in addition to recall by RandCrowns.
RECALL_IOU = 0.5
_SCORELESS = info("reason.scoreless", "None of its crowns has a score.")
_NO_TARGET = info("reason.no_target", "There is no target crown that could be found.")
_PARTLY = info(
    "reason.partly", "Only some crowns were drawn: detections that match none are not judged."
)


@dataclass(frozen=True, eq=False)
class CrownRanking:
    """Rankings of detectors by their crowns under several annotators.

    Attributes:
        average_precision: one row per detector and one column per annotator; NaN where it is
            undefined.
        ranks: rank of each detector (row) under each annotator (column); 1 is best, ties share a
            rank.
        rankings: distinct orders with the annotators that result in each, most frequent first.
        kendall_tau: Kendall's tau between the orders of every two annotators.
        curves: columns detector, truth, threshold (of the detector's score), recall, precision,
            true_positives and false_positives.
        counts: columns detector, truth, targets, detections, excluded (detections that were not
            judged), recall (share of the targets that any detection matches) and iou_recall (the
            same of all crowns of the annotator at an IoU of :data:`RECALL_IOU`).
        matches: matches of each detector under each annotator, from which the curves are computed.
        reasons: message why an annotator or a detector has no value, by name.
    """

    average_precision: pd.DataFrame
    ranks: pd.DataFrame
    rankings: tuple[Ranking, ...]
    kendall_tau: pd.DataFrame
    curves: pd.DataFrame
    counts: pd.DataFrame
    matches: tuple[CrownMatches, ...]
    reasons: dict[str, Message]


@dataclass(frozen=True, eq=False)
class CrownMatches:
    """Matches of a detector's crowns with one annotator's crowns."""

    detector: str  #: name of the detector.
    truth: str  #: name of the annotator.
    detections: Ints  #: (n,) rows of the counted detections among the detector's crowns.
    confidence: Floats  #: (n,) the detector's own score of each counted detection.
    #: (n,) row of the matched crown among the annotator's; -1 for a false positive.
    target_of_detection: Ints
    targets: Ints  #: (m,) rows of the annotator's crowns that should be found.
    ignored: Ints  #: (k,) rows of detections excluded only because they lie on an ignored area.

    @property
    def false_positives(self) -> Ints:
        """Rows of the counted detections without a match (false positives)."""
        return self.detections[self.target_of_detection < 0]


class ClassMatches(NamedTuple):
    """Matches of a detector's crowns with an annotator's crowns of one class."""

    detector: str  #: name of the detector.
    truth: str  #: name of the annotator.
    label: str  #: name of the class.
    targets: Ints  #: (m,) rows of the class among the annotator's crowns.
    #: Matches at each IoU threshold of COCO, as rows of the detector's and the annotator's crowns.
    by_threshold: Sequence[CocoMatches]

    @property
    def false_positives(self) -> Ints:
        """Rows of the detector's crowns that match no crown of the class at a threshold."""
        return np.concatenate(
            [match.prediction[match.target == NO_MATCH] for match in self.by_threshold]
        )


@validate_arguments
def rank_crown_detectors(
    targets: Mapping[str, Crowns],
    detections: Mapping[str, tuple[Crowns, Floats]],
    parameters: RandCrownsParameters,
    threshold: float = 0.5,
    score: str = "iou",
    *,
    inside: Mapping[str, Bools] | None = None,
    scoreless: Collection[str] = (),
    all_drawn: bool = True,
    on_ignored: Mapping[str, Floats] | None = None,
    reviewed: Mapping[str, shapely.Geometry] | None = None,
    progress: Progress = no_progress,
) -> CrownRanking:
    """Compute the average precision of every detector under every annotator, and the rankings.

    If both sides have plots, crowns are matched only within their plot.

    Args:
        targets: each annotator's crowns by name.
        detections: each detector's crowns (n), and its own scores of them (n,), by name.
        parameters: parameters of RandCrowns; used for the score ``randcrowns`` only.
        threshold: minimum score of a match.
        score: score that matches crowns, ``iou`` or ``randcrowns``.
        inside: by detector, mask (n,) of its crowns in the study area; all by default. A crown
            outside still counts under annotators whose crowns it overlaps.
        scoreless: detectors whose scores are all missing; they have no average precision. A
            detector that found nothing has 0.
        all_drawn: False if only some of the crowns were drawn. Then only recall is defined, and
            nothing is ranked; see :func:`compute_crown_curve`.
        on_ignored: by detector, (n,) largest share of each crown that lies on one ignored area; see
            :func:`compute_crown_curve`.
        reviewed: polygon that an annotator has reviewed, by name; everywhere by default. Under that
            annotator, crowns outside it are treated like those outside the study area.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The ranking.

    Raises:
        InputError: if there is no detector or annotator, the score is another, or the threshold is
            not above 0 and up to 1.

    >>> trees = Crowns([shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)])
    >>> detections = {
    ...     "all": (trees, np.array([0.9, 0.8])), "one": (trees.subset([0]), np.array([0.9]))
    ... }
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> ranking = rank_crown_detectors({"ann": trees}, detections, parameters)
    >>> ranking.average_precision["ann"].to_dict()
    {'all': 1.0, 'one': 0.5}
    """
    _check_ranking_input(targets, detections, threshold, score)
    scored_pairs = _score_all_pairs(
        targets, detections, parameters, subprogress(progress, 0.0, 0.9)
    )
    target_ranks = {name: rank_crowns(crowns) for name, crowns in targets.items()}
    detection_ranks = {name: rank_crowns(crowns) for name, (crowns, _) in detections.items()}
    reviewed_areas = reviewed or {}
    evaluations = {}
    evaluation_progress = subprogress(progress, 0.9, 1.0)
    for pair, _ in iterate_with_progress(list(scored_pairs), evaluation_progress):
        detector, annotator = pair
        detected_crowns, confidence = detections[detector]
        is_inside = is_in_area(detected_crowns, reviewed_areas.get(annotator))
        if inside is not None:
            is_inside &= inside[detector]
        evaluations[pair] = _evaluate_detector(
            scored_pairs[pair],
            confidence,
            is_inside,
            len(targets[annotator]),
            threshold=threshold,
            score=score,
            all_drawn=all_drawn,
            on_ignored=None if on_ignored is None else on_ignored[detector],
            ranks=TieRanks(target_ranks[annotator], detection_ranks[detector]),
        )
    confidences = {name: confidence for name, (_, confidence) in detections.items()}
    return _rank_evaluations(evaluations, confidences, list(targets), scoreless)


def check_crown_lengths(
    crown_score: str, annotators: Mapping[str, Crowns], lengths: RandCrownsParameters
) -> list[Message]:
    """Return a warning if crowns match by RandCrowns with lengths that do not suit their size.

    Args:
        crown_score: score by which crowns match, ``iou`` or ``randcrowns``.
        annotators: crowns of each annotator by name, at least one annotator, in metres.
        lengths: parameters of RandCrowns.

    >>> trees = {"ann": Crowns([shapely.box(0, 0, 2, 2)])}
    >>> lengths = RandCrownsParameters(alpha=0.7, omega=1.2, gamma=3)
    >>> [message.key for message in check_crown_lengths("randcrowns", trees, lengths)]
    ['lengths.long']
    >>> check_crown_lengths("iou", trees, lengths)
    []
    """
    if crown_score != "randcrowns":
        return []
    outlines = np.concatenate([crowns.geometry for crowns in annotators.values()])
    return check_lengths_for_size(mean_diameter(outlines), lengths)


def _rank_evaluations(
    evaluations: Mapping[tuple[str, str], _EvaluatedDetector],
    confidences: Mapping[str, Floats],
    annotators: list[str],
    scoreless: Collection[str],
) -> CrownRanking:
    """Return the ranking of detectors that were evaluated under each annotator.

    Args:
        evaluations: results by (detector, annotator).
        confidences: (n,) scores of all crowns of each detector, by name.
        annotators: names of the annotators.
        scoreless: detectors whose scores are all missing.
    """
    table = pd.DataFrame(np.nan, index=list(confidences), columns=annotators, dtype=float)
    curves = []
    counts = []
    matches = []
    reasons = {}
    for (detector, annotator), evaluated in evaluations.items():
        curve = evaluated.curve
        rows_in_scope = evaluated.rows_in_scope
        recall = curve.recall
        iou_recall = evaluated.iou_recall
        if detector in scoreless:
            reasons[detector] = _SCORELESS
            recall = np.nan
            iou_recall = np.nan
        else:
            table.loc[detector, annotator] = average_precision(curve)
        if curve.reason:
            reasons[annotator] = curve.reason
        curves.append(curve.points.assign(detector=detector, truth=annotator))
        counts.append(
            {
                "detector": detector,
                "truth": annotator,
                "targets": curve.n_targets,
                "detections": rows_in_scope.size,
                "excluded": curve.n_excluded,
                "recall": recall,
                "iou_recall": iou_recall,
            }
        )
        matches.append(
            _crown_matches(detector, annotator, curve, confidences[detector], rows_in_scope)
        )

    ranks = rank_values(table)
    return CrownRanking(
        average_precision=table,
        ranks=ranks,
        rankings=find_distinct_rankings(ranks),
        kendall_tau=kendall_tau(ranks),
        curves=pd.concat(curves, ignore_index=True)[_CURVE_COLUMNS],
        counts=pd.DataFrame(counts, columns=_COUNT_COLUMNS),
        matches=tuple(matches),
        reasons=reasons,
    )


class TieRanks(NamedTuple):
    """Unique ranks of T targets and D detections, which break ties.

    See :func:`randcrowns.core.tie_ranks.rank_crowns`.
    """

    target: Ints  #: (T,) ranks of the targets.
    detection: Ints  #: (D,) ranks of the detections.


class _EvaluatedDetector(NamedTuple):
    """Results of a detector under one annotator."""

    curve: CrownCurve  #: precision and recall of the crowns in scope.
    rows_in_scope: Ints  #: (m,) rows of the crowns in scope among the detector's, ascending.
    iou_recall: float  #: share of the targets that any crown in scope matches by IoU.


def _evaluate_detector(
    scored: ScoredPairs,
    confidence: Floats,
    is_inside: Bools,
    n_targets: int,
    *,
    threshold: float,
    score: str,
    all_drawn: bool,
    on_ignored: Floats | None,
    ranks: TieRanks,
) -> _EvaluatedDetector:
    """Compute the curve of a detector under one annotator, from the crowns in scope.

    In scope are the crowns inside the study area, and those that overlap a target.

    Args:
        scored: scored pairs of the annotator's crowns and the detector's n crowns.
        confidence: (n,) scores of the detector's crowns.
        is_inside: (n,) mask of the detector's crowns in the study area.
        n_targets: number of the annotator's crowns.
        threshold: minimum score of a match.
        score: column of the score that matches crowns.
        all_drawn: False if only some of the crowns were drawn.
        on_ignored: (n,) largest share of each crown that lies on one ignored area; None for 0.
        ranks: ranks of all targets and of all crowns of the detector.
    """
    overlapping = _overlapping_pairs(scored.pairs, is_inside)
    rows_in_scope = overlapping.rows_in_scope
    confidence_in_scope = confidence[rows_in_scope]
    tie_ranks = TieRanks(ranks.target, ranks.detection[rows_in_scope])
    curve = compute_crown_curve(
        overlapping.pairs,
        confidence_in_scope,
        n_targets,
        threshold,
        score,
        unscorable=scored.is_too_small if score == "randcrowns" else None,
        all_drawn=all_drawn,
        on_ignored=None if on_ignored is None else on_ignored[rows_in_scope],
        ranks=tie_ranks,
    )
    iou_recall = recall_by_iou(overlapping.pairs, confidence_in_scope, n_targets, tie_ranks)
    return _EvaluatedDetector(curve=curve, rows_in_scope=rows_in_scope, iou_recall=iou_recall)


def recall_by_iou(
    pairs: pd.DataFrame, confidence: Floats, n_targets: int, ranks: TieRanks | None = None
) -> float:
    """Return the share of targets that any detection matches at an IoU of :data:`RECALL_IOU`.

    Args:
        pairs: one row per pair with columns ``target``, ``delineation`` (row numbers) and ``iou``.
        confidence: (D,) the detector's own score of every detection.
        n_targets: number of the annotator's crowns.
        ranks: ranks that break ties, see :func:`match_targets`.

    Returns:
        The share, 0 to 1; NaN without a target.

    >>> pairs = pd.DataFrame({"target": [0, 1], "delineation": [0, 1], "iou": [0.6, 0.4]})
    >>> recall_by_iou(pairs, np.array([0.9, 0.8]), 2)
    0.5
    """
    target_of_detection = match_targets(pairs, confidence, RECALL_IOU, ranks=ranks)
    n_found = int((target_of_detection >= 0).sum())
    return float(ratio(n_found, n_targets))


class _OverlappingPairs(NamedTuple):
    """Pairs of crowns that overlap, and the detector's crowns that count under the annotator."""

    #: Pairs with an IoU above 0; ``delineation`` is a row of ``rows_in_scope``.
    pairs: pd.DataFrame
    rows_in_scope: Ints  #: (m,) rows of the crowns that count among all crowns, ascending.


def _overlapping_pairs(pairs: pd.DataFrame, is_inside: Bools) -> _OverlappingPairs:
    """Return the pairs of overlapping crowns of a detector and an annotator.

    Crowns that overlap a crown of the annotator count outside the study area too.

    Args:
        pairs: scored pairs; ``delineation`` is a row of all crowns of the detector.
        is_inside: (n,) mask of the detector's crowns in the study area.
    """
    overlapping = pairs[pairs["iou"] > 0]
    detection_rows = overlapping["delineation"].to_numpy()
    is_in_scope = is_inside.copy()
    is_in_scope[detection_rows] = True
    rows_in_scope = np.flatnonzero(is_in_scope)
    # The rows are ascending, so that the position of a row among them is its new number.
    new_rows = np.searchsorted(rows_in_scope, detection_rows)
    return _OverlappingPairs(
        pairs=overlapping.assign(delineation=new_rows), rows_in_scope=rows_in_scope
    )


def _check_ranking_input(
    targets: Mapping[str, Crowns],
    detections: Mapping[str, tuple[Crowns, Floats]],
    threshold: float,
    score: str,
) -> None:
    """Raise InputError if detectors cannot be ranked with these arguments.

    Args:
        targets: each annotator's crowns by name; at least one annotator.
        detections: each detector's crowns and their scores by name; at least one detector.
        threshold: minimum score of a match, above 0 and up to 1.
        score: ``iou`` or ``randcrowns``.
    """
    if not targets or not detections:
        raise InputError(
            "ranking.no_annotator_or_detector",
            "Ranking needs at least one annotator and one detector. Choose both.",
        )
    if score not in ("iou", "randcrowns"):
        raise InputError(
            "matching.unknown_score",
            "Crowns are matched by iou or randcrowns, not by '{score}'.",
            score=score,
        )
    if not 0 < threshold <= 1:
        raise InputError(
            "matching.invalid_threshold",
            "A match needs a score above 0 and up to 1, not {threshold:g}. Try 0.5.",
            threshold=threshold,
        )


def _score_all_pairs(
    targets: Mapping[str, Crowns],
    detections: Mapping[str, tuple[Crowns, Floats]],
    parameters: RandCrownsParameters,
    progress: Progress,
) -> dict[tuple[str, str], ScoredPairs]:
    """Score the crowns of every detector against the crowns of every annotator.

    Args:
        targets: each annotator's crowns by name.
        detections: each detector's crowns and their scores by name.
        parameters: parameters of RandCrowns.
        progress: receives the fraction done.

    Returns:
        Scored pairs of crowns by (detector, annotator), detector by detector.
    """
    crowns_of_detectors = [crowns for crowns, _ in detections.values()]
    scored_by_annotator = {}
    for annotator, annotator_progress in iterate_with_progress(list(targets), progress):
        scored_layers, _ = score_candidates(
            targets[annotator],
            crowns_of_detectors,
            parameters,
            Pairing.MAX_SCORE,
            progress=annotator_progress,
        )
        scored_by_annotator[annotator] = scored_layers
    scored_pairs = {}
    for number, detector in enumerate(detections):
        for annotator, scored_layers in scored_by_annotator.items():
            scored_pairs[detector, annotator] = scored_layers[number]
    return scored_pairs


def _crown_matches(
    detector: str, annotator: str, curve: CrownCurve, confidence: Floats, rows_in_scope: Ints
) -> CrownMatches:
    """Return the matches of a curve with the row numbers of all crowns of the detector.

    Args:
        detector: name of the detector.
        annotator: name of the annotator.
        curve: curve of the D detections in scope.
        confidence: scores of all crowns of the detector.
        rows_in_scope: (D,) rows of the detections in scope among all crowns of the detector.
    """
    counted_rows = rows_in_scope[curve.is_counted]
    return CrownMatches(
        detector,
        annotator,
        detections=counted_rows,
        confidence=confidence[counted_rows],
        target_of_detection=curve.target_of_detection[curve.is_counted],
        targets=np.flatnonzero(curve.is_findable),
        ignored=rows_in_scope[curve.is_ignored],
    )


def is_in_area(crowns: Crowns, area: shapely.Geometry | None) -> Bools:
    """Return a mask of the crowns that belong to an area: a point inside the crown lies in it.

    Args:
        crowns: n crowns.
        area: polygon or multipolygon, in the same coordinate reference system; None for everywhere.

    Returns:
        (n,) mask.

    >>> crowns = Crowns([shapely.box(0, 0, 1, 1), shapely.box(5, 0, 6, 1)])
    >>> is_in_area(crowns, shapely.box(0, 0, 3, 3)).tolist()
    [True, False]
    """
    if area is None or len(crowns) == 0:
        return np.ones(len(crowns), dtype=bool)
    shapely.prepare(area)
    inner_points = shapely.point_on_surface(crowns.geometry)
    return np.asarray(shapely.contains(area, inner_points), dtype=bool)


def match_targets(
    pairs: pd.DataFrame,
    confidence: ArrayLike,
    threshold: float,
    score: str = "iou",
    *,
    ranks: TieRanks | None = None,
) -> Ints:
    """Match detections with targets, one to one, in order of falling confidence.

    Each detection takes the free target with which it has the best score. Among detections of equal
    confidence the one with the better best pair comes first, then the lower rank. Among targets
    with equal scores the lower rank comes first. A pair whose score, or whose detection's
    confidence, is NaN cannot match.

    Args:
        pairs: one row per pair with columns ``target`` and ``delineation`` (row numbers) and the
            score.
        confidence: (D,) the detector's own score of every detection.
        threshold: minimum score of a match.
        score: column of the score.
        ranks: ranks of the targets and detections by their place, so that their order changes
            nothing; row numbers by default.

    Returns:
        (D,) target of each detection; -1 for none.

    Raises:
        InputError: if a column is missing, the confidence or the threshold is not numeric, or a
            pair contains a detection without a confidence.

    >>> pairs = pd.DataFrame({"target": [0, 0], "delineation": [0, 1], "iou": [0.6, 0.8]})
    >>> match_targets(pairs, [0.9, 0.5], 0.5).tolist()
    [0, -1]
    """
    confidences = _confidence_array(confidence)
    _check_columns(pairs, score)
    if not np.isfinite(threshold):
        raise InputError(
            "matching.threshold_not_a_number",
            "The threshold of a match is not a number. Give one, such as 0.5.",
        )
    n_detections = confidences.size
    all_detection_rows = pairs["delineation"].to_numpy(dtype=np.int64)
    _check_detection_rows(all_detection_rows, n_detections)

    pair_scores = pairs[score].to_numpy(dtype=float)
    has_confidence = ~np.isnan(confidences[all_detection_rows])
    can_match = reaches(pair_scores, threshold) & has_confidence
    detection_rows = all_detection_rows[can_match]
    target_rows = pairs["target"].to_numpy(dtype=np.int64)[can_match]
    # Rank of each pair by its score, 0 for the highest, and rank of each detection's best pair.
    pair_ranks = rank_equal_scores(pair_scores[can_match])
    best_ranks = np.full(n_detections, len(pair_ranks))
    np.minimum.at(best_ranks, detection_rows, pair_ranks)
    target_ranks = target_rows
    detection_ranks = detection_rows
    if ranks is not None:
        target_ranks = ranks.target[target_rows]
        detection_ranks = ranks.detection[detection_rows]
    # The last key is the most important: confidence first, then the best pair of the detection.
    keys = (
        target_ranks,
        pair_ranks,
        detection_ranks,
        best_ranks[detection_rows],
        -confidences[detection_rows],
    )
    order = np.lexsort(keys)
    ordered_detections = detection_rows[order]
    ordered_targets = target_rows[order]
    matched = select_greedily(ordered_detections, ordered_targets)
    target_of_detection = np.full(n_detections, -1)
    target_of_detection[ordered_detections[matched]] = ordered_targets[matched]
    return target_of_detection


def _check_detection_rows(detection_rows: Ints, n_detections: int) -> None:
    """Raise InputError if a pair contains a detection without a confidence.

    Args:
        detection_rows: row of the detection of each pair.
        n_detections: number of detections with a confidence.
    """
    if detection_rows.size == 0:
        return
    if detection_rows.min() < 0 or detection_rows.max() >= n_detections:
        message = (
            "The table of pairs contains delineation {detection}, but there are only {confidences} "
            "confidences. Give one per delineation."
        )
        raise InputError(
            "pairs.too_few_confidences",
            message,
            detection=detection_rows.max(),
            confidences=n_detections,
        )


@dataclass(frozen=True, eq=False)
class CrownCurve:
    """Precision-recall curve of a detector's D crowns under one annotator's T crowns."""

    #: One row per distinct confidence, highest first: columns threshold (of the confidence),
    #: true_positives, false_positives and precision (both NaN if only some crowns were drawn),
    #: recall (NaN without a target).
    points: pd.DataFrame
    n_targets: int  #: number of the targets that could be found.
    n_excluded: int  #: number of detections that are neither right nor wrong.
    reason: Message | None  #: why average precision is undefined; None if it is defined.
    target_of_detection: Ints  #: (D,) target that each detection matches; -1 for none.
    is_counted: Bools  #: (D,) True for detections that count.
    is_findable: Bools  #: (T,) True for targets that could be found.
    is_ignored: (
        Bools  #: (D,) True for detections excluded only because they lie on an ignored area.
    )

    @property
    def recall(self) -> float:
        """Share of the targets that any detection matches; NaN without a target."""
        return float(ratio(int((self.target_of_detection >= 0).sum()), self.n_targets))


def compute_crown_curve(
    pairs: pd.DataFrame,
    confidence: ArrayLike,
    targets: int,
    threshold: float = 0.5,
    score: str = "iou",
    *,
    unscorable: ArrayLike | None = None,
    all_drawn: bool = True,
    on_ignored: ArrayLike | None = None,
    ranks: TieRanks | None = None,
) -> CrownCurve:
    """Compute precision and recall of crowns at every distinct confidence.

    Args:
        pairs: one row per pair with columns ``target`` and ``delineation`` (row numbers) and the
            score, such as :func:`randcrowns.core.scoring.layer.score_candidates` returns.
        confidence: (D,) the detector's own score of every detection, paired or not. Detections with
            NaN are excluded.
        targets: number T of target crowns, found or not.
        threshold: minimum score of a match.
        score: column of the score.
        unscorable: (T,) True for targets that cannot be scored, such as those too small for
            RandCrowns. They are neither found nor missed. A detection that overlaps one, and
            matches no other target, is excluded.
        all_drawn: False if the targets are only some of the crowns, as in most field work. A
            detection without a match may then be right, so it is not judged, and precision is
            undefined.
        on_ignored: (D,) largest share of each detection that lies on one ignored area (COCO's
            ``iscrowd``). A detection without a match is excluded if that share reaches the
            threshold.
        ranks: ranks that break ties, see :func:`match_targets`.

    Returns:
        The curve.

    Raises:
        InputError: if a column is missing, a value is not numeric, or a number of rows does not
            fit.

    >>> pairs = pd.DataFrame({"target": [0], "delineation": [1], "iou": [0.8]})
    >>> curve = compute_crown_curve(pairs, [0.9, 0.8], targets=1)
    >>> curve.points[["threshold", "precision", "recall"]].to_numpy().tolist()
    [[0.9, 0.0, 0.0], [0.8, 0.5, 1.0]]
    """
    confidences = _confidence_array(confidence)
    _check_columns(pairs, score)
    target_rows = pairs["target"].to_numpy(dtype=np.int64)
    _check_target_rows(target_rows, targets)
    is_unscorable = _unscorable_mask(unscorable, targets)
    ignored_share = _ignored_shares(on_ignored, confidences.size)

    has_unscorable = is_unscorable[target_rows]
    scorable_pairs = pairs[~has_unscorable]
    target_of_detection = match_targets(scorable_pairs, confidences, threshold, score, ranks=ranks)
    is_match = target_of_detection >= 0
    detection_rows = pairs["delineation"].to_numpy(dtype=np.int64)
    overlaps_unscorable = np.zeros(confidences.size, dtype=bool)
    overlaps_unscorable[detection_rows[has_unscorable]] = True

    # A detection without a match counts only if nothing excuses it.
    is_countable = ~np.isnan(confidences) & (is_match | ~overlaps_unscorable)
    is_ignored = is_countable & ~is_match & reaches(ignored_share, threshold)
    is_counted = is_countable & ~is_ignored

    n_targets = int((~is_unscorable).sum())
    points = _curve_points(confidences[is_counted], is_match[is_counted], n_targets)
    reason = None if n_targets else _NO_TARGET
    is_judged = is_counted
    if not all_drawn:
        points = points.assign(false_positives=np.nan, precision=np.nan)
        is_judged = is_counted & is_match
        reason = reason or _PARTLY
    return CrownCurve(
        points=points,
        n_targets=n_targets,
        n_excluded=int(confidences.size - is_judged.sum()),
        reason=reason,
        target_of_detection=target_of_detection,
        is_counted=is_counted,
        is_findable=~is_unscorable,
        is_ignored=is_ignored,
    )


def _check_target_rows(target_rows: Ints, n_targets: int) -> None:
    """Raise InputError if a pair contains a target that does not exist, or n is negative.

    Args:
        target_rows: row of the target of each pair.
        n_targets: number n of targets.
    """
    all_exist = target_rows.size == 0 or (target_rows.min() >= 0 and target_rows.max() < n_targets)
    if n_targets < 0 or not all_exist:
        message = (
            "The table of pairs does not fit {targets} targets. "
            "Give the number of targets that it was made with."
        )
        raise InputError("pairs.wrong_target_count", message, targets=n_targets)


def _unscorable_mask(unscorable: ArrayLike | None, n_targets: int) -> Bools:
    """Return the (n_targets,) mask of targets that cannot be scored; all False for None.

    Raises:
        InputError: if the mask has another length.
    """
    if unscorable is None:
        return np.zeros(n_targets, dtype=bool)
    mask = np.asarray(unscorable, dtype=bool)
    if mask.shape != (n_targets,):
        message = "There are {targets} targets, but the mask of unscorable ones has {ignored}."
        raise InputError("pairs.wrong_mask_length", message, targets=n_targets, ignored=mask.size)
    return mask


def _ignored_shares(on_ignored: ArrayLike | None, n_detections: int) -> Floats:
    """Return the (n_detections,) share of each detection on an ignored area; all 0 for None.

    Raises:
        InputError: if there is another number of shares.
    """
    if on_ignored is None:
        return np.zeros(n_detections)
    shares = np.asarray(on_ignored, dtype=float)
    if shares.shape != (n_detections,):
        message = (
            "There are {detections} detections, but {shares} shares of detections on ignored areas."
        )
        raise InputError(
            "pairs.wrong_share_count", message, detections=n_detections, shares=shares.size
        )
    return shares


def _curve_points(confidence: Floats, is_match: Bools, n_targets: int) -> pd.DataFrame:
    """Return the points of a precision-recall curve, see :attr:`CrownCurve.points`.

    Args:
        confidence: (n,) confidence of each counted detection.
        is_match: (n,) True for detections that match a target.
        n_targets: number of targets that could be found.
    """
    # Negative levels rise from the highest confidence to the lowest.
    negative_levels, level_of_detection = np.unique(-confidence, return_inverse=True)
    level_of_detection = level_of_detection.ravel()
    n_levels = negative_levels.size
    level_matches = np.bincount(level_of_detection, is_match.astype(float), minlength=n_levels)
    level_detections = np.bincount(level_of_detection, minlength=n_levels)
    # At a level, all detections with at least its confidence count.
    true_positives = np.cumsum(level_matches)
    n_detections = np.cumsum(level_detections)
    precision, recall, _ = precision_recall_f1(
        true_positives, n_targets, true_positives, n_detections
    )
    columns = {
        "threshold": -negative_levels,
        "true_positives": true_positives.astype(np.int64),
        "false_positives": (n_detections - true_positives).astype(np.int64),
        "precision": precision,
        "recall": recall,
    }
    return cast("pd.DataFrame", pd.DataFrame(columns))


@validate_arguments
def average_precision(curve: CrownCurve) -> float:
    """Compute the area under the precision-recall curve of :func:`compute_crown_curve`.

    At each recall the best precision at this or any higher recall counts, and beyond the highest
    recall nothing does (Everingham et al. 2015, all points).

    Args:
        curve: precision-recall curve.

    Returns:
        Average precision, 0 to 1: 0 without a detection; NaN without a target, or if only some
        crowns were drawn.

    >>> pairs = pd.DataFrame({"target": [0], "delineation": [1], "iou": [0.8]})
    >>> average_precision(compute_crown_curve(pairs, [0.9, 0.8], targets=1))
    0.5
    """
    if curve.reason:
        return float("nan")
    precision = curve.points["precision"].to_numpy()
    recall = curve.points["recall"].to_numpy()
    recall_gains = np.diff(recall, prepend=0.0)
    return float(best_precision(precision, recall, recall) @ recall_gains)


def best_precision(precision: ArrayLike, recall: ArrayLike, at_recall: ArrayLike) -> Floats:
    """Return the best precision at each of some recalls or at any higher one.

    Args:
        precision: (n,) precision of the points of a curve.
        recall: (n,) recall of the points, ascending.
        at_recall: (m,) recalls.

    Returns:
        (m,) precision; 0 beyond the highest recall of the curve.

    >>> best_precision([0.5, 0.7, 0.6], [0.2, 0.4, 0.6], [0.1, 0.5, 0.9]).tolist()
    [0.7, 0.6, 0.0]
    """
    # Recall rises along the curve. The maximum at this or any higher recall is the running maximum
    # from the end.
    highest = np.maximum.accumulate(np.asarray(precision, dtype=float)[::-1])[::-1]
    return np.append(highest, 0.0)[np.searchsorted(recall, at_recall)]


def _confidence_array(confidence: ArrayLike) -> Floats:
    """Return the confidences as float64 (D,); raise InputError unless they are numbers."""
    values = np.asarray(confidence)
    if values.dtype.kind not in "buif" or values.ndim != 1:
        raise InputError(
            "pairs.confidence_not_numeric",
            "The confidence must be one plain number per detection. Choose a numeric field.",
        )
    return values.astype(np.float64)


def _check_columns(pairs: pd.DataFrame, score: str) -> None:
    """Raise InputError unless a table of pairs has its columns and that of the score."""
    missing = [name for name in ("target", "delineation", score) if name not in pairs]
    if missing:
        raise InputError(
            "pairs.no_column",
            "The table of pairs has no column {missing}. Score the crowns first.",
            missing=", ".join(missing),
        )
