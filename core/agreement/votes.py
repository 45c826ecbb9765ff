"""The vote table: how much of the study area was decided in which way by K annotators.

Every annotator says yes or no at every unit: a pixel, or a face of the overlaid polygons. The K decisions at a
unit make one pattern; the table lists the distinct patterns with the number of pixels, or the area, that was decided
so. Agreement, voting, STAPLE and SIMPLE are functions of the table; the pattern of each unit leads back to the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Union, cast

import numpy as np
import pandas as pd
import scipy.sparse
from numpy.typing import ArrayLike

from randcrowns.core.agreement.images import Sheet
from randcrowns.core.agreement.notes import Note
from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects, plain_array, slices
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.crossings import Borders, overlay_areas
from randcrowns.core.geometry.overlay import overlay_faces
from randcrowns.core.geometry.polygon_file import PolygonFile
from randcrowns.core.given import as_declared, is_row
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.remarks import Remark
from randcrowns.core.systems import check_one_system, polygons_and_system

# Patterns turned into numbers at a time, so that 64 annotators need little memory.
_ROWS = 1 << 16
# (256, 8) the decisions of eight annotators that a byte stands for.
_EIGHT_DECISIONS = np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"
).astype(float)

#: One block of a K x rows x columns stack, with or without the units to exclude.
Tile = Union[ArrayLike, "tuple[ArrayLike, ArrayLike | None]"]


@dataclass(frozen=True, eq=False)
class VoteTable:
    """Distinct patterns of K annotators' decisions, each with a weight.

    Attributes:
        patterns: (M, K) bool, who said yes.
        weights: (M,) float64, pixels (or square metres) decided so; their sum is the study area.
        index: pattern of each pixel (the shape of the stack) or face, smallest unsigned integers that hold it; M where
            a unit is outside of the study area. None when the table was merged from tiles.
        names: (K,) names of the annotators.
        faces: polygon of each unit, when the table comes from polygons; many are in a file, indexed as an array is.
        blocks: (T, M) sparse weights of each tile, or block, when the table was made of such.
        notes: what to tell the user about the input.
        unit: weight of one decision's unit, a pixel; 0 for an exact overlay, which has none.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
    >>> votes.patterns.tolist(), votes.weights.tolist()
    ([[False, False], [True, False], [True, True]], [2.0, 1.0, 1.0])
    """

    patterns: Bools
    weights: Floats
    index: Ints | None = None
    names: tuple[str, ...] = ()
    faces: Objects | PolygonFile | None = None
    blocks: Any = None
    notes: tuple[Remark, ...] = ()
    unit: float = 1.0

    def __post_init__(self) -> None:
        names = self.names or range(1, self.n_annotators + 1)
        object.__setattr__(self, "names", tuple(map(str, names)))
        if len(self.names) != self.n_annotators:
            said = "There are {n_annotators} annotators but {names} names."
            raise InputError(said, n_annotators=self.n_annotators, names=len(self.names))
        if self.weights.shape != (len(self.patterns),):
            said = "There are {patterns} patterns but weights of shape {shape}."
            raise InputError(said, patterns=len(self.patterns), shape=str(self.weights.shape))
        if not (self.weights.min(initial=0.0) >= 0 and np.isfinite(self.weights.sum())):
            raise InputError("The weights of a vote table must be numbers of 0 or more.")
        if len(set(self.names)) != len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise InputError(
                "Two annotators are named '{twice}'; give each a name of their own.", twice=twice
            )

    @classmethod
    @as_declared
    def from_stack(
        cls,
        stack: ArrayLike,
        mask: ArrayLike | None = None,
        *,
        names: Sequence[str] = (),
        pixel_area: float = 1.0,
    ) -> VoteTable:
        """Count the patterns of a stack of rasters.

        Args:
            stack: K x anything, or a list of K arrays of one shape; bool, or integers where anything but 0 is a yes.
            mask: units to exclude (True), as in numpy's masked arrays; the shape of one annotator's raster. What is
                masked in any raster of a masked array is excluded as well.
            names: names of the annotators; "1", "2", … by default.
            pixel_area: weight of one pixel.

        Raises:
            InputError: for no annotators or more than 64, different shapes, values that are not decisions, or a pixel
                area that is not above 0.
        """
        check_pixel(pixel_area)
        packed = pack(stack, mask, with_index=True)
        patterns, weights = (
            unpack(packed.codes, packed.n_annotators),
            packed.counts * float(pixel_area),
        )
        return cls(patterns, weights, packed.index, tuple(names), unit=float(pixel_area))

    @classmethod
    @as_declared
    def from_polygons(
        cls,
        layers: Sequence[Any] | Mapping[str, Any],
        area: Any = None,
        *,
        faces: bool = True,
        borders: Borders | None = None,
        progress: Progress = no_progress,
    ) -> VoteTable:
        """Overlay the annotators' polygons exactly; no pixel size is involved.

        Args:
            layers: polygons of each annotator (arrays of shapely polygons, or anything with a ``geometry``), or a
                mapping from names to them; "1", "2", … by default. Overlaps within one annotator count once.
            area: the study area, one polygon or several. Without it only what somebody marked is counted.
            faces: keep the faces, for a map; without them many annotators need a tenth of the time and memory.
            borders: makes blocks for resampling where no faces are kept, as
                :func:`randcrowns.core.agreement.blocks.block_borders` does.

        Raises:
            InputError: for no annotators or more than 64, geometries that are no polygons, or an empty study area.
        """
        layers = by_name(layers)
        if not 0 < len(layers) <= MOST_ANNOTATORS:
            said = "Between 1 and {most} annotators can be compared, not {number}."
            raise InputError(said, most=MOST_ANNOTATORS, number=len(layers))
        if faces:
            overlay = overlay_faces(list(layers.values()), area, progress)
            table = cls.from_faces(overlay.decisions, overlay.faces, overlay.areas, tuple(layers))
            n_repaired = overlay.n_repaired
        else:
            sums = overlay_areas(list(layers.values()), area, borders, progress)
            blocks = None if borders is None else scipy.sparse.csr_matrix(sums.areas)
            table = cls(
                sums.patterns, sums.areas.sum(axis=0), names=tuple(layers), blocks=blocks, unit=0.0
            )
            n_repaired = sums.n_repaired
        notes = ((Note.NO_STUDY_AREA,) if area is None else ()) + (
            (Note.REPAIRED,) if n_repaired else ()
        )
        return replace(table, notes=notes)

    @classmethod
    def from_faces(
        cls,
        decisions: Bools,
        faces: Objects | PolygonFile,
        areas: Floats,
        names: tuple[str, ...] = (),
    ) -> VoteTable:
        """The table of (F, K) decisions on (F,) faces with their areas."""
        packed = pack(decisions.T, None, with_index=True)
        weights = np.bincount(packed.index, areas, len(packed.codes)).astype(float)
        return cls(
            unpack(packed.codes, packed.n_annotators), weights, packed.index, names, faces, unit=0.0
        )

    @classmethod
    def from_tiles(
        cls,
        tiles: Iterable[Tile],
        *,
        names: Sequence[str] = (),
        pixel_area: float = 1.0,
        n_tiles: int | None = None,
        progress: Progress = no_progress,
    ) -> VoteTable:
        """Count over tiles, one in memory at a time; keeps each tile's counts for block resampling.

        Args:
            tiles: stacks as for ``from_stack``, or (stack, mask) tuples.
            n_tiles: how many there are, for the progress.
        """
        check_pixel(pixel_area)
        codes, weights = [], []
        n_annotators = 0
        for number, tile in enumerate(tiles):
            stack, mask = tile if isinstance(tile, tuple) else (tile, None)
            packed = pack(stack, mask, with_index=False)
            if number and packed.n_annotators != n_annotators:
                raise InputError(
                    "Tile {number} has {n_annotators} annotators, those before it {other_n_annotators}.",
                    number=number + 1,
                    n_annotators=packed.n_annotators,
                    other_n_annotators=n_annotators,
                )
            n_annotators = packed.n_annotators
            codes.append(packed.codes)
            weights.append(packed.counts * float(pixel_area))
            progress((number + 1) / n_tiles if n_tiles else 0.0)
        if not codes:
            raise InputError("There are no tiles to count.")
        every, column = np.unique(np.concatenate(codes), return_inverse=True)
        row = np.repeat(np.arange(len(codes)), [len(tile) for tile in codes])
        blocks = scipy.sparse.csr_matrix(
            (np.concatenate(weights), (row, column.ravel())), (len(codes), len(every))
        )
        total = np.asarray(blocks.sum(axis=0), dtype=float).ravel()
        return cls(
            unpack(every, n_annotators),
            total,
            None,
            tuple(names),
            blocks=blocks,
            unit=float(pixel_area),
        )

    @classmethod
    def merged(cls, tables: Sequence[VoteTable], gap: int = 1) -> VoteTable:
        """One table of several images or plots of the same annotators, each a block for resampling.

        It has the faces of all one after another, or their pixels as :class:`randcrowns.core.agreement.images.Sheet`
        lays them out, with ``gap`` rows between two; no map where not all have the same of these.

        >>> votes = VoteTable.from_stack([[1, 1, 0], [1, 0, 0]])
        >>> VoteTable.merged([votes, votes]).weights.tolist()
        [2.0, 2.0, 2.0]
        """
        first = tables[0]
        for table in tables:
            if table.names != first.names or table.unit != first.unit:
                raise InputError(
                    "Only votes of the same annotators, in pixels of one size, make one table."
                )
        packed = [pack(table.patterns.T, None, with_index=True) for table in tables]
        every, column = np.unique(
            np.concatenate([one.codes[one.index] for one in packed]), return_inverse=True
        )
        row = np.repeat(np.arange(len(tables)), [len(table.weights) for table in tables])
        weights = np.concatenate([table.weights for table in tables])
        blocks = scipy.sparse.csr_matrix(
            (weights, (row, column.ravel())), (len(tables), len(every))
        )
        total = np.asarray(blocks.sum(axis=0), dtype=float).ravel()
        notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
        patterns = unpack(every, first.n_annotators)
        rows = np.split(column.ravel(), np.cumsum([len(table.weights) for table in tables])[:-1])
        outside = len(patterns)
        kept = [
            np.append(row, outside).astype(np.min_scalar_type(outside))[table.index]
            for row, table in zip(rows, tables)
            if table.index is not None
        ]
        index, faces = None, None
        mapped = [table.faces for table in tables if table.faces is not None]
        if len(kept) == len(mapped) == len(tables):
            index = np.concatenate(kept)
            faces = PolygonFile(one[some] for one in mapped for some in slices(len(one), _ROWS))
        elif len(kept) == len(tables) and all(one.ndim == 2 for one in kept):
            index = Sheet(tuple(one.shape for one in kept), gap).filled(kept, outside)
        return cls(patterns, total, index, first.names, faces, blocks, notes, first.unit)

    @property
    def n_annotators(self) -> int:
        """K."""
        return int(self.patterns.shape[1])

    @property
    def total(self) -> float:
        """Size of the study area."""
        return float(self.weights.sum())

    @property
    def has_places(self) -> bool:
        """Whether the table knows where its units are: tiles, faces, or pixels in rows and columns."""
        on_grid = self.index is not None and self.index.ndim == 2
        return on_grid or self.faces is not None or self.blocks is not None

    @cached_property
    def yes_votes(self) -> Ints:
        """(M,) number of annotators who said yes, h of the paper's Eq. 2."""
        return cast("Ints", self.patterns.sum(axis=1))

    @cached_property
    def _bytes(self) -> Ints:
        """(ceil(K / 8), M) the decisions of eight annotators each, packed."""
        return np.ascontiguousarray(np.packbits(self.patterns, axis=1, bitorder="little").T)

    def yes_sums(self, values: Floats) -> Floats:
        """(K,) for each annotator the sum of the patterns' values (M,) over those with a yes."""
        sums = [_EIGHT_DECISIONS.T @ np.bincount(byte, values, 256) for byte in self._bytes]
        return cast("Floats", np.concatenate(sums)[: self.n_annotators])

    def pattern_sums(self, values: Floats) -> Floats:
        """(M,) for each pattern the sum of the annotators' values (K,) over those who said yes."""
        padded = np.zeros(8 * len(self._bytes))
        padded[: self.n_annotators] = values
        total = np.zeros(len(self.patterns))
        for byte, of_eight in zip(self._bytes, padded.reshape(-1, 8)):
            total += (_EIGHT_DECISIONS @ of_eight)[byte]
        return total

    @cached_property
    def shared_sums(self) -> Floats:
        """(K, K) weight that both of two annotators marked; on the diagonal what each one marked."""
        total = np.zeros((self.n_annotators, self.n_annotators))
        for some in slices(len(self.weights), _ROWS):
            decisions = self.patterns[some].astype(float)
            total += (decisions * self.weights[some, None]).T @ decisions
        return (total + total.T) / 2

    def opposite(self) -> VoteTable:
        """The table of what was not marked: every yes a no, without a map."""
        return VoteTable(
            ~self.patterns, self.weights, names=self.names, notes=self.notes, unit=self.unit
        )

    def without(self, annotators: int | Sequence[int] | Ints) -> VoteTable:
        """The table of the other annotators, row by row the same units, so that patterns may repeat."""
        if self.n_annotators - np.unique(annotators).size < 1:
            raise InputError("At least one annotator must be left.")
        keep = np.delete(np.arange(self.n_annotators), annotators)
        return replace(
            self, patterns=self.patterns[:, keep], names=tuple(self.names[k] for k in keep)
        )

    def rows_of(self, stack: ArrayLike, mask: ArrayLike | None = None) -> Ints:
        """The pattern of each unit of a stack, M where it is excluded or its pattern is not in the table.

        It leads a consensus of the whole table back to one of its tiles.
        """
        packed = pack(stack, mask, with_index=True)
        own = pack(self.patterns.T, None, with_index=True)
        if packed.n_annotators != own.n_annotators:
            said = "The stack has {n_annotators} annotators, the table {other_n_annotators}."
            raise InputError(
                said, n_annotators=packed.n_annotators, other_n_annotators=own.n_annotators
            )
        outside = len(self.patterns)
        row_of_code = np.empty(len(own.codes), dtype=np.int64)
        row_of_code[own.index] = np.arange(outside)
        rows = (
            pd.Series(row_of_code, own.codes).reindex(packed.codes, fill_value=outside).to_numpy()
        )
        return np.append(rows, outside).astype(np.min_scalar_type(outside))[packed.index]

    def on_map(
        self, values: ArrayLike, outside: float | None = None, index: Array | None = None
    ) -> Array:
        """Take a value per pattern to every pixel or face.

        Args:
            values: (M,) one value per pattern.
            outside: value outside of the study area; False for bool values, otherwise NaN (which makes whole numbers
                floats) by default.
            index: rows from ``rows_of``; the table's own by default.
        """
        values = plain_array(values, "The list of values")
        index = self.index if index is None else index
        if index is None:
            raise InputError(
                "A table merged from tiles has no map; read the tiles again and use rows_of."
            )
        if values.shape[:1] != (len(self.patterns),):
            said = "Expected {patterns} values, one per pattern, got {shape}."
            raise InputError(said, patterns=len(self.patterns), shape=str(values.shape[:1]))
        if outside is None:
            outside = False if values.dtype == bool else np.nan
            if values.dtype.kind in "iu":
                values = values.astype(float)
        return np.append(values, np.asarray(outside, dtype=values.dtype))[index]


