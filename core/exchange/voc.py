"""Pascal VOC: a file of XML for each image, with a box for each object."""

from __future__ import annotations

import html
import math
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from xml.parsers import expat

import numpy as np
import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, Collected, Flaw, box_of
from randcrowns.core.exchange.values import number_of, pixels_of, text_in

#: Characters that XML cannot hold.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: What a file says at its beginning of the encoding that it is written in, and the bytes that are looked at.
_ENCODING, _BEGINNING = re.compile(rb"""<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']"""), 256
_BOX = ("xmin", "ymin", "xmax", "ymax")


@dataclass
class _Tag:
    """A tag, the text before its first child, in pieces, and its children."""

    name: str
    texts: list[str] = field(default_factory=list)
    children: list[_Tag] = field(default_factory=list)

    def all(self, *names: str) -> list[_Tag]:
        """The tags that these names lead to."""
        tags = [self]
        for name in names:
            tags = [child for tag in tags for child in tag.children if child.name == name]
        return tags

    def text(self, *names: str) -> str:
        """The text of the first of them; empty where there is none."""
        return "".join(next((tag.texts for tag in self.all(*names)), []))


def read_voc(path: Path, first_pixel: int = 0) -> Annotations:
    """The boxes of one image.

    Args:
        first_pixel: number of the first pixel. Where it is 1, as in VOC's own devkit, xmax and ymax name the last pixel
            inside, so that only xmin and ymin are one too large.

    Raises:
        InputError: naming the file, when it is no such file or breaks off.
    """
    root = _root(path)
    if root.name != "annotation":
        said = "{path} is no file of Pascal VOC: its root is '{tag}', not 'annotation'."
        raise InputError(said, path=path.name, tag=root.name)
    found = Collected(path.name)
    name = root.text("filename").strip() or path.stem
    image = found.image(name, *(pixels_of(root.text("size", side)) for side in ("width", "height")))
    for row, one in enumerate(root.all("object"), 1):
        boxes = one.all("bndbox")[:1]
        values = [number_of(box.text(side)) for box in boxes for side in _BOX] or [math.nan] * 4
        shape = box_of([values[0] - first_pixel, values[1] - first_pixel, *values[2:]])
        label = one.text("name").strip() or None
        score = next(filter(None, map(one.text, ("score", "confidence"))), None)
        found.add(shape if boxes else Flaw.NOT_NUMBERS, image, row, label, score)
    return found.done()


def write_voc(found: Annotations, default_label: str = "Tree") -> dict[str, str]:
    """A file for each image, by its name without the ending, unless several share that; outlines become their boxes."""
    files = {}
    stems = [PurePosixPath(image.name).stem.lower() for image in found.images]
    whole = len(set(stems)) < len(stems)
    for place, image in enumerate(found.images):
        name = PurePosixPath(
            image.name
        ).name  # in the folder of the images, which is not that of the file
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
    return html.escape(_NO_XML.sub("\ufffd", text), quote=False).replace("\r", "&#13;")


def _encoding(path: Path) -> str:
    """The encoding that a file names; UTF-8 without one."""
    try:
        with path.open("rb") as file:
            told = _ENCODING.search(file.read(_BEGINNING))
    except OSError as error:
        raise InputError("{path} cannot be read: {why}.", path=path, why=error.strerror) from error
    named = "" if told is None else told[1].decode("ascii").lower()
    return "utf-8-sig" if named in ("", "utf-8", "utf8") else named


def _root(path: Path) -> _Tag:
    """The tags of a file; entities, which a document type alone can declare, are refused before they are expanded."""
    within = [_Tag("")]

    def begin(name: str, _: object) -> None:
        within.append(_Tag(name))
        within[-2].children.append(within[-1])

    def write(text: str) -> None:
        if not within[-1].children:
            within[-1].texts.append(text)

    def refuse(*_: object) -> None:
        said = (
            "{path} declares a document type, which no file of annotations needs; remove that line."
        )
        raise InputError(said, path=path.name)

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = begin, lambda _: within.pop()
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = write, refuse
    try:
        parser.Parse(text_in(path, _encoding(path)), True)
    except expat.ExpatError as error:
        said = (
            "{path} is no whole XML file: it breaks off or is wrong in line {line}, column {column}; get it again "
            "from where it came."
        )
        raise InputError(
            said, path=path.name, line=error.lineno, column=error.offset + 1
        ) from error
    return within[0].children[0]
