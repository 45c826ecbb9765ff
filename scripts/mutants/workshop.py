"""Run tests in a copy of the checkout, against modules that contain a fault.

Each run is a fork of this process, which has imported all libraries but no module of the plugin.
"""

from __future__ import annotations

import compileall
import importlib
import json
import os
import py_compile
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Callable

import pytest

from mutants.faults import ROOT, Fault


class LineTracer:
    """A pytest plugin that records which tests execute which lines, and their durations.

    Args:
        traced_lines: file name of a module -> its path below ROOT and the lines of interest.
        out: JSON file for the results: a list of (module, line, tests), with line 0 for any line
            of the module; the seconds of each test; the tests that failed.
    """

    def __init__(self, traced_lines: dict[str, tuple[str, set[int]]], out: Path) -> None:
        self._traced_lines = traced_lines
        self._out = out
        #: Code object -> True if it contains a line of interest.
        self._is_traced: dict[CodeType, bool] = {}
        self._tests: dict[tuple[str, int], set[str]] = defaultdict(set)
        self._seconds: dict[str, float] = defaultdict(float)
        self._failed: set[str] = set()
        self._test = ""

    def _trace(self, frame: FrameType, event: str, _value: object) -> Callable[..., Any] | None:
        """Record a line; trace the lines of a function only if one of them is of interest."""
        code = frame.f_code
        if code.co_filename not in self._traced_lines:
            return None
        module, lines = self._traced_lines[code.co_filename]
        if event == "call":
            self._tests[module, 0].add(self._test)
        elif frame.f_lineno in lines:
            self._tests[module, frame.f_lineno].add(self._test)
        if code not in self._is_traced:
            self._is_traced[code] = not lines.isdisjoint(line for _, _, line in code.co_lines())
        return self._trace if self._is_traced[code] else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Set the trace function for each test, as a test may replace it."""
        self._test = item.nodeid
        sys.settrace(self._trace)
        threading.settrace(self._trace)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the duration of a test's setup, call or teardown."""
        self._seconds[report.nodeid] += report.duration
        if report.failed:
            self._failed.add(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Write the results."""
        sys.settrace(None)
        tests = [
            (module, line, sorted(names - self._failed))
            for (module, line), names in self._tests.items()
        ]
        self._out.write_text(
            json.dumps((tests, self._seconds, sorted(self._failed))), encoding="utf-8"
        )


class TestSelection:
    """A pytest plugin that runs only selected tests, in their order, and records a failure.

    Args:
        tests: names of the tests.
        out: text file for the name of the test that fails.
    """

    def __init__(self, tests: list[str], out: Path) -> None:
        self._rank = {test: number for number, test in enumerate(tests)}
        self._out = out

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Deselect the other tests and sort the rest."""
        chosen = [item for item in items if item.nodeid in self._rank]
        items[:] = sorted(chosen, key=lambda item: self._rank[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write the name of a test that fails."""
        if report.failed:
            self._out.write_text(report.nodeid, encoding="utf-8")


def load_libraries() -> None:
    """Import all libraries of the plugin, then remove the plugin's own modules."""
    importlib.import_module("hypothesis.strategies")
    for name in ("core", "algorithms.provider"):
        importlib.import_module(f"randcrowns.{name}")
    for name in [name for name in sys.modules if name.split(".")[0] == "randcrowns"]:
        del sys.modules[name]


class FaultRunner:
    """A copy of the checkout in which tests run against modules with a fault.

    Args:
        folder: an empty folder for the copy and for the output of the tests.

    Attributes:
        root: root of the copy.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.root = folder / "randcrowns"
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        for name in process.stdout.splitlines():
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        (self.root / ".venv").symlink_to(ROOT / ".venv")
        # A module with a fault may have the time and the size of the correct one, so compiled
        # modules are compared by the hash of their source.
        by_hash = py_compile.PycInvalidationMode.CHECKED_HASH
        for name in ("core", "report", "layers", "algorithms", "ui"):
            compileall.compile_dir(self.root / name, quiet=2, invalidation_mode=by_hash)

    def _run(self, paths: Iterable[str], plugin: object, seconds: float) -> int:
        """Run pytest in a fork of this process and return its exit status.

        The output goes to ``output.txt``.

        Args:
            paths: files or folders of tests.
            plugin: pytest plugin.
            seconds: time limit, after which the run is killed.

        Returns:
            The exit status; -1 if the time limit is exceeded.
        """
        sys.stdout.flush()
        child = os.fork()
        if not child:
            self._become_pytest(
                ["-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", *paths], plugin
            )
        deadline = time.monotonic() + seconds
        while True:
            ended_child, status = os.waitpid(child, os.WNOHANG)
            if ended_child:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > deadline:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return -1
            time.sleep(0.05)

    def _become_pytest(self, arguments: list[str], plugin: object) -> None:
        """Turn this process, a fork, into a run of pytest; never return."""
        status = 1
        try:
            os.setsid()
            output = os.open(self._folder / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for stream in (1, 2):
                os.dup2(output, stream)
            os.chdir(self.root)
            sys.path.insert(0, str(self._folder))
            os.environ.update(PYTHONPATH=str(self._folder), QT_QPA_PLATFORM="offscreen")
            status = int(pytest.main(arguments, plugins=[plugin]))
        except BaseException:  # noqa: BLE001 - the child must never return into the parent's code
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)

    def trace_tests(
        self, faults: list[Fault], paths: Iterable[str]
    ) -> tuple[dict[tuple[str, int], set[str]], dict[str, float]]:
        """Run tests without a fault and return which of them execute the lines of faults.

        Tests that fail are printed and excluded.

        Args:
            faults: the faults.
            paths: files or folders of tests.

        Returns:
            (module, line) -> tests that execute the line, with line 0 for any line of the module;
            test -> its duration in seconds.

        Raises:
            SystemExit: if the tests cannot run.
        """
        traced_lines: dict[str, tuple[str, set[int]]] = {}
        for fault in faults:
            file = str(self.root / fault.module)
            _, lines = traced_lines.setdefault(file, (fault.module, set()))
            lines.update(fault.lines)
        out = self._folder / "lines.json"
        out.unlink(missing_ok=True)
        self._run([*paths, "--maxfail=20"], LineTracer(traced_lines, out), float("inf"))
        if not out.is_file():
            output = (self._folder / "output.txt").read_text(encoding="utf-8", errors="replace")
            raise SystemExit(f"The tests cannot run:\n{output[-3000:]}")
        tests, seconds, failed = json.loads(out.read_text(encoding="utf-8"))
        for test in failed:
            print(f"fails without a fault: {test}", flush=True)
        return {(module, line): set(names) for module, line, names in tests}, seconds

    def find_failing_test(self, fault: Fault, rounds: list[tuple[list[str], float]]) -> str:
        """Run tests with a fault and return the test that fails.

        Args:
            fault: fault that is in its module while the tests run.
            rounds: tests that run together, each list with its time limit in seconds.

        Returns:
            The name of the test; a reason if the run ends in another way; "" if all tests pass.
        """
        module = self.root / fault.module
        original = module.read_text(encoding="utf-8")
        module.write_text(fault.apply(original), encoding="utf-8")
        failed = self._folder / "failed.txt"
        try:
            for tests, seconds in rounds:
                failed.unlink(missing_ok=True)
                files = dict.fromkeys(test.split("::")[0] for test in tests)
                status = self._run(files, TestSelection(tests, failed), seconds)
                if status == 0:
                    continue
                if failed.is_file():
                    return failed.read_text(encoding="utf-8")
                reasons = {-1: "time limit exceeded", 2: "cannot be imported"}
                return reasons.get(status, str(status))
        finally:
            module.write_text(original, encoding="utf-8")
        return ""
