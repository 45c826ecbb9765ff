"""Garbage holds widgets and layers of the main thread: freed in another one, they crash QGIS, often only later."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from qgis.PyQt.QtCore import QCoreApplication, QObject, QThread, QTimer, pyqtSignal


class _Garbage(QObject):
    _left = pyqtSignal()

    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())  # a run may last longer than the plugin
        self._lock, self._working, self._timer = Lock(), 0, QTimer(self)
        self._timer.setInterval(500)  # ms
        self._timer.timeout.connect(self._look)
        self._left.connect(self._timer.start)

    @contextmanager
    def left_to_main_thread(self) -> Iterator[None]:
        """Work of a thread, which frees no garbage meanwhile; on the main thread it changes nothing."""
        if QThread.currentThread() == self.thread():
            yield
            return
        with self._lock:
            self._working += 1
            if gc.isenabled():
                gc.disable()
                self._left.emit()
        try:
            yield
        finally:
            with self._lock:
                self._working -= 1

    def _look(self) -> None:
        with self._lock:
            if not self._working:
                self._timer.stop()
                gc.enable()
        for age in (
            1,
            0,
        ):  # all that lives is looked through, by Python, once nobody works: that takes 0.1 s and more
            if gc.get_count()[age] > gc.get_threshold()[age] > 0:
                gc.collect(age)


GARBAGE = _Garbage()
