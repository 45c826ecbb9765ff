"""How long a step takes and how much memory it needs."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType

import pandas as pd

__all__ = ["PerformanceTracker", "Profiler"]

_MEASURES = ("Wallclock Time [s]", "CPU Time [s]", "Memory Usage [GB]", "Memory Increment [GB]")


class PerformanceTracker:
    """Keeps the time and memory that named steps have taken."""

    def __init__(self) -> None:
        self._steps: dict[str, tuple[float, float, float, float]] = {}

    def reset(self) -> None:
        """Forget everything."""
        self._steps = {}

    def save(
        self, desc: str, wall_clock_time: float, cpu_time: float, memory_usage: float, memory_increment: float
    ) -> None:
        """Add what a step took to what steps of the same description took before.

        Args:
            desc: what the step does.
            wall_clock_time: seconds on the clock.
            cpu_time: seconds of the processor.
            memory_usage: GB in use at its end.
            memory_increment: GB more than at its start.
        """
        before = self._steps.get(desc, (0.0, 0.0, 0.0, 0.0))
        new = wall_clock_time, cpu_time, memory_usage, memory_increment
        self._steps[desc] = tuple(old + more for old, more in zip(before, new))  # type: ignore[assignment]

    def to_pandas(self) -> pd.DataFrame:
        """A row per description, in order of first appearance: Description, the two times and the two memories."""
        rows = [(desc, *values) for desc, values in self._steps.items()]
        return pd.DataFrame(rows, columns=["Description", *_MEASURES])


class Profiler:
    """Measures the code inside a ``with`` block, also when an error leaves it.

    Args:
        desc: what the code does.
        performance_tracker: where the measures are kept.
    """

    def __init__(self, desc: str, performance_tracker: PerformanceTracker) -> None:
        self._desc = desc
        self._tracker = performance_tracker
        self._wall = self._cpu = self._memory = 0.0

    def __enter__(self) -> Profiler:
        self._memory = _resident_gigabytes()
        self._cpu = time.process_time()
        self._wall = time.perf_counter()
        return self

    def __exit__(
        self, error: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        wall = time.perf_counter() - self._wall
        cpu = time.process_time() - self._cpu
        memory = _resident_gigabytes()
        self._tracker.save(self._desc, wall, cpu, memory, memory - self._memory)


def _resident_gigabytes() -> float:
    """Memory that the process holds now; NaN where neither psutil nor /proc can tell."""
    try:
        import psutil
    except ImportError:
        return _resident_gigabytes_linux()
    return float(psutil.Process().memory_info().rss) / 1e9


def _resident_gigabytes_linux() -> float:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return float("nan")
    import resource

    return pages * resource.getpagesize() / 1e9
