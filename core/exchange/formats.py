"""Detection of the format of an annotation file from its extension and its beginning."""

from __future__ import annotations

import csv
import re
from enum import Enum
from pathlib import Path

from randcrowns.core.exchange.deepforest import has_deepforest_columns, is_box_row
from randcrowns.core.exchange.values import encoding_of_mark, read_first_bytes
from randcrowns.core.exchange.via import is_via_table
from randcrowns.core.exchange.xml_files import detect_encoding
from randcrowns.core.messages import TranslatableText

#: Number of bytes at the beginning of a file that are examined.
_N_BYTES = 1 << 16
#: Pattern of a number as programs write it, including NaN and infinity.
_NUMBER = r"([-+.\de]+|[-+]?(nan|inf|infinity))"
#: Pattern of a line of a YOLO file: a class number and at least four numbers.
_YOLO_LINE = re.compile(rf"\s*[-+]?\d+(\.0*)?(\s+{_NUMBER}){{4,}}\s*", re.IGNORECASE)
#: Extensions of the files that QGIS itself reads as layers.
_LAYERS = (".shp", ".gpkg", ".geojson", ".fgb", ".parquet")


#: Extensions of label rasters. In a folder they may be images, so that they are read only if the
#: file is named or the format is chosen.
LABEL_RASTERS = (".tif", ".tiff", ".png")


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
    LAYER = "layer"
    LABEL_RASTER = "label_raster"


