"""Signal connections that can all be taken back, even when one end is gone already."""

from __future__ import annotations

from typing import Any, Callable

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

__all__ = ["Connections", "safely"]


def safely(action: Callable[..., Any], *arguments: Any) -> None:
    """Call ``action``; that one of the objects is deleted or was never connected does no harm."""
    try:
        action(*arguments)
    except (RuntimeError, TypeError):
        return


class Connections:
    """The signal connections of one object, closed together."""

    def __init__(self) -> None:
        self._made: list[tuple[QObject, str, Callable[..., Any]]] = []

    def connect(self, sender: QObject, signal: str, slot: Callable[..., Any]) -> None:
        """Connect the signal of that name to ``slot`` and remember it."""
        getattr(sender, signal).connect(slot)
        self._made.append((sender, signal, slot))

    def close(self) -> None:
        """Take every connection back; the signal of a deleted object is never touched, that would crash."""
        made, self._made = self._made, []
        for sender, signal, slot in made:
            if not sip.isdeleted(sender):
                safely(getattr(sender, signal).disconnect, slot)
