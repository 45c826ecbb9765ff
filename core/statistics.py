"""Shares of counts and of sizes that every topic needs: precision, recall, F1, IoU, Dice, means of what is known."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from itertools import permutations
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, logit, stdtrit

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.progress import Progress, no_progress, part_of

#: What :func:`overlap_rates` gives, as tables name it.
RATES = ("IoU", "Precision", "Recall")


def ratio(part: Any, whole: Any) -> Any:
    """part / whole of numbers or arrays; NaN where the whole is not above 0.

    >>> ratio(3, 4), ratio(0, 0)
    (0.75, nan)
    """
    if isinstance(part, (int, float)) and isinstance(whole, (int, float)):
        return float(part / whole) if whole > 0 else math.nan
    shape = np.broadcast(part, whole).shape
    found = np.divide(part, whole, out=np.full(shape, np.nan), where=np.asarray(whole) > 0)
    return found if found.ndim else float(found)


def precision_recall_f1(
    found: Any, targets: Any, right: Any, predictions: Any
) -> tuple[Any, Any, Any]:
    """Precision R/P, recall F/T and their harmonic mean F1 = 2·R·F / (R·T + F·P), numbers or arrays; 0/0 is NaN.

    With one prediction per target, F = R = TP, so that F1 = 2·TP / (2·TP + FP + FN).

    Args:
        found: targets found, F.
        targets: all targets, T.
        right: predictions that find a target, R.
        predictions: all predictions, P.

    >>> precision_recall_f1(3, 4, 3, 6)
    (0.5, 0.75, 0.6)
    """
    both = right * targets + found * predictions
    nothing = np.where(np.asarray(targets) + predictions > 0, 0.0, np.nan)
    f1 = np.divide(2 * right * found, both, out=nothing, where=np.asarray(both) > 0)
    return ratio(right, predictions), ratio(found, targets), f1 if f1.ndim else float(f1)


def overlap_rates(shared: Any, target: Any, prediction: Any) -> tuple[Any, Any, Any]:
    """IoU, precision and recall from the sizes of what two share, of the target, and of the prediction; 0/0 is NaN.

    >>> overlap_rates(2, 4, 4)
    (0.3333333333333333, 0.5, 0.5)
    """
    return (
        ratio(shared, target + prediction - shared),
        ratio(shared, prediction),
        ratio(shared, target),
    )


def iou_of(shared: Floats, one: Floats, other: Floats) -> Floats:
    """Intersection over union of two sizes and what they share, in the precision of these; one of them is above 0.

    Areas are summed edge by edge: what equal crowns share may come out a rounding above their own.
    """
    both = np.minimum(shared, np.minimum(one, other))
    return cast("Floats", both / (one + other - both))


def dice(shared: Floats, one: Floats, other: Floats) -> Floats:
    """Dice overlap, the F1 of two sets, 2·shared / (one + other); 1 where both are empty.

    >>> dice(np.array([1.0, 0.0]), np.array([2.0, 0.0]), np.array([2.0, 0.0])).tolist()
    [0.5, 1.0]
    """
    both = one + other
    return np.divide(2 * shared, both, out=np.ones(np.shape(shared)), where=both > 0)


def known_mean(values: Floats, axis: int | None = None) -> Any:
    """Mean of the values that are numbers; NaN where there are none.

    >>> known_mean(np.array([1.0, np.nan, 2.0]))
    1.5
    """
    return ratio(np.nansum(values, axis=axis), np.count_nonzero(~np.isnan(values), axis=axis))


# Clusters of more cells are solved without a table of all pairs.
_MOST_CELLS = 1 << 22
_NONE = -1
#: Steps of :func:`sparse_total` between two looks at Cancel: some milliseconds.
_OFTEN = 1000
#: Gains that differ by less are the same: rounding decides nothing.
SAME_GAIN = 1e-9
# Whole numbers up to here have a float of their own.
_EXACT = 2.0**53


def largest_total(
    row: Ints, column: Ints, gain: Floats, shape: tuple[int, int], progress: Progress = no_progress
) -> Ints:
    """Which of some pairs the assignment with the largest total gain takes, ascending.

    Args:
        row, column: (n,) of each pair; every pair once. Whoever has none of these pairs gains nothing.
        gain: (n,) above 0 and up to 1.
        shape: number of rows and of columns.

    >>> largest_total(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.9, 0.8, 0.7]), (2, 2)).tolist()
    [1, 2]
    """
    if shape[0] * shape[1] <= _MOST_CELLS:
        return _dense(row, column, gain, shape)
    return local_total(row, column, gain, progress)


def local_total(row: Ints, column: Ints, gain: Floats, progress: Progress = no_progress) -> Ints:
    """As :func:`largest_total`, whatever lies elsewhere: each cluster of connected pairs is solved by itself.

    Gains are compared in steps of :data:`SAME_GAIN`; of several such assignments that of the lowest columns is taken.

    >>> local_total(np.array([0, 0, 5]), np.array([3, 4, 6]), np.array([0.9, 0.9, 0.7])).tolist()
    [0, 2]
    """
    whole = np.maximum(np.rint(gain.astype(np.float64) / SAME_GAIN), 1.0)
    sure, rest = _sure_pairs(row, column, whole, progress)
    (rows, of_row), (columns, of_column) = (
        np.unique(side[rest], return_inverse=True) for side in (row, column)
    )
    pairs = coo_matrix(
        (np.ones(len(rest), np.int8), (of_row, len(rows) + of_column)),
        (len(rows) + len(columns),) * 2,
    )
    cluster = connected_components(pairs, directed=False)[1][of_row]
    order = np.argsort(cluster, kind="stable")
    own = whole[rest[order]]
    taken, left = _small_clusters(cluster[order], of_row[order], of_column[order], own)
    chosen = [sure, rest[order[taken]]]
    order, own = order[left], own[left]
    starts = np.flatnonzero(np.diff(cluster[order], prepend=-1))
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(order)]):
        some, gains = order[start:end], own[start:end]
        rows, row_within = np.unique(of_row[some], return_inverse=True)
        columns, column_within = np.unique(of_column[some], return_inverse=True)
        within = (len(rows), len(columns))
        if within[0] * within[1] <= _MOST_CELLS:
            found = _dense(row_within, column_within, _ranked(gains, column_within, within), within)
        else:
            share = part_of(progress, start / len(order), end / len(order))
            found = sparse_total(row_within, column_within, gains, within, share)
        chosen.append(rest[some[found]])
        progress(end / len(order))
    return np.sort(np.concatenate(chosen))


# Sides of the clusters that are solved by trying every assignment, all clusters of one shape at once.
_FEW = 4


def _small_clusters(cluster: Ints, row: Ints, column: Ints, gain: Floats) -> tuple[Ints, Ints]:
    """Which pairs the best assignments of all small clusters take, and the pairs of the others.

    Rows and columns are numbered without gaps, each in one cluster; gains are whole numbers.
    """
    size = np.bincount(cluster)
    within, shapes = [], []
    for member in (row, column):
        home = np.empty(member.max(initial=-1) + 1, dtype=np.int64)
        home[member] = cluster
        number = np.bincount(home, minlength=len(size))
        members, place = np.argsort(home, kind="stable"), np.empty(len(home), dtype=np.int64)
        place[members] = np.arange(len(home)) - (np.cumsum(number) - number)[home[members]]
        within.append(place[member])
        shapes.append(number)
    n_rows, n_columns = shapes
    small = np.flatnonzero((size > 0) & (np.maximum(n_rows, n_columns) <= _FEW))
    taken = []
    for shape in set(zip(n_rows[small].tolist(), n_columns[small].tolist())):
        those = small[(n_rows[small] == shape[0]) & (n_columns[small] == shape[1])]
        number = np.full(len(size), _NONE)
        number[those] = np.arange(len(those))
        some = np.flatnonzero(number[cluster] != _NONE)
        cell = (number[cluster[some]], within[0][some], within[1][some])
        gains, pair = np.zeros((len(those), *shape)), np.full((len(those), *shape), _NONE)
        gains[cell], pair[cell] = _ranked(gain[some], within[1][some], shape), some
        if shape[0] > shape[1]:
            gains, pair = gains.transpose(0, 2, 1), pair.transpose(0, 2, 1)
        few, many = gains.shape[1:]
        ways = np.array(list(permutations(range(many), few)))
        best = ways[gains[:, np.arange(few), ways].sum(axis=2).argmax(axis=1)]
        found = pair[np.arange(len(those))[:, None], np.arange(few), best]
        taken.append(found[found != _NONE])
    is_small = np.zeros(len(size), dtype=bool)
    is_small[small] = True
    return np.concatenate([*taken, np.empty(0, dtype=np.int64)]), np.flatnonzero(~is_small[cluster])


def _ranked(gain: Floats, column: Ints, shape: tuple[int, int]) -> Floats:
    """Whole gains with the columns' ranks behind them, as far as sums of both are exact."""
    most = float(min(shape))
    return gain * most * shape[1] - column if gain.max() * most * most * shape[1] < _EXACT else gain


