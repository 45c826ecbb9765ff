"""What the overlaid polygons of several people cover together, without the faces of their overlay.

Each outline is followed from crossing to crossing; whose polygons lie on its two sides changes by one at each. By
Green's theorem the area of a pattern of decisions is a sum over the pieces of outlines beside it. Where outlines touch
or nearly run along each other, which crossings there are is not certain: there faces are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints
from randcrowns.core.geometry import overlay
from randcrowns.core.geometry.overlay import LONG, Cut, Rectangle, Scene
from randcrowns.core.progress import Progress, in_threads, no_progress, part_of

# Sine of the angle below which two edges run along each other.
_ALONG = 4.0 / LONG
# Of a rectangle, how far below 0 rounding may take an area.
_ROUNDING = 1e-9


class OverlayAreas(NamedTuple):
    """What K annotators' overlaid polygons cover within the study area, without the faces."""

    patterns: Bools  #: (M, K) bool, distinct decisions.
    areas: (
        Floats  #: (T, M) square metres decided so in each block; one block unless asked for more.
    )
    n_repaired: int  #: number of polygons that had to be repaired.


#: From bounds the borders of columns and rows of blocks, rising.
Borders = Callable[[Floats], tuple[Floats, Floats]]


def overlay_areas(
    layers: Sequence[Any],
    area: Any = None,
    borders: Borders | None = None,
    progress: Progress = no_progress,
) -> OverlayAreas:
    """The areas of :func:`randcrowns.core.geometry.overlay.overlay_faces`, whose arguments it has.

    Args:
        borders: makes the blocks from the bounds of the study area, or of all polygons without one.

    >>> overlay_areas([[shapely.box(0, 0, 2, 1)], [shapely.box(1, 0, 4, 1)]]).areas.tolist()
    [[1.0, 2.0, 1.0]]
    """
    scene = _Scene(layers, area, progress)
    k = scene.n_annotators
    if len(scene.polygons) == 0:
        return OverlayAreas(np.zeros((0, k), dtype=bool), np.empty((1, 0)), scene.n_repaired)
    bounds = shapely.total_bounds(scene.area_parts if len(scene.area_parts) else scene.polygons)
    at = np.concatenate([scene.origin, scene.origin])
    x, y = bounds[0::2], bounds[1::2]
    if borders is not None:
        x, y = (sides - to for sides, to in zip(borders(bounds + at), scene.origin))

    block = scene.cut.in_blocks(x, y, overlay.SEGMENTS)
    found = list(
        in_threads(scene.sums_of, scene.cut.rectangles, part_of(progress, 0.3, 1.0), most=4)
    )
    codes, number = np.unique(np.concatenate([codes for codes, _ in found]), return_inverse=True)
    row = np.repeat(block, [len(codes) for codes, _ in found])
    shape = ((len(x) - 1) * (len(y) - 1), len(codes))
    place = row * len(codes) + number.ravel()
    sums = np.bincount(
        place, np.concatenate([areas for _, areas in found]), shape[0] * shape[1]
    ).astype(float)
    patterns = (codes[:, None] >> np.arange(k, dtype=np.uint64)) & np.uint64(1) != 0
    return OverlayAreas(patterns, sums.reshape(shape), scene.n_repaired)


