"""Ratios of counts and areas, one-to-one assignment, and intervals of means and ratios."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from itertools import permutations
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints, split_range
from randcrowns.core.messages import Message, info
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.core.thresholds import SCORE_TOLERANCE

#: Default number of bootstrap samples.
DEFAULT_BOOTSTRAP_SAMPLES = 1000
#: Column names in tables of the results of :func:`overlap_rates`.
OVERLAP_RATES = ("IoU", "Precision", "Recall")


def ratio(numerator: Any, denominator: Any) -> Any:
    """Return part / whole; NaN if the whole is not above 0.

    Args:
        numerator: number or array.
        denominator: number or array; arrays broadcast.

    Returns:
        A float for numbers, else an array of floats.

    >>> ratio(3, 4), ratio(0, 0)
    (0.75, nan)
    """
    if isinstance(numerator, (int, float)) and isinstance(denominator, (int, float)):
        return float(numerator / denominator) if denominator > 0 else math.nan
    shape = np.broadcast(numerator, denominator).shape
    quotient = np.divide(
        numerator, denominator, out=np.full(shape, np.nan), where=np.asarray(denominator) > 0
    )
    return quotient if quotient.ndim else float(quotient)


def precision_recall_f1(
    n_found: Any, n_targets: Any, n_right: Any, n_predictions: Any
) -> tuple[Any, Any, Any]:
    """Compute precision R / P, recall F / T and F1, their harmonic mean.

    F1 = 2·R·F / (R·T + F·P). With one prediction per target, F = R = TP, so that
    F1 = 2·TP / (2·TP + FP + FN).

    Args:
        n_found: F, number of targets that are found; a number or an array, as all arguments.
        n_targets: T, number of targets.
        n_right: R, number of predictions that find a target.
        n_predictions: P, number of predictions.

    Returns:
        Precision, recall and F1; floats or arrays; NaN for 0 / 0.

    >>> precision_recall_f1(3, 4, 3, 6)
    (0.5, 0.75, 0.6)
    """
    denominator = n_right * n_targets + n_found * n_predictions
    is_defined = np.asarray(n_targets) + n_predictions > 0
    f1 = np.divide(
        2 * n_right * n_found,
        denominator,
        out=np.where(is_defined, 0.0, np.nan),
        where=np.asarray(denominator) > 0,
    )
    return ratio(n_right, n_predictions), ratio(n_found, n_targets), f1 if f1.ndim else float(f1)


def overlap_rates(shared: Any, target: Any, prediction: Any) -> tuple[Any, Any, Any]:
    """Compute IoU, precision and recall of a target and a prediction that overlap.

    Args:
        shared: size (area or number of points) of the intersection; a number or an array.
        target: size of the target.
        prediction: size of the prediction.

    Returns:
        IoU, precision and recall; floats or arrays; NaN for 0 / 0.

    >>> overlap_rates(2, 4, 4)
    (0.3333333333333333, 0.5, 0.5)
    """
    return (
        ratio(shared, target + prediction - shared),
        ratio(shared, prediction),
        ratio(shared, target),
    )


def compute_iou(shared: Floats, first_size: Floats, second_size: Floats) -> Floats:
    """Compute intersection over union from sizes.

    Areas are sums over edges, so that the area shared by equal crowns can be larger than their own
    by a rounding error. It is reduced to the smaller of both areas.

    Args:
        shared: (n,) size of the intersection.
        first_size: (n,) size of the first crown.
        second_size: (n,) size of the second crown; at least one of both is above 0.

    Returns:
        (n,) IoU, in the precision of the sizes.

    >>> compute_iou(np.array([2.0]), np.array([4.0]), np.array([4.0])).round(3).tolist()
    [0.333]
    """
    intersection = np.minimum(shared, np.minimum(first_size, second_size))
    return cast("Floats", intersection / (first_size + second_size - intersection))


def dice_coefficient(shared: Floats, first_size: Floats, second_size: Floats) -> Floats:
    """Compute the Dice overlap, which is the F1 of two sets: 2·shared / (one + other).

    Args:
        shared: (n,) size of the intersection.
        first_size: (n,) size of the first set.
        second_size: (n,) size of the second set.

    Returns:
        (n,) Dice overlaps; 1 if both sets are empty.

    >>> dice_coefficient(np.array([1.0, 0.0]), np.array([2.0, 0.0]), np.array([2.0, 0.0])).tolist()
    [0.5, 1.0]
    """
    total = first_size + second_size
    return np.divide(2 * shared, total, out=np.ones(np.shape(shared)), where=total > 0)


def nan_mean(values: Floats, axis: int | None = None) -> Any:
    """Compute the mean of the values that are not NaN.

    Args:
        values: array of any shape.
        axis: axis along which the mean is computed; None for the mean of all values.

    Returns:
        A float, or an array without the axis; NaN if all values are NaN.

    >>> nan_mean(np.array([1.0, np.nan, 2.0]))
    1.5
    """
    total = np.nansum(values, axis=axis)
    n_known = np.count_nonzero(~np.isnan(values), axis=axis)
    return ratio(total, n_known)


#: Maximum number of cells (rows · columns) of a problem that is solved as a dense table.
_MAX_CELLS = 1 << 22
#: Index that stands for no pair, row or column.
_NONE = -1
#: Number of steps of :func:`assign_sparse` between two calls of ``progress``: some milliseconds.
_STEPS_PER_REPORT = 1000
#: Difference up to which gains count as equal, so that rounding errors decide nothing.
GAIN_TOLERANCE = SCORE_TOLERANCE
#: Largest float up to which all whole numbers are exact.
_MAX_EXACT = 2.0**53


def assign_max_gain(
    row: Ints, column: Ints, gain: Floats, shape: tuple[int, int], progress: Progress = no_progress
) -> Ints:
    """Find the one-to-one assignment of rows to columns with the largest total gain.

    Args:
        row: (n,) row of each pair.
        column: (n,) column of each pair. Each pair occurs once; rows and columns without an
            assigned pair gain nothing.
        gain: (n,) gain of each pair, above 0 and up to 1.
        shape: number of rows and number of columns.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        Indices of the pairs that are assigned, ascending.

    >>> row, column, gain = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.9, 0.8, 0.7])
    >>> assign_max_gain(row, column, gain, (2, 2)).tolist()
    [1, 2]
    """
    if is_solved_as_table(shape):
        return _dense_total(row, column, gain, shape)
    return assign_by_cluster(row, column, gain, progress)


def is_solved_as_table(shape: tuple[int, int]) -> bool:
    """Return True if :func:`assign_max_gain` compares unrounded gains, in one table of all pairs.

    Args:
        shape: number of rows and number of columns.
    """
    return shape[0] * shape[1] <= _MAX_CELLS


def assign_by_cluster(
    row: Ints, column: Ints, gain: Floats, progress: Progress = no_progress
) -> Ints:
    """Find the assignment with the largest total gain, separately for each cluster of pairs.

    A cluster holds the pairs that are connected by common rows and columns. Its assignment
    does not depend on other clusters. Gains are compared in steps of :data:`GAIN_TOLERANCE`; of
    several best assignments, that of the lowest columns is returned where its sums are exact.

    Args:
        row: (n,) row of each pair, any integers.
        column: (n,) column of each pair, any integers.
        gain: (n,) gain of each pair, above 0 and up to 1.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        Indices of the pairs that are assigned, ascending.

    >>> row, column, gain = np.array([0, 0, 5]), np.array([3, 4, 6]), np.array([0.9, 0.9, 0.7])
    >>> assign_by_cluster(row, column, gain).tolist()
    [0, 2]
    """
    whole_gain = np.maximum(np.rint(gain.astype(np.float64) / GAIN_TOLERANCE), 1.0)
    certain, contested = _certain_pairs(row, column, whole_gain, progress)
    rows, row_index = np.unique(row[contested], return_inverse=True)
    columns, column_index = np.unique(column[contested], return_inverse=True)
    cluster = _clusters_of_pairs(row_index, column_index, (len(rows), len(columns)))
    # The arrays of contested pairs, cluster by cluster.
    by_cluster = np.argsort(cluster, kind="stable")
    contested = contested[by_cluster]
    contested_gain = whole_gain[contested]
    cluster = cluster[by_cluster]
    row_index = row_index[by_cluster]
    column_index = column_index[by_cluster]

    small = _solve_small_clusters(cluster, row_index, column_index, contested_gain)
    assigned = [certain, contested[small.assigned]]
    # The other clusters are solved one by one.
    n_unsolved = len(small.unsolved)
    starts = np.flatnonzero(np.diff(cluster[small.unsolved], prepend=-1)).tolist()
    ends = [*starts[1:], n_unsolved]
    for start, end in zip(starts, ends):
        positions = small.unsolved[start:end]
        best = _solve_cluster(
            row_index[positions],
            column_index[positions],
            contested_gain[positions],
            subprogress(progress, start / n_unsolved, end / n_unsolved),
        )
        assigned.append(contested[positions[best]])
        progress(end / n_unsolved)
    return np.sort(np.concatenate(assigned))


def _clusters_of_pairs(row: Ints, column: Ints, shape: tuple[int, int]) -> Ints:
    """Return the cluster (n,) of each pair: pairs with a common row or column are connected.

    Args:
        row: (n,) row of each pair, numbered without gaps.
        column: (n,) column of each pair, likewise.
        shape: number of rows and number of columns.
    """
    n_rows, n_columns = shape
    # Rows are the first nodes of the graph, columns the others.
    n_nodes = n_rows + n_columns
    edges = (np.ones(len(row), np.int8), (row, n_rows + column))
    graph = scipy.sparse.coo_matrix(edges, (n_nodes, n_nodes))
    _, cluster_of_node = scipy.sparse.csgraph.connected_components(graph, directed=False)
    return cast("Ints", cluster_of_node[row])


def _solve_cluster(row: Ints, column: Ints, gain: Floats, progress: Progress) -> Ints:
    """Return the indices of the assigned pairs of one cluster.

    Args:
        row: (n,) row of each pair.
        column: (n,) column of each pair.
        gain: (n,) gains, whole numbers.
        progress: receives the fraction done; may raise to cancel.
    """
    rows, row_index = np.unique(row, return_inverse=True)
    columns, column_index = np.unique(column, return_inverse=True)
    shape = (len(rows), len(columns))
    if not is_solved_as_table(shape):
        return assign_sparse(row_index, column_index, gain, shape, progress)
    ranked_gain = _prefer_low_columns(gain, column_index, shape)
    return _dense_total(row_index, column_index, ranked_gain, shape)


#: Maximum number of rows, and of columns, of clusters that are solved by trying all assignments.
_MAX_SMALL_SIDE = 4


class _SmallClusters(NamedTuple):
    """Result of solving all small clusters."""

    #: Indices of the pairs that are assigned.
    assigned: Ints
    #: Indices of the pairs of larger clusters.
    unsolved: Ints


def _solve_small_clusters(cluster: Ints, row: Ints, column: Ints, gain: Floats) -> _SmallClusters:
    """Solve clusters with few rows and columns, all clusters of one shape at once.

    Args:
        cluster: (n,) cluster of each pair.
        row: (n,) row of each pair, numbered without gaps; each row is in one cluster.
        column: (n,) column of each pair, likewise.
        gain: (n,) gains, whole numbers.
    """
    cluster_size = np.bincount(cluster)
    n_clusters = len(cluster_size)
    row_position, n_rows = _positions_in_cluster(row, cluster, n_clusters)
    column_position, n_columns = _positions_in_cluster(column, cluster, n_clusters)
    longer_side = np.maximum(n_rows, n_columns)
    is_small = (cluster_size > 0) & (longer_side <= _MAX_SMALL_SIDE)
    shapes = set(zip(n_rows[is_small].tolist(), n_columns[is_small].tolist()))
    assigned = [np.empty(0, dtype=np.int64)]
    for shape in shapes:
        has_shape = is_small & (n_rows == shape[0]) & (n_columns == shape[1])
        n_tables = np.count_nonzero(has_shape)
        table_of_cluster = np.full(n_clusters, _NONE)
        table_of_cluster[has_shape] = np.arange(n_tables)
        pairs = np.flatnonzero(has_shape[cluster])
        cells = (table_of_cluster[cluster[pairs]], row_position[pairs], column_position[pairs])
        # (clusters, rows, columns) tables of gains and of indices of pairs.
        gains = np.zeros((n_tables, *shape))
        gains[cells] = _prefer_low_columns(gain[pairs], column_position[pairs], shape)
        pair_index = np.full(gains.shape, _NONE)
        pair_index[cells] = pairs
        assigned.append(_try_all_assignments(gains, pair_index))
    unsolved = np.flatnonzero(~is_small[cluster])
    return _SmallClusters(assigned=np.concatenate(assigned), unsolved=unsolved)


def _positions_in_cluster(member: Ints, cluster: Ints, n_clusters: int) -> tuple[Ints, Ints]:
    """Compute the position, from 0, of members (rows or columns) within their cluster.

    Args:
        member: (n,) member of each pair, numbered without gaps.
        cluster: (n,) cluster of each pair.
        n_clusters: c, number of clusters.

    Returns:
        (n,) number of each pair's member within its cluster, and (c,) number of members of each
        cluster.
    """
    n_all_members = member.max(initial=-1) + 1
    cluster_of_member = np.empty(n_all_members, dtype=np.int64)
    cluster_of_member[member] = cluster
    n_members = np.bincount(cluster_of_member, minlength=n_clusters)
    # In an array of the members by cluster, their positions count on from the first of the cluster.
    by_cluster = np.argsort(cluster_of_member, kind="stable")
    first_of_cluster = np.cumsum(n_members) - n_members
    first_of_member = first_of_cluster[cluster_of_member[by_cluster]]
    position_of_member = np.empty(n_all_members, dtype=np.int64)
    position_of_member[by_cluster] = np.arange(n_all_members) - first_of_member
    return position_of_member[member], n_members


def _try_all_assignments(gains: Floats, pair_index: Ints) -> Ints:
    """Return the pairs of the best assignment of each of c tables.

    Args:
        gains: (c, rows, columns) gains, 0 where there is no pair.
        pair_index: (c, rows, columns) index of each pair, or _NONE.

    Returns:
        Indices of the assigned pairs of all tables.
    """
    if gains.shape[1] > gains.shape[2]:
        gains = gains.transpose(0, 2, 1)
        pair_index = pair_index.transpose(0, 2, 1)
    n_tables, n_rows, n_columns = gains.shape
    rows = np.arange(n_rows)
    # (assignments, rows) column of each row.
    assignments = np.array(list(permutations(range(n_columns), n_rows)))
    # (tables, assignments) sums over the rows.
    total_gains = gains[:, rows, assignments].sum(axis=2)
    best_columns = assignments[total_gains.argmax(axis=1)]
    tables = np.arange(n_tables)[:, np.newaxis]
    assigned = pair_index[tables, rows, best_columns]
    return cast("Ints", assigned[assigned != _NONE])


def _prefer_low_columns(gain: Floats, column: Ints, shape: tuple[int, int]) -> Floats:
    """Return gains that make assignments of low columns win over others of the same total.

    Args:
        gain: (n,) gains, whole numbers.
        column: (n,) column of each pair, from 0.
        shape: number of rows and of columns.

    Returns:
        (n,) gains, scaled and reduced by the column; unchanged if their sums would not be exact.
    """
    max_pairs = float(min(shape))
    if gain.max() * max_pairs * max_pairs * shape[1] < _MAX_EXACT:
        return gain * max_pairs * shape[1] - column
    return gain


def _dense_total(row: Ints, column: Ints, gain: Floats, shape: tuple[int, int]) -> Ints:
    """Assign rows to columns by a table of the gains of all rows and columns.

    Args:
        row: (n,) row of each pair, below ``shape[0]``.
        column: (n,) column of each pair, below ``shape[1]``.
        gain: (n,) gains; rows and columns without a pair have the gain 0.
        shape: numbers of rows and columns.

    Returns:
        Indices of the assigned pairs, ascending.
    """
    table = np.zeros(shape, dtype=gain.dtype)
    table[row, column] = gain
    pair_index = np.full(shape, _NONE)
    pair_index[row, column] = np.arange(len(row))
    assigned_rows, assigned_columns = scipy.optimize.linear_sum_assignment(table, maximize=True)
    assigned = pair_index[assigned_rows, assigned_columns]
    # Cells without a pair can be assigned too.
    return np.sort(assigned[assigned != _NONE])


def assign_sparse(
    row: Ints, column: Ints, gain: Floats, shape: tuple[int, int], progress: Progress = no_progress
) -> Ints:
    """Find the assignment with the largest total gain without a table of all rows and columns.

    Rows are added one by one along the shortest augmenting path (Jonker and Volgenant 1987), which
    is searched only as far as necessary. Of several best assignments, any is returned.

    Args:
        row: (n,) row of each pair, from 0.
        column: (n,) column of each pair, from 0.
        gain: (n,) gain of each pair, whole numbers above 0.
        shape: number of rows and of columns.
        progress: receives the fraction done every few milliseconds; may raise to cancel.

    Returns:
        Indices of the pairs that are assigned, ascending.

    >>> row, column, gain = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([9.0, 8.0, 7.0])
    >>> assign_sparse(row, column, gain, (2, 2)).tolist()
    [1, 2]
    """
    order = np.lexsort((column, row))
    assignment = _SparseAssignment(
        row=row[order], column=column[order], gain=gain[order], shape=shape, progress=progress
    )
    for start in range(shape[0]):
        assignment.add_row(start)
    pairs = np.array(assignment.pair_of_row, dtype=np.int64)
    return np.sort(order[pairs[pairs != _NONE]])


class _Path(NamedTuple):
    """Shortest augmenting path from a row that has no column yet.

    It ends at a free column, or at a row that gives up its column and remains without one.
    """

    #: Length of the path, in units of gain.
    length: int
    #: Column at its end; _NONE if it ends at a row.
    last_column: int
    #: Row at its end, if ``last_column`` is _NONE.
    last_row: int
    #: By column, the row before it on the shortest path and the pair of both.
    previous: dict[int, tuple[int, int]]
    #: Distance of each column whose shortest path is known.
    settled: dict[int, int]


class _SparseAssignment:
    """Assignment of rows to columns that grows row by row.

    Args:
        row: (n,) row of each pair, ascending.
        column: (n,) column of each pair.
        gain: (n,) gain of each pair, whole numbers.
        shape: number of rows and of columns.
        progress: receives the fraction of rows that have been added.
    """

    #: (rows,) index of the pair of each row, or _NONE.
    pair_of_row: list[int]

    def __init__(
        self, row: Ints, column: Ints, gain: Floats, shape: tuple[int, int], progress: Progress
    ) -> None:
        # Lists of Python numbers are read faster one by one than arrays.
        self._first_pair = np.searchsorted(row, np.arange(shape[0] + 1)).tolist()
        self._columns = column.tolist()
        self._gains = gain.astype(np.int64).tolist()
        self._prices = [0] * shape[1]
        self._row_of_column = [_NONE] * shape[1]
        self.pair_of_row = [_NONE] * shape[0]
        self._progress = progress
        self._n_steps = 0

    def add_row(self, start: int) -> None:
        """Assign a row that has no column yet, or leave a row without one if that gains more."""
        path = self._shortest_path(start)
        for column, distance in path.settled.items():
            self._prices[column] += distance - path.length
        last_column = path.last_column
        if last_column == _NONE and path.last_row != start:
            last_column = self._columns[self.pair_of_row[path.last_row]]
            self.pair_of_row[path.last_row] = _NONE
        if last_column != _NONE:
            self._augment(start, last_column, path.previous)

    def _shortest_path(self, start: int) -> _Path:
        """Find the shortest augmenting path from a row by Dijkstra's algorithm."""
        first_pair = self._first_pair
        columns = self._columns
        gains = self._gains
        prices = self._prices
        row_of_column = self._row_of_column

        distances: dict[int, int] = {}
        previous: dict[int, tuple[int, int]] = {}
        settled: dict[int, int] = {}
        heap: list[tuple[int, bool, int]] = []
        row = start
        row_distance = 0
        # The best path so far ends at the row itself, which then remains without a column.
        length = 0
        last_column = _NONE
        last_row = start
        while True:
            self._report(start)
            if row_distance < length:
                length = row_distance
                last_column = _NONE
                last_row = row
            for pair in range(first_pair[row], first_pair[row + 1]):
                column = columns[pair]
                distance = row_distance - gains[pair] - prices[column]
                if (
                    distance < length
                    and column not in settled
                    and distance < distances.get(column, length)
                ):
                    distances[column] = distance
                    previous[column] = (row, pair)
                    # Of equal distances, free columns come first, because the path ends there.
                    heappush(heap, (distance, row_of_column[column] != _NONE, column))
            _drop_outdated(heap, distances, settled)
            if not heap or heap[0][0] >= length:
                break
            distance, is_owned, column = heappop(heap)
            if not is_owned:
                length = distance
                last_column = column
                break
            settled[column] = distance
            row = row_of_column[column]
            row_distance = distance + gains[self.pair_of_row[row]] + prices[column]
        return _Path(
            length=length,
            last_column=last_column,
            last_row=last_row,
            previous=previous,
            settled=settled,
        )

    def _report(self, start: int) -> None:
        """Count a step, and report progress from time to time."""
        self._n_steps += 1
        if self._n_steps % _STEPS_PER_REPORT == 0:
            self._progress(start / len(self.pair_of_row))

    def _augment(self, start: int, last_column: int, previous: dict[int, tuple[int, int]]) -> None:
        """Assign to each row on a path the pair by which the path leaves it.

        Args:
            start: row at which the path starts.
            last_column: column at which it ends.
            previous: row and pair before each column of the path.
        """
        column = last_column
        row = _NONE
        while row != start:
            row, pair = previous[column]
            old_pair = self.pair_of_row[row]
            self._row_of_column[column] = row
            self.pair_of_row[row] = pair
            column = self._columns[old_pair]


