"""DeepForest's CSV tables of annotations on one or many images.

Version 1 has boxes in the columns xmin, ymin, xmax, ymax. Version 2 has outlines and points as
well-known text in the column geometry, or points in the columns x, y.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import EXACT_NUMBERS, Bools, Floats, Ints, Objects, to_numbers
from randcrowns.core.crowns import POLYGON_TYPES
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    DEFAULT_LABEL,
    MAX_ANNOTATIONS,
    MIN_POINTS,
    Annotations,
    CoordinateUnit,
    DoubtReason,
    Image,
    SkipReason,
    too_many_annotations_error,
)
from randcrowns.core.exchange.box_columns import (
    BoxColumns,
    BoxForm,
    columns_by_lower_name,
    find_box_columns,
    find_image_size_columns,
    form_message,
    parse_box_list,
    recognise_form,
    to_corners,
)
from randcrowns.core.exchange.further_fields import name_fields, typed_values
from randcrowns.core.exchange.values import (
    detect_text_encoding,
    parse_number,
    unreadable_error,
)
from randcrowns.core.field_names import is_score_name
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.core.messages import Message, abbreviate, note, warning
from randcrowns.core.progress import Progress, no_progress

#: Possible names of the column with the image, DeepForest's own first; case is ignored.
IMAGE_COLUMNS = ("image_path", "image", "filename", "file_name", "image_name")
#: Possible names of that column in tables. In layers, such fields may be anything.
_TABLE_IMAGE_COLUMNS = (
    *IMAGE_COLUMNS,
    *("image_file", "image_filename", "img_path", "img_name", "img_file", "img", "image_id"),
)
#: Possible names of the column with the score.
SCORE_COLUMNS = ("score", "scores", "confidence", "confidence_score", "conf", "prob")
#: Possible names of the column with the label; the last one may also be the name of a tree.
LABEL_COLUMNS = (
    *("label", "labels", "class", "category"),
    *("label_name", "class_name", "category_name"),
    "name",
)
#: Possible names of the column with the outline.
GEOMETRY_COLUMNS = ("geometry", "wkt", "polygon")
#: Texts of a missing outline, in lower case, as pandas and GeoPandas write it.
_EMPTY_OUTLINES = ("", "nan", "none", "null", "<na>")
#: Maximum length of such a text with spaces.
_MAX_EMPTY_LENGTH = 10
#: Names of the columns of a box.
BOX_COLUMNS = ("xmin", "ymin", "xmax", "ymax")
#: Names of the columns of a point.
POINT_COLUMNS = ("x", "y")
#: Names of the columns of a size, with x and y: of the box, or of the image.
_SIZE_COLUMNS = (("width", "w"), ("height", "h"))
#: Possible separators of columns.
SEPARATORS = ",;\t"
#: Names of all columns that are read.
_READ = (
    *_TABLE_IMAGE_COLUMNS,
    *SCORE_COLUMNS,
    *LABEL_COLUMNS,
    *GEOMETRY_COLUMNS,
    *BOX_COLUMNS,
    *POINT_COLUMNS,
)
#: Columns of a table without a heading, as keras-retinanet writes it; a score may follow.
_BARE_COLUMNS = (IMAGE_COLUMNS[0], *BOX_COLUMNS, LABEL_COLUMNS[0])
#: Number of rows that are read at a time.
_ROWS_PER_CHUNK = 200_000
#: Maximum length of the heading, bytes.
_MAX_HEADING = 1 << 16
#: Maximum number of columns. A GeoPackage holds 2,000 with those of the plugin.
_MAX_COLUMNS = 1_900
#: Numbers with a comma as decimal sign, and those whose commas may divide thousands.
_DECIMAL_COMMA = r"[-+]?\d*,\d+"
_THOUSANDS = r"[-+]?[1-9]\d{0,2}(?:,\d{3})+"
#: Maximum length of a list of values in an error.
_MAX_SHOWN = 120
#: Maximum number of columns that a message lists.
_MAX_LISTED = 12
#: What :func:`_distinct_names` appends to a repeated name.
_REPETITION = re.compile(r" \(column \d+\)$")
#: Line of the first row, counted from 1, after the heading.
_FIRST_ROW = 2


def find_column(names: tuple[str, ...], columns: list[str]) -> str:
    """Return the column with one of several names.

    Args:
        names: possible names in lower case, the preferred one first.
        columns: the columns; case and surrounding spaces are ignored.

    Returns:
        The column as it is written in ``columns``, or "" if there is none. Of equal names the first
        column is returned.

    >>> find_column(SCORE_COLUMNS, ["label", "Confidence"]), find_column(SCORE_COLUMNS, ["label"])
    ('Confidence', '')
    """
    by_lower_name = columns_by_lower_name(columns)
    return next((by_lower_name[name] for name in names if name in by_lower_name), "")


def find_score_column(columns: list[str]) -> str:
    """Return the column with the score: that of a known name, else the first named like one.

    >>> find_score_column(["stability_score", "conf"]), find_score_column(["stability_score"])
    ('conf', 'stability_score')
    >>> find_score_column(["confirmed", "problem_id"])
    ''
    """
    score_column = find_column(SCORE_COLUMNS, columns)
    return score_column or next((str(name) for name in columns if is_score_name(str(name))), "")


class CrownFields(NamedTuple):
    """Fields of a vector layer whose meaning follows from their names; "" for none."""

    image: str  #: name of the image.
    label: str  #: label of the crown.
    score: str  #: score of the crown.


def find_crown_fields(fields: list[str]) -> CrownFields:
    """Return the fields of a vector layer with the image, the label and the score.

    Args:
        fields: names of all fields.

    >>> find_crown_fields(["id", "Species", "label", "conf"])
    CrownFields(image='', label='label', score='conf')
    """
    return CrownFields(
        image=find_column(IMAGE_COLUMNS, fields),
        label=find_column(LABEL_COLUMNS, fields),
        score=find_score_column(fields),
    )


def has_deepforest_columns(columns: list[str]) -> bool:
    """Return True if a table with these columns can hold annotations of images.

    >>> boxes = ["image_path", "xmin", "xmax", "ymin", "ymax"]
    >>> has_deepforest_columns(boxes), has_deepforest_columns(["x", "y"])
    (True, False)
    """
    has_image = bool(find_column(_TABLE_IMAGE_COLUMNS, columns))
    has_box = _find_boxes(columns) is not None
    has_point = all(find_column((name,), columns) for name in POINT_COLUMNS)
    has_geometry = bool(find_column(GEOMETRY_COLUMNS, columns))
    return has_image and (has_box or has_point or has_geometry)


def _find_boxes(columns: list[str]) -> BoxColumns | None:
    """Return the columns of boxes; None without them.

    Beside outlines, only DeepForest's own columns are boxes. Others are fields there.
    """
    boxes = find_box_columns(columns)
    has_outlines = bool(find_column(GEOMETRY_COLUMNS, columns))
    is_own = boxes is not None and tuple(map(str.lower, boxes.names)) == BOX_COLUMNS
    return boxes if is_own or not has_outlines else None


def is_box_row(values: list[str]) -> bool:
    """Return True if values are an image, a box and a label, as in tables without a heading.

    Args:
        values: the values of the first row. An image without crowns has empty ones.

    >>> is_box_row(["a.png", "0", "0", "4", "2", "Tree"]), is_box_row(["a", "b", "c", "d", "e"])
    (True, False)
    """
    n_values = len(values)
    if abs(n_values - len(_BARE_COLUMNS)) > 1:
        return False
    image, *box = [value.strip() for value in values[:5]]
    has_extension = re.search(r"\.\w{2,5}$", image) is not None
    if not has_extension or _is_number(image):
        return False
    is_empty = not any(box) and n_values >= len(_BARE_COLUMNS)
    return is_empty or all(_is_number(value) for value in box)


def _is_number(text: str) -> bool:
    """Return True if a text is a finite number."""
    return math.isfinite(parse_number(text))


def read_deepforest(
    path: Path, min_score: float = 0.0, progress: Progress = no_progress
) -> Annotations:
    r"""Read the annotations in a DeepForest table.

    Columns are identified by name, in any order; those that are not read for the annotation itself
    become fields. A box of zeros, or an empty row, stands for an image without annotations.

    Args:
        path: the CSV file, with commas, semicolons or tabs.
        min_score: annotations with a lower score are skipped and counted; 0 keeps all.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The annotations. The frame is unknown if the table has outlines, which may be in pixels or
        in coordinates of a map.

    Raises:
        InputError: naming the file, if it is not a valid table or has too many rows.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "boxes.csv"
    ...     table = "image_path,xmin,ymin,xmax,ymax,score\nplot.tif,0,0,4,2,0.5\n"
    ...     _ = path.write_text(table, encoding="utf-8")
    ...     annotations = read_deepforest(path)
    >>> annotations.shapes[0].area, annotations.score.tolist(), annotations.images[0].name
    (8.0, [0.5], 'plot.tif')
    """
    heading = _read_heading(path)
    box_form = _recognise_boxes(path, heading)
    messages = _heading_messages(path.name, heading, box_form)
    file_size = max(path.stat().st_size, 1)
    parts: list[Annotations] = []
    images: dict[str, int] = {}
    n_annotations = 0
    first_row = _FIRST_ROW if heading.is_written else 1
    chunk_row = first_row
    for rows, position in _read_chunks(path, heading):
        chunk = _parse_chunk(rows, chunk_row, images, box_form)
        part = chunk.drop_low_scores(min_score)
        chunk_row += len(rows)
        n_annotations += len(part)
        if n_annotations > MAX_ANNOTATIONS:
            n_excess = n_annotations - MAX_ANNOTATIONS
            last_row = int(part.source_row[-1])
            raise too_many_annotations_error(path.name, last_row - n_excess + 1)
        parts.append(part)
        progress(min(position / file_size, 1.0))
    if chunk_row == first_row:
        messages.append(
            note("exchange.no_rows", "{file} has a heading but no rows.", file=path.name)
        )
    annotations = Annotations.concatenate(parts, [Image(name) for name in images])
    has_decimal_commas = heading.separator != ","
    fields = {}
    for name, texts in annotations.fields.items():
        fields[name] = typed_values(texts, has_decimal_commas)
    return replace(annotations, messages=tuple(messages), fields=fields)


def write_deepforest(annotations: Annotations) -> str:
    """Return annotations as a DeepForest table.

    The columns are image_path, the box, label, score (if any annotation has one), geometry, the
    outline as well-known text, and the further fields, which DeepForest keeps. A field with the
    name of another column gets a number after its name. An image without annotations gets a row of
    zeros, as in DeepForest. Rows without a label get the label "Tree".

    Args:
        annotations: annotations in pixels, without masks.

    Returns:
        The CSV text. Lines end as in RFC 4180, so that a carriage return in a label is quoted.

    >>> images = [Image("plot.tif", 100, 100)]
    >>> text = write_deepforest(Annotations.from_shapes([shapely.Point(4, 2)], images))
    >>> text.splitlines()[1]
    'plot.tif,4.0,2.0,4.0,2.0,Tree,POINT (4 2)'
    """
    has_scores = not np.isnan(annotations.score).all()
    text = io.StringIO()
    table = csv.writer(text)
    # Of the possible names of a column, the first one is written.
    box_heading = [IMAGE_COLUMNS[0], *BOX_COLUMNS, LABEL_COLUMNS[0]]
    score_heading = [SCORE_COLUMNS[0]] if has_scores else []
    fields = _fields_to_write(annotations, [*box_heading, *score_heading])
    further_heading = [*score_heading, GEOMETRY_COLUMNS[0], *fields]
    table.writerow([*box_heading, *further_heading])

    further_columns: list[list[str]] = []
    if has_scores:
        scores = annotations.score.tolist()
        further_columns.append(["" if math.isnan(score) else repr(score) for score in scores])
    # -1 writes all digits.
    further_columns.append(shapely.to_wkt(annotations.shapes, rounding_precision=-1).tolist())
    for values in fields.values():
        field_cells = [_to_cell(value) for value in values.tolist()]
        further_columns.append(field_cells)

    bounds = shapely.bounds(annotations.shapes).tolist()
    for row, image_index in enumerate(annotations.image_index.tolist()):
        image = annotations.images[image_index].name
        box = [repr(value) for value in bounds[row]]
        label = annotations.label[row] or DEFAULT_LABEL
        further_cells = [column[row] for column in further_columns]
        table.writerow([image, *box, label, *further_cells])
    empty_box = [0, 0, 0, 0]
    empty_cells = [""] * len(further_columns)
    for name in annotations.empty_images:
        table.writerow([name, *empty_box, DEFAULT_LABEL, *empty_cells])
    return text.getvalue()


def _fields_to_write(annotations: Annotations, heading: list[str]) -> dict[str, Objects]:
    """Return the further fields by the names of their columns.

    Args:
        annotations: the annotations.
        heading: names of the other columns.
    """
    names = [annotations.images[index].name for index in annotations.image_index]
    columns: dict[str, Any] = {IMAGE_COLUMNS[0]: names, LABEL_COLUMNS[0]: annotations.label}
    sides = shapely.bounds(annotations.shapes).T
    columns.update(zip(BOX_COLUMNS, sides))
    if SCORE_COLUMNS[0] in heading:
        scores = annotations.score.astype(object)
        scores[np.isnan(annotations.score)] = None
        columns[SCORE_COLUMNS[0]] = scores
    return name_fields(columns, annotations.fields)


def _to_cell(value: Any) -> Any:
    """Return a value of a field as content of a CSV table.

    A missing value becomes "", a date its ISO text, bytes their hexadecimal text, a list or object
    JSON.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, (date, time)):  # a datetime is a date
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, (list, dict)):
        return json.dumps(value, default=str)
    return value


