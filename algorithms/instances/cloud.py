"""randcrowns:evaluatepointcloud - detection and segmentation metrics of the trees of a labelled point cloud.

Each step's time and memory are measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsWkbTypes

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import EVALUATE_POINT_CLOUD
from randcrowns.algorithms.choice import Given, Job, refuse
from randcrowns.algorithms.instances import choices, outputs, tables
from randcrowns.algorithms.instances.choices import CLOUD_CHOICES, cloud_of
from randcrowns.algorithms.instances.outputs import CLOUD_OUTPUTS, VALUES
from randcrowns.algorithms.instances.showing import SHOWING
from randcrowns.algorithms.instances.tables import InstanceMatches
from randcrowns.algorithms.output import Output
from randcrowns.core.arrays import Ints
from randcrowns.core.errors import InputError
from randcrowns.core.instances.ground import uncertain_predictions
from randcrowns.core.instances.hulls import instance_outlines
from randcrowns.core.instances.matching import match
from randcrowns.core.instances.overlap import Instances
from randcrowns.core.instances.partitions import AXES, heights
from randcrowns.core.instances.points import LabelledPoints, partition_metrics
from randcrowns.core.instances.pointtree import PerformanceTracker, Profiler
from randcrowns.core.instances.summary import summarise_instances
from randcrowns.core.progress import Progress, part_of, steps
from randcrowns.core.remarks import Remark, note, warning
from randcrowns.layers.cloud.head import look_into
from randcrowns.layers.cloud.points import PointCloud, read_cloud
from randcrowns.layers.vector.geometry import to_qgs_geometries
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

_TIMES = {
    "Description": "step",
    "Wallclock Time [s]": "wallclock_s",
    "CPU Time [s]": "cpu_s",
    "Memory Usage [GB]": "memory_gb",
    "Memory Increment [GB]": "memory_increment_gb",
}
_COLUMNS = {
    "TargetID": "target_id",
    "PredictionID": "prediction_id",
    "Partition": "partition",
    "IoU": "iou",
}


@dataclass(frozen=True)
class CloudJob(Job):
    """What a run needs besides: the file, and the system chosen for it."""

    path: Path
    crs: QgsCoordinateReferenceSystem


@dataclass(frozen=True)
class LabelledCloud:
    """What was read: the cloud, its labels, time and memory of each step so far, and remarks."""

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


#: Attributes that are read beside those of the trees, where they are named.
_MORE = (choices.LABELLED, choices.TARGET_CLASS, choices.PREDICTION_CLASS)


class EvaluatePointCloud(CrownAlgorithm):
    entry = EVALUATE_POINT_CLOUD
    help = (
        tr(
            "Matches the predicted trees of a labelled point cloud with the target trees: how many were found "
            "(precision, recall, F1, panoptic quality), how well each was segmented (IoU, precision, recall), and "
            "which parts of the trees, by distance to the trunk and by height. With the attributes of the classes, and "
            "with those alone too, table Classes has IoU, precision and recall of every class."
        ),
        *(
            choices.CLOUD,
            choices.TARGET,
            choices.PREDICTION,
            choices.INVALID_ID,
            choices.CRS,
            choices.MATCHING_HELP,
        ),
        tr(
            "<b>Sizes</b> are numbers of points. The height of a tree is that of its highest point above its lowest."
        ),
        *(choices.MIN_SHARE, choices.MIN_HEIGHT, choices.CELL),
    )
    shares = (0.5, 0.75)
    parties, told_apart_by = (choices.CLOUD,), (choices.DETECTION,)
    choices, outputs, values, showing = CLOUD_CHOICES, CLOUD_OUTPUTS, VALUES, SHOWING

    def check(self, given: Given) -> None:
        names = given[choices.TARGET], given[choices.PREDICTION]
        path, crs = cloud_of(given)
        head = look_into(path)
        for name in filter(None, (*names, *(given[one] for one in _MORE))):
            head.attribute(name)
        refuse(
            choices.attributes_problem(
                *names, given[choices.TARGET_CLASS], given[choices.PREDICTION_CLASS]
            )
        )
        choices.numbers_by_name(given[choices.CLASSES], 1)
        choices.numbers_by_name(given[choices.AGGREGATES])
        head.system(crs)

    def take(self, given: Given) -> CloudJob:
        path, crs = cloud_of(given)
        return CloudJob.of(given, path=path, crs=crs)

    def read(self, job: CloudJob, progress: Progress) -> LabelledCloud:
        tracker, whole = PerformanceTracker(), ExitStack()
        whole.enter_context(Profiler(tr("Whole run but writing"), tracker))
        names = job[choices.TARGET], job[choices.PREDICTION]
        invalid_ids = job[choices.INVALID_ID], job[choices.PREDICTION_INVALID_ID]
        with Profiler(tr("Read the file"), tracker):
            share = part_of(progress, 0.0, 0.9)
            cloud = read_cloud(
                job.path,
                *names,
                job.transform_context,
                invalid_ids=invalid_ids,
                crs=job.crs,
                others=[*dict.fromkeys(filter(None, (job[one] for one in _MORE)))],
                progress=share,
            )
            share = part_of(progress, 0.9, 1.0)
            points = LabelledPoints.of(
                cloud.target, cloud.prediction, invalid_ids[0], share, invalid_ids[1]
            )
            odd = []
            if job[choices.TARGET]:
                odd = [
                    cloud.height,
                    *check_labels(job.path.name, points, names, invalid_ids, cloud.zeros),
                ]
        return LabelledCloud(cloud, points, tracker, whole, [*odd, *cloud.remarks])

    def compute(self, job: CloudJob, read: LabelledCloud, progress: Progress) -> CloudEvaluation:
        with Profiler(tr("Match trees"), read.tracker):
            matches = _matches(job, read, part_of(progress, 0.0, 0.15))
        share = part_of(progress, 0.15, 0.2)
        summary = summarise_instances(
            matches.table, matches.found, matches.cut, uncertain=matches.uncertain, progress=share
        )
        with Profiler(tr("Metrics per partition"), read.tracker):
            means, each = _partitions(job, read, matches, part_of(progress, 0.2, 1.0))
        return CloudEvaluation(matches, summary, means, each)

    def tables(
        self, job: CloudJob, read: LabelledCloud, found: CloudEvaluation, progress: Progress
    ) -> Made:
        with Profiler(tr("Draw the crowns"), read.tracker):
            made = _crowns(job[choices.CELL], read, found.matches, progress)
        read.whole.close()
        for output, frame in (
            (outputs.SUMMARY, found.summary),
            (
                outputs.METRICS,
                tables.metrics_row(
                    found.matches, read.points.prediction_invalid_id, job[choices.INCLUDE_UNMATCHED]
                ),
            ),
            (outputs.CLASSES, _classes(job, read)),
            (outputs.PARTITIONS, found.means),
            (outputs.TREE_PARTITIONS, found.each),
            (outputs.PERFORMANCE, read.tracker.to_pandas().rename(columns=_TIMES)),
        ):
            made[output] = output.table(frame)
        numbers = tables.result_numbers(found.summary)
        return Made(made, numbers, headline=tables.instances_headline(found.summary))


def _matches(job: CloudJob, read: LabelledCloud, progress: Progress) -> InstanceMatches:
    points, xyz = read.points, read.cloud.xyz
    tall = heights(xyz[:, 2], points.targets)
    progress(0.05)
    found = match(points.table, job[choices.DETECTION], tall, part_of(progress, 0.05, 0.1))
    cut = match(points.table, job[choices.SEGMENTATION], tall, part_of(progress, 0.1, 0.15))
    uncertain = None
    height, labelled = job[choices.MIN_HEIGHT], job[choices.MIN_SHARE]
    if labelled > 0 or height > 0:
        mask = read.cloud.others[job[choices.LABELLED]] != 0 if job[choices.LABELLED] else None
        uncertain = uncertain_predictions(
            points, xyz, height, labelled, mask, progress=part_of(progress, 0.15, 1)
        )
    progress(1.0)
    return InstanceMatches(
        points.table, found, cut, points.targets.ids, points.predictions.ids, uncertain
    )


def _partitions(
    job: CloudJob, read: LabelledCloud, matches: InstanceMatches, progress: Progress
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Mean metrics per partition, and those of each tree, both axes below each other."""
    n, of_all, reach = (
        job[choices.N_PARTITIONS],
        job[choices.INCLUDE_UNMATCHED],
        choices.REACHES[job[choices.REACH]],
    )
    wanted = n > 0 and not job.wanted.isdisjoint((outputs.PARTITIONS, outputs.TREE_PARTITIONS))
    n = n if wanted else 1
    matched = matches.cut.prediction
    by_axis = partition_metrics(
        read.points, read.cloud.xyz, matched, AXES, of_all, n, reach, progress
    )
    if not wanted:
        by_axis = {axis: (means.iloc[:0], each.iloc[:0]) for axis, (means, each) in by_axis.items()}
    return _stacked(by_axis, 0, n), _stacked(by_axis, 1, n)


