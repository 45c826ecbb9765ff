"""Areas of all annotator combinations in a polygon overlay, computed without building faces.

Each outline is followed from crossing to crossing. The set of annotators whose polygons cover its
two sides, the pattern, changes by one annotator at each crossing. By Green's theorem the area of a
pattern is a sum over the pieces of outline along it. Where outlines touch, or nearly run along
each other, their crossings are uncertain; faces are built there instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints
from randcrowns.core.geometry import overlay
from randcrowns.core.geometry.overlay import LONG_RATIO, OverlayScene, Rectangle, RectangleCut
from randcrowns.core.progress import Progress, map_in_threads, no_progress, subprogress

#: Sine of the angle below which two edges run along each other.
_PARALLEL = 4.0 / LONG_RATIO
#: Area below 0, relative to the rectangle's, that rounding may cause.
_ROUNDING = 1e-9


class OverlayAreas(NamedTuple):
    """Areas that K annotators' overlaid polygons cover within the study area, by pattern."""

    #: (M, K) bool, distinct patterns: True where the annotator's polygons cover the area.
    patterns: Bools
    #: (T, M) area of each pattern in each block, m²; one block unless borders are given.
    areas: Floats
    #: Number of polygons that were repaired because they were invalid.
    n_repaired: int
    #: Number of columns of the blocks, which are numbered row by row.
    block_columns: int = 1


#: Function from bounds (4,) to the ascending borders of the columns and of the rows of blocks.
BlockBorders = Callable[[Floats], tuple[Floats, Floats]]


def overlay_areas(
    layers: Sequence[Any],
    area: Any = None,
    borders: BlockBorders | None = None,
    progress: Progress = no_progress,
) -> OverlayAreas:
    """Compute the area of each pattern of annotators, as from the faces of ``overlay_faces``.

    Args:
        layers: polygons of each of K annotators, m; see
            :func:`randcrowns.core.geometry.overlay.overlay_faces`.
        area: one or several polygons of the study area. Without it, areas that no annotator covers
            are excluded.
        borders: returns the borders of a grid of blocks from the bounds of the study area, or
            without one from those of all polygons; None for one block.
        progress: receives the fraction done.

    Returns:
        The patterns and their areas.

    Raises:
        InputError: if a geometry is not polygonal or has coordinates that are not finite, or if
            the study area is empty.

    >>> overlay_areas([[shapely.box(0, 0, 2, 1)], [shapely.box(1, 0, 4, 1)]]).areas.tolist()
    [[1.0, 2.0, 1.0]]
    """
    scene = _OutlineScene(layers, area, progress)
    n_annotators = scene.n_annotators
    if len(scene.polygons) == 0:
        no_patterns = np.zeros((0, n_annotators), dtype=bool)
        return OverlayAreas(no_patterns, np.empty((1, 0)), scene.n_repaired)
    has_area = len(scene.area_parts) > 0
    bounds = shapely.total_bounds(scene.area_parts if has_area else scene.polygons)
    if borders is None:
        x = bounds[[0, 2]]
        y = bounds[[1, 3]]
    else:
        all_x, all_y = borders(bounds + np.tile(scene.origin, 2))
        x = all_x - scene.origin[0]
        y = all_y - scene.origin[1]

    block_of_rectangle = scene.cut.divide_blocks(x, y, overlay.MAX_SEGMENTS)
    share = subprogress(progress, 0.3, 1.0)
    sums = list(map_in_threads(scene.sums_of, scene.cut.rectangles, share, max_threads=4))

    n_blocks = (len(x) - 1) * (len(y) - 1)
    codes, areas = _sum_by_block(sums, block_of_rectangle, n_blocks)

    # Bit k of a pattern's code is annotator k.
    bit_numbers = np.arange(n_annotators, dtype=np.uint64)
    patterns = (codes[:, None] >> bit_numbers) & np.uint64(1) != 0
    return OverlayAreas(
        patterns=patterns, areas=areas, n_repaired=scene.n_repaired, block_columns=len(x) - 1
    )


