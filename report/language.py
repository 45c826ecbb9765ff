"""Language of the texts and numbers of a report: English, or that of the program around it.

The plugin replaces English by the language of QGIS with :func:`use_language`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from randcrowns.core.messages import (
    MIN_PLAIN_NUMBER,
    Translate,
    default_decimals,
    format_english,
    needs_powers,
    tidy_number,
)

#: Characters that neither HTML nor SVG may contain: control characters, lone halves of surrogate
#: pairs and code points that are no characters.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane * 0x10000 + last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
#: Short names of the months in English, whatever the locale of the program is.
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def clean_text(text: str) -> str:
    r"""Return a text with characters that a page may not contain replaced by U+FFFD.

    Carriage returns become ends of lines: HTML does not allow them as character references, which
    drawings contain.

    >>> clean_text("oak\x00 1")
    'oak� 1'
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _FORBIDDEN.sub("\ufffd", lines)


def english_date(time: datetime) -> str:
    """Return the local date of a time in English.

    >>> english_date(datetime(2026, 11, 3, 12))
    '3 Nov 2026'
    """
    local_time = time.astimezone()
    return f"{local_time.day} {_MONTHS[local_time.month - 1]} {local_time.year:04}"


class Language(NamedTuple):
    """Functions that translate texts and format numbers and dates."""

    #: Function that fills the values into a template in the language.
    translate: Translate = format_english
    #: Function that converts a number formatted by Python, ``1,200.5``, to the language.
    localize_number: Callable[[str], str] = tidy_number
    #: Function that returns the local date of a time.
    format_date: Callable[[datetime], str] = english_date


#: Number of significant digits of columns with parameters, which are written without zeros at the
#: end; fewer digits are those of measured values, which keep them.
_PARAMETER_DIGITS = 6
#: Number of decimals of shares and scores in tables.
_SHARE_DIGITS = 3
#: Number from which on a table shows no decimals.
_LARGE_NUMBER = 10_000
#: The language in use, as the only item.
_current = [Language()]


def use_language(language: Language) -> Language:
    """Use a language from now on and return the one that was used before."""
    previous = _current[0]
    _current[0] = language
    return previous


def tr(text: str, /, *, one: str = "", **values: Any) -> str:
    """Return a text in the language in use, with its values filled in.

    Args:
        text: template in English with the names of the values in braces.
        one: template used instead if the value ``count`` is 1; "" if one template is enough.
        values: values of the template.

    >>> tr("{count} crowns", count=3)
    '3 crowns'
    """
    return _current[0].translate(text, one=one, **values)


def localize_number(number: str) -> str:
    """Convert a number formatted by Python to the language in use."""
    return _current[0].localize_number(number)


def format_date(time: datetime) -> str:
    """Return the local date of a time, as ``23 Nov 2026``, in the language in use."""
    return _current[0].format_date(time)


def format_time(time: datetime) -> str:
    """Return the local date and time of day, as ``23 Nov 2026, 21:02``, in the language in use."""
    return f"{format_date(time)}, {time.astimezone():%H:%M}"


def format_value(value: float, digits: int | None, has_powers: bool | None = None) -> str:
    """Format a number in the language in use.

    Args:
        value: the number. Zero is written without a sign, NaN as ``n/a``.
        digits: number of decimals; negative for a number of significant digits, with a power of
            ten below 0.001 and from six digits on without zeros at the end; None to choose the
            decimals by the size of the number.
        has_powers: True if measured values with significant digits have a power of ten, as other
            numbers beside them; False if they have decimals; None to decide by the number alone.

    >>> format_value(0.8526, 3), format_value(float("nan"), 3), format_value(0.0012345, -3)
    ('0.853', 'n/a', '0.00123')
    >>> format_value(0.019, -3), format_value(0.0124, -3), format_value(0.0, -3)
    ('0.0190', '0.0124', '0')
    >>> format_value(0.00072, -3, has_powers=False)
    '0.000720'
    """
    if value != value:  # NaN
        return tr("n/a")
    if digits is None:
        digits = default_decimals(value)
    if digits >= 0:
        form = f",.{digits}f"
    elif value and _has_power(value, digits, has_powers):
        form = f".{-digits - 1}e"
    elif value:
        # "#" keeps zeros at the end, so that all numbers of a column have as many digits.
        zeros = "#" if -digits < _PARAMETER_DIGITS else ""
        return localize_number(format(value, f"{zeros},.{-digits}g").removesuffix("."))
    else:
        form = "g"
    return localize_number(format(value or 0, form))


