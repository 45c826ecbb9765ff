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
    code = common_crs_code([targets, delineations])
    target_polygons, target_crs = polygons_and_crs(targets, "targets", reproject=True, code=code)
    drawn_polygons, drawn_crs = polygons_and_crs(
        delineations, "delineations", reproject=True, code=code
    )
    check_same_crs([target_crs, drawn_crs])
    # A polygon that stands in several rows is offset once.
    target_shapes, target_row = distinct_objects(polygon_array(target_polygons, "targets"))
    drawn_shapes, drawn_row = distinct_objects(polygon_array(drawn_polygons, "delineations"))
    if len(target_row) != len(drawn_row):
        text = (
            "Pairs need as many targets as delineations, "
            "but there are {targets} and {delineations}."
        )
        raise InputError(
            "scoring.different_counts", text, targets=len(target_row), delineations=len(drawn_row)
        )

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
        extent=extent_polygon(extent),
        progress=progress,
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
    target = table.target
    certain = table.certain_area[target]
    tolerated = table.tolerated_area[target]
    ring = table.edge_area[target] - tolerated
    a = table.certain_shared**2
    b = np.maximum(ring - (table.edge_shared - table.tolerated_shared), 0.0) ** 2
    c = np.maximum(table.delineation_area - table.tolerated_shared, 0.0) ** 2
    d = np.maximum(certain - table.certain_shared, 0.0) ** 2

    is_too_small = certain == 0
    is_missed = find_missed(certain, table.certain_shared)
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
    delineations = delineations[is_used]
    delineation = (np.cumsum(is_used) - 1)[delineation]
    delineation_area = shapely.area(delineations)[delineation]
    table = _zero_table(n_targets, target, delineation, delineation_area, with_regions)
    if n_targets == 0:
        return table
    tasks = _divide_into_tasks(table, targets, delineations, parameters, extent)
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
    for rows, offsets in split:
        if isinstance(offsets, BoxOffsets):
            is_target_box = np.zeros(len(targets), dtype=bool)
            is_target_box[rows] = True
            is_box_pair = is_target_box[table.target] & is_box(delineations)[table.delineation]
            tasks += _region_tasks(context, rows, offsets)
            tasks += _box_tasks(context, np.flatnonzero(is_box_pair), rows, offsets)

    other_pairs = np.flatnonzero(~is_box_pair)
    other_pairs = other_pairs[np.argsort(table.target[other_pairs], kind="stable")]
    for rows, offsets in split:
        n_vertices = shapely.get_num_coordinates(targets[rows])
        tasks += _polygon_tasks(context, other_pairs, rows, offsets, n_vertices)
    return tasks


