"""Average precision and recall as defined by COCO, recall at points, and metrics per IoU threshold.

COCO (Lin et al. 2014) sorts the predictions of an image (here: a plot) by falling score and
evaluates at most the first 100. Equal scores are ordered by plot, then by place
(:mod:`randcrowns.core.tie_ranks`), so that the order of the rows changes nothing. Each prediction
takes the unmatched target with the highest IoU, provided that the IoU is at least the threshold. A
prediction that finds no target but lies on an ignored region (``iscrowd``) counts neither as true
nor as false. For an ignored region, the area of the prediction replaces the union in the IoU.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints, as_float_array
from randcrowns.core.class_names import class_codes
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.instances.matching import NO_MATCH, MatchingMethod, match_one_to_one
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.statistics import (
    occurs_once,
    plot_codes,
    precision_recall_f1,
    ratio,
    ratio_interval,
    select_greedily,
)
from randcrowns.core.thresholds import SCORE_TOLERANCE, rank_equal_scores, reaches
from randcrowns.core.validation import validate_arguments

#: (10,) IoU thresholds of COCO, 0.50:0.05:0.95.
COCO_IOU_THRESHOLDS = np.linspace(0.5, 0.95, 10)
#: (101,) recall levels at which precision is read.
COCO_RECALL_LEVELS = np.linspace(0.0, 1.0, 101)
#: Maximum numbers of predictions per plot, one for each average recall. The last one also limits
#: average precision.
COCO_MAX_DETECTIONS = (1, 10, 100)
#: (18,) default IoU thresholds of :func:`threshold_table`, 0.10:0.05:0.95.
IOU_THRESHOLDS = np.concatenate([np.linspace(0.1, 0.45, 8), COCO_IOU_THRESHOLDS])
#: Columns of counts and rates in :func:`threshold_table`.
_DETECTION_COLUMNS = (
    "tp",
    "fp",
    "fn",
    "precision",
    "precision_low",
    "precision_high",
    "recall",
    "recall_low",
    "recall_high",
    "f1",
    "f1_low",
    "f1_high",
)
#: Beginnings of the names of the columns that depend on false positives.
_NEEDS_ALL_DRAWN = ("fp", "precision", "f1")
#: Names of the attributes of :class:`CocoMetrics` that are metrics, in order.
COCO_METRICS = ("ap", "ap50", "ap75", "ar_1", "ar_10", "ar_100")


@dataclass(frozen=True)
class CocoMetrics:
    """COCO metrics of one category, over crowns of all sizes.

    The metrics are NaN without any target.

    Attributes:
        ap: average precision, the mean over the IoU thresholds :data:`COCO_IOU_THRESHOLDS`.
        ap50: average precision at IoU 0.5.
        ap75: average precision at IoU 0.75.
        ar_1: average recall with at most 1 prediction per plot, the mean over
            :data:`COCO_IOU_THRESHOLDS`.
        ar_10: average recall with at most 10 predictions per plot.
        ar_100: average recall with at most 100 predictions per plot.
        n_beyond_limit: number of predictions ranked after the 100th of their plot, which are
            excluded.
        n_unscored: number of predictions without a score, which are excluded.
        n_tied: number of predictions with equal scores whose order changes average precision; 0 if
            no order of equal scores changes it.
    """

    ap: float
    ap50: float
    ap75: float
    ar_1: float
    ar_10: float
    ar_100: float
    n_beyond_limit: int
    n_unscored: int
    n_tied: int = 0


@dataclass(frozen=True, eq=False)
class _RankedPredictions:
    """Predictions in COCO's order, and the pairs to match in the order in which they are tried.

    S of the P predictions are ranked; m pairs of a target and a ranked prediction may match.
    """

    order: Ints  #: (S,) predictions, by falling score, then plot, then place.
    level: Ints  #: (S,) number of the distinct score of each of them, 0 for the highest score.
    plot: Ints  #: (P,) number of the plot of each prediction.
    rank_in_plot: Ints  #: (P,) rank of each prediction in its plot, from 0; P if not ranked.
    target: Ints  #: (m,) target of each pair.
    rank: Ints  #: (m,) position in ``order`` of each pair's prediction.
    iou: Floats  #: (m,) IoU of each pair.
    ignored_share: Floats  #: (P,) largest share of each prediction on one ignored region.
    n_targets: int  #: number of targets.
    n_unscored: int  #: number of predictions without a score.
    n_beyond_limit: int  #: number of predictions after the maximum number of their plot.

    @property
    def has_ties(self) -> bool:
        """True if at least two predictions have the same score."""
        return len(self.level) > 0 and int(self.level[-1]) + 1 < len(self.level)


@validate_arguments
def coco_metrics(
    table: OverlapTable,
    score: ArrayLike,
    *,
    plots: tuple[ArrayLike, ArrayLike] | None = None,
    ignored_share: ArrayLike | None = None,
    all_drawn: bool = True,
) -> CocoMetrics:
    """Compute COCO's average precision and average recall.

    Args:
        table: overlap table of T targets and P predictions.
        score: (P,) scores of the predictions; predictions with a NaN score are excluded.
        plots: plot numbers of the targets, (T,), and of the predictions, (P,). Pairs across plots
            are not matched. Equal scores are ordered by plot, then by the table's ranks of the
            predictions, or by index without ranks. By default all instances belong to one plot.
        ignored_share: (P,) largest share of each prediction that lies on one ignored region
            (``iscrowd``) of its plot, see :func:`ignored_shares`; 0 by default.
        all_drawn: False if only some of the crowns were drawn as targets. Average precision is
            then NaN.

    Returns:
        The metrics and the numbers of excluded predictions.

    Raises:
        InputError: if an array has another length than there are targets or predictions.

    >>> size = np.full(2, 10.0)
    >>> table = OverlapTable(np.array([0, 1]), np.array([0, 1]), np.array([9.0, 6.0]), size, size)
    >>> metrics = coco_metrics(table, [0.9, 0.8])
    >>> round(metrics.ap50, 3), round(metrics.ar_1, 3), round(metrics.ar_100, 3)
    (0.505, 0.35, 0.35)
    """
    max_detections = COCO_MAX_DETECTIONS[-1]
    ranked = _rank_predictions(
        table,
        score,
        plots,
        on_ignored=ignored_share,
        min_iou=COCO_IOU_THRESHOLDS[0],
        limit=max_detections,
    )
    rank_in_plot = ranked.rank_in_plot[ranked.order]
    is_evaluated = rank_in_plot < max_detections
    precision = np.full(len(COCO_IOU_THRESHOLDS), np.nan)
    is_tied = np.zeros(len(ranked.order), dtype=bool)
    # True positives by the maximum number of predictions per plot, and by threshold.
    n_true_positives = np.zeros((len(COCO_MAX_DETECTIONS), len(COCO_IOU_THRESHOLDS)))
    judgements = _judge_at_thresholds(ranked, COCO_IOU_THRESHOLDS)
    for column, judgement in enumerate(judgements):
        if all_drawn:
            evaluated = judgement.take(is_evaluated)
            precision[column] = _average_precision(evaluated, ranked.n_targets)
            if ranked.has_ties:
                is_tied |= _find_decisive_ties(ranked, judgement, max_detections)
        # The matches of the first predictions of a plot do not depend on those after them, so that
        # one matching serves all maximum numbers.
        match_ranks = rank_in_plot[judgement.is_true]
        for row, limit in enumerate(COCO_MAX_DETECTIONS):
            n_true_positives[row, column] = np.count_nonzero(match_ranks < limit)
    recall = ratio(n_true_positives, ranked.n_targets)
    average_recall = recall.mean(axis=1).tolist()  # over the thresholds

    return CocoMetrics(
        ap=float(precision.mean()),
        ap50=float(precision[0]),  # 0 and 5 are the positions of IoU 0.50 and 0.75
        ap75=float(precision[5]),
        ar_1=average_recall[0],
        ar_10=average_recall[1],
        ar_100=average_recall[2],
        n_beyond_limit=ranked.n_beyond_limit,
        n_unscored=ranked.n_unscored,
        n_tied=int(np.count_nonzero(is_tied)),
    )


class CocoMatches(NamedTuple):
    """Predictions that count at one IoU threshold, in COCO's order."""

    #: (n,) rows of the true and false positives; predictions on ignored regions are neither.
    prediction: Ints
    #: (n,) target that each one finds; NO_MATCH for a false positive.
    target: Ints


