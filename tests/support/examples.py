"""How many examples hypothesis draws."""

from __future__ import annotations

import os

__all__ = ["examples"]

#: Of the examples that ``make explore`` draws, one in so many is tried in the suite,
#: where they hardly ever change.
_SHARE = 3
_LEAST = 5


def examples(number: int) -> int:
    """So many in ``make explore``, a share of them in the suite."""
    return number if os.environ.get("RANDCROWNS_EXPLORE") else max(number // _SHARE, _LEAST)
