"""Formats of annotation files: how each is called, recognised and read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from randcrowns.core.exchange import recognition
from randcrowns.core.exchange.annotations import Annotations
from randcrowns.core.exchange.coco import read_coco
from randcrowns.core.exchange.cvat import read_cvat
from randcrowns.core.exchange.deepforest import read_deepforest
from randcrowns.core.exchange.label_studio import read_label_studio
from randcrowns.core.exchange.labelme import read_labelme
from randcrowns.core.exchange.values import file_extension
from randcrowns.core.exchange.via import read_via
from randcrowns.core.exchange.voc import read_voc
from randcrowns.core.exchange.yolo import read_yolo
from randcrowns.core.messages import TranslatableText

#: Extensions of JSON files: also with an object per line, and compressed with gzip.
_JSON = (".json", ".jsonl", ".ndjson")
_JSON_EXTENSIONS = (*_JSON, *(f"{extension}.gz" for extension in _JSON))


class FileFormat(Enum):
    """A format of annotation files; the value is the key of the user's option."""

    DEEPFOREST = "deepforest"
    VOC = "voc"
    COCO = "coco"
    YOLO = "yolo"
    LABELME = "labelme"
    CVAT = "cvat"
    VIA = "via"
    LABEL_STUDIO = "label_studio"
    #: Files that QGIS itself reads as layers.
    LAYER = "layer"
    #: In a folder, label rasters may be images, so that they are read only if the file is named or
    #: the format is chosen.
    LABEL_RASTER = "label_raster"

    @property
    def definition(self) -> FormatDefinition:
        """Definition of the format."""
        return _DEFINITIONS[self]


@dataclass(frozen=True)
class FormatDefinition:
    """Name, file extensions, recognition and reader of a format."""

    name: str  #: display name of the format.
    extensions: tuple[str, ...]  #: file extensions, in lower case.
    #: Function that returns True for the beginning of a file of the format; None if all files with
    #: the extensions are of the format.
    recognise: Callable[[str], bool] | None = None
    #: Reader of a file with default options; None if GDAL reads the format.
    read: Callable[[Path], Annotations] | None = None
    has_file_per_image: bool = False  #: True if each annotation file belongs to one image.


#: Definitions of the formats, in the order in which a file is compared with them. A format whose
#: files may also look like those of another format precedes that one.
_DEFINITIONS = {
    FileFormat.VIA: FormatDefinition(
        "VIA", (".json", ".csv"), recognition.begins_like_via, read_via
    ),
    FileFormat.CVAT: FormatDefinition("CVAT", (".xml",), recognition.begins_like_cvat, read_cvat),
    FileFormat.LABEL_STUDIO: FormatDefinition(
        "Label Studio", (".json",), recognition.begins_like_label_studio, read_label_studio
    ),
    FileFormat.LABELME: FormatDefinition(
        "LabelMe",
        (".json",),
        recognition.begins_like_labelme,
        read_labelme,
        has_file_per_image=True,
    ),
    FileFormat.DEEPFOREST: FormatDefinition(
        "DeepForest", (".csv",), recognition.begins_like_deepforest, read_deepforest
    ),
    FileFormat.VOC: FormatDefinition(
        "Pascal VOC", (".xml",), recognition.begins_like_voc, read_voc, has_file_per_image=True
    ),
    FileFormat.COCO: FormatDefinition(
        "COCO", _JSON_EXTENSIONS, recognition.begins_like_coco, read_coco
    ),
    FileFormat.YOLO: FormatDefinition(
        "YOLO", (".txt",), recognition.begins_like_yolo, read_yolo, has_file_per_image=True
    ),
    FileFormat.LAYER: FormatDefinition(
        TranslatableText("layer"), (".shp", ".gpkg", ".geojson", ".fgb", ".parquet")
    ),
    FileFormat.LABEL_RASTER: FormatDefinition(
        TranslatableText("label raster"), (".tif", ".tiff", ".png")
    ),
}
#: Formats that the readers of this package read; GDAL reads the others.
ANNOTATION_FORMATS = tuple(kind for kind in FileFormat if kind.definition.read is not None)


def extensions_of(formats: Iterable[FileFormat]) -> tuple[str, ...]:
    """Return the file extensions of formats, in lower case, each once.

    Args:
        formats: the formats.

    >>> extensions_of([FileFormat.YOLO, FileFormat.VIA, FileFormat.COCO])
    ('.txt', '.json', '.csv', '.jsonl', '.ndjson', '.json.gz', '.jsonl.gz', '.ndjson.gz')
    """
    extensions = (extension for kind in formats for extension in kind.definition.extensions)
    return tuple(dict.fromkeys(extensions))


#: Extensions of files that GDAL does not read as layers. A table may contain outlines as text.
_NO_LAYER_EXTENSIONS = set(extensions_of(ANNOTATION_FORMATS)) - {".csv"}


def is_layer_file(path: Path) -> bool:
    """Return True if GDAL or geopandas reads a file as a layer with its fields.

    This includes files of an unknown format, unless they have the extension of an annotation file,
    as a damaged one has.

    Args:
        path: the file.

    Raises:
        InputError: if the file cannot be read.

    >>> is_layer_file(Path("crowns.gpkg")), is_layer_file(Path("crowns.kml"))
    (True, True)
    """
    kind = detect_format(path)
    if kind is None:
        return file_extension(path) not in _NO_LAYER_EXTENSIONS
    return kind is FileFormat.LAYER


def detect_format(path: Path) -> FileFormat | None:
    """Detect the format of an annotation file.

    Args:
        path: the file. Layers are detected by their extension alone, without opening the file,
            except GeoJSON in a file ``.json``.

    Returns:
        The format; None if it is not a known one.

    Raises:
        InputError: if the file cannot be read.

    >>> detect_format(Path("crowns.gpkg")), detect_format(Path("notes.doc"))
    (<FileFormat.LAYER: 'layer'>, None)
    """
    extension = file_extension(path)
    candidates = [
        kind for kind, definition in _DEFINITIONS.items() if extension in definition.extensions
    ]
    if not candidates:
        return None
    if candidates[0].definition.recognise is None:
        return candidates[0]

    beginning = recognition.read_beginning(path)
    if extension in _JSON_EXTENSIONS:
        if recognition.begins_like_geojson(beginning):
            return FileFormat.LAYER if extension == ".json" else None
        if recognition.begins_like_other_json(beginning):
            return None
    for kind in candidates:
        recognise = kind.definition.recognise
        if recognise is not None and recognise(beginning):
            return kind
    return None
