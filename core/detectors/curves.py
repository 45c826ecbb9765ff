"""Curves of a detector against one ground truth, and the area under the P̄-recall curve.

Between neighbouring thresholds false positives are linear in true positives (Davis and Goadrich 2006), so
every value between two points is taken on the straight ROC piece between them and only then turned into
P̄ or precision; points of those curves are never joined by straight lines.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats
from randcrowns.core.detectors.mean_precision import (
    DEFAULT_HIGH,
    DEFAULT_LOW,
    check_skew_limits,
    p_bar,
    positive_rates_p_bar,
)
from randcrowns.core.detectors.roc import RocPoints, ScoreOrder, Segments, as_score, as_truth, as_weight, usable_units
from randcrowns.core.remarks import Remark

# Gauss-Legendre nodes for a piece whose nearest singularity of P̄ lies at least `distance` piece lengths
# before its start: the rest stays below 1e-13 of the piece. Pieces nearer than 1 are split first.
_RULES = [(distance, *np.polynomial.legendre.leggauss(nodes)) for distance, nodes in ((300, 2), (10, 4), (1, 9))]
_PIECES_AT_ONCE = 16_384
_MOST_HALVINGS = 60


@dataclass(frozen=True, eq=False)
class Curve:
    """A detector's curve under one ground truth.

    Attributes:
        points: a row per distinct score, highest first.
        positives: number (or weight) of the units, or number of the target crowns, that could be found.
        excluded: number of units or detections excluded.
        reason: why the curve is undefined; None when it is not.
    """

    points: pd.DataFrame
    positives: float
    excluded: int
    reason: Remark | None


def roc_points(
    score: ArrayLike, truth: ArrayLike, weight: ArrayLike | None = None, valid: ArrayLike | None = None
) -> RocPoints:
    """True and false positives at every distinct score.

    Args:
        score: the detector's score per unit, any shape; higher means more certain. Units with NaN, and masked
            ones, are excluded; minus infinity stands for "not detected before everything is".
        truth: yes or no (or 1 and 0) per unit, same shape.
        weight: weight of each unit, such as a face's area; 1 by default.
        valid: where to look (study area without training areas); everywhere by default.

    Raises:
        InputError: shapes that differ, a score that is not a number, a truth other than 0 and 1, a weight below 0.

    >>> roc_points([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0]).false_positive_rate.tolist()
    [0.0, 0.5, 0.5, 1.0]
    """
    values = as_score(score)
    marked = as_truth(truth, values.shape)
    heavy = None if weight is None else as_weight(weight, values.shape)
    usable = usable_units(values.shape, score, truth, valid=valid)
    return ScoreOrder(values[usable], None if heavy is None else heavy[usable]).points(marked[usable])


def p_bar_recall_curve(
    score: ArrayLike,
    truth: ArrayLike,
    low: float = DEFAULT_LOW,
    high: float = DEFAULT_HIGH,
    *,
    weight: ArrayLike | None = None,
    valid: ArrayLike | None = None,
) -> Curve:
    """P̄, plain precision, recall and false positive rate at every distinct score, highest first.

    Any two columns make a curve: P̄-recall, precision-recall and ROC (which starts at (0, 0), above the
    highest score). To draw one between its points use :func:`curves_at`.

    Args:
        score: the detector's score per unit; see :func:`roc_points`.
        truth: yes or no per unit, same shape.
        low: lower limit of the fraction of positives.
        high: upper limit.
        weight: weight of each unit.
        valid: where to look.

    Returns:
        Columns threshold, recall, p_bar, precision, false_positive_rate, true_positives, false_positives. Recall, P̄
        and the false positive rate are NaN when the ground truth has no positives or no negatives.

    Raises:
        InputError: as :func:`roc_points`, and limits that cannot be used.

    >>> p_bar_recall_curve([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0]).points["recall"].tolist()
    [0.5, 0.5, 1.0, 1.0]
    """
    check_skew_limits(low, high)
    points = roc_points(score, truth, weight, valid)
    recall, false_rate = points.recall, points.false_positive_rate
    table = pd.DataFrame(
        {
            "threshold": points.threshold,
            "recall": recall,
            "p_bar": p_bar(recall, false_rate, low, high),
            "precision": points.precision,
            "false_positive_rate": false_rate,
            "true_positives": points.true_positives,
            "false_positives": points.false_positives,
        }
    )
    excluded = int(np.size(score) - usable_units(np.shape(score), score, truth, valid=valid).sum())
    return Curve(table, points.positives, excluded, points.reason)


def aucr(
    score: ArrayLike,
    truth: ArrayLike,
    low: float = DEFAULT_LOW,
    high: float = DEFAULT_HIGH,
    *,
    weight: ArrayLike | None = None,
    valid: ArrayLike | None = None,
) -> float:
    """Area under the P̄-recall curve: the mean of P̄ over all recalls, 0 to 1.

    Arguments and errors are those of :func:`p_bar_recall_curve`. Only the order of the scores matters. NaN when
    the ground truth has no positives or no negatives (:attr:`RocPoints.reason` says which).

    >>> round(aucr([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0]), 3)
    0.691
    """
    check_skew_limits(low, high)
    return area_under_p_bar(roc_points(score, truth, weight, valid).segments, low, high)


def area_under_p_bar(pieces: Segments, low: float = DEFAULT_LOW, high: float = DEFAULT_HIGH) -> float:
    """The integral of P̄ over recall along the pieces of an ROC curve, to about 1e-12; NaN without a curve."""
    if pieces.reason:
        return float("nan")
    area = 0.0
    # On a piece through (0, 0) the ratio of the rates, and with it P̄, stays the same.
    if pieces.t0[0] == 0 and pieces.f0[0] == 0:
        area += float(pieces.t1[0] * p_bar(pieces.t1[0], pieces.f1[0], low, high))
        pieces = pieces.pick(slice(1, None))
    distance = _singularity_distance(pieces, low, high)
    nearest, nodes, weights = _RULES[-1]
    close = distance < nearest
    area += _gauss_legendre(_halved(pieces.pick(close), distance[close]), nodes, weights, low, high)
    beyond = np.inf
    for limit, nodes, weights in _RULES:
        area += _gauss_legendre(pieces.pick((distance >= limit) & (distance < beyond)), nodes, weights, low, high)
        beyond = limit
    return min(area, 1.0)


def curves_at(
    pieces: Segments, recall: ArrayLike, low: float = DEFAULT_LOW, high: float = DEFAULT_HIGH
) -> pd.DataFrame:
    """The curves at chosen recalls, taken on the ROC pieces between the thresholds.

    Args:
        pieces: the pieces of an ROC curve, ``roc_points(score, truth).segments``.
        recall: recalls from 0 to 1. Where several thresholds share a recall the best one counts; at 0 the
            value is the limit as recall falls to 0.
        low: lower limit of the fraction of positives.
        high: upper limit.

    Returns:
        Columns recall, false_positive_rate, precision (at this scene's own balance), p_bar; all but the first NaN
        when there is no curve.
    """
    check_skew_limits(low, high)
    wanted = np.asarray(recall, dtype=float).ravel()
    columns = {"recall": wanted}
    if pieces.reason:
        names = ("false_positive_rate", "precision", "p_bar")
        return pd.DataFrame({**columns, **{name: np.full(wanted.shape, np.nan) for name in names}})
    columns["false_positive_rate"] = pieces.false_positive_rate(wanted)
    at = np.where((wanted == 0) & (pieces.f0[0] == 0), pieces.t1[0], wanted)
    false_rate = pieces.false_positive_rate(at)
    skew = pieces.positives / (pieces.positives + pieces.negatives)
    hits, false = skew * at, (1.0 - skew) * false_rate
    columns["precision"] = np.divide(hits, hits + false, out=np.zeros(at.shape), where=hits > 0)
    columns["p_bar"] = np.asarray(p_bar(at, false_rate, low, high))
    return pd.DataFrame(columns)


def _singularity_distance(pieces: Segments, low: float, high: float) -> Floats:
    """How far before its start, in its own lengths, the nearest singularity of P̄ along each piece lies.

    P̄ is singular where pi·t + (1 - pi)·f is 0 for a pi between the limits; the distance is a monotone function
    of pi, so one of the limits is nearest.
    """
    ends = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for skew in (low, high):
            start = skew * pieces.t0 + (1.0 - skew) * pieces.f0
            step = skew * (pieces.t1 - pieces.t0) + (1.0 - skew) * (pieces.f1 - pieces.f0)
            ends.append(np.where(step > 0, start / step, np.inf))
    return np.minimum(*ends)


def _halved(pieces: Segments, distance: Floats) -> Segments:
    """Each piece cut into parts that double in length, none longer than its distance from the singularity."""
    distance = np.maximum(distance, 0.5**_MOST_HALVINGS)
    parts = np.ceil(np.log2(1.0 + 1.0 / distance)).astype(np.intp)
    piece = np.repeat(np.arange(parts.size), parts)
    part = np.arange(piece.size) - np.repeat(np.cumsum(parts) - parts, parts)
    start = distance[piece] * (2.0**part - 1.0)
    end = np.minimum(distance[piece] * (2.0 ** (part + 1) - 1.0), 1.0)
    t0, f0 = pieces.t0[piece], pieces.f0[piece]
    rise, run = pieces.t1[piece] - t0, pieces.f1[piece] - f0
    return replace(pieces, t0=t0 + start * rise, t1=t0 + end * rise, f0=f0 + start * run, f1=f0 + end * run)


def _gauss_legendre(pieces: Segments, nodes: Floats, weights: Floats, low: float, high: float) -> float:
    """Sum over the pieces of the integral of P̄ over recall."""
    area = 0.0
    for begin in range(0, pieces.t0.size, _PIECES_AT_ONCE):
        some = pieces.pick(slice(begin, begin + _PIECES_AT_ONCE))
        rise, run = some.t1 - some.t0, some.f1 - some.f0
        for node, weight in zip((nodes + 1.0) / 2.0, weights / 2.0):
            height = positive_rates_p_bar(some.t0 + node * rise, some.f0 + node * run, low, high)
            area += weight * float(rise @ height)
    return area