class _Heading(NamedTuple):
    """The heading of a table."""

    columns: list[str]  #: the columns as written, with spaces.
    separator: str  #: one of :data:`SEPARATORS`.
    is_written: bool = True  #: False for a table without a heading.

    @property
    def names(self) -> list[str]:
        """The columns without surrounding spaces."""
        return [column.strip() for column in self.columns]


@contextmanager
def table_errors(path: Path) -> Iterator[None]:
    """Convert errors while a table is read to InputError, with the name of the file."""
    try:
        yield
    except OSError as error:
        raise unreadable_error(path, error) from error
    except UnicodeDecodeError as error:
        raise InputError(
            "file.not_utf8", "{path} is not text in UTF-8; save it as UTF-8.", path=path.name
        ) from error
    except (pd.errors.ParserError, csv.Error) as error:
        why = str(error).replace("Error tokenizing data. C error: ", "").strip()
        raise InputError(
            "deepforest.incomplete",
            "{path} is not a complete table: {why}.",
            path=path.name,
            why=why,
        ) from error


def _read_heading(path: Path) -> _Heading:
    """Read the heading of a table.

    Raises:
        InputError: if the file cannot be read or its columns are not those of DeepForest.
    """
    encoding = detect_text_encoding(path)
    with table_errors(path), path.open(encoding=encoding, newline="") as file:
        beginning = file.readline(_MAX_HEADING)
        if len(beginning) == _MAX_HEADING:
            raise InputError(
                "deepforest.endless_heading",
                "{path} is not a DeepForest table: its first line has no end.",
                path=path.name,
            )
        lines = beginning.splitlines()
        heading = _split_heading(lines[0] if lines else "")
    if is_box_row(heading.names) and not has_deepforest_columns(heading.names):
        columns = [*_BARE_COLUMNS, SCORE_COLUMNS[0]][: len(heading.columns)]
        return _Heading(columns, heading.separator, is_written=False)
    _check_heading(path, heading)
    return heading


