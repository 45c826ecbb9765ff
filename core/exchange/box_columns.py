"""Columns of boxes in tables: their names in various programs, and the meaning of their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import product
from typing import NamedTuple

import numpy as np

from randcrowns.core.arrays import Floats
from randcrowns.core.messages import Message, note


class BoxForm(Enum):
    """Meaning of the four values of a box."""

    CORNERS = "corners"  #: xmin, ymin, xmax, ymax.
    SIZE = "size"  #: xmin, ymin, width, height.
    CENTRE = "centre"  #: centre x, centre y, width, height.


class BoxColumns(NamedTuple):
    """Columns of the boxes of a table."""

    #: The four columns of the values, or the single column with lists of four values.
    names: tuple[str, ...]
    #: Meaning of the values; None if it has to be recognised from the values of a list.
    form: BoxForm | None

    @property
    def is_list(self) -> bool:
        """True if a single column contains lists of four values."""
        return len(self.names) == 1


#: Names of the sides of a box, DeepForest's own first.
_CORNERS = (
    ("xmin", "ymin", "xmax", "ymax"),
    ("x_min", "y_min", "x_max", "y_max"),
    ("x1", "y1", "x2", "y2"),
    ("xtl", "ytl", "xbr", "ybr"),
    ("left", "top", "right", "bottom"),
    ("minx", "miny", "maxx", "maxy"),
    ("bbox_xmin", "bbox_ymin", "bbox_xmax", "bbox_ymax"),
    ("bbox_x1", "bbox_y1", "bbox_x2", "bbox_y2"),
)
#: Names of the left and upper side of a box.
_UPPER_LEFT = (
    *((names[0], names[1]) for names in _CORNERS),
    ("bbox_x", "bbox_y"),
    ("col_x", "row_y"),
)
#: Names of the centre of a box.
_CENTRES = (
    ("xcenter", "ycenter"),
    ("x_center", "y_center"),
    ("center_x", "center_y"),
    ("xcentre", "ycentre"),
    ("x_centre", "y_centre"),
    ("centre_x", "centre_y"),
    ("cx", "cy"),
)
#: Names of the size of a box.
_SIZES = (("bbox_width", "bbox_height"), ("bbox_w", "bbox_h"), ("width", "height"), ("w", "h"))
#: Names of columns with lists of four values, and the meaning of the values.
_LISTS = (
    ("bbox_xyxy", BoxForm.CORNERS),
    ("bbox_xywh", BoxForm.SIZE),
    ("bbox", None),
    ("bounding_box", None),
)
#: Names of the columns with the width and height of the image, beside a list.
_IMAGE_SIZES = (("image_width", "image_height"), ("width", "height"))
#: Share of the boxes that must contradict one form, so that the other one is taken.
_MIN_CONTRADICTIONS = 0.5
#: Pixels by which a box may extend beyond its image by rounding.
_ROUNDING = 1.0
#: Number in a list of values.
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
#: Separator of the values of a list.
_SEPARATOR = r"(?:\s*[,;]\s*|\s+)"
#: List of four values in any brackets, with commas or spaces.
_LIST = re.compile(
    rf"\s*[\[(]?\s*{_NUMBER.pattern}(?:{_SEPARATOR}{_NUMBER.pattern}){{3}}\s*[\])]?\s*"
)


def find_box_columns(columns: Sequence[str]) -> BoxColumns | None:
    """Return the columns of the boxes of a table; None without them.

    The sides of a box are preferred, then a corner or the centre with the size, then a list.

    Args:
        columns: all columns; case and surrounding spaces are ignored.

    >>> find_box_columns(["image", "x1", "y1", "x2", "y2"]).form
    <BoxForm.CORNERS: 'corners'>
    >>> find_box_columns(["image", "left", "top", "width", "height"]).form
    <BoxForm.SIZE: 'size'>
    """
    written_names = columns_by_lower_name(columns)
    for names, form in _possible_columns():
        if all(name in written_names for name in names):
            return BoxColumns(tuple(written_names[name] for name in names), form)
    return None


def _possible_columns() -> Iterator[tuple[tuple[str, ...], BoxForm | None]]:
    """Yield all sets of columns that may hold boxes, the preferred ones first.

    Yields:
        The names of the columns in lower case, and the meaning of their values; None if it has to
        be recognised from the values of a list.
    """
    for names in _CORNERS:
        yield names, BoxForm.CORNERS
    for corner, size in product(_UPPER_LEFT, _SIZES):
        yield (*corner, *size), BoxForm.SIZE
    for centre, size in product(_CENTRES, _SIZES):
        yield (*centre, *size), BoxForm.CENTRE
    for name, form in _LISTS:
        yield (name,), form


def columns_by_lower_name(columns: Sequence[str]) -> dict[str, str]:
    """Return columns as they are written by their names in lower case; of equal ones the first.

    >>> columns_by_lower_name(["Label", " label", "X1"])
    {'x1': 'X1', 'label': 'Label'}
    """
    return {str(column).strip().lower(): str(column) for column in reversed(columns)}


def find_image_size_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns with the width and height of the image beside a list; () without them.

    >>> find_image_size_columns(["image_id", "width", "height", "bbox"])
    ('width', 'height')
    """
    written = columns_by_lower_name(columns)
    for names in _IMAGE_SIZES:
        if written.keys() >= {*names}:
            return tuple(written[name] for name in names)
    return ()


