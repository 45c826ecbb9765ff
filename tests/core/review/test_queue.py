"""Whose turn it is, crown by crown."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from randcrowns.core.review.queue import (
    QueueFilter,
    add_verdicts,
    next_unreviewed,
    order_queue,
    review_progress,
)
from randcrowns.core.review.verdicts import VERDICT_COLUMNS, Verdict

CROWNS = pd.DataFrame(
    {
        "side": "target",
        "feature_id": [11, 12, 13, 14],
        "outline": ["p", "q", "r", "s"],
        "match": ["P", "Q", "", None],
        "score": [0.9, 0.2, math.nan, 0.2],
        "problem": ["none", "split", "missing", "split"],
        "plot": ["A", "A", "B", "B"],
    }
)


def given_verdicts(
    *rows: tuple[int, str, str, str, str], side: str = "target", comment: str = ""
) -> pd.DataFrame:
    """Crown, its outline with that of its match in capitals, verdict, reviewer, time."""
    layers = ("id1", "", "crowns", "id2", "", "drawn")
    full = [
        (
            *layers,
            side,
            crown,
            outline[0],
            outline[1:] or outline.upper(),
            0.5,
            "none",
            said,
            comment,
            who,
            time,
            "",
        )
        for crown, outline, said, who, time in rows
    ]
    return pd.DataFrame(full, columns=VERDICT_COLUMNS)


def test_the_last_verdict_of_anybody_or_of_one() -> None:
    told = given_verdicts((12, "q", "accepted", "Ann", "1"), (12, "q", "rejected", "Ben", "2"))
    assert add_verdicts(CROWNS, told)["verdict"].tolist()[1] == "rejected"
    assert add_verdicts(CROWNS, told, "Ann")["verdict"].tolist()[1] == "accepted"
    assert add_verdicts(CROWNS, told, "Cem")["verdict"].isna().all()
    assert add_verdicts(CROWNS, told)["score"].tolist()[:2] == [0.9, 0.2]


def test_an_outline_that_changed_since_is_listed_again() -> None:
    found = add_verdicts(
        CROWNS, given_verdicts((11, "old", "accepted", "Ann", "1"), (12, "q", "fixed", "Ann", "1"))
    )
    assert found["changed"].tolist() == [True, False, False, False]
    assert order_queue(found, "score", crown_filter=QueueFilter(only_unreviewed=True)).tolist() == [
        3,
        0,
        2,
    ]
    assert review_progress(found) == (4, 1, 1, {**dict.fromkeys(Verdict, 0), Verdict.FIXED: 1})


def test_a_new_match_lists_the_crown_again_and_a_verdict_on_the_present_state_is_valid() -> None:
    told = given_verdicts(
        (11, "pX", "accepted", "Ann", "1"),
        (12, "q", "fixed", "Ann", "1"),
        (12, "qX", "unsure", "Ann", "2"),
    )
    found = add_verdicts(CROWNS, told)
    assert found["verdict"].tolist()[:2] == ["accepted", "fixed"]
    assert found["changed"].tolist() == [True, False, False, False]
    unknown = add_verdicts(CROWNS, given_verdicts((14, "sX", "accepted", "Ann", "1")))
    assert unknown["changed"].tolist() == [False] * 4
    missing = add_verdicts(CROWNS, given_verdicts((13, "rX", "accepted", "Ann", "1")))
    assert missing["changed"].tolist() == [False, False, True, False]


def test_a_verdict_on_a_false_positive_says_nothing_of_the_target_of_its_number() -> None:
    told = given_verdicts((11, "p", "accepted", "Ann", "1"), side="delineation")
    assert add_verdicts(CROWNS, told)["verdict"].isna().all()


def test_a_comment_alone_is_no_verdict_and_others_are_named() -> None:
    told = pd.concat(
        [
            given_verdicts((11, "p", "accepted", "Ann", "1"), comment="good"),
            given_verdicts(
                (11, "p", "", "Ann", "2"), (12, "q", "", "Ann", "2"), comment="look again"
            ),
            given_verdicts(
                (12, "q", "rejected", "Ben", "1"), (12, "old", "fixed", "Cem", "1"), comment="Ben's"
            ),
        ]
    )
    found = add_verdicts(CROWNS, told, "Ann")
    assert found["verdict"].tolist()[:1] == ["accepted"]
    assert found["verdict"].isna().tolist() == [False, True, True, True]
    assert found["comment"].tolist()[:2] == ["look again", "look again"]
    assert found["others"].tolist()[:2] == [
        (),
        (("Ben", "rejected", False), ("Cem", "fixed", True)),
    ]
    assert review_progress(found).reviewed == 1


def test_order_and_filters() -> None:
    crowns = add_verdicts(CROWNS, given_verdicts())
    assert order_queue(crowns, "score").tolist() == [1, 3, 0, 2]
    assert order_queue(crowns, "score", ascending=False).tolist() == [0, 1, 3, 2]
    assert order_queue(
        crowns, "score", crown_filter=QueueFilter(problem="split", plot="B")
    ).tolist() == [3]
    assert order_queue(crowns, "score", crown_filter=QueueFilter(score_below=0.5)).tolist() == [
        1,
        3,
    ]


@given(
    st.lists(st.sampled_from([None, "accepted", "unsure"]), min_size=1, max_size=8),
    st.randoms(),
    st.integers(0, 7),
)
def test_following_the_queue_meets_every_open_crown_once(
    verdicts: list, random, start: int
) -> None:
    crowns = pd.DataFrame({"verdict": pd.Series(verdicts, dtype=object), "changed": False})
    rows = np.array(random.sample(range(len(verdicts)), len(verdicts)))
    row, met = int(rows[start % len(rows)]), set()
    to_do = {n for n, said in enumerate(verdicts) if said is None} - {row}
    crowns.loc[row, "verdict"] = "accepted"
    while (row := next_unreviewed(crowns, rows, row)) >= 0:
        met.add(row)
        crowns.loc[row, "verdict"] = "accepted"
    assert met == to_do


def test_crowns_listed_twice_have_the_verdicts_of_their_rows() -> None:
    """A row is compared with its own state, and the index of the crowns is kept."""
    twice = pd.concat([CROWNS.head(1), CROWNS.head(1).assign(outline="new"), CROWNS.tail(1)])
    told = given_verdicts((11, "p", "accepted", "Ann", "1"), (11, "p", "fixed", "Ben", "2"))
    found = add_verdicts(twice, told, "Ann")
    assert found.index.tolist() == [0, 0, 3]
    assert found["verdict"].fillna("").tolist() == ["accepted", "accepted", ""]
    assert found["changed"].tolist() == [False, True, False]
    assert found["others"].tolist() == [(("Ben", "fixed", False),), (("Ben", "fixed", True),), ()]


def test_an_unknown_outline_is_not_a_changed_one() -> None:
    """The outline could not be read at the verdict, or cannot be read now."""
    told = given_verdicts((11, "p", "accepted", "Ann", "1"), (12, "q", "fixed", "Ann", "1"))
    unknown = told.assign(outline=[None, "q"])
    assert add_verdicts(CROWNS, unknown)["changed"].tolist() == [False] * 4
    unread = CROWNS.assign(outline=["p", None, "r", "s"])
    assert add_verdicts(unread, told)["changed"].tolist() == [False] * 4