def coco_matches(
    table: OverlapTable,
    score: ArrayLike,
    *,
    plots: tuple[ArrayLike, ArrayLike] | None = None,
    ignored_share: ArrayLike | None = None,
) -> list[CocoMatches]:
    """Return the matches that COCO's average precision is computed from.

    Args:
        table: overlap table of T targets and P predictions.
        score: (P,) scores of the predictions; predictions with a NaN score are excluded.
        plots: plot numbers of the targets and of the predictions, see :func:`coco_metrics`.
        ignored_share: (P,) share of each prediction on an ignored region, see :func:`coco_metrics`.

    Returns:
        The matches at each threshold of :data:`COCO_IOU_THRESHOLDS`. At most 100 predictions per
        plot count.

    Raises:
        InputError: if an array has another length than there are targets or predictions.

    >>> size = np.array([10.0])
    >>> table = OverlapTable(np.array([0]), np.array([0]), np.array([8.0]), size, size)
    >>> [matches.target.tolist() for matches in coco_matches(table, [0.9])][2:5]
    [[0], [0], [-1]]
    """
    ranked = _rank_predictions(table, score, plots, ignored_share, COCO_IOU_THRESHOLDS[0])
    is_evaluated = ranked.rank_in_plot[ranked.order] < COCO_MAX_DETECTIONS[-1]
    matches = []
    for judgement in _judge_at_thresholds(ranked, COCO_IOU_THRESHOLDS):
        counts = is_evaluated & (judgement.is_true | judgement.is_false)
        matches.append(CocoMatches(ranked.order[counts], judgement.target[counts]))
    return matches