def sparse_total(
    row: Ints, column: Ints, gain: Floats, shape: tuple[int, int], progress: Progress = no_progress
) -> Ints:
    """As :func:`largest_total`, from the pairs alone; of several such assignments any.

    Rows are added one by one along the shortest augmenting path (Jonker and Volgenant 1987), which is looked for near
    the row only. Gains are whole numbers; ``progress`` is told every few milliseconds.

    >>> sparse_total(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([9.0, 8.0, 7.0]), (2, 2)).tolist()
    [1, 2]
    """
    order = np.lexsort((column, row))
    first = np.searchsorted(row[order], np.arange(shape[0] + 1)).tolist()
    columns, gains = column[order].tolist(), gain[order].astype(np.int64).tolist()
    price, owner, taken = [0] * shape[1], [_NONE] * shape[1], [_NONE] * shape[0]
    steps = 0
    for start in range(shape[0]):
        far: dict[int, int] = {}
        via: dict[int, tuple[int, int]] = {}
        settled: dict[int, int] = {}
        heap: list[tuple[int, bool, int]] = []
        member, here = start, 0
        end, last, freed = (
            0,
            _NONE,
            start,
        )  # the path so far: to a column, or to a row that goes without
        while True:
            steps += 1
            if steps % _OFTEN == 0:
                progress(start / shape[0])
            if here < end:
                end, last, freed = here, _NONE, member
            for pair in range(first[member], first[member + 1]):
                other = columns[pair]
                away = here - gains[pair] - price[other]
                if away < end and other not in settled and away < far.get(other, end):
                    far[other], via[other] = away, (member, pair)
                    heappush(
                        heap, (away, owner[other] != _NONE, other)
                    )  # free ones first: their path ends there
            _drop_outdated(heap, far, settled)
            if not heap or heap[0][0] >= end:
                break
            away, is_owned, other = heappop(heap)
            if not is_owned:
                end, last = away, other
                break
            settled[other] = away
            member = owner[other]
            here = away + gains[taken[member]] + price[other]
        for other, away in settled.items():
            price[other] += away - end
        if last == _NONE and freed != start:
            last, taken[freed] = columns[taken[freed]], _NONE
        if last != _NONE:
            _augment(last, start, via, columns, owner, taken)
    kept = np.array(taken, dtype=np.int64)
    return np.sort(order[kept[kept != _NONE]])


