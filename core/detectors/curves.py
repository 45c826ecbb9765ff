"""Curves of a detector against one ground truth, and the area under the P̄-recall curve.

Between neighbouring thresholds false positives are linear in true positives (Davis and Goadrich
2006). Every value between two points is therefore interpolated on the straight ROC segment between
them, and only then converted to P̄ or precision. Points of those curves are never joined by
straight lines.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Union, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import (
    Array,
    Bools,
    Floats,
    Ints,
    as_array,
    as_float_array,
    as_numeric_array,
    sort_order,
    split_range,
)
from randcrowns.core.detectors.mean_precision import (
    DEFAULT_MAX_SKEW,
    DEFAULT_MIN_SKEW,
    check_skew_limits,
    p_bar,
    p_bar_of_positive_rates,
)
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, info
from randcrowns.core.statistics import ratio
from randcrowns.core.validation import validate_arguments


class _QuadratureRule(NamedTuple):
    """A Gauss-Legendre rule for ROC segments at some distance from a singularity of P̄."""

    min_distance: float  #: smallest distance to the singularity, in lengths of the segment.
    nodes: Floats  #: nodes in -1 to 1.
    weights: Floats  #: weights of the nodes, sum 2.


# With these rules the error stays below 1e-13 of each segment. Segments whose singularity is nearer
# than their own length are split first.
_QUADRATURE_RULES = [
    _QuadratureRule(min_distance, *np.polynomial.legendre.leggauss(n_nodes))
    for min_distance, n_nodes in ((300, 2), (10, 4), (1, 9))
]
# Number of segments that are integrated at a time, to limit memory.
_SEGMENTS_PER_CHUNK = 65_536
# Largest number of times that a segment is halved towards a singularity.
_MAX_HALVINGS = 60


@validate_arguments
def roc_points(
    score: ArrayLike,
    truth: ArrayLike,
    weight: ArrayLike | None = None,
    valid: ArrayLike | None = None,
) -> RocPoints:
    """Count true and false positives at every distinct score.

    Args:
        score: the detector's score per unit, any shape; higher means more certain. Units with NaN
            and masked units are excluded. Minus infinity means that the detector found nothing: the
            unit is detected only when all units are.
        truth: True or False (or 1 and 0) per unit, same shape.
        weight: weight of each unit, such as a face's area, same shape; 1 by default.
        valid: units to count (study area without training areas), same shape; all by default.

    Returns:
        The counts, or sums of weights, per distinct score.

    Raises:
        InputError: if shapes differ, the score is not numeric, the ground truth has values other
            than 0 and 1, or a weight is below 0.

    >>> roc_points([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0]).false_positive_rate.tolist()
    [0.0, 0.5, 0.5, 1.0]
    """
    scores = to_score_array(score)
    is_positive = to_truth_array(truth, scores.shape)
    weights = None if weight is None else to_weight_array(weight, scores.shape)
    usable = usable_mask(scores.shape, score, truth, valid=valid)
    usable_weights = None if weights is None else weights[usable]
    order = ScoreOrder(scores[usable], usable_weights)
    return order.count_points(is_positive[usable])


@validate_arguments
def aucr(
    score: ArrayLike,
    truth: ArrayLike,
    min_skew: float = DEFAULT_MIN_SKEW,
    max_skew: float = DEFAULT_MAX_SKEW,
    *,
    weight: ArrayLike | None = None,
    valid: ArrayLike | None = None,
) -> float:
    """Compute the area under the P̄-recall curve (AUCR): the mean of P̄ over all recalls.

    Only the order of the scores matters (Lampert et al. 2016, Eq. 7).

    Args:
        score: see :func:`roc_points`.
        truth: see :func:`roc_points`.
        min_skew: lower limit of the fraction of positives.
        max_skew: upper limit of the fraction of positives.
        weight: see :func:`roc_points`.
        valid: see :func:`roc_points`.

    Returns:
        The area, 0 to 1; NaN if the ground truth has no positives or no negatives (see
        :attr:`RocPoints.reason`).

    Raises:
        InputError: as :func:`roc_points`, or if the limits cannot be used.

    >>> round(aucr([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0]), 3)
    0.691
    """
    check_skew_limits(min_skew, max_skew)
    points = roc_points(score, truth, weight, valid)
    return integrate_p_bar_curve(points.segments, min_skew, max_skew)


def integrate_p_bar_curve(
    segments: RocSegments, min_skew: float = DEFAULT_MIN_SKEW, max_skew: float = DEFAULT_MAX_SKEW
) -> float:
    """Integrate P̄ over recall along the segments of an ROC curve.

    Args:
        segments: segments of the ROC curve.
        min_skew: lower limit of the fraction of positives.
        max_skew: upper limit of the fraction of positives.

    Returns:
        The area, with an error of about 1e-12; NaN where no curve can be drawn.

    >>> round(integrate_p_bar_curve(roc_points([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0]).segments), 3)
    0.691
    """
    if segments.reason:
        return float("nan")
    area = 0.0
    remaining = segments
    # On a segment that starts at (0, 0) the ratio of the rates is constant, and so is P̄.
    if segments.t0[0] == 0 and segments.f0[0] == 0:
        end_recall = segments.t1[0]
        area += float(end_recall * p_bar(end_recall, segments.f1[0], min_skew, max_skew))
        remaining = segments.select(slice(1, None))

    # Segments too near to a singularity of P̄ for the densest rule are split first.
    distance = _singularity_distance(remaining, min_skew, max_skew)
    densest_rule = _QUADRATURE_RULES[-1]
    is_too_near = distance < densest_rule.min_distance
    split_segments = _split_segments(remaining.select(is_too_near), distance[is_too_near])
    area += _integrate_p_bar(split_segments, densest_rule, min_skew, max_skew)

    # The rules become denser from one to the next; each is used up to the one before.
    max_distance = np.inf
    for rule in _QUADRATURE_RULES:
        is_in_range = (distance >= rule.min_distance) & (distance < max_distance)
        area += _integrate_p_bar(remaining.select(is_in_range), rule, min_skew, max_skew)
        max_distance = rule.min_distance
    return float(min(area, 1.0))


@validate_arguments
def interpolate_curves(
    segments: RocSegments,
    recall: ArrayLike,
    min_skew: float = DEFAULT_MIN_SKEW,
    max_skew: float = DEFAULT_MAX_SKEW,
) -> pd.DataFrame:
    """Interpolate the curves of a detector at given recalls, on the segments of its ROC curve.

    Args:
        segments: segments of an ROC curve, ``roc_points(score, truth).segments``.
        recall: (n,) recalls from 0 to 1. Where several thresholds share a recall, the lowest false
            positive rate counts. At recall 0 the limit from above is returned.
        min_skew: lower limit of the fraction of positives.
        max_skew: upper limit of the fraction of positives.

    Returns:
        One row per recall with float columns ``recall``, ``false_positive_rate``, ``precision`` (at
        this scene's own class balance) and ``p_bar``; all but ``recall`` are NaN where no curve can
        be drawn.

    Raises:
        InputError: if the limits cannot be used.

    >>> segments = roc_points([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0]).segments
    >>> interpolate_curves(segments, [0.5, 1])["precision"].round(3).tolist()
    [1.0, 0.667]
    """
    check_skew_limits(min_skew, max_skew)
    recalls = np.asarray(recall, dtype=float).ravel()
    columns = {"recall": recalls}
    if segments.reason:
        for name in ("false_positive_rate", "precision", "p_bar"):
            columns[name] = np.full(recalls.shape, np.nan)
        return cast("pd.DataFrame", pd.DataFrame(columns))

    # Precision is constant along a first segment that starts at (0, 0): its end gives the limit.
    needs_limit = (recalls == 0) & (segments.f0[0] == 0)
    limit_recalls = np.where(needs_limit, segments.t1[0], recalls)
    false_rates = segments.false_positive_rate(limit_recalls)
    skew = segments.positives / (segments.positives + segments.negatives)
    true_share = skew * limit_recalls
    false_share = (1.0 - skew) * false_rates
    columns["false_positive_rate"] = segments.false_positive_rate(recalls)
    columns["precision"] = np.divide(
        true_share,
        true_share + false_share,
        out=np.zeros(recalls.shape),
        where=true_share > 0,
    )
    columns["p_bar"] = np.asarray(p_bar(limit_recalls, false_rates, min_skew, max_skew))
    return cast("pd.DataFrame", pd.DataFrame(columns))


def _singularity_distance(pieces: RocSegments, min_skew: float, max_skew: float) -> Floats:
    """Return how far before its start the nearest singularity of P̄ along each segment lies.

    P̄ is singular where w(pi) = pi·t + (1 - pi)·f is 0 for a pi between the limits. The distance is
    a monotone function of pi, so it is smallest at one of the limits; for vertical segments at the
    upper one.

    Args:
        pieces: m segments; t is the true positive rate along a segment, f the false positive rate.
        min_skew: lower limit of pi, the fraction of positives.
        max_skew: upper limit of pi.

    Returns:
        (m,) distances in lengths of the segment; infinite where w does not rise along the segment.
    """
    at_max_skew = _distance_at_skew(pieces, max_skew)
    if pieces.is_vertical:
        return at_max_skew
    return np.minimum(_distance_at_skew(pieces, min_skew), at_max_skew)


def _distance_at_skew(pieces: RocSegments, skew: float) -> Floats:
    """Return how far before its start w(pi) is 0 along each segment, for one pi.

    Args:
        pieces: m segments.
        skew: pi, the fraction of positives.

    Returns:
        (m,) distances in lengths of the segment; infinite where w does not rise along the segment.
    """
    start = skew * pieces.t0 + (1.0 - skew) * pieces.f0
    step = skew * (pieces.t1 - pieces.t0)
    if not pieces.is_vertical:
        step += (1.0 - skew) * (pieces.f1 - pieces.f0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(step > 0, start / step, np.inf)


def _split_segments(pieces: RocSegments, distance: Floats) -> RocSegments:
    """Split each segment into parts that double in length away from the singularity of P̄.

    No part is longer than its own distance from the singularity.

    Args:
        pieces: m segments.
        distance: (m,) distance of each segment from the singularity, in lengths of the segment.
    """
    positive_distance = np.maximum(distance, 0.5**_MAX_HALVINGS)
    n_parts = np.ceil(np.log2(1.0 + 1.0 / positive_distance)).astype(np.intp)
    # Segment of each part, and number of the part within its segment, from 0.
    segment_rows = np.repeat(np.arange(n_parts.size), n_parts)
    first_parts = np.cumsum(n_parts) - n_parts
    part_numbers = np.arange(segment_rows.size) - np.repeat(first_parts, n_parts)
    # Positions along the segment, 0 to 1.
    part_distance = positive_distance[segment_rows]
    start = part_distance * (2.0**part_numbers - 1.0)
    end = np.minimum(part_distance * (2.0 ** (part_numbers + 1) - 1.0), 1.0)
    t0 = pieces.t0[segment_rows]
    f0 = pieces.f0[segment_rows]
    rise = pieces.t1[segment_rows] - t0
    run = pieces.f1[segment_rows] - f0
    return replace(
        pieces, t0=t0 + start * rise, t1=t0 + end * rise, f0=f0 + start * run, f1=f0 + end * run
    )


def _integrate_p_bar(
    pieces: RocSegments, rule: _QuadratureRule, min_skew: float, max_skew: float
) -> float:
    """Integrate P̄ over recall along the segments with a Gauss-Legendre rule.

    Args:
        pieces: the segments.
        rule: nodes and weights of the rule, for the interval from -1 to 1.
        min_skew: lower limit of the fraction of positives.
        max_skew: upper limit of the fraction of positives.
    """
    # The rule for the interval from 0 to 1: positions along a segment.
    nodes = (rule.nodes + 1.0) / 2.0
    weights = rule.weights / 2.0
    area = 0.0
    for selection in split_range(pieces.t0.size, _SEGMENTS_PER_CHUNK):
        chunk = pieces.select(selection)
        rise = chunk.t1 - chunk.t0
        run = 0.0 if chunk.is_vertical else chunk.f1 - chunk.f0
        for node, weight in zip(nodes, weights):
            true_rate = chunk.t0 + node * rise
            false_rate = chunk.f0 if chunk.is_vertical else chunk.f0 + node * run
            height = p_bar_of_positive_rates(true_rate, false_rate, min_skew, max_skew)
            # A dot product would start threads of its own; this runs in a worker thread already.
            area += weight * float((rise * height).sum())
    return area


#: Numbers of units (integers), or sums of their weights (floats).
Counts = Union[Ints, Floats]


@dataclass(frozen=True)
class RocPoints:
    """Counts of detected units at every distinct score, highest threshold first."""

    #: (n,) distinct scores, falling; a unit is detected if its score is at least the threshold.
    thresholds: Floats
    #: (n,) number (or weight) of detected units that the ground truth marks.
    true_positives: Counts
    #: (n,) number (or weight) of detected units that the ground truth does not mark.
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
    def reason(self) -> Message | None:
        """Message that explains why no curve can be drawn; None if one can be drawn.

        A curve needs units that the ground truth marks (positives) and units that it does not mark
        (negatives).
        """
        return _missing_curve_message(self.positives, self.negatives)

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
        """(n,) share of detected units that the ground truth marks, at the scene's balance."""
        return cast(
            "Floats", ratio(self.true_positives, self.true_positives + self.false_positives)
        )

    @cached_property
    def segments(self) -> RocSegments:
        """Segments of the ROC curve along which recall rises, from (0, 0) to (1, 1)."""
        true_positives = self.true_positives
        false_positives = self.false_positives
        no_detection = true_positives.dtype.type(0)
        rising = np.flatnonzero(np.diff(true_positives, prepend=no_detection))
        # Before the first threshold nothing is detected.
        return RocSegments.from_counts(
            t0=np.where(rising > 0, true_positives[rising - 1], 0),
            t1=true_positives[rising],
            f0=np.where(rising > 0, false_positives[rising - 1], 0),
            f1=false_positives[rising],
            positives=self.positives,
            negatives=self.negatives,
        )


@dataclass(frozen=True)
class RocSegments:
    """Straight segments of an ROC curve with rising recall, in order.

    Neighbouring vertical segments are merged into one.
    """

    t0: Floats  #: (m,) recall at the start of each segment, which is where the one before ends.
    t1: Floats  #: (m,) recall at the end of each segment.
    f0: Floats  #: (m,) false positive rate at the start of each segment.
    f1: Floats  #: (m,) false positive rate at the end; the same array as f0 if all are vertical.
    positives: float  #: number (or weight) of the units that the ground truth marks.
    negatives: float  #: number (or weight) of the units that the ground truth does not mark.

    @classmethod
    def from_counts(
        cls, t0: Counts, t1: Counts, f0: Counts, f1: Counts, positives: float, negatives: float
    ) -> RocSegments:
        """Return the segments of counts at every rise of recall; merge vertical neighbours.

        Args:
            t0: (k,) true positives (counts or weights) before each rise of recall.
            t1: (k,) true positives after each rise.
            f0: (k,) false positives before each rise.
            f1: (k,) false positives after each rise.
            positives: number (or weight) of the units that the ground truth marks.
            negatives: number (or weight) of the units that the ground truth does not mark.
        """
        # A vertical rise that starts where the one before starts continues its segment.
        continues = np.zeros(t0.size, dtype=bool)
        continues[1:] = (f0[1:] == f1[1:]) & (f0[1:] == f0[:-1])
        first_rises = np.flatnonzero(~continues)
        last_rises = np.append(first_rises[1:], t0.size)[: first_rises.size] - 1
        return cls.from_ends(
            t0[first_rises],
            t1[last_rises],
            f0=f0[first_rises],
            f1=f1[last_rises],
            positives=positives,
            negatives=negatives,
        )

    @classmethod
    def from_ends(
        cls, t0: Counts, t1: Counts, f0: Counts, f1: Counts, positives: float, negatives: float
    ) -> RocSegments:
        """Return the segments of counts at the start and the end of each segment.

        Args:
            t0: (m,) true positives (counts or weights) at the start of each segment.
            t1: (m,) true positives at the end.
            f0: (m,) false positives at the start.
            f1: (m,) false positives at the end; pass the array ``f0`` itself if all are vertical.
            positives: number (or weight) of the units that the ground truth marks.
            negatives: number (or weight) of the units that the ground truth does not mark.
        """
        false_rate_0 = ratio(f0, negatives)
        false_rate_1 = false_rate_0 if f0 is f1 else ratio(f1, negatives)
        return cls(
            t0=ratio(t0, positives),
            t1=ratio(t1, positives),
            f0=false_rate_0,
            f1=false_rate_1,
            positives=positives,
            negatives=negatives,
        )

    @property
    def reason(self) -> Message | None:
        """Message that explains why no curve can be drawn; None if one can be drawn.

        A curve needs units that the ground truth marks (positives) and units that it does not mark
        (negatives).
        """
        return _missing_curve_message(self.positives, self.negatives)

    @property
    def is_vertical(self) -> bool:
        """True if all segments are vertical, as where all scores differ."""
        return self.f1 is self.f0

    def select(self, selection: slice | Bools) -> RocSegments:
        """Return a selection of the segments.

        Args:
            selection: slice of the segments, or mask (m,).
        """
        f0 = self.f0[selection]
        # The same array marks vertical segments, see `is_vertical`.
        f1 = f0 if self.is_vertical else self.f1[selection]
        return replace(self, t0=self.t0[selection], t1=self.t1[selection], f0=f0, f1=f1)

    def false_positive_rate(self, recall: Floats) -> Floats:
        """Return the smallest false positive rate at which each recall is reached.

        Args:
            recall: (n,) recalls in (0, 1]; the rate is interpolated along the segments.

        Returns:
            (n,) false positive rates.
        """
        last_segment = self.t1.size - 1
        rows = np.searchsorted(self.t1, recall, side="left")
        segment_rows = np.clip(rows, 0, last_segment)
        t0 = self.t0[segment_rows]
        f0 = self.f0[segment_rows]
        rise = self.t1[segment_rows] - t0
        run = self.f1[segment_rows] - f0
        position = np.clip((recall - t0) / rise, 0.0, 1.0)
        return f0 + position * run


class ScoreOrder:
    """Units of one detector in order of falling score, sorted once for many ground truths.

    Args:
        score: (n,) scores without NaN (see :func:`usable_mask`).
        weight: (n,) weight of each unit (an area, or how often it was drawn); 1 by default.
        in_runs: True if the scores consist of long falling runs, which a merge sort joins quickly.

    Attributes:
        thresholds: distinct scores, falling.
    """

    def __init__(
        self, score: Floats, weight: Floats | None = None, *, in_runs: bool = False
    ) -> None:
        order = np.argsort(-score, kind="stable") if in_runs else sort_order(-score)
        falling_scores = score[order]
        is_end = np.append(falling_scores[1:] != falling_scores[:-1], True)[: score.size]
        ends = np.flatnonzero(is_end)
        self.thresholds: Floats = falling_scores[ends].astype(np.float64)
        self._order = order
        # Position of the last unit of each distinct score; None if all scores differ.
        self._ends: Ints | None = None if ends.size == order.size else ends
        self._detected = ends + 1
        self._weight = None if weight is None else weight[order]

    def sort_units(self, values: Array) -> Array:
        """Return values of the units, (n,), sorted from the highest score to the lowest."""
        return values[self._order]

    def count_points(self, truth: Bools) -> RocPoints:
        """Count true and false positives at every distinct score.

        Args:
            truth: (n,) True where the ground truth marks a unit, in the order of ``score``.
        """
        return self._count_points(self.sort_units(truth))

    def segments(self, truth: Bools) -> RocSegments:
        """Return ``count_points(truth).segments``, computed from the marked units alone.

        Args:
            truth: (n,) True where the ground truth marks a unit, in the order of ``score``.
        """
        return self.segments_of_sorted(self.sort_units(truth))

    def segments_of_sorted(self, marked: Bools) -> RocSegments:
        """Return the ROC segments of a ground truth that is already sorted.

        Args:
            marked: (n,) True where the ground truth marks a unit, sorted by :meth:`sort_units`.
        """
        if self._weight is not None:
            return self._count_points(marked).segments
        marked_at = np.flatnonzero(marked)
        positives = float(marked_at.size)
        negatives = float(marked.size - marked_at.size)
        if self._ends is None:
            return self._distinct_score_segments(marked_at, positives, negatives)

        # Number of the distinct score of each marked unit, and its last marked unit.
        score_numbers = np.searchsorted(self._ends, marked_at)
        is_last = np.append(score_numbers[1:] != score_numbers[:-1], True)[: score_numbers.size]
        last_units = np.flatnonzero(is_last)
        rising = score_numbers[last_units]
        # Recall rises at these scores: counts of marked and of all units after and before them.
        true_after = last_units + 1
        true_before = np.append(0, true_after)[:-1]
        detected_after = self._detected[rising]
        detected_before = np.where(rising > 0, self._detected[rising - 1], 0)
        return RocSegments.from_counts(
            true_before,
            true_after,
            f0=detected_before - true_before,
            f1=detected_after - true_after,
            positives=positives,
            negatives=negatives,
        )

    @staticmethod
    def _distinct_score_segments(
        marked_at: Ints, positives: float, negatives: float
    ) -> RocSegments:
        """Return the ROC segments where all scores differ: all of them are vertical.

        Every marked unit then has a threshold of its own, and recall rises by one unit there.

        Args:
            marked_at: (p,) positions of the marked units in the order of the scores.
            positives: number of marked units.
            negatives: number of other units.
        """
        # Marked units without another unit between them are on one vertical segment.
        false_before = marked_at - np.arange(marked_at.size)
        first_units = np.flatnonzero(np.diff(false_before, prepend=-1))
        ends = np.append(first_units[1:], marked_at.size)[: first_units.size]
        false_positives = false_before[first_units]
        return RocSegments.from_ends(
            first_units,
            ends,
            f0=false_positives,
            f1=false_positives,
            positives=positives,
            negatives=negatives,
        )

    def _count_points(self, marked: Bools) -> RocPoints:
        """Count true and false positives for a ground truth (n,) in the order of the scores."""
        if self._weight is None:
            true_positives = self._at_ends(np.cumsum(marked, dtype=np.int64))
            false_positives = self._detected - true_positives
        else:
            marked_weight = np.where(marked, self._weight, 0.0)
            other_weight = np.where(marked, 0.0, self._weight)
            true_positives = self._at_ends(np.cumsum(marked_weight))
            false_positives = self._at_ends(np.cumsum(other_weight))
        return RocPoints(self.thresholds, true_positives, false_positives)

    def _at_ends(self, running: Array) -> Array:
        """Return the values of a running sum (n,) after the last unit of each distinct score."""
        return running if self._ends is None else running[self._ends]


def usable_mask(
    shape: tuple[int, ...], *arrays: ArrayLike, valid: ArrayLike | None = None
) -> Bools:
    """Return a mask of the units where every array has a value.

    Args:
        shape: shape of the arrays.
        *arrays: arrays of that shape; NaN and masked values are not usable.
        valid: units to count (study area without training areas), same shape; all by default.

    Returns:
        Mask of that shape.

    Raises:
        InputError: if ``valid`` is not numeric or has another shape.

    >>> usable_mask((3,), [0.5, np.nan, 0.7], valid=[1, 1, 0]).tolist()
    [True, False, False]
    """
    usable = np.ones(shape, dtype=bool)
    if valid is not None:
        inside = as_numeric_array(valid, "The study area").astype(bool)
        if inside.shape != shape:
            message = (
                "The study area has shape {shape}, the score {other_shape}. "
                "Give both the same grid."
            )
            raise InputError(
                "ranking.different_shapes", message, shape=str(inside.shape), other_shape=str(shape)
            )
        usable &= inside
    for array in arrays:
        if np.ma.isMaskedArray(array):
            usable &= ~np.ma.getmaskarray(array)
        values = np.asanyarray(array)
        if values.dtype.kind == "f":
            usable &= ~np.isnan(np.asarray(values))
    return usable


def to_score_array(score: ArrayLike, name: str = "The score") -> Floats:
    """Return the score as a plain float array; arrays of 32-bit floats are not converted.

    The mask of a masked array is dropped: see :func:`usable_mask`.

    Args:
        score: scores, any shape.
        name: name of the array in error messages.

    Raises:
        InputError: if the scores are not numbers.

    >>> to_score_array([1, 2]).tolist()
    [1.0, 2.0]
    """
    values = as_numeric_array(score, name)
    return values if values.dtype in (np.float32, np.float64) else values.astype(np.float64)


def to_truth_array(
    truth: ArrayLike, shape: tuple[int, ...], name: str = "The ground truth"
) -> Bools:
    """Return the ground truth as booleans; masked values and NaN become False.

    Those units must be excluded by :func:`usable_mask`.

    Args:
        truth: True or False, or 1 and 0, per unit.
        shape: shape of the scores.
        name: name of the array in error messages.

    Returns:
        Booleans of that shape.

    Raises:
        InputError: if the shape differs, or there are values other than 0 and 1.

    >>> to_truth_array([1, 0, np.nan], (3,)).tolist()
    [True, False, False]
    """
    values = as_array(truth, name)
    if values.shape != shape:
        message = "{name} has shape {shape}, the score {other_shape}. Give both the same grid."
        raise InputError(
            "ranking.different_shapes",
            message,
            name=name,
            shape=str(values.shape),
            other_shape=str(shape),
        )
    if values.dtype == np.bool_:
        return values
    if values.dtype.kind not in "uif":
        raise InputError(
            "ranking.truth_not_boolean",
            "{name} holds {dtype} values where 0 and 1 are needed.",
            name=name,
            dtype=values.dtype,
        )
    if np.ma.isMaskedArray(truth):
        values = np.where(np.ma.getmaskarray(truth), 0, values)
    is_positive = values == 1
    is_binary = is_positive | (values == 0) | np.isnan(values)
    if not is_binary.all():
        raise InputError(
            "ranking.truth_not_binary",
            "{name} has values other than 0 and 1. Mark each unit with 1 (object) or 0 (none).",
            name=name,
        )
    return cast("Bools", is_positive)


def to_weight_array(weight: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return the weights of the units as float64.

    Args:
        weight: weight of each unit, 0 or more.
        shape: shape of the scores.

    Raises:
        InputError: if the shape differs, or a weight is below 0 or not finite.

    >>> to_weight_array([1, 2], (2,)).tolist()
    [1.0, 2.0]
    """
    values = as_float_array(weight, "The weight")
    if values.shape != shape:
        message = (
            "The weights have shape {shape}, the score {other_shape}. Give one weight per unit."
        )
        raise InputError(
            "ranking.different_shapes", message, shape=str(values.shape), other_shape=str(shape)
        )
    if not ((values >= 0) & np.isfinite(values)).all():
        raise InputError(
            "ranking.invalid_weight",
            "A weight is below 0 or not a number. Weights are areas or counts, 0 or more.",
        )
    return values


def _missing_curve_message(positives: float, negatives: float) -> Message | None:
    """Return a message if no curve can be drawn for these numbers of positives and negatives."""
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
