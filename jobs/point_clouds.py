"""Job ``evaluate-cloud``: match the predicted trees of a labelled point cloud with its targets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Bools, Ints
from randcrowns.core.errors import InputError
from randcrowns.core.instances.ground import uncertain_predictions
from randcrowns.core.instances.labelled_points import LabelledPoints, partition_metrics
from randcrowns.core.instances.matching import match_instances
from randcrowns.core.instances.partitions import AXES, END_QUANTILES, instance_heights
from randcrowns.core.instances.point_values import parse_left_out, parse_no_tree_values
from randcrowns.core.instances.results import (
    InstanceMatches,
    pointtree_metrics,
    prediction_results,
    target_results,
)
from randcrowns.core.instances.summary import summarise_instances
from randcrowns.core.instances.tree_labels import labels_of
from randcrowns.core.messages import Message
from randcrowns.jobs.cloud_files import CloudPoints, read_cloud_points
from randcrowns.jobs.evaluation import conclude
from randcrowns.jobs.parameters import JobValues, read_values
from randcrowns.jobs.results import JobResult, ordered_columns, recorded_parameters
from randcrowns.jobs.written_files import path_of


def evaluate_cloud(input: str | Path, **parameters: Any) -> JobResult:
    """Match the predicted trees of a labelled point cloud with its target trees.

    Args:
        input: a LAS, LAZ, COPC, PLY, NPY or NPZ file, a table (TXT, CSV) with a heading, or a
            folder with one file per tree. Without a CRS in the file, coordinates are in metres.
        **parameters: parameters of the toolbox in lower case, such as ``target_attribute``,
            ``prediction_attribute``, ``no_tree_id``, ``detection_method``.

    Returns:
        The result with the tables ``summary``, ``targets``, ``predictions``, ``metrics`` and
        ``partitions``.

    Raises:
        InputError: if the file cannot be read, or a parameter is invalid.
        MissingLibraryError: if a library for the file is not installed.
    """
    values = read_values("evaluate-cloud", parameters)
    cloud = _read_cloud(path_of(input), values)
    points, label_messages = _labelled_points(values, cloud)
    messages = [*cloud.messages, *label_messages]
    methods = (values["detection_method"], values["segmentation_method"])
    inputs = points.matching_inputs(cloud.xyz, methods)
    matches = InstanceMatches(
        points.table,
        match_instances(points.table, methods[0], inputs),
        match_instances(points.table, methods[1], inputs),
        points.targets.ids,
        points.predictions.ids,
        _uncertain(values, cloud, points),
    )
    summary = ordered_columns(
        summarise_instances(
            matches.table, matches.detection, matches.segmentation, uncertain=matches.uncertain
        ),
        values.job.columns["SUMMARY"],
    )
    heights = instance_heights(cloud.xyz[:, 2], points.targets)
    tables = {
        "summary": summary,
        "targets": target_results(matches).assign(height=heights),
        "predictions": prediction_results(matches),
        "metrics": pointtree_metrics(
            matches, points.prediction_invalid_id, values["include_unmatched"]
        ),
    }
    if values["num_partitions"]:
        tables["partitions"] = _partitions(values, cloud, points, matches)
    return JobResult(
        values.job.name,
        summary,
        tables,
        messages,
        {**recorded_parameters(values), "input": str(input)},
        str(conclude(summary.iloc[0])),
    )


def _read_cloud(path: Path, values: JobValues) -> CloudPoints:
    """Return the points of a file with the attributes that the job names.

    Raises:
        InputError: if the file cannot be read, or no attributes of trees are named.
    """
    names = (values["target_attribute"], values["prediction_attribute"])
    if not all(names):
        raise InputError(
            "cloud.invalid_attributes",
            "Trees require two attributes: the id of the target and of the predicted tree.",
        )
    other_names = [values["labelled_attribute"]] if values["labelled_attribute"] else []
    return read_cloud_points(path, names, other_names, parse_left_out(values["excluded_points"]))


def _labelled_points(values: JobValues, cloud: CloudPoints) -> tuple[LabelledPoints, list[Message]]:
    """Return the points with the ids of their trees, and messages about unusual ids.

    Raises:
        InputError: if a value is no whole number.
    """
    names = (values["target_attribute"], values["prediction_attribute"])
    no_tree = (values["no_tree_id"], _prediction_no_tree(values))
    further_text = values["further_no_tree_ids"]
    texts = (further_text, values["prediction_further_no_tree_ids"] or further_text)
    labels = []
    ids = []
    messages: list[Message] = []
    for name, number, text in zip(names, no_tree, texts):
        first, *others = parse_no_tree_values(number, text)
        found = labels_of(cloud.name, name, cloud.columns[name], first, others)
        labels.append(found.labels)
        ids.append(first)
        messages += found.messages
    target, prediction = labels
    points = LabelledPoints.from_labels(target, prediction, ids[0], prediction_invalid_id=ids[1])
    return points, messages


def _prediction_no_tree(values: JobValues) -> int:
    """Return the id for no predicted tree; that of the targets if none is given."""
    is_given = "prediction_no_tree_id" in values.given
    return int(values["prediction_no_tree_id"] if is_given else values["no_tree_id"])


def _uncertain(values: JobValues, cloud: CloudPoints, points: LabelledPoints) -> Bools | None:
    """Return the predicted trees (P,) that are no false positives if unmatched; None for none."""
    min_height = values["min_height_fp"]
    min_share = values["min_precision_fp"]
    if not (min_share > 0 or min_height > 0):
        return None
    is_labelled = None
    if values["labelled_attribute"]:
        is_labelled = np.nan_to_num(cloud.columns[values["labelled_attribute"]].numbers()) != 0
    return uncertain_predictions(points, cloud.xyz, min_height, min_share, is_labelled)


def _partitions(
    values: JobValues, cloud: CloudPoints, points: LabelledPoints, matches: InstanceMatches
) -> pd.DataFrame:
    """Return the mean metrics of parts of the trees, by distance to the trunk and by height."""
    matched: Ints = matches.segmentation.prediction
    metrics = partition_metrics(
        points,
        cloud.xyz,
        matched,
        AXES,
        values["include_unmatched"],
        values["num_partitions"],
        END_QUANTILES[values["partition_end"]],
    )
    frames = [means.assign(axis=axis) for axis, (means, _) in metrics.items()]
    return pd.concat(frames, ignore_index=True)
