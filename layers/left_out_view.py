"""A crown left out of an experiment, beside what fits it best of each of the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureRequest,
    QgsGeometry,
    QgsVectorLayer,
)

from randcrowns.layers.crown_view import CrownView
from randcrowns.layers.on_map import on_map

__all__ = ["DrawnLayer", "LeftOutView", "left_out_view"]


class DrawnLayer(NamedTuple):
    """Outlines in a layer, with the fields that say whose they are and which."""

    layer: QgsVectorLayer
    annotator: str
    number: str


class LeftOutView(NamedTuple):
    """What is drawn on the map (no regions: there is no score), and annotator -> id of what fits best."""

    view: CrownView
    candidates: dict[str, int]


def left_out_view(
    left_out: DrawnLayer, feature_id: int, others: Sequence[DrawnLayer], map_crs: QgsCoordinateReferenceSystem
) -> LeftOutView | None:
    """The outline of a crown left out, and of each other annotator the outline of the highest IoU with it.

    Args:
        left_out: where the crown is.
        feature_id: its feature id there; None is returned when it is gone.
        others: where drawings are, all in one coordinate system.
        map_crs: the coordinate system of the map.

    Raises:
        InputError: if the map's coordinate system has no place for it.
    """
    crown = left_out.layer.getFeature(feature_id)
    if not crown.isValid() or crown.geometry().isEmpty():
        return None
    shape = crown.geometry()
    best: dict[str, tuple[float, int, QgsGeometry]] = {}
    for other in others:
        for feature in other.layer.getFeatures(QgsFeatureRequest(shape.boundingBox())):
            name = str(feature[other.annotator])
            if name == crown[left_out.annotator]:
                continue
            shared = shape.intersection(feature.geometry()).area()
            iou = shared / (shape.area() + feature.geometry().area() - shared)
            if iou > 0 and (name not in best or iou > best[name][0]):
                best[name] = iou, int(feature[other.number]), feature.geometry()
    drawn = QgsGeometry.collectGeometry([geometry for _, _, geometry in best.values()]) if best else None
    view = CrownView(
        on_map(shape, left_out.layer, map_crs), None if drawn is None else on_map(drawn, left_out.layer, map_crs)
    )
    return LeftOutView(view, {name: number for name, (_, number, _) in sorted(best.items())})
