"""Names of fields and layers: valid, unique, and short enough for tables and charts."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count

from randcrowns.core.crowns import unique_name

#: Maximum number of characters of a field name in a shapefile.
MAX_SHAPEFILE_NAME_LENGTH = 10
#: Maximum number of characters of the prefix of a field name.
_MAX_PREFIX_LENGTH = 40
#: Length above which a beginning or an end that all names share is removed.
_MAX_KEPT_AFFIX = 4
#: Characters that separate words.
_WORD_SEPARATORS = " _-.,"


def to_identifier(name: str) -> str:
    """Return the name in lower-case ASCII letters, digits and underscores, starting with a letter.

    Args:
        name: any name, such as that of a layer.

    Returns:
        The name, cut to 40 characters; "layer" if no letter or digit is left.

    >>> to_identifier("Annotator 2")
    'annotator_2'
    """
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    safe = re.sub(r"[^0-9a-z]+", "_", ascii_name.lower()).strip("_")
    if not safe:
        return "layer"
    if not safe[0].isalpha():
        safe = "l_" + safe
    return safe[:_MAX_PREFIX_LENGTH].rstrip("_")


def to_ascii_name(name: str) -> str:
    """Return the name with underscores in place of all characters but ASCII letters and digits.

    Args:
        name: any name, such as that of a field.

    Returns:
        The name; "field" if no letter or digit is left.

    >>> to_ascii_name("height (m²)")
    'height_m2'
    """
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"\W+", "_", ascii_name).strip("_") or "field"


def field_prefixes(
    layer_names: Sequence[str], taken: Iterable[str] = (), endings: Sequence[str] = ("_rc",)
) -> list[str]:
    """Return a distinct field prefix for each layer.

    Args:
        layer_names: names of the delineation layers; they may be equal.
        taken: existing field names. No prefix followed by one of the endings is equal to one of
            them; case does not matter.
        endings: endings that follow the prefix in a field name.

    Returns:
        One prefix per layer, in the order of the layers.

    >>> field_prefixes(["A b", "a-b"])
    ['a_b', 'a_b_2']
    """
    used_names = {name.lower() for name in taken}
    prefixes: list[str] = []

    def is_taken(prefix: str) -> bool:
        return prefix in prefixes or any(prefix + ending in used_names for ending in endings)

    for name in layer_names:
        prefix = unique_name(to_identifier(name), is_taken, "{}_{}")
        prefixes.append(prefix)
    return prefixes


def numeric_sort_key(name: str) -> tuple[bool, float, str]:
    """Return a sort key that puts numbers before words, and 2 before 10.

    >>> sorted(["b", "10", "2"], key=numeric_sort_key)
    ['2', '10', 'b']
    """
    try:
        number = float(name)
    except ValueError:
        number = math.nan
    return (False, number, name) if math.isfinite(number) else (True, 0.0, name)


def unused_name(name: str, taken: Iterable[str]) -> str:
    """Return the name for a new field, followed by ``_2``, ``_3`` and so on if it is taken.

    Args:
        name: preferred name.
        taken: existing names; case does not matter.

    >>> unused_name("area", ["AREA", "id"])
    'area_2'
    """
    used_names = {other.lower() for other in taken}
    return unique_name(name, lambda candidate: candidate.lower() in used_names, "{}_{}")


def unique_names(names: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """Return distinct names: repeated and taken ones are followed by `` (2)``, `` (3)`` and so on.

    Args:
        names: names that may be equal.
        taken: names that none of the results may be equal to.

    >>> unique_names(["a", "a", "b"], taken=["b"])
    ['a', 'a (2)', 'b (2)']
    """
    unique: list[str] = []
    used = set(taken)
    for name in names:
        unique.append(unique_name(name, used.__contains__))
        used.add(unique[-1])
    return unique


def truncate_names(names: Sequence[str], max_length: int, taken: Iterable[str] = ()) -> list[str]:
    """Return distinct names of limited length; names that are short enough stay unchanged.

    Characters are removed before the last underscore, because the end of a name often distinguishes
    fields. Names that become equal get a number.

    Args:
        names: names to shorten.
        max_length: maximum number of characters.
        taken: names that none of the results may be equal to; case does not matter.

    Returns:
        One name per input name, distinct without regard to case.

    >>> truncate_names(["plot", "annotator_two_rc"], 10)
    ['plot', 'annotat_rc']
    """
    used = {name.lower() for name in taken}
    fitted: list[str] = []
    for name in names:
        suffixes = chain([""], map(str, count(2)))
        candidates = (_fit_name(name, max_length, suffix) for suffix in suffixes)
        short = next(candidate for candidate in candidates if candidate.lower() not in used)
        used.add(short.lower())
        fitted.append(short)
    return fitted


def _fit_name(name: str, max_length: int, suffix: str) -> str:
    """Return the name with a suffix, shortened in the middle to the maximum length."""
    available = max_length - len(suffix)
    if len(name) <= available:
        return name + suffix
    ending = "_" + name.rsplit("_", 1)[-1] if "_" in name else ""
    if len(ending) >= available:
        ending = ""
    return name[: available - len(ending)].rstrip("_") + ending + suffix


def abbreviate_names(
    names: Iterable[str], unchanged_length: int = 20, max_length: int = 20
) -> dict[str, str]:
    """Return a short display name for each name.

    Words that all names share at their beginning or end are removed, and long names are cut in the
    middle. Names that would become equal get a number.

    Args:
        names: names to shorten; they may be equal.
        unchanged_length: length up to which names need not be shortened. If no name is longer, all
            names stay unchanged.
        max_length: maximum length of a display name, without its number.

    Returns:
        Display name of each distinct name.

    >>> abbreviate_names(["detector trained on site one", "detector trained on site two"])
    {'detector trained on site one': 'one', 'detector trained on site two': 'two'}
    """
    distinct = list(dict.fromkeys(names))
    if all(len(name) <= unchanged_length for name in distinct):
        return {name: name for name in distinct}

    n_start = _shared_prefix_length(distinct)
    reversed_rests = [name[n_start:][::-1] for name in distinct]
    n_end = _shared_prefix_length(reversed_rests)
    if n_start <= _MAX_KEPT_AFFIX:
        n_start = 0
    if n_end <= _MAX_KEPT_AFFIX:
        n_end = 0

    display_names: dict[str, str] = {}
    for number, name in enumerate(distinct, 1):
        distinctive_part = name[n_start : len(name) - n_end]
        short = _cut_middle(distinctive_part, max_length)
        is_ambiguous = short in display_names.values() or not distinctive_part
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


def _cut_middle(name: str, max_length: int) -> str:
    """Return the name with an ellipsis in its middle if it is longer than the maximum length."""
    if len(name) <= max_length:
        return name
    return f"{name[: max_length // 2]}…{name[-(max_length // 2 - 1) :]}"
