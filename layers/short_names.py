"""Long names of annotators, short enough for a legend, and still told apart."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["short_names"]

_LONGEST = 20
#: A beginning or end that all share is cut off where it is longer than this.
_SHARED = 4


def short_names(names: Iterable[str]) -> dict[str, str]:
    """For each name how it is written: as it is while all are short, else without what all share and cut in the middle.
    Names that would look alike get a number.
    """
    different = list(dict.fromkeys(names))
    if all(len(name) <= _LONGEST for name in different):
        return {name: name for name in different}
    start = _shared(different)
    rest = [name[start:] for name in different]
    end = _shared([name[::-1] for name in rest])
    written: dict[str, str] = {}
    for number, name in enumerate(different, 1):
        first, last = (size if size > _SHARED else 0 for size in (start, end))
        core = name[first : len(name) - last]
        word = _cut(f"{'…' if first else ''}{core}{'…' if last else ''}")
        written[name] = f"{word} ({number})" if word in written.values() or not core else word
    return written


def _shared(names: list[str]) -> int:
    """How many characters all begin with; 0 for a single name."""
    first, last = min(names), max(names)
    return next(
        (place for place, (one, other) in enumerate(zip(first, last)) if one != other),
        0 if first == last else len(first),
    )


def _cut(name: str) -> str:
    if len(name) <= _LONGEST:
        return name
    return f"{name[: _LONGEST // 2]}…{name[-(_LONGEST // 2 - 1) :]}"
