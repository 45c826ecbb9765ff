"""Lists and numbers of a data.yaml are read as a YAML library reads them, in one pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randcrowns.core.exchange.yaml_entries import read_count, read_items

yaml = pytest.importorskip("yaml")

_NAMES = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_categories=["Cc", "Cs", "Zs"])
    | st.just(" "),
    min_size=1,
    max_size=9,
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r'"two\nlines\t\r\b\f"', "two\nlines\t\r\b\f"),
        (r'"\U0001f332 \u00fc \x41"', "🌲 ü A"),
        (r'"\UFFFFFFFF"', "\ufffd"),
    ],
)
def test_escaped_characters_are_those_of_yaml(text: str, name: str) -> None:
    assert read_items(f"names:\n  0: {text}\n", "names") == {0: name}


@given(
    st.lists(_NAMES, min_size=1, max_size=5),
    st.sampled_from([None, False, True]),
    st.booleans(),
    st.booleans(),
)
def test_names_are_read_as_a_library_writes_them(names, flow, is_mapping, allow_unicode) -> None:
    expected = dict(enumerate(names))
    content = {"nc": len(names), "names": expected if is_mapping else names, "path": "a: b"}
    text = yaml.safe_dump(
        content, default_flow_style=flow, allow_unicode=allow_unicode, width=10**6, sort_keys=False
    )
    if text.startswith("{"):  # entries of a mapping in brackets are not on the outermost level
        return
    assert read_items(text, "names") == expected
    assert read_count(text, "nc") == len(names)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("names: ['Oak, red', Bob's] # two", {0: "Oak, red", 1: "Bob's"}),
        ("names: [a, # first, one]\n  b#c]", {0: "a", 1: "b#c"}),
        ("names: {0: a, 1: 'b c', \"2\":\"x y\", '4' : z}", {0: "a", 1: "b c", 2: "x y", 4: "z"}),
        (
            "names:\n# one\n- Oak, red # two\n\n- ''\n-\tPine\nnc: 3",
            {0: "Oak, red", 1: "", 2: "Pine"},
        ),
        ("names:\r\n  0: Alive\r\n  7: 'it''s'\r\nnc: 2", {0: "Alive", 7: "it's"}),
        ("my_names: [a]\nnames_old: [b]\n names: [c]\nnames : [d]", {0: "d"}),
        ("names: [Alive, Dead", {}),
        ("names: [[a], b]", {}),
        ("names: *other", {}),
        ("", {}),
    ],
)
def test_forms_that_people_write(text: str, items: dict[int, str]) -> None:
    assert read_items(text, "names") == items


@pytest.mark.parametrize("text", ["nc: 99999999999999999999", "nc:", "nc: -1", "nc: 2.5", "n: 2"])
def test_what_is_no_number_of_classes(text: str) -> None:
    assert read_count(text, "nc") is None


@pytest.mark.parametrize(
    "text",
    [
        "names:" + 200_000 * " " + "x",
        "names: [" + 200_000 * " ",
        "names:\n" + 400 * (500 * " " + "\n"),
        "names:\n- " + 200_000 * " " + "#",
        "names:\n1" + 200_000 * " ",
        "names:\n 1" + 200_000 * " ",
        "names: [" + 200_000 * "'",
        "names: [" + 100_000 * "\"'",
        "names: [" + 60_000 * ": '",
        "names: [" + 60_000 * "'1' ",
        "names: [" + 100_000 * '"\\',
        "names: [" + 100_000 * " #",
        "names: [" + 100_000 * "\n#",
        "names: " + 200_000 * "[",
        200_000 * "names ",
        "names" + 200_000 * " ",
    ],
    ids=range(16),
)
def test_a_text_without_names_is_read_in_one_pass(text: str) -> None:
    # A reader that tries again from each character takes minutes for these.
    assert read_items(text, "names").keys() <= {0}