def _split_heading(first_line: str) -> _Heading:
    """Return the columns of the first line, at commas, or at another separator if it has none."""
    columns = next(csv.reader([first_line]), [])
    if len(columns) > 1:
        return _Heading(columns, ",")
    separator = next((mark for mark in SEPARATORS if mark in first_line), ",")
    return _Heading(next(csv.reader([first_line], delimiter=separator), []), separator)


def _check_heading(path: Path, heading: _Heading) -> None:
    """Raise an InputError if the columns of a table are not those of DeepForest, or too many.

    Args:
        path: file that errors name.
        heading: the heading of the table.
    """
    if len(heading.columns) > _MAX_COLUMNS:
        raise InputError(
            "deepforest.too_many_columns",
            "{path} has {count:,} columns. Save it with the columns of the crowns only, at most "
            "{most:,}.",
            path=path.name,
            count=len(heading.columns),
            most=_MAX_COLUMNS,
        )
    if not any(heading.names):
        raise InputError(
            "deepforest.nameless_columns",
            "{path} is not a DeepForest table: its first line names no columns. It needs "
            "image_path, and xmin, ymin, xmax, ymax, or geometry, or x, y.",
            path=path.name,
        )
    if not has_deepforest_columns(heading.names):
        raise InputError(
            "deepforest.not_deepforest",
            "{path} is not a DeepForest table: it needs a column image_path, and xmin, ymin, xmax, "
            "ymax, or geometry, or x, y. It has: {columns}.",
            path=path.name,
            columns=", ".join(heading.names[:_MAX_LISTED]),
        )


