"""Geometries of features as plain polygons, in bulk, and what was odd about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from struct import Struct
from typing import Any

import numpy as np
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsFeature, QgsGeometry, QgsWkbTypes

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, parts_of, slices
from randcrowns.core.crowns import LARGEST
from randcrowns.core.geometry.areas import polygonal
from randcrowns.core.progress import Progress, no_progress, steps
from randcrowns.core.remarks import Remark, info, note, some
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.vector.tables import Pieces

Moved = Callable[[Floats], Floats]

#: Rows at a time: shapely holds Python's lock during each call, and the window waits for it.
_AT_ONCE = 2000
_POLYGON, _MULTIPOLYGON, _COLLECTION = 3, 6, 7
_HEAD = Struct("<BII")  # of the WKB of several parts: byte order, type, number of parts


class Oddity(Enum):
    """What can be odd about a feature, and what is done about it, said before a run and by it.

    What is skipped or excluded is no crown.
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
        "{count:,} crowns partly outside the extent are cut to it",
        "1 crown partly outside the extent is cut to it",
    )
    REPAIRED = (
        "{count:,} crowns with an invalid geometry are repaired",
        "1 crown with an invalid geometry is repaired",
    )
    MIXED = (
        "{count:,} crowns of mixed geometry are reduced to polygons",
        "1 crown of mixed geometry is reduced to polygons",
    )
    CURVED = (
        "{count:,} crowns with curved edges are taken with short straight ones",
        "1 crown with curved edges is taken with short straight ones",
    )
    FLATTENED = (
        "{count:,} crowns with heights or measures are taken flat",
        "1 crown with heights or measures is taken flat",
    )
    MULTIPART = (
        "{count:,} crowns with several parts are counted once",
        "1 crown with several parts is counted once",
    )

    def clause(self, count: int) -> Remark:
        """``3 crowns with an invalid geometry are repaired``"""
        many, one = self.value
        return info(f"clause.{self.name.lower()}", many, one=one, count=count)

    def remark(self, layer: str, ids: list[int]) -> Remark:
        """``Layer 'A': 3 crowns with an invalid geometry are repaired (features 4, 8, 15).``"""
        return note(
            f"input.{self.name.lower()}",
            "Layer '{layer}': {what} (features {ids}).",
            one="Layer '{layer}': {what} (feature {ids}).",
            layer=layer,
            count=len(ids),
            what=self.clause(len(ids)),
            ids=some(ids, 10),
        )


@dataclass
class ReadReport:
    """How a layer was read: ids of the features of each kind that are odd, and remarks on the layer as a whole."""

    layer: str
    oddities: dict[Oddity, list[int]] = field(default_factory=dict)
    notes: list[Remark] = field(default_factory=list)

    def add(self, oddity: Oddity, ids: Iterable[int]) -> None:
        """Note features; nothing is noted for none."""
        found = [int(number) for number in ids]
        if found:
            self.oddities.setdefault(oddity, []).extend(found)

    def ids(self, oddity: Oddity) -> list[int]:
        """Ids of the features of that kind."""
        return self.oddities.get(oddity, [])

    def remarks(self) -> list[Remark]:
        """Those on the layer as a whole, then one for each kind of oddity."""
        return [
            *self.notes,
            *(oddity.remark(self.layer, ids) for oddity, ids in self.oddities.items()),
        ]


def plain_polygons(features: Sequence[QgsFeature], ids: Ints, report: ReadReport) -> Objects:
    """(n,) 2-D polygons, multipolygons or collections with polygons, in the layer's own coordinates.

    None where a feature has nothing of the kind, which the report then says; so it says what was curved, 3-D or mixed.
    """
    wkb: list[bytes | None] = [feature.geometry().asWkb().data() or None for feature in features]
    codes = np.array(
        [0 if item is None else int.from_bytes(item[1:5], "little") for item in wkb], dtype=np.int64
    )
    unusual = np.flatnonzero((codes != _POLYGON) & (codes != _MULTIPOLYGON) & (codes != 0))
    odd: dict[Oddity, list[int]] = {
        Oddity.CURVED: [],
        Oddity.FLATTENED: [],
        Oddity.MIXED: [],
        Oddity.NOT_A_POLYGON: [],
    }
    for row in unusual:
        wkb[row], found = _flat_wkb(features[row].geometry())
        for oddity in found:
            odd[oddity].append(int(ids[row]))
    shapes: Objects = np.empty(len(wkb), dtype=object)
    with np.errstate(invalid="ignore"):
        for block in slices(len(wkb), _AT_ONCE):  # shapely holds Python's lock meanwhile
            shapes[block] = shapely.from_wkb(wkb[block], on_invalid="ignore")
    for oddity, numbers in odd.items():
        report.add(oddity, numbers)
    report.add(Oddity.NULL, ids[codes == 0])
    given = np.array([item is not None for item in wkb], dtype=bool)
    report.add(Oddity.UNREADABLE, ids[given & shapely.is_missing(shapes)])
    return shapes


