"""Background tasks of the dock that are not runs of an algorithm."""

from __future__ import annotations

from functools import partial
from threading import Event
from typing import Any, Callable

import qgis.utils
from qgis.core import QgsApplication, QgsTask
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, QThreadPool, QTimer, pyqtSignal

from randcrowns.core.errors import Cancelled
from randcrowns.core.progress import Progress
from randcrowns.layers.garbage_collection import GARBAGE_COLLECTOR
from randcrowns.layers.localization import tr
from randcrowns.ui.services.message_bar import MessageBar

#: Tasks whose Python objects must live until QGIS has deleted the C++ objects.
_RUNNING_TASKS: set[QgsTask] = set()

#: Interval at which a task that has not started is checked, ms.
_CHECK_INTERVAL = 500

#: Maximum number of result rows that are read on the main thread, which takes less than 0.1 s.
_MAX_ROWS_AT_ONCE = 5000


def submit_task(task: QgsTask, restart: Callable[[], object]) -> None:
    """Submit a task to QGIS's task manager, and replace it if QGIS loses it.

    When a task has ended, QGIS removes it from the queue of the thread pool by the address of an
    object that is already deleted. A new task may have this address; it is then removed instead,
    and never starts. A task that is still queued although threads are free is therefore cancelled
    and replaced.

    The thread pool keeps at least two threads more than there are active tasks: in older versions
    of QGIS, Qt scales and converts images in the same pool while Python waits. If tasks that wait
    for Python took all threads, both would wait for each other forever.

    Args:
        task: A task that has not been started.
        restart: Called if the task was lost; it submits another one. The lost task is cancelled
            afterwards.
    """
    manager = QgsApplication.taskManager()
    manager.addTask(task)
    pool = task_pool()
    pool.setMaxThreadCount(max(pool.maxThreadCount(), manager.countActiveTasks() + 2))

    def check() -> None:
        """Replace the task if it was lost; check again later while it waits for a thread."""
        if sip.isdeleted(task) or task.status() != QgsTask.TaskStatus.Queued:
            return
        pool = task_pool()
        if pool.activeThreadCount() >= pool.maxThreadCount():
            QTimer.singleShot(_CHECK_INTERVAL, check)
            return
        # Only a task that has not started can be put on hold.
        task.hold()
        if task.status() == QgsTask.TaskStatus.OnHold:
            restart()
            task.cancel()

    QTimer.singleShot(_CHECK_INTERVAL, check)


def task_pool() -> QThreadPool:
    """Return the thread pool of QGIS's task manager, which is the global one in older versions."""
    manager = QgsApplication.taskManager()
    return manager.threadPool() if hasattr(manager, "threadPool") else QThreadPool.globalInstance()


class BackgroundTask(QObject):
    """A function that runs in a QGIS task, starting with the construction of this object.

    Emits :attr:`finished` with the function's return value, or with the exception that it raised.
    A stopped task emits nothing.

    Args:
        description: Title of the task in QGIS's task manager.
        work: Called in a worker thread with a progress callback, which raises
            :class:`randcrowns.core.errors.Cancelled` after :meth:`stop`.
        parent: Qt parent of this object.
    """

    finished = pyqtSignal(object)
    #: Progress in percent.
    progressed = pyqtSignal(float)

    def __init__(
        self, description: str, work: Callable[[Progress], Any], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._description = description
        self._work = work
        self._stop_event = Event()
        self._start()

    def _start(self) -> None:
        """Start a task; it replaces the one that was started before, if that one was lost."""
        #: The outcome of the work. It is not stored in the task, which may outlive this object.
        self._outcomes: list[Any] = []
        task = QgsTask.fromFunction(
            self._description,
            _run_work,
            self._work,
            self._stop_event,
            self._outcomes,
            on_finished=partial(self._emit_outcome, self._outcomes),
        )
        task.progressChanged.connect(self._emit_progress)

        # QGIS deletes tasks that have ended.
        deleted_tasks = set(filter(sip.isdeleted, _RUNNING_TASKS))
        _RUNNING_TASKS.difference_update(deleted_tasks)
        _RUNNING_TASKS.add(task)
        submit_task(task, self._start)

    def stop(self) -> None:
        """Request the work to stop; no further signal is emitted."""
        self._stop_event.set()

    def _emit_progress(self, percent: float) -> None:
        """Emit the progress of the task unless it was stopped."""
        if not self._stop_event.is_set():
            self.progressed.emit(percent)

    def _emit_outcome(
        self, outcomes: list[Any], error: Exception | None, _result: Any = None
    ) -> None:
        """Emit what the work returned or raised.

        Args:
            outcomes: The outcome of the work; empty if QGIS did not run it. The list of a task
                that was lost and replaced is ignored.
            error: The reason if QGIS did not run the work.
        """
        if outcomes is not self._outcomes:
            return
        MessageBar(qgis.utils.iface).remove_task_message(self._description)
        outcome = outcomes.pop() if outcomes else error
        if not self._stop_event.is_set():
            self.finished.emit(outcome)


def run_read(
    row_count: int, work: Callable[[], Any], on_finished: Callable[[Any], object]
) -> BackgroundTask | None:
    """Read results and pass them to a callback, in a background task if there are many rows.

    Args:
        row_count: Number of rows that ``work`` reads. Up to 5000 rows are read at once, on the
            calling thread.
        work: Reads the results. It must not use layers or widgets, because it may run in a
            worker thread.
        on_finished: Called on the main thread with the return value of ``work``, or with the
            exception that it raised.

    Returns:
        The background task, or None if the rows were read at once.
    """
    if row_count <= _MAX_ROWS_AT_ONCE:
        on_finished(_result_or_error(work))
        return None
    task = BackgroundTask(tr("Reading results"), lambda _: work())
    task.finished.connect(on_finished)
    return task


@GARBAGE_COLLECTOR.defer_to_main_thread()
def _run_work(
    task: QgsTask, work: Callable[[Progress], Any], stop_event: Event, outcomes: list[Any]
) -> None:
    """Call ``work`` in the worker thread and append its result or exception to ``outcomes``.

    Args:
        task: QGIS task that calls this function; it shows the progress.
        work: Called with a progress callback, which raises
            :class:`randcrowns.core.errors.Cancelled` if the task was stopped.
        stop_event: Event that is set to stop the work.
        outcomes: List that receives the outcome.
    """

    def report_progress(fraction: float) -> None:
        """Show the progress, or cancel the work if the task was stopped."""
        if stop_event.is_set() or task.isCanceled():
            raise Cancelled
        task.setProgress(100 * fraction)

    outcomes.append(_result_or_error(partial(work, report_progress)))


def _result_or_error(work: Callable[[], Any]) -> Any:
    """Return what ``work`` returns, or the exception that it raises."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - the receiver shows it; QGIS would only log it
        return error
