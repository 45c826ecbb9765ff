"""Runs in the background: each ends exactly once, whatever becomes of its task."""

from __future__ import annotations

import gc
import threading

import pytest
from qgis.core import Qgis, QgsApplication, QgsTask
from support.layers import TARGET_BOXES, box_layer, shifted
from support.qt import wait_until

from randcrowns.ui.services import background, runner
from randcrowns.ui.services.background import BackgroundTask
from randcrowns.ui.services.run_outcome import Failed, Succeeded, WasCancelled
from randcrowns.ui.services.runner import AlgorithmRun

pytestmark = pytest.mark.usefixtures("algorithms", "qgis_new_project")


def a_run():
    layers = box_layer("targets", TARGET_BOXES), box_layer("drawn", shifted(TARGET_BOXES, 0.3))
    parameters = {"TARGETS": layers[0], "DELINEATIONS": [layers[1]], "SCORED_TARGETS": "memory:"}
    run, ends = AlgorithmRun("randcrowns:scorecrowns", parameters), []
    run.finished.connect(ends.append)
    return run, ends, layers


def test_a_task_that_was_lost_is_started_again(lose_task):
    lost_tasks = lose_task()
    run, ends, _ = a_run()
    run.start()
    wait_until(lambda: ends)
    (end,) = ends
    assert isinstance(end, Succeeded)
    assert "SCORED_TARGETS" in end.layers
    assert len(lost_tasks) == 1


def test_cancel_is_heard_while_nothing_has_begun(lose_task):
    lost_tasks = lose_task()
    run, ends, _ = a_run()
    run.start()
    run.cancel()
    wait_until(lambda: ends)
    assert [type(end) for end in ends] == [WasCancelled]
    assert len(lost_tasks) == 1


def test_a_task_that_qgis_cancels_ends_as_cancelled():
    """As its box of active tasks does when the window closes."""
    run, ends, _ = a_run()
    run.start()
    QgsApplication.taskManager().cancelAll()
    wait_until(lambda: ends)
    assert [type(end) for end in ends] == [WasCancelled]


def test_a_run_that_fails_by_itself_is_no_cancelled_one(tmp_path):
    run, ends, _ = a_run()
    run.parameters["SCORED_TARGETS"] = str(tmp_path / "no such folder" / "scored.gpkg")
    run.start()
    wait_until(lambda: ends)
    assert [type(end) for end in ends] == [Failed]


def test_threads_are_left_for_pictures():
    runs = [a_run() for _ in range(3)]
    for run, _, _ in runs:
        run.start()
    assert background.task_pool().maxThreadCount() >= len(runs) + 2
    wait_until(lambda: all(ends for _, ends, _ in runs))
    assert all(isinstance(ends[0], Succeeded) for _, ends, _ in runs)


def test_a_result_that_cannot_be_opened_is_named(tmp_path, monkeypatch):
    layers = box_layer("targets", TARGET_BOXES), box_layer("drawn", shifted(TARGET_BOXES, 0.3))
    place = tmp_path / "scored.gpkg"
    run, ends = (
        AlgorithmRun(
            "randcrowns:scorecrowns",
            {"TARGETS": layers[0], "DELINEATIONS": [layers[1]], "SCORED_TARGETS": str(place)},
        ),
        [],
    )
    run.finished.connect(ends.append)
    monkeypatch.setattr(runner.QgsProcessingUtils, "mapLayerFromString", lambda *_: None)
    run.start()
    wait_until(lambda: ends)
    assert isinstance(ends[0], Failed)
    assert str(place) in ends[0].message


def test_qgis_is_told_of_no_failed_task_when_a_run_is_cancelled():
    """It tells of every task that was terminated after some seconds."""
    run, ends, _ = a_run()
    states = []
    QgsApplication.taskManager().statusChanged.connect(lambda _, state: states.append(state))
    heard = []
    run.progressed.connect(lambda percent: heard or (heard.append(percent), run.cancel()))
    run.start()
    wait_until(lambda: ends)
    wait_until(lambda: QgsTask.TaskStatus.Complete in states)
    assert heard
    assert [type(end) for end in ends] == [WasCancelled]
    assert QgsTask.TaskStatus.Terminated not in states


