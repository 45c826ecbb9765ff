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
        first, last = self.marked_runs()
        if not len(first):
            return 0
        n_columns = int(last[-1] // self.n_rows) - int(first[0] // self.n_rows) + 1
        return n_columns * self.n_rows

    def marked_runs(self) -> tuple[Ints, Ints]:
        """Return the first and the last pixel (n,) of each run inside the mask, by columns."""
        ends = np.cumsum(self.run_lengths)
        first = ends[:-1][::2]
        last = ends[1::2] - 1
        is_run = last >= first
        return first[is_run], last[is_run]

    def decode_window(self) -> tuple[int, int, Bools]:
        """Decode the smallest window that contains all pixels of the mask.

        Returns:
            Row and column of the window's upper left pixel, and its (rows, columns) mask; for an
            empty mask 0, 0 and an array of shape (0, 0).
        """
        first, last = self.marked_runs()
        if not len(first):
            return 0, 0, np.zeros((0, 0), dtype=bool)

        left = int(first[0] // self.n_rows)
        right = int(last[-1] // self.n_rows)
        start = left * self.n_rows
        # +1 where a run starts and -1 after its end: the cumulative sum is 1 inside the mask.
        changes = np.zeros((right - left + 1) * self.n_rows + 1, dtype=np.int8)
        np.add.at(changes, first - start, 1)
        np.add.at(changes, last - start + 1, -1)
        is_inside = np.cumsum(changes[:-1], dtype=np.int8).astype(bool)
        is_inside = is_inside.reshape(-1, self.n_rows).T
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
        runs = [mask.marked_runs() for mask in masks]
        first = np.concatenate([run[0] for run in runs])
        end = np.concatenate([run[1] for run in runs]) + 1
        order = np.argsort(first, kind="stable")
        first = first[order]
        end = np.maximum.accumulate(end[order])
        is_start = np.append(True, first[1:] > end[:-1])[: len(first)]
        is_end = np.append(is_start[1:], True)[: len(first)]
        borders = np.stack([first[is_start], end[is_end]], axis=1).ravel()
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
        window_columns = np.arange(int(left), min(int(right) + 1, columns))
        window_rows = np.arange(int(top), min(int(bottom) + 1, rows))
        if not len(window_columns) or not len(window_rows):
            return cls(rows, columns, np.array([rows * columns]))
        x, y = np.meshgrid(window_columns + 0.5, window_rows + 0.5)
        is_inside = shapely.contains_xy(polygon, x, y)
        # Only the columns of the window are encoded; the image may be far larger.
        pixels = np.zeros((rows, len(window_columns)), dtype=bool)
        pixels[window_rows[0] : window_rows[-1] + 1] = is_inside
        counts = cls.from_pixels(pixels).run_lengths
        counts[0] += rows * window_columns[0]
        n_after = rows * (columns - 1 - window_columns[-1])
        if len(counts) % 2:  # the last run is outside the mask
            counts[-1] += n_after
        elif n_after:
            counts = np.append(counts, n_after)
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
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4").astype(np.int64)
    codes -= _FIRST_CHARACTER
    is_invalid = (codes < 0) | (codes >= 2 * _CONTINUES)
    if is_invalid.any():
        raise InputError(
            "rle.invalid_character",
            "'{character}' is no character of a run-length encoding.",
            character=text[int(np.argmax(is_invalid))],
        )
    ends = np.flatnonzero((codes & _CONTINUES) == 0)
    if len(codes) and (not len(ends) or ends[-1] < len(codes) - 1):
        raise InputError("rle.breaks_off", "A run-length encoding breaks off.")
    lengths = np.diff(ends, prepend=-1)
    if len(lengths) and lengths.max() > _MAX_CHARACTERS:
        raise _too_long_error()
    if not len(codes):
        return np.zeros(0, dtype=np.int64)
    starts = ends - lengths + 1
    shifts = _BITS * (np.arange(len(codes)) - np.repeat(starts, lengths))
    counts: Ints = np.add.reduceat((codes & (_CONTINUES - 1)) << shifts, starts)
    counts -= np.where(codes[ends] & _SIGN, np.int64(1) << (_BITS * lengths), 0)
    # The first two counts outside the mask, and the first one inside, are no differences.
    counts[1::2] = np.cumsum(counts[1::2])
    counts[2::2] = np.cumsum(counts[2::2])
    if (np.abs(counts) > _MAX_PIXELS).any():
        raise _too_long_error()
    return counts


def _too_long_error() -> InputError:
    """Return the error for runs that are longer than any image."""
    return InputError("rle.too_long", "A run-length encoding has runs longer than any image.")