def _recognise_boxes(path: Path, heading: _Heading) -> BoxForm:
    """Return the meaning of the values of boxes.

    Columns have names that state the meaning. A column with lists of four values does not, so that
    the lists of all rows are examined together.

    Args:
        path: the file, which is read as a whole if a column has lists.
        heading: its heading.

    Raises:
        InputError: with the first list, if the meaning is ambiguous.
    """
    boxes = _find_boxes(heading.names)
    if boxes is None:
        return BoxForm.CORNERS
    if boxes.form is not None:
        return boxes.form

    column = boxes.names[0]
    size_columns = list(find_image_size_columns(heading.names))
    box_lists: list[list[float]] = []
    image_sizes = [np.empty((0, 2))]  # width, height; NaN if the table does not contain them
    first_list = ""
    for rows, _ in _read_chunks(path, heading):
        texts = rows[column].dropna().astype(str)
        if not first_list and len(texts):
            first_list = str(texts.iloc[0])
        box_lists += [parse_box_list(text) for text in texts]
        if size_columns:
            image_sizes.append(_to_numbers(rows.loc[texts.index], size_columns))
        else:
            image_sizes.append(np.full((len(texts), 2), np.nan))
    values = np.array(box_lists, dtype=float).reshape(-1, 4)
    form = recognise_form(values, np.concatenate(image_sizes))
    if form is None and np.isfinite(values).all(axis=1).any():
        raise InputError(
            "deepforest.ambiguous_boxes",
            "{path}: the values of column {column} may be two corners, or a corner and a size. "
            "The first is '{line}'. Save the sides as columns xmin, ymin, xmax and ymax.",
            path=path.name,
            column=column,
            line=first_list[:_MAX_SHOWN],
        )
    return form or BoxForm.CORNERS


def _heading_messages(file: str, heading: _Heading, box_form: BoxForm) -> list[Message]:
    """Return messages about columns: repeated, not read, without names, or of other programs.

    Args:
        file: name of the file.
        heading: the heading of the table.
        box_form: meaning of the values of boxes.
    """
    if not heading.is_written:
        return [
            note(
                "deepforest.no_heading",
                "{file} has no heading; its columns were read as {columns}.",
                file=file,
                columns=", ".join(heading.columns),
            )
        ]
    messages = []
    boxes = _find_boxes(heading.names)
    read_names = set(_READ)
    if boxes is not None:
        read_names.update(name.lower() for name in boxes.names)
    counts = Counter(name.lower() for name in heading.names)
    repeated = [name for name, count in counts.items() if name in read_names and count > 1]
    if repeated:
        message = warning(
            "exchange.doubled",
            "{file} has several columns called {columns}; the first of each was read.",
            file=file,
            columns=abbreviate(repeated),
        )
        messages.append(message)
    if _may_have_boxes_of_size(heading.names):
        message = warning(
            "deepforest.size_not_read",
            "{file} has columns with a width and a height, which are not read: x and y were taken "
            "for points. To read boxes, save their sides as columns xmin, ymin, xmax and ymax.",
            file=file,
        )
        messages.append(message)
    form_note = None if boxes is None else form_message(file, boxes, box_form)
    if form_note is not None:
        messages.append(form_note)
    return messages


