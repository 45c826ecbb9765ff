"""Words for people, in their language."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from qgis.PyQt.QtCore import QCoreApplication

if TYPE_CHECKING:  # words are also said when the libraries that core needs are missing
    from randcrowns.core.remarks import Remark


def tr(text: str, /, **values: Any) -> str:
    """The text in the user's language, with the values where it names them in braces."""
    translated = QCoreApplication.translate("RandCrowns", text)
    return translated.format(**values) if values else translated


def plain(text: str) -> str:
    """A text that Qt shows as it is, letter by letter, where it might take it for rich text: a tooltip, the bar."""
    marked = escape(text, quote=False)
    return text if marked == text else f"<qt>{marked}</qt>".replace("\n", "<br>")


def counted(number: int, one: str, many: str) -> str:
    """The number with its noun: ``1 crown``, ``1,204 crowns``."""
    return f"{number:,} {one if number == 1 else many}"


def sentences(remarks: Iterable[Remark]) -> list[str]:
    """What the remarks say, in the user's language."""
    return [remark.sentence(tr) for remark in remarks]


def written(value: float, digits: int) -> str:
    """A number with that many decimal places, or significant digits where negative; 0 has no sign."""
    return format(value or 0, f",.{abs(digits)}{'f' if digits >= 0 else 'g'}")
