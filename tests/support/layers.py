"""Layers of polygons and points."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsFeature,
    QgsGeometry,
    QgsVectorFileWriter,
    QgsVectorLayer,
)

__all__ = [
    "CROWN",
    "EAST",
    "NORTH",
    "TARGET_BOXES",
    "box_layer",
    "crowns_at",
    "layer_of",
    "load_sample",
    "points_at",
    "save",
    "shifted",
]

EAST, NORTH = 500000.0, 3000000.0
#: A box of 4 x 4 m at EAST, NORTH.
CROWN = f"POLYGON(({EAST} {NORTH}, {EAST + 4} {NORTH}, {EAST + 4} {NORTH + 4}, {EAST} {NORTH + 4}, {EAST} {NORTH}))"

#: Two rows of crowns, 4 m wide, 10 m apart, in metres from EAST, NORTH.
TARGET_BOXES = [(x, y, x + 4.0, y + 4.0) for y in (0.0, 10.0) for x in (0.0, 10.0, 20.0, 30.0)]


def layer_of(
    name, geometries, crs="EPSG:32617", kind="MultiPolygon", fields="", rows=None
) -> QgsVectorLayer:
    """Return a memory layer.

    Geometries are from shapely, WKT, or None. ``fields`` is such as ``&field=plot:string``, and
    ``rows`` are their values.
    """
    layer = QgsVectorLayer(f"{kind}?crs={crs or 'EPSG:32617'}{fields}", name, "memory")
    if not crs:
        layer.setCrs(QgsCoordinateReferenceSystem())
    features = []
    for number, geometry in enumerate(geometries):
        feature = QgsFeature(layer.fields())
        if isinstance(geometry, str):
            feature.setGeometry(QgsGeometry.fromWkt(geometry))
        elif geometry is not None:
            made = QgsGeometry()
            made.fromWkb(shapely.to_wkb(geometry))
            feature.setGeometry(made)
        if rows is not None:
            feature.setAttributes(list(rows[number]))
        features.append(feature)
    assert layer.dataProvider().addFeatures(features)[0]
    layer.updateExtents()
    return layer


def crowns_at(places, radius=3.0, corners=12, seed=1):
    """Return crowns with uneven outlines around places, in metres from EAST, NORTH."""
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, corners + 1)[:-1]
    reach = radius * rng.uniform(0.8, 1.2, (len(places), corners))
    centre = np.asarray(places, dtype=float)[:, None] + [EAST, NORTH]
    return shapely.polygons(
        centre + np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=-1)
    )


def save(layer, path: Path, driver="GPKG", name="") -> QgsVectorLayer:
    """Write a layer into a file and open that."""
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = driver
    options.layerName = name or path.stem
    if path.exists():
        options.actionOnExistingFile = QgsVectorFileWriter.CreateOrOverwriteLayer
    problem = QgsVectorFileWriter.writeAsVectorFormatV3(
        layer, str(path), QgsCoordinateTransformContext(), options
    )
    assert problem[0] == QgsVectorFileWriter.NoError, problem
    return QgsVectorLayer(f"{path}|layername={options.layerName}", layer.name(), "ogr")


def points_at(places, crs="EPSG:32617") -> QgsVectorLayer:
    """Return a memory layer of points."""
    return layer_of("stems", shapely.points(places), crs, "Point")


def box_layer(name, boxes, crs="EPSG:32617", fields="", rows=None) -> QgsVectorLayer:
    """Return a memory layer of boxes with sides in metres from EAST, NORTH."""
    placed = [shapely.box(x0 + EAST, y0 + NORTH, x1 + EAST, y1 + NORTH) for x0, y0, x1, y1 in boxes]
    return layer_of(name, placed, crs, "Polygon", fields, rows)


def shifted(boxes, by: float):
    """Return boxes moved to the east."""
    return [(xmin + by, ymin, xmax + by, ymax) for xmin, ymin, xmax, ymax in boxes]


def load_sample(project) -> Path:
    """Add the sample plot to a project; the folder of its files."""
    from randcrowns.layers.sample import load_plot, sample_folder

    load_plot(project)
    return sample_folder()
