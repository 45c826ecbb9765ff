"""Distinct values against numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from randcrowns.core import arrays as distinct
from randcrowns.core.arrays import distinct_values, sort_order


def test_distinct_values_are_numbered_as_numpy_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct, "_AT_ONCE", 7)
    rng = np.random.default_rng(0)
    for values in (
        rng.integers(0, 9, 50),
        np.append(rng.random(30), -np.inf),
        np.array([3.0]),
        np.empty(0),
    ):
        found = distinct_values(values)
        expected, place, count = np.unique(values, return_inverse=True, return_counts=True)
        np.testing.assert_array_equal(found.values, expected)
        np.testing.assert_array_equal(found.inverse, place)
        np.testing.assert_array_equal(np.diff(found.first, append=values.size), count)
        np.testing.assert_array_equal(values[found.order], np.sort(values))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "kind",
    ["normal", "few", "skewed", "with infinity", "one far", "next to 0", "all alike", "short"],
)
def test_rising_order_puts_all_values_in_order(kind: str, dtype: type) -> None:
    rng = np.random.default_rng(2)
    n = 300 if kind == "short" else 60_000
    values = rng.normal(size=n)
    if kind == "few":
        values = rng.integers(0, 256, n) / 255
    elif kind == "skewed":
        values = np.exp(10 * values)
    elif kind == "with infinity":
        values[rng.random(n) < 0.3] = -np.inf
        values[rng.random(n) < 0.1] = np.inf
    elif kind == "one far":
        values[7] = 1e30  # all the others share one key
    elif kind == "next to 0":
        values *= 1e-303
    elif kind == "all alike":
        values[:] = 0.5
    values = values.astype(dtype)
    order = sort_order(values)
    assert np.array_equal(np.sort(order), np.arange(n))
    assert np.array_equal(values[order], np.sort(values))
