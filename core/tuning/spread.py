"""Alpha and omega from the spread of outlines, as the start of a search for parameters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.scoring.own_spread import check_spread, length_of_spread
from randcrowns.core.validation import validate_arguments

#: Number of values to try below and above a length.
_STEPS_PER_SIDE = 3


class SpreadStart(NamedTuple):
    """Lengths that follow from the spread of outlines.

    Attributes:
        length: alpha and omega, m: 95 % of the outlines lie within this distance on either side.
        n_crowns: number of crowns with a spread.
    """

    length: float
    n_crowns: int

    def values_to_try(self) -> tuple[float, float, float]:
        """Return first value, last value and step of lengths around this one, in whole cm.

        >>> SpreadStart(0.6, 10).values_to_try()
        (0.15, 1.05, 0.15)
        """
        step = max(round(self.length / (_STEPS_PER_SIDE + 1), 2), 0.01)
        last = round(step * (2 * _STEPS_PER_SIDE + 1), 2)
        return step, last, step


@validate_arguments
def start_from_spread(spread: ArrayLike) -> SpreadStart:
    """Return alpha and omega for which the outlines of annotators differ as much as tolerated.

    Alpha and omega are the distance that 95 % of the outlines do not exceed on one side of the
    median crown, see :func:`randcrowns.core.scoring.own_spread.length_of_spread`. It is a start for
    a search, not its result.

    Args:
        spread: (n,) spread of each crown, m; NaN for crowns that one annotator drew.

    Raises:
        InputError: if no crown has a spread, or a spread is negative or infinite.

    >>> round(start_from_spread([0.2, 0.3, 0.4, float("nan")]).length, 3)
    0.618
    """
    values = check_spread(spread)
    known_values = values[~np.isnan(values)]
    length = float(length_of_spread(np.median(known_values)))
    return SpreadStart(length, len(known_values))
