"""Whether a text on the screen, in a log or in a report shows a message, without its words.

Where a test has only a text at hand, it names the key of the message that the text must show. The
English template of the key is looked up in the code.
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterator
from functools import cache
from string import Formatter
from typing import Any

from messages import texts_with_key
from support.code import ROOT

from randcrowns.core.messages import tidy_number

FOLDERS = ("core", "report", "layers", "algorithms", "ui", "batch")
#: Functions and classes that take a key -> index of the template among their arguments.
TEMPLATE_ARGUMENTS = {
    "InputError": 1,
    "MissingLibraryError": 1,
    "RandCrownsError": 1,
    "info": 1,
    "note": 1,
    "warning": 1,
    "create_message": 1,
    "_error": 1,
}


def shows(text: str, key: str, /, **values: Any) -> bool:
    """Return True if a text contains the English sentence of a message.

    Args:
        text: the text; HTML entities and non-breaking spaces are replaced.
        key: key of the message.
        values: values that the sentence must contain. All other values may be anything on one line.

    Raises:
        LookupError: if there is no template with the key.
    """
    readable = html.unescape(text).replace("\u00a0", " ")
    templates = templates_of(key)
    if not templates:
        raise LookupError(f"There is no template of {key!r}.")
    return any(re.search(_pattern(template, values), readable) for template in templates)


@cache
def _sources() -> dict[str, str]:
    """Return the code of every module of the plugin by its path."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    return {str(path): path.read_text(encoding="utf-8") for path in paths}


@cache
def templates_of(key: str) -> tuple[str, ...]:
    """Return the English templates of the errors and messages with a key.

    A template that is no literal at the call is determined as for the catalogue.
    """
    literal = tuple(
        template
        for source in _sources().values()
        if f'"{key}"' in source
        for template in _templates_in(ast.parse(source), key)
    )
    return literal or texts_with_key(key)


def _templates_in(tree: ast.Module, key: str) -> Iterator[str]:
    """Yield the templates of the calls with a key, and their singular forms."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not call.args:
            continue
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        first = call.args[0]
        if name not in TEMPLATE_ARGUMENTS or not isinstance(first, ast.Constant):
            continue
        index = TEMPLATE_ARGUMENTS[name]
        if first.value != key or len(call.args) <= index:
            continue
        texts = [call.args[index]] + [word.value for word in call.keywords if word.arg == "one"]
        for text in texts:
            if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value:
                yield text.value


def _pattern(template: str, values: dict[str, Any]) -> str:
    """Return a regular expression for a template with some of its values."""
    unknown = values.keys() - {name for _, name, _, _ in Formatter().parse(template) if name}
    if unknown:
        return r"(?!)"  # Another template of the same key has these values.
    parts = []
    for literal, name, form, _ in Formatter().parse(template):
        parts.append(re.escape(literal))
        if name:
            parts.append(
                _value_pattern(values[name], form or "") if name in values else ".{0,400}?"
            )
    return "".join(parts)


def _value_pattern(value: Any, form: str) -> str:
    """Return a regular expression for a value in a sentence."""
    if isinstance(value, (list, tuple)):
        value = ", ".join(map(str, value))
    try:
        formatted = format(value, form)
    except ValueError:  # a text where the sentence has a number
        return re.escape(str(value))
    if isinstance(value, (int, float)):
        formatted = tidy_number(formatted).replace("\u00a0", " ")
    return re.escape(formatted)
