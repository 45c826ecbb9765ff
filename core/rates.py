"""Shares of counts and of sizes that every topic needs: precision, recall, F1, IoU, Dice, means of what is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from randcrowns.core.arrays import Floats

#: What :func:`overlap_rates` gives, as tables name it.
RATES = ("IoU", "Precision", "Recall")


def ratio(part: Any, whole: Any) -> Any:
    """part / whole of numbers or arrays; NaN where the whole is not above 0.

    >>> ratio(3, 4), ratio(0, 0)
    (0.75, nan)
    """
    if np.ndim(whole) == 0:
        found = part / whole if whole > 0 else part * np.nan
        return found if np.ndim(found) else float(found)
    return np.divide(part, whole, out=np.full(np.broadcast(part, whole).shape, np.nan), where=whole > 0)


def precision_recall_f1(found: Any, targets: Any, right: Any, predictions: Any) -> tuple[Any, Any, Any]:
    """Precision R/P, recall F/T and their harmonic mean F1 = 2·R·F / (R·T + F·P), numbers or arrays; 0/0 is NaN.

    With one prediction per target, F = R = TP, so that F1 = 2·TP / (2·TP + FP + FN).

    Args:
        found: targets found, F.
        targets: all targets, T.
        right: predictions that find a target, R.
        predictions: all predictions, P.

    >>> precision_recall_f1(3, 4, 3, 6)
    (0.5, 0.75, 0.6)
    """
    both = right * targets + found * predictions
    nothing = np.where(np.asarray(targets) + predictions > 0, 0.0, np.nan)
    f1 = np.divide(2 * right * found, both, out=nothing, where=np.asarray(both) > 0)
    return ratio(right, predictions), ratio(found, targets), f1 if f1.ndim else float(f1)


def overlap_rates(shared: Any, target: Any, prediction: Any) -> tuple[Any, Any, Any]:
    """IoU, precision and recall from the sizes of what two share, of the target, and of the prediction; 0/0 is NaN.

    >>> overlap_rates(2, 4, 4)
    (0.3333333333333333, 0.5, 0.5)
    """
    return ratio(shared, target + prediction - shared), ratio(shared, prediction), ratio(shared, target)


def iou_of(shared: Floats, one: Floats, other: Floats) -> Floats:
    """Intersection over union of two sizes and what they share, in the precision of these; one of them is above 0."""
    return shared / (one + other - shared)


def dice(shared: Floats, one: Floats, other: Floats) -> Floats:
    """Dice overlap, the F1 of two sets, 2·shared / (one + other); 1 where both are empty.

    >>> dice(np.array([1.0, 0.0]), np.array([2.0, 0.0]), np.array([2.0, 0.0])).tolist()
    [0.5, 1.0]
    """
    both = one + other
    return np.divide(2 * shared, both, out=np.ones(np.shape(shared)), where=both > 0)


def known_mean(values: Floats, axis: int | None = None) -> Any:
    """Mean of the values that are numbers; NaN where there are none.

    >>> known_mean(np.array([1.0, np.nan, 2.0]))
    1.5
    """
    return ratio(np.nansum(values, axis=axis), np.count_nonzero(~np.isnan(values), axis=axis))
