"""Faults that can be put into a module, and samples of those of a folder."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
#: List of faults that no test need detect, with reasons.
HARMLESS = Path(__file__).with_name("harmless.txt")

#: Comparison -> the operator that replaces it.
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
#: Arithmetic or bit operation -> the operator that replaces it.
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
#: Functions whose result does not depend on the order of their first two arguments.
_SYMMETRIC = {"min", "max", "minimum", "maximum", "hypot", "intersects", "distance", "samefile"}
#: An operator (group 1) after brackets, line breaks and comments.
_OPERATOR = re.compile(rb"(?:[\s)\\]|#.*\n)*(is\s+not|not\s+in|[^\s(\\]+)")


class Fault(NamedTuple):
    """A text that replaces another in a module.

    Attributes:
        module: path of the module below ROOT.
        line: first line of the replaced text, from 1.
        start: first replaced byte of the module.
        end: byte after the last replaced one.
        old: replaced text.
        new: text that replaces it.
        is_in_function: True within a function; other code is executed when the module is imported.
    """

    module: str
    line: int
    start: int
    end: int
    old: str
    new: str
    is_in_function: bool

    @property
    def lines(self) -> range:
        """Lines of the replaced text."""
        return range(self.line, self.line + self.old.count("\n") + 1)

    def apply(self, text: str) -> str:
        """Return a module's text with the fault in it."""
        code = text.encode()
        return (code[: self.start] + self.new.encode() + code[self.end :]).decode()

    def describe(self, text: str) -> tuple[str, str, str]:
        """Return an entry of the list of harmless faults that does not depend on line numbers.

        Args:
            text: text of the module.

        Returns:
            The module, the fault's lines without it and the same lines with it, each with single
            blanks.
        """
        lines = text.splitlines()
        faulty_lines = self.apply(text).splitlines()
        first = self.line - 1
        n_after = len(lines) - (self.lines.stop - 1)
        old = " ".join(" ".join(lines[first : len(lines) - n_after]).split())
        new = " ".join(" ".join(faulty_lines[first : len(faulty_lines) - n_after]).split())
        return self.module, old, new