MOST_ANNOTATORS = 64

# Up to this many annotators every possible pattern has a counter.
_COUNTED_BITS = 16
# Units worked on at a time: what is in hand stays in the processor's cache.
_CHUNK = 1 << 16


@dataclass(frozen=True, eq=False)
class Packed:
    """Distinct patterns of a stack."""

    n_annotators: int  #: K.
    codes: Ints  #: (M,) uint64, ascending; bit k is annotator k's decision.
    counts: Ints  #: (M,) int64 number of units.
    index: (
        Ints  #: place in ``codes`` of each unit, in the units' shape; M where a unit is excluded.
    )


def pack(stack: ArrayLike, mask: ArrayLike | None, *, with_index: bool) -> Packed:
    """Pack and count a stack of decisions, see :meth:`VoteTable.from_stack`; the index is empty unless it is wanted."""
    layers = _decision_layers(stack)
    shape = layers[0].shape
    excluded = None
    if mask is not None:
        given = plain_array(mask, "The mask")
        if given.dtype != bool:
            said = "The mask must be True or False at every unit (True excludes it), not {dtype}."
            raise InputError(said, dtype=given.dtype)
        if given.shape != shape:
            said = "The mask has the shape {shape}, the decisions {other_shape}."
            raise InputError(said, shape=str(given.shape), other_shape=str(shape))
        excluded = given.ravel()
    for layer in stack:  # type: ignore[union-attr]
        if np.ma.is_masked(layer):
            masked = np.ma.getmaskarray(layer).ravel()
            excluded = masked if excluded is None else excluded | masked
    units = _packed_units([layer.ravel() for layer in layers])
    codes, counts, index = _counted(units, len(layers), excluded, with_index)
    return Packed(
        len(layers), codes.astype(np.uint64), counts, index.reshape(shape) if with_index else index
    )


