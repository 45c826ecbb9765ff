"""Masks in COCO's run-length encoding (RLE).

The pixels are listed column by column. The counts are the lengths of alternating runs of pixels
outside and inside the mask; the first run is outside and may be empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Ints
from randcrowns.core.errors import InputError

#: Code of the first of the 64 characters of a compressed count. A character stands for six bits.
_FIRST_CHARACTER = 48
#: Number of bits of a character that belong to the count.
_BITS = 5
#: Bit of a character that is set if more characters of the same count follow.
_CONTINUES = 0x20
#: Sign bit of the last character of a count.
_SIGN = 0x10
#: Maximum number of characters of a count; more would exceed 64 bits.
_MAX_CHARACTERS = 10
#: Maximum number of pixels of a mask.
_MAX_PIXELS = 1 << 31


@dataclass(frozen=True, eq=False)
class RleMask:
    """A mask in run-length encoding.

    Args:
        n_rows: number of rows of pixels.
        n_columns: number of columns of pixels.
        run_lengths: (n,) int64 lengths of the runs, column by column, the first one outside the
            mask.

    >>> top, left, pixels = RleMask(2, 3, np.array([1, 2, 3])).decode_window()
    >>> top, left, pixels.astype(int).tolist()
    (0, 0, [[0, 1], [1, 0]])
    """

    n_rows: int
    n_columns: int
    run_lengths: Ints

    @property
    def is_valid(self) -> bool:
        """True if the run lengths are valid and sum to the number of pixels."""
        n_pixels = self.n_rows * self.n_columns
        if not 0 < n_pixels <= _MAX_PIXELS:
            return False
        return bool((self.run_lengths >= 0).all()) and int(self.run_lengths.sum()) == n_pixels

    @property
    def n_decoded(self) -> int:
        """Number of pixels of the columns that contain the mask, which decoding takes."""
        first_pixels, last_pixels = self.marked_runs()
        if not len(first_pixels):
            return 0
        left = int(first_pixels[0] // self.n_rows)
        right = int(last_pixels[-1] // self.n_rows)
        n_columns = right - left + 1
        return n_columns * self.n_rows

    def marked_runs(self) -> tuple[Ints, Ints]:
        """Return the first and the last pixel of each of the n runs inside the mask.

        Returns:
            Two arrays (n,) of indices of pixels, which are numbered column by column.
        """
        ends = np.cumsum(self.run_lengths)
        # Every second run is inside. It starts where the run outside before it ends.
        outside_ends = ends[0:-1:2]
        inside_ends = ends[1::2]
        has_pixels = inside_ends > outside_ends
        return outside_ends[has_pixels], inside_ends[has_pixels] - 1

    def decode_window(self) -> tuple[int, int, Bools]:
        """Decode the smallest window that contains all pixels of the mask.

        Returns:
            Row and column of the window's upper left pixel, and its (rows, columns) mask; for an
            empty mask 0, 0 and an array of shape (0, 0).
        """
        first_pixels, last_pixels = self.marked_runs()
        if not len(first_pixels):
            return 0, 0, np.zeros((0, 0), dtype=bool)

        left = int(first_pixels[0] // self.n_rows)
        right = int(last_pixels[-1] // self.n_rows)
        window_start = left * self.n_rows
        # +1 where a run starts and -1 after its end: the cumulative sum is 1 inside the mask.
        changes = np.zeros((right - left + 1) * self.n_rows + 1, dtype=np.int8)
        np.add.at(changes, first_pixels - window_start, 1)
        np.add.at(changes, last_pixels - window_start + 1, -1)
        is_pixel_inside = np.cumsum(changes[:-1], dtype=np.int8).astype(bool)
        is_inside = is_pixel_inside.reshape(-1, self.n_rows).T  # rows, columns
        rows = np.flatnonzero(is_inside.any(axis=1))
        return int(rows[0]), left, np.ascontiguousarray(is_inside[rows[0] : rows[-1] + 1])

    @classmethod
    def union(cls, masks: Sequence[RleMask]) -> RleMask:
        """Return the union of masks of equal size; no pixels are decoded.

        Args:
            masks: the masks, at least one.

        >>> masks = [RleMask(2, 2, np.array([0, 2, 2])), RleMask(2, 2, np.array([1, 2, 1]))]
        >>> RleMask.union(masks).run_lengths.tolist()
        [0, 3, 1]
        """
        runs_of_masks = [mask.marked_runs() for mask in masks]
        first_pixels = np.concatenate([first for first, _ in runs_of_masks])
        last_pixels = np.concatenate([last for _, last in runs_of_masks])
        order = np.argsort(first_pixels, kind="stable")
        starts = first_pixels[order]
        # End of each run, or of an earlier one that reaches further.
        reached_ends = np.maximum.accumulate(last_pixels[order] + 1)
        # A run of the union starts where all earlier runs have ended, and ends before the next.
        is_start = np.ones(len(starts), dtype=bool)
        is_start[1:] = starts[1:] > reached_ends[:-1]
        is_end = np.ones(len(starts), dtype=bool)
        is_end[:-1] = is_start[1:]
        borders = np.stack([starts[is_start], reached_ends[is_end]], axis=1).ravel()
        n_pixels = masks[0].n_rows * masks[0].n_columns
        run_lengths = np.diff(borders, prepend=0, append=n_pixels)
        if len(run_lengths) > 1 and run_lengths[-1] == 0:
            run_lengths = run_lengths[:-1]
        return cls(masks[0].n_rows, masks[0].n_columns, run_lengths)

    @classmethod
    def from_polygon(cls, polygon: shapely.Geometry, rows: int, columns: int) -> RleMask:
        """Return the mask of the pixels whose centre lies in a polygon.

        Args:
            polygon: polygon or multipolygon in pixel coordinates (x right, y down).
            rows: number of rows of the image.
            columns: number of columns of the image.

        >>> RleMask.from_polygon(shapely.box(1, 0, 3, 2), 2, 4).run_lengths.tolist()
        [2, 4, 2]
        """
        limits = [columns, rows, columns, rows]
        left, top, right, bottom = np.clip(shapely.bounds(polygon), 0, limits)
        # The window of pixels around the polygon; the image may be far larger.
        first_column, first_row = int(left), int(top)
        end_column = min(int(right) + 1, columns)
        end_row = min(int(bottom) + 1, rows)
        if end_column <= first_column or end_row <= first_row:
            return cls(rows, columns, np.array([rows * columns]))
        x, y = np.meshgrid(
            np.arange(first_column, end_column) + 0.5, np.arange(first_row, end_row) + 0.5
        )
        window = np.zeros((rows, end_column - first_column), dtype=bool)
        window[first_row:end_row] = shapely.contains_xy(polygon, x, y)
        counts = cls.from_pixels(window).run_lengths

        # Runs go down the columns, so that pixels beside the window are before and behind its runs.
        counts[0] += rows * first_column
        n_behind = rows * (columns - end_column)
        is_last_outside = len(counts) % 2 == 1
        if is_last_outside:
            counts[-1] += n_behind
        elif n_behind:
            counts = np.append(counts, n_behind)
        return cls(rows, columns, counts)

    @classmethod
    def from_pixels(cls, pixels: Bools) -> RleMask:
        """Encode a (rows, columns) mask.

        >>> RleMask.from_pixels(np.array([[True, False], [True, False]])).run_lengths.tolist()
        [0, 2, 2]
        """
        flat = pixels.T.ravel()
        changes = 1 + np.flatnonzero(flat[1:] != flat[:-1])
        counts = np.diff(np.concatenate([[0], changes, [flat.size]]))
        if flat.size and flat[0]:
            counts = np.append(0, counts)  # an empty first run outside the mask
        rows, columns = pixels.shape
        return cls(rows, columns, counts)


def decode_counts(text: str) -> Ints:
    """Decode the run lengths in COCO's compressed text.

    Each count is written in groups of five bits, lowest first. From the third count on the text
    holds the difference from the count two places before.

    Args:
        text: the compressed counts.

    Returns:
        (n,) int64 run lengths.

    Raises:
        InputError: if the text is not a valid encoding.

    >>> decode_counts("123").tolist()
    [1, 2, 3]
    """
    codes = _read_codes(text)
    if not len(codes):
        return np.zeros(0, dtype=np.int64)
    is_last = (codes & _CONTINUES) == 0
    if not is_last[-1]:
        raise InputError("rle.breaks_off", "A run-length encoding breaks off.")
    counts = _join_codes(codes, np.flatnonzero(is_last))
    # The first two counts outside the mask, and the first one inside, are no differences.
    counts[1::2] = np.cumsum(counts[1::2])
    counts[2::2] = np.cumsum(counts[2::2])
    if (np.abs(counts) > _MAX_PIXELS).any():
        raise _too_long_error()
    return counts


def _read_codes(text: str) -> Ints:
    """Return the six bits (m,) of each character of compressed counts.

    Args:
        text: m characters.

    Raises:
        InputError: if a character is not among the 64 of the encoding.
    """
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4").astype(np.int64)
    codes -= _FIRST_CHARACTER
    is_invalid = (codes < 0) | (codes >= 2 * _CONTINUES)
    if is_invalid.any():
        raise InputError(
            "rle.invalid_character",
            "'{character}' is no character of a run-length encoding.",
            character=text[int(np.argmax(is_invalid))],
        )
    return codes


def _join_codes(codes: Ints, last_positions: Ints) -> Ints:
    """Return the signed numbers (n,) that consecutive characters encode.

    Args:
        codes: (m,) six bits of each character.
        last_positions: (n,) position of the last character of each number.

    Raises:
        InputError: if a number has too many characters.
    """
    # The first number starts after position -1.
    n_characters = np.diff(last_positions, prepend=-1)
    if n_characters.max() > _MAX_CHARACTERS:
        raise _too_long_error()
    first_positions = last_positions - n_characters + 1
    position_in_number = np.arange(len(codes)) - np.repeat(first_positions, n_characters)
    bits = (codes & (_CONTINUES - 1)) << (_BITS * position_in_number)
    numbers: Ints = np.add.reduceat(bits, first_positions)
    # Negative numbers are in two's complement of all their bits.
    is_negative = (codes[last_positions] & _SIGN) != 0
    numbers[is_negative] -= np.int64(1) << (_BITS * n_characters[is_negative])
    return numbers


def _too_long_error() -> InputError:
    """Return the error for runs that are longer than any image."""
    return InputError("rle.too_long", "A run-length encoding has runs longer than any image.")
