"""Certainty of a ranking of detectors by mean average precision over classes (mAP)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Bools, Floats, Ints, random_generator, split_range
from randcrowns.core.classes.within import split_by_class
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.bootstrap import (
    BootstrapRanking,
    assign_crown_units,
    counted_units,
    draw_annotators,
    draw_multiplicities,
    mean_over_annotators,
    sum_weights,
)
from randcrowns.core.detectors.crown_ranking import ClassMatches, CrownMatches
from randcrowns.core.instances.average_precision import (
    COCO_RECALL_LEVELS,
    CocoMatches,
    coco_matches,
)
from randcrowns.core.instances.matching import NO_MATCH
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress

#: Largest number of values (detections times resamples) in memory at a time.
_CELLS = 2_000_000


def find_class_matches(
    judged: CrownMatches,
    overlap: OverlapTable,
    targets: Crowns,
    detections: Crowns,
    scores: Floats,
    detection_rows: Ints,
    *,
    plots: tuple[Ints, Ints] | None = None,
    ignored_share: Floats | None = None,
) -> list[ClassMatches]:
    """Return the matches of a detector in each class of an annotator.

    Args:
        judged: names of both, and rows of the annotator's crowns that are judged.
        overlap: overlap table of the T judged crowns of the annotator and P of the detector.
        targets: the annotator's judged crowns.
        detections: the detector's judged crowns.
        scores: (P,) the detector's own scores.
        detection_rows: (P,) rows of the judged crowns among all of the detector.
        plots: plot numbers of the annotator's crowns, (T,), and of the detector's, (P,).
        ignored_share: (P,) largest share of each crown that lies on one ignored area.

    Returns:
        The matches of each class with a crown of the annotator; none if a side has no classes.
    """
    if targets.classes is None or detections.classes is None:
        return []
    matches = []
    for part in split_by_class(overlap, targets.classes, detections.classes):
        if not len(part.reference):
            continue
        plots_of_class = None
        if plots is not None:
            target_plots, detection_plots = plots
            plots_of_class = (target_plots[part.reference], detection_plots[part.predicted])
        matches_in_class = coco_matches(
            part.table,
            scores[part.predicted],
            plots=plots_of_class,
            ignored_share=None if ignored_share is None else ignored_share[part.predicted],
        )
        # From numbers in the class to rows of all crowns of the layers.
        class_target_rows = judged.targets[part.reference]
        class_detection_rows = detection_rows[part.predicted]
        by_threshold = []
        for match in matches_in_class:
            prediction_rows = class_detection_rows[match.prediction]
            by_threshold.append(
                CocoMatches(prediction_rows, _rows_of_targets(match, class_target_rows))
            )
        matches.append(
            ClassMatches(
                detector=judged.detector,
                truth=judged.truth,
                label=part.label,
                targets=class_target_rows,
                by_threshold=by_threshold,
            )
        )
    return matches


def _rows_of_targets(match: CocoMatches, target_rows: Ints) -> Ints:
    """Return the rows among the annotator's crowns that a match finds; NO_MATCH for none.

    Args:
        match: matches with the numbers of crowns in their class.
        target_rows: (m,) rows of the crowns of the class.
    """
    rows = np.full(len(match.target), NO_MATCH)
    is_match = match.target != NO_MATCH
    rows[is_match] = target_rows[match.target[is_match]]
    return rows


def resample_class_ranking(
    classes: pd.DataFrame,
    matches: Sequence[ClassMatches],
    crowns_by_name: Mapping[str, Crowns],
    tile_side: float,
    resamples: int,
    progress: Progress = no_progress,
    *,
    seed: int = 0,
) -> BootstrapRanking | None:
    """Rank detectors by mAP in bootstrap samples of annotators and of plots, or else square tiles.

    The value of a detector is the mean over the drawn annotators of its mAP: the mean over the
    classes with a crown of the annotator in the resample. Crowns are matched once, in the original
    scene. A match counts in the unit of its target, a false positive in its own unit.

    Args:
        classes: average precision by class, see
            :func:`randcrowns.core.detectors.class_precision.rank_class_rows`.
        matches: matches of each detector, annotator and class.
        crowns_by_name: crowns of the annotators and of the detectors, by name.
        tile_side: side of the tiles that are resampled, m, if the crowns have no plots.
        resamples: number of bootstrap samples; 0 for none.
        progress: receives the fraction done; may raise to cancel.
        seed: seed of the random numbers; the same seed gives the same result.

    Returns:
        The bootstrap samples; None without any, or if fewer than two detectors are ranked.
    """
    table = mean_precision_table(classes)
    if not resamples or len(table) < 2:
        return None
    detectors = list(table.index)
    annotators = list(table.columns)
    counted_matches = [
        class_matches
        for class_matches in matches
        if class_matches.detector in detectors and class_matches.truth in annotators
    ]
    units, are_plots = assign_crown_units(crowns_by_name, tile_side)
    unit_numbers = counted_units(counted_matches, units)

    rng = random_generator(seed)
    unit_draws = draw_multiplicities(unit_numbers.size, resamples, rng)
    annotator_draws = draw_annotators(annotators, resamples, rng)
    shape = (len(detectors), resamples, len(annotators))
    precision_sums = np.zeros(shape)
    n_classes = np.zeros(shape)
    for class_matches, class_progress in iterate_with_progress(counted_matches, progress):
        precision = _resampled_class_precision(
            class_matches,
            target_unit=np.searchsorted(unit_numbers, units[class_matches.truth]),
            detection_unit=np.searchsorted(unit_numbers, units[class_matches.detector]),
            times=unit_draws.T,
            progress=class_progress,
        )
        detector_row = detectors.index(class_matches.detector)
        annotator_column = annotators.index(class_matches.truth)
        is_defined = ~np.isnan(precision)
        precision_sums[detector_row, is_defined, annotator_column] += precision[is_defined]
        n_classes[detector_row, is_defined, annotator_column] += 1
    # 0/0 is NaN: the annotator has no crown in the resample.
    with np.errstate(invalid="ignore"):
        mean_precision = precision_sums / n_classes
    means = mean_over_annotators(mean_precision, annotator_draws)
    return BootstrapRanking(
        estimate=table.mean(axis=1),
        resamples=pd.DataFrame(means.T, columns=detectors),
        annotator_counts=annotator_draws,
        n_tiles=int(unit_numbers.size),
        tile_kind="plots" if are_plots else "tiles",
    )


def mean_precision_table(classes: pd.DataFrame) -> pd.DataFrame:
    """Return the mAP of each detector (row) under each annotator (column), without empty ones.

    Args:
        classes: average precision by class, see
            :func:`randcrowns.core.detectors.class_precision.rank_class_rows`.

    Returns:
        A row per detector and a column per annotator; NaN where no mAP is defined.
    """
    means = classes[(classes["kind"] == "mean") & classes["ap"].notna()]
    detectors = list(dict.fromkeys(means["detector"]))
    annotators = list(dict.fromkeys(means["truth"]))
    table = pd.DataFrame(index=detectors, columns=annotators, dtype=float)
    for detector, truth, value in zip(means["detector"], means["truth"], means["ap"]):
        table.loc[detector, truth] = value
    return cast("pd.DataFrame", table)


def _resampled_class_precision(
    class_matches: ClassMatches,
    target_unit: Ints,
    detection_unit: Ints,
    times: Floats,
    progress: Progress,
) -> Floats:
    """Compute COCO's average precision of a detector in a class in several resamples.

    Args:
        class_matches: matches in the class.
        target_unit: unit of each crown of the annotator, a row of ``times``.
        detection_unit: unit of each crown of the detector, a row of ``times``.
        times: (units, resamples) how often each unit was drawn.
        progress: called with the fraction done.

    Returns:
        (resamples,) means over the IoU thresholds; NaN for a resample without a target.
    """
    n_resamples = times.shape[1]
    n_targets = np.bincount(target_unit[class_matches.targets], minlength=len(times)) @ times
    n_thresholds = len(class_matches.by_threshold)
    precision_sums = np.zeros(n_resamples)
    for matches, threshold_progress in iterate_with_progress(
        list(class_matches.by_threshold), progress
    ):
        is_match = matches.target != NO_MATCH
        unit_of_target = target_unit[matches.target]
        unit_of_detection = detection_unit[matches.prediction]
        counting_unit = np.where(is_match, unit_of_target, unit_of_detection)
        # The memory holds a number per match and resample.
        resamples_per_part = max(1, _CELLS // (np.count_nonzero(is_match) + 1))
        for part in split_range(n_resamples, resamples_per_part):
            precision_sums[part] += _precision_at_recalls(
                is_match, counting_unit, times[:, part], n_targets[part]
            )
            threshold_progress(part.stop / n_resamples)
    return np.where(n_targets > 0, precision_sums / n_thresholds, np.nan)


def _precision_at_recalls(is_match: Bools, unit: Ints, times: Floats, n_targets: Floats) -> Floats:
    """Return the mean over COCO's recall levels of the highest precision at this recall or more.

    Recall rises only at matches. False positives between two matches are added to the second one.

    Args:
        is_match: (n,) True for true positives, in the order of falling scores.
        unit: (n,) unit of each detection, a row of ``times``.
        times: (units, R) how often each unit was drawn.
        n_targets: (R,) number of targets in each resample.

    Returns:
        (R,) average precision; 0 for a resample without a target.
    """
    n_matches = np.count_nonzero(is_match)
    if not n_matches:
        return np.zeros(len(n_targets))
    # Number of matches before each detection; a match and the false positives before it share one.
    match_of_detection: Ints = np.cumsum(is_match) - is_match
    # False positives after the last match fall into one more row, which is dropped.
    shape = (n_matches + 1, len(times))
    match_weights = sum_weights(match_of_detection, unit, is_match.astype(float), shape)
    all_weights = sum_weights(match_of_detection, unit, np.ones(is_match.size), shape)
    # (matches, R) numbers up to each match.
    n_true = np.cumsum(match_weights @ times, axis=0)[:-1]
    n_detections = np.cumsum(all_weights @ times, axis=0)[:-1]
    # As in pycocotools, the smallest number keeps the denominator above 0.
    precision = n_true / (n_detections + np.spacing(1))
    # The highest precision at this or a later match is the running maximum from the end.
    highest_precision = np.maximum.accumulate(precision[::-1], axis=0)[::-1]
    recall = n_true / np.maximum(n_targets, 1.0)
    # Number of recall levels that are reached at each match.
    n_reached = np.searchsorted(COCO_RECALL_LEVELS, recall, side="right")
    n_gained = np.diff(n_reached, axis=0, prepend=0)
    return cast("Floats", (highest_precision * n_gained).sum(axis=0) / len(COCO_RECALL_LEVELS))
