"""All pixels of a mask."""

from __future__ import annotations

import numpy as np

from randcrowns.core.exchange.masks import Mask

__all__ = ["pixels_in"]


def pixels_in(mask: Mask) -> np.ndarray:
    """(rows, columns) which are marked."""
    found = np.zeros((mask.rows, mask.columns), dtype=bool)
    top, left, inside = mask.window()
    found[top : top + inside.shape[0], left : left + inside.shape[1]] = inside
    return found
