"""Curves of a detector against one ground truth, and the area under the P̄-recall curve.

Between neighbouring thresholds false positives are linear in true positives (Davis and Goadrich 2006), so
every value between two points is taken on the straight ROC piece between them and only then turned into
P̄ or precision; points of those curves are never joined by straight lines.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Union, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import (
    Array,
    Bools,
    Floats,
    Ints,
    float_array,
    plain_array,
    plain_numbers,
    rising_order,
    slices,
)
from randcrowns.core.detectors.mean_precision import (
    DEFAULT_HIGH,
    DEFAULT_LOW,
    check_skew_limits,
    p_bar,
    positive_rates_p_bar,
)
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.remarks import Remark, info
from randcrowns.core.statistics import ratio

# Gauss-Legendre nodes for a piece whose nearest singularity of P̄ lies at least `distance` piece lengths
# before its start: the rest stays below 1e-13 of the piece. Pieces nearer than 1 are split first.
_RULES = [
    (distance, *np.polynomial.legendre.leggauss(nodes))
    for distance, nodes in ((300, 2), (10, 4), (1, 9))
]
_PIECES_AT_ONCE = 65_536
_MOST_HALVINGS = 60


@as_declared
def roc_points(
    score: ArrayLike,
    truth: ArrayLike,
    weight: ArrayLike | None = None,
    valid: ArrayLike | None = None,
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
    return ScoreOrder(values[usable], None if heavy is None else heavy[usable]).points(
        marked[usable]
    )


@as_declared
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

    Only the order of the scores matters. NaN when the ground truth has no positives or no negatives
    (:attr:`RocPoints.reason` says which).

    Args:
        score, truth, weight, valid: see :func:`roc_points`.
        low, high: limits of the fraction of positives.

    Raises:
        InputError: as :func:`roc_points`, and limits that cannot be used.

    >>> round(aucr([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0]), 3)
    0.691
    """
    check_skew_limits(low, high)
    return area_under_p_bar(roc_points(score, truth, weight, valid).segments, low, high)


def area_under_p_bar(
    pieces: Segments, low: float = DEFAULT_LOW, high: float = DEFAULT_HIGH
) -> float:
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
        area += _gauss_legendre(
            pieces.pick((distance >= limit) & (distance < beyond)), nodes, weights, low, high
        )
        beyond = limit
    return float(min(area, 1.0))


@as_declared
def curves_at(
    pieces: Segments, recall: ArrayLike, low: float = DEFAULT_LOW, high: float = DEFAULT_HIGH
) -> pd.DataFrame:
    """The curves at chosen recalls, taken on the ROC pieces between the thresholds.

    Args:
        pieces: the pieces of an ROC curve, ``roc_points(score, truth).segments``.
        recall: recalls from 0 to 1. Where several thresholds share a recall the best one counts; at 0 the
            value is the limit as recall falls to 0.
        low, high: limits of the fraction of positives.

    Returns:
        Columns recall, false_positive_rate, precision (at this scene's own balance), p_bar; all but the first NaN
        when there is no curve.

    >>> curves_at(roc_points([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0]).segments, [0.5, 1])["precision"].round(3).tolist()
    [1.0, 0.667]
    """
    check_skew_limits(low, high)
    wanted = np.asarray(recall, dtype=float).ravel()
    columns = {"recall": wanted}
    if pieces.reason:
        names = ("false_positive_rate", "precision", "p_bar")
        return cast(
            "pd.DataFrame",
            pd.DataFrame({**columns, **{name: np.full(wanted.shape, np.nan) for name in names}}),
        )
    columns["false_positive_rate"] = pieces.false_positive_rate(wanted)
    at = np.where((wanted == 0) & (pieces.f0[0] == 0), pieces.t1[0], wanted)
    false_rate = pieces.false_positive_rate(at)
    skew = pieces.positives / (pieces.positives + pieces.negatives)
    hits, false = skew * at, (1.0 - skew) * false_rate
    columns["precision"] = np.divide(hits, hits + false, out=np.zeros(at.shape), where=hits > 0)
    columns["p_bar"] = np.asarray(p_bar(at, false_rate, low, high))
    return cast("pd.DataFrame", pd.DataFrame(columns))


