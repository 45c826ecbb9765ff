"""Put faults into modules, one at a time, and list those that the tests of the module's folder do not find.

    make mutants MODULES="core/scoring core/statistics.py" SAMPLE=30 SEED=1

The tests run once without a fault, to see which of them run which line; a fault is then met with these tests only, the
quickest first, in a copy of the checkout. The list of faults that nothing found goes to ``build/mutants.txt``.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PYTHON = ROOT / ".venv/bin/python"
#: Seconds that the tests of a fault may take beyond three times what they took without it.
PATIENCE = 60

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

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        if len(node.args) >= 2 and not any(isinstance(one, ast.Starred) for one in node.args[:2]):
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


#: A pytest plugin: notes which tests run which lines of one file, and how long they take.
TRACER = """
import json, os, sys, threading
import pytest
FILE, OUT = os.environ["MUTANTS_FILE"], os.environ["MUTANTS_OUT"]
lines, times, current = {}, {}, [""]
def local(frame, event, arg):
    lines.setdefault(frame.f_lineno, set()).add(current[0])
    return local
def look(frame, event, arg):
    return local(frame, event, arg) if frame.f_code.co_filename.endswith(FILE) else None
sys.settrace(look)
threading.settrace(look)
@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    current[0] = item.nodeid
    sys.settrace(look)
def pytest_runtest_logreport(report):
    times[report.nodeid] = times.get(report.nodeid, 0.0) + report.duration
@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    sys.settrace(None)
    found = {line: sorted(tests) for line, tests in lines.items()}
    with open(OUT, "w") as file:
        json.dump({"lines": found, "times": times}, file)
"""


class Workshop:
    """A copy of the checkout in which tests run against modules with a fault.

    Args:
        folder: an empty folder.
    """

    def __init__(self, folder: Path) -> None:
        self.root = folder / "randcrowns"
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        for name in names:
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        (self.root / ".venv").symlink_to(ROOT / ".venv")
        (folder / "mutants_tracer.py").write_text(TRACER, encoding="utf-8")
        self._paths = os.pathsep.join(map(str, (folder, folder)))

    def run(self, tests: list[str], seconds: float | None = None, **environment: str) -> int:
        """The exit status of pytest; 1 where it takes longer than the seconds."""
        options = ["-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", *environment.pop("options", "").split()]
        variables = {**os.environ, "PYTHONPATH": self._paths, "PYTHONDONTWRITEBYTECODE": "1", **environment}
        try:
            done = subprocess.run(
                [PYTHON, "-m", "pytest", *options, *tests],
                cwd=self.root,
                env={**variables, "QT_QPA_PLATFORM": "offscreen"},
                capture_output=True,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return 1
        self.said = (done.stdout + done.stderr).decode(errors="replace")
        return done.returncode

    def coverage(self, module: str, tests: list[str]) -> tuple[dict[int, list[str]], dict[str, float]]:
        """The tests that run each line, "" for the import, and the seconds that each test takes.

        Raises:
            SystemExit: when the tests fail without any fault.
        """
        out = self.root.parent / "lines.json"
        out.unlink(missing_ok=True)
        status = self.run(tests, options="-p mutants_tracer", MUTANTS_FILE=f"randcrowns/{module}", MUTANTS_OUT=str(out))
        if status != 0:
            raise SystemExit(f"{module}: its tests fail without a fault:\n{self.said[-3000:]}")
        noted = json.loads(out.read_text(encoding="utf-8"))
        return {int(line): names for line, names in noted["lines"].items()}, noted["times"]

    def finds(self, fault: Fault, tests: list[str], seconds: float) -> bool:
        """Whether a test fails, or takes far longer, with the fault."""
        module = self.root / fault.module
        right = module.read_text(encoding="utf-8")
        module.write_text(with_fault(right, fault), encoding="utf-8")
        try:
            return self.run(tests, seconds) != 0
        finally:
            module.write_text(right, encoding="utf-8")


def tests_of(module: str) -> list[str]:
    """The tests that mirror the module: those of its folder."""
    folder = Path("tests") / Path(module).parent
    while not (ROOT / folder).is_dir() or not list((ROOT / folder).glob("test_*.py")):
        folder = folder.parent
    deep = folder.parent.name != "tests" or folder.name not in ("core", "layers", "algorithms")
    return [str(folder)] if deep else sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).glob("test_*.py"))


def survivors(module: str, sample: int, seed: int, workshop: Workshop) -> Iterator[tuple[Fault, bool]]:
    """Some faults of a module, drawn with the seed, and whether the tests find them."""
    faults = faults_of(ROOT / module)
    drawn = random.Random(f"{seed} {module}").sample(faults, min(sample, len(faults)))
    if not drawn:
        return
    everything = tests_of(module)
    lines, times = workshop.coverage(module, everything)
    for fault in sorted(drawn):
        text = (ROOT / module).read_text(encoding="utf-8")
        last = fault.line + text.encode()[fault.start : fault.end].decode().count("\n")
        run = {name for line in range(fault.line, last + 1) for name in lines.get(line, [])}
        tests = everything if "" in run else sorted(run, key=lambda name: times.get(name, 0.0))
        seconds = 3 * sum(times.get(name, 0.0) for name in (times if "" in run else tests)) + PATIENCE
        yield fault, bool(tests) and workshop.finds(fault, tests, seconds)


def main() -> None:
    """Put faults into the modules that the command names, and list what survives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="+", help="modules or folders, such as core/scoring")
    parser.add_argument("--sample", type=int, default=20, help="faults per module")
    parser.add_argument("--seed", type=int, default=1, help="which faults")
    asked = parser.parse_args()
    modules = [
        str(path.relative_to(ROOT))
        for name in asked.modules
        for path in ([ROOT / name] if name.endswith(".py") else sorted((ROOT / name).rglob("*.py")))
    ]
    out = ROOT / "build/mutants.txt"
    out.parent.mkdir(exist_ok=True)
    put = found = 0
    with tempfile.TemporaryDirectory() as folder, out.open("w", encoding="utf-8") as report:
        workshop = Workshop(Path(folder))
        for module in modules:
            met = list(survivors(module, asked.sample, asked.seed, workshop))
            put, found = put + len(met), found + sum(right for _, right in met)
            print(f"{module}: {sum(right for _, right in met)} of {len(met)} found", flush=True)
            for fault, right in met:
                if not right:
                    print(f"    {fault}", flush=True)
                    report.write(f"{fault}\n")
                    report.flush()
    print(f"{found} of {put} faults found; the others are in {out.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
