"""Progress of a run with the time that is left."""

from __future__ import annotations

from qgis.PyQt.QtCore import QSize, QTimer
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QProgressBar

from randcrowns.ui.services.waiting import RemainingTime, format_remaining

#: Interval at which the remaining time is updated, milliseconds.
_REMAINING_INTERVAL = 1000
#: Remaining time for which the size hint has room, s.
_COMMON_MAXIMUM = 88.0
#: Text of the widest progress in percent.
_WIDEST_PERCENT = "100"
#: Width of the frame around the text, pixels.
_TEXT_PADDING = 8


class RunProgressBar(QProgressBar):
    """Progress bar that shows, in runs of more than three seconds, the time that is left."""

    def __init__(self) -> None:
        super().__init__()
        #: Estimate of the time that the run still needs.
        self.remaining_time = RemainingTime()
        self._timer = QTimer(self)
        self._timer.setInterval(_REMAINING_INTERVAL)
        self._timer.timeout.connect(self._show_remaining_time)

    def start(self) -> None:
        """Begin a run, of which no progress is known yet."""
        self.remaining_time.start()
        self._timer.start()
        self.setRange(0, 0)

    def show_percent(self, percent: float) -> None:
        """Show the progress of the run, 0 to 100."""
        self.setRange(0, 100)
        self.setValue(round(percent))
        self._show_remaining_time()

    def stop(self) -> None:
        """End the run."""
        self._timer.stop()

    def _show_remaining_time(self) -> None:
        """Show the progress in percent and, in longer runs, the time that is left.

        A bar that is too narrow for the time shows it only as its tooltip; styles would wrap and
        clip the text.
        """
        remaining = self.remaining_time.text(self.value())
        fits = self._needed_width(remaining) <= self.width()
        self.setFormat(f"%p % · {remaining}" if remaining and fits else "%p %")
        self.setToolTip(remaining)

    def _needed_width(self, remaining: str) -> int:
        """Return the width of the bar that shows a remaining time, pixels."""
        text = f"{_WIDEST_PERCENT} % · {remaining}"
        return int(self.fontMetrics().horizontalAdvance(text)) + _TEXT_PADDING

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a size with room for the remaining time."""
        hint = super().sizeHint()
        width = self._needed_width(format_remaining(_COMMON_MAXIMUM))
        return QSize(max(hint.width(), width), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show or hide the time that is left for the new width."""
        super().resizeEvent(event)
        self._show_remaining_time()
