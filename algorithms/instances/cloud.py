"""Algorithm ``randcrowns:evaluatepointcloud``: evaluate the trees of a labelled point cloud.

Time and memory of each step are measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

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

#: Columns of the output with times, by pointtree's name.
_TIME_COLUMNS = {
    "Description": "step",
    "Wallclock Time [s]": "wallclock_s",
    "CPU Time [s]": "cpu_s",
    "Memory Usage [GB]": "memory_gb",
    "Memory Increment [GB]": "memory_increment_gb",
}
#: Columns of the outputs with partitions, by pointtree's name; other names follow a rule.
_PARTITION_COLUMNS = {
    "TargetID": "target_id",
    "PredictionID": "prediction_id",
    "Partition": "partition",
    "IoU": "iou",
}
#: Parameters with further attributes of the points to read, if they are set.
_FURTHER_ATTRIBUTES = (choices.LABELLED, choices.TARGET_CLASS, choices.PREDICTION_CLASS)
#: Number of missing ids that a message lists.
_MAX_LISTED_IDS = 3
#: Id that a message proposes as the id for no tree: no point has it, and it is never remapped.
_UNUSED_ID = -2
#: Ratio of the sizes of the largest and the second largest tree above which the largest may be the
#: ground.
_MAX_SIZE_RATIO = 3.0


@dataclass(frozen=True)
class CloudSettings(Job):
    """Settings of a run that evaluates a point cloud."""

    path: Path  #: file of the cloud.
    crs: QgsCoordinateReferenceSystem  #: coordinate reference system for a file without one.


@dataclass(frozen=True)
class LabelledCloud:
    """Point cloud with its labels and the measurements so far."""

    cloud: PointCloud  #: coordinates and attributes of the points.
    points: LabelledPoints  #: target and predicted trees of the points.
    tracker: PerformanceTracker  #: time and memory of each step so far.
    whole_run: ExitStack  #: measures the whole run until it is closed.
    remarks: list[Remark]  #: messages about the ids and the cloud.


@dataclass(frozen=True)
class CloudEvaluation:
    """Results of the evaluation of a point cloud."""

    matches: InstanceMatches  #: matchings of the trees.
    summary: pd.DataFrame  #: counts and metrics over all trees, one row.
    mean_partitions: pd.DataFrame  #: mean metrics per axis and partition.
    tree_partitions: pd.DataFrame  #: metrics of each target per axis and partition.


class EvaluatePointCloud(CrownAlgorithm):
    """Algorithm that evaluates the predicted trees of a labelled point cloud."""

    entry = EVALUATE_POINT_CLOUD
    help = (
        tr(
            "Matches the predicted trees of a labelled point cloud with the target trees. The "
            "results show how many trees were found (precision, recall, F1, panoptic quality), how "
            "well each was segmented (IoU, precision, recall), and which parts of the trees, by "
            "distance to the trunk and by height. If class attributes are set, with or without "
            "tree attributes, table Classes has IoU, precision and recall of every class."
        ),
        choices.CLOUD,
        choices.TARGET,
        choices.PREDICTION,
        choices.INVALID_ID,
        choices.CRS,
        choices.MATCHING_HELP,
        tr(
            "<b>Sizes</b> are numbers of points. The height of a tree is that of its highest point "
            "above its lowest."
        ),
        choices.MIN_SHARE,
        choices.MIN_HEIGHT,
        choices.CELL,
    )
    shares = (0.5, 0.75)
    parties = (choices.CLOUD,)
    told_apart_by = (choices.DETECTION,)
    choices = CLOUD_CHOICES
    outputs = CLOUD_OUTPUTS
    values = VALUES
    showing = SHOWING

    def check(self, given: Given) -> None:
        """Raise an InputError if the file, an attribute or the coordinate system is unusable."""
        target = given[choices.TARGET]
        prediction = given[choices.PREDICTION]
        path, crs = cloud_of(given)
        header = look_into(path)
        further_attributes = [given[parameter] for parameter in _FURTHER_ATTRIBUTES]
        for name in (target, prediction, *further_attributes):
            if name:
                header.attribute(name)
        refuse(
            choices.attributes_problem(
                target, prediction, given[choices.TARGET_CLASS], given[choices.PREDICTION_CLASS]
            )
        )
        choices.numbers_by_name(given[choices.CLASSES], 1)
        choices.numbers_by_name(given[choices.AGGREGATES])
        header.system(crs)

    def take(self, given: Given) -> CloudSettings:
        """Return the settings with the file and its coordinate system."""
        path, crs = cloud_of(given)
        return CloudSettings.of(given, path=path, crs=crs)

    def read(self, job: CloudSettings, progress: Progress) -> LabelledCloud:
        """Return the points with their labels, and messages about the ids of the trees."""
        tracker = PerformanceTracker()
        whole_run = ExitStack()
        whole_run.enter_context(Profiler(tr("Whole run but writing"), tracker))
        attributes = (job[choices.TARGET], job[choices.PREDICTION])
        invalid_ids = (job[choices.INVALID_ID], job[choices.PREDICTION_INVALID_ID])
        further_attributes = [job[parameter] for parameter in _FURTHER_ATTRIBUTES]
        with Profiler(tr("Read the file"), tracker):
            cloud = read_cloud(
                job.path,
                *attributes,
                job.transform_context,
                invalid_ids=invalid_ids,
                crs=job.crs,
                others=list(dict.fromkeys(name for name in further_attributes if name)),
                progress=part_of(progress, 0.0, 0.9),
            )
            points = LabelledPoints.of(
                cloud.target,
                cloud.prediction,
                invalid_ids[0],
                part_of(progress, 0.9, 1.0),
                invalid_ids[1],
            )
            messages: list[Remark] = []
            if job[choices.TARGET]:
                messages.append(cloud.height)
                messages += check_labels(
                    job.path.name, points, attributes, invalid_ids, cloud.zeros
                )
        return LabelledCloud(cloud, points, tracker, whole_run, [*messages, *cloud.remarks])

    def compute(
        self, job: CloudSettings, read: LabelledCloud, progress: Progress
    ) -> CloudEvaluation:
        """Return the matchings, the summary and the metrics per partition."""
        with Profiler(tr("Match trees"), read.tracker):
            matches = _match_trees(job, read, part_of(progress, 0.0, 0.15))
        summary = summarise_instances(
            matches.table,
            matches.detection,
            matches.segmentation,
            uncertain=matches.uncertain,
            progress=part_of(progress, 0.15, 0.2),
        )
        with Profiler(tr("Metrics per partition"), read.tracker):
            mean_partitions, tree_partitions = _partitions(
                job, read, matches, part_of(progress, 0.2, 1.0)
            )
        return CloudEvaluation(matches, summary, mean_partitions, tree_partitions)

    def tables(
        self, job: CloudSettings, read: LabelledCloud, found: CloudEvaluation, progress: Progress
    ) -> Made:
        """Return the outlines of the trees, the tables, the metrics and the conclusion."""
        with Profiler(tr("Draw the crowns"), read.tracker):
            made = _outline_tables(job[choices.CELL], read, found.matches, progress)
        read.whole_run.close()
        metrics = tables.metrics_row(
            found.matches, read.points.prediction_invalid_id, job[choices.INCLUDE_UNMATCHED]
        )
        frames = {
            outputs.SUMMARY: found.summary,
            outputs.METRICS: metrics,
            outputs.CLASSES: _class_frame(job, read),
            outputs.PARTITIONS: found.mean_partitions,
            outputs.TREE_PARTITIONS: found.tree_partitions,
            outputs.PERFORMANCE: read.tracker.to_pandas().rename(columns=_TIME_COLUMNS),
        }
        for output, frame in frames.items():
            made[output] = output.table(frame)
        return Made(
            made,
            tables.result_numbers(found.summary),
            headline=tables.instances_headline(found.summary),
        )


def _match_trees(
    settings: CloudSettings, labelled: LabelledCloud, progress: Progress
) -> InstanceMatches:
    """Match the trees for detection and for segmentation, and find uncertain predictions."""
    points = labelled.points
    xyz = labelled.cloud.xyz
    tree_heights = heights(xyz[:, 2], points.targets)
    progress(0.05)
    detection = match(
        points.table, settings[choices.DETECTION], tree_heights, part_of(progress, 0.05, 0.1)
    )
    segmentation = match(
        points.table, settings[choices.SEGMENTATION], tree_heights, part_of(progress, 0.1, 0.15)
    )
    min_height = settings[choices.MIN_HEIGHT]
    min_share = settings[choices.MIN_SHARE]
    uncertain = None
    if min_share > 0 or min_height > 0:
        is_labelled = None
        if settings[choices.LABELLED]:
            is_labelled = labelled.cloud.others[settings[choices.LABELLED]] != 0
        uncertain = uncertain_predictions(
            points,
            xyz,
            min_height,
            min_share,
            is_labelled,
            progress=part_of(progress, 0.15, 1),
        )
    progress(1.0)
    return InstanceMatches(
        points.table,
        detection,
        segmentation,
        points.targets.ids,
        points.predictions.ids,
        uncertain,
    )


def _partitions(
    settings: CloudSettings, labelled: LabelledCloud, matches: InstanceMatches, progress: Progress
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Compute metrics per partition along both axes.

    Returns:
        Mean metrics, and metrics of each target; without rows if neither output is requested or
        the number of partitions is 0.
    """
    n_partitions = settings[choices.N_PARTITIONS]
    is_requested = n_partitions > 0 and not settings.wanted.isdisjoint(
        (outputs.PARTITIONS, outputs.TREE_PARTITIONS)
    )
    if not is_requested:
        n_partitions = 1
    metrics = partition_metrics(
        labelled.points,
        labelled.cloud.xyz,
        matches.segmentation.prediction,
        AXES,
        settings[choices.INCLUDE_UNMATCHED],
        n_partitions,
        choices.REACHES[settings[choices.REACH]],
        progress,
    )
    means = {axis: axis_means for axis, (axis_means, _) in metrics.items()}
    trees = {axis: axis_trees for axis, (_, axis_trees) in metrics.items()}
    if not is_requested:
        means = {axis: frame.iloc[:0] for axis, frame in means.items()}
        trees = {axis: frame.iloc[:0] for axis, frame in trees.items()}
    return _stack_axes(means, n_partitions), _stack_axes(trees, n_partitions)


