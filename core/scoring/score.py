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
from randcrowns.core.crs import check_same_crs, common_crs_code, polygons_and_crs
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import (
    AREA_ROUNDING,
    PairedEdges,
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
    crs_code = common_crs_code([targets, delineations])
    target_polygons, target_crs = polygons_and_crs(
        targets, "targets", reproject=True, code=crs_code
    )
    drawn_polygons, drawn_crs = polygons_and_crs(
        delineations, "delineations", reproject=True, code=crs_code
    )
    check_same_crs([target_crs, drawn_crs])
    target_array = polygon_array(target_polygons, "targets")
    drawn_array = polygon_array(drawn_polygons, "delineations")
    if len(target_array) != len(drawn_array):
        text = (
            "Pairs need as many targets as delineations, "
            "but there are {targets} and {delineations}."
        )
        raise InputError(
            "scoring.different_counts",
            text,
            targets=len(target_array),
            delineations=len(drawn_array),
        )

    is_usable = ~(_has_no_geometry(target_array) | _has_no_geometry(drawn_array))
    usable_rows = np.flatnonzero(is_usable)
    # A polygon that stands in several rows is offset once.
    distinct_targets, target_rows = distinct_objects(target_array[usable_rows])
    distinct_drawn, drawn_rows = distinct_objects(drawn_array[usable_rows])
    table = compute_offset_table(
        distinct_targets,
        distinct_drawn,
        target_rows,
        drawn_rows,
        parameters,
        extent=extent_polygon(extent),
        progress=progress,
    )
    usable_scores = scores_to_table(table).set_axis(usable_rows)
    scores = usable_scores.reindex(range(len(is_usable)))
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

    Args:
        columns: arrays of n values by the name of the column.

    Returns:
        The table with n rows. A change of an array changes the table.

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
    target_rows = table.target
    certain = table.certain_area[target_rows]
    tolerated = table.tolerated_area[target_rows]
    ring = table.edge_area[target_rows] - tolerated
    a = table.certain_shared**2
    b = np.maximum(ring - (table.edge_shared - table.tolerated_shared), 0.0) ** 2
    c = np.maximum(table.delineation_area - table.tolerated_shared, 0.0) ** 2
    d = np.maximum(certain - table.certain_shared, 0.0) ** 2

    is_too_small = certain == 0
    is_missed = find_missed(certain, table.certain_shared)
    with np.errstate(invalid="ignore", divide="ignore"):
        randcrowns = np.where(is_missed, 0.0, (a + b) / (a + b + c + d))
        iou_crowns = np.where(is_missed, 0.0, a / (a + c + d))
        iou = compute_iou(table.shared, table.delineation_area, table.area[target_rows])
    randcrowns[is_too_small] = np.nan
    iou_crowns[is_too_small] = np.nan

    status = np.full(len(target_rows), Status.SCORED.value, dtype=object)
    status[table.is_limited[target_rows]] = Status.EXTENT_LIMITED.value
    status[is_missed] = Status.MISSED.value
    status[is_too_small] = Status.TARGET_TOO_SMALL.value
    columns = [randcrowns, iou, iou_crowns, a, b, c, d, table.tau[target_rows], status]
    return dict(zip(SCORE_COLUMNS, columns))


def find_missed(certain_area: Floats, certain_shared: Floats) -> Bools:
    """Return which pairs are missed: the target is large enough, but a = 0.

    This is the only definition of a missed pair. Its delineation shares no area with the true
    positive region T(-alpha) of its target, so that its RandCrowns is 0. A target without a
    delineation has no pair and is unmatched, see :class:`randcrowns.core.status.Status`.

    Args:
        certain_area: areas of T(-alpha), m²; 0 for targets that are too small.
        certain_shared: areas of T(-alpha) that the delineations cover, m²; broadcast with
            ``certain_area``.

    >>> find_missed(np.array([0.0, 9.0, 9.0]), np.array([0.0, 0.0, 4.0])).tolist()
    [False, True, False]
    """
    is_missed: Bools = (certain_area > 0) & (certain_shared <= 0)
    return is_missed


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
        target=no_pairs,
        delineation=no_pairs,
        parameters=parameters,
        extent=extent_polygon(extent),
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
    used_delineations = delineations[is_used]
    row_among_used = np.cumsum(is_used) - 1
    used_rows = row_among_used[delineation]
    table = _zero_table(
        n_targets=n_targets,
        target=target,
        delineation=used_rows,
        delineation_area=shapely.area(used_delineations)[used_rows],
        with_regions=with_regions,
    )
    if n_targets == 0:
        return table
    tasks = _divide_into_tasks(table, targets, used_delineations, parameters, extent)
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
    """Return an offset table to be filled in; areas and tau are 0, regions are empty.

    Args:
        n_targets: number of targets T.
        target: (P,) index of each pair's target.
        delineation: (P,) index of each pair's delineation.
        delineation_area: (P,) area of each pair's delineation, m².
        with_regions: True for a table with regions.
    """
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


class _TaskContext(NamedTuple):
    """Data that all tasks of an offset table use."""

    #: Table to fill in.
    table: OffsetTable
    #: (D,) polygons that ``table.delineation`` refers to, metres.
    delineations: Objects
    #: (2,) point that is (0, 0) in the offsets, metres.
    origin: Floats
    #: Alpha, omega, gamma and the kind of offsets.
    parameters: RandCrownsParameters


class _Task(NamedTuple):
    """Part of the work on an offset table, which fills in rows of its own."""

    #: Relative duration.
    load: int
    #: Function that does the work.
    work: Callable[[], None]


def _run_task(task: _Task) -> None:
    """Do the work of a task, which fills in rows of the offset table."""
    task.work()


def _divide_into_tasks(
    table: OffsetTable,
    targets: Objects,
    delineations: Objects,
    parameters: RandCrownsParameters,
    extent: Any,
) -> list[_Task]:
    """Divide the work on a table into tasks that fit into the processor's cache.

    Args:
        table: table to fill in; the areas of rectangular targets are filled in at once.
        targets: (T,) polygons, metres.
        delineations: polygons that ``table.delineation`` refers to.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: polygon or None.
    """
    origin = bounds_centre(targets)
    context = _TaskContext(table, delineations, origin, parameters)
    split = split_by_offsets(targets, parameters, extent, origin)

    tasks: list[_Task] = []
    is_box_pair = np.zeros(len(table.target), dtype=bool)
    for target_rows, offsets in split:
        if isinstance(offsets, BoxOffsets):
            is_target_box = np.zeros(len(targets), dtype=bool)
            is_target_box[target_rows] = True
            is_drawn_box = is_box(delineations)
            is_box_pair = is_target_box[table.target] & is_drawn_box[table.delineation]
            tasks += _region_tasks(context, target_rows, offsets)
            tasks += _box_tasks(context, np.flatnonzero(is_box_pair), target_rows, offsets)

    other_pairs = np.flatnonzero(~is_box_pair)
    by_target = np.argsort(table.target[other_pairs], kind="stable")
    for target_rows, offsets in split:
        n_vertices = shapely.get_num_coordinates(targets[target_rows])
        tasks += _polygon_tasks(context, other_pairs[by_target], target_rows, offsets, n_vertices)
    return tasks


def _box_tasks(
    context: _TaskContext, pairs: Ints, target_rows: Ints, offsets: BoxOffsets
) -> list[_Task]:
    """Return the tasks that fill in O(r) of pairs of rectangles.

    Args:
        context: table, delineations and parameters.
        pairs: rows of the pairs in the table.
        target_rows: (n,) rows of the rectangular targets in the table.
        offsets: offsets of the n targets.
    """
    drawn_bounds = shapely.bounds(context.delineations) - np.tile(context.origin, 2)
    offsets_row = np.full(len(context.table.area), -1)
    offsets_row[target_rows] = np.arange(len(target_rows))
    tasks = []
    for pair_rows in split_array(pairs, _BOX_PAIRS):
        work = partial(_share_boxes, context, pair_rows, offsets_row, offsets, drawn_bounds)
        tasks.append(_Task(load=len(pair_rows) // _BOX_PAIRS_PER_LOAD + 1, work=work))
    return tasks


def _polygon_tasks(
    context: _TaskContext, pairs: Ints, target_rows: Ints, offsets: Offsets, n_vertices: Ints
) -> list[_Task]:
    """Return the tasks that fill in targets and their pairs, of any shapes.

    Args:
        context: table, delineations and parameters.
        pairs: rows of the pairs in the table, sorted by target.
        target_rows: (n,) rows of the targets in the table.
        offsets: offsets of the n targets.
        n_vertices: (n,) numbers of vertices of the targets.
    """
    # The pairs of target i are pairs[starts[i] : ends[i]].
    sorted_targets = context.table.target[pairs]
    starts = np.searchsorted(sorted_targets, target_rows, "left")
    ends = np.searchsorted(sorted_targets, target_rows, "right")
    n_pairs = ends - starts
    if isinstance(offsets, BoxOffsets):
        # Rectangles without other pairs are done: their areas are in the table.
        included = np.flatnonzero(n_pairs)
    else:
        included = np.arange(len(target_rows))

    costs = (n_pairs + _PAIRS_PER_TARGET) * (n_vertices + _VERTICES_PER_PAIR)
    cumulated_costs = np.cumsum(costs[included])
    tasks = []
    for part in even_slices(cumulated_costs, _TASK_COST):
        rows = included[part]
        work = partial(
            _share_polygons,
            context,
            target_rows=target_rows[rows],
            offsets=offsets.take(rows),
            pairs_of_targets=[pairs[starts[row] : ends[row]] for row in rows],
        )
        tasks.append(_Task(load=len(rows), work=work))
    return tasks


def _region_tasks(context: _TaskContext, target_rows: Ints, offsets: BoxOffsets) -> list[_Task]:
    """Fill in the areas of rectangles; return the tasks that store their regions as polygons.

    The areas take so little time that they need no task.

    Args:
        context: table and parameters.
        target_rows: (n,) rows of the rectangular targets in the table.
        offsets: offsets of the n targets.
    """
    table = context.table
    regions = solve_regions(offsets, context.parameters)
    _store_areas(table, target_rows, offsets, regions)
    if table.regions is None:
        return []
    tasks = []
    for part in split_range(len(target_rows), _BOX_REGIONS):
        work = partial(
            _store_regions,
            table.regions,
            target_rows[part],
            offsets.take(part),
            regions.take(part),
            context.origin,
        )
        tasks.append(_Task(load=_BOX_REGIONS_LOAD, work=work))
    return tasks


def _store_areas(
    table: OffsetTable, target_rows: Ints, offsets: Offsets, regions: OffsetRegions
) -> Array:
    """Fill in the areas of targets.

    Args:
        table: table to fill in.
        target_rows: (n,) rows of the targets in the table.
        offsets: offsets of the n targets.
        regions: their regions.

    Returns:
        The shapes of T(0), that is, of the targets clipped to the extent.
    """
    unmoved = offsets.shapes_at(0.0)
    table.area[target_rows] = offsets.area(unmoved)
    table.certain_area[target_rows] = regions.certain_area
    table.tolerated_area[target_rows] = regions.tolerated_area
    table.edge_area[target_rows] = regions.edge_area
    table.tau[target_rows] = regions.tau
    table.is_limited[target_rows] = regions.is_limited
    return unmoved


def _empty_regions(n: int) -> TargetRegions:
    """Return the regions of n targets without geometry."""
    R_a, R_o, R_e, R_b = np.full((4, n), shapely.Polygon(), dtype=object)
    status = np.full(n, Status.NO_GEOMETRY.value, dtype=object)
    return TargetRegions(R_a=R_a, R_o=R_o, R_e=R_e, R_b=R_b, tau=np.full(n, np.nan), status=status)


def _store_regions(
    stored: TargetRegions,
    target_rows: Ints,
    offsets: Offsets,
    regions: OffsetRegions,
    origin: Floats,
) -> None:
    """Fill in the regions of the targets in ``target_rows`` of ``stored`` as polygons.

    Args:
        stored: regions to fill in.
        target_rows: (n,) rows of the targets.
        offsets: offsets of the n targets.
        regions: their regions.
        origin: (2,) point that is (0, 0) in the offsets.
    """
    stored.R_a[target_rows] = translate_to_origin(offsets.polygons(regions.certain), -origin)
    stored.R_o[target_rows] = translate_to_origin(offsets.polygons(regions.tolerated), -origin)
    stored.R_e[target_rows] = translate_to_origin(offsets.polygons(regions.edge), -origin)
    is_too_small = np.isnan(regions.tau)
    stored.R_a[target_rows[is_too_small]] = shapely.Polygon()
    stored.R_b[target_rows] = shapely.difference(stored.R_e[target_rows], stored.R_o[target_rows])
    stored.tau[target_rows] = regions.tau
    status = np.where(regions.is_limited, Status.EXTENT_LIMITED.value, Status.SCORED.value)
    stored.status[target_rows] = status
    stored.status[target_rows[is_too_small]] = Status.TARGET_TOO_SMALL.value


def _share_boxes(
    context: _TaskContext,
    pairs: Ints,
    offsets_row: Ints,
    offsets: BoxOffsets,
    all_drawn_bounds: Floats,
) -> None:
    """Write O(r) of pairs of rectangles, the area that D shares with T(r), to the offset table.

    T(r) is the target offset by r, and D the delineation. If D overhangs T by p on the right and by
    q on the left (negative where it falls short), the width that it shares with T(r) is the width
    of T plus min(r, p) + min(r, q).

    Args:
        context: table to write to, alpha and omega.
        pairs: (n,) rows of the pairs.
        offsets_row: (T,) row of each target in ``offsets``.
        offsets: offsets of the rectangular targets.
        all_drawn_bounds: (D, 4) bounds of the delineations, metres, relative to the origin of the
            offsets.
    """
    table = context.table
    parameters = context.parameters
    target_rows = table.target[pairs]
    target_bounds = offsets.bounds.take(offsets_row[target_rows], axis=0)
    drawn_bounds = all_drawn_bounds.take(table.delineation[pairs], axis=0)
    if offsets.extent is not None:
        lower = np.maximum(drawn_bounds[:, :2], offsets.extent[:2])
        upper = np.minimum(drawn_bounds[:, 2:], offsets.extent[2:])
        drawn_bounds = np.hstack([lower, upper])
    widths = target_bounds[:, 2] - target_bounds[:, 0]
    heights = target_bounds[:, 3] - target_bounds[:, 1]
    # (n,) lengths by which each delineation overhangs its target on the four sides.
    beyond_left, beyond_bottom = (target_bounds[:, :2] - drawn_bounds[:, :2]).T
    beyond_right, beyond_top = (drawn_bounds[:, 2:] - target_bounds[:, 2:]).T

    def shared_area(distance: Floats | float) -> Floats:
        """Return the area (n,) that each delineation shares with T(distance)."""
        beyond_width = np.minimum(beyond_right, distance) + np.minimum(beyond_left, distance)
        beyond_height = np.minimum(beyond_top, distance) + np.minimum(beyond_bottom, distance)
        shared_width = np.maximum(beyond_width + widths, 0.0)
        shared_height = np.maximum(beyond_height + heights, 0.0)
        return cast("Floats", shared_width * shared_height)

    # NaN, tau of targets that are too small, becomes 0.
    tau = np.nan_to_num(table.tau[target_rows])
    certain_shared = shared_area(-parameters.alpha)
    table.shared[pairs] = shared_area(0.0)
    table.certain_shared[pairs] = drop_contact_areas(certain_shared, widths * heights)
    table.tolerated_shared[pairs] = shared_area(parameters.omega)
    table.edge_shared[pairs] = shared_area(parameters.omega + tau)


class _TargetBatch(NamedTuple):
    """n targets of a table that are worked on together."""

    #: (n,) rows of the targets in the table.
    rows: Ints
    #: Offsets of the targets.
    offsets: Offsets
    #: Regions of the targets.
    regions: OffsetRegions
    #: Shapes of T(0).
    unmoved: Array
    #: (2,) point that is (0, 0) in the shapes.
    origin: Floats

    def all_bounds(self) -> Floats:
        """Return the bounds (n, 4) of T(0), T(omega) and T(omega + tau) together, metres."""
        shapes_of_regions = [self.unmoved, self.regions.tolerated, self.regions.edge]
        bounds = [shapely.bounds(self.offsets.polygons(shapes)) for shapes in shapes_of_regions]
        lower = np.fmin.reduce(bounds)[:, :2]
        upper = np.fmax.reduce(bounds)[:, 2:]
        return np.hstack([lower, upper])


def _share_polygons(
    context: _TaskContext, target_rows: Ints, offsets: Offsets, pairs_of_targets: list[Ints]
) -> None:
    """Fill in the areas and regions of targets, and O(r) of their pairs.

    Args:
        context: table to fill in, delineations and parameters.
        target_rows: (n,) rows of the targets.
        offsets: offsets of the n targets.
        pairs_of_targets: rows of each target's pairs.
    """
    table = context.table
    regions = solve_regions(offsets, context.parameters)
    unmoved = _store_areas(table, target_rows, offsets, regions)
    if table.regions is not None:
        _store_regions(table.regions, target_rows, offsets, regions, context.origin)
    pairs = np.concatenate(pairs_of_targets)
    # Position of each pair's target among the targets of this task.
    n_pairs_of_targets = [len(target_pairs) for target_pairs in pairs_of_targets]
    row_in_batch = np.repeat(np.arange(len(target_rows)), n_pairs_of_targets)
    batch = _TargetBatch(
        rows=target_rows, offsets=offsets, regions=regions, unmoved=unmoved, origin=context.origin
    )
    _share_pairs(table, batch, pairs, row_in_batch, context.delineations)


def _share_pairs(
    table: OffsetTable, batch: _TargetBatch, pairs: Ints, target_rows: Ints, delineations: Objects
) -> None:
    """Fill in O(r) of pairs of any shapes.

    O(-alpha) is 0 where O(0) is, and O(omega + tau) is the whole delineation where O(omega) is. In
    a batch of several targets, these areas are not computed.

    Args:
        table: table to fill in; the areas of its targets are filled in already.
        batch: the targets.
        pairs: (p,) rows of the pairs in the table.
        target_rows: (p,) row of each pair's target in the batch.
        delineations: polygons that ``table.delineation`` refers to.
    """
    if len(pairs) == 0:
        return
    regions = batch.regions
    edges = _DelineationEdges.extract(table, batch, pairs, target_rows, delineations)
    delineation_area = edges.delineation_area
    all_pairs = np.ones(len(pairs), dtype=bool)
    if len(batch.rows) == 1:  # computing all four together takes half the time
        shapes = (batch.unmoved, regions.tolerated, regions.certain, regions.edge)
        shared, tolerated, certain, edge = edges.shared_areas(all_pairs, *shapes)
        certain[shared == 0] = 0.0
        is_within = tolerated == delineation_area
    else:
        shared = edges.shared_areas(all_pairs, batch.unmoved)[0]
        tolerated = edges.shared_areas(all_pairs, regions.tolerated)[0]
        is_within = tolerated == delineation_area
        certain = edges.shared_areas(shared > 0, regions.certain)[0]
        edge = edges.shared_areas(~is_within, regions.edge)[0]

    target_area = batch.offsets.target_area()[target_rows]
    table.shared[pairs] = shared
    table.certain_shared[pairs] = drop_contact_areas(certain, target_area)
    table.tolerated_shared[pairs] = tolerated
    table.edge_shared[pairs] = np.where(is_within, delineation_area, edge)


class _DelineationEdges(NamedTuple):
    """Edges of the delineations of p pairs, to compute areas shared with their targets."""

    #: Offsets of the n targets of the batch.
    offsets: Offsets
    #: (p,) index of each pair's target in the batch.
    target: Ints
    #: Edges of the delineations, by pair.
    paired: PairedEdges
    #: (p,) area of each pair's whole delineation, m².
    delineation_area: Floats
    #: (p,) maximum rounding error of the areas, m².
    rounding: Floats

    @classmethod
    def extract(
        cls,
        table: OffsetTable,
        batch: _TargetBatch,
        pairs: Ints,
        target_rows: Ints,
        delineations: Objects,
    ) -> _DelineationEdges:
        """Extract the edges of the delineations of pairs.

        Args:
            table: table with the areas of the targets and delineations.
            batch: the targets.
            pairs: (p,) rows of the pairs in the table.
            target_rows: (p,) row of each pair's target in the batch.
            delineations: polygons that ``table.delineation`` refers to.

        Returns:
            The edges, by pair, with the rounding errors of the areas.
        """
        # A delineation of several pairs is read once.
        used_rows, delineation_rows = np.unique(table.delineation[pairs], return_inverse=True)
        edges = polygon_edges(delineations[used_rows], batch.origin)
        # Without bounds no edge is excluded. For a single target, finding the distant edges takes
        # longer than it saves.
        bounds = batch.all_bounds() if len(batch.rows) > 1 else None
        paired_edges = pair_edges(
            edges,
            n_polygons=len(used_rows),
            polygon=delineation_rows,
            target=target_rows,
            bounds=bounds,
        )
        delineation_area = table.delineation_area[pairs]
        target_area = table.area[batch.rows[target_rows]]
        return cls(
            offsets=batch.offsets,
            target=target_rows,
            paired=paired_edges,
            delineation_area=delineation_area,
            rounding=AREA_ROUNDING * (delineation_area + target_area),
        )

    def shared_areas(self, is_requested: Bools, *shapes: Array) -> Floats:
        """Return the area that each delineation shares with one or several shapes of its target.

        Args:
            is_requested: (p,) True for the pairs to compute; the others get 0.
            *shapes: each (n,) shapes of the targets, such as those of T(omega).

        Returns:
            (number of shapes, p) areas, m².
        """
        n_targets = len(self.offsets)
        n_shapes = len(shapes)
        target_rows = np.unique(self.target[is_requested])
        requested_shapes = np.concatenate([shape[target_rows] for shape in shapes])
        shape_edges = self.offsets.edges(requested_shapes)
        # Shape s of target t is the region number n_targets * s + t.
        region_numbers = np.add.outer(n_targets * np.arange(n_shapes), target_rows).ravel()
        region_edges = shape_edges._replace(polygon=region_numbers[shape_edges.polygon])

        pairs = self.paired if is_requested.all() else self.paired.select_pairs(is_requested)
        pair_copies = pairs.repeat_pairs(n_shapes, n_targets)
        region_areas = shared_areas(region_edges, pair_copies, n_targets * n_shapes)
        areas = region_areas.reshape(n_shapes, -1)
        # Areas within the rounding error of all or nothing are all or nothing.
        is_nothing = areas <= self.rounding
        is_whole = areas >= self.delineation_area - self.rounding
        return np.select([is_nothing, is_whole], [0.0, self.delineation_area], default=areas)


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
    ) -> Any:
        """Make the offsets of a target.

        Args:
            target: valid polygon, metres.
            parameters: alpha, omega, gamma and the kind of offsets.
            extent: polygon that every offset is clipped to, or None.

        Returns:
            The target with its offsets.
        """
        targets = np.array([target], dtype=object)
        origin = bounds_centre(targets)
        # A single target has offsets of one kind.
        _, offsets = split_by_offsets(targets, parameters, extent, origin)[0]
        regions = solve_regions(offsets, parameters)
        return cls(
            target=target,
            offsets=offsets,
            regions=regions,
            unmoved=offsets.shapes_at(0.0),
            origin=origin,
        )

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
        target_rows = np.zeros(n, dtype=np.int64)
        table = _zero_table(1, target_rows, pairs, shapely.area(delineations))
        _store_areas(table, first_row, self.offsets, self.regions)
        batch = _TargetBatch(
            rows=first_row,
            offsets=self.offsets,
            regions=self.regions,
            unmoved=self.unmoved,
            origin=self.origin,
        )
        _share_pairs(table, batch, pairs, target_rows, delineations)
        return compute_scores(table)
