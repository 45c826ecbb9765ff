"""Layers of points, such as stems measured in the field, as they are when a run begins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from qgis.core import QgsWkbTypes

from randcrowns.core.arrays import Objects
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.remarks import Remark
from randcrowns.layers.crs import WorkingCrs, check_crs
from randcrowns.layers.vector.read import LayerSnapshot


@dataclass(frozen=True)
class PointSnapshot:
    """What is needed of a layer of points; holds no layer."""

    layer: LayerSnapshot

    @classmethod
    def of(cls, layer: LayerSnapshot) -> PointSnapshot:
        """Take a snapshot for one of points.

        Raises:
            InputError: where it holds none, or its coordinate system is not known.
        """
        check_crs(layer.name, layer.crs)
        if QgsWkbTypes.geometryType(layer.wkb_type) != QgsWkbTypes.GeometryType.PointGeometry:
            raise InputError(
                "Layer '{layer}' holds no points; choose a layer of points.", layer=layer.name
            )
        return cls(layer)

    @property
    def name(self) -> str:
        """What the layer is called."""
        return self.layer.name

    def read(
        self, working: WorkingCrs, progress: Progress = no_progress
    ) -> tuple[Objects, list[Remark]]:
        """(n,) points in working metres; of a feature with several points the first, and none without.

        Remarks say where the layer changed meanwhile.
        """
        features = self.layer.features([], progress)
        geometries = (feature.geometry() for feature in features)
        first = [
            next(geometry.vertices(), None) for geometry in geometries if not geometry.isNull()
        ]
        xy = np.array(
            [(point.x(), point.y()) for point in first if point is not None], dtype=np.float64
        ).reshape(-1, 2)
        found = shapely.points(working.metres_from(self.layer.crs, xy, self.name))
        changed = self.layer.changed_since(self.name, len(features))
        return np.asarray(found[np.isfinite(xy).all(axis=1)], dtype=object), [
            changed
        ] if changed else []
