"""LabelMe files: one JSON file per image, with polygons, rectangles and points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, Collected, Flaw, box_of, polygon_of
from randcrowns.core.exchange.values import json_in, number_of, pixels_of

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
    content = json_in(path)
    if not holds_labelme(content):
        raise InputError("{path} is not a LabelMe file: it needs the list shapes.", path=path.name)
    collected = Collected(path.name)
    image_path = content.get("imagePath")
    name = image_path if isinstance(image_path, str) and image_path else path.stem
    width, height = pixels_of(content.get("imageWidth")), pixels_of(content.get("imageHeight"))
    image = collected.image(name, width, height)
    for row, record in enumerate(content["shapes"], 1):
        if not isinstance(record, dict):
            collected.flaw(Flaw.BAD_GEOMETRY, row)
            continue
        label = record.get("label")
        text = None if label is None else str(label)
        collected.add(_read_shape(record), image, row, text, record.get("score"))
    return collected.done()


def holds_labelme(held: Any) -> bool:
    """Return True if decoded JSON is the content of a LabelMe file.

    >>> holds_labelme({"shapes": []}), holds_labelme([])
    (True, False)
    """
    return isinstance(held, dict) and isinstance(held.get("shapes"), list)


def _read_shape(record: Mapping[str, Any]) -> Any:
    """Return the polygon or point of a LabelMe shape; a Flaw if it is invalid."""
    points = record.get("points")
    shape_type = record.get("shape_type") or "polygon"
    if shape_type not in _SHAPE_TYPES:
        return Flaw.NO_CROWN
    if not isinstance(points, list) or not all(
        isinstance(point, list) and len(point) == 2 for point in points
    ):
        return Flaw.NOT_NUMBERS
    if shape_type == "polygon":
        return polygon_of([value for point in points for value in point])
    x = [number_of(point[0]) for point in points]
    y = [number_of(point[1]) for point in points]
    if shape_type == "point":
        if len(points) != 1 or not (math.isfinite(x[0]) and math.isfinite(y[0])):
            return Flaw.NOT_NUMBERS
        return shapely.Point(x[0], y[0])
    if len(points) < 2:
        return Flaw.FEW_POINTS
    return box_of([min(x), min(y), max(x), max(y)])
