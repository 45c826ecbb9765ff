"""Docstrings, comments and the guide follow the rules of CONTRIBUTING.md, Language."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from messages import find_messages
from support.code import ROOT, no_search_for_garbage

FOLDERS = (
    "core",
    "report",
    "layers",
    "algorithms",
    "ui",
    "jobs",
    "batch",
    "command",
    "scripts",
    "notebooks",
)
FILES = [
    *ROOT.glob("*.py"),
    *sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")),
]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), *ROOT.glob("*.md")]

#: First words of a docstring that name no action and no thing.
OPENINGS = re.compile(
    r"(What|That|Who|Whose|Whether|Where|Why|How|Of|As|Such|So|These|Those|Has|Have|Gives|Says?|Tells?|Does)\b"
)
#: Words of speech for data, and stand-ins for a noun. Each has a plain word beside it in
#: CONTRIBUTING.md.
WORDS = re.compile(
    r"\b("
    r"told|heard|of ours|anew|put right|so many|as many as that|whoever|whomever"
    r"|given up on|looks? at whether|takes? no more|the other way round|nobody knows"
    r"|oddit(y|ies)|is said|are said|was said|be said|under way|gives? way|made anew"
    r"|[Rr]emarks?|usual(ly)?|wants?|wanted|beside itself"
    r")\b"
)

#: Names of variables and arguments that say neither what a value is nor which one it is.
NAMES = {"beside", "found", "given", "made", "own", "taken", "told", "usual", "wanted"}


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of every docstring."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node)
            if text:
                yield node.body[0].lineno, text


def _comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of every comment."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("#: ")


def _without_code(text: str) -> str:
    """Return a text without quoted code, examples and roles."""
    text = re.sub(r"(?m)^\s*(>>>|\.\.\.) .*$", "", text)
    return re.sub(r"``[^`]*``|`[^`]*`|\"[^\"]*\"|'[^']*'", "", text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings_and_comments_are_plain(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    docstrings = list(_docstrings(ast.parse(text)))
    found = [
        f"{line}: opening: {docstring.splitlines()[0]}"
        for line, docstring in docstrings
        if OPENINGS.match(docstring)
    ]
    for line, passage in [*docstrings, *_comments(text)]:
        found += [f"{line}: '{word[0]}'" for word in WORDS.finditer(_without_code(passage))]
    assert found == []


def _local_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and name of every variable and argument of functions."""
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.lineno, node.id
                elif isinstance(node, ast.arg):
                    yield node.lineno, node.arg


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_are_nouns(path: Path) -> None:
    names = _local_names(ast.parse(path.read_text(encoding="utf-8")))
    assert sorted({(line, name) for line, name in names if name in NAMES}) == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_are_plain(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.name == "CONTRIBUTING.md":  # It lists the words.
        text = re.sub(r"(?s)## Language.*?(?=\n## |\Z)", "", text)
    text = re.sub(r"(?s)```.*?```", "", text)
    text = re.sub(r"(?m)^ {4}.*$", "", text)
    assert [word[0] for word in WORDS.finditer(_without_code(text))] == []


#: Words for crowns with or without a partner that papers and programs use. The plugin has one set
#: of words, in report/words.py; table "Words" of the guide names those of the sources.
OLD_WORDS = re.compile(r"\b(missed|unmatched|false (?:positive|negative)s?)\b", re.IGNORECASE)
#: Texts that may name them: explanations of the plugin's words, and a rate of other measures.
EXPLAINED = re.compile(
    r"Also called |\(false (?:positive|negative)\)|^False (?:positive|negative)s: "
)
OTHER_MEASURES = re.compile(r"false positive rate|false (?:positive|negative) pairs", re.IGNORECASE)


def test_user_texts_have_one_word_for_each_kind_of_crown() -> None:
    with no_search_for_garbage():
        texts = [message.text for message in find_messages().messages]
    assert len(texts) > 3000
    explained = [text for text in texts if EXPLAINED.search(text)]
    assert len(explained) >= 4
    assert [
        text
        for text in texts
        if text not in explained and OLD_WORDS.search(OTHER_MEASURES.sub("", text))
    ] == []


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_pages_have_one_word_for_each_kind_of_crown(path: Path) -> None:
    text = re.sub(r"`[^`]*`|(?m:^ {4}.*$)", "", path.read_text(encoding="utf-8"))
    if path.name == "score.md":  # It explains the words.
        text = re.sub(r"(?s)\n## Words\n.*?(?=\n## )", "", text)
    assert [word[0] for word in OLD_WORDS.finditer(OTHER_MEASURES.sub("", text))] == []
