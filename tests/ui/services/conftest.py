"""A task that QGIS loses."""

from __future__ import annotations

import pytest
from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QRunnable

from randcrowns.ui.services import background


class _Nothing(QRunnable):
    """An entry of a thread pool that does nothing."""

    def run(self):
        """Do nothing."""


@pytest.fixture
def lose_task(monkeypatch):
    """A function that makes QGIS lose the next task; it returns a list that receives the task.

    The entry of the task is removed from the queue of the pool, as QGIS does by mistake.
    """
    pool = background.task_pool()
    thread_count = pool.maxThreadCount()

    def lose_next_task():
        nothing = _Nothing()
        nothing.setAutoDelete(False)
        pool.start(nothing)  # a pool always starts its first thread
        pool.waitForDone(20000)
        pool.setMaxThreadCount(0)
        lost_tasks = []

        def forget_task():
            """Return the pool, which has lost the task that was submitted."""
            if not lost_tasks:
                lost_tasks.append(QgsApplication.taskManager().tasks()[-1])
                pool.clear()
                pool.setMaxThreadCount(max(thread_count, 2))
            return pool

        monkeypatch.setattr(background, "task_pool", forget_task)
        return lost_tasks

    yield lose_next_task
    pool.setMaxThreadCount(max(thread_count, 2))