def _drop_outdated(
    heap: list[tuple[int, bool, int]], far: dict[int, int], settled: dict[int, int]
) -> None:
    """Make the first of the heap one that still holds."""
    while heap and (heap[0][2] in settled or heap[0][0] > far[heap[0][2]]):
        heappop(heap)


def _augment(
    last: int,
    start: int,
    via: dict[int, tuple[int, int]],
    columns: list[int],
    owner: list[int],
    taken: list[int],
) -> None:
    """Give every row on the path from a row to a column the pair by which the path leaves it."""
    member = _NONE
    while member != start:
        member, pair = via[last]
        owner[last], before = member, taken[member]
        taken[member] = pair
        last = columns[before]


def _dense(row: Ints, column: Ints, gain: Floats, shape: tuple[int, int]) -> Ints:
    table = np.zeros(shape, dtype=gain.dtype)
    table[row, column] = gain
    number = np.full(shape, _NONE)
    number[row, column] = np.arange(len(row))
    chosen = number[linear_sum_assignment(table, maximize=True)]
    return np.sort(chosen[chosen != _NONE])


def first_come(one: Ints, other: Ints) -> Ints:
    """Rows of the pairs, taken one after the other, whose members are both in none taken before.

    >>> first_come(np.array([0, 0, 1, 1]), np.array([5, 6, 5, 6])).tolist()
    [0, 3]
    """
    served: set[int] = set()
    given: set[int] = set()
    taken = []
    for row, (member, partner) in enumerate(zip(one.tolist(), other.tolist())):
        if member not in served and partner not in given:
            served.add(member)
            given.add(partner)
            taken.append(row)
    return np.array(taken, dtype=np.int64)


