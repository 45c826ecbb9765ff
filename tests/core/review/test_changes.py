"""Better, worse, new and gone, by hand and by what must hold of any two runs."""

from __future__ import annotations

import math

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from randcrowns.core.review.changes import compare_scores

SCORES = st.dictionaries(
    st.integers(0, 9), st.one_of(st.floats(0, 1), st.just(math.nan)), max_size=10
)


def table(scores: dict[int, float]) -> pd.DataFrame:
    return pd.DataFrame(
        {"feature_id": list(scores), "score": pd.Series(list(scores.values()), dtype=float)}
    )


def test_each_kind_by_hand() -> None:
    before = {1: 0.5, 2: 0.5, 3: 0.5, 4: 0.5, 5: math.nan, 6: 0.5, 7: math.nan}
    after = {7: math.nan, 1: 0.75, 2: 0.25, 3: 0.5 + 1e-12, 5: 0.5, 6: math.nan, 8: 0.1}
    found = compare_scores(table(before), table(after)).set_index("feature_id")
    told = {7: None, 1: "better", 2: "worse", 3: "same", 5: "new", 6: "gone", 8: "new", 4: "gone"}
    assert found["change"].to_dict() == told
    assert list(found.index) == list(told)
    assert found.loc[1, ["before", "after", "difference"]].tolist() == [0.5, 0.75, 0.25]
    assert found["difference"].isna().sum() == 5


@given(SCORES, SCORES)
def test_the_other_way_round_everything_is_turned(one: dict, other: dict) -> None:
    turned = {
        "better": "worse",
        "worse": "better",
        "new": "gone",
        "gone": "new",
        "same": "same",
        None: None,
    }
    there, back = (
        compare_scores(*map(table, pair)).set_index("feature_id")["change"]
        for pair in ((one, other), (other, one))
    )
    assert {crown: turned[kind] for crown, kind in there.items()} == back.to_dict()
    assert set(there.index) == {*one, *other}
