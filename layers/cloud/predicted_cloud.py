"""Predictions in a point cloud file of their own, given to the points of the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from qgis.core import QgsCoordinateTransformContext

from randcrowns.core.instances.no_tree_values import NoTreeValues
from randcrowns.core.instances.predicted_points import PredictedPoints, transfer_predictions
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.layers.cloud.points import PointCloud, read_cloud


@dataclass(frozen=True)
class PredictionFile:
    """File with predictions, and how it is read."""

    path: Path  #: the file or folder.
    attribute: str  #: attribute with the predicted tree of each point; "" without one.
    no_tree: NoTreeValues  #: values that mean no tree.
    #: Values of points that are left out, by attribute.
    left_out: Mapping[str, Sequence[float]]
    max_distance: float  #: maximum distance of a point and its partner, metres.
    other_attributes: Sequence[str] = ()  #: further attributes to read.


def add_predictions(
    reference: PointCloud,
    reference_file: str,
    predictions: PredictionFile,
    transform_context: QgsCoordinateTransformContext,
    progress: Progress = no_progress,
) -> PointCloud:
    """Return a cloud whose points have the predictions of the nearest points of another file.

    Args:
        reference: cloud with the targets.
        reference_file: name of its file, for messages.
        predictions: file with the predictions. Without a CRS it has that of the reference.
        transform_context: the project's transform context.
        progress: callback that receives the completed fraction.

    Raises:
        InputError: if the file cannot be read, or no point of the reference has a partner.
        MissingLibraryError: if a library for the file is not installed.
    """
    file_name = predictions.path.name
    predicted = read_cloud(
        predictions.path,
        target="",
        prediction=predictions.attribute,
        transform_context=transform_context,
        no_tree=(NoTreeValues((-1,)), predictions.no_tree),
        crs=reference.crs,
        other_attributes=predictions.other_attributes,
        left_out=predictions.left_out,
        progress=subprogress(progress, 0.0, 0.5),
    )
    predicted_points = PredictedPoints(
        file=file_name,
        xyz=_transform_to_system(reference, predicted, file_name),
        labels=predicted.prediction,
        invalid_id=predictions.no_tree.replacement,
        attributes=predicted.attributes,
    )
    transferred = transfer_predictions(
        reference_file,
        reference.xyz,
        predicted_points,
        predictions.max_distance,
        subprogress(progress, 0.5, 1.0),
    )
    n_zeros_of_targets, _ = reference.n_zeros
    _, n_zeros_of_predictions = predicted.n_zeros
    return replace(
        reference,
        prediction=transferred.labels,
        messages=(*reference.messages, *predicted.messages, *transferred.messages),
        n_zeros=(n_zeros_of_targets, n_zeros_of_predictions),
        prediction_attributes=transferred.attributes,
    )


def _transform_to_system(reference: PointCloud, predicted: PointCloud, file: str) -> np.ndarray:
    """Return the coordinates (m, 3) of the predicted cloud in the working CRS of the reference.

    Args:
        reference: cloud with the working CRS.
        predicted: cloud with the predictions.
        file: name of its file, for errors.
    """
    if predicted.working_crs.crs == reference.working_crs.crs:
        return predicted.xyz
    xyz = predicted.xyz.copy()
    xy = predicted.to_file_crs(xyz[:, :2])
    xyz[:, :2] = reference.working_crs.to_working(predicted.crs, xy, file)
    return xyz