@validate_arguments
def threshold_table(
    table: OverlapTable,
    score: ArrayLike | None = None,
    *,
    plots: tuple[ArrayLike, ArrayLike] | None = None,
    ignored_share: ArrayLike | None = None,
    all_drawn: bool = True,
    thresholds: ArrayLike = IOU_THRESHOLDS,
) -> pd.DataFrame:
    """Compute detection metrics at several IoU thresholds.

    The table shows how far the results depend on the threshold. Targets and predictions are
    matched once, in order of falling IoU
    (:func:`randcrowns.core.instances.matching.match_one_to_one`). A pair that is a match at one
    threshold is therefore a match at all lower thresholds.

    Args:
        table: overlap table of T targets and P predictions.
        score: (P,) scores of the predictions. Without them average precision is NaN.
        plots: plot numbers of the targets and of the predictions, see :func:`coco_metrics`.
        ignored_share: (P,) share of each prediction on an ignored region, see :func:`coco_metrics`.
        all_drawn: False if only some of the crowns were drawn as targets. The columns that depend
            on false positives (``fp``, ``precision``, ``f1``, ``ap``) are then NaN.
        thresholds: IoU thresholds.

    Returns:
        One row per threshold with the columns ``iou``, ``tp``, ``fp``, ``fn``; ``precision``,
        ``recall`` and ``f1``, each followed by the ends of its interval in ``_low`` and ``_high``
        (see :func:`randcrowns.core.statistics.ratio_interval`); and ``ap``, COCO's average
        precision of all predictions with a score, without a maximum number per plot.

    Raises:
        InputError: if an array has another length than there are targets or predictions.

    >>> size = np.array([10.0])
    >>> table = OverlapTable(np.array([0]), np.array([0]), np.array([6.0]), size, size)
    >>> threshold_table(table, thresholds=[0.4, 0.5])[["tp", "fp", "fn"]].to_numpy().tolist()
    [[1, 0, 0], [0, 1, 1]]
    """
    limits = np.atleast_1d(as_float_array(thresholds, "The list of thresholds")).ravel()
    scores = np.zeros(len(table.prediction_size)) if score is None else score
    lowest_limit = float(limits.min(initial=np.inf))
    ranked = _rank_predictions(table, scores, plots, ignored_share, lowest_limit)
    target_iou, prediction_iou = _matched_iou(table, _is_same_plot(table, plots))
    # Intervals resample plots; the instances are listed targets first, then predictions.
    all_plots = None
    if plots is not None:
        target_plots, prediction_plots = plots
        all_plots = np.concatenate([np.asarray(target_plots), np.asarray(prediction_plots)])
    plot_of_instance = plot_codes(all_plots)

    average_precision = np.full(len(limits), np.nan)
    if score is not None:
        judgements = _judge_at_thresholds(ranked, limits)
        average_precision[:] = [_average_precision(each, ranked.n_targets) for each in judgements]
    rows = []
    for threshold in limits:
        is_found = reaches(target_iou, threshold)
        is_excused = reaches(ranked.ignored_share, threshold)
        is_false = ~reaches(prediction_iou, threshold) & ~is_excused
        row = {"iou": round(float(threshold), 9)}
        row |= _detection_metrics(is_found, is_false, plot_of_instance)
        rows.append(row)
    metrics = pd.DataFrame(rows, columns=["iou", *_DETECTION_COLUMNS])
    metrics["ap"] = average_precision
    if all_drawn:
        return cast("pd.DataFrame", metrics)
    depends_on_false = [name for name in _DETECTION_COLUMNS if name.startswith(_NEEDS_ALL_DRAWN)]
    undefined: dict[str, Any] = dict.fromkeys([*depends_on_false, "ap"], np.nan)
    return cast("pd.DataFrame", metrics.assign(**undefined))


