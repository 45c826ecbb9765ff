"""Image behind the crowns of a page to explore, cut into tiles without GDAL."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from randcrowns.core.arrays import Array, Bools, Floats
from randcrowns.core.errors import InputError, MissingLibraryError
from randcrowns.core.exchange.exif import UPRIGHT
from randcrowns.core.exchange.pixel_frame import PIXEL_GEOTRANSFORM
from randcrowns.jobs.images import ImageFile, read_image
from randcrowns.jobs.sites import WorkingCrs
from randcrowns.report.explore.content import ImagePyramid
from randcrowns.report.explore.tiles import (
    IMAGE_MARGIN,
    Extent,
    TileLimits,
    choose_pixel_size,
    cut_tiles,
)

#: Quality of the JPEG files of tiles, percent.
_JPEG_QUALITY = 80
#: Number of patches, in each direction, in which an image is moved and turned linearly.
_PATCHES = 8
#: Colour of ground that the image does not cover.
_BACKGROUND = (255, 255, 255)
#: Percentiles of the values that become black and white, of images with more than 8 bits.
_BLACK_AND_WHITE = (2.0, 98.0)
#: Largest number of values from which these percentiles are computed.
_MAX_SAMPLED = 1_000_000
#: Tag of EXIF with the orientation of a photo.
_ORIENTATION_TAG = 0x0112
#: Corners of a patch in the order of Pillow: rows and columns relative to the upper left corner.
_QUAD_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


@dataclass(frozen=True)
class _PlacedImage:
    """Pixels of an image, and their position in the coordinates of a page."""

    #: Function that returns the column and row (n, 2) of coordinates (n, 2) of the page, in pixels
    #: from the upper left corner.
    to_pixels: Callable[[Floats], Floats]
    levels: list[Any]  #: the image at full, half, quarter … resolution, as far as it was needed.

    def read(self, part: Extent, width: int, height: int) -> tuple[Array, Bools]:
        """Return the pixels (height, width, 3) of a part of the page, and where it has any.

        Args:
            part: the part.
            width: number of columns.
            height: number of rows.
        """
        from PIL import Image

        # Corners of the patches, which are drawn as if the transformation were linear in each.
        columns = np.linspace(0, width, _PATCHES + 1).round().astype(int)
        rows = np.linspace(0, height, _PATCHES + 1).round().astype(int)
        x = part.left + (part.right - part.left) * columns / width
        y = part.top - (part.top - part.bottom) * rows / height
        corners = np.stack(np.meshgrid(x, y), axis=-1)
        full_pixels = self.to_pixels(corners.reshape(-1, 2)).reshape(corners.shape)
        level = self._level_of(full_pixels, width)
        level_pixels = full_pixels / 2**level
        mesh = []
        for row in range(_PATCHES):
            for column in range(_PATCHES):
                patch = (columns[column], rows[row], columns[column + 1], rows[row + 1])
                quad: list[float] = []
                for down, right in _QUAD_CORNERS:
                    quad += level_pixels[row + down, column + right].tolist()
                mesh.append((patch, quad))
        drawn = self._level(level).transform(
            (width, height),
            Image.Transform.MESH,
            mesh,
            Image.Resampling.BILINEAR,
            fillcolor=_BACKGROUND,
        )
        # Pillow interpolates no pixels beyond the edge of an image.
        opaque = Image.new("L", self._level(level).size, 255)
        mask = opaque.transform(
            (width, height), Image.Transform.MESH, mesh, Image.Resampling.BILINEAR, fillcolor=0
        )
        return np.asarray(drawn), np.asarray(mask) > 0

    def pixels_per_unit(self, extent: Extent) -> float:
        """Return the number of pixels of the image per unit of the page, in the middle."""
        middle = np.array([(extent.left + extent.right) / 2, (extent.bottom + extent.top) / 2])
        step = extent.longer_side / 1000
        steps = np.array([[0.0, 0.0], [step, 0.0], [0.0, step]])
        middle_pixel, right_pixel, upper_pixel = self.to_pixels(middle + steps)
        pixels_to_right = np.hypot(*(right_pixel - middle_pixel))
        pixels_upwards = np.hypot(*(upper_pixel - middle_pixel))
        return float(max(pixels_to_right, pixels_upwards) / step)

    def covers(self, extent: Extent) -> bool:
        """Return True if the image and an extent overlap."""
        x = np.array([extent.left, extent.right, extent.right, extent.left])
        y = np.array([extent.bottom, extent.bottom, extent.top, extent.top])
        places = self.to_pixels(np.stack([x, y], axis=-1))
        size = np.array(self.levels[0].size)
        is_apart = (places.max(axis=0) <= 0) | (places.min(axis=0) >= size)
        return bool(np.isfinite(places).all() and not is_apart.any())

    def _level_of(self, places: Floats, width: int) -> int:
        """Return the number of times that the image is halved for a width of ``width`` pixels.

        Args:
            places: (rows, columns, 2) columns and rows of the corners of the patches.
            width: number of columns of the result.
        """
        upper_side = places[0, -1] - places[0, 0]
        # Pixels of the image per pixel of the result. An image that is too small is not reduced.
        ratio = max(float(np.hypot(*upper_side)) / width, 1.0)
        n_halvings = math.floor(math.log2(ratio))
        # The smaller side keeps at least one pixel.
        most_halvings = int(math.log2(min(self.levels[0].size)))
        return max(0, min(n_halvings, most_halvings))

    def _level(self, number: int) -> Any:
        """Return the image after it was halved ``number`` times."""
        while len(self.levels) <= number:
            self.levels.append(self.levels[-1].reduce(2))
        return self.levels[number]


@dataclass(frozen=True)
class PagePlace:
    """Position of a page in a coordinate system.

    Attributes:
        working_crs: coordinate system of the run.
        origin: coordinates (x, y) of the page's origin in it.
    """

    working_crs: WorkingCrs
    origin: tuple[float, float] = field(default=(0.0, 0.0))


def read_image_tiles(
    path: Path, place: PagePlace, bounds: tuple[float, float, float, float]
) -> ImagePyramid | None:
    """Return the image around outlines as tiles of a page to explore.

    Args:
        path: image file that Pillow reads, such as a GeoTIFF.
        place: position of the page.
        bounds: left, bottom, right and upper end of all outlines, coordinates of the page.

    Raises:
        InputError: if the image cannot be read or placed, or does not cover the outlines.
        MissingLibraryError: if Pillow cannot be imported.
    """
    image = _placed_image(path, place)
    extent = Extent(*bounds).with_margin(IMAGE_MARGIN)
    if not image.covers(extent):
        raise InputError(
            "explore.image_elsewhere",
            "The image {file} does not cover the crowns. Choose the image on which they lie.",
            file=path.name,
        )
    limits = TileLimits(choose_pixel_size(extent, 1 / image.pixels_per_unit(extent)))
    return cut_tiles(image.read, _encode_jpeg, "image/jpeg", extent, limits)


def _placed_image(path: Path, place: PagePlace) -> _PlacedImage:
    """Return an image with its position on the page.

    Raises:
        InputError: if the image cannot be read or placed.
        MissingLibraryError: if Pillow cannot be imported.
    """
    pixels = _read_pixels(path)
    image = read_image(path)
    working_crs = place.working_crs
    if working_crs.crs is not None and not image.crs:
        raise InputError(
            "explore.image_without_crs",
            "The image {file} names no coordinate reference system, so its position is unknown. "
            "Write it with one, such as: gdal_translate -a_srs EPSG:32617 {file} placed.tif",
            file=path.name,
        )
    return _PlacedImage(_pixel_transform(image, place), [pixels])


def _pixel_transform(image: ImageFile, place: PagePlace) -> Callable[[Floats], Floats]:
    """Return a function from coordinates of the page to columns and rows of an image."""
    working_crs = place.working_crs
    transformer = _transformer(working_crs, image.crs)
    # A photo in pixels may have been turned by its EXIF orientation. Its georeference is not used.
    geotransform = PIXEL_GEOTRANSFORM if working_crs.in_pixels else image.geotransform
    # GDAL's affine transformation: x = g0 + g1 column + g2 row, y = g3 + g4 column + g5 row.
    g0, g1, g2, g3, g4, g5 = geotransform or PIXEL_GEOTRANSFORM
    inverse = np.linalg.inv(np.array([[g1, g2], [g4, g5]]))

    def to_pixels(coordinates: Floats) -> Floats:
        """Return the columns and rows (n, 2) of coordinates (n, 2) of the page."""
        own_coordinates = (coordinates + np.array(place.origin)) / working_crs.scale
        x, y = own_coordinates[:, 0], own_coordinates[:, 1]
        if transformer is not None:
            x, y = transformer.transform(x, y)
        offsets = np.stack([x - g0, y - g3], axis=-1)
        pixels: Floats = offsets @ inverse.T
        return pixels

    return to_pixels


def _transformer(working_crs: WorkingCrs, image_crs: str) -> Any:
    """Return the transformation from working coordinates to an image's CRS; None for the same."""
    if working_crs.crs is None or not image_crs:
        return None
    import pyproj

    target_crs = pyproj.CRS.from_user_input(image_crs)
    if target_crs == working_crs.crs:
        return None
    return pyproj.Transformer.from_crs(working_crs.crs, target_crs, always_xy=True)


