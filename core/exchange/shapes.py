"""Shapes that tools of annotation draw: circles, ellipses, turned boxes; and parts of one crown."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Floats
from randcrowns.core.exchange.annotations import AnnotationCollector, SkipReason
from randcrowns.core.exchange.values import MAX_COORDINATE
from randcrowns.core.messages import Message, note
from randcrowns.core.outlines import make_usable

#: Number of edges with which a circle is approximated.
_CIRCLE_EDGES = 64


def ellipse_polygon(
    x: float, y: float, x_radius: float, y_radius: float, rotation: float = 0.0
) -> shapely.Polygon | SkipReason:
    """Return an ellipse as a polygon of equal area, or what is wrong with it.

    Args:
        x: x of the centre.
        y: y of the centre.
        x_radius: radius along x before the rotation.
        y_radius: radius along y before the rotation.
        rotation: rotation about the centre, degrees clockwise in the image.

    >>> round(ellipse_polygon(5, 5, 2, 1).area / math.pi, 9), ellipse_polygon(5, 5, 0, 1).name
    (2.0, 'NO_SIZE')
    """
    if not (_are_in_range(x, y, x_radius, y_radius) and math.isfinite(rotation)):
        return SkipReason.NOT_NUMBERS
    if x_radius <= 0 or y_radius <= 0:
        return SkipReason.NO_SIZE
    step = 2 * math.pi / _CIRCLE_EDGES
    angles = np.arange(_CIRCLE_EDGES) * step
    # A regular polygon in the unit circle has sin(step) / step of its area.
    enlargement = math.sqrt(step / math.sin(step))
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1) * enlargement
    ellipse = _turn(circle * (x_radius, y_radius), rotation)
    return shapely.Polygon(ellipse + np.array([x, y]))


def turned_box(
    bounds: tuple[float, float, float, float], rotation: float, pivot: tuple[float, float]
) -> shapely.Polygon | SkipReason:
    """Return a box that is turned about a point, or what is wrong with it.

    Args:
        bounds: xmin, ymin, xmax, ymax before the rotation.
        rotation: degrees clockwise in the image.
        pivot: x, y of the point.

    >>> turned_box((0, 0, 4, 2), 90, (2, 1)).bounds
    (1.0, -1.0, 3.0, 3.0)
    """
    if not (_are_in_range(*bounds, *pivot) and math.isfinite(rotation)):
        return SkipReason.NOT_NUMBERS
    xmin, ymin, xmax, ymax = bounds
    if xmax <= xmin or ymax <= ymin:
        return SkipReason.NO_SIZE
    corners = np.array([[xmin, ymin], [xmax, ymin], [xmax, ymax], [xmin, ymax]], dtype=float)
    turned_corners = _turn(corners - pivot, rotation)
    return shapely.Polygon(turned_corners + np.array(pivot))


def _are_in_range(*coordinates: float) -> bool:
    """Return True if all numbers are coordinates of an image or a map."""
    return all(abs(number) < MAX_COORDINATE for number in coordinates)


def _turn(points: Floats, rotation: float) -> Floats:
    """Return (n, 2) points turned about the origin by degrees, clockwise in an image."""
    angle = math.radians(rotation)
    cosine = math.cos(angle)
    sine = math.sin(angle)
    turned: Floats = points @ np.array([[cosine, sine], [-sine, cosine]])
    # Right angles are exact.
    return np.where(np.abs(turned - np.round(turned)) < 1e-12, np.round(turned), turned)


class _Part(NamedTuple):
    """A shape that is a part of a crown."""

    shape: Any  #: its polygon.
    image: int  #: index of its image.
    row: int  #: number of the shape, from 1.
    label: str | None  #: its label.
    score: Any  #: its score.
    fields: dict[str, Any]  #: its further attributes.


def _join_shapes(shapes: Sequence[shapely.Geometry]) -> shapely.Geometry | SkipReason:
    """Return one valid polygon or multipolygon of several polygons, or the reason to skip it.

    Args:
        shapes: polygons and multipolygons.
    """
    parts = shapely.get_parts(np.array(shapes, dtype=object))
    crown = shapely.MultiPolygon(list(parts))
    outlines = make_usable(np.array([crown], dtype=object))
    if outlines.is_too_complex[0]:
        return SkipReason.TOO_COMPLEX
    return outlines.polygons[0]


class GroupedShapes:
    """Shapes of a file, of which those of one group and label are parts of one crown.

    Args:
        collected: the annotations, to which the crowns are added.

    >>> collected = AnnotationCollector("plot.json")
    >>> grouped = GroupedShapes(collected)
    >>> image = collected.index_image("plot.tif")
    >>> grouped.add(shapely.box(0, 0, 2, 2), image, 1, "Oak", group=7)
    >>> grouped.add(shapely.box(3, 0, 5, 2), image, 2, "Oak", group=7)
    >>> messages = grouped.finish()
    >>> collected.build().shapes[0].area
    8.0
    """

    def __init__(self, collected: AnnotationCollector) -> None:
        self._collected = collected
        self._groups: dict[Hashable, list[_Part]] = {}

    def add(
        self,
        shape: Any,
        image: int,
        row: int,
        label: str | None,
        score: Any = None,
        group: Any = None,
        fields: dict[str, Any] | None = None,
    ) -> None:
        """Add a shape. Only polygons are joined.

        Args:
            shape: geometry, or the reason to skip it.
            image: index of its image.
            row: number of the shape, from 1.
            label: label, or None.
            score: score as the file contains it.
            group: number of the group; None or "" without one.
            fields: further attributes by name.
        """
        is_polygon = isinstance(shape, (shapely.Polygon, shapely.MultiPolygon))
        part = _Part(shape, image, row, label, score, fields or {})
        is_single = not is_polygon or group in (None, "")
        key = (row,) if is_single else (image, str(group), label)
        self._groups.setdefault(key, []).append(part)

    def finish(self) -> list[Message]:
        """Add the crowns to the annotations; return a note if parts were joined."""
        n_joined = 0
        for parts in self._groups.values():
            first = parts[0]
            shape = first.shape
            score = first.score
            if len(parts) > 1:
                n_joined += len(parts)
                shape = _join_shapes([part.shape for part in parts])
                scores = [part.score for part in parts if part.score not in (None, "")]
                score = scores[0] if scores else None
            self._collected.add(
                shape, first.image, first.row, first.label, score, fields=first.fields
            )
        if not n_joined:
            return []
        return [
            note(
                "exchange.groups",
                "{file}: {count:,} shapes were joined by their group and label; each group is one "
                "crown.",
                file=self._collected.file,
                count=n_joined,
            )
        ]
