"""The overlap table: what every pair of instances shares.

For target instances ``0..T-1`` and predicted instances ``0..P-1`` the table lists, sparsely, the
shared size of every pair that shares anything, with the whole size of each instance. A size is an area
(crown polygons) or a number of points (labelled point clouds), so matching and metrics serve both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["OverlapTable"]


@dataclass(frozen=True)
class OverlapTable:
    """Sparse shared sizes of two sets of instances.

    Rows are sorted by target, then prediction, each pair at most once, and ``shared > 0``.

    Attributes:
        target: (n,) int64, index of the target of each row.
        prediction: (n,) int64, index of the prediction of each row.
        shared: (n,) float64, size the two share (square metres, or points).
        target_size: (T,) float64, whole size of each target.
        prediction_size: (P,) float64, whole size of each prediction.
    """

    target: NDArray[np.int64]
    prediction: NDArray[np.int64]
    shared: NDArray[np.float64]
    target_size: NDArray[np.float64]
    prediction_size: NDArray[np.float64]

    @property
    def iou(self) -> NDArray[np.float64]:
        """(n,) intersection over union of each row's pair."""
        union = self.target_size[self.target] + self.prediction_size[self.prediction] - self.shared
        return self.shared / union
