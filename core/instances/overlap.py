"""The overlap table: what every pair of instances shares.

For target instances ``0..T-1`` and predicted instances ``0..P-1`` the table lists, sparsely, the
shared size of every pair that shares anything, with the whole size of each instance. A size is an area
(crown polygons) or a number of points (labelled point clouds), so matching and metrics serve both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike
from scipy.sparse import coo_matrix, csr_matrix

from randcrowns.core.arrays import Array, Floats, Ints, plain_array
from randcrowns.core.crowns import Crowns, group_codes, is_box
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import (
    ROUNDING,
    centre_of,
    meeting_pairs,
    pair_edges,
    polygon_edges,
    shared_areas,
)
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, even_slices, in_threads, no_progress, part_of
from randcrowns.core.statistics import iou_of
from randcrowns.core.systems import check_one_system


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
    @as_declared
    def from_labels(
        cls,
        target: ArrayLike,
        prediction: ArrayLike,
        invalid_id: int = -1,
        progress: Progress = no_progress,
    ) -> OverlapTable:
        """The table of two label arrays; instances are in the order of their labels, which need not be consecutive.

        Args:
            target, prediction: (N,) integer label of each point.
            invalid_id: label of the points that belong to no instance.

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
        return iou_of(
            self.shared, self.target_size[self.target], self.prediction_size[self.prediction]
        )

    @property
    def compared_iou(self) -> Floats:
        """(n,) IoU as matching compares it: in single precision for points, where an IoU of one half is exact."""
        if not self.in_points:
            return self.iou
        sizes = self.shared, self.target_size, self.prediction_size
        shared, target, prediction = (size.astype(np.float32) for size in sizes)
        return iou_of(shared, target[self.target], prediction[self.prediction])


#: Corners of a piece's crowns: enough that threads seldom wait for Python's lock, few enough for the memory they keep.
_CORNERS_AT_ONCE = 500_000


@as_declared
def polygon_overlap(
    targets: Crowns, predictions: Crowns, progress: Progress = no_progress
) -> OverlapTable:
    """Shared areas (m²) of all targets and predictions, exact.

    Args:
        targets, predictions: crowns in one coordinate system. Where both have groups, only crowns of one
            group (plot) are compared.

    >>> one, other = Crowns([shapely.box(0, 0, 2, 1)]), Crowns([shapely.box(1, 0, 3, 1)])
    >>> polygon_overlap(one, other).shared.tolist()
    [1.0]
    """
    check_one_system([targets.crs, predictions.crs])
    target, prediction = meeting_pairs(
        targets.geometry, predictions.geometry, part_of(progress, 0.0, 0.25)
    )
    target_code, prediction_code = group_codes(targets, predictions)
    together = target_code[target] == prediction_code[prediction]
    return overlap_of(
        targets, predictions, target[together], prediction[together], part_of(progress, 0.25, 1.0)
    )


def overlap_of(
    targets: Crowns,
    predictions: Crowns,
    target: Ints,
    prediction: Ints,
    progress: Progress = no_progress,
) -> OverlapTable:
    """Shared areas of these (n,) pairs of targets and predictions, sorted by the former; those without are left out."""
    sizes = shapely.area(targets.geometry), shapely.area(predictions.geometry)
    if len(target) == 0:
        return OverlapTable(target, prediction, np.empty(0), *sizes)
    boxes = (
        is_box(targets.geometry, ROUNDING)[target]
        & is_box(predictions.geometry, ROUNDING)[prediction]
    )
    shared = np.zeros(len(target))
    both = np.flatnonzero(boxes)
    one, other = (
        shapely.bounds(targets.geometry[target[both]]),
        shapely.bounds(predictions.geometry[prediction[both]]),
    )
    sides = np.minimum(one[:, 2:], other[:, 2:]) - np.maximum(one[:, :2], other[:, :2])
    shared[both] = np.maximum(sides, 0.0).prod(axis=1)
    origin = centre_of(targets.geometry)

    def share(rows: Ints) -> None:
        some = slice(target[rows[0]], target[rows[-1]] + 1)
        drawn, polygon = np.unique(prediction[rows], return_inverse=True)
        edges = polygon_edges(predictions.geometry[drawn], origin)
        bounds = shapely.bounds(targets.geometry[some]) - np.tile(origin, 2)
        paired = pair_edges(edges, len(drawn), polygon, target[rows] - some.start, bounds)
        regions = polygon_edges(targets.geometry[some], origin)
        shared[rows] = shared_areas(regions, paired, some.stop - some.start)

    for _ in in_threads(
        share, _pieces(targets, predictions, target, prediction, np.flatnonzero(~boxes)), progress
    ):
        pass
    # Summed edge by edge, the area of equal crowns may come out a rounding above their own.
    np.minimum(shared, np.minimum(sizes[0][target], sizes[1][prediction]), out=shared)
    real = shared > ROUNDING * (sizes[0][target] + sizes[1][prediction])
    return OverlapTable(target[real], prediction[real], shared[real], *sizes)


