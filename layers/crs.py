"""Metres on the ground: the coordinate system that a run works in, and the way there and back.

Lengths in the core are metres on the ground, so
- a projected system in metres is worked in as it is,
- one in feet or another unit is multiplied to metres,
- degrees, and projections whose metre is not one on the ground there (Web Mercator), go to the UTM zone of the
  layer's centre,
- the pixels of images without a georeference stay pixels, and no length in metres can be asked for.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from osgeo import osr
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsCsException,
    QgsDistanceArea,
    QgsGeometry,
    QgsMapLayer,
    QgsPointXY,
    QgsProject,
    QgsUnitTypes,
)

from randcrowns.core.arrays import Floats
from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark, Said, note

#: Lengths may be off by so much before a projection is left for the UTM zone.
_MOST_DISTORTION = 0.01
#: Above this a layer is refused whose parts lie so far apart that no system fits them all.
_TOO_MUCH_DISTORTION = 0.05
_DEGREES = QgsUnitTypes.DistanceUnit.DistanceDegrees
#: The datum of a system in well-known text, and what stands in its place where none is known.
_DATUM = re.compile(r'(?:DATUM|ENSEMBLE|TRF)\["([^"]*)"')
_NOT_ON_EARTH, _TIED = re.compile("ENGCRS|ENGINEERINGCRS|LOCAL_CS"), re.compile("BOUNDCRS")
_NO_DATUM = re.compile(r"(d_)?(unknown|undefined|unnamed|not[ _]specified|$)", re.IGNORECASE)
#: What a GeoJSON file without a coordinate system says, in its first or last bytes, and how its name ends.
_NO_SYSTEM = re.compile(
    rb'"crs"\s*:\s*(?:null|\{[^{}]*\{[^{}]*"name"\s*:\s*"[^"]*undefined[^"]*")', re.IGNORECASE
)
_LOOKED_AT, _JSON = 4096, (".geojson", ".json")
#: Crowns that are all smaller than this are none, in the system's unit.
_SPECK = 0.01
#: A coordinate in another projection and back is off by less, in the system's unit.
_THERE_AND_BACK = 1.0


@dataclass(frozen=True)
class WorkingCrs:
    """Where the core computes: coordinates of ``crs`` times ``metres`` are metres on the ground."""

    crs: QgsCoordinateReferenceSystem  #: a projected coordinate system; an invalid one for pixel coordinates.
    metres: float  #: length of one unit of ``crs``, metres; 1 for pixel coordinates, which are no metres.
    note: Remark | None  #: a remark where this is not the layer's own system in metres; else None.
    transform_context: (
        QgsCoordinateTransformContext  #: the project's choices of datum transformations.
    )

    @classmethod
    def of_pixels(cls, context: QgsCoordinateTransformContext) -> WorkingCrs:
        """The pixels of an image without a georeference: x from its left edge, y from its upper one, upwards."""
        said = "The layers lie in pixel coordinates without a coordinate system: lengths are in pixels, areas in px²."
        return cls(QgsCoordinateReferenceSystem(), 1.0, note("input.pixels", said), context)

    @classmethod
    def for_layer(
        cls,
        name: str,
        crs: QgsCoordinateReferenceSystem,
        centre: tuple[float, float],
        transform_context: QgsCoordinateTransformContext,
    ) -> WorkingCrs:
        """The working system of a layer whose middle, x and y in ``crs``, is ``centre``.

        Raises:
            InputError: naming the layer, if its system is missing or its coordinates cannot belong to it.
        """
        crs = whole(crs)
        check_crs(name, crs)
        if in_degrees(crs):
            zone = utm_zone(name, crs, centre, transform_context)
            said = "Layer '{layer}' is in degrees; it is worked on in metres, in {zone}."
            return cls(
                zone,
                1.0,
                note("input.degrees", said, layer=name, zone=zone.authid()),
                transform_context,
            )
        _check_on_earth(name, crs, centre, transform_context)
        metres = unit_length(crs)
        east, north = _ground_ratios(crs, centre, metres, transform_context)
        if max(abs(east - 1), abs(north - 1)) > _MOST_DISTORTION:
            zone = utm_zone(name, crs, centre, transform_context)
            said = (
                "Layer '{layer}' is in {crs}, whose metre is {east:.2f} m (east) by {north:.2f} m (north) on the "
                "ground there; it is worked on in {zone}."
            )
            values = {
                "layer": name,
                "crs": name_of(crs),
                "east": east,
                "north": north,
                "zone": zone.authid(),
            }
            return cls(zone, 1.0, note("input.distorted", said, **values), transform_context)
        if metres != 1.0:
            said = "Layer '{layer}' is in units of {unit:.4g} m; it is worked on in metres."
            return cls(
                crs, metres, note("input.units", said, layer=name, unit=metres), transform_context
            )
        return cls(crs, 1.0, None, transform_context)

    def too_far_apart(
        self, name: str, crs: QgsCoordinateReferenceSystem, places: Floats
    ) -> Remark | None:
        """A remark where metres differ by more than 1 % between places of a layer, (n, 2) coordinates in ``crs``, few.

        None where they do not; an InputError if they differ by more than 5 %.
        """
        if len(places) < 2:
            return None
        there = self._transformed(crs, self.crs, places, name) if crs != self.crs else places
        ratios = np.array(
            [
                _ground_ratios(self.crs, (x, y), self.metres, self.transform_context)
                for x, y in there
            ]
        )
        off = float(np.abs(ratios - 1).max())
        if off <= _MOST_DISTORTION:
            return None
        ruler = QgsDistanceArea()
        ruler.setSourceCrs(crs, self.transform_context)
        ruler.setEllipsoid(crs.ellipsoidAcronym())
        points = [QgsPointXY(x, y) for x, y in places]
        apart = max(ruler.measureLine(one, other) for one in points for other in points) / 1000
        values = {"layer": name, "apart": apart, "crs": self.name, "off": 100 * off}
        if off > _TOO_MUCH_DISTORTION:
            said = (
                "Crowns of layer '{layer}' lie up to {apart:,.0f} km apart, where metres in {crs} are up to {off:.0f} "
                "% off those on the ground; score regions apart, or remove crowns that lie in the wrong place (as at "
                "0, 0)."
            )
            raise InputError(said, **values)
        said = (
            "Crowns of layer '{layer}' lie up to {apart:,.0f} km apart, where metres in {crs} are up to {off:.0f} % "
            "off those on the ground; score regions apart to have exact lengths."
        )
        return note("input.far_apart", said, **values)

    @property
    def name(self) -> str:
        """For the core: ``EPSG:32617``, or ``EPSG:2236 in metres``."""
        if self.in_pixels:
            return "pixel coordinates"
        return name_of(self.crs) + ("" if self.metres == 1.0 else " in metres")

    @property
    def in_pixels(self) -> bool:
        """Whether coordinates are pixels of an image without a georeference."""
        return not self.crs.isValid()

    @property
    def unit(self) -> str:
        """Of lengths; areas are in its square."""
        return "px" if self.in_pixels else "m"

    def check(self, name: str, crs: QgsCoordinateReferenceSystem) -> None:
        """Refuse a layer that cannot be brought here."""
        if not self.in_pixels:
            check_crs(name, crs)
        elif is_defined(crs):
            said = (
                "Layer '{name}' is in {crs}, but other layers lie in pixel coordinates, without a coordinate system; "
                "georeference those, or use layers that were drawn on the image as it is."
            )
            raise InputError(said, name=name, crs=name_of(crs))

    def metres_from(
        self, crs: QgsCoordinateReferenceSystem, coordinates: Floats, name: str = "layer"
    ) -> Floats:
        """(n, 2) working coordinates of coordinates in ``crs``; an InputError if one of layer ``name`` has none."""
        if self.in_pixels:
            self.check(name, crs)
            return coordinates
        if crs != self.crs:
            coordinates = self._transformed(crs, self.crs, coordinates, name)
        return coordinates if self.metres == 1.0 else coordinates * self.metres

    def metres_to(
        self, crs: QgsCoordinateReferenceSystem, coordinates: Floats, name: str = "layer"
    ) -> Floats:
        """(n, 2) coordinates in ``crs`` of working coordinates."""
        if self.in_pixels:
            return coordinates
        if self.metres != 1.0:
            coordinates = coordinates / self.metres
        return (
            coordinates if crs == self.crs else self._transformed(self.crs, crs, coordinates, name)
        )

    def _transformed(
        self,
        source: QgsCoordinateReferenceSystem,
        to: QgsCoordinateReferenceSystem,
        coordinates: Floats,
        name: str,
    ) -> Floats:
        check_crs(name, source)
        transform = transform_between(source, to, self.transform_context)
        try:
            moved = transform_coordinates(coordinates, transform)
        except QgsCsException:
            moved = np.full_like(coordinates, np.nan)
        if not np.isfinite(moved).all():
            said = (
                "The coordinates of layer '{name}' cannot be brought from {crs} to {to}; check the layer's "
                "coordinate system in its properties."
            )
            raise InputError(said, name=name, crs=name_of(source), to=name_of(to))
        return moved


def whole(crs: QgsCoordinateReferenceSystem) -> QgsCoordinateReferenceSystem:
    """The system, made anew where QGIS has lost its definition.

    Threads share what a system is, and it goes with the thread that first asked for it: what the others have is called
    valid, but its transforms move nothing.
    """
    if not crs.isValid() or crs.toWkt():
        return crs
    _forget_systems()
    return _made_anew(crs)


def definition_of(crs: QgsCoordinateReferenceSystem) -> str:
    """What a system is, as text, which outlives the thread that made it; empty for an invalid one."""
    return (crs.authid() or f"WKT:{crs.toWkt()}") if crs.isValid() else ""


def system_from(definition: str) -> QgsCoordinateReferenceSystem:
    """The system of :func:`definition_of`, this thread's own; what QGIS has of it in its caches may be lost."""
    _forget_systems()
    return (
        QgsCoordinateReferenceSystem(definition) if definition else QgsCoordinateReferenceSystem()
    )


