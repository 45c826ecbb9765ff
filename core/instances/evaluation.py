"""Evaluation of predicted crowns against target crowns: matchings, summary and average precision.

The algorithm of QGIS and the job ``evaluate`` of Python and of the command share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.class_names import class_codes
from randcrowns.core.comparison import check_plots, check_reserved_plots
from randcrowns.core.crowns import Crowns, required_classes
from randcrowns.core.errors import InputError
from randcrowns.core.instances.average_precision import (
    COCO_IOU_THRESHOLDS,
    COCO_METRICS,
    CocoMetrics,
    coco_metrics,
    ignored_shares,
    point_recall,
    subset_table,
    threshold_table,
)
from randcrowns.core.instances.ground import uncertain_polygons
from randcrowns.core.instances.matching import MatchingMethod, match_instances, match_one_to_one
from randcrowns.core.instances.matching_inputs import MatchingInputs
from randcrowns.core.instances.metrics import matched_rates
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.instances.results import InstanceMatches
from randcrowns.core.instances.summary import assign_plots, summarise_instances
from randcrowns.core.messages import Message, abbreviate, info, note, warning
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.core.statistics import interval_messages, plot_codes
from randcrowns.core.status import ALL_PLOTS
from randcrowns.core.thresholds import reaches

#: Templates of messages that are a note or an information.
_HEIGHT_FROM_AREA = "Height, where the tallest target chooses first: area."
_HEIGHT_FROM_FIELD = "Height, where the tallest target chooses first: field {field}."


@dataclass(frozen=True)
class EvaluationOptions:
    """Options of an evaluation.

    Attributes:
        detection_method: name of the method that decides which targets are found.
        segmentation_method: name of the method that decides with which prediction the IoU of a
            target is computed.
        all_drawn: False if unmatched predictions are not judged.
        min_share: an unmatched prediction is uncertain if a smaller share of its area lies on
            targets; 0 for none.
        min_height: an unmatched prediction is uncertain if it is lower, m; 0 for none.
        within_classes: True if only crowns of the same class can match. Crowns without a class
            then match nothing.
    """

    detection_method: str = MatchingMethod.PANOPTIC_SEGMENTATION.value
    segmentation_method: str = MatchingMethod.FOR_AI_NET_COVERAGE.value
    all_drawn: bool = True
    min_share: float = 0.0
    min_height: float = 0.0
    within_classes: bool = False

    @property
    def uses_heights(self) -> bool:
        """True if the tallest target chooses first in one of the methods."""
        methods = (self.detection_method, self.segmentation_method)
        return any(MatchingMethod(method).uses_heights for method in methods)


@dataclass(frozen=True, eq=False)
class CrownAttributes:
    """Attributes of the T targets and P predictions that an evaluation uses, where there are any.

    Attributes:
        height_field: name of the field with heights; "" for none.
        target_heights: (T,) heights, NaN where missing; None without a field.
        prediction_heights: (P,) heights; None without a field.
        score_field: name of the field with scores; "" for none.
        scores: (P,) scores, NaN where missing; None without a field.
        ignored: areas to ignore; None for none.
    """

    height_field: str = ""
    target_heights: Floats | None = None
    prediction_heights: Floats | None = None
    score_field: str = ""
    scores: Floats | None = None
    ignored: Crowns | None = None


class EvaluatedPlots(NamedTuple):
    """Plots of targets and predictions."""

    targets: Objects | None  #: (T,) plots; None without a plot field.
    predictions: Objects | None  #: (P,) plots; None without a plot field.


@dataclass(frozen=True)
class CrownEvaluation:
    """Results of the evaluation of predicted crowns."""

    matches: InstanceMatches  #: matchings of the crowns.
    summary: pd.DataFrame  #: counts and metrics, one row for all crowns, then one per plot.
    thresholds: pd.DataFrame  #: counts and metrics, one row per IoU threshold.
    heights: Floats | None  #: (T,) heights of the targets; None without a height field.
    plots: EvaluatedPlots  #: plots of targets and predictions.
    comparison_messages: list[Message]  #: messages about crowns that cannot be compared.
    metric_messages: list[Message]  #: messages about intervals, heights and average precision.
    uncertain_messages: list[Message]  #: messages about predictions that are not judged.


def evaluate_crowns(
    targets: Crowns,
    predictions: Crowns,
    options: EvaluationOptions,
    attributes: CrownAttributes,
    *,
    is_same_layer: bool = False,
    progress: Progress = no_progress,
) -> CrownEvaluation:
    """Match predictions with targets, and compute the summary and the average precision.

    Args:
        targets: crowns to be found.
        predictions: crowns that a method predicted.
        options: methods and limits.
        attributes: heights and scores of the crowns, and areas to ignore.
        is_same_layer: True if both are the same features of one layer, which a message reports.
        progress: receives the fraction done.

    Raises:
        InputError: if a method uses heights, but a target has none; or if crowns are to match
            within classes, but one side has no classes.

    >>> import shapely
    >>> trees = Crowns([shapely.box(0, 0, 4, 4), shapely.box(9, 0, 13, 4)])
    >>> found = Crowns([shapely.box(0, 0, 4, 3)])
    >>> evaluation = evaluate_crowns(trees, found, EvaluationOptions(), CrownAttributes())
    >>> evaluation.summary[["tp", "fp", "fn"]].to_numpy(dtype=int).tolist()
    [[1, 0, 1]]
    """
    overlap = polygon_overlap(targets, predictions, subprogress(progress, 0.0, 0.6))
    height_message = _check_heights(targets, options, attributes)
    inputs = MatchingInputs.of_crowns(targets, predictions, attributes.target_heights)
    plots = _plots_of(targets, predictions, overlap)
    ignored_share = None
    if attributes.ignored is not None:
        ignored_share = ignored_shares(attributes.ignored, predictions)
    is_uncertain, uncertain_messages = _find_uncertain(
        targets, predictions, overlap, options, attributes, ignored_share
    )
    if options.within_classes:
        overlap = _pairs_of_one_class(overlap, targets, predictions)
    detection = match_one_to_one(
        overlap, options.detection_method, inputs, subprogress(progress, 0.6, 0.65)
    )
    segmentation = match_instances(
        overlap, options.segmentation_method, inputs, subprogress(progress, 0.65, 0.7)
    )
    matches = InstanceMatches(
        table=overlap,
        detection=detection,
        segmentation=segmentation,
        target_ids=targets.ids,
        prediction_ids=predictions.ids,
        uncertain=is_uncertain,
        all_drawn=options.all_drawn,
    )

    counts = _summarise_matches(matches, plots, subprogress(progress, 0.7, 1.0))
    row_plots = _plots_of_rows(plots)[: len(counts)]
    precision = _average_precision(
        overlap, attributes, plots, row_plots, ignored_share, options.all_drawn
    )

    ious = np.nan_to_num(matched_rates(overlap, segmentation)[0])
    target_plots = None if plots.targets is None else plot_codes(plots.targets)
    metric_messages = [
        *interval_messages(ious, target_plots),
        height_message,
        *check_reserved_plots(row_plots[1:]),
        *precision.messages,
    ]
    return CrownEvaluation(
        matches=matches,
        summary=pd.concat([counts, precision.coco], axis=1),
        thresholds=precision.thresholds,
        heights=attributes.target_heights,
        plots=plots,
        comparison_messages=_comparison_messages(targets, predictions, overlap, is_same_layer),
        metric_messages=metric_messages,
        uncertain_messages=uncertain_messages,
    )


def with_point_recall(
    evaluation: CrownEvaluation, points: Objects, predictions: Crowns, name: str
) -> tuple[pd.DataFrame, Message]:
    """Return the summary with the share of field points that lie in a prediction, and a message.

    Args:
        evaluation: the evaluation.
        points: points measured in the field.
        predictions: predicted crowns.
        name: name of the layer of the points.

    Returns:
        The summary with the column ``point_recall``, NaN for plots; and the numbers of points.
    """
    is_inside, recall = point_recall(points, predictions)
    message = info(
        "points.inside",
        "{inside:,} of {count:,} points of layer '{layer}' lie in a predicted crown.",
        inside=int(is_inside.sum()),
        count=len(is_inside),
        layer=name,
    )
    # Only the first row, of all crowns, has a share.
    recall_of_rows = np.full(len(evaluation.summary), np.nan)
    recall_of_rows[0] = recall
    return evaluation.summary.assign(point_recall=recall_of_rows), message


class _AveragePrecision(NamedTuple):
    """Average precision and results at IoU thresholds."""

    coco: pd.DataFrame  #: COCO's metrics, one row per row of the summary.
    thresholds: pd.DataFrame  #: counts and metrics, one row per IoU threshold.
    messages: list[Message]  #: messages about scores and excluded predictions.


def _check_heights(
    targets: Crowns, options: EvaluationOptions, attributes: CrownAttributes
) -> Message:
    """Check the heights by which the tallest target chooses first, and return their source.

    Without a height field, the areas replace them. The message is a note if a method uses them.

    Raises:
        InputError: if a method uses the heights, but a target has none.
    """
    heights = attributes.target_heights
    if heights is None:
        if options.uses_heights:
            return note("height.area", _HEIGHT_FROM_AREA)
        return info("height.area", _HEIGHT_FROM_AREA)
    is_missing = np.isnan(heights)
    if is_missing.any() and options.uses_heights:
        raise InputError(
            "height.missing",
            "Field '{field}' has no height for the targets {ids}. Fill it in, or leave the height "
            "field empty.",
            field=attributes.height_field,
            ids=abbreviate(targets.ids[is_missing].tolist()),
        )
    field = attributes.height_field
    if options.uses_heights:
        return note("height.field", _HEIGHT_FROM_FIELD, field=field)
    return info("height.field", _HEIGHT_FROM_FIELD, field=field)


def _plots_of(targets: Crowns, predictions: Crowns, overlap: OverlapTable) -> EvaluatedPlots:
    """Return the plots of targets and predictions.

    If only the targets have plots, a prediction gets the plot of the target with which it shares
    most, or of the nearest target.
    """
    if targets.plots is not None and predictions.plots is None:
        return EvaluatedPlots(targets.plots, assign_plots(targets, predictions, overlap))
    return EvaluatedPlots(targets.plots, predictions.plots)


def _pairs_of_one_class(
    overlap: OverlapTable, targets: Crowns, predictions: Crowns
) -> OverlapTable:
    """Return the overlap table with the pairs of crowns of the same class only.

    Args:
        overlap: overlap table of T targets and P predictions.
        targets: the T targets, with classes.
        predictions: the P predictions, with classes.

    Raises:
        InputError: if the targets or the predictions have no classes.
    """
    target_codes, prediction_codes = class_codes(
        required_classes(targets), required_classes(predictions)
    )
    target_class = target_codes[overlap.target]
    prediction_class = prediction_codes[overlap.prediction]
    has_class = target_class >= 0
    return overlap.select_pairs(has_class & (target_class == prediction_class))


def _find_uncertain(
    targets: Crowns,
    predictions: Crowns,
    overlap: OverlapTable,
    options: EvaluationOptions,
    attributes: CrownAttributes,
    ignored_share: Floats | None,
) -> tuple[Bools | None, list[Message]]:
    """Find the predictions that are no false positives if they are unmatched.

    Args:
        targets: target crowns.
        predictions: predicted crowns.
        overlap: overlap table of both.
        options: limits below which a prediction is uncertain.
        attributes: heights of the predictions.
        ignored_share: (P,) largest share of each prediction that lies on one area to ignore; None
            without such areas.

    Returns:
        (P,) mask of them, None if nothing makes one uncertain; and messages.
    """
    is_ignored = None
    messages = []
    if ignored_share is not None:
        is_ignored = reaches(ignored_share, COCO_IOU_THRESHOLDS[0])
        on_ignored = info(
            "instances.on_ignored",
            "{count:,} predictions lie on areas to ignore with at least half of their area. "
            "Without a target, they are uncertain.",
            one="1 prediction lies on an area to ignore with at least half of its area. "
            "Without a target, it is uncertain.",
            count=int(is_ignored.sum()),
        )
        messages.append(on_ignored)
    if not (options.min_share > 0 or options.min_height > 0):
        return is_ignored, messages

    heights = np.full(len(predictions), np.nan)
    if options.min_height > 0:
        if attributes.prediction_heights is not None:
            heights = attributes.prediction_heights
        messages += _unknown_height_messages(heights)
    is_uncertain = uncertain_polygons(
        targets.geometry,
        predictions.geometry,
        table=overlap,
        min_share=options.min_share,
        heights=heights,
        min_height=options.min_height,
    )
    if is_ignored is not None:
        is_uncertain = is_uncertain | is_ignored
    return is_uncertain, messages


def _unknown_height_messages(heights: Floats) -> list[Message]:
    """Return a message about predictions without a height; none if all have one."""
    n_unknown = int(np.isnan(heights).sum())
    if not n_unknown:
        return []
    return [
        note(
            "instances.no_height",
            "{count:,} predictions have no height in the height field; these count as high enough.",
            count=n_unknown,
        )
    ]


def _summarise_matches(
    matches: InstanceMatches, plots: EvaluatedPlots, progress: Progress
) -> pd.DataFrame:
    """Return counts and metrics: a row for all crowns, then one per named plot.

    Args:
        matches: matchings of targets and predictions.
        plots: plots of both; crowns without a plot count in the first row only.
        progress: receives the fraction done.
    """
    target_plots = None if plots.targets is None else plots.targets.tolist()
    prediction_plots = None if plots.predictions is None else plots.predictions.tolist()
    summary = summarise_instances(
        matches.table,
        matches.detection,
        matches.segmentation,
        uncertain=matches.uncertain,
        target_plots=target_plots,
        prediction_plots=prediction_plots,
        all_drawn=matches.all_drawn,
        progress=progress,
    )
    is_named = summary["plot"].notna()
    return cast("pd.DataFrame", summary[is_named].reset_index(drop=True))


def _plots_of_rows(plots: EvaluatedPlots) -> list[Any]:
    """Return the plots of the rows of a summary: all crowns, then the plots sorted as text.

    A summary labels a plot named like all crowns otherwise.
    """
    if plots.targets is None or plots.predictions is None:
        return [ALL_PLOTS]
    names = {*plots.targets.tolist(), *plots.predictions.tolist()}
    names.discard(None)
    return [ALL_PLOTS, *sorted(names, key=str)]


def _average_precision(
    overlap: OverlapTable,
    attributes: CrownAttributes,
    plots: EvaluatedPlots,
    summary_plots: list[Any],
    ignored_share: Floats | None,
    all_drawn: bool,
) -> _AveragePrecision:
    """Compute COCO's metrics and the results at IoU thresholds.

    Args:
        overlap: overlap table of targets and predictions.
        attributes: scores of the predictions.
        plots: plots of targets and predictions.
        summary_plots: first column of the summary: a name for all crowns, then the plots.
        ignored_share: (P,) largest share of each prediction that lies on one area to ignore; None
            without such areas.
        all_drawn: False if unmatched predictions are not judged.

    Returns:
        The metrics; those of COCO are NaN without scores.
    """
    scores = attributes.scores
    codes = _codes_of_plots(plots)
    thresholds = threshold_table(
        overlap, scores, plots=codes, ignored_share=ignored_share, all_drawn=all_drawn
    )
    if scores is None:
        coco = pd.DataFrame(np.nan, index=range(len(summary_plots)), columns=list(COCO_METRICS))
        message = info("ap.no_score", "AP is n/a: the predictions have no field with a score.")
        return _AveragePrecision(coco, thresholds, [message])

    overall = coco_metrics(
        overlap, scores, plots=codes, ignored_share=ignored_share, all_drawn=all_drawn
    )
    metrics_by_row = [overall]
    for plot in summary_plots[1:]:
        is_target = plots.targets == plot
        is_prediction = plots.predictions == plot
        plot_shares = None if ignored_share is None else ignored_share[is_prediction]
        plot_metrics = coco_metrics(
            subset_table(overlap, is_target, is_prediction),
            scores[is_prediction],
            ignored_share=plot_shares,
            all_drawn=all_drawn,
        )
        metrics_by_row.append(plot_metrics)
    columns = {}
    for name in COCO_METRICS:
        columns[name] = [getattr(metrics, name) for metrics in metrics_by_row]
    coco = pd.DataFrame(columns)
    source = info("ap.score", "AP: scores of field {field}.", field=attributes.score_field)
    return _AveragePrecision(coco, thresholds, [source, *_precision_messages(overall)])


def _codes_of_plots(plots: EvaluatedPlots) -> tuple[Ints, Ints] | None:
    """Return plot numbers of the targets (T,) and of the predictions (P,); None without plots.

    The numbers follow the order of the plots' names.
    """
    if plots.targets is None or plots.predictions is None:
        return None
    names = np.concatenate([plots.targets, plots.predictions]).astype(str)
    codes, _ = pd.factorize(names, sort=True)
    n_targets = len(plots.targets)
    return codes[:n_targets], codes[n_targets:]


def _precision_messages(metrics: CocoMetrics) -> list[Message]:
    """Return messages about predictions that AP does not use, and about equal scores."""
    messages = []
    if metrics.n_beyond_limit:
        messages.append(
            note(
                "ap.beyond",
                "AP and AR use the 100 predictions with the highest scores in each plot, as COCO "
                "does; {count:,} come after them. The thresholds side by side use all.",
                count=metrics.n_beyond_limit,
            )
        )
    if metrics.n_unscored:
        messages.append(
            note(
                "ap.unscored",
                "{count:,} predictions have no score and are excluded from AP.",
                one="1 prediction has no score and is excluded from AP.",
                count=metrics.n_unscored,
            )
        )
    if metrics.n_tied:
        messages.append(
            note(
                "ap.tied",
                "{count:,} predictions share their score with others, and their order changes AP. "
                "They count by plot, then from west to east.",
                count=metrics.n_tied,
            )
        )
    return messages


def _comparison_messages(
    targets: Crowns, predictions: Crowns, overlap: OverlapTable, is_same_layer: bool
) -> list[Message]:
    """Return messages about plots that are not compared, and warnings about useless results.

    Args:
        targets: T targets.
        predictions: P predictions.
        overlap: their overlap table.
        is_same_layer: True if both are the same layer.
    """
    messages = check_plots([targets], [predictions])
    if any(message.is_warning for message in messages):
        return messages
    if is_same_layer:
        messages.append(
            warning(
                "instances.same_layer",
                "Targets and predictions are the same layer, so the results do not show how good "
                "the predictions are. Choose two different layers.",
            )
        )
    elif len(targets) and len(predictions) and not len(overlap.shared):
        messages.append(
            warning(
                "instances.no_overlap",
                "No target and prediction overlap. Check the coordinate systems of both layers.",
            )
        )
    return messages