def _sum_by_block(
    sums: list[_PatternSums], block_of_rectangle: Ints, n_blocks: int
) -> tuple[Array, Floats]:
    """Add the areas of all rectangles in a table of blocks (rows) by patterns (columns).

    Args:
        sums: areas of the patterns in each rectangle.
        block_of_rectangle: block of each rectangle.
        n_blocks: number T of blocks.

    Returns:
        (M,) codes of the distinct patterns, ascending, and (T, M) their areas, m².
    """
    all_codes = np.concatenate([rectangle_sums.codes for rectangle_sums in sums])
    all_areas = np.concatenate([rectangle_sums.areas for rectangle_sums in sums])
    n_of_rectangles = [len(rectangle_sums.codes) for rectangle_sums in sums]
    blocks = np.repeat(block_of_rectangle, n_of_rectangles)
    codes, code_numbers = np.unique(all_codes, return_inverse=True)
    n_codes = len(codes)
    cells = blocks * n_codes + code_numbers.ravel()
    areas = np.bincount(cells, all_areas, n_blocks * n_codes).astype(float)
    return codes, areas.reshape(n_blocks, n_codes)


class _PatternSums(NamedTuple):
    """Areas of the distinct patterns in a rectangle."""

    #: (M,) uint64, bit k is set if annotator k covers the area; ascending.
    codes: Array
    #: (M,) areas, m².
    areas: Floats


class _Pieces(NamedTuple):
    """P parts of segments within a rectangle, in the order of the segments."""

    #: (P, 2) first point of the piece, metres.
    start: Floats
    #: (P, 2) vector from the first to the last point, metres.
    step: Floats
    #: (P,) annotator whose outline the piece belongs to; K for the study area.
    layer: Ints
    #: (P,) index of the outline.
    ring: Ints
    #: (P,) True if the piece does not continue the previous one, that is, it begins a run.
    begins: Bools
    #: (P,) True if the piece enters the rectangle at its first point.
    enters: Bools
    #: (P,) True if the piece leaves the rectangle at its last point.
    leaves: Bools

    @property
    def end(self) -> Floats:
        """(P, 2) last point of each piece, metres."""
        return self.start + self.step


class _Crossings(NamedTuple):
    """C crossings of pieces; each crossing of two pieces is listed once for each of them."""

    #: (C,) piece that is crossed.
    piece: Ints
    #: (C,) position of the crossing along the piece, 0 to 1.
    share: Floats
    #: (C,) layer of the piece that crosses it.
    layer: Ints


class _LinePositions(NamedTuple):
    """Positions of the two ends of n pieces relative to the lines through n other pieces."""

    #: (2, n) signed distance of the start (row 0) and of the end (row 1) from the line, metres.
    offset: Floats
    #: (2, n) position along the line, from the start of the other piece, metres.
    along: Floats

    @classmethod
    def compute(
        cls, pieces: _Pieces, directions: Floats, piece_rows: Ints, other_rows: Ints
    ) -> _LinePositions:
        """Compute the positions of some pieces relative to others.

        Args:
            pieces: P pieces.
            directions: (P, 2) unit vectors along the pieces.
            piece_rows: (n,) rows of the pieces whose ends are located.
            other_rows: (n,) rows of the other pieces.
        """
        other_directions = directions[other_rows]
        other_starts = pieces.start[other_rows]
        offsets = []
        positions_along = []
        for ends in (pieces.start, pieces.end):
            way = ends[piece_rows] - other_starts
            offsets.append(_cross(other_directions, way))
            positions_along.append(_dot(other_directions, way))
        return cls(offset=np.stack(offsets), along=np.stack(positions_along))

    def is_on_piece(self, length: Floats, tolerance: Floats) -> Bools:
        """Return a mask (2, n) of the ends that lie on the other pieces.

        Args:
            length: (n,) lengths of the other pieces, metres.
            tolerance: (n,) maximum distance from the other pieces, metres.
        """
        is_on_line = np.abs(self.offset) <= tolerance
        return is_on_line & (self.along >= -tolerance) & (self.along <= length + tolerance)

    def is_on_both_sides(self) -> Bools:
        """Return True (n,) where the ends of a piece lie on different sides of the line."""
        return np.asarray(self.offset[0] * self.offset[1] < 0)

    def share_at_line(self, is_crossing: Bools) -> Floats:
        """Return the position along each piece of a mask (n,), 0 to 1, where it crosses the line.

        Pieces that are parallel to the line have no such position, so the mask excludes them.
        """
        start, end = self.offset[:, is_crossing]
        return np.asarray(start / (start - end))


