"""Pascal VOC files: one XML file per image, with a box per object."""

from __future__ import annotations

import html
import math
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from xml.parsers import expat

import numpy as np
import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    AnnotationCollector,
    Annotations,
    SkipReason,
    parse_box,
)
from randcrowns.core.exchange.values import parse_number, parse_pixels, read_text

#: Characters that XML cannot contain.
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: Encoding in the XML declaration of a file.
_ENCODING = re.compile(rb"""<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']""")
#: Number of bytes at the beginning of a file in which the XML declaration is searched.
_N_BYTES = 256
#: Tags of the sides of a box.
_BOX = ("xmin", "ymin", "xmax", "ymax")


@dataclass
class _Tag:
    """An XML element.

    Attributes:
        name: name of the tag.
        texts: pieces of the text before the first child.
        children: child elements.
    """

    name: str
    texts: list[str] = field(default_factory=list)
    children: list[_Tag] = field(default_factory=list)

    def all(self, *names: str) -> list[_Tag]:
        """Return the descendants at the end of a path of tag names."""
        tags = [self]
        for name in names:
            tags = [child for tag in tags for child in tag.children if child.name == name]
        return tags

    def text(self, *names: str) -> str:
        """Return the text of the first descendant at the end of a path; "" if there is none."""
        tags = self.all(*names)
        return "".join(tags[0].texts) if tags else ""


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
    root = _parse_xml(path)
    if root.name != "annotation":
        raise InputError(
            "voc.not_voc",
            "{path} is not a Pascal VOC file: its root is '{tag}', not 'annotation'.",
            path=path.name,
            tag=root.name,
        )
    collected = AnnotationCollector(path.name)
    name = root.text("filename").strip() or path.stem
    width, height = (
        parse_pixels(root.text("size", "width")),
        parse_pixels(root.text("size", "height")),
    )
    image = collected.index_image(name, width, height)
    for row, tag in enumerate(root.all("object"), 1):
        label = tag.text("name").strip() or None
        score = tag.text("score") or tag.text("confidence") or None
        collected.add(_read_box(tag, first_pixel), image, row, label, score)
    return collected.build()


def _read_box(tag: _Tag, first_pixel: int) -> Any:
    """Return the first box of an object, or the reason to skip it if it is missing or invalid."""
    boxes = tag.all("bndbox")
    if not boxes:
        return SkipReason.NOT_NUMBERS
    xmin, ymin, xmax, ymax = (parse_number(boxes[0].text(side)) for side in _BOX)
    return parse_box([xmin - first_pixel, ymin - first_pixel, xmax, ymax])


def write_voc(annotations: Annotations, default_label: str = "Tree") -> dict[str, str]:
    """Return annotations as Pascal VOC files, one per image.

    Outlines become their bounding boxes.

    Args:
        annotations: annotations in pixels, without masks.
        default_label: label of annotations without one.

    Returns:
        The XML texts by the name of the image without its extension, or with it if several images
        have the same name otherwise.

    >>> from randcrowns.core.exchange.annotations import Image
    >>> images = [Image("images/plot.tif")]
    >>> list(write_voc(Annotations.from_shapes([shapely.box(0, 0, 4, 2)], images)))
    ['plot']
    """
    stems = {PurePosixPath(image.name).stem.lower() for image in annotations.images}
    needs_extension = len(stems) < len(annotations.images)
    files = {}
    for image_index, image in enumerate(annotations.images):
        # VOC names images without their folder, which need not be that of the annotation file.
        name = PurePosixPath(image.name).name
        rows = np.flatnonzero(annotations.image_index == image_index)
        objects = []
        for row, box in zip(rows, shapely.bounds(annotations.shapes[rows]).tolist()):
            label = str(annotations.label[row] or default_label)
            objects.append(_object_xml(label, box, float(annotations.score[row])))
        lines = [
            "<annotation>",
            f"  <filename>{_escape(name)}</filename>",
            f"  <size><width>{image.width}</width><height>{image.height}</height></size>",
            *objects,
            "</annotation>\n",
        ]
        files[name if needs_extension else PurePosixPath(name).stem] = "\n".join(lines)
    return files


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


def _declared_encoding(path: Path) -> str:
    """Return the encoding in a file's XML declaration; UTF-8 without one.

    Raises:
        InputError: if the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            declaration = _ENCODING.search(file.read(_N_BYTES))
    except OSError as error:
        raise InputError(
            "file.unreadable", "{path} cannot be read: {why}.", path=path, why=error.strerror
        ) from error
    encoding = "" if declaration is None else declaration[1].decode("ascii").lower()
    return "utf-8-sig" if encoding in ("", "utf-8", "utf8") else encoding


def _parse_xml(path: Path) -> _Tag:
    """Return the root element of an XML file.

    Files with a document type are refused: only a document type can declare entities, which may
    expand to any size.

    Raises:
        InputError: if the file cannot be read, is not valid XML or has a document type.
    """
    # The elements that are open, from the outside; the first one contains the root.
    open_tags = [_Tag("")]

    def start_element(name: str, _: object) -> None:
        tag = _Tag(name)
        open_tags[-1].children.append(tag)
        open_tags.append(tag)

    def end_element(_: str) -> None:
        open_tags.pop()

    def add_text(text: str) -> None:
        if not open_tags[-1].children:
            open_tags[-1].texts.append(text)

    def refuse_document_type(*_: object) -> None:
        raise InputError(
            "voc.document_type",
            "{path} declares a document type, which no file of annotations needs; "
            "remove that line.",
            path=path.name,
        )

    parser = expat.ParserCreate()
    parser.StartElementHandler = start_element
    parser.EndElementHandler = end_element
    parser.CharacterDataHandler = add_text
    parser.StartDoctypeDeclHandler = refuse_document_type
    try:
        parser.Parse(read_text(path, _declared_encoding(path)), True)
    except expat.ExpatError as error:
        raise InputError(
            "voc.incomplete",
            "{path} is not a complete XML file: it ends early or is wrong in line {line}, "
            "column {column}; get it again from its source.",
            path=path.name,
            line=error.lineno,
            column=error.offset + 1,
        ) from error
    return open_tags[0].children[0]
