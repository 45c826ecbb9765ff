"""Numbers written so that small ones keep what they say."""

from __future__ import annotations

import math

__all__ = ["in_decimals"]

_FIGURES = 2


def in_decimals(value: float, least: int = 3, sign: str = "") -> str:
    """The number with that many decimals, and more where two significant digits need them: 0.036, 0.0012, 0.00047.

    Args:
        value: a finite number.
        least: fewest decimals.
        sign: ``+`` to write that of a number above 0, too; 0 has none.
    """
    if value == 0:
        return f"{0:.{least}f}"
    decimals = max(least, _FIGURES - 1 - math.floor(math.log10(abs(value))))
    return f"{value:{sign},.{decimals}f}"