def _stack_axes(frames: Mapping[str, pd.DataFrame], n_partitions: int) -> pd.DataFrame:
    """Return the tables of all axes in one.

    Args:
        frames: tables by axis, with pointtree's columns.
        n_partitions: number of partitions along each axis.

    Returns:
        The rows with the columns of the output: ``axis``, ``partition``, ``begin`` and ``end`` (as
        shares of the distance at which the last partition ends), and the metrics.
    """
    stacked_frames = []
    for axis, frame in frames.items():
        renamed = frame.rename(columns=_partition_column)
        begin = renamed["partition"] / n_partitions
        stacked_frames.append(renamed.assign(axis=axis, begin=begin, end=begin + 1 / n_partitions))
    stacked = pd.concat(stacked_frames, ignore_index=True)
    first_names = ["axis", "partition", "begin", "end"]
    return stacked[first_names + [name for name in stacked if name not in first_names]]


def _partition_column(name: str) -> str:
    """Return the column of the output for a name of pointtree, such as ``mean_iou`` for MeanIoU."""
    return _PARTITION_COLUMNS.get(name, name.replace("Mean", "mean_").lower())


def _outline_tables(
    cell: float, labelled: LabelledCloud, matches: InstanceMatches, progress: Progress
) -> dict[Output, FeatureTable]:
    """Return the outlines of target and predicted trees with their results.

    Args:
        cell: side of the square cells of which the outlines use one point each, metres.
        labelled: point cloud.
        matches: matchings of the trees.
        progress: called with the fraction done.
    """
    cloud = labelled.cloud
    sides = (
        (outputs.MATCHED_TARGETS, labelled.points.targets, tables.target_columns(matches)),
        (
            outputs.MATCHED_PREDICTIONS,
            labelled.points.predictions,
            tables.prediction_columns(matches),
        ),
    )
    made = {}
    for (output, instances, columns), share in steps(sides, progress):
        outlines = instance_outlines(cloud.xyz, instances, cell, share)
        columns["height"] = heights(cloud.xyz[:, 2], instances)
        columns["points"] = instances.size
        columns["area"] = shapely.area(outlines)
        geometries = to_qgs_geometries(outlines, cloud.on_map)
        table = FeatureTable(cloud.crs, QgsWkbTypes.Type.MultiPolygon, geometries)
        made[output] = tables.side_table(output, table, columns)
    return made


