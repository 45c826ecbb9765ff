"""Masks of pixels: decoded from PNG images, and converted to polygons."""

from __future__ import annotations

import base64
import binascii
import io
from typing import Any, NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Ints
from randcrowns.core.errors import MissingLibraryError
from randcrowns.core.exchange.annotations import MAX_RUNS, SkipReason


def decode_png(text: Any, max_pixels: int) -> Bools | None:
    """Return the pixels of a PNG in base64 that are not 0.

    The opacity of an image with an alpha channel is ignored.

    Args:
        text: the PNG in base64, or a data URL with it.
        max_pixels: maximum number of pixels.

    Returns:
        (rows, columns) mask; None if the text is no such PNG, or is too large.

    Raises:
        MissingLibraryError: if Pillow is not installed.

    >>> decode_png("no image", 1000) is None
    True
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingLibraryError(
            "exchange.no_pillow",
            "Masks of LabelMe are PNG images, and Pillow, which reads them, is not installed. "
            "Install it: pip install pillow.",
        ) from error

    if not isinstance(text, str):
        return None
    try:
        content = base64.b64decode(text.split(",")[-1])
        with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
            if image.width * image.height > max_pixels:
                return None
            has_alpha = image.mode.endswith("A")
            pixels = np.asarray(image)
    except (OSError, SyntaxError, ValueError, binascii.Error, Image.DecompressionBombError):
        return None
    colours = pixels[..., :-1] if has_alpha else pixels
    is_marked: Bools = colours != 0 if colours.ndim == 2 else colours.any(axis=2)
    return is_marked


def outline_of_pixels(mask: Bools, x: float = 0.0, y: float = 0.0) -> shapely.Geometry | SkipReason:
    """Return the union of the squares of pixels, with holes.

    Args:
        mask: (rows, columns) mask of the pixels.
        x: x of the left edge of the first pixel.
        y: y of the upper edge of the first pixel.

    Returns:
        The outline; the reason to skip the mask if its rows and its columns have more than
        :data:`randcrowns.core.exchange.annotations.MAX_RUNS` runs of pixels.

    >>> outline_of_pixels(np.array([[True, True], [False, True]]), 10, 20).bounds
    (10.0, 20.0, 12.0, 22.0)
    """
    runs = _runs_of_rows(mask)
    if len(runs.row) <= MAX_RUNS:
        # Runs of pixels in a row become boxes, whose union is fast.
        boxes = shapely.box(x + runs.start, y + runs.row, x + runs.end, y + runs.row + 1)
        return shapely.union_all(boxes)
    runs = _runs_of_rows(mask.T)
    if len(runs.row) > MAX_RUNS:
        return SkipReason.RAGGED_MASK
    boxes = shapely.box(x + runs.row, y + runs.start, x + runs.row + 1, y + runs.end)
    return shapely.union_all(boxes)


class _Runs(NamedTuple):
    """Runs of n marked pixels side by side in the rows of a mask."""

    row: Ints  #: (n,) row of each run.
    start: Ints  #: (n,) column of its first pixel.
    end: Ints  #: (n,) column after its last pixel.


def _runs_of_rows(mask: Bools) -> _Runs:
    """Return the runs of marked pixels in the rows of a mask (rows, columns)."""
    padded = np.pad(mask.astype(np.int8), ((0, 0), (1, 1)))
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    return _Runs(rows, starts, ends)
