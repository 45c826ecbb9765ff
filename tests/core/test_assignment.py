from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randcrowns.core import statistics as assignment
from randcrowns.core.statistics import largest_total, lowest_cost


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32), n_rows=st.integers(1, 12), n_columns=st.integers(1, 12), ties=st.booleans())
@pytest.mark.parametrize("most_cells", [0, 6])
def test_the_largest_total_is_found_without_a_table_of_all_pairs_too(
    most_cells: int, seed: int, n_rows: int, n_columns: int, ties: bool
) -> None:
    rng = np.random.default_rng(seed)
    pair = np.unique(rng.integers(0, n_rows * n_columns, 30))
    shared = rng.integers(1, 4, len(pair)).astype(float) if ties else rng.uniform(0.1, 4, len(pair))
    gain = shared / (10 - shared)
    row, column = np.divmod(pair, n_columns)
    whole = largest_total(row, column, gain, (n_rows, n_columns))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(assignment, "_MOST_CELLS", most_cells)
        apart = largest_total(row, column, gain, (n_rows, n_columns))
    for side in (row, column):
        assert len(np.unique(side[apart])) == len(apart)
    assert gain[apart].sum() == pytest.approx(gain[whole].sum(), abs=1e-12)
    if not ties:
        np.testing.assert_array_equal(apart, whole)
        rows, of_row = np.unique(row, return_inverse=True)
        np.testing.assert_array_equal(lowest_cost(of_row, column, 2 - gain, (len(rows), n_columns)), whole)
