"""Translation of the texts in a QGIS style: labels of the legend and the text of map tips."""

from __future__ import annotations

import re
from html import escape
from typing import Callable

#: Parts of a map tip that are not translated: an expression, a tag or an entity.
_MARKUP = re.compile(r"(\[%.*?%\]|<[^>]*>|&\w+;)", re.DOTALL)
#: String literal in a QGIS expression; group 1 is its content.
_STRING_LITERAL = re.compile(r"'((?:[^'\\]|\\.|'')*)'")
#: Value of an attribute ``label`` in the XML of a style.
_LABEL = re.compile(r'(?<=\blabel=")[^"]+(?=")')
#: Content of the element ``mapTip`` in the XML of a style.
_MAP_TIP = re.compile(r"(?<=<mapTip>).*?(?=</mapTip>)", re.DOTALL)
#: Text without surrounding punctuation, digits and units of one letter.
_WORDS = re.compile(r"[^\W\d].*[^\W\d_]|[^\W\d]{2,}", re.DOTALL)
#: Character by its XML entity.
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


def translate_style(xml: str, translate: Callable[[str], str]) -> str:
    """Return a style (QML) with its texts translated.

    Args:
        xml: content of a QML file.
        translate: function that translates a text.

    Returns:
        The style with translated labels and map tips; expressions and values stay unchanged.

    >>> style = '<category label="not scored"/><mapTip>area [% "area" %]&lt;br></mapTip>'
    >>> translate_style(style, str.upper)
    '<category label="NOT SCORED"/><mapTip>AREA [% "area" %]&lt;br&gt;</mapTip>'
    """
    xml_with_labels = _LABEL.sub(lambda match: escape(translate(_unescape_text(match[0]))), xml)
    return _MAP_TIP.sub(
        lambda match: escape(_translate_map_tip(_unescape_text(match[0]), translate), quote=False),
        xml_with_labels,
    )


def _unescape_text(text: str) -> str:
    """Return a text with its XML entities replaced by characters."""
    return re.sub("|".join(_ENTITIES), lambda match: _ENTITIES[match[0]], text)


def _translate_map_tip(template: str, translate: Callable[[str], str]) -> str:
    """Translate a map tip: the text between tags and expressions, and the texts in expressions.

    Args:
        template: map tip as HTML with expressions in ``[% %]``.
        translate: function that translates a text.
    """

    def translate_literal(match: re.Match[str]) -> str:
        text = match[1]
        # Literals of one word are names of fields or values, except the text for a missing value.
        is_text = " " in text or text == "n/a"
        return f"'{_translate_words(text, translate, quoted=True)}'" if is_text else match[0]

    translated = []
    for number, part in enumerate(_MARKUP.split(template)):
        is_markup = number % 2 == 1
        if not is_markup:
            translated.append(_translate_words(part, translate))
        elif part.startswith("[%"):
            translated.append(_STRING_LITERAL.sub(translate_literal, part))
        else:
            translated.append(part)
    return "".join(translated)


def _translate_words(text: str, translate: Callable[[str], str], quoted: bool = False) -> str:
    """Translate a text without its surrounding punctuation; units of one letter stay unchanged.

    Args:
        text: text that may begin and end with spaces, digits and punctuation.
        translate: function that translates a text.
        quoted: escape the result for a string literal of an expression, otherwise for HTML.
    """
    match = _WORDS.search(text)
    if match is None:
        return text
    words = translate(match[0])
    words = words.replace("'", "''") if quoted else escape(words, quote=False)
    return text[: match.start()] + words + text[match.end() :]
