"""Files with verdicts that a page to explore has saved: what is read, and what is refused."""

from __future__ import annotations

import json
from contextlib import suppress

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.errors import raises

from randcrowns.core.errors import InputError
from randcrowns.core.review.verdict_exchange import FORMAT, read_verdict_text
from randcrowns.core.review.verdicts import VERDICT_COLUMNS, reviewer_agreement

RECORD = {
    "layer_id": "id1",
    "layer_source": "crowns.gpkg",
    "layer": "crowns",
    "delineations_id": "",
    "delineations_source": "",
    "delineations": "boxes",
    "side": "target",
    "feature_id": "9007199254740993",
    "outline": "ab12",
    "match": None,
    "score": 0.25,
    "problem": "too large",
    "verdict": "rejected",
    "comment": "<b>",
    "reviewer": "Ann",
    "time": "2026-01-01T10:00:00.000+00:00",
    "right_class": "",
}


def file_with(*records, **changes):
    content = {"format": FORMAT, "version": 1, "run": "r", "verdicts": list(records), **changes}
    return json.dumps(content)


def test_a_verdict_is_read_with_all_its_values():
    verdicts = read_verdict_text(file_with(RECORD), "v.json")
    assert verdicts.columns.tolist() == VERDICT_COLUMNS
    # The id is larger than the whole numbers of JavaScript.
    expected = {**RECORD, "feature_id": 9007199254740993}
    assert verdicts.iloc[0].to_dict() == {name: expected.get(name) for name in VERDICT_COLUMNS}


def test_a_file_without_verdicts_is_empty():
    assert read_verdict_text(file_with(), "v.json").empty


def test_verdicts_of_two_files_agree_or_not():
    first = file_with(*({**RECORD, "feature_id": number} for number in range(4)))
    second = file_with(
        *(
            {**RECORD, "feature_id": number, "reviewer": "Ben", "verdict": verdict}
            for number, verdict in enumerate(("rejected", "rejected", "accepted"))
        )
    )
    both = pd.concat([read_verdict_text(text, "v.json") for text in (first, second)])
    row = reviewer_agreement(both).iloc[0]
    assert (row["crowns"], row["agreement"]) == (3, pytest.approx(2 / 3))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "nonsense", '{"format": "other", "version": 1, "verdicts": []}', "[" * 9999],
)
def test_any_other_file_is_refused(text):
    with raises("verdicts.no_verdict_file", file="v.json"):
        read_verdict_text(text, "v.json")


def test_a_file_of_a_newer_version_is_refused():
    with raises("verdicts.newer_file", file="v.json"):
        read_verdict_text(file_with(RECORD, version=2), "v.json")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("feature_id", "one"),
        ("feature_id", 1.5),
        ("feature_id", True),
        ("feature_id", str(2**63)),
        ("layer", None),
        ("reviewer", 5),
        ("time", None),
        ("time", "yesterday"),
        ("outline", ["ab12"]),
    ],
)
def test_a_damaged_value_names_the_verdict(name, value):
    with raises("verdicts.invalid_value", number=2, name=name, file="v.json"):
        read_verdict_text(file_with(RECORD, {**RECORD, name: value}), "v.json")


def test_a_score_beyond_all_numbers_is_no_score():
    for score in (10**400, -(10**400)):
        verdicts = read_verdict_text(file_with({**RECORD, "score": score}), "v.json")
        assert verdicts["score"].tolist() == [None]


def test_texts_are_such_that_a_file_can_store_them():
    verdicts = read_verdict_text(file_with({**RECORD, "comment": "a\ud800b\0c"}), "v.json")
    assert verdicts["comment"].tolist() == ["a?bc"]


@pytest.mark.parametrize(("name", "value"), [("verdict", "great"), ("verdict", ""), ("side", "x")])
def test_an_unknown_verdict_is_refused(name, value):
    with raises("verdicts.unknown_verdict", number=1):
        read_verdict_text(file_with({**RECORD, name: value}), "v.json")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda more: st.lists(more) | st.dictionaries(st.sampled_from([*RECORD, "x"]), more),
    )
)
def test_whatever_a_file_contains_is_read_or_refused(value):
    for text in (json.dumps(value), file_with(value)):
        with suppress(InputError):
            assert read_verdict_text(text, "v.json").columns.tolist() == VERDICT_COLUMNS
