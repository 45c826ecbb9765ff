"""The offset table: A(r) of every target and O(r) of every pair, at the distances RandCrowns is read off.

A(r) is the area of the target offset by r, O(r) the area of the delineation inside it; r = -alpha, omega and
omega + tau, and r = 0 for the IoU.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, parts_of
from randcrowns.core.geometry.areas import (
    ROUNDING,
    PairedEdges,
    centre_of,
    is_box,
    pair_edges,
    polygon_edges,
    shared_areas,
)
from randcrowns.core.progress import Progress, in_threads, no_progress
from randcrowns.core.scoring.offsets import (
    BoxOffsets,
    Offsets,
    Regions,
    offsets_of,
    target_offsets,
    without_contact,
)
from randcrowns.core.scoring.parameters import RandCrownsParameters

#: Pairs worked on at once, of rectangles and of other polygons: few enough to stay in the processor's cache.
_BOX_PAIRS = 8192
_PAIRS = 512
#: What a target's own offsets weigh among its pairs.
_PAIRS_PER_TARGET = 8


@dataclass(frozen=True)
class OffsetTable:
    """A of T targets and O of P pairs; square metres unless said otherwise.

    Attributes:
        target, delineation: (P,) indices of each pair's crowns.
        delineation_area: (P,) whole area of the pair's delineation.
        area: (T,) A(0).
        certain_area, tolerated_area, edge_area: (T,) A(-alpha), A(omega), A(omega + tau).
        tau: (T,) metres; NaN where A(-alpha) is 0.
        limited: (T,) True where the extent leaves less room than gamma asks for.
        shared: (P,) O(0).
        certain_shared, tolerated_shared, edge_shared: (P,) O(-alpha), O(omega), O(omega + tau).
    """

    target: Ints
    delineation: Ints
    delineation_area: Floats
    area: Floats
    certain_area: Floats
    tolerated_area: Floats
    edge_area: Floats
    tau: Floats
    limited: Bools
    shared: Floats
    certain_shared: Floats
    tolerated_shared: Floats
    edge_shared: Floats


def offset_table(
    targets: Objects,
    delineations: Objects,
    target: Ints,
    delineation: Ints,
    parameters: RandCrownsParameters,
    extent: Any = None,
    progress: Progress = no_progress,
) -> OffsetTable:
    """Tabulate A for all targets and O for all pairs, on all processors.

    Args:
        targets: (T,) valid polygons, metres.
        delineations: (D,) valid polygons, metres.
        target, delineation: (P,) indices of the crowns of each pair, in any order.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: a polygon that every T(r) is cut to, or None.
    """
    n_targets, n_pairs = len(targets), len(target)
    table = OffsetTable(
        target=target,
        delineation=delineation,
        delineation_area=shapely.area(delineations)[delineation],
        **{name: np.zeros(n_targets) for name in ("area", "certain_area", "tolerated_area", "edge_area", "tau")},
        limited=np.zeros(n_targets, dtype=bool),
        **{name: np.zeros(n_pairs) for name in ("shared", "certain_shared", "tolerated_shared", "edge_shared")},
    )
    if n_targets == 0:
        return table
    jobs = list(_jobs(table, targets, delineations, parameters, extent))
    for _ in in_threads(lambda job: job[1](), jobs, progress, [load for load, _ in jobs]):
        pass
    return table


#: A part of the work: how much it is, and what does it.
_Job = tuple[int, Callable[[], None]]


def _jobs(
    table: OffsetTable,
    targets: Objects,
    delineations: Objects,
    parameters: RandCrownsParameters,
    extent: Any,
) -> Iterator[_Job]:
    """All targets and pairs, split so that each part stays in the processor's cache.

    Each fills in rows of the table that no other touches.
    """
    origin = centre_of(targets)
    rest = np.ones(len(table.target), dtype=bool)
    kinds = offsets_of(targets, parameters, extent, origin)
    for rows, offsets in kinds:
        if isinstance(offsets, BoxOffsets):
            # Rectangles have the same regions whatever they are paired with, and cost nothing.
            _tabulate_targets(table, rows, offsets, target_offsets(offsets, parameters))
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
        if len(rows) == 0:
            continue
        load = np.cumsum(last - first + _PAIRS_PER_TARGET)
        cuts = [0, *(np.flatnonzero(np.diff(load // _PAIRS)) + 1).tolist(), len(rows)]
        for start, end in zip(cuts[:-1], cuts[1:]):
            some = slice(start, end)
            of_rows = [order[a:b] for a, b in zip(first[some].tolist(), last[some].tolist())]
            work = partial(
                _share_polygons, table, rows[some], offsets.take(some), of_rows, delineations, origin, parameters
            )
            yield end - start, work


def _tabulate_targets(table: OffsetTable, rows: Ints, offsets: Offsets, regions: Regions) -> np.ndarray:
    """Fill in the targets in ``rows``; returns T(0)."""
    itself = offsets.at(0.0)
    table.area[rows] = offsets.area(itself)
    for name in ("certain_area", "tolerated_area", "edge_area", "tau", "limited"):
        getattr(table, name)[rows] = getattr(regions, name)
    return itself


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
        drawn = np.hstack([np.maximum(drawn[:, :2], offsets.extent[:2]), np.minimum(drawn[:, 2:], offsets.extent[2:])])
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
    pairs = np.concatenate(pairs_of_rows)
    if len(pairs) == 0:
        return
    target = np.repeat(np.arange(len(rows)), [len(some) for some in pairs_of_rows])
    drawn, polygon = np.unique(table.delineation[pairs], return_inverse=True)
    paired = pair_edges(polygon_edges(delineations[drawn], origin), len(drawn), polygon, target)
    whole = table.delineation_area[pairs]
    rounding = ROUNDING * (whole + table.area[rows][target])

    def share(shapes: np.ndarray, some: PairedEdges) -> Floats:
        area = shared_areas(offsets.edges(shapes), some, len(offsets))
        return np.where(area <= rounding, 0.0, np.where(area >= whole - rounding, whole, area))

    shared = share(itself, paired)
    tolerated = share(regions.tolerated, paired)
    inside = tolerated == whole
    table.shared[pairs] = shared
    certain = share(regions.certain, paired.of_pairs(shared > 0))
    table.certain_shared[pairs] = without_contact(certain, offsets.whole_area()[target])
    table.tolerated_shared[pairs] = tolerated
    table.edge_shared[pairs] = np.where(inside, whole, share(regions.edge, paired.of_pairs(~inside)))
