"""The order of annotators and of their polygons changes no interval of agreement."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
import shapely

from randcrowns.core.agreement.summary import agreement_summary
from randcrowns.core.agreement.votes import VoteTable

NAMES = ("ann", "ben", "eve", "kim")


@pytest.mark.parametrize("seed", range(3))
def test_intervals_are_the_same_in_each_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corner = rng.uniform(0, 90, (50, 2))
    drawings = {}
    for name in NAMES:
        moved = corner + rng.normal(0, 0.8, corner.shape)
        drawings[name] = shapely.box(*moved.T, *(moved + 5).T)[rng.random(50) < 0.8]
    reviewed = {"eve": shapely.box(0, 0, 60, 100)}

    def table(names: Sequence[str], shuffle: bool) -> pd.DataFrame:
        polygons = {
            name: rng.permutation(drawings[name]) if shuffle else drawings[name] for name in names
        }
        votes = VoteTable.from_polygons(
            polygons, shapely.box(-5, -5, 100, 100), faces=True, reviewed=reviewed
        )
        return agreement_summary(votes, n_resamples=200).table

    expected = table(NAMES, shuffle=False)
    found = table(rng.permutation(NAMES).tolist(), shuffle=True)
    assert expected["low"].notna().any()
    pd.testing.assert_frame_equal(found, expected, atol=1e-9, rtol=0)
