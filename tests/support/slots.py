"""Exceptions in slots."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["slots_told"]


@contextmanager
def slots_told() -> Iterator[list[BaseException]]:
    """Raise the first exception of a slot at the end.

    Without a hook, PyQt ends the process and gives no reason.
    """
    raised: list[BaseException] = []
    before, sys.excepthook = sys.excepthook, lambda _kind, error, _trace: raised.append(error)
    try:
        yield raised
    finally:
        sys.excepthook = before
    if raised:
        raise raised[0]
