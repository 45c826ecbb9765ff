"""Metrics of classes, per class and overall, from crowns that were matched by geometry.

The overall metrics are those of scikit-learn: accuracy, balanced accuracy, F1 (macro and weighted),
Cohen's kappa (1960) and Matthews' correlation for several classes (Gorodkin 2004). Producer's and
user's accuracy are those of remote sensing (Congalton 1991).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints, as_float_array
from randcrowns.core.classes.confusion import MatchedClasses
from randcrowns.core.classes.values import rows_of_classes
from randcrowns.core.errors import InputError
from randcrowns.core.messages import TranslatableText
from randcrowns.core.statistics import (
    MIN_PLOTS,
    MIN_UNITS,
    jackknife_interval,
    mean_interval,
    plot_codes,
    precision_recall_f1,
    ratio,
    ratio_interval,
)
from randcrowns.core.validation import validate_arguments

#: Names of the overall metrics, in order.
OVERALL_METRICS = (
    "accuracy",
    "balanced_accuracy",
    "f1_macro",
    "f1_weighted",
    "cohen_kappa",
    "matthews_corrcoef",
)
#: Metrics from -1 to 1; all others are from 0 to 1.
_SIGNED_METRICS = ("cohen_kappa", "matthews_corrcoef")
#: Maximum number of values in a stack of confusion matrices.
_MAX_STACK = 1 << 22


class UnitMatrices(NamedTuple):
    """Confusion matrices of the units that are left out of an interval one at a time."""

    #: (c,) unit of each cell with pairs.
    unit: Ints
    #: (c,) row of the cell, as the reference class.
    row: Ints
    #: (c,) column of the cell, as the predicted class.
    column: Ints
    #: (c,) number of pairs in the cell.
    n_pairs: Ints
    #: (u,) number of units that are equal to each unit, itself included.
    n_equal: Floats
    #: Minimum number of units for an interval.
    minimum: int


@validate_arguments
def overall_metrics(matched: MatchedClasses, plots: ArrayLike | None = None) -> pd.DataFrame:
    """Compute the metrics over all classes, among matched crowns whose classes are known.

    Args:
        matched: matched crowns with their classes.
        plots: (T,) plot of each reference crown, or None. The intervals leave out one plot at a
            time, or without several plots one pair of crowns.

    Returns:
        A row per metric of :data:`OVERALL_METRICS` (index ``metric``) with ``value``, ``low`` and
        ``high`` (95 % interval), and ``reason``: why the value is NaN, or "".

    Raises:
        InputError: if there is not one plot per reference crown.

    >>> from randcrowns.core.classes.confusion import match_classes
    >>> from randcrowns.core.instances.matching import Matching
    >>> matching = Matching(np.arange(4), np.arange(4), np.zeros(4))
    >>> predicted = ["oak", "oak", "oak", "ash"]
    >>> matched = match_classes(["oak", "oak", "ash", "ash"], predicted, matching)
    >>> overall_metrics(matched)["value"].round(3).tolist()
    [0.75, 0.75, 0.733, 0.733, 0.5, 0.577]
    """
    n_classes = len(matched.labels)
    matrix = matched.confusion[:n_classes, :n_classes]
    values = metrics_of_matrices(matrix[None].astype(float))[0]
    units = _unit_matrices(matched, plots)
    low, high = _overall_intervals(matrix, values, units)
    return cast(
        "pd.DataFrame",
        pd.DataFrame(
            {
                "value": values,
                "low": low,
                "high": high,
                "reason": [_undefined_reason(matrix, value) for value in values],
            },
            index=pd.Index(OVERALL_METRICS, name="metric"),
        ),
    )


def metrics_of_matrices(matrices: Floats) -> Floats:
    """Compute the metrics of stacked confusion matrices.

    Args:
        matrices: (s, K, K) numbers of pairs; rows are reference classes, columns are predictions.

    Returns:
        (s, 6) metrics in the order of :data:`OVERALL_METRICS`; NaN for 0/0.

    >>> metrics_of_matrices(np.array([[[2.0, 0.0], [1.0, 1.0]]])).round(3)[0, :2].tolist()
    [0.75, 0.75]
    """
    total = matrices.sum(axis=(1, 2))
    right = np.trace(matrices, axis1=1, axis2=2)
    correct = np.diagonal(matrices, axis1=1, axis2=2)
    rows = matrices.sum(axis=2)
    columns = matrices.sum(axis=1)
    recall = np.where(rows > 0, ratio(correct, rows), 0.0)
    f1 = np.where(rows + columns > 0, ratio(2 * correct, rows + columns), 0.0)
    chance = (rows * columns).sum(axis=1)
    spread = (total**2 - (rows**2).sum(axis=1)) * (total**2 - (columns**2).sum(axis=1))
    return np.stack(
        [
            ratio(right, total),
            ratio(recall.sum(axis=1), np.count_nonzero(rows, axis=1)),
            ratio(f1.sum(axis=1), np.count_nonzero(rows + columns, axis=1)),
            ratio((f1 * rows).sum(axis=1), total),
            ratio(right * total - chance, total**2 - chance),
            ratio(right * total - chance, np.sqrt(spread)),
        ],
        axis=1,
    )


def _unit_matrices(matched: MatchedClasses, plots: ArrayLike | None) -> UnitMatrices:
    """Return the confusion matrices of plots, or of single pairs without several plots."""
    n_classes = len(matched.labels)
    judged = np.flatnonzero(matched.is_judged)
    cell = matched.reference[judged] * n_classes + matched.predicted_at[judged]
    codes = plot_codes(_side_plots(plots, len(matched.reference)))
    if codes is None:
        cells, counts = np.unique(cell, return_counts=True)
        ones = np.ones(len(cells), dtype=np.int64)
        unit = np.arange(len(cells))
        n_equal = counts.astype(float)
        return UnitMatrices(
            unit=unit,
            row=cells // max(n_classes, 1),
            column=cells % max(n_classes, 1),
            n_pairs=ones,
            n_equal=n_equal,
            minimum=MIN_UNITS,
        )
    _, unit = np.unique(codes[judged], return_inverse=True)
    keys, counts = np.unique(unit * n_classes**2 + cell, return_counts=True)
    cells = keys % max(n_classes**2, 1)
    return UnitMatrices(
        unit=keys // max(n_classes**2, 1),
        row=cells // max(n_classes, 1),
        column=cells % max(n_classes, 1),
        n_pairs=counts,
        n_equal=np.ones(int(unit.max(initial=-1)) + 1),
        minimum=MIN_PLOTS,
    )


def _side_plots(plots: ArrayLike | None, n: int) -> Array | None:
    """Return the plots (n,) of one side, or None. Raise InputError for another number of plots."""
    if plots is None:
        return None
    array = np.asarray(plots, dtype=object)
    if array.shape != (n,):
        raise InputError(
            "classes.wrong_plot_count",
            "There are {crowns} crowns but {plots} plots; give one plot per crown, or None.",
            crowns=n,
            plots=array.size,
        )
    return array


def _overall_intervals(matrix: Ints, values: Floats, units: UnitMatrices) -> tuple[Floats, Floats]:
    """Return the ends (6,), (6,) of the intervals of the overall metrics.

    Args:
        matrix: (K, K) confusion matrix of all units.
        values: (6,) metrics of the matrix.
        units: confusion matrices of the units.
    """
    n_units = len(units.n_equal)
    undefined = np.full(len(values), np.nan)
    if units.n_equal.sum() < units.minimum:
        return undefined, undefined.copy()
    size = np.bincount(units.unit, units.n_pairs, n_units).astype(float)
    n_at_once = max(_MAX_STACK // matrix.size, 1)
    parts = []
    for first in range(0, n_units, n_at_once):
        last = min(first + n_at_once, n_units)
        stack = np.repeat(matrix[None].astype(float), last - first, axis=0)
        inside = (units.unit >= first) & (units.unit < last)
        place = (units.unit[inside] - first, units.row[inside], units.column[inside])
        np.subtract.at(stack, place, units.n_pairs[inside])
        parts.append(metrics_of_matrices(stack))
    # Signed metrics are scaled to 0 … 1 for the logit.
    signed = np.isin(OVERALL_METRICS, _SIGNED_METRICS)
    offset = np.where(signed, 1.0, 0.0)
    width = np.where(signed, 2.0, 1.0)
    low, high = jackknife_interval(
        (values + offset) / width,
        (np.concatenate(parts) + offset) / width,
        size,
        units.n_equal,
        units.minimum,
    )
    return low * width - offset, high * width - offset


def _undefined_reason(matrix: Ints, value: float) -> str:
    """Return the reason why an overall metric is NaN; "" for a number."""
    if not np.isnan(value):
        return ""
    if not matrix.sum():
        return TranslatableText("no matched crowns with a class on both sides")
    return TranslatableText("all reference crowns, or all predictions, have the same class")


@validate_arguments
def classification_report(
    matched: MatchedClasses,
    plots: tuple[ArrayLike | None, ArrayLike | None] = (None, None),
    scores: Mapping[str, ArrayLike] | None = None,
) -> pd.DataFrame:
    """Compute the metrics of each class.

    Args:
        matched: matched crowns with their classes.
        plots: (T,) plots of the reference crowns and (P,) plots of the predictions. The intervals
            leave out one plot at a time, or without several plots one crown.
        scores: (T,) scores of the reference crowns by name, such as ``randcrowns``; NaN for crowns
            without a score.

    Returns:
        A row per class (index ``class``):

        - ``reference``, ``predicted``: numbers of crowns;
        - ``found``: matched reference crowns; ``correct``: those with a prediction of their class;
        - ``correct_predictions``: predictions whose reference crown has their class;
        - ``detection_recall`` = found / reference;
        - ``producer_accuracy`` = correct / reference;
        - ``user_accuracy`` = correct_predictions / predicted; ``f1`` of the two accuracies;
        - ``matched_precision``, ``matched_recall``, ``matched_f1``: of the class among matched
          crowns whose classes are known;
        - ``<score>_mean``: mean score of the reference crowns.

        The rates, F1 excepted, and the mean scores have 95 % intervals in ``_low`` and ``_high``;
        0/0 is NaN.

    Raises:
        InputError: if there is not one plot or score per crown.

    >>> from randcrowns.core.classes.confusion import match_classes
    >>> from randcrowns.core.instances.matching import Matching
    >>> matching = Matching(np.array([0, 1, -1]), np.array([0, 1]), np.zeros(3))
    >>> matched = match_classes(["oak", "ash", "oak"], ["oak", "oak"], matching)
    >>> report = classification_report(matched)
    >>> report.loc["oak", ["producer_accuracy", "user_accuracy", "f1"]].tolist()
    [0.5, 0.5, 0.5]
    """
    n_classes = len(matched.labels)
    score_values = {
        name: _read_scores(values, name, len(matched.reference))
        for name, values in (scores or {}).items()
    }
    reference_plots = plot_codes(_side_plots(plots[0], len(matched.reference)))
    predicted_plots = plot_codes(_side_plots(plots[1], len(matched.predicted)))
    is_found = matched.predicted_at <= n_classes
    is_correct = matched.predicted_at == matched.reference
    is_right = matched.reference_at == matched.predicted
    judged = matched.is_judged

    reference_rows = rows_of_classes(matched.reference, n_classes)
    predicted_rows = rows_of_classes(matched.predicted, n_classes)
    judged_rows = rows_of_classes(np.where(judged, matched.predicted_at, n_classes), n_classes)
    report = []
    for code in range(n_classes):
        rows = reference_rows[code]
        predictions = predicted_rows[code]
        matched_rows = rows[judged[rows]]
        claimed = judged_rows[code]
        row: dict[str, Any] = {
            "reference": len(rows),
            "predicted": len(predictions),
            "found": int(is_found[rows].sum()),
            "correct": int(is_correct[rows].sum()),
            "correct_predictions": int(is_right[predictions].sum()),
        }
        row |= _estimate_share("detection_recall", is_found, rows, reference_plots)
        row |= _estimate_share("producer_accuracy", is_correct, rows, reference_plots)
        row |= _estimate_share("user_accuracy", is_right, predictions, predicted_plots)
        row["f1"] = precision_recall_f1(
            row["correct"], len(rows), row["correct_predictions"], len(predictions)
        )[2]
        row |= _estimate_share("matched_precision", is_correct, claimed, reference_plots)
        row |= _estimate_share("matched_recall", is_correct, matched_rows, reference_plots)
        row["matched_f1"] = precision_recall_f1(
            row["correct"], len(matched_rows), row["correct"], len(claimed)
        )[2]
        for name, values in score_values.items():
            row |= _estimate_mean(name, values, rows, reference_plots)
        report.append(row)
    return cast("pd.DataFrame", pd.DataFrame(report, index=pd.Index(matched.labels, name="class")))


def _read_scores(values: ArrayLike, name: str, n: int) -> Floats:
    """Return scores (n,) as floats; raise InputError for another number of scores.

    Args:
        values: (n,) scores.
        name: name of the score, for the error.
        n: number of crowns.
    """
    scores = as_float_array(values, f"The list of scores '{name}'")
    if scores.shape != (n,):
        raise InputError(
            "classes.wrong_score_count",
            "There are {crowns} crowns but {scores} scores '{name}'; give one score per crown.",
            crowns=n,
            scores=scores.size,
            name=name,
        )
    return scores


def _estimate_share(name: str, is_part: Bools, rows: Ints, plots: Ints | None) -> dict[str, float]:
    """Return the share of rows in a mask (n,), with the ends of its interval, by name.

    Args:
        name: name of the share.
        is_part: mask of all crowns.
        rows: (n,) crowns of which the share is computed.
        plots: plot of each of all crowns; None without plots.
    """
    part = is_part[rows].astype(float)
    low, high = ratio_interval(part, np.ones(len(rows)), None if plots is None else plots[rows])
    return {
        name: ratio(float(part.sum()), float(len(rows))),
        f"{name}_low": float(low),
        f"{name}_high": float(high),
    }


def _estimate_mean(name: str, scores: Floats, rows: Ints, plots: Ints | None) -> dict[str, float]:
    """Return the mean score of rows, with the ends of its interval, by name.

    Args:
        name: name of the score.
        scores: score of each of all crowns; NaN without one.
        rows: (n,) crowns whose scores are averaged.
        plots: plot of each of all crowns; None without plots.
    """
    scored = rows[~np.isnan(scores[rows])]
    values = scores[scored]
    low, high = mean_interval(values, None if plots is None else plots[scored])
    return {
        f"{name}_mean": float(values.mean()) if len(values) else np.nan,
        f"{name}_low": low,
        f"{name}_high": high,
    }
