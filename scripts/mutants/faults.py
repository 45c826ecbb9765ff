"""The faults that fit into a module, and a sample of those of a folder."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
HARMLESS = Path(__file__).with_name("harmless.txt")

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
_SYMMETRIC = {"min", "max", "minimum", "maximum", "hypot", "intersects", "distance", "samefile"}
#: An operator, behind brackets, ends of lines and comments.
_OPERATOR = re.compile(rb"(?:[\s)\\]|#.*\n)*(is\s+not|not\s+in|[^\s(\\]+)")


class Fault(NamedTuple):
    """A text that takes the place of another in a module."""

    module: str
    #: Its first line.
    line: int
    #: Of the bytes that it replaces.
    start: int
    end: int
    old: str
    new: str
    #: Whether it stands in a function; another is met when the module is imported.
    called: bool

    @property
    def lines(self) -> range:
        """The lines that it stands on."""
        return range(self.line, self.line + self.old.count("\n") + 1)

    def put(self, text: str) -> str:
        """The module with the fault in it."""
        code = text.encode()
        return (code[: self.start] + self.new.encode() + code[self.end :]).decode()

    def told(self, text: str) -> tuple[str, str, str]:
        """Module, lines, and lines with the fault, of a module with this text: lines may move."""
        lines, faulty = text.splitlines(), self.put(text).splitlines()
        first, after = self.line - 1, len(lines) - (self.lines.stop - 1)
        old, new = (
            " ".join(" ".join(some[first : len(some) - after]).split()) for some in (lines, faulty)
        )
        return self.module, old, new


class _Places(ast.NodeVisitor):
    """Nodes where a fault can stand: no type hints, no texts of documentation, nothing for type checkers only."""

    def __init__(self, module: str, text: str) -> None:
        self.module = module
        self.starts = [0]
        for line in text.encode().splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.text = text.encode()
        self.called = False
        self.found: list[Fault] = []

    def _span(self, node: ast.AST) -> tuple[int, int]:
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def _of(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self.text[start:end].decode()

    def _add(self, start: int, end: int, new: str) -> None:
        line = self.text.count(b"\n", 0, start) + 1
        self.found.append(
            Fault(self.module, line, start, end, self.text[start:end].decode(), new, self.called)
        )

    def _between(
        self, one: ast.AST, other: ast.AST, words: dict[type[ast.AST], str], operator: ast.AST
    ) -> None:
        """Another operator between two nodes."""
        word = _OPERATOR.match(self.text, self._span(one)[1], self._span(other)[0])
        if word and type(operator) in words:
            self._add(*word.span(1), words[type(operator)])

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for child in [
            *node.decorator_list,
            *node.args.defaults,
            *filter(None, node.args.kw_defaults),
        ]:
            self.visit(child)
        before, self.called = self.called, True
        for child in node.body:
            self.visit(child)
        self.called = before

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" not in ast.unparse(node.test):
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """What an error says is not looked at."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Texts are not looked at."""

    def visit_keyword(self, node: ast.keyword) -> None:
        """That nobody writes into a frozen class is mypy's to find."""
        if node.arg != "frozen":
            self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        for one, other, operator in zip(sides, sides[1:], node.ops):
            self._between(one, other, _COMPARISONS, operator)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.generic_visit(node)
        texts = isinstance(node.left, (ast.JoinedStr, ast.Constant)) and isinstance(
            getattr(node.left, "value", ""), str
        )
        if not texts:
            self._between(node.left, node.right, _OPERATORS, node.op)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        words = {operator: f"{word}=" for operator, word in _OPERATORS.items()}
        self._between(node.target, node.value, words, node.op)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.generic_visit(node)
        for one, other in zip(node.values, node.values[1:]):
            self._between(one, other, {ast.And: "or", ast.Or: "and"}, node.op)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if not isinstance(node.operand, ast.Constant):
            self.generic_visit(node)
        if not isinstance(node.op, ast.UAdd):
            self._add(*self._span(node), f"({self._of(node.operand)})")

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, (bool, int, float)):
            other = (
                not value
                if isinstance(value, bool)
                else value + 1
                if isinstance(value, int)
                else 2 * value or 1.0
            )
            self._add(*self._span(node), repr(other))

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        either_way = self._of(node.func).split(".")[-1] in _SYMMETRIC
        if (
            len(node.args) >= 2
            and not either_way
            and not any(isinstance(one, ast.Starred) for one in node.args[:2])
        ):
            one, other = (self._of(argument) for argument in node.args[:2])
            (start, middle), (after, end) = (self._span(argument) for argument in node.args[:2])
            if one != other:
                self._add(start, end, other + self.text[middle:after].decode() + one)


def faults_of(module: Path) -> list[Fault]:
    """Every fault that fits into a module."""
    text = module.read_text(encoding="utf-8")
    places = _Places(str(module.relative_to(ROOT)), text)
    places.visit(ast.parse(text))
    return places.found


def harmless() -> dict[tuple[str, str, str], str]:
    """What `Fault.told` gives -> why no test can, or need, find it."""
    lines = [
        line.strip()
        for line in HARMLESS.read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    ]
    blocks = [block.split("\n") for block in "\n".join(lines).strip().split("\n\n") if block]
    return {(module, old, new): reason for module, old, new, reason in blocks}


def drawn(name: str, sample: int, seed: int) -> list[Fault]:
    """Faults of a folder or module, drawn with the seed out of all of them."""
    paths = [ROOT / name] if name.endswith(".py") else sorted((ROOT / name).rglob("*.py"))
    faults = [fault for path in paths for fault in faults_of(path)]
    return sorted(random.Random(f"{seed} {name}").sample(faults, min(sample, len(faults))))
