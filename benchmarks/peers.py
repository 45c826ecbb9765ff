"""The ways to score crowns that the benchmarks compare with, as one would write them from the paper.

Algorithm 1 shrinks the outer boundary from 2·gamma·omega in steps until the area ratio is at most gamma. As nested
regions differ by their areas, no step needs an overlay, and a target's regions serve all of its delineations.
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
    "step_regions",
    "terms",
]

_QUAD_SEGS = 16


class StepRegions(NamedTuple):
    """T(-alpha), T(omega) and T(omega + tau) of a target."""

    certain: Any
    tolerated: Any
    edge: Any


def step_regions(
    target: Any, alpha: float, omega: float, gamma: float, step: float = 0.1
) -> StepRegions:
    """The regions of one target, the edge shrunk in steps."""
    certain = target.buffer(-alpha, quad_segs=_QUAD_SEGS)
    tolerated = target.buffer(omega, quad_segs=_QUAD_SEGS)
    most = gamma * certain.area + tolerated.area
    width = 2 * gamma * omega
    edge = tolerated.buffer(width, quad_segs=_QUAD_SEGS)
    while width > step and edge.area > most:
        width -= step
        edge = tolerated.buffer(width, quad_segs=_QUAD_SEGS)
    return StepRegions(certain, tolerated, edge)


def terms(regions: StepRegions, target: Any, delineation: Any) -> tuple[float, float]:
    """RandCrowns and IoU of a target, whose regions are known, and one delineation."""
    negative = regions.edge.union(delineation).difference(regions.tolerated)
    a = delineation.intersection(regions.certain).area ** 2
    b = negative.difference(delineation).area ** 2
    c = delineation.intersection(negative).area ** 2
    d = regions.certain.difference(delineation).area ** 2
    shared = delineation.intersection(target).area
    iou = shared / (delineation.area + target.area - shared)
    return (0.0 if a == 0 else (a + b) / (a + b + c + d)), iou


def algorithm_1(
    target: Any, delineation: Any, alpha: float, omega: float, gamma: float, step: float = 0.1
) -> tuple[float, float]:
    """RandCrowns and IoU of one pair."""
    return terms(step_regions(target, alpha, omega, gamma, step), target, delineation)


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
    """RandCrowns and IoU of all pairs, given by their rows: every step and every overlay for whole arrays at once.

    Areas of differences come from those of intersections, so that each pair is overlaid four times only. Without a
    step the edge is solved for by secants, which is a better algorithm than the paper's.
    """
    certain = shapely.buffer(targets, -alpha, quad_segs=_QUAD_SEGS)
    tolerated = shapely.buffer(targets, omega, quad_segs=_QUAD_SEGS)
    inner, outer = shapely.area(certain), shapely.area(tolerated)
    most = gamma * inner + outer
    if step is None:
        edge = _edges_by_secants(tolerated, outer, most)
    else:
        edge = _edges_in_steps(tolerated, most, 2 * gamma * omega, step)
    drawn = delineations[delineation]
    whole, area = shapely.area(drawn), shapely.area(targets)[target]
    in_certain, in_tolerated, in_edge, shared = (
        shapely.area(shapely.intersection(drawn, regions[target]))
        for regions in (certain, tolerated, edge, targets)
    )
    ring = (shapely.area(edge) - outer)[target]
    a, b = in_certain**2, (ring - (in_edge - in_tolerated)) ** 2
    c, d = (whole - in_tolerated) ** 2, (inner[target] - in_certain) ** 2
    with np.errstate(invalid="ignore"):
        return np.where(a == 0, 0.0, (a + b) / (a + b + c + d)), shared / (whole + area - shared)


def _edges_in_steps(tolerated: Objects, most: Floats, widest: float, step: float) -> Objects:
    width = np.full(len(tolerated), widest)
    edge = shapely.buffer(tolerated, width, quad_segs=_QUAD_SEGS)
    left = np.arange(len(tolerated))
    while True:
        left = left[(width[left] > step) & (shapely.area(edge[left]) > most[left])]
        if len(left) == 0:
            return edge
        width[left] -= step
        edge[left] = shapely.buffer(tolerated[left], width[left], quad_segs=_QUAD_SEGS)


def _edges_by_secants(tolerated: Objects, outer: Floats, most: Floats) -> Objects:
    """Edges whose areas are off by a millionth at most, from a first width that is right for discs."""
    around = shapely.length(tolerated)
    before, area_before = np.zeros(len(tolerated)), outer
    width = 2 * (most - outer) / (around + np.sqrt(around**2 + 4 * np.pi * (most - outer)))
    while True:
        edge = shapely.buffer(tolerated, width, quad_segs=_QUAD_SEGS)
        area = shapely.area(edge)
        if (np.abs(area - most) <= 1e-6 * most).all():
            return edge
        growth = (area - area_before) / np.where(width == before, 1.0, width - before)
        before, area_before, width = width, area, width + (most - area) / growth


def _box_tau(length: float, height: float, alpha: float, omega: float, gamma: float) -> float:
    P = length + height + 4 * omega
    R_a = (length - 2 * alpha) * (height - 2 * alpha)
    return (-P + math.sqrt(P * P + 4 * gamma * R_a)) / 4


def pixel_sets(
    target: tuple[float, ...],
    delineation: tuple[float, ...],
    alpha: float,
    omega: float,
    gamma: float,
    pixel: float,
) -> tuple[float, float]:
    """RandCrowns and IoU of two boxes (bounds) as sets of pixels, the way the authors' toolbox counts them."""

    def pixels(bounds: tuple[float, ...], grow: float) -> set[tuple[int, int]]:
        left, bottom, right, top = bounds
        columns = range(round((left - grow) / pixel), round((right + grow) / pixel))
        rows = range(round((bottom - grow) / pixel), round((top + grow) / pixel))
        return {(x, y) for x in columns for y in rows}

    left, bottom, right, top = target
    tau = _box_tau(right - left, top - bottom, alpha, omega, gamma)
    drawn, whole = pixels(delineation, 0), pixels(target, 0)
    certain, tolerated, edge = (
        pixels(target, -alpha),
        pixels(target, omega),
        pixels(target, omega + tau),
    )
    negative = (edge | drawn) - tolerated
    a, b = len(drawn & certain) ** 2, len(negative - drawn) ** 2
    c, d = len(drawn & negative) ** 2, len(certain - drawn) ** 2
    return (0.0 if a == 0 else (a + b) / (a + b + c + d)), len(drawn & whole) / len(drawn | whole)