def _box_tasks(context: _TaskContext, pairs: Ints, rows: Ints, offsets: BoxOffsets) -> list[_Task]:
    """Return the tasks that fill in O(r) of pairs of rectangles.

    Args:
        context: table, delineations and parameters.
        pairs: rows of the pairs in the table.
        rows: (n,) rows of the rectangular targets in the table.
        offsets: offsets of the n targets.
    """
    bounds = shapely.bounds(context.delineations) - np.tile(context.origin, 2)
    offsets_row = np.full(len(context.table.area), -1)
    offsets_row[rows] = np.arange(len(rows))
    tasks = []
    for part in split_array(pairs, _BOX_PAIRS):
        work = partial(_share_boxes, context, part, offsets_row, offsets, bounds)
        tasks.append(_Task(len(part) // _BOX_PAIRS_PER_LOAD + 1, work))
    return tasks


def _polygon_tasks(
    context: _TaskContext, pairs: Ints, rows: Ints, offsets: Offsets, n_vertices: Ints
) -> list[_Task]:
    """Return the tasks that fill in targets and their pairs, of any shapes.

    Args:
        context: table, delineations and parameters.
        pairs: rows of the pairs in the table, sorted by target.
        rows: (n,) rows of the targets in the table.
        offsets: offsets of the n targets.
        n_vertices: (n,) numbers of vertices of the targets.
    """
    # The pairs of target i are pairs[first[i] : last[i]].
    sorted_target = context.table.target[pairs]
    first = np.searchsorted(sorted_target, rows, "left")
    last = np.searchsorted(sorted_target, rows, "right")
    if isinstance(offsets, BoxOffsets):
        # Rectangles without other pairs are done: their areas are in the table.
        paired = np.flatnonzero(last > first)
        rows = rows[paired]
        n_vertices = n_vertices[paired]
        offsets = offsets.take(paired)
        first = first[paired]
        last = last[paired]

    cost = (last - first + _PAIRS_PER_TARGET) * (n_vertices + _VERTICES_PER_PAIR)
    tasks = []
    for part in even_slices(np.cumsum(cost), _TASK_COST):
        limits = zip(first[part].tolist(), last[part].tolist())
        pairs_of_rows = [pairs[start:end] for start, end in limits]
        work = partial(_share_polygons, context, rows[part], offsets.take(part), pairs_of_rows)
        tasks.append(_Task(part.stop - part.start, work))
    return tasks


def _region_tasks(context: _TaskContext, rows: Ints, offsets: BoxOffsets) -> list[_Task]:
    """Fill in the areas of rectangles; return the tasks that store their regions as polygons.

    The areas take so little time that they need no task.

    Args:
        context: table and parameters.
        rows: (n,) rows of the rectangular targets in the table.
        offsets: offsets of the n targets.
    """
    table = context.table
    regions = solve_regions(offsets, context.parameters)
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
            context.origin,
        )
        tasks.append(_Task(_BOX_REGIONS_LOAD, work))
    return tasks


def _store_areas(table: OffsetTable, rows: Ints, offsets: Offsets, regions: OffsetRegions) -> Array:
    """Fill in the areas of targets.

    Args:
        table: table to fill in.
        rows: (n,) rows of the targets in the table.
        offsets: offsets of the n targets.
        regions: their regions.

    Returns:
        The shapes of T(0), that is, of the targets clipped to the extent.
    """
    unmoved = offsets.shapes_at(0.0)
    table.area[rows] = offsets.area(unmoved)
    table.certain_area[rows] = regions.certain_area
    table.tolerated_area[rows] = regions.tolerated_area
    table.edge_area[rows] = regions.edge_area
    table.tau[rows] = regions.tau
    table.is_limited[rows] = regions.is_limited
    return unmoved


def _empty_regions(n: int) -> TargetRegions:
    """Return the regions of n targets without geometry."""
    R_a, R_o, R_e, R_b = np.full((4, n), shapely.Polygon(), dtype=object)
    status = np.full(n, Status.NO_GEOMETRY.value, dtype=object)
    return TargetRegions(R_a=R_a, R_o=R_o, R_e=R_e, R_b=R_b, tau=np.full(n, np.nan), status=status)


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
    context: _TaskContext, pairs: Ints, offsets_row: Ints, offsets: BoxOffsets, bounds: Floats
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
        bounds: (D, 4) bounds of the delineations, metres, relative to the origin of the offsets.
    """
    table = context.table
    parameters = context.parameters
    target = table.target[pairs]
    left, bottom, right, top = offsets.bounds.take(offsets_row[target], axis=0).T
    drawn = bounds.take(table.delineation[pairs], axis=0)
    if offsets.extent is not None:
        lower = np.maximum(drawn[:, :2], offsets.extent[:2])
        upper = np.minimum(drawn[:, 2:], offsets.extent[2:])
        drawn = np.hstack([lower, upper])
    drawn_left, drawn_bottom, drawn_right, drawn_top = drawn.T

    width = right - left
    height = top - bottom
    # Lengths by which each delineation overhangs its target on the four sides.
    beyond_right = drawn_right - right
    beyond_left = left - drawn_left
    beyond_top = drawn_top - top
    beyond_bottom = bottom - drawn_bottom

    def shared_area(distance: Floats | float) -> Floats:
        """Return the area (n,) that each delineation shares with T(distance)."""
        beyond_width = np.minimum(beyond_right, distance) + np.minimum(beyond_left, distance)
        beyond_height = np.minimum(beyond_top, distance) + np.minimum(beyond_bottom, distance)
        shared_width = np.maximum(beyond_width + width, 0.0)
        shared_height = np.maximum(beyond_height + height, 0.0)
        return cast("Floats", shared_width * shared_height)

    # NaN, tau of targets that are too small, becomes 0.
    tau = np.nan_to_num(table.tau[target])
    certain_shared = shared_area(-parameters.alpha)
    table.shared[pairs] = shared_area(0.0)
    table.certain_shared[pairs] = drop_contact_areas(certain_shared, width * height)
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
    context: _TaskContext, rows: Ints, offsets: Offsets, pairs_of_rows: list[Ints]
) -> None:
    """Fill in the areas and regions of targets, and O(r) of their pairs.

    Args:
        context: table to fill in, delineations and parameters.
        rows: (n,) rows of the targets.
        offsets: offsets of the n targets.
        pairs_of_rows: rows of each target's pairs.
    """
    table = context.table
    regions = solve_regions(offsets, context.parameters)
    unmoved = _store_areas(table, rows, offsets, regions)
    if table.regions is not None:
        _store_regions(table.regions, rows, offsets, regions, context.origin)
    pairs = np.concatenate(pairs_of_rows)
    target = np.repeat(np.arange(len(rows)), [len(own_pairs) for own_pairs in pairs_of_rows])
    batch = _TargetBatch(
        rows=rows, offsets=offsets, regions=regions, unmoved=unmoved, origin=context.origin
    )
    _share_pairs(table, batch, pairs, target, context.delineations)


def _share_pairs(
    table: OffsetTable, batch: _TargetBatch, pairs: Ints, target: Ints, delineations: Objects
) -> None:
    """Fill in O(r) of pairs of any shapes.

    O(-alpha) is 0 where O(0) is, and O(omega + tau) is the whole delineation where O(omega) is. In
    a batch of several targets, these areas are not computed.

    Args:
        table: table to fill in; the areas of its targets are filled in already.
        batch: the targets.
        pairs: (p,) rows of the pairs in the table.
        target: (p,) index of each pair's target in the batch.
        delineations: polygons that ``table.delineation`` refers to.
    """
    if len(pairs) == 0:
        return
    regions = batch.regions
    unmoved = batch.unmoved
    edges = _DelineationEdges.extract(table, batch, pairs, target, delineations)
    whole_area = edges.delineation_area
    is_any = np.ones(len(pairs), dtype=bool)
    if len(batch.rows) == 1:  # computing all four together takes half the time
        shapes = (unmoved, regions.tolerated, regions.certain, regions.edge)
        shared, tolerated, certain, edge = edges.shared_areas(is_any, *shapes)
        certain[shared == 0] = 0.0
        is_within = tolerated == whole_area
    else:
        (shared,) = edges.shared_areas(is_any, unmoved)
        (tolerated,) = edges.shared_areas(is_any, regions.tolerated)
        is_within = tolerated == whole_area
        (certain,) = edges.shared_areas(shared > 0, regions.certain)
        (edge,) = edges.shared_areas(~is_within, regions.edge)

    target_area = batch.offsets.target_area()[target]
    table.shared[pairs] = shared
    table.certain_shared[pairs] = drop_contact_areas(certain, target_area)
    table.tolerated_shared[pairs] = tolerated
    table.edge_shared[pairs] = np.where(is_within, whole_area, edge)


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
        target: Ints,
        delineations: Objects,
    ) -> _DelineationEdges:
        """Extract the edges of the delineations of pairs.

        Args:
            table: table with the areas of the targets and delineations.
            batch: the targets.
            pairs: (p,) rows of the pairs in the table.
            target: (p,) index of each pair's target in the batch.
            delineations: polygons that ``table.delineation`` refers to.
        """
        used_delineations, polygon = np.unique(table.delineation[pairs], return_inverse=True)
        # Excluding distant edges takes longer than it saves for a single target.
        bounds = batch.all_bounds() if len(batch.rows) > 1 else None
        edges = polygon_edges(delineations[used_delineations], batch.origin)
        delineation_area = table.delineation_area[pairs]
        return cls(
            offsets=batch.offsets,
            target=target,
            paired=pair_edges(edges, len(used_delineations), polygon, target, bounds),
            delineation_area=delineation_area,
            rounding=AREA_ROUNDING * (delineation_area + table.area[batch.rows][target]),
        )

    def shared_areas(self, is_wanted: Bools, *shapes: Array) -> Floats:
        """Return the area that each delineation shares with one or several shapes of its target.

        Args:
            is_wanted: (p,) True for the pairs to compute; the others get 0.
            *shapes: each (n,) shapes of the targets, such as those of T(omega).

        Returns:
            (number of shapes, p) areas, m².
        """
        n_targets = len(self.offsets)
        n_shapes = len(shapes)
        wanted_targets = np.unique(self.target[is_wanted])
        shape_edges = self.offsets.edges(
            np.concatenate([shape[wanted_targets] for shape in shapes])
        )
        # Shape s of target t is the region number n_targets * s + t.
        region = np.add.outer(n_targets * np.arange(n_shapes), wanted_targets).ravel()
        shape_edges = shape_edges._replace(polygon=region[shape_edges.polygon])

        wanted_pairs = self.paired if is_wanted.all() else self.paired.select_pairs(is_wanted)
        pair_copies = wanted_pairs.repeat_pairs(n_shapes, n_targets)
        area = shared_areas(shape_edges, pair_copies, n_targets * n_shapes).reshape(n_shapes, -1)
        rounded = np.where(
            area >= self.delineation_area - self.rounding, self.delineation_area, area
        )
        return np.where(area <= self.rounding, 0.0, rounded)


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
        ((_, offsets),) = split_by_offsets(targets, parameters, extent, origin)
        regions = solve_regions(offsets, parameters)
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
        batch = _TargetBatch(
            rows=first_row,
            offsets=self.offsets,
            regions=self.regions,
            unmoved=self.unmoved,
            origin=self.origin,
        )
        _share_pairs(table, batch, pairs, target, delineations)
        return compute_scores(table)
