"""Names of fields, plots and annotators: their order, and names that are not in use."""

from __future__ import annotations

import math
from collections.abc import Iterable

from randcrowns.core.crowns import unique_name


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


def unused_name(name: str, existing_names: Iterable[str]) -> str:
    """Return the name for a new field, followed by ``_2``, ``_3`` and so on if it is taken.

    Args:
        name: preferred name.
        existing_names: names that are used; case does not matter.

    >>> unused_name("area", ["AREA", "id"])
    'area_2'
    """
    used_names = {other.lower() for other in existing_names}
    return unique_name(name, lambda candidate: candidate.lower() in used_names, "{}_{}")
