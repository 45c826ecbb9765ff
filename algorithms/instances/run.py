"""The evaluation of a point cloud, step by step, each step's time and memory measured."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsWkbTypes

from randcrowns.algorithms.instances.label_checks import check_labels
from randcrowns.algorithms.instances.outputs import (
    MATCHED_PREDICTIONS,
    MATCHED_TARGETS,
    METRICS,
    PARTITIONS,
    PERFORMANCE,
    SUMMARY,
    TREE_PARTITIONS,
)
from randcrowns.algorithms.instances.tables import (
    Drawn,
    InstanceMatches,
    prediction_columns,
    side_table,
    target_columns,
)
from randcrowns.algorithms.output import Output
from randcrowns.core.arrays import Objects
from randcrowns.core.instances.ground import uncertain_predictions
from randcrowns.core.instances.hulls import instance_outlines
from randcrowns.core.instances.labels import Instances
from randcrowns.core.instances.matching import Method, match
from randcrowns.core.instances.metrics import detection, detection_metrics, segmentation_means, segmentation_table
from randcrowns.core.instances.partitions import heights
from randcrowns.core.instances.parts import AXES
from randcrowns.core.instances.points import LabelledPoints, partition_metrics
from randcrowns.core.instances.pointtree import PerformanceTracker, Profiler
from randcrowns.core.instances.summary import summarise_instances
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.remarks import Remark
from randcrowns.layers.cloud.points import PointCloud, read_cloud
from randcrowns.layers.vector.geometry import to_multipolygons, to_qgs_geometries
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

__all__ = ["CloudEvaluation", "CloudJob", "LabelledCloud", "cloud_tables", "evaluate_cloud", "read_labels"]

_TIMES = {
    "Description": "step",
    "Wallclock Time [s]": "wallclock_s",
    "CPU Time [s]": "cpu_s",
    "Memory Usage [GB]": "memory_gb",
    "Memory Increment [GB]": "memory_increment_gb",
}
_COLUMNS = {"TargetID": "target_id", "PredictionID": "prediction_id", "Partition": "partition", "IoU": "iou"}


@dataclass(frozen=True)
class CloudJob:
    """Everything a run needs, taken on the main thread."""

    path: Path
    target: str
    prediction: str
    invalid_id: int
    prediction_invalid_id: int
    detection: Method
    segmentation: Method
    include_unmatched: bool
    n_partitions: int
    reach: float
    min_share: float
    min_height: float
    cell: float
    crs: QgsCoordinateReferenceSystem
    outputs: frozenset[Output]
    transform_context: QgsCoordinateTransformContext


@dataclass(frozen=True)
class LabelledCloud:
    """What was read: the cloud, its labels, what each step took so far, and what was odd."""

    cloud: PointCloud
    points: LabelledPoints
    tracker: PerformanceTracker
    #: Measures the whole run until it is closed.
    whole: ExitStack
    remarks: list[Remark]


@dataclass(frozen=True)
class CloudEvaluation:
    """What was found: the matches, the summary, and metrics per partition, on average and of each tree."""

    matches: InstanceMatches
    summary: pd.DataFrame
    means: pd.DataFrame
    each: pd.DataFrame


def read_labels(job: CloudJob, progress: Progress) -> LabelledCloud:
    """Read the file.

    Raises:
        InputError: for a cloud that cannot be read, or numbers of trees that cannot be right.
    """
    tracker, whole = PerformanceTracker(), ExitStack()
    whole.enter_context(Profiler(tr("Whole run but writing"), tracker))
    invalid_ids = job.invalid_id, job.prediction_invalid_id
    with Profiler(tr("Read the file"), tracker):
        cloud = read_cloud(
            job.path,
            job.target,
            job.prediction,
            job.transform_context,
            invalid_ids=invalid_ids,
            crs=job.crs,
            progress=part_of(progress, 0.0, 0.9),
        )
    with Profiler(tr("Match trees"), tracker):
        share = part_of(progress, 0.9, 1.0)
        points = LabelledPoints.of(cloud.target, cloud.prediction, job.invalid_id, share, job.prediction_invalid_id)
        odd = check_labels(job.path.name, points, (job.target, job.prediction), invalid_ids, cloud.zeros)
    return LabelledCloud(cloud, points, tracker, whole, [cloud.height, *cloud.remarks, *odd])


def evaluate_cloud(job: CloudJob, read: LabelledCloud, progress: Progress) -> CloudEvaluation:
    """Match and measure."""
    with Profiler(tr("Match trees"), read.tracker):
        matches = _matches(job, read, part_of(progress, 0.0, 0.15))
    share = part_of(progress, 0.15, 0.2)
    summary = summarise_instances(
        matches.table, matches.found, matches.cut, uncertain=matches.uncertain, progress=share
    )
    with Profiler(tr("Metrics per partition"), read.tracker):
        means, each = _partitions(job, read, matches, part_of(progress, 0.2, 1.0))
    return CloudEvaluation(matches, summary, means, each)


def cloud_tables(
    job: CloudJob, read: LabelledCloud, found: CloudEvaluation, progress: Progress
) -> dict[str, FeatureTable]:
    """The tables that are wanted, by output."""
    with Profiler(tr("Draw the crowns"), read.tracker):
        tables = _crowns(job, read, found.matches, progress)
    read.whole.close()
    for output, frame in (
        (SUMMARY, found.summary),
        (METRICS, _metrics(read.points, found.matches, job.include_unmatched)),
        (PARTITIONS, found.means),
        (TREE_PARTITIONS, found.each),
        (PERFORMANCE, read.tracker.to_pandas().rename(columns=_TIMES)),
    ):
        tables[output] = output.table(frame)
    return {output.id: table for output, table in tables.items() if output in job.outputs}


def _matches(job: CloudJob, read: LabelledCloud, progress: Progress) -> InstanceMatches:
    points, xyz = read.points, read.cloud.xyz
    tall = heights(xyz[:, 2], points.targets)
    progress(0.05)
    found = match(points.table, job.detection, tall, part_of(progress, 0.05, 0.1))
    cut = match(points.table, job.segmentation, tall, part_of(progress, 0.1, 0.15))
    uncertain = None
    if job.min_share > 0 or job.min_height > 0:
        share = part_of(progress, 0.15, 1)
        uncertain = uncertain_predictions(points, xyz, job.min_height, job.min_share, progress=share)
    progress(1.0)
    return InstanceMatches(points.table, found, cut, points.targets.ids, points.predictions.ids, uncertain)


def _partitions(
    job: CloudJob, read: LabelledCloud, matches: InstanceMatches, progress: Progress
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Mean metrics per partition, and those of each tree, both axes below each other."""
    wanted = job.n_partitions > 0 and not job.outputs.isdisjoint((PARTITIONS, TREE_PARTITIONS))
    n = job.n_partitions if wanted else 1
    by_axis = partition_metrics(
        read.points, read.cloud.xyz, matches.cut.prediction, AXES, job.include_unmatched, n, job.reach, progress
    )
    if not wanted:
        by_axis = {axis: (means.iloc[:0], each.iloc[:0]) for axis, (means, each) in by_axis.items()}
    return _stacked(by_axis, 0, n), _stacked(by_axis, 1, n)


