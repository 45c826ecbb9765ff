"""Job ``evaluate-cloud``: match the predicted trees of a labelled point cloud with its targets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Bools, Floats, Ints
from randcrowns.core.errors import InputError, MissingLibraryError
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
from randcrowns.core.instances.tree_labels import Column as LabelColumn
from randcrowns.core.instances.tree_labels import check_integers, clean_numbers, labels_of
from randcrowns.core.messages import Message
from randcrowns.jobs.evaluation import conclude
from randcrowns.jobs.parameters import JobValues, read_values
from randcrowns.jobs.results import JobResult, ordered_columns, recorded_parameters
from randcrowns.jobs.written_files import path_of

#: Attributes with the coordinates.
_COORDINATES = ("x", "y", "z")


class _Cloud(NamedTuple):
    """Points of a file."""

    xyz: Floats  #: (n, 3) coordinates.
    columns: Mapping[str, Any]  #: (n,) values by the name of the attribute.
    name: str  #: name of the file.

    def attribute(self, name: str) -> Any:
        """Return the values (n,) of an attribute, whose name may differ in case.

        Raises:
            InputError: if there is no such attribute.
        """
        names = {own.lower(): own for own in self.columns}
        if name.lower() not in names:
            raise InputError(
                "cloud.no_attribute",
                "{file} has no attribute '{name}'; it has {attributes}.",
                file=self.name,
                name=name,
                attributes=list(self.columns),
            )
        return np.array(self.columns[names[name.lower()]])


def evaluate_cloud(input: str | Path, **parameters: Any) -> JobResult:
    """Match the predicted trees of a labelled point cloud with its target trees.

    Args:
        input: a LAS, LAZ, PLY, NPY or NPZ file, or a table (TXT, CSV) with a heading; heights in
            metres.
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
    cloud = _without_excluded(_read_cloud(path_of(input)), values["excluded_points"])
    points, messages = _labelled_points(values, cloud)
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


def _read_cloud(path: Path) -> _Cloud:
    """Read the points of a file with all their attributes.

    Raises:
        InputError: if there is no such file, it cannot be read, or it has no coordinates.
    """
    if not path.is_file():
        raise InputError("file.missing", "There is no file {file}.", file=str(path))
    readers = {
        ".las": _read_las,
        ".laz": _read_las,
        ".ply": _read_ply,
        ".npy": _read_numpy,
        ".npz": _read_numpy,
    }
    reader = readers.get(path.suffix.lower(), _read_text)
    try:
        values = reader(path)
    except (MissingLibraryError, InputError):
        raise
    except Exception as error:
        raise InputError(
            "file.unreadable", "{path} cannot be read: {why}", path=str(path), why=error
        ) from error
    names = {name.lower(): name for name in values}
    missing = [name for name in _COORDINATES if name not in names]
    if missing:
        raise InputError(
            "cloud.no_coordinates",
            "{file} has no {names}, the coordinates of the points.",
            file=path.name,
            names=missing,
        )
    xyz = np.stack([np.asarray(values[names[c]], dtype=float) for c in _COORDINATES], axis=1)
    if not np.isfinite(xyz).all():
        raise InputError(
            "cloud.coordinates_not_finite",
            "{file}: coordinates of points are missing or are no numbers.",
            file=path.name,
        )
    return _Cloud(xyz, values, path.name)


def _read_las(path: Path) -> Mapping[str, Any]:
    """Return the attributes of a LAS or LAZ file by name."""
    try:
        import laspy
    except ImportError as error:
        raise MissingLibraryError(
            "cloud.no_laspy",
            "LAS and LAZ files are read with laspy, which is not installed. Install it: pip "
            "install 'laspy[lazrs]'",
        ) from error
    las = laspy.read(path)
    names = [name for name in las.point_format.dimension_names if name not in ("X", "Y", "Z")]
    values = {name: np.asarray(las[name]) for name in names}
    return {**values, "x": np.asarray(las.x), "y": np.asarray(las.y), "z": np.asarray(las.z)}


