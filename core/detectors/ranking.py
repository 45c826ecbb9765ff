"""Rankings of detectors under several ground truths, by area under the P̄-recall curve.

A detector is sorted once; each ground truth then costs one running sum in that order. Sorting and
summing release Python's global interpreter lock, so detectors and ground truths are processed in
parallel threads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Callable, NamedTuple, Union, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.agreement.consensus import GroundTruths
from randcrowns.core.arrays import Array, Bools, Floats
from randcrowns.core.detectors.curves import (
    RocSegments,
    ScoreOrder,
    integrate_p_bar_curve,
    interpolate_curves,
    to_score_array,
    to_truth_array,
    to_weight_array,
    usable_mask,
)
from randcrowns.core.detectors.mean_precision import (
    DEFAULT_MAX_SKEW,
    DEFAULT_MIN_SKEW,
    check_skew_limits,
    estimate_skew_limits,
)
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, info
from randcrowns.core.progress import (
    Progress,
    iterate_with_progress,
    map_in_threads,
    no_progress,
    subprogress,
)
from randcrowns.core.validation import is_row, validate_arguments

#: Arrays by name, or a sequence of arrays.
NamedArrays = Union[Mapping[str, ArrayLike], Sequence[ArrayLike], Array, pd.DataFrame]

# Recalls at which curves are tabulated.
_RECALLS = np.linspace(0.0, 1.0, 101)
_CURVE_COLUMNS = ["detector", "truth", "recall", "false_positive_rate", "precision", "p_bar"]
_ALL_NEAR = info(
    "reason.all_near",
    "Every unmarked pixel is within the tolerance of a marked one, so none is left to judge. "
    "Choose a smaller tolerance.",
)
_NO_SCORE = info("reason.no_score", "It has no score inside the study area.")
_NO_COMMON = info("reason.no_common", "No pixel has a score from every detector.")
# Returns the ROC segments of one detector for the ground truth with a given name.
_SegmentsOfTruth = Callable[[str], RocSegments]
# Sorts the units of the detector with a given name.
_Prepare = Callable[[str], _SegmentsOfTruth]


@dataclass(frozen=True, eq=False)
class DetectorRanking:
    """Rankings of detectors under several ground truths.

    Attributes:
        aucr: area under the P̄-recall curve, one row per detector and one column per ground truth;
            NaN where it is undefined.
        ranks: rank of each detector (row) under each ground truth (column); 1 is best, ties share a
            rank.
        rankings: distinct orders with the ground truths that result in each, most frequent first.
        kendall_tau: Kendall's tau between the orders of every two ground truths.
        curves: columns detector, truth, recall (0 to 1 in steps of 0.01), false_positive_rate,
            precision and p_bar.
        skew: fraction of positives of each ground truth.
        reasons: message why a detector or a ground truth has no value, by its name.
        n_used: number of units that were counted.
        n_excluded: number of units outside the study area, or without a score or a ground truth.
    """

    aucr: pd.DataFrame
    ranks: pd.DataFrame
    rankings: tuple[Ranking, ...]
    kendall_tau: pd.DataFrame
    curves: pd.DataFrame
    skew: pd.Series
    reasons: dict[str, Message]
    n_used: int
    n_excluded: int

    @property
    def p_bar_ranges(self) -> pd.DataFrame:
        """Range of P̄ over the ground truths; columns detector, recall, lowest, median, highest."""
        spread = self.curves.groupby(["detector", "recall"], sort=False)["p_bar"]
        return spread.agg(lowest="min", median="median", highest="max").reset_index()


@validate_arguments
def rank_detectors(
    scores: NamedArrays,
    truths: NamedArrays | GroundTruths,
    min_skew: float = DEFAULT_MIN_SKEW,
    max_skew: float = DEFAULT_MAX_SKEW,
    *,
    weight: ArrayLike | None = None,
    valid: ArrayLike | None = None,
    tolerance: Tolerance | None = None,
    progress: Progress = no_progress,
) -> DetectorRanking:
    """Compute the AUCR of every detector under every ground truth, and the resulting rankings.

    Every detector is judged on the same units: those inside ``valid`` where every ground truth has
    a value and every detector a score. Detectors without any score are ignored here and reported.

    Args:
        scores: scores per unit of each detector, all of one shape, by name or in a sequence. Higher
            means more certain; minus infinity where a detector found nothing.
        truths: True or False per unit of each ground truth, same shape, by name or in a sequence;
            or ground truths that are known in parts of the area. Units at which a ground truth is
            not known are left out under that ground truth only.
        min_skew: lower limit of the fraction of positives.
        max_skew: upper limit of the fraction of positives.
        weight: weight of each unit, such as a face's area; 1 by default.
        valid: units to count (study area without training areas); all by default.
        tolerance: distance that a detection may have from the ground truth; rasters only.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The ranking.

    Raises:
        InputError: if there is no detector or ground truth, shapes differ, or values cannot be
            used.

    >>> scores = {"good": [0.9, 0.8, 0.2, 0.1], "poor": [0.1, 0.9, 0.8, 0.2]}
    >>> rank_detectors(scores, {"ann": [1, 1, 0, 0]}).ranks["ann"].to_dict()
    {'good': 1.0, 'poor': 2.0}
    """
    check_skew_limits(min_skew, max_skew)
    inputs = _read_inputs(scores, truths, weight, valid)
    units = _truth_units(inputs)
    has_tolerance = False
    judging_progress = progress
    if tolerance is not None and tolerance.distance > 0:
        has_tolerance = True
        judging_progress = subprogress(progress, 0.4, 1.0)
        counting_progress = subprogress(progress, 0.0, 0.4)
        prepare = _tolerant_judge(inputs, units, tolerance, counting_progress)
    else:
        prepare = _exact_judge(inputs, units)

    results = _judge_all(
        prepare,
        detectors=[name for name in inputs.scores if name not in inputs.reasons],
        truths=list(inputs.truths),
        min_skew=min_skew,
        max_skew=max_skew,
        progress=judging_progress,
    )
    aucr = pd.DataFrame(np.nan, index=list(inputs.scores), columns=list(inputs.truths), dtype=float)
    for (detector, truth), result in results.items():
        aucr.loc[detector, truth] = result.aucr
    ranks = rank_values(aucr)
    judged_marks = {name: units.judged_marks(name) for name in units.marked}
    skew = {}
    for name, is_marked in judged_marks.items():
        skew[name] = compute_skew(is_marked, units.judged_weights(name))
    undefined_reasons = _undefined_truths(results, judged_marks, has_tolerance)
    n_used = int(inputs.area.sum())
    return DetectorRanking(
        aucr=aucr,
        ranks=ranks,
        rankings=find_distinct_rankings(ranks),
        kendall_tau=kendall_tau(ranks),
        curves=_concatenate_curves({pair: result.curve for pair, result in results.items()}),
        skew=pd.Series(skew, dtype=float),
        reasons={**inputs.reasons, **undefined_reasons},
        n_used=n_used,
        n_excluded=inputs.area.size - n_used,
    )


@dataclass(frozen=True, eq=False)
class _RankingInputs:
    """Arrays of a ranking, all of one shape, and the area that counts for all detectors."""

    scores: dict[str, Floats]  #: scores by detector.
    truths: dict[str, Bools]  #: marked units by ground truth.
    known: dict[str, Bools]  #: known units by ground truth; none for one known everywhere.
    weights: Floats | None  #: weights of the units; None for 1.
    area: Bools  #: True per unit of the common area.
    reasons: dict[str, Message]  #: why detectors have no value, by name.

    def in_area(self, values: Array) -> Any:
        """Return the values (n,) of the n units of the common area."""
        # `ravel` avoids a copy.
        return values.ravel() if self._is_whole_area else values[self.area]

    @cached_property
    def _is_whole_area(self) -> bool:
        """True if all units are in the common area."""
        return bool(self.area.all())


def _read_inputs(
    scores: NamedArrays,
    truths: NamedArrays | GroundTruths,
    weight: ArrayLike | None,
    valid: ArrayLike | None,
) -> _RankingInputs:
    """Return the checked arrays of a ranking; for the arguments see :func:`rank_detectors`.

    Raises:
        InputError: if there is no detector or ground truth, shapes differ, or values cannot be
            used.
    """
    named_scores = name_arrays(scores, "Detector")
    known_units: Mapping[str, Bools] = {}
    if isinstance(truths, GroundTruths):
        known_units = truths.known
        named_truths = name_arrays(truths.truths, "Ground truth")
    else:
        named_truths = name_arrays(truths, "Ground truth")
    if not named_scores or not named_truths:
        raise InputError(
            "ranking.no_detector_or_truth",
            "Ranking needs at least one detector and one ground truth. Choose both.",
        )
    score_arrays = _same_shape_scores(named_scores)
    shape = next(iter(score_arrays.values())).shape
    truth_arrays = {}
    for name, truth in named_truths.items():
        truth_arrays[name] = to_truth_array(truth, shape, name)
    weights = None if weight is None else to_weight_array(weight, shape)
    area, reasons = _common_area(named_scores, named_truths, shape, valid)
    known_arrays = {}
    for name, is_known in known_units.items():
        known_arrays[name] = to_truth_array(is_known, shape, name)
    return _RankingInputs(
        scores=score_arrays,
        truths=truth_arrays,
        known=known_arrays,
        weights=weights,
        area=area,
        reasons=reasons,
    )


@dataclass(frozen=True, eq=False)
class _TruthUnits:
    """Ground truths and weights on the n units of the common area."""

    marked: dict[str, Bools]  #: (n,) units that a ground truth is known to mark, by name.
    known: dict[str, Bools]  #: (n,) units at which it is known; none for one known everywhere.
    weights: Floats | None  #: (n,) weights; None for 1.

    def judged_marks(self, truth: str) -> Bools:
        """Return the marks at the units at which a ground truth is known."""
        marked = self.marked[truth]
        return marked[self.known[truth]] if truth in self.known else marked

    def judged_weights(self, truth: str) -> Floats | None:
        """Return the weights of the units at which a ground truth is known; None for 1."""
        if self.weights is None or truth not in self.known:
            return self.weights
        return self.weights[self.known[truth]]


def _truth_units(inputs: _RankingInputs) -> _TruthUnits:
    """Return the ground truths and the weights on the units of the common area."""
    marked = {name: inputs.in_area(truth) for name, truth in inputs.truths.items()}
    known = {name: inputs.in_area(is_known) for name, is_known in inputs.known.items()}
    for name, is_known in known.items():
        if name in marked:
            marked[name] = marked[name] & is_known
    weights = None if inputs.weights is None else inputs.in_area(inputs.weights)
    return _TruthUnits(marked=marked, known=known, weights=weights)


def _exact_judge(inputs: _RankingInputs, units: _TruthUnits) -> _Prepare:
    """Return the function that sorts the units of a detector for a ranking without tolerance.

    Args:
        inputs: arrays of the ranking.
        units: units of the study area, with the marks of each ground truth.
    """
    packed_truths = _PackedTruths.of(units.marked)

    def prepare(detector: str) -> _SegmentsOfTruth:
        """Sort the units of a detector; return the function that judges it."""
        own_score = inputs.in_area(inputs.scores[detector])
        order = ScoreOrder(own_score, units.weights)
        sorted_truths = packed_truths.reorder(order.sort_units)

        def segments_of(truth: str) -> RocSegments:
            """Return the ROC segments under a ground truth, over the units that it knows."""
            if truth not in units.known:
                return order.segments_of_sorted(sorted_truths[truth])
            known_order = ScoreOrder(own_score[units.known[truth]], units.judged_weights(truth))
            return known_order.segments(units.judged_marks(truth))

        return segments_of

    return prepare


def _tolerant_judge(
    inputs: _RankingInputs, units: _TruthUnits, tolerance: Tolerance, progress: Progress
) -> _Prepare:
    """Return the function that sorts the units of a detector for a ranking with a tolerance.

    Args:
        inputs: rasters of the ranking.
        units: ground truths on the units of the common area.
        tolerance: distance that a detection may have from the ground truth.
        progress: called with the fraction done.
    """
    counted = _judged_with_tolerance(tolerance, inputs, progress)

    def prepare(detector: str) -> _SegmentsOfTruth:
        """Sort the units of a detector; return the function that judges it."""
        score = inputs.scores[detector]
        score_in_area = np.where(inputs.area, score, -np.inf)
        highest_score = tolerance.highest_score_nearby(score_in_area)[inputs.area]
        return _tolerant_segments(
            inputs.in_area(score), highest_score, units.marked, counted, units.weights
        )

    return prepare


def _judged_with_tolerance(
    tolerance: Tolerance, inputs: _RankingInputs, progress: Progress
) -> dict[str, Bools]:
    """Return the units of the common area that each ground truth judges, by its name.

    An unknown unit may be marked, so that unmarked units near it cannot be judged either.

    Args:
        tolerance: distance that a detection may have from the ground truth.
        inputs: rasters of the ranking.
        progress: called with the fraction done.
    """
    judged = {}
    for (name, truth), _ in iterate_with_progress(list(inputs.truths.items()), progress):
        is_known = inputs.known.get(name)
        if is_known is None:
            counted = tolerance.counted_mask(truth & inputs.area)
        else:
            may_be_marked = (truth | ~is_known) & inputs.area
            counted = tolerance.counted_mask(may_be_marked) & is_known
        judged[name] = counted[inputs.area]
    return judged


def _undefined_truths(
    results: Mapping[tuple[str, str], _PairResult],
    truth_units: Mapping[str, Bools],
    has_tolerance: bool,
) -> dict[str, Message]:
    """Return the reason why a ground truth has no values, by its name.

    Args:
        results: results by (detector, ground truth).
        truth_units: (n,) mask of the marked units of each ground truth, by name.
        has_tolerance: True if detections may lie at a distance from the ground truth.
    """
    reasons = {}
    for (_, name), result in results.items():
        if not result.reason:
            continue
        units = truth_units[name]
        has_both_classes = units.any() and not units.all()
        # Only the tolerance can remove all negatives of a ground truth that has some.
        reasons[name] = _ALL_NEAR if has_tolerance and has_both_classes else result.reason
    return reasons


def _same_shape_scores(scores: Mapping[str, ArrayLike]) -> dict[str, Floats]:
    """Return the scores of each detector as float arrays; raise InputError if shapes differ."""
    arrays = {name: to_score_array(score, name) for name, score in scores.items()}
    shape = next(iter(arrays.values())).shape
    for name, array in arrays.items():
        if array.shape != shape:
            message = (
                "{name} has shape {shape}, the first detector {other_shape}. "
                "Give both the same grid."
            )
            raise InputError(
                "ranking.different_shapes",
                message,
                name=name,
                shape=str(array.shape),
                other_shape=str(shape),
            )
    return arrays


def _common_area(
    scores: Mapping[str, ArrayLike],
    truths: Mapping[str, ArrayLike],
    shape: tuple[int, ...],
    valid: ArrayLike | None,
) -> tuple[Bools, dict[str, Message]]:
    """Return the units that count for all detectors, and why detectors have no value.

    Returns:
        Mask of the units where all ground truths, and all detectors with any score, have a value;
        and messages by detector: it has no score, or there is no such unit.
    """
    area = usable_mask(shape, *truths.values(), valid=valid)
    reasons = {}
    common_area = area.copy()
    for name, score in scores.items():
        has_score = area & usable_mask(shape, score)
        if has_score.any():
            common_area &= has_score
        else:
            reasons[name] = _NO_SCORE
    if not common_area.any():
        reasons = {name: reasons.get(name, _NO_COMMON) for name in scores}
    return common_area, reasons


def name_arrays(items: NamedArrays, kind: str) -> dict[str, ArrayLike]:
    """Return arrays by name; name the items of a sequence "<kind> 1", "<kind> 2", ...

    Args:
        items: arrays by name (columns of a data frame), or a sequence of arrays.
        kind: what an array is, for names and error messages.

    Raises:
        InputError: if it is neither, or two arrays have the same name.

    >>> list(name_arrays([[0.5, 0.1], [0.2, 0.3]], "Detector"))
    ['Detector 1', 'Detector 2']
    """
    if isinstance(items, (pd.DataFrame, Mapping)):
        return _arrays_by_text(items, kind)
    if not is_row(items):
        message = "{kind}s must be a dict of arrays, or a list of them, not a {type}."
        raise InputError("ranking.not_arrays", message, kind=kind, type=type(items).__name__)
    return {f"{kind} {number}": item for number, item in enumerate(items, start=1)}


def _arrays_by_text(
    items: Mapping[str, ArrayLike] | pd.DataFrame, kind: str
) -> dict[str, ArrayLike]:
    """Return named arrays by the texts of their names; columns of a data frame become arrays.

    Args:
        items: arrays by name.
        kind: what an array is, for error messages.

    Raises:
        InputError: if two arrays have the same name.
    """
    by_name: dict[str, ArrayLike] = {}
    for name, item in items.items():
        if str(name) in by_name:
            raise InputError(
                "ranking.repeated_name",
                "{kind} '{name}' is listed twice. Give each a name of its own.",
                kind=kind,
                name=name,
            )
        by_name[str(name)] = item.to_numpy() if isinstance(item, pd.Series) else item
    return by_name


class _PackedTruths:
    """Ground truths stored as bits, eight per byte, so that all of them are reordered together.

    Args:
        position: byte and bit of each ground truth, by name.
        packed: (n,) uint8 arrays, one per eight ground truths.
    """

    def __init__(self, position: dict[str, tuple[int, int]], packed: list[Array]) -> None:
        self._position = position
        self._packed = packed

    @classmethod
    def of(cls, truths: Mapping[str, Bools]) -> _PackedTruths:
        """Pack ground truths, (n,) booleans each."""
        position = {}
        packed: list[Array] = []
        for number, (name, is_marked) in enumerate(truths.items()):
            byte, bit = divmod(number, 8)
            if bit == 0:
                packed.append(np.zeros(is_marked.shape, dtype=np.uint8))
            packed[byte] |= is_marked.view(np.uint8) << np.uint8(bit)
            position[name] = (byte, bit)
        return cls(position, packed)

    def reorder(self, sort_units: Callable[[Array], Array]) -> _PackedTruths:
        """Return the ground truths with their units sorted by a function of an array (n,)."""
        return _PackedTruths(self._position, [sort_units(packed) for packed in self._packed])

    def __getitem__(self, name: str) -> Bools:
        byte, bit = self._position[name]
        return cast("Bools", (self._packed[byte] & np.uint8(1 << bit)) != 0)


def _tolerant_segments(
    own_score: Floats,
    highest_score: Floats,
    truths: dict[str, Bools],
    counted: dict[str, Bools],
    weight: Floats | None,
) -> _SegmentsOfTruth:
    """Return a function that computes ROC segments of a detector with a tolerance.

    Marked units take the highest score nearby, the others their own. The units are sorted once by
    either score, and the two orders are merged for each ground truth.

    Args:
        own_score: (n,) scores of the units.
        highest_score: (n,) highest score within the tolerance of each unit.
        truths: (n,) marked units of each ground truth, by name.
        counted: (n,) units that each ground truth judges, by name.
        weight: (n,) weight of each unit; None for 1.
    """
    # Sorted once; the units of each ground truth are then two falling runs of scores.
    by_highest = np.argsort(-highest_score)
    by_own = np.argsort(-own_score)

    def segments_of(truth: str) -> RocSegments:
        """Return the ROC segments of the detector under a ground truth."""
        is_marked = truths[truth]
        is_counted_other = counted[truth] & ~is_marked
        marked_rows = by_highest[is_marked[by_highest]]
        other_rows = by_own[is_counted_other[by_own]]
        unit_rows = np.concatenate([marked_rows, other_rows])
        merged = ScoreOrder(
            np.concatenate([highest_score[marked_rows], own_score[other_rows]]),
            None if weight is None else weight[unit_rows],
            in_runs=True,
        )
        return merged.segments(np.arange(unit_rows.size) < marked_rows.size)

    return segments_of


class _PairResult(NamedTuple):
    """Result of one detector under one ground truth."""

    aucr: float  #: area under the P̄-recall curve; NaN where it is undefined.
    reason: Message | None  #: why it is undefined.
    curve: pd.DataFrame  #: curves at the tabulated recalls, see `interpolate_curves`.


def _judge_all(
    prepare: _Prepare,
    detectors: list[str],
    truths: list[str],
    min_skew: float,
    max_skew: float,
    progress: Progress,
) -> dict[tuple[str, str], _PairResult]:
    """Judge every detector under every ground truth, in worker threads.

    Args:
        prepare: sorts the units of a detector; returns its function of a ground truth's name.
        detectors: names of the detectors.
        truths: names of the ground truths.
        min_skew: lower limit of the fraction of positives.
        max_skew: upper limit of the fraction of positives.
        progress: receives the fraction done.

    Returns:
        Results by (detector, ground truth), detector by detector.
    """
    prepared = map_in_threads(prepare, detectors, subprogress(progress, 0.0, 0.2))
    segments_of_detector = dict(zip(detectors, prepared))
    pairs = [(detector, truth) for detector in detectors for truth in truths]

    def judge(pair: tuple[str, str]) -> _PairResult:
        """Return the result of a detector under a ground truth."""
        detector, truth = pair
        segments = segments_of_detector[detector](truth)
        return _PairResult(
            aucr=integrate_p_bar_curve(segments, min_skew, max_skew),
            reason=segments.reason,
            curve=interpolate_curves(segments, _RECALLS, min_skew, max_skew),
        )

    results = map_in_threads(judge, pairs, subprogress(progress, 0.2, 1.0))
    return dict(zip(pairs, results))


def _concatenate_curves(curves: dict[tuple[str, str], pd.DataFrame]) -> pd.DataFrame:
    """Return one table of curves by (detector, ground truth), with the two names as columns."""
    if not curves:
        return cast("pd.DataFrame", pd.DataFrame(columns=_CURVE_COLUMNS))
    names = _CURVE_COLUMNS[:2]
    table = pd.concat(curves, names=names).reset_index(names).reset_index(drop=True)
    return cast("pd.DataFrame", table[_CURVE_COLUMNS])


def compute_skew(truth: Bools, weight: Floats | None = None) -> float:
    """Return the fraction of positives of a ground truth, by weight.

    Args:
        truth: marked units, any shape.
        weight: weight of each unit, same shape; 1 by default.

    Returns:
        The fraction; NaN without units, or if all weights are 0.

    >>> compute_skew(np.array([True, False]), np.array([1.0, 3.0]))
    0.25
    """
    if weight is None:
        n_marked = float(np.count_nonzero(truth))
        return n_marked / truth.size if truth.size else float("nan")
    total = float(weight.sum())
    marked_weight = float((truth * weight).sum())
    return marked_weight / total if total > 0 else float("nan")


def estimate_truth_skew_limits(truths: GroundTruths, weight: Floats) -> tuple[float, float]:
    """Return the lower and the upper skew limit from the skew of ground truths.

    Args:
        truths: ground truths.
        weight: weight of each unit, in the shape of the ground truths.

    Returns:
        The lower and the upper limit of the fraction of positives.

    Raises:
        InputError: if no ground truth has a positive, or all have the same skew.

    >>> truths = {"ann": np.array([True, False, False]), "ben": np.array([True, True, False])}
    >>> limits = estimate_truth_skew_limits(GroundTruths(truths), np.ones(3))
    >>> [round(limit, 3) for limit in limits]
    [0.264, 0.736]
    """
    skews = []
    for name, is_marked in truths.truths.items():
        known_weight = weight * truths.known.get(name, True)
        skews.append(compute_skew(is_marked, known_weight))
    return estimate_skew_limits(skews)


#: Largest difference between values that tie. Rounding of coordinates in a change of coordinate
#: reference system changes values by as little.
TIE_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Ranking:
    """One order of the detectors and the ground truths that result in it."""

    #: Detectors from the best to the worst; detectors that tie share a place.
    places: tuple[tuple[str, ...], ...]
    truths: tuple[str, ...]  #: names of the ground truths with this order.

    @property
    def order(self) -> tuple[str, ...]:
        """Detectors from the best to the worst; tied ones in the order of the table."""
        return tuple(name for place in self.places for name in place)


def rank_values(aucr: pd.DataFrame) -> pd.DataFrame:
    """Rank the detectors (rows) under every ground truth (column) by falling value.

    Neighbouring values that differ by no more than :data:`TIE_TOLERANCE` tie.

    Args:
        aucr: values, higher is better; NaN where there is none.

    Returns:
        Ranks, same rows and columns: 1 is best, ties share the better rank, NaN stays NaN.

    >>> rank_values(pd.DataFrame({"ann": [0.5, 0.9, 0.9]}, index=["a", "b", "c"]))["ann"].tolist()
    [3.0, 1.0, 1.0]
    """
    # Negative values rise from the best detector to the worst; NaN comes last.
    negatives = -aucr.to_numpy(dtype=float)
    order = np.argsort(negatives, axis=0, kind="stable")
    sorted_negatives = np.take_along_axis(negatives, order, axis=0)
    positions = np.arange(1.0, len(negatives) + 1)[:, None]
    is_new_rank = np.ones(negatives.shape, dtype=bool)
    is_new_rank[1:] = ~(np.diff(sorted_negatives, axis=0) <= TIE_TOLERANCE)
    # Tied detectors get the position of the first of them.
    sorted_ranks = np.maximum.accumulate(np.where(is_new_rank, positions, 0.0), axis=0)
    ranks = np.empty_like(negatives)
    np.put_along_axis(ranks, order, sorted_ranks, axis=0)
    ranks[np.isnan(negatives)] = np.nan
    return cast("pd.DataFrame", pd.DataFrame(ranks, index=aucr.index, columns=aucr.columns))


def find_distinct_rankings(ranks: pd.DataFrame) -> tuple[Ranking, ...]:
    """Return the distinct orders of the detectors (Table IV of Lampert et al. 2016).

    Detectors without any rank are ignored, and so are ground truths that do not rank all others.

    Args:
        ranks: one row per detector and one column per ground truth, see :func:`rank_values`.

    Returns:
        The orders, the one with the most ground truths first.

    >>> ranks = pd.DataFrame({"ann": [1, 2], "ben": [1, 2]}, index=["a", "b"])
    >>> find_distinct_rankings(ranks)
    (Ranking(places=(('a',), ('b',)), truths=('ann', 'ben')),)
    """
    ranked = ranks.dropna(axis=0, how="all").dropna(axis=1, how="any")
    # Without any detector, the ground truths have no order.
    if not len(ranked):
        return ()
    truths_by_ranks: dict[tuple[float, ...], list[str]] = {}
    for truth in ranked.columns:
        detector_ranks = tuple(ranked[truth])
        truths_by_ranks.setdefault(detector_ranks, []).append(truth)
    rankings = []
    for detector_ranks, truths in truths_by_ranks.items():
        places = []
        for rank in sorted(set(detector_ranks)):
            # Tied detectors share a place.
            has_rank = np.equal(detector_ranks, rank)
            places.append(tuple(ranked.index[has_rank]))
        rankings.append(Ranking(places=tuple(places), truths=tuple(truths)))
    rankings.sort(key=lambda ranking: len(ranking.truths), reverse=True)
    return tuple(rankings)


def tabulate_rankings(rankings: tuple[Ranking, ...]) -> pd.DataFrame:
    """Return the distinct rankings side by side, as Table IV of Lampert et al. (2016).

    Args:
        rankings: see :func:`find_distinct_rankings`.

    Returns:
        Text with one row per position and one column per ranking ("Ranking #1", ...). Detectors
        that tie are joined as "A = B", and the further positions that they occupy are empty. The
        last row, "Ground truths", lists the ground truths with each ranking.

    >>> tabulate_rankings((Ranking((("a", "b"), ("c",)), ("ann",)),))["Ranking #1"].tolist()
    ['a = b', '', 'c', 'ann']
    """
    if not rankings:
        return cast("pd.DataFrame", pd.DataFrame())
    columns = {}
    for number, ranking in enumerate(rankings, start=1):
        cells: list[str] = []
        for tied_names in ranking.places:
            cells.append(" = ".join(tied_names))
            cells += [""] * (len(tied_names) - 1)
        cells.append(", ".join(ranking.truths))
        columns[f"Ranking #{number}"] = cells
    n_detectors = len(rankings[0].order)
    positions = [str(position) for position in range(1, n_detectors + 1)]
    index = pd.Index([*positions, "Ground truths"], name="Position")
    return cast("pd.DataFrame", pd.DataFrame(columns, index=index))


@validate_arguments
def kendall_tau(ranks: pd.DataFrame) -> pd.DataFrame:
    """Compute Kendall's tau-b between the orders of all pairs of ground truths.

    Args:
        ranks: one row per detector and one column per ground truth, see :func:`rank_values`.
            Detectors without any rank are ignored.

    Returns:
        One row and one column per ground truth: 1 for the same order, -1 for the opposite one, NaN
        if a ground truth ranks nothing, or all detectors tie.

    >>> ranks = pd.DataFrame({"ann": [1, 2, 3], "ben": [1, 3, 2]}, index=["a", "b", "c"])
    >>> round(float(kendall_tau(ranks).loc["ann", "ben"]), 3)
    0.333
    """
    ranked = ranks.dropna(axis=0, how="all").to_numpy(dtype=float)
    # Sign of the rank difference of each pair of detectors (rows) under each ground truth.
    detector_rows, rival_rows = np.triu_indices(len(ranked), k=1)
    signs = np.sign(ranked[detector_rows] - ranked[rival_rows])
    # The product counts the concordant pairs of two ground truths minus the discordant ones.
    concordance = signs.T @ signs
    n_untied = (signs != 0).sum(axis=0, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        tau = concordance / np.sqrt(np.outer(n_untied, n_untied))
    # Rounding may lead beyond the limits.
    limited_tau = np.clip(tau, -1.0, 1.0)
    table: pd.DataFrame = pd.DataFrame(limited_tau, index=ranks.columns, columns=ranks.columns)
    return table
