"""Polygons that are too many for memory."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import Any

import numpy as np
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects, slices
from randcrowns.core.geometry.areas import to_origin

# Bytes of polygons that stay in memory; more of them go to the temporary file.
_IN_MEMORY = 1 << 26
# Polygons read between two chances to hear of a cancel.
_AT_ONCE = 1 << 12


class PolygonFile:
    """Polygons in a temporary file, indexed as an array is; of each only its area and its place are in memory.

    >>> kept = PolygonFile([[shapely.box(0, 0, 2, 1)], [shapely.box(5, 0, 6, 1)]])
    >>> kept.areas.tolist(), shapely.bounds(kept[1:]).tolist()
    ([2.0, 1.0], [[5.0, 0.0, 6.0, 1.0]])
    """

    def __init__(self, batches: Iterable[Any] = (), origin: Floats | None = None) -> None:
        """Polygons come in ``batches``, moved so that ``origin`` (2,) is (0, 0), and are moved back when read."""
        self._file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with this
        self._using, self._origin = Lock(), origin
        weakref.finalize(self, self._file.close)
        self._begin, self._size, self.areas = (
            np.empty(0, np.int64),
            np.empty(0, np.int64),
            np.empty(0),
        )
        self.extend(batches)

    def extend(self, batches: Iterable[Any]) -> None:
        """Add polygons at the end."""
        begins, sizes, areas = [self._begin], [self._size], [self.areas]
        for polygons in batches:
            wkb = shapely.to_wkb(np.asarray(polygons, dtype=object))
            sizes.append(np.fromiter(map(len, wkb), np.int64, len(wkb)))
            areas.append(shapely.area(polygons))
            with self._using:
                self._file.seek(0, os.SEEK_END)
                begins.append(self._file.tell() + np.cumsum(sizes[-1]) - sizes[-1])
                self._file.write(b"".join(wkb))
        self._begin, self._size = np.concatenate(begins), np.concatenate(sizes)
        self.areas = np.concatenate(areas)  #: (n,) square metres.

    def keep(self, rows: Ints) -> None:
        """Let go of the others."""
        self._begin, self._size, self.areas = self._begin[rows], self._size[rows], self.areas[rows]

    def near(self, rows: Any) -> Objects:
        """Polygons of some rows, near the origin."""
        begins, sizes = self._begin[rows].tolist(), self._size[rows].tolist()
        polygons = np.empty(len(begins), dtype=object)
        for some in slices(len(begins), _AT_ONCE):  # shapely holds Python's lock meanwhile
            with self._using:
                wkb = [self._read(*place) for place in zip(begins[some], sizes[some])]
            polygons[some] = shapely.from_wkb(np.array(wkb, dtype=object))
        return polygons

    def _read(self, begin: int, size: int) -> bytes:
        self._file.seek(begin)
        return self._file.read(size)

    def __len__(self) -> int:
        return len(self.areas)

    def __getitem__(self, rows: Any) -> Any:
        if isinstance(rows, (int, np.integer)):
            return self[np.array([rows])][0]
        polygons = self.near(rows)
        return polygons if self._origin is None else to_origin(polygons, -self._origin)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Objects:
        return np.asarray(self[:], dtype=dtype)
