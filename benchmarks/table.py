"""Measure the rows of the benchmark table, print them and write docs/performance.md and README.md.

A benchmark yields its rows and ends with ``report_rows(rows())``. Our work and the peer's alternate
in one run. A time is the median of the repeats, together with the processor time of all threads and
child processes. ``scripts/bench.sh`` without arguments runs every benchmark, then this file on
their rows.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, Callable, NamedTuple

import numpy as np
from goals import format_goals, format_slower_rows

__all__ = [
    "Row",
    "Time",
    "growth_exponent",
    "measure_alternating",
    "measure_memory",
    "measure_time",
    "report_rows",
]

ROOT = Path(__file__).resolve().parents[1]
HEADINGS = ("work", "peer", "ours", "ratio", "growth", "memory", "conditions")
#: Environment variable with a file to which rows are also appended, one JSON object per line.
ROWS_VARIABLE = "RANDCROWNS_BENCH_ROWS"
#: Number of rows that README.md quotes.
N_QUOTED = 3
_START, _END = "<!-- make bench: start -->", "<!-- make bench: end -->"


class Time(NamedTuple):
    """Duration of a piece of work.

    Attributes:
        wall: elapsed time, s.
        processor: processor time of this process and its children, s.
    """

    wall: float
    processor: float

    def __str__(self) -> str:
        return f"{_format_seconds(self.wall)} ({_format_seconds(self.processor)})"


@dataclass(frozen=True)
class Row:
    """A row of the table: one piece of work.

    Attributes:
        work: name of the work.
        own_time: our time.
        peer: name of the peer.
        peer_time: the peer's time.
        growth: exponent k of time ~ n^k.
        memory: maximum memory above the input, MB.
        conditions: size and kind of the input.
        is_quoted: True if README.md may quote the row; it quotes the first such rows.
    """

    work: str
    own_time: Time
    peer: str = ""
    peer_time: Time | None = None
    growth: float | None = None
    memory: float | None = None
    conditions: str = ""
    is_quoted: bool = False

    @property
    def ratios(self) -> tuple[float, float] | None:
        """The peer's time divided by ours: elapsed and processor time; None without a peer."""
        if self.peer_time is None:
            return None
        wall = self.peer_time.wall / self.own_time.wall
        processor = self.peer_time.processor / max(self.own_time.processor, 1e-9)
        return wall, processor

    @property
    def cells(self) -> tuple[str, ...]:
        """Texts of the columns of HEADINGS."""
        ratios = self.ratios
        return (
            self.work,
            "" if self.peer_time is None else f"{self.peer}: {self.peer_time}",
            str(self.own_time),
            "" if ratios is None else "{} ({})".format(*map(_format_number, ratios)),
            "" if self.growth is None else f"n^{self.growth:.2f}",
            "" if self.memory is None else f"{self.memory:.0f} MB",
            self.conditions,
        )


def measure_time(work: Callable[[], Any]) -> Time:
    """Return the time of a single run of ``work``."""
    wall, processor = time.perf_counter(), _processor_seconds()
    work()
    return Time(time.perf_counter() - wall, _processor_seconds() - processor)


def measure_alternating(*works: Callable[[], Any], repeats: int = 5) -> list[Time]:
    """Return the median time of each of several works that alternate.

    Args:
        works: functions to measure.
        repeats: number of runs of each.
    """
    turns = [[measure_time(work) for work in works] for _ in range(repeats)]
    return [median_time(times) for times in zip(*turns)]


def median_time(times: Iterable[Time]) -> Time:
    """Return the medians of elapsed and of processor times."""
    walls, processors = zip(*times)
    return Time(statistics.median(walls), statistics.median(processors))


def growth_exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return the exponent k of seconds ~ size^k, by least squares of the logarithms.

    >>> growth_exponent([10, 100, 1000], [1, 10, 100])
    1.0
    """
    return float(round(np.polyfit(np.log(sizes), np.log(seconds), 1)[0], 6))


def measure_memory(work: Callable[[], Any]) -> float:
    """Run ``work`` and return the maximum growth of this process meanwhile, MB."""
    gc.collect()
    # Freed memory that the process still holds would hide what the work allocates.
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    # On Linux this resets the recorded maximum.
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = resident_memory()
    work()
    return peak_resident_memory() - before


def peak_resident_memory() -> float:
    """Return the maximum resident memory of this process, MB.

    The maximum counts from the start of the process, or from the last reset on Linux.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM"))
    units_per_mb = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / units_per_mb