def unpack(codes: Ints, n_annotators: int) -> Bools:
    """(M, K) decisions of packed patterns."""
    bits = np.arange(n_annotators, dtype=np.uint64)
    return cast("Bools", (codes.astype(np.uint64)[:, None] >> bits) & np.uint64(1) != 0)


def by_name(layers: Sequence[Any] | Mapping[str, Any]) -> dict[str, Any]:
    """The annotators' layers by name; those of a sequence are called "1", "2", …"""
    named = layers.items() if isinstance(layers, Mapping) else enumerate(layers, start=1)
    found = {str(name): layer for name, layer in named}
    check_one_system(polygons_and_system(layer, name)[1] for name, layer in found.items())
    return found


def check_pixel(area: float) -> None:
    """Refuse a pixel without an area."""
    if not 0 < area < np.inf:
        raise InputError("The area of a pixel must be a number above 0, not {area:g}.", area=area)


def _decision_layers(stack: ArrayLike) -> list[Array]:
    if not is_row(stack):
        raise InputError("The decisions must be a stack, or a list with an array per annotator.")
    given: Any = stack
    layers = [plain_array(layer, f"Annotator {k}") for k, layer in enumerate(given, start=1)]
    if not 0 < len(layers) <= MOST_ANNOTATORS:
        raise InputError(
            "Between 1 and {most} annotators can be compared, not {number}.",
            most=MOST_ANNOTATORS,
            number=len(layers),
        )
    for k, layer in enumerate(layers):
        if layer.shape != layers[0].shape:
            said = "Annotator {number} has the shape {shape}, annotator 1 has {other_shape}."
            raise InputError(
                said, number=k + 1, shape=str(layer.shape), other_shape=str(layers[0].shape)
            )
        if layer.dtype.kind in "iu":
            layers[k] = layer != 0
        elif layer.dtype != bool:
            said = (
                "Annotator {number}: decisions must be yes or no (bool, or integers), not {dtype}. Compare "
                "probabilities with a threshold first, and give missing pixels in the mask."
            )
            raise InputError(said, number=k + 1, dtype=layer.dtype)
    return layers


