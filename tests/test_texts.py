"""Text decides nothing: no shipped code compares, searches or takes apart a sentence. It looks
at keys of messages.

And numbers are written where sentences are made, in the user's language.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from support.code import ROOT, trees_of

FOLDERS = ("core", "layers", "algorithms", "ui")
SHIPPED = [
    *(path for path in ROOT.glob("*.py") if path.name != "plotting.py"),  # Not in the plugin.
    *sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")),
]
#: Outputs that hold sentences; messages hold them for programs.
TEXT_OUTPUTS = {"INPUT_PROBLEMS", "WARNING", "CONCLUSION"}
#: What makes a sentence, and what variables and attributes that hold one are called.
MAKERS = {"tr", "sentence", "sentences"}
HOLDERS = {
    "said",
    "sentence",
    "told",
    "reason",
    "why",
    "message",
    "note",
    "notes",
    "remark",
    "report",
    "warned",
    "text",
}
SEARCHES = {
    *(
        "startswith",
        "endswith",
        "split",
        "rsplit",
        "splitlines",
        "partition",
        "rpartition",
        "find",
        "rfind",
        "index",
    ),
    *("removeprefix", "removesuffix", "replace", "strip", "rstrip", "lstrip", "count"),
}
#: Text that users write or files hold, which is no sentence: file, function.
NO_SENTENCES = {
    ("core/instances/las_files.py", "text"): "a coordinate system as well-known text",
    ("layers/files/destinations.py", "text"): "a place, as Processing writes it",
    ("ui/widgets/colours.py", "text"): "placeholders of colours",
    ("algorithms/common_parameters.py", "text"): "a colour as it is typed",
    ("core/exchange/deepforest.py", "text"): "a cell of a table",
    ("core/exchange/pixel_masks.py", "text"): "an image as base64",
    ("core/exchange/yaml_entries.py", "text"): "the content of a file",
    ("core/exchange/yolo.py", "text"): "a line of a file",
    ("core/exchange/yolo_columns.py", "text"): "a line of a file",
    ("core/exchange/files.py", "text"): "a path with the name of a layer",
    ("layers/files/vector_files.py", "text"): "the content of a file",
    ("core/exchange/image_search.py", "text"): "a path in a file",
    ("core/tuning/ranges.py", "text"): "numbers as they are typed",
}
#: Numbers that programs read, written on the spot: file, function.
FOR_PROGRAMS = {
    ("core/arrays.py", "__format__"): "number of digits of a number",
    ("core/classes/strata.py", "_interval_names"): "names of strata, values of a column",
    ("core/exchange/yolo_writing.py", "_quote"): "codes of characters in a file",
    ("core/scoring/layer.py", "_rates_at"): "names of columns",
    ("layers/expressions.py", "_compose_help"): "code",
    ("layers/raster/grid.py", "find_common_grid"): "a number rounded to be compared",
    ("core/tuning/ranges.py", "range_text"): "values as they are typed",
}


def _name(node: ast.AST) -> str:
    """Of a variable, an attribute or the function that is called; empty for anything else."""
    if isinstance(node, ast.Call):
        return _name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_made(node: ast.AST) -> bool:
    """Whether the expression is a sentence that was just made."""
    return isinstance(node, ast.Call) and _name(node) in MAKERS


def _is_sentence(node: ast.AST) -> bool:
    """Whether a constant is more than a key or a name: several words."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return len(node.value.split()) > 2
    return isinstance(node, ast.JoinedStr) and any(_is_sentence(part) for part in node.values)


def _decisions(tree: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:
    """Places where text decides: the node, the name of what is looked at, and what is done."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(_is_made, sides)) or any(map(_is_sentence, sides)):
                yield node, next(filter(None, map(_name, sides)), ""), "compared with a sentence"
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in SEARCHES
        ):
            looked_at = node.func.value
            if _is_made(looked_at) or (
                not isinstance(looked_at, ast.Call) and _name(looked_at) in HOLDERS
            ):
                yield node, _name(looked_at), f"taken apart by {node.func.attr}"


@pytest.fixture(scope="module")
def trees():
    """Every shipped file."""
    return trees_of(SHIPPED)


def test_no_sentence_is_compared_searched_or_taken_apart(trees):
    found = [
        f"{path}:{getattr(node, 'lineno', 0)}: {name} is {what}"
        for path, tree in trees.items()
        for node, name, what in _decisions(tree)
        if (path, name) not in NO_SENTENCES
    ]
    hint = "Decide by keys of messages. Call text that a file or a user gives `content` or `value`."
    assert not found, "\n".join([hint, *found])


def _numbers(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Where a number is written on the spot: the outermost function, and the line; ``localize_number``
    and times aside.
    """
    for function in (
        one for one in ast.iter_child_nodes(tree) if not isinstance(one, ast.ClassDef)
    ):
        yield from ((getattr(function, "name", ""), line) for line in _lines(function))
    for kind in (one for one in ast.iter_child_nodes(tree) if isinstance(one, ast.ClassDef)):
        yield from _numbers(kind)


def _lines(node: ast.AST) -> Iterator[int]:
    form = getattr(node, "format_spec", None)
    if form is not None and not re.search("%[YH]", ast.unparse(form)):
        yield getattr(node, "lineno", 0)
    if not isinstance(node, ast.Call) or _name(node) != "localize_number":
        for child in ast.iter_child_nodes(node):
            yield from _lines(child)


def test_numbers_are_written_in_the_language_of_the_user(trees):
    found = [
        (path, function, line) for path, tree in trees.items() for function, line in _numbers(tree)
    ]
    assert [one for one in found if one[:2] not in FOR_PROGRAMS] == []
    assert {one[:2] for one in found} == {*FOR_PROGRAMS}


def test_the_dock_reads_no_output_of_text(trees):
    read = {
        node.value
        for path, tree in trees.items()
        if path.startswith("ui/")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert read & TEXT_OUTPUTS == set()


@pytest.mark.parametrize(
    "code",
    [
        "where != tr('outside the study area')",
        "'nothing in field' in note",
        "said.partition(': ')",
        "outcome.notes.splitlines()",
        "remark.sentence(tr).startswith('No')",
        "reason.endswith('the image extent')",
        "f'{name}: nothing to do' == said",
    ],
)
def test_the_scan_finds_what_it_looks_for(code):
    assert list(_decisions(ast.parse(code)))


def test_every_exception_is_needed():
    unneeded = [
        place
        for place in NO_SENTENCES
        if not any(
            name == place[1]
            for _, name, _ in _decisions(ast.parse((ROOT / place[0]).read_text("utf-8")))
        )
    ]
    assert unneeded == []