def _sure_pairs(row: Ints, column: Ints, gain: Floats, progress: Progress) -> tuple[Ints, Ints]:
    """Pairs that are in every assignment with the largest total, and those that remain without their members.

    Such is a pair whose gain is above that of the best other pair of its row and of its column together: whoever gives
    it up for those two loses.
    """
    gain = gain.astype(np.float64)
    left = np.ones(len(gain), dtype=bool)
    sides = []
    for member in (row, column):
        order = np.argsort(member, kind="stable")
        new = np.append(False, np.diff(member[order]) != 0)[: len(order)]
        sides.append((order, np.cumsum(new)))
    sure = [np.empty(0, dtype=np.int64)]
    while True:
        progress(0.0)
        others = np.zeros(len(gain))
        for order, number in sides:
            others[order] += _best_other(number, gain[order])
        found = left & (gain > others)
        if not found.any():
            return np.concatenate(sure), np.flatnonzero(left)
        sure.append(np.flatnonzero(found))
        for order, number in sides:
            served = np.zeros(number[-1] + 1, dtype=bool)
            served[number[found[order]]] = True
            left[order[served[number]]] = False
        for side, (order, number) in enumerate(sides):
            kept = left[order]
            sides[side] = order[kept], number[kept]
        if not left.any():
            return np.concatenate(sure), np.flatnonzero(left)


def _best_other(member: Ints, gain: Floats) -> Floats:
    """(n,) the largest gain of the other pairs of each pair's member, 0 without one; members in order."""
    first = np.diff(member, prepend=-1) != 0
    group, start = np.cumsum(first) - 1, np.flatnonzero(first)
    best = np.maximum.reduceat(gain, start)[group]
    is_best = gain == best
    alone = (np.add.reduceat(is_best.astype(np.int64), start) == 1)[group]
    second = np.maximum.reduceat(np.where(is_best, 0.0, gain), start)[group]
    other: Floats = np.where(is_best & alone, second, best)
    return other


#: Probability with which an interval covers what it is of, unless the user chooses another.
LEVEL = 0.95
#: Fewer units, crowns or plots, have no interval.
LEAST_UNITS = 10


def plot_codes(plots: ArrayLike | None) -> Ints | None:
    """(n,) number of each crown's plot, those without one together; None where all are in one plot.

    >>> plot_codes(["b", None, "a", "b"]).tolist(), plot_codes(["a", "a"])
    ([1, 0, 2, 1], None)
    """
    codes = (
        np.zeros(0, np.int64)
        if plots is None
        else 1 + pd.factorize(np.asarray(plots, dtype=object))[0]
    )
    return codes if len(codes) and (codes != codes[0]).any() else None


