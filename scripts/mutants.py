"""Put faults into modules, one at a time, and list those that the tests do not find.

    make mutants MODULES="core layers/crs.py" SAMPLE=30 SEED=1

So many faults are drawn out of each folder or module that is named. The tests of its floor (core, layers, algorithms)
run once without a fault, to see which of them run which line. A fault is then met with these tests only, in a copy of
the checkout: those of its own folder first, the quickest first, and no more after the first that fails. Tests of other
folders are tried as long as they take two minutes together. The faults that nothing found go to ``build/mutants.txt``;
those listed in ``scripts/harmless_faults.txt`` with a reason are not drawn.

Each run of the tests is a fork of this process, which has loaded all libraries, but no module of the product.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import dis
import importlib
import json
import os
import py_compile
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Callable, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
HARMLESS = ROOT / "scripts/harmless_faults.txt"
#: What the algorithms declare: all their choices and outputs.
DECLARED = "tests/frozen/test_definitions.py"
#: Floor -> its tests.
FLOORS = {"core": ("tests/core",), "layers": ("tests/layers",), "algorithms": ("tests/algorithms", DECLARED)}
#: Seconds that the tests of a fault may take beyond three times what they took without it.
PATIENCE = 60
#: Seconds that the tests of other folders may take together without a fault.
ELSEWHERE = 120
#: Tests that are tried before the others are collected.
FIRST = 12

_COMPARISONS = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
_OPERATORS = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.FloorDiv: "*",
    ast.Mod: "*",
}
#: Functions that give the same whichever argument comes first.
_SYMMETRIC = {"min", "max", "minimum", "maximum", "hypot", "intersects"}


class Fault(NamedTuple):
    """A text that takes the place of another in a module."""

    module: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}  {' '.join(self.old.split())}  ->  {' '.join(self.new.split())}"


class _Places(ast.NodeVisitor):
    """Nodes where a fault can stand: no type hints, no texts of documentation, nothing for type checkers only."""

    def __init__(self, text: str) -> None:
        self.starts = [0]
        for line in text.encode().splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.text = text.encode()
        self.found: list[tuple[int, int, int, str]] = []

    def _span(self, node: ast.AST) -> tuple[int, int]:
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def _of(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self.text[start:end].decode()

    def _add(self, node: ast.AST, new: str) -> None:
        self.found.append((*self._span(node), node.lineno, new))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for child in [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]:
            self.visit(child)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" not in ast.unparse(node.test):
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """What an error says is not looked at."""

    def visit_Compare(self, node: ast.Compare) -> None:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        for number, operator in enumerate(node.ops):
            words = [self._of(sides[0])]
            for other, (operator_there, side) in enumerate(zip(node.ops, sides[1:])):
                kept = self._between(sides[other], side)
                words += [f" {_COMPARISONS[type(operator_there)]} " if other == number else kept, self._of(side)]
            if type(operator) in _COMPARISONS:
                self._add(node, "".join(words))

    def _between(self, one: ast.AST, other: ast.AST) -> str:
        return self.text[self._span(one)[1] : self._span(other)[0]].decode()

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.generic_visit(node)
        texts = isinstance(node.left, (ast.JoinedStr, ast.Constant)) and isinstance(
            getattr(node.left, "value", ""), str
        )
        if type(node.op) in _OPERATORS and not texts:
            between = self._between(node.left, node.right)
            closed = between.rstrip("( \n").lstrip(") \n")
            if closed:
                new = between.replace(closed, _OPERATORS[type(node.op)], 1)
                self._add(node, self._of_span(self._span(node)[0], self._span(node.left)[1]) + new + self._tail(node))

    def _of_span(self, start: int, end: int) -> str:
        return self.text[start:end].decode()

    def _tail(self, node: ast.BinOp) -> str:
        return self._of_span(self._span(node.right)[0], self._span(node)[1])

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        if type(node.op) in _OPERATORS:
            self._add(node, f"{self._of(node.target)} {_OPERATORS[type(node.op)]}= {self._of(node.value)}")

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.generic_visit(node)
        word = " or " if isinstance(node.op, ast.And) else " and "
        self._add(node, word.join(f"({self._of(value)})" for value in node.values))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if not isinstance(node.operand, ast.Constant):
            self.generic_visit(node)
        if not isinstance(node.op, ast.UAdd):
            self._add(node, f"({self._of(node.operand)})")

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._add(node, str(not value))
        elif isinstance(value, int):
            self._add(node, str(value + 1))
        elif isinstance(value, float):
            self._add(node, repr(2 * value if value else 1.0))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Texts are not looked at."""

    def visit_keyword(self, node: ast.keyword) -> None:
        """That nobody writes into a frozen class is mypy's to find."""
        if node.arg != "frozen":
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        either_way = self._of(node.func).split(".")[-1] in _SYMMETRIC
        if len(node.args) >= 2 and not either_way and not any(isinstance(one, ast.Starred) for one in node.args[:2]):
            one, other = (self._of(argument) for argument in node.args[:2])
            if one != other:
                start, end = self._span(node.args[0])[0], self._span(node.args[1])[1]
                between = self._between(node.args[0], node.args[1])
                self.found.append((start, end, node.lineno, other + between + one))


