"""LabelMe files: one JSON file per image, with polygons, rectangles and points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    AnnotationCollector,
    Annotations,
    SkipReason,
    parse_box,
    parse_polygon,
)
from randcrowns.core.exchange.values import parse_number, parse_pixels, read_json

#: Types of shapes that are read; the others are skipped.
_SHAPE_TYPES = ("polygon", "rectangle", "point")


def read_labelme(path: Path) -> Annotations:
    """Read the annotations of one image in a LabelMe file.

    Shapes other than polygons, rectangles and points are skipped.

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
    for row, record in enumerate(content["shapes"], 1):
        if not isinstance(record, dict):
            collected.add_problem(SkipReason.BAD_GEOMETRY, row)
            continue
        label = record.get("label")
        text = None if label is None else str(label)
        collected.add(_read_shape(record), image, row, text, record.get("score"))
    return collected.build()


def is_labelme(content: Any) -> bool:
    """Return True if decoded JSON is the content of a LabelMe file.

    >>> is_labelme({"shapes": []}), is_labelme([])
    (True, False)
    """
    return isinstance(content, dict) and isinstance(content.get("shapes"), list)


def _read_shape(record: Mapping[str, Any]) -> shapely.Polygon | shapely.Point | SkipReason:
    """Return the polygon, box or point of a LabelMe shape.

    Args:
        record: decoded shape with ``points`` (x, y in pixels) and ``shape_type``, a polygon by
            default.

    Returns:
        The geometry, or the reason to skip a shape of another type or with invalid points.
    """
    shape_type = record.get("shape_type") or "polygon"
    if shape_type not in _SHAPE_TYPES:
        return SkipReason.NO_CROWN
    points: Any = record.get("points")
    if not _are_points(points):
        return SkipReason.NOT_NUMBERS

    if shape_type == "polygon":
        return parse_polygon([value for point in points for value in point])
    x = [parse_number(point[0]) for point in points]
    y = [parse_number(point[1]) for point in points]
    if shape_type == "point":
        if len(points) != 1 or not (math.isfinite(x[0]) and math.isfinite(y[0])):
            return SkipReason.NOT_NUMBERS
        return shapely.Point(x[0], y[0])

    # The points of a rectangle are two opposite corners in any order, or all four.
    if len(points) < 2:
        return SkipReason.FEW_POINTS
    return parse_box([min(x), min(y), max(x), max(y)])


def _are_points(points: Any) -> bool:
    """Return True for a list of lists of two values, which need not be numbers."""
    if not isinstance(points, list):
        return False
    return all(isinstance(point, list) and len(point) == 2 for point in points)
