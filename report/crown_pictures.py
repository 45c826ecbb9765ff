"""Scales of the pictures of crowns, and their scale bars."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

#: A crown has a picture of its own scale if it needs more than this many times the median width.
_MAX_SHARE_OF_MEDIAN = 2.0
#: A crown has a picture of its own scale if it fills less than this share of the shared width.
_MIN_SHARE_OF_WIDTH = 0.25


def shared_widths(needed_widths: Sequence[float]) -> list[float]:
    """Return the width on the ground of the picture of each crown.

    Crowns of similar size are shown at one scale, so that their sizes can be compared. Much larger
    and much smaller crowns are shown at a scale of their own.

    Args:
        needed_widths: (n,) width on the ground that each crown needs, above 0.

    Returns:
        (n,) widths, at least those that are needed.

    >>> shared_widths([8.0, 10.0, 9.0, 40.0, 1.0])
    [10.0, 10.0, 10.0, 40.0, 1.0]
    """
    needed = np.asarray(needed_widths, dtype=float)
    if not len(needed):
        return []
    is_similar = needed <= _MAX_SHARE_OF_MEDIAN * np.median(needed)
    shared = needed[is_similar].max()
    shares_scale = is_similar & (needed >= _MIN_SHARE_OF_WIDTH * shared)
    widths: list[float] = np.where(shares_scale, shared, needed).tolist()
    return widths


def scale_bar_length(width: float) -> float:
    """Return the length of the scale bar of a map with a width, at most a quarter of it.

    The length is 1, 2 or 5 times a power of ten.

    >>> scale_bar_length(100.0), scale_bar_length(30.0), scale_bar_length(3.9)
    (20.0, 5.0, 0.5)
    """
    max_length = width / 4
    power = 10.0 ** math.floor(math.log10(max_length))
    return max(step * power for step in (1, 2, 5) if step * power <= max_length)
