"""The table of all benchmarks: how one row is measured, printed, and written to docs/performance.md and README.md.

A benchmark yields its rows and ends with ``show(rows())``. Ours and the peer take turns in one run; a time is the
median of the turns, with the processor time of all threads and child processes beside it. ``scripts/bench.sh`` without
names runs every benchmark and then this file on what they found.
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

__all__ = ["Row", "Time", "growth", "in_turns", "memory", "show", "timed"]

ROOT = Path(__file__).resolve().parents[1]
HEAD = ("work", "peer", "ours", "ratio", "growth", "memory", "conditions")
#: The file that rows are also appended to, one JSON object a line.
ROWS = "RANDCROWNS_BENCH_ROWS"
#: Rows that README.md has.
QUOTED = 3
_START, _END = "<!-- make bench: start -->", "<!-- make bench: end -->"


class Time(NamedTuple):
    """Seconds gone by, and seconds of processor time of this process and its children."""

    wall: float
    processor: float

    def __str__(self) -> str:
        return f"{_seconds(self.wall)} ({_seconds(self.processor)})"


@dataclass(frozen=True)
class Row:
    """One piece of work: our time, the peer's, the exponent of growth, and the memory above the input, MB."""

    work: str
    ours: Time
    peer: str = ""
    theirs: Time | None = None
    growth: float | None = None
    memory: float | None = None
    conditions: str = ""
    quoted: bool = False  # in README.md, if among the first

    @property
    def ratios(self) -> tuple[float, float] | None:
        """How many times as long the peer takes, and by processor time."""
        if self.theirs is None:
            return None
        return self.theirs.wall / self.ours.wall, self.theirs.processor / max(
            self.ours.processor, 1e-9
        )

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands in the columns of ``HEAD``."""
        ratios = self.ratios
        return (
            self.work,
            "" if self.theirs is None else f"{self.peer}: {self.theirs}",
            str(self.ours),
            "" if ratios is None else "{} ({})".format(*map(_three_digits, ratios)),
            "" if self.growth is None else f"n^{self.growth:.2f}",
            "" if self.memory is None else f"{self.memory:.0f} MB",
            self.conditions,
        )


def timed(work: Callable[[], Any]) -> Time:
    """Time of a single run."""
    wall, processor = time.perf_counter(), _processor()
    work()
    return Time(time.perf_counter() - wall, _processor() - processor)


def in_turns(*works: Callable[[], Any], repeats: int = 5) -> list[Time]:
    """Median time of each of several works that take turns."""
    turns = [[timed(work) for work in works] for _ in range(repeats)]
    return [Time(*(statistics.median(values) for values in zip(*times))) for times in zip(*turns)]


def growth(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Exponent k of seconds ~ size^k, by least squares of the logarithms.

    >>> growth([10, 100, 1000], [1, 10, 100])
    1.0
    """
    return float(round(np.polyfit(np.log(sizes), np.log(seconds), 1)[0], 6))


def memory(work: Callable[[], Any]) -> float:
    """Megabytes by which this process grows at most while ``work`` runs."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # what was freed before would hide what is used now
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text(
            "5", encoding="ascii"
        )  # Linux forgets what was the most till now
    before = resident()
    work()
    return most_resident() - before


def most_resident() -> float:
    """The most memory that this process held, MB: since it began, or since Linux was told to forget it."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1e6 if sys.platform == "darwin" else 1e3
    )


def resident() -> float:
    """Memory that this process holds now, MB."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return most_resident()


def show(rows: Iterable[Row]) -> None:
    """Print the rows as they are found, and keep them for the page where that is asked for."""
    kept = os.environ.get(ROWS)
    print(" | ".join(HEAD), flush=True)
    for row in rows:
        print(" | ".join(row.cells), flush=True)
        if kept:
            with Path(kept).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(row)) + "\n")


def kept_rows(path: Path) -> list[Row]:
    """The rows that benchmarks appended to a file."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        values = json.loads(line)
        for name in ("ours", "theirs"):
            values[name] = values[name] and Time(*values[name])
        rows.append(Row(**values))
    return rows


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a table."""
    lines = [HEAD, ("---",) * len(HEAD), *(row.cells for row in rows)]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines
    )


def page(rows: Sequence[Row], conditions: str) -> str:
    """The text of docs/performance.md."""
    return f"""# Performance

`make bench` writes this page. {conditions}

Times are medians of turns that ours and the peer take in the same run, of long work those of one run; in brackets,
processor time of all threads and child processes. A ratio above 1 says that ours is faster. Growth is the exponent k of
time ~ n^k. Memory is what the process grows by above its input.
Rows without a peer say how long a job takes.

{markdown(rows)}
"""


def quote(readme: str, rows: Sequence[Row]) -> str:
    """README.md with the first quoted rows between its two marks."""
    table = markdown([row for row in rows if row.quoted][:QUOTED])
    return re.sub(
        f"{_START}.*?{_END}", lambda _: f"{_START}\n{table}\n{_END}", readme, flags=re.DOTALL
    )


def commit() -> str:
    """The commit that is checked out."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


def machine() -> str:
    """Processor, load and versions."""
    import pandas as pd
    import scipy
    import shapely

    model = re.search(r"model name\s*: (.*)", _text("/proc/cpuinfo"))
    return (
        f"{model[1] if model else platform.processor()}, "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end; Python {platform.python_version()}, "
        f"numpy {np.__version__}, scipy {scipy.__version__}, pandas {pd.__version__}, shapely {shapely.__version__}, "
        f"GEOS {shapely.geos_version_string}."
    )


def write(rows: Sequence[Row], note: str = "") -> None:
    """Print the table, and write it to the page and the README; ``note`` says what makes it less than a whole run."""
    print(markdown(rows))
    if sum(row.quoted for row in rows) < QUOTED:
        sys.exit(
            f"These are not the rows of a whole run: {QUOTED} that README.md quotes are not among them."
        )
    said = (
        f"{note} {machine()}"
        if note
        else f"Measured on {date.today()}, commit {commit()}: {machine()}"
    )
    (ROOT / "docs" / "performance.md").write_text(page(rows, said), encoding="utf-8")
    readme = ROOT / "README.md"
    readme.write_text(quote(readme.read_text(encoding="utf-8"), rows), encoding="utf-8")


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + used.ru_utime + used.ru_stime


def _seconds(value: float) -> str:
    return f"{_three_digits(value)} s" if value >= 0.1 else f"{_three_digits(1e3 * value)} ms"


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""


if __name__ == "__main__":
    write(kept_rows(Path(sys.argv[1])), *sys.argv[2:3])
