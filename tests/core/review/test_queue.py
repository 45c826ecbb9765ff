"""Whose turn it is, crown by crown."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from randcrowns.core.review.queue import Filter, next_unreviewed, progress_of, queue, with_verdicts
from randcrowns.core.review.verdicts import VERDICT_COLUMNS, Verdict

CROWNS = pd.DataFrame(
    {
        "layer": "crowns",
        "feature_id": [11, 12, 13, 14],
        "outline": ["p", "q", "r", "s"],
        "score": [0.9, 0.2, math.nan, 0.2],
        "problem": ["none", "split", "missing", "split"],
        "plot": ["A", "A", "B", "B"],
    }
)


def given_verdicts(*rows: tuple[int, str, str, str, str]) -> pd.DataFrame:
    full = [("crowns", crown, outline, 0.5, "none", said, "", who, time) for crown, outline, said, who, time in rows]
    return pd.DataFrame(full, columns=VERDICT_COLUMNS)


def test_the_last_verdict_of_anybody_or_of_one() -> None:
    told = given_verdicts((12, "q", "accepted", "Ann", "1"), (12, "q", "rejected", "Ben", "2"))
    assert with_verdicts(CROWNS, told)["verdict"].tolist()[1] == "rejected"
    assert with_verdicts(CROWNS, told, "Ann")["verdict"].tolist()[1] == "accepted"
    assert with_verdicts(CROWNS, told, "Cem")["verdict"].isna().all()
    assert with_verdicts(CROWNS, told)["score"].tolist()[:2] == [0.9, 0.2]


def test_an_outline_that_changed_since_is_listed_again() -> None:
    found = with_verdicts(CROWNS, given_verdicts((11, "old", "accepted", "Ann", "1"), (12, "q", "fixed", "Ann", "1")))
    assert found["changed"].tolist() == [True, False, False, False]
    assert queue(found, "score", listed=Filter(unreviewed=True)).tolist() == [3, 0, 2]
    assert progress_of(found) == (4, 1, 1, {**dict.fromkeys(Verdict, 0), Verdict.FIXED: 1})


def test_verdicts_on_another_layer_say_nothing() -> None:
    told = given_verdicts((11, "p", "accepted", "Ann", "1")).assign(layer="others")
    assert with_verdicts(CROWNS, told)["verdict"].isna().all()


def test_order_and_filters() -> None:
    crowns = with_verdicts(CROWNS, given_verdicts())
    assert queue(crowns, "score").tolist() == [1, 3, 0, 2]
    assert queue(crowns, "score", rising=False).tolist() == [0, 1, 3, 2]
    assert queue(crowns, "score", listed=Filter(problem="split", plot="B")).tolist() == [3]
    assert queue(crowns, "score", listed=Filter(below=0.5)).tolist() == [1, 3]


@given(st.lists(st.sampled_from([None, "accepted", "unsure"]), min_size=1, max_size=8), st.randoms(), st.integers(0, 7))
def test_following_the_queue_meets_every_open_crown_once(verdicts: list, random, start: int) -> None:
    crowns = pd.DataFrame({"verdict": pd.Series(verdicts, dtype=object), "changed": False})
    rows = np.array(random.sample(range(len(verdicts)), len(verdicts)))
    row, met = int(rows[start % len(rows)]), set()
    to_do = {n for n, said in enumerate(verdicts) if said is None} - {row}
    crowns.loc[row, "verdict"] = "accepted"
    while (row := next_unreviewed(crowns, rows, row)) >= 0:
        met.add(row)
        crowns.loc[row, "verdict"] = "accepted"
    assert met == to_do
