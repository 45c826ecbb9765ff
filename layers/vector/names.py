"""Names of fields and layers: valid, unique, and without accents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from randcrowns.core.crowns import unique_name

#: Maximum number of characters of a field name in a shapefile.
MAX_SHAPEFILE_NAME_LENGTH = 10
#: Maximum number of characters of the prefix of a field name.
_MAX_PREFIX_LENGTH = 40


def to_identifier(name: str) -> str:
    """Return the name in lower-case ASCII letters, digits and underscores, starting with a letter.

    Args:
        name: any name, such as that of a layer.

    Returns:
        The name, cut to 40 characters; "layer" if no letter or digit is left.

    >>> to_identifier("Annotator 2")
    'annotator_2'
    """
    safe = re.sub(r"[^0-9a-z]+", "_", _to_ascii(name).lower()).strip("_")
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
    return re.sub(r"\W+", "_", _to_ascii(name)).strip("_") or "field"


def _to_ascii(name: str) -> str:
    """Return a name without accents, and without all other characters that are not ASCII."""
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()


def plain_letters(name: str) -> str:
    """Return a name in lower case and without accents, however these are encoded.

    >>> plain_letters("Num\u00e9risateur") == plain_letters("NUME\u0301RISATEUR")
    True
    """
    letters = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).lower()


def field_prefixes(
    layer_names: Sequence[str], other_names: Iterable[str] = (), endings: Sequence[str] = ("_rc",)
) -> list[str]:
    """Return a distinct field prefix for each layer.

    Args:
        layer_names: names of the delineation layers; they may be equal.
        other_names: existing field names. No prefix followed by one of the endings is equal to
            one of them; case does not matter.
        endings: endings that follow the prefix in a field name.

    Returns:
        One prefix per layer, in the order of the layers.

    >>> field_prefixes(["A b", "a-b"])
    ['a_b', 'a_b_2']
    """
    used_names = {name.lower() for name in other_names}
    prefixes: list[str] = []

    def is_taken(prefix: str) -> bool:
        return prefix in prefixes or any(prefix + ending in used_names for ending in endings)

    for name in layer_names:
        prefix = unique_name(to_identifier(name), is_taken, "{}_{}")
        prefixes.append(prefix)
    return prefixes


def unique_names(names: Sequence[str], other_names: Iterable[str] = ()) -> list[str]:
    """Return distinct names: repeated and taken ones are followed by `` (2)``, `` (3)`` and so on.

    Args:
        names: names that may be equal.
        other_names: names that none of the results may be equal to.

    >>> unique_names(["a", "a", "b"], other_names=["b"])
    ['a', 'a (2)', 'b (2)']
    """
    unique: list[str] = []
    used_names = set(other_names)
    for name in names:
        unique.append(unique_name(name, used_names.__contains__))
        used_names.add(unique[-1])
    return unique


def truncate_names(
    names: Sequence[str], max_length: int, other_names: Iterable[str] = ()
) -> list[str]:
    """Return distinct names of limited length; names that are short enough stay unchanged.

    Characters are removed before the last underscore, because the end of a name often distinguishes
    fields. Names that become equal get a number.

    Args:
        names: names to shorten.
        max_length: maximum number of characters.
        other_names: names that none of the results may be equal to; case does not matter.

    Returns:
        One name per input name, distinct without regard to case.

    >>> truncate_names(["plot", "annotator_two_rc"], 10)
    ['plot', 'annotat_rc']
    """
    used_names = {name.lower() for name in other_names}
    short_names: list[str] = []
    for name in names:
        short_name = _fit_name(name, max_length, suffix="")
        number = 2
        while short_name.lower() in used_names:
            short_name = _fit_name(name, max_length, suffix=str(number))
            number += 1
        used_names.add(short_name.lower())
        short_names.append(short_name)
    return short_names


def _fit_name(name: str, max_length: int, suffix: str) -> str:
    """Return the name with a suffix, shortened in the middle to the maximum length.

    Args:
        name: the name.
        max_length: maximum number of characters of the result.
        suffix: end of the result, which is never shortened.
    """
    available = max_length - len(suffix)
    if len(name) <= available:
        return name + suffix
    _, underscore, last_word = name.rpartition("_")
    # Without an underscore, the name has no ending that must stay.
    ending = f"_{last_word}" if underscore else ""
    if len(ending) >= available:
        ending = ""
    beginning = name[: available - len(ending)].rstrip("_")
    return beginning + ending + suffix
