"""Summary of an instance evaluation for the whole dataset and per plot, with intervals.

Intervals leave out one plot at a time, with all of its instances, because the instances of a plot
are similar (jackknife). With a single plot, one instance is left out at a time; the summary records
which of the two was done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import (
    Array,
    Bools,
    Floats,
    Ints,
    Objects,
    first_rows,
    number_with_interval_text,
)
from randcrowns.core.crowns import Crowns, label_plots
from randcrowns.core.errors import InputError
from randcrowns.core.instances.matching import NO_MATCH, Matching
from randcrowns.core.instances.metrics import count_merges, count_splits, matched_rates
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.messages import Message, TranslatableText, info
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.core.statistics import plot_codes, ratio, ratio_interval
from randcrowns.core.status import ALL_PLOTS
from randcrowns.core.validation import validate_arguments

#: Metrics with an interval, whose ends are in the columns ``<name>_low`` and ``<name>_high``.
INTERVAL_METRICS = ("precision", "recall", "f1", "pq", "mean_iou")

#: Metrics that depend on the number of false positives.
FALSE_POSITIVE_METRICS = ("precision", "f1", "pq", "rq")


@validate_arguments
def summarise_instances(
    table: OverlapTable,
    detection: Matching,
    segmentation: Matching,
    *,
    target_plots: Sequence[Any] | None = None,
    prediction_plots: Sequence[Any] | None = None,
    uncertain: Bools | None = None,
    all_drawn: bool = True,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Summarise an instance evaluation in one row for all instances and one row per plot.

    Args:
        table: overlap table of T targets and P predictions.
        detection: matching for the detection metrics.
        segmentation: matching for the segmentation metrics.
        target_plots: (T,) plot of each target; by default all instances are in one plot.
        prediction_plots: (P,) plot of each prediction; required if ``target_plots`` is given.
        uncertain: (P,) mask of the predictions that are uncertain if they are unmatched.
        all_drawn: False if only some of the crowns were drawn as targets. Unmatched predictions
            are then counted in the additional column ``not_judged``, and ``fp`` and the
            metrics of :data:`FALSE_POSITIVE_METRICS` are NaN.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        A table with the columns

        - ``plot``: the plot (see :func:`randcrowns.core.crowns.label_plots`), or
          :data:`randcrowns.core.status.ALL_PLOTS`;
        - ``targets``, ``predictions``, ``uncertain``: numbers of instances;
        - ``tp``, ``fp``, ``fn``: detection counts;
        - ``precision``, ``recall``, ``f1``: detection metrics;
        - ``pq``, ``sq``, ``rq``: panoptic, segmentation and recognition quality;
        - ``mean_iou``: mean IoU of the targets in the matching ``segmentation``, 0 for unmatched
          targets;
        - ``count_splits``: targets that contain more than half of each of several predictions;
        - ``count_merges``: predictions that contain more than half of each of several targets;
        - ``<name>_low``, ``<name>_high``: 95 % intervals of the metrics :data:`INTERVAL_METRICS`,
          see :func:`randcrowns.core.statistics.ratio_interval`;
        - ``resampled``: units of the intervals, "plots" or "instances".

        Metrics of 0/0 and undefined intervals are NaN.

    Raises:
        InputError: if only one side has plots, or an instance has no plot.

    >>> from randcrowns.core.instances.matching import match_instances
    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> matching = match_instances(table, "panoptic_segmentation")
    >>> summarise_instances(table, matching, matching)[["tp", "fp", "fn"]].to_numpy().tolist()
    [[1, 1, 1]]
    """
    n_targets = len(table.target_size)
    n_predictions = len(table.prediction_size)
    if (target_plots is None) != (prediction_plots is None):
        raise InputError(
            "plots.one_side_only",
            "Targets and predictions must both have plots, or neither of them.",
        )
    plot_of_instance, plot_names = _number_plots(
        target_plots, prediction_plots, n_targets, n_predictions
    )
    if uncertain is None:
        is_uncertain = np.zeros(n_predictions, dtype=bool)
    else:
        is_uncertain = np.asarray(uncertain, dtype=bool)

    terms = _instance_terms(table, detection, segmentation, is_uncertain)
    rows = [_summary_row(ALL_PLOTS, terms, plots=plot_codes(plot_of_instance))]
    rows_of_plot = {}
    if len(plot_names) > 1:
        rows_of_plot = pd.Series(plot_of_instance).groupby(plot_of_instance).indices
    labels = label_plots(plot_names)
    for plot_number, _ in iterate_with_progress(list(rows_of_plot), progress):
        instance_rows = rows_of_plot[plot_number]
        plot_terms = {name: values[instance_rows] for name, values in terms.items()}
        rows.append(_summary_row(labels[plot_number], plot_terms, plots=None))
    progress(1.0)

    summary = pd.DataFrame(rows)
    return summary if all_drawn else _without_false_positives(summary)


