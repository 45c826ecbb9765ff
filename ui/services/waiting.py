"""Feedback while the user waits: busy cursor, remaining time, and attention at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtWidgets import QApplication, QWidget

from randcrowns.layers.localization import tr

#: Time after which the user must see that work has begun, ms.
BUSY_DELAY = 300
#: Time after which the user must see how much is left, s.
REMAINING_DELAY = 3.0
#: Remaining time from which it is given in minutes, s.
_MINUTES_FROM = 90
#: Progress below which the remaining time cannot be estimated, percent.
_MIN_PERCENT = 2.0


@contextmanager
def busy_cursor() -> Iterator[None]:
    """Show the busy cursor within a ``with`` block that keeps the window from responding."""
    QApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    try:
        yield
    finally:
        QApplication.restoreOverrideCursor()


def show_busy_until_idle() -> None:
    """Show the busy cursor until the window responds again.

    Call this at the start of work of QGIS that the plugin cannot wrap, such as saving a project.
    """
    QApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    QTimer.singleShot(0, QApplication.restoreOverrideCursor)


class RemainingTime:
    """Estimate of the time that a run still needs, from its progress so far.

    Args:
        clock: function that returns the current time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()

    def start(self) -> None:
        """Begin to measure."""
        self._start = self._clock()

    @property
    def elapsed(self) -> float:
        """Time since the start, s."""
        return self._clock() - self._start

    def text(self, percent: float) -> str:
        """Return the remaining time as text.

        Args:
            percent: progress, 0 to 100.

        Returns:
            Such as "about 12 s left"; "" during the first three seconds, and while the progress is
            too small for an estimate.
        """
        if self.elapsed < REMAINING_DELAY or percent < _MIN_PERCENT:
            return ""
        return format_remaining(self.elapsed * (100.0 - percent) / percent)


def format_remaining(seconds: float) -> str:
    """Return a remaining time in seconds as text, such as "about 12 s left"."""
    if seconds >= _MINUTES_FROM:
        return tr("about {minutes} min left", minutes=round(seconds / 60))
    return tr("about {seconds} s left", seconds=max(round(seconds), 1))


def call_attention(window: QWidget | None) -> None:
    """Mark a window in the task bar if another program is in front of it.

    QGIS itself shows a notification of the desktop when a task of more than 5 s ends.
    """
    if window is not None and not window.isActiveWindow():
        QApplication.alert(window)
