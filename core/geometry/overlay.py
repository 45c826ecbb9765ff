"""The exact overlay of several people's polygons: every face, with who marked it.

All outlines are cut at their crossings once, the pieces are joined to faces, and an inner point of each face tells
whose polygons cover it. The annotators' polygons are never clipped beforehand: that would move their corners by
rounding and leave slivers along the study area's edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import scipy.sparse.csgraph
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects, let_go, parts_of, slices
from randcrowns.core.crowns import POLYGONAL
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import centre_of, cut_to, meeting_pairs, polygonal, to_origin
from randcrowns.core.geometry.polygon_file import PolygonFile
from randcrowns.core.progress import Progress, in_threads, no_progress, part_of, steps
from randcrowns.core.systems import geometry_array

# Polygons worked on between two looks at the progress.
_BATCH = 500
# Of its width, how far from a face's outline the point inside of it is.
_CLEAR = 1e-3


class Overlay(NamedTuple):
    """Faces of K annotators' overlaid polygons within the study area."""

    faces: PolygonFile  #: F that do not overlap; what nobody marked may be cut into several at straight lines.
    decisions: Bools  #: (F, K) bool, who marked the face.
    areas: Floats  #: (F,) their areas.
    n_repaired: int  #: number of polygons that had to be repaired.


def overlay_faces(
    layers: Sequence[Any], area: Any = None, progress: Progress = no_progress
) -> Overlay:
    """Overlay K annotators' polygons: None and empty ones are skipped, invalid ones repaired, overlapping ones united.

    A layer is an array, one geometry, or an object with a ``geometry`` array. The study area is one polygon or several;
    without it only faces that somebody marked are returned.
    """
    scene = Scene(layers, area, progress)
    cut = Cut(scene.outlines, scene.rounding, SEGMENTS)
    told: list[tuple[Array, Bools]] = []

    def made(grid: float, share: Progress) -> Iterator[Objects]:
        told.clear()
        work = partial(scene.faces_of, cut, grid=grid)
        for faces, code, inside, too_fine in in_threads(work, cut.rectangles, share, most=4):
            if too_fine:
                return
            # What nobody marked is no place to look at; it may stay in pieces.
            told.append((code[inside], (faces.on_seam & (code > 0))[inside]))
            yield faces.polygons[inside]

    faces = PolygonFile(made(0.0, part_of(progress, 0.3, 0.5)), scene.origin)
    if len(told) < len(cut.rectangles):
        faces = PolygonFile(made(scene.rounding, part_of(progress, 0.5, 0.9)), scene.origin)
    code, pieces = (np.concatenate(some) for some in zip(*told))
    code = join_pieces(faces, code, pieces, part_of(progress, 0.9, 1.0))
    decisions = np.empty((len(code), scene.n_annotators), dtype=bool)
    for k in range(scene.n_annotators):
        decisions[:, k] = code >> np.uint64(k) & np.uint64(1)
    let_go(scene.outlines, scene.polygons)
    return Overlay(faces, decisions, faces.areas, scene.n_repaired)