def _crowns(
    cell: float, read: LabelledCloud, matches: InstanceMatches, progress: Progress
) -> dict[Output, FeatureTable]:
    """A polygon for every tree of either side."""
    sides = (
        (outputs.MATCHED_TARGETS, read.points.targets, tables.target_columns(matches)),
        (outputs.MATCHED_PREDICTIONS, read.points.predictions, tables.prediction_columns(matches)),
    )
    made = {}
    for (output, instances, columns), share in steps(sides, progress):
        outlines = instance_outlines(read.cloud.xyz, instances, cell, share)
        columns["height"] = heights(read.cloud.xyz[:, 2], instances)
        columns["points"] = instances.size
        columns["area"] = shapely.area(outlines)
        geometry = to_qgs_geometries(outlines, read.cloud.on_map)
        table = FeatureTable(read.cloud.crs, QgsWkbTypes.Type.MultiPolygon, geometry)
        made[output] = tables.side_table(output, table, columns)
    return made


def _classes(job: CloudJob, read: LabelledCloud) -> pd.DataFrame:
    """The table of classes; empty where no attributes of them were named."""
    attributes = job[choices.TARGET_CLASS], job[choices.PREDICTION_CLASS]
    if not all(attributes):
        return pd.DataFrame(columns=outputs.CLASSES.names)
    target, prediction = (read.cloud.others[name] for name in attributes)
    classes, aggregates = (
        choices.numbers_by_name(job[one]) for one in (choices.CLASSES, choices.AGGREGATES)
    )
    return tables.class_rows(target, prediction, classes, aggregates)


