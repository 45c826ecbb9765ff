"""Values of a grid as the user writes them: ``0.1 0.2 0.5`` or ``0.1:1.0:0.1``."""

from __future__ import annotations

import math
import re

from randcrowns.core.errors import InputError
from randcrowns.core.scoring.parameters import MOST

__all__ = ["MOST_SETS", "grid_values", "untried_ends"]

#: More sets than this are surely a slip of the finger.
MOST_SETS = 20_000
_DIGITS = 9
_WRITTEN_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


def grid_values(name: str, text: str) -> tuple[float, ...]:
    """The values in a text.

    Args:
        name: what they are values of, for sentences.
        text: numbers separated by spaces or semicolons; ``first:last:step`` stands for a range with both ends.

    Raises:
        InputError: when something is no number from 0 to a million, a range leads nowhere, or there are none; for
            commas, which some write between numbers and others within.
    """
    if "," in text:
        raise InputError(
            f"The values of {name} have commas: '{text.strip()}'. Write decimals with a point and spaces between "
            "numbers, such as 0.5 0.7."
        )
    found: list[float] = []
    for part in re.split(r"[\s;]+", text.strip()):
        if part:
            found += _range(name, part) if ":" in part else [_number(name, part)]
    if not found:
        raise InputError(f"There are no values of {name} to try; write some, such as 0.1:1.0:0.1.")
    return tuple(found)


def untried_ends(name: str, text: str) -> list[str]:
    """A sentence on each range whose last value no step ends at; arguments as in :func:`grid_values`."""
    told = []
    for part in re.split(r"[\s;]+", text.strip()):
        if ":" in part:
            reached, last = _range(name, part)[-1], float(part.split(":")[1])
            if abs(reached - last) > 10**-_DIGITS * max(1.0, last):
                told.append(
                    f"The range '{part}' of {name} ends at {reached:g}: no step leads to {last:g}, so it is not tried."
                )
    return told


def _range(name: str, text: str) -> list[float]:
    parts = text.split(":")
    if len(parts) != 3:
        raise InputError(f"'{text}' is no range of {name}; write first:last:step, such as 0.1:1.0:0.1.")
    first, last, step = (_number(name, part) for part in parts)
    if step <= 0 or last < first:
        raise InputError(
            f"The range '{text}' of {name} leads nowhere: the step must be above 0 and the last not below the first."
        )
    steps = (last - first) / step
    if steps > MOST_SETS:
        raise InputError(f"The range '{text}' of {name} has more than {MOST_SETS:,} values; take a larger step.")
    return [round(first + number * step, _DIGITS) for number in range(math.floor(steps + 1e-6) + 1)]


def _number(name: str, text: str) -> float:
    if not _WRITTEN_NUMBER.fullmatch(text):
        raise InputError(f"'{text}' is no value of {name}; write numbers, or first:last:step.")
    value = float(text)
    if not 0 <= value <= MOST:
        raise InputError(f"All values of {name} must be from 0 to {MOST:,.0f}, but there is {text}.")
    return value
