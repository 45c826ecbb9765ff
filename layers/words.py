"""Words for people, in their language."""

from __future__ import annotations

from qgis.PyQt.QtCore import QCoreApplication

__all__ = ["counted", "tr"]


def tr(text: str) -> str:
    """The text in the user's language."""
    return QCoreApplication.translate("RandCrowns", text)


def counted(number: int, one: str, many: str) -> str:
    """The number with its noun: ``1 crown``, ``1,204 crowns``."""
    return f"{number:,} {one if number == 1 else many}"