def pixel_masks(
    target: tuple[float, ...],
    delineation: tuple[float, ...],
    alpha: float,
    omega: float,
    gamma: float,
    pixel: float,
) -> tuple[float, float]:
    """As :func:`pixel_sets`, with numpy masks over the pixels that either box can reach."""
    left, bottom, right, top = target
    tau = _box_tau(right - left, top - bottom, alpha, omega, gamma)
    reach = omega + tau
    west = round(min(left - reach, delineation[0]) / pixel)
    south = round(min(bottom - reach, delineation[1]) / pixel)
    east = round(max(right + reach, delineation[2]) / pixel)
    north = round(max(top + reach, delineation[3]) / pixel)

    def mask(bounds: tuple[float, ...], grow: float) -> np.ndarray:
        xmin, ymin, xmax, ymax = bounds
        found = np.zeros((north - south, east - west), dtype=bool)
        rows = slice(round((ymin - grow) / pixel) - south, round((ymax + grow) / pixel) - south)
        found[rows, round((xmin - grow) / pixel) - west : round((xmax + grow) / pixel) - west] = (
            True
        )
        return found

    drawn, whole = mask(delineation, 0), mask(target, 0)
    certain, tolerated, edge = mask(target, -alpha), mask(target, omega), mask(target, reach)
    negative = (edge | drawn) & ~tolerated
    a, b = np.count_nonzero(drawn & certain) ** 2, np.count_nonzero(negative & ~drawn) ** 2
    c, d = np.count_nonzero(drawn & negative) ** 2, np.count_nonzero(certain & ~drawn) ** 2
    iou = np.count_nonzero(drawn & whole) / np.count_nonzero(drawn | whole)
    return (0.0 if a == 0 else (a + b) / (a + b + c + d)), iou
