"""The distinct ones of very many values, found without holding Python's lock for long.

``np.unique`` and ``np.bincount`` hold it for seconds where there are a hundred million values; here it is let go of now
and then, so that a cancel is heard.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Distinct", "distinct_values"]

# Values moved between two chances to hear of a cancel.
_AT_ONCE = 1 << 20


class Distinct(NamedTuple):
    """The distinct values, rising.

    Attributes:
        values: (d,) each once.
        place: (n,) the place of each value given among them.
        order: (n,) what puts the values given in order.
        first: (d,) where in that order each distinct one begins.
    """

    values: NDArray[Any]
    place: NDArray[np.int64]
    order: NDArray[np.int64]
    first: NDArray[np.int64]


def distinct_values(values: NDArray[Any]) -> Distinct:
    """(n,) values without NaN."""
    order = np.argsort(values)
    rising = values[order]
    new = np.append(True, rising[1:] != rising[:-1])[: values.size]
    place = np.empty(values.size, dtype=np.int64)
    before = -1
    for start in range(0, values.size, _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        rank = before + np.cumsum(new[some])
        place[order[some]] = rank
        before = rank[-1]
    return Distinct(rising[new], place, order, np.flatnonzero(new))
