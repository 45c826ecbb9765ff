"""Average precision and recall as COCO has them, recall at single points, and detection at several thresholds of IoU.

COCO (Lin et al. 2014) takes the predictions of a plot (an image) in order of falling score, up to 100 of them. Each
takes the target of highest IoU that is still free, if that IoU is at the threshold or above. A prediction that finds
none but lies on an area to be ignored (``iscrowd``) does not count; there its own area takes the place of the union.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints, float_array
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.instances.matching import NONE, Method, match_once
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.statistics import (
    first_come,
    plot_codes,
    precision_recall_f1,
    ratio,
    ratio_interval,
)

#: IoU from which a pair is a match, 0.50:0.05:0.95.
COCO_IOU = np.linspace(0.5, 0.95, 10)
#: Recalls at which precision is read.
COCO_RECALL = np.linspace(0.0, 1.0, 101)
#: Predictions of a plot that count, for the three average recalls; the last also for average precision.
COCO_MOST = (1, 10, 100)
#: IoU of a table of thresholds side by side: 0.10:0.05:0.95, COCO's own among them.
SIDE_BY_SIDE = np.concatenate([np.linspace(0.1, 0.45, 8), COCO_IOU])
#: An IoU of 1 is asked for with this slack, as pycocotools does.
_WHOLE = 1 - 1e-10
#: Columns of :class:`CocoMetrics` that are numbers, in order.
COCO_METRICS = ("ap", "ap50", "ap75", "ar_1", "ar_10", "ar_100")


@dataclass(frozen=True)
class CocoMetrics:
    """COCO's numbers for one category and crowns of all sizes; NaN without a target that counts.

    Attributes:
        ap, ap50, ap75: average precision over all thresholds of IoU, at 0.5, and at 0.75.
        ar_1, ar_10, ar_100: average recall with so many predictions a plot.
        beyond: predictions that come after the 100th of their plot, which COCO leaves out.
        unscored: predictions without a score, which are left out.
    """

    ap: float
    ap50: float
    ap75: float
    ar_1: float
    ar_10: float
    ar_100: float
    beyond: int
    unscored: int


@dataclass(frozen=True, eq=False)
class _Ranked:
    """The predictions in COCO's order."""

    order: Ints  #: rows of the predictions with a score: falling, then by plot, then by row.
    within: Ints  #: (P,) place of each among those of its plot.
    #: target, place, iou: the pairs of one plot, in the order in which they are taken; ``place`` is in ``order``.
    target: Ints
    place: Ints
    iou: Floats
    on_ignored: Floats  #: (P,) highest share of each that lies on one ignored area.
    targets: int  #: number of targets.


@as_declared
def coco_metrics(
    table: OverlapTable,
    score: ArrayLike,
    *,
    plots: tuple[ArrayLike, ArrayLike] | None = None,
    on_ignored: ArrayLike | None = None,
    all_drawn: bool = True,
) -> CocoMetrics:
    """COCO's average precision and recall of predictions.

    Args:
        table: what targets and predictions share.
        score: (P,) the predictions' scores; those with NaN are left out.
        plots: number of the plot of each target, (T,), and of each prediction, (P,); pairs across plots do not count,
            and equal scores go in the order of the plots, then of the predictions. One plot by default.
        on_ignored: (P,) highest share of each prediction that lies on one ignored area (``iscrowd``), of its plot: see
            :func:`share_on_ignored`.
        all_drawn: False where only some crowns were drawn as targets: average precision is then undefined.

    Raises:
        InputError: for arrays of another length than there are targets or predictions.

    >>> size = np.full(2, 10.0)
    >>> table = OverlapTable(np.array([0, 1]), np.array([0, 1]), np.array([9.0, 6.0]), size, size)
    >>> found = coco_metrics(table, [0.9, 0.8])
    >>> round(found.ap50, 3), round(found.ar_1, 3), round(found.ar_100, 3)
    (0.505, 0.35, 0.35)
    """
    ranked = _ranked(table, score, plots, on_ignored)
    curves = [_precision_at(ranked, iou, COCO_MOST[-1]) for iou in COCO_IOU]
    precision = np.array([curve.mean() if len(curve) else np.nan for curve in curves])
    found = [[_outcome(ranked, iou, most)[0].sum() for iou in COCO_IOU] for most in COCO_MOST]
    reached = [np.mean(ratio(np.array(counts), ranked.targets)) for counts in found]
    precision *= 1.0 if all_drawn else np.nan
    return CocoMetrics(
        float(precision.mean()),
        float(precision[0]),
        float(precision[5]),
        float(reached[0]),
        float(reached[1]),
        float(reached[2]),
        beyond=int((ranked.within[ranked.order] >= COCO_MOST[-1]).sum()),
        unscored=len(ranked.within) - len(ranked.order),
    )