def _drop_outdated(
    heap: list[tuple[int, bool, int]], distances: dict[int, int], settled: dict[int, int]
) -> None:
    """Remove entries from the front of a heap that are settled or have become shorter."""
    while heap:
        distance, _, column = heap[0]
        if column not in settled and distance <= distances[column]:
            break
        heappop(heap)


#: Number of pairs that are selected from at a time.
_GREEDY_BLOCK = 100_000


def select_greedily(first: Ints, second: Ints) -> Ints:
    """Select pairs in their order, skipping those with a member of a pair selected before.

    Args:
        first: (n,) first member of each pair, for example a target.
        second: (n,) second member of each pair, for example a prediction.

    Returns:
        Indices of the selected pairs, ascending.

    >>> select_greedily(np.array([0, 0, 1, 1]), np.array([5, 6, 5, 6])).tolist()
    [0, 3]
    """
    # Pairs whose members are in no other pair are selected whatever the others are.
    is_selected = occurs_once(first) & occurs_once(second)
    others = np.flatnonzero(~is_selected)
    is_used_first = np.zeros(first.max(initial=-1) + 1, dtype=bool)
    is_used_second = np.zeros(second.max(initial=-1) + 1, dtype=bool)
    # In blocks, since lists of numbers take five times the memory of arrays.
    for block in split_range(len(others), _GREEDY_BLOCK):
        block_pairs = others[block]
        is_excluded = is_used_first[first[block_pairs]] | is_used_second[second[block_pairs]]
        pairs = block_pairs[~is_excluded]
        members = zip(pairs.tolist(), first[pairs].tolist(), second[pairs].tolist())
        used_first: set[int] = set()
        used_second: set[int] = set()
        selected = []
        for pair, first_item, second_item in members:
            if first_item not in used_first and second_item not in used_second:
                used_first.add(first_item)
                used_second.add(second_item)
                selected.append(pair)
        is_selected[selected] = True
        is_used_first[first[selected]] = True
        is_used_second[second[selected]] = True
    return np.flatnonzero(is_selected)


