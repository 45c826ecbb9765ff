"""Runs of tests in a copy of the checkout, against modules with a fault in them.

Each run is a fork of this process, which has loaded all libraries, but no module of the product.
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


class Watch:
    """A pytest plugin: notes which tests run which lines of some modules, and how long they take.

    Args:
        wanted: path of a module -> its name and the lines that matter.
        out: gets (module, line, tests), line 0 for any line of the module, the seconds of each test, and what failed.
    """

    def __init__(self, wanted: dict[str, tuple[str, set[int]]], out: Path) -> None:
        self._wanted = wanted
        self._out = out
        self._within: dict[CodeType, bool] = {}
        self._tests: dict[tuple[str, int], set[str]] = defaultdict(set)
        self._seconds: dict[str, float] = defaultdict(float)
        self._failed: set[str] = set()
        self._test = ""

    def _look(self, frame: FrameType, event: str, _value: object) -> Callable[..., Any] | None:
        """Follow the lines of a function where one of them matters."""
        code = frame.f_code
        if code.co_filename not in self._wanted:
            return None
        module, lines = self._wanted[code.co_filename]
        if event == "call":
            self._tests[module, 0].add(self._test)
        elif frame.f_lineno in lines:
            self._tests[module, frame.f_lineno].add(self._test)
        if code not in self._within:
            self._within[code] = not lines.isdisjoint(line for _, _, line in code.co_lines())
        return self._look if self._within[code] else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """A test may have set a trace of its own."""
        self._test = item.nodeid
        sys.settrace(self._look)
        threading.settrace(self._look)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Fixtures included."""
        self._seconds[report.nodeid] += report.duration
        if report.failed:
            self._failed.add(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Write down what was seen."""
        sys.settrace(None)
        tests = [
            (module, line, sorted(names - self._failed))
            for (module, line), names in self._tests.items()
        ]
        self._out.write_text(
            json.dumps((tests, self._seconds, sorted(self._failed))), encoding="utf-8"
        )


class Chosen:
    """A pytest plugin: runs some of the collected tests only, in the order given, and says which fails.

    Args:
        tests: names of tests.
        out: gets the name of the one that fails.
    """

    def __init__(self, tests: list[str], out: Path) -> None:
        self._rank = {test: number for number, test in enumerate(tests)}
        self._out = out

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave the others out."""
        chosen = [item for item in items if item.nodeid in self._rank]
        items[:] = sorted(chosen, key=lambda item: self._rank[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """The first that fails."""
        if report.failed:
            self._out.write_text(report.nodeid, encoding="utf-8")


def load_libraries() -> None:
    """Import what the product imports, and forget the product's own modules."""
    importlib.import_module("hypothesis.strategies")
    for name in ("core", "algorithms.provider"):
        importlib.import_module(f"randcrowns.{name}")
    for name in [name for name in sys.modules if name.split(".")[0] == "randcrowns"]:
        del sys.modules[name]


class Workshop:
    """A copy of the checkout in which tests run against modules with a fault.

    Args:
        folder: an empty folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.root = folder / "randcrowns"
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(
            listed, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for name in names:
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        (self.root / ".venv").symlink_to(ROOT / ".venv")
        # Known by their text: a module with a fault may have the time and the size of the right one.
        by_text = py_compile.PycInvalidationMode.CHECKED_HASH
        for name in ("core", "layers", "algorithms", "ui"):
            compileall.compile_dir(self.root / name, quiet=2, invalidation_mode=by_text)

    def _run(self, paths: Iterable[str], plugin: object, seconds: float) -> int:
        """The exit status of pytest; -1 where it takes longer than the seconds. What it says is in ``said.txt``."""
        sys.stdout.flush()
        child = os.fork()
        if not child:
            self._test(["-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", *paths], plugin)
        ends = time.monotonic() + seconds
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > ends:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return -1
            time.sleep(0.05)

    def _test(self, words: list[str], plugin: object) -> None:
        """Become pytest."""
        status = 1
        try:
            os.setsid()
            said = os.open(self._folder / "said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for stream in (1, 2):
                os.dup2(said, stream)
            os.chdir(self.root)
            sys.path.insert(0, str(self._folder))
            os.environ.update(PYTHONPATH=str(self._folder), QT_QPA_PLATFORM="offscreen")
            status = int(pytest.main(words, plugins=[plugin]))
        except BaseException:  # noqa: BLE001 - nothing of the child may go on in the parent's code
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)

    def watch(
        self, faults: list[Fault], paths: Iterable[str]
    ) -> tuple[dict[tuple[str, int], set[str]], dict[str, float]]:
        """The tests in some folders that run each line of the faults, and the seconds that each of all tests takes.

        Tests that fail without any fault find none, and are named.

        Raises:
            SystemExit: when the tests cannot be run.
        """
        wanted: dict[str, tuple[str, set[int]]] = {}
        for fault in faults:
            wanted.setdefault(str(self.root / fault.module), (fault.module, set()))[1].update(
                fault.lines
            )
        out = self._folder / "lines.json"
        out.unlink(missing_ok=True)
        self._run([*paths, "--maxfail=20"], Watch(wanted, out), float("inf"))
        if not out.is_file():
            said = (self._folder / "said.txt").read_text(encoding="utf-8", errors="replace")
            raise SystemExit(f"The tests cannot be run:\n{said[-3000:]}")
        tests, seconds, failed = json.loads(out.read_text(encoding="utf-8"))
        for test in failed:
            print(f"fails without a fault: {test}", flush=True)
        return {(module, line): set(names) for module, line, names in tests}, seconds

    def finds(self, fault: Fault, rounds: list[tuple[list[str], float]]) -> str:
        """The test that fails with the fault, or a word where the tests end otherwise; nothing where all pass.

        Args:
            fault: put into its module while the tests run.
            rounds: tests to try together, and the seconds after which they are not waited for.
        """
        module = self.root / fault.module
        right = module.read_text(encoding="utf-8")
        module.write_text(fault.put(right), encoding="utf-8")
        failed = self._folder / "failed.txt"
        try:
            for tests, seconds in rounds:
                failed.unlink(missing_ok=True)
                files = dict.fromkeys(test.split("::")[0] for test in tests)
                status = self._run(files, Chosen(tests, failed), seconds)
                if status != 0:
                    words = {-1: "not done in time", 2: "cannot be imported"}
                    return (
                        failed.read_text(encoding="utf-8")
                        if failed.is_file()
                        else words.get(status, str(status))
                    )
        finally:
            module.write_text(right, encoding="utf-8")
        return ""