def _may_have_boxes_of_size(columns: list[str]) -> bool:
    """Return True if only points are read of a table, although it has a width and a height."""
    has_size = all(find_column(names, columns) for names in _SIZE_COLUMNS)
    has_box = _find_boxes(columns) is not None
    return has_size and not has_box and not find_column(GEOMETRY_COLUMNS, columns)


def _read_chunks(path: Path, heading: _Heading) -> Iterator[tuple[pd.DataFrame, int]]:
    """Read the rows of a table in chunks.

    Args:
        path: the file.
        heading: its heading.

    Yields:
        The rows, with distinct columns without surrounding spaces, and the position in the file,
        bytes.

    Raises:
        InputError: if the file cannot be read or rows are longer than the heading.
    """
    # pandas itself ends a name at a NUL character.
    columns = _distinct_names([column.strip() for column in heading.columns])
    text_columns = _find_text_columns(columns)
    encoding = detect_text_encoding(path)
    with table_errors(path), path.open("rb") as file:
        reader = pd.read_csv(
            file,
            sep=heading.separator,
            header=0 if heading.is_written else None,
            names=columns,
            chunksize=_ROWS_PER_CHUNK,
            keep_default_na=False,
            na_values=[""],
            encoding=encoding,
            skip_blank_lines=False,
            low_memory=False,
            **EXACT_NUMBERS,
            index_col=False,
            dtype={column: str for column in columns if column in text_columns},
        )
        # Once a chunk has decimal commas, the commas of all later chunks are decimal signs.
        has_commas = False
        for rows in _refuse_long_rows(reader, path.name):
            if heading.separator != ",":
                texts = _texts_of_numbers(rows)
                has_commas = has_commas or _has_decimal_commas(texts)
                if has_commas:
                    rows = rows.assign(**_with_decimal_points(texts))
            yield rows, file.tell()


def _find_text_columns(columns: list[str]) -> set[str]:
    """Return the columns whose values are read as text.

    Names of images and labels may be digits, such as 007. The type of a further column follows from
    all of its values, after the last chunk.
    """
    image_column = find_column(_TABLE_IMAGE_COLUMNS, columns)
    label_column = find_column(LABEL_COLUMNS, columns)
    return {image_column, label_column, *_further_columns(columns)}


def _further_columns(columns: list[str]) -> list[str]:
    """Return the columns that are not read for the annotation itself.

    >>> _further_columns(["image_path", "xmin", "ymin", "xmax", "ymax", "label", "name", "dbh", ""])
    ['name', 'dbh']
    """
    boxes = _find_boxes(columns)
    # Each tuple holds the names that one column may have.
    possible_names = [_TABLE_IMAGE_COLUMNS, LABEL_COLUMNS, GEOMETRY_COLUMNS]
    possible_names += [(name,) for name in BOX_COLUMNS]
    if boxes is None and not find_column(GEOMETRY_COLUMNS, columns):
        possible_names += [(name,) for name in POINT_COLUMNS]
    read_columns = [find_column(names, columns) for names in possible_names]
    read_columns.append(find_score_column(columns))
    if boxes is not None:
        read_columns += boxes.names
    read_names = {column.lower() for column in read_columns}

    further_columns = []
    for column in dict.fromkeys(columns):
        # The first of several columns of one name was read, see _distinct_names.
        name = _REPETITION.sub("", column).lower()
        if column and name not in read_names:
            further_columns.append(column)
    return further_columns


def _distinct_names(columns: list[str]) -> list[str]:
    """Return names of all columns, the first of several equal names as it is.

    >>> _distinct_names(["a", "b", "a"])
    ['a', 'b', 'a (column 3)']
    """
    is_repeated = pd.Index(columns).duplicated().tolist()
    return [
        f"{column} (column {number})" if repeated else column
        for number, (column, repeated) in enumerate(zip(columns, is_repeated), 1)
    ]


def _texts_of_numbers(rows: pd.DataFrame) -> dict[str, pd.Series[str]]:
    """Return the columns of boxes, points and scores whose values are text, by name."""
    boxes = _find_boxes(list(rows.columns))
    columns = [find_column((name,), list(rows.columns)) for name in POINT_COLUMNS]
    columns += boxes.names if boxes and not boxes.is_list else ()
    columns.append(find_score_column(list(rows.columns)))
    return {
        column: rows[column].astype("string").str.strip()
        for column in columns
        if column and rows[column].dtype.kind not in "iuf"
    }


