from __future__ import annotations

import gc
import sys
import time

import numpy as np
import pytest

from randcrowns.core.instances import pointtree as profiling
from randcrowns.core.instances.pointtree import PerformanceTracker, Profiler

COLUMNS = [
    "Description",
    "Wallclock Time [s]",
    "CPU Time [s]",
    "Memory Usage [GB]",
    "Memory Increment [GB]",
]


def test_repeated_descriptions_are_summed() -> None:
    tracker = PerformanceTracker()
    tracker.save("read", 1.0, 2.0, 3.0, 4.0)
    tracker.save("match", 1.0, 1.0, 1.0, 1.0)
    tracker.save("read", 0.5, 0.5, 0.5, -1.0)
    table = tracker.to_pandas()
    assert list(table.columns) == COLUMNS
    assert table.to_numpy().tolist() == [
        ["read", 1.5, 2.5, 3.5, 3.0],
        ["match", 1.0, 1.0, 1.0, 1.0],
    ]
    tracker.reset()
    assert len(tracker.to_pandas()) == 0
    assert list(tracker.to_pandas().columns) == COLUMNS


def test_a_block_is_measured_also_when_an_error_leaves_it() -> None:
    tracker = PerformanceTracker()

    def fail() -> None:
        with Profiler("fails", tracker):
            time.sleep(0.01)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    row = tracker.to_pandas().iloc[0]
    assert row["Description"] == "fails"
    assert row["Wallclock Time [s]"] >= 0.01
    assert row["CPU Time [s]"] < row["Wallclock Time [s]"] + 0.01
    assert 0 < row["Memory Usage [GB]"] < 100


def test_the_samples_end_when_a_failed_run_leaves_its_profiler_behind() -> None:
    profiler = Profiler("left behind", PerformanceTracker())
    profiler.__enter__()
    thread = profiler._sampler._thread
    assert thread.is_alive()
    del profiler
    gc.collect()
    thread.join(timeout=10)
    assert not thread.is_alive()


def test_the_increment_is_negative_if_memory_is_freed() -> None:
    tracker = PerformanceTracker()
    held = np.ones(30_000_000)
    with Profiler("free", tracker):
        del held
    assert tracker.to_pandas()["Memory Increment [GB]"][0] < -0.2


def test_memory_freed_within_the_block_counts_in_the_peak() -> None:
    tracker = PerformanceTracker()
    start_gigabytes = profiling._resident_gigabytes()
    with Profiler("peak", tracker):
        array = np.ones(30_000_000)
        time.sleep(0.1)
        del array
    row = tracker.to_pandas().iloc[0]
    assert row["Memory Usage [GB]"] - start_gigabytes == pytest.approx(0.24, abs=0.03)
    assert abs(row["Memory Increment [GB]"]) < 0.03


def test_the_peak_is_that_of_the_block_not_of_the_process() -> None:
    array = np.ones(60_000_000)
    time.sleep(0.05)
    del array
    tracker = PerformanceTracker()
    start_gigabytes = profiling._resident_gigabytes()
    with Profiler("small", tracker):
        array = np.ones(12_500_000)
        time.sleep(0.1)
        del array
    usage = tracker.to_pandas()["Memory Usage [GB]"][0]
    assert usage - start_gigabytes == pytest.approx(0.1, abs=0.03)


def test_without_psutil_linux_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert 0 < profiling._resident_gigabytes() < 100