def parse_box_list(text: object) -> list[float]:
    """Return the four values of a list; NaN for other texts.

    >>> parse_box_list("[834.0, 222.0, 56.0, 36.0]"), parse_box_list("1 2 3 4")
    ([834.0, 222.0, 56.0, 36.0], [1.0, 2.0, 3.0, 4.0])
    """
    if not isinstance(text, str) or _LIST.fullmatch(text) is None:
        return [np.nan] * 4
    return [float(number) for number in _NUMBER.findall(text)]


def to_corners(values: Floats, form: BoxForm) -> Floats:
    """Return the sides xmin, ymin, xmax, ymax (n, 4) of boxes.

    Args:
        values: (n, 4) values of the boxes.
        form: meaning of the values.

    >>> to_corners(np.array([[4.0, 2.0, 4.0, 2.0]]), BoxForm.CENTRE).tolist()
    [[2.0, 1.0, 6.0, 3.0]]
    """
    if form is BoxForm.CORNERS:
        return values
    position, size = values[:, :2], values[:, 2:]
    first = position if form is BoxForm.SIZE else position - size / 2
    # A size of 0 or less is invalid, whatever the rounding of the sum.
    second = np.where(size > 0, first + size, first)
    return np.hstack([first, second])


def recognise_form(values: Floats, image_sizes: Floats) -> BoxForm | None:
    """Return whether lists of four values are corners, or a corner and a size; None if unclear.

    Args:
        values: (n, 4) values of all boxes of a table; NaN where invalid.
        image_sizes: (n, 2) width and height of the image of each box; NaN where unknown.

    Returns:
        Corner and size, if most of the boxes would have no size as corners and none extends beyond
        its image; corners, if all boxes have a size as corners, and as corner and size some would
        extend beyond their image.

    >>> unknown = np.full((1, 2), np.nan)
    >>> recognise_form(np.array([[834.0, 222.0, 56.0, 36.0]]), unknown)
    <BoxForm.SIZE: 'size'>
    >>> recognise_form(np.array([[10.0, 10.0, 30.0, 40.0]]), unknown) is None
    True
    """
    is_valid = np.isfinite(values).all(axis=1) & (values != 0).any(axis=1)
    boxes, sizes = values[is_valid], image_sizes[is_valid]
    if not len(boxes):
        return None
    has_no_size_as_corners = (boxes[:, 2:] <= boxes[:, :2]).any(axis=1)
    is_beyond_as_size = (boxes[:, :2] + boxes[:, 2:] > sizes + _ROUNDING).any(axis=1)
    if has_no_size_as_corners.mean() > _MIN_CONTRADICTIONS and not is_beyond_as_size.any():
        return BoxForm.SIZE
    if not has_no_size_as_corners.any() and is_beyond_as_size.any():
        return BoxForm.CORNERS
    return None


def form_message(file: str, columns: BoxColumns, form: BoxForm) -> Message | None:
    """Return a note about the columns of boxes that are not DeepForest's own; None for those.

    Args:
        file: name of the file.
        columns: the columns.
        form: meaning of their values.
    """
    names = ", ".join(columns.names)
    if form is BoxForm.SIZE:
        return note(
            "deepforest.size_columns",
            "{file}: the boxes were read from {columns} as the upper left corner, width and "
            "height.",
            file=file,
            columns=names,
        )
    if form is BoxForm.CENTRE:
        return note(
            "deepforest.centre_columns",
            "{file}: the boxes were read from {columns} as the centre, width and height.",
            file=file,
            columns=names,
        )
    if tuple(name.strip().lower() for name in columns.names) == _CORNERS[0]:
        return None
    return note(
        "deepforest.corner_columns",
        "{file}: the boxes were read from {columns} as two corners.",
        file=file,
        columns=names,
    )
