"""Words for people, in their language."""

from __future__ import annotations

from qgis.PyQt.QtCore import QCoreApplication

__all__ = ["tr"]


def tr(text: str) -> str:
    """The text in the user's language."""
    return QCoreApplication.translate("RandCrowns", text)