def _stacked(
    by_axis: dict[str, tuple[pd.DataFrame, pd.DataFrame]], which: int, n: int
) -> pd.DataFrame:
    """The tables of all axes, with the axis and where each partition begins and ends as a share of the reach."""
    frames = []
    for axis, both in by_axis.items():
        frame = both[which].rename(
            columns=lambda name: _COLUMNS.get(name, name.replace("Mean", "mean_").lower())
        )
        place = frame["partition"] / n
        frames.append(frame.assign(axis=axis, begin=place, end=place + 1 / n))
    stacked = pd.concat(frames, ignore_index=True)
    first = ["axis", "partition", "begin", "end"]
    return stacked[first + [name for name in stacked if name not in first]]


_IDS_NAMED = 3
#: No point has it, and nothing else is taken for it.
_SURELY_NO_TREE = -2
#: A tree this many times as large as the next one may be the ground.
_TOO_LARGE = 3.0


def check_labels(
    file: str,
    points: LabelledPoints,
    attributes: tuple[str, str],
    invalid_ids: tuple[int, int],
    zeros: tuple[int, int],
) -> list[Remark]:
    """Remarks on the ids of the trees in a file; refused where an id for no tree is not below those of the trees.

    The pairs are of the target and the predicted attribute: names, ids for no tree, and number of points that belong to
    no tree because they have 0.
    """
    sides = zip(attributes, invalid_ids, (points.targets, points.predictions), zeros)
    remarks = [remark for side in sides for remark in _check_ids(file, *side)]
    if len(points.targets.labels) == 0:
        remarks.append(warning("cloud.no_points", "{file} has no points.", file=file))
    elif not points.empty and len(points.table.shared) == 0:
        said = "{file}: no target and prediction overlap, for no point has both; are these the right attributes?"
        remarks.append(warning("cloud.no_overlap", said, file=file))
    return remarks


