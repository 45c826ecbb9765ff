"""The worst and the most typical crowns, by hand and by what must hold of any scores."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from randcrowns.core.review.example_crowns import typical_crowns, worst_crowns

SCORES = ["rc", "iou"]
TABLES = st.lists(
    st.tuples(st.one_of(st.floats(0, 1), st.just(math.nan)), st.floats(0, 1), st.integers(1, 9)),
    max_size=12,
)


def table(rows: list[tuple[float, float, int]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["rc", "iou", "area"]).astype(float)


def test_equal_scores_are_told_apart_by_the_next_then_by_size() -> None:
    crowns = table([(0.5, 0.2, 1), (0.5, 0.1, 1), (0.0, 0.0, 2), (0.0, 0.0, 3), (math.nan, 0.0, 9)])
    assert worst_crowns(crowns, SCORES, 9, tie_breaker="area").tolist() == [3, 2, 1, 0]
    assert worst_crowns(crowns, SCORES, 2).tolist() == [2, 3]


@given(TABLES, st.integers(0, 5))
def test_no_crown_that_is_left_out_is_worse(
    rows: list[tuple[float, float, int]], number: int
) -> None:
    crowns = table(rows)
    worst = worst_crowns(crowns, SCORES, number)
    others = crowns["rc"].drop(worst).dropna()
    assert len(worst) == min(number, crowns["rc"].notna().sum())
    assert not len(worst) or not len(others) or crowns["rc"][worst].max() <= others.min()


@given(TABLES, st.integers(0, 5))
def test_no_crown_that_is_left_out_is_more_typical(
    rows: list[tuple[float, float, int]], number: int
) -> None:
    crowns = table(rows)
    typical = typical_crowns(crowns, SCORES, number)
    known = crowns.dropna()
    assert len(typical) == min(number, len(known))
    away = np.linalg.norm(known[SCORES] - known[SCORES].median(), axis=1).round(9)
    distance = pd.Series(away, index=known.index)
    others = distance.drop(typical)
    assert not len(typical) or not len(others) or distance[typical].max() <= others.min()
