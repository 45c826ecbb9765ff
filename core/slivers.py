"""Slivers between outlines that are the same but for rounding.

Outlines that were stored in another coordinate system, or got corners on their edges, follow each other at distances
of 1e-10 to 1e-8 m. The overlay cuts faces of no width between them, each marked by one annotator and not by the other;
counted as decisions they would tell identical annotators apart.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import shapely
from numpy.typing import NDArray

__all__ = ["Edges", "are_slivers", "rounding_width", "sliver_hosts"]

# Rounding of a coordinate, times what a reprojection there and back and a crossing add to it: 2e-7 m in UTM.
_RELATIVE_WIDTH = 2.0**-44


class Edges:
    """The edges of polygons; edges between the same two corners have the same number, whatever their direction.

    Attributes:
        number: (E,) number of the edge.
        polygon: (E,) the polygon that has it.
        ends: (E, 2, 2) its corners.
    """

    def __init__(self, polygons: NDArray[np.object_]) -> None:
        rings, polygon = shapely.get_rings(polygons, return_index=True)
        coordinates, ring = shapely.get_coordinates(rings, return_index=True)
        corner, distinct = pd.factorize(coordinates[:, 0] + 1j * coordinates[:, 1])
        first = np.flatnonzero(ring[:-1] == ring[1:])
        one, other = corner[first].astype(np.int64), corner[first + 1].astype(np.int64)
        self.number, _ = pd.factorize(np.minimum(one, other) * len(distinct) + np.maximum(one, other))
        self.polygon = polygon[ring[first]]
        self.ends = np.stack([coordinates[first], coordinates[first + 1]], axis=1)


def rounding_width(coordinates: NDArray[np.float64]) -> float:
    """Width below which a face between outlines is due to rounding, from the size of the coordinates; metres.

    A power of two: multiples of it stay exact when they are moved.
    """
    largest = float(np.abs(coordinates).max(initial=0.0))
    return math.ldexp(_RELATIVE_WIDTH, math.frexp(largest)[1]) if largest else 0.0


def are_slivers(faces: NDArray[np.object_], width: float, length: float = 0.0) -> NDArray[np.bool_]:
    """Which of (F,) polygons are narrower than a width, and longer than a length; metres."""
    around = shapely.length(faces)
    return np.asarray((2 * shapely.area(faces) < width * around) & (around > 2 * length))


def sliver_hosts(faces: NDArray[np.object_], width: float) -> NDArray[np.int64]:
    """For each face the one it belongs to: itself, or for a sliver the neighbour it shares most of its outline with.

    Args:
        faces: (F,) polygons of one overlay, which meet corner to corner.
        width: faces narrower than this are slivers, metres. Those without any wider neighbour stay.
    """
    hosts = np.arange(len(faces))
    sliver = are_slivers(faces, width)
    if not sliver.any():
        return hosts
    edges = Edges(faces)
    order = np.argsort(edges.number, kind="stable")
    twice = np.flatnonzero(np.diff(edges.number[order]) == 0)
    one, other = edges.polygon[order[twice]], edges.polygon[order[twice + 1]]
    shared = np.hypot(*(edges.ends[order[twice], 0] - edges.ends[order[twice], 1]).T)
    pairs = pd.DataFrame(
        {"sliver": np.append(one, other), "neighbour": np.append(other, one), "shared": np.append(shared, shared)}
    )
    pairs = pairs[sliver[pairs["sliver"]]].groupby(["sliver", "neighbour"], as_index=False)["shared"].sum()
    pairs = pairs.sort_values(["sliver", "shared"], ascending=[True, False], kind="stable")
    while len(pairs):
        found = pairs[~sliver[pairs["neighbour"]]].drop_duplicates("sliver")
        if found.empty:
            break
        hosts[found["sliver"]] = hosts[found["neighbour"]]
        sliver[found["sliver"]] = False
        pairs = pairs[sliver[pairs["sliver"]]]
    return hosts