def _singularity_distance(pieces: Segments, low: float, high: float) -> Floats:
    """How far before its start, in its own lengths, the nearest singularity of P̄ along each piece lies.

    P̄ is singular where pi·t + (1 - pi)·f is 0 for a pi between the limits; the distance is a monotone function
    of pi, so one of the limits is nearest; the upper one of upright pieces.
    """
    ends = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for skew in (high,) if pieces.upright else (low, high):
            start = skew * pieces.t0 + (1.0 - skew) * pieces.f0
            step = skew * (pieces.t1 - pieces.t0)
            if not pieces.upright:
                step += (1.0 - skew) * (pieces.f1 - pieces.f0)
            ends.append(np.where(step > 0, start / step, np.inf))
    return np.minimum(ends[0], ends[-1])


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
    return replace(
        pieces, t0=t0 + start * rise, t1=t0 + end * rise, f0=f0 + start * run, f1=f0 + end * run
    )


def _gauss_legendre(
    pieces: Segments, nodes: Floats, weights: Floats, low: float, high: float
) -> float:
    """Sum over the pieces of the integral of P̄ over recall."""
    area = 0.0
    for some in map(pieces.pick, slices(pieces.t0.size, _PIECES_AT_ONCE)):
        rise, run = some.t1 - some.t0, 0.0 if some.upright else some.f1 - some.f0
        for node, weight in zip((nodes + 1.0) / 2.0, weights / 2.0):
            false = some.f0 if some.upright else some.f0 + node * run
            height = positive_rates_p_bar(some.t0 + node * rise, false, low, high)
            area += weight * float(
                (rise * height).sum()
            )  # a product of vectors would begin threads of its own
    return area


#: Whole numbers of units, or sums of their weights.
Counts = Union[Ints, Floats]


@dataclass(frozen=True)
class RocPoints:
    """Detections at every distinct score, highest threshold first."""

    threshold: (
        Floats  #: (n,) the distinct scores; a unit is detected when its score is at least this.
    )
    #: true_positives, false_positives: (n,) number (or weight) of detected units that the ground truth marks, and that
    #: it does not mark.
    true_positives: Counts
    false_positives: Counts

    @property
    def positives(self) -> float:
        """Number (or weight) of the units that the ground truth marks."""
        return float(self.true_positives[-1]) if self.true_positives.size else 0.0

    @property
    def negatives(self) -> float:
        """Number (or weight) of the units that the ground truth does not mark."""
        return float(self.false_positives[-1]) if self.false_positives.size else 0.0

    @property
    def reason(self) -> Remark | None:
        """Why no curve can be drawn; None when one can."""
        return _why_no_curve(self.positives, self.negatives)

    @property
    def recall(self) -> Floats:
        """(n,) true positive rate; NaN without positives."""
        return cast("Floats", ratio(self.true_positives, self.positives))

    @property
    def false_positive_rate(self) -> Floats:
        """(n,) false positive rate; NaN without negatives."""
        return cast("Floats", ratio(self.false_positives, self.negatives))

    @property
    def precision(self) -> Floats:
        """(n,) share of the detected units that the ground truth marks, at this scene's own balance."""
        return cast(
            "Floats", ratio(self.true_positives, self.true_positives + self.false_positives)
        )

    @cached_property
    def segments(self) -> Segments:
        """The pieces of the ROC curve along which recall rises, from (0, 0) to (1, 1)."""
        found, false = self.true_positives, self.false_positives
        rising = np.flatnonzero(np.diff(found, prepend=found.dtype.type(0)))
        t0, f0 = (np.where(rising > 0, count[rising - 1], 0) for count in (found, false))
        return Segments.of_counts(
            t0, found[rising], f0, false[rising], self.positives, self.negatives
        )