def occurs_once(members: Ints) -> Bools:
    """Return True (n,) for the members, not negative, that occur once among them.

    >>> occurs_once(np.array([0, 2, 0])).tolist()
    [False, True, False]
    """
    return cast("Bools", np.bincount(members)[members] == 1)


class _Side(NamedTuple):
    """Open pairs sorted by their rows, or by their columns."""

    #: (m,) indices of the pairs.
    order: Ints
    #: (m,) number of each pair's row or column, not falling.
    member: Ints


def _certain_pairs(row: Ints, column: Ints, gain: Floats, progress: Progress) -> tuple[Ints, Ints]:
    """Find pairs that are in all assignments with the largest total gain.

    A pair is certain if its gain is above that of the best other pair of its row and of the best
    other pair of its column together: giving it up for those two loses. Its row and column are
    removed, which can make more pairs certain.

    Args:
        row: (n,) row of each pair.
        column: (n,) column of each pair.
        gain: (n,) gain of each pair.
        progress: called in each round; may raise to cancel.

    Returns:
        Indices of the certain pairs, and of the pairs whose row and column are both open.
    """
    gain = gain.astype(np.float64)
    is_open = np.ones(len(gain), dtype=bool)
    sides = [_sort_by_member(row), _sort_by_member(column)]
    certain = [np.empty(0, dtype=np.int64)]
    while is_open.any():
        progress(0.0)
        best_others = np.zeros(len(gain))
        for side in sides:
            best_others[side.order] += _best_other(side.member, gain[side.order])
        is_certain = is_open & (gain > best_others)
        if not is_certain.any():
            break
        certain.append(np.flatnonzero(is_certain))
        for side in sides:
            # All pairs of the row, or of the column, of a certain pair are no longer open.
            assigned_members = side.member[is_certain[side.order]]
            is_assigned = np.zeros(side.member[-1] + 1, dtype=bool)
            is_assigned[assigned_members] = True
            closed_pairs = side.order[is_assigned[side.member]]
            is_open[closed_pairs] = False
        sides = [_keep_open(side, is_open) for side in sides]
    return np.concatenate(certain), np.flatnonzero(is_open)


