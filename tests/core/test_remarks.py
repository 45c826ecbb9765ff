from __future__ import annotations

import json

import numpy as np
import pytest

from randcrowns.core.messages import (
    Message,
    Severity,
    abbreviate,
    format_english,
    info,
    merge_layer_messages,
    messages_from_json,
    messages_to_json,
    note,
    separate_layer_messages,
    warning,
)

REPAIRED = {
    "template": "{count:,} crowns of '{layer}' were repaired.",
    "one": "1 crown of '{layer}' was repaired.",
}


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (1, "1 crown of 'plot {7}' was repaired."),
        (np.int64(1), "1 crown of 'plot {7}' was repaired."),
        (0, "0 crowns of 'plot {7}' were repaired."),
        (1200, "1,200 crowns of 'plot {7}' were repaired."),
    ],
)
def test_the_count_decides_on_the_template_and_values_are_taken_as_they_are(count, sentence):
    assert str(note("input.repaired", **REPAIRED, count=count, layer="plot {7}")) == sentence


def test_remarks_that_differ_in_the_layer_only_become_one():
    text = "Field '{field}' of layer '{layer}' is not chosen."
    about = [
        note("input.field", text, field=field, layer=layer)
        for layer in ("a", "b", "c")
        for field in ("score", "plot")
    ]
    alone = warning("input.none", "Layer '{layer}' has no crowns.", layer="b")
    merged = merge_layer_messages([*about, alone, about[0], alone])
    assert [str(message) for message in merged] == [
        "Field 'score' of layer 'a' is not chosen. The same applies to 2 other layers: b, c.",
        "Field 'plot' of layer 'a' is not chosen. The same applies to 2 other layers: b, c.",
        "Layer 'b' has no crowns.",
    ]
    assert [message.key for message in merged] == ["input.field", "input.field", "input.none"]
    assert [message.is_warning for message in merged] == [False, False, True]
    assert merge_layer_messages(merged) == merged
    assert set(separate_layer_messages(merged)) == {*about, alone}
    assert messages_from_json(messages_to_json(merged)) == tuple(merged)
    two = merge_layer_messages(about[:3:2])
    assert str(two[0]).endswith("is not chosen. The same applies to layer b.")


def test_remarks_are_equal_when_their_keys_and_values_are():
    assert note("topic.what", "{count} crowns", count=1) == note(
        "topic.what", "Crowns: {count}", one="A crown", count=1
    )
    assert note("topic.what", "crowns") != note("topic.other", "crowns")


def test_templates_are_translated_and_values_are_not():
    words = {"{what} of {many}": "{many} haben {what}", "a crown": "eine Krone"}
    told = info(
        "test",
        "{what} of {many}",
        what=info("test.what", "a crown"),
        many=["a crown", info("t", "a crown")],
    )
    german = told.sentence(
        lambda text, one="", **values: format_english(words[text], one=one, **values)
    )
    assert german == "a crown, eine Krone haben eine Krone"
    assert str(told) == "a crown of a crown, a crown"


def test_long_lists_are_cut_in_words():
    assert str(note("ids", "Features {ids}.", ids=abbreviate([4, 8, 15]))) == "Features 4, 8, 15."
    assert (
        str(note("ids", "Features {ids}.", ids=abbreviate(np.arange(1500), 2)))
        == "Features 0, 1 and 1,498 more."
    )


@pytest.mark.parametrize(
    "message",
    [
        warning("input.empty", "Layer '{layer}' is empty.", layer="Ökoton"),
        note("input.repaired", **REPAIRED, count=np.int32(3), layer="x"),
        note("ids", "Features {ids}.", ids=abbreviate(np.arange(9))),
        info("p", "p = {p:.2f}, {share:.0%}", p=np.float32(0.5), share=np.nan),
        info("nested", "{why}", why=[warning("a", "a"), "b", 3]),
    ],
    ids=lambda message: message.key,
)
def test_remarks_come_back_from_json(message):
    (found,) = messages_from_json(messages_to_json([message]))
    assert (found.key, found.severity, found.template, found.one) == (
        message.key,
        message.severity,
        message.template,
        message.one,
    )
    assert str(found) == str(message)
    assert hash(found) == hash(message)
    assert message.key == "p" or found == message  # NaN is not equal to itself


def test_models_without_remarks_give_none():
    assert messages_from_json("") == messages_from_json("[]") == ()
    assert json.loads(messages_to_json([])) == []


def test_remarks_are_one_when_key_and_values_are():
    first, same = (
        note("a.b", text, layer="x", count=2)
        for text in ("Old words {layer}.", "New words {layer}.")
    )
    assert first == same
    assert len({first, same}) == 1
    assert first != note("a.b", "Old words {layer}.", layer="y", count=2)
    assert first.topic == "a"
    assert (first.is_notice, first.is_warning) == (True, False)
    assert [message.is_notice for message in (warning("w", ""), info("i", ""))] == [True, False]
    assert Message("k", Severity.NOTE, "t").values == {}
