"""RandCrowns, IoU and IoUCrowns of pairs of crowns (Stewart et al. 2021, "RandCrowns: A Quantitative Metric for
Imprecisely Labeled Tree Crown Delineation", Eq. 5-14 and Table II), read off the offset table.

A(r) is the area of the target offset by r, O(r) that of the delineation inside it; r = -alpha, 0, omega, omega + tau.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import (
    Array,
    Bools,
    Floats,
    Ints,
    Objects,
    distinct_objects,
    parts_of,
    slices,
)
from randcrowns.core.crowns import extent_polygon, is_box, polygon_array
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import (
    ROUNDING,
    centre_of,
    pair_edges,
    polygon_edges,
    shared_areas,
    to_origin,
)
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, even_slices, in_threads, no_progress
from randcrowns.core.scoring.offsets import (
    BoxOffsets,
    Offsets,
    Regions,
    offsets_at,
    offsets_of,
    target_offsets,
    without_contact,
)
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.statistics import iou_of
from randcrowns.core.status import Status
from randcrowns.core.systems import check_one_system, polygons_and_system

SCORE_COLUMNS = ["randcrowns", "iou", "iou_crowns", "a", "b", "c", "d", "tau", "status"]

_STATUSES = (Status.SCORED, Status.EXTENT_LIMITED, Status.MISSED, Status.TARGET_TOO_SMALL)
_OUTCOMES = np.array([status.value for status in _STATUSES], dtype=object)


@as_declared
def score_pairs(
    targets: ArrayLike,
    delineations: ArrayLike,
    parameters: RandCrownsParameters,
    extent: Any = None,
    *,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Score delineations against targets, row by row.

    Args:
        targets: (n,) shapely polygons or multipolygons, metres; None where there is none. Of a GeoDataFrame or
            GeoSeries the coordinate system is checked.
        delineations: (n,) the delineation scored against each target.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: a polygon, or xmin, ymin, xmax, ymax; every offset of a target is cut to it, as the paper cuts to
            the image. Delineations are taken whole.

    Returns:
        A row per pair: ``randcrowns``, ``iou``, ``iou_crowns`` (0 to 1; NaN where nothing can be scored); ``a``,
        ``b``, ``c``, ``d``, the pairs of points of Eq. 10-13 (m⁴); ``tau`` (m); ``status`` (a :class:`Status` as
        text).

    Raises:
        InputError: if the arrays differ in length or hold anything but valid polygons.

    >>> square, half = shapely.box(0, 0, 5, 5), shapely.box(0, 0, 5, 2.5)
    >>> score_pairs([square], [half], RandCrownsParameters(0.7, 1.2, 3))["randcrowns"].round(3).tolist()
    [0.974]
    """
    target_polygons, system = polygons_and_system(targets, "targets")
    drawn_polygons, other = polygons_and_system(delineations, "delineations")
    check_one_system([system, other])
    target_shapes, target_row = distinct_objects(polygon_array(target_polygons, "targets"))
    drawn_shapes, drawn_row = distinct_objects(polygon_array(drawn_polygons, "delineations"))
    if len(target_row) != len(drawn_row):
        said = "Pairs need as many targets as delineations, but there are {targets} and {delineations}."
        raise InputError(said, targets=len(target_row), delineations=len(drawn_row))
    usable = (~_no_geometry(target_shapes))[target_row] & (~_no_geometry(drawn_shapes))[drawn_row]
    some = np.flatnonzero(usable)
    kept, target = np.unique(target_row[some], return_inverse=True)
    drawn, delineation = np.unique(drawn_row[some], return_inverse=True)
    within = extent_polygon(extent)
    table = offset_table(
        target_shapes[kept], drawn_shapes[drawn], target, delineation, parameters, within, progress
    )
    scores = score_table(table).set_axis(some).reindex(range(len(usable)))
    scores["status"] = scores["status"].where(usable, Status.NO_GEOMETRY.value)
    return cast("pd.DataFrame", scores)


def score_table(table: OffsetTable) -> pd.DataFrame:
    """:func:`score_columns` as a table."""
    return as_table(score_columns(table))


def as_table(columns: Mapping[str, Any]) -> pd.DataFrame:
    """A table of these very columns: pandas would copy them into blocks."""
    return cast("pd.DataFrame", pd.DataFrame(columns, copy=False))


