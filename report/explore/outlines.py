"""Outlines as whole numbers: the vertices of all rings one after the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Ints, Objects

#: Number of steps of the coordinates in the longer side of all outlines. It leaves room in 32 bits.
_MAXIMUM_STEPS = 2**30
#: Smallest step of coordinates, units of the page: a centimetre.
_SMALLEST_STEP = 0.01


class EncodedOutlines(NamedTuple):
    """Outlines as arrays of whole numbers.

    Attributes:
        coordinates: (2 v,) x and y of v vertices in turn, in steps. All but the first vertex of a
            ring are differences from the vertex before.
        ring_sizes: (r,) number of vertices of each ring, without the closing vertex.
        rings_per_outline: (n,) number of rings of each outline; 0 without an outline. Shells and
            holes are not distinguished, since the page fills by the even-odd rule.
        step: size of a step, units of the page.
    """

    coordinates: Ints
    ring_sizes: Ints
    rings_per_outline: Ints
    step: float


def encode_outlines(shapes: Objects) -> EncodedOutlines:
    """Return outlines as arrays of whole numbers.

    Args:
        shapes: (n,) shapely polygons or multipolygons in coordinates of the page, or None.

    >>> encoded = encode_outlines(np.array([shapely.box(0, 0, 2, 1), None]))
    >>> encoded.rings_per_outline.tolist(), encoded.ring_sizes.tolist()
    ([1, 0], [4])
    """
    rings, outline_of_ring = _rings_of(shapes)
    rings_per_outline = np.bincount(outline_of_ring, minlength=len(shapes)).astype(np.int64)
    step = _choose_step(rings)
    vertices, ring_of_vertex = shapely.get_coordinates(rings, return_index=True)
    steps = np.round(vertices / step).astype(np.int64)

    # The last vertex of a ring repeats the first one.
    is_last = np.append(np.diff(ring_of_vertex) != 0, True)[: len(steps)]
    steps = steps[~is_last]
    ring_of_vertex = ring_of_vertex[~is_last]
    is_first = np.append(True, np.diff(ring_of_vertex) != 0)[: len(steps)]
    differences = np.diff(steps, axis=0, prepend=np.zeros((1, 2), dtype=np.int64))
    coordinates = np.where(is_first[:, np.newaxis], steps, differences)
    ring_sizes = np.bincount(ring_of_vertex, minlength=len(rings)).astype(np.int64)
    return EncodedOutlines(coordinates.ravel(), ring_sizes, rings_per_outline, step)


def find_bounds(shapes: Objects) -> tuple[float, float, float, float] | None:
    """Return left, bottom, right and top of all outlines; None if there are none.

    Args:
        shapes: (n,) shapely geometries, or None.

    >>> find_bounds(np.array([shapely.box(0, 0, 2, 1), None]))
    (0.0, 0.0, 2.0, 1.0)
    """
    bounds = shapely.bounds(shapes).reshape(-1, 4)
    finite_bounds = bounds[np.isfinite(bounds).all(axis=1)]
    if not len(finite_bounds):
        return None
    left, bottom = finite_bounds[:, :2].min(axis=0)
    right, top = finite_bounds[:, 2:].max(axis=0)
    return float(left), float(bottom), float(right), float(top)


def _rings_of(shapes: Objects) -> tuple[Objects, Ints]:
    """Return all rings of polygons, and the index of the polygon of each ring."""
    parts, outline_of_part = shapely.get_parts(shapes, return_index=True)
    is_polygon = shapely.get_type_id(parts) == shapely.GeometryType.POLYGON.value
    rings, part_of_ring = shapely.get_rings(parts[is_polygon], return_index=True)
    return rings, outline_of_part[is_polygon][part_of_ring]


def _choose_step(rings: Objects) -> float:
    """Return the size of a step: a centimetre, or more for very large extents."""
    bounds = find_bounds(rings)
    if bounds is None:
        return _SMALLEST_STEP
    return max(_SMALLEST_STEP, max(map(abs, bounds)) / _MAXIMUM_STEPS)