def _crowns(
    job: CloudJob, read: LabelledCloud, matches: InstanceMatches, progress: Progress
) -> dict[Output, FeatureTable]:
    """A polygon for every tree of either side."""
    sides: Sequence[tuple[Output, Instances, pd.DataFrame]] = (
        (MATCHED_TARGETS, read.points.targets, target_columns(matches)),
        (MATCHED_PREDICTIONS, read.points.predictions, prediction_columns(matches)),
    )
    tables = {}
    for number, (output, instances, columns) in enumerate(sides):
        share = part_of(progress, number / 2, (number + 1) / 2)
        outlines = instance_outlines(read.cloud.xyz, instances, job.cell, share)
        columns["height"] = heights(read.cloud.xyz[:, 2], instances)
        columns["points"] = instances.size
        columns["area"] = shapely.area(outlines)
        geometry = to_qgs_geometries(_multi(outlines), read.cloud.on_map)
        tables[output] = side_table(output, Drawn(read.cloud.crs, QgsWkbTypes.Type.MultiPolygon, geometry), columns)
    return tables


def _multi(outlines: Objects) -> Objects:
    return to_multipolygons(outlines) if len(outlines) else outlines


def _metrics(points: LabelledPoints, matches: InstanceMatches, include_unmatched: bool) -> pd.DataFrame:
    """The document's row of metrics."""
    rows = segmentation_table(
        points.table, matches.cut, points.targets.ids, points.prediction_ids(matches.cut), include_unmatched
    )
    counts = detection_metrics(detection(matches.found, matches.uncertain))
    metrics = {f"Detection{name}": value for name, value in counts.items()}
    return pd.DataFrame([{**metrics, **{f"Segmentation{n}": v for n, v in segmentation_means(rows).items()}}])


def _stacked(by_axis: dict[str, tuple[pd.DataFrame, pd.DataFrame]], which: int, n: int) -> pd.DataFrame:
    """The tables of all axes, with the axis and where each partition begins and ends as a share of the reach."""
    frames = []
    for axis, tables in by_axis.items():
        frame = tables[which].rename(columns=lambda name: _COLUMNS.get(name, _plain(name)))
        place = frame["partition"] / n
        frames.append(frame.assign(axis=axis, begin=place, end=place + 1 / n))
    stacked = pd.concat(frames, ignore_index=True)
    first = ["axis", "partition", "begin", "end"]
    return stacked[first + [name for name in stacked if name not in first]]


def _plain(name: str) -> str:
    """``MeanIoU`` as ``mean_iou``."""
    return name.replace("Mean", "mean_").lower()
