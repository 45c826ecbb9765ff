"""RandCrowns, IoU and IoUCrowns of pairs of crowns.

The scores are those of Stewart et al. 2021, "RandCrowns: A Quantitative Metric for Imprecisely
Labeled Tree Crown Delineation", Eq. 5-14 and Table II. T(r) is the target offset by the distance r,
A(r) is its area, and O(r) is the area of the delineation within T(r). All scores follow from A and
O at r = -alpha, 0, omega and omega + tau, which the offset table holds.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    split_array,
    split_range,
)
from randcrowns.core.crowns import extent_polygon, is_box, polygon_array
from randcrowns.core.crs import check_same_crs, polygons_and_crs
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import (
    AREA_ROUNDING,
    bounds_centre,
    pair_edges,
    polygon_edges,
    shared_areas,
    translate_to_origin,
)
from randcrowns.core.progress import Progress, even_slices, map_in_threads, no_progress
from randcrowns.core.scoring.offsets import (
    BoxOffsets,
    OffsetRegions,
    Offsets,
    drop_contact_areas,
    regions_at,
    solve_regions,
    split_by_offsets,
)
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.statistics import compute_iou
from randcrowns.core.status import Status
from randcrowns.core.validation import validate_arguments

#: Columns of a table of scores.
SCORE_COLUMNS = ["randcrowns", "iou", "iou_crowns", "a", "b", "c", "d", "tau", "status"]

#: Number of pairs of rectangles in a task: few enough for the processor's cache.
_BOX_PAIRS = 8192
#: Number of rectangles in a task that stores regions.
_BOX_REGIONS = 1024
#: Load of such a task, relative to that of a target with other offsets.
_BOX_REGIONS_LOAD = 16
#: Number of pairs of rectangles that take as long as a target with other offsets.
_BOX_PAIRS_PER_LOAD = 256
#: Cost model of tasks with other shapes: a target costs as much as _PAIRS_PER_TARGET pairs, and a
#: pair costs the number of its target's vertices plus _VERTICES_PER_PAIR. A task costs at most
#: _TASK_COST.
_TASK_COST = 1 << 19
_PAIRS_PER_TARGET = 8
_VERTICES_PER_PAIR = 64


@validate_arguments
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
        targets: (n,) shapely polygons or multipolygons, metres; None where there is none. The
            coordinate reference system of a GeoDataFrame or GeoSeries is checked.
        delineations: (n,) delineation scored against each target.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: polygon, or xmin, ymin, xmax, ymax; every offset of a target is clipped to it, as
            the paper clips to the image. Delineations are not clipped.
        progress: receives the fraction done.

    Returns:
        A row per pair: ``randcrowns``, ``iou``, ``iou_crowns`` (0 to 1; NaN where a score is
        undefined); ``a``, ``b``, ``c``, ``d``, the pairs of points of Eq. 10-13 (m⁴); ``tau`` (m);
        ``status`` (a :class:`randcrowns.core.status.Status` as text).

    Raises:
        InputError: if the arrays differ in length or contain anything but valid polygons.

    >>> square, half = shapely.box(0, 0, 5, 5), shapely.box(0, 0, 5, 2.5)
    >>> scores = score_pairs([square], [half], RandCrownsParameters(0.7, 1.2, 3))
    >>> scores["randcrowns"].round(3).tolist()
    [0.974]
    """
    target_polygons, target_crs = polygons_and_crs(targets, "targets")
    drawn_polygons, drawn_crs = polygons_and_crs(delineations, "delineations")
    check_same_crs([target_crs, drawn_crs])
    # A polygon that stands in several rows is offset once.
    target_shapes, target_row = distinct_objects(polygon_array(target_polygons, "targets"))
    drawn_shapes, drawn_row = distinct_objects(polygon_array(drawn_polygons, "delineations"))
    if len(target_row) != len(drawn_row):
        text = (
            "Pairs need as many targets as delineations, "
            "but there are {targets} and {delineations}."
        )
        raise InputError(text, targets=len(target_row), delineations=len(drawn_row))

    has_target = ~_has_no_geometry(target_shapes)
    has_delineation = ~_has_no_geometry(drawn_shapes)
    is_usable = has_target[target_row] & has_delineation[drawn_row]
    rows = np.flatnonzero(is_usable)
    used_targets, target = np.unique(target_row[rows], return_inverse=True)
    used_drawn, delineation = np.unique(drawn_row[rows], return_inverse=True)
    table = compute_offset_table(
        target_shapes[used_targets],
        drawn_shapes[used_drawn],
        target,
        delineation,
        parameters,
        extent_polygon(extent),
        progress,
    )
    scores = scores_to_table(table).set_axis(rows).reindex(range(len(is_usable)))
    scores["status"] = scores["status"].where(is_usable, Status.NO_GEOMETRY.value)
    return cast("pd.DataFrame", scores)