class _Scene(Scene):
    """The polygons of annotators and the study area, with their outlines cut into rectangles."""

    def __init__(self, layers: Sequence[Any], area: Any, progress: Progress) -> None:
        super().__init__(layers, area, progress)
        self.cut = cut = Cut(self.outlines, 0.0, overlay.SEGMENTS)
        self._layer = self.owner[self.of_polygon]
        one, other = cut.coordinates[cut.first], cut.coordinates[cut.first + 1]
        middle = one[np.flatnonzero(np.diff(cut.line[cut.first], prepend=-1))][cut.line[cut.first]]
        turn = np.bincount(cut.line[cut.first], _cross(one - middle, other - middle))
        shell = np.diff(self.of_polygon, prepend=-1) != 0
        #: 1 for a ring with the polygon on its left, -1 on its right.
        self._side = np.where((turn > 0) == shell, 1.0, -1.0)

    def sums_of(self, rectangle: Rectangle) -> tuple[Array, Floats]:
        """Codes of the patterns within a rectangle, and their areas."""
        found = self._followed(rectangle)
        if found is not None:
            return found
        faces, code, inside, too_fine = self.faces_of(self.cut, rectangle)
        if too_fine:
            faces, code, inside, _ = self.faces_of(self.cut, rectangle, self.rounding)
        return _summed(code[inside], shapely.area(faces.polygons[inside]))

    def _followed(self, rectangle: Rectangle) -> tuple[Array, Floats] | None:
        """The same without faces; None where it is not certain what crosses what."""
        bounds, segment = rectangle
        piece = self._clipped(bounds, segment)
        if piece is None:
            return None
        crossings = self._crossings(piece)
        border = _Border.of(piece, bounds, self.noise)
        if crossings is None or border is None:
            return None

        # Nodes: where each piece begins, and its crossings.
        count = len(piece.layer)
        of_node = np.concatenate([np.arange(count), crossings.piece])
        share = np.concatenate([np.zeros(count), crossings.share])
        flip = np.concatenate([np.full(count, -1), crossings.layer])
        order = np.lexsort((share, of_node))
        of_node, share, flip = of_node[order], share[order], flip[order]
        here = piece.start[of_node] + share[:, None] * piece.step[of_node]
        last = np.append(of_node[1:] != of_node[:-1], True)[: len(of_node)]
        there = np.where(
            last[:, None], (piece.start + piece.step)[of_node], np.roll(here, -1, axis=0)
        )

        # Who marked both sides of each node, from where its run of pieces begins.
        begins, ends = (
            np.flatnonzero(piece.begins),
            np.flatnonzero(np.append(piece.begins[1:], True)[:count]),
        )
        corner = bounds[None, :2]
        known = np.concatenate([piece.start[begins], (piece.start + piece.step)[ends], corner])
        code, inside = self.marked(shapely.points(known), self.near(rectangle))
        own = np.append(piece.layer[begins], piece.layer[ends])
        code[:-1] &= ~self.bits[own]
        inside[:-1] &= own != self.n_annotators
        run = (np.cumsum(piece.begins) - 1)[of_node]
        first = np.searchsorted(of_node, begins)
        codes = _flipped(
            np.where(flip < 0, np.uint64(0), self.bits[flip]), first, run, code[: len(begins)]
        )
        insides = _flipped(flip == self.n_annotators, first, run, inside[: len(begins)])
        end = np.append(first[1:], len(of_node))[: len(begins)] - 1
        if (codes[end] != code[len(begins) : -1]).any() or (
            insides[end] != inside[len(begins) : -1]
        ).any():
            return None

        at_border = np.append(piece.layer, -1)[border.piece]
        around = np.zeros(len(at_border), dtype=np.int64)
        bits = np.where(at_border < 0, np.uint64(0), self.bits[at_border])
        border_codes = _flipped(bits, around[:1], around, code[-1:])
        border_insides = _flipped(at_border == self.n_annotators, around[:1], around, inside[-1:])
        if border_codes[-1] != code[-1] or border_insides[-1] != inside[-1]:
            return None

        middle = (bounds[:2] + bounds[2:]) / 2
        swept = self._side[piece.ring][of_node] * _cross(here - middle, there - middle) / 2
        layer = piece.layer[of_node]
        bit, of_area = self.bits[layer], layer == self.n_annotators
        insides = insides if self.within_area else np.ones(len(layer), dtype=bool)
        drawn = insides & ~of_area
        patterns, areas = (
            [codes[drawn] | bit[drawn], codes[drawn], codes[of_area]],
            [swept[drawn], -swept[drawn]],
        )
        areas.append(swept[of_area])
        along = border_insides if self.within_area else np.ones(len(border_insides), dtype=bool)
        patterns.append(border_codes[along])
        areas.append(_cross(border.here - middle, border.there - middle)[along] / 2)
        found, sums = _summed(np.concatenate(patterns), np.concatenate(areas))
        least = -_ROUNDING * float(np.prod(bounds[2:] - bounds[:2]))
        if (sums < least).any():
            return None
        kept = np.ones(len(found), dtype=bool) if self.within_area else found > 0
        return found[kept], sums[kept].clip(0.0)

    def _clipped(self, bounds: Floats, segment: Ints) -> _Pieces | None:
        """What of the segments lies within a rectangle; None where a corner is on its border."""
        cut = self.cut
        first = cut.first[segment]
        start, end = cut.coordinates[first], cut.coordinates[first + 1]
        step = end - start
        gaps = [ends - side for ends in (start, end) for side in (bounds[:2], bounds[2:])]
        if any((np.abs(gap) <= self.noise).any() for gap in gaps):
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = (bounds[:2] - start) / step, (bounds[2:] - start) / step
        level = step == 0
        between = (start > bounds[:2]) & (start < bounds[2:])
        enter = np.where(level, np.where(between, -np.inf, np.inf), np.minimum(one, other)).max(
            axis=1
        )
        leave = np.where(level, np.inf, np.maximum(one, other)).min(axis=1)
        enter, leave = enter.clip(0.0), leave.clip(None, 1.0)
        kept = np.flatnonzero(enter < leave)
        start, step, enter, leave, segment = (
            start[kept],
            step[kept],
            enter[kept],
            leave[kept],
            segment[kept],
        )
        ring = cut.line[first[kept]]
        follows = (
            (np.diff(segment) == 1) & (np.diff(ring) == 0) & (leave[:-1] == 1) & (enter[1:] == 0)
        )
        begins = np.append(True, ~follows)[: len(kept)]
        start, step = start + enter[:, None] * step, (leave - enter)[:, None] * step
        return _Pieces(start, step, self._layer[ring], ring, begins, enter > 0, leave < 1)

    def _crossings(self, piece: _Pieces) -> _Crossings | None:
        end = piece.start + piece.step
        low = np.minimum(piece.start, end) - 2 * self.rounding
        high = np.maximum(piece.start, end) + 2 * self.rounding
        reach = shapely.linestrings(np.stack([low, high], axis=1))
        one, other = shapely.STRtree(reach).query(reach)
        pairs = (one < other) & (piece.layer[one] != piece.layer[other])
        one, other = one[pairs], other[pairs]
        length = np.hypot(*piece.step.T)
        if (length <= self.noise).any():
            return None
        way, other_way = (
            piece.step[one] / length[one, None],
            piece.step[other] / length[other, None],
        )
        between = piece.start[one] - piece.start[other]
        to_ends = (-between, end[other] - piece.start[one])
        back_to_ends = (between, end[one] - piece.start[other])
        # How far the ends of the other lie beside one, and those of one beside the other.
        beside, along = (np.stack([of(way, to) for to in to_ends]) for of in (_cross, _dot))
        beside_other, along_other = (
            np.stack([of(other_way, to) for to in back_to_ends]) for of in (_cross, _dot)
        )
        near = np.abs(_cross(way, other_way)) < _ALONG
        wide = np.where(near, 2 * self.rounding, 0.0).clip(self.noise)
        touching = (np.abs(beside) <= wide) & (along >= -wide) & (along <= length[one] + wide)
        touching |= (
            (np.abs(beside_other) <= wide)
            & (along_other >= -wide)
            & (along_other <= length[other] + wide)
        )
        if touching.any():
            return None
        crossing = (beside[0] * beside[1] < 0) & (beside_other[0] * beside_other[1] < 0)
        one, other = one[crossing], other[crossing]
        beside, beside_other = beside[:, crossing], beside_other[:, crossing]
        share = beside_other[0] / (beside_other[0] - beside_other[1])
        share_other = beside[0] / (beside[0] - beside[1])
        return _Crossings(
            np.append(one, other),
            np.append(share, share_other),
            np.append(piece.layer[other], piece.layer[one]),
        )