class _FaultCollector(ast.NodeVisitor):
    """Collects the faults of a module.

    Type hints, docstrings, messages and code for type checkers are omitted.

    Args:
        module: path of the module below ROOT.
        text: text of the module.

    Attributes:
        faults: faults of the visited nodes.
    """

    def __init__(self, module: str, text: str) -> None:
        self.module = module
        self.faults: list[Fault] = []
        self._text = text.encode()
        #: First byte of each line.
        self._line_starts = [0]
        for line in self._text.splitlines(keepends=True):
            self._line_starts.append(self._line_starts[-1] + len(line))
        self._is_in_function = False

    def _span(self, node: ast.AST) -> tuple[int, int]:
        """Return the first byte of a node and the one after its last."""
        return (
            self._line_starts[node.lineno - 1] + node.col_offset,
            self._line_starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def _source(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self._text[start:end].decode()

    def _add(self, start: int, end: int, new: str) -> None:
        """Add the fault that replaces the bytes from start to end."""
        line = self._text.count(b"\n", 0, start) + 1
        old = self._text[start:end].decode()
        self.faults.append(Fault(self.module, line, start, end, old, new, self._is_in_function))

    def _add_operator(
        self,
        left: ast.AST,
        right: ast.AST,
        operator: ast.AST,
        replacements: dict[type[ast.AST], str],
    ) -> None:
        """Add the fault that replaces the operator between two nodes, if it has a replacement."""
        match = _OPERATOR.match(self._text, self._span(left)[1], self._span(right)[0])
        if match and type(operator) in replacements:
            self._add(*match.span(1), replacements[type(operator)])

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Visit decorators, defaults and the body, but no type hints."""
        defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        for child in [*node.decorator_list, *defaults]:
            self.visit(child)
        was_in_function = self._is_in_function
        self._is_in_function = True
        for child in node.body:
            self.visit(child)
        self._is_in_function = was_in_function

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Visit the value, but not the type hint."""
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        """Skip code for type checkers."""
        if "TYPE_CHECKING" not in ast.unparse(node.test):
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Skip error messages."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Skip texts."""

    def visit_keyword(self, node: ast.keyword) -> None:
        """Skip ``frozen``, which mypy checks."""
        if node.arg != "frozen":
            self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Replace each comparison of a chain."""
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        for left, right, operator in zip(sides, sides[1:], node.ops):
            self._add_operator(left, right, operator, _COMPARISONS)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Replace the operator, except between texts."""
        self.generic_visit(node)
        is_text = isinstance(node.left, ast.JoinedStr) or (
            isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        )
        if not is_text:
            self._add_operator(node.left, node.right, node.op, _OPERATORS)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Replace the operator, as in ``+=`` by ``-=``."""
        self.generic_visit(node)
        replacements = {operator: f"{new}=" for operator, new in _OPERATORS.items()}
        self._add_operator(node.target, node.value, node.op, replacements)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Replace ``and`` by ``or`` and vice versa."""
        self.generic_visit(node)
        for left, right in zip(node.values, node.values[1:]):
            self._add_operator(left, right, node.op, {ast.And: "or", ast.Or: "and"})

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Remove a minus sign or ``not``."""
        if not isinstance(node.operand, ast.Constant):
            self.generic_visit(node)
        if not isinstance(node.op, ast.UAdd):
            self._add(*self._span(node), f"({self._source(node.operand)})")

    def visit_Constant(self, node: ast.Constant) -> None:
        """Invert a truth value, increment an integer, double a float."""
        value = node.value
        if isinstance(value, bool):
            self._add(*self._span(node), repr(not value))
        elif isinstance(value, int):
            self._add(*self._span(node), repr(value + 1))
        elif isinstance(value, float):
            self._add(*self._span(node), repr(2 * value or 1.0))

    def visit_Call(self, node: ast.Call) -> None:
        """Swap the first two positional arguments, unless their order has no effect."""
        self.generic_visit(node)
        if len(node.args) < 2 or any(isinstance(arg, ast.Starred) for arg in node.args[:2]):
            return
        if self._source(node.func).split(".")[-1] in _SYMMETRIC:
            return
        first, second = (self._source(argument) for argument in node.args[:2])
        if first != second:
            start, first_end = self._span(node.args[0])
            second_start, end = self._span(node.args[1])
            separator = self._text[first_end:second_start].decode()
            self._add(start, end, second + separator + first)


def list_faults(module: Path) -> list[Fault]:
    """Return every fault that can be put into the module at a path below ROOT."""
    text = module.read_text(encoding="utf-8")
    collector = _FaultCollector(str(module.relative_to(ROOT)), text)
    collector.visit(ast.parse(text))
    return collector.faults


def read_harmless_faults() -> dict[tuple[str, str, str], str]:
    """Read the list of harmless faults.

    Returns:
        Entry as Fault.describe returns it -> reason why no test can, or need, detect the fault.
    """
    lines = [
        line.strip()
        for line in HARMLESS.read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    ]
    blocks = [block.split("\n") for block in "\n".join(lines).strip().split("\n\n") if block]
    return {(module, old, new): reason for module, old, new, reason in blocks}


def sample_faults(name: str, sample: int, seed: int) -> list[Fault]:
    """Return a random sample of the faults of a folder or module, sorted by place.

    Args:
        name: path of the folder or module below ROOT.
        sample: size of the sample; all faults if there are fewer.
        seed: seed of the sample; the same seed and name give the same faults.
    """
    paths = [ROOT / name] if name.endswith(".py") else sorted((ROOT / name).rglob("*.py"))
    faults = [fault for path in paths for fault in list_faults(path)]
    return sorted(random.Random(f"{seed} {name}").sample(faults, min(sample, len(faults))))
