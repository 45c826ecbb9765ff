"""Crowns in the files that QGIS reads as layers, as the annotations that all other files hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from osgeo import gdal, ogr
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, Collected, Flaw, Frame
from randcrowns.core.exchange.deepforest import IMAGE_NAMES, LABEL_NAMES, SCORE_NAMES, column_called
from randcrowns.core.progress import Progress
from randcrowns.layers.raster.images import quiet_gdal

_POINT, _POLYGONAL = (
    shapely.GeometryType.POINT,
    (shapely.GeometryType.POLYGON, shapely.GeometryType.MULTIPOLYGON),
)
_LOOK = 1000


def read_layers(path: Path, progress: Progress) -> tuple[Annotations, QgsCoordinateReferenceSystem]:
    """All crowns in the layers of a file and their coordinate system, invalid where the file names none.

    Fields are recognised by the names that DeepForest and detectree2 give them.

    Raises:
        InputError: naming the file, when it cannot be read, or its layers are in several systems.
    """
    with quiet_gdal():
        try:
            source = gdal.OpenEx(str(path), gdal.OF_VECTOR)
        except RuntimeError:  # where GDAL's exceptions are switched on
            source = None
        if source is None:
            raise InputError(
                "{path} cannot be read; it is broken, or no file of layers.", path=path.name
            )
        layers = [source.GetLayer(place) for place in range(source.GetLayerCount())]
        layers = [layer for layer in layers if layer.GetGeomType() != ogr.wkbNone]
        systems = {_system(layer) for layer in layers}
        if len(systems) > 1:
            said = "The layers of {path} are in several coordinate systems; import them one by one."
            raise InputError(said, path=path.name)
        found = Collected(path.name)
        for layer in layers:
            _read(layer, found, progress)
    wkt = systems.pop() if systems else ""
    crs = QgsCoordinateReferenceSystem.fromWkt(wkt) if wkt else QgsCoordinateReferenceSystem()
    return found.done(Frame.MAP if wkt else Frame.UNKNOWN), crs


def _system(layer: ogr.Layer) -> str:
    system = layer.GetSpatialRef()
    return "" if system is None else str(system.ExportToWkt())


def _read(layer: ogr.Layer, found: Collected, progress: Progress) -> None:
    definition = layer.GetLayerDefn()
    fields = [
        definition.GetFieldDefn(place).GetName() for place in range(definition.GetFieldCount())
    ]
    image, label, score = (
        column_called(names, fields) for names in (IMAGE_NAMES, LABEL_NAMES, SCORE_NAMES)
    )
    total = max(layer.GetFeatureCount(), 1)
    for number, feature in enumerate(_features(layer), 1):
        if number % _LOOK == 0:
            progress(min(number / total, 1.0))
        place = found.image(str(_value(feature, image) or ""))
        words = _value(feature, label)
        row = feature.GetFID()
        found.add(
            _shape(feature),
            place,
            row,
            None if words is None else str(words),
            _value(feature, score),
        )


def _features(layer: ogr.Layer) -> Iterator[ogr.Feature]:
    layer.ResetReading()
    yield from iter(layer.GetNextFeature, None)


def _value(feature: ogr.Feature, field: str) -> Any:
    if not field or not feature.IsFieldSetAndNotNull(field):
        return None
    return feature.GetField(field)


def _shape(feature: ogr.Feature) -> Any:
    geometry = feature.GetGeometryRef()
    if geometry is None or geometry.IsEmpty():
        return Flaw.BAD_GEOMETRY
    flat = geometry.GetLinearGeometry()
    flat.FlattenTo2D()
    shape = shapely.from_wkb(bytes(flat.ExportToWkb()), on_invalid="ignore")
    if shape is None or not np.isfinite(shapely.bounds(shape)).all():
        return Flaw.BAD_GEOMETRY
    return shape if shapely.get_type_id(shape) in (*_POLYGONAL, _POINT) else Flaw.NO_CROWN
