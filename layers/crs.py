"""Working coordinate reference systems (CRS), in which the core computes in metres on the ground.

Lengths in the core are metres of a plane CRS, which differ from metres on the ground by at most
1 % (in UTM 0.1 %). The working CRS of a layer is therefore

- the layer's own CRS if it is projected in metres;
- the layer's own CRS, with coordinates multiplied to metres, if it is projected in another unit,
  such as feet;
- the UTM zone of the layer's centre if the coordinates are degrees, or if a metre on the map is not
  a metre on the ground there (as in Web Mercator);
- pixel coordinates for images without a georeference. Lengths in metres are not available then.
"""

from __future__ import annotations

import itertools
import math
import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from osgeo import osr
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsCsException,
    QgsDatumTransform,
    QgsDistanceArea,
    QgsGeometry,
    QgsMapLayer,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
    QgsUnitTypes,
)
from qgis.PyQt.QtCore import QUrl, QUrlQuery

from randcrowns.core.arrays import Floats
from randcrowns.core.crs import DISTORTION_TOLERANCE, MAX_DISTORTION, is_on_earth
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, TranslatableText, note, warning
from randcrowns.layers.local_files import file_of_source

_DEGREES = QgsUnitTypes.DistanceUnit.DistanceDegrees
#: Latitudes, degrees, between which UTM is defined.
_UTM_SOUTH_END, _UTM_NORTH_END = -80, 84
#: EPSG codes of universal polar stereographic (WGS 84).
_POLAR_NORTH, _POLAR_SOUTH = 32661, 32761
#: EPSG codes of the UTM zones (WGS 84) of each hemisphere, without the number of the zone.
_UTM_NORTH, _UTM_SOUTH = 32600, 32700
#: Length on the map over which the metres on the ground are measured, metres.
_MEASURED_LENGTH = 100.0
#: The "crs" member of a GeoJSON file that declares that no CRS is known.
_GEOJSON_WITHOUT_CRS = re.compile(
    rb'"crs"\s*:\s*(?:null|\{[^{}]*\{[^{}]*"name"\s*:\s*"[^"]*undefined[^"]*")', re.IGNORECASE
)
#: Number of bytes at the start and at the end of a GeoJSON file that are searched.
_SEARCHED_BYTES = 4096
_GEOJSON_SUFFIXES = (".geojson", ".json")
#: Maximum absolute degrees; on a map around the date line, longitudes may be beyond 180.
_MAX_LONGITUDE = 360.0
_MAX_LATITUDE = 90.0
#: Crown width, in units of the CRS, below which all crowns together are taken for degrees.
_MIN_CROWN_WIDTH = 0.01
#: Maximum error of a coordinate after a transform to degrees and back, in units of the CRS.
_ROUND_TRIP_TOLERANCE = 1.0
#: Maximum number of times that a transform is created again after QGIS has lost a definition.
_MAX_TRANSFORM_TRIES = 10