def resident_memory() -> float:
    """Return the resident memory of this process, MB; its maximum where /proc is missing."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return peak_resident_memory()


def report_rows(rows: Iterable[Row]) -> None:
    """Print each row as soon as it is measured, and append it to the file in ROWS_VARIABLE."""
    rows_file = os.environ.get(ROWS_VARIABLE)
    print(" | ".join(HEADINGS), flush=True)
    for row in rows:
        print(" | ".join(row.cells), flush=True)
        if rows_file:
            with Path(rows_file).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(row)) + "\n")


def read_rows(path: Path) -> list[Row]:
    """Return the rows in a file that :func:`report_rows` wrote."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        values = json.loads(line)
        for name in ("own_time", "peer_time"):
            values[name] = values[name] and Time(*values[name])
        rows.append(Row(**values))
    return rows


def format_markdown(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(row.cells for row in rows)]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines
    )


def format_page(rows: Sequence[Row], conditions: str) -> str:
    """Return the text of docs/performance.md.

    Args:
        rows: rows of all benchmarks.
        conditions: date, commit and machine of the measurement.
    """
    return f"""# Performance

`make bench` writes this page. {conditions}

*Ours* is the plugin, *peer* is another program or method for the same task. They run alternately in
the same run. A time is the median of the repeats; long tasks run once. The processor time of all
threads and child processes is in brackets. A ratio above 1 means that the plugin is faster. Growth
is the exponent k of time ~ n^k. Memory is the maximum growth of the process above its input. Rows
without a peer show how long a task takes.

{format_markdown(rows)}

## Goals

The goals were set before the rows were measured, next to a peer in the same run or for this
machine.

{format_goals(rows)}

## Where the plugin is slower, and why

These rows miss a goal, or take more processor time than their peer.

{format_slower_rows(rows)}

The time and the cost of 100 million crowns are in [Beyond one machine](batch.md).
"""


def insert_quoted_rows(readme: str, rows: Sequence[Row]) -> str:
    """Return the text of README.md with the first quoted rows between its two markers."""
    table = format_markdown([row for row in rows if row.is_quoted][:N_QUOTED])
    section = f"{_START}\n{table}\n{_END}"
    return re.sub(f"{_START}.*?{_END}", lambda _: section, readme, flags=re.DOTALL)


def current_commit() -> str:
    """Return the abbreviated hash of the commit that is checked out, or "unknown"."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return process.stdout.strip() or "unknown"


def describe_machine() -> str:
    """Return a sentence on the processor, its load and the versions of the libraries."""
    import pandas as pd
    import scipy
    import shapely

    model = re.search(r"model name\s*: (.*)", _read_text("/proc/cpuinfo"))
    processor = model[1] if model else platform.processor()
    return (
        f"{processor}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end; "
        f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}, "
        f"pandas {pd.__version__}, shapely {shapely.__version__}, "
        f"GEOS {shapely.geos_version_string}."
    )


def write_pages(rows: Sequence[Row], note: str = "") -> None:
    """Print the table and write it to docs/performance.md and README.md.

    Args:
        rows: rows of all benchmarks.
        note: replaces date and commit if the rows come from several runs.

    Raises:
        SystemExit: if rows that README.md quotes are missing; nothing is written then.
    """
    print(format_markdown(rows))
    if sum(row.is_quoted for row in rows) < N_QUOTED:
        sys.exit(
            f"These are not the rows of a whole run: README.md quotes {N_QUOTED} rows, "
            "and some of them are missing."
        )
    origin = note or f"Measured on {date.today()}, commit {current_commit()}:"
    text = format_page(rows, f"{origin} {describe_machine()}")
    (ROOT / "docs" / "performance.md").write_text(text, encoding="utf-8")
    readme = ROOT / "README.md"
    readme.write_text(
        insert_quoted_rows(readme.read_text(encoding="utf-8"), rows), encoding="utf-8"
    )


def _processor_seconds() -> float:
    """Return the processor time of this process and its ended children, s."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _format_seconds(value: float) -> str:
    return f"{_format_number(value)} s" if value >= 0.1 else f"{_format_number(1e3 * value)} ms"


def _format_number(value: float) -> str:
    """Return a number with three significant digits, or all digits before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _read_text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""


if __name__ == "__main__":
    write_pages(read_rows(Path(sys.argv[1])), *sys.argv[2:3])
