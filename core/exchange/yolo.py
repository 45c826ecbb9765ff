"""YOLO text files: one per image, with a line per object.

Lengths are shares of the image's width and height.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
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
from randcrowns.core.exchange.box_columns import BoxForm
from randcrowns.core.exchange.values import parse_number, read_json, read_text
from randcrowns.core.exchange.yaml_entries import read_count, read_items
from randcrowns.core.exchange.yolo_columns import (
    BOX_SIZE,
    CLASS_NUMBER,
    MAX_SHOWN,
    YoloColumns,
    YoloLine,
    parse_key_points,
    recognise_columns,
)
from randcrowns.core.messages import Message, abbreviate, note

#: Field with the number of an object, as trackers write it.
_ID_FIELD = "object_id"
#: Number of folders, from the file's own upwards, in which the class names are searched.
_LEVELS = 3
#: Files in which class names are searched, in this order.
_CLASS_FILES = ("data.yaml", "data.yml", "dataset.yaml")
#: Files with a class name per line, in the order of the numbers.
_CLASS_LISTS = ("classes.txt", "obj.names", "predefined_classes.txt", "_darknet.labels")
#: File with the classes in an export of Label Studio.
_NOTES = "notes.json"
#: Names of the files with classes, which hold no annotations.
CLASS_LIST_NAMES = (*_CLASS_LISTS, _NOTES)
#: Line of at least five numbers with commas between or in them.
_COMMA_LINE = re.compile(r"(?=.*[,;])\s*[-+.\deE]+(?:[\s,;]+[-+.\deE]+){4,}[\s,;]*")
#: Line of a word and at least four numbers.
_NAMED_LINE = re.compile(r"\s*\S+(?:\s+[-+.\deE]+){4,}\s*")
#: Maximum number of characters of a class number.
_MAX_CLASS_DIGITS = 18
#: Maximum size of a file with class names, bytes.
_MAX_CLASS_BYTES = 1 << 20


def read_yolo(
    path: Path,
    names: Mapping[int, str] | None = None,
    messages: Sequence[Message] = (),
    columns: YoloColumns | None = None,
) -> Annotations:
    """Read the boxes or polygons of one image in a YOLO file.

    The image has the name of the file without its extension. A line is ``class cx cy w h [score]``
    or ``class x1 y1 x2 y2 x3 y3 … [score]``, each of which may end with the number of the object;
    see :func:`~randcrowns.core.exchange.yolo_columns.recognise_columns` for other values. The class
    -1 stands for no class.

    Args:
        path: the text file.
        names: names of the classes by number, see :func:`find_class_names`; without a name the
            label is the number.
        messages: messages about the names, which are added to those of the annotations.
        columns: what the values of the lines are; by default it is recognised by this file alone.

    Returns:
        The annotations, in shares of the image's width and height, or in pixels. Numbers of objects
        are in the field ``object_id``.

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
    lines = read_yolo_lines(path)
    if columns is None:
        columns = recognise_columns(lines)
        messages = [*messages, *columns.messages]
    collected = AnnotationCollector(path.name)
    image = collected.index_image(path.stem)
    for line in lines:
        class_number = int(float(line.text.split()[0]))
        label: str | None = None
        if class_number >= 0:
            label = class_labels.get(class_number, str(class_number))
        has_name = class_number in class_labels or not class_labels
        if class_number < 0 or not has_name:
            collected.add_problem(DoubtReason.NO_NAME, line.row)
        coordinates, score, object_id = columns.split(line.values)
        shape = _read_outline(coordinates, columns.box_form)
        fields = {}
        if object_id is not None and math.isfinite(object_id):
            fields[_ID_FIELD] = int(object_id)
        collected.add(shape, image, line.row, label, score, fields=fields)
    unit = CoordinateUnit.PIXELS if columns.is_pixels else CoordinateUnit.SHARES
    return collected.build(unit, messages)


