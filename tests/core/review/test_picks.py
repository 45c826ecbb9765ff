"""The worst and the most typical crowns, by hand and by what must hold of any scores."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from randcrowns.core.review.example_crowns import typical_crowns, worst_crowns
from randcrowns.core.review.queue import order_queue

SCORES = ["rc", "iou"]
TABLES = st.lists(
    st.tuples(st.one_of(st.floats(0, 1), st.just(math.nan)), st.floats(0, 1), st.integers(1, 9)),
    max_size=12,
)


def table(rows: list[tuple[float, float, int]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["rc", "iou", "area"]).astype(float)


def test_of_equal_scores_the_lowest_id_comes_first() -> None:
    crowns = pd.DataFrame({"rc": [0.5, 0.5, 0.0, 0.0, math.nan], "target_id": [2, 1, 9, 4, 0]})
    assert worst_crowns(crowns, "rc", 9, "target_id").tolist() == [3, 2, 1, 0]
    assert worst_crowns(crowns, "rc", 1, "target_id").tolist() == [3]


def test_reports_and_page_review_have_one_order() -> None:
    scores = {"feature_id": [14, 33, 9, 23, 36], "iou": [0.0, 0.0, 0.0, 0.22, math.nan]}
    crowns = pd.DataFrame(scores).assign(verdict=None, changed=False)
    listed = order_queue(crowns, "iou")
    assert crowns["feature_id"].iloc[listed].tolist() == [9, 14, 33, 23, 36]
    assert worst_crowns(crowns, "iou", 4, "feature_id").tolist() == listed[:4].tolist()


@given(TABLES, st.integers(0, 5))
def test_no_crown_that_is_left_out_is_worse(
    rows: list[tuple[float, float, int]], number: int
) -> None:
    crowns = table(rows)
    worst = worst_crowns(crowns.assign(target_id=range(len(crowns))), "rc", number, "target_id")
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