def keep_systems(layers: Iterable[QgsMapLayer]) -> None:
    """Make the systems anew that QGIS has since a worker ran, and those of the layers it made; for the main thread."""
    _forget_systems()
    for layer in layers:
        _give(layer, _made_anew(layer.crs()))


def _forget_systems() -> None:
    QgsCoordinateReferenceSystem.invalidateCache()
    QgsCoordinateTransform.invalidateCache()


def _made_anew(crs: QgsCoordinateReferenceSystem) -> QgsCoordinateReferenceSystem:
    if crs.authid():
        return QgsCoordinateReferenceSystem(crs.authid())
    wkt = crs.toWkt()
    return (
        QgsCoordinateReferenceSystem.fromWkt(wkt)
        if wkt
        else QgsCoordinateReferenceSystem.fromProj(crs.toProj())
    )


def system_of(layer: QgsMapLayer) -> QgsCoordinateReferenceSystem:
    """The :func:`whole` system of a layer, which gets it back where it was lost: QGIS would draw it elsewhere.

    An invalid one where its file says that there is none, but QGIS takes degrees for it.
    """
    crs = layer.crs()
    path = Path(layer.source().partition("|")[0])
    may_say_none = crs.authid() == "EPSG:4326" and path.suffix.lower() in _JSON and path.is_file()
    if may_say_none and _without_system(path, path.stat().st_mtime_ns):
        return QgsCoordinateReferenceSystem()
    found = whole(crs)
    if found is not crs and found.isValid():
        _give(layer, found)
    return found


