"""What an evaluation says of a whole data set and of each of its plots, and how sure that is.

Intervals come from leaving out one plot after the other, with all of its instances, since instances of one plot are
alike. Where there is only one plot its instances are left out instead, and the table says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, first_of_each
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.instances.matching import NONE, Matching
from randcrowns.core.instances.metrics import matched_shares, merges, splits
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.progress import Progress, no_progress, steps
from randcrowns.core.statistics import plot_codes, ratio, ratio_interval
from randcrowns.core.status import ALL

#: Metrics that have an interval, in ``<name>_low`` and ``<name>_high``.
INTERVALS = ("precision", "recall", "f1", "pq", "mean_iou")

#: Metrics that count false positives.
OF_FALSE = ("precision", "f1", "pq", "rq")


@as_declared
def summarise_instances(
    table: OverlapTable,
    found: Matching,
    cut: Matching,
    *,
    target_groups: Sequence[Any] | None = None,
    prediction_groups: Sequence[Any] | None = None,
    uncertain: Bools | None = None,
    all_drawn: bool = True,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """One row for everything, then one per plot.

    Args:
        found: matching for what was found.
        cut: matching for how well it was cut out.
        target_groups, prediction_groups: (T,) and (P,) plot of each instance; one plot by default.
        uncertain: (P,) predictions that are no mistake.
        all_drawn: False where only some of the crowns were drawn as targets: unmatched predictions are then counted as
            ``not_judged``, and what counts them as false (:data:`OF_FALSE`) is NaN.

    Returns:
        ``group``, ``targets``, ``predictions``, ``uncertain``, ``tp``, ``fp``, ``fn``, ``precision``, ``recall``,
        ``f1``, ``pq``, ``sq``, ``rq``, ``mean_iou`` (of ``cut``, a target without a prediction counts as 0), ``splits``
        (targets in which several predictions lie for more than half of their size), ``merges`` (the other way around),
        95 % intervals of :data:`INTERVALS` (see :func:`randcrowns.core.statistics.ratio_interval`), and ``resampled``,
        whose intervals these are, of "plots" or "instances". NaN is 0/0, or no interval.

    Raises:
        InputError: unless there is one plot per instance, or for plots of one side only.

    >>> from randcrowns.core.instances.matching import match
    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> found = match(table, "panoptic_segmentation")
    >>> summarise_instances(table, found, found)[["tp", "fp", "fn"]].to_numpy().tolist()
    [[1, 1, 1]]
    """
    n_targets, n_predictions = len(table.target_size), len(table.prediction_size)
    if (target_groups is None) != (prediction_groups is None):
        raise InputError("Targets and predictions must both have plots, or neither of them.")
    codes, names = _codes(target_groups, prediction_groups, n_targets, n_predictions)
    doubtful = (
        np.zeros(n_predictions, dtype=bool)
        if uncertain is None
        else np.asarray(uncertain, dtype=bool)
    )
    parts = _contributions(table, found, cut, doubtful)
    rows = [_row(ALL, parts, plot_codes(codes))]
    of_plots = pd.Series(codes).groupby(codes).indices if len(names) > 1 else {}
    for code, _ in steps([*of_plots], progress):
        rows.append(_row(names[code], parts[of_plots[code]], None))
    progress(1.0)
    return _judged(pd.DataFrame(rows), all_drawn)


def _judged(summary: pd.DataFrame, all_drawn: bool) -> pd.DataFrame:
    """The summary, without false positives where only some crowns were drawn."""
    if all_drawn:
        return summary
    summary.insert(list(summary.columns).index("tp"), "not_judged", summary["fp"])
    names = [f"{name}{end}" for name in OF_FALSE for end in ("", "_low", "_high")]
    undefined: dict[str, Any] = {name: np.nan for name in names if name in summary}
    return cast("pd.DataFrame", summary.assign(fp=0, **undefined))


_PARTS = (
    "targets",
    "predictions",
    "uncertain",
    "tp",
    "fp",
    "fn",
    "found_iou",
    "cut_iou",
    "splits",
    "merges",
)


def _contributions(table: OverlapTable, found: Matching, cut: Matching, doubtful: Bools) -> Floats:
    """(T + P, 10) what each target, then each prediction, adds to the sums named in ``_PARTS``."""
    matched, alone = found.prediction != NONE, found.target == NONE
    found_iou, cut_iou = (matched_shares(table, matching)[0] for matching in (found, cut))
    of_targets = {"targets": 1, "tp": matched, "fn": ~matched, "splits": splits(table) > 1}
    of_targets |= {"found_iou": found_iou, "cut_iou": cut_iou}
    of_predictions = {"predictions": 1, "uncertain": alone & doubtful, "fp": alone & ~doubtful}
    of_predictions |= {"merges": merges(table) > 1}
    parts = [np.zeros((len(_PARTS), n)) for n in (len(matched), len(alone))]
    for part, added in zip(parts, (of_targets, of_predictions)):
        for name, values in added.items():
            part[_PARTS.index(name)] = values
    return np.concatenate(parts, axis=1).T


def _row(name: Any, parts: Floats, plots: Ints | None) -> dict[str, Any]:
    """The metrics of some instances, with intervals over plots, or over the instances themselves."""
    each = dict(zip(_PARTS, parts.T))
    tp, fp, fn, iou = (each[what] for what in ("tp", "fp", "fn", "found_iou"))
    f1, quality = (2 * tp, 2 * tp + fp + fn), (2 * iou, 2 * tp + fp + fn)
    of_targets = each["cut_iou"], each["targets"]
    ratios = {"precision": (tp, tp + fp), "recall": (tp, tp + fn), "f1": f1, "pq": quality}
    ratios |= {"sq": (iou, tp), "rq": f1, "mean_iou": of_targets}
    intervals: dict[str, float] = {}
    for metric in INTERVALS:
        low, high = ratio_interval(*ratios[metric], plots)
        intervals |= {f"{metric}_low": float(low), f"{metric}_high": float(high)}
    return {
        "group": name,
        **{
            what: int(each[what].sum())
            for what in ("targets", "predictions", "uncertain", "tp", "fp", "fn")
        },
        **{
            metric: ratio(float(part.sum()), float(whole.sum()))
            for metric, (part, whole) in ratios.items()
        },
        **{what: int(each[what].sum()) for what in ("splits", "merges")},
        **intervals,
        "resampled": "instances" if plots is None else "plots",
    }


def _codes(
    targets: Sequence[Any] | None,
    predictions: Sequence[Any] | None,
    n_targets: int,
    n_predictions: int,
) -> tuple[Ints, list[Any]]:
    """Number of the plot of each target, then each prediction, and the plots' names in order of their text."""
    if targets is None or predictions is None:
        return np.zeros(n_targets + n_predictions, dtype=np.int64), [ALL]
    if len(targets) != n_targets or len(predictions) != n_predictions:
        raise InputError(
            "Every instance needs a plot: there are {n_targets} targets and {n_predictions} predictions, but "
            "{target_plots} and {prediction_plots} plots.",
            n_targets=n_targets,
            n_predictions=n_predictions,
            target_plots=len(targets),
            prediction_plots=len(predictions),
        )
    plots = [*targets, *predictions]
    names = sorted(set(plots), key=str)
    number = {name: i for i, name in enumerate(names)}
    return np.array([number[plot] for plot in plots], dtype=np.int64), names


def plots_of_predictions(targets: Crowns, predictions: Crowns, table: OverlapTable) -> Objects:
    """(P,) plot of the target that each prediction shares most with, or that is nearest; None without any target."""
    plots = np.full(len(predictions), None, dtype=object)
    if targets.groups is None or len(targets) == 0 or len(predictions) == 0:
        return plots
    alone = np.ones(len(predictions), dtype=bool)
    best_last = np.lexsort((-table.target, table.shared))
    plots[table.prediction[best_last]] = targets.groups[table.target[best_last]]
    alone[table.prediction] = False
    apart = np.flatnonzero(alone)
    if len(apart):
        plots[apart] = targets.groups[nearest_polygon(targets, predictions.subset(apart))[0]]
    return plots


def nearest_polygon(targets: Crowns, crowns: Crowns) -> tuple[Ints, Floats]:
    """(n,) row of the target nearest to each crown, of several that of the lowest id, and the distance in metres."""
    tree = shapely.STRtree(targets.geometry.copy())
    (crown, target), distance = tree.query_nearest(crowns.geometry, return_distance=True)
    best = first_of_each(targets.ids[target], crown)
    return target[best], distance[best]