def score_columns(table: OffsetTable) -> dict[str, Array]:
    """The terms, the three scores and the status of every pair of an offset table (Eq. 10-14).

    A delineation that misses the true positive region scores 0 (Fig. 3); a target whose true positive region is
    empty cannot be scored.
    """
    target = table.target
    certain, tolerated = table.certain_area[target], table.tolerated_area[target]
    ring = table.edge_area[target] - tolerated
    a = table.certain_shared**2
    b = np.maximum(ring - (table.edge_shared - table.tolerated_shared), 0.0) ** 2
    c = np.maximum(table.delineation_area - table.tolerated_shared, 0.0) ** 2
    d = np.maximum(certain - table.certain_shared, 0.0) ** 2

    too_small = certain == 0
    missed = ~too_small & (a == 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        randcrowns = np.where(missed, 0.0, (a + b) / (a + b + c + d))
        iou_crowns = np.where(missed, 0.0, a / (a + c + d))
        iou = iou_of(table.shared, table.delineation_area, table.area[target])
    randcrowns[too_small] = iou_crowns[too_small] = np.nan

    outcome = table.limited[target].astype(np.intp)
    outcome[missed], outcome[too_small] = 2, 3
    columns = [randcrowns, iou, iou_crowns, a, b, c, d, table.tau[target], _OUTCOMES[outcome]]
    return dict(zip(SCORE_COLUMNS, columns))


class TargetRegions(NamedTuple):
    """The regions of targets as polygons (empty where a region is), and what made them."""

    R_a: Objects  #: (n,) true positive regions, T(-alpha) (Eq. 5).
    R_o: Objects  #: (n,) outer regions as filled areas, T(omega) (Eq. 6).
    R_e: Objects  #: (n,) T(omega + tau) (Eq. 9).
    R_b: Objects  #: (n,) true negative regions without a delineation, R_e minus R_o.
    tau: Floats  #: (n,) metres; NaN where the target is too small.
    #: (n,) values of :class:`Status`: scored (the regions are as the parameters say), extent_limited, target_too_small
    #: or no_geometry.
    status: Objects


@as_declared
def target_regions(
    targets: ArrayLike,
    parameters: RandCrownsParameters,
    extent: Any = None,
    *,
    progress: Progress = no_progress,
) -> TargetRegions:
    """The regions of every target as geometries.

    Args:
        targets: (n,) shapely polygons or multipolygons, metres; None where there is none.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: a polygon, or xmin, ymin, xmax, ymax, that every region is cut to.

    Raises:
        InputError: if the array holds anything but valid polygons.

    >>> target_regions([shapely.box(0, 0, 5, 5)], RandCrownsParameters(0.7, 1.2, 3)).tau.round(3).tolist()
    [1.138]
    """
    shapes = polygon_array(polygons_and_system(targets, "targets")[0], "targets")
    usable = np.flatnonzero(~_no_geometry(shapes))
    nothing = np.empty(0, dtype=np.int64)
    drawn, within = np.empty(0, dtype=object), extent_polygon(extent)
    table = offset_table(
        shapes[usable],
        drawn,
        nothing,
        nothing,
        parameters,
        within,
        with_regions=True,
        progress=progress,
    )
    found = _no_regions(len(shapes))
    for values, some in zip(found, table.regions or ()):
        values[usable] = some
    return found


def _no_geometry(polygons: Objects) -> Bools:
    return cast("Bools", shapely.is_missing(polygons) | shapely.is_empty(polygons))


#: Pairs of rectangles worked on at once, and targets whose regions are kept: few enough for the processor's cache.
_BOX_PAIRS, _KEPT = 8192, 1024
#: Work on other pairs at once. A target weighs as so many pairs, and a pair as its target's corners and so many more.
_PIECE, _PAIRS_PER_TARGET, _CORNERS_PER_PAIR = 1 << 19, 8, 64


@dataclass(frozen=True)
class OffsetTable:
    """A of T targets and O of P pairs; square metres unless said otherwise."""

    #: target, delineation: (P,) indices of each pair's crowns: of the targets, and of those delineations that are in a
    #: pair.
    target: Ints
    delineation: Ints
    delineation_area: Floats  #: (P,) whole area of the pair's delineation.
    area: Floats  #: (T,) A(0).
    #: certain_area, tolerated_area, edge_area: (T,) A(-alpha), A(omega), A(omega + tau).
    certain_area: Floats
    tolerated_area: Floats
    edge_area: Floats
    tau: Floats  #: (T,) metres; NaN where A(-alpha) is 0.
    limited: Bools  #: (T,) True where the extent leaves less room than gamma asks for.
    shared: Floats  #: (P,) O(0).
    #: certain_shared, tolerated_shared, edge_shared: (P,) O(-alpha), O(omega), O(omega + tau).
    certain_shared: Floats
    tolerated_shared: Floats
    edge_shared: Floats
    regions: TargetRegions | None = None  #: the regions themselves, where they are wanted.


def offset_table(
    targets: Objects,
    delineations: Objects,
    target: Ints,
    delineation: Ints,
    parameters: RandCrownsParameters,
    extent: Any = None,
    progress: Progress = no_progress,
    *,
    with_regions: bool = False,
) -> OffsetTable:
    """A of all (T,) targets and O of all pairs with the (D,) delineations, valid polygons, on all processors.

    The pairs are given by indices (P,), in any order, so those of several layers go together: the offsets of a target
    are made once. Every T(r) is cut to the extent, a polygon or None.
    """
    n_targets = len(targets)
    used = np.zeros(len(delineations), dtype=bool)
    used[delineation] = True
    delineations, delineation = delineations[used], (np.cumsum(used) - 1)[delineation]
    area = shapely.area(delineations)[delineation]
    table = _empty_table(n_targets, target, delineation, area, with_regions)
    if n_targets == 0:
        return table
    jobs = list(_jobs(table, targets, delineations, parameters, extent))
    for _ in in_threads(lambda job: job[1](), jobs, progress, [load for load, _ in jobs]):
        pass
    return table


def _empty_table(
    n_targets: int,
    target: Ints,
    delineation: Ints,
    delineation_area: Floats,
    with_regions: bool = False,
) -> OffsetTable:
    return OffsetTable(
        target=target,
        delineation=delineation,
        delineation_area=delineation_area,
        **{
            name: np.zeros(n_targets)
            for name in ("area", "certain_area", "tolerated_area", "edge_area", "tau")
        },
        limited=np.zeros(n_targets, dtype=bool),
        **{
            name: np.zeros(len(target))
            for name in ("shared", "certain_shared", "tolerated_shared", "edge_shared")
        },
        regions=_no_regions(n_targets) if with_regions else None,
    )


#: A part of the work: how much it is, and what does it.
_Job = tuple[int, Callable[[], None]]


def _jobs(
    table: OffsetTable,
    targets: Objects,
    delineations: Objects,
    parameters: RandCrownsParameters,
    extent: Any,
) -> Iterator[_Job]:
    """All targets and pairs in parts that stay in the processor's cache, each of which fills in rows of its own."""
    origin = centre_of(targets)
    rest = np.ones(len(table.target), dtype=bool)
    kinds = offsets_of(targets, parameters, extent, origin)
    for rows, offsets in kinds:
        if isinstance(offsets, BoxOffsets):
            # Rectangles have the same regions whatever they are paired with, and cost nothing.
            regions = target_offsets(offsets, parameters)
            _tabulate_targets(table, rows, offsets, regions)
            if table.regions is not None:
                for some in slices(len(rows), _KEPT):
                    yield (
                        16,
                        partial(
                            _keep_regions,
                            table,
                            rows[some],
                            offsets.take(some),
                            regions.take(some),
                            origin,
                        ),
                    )
            place = np.full(len(targets), -1)
            place[rows] = np.arange(len(rows))
            boxes = (place[table.target] >= 0) & is_box(delineations)[table.delineation]
            rest &= ~boxes
            bounds = shapely.bounds(delineations) - np.tile(origin, 2)
            for pairs in parts_of(np.flatnonzero(boxes), _BOX_PAIRS):
                work = partial(_share_boxes, table, pairs, place, offsets, bounds, parameters)
                yield len(pairs) // 256 + 1, work

    order = np.flatnonzero(rest)
    order = order[np.argsort(table.target[order], kind="stable")]
    sorted_target = table.target[order]
    for rows, offsets in kinds:
        first, last = (np.searchsorted(sorted_target, rows, side) for side in ("left", "right"))
        if isinstance(offsets, BoxOffsets):
            paired = last > first
            rows, first, last = rows[paired], first[paired], last[paired]
            offsets = offsets.take(np.flatnonzero(paired))
        corners = shapely.get_num_coordinates(targets[rows]) + _CORNERS_PER_PAIR
        load = np.cumsum((last - first + _PAIRS_PER_TARGET) * corners)
        for some in even_slices(load, _PIECE):
            own = [order[a:b] for a, b in zip(first[some].tolist(), last[some].tolist())]
            work = partial(
                _share_polygons,
                table,
                rows[some],
                offsets.take(some),
                own,
                delineations,
                origin,
                parameters,
            )
            yield some.stop - some.start, work


def _tabulate_targets(table: OffsetTable, rows: Ints, offsets: Offsets, regions: Regions) -> Array:
    """Fill in the targets in ``rows``; returns T(0)."""
    itself = offsets.at(0.0)
    table.area[rows] = offsets.area(itself)
    for name in ("certain_area", "tolerated_area", "edge_area", "tau", "limited"):
        getattr(table, name)[rows] = getattr(regions, name)
    return itself


def _no_regions(n: int) -> TargetRegions:
    """Regions of targets without geometry."""
    a, o, e, b = np.full((4, n), shapely.Polygon(), dtype=object)
    return TargetRegions(
        a, o, e, b, np.full(n, np.nan), np.full(n, Status.NO_GEOMETRY.value, dtype=object)
    )


def _keep_regions(
    table: OffsetTable, rows: Ints, offsets: Offsets, regions: Regions, origin: Floats
) -> None:
    """Fill in the regions of the targets in ``rows`` as polygons."""
    kept = table.regions or _no_regions(0)
    kept.R_a[rows], kept.R_o[rows], kept.R_e[rows] = (
        to_origin(offsets.polygons(shapes), -origin)
        for shapes in (regions.certain, regions.tolerated, regions.edge)
    )
    too_small = np.isnan(regions.tau)
    kept.R_a[rows[too_small]] = shapely.Polygon()
    kept.R_b[rows] = shapely.difference(kept.R_e[rows], kept.R_o[rows])
    kept.tau[rows] = regions.tau
    kept.status[rows] = np.where(regions.limited, Status.EXTENT_LIMITED.value, Status.SCORED.value)
    kept.status[rows[too_small]] = Status.TARGET_TOO_SMALL.value


def _share_boxes(
    table: OffsetTable,
    pairs: Ints,
    place: Ints,
    offsets: BoxOffsets,
    bounds: Floats,
    parameters: RandCrownsParameters,
) -> None:
    """Rectangles against rectangles: by how far the delineation overhangs the target on each side.

    With overhangs p and q to the right and left, the width that D shares with T(r) is that of T plus
    min(r, p) + min(r, q).
    """
    target = table.target[pairs]
    left, bottom, right, top = offsets.bounds.take(place[target], axis=0).T
    drawn = bounds.take(table.delineation[pairs], axis=0)
    if offsets.extent is not None:
        drawn = np.hstack(
            [
                np.maximum(drawn[:, :2], offsets.extent[:2]),
                np.minimum(drawn[:, 2:], offsets.extent[2:]),
            ]
        )
    width, height = right - left, top - bottom
    overhangs = drawn[:, 2] - right, left - drawn[:, 0], drawn[:, 3] - top, bottom - drawn[:, 1]

    def share(distance: Floats | float) -> Floats:
        east, west, north, south = (np.minimum(overhang, distance) for overhang in overhangs)
        east += west
        east += width
        north += south
        north += height
        np.maximum(east, 0.0, out=east)
        np.maximum(north, 0.0, out=north)
        east *= north
        return east

    tau = np.nan_to_num(table.tau[target])
    table.shared[pairs] = share(0.0)
    table.certain_shared[pairs] = without_contact(share(-parameters.alpha), width * height)
    table.tolerated_shared[pairs] = share(parameters.omega)
    table.edge_shared[pairs] = share(parameters.omega + tau)


def _share_polygons(
    table: OffsetTable,
    rows: Ints,
    offsets: Offsets,
    pairs_of_rows: list[Ints],
    delineations: Objects,
    origin: Floats,
    parameters: RandCrownsParameters,
) -> None:
    """Any shapes: exact shared areas, each offset only with the delineations that can tell it apart."""
    regions = target_offsets(offsets, parameters)
    itself = _tabulate_targets(table, rows, offsets, regions)
    if table.regions is not None:
        _keep_regions(table, rows, offsets, regions, origin)
    pairs = np.concatenate(pairs_of_rows)
    target = np.repeat(np.arange(len(rows)), [len(some) for some in pairs_of_rows])
    _share(table, rows, offsets, regions, itself, pairs, target, delineations, origin)


def _share(
    table: OffsetTable,
    rows: Ints,
    offsets: Offsets,
    regions: Regions,
    itself: Array,
    pairs: Ints,
    target: Ints,
    delineations: Objects,
    origin: Floats,
) -> None:
    """Fill in the ``pairs``, of the target in these ``rows`` that is (n,) ``target`` of the offsets."""
    if len(pairs) == 0:
        return
    drawn, polygon = np.unique(table.delineation[pairs], return_inverse=True)
    bounds = None
    if len(rows) > 1:  # of one target more time goes than is won
        of_each = [
            shapely.bounds(offsets.polygons(shapes))
            for shapes in (itself, regions.tolerated, regions.edge)
        ]
        bounds = np.hstack([np.fmin.reduce(of_each)[:, :2], np.fmax.reduce(of_each)[:, 2:]])
    paired = pair_edges(
        polygon_edges(delineations[drawn], origin), len(drawn), polygon, target, bounds
    )
    whole = table.delineation_area[pairs]
    rounding = ROUNDING * (whole + table.area[rows][target])

    def share(wanted: Bools, *shapes: Array) -> Floats:
        """A row of O for each of these shapes of the targets."""
        some, n = np.unique(target[wanted]), len(offsets)
        edges = offsets.edges(np.concatenate([every[some] for every in shapes]))
        edges = edges._replace(
            owner=np.add.outer(n * np.arange(len(shapes)), some).ravel()[edges.owner]
        )
        with_each = (paired if wanted.all() else paired.of_pairs(wanted)).times(len(shapes), n)
        area = shared_areas(edges, with_each, n * len(shapes)).reshape(len(shapes), -1)
        return np.where(area <= rounding, 0.0, np.where(area >= whole - rounding, whole, area))

    every = np.ones(len(pairs), dtype=bool)
    if len(rows) == 1:  # together that takes half the time
        shared, tolerated, certain, edge = share(
            every, itself, regions.tolerated, regions.certain, regions.edge
        )
        certain[shared == 0] = 0.0
        inside = tolerated == whole
    else:
        (shared,), (tolerated,) = share(every, itself), share(every, regions.tolerated)
        inside = tolerated == whole
        (certain,), (edge,) = share(shared > 0, regions.certain), share(~inside, regions.edge)
    table.shared[pairs] = shared
    table.certain_shared[pairs] = without_contact(certain, offsets.whole_area()[target])
    table.tolerated_shared[pairs] = tolerated
    table.edge_shared[pairs] = np.where(inside, whole, edge)


class KnownTarget(NamedTuple):
    """A target whose offsets are kept, so that delineations can be scored against it one after another."""

    target: Any  #: its polygon.
    #: offsets, regions, itself: T(r), the three that carry the regions, and T(0), (2,) ``origin`` at (0, 0).
    offsets: Offsets
    regions: Regions
    itself: Array
    origin: Floats

    @classmethod
    def of(
        cls,
        target: Any,
        parameters: RandCrownsParameters,
        extent: Any = None,
        tau: Any = None,
        near: float = np.nan,
    ) -> Any:
        """Make the offsets of a valid polygon; ``tau`` (m; NaN for none) is solved, from ``near`` on, if not known."""
        one = np.array([target], dtype=object)
        origin = centre_of(one)
        ((_, offsets),) = offsets_of(one, parameters, extent, origin)
        if tau is None:
            regions = target_offsets(offsets, parameters, near)
        else:
            regions = offsets_at(offsets, parameters, np.array([tau]))
        return cls(target, offsets, regions, offsets.at(0.0), origin)

    def score(self, delineations: Objects) -> dict[str, Array]:
        """The columns of :func:`score_columns` of (n,) valid polygons against the target."""
        n, row = len(delineations), np.zeros(1, dtype=np.int64)
        every, target = np.arange(n), np.zeros(n, dtype=np.int64)
        table = _empty_table(1, target, every, shapely.area(delineations))
        _tabulate_targets(table, row, self.offsets, self.regions)
        _share(
            table,
            row,
            self.offsets,
            self.regions,
            self.itself,
            every,
            target,
            delineations,
            self.origin,
        )
        return score_columns(table)
