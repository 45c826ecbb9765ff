"""Words as Qt shows them."""

from __future__ import annotations

import pytest

from randcrowns.layers.localization import ZERO_WIDTH_SPACE, escape_rich_text, insert_line_breaks


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("short words stay", "short words stay"),
        ("annotator_two_of_four", f"annotator_{ZERO_WIDTH_SPACE}two_of_four"),
        ("a" * 25, "a" * 20 + ZERO_WIDTH_SPACE + "a" * 5),
        ("<b>" + "a" * 25 + "</b>", "<b>" + "a" * 20 + ZERO_WIDTH_SPACE + "a" * 5 + "</b>"),
        ('<a href="https://some.where/far/away/from/here">here</a> &amp; there',) * 2,
    ],
)
def test_long_words_may_go_on_in_the_next_line_and_marks_stay(text: str, broken: str) -> None:
    assert insert_line_breaks(text) == broken


def test_what_qt_may_take_for_rich_text_is_shown_letter_by_letter() -> None:
    assert escape_rich_text("no marks\nat all") == "no marks\nat all"
    assert escape_rich_text("a < b\n& c") == "<qt>a &lt; b<br>&amp; c</qt>"
