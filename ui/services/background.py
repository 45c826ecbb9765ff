"""Work beside the window that is no run of an algorithm, as a task of QGIS."""

from __future__ import annotations

from functools import partial
from threading import Event
from typing import Any, Callable

import qgis.utils
from qgis.core import QgsApplication, QgsTask
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, QThreadPool, pyqtSignal

from randcrowns.core.errors import Cancelled
from randcrowns.core.progress import Progress
from randcrowns.layers.garbage import GARBAGE
from randcrowns.layers.words import tr
from randcrowns.ui.services.messages import Messages

#: Tasks whose Python half must live until QGIS has deleted them.
_UNDER_WAY: set[QgsTask] = set()

#: So many rows of results are read in less than 0.1 s.
_FEW_ROWS = 5000


def hand_over(task: QgsTask) -> None:
    """Give a task to QGIS."""
    pool, manager = QThreadPool.globalInstance(), QgsApplication.taskManager()
    manager.addTask(task)
    # Qt scales and converts pictures in the threads that tasks run in, while Python waits. Without threads beside the
    # tasks', all could be taken by tasks that wait for Python in turn.
    pool.setMaxThreadCount(max(pool.maxThreadCount(), manager.countActiveTasks() + 2))


class Background(QObject):
    """One piece of work, which QGIS calls by its ``description``; it takes a progress, by which it is stopped.

    Emits :attr:`ended` with what it gave, or the exception that it raised; not once stopped.
    """

    ended = pyqtSignal(object)
    #: Percent.
    progressed = pyqtSignal(float)

    def __init__(
        self, description: str, work: Callable[[Progress], Any], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._description, self._stop = description, Event()
        self._found: list[Any] = []  # not with the task, which lives on for a while
        task = QgsTask.fromFunction(
            description, _run, work, self._stop, self._found, on_finished=self._take
        )
        task.progressChanged.connect(self._tell)
        _UNDER_WAY.difference_update({ended for ended in _UNDER_WAY if sip.isdeleted(ended)})
        _UNDER_WAY.add(task)
        hand_over(task)

    def stop(self) -> None:
        """Have it end soon, and say nothing of it."""
        self._stop.set()

    def _tell(self, percent: float) -> None:
        if not self._stop.is_set():
            self.progressed.emit(percent)

    def _take(self, error: Exception | None, _nothing: Any = None) -> None:
        Messages(qgis.utils.iface).silence(self._description)
        found = self._found.pop() if self._found else error
        if not self._stop.is_set():
            self.ended.emit(found)


def read_rows(
    rows: int, work: Callable[[], Any], then: Callable[[Any], object]
) -> Background | None:
    """Give what ``work`` finds in so many rows, or the exception that it raised, to ``then``.

    Few rows are read at once, many beside the window, where work touches neither layers nor widgets.
    """
    if rows > _FEW_ROWS:
        reading = Background(tr("Reading results"), lambda _: work())
        reading.ended.connect(then)
        return reading
    then(_tried(work))
    return None


@GARBAGE.left_to_main_thread()
def _run(task: QgsTask, work: Callable[[Progress], Any], stop: Event, found: list[Any]) -> None:
    def progress(fraction: float) -> None:
        if stop.is_set() or task.isCanceled():
            raise Cancelled
        task.setProgress(100 * fraction)

    found.append(_tried(partial(work, progress)))


def _tried(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - told by whoever asked, not by QGIS
        return error