class _Nodes(NamedTuple):
    """N nodes along the pieces: the first point of each piece, and its crossings in order."""

    #: (N,) piece that the node lies on.
    piece: Ints
    #: (N, 2) position of the node, metres.
    start: Floats
    #: (N, 2) position of the next node on the piece, or the piece's last point, metres.
    end: Floats
    #: (N,) layer whose outline crosses the piece at the node; -1 at the piece's first point.
    crossed: Ints


class _Border(NamedTuple):
    """Border of a rectangle, divided into B parts where pieces cross it and at its corners.

    The parts follow each other counterclockwise from the lower left corner.
    """

    #: (B, 2) first point of each part, metres.
    start: Floats
    #: (B, 2) last point of each part, metres.
    end: Floats
    #: (B,) piece that crosses the border at the first point of each part; -1 at a corner.
    piece: Ints

    @classmethod
    def of(cls, pieces: _Pieces, bounds: Floats, noise: float) -> _Border | None:
        """Divide the border of a rectangle; None if a piece crosses it at a corner.

        Args:
            pieces: pieces within the rectangle.
            bounds: (4,) xmin, ymin, xmax, ymax, metres.
            noise: distance from a corner that counts as the corner, metres.
        """
        enters = np.flatnonzero(pieces.enters)
        leaves = np.flatnonzero(pieces.leaves)
        xy = np.concatenate([pieces.start[enters], pieces.end[leaves]])
        xmin, ymin, xmax, ymax = bounds
        width = xmax - xmin
        height = ymax - ymin
        # Distances from the lower, right, upper and left side, in this order.
        to_lower = xy[:, 1] - ymin
        to_right = xmax - xy[:, 0]
        to_upper = ymax - xy[:, 1]
        to_left = xy[:, 0] - xmin
        distances = np.abs(np.column_stack([to_lower, to_right, to_upper, to_left]))
        side = distances.argmin(axis=1)
        # A point near a corner is near two sides.
        second_smallest = np.sort(distances, axis=1)[:, 1]
        if (second_smallest <= noise).any():
            return None

        # Positions along the border, counterclockwise from the lower left corner.
        along_side = np.choose(side, [to_left, to_lower, to_right, to_upper])
        corner_positions = np.array([0, width, width + height, 2 * width + height])
        positions = np.concatenate([corner_positions, corner_positions[side] + along_side])
        corners = np.array([[xmin, ymin], [xmax, ymin], [xmax, ymax], [xmin, ymax]])
        pieces_at_starts = np.concatenate([np.full(4, -1), enters, leaves])
        order = np.argsort(positions, kind="stable")
        starts = np.concatenate([corners, xy])[order]
        # Each part ends where the next one starts, and the last one at the first corner.
        ends = np.roll(starts, -1, axis=0)
        return cls(start=starts, end=ends, piece=pieces_at_starts[order])


class _Marks(NamedTuple):
    """Annotators that cover each of N points, and whether these lie within the study area."""

    #: (N,) uint64, bit k is set if annotator k covers the point.
    code: Array
    #: (N,) True within the study area.
    inside: Bools

    def take(self, rows: slice) -> _Marks:
        """Return the marks of some points."""
        return _Marks(self.code[rows], self.inside[rows])

    def equals(self, other: _Marks) -> bool:
        """Return True if all marks are equal."""
        is_different = (self.code != other.code) | (self.inside != other.inside)
        return not is_different.any()


