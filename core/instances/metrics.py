"""Were the trees found, and how well were they cut out? Metrics of matched instances, from the overlap table.

Detection and segmentation metrics follow pointtree's documentation, panoptic quality Kirillov et al. 2019.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.instances.matching import NONE, Matching, Method, match_once
from randcrowns.core.instances.overlap import OverlapTable, count_pairs, label_array
from randcrowns.core.statistics import RATES, overlap_rates, precision_recall_f1, ratio


class Detection(NamedTuple):
    """How many instances were found.

    Attributes:
        tp: targets that have a prediction.
        fp: predictions without a target, but for the uncertain ones.
        fn: targets without a prediction.
    """

    tp: int
    fp: int
    fn: int


class PanopticQuality(NamedTuple):
    """How well two sets of instances agree.

    Attributes:
        pq: SQ x RQ; NaN when neither set has an instance.
        sq: segmentation quality, mean IoU of the matched pairs; NaN without a match.
        rq: recognition quality, the F1 score: matched / (matched + half of those left over on either side).
        matched: targets that have a prediction.
        only_target, only_prediction: instances left over on either side, without uncertain ones.
    """

    pq: float
    sq: float
    rq: float
    matched: int
    only_target: int
    only_prediction: int


@as_declared
def detection(matching: Matching, uncertain: Bools | None = None) -> Detection:
    """Count what was found; ``uncertain`` (P,) marks predictions that are no mistake when they have no target.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> detection(match_once(table, "for_ai_net"))
    Detection(tp=2, fp=0, fn=0)
    """
    wrong = matching.target == NONE
    if uncertain is not None:
        wrong &= ~uncertain
    found = matching.prediction != NONE
    return Detection(int(found.sum()), int(wrong.sum()), int((~found).sum()))


@as_declared
def detection_metrics(counts: Detection) -> dict[str, float]:
    """TP, FP, FN, Precision, CommissionError, Recall, OmissionError and F1Score; 0/0 is NaN.

    >>> detection_metrics(Detection(tp=3, fp=1, fn=2))["Recall"]
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


def matched_shares(table: OverlapTable, matching: Matching) -> tuple[Floats, Floats, Floats]:
    """(T,) IoU, precision and recall of each target with its prediction; without one 0, NaN and 0."""
    found = matching.prediction != NONE
    size = np.zeros(len(found))
    size[found] = table.prediction_size[matching.prediction[found]]
    return overlap_rates(matching.shared, table.target_size, size)


@as_declared
def segmentation_table(
    table: OverlapTable,
    matching: Matching,
    target_ids: Ints,
    prediction_ids: Ints,
    include_unmatched: bool = True,
) -> pd.DataFrame:
    """A row per target: TargetID, PredictionID, IoU, Precision, Recall.

    Args:
        target_ids: (T,) what to call each target.
        prediction_ids: (T,) what to call the prediction of each target.
        include_unmatched: whether targets without a prediction have a row.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> rows = segmentation_table(table, match_once(table, "for_ai_net"), np.array([0, 1]), np.array([0, 1]))
    >>> rows["Recall"].round(3).tolist()
    [0.667, 1.0]
    """
    rates = dict(zip(RATES, matched_shares(table, matching)))
    rows = pd.DataFrame({"TargetID": target_ids, "PredictionID": prediction_ids, **rates})
    if include_unmatched:
        return cast("pd.DataFrame", rows)
    return cast("pd.DataFrame", rows[matching.prediction != NONE].reset_index(drop=True))


@as_declared
def segmentation_means(rows: pd.DataFrame) -> dict[str, float]:
    """MeanIoU, MeanPrecision and MeanRecall of a table from :func:`segmentation_table`; NaN are skipped.

    >>> segmentation_means(pd.DataFrame({"IoU": [0.5, 0.7], "Precision": 1.0, "Recall": [0.5, 0.7]}))["MeanIoU"]
    0.6
    """
    return {f"Mean{name}": float(rows[name].mean()) for name in RATES}


@as_declared
def panoptic_quality(
    table: OverlapTable, matching: Matching | None = None, uncertain: Bools | None = None
) -> PanopticQuality:
    """Panoptic quality, PQ = SQ x RQ, of a matching.

    Args:
        matching: who belongs to whom; without one that of the source, IoU above 1/2, each instance once.
        uncertain: (P,) predictions that are no mistake.

    >>> round(panoptic_quality(OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])).pq, 3)
    0.333
    """
    if matching is None:
        matching = match_once(table, Method.PANOPTIC_SEGMENTATION)
    tp, fp, fn = detection(matching, uncertain)
    iou = matched_shares(table, matching)[0].sum()
    rq = precision_recall_f1(tp, tp + fn, tp, tp + fp)[2]
    return PanopticQuality(ratio(iou, tp + (fp + fn) / 2), ratio(iou, tp), rq, tp, fn, fp)