def _class_frame(settings: CloudSettings, labelled: LabelledCloud) -> pd.DataFrame:
    """Return the metrics of the classes; without rows if no class attributes are set."""
    target = settings[choices.TARGET_CLASS]
    prediction = settings[choices.PREDICTION_CLASS]
    if not target or not prediction:
        return pd.DataFrame(columns=outputs.CLASSES.names)
    return tables.class_rows(
        labelled.cloud.others[target],
        labelled.cloud.others[prediction],
        choices.numbers_by_name(settings[choices.CLASSES]),
        choices.numbers_by_name(settings[choices.AGGREGATES]),
    )


class _TreeIds(NamedTuple):
    """Ids of trees in an attribute of the points."""

    file: str  #: name of the file.
    attribute: str  #: name of the attribute.
    invalid_id: int  #: id for no tree.
    instances: Instances  #: trees of the points.
    n_zeros: int  #: number of points that have no tree because their value is 0.


def check_labels(
    file: str,
    points: LabelledPoints,
    attributes: tuple[str, str],
    invalid_ids: tuple[int, int],
    zeros: tuple[int, int],
) -> list[Remark]:
    """Return messages about unusual ids of trees.

    The tuples have a value for the targets and one for the predictions.

    Args:
        file: name of the file.
        points: target and predicted trees of the points.
        attributes: names of the attributes.
        invalid_ids: ids for no tree.
        zeros: numbers of points that have no tree because their value is 0.

    Raises:
        InputError: if an id for no tree is not below the ids of the trees.
    """
    sides = (points.targets, points.predictions)
    messages: list[Remark] = []
    for attribute, invalid_id, instances, n_zeros in zip(attributes, invalid_ids, sides, zeros):
        messages += _check_ids(_TreeIds(file, attribute, invalid_id, instances, n_zeros))
    if len(points.targets.labels) == 0:
        messages.append(warning("cloud.no_points", "{file} has no points.", file=file))
    elif not points.empty and len(points.table.shared) == 0:
        messages.append(
            warning(
                "cloud.no_overlap",
                "{file}: no target and prediction overlap, because no point has both. Check the "
                "two attributes.",
                file=file,
            )
        )
    return messages