def _without_false_positives(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the summary with false positives moved to the column ``not_judged``.

    Their number and the metrics that depend on it become NaN. The column is also inserted into
    ``summary`` itself.
    """
    summary.insert(list(summary.columns).index("tp"), "not_judged", summary["fp"])
    columns = [f"{name}{end}" for name in FALSE_POSITIVE_METRICS for end in ("", "_low", "_high")]
    undefined: dict[str, Any] = {name: np.nan for name in ("fp", *columns) if name in summary}
    return cast("pd.DataFrame", summary.assign(**undefined))


def _instance_terms(
    table: OverlapTable, detection: Matching, segmentation: Matching, is_uncertain: Bools
) -> dict[str, Floats]:
    """Return what each instance adds to the sums of the summary.

    Args:
        table: overlap table of T targets and P predictions.
        detection: matching for the detection metrics.
        segmentation: matching for the segmentation metrics.
        is_uncertain: (P,) mask of the predictions that are uncertain if they are unmatched.

    Returns:
        (T + P,) terms, those of the targets first, by the name of the sum.
    """
    is_found = detection.prediction != NO_MATCH
    is_unmatched = detection.target == NO_MATCH
    target_terms: dict[str, Array] = {
        "targets": np.ones(len(is_found)),
        "tp": is_found,
        "fn": ~is_found,
        "splits": count_splits(table) > 1,
        "detection_iou": matched_rates(table, detection)[0],
        "segmentation_iou": matched_rates(table, segmentation)[0],
    }
    prediction_terms: dict[str, Array] = {
        "predictions": np.ones(len(is_unmatched)),
        "uncertain": is_unmatched & is_uncertain,
        "fp": is_unmatched & ~is_uncertain,
        "merges": count_merges(table) > 1,
    }
    # Predictions add nothing to the terms of targets, and targets nothing to those of predictions.
    zeros_of_targets = np.zeros(len(is_found))
    zeros_of_predictions = np.zeros(len(is_unmatched))
    terms = {}
    for name, values in target_terms.items():
        terms[name] = np.append(values, zeros_of_predictions)
    for name, values in prediction_terms.items():
        terms[name] = np.append(zeros_of_targets, values)
    return terms


def _summary_row(name: Any, terms: dict[str, Floats], plots: Ints | None) -> dict[str, Any]:
    """Compute the metrics and intervals of some instances.

    Args:
        name: value of the column ``plot``.
        terms: (n,) terms of the instances, from :func:`_instance_terms`.
        plots: (n,) plot of each instance, for intervals over plots; None for intervals over
            instances.

    Returns:
        The row by column, see :func:`summarise_instances`.
    """
    tp = terms["tp"]
    fp = terms["fp"]
    fn = terms["fn"]
    iou = terms["detection_iou"]
    # Each metric is the sum of a numerator divided by the sum of a denominator.
    fractions = {
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "pq": (2 * iou, 2 * tp + fp + fn),
        "sq": (iou, tp),
        "rq": (2 * tp, 2 * tp + fp + fn),
        "mean_iou": (terms["segmentation_iou"], terms["targets"]),
    }

    row: dict[str, Any] = {"plot": name}
    for count in ("targets", "predictions", "uncertain", "tp", "fp", "fn"):
        row[count] = int(terms[count].sum())
    for metric, (numerator, denominator) in fractions.items():
        row[metric] = ratio(float(numerator.sum()), float(denominator.sum()))
    for count in ("splits", "merges"):
        row[count] = int(terms[count].sum())
    for metric in INTERVAL_METRICS:
        numerator, denominator = fractions[metric]
        low, high = ratio_interval(numerator, denominator, plots)
        row[f"{metric}_low"] = float(low)
        row[f"{metric}_high"] = float(high)
    row["resampled"] = "instances" if plots is None else "plots"
    return row


def _number_plots(
    targets: Sequence[Any] | None,
    predictions: Sequence[Any] | None,
    n_targets: int,
    n_predictions: int,
) -> tuple[Ints, list[Any]]:
    """Assign a number to each plot.

    Args:
        targets: (T,) plot of each target, or None.
        predictions: (P,) plot of each prediction, or None.
        n_targets: number of targets T.
        n_predictions: number of predictions P.

    Returns:
        (T + P,) number of each instance's plot, targets first, and the plots, sorted as text.

    Raises:
        InputError: unless there is one plot per instance.
    """
    if targets is None or predictions is None:
        return np.zeros(n_targets + n_predictions, dtype=np.int64), [ALL_PLOTS]
    if len(targets) != n_targets or len(predictions) != n_predictions:
        raise InputError(
            "plots.wrong_count",
            "Every instance needs a plot: there are {n_targets} targets and {n_predictions} "
            "predictions, but {target_plots} and {prediction_plots} plots.",
            n_targets=n_targets,
            n_predictions=n_predictions,
            target_plots=len(targets),
            prediction_plots=len(predictions),
        )
    plots = [*targets, *predictions]
    names = sorted(set(plots), key=str)
    number_of_name = {name: number for number, name in enumerate(names)}
    plot_numbers = [number_of_name[plot] for plot in plots]
    return np.array(plot_numbers, dtype=np.int64), names


def assign_plots(targets: Crowns, predictions: Crowns, table: OverlapTable) -> Objects:
    """Assign each prediction to the plot of a target.

    A prediction gets the plot of the target with which it shares most, or else of the nearest
    target.

    Args:
        targets: T reference crowns with plots.
        predictions: P predicted crowns.
        table: their overlap table.

    Returns:
        (P,) plots; None if the targets have no plots or there are no targets.

    >>> targets = Crowns([shapely.box(0, 0, 2, 2), shapely.box(9, 0, 11, 2)], plots=["a", "b"])
    >>> predictions = Crowns([shapely.box(6, 0, 8, 2)])
    >>> none = np.empty(0, dtype=np.int64)
    >>> table = OverlapTable(none, none, np.empty(0), targets.areas, predictions.areas)
    >>> assign_plots(targets, predictions, table).tolist()
    ['b']
    """
    plots = np.full(len(predictions), None, dtype=object)
    if targets.plots is None or len(targets) == 0 or len(predictions) == 0:
        return plots
    # The last assignment stands, so the largest overlap comes last.
    largest_last = np.lexsort((-table.target, table.shared))
    plots[table.prediction[largest_last]] = targets.plots[table.target[largest_last]]

    has_overlap = np.zeros(len(predictions), dtype=bool)
    has_overlap[table.prediction] = True
    isolated = np.flatnonzero(~has_overlap)
    if len(isolated):
        nearest, _ = nearest_targets(targets, predictions.subset(isolated))
        plots[isolated] = targets.plots[nearest]
    return plots


def nearest_targets(targets: Crowns, crowns: Crowns) -> tuple[Ints, Floats]:
    """Find the nearest target of each crown.

    Args:
        targets: at least one reference crown.
        crowns: n crowns in the same coordinate system.

    Returns:
        (n,) index of the nearest target, of equally near ones that with the lowest id, and the
        (n,) distance in metres.

    >>> targets = Crowns([shapely.box(0, 0, 2, 2), shapely.box(9, 0, 11, 2)])
    >>> nearest_targets(targets, Crowns([shapely.box(6, 0, 8, 2)]))
    (array([1]), array([1.]))
    """
    tree = shapely.STRtree(targets.geometry.copy())
    (crown, target), distance = tree.query_nearest(crowns.geometry, return_distance=True)
    nearest = first_rows(targets.ids[target], crown)
    return target[nearest], distance[nearest]


def instances_headline(
    overall: Mapping[str, Any] | pd.Series, labels: Mapping[str, str]
) -> Message:
    """Return the message with the counts and metrics over all instances.

    Args:
        overall: first row of a summary.
        labels: label of each metric of :data:`INTERVAL_METRICS`.
    """
    metrics = []
    for name in INTERVAL_METRICS:
        interval = number_with_interval_text(
            overall[name],
            overall.get(f"{name}_low", np.nan),
            overall.get(f"{name}_high", np.nan),
        )
        metrics.append(TranslatableText("{name} {value}", name=labels[name], value=interval))
    return info(
        "headline.instances",
        "{found:,} of {targets:,} targets found by {predictions:,} predictions; {metrics}.",
        found=int(overall["tp"]),
        targets=int(overall["targets"]),
        predictions=int(overall["predictions"]),
        metrics=metrics,
    )
