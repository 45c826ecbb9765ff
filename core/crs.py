"""Checks of coordinate reference systems: metres in a plane, and the same CRS for all layers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Objects
from randcrowns.core.errors import InputError

#: Tolerance of an axis unit's factor to metres.
_UNIT_TOLERANCE = 1e-9


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


def polygons_and_crs(layer: Any, name: str) -> tuple[Any, str]:
    """Return the polygons of a layer and the name of their CRS.

    Args:
        layer: a :class:`randcrowns.core.crowns.Crowns`, GeoDataFrame, GeoSeries or GeometryArray;
            any object with an attribute ``geometry``; or the polygons themselves, in metres.
        name: what the layer is called in errors.

    Returns:
        The polygons as given, and the CRS as text; "" if it is unknown.

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
    if not is_in_metres(crs):
        raise InputError(
            "crs.not_metres",
            "{name}: the coordinate system {crs} is not in metres. Reproject the layer, for "
            "example with to_crs(frame.estimate_utm_crs()).",
            name=name,
            crs=crs.name,
        )
    return polygons, crs.to_string()


def geometry_array(layer: Any, name: str) -> Objects:
    """Return the geometries (n,) of a layer or of a single geometry.

    Args:
        layer: see :func:`polygons_and_crs`.
        name: what the layer is called in errors.

    Raises:
        InputError: if the CRS is missing or not in metres, or an item is no geometry and not None.

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