def _has_decimal_commas(texts: Mapping[str, pd.Series[str]]) -> bool:
    """Return True if the commas in texts of numbers are decimal signs.

    Commas of "1,234" alone may divide thousands; such numbers are not read.

    >>> [_has_decimal_commas({"x": pd.Series([text])}) for text in ("0,5", "1,25", "1,234", "1.5")]
    [True, True, False, False]
    """
    for values in texts.values():
        is_decimal = values.str.fullmatch(_DECIMAL_COMMA) & ~values.str.fullmatch(_THOUSANDS)
        if is_decimal.fillna(False).any():
            return True
    return False


def _with_decimal_points(texts: Mapping[str, pd.Series[str]]) -> dict[str, pd.Series[Any]]:
    """Return texts of numbers by name, in which decimal commas are points."""
    return {
        name: values.str.replace(",", ".", regex=False).astype(object).where(values.notna())
        for name, values in texts.items()
    }


def _refuse_long_rows(reader: Iterator[pd.DataFrame], file: str) -> Iterator[pd.DataFrame]:
    """Yield the chunks of a reader; raise InputError for rows longer than the heading.

    Pandas only warns about such rows and drops their last values.
    """
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            try:
                rows = next(reader, None)
            except pd.errors.ParserWarning as error:
                raise InputError(
                    "deepforest.too_many_values",
                    "{name} has rows with more values than its heading has columns. Put values "
                    "that contain a comma, such as outlines and labels, in quotes.",
                    name=file,
                ) from error
        if rows is None:
            return
        yield rows


class _RowGeometry(NamedTuple):
    """Geometry of the n rows of a chunk, as read from some of its columns."""

    is_read: Bools  #: (n,) True for rows with values in these columns.
    shapes: Objects  #: (n,) shape of each row; None without a valid one, and for boxes of zeros.
    skip_reasons: Objects  #: (n,) SkipReason of each invalid row; None for the others.
    lost_parts: Bools  #: (n,) True for rows of whose geometry only the polygons are read.

    @classmethod
    def empty(cls, n: int) -> _RowGeometry:
        """Return the geometry of n rows that are not read."""
        return cls(
            is_read=np.zeros(n, dtype=bool),
            shapes=np.full(n, None, dtype=object),
            skip_reasons=np.full(n, None, dtype=object),
            lost_parts=np.zeros(n, dtype=bool),
        )

    @classmethod
    def join(cls, geometries: Sequence[_RowGeometry]) -> _RowGeometry:
        """Return the geometry of n rows, each of which is read from one kind of columns at most.

        Args:
            geometries: geometry of the same n rows from several kinds of columns.
        """
        joined = cls.empty(len(geometries[0].is_read))
        for geometry in geometries:
            rows = np.flatnonzero(geometry.is_read)
            joined.is_read[rows] = True
            joined.shapes[rows] = geometry.shapes[rows]
            joined.skip_reasons[rows] = geometry.skip_reasons[rows]
            joined.lost_parts[geometry.lost_parts] = True
        return joined


def _parse_chunk(
    rows: pd.DataFrame, first_row: int, images: dict[str, int], box_form: BoxForm
) -> Annotations:
    """Parse the rows of a chunk.

    For each row the outline is used, or else the box, or else the point.

    Args:
        rows: n rows of the table.
        first_row: line of the first one in the file.
        images: indices of the images by name; new images are added in place.
        box_form: meaning of the values of boxes.

    Returns:
        The annotations, without the list of images.
    """
    columns = list(rows.columns)
    image_column = _strip(rows[find_column(_TABLE_IMAGE_COLUMNS, columns)])
    has_image = image_column.notna().to_numpy()
    has_value = rows.notna().any(axis=1).to_numpy()

    outlines = _parse_outlines(rows, has_image)
    boxes = _parse_boxes(rows, has_image & ~outlines.is_read, box_form)
    points = _parse_points(rows, has_image & ~outlines.is_read & ~boxes.is_read)
    geometry = _RowGeometry.join([outlines, boxes, points])
    skip_reasons = geometry.skip_reasons
    # A row without any value is an empty line.
    skip_reasons[~has_image & has_value] = SkipReason.NO_IMAGE

    is_skipped = pd.notna(skip_reasons)
    is_usable = ~shapely.is_missing(geometry.shapes) & ~is_skipped
    is_annotation = is_usable | is_skipped
    source_rows = np.arange(first_row, first_row + len(rows))
    problem_rows: dict[SkipReason | DoubtReason, list[int]] = {}
    for reason in dict.fromkeys(skip_reasons[is_skipped]):
        problem_rows[reason] = source_rows[skip_reasons == reason].tolist()

    image_index = _index_images(image_column, has_image, images)
    scores, has_invalid_score = _parse_scores(rows, is_usable)
    fields = {
        name: rows.loc[is_usable, name].to_numpy(dtype=object) for name in _further_columns(columns)
    }
    annotations = Annotations.from_shapes(
        shapes=geometry.shapes[is_usable],
        images=[],
        image=image_index[is_usable],
        label=_parse_labels(rows, is_usable),
        score=scores,
        fields=fields,
    )
    annotations = replace(
        annotations,
        source_row=source_rows[is_usable],
        n_read=int(is_annotation.sum()),
        problem_rows=problem_rows,
        annotated_images=frozenset(image_index[has_image & is_annotation].tolist()),
        # Boxes are in pixels; outlines may also be in map coordinates.
        unit=CoordinateUnit.UNKNOWN if outlines.is_read.any() else CoordinateUnit.PIXELS,
    )
    lost_parts = geometry.lost_parts[is_usable]
    annotations = annotations.with_problem(DoubtReason.ONLY_POLYGONS, lost_parts)
    return annotations.with_problem(DoubtReason.NO_SCORE, has_invalid_score)


