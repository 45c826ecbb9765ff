"""Coordinate reference systems (CRS): lengths are metres on the ground, in one CRS for all layers.

In Web Mercator and other world maps, a metre on the map is not a metre on the ground. Layers in
such a CRS are transformed to the UTM zone of their centre, or refused. Plugin, command line and
core apply the same tolerance, :data:`DISTORTION_TOLERANCE`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.errors import InputError

#: Tolerance of an axis unit's factor to metres.
_UNIT_TOLERANCE = 1e-9
#: Relative error of lengths above which a UTM zone replaces a layer's own projection.
DISTORTION_TOLERANCE = 0.01
#: Relative error of lengths above which no projection is accepted, even if the user names it.
MAX_DISTORTION = 0.05
#: Length on the map that is measured on the ground, metres.
_MEASURED_LENGTH = 100.0


def is_in_metres(crs: Any) -> bool:
    """Return True if the coordinates of a CRS are metres in a plane.

    Args:
        crs: a :class:`pyproj.CRS`.

    >>> import pyproj
    >>> is_in_metres(pyproj.CRS("EPSG:32617")), is_in_metres(pyproj.CRS("EPSG:4326"))
    (True, False)
    """
    return bool(crs.is_projected) and all(
        abs(axis.unit_conversion_factor - 1) < _UNIT_TOLERANCE for axis in crs.axis_info[:2]
    )


def ground_ratios(crs: Any, centre: tuple[float, float]) -> tuple[float, float]:
    """Return the metres on the ground per metre on the map at a point, to the east and north.

    Args:
        crs: a :class:`pyproj.CRS` in metres.
        centre: x and y of the point, in ``crs``.

    Returns:
        Both ratios; 1 and 1 if they cannot be measured, as for a point that is not on earth.

    >>> import pyproj
    >>> east, north = ground_ratios(pyproj.CRS("EPSG:3857"), (1_000_000, 8_399_738))
    >>> round(east, 2), round(north, 2)
    (0.5, 0.5)
    """
    import pyproj

    x, y = centre
    half = _MEASURED_LENGTH / 2
    ellipsoid = crs.get_geod()
    if ellipsoid is None or crs.geodetic_crs is None:
        return 1.0, 1.0
    to_degrees = pyproj.Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True)
    longitude, latitude = to_degrees.transform(
        [x - half, x + half, x, x], [y, y, y - half, y + half]
    )
    if not (np.isfinite(longitude).all() and np.isfinite(latitude).all()):
        return 1.0, 1.0
    _, _, lengths = ellipsoid.inv(longitude[::2], latitude[::2], longitude[1::2], latitude[1::2])
    east, north = np.asarray(lengths) / _MEASURED_LENGTH
    is_measured = np.isfinite([east, north]).all() and east > 0 and north > 0
    return (float(east), float(north)) if is_measured else (1.0, 1.0)


def has_ground_metres(crs: Any, bounds: Floats, tolerance: float = DISTORTION_TOLERANCE) -> bool:
    """Return True if coordinates are metres in a plane and lengths are those on the ground.

    Args:
        crs: a :class:`pyproj.CRS`.
        bounds: (4,) xmin, ymin, xmax and ymax of the layer in ``crs``; its centre is measured. Not
            finite for a layer without crowns.
        tolerance: maximum relative error of lengths.

    >>> import pyproj
    >>> has_ground_metres(pyproj.CRS("EPSG:3857"), (1_000_000, 8_399_738, 1_000_108, 8_399_746))
    False
    """
    if not is_in_metres(crs):
        return False
    if not np.isfinite(bounds).all():
        return True
    ratios = np.array(ground_ratios(crs, _centre(bounds)))
    return bool(np.abs(ratios - 1).max() <= tolerance)


def utm_zone_code(crs: Any, bounds: Floats) -> str:
    """Return the code of the UTM zone (WGS 84) of a layer's centre.

    Args:
        crs: a :class:`pyproj.CRS`.
        bounds: (4,) xmin, ymin, xmax and ymax of the layer in ``crs``.

    Returns:
        A code such as ``EPSG:32632``, near the poles that of universal polar stereographic; "" if
        the layer is empty or its centre is not on earth.

    >>> import pyproj
    >>> utm_zone_code(pyproj.CRS("EPSG:4326"), (9.0, 48.0, 9.1, 48.1))
    'EPSG:32632'
    """
    import pyproj

    if not np.isfinite(bounds).all():
        return ""
    to_degrees = pyproj.Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
    longitude, latitude = to_degrees.transform(*_centre(bounds))
    if not (abs(longitude) <= 360 and abs(latitude) <= 90):
        return ""
    if latitude > 84 or latitude < -80:
        return "EPSG:32661" if latitude > 0 else "EPSG:32761"
    zone = int((longitude + 180) // 6) % 60 + 1
    return f"EPSG:{(32600 if latitude >= 0 else 32700) + zone}"


def _centre(bounds: Floats) -> tuple[float, float]:
    xmin, ymin, xmax, ymax = (float(side) for side in bounds)
    return (xmin + xmax) / 2, (ymin + ymax) / 2


def polygons_and_crs(layer: Any, name: str, reproject: bool = False) -> tuple[Any, str]:
    """Return the polygons of a layer and the name of their CRS.

    Args:
        layer: a :class:`randcrowns.core.crowns.Crowns`, GeoDataFrame, GeoSeries or GeometryArray;
            any object with an attribute ``geometry``; or the polygons themselves, in metres.
        name: what the layer is called in errors.
        reproject: True to transform polygons to the UTM zone of their centre if a metre on their
            map is not a metre on the ground, as in Web Mercator; False to refuse them.

    Returns:
        The polygons, and the CRS as text; "" if it is unknown.

    Raises:
        InputError: if the CRS is missing or not in metres.

    >>> polygons_and_crs([1, 2], "targets")
    ([1, 2], '')
    """
    crs = getattr(layer, "crs", "")
    polygons = getattr(layer, "geometry", layer)
    if isinstance(crs, str):
        return polygons, crs
    if crs is None:
        raise InputError(
            "crs.missing",
            "{name} has no coordinate system. Set it with set_crs, or pass only the polygons "
            "(.geometry.to_numpy()) if they are in metres.",
            name=name,
        )
    bounds = shapely.total_bounds(np.asarray(polygons, dtype=object))
    if has_ground_metres(crs, bounds):
        return polygons, crs.to_string()

    zone = utm_zone_code(crs, bounds)
    suggestion = repr(zone) if zone else "frame.estimate_utm_crs()"
    if not is_in_metres(crs):
        raise InputError(
            "crs.not_metres",
            "{name}: the coordinate system {crs} is not in metres. Reproject the layer, for "
            "example with to_crs({zone}).",
            name=name,
            crs=crs.name,
            zone=suggestion,
        )
    if reproject and zone:
        return _reprojected(polygons, crs, zone), zone
    raise InputError(
        "crs.distorted",
        "{name}: in the coordinate system {crs}, a metre on the map is not a metre on the ground. "
        "Reproject the layer, for example with to_crs({zone}).",
        name=name,
        crs=crs.name,
        zone=suggestion,
    )


def _reprojected(polygons: Any, crs: Any, code: str) -> Objects:
    """Return polygons (n,) transformed from one CRS to that with a code."""
    import pyproj

    transformer = pyproj.Transformer.from_crs(crs, code, always_xy=True)

    def transform(coordinates: Floats) -> Floats:
        return np.column_stack(transformer.transform(*coordinates.T))

    # Heights are dropped: they are not used, and their unit may differ.
    flat = shapely.force_2d(np.asarray(polygons, dtype=object))
    return cast("Objects", shapely.transform(flat, transform))


def geometry_array(layer: Any, name: str) -> Objects:
    """Return the geometries (n,) of a layer or of a single geometry.

    Args:
        layer: see :func:`polygons_and_crs`.
        name: what the layer is called in errors.

    Raises:
        InputError: if the CRS is missing or not in metres on the ground, or an item is no geometry
            and not None.

    >>> geometry_array(shapely.Point(0, 0), "trees").shape
    (1,)
    """
    polygons, _ = polygons_and_crs(layer, name)
    geometries = np.atleast_1d(np.asarray(polygons, dtype=object)).ravel()
    if not np.all(shapely.is_geometry(geometries) | shapely.is_missing(geometries)):
        raise InputError(
            "crowns.not_geometry",
            "{name}: every item must be a shapely geometry or None.",
            name=name,
        )
    return cast("Objects", geometries)


def check_same_crs(crs_names: Iterable[str]) -> None:
    """Check that all layers have the same CRS.

    Args:
        crs_names: CRS of each layer as text; "" (unknown) matches every CRS.

    Raises:
        InputError: if two known CRS differ.

    >>> check_same_crs(["EPSG:32617", "", "EPSG:32617"])
    """
    named = sorted(set(filter(None, crs_names)))
    if len(named) > 1:
        raise InputError(
            "crs.different",
            "The layers have different coordinate systems ({named}). Reproject them to one.",
            named=", ".join(named),
        )