@as_declared
def thresholds_side_by_side(
    table: OverlapTable,
    score: ArrayLike | None = None,
    *,
    plots: tuple[ArrayLike, ArrayLike] | None = None,
    on_ignored: ArrayLike | None = None,
    all_drawn: bool = True,
    iou: ArrayLike = SIDE_BY_SIDE,
) -> pd.DataFrame:
    """What is found at several thresholds of IoU, to see what the choice of one decides.

    Pairs are matched once, the highest IoU first (see :func:`randcrowns.core.instances.matching.match_once`), so a pair
    that counts at a threshold counts at all lower ones.

    Args:
        score: (P,) the predictions' scores; without them the average precision is NaN.
        plots, on_ignored: see :func:`coco_metrics`.
        all_drawn: False where only some crowns were drawn as targets: what counts false positives is then NaN.
        iou: the thresholds.

    Returns:
        A row per threshold: ``iou``, ``tp``, ``fp``, ``fn``, ``precision``, ``recall`` and ``f1``, each with ``_low``
        and ``_high`` (see :func:`randcrowns.core.statistics.ratio_interval`), and ``ap``, COCO's average precision of
        all predictions with a score, however many a plot has.

    >>> table = OverlapTable(np.array([0]), np.array([0]), np.array([6.0]), np.array([10.0]), np.array([10.0]))
    >>> thresholds_side_by_side(table, iou=[0.4, 0.5])[["tp", "fp", "fn"]].to_numpy().tolist()
    [[1, 0, 0], [0, 1, 1]]
    """
    rows = []
    without = np.zeros(len(table.prediction_size)) if score is None else score
    ranked = _ranked(table, without, plots, on_ignored)
    kept = _within_plots(table, plots)
    counted = OverlapTable(
        table.target[kept],
        table.prediction[kept],
        table.shared[kept],
        table.target_size,
        table.prediction_size,
    )
    found = match_once(counted, Method.FOR_AI_NET_COVERAGE)
    target = np.flatnonzero(found.prediction != NONE)
    prediction = found.prediction[target]
    shared, size = (
        found.shared[target],
        table.target_size[target] + table.prediction_size[prediction],
    )
    reached, taken = (
        np.full(len(table.prediction_size), -1.0),
        np.full(len(table.target_size), -1.0),
    )
    reached[prediction] = taken[target] = shared / (size - shared)
    units = plot_codes(
        None if plots is None else np.concatenate([np.asarray(side) for side in plots])
    )
    every = np.append(np.ones(len(taken)), np.zeros(len(reached)))
    for threshold in np.atleast_1d(float_array(iou, "The list of thresholds")).ravel():
        least = min(threshold, _WHOLE)
        wrong = ~(reached >= least) & ~(ranked.on_ignored >= least)
        tp, fp = int((taken >= least).sum()), int(wrong.sum())
        rates = precision_recall_f1(tp, ranked.targets, tp, tp + fp)
        right, found_or_wrong = (
            np.append(taken >= least, 0.0 * reached),
            np.append(taken >= least, wrong),
        )
        wholes = np.stack([found_or_wrong, every, found_or_wrong + every], axis=1)
        ends = ratio_interval(np.stack([right, right, 2 * right], axis=1), wholes, units)
        curve = _precision_at(ranked, float(threshold), None) if score is not None else np.empty(0)
        ap = float(curve.mean()) if len(curve) else np.nan
        with_ends = (value for number in zip(rates, *ends) for value in number)
        rows.append((round(float(threshold), 9), tp, fp, ranked.targets - tp, *with_ends, ap))
    names = [
        f"{rate}{end}" for rate in ("precision", "recall", "f1") for end in ("", "_low", "_high")
    ]
    found_at = pd.DataFrame(rows, columns=["iou", "tp", "fp", "fn", *names, "ap"])
    undefined: dict[str, Any] = dict.fromkeys(("fp", *names[:3], *names[6:], "ap"), np.nan)
    return cast("pd.DataFrame", found_at if all_drawn else found_at.assign(**undefined))


def part_of_table(table: OverlapTable, targets: Bools, predictions: Bools) -> OverlapTable:
    """The table of some of the targets, (T,) which, and some of the predictions, (P,) which.

    >>> table = OverlapTable.from_labels([0, 0, 1], [0, 0, 1])
    >>> part_of_table(table, np.array([False, True]), np.array([False, True])).shared.tolist()
    [1.0]
    """
    kept = targets[table.target] & predictions[table.prediction]
    numbers = [np.cumsum(side) - 1 for side in (targets, predictions)]
    return OverlapTable(
        numbers[0][table.target[kept]],
        numbers[1][table.prediction[kept]],
        table.shared[kept],
        table.target_size[targets],
        table.prediction_size[predictions],
        table.in_points,
    )


@as_declared
def share_on_ignored(ignored: Crowns, predictions: Crowns) -> Floats:
    """(P,) highest share of each prediction that lies on one area to ignore; of its plot, where both have plots.

    >>> share_on_ignored(Crowns([shapely.box(0, 0, 9, 9)]), Crowns([shapely.box(8, 0, 12, 9)])).tolist()
    [0.25]
    """
    table = polygon_overlap(ignored, predictions)
    share = np.zeros(len(predictions))
    np.maximum.at(share, table.prediction, table.shared / table.prediction_size[table.prediction])
    return share