def table_has_powers(columns: Iterable[tuple[Iterable[float], int | None]]) -> bool:
    """Return True if the measured values of a table with significant digits have powers of ten.

    Args:
        columns: values and declared digits of each column; see :func:`format_value`.

    >>> table_has_powers([([0.02], -3), ([7.2e-4], -3)]), table_has_powers([([7.2e-4], -3)])
    (False, True)
    """
    return needs_powers(
        float(value)
        for values, digits in columns
        if digits is not None and _is_measured(digits)
        for value in values
    )


def _significant_decimals(number: float, digits: int) -> int:
    """Return the number of decimals with which a number has a number of significant digits.

    It is negative for a number with more digits before the decimal point, and 0 for NaN and 0.

    >>> _significant_decimals(0.00072, 3), _significant_decimals(12.3, 3)
    (6, 1)
    """
    if not number or number != number:
        return 0
    return digits - 1 - math.floor(math.log10(abs(number)))


def _is_measured(digits: int) -> bool:
    """Return True for the significant digits of measured values, not those of parameters."""
    return -_PARAMETER_DIGITS < digits < 0


def _has_power(value: float, digits: int, has_powers: bool | None) -> bool:
    """Return True if a number with significant digits has a power of ten; see `format_value`."""
    if has_powers is None or not _is_measured(digits):
        return abs(value) < MIN_PLAIN_NUMBER
    return has_powers


def cell_decimals(value: float, digits: int | None) -> int:
    """Return the number of decimals of a number in a table.

    Args:
        value: the number. Numbers from 10,000 on, such as areas, have no decimals.
        digits: declared number of decimals; None for a column with areas and shares. Shares then
            have three decimals as in all other tables.

    >>> cell_decimals(0.8373, None), cell_decimals(1550.16, None), cell_decimals(0.5, 2)
    (3, 1, 2)
    """
    if abs(value) >= _LARGE_NUMBER and (digits is None or digits > 0):
        return 0
    if digits is not None:
        return digits
    return min(default_decimals(value), _SHARE_DIGITS)


def append_unit(number: str, unit: str) -> str:
    """Return a formatted number with its unit; a space is before all units but degrees.

    Args:
        number: the number, or several.
        unit: the unit; "" for none.

    >>> append_unit("0.4", "m"), append_unit("10", "°"), append_unit("7", "")
    ('0.4 m', '10°', '7')
    """
    return f"{number}{unit}" if unit in ("", "°") else f"{number} {unit}"


def format_interval(
    value: float, low: float, high: float, digits: int, has_powers: bool | None = None
) -> str:
    """Format a number with its interval in brackets; without brackets if an end is NaN.

    Args:
        value: the number.
        low: lower end of its interval.
        high: upper end of its interval.
        digits: number of decimals, or of significant digits if it is negative.
        has_powers: see :func:`format_value`.

    >>> format_interval(0.853, 0.801, 0.899, 2)
    '0.85 (0.80–0.90)'
    """
    if math.isnan(low) or math.isnan(high):
        return format_value(value, digits, has_powers)
    value_text, low_text, high_text = _format_alike(value, low, high, digits, has_powers)
    return tr("{value} ({low}–{high})", value=value_text, low=low_text, high=high_text)


def _format_alike(
    value: float, low: float, high: float, digits: int, has_powers: bool | None = None
) -> tuple[str, ...]:
    """Return a number and the ends of its interval in one notation.

    All have the decimals of the number. If the number has a power of ten, all have its power.

    >>> _format_alike(0.00112, 0.000212, 0.00245, -3)
    ('0.00112', '0.00021', '0.00245')
    """
    numbers = (value, low, high)
    if digits >= 0 or not value or math.isnan(value):
        return tuple(format_value(number, digits) for number in numbers)
    decimals = _significant_decimals(value, -digits)
    if decimals < 0:
        return tuple(format_value(number, digits) for number in numbers)
    if not _has_power(value, digits, has_powers):
        return tuple(format_value(number, decimals) for number in numbers)
    exponent = math.floor(math.log10(abs(value)))
    mantissas = (number / 10.0**exponent for number in numbers)
    return tuple(
        localize_number(f"{mantissa:.{-digits - 1}f}e{exponent:+03d}") for mantissa in mantissas
    )
