from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from randcrowns.report.names import abbreviate_names, abbreviate_text


def test_short_names_stay():
    assert abbreviate_names(["annotator_1", "annotator_2"]) == {
        "annotator_1": "annotator_1",
        "annotator_2": "annotator_2",
    }


def test_what_all_share_is_left_out():
    names = [
        f"Plot OSBS_024 crowns drawn by {who}, April 2021"
        for who in ("Maria da Silva", "Ben Okonkwo")
    ]
    assert list(abbreviate_names(names).values()) == ["Maria da Silva", "Ben Okonkwo"]


def test_names_are_not_cut_within_words():
    numbered = [f"annotator_{number}" for number in (10, 11, 12)]
    assert list(abbreviate_names(numbered, unchanged_length=0).values()) == ["10", "11", "12"]
    people = ["crowns_anna", "crowns_anton", "crowns_andrea"]
    assert list(abbreviate_names(people, unchanged_length=0).values()) == [
        "anna",
        "anton",
        "andrea",
    ]
    assert list(abbreviate_names(["annotator", "annotators"], unchanged_length=0).values()) == [
        "annotator",
        "annotators",
    ]


def test_names_that_differ_in_a_number_stay_readable():
    shared = "ortho_2024_crowns_of_the_forest_inventory_in_the_north_of_the_country_by_detector_run"
    runs = [f"{shared}_{number}_final_version_of_this_year" for number in range(3)]
    assert max(map(len, runs)) > 110
    for length in (16, 20, 34):
        for number, name in enumerate(abbreviate_names(runs, length, length).values()):
            assert len(name) <= length
            assert name.startswith("ortho_20")
            assert name.endswith(f"_{number}")


def test_long_names_that_share_more_than_all_names_do_are_told_apart_by_their_parts():
    runs = [
        f"a_long_common_beginning_of_names_of_run_{number}_final_version" for number in range(3)
    ]
    short = list(abbreviate_names(["annotator_1", *runs], 16, 16).values())
    assert short[0] == "annotator_1"
    assert [name[-6:] for name in short[1:]] == [f"_run_{number}" for number in range(3)]


def test_one_long_name_is_cut_in_the_middle():
    assert list(abbreviate_names(["a" * 10 + "b" * 10]).values()) == ["a" * 10 + "b" * 10]
    assert list(abbreviate_names(["a" * 10 + "b" * 11]).values()) == ["aaaaaaaaaa…bbbbbbbbb"]
    assert list(abbreviate_names(["a" * 30 + "b" * 30]).values()) == ["aaaaaaaaaa…bbbbbbbbb"]


@given(st.lists(st.text(alphabet="abc ", max_size=60), unique=True, max_size=6))
def test_names_are_short_and_told_apart(names):
    written = abbreviate_names(names)
    assert list(written) == names
    assert len(set(written.values())) == len(names)
    assert all(len(word) <= 24 for word in written.values())


def test_the_longest_name_in_a_text_is_the_one_that_is_meant():
    assert (
        abbreviate_text(
            "annotator ann, ann and bob", {"ann": "a", "annotator ann": "x", "bob": "bob"}
        )
        == "x, a and bob"
    )
