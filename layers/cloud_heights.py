"""In which unit the heights of a point cloud are: its vertical axis may have another than its horizontal ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from osgeo import gdal, osr
from qgis.core import QgsCoordinateReferenceSystem

__all__ = ["unit_of_system", "unit_of_text", "unit_told"]

_VERTICAL_SYSTEM_KEY, _VERTICAL_UNIT_KEY = 4096, 4099
#: Metres per unit, by number of the EPSG register.
_UNITS = {9001: 1.0, 9002: 0.3048, 9003: 1200 / 3937, 9005: 0.3047972654, 9041: 0.3047994715}


def unit_told(records: Iterable[Any]) -> float | None:
    """Metres per unit of z as the LASF_Projection records of a file tell it; None where they do not."""
    keys: dict[int, int] = {}
    for record in records:
        text = getattr(record, "string", "")
        if isinstance(text, str) and text.strip("\0 "):
            return unit_of_text(text.strip("\0 "))
        keys.update((key.id, key.value_offset) for key in getattr(record, "geo_keys", ()))
    if keys.get(_VERTICAL_UNIT_KEY) in _UNITS:
        return _UNITS[keys[_VERTICAL_UNIT_KEY]]
    system = osr.SpatialReference()
    with _quiet():
        known = _VERTICAL_SYSTEM_KEY in keys and _succeeds(system.ImportFromEPSG, keys[_VERTICAL_SYSTEM_KEY])
    return _vertical_unit(system) if known else None


def unit_of_system(crs: QgsCoordinateReferenceSystem) -> float | None:
    """Metres per unit of the vertical axis of a system; None for one without."""
    return unit_of_text(crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED)) if crs.isValid() else None


def unit_of_text(text: str) -> float | None:
    """Metres per unit of the vertical axis of a system in well-known text; None for one without."""
    system = osr.SpatialReference()
    with _quiet():
        known = _succeeds(system.ImportFromWkt, text)
    return _vertical_unit(system) if known else None


def _vertical_unit(system: osr.SpatialReference) -> float | None:
    if system.IsVertical():
        return float(system.GetTargetLinearUnits("VERT_CS"))
    # A height above the ellipsoid, which the register has in metres only.
    return 1.0 if system.IsGeographic() and system.GetAxesCount() == 3 else None


def _succeeds(read: Any, source: Any) -> bool:
    try:
        return bool(read(source) == 0)
    except (RuntimeError, TypeError):  # no system, or text with what no text holds
        return False


@contextmanager
def _quiet() -> Iterator[None]:
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        yield
    finally:
        gdal.PopErrorHandler()
