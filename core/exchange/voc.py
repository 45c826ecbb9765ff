"""Pascal VOC files: one XML file per image, with a box per object."""

from __future__ import annotations

import html
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import numpy as np
import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    DEFAULT_LABEL,
    AnnotationCollector,
    Annotations,
    DoubtReason,
    Image,
    SkipReason,
    parse_box,
)
from randcrowns.core.exchange.values import parse_number, parse_pixels
from randcrowns.core.exchange.xml_files import XmlTag, read_xml

#: Characters that XML cannot contain.
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: Tags of shapes that are not read: boxes with an angle (roLabelImg, labelImg2) and outlines.
_OTHER_SHAPES = ("robndbox", "polygon")
#: Tags of the sides of a box.
_BOX = ("xmin", "ymin", "xmax", "ymax")


def read_voc(path: Path, first_pixel: int = 0) -> Annotations:
    """Read the boxes of one image in a Pascal VOC file.

    Args:
        path: the XML file.
        first_pixel: coordinate of the first pixel, 0 or 1. If it is 1, as in VOC's own development
            kit, xmax and ymax are the last pixels inside the box, so that only xmin and ymin are
            reduced by 1.

    Returns:
        The annotations, in pixels.

    Raises:
        InputError: naming the file, if it cannot be read or is not a valid Pascal VOC file.

    >>> import tempfile
    >>> box = "<xmin>0</xmin><ymin>0</ymin><xmax>4</xmax><ymax>2</ymax>"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "plot.xml"
    ...     _ = path.write_text(f"<annotation><object><bndbox>{box}</bndbox></object></annotation>")
    ...     read_voc(path).shapes[0].area
    8.0
    """
    root = read_xml(path)
    if root.name != "annotation":
        raise InputError(
            "voc.not_voc",
            "{path} is not a Pascal VOC file: its root is '{tag}', not 'annotation'.",
            path=path.name,
            tag=root.name,
        )
    collected = AnnotationCollector(path.name)
    name = root.text("filename").strip() or path.stem
    width = parse_pixels(root.text("size", "width"))
    height = parse_pixels(root.text("size", "height"))
    path_text = root.text("path").strip()
    folder = root.text("folder").strip()
    if PurePosixPath(path_text.replace("\\", "/")).name != PurePosixPath(name).name:
        path_text = f"{folder}/{name}" if folder else ""
    image = collected.index_image(name, width, height, path_text)
    for row, tag in enumerate(root.all("object"), 1):
        label = tag.text("name").strip() or None
        score = tag.text("score") or tag.text("confidence") or None
        shape = _read_box(tag, first_pixel)
        collected.add(shape, image, row, label, score)
        has_outline = any(tag.all(name) for name in _OTHER_SHAPES)
        if has_outline and not isinstance(shape, SkipReason):
            collected.add_problem(DoubtReason.OUTLINE_NOT_READ, row)
        is_difficult = parse_number(tag.text("difficult")) == 1
        if is_difficult and not isinstance(shape, SkipReason):
            collected.add_problem(DoubtReason.DIFFICULT, row)
    return collected.build()


def _read_box(tag: XmlTag, first_pixel: int) -> shapely.Polygon | SkipReason:
    """Return the bounding box of an object, or the reason to skip the object.

    Args:
        tag: the XML element ``object``. Of several elements ``bndbox`` the first one is read.
        first_pixel: coordinate of the first pixel, 0 or 1. If it is 1, xmax and ymax are the last
            pixels inside the box, so that only xmin and ymin are reduced by 1.

    Returns:
        The box in pixels, counted from 0; a reason if it is missing or invalid.
    """
    boxes = tag.all("bndbox")
    if not boxes:
        has_other_shape = any(tag.all(name) for name in _OTHER_SHAPES)
        return SkipReason.NO_CROWN if has_other_shape else SkipReason.NOT_NUMBERS
    box = boxes[0]
    left = parse_number(box.text("xmin")) - first_pixel
    top = parse_number(box.text("ymin")) - first_pixel
    right = parse_number(box.text("xmax"))
    bottom = parse_number(box.text("ymax"))
    return parse_box([left, top, right, bottom])


def write_voc(annotations: Annotations) -> dict[str, str]:
    """Return annotations as Pascal VOC files, one per image.

    Outlines become their bounding boxes. Annotations without a label get the label "Tree".

    Args:
        annotations: annotations in pixels, without masks.

    Returns:
        The XML texts by the name of the image without its extension, or with it if several images
        have the same name otherwise.

    >>> from randcrowns.core.exchange.annotations import Image
    >>> images = [Image("images/plot.tif")]
    >>> list(write_voc(Annotations.from_shapes([shapely.box(0, 0, 4, 2)], images)))
    ['plot']
    """
    names = _distinct_names(annotations.images)
    stems = [str(PurePosixPath(name).with_suffix("")) for name in names]
    has_repeated_stems = len({stem.lower() for stem in stems}) < len(stems)
    keys = [str(PurePosixPath(name)) for name in names] if has_repeated_stems else stems
    boxes = shapely.bounds(annotations.shapes).tolist()
    files = {}
    for image_index, image in enumerate(annotations.images):
        name = names[image_index]
        objects = []
        for row in np.flatnonzero(annotations.image_index == image_index).tolist():
            label = str(annotations.label[row] or DEFAULT_LABEL)
            objects.append(_object_xml(label, boxes[row], float(annotations.score[row])))
        lines = [
            "<annotation>",
            f"  <filename>{_escape(name)}</filename>",
            f"  <size><width>{image.width}</width><height>{image.height}</height></size>",
            *objects,
            "</annotation>\n",
        ]
        files[keys[image_index]] = "\n".join(lines)
    return files


def _distinct_names(images: Sequence[Image]) -> list[str]:
    """Return the names of images in VOC files.

    VOC names images without their folder, which need not be that of the annotation file. Folders
    are kept only if several images have the same name otherwise.

    >>> _distinct_names([Image("a/plot.tif"), Image("../b/plot.tif"), Image("c/other.tif")])
    ['a/plot.tif', 'b/plot.tif', 'other.tif']
    """
    paths = [PurePosixPath(image.name.replace("\\", "/")) for image in images]
    counts = Counter(path.name.lower() for path in paths)
    names = []
    for path in paths:
        is_unique = counts[path.name.lower()] == 1
        if is_unique:
            names.append(path.name)
            continue
        path_parts = [part for part in path.parts if part not in ("/", "..")]
        names.append("/".join(path_parts))
    return names


def _object_xml(label: str, box: list[float], score: float) -> str:
    """Return the XML of an object.

    Args:
        label: name of the object's class.
        box: xmin, ymin, xmax, ymax, pixels.
        score: the score; NaN for none.
    """
    sides = "".join(f"<{name}>{value!r}</{name}>" for name, value in zip(_BOX, box))
    score_xml = "" if math.isnan(score) else f"<score>{score!r}</score>"
    return f"  <object><name>{_escape(label)}</name>{score_xml}<bndbox>{sides}</bndbox></object>"


def _escape(text: str) -> str:
    """Escape text for XML; characters that XML cannot contain are replaced."""
    valid = _NOT_IN_XML.sub("\ufffd", text)
    return html.escape(valid, quote=False).replace("\r", "&#13;")
