"""Words for people, in their language: sentences, numbers and dates."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from html import escape
from numbers import Integral, Real
from typing import Any, NamedTuple

from qgis.PyQt.QtCore import QCoreApplication, QDate

from randcrowns.core.remarks import Remark, decimals_of
from randcrowns.layers import language

#: A space without a width; marks of rich text, and beginnings of words that are long.
BREAK = "\u200b"
_LONG = re.compile(
    rf"<[^>]*>|&\w+;|[^\s<&{BREAK}]{{1,19}}?[_/\\.-](?=[^\s<&]{{9}})|[^\s<&{BREAK}]{{20}}(?=[^\s<&{BREAK}])"
)
#: A number in an expression of QGIS's, which may name a language.
_NUMBER = re.compile(r"(format_number\(.*?, [1-9])\)")
#: What Qt counts with; more is many in every language.
_MANY = 1_000_000


def tr(text: str, /, *, one: str = "", **values: Any) -> str:
    """The text in the user's language, with the values where it names them in braces: ``{count:,}``, ``{share:.2f}``.

    A text with a ``count`` has a form for each kind of number that the language knows, in its catalogue; without a
    catalogue, ``one`` is the form for a count of 1. A remark, or an error of ours, as a value stands for its sentence,
    a tuple for its items with commas between them.
    """
    count = values.get("count")
    number = int(count) if (one or "{count" in text) and isinstance(count, Integral) else -1
    found = QCoreApplication.translate("RandCrowns", text, None, min(number, _MANY))
    if one and count == 1 and found == text:
        found = one
    return filled(found, **values) if values else found


def filled(text: str, /, **values: Any) -> str:
    """A text that is in the user's language, with the values where it names them; see :func:`tr`."""
    return text.format(**{name: _Told(value) for name, value in values.items()})


class _Told(NamedTuple):
    """A value as a sentence has it: a number in the format that the sentence wants, in the user's language."""

    value: Any

    def __format__(self, wanted: str) -> str:
        told = format(shown(self.value), wanted)
        return local(told) if isinstance(self.value, Real) else told


def local(number: str) -> str:
    """A number as Python writes it, ``1,200.5``, as the user's language does: ``1.200,5``."""
    number = number.translate(language.SIGNS)
    return tr("{number}%", number=number[:-1]) if number.endswith("%") else number


def in_expressions(text: str) -> str:
    """A text with expressions of QGIS's, whose ``format_number`` otherwise writes as the system does."""
    return _NUMBER.sub(rf"\1, '{language.locale().name()}')", text) if language.SIGNS else text


def reason(error: BaseException) -> str:
    """What an error says: in the user's language where it is one of ours."""
    return str(shown(error))


def shown(value: Any) -> Any:
    """What stands for a value in a sentence, or in a table; see :func:`tr`."""
    if isinstance(value, tuple):
        return ", ".join(format(_Told(item)) for item in value)
    return value.sentence(tr) if hasattr(value, "sentence") else value


def plain(text: str) -> str:
    """A text that Qt shows as it is, letter by letter, where it might take it for rich text: a tooltip, the bar."""
    marked = escape(text, quote=False)
    return text if marked == text else f"<qt>{marked}</qt>".replace("\n", "<br>")


def breakable(text: str) -> str:
    """A text whose long words may go on in the next line: after a sign, a space without a width stands there.

    Marks of rich text stay as they are.
    """
    return _LONG.sub(lambda found: found[0] if found[0][0] in "<&" else found[0] + BREAK, text)


def sentences(remarks: Iterable[Remark]) -> list[str]:
    """What the remarks say, in the user's language."""
    return [remark.sentence(tr) for remark in remarks]


def day_of(time: datetime) -> str:
    """The day of a time on this machine, as ``23 Nov``, in the user's language."""
    here = time.astimezone()
    return str(language.locale().toString(QDate(here.year, here.month, here.day), tr("d MMM")))


def written(value: float, digits: int | None) -> str:
    """So many decimals, significant digits where negative, by its size with None; 0 has no sign, NaN is ``n/a``."""
    digits = decimals_of(value) if digits is None else digits
    return (
        tr("n/a")
        if value != value
        else local(format(value or 0, f",.{abs(digits)}{'f' if digits >= 0 else 'g'}"))
    )
