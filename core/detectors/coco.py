"""COCO metrics of every detector's crowns under every annotator, and results per IoU threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.class_bootstrap import find_class_matches
from randcrowns.core.detectors.class_precision import (
    PRECISION_METRICS,
    class_rows,
    rank_class_rows,
)
from randcrowns.core.detectors.crown_ranking import ClassMatches, CrownMatches, CrownRanking
from randcrowns.core.instances.average_precision import (
    COCO_METRICS,
    coco_metrics,
    point_recall,
    threshold_table,
)
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.messages import Message, abbreviate, info, note
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress

_KEYS = ["detector", "truth"]
#: Maximum number of detectors in a message.
_MAX_DETECTORS = 5


class CocoResults(NamedTuple):
    """COCO metrics of detectors under annotators."""

    #: One row per detector and annotator: columns detector, truth and those of
    #: :data:`randcrowns.core.instances.average_precision.COCO_METRICS`; NaN where the ranking has
    #: no value.
    metrics: pd.DataFrame
    #: One row per detector, annotator and IoU threshold: columns detector, truth and those of
    #: :func:`randcrowns.core.instances.average_precision.threshold_table`.
    thresholds: pd.DataFrame
    #: By detector, number of detections after the 100th of their plot, the maximum over annotators;
    #: only detectors that have any.
    n_beyond_limit: dict[str, int]
    #: Average precision by class with ranks, see
    #: :func:`randcrowns.core.detectors.class_precision.rank_class_rows`; empty without classes.
    classes: pd.DataFrame
    #: By detector, number of detections with equal scores whose order changes average precision,
    #: of all crowns or of those of one class, the maximum over annotators; only above 0.
    n_tied: dict[str, int]
    #: Matches of each class that these values are computed from; empty without classes.
    class_matches: tuple[ClassMatches, ...] = ()

    def with_point_recall(
        self, points: Objects, crowns_by_detector: Mapping[str, Crowns]
    ) -> CocoResults:
        """Return the results with the column ``point_recall`` in the metrics.

        Args:
            points: points measured in the field.
            crowns_by_detector: crowns of each detector by name.
        """
        recalls = {
            name: point_recall(points, crowns)[1] for name, crowns in crowns_by_detector.items()
        }
        metrics = self.metrics.assign(point_recall=self.metrics["detector"].map(recalls))
        return self._replace(metrics=metrics)

    @property
    def messages(self) -> list[Message]:
        """Messages about detections that do not count, and about equal scores."""
        messages = []
        if self.n_beyond_limit:
            messages.append(
                note(
                    "crowns.beyond",
                    "COCO's AP and AR use the 100 detections of highest score in each plot. Number "
                    "of the others: {detectors}. The thresholds side by side use all detections.",
                    detectors=_detectors_with_counts(self.n_beyond_limit),
                )
            )
        if self.n_tied:
            messages.append(
                note(
                    "crowns.tied",
                    "Detections with equal scores, whose order changes COCO's AP: {detectors}. "
                    "They count by plot, then from west to east.",
                    detectors=_detectors_with_counts(self.n_tied),
                )
            )
        return messages


def _detectors_with_counts(counts: Mapping[str, int]) -> tuple[Any, ...] | Message:
    """Return the first detectors with their numbers as the value of a message."""
    detectors = []
    for name, count in counts.items():
        detectors.append(info("list.counted", "{name} ({number:,})", name=name, number=count))
    return abbreviate(detectors, max_items=_MAX_DETECTORS)


def compute_coco_metrics(
    ranking: CrownRanking,
    targets: Mapping[str, Crowns],
    detections: Mapping[str, tuple[Crowns, Floats]],
    *,
    all_drawn: bool = True,
    on_ignored: Mapping[str, Floats] | None = None,
    progress: Progress = no_progress,
) -> CocoResults:
    """Compute COCO metrics for the crowns of a ranking; plots take the place of images.

    Crowns that the ranking does not judge do not count. The exception are crowns on ignored areas,
    which COCO judges separately at each IoU threshold.

    Args:
        ranking: result of :func:`randcrowns.core.detectors.crown_ranking.rank_crown_detectors` for
            the same arguments.
        targets: each annotator's crowns by name.
        detections: each detector's crowns (n), and its own scores of them (n,), by name.
        all_drawn: False if only some of the crowns were drawn; precision is then undefined.
        on_ignored: by detector, (n,) largest share of each crown that lies on one ignored area.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        Metrics, results per IoU threshold, and average precision by class if both sides have
        classes.

    >>> import shapely
    >>> from randcrowns.core.detectors.crown_ranking import rank_crown_detectors
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> targets = {"ann": Crowns([shapely.box(0, 0, 5, 5)])}
    >>> detections = {"all": (targets["ann"], np.array([0.9]))}
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> ranking = rank_crown_detectors(targets, detections, parameters)
    >>> float(round(compute_coco_metrics(ranking, targets, detections).metrics.loc[0, "ap"], 9))
    1.0
    """
    recall = ranking.counts.set_index(_KEYS)["recall"]
    results = {}
    for matches, pair_progress in iterate_with_progress(ranking.matches, progress):
        detector = matches.detector
        crowns, confidence = detections[detector]
        pair = (detector, matches.truth)
        results[pair] = _evaluate_matches(
            matches,
            targets[matches.truth],
            crowns,
            confidence,
            on_ignored=None if on_ignored is None else on_ignored[detector],
            all_drawn=all_drawn,
            has_scores=not np.isnan(recall[pair]),
            progress=pair_progress,
        )
    return _join_results(results)


class _PairResult(NamedTuple):
    """COCO metrics of one detector under one annotator."""

    metrics: dict[str, float]  #: metrics by the names in ``COCO_METRICS``.
    thresholds: pd.DataFrame  #: metrics by IoU threshold.
    classes: pd.DataFrame  #: average precision by class; empty without classes.
    class_matches: list[ClassMatches]  #: matches of each class; empty without classes.
    n_beyond_limit: int  #: number of detections after the 100th of their plot.
    n_tied: int  #: number of detections with equal scores whose order changes average precision.


def _join_results(results: Mapping[tuple[str, str], _PairResult]) -> CocoResults:
    """Return the tables of the results by (detector, annotator)."""
    metric_rows = []
    threshold_tables = []
    class_tables = []
    class_matches: list[ClassMatches] = []
    # Maximum numbers over annotators, by detector.
    n_beyond: dict[str, int] = {}
    n_tied: dict[str, int] = {}
    for (detector, truth), result in results.items():
        names = {"detector": detector, "truth": truth}
        metric_rows.append({**names, **result.metrics})
        threshold_tables.append(result.thresholds.assign(**names))
        class_tables.append(result.classes.assign(**names))
        class_matches += result.class_matches
        n_beyond[detector] = max(n_beyond.get(detector, 0), result.n_beyond_limit)
        n_tied[detector] = max(n_tied.get(detector, 0), result.n_tied)
    thresholds = pd.concat(threshold_tables, ignore_index=True)
    value_columns = thresholds.columns.difference(_KEYS, sort=False)
    return CocoResults(
        metrics=pd.DataFrame(metric_rows, columns=[*_KEYS, *COCO_METRICS]),
        thresholds=thresholds[[*_KEYS, *value_columns]],
        n_beyond_limit={name: count for name, count in n_beyond.items() if count},
        classes=rank_class_rows(pd.concat(class_tables, ignore_index=True)),
        n_tied={name: count for name, count in n_tied.items() if count},
        class_matches=tuple(class_matches),
    )


def _evaluate_matches(
    matches: CrownMatches,
    targets: Crowns,
    crowns: Crowns,
    confidence: Floats,
    *,
    on_ignored: Floats | None,
    all_drawn: bool,
    has_scores: bool,
    progress: Progress,
) -> _PairResult:
    """Compute the COCO metrics of one detector under one annotator.

    Args:
        matches: matches of the ranking, which define the targets and detections that count.
        targets: crowns of the annotator.
        crowns: n crowns of the detector.
        confidence: (n,) their scores.
        on_ignored: (n,) largest share of each crown that lies on one ignored area; None for 0.
        all_drawn: False if only some of the crowns were drawn.
        has_scores: False if all scores are missing. All values that depend on them become NaN.
        progress: receives the fraction done.
    """
    detection_rows = np.sort(np.concatenate([matches.detections, matches.ignored]))
    judged_targets = targets.subset(matches.targets)
    judged_crowns = crowns.subset(detection_rows)
    overlap = polygon_overlap(judged_targets, judged_crowns, progress)
    scores = confidence[detection_rows]
    plots = _plot_numbers(judged_targets, judged_crowns)
    ignored_share = None if on_ignored is None else on_ignored[detection_rows]
    metrics = coco_metrics(
        overlap, scores, plots=plots, ignored_share=ignored_share, all_drawn=all_drawn
    )
    thresholds = threshold_table(
        overlap, scores, plots=plots, ignored_share=ignored_share, all_drawn=all_drawn
    )
    classes = class_rows(
        overlap,
        judged_targets,
        judged_crowns,
        scores,
        plots=plots,
        ignored_share=ignored_share,
        all_drawn=all_drawn,
    )
    if not has_scores:
        return _PairResult(
            metrics=dict.fromkeys(COCO_METRICS, np.nan),
            thresholds=thresholds.assign(ap=np.nan),
            classes=classes.assign(**dict.fromkeys(PRECISION_METRICS, np.nan)),
            class_matches=[],
            n_beyond_limit=metrics.n_beyond_limit,
            n_tied=0,
        )
    class_matches = []
    if all_drawn:
        class_matches = find_class_matches(
            matches,
            overlap,
            judged_targets,
            judged_crowns,
            scores,
            detection_rows,
            plots=plots,
            ignored_share=ignored_share,
        )
    return _PairResult(
        metrics={name: getattr(metrics, name) for name in COCO_METRICS},
        thresholds=thresholds,
        classes=classes,
        class_matches=class_matches,
        n_beyond_limit=metrics.n_beyond_limit,
        n_tied=max([metrics.n_tied, *classes["n_tied"]]),
    )


def _plot_numbers(targets: Crowns, detections: Crowns) -> tuple[Ints, Ints] | None:
    """Return plot numbers in the order of the plots' names, or None if a side has no plots.

    Args:
        targets: T crowns.
        detections: P crowns.

    Returns:
        Number of the plot of each target (T,) and of each detection (P,).
    """
    if targets.plots is None or detections.plots is None:
        return None
    plots_of_both = np.concatenate([targets.plots, detections.plots]).astype(str)
    numbers, _ = pd.factorize(plots_of_both, sort=True)
    n_targets = len(targets)
    return numbers[:n_targets], numbers[n_targets:]
