"""Meaning of the values in YOLO lines: boxes, polygons, key points, scores, numbers of objects.

Programs write other values into the same text files: trackers add a number of the object, pose
models add key points, and some programs write pixels or corners. A single line does not tell them
apart, so that the lines of a whole file or folder are examined together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.box_columns import BoxForm
from randcrowns.core.exchange.values import parse_number
from randcrowns.core.exchange.yaml_entries import read_items
from randcrowns.core.messages import Message, info, note

#: Class number at the beginning of a line; -1 stands for no class.
CLASS_NUMBER = re.compile(r"[-+]?\d+(\.0*)?")
#: Number of values of a box.
BOX_SIZE = 4
#: Minimum number of values of a polygon.
_POLYGON_SIZE = 6
#: Coordinates above this are pixels. Shares of the image's size are at most 1, and a little more
#: for boxes that extend beyond the image.
_MAX_SHARE = 2.0
#: Tolerance with which a box lies inside its image, as a share of the size.
_TOLERANCE = 0.01
#: Number of values behind a pose: none, a score, or a score and a number of the object.
_TAIL_SIZES = (0, 1, 2)
#: Share of outlines that cross themselves up to which the lines are outlines.
_MAX_CROSSING_SHARE = 0.5
#: Values of a key point's visibility: not labelled, hidden, visible.
_VISIBILITIES = (0.0, 1.0, 2.0)
#: Largest score in percent.
_MAX_PERCENTAGE = 100
#: Maximum length of a line in an error.
MAX_SHOWN = 120


class YoloLine(NamedTuple):
    """A line of a YOLO file."""

    file: str  #: name of the file.
    row: int  #: number of the line, from 1.
    text: str  #: the line.
    values: tuple[float, ...]  #: the values after the class number; NaN for texts.

    @classmethod
    def parse(cls, file: str, row: int, text: str) -> YoloLine:
        """Parse a line.

        Args:
            file: name of the file.
            row: number of the line, from 1.
            text: the line.

        >>> YoloLine.parse("plot.txt", 1, "0 0.5 0.5 0.2 0.1").values
        (0.5, 0.5, 0.2, 0.1)
        """
        value_texts = text.split()[1:]  # without the class
        values = tuple(parse_number(value_text) for value_text in value_texts)
        return cls(file, row, text, values)


@dataclass(frozen=True)
class YoloColumns:
    """Meaning of the values after the class number, for all lines of a file or folder.

    Attributes:
        is_pixels: True for pixels, False for shares of the image's width and height.
        box_form: what the values of a box are.
        box_tail: last value of lines of five values: "score" or "id".
        is_score_first: True if the score is in front of the box in lines of five values.
        has_ids: True if the longer lines end with a number of the object.
        n_pose: number of values of a line with a box and key points, without a score and a number;
            0 if there are no such lines.
        messages: what was assumed.
    """

    is_pixels: bool = False
    box_form: BoxForm = BoxForm.CENTRE
    box_tail: str = "score"
    is_score_first: bool = False
    has_ids: bool = False
    n_pose: int = 0
    messages: tuple[Message, ...] = ()

    def split(self, values: Sequence[float]) -> tuple[list[float], float | None, float | None]:
        """Split the values of a line.

        Args:
            values: the values after the class number.

        Returns:
            The coordinates (four of a box, more of a polygon); the score and the number of the
            object, or None.

        >>> YoloColumns(has_ids=True).split([0.5, 0.5, 0.2, 0.1, 0.9, 7])
        ([0.5, 0.5, 0.2, 0.1], 0.9, 7)
        >>> YoloColumns().split([0.1, 0.1, 0.3, 0.1, 0.3, 0.3, 0.9])
        ([0.1, 0.1, 0.3, 0.1, 0.3, 0.3], 0.9, None)
        """
        score: float | None = None
        number: float | None = None
        if self.n_pose and len(values) >= self.n_pose:
            tail = values[self.n_pose :]
            if len(tail) > 0:
                score = tail[0]
            if len(tail) > 1:
                number = tail[1]
            return list(values[:BOX_SIZE]), score, number

        coordinates = list(values)
        is_box_with_tail = len(values) == BOX_SIZE + 1
        if is_box_with_tail and self.is_score_first:
            return coordinates[1:], coordinates[0], None
        has_number = self.box_tail == "id" if is_box_with_tail else self.has_ids
        if has_number and len(values) > BOX_SIZE:
            number = coordinates.pop()
        if len(coordinates) % 2 == 1:  # x and y are pairs
            score = coordinates.pop()
        return coordinates, score, number


def parse_key_points(text: str) -> tuple[int, int]:
    r"""Return the number of key points that a data.yaml declares, and of the values of each.

    Args:
        text: content of the data.yaml.

    >>> parse_key_points("kpt_shape: [17, 3]\n"), parse_key_points("nc: 1\n")
    ((17, 3), (0, 0))
    """
    counts = []
    for item in read_items(text, "kpt_shape").values():
        if not item.isdecimal() or len(item) >= 10:
            return 0, 0
        counts.append(int(item))
    # A key point has x and y, and perhaps its visibility.
    if len(counts) != 2 or counts[1] not in (2, 3):
        return 0, 0
    n_points, n_values_each = counts
    return n_points, n_values_each


def recognise_columns(
    lines: Sequence[YoloLine], key_points: tuple[int, int] = (0, 0)
) -> YoloColumns:
    """Recognise what the values of YOLO lines are, from all lines together.

    Args:
        lines: the lines of a file, or of all files of a folder.
        key_points: number of key points and of the values of each, from a data.yaml.

    Raises:
        InputError: with the first line, if the meaning of the values is ambiguous.

    >>> texts = ["0 0.5 0.5 0.2 0.2 0.9 1", "0 0.2 0.2 0.2 0.2 0.8 2"]
    >>> tracked = recognise_columns([YoloLine.parse("a.txt", 1, text) for text in texts])
    >>> tracked.has_ids, tracked.split(YoloLine.parse("a.txt", 1, texts[0]).values)[1:]
    (True, (0.9, 1.0))
    """
    usable = [line for line in lines if len(line.values) >= BOX_SIZE]
    if not usable:
        return YoloColumns()
    boxes_with_tail = [line for line in usable if len(line.values) == BOX_SIZE + 1]
    longer = [line for line in usable if len(line.values) >= _POLYGON_SIZE]
    is_pixels = _are_pixels(usable)
    box_tail = _recognise_box_tail(boxes_with_tail)
    has_plain_lines = is_pixels or len(longer) < len(usable)
    n_pose = _count_pose_values(longer, key_points, has_plain_lines=has_plain_lines)
    has_ids = n_pose == 0 and _have_ids(longer, is_pixels=is_pixels)

    columns = YoloColumns(
        is_pixels=is_pixels,
        box_tail=box_tail,
        is_score_first=box_tail == "score" and _is_score_first(boxes_with_tail),
        has_ids=has_ids,
        n_pose=n_pose,
    )
    columns = replace(columns, box_form=_recognise_box_form(usable, columns))
    return replace(columns, messages=_assumption_messages(usable, columns))


def _assumption_messages(lines: Sequence[YoloLine], columns: YoloColumns) -> tuple[Message, ...]:
    """Return a message for each assumption that differs from YOLO's own format.

    Args:
        lines: the lines of at least four values.
        columns: what the values of the lines are.
    """
    file = lines[0].file
    messages: list[Message] = []
    if columns.n_pose:
        longer_lines = [line for line in lines if len(line.values) >= _POLYGON_SIZE]
        messages.append(
            note(
                "yolo.key_points",
                "{file}: the lines were read as boxes with key points (pose); the key points were "
                "left out.",
                file=longer_lines[0].file,
            )
        )
    if columns.has_ids or columns.box_tail == "id":
        messages.append(
            note(
                "yolo.ids",
                "{file}: the last value of the lines was read as the number of the object (field "
                "object_id), as trackers write it.",
                file=file,
            )
        )
    if columns.is_score_first:
        messages.append(
            note(
                "yolo.score_first",
                "{file}: the value in front of the boxes was read as their score, since boxes "
                "that begin with it would lie outside the image.",
                file=file,
            )
        )
    if columns.is_pixels:
        messages.append(
            note(
                "yolo.pixels",
                "{file}: the coordinates are above 1 and were read as pixels, not as shares of the "
                "image's size.",
                file=file,
            )
        )
    if columns.box_form is BoxForm.CORNERS:
        messages.append(
            note(
                "yolo.corners",
                "{file}: the boxes were read as two corners (x1, y1, x2, y2), since as centre and "
                "size they would lie outside the image.",
                file=file,
            )
        )
    return tuple(messages)


def _ambiguous_error(line: YoloLine, meanings: Message) -> InputError:
    """Return the error about lines with an ambiguous meaning."""
    return InputError(
        "yolo.ambiguous",
        "{path}: the meaning of the values is ambiguous: {meanings}. Line {row} is "
        "'{line}'. Write the lines as 'class x y width height' or 'class x1 y1 x2 y2 x3 y3 …' in "
        "shares of the image's size, or declare key points (kpt_shape) in data.yaml.",
        path=line.file,
        meanings=meanings,
        row=line.row,
        line=line.text.strip()[:MAX_SHOWN],
    )


def _are_whole(values: Floats) -> bool:
    """Return True if all values are whole numbers that are not negative."""
    return bool(
        np.isfinite(values).all() and (values == np.floor(values)).all() and min(values) >= 0
    )


def _column(lines: Sequence[YoloLine], index: int) -> Floats:
    """Return the values of all lines at an index."""
    return np.array([line.values[index] for line in lines], dtype=float)


def _are_pixels(lines: Sequence[YoloLine]) -> bool:
    """Return True if the coordinates are pixels.

    Raises:
        InputError: if some lines are in pixels and the others in shares.
    """
    values = np.array([line.values[:BOX_SIZE] for line in lines], dtype=float)
    sizes = np.where(np.isfinite(values), np.abs(values), 0.0)
    # A single large value may be a mistake.
    is_in_pixels = (sizes > _MAX_SHARE).sum(axis=1) >= 2
    if not is_in_pixels.any():
        return False
    has_decimals = (sizes != np.floor(sizes)).any(axis=1)
    is_in_shares = (sizes <= 1.0).all(axis=1) & has_decimals
    if is_in_shares.any():
        first_in_pixels = lines[int(np.argmax(is_in_pixels))]
        reason = info(
            "yolo.may_be_mixed_units",
            "some lines are in pixels and others in shares of the image's size",
        )
        raise _ambiguous_error(first_in_pixels, reason)
    return True


def _recognise_box_tail(lines: Sequence[YoloLine]) -> str:
    """Return what the fifth value of boxes is: "score" or "id".

    Raises:
        InputError: if it may be an angle.
    """
    if not lines:
        return "score"
    tail = _column(lines, BOX_SIZE)
    finite = tail[np.isfinite(tail)]
    if len(finite) == 0:
        return "score"
    smallest, largest = finite.min(), finite.max()
    # Trackers write -1 for an object without a number.
    if len(finite) == len(tail) and _are_whole(tail) and largest > 1 and smallest >= -1:
        return "id" if _are_distinct(lines) else "score"
    # A score above 1 can be a percentage, but not if it may also be an angle in radians.
    is_angle = smallest < 0 or 1 < largest <= 2 * np.pi or largest > _MAX_PERCENTAGE
    if is_angle:
        raise _ambiguous_error(
            lines[int(np.flatnonzero((tail < 0) | (tail > 1))[0])],
            info(
                "yolo.may_be_angle",
                "the last value may be an angle of a turned box, or a score below 0 or above 1",
            ),
        )
    return "score"


def _is_score_first(lines: Sequence[YoloLine]) -> bool:
    """Return True if boxes with a score lie in their images only if the score is the first value.

    A single box may as well extend beyond its image.

    Args:
        lines: the lines of five values.
    """
    values = np.array([line.values for line in lines], dtype=float).reshape(-1, BOX_SIZE + 1)
    if len(values) < 2 or not np.isfinite(values).all():
        return False
    are_shares = ((values >= 0) & (values <= 1)).all()
    are_inside_without_last = _is_box_inside(values[:, :BOX_SIZE]).all()
    are_inside_without_first = _is_box_inside(values[:, 1:]).all()
    return bool(are_shares and are_inside_without_first and not are_inside_without_last)


def _are_distinct(lines: Sequence[YoloLine]) -> bool:
    """Return True if the last values of the lines differ within each file."""
    pairs = [(line.file, line.values[-1]) for line in lines]
    return len(set(pairs)) == len(pairs)


def _count_pose_values(
    lines: Sequence[YoloLine], key_points: tuple[int, int], *, has_plain_lines: bool
) -> int:
    """Return the number of values of a box with key points; 0 if the lines have none.

    Args:
        lines: the lines of at least six values.
        key_points: number of key points and of the values of each, from a data.yaml.
        has_plain_lines: True if other lines are plain boxes, or if coordinates are pixels. Lines of
            six values are then triangles.

    Raises:
        InputError: if the lines may also be something else.
    """
    counts = {len(line.values) for line in lines}
    n_points, n_each = key_points
    if n_points:
        n_declared = BOX_SIZE + n_points * n_each
        possible_counts = {n_declared + n_tail for n_tail in _TAIL_SIZES}
        return n_declared if counts and counts <= possible_counts else 0
    if len(counts) != 1:
        return 0

    values = np.array([line.values for line in lines], dtype=float)
    n_pose = _find_pose_values(lines, values)
    if n_pose == 0:
        _check_not_pose(lines, values, has_plain_lines=has_plain_lines)
    return n_pose


def _find_pose_values(lines: Sequence[YoloLine], values: Floats) -> int:
    """Return the number of values of a box with key points x, y, visibility; 0 if there are none.

    Args:
        lines: n lines with equally many values.
        values: (n, v) their values.

    Raises:
        InputError: if the only visibility may also be a score or a number.
    """
    for n_tail in _TAIL_SIZES:
        n_pose = values.shape[1] - n_tail
        n_key_values = n_pose - BOX_SIZE
        if n_key_values < 3 or n_key_values % 3:
            continue
        visibility = values[:, BOX_SIZE + 2 : n_pose : 3]
        if not np.isin(visibility, _VISIBILITIES).all():
            continue
        has_several_points = visibility.shape[1] > 1
        is_sure = has_several_points or (visibility == 2).any()
        tail_fits = n_tail == 0 or _is_share(values[:, n_pose]).all()
        if is_sure and tail_fits:
            return n_pose
        if n_tail == 0 and len(np.unique(visibility)) > 1:
            raise _ambiguous_error(
                lines[0],
                info(
                    "yolo.may_be_visibility",
                    "the last value may be the visibility of a key point, a score or a number",
                ),
            )
    return 0


def _check_not_pose(lines: Sequence[YoloLine], values: Floats, *, has_plain_lines: bool) -> None:
    """Raise InputError if lines without visibilities may still be boxes with key points.

    Args:
        lines: n lines with equally many values.
        values: (n, v) their values.
        has_plain_lines: as for :func:`_count_pose_values`.
    """
    if _are_whole(values[:, -1]):
        return  # numbers of the objects
    n_values = values.shape[1]
    is_six_values = n_values == _POLYGON_SIZE
    if is_six_values and not has_plain_lines and _hold_key_point(values).all():
        raise _ambiguous_error(
            lines[0],
            info(
                "yolo.may_be_triangles",
                "they may be triangles, or boxes with one more point or two more values",
            ),
        )
    outlines = values[:, : n_values - n_values % 2]
    if n_values > 2 * BOX_SIZE and _cross_themselves(outlines).mean() > _MAX_CROSSING_SHARE:
        raise _ambiguous_error(
            lines[0],
            info(
                "yolo.may_be_pose", "they are no outlines, and may be boxes with key points (pose)"
            ),
        )


def _is_share(values: Floats) -> Bools:
    """Return a mask of the values from 0 to 1."""
    mask: Bools = (values >= 0) & (values <= 1)
    return mask


def _hold_key_point(values: Floats) -> Bools:
    """Return a mask of the (n, 6) values that may be a box in the image and a point in the box."""
    centre, size, point = values[:, :2], values[:, 2:4], values[:, 4:6]
    is_inside = (np.abs(point - centre) <= size / 2 + _TOLERANCE).all(axis=1)
    mask: Bools = is_inside & _is_box_inside(values)
    return mask


def _is_box_inside(values: Floats) -> Bools:
    """Return a mask of the boxes (centre and size in shares) that lie in the image."""
    centre, size = values[:, :2], values[:, 2:4]
    low, high = centre - size / 2, centre + size / 2
    mask: Bools = ((low >= -_TOLERANCE) & (high <= 1 + _TOLERANCE) & (size > 0)).all(axis=1)
    return mask


def _cross_themselves(values: Floats) -> Bools:
    """Return a mask of the outlines x1, y1, x2, y2, … that cross themselves."""
    points = values.reshape(len(values), -1, 2)
    is_finite = np.isfinite(points).all(axis=(1, 2))
    crosses = np.zeros(len(values), dtype=bool)
    crosses[is_finite] = ~shapely.is_simple(shapely.linearrings(points[is_finite]))
    return crosses


def _have_ids(lines: Sequence[YoloLine], *, is_pixels: bool) -> bool:
    """Return True if lines of six values and more end with the number of the object.

    Args:
        lines: the lines of at least six values.
        is_pixels: True if the coordinates are pixels, False if they are shares.

    Raises:
        InputError: if the last value may also be a coordinate or a score.
    """
    if not lines:
        return False
    last_values = _column(lines, -1)
    if not _are_whole(last_values):
        return False
    has_odd_length = np.array([len(line.values) % 2 == 1 for line in lines])
    may_follow_score = _is_share(_column(lines, -2))
    has_large_number = bool(last_values.max() > 1)
    if is_pixels:
        # Coordinates in pixels are whole numbers too. Behind a polygon, an odd value is left over;
        # a score before the number is below the other values.
        if has_odd_length.all():
            return has_large_number
        return bool((may_follow_score & ~has_odd_length).all())
    if has_large_number:
        return True

    if has_odd_length.all():
        # A score of 1 on all lines changes nothing; 0 and 1 may be scores or numbers.
        if (last_values == 1).all():
            return False
        raise _ambiguous_error(
            lines[0],
            info(
                "yolo.may_be_score_or_number",
                "the last value may be a score or the object's number",
            ),
        )
    is_short = all(len(line.values) == _POLYGON_SIZE for line in lines)
    if is_short and may_follow_score.all():
        raise _ambiguous_error(
            lines[0],
            info(
                "yolo.may_be_triangle_or_track",
                "they may be triangles, or boxes with a score and the object's number",
            ),
        )
    return False


def _recognise_box_form(lines: Sequence[YoloLine], columns: YoloColumns) -> BoxForm:
    """Return what the four values of the boxes are.

    Args:
        lines: the lines of at least four values.
        columns: what the other values of the lines are.

    Raises:
        InputError: if the meaning is ambiguous.
    """
    box_lines = [line for line in lines if len(columns.split(line.values)[0]) == BOX_SIZE]
    boxes = np.array([columns.split(line.values)[0] for line in box_lines], dtype=float)
    boxes = boxes.reshape(-1, BOX_SIZE)  # also without any box
    boxes = boxes[np.isfinite(boxes).all(axis=1)]
    if len(boxes) == 0:
        return BoxForm.CENTRE
    if columns.is_pixels:
        are_corners = _are_pixel_corners(boxes, box_lines[0])
    else:
        are_corners = _are_share_corners(boxes, box_lines[0])
    return BoxForm.CORNERS if are_corners else BoxForm.CENTRE


def _are_pixel_corners(boxes: Floats, line: YoloLine) -> bool:
    """Return True if boxes in pixels are two corners each, False if they are centre and size.

    Args:
        boxes: (n, 4) values of the boxes.
        line: line that an error shows.

    Raises:
        InputError: if they may be both, or neither.
    """
    first, second = boxes[:, :2], boxes[:, 2:]
    may_be_corners = bool((second > first).all())
    may_be_centre = bool((first - second / 2 >= -1).all())
    if may_be_corners == may_be_centre:
        raise _ambiguous_error(
            line,
            info(
                "yolo.may_be_pixel_box",
                "they are pixels, and may be centre and size, corner and size, or two corners",
            ),
        )
    return may_be_corners


def _are_share_corners(boxes: Floats, line: YoloLine) -> bool:
    """Return True if boxes in shares of the image's size can only be two corners each.

    Args:
        boxes: (n, 4) values of the boxes.
        line: line that an error shows.

    Raises:
        InputError: if there is a single box, which may as well extend beyond the image.
    """
    may_be_corners = bool((boxes[:, 2:] > boxes[:, :2]).all())
    may_be_centre = bool(_is_box_inside(boxes).all())
    if may_be_centre or not may_be_corners:
        return False
    if len(boxes) == 1:
        raise _ambiguous_error(
            line,
            info(
                "yolo.may_be_corners_or_centre",
                "the box may be two corners, or centre and size of a box beyond the image",
            ),
        )
    return True