def _give(layer: QgsMapLayer, crs: QgsCoordinateReferenceSystem) -> None:
    layer.setCrs(
        QgsCoordinateReferenceSystem()
    )  # QGIS 3.44 keeps one of the same name, lost or not
    layer.setCrs(crs)


@lru_cache(maxsize=64)
def _without_system(path: Path, _changed: int) -> bool:
    """Whether a GeoJSON file says at its beginning or its end that its coordinate system is none, or undefined."""
    with path.open("rb") as file:
        begins = file.read(_LOOKED_AT)
        file.seek(max(path.stat().st_size - _LOOKED_AT, 0))
        return any(map(_NO_SYSTEM.search, (begins, file.read())))


def transform_between(
    source: QgsCoordinateReferenceSystem,
    to: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext | None = None,
) -> QgsCoordinateTransform:
    """The transform of one :func:`whole` system to another, in the project's context where none is given."""
    context = QgsProject.instance().transformContext() if context is None else context
    return QgsCoordinateTransform(whole(source), whole(to), context)


def is_defined(crs: QgsCoordinateReferenceSystem) -> bool:
    """Whether a system says where on earth a coordinate lies, whatever its name: it has a code, or a datum.

    GDAL names systems for files without any (``Undefined geographic SRS`` for srs_id 0 of a GeoPackage, ``unnamed``),
    which QGIS takes for valid.
    """
    wkt = (
        whole(crs).toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED)
        if crs.isValid()
        else ""
    )
    if not wkt or _NOT_ON_EARTH.match(wkt):
        return False
    datum = _DATUM.search(wkt)
    on_datum = datum is not None and _NO_DATUM.match(datum.group(1)) is None
    return bool(crs.authid()) or on_datum or _TIED.match(wkt) is not None


