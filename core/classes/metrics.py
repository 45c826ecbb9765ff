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
    single_matrix = matrix[np.newaxis].astype(float)
    values = metrics_of_matrices(single_matrix)[0]
    units = _unit_matrices(matched, plots)
    low, high = _overall_intervals(matrix, values, units)
    columns = {
        "value": values,
        "low": low,
        "high": high,
        "reason": [_undefined_reason(matrix, value) for value in values],
    }
    index = pd.Index(OVERALL_METRICS, name="metric")
    return cast("pd.DataFrame", pd.DataFrame(columns, index=index))


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
    n_right = np.trace(matrices, axis1=1, axis2=2)
    # (s, K) numbers of each class.
    n_correct = np.diagonal(matrices, axis1=1, axis2=2)
    n_reference = matrices.sum(axis=2)
    n_predicted = matrices.sum(axis=1)
    n_both = n_reference + n_predicted
    recall = np.where(n_reference > 0, ratio(n_correct, n_reference), 0.0)
    f1 = np.where(n_both > 0, ratio(2 * n_correct, n_both), 0.0)

    # Both correlations compare the agreement with the one that is expected by chance.
    chance = (n_reference * n_predicted).sum(axis=1)
    excess = n_right * total - chance
    reference_spread = total**2 - (n_reference**2).sum(axis=1)
    predicted_spread = total**2 - (n_predicted**2).sum(axis=1)

    accuracy = ratio(n_right, total)
    balanced_accuracy = ratio(recall.sum(axis=1), np.count_nonzero(n_reference, axis=1))
    f1_macro = ratio(f1.sum(axis=1), np.count_nonzero(n_both, axis=1))
    f1_weighted = ratio((f1 * n_reference).sum(axis=1), total)
    cohen_kappa = ratio(excess, total**2 - chance)
    matthews_corrcoef = ratio(excess, np.sqrt(reference_spread * predicted_spread))
    return np.stack(
        [accuracy, balanced_accuracy, f1_macro, f1_weighted, cohen_kappa, matthews_corrcoef],
        axis=1,
    )


