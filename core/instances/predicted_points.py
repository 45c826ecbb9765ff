"""Predictions of a point cloud in a file of their own, given to the points of the reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Array, Floats, Ints
from randcrowns.core.errors import InputError
from randcrowns.core.instances.labelled_points import nearest_points
from randcrowns.core.messages import Message, note, warning
from randcrowns.core.progress import Progress, no_progress

#: Share of points without a partner from which the message is a warning.
_MANY_WITHOUT_PARTNER = 0.05


@dataclass(frozen=True)
class PredictedPoints:
    """The m points of a cloud with predictions."""

    file: str  #: name of the file.
    xyz: Floats  #: (m, 3) coordinates in the system of the reference, metres.
    labels: Array  #: (m,) integer label of the predicted tree of each point.
    invalid_id: int  #: label of points without a predicted tree.
    attributes: Mapping[str, Array]  #: (m,) values of further attributes, by name.


class TransferredPredictions(NamedTuple):
    """Predictions of the n points of the reference."""

    labels: Ints  #: (n,) label of the predicted tree of each point.
    attributes: dict[str, Floats]  #: (n,) values by name; NaN without a partner.
    messages: list[Message]  #: messages about points and trees without a partner.


def transfer_predictions(
    reference_file: str,
    reference_xyz: Floats,
    predicted: PredictedPoints,
    max_distance: float,
    progress: Progress = no_progress,
) -> TransferredPredictions:
    """Give each point of the reference the prediction of the nearest point of another cloud.

    Args:
        reference_file: name of the file of the reference, for messages.
        reference_xyz: (n, 3) coordinates of the reference, metres.
        predicted: cloud with the predictions.
        max_distance: maximum distance of a point and its partner, metres. A point without a
            partner has no predicted tree.
        progress: receives the fraction done; may raise to cancel.

    Raises:
        InputError: if no point of the reference has a partner.

    >>> found = PredictedPoints("b.las", np.array([[0.0, 0, 0]]), np.array([7]), -1, {})
    >>> points = np.array([[0.1, 0, 0], [5, 0, 0]])
    >>> transfer_predictions("a.las", points, found, 0.5).labels.tolist()
    [7, -1]
    """
    n_predicted = len(predicted.xyz)
    partner_rows = nearest_points(reference_xyz, predicted.xyz, max_distance, progress)
    has_partner = partner_rows < n_predicted
    if n_predicted and len(partner_rows) and not has_partner.any():
        raise InputError(
            "cloud.no_partners",
            "No point of {reference} has a point of {file} within {distance:g} m, so that the "
            "predictions cannot be compared. Check that both have the same coordinates (no shift, "
            "one unit), or increase the distance.",
            reference=reference_file,
            file=predicted.file,
            distance=max_distance,
        )
    matched_rows = partner_rows[has_partner]
    labels = np.full(len(partner_rows), predicted.invalid_id, dtype=np.int64)
    labels[has_partner] = predicted.labels[matched_rows]
    attributes = {}
    for name, predicted_values in predicted.attributes.items():
        values = np.full(len(partner_rows), np.nan)
        values[has_partner] = predicted_values[matched_rows]
        attributes[name] = values
    messages = [
        _partner_message(reference_file, predicted, max_distance, has_partner),
        *_lost_tree_messages(reference_file, predicted, partner_rows),
        *_contradiction_messages(predicted),
    ]
    return TransferredPredictions(labels, attributes, messages)


def _partner_message(
    reference_file: str, predicted: PredictedPoints, max_distance: float, has_partner: Array
) -> Message:
    """Return the message with the share of points without a partner.

    Args:
        reference_file: name of the file of the reference.
        predicted: cloud with the predictions.
        max_distance: maximum distance of a point and its partner, metres.
        has_partner: (n,) mask of the points of the reference that have a partner.
    """
    n_without = int(np.count_nonzero(~has_partner))
    share = n_without / len(has_partner) if len(has_partner) else 0.0
    make = warning if share >= _MANY_WITHOUT_PARTNER else note
    return make(
        "cloud.partners",
        "{share:.1%} of the points of {reference} ({count:,}) have no point of {file} within "
        "{distance:g} m; they have no predicted tree. The others have that of the nearest "
        "point.",
        share=share,
        reference=reference_file,
        count=n_without,
        file=predicted.file,
        distance=max_distance,
    )


def _lost_tree_messages(
    reference_file: str, predicted: PredictedPoints, partner: Ints
) -> list[Message]:
    """Return a warning if predicted trees have no point that is a partner.

    Args:
        reference_file: name of the file of the reference.
        predicted: cloud of m points with the predictions.
        partner: (n,) partner of each point of the reference; m for none.
    """
    is_used = np.zeros(len(predicted.xyz) + 1, dtype=bool)
    is_used[partner] = True
    all_trees = np.setdiff1d(predicted.labels, [predicted.invalid_id])
    used_trees = np.unique(predicted.labels[is_used[:-1]])
    n_lost = len(np.setdiff1d(all_trees, used_trees))
    if not n_lost:
        return []
    return [
        warning(
            "cloud.trees_without_partner",
            "{count:,} predicted trees of {file} are not counted, because none of their points "
            "is the nearest of a point of {reference}.",
            one="1 predicted tree of {file} is not counted, because none of its points is the "
            "nearest of a point of {reference}.",
            count=n_lost,
            file=predicted.file,
            reference=reference_file,
        )
    ]


def _contradiction_messages(predicted: PredictedPoints) -> list[Message]:
    """Return a warning if points at one place have different predicted trees.

    A point of the reference gets one of them. Merged tiles that overlap have such points.

    Args:
        predicted: cloud with the predictions.
    """
    places = pd.DataFrame(predicted.xyz, columns=["x", "y", "z"])
    is_shared = places.duplicated(keep=False).to_numpy()
    if not is_shared.any():
        return []
    shared_places = places[is_shared].assign(label=predicted.labels[is_shared])
    n_labels = shared_places.groupby(["x", "y", "z"])["label"].transform("nunique")
    n_contradictory = int((n_labels > 1).sum())
    if not n_contradictory:
        return []
    return [
        warning(
            "cloud.contradictory_points",
            "{count:,} points of {file} lie at the place of another point that has another "
            "predicted tree, as where tiles overlap. One of both is used; leave one of them out.",
            count=n_contradictory,
            file=predicted.file,
        )
    ]
