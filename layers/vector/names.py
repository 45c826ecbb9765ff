"""Names of fields and layers that are safe, unique and still recognised."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count

from randcrowns.core.crowns import first_free

#: Most characters of a field name in a shapefile.
SHAPEFILE_NAME = 10
_LONGEST_PREFIX = 40


def safe_name(name: str) -> str:
    """Lower-case ASCII letters, digits and underscores, beginning with a letter: ``Annotator 2`` -> ``annotator_2``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^0-9a-z]+", "_", plain.lower()).strip("_")
    if not plain:
        return "layer"
    if not plain[0].isalpha():
        plain = "l_" + plain
    return plain[:_LONGEST_PREFIX].rstrip("_")


def plain_name(name: str) -> str:
    """The name with underscores for all that is no letter or digit of ASCII: ``height (m²)`` -> ``height_m2``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"\W+", "_", plain).strip("_") or "field"


def field_prefixes(
    layer_names: Sequence[str], taken: Iterable[str] = (), endings: Sequence[str] = ("_rc",)
) -> list[str]:
    """A prefix for the fields of each layer, unlike each other.

    Args:
        layer_names: names of the delineation layers, in order; they may be equal.
        taken: field names that exist already; no prefix with one of the ``endings`` gives one of them.
        endings: what follows the prefix in a field's name.
    """
    used = {name.lower() for name in taken}
    prefixes: list[str] = []

    def is_taken(prefix: str) -> bool:
        return prefix in prefixes or any(prefix + ending in used for ending in endings)

    for name in layer_names:
        prefixes.append(  # noqa: PERF401 - each is looked at by the next
            first_free(safe_name(name), is_taken, "{}_{}")
        )
    return prefixes


def by_number(name: str) -> tuple[bool, float, str]:
    """Sorts 2 before 10, and numbers before words."""
    try:
        number = float(name)
    except ValueError:
        number = math.nan
    return (False, number, name) if math.isfinite(number) else (True, 0.0, name)


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name of a new field: with ``_2``, ``_3`` … after it where the name is taken, in whatever case."""
    used = {other.lower() for other in taken}
    return first_free(name, lambda other: other.lower() in used, "{}_{}")


def unique_names(names: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """The names with `` (2)``, `` (3)`` … after those that came before, or are ``taken``."""
    found: list[str] = []
    used = set(taken)
    for name in names:
        found.append(first_free(name, used.__contains__))
        used.add(found[-1])
    return found


def fitted_names(names: Sequence[str], longest: int, taken: Iterable[str] = ()) -> list[str]:
    """Names of at most ``longest`` characters, unique without regard to case; those short enough stay.

    What tells fields apart is often at the end of the name, so characters are taken from the middle.
    """
    used = {name.lower() for name in taken}
    found: list[str] = []
    for name in names:
        every = (_shortened(name, longest, tail) for tail in chain([""], map(str, count(2))))
        short = next(short for short in every if short.lower() not in used)
        used.add(short.lower())
        found.append(short)
    return found


def _shortened(name: str, longest: int, tail: str) -> str:
    room = longest - len(tail)
    if len(name) <= room:
        return name + tail
    ending = "_" + name.rsplit("_", 1)[-1] if "_" in name else ""
    if len(ending) >= room:
        ending = ""
    return name[: room - len(ending)].rstrip("_") + ending + tail


#: A beginning or end that all share is cut off where it is longer than this.
_SHARED = 4
_BETWEEN_WORDS = " _-.,"


def short_names(names: Iterable[str], fits: int = 20, longest: int = 20) -> dict[str, str]:
    """For each name how it is written: without the words that all share, and cut in the middle to the ``longest``.

    Names that would look alike get a number. All stay as they are while none is longer than ``fits``.
    """
    different = list(dict.fromkeys(names))
    if all(len(name) <= fits for name in different):
        return {name: name for name in different}
    start = _shared(different)
    rest = [name[start:] for name in different]
    end = _shared([name[::-1] for name in rest])
    written: dict[str, str] = {}
    for number, name in enumerate(different, 1):
        first, last = (size if size > _SHARED else 0 for size in (start, end))
        core = name[first : len(name) - last]
        word = _cut(core, longest)
        written[name] = f"{word} ({number})" if word in written.values() or not core else word
    return written


def shortened(text: str, written: Mapping[str, str]) -> str:
    """The text with each name in it as it is written, see :func:`short_names`."""
    names = sorted((name for name, word in written.items() if word != name), key=len, reverse=True)
    return (
        re.sub("|".join(map(re.escape, names)), lambda found: written[found[0]], text)
        if names
        else text
    )


def _shared(names: list[str]) -> int:
    """How many characters all begin with, up to the end of a word; 0 for a single name."""
    first, last = min(names), max(names)
    differ = (place for place, (one, other) in enumerate(zip(first, last)) if one != other)
    alike = first[: next(differ, 0 if first == last else len(first))]
    return max(map(alike.rfind, _BETWEEN_WORDS)) + 1


def _cut(name: str, longest: int) -> str:
    if len(name) <= longest:
        return name
    return f"{name[: longest // 2]}…{name[-(longest // 2 - 1) :]}"
