"""The offset table: A(r) of every target and O(r) of every pair, at the distances RandCrowns is read off.

A(r) is the area of the target offset by r, O(r) the area of the delineation inside it; r = -alpha, omega and
omega + tau, and r = 0 for the IoU.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from randcrowns.core.areas import PairedEdges, pair_edges, polygon_edges, shared_areas
from randcrowns.core.offsets import BoxOffsets, Offsets, Regions, Shapes, centre_of, is_box, offsets_of, target_offsets
from randcrowns.core.parameters import RandCrownsParameters
from randcrowns.core.progress import Progress, no_progress

__all__ = ["OffsetTable", "offset_table"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Polygons = NDArray[np.object_]

#: Pairs worked on at once: few enough to stay in the processor's cache.
_PAIRS_PER_BLOCK = {True: 8192, False: 512}
#: What a target's own offsets weigh among its pairs.
_PAIRS_PER_TARGET = 8
#: Areas this small beside the crowns' own are rounding, not overlap.
_ROUNDING = 1e-12


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
    limited: NDArray[np.bool_]
    shared: Floats
    certain_shared: Floats
    tolerated_shared: Floats
    edge_shared: Floats


def offset_table(
    targets: Polygons,
    delineations: Polygons,
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
        progress: told the fraction of the targets done.
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
    origin = centre_of(targets)
    order = np.argsort(target, kind="stable")
    work = _Work(table, delineations, is_box(delineations), origin, order, target[order], parameters)
    blocks = [
        (rows[some], offsets.take(some))
        for rows, offsets in offsets_of(targets, parameters, extent, origin)
        for some in work.blocks(rows, _PAIRS_PER_BLOCK[isinstance(offsets, BoxOffsets)])
    ]
    done = 0
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        try:
            for rows in threads.map(work.tabulate, *zip(*blocks)):
                done += len(rows)
                progress(done / n_targets)
        except BaseException:
            threads.shutdown(cancel_futures=True)
            raise
    return table


@dataclass(frozen=True)
class _Work:
    """What every block of targets needs. Blocks write to rows of the table that no other block touches."""

    table: OffsetTable
    delineations: Polygons
    delineation_is_box: NDArray[np.bool_]
    origin: Floats
    order: Ints
    target: Ints
    parameters: RandCrownsParameters

    def blocks(self, rows: Ints, most_pairs: int) -> Iterator[slice]:
        """Slices of ``rows`` whose targets and pairs are together about as much work as ``most_pairs`` pairs."""
        first, last = np.searchsorted(self.target, rows, "left"), np.searchsorted(self.target, rows, "right")
        load = np.cumsum(last - first + _PAIRS_PER_TARGET)
        cuts = np.flatnonzero(np.diff(load // most_pairs)) + 1
        edges = [0, *cuts.tolist(), len(rows)]
        return (slice(a, b) for a, b in zip(edges[:-1], edges[1:]))

    def tabulate(self, rows: Ints, offsets: Offsets) -> Ints:
        """Fill in the targets in ``rows`` and all their pairs."""
        table = self.table
        regions = target_offsets(offsets, self.parameters)
        itself = offsets.at(0.0)
        table.area[rows] = offsets.area(itself)
        table.certain_area[rows] = regions.certain_area
        table.tolerated_area[rows] = regions.tolerated_area
        table.edge_area[rows] = regions.edge_area
        table.tau[rows] = regions.tau
        table.limited[rows] = regions.limited

        first = np.searchsorted(self.target, rows, "left")
        count = np.searchsorted(self.target, rows, "right") - first
        end = np.cumsum(count)
        pairs = self.order[np.arange(end[-1]) + np.repeat(first - (end - count), count)]
        target = np.repeat(np.arange(len(rows)), count)
        if isinstance(offsets, BoxOffsets):
            boxes = self.delineation_is_box[table.delineation[pairs]]
            self._share_boxes(pairs[boxes], target[boxes], itself, regions)
            pairs, target = pairs[~boxes], target[~boxes]
        if len(pairs):
            self._share_polygons(pairs, target, offsets, itself, regions)
        return rows

    def _share_boxes(self, pairs: Ints, target: Ints, itself: Shapes, regions: Regions) -> None:
        """Rectangles against rectangles: the overlap of their sides."""
        bounds = shapely.bounds(self.delineations[self.table.delineation[pairs]]) - np.tile(self.origin, 2)
        table = self.table
        table.shared[pairs] = _box_overlap(itself[target], bounds)
        table.certain_shared[pairs] = _box_overlap(regions.certain[target], bounds)
        table.tolerated_shared[pairs] = _box_overlap(regions.tolerated[target], bounds)
        table.edge_shared[pairs] = _box_overlap(regions.edge[target], bounds)

    def _share_polygons(self, pairs: Ints, target: Ints, offsets: Offsets, itself: Shapes, regions: Regions) -> None:
        """Anything else: exact shared areas, each offset only against the delineations that can tell it apart."""
        table = self.table
        drawn, polygon = np.unique(table.delineation[pairs], return_inverse=True)
        drawn_edges = polygon_edges(self.delineations[drawn], self.origin)
        paired = pair_edges(drawn_edges, len(drawn), polygon, target)
        whole = table.delineation_area[pairs]
        rounding = _ROUNDING * (whole + offsets.area(itself)[target])

        def share(shapes: Shapes, some: PairedEdges) -> Floats:
            area = shared_areas(offsets.edges(shapes), some, len(offsets))
            return np.where(area <= rounding, 0.0, np.where(area >= whole - rounding, whole, area))

        shared = share(itself, paired)
        tolerated = share(regions.tolerated, paired)
        inside = tolerated == whole
        table.shared[pairs] = shared
        table.certain_shared[pairs] = share(regions.certain, paired.of_pairs(shared > 0))
        table.tolerated_shared[pairs] = tolerated
        table.edge_shared[pairs] = np.where(inside, whole, share(regions.edge, paired.of_pairs(~inside)))


def _box_overlap(first: Floats, second: Floats) -> Floats:
    """(n,) area that rectangles share with rectangles, both (n, 4) bounds."""
    width = np.minimum(first[:, 2], second[:, 2]) - np.maximum(first[:, 0], second[:, 0])
    height = np.minimum(first[:, 3], second[:, 3]) - np.maximum(first[:, 1], second[:, 1])
    return np.maximum(width, 0.0) * np.maximum(height, 0.0)