def _read_ply(path: Path) -> Mapping[str, Any]:
    """Return the attributes of the vertices of a PLY file by name."""
    try:
        from plyfile import PlyData
    except ImportError as error:
        raise MissingLibraryError(
            "cloud.no_plyfile",
            "PLY files are read with plyfile, which is not installed. Install it: pip install "
            "plyfile",
        ) from error
    vertices = PlyData.read(str(path))["vertex"].data
    return {name: vertices[name] for name in vertices.dtype.names}


def _read_numpy(path: Path) -> Mapping[str, Any]:
    """Return the fields of a structured array, or the arrays of an archive, by name."""
    content = np.load(path, allow_pickle=False)
    names = content.files if path.suffix.lower() == ".npz" else content.dtype.names
    if names is None:
        raise InputError(
            "cloud.no_fields",
            "{file} holds an array without names of fields. Save a structured array, or an NPZ "
            "file with an array per attribute.",
            file=path.name,
        )
    return {name: content[name] for name in names}


def _read_text(path: Path) -> Mapping[str, Any]:
    """Return the columns of a table with a heading by name."""
    table = pd.read_csv(path, sep=None, engine="python", comment="/")
    return {str(name).strip().lstrip("#").strip(): table[name].to_numpy() for name in table}


def _without_excluded(cloud: _Cloud, text: str) -> _Cloud:
    """Return the points without those of the values in a text such as ``classification=7+18``.

    Raises:
        InputError: if a part of the text is no attribute with values.
    """
    is_excluded = np.zeros(len(cloud.xyz), dtype=bool)
    for name, excluded in parse_left_out(text).items():
        is_excluded |= np.isin(cloud.attribute(name), excluded)
    if not is_excluded.any():
        return cloud
    values = {name: np.asarray(own)[~is_excluded] for name, own in cloud.columns.items()}
    return cloud._replace(xyz=cloud.xyz[~is_excluded], columns=values)


def _labelled_points(values: JobValues, cloud: _Cloud) -> tuple[LabelledPoints, list[Message]]:
    """Return the points with the ids of their trees, and messages about unusual ids.

    Raises:
        InputError: if an attribute is missing, or holds values that are no whole numbers.
    """
    names = (values["target_attribute"], values["prediction_attribute"])
    if not all(names):
        raise InputError(
            "cloud.invalid_attributes",
            "Trees require two attributes: the id of the target and of the predicted tree.",
        )
    no_tree = (values["no_tree_id"], _prediction_no_tree(values))
    further_text = values["further_no_tree_ids"]
    texts = (further_text, values["prediction_further_no_tree_ids"] or further_text)
    labels = []
    ids = []
    messages: list[Message] = []
    for name, number, text in zip(names, no_tree, texts):
        first, *others = parse_no_tree_values(number, text)
        column = _column(cloud, name)
        found = labels_of(cloud.name, name, column, first, others)
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


def _column(cloud: _Cloud, name: str) -> LabelColumn:
    """Return the values of an attribute with ids of trees.

    Raises:
        InputError: if they are no whole numbers.
    """
    values = cloud.attribute(name)
    if not np.issubdtype(values.dtype, np.integer):
        values = clean_numbers(values.astype(float), None)
    check_integers(cloud.name, name, values)
    return LabelColumn(values, None)


def _uncertain(values: JobValues, cloud: _Cloud, points: LabelledPoints) -> Bools | None:
    """Return the predicted trees (P,) that are no false positives if unmatched; None for none."""
    min_height = values["min_height_fp"]
    min_share = values["min_precision_fp"]
    if not (min_share > 0 or min_height > 0):
        return None
    is_labelled = None
    if values["labelled_attribute"]:
        is_labelled = np.nan_to_num(cloud.attribute(values["labelled_attribute"])) != 0
    return uncertain_predictions(points, cloud.xyz, min_height, min_share, is_labelled)


def _partitions(
    values: JobValues, cloud: _Cloud, points: LabelledPoints, matches: InstanceMatches
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
