"""Tests of the translation of styles."""

from __future__ import annotations

import pytest

from randcrowns.layers.styles.templates import translate_style


@pytest.mark.parametrize(
    ("style", "translated"),
    [
        (
            '<category label="not scored" value="x y"/>',
            '<category label="NOT SCORED" value="x y"/>',
        ),
        (
            '<mapTip>area [% "area" %] m&lt;br>IoU: [% "iou" %]</mapTip>',
            '<mapTip>AREA [% "area" %] m&lt;br&gt;IOU: [% "iou" %]</mapTip>',
        ),
        (
            "<mapTip>[% coalesce(\"a\", 'n/a', 'no name', 'key') %]</mapTip>",
            "<mapTip>[% coalesce(\"a\", 'N/A', 'NO NAME', 'key') %]</mapTip>",
        ),
    ],
)
def test_words_are_translated_and_neither_expressions_nor_signs_nor_units(
    style: str, translated: str
) -> None:
    assert translate_style(style, str.upper) == translated
