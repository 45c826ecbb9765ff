"""Coordinate reference systems (CRS): lengths are metres on the ground, in one CRS for all layers.

In Web Mercator and other world maps, a metre on the map is not a metre on the ground. Layers in
such a CRS are transformed to the UTM zone of their centre, or refused. Plugin, command line and
core apply the same tolerance, :data:`DISTORTION_TOLERANCE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.errors import InputError

#: The datum's name in well-known text.
_DATUM = re.compile(r'(?:DATUM|ENSEMBLE|TRF)\["([^"]*)"')
#: Names of a datum that is not known.
_UNKNOWN_DATUM = re.compile(r"(d_)?(unknown|undefined|unnamed|not[ _]specified|$)", re.IGNORECASE)
#: Beginning of the well-known text of a local (engineering) CRS, which has no position on earth.
_LOCAL_CRS = re.compile("ENGCRS|ENGINEERINGCRS|LOCAL_CS")
#: Beginning of the well-known text of a CRS that is bound to another one by a transformation.
_BOUND_CRS = re.compile("BOUNDCRS")
#: Tolerance of an axis unit's factor to metres.
_UNIT_TOLERANCE = 1e-9
#: Relative error of lengths above which a UTM zone replaces a layer's own projection.
DISTORTION_TOLERANCE = 0.01
#: Relative error of lengths above which no projection is accepted, even if the user names it.
MAX_DISTORTION = 0.05
#: Length on the map that is measured on the ground, metres.
_MEASURED_LENGTH = 100.0


def is_on_earth(wkt: str, has_code: bool) -> bool:
    """Return True if a CRS relates coordinates to the earth: it has an authority code or a datum.

    GDAL invents a CRS for files without one (``Undefined geographic SRS`` for srs_id 0 of a
    GeoPackage, ``Undefined Cartesian SRS`` for -1).

    Args:
        wkt: well-known text of the CRS.
        has_code: True if the CRS has an authority code.

    >>> is_on_earth('GEOGCRS["Undefined geographic SRS",DATUM["unknown",ELLIPSOID[]]]', False)
    False
    >>> is_on_earth('GEOGCRS["mine",DATUM["World Geodetic System 1984",ELLIPSOID[]]]', False)
    True
    """
    if not wkt or _LOCAL_CRS.match(wkt):
        return False
    datum = _DATUM.search(wkt)
    has_datum = datum is not None and _UNKNOWN_DATUM.match(datum.group(1)) is None
    return has_code or has_datum or _BOUND_CRS.match(wkt) is not None


def is_in_metres(crs: Any) -> bool:
    """Return True if the coordinates of a CRS are metres in a plane.

    Args:
        crs: a :class:`pyproj.CRS`.

    >>> import pyproj
    >>> is_in_metres(pyproj.CRS("EPSG:32617")), is_in_metres(pyproj.CRS("EPSG:4326"))
    (True, False)
    """
    if not crs.is_projected:
        return False
    x_axis_and_y_axis = crs.axis_info[:2]
    return all(abs(axis.unit_conversion_factor - 1) < _UNIT_TOLERANCE for axis in x_axis_and_y_axis)


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

    ellipsoid = crs.get_geod()
    if ellipsoid is None or crs.geodetic_crs is None:
        return 1.0, 1.0
    x, y = centre
    half = _MEASURED_LENGTH / 2
    to_degrees = pyproj.Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True)
    # The western, eastern, southern and northern end of the two measured lines.
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
    # Universal polar stereographic, near either pole.
    if latitude > 84:
        return "EPSG:32661"
    if latitude < -80:
        return "EPSG:32761"
    zone = int((longitude + 180) // 6) % 60 + 1
    hemisphere_code = 32600 if latitude >= 0 else 32700
    return f"EPSG:{hemisphere_code + zone}"


def _centre(bounds: Floats) -> tuple[float, float]:
    xmin, ymin, xmax, ymax = (float(side) for side in bounds)
    return (xmin + xmax) / 2, (ymin + ymax) / 2


def parse_crs(text: str, name: str) -> Any:
    """Return the :class:`pyproj.CRS` of a text such as ``EPSG:32617``.

    Args:
        text: code, name or definition of the CRS.
        name: what the layer is called in errors.

    Returns:
        The CRS; None if pyproj is not installed, so that the text cannot be checked.

    Raises:
        InputError: if no CRS has this text.

    >>> parse_crs("EPSG:32617", "trees").name
    'WGS 84 / UTM zone 17N'
    """
    try:
        import pyproj
    except ImportError:
        return None
    try:
        return pyproj.CRS.from_user_input(text)
    except pyproj.exceptions.CRSError as error:
        raise InputError(
            "crs.unknown_text",
            "{name}: '{crs}' is not a coordinate system. Pass a code such as 'EPSG:32617', or "
            "none if the polygons are in metres.",
            name=name,
            crs=text,
        ) from error


def common_crs_code(layers: Iterable[Any]) -> str:
    """Return the CRS in which layers are compared, for those that need another one than their own.

    Layers that are compared must not be transformed to different UTM zones: two layers of one site
    may have their centres on either side of the border of a zone.

    Args:
        layers: see :func:`polygons_and_crs`.

    Returns:
        The only CRS that the other layers have; otherwise the UTM zone of the joint extent of the
        layers in which a metre on the map is not a metre on the ground. "" if all layers can keep
        their CRS.

    >>> common_crs_code([[shapely.box(0, 0, 1, 1)]])
    ''
    """
    extents: list[tuple[Any, Floats]] = []
    known_names = set()
    for layer in layers:
        crs = getattr(layer, "crs", "")
        if crs is None or isinstance(crs, str):
            known_names.add(crs or "")
            continue
        polygons = getattr(layer, "geometry", layer)
        bounds = shapely.total_bounds(np.asarray(polygons, dtype=object))
        if has_ground_metres(crs, bounds):
            known_names.add(crs.to_string())
        elif np.isfinite(bounds).all():
            extents.append((crs, bounds))
    known_names.discard("")
    if not extents:
        return ""
    if len(known_names) == 1:
        return known_names.pop()
    crs, joint_bounds = _joint_extent(extents)
    return utm_zone_code(crs, joint_bounds)


def _joint_extent(extents: Sequence[tuple[Any, Floats]]) -> tuple[Any, Floats]:
    """Return the joint extent of several extents, as its CRS and (4,) bounds.

    Args:
        extents: CRS and (4,) xmin, ymin, xmax and ymax of each. The joint extent is in their CRS,
            or in degrees if the CRS differ.
    """
    import pyproj

    joint_crs, _ = extents[0]
    all_bounds = [bounds for _, bounds in extents]
    if any(crs != joint_crs for crs, _ in extents):
        joint_crs = pyproj.CRS("EPSG:4326")
        all_bounds = []
        for crs, bounds in extents:
            to_degrees = pyproj.Transformer.from_crs(crs, joint_crs, always_xy=True)
            xmin, ymin, xmax, ymax = bounds
            degrees = to_degrees.transform_bounds(xmin, ymin, xmax, ymax)
            all_bounds.append(np.asarray(degrees))
    # (n, 4) xmin, ymin, xmax, ymax.
    bounds_table = np.asarray(all_bounds, dtype=float)
    lower_left = bounds_table[:, :2].min(axis=0)
    upper_right = bounds_table[:, 2:].max(axis=0)
    return joint_crs, np.concatenate([lower_left, upper_right])


class _LayerWithCrs(NamedTuple):
    """Polygons whose CRS is given as text."""

    geometry: Any  #: the polygons.
    crs: Any  #: a :class:`pyproj.CRS`; the text without pyproj.


class CheckedCrsName(str):
    """Name of a CRS in metres that was checked already, which pyproj need not know.

    Readers of QGIS layers name it as QGIS does. pyproj contains a PROJ library of its own, which
    must not be called in the process of QGIS: both libraries together crash it.
    """

    __slots__ = ()


def with_crs_text(layer: Any, text: str, name: str) -> Any:
    """Return a layer with the CRS that a text names, so that it is checked like that of a layer.

    Args:
        layer: see :func:`polygons_and_crs`.
        text: code, name or definition of the CRS; "" to return the layer unchanged.
        name: what the layer is called in errors.

    Raises:
        InputError: if no CRS has this text, or if the layer has another CRS.

    >>> with_crs_text([1, 2], "EPSG:32617", "trees").crs.to_string()
    'EPSG:32617'
    """
    if not text:
        return layer
    if isinstance(text, CheckedCrsName):
        return _LayerWithCrs(getattr(layer, "geometry", layer), text)
    crs = parse_crs(text, name)
    own_crs = getattr(layer, "crs", None)
    if isinstance(own_crs, str):
        own_crs = parse_crs(own_crs, name) if own_crs else None
    if crs is not None and own_crs is not None and own_crs != crs:
        raise InputError(
            "crs.contradicting_text",
            "{name}: the layer is in {own_crs}, but its coordinate system is given as {crs}. Pass "
            "none, or reproject the layer.",
            name=name,
            own_crs=own_crs.name,
            crs=text,
        )
    return _LayerWithCrs(getattr(layer, "geometry", layer), text if crs is None else crs)


def polygons_and_crs(
    layer: Any, name: str, reproject: bool = False, code: str = ""
) -> tuple[Any, str]:
    """Return the polygons of a layer and the name of their CRS.

    Args:
        layer: a :class:`randcrowns.core.crowns.Crowns`, GeoDataFrame, GeoSeries or GeometryArray;
            any object with an attribute ``geometry``; or the polygons themselves, in metres.
        name: what the layer is called in errors.
        reproject: True to transform polygons to the UTM zone of their centre if a metre on their
            map is not a metre on the ground, as in Web Mercator; False to refuse them.
        code: CRS to transform them to instead of that zone, see :func:`common_crs_code`. It is not
            used if its metres are not metres on the ground there.

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
        return _reprojected(polygons, crs, code, zone)
    raise InputError(
        "crs.distorted",
        "{name}: in the coordinate system {crs}, a metre on the map is not a metre on the ground. "
        "Reproject the layer, for example with to_crs({zone}).",
        name=name,
        crs=crs.name,
        zone=suggestion,
    )