def _detection_metrics(
    is_found: Bools, is_false: Bools, plot_of_instance: Ints | None
) -> dict[str, float]:
    """Compute counts and rates of detection, with intervals.

    Args:
        is_found: (T,) True for the targets with a match.
        is_false: (P,) True for the predictions that are false positives.
        plot_of_instance: (T + P,) plot of each target, then of each prediction; None for intervals
            over instances.

    Returns:
        The values by the names in :data:`_DETECTION_COLUMNS`.
    """
    n_targets = len(is_found)
    n_predictions = len(is_false)
    tp = int(is_found.sum())
    fp = int(is_false.sum())
    metrics: dict[str, float] = {"tp": tp, "fp": fp, "fn": n_targets - tp}

    # Numerators and denominators of precision, recall and F1 per instance.
    is_target = np.append(np.ones(n_targets), np.zeros(n_predictions))
    is_true = np.append(is_found, np.zeros(n_predictions))
    is_counted = np.append(is_found, is_false)
    numerators = np.stack([is_true, is_true, 2 * is_true], axis=1)
    denominators = np.stack([is_counted, is_target, is_counted + is_target], axis=1)
    lows, highs = ratio_interval(numerators, denominators, plot_of_instance)

    rates = precision_recall_f1(tp, n_targets, tp, tp + fp)
    for name, rate, low, high in zip(("precision", "recall", "f1"), rates, lows, highs):
        metrics |= {name: rate, f"{name}_low": low, f"{name}_high": high}
    return metrics


def matched_iou(
    table: OverlapTable, plots: tuple[ArrayLike, ArrayLike] | None = None
) -> tuple[Floats, Floats]:
    """Return the IoU of the matches of which :func:`threshold_table` counts those at a threshold.

    Args:
        table: overlap table of T targets and P predictions.
        plots: plot numbers of the targets and of the predictions, see :func:`coco_metrics`.

    Returns:
        IoU of each target, (T,), and of each prediction, (P,), with its match; -1 without one.

    >>> size = np.array([10.0])
    >>> table = OverlapTable(np.array([0]), np.array([0]), np.array([5.0]), size, size)
    >>> target_iou, prediction_iou = matched_iou(table)
    >>> target_iou.round(3).tolist(), prediction_iou.round(3).tolist()
    ([0.333], [0.333])
    """
    return _matched_iou(table, _is_same_plot(table, plots))


def _matched_iou(table: OverlapTable, is_candidate: Bools) -> tuple[Floats, Floats]:
    """Match targets and predictions, each at most once, and return the IoU of the matches.

    Args:
        table: overlap table of n pairs of T targets and P predictions.
        is_candidate: (n,) mask of the pairs that may be matched.

    Returns:
        IoU of each target, (T,), and of each prediction, (P,), with its match; -1 without one.
    """
    # The table does not count points, because labelled points would not be matched one to one.
    candidates = replace(table.select_pairs(is_candidate), counts_points=False)
    matching = match_one_to_one(candidates, MatchingMethod.FOR_AI_NET_COVERAGE)
    target_rows = np.flatnonzero(matching.prediction != NO_MATCH)
    prediction_rows = matching.prediction[target_rows]
    shared = matching.shared[target_rows]
    total = table.target_size[target_rows] + table.prediction_size[prediction_rows]
    iou = shared / (total - shared)

    # -1 is below every threshold.
    target_iou = np.full(len(table.target_size), -1.0)
    target_iou[target_rows] = iou
    prediction_iou = np.full(len(table.prediction_size), -1.0)
    prediction_iou[prediction_rows] = iou
    return target_iou, prediction_iou


