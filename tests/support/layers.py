"""Layers made from shapely polygons or WKT."""

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

__all__ = ["CROWN", "EAST", "NORTH", "crowns_at", "layer_of", "load_sample", "points_at", "save"]

EAST, NORTH = 500000.0, 3000000.0
#: A box of 4 x 4 m at the origin of the tests' places.
CROWN = f"POLYGON(({EAST} {NORTH}, {EAST + 4} {NORTH}, {EAST + 4} {NORTH + 4}, {EAST} {NORTH + 4}, {EAST} {NORTH}))"


def layer_of(
    name, geometries, crs="EPSG:32617", kind="MultiPolygon", fields="", rows=None
) -> QgsVectorLayer:
    """A memory layer; geometries are shapely's, WKT, or None. ``fields`` as in
    ``&field=plot:string``.
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
    """Wobbly crowns around places given in metres from EAST, NORTH."""
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, corners + 1)[:-1]
    reach = radius * rng.uniform(0.8, 1.2, (len(places), corners))
    centre = np.asarray(places, dtype=float)[:, None] + [EAST, NORTH]
    return shapely.polygons(
        centre + np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=-1)
    )


def save(layer, path: Path, driver="GPKG", name="") -> QgsVectorLayer:
    """The layer as a file, opened."""
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


def points_at(places, crs="EPSG:32617"):
    """A layer of single points, in memory."""
    layer = QgsVectorLayer(f"Point?crs={crs}", "stems", "memory")
    for x, y in places:
        feature = QgsFeature()
        feature.setGeometry(QgsGeometry.fromWkt(f"POINT({x} {y})"))
        layer.dataProvider().addFeature(feature)
    return layer


def load_sample(project) -> Path:
    """Add the sample plot to a project, with an image of few pixels, made once; its folder."""
    from randcrowns.core.sample import (
        read_parameters,
    )  # not above: who asks for boxes only needs no sample
    from randcrowns.layers.sample import load_plot, sample_folder, write_plot

    folder = sample_folder()
    if not folder.exists():
        write_plot(folder, parameters=read_parameters({"pixel": 1.0}))
    load_plot(project)
    return folder
