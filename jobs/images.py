"""Size, georeference and coordinate reference system of image files, read without GDAL."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from randcrowns.core.exchange.image_finder import FoundImage, ImageFinder
from randcrowns.core.exchange.pixel_frame import usable_geotransform
from randcrowns.core.exchange.values import parse_pixels
from randcrowns.core.messages import Message, note

#: Number of bytes in the header of a TIFF file; the version in it of files with a longer header.
_TIFF_HEADER_BYTES = 8
_BIG_TIFF = 43
#: Tags of a GeoTIFF file.
_WIDTH_TAG = 256
_HEIGHT_TAG = 257
_SCALE_TAG = 33550
_TIE_POINT_TAG = 33922
_TRANSFORM_TAG = 34264
_KEYS_TAG = 34735
_READ_TAGS = (_WIDTH_TAG, _HEIGHT_TAG, _SCALE_TAG, _TIE_POINT_TAG, _TRANSFORM_TAG, _KEYS_TAG)
#: Keys of a GeoTIFF file: kind of pixels, code of a CRS in degrees, code of a CRS in metres.
_PIXEL_KIND_KEY = 1025
_CRS_KEYS = (3072, 2048)
#: Kind of pixels whose coordinates are those of their centres.
_PIXEL_IS_POINT = 2
#: Code of a CRS that the file defines itself.
_USER_DEFINED = 32767
#: Number of lines of a world file.
_WORLD_FILE_LINES = 6


@dataclass(frozen=True, eq=False)
class ImageFile(FoundImage):
    """Image that annotations refer to, with the code of its CRS."""

    #: Code of the CRS, such as ``EPSG:32617``; "" if the image has none.
    crs: str = ""

    @classmethod
    def from_file(cls, name: str, path: Path) -> ImageFile:
        """Return the image in a file, without a path if it cannot be read.

        Args:
            name: name of the image in the annotations.
            path: the file.
        """
        return replace(read_image(path), name=name)


def find_images(folder: Path | None) -> ImageFinder[ImageFile]:
    """Return a finder of the images that annotation files name.

    Args:
        folder: folder with images, which is searched with its subfolders; None without one.
    """
    return ImageFinder(folder, ImageFile.from_file, ImageFile)


def read_image(path: Path) -> ImageFile:
    """Return size, georeference and CRS of an image file.

    The georeference is that of a GeoTIFF file or of a world file next to the image.

    Args:
        path: the file. The result has no path if it cannot be read as an image.

    >>> read_image(Path("no_image.txt")).path is None
    True
    """
    try:
        from PIL import Image
    except ImportError:
        return ImageFile(path.name)
    try:
        with _images_of_any_size(), Image.open(path) as image:
            tags: Mapping[int, Any] = getattr(image, "tag_v2", {})
            # Pillow exchanges the sides of TIFF images that are stored turned, some versions only.
            width, height = _stored_size(tags) or image.size
    except (OSError, SyntaxError, ValueError):
        # Pillow knows few kinds of pixels, such as no bands of decimal numbers.
        tags = _read_tiff_tags(path)
        size = _stored_size(tags)
        if size is None:
            return ImageFile(path.name)
        width, height = size
    geotransform = usable_geotransform(_geotransform_of_tags(tags) or _read_world_file(path))
    return ImageFile(
        name=path.name,
        path=path,
        width=width,
        height=height,
        geotransform=geotransform,
        crs=_crs_of_tags(tags),
    )


def _stored_size(tags: Mapping[int, Any]) -> tuple[int, int] | None:
    """Return width and height of the stored pixels of a TIFF image; None without these tags."""
    width = parse_pixels(tags.get(_WIDTH_TAG))
    height = parse_pixels(tags.get(_HEIGHT_TAG))
    if not width or not height:
        return None
    return width, height


def _read_tiff_tags(path: Path) -> Mapping[int, Any]:
    """Return the tags of the first image of a TIFF file; none for other files."""
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    try:
        with path.open("rb") as file:
            header = file.read(_TIFF_HEADER_BYTES)
            if _BIG_TIFF in header[2:4]:
                header += file.read(_TIFF_HEADER_BYTES)
            directory = ImageFileDirectory_v2(header)
            file.seek(directory.next)
            directory.load(file)
            return {tag: directory[tag] for tag in _READ_TAGS if tag in directory}
    except (OSError, SyntaxError, ValueError, KeyError, TypeError, struct.error):
        return {}


@contextmanager
def _images_of_any_size() -> Iterator[None]:
    """Let Pillow open images of any size, such as orthomosaics.

    Its limit protects programs that decode the pixels, but here only the headers are read.
    """
    from PIL import Image

    limit = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = None
    try:
        yield
    finally:
        Image.MAX_IMAGE_PIXELS = limit


def missing_pillow_messages() -> list[Message]:
    """Return a message that images cannot be read, because Pillow is not installed; else none."""
    try:
        import PIL  # noqa: F401 - only its presence matters
    except ImportError:
        message = note(
            "images.no_pillow",
            "Sizes and georeferences of images are unknown, because Pillow is not installed. "
            "Install it: pip install pillow",
        )
        return [message]
    return []


def _geotransform_of_tags(tags: Mapping[int, Any]) -> tuple[float, ...] | None:
    """Return the geotransform in the tags of a GeoTIFF file; None without one."""
    matrix = _values_of_tag(tags, _TRANSFORM_TAG)
    if len(matrix) >= 8:
        # The first two rows of a matrix with four columns, for x and y.
        x_column, x_row, _, x_origin, y_column, y_row, _, y_origin = matrix[:8]
        geotransform = (x_origin, x_column, x_row, y_origin, y_column, y_row)
        return _with_pixel_corner(geotransform, tags)
    scale = _values_of_tag(tags, _SCALE_TAG)
    tie_point = _values_of_tag(tags, _TIE_POINT_TAG)
    if len(scale) < 2 or len(tie_point) < 6:
        return None
    # A pixel with its place on the map, and the sides of a pixel.
    column, row, _, x, y, _ = tie_point[:6]
    x_scale, y_scale = scale[:2]
    geotransform = (x - column * x_scale, x_scale, 0.0, y + row * y_scale, 0.0, -y_scale)
    return _with_pixel_corner(geotransform, tags)


def _with_pixel_corner(geotransform: Sequence[float], tags: Mapping[int, Any]) -> tuple[float, ...]:
    """Return a geotransform of the pixels' corners; the file's may be that of their centres."""
    g0, g1, g2, g3, g4, g5 = map(float, geotransform)
    if _geo_keys(tags).get(_PIXEL_KIND_KEY) == _PIXEL_IS_POINT:
        g0 -= (g1 + g2) / 2
        g3 -= (g4 + g5) / 2
    return g0, g1, g2, g3, g4, g5


def _crs_of_tags(tags: Mapping[int, Any]) -> str:
    """Return the code of the CRS in the tags of a GeoTIFF file; "" without a code."""
    keys = _geo_keys(tags)
    codes = [keys[key] for key in _CRS_KEYS if keys.get(key, _USER_DEFINED) != _USER_DEFINED]
    return f"EPSG:{codes[0]}" if codes else ""


def _values_of_tag(tags: Mapping[int, Any], tag: int) -> list[float]:
    """Return the numbers of a tag; [] if the tag is missing or holds anything but finite numbers.

    Pillow gives a damaged tag with the type that the file declares: one number, text, or bytes.
    """
    try:
        values = tags.get(tag)
        if not isinstance(values, tuple):
            return []
        numbers = [float(value) for value in values]
    except (TypeError, ValueError, ArithmeticError, struct.error):
        return []
    if not all(map(math.isfinite, numbers)):
        return []
    return numbers


def _geo_keys(tags: Mapping[int, Any]) -> dict[int, int]:
    """Return the numbers in the directory of keys of a GeoTIFF file, by key."""
    directory = _values_of_tag(tags, _KEYS_TAG)
    keys = {}
    # Four numbers describe the directory, and then each key.
    for start in range(4, len(directory) - 3, 4):
        key, location, _, value = directory[start : start + 4]
        if location == 0:  # other values are in other tags
            keys[int(key)] = int(value)
    return keys


def _read_world_file(path: Path) -> tuple[float, ...] | None:
    """Return the geotransform in the world file of an image; None without a usable one."""
    extension = path.suffix[1:]
    endings = [f"{extension}w", "wld"]
    if len(extension) > 2:
        # The first and the last letter, such as tfw for tif.
        endings.insert(0, f"{extension[0]}{extension[-1]}w")
    endings += [ending.upper() for ending in endings]
    for ending in endings:
        try:
            lines = path.with_suffix(f".{ending}").read_text(encoding="utf-8").split()
            g1, g4, g2, g5, x, y = map(float, lines[:_WORLD_FILE_LINES])
        except (OSError, ValueError):
            continue
        # A world file locates the centre of the first pixel.
        return x - (g1 + g2) / 2, g1, g2, y - (g4 + g5) / 2, g4, g5
    return None
