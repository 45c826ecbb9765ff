"""Memory layers of boxes with known places."""

from __future__ import annotations

from qgis.core import QgsFeature, QgsGeometry, QgsRectangle, QgsVectorLayer

__all__ = ["TARGET_BOXES", "box_layer", "shifted"]

#: Two rows of crowns, 4 m wide, 10 m apart.
TARGET_BOXES = [(x, y, x + 4.0, y + 4.0) for y in (0.0, 10.0) for x in (0.0, 10.0, 20.0, 30.0)]


def box_layer(
    name: str, boxes, crs: str = "EPSG:32617", fields: str = "", rows=None
) -> QgsVectorLayer:
    """A memory layer of boxes; ``fields`` as in ``&field=plot:string``, ``rows`` their values."""
    layer = QgsVectorLayer(f"Polygon?crs={crs}{fields}", name, "memory")
    features = []
    for number, (xmin, ymin, xmax, ymax) in enumerate(boxes):
        feature = QgsFeature(layer.fields())
        rectangle = QgsRectangle(500000 + xmin, 3000000 + ymin, 500000 + xmax, 3000000 + ymax)
        feature.setGeometry(QgsGeometry.fromRect(rectangle))
        if rows is not None:
            feature.setAttributes(list(rows[number]))
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    layer.updateExtents()
    return layer


def shifted(boxes, by: float):
    """The boxes moved to the east."""
    return [(xmin + by, ymin, xmax + by, ymax) for xmin, ymin, xmax, ymax in boxes]