def _strip(texts: pd.Series) -> pd.Series:
    """Return texts (n,) without surrounding spaces; blank texts are missing."""
    stripped: pd.Series = texts.str.strip()
    return stripped.mask(stripped == "")


def _index_images(names: pd.Series, has_image: Bools, images: dict[str, int]) -> Ints:
    """Return the (n,) index of each row's image, -1 without one, and add new images.

    Args:
        names: (n,) names of the images.
        has_image: (n,) mask of the rows with a name.
        images: indices of the images by name; changed in place.
    """
    codes, distinct_names = pd.factorize(names[has_image].astype(str))
    indices = [images.setdefault(name, len(images)) for name in distinct_names]
    image_index = np.full(len(names), -1, dtype=np.int64)
    image_index[has_image] = np.array(indices, dtype=np.int64)[codes]
    return image_index


def _parse_outlines(rows: pd.DataFrame, is_to_parse: Bools) -> _RowGeometry:
    """Parse the column of outlines, which may also contain points.

    Args:
        rows: n rows of the table.
        is_to_parse: (n,) mask of the rows to parse.
    """
    result = _RowGeometry.empty(len(rows))
    column = find_column(GEOMETRY_COLUMNS, list(rows.columns))
    if not column:
        return result
    is_written = [not _is_empty_outline(value) for value in rows[column].to_numpy(dtype=object)]
    read_rows = np.flatnonzero(is_to_parse & np.array(is_written, dtype=bool))
    if len(read_rows) == 0:
        return result

    outlines = _parse_wkt(rows[column].to_numpy(dtype=object)[read_rows])
    parts, outline_of_part = shapely.get_parts(outlines, return_index=True)
    is_collection = shapely.get_type_id(outlines) == shapely.GeometryType.GEOMETRYCOLLECTION
    is_polygonal_part = np.isin(shapely.get_type_id(parts), POLYGON_TYPES)
    is_lost_part = ~is_polygonal_part & is_collection[outline_of_part]
    outlines[is_collection] = extract_polygons(outlines[is_collection])

    result.is_read[read_rows] = True
    result.shapes[read_rows] = outlines
    result.lost_parts[read_rows[outline_of_part[is_lost_part]]] = True
    result.skip_reasons[read_rows] = _outline_skip_reasons(outlines)
    return result


def _outline_skip_reasons(outlines: Objects) -> Objects:
    """Return the reason (n,) why an outline is no crown; None for usable polygons and points.

    Args:
        outlines: (n,) shapes; None for one that could not be read.
    """
    types = shapely.get_type_id(outlines)
    is_missing = types == shapely.GeometryType.MISSING
    is_polygonal = np.isin(types, POLYGON_TYPES)
    is_other = ~is_missing & ~is_polygonal & (types != shapely.GeometryType.POINT)
    is_empty = shapely.is_empty(outlines)  # of a collection without polygons
    skip_reasons = np.full(len(outlines), None, dtype=object)
    skip_reasons[is_missing] = SkipReason.BAD_GEOMETRY
    skip_reasons[is_other | is_empty] = SkipReason.NO_CROWN
    # A polygon of less than three distinct points has no area, so only those are counted.
    is_flat = is_polygonal & (shapely.area(outlines) == 0) & ~is_empty
    for row in np.flatnonzero(is_flat):
        n_points = len(np.unique(shapely.get_coordinates(outlines[row]), axis=0))
        if n_points < MIN_POINTS:
            skip_reasons[row] = SkipReason.FEW_POINTS
    return skip_reasons


def _parse_boxes(rows: pd.DataFrame, is_to_parse: Bools, form: BoxForm) -> _RowGeometry:
    """Parse the columns of boxes.

    A box of zeros stands for an image without crowns: it is read, but is no annotation.

    Args:
        rows: n rows of the table.
        is_to_parse: (n,) mask of the rows to parse.
        form: meaning of the values.
    """
    result = _RowGeometry.empty(len(rows))
    boxes = _find_boxes(list(rows.columns))
    if boxes is None:
        return result
    columns = list(boxes.names)
    if boxes.is_list:
        list_column = rows[columns[0]]
        values = np.array([parse_box_list(text) for text in list_column]).reshape(-1, 4)
    else:
        values = _to_numbers(rows, columns)
    has_value = rows[columns].notna().any(axis=1).to_numpy()
    result.is_read[:] = is_to_parse & has_value
    is_box = result.is_read & ~(values == 0).all(axis=1)
    is_number = np.isfinite(values).all(axis=1)
    corners = to_corners(values, form)
    has_size = (corners[:, 2:] > corners[:, :2]).all(axis=1)

    is_valid = is_box & is_number & has_size
    xmin, ymin, xmax, ymax = corners[is_valid].T
    result.shapes[is_valid] = shapely.box(xmin, ymin, xmax, ymax, ccw=False)
    result.skip_reasons[is_box & is_number & ~has_size] = SkipReason.NO_SIZE
    result.skip_reasons[is_box & ~is_number] = SkipReason.NOT_NUMBERS
    return result


