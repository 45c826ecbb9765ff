"""Messages about the coordinate systems of imported crowns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from randcrowns.core.arrays import Objects
from randcrowns.core.messages import Message, warning

#: Maximum absolute longitude and latitude, degrees; on a map around the date line, longitudes may
#: be beyond 180.
_MAX_DEGREES = np.array([360.0, 90.0, 360.0, 90.0])


def no_system_message() -> Message:
    """Return the warning that neither the files nor their images have a coordinate system."""
    return warning(
        "exchange.no_system",
        "The coordinates are imported unchanged, because neither the files nor their images "
        "have a coordinate system. Choose the coordinate system, or set that of the layer.",
    )


def several_systems_message(systems: Sequence[str], crs: str) -> Message:
    """Return the warning that crowns were transformed to a common coordinate system.

    Args:
        systems: names of the coordinate systems of the files and images.
        crs: name of the common one.
    """
    return warning(
        "exchange.several_systems",
        "The imported crowns are in several coordinate systems ({systems}); all of them were "
        "transformed to {crs}.",
        systems=list(systems),
        crs=crs,
    )


def impossible_degrees_message(file: str, shapes: Objects, crs: str) -> Message | None:
    """Return a warning if coordinates in a geographic CRS are too large to be degrees.

    Args:
        file: name of the file.
        shapes: (n,) shapes of the crowns, in degrees.
        crs: name of the CRS.

    >>> impossible_degrees_message("a.geojson", [shapely.Point(9, 50)], "EPSG:4326") is None
    True
    """
    is_impossible = (np.abs(shapely.bounds(shapes)) > _MAX_DEGREES).any(axis=1)
    if not is_impossible.any():
        return None
    return warning(
        "exchange.no_degrees",
        "{file}: the coordinates of {count:,} crowns cannot be of its coordinate system {crs}, "
        "which is in degrees. They may be metres; give the file the system of its "
        "coordinates, for example with the tool 'Assign projection'.",
        one="{file}: the coordinates of 1 crown cannot be of its coordinate system {crs}, "
        "which is in degrees. They may be metres; give the file the system of its "
        "coordinates, for example with the tool 'Assign projection'.",
        file=file,
        count=int(is_impossible.sum()),
        crs=crs,
    )
