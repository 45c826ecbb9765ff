"""Tree crowns of one layer, drawn by one person or method, and the validation of polygons."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Union, cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects, as_array, split_array
from randcrowns.core.class_names import class_values
from randcrowns.core.crs import polygons_and_crs, with_crs_text
from randcrowns.core.errors import InputError
from randcrowns.core.messages import abbreviate, note
from randcrowns.core.outlines import OutlineWarning, check_outlines, close_cracks
from randcrowns.core.progress import map_in_threads
from randcrowns.core.status import ALL_PLOTS
from randcrowns.core.value_names import name_of_value, value_objects

#: Geometry types of crowns.
POLYGON_TYPES = (shapely.GeometryType.POLYGON, shapely.GeometryType.MULTIPOLYGON)
#: Geometry types that crowns are read from.
POLYGONAL_TYPES = (*POLYGON_TYPES, shapely.GeometryType.GEOMETRYCOLLECTION)
#: Largest valid coordinate, m. A larger one would cost the areas of all crowns their precision.
MAX_COORDINATE = 1e9
#: Polygons per call of a worker thread.
_AT_ONCE = 4096
#: Default maximum share of its bounding box that a rectangle may leave empty.
_BOX_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Crowns:
    """Validated crowns of one layer: every geometry is a valid, non-empty (multi)polygon.

    Attributes:
        geometry: (n,) polygons, coordinates in metres. Pass an array, GeoDataFrame or GeoSeries;
            the CRS of a GeoDataFrame is checked and stored. If a metre on its map is not a metre
            on the ground, as in Web Mercator, it is transformed to the UTM zone of its centre.
        ids: (n,) int64, unique identifiers, such as feature ids; 0, 1, ... by default.
        plots: (n,) plot of each crown as text, None for a crown without one; or None. Numbers
            become texts, and spaces at both ends are removed: 1, 1.0 and " 1" are plot "1".
        name: annotator or layer name.
        crs: CRS in metres, for example ``"EPSG:32617"``; "" if unknown. A text is checked like the
            CRS of a GeoDataFrame if pyproj is installed.
        classes: (n,) class of each crown, such as its species, as text; None for a crown without
            one; or None. Values are texts, whole numbers or booleans, see
            :func:`randcrowns.core.class_names.class_values`.

    Raises:
        InputError: if a geometry is no valid polygon, the lengths of the arrays differ, ids are
            not unique, a class is a number with decimals, or the CRS is missing, unknown, not in
            metres, or not that of the layer.

    >>> crowns = Crowns([shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1)], name="plot 1")
    >>> len(crowns), crowns.ids.tolist()
    (2, [0, 1])
    """

    geometry: Objects
    ids: Ints = None  # type: ignore[assignment]
    plots: Objects | None = None
    name: str = "crowns"
    crs: str = ""
    classes: Objects | None = None

    def __post_init__(self) -> None:
        layer = with_crs_text(self.geometry, self.crs, self.name)
        polygons, crs = polygons_and_crs(layer, self.name, reproject=True)
        geometry = polygon_array(polygons, self.name)
        is_unusable = shapely.is_missing(geometry) | shapely.is_empty(geometry)
        if is_unusable.any():
            raise InputError(
                "crowns.no_geometry",
                "{name}: crowns without geometry in rows {rows}.",
                name=self.name,
                rows=abbreviate(np.flatnonzero(is_unusable)),
            )
        n = len(geometry)
        # Attributes of a frozen dataclass can be set only in this way.
        object.__setattr__(self, "geometry", geometry)
        object.__setattr__(self, "ids", self._validated_ids(n))
        object.__setattr__(self, "plots", self._validated_plots(n))
        object.__setattr__(self, "classes", self._validated_classes(n))
        object.__setattr__(self, "crs", crs)

    def _validated_ids(self, n: int) -> Ints:
        """Return the ids (n,) as unique int64; 0, 1, ... if there are none."""
        if self.ids is None:
            return np.arange(n)
        ids = _integer_ids(self.ids, self.name)
        if len(ids) != n:
            raise InputError(
                "crowns.wrong_id_count",
                "{name}: {geometry} geometries but {ids} ids.",
                name=self.name,
                geometry=n,
                ids=len(ids),
            )
        if len(np.unique(ids)) != n:
            raise InputError(
                "crowns.repeated_id", "{name}: two crowns have the same id.", name=self.name
            )
        return ids

    def _validated_plots(self, n: int) -> Objects | None:
        """Return the plots (n,) with None for missing values; None if there are no plots."""
        if self.plots is None:
            return None
        plots = np.array(self.plots, dtype=object)
        if plots.shape != (n,):
            raise InputError(
                "crowns.wrong_plot_count",
                "{name}: {geometry} geometries but {plots} plots.",
                name=self.name,
                geometry=n,
                plots=plots.size,
            )
        if not all(isinstance(plot, Hashable) for plot in plots):
            raise InputError(
                "crowns.invalid_plot",
                "{name}: a plot must be a text or a number, no list.",
                name=self.name,
            )
        return plot_names(plots)

    def _validated_classes(self, n: int) -> Objects | None:
        """Return the classes (n,) with None for missing values; None if there are no classes."""
        if self.classes is None:
            return None
        classes = class_values(self.classes, self.name)
        if len(classes) != n:
            raise InputError(
                "crowns.wrong_class_count",
                "{name}: {geometry} geometries but {classes} classes.",
                name=self.name,
                geometry=n,
                classes=len(classes),
            )
        return classes

    def __len__(self) -> int:
        return len(self.geometry)

    @classmethod
    def from_validated(
        cls,
        geometry: Objects,
        ids: Ints,
        plots: Objects | None = None,
        name: str = "crowns",
        crs: str = "",
        classes: Objects | None = None,
    ) -> Crowns:
        """Create crowns without validation, from arrays that are known to be valid.

        Args:
            geometry: (n,) valid 2-D polygons in metres.
            ids: (n,) int64, unique.
            plots: (n,) plots, or None.
            name: annotator or layer name.
            crs: CRS in metres; "" if unknown.
            classes: (n,) classes, or None.

        >>> len(Crowns.from_validated(np.array([shapely.box(0, 0, 1, 1)]), np.array([4])))
        1
        """
        crowns = object.__new__(cls)
        object.__setattr__(crowns, "geometry", geometry)
        object.__setattr__(crowns, "ids", ids)
        object.__setattr__(crowns, "plots", plots)
        object.__setattr__(crowns, "name", name)
        object.__setattr__(crowns, "crs", crs)
        object.__setattr__(crowns, "classes", classes)
        return crowns

    @cached_property
    def centroids(self) -> Floats:
        """Centroids (n, 2), m; for axis-aligned rectangles the centre of their bounds."""
        centroids: Floats = (self.bounds[:, :2] + self.bounds[:, 2:]) / 2
        others = np.flatnonzero(~self.are_boxes())
        if len(others):
            points = map_in_threads(shapely.centroid, split_array(self.geometry[others], _AT_ONCE))
            centroids[others] = np.concatenate([*map(shapely.get_coordinates, points)])
        return centroids

    @cached_property
    def areas(self) -> Floats:
        """Areas (n,), m²."""
        return np.asarray(shapely.area(self.geometry))

    @cached_property
    def bounds(self) -> Floats:
        """Bounds (n, 4): xmin, ymin, xmax, ymax, m."""
        return np.asarray(shapely.bounds(self.geometry))

    def are_boxes(self, tolerance: float = _BOX_TOLERANCE) -> Bools:
        """Return a mask (n,) of the crowns that are axis-aligned rectangles, see :func:`is_box`.

        Args:
            tolerance: maximum share of its bounding box that a rectangle may leave empty.
        """
        return _fill_bounds(self.bounds, self.areas, tolerance)

    def subset(self, rows: Array) -> Crowns:
        """Return the crowns in ``rows``: unique indices, or a boolean mask (n,)."""
        plots = None if self.plots is None else self.plots[rows]
        classes = None if self.classes is None else self.classes[rows]
        return Crowns.from_validated(
            self.geometry[rows],
            self.ids[rows],
            plots,
            name=self.name,
            crs=self.crs,
            classes=classes,
        )

    def with_classes(self, classes: Objects | None) -> Crowns:
        """Return the crowns with other class names (n,), see :attr:`classes`; None for none."""
        return Crowns.from_validated(
            self.geometry, self.ids, plots=self.plots, name=self.name, crs=self.crs, classes=classes
        )


def required_classes(crowns: Crowns) -> Objects:
    """Return the classes (n,) of crowns.

    Raises:
        InputError: if the crowns have no classes.

    >>> required_classes(Crowns([shapely.box(0, 0, 1, 1)], classes=["oak"])).tolist()
    ['oak']
    """
    if crowns.classes is None:
        raise InputError(
            "classes.none_to_match",
            "{name}: the crowns have no classes, so they cannot be matched within classes.",
            name=crowns.name,
        )
    return crowns.classes


def is_box(polygons: Objects, tolerance: float = _BOX_TOLERANCE) -> Bools:
    """Return a mask (n,) of polygons that are axis-aligned rectangles without holes.

    Args:
        polygons: (n,) shapely polygons.
        tolerance: maximum share of its bounding box that a rectangle may leave empty.

    >>> is_box(np.array([shapely.box(0, 0, 2, 1), shapely.Point(0, 0).buffer(1)])).tolist()
    [True, False]
    """
    return _fill_bounds(shapely.bounds(polygons), shapely.area(polygons), tolerance)


def _fill_bounds(bounds: Floats, areas: Floats, tolerance: float) -> Bools:
    """Return a mask (n,) of polygons that fill their bounding boxes.

    Args:
        bounds: (n, 4) xmin, ymin, xmax, ymax of each polygon.
        areas: (n,) areas.
        tolerance: maximum share of the bounding box that may be empty.
    """
    xmin, ymin, xmax, ymax = bounds.T
    box_area = (xmax - xmin) * (ymax - ymin)
    return cast("Bools", np.abs(box_area - areas) <= tolerance * box_area)


#: Crowns, or (n,) polygons in metres: an array, a GeoDataFrame or a GeoSeries.
CrownsLike = Union[Crowns, ArrayLike]


def as_crowns(
    crowns: CrownsLike, name: str, plots: ArrayLike | None = None, crs_code: str = ""
) -> Crowns:
    """Return crowns from crowns or polygons.

    Args:
        crowns: crowns, or (n,) polygons in metres.
        name: name of the crowns if ``crowns`` are polygons.
        plots: (n,) plots that replace those of the crowns; None keeps them.
        crs_code: CRS of all layers that are compared, see
            :func:`randcrowns.core.crs.common_crs_code`.

    Raises:
        InputError: see :class:`Crowns`.

    >>> as_crowns([shapely.box(0, 0, 1, 1)], "targets").name
    'targets'
    """
    if not isinstance(crowns, Crowns):
        polygons, crs = polygons_and_crs(crowns, name, reproject=True, code=crs_code)
        return Crowns(polygons, plots=plots, name=name, crs=crs)  # type: ignore[arg-type]
    return crowns if plots is None else replace(crowns, plots=np.asarray(plots, dtype=object))


def plot_names(values: ArrayLike) -> Objects:
    """Return the name (n,) of each plot; layers may store one plot as 1, 1.0, "1.0" or " 1".

    Args:
        values: (n,) texts, numbers or missing values.

    Returns:
        Names, see :func:`randcrowns.core.value_names.name_of_value`; None for missing values and
        blank texts.

    >>> plot_names([1, 1.0, " 1", "1.0", 1.5, "", None]).tolist()
    ['1', '1', '1', '1', '1.5', None, None]
    """
    # Names are computed once per distinct value, which is fast for many crowns.
    codes, distinct_values = pd.factorize(value_objects(values))
    distinct_names = [name_of_value(value) for value in distinct_values]
    # The code of a missing value is -1, that of the last name.
    name_of_code = np.array([*distinct_names, None], dtype=object)
    return cast("Objects", name_of_code[codes])


def label_plots(plots: Sequence[Any]) -> list[Any]:
    """Return the values of the plot column in the rows of a summary.

    A plot with the name of the row of all plots gets a number.

    Args:
        plots: distinct names of plots; None for crowns without one.

    >>> label_plots(["a", "all", "all (2)"])
    ['a', 'all (3)', 'all (2)']
    """
    reserved = {ALL_PLOTS, *plots}
    labels = []
    for plot in plots:
        if plot == ALL_PLOTS:
            labels.append(unique_name(plot, reserved.__contains__))
        else:
            labels.append(plot)
    return labels


def _integer_ids(ids: ArrayLike, name: str) -> Ints:
    """Return ids as int64 (n,); raise InputError unless they are whole numbers."""
    values = as_array(ids, f"{name}: the list of ids")
    if values.ndim != 1:
        raise InputError(
            "crowns.ids_not_one_dimensional",
            "{name}: expected one id per polygon, got {ndim} dimensions.",
            name=name,
            ndim=values.ndim,
        )
    is_numeric = values.dtype.kind in "iuf"
    if values.size and not (is_numeric and np.array_equal(values, np.trunc(values))):
        raise InputError("ids.not_whole", "{name}: ids must be whole numbers.", name=name)
    return values.astype(np.int64)


def polygon_array(geometry: ArrayLike, name: str) -> Objects:
    """Return geometries as a 2-D polygon array; missing and empty geometries are allowed.

    Cracks and specks are closed, see :func:`randcrowns.core.outlines.make_usable`. An
    :class:`randcrowns.core.outlines.OutlineWarning` reports this.

    Args:
        geometry: (n,) polygons or None, coordinates in metres; z values are dropped.
        name: what the layer is called in errors.

    Returns:
        (n,) object array of polygons, multipolygons and None.

    Raises:
        InputError: if a geometry is no polygon, is not valid, or has coordinates that are not
            finite or exceed :data:`MAX_COORDINATE`; the message names the rows.

    >>> polygon_array([shapely.box(0, 0, 1, 1), None], "crowns").shape
    (2,)
    """
    geometries = np.asarray(geometry, dtype=object)
    _check_polygons(geometries, name)
    flat = geometries
    if shapely.has_z(geometries).any():
        flat = shapely.force_2d(geometries)
    checks = check_outlines(flat)
    is_valid = checks.is_valid & np.isfinite(shapely.area(flat))
    is_invalid = ~is_valid & ~shapely.is_missing(geometries)
    if is_invalid.any():
        raise InputError(
            "crowns.invalid_geometry",
            "{name}: the polygons in rows {rows} are not valid. Repair them first, for example "
            "with repair_outlines of randcrowns.core.",
            name=name,
            rows=abbreviate(np.flatnonzero(is_invalid)),
        )
    closed, is_closed = close_cracks(flat, checks.is_suspicious)
    if is_closed.any():
        message = note(
            "crowns.closed",
            "{name}: {count:,} polygons with cracks or specks narrower than 0.001 mm are smoothed "
            "there (rows {rows}).",
            one="{name}: 1 polygon with cracks or specks narrower than 0.001 mm is smoothed there "
            "(row {rows}).",
            name=name,
            count=int(is_closed.sum()),
            rows=abbreviate(np.flatnonzero(is_closed)),
        )
        warnings.warn(str(message), OutlineWarning, stacklevel=2)
    return closed


def _check_polygons(geometries: Objects, name: str) -> None:
    """Raise InputError unless all items are polygons or None, with coordinates that can be used.

    Args:
        geometries: (n,) items.
        name: what the layer is called in errors.
    """
    if geometries.ndim != 1:
        raise InputError(
            "crowns.not_one_dimensional",
            "{name}: expected a one-dimensional array of polygons, got {ndim} dimensions.",
            name=name,
            ndim=geometries.ndim,
        )
    is_missing = shapely.is_missing(geometries)
    if not np.all(shapely.is_geometry(geometries) | is_missing):
        raise InputError(
            "crowns.not_geometry",
            "{name}: every item must be a shapely geometry or None.",
            name=name,
        )
    is_other_type = ~np.isin(shapely.get_type_id(geometries), POLYGON_TYPES) & ~is_missing
    if is_other_type.any():
        raise InputError(
            "crowns.not_polygon",
            "{name}: only polygons can be crowns. Check rows {rows}.",
            name=name,
            rows=abbreviate(np.flatnonzero(is_other_type)),
        )
    is_far = (np.abs(shapely.bounds(geometries)) > MAX_COORDINATE).any(axis=1)
    if is_far.any():
        raise InputError(
            "crowns.beyond_map",
            "{name}: the polygons in rows {rows} have coordinates beyond {largest:,.0f} m, which "
            "exist on no map. Remove or redraw them.",
            name=name,
            rows=abbreviate(np.flatnonzero(is_far)),
            largest=MAX_COORDINATE,
        )


def extent_polygon(extent: Any) -> Any:
    """Return an extent as a valid polygon.

    Args:
        extent: a polygon; xmin, ymin, xmax, ymax in metres; or None.

    Returns:
        The polygon, or None for no extent.

    Raises:
        InputError: if ``extent`` is something else or has no area.

    >>> extent_polygon((0, 0, 2, 1)).area
    2.0
    """
    if extent is None:
        return None
    polygon = extent
    if not isinstance(extent, shapely.Geometry):
        try:
            corners = np.asarray(extent, dtype=float)
        except (TypeError, ValueError):
            corners = np.empty(0)
        if corners.shape != (4,) or not np.isfinite(corners).all():
            raise InputError(
                "extent.invalid",
                "The extent must be a polygon, or four numbers: xmin, ymin, xmax, ymax.",
            )
        xmin, ymin, xmax, ymax = corners
        polygon = shapely.Polygon()
        if xmax > xmin and ymax > ymin:
            polygon = shapely.box(xmin, ymin, xmax, ymax)
    valid_polygon = polygon_array([polygon], "extent")[0]
    if valid_polygon.is_empty:
        raise InputError("extent.no_area", "The extent has no area.")
    return valid_polygon


def unique_name(name: str, is_taken: Callable[[str], bool], numbered: str = "{} ({})") -> str:
    """Return a name that is not taken: ``name``, else ``name (2)``, ``name (3)``, ...

    Args:
        name: preferred name.
        is_taken: returns True for a name that is in use.
        numbered: format of a numbered name; receives the name and the number.

    >>> unique_name("crowns", {"crowns", "crowns (2)"}.__contains__)
    'crowns (3)'
    """
    candidate = name
    number = 1
    while is_taken(candidate):
        number += 1
        candidate = numbered.format(name, number)
    return candidate


def plot_codes_of_both(targets: Crowns, delineations: Crowns) -> tuple[Ints, Ints]:
    """Return integer codes of the plots of two layers; equal plots have equal codes.

    Args:
        targets: T targets.
        delineations: D delineations.

    Returns:
        (T,) codes of the targets and (D,) codes of the delineations, both from 0; all of them are 0
        if one of the two layers has no plots.

    >>> box = shapely.box(0, 0, 1, 1)
    >>> codes = plot_codes_of_both(Crowns([box], plots=["a"]), Crowns([box, box], plots=["b", "a"]))
    >>> [code.tolist() for code in codes]
    [[0], [1, 0]]
    """
    n_targets = len(targets)
    n_delineations = len(delineations)
    if targets.plots is None or delineations.plots is None:
        return np.zeros(n_targets, np.int64), np.zeros(n_delineations, np.int64)
    codes, _ = pd.factorize(np.concatenate([targets.plots, delineations.plots]))
    return codes[:n_targets], codes[n_targets:]
