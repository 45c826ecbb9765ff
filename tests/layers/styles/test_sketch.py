"""Tests of the sample crown and its regions."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.styles.crown_view import sample_region_rings


def test_the_regions_lie_one_around_another_around_a_crown_of_6_by_5_metres() -> None:
    found = {
        name: [shapely.Polygon(ring) for ring in rings]
        for name, rings in sample_region_rings(_lengths(3)).items()
    }
    assert {name: len(rings) for name, rings in found.items()} == {
        "target": 1,
        "a": 1,
        "o": 1,
        "e": 1,
    }
    (target,), (a,), (o,), (e,) = (found[name] for name in ("target", "a", "o", "e"))
    left, bottom, right, top = target.bounds
    assert (right - left, top - bottom) == (
        pytest.approx(6.0, abs=0.3),
        pytest.approx(5.0, abs=0.3),
    )
    assert np.abs([left + right, bottom + top]).max() < 0.6
    assert target.contains(a)
    assert o.contains(target)
    assert e.contains(o)
    assert a.hausdorff_distance(target) == pytest.approx(0.7, abs=0.05)
    assert o.hausdorff_distance(target) == pytest.approx(1.2, abs=0.05)
    assert e.area - o.area == pytest.approx(3 * a.area, rel=1e-6)


def test_a_region_that_is_empty_has_no_outline() -> None:
    assert sample_region_rings(RandCrownsParameters(4.0, 1.2, 3))["a"] == []


def _lengths(gamma: float) -> RandCrownsParameters:
    return RandCrownsParameters(0.7, 1.2, gamma)
