"""The one-to-one assignment of rows to columns with the largest total gain (Kuhn 1955, Crouse 2016)."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, min_weight_full_bipartite_matching

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.progress import Progress, no_progress

# Above this many cells the sure pairs and each cluster are solved apart, without a table of all pairs.
_MOST_CELLS = 1 << 22
_NONE = -1


def largest_total(
    row: Ints, column: Ints, gain: Floats, shape: tuple[int, int], progress: Progress = no_progress
) -> Ints:
    """Which of some pairs the assignment with the largest total gain takes, ascending.

    Args:
        row, column: (n,) of each pair; every pair once. Whoever has none of these pairs gains nothing.
        gain: (n,) above 0 and up to 1.
        shape: number of rows and of columns.
        progress: receives how far it is; may raise to cancel.

    >>> largest_total(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.9, 0.8, 0.7]), (2, 2)).tolist()
    [1, 2]
    """
    if shape[0] * shape[1] <= _MOST_CELLS:
        return _dense(row, column, gain, shape)
    sure, rest = _sure_pairs(row, column, gain, progress)
    pairs = coo_matrix((np.ones(len(rest), dtype=np.int8), (row[rest], shape[0] + column[rest])), (sum(shape),) * 2)
    cluster = connected_components(pairs, directed=False)[1][row[rest]]
    order = np.argsort(cluster, kind="stable")
    starts = np.flatnonzero(np.diff(cluster[order], prepend=-1))
    chosen = [sure]
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(rest)]):
        some = rest[order[start:end]]
        rows, of_row = np.unique(row[some], return_inverse=True)
        columns, of_column = np.unique(column[some], return_inverse=True)
        within = len(rows), len(columns)
        if within[0] * within[1] <= _MOST_CELLS:
            chosen.append(some[_dense(of_row, of_column, gain[some], within)])
        else:
            chosen.append(some[lowest_cost(of_row, of_column, 2 - gain[some].astype(np.float64), within)])
        progress(end / len(rest))
    return np.sort(np.concatenate(chosen))


def lowest_cost(row: Ints, column: Ints, cost: Floats, shape: tuple[int, int], alone: float = 2.0) -> Ints:
    """Which of some pairs the assignment with the lowest total cost takes, in no order, from the pairs alone.

    Args:
        row, column: (n,) of each pair; every row is in one.
        cost: (n,) above 0.
        shape: number of rows and of columns.
        alone: cost of a row without a column.
    """
    rows = np.arange(shape[0])
    costs = coo_matrix(
        (np.append(cost, np.full(shape[0], alone)), (np.append(row, rows), np.append(column, shape[1] + rows))),
        shape=(shape[0], shape[1] + shape[0]),
    )
    one, other = min_weight_full_bipartite_matching(costs.tocsr())
    wanted = np.full(shape[0], _NONE)
    wanted[one] = other
    return np.flatnonzero(wanted[row] == column)


def _dense(row: Ints, column: Ints, gain: Floats, shape: tuple[int, int]) -> Ints:
    table = np.zeros(shape, dtype=gain.dtype)
    table[row, column] = gain
    number = np.full(shape, _NONE)
    number[row, column] = np.arange(len(row))
    chosen = number[linear_sum_assignment(table, maximize=True)]
    return np.sort(chosen[chosen != _NONE])


def _sure_pairs(row: Ints, column: Ints, gain: Floats, progress: Progress) -> tuple[Ints, Ints]:
    """Pairs that are in every assignment with the largest total, and those that remain without their members.

    Such is a pair whose gain is above that of the best other pair of its row and of its column together: whoever gives
    it up for those two loses.
    """
    gain = gain.astype(np.float64)
    rest = np.arange(len(gain))
    sure = [rest[:0]]
    while True:
        progress(0.0)
        one, other = row[rest], column[rest]
        found = gain[rest] > _best_other(one, gain[rest]) + _best_other(other, gain[rest])
        if not found.any():
            return np.concatenate(sure), rest
        sure.append(rest[found])
        rest = rest[~np.isin(one, one[found]) & ~np.isin(other, other[found])]


def _best_other(member: Ints, gain: Floats) -> Floats:
    """(n,) the largest gain of the other pairs of each pair's member, 0 without one."""
    order = np.lexsort((-gain, member))
    first = np.diff(member[order], prepend=-1) != 0
    group = np.cumsum(first) - 1
    start = np.flatnonzero(first)
    ranked = np.append(gain[order], 0.0)
    several = np.diff(np.append(start, len(gain))) > 1
    second = ranked[np.where(several, start + 1, len(gain))]
    other = np.empty(len(gain))
    other[order] = np.where(first, second[group], ranked[start[group]])
    return other