class _OutlineScene(OverlayScene):
    """Polygons of annotators and of the study area, with their outlines cut into rectangles.

    Args:
        layers: polygons of each annotator.
        area: polygons of the study area, or None.
        progress: receives the fraction done.

    Attributes:
        cut: the outlines.
    """

    def __init__(self, layers: Sequence[Any], area: Any, progress: Progress) -> None:
        super().__init__(layers, area, progress)
        self.cut = cut = RectangleCut(self.outlines, 0.0, overlay.MAX_SEGMENTS)
        self._layer = self.owner[self.polygon_of_outline]
        ring = cut.line[cut.segment_start]
        start = cut.coordinates[cut.segment_start]
        end = cut.coordinates[cut.segment_start + 1]
        # The signed area of a ring, measured from its first point, which keeps rounding small.
        ring_start = start[np.flatnonzero(np.diff(ring, prepend=-1))][ring]
        turn = np.bincount(ring, _cross(start - ring_start, end - ring_start))
        is_shell = np.diff(self.polygon_of_outline, prepend=-1) != 0
        #: (R,) 1 for a ring with the polygon on its left, -1 for one with it on its right.
        self._side = np.where((turn > 0) == is_shell, 1.0, -1.0)

    def sums_of(self, rectangle: Rectangle) -> _PatternSums:
        """Return the areas of the patterns within a rectangle."""
        sums = self._follow_outlines(rectangle)
        if sums is not None:
            return sums
        marked = self.build_faces(self.cut, rectangle)
        if marked.is_grid_too_fine:
            marked = self.build_faces(self.cut, rectangle, self.rounding)
        polygons = marked.faces.polygons[marked.is_inside]
        return _sum_by_code(marked.code[marked.is_inside], shapely.area(polygons))

    def _follow_outlines(self, rectangle: Rectangle) -> _PatternSums | None:
        """Return the areas of the patterns within a rectangle without building faces.

        Returns:
            The areas; None if the crossings of the outlines are uncertain.
        """
        pieces = self._clip_segments(rectangle)
        if pieces is None:
            return None
        crossings = self._find_crossings(pieces)
        border = _Border.of(pieces, rectangle.bounds, self.noise)
        if crossings is None or border is None:
            return None
        nodes = _sort_nodes(pieces, crossings)

        # Point-in-polygon tests at both ends of each run of pieces and in the lower left corner.
        n_pieces = len(pieces.begins)
        first_rows = np.flatnonzero(pieces.begins)
        # A run ends before the next one begins. The slice is for a rectangle without pieces.
        is_last = np.append(pieces.begins[1:], True)[:n_pieces]
        last_rows = np.flatnonzero(is_last)
        corner = rectangle.bounds[None, :2]
        points = np.concatenate([pieces.start[first_rows], pieces.end[last_rows], corner])
        code, inside = self.annotators_at(shapely.points(points), self.rows_near(rectangle))
        # An outline is the boundary of its own layer, whose bit is not defined on it.
        own_layer = np.append(pieces.layer[first_rows], pieces.layer[last_rows])
        code[:-1] &= ~self.bits[own_layer]
        inside[:-1] &= own_layer != self.n_annotators
        marks = _Marks(code, inside)

        n_runs = len(first_rows)
        at_starts = marks.take(slice(0, n_runs))
        at_ends = marks.take(slice(n_runs, 2 * n_runs))
        at_corner = marks.take(slice(2 * n_runs, None))
        node_marks = self._marks_along_pieces(pieces, nodes, at_starts, at_ends)
        border_marks = self._marks_along_border(pieces, border, at_corner)
        if node_marks is None or border_marks is None:
            return None
        return self._sum_pieces(rectangle, pieces, nodes, node_marks, border, border_marks)

    def _clip_segments(self, rectangle: Rectangle) -> _Pieces | None:
        """Clip the segments of outlines to a rectangle.

        Returns:
            The pieces within the rectangle; None if a vertex is level with one of its sides.
        """
        cut = self.cut
        bounds, segments = rectangle
        first_rows = cut.segment_start[segments]
        first_points = cut.coordinates[first_rows]
        last_points = cut.coordinates[first_rows + 1]
        vertices = np.concatenate([first_points, last_points])
        for corner in (bounds[:2], bounds[2:]):
            if (np.abs(vertices - corner) <= self.noise).any():
                return None

        steps = last_points - first_points
        lowest_t, highest_t = _clip_lines(first_points, steps, bounds)
        within = np.flatnonzero(lowest_t < highest_t)
        # Shares of a segment, from 0 to 1, at which it enters and leaves the rectangle.
        enter = lowest_t[within]
        leave = highest_t[within]
        step = steps[within]
        ring = cut.line[first_rows[within]]
        # A piece continues the previous one if their segments follow each other within the
        # rectangle.
        is_next_segment = (np.diff(segments[within]) == 1) & (np.diff(ring) == 0)
        is_connected = (leave[:-1] == 1) & (enter[1:] == 0)
        # The slice is for a rectangle without pieces.
        begins = np.append(True, ~(is_next_segment & is_connected))[: len(within)]
        return _Pieces(
            start=first_points[within] + enter[:, None] * step,
            step=(leave - enter)[:, None] * step,
            layer=self._layer[ring],
            ring=ring,
            begins=begins,
            enters=enter > 0,
            leaves=leave < 1,
        )

    def _find_crossings(self, pieces: _Pieces) -> _Crossings | None:
        """Find the crossings of pieces of different layers.

        Returns:
            The crossings; None if a piece is too short or two pieces touch, or nearly do.
        """
        lengths = np.hypot(pieces.step[:, 0], pieces.step[:, 1])
        if (lengths <= self.noise).any():
            return None
        low_rows, high_rows = self._find_close_pairs(pieces)
        directions = pieces.step / lengths[:, None]
        low_ends = _LinePositions.compute(pieces, directions, low_rows, high_rows)
        high_ends = _LinePositions.compute(pieces, directions, high_rows, low_rows)

        # Parallel pieces count as touching at a larger distance than others.
        sine = _cross(directions[low_rows], directions[high_rows])
        is_parallel = np.abs(sine) < _PARALLEL
        tolerance = np.where(is_parallel, 2 * self.rounding, 0.0).clip(self.noise)
        is_touching = low_ends.is_on_piece(lengths[high_rows], tolerance)
        is_touching |= high_ends.is_on_piece(lengths[low_rows], tolerance)
        if is_touching.any():
            return None

        # Each crossing is listed for both of its pieces.
        is_crossing = low_ends.is_on_both_sides() & high_ends.is_on_both_sides()
        crossed_rows = np.append(low_rows[is_crossing], high_rows[is_crossing])
        crossing_rows = np.append(high_rows[is_crossing], low_rows[is_crossing])
        low_share = low_ends.share_at_line(is_crossing)
        high_share = high_ends.share_at_line(is_crossing)
        return _Crossings(
            piece=crossed_rows,
            share=np.append(low_share, high_share),
            layer=pieces.layer[crossing_rows],
        )

    def _find_close_pairs(self, pieces: _Pieces) -> tuple[Ints, Ints]:
        """Find the pairs of pieces of different layers whose bounding boxes meet.

        Returns:
            (n,) row of the first piece of each pair, and (n,) row of the second one, which is
            higher.
        """
        end = pieces.end
        low = np.minimum(pieces.start, end) - 2 * self.rounding
        high = np.maximum(pieces.start, end) + 2 * self.rounding
        # The tree compares bounding boxes, and a diagonal has the box of its corners.
        diagonals = shapely.linestrings(np.stack([low, high], axis=1))
        low_rows, high_rows = shapely.STRtree(diagonals).query(diagonals)
        is_other_layer = pieces.layer[low_rows] != pieces.layer[high_rows]
        # The tree lists each pair in both orders.
        is_pair = (low_rows < high_rows) & is_other_layer
        return low_rows[is_pair], high_rows[is_pair]

    def _marks_along_pieces(
        self, pieces: _Pieces, nodes: _Nodes, at_starts: _Marks, at_ends: _Marks
    ) -> _Marks | None:
        """Return the marks of other layers from each node to the next.

        Args:
            pieces: the pieces.
            nodes: their N nodes.
            at_starts: marks at the first point of each run of pieces.
            at_ends: marks at the last point of each run.

        Returns:
            Marks of the N nodes; None if the crossings along a run do not lead from the marks at
            its start to the marks at its end.
        """
        n_runs = len(at_starts.code)
        run_of_node = (np.cumsum(pieces.begins) - 1)[nodes.piece]
        first_nodes = np.searchsorted(nodes.piece, np.flatnonzero(pieces.begins))
        last_nodes = np.append(first_nodes[1:], len(nodes.piece))[:n_runs] - 1
        crossed_bits = np.where(nodes.crossed < 0, np.uint64(0), self.bits[nodes.crossed])
        code = _toggle_along_runs(crossed_bits, first_nodes, run_of_node, at_starts.code)
        crosses_area = nodes.crossed == self.n_annotators
        inside = _toggle_along_runs(crosses_area, first_nodes, run_of_node, at_starts.inside)
        is_consistent = _Marks(code[last_nodes], inside[last_nodes]).equals(at_ends)
        return _Marks(code, inside) if is_consistent else None

    def _marks_along_border(
        self, pieces: _Pieces, border: _Border, at_corner: _Marks
    ) -> _Marks | None:
        """Return the marks along each part of a border.

        Args:
            pieces: the pieces.
            border: the border.
            at_corner: marks of the lower left corner, where the border begins and ends.

        Returns:
            Marks of the parts; None if the crossings around the border do not lead back to the
            marks of the corner.
        """
        crossed = np.append(pieces.layer, -1)[border.piece]
        run = np.zeros(len(crossed), dtype=np.int64)
        crossed_bits = np.where(crossed < 0, np.uint64(0), self.bits[crossed])
        code = _toggle_along_runs(crossed_bits, run[:1], run, at_corner.code)
        inside = _toggle_along_runs(crossed == self.n_annotators, run[:1], run, at_corner.inside)
        is_consistent = _Marks(code[-1:], inside[-1:]).equals(at_corner)
        return _Marks(code, inside) if is_consistent else None

    def _sum_pieces(
        self,
        rectangle: Rectangle,
        pieces: _Pieces,
        nodes: _Nodes,
        node_marks: _Marks,
        border: _Border,
        border_marks: _Marks,
    ) -> _PatternSums | None:
        """Sum the areas of the patterns along all outlines and the border (Green's theorem).

        Args:
            rectangle: the rectangle.
            pieces: pieces of outlines within the rectangle.
            nodes: N nodes along the pieces.
            node_marks: marks of other layers from each of the N nodes to the next.
            border: border of the rectangle, in B parts.
            border_marks: marks along each of the B parts.

        Returns:
            The areas; None if one of them is negative beyond rounding.
        """
        low = rectangle.bounds[:2]
        high = rectangle.bounds[2:]
        middle = (low + high) / 2
        # Area between each line and the middle of the rectangle, negative on the other side.
        side = self._side[pieces.ring][nodes.piece]
        swept = side * _cross(nodes.start - middle, nodes.end - middle) / 2
        border_swept = _cross(border.start - middle, border.end - middle) / 2

        # Lines within the study area; the layer after the annotators is its own outline.
        layer = pieces.layer[nodes.piece]
        is_area_outline = layer == self.n_annotators
        if self.has_area:
            is_counted = node_marks.inside & ~is_area_outline
            is_border_counted = border_marks.inside
        else:
            is_counted = ~is_area_outline
            is_border_counted = np.ones(len(border_swept), dtype=bool)

        # An annotator's outline has its own pattern on one side and the pattern without it on the
        # other side; the outline of the study area and the border have a pattern on one side only.
        own_bits = self.bits[layer[is_counted]]
        other_codes = node_marks.code[is_counted]
        codes = [
            other_codes | own_bits,
            other_codes,
            node_marks.code[is_area_outline],
            border_marks.code[is_border_counted],
        ]
        areas = [
            swept[is_counted],
            -swept[is_counted],
            swept[is_area_outline],
            border_swept[is_border_counted],
        ]
        sums = _sum_by_code(np.concatenate(codes), np.concatenate(areas))
        rectangle_area = float(np.prod(high - low))
        if (sums.areas < -_ROUNDING * rectangle_area).any():
            return None
        # Without a study area, ground that nobody marked has no border.
        is_included = (sums.codes > 0) | self.has_area
        return _PatternSums(sums.codes[is_included], sums.areas[is_included].clip(0.0))


