"""Waiting for Qt."""

from __future__ import annotations

import time
from typing import Any, Callable

from qgis.PyQt.QtCore import QCoreApplication, QEvent, QEventLoop

__all__ = ["is_folded", "spin", "wait_until"]

#: Seconds between two looks at Qt's events.
_PAUSE = 0.002
#: Milliseconds after which one look ends though events are left, which a busy machine takes long
#: for.
_LONGEST = 1000


def spin(milliseconds: int = 0) -> None:
    """Let Qt work for a while."""
    end = time.monotonic() + milliseconds / 1000
    while True:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, _LONGEST)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        left = end - time.monotonic()
        if left <= 0:
            return
        time.sleep(min(left, _PAUSE))  # else it would take the processor from what is waited for


def wait_until(condition: Callable[[], bool], seconds: float = 300.0) -> None:
    """Let Qt work until the condition holds; fails when it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("the condition did not come true in time")
        spin(5)


def is_folded(page: Any) -> bool:
    """Whether nothing of a page's form but the headings is shown."""
    return all(box.isCollapsed() for box in page.form.group_boxes)
