"""The image of a page as tiles of several zoom levels, up to a maximum number of bytes."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from randcrowns.core.arrays import Array, Bools
from randcrowns.core.progress import Progress, no_progress
from randcrowns.report.explore.content import ImagePyramid, ImageTile

#: Width and height of a tile, pixels.
TILE_SIZE = 512
#: Default maximum size of all tiles in the page, bytes.
MAXIMUM_BYTES = 14_000_000
#: Default resolution of the image, pixels in the longer side of its extent.
_MAXIMUM_PIXELS = 8192
#: Margin of the image around the outlines, as a share of the longer side.
IMAGE_MARGIN = 0.03
#: Base64 writes three bytes as four characters.
_BASE64_GROWTH = 4 / 3


class Extent(NamedTuple):
    """Rectangle in the coordinates of the page."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def longer_side(self) -> float:
        """Length of the longer side."""
        return max(self.right - self.left, self.top - self.bottom)

    @property
    def default_pixel_size(self) -> float:
        """Size of a pixel if the image is as large as it may be by default."""
        return self.longer_side / _MAXIMUM_PIXELS

    def with_margin(self, share: float) -> Extent:
        """Return the extent with a margin on each side, as a share of the longer side."""
        margin = share * self.longer_side
        return Extent(
            self.left - margin, self.bottom - margin, self.right + margin, self.top + margin
        )


@dataclass(frozen=True)
class TileLimits:
    """Limits of the image in a page.

    Attributes:
        pixel_size: size of a pixel at the highest zoom level, units of the page; None to choose it
            by the extent.
        maximum_bytes: maximum size of all tiles in the page, bytes.
    """

    pixel_size: float | None = None
    maximum_bytes: int = MAXIMUM_BYTES


#: Function that returns the pixels (h, w, 3 or 4) of an extent, and a mask (h, w) that is True
#: where the image has pixels: arguments extent, width and height.
ReadPixels = Callable[[Extent, int, int], "tuple[Array, Bools]"]
#: Function that returns an image file of pixels (h, w, 3 or 4).
EncodePixels = Callable[[Array], bytes]


def choose_pixel_size(extent: Extent, native_pixel_size: float | None) -> float | None:
    """Return the size of a pixel of the page: that of the image, if it is not finer than needed.

    Args:
        extent: extent of the image in the page.
        native_pixel_size: size of a pixel of the image, units of the page; None if it is unknown.

    >>> choose_pixel_size(Extent(0, 0, 8192, 10), 0.5), choose_pixel_size(Extent(0, 0, 10, 10), 0.5)
    (1.0, 0.5)
    """
    if native_pixel_size is None:
        return None
    return max(native_pixel_size, extent.default_pixel_size)


def cut_tiles(
    read: ReadPixels,
    encode: EncodePixels,
    mime_type: str,
    extent: Extent,
    limits: TileLimits = TileLimits(),
    progress: Progress = no_progress,
) -> ImagePyramid | None:
    """Return an image as tiles, level by level, as long as they fit into the maximum size.

    Args:
        read: function that returns pixels of the image, in parts of one level each.
        encode: function that writes the pixels of a tile.
        mime_type: type of the written files.
        extent: extent of the image.
        limits: resolution and maximum size.
        progress: receives the fraction done.

    Returns:
        The tiles of all levels that fit; None if not even the lowest level fits or the extent is
        empty.
    """
    if not extent.longer_side > 0:
        return None
    highest = _highest_zoom(extent, limits.pixel_size)
    lowest = min(highest, math.floor(math.log2(TILE_SIZE / extent.longer_side)))
    tiles: list[ImageTile] = []
    size = 0.0
    for zoom in range(lowest, highest + 1):
        level = []
        for tile in _cut_level(read, encode, extent, zoom):
            size += (len(tile.data) + len(tile.mask)) * _BASE64_GROWTH
            if size > limits.maximum_bytes:
                return ImagePyramid(mime_type, tiles) if tiles else None
            level.append(tile)
        tiles += level
        # Each level has about four times as many tiles as the one below.
        progress(4.0 ** (zoom - highest))
    return ImagePyramid(mime_type, tiles)


def _highest_zoom(extent: Extent, pixel_size: float | None) -> int:
    """Return the highest zoom level: that of the pixel size, or one that suits the extent."""
    if pixel_size is None:
        pixel_size = extent.default_pixel_size
    return math.ceil(-math.log2(pixel_size) - 1e-9)


def _cut_level(
    read: ReadPixels, encode: EncodePixels, extent: Extent, zoom: int
) -> Iterator[ImageTile]:
    """Yield the tiles of a zoom level; the image is read in rows of tiles."""
    side = TILE_SIZE / 2.0**zoom
    first_column = math.floor(extent.left / side)
    n_columns = max(1, math.ceil(extent.right / side) - first_column)
    first_row = math.floor(-extent.top / side)
    last_row = max(first_row + 1, math.ceil(-extent.bottom / side))
    for row in range(first_row, last_row):
        part = Extent(
            first_column * side, -(row + 1) * side, (first_column + n_columns) * side, -row * side
        )
        pixels, has_pixels = read(part, n_columns * TILE_SIZE, TILE_SIZE)
        tiles_pixels = np.split(pixels, n_columns, axis=1)
        masks = np.split(has_pixels, n_columns, axis=1)
        for number, (tile_pixels, mask) in enumerate(zip(tiles_pixels, masks)):
            mask_file = b"" if mask.all() else encode_mask(mask)
            yield ImageTile(zoom, first_column + number, row, encode(tile_pixels), mask_file)


def encode_mask(mask: Bools) -> bytes:
    """Return a PNG file that is opaque where a mask (h, w) is True, and transparent elsewhere.

    >>> len(encode_mask(np.ones((512, 512), dtype=bool))) < 1000
    True
    """
    height, width = mask.shape
    # A palette of two colours with one bit per pixel; each row starts with its filter, none.
    bits = np.packbits(mask, axis=1)
    rows = np.hstack([np.zeros((height, 1), np.uint8), bits]).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 1, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", bytes(6)),
        (b"tRNS", b"\x00\xff"),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    parts = [b"\x89PNG\r\n\x1a\n"]
    for name, content in chunks:
        checksum = zlib.crc32(name + content)
        parts += [struct.pack(">I", len(content)), name, content, struct.pack(">I", checksum)]
    return b"".join(parts)
