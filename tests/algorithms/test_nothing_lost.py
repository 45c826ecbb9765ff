"""Full disks, locks of other programs and kills: a run is in the file with all its tables, or the
file is as before."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing

import pytest
from support.full_disk import filled, mounted, room
from support.own_process import begin
from support.processing import Listener
from support.shown import shows
from support.writing import Locking, complete, held, let_go, rows_of, score, users_file, users_table

import randcrowns.layers.files.geopackage as geopackage
from randcrowns.layers.files.recovery import find_interrupted_runs, recover

pytestmark = pytest.mark.usefixtures("run")


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
def test_a_full_disk_leaves_all_tables_or_none(tmp_path, journal):
    """From a disk that takes nothing to one that takes the run beside the file, but not within."""
    with mounted(tmp_path / "disk", 32 * 2**20) as real:
        path = users_file(tmp_path / "disk")
        with closing(sqlite3.connect(path)) as database:
            database.execute(f"PRAGMA journal_mode = {journal}")
            before, ended = rows_of(path), []
            for free in (0, 8, 300, 900, 1800, 2700, 3600, 5400, 10000):
                limit = (
                    filled(tmp_path / "disk", free * 1024)
                    if real
                    else room(path.stat().st_size + free * 512)
                )
                with limit:
                    done = score(path)
                ended.append(done.ok)
                if done.ok:
                    break
                assert shows(done.error, "disk.full")
                assert "sqlite" not in done.error.lower()
                assert rows_of(path) == before
                assert {file.suffix for file in path.parent.iterdir()} <= {
                    ".gpkg",
                    ".gpkg-wal",
                    ".gpkg-shm",
                }
            assert ended[-1]
            assert len(ended) > 4
        complete(path)


@pytest.mark.parametrize("percent", [2.0, 99.2])
def test_a_lock_of_another_program_ends_in_a_sentence(tmp_path, monkeypatch, percent):
    """The lock is taken while the run computes, while it writes, and before it moves what it
    wrote."""
    monkeypatch.setattr(geopackage, "MAX_LOCK_WAIT", 0.2)
    path = users_file(tmp_path)
    before, locking = rows_of(path), Locking(path, percent)
    done = score(path, locking)
    locking.let_go()
    assert shows(done.error, "file.in_use")
    assert rows_of(path) == before
    assert list(tmp_path.iterdir()) == [path]
    assert score(path).ok
    complete(path)


def test_waiting_for_a_lock_can_be_cancelled_and_ends_when_it_is_given_back(tmp_path, monkeypatch):
    monkeypatch.setattr(geopackage, "MAX_LOCK_WAIT", 300.0)
    monkeypatch.setattr(geopackage, "_LOCK_TIMEOUT", 0.02)
    path = users_file(tmp_path)
    before, other = rows_of(path), held(path)

    class Waiting(Listener):
        def __init__(self, act):
            super().__init__()
            self.looks, self.on_click = 0, act

        def isCanceled(self):  # noqa: N802 - QGIS's name
            self.looks += bool(self.percents) and self.percents[-1] >= 85.0
            if self.looks == 20:
                self.on_click(self)
            return super().isCanceled()

    done = score(path, Waiting(Listener.cancel))
    assert other.poll() is None
    assert done.results == {}
    assert "is in use" not in done.error
    waiting = Waiting(lambda _: let_go(other))
    assert score(path, waiting).ok
    assert waiting.looks >= 20
    other.wait(300)
    assert rows_of(path)["trees"] == before["trees"]
    complete(path)


@pytest.mark.parametrize("moment", [(90, 0), (99.2, 2), (99.2, 8)])
def test_kill_9_leaves_the_file_as_it_was_and_what_else_is_left_is_put_right(tmp_path, moment):
    path = users_file(tmp_path)
    before = rows_of(path)
    process = begin(path, "", *moment)
    said = process.communicate(timeout=300)[0]
    assert process.returncode == -signal.SIGKILL, said
    left = find_interrupted_runs([tmp_path])
    assert [one.destinations for one in left] == [(path,)]
    assert recover(left[0]) == []
    assert list(tmp_path.iterdir()) == [path]
    assert rows_of(path) == before
    assert score(path).ok
    complete(path)


def test_the_next_run_puts_right_what_a_killed_one_left_and_says_so(tmp_path):
    path = users_file(tmp_path)
    begin(path, "", 99.2, 8).communicate(timeout=300)
    done = score(path)
    assert done.ok, done.error
    assert shows(done.warnings, "output.broken_off")
    complete(path)


@pytest.mark.parametrize("new", [True, False])
def test_two_qgis_write_into_one_file_at_the_same_time(tmp_path, new):
    path = tmp_path / "both.gpkg" if new else users_file(tmp_path)
    running = [begin(path, f"_{number}") for number in range(2)]
    said = [process.communicate(timeout=300)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0], said
    if new:
        users_table(path, "trees")
    for number in range(2):
        complete(path, f"_{number}")
