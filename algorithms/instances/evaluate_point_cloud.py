"""Algorithm ``randcrowns:evaluatepointcloud``: evaluate the trees of a labelled point cloud.

Time and memory of each step are measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsWkbTypes

from randcrowns.algorithms.algorithm_catalogue import EVALUATE_POINT_CLOUD
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.instances import tables
from randcrowns.algorithms.instances.schema import outputs, parameters
from randcrowns.algorithms.instances.schema.outputs import CLOUD_OUTPUTS, METRIC_VALUES
from randcrowns.algorithms.instances.schema.parameters import CLOUD_PARAMETERS, find_cloud
from randcrowns.algorithms.instances.schema.report_content import REPORT_CONTENT
from randcrowns.algorithms.instances.tables import InstanceMatches
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import RunParameters, RunSettings, raise_if_problem
from randcrowns.core.arrays import Bools, Ints
from randcrowns.core.errors import InputError
from randcrowns.core.instances.ground import uncertain_predictions
from randcrowns.core.instances.labelled_points import LabelledPoints, partition_metrics
from randcrowns.core.instances.matching import match_instances
from randcrowns.core.instances.outlines import instance_outlines
from randcrowns.core.instances.overlap import Instances
from randcrowns.core.instances.partitions import AXES, END_QUANTILES, instance_heights
from randcrowns.core.instances.point_values import parse_left_out
from randcrowns.core.instances.pointtree import PerformanceTracker, Profiler
from randcrowns.core.instances.summary import summarise_instances
from randcrowns.core.messages import Message, note, warning
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.layers.cloud.header import read_header
from randcrowns.layers.cloud.points import PointCloud, read_cloud
from randcrowns.layers.cloud.predicted_cloud import PredictionFile, add_predictions
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.geometry import to_qgs_geometries
from randcrowns.layers.vector.tables import FeatureTable

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
#: Parameters with further attributes of the cloud of the targets to read, if they are set.
_FURTHER_TARGET_ATTRIBUTES = (
    parameters.LABELLED_ATTRIBUTE,
    parameters.TARGET_CLASS_ATTRIBUTE,
)
#: Class of points without a class.
_NO_CLASS = -1
#: Number of missing ids that a message lists.
_MAX_LISTED_IDS = 3
#: Id that a message proposes as the id for no tree: no point has it, and it is never remapped.
_UNUSED_ID = -2
#: Number of points of which the width of trees is measured.
_MAX_MEASURED_POINTS = 200_000
#: Ratio of the widths of tree 0 and the widest other tree above which tree 0 may be the ground.
_MAX_WIDTH_RATIO = 3.0
#: Ratio of the sizes of the largest and the second largest tree above which the largest may be the
#: ground.
_MAX_SIZE_RATIO = 3.0


@dataclass(frozen=True)
class CloudSettings(RunSettings):
    """Settings of a run that evaluates a point cloud."""

    path: Path  #: file of the cloud.
    crs: QgsCoordinateReferenceSystem  #: coordinate reference system for a file without one.
    prediction_path: Path | None  #: file of the predictions; None for that of the targets.


@dataclass(frozen=True)
class LabelledCloud:
    """Point cloud with its labels and the measurements so far."""

    cloud: PointCloud  #: coordinates and attributes of the points.
    points: LabelledPoints  #: target and predicted trees of the points.
    tracker: PerformanceTracker  #: time and memory of each step so far.
    whole_run: ExitStack  #: measures the whole run until it is closed.
    messages: list[Message]  #: messages about the ids and the cloud.


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
        parameters.CLOUD,
        parameters.TARGET_ATTRIBUTE,
        parameters.PREDICTION_ATTRIBUTE,
        parameters.NO_TREE_ID,
        parameters.CRS,
        parameters.MATCHING_HELP,
        tr(
            "<b>Sizes</b> are numbers of points. The height of a tree is that of its highest point "
            "above its lowest."
        ),
        parameters.MIN_PRECISION_FP,
        parameters.MIN_HEIGHT_FP,
        parameters.CELL_SIZE,
    )
    progress_shares = (0.5, 0.75)
    title_layers = (parameters.CLOUD,)
    declared_parameters = CLOUD_PARAMETERS
    outputs = CLOUD_OUTPUTS
    value_outputs = METRIC_VALUES
    report_content = REPORT_CONTENT

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise an InputError if the file, an attribute or the coordinate system is unusable."""
        target = run_parameters[parameters.TARGET_ATTRIBUTE]
        prediction = run_parameters[parameters.PREDICTION_ATTRIBUTE]
        path, crs = find_cloud(run_parameters)
        header = read_header(path)
        prediction_path = parameters.find_prediction_file(run_parameters)
        prediction_header = read_header(prediction_path) if prediction_path else header
        predicted_class = run_parameters[parameters.PREDICTION_CLASS_ATTRIBUTE]
        for parameter in (parameters.TARGET_ATTRIBUTE, *_FURTHER_TARGET_ATTRIBUTES):
            if run_parameters[parameter]:
                header.find_attribute(run_parameters[parameter])
        for name in filter(None, (prediction, predicted_class)):
            prediction_header.find_attribute(name)
        raise_if_problem(
            "cloud.invalid_attributes",
            parameters.attributes_problem(
                target,
                prediction,
                run_parameters[parameters.TARGET_CLASS_ATTRIBUTE],
                predicted_class,
                prediction_path is not None,
            ),
        )
        parameters.parse_class_numbers(run_parameters[parameters.CLASS_NAMES], 1)
        parameters.parse_class_numbers(run_parameters[parameters.CLASS_AGGREGATES])
        parameters.no_tree_values(run_parameters)
        for name in parse_left_out(run_parameters[parameters.EXCLUDED_POINTS]):
            header.find_attribute(name)
        header.resolve_crs(crs)

    def read_settings(self, run_parameters: RunParameters) -> CloudSettings:
        """Return the settings with the file and its coordinate system."""
        path, crs = find_cloud(run_parameters)
        prediction_path = parameters.find_prediction_file(run_parameters)
        return CloudSettings.from_parameters(
            run_parameters, path=path, crs=crs, prediction_path=prediction_path
        )

    def read_layers(self, settings: CloudSettings, progress: Progress) -> LabelledCloud:
        """Return the points with their labels, and messages about the ids of the trees."""
        tracker = PerformanceTracker()
        # The measure of the whole run goes on after this function, unless the reading fails.
        with ExitStack() as whole_run:
            whole_run.enter_context(Profiler(tr("Whole run but writing"), tracker))
            with Profiler(tr("Read the file"), tracker):
                cloud, points, messages = _read_labelled_points(settings, progress)
            return LabelledCloud(cloud, points, tracker, whole_run.pop_all(), messages)

    def compute(
        self, settings: CloudSettings, inputs: LabelledCloud, progress: Progress
    ) -> CloudEvaluation:
        """Return the matchings, the summary and the metrics per partition."""
        with Profiler(tr("Match trees"), inputs.tracker):
            matches = _match_trees(settings, inputs, subprogress(progress, 0.0, 0.15))
        summary = summarise_instances(
            matches.table,
            matches.detection,
            matches.segmentation,
            uncertain=matches.uncertain,
            progress=subprogress(progress, 0.15, 0.2),
        )
        with Profiler(tr("Metrics per partition"), inputs.tracker):
            mean_partitions, tree_partitions = _partitions(
                settings, inputs, matches, subprogress(progress, 0.2, 1.0)
            )
        return CloudEvaluation(matches, summary, mean_partitions, tree_partitions)

    def build_results(
        self,
        settings: CloudSettings,
        inputs: LabelledCloud,
        findings: CloudEvaluation,
        progress: Progress,
    ) -> RunResults:
        """Return the outlines of the trees, the tables, the metrics and the conclusion."""
        with Profiler(tr("Draw the crowns"), inputs.tracker):
            output_tables = _outline_tables(
                settings[parameters.CELL_SIZE], inputs, findings.matches, progress
            )
        inputs.whole_run.close()
        metrics = tables.pointtree_metrics(
            findings.matches,
            inputs.points.prediction_invalid_id,
            settings[parameters.INCLUDE_UNMATCHED],
        )
        frames = {
            outputs.SUMMARY: findings.summary,
            outputs.METRICS: metrics,
            outputs.CLASSES: _class_frame(settings, inputs),
            outputs.PARTITIONS: findings.mean_partitions,
            outputs.TREE_PARTITIONS: findings.tree_partitions,
            outputs.PERFORMANCE: inputs.tracker.to_pandas().rename(columns=_TIME_COLUMNS),
        }
        for output, frame in frames.items():
            output_tables[output] = output.create_table(frame)
        return RunResults(
            output_tables,
            tables.result_numbers(findings.summary),
            headline=tables.instances_conclusion(findings.summary),
        )


