"""RandCrowns for all sets of a grid of parameters, and sums of scores over targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.crowns import is_box
from randcrowns.core.geometry.areas import bounds_centre, translate_to_origin
from randcrowns.core.progress import Progress, even_slices, map_in_threads, no_progress
from randcrowns.core.scoring.offsets import (
    BoxOffsets,
    Offsets,
    drop_contact_areas,
    split_by_offsets,
)
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.tuning.tables import OffsetAreas, Slots, tabulate_areas


@dataclass(frozen=True)
class BoxAreas(OffsetAreas):
    """Areas of rectangular targets and rectangular delineations, in closed form."""

    #: (4, T) xmin, ymin, xmax, ymax of the targets, metres.
    target_bounds: Floats
    #: (4, J, T) bounds of their delineations, metres; 0 in empty slots.
    delineation_bounds: Floats
    #: (nO,) metres.
    omegas: Floats

    def edge_shared(self, omega: int, ring: Floats) -> Floats:
        """Compute O(omega + tau) of all pairs; see ``OffsetAreas.edge_shared``.

        The solution of A(omega + tau) - A(omega) = P · tau + 4 · tau² is used, with the perimeter
        P of T(omega).

        Args:
            omega: index of the value of omega.
            ring: area of the ring between T(omega) and T(omega + tau) of each target, m².

        Returns:
            Shared areas, m²; for the shapes see ``OffsetAreas.edge_shared``.
        """
        xmin, ymin, xmax, ymax = self.target_bounds
        distance = self.omegas[omega]
        perimeter = 2 * (xmax - xmin + ymax - ymin) + 8 * distance
        reach = np.sqrt(16 * ring + perimeter**2)
        reach -= perimeter
        reach /= 8
        reach += distance
        width, height = _box_overlap(self.target_bounds, reach, self.delineation_bounds)
        width *= height
        return width


def compute_box_areas(
    target_bounds: Floats,
    delineation_bounds: Floats,
    is_empty: Bools,
    alphas: Floats,
    omegas: Floats,
) -> BoxAreas:
    """Compute the areas of rectangular targets and rectangular delineations.

    Args:
        target_bounds: (4, T) xmin, ymin, xmax, ymax of the targets, metres.
        delineation_bounds: (4, J, T) bounds of their delineations, metres.
        is_empty: (J, T) mask of slots without a delineation.
        alphas: (nA,) metres.
        omegas: (nO,) metres.

    Returns:
        The areas, without an extent.

    >>> target = np.array([[0.0], [0.0], [4.0], [4.0]])
    >>> grid = compute_box_areas(
    ...     target, target[:, None], np.array([[False]]), np.array([1.0]), np.array([0.5])
    ... )
    >>> grid.certain_area.tolist(), grid.tolerated_shared.tolist()
    ([[4.0]], [[[16.0]]])
    """
    # Boxes without area stand for empty slots.
    slot_bounds = np.where(is_empty, 0.0, delineation_bounds)
    target_xmin, target_ymin, target_xmax, target_ymax = target_bounds
    width = target_xmax - target_xmin
    height = target_ymax - target_ymin
    target_area = width * height
    shrink = 2 * alphas[:, np.newaxis]
    certain_area = np.maximum(width - shrink, 0.0) * np.maximum(height - shrink, 0.0)
    certain_shared = _box_shared(target_bounds, -alphas, slot_bounds)
    xmin, ymin, xmax, ymax = slot_bounds
    return BoxAreas(
        target_bounds=target_bounds,
        delineation_bounds=slot_bounds,
        omegas=omegas,
        max_ring=np.full((len(omegas), len(width)), np.inf),
        certain_area=drop_contact_areas(certain_area, target_area),
        certain_shared=drop_contact_areas(certain_shared, target_area),
        tolerated_shared=_box_shared(target_bounds, omegas, slot_bounds),
        delineation_area=(xmax - xmin) * (ymax - ymin),
    )


def _box_shared(bounds: Floats, distances: Floats, drawn: Floats) -> Floats:
    """Compute the areas that offsets of rectangles share with other rectangles.

    Args:
        bounds: (4, T) xmin, ymin, xmax, ymax of the rectangles, metres.
        distances: (n,) distances by which they are grown, metres.
        drawn: (4, J, T) bounds of the other rectangles, metres.

    Returns:
        (n, J, T) areas, m².
    """
    distance = np.broadcast_to(distances[:, None], (len(distances), bounds.shape[1]))
    width, height = _box_overlap(bounds, distance, drawn)
    return cast("Floats", np.maximum(width, 0.0) * np.maximum(height, 0.0))


def _box_overlap(bounds: Floats, distance: Floats, drawn: Floats) -> tuple[Floats, Floats]:
    """Compute the overlap of offsets of rectangles with other rectangles.

    Args:
        bounds: (4, T) xmin, ymin, xmax, ymax of the rectangles, metres.
        distance: (…, T) distances by which they are grown, metres.
        drawn: (4, J, T) bounds of the other rectangles, metres.

    Returns:
        (…, J, T) widths and heights of the overlap, metres; negative for separate rectangles.
    """
    grow = distance[..., None, :]
    width = np.minimum(bounds[2] + grow, drawn[2])
    width -= np.maximum(bounds[0] - grow, drawn[0])
    height = np.minimum(bounds[3] + grow, drawn[3])
    height -= np.maximum(bounds[1] - grow, drawn[1])
    return width, height


#: Maximum number of targets and delineations processed at once; they fit into the processor's
#: cache.
_BLOCK_SIZE = 1_200


class ParameterGrid(NamedTuple):
    """Grid of parameters; the values of each are distinct and rise."""

    #: (nA,) values of alpha, metres.
    alphas: Floats
    #: (nO,) values of omega, metres.
    omegas: Floats
    #: (nG,) values of gamma.
    gammas: Floats


class PartialGrid(NamedTuple):
    """Areas of some of the targets."""

    #: (t,) indices of the targets.
    rows: Ints
    #: Areas of these targets and their delineations.
    areas: OffsetAreas


@dataclass
class ScoreSums:
    """Sums over targets for all nA x nO x nG sets of parameters."""

    #: (nA, nO, nG) sum of the targets' variances of RandCrowns over their right delineations.
    variance: Floats
    #: (nA, nO, nG) the same sum over the common targets only.
    common_variance: Floats
    #: (nA, nO, nG) sum of the targets' mean RandCrowns over their right delineations.
    score: Floats
    #: (nA, nO, nG, W) sum of RandCrowns of each slot for wrong delineations, up to the last slot
    #: that is filled for any target.
    wrong: Floats


class _Block(NamedTuple):
    """Targets that are processed together."""

    #: (t,) indices of the targets.
    rows: Ints
    #: Offsets of these targets.
    offsets: Offsets
    #: True if the targets and their delineations are rectangles, without an extent.
    is_closed_form: bool


def compute_areas(
    targets: Objects,
    delineations: Objects,
    index: Ints,
    space: ParameterGrid,
    *,
    extent: Any = None,
    offsets: str = "auto",
    step: float = 0.1,
    progress: Progress = no_progress,
) -> list[PartialGrid]:
    """Compute the areas that the scores of all sets of the grid need.

    Args:
        targets: (T,) polygons in metres.
        delineations: (M,) polygons in metres.
        index: (J, T) index of the delineation in each slot of each target; -1 if the slot is
            empty.
        space: the grid.
        extent: valid polygon that all offsets of targets are clipped to, or None.
        offsets: kind of offsets, as in
            :class:`randcrowns.core.scoring.parameters.RandCrownsParameters`.
        step: distance between tabulated offsets, metres.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        Areas of all targets, in parts.

    >>> trees = np.array([shapely.box(0, 0, 4, 4)])
    >>> space = ParameterGrid(np.array([1.0]), np.array([0.5]), np.array([3.0]))
    >>> (part,) = compute_areas(trees, trees, np.array([[0]]), space)
    >>> part.rows.tolist(), part.areas.certain_area.tolist()
    ([0], [[4.0]])
    """
    origin = bounds_centre(targets)
    local_delineations = translate_to_origin(delineations, origin)
    delineation_bounds = shapely.bounds(local_delineations)
    # Empty slots have the index -1, which selects the appended True.
    is_box_or_empty = np.append(is_box(delineations), True)
    has_boxes_only = is_box_or_empty[index].all(axis=0)
    n_filled = (index >= 0).sum(axis=0)

    blocks: list[_Block] = []
    parameters = RandCrownsParameters(0.0, 0.0, 0.0, offsets)
    for rows, kind_offsets in split_by_offsets(targets, parameters, extent, origin):
        has_box_offsets = extent is None and isinstance(kind_offsets, BoxOffsets)
        is_closed_form = has_boxes_only[rows] & has_box_offsets
        blocks += _split_into_blocks(rows, kind_offsets, is_closed_form, n_filled)

    def compute_block(block: _Block) -> PartialGrid:
        """Compute the areas of a block, in closed form or by interpolation from a table."""
        slots = _drop_empty_slots(index[:, block.rows])
        if block.is_closed_form:
            areas: OffsetAreas = compute_box_areas(
                # Rectangles are stored as bounds; an offset by 0 leaves them as they are.
                target_bounds=block.offsets.shapes_at(0.0).T,
                delineation_bounds=delineation_bounds[slots].transpose(2, 0, 1),
                is_empty=slots < 0,
                alphas=space.alphas,
                omegas=space.omegas,
            )
        else:
            areas = tabulate_areas(
                block.offsets,
                Slots(local_delineations, slots),
                space.alphas,
                space.omegas,
                space.gammas,
                step,
            )
        return PartialGrid(rows=block.rows, areas=areas)

    sizes = [len(block.rows) for block in blocks]
    return list(map_in_threads(compute_block, blocks, progress, sizes))


def _split_into_blocks(
    rows: Ints, offsets: Offsets, is_closed_form: Bools, n_filled: Ints
) -> list[_Block]:
    """Split targets into blocks of about equal work.

    Args:
        rows: (t,) indices of the targets.
        offsets: offsets of these targets.
        is_closed_form: (t,) mask of targets whose areas are computed in closed form.
        n_filled: (T,) number of delineations of all targets.
    """
    blocks = []
    n_delineations = n_filled[rows]
    for closed_form in (True, False):
        positions = np.flatnonzero(is_closed_form == closed_form)
        # Targets with equal numbers of delineations are in one block, because slots that are empty
        # in a whole block cost nothing.
        by_number = positions[np.argsort(n_delineations[positions], kind="stable")]
        work = np.cumsum(n_delineations[by_number] + 1)
        for part in even_slices(work, _BLOCK_SIZE):
            in_block = by_number[part]
            block = _Block(
                rows=rows[in_block], offsets=offsets.take(in_block), is_closed_form=closed_form
            )
            blocks.append(block)
    return blocks


def sum_scores(
    parts: list[PartialGrid],
    space: ParameterGrid,
    n_right: int,
    is_common: Bools,
    progress: Progress = no_progress,
) -> ScoreSums:
    """Sum scores and variances over all targets.

    A target that is too small for an alpha adds nothing there.

    Args:
        parts: areas of all T targets.
        space: the grid.
        n_right: number of slots, from the first, that hold right delineations; the others hold
            wrong ones.
        is_common: (T,) mask of the targets on which all sets are compared.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        Sums for all sets.

    >>> trees = np.array([shapely.box(0, 0, 4, 4)])
    >>> space = ParameterGrid(np.array([1.0]), np.array([0.5]), np.array([3.0]))
    >>> parts = compute_areas(trees, trees, np.array([[0], [0]]), space)
    >>> totals = sum_scores(parts, space, 2, np.array([True]))
    >>> totals.score.tolist(), totals.variance.tolist()
    ([[[1.0]]], [[[0.0]]])
    """
    n_slots = max(part.areas.delineation_area.shape[0] for part in parts)
    total = _zero_totals(space, n_slots - n_right)
    sizes = [len(part.rows) for part in parts]

    def sum_part(part: PartialGrid) -> ScoreSums:
        """Return the sums over the targets of one part."""
        return _sum_over_part(part, space, n_right, is_common)

    for part_total in map_in_threads(sum_part, parts, progress, sizes):
        total.variance += part_total.variance
        total.common_variance += part_total.common_variance
        total.score += part_total.score
        # The last slots of other parts may be empty in this one.
        n_wrong = part_total.wrong.shape[-1]
        total.wrong[..., :n_wrong] += part_total.wrong
    return total


def score_sets(grid: OffsetAreas, omega: int, gammas: Floats) -> Floats:
    """Compute RandCrowns for all alphas and gammas with one omega (Stewart et al. 2021, Eq. 10-14).

    With A(r) the area of the target T offset by r, and O(r) the area it shares with the delineation
    D, RandCrowns is (a + b) / (a + b + c + d), where

    - a = O(-alpha)²;
    - b = (A(omega + tau) - A(omega) - O(omega + tau) + O(omega))²;
    - c = (area(D) - O(omega))²;
    - d = (A(-alpha) - O(-alpha))².

    Args:
        grid: areas of T targets and their delineations.
        omega: index of omega.
        gammas: (nG,) values of gamma.

    Returns:
        (nA, nG, J, T) scores; 0 if the delineation misses T(-alpha) or the target is too small.

    >>> trees = np.array([shapely.box(0, 0, 4, 4)])
    >>> space = ParameterGrid(np.array([1.0]), np.array([0.5]), np.array([3.0]))
    >>> (part,) = compute_areas(trees, trees, np.array([[0]]), space)
    >>> score_sets(part.areas, 0, space.gammas).tolist()
    [[[[1.0]]]]
    """
    certain = grid.certain_area
    a = grid.certain_shared**2
    d = np.maximum(certain[:, None] - grid.certain_shared, 0.0) ** 2
    tolerated = grid.tolerated_shared[omega]
    c = np.maximum(grid.delineation_area - tolerated, 0.0) ** 2
    # An infinite loss makes the score 0 if the pair is missed, see core.scoring.score.find_missed.
    loss = np.where(a > 0, c + d, np.inf)
    ring = np.minimum(gammas[:, None] * certain[:, None], grid.max_ring[omega])

    # All steps use one array, because it is the largest: the root of b, b, a + b, the score.
    score = grid.edge_shared(omega, ring)
    score -= tolerated
    np.subtract(ring[:, :, None], score, out=score)
    score *= score
    score += a[:, None]
    score /= score + loss[:, None]
    return score


def _sum_over_part(
    part: PartialGrid, parameter_sets: ParameterGrid, n_right: int, is_common: Bools
) -> ScoreSums:
    """Sum scores and variances over the targets of one part.

    Args:
        part: areas of t of the targets.
        parameter_sets: the grid.
        n_right: number of slots, from the first, that hold right delineations.
        is_common: (T,) mask of the targets on which all sets are compared.

    Returns:
        Sums for all sets of the grid.
    """
    n_targets = len(part.rows)
    n_slots = part.areas.delineation_area.shape[0]
    # Weights of the targets in the sum over all targets and in that over the common targets.
    weights = np.column_stack([np.ones(n_targets), is_common[part.rows]])
    totals = _zero_totals(parameter_sets, n_slots - n_right)
    for omega in range(len(parameter_sets.omegas)):
        score = score_sets(part.areas, omega, parameter_sets.gammas)
        right = score[..., :n_right, :]
        wrong = score[..., n_right:, :]
        right_mean = right.mean(axis=-2)
        # Squared deviations from the mean, in the memory of the scores, which are large.
        right -= right_mean[..., np.newaxis, :]
        right *= right
        weighted_squares = right.sum(axis=-2) @ weights
        # With one right delineation the variance is 0/0.
        with np.errstate(invalid="ignore"):
            variance = weighted_squares / np.float64(n_right - 1)
        totals.variance[:, omega] = variance[..., 0]
        totals.common_variance[:, omega] = variance[..., 1]
        totals.score[:, omega] = right_mean.sum(axis=-1)
        totals.wrong[:, omega] = wrong.sum(axis=-1)
    return totals


def _zero_totals(space: ParameterGrid, n_wrong: int) -> ScoreSums:
    """Return sums of 0 for all sets and ``n_wrong`` slots for wrong delineations."""
    shape = (len(space.alphas), len(space.omegas), len(space.gammas))
    return ScoreSums(
        variance=np.zeros(shape),
        common_variance=np.zeros(shape),
        score=np.zeros(shape),
        wrong=np.zeros((*shape, n_wrong)),
    )


def _drop_empty_slots(slots: Ints) -> Ints:
    """Return (J, T) slots without the last ones that are empty (-1) for all targets."""
    used_rows = np.flatnonzero((slots >= 0).any(axis=1))
    # At least one slot stays.
    n_slots = used_rows[-1] + 1 if len(used_rows) else 1
    return slots[:n_slots]