def _sort_by_member(member: Ints) -> _Side:
    """Return pairs sorted by their rows or columns, given as (n,) integers."""
    order = np.argsort(member, kind="stable")
    # The number of a member is the number of members before it.
    is_new = np.diff(member[order]) != 0
    member_number = np.append(0, np.cumsum(is_new))[: len(order)]
    return _Side(order=order, member=member_number)


def _keep_open(side: _Side, is_open: Bools) -> _Side:
    """Return a side with the open pairs only; the mask (n,) refers to all pairs."""
    keep = is_open[side.order]
    return _Side(side.order[keep], side.member[keep])


def _best_other(member: Ints, gain: Floats) -> Floats:
    """Return the largest gain (n,) of the other pairs of each pair's member; 0 without others.

    Args:
        member: (n,) row or column of each pair, not falling.
        gain: (n,) gain of each pair.
    """
    # The pairs of a member follow each other; its first pair is where the member changes.
    is_first = np.diff(member, prepend=-1) != 0
    first_pairs = np.flatnonzero(is_first)
    member_of_pair = np.cumsum(is_first) - 1
    best_gain = np.maximum.reduceat(gain, first_pairs)[member_of_pair]
    is_best = gain == best_gain
    n_best = np.add.reduceat(is_best.astype(np.int64), first_pairs)[member_of_pair]
    gain_of_others = np.where(is_best, 0.0, gain)
    second_gain = np.maximum.reduceat(gain_of_others, first_pairs)[member_of_pair]
    is_only_best = is_best & (n_best == 1)
    best_other: Floats = np.where(is_only_best, second_gain, best_gain)
    return best_other


