"""Tolerance for small shifts: a detection counts if it lies near the ground truth.

With a tolerance only two things change. A marked unit is found if there is a detection within the
distance of it, so it takes the highest score within that distance. An unmarked unit within the
distance of a marked one is excluded: it is no false alarm if it is detected, and no miss if it is
not. Distances are measured between pixel centres.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from randcrowns.core.arrays import Array, Bools, Floats, Ints, distinct_values, split_range
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.core.validation import validate_arguments

# Factor of the distance, so that rounding does not exclude a pixel at exactly the distance.
_ROUNDING_MARGIN = 1.0 + 1e-9
# Number of kinds of pixels that one pass distinguishes: one bit of a 64-bit integer each.
_KINDS_PER_PASS = 64


@validate_arguments
@dataclass(frozen=True)
class Tolerance:
    """Distance that a detection may have from the ground truth.

    Attributes:
        distance: distance on the ground, m; 0 for no tolerance.
        pixel_height: distance between the centres of neighbouring rows, m.
        pixel_width: distance between the centres of neighbouring columns, m.

    Raises:
        InputError: if the distance is below 0, or a side of the pixel is not above 0.

    >>> Tolerance(1.0).nearby_mask(np.array([[True, False, False]])).tolist()
    [[True, True, False]]
    """

    distance: float
    pixel_height: float = 1.0
    pixel_width: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.distance) and self.distance >= 0):
            raise InputError(
                "tolerance.negative",
                "The tolerance is {distance:g} m. It must be 0 or more metres.",
                distance=self.distance,
            )
        if not (0 < self.pixel_height < np.inf and 0 < self.pixel_width < np.inf):
            message = (
                "A pixel of {pixel_height:g} x {pixel_width:g} m has no size. "
                "Give both sides in metres."
            )
            raise InputError(
                "tolerance.invalid_pixel",
                message,
                pixel_height=self.pixel_height,
                pixel_width=self.pixel_width,
            )

    def highest_score_nearby(self, score: Floats) -> Floats:
        """Return the highest score within the distance of each pixel.

        The disc around a pixel is divided into rows. A running maximum along a row costs the same
        at any width.

        Args:
            score: (rows, columns) scores; NaN counts as never detected.

        Returns:
            (rows, columns) highest scores; minus infinity where no score is near.

        Raises:
            InputError: if the scores are not a raster.

        >>> Tolerance(1.0).highest_score_nearby(np.array([[0.9, 0.1, 0.2, np.nan]])).tolist()
        [[0.9, 0.9, 0.2, 0.2]]
        """
        _check_is_raster(score)
        known_score = np.where(np.isnan(score), -np.inf, score)
        highest = known_score.copy()
        n_rows = len(score)
        for row_offset, half_width in self._disc_rows(score.shape):
            row_maximum = scipy.ndimage.maximum_filter1d(
                known_score, 2 * half_width + 1, axis=1, mode="constant", cval=-np.inf
            )
            # A row of the disc is this many rows above its centre, and an equal one below it.
            n_shared = n_rows - row_offset
            lower_rows = highest[row_offset:]
            upper_rows = highest[:n_shared]
            np.maximum(lower_rows, row_maximum[:n_shared], out=lower_rows)
            np.maximum(upper_rows, row_maximum[row_offset:], out=upper_rows)
        return highest

    def nearby_mask(self, truth: Bools) -> Bools:
        """Return a mask of the pixels within the distance of a marked pixel.

        Args:
            truth: (rows, columns) marked pixels.

        Returns:
            (rows, columns) mask; marked pixels are near themselves.

        Raises:
            InputError: if the ground truth is not a raster.

        >>> Tolerance(1.0).nearby_mask(np.array([[True, False, False]])).tolist()
        [[True, True, False]]
        """
        _check_is_raster(truth)
        if not truth.any():
            return np.zeros(truth.shape, dtype=bool)
        distance = scipy.ndimage.distance_transform_edt(
            ~truth, sampling=(self.pixel_height, self.pixel_width)
        )
        return np.asarray(distance <= self.distance * _ROUNDING_MARGIN)

    def counted_mask(self, truth: Bools) -> Bools:
        """Return a mask of the pixels that count: marked ones, and those not near a marked one.

        Args:
            truth: (rows, columns) marked pixels.

        >>> Tolerance(1.0).counted_mask(np.array([[True, False, False]])).tolist()
        [[True, False, True]]
        """
        return truth | ~self.nearby_mask(truth)

    def find_kinds_nearby(
        self, kind: Ints, n_kinds: int, progress: Progress = no_progress
    ) -> tuple[Ints, scipy.sparse.csr_matrix]:
        """Find the kinds of pixels within the distance of each pixel.

        A ground truth marks pixels by their kind (the pattern of votes), so one search serves all
        ground truths. Each kind is a bit of an integer per pixel, and the integers within a disc
        are combined by "or", 64 kinds at a time.

        Args:
            kind: (rows, columns) kind of each pixel, 0 to ``n_kinds`` - 1; any other number stands
                for no kind.
            n_kinds: number of kinds.
            progress: receives the fraction done; may raise to cancel.

        Returns:
            (rows, columns) number of the set of kinds near each pixel; and a sparse int32 matrix
            (sets, kinds), 1 where a set contains a kind.

        Raises:
            InputError: if ``kind`` is not a raster.

        >>> number, sets = Tolerance(1.0).find_kinds_nearby(np.array([[0, 1, 1]]), 2)
        >>> sets.toarray()[number[0]].tolist()
        [[1, 1], [1, 1], [0, 1]]
        """
        _check_is_raster(kind)
        set_of_pixel = np.zeros(kind.size, dtype=np.int64)
        sets = scipy.sparse.csr_matrix((1, 0), dtype=np.int32)
        passes = list(split_range(n_kinds, _KINDS_PER_PASS))
        for kinds_of_pass, pass_progress in iterate_with_progress(passes, progress):
            first = kinds_of_pass.start
            is_in_pass = (kind >= first) & (kind < kinds_of_pass.stop)
            bit_number = np.where(is_in_pass, kind - first, 0).astype(np.uint64)
            own_bit = np.where(is_in_pass, np.uint64(1) << bit_number, np.uint64(0))
            bits_nearby = self._combine_bits(own_bit, pass_progress)

            # Each new set is a pair of a set of the passes before and the bits of this pass.
            distinct_bits, bits_of_pixel, *_ = distinct_values(bits_nearby.ravel())
            n_distinct_bits = distinct_bits.size
            pair_codes = set_of_pixel * n_distinct_bits + bits_of_pixel
            distinct_pairs, set_of_pixel, *_ = distinct_values(pair_codes)
            previous_sets, added_bits = np.divmod(distinct_pairs, n_distinct_bits)
            bit_numbers = np.arange(kinds_of_pass.stop - first, dtype=np.uint64)
            has_kind = (distinct_bits[added_bits, np.newaxis] >> bit_numbers) & np.uint64(1)
            sets = scipy.sparse.hstack(
                [sets[previous_sets], has_kind.astype(np.int32)], format="csr"
            )
        return set_of_pixel.reshape(kind.shape), sets

    def _combine_bits(self, bits: Ints, progress: Progress) -> Ints:
        """Return the bitwise "or" of all pixels within the distance of each pixel.

        Args:
            bits: (rows, columns) unsigned integers.
            progress: receives the fraction done.
        """
        n_rows = len(bits)
        combined = bits.copy()
        disc_rows = list(self._disc_rows(bits.shape))
        for (row_offset, half_width), _ in iterate_with_progress(disc_rows, progress):
            # The window doubles until it has the width of this row of the disc.
            window = np.pad(bits, ((0, 0), (half_width, half_width)))
            width = 1
            full_width = 2 * half_width + 1
            while width < full_width:
                added = min(width, full_width - width)
                window = window[:, : window.shape[1] - added] | window[:, added:]
                width += added
            n_shared = n_rows - row_offset
            combined[row_offset:] |= window[:n_shared]
            combined[:n_shared] |= window[row_offset:]
        return combined

    def _disc_rows(self, shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Yield the pixel rows of the lower half of a disc, from its centre down.

        The radius of the disc is the distance of the tolerance, slightly increased so that rounding
        does not exclude pixels at exactly this distance.

        Args:
            shape: rows and columns of the raster, which limit the disc.

        Yields:
            Offset of the row from the centre, 0 or more, and number of pixels that the disc extends
            to each side in this row.
        """
        n_rows, n_columns = shape
        radius = self.distance * _ROUNDING_MARGIN
        max_row_offset = max(n_rows - 1, 0)
        max_half_width = max(n_columns - 1, 0)
        last_offset = min(int(radius / self.pixel_height), max_row_offset)
        for row_offset in range(last_offset + 1):
            # Half of the chord at this distance from the centre, in the unit of the distance.
            squared_half_chord = radius**2 - (row_offset * self.pixel_height) ** 2
            half_chord = np.sqrt(max(squared_half_chord, 0.0))
            half_width = min(int(half_chord / self.pixel_width), max_half_width)
            yield row_offset, half_width


def _check_is_raster(array: Array) -> None:
    """Raise InputError unless an array has rows and columns."""
    if array.ndim != 2:
        raise InputError(
            "tolerance.not_a_raster",
            "A tolerance in metres needs a raster (rows and columns), not {ndim} dimensions.",
            ndim=array.ndim,
        )
