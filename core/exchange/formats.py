"""Detection of the format of an annotation file from its extension and its beginning."""

from __future__ import annotations

import csv
import re
from enum import Enum
from pathlib import Path

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.deepforest import has_deepforest_columns

#: Number of bytes at the beginning of a file that are examined.
_N_BYTES = 1 << 16
#: Pattern of a number as programs write it, including NaN and infinity.
_NUMBER = r"([-+.\de]+|[-+]?(nan|inf|infinity))"
#: Pattern of a line of a YOLO file: a class number and at least four numbers.
_YOLO_LINE = re.compile(rf"\s*\d+(\s+{_NUMBER}){{4,}}\s*", re.IGNORECASE)
#: Extensions of the files that QGIS itself reads as layers.
_LAYERS = (".shp", ".gpkg", ".geojson", ".fgb", ".parquet")


class FileFormat(Enum):
    """A format of annotation files; the value is the key of the user's option."""

    DEEPFOREST = "deepforest"
    VOC = "voc"
    COCO = "coco"
    YOLO = "yolo"
    LABELME = "labelme"
    LAYER = "layer"


#: File extensions of each format, in lower case.
EXTENSIONS = {
    FileFormat.DEEPFOREST: (".csv",),
    FileFormat.VOC: (".xml",),
    FileFormat.COCO: (".json",),
    FileFormat.YOLO: (".txt",),
    FileFormat.LABELME: (".json",),
    FileFormat.LAYER: _LAYERS,
}
#: Display name of each format.
FORMAT_NAMES = {
    FileFormat.DEEPFOREST: "DeepForest",
    FileFormat.VOC: "Pascal VOC",
    FileFormat.COCO: "COCO",
    FileFormat.YOLO: "YOLO",
    FileFormat.LABELME: "LabelMe",
    FileFormat.LAYER: "layer",
}


def detect_format(path: Path) -> FileFormat | None:
    """Detect the format of an annotation file.

    Args:
        path: the file. Layers are detected by their extension alone, without opening the file.

    Returns:
        The format; None if it is not a known one.

    Raises:
        InputError: if the file cannot be read.

    >>> detect_format(Path("crowns.gpkg")), detect_format(Path("notes.doc"))
    (<FileFormat.LAYER: 'layer'>, None)
    """
    extension = path.suffix.lower()
    if extension in _LAYERS:
        return FileFormat.LAYER
    if all(extension not in extensions for extensions in EXTENSIONS.values()):
        return None
    try:
        with path.open("rb") as file:
            beginning = file.read(_N_BYTES).decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(
            "file.unreadable", "{path} cannot be read: {why}.", path=path, why=error.strerror
        ) from error
    if extension == ".csv":
        return FileFormat.DEEPFOREST if _is_deepforest_table(beginning) else None
    if extension == ".xml":
        is_annotation = re.search(r"<annotation[\s>]", beginning) is not None
        return FileFormat.VOC if is_annotation else None
    if extension == ".txt":
        first_line = next((line for line in beginning.splitlines() if line.strip()), "")
        is_yolo = _YOLO_LINE.fullmatch(first_line) is not None
        return FileFormat.YOLO if is_yolo else None
    return _json_format(beginning)


def _is_deepforest_table(beginning: str) -> bool:
    """Return True if the heading, with commas or semicolons, is that of a DeepForest table."""
    heading = next(iter(beginning.splitlines()), "").strip()
    try:
        columns_by_separator = [next(csv.reader([heading], delimiter=mark), []) for mark in ",;"]
    except csv.Error:  # not a table
        return False
    return any(has_deepforest_columns(columns) for columns in columns_by_separator)


def _json_format(beginning: str) -> FileFormat | None:
    """Return the format of a JSON file from its beginning; None if it is not a known one."""
    content = beginning.lstrip()
    if content.startswith("["):
        is_results = '"image_id"' in content or content[1:].strip() == "]"
        return FileFormat.COCO if is_results else None
    if re.search(r'"type"\s*:\s*"(FeatureCollection|Feature)"', content):
        return FileFormat.LAYER
    if re.search(r'"(shapes|imagePath|imageData)"\s*:', content):
        return FileFormat.LABELME
    has_coco_key = re.search(r'"(images|annotations|categories|licenses|info)"\s*:', content)
    return FileFormat.COCO if content.startswith("{") and has_coco_key else None
