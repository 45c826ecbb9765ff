"""The ways to score crowns that the benchmarks compare with: plain loops, as one would write them from the paper."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["algorithm_1", "pixel_sets"]


def algorithm_1(
    target: Any, delineation: Any, alpha: float, omega: float, gamma: float, step: float = 0.1
) -> tuple[float, float]:
    """RandCrowns and IoU of one pair: Algorithm 1 of the paper, buffer by buffer, in shapely.

    The outer boundary starts at 2·gamma·omega and shrinks by ``step`` until the area ratio is at most gamma.
    """
    certain = target.buffer(-alpha, quad_segs=16)
    tolerated = target.buffer(omega, quad_segs=16)
    width = 2 * gamma * omega
    edge = tolerated.buffer(width, quad_segs=16)
    while width > step and edge.difference(tolerated).area / certain.area > gamma:
        width -= step
        edge = tolerated.buffer(width, quad_segs=16)
    negative = edge.union(delineation).difference(tolerated)
    a = delineation.intersection(certain).area ** 2
    b = negative.difference(delineation).area ** 2
    c = delineation.intersection(negative).area ** 2
    d = certain.difference(delineation).area ** 2
    shared = delineation.intersection(target).area
    iou = shared / (delineation.area + target.area - shared)
    return (0.0 if a == 0 else (a + b) / (a + b + c + d)), iou


def pixel_sets(
    target: tuple[float, ...], delineation: tuple[float, ...], alpha: float, omega: float, gamma: float, pixel: float
) -> tuple[float, float]:
    """RandCrowns and IoU of two boxes (bounds) as sets of pixels, the way the authors' toolbox counts them."""

    def pixels(bounds: tuple[float, ...], grow: float) -> set[tuple[int, int]]:
        left, bottom, right, top = bounds
        columns = range(round((left - grow) / pixel), round((right + grow) / pixel))
        rows = range(round((bottom - grow) / pixel), round((top + grow) / pixel))
        return {(x, y) for x in columns for y in rows}

    left, bottom, right, top = target
    P = (right - left) + (top - bottom) + 4 * omega
    R_a = (right - left - 2 * alpha) * (top - bottom - 2 * alpha)
    tau = (-P + math.sqrt(P * P + 4 * gamma * R_a)) / 4
    drawn, whole = pixels(delineation, 0), pixels(target, 0)
    certain, tolerated, edge = pixels(target, -alpha), pixels(target, omega), pixels(target, omega + tau)
    negative = (edge | drawn) - tolerated
    a, b = len(drawn & certain) ** 2, len(negative - drawn) ** 2
    c, d = len(drawn & negative) ** 2, len(certain - drawn) ** 2
    return (0.0 if a == 0 else (a + b) / (a + b + c + d)), len(drawn & whole) / len(drawn | whole)