def _check_ids(tree_ids: _TreeIds) -> Iterator[Remark]:
    """Yield messages about the ids in one attribute.

    Raises:
        InputError: if the id for no tree is not below the ids of the trees.
    """
    ids = tree_ids.instances.ids
    n_points = len(tree_ids.instances.labels)
    if n_points == 0:
        return
    if len(ids) == 0:
        yield warning(
            "cloud.no_tree",
            "{file}: attribute '{name}' has no tree: no point has the id of a tree.",
            file=tree_ids.file,
            name=tree_ids.attribute,
        )
        return
    if ids[0] < tree_ids.invalid_id:
        raise InputError(
            "Attribute '{name}' of {file} has trees with id {first}, below the id for no tree "
            "({invalid}); change that id, it seems to be {first}. Each attribute may have its own.",
            name=tree_ids.attribute,
            file=tree_ids.file,
            first=ids[0],
            invalid=tree_ids.invalid_id,
        )
    if tree_ids.instances.size.sum() == n_points:
        yield _all_in_trees_message(tree_ids)
    else:
        yield from _large_zero_messages(tree_ids)
    yield from _zero_messages(tree_ids)
    yield from _gap_messages(tree_ids)


def _all_in_trees_message(tree_ids: _TreeIds) -> Remark:
    """Return the message that all points have a tree.

    It is a warning if a tree may be the ground: if its id is 0, or if it is much larger than the
    others.
    """
    ids = tree_ids.instances.ids
    size = tree_ids.instances.size
    n_points = len(tree_ids.instances.labels)
    largest_id = int(ids[size.argmax()])
    values = {
        "file": tree_ids.file,
        "name": tree_ids.attribute,
        "invalid": tree_ids.invalid_id,
        "common": largest_id,
        "share": size.max() / n_points,
    }
    text = (
        "{file}: every point has a tree in attribute '{name}'. Check that {invalid} is its id for "
        "no tree. Most points have {common} ({share:.0%})."
    )
    if largest_id != 0 and ids[0] == 0:
        values["of_zero"] = size[0] / n_points
        text = (
            "{file}: every point has a tree in attribute '{name}'. Check that {invalid} is its id "
            "for no tree. Most points have {common} ({share:.0%}). {of_zero:.0%} have 0."
        )
    if ids[0] == 0 or _size_ratio(size) > _MAX_SIZE_RATIO:
        return warning("cloud.all_in_trees", text, **values)
    return note("cloud.all_in_trees", text, **values)


