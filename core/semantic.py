"""How well points are classified: IoU, precision and recall of each class, and of classes taken together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.errors import InputError
from randcrowns.core.label_counts import count_pairs, label_array

__all__ = ["semantic_segmentation_metrics"]

_METRICS = ("IoU", "Precision", "Recall")


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
        InputError: for classes that are no integers, unlike lengths, or an aggregate that is no list.
    """
    truth, guess = label_array(target, "target"), label_array(prediction, "predicted")
    if len(truth) != len(guess):
        raise InputError(f"There are {len(truth)} target classes but {len(guess)} predicted ones.")
    pairs = _counted(truth, guess)
    aggregates = aggregate_classes or {}
    for name, numbers in aggregates.items():
        if isinstance(numbers, str) or not isinstance(numbers, Iterable):
            raise InputError(f"The classes of aggregate '{name}' must be a list of numbers, not {numbers!r}.")
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


def _counted(truth: np.ndarray, guess: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes and number of points of every pair of classes that occurs."""
    lowest = min((int(classes.min()) for classes in (truth, guess) if len(classes)), default=0)
    counts = count_pairs(truth, guess, lowest - 1)
    return counts.targets.ids[counts.target], counts.predictions.ids[counts.prediction], counts.shared


def _shares(pairs: tuple[np.ndarray, np.ndarray, np.ndarray], classes: Sequence[int]) -> tuple[float, float, float]:
    """IoU, precision and recall of some classes taken as one."""
    truth, guess, number = pairs
    is_target, is_predicted = np.isin(truth, classes), np.isin(guess, classes)
    both = int(number[is_target & is_predicted].sum())
    n_target, n_predicted = int(number[is_target].sum()), int(number[is_predicted].sum())
    wholes = n_target + n_predicted - both, n_predicted, n_target
    iou, precision, recall = (both / whole if whole else np.nan for whole in wholes)
    return iou, precision, recall


def _named(shares: Mapping[str, tuple[float, float, float]], suffix: str = "") -> dict[str, float]:
    return {
        f"{name}{metric}{suffix}": value for name, values in shares.items() for metric, value in zip(_METRICS, values)
    }


def _means(shares: list[tuple[float, float, float]], suffix: str = "") -> dict[str, float]:
    columns = zip(*shares) if shares else [(np.nan,)] * len(_METRICS)
    return {f"Mean{metric}{suffix}": float(np.mean(column)) for metric, column in zip(_METRICS, columns)}
