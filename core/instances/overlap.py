"""The overlap table: what every pair of instances shares.

For target instances ``0..T-1`` and predicted instances ``0..P-1`` the table lists, sparsely, the
shared size of every pair that shares anything, with the whole size of each instance. A size is an area
(crown polygons) or a number of points (labelled point clouds), so matching and metrics serve both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.crowns import Crowns, group_codes
from randcrowns.core.geometry.areas import ROUNDING, centre_of, is_box, pair_edges, polygon_edges, shared_areas
from randcrowns.core.instances.labels import PairCounts, count_pairs, label_array
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.rates import iou_of


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
        in_points: whether sizes are numbers of points.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> table.shared.tolist(), table.iou.round(3).tolist()
    ([2.0, 1.0, 1.0], [0.667, 0.25, 0.5])
    """

    target: Ints
    prediction: Ints
    shared: Floats
    target_size: Floats
    prediction_size: Floats
    in_points: bool = False

    @classmethod
    def from_labels(
        cls, target: ArrayLike, prediction: ArrayLike, invalid_id: int = -1, progress: Progress = no_progress
    ) -> OverlapTable:
        """The table of two label arrays; instances are in the order of their labels, which need not be consecutive.

        Args:
            target, prediction: (N,) integer label of each point.
            invalid_id: label of the points that belong to no instance.
            progress: receives how far the count is.

        Raises:
            InputError: for labels that are not integers, or different numbers of points.
        """
        one, other = label_array(target, "target"), label_array(prediction, "prediction")
        return cls.from_counts(count_pairs(one, other, invalid_id, progress))

    @classmethod
    def from_counts(cls, counts: PairCounts) -> OverlapTable:
        """The table of counted points."""
        return cls(
            counts.target,
            counts.prediction,
            counts.shared.astype(np.float64),
            counts.targets.size.astype(np.float64),
            counts.predictions.size.astype(np.float64),
            in_points=True,
        )

    @property
    def iou(self) -> Floats:
        """(n,) intersection over union of each row's pair."""
        return iou_of(self.shared, self.target_size[self.target], self.prediction_size[self.prediction])

    @property
    def compared_iou(self) -> Floats:
        """(n,) IoU as matching compares it: in single precision for points, where an IoU of one half is exact."""
        if not self.in_points:
            return self.iou
        shared, target, prediction = (
            size.astype(np.float32) for size in (self.shared, self.target_size, self.prediction_size)
        )
        return iou_of(shared, target[self.target], prediction[self.prediction])


_TARGETS_AT_ONCE = 512


def polygon_overlap(targets: Crowns, predictions: Crowns, progress: Progress = no_progress) -> OverlapTable:
    """Shared areas (m²) of all targets and predictions, exact.

    Args:
        targets, predictions: crowns in one coordinate system. Where both have groups, only crowns of one
            group (plot) are compared.
        progress: receives the fraction of the targets done.

    >>> one, other = Crowns([shapely.box(0, 0, 2, 1)]), Crowns([shapely.box(1, 0, 3, 1)])
    >>> polygon_overlap(one, other).shared.tolist()
    [1.0]
    """
    sizes = shapely.area(targets.geometry), shapely.area(predictions.geometry)
    if len(targets) == 0 or len(predictions) == 0:
        nothing = np.empty(0, dtype=np.int64)
        return OverlapTable(nothing, nothing, np.empty(0), *sizes)
    target, prediction = shapely.STRtree(predictions.geometry.copy()).query(targets.geometry, predicate="intersects")
    target_code, prediction_code, _ = group_codes(targets, predictions)
    together = target_code[target] == prediction_code[prediction]
    target, prediction = target[together], prediction[together]
    order = np.lexsort((prediction, target))
    target, prediction = target[order], prediction[order]

    boxes = is_box(targets.geometry, ROUNDING)[target] & is_box(predictions.geometry, ROUNDING)[prediction]
    one, other = (shapely.bounds(side.geometry)[row] for side, row in ((targets, target), (predictions, prediction)))
    sides = np.minimum(one[:, 2:], other[:, 2:]) - np.maximum(one[:, :2], other[:, :2])
    shared = np.where(boxes, np.maximum(sides, 0.0).prod(axis=1), 0.0)
    origin = centre_of(targets.geometry)
    left = np.flatnonzero(~boxes)
    for first in range(0, len(targets), _TARGETS_AT_ONCE):
        last = min(first + _TARGETS_AT_ONCE, len(targets))
        rows = left[slice(*np.searchsorted(target[left], [first, last]))]
        if len(rows):
            drawn, polygon = np.unique(prediction[rows], return_inverse=True)
            edges = polygon_edges(predictions.geometry[drawn], origin)
            paired = pair_edges(edges, len(drawn), polygon, target[rows] - first)
            shared[rows] = shared_areas(polygon_edges(targets.geometry[first:last], origin), paired, last - first)
        progress(last / len(targets))
    # Summed edge by edge, the area of equal crowns may come out a rounding above their own.
    np.minimum(shared, np.minimum(sizes[0][target], sizes[1][prediction]), out=shared)
    real = shared > ROUNDING * (sizes[0][target] + sizes[1][prediction])
    return OverlapTable(target[real], prediction[real], shared[real], *sizes)
