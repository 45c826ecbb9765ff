"""Layout of several images, or lists of faces, in one array.

Code that works on a single image then works on all images at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from randcrowns.core.arrays import Array


@dataclass(frozen=True)
class ImageStack:
    """Layout that stacks images one below another in a single array.

    Rows between two images belong to none of them. Lists of faces have one dimension and are
    concatenated without a gap.

    Attributes:
        shapes: (rows, columns) of each image, or (faces,) of each list; all of the same length.
        gap: number of rows between two images; ignored for lists of faces.

    >>> sheet = ImageStack(((1, 2), (2, 1)))
    >>> sheet.assemble([np.array([[1, 2]]), np.array([[3], [4]])], 0).tolist()
    [[1, 2], [0, 0], [3, 0], [4, 0]]
    """

    shapes: tuple[tuple[int, ...], ...]
    gap: int = 1

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array that holds all images; its width is that of the widest image."""
        last_rows, *_ = self.windows[-1]
        other_sizes = [shape[1:] for shape in self.shapes]
        largest_sizes = np.max(other_sizes, axis=0).tolist()
        return (last_rows.stop, *largest_sizes)

    @cached_property
    def windows(self) -> tuple[tuple[slice, ...], ...]:
        """Slices of each image in the common array, one slice per dimension."""
        gap = self.gap if len(self.shapes[0]) > 1 else 0
        windows = []
        start = 0
        for n_rows, *other_sizes in self.shapes:
            rows = slice(start, start + n_rows)
            other_slices = [slice(0, size) for size in other_sizes]
            windows.append((rows, *other_slices))
            start += n_rows + gap
        return tuple(windows)

    def assemble(self, images: Sequence[Array], fill: Any) -> Array:
        """Copy the values of all images into one array.

        Args:
            images: an array per image, with the shape of that image.
            fill: value of the elements that belong to no image.

        Returns:
            Array of shape :attr:`shape`; its type is the common type of ``images``.
        """
        sheet = np.full(self.shape, fill, dtype=np.result_type(*images))
        for window, part in zip(self.windows, images):
            sheet[window] = part
        return sheet