def _read_pixels(path: Path) -> Any:
    """Return the pixels of an image with three bands of 8 bits.

    Raises:
        InputError: if Pillow cannot read the image.
        MissingLibraryError: if Pillow cannot be imported.
    """
    try:
        from PIL import Image, ImageOps
    except ImportError as error:
        raise MissingLibraryError(
            "explore.no_pillow",
            "An image requires Pillow, which cannot be imported: {why}",
            why=str(error),
        ) from error
    try:
        with warnings.catch_warnings():
            # Pillow warns of images with half of the pixels that it refuses.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(path) as image:
                orientation = image.getexif().get(_ORIENTATION_TAG, UPRIGHT)
                if orientation == UPRIGHT:
                    return _as_rgb(image)
                return _as_rgb(ImageOps.exif_transpose(image))
    except Image.DecompressionBombError as error:
        raise InputError(
            "explore.large_image",
            "The image {file} has too many pixels to be read at once. Write a smaller one, such "
            "as: gdal_translate -outsize 12000 0 {file} smaller.tif",
            file=path.name,
        ) from error
    except (OSError, SyntaxError, ValueError) as error:
        raise InputError(
            "explore.unreadable_image",
            "Cannot read the image {file}: {why}",
            file=path.name,
            why=str(error),
        ) from error


