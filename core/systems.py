"""Coordinate systems of what geopandas brings: metres in a plane, and one for all layers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Objects
from randcrowns.core.errors import InputError

#: A metre, to the rounding of a stated factor.
_METRE = 1e-9


def in_metres(crs: Any) -> bool:
    """Whether the coordinates of a pyproj CRS are metres in a plane."""
    return bool(crs.is_projected) and all(
        abs(axis.unit_conversion_factor - 1) < _METRE for axis in crs.axis_info[:2]
    )


def polygons_and_system(given: Any, name: str) -> tuple[Any, str]:
    """The polygons of a layer, and the name of their coordinate system; empty where it is unknown.

    Args:
        given: :class:`randcrowns.core.crowns.Crowns`; a GeoDataFrame, GeoSeries or GeometryArray; anything with a
            ``geometry``; or the polygons themselves, in metres.
        name: what to call it in errors.

    Raises:
        InputError: for a system that is missing, or is not in metres.

    >>> polygons_and_system([1, 2], "targets")
    ([1, 2], '')
    """
    crs = getattr(given, "crs", "")
    polygons = getattr(given, "geometry", given)
    if isinstance(crs, str):
        return polygons, crs
    if crs is None:
        raise InputError(
            "{name}: there is no coordinate system. Name it with set_crs, or give the polygons alone "
            "(.geometry.to_numpy()) if they are in metres.",
            name=name,
        )
    if not in_metres(crs):
        said = (
            "{name}: the coordinate system {crs} is not in metres. Turn it to one that is, for example with "
            "to_crs(frame.estimate_utm_crs())."
        )
        raise InputError(said, name=name, crs=crs.name)
    return polygons, crs.to_string()


def geometry_array(layer: Any, name: str) -> Objects:
    """(n,) the geometries of a layer, or of one geometry alone; see :func:`polygons_and_system`.

    Raises:
        InputError: for anything but geometries and None, too.
    """
    given = np.atleast_1d(np.asarray(polygons_and_system(layer, name)[0], dtype=object)).ravel()
    if not np.all(shapely.is_geometry(given) | shapely.is_missing(given)):
        raise InputError("{name}: every item must be a shapely geometry or None.", name=name)
    return cast("Objects", given)


def check_one_system(systems: Iterable[str]) -> None:
    """Refuse layers in unlike systems; those without a name are in the system of the others.

    Raises:
        InputError: naming the systems.

    >>> check_one_system(["EPSG:32617", "", "EPSG:32617"])
    """
    named = sorted(set(filter(None, systems)))
    if len(named) > 1:
        said = "The layers' coordinate systems differ ({named}); bring all layers to one."
        raise InputError(said, named=", ".join(named))