def _large_zero_messages(tree_ids: _TreeIds) -> list[Remark]:
    """Return a warning if the tree with id 0 is much larger than the others; [] otherwise."""
    size = tree_ids.instances.size
    largest_id = int(tree_ids.instances.ids[size.argmax()])
    if largest_id != 0 or _size_ratio(size) <= _MAX_SIZE_RATIO:
        return []
    return [
        warning(
            "cloud.large_zero",
            "{file}: {common} is the id of a tree in attribute '{name}', and {share:.0%} of all "
            "points have it, many more than any other tree. If these points have no tree, change "
            "the id for no tree from {invalid} to {common}, and give the points with {invalid} "
            "that id too.",
            file=tree_ids.file,
            name=tree_ids.attribute,
            invalid=tree_ids.invalid_id,
            common=largest_id,
            share=size.max() / len(tree_ids.instances.labels),
        )
    ]


def _zero_messages(tree_ids: _TreeIds) -> list[Remark]:
    """Return a warning if the points with 0, which have no tree, are as many as a tree has."""
    size = tree_ids.instances.size
    if len(size) < 2 or not size.min() <= tree_ids.n_zeros <= size.max():
        return []
    return [
        warning(
            "cloud.zero_no_tree",
            "{file}: 0 is read as no tree in attribute '{name}', but its {points:,} points are as "
            "many as a tree has ({least:,} to {most:,}). If 0 is a tree, change the id for no tree "
            "to {other}.",
            file=tree_ids.file,
            name=tree_ids.attribute,
            points=tree_ids.n_zeros,
            least=size.min(),
            most=size.max(),
            other=_UNUSED_ID,
        )
    ]


def _gap_messages(tree_ids: _TreeIds) -> list[Remark]:
    """Return a message if ids between the lowest and the highest id do not occur."""
    ids = tree_ids.instances.ids
    n_missing = int(ids[-1]) - int(ids[0]) + 1 - len(ids)
    if not n_missing:
        return []
    return [
        note(
            "cloud.gaps",
            "{file}: the ids in attribute '{name}' have gaps ({missing:,} missing, as {examples}).",
            file=tree_ids.file,
            name=tree_ids.attribute,
            missing=n_missing,
            examples=_missing_ids(ids),
        )
    ]


def _size_ratio(size: Ints) -> float:
    """Return the ratio of the largest and the second largest size (n,); 1 for a single size."""
    if len(size) < 2:
        return 1.0
    second_largest, largest = np.partition(size, -2)[-2:]
    return float(largest / second_largest)


def _missing_ids(ids: Ints) -> list[int]:
    """Return the first ids that are missing between ascending ids (n,)."""
    missing: list[int] = []
    for before, after in zip(ids[:-1].tolist(), ids[1:].tolist()):
        missing += range(before + 1, min(after, before + 1 + _MAX_LISTED_IDS))
        if len(missing) >= _MAX_LISTED_IDS:
            break
    return missing[:_MAX_LISTED_IDS]
