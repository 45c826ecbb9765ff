"""Predictions that had better not count as mistakes: where nobody labelled, or too low to be a tree (Henrich 2024)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from randcrowns.core.errors import InputError
from randcrowns.core.label_counts import CHUNK, Instances
from randcrowns.core.point_evaluation import LabelledPoints
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.terrain import height_above_terrain

__all__ = ["labelled_shares", "uncertain_predictions"]

Floats = NDArray[np.floating[Any]]


def uncertain_predictions(
    points: LabelledPoints,
    xyz: Floats,
    min_height: float,
    min_share: float,
    labelled: ArrayLike | None = None,
    progress: Progress = no_progress,
) -> NDArray[np.bool_]:
    """(P,) predictions that, unmatched, would be uncertain.

    Args:
        points: the instances.
        xyz: (N, 3) coordinates.
        min_height: uncertain if no point is at least this far above the terrain, metres; 0 leaves the terrain out.
        min_share: uncertain if a smaller share of the points is labelled.
        labelled: (N,) which points are labelled; without it those of a target.
        progress: told how far the terrain is; may raise to cancel.

    Raises:
        InputError: unless there is one mask value per point; or if the terrain cannot be found.
        MissingLibraryError: if the terrain is needed and the library for it is not installed.
    """
    predictions = points.predictions
    unsure = np.zeros(len(predictions.ids), dtype=bool)
    if len(unsure) and min_share > 0:
        unsure |= labelled_shares(points, labelled) < min_share
    if len(unsure) and min_height > 0:
        unsure |= _tops(xyz, predictions, progress) < min_height
    return unsure


def labelled_shares(points: LabelledPoints, labelled: ArrayLike | None = None) -> NDArray[np.float64]:
    """(P,) share of each prediction's points that are labelled; without a mask, that belong to a target.

    Raises:
        InputError: unless there is one mask value per point.
    """
    predictions = points.predictions
    n = len(predictions.ids)
    if labelled is None:
        return np.bincount(points.table.prediction, weights=points.table.shared, minlength=n) / predictions.size
    mask = np.asarray(labelled)
    if mask.shape != predictions.labels.shape:
        raise InputError(f"labeled_mask must have one value per point ({len(predictions.labels)}); it has {mask.size}.")
    if mask.dtype.kind not in "biuf" or (mask.dtype.kind == "f" and np.isnan(mask).any()):
        raise InputError("labeled_mask must say of every point whether it is labelled: true or false, 1 or 0.")
    mask = mask.astype(bool, copy=False)
    number = np.zeros(n + 1, dtype=np.int64)
    for start in range(0, len(mask), CHUNK):
        chunk = mask[start : start + CHUNK]
        number += np.bincount(predictions.of_points(start, start + len(chunk))[chunk], minlength=n + 1)
    return number[:n] / predictions.size


def _tops(xyz: Floats, predictions: Instances, progress: Progress) -> NDArray[np.float64]:
    """(P,) largest height above the terrain of each prediction's points."""
    n = len(predictions.ids)
    instance = predictions.of_points(0, len(xyz))
    rows = np.argsort(instance, kind="stable")[: int(predictions.size.sum())]
    starts = np.searchsorted(instance[rows], np.arange(n))
    return np.asarray(np.maximum.reduceat(height_above_terrain(xyz, rows, progress), starts))
