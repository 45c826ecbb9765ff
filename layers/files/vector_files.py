"""Crowns in vector files that GDAL reads, as annotations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import shapely
from osgeo import gdal, ogr
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    CROWN_TYPES,
    AnnotationCollector,
    Annotations,
    CoordinateUnit,
    DoubtReason,
    SkipReason,
)
from randcrowns.core.exchange.crs_messages import impossible_degrees_message
from randcrowns.core.exchange.deepforest import find_crown_fields
from randcrowns.core.exchange.recognition import read_beginning
from randcrowns.core.exchange.values import detect_text_encoding, read_text
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.core.progress import Progress
from randcrowns.layers.crs import crs_name
from randcrowns.layers.files.coordinate_notes import has_shown_coordinates
from randcrowns.layers.local_files import (
    name_format_beyond_images,
    name_other_format,
    offline_gdal,
    open_vector,
    quiet_gdal,
)

#: Extensions of GeoJSON, in lower case.
_JSON = (".geojson", ".json")
#: Extensions of GeoParquet, in lower case, for which GDAL needs a driver of its own.
_PARQUET = (".parquet", ".geoparquet")
#: Member of a GeoJSON file that refers to its CRS by an address.
_CRS_ADDRESS = re.compile(r'"crs"\s*:\s*\{[^{}]*"type"\s*:\s*"(link|url)"', re.IGNORECASE)
#: GDAL's drivers of GeoJSON.
_JSON_DRIVERS = ("GeoJSON", "GeoJSONSeq", "TopoJSON", "ESRIJSON", "JSONFG")
#: GDAL's drivers by the extension of a file, in lower case.
_DRIVERS = {
    ".gpkg": ("GPKG",),
    ".shp": ("ESRI Shapefile",),
    ".fgb": ("FlatGeobuf",),
    **dict.fromkeys(_JSON, _JSON_DRIVERS),
    **dict.fromkeys(_PARQUET, ("Parquet",)),
}
#: GDAL's drivers of files with another extension: those whose files contain the crowns themselves.
_OTHER_DRIVERS = (
    *dict.fromkeys(driver for drivers in _DRIVERS.values() for driver in drivers),
    "SQLite",
    "MapInfo File",
    "OpenFileGDB",
    "LIBKML",
    "KML",
    "GML",
    "GPX",
    "DXF",
    "CSV",
    "ODS",
    "XLSX",
)
#: GDAL's names of the CRS of a GeoPackage's table whose CRS is missing (srs_id 0, -1 and 99999).
_UNDEFINED_CRS = ("Undefined geographic SRS", "Undefined Cartesian SRS", "Undefined SRS")
#: Number of features between two reports of progress.
_REPORT_INTERVAL = 1000


class VectorFileContent(NamedTuple):
    """Crowns of a vector file."""

    annotations: Annotations
    crs: QgsCoordinateReferenceSystem  #: their CRS; invalid if the file has none.
    #: True if the file has no CRS, but a record that QGIS shows its coordinates.
    has_shown_coordinates: bool


def read_vector_file(path: Path, progress: Progress, layer_name: str = "") -> VectorFileContent:
    """Read the crowns in the only polygon layer of a vector file, and the points of all layers.

    All fields are kept. Those with image names, labels and scores are recognised by the names that
    DeepForest and detectree2 use.

    Args:
        path: the file.
        progress: receives the fraction done; may raise to cancel.
        layer_name: name of the only layer to read; "" for all layers.

    Returns:
        The crowns. If the file has no CRS, their coordinates are unchanged. Only if its features
        name images, the unit is unknown, unless the file records that QGIS shows its coordinates.

    Raises:
        InputError: if the file cannot be read, has no layer of the name or several polygon layers,
            or if its layers are in several CRS.
    """
    collector = AnnotationCollector(path.name)
    with offline_gdal():
        source = _open_vector(path)
        layers = _choose_layers(path, _list_geometry_layers(source), layer_name)
        wkt = _get_common_wkt(path, layers)
        for layer in layers:
            _read_layer(layer, collector, progress)
        has_record = bool(layers) and all(has_shown_coordinates(layer) for layer in layers)

    crs = QgsCoordinateReferenceSystem()
    if wkt:
        crs = QgsCoordinateReferenceSystem.fromWkt(wkt)
    unit = CoordinateUnit.MAP
    names_images = any(image.name for image in collector.images)
    if not wkt and not has_record and names_images:
        unit = CoordinateUnit.UNKNOWN  # map coordinates, or pixels of the images
    annotations = collector.build(unit)
    if crs.isGeographic():
        message = impossible_degrees_message(path.name, annotations.shapes, crs_name(crs))
        if message is not None:
            annotations = replace(annotations, messages=(*annotations.messages, message))
    return VectorFileContent(annotations, crs, has_shown_coordinates=has_record and not wkt)


def _list_geometry_layers(source: gdal.Dataset) -> list[ogr.Layer]:
    """Return the layers of a file that have geometries."""
    layers = [source.GetLayer(number) for number in range(source.GetLayerCount())]
    return [layer for layer in layers if layer.GetGeomType() != ogr.wkbNone]


def _get_common_wkt(path: Path, layers: Sequence[ogr.Layer]) -> str:
    """Return the CRS of all layers as well-known text, or "" if they have none.

    Args:
        path: file of the layers, for the message.
        layers: layers to read.

    Raises:
        InputError: if the layers are in several CRS.
    """
    crs_texts = {_get_crs_wkt(layer) for layer in layers}
    if len(crs_texts) > 1:
        raise InputError(
            "import.different_crs",
            "The layers of {path} are in several coordinate systems; import them one by one.",
            path=path.name,
        )
    return crs_texts.pop() if crs_texts else ""


def _choose_layers(path: Path, layers: list[ogr.Layer], name: str) -> list[ogr.Layer]:
    """Return the layers of a file to read.

    Args:
        path: the file.
        layers: all its layers with geometries.
        name: name of the only layer to read; "" for all layers.

    Raises:
        InputError: if no layer has the name, or if several layers contain polygons and none is
            named. They would be mixed, for example crowns with plots, or targets with predictions.
    """
    if name:
        named_layers = [layer for layer in layers if layer.GetName() == name]
        if not named_layers:
            raise InputError(
                "import.no_such_layer",
                "{path} has no layer '{name}'; it has {layers}.",
                path=path.name,
                name=name,
                layers=[layer.GetName() for layer in layers],
            )
        return named_layers
    polygon_layers = [layer.GetName() for layer in layers if _has_polygons(layer)]
    if len(polygon_layers) > 1:
        raise InputError(
            "import.several_layers",
            "{path} has several layers with polygons: {layers}. In one layer they would be mixed. "
            "Import them one by one: write |layername=… after the path of the file.",
            path=path.name,
            layers=polygon_layers,
        )
    return layers


def _has_polygons(layer: ogr.Layer) -> bool:
    """Return True if a feature of a layer contains a polygon."""
    layer.ResetReading()
    has_polygons = False
    for feature in layer:
        geometry = feature.GetGeometryRef()
        if geometry is not None and _is_or_contains_polygon(geometry):
            has_polygons = True
            break
    layer.ResetReading()
    return has_polygons


def _is_or_contains_polygon(geometry: ogr.Geometry) -> bool:
    """Return True for polygons, their collections, and collections that contain one."""
    if ogr.GT_Flatten(geometry.GetGeometryType()) == ogr.wkbGeometryCollection:
        parts = (geometry.GetGeometryRef(i) for i in range(geometry.GetGeometryCount()))
        return any(_is_or_contains_polygon(part) for part in parts)
    return bool(geometry.GetDimension() == 2)


def _open_vector(path: Path) -> gdal.Dataset:
    """Return the opened vector file; raise an InputError if GDAL cannot read it.

    GDAL reads JSON in UTF-8 only; the text of a GeoJSON file in UTF-16 is passed to it.
    """
    if path.suffix.lower() in _JSON and _CRS_ADDRESS.search(read_beginning(path)):
        raise InputError(
            "file.crs_address",
            "{path} names its coordinate system by an address, which is not opened. Save the file "
            "in QGIS with its coordinate system, for example as GeoPackage.",
            path=path.name,
        )
    name = str(path)
    drivers = _DRIVERS.get(path.suffix.lower(), _OTHER_DRIVERS)
    if path.suffix.lower() in _JSON and detect_text_encoding(path) != "utf-8-sig":
        text = read_text(path)
        if text.lstrip().startswith("{"):  # other texts may be addresses for GDAL
            name = text
            drivers = ("GeoJSON",)
    source = open_vector(name, drivers)
    if source is None:
        raise unreadable_vector_error(path)
    return source


def is_readable_layer(path: Path) -> bool:
    """Return True if GDAL opens a file as vector data or as a raster, with any of its drivers.

    >>> is_readable_layer(Path("no_file.gpkg"))
    False
    """
    with offline_gdal():
        try:
            return gdal.OpenEx(str(path), gdal.OF_VECTOR | gdal.OF_RASTER) is not None
        except RuntimeError:  # raised if GDAL's exceptions are switched on
            return False


def check_format(path: Path) -> None:
    """Raise an InputError if a layer's file is of another format than its extension says.

    GDAL and QGIS recognise files by their content. A virtual dataset (VRT) that is named
    ``crowns.gpkg`` would read other files and addresses.

    Args:
        path: the file, which exists.
    """
    with quiet_gdal():
        drivers = _DRIVERS.get(path.suffix.lower())
        other_format = name_other_format(path, drivers) if drivers else ""
        other_format = other_format or name_format_beyond_images(path)
    if other_format:
        raise _other_format_error(path, other_format)


def _other_format_error(path: Path, other_format: str) -> InputError:
    """Return the error for a file of another format, by GDAL's name of the format."""
    return InputError(
        "file.other_format",
        "{path} cannot be read as a file of its extension, and may be of the format "
        "{format}. Give it the extension of its format, or save it as GeoPackage.",
        path=path.name,
        format=other_format,
    )