@as_declared
def semantic_segmentation_metrics(
    target: ArrayLike,
    prediction: ArrayLike,
    class_map: Mapping[str, int],
    aggregate_classes: Mapping[str, Sequence[int]] | None = None,
) -> dict[str, float]:
    """Metrics of a classification of points.

    Args:
        target, prediction: (N,) integer class of each point.
        class_map: number of each class to report, by name.
        aggregate_classes: by name, the numbers of classes to report as one.

    Returns:
        For each class ``<name>IoU``, ``<name>Precision``, ``<name>Recall``; for each aggregate the same, and again as
        ``<name>IoUAggregated``, ``<name>PrecisionAggregated``, ``<name>RecallAggregated``; ``MeanIoU``,
        ``MeanPrecision``, ``MeanRecall`` over the classes; and ``MeanIoUAggregated``, … over the aggregates and the
        classes that are in none. 0/0 is NaN, and so is a mean over it.

    Raises:
        InputError: for classes that are no integers, different lengths, or an aggregate that is no list.

    >>> semantic_segmentation_metrics([0, 0, 1], [0, 1, 1], {"ground": 0, "tree": 1})["treeIoU"]
    0.5
    """
    truth, guess = label_array(target, "target"), label_array(prediction, "predicted")
    lowest = min((int(classes.min()) for classes in (truth, guess) if len(classes)), default=0)
    counts = count_pairs(truth, guess, lowest - 1)
    pairs = (
        counts.targets.ids[counts.target],
        counts.predictions.ids[counts.prediction],
        counts.shared,
    )
    aggregates = aggregate_classes or {}
    for name, numbers in aggregates.items():
        if isinstance(numbers, str) or not isinstance(numbers, Iterable):
            said = "The classes of aggregate '{name}' must be a list of numbers, not {numbers}."
            raise InputError(said, name=name, numbers=repr(numbers))
    aggregated = {number for numbers in aggregates.values() for number in numbers}
    per_class = {name: _shares(pairs, [number]) for name, number in class_map.items()}
    per_aggregate = {name: _shares(pairs, numbers) for name, numbers in aggregates.items()}
    apart = [per_class[name] for name, number in class_map.items() if number not in aggregated]
    return {
        **_named(per_class),
        **_means(list(per_class.values())),
        **_named(per_aggregate),
        **_named(per_aggregate, "Aggregated"),
        **_means(apart + list(per_aggregate.values()), "Aggregated"),
    }


def _shares(
    pairs: tuple[Array, Array, Array], classes: Sequence[int]
) -> tuple[float, float, float]:
    """IoU, precision and recall of some classes taken as one, from the number of points of every pair of classes."""
    truth, guess, number = pairs
    is_target, is_predicted = np.isin(truth, classes), np.isin(guess, classes)
    both = int(number[is_target & is_predicted].sum())
    n_target, n_predicted = int(number[is_target].sum()), int(number[is_predicted].sum())
    return overlap_rates(both, n_target, n_predicted)


def _named(shares: Mapping[str, tuple[float, float, float]], suffix: str = "") -> dict[str, float]:
    return {
        f"{name}{metric}{suffix}": value
        for name, values in shares.items()
        for metric, value in zip(RATES, values)
    }


def _means(shares: list[tuple[float, float, float]], suffix: str = "") -> dict[str, float]:
    columns = zip(*shares) if shares else [(np.nan,)] * len(RATES)
    return {
        f"Mean{metric}{suffix}": float(np.mean(column)) for metric, column in zip(RATES, columns)
    }


@as_declared
def splits(table: OverlapTable, share: float = 0.5) -> Ints:
    """(T,) number of predictions that lie for more than ``share`` of their size in each target; 2 or more is a split.

    Raises:
        InputError: unless 0 <= share < 1.

    >>> splits(OverlapTable.from_labels([0, 0, 0, 0], [0, 0, 1, 1])).tolist()
    [2]
    """
    return _held(
        table, table.target, table.prediction_size[table.prediction], len(table.target_size), share
    )


@as_declared
def merges(table: OverlapTable, share: float = 0.5) -> Ints:
    """(P,) number of targets that lie for more than ``share`` of their size in each prediction; 2 or more is a merge.

    Raises:
        InputError: unless 0 <= share < 1.

    >>> merges(OverlapTable.from_labels([0, 0, 1, 1], [0, 0, 0, 0])).tolist()
    [2]
    """
    return _held(
        table, table.prediction, table.target_size[table.target], len(table.prediction_size), share
    )


def _held(table: OverlapTable, holder: Ints, size: Floats, n: int, share: float) -> Ints:
    if not 0 <= share < 1:
        raise InputError("The share must be 0 or more and below 1, not {share:g}.", share=share)
    return np.bincount(holder[table.shared > share * size], minlength=n).astype(np.int64)
