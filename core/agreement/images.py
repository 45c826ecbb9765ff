"""Several images as one: their units one after another, so that what works on one image works on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from randcrowns.core.arrays import Array


@dataclass(frozen=True)
class Sheet:
    """Images laid out one below another, with rows between them that belong to none; or lists of faces end to end.

    >>> sheet = Sheet(((1, 2), (2, 1)))
    >>> sheet.filled([np.array([[1, 2]]), np.array([[3], [4]])], 0).tolist()
    [[1, 2], [0, 0], [3, 0], [4, 0]]
    """

    shapes: tuple[
        tuple[int, ...], ...
    ]  #: rows and columns of each image; or the number of its faces alone.
    gap: int = 1  #: rows between two images.

    @property
    def shape(self) -> tuple[int, ...]:
        """Of all together."""
        rows = self.windows[-1][0].stop
        return (rows, *np.max([shape[1:] for shape in self.shapes], axis=0).tolist())

    @cached_property
    def windows(self) -> tuple[tuple[slice, ...], ...]:
        """Where each image lies."""
        gap = self.gap if len(self.shapes[0]) > 1 else 0
        starts = np.cumsum([0, *(shape[0] + gap for shape in self.shapes)]).tolist()
        return tuple(
            (slice(start, start + shape[0]), *(slice(0, size) for size in shape[1:]))
            for start, shape in zip(starts, self.shapes)
        )

    def filled(self, parts: Sequence[Array], fill: Any) -> Array:
        """The values of each image in their place, and ``fill`` between them."""
        found = np.full(self.shape, fill, dtype=np.result_type(*parts))
        for window, part in zip(self.windows, parts):
            found[window] = part
        return found