def ratio_interval(
    part: ArrayLike, whole: ArrayLike, plots: Ints | None = None, level: float = LEVEL
) -> tuple[Floats, Floats]:
    """Interval of Σpart / Σwhole, shares and means between 0 and 1, from units that are left out one by one.

    A unit is a crown or, since those of one plot are alike, a plot with all of its crowns. With R = Σpart / Σwhole, Rᵢ
    without unit i, and n units, s² = (n - 1)/n · Σ(Rᵢ - R)² (jackknife; Efron and Tibshirani 1993, ch. 11). The ends
    lie t·s / (R(1 - R)) around logit R, so they stay between 0 and 1; t is Student's with f = (Σwᵢ)²/Σwᵢ² - 1 degrees
    of freedom, where wᵢ is the whole of unit i, so that f = n - 1 for units of one size (Kish 1965).

    Args:
        part: (n, …) what each crown adds to the numerators.
        whole: (n, …) and to the denominators, not negative.
        plots: (n,) number of each crown's plot, 0 or more; each crown is a unit of its own by default.
        level: probability with which the interval covers the ratio.

    Returns:
        (…) lower and upper ends; NaN for fewer than :data:`LEAST_UNITS` units with a whole above 0, where all of them
        lie at 0 or 1, and where only one of them holds all.

    >>> low, high = ratio_interval(np.tile([3, 1], 20), np.full(40, 4))
    >>> round(float(low), 3), round(float(high), 3)
    (0.42, 0.58)
    """
    parts, wholes = (
        _unit_sums(np.asarray(values, dtype=np.float64), plots) for values in (part, whole)
    )
    n = np.count_nonzero(wholes > 0, axis=0)
    total, size = parts.sum(axis=0), wholes.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = total / size
        apart = (total - parts) / (size - wholes) - share
        variance = (n - 1) / n * np.square(apart).sum(axis=0)
        freedom = size**2 / np.square(wholes).sum(axis=0) - 1
    return _ends(share, variance, freedom, n, level)


def moments_interval(n: Floats, mean: Floats, squares: Floats) -> tuple[Floats, Floats]:
    """:func:`mean_interval` of n values from their mean and the sum of squares about it; (…) each.

    >>> low, high = moments_interval(np.array(16.0), np.array(0.25), np.array(0.0))
    >>> round(float(low), 9), round(float(high), 9)
    (0.25, 0.25)
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = squares / (n * (n - 1))
    return _ends(mean, variance, n - 1, n, LEVEL)


def _ends(
    share: Floats, variance: Floats, freedom: Floats, n: Any, level: float
) -> tuple[Floats, Floats]:
    """The interval of a share from its variance, on the scale of its logit, by Student's t."""
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = stdtrit(freedom, (1 + level) / 2) * np.sqrt(variance) / (share * (1 - share))
        known = np.asarray(n) >= LEAST_UNITS
        low, high = (np.where(known, expit(logit(share) + way * reach), np.nan) for way in (-1, 1))
    return low, high


def mean_interval(values: Floats, plots: Ints | None = None) -> tuple[float, float]:
    """Interval at :data:`LEVEL` of a mean of values between 0 and 1, see :func:`ratio_interval`.

    >>> mean_interval(np.full(16, 0.25))
    (0.25, 0.25)
    """
    if plots is None and len(values):
        mean = values.mean()
        low, high = moments_interval(
            np.array(float(len(values))), mean, np.square(values - mean).sum()
        )
    else:
        low, high = ratio_interval(values, np.ones(len(values)), plots)
    return float(low), float(high)


def _unit_sums(values: Floats, plots: Ints | None) -> Floats:
    """(units, …) sums of the (n, …) values over each plot."""
    if plots is None:
        return values
    columns = values.reshape(len(values), -1).T
    sums: Floats = np.stack([np.bincount(plots, column) for column in columns], axis=1)
    return sums.reshape(-1, *values.shape[1:])