@dataclass(frozen=True)
class Segments:
    """Straight pieces of an ROC curve with rising recall, in order; upright neighbours are one piece."""

    #: t0, t1: (m,) recall at the start and at the end of each piece; each piece begins where the last one ends.
    t0: Floats
    t1: Floats
    #: f0, f1: (m,) false positive rate there.
    f0: Floats
    f1: Floats
    #: positives, negatives: number (or weight) of the units that the ground truth marks, and that it does not mark.
    positives: float
    negatives: float

    @classmethod
    def of_counts(
        cls, t0: Counts, t1: Counts, f0: Counts, f1: Counts, positives: float, negatives: float
    ) -> Segments:
        """From counts (or weights) of true and false positives before and after every rise of recall."""
        goes_on = np.zeros(t0.size, dtype=bool)
        goes_on[1:] = (f0[1:] == f1[1:]) & (f0[1:] == f0[:-1])
        first = np.flatnonzero(~goes_on)
        last = np.append(first[1:], t0.size)[: first.size] - 1
        return cls.of_ends(t0[first], t1[last], f0[first], f1[last], positives, negatives)

    @classmethod
    def of_ends(
        cls, t0: Counts, t1: Counts, f0: Counts, f1: Counts, positives: float, negatives: float
    ) -> Segments:
        """From counts (or weights) of true and false positives where each piece begins and ends."""
        false = ratio(f0, negatives)
        true = ratio(t0, positives), ratio(t1, positives)
        return cls(*true, false, false if f0 is f1 else ratio(f1, negatives), positives, negatives)

    @property
    def reason(self) -> Remark | None:
        """Why no curve can be drawn; None when one can."""
        return _why_no_curve(self.positives, self.negatives)

    @property
    def upright(self) -> bool:
        """Whether no piece has another false positive rate at its end, as where all scores differ."""
        return self.f1 is self.f0

    def pick(self, which: slice | Bools) -> Segments:
        """Only these pieces."""
        f0 = self.f0[which]
        f1 = f0 if self.upright else self.f1[which]
        return replace(self, t0=self.t0[which], t1=self.t1[which], f0=f0, f1=f1)

    def false_positive_rate(self, recall: Floats) -> Floats:
        """Smallest false positive rate at which each recall in (0, 1] is reached, on the straight pieces."""
        piece = np.clip(np.searchsorted(self.t1, recall, side="left"), 0, self.t1.size - 1)
        t0, f0 = self.t0[piece], self.f0[piece]
        along = np.clip((recall - t0) / (self.t1[piece] - t0), 0.0, 1.0)
        return f0 + along * (self.f1[piece] - f0)


class ScoreOrder:
    """The units of one detector from the highest score to the lowest, sorted once for many ground truths.

    Args:
        score: any number of units; no NaN (see :func:`usable_units`).
        weight: weight of each unit (an area, or how often it was drawn); 1 by default.
        in_runs: the scores already fall over long stretches, which a merge sort is quick to put together.
    """

    def __init__(
        self, score: Floats, weight: Floats | None = None, *, in_runs: bool = False
    ) -> None:
        order = np.argsort(-score, kind="stable") if in_runs else rising_order(-score)
        falling = score[order]
        ends = (
            np.append(np.flatnonzero(falling[1:] != falling[:-1]), score.size - 1)
            if score.size
            else order
        )
        self.threshold: Floats = falling[ends].astype(np.float64)
        self._order = order
        self._ends: Ints | None = None if ends.size == order.size else ends
        self._detected = ends + 1
        self._weight = None if weight is None else weight[order]

    def in_order(self, values: Array) -> Array:
        """Values of the units, from the highest score to the lowest."""
        return values[self._order]

    def points(self, truth: Bools) -> RocPoints:
        """Counts of true and false positives at every distinct score, for one ground truth (same units)."""
        return self._points(self.in_order(truth))

    def segments(self, truth: Bools) -> Segments:
        """The same as ``points(truth).segments``, looking only at the units that the ground truth marks."""
        return self.segments_of(self.in_order(truth))

    def segments_of(self, marked: Bools) -> Segments:
        """The segments of a ground truth that is in the order of the scores."""
        if self._weight is not None:
            return self._points(marked).segments
        place = np.flatnonzero(marked)
        if self._ends is None:
            # Every unit has a threshold of its own: recall rises by one unit at each marked one.
            false = place - np.arange(place.size)
            first = np.flatnonzero(np.diff(false, prepend=-1))
            before, last, false = (
                first,
                np.append(first[1:], place.size)[: first.size],
                false[first],
            )
            return Segments.of_ends(
                before, last, false, false, float(place.size), float(marked.size - place.size)
            )
        group = np.searchsorted(self._ends, place)
        last = np.flatnonzero(np.append(group[1:] != group[:-1], True)) if group.size else group
        rising, found = group[last], last + 1
        before = np.concatenate([np.zeros(min(1, found.size), dtype=found.dtype), found[:-1]])
        detected_before = np.where(rising > 0, self._detected[rising - 1], 0)
        return Segments.of_counts(
            before,
            found,
            detected_before - before,
            self._detected[rising] - found,
            float(place.size),
            float(marked.size - place.size),
        )

    def _points(self, marked: Bools) -> RocPoints:
        if self._weight is None:
            found = self._at_ends(np.cumsum(marked, dtype=np.int64))
            return RocPoints(self.threshold, found, self._detected - found)
        found = self._at_ends(np.cumsum(np.where(marked, self._weight, 0.0)))
        return RocPoints(
            self.threshold, found, self._at_ends(np.cumsum(np.where(marked, 0.0, self._weight)))
        )

    def _at_ends(self, running: Array) -> Array:
        return running if self._ends is None else running[self._ends]


