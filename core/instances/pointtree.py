"""Evaluation of labelled point clouds, with the names and signatures of pointtree's documentation.

Instance ids are integers of any type. The ids of targets and predictions start at the same number and, for matching,
follow one another without gaps; points of no instance have ``invalid_instance_id``. Everything raises
:class:`randcrowns.core.errors.InputError` (a ValueError) for input that cannot be used.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import TracebackType
from typing import Literal, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Ints
from randcrowns.core.errors import InputError
from randcrowns.core.instances.ground import uncertain_predictions
from randcrowns.core.instances.matching import NONE, Matching
from randcrowns.core.instances.metrics import (
    Detection,
    detection,
    detection_metrics,
    segmentation_means,
    segmentation_table,
    semantic_segmentation_metrics,
)
from randcrowns.core.instances.overlap import label_array
from randcrowns.core.instances.partitions import AXES
from randcrowns.core.instances.points import (
    LabelledPoints,
    check_known,
    check_uncertain,
    checked_matches,
    partition_metrics,
    points_array,
    real_number,
    whole_number,
)

__all__ = [
    "PerformanceTracker",
    "Profiler",
    "evaluate_instance_segmentation",
    "instance_detection_metrics",
    "instance_segmentation_metrics",
    "instance_segmentation_metrics_per_partition",
    "match_instances",
    "semantic_segmentation_metrics",
]

MatchingMethod = Literal[
    "panoptic_segmentation",
    "point2tree",
    "for_instance",
    "for_ai_net",
    "for_ai_net_coverage",
    "tree_learn",
]


def evaluate_instance_segmentation(
    xyz: ArrayLike,
    target: ArrayLike,
    prediction: ArrayLike,
    *,
    detection_metrics_matching_method: MatchingMethod = "panoptic_segmentation",
    segmentation_metrics_matching_method: MatchingMethod = "for_ai_net_coverage",
    include_unmatched_instances_in_seg_metrics: bool = True,
    invalid_instance_id: int = -1,
    uncertain_instance_id: int = -2,
    compute_partition_metrics: bool = True,
    num_partitions: int = 10,
) -> tuple[
    pd.DataFrame,
    pd.DataFrame,
    pd.DataFrame | None,
    pd.DataFrame | None,
    pd.DataFrame | None,
    pd.DataFrame | None,
]:
    """Match the instances of a cloud and measure how many were found and how well they were cut out.

    Args:
        xyz: (N, 3) coordinates.
        target, prediction: (N,) instance id of each point.
        detection_metrics_matching_method: how to match for what was found.
        segmentation_metrics_matching_method: how to match for how well it was cut out.
        include_unmatched_instances_in_seg_metrics: whether targets without a prediction count in the latter.
        invalid_instance_id: id of points of no instance.
        uncertain_instance_id: at most the invalid id.
        compute_partition_metrics: whether to measure parts of the trees too.
        num_partitions: number of parts.

    Returns:
        One row of DetectionTP, DetectionFP, DetectionFN, DetectionPrecision, DetectionCommissionError, DetectionRecall,
        DetectionOmissionError, DetectionF1Score, SegmentationMeanIoU, SegmentationMeanPrecision,
        SegmentationMeanRecall; the segmentation metrics of each target; then, or None, the metrics per partition:
        horizontal ones averaged, of each target, vertical ones averaged, of each target.

    Raises:
        InputError: for input that cannot be used.

    >>> xyz, tree = np.random.default_rng(0).random((50, 3)), np.zeros(50, dtype=int)
    >>> evaluate_instance_segmentation(xyz, tree, tree)[0]["DetectionF1Score"].tolist()
    [1.0]
    """
    invalid_instance_id = whole_number(invalid_instance_id, "invalid_instance_id")
    check_uncertain(uncertain_instance_id, invalid_instance_id)
    points = LabelledPoints.of(target, prediction, invalid_instance_id)
    coordinates = points_array(xyz, len(points.targets.labels))
    methods = detection_metrics_matching_method, segmentation_metrics_matching_method
    found, cut = (points.match(method, coordinates) for method in methods)
    rows = segmentation_table(
        points.table,
        cut,
        points.targets.ids,
        points.prediction_ids(cut),
        include_unmatched_instances_in_seg_metrics,
    )
    metrics = {
        f"Detection{name}": value for name, value in detection_metrics(detection(found)).items()
    }
    metrics.update(
        {f"Segmentation{name}": value for name, value in segmentation_means(rows).items()}
    )
    summary = pd.DataFrame([metrics])
    if not compute_partition_metrics:
        return summary, rows, None, None, None, None
    parts = partition_metrics(
        points,
        coordinates,
        cut.prediction,
        AXES,
        include_unmatched_instances_in_seg_metrics,
        num_partitions,
    )
    return (summary, rows, *parts["xy"], *parts["z"])


def instance_detection_metrics(
    target: ArrayLike,
    prediction: ArrayLike,
    matched_predicted_ids: ArrayLike,
    matched_target_ids: ArrayLike,
    *,
    invalid_instance_id: int = -1,
    uncertain_instance_id: int = -2,
) -> dict[str, float]:
    """Count the instances that were found, missed or made up.

    Args:
        target, prediction: (N,) instance id of each point.
        matched_predicted_ids: (T,) id of each target's prediction.
        matched_target_ids: (P,) id of each prediction's target; uncertain ones are no mistake.
        invalid_instance_id: id of points of no instance, and in place of a match.
        uncertain_instance_id: in place of the match of an uncertain prediction; at most the invalid id.

    Returns:
        TP, FP, FN, Precision, CommissionError, Recall, OmissionError, F1Score; 0/0 is NaN.

    Raises:
        InputError: for different lengths or lowest ids, an uncertain id above the invalid one, or a match that is no
            instance.

    >>> instance_detection_metrics([0, 0, 1], [0, 0, -1], [0, -1], [0])["Recall"]
    0.5
    """
    invalid_instance_id = whole_number(invalid_instance_id, "invalid_instance_id")
    check_uncertain(uncertain_instance_id, invalid_instance_id)
    points, of_targets = _matched_points(
        target, prediction, matched_predicted_ids, invalid_instance_id
    )
    points.check_start()
    of_predictions = checked_matches(
        matched_target_ids, len(points.predictions.ids), "matched_target_ids", "predicted"
    )
    no_match = (invalid_instance_id, uncertain_instance_id)
    check_known(of_targets, points.predictions.ids, no_match, "predicted", "a target")
    check_known(of_predictions, points.targets.ids, no_match, "target", "a prediction")
    found = ~np.isin(of_targets, no_match)
    return detection_metrics(
        Detection(
            tp=int(found.sum()),
            fp=int((of_predictions == invalid_instance_id).sum()),
            fn=int((of_targets == invalid_instance_id).sum()),
        )
    )


def instance_segmentation_metrics(
    target: ArrayLike,
    prediction: ArrayLike,
    matched_predicted_ids: ArrayLike,
    *,
    invalid_instance_id: int = -1,
    include_unmatched_instances: bool = True,
) -> tuple[dict[str, float], pd.DataFrame]:
    """Measure how well the targets were cut out.

    Args:
        target, prediction: (N,) instance id of each point.
        matched_predicted_ids: (T,) id of each target's prediction.
        invalid_instance_id: id of points of no instance, and in place of a match.
        include_unmatched_instances: whether targets without a prediction count (IoU 0, precision NaN, recall 0).

    Returns:
        MeanIoU, MeanPrecision, MeanRecall; and per target TargetID, PredictionID, IoU, Precision, Recall.

    Raises:
        InputError: for different lengths or lowest ids, or a match that is no predicted instance.

    >>> instance_segmentation_metrics([0, 0, 1], [0, 0, 1], [0, 1])[0]["MeanIoU"]
    1.0
    """
    points, matches = _matched_points(
        target, prediction, matched_predicted_ids, invalid_instance_id
    )
    if include_unmatched_instances or (matches != invalid_instance_id).any():
        points.check_start()
    matching = _matching(points, matches)
    rows = segmentation_table(
        points.table, matching, points.targets.ids, matches, include_unmatched_instances
    )
    return segmentation_means(rows), rows


def instance_segmentation_metrics_per_partition(
    xyz: ArrayLike,
    target: ArrayLike,
    prediction: ArrayLike,
    matched_predicted_ids: ArrayLike,
    partition: Literal["xy", "z"],
    include_unmatched_instances: bool = True,
    invalid_instance_id: int = -1,
    num_partitions: int = 10,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Measure how well parts of the targets were cut out, by distance to the trunk or by height.

    Args:
        xyz: (N, 3) coordinates.
        target, prediction: (N,) instance id of each point.
        matched_predicted_ids: (T,) id of each target's prediction.
        partition: ``"xy"`` or ``"z"``.
        include_unmatched_instances: whether targets without a prediction count.
        invalid_instance_id: id of points of no instance, and in place of a match.
        num_partitions: number of parts.

    Returns:
        Partition, MeanIoU, MeanPrecision, MeanRecall; and per target and partition TargetID, PredictionID, Partition,
        IoU, Precision, Recall.

    Raises:
        InputError: for another partition, different lengths or lowest ids, or a match that is no predicted instance.

    >>> xyz, tree = np.random.default_rng(0).random((50, 3)), np.zeros(50, dtype=int)
    >>> means, _ = instance_segmentation_metrics_per_partition(xyz, tree, tree, [0], "z", num_partitions=2)
    >>> means["MeanIoU"].tolist()
    [1.0, 1.0]
    """
    if not isinstance(partition, str) or partition not in AXES:
        said = "There is no partition '{partition}'; choose one of {axes}."
        raise InputError(said, partition=partition, axes=", ".join(AXES))
    coordinates = points_array(xyz, len(label_array(target, "target")))
    points, matches = _matched_points(
        target, prediction, matched_predicted_ids, invalid_instance_id
    )
    points.check_start()
    matched = _matching(points, matches).prediction
    return partition_metrics(
        points, coordinates, matched, (partition,), include_unmatched_instances, num_partitions
    )[partition]


