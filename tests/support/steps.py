"""Count function calls instead of time, which depends on the machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["at_most"]


@contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Fail if this thread calls more than ``calls`` functions, those of C included."""
    left = [calls]

    def count(_frame: FrameType, event: str, _what: object) -> None:
        left[0] -= event in ("call", "c_call")
        if left[0] < 0:
            sys.setprofile(None)
            raise AssertionError(f"more than {calls:,} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