#: Default probability with which an interval covers the true value.
CONFIDENCE_LEVEL = 0.95
#: Minimum number of single crowns, or of blocks, for an interval.
MIN_UNITS = 10
#: Minimum number of plots for an interval. The mean of a plot of several crowns is less skewed than
#: the score of a crown, so fewer plots suffice.
MIN_PLOTS = 5
#: Number of units from which an interval also covers if a tenth of all crowns have score 0.
_MANY_UNITS = 50


def plot_codes(plots: ArrayLike | None) -> Ints | None:
    """Return the number (n,) of each crown's plot; None if all crowns are in one plot.

    Args:
        plots: (n,) plot of each crown, None for crowns without one; or None without plots.

    Returns:
        Numbers from 1 in the order of first occurrence, 0 for all crowns without a plot; or None.

    >>> plot_codes(["b", None, "a", "b"]).tolist(), plot_codes(["a", "a"])
    ([1, 0, 2, 1], None)
    """
    if plots is None:
        return None
    # The code of a missing plot is -1.
    codes, _ = pd.factorize(np.asarray(plots, dtype=object))
    if len(codes) == 0 or (codes == codes[0]).all():
        return None
    return cast("Ints", codes + 1)


def ratio_interval(
    numerator: ArrayLike,
    denominator: ArrayLike,
    plots: Ints | None = None,
    level: float = CONFIDENCE_LEVEL,
) -> tuple[Floats, Floats]:
    """Compute the interval of a ratio of sums, Σpart / Σwhole, between 0 and 1.

    The units are crowns or plots with all of their crowns, because crowns of one plot are alike.
    With R = Σpart / Σwhole, Rᵢ the ratio without unit i, and hᵢ the share of unit i in Σwhole, the
    weighted jackknife variance is s² = Σ(1 - hᵢ)·(Rᵢ - R)² (Hinkley 1977). The ends of the interval
    lie t·s / (R(1 - R)) around logit R, so that they stay between 0 and 1. The degrees of freedom
    of Student's t are those of :func:`jackknife_freedom`. For n units of equal size, this is the
    usual jackknife with n - 1 degrees of freedom (Efron and Tibshirani 1993, ch. 11).

    Args:
        numerator: (n, …) contribution of each crown to the numerator.
        denominator: (n, …) contribution of each crown to the denominator, at least 0.
        plots: (n,) number of each crown's plot, at least 0; None makes each crown a unit.
        level: probability with which the interval covers the ratio.

    Returns:
        (…) lower ends and (…) upper ends. They are NaN if fewer than :data:`MIN_PLOTS` plots, or
        without plots :data:`MIN_UNITS` crowns, have a whole above 0, if the ratio is 0 or 1, or if
        one unit has the whole total.

    >>> low, high = ratio_interval(np.tile([3, 1], 20), np.full(40, 4))
    >>> round(float(low), 3), round(float(high), 3)
    (0.42, 0.58)
    """
    parts = _unit_sums(np.asarray(numerator, dtype=np.float64), plots)
    wholes = _unit_sums(np.asarray(denominator, dtype=np.float64), plots)
    total_part = parts.sum(axis=0)
    total_whole = wholes.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = total_part / total_whole
        share_without_unit = (total_part - parts) / (total_whole - wholes)
        unit_shares = wholes / total_whole
        squares = np.square(share_without_unit - share)
        variance = ((1 - unit_shares) * squares).sum(axis=0)
    n_units = np.count_nonzero(wholes > 0, axis=0)
    minimum = MIN_UNITS if plots is None else MIN_PLOTS
    freedom = jackknife_freedom(unit_shares)
    return _logit_interval(share, variance, freedom, n_units >= minimum, level)


