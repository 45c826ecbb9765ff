"""Words for people, in their language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from html import escape
from numbers import Integral
from typing import TYPE_CHECKING, Any

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QCoreApplication, QDate, QLocale

if TYPE_CHECKING:  # words are also said when the libraries that core needs are missing
    from randcrowns.core.remarks import Remark


#: A space without a width; marks of rich text, and beginnings of words that are long.
BREAK = "\u200b"
_LONG = re.compile(
    rf"<[^>]*>|&\w+;|[^\s<&{BREAK}]{{1,19}}?[_/\\.-](?=[^\s<&]{{9}})|[^\s<&{BREAK}]{{20}}(?=[^\s<&{BREAK}])"
)
#: What Qt counts with; more is many in every language.
_MANY = 1_000_000


def tr(text: str, /, *, one: str = "", **values: Any) -> str:
    """The text in the user's language, with the values where it names them in braces.

    A text with a ``count`` has a form for each kind of number that the language knows, in its catalogue; without a
    catalogue, ``one`` is the form for a count of 1. A remark, or an error of ours, as a value stands for its sentence,
    a tuple for its items with commas between them.
    """
    count = values.get("count")
    number = int(count) if (one or "{count" in text) and isinstance(count, Integral) else -1
    found = QCoreApplication.translate("RandCrowns", text, None, min(number, _MANY))
    if one and count == 1 and found == text:
        found = one
    return found.format(**{name: shown(value) for name, value in values.items()}) if values else found


def reason(error: BaseException) -> str:
    """What an error says: in the user's language where it is one of ours."""
    return str(shown(error))


def shown(value: Any) -> Any:
    """What stands for a value in a sentence, or in a table; see :func:`tr`."""
    if isinstance(value, tuple):
        return ", ".join(str(shown(item)) for item in value)
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
    """The day of a time on this machine, as ``23 Nov``, in QGIS's language."""
    here = time.astimezone()
    return QLocale(QgsApplication.locale()).toString(QDate(here.year, here.month, here.day), "d MMM")


def written(value: float, digits: int) -> str:
    """A number with that many decimal places, or significant digits where negative; 0 has no sign."""
    return format(value or 0, f",.{abs(digits)}{'f' if digits >= 0 else 'g'}")