@dataclass(frozen=True)
class WorkingCrs:
    """CRS in which the core computes.

    Coordinates in ``crs`` times ``metres_per_unit`` are the working coordinates: metres on the
    ground, or pixels of an image without a georeference.
    """

    crs: QgsCoordinateReferenceSystem  #: projected CRS; an invalid one for pixel coordinates.
    metres_per_unit: float  #: length of one unit of ``crs``, metres; 1 for pixel coordinates.
    message: Message | None  #: message if this is not the layer's own CRS in metres; else None.
    transform_context: QgsCoordinateTransformContext  #: datum transformations of the project.

    @classmethod
    def for_pixels(cls, context: QgsCoordinateTransformContext) -> WorkingCrs:
        """Return the pixel coordinates of an image without a georeference.

        x counts from the left edge to the right, y from the upper edge upwards (negative within
        the image).
        """
        template = (
            "The layers lie in pixel coordinates without a coordinate system: lengths are in "
            "pixels, areas in px²."
        )
        return cls(QgsCoordinateReferenceSystem(), 1.0, note("input.pixels", template), context)

    @classmethod
    def for_layer(
        cls,
        name: str,
        crs: QgsCoordinateReferenceSystem,
        centre: tuple[float, float],
        transform_context: QgsCoordinateTransformContext,
    ) -> WorkingCrs:
        """Return the working CRS of a layer.

        Args:
            name: name of the layer, for messages.
            crs: CRS of the layer.
            centre: x and y of the layer's centre, in ``crs``.
            transform_context: datum transformations of the project.

        Raises:
            InputError: if the layer has no CRS, or if its coordinates are outside the CRS's area.
        """
        crs = restore_crs(crs)
        check_crs(name, crs)
        if is_in_degrees(crs):
            zone = utm_zone(name, crs, centre, transform_context)
            message = note(
                "input.degrees",
                "Layer '{layer}' is in degrees. Its lengths and areas are computed in metres, in "
                "{zone}.",
                layer=name,
                zone=zone.authid(),
            )
            return cls(zone, 1.0, message, transform_context)

        _check_on_earth(name, crs, centre, transform_context)
        unit_length = metres_per_unit(crs)
        east, north = _compute_ground_ratios(crs, centre, unit_length, transform_context)
        is_distorted = max(abs(east - 1), abs(north - 1)) > DISTORTION_TOLERANCE
        if is_distorted:
            zone = utm_zone(name, crs, centre, transform_context)
            message = note(
                "input.distorted",
                "Layer '{layer}' is in {crs}, where a metre on the map is {east:.2f} m (east) by "
                "{north:.2f} m (north) on the ground. Its lengths and areas are computed in "
                "{zone}.",
                layer=name,
                crs=crs_name(crs),
                east=east,
                north=north,
                zone=zone.authid(),
            )
            return cls(zone, 1.0, message, transform_context)

        if unit_length == 1.0:
            return cls(crs, 1.0, None, transform_context)
        message = note(
            "input.units",
            "Layer '{layer}' is in {name} of {unit:.4g} m. Its lengths and areas are computed "
            "in metres.",
            layer=name,
            name=_get_unit_name(crs),
            unit=unit_length,
        )
        return cls(crs, unit_length, message, transform_context)

    def distortion_message(
        self, name: str, crs: QgsCoordinateReferenceSystem, outermost_points: Floats
    ) -> Message | None:
        """Return a message if lengths in this CRS are inexact for a layer that extends too far.

        Args:
            name: name of the layer, for messages.
            crs: CRS of the layer.
            outermost_points: (n, 2) outermost points of the layer in ``crs``. All pairs are
                measured, so n should be small.

        Returns:
            A notice if a length is wrong by more than 1 %; else None.

        Raises:
            InputError: if a length is wrong by more than 5 %, or a point cannot be transformed.
        """
        if len(outermost_points) < 2:
            return None
        distortion = self._compute_distortion(name, crs, outermost_points)
        if distortion <= DISTORTION_TOLERANCE:
            return None

        largest_distance = _measure_largest_distance(crs, outermost_points, self.transform_context)
        values: dict[str, Any] = {
            "layer": name,
            "apart": largest_distance / 1000,
            "crs": self.name,
            "off": 100 * distortion,
        }
        if distortion > MAX_DISTORTION:
            raise InputError(
                "crs.too_far_apart",
                "Crowns of layer '{layer}' lie up to {apart:,.0f} km apart, where lengths in {crs} "
                "are wrong by up to {off:.0f} %. Score each region separately, or remove crowns at "
                "wrong coordinates (such as 0, 0).",
                **values,
            )
        return note(
            "input.far_apart",
            "Crowns of layer '{layer}' lie up to {apart:,.0f} km apart, where lengths in {crs} are "
            "wrong by up to {off:.0f} %. Score each region separately for exact lengths.",
            **values,
        )

    def _compute_distortion(
        self, name: str, crs: QgsCoordinateReferenceSystem, points: Floats
    ) -> float:
        """Return the largest relative error of lengths in this CRS at some points.

        Args:
            name: name of the layer, for messages.
            crs: CRS of the points.
            points: (n, 2) coordinates in ``crs``, at least one.

        Raises:
            InputError: if a point cannot be transformed to this CRS.
        """
        working_points = points
        if crs != self.crs:
            working_points = self._transform_coordinates(crs, self.crs, points, name)
        ratios: list[float] = []
        for x, y in working_points:
            # Lengths on the ground over lengths in this CRS, to the east and to the north.
            ratios += _compute_ground_ratios(
                self.crs, (x, y), self.metres_per_unit, self.transform_context
            )
        return float(np.abs(np.array(ratios) - 1).max())

    @property
    def name(self) -> str:
        """Name of the CRS for messages: ``EPSG:32617``, or ``EPSG:2236 in metres``."""
        if self.in_pixels:
            return "pixel coordinates"
        name = crs_name(self.crs)
        return name if self.metres_per_unit == 1.0 else f"{name} in metres"

    @property
    def in_pixels(self) -> bool:
        """True if coordinates are pixels of an image without a georeference."""
        return not self.crs.isValid()

    @property
    def unit(self) -> str:
        """Symbol of the unit of lengths, ``m`` or ``px``; areas are in its square."""
        return "px" if self.in_pixels else "m"

    def check_layer(self, name: str, crs: QgsCoordinateReferenceSystem) -> None:
        """Raise an error if a layer cannot be transformed to this CRS.

        Args:
            name: name of the layer, for messages.
            crs: CRS of the layer.

        Raises:
            InputError: if the layer has no usable CRS, or has one although the working coordinates
                are pixels.
        """
        if not self.in_pixels:
            check_crs(name, crs)
        elif has_datum_or_code(crs):
            raise InputError(
                "crs.mixed_with_pixels",
                "Layer '{name}' is in {crs}, but other layers lie in pixel coordinates, without a "
                "coordinate system. Georeference the other layers, or use layers that were drawn "
                "on the image without a georeference.",
                name=name,
                crs=crs_name(crs),
            )

    def to_working(
        self, crs: QgsCoordinateReferenceSystem, coordinates: Floats, name: str = "layer"
    ) -> Floats:
        """Transform coordinates of a layer to working coordinates.

        Args:
            crs: CRS of the coordinates.
            coordinates: (n, 2) x and y in ``crs``.
            name: name of the layer, for messages.

        Returns:
            (n, 2) working coordinates in metres (or pixels); the same array if nothing changes.

        Raises:
            InputError: if a coordinate cannot be transformed.
        """
        if self.in_pixels:
            self.check_layer(name, crs)
            return coordinates
        if crs != self.crs:
            coordinates = self._transform_coordinates(crs, self.crs, coordinates, name)
        return coordinates if self.metres_per_unit == 1.0 else coordinates * self.metres_per_unit

    def from_working(
        self, crs: QgsCoordinateReferenceSystem, coordinates: Floats, name: str = "layer"
    ) -> Floats:
        """Transform working coordinates to the CRS of a layer.

        Args:
            crs: CRS to transform to.
            coordinates: (n, 2) working coordinates in metres (or pixels).
            name: name of the layer, for messages.

        Returns:
            (n, 2) x and y in ``crs``; the same array if nothing changes.

        Raises:
            InputError: if a coordinate cannot be transformed.
        """
        if self.in_pixels:
            return coordinates
        if self.metres_per_unit != 1.0:
            coordinates = coordinates / self.metres_per_unit
        if crs == self.crs:
            return coordinates
        return self._transform_coordinates(self.crs, crs, coordinates, name)

    def _transform_coordinates(
        self,
        source: QgsCoordinateReferenceSystem,
        target: QgsCoordinateReferenceSystem,
        coordinates: Floats,
        name: str,
    ) -> Floats:
        """Return (n, 2) coordinates of layer ``name`` transformed from ``source`` to ``target``.

        Args:
            source: CRS of the coordinates.
            target: CRS of the result.
            coordinates: (n, 2) x and y.
            name: name of the layer, for the error.
        """
        check_crs(name, source)
        transform = create_transform(source, target, self.transform_context)
        try:
            transformed = transform_coordinates(coordinates, transform)
        except QgsCsException:
            transformed = np.full_like(coordinates, np.nan)
        if not np.isfinite(transformed).all():
            raise InputError(
                "crs.not_transformed",
                "The coordinates of layer '{name}' cannot be transformed from {crs} to {to}. Check "
                "the layer's coordinate system in its properties.",
                name=name,
                crs=crs_name(source),
                to=crs_name(target),
            )
        return transformed