@as_declared
def point_recall(points: ArrayLike, predictions: Crowns) -> tuple[Bools, float]:
    """Which field points, as of stems, lie in a predicted crown or on its outline, and their share; NaN without any.

    Args:
        points: (n,) shapely points, metres.

    >>> crowns = Crowns([shapely.box(0, 0, 2, 2)])
    >>> point_recall(shapely.points([[1.0, 1.0], [3.0, 1.0]]), crowns)[1]
    0.5
    """
    given = np.asarray(points, dtype=object)
    if given.ndim != 1 or not (shapely.is_geometry(given) | shapely.is_missing(given)).all():
        raise InputError("The points must be a one-dimensional array of shapely points.")
    inside = np.zeros(len(given), dtype=bool)
    if len(given) and len(predictions):
        inside[
            shapely.STRtree(predictions.geometry.copy()).query(given, predicate="intersects")[0]
        ] = True
    return inside, float(ratio(int(inside.sum()), len(given)))


def _ranked(
    table: OverlapTable,
    score: ArrayLike,
    plots: tuple[ArrayLike, ArrayLike] | None,
    on_ignored: ArrayLike | None,
) -> _Ranked:
    n_predictions = len(table.prediction_size)
    sure = float_array(score, "The list of scores")
    share = (
        np.zeros(n_predictions)
        if on_ignored is None
        else float_array(on_ignored, "The list of shares")
    )
    if share.shape != (n_predictions,):
        said = (
            "There are {n_predictions} predictions, but {shares} shares of them that are ignored."
        )
        raise InputError(said, n_predictions=n_predictions, shares=share.size)
    if sure.shape != (n_predictions,):
        said = "Every prediction needs a score: there are {n_predictions}, but {scores} scores."
        raise InputError(said, n_predictions=n_predictions, scores=sure.size)
    together = _within_plots(table, plots)
    plot = np.zeros(n_predictions, np.int64) if plots is None else np.asarray(plots[1])
    scored = np.flatnonzero(~np.isnan(sure))
    order = scored[np.lexsort((scored, plot[scored], -sure[scored]))]
    position = np.full(n_predictions, len(order))
    position[order] = np.arange(len(order))
    within = np.full(n_predictions, n_predictions)
    by_plot = order[np.argsort(plot[order], kind="stable")]
    new = np.flatnonzero(np.diff(plot[by_plot], prepend=np.nan))
    within[by_plot] = np.arange(len(by_plot)) - np.repeat(
        new, np.diff(np.append(new, len(by_plot)))
    )
    real = np.flatnonzero(together & ~np.isnan(sure)[table.prediction])
    target, prediction, iou = table.target[real], table.prediction[real], table.iou[real]
    turn = np.lexsort(
        (-target, -iou, position[prediction])
    )  # of equal pairs the last target, as pycocotools
    return _Ranked(
        order,
        within,
        target[turn],
        position[prediction[turn]],
        iou[turn],
        share,
        len(table.target_size),
    )


def _within_plots(table: OverlapTable, plots: tuple[ArrayLike, ArrayLike] | None) -> Bools:
    """(n,) which pairs are of one plot."""
    if plots is None:
        return np.ones(len(table.target), dtype=bool)
    one, other = (np.asarray(side) for side in plots)
    if one.shape != table.target_size.shape or other.shape != table.prediction_size.shape:
        raise InputError("Every target and every prediction needs the number of its plot.")
    together: Bools = one[table.target] == other[table.prediction]
    return together


def _outcome(ranked: _Ranked, threshold: float, most: int | None) -> tuple[Bools, Bools]:
    """Of the predictions that count, in order: which find a target, and which are wrong."""
    least = min(threshold, _WHOLE)
    enough = ranked.iou >= least
    place, target = ranked.place[enough], ranked.target[enough]
    found = np.zeros(len(ranked.order), dtype=bool)
    found[place[first_come(place, target)]] = True
    wrong = ~found & ~(ranked.on_ignored[ranked.order] >= least)
    if most is None:
        return found, wrong
    counted = ranked.within[ranked.order] < most
    return found[counted], wrong[counted]


def _precision_at(ranked: _Ranked, threshold: float, most: int | None) -> Floats:
    """(101,) the best precision at each recall or a higher one, 0 where that is not reached; none without a target."""
    if not ranked.targets:
        return np.empty(0)
    found, wrong = _outcome(ranked, threshold, most)
    right, false = np.cumsum(found).astype(float), np.cumsum(wrong).astype(float)
    precision = np.maximum.accumulate((right / (false + right + np.spacing(1)))[::-1])[::-1]
    place = np.searchsorted(right / ranked.targets, COCO_RECALL, side="left")
    return np.append(precision, 0.0)[place]
