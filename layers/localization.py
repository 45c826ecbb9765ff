"""Translation of texts and formatting of numbers and dates in the user's language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from html import escape
from numbers import Integral, Real
from typing import Any, NamedTuple

from qgis.PyQt.QtCore import QCoreApplication, QDate

from randcrowns.core.messages import Message, tidy_number
from randcrowns.layers import language
from randcrowns.report.language import (
    Language,
    format_interval,
    format_time,
    format_value,
    use_language,
)

__all__ = [
    "NO_BREAK_SPACE",
    "ZERO_WIDTH_SPACE",
    "display_value",
    "error_message",
    "escape_rich_text",
    "fill_template",
    "format_day",
    "format_interval",
    "format_time",
    "format_value",
    "insert_line_breaks",
    "keep_numbers_whole",
    "keep_units_with_numbers",
    "localize_expressions",
    "localize_number",
    "message_texts",
    "tr",
]

#: Zero-width space, at which Qt may break a line.
ZERO_WIDTH_SPACE = "\u200b"
#: Space at which Qt does not break a line.
NO_BREAK_SPACE = "\u00a0"
#: Space between a number and its unit.
_SPACE_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:[mc]?m|m²|m³|km|ha|px|%)(?!\w))")
#: Parts of a text: a tag or an entity of HTML, or the beginning of a long word after which the line
#: may break (behind ``_``, ``/``, ``\``, ``.`` or ``-``, else after 20 characters).
_LONG_WORD = re.compile(
    r"<[^>]*>|&\w+;"
    rf"|[^\s<&{ZERO_WIDTH_SPACE}]{{1,19}}?[_/\\.-](?=[^\s<&]{{9}})"
    rf"|[^\s<&{ZERO_WIDTH_SPACE}]{{20}}(?=[^\s<&{ZERO_WIDTH_SPACE}])"
)
#: Call of ``format_number`` in a QGIS expression; a language may be added as third argument.
_FORMAT_NUMBER = re.compile(r"(format_number\(.*?, [1-9])\)")
#: Largest count that is passed to Qt (32 bit); larger counts have the same plural form.
_MAX_COUNT = 1_000_000


def tr(text: str, /, *, one: str = "", **values: Any) -> str:
    """Return a text in the user's language with its values filled in.

    A text with the value ``count`` has several plural forms in the catalogue of a language.

    Args:
        text: template in English, with the names of the values in braces: ``{count:,}``,
            ``{share:.2f}``.
        one: template for a count of 1 if there is no catalogue; empty if ``text`` fits.
        values: values of the template. A message or an error of RandCrowns stands for its sentence,
            a tuple for its items separated by commas.
    """
    count = values.get("count")
    number = -1  # for Qt: there are no plural forms
    if isinstance(count, Integral) and (one or "{count" in text):
        number = min(int(count), _MAX_COUNT)
    translated = QCoreApplication.translate("RandCrowns", text, None, number)
    if one and count == 1 and translated == text:
        translated = one
    return fill_template(translated, **values) if values else translated


def fill_template(text: str, /, **values: Any) -> str:
    """Fill values into a template that is in the user's language already; see :func:`tr`."""
    return text.format(**{name: _FormattedValue(value) for name, value in values.items()})


class _FormattedValue(NamedTuple):
    """A value that is formatted in the user's language when it is filled into a template."""

    value: Any

    def __format__(self, spec: str) -> str:
        formatted = format(display_value(self.value), spec)
        return localize_number(formatted) if isinstance(self.value, Real) else formatted


def localize_number(number: str) -> str:
    """Convert a number formatted by Python to the user's language: ``1,200.5`` to ``1.200,5``."""
    return tidy_number(language.localize_separators(number))


def localize_expressions(text: str) -> str:
    """Let the QGIS expressions in a text format numbers in the language of the plugin.

    Labels and tables then have the same digits. Without a language, ``format_number`` uses that of
    the system.
    """
    return _FORMAT_NUMBER.sub(rf"\1, '{language.locale().name()}')", text)


def error_message(error: BaseException) -> str:
    """Return the text of an error, in the user's language if it is an error of RandCrowns."""
    return str(display_value(error))


def display_value(value: Any) -> Any:
    """Return the form of a value for sentences and tables, in the user's language.

    Returns:
        The sentence of a message or of an error of RandCrowns; the items of a tuple separated by
        commas; any other value unchanged.
    """
    if isinstance(value, tuple):
        return ", ".join(format(_FormattedValue(item)) for item in value)
    return value.sentence(tr) if hasattr(value, "sentence") else value


def escape_rich_text(text: str) -> str:
    """Return a text that Qt shows literally where it would interpret rich text, as in tooltips."""
    escaped = escape(text, quote=False)
    if escaped == text:
        return text
    return f"<qt>{escaped}</qt>".replace("\n", "<br>")


def insert_line_breaks(text: str) -> str:
    """Insert zero-width spaces into long words, so that Qt can break them at the end of a line.

    Args:
        text: plain or rich text; tags and entities stay unchanged.
    """

    def insert_break(match: re.Match[str]) -> str:
        is_markup = match[0][0] in "<&"
        return match[0] if is_markup else match[0] + ZERO_WIDTH_SPACE

    return _LONG_WORD.sub(insert_break, text)


def keep_numbers_whole(rich_text: str) -> str:
    """Return rich text in which Qt breaks no number between its thousands or before its unit.

    Qt reads the narrow no-break space of French numbers as a space at which a line may break.
    """
    return keep_units_with_numbers(rich_text.replace("\u202f", NO_BREAK_SPACE))


def keep_units_with_numbers(text: str) -> str:
    """Return a plain or rich text in which no line ends between a number and its unit."""
    return _SPACE_BEFORE_UNIT.sub(NO_BREAK_SPACE, text)


def message_texts(messages: Iterable[Message]) -> list[str]:
    """Return the sentences of messages, in the user's language."""
    return [message.sentence(tr) for message in messages]


def format_day(time: datetime) -> str:
    """Return the local day of a time, as ``23 Nov``, in the user's language."""
    local_time = time.astimezone()
    day = QDate(local_time.year, local_time.month, local_time.day)
    return str(language.locale().toString(day, tr("d MMM")))


def format_date(time: datetime) -> str:
    """Return the local date of a time, as ``23 Nov 2026``, in the user's language."""
    local_time = time.astimezone()
    day = QDate(local_time.year, local_time.month, local_time.day)
    return str(language.locale().toString(day, tr("d MMM yyyy")))


use_language(Language(tr, localize_number, format_date))
