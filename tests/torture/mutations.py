"""Mutations of files: bytes, words of the format, numbers, nesting and repetition."""

from __future__ import annotations

import json
import re
from typing import Any, Callable

import numpy as np

__all__ = ["damage_bytes", "mutate"]

#: Places of numbers in a text.
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
#: Values that replace numbers.
_NUMBERS = (
    *(b"0", b"-1", b"-0.0", b"1e308", b"-1e308", b"1e999", b"NaN", b"Infinity", b"-Infinity"),
    *(b"2147483648", b"-2147483649", b"9223372036854775808", b"18446744073709551616"),
    *(
        b"1e-320",
        b"0.1",
        b"46340",
        b"100000000",
        b"9" * 400,
        b"007",
        b"0x10",
        b"1_000",
        b"",
        b"\xd9\xa3",
    ),
)
#: Texts of any format.
_WORDS = (
    *(b"\x00", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\t", b"'", b'"', b"\\"),
    *(b"null", b"true", b"[]", b"{}", b'""', b"[[", b"}}", b",", b";", b":", b"&#0;", b"&amp;"),
    *(b"\\u0000", b"\\ud800", b"../../../etc/passwd", b"/dev/zero", b"http://127.0.0.1:9/a.tif"),
    *(
        b"/vsicurl/http://127.0.0.1:9/a.tif",
        b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
        b"<![CDATA[",
        b"<!--",
    ),
    *("\u2028".encode(), "\U0001f333".encode(), b"\xc3\x28", b"%s%n", b"x" * 300, b"=1+1"),
)
#: Number of bytes that a file is at most after mutations.
_MAX_BYTES = 300_000
#: Values that replace parts of a JSON file.
_JSON_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 1e308, float("nan"), float("inf"), 2**31, 2**63, 2**64),
    *("", "a", "0", "nan", "\u0000", "\ud800", "a" * 5000, [], {}, [[]], [None], {"": None}),
    *(
        [0, 0],
        [1, 2, 3, 4],
        [[1, 1, 5, 1, 5, 5]],
        [1e308] * 8,
        {"x": 1, "y": 2},
        {"counts": "0", "size": [1, 1]},
    ),
)


def mutate(rng: np.random.Generator, content: bytes) -> bytes:
    """Return a file with one to four mutations of any kind."""
    mutated = content
    for _ in range(rng.integers(1, 5)):
        mutated = _MUTATIONS[rng.integers(len(_MUTATIONS))](rng, mutated)
    return mutated[:_MAX_BYTES]


def damage_bytes(rng: np.random.Generator, whole: bytes) -> bytes:
    """Return a file with a few bytes changed, left out, doubled or put in, anywhere or in the head.

    The end of the file may also be cut off.
    """
    data = bytearray(whole)
    for _ in range(rng.integers(1, 5)):
        start = int(rng.integers(0, min(len(data), int(rng.choice([400, 3000, 10**9]))) or 1))
        end = start + int(rng.choice([1, 4, 8, 200]))
        kind = rng.integers(6)
        if kind < 3:
            fill = rng.integers(0, 256, 1).tolist() if kind else [int(rng.choice([0, 255]))]
            data[start:end] = bytes(fill * len(data[start:end]))
        elif kind == 3:
            data[start:end] = rng.bytes(len(data[start:end]))
        elif kind == 4:
            data[start:end] = data[start:end] * int(rng.choice([0, 2, 50]))
        else:
            del data[max(start, 1) :]
    return bytes(data)


def _place(rng: np.random.Generator, content: bytes) -> int:
    """Return a random place in a file."""
    return int(rng.integers(0, len(content) + 1))


def _change_number(rng: np.random.Generator, content: bytes) -> bytes:
    """Replace a number by an extreme one."""
    matches = list(_NUMBER.finditer(content))
    if not matches:
        return content
    match = matches[rng.integers(len(matches))]
    number = _NUMBERS[rng.integers(len(_NUMBERS))]
    return content[: match.start()] + number + content[match.end() :]


def _insert_word(rng: np.random.Generator, content: bytes) -> bytes:
    """Insert a word that readers may take for something else."""
    place = _place(rng, content)
    return content[:place] + _WORDS[rng.integers(len(_WORDS))] + content[place:]


def _repeat_part(rng: np.random.Generator, content: bytes) -> bytes:
    """Repeat a part of the file, up to 20,000 times."""
    start = _place(rng, content)
    part = content[start : start + int(rng.choice([1, 2, 8, 60]))]
    times = int(rng.choice([2, 10, 300, 20_000]))
    return content[:start] + (part * times)[:_MAX_BYTES] + content[start:]


def _move_part(rng: np.random.Generator, content: bytes) -> bytes:
    """Copy a part of the file to another place."""
    start, target = _place(rng, content), _place(rng, content)
    part = content[start : start + int(rng.integers(1, 100))]
    return content[:target] + part + content[target:]


def _nest(rng: np.random.Generator, content: bytes) -> bytes:
    """Insert many opening brackets or tags."""
    place = _place(rng, content)
    opening = (b"[", b'{"a":', b"<a>", b"(", b'"')[rng.integers(5)]
    return content[:place] + opening * int(rng.choice([3, 1000, 50_000])) + content[place:]


def _encode(rng: np.random.Generator, content: bytes) -> bytes:
    """Write the text in another encoding."""
    encoding = ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1", "cp037")[rng.integers(6)]
    return content.decode("latin-1").encode(encoding, "replace")


def _change_json(rng: np.random.Generator, content: bytes) -> bytes:
    """Replace, remove or copy a part of a JSON file; change bytes of other files."""
    try:
        root = json.loads(content)
    except (ValueError, RecursionError):
        return damage_bytes(rng, content)
    containers = _containers(root)
    filled = [container for container in containers if container]
    if not filled:
        return damage_bytes(rng, content)
    container = filled[rng.integers(len(filled))]
    keys = list(container) if isinstance(container, dict) else list(range(len(container)))
    key = keys[rng.integers(len(keys))]
    kind = rng.integers(4)
    if kind == 0:
        del container[key]
    elif kind == 1:
        source = filled[rng.integers(len(filled))]
        container[key] = json.loads(json.dumps(source))
    else:
        container[key] = _JSON_VALUES[rng.integers(len(_JSON_VALUES))]
    return json.dumps(root).encode()


def _containers(root: Any) -> list[Any]:
    """Return all lists and dictionaries of a JSON value, not deeper than 50 levels."""
    found = []
    pending = [(root, 0)]
    while pending:
        value, depth = pending.pop()
        if depth > 50 or not isinstance(value, (dict, list)):
            continue
        found.append(value)
        children = value.values() if isinstance(value, dict) else value
        pending += [(child, depth + 1) for child in children]
    return found


_MUTATIONS: tuple[Callable[[np.random.Generator, bytes], bytes], ...] = (
    damage_bytes,
    damage_bytes,
    _change_number,
    _change_number,
    _insert_word,
    _repeat_part,
    _move_part,
    _nest,
    _encode,
    _change_json,
    _change_json,
    _change_json,
)
