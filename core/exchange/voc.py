"""Pascal VOC: a file of XML for each image, with a box for each object."""

from __future__ import annotations

import math
import re
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree  # nosec B405
from xml.sax.saxutils import escape  # nosec B406

import numpy as np
import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    Annotations,
    Collected,
    Flaw,
    box_of,
    number_of,
    pixels_of,
    text_in,
)

#: Characters that XML cannot hold.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BOX = ("xmin", "ymin", "xmax", "ymax")


def read_voc(path: Path, first_pixel: int = 0) -> Annotations:
    """The boxes of one image.

    Args:
        first_pixel: number of the first pixel. Where it is 1, as in VOC's own devkit, xmax and ymax name the last pixel
            inside, so that only xmin and ymin are one too large.

    Raises:
        InputError: naming the file, when it is no such file or breaks off.
    """
    root = _root(path)
    if root.tag != "annotation":
        raise InputError(f"{path.name} is no file of Pascal VOC: its root is '{root.tag}', not 'annotation'.")
    found = Collected(path.name)
    name = (root.findtext("filename") or "").strip() or path.stem
    image = found.image(name, *(pixels_of(root.findtext(f"size/{side}")) for side in ("width", "height")))
    for row, one in enumerate(root.findall("object"), 1):
        box = one.find("bndbox")
        values = [math.nan if box is None else number_of(box.findtext(side)) for side in _BOX]
        shape = box_of([values[0] - first_pixel, values[1] - first_pixel, *values[2:]])
        label = (one.findtext("name") or "").strip() or None
        score = next(filter(lambda value: not math.isnan(value), map(number_of, _scores(one))), math.nan)
        found.add(Flaw.NOT_NUMBERS if box is None else shape, image, row, label, score)
    return found.done()


def write_voc(found: Annotations, default_label: str = "Tree") -> dict[str, str]:
    """A file for each image, by its name without the ending, unless several share that; outlines become their boxes."""
    files = {}
    stems = [PurePosixPath(image.name).stem.lower() for image in found.images]
    whole = len(set(stems)) < len(stems)
    for place, image in enumerate(found.images):
        name = PurePosixPath(image.name).name  # in the folder of the images, which is not that of the file
        rows = np.flatnonzero(found.image == place)
        objects = [
            _object(str(found.label[row] or default_label), box, float(found.score[row]))
            for row, box in zip(rows, shapely.bounds(found.shapes[rows]).tolist())
        ]
        size = f"<width>{image.width}</width><height>{image.height}</height>"
        files[name if whole else PurePosixPath(name).stem] = "\n".join(
            [
                "<annotation>",
                f"  <filename>{_escaped(name)}</filename>",
                f"  <size>{size}</size>",
                *objects,
                "</annotation>\n",
            ]
        )
    return files


def _object(label: str, box: list[float], score: float) -> str:
    sides = "".join(f"<{name}>{value!r}</{name}>" for name, value in zip(_BOX, box))
    sure = "" if math.isnan(score) else f"<score>{score!r}</score>"
    return f"  <object><name>{_escaped(label)}</name>{sure}<bndbox>{sides}</bndbox></object>"


def _escaped(text: str) -> str:
    """Text in XML, which has no word for most control characters."""
    return escape(_NO_XML.sub("\ufffd", text), {"\r": "&#13;"})


def _scores(one: ElementTree.Element) -> list[str | None]:
    return [one.findtext("score"), one.findtext("confidence")]


def _root(path: Path) -> ElementTree.Element:
    text = text_in(path)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:  # what XML can do harm with
        raise InputError(f"{path.name} declares a document type, which no file of annotations needs; remove that line.")
    try:
        return ElementTree.fromstring(text)  # nosec B314 - without a document type it is plain text in tags
    except ElementTree.ParseError as error:
        line, column = error.position
        raise InputError(
            f"{path.name} is no whole XML file: it breaks off or is wrong in line {line}, column {column + 1}; get it "
            "again from where it came."
        ) from error