def _reprojected(polygons: Any, crs: Any, code: str, zone: str) -> tuple[Objects, str]:
    """Return transformed polygons (n,) and the code of their CRS.

    Args:
        polygons: polygons (n,).
        crs: their CRS, a :class:`pyproj.CRS`.
        code: preferred CRS; "" for none. It is used if its metres are metres on the ground there.
        zone: CRS that is used otherwise.
    """
    import pyproj

    if code:
        transformed = _transform(polygons, crs, code)
        if has_ground_metres(pyproj.CRS(code), shapely.total_bounds(transformed)):
            return transformed, code
    return _transform(polygons, crs, zone), zone


def _transform(polygons: Any, crs: Any, code: str) -> Objects:
    """Return polygons transformed to another CRS, without heights.

    Args:
        polygons: (n,) polygons.
        crs: their CRS.
        code: code of the CRS to transform them to.
    """
    import pyproj

    transformer = pyproj.Transformer.from_crs(crs, code, always_xy=True)

    def transform(coordinates: Floats) -> Floats:
        """Return the coordinates (n, 2) in the other CRS."""
        x, y = coordinates.T
        new_x, new_y = transformer.transform(x, y)
        return np.column_stack([new_x, new_y])

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
    is_usable = shapely.is_geometry(geometries) | shapely.is_missing(geometries)
    if not np.all(is_usable):
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
    named = sorted({name for name in crs_names if name})
    if len(named) > 1:
        raise InputError(
            "crs.different",
            "The layers have different coordinate systems ({named}). Reproject them to one.",
            named=", ".join(named),
        )
