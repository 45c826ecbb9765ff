from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from randcrowns.layers.vector.names import (
    field_prefixes,
    to_identifier,
    truncate_names,
    unique_names,
)


def test_known_names():
    assert to_identifier("Annotator 2") == "annotator_2"
    assert to_identifier("Bäume (März)") == "baume_marz"
    assert to_identifier("2024'\"; drop") == "l_2024_drop"
    assert to_identifier("樹冠") == "layer"


def test_prefixes_avoid_each_other_and_fields_that_are_there():
    assert field_prefixes(["A b", "a-b", "a_b"]) == ["a_b", "a_b_2", "a_b_3"]
    assert field_prefixes(["crowns"], ["Crowns_RC"]) == ["crowns_2"]


def test_equal_layer_names_are_numbered():
    assert unique_names(["a", "a", "a (2)", "b"]) == ["a", "a (2)", "a (2) (2)", "b"]
    assert unique_names(["all", "b", "all"], ["all"]) == ["all (2)", "b", "all (3)"]


def test_short_names_keep_what_tells_them_apart():
    names = [
        f"annotator_two_{ending}" for ending in ("rc", "iou", "iouc", "status", "match", "dist")
    ]
    short = truncate_names(names, 10)
    assert [name.rsplit("_", 1)[1] for name in short] == [
        "rc",
        "iou",
        "iouc",
        "status",
        "match",
        "dist",
    ]
    assert truncate_names(["plot", "annotator_two_rc"], 10)[0] == "plot"
    assert truncate_names(["abcdefgh", "ABCDEFxy", "abcdef"], 6, ["plot"]) == [
        "abcdef",
        "ABCDE2",
        "abcde3",
    ]


@given(st.lists(st.text(min_size=1, max_size=60), max_size=8))
def test_names_are_safe_and_unique_whatever_the_layers_are_called(names):
    prefixes = field_prefixes(names)
    assert len(set(prefixes)) == len(names)
    assert all(
        prefix.isidentifier() and prefix.isascii() and len(prefix) < 50 for prefix in prefixes
    )
    assert len(set(unique_names(names))) == len(names)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.from_regex(r"[a-z]{1,30}(_[a-z]{1,12})?", fullmatch=True), max_size=12))
def test_short_names_fit_and_differ(names):
    short = truncate_names(names, 10)
    assert all(0 < len(name) <= 10 for name in short)
    assert len({name.lower() for name in short}) == len(names)
