"""LabelMe files: one JSON file per image, with a list of shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    AnnotationCollector,
    Annotations,
    SkipReason,
    parse_box,
    parse_polygon,
    plain_values,
)
from randcrowns.core.exchange.pixel_masks import decode_png, outline_of_pixels
from randcrowns.core.exchange.shapes import GroupedShapes, ellipse_polygon
from randcrowns.core.exchange.values import parse_number, parse_pixels, read_json

#: Maximum size of the PNG of a mask shape, pixels.
_MAX_MASK_PIXELS = 1 << 26


def read_labelme(path: Path) -> Annotations:
    """Read the annotations of one image in a LabelMe file.

    Shapes of one ``group_id`` and label are parts of one crown. Lines and sets of points are
    skipped.

    Args:
        path: the JSON file.

    Returns:
        The annotations, in pixels.

    Raises:
        InputError: naming the file, if it cannot be read or is not a LabelMe file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "plot.json"
    ...     _ = path.write_text('{"shapes": [{"points": [[0, 0], [4, 0], [4, 2]]}]}')
    ...     read_labelme(path).shapes[0].area
    4.0
    """
    content = read_json(path)
    if not is_labelme(content):
        raise InputError(
            "labelme.not_labelme",
            "{path} is not a LabelMe file: it needs the list shapes.",
            path=path.name,
        )
    collected = AnnotationCollector(path.name)
    image_path = content.get("imagePath")
    name = image_path if isinstance(image_path, str) and image_path else path.stem
    width = parse_pixels(content.get("imageWidth"))
    height = parse_pixels(content.get("imageHeight"))
    image = collected.index_image(name, width, height)
    grouped = GroupedShapes(collected)
    for row, record in enumerate(content["shapes"], 1):
        if not isinstance(record, dict):
            collected.add_problem(SkipReason.BAD_GEOMETRY, row)
            continue
        label = record.get("label")
        text = None if label is None else str(label)
        shape = _read_shape(record)
        score = record.get("score")
        group = record.get("group_id")
        grouped.add(shape, image, row, text, score, group, _further_fields(record))
    return collected.build(messages=grouped.finish())


def is_labelme(content: Any) -> bool:
    """Return True if decoded JSON is the content of a LabelMe file.

    >>> is_labelme({"shapes": []}), is_labelme([])
    (True, False)
    """
    return isinstance(content, dict) and isinstance(content.get("shapes"), list)


def _further_fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the flags, the attributes (of X-AnyLabeling) and the description of a shape."""
    description = record.get("description")
    return {
        **plain_values(record.get("flags")),
        **plain_values(record.get("attributes")),
        **({"description": description} if isinstance(description, str) and description else {}),
    }


def _read_shape(record: Mapping[str, Any]) -> Any:
    """Return the geometry of a LabelMe shape.

    Polygons, rectangles (also turned ones), circles and masks are crowns, and so are lines whose
    ends are equal (``linestrip``). Other lines and sets of points are none.

    Args:
        record: decoded shape with ``points`` (x, y in pixels) and ``shape_type``, a polygon by
            default.

    Returns:
        A polygon, a point or a mask, or the reason to skip a shape of another type or with invalid
        points.
    """
    shape_type = str(record.get("shape_type") or "polygon").lower()
    if shape_type not in _READERS:
        return SkipReason.NO_CROWN
    points: Any = record.get("points")
    if not _are_points(points):
        return SkipReason.NOT_NUMBERS
    numbers = [(parse_number(x), parse_number(y)) for x, y in points]
    if not np.isfinite(np.array(numbers, dtype=float)).all():
        return SkipReason.NOT_NUMBERS
    return _READERS[shape_type](numbers, record)


def _read_polygon(points: list[_Point], _: Mapping[str, Any]) -> Any:
    """Return a polygon."""
    return parse_polygon([value for point in points for value in point])


def _read_closed_line(points: list[_Point], record: Mapping[str, Any]) -> Any:
    """Return the polygon within a line whose ends are equal."""
    is_closed = len(points) > 3 and points[0] == points[-1]
    return _read_polygon(points, record) if is_closed else SkipReason.NO_CROWN


def _read_point(points: list[_Point], _: Mapping[str, Any]) -> Any:
    """Return a single point."""
    return shapely.Point(*points[0]) if len(points) == 1 else SkipReason.NOT_NUMBERS


def _read_rectangle(points: list[_Point], record: Mapping[str, Any]) -> Any:
    """Return a rectangle from two opposite corners in any order, or a turned one from all four."""
    if len(points) < 2:
        return SkipReason.FEW_POINTS
    if len(points) == 4:
        return _read_polygon(points, record)
    x, y = zip(*points)
    return parse_box([min(x), min(y), max(x), max(y)])


def _read_circle(points: list[_Point], _: Mapping[str, Any]) -> Any:
    """Return a circle from its centre and a point on it, as a polygon."""
    if len(points) != 2:
        return SkipReason.FEW_POINTS
    (x, y), edge = points
    radius = math.dist((x, y), edge)
    return ellipse_polygon(x, y, radius, radius)


def _read_mask(points: list[_Point], record: Mapping[str, Any]) -> Any:
    """Return the pixels of a mask, which is a PNG in text whose upper left corner is a point."""
    mask = decode_png(record.get("mask"), _MAX_MASK_PIXELS)
    if mask is None:
        return SkipReason.BAD_GEOMETRY
    if not mask.any():
        return SkipReason.EMPTY_MASK
    x, y = points[0] if points else (0.0, 0.0)
    return outline_of_pixels(mask, x, y)


#: A point x, y in pixels.
_Point = tuple[float, float]
#: Functions that read the types of shapes; the other types are skipped.
_READERS: dict[str, Callable[[list[_Point], Mapping[str, Any]], Any]] = {
    "polygon": _read_polygon,
    "rectangle": _read_rectangle,
    "rotation": _read_rectangle,
    "oriented_rectangle": _read_rectangle,
    "circle": _read_circle,
    "linestrip": _read_closed_line,
    "mask": _read_mask,
    "point": _read_point,
}


def _are_points(points: Any) -> bool:
    """Return True for a list of lists of two values, which need not be numbers."""
    if not isinstance(points, list):
        return False
    return all(isinstance(point, list) and len(point) == 2 for point in points)
