"""What the user sees while waiting: that work has begun, what is left, and that it has ended."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QApplication
from support.qt import spin, wait_until

from randcrowns.layers.vector.guesses import LayerRole
from randcrowns.ui.services import waiting
from randcrowns.ui.services.background import BackgroundTask
from randcrowns.ui.services.run_outcome import WasCancelled
from randcrowns.ui.services.runner import PageRuns
from randcrowns.ui.services.waiting import (
    RemainingTime,
    busy_cursor,
    call_attention,
    show_busy_until_idle,
)
from randcrowns.ui.shell import import_export
from randcrowns.ui.shell.import_export import FileImport
from randcrowns.ui.widgets.progress import RunProgressBar
from randcrowns.ui.widgets.run_widgets import RunBar


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.mark.parametrize(
    ("elapsed", "percent", "text"),
    [
        (2.9, 50, ""),  # too early
        (4, 1, ""),  # too little progress for an estimate
        (4, 25, "about 12 s left"),  # 4 s for a quarter
        (30, 50, "about 30 s left"),
        (60, 10, "about 9 min left"),
        (10, 99.9, "about 1 s left"),
    ],
)
def test_what_is_left_follows_from_the_progress_so_far(clock, elapsed, percent, text):
    remaining = RemainingTime(clock)
    clock.now += elapsed
    assert remaining.text(percent) == text


def test_the_run_bar_shows_what_is_left_after_three_seconds(qgis_app, clock):
    bar = RunBar()
    bar.progress.remaining_time = RemainingTime(clock)
    bar.start()
    clock.now += 1
    bar.set_progress(10)
    assert bar.progress.format() == "%p %"
    clock.now += 4
    bar.set_progress(50)
    assert bar.progress.format() == "%p % · about 5 s left"
    bar.stop()
    bar.start()
    bar.set_progress(50)
    assert bar.progress.format() == "%p %"


def test_reading_is_shown_only_if_it_lasts(qgis_app):
    bar = RunBar()
    bar.begin_reading()
    assert bar.progress.isHidden()
    wait_until(lambda: not bar.progress.isHidden(), 10)
    assert (bar.progress.minimum(), bar.progress.maximum()) == (0, 0)
    bar.end_reading()
    assert bar.progress.isHidden()
    bar.begin_reading()
    bar.end_reading()
    spin(waiting.BUSY_DELAY + 100)
    assert bar.progress.isHidden()


def test_the_cursor_is_busy_while_a_block_runs_also_if_it_fails(qgis_app):

    def fail_while_busy():
        with busy_cursor():
            assert QApplication.overrideCursor().shape() == Qt.CursorShape.WaitCursor
            raise ValueError("x")

    with pytest.raises(ValueError, match="x"):
        fail_while_busy()
    assert QApplication.overrideCursor() is None


@pytest.mark.parametrize("is_active", [True, False])
def test_a_window_behind_others_is_marked_when_a_run_ends(
    page, run, qgis_iface, monkeypatch, is_active
):
    marked = []
    monkeypatch.setattr(QApplication, "alert", lambda window, *_: marked.append(window))
    window = qgis_iface.mainWindow()
    monkeypatch.setattr(window, "isActiveWindow", lambda: is_active)
    run(page)
    assert marked == ([] if is_active else [window])
    call_attention(None)


def test_qgis_notifies_about_the_tasks_of_runs(qgis_app):
    """QGIS shows a notification of the desktop for tasks that are not hidden."""
    from qgis.core import QgsApplication, QgsTask

    hidden = getattr(QgsTask.Flag, "Hidden", None)
    ended = []
    task = BackgroundTask("a task", lambda _: None)
    task.finished.connect(ended.append)
    (submitted,) = [
        one for one in QgsApplication.taskManager().tasks() if one.description() == "a task"
    ]
    assert hidden is None or not submitted.flags() & hidden
    wait_until(lambda: bool(ended), 20)


@pytest.fixture
def importer(project, qgis_iface):
    made = import_export.FileImporter(qgis_iface)
    yield made
    made.close()


def progress_bars(iface):
    """The progress bars in the message bar of QGIS."""
    return [bar for item in iface.messageBar().items() for bar in item.findChildren(RunProgressBar)]


@pytest.fixture
def held_runs(monkeypatch):
    """Runs that begin, and go on when the test says so."""
    begun = []

    def start(self, algorithm, parameters, on_finished, key="", reader=None, on_progress=None):
        begun.append((on_finished, on_progress))

    monkeypatch.setattr(PageRuns, "start", start)
    return begun


def test_an_import_that_lasts_shows_its_progress_until_it_ends(
    importer, qgis_iface, held_runs, clock
):
    importer.start(["crowns.json"])
    wait_until(lambda: len(progress_bars(qgis_iface)) == 1, 10)
    (bar,) = progress_bars(qgis_iface)
    assert (bar.minimum(), bar.maximum()) == (0, 0)
    ((finish, show_percent),) = held_runs
    bar.remaining_time = RemainingTime(clock)
    bar.resize(bar.sizeHint())
    clock.now += 4
    show_percent(25.0)
    assert bar.format() == "%p % · about 12 s left"
    finish(WasCancelled())
    assert progress_bars(qgis_iface) == []


def test_files_that_follow_one_another_share_one_progress(importer, qgis_iface, held_runs):
    importer.start_files([FileImport(name, LayerRole.TARGETS) for name in ("a.json", "b.json")])
    wait_until(lambda: len(progress_bars(qgis_iface)) == 1, 10)
    (bar,) = progress_bars(qgis_iface)
    held_runs[0][1](50.0)
    assert bar.value() == 25
    held_runs[0][0](WasCancelled())
    assert bar.value() == 50
    held_runs[1][1](50.0)
    assert bar.value() == 75
    held_runs[1][0](WasCancelled())
    assert progress_bars(qgis_iface) == []


def test_an_import_that_is_over_at_once_shows_none(importer, qgis_iface, held_runs):
    importer.start(["crowns.json"])
    held_runs[0][0](WasCancelled())
    spin(waiting.BUSY_DELAY + 100)
    assert progress_bars(qgis_iface) == []


def test_a_progress_that_the_user_closed_stays_closed(importer, qgis_iface, held_runs):
    importer.start(["crowns.json"])
    wait_until(lambda: len(progress_bars(qgis_iface)) == 1, 10)
    qgis_iface.messageBar().clearWidgets()
    spin(50)
    finish, show_percent = held_runs[0]
    show_percent(50.0)
    finish(WasCancelled())
    assert progress_bars(qgis_iface) == []


def test_saving_a_report_shows_what_is_left(project, dock, clock):
    bar = dock.show_page("report").progress_bar
    bar.remaining_time = RemainingTime(clock)
    bar.start()
    clock.now += 4
    bar.show_percent(50)
    assert bar.format() == "%p % · about 4 s left"
    bar.stop()


def test_the_cursor_is_busy_until_the_window_responds_again(qgis_app):
    """QGIS writes the project after the signal at which the cursor becomes busy."""
    show_busy_until_idle()
    assert QApplication.overrideCursor().shape() == Qt.CursorShape.WaitCursor
    spin()
    assert QApplication.overrideCursor() is None


def test_the_cursor_is_busy_while_a_project_is_saved(dock, tmp_path):
    cursors = []

    def note_cursor(*_):
        cursors.append(QApplication.overrideCursor())

    project = QgsProject.instance()
    project.projectSaved.connect(note_cursor)
    try:
        assert project.write(str(tmp_path / "plot.qgz"))
    finally:
        project.projectSaved.disconnect(note_cursor)
    assert [cursor is not None for cursor in cursors] == [True]
    spin()
    assert QApplication.overrideCursor() is None
