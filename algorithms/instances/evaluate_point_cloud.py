"""Algorithm ``randcrowns:evaluatepointcloud``: evaluate the trees of a labelled point cloud.

Time and memory of each step are measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

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
from randcrowns.algorithms.parameter_types import RunParameters, RunSettings
from randcrowns.core.arrays import Bools
from randcrowns.core.classes.point_classes import (
    PointClasses,
    class_metrics,
    compare_classes,
    parse_class_numbers,
)
from randcrowns.core.instances.ground import uncertain_predictions
from randcrowns.core.instances.labelled_points import LabelledPoints, partition_metrics
from randcrowns.core.instances.matching import match_instances
from randcrowns.core.instances.outlines import instance_outlines
from randcrowns.core.instances.partitions import AXES, END_QUANTILES, instance_heights
from randcrowns.core.instances.point_attributes import ComparedAttributes
from randcrowns.core.instances.point_values import parse_left_out
from randcrowns.core.instances.pointtree import PerformanceTracker, Profiler
from randcrowns.core.instances.summary import summarise_instances
from randcrowns.core.instances.tree_ids import check_tree_ids
from randcrowns.core.messages import Message
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
    classes: PointClasses | None  #: classes of the points; None if none are compared.
    messages: list[Message]  #: messages about the ids, the classes and the cloud.


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
        true_class = run_parameters[parameters.TARGET_CLASS_ATTRIBUTE]
        attributes = ComparedAttributes(target, prediction, true_class, predicted_class)
        attributes.check(has_prediction_file=prediction_path is not None)
        parse_class_numbers(run_parameters[parameters.CLASS_NAMES], 1)
        parse_class_numbers(run_parameters[parameters.CLASS_AGGREGATES])
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
        """Return the points with their labels, and messages about the ids of the trees.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        tracker = PerformanceTracker()
        # The measure of the whole run goes on after this function, unless the reading fails.
        with ExitStack() as whole_run:
            whole_run.enter_context(Profiler(tr("Whole run but writing"), tracker))
            with Profiler(tr("Read the file"), tracker):
                cloud, points, messages = _read_labelled_points(settings, progress)
                classes = _read_point_classes(settings, cloud)
            if classes is not None:
                messages += classes.messages
            return LabelledCloud(
                cloud=cloud,
                points=points,
                tracker=tracker,
                whole_run=whole_run.pop_all(),
                classes=classes,
                messages=messages,
            )

    def compute(
        self, settings: CloudSettings, inputs: LabelledCloud, progress: Progress
    ) -> CloudEvaluation:
        """Return the matchings, the summary and the metrics per partition.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
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
            mean_partitions, tree_partitions = _create_partitions(
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
        """Return the outlines of the trees, the tables, the metrics and the conclusion.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            findings: result of :meth:`compute`.
            progress: called with the fraction done.
        """
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
            outputs.CLASSES: _create_class_frame(settings, inputs.classes),
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
    """Return the points of the files, their labels, and messages about the ids of the trees.

    Args:
        settings: settings of the run, with the files and their attributes.
        progress: called with the fraction done.
    """
    target_attribute = settings[parameters.TARGET_ATTRIBUTE]
    prediction_attribute = settings[parameters.PREDICTION_ATTRIBUTE]
    no_target, no_prediction = parameters.no_tree_values(settings)
    invalid_target = no_target.replacement
    invalid_prediction = no_prediction.replacement
    cloud = _read_clouds(settings, subprogress(progress, 0.0, 0.9))
    points = LabelledPoints.from_labels(
        cloud.target,
        cloud.prediction,
        invalid_target,
        subprogress(progress, 0.9, 1.0),
        invalid_prediction,
    )
    messages: list[Message] = []
    if target_attribute:
        messages.append(cloud.height_description)
        # Without a file of their own, the predictions are in that of the targets.
        prediction_path = settings.prediction_path or settings.path
        messages += check_tree_ids(
            (settings.path.name, prediction_path.name),
            points,
            (target_attribute, prediction_attribute),
            (invalid_target, invalid_prediction),
            cloud.n_zeros,
        )
    return cloud, points, [*messages, *cloud.messages]


def _read_clouds(settings: CloudSettings, progress: Progress) -> PointCloud:
    """Read the cloud, and the predictions from a file of their own if there is one.

    Args:
        settings: settings of the run.
        progress: called with the fraction done.
    """
    if settings.prediction_path is None:
        return _read_target_cloud(settings, progress)

    cloud = _read_target_cloud(settings, subprogress(progress, 0.0, 0.5))
    return add_predictions(
        cloud,
        settings.path.name,
        _get_prediction_file(settings, settings.prediction_path),
        settings.transform_context,
        subprogress(progress, 0.5, 1.0),
    )


def _read_target_cloud(settings: CloudSettings, progress: Progress) -> PointCloud:
    """Read the cloud with the targets, and the predictions unless another file has them.

    Points to leave out are not read.

    Args:
        settings: settings of the run.
        progress: called with the fraction done.
    """
    labelled = settings[parameters.LABELLED_ATTRIBUTE]
    prediction = ""
    class_attributes = [settings[parameters.TARGET_CLASS_ATTRIBUTE]]
    if settings.prediction_path is None:
        prediction = settings[parameters.PREDICTION_ATTRIBUTE]
        class_attributes.append(settings[parameters.PREDICTION_CLASS_ATTRIBUTE])
    return read_cloud(
        settings.path,
        settings[parameters.TARGET_ATTRIBUTE],
        prediction,
        settings.transform_context,
        no_tree=parameters.no_tree_values(settings),
        crs=settings.crs,
        other_attributes=[name for name in class_attributes if name],
        decimal_attributes=[labelled] if labelled else [],
        left_out=parse_left_out(settings[parameters.EXCLUDED_POINTS]),
        progress=progress,
    )


def _get_prediction_file(settings: CloudSettings, path: Path) -> PredictionFile:
    """Return what is read from the file with the predictions.

    Args:
        settings: settings of the run.
        path: path of the file.
    """
    _, no_prediction = parameters.no_tree_values(settings)
    predicted_class = settings[parameters.PREDICTION_CLASS_ATTRIBUTE]

    # Attributes that select the points to leave out may be in the cloud of the targets only.
    names = {attribute.name for attribute in read_header(path).attributes}
    left_out = parse_left_out(settings[parameters.EXCLUDED_POINTS])
    return PredictionFile(
        path,
        attribute=settings[parameters.PREDICTION_ATTRIBUTE],
        no_tree=no_prediction,
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
        table=points.table,
        detection=detection,
        segmentation=segmentation,
        target_ids=points.targets.ids,
        prediction_ids=points.predictions.ids,
        uncertain=uncertain,
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


def _create_partitions(
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
        matched=matches.segmentation.prediction,
        axes=AXES,
        include_unmatched=settings[parameters.INCLUDE_UNMATCHED],
        n_partitions=n_partitions,
        reach_quantile=END_QUANTILES[settings[parameters.PARTITION_END]],
        progress=progress,
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
        renamed = frame.rename(columns=_choose_partition_column)
        begin = renamed["partition"] / n_partitions
        stacked_frames.append(renamed.assign(axis=axis, begin=begin, end=begin + 1 / n_partitions))
    stacked = pd.concat(stacked_frames, ignore_index=True)
    first_names = ["axis", "partition", "begin", "end"]
    return stacked[first_names + [name for name in stacked if name not in first_names]]


def _choose_partition_column(name: str) -> str:
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
    outline_tables = {}
    for (output, instances, columns), share in iterate_with_progress(sides, progress):
        outlines = instance_outlines(cloud.xyz, instances, cell, share)
        columns["height"] = instance_heights(cloud.xyz[:, 2], instances)
        columns["points"] = instances.n_points
        columns["area"] = shapely.area(outlines)
        geometries = to_qgs_geometries(outlines, cloud.to_file_crs)
        table = FeatureTable(cloud.crs, QgsWkbTypes.Type.MultiPolygon, geometries)
        outline_tables[output] = tables.add_result_fields(output, table, columns)
    return outline_tables


def _read_point_classes(settings: CloudSettings, cloud: PointCloud) -> PointClasses | None:
    """Return the classes of the points; None if no class attributes are set."""
    target = settings[parameters.TARGET_CLASS_ATTRIBUTE]
    prediction = settings[parameters.PREDICTION_CLASS_ATTRIBUTE]
    if not target or not prediction:
        return None
    return compare_classes(
        settings.path.name,
        target,
        cloud.attributes[target],
        cloud.prediction_attributes[prediction],
    )


def _create_class_frame(settings: CloudSettings, classes: PointClasses | None) -> pd.DataFrame:
    """Return the metrics of the classes; without rows if no class attributes are set."""
    if classes is None:
        return pd.DataFrame(columns=outputs.CLASSES.field_names)
    return class_metrics(
        classes.target,
        classes.prediction,
        parse_class_numbers(settings[parameters.CLASS_NAMES]),
        parse_class_numbers(settings[parameters.CLASS_AGGREGATES]),
        tr("all classes"),
    )
