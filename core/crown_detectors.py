"""Detectors whose detections are crowns with a confidence: precision and recall over whole crowns.

A detection is right when it takes a target crown with a score (IoU or RandCrowns) at or above a threshold. The most
confident detection chooses first, and takes the best of the targets that are still free; a second detection of the same
crown is a false alarm (the rule of Everingham et al. 2015 and Lin et al. 2014 for detections in images).
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from randcrowns.core.errors import InputError

__all__ = ["average_precision", "crown_precision_recall", "matched_targets"]


def matched_targets(
    pairs: pd.DataFrame, confidence: ArrayLike, threshold: float, score: str = "iou"
) -> NDArray[np.int64]:
    """The target that each detection takes, or -1.

    Args:
        pairs: a row per pair with columns ``target`` and ``delineation`` (row numbers of the two) and the score; such
            as :func:`randcrowns.core.scoring.score_candidates` gives. A pair whose score is NaN cannot match.
        confidence: (D,) the detector's own score of each detection; NaN never matches. Among equals the one with the
            better best pair chooses first, then the lower row.
        threshold: least score of a match.
        score: column to compare with the threshold.

    Raises:
        InputError: a column is missing, or a pair names a detection that is not there.
    """
    sure = _confidence(confidence)
    _check_columns(pairs, score)
    if not np.isfinite(threshold):
        raise InputError("The threshold of a match is not a number; give one, such as 0.5.")
    detection = pairs["delineation"].to_numpy(dtype=np.int64)
    if detection.size and not 0 <= detection.min() <= detection.max() < sure.size:
        raise InputError(
            f"The table of pairs names delineation {detection.max()}, but there are confidences for {sure.size} only."
        )
    value = pairs[score].to_numpy(dtype=float)
    good = (value >= threshold) & ~np.isnan(sure[detection])
    detection, target, value = detection[good], pairs["target"].to_numpy(dtype=np.int64)[good], value[good]
    best = np.full(sure.size, -np.inf)
    np.maximum.at(best, detection, value)
    turn = np.empty(sure.size, dtype=np.int64)
    turn[np.lexsort((np.arange(sure.size), -best, -sure))] = np.arange(sure.size)
    by_turn = np.lexsort((target, -value, turn[detection]))
    taken = np.full(sure.size, -1)
    taken[:] = _choose_in_turn(turn[detection][by_turn], target[by_turn], sure.size)[turn]
    return taken


def crown_precision_recall(
    pairs: pd.DataFrame,
    confidence: ArrayLike,
    targets: int,
    threshold: float = 0.5,
    score: str = "iou",
    *,
    unscorable: ArrayLike | None = None,
    all_drawn: bool = True,
) -> pd.DataFrame:
    """Precision and recall over crowns at every distinct confidence, highest first.

    Args:
        pairs: see :func:`matched_targets`.
        confidence: (D,) the detector's own score of every detection, paired or not. Those with NaN are left out and
            counted.
        targets: number of target crowns, found or not.
        threshold: least score of a match.
        score: column of ``pairs`` to compare with the threshold: ``iou`` or ``randcrowns``.
        unscorable: (targets,) True for targets that cannot be scored, such as those too small for RandCrowns. They
            are neither found nor missed, and a detection that overlaps one and takes no other target is left out.
        all_drawn: False when the targets are only some of the crowns there are, as in most field work: a detection
            that overlaps no target may then be right, so it is left out and counted.

    Returns:
        Columns threshold (of the confidence), true_positives, false_positives, precision, recall. Recall is NaN
        when there is no target, and ``attrs["reason"]`` says so. ``attrs["excluded"]`` counts the detections left
        out, ``attrs["targets"]`` the targets counted.

    Raises:
        InputError: as :func:`matched_targets`; a negative number of targets, or a pair whose target is not there.
    """
    sure = _confidence(confidence)
    _check_columns(pairs, score)
    target = pairs["target"].to_numpy(dtype=np.int64)
    if targets < 0 or (target.size and not 0 <= target.min() <= target.max() < targets):
        raise InputError(f"The table of pairs does not belong to {targets} targets; give the number it was made with.")
    ignored = np.zeros(targets, dtype=bool) if unscorable is None else np.asarray(unscorable, dtype=bool)
    if ignored.shape != (targets,):
        raise InputError(f"There are {targets} targets but {ignored.size} marks of what cannot be scored.")
    found = matched_targets(pairs[~ignored[target]], sure, threshold, score) >= 0
    detection = pairs["delineation"].to_numpy(dtype=np.int64)
    near_ignored = np.zeros(sure.size, dtype=bool)
    near_ignored[detection[ignored[target]]] = True
    counted = ~np.isnan(sure) & ~(near_ignored & ~found)
    if not all_drawn:
        near_any = np.zeros(sure.size, dtype=bool)
        near_any[detection[pairs[score].to_numpy(dtype=float) > 0]] = True
        counted &= near_any
    confidences, place = np.unique(-sure[counted], return_inverse=True)
    true, all_detections = (
        np.cumsum(np.bincount(place.ravel(), weights, minlength=confidences.size))
        for weights in (found[counted].astype(float), None)
    )
    n_targets = int((~ignored).sum())
    table = pd.DataFrame(
        {
            "threshold": -confidences,
            "true_positives": true.astype(np.int64),
            "false_positives": (all_detections - true).astype(np.int64),
            "precision": true / all_detections,
            "recall": true / n_targets if n_targets else np.full(true.shape, np.nan),
        }
    )
    table.attrs["reason"] = "" if n_targets else "There is no target crown that could be found."
    table.attrs["excluded"] = int(sure.size - counted.sum())
    table.attrs["targets"] = n_targets
    return table


def average_precision(curve: pd.DataFrame) -> float:
    """Area under the precision-recall curve of :func:`crown_precision_recall`.

    At each recall counts the best precision at this or any higher recall, and nothing beyond the highest recall that
    was reached (Everingham et al. 2015, all points). NaN without a target; 0 without a detection.
    """
    if curve.attrs.get("reason") or curve["recall"].isna().any():
        return float("nan")
    best = np.maximum.accumulate(curve["precision"].to_numpy()[::-1])[::-1]
    return float(best @ np.diff(curve["recall"].to_numpy(), prepend=0.0))


def _choose_in_turn(turn: NDArray[np.int64], target: NDArray[np.int64], n_turns: int) -> NDArray[np.int64]:
    """(n_turns,) what each turn gets, or -1, when earlier turns choose first.

    Rows are sorted by turn, each turn's wishes best first. All ask at once for the best they have not lost; a
    target stays with the earliest turn that asks and the others move on. That ends where choosing one after the
    other ends.
    """
    got = np.full(n_turns, -1)
    if not turn.size:
        return got
    wish = np.searchsorted(turn, np.arange(n_turns))
    end = np.searchsorted(turn, np.arange(n_turns), side="right")
    holder = np.full(int(target.max()) + 1, n_turns)
    asking = np.flatnonzero(wish < end)
    while asking.size:
        np.minimum.at(holder, target[wish[asking]], asking)
        lost = asking[holder[target[wish[asking]]] != asking]
        wish[lost] += 1
        asking = asking[wish[asking] < end[asking]]
        if not lost.size:
            break
    got[asking] = target[wish[asking]]
    return got


def _confidence(confidence: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(confidence)
    if values.dtype.kind not in "buif" or values.ndim != 1:
        raise InputError("The confidence must be one plain number per detection: pick a numeric field.")
    return values.astype(np.float64)


def _check_columns(pairs: pd.DataFrame, score: str) -> None:
    missing = [name for name in ("target", "delineation", score) if name not in pairs]
    if missing:
        raise InputError(f"The table of pairs has no column {', '.join(missing)}: score the crowns first.")
