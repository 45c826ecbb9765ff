"""YOLO text files: one per image, with a line per object.

Lengths are shares of the image's width and height.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    AnnotationCollector,
    Annotations,
    CoordinateUnit,
    DoubtReason,
    SkipReason,
    parse_box,
    parse_polygon,
)
from randcrowns.core.exchange.values import parse_number, read_text
from randcrowns.core.messages import Message, note

#: Number of values in a line with a box: class, centre x, centre y, width, height.
_BOX_VALUES = 5
#: Number of folders, from the file's own upwards, in which the class names are searched.
_LEVELS = 3
#: Files in which class names are searched, in this order.
_CLASS_FILES = ("data.yaml", "data.yml", "dataset.yaml")
#: Entry ``names`` of a data.yaml: items in brackets (group 1), or in the lines below (group 2).
_NAMES = re.compile(
    r"^names\s*:[ \t]*(?:[\[{]([^\]}]*)[\]}]|((?:\n(?:[ \t]+|-).*|\n[ \t]*$)*))", re.MULTILINE
)
#: Comment of a YAML file.
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.MULTILINE)
#: Entry ``nc`` of a data.yaml, the number of classes.
_N_CLASSES = re.compile(r"^nc\s*:\s*(\d+)", re.MULTILINE)


def read_yolo(
    path: Path, names: Mapping[int, str] | None = None, messages: Sequence[Message] = ()
) -> Annotations:
    """Read the boxes or polygons of one image in a YOLO file.

    The image has the name of the file without its extension. A line is ``class cx cy w h [score]``
    or ``class x1 y1 x2 y2 x3 y3 … [score]``.

    Args:
        path: the text file.
        names: names of the classes by number, see :func:`find_class_names`; without a name the
            label is the number.
        messages: messages about the names, which are added to those of the annotations.

    Returns:
        The annotations, in shares of the image's width and height.

    Raises:
        InputError: naming the file and the line, if the line is not one of a YOLO file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "plot_1.txt"
    ...     _ = path.write_text("0 0.5 0.5 0.25 0.5")
    ...     annotations = read_yolo(path, {0: "Oak"})
    >>> annotations.shapes[0].area, annotations.label.tolist()
    (0.125, ['Oak'])
    """
    class_labels = names or {}
    collected = AnnotationCollector(path.name)
    image = collected.index_image(path.stem)
    for row, line in enumerate(read_text(path).splitlines(), 1):
        fields = line.split()
        if not fields:
            continue
        if not re.fullmatch(r"\d+", fields[0]) or len(fields) < _BOX_VALUES:
            raise InputError(
                "yolo.not_yolo",
                "{path} is not a YOLO file: line {row} is neither 'class x y width height' nor "
                "'class x1 y1 …'.",
                path=path.name,
                row=row,
            )
        class_number = int(fields[0])
        if class_labels and class_number not in class_labels:
            collected.add_problem(DoubtReason.NO_NAME, row)
        label = class_labels.get(class_number, fields[0])

        # After the class number, coordinates come in pairs: an even number of fields ends with a
        # score.
        values = [parse_number(text) for text in fields[1:]]
        has_score = len(fields) > _BOX_VALUES and len(fields) % 2 == 0
        score = values.pop() if has_score else None
        collected.add(_read_outline(values), image, row, label, score)
    return collected.build(CoordinateUnit.SHARES, messages)


def _read_outline(values: list[float]) -> shapely.Polygon | SkipReason:
    """Return the box or polygon of a line.

    Args:
        values: centre x, centre y, width and height of a box, or x1, y1, x2, y2, … of a polygon.

    Returns:
        The geometry, or the reason to skip the line if it is invalid.
    """
    if len(values) >= _BOX_VALUES:
        return parse_polygon(values)
    x, y, width, height = values
    if width <= 0 or height <= 0:
        return SkipReason.NO_SIZE
    return parse_box([x - width / 2, y - height / 2, x + width / 2, y + height / 2])


def find_class_names(path: Path) -> tuple[dict[int, str], list[Message]]:
    """Find the class names of a YOLO file in a data.yaml.

    The data.yaml is searched in the folder of the file and in the folders above it.

    Args:
        path: the YOLO file.

    Returns:
        The names by class number, empty without a data.yaml; and a message if the names are missing
        or not as many as the data.yaml declares.

    Raises:
        InputError: if the data.yaml cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "data.yaml").write_text("names: [Alive, Dead]")
    ...     find_class_names(Path(folder) / "plot_1.txt")
    ({0: 'Alive', 1: 'Dead'}, [])
    """
    folders = list(path.resolve().parents)[:_LEVELS]
    candidates = [folder / name for folder in folders for name in _CLASS_FILES]
    file = next((candidate for candidate in candidates if candidate.is_file()), None)
    if file is None:
        return {}, []

    content = read_text(file)
    names = parse_class_names(content)
    n_declared = _N_CLASSES.search(content)
    has_declared_number = n_declared is None or int(n_declared[1]) == len(names)
    if names and has_declared_number:
        return names, []
    message = note(
        "exchange.class_names",
        "{file}: its list 'names' is missing, invalid or not as long as 'nc' declares; classes "
        "without a name are numbers.",
        file=file.name,
    )
    return names, [message]


def parse_class_names(text: str) -> dict[int, str]:
    r"""Parse the list or mapping ``names`` of a data.yaml.

    Args:
        text: content of the file.

    Returns:
        The names by class number; empty without the entry.

    >>> parse_class_names("nc: 2\nnames: [Alive, 'Dead tree']\n")
    {0: 'Alive', 1: 'Dead tree'}
    >>> parse_class_names("names:\n  0: Alive\n  1: Dead\nnc: 2\n")
    {0: 'Alive', 1: 'Dead'}
    >>> parse_class_names("names: ['Oak, red', Bob's] # two\n")
    {0: 'Oak, red', 1: "Bob's"}
    >>> parse_class_names("names:\n- Oak, red # one\n- 'Pine'\n")
    {0: 'Oak, red', 1: 'Pine'}
    """
    entry = _NAMES.search(_COMMENT.sub("", text))
    if entry is None:
        return {}
    in_brackets, in_lines = entry[1] or "", entry[2] or ""
    # An item is a name in or without quotes, after a dash or its class number, if any. Commas
    # separate the items in brackets; in lines they belong to the names.
    separator = "," if in_brackets else ""
    key = r"\s*(?:-\s+)?(?:(\d+)\s*:\s+)?"
    name = rf"""('[^']*'|"[^"]*"|[^\s{separator}'"][^{separator}\n]*)"""
    names: dict[int, str] = {}
    for number, quoted in re.findall(key + name, in_brackets or in_lines):
        names[int(number) if number else len(names)] = quoted.strip().strip("'\"")
    return names
