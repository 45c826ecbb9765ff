"""A set of tree crowns: the polygons of one layer, drawn by one person or method."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count
from typing import Any, Union, cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects, parts_of, plain_array
from randcrowns.core.errors import InputError
from randcrowns.core.progress import in_threads
from randcrowns.core.remarks import some
from randcrowns.core.systems import polygons_and_system

#: Types of geometry that a crown may have.
POLYGONAL = (shapely.GeometryType.POLYGON, shapely.GeometryType.MULTIPOLYGON)
#: No coordinate of a map, in metres, is larger; the areas of all crowns would lose their digits with one far beyond.
LARGEST = 1e9
#: Polygons that a thread works on at a time.
_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Crowns:
    """Crowns of one layer, checked: every geometry a valid polygon or multipolygon with an area.

    Attributes:
        geometry: (n,) polygons, coordinates in metres; given as an array, or as a GeoDataFrame or GeoSeries, whose
            coordinate system is then checked and kept.
        ids: (n,) int64 identifiers, unique (a layer's feature ids); 0, 1, … by default.
        groups: (n,) the plot of each crown, None where it has none; or None.
        name: the labeler, or the layer's name.
        crs: the coordinate system in metres, for example ``"EPSG:32617"``; empty when unknown.

    Raises:
        InputError: naming the crowns that are not valid polygons, the arrays that do not fit, or a coordinate system
            that is missing or not in metres.

    >>> crowns = Crowns([shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1)], name="plot 1")
    >>> len(crowns), crowns.ids.tolist()
    (2, [0, 1])
    """

    geometry: Objects
    ids: Ints = None  # type: ignore[assignment]
    groups: Objects | None = None
    name: str = "crowns"
    crs: str = ""

    def __post_init__(self) -> None:
        given, system = polygons_and_system(self.geometry, self.name)
        geometry = polygon_array(given, self.name)
        unusable = shapely.is_missing(geometry) | shapely.is_empty(geometry)
        if unusable.any():
            raise InputError(
                "{name}: crowns without geometry in rows {rows}.",
                name=self.name,
                rows=some(np.flatnonzero(unusable)),
            )
        ids = np.arange(len(geometry)) if self.ids is None else _whole_numbers(self.ids, self.name)
        if len(ids) != len(geometry):
            said = "{name}: {geometry} geometries but {ids} ids."
            raise InputError(said, name=self.name, geometry=len(geometry), ids=len(ids))
        if len(np.unique(ids)) != len(ids):
            raise InputError("{name}: two crowns have the same id.", name=self.name)
        groups = self.groups
        if groups is not None:
            groups = np.array(groups, dtype=object)
            if groups.shape != geometry.shape:
                said = "{name}: {geometry} geometries but {groups} groups."
                raise InputError(said, name=self.name, geometry=len(geometry), groups=groups.size)
            if not all(isinstance(group, Hashable) for group in groups):
                raise InputError(
                    "{name}: a group must be a name or a number, no list.", name=self.name
                )
            groups[pd.isna(groups)] = None
        for name, value in (
            ("geometry", geometry),
            ("ids", ids),
            ("groups", groups),
            ("crs", self.crs or system),
        ):
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.geometry)

    @classmethod
    def of_checked(
        cls,
        geometry: Objects,
        ids: Ints,
        groups: Objects | None = None,
        name: str = "crowns",
        crs: str = "",
    ) -> Crowns:
        """Crowns of what is known to be right: valid polygons in a plane, each with an id of its own.

        >>> len(Crowns.of_checked(np.array([shapely.box(0, 0, 1, 1)]), np.array([4])))
        1
        """
        crowns = object.__new__(cls)
        for field, value in (
            ("geometry", geometry),
            ("ids", ids),
            ("groups", groups),
            ("name", name),
            ("crs", crs),
        ):
            object.__setattr__(crowns, field, value)
        return crowns

    @cached_property
    def centroids(self) -> Floats:
        """(n, 2) found once; of rectangles the middle of their bounds."""
        bounds = shapely.bounds(self.geometry)
        found: Floats = (bounds[:, :2] + bounds[:, 2:]) / 2
        others = np.flatnonzero(~is_box(self.geometry))
        if len(others):
            points = in_threads(shapely.centroid, parts_of(self.geometry[others], _AT_ONCE))
            found[others] = np.concatenate([*map(shapely.get_coordinates, points)])
        return found

    @cached_property
    def areas(self) -> Floats:
        """(n,) square metres, found once."""
        return np.asarray(shapely.area(self.geometry))

    def subset(self, rows: Array) -> Crowns:
        """The crowns in ``rows`` (indices or a boolean mask), each at most once."""
        groups = None if self.groups is None else self.groups[rows]
        return Crowns.of_checked(self.geometry[rows], self.ids[rows], groups, self.name, self.crs)


def is_box(polygons: Objects, tolerance: float = 1e-9) -> Bools:
    """(n,) whether each polygon is an axis-aligned rectangle without holes (it fills that share of its bounds)."""
    xmin, ymin, xmax, ymax = shapely.bounds(polygons).T
    box_area = (xmax - xmin) * (ymax - ymin)
    return cast("Bools", np.abs(box_area - shapely.area(polygons)) <= tolerance * box_area)


#: Crowns, or (n,) polygons in metres: an array, or a GeoDataFrame or GeoSeries of geopandas.
CrownsLike = Union[Crowns, ArrayLike]


def as_crowns(crowns: CrownsLike, name: str, groups: ArrayLike | None = None) -> Crowns:
    """The crowns, polygons with this name, either with other groups where some are given."""
    if not isinstance(crowns, Crowns):
        return Crowns(crowns, groups=groups, name=name)  # type: ignore[arg-type]
    return crowns if groups is None else replace(crowns, groups=np.asarray(groups, dtype=object))


def _whole_numbers(ids: ArrayLike, name: str) -> Ints:
    given = plain_array(ids, f"{name}: the list of ids")
    if given.ndim != 1:
        raise InputError(
            "{name}: expected one id per polygon, got {ndim} dimensions.",
            name=name,
            ndim=given.ndim,
        )
    if given.size and (given.dtype.kind not in "iuf" or not np.array_equal(given, np.trunc(given))):
        raise InputError("{name}: ids must be whole numbers.", name=name)
    return given.astype(np.int64)


def polygon_array(geometry: ArrayLike, name: str) -> Objects:
    """(n,) 2-D geometries, checked to be valid polygons; missing and empty ones pass.

    Raises:
        InputError: naming the rows that are no polygon, not valid, or has coordinates that are no numbers or on no map.
    """
    given = np.asarray(geometry, dtype=object)
    if given.ndim != 1:
        raise InputError(
            "{name}: expected a one-dimensional array of polygons, got {ndim} dimensions.",
            name=name,
            ndim=given.ndim,
        )
    if not np.all(shapely.is_geometry(given) | shapely.is_missing(given)):
        raise InputError("{name}: every item must be a shapely geometry or None.", name=name)
    wrong = ~np.isin(shapely.get_type_id(given), POLYGONAL) & ~shapely.is_missing(given)
    if wrong.any():
        said = "{name}: only polygons can be crowns; look at rows {rows}."
        raise InputError(said, name=name, rows=some(np.flatnonzero(wrong)))
    far = np.flatnonzero((np.abs(shapely.bounds(given)) > LARGEST).any(axis=1))
    if len(far):
        said = (
            "{name}: the polygons in rows {rows} have coordinates beyond {largest:,.0f} m, which are on no map; remove "
            "or redraw them."
        )
        raise InputError(said, name=name, rows=some(far), largest=LARGEST)
    flat = shapely.force_2d(given) if shapely.has_z(given).any() else given
    valid = in_threads(shapely.is_valid, parts_of(flat, _AT_ONCE))
    usable = np.concatenate([*valid, np.empty(0, dtype=bool)]) & np.isfinite(shapely.area(flat))
    invalid = ~usable & ~shapely.is_missing(flat)
    if invalid.any():
        said = "{name}: the polygons in rows {rows} are not valid; repair them (make_valid) first."
        raise InputError(said, name=name, rows=some(np.flatnonzero(invalid)))
    return flat


def extent_polygon(extent: Any) -> Any:
    """The extent as a valid polygon: given as one, as xmin, ymin, xmax, ymax, or None.

    Raises:
        InputError: if it is neither, or has no area.
    """
    if extent is None:
        return None
    if not isinstance(extent, shapely.Geometry):
        try:
            corners = np.asarray(extent, dtype=float)
        except (TypeError, ValueError):
            corners = np.empty(0)
        if corners.shape != (4,) or not np.isfinite(corners).all():
            raise InputError(
                "The extent must be a polygon, or four numbers: xmin, ymin, xmax, ymax."
            )
        extent = shapely.box(*corners) if (corners[2:] > corners[:2]).all() else shapely.Polygon()
    (polygon,) = polygon_array([extent], "extent")
    if polygon.is_empty:
        raise InputError("The extent has no area.")
    return polygon


def first_free(name: str, is_taken: Callable[[str], bool], numbered: str = "{} ({})") -> str:
    """The name, or the first of ``name (2)``, ``name (3)``, … that is not taken.

    >>> first_free("crowns", {"crowns", "crowns (2)"}.__contains__)
    'crowns (3)'
    """
    others = (numbered.format(name, number) for number in count(2))
    return next(other for other in chain([name], others) if not is_taken(other))


def group_codes(targets: Crowns, delineations: Crowns) -> tuple[Ints, Ints]:
    """Numbers for the groups of both sides; one group where a side has none."""
    if targets.groups is None or delineations.groups is None:
        return np.zeros(len(targets), np.int64), np.zeros(len(delineations), np.int64)
    codes = pd.factorize(np.concatenate([targets.groups, delineations.groups]))[0]
    return codes[: len(targets)], codes[len(targets) :]