def subset_table(table: OverlapTable, is_target: Bools, is_prediction: Bools) -> OverlapTable:
    """Return the overlap table of a subset of the targets and predictions.

    Args:
        table: overlap table of T targets and P predictions.
        is_target: (T,) mask of the targets in the subset.
        is_prediction: (P,) mask of the predictions in the subset.

    Returns:
        The table of the subset, in which targets and predictions are renumbered from 0.

    >>> table = OverlapTable.from_labels([0, 0, 1], [0, 0, 1])
    >>> subset_table(table, np.array([False, True]), np.array([False, True])).shared.tolist()
    [1.0]
    """
    return table.select_instances(is_target, is_prediction)


@validate_arguments
def ignored_shares(ignored: Crowns, predictions: Crowns) -> Floats:
    """Compute the largest share of each prediction that lies on one ignored region.

    Args:
        ignored: regions in which predictions are not judged (COCO's ``iscrowd``).
        predictions: P predicted crowns. If both layers have plots, only regions of the same plot
            count. If both have classes, a region counts for predictions of its class only, as in
            COCO; a region without a class counts for all.

    Returns:
        (P,) shares of the predictions' areas, 0 to 1.

    >>> ignored = Crowns([shapely.box(0, 0, 9, 9)])
    >>> ignored_shares(ignored, Crowns([shapely.box(8, 0, 12, 9)])).tolist()
    [0.25]
    """
    table = polygon_overlap(ignored, predictions)
    if ignored.classes is not None and predictions.classes is not None:
        region_codes, predicted_codes = class_codes(ignored.classes, predictions.classes)
        region_of_pair = region_codes[table.target]
        has_no_class = region_of_pair < 0
        is_same_class = region_of_pair == predicted_codes[table.prediction]
        table = table.select_pairs(has_no_class | is_same_class)
    pair_shares = table.shared / table.prediction_size[table.prediction]
    largest_shares = np.zeros(len(predictions))
    np.maximum.at(largest_shares, table.prediction, pair_shares)
    return largest_shares


@validate_arguments
def point_recall(points: ArrayLike, predictions: Crowns) -> tuple[Bools, float]:
    """Compute the share of field points, such as stems, that lie in a predicted crown.

    Args:
        points: (n,) shapely points, metres.
        predictions: predicted crowns in the same coordinate system.

    Returns:
        (n,) mask of the points inside a predicted crown or on its outline, and their share; NaN
        without any points.

    Raises:
        InputError: if the points are not a one-dimensional array of geometries.

    >>> crowns = Crowns([shapely.box(0, 0, 2, 2)])
    >>> point_recall(shapely.points([[1.0, 1.0], [3.0, 1.0]]), crowns)[1]
    0.5
    """
    geometries = np.asarray(points, dtype=object)
    is_geometry = shapely.is_geometry(geometries) | shapely.is_missing(geometries)
    if geometries.ndim != 1 or not is_geometry.all():
        raise InputError(
            "points.not_points", "The points must be a one-dimensional array of shapely points."
        )
    is_inside = np.zeros(len(geometries), dtype=bool)
    if len(geometries) and len(predictions):
        tree = shapely.STRtree(predictions.geometry.copy())
        point_rows, _ = tree.query(geometries, predicate="intersects")
        is_inside[point_rows] = True
    share = ratio(int(is_inside.sum()), len(geometries))
    return is_inside, float(share)