def match_instances(
    target: ArrayLike,
    prediction: ArrayLike,
    xyz: ArrayLike,
    method: MatchingMethod,
    *,
    invalid_instance_id: int = -1,
    uncertain_instance_id: int = -2,
    min_tree_height_fp: float = 0.0,
    min_precision_fp: float = 0.0,
    labeled_mask: ArrayLike | None = None,
) -> tuple[Ints, Ints, dict[str, Ints]]:
    """Match target with predicted instances.

    Args:
        target, prediction: (N,) instance id of each point.
        xyz: (N, 3) coordinates.
        method: one of :class:`randcrowns.core.instances.matching.Method`.
        invalid_instance_id: id of points of no instance, and in place of a match.
        uncertain_instance_id: in place of the match of predictions that are no mistake; at most the invalid id.
        min_tree_height_fp: unmatched predictions whose top is less than this above the terrain are uncertain, metres.
        min_precision_fp: unmatched predictions with a smaller share of labelled points than this are uncertain.
        labeled_mask: (N,) which points are labelled; without it those of a target.

    Returns:
        (P,) target id of each prediction; (T,) predicted id of each target; and ``tp``, ``fp``, ``fn`` (T,), points of
        each target and its prediction that are in both, in the prediction only, in the target only.

    Raises:
        InputError: for different lengths or lowest ids, ids with gaps, an invalid id that isn't below them, or an
            unknown method.

    >>> match_instances([0, 0, 1, -1], [0, 0, 1, 1], np.zeros((4, 3)), "for_ai_net")[1].tolist()
    [0, 1]
    """
    invalid_instance_id = whole_number(invalid_instance_id, "invalid_instance_id")
    min_tree_height_fp = real_number(min_tree_height_fp, "min_tree_height_fp")
    min_precision_fp = real_number(min_precision_fp, "min_precision_fp")
    points = LabelledPoints.of(target, prediction, invalid_instance_id)
    coordinates = points_array(xyz, len(points.targets.labels))
    matching = points.match(method, coordinates)
    matched_target_ids = points.target_ids(matching)
    if min_precision_fp > 0 or min_tree_height_fp > 0:
        check_uncertain(uncertain_instance_id, invalid_instance_id)
        unsure = uncertain_predictions(
            points, coordinates, min_tree_height_fp, min_precision_fp, labeled_mask
        )
        matched_target_ids[unsure & (matching.target == NONE)] = uncertain_instance_id
    shared = matching.shared.astype(np.int64)
    found = np.append(points.predictions.size, 0)[matching.prediction]
    counts = {"tp": shared, "fp": found - shared, "fn": points.targets.size - shared}
    return matched_target_ids, points.prediction_ids(matching), counts