def scores_to_table(table: OffsetTable) -> pd.DataFrame:
    """Return the columns of :func:`compute_scores` as a table with a row per pair.

    >>> square = np.array([shapely.box(0, 0, 5, 5)])
    >>> first = np.array([0])
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> table = compute_offset_table(square, square, first, first, parameters)
    >>> scores_to_table(table)["iou"].tolist()
    [1.0]
    """
    return table_without_copy(compute_scores(table))


def table_without_copy(columns: Mapping[str, Any]) -> pd.DataFrame:
    """Return a table that shares its columns with the given arrays, which pandas would copy.

    >>> table_without_copy({"iou": np.array([0.5])})["iou"].tolist()
    [0.5]
    """
    return cast("pd.DataFrame", pd.DataFrame(columns, copy=False))


def compute_scores(table: OffsetTable) -> dict[str, Array]:
    """Compute the terms, the scores and the status of all pairs (Eq. 10-14).

    With A and O as in the module's description::

        a = O(-alpha)²
        b = ((A(omega + tau) - A(omega)) - (O(omega + tau) - O(omega)))²
        c = (area of the delineation - O(omega))²
        d = (A(-alpha) - O(-alpha))²
        RandCrowns = (a + b) / (a + b + c + d)
        IoUCrowns = a / (a + c + d)

    A delineation that misses the true positive region scores 0 (Fig. 3). A target whose true
    positive region is empty cannot be scored: NaN.

    Args:
        table: areas of P pairs.

    Returns:
        (P,) arrays by the names of :data:`SCORE_COLUMNS`; see :func:`score_pairs`.

    >>> square = np.array([shapely.box(0, 0, 5, 5)])
    >>> first = np.array([0])
    >>> table = compute_offset_table(square, square, first, first, RandCrownsParameters(1, 1, 3))
    >>> compute_scores(table)["a"].tolist()
    [81.0]
    """
    target = table.target
    certain, tolerated = table.certain_area[target], table.tolerated_area[target]
    ring = table.edge_area[target] - tolerated
    a = table.certain_shared**2
    b = np.maximum(ring - (table.edge_shared - table.tolerated_shared), 0.0) ** 2
    c = np.maximum(table.delineation_area - table.tolerated_shared, 0.0) ** 2
    d = np.maximum(certain - table.certain_shared, 0.0) ** 2

    is_too_small = certain == 0
    is_missed = ~is_too_small & (a == 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        randcrowns = np.where(is_missed, 0.0, (a + b) / (a + b + c + d))
        iou_crowns = np.where(is_missed, 0.0, a / (a + c + d))
        iou = compute_iou(table.shared, table.delineation_area, table.area[target])
    randcrowns[is_too_small] = np.nan
    iou_crowns[is_too_small] = np.nan

    status = np.full(len(target), Status.SCORED.value, dtype=object)
    status[table.is_limited[target]] = Status.EXTENT_LIMITED.value
    status[is_missed] = Status.MISSED.value
    status[is_too_small] = Status.TARGET_TOO_SMALL.value
    columns = [randcrowns, iou, iou_crowns, a, b, c, d, table.tau[target], status]
    return dict(zip(SCORE_COLUMNS, columns))


class TargetRegions(NamedTuple):
    """Regions of n targets as polygons, which are empty where a region is."""

    #: (n,) true positive regions, T(-alpha) (Eq. 5).
    R_a: Objects
    #: (n,) outer regions as filled areas, T(omega) (Eq. 6).
    R_o: Objects
    #: (n,) T(omega + tau) (Eq. 9).
    R_e: Objects
    #: (n,) true negative regions without a delineation, R_e minus R_o.
    R_b: Objects
    #: (n,) tau, metres; NaN where the target is too small.
    tau: Floats
    #: (n,) values of :class:`randcrowns.core.status.Status`: scored (the regions meet the
    #: parameters), extent_limited, target_too_small or no_geometry.
    status: Objects


@validate_arguments
def target_regions(
    targets: ArrayLike,
    parameters: RandCrownsParameters,
    extent: Any = None,
    *,
    progress: Progress = no_progress,
) -> TargetRegions:
    """Return the regions of targets as polygons.

    Args:
        targets: (n,) shapely polygons or multipolygons, metres; None where there is none.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: polygon, or xmin, ymin, xmax, ymax, that every region is clipped to.
        progress: receives the fraction done.

    Returns:
        The regions of the n targets.

    Raises:
        InputError: if the array contains anything but valid polygons.

    >>> regions = target_regions([shapely.box(0, 0, 5, 5)], RandCrownsParameters(0.7, 1.2, 3))
    >>> regions.tau.round(3).tolist()
    [1.138]
    """
    shapes = polygon_array(polygons_and_crs(targets, "targets")[0], "targets")
    usable = np.flatnonzero(~_has_no_geometry(shapes))
    no_pairs = np.empty(0, dtype=np.int64)
    table = compute_offset_table(
        shapes[usable],
        np.empty(0, dtype=object),
        no_pairs,
        no_pairs,
        parameters,
        extent_polygon(extent),
        with_regions=True,
        progress=progress,
    )
    regions = _empty_regions(len(shapes))
    for values, usable_values in zip(regions, table.regions or ()):
        values[usable] = usable_values
    return regions


def _has_no_geometry(polygons: Objects) -> Bools:
    """Return a mask of the polygons that are None or empty."""
    return cast("Bools", shapely.is_missing(polygons) | shapely.is_empty(polygons))


@dataclass(frozen=True)
class OffsetTable:
    """A(r) of T targets and O(r) of P pairs, m²."""

    #: (P,) index of each pair's target.
    target: Ints
    #: (P,) index of each pair's delineation among the delineations that are in a pair.
    delineation: Ints
    #: (P,) area of the pair's whole delineation.
    delineation_area: Floats
    #: (T,) A(0).
    area: Floats
    #: (T,) A(-alpha).
    certain_area: Floats
    #: (T,) A(omega).
    tolerated_area: Floats
    #: (T,) A(omega + tau).
    edge_area: Floats
    #: (T,) tau, metres; NaN where A(-alpha) is 0.
    tau: Floats
    #: (T,) True where the extent leaves less area than gamma requires.
    is_limited: Bools
    #: (P,) O(0).
    shared: Floats
    #: (P,) O(-alpha).
    certain_shared: Floats
    #: (P,) O(omega).
    tolerated_shared: Floats
    #: (P,) O(omega + tau).
    edge_shared: Floats
    #: Regions of the T targets, or None if they are not requested.
    regions: TargetRegions | None = None


def compute_offset_table(
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
    """Compute A(r) of all targets and O(r) of all pairs, on all processors.

    The offsets of a target are made once, however many pairs it is in. It is therefore faster to
    pass the pairs of several layers of delineations together.

    Args:
        targets: (T,) valid polygons, metres.
        delineations: (D,) valid polygons, metres.
        target: (P,) index of each pair's target.
        delineation: (P,) index of each pair's delineation.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: polygon that every T(r) is clipped to, or None.
        progress: receives the fraction done.
        with_regions: also return the regions of the targets.

    Returns:
        The areas, with the pairs in the given order.

    >>> target, drawn = shapely.box(0, 0, 5, 5), shapely.box(0, 0, 5, 2)
    >>> first = np.array([0])
    >>> pair = (np.array([target]), np.array([drawn]), first, first)
    >>> compute_offset_table(*pair, RandCrownsParameters(0.7, 1.2, 3)).shared.tolist()
    [10.0]
    """
    n_targets = len(targets)
    is_used = np.zeros(len(delineations), dtype=bool)
    is_used[delineation] = True
    delineations = delineations[is_used]
    delineation = (np.cumsum(is_used) - 1)[delineation]
    delineation_area = shapely.area(delineations)[delineation]
    table = _zero_table(n_targets, target, delineation, delineation_area, with_regions)
    if n_targets == 0:
        return table
    tasks = _tasks(table, targets, delineations, parameters, extent)
    loads = [task.load for task in tasks]
    for _ in map_in_threads(_run_task, tasks, progress, loads):
        pass
    return table


def _zero_table(
    n_targets: int,
    target: Ints,
    delineation: Ints,
    delineation_area: Floats,
    with_regions: bool = False,
) -> OffsetTable:
    """Return an offset table to be filled in; areas and tau are 0, regions are empty."""
    n_pairs = len(target)
    return OffsetTable(
        target=target,
        delineation=delineation,
        delineation_area=delineation_area,
        area=np.zeros(n_targets),
        certain_area=np.zeros(n_targets),
        tolerated_area=np.zeros(n_targets),
        edge_area=np.zeros(n_targets),
        tau=np.zeros(n_targets),
        is_limited=np.zeros(n_targets, dtype=bool),
        shared=np.zeros(n_pairs),
        certain_shared=np.zeros(n_pairs),
        tolerated_shared=np.zeros(n_pairs),
        edge_shared=np.zeros(n_pairs),
        regions=_empty_regions(n_targets) if with_regions else None,
    )


class _Task(NamedTuple):
    """Part of the work on an offset table, which fills in rows of its own."""

    #: Relative duration.
    load: int
    #: Function that does the work.
    work: Callable[[], None]


def _run_task(task: _Task) -> None:
    task.work()


def _tasks(
    table: OffsetTable,
    targets: Objects,
    delineations: Objects,
    parameters: RandCrownsParameters,
    extent: Any,
) -> list[_Task]:
    """Divide the work on a table into tasks that fit into the processor's cache.

    Args:
        table: table to fill in.
        targets: (T,) polygons, metres.
        delineations: polygons that ``table.delineation`` refers to.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: polygon or None.
    """
    origin = bounds_centre(targets)
    split = split_by_offsets(targets, parameters, extent, origin)
    tasks: list[_Task] = []
    is_box_pair = np.zeros(len(table.target), dtype=bool)
    for rows, offsets in split:
        if isinstance(offsets, BoxOffsets):
            box_row = np.full(len(targets), -1)
            box_row[rows] = np.arange(len(rows))
            is_box_pair = (box_row[table.target] >= 0) & is_box(delineations)[table.delineation]
            tasks += _region_tasks(table, rows, offsets, parameters, origin)
            bounds = shapely.bounds(delineations) - np.tile(origin, 2)
            for pairs in split_array(np.flatnonzero(is_box_pair), _BOX_PAIRS):
                work = partial(_share_boxes, table, pairs, box_row, offsets, bounds, parameters)
                tasks.append(_Task(len(pairs) // _BOX_PAIRS_PER_LOAD + 1, work))

    pairs = np.flatnonzero(~is_box_pair)
    pairs = pairs[np.argsort(table.target[pairs], kind="stable")]
    sorted_target = table.target[pairs]
    for rows, offsets in split:
        first = np.searchsorted(sorted_target, rows, "left")
        last = np.searchsorted(sorted_target, rows, "right")
        if isinstance(offsets, BoxOffsets):
            # Rectangles without other pairs are done: their areas are in the table.
            is_paired = last > first
            rows, first, last = rows[is_paired], first[is_paired], last[is_paired]
            offsets = offsets.take(np.flatnonzero(is_paired))
        cost_per_pair = shapely.get_num_coordinates(targets[rows]) + _VERTICES_PER_PAIR
        cost = np.cumsum((last - first + _PAIRS_PER_TARGET) * cost_per_pair)
        for part in even_slices(cost, _TASK_COST):
            limits = zip(first[part].tolist(), last[part].tolist())
            work = partial(
                _share_polygons,
                table,
                rows[part],
                offsets.take(part),
                [pairs[start:end] for start, end in limits],
                delineations,
                origin,
                parameters,
            )
            tasks.append(_Task(part.stop - part.start, work))
    return tasks


def _region_tasks(
    table: OffsetTable,
    rows: Ints,
    offsets: BoxOffsets,
    parameters: RandCrownsParameters,
    origin: Floats,
) -> list[_Task]:
    """Fill in the areas of rectangles; return the tasks that store their regions as polygons.

    The areas take so little time that they need no task.
    """
    regions = solve_regions(offsets, parameters)
    _store_areas(table, rows, offsets, regions)
    if table.regions is None:
        return []
    tasks = []
    for part in split_range(len(rows), _BOX_REGIONS):
        work = partial(
            _store_regions,
            table.regions,
            rows[part],
            offsets.take(part),
            regions.take(part),
            origin,
        )
        tasks.append(_Task(_BOX_REGIONS_LOAD, work))
    return tasks


def _store_areas(table: OffsetTable, rows: Ints, offsets: Offsets, regions: OffsetRegions) -> Array:
    """Fill in the areas of the targets in ``rows`` of the table; return the shapes of T(0)."""
    itself = offsets.shapes_at(0.0)
    table.area[rows] = offsets.area(itself)
    table.certain_area[rows] = regions.certain_area
    table.tolerated_area[rows] = regions.tolerated_area
    table.edge_area[rows] = regions.edge_area
    table.tau[rows] = regions.tau
    table.is_limited[rows] = regions.is_limited
    return itself


def _empty_regions(n: int) -> TargetRegions:
    """Return the regions of n targets without geometry."""
    R_a, R_o, R_e, R_b = np.full((4, n), shapely.Polygon(), dtype=object)
    status = np.full(n, Status.NO_GEOMETRY.value, dtype=object)
    return TargetRegions(R_a, R_o, R_e, R_b, np.full(n, np.nan), status)


def _store_regions(
    stored: TargetRegions, rows: Ints, offsets: Offsets, regions: OffsetRegions, origin: Floats
) -> None:
    """Fill in the regions of the targets in ``rows`` of ``stored`` as polygons.

    Args:
        stored: regions to fill in.
        rows: (n,) rows of the targets.
        offsets: offsets of the n targets.
        regions: their regions.
        origin: (2,) point that is (0, 0) in the offsets.
    """
    stored.R_a[rows] = translate_to_origin(offsets.polygons(regions.certain), -origin)
    stored.R_o[rows] = translate_to_origin(offsets.polygons(regions.tolerated), -origin)
    stored.R_e[rows] = translate_to_origin(offsets.polygons(regions.edge), -origin)
    is_too_small = np.isnan(regions.tau)
    stored.R_a[rows[is_too_small]] = shapely.Polygon()
    stored.R_b[rows] = shapely.difference(stored.R_e[rows], stored.R_o[rows])
    stored.tau[rows] = regions.tau
    status = np.where(regions.is_limited, Status.EXTENT_LIMITED.value, Status.SCORED.value)
    stored.status[rows] = status
    stored.status[rows[is_too_small]] = Status.TARGET_TOO_SMALL.value


def _share_boxes(
    table: OffsetTable,
    pairs: Ints,
    box_row: Ints,
    offsets: BoxOffsets,
    bounds: Floats,
    parameters: RandCrownsParameters,
) -> None:
    """Fill in O(r) of pairs of rectangles.

    If the delineation D overhangs the target T by p on the right and by q on the left (negative
    where it falls short), the width that it shares with T(r) is the width of T plus
    min(r, p) + min(r, q).

    Args:
        table: table to fill in.
        pairs: rows of the pairs.
        box_row: (T,) row of each target in ``offsets``.
        offsets: offsets of the rectangular targets.
        bounds: (D, 4) bounds of the delineations, metres, relative to the origin of the offsets.
        parameters: alpha and omega.
    """
    target = table.target[pairs]
    left, bottom, right, top = offsets.bounds.take(box_row[target], axis=0).T
    drawn = bounds.take(table.delineation[pairs], axis=0)
    if offsets.extent is not None:
        lower = np.maximum(drawn[:, :2], offsets.extent[:2])
        upper = np.minimum(drawn[:, 2:], offsets.extent[2:])
        drawn = np.hstack([lower, upper])
    width, height = right - left, top - bottom
    beyond_right, beyond_left = drawn[:, 2] - right, left - drawn[:, 0]
    beyond_top, beyond_bottom = drawn[:, 3] - top, bottom - drawn[:, 1]

    def share(distance: Floats | float) -> Floats:
        """Return the area (n,) that each delineation shares with T(distance)."""
        shared_width = np.minimum(beyond_right, distance)
        shared_width += np.minimum(beyond_left, distance)
        shared_width += width
        shared_height = np.minimum(beyond_top, distance)
        shared_height += np.minimum(beyond_bottom, distance)
        shared_height += height
        np.maximum(shared_width, 0.0, out=shared_width)
        np.maximum(shared_height, 0.0, out=shared_height)
        shared_width *= shared_height
        return shared_width

    tau = np.nan_to_num(table.tau[target])
    table.shared[pairs] = share(0.0)
    table.certain_shared[pairs] = drop_contact_areas(share(-parameters.alpha), width * height)
    table.tolerated_shared[pairs] = share(parameters.omega)
    table.edge_shared[pairs] = share(parameters.omega + tau)


class _Batch(NamedTuple):
    """n targets of a table that are worked on together."""

    #: (n,) rows of the targets in the table.
    rows: Ints
    #: Offsets of the targets.
    offsets: Offsets
    #: Regions of the targets.
    regions: OffsetRegions
    #: Shapes of T(0).
    itself: Array
    #: (2,) point that is (0, 0) in the shapes.
    origin: Floats


def _share_polygons(
    table: OffsetTable,
    rows: Ints,
    offsets: Offsets,
    pairs_of_rows: list[Ints],
    delineations: Objects,
    origin: Floats,
    parameters: RandCrownsParameters,
) -> None:
    """Fill in the areas and regions of targets, and O(r) of their pairs.

    Args:
        table: table to fill in.
        rows: (n,) rows of the targets.
        offsets: offsets of the n targets.
        pairs_of_rows: rows of each target's pairs.
        delineations: polygons that ``table.delineation`` refers to.
        origin: (2,) point that is (0, 0) in the offsets.
        parameters: alpha, omega and gamma.
    """
    regions = solve_regions(offsets, parameters)
    itself = _store_areas(table, rows, offsets, regions)
    if table.regions is not None:
        _store_regions(table.regions, rows, offsets, regions, origin)
    pairs = np.concatenate(pairs_of_rows)
    target = np.repeat(np.arange(len(rows)), [len(own_pairs) for own_pairs in pairs_of_rows])
    batch = _Batch(rows, offsets, regions, itself, origin)
    _share_pairs(table, batch, pairs, target, delineations)


def _share_pairs(
    table: OffsetTable, batch: _Batch, pairs: Ints, target: Ints, delineations: Objects
) -> None:
    """Fill in O(r) of pairs of any shapes.

    O(-alpha) is 0 where O(0) is, and O(omega + tau) is the whole delineation where O(omega) is. In
    a batch of several targets, these areas are not computed.

    Args:
        table: table to fill in; the areas of its targets are filled in already.
        batch: the targets.
        pairs: (p,) rows of the pairs.
        target: (p,) index of each pair's target in the batch.
        delineations: polygons that ``table.delineation`` refers to.
    """
    if len(pairs) == 0:
        return
    offsets, regions, itself = batch.offsets, batch.regions, batch.itself
    n_targets = len(offsets)
    drawn, polygon = np.unique(table.delineation[pairs], return_inverse=True)
    bounds = None
    if n_targets > 1:  # excluding distant edges takes longer than it saves for a single target
        shape_bounds = [
            shapely.bounds(offsets.polygons(shapes))
            for shapes in (itself, regions.tolerated, regions.edge)
        ]
        lower, upper = np.fmin.reduce(shape_bounds)[:, :2], np.fmax.reduce(shape_bounds)[:, 2:]
        bounds = np.hstack([lower, upper])
    drawn_edges = polygon_edges(delineations[drawn], batch.origin)
    paired = pair_edges(drawn_edges, len(drawn), polygon, target, bounds)
    whole = table.delineation_area[pairs]
    rounding = AREA_ROUNDING * (whole + table.area[batch.rows][target])

    def share(is_wanted: Bools, *shapes: Array) -> Floats:
        """Return the area that each delineation shares with several shapes of its target.

        Args:
            is_wanted: (p,) pairs to compute; the others get 0.
            shapes: each (n_targets,) shapes.

        Returns:
            (number of shapes, p) areas.
        """
        wanted = np.unique(target[is_wanted])
        edges = offsets.edges(np.concatenate([shape[wanted] for shape in shapes]))
        owner = np.add.outer(n_targets * np.arange(len(shapes)), wanted).ravel()
        edges = edges._replace(polygon=owner[edges.polygon])
        wanted_pairs = paired if is_wanted.all() else paired.select_pairs(is_wanted)
        copies = wanted_pairs.repeat_pairs(len(shapes), n_targets)
        area = shared_areas(edges, copies, n_targets * len(shapes)).reshape(len(shapes), -1)
        rounded = np.where(area >= whole - rounding, whole, area)
        return np.where(area <= rounding, 0.0, rounded)

    is_any = np.ones(len(pairs), dtype=bool)
    if n_targets == 1:  # computing all four together takes half the time
        shapes = (itself, regions.tolerated, regions.certain, regions.edge)
        shared, tolerated, certain, edge = share(is_any, *shapes)
        certain[shared == 0] = 0.0
        is_inside = tolerated == whole
    else:
        (shared,) = share(is_any, itself)
        (tolerated,) = share(is_any, regions.tolerated)
        is_inside = tolerated == whole
        (certain,) = share(shared > 0, regions.certain)
        (edge,) = share(~is_inside, regions.edge)
    table.shared[pairs] = shared
    table.certain_shared[pairs] = drop_contact_areas(certain, offsets.target_area()[target])
    table.tolerated_shared[pairs] = tolerated
    table.edge_shared[pairs] = np.where(is_inside, whole, edge)


class PreparedTarget(NamedTuple):
    """A target with its offsets, so that delineations can be scored against it repeatedly.

    >>> square = shapely.box(0, 0, 5, 5)
    >>> target = PreparedTarget.prepare(square, RandCrownsParameters(0.7, 1.2, 3))
    >>> target.score(np.array([square]))["randcrowns"].tolist()
    [1.0]
    """

    #: Polygon of the target.
    target: Any
    #: Its offsets; a point near the target is moved to (0, 0).
    offsets: Offsets
    #: Its regions.
    regions: OffsetRegions
    #: Shape of T(0), in an array of length 1.
    unmoved: Array
    #: (2,) point that is (0, 0) in the offsets, metres.
    origin: Floats

    @classmethod
    def prepare(
        cls,
        target: Any,
        parameters: RandCrownsParameters,
        extent: Any = None,
        tau: Any = None,
        start_tau: float = np.nan,
    ) -> Any:
        """Make the offsets of a target.

        Args:
            target: valid polygon, metres.
            parameters: alpha, omega, gamma and the kind of offsets.
            extent: polygon that every offset is clipped to, or None.
            tau: tau of the target, metres, if it is known; NaN if the target is too small; None to
                solve it.
            start_tau: tau to begin with, metres; NaN if there is none.

        Returns:
            The target with its offsets.
        """
        targets = np.array([target], dtype=object)
        origin = bounds_centre(targets)
        ((_, offsets),) = split_by_offsets(targets, parameters, extent, origin)
        if tau is None:
            regions = solve_regions(offsets, parameters, start_tau)
        else:
            regions = regions_at(offsets, parameters, np.array([tau]))
        return cls(target, offsets, regions, offsets.shapes_at(0.0), origin)

    def score(self, delineations: Objects) -> dict[str, Array]:
        """Score delineations against the target.

        Args:
            delineations: (n,) valid polygons, metres.

        Returns:
            (n,) arrays by column, as of :func:`compute_scores`.
        """
        n = len(delineations)
        first_row = np.zeros(1, dtype=np.int64)
        pairs = np.arange(n)
        target = np.zeros(n, dtype=np.int64)
        table = _zero_table(1, target, pairs, shapely.area(delineations))
        _store_areas(table, first_row, self.offsets, self.regions)
        batch = _Batch(first_row, self.offsets, self.regions, self.unmoved, self.origin)
        _share_pairs(table, batch, pairs, target, delineations)
        return compute_scores(table)