def _rank_predictions(
    table: OverlapTable,
    score: ArrayLike,
    plots: tuple[ArrayLike, ArrayLike] | None,
    on_ignored: ArrayLike | None,
    min_iou: float,
    limit: int | None = None,
) -> _RankedPredictions:
    """Validate the arguments of :func:`coco_metrics` and sort predictions and pairs.

    Args:
        table: overlap table of T targets and P predictions.
        score: (P,) scores; NaN for predictions without one.
        plots: (T,) plots of the targets and (P,) plots of the predictions; None for one plot.
        on_ignored: (P,) share of each prediction on an ignored region; None for 0.
        min_iou: pairs below this IoU are left out, because they match at no threshold.
        limit: maximum number of predictions per plot that are evaluated. The others are left out,
            as they change no match before them, unless the order of equal scores may count.

    Raises:
        InputError: if an array has another length than there are targets or predictions.
    """
    n_predictions = len(table.prediction_size)
    scores, ignored_share = _validate_scores(score, on_ignored, n_predictions)
    is_same_plot = _is_same_plot(table, plots)
    plot = np.zeros(n_predictions, np.int64) if plots is None else np.asarray(plots[1])

    tie_ranks = _ranks_or_rows(table.prediction_rank, n_predictions)
    order = _order_by_score(scores, plot, tie_ranks)
    n_scored = len(order)
    rank_in_plot = _ranks_in_plots(order, plot)
    is_beyond = np.zeros(n_scored, dtype=bool)
    if limit is not None:
        is_beyond = rank_in_plot[order] >= limit
    # Number of distinct scores above that of each ordered prediction.
    ordered_scores = scores[order]
    is_lower = np.diff(ordered_scores, prepend=ordered_scores[:1]) < 0
    level: Ints = np.cumsum(is_lower)
    has_ties = n_scored > 0 and level[-1] + 1 < n_scored
    if not has_ties:
        order = order[~is_beyond]
        level = level[~is_beyond]
    # Position of each prediction in the order; behind all for those that are left out.
    position = np.full(n_predictions, n_predictions)
    position[order] = np.arange(len(order))

    pairs = _sort_candidate_pairs(table, is_same_plot, position, min_iou)
    return _RankedPredictions(
        order=order,
        level=level,
        plot=plot,
        rank_in_plot=rank_in_plot,
        target=table.target[pairs],
        rank=position[table.prediction[pairs]],
        iou=table.pair_iou(pairs),
        ignored_share=ignored_share,
        n_targets=len(table.target_size),
        n_unscored=n_predictions - n_scored,
        n_beyond_limit=int(np.count_nonzero(is_beyond)),
    )


def _validate_scores(
    score: ArrayLike, on_ignored: ArrayLike | None, n_predictions: int
) -> tuple[Floats, Floats]:
    """Return the scores and the ignored shares (P,) of the predictions as arrays.

    Args:
        score: scores; NaN for predictions without one.
        on_ignored: shares of the predictions on ignored regions; None for 0.
        n_predictions: number P of predictions.

    Raises:
        InputError: if there are not P scores and P shares.
    """
    scores = as_float_array(score, "The list of scores")
    if on_ignored is None:
        shares: Floats = np.zeros(n_predictions)
    else:
        shares = as_float_array(on_ignored, "The list of shares")
    if shares.shape != (n_predictions,):
        raise InputError(
            "predictions.wrong_share_count",
            "There are {n_predictions} predictions but {shares} ignored shares; "
            "give one share per prediction.",
            n_predictions=n_predictions,
            shares=shares.size,
        )
    if scores.shape != (n_predictions,):
        raise InputError(
            "predictions.wrong_score_count",
            "There are {n_predictions} predictions but {scores} scores; "
            "give one score per prediction.",
            n_predictions=n_predictions,
            scores=scores.size,
        )
    return scores, shares


def _sort_candidate_pairs(
    table: OverlapTable, is_same_plot: Bools, position: Ints, min_iou: float
) -> Ints:
    """Return the pairs that may match, in the order in which COCO tries them.

    Args:
        table: overlap table of n pairs of T targets and P predictions.
        is_same_plot: (n,) mask of the pairs within a plot.
        position: (P,) position of each prediction in COCO's order; P if it is not ranked.
        min_iou: minimum IoU of a pair.

    Returns:
        (m,) pairs, by position of the prediction, then by falling IoU. Of equal pairs pycocotools
        takes the last target.
    """
    is_ranked = position < len(position)
    candidates = np.flatnonzero(is_same_plot & is_ranked[table.prediction])
    candidate_iou = table.pair_iou(candidates)
    is_high = reaches(candidate_iou, min_iou)
    pairs: Ints = candidates[is_high]
    target_rank = _ranks_or_rows(table.target_rank, len(table.target_size))
    order = _order_pairs(
        pair_rank=position[table.prediction[pairs]],
        iou=candidate_iou[is_high],
        target_rank=target_rank[table.target[pairs]],
    )
    return np.asarray(pairs[order])


