"""Orientation of photos, as cameras and drones write it into the EXIF metadata of their files.

The pixels of a file may lie on their side; programs turn the image upright before they show it.
Annotation tools count the pixels of the upright image, GDAL and QGIS those of the file.
"""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import numpy as np

from randcrowns.core.arrays import Floats

#: Orientation of a file whose pixels are those of the upright image.
UPRIGHT = 1
#: Number of bytes of metadata that are read.
_MAX_BYTES = 1 << 20
# Versions of the format, in the header of a file.
_TIFF = 42
_BIGTIFF = 43
# Type of a value in TIFF's directory: a whole number of two bytes.
_SHORT = 3
#: Tag of the orientation in TIFF's directory.
_ORIENTATION_TAG = 274
#: Maximum number of parts of a file before the EXIF metadata.
_MAX_PARTS = 1000


def read_orientation(path: Path) -> int:
    """Return the EXIF orientation of a JPEG, PNG, WebP or TIFF file.

    Args:
        path: the file.

    Returns:
        A number from 1 to 8; 1 if the file has no orientation, is no such file or cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "photo.tif"
    ...     tag = (_ORIENTATION_TAG, 3, 1, 6, 0)
    ...     _ = path.write_bytes(struct.pack("<2sHIHHHIHH", b"II", 42, 8, 1, *tag))
    ...     read_orientation(path)
    6
    """
    try:
        with path.open("rb") as file:
            beginning = file.read(12)
            file.seek(0)
            if beginning[:2] == b"\xff\xd8":
                return _orientation_of_bytes(_jpeg_metadata(file))
            if beginning[:4] == b"\x89PNG":
                return _orientation_of_bytes(_find_chunk(file, 8, b"eXIf", is_png=True))
            if beginning[:4] == b"RIFF" and beginning[8:] == b"WEBP":
                return _orientation_of_bytes(_find_chunk(file, 12, b"EXIF", is_png=False))
            return _tiff_orientation(file)
    except (OSError, struct.error):
        return UPRIGHT


def is_on_its_side(orientation: int) -> bool:
    """Return True if the upright image has the width and height of the file exchanged.

    >>> is_on_its_side(6), is_on_its_side(3)
    (True, False)
    """
    return orientation >= 5


def to_file_pixels(pixels: Floats, orientation: int, width: int, height: int) -> Floats:
    """Transform pixel coordinates of the upright image to those of the file.

    Args:
        pixels: (n, 2) x, y in the upright image, from its upper left corner.
        orientation: EXIF orientation of the file, 1 to 8.
        width: width of the file's pixels, before it is turned.
        height: height of the file's pixels, before it is turned.

    Returns:
        Array (n, 2) of x, y in pixels of the file.

    >>> to_file_pixels(np.array([[1.0, 2.0]]), 6, width=100, height=80).tolist()
    [[2.0, 79.0]]
    """
    x, y = pixels.T
    columns, rows = {
        2: (width - x, y),
        3: (width - x, height - y),
        4: (x, height - y),
        5: (y, x),
        6: (y, height - x),
        7: (width - y, height - x),
        8: (width - y, x),
    }.get(orientation, (x, y))
    return np.stack([columns, rows], axis=1)


def _jpeg_metadata(file: BinaryIO) -> bytes:
    """Return the EXIF metadata of a JPEG file; empty if it has none."""
    file.seek(2)
    for _ in range(_MAX_PARTS):
        marker, size = struct.unpack(">HH", file.read(4))
        # Metadata lies before the image's data, which begin with the marker SOS.
        if marker >> 8 != 0xFF or marker == 0xFFDA or size < 2:
            break
        content = file.read(size - 2)
        if marker == 0xFFE1 and content.startswith(b"Exif\0\0"):
            return content[6:]
    return b""


def _find_chunk(file: BinaryIO, start: int, name: bytes, *, is_png: bool) -> bytes:
    """Return the content of a chunk of a PNG or WebP file; empty if it has no such chunk.

    Args:
        file: the file.
        start: position of the first chunk.
        name: name of the chunk.
        is_png: True for PNG's order of a chunk's size, name and checksum.
    """
    position = start
    for _ in range(_MAX_PARTS):
        file.seek(position)
        heading = file.read(8)
        if is_png:
            size, chunk_name = struct.unpack(">I4s", heading)
            position += size + 12
        else:
            chunk_name, size = struct.unpack("<4sI", heading)
            position += 8 + size + size % 2
        if chunk_name == name:
            return file.read(min(size, _MAX_BYTES)).removeprefix(b"Exif\0\0")
    return b""


def _orientation_of_bytes(metadata: bytes) -> int:
    """Return the orientation in EXIF metadata, which have the form of a TIFF file."""
    return _tiff_orientation(BytesIO(metadata)) if metadata else UPRIGHT


def _tiff_orientation(file: BinaryIO) -> int:
    """Return the orientation in the first directory of a TIFF or BigTIFF file."""
    order = {b"II": "<", b"MM": ">"}.get(file.read(2))
    if order is None:
        return UPRIGHT

    def read_number(number_format: str) -> int:
        """Return the number at the position in the file, of which the format is that of struct."""
        full_format = order + number_format
        content = file.read(struct.calcsize(full_format))
        return int(struct.unpack(full_format, content)[0])

    version = read_number("H")
    if version == _BIGTIFF:
        file.seek(8)
        position_format = "Q"
        count_format = "Q"
        entry_size = 20
        value_start = 12
    elif version == _TIFF:
        position_format = "I"
        count_format = "H"
        entry_size = 12
        value_start = 8
    else:
        return UPRIGHT
    file.seek(read_number(position_format))
    n_entries = read_number(count_format)
    for _ in range(min(n_entries, _MAX_PARTS)):
        entry = file.read(entry_size)
        tag, kind = struct.unpack(f"{order}HH", entry[:4])
        if tag == _ORIENTATION_TAG:
            value_format = "H" if kind == _SHORT else "I"
            (value,) = struct.unpack_from(order + value_format, entry, value_start)
            return value if 1 <= value <= 8 else UPRIGHT
    return UPRIGHT