def _as_rgb(image: Any) -> Any:
    """Return an image of Pillow with three bands of 8 bits; transparent pixels become white."""
    from PIL import Image

    if image.mode[:1] in ("I", "F"):
        return Image.fromarray(_stretch(np.asarray(image, dtype=float))).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        opaque = image.convert("RGBA")
        page = Image.new("RGBA", opaque.size, (*_BACKGROUND, 255))
        return Image.alpha_composite(page, opaque).convert("RGB")
    return image.convert("RGB")


def _stretch(values: Floats) -> Array:
    """Return values as grey levels from 0 to 255; the lowest and highest 2 % are cut off.

    >>> _stretch(np.arange(101.0))[[0, 50, 100]].tolist()
    [0, 128, 255]
    """
    finite = values[np.isfinite(values)]
    sample = finite[:: max(1, len(finite) // _MAX_SAMPLED)]
    if not len(sample):
        return np.zeros(values.shape, np.uint8)
    black, white = np.percentile(sample, _BLACK_AND_WHITE)
    shares = (np.nan_to_num(values, nan=black) - black) / max(white - black, 1e-12)
    return np.asarray(np.round(255 * np.clip(shares, 0, 1)), dtype=np.uint8)


def _encode_jpeg(pixels: Array) -> bytes:
    """Return pixels (h, w, 3) as the content of a JPEG file."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(buffer, "JPEG", quality=_JPEG_QUALITY)
    return buffer.getvalue()