class _Pieces(NamedTuple):
    """What of segments lies within a rectangle: begin and way (P, 2), layer, ring, whether each does not follow from
    the one before, and whether it enters the rectangle and leaves it."""

    start: Floats
    step: Floats
    layer: Ints
    ring: Ints
    begins: Bools
    enters: Bools
    leaves: Bools


class _Crossings(NamedTuple):
    """The pieces crossed, where on their way (0 to 1), and the layer that crosses them."""

    piece: Ints
    share: Floats
    layer: Ints


class _Border(NamedTuple):
    """The border of a rectangle, left about from its lower left corner: ways between what crosses it, and the piece
    that crosses at the beginning of each, -1 at a corner."""

    here: Floats
    there: Floats
    piece: Ints

    @classmethod
    def of(cls, piece: _Pieces, bounds: Floats, noise: float) -> _Border | None:
        """None where a piece meets the border in a corner."""
        enters, leaves = np.flatnonzero(piece.enters), np.flatnonzero(piece.leaves)
        xy = np.concatenate([piece.start[enters], (piece.start + piece.step)[leaves]])
        width, height = bounds[2:] - bounds[:2]
        gaps = np.column_stack(
            [xy[:, 1] - bounds[1], bounds[2] - xy[:, 0], bounds[3] - xy[:, 1], xy[:, 0] - bounds[0]]
        )
        side = np.abs(gaps).argmin(axis=1)
        if (np.sort(np.abs(gaps), axis=1)[:, 1] <= noise).any():
            return None
        along = np.choose(side, [gaps[:, 3], gaps[:, 0], gaps[:, 1], gaps[:, 2]])
        before = np.array([0, width, width + height, 2 * width + height])
        corners = np.array([bounds[[0, 1]], bounds[[2, 1]], bounds[[2, 3]], bounds[[0, 3]]])
        place = np.concatenate([before, before[side] + along])
        number = np.concatenate([np.full(4, -1), enters, leaves])
        order = np.argsort(place, kind="stable")
        here = np.concatenate([corners, xy])[order]
        return cls(here, np.roll(here, -1, axis=0), number[order])


def _flipped(flips: Array, first: Ints, run: Ints, start: Array) -> Array:
    """What bits are after each flip, of runs that begin at the nodes ``first``, with ``start`` there."""
    total = np.bitwise_xor.accumulate(flips)
    return np.asarray((start ^ total[first])[run] ^ total)


def _summed(codes: Array, areas: Floats) -> tuple[Array, Floats]:
    found, number = np.unique(codes, return_inverse=True)
    return found, np.bincount(number.ravel(), areas, len(found)).astype(float)


def _cross(one: Floats, other: Floats) -> Floats:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])


def _dot(one: Floats, other: Floats) -> Floats:
    return np.asarray(one[:, 0] * other[:, 0] + one[:, 1] * other[:, 1])
