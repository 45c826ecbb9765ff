"""What kind of file of annotations a file is, by its ending and its beginning."""

from __future__ import annotations

import csv
import re
from enum import Enum
from pathlib import Path

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.deepforest import is_deepforest

#: Characters that are looked at.
_BEGINNING = 1 << 16
#: A number as programs write it, those that are none too.
_NUMBER = r"([-+.\de]+|[-+]?(nan|inf|infinity))"
#: Files that QGIS itself reads as layers.
_LAYERS = (".shp", ".gpkg", ".geojson", ".fgb", ".parquet")


class Kind(Enum):
    """A kind of file; the value is the key of the user's choice."""

    DEEPFOREST = "deepforest"
    VOC = "voc"
    COCO = "coco"
    YOLO = "yolo"
    LABELME = "labelme"
    LAYER = "layer"


#: Endings of the files of each kind.
ENDINGS = {
    Kind.DEEPFOREST: (".csv",),
    Kind.VOC: (".xml",),
    Kind.COCO: (".json",),
    Kind.YOLO: (".txt",),
    Kind.LABELME: (".json",),
    Kind.LAYER: _LAYERS,
}
#: What people call each kind.
NAMES = {
    Kind.DEEPFOREST: "DeepForest",
    Kind.VOC: "Pascal VOC",
    Kind.COCO: "COCO",
    Kind.YOLO: "YOLO",
    Kind.LABELME: "LabelMe",
    Kind.LAYER: "layer",
}


def kind_of_file(path: Path) -> Kind | None:
    """The kind of a file; None for what is none of them.

    Raises:
        InputError: when the file cannot be read.
    """
    ending = path.suffix.lower()
    if ending in _LAYERS:
        return Kind.LAYER
    if all(ending not in endings for endings in ENDINGS.values()):
        return None
    try:
        with path.open("rb") as file:
            start = file.read(_BEGINNING).decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError("{path} cannot be read: {why}.", path=path, why=error.strerror) from error
    if ending == ".csv":
        heading = next(iter(start.splitlines()), "").strip()
        try:
            tables = [next(csv.reader([heading], delimiter=mark), []) for mark in ",;"]
        except csv.Error:  # no table
            return None
        return Kind.DEEPFOREST if any(is_deepforest(columns) for columns in tables) else None
    if ending == ".xml":
        return Kind.VOC if re.search(r"<annotation[\s>]", start) else None
    if ending == ".txt":
        first = next((line for line in start.splitlines() if line.strip()), "")
        return (
            Kind.YOLO
            if re.fullmatch(rf"\s*\d+(\s+{_NUMBER}){{4,}}\s*", first, re.IGNORECASE)
            else None
        )
    return _kind_of_json(start)


def _kind_of_json(start: str) -> Kind | None:
    plain = start.lstrip()
    if plain.startswith("["):
        return Kind.COCO if '"image_id"' in plain or plain[1:].strip() == "]" else None
    if re.search(r'"type"\s*:\s*"(FeatureCollection|Feature)"', plain):
        return Kind.LAYER
    if re.search(r'"(shapes|imagePath|imageData)"\s*:', plain):
        return Kind.LABELME
    known = re.search(r'"(images|annotations|categories|licenses|info)"\s*:', plain)
    return Kind.COCO if plain.startswith("{") and known else None