class Scene:
    """What an overlay is made of, near the origin: (P,) polygons of the annotators, without overlaps of one, and last
    the parts of the study area; their owner, its bit in codes of patterns (the study area has none), their outlines.

    Coordinates are rounded by ``rounding`` metres; slivers below ``noise`` come from the cutting itself, not from
    outlines that are nearly the same.
    """

    def __init__(self, layers: Sequence[Any], area: Any, progress: Progress) -> None:
        region, self.n_repaired = (None, 0) if area is None else study_region(area)
        annotators = []
        for k, layer in enumerate(layers):
            polygons, repaired, _ = single_polygons(layer, f"Annotator {k + 1}")
            annotators.append(
                polygons if region is None else polygons[shapely.intersects(polygons, region)]
            )
            self.n_repaired += repaired
            progress(0.0)

        everything = np.concatenate(annotators) if region is None else shapely.get_parts(region)
        self.origin = np.round(centre_of(everything)) if len(everything) else np.zeros(2)
        self.rounding = rounding_width(shapely.bounds(np.concatenate(annotators)))
        uniting = steps(annotators, part_of(progress, 0.0, 0.3))
        annotators = [
            _united(to_origin(polygons, self.origin), share) for polygons, share in uniting
        ]
        self.area_parts = everything[:0] if region is None else to_origin(everything, self.origin)
        self.polygons = np.concatenate([*annotators, self.area_parts])
        self.n_annotators, self.within_area = len(annotators), region is not None
        sizes = [*map(len, annotators), len(self.area_parts)]
        self.owner = np.repeat(np.arange(self.n_annotators + 1), sizes)
        self.bits = np.append(
            np.uint64(1) << np.arange(self.n_annotators, dtype=np.uint64), np.uint64(0)
        )
        self.outlines, self.of_polygon = shapely.get_parts(
            shapely.boundary(self.polygons), return_index=True
        )
        self.noise = NOISE * float(np.abs(shapely.get_coordinates(self.outlines)).max(initial=0.0))
        self.tree = shapely.STRtree(self.polygons.copy())

    def near(self, rectangle: Rectangle) -> Ints:
        """Rows of the polygons that reach into a rectangle."""
        return np.sort(self.tree.query(shapely.box(*rectangle[0])))

    def marked(self, points: Objects, near: Ints) -> tuple[Array, Bools]:
        """Who of the polygons ``near`` marked each point, and whether it is within the study area."""
        row, point = shapely.STRtree(points).query(self.polygons[near], predicate="contains")
        layer = self.owner[near[row]]
        code = np.zeros(len(points), dtype=np.uint64)
        np.bitwise_or.at(code, point, self.bits[layer])
        inside = np.zeros(len(points), dtype=bool)
        inside[point[layer == self.n_annotators]] = True
        return code, inside

    def faces_of(
        self, cut: Cut, rectangle: Rectangle, grid: float = 0.0
    ) -> tuple[Faces, Array, Bools, bool]:
        """Faces in a rectangle, slivers and what they belong to as on a seam; who marked each, and which count; whether
        the grid is too fine: outlines are the same but for rounding."""
        faces = cut.faces_of(rectangle, grid)
        thin = are_slivers(faces.polygons, self.rounding, LONG * self.rounding)
        too_fine = grid < self.rounding and bool(
            (thin & ~are_slivers(faces.polygons, self.noise)).any()
        )
        code, inside = self.marked(inner_points(faces.polygons), self.near(rectangle))
        hosts = sliver_hosts(faces.polygons, 2 * self.rounding)
        to_join = faces.on_seam | (np.bincount(hosts, minlength=len(hosts)) > 1)[hosts]
        inside = inside if self.within_area else code > 0
        return Faces(faces.polygons, to_join), code[hosts], inside[hosts], too_fine


def marked_area(layer: Any, area: Any = None, progress: Progress = no_progress) -> float:
    """What one annotator's polygons cover, overlaps once, within a study area (one polygon); square metres."""
    polygons = _united(single_polygons(layer, "The annotator")[0], progress)
    if area is None:
        return float(shapely.area(polygons).sum())
    shapely.prepare(area)
    polygons = polygons[shapely.intersects(area, polygons)]
    return float(shapely.area(cut_to(area, polygons)).sum())


def single_polygons(layer: Any, name: str) -> tuple[Objects, int, Ints]:
    """Valid single polygons of a layer, how many of the given geometries were repaired, and which each is part of."""
    geometry = geometry_array(layer, name)
    given = np.flatnonzero(~(shapely.is_missing(geometry) | shapely.is_empty(geometry)))
    geometry = geometry[given]
    wrong = np.flatnonzero(~np.isin(shapely.get_type_id(geometry), POLYGONAL))
    if len(wrong):
        kind = geometry[wrong[0]].geom_type
        raise InputError(
            "{name}: only polygons can be compared, but there is a {kind} among the geometries.",
            name=name,
            kind=kind,
        )
    if not np.isfinite(shapely.get_coordinates(geometry)).all():
        raise InputError(
            "{name}: a polygon has coordinates that are not numbers; remove or redraw it.",
            name=name,
        )
    geometry = shapely.force_2d(geometry)
    invalid = ~shapely.is_valid(geometry)
    geometry[invalid] = shapely.make_valid(geometry[invalid])
    parts, row = shapely.get_parts(polygonal(geometry), return_index=True)
    return np.asarray(parts, dtype=object), int(invalid.sum()), given[row]


