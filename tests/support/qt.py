"""Event loops."""

from __future__ import annotations

import time
from typing import Any, Callable

from qgis.PyQt.QtCore import QCoreApplication, QEvent, QEventLoop

__all__ = ["is_folded", "spin", "wait_until"]

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


def wait_until(condition: Callable[[], bool], seconds: float = 300.0) -> None:
    """Process events until a condition holds; fail after ``seconds``."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("the condition did not come true in time")
        spin(5)


def is_folded(page: Any) -> bool:
    """Return True if all groups of a page's form are collapsed."""
    return all(box.isCollapsed() for box in page.form.group_boxes)