def restore_crs(crs: QgsCoordinateReferenceSystem) -> QgsCoordinateReferenceSystem:
    """Return a CRS, created again if QGIS has lost its definition.

    Threads share the definition of a CRS. It is freed with the thread that created it. Copies in
    other threads still report that they are valid, but their transforms change nothing.
    """
    if not crs.isValid() or crs.toWkt():
        return crs
    _clear_crs_caches()
    return _recreate_crs(crs)


def crs_definition_text(crs: QgsCoordinateReferenceSystem) -> str:
    """Return the definition of a CRS as text, which outlives the thread that created the CRS.

    Returns:
        An authority code such as ``EPSG:32617``, else ``WKT:`` and well-known text; empty for an
        invalid CRS. :func:`crs_from_definition` reads it.
    """
    if not crs.isValid():
        return ""
    return crs.authid() or f"WKT:{crs.toWkt()}"


def crs_from_definition(definition: str) -> QgsCoordinateReferenceSystem:
    """Return a CRS, owned by the current thread, from the text of :func:`crs_definition_text`.

    The CRS caches of QGIS are cleared first, because their definitions may be lost.
    """
    _clear_crs_caches()
    if not definition:
        return QgsCoordinateReferenceSystem()
    return QgsCoordinateReferenceSystem(definition)