def usable_units(
    shape: tuple[int, ...], *arrays: ArrayLike, valid: ArrayLike | None = None
) -> Bools:
    """Where every array has a value: no NaN, not masked, and inside ``valid`` (study area without training areas)."""
    usable = np.ones(shape, dtype=bool)
    if valid is not None:
        inside = plain_numbers(valid, "The study area").astype(bool)
        if inside.shape != shape:
            said = "The study area has shape {shape}, the score {other_shape}: give both the same grid."
            raise InputError(said, shape=str(inside.shape), other_shape=str(shape))
        usable &= inside
    for array in arrays:
        if np.ma.isMaskedArray(array):
            usable &= ~np.ma.getmaskarray(array)
        values = np.asanyarray(array)
        if values.dtype.kind == "f":
            usable &= ~np.isnan(np.asarray(values))
    return usable


def as_score(score: ArrayLike, name: str = "The score") -> Floats:
    """The score as a plain array of floats, 32-bit ones as they are; what is masked is uncovered (see
    :func:`usable_units`)."""
    values = plain_numbers(score, name)
    return values if values.dtype in (np.float32, np.float64) else values.astype(np.float64)


def as_truth(truth: ArrayLike, shape: tuple[int, ...], name: str = "The ground truth") -> Bools:
    """The ground truth as yes or no per unit; what is masked or NaN becomes no (see :func:`usable_units`)."""
    values = plain_array(truth, name)
    if values.shape != shape:
        said = "{name} has shape {shape}, the score {other_shape}: give both the same grid."
        raise InputError(said, name=name, shape=str(values.shape), other_shape=str(shape))
    if values.dtype == np.bool_:
        return values
    if values.dtype.kind not in "uif":
        raise InputError(
            "{name} holds {dtype} values where 0 and 1 are needed.", name=name, dtype=values.dtype
        )
    if np.ma.isMaskedArray(truth):
        values = np.where(np.ma.getmaskarray(truth), 0, values)
    marked = values == 1
    if not (marked | (values == 0) | (values != values)).all():
        raise InputError(
            "{name} has values other than 0 and 1: mark each unit with 1 (object) or 0 (not).",
            name=name,
        )
    return cast("Bools", marked)


def as_weight(weight: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """The weight of each unit, 0 or more."""
    values = float_array(weight, "The weight")
    if values.shape != shape:
        said = "The weights have shape {shape}, the score {other_shape}: give one weight per unit."
        raise InputError(said, shape=str(values.shape), other_shape=str(shape))
    if not ((values >= 0) & np.isfinite(values)).all():
        raise InputError(
            "A weight is below 0 or not a number: weights are areas or counts, 0 or more."
        )
    return values


def _why_no_curve(positives: float, negatives: float) -> Remark | None:
    if not positives + negatives > 0:
        return info("reason.no_unit", "No unit has both a score and a ground truth.")
    if not positives > 0:
        return info(
            "reason.no_positive", "The ground truth marks nothing, so there is nothing to detect."
        )
    if not negatives > 0:
        return info(
            "reason.no_negative",
            "The ground truth marks everything, so there can be no false alarm.",
        )
    return None
