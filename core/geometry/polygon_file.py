"""Polygons in a temporary file, for more polygons than fit into memory."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import Any

import numpy as np
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects, split_range
from randcrowns.core.geometry.areas import translate_to_origin

#: Bytes of polygons that stay in memory; above it, all of them go to the temporary file.
_IN_MEMORY = 1 << 26
#: Number of polygons read at a time.
_AT_ONCE = 1 << 12


class PolygonFile:
    """Array of polygons stored in a temporary file.

    Only the area, the position and the size of each polygon stay in memory. The array is indexed
    as numpy arrays are: an integer returns a polygon; a slice, indices or a mask return an array of
    polygons. Reading and writing from several threads is safe.

    Args:
        batches: arrays of polygons, metres, relative to ``origin``.
        origin: (2,) point that is (0, 0) in the batches; polygons are moved back when they are
            indexed. None for polygons in their own coordinates.

    Attributes:
        areas: (n,) areas of the polygons, m².

    >>> polygons = PolygonFile([[shapely.box(0, 0, 2, 1)], [shapely.box(5, 0, 6, 1)]])
    >>> polygons.areas.tolist(), shapely.bounds(polygons[1:]).tolist()
    ([2.0, 1.0], [[5.0, 0.0, 6.0, 1.0]])
    """

    def __init__(self, batches: Iterable[Any] = (), origin: Floats | None = None) -> None:
        self._file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed by the finalizer
        self._lock = Lock()
        self._origin = origin
        weakref.finalize(self, self._file.close)
        self._begin = np.empty(0, np.int64)
        self._size = np.empty(0, np.int64)
        self.areas = np.empty(0)
        self.extend(batches)

    def extend(self, batches: Iterable[Any]) -> None:
        """Append polygons.

        Args:
            batches: arrays of polygons, metres, relative to the origin.
        """
        begins = [self._begin]
        sizes = [self._size]
        areas = [self.areas]
        for polygons in batches:
            wkb = shapely.to_wkb(np.asarray(polygons, dtype=object))
            size = np.fromiter(map(len, wkb), np.int64, len(wkb))
            sizes.append(size)
            areas.append(shapely.area(polygons))
            with self._lock:
                self._file.seek(0, os.SEEK_END)
                begins.append(self._file.tell() + np.cumsum(size) - size)
                self._file.write(b"".join(wkb))
        self._begin = np.concatenate(begins)
        self._size = np.concatenate(sizes)
        self.areas = np.concatenate(areas)

    def select(self, rows: Ints) -> None:
        """Remove all polygons but those in the given rows, which also set the new order."""
        self._begin = self._begin[rows]
        self._size = self._size[rows]
        self.areas = self.areas[rows]

    def read_at_origin(self, rows: Any) -> Objects:
        """Read polygons in coordinates relative to the origin.

        Args:
            rows: slice, indices or mask.

        Returns:
            Array of polygons, metres.
        """
        begins = self._begin[rows].tolist()
        sizes = self._size[rows].tolist()
        polygons = np.empty(len(begins), dtype=object)
        # shapely holds Python's global lock meanwhile: batches let other threads run in between.
        for batch in split_range(len(begins), _AT_ONCE):
            with self._lock:
                wkb = [self._read(begin, size) for begin, size in zip(begins[batch], sizes[batch])]
            polygons[batch] = shapely.from_wkb(np.array(wkb, dtype=object))
        return polygons

    def _read(self, begin: int, size: int) -> bytes:
        """Read bytes of the file; the caller holds the lock."""
        self._file.seek(begin)
        return self._file.read(size)

    def __len__(self) -> int:
        return len(self.areas)

    def __getitem__(self, rows: Any) -> Any:
        if isinstance(rows, (int, np.integer)):
            return self[np.array([rows])][0]
        polygons = self.read_at_origin(rows)
        return polygons if self._origin is None else translate_to_origin(polygons, -self._origin)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Objects:
        return np.asarray(self[:], dtype=dtype)