def _read_labelled_points(
    settings: CloudSettings, progress: Progress
) -> tuple[PointCloud, LabelledPoints, list[Message]]:
    """Return the points of the files, their labels, and messages about the ids of the trees."""
    attributes = (
        settings[parameters.TARGET_ATTRIBUTE],
        settings[parameters.PREDICTION_ATTRIBUTE],
    )
    no_target_ids, no_prediction_ids = parameters.no_tree_values(settings)
    invalid_ids = (no_target_ids[0], no_prediction_ids[0])
    cloud = _read_clouds(settings, subprogress(progress, 0.0, 0.9))
    points = LabelledPoints.from_labels(
        cloud.target,
        cloud.prediction,
        invalid_ids[0],
        subprogress(progress, 0.9, 1.0),
        invalid_ids[1],
    )
    messages: list[Message] = []
    if settings[parameters.TARGET_ATTRIBUTE]:
        messages.append(cloud.height_description)
        messages += check_tree_ids(
            settings.path.name, points, attributes, invalid_ids, cloud.n_zeros
        )
        messages += _wide_zero_messages(settings.path.name, points, attributes, cloud.xyz)
    return cloud, points, [*messages, *cloud.messages]


def _read_clouds(settings: CloudSettings, progress: Progress) -> PointCloud:
    """Read the cloud, and the predictions from a file of their own if there is one.

    Args:
        settings: settings of the run.
        progress: called with the fraction done.
    """
    prediction = settings[parameters.PREDICTION_ATTRIBUTE]
    predicted_class = settings[parameters.PREDICTION_CLASS_ATTRIBUTE]
    further_attributes = [settings[parameter] for parameter in _FURTHER_TARGET_ATTRIBUTES]
    if settings.prediction_path is None:
        return _read_target_cloud(
            settings, prediction, [*further_attributes, predicted_class], progress
        )

    cloud = _read_target_cloud(settings, "", further_attributes, subprogress(progress, 0.0, 0.5))
    return add_predictions(
        cloud,
        settings.path.name,
        _prediction_file(settings, settings.prediction_path),
        settings.transform_context,
        subprogress(progress, 0.5, 1.0),
    )


