"""Masks of pixels: decoded from PNG images, and converted to polygons."""

from __future__ import annotations

import base64
import binascii
import io
from typing import Any

import numpy as np
import shapely

from randcrowns.core.arrays import Bools
from randcrowns.core.errors import MissingLibraryError


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


def outline_of_pixels(mask: Bools, x: float = 0.0, y: float = 0.0) -> shapely.Geometry:
    """Return the union of the squares of pixels, with holes.

    Args:
        mask: (rows, columns) mask of the pixels.
        x: x of the left edge of the first pixel.
        y: y of the upper edge of the first pixel.

    >>> outline_of_pixels(np.array([[True, True], [False, True]]), 10, 20).bounds
    (10.0, 20.0, 12.0, 22.0)
    """
    # Runs of pixels in a row become boxes, whose union is fast.
    padded = np.pad(mask.astype(np.int8), ((0, 0), (1, 1)))
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    boxes = shapely.box(x + starts, y + rows, x + ends, y + rows + 1)
    return shapely.union_all(boxes)