def _parse_points(rows: pd.DataFrame, is_to_parse: Bools) -> _RowGeometry:
    """Parse the columns of points.

    Args:
        rows: n rows of the table.
        is_to_parse: (n,) mask of the rows to parse.
    """
    result = _RowGeometry.empty(len(rows))
    columns = [find_column((name,), list(rows.columns)) for name in POINT_COLUMNS]
    if not all(columns):
        return result
    values = _to_numbers(rows, columns)
    result.is_read[:] = is_to_parse & rows[columns].notna().any(axis=1).to_numpy()
    is_number = np.isfinite(values).all(axis=1)

    is_valid = result.is_read & is_number
    result.shapes[is_valid] = shapely.points(values[is_valid])
    result.skip_reasons[result.is_read & ~is_number] = SkipReason.NOT_NUMBERS
    return result


def _parse_labels(rows: pd.DataFrame, is_usable: Bools) -> Objects | None:
    """Return the labels of usable rows, None where missing; None without a column of labels."""
    column = find_column(LABEL_COLUMNS, list(rows.columns))
    if not column:
        return None
    labels = _strip(rows[column][is_usable])
    return np.asarray(labels.astype(object).where(labels.notna(), None).to_numpy())


def _parse_scores(rows: pd.DataFrame, is_usable: Bools) -> tuple[Floats, Bools]:
    """Return the scores of usable rows.

    Args:
        rows: n rows of the table.
        is_usable: (n,) mask of the m rows whose scores are returned.

    Returns:
        (m,) scores, NaN where missing or invalid, and (m,) mask of the invalid ones.
    """
    column = find_score_column(list(rows.columns))
    if not column:
        n = int(is_usable.sum())
        return np.full(n, np.nan), np.zeros(n, dtype=bool)
    values = rows[column][is_usable]
    scores = to_numbers(values)
    is_invalid = ~np.isfinite(scores) & values.notna().to_numpy()
    return np.where(is_invalid, np.nan, scores), is_invalid


def _to_numbers(rows: pd.DataFrame, columns: list[str]) -> Floats:
    """Return the (n, k) numbers of k columns; NaN for values that are not numbers."""
    return np.stack([to_numbers(rows[column]) for column in columns], axis=1)


def _parse_wkt(texts: Objects) -> Objects:
    """Return the two-dimensional shapes of (n,) well-known texts.

    A shape is None if its text is invalid, it is empty, or a coordinate is not finite.
    """
    plain_texts = np.array([_to_wkt(text) for text in texts], dtype=object)
    # A text that cannot be read becomes None.
    with np.errstate(over="ignore", invalid="ignore"):
        decoded = shapely.from_wkt(plain_texts, on_invalid="ignore")
        shapes = np.asarray(shapely.force_2d(decoded), dtype=object)
    coordinates, shape_rows = shapely.get_coordinates(shapes, return_index=True)
    is_finite = np.isfinite(coordinates).all(axis=1)
    shapes[shape_rows[~is_finite]] = None
    shapes[shapely.is_empty(shapes)] = None
    return shapes


def _is_empty_outline(value: Any) -> bool:
    """Return True for a missing value, also written as text by pandas, such as ``nan``.

    >>> _is_empty_outline("NaN"), _is_empty_outline("POINT (1 2)")
    (True, False)
    """
    if not isinstance(value, str):
        return bool(pd.isna(value))
    return len(value) <= _MAX_EMPTY_LENGTH and value.strip().lower() in _EMPTY_OUTLINES


def _to_wkt(text: Any) -> str:
    """Return an outline as well-known text; lists of coordinates ([[x, y], …]) become polygons."""
    if not isinstance(text, str):
        return ""
    if not text.lstrip().startswith("["):
        return text
    list_text = text.replace("(", "[").replace(")", "]")
    try:
        values = np.asarray(json.loads(list_text), dtype=float)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return ""
    is_flat = values.ndim == 1 and values.size % 2 == 0  # x1, y1, x2, y2, …
    has_points = values.ndim == 2 and values.shape[1] == 2
    if not is_flat and not has_points:
        return ""
    points = values.reshape(-1, 2)
    if len(points) < MIN_POINTS or not np.isfinite(points).all():
        return ""
    # -1 writes all digits.
    return str(shapely.to_wkt(shapely.Polygon(points), rounding_precision=-1))
