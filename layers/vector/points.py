"""Layers of points, such as stems measured in the field, as they are when a run begins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureRequest,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
    QgsWkbTypes,
)

from randcrowns.core.arrays import Objects
from randcrowns.core.errors import InputError
from randcrowns.layers.crs import WorkingCrs, check_crs, system_of


@dataclass(frozen=True)
class PointSnapshot:
    """What is needed of a layer of points; holds no layer."""

    name: str
    crs: QgsCoordinateReferenceSystem
    selected: tuple[int, ...] | None  #: ids of the features to read, or None for all.
    source: QgsVectorLayerFeatureSource

    @classmethod
    def of(cls, layer: QgsVectorLayer, selected_only: bool = False) -> PointSnapshot:
        """Take the snapshot, on the thread the layer lives on."""
        if not layer.isValid():
            said = "Layer '{name}' cannot be read; check that its file or database is still there."
            raise InputError(said, name=layer.name())
        check_crs(layer.name(), system_of(layer))
        if layer.geometryType() != QgsWkbTypes.GeometryType.PointGeometry:
            raise InputError("Layer '{layer}' holds no points; choose a layer of points.", layer=layer.name())
        selected = tuple(layer.selectedFeatureIds()) if selected_only else None
        return cls(layer.name(), system_of(layer), selected, QgsVectorLayerFeatureSource(layer))

    def read(self, working: WorkingCrs) -> Objects:
        """(n,) points in working metres; of a feature with several points the first, and none without."""
        request = QgsFeatureRequest()
        if self.selected is not None:
            request.setFilterFids(list(self.selected))
        geometries = (feature.geometry() for feature in self.source.getFeatures(request))
        first = [next(geometry.vertices(), None) for geometry in geometries if not geometry.isNull()]
        xy = np.array([(point.x(), point.y()) for point in first if point is not None], dtype=np.float64)
        found = shapely.points(working.metres_from(self.crs, xy.reshape(-1, 2), self.name))
        return np.asarray(found[np.isfinite(xy.reshape(-1, 2)).all(axis=1)], dtype=object)
