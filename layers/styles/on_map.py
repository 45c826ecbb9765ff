"""Outlines and extents of layers in the coordinates of the map."""

from __future__ import annotations

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsMapLayer,
    QgsProject,
    QgsRectangle,
)

from randcrowns.core.errors import InputError
from randcrowns.layers.vector.crs import name_of

__all__ = ["extent_on_map", "on_map"]


def on_map(geometry: QgsGeometry, layer: QgsMapLayer, map_crs: QgsCoordinateReferenceSystem) -> QgsGeometry:
    """A geometry of ``layer`` in the coordinates of the map.

    Raises:
        InputError: if the map's coordinate system has no place for it.
    """
    moved = QgsGeometry(geometry)
    if moved.isEmpty():
        return moved
    try:
        failed = moved.transform(QgsCoordinateTransform(layer.crs(), map_crs, QgsProject.instance())) != 0
    except QgsCsException as error:
        raise _no_place(layer, map_crs) from error
    if failed or not moved.boundingBox().isFinite():  # QGIS takes infinite places for a success
        raise _no_place(layer, map_crs)
    return moved


def extent_on_map(layer: QgsMapLayer, map_crs: QgsCoordinateReferenceSystem) -> QgsRectangle:
    """The extent of ``layer`` in the coordinates of the map.

    Raises:
        InputError: if the map's coordinate system has no place for it.
    """
    try:
        found: QgsRectangle = QgsCoordinateTransform(layer.crs(), map_crs, QgsProject.instance()).transformBoundingBox(
            layer.extent()
        )
    except QgsCsException as error:
        raise _no_place(layer, map_crs) from error
    if not found.isFinite():
        raise _no_place(layer, map_crs)
    return found


def _no_place(layer: QgsMapLayer, map_crs: QgsCoordinateReferenceSystem) -> InputError:
    there = name_of(map_crs) if map_crs.authid() or map_crs.description() else "the map's coordinate system"
    return InputError(
        f"Layer '{layer.name()}' ({name_of(layer.crs())}) has no place on a map in {there}; "
        "choose another coordinate system for the project."
    )
