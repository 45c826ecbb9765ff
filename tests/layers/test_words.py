"""Words as Qt shows them."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtGui import QTextDocument

from randcrowns.layers.localization import (
    ZERO_WIDTH_SPACE,
    escape_rich_text,
    insert_line_breaks,
    keep_numbers_whole,
    keep_units_with_numbers,
)


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


def test_no_french_number_is_broken_between_its_thousands_in_rich_text(qgis_app):
    """Qt's reader of HTML makes a space of the narrow no-break space, U+202F."""
    document = QTextDocument()
    document.setHtml(keep_numbers_whole("<p>12\u202f345 m²</p>"))
    assert document.begin().text() == "12\u00a0345\u00a0m²"


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("together 479.9 m².", "together 479.9\u00a0m²."),
        ("alpha 1 m, 84.2 % alike", "alpha 1\u00a0m, 84.2\u00a0% alike"),
        ("12 km, 3 ha; 7 px", "12\u00a0km, 3\u00a0ha; 7\u00a0px"),
        ("4 matches, 5 hands", "4 matches, 5 hands"),
    ],
)
def test_no_line_ends_between_a_number_and_its_unit(text: str, bound: str) -> None:
    assert keep_units_with_numbers(text) == bound
