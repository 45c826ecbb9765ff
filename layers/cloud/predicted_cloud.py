"""Predictions in a point cloud file of their own, given to the points of the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from qgis.core import QgsCoordinateTransformContext

from randcrowns.core.errors import InputError
from randcrowns.core.instances.labelled_points import nearest_points
from randcrowns.core.messages import Message, note, warning
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.layers.cloud.points import PointCloud, read_cloud

#: Share of points without a partner from which the message is a warning.
_MANY_WITHOUT_PARTNER = 0.05


@dataclass(frozen=True)
class PredictionFile:
    """File with predictions, and how it is read."""

    path: Path  #: the file or folder.
    attribute: str  #: attribute with the predicted tree of each point; "" without one.
    invalid_ids: tuple[int, ...]  #: values that mean no tree; the first replaces the others.
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
    file = predictions.path.name
    predicted = read_cloud(
        predictions.path,
        "",
        predictions.attribute,
        transform_context,
        invalid_ids=(-1, predictions.invalid_ids[0]),
        further_invalid_ids=((), predictions.invalid_ids[1:]),
        crs=reference.crs,
        other_attributes=predictions.other_attributes,
        left_out=predictions.left_out,
        progress=subprogress(progress, 0.0, 0.5),
    )
    other_xyz = _in_system_of(reference, predicted, file)
    partner = nearest_points(
        reference.xyz, other_xyz, predictions.max_distance, subprogress(progress, 0.5, 1.0)
    )
    has_partner = partner < len(other_xyz)
    if len(other_xyz) and len(partner) and not has_partner.any():
        raise InputError(
            "cloud.no_partners",
            "No point of {reference} has a point of {file} within {distance:g} m, so that the "
            "predictions cannot be compared. Check that both have the same coordinates (no shift, "
            "one unit), or increase the distance.",
            reference=reference_file,
            file=file,
            distance=predictions.max_distance,
        )
    labels = np.append(predicted.prediction.astype(np.int64), predictions.invalid_ids[0])
    messages = [
        *predicted.messages,
        *_partner_messages(reference_file, predictions, predicted, partner),
    ]
    transferred = {
        name: np.append(values.astype(np.float64), np.nan)[partner]
        for name, values in predicted.attributes.items()
    }
    n_zeros = (reference.n_zeros[0], predicted.n_zeros[1])
    return replace(
        reference,
        prediction=labels[partner],
        messages=(*reference.messages, *messages),
        n_zeros=n_zeros,
        attributes={**reference.attributes, **transferred},
    )


def _in_system_of(reference: PointCloud, predicted: PointCloud, file: str) -> np.ndarray:
    """Return the coordinates (m, 3) of the predicted cloud in the working CRS of the reference."""
    if predicted.working_crs.crs == reference.working_crs.crs:
        return predicted.xyz
    xyz = predicted.xyz.copy()
    xy = predicted.to_file_crs(xyz[:, :2])
    xyz[:, :2] = reference.working_crs.to_working(predicted.crs, xy, file)
    return xyz


def _partner_messages(
    reference_file: str, predictions: PredictionFile, predicted: PointCloud, partner: np.ndarray
) -> list[Message]:
    """Return messages about points without a partner, and predicted trees that are lost by it.

    Args:
        reference_file: name of the file of the reference.
        predictions: file with the predictions.
        predicted: its cloud of m points.
        partner: (n,) partner of each point of the reference; m for none.
    """
    n_other = len(predicted.xyz)
    n_without = int(np.count_nonzero(partner == n_other))
    share = n_without / len(partner) if len(partner) else 0.0
    make = warning if share >= _MANY_WITHOUT_PARTNER else note
    messages = [
        make(
            "cloud.partners",
            "{share:.1%} of the points of {reference} ({count:,}) have no point of {file} within "
            "{distance:g} m; they have no predicted tree. The others have that of the nearest "
            "point.",
            share=share,
            reference=reference_file,
            count=n_without,
            file=predictions.path.name,
            distance=predictions.max_distance,
        )
    ]
    is_used = np.zeros(n_other + 1, dtype=bool)
    is_used[partner] = True
    all_trees = np.setdiff1d(np.unique(predicted.prediction), predictions.invalid_ids[:1])
    used_trees = np.unique(predicted.prediction[is_used[:-1]])
    lost = np.setdiff1d(all_trees, used_trees)
    if len(lost):
        messages.append(
            warning(
                "cloud.trees_without_partner",
                "{count:,} predicted trees of {file} are not counted, because none of their points "
                "is the nearest of a point of {reference}.",
                one="1 predicted tree of {file} is not counted, because none of its points is the "
                "nearest of a point of {reference}.",
                count=len(lost),
                file=predictions.path.name,
                reference=reference_file,
            )
        )
    return messages