def faults_of(module: Path) -> list[Fault]:
    """Every fault that fits into a module and leaves it a program."""
    text = module.read_text(encoding="utf-8")
    places = _Places(text)
    places.visit(ast.parse(text))
    name, found = str(module.relative_to(ROOT)), []
    for start, end, line, new in places.found:
        fault = Fault(name, line, start, end, places.text[start:end].decode(), new)
        try:
            ast.parse(with_fault(text, fault))
        except SyntaxError:
            continue
        found.append(fault)
    return found


def with_fault(text: str, fault: Fault) -> str:
    """The module with the fault in it."""
    code = text.encode()
    return (code[: fault.start] + fault.new.encode() + code[fault.end :]).decode()


def harmless() -> dict[tuple[str, str, str], str]:
    """(module, line, line with the fault) -> why no test can, or need, find it."""
    lines = [line.strip() for line in HARMLESS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    blocks = [block.split("\n") for block in "\n".join(lines).strip().split("\n\n") if block]
    return {(module, old, new): reason for module, old, new, reason in blocks}


def key(fault: Fault, text: str) -> tuple[str, str, str]:
    """What the list of harmless faults names a fault of a module with this text by; lines may move."""
    lines, faulty = text.splitlines(), with_fault(text, fault).splitlines()
    first, after = fault.line - 1, len(lines) - (lines_of(fault).stop - 1)
    old, new = (" ".join(" ".join(some[first : len(some) - after]).split()) for some in (lines, faulty))
    return fault.module, old, new


def drawn(name: str, sample: int, seed: int) -> list[Fault]:
    """Faults of a folder or module, drawn with the seed out of all of them."""
    paths = [ROOT / name] if name.endswith(".py") else sorted((ROOT / name).rglob("*.py"))
    known, faults = harmless(), []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        faults += [fault for fault in faults_of(path) if key(fault, text) not in known]
    return sorted(random.Random(f"{seed} {name}").sample(faults, min(sample, len(faults))))


class Watch:
    """A pytest plugin: notes which tests run which lines of some modules, and how long they take.

    Args:
        root: the folder of the modules.
        wanted: module -> the lines that matter.
        out: gets (module, line, tests), line 0 for any line of the module, the seconds of each test, and what failed.
    """

    def __init__(self, root: Path, wanted: dict[str, set[int]], out: Path) -> None:
        self._wanted = {str(root / module): (module, lines) for module, lines in wanted.items()}
        self._out = out
        self._codes: dict[Any, Callable[..., Any] | None] = {}
        self._tests: dict[tuple[str, int], set[str]] = defaultdict(set)
        self._seconds: dict[str, float] = defaultdict(float)
        self._failed: set[str] = set()
        self._test = ""

    def look(self, frame: FrameType, _event: str, _value: object) -> Callable[..., Any] | None:
        """Follow the lines of a function where one of them matters."""
        code = frame.f_code
        found = self._wanted.get(code.co_filename)
        if found is None:
            return None
        module, lines = found
        self._tests[module, 0].add(self._test)
        if code not in self._codes:
            within = {line for _, line in dis.findlinestarts(code)} & lines

            def follow(frame: FrameType, _event: str, _value: object) -> Callable[..., Any]:
                if frame.f_lineno in within:
                    self._tests[module, frame.f_lineno].add(self._test)
                return follow

            self._codes[code] = follow if within else None
        return self._codes[code]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """A test may have set a trace of its own."""
        self._test = item.nodeid
        sys.settrace(self.look)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Fixtures included."""
        self._seconds[report.nodeid] += report.duration
        if report.failed:
            self._failed.add(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Write down what was seen."""
        sys.settrace(None)
        tests = [(module, line, sorted(names - self._failed)) for (module, line), names in self._tests.items()]
        self._out.write_text(json.dumps((tests, self._seconds, sorted(self._failed))), encoding="utf-8")


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
        items[:] = sorted(
            (item for item in items if item.nodeid in self._rank), key=lambda item: self._rank[item.nodeid]
        )

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
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        for name in names:
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        (self.root / ".venv").symlink_to(ROOT / ".venv")
        # Known by their text: a module with a fault may have the time and the size of the right one.
        by_text = py_compile.PycInvalidationMode.CHECKED_HASH
        for name in FLOORS:
            compileall.compile_dir(self.root / name, quiet=2, invalidation_mode=by_text)

    def run(self, paths: Iterable[str], plugin: object, seconds: float | None = None) -> int:
        """The exit status of pytest; -1 where it takes longer than the seconds. What it says is in ``said.txt``."""
        sys.stdout.flush()
        child = os.fork()
        if not child:
            self._test(["-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", *paths], plugin)
        ends = time.monotonic() + (seconds or float("inf"))
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

    def watch(self, faults: list[Fault], floor: str) -> tuple[dict[tuple[str, int], set[str]], dict[str, float]]:
        """The tests of a floor that run each line of the faults, and the seconds that each test takes.

        Tests that fail without any fault find none, and are named.

        Raises:
            SystemExit: when the tests cannot be run.
        """
        wanted: dict[str, set[int]] = defaultdict(set)
        for fault in faults:
            wanted[fault.module] |= set(lines_of(fault))
        out = self._folder / "lines.json"
        out.unlink(missing_ok=True)
        plugin = Watch(self.root, wanted, out)
        threading.settrace(plugin.look)
        self.run([*FLOORS[floor], "--maxfail=20"], plugin)
        threading.settrace(None)
        if not out.is_file():
            said = (self._folder / "said.txt").read_text(encoding="utf-8", errors="replace")
            raise SystemExit(f"The tests of {floor} cannot be run:\n{said[-3000:]}")
        tests, seconds, failed = json.loads(out.read_text(encoding="utf-8"))
        for test in failed:
            print(f"fails without a fault: {test}", flush=True)
        return {(module, line): set(names) for module, line, names in tests}, seconds

    def finds(self, fault: Fault, rounds: list[tuple[list[str], float]]) -> str:
        """The test that fails with the fault, or a word where the tests end otherwise; nothing where all pass.

        Args:
            rounds: tests to try together, and the seconds after which they are not waited for.
        """
        module = self.root / fault.module
        right = module.read_text(encoding="utf-8")
        module.write_text(with_fault(right, fault), encoding="utf-8")
        failed = self._folder / "failed.txt"
        try:
            for tests, seconds in rounds:
                failed.unlink(missing_ok=True)
                files = dict.fromkeys(test.split("::")[0] for test in tests)
                status = self.run(files, Chosen(tests, failed), seconds)
                if status != 0:
                    words = {-1: "not done in time", 2: "cannot be imported"}
                    return failed.read_text(encoding="utf-8") if failed.is_file() else words.get(status, str(status))
        finally:
            module.write_text(right, encoding="utf-8")
        return ""


def lines_of(fault: Fault) -> range:
    """The lines that a fault stands on."""
    return range(fault.line, fault.line + fault.old.count("\n") + 1)


def tests_of(module: str) -> str:
    """The folder of tests that mirrors that of the module, or the next one up."""
    folder = Path("tests") / Path(module).parent
    while not list((ROOT / folder).glob("test_*.py")):
        folder = folder.parent
    return str(folder)


def rounds_of(
    fault: Fault, tests: dict[tuple[str, int], set[str]], seconds: dict[str, float]
) -> list[tuple[list[str], float]]:
    """The tests that can find a fault, the likeliest first, and how long they may take."""
    run: set[str] = set().union(*(tests.get((fault.module, line), set()) for line in lines_of(fault)))
    if not run:  # a line of the import: whatever uses the module, or may
        run = {test for test in seconds if test.split("::")[0] == DECLARED}
        run |= tests.get((fault.module, 0)) or set(seconds)
    home = tests_of(fault.module)
    own = [test for test in run if str(Path(test.split("::")[0]).parent) == home]
    order = sorted(own, key=lambda test: (seconds.get(test, 0.0), test))
    left = ELSEWHERE
    for test in sorted(run - set(own), key=lambda test: (seconds.get(test, 0.0), test)):
        left -= seconds.get(test, 0.0)
        if left > 0:
            order.append(test)
    rounds = [order[:FIRST], sorted(order[FIRST:], key=lambda test: (test not in own, test))]
    return [(part, 3 * sum(seconds.get(test, 0.0) for test in part) + PATIENCE) for part in rounds if part]


def met(name: str, sample: int, seed: int, workshop: Workshop) -> Iterator[tuple[Fault, str]]:
    """Some faults of a folder or module, and which test finds each, if one does."""
    faults = drawn(name, sample, seed)
    if not faults:
        return
    tests, seconds = workshop.watch(faults, Path(name).parts[0])
    for fault in faults:
        yield fault, workshop.finds(fault, rounds_of(fault, tests, seconds))


def main() -> None:
    """Put faults into the modules that the command names, and list what survives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="+", help="modules or folders, such as core/scoring")
    parser.add_argument("--sample", type=int, default=20, help="faults per module or folder named")
    parser.add_argument("--seed", type=int, default=1, help="which faults")
    asked = parser.parse_args()
    load_libraries()
    out = ROOT / "build/mutants.txt"
    out.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, out.open("w", encoding="utf-8") as report:
        workshop = Workshop(Path(folder))
        for name in map(os.path.normpath, asked.modules):
            put = found = 0
            for fault, test in met(name, asked.sample, asked.seed, workshop):
                put, found = put + 1, found + bool(test)
                print(f"{'found   ' if test else 'SURVIVES'} {fault}   {test}", flush=True)
                if not test:
                    print(fault, file=report, flush=True)
            print(f"{name}: {found} of {put} faults found", flush=True)
    print(f"Those that nothing found are in {out.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
