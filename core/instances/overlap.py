"""The overlap table: the size that each pair of a target and a predicted instance shares.

For target instances ``0..T-1`` and predicted instances ``0..P-1`` the table lists all pairs that
share anything, with the shared size of the pair and the whole size of each instance. Sizes are
areas for crown polygons and numbers of points for labelled point clouds, so that matching and
metrics serve both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects, as_array
from randcrowns.core.crowns import Crowns, plot_codes_of_both
from randcrowns.core.crs import check_same_crs
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import (
    AREA_ROUNDING,
    bounds_centre,
    intersecting_pairs,
    pair_edges,
    polygon_edges,
    shared_areas,
)
from randcrowns.core.progress import Progress, even_slices, map_in_threads, no_progress, subprogress
from randcrowns.core.statistics import compute_iou
from randcrowns.core.tie_ranks import rank_crowns
from randcrowns.core.validation import validate_arguments


@dataclass(frozen=True)
class OverlapTable:
    """Shared sizes of the overlapping pairs of T targets and P predictions.

    The n pairs are sorted by target, then by prediction. Each pair occurs at most once, and its
    shared size is above 0. Sizes are square metres or numbers of points.

    Attributes:
        target: (n,) int64 target of each pair.
        prediction: (n,) int64 prediction of each pair.
        shared: (n,) float64 size that the pair shares.
        target_size: (T,) float64 whole size of each target.
        prediction_size: (P,) float64 whole size of each prediction.
        counts_points: True if sizes are numbers of points.
        target_rank: (T,) unique ranks of the targets, which break ties, see
            :mod:`randcrowns.core.tie_ranks`; None to break them by index.
        prediction_rank: (P,) unique ranks of the predictions; None as for targets.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> table.shared.tolist(), table.iou.round(3).tolist()
    ([2.0, 1.0, 1.0], [0.667, 0.25, 0.5])
    """

    target: Ints
    prediction: Ints
    shared: Floats
    target_size: Floats
    prediction_size: Floats
    counts_points: bool = False
    target_rank: Ints | None = None
    prediction_rank: Ints | None = None

    @classmethod
    @validate_arguments
    def from_labels(
        cls,
        target: ArrayLike,
        prediction: ArrayLike,
        invalid_id: int = -1,
        progress: Progress = no_progress,
    ) -> OverlapTable:
        """Return the overlap table of two label arrays.

        Instances are numbered in the order of their labels, which need not be consecutive.

        Args:
            target: (N,) integer label of each point in the reference.
            prediction: (N,) integer label of each point in the prediction.
            invalid_id: label of the points that belong to no instance, in both arrays.
            progress: receives the fraction done; may raise to cancel.

        Raises:
            InputError: if the labels are not integers or the arrays differ in length.
        """
        target_labels = validate_labels(target, "target")
        predicted_labels = validate_labels(prediction, "prediction")
        return cls.from_counts(count_pairs(target_labels, predicted_labels, invalid_id, progress))

    @classmethod
    def from_counts(cls, counts: PairCounts) -> OverlapTable:
        """Return the overlap table of counted points, see :func:`count_pairs`."""
        return cls(
            counts.target,
            counts.prediction,
            counts.n_points.astype(np.float64),
            counts.targets.n_points.astype(np.float64),
            counts.predictions.n_points.astype(np.float64),
            counts_points=True,
        )

    def select_pairs(self, mask: Bools | Ints) -> OverlapTable:
        """Return the table with some pairs, by rows or a mask (n,); it keeps all instances."""
        return replace(
            self,
            target=self.target[mask],
            prediction=self.prediction[mask],
            shared=self.shared[mask],
        )

    def select_instances(self, targets: Array, predictions: Array) -> OverlapTable:
        """Return the table of a subset of the targets and predictions, renumbered in its order.

        Args:
            targets: rows of the targets in the subset, or a mask (T,).
            predictions: rows of the predictions in the subset, or a mask (P,).

        >>> table = OverlapTable.from_labels([0, 0, 1], [0, 0, 1])
        >>> table.select_instances(np.array([1, 0]), np.array([1])).target.tolist()
        [0]
        """
        new_target_number = _new_numbers(targets, len(self.target_size))
        new_prediction_number = _new_numbers(predictions, len(self.prediction_size))
        target_numbers = new_target_number[self.target]
        prediction_numbers = new_prediction_number[self.prediction]
        is_in_subset = (target_numbers >= 0) & (prediction_numbers >= 0)
        unsorted_pairs = np.flatnonzero(is_in_subset)
        order = np.lexsort((prediction_numbers[unsorted_pairs], target_numbers[unsorted_pairs]))
        pairs = unsorted_pairs[order]
        return replace(
            self,
            target=target_numbers[pairs],
            prediction=prediction_numbers[pairs],
            shared=self.shared[pairs],
            target_size=self.target_size[targets],
            prediction_size=self.prediction_size[predictions],
            target_rank=_rows_of(self.target_rank, targets),
            prediction_rank=_rows_of(self.prediction_rank, predictions),
        )

    @property
    def iou(self) -> Floats:
        """(n,) intersection over union of each pair."""
        return self.pair_iou(slice(None))

    def pair_iou(self, pairs: Ints | slice) -> Floats:
        """Return the intersection over union of some pairs.

        >>> OverlapTable.from_labels([0, 0, 1], [0, 1, 1]).pair_iou(np.array([1])).round(3).tolist()
        [0.333]
        """
        return compute_iou(
            self.shared[pairs],
            self.target_size[self.target[pairs]],
            self.prediction_size[self.prediction[pairs]],
        )

    @property
    def iou_for_threshold(self) -> Floats:
        """(n,) IoU for comparisons with a threshold.

        It is in single precision for points, where an IoU of one half is exact.
        """
        if not self.counts_points:
            return self.iou
        shared = self.shared.astype(np.float32)
        target_size = self.target_size.astype(np.float32)
        prediction_size = self.prediction_size.astype(np.float32)
        return compute_iou(shared, target_size[self.target], prediction_size[self.prediction])


def _new_numbers(selection: Array, n_instances: int) -> Ints:
    """Return the new number of each instance if only some of them are kept.

    Args:
        selection: rows of the instances to keep, in their new order, or a mask (n,).
        n_instances: number n of instances.

    Returns:
        (n,) numbers in the selection; -1 for an instance that is not in it.
    """
    selected_rows = np.arange(n_instances)[selection]
    numbers = np.full(n_instances, -1, dtype=np.int64)
    numbers[selected_rows] = np.arange(len(selected_rows))
    return numbers


def _rows_of(values: Ints | None, rows: Array) -> Ints | None:
    """Return the values in ``rows``; None if there are no values."""
    return None if values is None else values[rows]


#: Number of pairs that is allowed in a table for matching, for layers of any size. Matching
#: and its tables take about 270 bytes a pair.
MAX_MATCHED_PAIRS = 3_500_000
#: Maximum number of vertices of the crowns in one chunk. Large chunks let threads wait less often
#: for Python's lock, small ones need less memory.
_VERTICES_PER_CHUNK = 500_000


@validate_arguments
def polygon_overlap(
    targets: Crowns, predictions: Crowns, progress: Progress = no_progress
) -> OverlapTable:
    """Compute the exact shared areas of all overlapping targets and predictions.

    Args:
        targets: T reference crowns.
        predictions: P predicted crowns in the same coordinate system. If both layers have plots,
            only crowns of the same plot are compared.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The overlap table with areas in square metres, and with the ranks of the crowns by their
        place.

    Raises:
        InputError: if the coordinate systems differ, or too many crowns lie in one spot.

    >>> targets = Crowns([shapely.box(0, 0, 2, 1)])
    >>> polygon_overlap(targets, Crowns([shapely.box(1, 0, 3, 1)])).shared.tolist()
    [1.0]
    """
    table = overlap_without_ranks(targets, predictions, progress, MAX_MATCHED_PAIRS)
    return replace(
        table, target_rank=rank_crowns(targets), prediction_rank=rank_crowns(predictions)
    )


def overlap_without_ranks(
    targets: Crowns,
    predictions: Crowns,
    progress: Progress = no_progress,
    max_pairs: int | None = None,
) -> OverlapTable:
    """Compute the table of :func:`polygon_overlap` without the ranks that break ties.

    Ranks take as long as the shared areas of boxes. Only matching needs them.

    Args:
        targets: T reference crowns.
        predictions: P predicted crowns in the same coordinate system.
        progress: receives the fraction done; may raise to cancel.
        max_pairs: number of pairs that is allowed for layers of any size, see
            :func:`randcrowns.core.geometry.areas.intersecting_pairs`.

    Raises:
        InputError: if the coordinate systems differ.

    >>> targets = Crowns([shapely.box(0, 0, 2, 1)])
    >>> overlap_without_ranks(targets, Crowns([shapely.box(1, 0, 3, 1)])).shared.tolist()
    [1.0]
    """
    check_same_crs([targets.crs, predictions.crs])
    # The bounding boxes of rectangles are the rectangles themselves.
    are_target_boxes = targets.are_boxes(AREA_ROUNDING).all()
    are_all_boxes = are_target_boxes and predictions.are_boxes(AREA_ROUNDING).all()
    target_rows, prediction_rows = intersecting_pairs(
        targets.geometry,
        predictions.geometry,
        subprogress(progress, 0.0, 0.25),
        max_pairs,
        plots=plot_codes_of_both(targets, predictions),
        are_boxes=bool(are_all_boxes),
    )
    return pair_overlap(
        targets, predictions, target_rows, prediction_rows, subprogress(progress, 0.25, 1.0)
    )


def pair_overlap(
    targets: Crowns,
    predictions: Crowns,
    target: Ints,
    prediction: Ints,
    progress: Progress = no_progress,
) -> OverlapTable:
    """Compute the exact shared areas of candidate pairs of targets and predictions.

    Args:
        targets: T reference crowns.
        predictions: P predicted crowns in the same coordinate system.
        target: (k,) target of each candidate pair, ascending.
        prediction: (k,) prediction of each candidate pair.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The overlap table with areas in square metres. Candidate pairs without a common area are
        not in it.

    >>> targets = Crowns([shapely.box(0, 0, 2, 1)])
    >>> predictions = Crowns([shapely.box(1, 0, 3, 1), shapely.box(5, 0, 6, 1)])
    >>> pair_overlap(targets, predictions, np.array([0, 0]), np.array([0, 1])).shared.tolist()
    [1.0]
    """
    shared = _candidate_areas(targets, predictions, target, prediction, progress)
    target_size = targets.areas
    prediction_size = predictions.areas
    # The areas are sums over edges; for equal crowns rounding may put them above the crowns' own.
    pair_target_size = target_size[target]
    pair_prediction_size = prediction_size[prediction]
    np.minimum(shared, np.minimum(pair_target_size, pair_prediction_size), out=shared)
    is_overlap = shared > AREA_ROUNDING * (pair_target_size + pair_prediction_size)
    return OverlapTable(
        target=target[is_overlap],
        prediction=prediction[is_overlap],
        shared=shared[is_overlap],
        target_size=target_size,
        prediction_size=prediction_size,
    )


def _candidate_areas(
    targets: Crowns,
    predictions: Crowns,
    target_rows: Ints,
    prediction_rows: Ints,
    progress: Progress,
) -> Floats:
    """Return the shared areas of candidate pairs, those of rectangles from their bounds.

    Args:
        targets: T reference crowns.
        predictions: P predicted crowns.
        target_rows: (k,) target of each pair, ascending.
        prediction_rows: (k,) prediction of each pair.
        progress: receives the fraction done.

    Returns:
        (k,) areas, m²; 0 for pairs without a common area.
    """
    shared = _shared_bounds_areas(targets.bounds, predictions.bounds, target_rows, prediction_rows)
    if len(shared) == 0:
        return shared
    is_target_box = targets.are_boxes(AREA_ROUNDING)
    is_prediction_box = predictions.are_boxes(AREA_ROUNDING)
    is_box_pair = is_target_box[target_rows] & is_prediction_box[prediction_rows]
    other_pairs = np.flatnonzero(~is_box_pair)
    origin = bounds_centre(targets.geometry) if len(other_pairs) else np.zeros(2)

    def compute_areas(rows: Ints) -> None:
        """Write the shared areas of the pairs in ``rows`` to ``shared``."""
        shared[rows] = _shared_polygon_areas(
            targets.geometry, predictions.geometry, target_rows[rows], prediction_rows[rows], origin
        )

    chunks = _chunk_pairs(targets, predictions, target_rows, prediction_rows, other_pairs)
    for _ in map_in_threads(compute_areas, chunks, progress):
        pass
    return shared


def _shared_polygon_areas(
    targets: Objects, predictions: Objects, target_rows: Ints, prediction_rows: Ints, origin: Floats
) -> Floats:
    """Return the shared areas of pairs of polygons of any shape.

    Args:
        targets: (T,) polygons, metres.
        predictions: (P,) polygons, metres.
        target_rows: (k,) target of each pair, ascending.
        prediction_rows: (k,) prediction of each pair.
        origin: (2,) point near the polygons; areas lose digits with the distance from it.

    Returns:
        (k,) areas, m².
    """
    # Edges are extracted only from the polygons that occur in a pair, and each of them once.
    first_target = target_rows[0]
    used_targets = targets[first_target : target_rows[-1] + 1]
    used_target_rows = target_rows - first_target
    used_predictions, used_prediction_rows = np.unique(prediction_rows, return_inverse=True)
    prediction_edges = polygon_edges(predictions[used_predictions], origin)
    bounds = shapely.bounds(used_targets) - np.tile(origin, 2)
    paired_edges = pair_edges(
        prediction_edges,
        n_polygons=len(used_predictions),
        polygon=used_prediction_rows,
        target=used_target_rows,
        bounds=bounds,
    )
    return shared_areas(polygon_edges(used_targets, origin), paired_edges, len(used_targets))


def _shared_bounds_areas(
    target_bounds: Floats, prediction_bounds: Floats, target_rows: Ints, prediction_rows: Ints
) -> Floats:
    """Return the shared areas of the bounding boxes of pairs: exact for rectangles.

    Args:
        target_bounds: (T, 4) bounds, metres.
        prediction_bounds: (P, 4) bounds, metres.
        target_rows: (k,) target of each pair.
        prediction_rows: (k,) prediction of each pair.

    Returns:
        (k,) areas, m².
    """
    areas = np.ones(len(target_rows))
    for axis in (0, 1):
        # The upper bounds follow the lower bounds of both axes.
        lower, upper = axis, axis + 2
        target_starts = target_bounds[:, lower][target_rows]
        target_ends = target_bounds[:, upper][target_rows]
        prediction_starts = prediction_bounds[:, lower][prediction_rows]
        prediction_ends = prediction_bounds[:, upper][prediction_rows]
        starts = np.maximum(target_starts, prediction_starts)
        ends = np.minimum(target_ends, prediction_ends)
        areas *= np.maximum(ends - starts, 0.0)
    return areas


def _chunk_pairs(
    targets: Crowns, predictions: Crowns, target_rows: Ints, prediction_rows: Ints, pair_rows: Ints
) -> list[Ints]:
    """Split the pairs in ``pair_rows`` into chunks with about equal numbers of vertices.

    All pairs of a target stay in one chunk.

    Args:
        targets: T reference crowns.
        predictions: P predicted crowns.
        target_rows: (k,) target of each pair, ascending.
        prediction_rows: (k,) prediction of each pair.
        pair_rows: indices of the pairs to split, ascending.
    """
    if len(pair_rows) == 0:
        return []
    target_vertices = shapely.get_num_coordinates(targets.geometry)
    prediction_vertices = shapely.get_num_coordinates(predictions.geometry)
    pair_targets = target_rows[pair_rows]
    pair_predictions = prediction_rows[pair_rows]
    n_vertices = target_vertices[pair_targets] + prediction_vertices[pair_predictions]
    cumulated_vertices = np.cumsum(n_vertices)
    # The same load for all pairs of a target, so that no chunk ends between them.
    first_pair_of_target = np.searchsorted(pair_targets, pair_targets)
    load = cumulated_vertices[first_pair_of_target]
    return [pair_rows[chunk] for chunk in even_slices(load, _VERTICES_PER_CHUNK)]


#: Number of points that are processed at a time in passes over all points.
POINTS_PER_CHUNK = 1 << 17

#: Minimum and maximum size of a full table of label pairs, in cells. Between them the limit grows
#: with the number of points, so that the table stays small compared with the labels.
_MIN_CELLS = 1 << 16
_MAX_CELLS = 1 << 22


class Instances(NamedTuple):
    """The I instances of N labelled points.

    Labels that are far apart are replaced by consecutive codes.
    """

    ids: Ints  #: (I,) int64 labels of the instances, ascending.
    n_points: Ints  #: (I,) int64 number of points of each instance.
    labels: Array  #: (N,) labels or codes of the points.
    first_label: int  #: the label or code of the first element of ``instance_of_label``.
    instance_of_label: (
        Array  #: instance of each label or code from ``first_label`` on; I for no instance.
    )

    def instance_at(self, points: Array | slice) -> Array:
        """Return the instance of points; I for points of no instance.

        Args:
            points: indices, mask or slice of the points.
        """
        return self.instance_of_label[_offsets(self.labels[points], self.first_label)]


class PairCounts(NamedTuple):
    """Numbers of points that each pair of a target and a predicted instance shares."""

    targets: Instances  #: target instances.
    predictions: Instances  #: predicted instances.
    target: Ints  #: (n,) int64 target of each pair that shares points, ascending.
    prediction: Ints  #: (n,) int64 prediction of each pair, ascending within a target.
    n_points: Ints  #: (n,) int64 number of shared points.


class _LabelCodes(NamedTuple):
    """Labels of N points, replaced by consecutive codes if they are far apart."""

    labels: Array  #: (N,) labels or codes.
    first: int  #: lowest label or code.
    ids: Ints  #: (L,) label of each code from the lowest on; some may not occur.


class _CodePairs(NamedTuple):
    """The n pairs of a target label and a predicted label that share points, sorted."""

    target: Ints  #: (n,) int64 index of the target label in the ``ids`` of its codes.
    prediction: Ints  #: (n,) int64 index of the predicted label in the ``ids`` of its codes.
    n_points: Ints  #: (n,) int64 number of shared points, at least 1.


def validate_labels(values: ArrayLike, name: str) -> Array:
    """Validate the labels of points and return them as an array.

    Args:
        values: labels of N points.
        name: name of the labels in messages, for example ``"target"``.

    Returns:
        (N,) array of an integer type.

    Raises:
        InputError: unless the labels are a one-dimensional array of integers of at most 64 bits.

    >>> validate_labels([2, 0, 1], "target").tolist()
    [2, 0, 1]
    """
    array = as_array(values, f"The row of {name} labels")
    if array.ndim != 1:
        raise InputError(
            "labels.wrong_shape",
            "The {name} labels must be one row of numbers, one per point; their shape is {shape}.",
            name=name,
            shape=str(array.shape),
        )
    if len(array) == 0:
        return np.empty(0, dtype=np.int64)
    if not np.issubdtype(array.dtype, np.integer):
        raise InputError(
            "labels.not_integers",
            "The {name} labels must be whole numbers (an integer type), not {dtype}.",
            name=name,
            dtype=array.dtype,
        )
    if array.dtype == np.uint64 and int(array.max()) > np.iinfo(np.int64).max:
        raise InputError(
            "labels.too_large",
            "The {name} labels must be at most {most}; the largest is {largest}.",
            name=name,
            most=np.iinfo(np.int64).max,
            largest=array.max(),
        )
    return array


def count_pairs(
    target: Array,
    prediction: Array,
    invalid_id: int,
    progress: Progress = no_progress,
    prediction_invalid_id: int | None = None,
) -> PairCounts:
    """Count the shared points of each pair of a target and a predicted instance.

    Args:
        target: (N,) target label of each point, from :func:`validate_labels`.
        prediction: (N,) predicted label of each point, from :func:`validate_labels`.
        invalid_id: label of points of no instance, in both arrays.
        progress: receives the fraction done; may raise to cancel.
        prediction_invalid_id: label of points of no instance in ``prediction``, if it differs.

    Returns:
        The instances of both arrays and the pairs that share points.

    Raises:
        InputError: if the arrays differ in length.

    >>> counts = count_pairs(np.array([0, 0, 1, -1]), np.array([5, 5, 5, 5]), -1)
    >>> counts.target.tolist(), counts.prediction.tolist(), counts.n_points.tolist()
    ([0, 1], [0, 0], [2, 1])
    """
    if len(target) != len(prediction):
        raise InputError(
            "labels.different_count",
            "There are {targets} target labels but {predictions} predicted ones.",
            targets=len(target),
            predictions=len(prediction),
        )
    target_codes = _encode(target)
    prediction_codes = _encode(prediction)
    max_cells = min(max(_MIN_CELLS, 4 * len(target)), _MAX_CELLS)
    if len(target_codes.ids) * len(prediction_codes.ids) <= max_cells:
        code_pairs = _count_in_full_table(target_codes, prediction_codes, progress)
    else:
        code_pairs = _count_in_sparse_table(target_codes, prediction_codes, progress)

    id_without_prediction = invalid_id if prediction_invalid_id is None else prediction_invalid_id
    targets = _to_instances(target_codes, invalid_id, code_pairs.target, code_pairs.n_points)
    predictions = _to_instances(
        prediction_codes, id_without_prediction, code_pairs.prediction, code_pairs.n_points
    )
    pair_targets = targets.instance_of_label[code_pairs.target].astype(np.int64)
    pair_predictions = predictions.instance_of_label[code_pairs.prediction].astype(np.int64)
    is_valid = (pair_targets < len(targets.ids)) & (pair_predictions < len(predictions.ids))
    return PairCounts(
        targets=targets,
        predictions=predictions,
        target=pair_targets[is_valid],
        prediction=pair_predictions[is_valid],
        n_points=code_pairs.n_points[is_valid],
    )


def group_by_instance(values: Array, instance: Array, n_instances: int) -> tuple[Array, Ints]:
    """Group the values of points by instance.

    The order of the values within a group is kept. The conversion of a sparse matrix is a counting
    sort, which is faster than a general sort.

    Args:
        values: (n,) values.
        instance: (n,) instance of each value, 0 to ``n_instances`` - 1.
        n_instances: number of instances.

    Returns:
        (n,) values, group by group, and the (number + 1,) positions at which the groups start,
        followed by n.

    >>> values, ends = group_by_instance(np.array([5.0, 6.0, 7.0]), np.array([1, 0, 1]), 2)
    >>> values.tolist(), ends.tolist()
    ([6.0, 5.0, 7.0], [0, 1, 3])
    """
    n = len(values)
    one_value_per_row = scipy.sparse.csr_matrix(
        (values, instance, np.arange(n + 1, dtype=np.int32)), shape=(n, n_instances)
    )
    grouped = one_value_per_row.tocsc()
    return grouped.data, grouped.indptr


def points_by_instance(instances: Instances) -> tuple[Array, Ints]:
    """Return the indices of the points, sorted by instance.

    Args:
        instances: the I instances of N points.

    Returns:
        (N,) indices of the points, instance by instance, then those of no instance; and the
        (I + 1,) positions at which the instances start, followed by the end of the last one.

    >>> counts = count_pairs(np.array([1, 0, 1]), np.array([0, 0, 0]), -1)
    >>> rows, ends = points_by_instance(counts.targets)
    >>> rows.tolist(), ends.tolist()
    ([1, 0, 2], [0, 1, 3])
    """
    n_points = len(instances.labels)
    n_instances = len(instances.ids)
    index_type = np.int32 if n_points < np.iinfo(np.int32).max else np.int64
    index = np.arange(n_points, dtype=index_type)
    rows, ends = group_by_instance(index, instances.instance_at(slice(None)), n_instances + 1)
    return rows, ends[: n_instances + 1].astype(np.int64)


def _encode(labels: Array) -> _LabelCodes:
    """Replace (N,) labels by the ranks of their values if the values are far apart."""
    if len(labels) == 0:
        return _LabelCodes(labels, 0, np.empty(0, dtype=np.int64))
    lowest = int(labels.min())
    highest = int(labels.max())
    if highest - lowest < 4 * len(labels) + _MIN_CELLS:
        return _LabelCodes(labels, lowest, np.arange(lowest, highest + 1, dtype=np.int64))
    codes, distinct = pd.factorize(labels)
    order = np.argsort(distinct)
    rank_of_code = np.empty(len(distinct), dtype=np.int32)
    rank_of_code[order] = np.arange(len(distinct), dtype=np.int32)
    return _LabelCodes(rank_of_code[codes], 0, np.asarray(distinct)[order].astype(np.int64))


def _offsets(labels: Array, first: int) -> Array:
    """Return (n,) labels minus ``first``: int64, or the labels themselves if ``first`` is 0."""
    return labels if first == 0 else np.subtract(labels, first, dtype=np.int64)


def _count_in_full_table(
    target: _LabelCodes, prediction: _LabelCodes, progress: Progress
) -> _CodePairs:
    """Count the points of each pair of labels in a table of all pairs.

    Args:
        target: labels of N points in the reference.
        prediction: labels of the N points in the prediction.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The pairs that occur, and their numbers of points.
    """
    n_columns = len(prediction.ids)
    counts = np.zeros(len(target.ids) * n_columns, dtype=np.int64)
    # A larger table needs larger chunks, since every chunk adds to all of its cells.
    points_per_chunk = max(POINTS_PER_CHUNK, min(4 * len(counts), 8 * POINTS_PER_CHUNK))
    for start in range(0, len(target.labels), points_per_chunk):
        points = slice(start, start + points_per_chunk)
        cells = np.subtract(target.labels[points], target.first, dtype=np.int64)
        cells *= n_columns
        prediction_codes = _offsets(prediction.labels[points], prediction.first)
        cells += prediction_codes.astype(np.int64, copy=False)
        counts += np.bincount(cells, minlength=len(counts))
        progress(min(1.0, (start + points_per_chunk) / len(target.labels)))
    occurring_cells = np.flatnonzero(counts)
    target_codes, prediction_codes = np.divmod(occurring_cells, max(n_columns, 1))
    return _CodePairs(target_codes, prediction_codes, counts[occurring_cells])


def _count_in_sparse_table(
    target: _LabelCodes, prediction: _LabelCodes, progress: Progress
) -> _CodePairs:
    """Count the points of each pair of labels by sorting the points in a sparse matrix.

    Args:
        target: labels of N points in the reference.
        prediction: labels of the N points in the prediction.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The pairs that occur, and their numbers of points.
    """
    target_codes = _offsets(target.labels, target.first).astype(np.int32)
    prediction_codes = _offsets(prediction.labels, prediction.first).astype(np.int32)
    # A point is a 1 in the row of its target and the column of its prediction.
    ones = np.ones(len(target_codes), dtype=np.int32)
    shape = (len(target.ids), len(prediction.ids))
    table = scipy.sparse.coo_matrix((ones, (target_codes, prediction_codes)), shape=shape).tocsr()
    progress(0.8)
    table.sum_duplicates()
    progress(1.0)
    pairs_per_target = np.diff(table.indptr)
    return _CodePairs(
        target=np.repeat(np.arange(shape[0]), pairs_per_target),
        prediction=table.indices.astype(np.int64),
        n_points=table.data.astype(np.int64),
    )


def _to_instances(
    label_codes: _LabelCodes, invalid_id: int, pair_codes: Ints, n_points_of_pair: Ints
) -> Instances:
    """Return the instances of one label array.

    Args:
        label_codes: the encoded labels.
        invalid_id: label of points of no instance.
        pair_codes: (n,) label index of each counted pair, into ``label_codes.ids``.
        n_points_of_pair: (n,) number of points of each counted pair.
    """
    n_points_of_label = np.bincount(
        pair_codes, weights=n_points_of_pair, minlength=len(label_codes.ids)
    ).astype(np.int64)
    is_instance = (n_points_of_label > 0) & (label_codes.ids != invalid_id)
    n_instances = int(is_instance.sum())
    # Labels of no instance get the number of instances.
    instance_of_label = np.full(len(label_codes.ids), n_instances, dtype=np.int32)
    instance_of_label[is_instance] = np.arange(n_instances, dtype=np.int32)
    return Instances(
        ids=label_codes.ids[is_instance],
        n_points=n_points_of_label[is_instance],
        labels=label_codes.labels,
        first_label=label_codes.first,
        instance_of_label=instance_of_label,
    )