def usable_polygons(
    shapes: Objects, ids: Ints, report: ReadReport, moved: Moved, progress: Progress = no_progress
) -> Objects:
    """(n,) valid polygons with an area, in working coordinates; None where nothing usable is left, as the report says.

    Args:
        shapes: of :func:`plain_polygons`; they are not changed.
        ids: (n,) feature ids.
        moved: turns (m, 2) coordinates of the layer into working coordinates.
    """
    found = shapes.copy()
    report.add(Oddity.EMPTY, _leave(found, ids, shapely.is_empty(found)))
    report.add(Oddity.NOT_NUMBERS, _leave(found, ids, _has(found, lambda xy: ~np.isfinite(xy))))
    report.add(Oddity.TOO_LARGE, _leave(found, ids, _has(found, lambda xy: np.abs(xy) > LARGEST)))
    valid = np.ones(len(found), dtype=bool)
    for block, _ in steps(parts_of(np.flatnonzero(~shapely.is_missing(found)), _AT_ONCE), progress):
        coordinates = shapely.get_coordinates(found[block])
        working = moved(coordinates)
        if working is not coordinates:
            found[block] = shapely.set_coordinates(found[block], working)
        valid[block] = shapely.is_valid(found[block])
    invalid = ~valid
    found[invalid] = shapely.make_valid(found[invalid])
    mixed = shapely.get_type_id(found) == _COLLECTION
    found[mixed] = polygonal(found[mixed])
    no_area = ~shapely.is_missing(found) & ~(shapely.area(found) > 0)
    report.add(Oddity.NO_AREA, _leave(found, ids, no_area))
    report.add(Oddity.REPAIRED, ids[invalid & ~no_area])
    report.add(Oddity.MULTIPART, ids[shapely.get_num_geometries(found) > 1])
    return found


def to_qgs_geometries(shapes: Objects, moved: Moved | None = None, multi: bool = True) -> Pieces:
    """QGIS geometries, null where missing or empty, each made when it is asked for: freed all at once, a million hold
    Python's lock for seconds. ``moved`` turns coordinates, ``multi`` asks for multipolygons."""
    head = _HEAD.pack(1, _MULTIPOLYGON, 1)

    def made(some: slice) -> list[QgsGeometry]:
        part = shapes[some]
        present = np.flatnonzero(~(shapely.is_missing(part) | shapely.is_empty(part)))
        found = [QgsGeometry() for _ in part]
        for row, wkb in zip(present, _written(part[present], moved)):
            found[row].fromWkb(head + wkb if multi and wkb[1] == _POLYGON else wkb)
        return found

    return Pieces(len(shapes), made)


def _written(
    shapes: Objects, moved: Moved | None, progress: Progress = no_progress
) -> Iterator[bytes]:
    """The WKB of each shape."""
    for block, _ in steps([*slices(len(shapes), _AT_ONCE)], progress):
        kept = shapes[block].copy()
        if moved is not None:
            kept = shapely.set_coordinates(kept, moved(shapely.get_coordinates(kept)))
        yield from shapely.to_wkb(kept, byte_order=1)


def map_multipolygon(
    working: WorkingCrs, crs: QgsCoordinateReferenceSystem, polygons: Objects, progress: Progress
) -> QgsGeometry:
    """Polygons in working metres as one multipolygon in another system, null without any."""
    found, parts = QgsGeometry(), _written(polygons, partial(working.metres_to, crs), progress)
    if len(polygons):  # shapely would write a whole layer in one call, in which no cancel is heard
        found.fromWkb(b"".join((_HEAD.pack(1, _MULTIPOLYGON, len(polygons)), *parts)))
    return found


def map_shapes(
    polygons: Iterable[Any], working: WorkingCrs, crs: QgsCoordinateReferenceSystem
) -> Pieces:
    """Polygons in working metres as multipolygons in another system, each made when it is asked for."""
    return to_qgs_geometries(np.asarray(polygons, dtype=object), partial(working.metres_to, crs))


def _flat_wkb(geometry: QgsGeometry) -> tuple[bytes | None, list[Oddity]]:
    """WKB of the geometry's polygons, straight and flat (None without any), and what was odd."""
    kind = geometry.wkbType()
    odd: list[Oddity] = []
    changed = QgsGeometry(geometry)
    if QgsWkbTypes.hasZ(kind) or QgsWkbTypes.hasM(kind):
        odd.append(Oddity.FLATTENED)
        changed.get().dropZValue()
        changed.get().dropMValue()
    collection = QgsWkbTypes.flatType(kind) == QgsWkbTypes.Type.GeometryCollection
    polygonal = QgsWkbTypes.geometryType(kind) == QgsWkbTypes.GeometryType.PolygonGeometry
    if not polygonal and not collection:
        return None, [Oddity.NOT_A_POLYGON]
    if QgsWkbTypes.isCurvedType(kind):
        odd.append(Oddity.CURVED)
    if collection:
        odd.append(Oddity.MIXED)
    straight = changed.get().segmentize() if changed.get() is not None else None
    flat = changed if straight is None else QgsGeometry(straight)
    if collection and not _has_polygon(flat):
        return None, [Oddity.NOT_A_POLYGON]
    return flat.asWkb().data(), odd


def _has_polygon(collection: QgsGeometry) -> bool:
    polygons, nested = QgsWkbTypes.GeometryType.PolygonGeometry, QgsWkbTypes.Type.GeometryCollection
    return any(
        part.type() == polygons
        or (QgsWkbTypes.flatType(part.wkbType()) == nested and _has_polygon(part))
        for part in collection.asGeometryCollection()
    )


def _leave(shapes: Objects, ids: Ints, unusable: Bools) -> Ints:
    """Ids of the unusable shapes, which become None."""
    shapes[unusable] = None
    return ids[unusable]


def _has(shapes: Objects, wrong: Callable[[Floats], Bools]) -> Bools:
    found = np.zeros(len(shapes), dtype=bool)
    for block in slices(len(shapes), _AT_ONCE):  # shapely holds Python's lock meanwhile
        coordinates, owner = shapely.get_coordinates(shapes[block], return_index=True)
        found[block][owner[wrong(coordinates).any(axis=1)]] = True
    return found