def jackknife_freedom(unit_shares: Floats, n_equal: Floats | float = 1.0) -> Floats:
    """Compute the degrees of freedom of a weighted jackknife variance.

    They are twice the squared mean of s² of :func:`ratio_interval`, divided by its variance, if the
    variance of a unit is proportional to its size (Bell and McCaffrey 2002). With the shares hᵢ
    and qᵢ = hᵢ²/(1 - hᵢ), they are 1 / (Σhᵢ² + (Σqᵢ)² - Σqᵢ²).

    Args:
        unit_shares: (u, …) share h of each unit in the total size; the shares of all units add up
            to 1.
        n_equal: (u,) number of units that each listed unit stands for, itself included.

    Returns:
        (…) degrees of freedom: n - 1 for n units of equal size; NaN if one unit has the whole size.

    >>> jackknife_freedom(np.full(5, 0.2)).round(9).tolist()
    4.0
    >>> jackknife_freedom(np.array([0.6, 0.1, 0.1, 0.1, 0.1])).round(2).tolist()
    2.08
    """
    n_units = np.broadcast_to(n_equal, len(unit_shares))
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = np.square(unit_shares)
        corrected = squares / (1 - unit_shares)
        # Pairs of different units: (Σq)² - Σq².
        pairs = np.square(np.tensordot(n_units, corrected, 1))
        pairs -= np.tensordot(n_units, np.square(corrected), 1)
        return cast("Floats", 1 / (np.tensordot(n_units, squares, 1) + pairs))


