"""The evaluation of a point cloud, step by step, each step's time and memory measured."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsWkbTypes

from randcrowns.algorithms.instances.label_checks import LabelCheck
from randcrowns.algorithms.instances.tables import (
    Drawn,
    InstanceMatches,
    frame_table,
    prediction_columns,
    result_numbers,
    side_table,
    target_columns,
)
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
from randcrowns.layers.cloud.points import PointCloud, read_cloud
from randcrowns.layers.vector.geometry import to_multipolygons, to_qgs_geometries
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

__all__ = ["CloudJob", "CloudRun"]

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
    outputs: frozenset[str]
    transform_context: QgsCoordinateTransformContext


class CloudRun:
    """One run; :attr:`sentences` says what was odd, :attr:`warning` what makes the results useless."""

    def __init__(self, job: CloudJob) -> None:
        self.job = job
        self.sentences: list[str] = []
        self.warning = ""
        self._tracker = PerformanceTracker()

    def evaluate(self, progress: Progress) -> tuple[dict[str, FeatureTable], dict[str, Any]]:
        """The tables by output name, and the other outputs.

        Raises:
            InputError: for a cloud that cannot be read or evaluated.
        """
        job = self.job
        with self._measured(tr("Whole run but writing")):
            with self._measured(tr("Read the file")):
                cloud = read_cloud(
                    job.path,
                    job.target,
                    job.prediction,
                    job.transform_context,
                    invalid_ids=(job.invalid_id, job.prediction_invalid_id),
                    crs=job.crs,
                    progress=part_of(progress, 0.0, 0.45),
                )
            self.sentences += cloud.notes
            with self._measured(tr("Match trees")):
                points = LabelledPoints.of(
                    cloud.target,
                    cloud.prediction,
                    job.invalid_id,
                    part_of(progress, 0.45, 0.5),
                    job.prediction_invalid_id,
                )
                self._check_labels(points, cloud)
                matches = self._matches(points, cloud, part_of(progress, 0.5, 0.54))
            summary = summarise_instances(
                matches.table,
                matches.found,
                matches.cut,
                uncertain=matches.uncertain,
                progress=part_of(progress, 0.54, 0.55),
            )
            with self._measured(tr("Metrics per partition")):
                means, each = self._partitions(points, cloud, matches, part_of(progress, 0.55, 0.75))
            with self._measured(tr("Draw the crowns")):
                tables = self._crowns(points, cloud, matches, part_of(progress, 0.75, 1.0))
        tables["SUMMARY"] = frame_table(summary, ("group", "resampled"))
        tables["METRICS"] = frame_table(_metrics(points, matches, job.include_unmatched))
        tables["PARTITIONS"] = frame_table(means, ("axis",))
        tables["TREE_PARTITIONS"] = frame_table(each, ("axis",))
        tables["PERFORMANCE"] = frame_table(self._tracker.to_pandas().rename(columns=_TIMES), ("step",))
        for output in set(tables) - job.outputs:
            del tables[output]
        heights_are = tr("highest point above the lowest")
        if cloud.z_taken:
            heights_are += " " + tr("(the file does not say the unit of z; taken: {unit})").format(unit=cloud.z_taken)
        said = {"HEIGHTS": heights_are, "WARNING": self.warning, "REPORT": "\n".join(self.sentences)}
        return tables, {**result_numbers(summary), **said}

    def _measured(self, step: str) -> AbstractContextManager[Any]:
        return Profiler(step, self._tracker)

    def _check_labels(self, points: LabelledPoints, cloud: PointCloud) -> None:
        """Refuse numbers that cannot be right; say what is odd about them."""
        job, check = self.job, LabelCheck(self.job.path.name)
        check.check_ids(job.target, job.invalid_id, points.targets, cloud.zeros[0])
        check.check_ids(job.prediction, job.prediction_invalid_id, points.predictions, cloud.zeros[1])
        check.check_both(points)
        self.sentences += check.notes
        self.warning = " ".join((*check.warnings, *cloud.warnings))

    def _matches(self, points: LabelledPoints, cloud: PointCloud, progress: Progress) -> InstanceMatches:
        job = self.job
        tall = heights(cloud.xyz[:, 2], points.targets)
        progress(0.05)
        found = match(points.table, job.detection, tall, part_of(progress, 0.05, 0.1))
        cut = match(points.table, job.segmentation, tall, part_of(progress, 0.1, 0.15))
        uncertain = None
        if job.min_share > 0 or job.min_height > 0:
            uncertain = uncertain_predictions(
                points, cloud.xyz, job.min_height, job.min_share, progress=part_of(progress, 0.15, 1)
            )
        progress(1.0)
        return InstanceMatches(points.table, found, cut, points.targets.ids, points.predictions.ids, uncertain)

    def _partitions(
        self, points: LabelledPoints, cloud: PointCloud, matches: InstanceMatches, progress: Progress
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Mean metrics per partition, and those of each tree, both axes below each other."""
        job = self.job
        wanted = job.n_partitions > 0 and not job.outputs.isdisjoint(("PARTITIONS", "TREE_PARTITIONS"))
        n = job.n_partitions if wanted else 1
        by_axis = partition_metrics(
            points, cloud.xyz, matches.cut.prediction, AXES, job.include_unmatched, n, job.reach, progress
        )
        if not wanted:
            by_axis = {axis: (means.iloc[:0], each.iloc[:0]) for axis, (means, each) in by_axis.items()}
        return _stacked(by_axis, 0, n), _stacked(by_axis, 1, n)

    def _crowns(
        self, points: LabelledPoints, cloud: PointCloud, matches: InstanceMatches, progress: Progress
    ) -> dict[str, FeatureTable]:
        """A polygon for every tree of either side."""
        sides: Sequence[tuple[str, Instances, pd.DataFrame]] = (
            ("MATCHED_TARGETS", points.targets, target_columns(matches)),
            ("MATCHED_PREDICTIONS", points.predictions, prediction_columns(matches)),
        )
        tables = {}
        for number, (output, instances, columns) in enumerate(sides):
            share = part_of(progress, number / 2, (number + 1) / 2)
            outlines = instance_outlines(cloud.xyz, instances, self.job.cell, share)
            columns["height"] = heights(cloud.xyz[:, 2], instances)
            columns["points"] = instances.size
            columns["area"] = shapely.area(outlines)
            geometry = to_qgs_geometries(_multi(outlines), cloud.on_map)
            tables[output] = side_table(Drawn(cloud.crs, QgsWkbTypes.Type.MultiPolygon, geometry), columns)
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
