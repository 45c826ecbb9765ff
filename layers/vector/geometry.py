"""Conversion between QGIS geometries and arrays of polygons, with a report on unusual features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsFeature, QgsGeometry, QgsWkbTypes

from randcrowns.core.arrays import Ints, Objects, split_range
from randcrowns.core.geometry.features import (
    CoordinateTransform,
    FeatureIssue,
    ReadReport,
    repair_polygons,
)
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.vector.tables import LazySequence

#: Number of shapes per call of shapely. Shapely holds Python's global lock during a call, and the
#: main window freezes for that time.
_BLOCK_SIZE = 2000
#: Type codes of well-known binary (WKB); the first one stands for a missing geometry.
_WKB_NO_TYPE = 0
_WKB_POLYGON = 3
_WKB_MULTIPOLYGON = 6
#: Header of a multi-part WKB: byte order, type code, number of parts.
_MULTIPART_HEADER = Struct("<BII")


def features_to_polygons(features: Sequence[QgsFeature], ids: Ints, report: ReadReport) -> Objects:
    """Convert the geometries of features to two-dimensional shapely geometries.

    Curved edges become straight ones, and Z and M values are dropped.

    Args:
        features: n features.
        ids: (n,) feature ids for the report.
        report: report to which issues of the features are added.

    Returns:
        Array (n,) of polygons, multipolygons or geometry collections with polygons, in the CRS of
        the layer; None for features without a polygon.
    """
    # Well-known binary (WKB) of each geometry; None for features without one.
    wkbs: list[bytes | None] = [feature.geometry().asWkb().data() or None for feature in features]
    type_codes = np.array([_read_type_code(wkb) for wkb in wkbs], dtype=np.int64)
    is_null = type_codes == _WKB_NO_TYPE
    is_plain = (type_codes == _WKB_POLYGON) | (type_codes == _WKB_MULTIPOLYGON)

    # The order is that of the report.
    ids_by_issue: dict[FeatureIssue, list[int]] = {
        FeatureIssue.CURVED: [],
        FeatureIssue.FLATTENED: [],
        FeatureIssue.MIXED: [],
        FeatureIssue.NOT_A_POLYGON: [],
    }
    for row in np.flatnonzero(~is_plain & ~is_null):
        converted = _convert_to_flat_wkb(features[row].geometry())
        wkbs[row] = converted.wkb
        for issue in converted.issues:
            ids_by_issue[issue].append(int(ids[row]))

    shapes: Objects = np.empty(len(wkbs), dtype=object)
    with np.errstate(invalid="ignore"):
        for block in split_range(len(wkbs), _BLOCK_SIZE):
            shapes[block] = shapely.from_wkb(wkbs[block], on_invalid="ignore")
    has_wkb = np.array([wkb is not None for wkb in wkbs], dtype=bool)
    is_unreadable = has_wkb & shapely.is_missing(shapes)

    for issue, issue_ids in ids_by_issue.items():
        report.add(issue, issue_ids)
    report.add(FeatureIssue.NULL, ids[is_null])
    report.add(FeatureIssue.UNREADABLE, ids[is_unreadable])
    return shapes


def _read_type_code(wkb: bytes | None) -> int:
    """Return the type of a geometry in well-known binary, which is in bytes 1 to 4."""
    return _WKB_NO_TYPE if wkb is None else int.from_bytes(wkb[1:5], "little")


def to_qgs_geometries(
    shapes: Objects, transform: CoordinateTransform | None = None, as_multipolygons: bool = True
) -> LazySequence:
    """Convert shapely geometries to QGIS geometries on access.

    The geometries are created when they are accessed, because freeing a million of them at once
    holds Python's global lock for seconds.

    Args:
        shapes: (n,) geometries, or None.
        transform: function that transforms coordinates (m, 2) to those of the result; None to leave
            them unchanged.
        as_multipolygons: convert polygons to multipolygons.

    Returns:
        Sequence of n QgsGeometry; a null geometry for None and for empty geometries.
    """
    multipolygon_header = _MULTIPART_HEADER.pack(1, _WKB_MULTIPOLYGON, 1)

    def convert(rows: slice) -> list[QgsGeometry]:
        """Return the QGIS geometries of some rows."""
        block = shapes[rows]
        is_without_shape = shapely.is_missing(block) | shapely.is_empty(block)
        shape_rows = np.flatnonzero(~is_without_shape)
        geometries = [QgsGeometry() for _ in block]
        for row, wkb in zip(shape_rows, _iterate_wkb(block[shape_rows], transform)):
            if as_multipolygons and wkb[1] == _WKB_POLYGON:
                geometries[row].fromWkb(multipolygon_header + wkb)
            else:
                geometries[row].fromWkb(wkb)
        return geometries

    return LazySequence(len(shapes), convert)


def _iterate_wkb(
    shapes: Objects, transform: CoordinateTransform | None, progress: Progress = no_progress
) -> Iterator[bytes]:
    """Yield the little-endian WKB of each shape, with transformed coordinates.

    Args:
        shapes: (n,) geometries, none of them None; they are not changed.
        transform: function that transforms coordinates (m, 2); None to leave them unchanged.
        progress: called with the fraction of the shapes done.
    """
    for block, _ in iterate_with_progress([*split_range(len(shapes), _BLOCK_SIZE)], progress):
        transformed = shapes[block].copy()
        if transform is not None:
            coordinates = transform(shapely.get_coordinates(transformed))
            transformed = shapely.set_coordinates(transformed, coordinates)
        yield from shapely.to_wkb(transformed, byte_order=1)


def to_qgs_multipolygon(
    working: WorkingCrs, crs: QgsCoordinateReferenceSystem, polygons: Objects, progress: Progress
) -> QgsGeometry:
    """Combine polygons into one QGIS multipolygon in another CRS.

    Args:
        working: working CRS of the polygons.
        crs: CRS of the result.
        polygons: (n,) polygons in working metres.
        progress: callback that receives the completed fraction.

    Returns:
        Multipolygon with n parts; a null geometry if n is 0.
    """
    multipolygon = QgsGeometry()
    parts = _iterate_wkb(polygons, partial(working.from_working, crs), progress)
    # The WKB is assembled by hand: shapely would write it in one call that cannot be cancelled.
    if len(polygons):
        header = _MULTIPART_HEADER.pack(1, _WKB_MULTIPOLYGON, len(polygons))
        multipolygon.fromWkb(b"".join((header, *parts)))
    return multipolygon


def to_map_geometries(
    polygons: Iterable[Any], working: WorkingCrs, crs: QgsCoordinateReferenceSystem
) -> LazySequence:
    """Convert polygons to QGIS multipolygons in another CRS on access.

    Args:
        polygons: n polygons in working metres, or None.
        working: working CRS of the polygons.
        crs: CRS of the result.

    Returns:
        Sequence of n QgsGeometry, see :func:`to_qgs_geometries`.
    """
    return to_qgs_geometries(np.asarray(polygons, dtype=object), partial(working.from_working, crs))


class _FlatPolygons(NamedTuple):
    """Polygons of one geometry, reduced to straight edges and two dimensions."""

    #: WKB of the polygons; None if the geometry contains no polygon.
    wkb: bytes | None
    #: Issues of the original geometry.
    issues: list[FeatureIssue]


def polygon_layer_type(wkb_type: Any) -> Any:
    """Return the geometry type of a copy of a layer that holds polygons only.

    Args:
        wkb_type: geometry type of the layer (QgsWkbTypes.Type). Layers of polygons keep it; those
            of any type, or of collections, become layers of multipolygons.
    """
    is_polygon = QgsWkbTypes.geometryType(wkb_type) == QgsWkbTypes.GeometryType.PolygonGeometry
    return wkb_type if is_polygon else QgsWkbTypes.Type.MultiPolygon


def polygons_of_features(features: Iterable[QgsFeature]) -> list[QgsGeometry]:
    """Return the geometries of features, reduced to polygons.

    A geometry collection becomes the multipolygon of its polygons. Other geometries than polygons
    become null, as such layers cannot hold them.

    Args:
        features: the features.
    """
    return [_select_polygons(feature.geometry()) for feature in features]


def _select_polygons(geometry: QgsGeometry) -> QgsGeometry:
    """Return a geometry if it is a polygon, the multipolygon in a collection, or else null."""
    if geometry.isNull() or geometry.type() == QgsWkbTypes.GeometryType.PolygonGeometry:
        return geometry
    parts = polygon_parts(geometry)
    return QgsGeometry.collectGeometry(parts) if parts else QgsGeometry()


def polygon_parts(geometry: QgsGeometry) -> list[QgsGeometry]:
    """Return a geometry as multipolygons; points and lines of a collection are left out.

    Args:
        geometry: geometry of any type.
    """
    if QgsWkbTypes.flatType(geometry.wkbType()) == QgsWkbTypes.Type.GeometryCollection:
        parts = geometry.asGeometryCollection()
        return [multipolygon for part in parts for multipolygon in polygon_parts(part)]
    if geometry.type() != QgsWkbTypes.GeometryType.PolygonGeometry:
        return []
    multipolygons = geometry.coerceToType(QgsWkbTypes.Type.MultiPolygon)
    return [multipolygon for multipolygon in multipolygons if not multipolygon.isEmpty()]


def _convert_to_flat_wkb(geometry: QgsGeometry) -> _FlatPolygons:
    """Convert a geometry to WKB without curves, Z and M values."""
    wkb_type = geometry.wkbType()
    is_collection = QgsWkbTypes.flatType(wkb_type) == QgsWkbTypes.Type.GeometryCollection
    is_polygon = QgsWkbTypes.geometryType(wkb_type) == QgsWkbTypes.GeometryType.PolygonGeometry
    if not is_polygon and not is_collection:
        return _FlatPolygons(None, [FeatureIssue.NOT_A_POLYGON])

    issues: list[FeatureIssue] = []
    flat = QgsGeometry(geometry)
    if QgsWkbTypes.hasZ(wkb_type) or QgsWkbTypes.hasM(wkb_type):
        issues.append(FeatureIssue.FLATTENED)
        flat.get().dropZValue()
        flat.get().dropMValue()
    if QgsWkbTypes.isCurvedType(wkb_type):
        issues.append(FeatureIssue.CURVED)
    if is_collection:
        issues.append(FeatureIssue.MIXED)

    straight = flat.get().segmentize() if flat.get() is not None else None
    if straight is not None:
        flat = QgsGeometry(straight)
    if is_collection and not _contains_polygon(flat):
        return _FlatPolygons(None, [FeatureIssue.NOT_A_POLYGON])
    return _FlatPolygons(flat.asWkb().data(), issues)


def _contains_polygon(collection: QgsGeometry) -> bool:
    """Return True if a geometry collection, or a collection within it, contains a polygon."""
    for part in collection.asGeometryCollection():
        if part.type() == QgsWkbTypes.GeometryType.PolygonGeometry:
            return True
        is_nested = QgsWkbTypes.flatType(part.wkbType()) == QgsWkbTypes.Type.GeometryCollection
        if is_nested and _contains_polygon(part):
            return True
    return False


__all__ = [
    "FeatureIssue",
    "ReadReport",
    "features_to_polygons",
    "polygon_layer_type",
    "polygon_parts",
    "polygons_of_features",
    "repair_polygons",
    "to_map_geometries",
    "to_qgs_geometries",
    "to_qgs_multipolygon",
]