def in_degrees(crs: QgsCoordinateReferenceSystem) -> bool:
    """Whether coordinates are degrees; QGIS calls some systems of its own making in degrees not geographic."""
    return bool(crs.isGeographic()) or crs.mapUnits() == _DEGREES


def check_crs(name: str, crs: QgsCoordinateReferenceSystem) -> None:
    """Refuse a layer whose coordinate system is not known."""
    crs = whole(crs)
    if not crs.isValid():
        raise InputError(
            "Layer '{name}' has no coordinate system, so its metres are not known; set one in the layer's properties "
            "and run again.",
            name=name,
        )
    if not is_defined(crs):
        said = (
            "The coordinate system of layer '{name}' ('{crs}') is not defined: it does not say where on earth the "
            "coordinates lie; set one in the layer's properties and run again."
        )
        raise InputError(said, name=name, crs=crs.description() or "unnamed")
    if "+proj=geocent" in crs.toProj():
        said = (
            "Layer '{name}' is in {crs}, whose coordinates are distances from the middle of the earth, no places on a "
            "map; save it in a map projection in metres and run again."
        )
        raise InputError(said, name=name, crs=name_of(crs))


def check_not_degrees(name: str, crs: QgsCoordinateReferenceSystem, bounds: Floats) -> None:
    """Refuse a layer whose coordinates are degrees in a system that has none: all its crowns would be specks.

    ``bounds`` are (n, 4) xmin, ymin, xmax, ymax of its crowns.
    """
    if len(bounds) == 0 or in_degrees(crs):
        return
    within = (np.abs(bounds[:, 0::2]) <= 360).all() and (np.abs(bounds[:, 1::2]) <= 90).all()
    if within and (bounds[:, 2:] - bounds[:, :2]).max() < _SPECK:
        raise _no_place(name, crs)


def utm_zone(
    name: str,
    crs: QgsCoordinateReferenceSystem,
    centre: tuple[float, float],
    transform_context: QgsCoordinateTransformContext,
) -> QgsCoordinateReferenceSystem:
    """The UTM zone (WGS 84) of a point in ``crs``; near the poles universal polar stereographic."""
    longitude, latitude = _check_on_earth(name, crs, centre, transform_context)
    if latitude > 84 or latitude < -80:
        return whole(QgsCoordinateReferenceSystem("EPSG:32661" if latitude > 0 else "EPSG:32761"))
    zone = math.floor((longitude + 180) / 6) % 60 + 1
    return whole(QgsCoordinateReferenceSystem(f"EPSG:{(32600 if latitude >= 0 else 32700) + zone}"))