def restore_layer_crs(layers: Iterable[QgsMapLayer]) -> None:
    """Recreate the CRS of layers on the main thread after a worker thread has created them.

    The CRS caches of QGIS are cleared too. Call this on the main thread only.

    Args:
        layers: layers of the worker thread; their CRS is set.
    """
    _clear_crs_caches()
    for layer in layers:
        _set_crs(layer, _recreate_crs(layer.crs()))


def _clear_crs_caches() -> None:
    QgsCoordinateReferenceSystem.invalidateCache()
    QgsCoordinateTransform.invalidateCache()


def _recreate_crs(crs: QgsCoordinateReferenceSystem) -> QgsCoordinateReferenceSystem:
    """Return a CRS created from its code, its well-known text or its PROJ string."""
    if crs.authid():
        return QgsCoordinateReferenceSystem(crs.authid())
    wkt = crs.toWkt()
    if wkt:
        return QgsCoordinateReferenceSystem.fromWkt(wkt)
    return QgsCoordinateReferenceSystem.fromProj(crs.toProj())


def has_assumed_crs(layer: QgsMapLayer) -> bool:
    """Return True for a layer in memory without a CRS, for which QGIS takes degrees.

    QGIS before 3.30 also creates such layers for temporary outputs without a CRS, such as those of
    its own tools for crowns in pixels.
    """
    if layer.providerType() != "memory" or layer.crs().authid() != "EPSG:4326":
        return False
    parameters = QUrlQuery(QUrl.fromEncoded(layer.source().encode()))
    return not parameters.hasQueryItem("crs")


def assumed_crs_message(name: str, crs: QgsCoordinateReferenceSystem) -> Message:
    """Return a warning that QGIS assumes the CRS of a layer.

    Args:
        name: name of the layer.
        crs: the CRS.
    """
    return warning(
        "crs.assumed",
        "Layer '{layer}' is a temporary layer without a coordinate system. QGIS takes its "
        "coordinates for those of {crs}; if they are not, set the coordinate system of the layer.",
        layer=name,
        crs=crs.authid(),
    )


def layer_crs(layer: QgsMapLayer) -> QgsCoordinateReferenceSystem:
    """Return the CRS of a layer, and set it again if QGIS has lost its definition.

    See :func:`restore_crs`.

    Without its definition QGIS would draw the layer at another position.

    Returns:
        The CRS; an invalid one if the layer's GeoJSON file declares that its CRS is unknown, or if
        a layer in memory has none and its coordinates are no degrees. QGIS takes degrees for both.
    """
    crs = layer.crs()
    if has_assumed_crs(layer) and not _may_be_degrees(layer.extent()):
        return QgsCoordinateReferenceSystem()
    provider = layer.dataProvider()
    if not crs.isValid() and provider is not None and not layer.isSpatial():
        # QGIS takes a layer of geometry collections for a table, without a CRS.
        crs = provider.crs()
    path = file_of_source(layer.source())
    is_geojson = path.suffix.lower() in _GEOJSON_SUFFIXES
    may_lack_crs = crs.authid() == "EPSG:4326" and is_geojson and path.is_file()
    if may_lack_crs and _declares_no_crs(path, path.stat().st_mtime_ns):
        return QgsCoordinateReferenceSystem()
    restored = restore_crs(crs)
    if restored is not crs and restored.isValid():
        _set_crs(layer, restored)
    return restored


def _may_be_degrees(box: QgsRectangle) -> bool:
    """Return True if coordinates are within the range of degrees, or if there are none."""
    if box.isNull():
        return True
    is_longitude = max(abs(box.xMinimum()), abs(box.xMaximum())) <= _MAX_LONGITUDE
    return bool(is_longitude and max(abs(box.yMinimum()), abs(box.yMaximum())) <= _MAX_LATITUDE)


def _set_crs(layer: QgsMapLayer, crs: QgsCoordinateReferenceSystem) -> None:
    # QGIS 3.44 ignores a CRS with the name of the current one, even if that is lost.
    layer.setCrs(QgsCoordinateReferenceSystem())
    layer.setCrs(crs)


@lru_cache(maxsize=64)
def _declares_no_crs(path: Path, _modified: int) -> bool:
    """Return True if a GeoJSON file declares, at its start or end, that its CRS is unknown.

    The time of modification is an argument so that a changed file is read again.
    """
    with path.open("rb") as file:
        start = file.read(_SEARCHED_BYTES)
        file.seek(max(path.stat().st_size - _SEARCHED_BYTES, 0))
        end = file.read()
    return any(_GEOJSON_WITHOUT_CRS.search(part) for part in (start, end))


