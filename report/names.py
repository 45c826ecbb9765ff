"""Short display names of layers, annotators and plots for tables and figures."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd

from randcrowns.core.messages import Message

#: Maximum length of the name of a layer or annotator in a report, letters. Its sentences, tables,
#: titles and diagrams have the same short names; the list of what was compared has the whole ones.
MAX_NAME = 30
#: Columns of tables with names of layers, annotators, detectors or ground truths.
_NAME_COLUMNS = (
    "layer",
    "annotator",
    "first",
    "second",
    "detector",
    "truth",
    "target_annotator",
    "delineation_annotator",
)
#: Length above which a beginning or an end that all names share is removed.
_MAX_KEPT_AFFIX = 4
#: Characters that separate words.
_WORD_SEPARATORS = " _-.,"
#: Classes of letters that change no direction: letters from left to right, and neutral ones.
_LEFT_TO_RIGHT = ("L", "EN", "ES", "ET", "CS", "NSM", "BN", "B", "S", "WS", "ON", "")
#: Marks at the beginning and at the end of a text with a direction of its own.
_FIRST_STRONG_ISOLATE = "\u2068"
_POP_ISOLATE = "\u2069"
#: Two letters in a row. A display name without them, such as a number, says nothing by itself.
_WORD = re.compile(r"[^\W\d_]{2}")


def shorten_names(sentences: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return sentences in which long names are short, see :func:`display_names`.

    Args:
        sentences: sentences in any language.
        names: names of layers, which the sentences may contain.

    >>> shorten_names(["a is better than b."], ["a", "b"])
    ['a is better than b.']
    >>> shorten_names([f"{'north ' * 10}1: all classes are right."], [f"{'north ' * 10}1"])
    ['north north nor… north north 1: all classes are right.']
    """
    shown_names = {}
    for name, short in display_names(names).items():
        # A table may contain the short name already.
        for text in (name, short):
            if isolate_name(short) != text:
                shown_names[text] = isolate_name(short)
    return [abbreviate_text(sentence, shown_names) for sentence in sentences]


def display_names(names: Iterable[str]) -> dict[str, str]:
    """Return the name of each layer in a report, with at most :data:`MAX_NAME` letters.

    Names that are not longer stay unchanged.

    >>> names = display_names(["anna", "crowns of the inventory of the northern forest"])
    >>> list(names.values())
    ['anna', 'crowns of the i…orthern forest']
    """
    distinct = list(dict.fromkeys(names))
    short_names = abbreviate_names(distinct, MAX_NAME, MAX_NAME)
    shown_names = {name: name for name in distinct if len(name) <= MAX_NAME}
    used_names = set(shown_names)
    for number, name in enumerate(distinct, 1):
        if name in shown_names:
            continue
        short = short_names[name]
        if short in used_names:
            short = f"{cut_middle(short, MAX_NAME - len(f' ({number})'))} ({number})"
        shown_names[name] = short
        used_names.add(short)
    return {name: shown_names[name] for name in distinct}


def find_long_names(layers: Iterable[str], tables: Iterable[pd.DataFrame]) -> dict[str, str]:
    """Return the display names of the long names of a run, see :func:`display_names`.

    Args:
        layers: names of the layers that the run read.
        tables: tables of the run, which may contain names of annotators or detectors that are no
            layers.

    >>> find_long_names(["anna"], [pd.DataFrame({"annotator": ["ben"]})])
    {}
    """
    names = list(layers)
    for table in tables:
        for column in _NAME_COLUMNS:
            if column in table:
                names += [name for name in table[column].unique() if isinstance(name, str)]
    return {name: short for name, short in display_names(names).items() if name != short}


def shorten_table(table: pd.DataFrame, long_names: Mapping[str, str]) -> pd.DataFrame:
    """Return a table with short names in place of long ones, also within texts.

    Args:
        table: table, which stays unchanged.
        long_names: display names of long names, see :func:`find_long_names`.

    >>> shorten_table(pd.DataFrame({"yes": ["a, b"]}), {"b": "c"})["yes"].tolist()
    ['a, c']
    """
    if not long_names:
        return table
    shortened = {}
    for column in table:
        values = table[column]
        if not (values.dtype == object or pd.api.types.is_string_dtype(values.dtype)):
            continue
        texts = {text for text in values if isinstance(text, str)}
        changed = {text: abbreviate_text(text, long_names) for text in texts}
        if any(text != short for text, short in changed.items()):
            shortened[column] = [
                changed[value] if isinstance(value, str) else value for value in values
            ]
    return table.assign(**{str(column): values for column, values in shortened.items()})


def shorten_message(message: Message, long_names: Mapping[str, str]) -> Message:
    """Return a message with short names in place of long ones in its values.

    Args:
        message: message, which stays unchanged.
        long_names: display names of long names, see :func:`find_long_names`.
    """

    def shorten(value: Any) -> Any:
        """Return a value of the message with short names."""
        if isinstance(value, str):
            return abbreviate_text(value, long_names)
        return tuple(map(shorten, value)) if isinstance(value, tuple) else value

    items = message.values.items()  # noqa: PD011 - the values of a message
    return replace(message, values={name: shorten(value) for name, value in items})