def _order_by_score(scores: Floats, plot: Ints, rank: Ints) -> Ints:
    """Return the predictions with a score by falling score, then by plot, then by rank.

    Args:
        scores: (P,) scores; NaN for predictions without one.
        plot: (P,) plots.
        rank: (P,) ranks of the predictions.
    """
    scored_rows = np.flatnonzero(~np.isnan(scores))
    falling = np.argsort(-scores[scored_rows], kind="stable")
    order = scored_rows[falling]
    # Only equal scores are sorted by all keys, because that takes longer.
    is_tied = _equals_neighbour(scores[order])
    tied_rows = order[is_tied]
    tie_order = np.lexsort((rank[tied_rows], plot[tied_rows], -scores[tied_rows]))
    order[is_tied] = tied_rows[tie_order]
    return order


def _order_pairs(pair_rank: Ints, iou: Floats, target_rank: Ints) -> Ints:
    """Return the order of pairs by prediction, then by falling IoU, then from the last target.

    Args:
        pair_rank: (m,) rank of the prediction of each pair.
        iou: (m,) IoU of each pair.
        target_rank: (m,) rank of the target of each pair.
    """
    order = np.argsort(pair_rank, kind="stable")
    is_tied = _equals_neighbour(pair_rank[order])
    tied = order[is_tied]
    keys = (-target_rank[tied], rank_equal_scores(iou[tied]), pair_rank[tied])
    order[is_tied] = tied[np.lexsort(keys)]
    return order


def _equals_neighbour(values: Array) -> Bools:
    """Return a mask (n,) of the sorted values (n,) that are equal to the one before or after."""
    equals_neighbour = np.zeros(len(values), dtype=bool)
    equals_next = values[:-1] == values[1:]
    equals_neighbour[:-1] |= equals_next
    equals_neighbour[1:] |= equals_next
    return equals_neighbour


def _ranks_or_rows(ranks: Ints | None, n: int) -> Ints:
    """Return the ranks (n,) of instances, which break ties; their row numbers for None."""
    return np.arange(n) if ranks is None else ranks


def _ranks_in_plots(order: Ints, plot: Ints) -> Ints:
    """Return the rank (P,) of each prediction in its plot, from 0; P for unranked predictions.

    Args:
        order: (S,) ranked predictions of all plots, the best one first.
        plot: (P,) plot of each prediction.
    """
    n_predictions = len(plot)
    # A stable sort by plot keeps the order within each plot.
    by_plot = order[np.argsort(plot[order], kind="stable")]
    # NaN in front differs from the first plot, so that a plot starts there too.
    plot_starts = np.flatnonzero(np.diff(plot[by_plot], prepend=np.nan))
    plot_sizes = np.diff(np.append(plot_starts, len(by_plot)))
    start_of_own_plot = np.repeat(plot_starts, plot_sizes)
    rank = np.full(n_predictions, n_predictions)
    rank[by_plot] = np.arange(len(by_plot)) - start_of_own_plot
    return rank


def _is_same_plot(table: OverlapTable, plots: tuple[ArrayLike, ArrayLike] | None) -> Bools:
    """Return the mask (n,) of the table's pairs whose instances belong to the same plot.

    Args:
        table: overlap table of n pairs of T targets and P predictions.
        plots: (T,) and (P,) numbers of the plots; None if all instances belong to one plot.

    Raises:
        InputError: if an array has another length than there are targets or predictions.
    """
    if plots is None:
        return np.ones(len(table.target), dtype=bool)
    target_plots = np.asarray(plots[0])
    prediction_plots = np.asarray(plots[1])
    has_target_plots = target_plots.shape == table.target_size.shape
    has_prediction_plots = prediction_plots.shape == table.prediction_size.shape
    if not (has_target_plots and has_prediction_plots):
        raise InputError(
            "plots.number_missing",
            "Every target and every prediction needs the number of its plot.",
        )
    return np.asarray(target_plots[table.target] == prediction_plots[table.prediction])


class _Judgement(NamedTuple):
    """Predictions in COCO's order, judged at one IoU threshold."""

    #: (S,) target that each prediction finds; NO_MATCH for none.
    target: Ints
    #: (S,) True for false positives; predictions on ignored regions are neither.
    is_false: Bools

    @property
    def is_true(self) -> Bools:
        """(S,) True for true positives."""
        is_true: Bools = self.target != NO_MATCH
        return is_true

    def take(self, rows: Array) -> _Judgement:
        """Return the judgement of the predictions in ``rows``, or in a mask (S,)."""
        return _Judgement(self.target[rows], self.is_false[rows])