def _check_ids(
    file: str, attribute: str, invalid_id: int, instances: Instances, zeros: int
) -> Iterator[Remark]:
    """Remarks on the ids in one attribute."""
    ids, size, n_points = instances.ids, instances.size, len(instances.labels)
    named: dict[str, Any] = {"file": file, "name": attribute, "invalid": invalid_id}
    if n_points == 0:
        return
    if len(ids) == 0:
        said = "{file}: attribute '{name}' has no tree: no point has the id of a tree."
        yield warning("cloud.no_tree", said, file=file, name=attribute)
        return
    if ids[0] < invalid_id:
        said = (
            "Attribute '{name}' of {file} has trees with id {first}, below the id for no tree ({invalid}); change "
            "that id, it seems to be {first}. Each attribute may have its own."
        )
        raise InputError(said, first=ids[0], **named)
    largest, times = int(ids[size.argmax()]), _times_the_next(size)
    counted = {"common": largest, "share": size.max() / n_points, **named}
    if size.sum() == n_points:
        said = (
            "{file}: every point has a tree in attribute '{name}'; is {invalid} its id for no tree? "
            "Most points have {common} ({share:.0%})."
        )
        if largest != 0 and ids[0] == 0:
            said, counted = (
                f"{said} {{of_zero:.0%}} have 0.",
                {**counted, "of_zero": size[0] / n_points},
            )
        yield (warning if ids[0] == 0 or times > _TOO_LARGE else note)(
            "cloud.all_in_trees", said, **counted
        )
    elif largest == 0 and times > _TOO_LARGE:
        yield warning(
            "cloud.large_zero",
            "{file}: {common} is read as the id of a tree in attribute '{name}', and {share:.0%} of all points "
            "have it, many more than any other tree; if they have no tree, change the id for no tree from "
            "{invalid} to {common}, and give the points with {invalid} that id too.",
            **counted,
        )
    if len(ids) > 1 and size.min() <= zeros <= size.max():
        yield warning(
            "cloud.zero_no_tree",
            "{file}: 0 is read as no tree in attribute '{name}', but its {points:,} points are as many as a tree "
            "has ({least:,} to {most:,}); if 0 is a tree, change the id for no tree to {other}.",
            **{
                **named,
                "points": zeros,
                "least": size.min(),
                "most": size.max(),
                "other": _SURELY_NO_TREE,
            },
        )
    missing = int(ids[-1]) - int(ids[0]) + 1 - len(ids)
    if missing:
        said = (
            "{file}: the ids in attribute '{name}' have gaps ({missing:,} missing, as {examples})."
        )
        yield note(
            "cloud.gaps", said, file=file, name=attribute, missing=missing, examples=_missing(ids)
        )


def _times_the_next(size: Ints) -> float:
    """How many times as large as the next the largest is; 1 without any other."""
    if len(size) < 2:
        return 1.0
    next_one, largest = np.partition(size, -2)[-2:]
    return float(largest / next_one)


def _missing(ids: Ints) -> list[int]:
    """The first few ids that are missing."""
    found: list[int] = []
    for before, after in zip(ids[:-1].tolist(), ids[1:].tolist()):
        found += range(before + 1, min(after, before + 1 + _IDS_NAMED))
        if len(found) >= _IDS_NAMED:
            break
    return found[:_IDS_NAMED]
