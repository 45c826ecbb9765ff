"""GeoTIFF files that Pillow writes, without GDAL."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, TiffImagePlugin

#: Tags of a GeoTIFF file, and keys of its directory.
_SCALE_TAG, _TIE_POINT_TAG, _KEYS_TAG = 33550, 33922, 34735
_MODEL_KEY, _GEOGRAPHIC_KEY, _PROJECTED_KEY = 1024, 2048, 3072


def gradient(width: int, height: int) -> np.ndarray:
    """Pixels (height, width, 3): red rises to the right, green downwards, blue is 100."""
    pixels = np.full((height, width, 3), 100, np.uint8)
    pixels[..., 0] = np.linspace(0, 255, width).round()
    pixels[..., 1] = np.linspace(0, 255, height).round()[:, np.newaxis]
    return pixels


def write_geotiff(
    path: Path,
    corner: tuple[float, float],
    pixel_size: float,
    size: tuple[int, int],
    epsg: int = 32617,
    pixels: np.ndarray | None = None,
) -> Path:
    """Write an image with a georeference.

    Args:
        path: the file.
        corner: x and y of the upper left corner.
        pixel_size: width and height of a pixel.
        size: number of columns and of rows.
        epsg: code of the CRS, one in degrees below 32000; 0 for none.
        pixels: pixels; None for :func:`gradient`.
    """
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[_SCALE_TAG] = (pixel_size, pixel_size, 0.0)
    tags[_TIE_POINT_TAG] = (0.0, 0.0, 0.0, *corner, 0.0)
    tags.tagtype[_SCALE_TAG] = tags.tagtype[_TIE_POINT_TAG] = 12
    if epsg:
        is_in_degrees = epsg < 32000
        key = _GEOGRAPHIC_KEY if is_in_degrees else _PROJECTED_KEY
        directory = (1, 1, 0, 2, _MODEL_KEY, 0, 1, 2 if is_in_degrees else 1, key, 0, 1, epsg)
        tags[_KEYS_TAG] = directory
        tags.tagtype[_KEYS_TAG] = 3
    image = Image.fromarray(gradient(*size) if pixels is None else pixels)
    image.save(path, tiffinfo=tags)
    return path