def _judge_at_thresholds(
    ranked: _RankedPredictions, thresholds: Iterable[float]
) -> Iterator[_Judgement]:
    """Match predictions in COCO's order at each of several IoU thresholds.

    Args:
        ranked: the sorted predictions.
        thresholds: minimum IoU of a match; none is below that of the pairs.

    Yields:
        The judgement at each threshold.
    """
    # Pairs without a rival are matches at each threshold that they reach, in any order.
    is_free = occurs_once(ranked.rank) & occurs_once(ranked.target)
    free = np.flatnonzero(is_free)
    contested = np.flatnonzero(~is_free)
    ignored_share = ranked.ignored_share[ranked.order]
    has_ignored = bool(ignored_share.any())
    for threshold in thresholds:
        matched_pairs = free[reaches(ranked.iou[free], threshold)]
        if len(contested):
            rivals = contested[reaches(ranked.iou[contested], threshold)]
            winners = rivals[select_greedily(ranked.rank[rivals], ranked.target[rivals])]
            matched_pairs = np.append(matched_pairs, winners)
        target_of_prediction = np.full(len(ranked.order), NO_MATCH)
        target_of_prediction[ranked.rank[matched_pairs]] = ranked.target[matched_pairs]
        is_false = target_of_prediction == NO_MATCH
        if has_ignored:
            is_false &= ~reaches(ignored_share, threshold)
        yield _Judgement(target_of_prediction, is_false)


def _find_decisive_ties(
    ranked: _RankedPredictions, judgement: _Judgement, max_detections: int
) -> Bools:
    """Return the predictions with equal scores whose order changes average precision.

    Average precision is highest if the true positives come first among equal scores, and lowest if
    they come last.

    Args:
        ranked: the sorted predictions.
        judgement: their judgement at one IoU threshold.
        max_detections: maximum number of predictions per plot.

    Returns:
        (S,) mask of the predictions that share their score with another result; all False if
        average precision is the same in each order.
    """
    n_levels = int(ranked.level[-1]) + 1 if len(ranked.level) else 0
    has_true = np.bincount(ranked.level[judgement.is_true], minlength=n_levels) > 0
    has_false = np.bincount(ranked.level[judgement.is_false], minlength=n_levels) > 0
    is_mixed = (has_true & has_false)[ranked.level]
    if not is_mixed.any():
        return is_mixed
    precisions = []
    # Among equal scores, first the false positives come last, then the true ones.
    for comes_last in (~judgement.is_true, judgement.is_true):
        rows = np.lexsort((comes_last, ranked.level))
        predictions = ranked.order[rows]
        rank_in_plot = _ranks_in_plots(predictions, ranked.plot)[predictions]
        evaluated = judgement.take(rows[rank_in_plot < max_detections])
        precisions.append(_average_precision(evaluated, ranked.n_targets))
    highest, lowest = precisions
    depends_on_order = highest - lowest > SCORE_TOLERANCE
    return is_mixed & (judgement.is_true | judgement.is_false) & depends_on_order


def _average_precision(judgement: _Judgement, n_targets: int) -> float:
    """Return COCO's average precision of judged predictions; NaN without any targets.

    It is the mean over :data:`COCO_RECALL_LEVELS` of the highest precision at this or a higher
    recall, 0 where the recall is not reached.

    Args:
        judgement: the predictions in COCO's order.
        n_targets: number of targets.
    """
    if n_targets == 0:
        return np.nan
    n_true = np.cumsum(judgement.is_true).astype(float)
    n_false = np.cumsum(judgement.is_false).astype(float)
    recall = n_true / n_targets
    # As in pycocotools, the smallest number keeps the denominator above 0.
    precision = n_true / (n_false + n_true + np.spacing(1))
    # The highest precision at this or a higher recall is the running maximum from the end.
    highest_precision = np.maximum.accumulate(precision[::-1])[::-1]
    first_rows = np.searchsorted(recall, COCO_RECALL_LEVELS, side="left")
    # Levels that the recall does not reach get the appended 0.
    precision_at_levels = np.append(highest_precision, 0.0)[first_rows]
    return float(precision_at_levels.mean())