def _with_usable_operation(
    source: QgsCoordinateReferenceSystem,
    target: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> QgsCoordinateTransformContext:
    """Return a context in which QGIS does not warn that a grid is not installed.

    QGIS uses the first usable operation in place of the preferred one, and says so in the message
    bar, above the messages of the plugin. If the operation is selected, it is used without a word.

    Args:
        source: CRS of the coordinates.
        target: CRS to transform to.
        context: datum transformations of the project, which stay unchanged.
    """
    if source == target or context.hasTransform(source, target):
        return context
    operation = find_operation(source, target)
    if operation is None or operation.is_preferred:
        return context
    extended_context = QgsCoordinateTransformContext(context)
    # QGIS may use another operation outside the area of this one.
    extended_context.addCoordinateOperation(source, target, operation.proj, True)
    return extended_context


def prepare_transform_to_wgs84(layer: QgsMapLayer) -> None:
    """Let QGIS compute the extent of a layer in degrees without a warning of a missing grid.

    QGIS needs this extent when a layer is copied. A layer that is not in the project yet does not
    have the transformations of the project.

    Args:
        layer: layer, whose transformations are replaced by those of the project.
    """
    context = QgsProject.instance().transformContext()
    wgs84 = QgsCoordinateReferenceSystem("EPSG:4326")
    layer.setTransformContext(_with_usable_operation(layer.crs(), wgs84, context))


class Operation(NamedTuple):
    """Transformation that QGIS uses between two CRS."""

    proj: str  #: PROJ string of the transformation.
    accuracy: float  #: its accuracy, metres; negative if it is unknown.
    #: False if another transformation is preferred, whose grid is not installed.
    is_preferred: bool
    missing_grids: tuple[str, ...]  #: files that the preferred transformation needs.
    has_alternatives: bool  #: True if there are several transformations, from which QGIS may ask.


def find_operation(
    source: QgsCoordinateReferenceSystem, target: QgsCoordinateReferenceSystem
) -> Operation | None:
    """Return the first usable transformation between two CRS; None if there is none.

    Args:
        source: CRS of the coordinates.
        target: CRS to transform to.
    """
    if not (source.isValid() and target.isValid()):
        return None
    return _find_operation(crs_definition_text(source), crs_definition_text(target))


@lru_cache(maxsize=256)
def _find_operation(source_definition: str, target_definition: str) -> Operation | None:
    """Return the result of :func:`find_operation` for definitions of CRS, as text."""
    operations = QgsDatumTransform.operations(
        QgsCoordinateReferenceSystem(source_definition),
        QgsCoordinateReferenceSystem(target_definition),
    )
    usable = next((operation for operation in operations if operation.isAvailable), None)
    if usable is None:
        return None
    missing_grids = [grid.shortName for grid in operations[0].grids if not grid.isAvailable]
    return Operation(
        proj=usable.proj,
        accuracy=usable.accuracy,
        is_preferred=bool(operations[0].isAvailable),
        missing_grids=tuple(missing_grids),
        has_alternatives=len(operations) > 1,
    )


def missing_grid_message(
    name: str,
    source: QgsCoordinateReferenceSystem,
    target: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> Message | None:
    """Return a message if a layer is transformed less exactly, because a grid is not installed.

    Args:
        name: name of the layer.
        source: CRS of the layer.
        target: CRS to transform to.
        context: datum transformations of the project. If the user selected another one than the
            replacement, there is no message; an import selects the replacement, in one direction.
    """
    replacement = find_operation(source, target)
    if replacement is None or replacement.is_preferred:
        return None
    selected_operation = context.calculateCoordinateOperation(source, target)
    reverse = find_operation(target, source)
    reverse_operation = "" if reverse is None else reverse.proj
    if selected_operation not in ("", replacement.proj, reverse_operation):
        return None
    values = {
        "layer": name,
        "crs": crs_name(source),
        "to": crs_name(target),
        "grid": ", ".join(replacement.missing_grids),
    }
    if replacement.accuracy < 0:
        return note(
            "crs.grid_missing_unknown_accuracy",
            "The preferred transformation of layer '{layer}' from {crs} to {to} needs grid {grid}, "
            "which is not installed. Another one of unknown accuracy is used.",
            **values,
        )
    return note(
        "crs.grid_missing",
        "The preferred transformation of layer '{layer}' from {crs} to {to} needs grid {grid}, "
        "which is not installed. Another one is used, which is exact to {accuracy:g} m.",
        **values,
        accuracy=replacement.accuracy,
    )


def create_transform(
    source: QgsCoordinateReferenceSystem,
    target: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext | None = None,
) -> QgsCoordinateTransform:
    """Return the transform from one CRS to another.

    Args:
        source: CRS of the coordinates; restored if it is lost, see :func:`restore_crs`.
        target: CRS to transform to; restored likewise.
        context: datum transformations; by default those of the current project.
    """
    if context is None:
        context = QgsProject.instance().transformContext()
    context = _with_usable_operation(source, target, context)
    transform = QgsCoordinateTransform(restore_crs(source), restore_crs(target), context)
    needs_transform = is_transform_needed(source, target)
    for _ in range(_MAX_TRANSFORM_TRIES):
        if not (needs_transform and transform.isShortCircuited()):
            break
        # Another thread has ended since the CRS were restored, and QGIS has lost a definition. Two
        # lost definitions count as equal.
        _clear_crs_caches()
        transform = QgsCoordinateTransform(_recreate_crs(source), _recreate_crs(target), context)
    return transform


def is_transform_needed(
    source: QgsCoordinateReferenceSystem, target: QgsCoordinateReferenceSystem
) -> bool:
    """Return True if two CRS are valid and different.

    QGIS regards two CRS as equal whose definitions it has lost, see :func:`restore_crs`. Their
    definition texts then decide.
    """
    if not (source.isValid() and target.isValid()):
        return False
    if crs_definition_text(source) == crs_definition_text(target):
        return False
    return _is_lost(source, target) or bool(source != target)


def _is_lost(source: QgsCoordinateReferenceSystem, target: QgsCoordinateReferenceSystem) -> bool:
    """Return True if QGIS has lost the definition of one of two CRS."""
    return not (source.toWkt() and target.toWkt())


def has_datum_or_code(crs: QgsCoordinateReferenceSystem) -> bool:
    """Return True if a CRS relates coordinates to the earth, see :func:`is_on_earth`.

    QGIS reports the CRS that GDAL invents for files without one as valid.
    """
    if not crs.isValid():
        return False
    wkt = ""
    for _ in range(_MAX_TRANSFORM_TRIES):
        wkt = restore_crs(crs).toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED)
        if wkt:
            break
        # Another thread has ended since the CRS was restored, and QGIS has lost it again.
    return is_on_earth(wkt, bool(crs.authid()))


def is_in_degrees(crs: QgsCoordinateReferenceSystem) -> bool:
    """Return True if the coordinates of a CRS are degrees.

    QGIS reports some custom CRS in degrees as not geographic.
    """
    return bool(crs.isGeographic()) or crs.mapUnits() == _DEGREES


def check_crs(name: str, crs: QgsCoordinateReferenceSystem) -> None:
    """Raise an error if the CRS of a layer is missing, undefined or geocentric.

    Args:
        name: name of the layer, for messages.
        crs: CRS of the layer.

    Raises:
        InputError: with the reason and what to do.
    """
    crs = restore_crs(crs)
    if not crs.isValid():
        raise InputError(
            "crs.missing",
            "Layer '{name}' has no coordinate system, so its lengths in metres are unknown. Set "
            "one in the layer's properties and run again.",
            name=name,
        )
    if not has_datum_or_code(crs):
        if not crs.description():
            raise InputError(
                "crs.undefined_without_name",
                "The coordinate system of layer '{name}' is not defined: it does not relate "
                "coordinates to the earth. Set another one in the layer's properties and run "
                "again.",
                name=name,
            )
        raise InputError(
            "crs.undefined",
            "The coordinate system of layer '{name}' ('{crs}') is not defined: it does not relate "
            "coordinates to the earth. Set another one in the layer's properties and run again.",
            name=name,
            crs=crs.description(),
        )
    if "+proj=geocent" in crs.toProj():
        raise InputError(
            "crs.geocentric",
            "Layer '{name}' is in {crs}, whose coordinates are distances from the centre of the "
            "earth. Save it in a map projection in metres and run again.",
            name=name,
            crs=crs_name(crs),
        )


def check_not_degrees(name: str, crs: QgsCoordinateReferenceSystem, bounds: Floats) -> None:
    """Raise an error if coordinates look like degrees although the CRS is not in degrees.

    All crowns would be far too small otherwise.

    Args:
        name: name of the layer, for messages.
        crs: CRS of the layer.
        bounds: (n, 4) xmin, ymin, xmax, ymax of the crowns, in ``crs``.

    Raises:
        InputError: if all coordinates are within the range of degrees and all crowns are narrower
            than 0.01 units.
    """
    if len(bounds) == 0 or is_in_degrees(crs):
        return
    in_range = (np.abs(bounds[:, 0::2]) <= _MAX_LONGITUDE).all() and (
        np.abs(bounds[:, 1::2]) <= _MAX_LATITUDE
    ).all()
    if in_range and (bounds[:, 2:] - bounds[:, :2]).max() < _MIN_CROWN_WIDTH:
        raise _outside_crs_error(name, crs)


def utm_zone(
    name: str,
    crs: QgsCoordinateReferenceSystem,
    centre: tuple[float, float],
    transform_context: QgsCoordinateTransformContext,
) -> QgsCoordinateReferenceSystem:
    """Return the UTM zone (WGS 84) of a point; near the poles, universal polar stereographic.

    Args:
        name: name of the layer, for messages.
        crs: CRS of the point.
        centre: x and y of the point, in ``crs``.
        transform_context: datum transformations of the project.

    Raises:
        InputError: if the point is outside the area of ``crs``.
    """
    longitude, latitude = _check_on_earth(name, crs, centre, transform_context)
    if latitude > _UTM_NORTH_END:
        code = _POLAR_NORTH
    elif latitude < _UTM_SOUTH_END:
        code = _POLAR_SOUTH
    else:
        # Zones 1 to 60 are 6 degrees wide and begin at 180 degrees west.
        zone = math.floor((longitude + 180) / 6) % 60 + 1
        code = (_UTM_NORTH if latitude >= 0 else _UTM_SOUTH) + zone
    return restore_crs(QgsCoordinateReferenceSystem(f"EPSG:{code}"))


def _check_on_earth(
    name: str,
    crs: QgsCoordinateReferenceSystem,
    centre: tuple[float, float],
    transform_context: QgsCoordinateTransformContext,
) -> tuple[float, float]:
    """Return longitude and latitude of a point, degrees.

    Args:
        name: name of the layer, for the error.
        crs: CRS of the point.
        centre: x and y of the point, in ``crs``.
        transform_context: datum transformations of the project.

    Raises:
        InputError: if the point is not on earth, or a transform to degrees and back moves it.
    """
    geographic = QgsCoordinateReferenceSystem("EPSG:4326")
    try:
        point = create_transform(crs, geographic, transform_context).transform(QgsPointXY(*centre))
        back = create_transform(geographic, crs, transform_context).transform(point)
    except QgsCsException as error:
        raise _outside_crs_error(name, crs) from error
    longitude = float(point.x())
    latitude = float(point.y())
    # Degrees need no check: 181 degrees are transformed back to -179.
    round_trip_error = 0.0
    if not is_in_degrees(crs):
        round_trip_error = math.dist((back.x(), back.y()), centre)
    is_on_earth = abs(longitude) <= 360 and abs(latitude) <= 90
    if not (is_on_earth and round_trip_error <= _ROUND_TRIP_TOLERANCE):
        raise _outside_crs_error(name, crs)
    return longitude, latitude


def _outside_crs_error(name: str, crs: QgsCoordinateReferenceSystem) -> InputError:
    """Return the error for coordinates of a layer outside the area of its CRS."""
    return InputError(
        "crs.outside",
        "The coordinates of layer '{name}' are no place on earth in {crs}. Check the layer's "
        "coordinate system in its properties.",
        name=name,
        crs=crs_name(crs),
    )


def transform_coordinates(coordinates: Floats, transform: QgsCoordinateTransform) -> Floats:
    """Transform coordinates in one call, as the vertices of one long line.

    Args:
        coordinates: (n, 2) x and y in the transform's source CRS.
        transform: the transform.

    Returns:
        (n, 2) x and y in the target CRS; NaN throughout if QGIS cannot transform the line. The same
        array if the transform changes nothing.

    Raises:
        QgsCsException: if a point cannot be transformed, or if QGIS loses the definition of a CRS
            again and again.
    """
    if len(coordinates) == 0:
        return coordinates
    for _ in range(_MAX_TRANSFORM_TRIES):
        transformed = _transform_line(coordinates, transform)
        # QGIS leaves coordinates as they are if it has lost a definition meanwhile.
        if not _has_lost_definition(transform):
            return transformed
        transform = create_transform(
            transform.sourceCrs(), transform.destinationCrs(), transform.context()
        )
    raise QgsCsException("QGIS has lost the definition of a coordinate reference system.")


def _has_lost_definition(transform: QgsCoordinateTransform) -> bool:
    """Return True if QGIS has lost a definition of two different CRS, see :func:`restore_crs`."""
    source = transform.sourceCrs()
    target = transform.destinationCrs()
    return is_transform_needed(source, target) and _is_lost(source, target)


def _transform_line(coordinates: Floats, transform: QgsCoordinateTransform) -> Floats:
    """Transform coordinates (n, 2) once, as described for :func:`transform_coordinates`."""
    if transform.isShortCircuited():
        return coordinates
    points = np.ascontiguousarray(coordinates, dtype="<f8")
    if len(points) == 1:
        points = np.repeat(points, 2, axis=0)  # a line needs two vertices
    line = QgsGeometry()
    # Well-known binary: little-endian (1), line string (2), number of vertices, coordinates.
    header = struct.pack("<BII", 1, 2, len(points))
    line.fromWkb(header + points.tobytes())
    if line.transform(transform) != 0:
        return np.full(coordinates.shape, np.nan)
    wkb = line.asWkb().data()
    transformed = np.frombuffer(wkb, dtype="<f8", offset=len(header)).reshape(-1, 2)
    return transformed[: len(coordinates)].copy()


def metres_per_unit(crs: QgsCoordinateReferenceSystem) -> float:
    """Return the length of a projected CRS's unit in metres.

    GDAL reads it, because QGIS confuses US survey feet with other feet, and links with metres.
    """
    system = osr.SpatialReference(crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED))
    return float(system.GetLinearUnits())


