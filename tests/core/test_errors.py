from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

from randcrowns.core.errors import Cancelled, InputError, MissingLibraryError, RandCrownsError
from randcrowns.core.messages import (
    TranslatableText,
    abbreviate,
    format_english,
    messages_from_json,
    messages_to_json,
    note,
)


def german(template, /, *, one="", **values):
    words = {
        "{why}, in {count:,} layers.": "{why}, in {count:,} Ebenen.",
        "No crowns": "Keine Kronen",
    }
    return format_english(words[template], **values)


def test_the_text_is_english_and_the_sentence_in_any_language():
    error = InputError(
        "layers.empty",
        "{why}, in {count:,} layers.",
        one="{why}, in 1 layer.",
        why=note("a", "No crowns"),
        count=1,
    )
    assert str(error) == "No crowns, in 1 layer."
    assert error.sentence(german) == "Keine Kronen, in 1 Ebenen."


@pytest.mark.parametrize("kind", [RandCrownsError, InputError, MissingLibraryError, Cancelled])
def test_errors_come_back_from_other_processes(kind):
    rows = abbreviate(np.arange(9))
    error = kind("rows.some", "Rows {rows}: {share:.0%}.", rows=rows, share=np.float64(0.5))
    found = pickle.loads(pickle.dumps(error))
    assert type(found) is kind
    assert str(found) == str(error) == "Rows 0, 1, 2, 3, 4 and 4 more: 50\N{NO-BREAK SPACE}%."
    assert found.message == error.message
    assert (found.key, found.values) == (error.key, error.values)
    assert error.key == "rows.some"
    assert error.values == {"rows": rows, "share": 0.5}


def test_a_pickled_error_keeps_its_singular_and_its_notes():
    error = InputError("crowns.some", "{count} crowns", one="1 crown", count=1)
    error.__notes__ = ["while reading"]
    found = pickle.loads(pickle.dumps(error))
    assert str(found) == found.sentence() == "1 crown"
    assert found.__notes__ == ["while reading"]


def test_an_error_is_made_of_a_message():
    message = note("crowns.some", "{count} crowns", one="1 crown", count=1)
    error = InputError.from_message(message)
    assert (error.key, error.values, str(error)) == ("crowns.some", {"count": 1}, "1 crown")


def test_text_without_values_is_taken_as_it_is():
    assert (
        str(InputError("a.b", "{braces} 100 %"))
        == InputError("a.b", "{braces} 100 %").sentence()
        == "{braces} 100 %"
    )
    assert str(Cancelled()) == ""
    assert Cancelled().key == "run.cancelled"


def test_an_error_is_a_value_of_remarks_and_errors():
    inner = InputError("crowns.none", "No crowns")
    told = note("b", "{why}, in {count:,} layers.", why=inner, count=2)
    assert told.sentence(german) == "Keine Kronen, in 2 Ebenen."
    assert str(messages_from_json(messages_to_json([told]))[0]) == "No crowns, in 2 layers."
    outer = InputError("b.a", "{why}, in {count:,} layers.", why=inner, count=2)
    assert outer.sentence(german) == told.sentence(german)
    assert outer.values["why"].key == "crowns.none"
    assert str(InputError("a.b", "{why}", why=OSError("disk full"))) == "disk full"


def test_values_go_into_other_processes_and_files_as_numbers_and_text():
    values = {
        "kind": np.dtype(float),
        "path": Path("a"),
        "count": np.int32(3),
        "none": None,
        "why": TranslatableText("{n}", n=1),
    }
    found = InputError("a.b", "{kind} {path} {count} {none} {why}", **values).message
    assert {name: type(value).__name__ for name, value in found.values.items()} == {
        "kind": "str",
        "path": "str",
        "count": "int",
        "none": "NoneType",
        "why": "Message",
    }
    assert str(found) == "float64 a 3 None 1"


def test_a_text_of_a_table_is_text_that_can_be_said_in_other_languages():
    why = TranslatableText(
        "{why}, in {count:,} layers.",
        one="{why}, in 1 layer.",
        why=TranslatableText("No crowns"),
        count=2,
    )
    assert why == "No crowns, in 2 layers."
    assert isinstance(why, str)
    for found in (why, pickle.loads(pickle.dumps(why)), copy.deepcopy(why)):
        assert found.sentence(german) == "Keine Kronen, in 2 Ebenen."
