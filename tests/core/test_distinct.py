"""Distinct values against numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from randcrowns.core import arrays as distinct
from randcrowns.core.arrays import distinct_values


def test_distinct_values_are_numbered_as_numpy_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct, "_AT_ONCE", 7)
    rng = np.random.default_rng(0)
    for values in (rng.integers(0, 9, 50), np.append(rng.random(30), -np.inf), np.array([3.0]), np.empty(0)):
        found = distinct_values(values)
        expected, place, count = np.unique(values, return_inverse=True, return_counts=True)
        np.testing.assert_array_equal(found.values, expected)
        np.testing.assert_array_equal(found.place, place)
        np.testing.assert_array_equal(np.diff(found.first, append=values.size), count)
        np.testing.assert_array_equal(values[found.order], np.sort(values))
