"""The width of the dock, which follows the window until the user changes it."""

from __future__ import annotations

from qgis.PyQt.QtCore import QEvent, QObject, Qt
from qgis.PyQt.QtWidgets import QDockWidget, QMainWindow

from randcrowns.ui.services.layer_watch import single_shot_timer
from randcrowns.ui.shell.dock import opening_width

__all__ = ["CommonWidth"]


class CommonWidth(QObject):
    """Keeps a dock at its common width while the window of QGIS changes its size.

    QGIS first shows a small window, which most users maximize. A dock whose width the user has
    changed is left alone.

    Args:
        dock: The dock, which owns this object.
        window: The window of QGIS.
    """

    def __init__(self, dock: QDockWidget, window: QMainWindow) -> None:
        super().__init__(dock)
        self._dock = dock
        self._window = window
        #: Width of the dock after it was last set, pixels; None before that.
        self._width: int | None = None
        # The layout of the window has the new size in the next iteration of the event loop.
        self._timer = single_shot_timer(0, self._set_width, self)
        self._measuring_timer = single_shot_timer(0, self._store_width, self)
        window.installEventFilter(self)
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Set the width again after the window was resized."""
        if event.type() == QEvent.Type.Resize:
            self._timer.start()
        return False

    def _set_width(self) -> None:
        """Set the common width for the width of the window, unless the user has changed it."""
        is_unchanged = self._width in (None, self._dock.width())
        if is_unchanged and self._dock.isVisible() and not self._dock.isFloating():
            width = opening_width(self._window.width())
            self._window.resizeDocks([self._dock], [width], Qt.Orientation.Horizontal)
            self._measuring_timer.start()

    def _store_width(self) -> None:
        """Store the width that the layout of the window gave to the dock."""
        self._width = self._dock.width()