def read_yolo_lines(path: Path) -> list[YoloLine]:
    """Read the lines of a YOLO file that are not blank.

    Args:
        path: the text file.

    Raises:
        InputError: naming the file and the line, if the line is not one of a YOLO file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "plot_1.txt"
    ...     _ = path.write_text("0 0.5 0.5 0.25 0.5")
    ...     read_yolo_lines(path)[0].values
    (0.5, 0.5, 0.25, 0.5)
    """
    lines = []
    for row, text in enumerate(read_text(path).splitlines(), 1):
        fields = text.split()
        if not fields:
            continue
        is_class = len(fields[0]) <= _MAX_CLASS_DIGITS and CLASS_NUMBER.fullmatch(fields[0])
        has_commas = "," in text and _COMMA_LINE.fullmatch(text) is not None
        if not is_class or len(fields) <= BOX_SIZE or has_commas:
            raise _invalid_line_error(path.name, row, text)
        lines.append(YoloLine.parse(path.name, row, text))
    return lines


def similar_line_error(path: Path) -> InputError | None:
    """Return the error for a text file with lines like those of YOLO; None for other files.

    Such lines have commas between the values, or the name of the class in place of its number.

    Args:
        path: the text file.

    Raises:
        InputError: if the file cannot be read.
    """
    for row, text in enumerate(read_text(path).splitlines(), 1):
        if not text.strip():
            continue
        if _COMMA_LINE.fullmatch(text) or _NAMED_LINE.fullmatch(text):
            return _invalid_line_error(path.name, row, text)
        return None
    return None


def _invalid_line_error(file: str, row: int, text: str) -> InputError:
    """Return the error for a line that is not one of a YOLO file, with the line.

    Args:
        file: name of the file.
        row: number of the line, from 1.
        text: the line.
    """
    line = text.strip()[:MAX_SHOWN]
    if _COMMA_LINE.fullmatch(text):
        return InputError(
            "yolo.commas",
            "{path}: line {row} is '{line}', with commas. YOLO separates values with spaces, and "
            "its decimal sign is a point. Replace the commas.",
            path=file,
            row=row,
            line=line,
        )
    return InputError(
        "yolo.not_yolo",
        "{path} is not a YOLO file: line {row} is '{line}', neither 'class x y width height' nor "
        "'class x1 y1 …'. The class must be a number.",
        path=file,
        row=row,
        line=line,
    )


def recognise_folders(paths: Sequence[Path]) -> dict[Path, YoloColumns]:
    """Recognise what the values in YOLO files are, from all files of a folder together.

    Args:
        paths: the files.

    Returns:
        What the values are, by folder.

    Raises:
        InputError: if a file is not one of YOLO, or if its values are not clear.

    >>> recognise_folders([])
    {}
    """
    paths_by_folder: dict[Path, list[Path]] = {}
    for path in paths:
        paths_by_folder.setdefault(path.parent, []).append(path)
    columns = {}
    for folder, folder_paths in paths_by_folder.items():
        lines: list[YoloLine] = []
        for path in folder_paths:
            lines += read_yolo_lines(path)
        columns[folder] = recognise_columns(lines, find_key_points(folder_paths[0]))
    return columns


def find_key_points(path: Path) -> tuple[int, int]:
    """Return the number of key points in the data.yaml of a YOLO file, and of the values of each.

    Args:
        path: the YOLO file.

    >>> find_key_points(Path("plot_1.txt"))
    (0, 0)
    """
    file = _find_first(_nearest_folders(path.resolve().parent), _CLASS_FILES)
    if file is None or _is_too_large(file):
        return 0, 0
    return parse_key_points(read_text(file))


def _read_outline(values: list[float], box_form: BoxForm) -> shapely.Polygon | SkipReason:
    """Return the box or polygon of a line.

    Args:
        values: four values of a box, or x1, y1, x2, y2, … of a polygon.
        box_form: what the values of a box are.

    Returns:
        The geometry, or the reason to skip the line if it is invalid.
    """
    if len(values) > BOX_SIZE:
        return parse_polygon(values)
    if box_form is BoxForm.CORNERS:
        return parse_box(values)
    x, y, width, height = values
    if width <= 0 or height <= 0:
        return SkipReason.NO_SIZE
    return parse_box([x - width / 2, y - height / 2, x + width / 2, y + height / 2])


def _nearest_folders(folder: Path) -> list[Path]:
    """Return a folder and the folders above it in which class names are searched."""
    return [folder, *folder.parents][:_LEVELS]


