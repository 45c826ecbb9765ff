"""Every cross-reference in a docstring or comment, such as :func:`score_pairs`, names what exists."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from support.code import ROOT

FOLDERS = ("core", "report", "layers", "algorithms", "ui", "batch")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
_ROLE = re.compile(r":(?:attr|class|data|exc|func|meth|mod):`~?([\w.]+)`")


def _set_attributes(cls: type) -> set[str]:
    """Return the names of all attributes that methods of a class and its bases set on ``self``."""
    names: set[str] = set()
    for base in cls.__mro__:
        names.update(getattr(base, "__annotations__", ()))
        for function in vars(base).values():
            code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
            names.update(code.co_names if code is not None else ())
    return names


def _exists(names: list[str], scope: Any) -> bool:
    """Return True if the dotted names can be looked up in a module or class."""
    for position, name in enumerate(names):
        if hasattr(scope, name):
            scope = getattr(scope, name)
        else:
            is_last = position == len(names) - 1
            return is_last and isinstance(scope, type) and name in _set_attributes(scope)
    return True


def _classes_at(tree: ast.Module, module: Any, line: int) -> list[Any]:
    """Return the classes whose definition contains a line, the innermost first."""
    names = [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return [getattr(module, name) for name in reversed(names)]


def _names_for_type_checking(tree: ast.Module) -> set[str]:
    """Return the names that a module imports for type checkers only."""
    blocks = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in imports for alias in node.names}


def _is_known(name: str, scopes: list[Any]) -> bool:
    """Return True if a name is known in one of the scopes, or is a full name of the package."""
    names = name.split(".")
    if any(_exists(names, scope) for scope in scopes):
        return True
    for end in range(len(names), 0, -1):
        try:
            module = importlib.import_module(".".join(names[:end]))
        except ImportError:
            continue
        return _exists(names[end:], module)
    return False


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_references_exist(path: Path, qgis_app: Any) -> None:
    text = path.read_text(encoding="utf-8")
    if not _ROLE.search(text):
        return
    parts = path.relative_to(ROOT).with_suffix("").parts
    module = importlib.import_module(".".join(("randcrowns", *parts)).removesuffix(".__init__"))
    tree = ast.parse(text)
    typing_only = _names_for_type_checking(tree)
    unknown = []
    for role in _ROLE.finditer(text):
        line = text.count("\n", 0, role.start()) + 1
        if role[1].partition(".")[0] in typing_only:
            continue
        if not _is_known(role[1], [*_classes_at(tree, module, line), module]):
            unknown.append(f"{line}: {role[1]}")
    assert unknown == []
