"""Fuzzing of readers in worker processes that limit time and memory.

``python -m torture.fuzzing FORMAT SEED FIRST COUNT FILE`` reads mutated files of a format and
appends a line of JSON to FILE for each failure, and a line with its progress before each input.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["FuzzResult", "fuzz"]

#: Maximum time of an input, seconds of the processor.
MAX_SECONDS = 10
#: Maximum memory that an input may take, bytes.
MAX_BYTES = 500 << 20
#: Maximum address space of an input, bytes. Files may name sizes for which memory is requested
#: and never used.
_MAX_ADDRESSES = 8 << 30
#: Seconds without progress after which the worker is killed: a library does not return.
_HANG = 60
#: Seconds after which a worker that has read nothing yet is killed: a busy machine loads libraries
#: slowly.
_START = 600
_TESTS = Path(__file__).resolve().parents[1]
#: Folder whose files are in memory, on Linux.
_IN_MEMORY = Path("/dev/shm")


@dataclass
class FuzzResult:
    """Results of a format.

    Attributes:
        n_inputs: number of inputs that were read.
        failures: number of the input and description of each failure.
        slowest: maximum time of an input, seconds of the processor.
    """

    n_inputs: int
    failures: dict[int, str]
    slowest: float


class _TooLong(BaseException):
    """Raised when an input takes too long; no reader catches it."""


def fuzz(name: str, seed: int, count: int, seconds: float, folder: Path) -> FuzzResult:
    """Read mutated files of a format in worker processes.

    Args:
        name: name of the format.
        seed: seed of the mutations.
        count: number of inputs.
        seconds: no input begins after this time.
        folder: existing folder for temporary files.
    """
    until = time.monotonic() + seconds
    failures: dict[int, str] = {}
    first, n_inputs, slowest = 0, 0, 0.0
    log = folder / "log.jsonl"
    while first < count and (time.monotonic() < until or not n_inputs):
        log.write_bytes(b"")
        code = _run_worker(name, seed, first, count, until - time.monotonic(), log)
        lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        for line in lines:
            if "failure" in line:
                failures[line["input"]] = line["failure"]
        last = lines[-1] if lines else {}
        if not lines:
            raise RuntimeError((folder / "stderr.txt").read_text(encoding="utf-8")[-3000:])
        slowest = max(slowest, last.get("slowest", 0.0))
        if code == 0:
            n_inputs += last["input"] - first
            break
        failures[last["input"]] = f"the process ended with {code}"
        n_inputs += last["input"] - first + 1
        first = last["input"] + 1
    return FuzzResult(n_inputs, failures, slowest)


def _run_worker(name: str, seed: int, first: int, count: int, seconds: float, log: Path) -> int:
    """Run a worker until it ends, or makes no progress; return its exit status."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), str(_TESTS)]),
        "QT_QPA_PLATFORM": "offscreen",
    }
    arguments = [name, seed, first, count, seconds, log]
    process = subprocess.Popen(
        [sys.executable, "-m", "torture.fuzzing", *map(str, arguments)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=(log.parent / "stderr.txt").open("ab"),
    )
    changed, size = time.monotonic(), -1
    while process.poll() is None:
        time.sleep(0.05)
        if log.stat().st_size != size:
            changed, size = time.monotonic(), log.stat().st_size
        elif time.monotonic() - changed > (_HANG if size else _START):
            process.kill()
            process.wait()
    return process.returncode


def _work(name: str, seed: int, first: int, count: int, seconds: float, log: Path) -> None:
    """Read mutated files of a format in this process."""
    from qgis.testing import start_app

    application = start_app()
    from torture.fuzzed_formats import fuzzed_formats
    from torture.mutations import mutate

    until = time.monotonic() + seconds
    # Writing and removing the input takes longer than reading it, except in memory.
    place = str(_IN_MEMORY) if _IN_MEMORY.is_dir() else None
    with (
        tempfile.TemporaryDirectory(dir=place) as temporary,
        log.open("a", encoding="utf-8") as output,
    ):
        seeds = Path(temporary, "seeds")
        seeds.mkdir()
        [form] = [form for form in fuzzed_formats(seeds) if form.name == name]
        signal.signal(signal.SIGPROF, _stop)
        slowest, number = 0.0, first
        for number in range(first, count):
            if time.monotonic() > until and number > first:
                break
            output.write(json.dumps({"input": number, "slowest": slowest}) + "\n")
            output.flush()
            rng = np.random.default_rng([seed, number])
            file = str(rng.choice(list(form.seeds)))
            folder = Path(temporary, "input")
            folder.mkdir()
            for other, content in form.others.items():
                (folder / other).write_bytes(content)
            (folder / file).write_bytes(mutate(rng, form.seeds[file]))
            began = time.process_time()
            failure = _read(form.read, folder / (form.main or file))
            slowest = max(slowest, time.process_time() - began)
            if failure:
                output.write(json.dumps({"input": number, "failure": failure}) + "\n")
            shutil.rmtree(folder)
        else:
            number = count
        output.write(json.dumps({"input": number, "slowest": slowest}) + "\n")
    os._exit(0 if application else 1)


def _read(read: Any, path: Path) -> str:
    """Read a file and return a description of the failure; "" for a result or a sentence."""
    from randcrowns.core.errors import RandCrownsError

    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = _memory("VmRSS")
    try:
        with _limits():
            read(path)
    except RandCrownsError as error:
        if not str(error).strip():
            return f"an error without a sentence: {error!r}"
    except _TooLong:
        return f"took more than {MAX_SECONDS} s: {traceback.format_exc(limit=-4)}"
    except BaseException:
        return traceback.format_exc(limit=-6)
    used = _memory("VmHWM") - before
    return f"took {used >> 20} MB" if used > MAX_BYTES else ""


def _memory(name: str) -> int:
    """Return a size of the memory of this process in bytes: "VmRSS" now, "VmHWM" at its peak."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if line.startswith(f"{name}:")]
    return int(line.split()[1]) << 10


@contextmanager
def _limits() -> Iterator[None]:
    """Limit memory and processor time in the context."""
    size = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
    used = size * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + _MAX_ADDRESSES, resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)


def _stop(*_: object) -> None:
    """Stop an input that takes too long."""
    raise _TooLong


if __name__ == "__main__":
    _name, _seed, _first, _count, _seconds, _log = sys.argv[1:]
    _work(_name, int(_seed), int(_first), int(_count), float(_seconds), Path(_log))