def unreadable_vector_error(path: Path) -> InputError:
    """Return the error for a vector file that GDAL cannot read, with the reason.

    Args:
        path: the file, which exists.
    """
    suffix = path.suffix.lower()
    if suffix in _PARQUET and gdal.GetDriverByName("Parquet") is None:
        return InputError(
            "file.no_parquet_driver",
            "{path} is GeoParquet, which this GDAL cannot read. Save it as GeoPackage, or "
            "install GDAL with Parquet (package libgdal-arrow-parquet of conda).",
            path=path.name,
        )
    other_format = name_other_format(path, _DRIVERS.get(suffix, _OTHER_DRIVERS))
    if other_format and suffix in _DRIVERS:
        return _other_format_error(path, other_format)
    return InputError(
        "file.damaged_vector",
        "{path} cannot be read; it is damaged, or it is not a vector file.",
        path=path.name,
    )


def _get_crs_wkt(layer: ogr.Layer) -> str:
    """Return the CRS of a layer as well-known text, or "" if it has none.

    GDAL reads the entries of a GeoPackage for a missing CRS as a CRS up to version 3.8.
    """
    crs = layer.GetSpatialRef()
    if crs is None or crs.GetName() in _UNDEFINED_CRS:
        return ""
    return str(crs.ExportToWkt())


