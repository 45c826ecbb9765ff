"""Faces between many outlines, worked on rectangle by rectangle.

One call for a whole forest would take minutes in which nobody can cancel. The outlines are sorted into rectangles of
about equally many segments; each rectangle's own segments, whole and unmoved, are cut at their crossings and joined to
faces together with the rectangle's border. Faces along a border are pieces, to be joined again once their owner is
known.

Outlines that are the same but for rounding enclose slivers, which neither move to other coordinates nor join again.
Where there are any, everything is cut once more with all corners on a grid; that takes longer, and leaves few of them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.progress import Progress, in_threads, no_progress, part_of

#: Most segments in one rectangle: less than a tenth of a second of work, some of which holds Python's lock.
SEGMENTS = 5_000

# A sliver as long as so many of its widths runs along an edge; a shorter one is the corner of a crossing.
_LONG = 1000


class Faces(NamedTuple):
    """Faces that cover everything within the outlines once.

    Attributes:
        polygons: (F,) polygons.
        on_seam: (F,) whether the face is a piece that ends at a border between rectangles.
    """

    polygons: Objects
    on_seam: Bools


def faces_between(
    outlines: Objects,
    progress: Progress = no_progress,
    most_segments: int = SEGMENTS,
    rounding: float = 0.0,
) -> Faces:
    """All faces that lines enclose; those outside of every outline may be among them when there are seams.

    Args:
        outlines: (n,) lines.
        progress: receives the fraction done.
        most_segments: most segments in one rectangle.
        rounding: distance below which outlines are the same, a power of two; metres.
    """
    faces = _cut_once(outlines, 0.0, most_segments, part_of(progress, 0.0, 0.4))
    if are_slivers(faces.polygons, rounding, _LONG * rounding).any():
        faces = _cut_once(outlines, rounding, most_segments, part_of(progress, 0.4, 1.0))
    progress(1.0)
    return faces


def _cut_once(outlines: Objects, grid: float, most_segments: int, progress: Progress) -> Faces:
    lines = shapely.get_parts(outlines)
    coordinates, line = shapely.get_coordinates(lines, return_index=True)
    first = np.flatnonzero(line[:-1] == line[1:]) if len(line) else np.empty(0, dtype=np.int64)
    if len(first) <= most_segments:
        polygons = _polygonized(lines, grid)
        return Faces(polygons, np.zeros(len(polygons), dtype=bool))

    low = np.minimum(coordinates[first], coordinates[first + 1])
    high = np.maximum(coordinates[first], coordinates[first + 1])
    margin = np.ptp(coordinates, axis=0).max() / 100
    whole = np.concatenate([coordinates.min(axis=0) - margin, coordinates.max(axis=0) + margin])
    if grid:
        whole = np.round(whole / grid) * grid
    rectangles = _rectangles(whole, np.arange(len(first)), low, high, most_segments, grid)

    def faces_of(rectangle: tuple[Floats, Ints]) -> Faces:
        bounds, segment = rectangle
        runs = _runs(coordinates, line, first[segment])
        polygons = _polygonized(np.append(runs, shapely.boundary(shapely.box(*bounds))), grid)
        inner = shapely.get_coordinates(shapely.point_on_surface(polygons))
        polygons = polygons[((inner > bounds[:2]) & (inner < bounds[2:])).all(axis=1)]
        extent = shapely.bounds(polygons)
        reach = np.concatenate([extent[:, :2] - bounds[:2], bounds[2:] - extent[:, 2:]], axis=1)
        return Faces(polygons, (reach <= 1e-9 * np.abs(whole).max()).any(axis=1))

    return Faces(*map(np.concatenate, zip(*in_threads(faces_of, rectangles, progress, most=4))))


def join_pieces(faces: Faces, owner: Ints, progress: Progress = no_progress) -> tuple[Objects, Ints]:
    """Join the pieces of the same owner across the seams.

    Args:
        faces: faces and pieces.
        owner: (F,) number of the owner of each face; pieces of one owner that touch along a seam become one face.
        progress: receives the fraction of owners done.

    Returns:
        The polygons and their owners; those without a seam first, as they were.
    """
    if not faces.on_seam.any():
        return faces.polygons, owner
    pieces, owner_of_piece = faces.polygons[faces.on_seam], owner[faces.on_seam]
    order = np.argsort(owner_of_piece, kind="stable")
    owners, start = np.unique(owner_of_piece[order], return_index=True)
    polygons, numbers = [faces.polygons[~faces.on_seam]], [owner[~faces.on_seam]]
    for place, (number, same) in enumerate(zip(owners, np.split(pieces[order], start[1:]))):
        joined = shapely.get_parts(shapely.union_all(same))
        polygons.append(joined)
        numbers.append(np.full(len(joined), number))
        progress((place + 1) / len(owners))
    return np.concatenate(polygons), np.concatenate(numbers)


def _polygonized(lines: Objects, grid: float) -> Objects:
    pieces = shapely.get_parts(shapely.union_all(lines, grid_size=grid or None))
    return np.asarray(shapely.get_parts(shapely.polygonize(pieces)), dtype=object)


def _rectangles(
    bounds: Floats, segment: Ints, low: Floats, high: Floats, most: int, grid: float
) -> list[tuple[Floats, Ints]]:
    """Split a rectangle at the median of its segments until few are in each; segments across a border are in both."""
    if len(segment) <= most:
        return [(bounds, segment)]
    axis = int(np.argmax(bounds[2:] - bounds[:2]))
    at = float(np.median((low[segment, axis] + high[segment, axis]) / 2))
    if grid:
        at = round(at / grid) * grid
    before, after = segment[low[segment, axis] <= at], segment[high[segment, axis] >= at]
    if max(len(before), len(after)) > 0.9 * len(segment) or not bounds[axis] < at < bounds[axis + 2]:
        return [(bounds, segment)]
    left, right = bounds.copy(), bounds.copy()
    left[axis + 2] = right[axis] = at
    return _rectangles(left, before, low, high, most, grid) + _rectangles(right, after, low, high, most, grid)


def _runs(coordinates: Floats, line: Ints, first: Ints) -> Objects:
    """Lines made of the segments that start at coordinates ``first``; neighbours on one line stay together."""
    used = np.zeros(len(coordinates), dtype=bool)
    used[first] = used[first + 1] = True
    place = np.flatnonzero(used)
    new = (np.diff(place) != 1) | (np.diff(line[place]) != 0)
    run = np.concatenate([[0], np.cumsum(new)])
    return np.asarray(shapely.linestrings(coordinates[place], indices=run), dtype=object)


# Rounding of a coordinate, times what a reprojection there and back and a crossing add to it: 2e-7 m in UTM.
_RELATIVE_WIDTH = 2.0**-44


class SharedEdges:
    """The edges of polygons; edges between the same two corners have the same number, whatever their direction.

    Attributes:
        number: (E,) number of the edge.
        polygon: (E,) the polygon that has it.
        ends: (E, 2, 2) its corners.
    """

    def __init__(self, polygons: Objects) -> None:
        rings, polygon = shapely.get_rings(polygons, return_index=True)
        coordinates, ring = shapely.get_coordinates(rings, return_index=True)
        corner, distinct = pd.factorize(coordinates[:, 0] + 1j * coordinates[:, 1])
        first = np.flatnonzero(ring[:-1] == ring[1:])
        one, other = corner[first].astype(np.int64), corner[first + 1].astype(np.int64)
        self.number, _ = pd.factorize(np.minimum(one, other) * len(distinct) + np.maximum(one, other))
        self.polygon = polygon[ring[first]]
        self.ends = np.stack([coordinates[first], coordinates[first + 1]], axis=1)


def rounding_width(coordinates: Floats) -> float:
    """Width below which a face between outlines is due to rounding, from the size of the coordinates; metres.

    A power of two: multiples of it stay exact when they are moved.
    """
    largest = float(np.abs(coordinates).max(initial=0.0))
    return math.ldexp(_RELATIVE_WIDTH, math.frexp(largest)[1]) if largest else 0.0


def are_slivers(faces: Objects, width: float, length: float = 0.0) -> Bools:
    """Which of (F,) polygons are narrower than a width, and longer than a length; metres."""
    around = shapely.length(faces)
    return np.asarray((2 * shapely.area(faces) < width * around) & (around > 2 * length))


def sliver_hosts(faces: Objects, width: float) -> Ints:
    """For each face the one it belongs to: itself, or for a sliver the neighbour it shares most of its outline with.

    Args:
        faces: (F,) polygons of one overlay, which meet corner to corner.
        width: faces narrower than this are slivers, metres. Those without any wider neighbour stay.
    """
    hosts = np.arange(len(faces))
    sliver = are_slivers(faces, width)
    if not sliver.any():
        return hosts
    edges = SharedEdges(faces)
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