def study_region(area: Any) -> tuple[Any, int]:
    """The study area, which must not be empty, as one geometry, and how many of its polygons were repaired."""
    parts, n_repaired, _ = single_polygons(area, "The study area")
    region = shapely.union_all(parts)
    if shapely.area(region) == 0:
        raise InputError("The study area is empty; choose a polygon with an area.")
    return region, n_repaired


def inner_points(faces: Objects) -> Objects:
    """(F,) a point inside of each face, clear of its outline, on which GEOS puts it where edges nearly touch."""
    points: Objects = shapely.point_on_surface(faces)
    width = shapely.area(faces) / np.maximum(shapely.length(faces), np.finfo(float).tiny)
    near = np.flatnonzero(shapely.distance(points, shapely.boundary(faces)) < _CLEAR * width)
    inside = shapely.point_on_surface(shapely.buffer(faces[near], -width[near] / 2))
    found = ~shapely.is_empty(inside)
    points[near[found]] = inside[found]
    return points


def _united(polygons: Objects, progress: Progress) -> Objects:
    """One annotator's polygons without overlaps; those that touch no other stay as they are."""
    one, other = meeting_pairs(polygons, polygons, part_of(progress, 0.0, 0.2))
    touching = np.bincount(one, minlength=len(polygons)) > 1
    pairs = scipy.sparse.csr_matrix(
        (np.ones(len(one), dtype=bool), (one, other)), (len(polygons),) * 2
    )
    group = scipy.sparse.csgraph.connected_components(pairs, directed=False)[1][touching]
    order = np.argsort(group, kind="stable")
    grouped, group = polygons[touching][order], group[order]
    # Groups are never split over two batches.
    start = np.flatnonzero(np.diff(group, prepend=-1))
    start = start[np.flatnonzero(np.diff(start // _BATCH, prepend=-1))]
    united = [polygons[~touching]]
    for some, _ in steps(np.split(grouped, start[1:]), part_of(progress, 0.2, 1.0)):
        united.append(shapely.get_parts(shapely.union_all(some)))
    return np.concatenate(united)


# Relative difference of areas that rounding explains.
_ROUNDING = 1e-9
# Edges of outlines that are made polygons of between two looks at the progress, unless one place has more.
_BATCH_EDGES = 20_000


def dissolved(
    among: Objects | PolygonFile, progress: Progress = no_progress, rows: Any = slice(None)
) -> Objects:
    """The polygons that (F,) faces, these ``rows`` of ``among``, which do not overlap, cover together, one for each
    connected place."""
    some_rows = parts_of(np.arange(len(among))[rows], _AT_ONCE)
    read = (among[some] for some, _ in steps(some_rows, part_of(progress, 0.0, 0.2)))
    faces = np.concatenate([np.empty(0, dtype=object), *read])
    faces = faces[shapely.area(faces) > 0]
    if len(faces) == 0:
        return np.empty(0, dtype=object)
    edges = SharedEdges(faces)
    progress(0.3)
    # A region between the edges that only one ring has is covered wholly or not at all.
    once = np.bincount(edges.number)[edges.number] == 1
    batch_of_face = _batches_of_places(edges, once, len(faces))
    ends, batch_of_edge = edges.ends[once], batch_of_face[edges.polygon[once]]
    found = []
    for batch, _ in steps(range(int(batch_of_face.max()) + 1), part_of(progress, 0.3, 0.5)):
        # Merging lets go of Python's lock, and leaves little to the polygons' making, which does not.
        around = shapely.line_merge(shapely.multilinestrings(ends[batch_of_edge == batch]))
        regions = shapely.get_parts(shapely.polygonize(shapely.get_parts(around)))
        covered = shapely.STRtree(inner_points(faces[batch_of_face == batch])).query(
            regions, predicate="contains"
        )[0]
        found.append(regions[np.unique(covered)])
    regions, area = np.concatenate(found), shapely.area(faces).sum()
    if abs(shapely.area(regions).sum() - area) > _ROUNDING * area:
        progress(0.5)
        regions = _polygons(shapely.union_all(shapely.make_valid(faces)))
    let_go(faces)
    return _polygons(_united(regions, part_of(progress, 0.7, 1.0)))


def _batches_of_places(edges: SharedEdges, once: Bools, count: int) -> Ints:
    """(F,) a number for each of ``count`` faces: those joined by edges have the same, and few outlines have one."""
    joins = (edges.polygon, count + edges.number)
    graph = scipy.sparse.csr_matrix(
        (np.ones(len(edges.number), dtype=bool), joins), (count + edges.number.max() + 1,) * 2
    )
    place = scipy.sparse.csgraph.connected_components(graph, directed=False)[1][:count]
    before = np.cumsum(np.bincount(place[edges.polygon[once]], minlength=place.max() + 1))
    return cast("Ints", np.unique((before // _BATCH_EDGES)[place], return_inverse=True)[1])


def _polygons(shapes: shapely.Geometry | Objects) -> Objects:
    """The polygons in collections, without the lines and points that nearly flat faces leave beside them."""
    parts = shapely.get_parts(shapes)
    return np.asarray(
        parts[shapely.get_type_id(parts) == shapely.GeometryType.POLYGON], dtype=object
    )


#: Most segments in one rectangle: less than a tenth of a second of work, some of which holds Python's lock.
SEGMENTS = 5_000

# Metres that the outer of a grid's blocks reach beyond all outlines.
_MARGIN = 1.0
#: A sliver as long as so many of its widths runs along an edge; a shorter one is the corner of a crossing.
LONG = 1000
#: Slivers this narrow beside the coordinates come from the cutting itself, not from outlines that are nearly the same.
NOISE = 2.0**-46


class Faces(NamedTuple):
    """Faces that cover everything within the outlines once."""

    polygons: Objects  #: (F,) polygons.
    on_seam: Bools  #: (F,) whether the face is a piece that ends at a border between rectangles.


#: Bounds, and the numbers of the segments that reach into it.
Rectangle = tuple[Floats, Ints]


class Cut:
    """Outlines in rectangles with few segments each, all of them in one where they are few."""

    def __init__(self, outlines: Objects, grid: float, most_segments: int) -> None:
        self._lines = shapely.get_parts(outlines)
        coordinates, line = shapely.get_coordinates(self._lines, return_index=True)
        first = np.flatnonzero(line[:-1] == line[1:]) if len(line) else np.empty(0, dtype=np.int64)
        self.coordinates, self.line, self.first = coordinates, line, first
        self._whole = np.array([-np.inf, -np.inf, np.inf, np.inf])
        self.rectangles: list[Rectangle] = [(self._whole, np.arange(len(first)))]
        if len(first) > most_segments:
            low, high = self._extents()
            margin = np.ptp(coordinates, axis=0).max() / 100
            self._whole = np.concatenate(
                [coordinates.min(axis=0) - margin, coordinates.max(axis=0) + margin]
            )
            if grid:
                self._whole = np.round(self._whole / grid) * grid
            self.rectangles = _rectangles(
                self._whole, np.arange(len(first)), low, high, most_segments, grid
            )

    def _extents(self) -> tuple[Floats, Floats]:
        """(S, 2) lower left and upper right corners of all segments."""
        one, other = self.coordinates[self.first], self.coordinates[self.first + 1]
        return np.minimum(one, other), np.maximum(one, other)

    def in_blocks(self, x: Floats, y: Floats, most_segments: int) -> Ints:
        """Cut every block of a grid for itself, borders clear of corners and edges; the block of each rectangle.

        Blocks are counted row by row from the lower left; the outer ones reach beyond the borders ``x`` and ``y``.
        """
        low, high = self._extents()
        self._whole = np.concatenate(
            [self.coordinates.min(axis=0) - _MARGIN, self.coordinates.max(axis=0) + _MARGIN]
        )
        x = np.concatenate([[min(x[0], self._whole[0])], x[1:-1], [max(x[-1], self._whole[2])]])
        y = np.concatenate([[min(y[0], self._whole[1])], y[1:-1], [max(y[-1], self._whole[3])]])
        self.rectangles, block = [], []
        for row, (bottom, top) in enumerate(zip(y[:-1], y[1:])):
            in_row = np.flatnonzero((low[:, 1] <= top) & (high[:, 1] >= bottom))
            for column, (left, right) in enumerate(zip(x[:-1], x[1:])):
                within = in_row[(low[in_row, 0] <= right) & (high[in_row, 0] >= left)]
                bounds = np.array([left, bottom, right, top])
                found = _rectangles(bounds, within, low, high, most_segments, between=True)
                self.rectangles += found
                block += [row * (len(x) - 1) + column] * len(found)
        return np.array(block, dtype=np.int64)

    def faces_of(self, rectangle: Rectangle, grid: float = 0.0) -> Faces:
        """The faces within a rectangle, with coordinates on a grid if one is given."""
        bounds, segment = rectangle
        if np.isinf(bounds).any():
            polygons = _polygonized(self._lines, grid)
            return Faces(polygons, np.zeros(len(polygons), dtype=bool))
        runs = _runs(self.coordinates, self.line, self.first[segment])
        polygons = _polygonized(np.append(runs, shapely.boundary(shapely.box(*bounds))), grid)
        inner = shapely.get_coordinates(shapely.point_on_surface(polygons))
        polygons = polygons[((inner > bounds[:2]) & (inner < bounds[2:])).all(axis=1)]
        extent = shapely.bounds(polygons)
        reach = np.concatenate([extent[:, :2] - bounds[:2], bounds[2:] - extent[:, 2:]], axis=1)
        return Faces(polygons, (reach <= 1e-9 * np.abs(self._whole).max()).any(axis=1))


def join_pieces(
    polygons: PolygonFile, owner: Array, pieces: Bools, progress: Progress = no_progress
) -> Array:
    """Join the ``pieces`` of one owner (F,) that touch, in place; the owners of the polygons then.

    Those that are no pieces come first, as they were.
    """
    rows = np.flatnonzero(pieces)
    rows = rows[np.argsort(owner[rows], kind="stable")]
    owners, start = np.unique(owner[rows], return_index=True)
    numbers = [owner[~pieces]]

    def joined() -> Iterator[Objects]:
        for (number, same), _ in steps(list(zip(owners, np.split(rows, start[1:]))), progress):
            found = shapely.get_parts(shapely.union_all(polygons.near(same)))
            numbers.append(np.full(len(found), number))
            yield found

    polygons.extend(joined())
    polygons.keep(np.append(np.flatnonzero(~pieces), np.arange(len(pieces), len(polygons))))
    return np.concatenate(numbers)


def _polygonized(lines: Objects, grid: float) -> Objects:
    pieces = shapely.get_parts(shapely.union_all(lines, grid_size=grid or None))
    return np.asarray(shapely.get_parts(shapely.polygonize(pieces)), dtype=object)


def _rectangles(
    bounds: Floats,
    segment: Ints,
    low: Floats,
    high: Floats,
    most: int,
    grid: float = 0.0,
    between: bool = False,
) -> list[Rectangle]:
    """Split a rectangle at the median of its segments until few are in each; segments across a border are in both.

    With ``between`` the borders lie between corners, not on them.
    """
    if len(segment) <= most:
        return [(bounds, segment)]
    axis = int(np.argmax(bounds[2:] - bounds[:2]))
    at = float(np.median((low[segment, axis] + high[segment, axis]) / 2))
    if grid:
        at = round(at / grid) * grid
    if between:
        ends = np.append(low[segment, axis], high[segment, axis])
        at = (
            ends[ends <= at].max(initial=bounds[axis])
            + ends[ends > at].min(initial=bounds[axis + 2])
        ) / 2
    before, after = segment[low[segment, axis] <= at], segment[high[segment, axis] >= at]
    if (
        max(len(before), len(after)) > 0.9 * len(segment)
        or not bounds[axis] < at < bounds[axis + 2]
    ):
        return [(bounds, segment)]
    left, right = bounds.copy(), bounds.copy()
    left[axis + 2] = right[axis] = at
    halves = ((left, before), (right, after))
    return [one for half in halves for one in _rectangles(*half, low, high, most, grid, between)]


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
#: Polygons whose rings are taken at a time.
_AT_ONCE = 4096


class SharedEdges:
    """The edges of polygons; edges between the same two corners have the same number, whatever their direction."""

    def __init__(self, polygons: Objects) -> None:
        parts, before = [], 0
        for some in slices(len(polygons), _AT_ONCE):  # shapely holds Python's lock meanwhile
            rings, polygon = shapely.get_rings(polygons[some], return_index=True)
            coordinates, ring = shapely.get_coordinates(rings, return_index=True)
            parts.append((coordinates, ring + before, polygon + some.start))
            before += len(rings)
        coordinates, ring, polygon = map(np.concatenate, zip(*parts))
        corner, distinct = pd.factorize(coordinates[:, 0] + 1j * coordinates[:, 1])
        first = np.flatnonzero(ring[:-1] == ring[1:])
        one, other = corner[first].astype(np.int64), corner[first + 1].astype(np.int64)
        #: number: (E,) number of the edge.
        self.number, _ = pd.factorize(
            np.minimum(one, other) * len(distinct) + np.maximum(one, other)
        )
        self.polygon = polygon[ring[first]]  #: (E,) the polygon that has it.
        self.ends = np.stack(
            [coordinates[first], coordinates[first + 1]], axis=1
        )  #: (E, 2, 2) its corners.


def rounding_width(coordinates: Floats) -> float:
    """Metres below which a face is due to rounding: a power of two, of which multiples stay exact when moved."""
    largest = float(np.abs(coordinates).max(initial=0.0))
    return math.ldexp(_RELATIVE_WIDTH, math.frexp(largest)[1]) if largest else 0.0


def are_slivers(faces: Objects, width: float, length: float = 0.0) -> Bools:
    """Which of (F,) polygons are narrower than a width, and longer than a length; metres."""
    around = shapely.length(faces)
    return np.asarray((2 * shapely.area(faces) < width * around) & (around > 2 * length))


def sliver_hosts(faces: Objects, width: float) -> Ints:
    """For each of (F,) faces that meet corner to corner the one it belongs to: itself, or for a sliver the neighbour it
    shares most of its outline with. Slivers, narrower than ``width`` (metres), without a wider neighbour stay."""
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
        {
            "sliver": np.append(one, other),
            "neighbour": np.append(other, one),
            "shared": np.append(shared, shared),
        }
    )
    pairs = (
        pairs[sliver[pairs["sliver"]]]
        .groupby(["sliver", "neighbour"], as_index=False)["shared"]
        .sum()
    )
    pairs = pairs.sort_values(["sliver", "shared"], ascending=[True, False], kind="stable")
    while len(pairs):
        found = pairs[~sliver[pairs["neighbour"]]].drop_duplicates("sliver")
        if found.empty:
            break
        hosts[found["sliver"]] = hosts[found["neighbour"]]
        sliver[found["sliver"]] = False
        pairs = pairs[sliver[pairs["sliver"]]]
    return hosts
