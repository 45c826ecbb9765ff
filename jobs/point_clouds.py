"""Job ``evaluate-cloud``: match the predicted trees of a labelled point cloud with its targets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints
from randcrowns.core.classes.point_classes import (
    PointClasses,
    class_metrics,
    compare_classes,
    parse_class_numbers,
)
from randcrowns.core.crs import parse_crs
from randcrowns.core.errors import MissingLibraryError
from randcrowns.core.instances.ground import uncertain_predictions
from randcrowns.core.instances.labelled_points import LabelledPoints, partition_metrics
from randcrowns.core.instances.matching import match_instances
from randcrowns.core.instances.no_tree_values import NoTreeValues
from randcrowns.core.instances.outlines import instance_outlines
from randcrowns.core.instances.overlap import Instances
from randcrowns.core.instances.partitions import AXES, END_QUANTILES, instance_heights
from randcrowns.core.instances.point_attributes import ComparedAttributes
from randcrowns.core.instances.point_values import parse_left_out, parse_no_tree_values_of_both
from randcrowns.core.instances.predicted_points import PredictedPoints, transfer_predictions
from randcrowns.core.instances.results import (
    InstanceMatches,
    pointtree_metrics,
    prediction_results,
    target_results,
)
from randcrowns.core.instances.summary import summarise_instances
from randcrowns.core.instances.tree_ids import check_tree_ids
from randcrowns.core.instances.tree_labels import Labels, labels_of
from randcrowns.core.messages import Message
from randcrowns.jobs.cloud_files import (
    CloudPoints,
    CloudRequest,
    find_cloud_crs,
    read_cloud_points,
)
from randcrowns.jobs.evaluation import conclude
from randcrowns.jobs.parameters import JobValues, read_values
from randcrowns.jobs.results import JobResult, ordered_columns, recorded_parameters
from randcrowns.jobs.signatures import with_parameters
from randcrowns.jobs.sites import WorkingCrs
from randcrowns.jobs.tables import InputLayer
from randcrowns.jobs.vector_files import import_geopandas
from randcrowns.jobs.written_files import path_of


@with_parameters("evaluate-cloud")
def evaluate_cloud(input: str | Path, **parameters: Any) -> JobResult:
    """Match the predicted trees of a labelled point cloud with its target trees.

    Args:
        input: a LAS, LAZ, COPC, PLY, NPY or NPZ file, a table (TXT, CSV) with a heading, or a
            folder with one file per tree. Without a CRS in the file, coordinates are in metres
            unless ``crs`` names their system.
        **parameters: parameters of the toolbox in lower case, such as ``target_attribute``,
            ``prediction_attribute``, ``no_tree_id``, ``detection_method``. ``prediction_input`` is
            the file with the predictions, if they are in a file of their own. ``cell_size`` is the
            side of the square cells from which the outlines of the trees are drawn.

    Returns:
        The result with the tables ``summary``, ``targets`` and ``predictions`` with the outlines
        of the trees from above, ``metrics`` and ``partitions``; with class attributes also
        ``classes``.

    Raises:
        InputError: if the file cannot be read, or a parameter is invalid.
        MissingLibraryError: if a library for the file is not installed.

    >>> points = {"x": [0.0, 0.1, 5.0], "y": [0.0, 0.0, 0.0], "z": [0.0, 9.0, 8.0]}
    >>> trees = {"tree": [1, 1, 2], "found": [1, 1, -1]}
    >>> pd.DataFrame({**points, **trees}).to_csv("plot.csv", index=False)
    >>> names = {"target_attribute": "tree", "prediction_attribute": "found"}
    >>> evaluate_cloud("plot.csv", **names).summary[["tp", "fp", "fn"]].values.tolist()
    [[1, 0, 1]]
    """
    return evaluate_trees(input, parameters)


def evaluate_trees(
    input: str | Path, parameters: Mapping[str, Any], has_outlines: bool = True
) -> JobResult:
    """Return the result of :func:`evaluate_cloud`, also without the outlines of the trees.

    Most of the time is spent on the outlines.

    Args:
        input: as in :func:`evaluate_cloud`.
        parameters: its parameters by name.
        has_outlines: True if the trees get outlines and areas.
    """
    values = read_values("evaluate-cloud", parameters)
    classes = parse_class_numbers(values["class_names"], 1)
    aggregates = parse_class_numbers(values["class_aggregates"])
    cloud = _read_cloud(path_of(input), values)
    matches = _match_trees(values, cloud)
    metrics = summarise_instances(
        matches.table, matches.detection, matches.segmentation, uncertain=matches.uncertain
    )
    summary = ordered_columns(metrics, values.job.columns["SUMMARY"])
    tables = {"summary": summary, **_make_tables(values, cloud, matches, has_outlines)}
    if cloud.classes is not None:
        tables["classes"] = class_metrics(
            cloud.classes.target, cloud.classes.prediction, classes, aggregates
        )
    return JobResult(
        job=values.job.name,
        summary=summary,
        tables=tables,
        messages=cloud.messages,
        parameters={**recorded_parameters(values), "input": str(input)},
        conclusion=str(conclude(summary.iloc[0])),
        inputs=_record_inputs(path_of(input), _prediction_path(values)),
    )


def _match_trees(values: JobValues, cloud: _LabelledCloud) -> InstanceMatches:
    """Match the predicted trees with the target trees by both methods of a job.

    Args:
        values: values of the job.
        cloud: labelled points.
    """
    points = cloud.points
    detection_method = values["detection_method"]
    segmentation_method = values["segmentation_method"]
    inputs = points.matching_inputs(cloud.xyz, (detection_method, segmentation_method))
    return InstanceMatches(
        table=points.table,
        detection=match_instances(points.table, detection_method, inputs),
        segmentation=match_instances(points.table, segmentation_method, inputs),
        target_ids=points.targets.ids,
        prediction_ids=points.predictions.ids,
        uncertain=_uncertain(values, cloud),
    )


def _record_inputs(cloud: Path, predictions: Path | None) -> list[InputLayer]:
    """Return the records of the files of a job."""
    records = [InputLayer("input", cloud.stem, str(cloud))]
    if predictions is not None:
        records.append(InputLayer("prediction_input", predictions.stem, str(predictions)))
    return records


class _LabelledCloud(NamedTuple):
    """Labelled cloud of n points."""

    xyz: Floats  #: (n, 3) coordinates, metres.
    crs: Any  #: a :class:`pyproj.CRS`, that of the file or the requested one; None without one.
    working_crs: WorkingCrs  #: system of ``xyz``.
    points: LabelledPoints  #: target and predicted trees of the points.
    is_labelled: Bools | None  #: (n,) mask of the labelled points; None without an attribute.
    classes: PointClasses | None  #: classes of the points; None if none are compared.
    messages: list[Message]  #: messages about the files, the ids and the classes.


class _TreeLabels(NamedTuple):
    """Predicted trees of n points."""

    labels: Array  #: (n,) integer labels.
    n_zeros: int  #: number of points with 0 that belong to no tree.
    classes: Array | None  #: (n,) predicted classes; None if none are compared.
    messages: list[Message]  #: messages about the file and its labels.


def _read_cloud(path: Path, values: JobValues) -> _LabelledCloud:
    """Read the trees and classes of the points, with the predictions of another file if it is set.

    Raises:
        InputError: if a file cannot be read, or attributes or values cannot be used.
    """
    names = _compared_attributes(values)
    prediction_path = _prediction_path(values)
    names.check(has_prediction_file=prediction_path is not None)
    no_target, no_prediction = _no_tree_values(values)
    cloud = read_cloud_points(_target_request(path, prediction_path, values))
    targets = _labels(cloud, names.target, no_target)
    if prediction_path is None:
        predictions = _predictions_in(cloud, names, no_prediction)
    else:
        predictions = _predictions_of_file(cloud, prediction_path, values)
    points = LabelledPoints.from_labels(
        targets.labels,
        predictions.labels,
        no_target.replacement,
        prediction_invalid_id=no_prediction.replacement,
    )
    messages = [*cloud.messages, *targets.messages, *predictions.messages]
    if names.target:
        messages += check_tree_ids(
            files=(path.name, (prediction_path or path).name),
            points=points,
            attributes=(names.target, names.prediction),
            invalid_ids=(no_target.replacement, no_prediction.replacement),
            zeros=(targets.n_zeros, predictions.n_zeros),
        )
    classes = None
    if predictions.classes is not None:
        target_classes = cloud.columns[names.true_class].numbers()
        classes = compare_classes(path.name, names.true_class, target_classes, predictions.classes)
        messages += classes.messages
    return _LabelledCloud(
        xyz=cloud.xyz,
        crs=cloud.crs,
        working_crs=cloud.working_crs,
        points=points,
        is_labelled=_labelled_mask(values, cloud),
        classes=classes,
        messages=messages,
    )


def _compared_attributes(values: JobValues) -> ComparedAttributes:
    """Return the names of the attributes whose trees and classes are compared."""
    return ComparedAttributes(
        values["target_attribute"],
        values["prediction_attribute"],
        values["target_class_attribute"],
        values["prediction_class_attribute"],
    )


def _prediction_path(values: JobValues) -> Path | None:
    """Return the file of the predictions; None if they are in the file of the targets."""
    source = values["prediction_input"]
    return path_of(source) if source else None


def _no_tree_values(values: JobValues) -> tuple[NoTreeValues, NoTreeValues]:
    """Return the values that mean no target, and those that mean no predicted tree."""
    return parse_no_tree_values_of_both(
        (values["no_tree_id"], _prediction_no_tree(values)),
        (values["further_no_tree_ids"], values["prediction_further_no_tree_ids"]),
    )


def _target_request(path: Path, prediction_path: Path | None, values: JobValues) -> CloudRequest:
    """Return what is read of the file of the targets.

    Without a CRS, the file has the CRS that the job names, or else that of the predictions.

    Args:
        path: file of the targets.
        prediction_path: file of the predictions; None if they are in the same file.
        values: values of the job.
    """
    names = _compared_attributes(values)
    crs = _requested_crs(path.name, values)
    if crs is None and prediction_path is not None:
        crs = find_cloud_crs(prediction_path)
    integer_names = [names.target, names.true_class]
    if prediction_path is None:
        integer_names += [names.prediction, names.predicted_class]
    other_names = [values["labelled_attribute"]]
    return CloudRequest(
        path,
        integer_names=list(filter(None, integer_names)),
        other_names=list(filter(None, other_names)),
        left_out=parse_left_out(values["excluded_points"]),
        crs=crs,
    )


def _requested_crs(file: str, values: JobValues) -> Any:
    """Return the CRS that the job names, a :class:`pyproj.CRS`; None if it names none.

    Args:
        file: name of the file of the targets, for the error.
        values: values of the job.

    Raises:
        InputError: if there is no such CRS.
        MissingLibraryError: if pyproj is not installed.
    """
    if not values["crs"]:
        return None
    crs = parse_crs(values["crs"], file)
    if crs is None:
        raise MissingLibraryError(
            "cloud.no_pyproj",
            "Coordinate systems are read with pyproj, which is not installed. Install it: pip "
            "install pyproj",
        )
    return crs


def _predictions_in(
    cloud: CloudPoints, names: ComparedAttributes, no_tree: NoTreeValues
) -> _TreeLabels:
    """Return the predictions in the file of the targets.

    Args:
        cloud: points of the file.
        names: names of the attributes.
        no_tree: values that mean no predicted tree.
    """
    labels = _labels(cloud, names.prediction, no_tree)
    predicted_class = names.predicted_class
    classes = cloud.columns[predicted_class].numbers() if predicted_class else None
    return _TreeLabels(labels.labels, labels.n_zeros, classes, labels.messages)


def _predictions_of_file(cloud: CloudPoints, path: Path, values: JobValues) -> _TreeLabels:
    """Return the predictions that points get from the nearest points of another file.

    Args:
        cloud: points of the file of the targets.
        path: file of the predictions. Without a CRS it has that of the targets.
        values: values of the job.
    """
    names = _compared_attributes(values)
    _, no_prediction = _no_tree_values(values)
    request = CloudRequest(
        path,
        integer_names=list(filter(None, (names.prediction, names.predicted_class))),
        left_out=parse_left_out(values["excluded_points"]),
        may_lack_left_out=True,
        crs=cloud.crs,
        working_crs=cloud.working_crs,
    )
    predicted_cloud = read_cloud_points(request)
    predictions = _predictions_in(predicted_cloud, names, no_prediction)
    attributes = {}
    if predictions.classes is not None:
        attributes[names.predicted_class] = predictions.classes
    predicted_points = PredictedPoints(
        file=predicted_cloud.name,
        xyz=predicted_cloud.xyz,
        labels=predictions.labels,
        invalid_id=no_prediction.replacement,
        attributes=attributes,
    )
    transferred = transfer_predictions(
        cloud.name, cloud.xyz, predicted_points, values["max_partner_distance"]
    )
    return _TreeLabels(
        labels=transferred.labels,
        n_zeros=predictions.n_zeros,
        classes=transferred.attributes.get(names.predicted_class),
        messages=[*predicted_cloud.messages, *predictions.messages, *transferred.messages],
    )


def _labels(cloud: CloudPoints, name: str, no_tree: NoTreeValues) -> Labels:
    """Return the labels in an attribute; all points are without a tree if its name is "".

    Args:
        cloud: points of the file.
        name: name of the attribute.
        no_tree: values that mean no tree; the first replaces the others.
    """
    if not name:
        return Labels(np.full(len(cloud.xyz), no_tree.replacement), 0, messages=[])
    return labels_of(cloud.name, name, cloud.columns[name], no_tree, cloud.xyz[:, :2])


def _labelled_mask(values: JobValues, cloud: CloudPoints) -> Bools | None:
    """Return the mask (n,) of the labelled points; None if no attribute defines them."""
    name = values["labelled_attribute"]
    return np.nan_to_num(cloud.columns[name].numbers()) != 0 if name else None


def _prediction_no_tree(values: JobValues) -> int:
    """Return the id for no predicted tree; that of the targets if none is given."""
    is_given = "prediction_no_tree_id" in values.given
    return int(values["prediction_no_tree_id"] if is_given else values["no_tree_id"])


def _uncertain(values: JobValues, cloud: _LabelledCloud) -> Bools | None:
    """Return the predicted trees (P,) that are no false positives if unmatched; None for none."""
    min_height = values["min_height_fp"]
    min_share = values["min_precision_fp"]
    if not (min_share > 0 or min_height > 0):
        return None
    return uncertain_predictions(cloud.points, cloud.xyz, min_height, min_share, cloud.is_labelled)


def _make_tables(
    values: JobValues, cloud: _LabelledCloud, matches: InstanceMatches, has_outlines: bool
) -> dict[str, pd.DataFrame]:
    """Return the tables of trees, metrics and partitions by name; the trees may have outlines.

    Args:
        values: values of the job.
        cloud: labelled points.
        matches: matches of the trees.
        has_outlines: True to make outlines of the trees.
    """
    points = cloud.points
    cell = values["cell_size"] if has_outlines else None
    metrics = pointtree_metrics(matches, points.prediction_invalid_id, values["include_unmatched"])
    tables = {
        "targets": _tree_table(cloud, points.targets, target_results(matches), cell),
        "predictions": _tree_table(cloud, points.predictions, prediction_results(matches), cell),
        "metrics": metrics,
    }
    if values["num_partitions"]:
        tables["partitions"] = _partition_table(values, cloud, matches)
    return tables


def _tree_table(
    cloud: _LabelledCloud, trees: Instances, results: pd.DataFrame, cell: float | None
) -> pd.DataFrame:
    """Return results of trees with their heights, points, areas and outlines from above.

    Args:
        cloud: labelled points.
        trees: target or predicted trees of the points.
        results: a row per tree.
        cell: side of the square cells of which the outlines use one point each, metres; None for
            trees without outlines and areas.
    """
    columns = results.assign(height=instance_heights(cloud.xyz[:, 2], trees), points=trees.n_points)
    if cell is None:
        return columns
    outlines = instance_outlines(cloud.xyz, trees, cell)
    return import_geopandas().GeoDataFrame(
        columns.assign(area=shapely.area(outlines)),
        geometry=cloud.working_crs.from_working_to(cloud.crs, outlines),
        crs=cloud.crs,
    )


def _partition_table(
    values: JobValues, cloud: _LabelledCloud, matches: InstanceMatches
) -> pd.DataFrame:
    """Return the mean metrics of parts of the trees, by distance to the trunk and by height.

    Args:
        values: values of the job.
        cloud: labelled points.
        matches: matches of the trees.
    """
    matched: Ints = matches.segmentation.prediction
    metrics = partition_metrics(
        cloud.points,
        cloud.xyz,
        matched,
        axes=AXES,
        include_unmatched=values["include_unmatched"],
        n_partitions=values["num_partitions"],
        reach_quantile=END_QUANTILES[values["partition_end"]],
    )
    frames = [means.assign(axis=axis) for axis, (means, _) in metrics.items()]
    return pd.concat(frames, ignore_index=True)