def _read_layer(layer: ogr.Layer, collected: AnnotationCollector, progress: Progress) -> None:
    """Read the crowns of a layer and add them to ``collected``."""
    fields = _read_field_numbers(layer)
    crown_fields = find_crown_fields(list(fields))
    image_field = fields.get(crown_fields.image)
    label_field = fields.get(crown_fields.label)
    score_field = fields.get(crown_fields.score)

    total = max(layer.GetFeatureCount(), 1)
    for number, feature in enumerate(_read_features(layer), start=1):
        if number % _REPORT_INTERVAL == 0:
            progress(min(number / total, 1.0))
        shape = _read_shape(feature)
        if not isinstance(shape, SkipReason) and _has_other_parts(feature.GetGeometryRef()):
            collected.add_problem(DoubtReason.ONLY_POLYGONS, feature.GetFID())
        image_name = str(_read_value(feature, image_field) or "")
        label = _read_value(feature, label_field)
        if label is not None:
            label = str(label)
        values = {}
        for name, field_number in fields.items():
            values[name] = _read_value(feature, field_number)
        collected.add(
            shape,
            collected.index_image(image_name),
            feature.GetFID(),
            label,
            _read_value(feature, score_field),
            fields=values,
        )


def _read_field_numbers(layer: ogr.Layer) -> dict[str, int]:
    """Return the numbers of a layer's fields by name; of equal names, that of the first field."""
    definition = layer.GetLayerDefn()
    numbers: dict[str, int] = {}
    for number in range(definition.GetFieldCount()):
        numbers.setdefault(_to_text(definition.GetFieldDefn(number).GetName()), number)
    return numbers


def _to_text(value: Any) -> Any:
    """Return a value, with bytes of a text that are no UTF-8 replaced.

    GDAL returns such a text as bytes or with surrogates, which no file can store.
    """
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogateescape")
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _has_other_parts(geometry: ogr.Geometry) -> bool:
    """Return True if a geometry is a collection with points or lines among its parts."""
    if ogr.GT_Flatten(geometry.GetGeometryType()) != ogr.wkbGeometryCollection:
        return False
    parts = [geometry.GetGeometryRef(i) for i in range(geometry.GetGeometryCount())]
    return any(part.GetDimension() != 2 or _has_other_parts(part) for part in parts)


def _read_features(layer: ogr.Layer) -> Iterator[ogr.Feature]:
    layer.ResetReading()
    yield from iter(layer.GetNextFeature, None)


def _read_value(feature: ogr.Feature, field: int | None) -> Any:
    """Return the value of the field with a number; None for NULL and without a field."""
    if field is None or not feature.IsFieldSetAndNotNull(field):
        return None
    return _to_text(feature.GetField(field))


def _read_shape(feature: ogr.Feature) -> Any:
    """Return the polygon, multipolygon or point of a feature, in 2D and without curves.

    Returns:
        A shapely geometry, or the :class:`SkipReason` that excludes the feature.
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
    if shapely.get_type_id(shape) not in CROWN_TYPES or shapely.is_empty(shape):
        return SkipReason.NO_CROWN
    return shape