def _get_unit_name(crs: QgsCoordinateReferenceSystem) -> TranslatableText:
    """Return the plural name of a projected CRS's unit; "units" for an uncommon one.

    Names start with the same words in all versions of GDAL, such as "US survey foot".
    """
    system = osr.SpatialReference(crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED))
    name = system.GetLinearUnitsName().lower().replace("_", " ")
    if name.startswith("us survey f") or name.startswith("foot us"):
        return TranslatableText("US survey feet")
    if "foot" in name or "feet" in name:
        return TranslatableText("feet")
    if "kilomet" in name:
        return TranslatableText("kilometres")
    return TranslatableText("units")


def _measure_largest_distance(
    crs: QgsCoordinateReferenceSystem,
    coordinates: Floats,
    transform_context: QgsCoordinateTransformContext,
) -> float:
    """Return the largest distance on the ground between two of some points, metres.

    Args:
        crs: CRS of the points.
        coordinates: (n, 2) coordinates in ``crs``. All pairs are measured, so n should be small.
        transform_context: datum transformations of the project.
    """
    ruler = QgsDistanceArea()
    ruler.setSourceCrs(crs, transform_context)
    ruler.setEllipsoid(crs.ellipsoidAcronym())
    points = [QgsPointXY(x, y) for x, y in coordinates]
    pairs = itertools.product(points, repeat=2)
    return float(max(ruler.measureLine(start, end) for start, end in pairs))


