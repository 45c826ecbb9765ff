"""Masks as COCO encodes them: run lengths of pixels, column by column, the first run outside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Ints
from randcrowns.core.errors import InputError

#: Characters of a compressed count, from the first on, stand for six bits: five of the number, and whether more follow.
_FIRST, _BITS, _MORE, _SIGN = 48, 5, 0x20, 0x10
#: Larger masks are no image that anybody annotates by hand or predicts at once.
_MOST_PIXELS = 1 << 31


@dataclass(frozen=True, eq=False)
class Mask:
    """A mask of rows x columns of pixels, as its run lengths.

    >>> top, left, marks = Mask(2, 3, np.array([1, 2, 3])).window()
    >>> top, left, marks.astype(int).tolist()
    (0, 0, [[0, 1], [1, 0]])
    """

    rows: int
    columns: int
    counts: Ints

    @property
    def is_whole(self) -> bool:
        """Whether the run lengths make up the mask."""
        fits = 0 < self.rows * self.columns <= _MOST_PIXELS
        return (
            fits
            and bool((self.counts >= 0).all())
            and int(self.counts.sum()) == self.rows * self.columns
        )

    def window(self) -> tuple[int, int, Bools]:
        """Row and column of the upper left pixel of the part with marks, and its (rows, columns) of marks."""
        ends = np.cumsum(self.counts)
        first, last = ends[:-1][::2], ends[1::2] - 1  # of the runs that are marked
        some = last >= first
        first, last = first[some], last[some]
        if not len(first):
            return 0, 0, np.zeros((0, 0), dtype=bool)
        left, right = int(first[0] // self.rows), int(last[-1] // self.rows)
        marks = np.zeros((right - left + 1) * self.rows + 1, dtype=np.int8)
        start = left * self.rows
        np.add.at(marks, first - start, 1)
        np.add.at(marks, last - start + 1, -1)
        inside = np.cumsum(marks[:-1], dtype=np.int8).astype(bool).reshape(-1, self.rows).T
        rows = np.flatnonzero(inside.any(axis=1))
        return int(rows[0]), left, np.ascontiguousarray(inside[rows[0] : rows[-1] + 1])

    @classmethod
    def of_polygon(cls, polygon: shapely.Geometry, rows: int, columns: int) -> Mask:
        """The pixels of an image whose centre lies in a polygon (pixel coordinates).

        >>> Mask.of_polygon(shapely.box(1, 0, 3, 2), 2, 4).counts.tolist()
        [2, 4, 2]
        """
        found = np.zeros((rows, columns), dtype=bool)
        left, top, right, bottom = np.clip(
            shapely.bounds(polygon), 0, [columns, rows, columns, rows]
        )
        x = np.arange(int(left), min(int(right) + 1, columns)) + 0.5
        y = np.arange(int(top), min(int(bottom) + 1, rows)) + 0.5
        if len(x) and len(y):
            across, down = np.meshgrid(x, y)
            found[int(y[0]) : int(y[0]) + len(y), int(x[0]) : int(x[0]) + len(x)] = (
                shapely.contains_xy(polygon, across, down)
            )
        return cls.of_pixels(found)

    @classmethod
    def of_pixels(cls, pixels: Bools) -> Mask:
        """The mask of (rows, columns) marks."""
        flat = pixels.T.ravel()
        changes = 1 + np.flatnonzero(flat[1:] != flat[:-1])
        counts = np.diff(np.concatenate([[0], changes, [flat.size]]))
        rows, columns = pixels.shape
        return cls(rows, columns, np.append(0, counts) if flat.size and flat[0] else counts)


def counts_in(text: str) -> Ints:
    """The run lengths in COCO's compressed text.

    Raises:
        InputError: for text that is none.

    >>> counts_in("123").tolist()
    [1, 2, 3]
    """
    counts: list[int] = []
    value = shift = 0
    for character in text:
        code = ord(character) - _FIRST
        if not 0 <= code < 2 * _MORE:
            raise InputError(
                "'{character}' is no character of a run-length encoding.", character=character
            )
        value |= (code & (_MORE - 1)) << shift
        shift += _BITS
        if code & _MORE:
            continue
        if code & _SIGN:
            value -= 1 << shift
        counts.append(value + (counts[-2] if len(counts) > 2 else 0))
        value = shift = 0
    if shift:
        raise InputError("A run-length encoding breaks off.")
    if any(abs(count) > _MOST_PIXELS for count in counts):
        raise InputError("A run-length encoding has runs longer than any image.")
    return np.array(counts, dtype=np.int64)
