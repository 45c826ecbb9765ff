"""YOLO's files of text: one per image, a line per object, lengths as shares of the image's width and height."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    Annotations,
    Collected,
    Doubt,
    Flaw,
    Frame,
    box_of,
    polygon_of,
)
from randcrowns.core.exchange.values import number_of, text_in
from randcrowns.core.remarks import Remark, note

_BOX, _SCORED_BOX = 5, 6
#: How many folders above a file are searched for the names of its classes.
_LEVELS = 3
#: The list of names in brackets, or in the lines below.
_NAMES = re.compile(
    r"^names\s*:[ \t]*(?:[\[{]([^\]}]*)[\]}]|((?:\n(?:[ \t]+|-).*|\n[ \t]*$)*))", re.MULTILINE
)
_FILES = ("data.yaml", "data.yml", "dataset.yaml")


def read_yolo(
    path: Path, names: Mapping[int, str] | None = None, told: Sequence[Remark] = ()
) -> Annotations:
    """The boxes or polygons of one image, which is called as the file is but for the ending.

    A line is ``class cx cy w h [score]``, or ``class x1 y1 x2 y2 x3 y3 … [score]``.

    Args:
        names: of the classes, by their number.
        told: remarks on these.

    Raises:
        InputError: naming the file and the line that is none of a YOLO file.
    """
    found = Collected(path.name)
    image = found.image(path.stem)
    for row, line in enumerate(text_in(path).splitlines(), 1):
        words = line.split()
        if not words:
            continue
        if not re.fullmatch(r"\d+", words[0]) or len(words) < _BOX:
            said = "{path} is no file of YOLO: line {row} is neither 'class x y width height' nor 'class x1 y1 …'."
            raise InputError(said, path=path.name, row=row)
        values = [number_of(word) for word in words[1:]]
        label = (names or {}).get(int(words[0]), words[0])
        if names and int(words[0]) not in names:
            found.flaw(Doubt.NO_NAME, row)
        score = values.pop() if len(words) >= _SCORED_BOX and len(words) % 2 == 0 else None
        found.add(_outline(values), image, row, label, score)
    return found.done(Frame.SHARES, told)


def _outline(values: list[float]) -> object:
    if len(values) > _BOX - 1:
        return polygon_of(values)
    x, y, width, height = values
    if width <= 0 or height <= 0:
        return Flaw.NO_SIZE
    return box_of([x - width / 2, y - height / 2, x + width / 2, y + height / 2])


def class_names(path: Path) -> tuple[dict[int, str], list[Remark]]:
    """Names of the classes of a file, from the data.yaml beside it or in a folder above, and what is odd about them."""
    places = [folder / name for folder in list(path.resolve().parents)[:_LEVELS] for name in _FILES]
    place = next(filter(Path.is_file, places), None)
    if place is None:
        return {}, []
    text = text_in(place)
    found, classes = names_in_yaml(text), re.search(r"^nc\s*:\s*(\d+)", text, re.MULTILINE)
    if found and (classes is None or int(classes.group(1)) == len(found)):
        return found, []
    said = "{file}: its list 'names' is absent, broken or not as long as 'nc' says; classes without a name are numbers."
    return found, [note("exchange.class_names", said, file=place.name)]


def names_in_yaml(text: str) -> dict[int, str]:
    """The list or table ``names`` of a data.yaml.

    >>> names_in_yaml("nc: 2\\nnames: [Alive, 'Dead tree']\\n")
    {0: 'Alive', 1: 'Dead tree'}
    >>> names_in_yaml("names:\\n  0: Alive\\n  1: Dead\\nnc: 2\\n")
    {0: 'Alive', 1: 'Dead'}
    >>> names_in_yaml("names: ['Oak, red', Bob's] # two\\n"), names_in_yaml("names:\\n- Oak, red # one\\n- 'Pine'\\n")
    ({0: 'Oak, red', 1: "Bob's"}, {0: 'Oak, red', 1: 'Pine'})
    """
    begun = _NAMES.search(re.sub(r"(?:^|(?<=\s))#.*", "", text, flags=re.MULTILINE))
    flow, block = ("", "") if begun is None else (begun.group(1) or "", begun.group(2) or "")
    stop = "," if flow else ""
    item = rf"""\s*(?:-\s+)?(?:(\d+)\s*:\s+)?('[^']*'|"[^"]*"|[^\s{stop}'"][^{stop}\n]*)"""
    found: dict[int, str] = {}
    for number, name in re.findall(item, flow or block):
        found[int(number) if number else len(found)] = name.strip().strip("'\"")
    return found