def test_a_cancel_after_everything_is_written_comes_too_late():
    """The outputs are there; to say that nothing was changed would be wrong."""
    run, ends, _ = a_run()
    run.progressed.connect(lambda percent: run.cancel() if percent > 99.9 else None)
    run.start()
    wait_until(lambda: ends)
    assert [type(end) for end in ends] == [Succeeded]


def test_a_cancel_while_results_are_read_comes_too_late(monkeypatch):
    """QGIS has deleted the task by then."""
    monkeypatch.setattr(background, "_MAX_ROWS_AT_ONCE", 0)
    run, ends, _layers = a_run()
    asked, go = threading.Event(), threading.Event()
    others = QgsApplication.taskManager().count()

    def reader(outcome):
        asked.set()
        return lambda: go.wait(300) and len(outcome.layers)

    reading = AlgorithmRun(run.algorithm_id, run.parameters, reader)
    reading.finished.connect(ends.append)
    reading.start()
    wait_until(asked.is_set)
    wait_until(lambda: QgsApplication.taskManager().count() <= others + 1)
    reading.cancel()
    go.set()
    wait_until(lambda: ends)
    (end,) = ends
    assert isinstance(end, Succeeded)
    assert end.page_data == len(end.layers) == 1
    assert reading.description


def test_the_log_tab_keeps_what_each_run_did(page, run, qgis_app, two_layers):
    logged = []
    listener = lambda text, tab, level: logged.append(text) if tab == "RandCrowns" else None  # noqa: E731
    qgis_app.messageLog().messageReceived[str, str, Qgis.MessageLevel].connect(listener)
    try:
        run(page)
        page.start()
        page.runs.cancel()
        wait_until(lambda: page.run is None)
    finally:
        qgis_app.messageLog().messageReceived[str, str, Qgis.MessageLevel].disconnect(listener)
    (done,) = (text for text in logged if "randcrowns:scorecrowns ended after" in text)
    assert f"\nTARGETS: {two_layers[0].id()}\n" in done
    assert page.history.shown_record.conclusion in done
    (stopped,) = (text for text in logged if "was cancelled after" in text)
    assert f"\nTARGETS: {two_layers[0].id()}\n" in stopped


class Cycle:
    """Garbage that notes in which thread it was freed."""

    def __init__(self, freed):
        self.itself, self.freed = self, freed

    def __del__(self):
        self.freed.append(threading.current_thread())


def begun_run(work):
    run, ends, layers = a_run()
    run.feedback.isCanceled = work  # the run asks it, in its thread
    run.start()
    return ends, run, layers


def begun_beside(work):
    beside, ends = BackgroundTask("work", lambda _: work()), []
    beside.finished.connect(ends.append)
    return ends, beside


@pytest.mark.parametrize("begun", [begun_run, begun_beside])
def test_what_works_beside_the_window_frees_no_garbage_of_the_window(begun):
    """Widgets and layers that another thread frees crash QGIS, often only later."""
    freed, go_on, done = [], threading.Event(), threading.Event()

    def work():
        if not done.is_set():
            go_on.wait()
            [[] for _ in range(100_000)]  # enough for Python to look for garbage
            done.set()
        return False

    ends, *_kept = begun(work)
    Cycle(freed)
    go_on.set()
    done.wait()
    assert not freed
    wait_until(lambda: ends and gc.isenabled())
    gc.collect()
    assert freed == [threading.main_thread()]


def test_while_others_work_the_window_does_not_look_through_all_that_lives(monkeypatch):
    """Of 100,000 crowns that takes more than 0.1 s, again and again."""
    ages, stop = [], threading.Event()

    def looked(_phase, told):
        ages.append(told["generation"])

    monkeypatch.setattr(
        gc, "get_count", lambda: (10**6,) * 3
    )  # of every age there is enough to look
    gc.callbacks.append(looked)
    try:
        ends, *_kept = begun_beside(stop.wait)
        wait_until(lambda: 1 in ages)
        stop.set()
        wait_until(lambda: bool(ends))
    finally:
        gc.callbacks.remove(looked)
    assert 2 not in ages
