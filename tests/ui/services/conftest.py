"""A task that QGIS loses."""

from __future__ import annotations

from threading import Event

import pytest
from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QRunnable

from randcrowns.ui.services import background


class _Waiting(QRunnable):
    """An entry of a thread pool that occupies a thread until an event is set."""

    def __init__(self):
        super().__init__()
        self.setAutoDelete(False)
        self.is_running = Event()
        self.may_end = Event()

    def run(self):
        """Wait for the event."""
        self.is_running.set()
        self.may_end.wait(60)


@pytest.fixture
def lose_task(monkeypatch):
    """A function that makes QGIS lose the next task; it returns a list that receives the task.

    The entry of the task is removed from the queue of the pool, as QGIS does by mistake.
    """
    pool = background.task_pool()
    thread_count = pool.maxThreadCount()
    waiting = _Waiting()

    def lose_next_task():
        pool.waitForDone(20000)
        pool.setMaxThreadCount(1)
        pool.start(waiting)
        assert waiting.is_running.wait(20)
        lost_tasks = []

        def forget_task():
            """Return the pool, which has lost the task that was submitted."""
            if not lost_tasks:
                lost_tasks.append(QgsApplication.taskManager().tasks()[-1])
                assert lost_tasks[0].status() == lost_tasks[0].TaskStatus.Queued
                pool.clear()
                pool.setMaxThreadCount(max(thread_count, 2))
                waiting.may_end.set()
            return pool

        monkeypatch.setattr(background, "task_pool", forget_task)
        return lost_tasks

    yield lose_next_task
    waiting.may_end.set()
    pool.setMaxThreadCount(max(thread_count, 2))
    pool.waitForDone(20000)
