from __future__ import annotations

import os
import platform
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from support.errors import raises

from randcrowns.core.errors import Cancelled, InputError
from randcrowns.core.progress import (
    Progress,
    even_slices,
    iterate_with_progress,
    map_in_threads,
    no_progress,
    run_in_thread,
    stop_on_cancel,
    subprogress,
    wait_for_background_work,
)


def test_part_of_a_job() -> None:
    told: list[float] = []
    part = subprogress(told.append, 0.2, 0.6)
    for fraction in (0.0, 0.5, 1.0):
        part(fraction)
    assert told == pytest.approx([0.2, 0.4, 0.6])


def test_work_aside_gives_its_result_and_its_errors() -> None:
    def failing(_progress: Progress) -> None:
        raise InputError("test.missing", "no such thing")

    assert run_in_thread(lambda _progress: "found", no_progress) == "found"
    with raises("test.missing"):
        run_in_thread(failing, no_progress)


def test_work_aside_within_work_aside_has_no_thread_of_its_own_and_hears_a_cancel() -> None:
    told: list[float] = []

    def within(progress: Progress) -> tuple[str, int]:
        progress(0.4)
        while 0.4 not in told:
            time.sleep(0.01)
        return "found", threading.get_ident()

    def work(progress: Progress) -> tuple[str, int, int]:
        return (*run_in_thread(within, progress), threading.get_ident())

    said, *threads = run_in_thread(work, told.append)
    assert said == "found"
    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()

    def cancel(_fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        run_in_thread(
            lambda progress: run_in_thread(lambda inner: time.sleep(0.3), progress), cancel
        )


def test_what_work_aside_tells_is_passed_on() -> None:
    told: list[float] = []

    def work(progress: Progress) -> str:
        progress(0.4)
        while 0.4 not in told:
            time.sleep(0.01)
        return "done"

    assert run_in_thread(work, told.append) == "done"


def test_a_cancel_is_heard_within_one_long_operation_and_the_work_ends() -> None:
    begun, released, ended = threading.Event(), threading.Event(), threading.Event()
    went_on = []

    def work(progress: Progress) -> None:
        begun.set()
        released.wait(300)
        try:
            progress(0.5)
            went_on.append(1)
        finally:
            ended.set()

    def cancel(_fraction: float) -> None:
        if begun.is_set():
            raise Cancelled

    with pytest.raises(Cancelled):
        run_in_thread(work, cancel)
    assert not ended.is_set()
    released.set()
    assert ended.wait(300)
    assert went_on == []


def test_work_left_aside_after_a_cancel_is_waited_for_no_longer_than_told() -> None:
    begun, stopped, ended = threading.Event(), threading.Event(), threading.Event()

    def work(_told: Progress) -> None:
        begun.set()
        stopped.wait(60)
        ended.set()

    def cancel(_fraction: float) -> None:
        begun.wait(60)
        raise Cancelled

    with pytest.raises(Cancelled):
        run_in_thread(work, cancel)
    wait_for_background_work(0.0)
    assert not ended.is_set()
    threading.Timer(0.2, stopped.set).start()
    wait_for_background_work(60)
    assert ended.is_set()


def test_work_that_tells_no_progress_is_stopped_by_a_cancel() -> None:
    stopped, told = threading.Event(), []

    def cancel(fraction: float) -> None:
        told.append(fraction)
        raise Cancelled

    with pytest.raises(Cancelled), stop_on_cancel(stopped.set, cancel):
        assert stopped.wait(60)
    assert told == [0.0, 1.0]


def test_work_that_nobody_cancels_is_not_stopped() -> None:
    looked, stopped = threading.Event(), []
    with stop_on_cancel(lambda: stopped.append(True), lambda _fraction: looked.set()):
        assert looked.wait(60)
    assert stopped == []


def test_a_cluster_may_allow_fewer_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert len(set(map_in_threads(lambda _item: threading.get_ident(), range(50)))) == 1


def test_progress_of_threads_is_the_share_of_the_sizes_done() -> None:
    told: list[float] = []
    assert list(map_in_threads(abs, [-1, -2, -3], told.append, sizes=[1, 4, 3])) == [1, 2, 3]
    assert sorted(told) == told
    assert set(told) - {0.0} == {0.125, 0.625, 1.0}


def test_each_step_of_a_job_has_an_equal_share() -> None:
    told: list[float] = []
    for item, progress in iterate_with_progress("ab", told.append):
        if item == "b":
            progress(0.5)
    assert told == [0.5, 0.75, 1.0]


def test_a_cancel_is_heard_while_every_thread_is_at_work() -> None:
    ended, released = [], threading.Event()

    def work(item: int) -> None:
        released.wait(300)
        ended.append(item)

    def cancel(_fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        list(map_in_threads(work, range(3), cancel))
    assert ended == []
    released.set()


_FAULTS = """
import resource, sys
import numpy as np
from randcrowns.core import progress
if sys.argv[1:]:
    progress._keep_freed_memory = lambda: None

def work(_item):
    return sum(float(array[0]) for array in [np.ones(40_000) for _ in range(30)])

list(progress.map_in_threads(work, range(200)))  # the memory that is kept is allocated here
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
list(progress.map_in_threads(work, range(200)))
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="other allocators keep memory in their own way"
)
def test_pieces_of_work_use_the_same_memory_again() -> None:
    # Clusters set how memory is kept, for the processes they start.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")
    }
    environment["OMP_NUM_THREADS"] = "2"

    def faults(*arguments: str) -> int:
        command = [sys.executable, "-c", _FAULTS, *arguments]
        found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return int(found.stdout)

    assert faults() < faults("each piece anew") / 2


def test_rows_are_sliced_evenly_for_all_threads(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert even_slices(np.cumsum([]), 10) == []
    assert even_slices(np.array([5]), 10) == [slice(0, 1)]
    assert even_slices(np.arange(1, 5), 8) == [slice(0, 2), slice(2, 4)]
    assert even_slices(np.arange(1, 5), 100) == [slice(0, 4)]  # not worth a thread
    work = np.tile([1, 9], 50)
    found = even_slices(np.cumsum(work), 100)
    assert [row for some in found for row in range(some.start, some.stop)] == list(range(100))
    assert len(found) == 6  # three for each thread
    assert max(work[some].sum() for some in found) <= 100
