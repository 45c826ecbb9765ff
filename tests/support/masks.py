"""Pixels of run-length encoded masks."""

from __future__ import annotations

import numpy as np

from randcrowns.core.exchange.rle import RleMask

__all__ = ["pixels_in"]


def pixels_in(mask: RleMask) -> np.ndarray:
    """Return the marked pixels (rows, columns) of a mask."""
    found = np.zeros((mask.n_rows, mask.n_columns), dtype=bool)
    top, left, inside = mask.decode_window()
    found[top : top + inside.shape[0], left : left + inside.shape[1]] = inside
    return found