def _unit_matrices(matched: MatchedClasses, plots: ArrayLike | None) -> UnitMatrices:
    """Return the confusion matrices of plots, or of single pairs without several plots.

    Args:
        matched: matched crowns with K classes.
        plots: (T,) plot of each reference crown, or None.

    Raises:
        InputError: if there is not one plot per reference crown.
    """
    # No class is divided by 0: without classes there are no cells.
    n_classes = max(len(matched.labels), 1)
    judged_rows = np.flatnonzero(matched.is_judged)
    cell_of_pair = matched.reference[judged_rows] * n_classes + matched.predicted_at[judged_rows]
    plot_of_crown = plot_codes(_side_plots(plots, len(matched.reference)))
    if plot_of_crown is None:
        # All pairs in a cell are equal units, of which one stands for the others.
        cells, cell_counts = np.unique(cell_of_pair, return_counts=True)
        rows, columns = np.divmod(cells, n_classes)
        return UnitMatrices(
            unit=np.arange(len(cells)),
            row=rows,
            column=columns,
            n_pairs=np.ones(len(cells), dtype=np.int64),
            n_equal=cell_counts.astype(float),
            minimum=MIN_UNITS,
        )
    plot_numbers, unit_of_pair = np.unique(plot_of_crown[judged_rows], return_inverse=True)
    keys, pair_counts = np.unique(unit_of_pair * n_classes**2 + cell_of_pair, return_counts=True)
    units, cells = np.divmod(keys, n_classes**2)
    rows, columns = np.divmod(cells, n_classes)
    return UnitMatrices(
        unit=units,
        row=rows,
        column=columns,
        n_pairs=pair_counts,
        n_equal=np.ones(len(plot_numbers)),
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
    if units.n_equal.sum() < units.minimum:
        return np.full(len(values), np.nan), np.full(len(values), np.nan)
    metrics_without_unit = _metrics_without_units(matrix, units)
    unit_sizes = np.bincount(units.unit, units.n_pairs, n_units).astype(float)
    # Signed metrics are scaled to 0 … 1 for the logit.
    is_signed = np.isin(OVERALL_METRICS, _SIGNED_METRICS)
    offset = np.where(is_signed, 1.0, 0.0)
    width = np.where(is_signed, 2.0, 1.0)
    low, high = jackknife_interval(
        (values + offset) / width,
        (metrics_without_unit + offset) / width,
        unit_sizes,
        units.n_equal,
        units.minimum,
    )
    return low * width - offset, high * width - offset


def _metrics_without_units(matrix: Ints, units: UnitMatrices) -> Floats:
    """Return the overall metrics (u, 6) of a confusion matrix without each of u units.

    Args:
        matrix: (K, K) confusion matrix of all units.
        units: confusion matrices of the units, at least one.
    """
    n_units = len(units.n_equal)
    # A stack of matrices of all units may not fit into the memory.
    n_at_once = max(_MAX_STACK // matrix.size, 1)
    metrics = []
    for first in range(0, n_units, n_at_once):
        last = min(first + n_at_once, n_units)
        stack = np.repeat(matrix[np.newaxis].astype(float), last - first, axis=0)
        is_inside = (units.unit >= first) & (units.unit < last)
        places = (units.unit[is_inside] - first, units.row[is_inside], units.column[is_inside])
        np.subtract.at(stack, places, units.n_pairs[is_inside])
        metrics.append(metrics_of_matrices(stack))
    return np.concatenate(metrics)


def _undefined_reason(matrix: Ints, value: float) -> str:
    """Return the reason why an overall metric is NaN; "" for a number."""
    if not np.isnan(value):
        return ""
    if not matrix.sum():
        return TranslatableText("no matched crowns with a class on both sides")
    return TranslatableText("all targets, or all predictions, have the same class")


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
    n_reference = len(matched.reference)
    score_values = {}
    for name, values in (scores or {}).items():
        score_values[name] = _read_scores(values, name, n_reference)
    reference_plots = plot_codes(_side_plots(plots[0], n_reference))
    predicted_plots = plot_codes(_side_plots(plots[1], len(matched.predicted)))
    # Masks of the reference crowns, and one of the predictions.
    is_found = matched.predicted_at <= n_classes
    is_judged = matched.is_judged
    is_correct = matched.predicted_at == matched.reference
    is_correct_prediction = matched.reference_at == matched.predicted
    judged_classes = np.where(is_judged, matched.predicted_at, n_classes)

    # For each class its reference crowns, its predictions, and the judged reference crowns whose
    # prediction is of this class.
    reference_rows = rows_of_classes(matched.reference, n_classes)
    predicted_rows = rows_of_classes(matched.predicted, n_classes)
    judged_rows = rows_of_classes(judged_classes, n_classes)
    report = []
    for targets, predictions, claimed in zip(reference_rows, predicted_rows, judged_rows):
        judged_targets = targets[is_judged[targets]]
        n_correct = int(is_correct[targets].sum())
        n_correct_predictions = int(is_correct_prediction[predictions].sum())
        row: dict[str, Any] = {
            "reference": len(targets),
            "predicted": len(predictions),
            "found": int(is_found[targets].sum()),
            "correct": n_correct,
            "correct_predictions": n_correct_predictions,
        }
        row |= _estimate_share("detection_recall", is_found, targets, reference_plots)
        row |= _estimate_share("producer_accuracy", is_correct, targets, reference_plots)
        row |= _estimate_share("user_accuracy", is_correct_prediction, predictions, predicted_plots)
        _, _, row["f1"] = precision_recall_f1(
            n_correct, len(targets), n_correct_predictions, len(predictions)
        )
        row |= _estimate_share("matched_precision", is_correct, claimed, reference_plots)
        row |= _estimate_share("matched_recall", is_correct, judged_targets, reference_plots)
        _, _, row["matched_f1"] = precision_recall_f1(
            n_correct, len(judged_targets), n_correct, len(claimed)
        )
        for name, values in score_values.items():
            row |= _estimate_mean(name, values, targets, reference_plots)
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
    plots_of_rows = None if plots is None else plots[rows]
    low, high = ratio_interval(part, np.ones(len(rows)), plots_of_rows)
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
    scored_rows = rows[~np.isnan(scores[rows])]
    scores_of_rows = scores[scored_rows]
    plots_of_rows = None if plots is None else plots[scored_rows]
    low, high = mean_interval(scores_of_rows, plots_of_rows)
    mean = float(scores_of_rows.mean()) if len(scores_of_rows) else np.nan
    return {f"{name}_mean": mean, f"{name}_low": low, f"{name}_high": high}