def _read_target_cloud(
    settings: CloudSettings,
    prediction: str,
    further_attributes: Iterable[str],
    progress: Progress,
) -> PointCloud:
    """Read the cloud with the ids of the targets, without the points to leave out.

    Args:
        settings: settings of the run.
        prediction: attribute with the ids of the predictions; empty if another file has them.
        further_attributes: names of other attributes to read; empty names are skipped.
        progress: called with the fraction done.
    """
    no_target_ids, no_prediction_ids = parameters.no_tree_values(settings)
    attributes = [name for name in further_attributes if name]
    # The first value that means "no tree" replaces the others.
    return read_cloud(
        settings.path,
        settings[parameters.TARGET_ATTRIBUTE],
        prediction,
        settings.transform_context,
        invalid_ids=(no_target_ids[0], no_prediction_ids[0]),
        further_invalid_ids=(no_target_ids[1:], no_prediction_ids[1:]),
        crs=settings.crs,
        other_attributes=list(dict.fromkeys(attributes)),
        left_out=parse_left_out(settings[parameters.EXCLUDED_POINTS]),
        progress=progress,
    )


def _prediction_file(settings: CloudSettings, path: Path) -> PredictionFile:
    """Return what is read from the file with the predictions.

    Args:
        settings: settings of the run.
        path: path of the file.
    """
    _, no_prediction_ids = parameters.no_tree_values(settings)
    predicted_class = settings[parameters.PREDICTION_CLASS_ATTRIBUTE]

    # Attributes that select the points to leave out may be in the cloud of the targets only.
    names = {attribute.name for attribute in read_header(path).attributes}
    left_out = parse_left_out(settings[parameters.EXCLUDED_POINTS])
    return PredictionFile(
        path,
        attribute=settings[parameters.PREDICTION_ATTRIBUTE],
        invalid_ids=no_prediction_ids,
        left_out={name: values for name, values in left_out.items() if name in names},
        max_distance=settings[parameters.MAX_PARTNER_DISTANCE],
        other_attributes=(predicted_class,) if predicted_class else (),
    )


def _match_trees(
    settings: CloudSettings, labelled: LabelledCloud, progress: Progress
) -> InstanceMatches:
    """Match the trees for detection and for segmentation, and find uncertain predictions.

    Args:
        settings: settings of the run, with the methods of matching.
        labelled: points with the ids of their target and predicted tree.
        progress: called with the fraction done.
    """
    points = labelled.points
    detection_method = settings[parameters.DETECTION_METHOD]
    segmentation_method = settings[parameters.SEGMENTATION_METHOD]
    inputs = points.matching_inputs(labelled.cloud.xyz, [detection_method, segmentation_method])
    progress(0.05)
    detection = match_instances(
        points.table, detection_method, inputs, subprogress(progress, 0.05, 0.1)
    )
    segmentation = match_instances(
        points.table, segmentation_method, inputs, subprogress(progress, 0.1, 0.15)
    )
    uncertain = _find_uncertain(settings, labelled, subprogress(progress, 0.15, 1))
    progress(1.0)
    return InstanceMatches(
        points.table,
        detection,
        segmentation,
        points.targets.ids,
        points.predictions.ids,
        uncertain,
    )


