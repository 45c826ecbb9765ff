"""The texts in a style of QGIS's: labels of the legend, and what stands beside the values of a map tip."""

from __future__ import annotations

import re
from html import escape
from typing import Callable

#: In a map tip: an expression, a tag, an entity; all else is text.
_TIP = re.compile(r"(\[%.*?%\]|<[^>]*>|&\w+;)", re.DOTALL)
_LITERAL = re.compile(r"'((?:[^'\\]|\\.|'')*)'")
_LABEL = re.compile(r'(?<=\blabel=")[^"]+(?=")')
_MAP_TIP = re.compile(r"(?<=<mapTip>).*?(?=</mapTip>)", re.DOTALL)
_MARKUP = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


def style_in(xml: str, translate: Callable[[str], str]) -> str:
    """A style (QML) with its texts translated.

    >>> style_in('<category label="not scored"/><mapTip>area [% "area" %]&lt;br></mapTip>', str.upper)
    '<category label="NOT SCORED"/><mapTip>AREA [% "area" %]&lt;br&gt;</mapTip>'
    """
    labelled = _LABEL.sub(lambda label: escape(translate(_plain(label[0]))), xml)
    return _MAP_TIP.sub(
        lambda tip: escape(_tip_in(_plain(tip[0]), translate), quote=False), labelled
    )


def _plain(text: str) -> str:
    """Text of XML without its markup."""
    return re.sub("|".join(_MARKUP), lambda found: _MARKUP[found[0]], text)


def _tip_in(template: str, translate: Callable[[str], str]) -> str:
    def literal(found: re.Match[str]) -> str:
        text = found[1]
        return (
            f"'{_in(text, translate, quoted=True)}'" if " " in text or text == "n/a" else found[0]
        )

    parts = _TIP.split(template)
    parts[::2] = [_in(text, translate) for text in parts[::2]]
    parts[1::2] = [
        _LITERAL.sub(literal, part) if part.startswith("[%") else part for part in parts[1::2]
    ]
    return "".join(parts)


def _in(text: str, translate: Callable[[str], str], quoted: bool = False) -> str:
    """The words of a piece of text translated, without the signs around them; units of one letter stay."""
    found = re.search(r"[^\W\d].*[^\W\d_]|[^\W\d]{2,}", text, re.DOTALL)
    if found is None:
        return text
    words = translate(found[0])
    words = words.replace("'", "''") if quoted else escape(words, quote=False)
    return text[: found.start()] + words + text[found.end() :]
