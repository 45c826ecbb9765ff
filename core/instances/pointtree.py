"""Evaluation of labelled point clouds, with the names and signatures of pointtree's documentation.

Instance ids are integers of any type. The ids of targets and predictions start at the same number
and, for matching, are consecutive. Points of no instance have the id ``invalid_instance_id``. All
functions raise :class:`randcrowns.core.errors.InputError` (a ValueError) for invalid input.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import weakref
from pathlib import Path
from types import TracebackType
from typing import Literal, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Ints
from randcrowns.core.errors import InputError
from randcrowns.core.instances.ground import uncertain_predictions
from randcrowns.core.instances.labelled_points import (
    LabelledPoints,
    check_matches_exist,
    check_uncertain_id,
    partition_metrics,
    to_float,
    to_integer,
    validate_coordinates,
    validate_matches,
)
from randcrowns.core.instances.matching import NO_MATCH, Matching
from randcrowns.core.instances.metrics import (
    DetectionCounts,
    count_detections,
    detection_metrics,
    segmentation_means,
    segmentation_table,
    semantic_segmentation_metrics,
)
from randcrowns.core.instances.overlap import validate_labels
from randcrowns.core.instances.partitions import AXES

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

#: Names of the matching methods, see :class:`randcrowns.core.instances.matching.MatchingMethod`.
MatchingMethodName = Literal[
    "panoptic_segmentation",
    "point2tree",
    "for_instance",
    "for_ai_net",
    "for_ai_net_coverage",
    "tree_learn",
    "deepforest",
    "stardist",
]


def evaluate_instance_segmentation(
    xyz: ArrayLike,
    target: ArrayLike,
    prediction: ArrayLike,
    *,
    detection_metrics_matching_method: MatchingMethodName = "panoptic_segmentation",
    segmentation_metrics_matching_method: MatchingMethodName = "for_ai_net_coverage",
    include_unmatched_instances_in_seg_metrics: bool = True,
    invalid_instance_id: int = -1,
    uncertain_instance_id: int = -2,  # noqa: ARG001 - kept for calls written for pointtree
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
    """Match the instances of a point cloud and compute detection and segmentation metrics.

    Args:
        xyz: (N, 3) coordinates, metres.
        target: (N,) target id of each point.
        prediction: (N,) predicted id of each point.
        detection_metrics_matching_method: matching method for the detection metrics, a name of
            :class:`randcrowns.core.instances.matching.MatchingMethod`.
        segmentation_metrics_matching_method: matching method for the segmentation metrics.
        include_unmatched_instances_in_seg_metrics: True to include targets without a prediction in
            the segmentation metrics.
        invalid_instance_id: id of points of no instance.
        uncertain_instance_id: accepted for calls that are written for pointtree. It has no effect,
            because no prediction is uncertain without a limit of height or precision.
        compute_partition_metrics: True to also compute the metrics of parts of the trees.
        num_partitions: number of parts along each axis.

    Returns:
        Six tables:

        1. all metrics, one row: ``DetectionTP``, ``DetectionFP``, ``DetectionFN``,
           ``DetectionPrecision``, ``DetectionCommissionError``, ``DetectionRecall``,
           ``DetectionOmissionError``, ``DetectionF1Score``, ``SegmentationMeanIoU``,
           ``SegmentationMeanPrecision``, ``SegmentationMeanRecall``;
        2. the segmentation metrics of each target: ``TargetID``, ``PredictionID``, ``IoU``,
           ``Precision``, ``Recall``;
        3. the metrics per horizontal partition, averaged over targets;
        4. the metrics per horizontal partition of each target;
        5. the metrics per vertical partition, averaged over targets;
        6. the metrics per vertical partition of each target.

        The last four are None without ``compute_partition_metrics``; see
        :func:`instance_segmentation_metrics_per_partition` for their columns.

    Raises:
        InputError: if the arrays differ in length, ids have gaps or different starts, coordinates
            are not finite, or another argument is invalid.

    >>> xyz, tree = np.random.default_rng(0).random((50, 3)), np.zeros(50, dtype=int)
    >>> evaluate_instance_segmentation(xyz, tree, tree)[0]["DetectionF1Score"].tolist()
    [1.0]
    """
    invalid_id = to_integer(invalid_instance_id, "invalid_instance_id")
    points = LabelledPoints.from_labels(target, prediction, invalid_id)
    coordinates = validate_coordinates(xyz, len(points.targets.labels))
    detection_matching = points.match(detection_metrics_matching_method, coordinates)
    segmentation_matching = points.match(segmentation_metrics_matching_method, coordinates)

    rows = segmentation_table(
        points.table,
        segmentation_matching,
        points.targets.ids,
        points.prediction_ids(segmentation_matching),
        include_unmatched_instances_in_seg_metrics,
    )
    metrics = {}
    for name, value in detection_metrics(count_detections(detection_matching)).items():
        metrics[f"Detection{name}"] = value
    for name, value in segmentation_means(rows).items():
        metrics[f"Segmentation{name}"] = value
    summary = pd.DataFrame([metrics])
    if not compute_partition_metrics:
        return summary, rows, None, None, None, None

    partitions = partition_metrics(
        points,
        coordinates,
        matched=segmentation_matching.prediction,
        axes=AXES,
        include_unmatched=include_unmatched_instances_in_seg_metrics,
        n_partitions=num_partitions,
    )
    return (summary, rows, *partitions["xy"], *partitions["z"])


def instance_detection_metrics(
    target: ArrayLike,
    prediction: ArrayLike,
    matched_predicted_ids: ArrayLike,
    matched_target_ids: ArrayLike,
    *,
    invalid_instance_id: int = -1,
    uncertain_instance_id: int = -2,
) -> dict[str, float]:
    """Compute detection metrics from matched ids.

    Args:
        target: (N,) target id of each point.
        prediction: (N,) predicted id of each point.
        matched_predicted_ids: (T,) id of each target's prediction.
        matched_target_ids: (P,) id of each prediction's target.
        invalid_instance_id: id of points of no instance, and id for no match.
        uncertain_instance_id: id for the target of an uncertain prediction, which is not a false
            positive; at most ``invalid_instance_id``.

    Returns:
        ``TP``, ``FP``, ``FN``, ``Precision``, ``CommissionError``, ``Recall``, ``OmissionError``
        and ``F1Score``; 0/0 is NaN.

    Raises:
        InputError: if the arrays differ in length, the lowest ids differ, the uncertain id is above
            the invalid id, or a match is not an instance.

    >>> instance_detection_metrics([0, 0, 1], [0, 0, -1], [0, -1], [0])["Recall"]
    0.5
    """
    invalid_id = to_integer(invalid_instance_id, "invalid_instance_id")
    check_uncertain_id(uncertain_instance_id, invalid_id)
    points, target_matches = _points_and_matches(
        target, prediction, matched_predicted_ids, invalid_id
    )
    points.check_same_start()
    prediction_matches = validate_matches(
        matched_target_ids, len(points.predictions.ids), "matched_target_ids", "predicted"
    )
    no_match = (invalid_id, uncertain_instance_id)
    check_matches_exist(target_matches, points.predictions.ids, no_match, "predicted", "a target")
    check_matches_exist(prediction_matches, points.targets.ids, no_match, "target", "a prediction")
    has_match = ~np.isin(target_matches, no_match)
    counts = DetectionCounts(
        tp=int(has_match.sum()),
        fp=int((prediction_matches == invalid_id).sum()),
        fn=int((target_matches == invalid_id).sum()),
    )
    return detection_metrics(counts)


def instance_segmentation_metrics(
    target: ArrayLike,
    prediction: ArrayLike,
    matched_predicted_ids: ArrayLike,
    *,
    invalid_instance_id: int = -1,
    include_unmatched_instances: bool = True,
) -> tuple[dict[str, float], pd.DataFrame]:
    """Compute the segmentation metrics of matched targets.

    Args:
        target: (N,) target id of each point.
        prediction: (N,) predicted id of each point.
        matched_predicted_ids: (T,) id of each target's prediction.
        invalid_instance_id: id of points of no instance, and id for no match.
        include_unmatched_instances: True to include targets without a prediction, with IoU 0,
            precision NaN and recall 0.

    Returns:
        ``MeanIoU``, ``MeanPrecision`` and ``MeanRecall``; and a table with one row per target and
        the columns ``TargetID``, ``PredictionID``, ``IoU``, ``Precision``, ``Recall``.

    Raises:
        InputError: if the arrays differ in length, the lowest ids differ, or a match is not a
            predicted instance.

    >>> instance_segmentation_metrics([0, 0, 1], [0, 0, 1], [0, 1])[0]["MeanIoU"]
    1.0
    """
    points, matches = _points_and_matches(
        target,
        prediction,
        matched_predicted_ids,
        to_integer(invalid_instance_id, "invalid_instance_id"),
    )
    if include_unmatched_instances or (matches != points.invalid_id).any():
        points.check_same_start()
    matching = _matching_from_ids(points, matches)
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
    """Compute segmentation metrics of parts of the trees along one axis (Henrich et al. 2024).

    The parts are of equal width, by horizontal distance to the trunk or by height above the base;
    see :mod:`randcrowns.core.instances.partitions`.

    Args:
        xyz: (N, 3) coordinates, metres.
        target: (N,) target id of each point.
        prediction: (N,) predicted id of each point.
        matched_predicted_ids: (T,) id of each target's prediction.
        partition: ``"xy"`` for the distance to the trunk, ``"z"`` for the height.
        include_unmatched_instances: True to include targets without a prediction.
        invalid_instance_id: id of points of no instance, and id for no match.
        num_partitions: number of parts.

    Returns:
        The metrics averaged over targets, one row per part: ``Partition``, ``MeanIoU``,
        ``MeanPrecision``, ``MeanRecall``; and those of each target, one row per target and part:
        ``TargetID``, ``PredictionID``, ``Partition``, ``IoU``, ``Precision``, ``Recall``.

    Raises:
        InputError: if the partition is unknown, the arrays differ in length, the lowest ids differ,
            or a match is not a predicted instance.

    >>> xyz, tree = np.random.default_rng(0).random((50, 3)), np.zeros(50, dtype=int)
    >>> means, _ = instance_segmentation_metrics_per_partition(
    ...     xyz, tree, tree, [0], "z", num_partitions=2
    ... )
    >>> means["MeanIoU"].tolist()
    [1.0, 1.0]
    """
    if not isinstance(partition, str) or partition not in AXES:
        raise InputError(
            "partitions.unknown",
            "There is no partition '{partition}'; choose one of {axes}.",
            partition=partition,
            axes=", ".join(AXES),
        )
    coordinates = validate_coordinates(xyz, len(validate_labels(target, "target")))
    points, matches = _points_and_matches(
        target,
        prediction,
        matched_predicted_ids,
        to_integer(invalid_instance_id, "invalid_instance_id"),
    )
    points.check_same_start()
    matched = _matching_from_ids(points, matches).prediction
    return partition_metrics(
        points,
        coordinates,
        matched,
        axes=(partition,),
        include_unmatched=include_unmatched_instances,
        n_partitions=num_partitions,
    )[partition]


def match_instances(
    target: ArrayLike,
    prediction: ArrayLike,
    xyz: ArrayLike,
    method: MatchingMethodName,
    *,
    invalid_instance_id: int = -1,
    uncertain_instance_id: int = -2,
    min_tree_height_fp: float = 0.0,
    min_precision_fp: float = 0.0,
    labeled_mask: ArrayLike | None = None,
) -> tuple[Ints, Ints, dict[str, Ints]]:
    """Match target instances with predicted instances.

    Args:
        target: (N,) target id of each point.
        prediction: (N,) predicted id of each point.
        xyz: (N, 3) coordinates, metres.
        method: a name of :class:`randcrowns.core.instances.matching.MatchingMethod`.
        invalid_instance_id: id of points of no instance, and id for no match.
        uncertain_instance_id: id for the target of an uncertain prediction; at most
            ``invalid_instance_id``.
        min_tree_height_fp: unmatched predictions whose highest point is lower than this above the
            terrain are uncertain, metres.
        min_precision_fp: unmatched predictions with a smaller share of labelled points than this
            are uncertain.
        labeled_mask: (N,) mask of the labelled points; by default the points of the targets.

    Returns:
        (P,) id of each prediction's target; (T,) id of each target's prediction; and the numbers of
        points of each target and its prediction, (T,) int64: ``tp`` in both, ``fp`` in the
        prediction only, ``fn`` in the target only.

    Raises:
        InputError: if the arrays differ in length, the lowest ids differ, ids have gaps, the
            invalid id is not below them, or the method is unknown.

    >>> match_instances([0, 0, 1, -1], [0, 0, 1, 1], np.zeros((4, 3)), "for_ai_net")[1].tolist()
    [0, 1]
    """
    invalid_id = to_integer(invalid_instance_id, "invalid_instance_id")
    min_height = to_float(min_tree_height_fp, "min_tree_height_fp")
    min_share = to_float(min_precision_fp, "min_precision_fp")
    points = LabelledPoints.from_labels(target, prediction, invalid_id)
    coordinates = validate_coordinates(xyz, len(points.targets.labels))
    matching = points.match(method, coordinates)
    matched_target_ids = points.target_ids(matching)
    if min_share > 0 or min_height > 0:
        check_uncertain_id(uncertain_instance_id, invalid_id)
        is_uncertain = uncertain_predictions(
            points, coordinates, min_height, min_share, labeled_mask
        )
        matched_target_ids[is_uncertain & (matching.target == NO_MATCH)] = uncertain_instance_id

    shared = matching.shared.astype(np.int64)
    # The size of no match (index NONE, -1) is 0.
    prediction_size = np.append(points.predictions.n_points, 0)[matching.prediction]
    counts = {
        "tp": shared,
        "fp": prediction_size - shared,
        "fn": points.targets.n_points - shared,
    }
    return matched_target_ids, points.prediction_ids(matching), counts


def _points_and_matches(
    target: ArrayLike, prediction: ArrayLike, matched_predicted_ids: ArrayLike, invalid_id: int
) -> tuple[LabelledPoints, Ints]:
    """Return the labelled points and the validated ids of the targets' predictions.

    Args:
        target: (N,) target id of each point.
        prediction: (N,) predicted id of each point.
        matched_predicted_ids: (T,) id of each target's prediction.
        invalid_id: id of points of no instance.

    Raises:
        InputError: if the ids of points or of predictions are invalid.
    """
    points = LabelledPoints.from_labels(target, prediction, invalid_id)
    matches = validate_matches(
        matched_predicted_ids, len(points.targets.ids), "matched_predicted_ids", "target"
    )
    return points, matches


def _matching_from_ids(points: LabelledPoints, matches: Ints) -> Matching:
    """Return the matching of given ids; the targets of predictions are left at NONE.

    Args:
        points: the labelled points.
        matches: (T,) id of each target's prediction; the invalid id for no match.

    Raises:
        InputError: if a match is not a predicted instance.
    """
    ids = points.predictions.ids
    check_matches_exist(matches, ids, (points.invalid_id,), "predicted", "a target")
    has_match = matches != points.invalid_id
    prediction = np.where(has_match, np.searchsorted(ids, matches), NO_MATCH)
    # The pairs of the table that are matches.
    table = points.table
    is_match = prediction[table.target] == table.prediction
    shared = np.zeros(len(matches))
    shared[table.target[is_match]] = table.shared[is_match]
    no_targets = np.full(len(ids), NO_MATCH, dtype=np.int64)
    return Matching(prediction=prediction, target=no_targets, shared=shared)


class _Measures(NamedTuple):
    """Measures of a step; memory is in GB (10^9 bytes)."""

    wall_clock_time: float  #: elapsed time, seconds.
    cpu_time: float  #: processor time, seconds.
    memory_usage: float  #: peak of the memory in use.
    memory_increment: float  #: memory in use at the end minus that at the start.


#: Columns of the table of :class:`PerformanceTracker`.
_COLUMNS = (
    "Description",
    "Wallclock Time [s]",
    "CPU Time [s]",
    "Memory Usage [GB]",
    "Memory Increment [GB]",
)


class PerformanceTracker:
    """A record of the time and memory that named steps take.

    >>> tracker = PerformanceTracker()
    >>> tracker.save("match", 2.0, 1.5, 0.25, 0.125)
    >>> tracker.to_pandas()["CPU Time [s]"].tolist()
    [1.5]
    """

    def __init__(self) -> None:
        self._steps: dict[str, _Measures] = {}

    def reset(self) -> None:
        """Delete all measures."""
        self._steps = {}

    def save(
        self,
        desc: str,
        wall_clock_time: float,
        cpu_time: float,
        memory_usage: float,
        memory_increment: float,
    ) -> None:
        """Add the measures of a step to those of earlier steps with the same description.

        Args:
            desc: description of the step.
            wall_clock_time: elapsed time, seconds.
            cpu_time: processor time, seconds.
            memory_usage: peak of the memory in use during the step, GB.
            memory_increment: memory in use at the end minus that at the start, GB.
        """
        earlier = self._steps.get(desc, _Measures(0.0, 0.0, 0.0, 0.0))
        self._steps[desc] = _Measures(
            earlier.wall_clock_time + wall_clock_time,
            earlier.cpu_time + cpu_time,
            earlier.memory_usage + memory_usage,
            earlier.memory_increment + memory_increment,
        )

    def to_pandas(self) -> pd.DataFrame:
        """Return the measures as a table.

        Returns:
            One row per description, in the order of their first step, with the columns
            ``Description``, ``Wallclock Time [s]``, ``CPU Time [s]``, ``Memory Usage [GB]`` and
            ``Memory Increment [GB]``. Measures of repeated steps are summed.
        """
        rows = [(desc, *measures) for desc, measures in self._steps.items()]
        return cast("pd.DataFrame", pd.DataFrame(rows, columns=[*_COLUMNS]))


#: Time between two samples of the memory, seconds.
_SAMPLE_INTERVAL = 0.01


class _MemorySampler:
    """Measurement of the peak of the resident memory, by samples in a thread.

    A peak between two samples is missed, unless it is the highest of the process so far. The thread
    also ends when nothing refers to the sampler any more, as after a run that failed.
    """

    def __init__(self) -> None:
        self._peak = float("nan")
        self._start_highest = float("nan")
        self._is_stopped = threading.Event()
        self._thread = threading.Thread(
            target=_sample_memory, args=(weakref.ref(self), self._is_stopped), daemon=True
        )

    def start(self) -> float:
        """Start the samples; return the memory in use, GB."""
        self._start_highest = _highest_gigabytes()
        start_memory = _resident_gigabytes()
        self._peak = start_memory
        self._thread.start()
        return start_memory

    def stop(self) -> tuple[float, float]:
        """Stop the samples; return the memory in use, and its peak since the start, GB."""
        self._is_stopped.set()
        self._thread.join()
        end_memory = _resident_gigabytes()
        peak = max(self._peak, end_memory)
        highest = _highest_gigabytes()
        if highest > self._start_highest:
            peak = max(peak, highest)
        return end_memory, peak

    def sample(self) -> None:
        """Update the peak with the memory in use."""
        self._peak = max(self._peak, _resident_gigabytes())


def _sample_memory(
    sampler_reference: weakref.ref[_MemorySampler], is_stopped: threading.Event
) -> None:
    """Take samples until they are stopped, or the sampler is gone.

    Args:
        sampler_reference: weak reference to the sampler.
        is_stopped: set to end the samples.
    """
    while not is_stopped.wait(_SAMPLE_INTERVAL):
        sampler = sampler_reference()
        if sampler is None:
            return
        sampler.sample()
        del sampler  # until the next sample, nothing here keeps it alive


class Profiler:
    """Context manager that measures its block, also if the block raises an exception.

    The memory usage is the peak during the block, of the whole process.

    Args:
        desc: description of the block.
        performance_tracker: tracker to which the measures are added.

    >>> tracker = PerformanceTracker()
    >>> with Profiler("match", tracker):
    ...     total = sum(range(10))
    >>> tracker.to_pandas()["Description"].tolist()
    ['match']
    """

    def __init__(self, desc: str, performance_tracker: PerformanceTracker) -> None:
        self._desc = desc
        self._tracker = performance_tracker
        self._start_wall_clock = 0.0
        self._start_cpu = 0.0
        self._start_memory = 0.0
        self._sampler = _MemorySampler()

    def __enter__(self) -> Profiler:
        self._sampler = _MemorySampler()
        self._start_memory = self._sampler.start()
        self._start_cpu = time.process_time()
        self._start_wall_clock = time.perf_counter()
        return self

    def __exit__(
        self,
        error: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        wall_clock_time = time.perf_counter() - self._start_wall_clock
        cpu_time = time.process_time() - self._start_cpu
        end_memory, peak_memory = self._sampler.stop()
        increment = end_memory - self._start_memory
        self._tracker.save(self._desc, wall_clock_time, cpu_time, peak_memory, increment)


def _resident_gigabytes() -> float:
    """Return the resident memory of the process, GB; NaN without psutil and /proc."""
    try:
        import psutil
    except ImportError:
        statm = Path("/proc/self/statm")
        if not statm.exists():
            return float("nan")
        n_resident_pages = int(statm.read_text().split()[1])
        n_bytes = n_resident_pages * os.sysconf("SC_PAGE_SIZE")
    else:
        n_bytes = psutil.Process().memory_info().rss
    return float(n_bytes) / 1e9


def _highest_gigabytes() -> float:
    """Return the highest resident memory of the process so far, GB; NaN if it is not known."""
    try:
        import resource
    except ImportError:  # on Windows
        return float("nan")
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    bytes_per_unit = 1 if sys.platform == "darwin" else 1024
    return highest * bytes_per_unit / 1e9