def _find_uncertain(
    settings: CloudSettings, labelled: LabelledCloud, progress: Progress
) -> Bools | None:
    """Find the predicted trees that are no false positives if they are unmatched.

    Args:
        settings: settings of the run, with the minimum height and share of labelled points.
        labelled: points with the ids of their target and predicted tree.
        progress: called with the fraction done.

    Returns:
        Mask (P,) of the predictions; None if the settings make none uncertain.
    """
    min_height = settings[parameters.MIN_HEIGHT_FP]
    min_share = settings[parameters.MIN_PRECISION_FP]
    if not (min_share > 0 or min_height > 0):
        return None
    is_labelled = None
    labelled_attribute = settings[parameters.LABELLED_ATTRIBUTE]
    if labelled_attribute:
        is_labelled = np.nan_to_num(labelled.cloud.attributes[labelled_attribute]) != 0
    return uncertain_predictions(
        labelled.points,
        labelled.cloud.xyz,
        min_height,
        min_share,
        is_labelled,
        progress=progress,
    )


def _partitions(
    settings: CloudSettings, labelled: LabelledCloud, matches: InstanceMatches, progress: Progress
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Compute metrics per partition along both axes.

    Args:
        settings: settings of the run, with the number of partitions.
        labelled: points with the ids of their target and predicted tree.
        matches: matchings of the trees.
        progress: called with the fraction done.

    Returns:
        Mean metrics, and metrics of each target; without rows if neither output is requested or
        the number of partitions is 0.
    """
    n_partitions = settings[parameters.NUM_PARTITIONS]
    is_requested = n_partitions > 0 and not settings.requested_outputs.isdisjoint(
        (outputs.PARTITIONS, outputs.TREE_PARTITIONS)
    )
    # If not requested, one partition is computed, so that the empty tables have all columns.
    if not is_requested:
        n_partitions = 1
    metrics = partition_metrics(
        labelled.points,
        labelled.cloud.xyz,
        matches.segmentation.prediction,
        AXES,
        settings[parameters.INCLUDE_UNMATCHED],
        n_partitions,
        END_QUANTILES[settings[parameters.PARTITION_END]],
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
        (outputs.MATCHED_TARGETS, labelled.points.targets, tables.target_results(matches)),
        (
            outputs.MATCHED_PREDICTIONS,
            labelled.points.predictions,
            tables.prediction_results(matches),
        ),
    )
    made = {}
    for (output, instances, columns), share in iterate_with_progress(sides, progress):
        outlines = instance_outlines(cloud.xyz, instances, cell, share)
        columns["height"] = instance_heights(cloud.xyz[:, 2], instances)
        columns["points"] = instances.n_points
        columns["area"] = shapely.area(outlines)
        geometries = to_qgs_geometries(outlines, cloud.to_file_crs)
        table = FeatureTable(cloud.crs, QgsWkbTypes.Type.MultiPolygon, geometries)
        made[output] = tables.add_result_fields(output, table, columns)
    return made


def _class_frame(settings: CloudSettings, labelled: LabelledCloud) -> pd.DataFrame:
    """Return the metrics of the classes; without rows if no class attributes are set."""
    target = settings[parameters.TARGET_CLASS_ATTRIBUTE]
    prediction = settings[parameters.PREDICTION_CLASS_ATTRIBUTE]
    if not target or not prediction:
        return pd.DataFrame(columns=outputs.CLASSES.field_names)
    return tables.class_metrics(
        _classes(labelled.cloud.attributes[target]),
        _classes(labelled.cloud.attributes[prediction]),
        parameters.parse_class_numbers(settings[parameters.CLASS_NAMES]),
        parameters.parse_class_numbers(settings[parameters.CLASS_AGGREGATES]),
    )


def _classes(values: np.ndarray) -> np.ndarray:
    """Return the classes of n points as integers; -1 for a point without a class (NaN)."""
    if np.issubdtype(values.dtype, np.integer):
        return values
    return np.where(np.isnan(values), _NO_CLASS, values).astype(np.int64)


class _TreeIds(NamedTuple):
    """Ids of trees in an attribute of the points."""

    file: str  #: name of the file.
    attribute: str  #: name of the attribute.
    invalid_id: int  #: id for no tree.
    instances: Instances  #: trees of the points.
    n_zeros: int  #: number of points that have no tree because their value is 0.


def check_tree_ids(
    file: str,
    points: LabelledPoints,
    attributes: tuple[str, str],
    invalid_ids: tuple[int, int],
    zeros: tuple[int, int],
) -> list[Message]:
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
    messages: list[Message] = []
    for attribute, invalid_id, instances, n_zeros in zip(attributes, invalid_ids, sides, zeros):
        messages += _check_ids(_TreeIds(file, attribute, invalid_id, instances, n_zeros))
    if len(points.targets.labels) == 0:
        messages.append(warning("cloud.no_points", "{file} has no points.", file=file))
    elif not points.is_empty and len(points.table.shared) == 0:
        messages.append(
            warning(
                "cloud.no_overlap",
                "{file}: no target and prediction overlap, because no point has both. Check the "
                "two attributes.",
                file=file,
            )
        )
    return messages


def _check_ids(tree_ids: _TreeIds) -> Iterator[Message]:
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
    # A value above all ids, such as 9999, is right if points have it.
    has_points_without_tree = tree_ids.instances.n_points.sum() < n_points
    is_above_all = ids[0] >= 0 and tree_ids.invalid_id > ids[-1] and has_points_without_tree
    if ids[0] < tree_ids.invalid_id and not is_above_all:
        raise InputError(
            "cloud.id_below_no_tree",
            "Attribute '{name}' of {file} has trees with id {first}, below the id for no tree "
            "({invalid}); change that id, it seems to be {first}. Each attribute may have its own.",
            name=tree_ids.attribute,
            file=tree_ids.file,
            first=ids[0],
            invalid=tree_ids.invalid_id,
        )
    if tree_ids.instances.n_points.sum() == n_points:
        yield _all_in_trees_message(tree_ids)
    else:
        yield from _large_zero_messages(tree_ids)
    yield from _zero_messages(tree_ids)
    yield from _gap_messages(tree_ids)


def _all_in_trees_message(tree_ids: _TreeIds) -> Message:
    """Return the message that all points have a tree.

    It is a warning if a tree may be the ground: if its id is 0, or if it is much larger than the
    others.
    """
    ids = tree_ids.instances.ids
    size = tree_ids.instances.n_points
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


def _large_zero_messages(tree_ids: _TreeIds) -> list[Message]:
    """Return a warning if the tree with id 0 is much larger than the others; [] otherwise."""
    size = tree_ids.instances.n_points
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


def _wide_zero_messages(
    file: str, points: LabelledPoints, attributes: tuple[str, str], xyz: np.ndarray
) -> Iterator[Message]:
    """Yield a warning for each attribute whose points with id 0 spread much wider than a tree.

    They are probably no tree. At most about 200,000 points are looked at.

    Args:
        file: name of the file.
        points: target and predicted trees of the points.
        attributes: names of the attributes.
        xyz: (N, 3) coordinates, metres.
    """
    step = max(len(xyz) // _MAX_MEASURED_POINTS, 1)
    xy = xyz[::step, :2]
    for attribute, instances in zip(attributes, (points.targets, points.predictions)):
        size = instances.n_points
        has_other_values = size.sum() < len(xyz)
        if len(size) < 2 or instances.ids[0] != 0 or not has_other_values:
            continue
        if size.argmax() == 0 and _size_ratio(size) > _MAX_SIZE_RATIO:
            continue  # another warning says so
        frame = pd.DataFrame(xy).groupby(instances.instance_at(slice(None, None, step)))
        widths = (frame.max() - frame.min()).max(axis=1)
        others = widths[(widths.index > 0) & (widths.index < len(size))]
        if 0 in widths.index and len(others) and widths[0] > _MAX_WIDTH_RATIO * others.max():
            yield warning(
                "cloud.wide_zero",
                "{file}: 0 is the id of a tree in attribute '{name}', but its points spread over "
                "{width:.0f} m, any other tree over at most {most:.0f} m. If they have no tree, "
                "write 0 into 'Further values that mean no tree'.",
                file=file,
                name=attribute,
                width=widths[0],
                most=others.max(),
            )


def _zero_messages(tree_ids: _TreeIds) -> list[Message]:
    """Return a warning if the points with 0, which have no tree, are as many as a tree has."""
    size = tree_ids.instances.n_points
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


def _gap_messages(tree_ids: _TreeIds) -> list[Message]:
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
