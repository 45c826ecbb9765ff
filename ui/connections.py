"""Signal connections that can all be taken back, even when one end is gone already."""

from __future__ import annotations

from typing import Any, Callable

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
        self._pairs: list[tuple[Any, Callable[..., Any]]] = []

    def connect(self, signal: Any, slot: Callable[..., Any]) -> None:
        """Connect ``signal`` to ``slot`` and remember it."""
        signal.connect(slot)
        self._pairs.append((signal, slot))

    def close(self) -> None:
        """Take every connection back."""
        pairs, self._pairs = self._pairs, []
        for signal, slot in pairs:
            safely(signal.disconnect, slot)
