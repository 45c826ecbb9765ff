"""RandCrowns as written in the paper: sets of points, one pair at a time, tau by bracketing.

The code is slow on purpose.
"""

from __future__ import annotations

from typing import NamedTuple

import shapely
from scipy.optimize import brentq


class Literal(NamedTuple):
    randcrowns: float
    iou: float
    iou_crowns: float
    a: float
    b: float
    c: float
    d: float
    tau: float
    ratio: float


def is_rectangle(polygon: shapely.Geometry) -> bool:
    return polygon.geom_type == "Polygon" and polygon.equals(shapely.box(*polygon.bounds))


def offset(
    polygon: shapely.Geometry, distance: float, square: bool, quad_segs: int = 16
) -> shapely.Geometry:
    return polygon.buffer(distance, quad_segs=quad_segs, join_style="mitre" if square else "round")


def score(
    target,
    delineation,
    alpha: float,
    omega: float,
    gamma: float,
    extent=None,
    square: bool | None = None,
):
    """All terms and scores of one pair; ``square`` None for the paper's own choice (boxes
    square, others round).
    """
    square = is_rectangle(target) if square is None else square

    def region(distance: float):
        grown = offset(target, distance, square)
        return grown if extent is None else grown.intersection(extent)

    R_a, R_o = region(-alpha), region(omega)

    def lacking(tau: float) -> float:
        return gamma * R_a.area - (region(omega + tau).area - R_o.area)

    high = 1.0
    while lacking(high) > 0 and high < 1e3:
        high *= 2
    tau = (
        0.0
        if R_a.is_empty
        else high
        if lacking(high) > 0
        else brentq(lacking, 0.0, high, xtol=1e-14, rtol=1e-15)
    )
    R_e = region(omega + tau)
    R_b = R_e.union(delineation).difference(R_o)
    a = delineation.intersection(R_a).area ** 2
    b = R_b.difference(delineation).area ** 2
    c = delineation.intersection(R_b).area ** 2
    d = R_a.difference(delineation).area ** 2
    whole = region(0.0)
    iou = delineation.intersection(whole).area / delineation.union(whole).area
    randcrowns = 0.0 if a == 0 else (a + b) / (a + b + c + d)
    iou_crowns = 0.0 if a == 0 else a / (a + c + d)
    ratio = (R_e.area - R_o.area) / R_a.area if R_a.area else float("nan")
    return Literal(randcrowns, iou, iou_crowns, a, b, c, d, tau, ratio)
