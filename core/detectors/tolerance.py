"""Forgiving small shifts: a detection counts when it lies within a distance of the ground truth.

Two things change, and nothing else. A marked unit is found when there is a detection within the distance of it,
so it takes the highest score within that distance. An unmarked unit within the distance of a marked one is no
false alarm when detected, and no miss when not, so it is excluded. Distances run between pixel centres.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse
from scipy import ndimage

from randcrowns.core.arrays import Array, Bools, Floats, Ints, distinct_values, slices
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, no_progress, steps

# A distance of exactly so many pixels must not be lost to rounding.
_SLACK = 1.0 + 1e-9
# Kinds distinguished in one pass: one bit each.
_BITS = 64


@as_declared
@dataclass(frozen=True)
class Tolerance:
    """How far a detection may lie from the ground truth.

    Attributes:
        distance: metres on the ground; 0 forgives nothing.
        pixel_height, pixel_width: distance between neighbouring rows, and columns, metres.

    Raises:
        InputError: for a distance below 0 or a pixel without size.
    """

    distance: float
    pixel_height: float = 1.0
    pixel_width: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.distance) and self.distance >= 0):
            raise InputError(
                "The tolerance is {distance:g} m; it must be 0 or more metres.",
                distance=self.distance,
            )
        if not (0 < self.pixel_height < np.inf and 0 < self.pixel_width < np.inf):
            said = "A pixel of {pixel_height:g} x {pixel_width:g} m has no size; give both sides in metres."
            raise InputError(said, pixel_height=self.pixel_height, pixel_width=self.pixel_width)

    def highest_nearby(self, score: Floats) -> Floats:
        """(rows, columns) highest score within the distance of each pixel; NaN counts as never detected.

        The disc is cut into rows, and the running maximum along a row costs the same at any width.
        """
        _check_grid(score)
        known = np.where(np.isnan(score), -np.inf, score)
        highest = known.copy()
        rows = len(score)
        for step, columns_away in self._disc(score.shape):
            along = ndimage.maximum_filter1d(
                known, 2 * columns_away + 1, axis=1, mode="constant", cval=-np.inf
            )
            np.maximum(highest[step:], along[: rows - step], out=highest[step:])
            np.maximum(highest[: rows - step], along[step:], out=highest[: rows - step])
        return highest

    def near(self, truth: Bools) -> Bools:
        """(rows, columns) pixels whose centre is within the distance of a marked pixel's centre."""
        _check_grid(truth)
        if not truth.any():
            return np.zeros(truth.shape, dtype=bool)
        away = ndimage.distance_transform_edt(
            ~truth, sampling=(self.pixel_height, self.pixel_width)
        )
        return np.asarray(away <= self.distance * _SLACK)

    def counted(self, truth: Bools) -> Bools:
        """(rows, columns) pixels that are judged: the marked ones, and those that are not near a marked one."""
        return truth | ~self.near(truth)

    def kinds_nearby(
        self, kind: Ints, kinds: int, progress: Progress = no_progress
    ) -> tuple[Ints, scipy.sparse.csr_matrix]:
        """Which kinds of pixels lie within the distance of each pixel, for all ground truths that kinds make at once.

        Every kind is a bit of a number per pixel, and the numbers of a disc are joined by "or".

        Args:
            kind: (rows, columns) number of the kind, 0 to ``kinds`` - 1; any other number is of no kind.

        Returns:
            (rows, columns) number of the set of kinds near each pixel, and (sets, kinds) sparse 1 where a set has one.
        """
        _check_grid(kind)
        found, sets = (
            np.zeros(kind.shape, dtype=np.int64),
            scipy.sparse.csr_matrix((1, 0), dtype=np.int32),
        )
        for some, share in steps(list(slices(kinds, _BITS)), progress):
            here = (kind >= some.start) & (kind < some.stop)
            bits = np.where(
                here,
                np.uint64(1) << np.where(here, kind - some.start, 0).astype(np.uint64),
                np.uint64(0),
            )
            near = self._joined(bits, share)
            words, word_of = distinct_values(near.ravel())[:2]
            joint, found_flat = distinct_values(found.ravel() * words.size + word_of)[:2]
            found = found_flat.reshape(kind.shape)
            bit = np.arange(some.stop - some.start, dtype=np.uint64)
            has = (words[joint % words.size, None] >> bit) & np.uint64(1)
            sets = scipy.sparse.hstack(
                [sets[joint // words.size], has.astype(np.int32)], format="csr"
            )
        return found, sets

    def _joined(self, bits: Ints, progress: Progress) -> Ints:
        """The bits of everything within the distance of each pixel."""
        rows = len(bits)
        joined = bits.copy()
        for (step, columns_away), _ in steps(list(self._disc(bits.shape)), progress):
            along = np.pad(bits, ((0, 0), (columns_away, columns_away)))
            length, window = 1, 2 * columns_away + 1
            while length < window:
                further = min(length, window - length)
                along = along[:, : along.shape[1] - further] | along[:, further:]
                length += further
            joined[step:] |= along[: rows - step]
            joined[: rows - step] |= along[step:]
        return joined

    def _disc(self, shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Rows away, and how many columns the disc reaches to each side there."""
        rows, columns = shape
        reach = min(int(self.distance * _SLACK / self.pixel_height), rows - 1) if rows else 0
        for step in range(reach + 1):
            half = np.sqrt(
                max((self.distance * _SLACK) ** 2 - (step * self.pixel_height) ** 2, 0.0)
            )
            yield step, min(int(half / self.pixel_width), max(columns - 1, 0))


def _check_grid(array: Array) -> None:
    if array.ndim != 2:
        said = "A tolerance in metres needs a raster (rows and columns), not {ndim} dimensions."
        raise InputError(said, ndim=array.ndim)