def _compute_ground_ratios(
    crs: QgsCoordinateReferenceSystem,
    centre: tuple[float, float],
    metres: float,
    transform_context: QgsCoordinateTransformContext,
) -> tuple[float, float]:
    """Return the metres on the ground per metre on the map at a point, to the east and north.

    Args:
        crs: projected CRS.
        centre: x and y of the point, in ``crs``.
        metres: length of a unit of ``crs``, metres.
        transform_context: datum transformations of the project.

    Returns:
        Both ratios; 1 and 1 if they cannot be measured.
    """
    ruler = QgsDistanceArea()
    ruler.setSourceCrs(crs, transform_context)
    if not crs.ellipsoidAcronym() or not ruler.setEllipsoid(crs.ellipsoidAcronym()):
        return 1.0, 1.0
    x, y = centre
    half_step = _MEASURED_LENGTH / metres / 2  # in units of the CRS
    try:
        east_length = ruler.measureLine(QgsPointXY(x - half_step, y), QgsPointXY(x + half_step, y))
        north_length = ruler.measureLine(QgsPointXY(x, y - half_step), QgsPointXY(x, y + half_step))
    except QgsCsException:
        return 1.0, 1.0
    for length in (east_length, north_length):
        if not (math.isfinite(length) and length > 0):
            return 1.0, 1.0
    return east_length / _MEASURED_LENGTH, north_length / _MEASURED_LENGTH


def crs_name(crs: QgsCoordinateReferenceSystem) -> str:
    """Return the name of a CRS for messages: its code, its description or a generic name."""
    return crs.authid() or crs.description() or TranslatableText("its own coordinate system")