def moments_interval(n: Floats, mean: Floats, squared_deviations: Floats) -> tuple[Floats, Floats]:
    """Compute the interval of a mean at :data:`CONFIDENCE_LEVEL`; see :func:`mean_interval`.

    Args:
        n: (…) number of values.
        mean: (…) mean of the values, between 0 and 1.
        squared_deviations: (…) sum of squared deviations from the mean.

    Returns:
        (…) lower ends and (…) upper ends; NaN for fewer than :data:`MIN_UNITS` values.

    >>> low, high = moments_interval(np.array(16.0), np.array(0.25), np.array(0.0))
    >>> round(float(low), 9), round(float(high), 9)
    (0.25, 0.25)
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = squared_deviations / (n * (n - 1))
    return _logit_interval(mean, variance, n - 1, n >= MIN_UNITS, CONFIDENCE_LEVEL)


def jackknife_interval(
    estimate: Floats, without_unit: Floats, unit_size: Floats, n_equal: Floats, minimum: int
) -> tuple[Floats, Floats]:
    """Compute intervals at :data:`CONFIDENCE_LEVEL` of statistics between 0 and 1.

    The weighted jackknife variance and the degrees of freedom are those of :func:`ratio_interval`,
    for statistics that are no ratio of sums. Equal units are listed once.

    Args:
        estimate: (s,) statistics of all units together.
        without_unit: (u, s) statistics without one unit.
        unit_size: (u,) size of each unit, above 0.
        n_equal: (u,) number of units that are equal to each listed unit, itself included.
        minimum: minimum number of units for an interval.

    Returns:
        (s,) lower ends and (s,) upper ends; NaN for fewer units than the minimum, or where a
        statistic is 0, 1 or undefined without one of the units.

    >>> low, high = jackknife_interval(
    ...     np.array([0.5]), np.array([[4 / 9], [5 / 9]]), np.ones(2), np.array([5.0, 5.0]), 10
    ... )
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.18], [0.82])
    """
    unit_shares = unit_size / (n_equal @ unit_size)
    variance = (n_equal * (1 - unit_shares)) @ np.square(without_unit - estimate)
    freedom = np.full(estimate.shape, jackknife_freedom(unit_shares, n_equal))
    has_enough_units = n_equal.sum() >= minimum
    return _logit_interval(estimate, variance, freedom, has_enough_units, CONFIDENCE_LEVEL)


def _logit_interval(
    share: Floats, variance: Floats, freedom: Floats, has_enough: Any, level: float
) -> tuple[Floats, Floats]:
    """Compute the interval of shares on the scale of their logits.

    Args:
        share: (…) shares from 0 to 1.
        variance: (…) variances of the shares.
        freedom: (…) degrees of freedom of Student's t.
        has_enough: (…) True where there are enough units for an interval.
        level: probability with which the interval covers the share.

    Returns:
        (…) lower ends and (…) upper ends; NaN for too few units.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        half_width = scipy.special.stdtrit(freedom, (1 + level) / 2) * np.sqrt(variance)
        # The derivative of logit x is 1 / (x (1 - x)).
        logit_half_width = half_width / (share * (1 - share))
        centre = scipy.special.logit(share)
        low = scipy.special.expit(centre - logit_half_width)
        high = scipy.special.expit(centre + logit_half_width)
    return np.where(has_enough, low, np.nan), np.where(has_enough, high, np.nan)


