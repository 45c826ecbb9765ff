"""Alternative ways to score crowns, written directly from the paper, as peers of the benchmarks.

Letters: A is the delineation, T(d) the target buffered by d metres, alpha, omega and gamma the
parameters of RandCrowns, tau the width of the edge beyond omega.

Algorithm 1 of the paper shrinks the outer boundary from 2·gamma·omega in steps until the area
ratio is at most gamma. As nested regions differ by their areas, no step needs an overlay, and a
target's regions serve all of its delineations.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects

__all__ = [
    "StepRegions",
    "algorithm_1",
    "algorithm_1_arrays",
    "pixel_masks",
    "pixel_sets",
    "score_pair",
    "step_regions",
]

#: Segments per quarter circle of a buffer.
_QUAD_SEGS = 16


class StepRegions(NamedTuple):
    """T(-alpha), T(omega) and T(omega + tau) of a target."""

    certain: Any
    tolerated: Any
    edge: Any


def step_regions(
    target: Any, alpha: float, omega: float, gamma: float, step: float = 0.1
) -> StepRegions:
    """Return the regions of one target, with the edge shrunk in steps.

    Args:
        target: polygon.
        alpha: inner tolerance, m.
        omega: outer tolerance, m.
        gamma: ratio of the edge's area to that of T(-alpha).
        step: step of the edge's width, m.
    """
    certain = target.buffer(-alpha, quad_segs=_QUAD_SEGS)
    tolerated = target.buffer(omega, quad_segs=_QUAD_SEGS)
    max_area = gamma * certain.area + tolerated.area
    width = 2 * gamma * omega
    edge = tolerated.buffer(width, quad_segs=_QUAD_SEGS)
    while width > step and edge.area > max_area:
        width -= step
        edge = tolerated.buffer(width, quad_segs=_QUAD_SEGS)
    return StepRegions(certain, tolerated, edge)


def score_pair(regions: StepRegions, target: Any, delineation: Any) -> tuple[float, float]:
    """Return RandCrowns and IoU of a target with known regions and one delineation."""
    negative = regions.edge.union(delineation).difference(regions.tolerated)
    a = delineation.intersection(regions.certain).area ** 2
    b = negative.difference(delineation).area ** 2
    c = delineation.intersection(negative).area ** 2
    d = regions.certain.difference(delineation).area ** 2
    shared = delineation.intersection(target).area
    iou = shared / (delineation.area + target.area - shared)
    return _randcrowns(a, b, c, d), iou


def _randcrowns(a: float, b: float, c: float, d: float) -> float:
    """Return RandCrowns from its four squared terms: a, b agreements, c, d disagreements."""
    return 0.0 if a == 0 else (a + b) / (a + b + c + d)


def algorithm_1(
    target: Any, delineation: Any, alpha: float, omega: float, gamma: float, step: float = 0.1
) -> tuple[float, float]:
    """Return RandCrowns and IoU of one pair (see :func:`step_regions` for the arguments)."""
    return score_pair(step_regions(target, alpha, omega, gamma, step), target, delineation)


def algorithm_1_arrays(
    targets: Objects,
    delineations: Objects,
    target: Ints,
    delineation: Ints,
    alpha: float,
    omega: float,
    gamma: float,
    step: float | None = 0.1,
) -> tuple[Floats, Floats]:
    """Return RandCrowns and IoU of pairs, with whole arrays in every step and overlay.

    Areas of differences follow from those of intersections, so that each pair requires only four
    overlays.

    Args:
        targets: (m,) polygons.
        delineations: (k,) polygons.
        target: (n,) row of each pair's target.
        delineation: (n,) row of each pair's delineation.
        alpha: inner tolerance, m.
        omega: outer tolerance, m.
        gamma: ratio of the edge's area to that of T(-alpha).
        step: step of the edge's width, m; None solves for it by secants, which is a better
            algorithm than the paper's.

    Returns:
        (n,) RandCrowns and (n,) IoU.
    """
    certain = shapely.buffer(targets, -alpha, quad_segs=_QUAD_SEGS)
    tolerated = shapely.buffer(targets, omega, quad_segs=_QUAD_SEGS)
    certain_area = shapely.area(certain)
    tolerated_area = shapely.area(tolerated)
    max_area = gamma * certain_area + tolerated_area
    if step is None:
        edge = _edges_by_secants(tolerated, tolerated_area, max_area)
    else:
        edge = _edges_in_steps(tolerated, max_area, 2 * gamma * omega, step)

    drawn = delineations[delineation]
    drawn_area = shapely.area(drawn)
    target_area = shapely.area(targets)[target]
    in_certain, in_tolerated, in_edge, shared = (
        shapely.area(shapely.intersection(drawn, regions[target]))
        for regions in (certain, tolerated, edge, targets)
    )
    ring_area = (shapely.area(edge) - tolerated_area)[target]
    a = in_certain**2
    b = (ring_area - (in_edge - in_tolerated)) ** 2
    c = (drawn_area - in_tolerated) ** 2
    d = (certain_area[target] - in_certain) ** 2
    iou = shared / (drawn_area + target_area - shared)
    with np.errstate(invalid="ignore"):
        return np.where(a == 0, 0.0, (a + b) / (a + b + c + d)), iou


def _edges_in_steps(tolerated: Objects, max_area: Floats, max_width: float, step: float) -> Objects:
    """Return (m,) regions T(omega + tau), all shrunk in steps from the maximum width.

    Args:
        tolerated: (m,) regions T(omega).
        max_area: (m,) maximum areas of the results, m².
        max_width: first width, m.
        step: step of the width, m.
    """
    width = np.full(len(tolerated), max_width)
    edge = shapely.buffer(tolerated, width, quad_segs=_QUAD_SEGS)
    rows = np.arange(len(tolerated))
    while True:
        rows = rows[(width[rows] > step) & (shapely.area(edge[rows]) > max_area[rows])]
        if len(rows) == 0:
            return edge
        width[rows] -= step
        edge[rows] = shapely.buffer(tolerated[rows], width[rows], quad_segs=_QUAD_SEGS)


def _edges_by_secants(tolerated: Objects, tolerated_area: Floats, wanted_area: Floats) -> Objects:
    """Return (m,) regions T(omega + tau) whose areas are within a millionth of the wanted ones.

    The first width is exact for discs.
    """
    perimeter = shapely.length(tolerated)
    ring_area = wanted_area - tolerated_area
    previous_width = np.zeros(len(tolerated))
    previous_area = tolerated_area
    width = 2 * ring_area / (perimeter + np.sqrt(perimeter**2 + 4 * np.pi * ring_area))
    while True:
        edge = shapely.buffer(tolerated, width, quad_segs=_QUAD_SEGS)
        area = shapely.area(edge)
        if (np.abs(area - wanted_area) <= 1e-6 * wanted_area).all():
            return edge
        width_change = np.where(width == previous_width, 1.0, width - previous_width)
        slope = (area - previous_area) / width_change
        previous_width = width
        previous_area = area
        width = width + (wanted_area - area) / slope


def _box_tau(width: float, height: float, alpha: float, omega: float, gamma: float) -> float:
    """Return tau of a box, m, with the corners of its buffers kept square."""
    P = width + height + 4 * omega
    R_a = (width - 2 * alpha) * (height - 2 * alpha)
    return (-P + math.sqrt(P * P + 4 * gamma * R_a)) / 4


def pixel_sets(
    target: tuple[float, ...],
    delineation: tuple[float, ...],
    alpha: float,
    omega: float,
    gamma: float,
    pixel: float,
) -> tuple[float, float]:
    """Return RandCrowns and IoU of two boxes as sets of pixels.

    The authors' toolbox counts pixels in this way.

    Args:
        target: bounds (left, bottom, right, top), m.
        delineation: bounds, m.
        alpha: inner tolerance, m.
        omega: outer tolerance, m.
        gamma: ratio of the edge's area to that of T(-alpha).
        pixel: size of a pixel, m.
    """

    def pixels(bounds: tuple[float, ...], distance: float) -> set[tuple[int, int]]:
        """Return the pixels of bounds that are extended by a distance."""
        left, bottom, right, top = bounds
        columns = range(round((left - distance) / pixel), round((right + distance) / pixel))
        rows = range(round((bottom - distance) / pixel), round((top + distance) / pixel))
        return {(x, y) for x in columns for y in rows}

    left, bottom, right, top = target
    tau = _box_tau(right - left, top - bottom, alpha, omega, gamma)
    drawn = pixels(delineation, 0)
    target_pixels = pixels(target, 0)
    certain = pixels(target, -alpha)
    tolerated = pixels(target, omega)
    edge = pixels(target, omega + tau)
    negative = (edge | drawn) - tolerated
    score = _randcrowns(
        len(drawn & certain) ** 2,
        len(negative - drawn) ** 2,
        len(drawn & negative) ** 2,
        len(certain - drawn) ** 2,
    )
    return score, len(drawn & target_pixels) / len(drawn | target_pixels)


def pixel_masks(
    target: tuple[float, ...],
    delineation: tuple[float, ...],
    alpha: float,
    omega: float,
    gamma: float,
    pixel: float,
) -> tuple[float, float]:
    """Return the same as :func:`pixel_sets`, computed with numpy masks.

    The masks cover the pixels that either box can contain.
    """
    left, bottom, right, top = target
    tau = _box_tau(right - left, top - bottom, alpha, omega, gamma)
    reach = omega + tau
    west = round(min(left - reach, delineation[0]) / pixel)
    south = round(min(bottom - reach, delineation[1]) / pixel)
    east = round(max(right + reach, delineation[2]) / pixel)
    north = round(max(top + reach, delineation[3]) / pixel)

    def mask(bounds: tuple[float, ...], distance: float) -> np.ndarray:
        """Return the mask of bounds that are extended by a distance."""
        xmin, ymin, xmax, ymax = bounds
        inside = np.zeros((north - south, east - west), dtype=bool)
        first_row = round((ymin - distance) / pixel) - south
        last_row = round((ymax + distance) / pixel) - south
        first_column = round((xmin - distance) / pixel) - west
        last_column = round((xmax + distance) / pixel) - west
        inside[first_row:last_row, first_column:last_column] = True
        return inside

    drawn = mask(delineation, 0)
    target_mask = mask(target, 0)
    certain = mask(target, -alpha)
    tolerated = mask(target, omega)
    edge = mask(target, reach)
    negative = (edge | drawn) & ~tolerated
    score = _randcrowns(
        np.count_nonzero(drawn & certain) ** 2,
        np.count_nonzero(negative & ~drawn) ** 2,
        np.count_nonzero(drawn & negative) ** 2,
        np.count_nonzero(certain & ~drawn) ** 2,
    )
    iou = np.count_nonzero(drawn & target_mask) / np.count_nonzero(drawn | target_mask)
    return score, iou
