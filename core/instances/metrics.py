"""Detection, segmentation and panoptic metrics of matched instances.

Detection and segmentation metrics follow the documentation of pointtree, panoptic quality follows
Kirillov et al. 2019. All of them are computed from the overlap table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints
from randcrowns.core.errors import InputError
from randcrowns.core.instances.matching import NO_MATCH, Matching, MatchingMethod, match_one_to_one
from randcrowns.core.instances.overlap import OverlapTable, count_pairs, validate_labels
from randcrowns.core.statistics import OVERLAP_RATES, overlap_rates, precision_recall_f1, ratio
from randcrowns.core.thresholds import exceeds
from randcrowns.core.validation import validate_arguments


class DetectionCounts(NamedTuple):
    """Counts of true positives, false positives and false negatives.

    Attributes:
        tp: number of targets with a matched prediction.
        fp: number of predictions without a target, except uncertain ones.
        fn: number of targets without a prediction.
    """

    tp: int
    fp: int
    fn: int


class PanopticQuality(NamedTuple):
    """Panoptic quality of two sets of instances (Kirillov et al. 2019).

    Attributes:
        pq: panoptic quality, SQ x RQ; NaN if neither set has an instance.
        sq: segmentation quality, the mean IoU of the matched pairs; NaN without a match.
        rq: recognition quality, the F1 score tp / (tp + (fp + fn) / 2).
        n_matched: number of targets with a matched prediction (tp).
        n_unmatched_targets: number of unmatched targets (fn).
        n_unmatched_predictions: number of unmatched predictions, except uncertain ones (fp).
    """

    pq: float
    sq: float
    rq: float
    n_matched: int
    n_unmatched_targets: int
    n_unmatched_predictions: int


@validate_arguments
def count_detections(matching: Matching, uncertain: Bools | None = None) -> DetectionCounts:
    """Count true positives, false positives and false negatives of a matching.

    Args:
        matching: matching of T targets and P predictions.
        uncertain: (P,) mask of the predictions that are not counted if they are unmatched.

    Returns:
        The three counts.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> count_detections(match_one_to_one(table, "for_ai_net"))
    DetectionCounts(tp=2, fp=0, fn=0)
    """
    is_false_positive = matching.target == NO_MATCH
    if uncertain is not None:
        is_false_positive &= ~uncertain
    is_found = matching.prediction != NO_MATCH
    return DetectionCounts(
        tp=int(is_found.sum()),
        fp=int(is_false_positive.sum()),
        fn=int((~is_found).sum()),
    )


@validate_arguments
def detection_metrics(counts: DetectionCounts) -> dict[str, float]:
    """Compute detection metrics from counts, with the names of pointtree.

    Args:
        counts: numbers of true positives, false positives and false negatives.

    Returns:
        ``TP``, ``FP``, ``FN``, ``Precision``, ``CommissionError`` (fp / (tp + fp)), ``Recall``,
        ``OmissionError`` (fn / (tp + fn)) and ``F1Score``; 0/0 is NaN.

    >>> detection_metrics(DetectionCounts(tp=3, fp=1, fn=2))["Recall"]
    0.6
    """
    tp, fp, fn = counts
    precision, recall, f1 = precision_recall_f1(tp, tp + fn, tp, tp + fp)
    return {
        "TP": tp,
        "FP": fp,
        "FN": fn,
        "Precision": precision,
        "CommissionError": ratio(fp, tp + fp),
        "Recall": recall,
        "OmissionError": ratio(fn, tp + fn),
        "F1Score": f1,
    }


def matched_rates(table: OverlapTable, matching: Matching) -> tuple[Floats, Floats, Floats]:
    """Compute IoU, precision and recall of each target with its matched prediction.

    Args:
        table: overlap table of T targets and P predictions.
        matching: their matching.

    Returns:
        IoU, precision (shared size / size of the prediction) and recall (shared size / size of the
        target), (T,) each. Unmatched targets have IoU 0, precision NaN and recall 0.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> iou, precision, recall = matched_rates(table, match_one_to_one(table, "for_ai_net"))
    >>> recall.round(3).tolist()
    [0.667, 1.0]
    """
    is_found = matching.prediction != NO_MATCH
    prediction_size = np.zeros(len(is_found))
    prediction_size[is_found] = table.prediction_size[matching.prediction[is_found]]
    return overlap_rates(matching.shared, table.target_size, prediction_size)


@validate_arguments
def segmentation_table(
    table: OverlapTable,
    matching: Matching,
    target_ids: Ints,
    prediction_ids: Ints,
    include_unmatched: bool = True,
) -> pd.DataFrame:
    """Compute the segmentation metrics of each target.

    Args:
        table: overlap table of T targets and P predictions.
        matching: their matching.
        target_ids: (T,) id of each target.
        prediction_ids: (T,) id of the prediction of each target.
        include_unmatched: True to include targets without a prediction.

    Returns:
        One row per target with the columns ``TargetID``, ``PredictionID``, ``IoU``, ``Precision``
        and ``Recall``; see :func:`matched_rates` for the last three.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> ids = np.array([0, 1])
    >>> rows = segmentation_table(table, match_one_to_one(table, "for_ai_net"), ids, ids)
    >>> rows["Recall"].round(3).tolist()
    [0.667, 1.0]
    """
    rates = dict(zip(OVERLAP_RATES, matched_rates(table, matching)))
    rows = pd.DataFrame({"TargetID": target_ids, "PredictionID": prediction_ids, **rates})
    if not include_unmatched:
        is_matched = matching.prediction != NO_MATCH
        rows = rows[is_matched].reset_index(drop=True)
    return cast("pd.DataFrame", rows)


@validate_arguments
def segmentation_means(rows: pd.DataFrame) -> dict[str, float]:
    """Compute the mean segmentation metrics over all targets.

    Args:
        rows: a table from :func:`segmentation_table`.

    Returns:
        ``MeanIoU``, ``MeanPrecision`` and ``MeanRecall``. NaN values are skipped; the mean is NaN
        without any value.

    >>> rows = pd.DataFrame({"IoU": [0.5, 0.7], "Precision": 1.0, "Recall": [0.5, 0.7]})
    >>> segmentation_means(rows)["MeanIoU"]
    0.6
    """
    return {f"Mean{name}": float(rows[name].mean()) for name in OVERLAP_RATES}


@validate_arguments
def panoptic_quality(
    table: OverlapTable, matching: Matching | None = None, uncertain: Bools | None = None
) -> PanopticQuality:
    """Compute panoptic quality, PQ = SQ x RQ (Kirillov et al. 2019).

    Args:
        table: overlap table of T targets and P predictions.
        matching: their matching; by default that of Kirillov et al., pairs with an IoU above 1/2,
            each instance at most once.
        uncertain: (P,) mask of the predictions that are not counted if they are unmatched.

    Returns:
        PQ, its two factors and the counts behind them.

    >>> round(panoptic_quality(OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])).pq, 3)
    0.333
    """
    if matching is None:
        matching = match_one_to_one(table, MatchingMethod.PANOPTIC_SEGMENTATION)
    tp, fp, fn = count_detections(matching, uncertain)
    total_iou = matched_rates(table, matching)[0].sum()
    rq = precision_recall_f1(tp, tp + fn, tp, tp + fp)[2]
    return PanopticQuality(
        pq=ratio(total_iou, tp + (fp + fn) / 2),
        sq=ratio(total_iou, tp),
        rq=rq,
        n_matched=tp,
        n_unmatched_targets=fn,
        n_unmatched_predictions=fp,
    )


class _ClassPairs(NamedTuple):
    """Numbers of points of each occurring pair of a target class and a predicted class."""

    target: Array  #: (n,) class number of the target.
    prediction: Array  #: (n,) class number of the prediction.
    n_points: Array  #: (n,) int64 number of points.


class _Rates(NamedTuple):
    """IoU, precision and recall of a class, in the order of :data:`OVERLAP_RATES`; 0/0 is NaN."""

    iou: float
    precision: float
    recall: float


@validate_arguments
def semantic_segmentation_metrics(
    target: ArrayLike,
    prediction: ArrayLike,
    class_map: Mapping[str, int],
    aggregate_classes: Mapping[str, Sequence[int]] | None = None,
) -> dict[str, float]:
    """Compute the metrics of a classification of points.

    Args:
        target: (N,) integer class of each point in the reference.
        prediction: (N,) integer class of each point in the prediction.
        class_map: numbers of the classes to report, by name.
        aggregate_classes: lists of class numbers to report as one class, by name.

    Returns:
        For each class ``<name>IoU``, ``<name>Precision``, ``<name>Recall``. For each aggregate the
        same keys, and again with the suffix ``Aggregated``. ``MeanIoU``, ``MeanPrecision`` and
        ``MeanRecall`` are means over the classes; with the suffix ``Aggregated`` they are means
        over the aggregates and the classes that belong to none. 0/0 is NaN, and so is a mean that
        includes it.

    Raises:
        InputError: if the classes are not integers, the arrays differ in length, or an aggregate is
            not a list.

    >>> metrics = semantic_segmentation_metrics([0, 0, 1], [0, 1, 1], {"ground": 0, "tree": 1})
    >>> metrics["treeIoU"]
    0.5
    """
    target_labels = validate_labels(target, "target")
    predicted_labels = validate_labels(prediction, "predicted")
    pairs = _count_class_pairs(target_labels, predicted_labels)

    aggregate_rates = {}
    aggregated_numbers: set[int] = set()
    for name, numbers in (aggregate_classes or {}).items():
        if isinstance(numbers, str) or not isinstance(numbers, Iterable):
            raise InputError(
                "metrics.invalid_classes",
                "The classes of aggregate '{name}' must be a list of numbers, not {numbers}.",
                name=name,
                numbers=repr(numbers),
            )
        aggregate_rates[name] = _rates_of(pairs, numbers)
        aggregated_numbers.update(numbers)

    class_rates = {}
    # Rates of the aggregates, and of the classes that belong to none.
    partition_rates = []
    for name, number in class_map.items():
        class_rates[name] = _rates_of(pairs, [number])
        if number not in aggregated_numbers:
            partition_rates.append(class_rates[name])
    partition_rates += aggregate_rates.values()
    return {
        **_flatten(class_rates),
        **_mean_rates(list(class_rates.values())),
        **_flatten(aggregate_rates),
        **_flatten(aggregate_rates, "Aggregated"),
        **_mean_rates(partition_rates, "Aggregated"),
    }


def _count_class_pairs(target: Array, prediction: Array) -> _ClassPairs:
    """Count the points of each pair of classes of two (N,) label arrays."""
    # Every class counts, so the invalid id is a number below all of them.
    lowest = min((int(labels.min()) for labels in (target, prediction) if len(labels)), default=0)
    counts = count_pairs(target, prediction, lowest - 1)
    return _ClassPairs(
        counts.targets.ids[counts.target],
        counts.predictions.ids[counts.prediction],
        counts.n_points,
    )


def _rates_of(pairs: _ClassPairs, classes: Sequence[int]) -> _Rates:
    """Return the rates of several classes, given by number, that are treated as one class.

    Args:
        pairs: numbers of points of each pair of a target and a predicted class.
        classes: numbers of the classes that are treated as one.
    """
    is_target = np.isin(pairs.target, classes)
    is_predicted = np.isin(pairs.prediction, classes)
    n_shared = int(pairs.n_points[is_target & is_predicted].sum())
    n_target = int(pairs.n_points[is_target].sum())
    n_predicted = int(pairs.n_points[is_predicted].sum())
    return _Rates(*overlap_rates(n_shared, n_target, n_predicted))


def _flatten(rates: Mapping[str, _Rates], suffix: str = "") -> dict[str, float]:
    """Return the rates with the keys ``<name><metric><suffix>``."""
    return {
        f"{name}{metric}{suffix}": value
        for name, values in rates.items()
        for metric, value in zip(OVERLAP_RATES, values)
    }


def _mean_rates(rates: list[_Rates], suffix: str = "") -> dict[str, float]:
    """Return the mean rates with the keys ``Mean<metric><suffix>``; NaN without any rates."""
    columns = zip(*rates) if rates else [(np.nan,)] * len(OVERLAP_RATES)
    return {
        f"Mean{metric}{suffix}": float(np.mean(column))
        for metric, column in zip(OVERLAP_RATES, columns)
    }


@validate_arguments
def count_splits(table: OverlapTable, min_share: float = 0.5) -> Ints:
    """Count for each target the predictions that lie mostly inside it.

    A target with two or more of them is split.

    Args:
        table: overlap table of T targets and P predictions.
        min_share: a prediction is counted if more than this share of its size lies in the target.

    Returns:
        (T,) numbers of predictions.

    Raises:
        InputError: unless 0 <= min_share < 1.

    >>> count_splits(OverlapTable.from_labels([0, 0, 0, 0], [0, 0, 1, 1])).tolist()
    [2]
    """
    contained_size = table.prediction_size[table.prediction]
    return _count_contained(table, table.target, contained_size, len(table.target_size), min_share)


@validate_arguments
def count_merges(table: OverlapTable, min_share: float = 0.5) -> Ints:
    """Count for each prediction the targets that lie mostly inside it.

    A prediction with two or more of them merges targets.

    Args:
        table: overlap table of T targets and P predictions.
        min_share: a target is counted if more than this share of its size lies in the prediction.

    Returns:
        (P,) numbers of targets.

    Raises:
        InputError: unless 0 <= min_share < 1.

    >>> count_merges(OverlapTable.from_labels([0, 0, 1, 1], [0, 0, 0, 0])).tolist()
    [2]
    """
    contained_size = table.target_size[table.target]
    n_predictions = len(table.prediction_size)
    return _count_contained(table, table.prediction, contained_size, n_predictions, min_share)


def _count_contained(
    table: OverlapTable, container: Ints, contained_size: Floats, n_containers: int, share: float
) -> Ints:
    """Count per container the instances with more than ``share`` of their size in it.

    Args:
        table: overlap table with n pairs.
        container: (n,) containing instance of each pair.
        contained_size: (n,) size of the other instance of each pair.
        n_containers: number of instances that can contain others.
        share: share of the size that must be exceeded.
    """
    if not 0 <= share < 1:
        raise InputError(
            "metrics.invalid_share",
            "The share must be 0 or more and below 1, not {share:g}.",
            share=share,
        )
    contained_share = table.shared / contained_size
    is_contained = (
        contained_share > share if table.counts_points else exceeds(contained_share, share)
    )
    return np.bincount(container[is_contained], minlength=n_containers).astype(np.int64)