def mean_interval(values: Floats, plots: Ints | None = None) -> tuple[float, float]:
    """Compute the interval at :data:`CONFIDENCE_LEVEL` of a mean of values between 0 and 1.

    Args:
        values: (n,) values of crowns.
        plots: (n,) number of each crown's plot, or None; see :func:`ratio_interval`.

    Returns:
        The lower and the upper end; NaN for fewer than :data:`MIN_PLOTS` plots, or without plots
        fewer than :data:`MIN_UNITS` crowns.

    >>> mean_interval(np.full(16, 0.25))
    (0.25, 0.25)
    """
    if plots is None and len(values):
        # The interval of single crowns needs no sums of units.
        n = np.array(float(len(values)))
        mean = values.mean()
        squared_deviations = np.square(values - mean).sum()
        low, high = moments_interval(n, mean, squared_deviations)
    else:
        low, high = ratio_interval(values, np.ones(len(values)), plots)
    return float(low), float(high)


def interval_messages(values: Floats, plots: Ints | None = None) -> tuple[Message, ...]:
    """Return messages about the interval of a mean score, if it is missing or may be too narrow.

    With n independent scores above 0, up to 1 - 0.05^(1/n) of all crowns can have score 0 at a
    confidence of 95 % (Hanley and Lippman-Hand 1983). An interval from those scores cannot contain
    this possibility. It no longer matters for the coverage from 50 units on.

    Args:
        values: (n,) scores of crowns, without NaN.
        plots: (n,) number of each crown's plot, or None; see :func:`ratio_interval`.

    Returns:
        A message about the number of plots, and one about crowns with score 0; or none.

    >>> [message.key for message in interval_messages(np.full(7, 0.9), np.arange(7))]
    ['interval.few_plots', 'interval.no_zero_plots']
    """
    units = np.arange(len(values)) if plots is None else plots
    n = len(np.unique(units))
    minimum = MIN_UNITS if plots is None else MIN_PLOTS
    has_interval = n >= minimum
    messages: list[Message] = []
    if plots is not None and not has_interval:
        messages.append(too_few_plots_message(n))
    elif plots is not None and n < MIN_UNITS:
        messages.append(
            info(
                "interval.few_plots",
                "The intervals are based on {count} plots only. They are valid if these plots are "
                "a random sample, and they are much wider than those of more plots.",
                count=n,
            )
        )
    if has_interval and n < _MANY_UNITS and not (values <= 0).any():
        messages.append(_no_zero_message(n, plots is not None))
    return tuple(messages)


def too_few_plots_message(n_plots: int, minimum: int = MIN_PLOTS) -> Message:
    """Return the message that there are no intervals, because there are too few plots.

    Args:
        n_plots: number of plots, less than the minimum.
        minimum: minimum number of plots for an interval.
    """
    return info(
        "interval.too_few_plots",
        "There are no intervals for all plots together: {count} plots are fewer than {minimum}.",
        count=n_plots,
        minimum=minimum,
    )


def _no_zero_message(n: int, are_plots: bool) -> Message:
    """Return the message that rare crowns with score 0 could make an interval too narrow.

    Args:
        n: number of crowns or plots.
        are_plots: True if units are plots.
    """
    share = 1 - (1 - CONFIDENCE_LEVEL) ** (1 / n)
    if are_plots:
        return info(
            "interval.no_zero_plots",
            "No crown of these {count} plots has score 0. Up to {share:.0%} of all plots may still "
            "contain such crowns, and the intervals would then be too narrow.",
            count=n,
            share=share,
        )
    return info(
        "interval.no_zero_crowns",
        "None of these {count} crowns has score 0. Up to {share:.0%} of all crowns may still have "
        "score 0, and the intervals would then be too narrow.",
        count=n,
        share=share,
    )


def _unit_sums(values: Floats, plots: Ints | None) -> Floats:
    """Return the sums (units, …) of values (n, …) over each plot; the values without plots."""
    if plots is None or not len(values):
        return values
    # The values of each crown in one row, whatever their shape.
    columns = values.reshape(len(values), -1).T
    sums_of_columns = [np.bincount(plots, column) for column in columns]
    sums: Floats = np.stack(sums_of_columns, axis=1)
    return sums.reshape(-1, *values.shape[1:])
