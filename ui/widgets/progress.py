"""Progress of a run with the time that is left."""

from __future__ import annotations

from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtWidgets import QProgressBar

from randcrowns.ui.services.waiting import RemainingTime

#: Interval at which the remaining time is updated, milliseconds.
_REMAINING_INTERVAL = 1000


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
        """Show the progress in percent and, in longer runs, the time that is left."""
        remaining = self.remaining_time.text(self.value())
        self.setFormat(f"%p % · {remaining}" if remaining else "%p %")
        self.setToolTip(remaining)