def _clip_lines(start: Floats, step: Floats, bounds: Floats) -> tuple[Floats, Floats]:
    """Clip segments start + t · step with 0 <= t <= 1 to a rectangle.

    Args:
        start: (n, 2) first points, metres.
        step: (n, 2) vectors to the last points, metres.
        bounds: (4,) xmin, ymin, xmax, ymax, metres.

    Returns:
        (n,) lowest and (n,) highest t within the rectangle. The lowest is not below the highest
        for segments outside the rectangle.
    """
    low = bounds[:2]
    high = bounds[2:]
    with np.errstate(divide="ignore", invalid="ignore"):
        at_low = (low - start) / step
        at_high = (high - start) / step

    # A segment parallel to an axis is either always or never between the sides across that axis.
    is_parallel = step == 0
    is_between = (start > low) & (start < high)
    enter_if_parallel = np.where(is_between, -np.inf, np.inf)
    enter = np.where(is_parallel, enter_if_parallel, np.minimum(at_low, at_high)).max(axis=1)
    leave = np.where(is_parallel, np.inf, np.maximum(at_low, at_high)).min(axis=1)
    return enter.clip(0.0), leave.clip(None, 1.0)


def _sort_nodes(pieces: _Pieces, crossings: _Crossings) -> _Nodes:
    """Return the nodes of pieces, sorted by piece, then by position along it.

    Args:
        pieces: P pieces of outlines.
        crossings: their crossings, in any order.
    """
    n_pieces = len(pieces.layer)
    # The first point of each piece is its node at share 0, which crosses no layer.
    all_pieces = np.append(np.arange(n_pieces), crossings.piece)
    all_shares = np.append(np.zeros(n_pieces), crossings.share)
    all_crossed = np.append(np.full(n_pieces, -1), crossings.layer)
    order = np.lexsort((all_shares, all_pieces))
    piece_rows = all_pieces[order]
    shares = all_shares[order]
    start = pieces.start[piece_rows] + shares[:, None] * pieces.step[piece_rows]
    # A node ends at the next one, the last node of a piece at the end of the piece.
    end = np.roll(start, -1, axis=0)
    # The slice is for a rectangle without pieces.
    is_last = np.append(piece_rows[1:] != piece_rows[:-1], True)[: len(piece_rows)]
    end[is_last] = pieces.end[piece_rows[is_last]]
    return _Nodes(piece=piece_rows, start=start, end=end, crossed=all_crossed[order])