def _pieces(
    targets: Crowns, predictions: Crowns, target: Ints, prediction: Ints, rows: Ints
) -> list[Ints]:
    """The rows of pairs in pieces of about the same number of corners, none of which parts the pairs of a target."""
    one, other = (shapely.get_num_coordinates(side.geometry) for side in (targets, predictions))
    corners = np.cumsum(one[target[rows]] + other[prediction[rows]])
    load = corners[np.searchsorted(target[rows], target[rows])]
    return [rows[some] for some in even_slices(load, _CORNERS_AT_ONCE)]


#: Points worked on at a time where all points are passed through.
CHUNK = 1 << 17

# A table of all pairs of labels is held in full up to this many cells; it has to stay small beside the points.
_FEWEST_CELLS, _MOST_CELLS = 1 << 16, 1 << 22


class Instances(NamedTuple):
    """The instances that N labelled points make up."""

    ids: Ints  #: (I,) int64 labels of the instances, ascending.
    size: Ints  #: (I,) int64 number of points of each.
    labels: Array  #: (N,) labels, or codes where labels are far apart.
    first: int  #: label (or code) that comes first in ``place``.
    place: Array  #: instance of each label (or code) from ``first`` on; I for those that are no instance.

    def of(self, rows: Array | slice) -> Array:
        """Instance of each of the points in ``rows`` (indices, a mask or a slice); I for none."""
        return self.place[_codes(self.labels[rows], self.first)]


class PairCounts(NamedTuple):
    """How many points every pair of a target and a predicted instance shares."""

    targets: Instances
    predictions: Instances
    #: target, prediction: (n,) int64 instances of each pair that shares points, sorted by target, then prediction.
    target: Ints
    prediction: Ints
    shared: Ints  #: (n,) int64 number of points.


def label_array(values: ArrayLike, name: str) -> Array:
    """The (N,) labels of points as an array of integers; InputError, naming them, for anything else."""
    array = plain_array(values, f"The row of {name} labels")
    if array.ndim != 1:
        said = (
            "The {name} labels must be one row of numbers, one per point; their shape is {shape}."
        )
        raise InputError(said, name=name, shape=str(array.shape))
    if len(array) == 0:
        return np.empty(0, dtype=np.int64)
    if not np.issubdtype(array.dtype, np.integer):
        said = "The {name} labels must be whole numbers (an integer type), not {dtype}."
        raise InputError(said, name=name, dtype=array.dtype)
    if array.dtype == np.uint64 and int(array.max()) > np.iinfo(np.int64).max:
        said = "The {name} labels must be at most {most}; the largest is {largest}."
        raise InputError(said, name=name, most=np.iinfo(np.int64).max, largest=array.max())
    return array


def count_pairs(
    target: Array,
    prediction: Array,
    invalid_id: int,
    progress: Progress = no_progress,
    prediction_invalid_id: int | None = None,
) -> PairCounts:
    """Count the points of every pair of instances that share any.

    Args:
        target, prediction: (N,) label of each point, from :func:`label_array`.
        invalid_id: label of points of no instance, on both sides.
        prediction_invalid_id: that of the predictions, where it is another.

    Raises:
        InputError: for different numbers of points.
    """
    if len(target) != len(prediction):
        said = "There are {targets} target labels but {predictions} predicted ones."
        raise InputError(said, targets=len(target), predictions=len(prediction))
    t_labels, t_first, t_ids = _numbered(target)
    p_labels, p_first, p_ids = _numbered(prediction)
    most_cells = min(max(_FEWEST_CELLS, 4 * len(target)), _MOST_CELLS)
    counting = _count_all if len(t_ids) * len(p_ids) <= most_cells else _count_found
    row, column, shared = counting(
        t_labels, t_first, len(t_ids), p_labels, p_first, len(p_ids), progress
    )
    targets = _instances(t_labels, t_first, t_ids, invalid_id, row, shared)
    no_prediction = invalid_id if prediction_invalid_id is None else prediction_invalid_id
    predictions = _instances(p_labels, p_first, p_ids, no_prediction, column, shared)
    one, other = targets.place[row].astype(np.int64), predictions.place[column].astype(np.int64)
    both = (one < len(targets.ids)) & (other < len(predictions.ids))
    return PairCounts(targets, predictions, one[both], other[both], shared[both])


