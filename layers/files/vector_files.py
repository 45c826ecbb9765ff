"""Crowns in vector files that GDAL reads, as annotations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from osgeo import gdal, ogr
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.core.arrays import Objects
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    AnnotationCollector,
    Annotations,
    CoordinateUnit,
    SkipReason,
)
from randcrowns.core.exchange.deepforest import (
    IMAGE_COLUMNS,
    LABEL_COLUMNS,
    SCORE_COLUMNS,
    find_column,
)
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.core.messages import Message, warning
from randcrowns.core.progress import Progress
from randcrowns.layers.crs import crs_name
from randcrowns.layers.raster.images import quiet_gdal

#: Extensions of GeoParquet, in lower case, for which GDAL needs a driver of its own.
_PARQUET = (".parquet", ".geoparquet")
#: Maximum absolute longitude and latitude, degrees; on a map around the date line, longitudes may
#: be beyond 180.
_MAX_DEGREES = np.array([360.0, 90.0, 360.0, 90.0])
_CROWN_TYPES = (
    shapely.GeometryType.POLYGON,
    shapely.GeometryType.MULTIPOLYGON,
    shapely.GeometryType.POINT,
)
#: Number of features between two reports of progress.
_REPORT_INTERVAL = 1000


def read_vector_file(
    path: Path, progress: Progress
) -> tuple[Annotations, QgsCoordinateReferenceSystem]:
    """Read all crowns in the layers of a vector file.

    All fields are kept. Those with image names, labels and scores are recognised by the names that
    DeepForest and detectree2 use.

    Args:
        path: the file.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The annotations and their CRS. The CRS is invalid if the file has none; the annotations'
        frame is then unknown.

    Raises:
        InputError: if the file cannot be read, or its layers are in several CRS.
    """
    with quiet_gdal():
        source = _open_vector(path)
        layers = [source.GetLayer(number) for number in range(source.GetLayerCount())]
        layers = [layer for layer in layers if layer.GetGeomType() != ogr.wkbNone]
        crs_texts = {_crs_wkt(layer) for layer in layers}
        if len(crs_texts) > 1:
            raise InputError(
                "import.different_crs",
                "The layers of {path} are in several coordinate systems; import them one by one.",
                path=path.name,
            )
        collected = AnnotationCollector(path.name)
        for layer in layers:
            _read_layer(layer, collected, progress)

    wkt = crs_texts.pop() if crs_texts else ""
    crs = QgsCoordinateReferenceSystem.fromWkt(wkt) if wkt else QgsCoordinateReferenceSystem()
    annotations = collected.build(CoordinateUnit.MAP if wkt else CoordinateUnit.UNKNOWN)
    message = _impossible_degrees_message(path.name, annotations.shapes, crs)
    if message is not None:
        annotations = replace(annotations, messages=(*annotations.messages, message))
    return annotations, crs


def _open_vector(path: Path) -> gdal.Dataset:
    """Return the opened vector file; raise an InputError if GDAL cannot read it."""
    try:
        source = gdal.OpenEx(str(path), gdal.OF_VECTOR)
    except RuntimeError:  # raised if GDAL's exceptions are switched on
        source = None
    if source is not None:
        return source

    is_parquet = path.suffix.lower() in _PARQUET
    if is_parquet and gdal.GetDriverByName("Parquet") is None:
        raise InputError(
            "file.no_parquet_driver",
            "{path} is GeoParquet, which this GDAL cannot read. Save it as GeoPackage, or "
            "install GDAL with Parquet (package libgdal-arrow-parquet of conda).",
            path=path.name,
        )
    raise InputError(
        "file.damaged_vector",
        "{path} cannot be read; it is damaged, or it is not a vector file.",
        path=path.name,
    )


def _impossible_degrees_message(
    file: str, shapes: Objects, crs: QgsCoordinateReferenceSystem
) -> Message | None:
    """Return a warning if coordinates in a geographic CRS are too large to be degrees.

    Args:
        file: name of the file.
        shapes: (n,) shapes of the crowns, in ``crs``.
        crs: CRS of the file; may be invalid.

    Returns:
        The warning, or None if all coordinates are possible or the CRS is not in degrees.
    """
    if not crs.isGeographic():
        return None
    bounds = shapely.bounds(shapes)
    is_impossible = (np.abs(bounds) > _MAX_DEGREES).any(axis=1)
    if not is_impossible.any():
        return None
    return warning(
        "exchange.no_degrees",
        "{file}: the coordinates of {count:,} crowns cannot be of its coordinate system {crs}, "
        "which is in degrees. They may be metres; give the file the system of its "
        "coordinates, for example with the tool 'Assign projection'.",
        one="{file}: the coordinates of 1 crown cannot be of its coordinate system {crs}, "
        "which is in degrees. They may be metres; give the file the system of its "
        "coordinates, for example with the tool 'Assign projection'.",
        file=file,
        count=int(is_impossible.sum()),
        crs=crs_name(crs),
    )


def _crs_wkt(layer: ogr.Layer) -> str:
    """Return the CRS of a layer as well-known text, or "" if it has none."""
    crs = layer.GetSpatialRef()
    return "" if crs is None else str(crs.ExportToWkt())


def _read_layer(layer: ogr.Layer, collected: AnnotationCollector, progress: Progress) -> None:
    """Read the crowns of a layer and add them to ``collected``."""
    definition = layer.GetLayerDefn()
    fields = [
        definition.GetFieldDefn(number).GetName() for number in range(definition.GetFieldCount())
    ]
    image_field = find_column(IMAGE_COLUMNS, fields)
    label_field = find_column(LABEL_COLUMNS, fields)
    score_field = find_column(SCORE_COLUMNS, fields)

    total = max(layer.GetFeatureCount(), 1)
    for number, feature in enumerate(_features(layer), 1):
        if number % _REPORT_INTERVAL == 0:
            progress(min(number / total, 1.0))
        image = collected.index_image(str(_value(feature, image_field) or ""))
        label = _value(feature, label_field)
        collected.add(
            _shape(feature),
            image,
            feature.GetFID(),
            None if label is None else str(label),
            _value(feature, score_field),
            fields={name: _value(feature, name) for name in fields},
        )


def _features(layer: ogr.Layer) -> Iterator[ogr.Feature]:
    layer.ResetReading()
    yield from iter(layer.GetNextFeature, None)


def _value(feature: ogr.Feature, field: str) -> Any:
    """Return the value of a field; None for NULL and if ``field`` is empty."""
    if not field or not feature.IsFieldSetAndNotNull(field):
        return None
    return feature.GetField(field)


def _shape(feature: ogr.Feature) -> Any:
    """Return the polygon, multipolygon or point of a feature, in 2D and without curves.

    Returns:
        A shapely geometry, or the Flaw that excludes the feature.
    """
    geometry = feature.GetGeometryRef()
    if geometry is None or geometry.IsEmpty():
        return SkipReason.BAD_GEOMETRY
    linear = geometry.GetLinearGeometry()
    linear.FlattenTo2D()
    shape = shapely.from_wkb(bytes(linear.ExportToWkb()), on_invalid="ignore")
    if shape is None or not np.isfinite(shapely.bounds(shape)).all():
        return SkipReason.BAD_GEOMETRY
    if shapely.get_type_id(shape) == shapely.GeometryType.GEOMETRYCOLLECTION:
        shape = extract_polygons(np.array([shape], dtype=object))[0]
    if shapely.get_type_id(shape) not in _CROWN_TYPES or shapely.is_empty(shape):
        return SkipReason.NO_CROWN
    return shape
