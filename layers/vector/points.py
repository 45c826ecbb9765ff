"""Snapshots of point layers, such as stems measured in the field."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from qgis.core import QgsWkbTypes

from randcrowns.core.arrays import Objects
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.crs import WorkingCrs, check_crs
from randcrowns.layers.vector.read import LayerSnapshot


@dataclass(frozen=True)
class PointSnapshot:
    """State of a point layer that can be read in the background; it does not refer to the layer."""

    #: Snapshot of the layer.
    layer: LayerSnapshot

    @classmethod
    def from_snapshot(cls, layer: LayerSnapshot) -> PointSnapshot:
        """Return the snapshot of a point layer.

        Args:
            layer: snapshot of the layer, of any geometry type.

        Raises:
            InputError: if the layer is not a point layer, or its CRS is unknown.
        """
        check_crs(layer.name, layer.crs)
        if QgsWkbTypes.geometryType(layer.wkb_type) != QgsWkbTypes.GeometryType.PointGeometry:
            raise InputError(
                "layer.no_points",
                "Layer '{layer}' holds no points; choose a layer of points.",
                layer=layer.name,
            )
        return cls(layer)

    @property
    def name(self) -> str:
        """Name of the layer."""
        return self.layer.name

    def read(
        self, working: WorkingCrs, progress: Progress = no_progress
    ) -> tuple[Objects, list[Message]]:
        """Read the points of the layer.

        Args:
            working: working CRS of the result.
            progress: callback that receives the completed fraction.

        Returns:
            Array (n,) of shapely points in working metres: the first point of each feature that has
            finite coordinates; and messages, one if the number of features has changed.

        Raises:
            InputError: if the features cannot be read or transformed.
        """
        features = self.layer.read_features([], progress)
        coordinates = []
        for feature in features:
            geometry = feature.geometry()
            if geometry.isNull():
                continue
            first_point = next(geometry.vertices(), None)
            if first_point is not None:
                coordinates.append((first_point.x(), first_point.y()))
        # Without points, the array gets its two columns from reshape.
        xy = np.array(coordinates, dtype=np.float64).reshape(-1, 2)
        points = shapely.points(working.to_working(self.layer.crs, xy, self.name))
        is_finite = np.isfinite(xy).all(axis=1)
        finite_points = np.asarray(points[is_finite], dtype=object)
        count_message = self.layer.count_change_message(self.name, len(features))
        messages = [] if count_message is None else [count_message]
        return finite_points, messages