def _check_on_earth(
    name: str,
    crs: QgsCoordinateReferenceSystem,
    centre: tuple[float, float],
    transform_context: QgsCoordinateTransformContext,
) -> tuple[float, float]:
    """Longitude and latitude of a point; refused where it is no place on earth, or another one than it says."""
    geographic = QgsCoordinateReferenceSystem("EPSG:4326")
    try:
        place = transform_between(crs, geographic, transform_context).transform(QgsPointXY(*centre))
        back = transform_between(geographic, crs, transform_context).transform(place)
    except QgsCsException as error:
        raise _no_place(name, crs) from error
    found = float(place.x()), float(place.y())
    off = (
        0.0 if in_degrees(crs) else math.dist((back.x(), back.y()), centre)
    )  # 181 degrees come back as -179
    if not (abs(found[0]) <= 360 and abs(found[1]) <= 90 and off <= _THERE_AND_BACK):
        raise _no_place(name, crs)
    return found


def _no_place(name: str, crs: QgsCoordinateReferenceSystem) -> InputError:
    return InputError(
        "The coordinates of layer '{name}' are no place on earth in {crs}; check the layer's coordinate system in its "
        "properties.",
        name=name,
        crs=name_of(crs),
    )


def transform_coordinates(coordinates: Floats, transform: QgsCoordinateTransform) -> Floats:
    """(n, 2) coordinates transformed in one call, as the points of one long line.

    Raises:
        QgsCsException: if a point cannot be transformed.
    """
    if len(coordinates) == 0 or transform.isShortCircuited():
        return coordinates
    points = np.ascontiguousarray(coordinates, dtype="<f8")
    if len(points) == 1:
        points = np.repeat(points, 2, axis=0)
    line = QgsGeometry()
    line.fromWkb(struct.pack("<BII", 1, 2, len(points)) + points.tobytes())
    if line.transform(transform) != 0:
        return np.full(coordinates.shape, np.nan)
    moved = np.frombuffer(line.asWkb().data(), dtype="<f8", offset=9).reshape(-1, 2)
    return moved[: len(coordinates)].copy()


def unit_length(crs: QgsCoordinateReferenceSystem) -> float:
    """Length of a projected system's unit, metres; QGIS takes survey feet for others, and links for metres."""
    system = osr.SpatialReference(crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED))
    return float(system.GetLinearUnits())


def _ground_ratios(
    crs: QgsCoordinateReferenceSystem,
    centre: tuple[float, float],
    metres: float,
    transform_context: QgsCoordinateTransformContext,
) -> tuple[float, float]:
    """Metres on the ground per metre on the map, east and north."""
    ruler = QgsDistanceArea()
    ruler.setSourceCrs(crs, transform_context)
    if not crs.ellipsoidAcronym() or not ruler.setEllipsoid(crs.ellipsoidAcronym()):
        return 1.0, 1.0
    x, y = centre
    step = 100.0 / metres
    try:
        east = ruler.measureLine(QgsPointXY(x - step / 2, y), QgsPointXY(x + step / 2, y)) / 100.0
        north = ruler.measureLine(QgsPointXY(x, y - step / 2), QgsPointXY(x, y + step / 2)) / 100.0
    except QgsCsException:
        return 1.0, 1.0
    known = math.isfinite(east) and math.isfinite(north) and east > 0 and north > 0
    return (east, north) if known else (1.0, 1.0)


def name_of(crs: QgsCoordinateReferenceSystem) -> str:
    """What sentences call a coordinate system."""
    return crs.authid() or crs.description() or Said("its own coordinate system")