def isolate_name(name: str) -> str:
    """Return a name that leaves the order of the words around it as it is.

    A name with letters that are written from right to left, or with marks of the direction, gets
    invisible marks around it (isolates, Unicode Standard Annex 9). Other names stay unchanged.

    >>> isolate_name("trees 1"), len(isolate_name("\u0634\u062c\u0631"))
    ('trees 1', 5)
    """
    if all(unicodedata.bidirectional(letter) in _LEFT_TO_RIGHT for letter in name):
        return name
    return f"{_FIRST_STRONG_ISOLATE}{name}{_POP_ISOLATE}"


def abbreviate_names(
    names: Iterable[str], unchanged_length: int = 20, max_length: int = 20
) -> dict[str, str]:
    """Return a short display name for each name.

    Words that all names share at their beginning or end are removed, and long names are cut in the
    middle. If only numbers or single letters of a long name would remain, its beginning stays.
    Names that would become equal get a number.

    Args:
        names: names to shorten; they may be equal.
        unchanged_length: length up to which names need not be shortened. If no name is longer, all
            names stay unchanged.
        max_length: maximum length of a display name, without its number.

    Returns:
        Display name of each distinct name.

    >>> abbreviate_names(["detector trained on site one", "detector trained on site two"])
    {'detector trained on site one': 'one', 'detector trained on site two': 'two'}
    >>> list(abbreviate_names(["crowns drawn on site 1", "crowns drawn on site 2"]).values())
    ['crowns dra…on site 1', 'crowns dra…on site 2']
    """
    distinct = list(dict.fromkeys(names))
    if all(len(name) <= unchanged_length for name in distinct):
        return {name: name for name in distinct}

    affixes = _shared_affixes(distinct)
    parts = [affixes.remove_from(name) for name in distinct]
    has_long_names = any(len(name) > max_length for name in distinct)
    needs_beginning = has_long_names and not all(map(_WORD.search, parts))
    short_names = {}
    for name, distinctive_part in zip(distinct, parts):
        short_names[name] = cut_middle(distinctive_part, max_length)
        if needs_beginning and len(distinctive_part) <= max_length // 2 - 1:
            # The end of the name, which distinguishes it, is not cut.
            short_names[name] = cut_middle(affixes.remove_end_of(name), max_length)

    # Equal short names belong to names that share more than all names do.
    uses = Counter(short_names.values())
    equal = [name for name, short in short_names.items() if uses[short] > 1]
    if len(equal) < len(distinct):
        short_names |= abbreviate_names(equal, 0, max_length)
    return _number_equal_names(short_names)


class _Affixes(NamedTuple):
    """Numbers of characters that all names share and that are removed."""

    n_start: int  #: at the beginning.
    n_end: int  #: at the end.

    def remove_from(self, name: str) -> str:
        """Return a name without its shared beginning and end."""
        return self.remove_end_of(name)[self.n_start :]

    def remove_end_of(self, name: str) -> str:
        """Return a name without its shared end."""
        return name[: len(name) - self.n_end]


def _shared_affixes(names: list[str]) -> _Affixes:
    """Return the words that all names share at their beginning and end, unless they are short."""
    n_start = _shared_prefix_length(names)
    reversed_rests = [name[n_start:][::-1] for name in names]
    n_end = _shared_prefix_length(reversed_rests)
    return _Affixes(
        n_start if n_start > _MAX_KEPT_AFFIX else 0,
        n_end if n_end > _MAX_KEPT_AFFIX else 0,
    )


def _number_equal_names(short_names: Mapping[str, str]) -> dict[str, str]:
    """Return display names with a number after those that are empty or that another name has.

    Args:
        short_names: short name of each name.
    """
    display_names: dict[str, str] = {}
    for number, (name, short) in enumerate(short_names.items(), 1):
        is_ambiguous = short in display_names.values() or not short
        display_names[name] = f"{short} ({number})" if is_ambiguous else short
    return display_names


def abbreviate_text(text: str, abbreviations: Mapping[str, str]) -> str:
    """Return a text with all names in it replaced by their display names.

    Args:
        text: the text.
        abbreviations: display name of each name, see :func:`abbreviate_names`.
    """
    changed_names = [name for name, display_name in abbreviations.items() if display_name != name]
    if not changed_names:
        return text
    # A regular expression takes the first alternative that matches: longer names come first.
    longest_first = sorted(changed_names, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first))
    return re.sub(pattern, lambda match: abbreviations[match[0]], text)


def _shared_prefix_length(names: list[str]) -> int:
    """Return the length of the beginning that all names share, up to the end of a word.

    It is 0 for a single name.
    """
    first = min(names)
    last = max(names)
    if first == last:
        n_equal = 0
    else:
        differences = (index for index, pair in enumerate(zip(first, last)) if pair[0] != pair[1])
        n_equal = next(differences, len(first))
    prefix = first[:n_equal]
    return max(map(prefix.rfind, _WORD_SEPARATORS)) + 1


def cut_middle(name: str, max_length: int) -> str:
    """Return a name with an ellipsis in place of its middle if it is too long.

    Args:
        name: the name.
        max_length: maximum length of the result, at least 4 characters.
    """
    if len(name) <= max_length:
        return name
    half_length = max_length // 2
    beginning = name[:half_length]
    end = name[-(half_length - 1) :]
    return f"{beginning}…{end}"
