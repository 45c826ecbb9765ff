from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from support.examples import examples

from randcrowns.core import statistics as assignment
from randcrowns.core.statistics import (
    assign_by_cluster,
    assign_max_gain,
    assign_sparse,
    select_greedily,
)


@settings(max_examples=examples(100), deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n_rows=st.integers(1, 12),
    n_columns=st.integers(1, 12),
    ties=st.booleans(),
)
@pytest.mark.parametrize("most_cells", [0, 6])
def test_largest_total_with_and_without_a_dense_table(
    most_cells: int, seed: int, n_rows: int, n_columns: int, ties: bool
) -> None:
    rng = np.random.default_rng(seed)
    pair = np.unique(rng.integers(0, n_rows * n_columns, 30))
    shared = rng.integers(1, 4, len(pair)).astype(float) if ties else rng.uniform(0.1, 4, len(pair))
    gain = shared / (10 - shared)
    row, column = np.divmod(pair, n_columns)
    whole = assign_max_gain(row, column, gain, (n_rows, n_columns))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(assignment, "_MAX_CELLS", most_cells)
        apart = assign_max_gain(row, column, gain, (n_rows, n_columns))
    for side in (row, column):
        assert len(np.unique(side[apart])) == len(apart)
    assert gain[apart].sum() == pytest.approx(gain[whole].sum(), abs=1e-12)
    if not ties:
        np.testing.assert_array_equal(apart, whole)
        rows, of_row = np.unique(row, return_inverse=True)
        steps = np.rint(1e9 * gain)
        np.testing.assert_array_equal(
            assign_sparse(of_row, column, steps, (len(rows), n_columns)), whole
        )


@settings(max_examples=examples(100), deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n_rows=st.integers(1, 10),
    n_columns=st.integers(1, 10),
    ties=st.booleans(),
)
def test_a_cluster_does_not_depend_on_other_clusters(
    seed: int, n_rows: int, n_columns: int, ties: bool
) -> None:
    rng = np.random.default_rng(seed)
    pair = np.unique(rng.integers(0, n_rows * n_columns, 20))
    row, column = np.divmod(pair, n_columns)
    gain = rng.integers(1, 4, len(pair)) / 4 if ties else rng.uniform(0.1, 1, len(pair))
    alone = assign_by_cluster(row, column, gain)
    whole = assign_max_gain(row, column, gain, (n_rows, n_columns))
    assert gain[alone].sum() == pytest.approx(gain[whole].sum(), abs=1e-7)
    noisy = gain + rng.uniform(-1e-13, 1e-13, len(gain))
    aside = rng.permutation(len(pair))
    beside = assign_by_cluster(
        np.append(row[aside], 100), np.append(column[aside], 3_000), np.append(noisy[aside], 0.5)
    )
    np.testing.assert_array_equal(np.sort(aside[beside[beside < len(pair)]]), alone)
    if ties:
        best = max(
            (sum(gain[list(some)]), -sum(column[list(some)]))
            for k in range(min(n_rows, n_columns, 4) + 1)
            for some in itertools.combinations(range(len(pair)), k)
            if len(set(row[list(some)])) == len(set(column[list(some)])) == k
        )
        if len(alone) <= 4 and n_rows <= 4:
            assert (gain[alone].sum(), -column[alone].sum()) == pytest.approx(best)


@pytest.mark.parametrize("most", [1, 3, 10**9])
def test_sparse_total_equals_the_dense_total(most: int) -> None:
    """Test ties, rows and columns without a pair, and long chains of overlapping crowns."""
    rng = np.random.default_rng(most)
    for _ in range(60):
        shape = tuple(rng.integers(1, 12, 2).tolist())
        pair = np.sort(rng.permutation(shape[0] * shape[1])[: rng.integers(1, 40)])
        row, column = np.divmod(pair, shape[1])
        gain = rng.integers(1, most + 1, len(pair)).astype(float)
        found = assign_sparse(row, column, gain, shape)
        assert len(set(row[found])) == len(set(column[found])) == len(found)
        whole = np.zeros(shape)
        whole[row, column] = gain
        assert gain[found].sum() == whole[linear_sum_assignment(whole, maximize=True)].sum()


def test_progress_is_reported_within_one_large_cluster() -> None:
    crowns = np.arange(20_000)
    row, column = np.repeat(crowns, 2)[1:], np.repeat(crowns, 2)[:-1]
    gain = np.random.default_rng(0).integers(8 * 10**8, 9 * 10**8, len(row)) / 1e9
    reported: list[float] = []
    assign_max_gain(row, column, gain, (len(crowns), len(crowns)), reported.append)
    assert len([fraction for fraction in reported if 0 < fraction < 1]) > 20
    assert reported == sorted(reported)


def test_small_clusters_are_solved_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """No cluster of up to four rows and columns is solved by scipy separately."""
    rng = np.random.default_rng(4)
    asked: list[tuple[int, ...]] = []
    solve = assignment.scipy.optimize.linear_sum_assignment

    def counting(table, **options):
        asked.append(table.shape)
        return solve(table, **options)

    sizes = rng.integers(2, 5, (300, 2))
    cells = [np.argwhere(np.ones(size)) + 4 * number for number, size in enumerate(sizes)]
    row, column = np.concatenate(cells).T
    gain = rng.uniform(0.8, 1.0, len(row))
    whole = assign_max_gain(row, column, gain, (1200, 1200))
    monkeypatch.setattr(assignment.scipy.optimize, "linear_sum_assignment", counting)
    np.testing.assert_array_equal(assign_by_cluster(row, column, gain), whole)
    assert asked == []


def test_numbers_of_rows_and_columns_may_be_negative() -> None:
    """Features that are not saved yet have negative ids."""
    row, column, gain = np.array([-1, -1, -7]), np.array([-1, -2, -1]), np.array([0.9, 0.8, 0.7])
    assert assign_by_cluster(row, column, gain).tolist() == [1, 2]


@settings(max_examples=examples(100), deadline=None)
@given(pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30))
@pytest.mark.parametrize("n_at_a_time", [2, 100_000])
def test_pairs_are_selected_in_their_order(n_at_a_time: int, pairs: list[tuple[int, int]]) -> None:
    """Pairs that need no loop change nothing."""
    taken: set[tuple[str, int]] = set()
    expected = []
    for number, (first, second) in enumerate(pairs):
        members = {("first", first), ("second", second)}
        if not taken & members:
            taken |= members
            expected.append(number)
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "_GREEDY_BLOCK", n_at_a_time)
        assert select_greedily(first, second).tolist() == expected