#: File extensions of each format, in lower case.
EXTENSIONS = {
    FileFormat.DEEPFOREST: (".csv",),
    FileFormat.VOC: (".xml",),
    FileFormat.COCO: (".json",),
    FileFormat.YOLO: (".txt",),
    FileFormat.LABELME: (".json",),
    FileFormat.CVAT: (".xml",),
    FileFormat.VIA: (".json", ".csv"),
    FileFormat.LABEL_STUDIO: (".json",),
    FileFormat.LAYER: _LAYERS,
    FileFormat.LABEL_RASTER: LABEL_RASTERS,
}
#: Display name of each format.
FORMAT_NAMES = {
    FileFormat.DEEPFOREST: "DeepForest",
    FileFormat.VOC: "Pascal VOC",
    FileFormat.COCO: "COCO",
    FileFormat.YOLO: "YOLO",
    FileFormat.LABELME: "LabelMe",
    FileFormat.CVAT: "CVAT",
    FileFormat.VIA: "VIA",
    FileFormat.LABEL_STUDIO: "Label Studio",
    FileFormat.LAYER: "layer",
    FileFormat.LABEL_RASTER: TranslatableText("label raster"),
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
    if extension in LABEL_RASTERS:
        return FileFormat.LABEL_RASTER
    if all(extension not in extensions for extensions in EXTENSIONS.values()):
        return None
    beginning = read_beginning(path)
    if extension == ".csv":
        return _csv_format(beginning)
    if extension == ".xml":
        if re.search(r"<(\w+:)?annotations[\s>]", beginning):
            return FileFormat.CVAT
        is_annotation = re.search(r"<(\w+:)?annotation[\s>]", beginning) is not None
        return FileFormat.VOC if is_annotation else None
    if extension == ".txt":
        first_line = next((line for line in beginning.splitlines() if line.strip()), "")
        is_yolo = _YOLO_LINE.fullmatch(first_line) is not None
        return FileFormat.YOLO if is_yolo else None
    return _json_format(beginning)


def read_beginning(path: Path) -> str:
    """Return the beginning of a file as text.

    Args:
        path: the file.

    Raises:
        InputError: if the file cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "plot.txt"
    ...     _ = path.write_text("0 0.5 0.5 0.1 0.1", encoding="utf-8")
    ...     read_beginning(path)
    '0 0.5 0.5 0.1 0.1'
    """
    content = read_first_bytes(path, _N_BYTES)
    is_xml = path.suffix.lower() == ".xml"
    encoding = detect_encoding(content) if is_xml else encoding_of_mark(content)
    try:
        return content.decode(encoding, errors="replace")
    except LookupError:  # an encoding that Python does not know; the reader says so
        return content.decode("latin-1")


def _csv_format(beginning: str) -> FileFormat | None:
    """Return the format of a table from its heading or, without one, from its first row."""
    first_line = next(iter(beginning.splitlines()), "").strip()
    try:
        columns_by_separator = [next(csv.reader([first_line], delimiter=mark), []) for mark in ",;"]
    except csv.Error:  # not a table
        return None
    if any(is_via_table(columns) for columns in columns_by_separator):
        return FileFormat.VIA
    is_deepforest = any(
        has_deepforest_columns(columns) or is_box_row(columns) for columns in columns_by_separator
    )
    return FileFormat.DEEPFOREST if is_deepforest else None


#: What the beginning of files of other programs looks like, by the name of the program.
_OTHER_PROGRAMS = {
    "CVAT (for video)": r"<track\s[^<>]*\blabel=",
    "VIA 3": r'"vid_list"|"_via_data_format_version"\s*:\s*"3',
    "Supervisely": r'"classTitle"\s*:|"geometryType"\s*:',
    "Labelbox": r'"data_row"\s*:|"Labeled Data"\s*:|"DataRow ID"\s*:',
    "V7 Darwin": r'"\$?schema_ref"\s*:|"bounding_box"\s*:',
    "Apple CreateML": r'"coordinates"\s*:\s*\{\s*"(x|y|width|height)"',
    "KITTI": r"\A\s*[A-Za-z_]+(\s+[-+.\d]+){14,15}\s*$",
    "Datumaro": r'"dm_format_version"\s*:|"categories"\s*:\s*\{',
    "Open Images": r"\AImageID,Source,LabelName",
}


def name_other_program(beginning: str) -> str:
    """Return the program from which a file is that cannot be imported; "" if it is not known.

    Args:
        beginning: beginning of the file.

    >>> name_other_program('[{"image": "a.png", "objects": [{"classTitle": "Tree"}]}]')
    'Supervisely'
    """
    for program, pattern in _OTHER_PROGRAMS.items():
        if re.search(pattern, beginning, re.MULTILINE):
            return program
    return ""


def _has_via_entry(content: str) -> bool:
    """Return True if a file name and regions are keys of one object, as in VIA's files."""
    for keys_between_braces in re.split("[{}]", content):
        _, _, following_keys = keys_between_braces.partition('"filename"')
        if re.search(r'"regions"\s*:', following_keys):
            return True
    return False


def _json_format(beginning: str) -> FileFormat | None:
    """Return the format of a JSON file from its beginning; None if it is not a known one."""
    content = beginning.lstrip()
    if re.search(r'"type"\s*:\s*"(FeatureCollection|Feature)"', content):
        return FileFormat.LAYER
    is_coco = re.search(r'"image_id"\s*:|"categories"\s*:\s*\[', content)
    if not is_coco and name_other_program(content):
        return None
    has_regions = re.search(r'"(_via_img_metadata|shape_attributes)"\s*:', content)
    if has_regions or _has_via_entry(content):
        return FileFormat.VIA
    if content.startswith("["):
        is_studio = re.search(
            r'"(original_width|rectanglelabels|polygonlabels|was_cancelled)"\s*:', content
        )
        if is_studio or re.search(r'"data"\s*:\s*\{', content):
            return FileFormat.LABEL_STUDIO
        is_results = '"image_id"' in content or content[1:].strip() == "]"
        return FileFormat.COCO if is_results else None
    if re.search(r'"(shapes|imagePath|imageData)"\s*:', content):
        return FileFormat.LABELME
    has_coco_key = re.search(r'"(images|annotations|categories|licenses|info)"\s*:', content)
    return FileFormat.COCO if content.startswith("{") and has_coco_key else None
