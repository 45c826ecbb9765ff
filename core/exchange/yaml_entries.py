"""Entries of a ``data.yaml``: the lists, mappings and numbers that YOLO's programs write.

Only these simple forms of YAML are read, in one pass over the text. No YAML library is used: the
same file must give the same names whether one is installed or not, and libraries expand references
to any size.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

#: Blanks and comments between items; a comment begins after a blank.
_GAP = re.compile(r"\s+(?:#[^\n]*)?")
#: Word of an item within brackets.
_WORD = re.compile(r"[^\s,\[\]{}]+")
#: Text in quotes: two single quotes, or a backslash in double quotes, stand for a quote.
_QUOTED = re.compile(r"""'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)\"""", re.DOTALL)
#: Number of an item in quotes, as in JSON.
_QUOTED_NUMBER = re.compile(r"""(["'])(\d{1,9})\1\s*:""")
#: Escaped character in double quotes, as a number or as itself.
_ESCAPED = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
#: Character in place of a number that is no character.
_UNKNOWN_CHARACTER = "\ufffd"
#: Control characters by the letter that stands for them after a backslash.
_CONTROL_CHARACTERS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
#: Number of an item, before its value.
_NUMBER = re.compile(r"""(["']?)(\d{1,9})\1[ \t]*:(?:[ \t]+|$)""")
#: Beginning of a comment behind a value.
_COMMENT = re.compile(r"\s#")


def read_items(text: str, key: str) -> dict[int, str]:
    r"""Return the items of an entry on the outermost level by their number.

    Args:
        text: content of the file.
        key: name of the entry. Its value is a list or a mapping from numbers, in brackets or with
            an item per line.

    Returns:
        The items, without quotes; empty if the entry is missing or has another form.

    >>> read_items("nc: 2\nnames: [Alive, 'Dead tree'] # two\n", "names")
    {0: 'Alive', 1: 'Dead tree'}
    >>> read_items("names:\n  0: Alive\n  3: Dead\nnc: 2\n", "names")
    {0: 'Alive', 3: 'Dead'}
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for row, line in enumerate(lines):
        value = _value_of(line, key)
        if value is None:
            continue
        further_lines = lines[row + 1 :]
        if value.startswith(("[", "{")):
            return _read_brackets("\n".join([value, *further_lines]))
        if not value or value.startswith("#"):
            return _read_lines(further_lines)
        return {}
    return {}


def read_count(text: str, key: str) -> int | None:
    r"""Return the whole number of an entry on the outermost level; None if it has none.

    Args:
        text: content of the file.
        key: name of the entry.

    >>> read_count("nc: 2 # classes\n", "nc"), read_count("nc: two", "nc")
    (2, None)
    """
    for line in text.splitlines():
        value = _value_of(line, key)
        if value is None:
            continue
        words = value.split()
        # Longer numbers are no counts of classes.
        if words and words[0].isdecimal() and len(words[0]) < 10:
            return int(words[0])
        return None
    return None


def _value_of(line: str, key: str) -> str | None:
    """Return the text after the key of a line, without blanks; None for a line of another key."""
    if not line.startswith((key, f'"{key}"', f"'{key}'")):
        return None
    text_behind_key = line.strip("\"'")[len(key) :].lstrip("\"' \t")
    return text_behind_key[1:].strip() if text_behind_key.startswith(":") else None


class _Token(NamedTuple):
    """A part of a list or a mapping in brackets."""

    kind: str  #: "word", "quoted" or "mark".
    text: str  #: the word, the text in quotes without them, or one of ``,[]{}``.


def _read_brackets(text: str) -> dict[int, str]:
    """Return the items of a list or a mapping in brackets, with which the text begins."""
    items: dict[int, str] = {}
    item: list[_Token] = []
    for token in _tokens(text):
        if token.kind != "mark":
            item.append(token)
            continue
        if token.text in "[{":
            return {}  # an item is a list itself
        if item:
            number, value = _join_item(item)
            key = len(items) if number is None else number
            items[key] = value
        if token.text != ",":
            return items
        item = []
    return {}  # the brackets are not closed


def _tokens(text: str) -> Iterator[_Token]:
    """Yield the parts of a text in brackets, after its first bracket and without comments."""
    position = 1
    may_be_quoted = True
    while position < len(text):
        match = _GAP.match(text, position)
        if match is None and text[position] in ",[]{}":
            yield _Token("mark", text[position])
            position += 1
            may_be_quoted = True
            continue
        key = _QUOTED_NUMBER.match(text, position) if match is None and may_be_quoted else None
        if key is not None:
            yield _Token("word", f"{key[2]}:")
            position = key.end()
            continue
        if match is None and may_be_quoted:
            match = _QUOTED.match(text, position)
            if match is not None:
                yield _Token("quoted", _unquote(match))
                may_be_quoted = False
        if match is None:
            match = _WORD.search(text, position)
            if match is None:
                return
            yield _Token("word", match[0])
            may_be_quoted = match[0].endswith(":")
        position = match.end()


def _join_item(item: Sequence[_Token]) -> tuple[int | None, str]:
    """Return the number of an item in brackets, None without one, and its value."""
    if item[-1].kind == "quoted":
        return _split_number(" ".join(token.text for token in item[:-1]))[0], item[-1].text
    return _split_number(" ".join(token.text for token in item))


def _read_lines(lines: list[str]) -> dict[int, str]:
    """Return the items in the first lines, which are indented or begin with a dash."""
    items: dict[int, str] = {}
    for line in lines:
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        if not line.startswith((" ", "\t", "-")):
            break
        if content.startswith(("- ", "-\t")):
            content = content[1:].lstrip()
        number, value = _split_number(content)
        quoted = _QUOTED.match(value)
        if quoted is not None:
            value = _unquote(quoted)
        else:
            comment = _COMMENT.search(f" {value}")
            value = value if comment is None else value[: comment.start()].rstrip()
        if value or quoted is not None:
            key = len(items) if number is None else number
            items[key] = value
    return items


def _split_number(text: str) -> tuple[int | None, str]:
    """Return the number before the colon of an item, None without one, and its value."""
    match = _NUMBER.match(text)
    return (None, text) if match is None else (int(match[2]), text[match.end() :])


def _unquote(match: re.Match[str]) -> str:
    """Return the text in quotes."""
    if match[1] is not None:
        return match[1].replace("''", "'")
    return _ESCAPED.sub(_unescape, match[2])


def _unescape(match: re.Match[str]) -> str:
    """Return an escaped character."""
    code = match[1] or match[2] or match[3]
    if code:
        number = int(code, 16)
        return chr(number) if number <= sys.maxunicode else _UNKNOWN_CHARACTER
    return _CONTROL_CHARACTERS.get(match[4], match[4])
