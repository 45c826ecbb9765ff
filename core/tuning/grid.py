"""Every RandCrowns of a grid of parameters: the offset table (A and O) for all sets at once, and sums over targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.crowns import is_box
from randcrowns.core.geometry.areas import centre_of, to_origin
from randcrowns.core.progress import Progress, even_slices, in_threads, no_progress
from randcrowns.core.scoring.offsets import BoxOffsets, Offsets, offsets_of, without_contact
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.tuning.tables import OffsetGrid, Slots, table_grid


@dataclass(frozen=True)
class BoxGrid(OffsetGrid):
    """Rectangles against rectangles, closed form; see :class:`randcrowns.core.tuning.tables.OffsetGrid`."""

    bounds: Floats  #: (4, T) xmin, ymin, xmax, ymax of the targets.
    drawn: Floats  #: (4, J, T) the same of their delineations.
    omegas: Floats  #: (nO,) metres.

    def edge_shared(self, omega: int, ring: Floats) -> Floats:
        xmin, ymin, xmax, ymax = self.bounds
        distance = self.omegas[omega]
        # A(omega + tau) - A(omega) = perimeter · tau + 4 · tau², the perimeter being that of T(omega).
        perimeter = 2 * (xmax - xmin + ymax - ymin) + 8 * distance
        reach = np.sqrt(16 * ring + perimeter**2)
        reach -= perimeter
        reach /= 8
        reach += distance
        width, height = _box_overlap(self.bounds, reach, self.drawn)
        width *= height
        return width


def box_grid(
    bounds: Floats, drawn: Floats, empty: Bools, alphas: Floats, omegas: Floats
) -> BoxGrid:
    """The grid of rectangles, see :class:`BoxGrid`; ``empty`` (J, T) are the slots without a delineation."""
    drawn = np.where(empty, 0.0, drawn)
    width, height = bounds[2] - bounds[0], bounds[3] - bounds[1]
    shrink = 2 * alphas[:, None]
    certain = np.maximum(width - shrink, 0.0) * np.maximum(height - shrink, 0.0)
    return BoxGrid(
        bounds=bounds,
        drawn=drawn,
        omegas=omegas,
        rooms=np.full((len(omegas), len(width)), np.inf),
        certain_area=without_contact(certain, width * height),
        certain_shared=without_contact(_box_shared(bounds, -alphas, drawn), width * height),
        tolerated_shared=_box_shared(bounds, omegas, drawn),
        delineation_area=(drawn[2] - drawn[0]) * (drawn[3] - drawn[1]),
    )


def _box_shared(bounds: Floats, distances: Floats, drawn: Floats) -> Floats:
    """(n, J, T) areas that (4, T) rectangles grown by (n,) metres share with (4, J, T) rectangles."""
    grow = np.broadcast_to(distances[:, None], (len(distances), bounds.shape[1]))
    width, height = _box_overlap(bounds, grow, drawn)
    return cast("Floats", np.maximum(width, 0.0) * np.maximum(height, 0.0))


def _box_overlap(bounds: Floats, distance: Floats, drawn: Floats) -> tuple[Floats, Floats]:
    """(…, J, T) widths and heights of the overlap of (4, T) rectangles grown by (…, T) metres with (4, J, T)
    rectangles; negative where they are apart."""
    grow = distance[..., None, :]
    width = np.minimum(bounds[2] + grow, drawn[2])
    width -= np.maximum(bounds[0] - grow, drawn[0])
    height = np.minimum(bounds[3] + grow, drawn[3])
    height -= np.maximum(bounds[1] - grow, drawn[1])
    return width, height


#: Targets and their delineations worked on at once: few enough for the processor's cache.
_PER_BLOCK = 1_200


class GridSpace(NamedTuple):
    """The grid: alphas and omegas (metres) and gammas, each growing and without repeats."""

    alphas: Floats
    omegas: Floats
    gammas: Floats


class GridPart(NamedTuple):
    """The areas of some of the targets: their rows, and their grid."""

    rows: Ints
    grid: OffsetGrid


@dataclass
class GridTotals:
    """Sums over targets, for nA x nO x nG sets of parameters and W wrong slots."""

    variance: Floats  #: (nA, nO, nG) of the targets' variances of RandCrowns over their right delineations.
    common_variance: Floats  #: (nA, nO, nG) the same over the common targets alone.
    score: Floats  #: (nA, nO, nG) of the targets' mean RandCrowns over their right delineations.
    #: (nA, nO, nG, W) of the RandCrowns of each wrong slot, up to the last that any target fills.
    wrong: Floats


def grid_parts(
    targets: Objects,
    delineations: Objects,
    index: Ints,
    space: GridSpace,
    *,
    extent: Any = None,
    offsets: str = "auto",
    step: float = 0.1,
    progress: Progress = no_progress,
) -> list[GridPart]:
    """The areas that every set of the grid needs, in parts of a few of the (T,) targets.

    Args:
        index: (J, T) row of the delineation in each slot of each target; -1 where there is none.
        extent: a valid polygon that every offset of a target is cut to, or None.
        offsets: as in :class:`randcrowns.core.scoring.parameters.RandCrownsParameters`.
        step: metres between tabulated distances.
    """
    origin = centre_of(targets)
    near = to_origin(delineations, origin)
    drawn_box = np.append(is_box(delineations), True)[index].all(axis=0)
    bounds = shapely.bounds(near)
    n_filled = (index >= 0).sum(axis=0)

    def boxes(rows: Ints, some: Offsets) -> GridPart:
        slots = _filled(index[:, rows])
        drawn = bounds[slots].transpose(2, 0, 1)
        return GridPart(
            rows, box_grid(some.at(0.0).T, drawn, slots < 0, space.alphas, space.omegas)
        )

    def tables(rows: Ints, some: Offsets) -> GridPart:
        slots = Slots(near, _filled(index[:, rows]))
        return GridPart(rows, table_grid(some, slots, *space, step))

    jobs: list[tuple[Callable[[Ints, Offsets], GridPart], Ints, Offsets]] = []
    for rows, kind in offsets_of(
        targets, RandCrownsParameters(0.0, 0.0, 0.0, offsets), extent, origin
    ):
        closed_form = drawn_box[rows] & (extent is None and isinstance(kind, BoxOffsets))
        for make, chosen in ((boxes, closed_form), (tables, ~closed_form)):
            # Targets with as many delineations together: slots that a whole block leaves empty cost nothing.
            by_number = np.flatnonzero(chosen)[np.argsort(n_filled[rows[chosen]], kind="stable")]
            blocks = even_slices(np.cumsum(n_filled[rows[by_number]] + 1), _PER_BLOCK)
            jobs += [
                (make, rows[some], kind.take(some))
                for some in (by_number[block] for block in blocks)
            ]
    return list(
        in_threads(
            lambda job: job[0](job[1], job[2]), jobs, progress, [len(rows) for _, rows, _ in jobs]
        )
    )


def grid_totals(
    parts: list[GridPart],
    space: GridSpace,
    n_right: int,
    common: Bools,
    progress: Progress = no_progress,
) -> GridTotals:
    """Sums over all targets; a target that is too small for an alpha adds nothing there.

    The first ``n_right`` slots hold right delineations, the others wrong ones; ``common`` (T,) are the targets that all
    sets are compared on.
    """
    n_slots = max(part.grid.delineation_area.shape[0] for part in parts)
    total = _no_totals(space, n_slots - n_right)
    sizes = [len(part.rows) for part in parts]
    for part in in_threads(
        lambda part: _part_totals(part, space, n_right, common), parts, progress, sizes
    ):
        total.variance += part.variance
        total.common_variance += part.common_variance
        total.score += part.score
        total.wrong[..., : part.wrong.shape[-1]] += part.wrong
    return total


def set_scores(grid: OffsetGrid, omega: int, gammas: Floats) -> Floats:
    """(nA, nG, J, T) RandCrowns (Eq. 10-14) at omega number ``omega``; 0 where a target is too small."""
    certain = grid.certain_area
    a = grid.certain_shared**2
    d = np.maximum(certain[:, None] - grid.certain_shared, 0.0) ** 2
    tolerated = grid.tolerated_shared[omega]
    c = np.maximum(grid.delineation_area - tolerated, 0.0) ** 2
    # Where the true positive region is missed, nothing makes up for it.
    loss = np.where(a > 0, c + d, np.inf)
    ring = np.minimum(gammas[:, None] * certain[:, None], grid.rooms[omega])
    score = grid.edge_shared(omega, ring)
    score -= tolerated
    # b, then a + b, then the score.
    np.subtract(ring[:, :, None], score, out=score)
    score *= score
    score += a[:, None]
    score /= score + loss[:, None]
    return score


def _part_totals(part: GridPart, space: GridSpace, n_right: int, common: Bools) -> GridTotals:
    n_targets = len(part.rows)
    n_slots = part.grid.delineation_area.shape[0]
    sums = np.column_stack([np.ones(n_targets), common[part.rows]])
    found = _no_totals(space, n_slots - n_right)
    for omega in range(len(space.omegas)):
        score = set_scores(part.grid, omega, space.gammas)
        right = score[..., :n_right, :]
        mean = right.mean(axis=-2)
        right -= mean[..., None, :]
        right *= right
        with np.errstate(invalid="ignore"):
            variance = (right.sum(axis=-2) @ sums) / np.float64(n_right - 1)
        found.variance[:, omega], found.common_variance[:, omega] = (
            variance[..., 0],
            variance[..., 1],
        )
        found.score[:, omega] = mean.sum(axis=-1)
        found.wrong[:, omega] = score[..., n_right:, :].sum(axis=-1)
    return found


def _no_totals(space: GridSpace, n_wrong: int) -> GridTotals:
    shape = tuple(map(len, space))
    return GridTotals(
        np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros((*shape, n_wrong))
    )


def _filled(slots: Ints) -> Ints:
    """(J, T) slots without the last ones where no target has a delineation."""
    used = np.flatnonzero((slots >= 0).any(axis=1))
    return slots[: used[-1] + 1 if len(used) else 1]
