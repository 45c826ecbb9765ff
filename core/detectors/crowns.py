"""Every detector's crowns under every annotator's: average precision, ranks and rankings over whole crowns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.ranking import Ranking, distinct_rankings, kendall_tau, ranks_of
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, no_progress, part_of, steps
from randcrowns.core.remarks import Remark, info
from randcrowns.core.scoring.layer import score_candidates
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.statistics import first_come, precision_recall_f1, ratio

_SCORELESS = info("reason.scoreless", "None of its crowns has a score.")
_NO_TARGET = info("reason.no_target", "There is no target crown that could be found.")
_PARTLY = info(
    "reason.partly", "Only some crowns were drawn: detections that match none are not judged."
)


@dataclass(frozen=True, eq=False)
class CrownRanking:
    """What the annotators' crowns say about the detectors'.

    Attributes:
        average_precision: a row per detector and a column per annotator; NaN where it cannot be computed.
        ranks: rank of each detector under each annotator; 1 is best, ties share a rank.
        rankings: the distinct orders with the annotators that give each, the most frequent first.
        kendall_tau: Kendall's tau between the orders of every two annotators.
        curves: columns detector, truth, threshold (of the detector's score), recall, precision, true_positives,
            false_positives.
        counts: columns detector, truth, targets, detections, excluded (detections that were not judged), recall (share
            of the targets that any detection matches).
        judged: what the curves are made of, for each detector under each annotator.
        reasons: why an annotator or a detector has no value, by name.
    """

    average_precision: pd.DataFrame
    ranks: pd.DataFrame
    rankings: tuple[Ranking, ...]
    kendall_tau: pd.DataFrame
    curves: pd.DataFrame
    counts: pd.DataFrame
    judged: tuple[Judged, ...]
    reasons: dict[str, Remark]


@dataclass(frozen=True, eq=False)
class Judged:
    """A detector's crowns under one annotator's: what was found, what is stray, what should be found."""

    #: detector, truth: names of the detector and the annotator.
    detector: str
    truth: str
    detections: Ints  #: (n,) rows of the detections that count among the detector's crowns.
    confidence: Floats  #: (n,) the detector's own score of each.
    found: Ints  #: (n,) row among the annotator's crowns of the one that each found; -1 where it is stray.
    targets: Ints  #: (m,) rows of the annotator's crowns that should be found.
    ignored: Ints  #: (k,) rows of the detections that were excluded only since they lie on an area to ignore.

    @property
    def strays(self) -> Ints:
        """Rows of the detections that found nothing."""
        return self.detections[self.found < 0]


@as_declared
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
    progress: Progress = no_progress,
) -> CrownRanking:
    """Average precision of every detector under every annotator, and the rankings that come out.

    Where both sides have groups (plots), crowns meet only within their plot.

    Args:
        targets: each annotator's crowns by name.
        detections: each detector's crowns, and its own score for each, by name.
        parameters: of RandCrowns; they matter for the score ``randcrowns`` only.
        threshold: least score of a match.
        score: ``iou`` or ``randcrowns``.
        inside: by detector, which of its crowns lie in the study area; all by default. One that does not counts
            under the annotators of whose crowns it covers a part, and under no other.
        scoreless: detectors whose scores are all missing, which have no value; one that found nothing has 0.
        all_drawn: False when only some of the crowns were drawn: only recall is left, and nothing is ranked; see
            :func:`randcrowns.core.detectors.crowns.crown_precision_recall`.
        on_ignored: by detector, the highest share of each crown that lies on one area to ignore; see there too.

    Raises:
        InputError: no detector or annotator, another score, or a threshold that is not above 0.

    >>> trees = Crowns([shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)])
    >>> found = {"all": (trees, np.array([0.9, 0.8])), "one": (trees.subset([0]), np.array([0.9]))}
    >>> ranking = rank_crown_detectors({"ann": trees}, found, RandCrownsParameters(0.7, 1.2, 3))
    >>> ranking.average_precision["ann"].to_dict()
    {'all': 1.0, 'one': 0.5}
    """
    if not targets or not detections:
        raise InputError("Ranking needs at least one annotator and one detector; pick both.")
    if score not in ("iou", "randcrowns"):
        raise InputError("Crowns are matched by iou or randcrowns, not by '{score}'.", score=score)
    if not 0 < threshold <= 1:
        raise InputError(
            "A match needs a score above 0 and up to 1, not {threshold:g}; try 0.5.",
            threshold=threshold,
        )
    table = pd.DataFrame(np.nan, index=list(detections), columns=list(targets), dtype=float)
    curves, counts, judged, reasons = [], [], [], {}
    drawn, everything = [crowns for crowns, _ in detections.values()], {}
    for annotator, step in steps(list(targets), part_of(progress, 0.0, 0.9)):
        found, _ = score_candidates(
            targets[annotator], drawn, parameters, Pairing.MAX_SCORE, progress=step
        )
        everything.update(
            {(detector, annotator): scored for detector, scored in zip(detections, found)}
        )
    jobs = [(detector, annotator) for detector in detections for annotator in targets]
    for (detector, annotator), _ in steps(jobs, part_of(progress, 0.9, 1.0)):
        crowns, confidence = detections[detector]
        wanted, scored = targets[annotator], everything[detector, annotator]
        unscorable = scored.too_small if score == "randcrowns" else None
        pairs = scored.pairs[scored.pairs["iou"] > 0]
        kept = np.ones(len(crowns), dtype=bool) if inside is None else inside[detector].copy()
        kept[pairs["delineation"]] = True
        renumbered = pairs.assign(delineation=(np.cumsum(kept) - 1)[pairs["delineation"]])
        curve = crown_precision_recall(
            renumbered,
            confidence[kept],
            len(wanted),
            threshold,
            score,
            unscorable=unscorable,
            all_drawn=all_drawn,
            on_ignored=None if on_ignored is None else on_ignored[detector][kept],
        )
        if detector in scoreless:
            reasons[detector] = _SCORELESS
        else:
            table.loc[detector, annotator] = average_precision(curve)
        if curve.reason:
            reasons[annotator] = curve.reason
        rows, targeted = np.flatnonzero(kept), np.flatnonzero(curve.wanted)
        counted, taken = rows[curve.counted], curve.taken[curve.counted]
        sure = confidence[counted]
        judged.append(
            Judged(detector, annotator, counted, sure, taken, targeted, rows[curve.ignored])
        )
        curves.append(curve.points.assign(detector=detector, truth=annotator))
        recall = float("nan") if detector in scoreless else curve.recall
        counts.append(
            (detector, annotator, curve.positives, int(kept.sum()), curve.excluded, recall)
        )
    ranks = ranks_of(table)
    columns = [
        "detector",
        "truth",
        "threshold",
        "recall",
        "precision",
        "true_positives",
        "false_positives",
    ]
    return CrownRanking(
        average_precision=table,
        ranks=ranks,
        rankings=distinct_rankings(ranks),
        kendall_tau=kendall_tau(ranks),
        curves=pd.concat(curves, ignore_index=True)[columns],
        counts=pd.DataFrame(
            counts, columns=["detector", "truth", "targets", "detections", "excluded", "recall"]
        ),
        judged=tuple(judged),
        reasons=reasons,
    )


def belongs_to_area(crowns: Crowns, area: shapely.Geometry | None) -> Bools:
    """(n,) whether a point inside each crown lies in the area; everywhere when None."""
    if area is None or len(crowns) == 0:
        return np.ones(len(crowns), dtype=bool)
    shapely.prepare(area)
    return np.asarray(shapely.contains(area, shapely.point_on_surface(crowns.geometry)), dtype=bool)


def matched_targets(
    pairs: pd.DataFrame, confidence: ArrayLike, threshold: float, score: str = "iou"
) -> Ints:
    """(D,) the target that each detection takes, or -1: the surest chooses first, its best of those still free.

    Among equals the one with the better best pair comes first, then the lower row; arguments as in
    :func:`crown_precision_recall`. A pair whose score, or whose detection's confidence, is NaN cannot match.
    """
    sure = _confidence(confidence)
    _check_columns(pairs, score)
    if not np.isfinite(threshold):
        raise InputError("The threshold of a match is not a number; give one, such as 0.5.")
    detection = pairs["delineation"].to_numpy(dtype=np.int64)
    if detection.size and not 0 <= detection.min() <= detection.max() < sure.size:
        said = "The table of pairs names delineation {detection}, but there are confidences for {confidences} only."
        raise InputError(said, detection=detection.max(), confidences=sure.size)
    value = pairs[score].to_numpy(dtype=float)
    good = (value >= threshold) & ~np.isnan(sure[detection])
    detection, target, value = (
        detection[good],
        pairs["target"].to_numpy(dtype=np.int64)[good],
        value[good],
    )
    best = np.full(sure.size, -np.inf)
    np.maximum.at(best, detection, value)
    in_turn = np.lexsort((target, -value, detection, -best[detection], -sure[detection]))
    rows = in_turn[first_come(detection[in_turn], target[in_turn])]
    taken = np.full(sure.size, -1)
    taken[detection[rows]] = target[rows]
    return taken


@dataclass(frozen=True, eq=False)
class Curve:
    """Precision and recall of a detector's crowns under one annotator's."""

    #: Threshold (of the confidence), true_positives, false_positives and precision (NaN where only some crowns were
    #: drawn), recall (NaN without a target); a row per distinct confidence, highest first.
    points: pd.DataFrame
    positives: int  #: number of the target crowns that could be found.
    excluded: int  #: number of detections that are neither right nor wrong.
    reason: Remark | None  #: why the curve is undefined; None when it is not.
    taken: Ints  #: (D,) the target that each detection takes, or -1.
    counted: Bools  #: (D,) which detections count.
    wanted: Bools  #: (targets,) which targets could be found.
    ignored: Bools  #: (D,) which detections would count if they lay on no area to ignore.

    @property
    def recall(self) -> float:
        """Share of the targets that any detection matches; NaN without a target."""
        return float(ratio(int((self.taken >= 0).sum()), self.positives))


def crown_precision_recall(
    pairs: pd.DataFrame,
    confidence: ArrayLike,
    targets: int,
    threshold: float = 0.5,
    score: str = "iou",
    *,
    unscorable: ArrayLike | None = None,
    all_drawn: bool = True,
    on_ignored: ArrayLike | None = None,
) -> Curve:
    """Precision and recall over crowns at every distinct confidence.

    Args:
        pairs: a row per pair with columns ``target`` and ``delineation`` (row numbers of the two) and the score; such
            as :func:`randcrowns.core.scoring.layer.score_candidates` gives.
        confidence: (D,) the detector's own score of every detection, paired or not. Those with NaN are excluded.
        targets: number of target crowns, found or not.
        threshold: least score of a match, of the column ``score``.
        unscorable: (targets,) True for targets that cannot be scored, such as those too small for RandCrowns. They
            are neither found nor missed, and a detection that overlaps one and takes no other target is excluded.
        all_drawn: False when the targets are only some of the crowns there are, as in most field work: a detection
            that matches no target may then be right, so it is not judged, and precision is undefined.
        on_ignored: (D,) highest share of each detection that lies on one area to ignore (COCO's ``iscrowd``): one
            that takes no target, and of which that share is at the threshold or above, is excluded.
    """
    sure = _confidence(confidence)
    _check_columns(pairs, score)
    target = pairs["target"].to_numpy(dtype=np.int64)
    if targets < 0 or (target.size and not 0 <= target.min() <= target.max() < targets):
        said = "The table of pairs does not belong to {targets} targets; give the number it was made with."
        raise InputError(said, targets=targets)
    ignored = (
        np.zeros(targets, dtype=bool) if unscorable is None else np.asarray(unscorable, dtype=bool)
    )
    if ignored.shape != (targets,):
        said = "There are {targets} targets but {ignored} marks of what cannot be scored."
        raise InputError(said, targets=targets, ignored=ignored.size)
    taken = matched_targets(pairs[~ignored[target]], sure, threshold, score)
    found = taken >= 0
    detection = pairs["delineation"].to_numpy(dtype=np.int64)
    near_ignored = np.zeros(sure.size, dtype=bool)
    near_ignored[detection[ignored[target]]] = True
    counted = ~np.isnan(sure) & ~(near_ignored & ~found)
    lying = np.zeros(sure.size) if on_ignored is None else np.asarray(on_ignored, dtype=float)
    if lying.shape != sure.shape:
        said = (
            "There are {detections} detections but {shares} shares of them that are to be ignored."
        )
        raise InputError(said, detections=sure.size, shares=lying.size)
    excused = counted & ~found & (lying >= threshold)
    counted &= ~excused
    confidences, place = np.unique(-sure[counted], return_inverse=True)
    true, all_detections = (
        np.cumsum(np.bincount(place.ravel(), weights, minlength=confidences.size))
        for weights in (found[counted].astype(float), None)
    )
    n_targets = int((~ignored).sum())
    precision, recall, _ = precision_recall_f1(true, n_targets, true, all_detections)
    table = pd.DataFrame(
        {
            "threshold": -confidences,
            "true_positives": true.astype(np.int64),
            "false_positives": (all_detections - true).astype(np.int64),
            "precision": precision,
            "recall": recall,
        }
    )
    judged, reason = counted, None if n_targets else _NO_TARGET
    if not all_drawn:
        table = table.assign(false_positives=np.nan, precision=np.nan)
        judged, reason = counted & found, reason or _PARTLY
    return Curve(
        table, n_targets, int(sure.size - judged.sum()), reason, taken, counted, ~ignored, excused
    )


@as_declared
def average_precision(curve: Curve) -> float:
    """Area under the precision-recall curve of :func:`crown_precision_recall`.

    At each recall counts the best precision at this or any higher recall, and nothing beyond the highest recall that
    was reached (Everingham et al. 2015, all points). NaN without a target, and where only some crowns were drawn; 0
    without a detection.

    >>> pairs = pd.DataFrame({"target": [0], "delineation": [1], "iou": [0.8]})
    >>> average_precision(crown_precision_recall(pairs, [0.9, 0.8], targets=1))
    0.5
    """
    if curve.reason:
        return float("nan")
    best = np.maximum.accumulate(curve.points["precision"].to_numpy()[::-1])[::-1]
    return float(best @ np.diff(curve.points["recall"].to_numpy(), prepend=0.0))


def _confidence(confidence: ArrayLike) -> Floats:
    values = np.asarray(confidence)
    if values.dtype.kind not in "buif" or values.ndim != 1:
        raise InputError(
            "The confidence must be one plain number per detection: pick a numeric field."
        )
    return values.astype(np.float64)


def _check_columns(pairs: pd.DataFrame, score: str) -> None:
    missing = [name for name in ("target", "delineation", score) if name not in pairs]
    if missing:
        said = "The table of pairs has no column {missing}: score the crowns first."
        raise InputError(said, missing=", ".join(missing))
