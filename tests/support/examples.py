"""Number of examples of property tests."""

from __future__ import annotations

import os

__all__ = ["examples"]

#: Number of examples in ``make explore`` per example in the suite, and minimum in the suite.
_SHARE = 3
_LEAST = 5


def examples(number: int) -> int:
    """Return the number of examples: all in ``make explore``, a share of them in the suite."""
    return number if os.environ.get("RANDCROWNS_EXPLORE") else max(number // _SHARE, _LEAST)