def _matched_points(
    target: ArrayLike,
    prediction: ArrayLike,
    matched_predicted_ids: ArrayLike,
    invalid_instance_id: int,
) -> tuple[LabelledPoints, Ints]:
    """The labelled points, and the checked ids of their targets' predictions."""
    points = LabelledPoints.of(
        target, prediction, whole_number(invalid_instance_id, "invalid_instance_id")
    )
    return points, checked_matches(
        matched_predicted_ids, len(points.targets.ids), "matched_predicted_ids", "target"
    )


def _matching(points: LabelledPoints, matches: Ints) -> Matching:
    """The matching in which each target has the prediction of that id."""
    ids = points.predictions.ids
    check_known(matches, ids, (points.invalid_id,), "predicted", "a target")
    prediction = np.where(matches == points.invalid_id, NONE, np.searchsorted(ids, matches))
    shared = np.zeros(len(matches))
    own = prediction[points.table.target] == points.table.prediction
    shared[points.table.target[own]] = points.table.shared[own]
    return Matching(prediction, np.full(len(ids), NONE, dtype=np.int64), shared)


_MEASURES = ("Wallclock Time [s]", "CPU Time [s]", "Memory Usage [GB]", "Memory Increment [GB]")


class PerformanceTracker:
    """Keeps the time and memory that named steps have taken."""

    def __init__(self) -> None:
        self._steps: dict[str, tuple[float, float, float, float]] = {}

    def reset(self) -> None:
        """Forget everything."""
        self._steps = {}

    def save(
        self,
        desc: str,
        wall_clock_time: float,
        cpu_time: float,
        memory_usage: float,
        memory_increment: float,
    ) -> None:
        """Add what a step took to what steps of the same description took before.

        Args:
            desc: what the step does.
            wall_clock_time: seconds on the clock.
            cpu_time: seconds of the processor.
            memory_usage: GB in use at its end.
            memory_increment: GB more than at its start.
        """
        before = self._steps.get(desc, (0.0, 0.0, 0.0, 0.0))
        new = wall_clock_time, cpu_time, memory_usage, memory_increment
        self._steps[desc] = tuple(old + more for old, more in zip(before, new))  # type: ignore[assignment]

    def to_pandas(self) -> pd.DataFrame:
        """A row per description, in order of first appearance: Description, the two times and the two memories."""
        rows = [(desc, *values) for desc, values in self._steps.items()]
        return cast("pd.DataFrame", pd.DataFrame(rows, columns=["Description", *_MEASURES]))


class Profiler:
    """Measures the code inside a ``with`` block, also when an error leaves it.

    Args:
        desc: what the code does.
        performance_tracker: where the measures are kept.
    """

    def __init__(self, desc: str, performance_tracker: PerformanceTracker) -> None:
        self._desc = desc
        self._tracker = performance_tracker
        self._wall = self._cpu = self._memory = 0.0

    def __enter__(self) -> Profiler:
        self._memory = _resident_gigabytes()
        self._cpu = time.process_time()
        self._wall = time.perf_counter()
        return self

    def __exit__(
        self,
        error: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        wall = time.perf_counter() - self._wall
        cpu = time.process_time() - self._cpu
        memory = _resident_gigabytes()
        self._tracker.save(self._desc, wall, cpu, memory, memory - self._memory)


def _resident_gigabytes() -> float:
    """Memory that the process holds now; NaN where neither psutil nor /proc can tell."""
    try:
        import psutil

        return float(psutil.Process().memory_info().rss) / 1e9
    except ImportError:
        statm = Path("/proc/self/statm")
    return (
        int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e9
        if statm.exists()
        else float("nan")
    )
