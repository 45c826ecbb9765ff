"""Conversion between QGIS geometries and arrays of polygons, with a report on unusual features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsFeature, QgsGeometry, QgsWkbTypes

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, split_array, split_range
from randcrowns.core.crowns import MAX_COORDINATE
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.core.messages import Message, abbreviate, info, note
from randcrowns.core.outlines import make_usable
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, subprogress
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.vector.tables import LazySequence

#: Function that transforms an array (m, 2) of coordinates.
CoordinateTransform = Callable[[Floats], Floats]

#: Number of shapes per call of shapely. Shapely holds Python's global lock during a call, and the
#: main window freezes for that time.
_BLOCK_SIZE = 2000
#: Type codes of well-known binary (WKB).
_WKB_POLYGON = 3
_WKB_MULTIPOLYGON = 6
_WKB_COLLECTION = 7
#: Header of a multi-part WKB: byte order, type code, number of parts.
_MULTIPART_HEADER = Struct("<BII")


class FeatureIssue(Enum):
    """Issue of a feature that is read, and what is done about it.

    The value holds the two English templates: for many crowns and for one crown. Features that are
    "skipped" or "excluded" yield no crown.
    """

    NULL = ("{count:,} crowns without geometry are skipped", "1 crown without geometry is skipped")
    EMPTY = (
        "{count:,} crowns with an empty geometry are skipped",
        "1 crown with an empty geometry is skipped",
    )
    NOT_A_POLYGON = (
        "{count:,} crowns of another geometry type than polygon are skipped",
        "1 crown of another geometry type than polygon is skipped",
    )
    NOT_NUMBERS = (
        "{count:,} crowns with coordinates that are not numbers are skipped",
        "1 crown with coordinates that are not numbers is skipped",
    )
    TOO_LARGE = (
        "{count:,} crowns with coordinates too large for any map are skipped",
        "1 crown with coordinates too large for any map is skipped",
    )
    UNREADABLE = (
        "{count:,} crowns with an outline that cannot be read are skipped",
        "1 crown with an outline that cannot be read is skipped",
    )
    NO_AREA = ("{count:,} crowns without an area are skipped", "1 crown without an area is skipped")
    NO_SCORE = (
        "{count:,} crowns without a score are excluded",
        "1 crown without a score is excluded",
    )
    LOW_SCORE = (
        "{count:,} crowns with a score below the threshold are excluded",
        "1 crown with a score below the threshold is excluded",
    )
    NO_NAME = (
        "{count:,} crowns without an annotator's name are excluded",
        "1 crown without an annotator's name is excluded",
    )
    OUTSIDE = (
        "{count:,} crowns outside the extent are excluded",
        "1 crown outside the extent is excluded",
    )
    CUT = (
        "{count:,} crowns partly outside the extent are clipped to it",
        "1 crown partly outside the extent is clipped to it",
    )
    REPAIRED = (
        "{count:,} crowns with an invalid geometry are repaired",
        "1 crown with an invalid geometry is repaired",
    )
    AREA_CHANGED = (
        "the repair changes the area of {count:,} crowns by more than 1 %",
        "the repair changes the area of 1 crown by more than 1 %",
    )
    CLOSED = (
        "{count:,} crowns with cracks or specks narrower than 0.001 mm are smoothed there",
        "1 crown with cracks or specks narrower than 0.001 mm is smoothed there",
    )
    TOO_COMPLEX = (
        "{count:,} crowns whose outlines cross themselves too often to be repaired are skipped",
        "1 crown whose outline crosses itself too often to be repaired is skipped",
    )
    MIXED = (
        "{count:,} crowns of mixed geometry are reduced to polygons",
        "1 crown of mixed geometry is reduced to polygons",
    )
    CURVED = (
        "{count:,} crowns with curved edges are approximated by straight edges",
        "1 crown with curved edges is approximated by straight edges",
    )
    FLATTENED = (
        "{count:,} crowns with Z or M values are reduced to two dimensions",
        "1 crown with Z or M values is reduced to two dimensions",
    )
    MULTIPART = (
        "{count:,} crowns with several parts are counted once",
        "1 crown with several parts is counted once",
    )

    def message_clause(self, count: int) -> Message:
        """Return the clause about features with this issue, without a layer.

        For example ``3 crowns with an invalid geometry are repaired``.

        Args:
            count: number of features with the issue.
        """
        many, one = self.value
        return info(f"clause.{self.name.lower()}", many, one=one, count=count)

    def message(self, layer: str, ids: list[int]) -> Message:
        """Return the message about the features of a layer with this issue.

        For example ``Layer 'A': 3 crowns with an invalid geometry are repaired (features 4, 8,
        15).``

        Args:
            layer: name of the layer.
            ids: ids of the features with the issue.
        """
        return note(
            f"input.{self.name.lower()}",
            "Layer '{layer}': {what} (features {ids}).",
            one="Layer '{layer}': {what} (feature {ids}).",
            layer=layer,
            count=len(ids),
            what=self.message_clause(len(ids)),
            ids=abbreviate(ids, 10),
        )


@dataclass
class ReadReport:
    """Issues found while a layer was read."""

    #: Name of the layer.
    layer: str
    #: Ids of the features with each issue.
    issues: dict[FeatureIssue, list[int]] = field(default_factory=dict)
    #: Messages about the layer as a whole.
    layer_messages: list[Message] = field(default_factory=list)

    def add(self, issue: FeatureIssue, ids: Iterable[int]) -> None:
        """Record features with an issue; do nothing if there are no ids.

        Args:
            issue: the issue.
            ids: ids of the features with the issue.
        """
        new_ids = [int(feature_id) for feature_id in ids]
        if new_ids:
            self.issues.setdefault(issue, []).extend(new_ids)

    def feature_ids(self, issue: FeatureIssue) -> list[int]:
        """Return the ids of the features with an issue."""
        return self.issues.get(issue, [])

    def messages(self) -> list[Message]:
        """Return the messages about the layer as a whole, then one message per issue."""
        issue_messages = [oddity.message(self.layer, ids) for oddity, ids in self.issues.items()]
        return [*self.layer_messages, *issue_messages]


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
    wkb: list[bytes | None] = [feature.geometry().asWkb().data() or None for feature in features]
    # Well-known binary (WKB) has the type of the geometry in bytes 1 to 4; 0 is no type.
    type_codes = np.array(
        [0 if item is None else int.from_bytes(item[1:5], "little") for item in wkb], dtype=np.int64
    )
    is_null = type_codes == 0
    is_plain = (type_codes == _WKB_POLYGON) | (type_codes == _WKB_MULTIPOLYGON)

    ids_by_issue: dict[FeatureIssue, list[int]] = {
        FeatureIssue.CURVED: [],
        FeatureIssue.FLATTENED: [],
        FeatureIssue.MIXED: [],
        FeatureIssue.NOT_A_POLYGON: [],
    }
    for row in np.flatnonzero(~is_plain & ~is_null):
        converted = _convert_to_flat_wkb(features[row].geometry())
        wkb[row] = converted.wkb
        for issue in converted.issues:
            ids_by_issue[issue].append(int(ids[row]))

    shapes: Objects = np.empty(len(wkb), dtype=object)
    with np.errstate(invalid="ignore"):
        for block in split_range(len(wkb), _BLOCK_SIZE):
            shapes[block] = shapely.from_wkb(wkb[block], on_invalid="ignore")

    for issue, issue_ids in ids_by_issue.items():
        report.add(issue, issue_ids)
    report.add(FeatureIssue.NULL, ids[is_null])
    has_wkb = np.array([item is not None for item in wkb], dtype=bool)
    report.add(FeatureIssue.UNREADABLE, ids[has_wkb & shapely.is_missing(shapes)])
    return shapes


def repair_polygons(
    shapes: Objects,
    ids: Ints,
    report: ReadReport,
    transform: CoordinateTransform,
    progress: Progress = no_progress,
) -> Objects:
    """Transform polygons to working coordinates and make them usable.

    Invalid polygons are repaired, and cracks and specks are closed, see
    :func:`randcrowns.core.outlines.make_usable`.

    Args:
        shapes: (n,) geometries from :func:`features_to_polygons`, or None; they are not changed.
        ids: (n,) feature ids for the report.
        report: report to which issues of the features are added.
        transform: function that transforms coordinates (m, 2) of the layer to working coordinates.
        progress: callback that receives the completed fraction.

    Returns:
        Array (n,) of valid polygons or multipolygons with a positive area; None for geometries that
        cannot be used.
    """
    polygons = shapes.copy()
    report.add(FeatureIssue.EMPTY, _set_to_none(polygons, ids, shapely.is_empty(polygons)))
    not_finite = _has_coordinate(polygons, lambda xy: ~np.isfinite(xy))
    report.add(FeatureIssue.NOT_NUMBERS, _set_to_none(polygons, ids, not_finite))
    too_large = _has_coordinate(polygons, lambda xy: np.abs(xy) > MAX_COORDINATE)
    report.add(FeatureIssue.TOO_LARGE, _set_to_none(polygons, ids, too_large))

    present_rows = np.flatnonzero(~shapely.is_missing(polygons))
    for block, _ in iterate_with_progress(
        split_array(present_rows, _BLOCK_SIZE), subprogress(progress, 0.0, 0.5)
    ):
        coordinates = shapely.get_coordinates(polygons[block])
        transformed = transform(coordinates)
        if transformed is not coordinates:
            polygons[block] = shapely.set_coordinates(polygons[block], transformed)

    is_collection = shapely.get_type_id(polygons) == _WKB_COLLECTION
    polygons[is_collection] = extract_polygons(polygons[is_collection])
    outlines = make_usable(polygons, subprogress(progress, 0.5, 1.0))
    polygons = outlines.polygons
    no_area = ~shapely.is_missing(polygons) & ~(shapely.area(polygons) > 0)
    report.add(FeatureIssue.NO_AREA, _set_to_none(polygons, ids, no_area))
    report.add(FeatureIssue.TOO_COMPLEX, ids[outlines.is_too_complex])
    report.add(FeatureIssue.REPAIRED, ids[outlines.is_repaired & ~no_area])
    report.add(FeatureIssue.AREA_CHANGED, ids[outlines.is_area_changed & ~no_area])
    report.add(FeatureIssue.CLOSED, ids[outlines.is_closed & ~no_area])
    report.add(FeatureIssue.MULTIPART, ids[shapely.get_num_geometries(polygons) > 1])
    return polygons


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
    header = _MULTIPART_HEADER.pack(1, _WKB_MULTIPOLYGON, 1)

    def convert(rows: slice) -> list[QgsGeometry]:
        part = shapes[rows]
        present_rows = np.flatnonzero(~(shapely.is_missing(part) | shapely.is_empty(part)))
        geometries = [QgsGeometry() for _ in part]
        for row, wkb in zip(present_rows, _iterate_wkb(part[present_rows], transform)):
            is_single = as_multipolygons and wkb[1] == _WKB_POLYGON
            geometries[row].fromWkb(header + wkb if is_single else wkb)
        return geometries

    return LazySequence(len(shapes), convert)


def _iterate_wkb(
    shapes: Objects, transform: CoordinateTransform | None, progress: Progress = no_progress
) -> Iterator[bytes]:
    """Yield the little-endian WKB of each shape, with transformed coordinates."""
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
    return [_only_polygons(feature.geometry()) for feature in features]


def _only_polygons(geometry: QgsGeometry) -> QgsGeometry:
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


def _set_to_none(shapes: Objects, ids: Ints, mask: Bools) -> Ints:
    """Set the shapes of a mask (n,) to None in place; return their ids."""
    shapes[mask] = None
    return ids[mask]


def _has_coordinate(shapes: Objects, predicate: Callable[[Floats], Bools]) -> Bools:
    """Return a mask (n,) of shapes with a coordinate for which the predicate is true.

    The predicate maps coordinates (m, 2) to a mask (m, 2).
    """
    mask = np.zeros(len(shapes), dtype=bool)
    for block in split_range(len(shapes), _BLOCK_SIZE):
        coordinates, owners = shapely.get_coordinates(shapes[block], return_index=True)
        mask[block][owners[predicate(coordinates).any(axis=1)]] = True
    return mask
