"""Forgiving small shifts: a detection counts when it lies within a distance of the ground truth.

Two things change, and nothing else. A marked unit is found when there is a detection within the distance of it,
so it takes the highest score within that distance. An unmarked unit within the distance of a marked one is no
false alarm when detected, and no miss when not, so it is left out. Distances run between pixel centres.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from randcrowns.core.errors import InputError

__all__ = ["Tolerance"]

# A distance of exactly so many pixels must not be lost to rounding.
_SLACK = 1.0 + 1e-9


@dataclass(frozen=True)
class Tolerance:
    """How far a detection may lie from the ground truth.

    Attributes:
        distance: metres on the ground; 0 forgives nothing.
        pixel_height: distance between neighbouring rows, metres.
        pixel_width: distance between neighbouring columns, metres.

    Raises:
        InputError: for a distance below 0 or a pixel without size.
    """

    distance: float
    pixel_height: float = 1.0
    pixel_width: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.distance) and self.distance >= 0):
            raise InputError(f"The tolerance is {self.distance:g} m; it must be 0 or more metres.")
        if not (0 < self.pixel_height < np.inf and 0 < self.pixel_width < np.inf):
            raise InputError(
                f"A pixel of {self.pixel_height:g} x {self.pixel_width:g} m has no size; give both sides in metres."
            )

    def highest_nearby(self, score: NDArray[np.float64]) -> NDArray[np.float64]:
        """(rows, columns) highest score within the distance of each pixel; NaN counts as never detected.

        The disc is cut into rows, and the running maximum along a row costs the same at any width.
        """
        _check_grid(score)
        known = np.where(np.isnan(score), -np.inf, score)
        highest = known.copy()
        rows, columns = score.shape
        reach = min(int(self.distance * _SLACK / self.pixel_height), rows - 1) if rows else 0
        for step in range(reach + 1):
            half = np.sqrt(max((self.distance * _SLACK) ** 2 - (step * self.pixel_height) ** 2, 0.0))
            columns_away = min(int(half / self.pixel_width), max(columns - 1, 0))
            along = ndimage.maximum_filter1d(known, 2 * columns_away + 1, axis=1, mode="constant", cval=-np.inf)
            np.maximum(highest[step:], along[: rows - step], out=highest[step:])
            np.maximum(highest[: rows - step], along[step:], out=highest[: rows - step])
        return highest

    def near(self, truth: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(rows, columns) pixels whose centre is within the distance of a marked pixel's centre."""
        _check_grid(truth)
        if not truth.any():
            return np.zeros(truth.shape, dtype=bool)
        away = ndimage.distance_transform_edt(~truth, sampling=(self.pixel_height, self.pixel_width))
        return np.asarray(away <= self.distance * _SLACK)

    def counted(self, truth: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(rows, columns) pixels that are judged: the marked ones, and those that are not near a marked one."""
        return truth | ~self.near(truth)


def _check_grid(array: NDArray[np.generic]) -> None:
    if array.ndim != 2:
        raise InputError(f"A tolerance in metres needs a raster (rows and columns), not {array.ndim} dimensions.")