def _packed_units(layers: list[Bools]) -> Ints:
    """(N,) packed decisions in the smallest unsigned integers of K bits."""
    dtype = np.dtype(next(f"u{size}" for size in (1, 2, 4, 8) if 8 * size >= len(layers)))
    units = np.zeros(len(layers[0]), dtype=dtype)
    shifted = np.empty(min(_CHUNK, len(units)), dtype=dtype)
    for some in slices(len(units), _CHUNK):
        part = units[some]
        for k, layer in enumerate(layers):
            decision = layer[some].view(np.uint8)
            bit = np.left_shift(decision, dtype.type(k), out=shifted[: len(part)], dtype=dtype)
            part |= bit
    return units


def _counted(
    units: Ints, n_annotators: int, excluded: Bools | None, with_index: bool
) -> tuple[Array, Ints, Ints]:
    """Codes of the patterns that occur, ascending, their counts, and the index of the units."""
    few = n_annotators <= _COUNTED_BITS
    place, found = (units, np.arange(1 << n_annotators)) if few else pd.factorize(units)
    counts = np.zeros(len(found), dtype=np.int64)
    for some in slices(len(units), max(_CHUNK, len(found))):
        part = place[some] if excluded is None else place[some][~excluded[some]]
        counts += np.bincount(part, minlength=len(counts))
    present = np.flatnonzero(counts)
    present = present[np.argsort(found[present])]
    if not with_index:
        return found[present], counts[present], units[:0]
    rank = np.zeros(len(found), dtype=_index_type(len(present), excluded))
    rank[present] = np.arange(len(present))
    index = rank[place]
    if excluded is not None:
        index[excluded] = len(present)
    return found[present], counts[present], index


def _index_type(n_patterns: int, excluded: Bools | None) -> np.dtype[Any]:
    """Smallest unsigned integers for the patterns' places, and for one more where units are excluded."""
    largest = n_patterns - (excluded is None)
    return np.min_scalar_type(max(largest, 0))
