"""Background tasks, and how they are submitted to QGIS's task manager."""

from __future__ import annotations

import pytest
from qgis.core import QgsApplication
from support.qt import wait_until

from randcrowns.ui.services.background import BackgroundTask

pytestmark = pytest.mark.usefixtures("qgis_app")


def start_task(work):
    """Start a task and return it with the list of its outcomes."""
    outcomes = []
    task = BackgroundTask("a task", work)
    task.finished.connect(outcomes.append)
    return task, outcomes


def test_a_task_that_was_lost_is_started_again_once(lose_task):
    lost_tasks = lose_task()
    calls = []
    _, outcomes = start_task(lambda _: calls.append(1) or 7)
    wait_until(lambda: bool(outcomes))
    wait_until(lambda: QgsApplication.taskManager().count() == 0)
    assert outcomes == [7]
    assert calls == [1]
    assert len(lost_tasks) == 1


def test_a_stopped_task_that_was_lost_emits_nothing(lose_task):
    lost_tasks = lose_task()

    def work(report_progress):
        report_progress(0.5)
        pytest.fail("the work was not stopped")

    task, outcomes = start_task(work)
    task.stop()
    wait_until(lambda: QgsApplication.taskManager().count() == 0)
    assert outcomes == []
    assert len(lost_tasks) == 1


def test_a_task_that_qgis_cancels_reports_it():
    def work(report_progress):
        while True:
            report_progress(0.5)

    _, outcomes = start_task(work)
    QgsApplication.taskManager().cancelAll()
    wait_until(lambda: bool(outcomes))
    assert isinstance(outcomes[0], Exception)


def test_none_of_many_tasks_in_chains_is_lost():
    """Each task starts the next one when it ends, as previews of imported files do."""
    chains, length = 4, 250
    ended = []
    running = {}

    def start(number):
        running[number], _ = start_task(lambda _: number)
        running[number].finished.connect(go_on)

    def go_on(number):
        ended.append(number)
        del running[number]
        if number + chains < chains * length:
            start(number + chains)

    for number in range(chains):
        start(number)
    wait_until(lambda: len(ended) == chains * length)
    assert sorted(ended) == list(range(chains * length))
