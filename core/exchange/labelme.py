"""LabelMe's files of JSON: one per image, with polygons, rectangles and points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, Collected, Flaw, box_of, polygon_of
from randcrowns.core.exchange.values import json_in, number_of, pixels_of


def read_labelme(path: Path) -> Annotations:
    """The shapes of one image; anything but polygons, rectangles and points is skipped.

    Raises:
        InputError: naming the file, when it is no such file or breaks off.
    """
    held = json_in(path)
    if not holds_labelme(held):
        raise InputError("{path} is no file of LabelMe: it needs the list shapes.", path=path.name)
    found = Collected(path.name)
    named = held.get("imagePath")
    name = named if isinstance(named, str) and named else path.stem
    image = found.image(
        name, *(pixels_of(held.get(side)) for side in ("imageWidth", "imageHeight"))
    )
    for row, one in enumerate(held["shapes"], 1):
        if not isinstance(one, dict):
            found.flaw(Flaw.BAD_GEOMETRY, row)
            continue
        label = one.get("label")
        found.add(
            _outline(one), image, row, None if label is None else str(label), one.get("score")
        )
    return found.done()


def holds_labelme(held: Any) -> bool:
    """Whether this is a file of LabelMe."""
    return isinstance(held, dict) and isinstance(held.get("shapes"), list)


def _outline(one: Mapping[str, Any]) -> Any:
    points, kind = one.get("points"), one.get("shape_type") or "polygon"
    if kind not in ("polygon", "rectangle", "point"):
        return Flaw.NO_CROWN
    if not isinstance(points, list) or not all(
        isinstance(point, list) and len(point) == 2 for point in points
    ):
        return Flaw.NOT_NUMBERS
    values = [value for point in points for value in point]
    if kind == "polygon":
        return polygon_of(values)
    if kind == "point":
        x, y = map(number_of, values) if len(values) == 2 else (math.nan, math.nan)
        return shapely.Point(x, y) if math.isfinite(x) and math.isfinite(y) else Flaw.NOT_NUMBERS
    if len(points) < 2:
        return Flaw.FEW_POINTS
    across, down = [number_of(x) for x, _ in points], [number_of(y) for _, y in points]
    return box_of([min(across), min(down), max(across), max(down)])
