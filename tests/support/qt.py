"""Event loops."""

from __future__ import annotations

import inspect
import time
from typing import Any, Callable

from qgis.PyQt.QtCore import QCoreApplication, QEvent, QEventLoop

__all__ = ["RUN_SECONDS", "is_folded", "spin", "wait_until"]

#: Maximum duration of a run of an algorithm on a slow machine with other work, s.
RUN_SECONDS = 300.0

#: Pause between two rounds of events, s.
_PAUSE = 0.002
#: Maximum duration of a round of events, ms.
_LONGEST = 1000


def spin(milliseconds: int = 0) -> None:
    """Process events for some time."""
    end = time.monotonic() + milliseconds / 1000
    while True:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, _LONGEST)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        left = end - time.monotonic()
        if left <= 0:
            return
        time.sleep(min(left, _PAUSE))  # leave the processor to the work


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Process events until a condition holds.

    Args:
        condition: function that returns True at the end.
        seconds: maximum duration.

    Raises:
        TimeoutError: with the code of the condition, if it does not hold in time.
    """
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"not true after {seconds:g} s: {_code_of(condition)}")
        spin(5)


def _code_of(condition: Callable[[], bool]) -> str:
    """Return the lines of code of a function, or its name if it is not written in Python."""
    try:
        return inspect.getsource(condition).strip()
    except (OSError, TypeError):
        return repr(condition)


def is_folded(page: Any) -> bool:
    """Return True if all groups of a page's form are collapsed."""
    return all(box.isCollapsed() for box in page.form.group_boxes)
