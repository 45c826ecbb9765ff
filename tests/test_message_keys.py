"""Keys of errors and messages: each has one, in the right form, and a key has one meaning."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest
from support.code import ROOT, trees_of

FOLDERS = ("core", "report", "layers", "algorithms", "ui", "batch", "scripts")
SHIPPED = [
    *ROOT.glob("*.py"),
    *sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")),
]
#: Form of a key: topic and name.
KEY = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
ERRORS = {"RandCrownsError", "InputError", "MissingLibraryError", "Cancelled"}
MESSAGES = {"info", "note", "warning"}
#: Functions that pass the key of their callers to an error -> index of the key in their arguments.
FORWARDING = {"raise_if_problem": 0, "_error": 0, "_check_field": 2}
#: Keys whose errors have several texts -> why.
SEVERAL_TEXTS = {
    "annotators.field_empty": "one layer, or several with the same field",
    "annotators.wrong_number": "a vote table may have one annotator, a comparison needs two",
    "batch.no_column": "with and without the list of columns",
    "contrast.even_window": "API and algorithm",
    "crs.different": "API and command line: the remedies differ",
    "crs.missing": "API, algorithms and command line: the remedies differ",
    "crs.not_metres": "API and command line: the remedies differ",
    "crs.unknown": "algorithm and command line: the remedies differ",
    "delineations.not_chosen": "algorithm and command line",
    "file.exists": "a file, or a file or folder",
    "file.missing": "with and without the name of the layer",
    "file.unreadable": "annotation files and files of the command line",
    "ids.not_whole": "an array, or a column of a file",
    "output.is_folder": "with and without an example",
}


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """Every shipped file."""
    return trees_of(SHIPPED)


def _calls(tree: ast.AST, function: str = "") -> Iterator[tuple[str, ast.Call, str]]:
    """Yield the calls in a tree: called name, call and the name of the function around it."""
    for node in ast.iter_child_nodes(tree):
        name = node.name if isinstance(node, ast.FunctionDef) else function
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            yield called, node, function
        yield from _calls(node, name)


def _text(call: ast.Call, index: int) -> str | None:
    """Return the constant text of an argument of a call, or None."""
    argument = call.args[index] if index < len(call.args) else None
    is_text = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    return argument.value if is_text else None  # type: ignore[union-attr]


def test_every_error_has_a_key(trees: dict[str, ast.Module]) -> None:
    wrong = []
    n_errors = 0
    for path, tree in trees.items():
        for called, call, function in _calls(tree):
            is_error = called in ERRORS and function not in FORWARDING
            if not is_error and called not in FORWARDING:
                continue
            n_errors += 1
            if called == "Cancelled" and not call.args:
                continue
            if not KEY.fullmatch(_text(call, FORWARDING.get(called, 0)) or ""):
                wrong.append(f"{path}:{call.lineno}: {ast.unparse(call)[:80]}")
            elif is_error and len(call.args) != 2:
                wrong.append(f"{path}:{call.lineno}: expected a key and a template")
    assert wrong == []
    assert n_errors > 400


def test_keys_of_messages_have_a_topic_and_a_name(trees: dict[str, ast.Module]) -> None:
    keys = {
        _text(call, 0) or "any.key"
        for path, tree in trees.items()
        for called, call, _ in _calls(tree)
        if called in MESSAGES and len(call.args) > 1 and path != "core/messages.py"
    }
    assert [key for key in keys if not KEY.fullmatch(key)] == []
    assert len(keys) > 200


def test_a_key_has_one_text(trees: dict[str, ast.Module]) -> None:
    texts: dict[str, set[str]] = defaultdict(set)
    for tree in trees.values():
        for called, call, _ in _calls(tree):
            key, text = _text(call, 0), _text(call, 1)
            if called in ERRORS and key and text:
                texts[key].add(text)
    several = {key: found for key, found in texts.items() if len(found) > 1}
    assert several.keys() == SEVERAL_TEXTS.keys(), several
    assert len(texts) > 350


def test_an_error_and_a_message_with_one_key_have_one_text(trees: dict[str, ast.Module]) -> None:
    texts: dict[str, set[str]] = defaultdict(set)
    kinds: dict[str, set[bool]] = defaultdict(set)
    for tree in trees.values():
        for called, call, _ in _calls(tree):
            key, text = _text(call, 0), _text(call, 1)
            if called in {*ERRORS, *MESSAGES} and key and text:
                texts[key].add(text)
                kinds[key].add(called in ERRORS)
    assert [key for key in texts if len(kinds[key]) > 1 and len(texts[key]) > 1] == []