def _find_first(folders: Sequence[Path], names: Sequence[str]) -> Path | None:
    """Return the first file with one of several names in folders; None if there is none."""
    candidates = [folder / name for folder in folders for name in names]
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def find_class_names(
    path: Path, image_folder: Path | None = None
) -> tuple[dict[int, str], list[Message]]:
    """Find the class names of a YOLO file in a data.yaml, classes.txt or notes.json.

    They are searched in the folder of the file and in the folders above it, then in the folder of
    the images and in the folders above that one: predictions are written without a data.yaml, which
    lies near the images. classes.txt has a name per line; notes.json is Label Studio's.

    Args:
        path: the YOLO file.
        image_folder: folder of the images that the user selected; None without one.

    Returns:
        The names by class number, empty without such a file; and a message if they are those of
        the images, if the file is too large, or if the names are missing or not as many as the
        data.yaml declares.

    Raises:
        InputError: if the file cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "data.yaml").write_text("names: [Alive, Dead]")
    ...     find_class_names(Path(folder) / "plot_1.txt")
    ({0: 'Alive', 1: 'Dead'}, [])
    """
    names, messages = _read_names_in(_nearest_folders(path.resolve().parent))
    if names or messages or image_folder is None:
        return names, messages
    names, messages = _read_names_in(_nearest_folders(image_folder.resolve()))
    if names:
        messages.append(
            note(
                "yolo.names_of_images",
                "The crowns have no names of classes. The names near the images were used: "
                "{names}.",
                names=abbreviate(list(names.values())),
            )
        )
    return names, messages


def _read_names_in(folders: Sequence[Path]) -> tuple[dict[int, str], list[Message]]:
    """Return the class names in the first file of folders, as :func:`find_class_names` does."""
    file = _find_first(folders, _CLASS_FILES)
    if file is None:
        return _read_class_list(folders)

    if _is_too_large(file):
        return {}, [_large_file_message(file)]
    content = read_text(file)
    names = _read_class_names(content)
    n_declared = read_count(content, "nc")
    if names and n_declared in (None, len(names)):
        return dict(names), []
    message = note(
        "exchange.class_names",
        "{file}: its list 'names' is missing, invalid or not as long as 'nc' declares; classes "
        "without a name are numbers.",
        file=file.name,
    )
    return dict(names), [message]


@lru_cache(maxsize=8)
def _read_class_names(content: str) -> dict[int, str]:
    """Return the class names in the text of a data.yaml by number, cached.

    A folder of many files has one data.yaml.
    """
    return read_items(content, "names")


def _is_too_large(file: Path) -> bool:
    """Return True if a file is larger than any list of class names."""
    return file.stat().st_size > _MAX_CLASS_BYTES


def _large_file_message(file: Path) -> Message:
    """Return the message that a file of class names is too large."""
    return note(
        "yolo.large_class_file",
        "{file} is larger than {size} MB, which is too large for a list of class names, and was "
        "not read; classes without a name are numbers.",
        file=file.name,
        size=_MAX_CLASS_BYTES >> 20,
    )


def _read_class_list(folders: Sequence[Path]) -> tuple[dict[int, str], list[Message]]:
    """Return the class names in the first classes.txt or notes.json of folders.

    Returns:
        The names by class number, empty without such a file; and a message if the file is too
        large.
    """
    notes = _find_first(folders, [_NOTES])
    file = _find_first(folders, _CLASS_LISTS)
    for class_file in (notes, file):
        if class_file is not None and _is_too_large(class_file):
            return {}, [_large_file_message(class_file)]
    names = {} if notes is None else _read_notes(notes)
    if names or file is None:
        return names, []
    lines = read_text(file).rstrip().splitlines()
    return {number: line.strip() for number, line in enumerate(lines)}, []


def _read_notes(notes: Path) -> dict[int, str]:
    """Return the class names in Label Studio's notes.json by number; empty without a valid list."""
    content = read_json(notes)
    categories = content.get("categories") if isinstance(content, dict) else None
    if not isinstance(categories, list):
        return {}
    items = [item for item in categories if isinstance(item, dict)]
    numbers = [parse_number(item.get("id")) for item in items]
    if not all(map(math.isfinite, numbers)):
        return {}
    return {int(number): str(item.get("name")) for number, item in zip(numbers, items)}