def group(values: Array, instance: Array, number: int) -> tuple[Array, Ints]:
    """(n,) values of points grouped by instance, 0 to ``number`` - 1, in their own order within a group (a counting
    sort), and the (number + 1,) places where the groups start and end."""
    n = len(values)
    one_per_row = csr_matrix(
        (values, instance, np.arange(n + 1, dtype=np.int32)), shape=(n, number)
    )
    grouped = one_per_row.tocsc()
    return grouped.data, grouped.indptr


def rows_by_instance(instances: Instances) -> tuple[Array, Ints]:
    """Rows of the points, instance by instance, and the (I + 1,) places where those of each start and the last end."""
    n_points, n = len(instances.labels), len(instances.ids)
    index = np.arange(n_points, dtype=np.int32 if n_points < np.iinfo(np.int32).max else np.int64)
    rows, ends = group(index, instances.of(slice(None)), n + 1)
    return rows, ends[: n + 1].astype(np.int64)


def _numbered(labels: Array) -> tuple[Array, int, Ints]:
    """Labels (codes, where the labels are far apart), the lowest, and the label of each number from the lowest on."""
    if len(labels) == 0:
        return labels, 0, np.empty(0, dtype=np.int64)
    lowest, highest = int(labels.min()), int(labels.max())
    if highest - lowest < 4 * len(labels) + _FEWEST_CELLS:
        return labels, lowest, np.arange(lowest, highest + 1, dtype=np.int64)
    codes, found = pd.factorize(labels)
    order = np.argsort(found)
    rank = np.empty(len(found), dtype=np.int32)
    rank[order] = np.arange(len(found), dtype=np.int32)
    return rank[codes], 0, np.asarray(found)[order].astype(np.int64)


def _codes(labels: Array, first: int) -> Array:
    """Labels as indices from 0 on: a new array of int64, or unsigned as they are where nothing is to subtract."""
    return labels if first == 0 else np.subtract(labels, first, dtype=np.int64)


def _count_all(
    target: Array,
    t_first: int,
    n_t: int,
    prediction: Array,
    p_first: int,
    n_p: int,
    progress: Progress,
) -> tuple[Ints, Ints, Ints]:
    """Pairs of label numbers and their points, through a table of all pairs."""
    counts = np.zeros(n_t * n_p, dtype=np.int64)
    chunk = max(CHUNK, min(4 * len(counts), 8 * CHUNK))
    for start in range(0, len(target), chunk):
        key = np.subtract(target[start : start + chunk], t_first, dtype=np.int64)
        key *= n_p
        key += _codes(prediction[start : start + chunk], p_first).astype(np.int64, copy=False)
        counts += np.bincount(key, minlength=len(counts))
        progress(min(1.0, (start + chunk) / len(target)))
    pair = np.flatnonzero(counts)
    row, column = np.divmod(pair, max(n_p, 1))
    return row, column, counts[pair]


def _count_found(
    target: Array,
    t_first: int,
    n_t: int,
    prediction: Array,
    p_first: int,
    n_p: int,
    progress: Progress,
) -> tuple[Ints, Ints, Ints]:
    """Pairs of label numbers and their points, by sorting the points."""
    row = _codes(target, t_first).astype(np.int32)
    column = _codes(prediction, p_first).astype(np.int32)
    table = coo_matrix((np.ones(len(row), dtype=np.int32), (row, column)), shape=(n_t, n_p)).tocsr()
    progress(0.8)
    table.sum_duplicates()
    progress(1.0)
    rows = np.repeat(np.arange(n_t), np.diff(table.indptr))
    return rows, table.indices.astype(np.int64), table.data.astype(np.int64)


def _instances(
    labels: Array, first: int, ids: Ints, invalid_id: int, code: Ints, shared: Ints
) -> Instances:
    size = np.bincount(code, weights=shared, minlength=len(ids)).astype(np.int64)
    real = (size > 0) & (ids != invalid_id)
    n = int(real.sum())
    place = np.full(len(ids), n, dtype=np.int32)
    place[real] = np.arange(n, dtype=np.int32)
    return Instances(ids[real], size[real], labels, first, place)
