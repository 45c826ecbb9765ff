"""Control of Python's garbage collector, so that worker threads never delete Qt objects.

Unreachable objects include widgets and layers of the main thread. Deleting them in another thread
crashes QGIS, often only later.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from qgis.PyQt.QtCore import QCoreApplication, QObject, QThread, QTimer, pyqtSignal

#: Time between two collections on the main thread while the collector is off, milliseconds.
_INTERVAL = 500


class _GarbageCollector(QObject):
    """Garbage collector that runs on the main thread while worker threads are busy.

    Its parent is the application, because a run may last longer than the plugin.
    """

    #: Emitted by a worker thread that has switched the automatic collector off.
    _collector_disabled = pyqtSignal()

    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())
        self._lock = Lock()
        self._n_workers = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL)
        self._timer.timeout.connect(self._collect)
        self._collector_disabled.connect(self._timer.start)

    @contextmanager
    def defer_to_main_thread(self) -> Iterator[None]:
        """Leave the garbage collection to the main thread during the work of a worker thread.

        On the main thread this changes nothing.
        """
        if QThread.currentThread() == self.thread():
            yield
            return
        with self._lock:
            self._n_workers += 1
            if gc.isenabled():
                gc.disable()
                self._collector_disabled.emit()
        try:
            yield
        finally:
            with self._lock:
                self._n_workers -= 1

    def _collect(self) -> None:
        """Collect garbage; switch the automatic collector on again if no worker is busy."""
        with self._lock:
            if self._n_workers == 0:
                self._timer.stop()
                gc.enable()
        # The oldest generation takes 0.1 s and more. It is left to the automatic collector, once no
        # worker is busy.
        for generation in (1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation] > 0:
                gc.collect(generation)


GARBAGE_COLLECTOR = _GarbageCollector()