def _toggle_along_runs(
    flips: Array, first_nodes: Ints, run_of_node: Ints, start_bits: Array
) -> Array:
    """Return the bits after each node along runs of nodes.

    Args:
        flips: (N,) bits, or booleans, that change at each node.
        first_nodes: (R,) first node of each run.
        run_of_node: (N,) run of each node.
        start_bits: (R,) bits after the first node of each run.
    """
    # XOR of the flips from the first node of all to each node; that of a run is the XOR of two.
    running_xor = np.bitwise_xor.accumulate(flips)
    bits_before_run = start_bits ^ running_xor[first_nodes]
    return np.asarray(bits_before_run[run_of_node] ^ running_xor)


def _sum_by_code(codes: Array, areas: Floats) -> _PatternSums:
    """Sum areas (n,), m², by the codes (n,) of their patterns."""
    distinct_codes, code_numbers = np.unique(codes, return_inverse=True)
    sums = np.bincount(code_numbers.ravel(), areas, len(distinct_codes)).astype(float)
    return _PatternSums(distinct_codes, sums)


def _cross(left: Floats, right: Floats) -> Floats:
    """Return the cross products (n,), z components, of vectors (n, 2) in the plane."""
    return np.asarray(left[:, 0] * right[:, 1] - left[:, 1] * right[:, 0])


def _dot(left: Floats, right: Floats) -> Floats:
    """Return the dot products (n,) of vectors (n, 2)."""
    return np.asarray(left[:, 0] * right[:, 0] + left[:, 1] * right[:, 1])
