"""Recognition of annotation files by their beginning."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

from randcrowns.core.exchange.deepforest import SEPARATORS, has_deepforest_columns, is_box_row
from randcrowns.core.exchange.values import encoding_of_mark, file_extension, read_first_bytes
from randcrowns.core.exchange.via import is_via_table
from randcrowns.core.exchange.xml_files import detect_encoding

#: Number of bytes at the beginning of a file that are examined.
_N_BYTES = 1 << 16
#: Pattern of a number as programs write it, including NaN and infinity.
_NUMBER = r"([-+.\de]+|[-+]?(nan|inf|infinity))"
#: Pattern of a line of a YOLO file: a class number and at least four numbers.
_YOLO_LINE = re.compile(rf"\s*[-+]?\d+(\.0*)?(\s+{_NUMBER}){{4,}}\s*", re.IGNORECASE)
#: Keys of the lists of a COCO ground truth.
_COCO_LISTS = re.compile(r'"(images|annotations|categories|licenses|info)"\s*:')
#: Keys of an annotation of COCO, whose order is any.
_COCO_RECORD = (re.compile(r'"image_id"\s*:'), re.compile(r'"(bbox|segmentation|category_id)"\s*:'))
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
    "Open Images": r"\AImageID,(Source,)?LabelName",
    "COCO (panoptic)": r'"segments_info"\s*:',
    "DOTA": r"\A\s*imagesource:|\A\s*([-+.\d]+\s+){8}[A-Za-z][\w-]*\s+[012]\s*$",
}


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
    is_xml = file_extension(path) == ".xml"
    encoding = detect_encoding(content) if is_xml else encoding_of_mark(content)
    try:
        return content.decode(encoding, errors="replace")
    except LookupError:  # an encoding that Python does not know; the reader says so
        return content.decode("latin-1")


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


def begins_like_deepforest(beginning: str) -> bool:
    r"""Return True if a table begins with DeepForest's heading or, without one, with a box.

    Args:
        beginning: beginning of the file, as for the other functions.

    >>> begins_like_deepforest("image_path,xmin,ymin,xmax,ymax\na.tif,0,0,4,2")
    True
    """
    # The line is split at each possible separator.
    for values in _split_first_line(beginning):
        if has_deepforest_columns(values) or is_box_row(values):
            return True
    return False


def begins_like_via(beginning: str) -> bool:
    """Return True for a table or a JSON file of the VGG Image Annotator, version 1 or 2.

    >>> begins_like_via('{"a.png123": {"filename": "a.png", "regions": []}}')
    True
    """
    if not beginning.lstrip().startswith(("{", "[")):
        return any(is_via_table(values) for values in _split_first_line(beginning))
    has_shapes = re.search(r'"(_via_img_metadata|shape_attributes)"\s*:', beginning)
    return has_shapes is not None or _has_via_entry(beginning)


def begins_like_voc(beginning: str) -> bool:
    """Return True for XML with the element ``annotation``, with or without a namespace.

    >>> begins_like_voc("<annotation><filename>a.tif</filename>")
    True
    """
    return re.search(r"<(\w+:)?annotation[\s>]", beginning) is not None


def begins_like_cvat(beginning: str) -> bool:
    """Return True for XML with the element ``annotations``, with or without a namespace.

    >>> begins_like_cvat('<annotations><version>1.1</version>')
    True
    """
    return re.search(r"<(\w+:)?annotations[\s>]", beginning) is not None


def begins_like_yolo(beginning: str) -> bool:
    """Return True if the first line that is not blank is a class number and four numbers or more.

    >>> begins_like_yolo("0 0.5 0.5 0.1 0.1")
    True
    """
    first_line = next((line for line in beginning.splitlines() if line.strip()), "")
    return _YOLO_LINE.fullmatch(first_line) is not None


def begins_like_geojson(beginning: str) -> bool:
    """Return True for JSON with a feature of GeoJSON.

    >>> begins_like_geojson('{"type": "FeatureCollection", "features": []}')
    True
    """
    return re.search(r'"type"\s*:\s*"(FeatureCollection|Feature)"', beginning) is not None


def begins_like_other_json(beginning: str) -> bool:
    """Return True for JSON of a program whose files cannot be imported.

    >>> begins_like_other_json('[{"image": "a.png", "objects": [{"classTitle": "Tree"}]}]')
    True
    """
    is_panoptic = '"segments_info"' in beginning
    is_coco = re.search(r'"image_id"\s*:|"categories"\s*:\s*\[', beginning) is not None
    return is_panoptic or (not is_coco and name_other_program(beginning.lstrip()) != "")


def begins_like_label_studio(beginning: str) -> bool:
    """Return True for a JSON list of tasks.

    >>> begins_like_label_studio('[{"data": {"image": "a.png"}, "annotations": []}]')
    True
    """
    is_list = beginning.lstrip().startswith("[")
    has_region = re.search(
        r'"(original_width|rectanglelabels|polygonlabels|was_cancelled)"\s*:', beginning
    )
    has_task = re.search(r'"data"\s*:\s*\{', beginning)
    return is_list and (has_region is not None or has_task is not None)


def begins_like_labelme(beginning: str) -> bool:
    """Return True for a JSON object with shapes or an image.

    >>> begins_like_labelme('{"version": "5.0.1", "shapes": []}')
    True
    """
    is_list = beginning.lstrip().startswith("[")
    has_key = re.search(r'"(shapes|imagePath|imageData)"\s*:', beginning)
    return not is_list and has_key is not None


def begins_like_coco(beginning: str) -> bool:
    """Return True for a JSON object with keys of a ground truth, and for results.

    >>> begins_like_coco('{"images": []}'), begins_like_coco('[{"image_id": 1}]')
    (True, True)
    """
    content = beginning.strip()
    if content.startswith("["):
        return '"image_id"' in content or content[1:].strip() == "]"
    is_object = content.startswith("{")
    return is_object and (_COCO_LISTS.search(content) is not None or _has_coco_lines(content))


def begins_like_coco_results(beginning: str) -> bool:
    """Return True for the list of COCO's results, and for a file with one of them per line.

    >>> begins_like_coco_results('{"image_id": 1, "bbox": [0, 0, 4, 2]}')
    True
    """
    content = beginning.lstrip()
    return content.startswith("[") or _has_coco_lines(content)


def has_json_lines(beginning: str) -> bool:
    r"""Return True if each of the first two lines is a JSON object.

    >>> has_json_lines('{"a": 1}\n{"a": 2}\n'), has_json_lines('{"a":\n1}')
    (True, False)
    """
    try:
        records = [json.loads(line) for line in beginning.splitlines()[:2] if line.strip()]
    except (ValueError, RecursionError):
        return False
    return len(records) == 2 and all(isinstance(record, dict) for record in records)


def _has_coco_lines(content: str) -> bool:
    """Return True if the first line of a text is an annotation of COCO."""
    first_line = next(iter(content.splitlines()), "")
    is_object = first_line.startswith("{") and _COCO_LISTS.search(first_line) is None
    return is_object and all(key.search(first_line) for key in _COCO_RECORD)


def _split_first_line(beginning: str) -> list[list[str]]:
    """Return the values of the first line for each separator of columns; [] if it is no table."""
    first_line = next(iter(beginning.splitlines()), "").strip()
    try:
        return [next(csv.reader([first_line], delimiter=mark), []) for mark in SEPARATORS]
    except csv.Error:  # not a table
        return []


def _has_via_entry(content: str) -> bool:
    """Return True if a file name and regions are keys of one object, as in VIA's files."""
    for keys_between_braces in re.split("[{}]", content):
        _, _, following_keys = keys_between_braces.partition('"filename"')
        if re.search(r'"regions"\s*:', following_keys):
            return True
    return False
