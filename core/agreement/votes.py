"""The vote table: distinct patterns of the decisions of K annotators, with their weights.

Each annotator decides yes or no at every unit, a pixel or a face of the overlaid polygons. The K
decisions at a unit form a pattern. The table lists the distinct patterns with the number of pixels,
or the area, that has each of them. Agreement, voting, STAPLE and SIMPLE are functions of the table.
An index of the pattern of each unit leads from the patterns back to the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Union, cast

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.image_stack import ImageStack
from randcrowns.core.agreement.reviewed_areas import ReviewedAreas
from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects, as_array, split_range
from randcrowns.core.crs import check_same_crs, polygons_and_crs
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import overlay_faces
from randcrowns.core.geometry.overlay_areas import BlockBorders, overlay_areas
from randcrowns.core.geometry.polygon_file import PolygonFile
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.validation import is_row, validate_arguments

# Rows processed at a time, so that the patterns of 64 annotators need little memory as floats.
_ROWS_PER_CHUNK = 1 << 16
# (256, 8) decisions of eight annotators that each value of a byte stands for.
_BYTE_DECISIONS = np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"
).astype(float)

#: A (K, rows, columns) stack of decisions, or a stack with the mask of the pixels to exclude, or
#: with this mask and the (K, rows, columns) missing ratings.
Tile = Union[
    ArrayLike,
    "tuple[ArrayLike, ArrayLike | None]",
    "tuple[ArrayLike, ArrayLike | None, ArrayLike | None]",
]


@dataclass(frozen=True, eq=False)
class VoteTable:
    """Distinct patterns of K annotators' decisions, each with a weight.

    An annotator who did not look at a unit has a missing rating there, which is neither yes nor no.

    Attributes:
        patterns: (M, K) bool, decisions of the annotators; False where a rating is missing.
        weights: (M,) float64, number of pixels (or area, m²) with each pattern; their sum is the
            study area.
        pattern_index: pattern of each pixel (in the shape of the stack) or face, in the smallest
            unsigned integers; M where a unit is outside of the study area. None if the table was
            merged from
            tiles.
        names: (K,) names of the annotators.
        faces: polygon of each unit, if the table comes from polygons. Many polygons are in a file,
            which is indexed like an array.
        blocks: (T, M) sparse weights of each tile or block, if the table was made from such.
        block_columns: number of columns, if these blocks are a grid that is numbered row by row; 0
            for tiles, plots or images, which do not share crowns.
        are_blocks_plots: True if each block is a plot or an image.
        messages: messages about the input for the user.
        unit_weight: weight of one unit, a pixel; 0 for an exact overlay, whose units have no fixed
            size.
        is_rated: (M, K) bool, True where an annotator looked; None if everybody looked everywhere.

    Counts of annotators per pattern (:attr:`n_yes`, :attr:`n_no`, :attr:`is_half_marked`), weights
    (:attr:`total_weight`, :attr:`shared_weights`) are computed when they are first needed and then
    stored with the table. Agreement, consensus and rankings read them from here.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
    >>> votes.patterns.tolist(), votes.weights.tolist()
    ([[False, False], [True, False], [True, True]], [2.0, 1.0, 1.0])
    """

    patterns: Bools
    weights: Floats
    pattern_index: Ints | None = None
    names: tuple[str, ...] = ()
    faces: Objects | PolygonFile | None = None
    blocks: Any = None
    messages: tuple[Message, ...] = ()
    unit_weight: float = 1.0
    is_rated: Bools | None = None
    block_columns: int = 0
    are_blocks_plots: bool = False

    def __post_init__(self) -> None:
        # Attributes of a frozen dataclass can be set only in this way.
        names = self.names or range(1, self.n_annotators + 1)
        object.__setattr__(self, "names", tuple(map(str, names)))
        if len(self.names) != self.n_annotators:
            raise InputError(
                "votes.wrong_name_count",
                "There are {n_annotators} annotators but {names} names.",
                n_annotators=self.n_annotators,
                names=len(self.names),
            )
        if self.weights.shape != (len(self.patterns),):
            raise InputError(
                "votes.wrong_weight_shape",
                "There are {patterns} patterns but weights of shape {shape}.",
                patterns=len(self.patterns),
                shape=str(self.weights.shape),
            )
        if not (self.weights.min(initial=0.0) >= 0 and np.isfinite(self.weights.sum())):
            raise InputError(
                "votes.invalid_weight", "The weights of a vote table must be numbers of 0 or more."
            )
        if len(set(self.names)) != len(self.names):
            repeated_names = [name for name in self.names if self.names.count(name) > 1]
            raise InputError(
                "annotators.repeated_name",
                "Two annotators are named '{twice}'; give each a name of their own.",
                twice=repeated_names[0],
            )

    @classmethod
    @validate_arguments
    def from_stack(
        cls,
        stack: ArrayLike,
        mask: ArrayLike | None = None,
        *,
        names: Sequence[str] = (),
        pixel_area: float = 1.0,
        missing: ArrayLike | None = None,
    ) -> VoteTable:
        """Count the patterns of a stack of rasters.

        Args:
            stack: (K, …) array, or a list of K arrays of one shape; bool, or integers where all
                values but 0 mean yes. Pixels that are masked in any raster of a masked array are
                excluded.
            mask: units to exclude (True), in the shape of one raster.
            names: names of the annotators; "1", "2", … by default.
            pixel_area: weight of one pixel.
            missing: (K, …) True where an annotator did not look; nowhere by default. Units at which
                nobody looked are excluded.

        Returns:
            Vote table with the index of each pixel.

        Raises:
            InputError: if there are no annotators or more than 64, shapes differ, values are not
                decisions, or the pixel area is not above 0.

        >>> VoteTable.from_stack([[True, False, False]], [False, False, True]).weights.tolist()
        [1.0, 1.0]

        >>> votes = VoteTable.from_stack([[1, 1], [1, 0]], missing=[[0, 0], [0, 1]])
        >>> votes.n_yes.tolist(), votes.n_rated.tolist()
        ([2, 1], [2, 1])
        """
        validate_pixel_area(pixel_area)
        packed = pack_decisions(stack, mask, with_index=True, missing=missing)
        patterns, is_rated = packed.unpack()
        return cls(
            patterns=patterns,
            is_rated=is_rated,
            weights=packed.counts * float(pixel_area),
            pattern_index=packed.index,
            names=tuple(names),
            unit_weight=float(pixel_area),
        )

    @classmethod
    @validate_arguments
    def from_polygons(
        cls,
        layers: Sequence[Any] | Mapping[str, Any],
        area: Any = None,
        *,
        faces: bool = True,
        borders: BlockBorders | None = None,
        reviewed: Mapping[str, Any] | None = None,
        progress: Progress = no_progress,
    ) -> VoteTable:
        """Overlay the annotators' polygons exactly, without a pixel size.

        Args:
            layers: polygons of each annotator (arrays of shapely polygons, or objects with a
                ``geometry``), or a mapping from names to them; the names are "1", "2", … by
                default. Overlapping polygons of one annotator are counted once.
            area: study area, one polygon or several. Without it only the area that annotators
                marked is counted.
            faces: True to store the faces, for a map. Without them many annotators need a tenth of
                the time and memory.
            borders: function that returns the block borders of an extent, as
                :func:`randcrowns.core.agreement.blocks.block_edges` does. It makes blocks for
                resampling if the faces are not stored.
            reviewed: polygons that an annotator has reviewed, by name; their ratings are missing
                elsewhere. Annotators without polygons have reviewed everything. If all of them
                have some, the study area is limited to the area that anybody has reviewed.
            progress: called with the fraction of the work done.

        Returns:
            Vote table with areas (m²) as weights.

        Raises:
            InputError: if there are no annotators or more than 64, geometries are not polygons, or
                the study area is empty.

        >>> import shapely
        >>> layers = {"ann": [shapely.box(0, 0, 2, 1)], "ben": [shapely.box(1, 0, 4, 1)]}
        >>> votes = VoteTable.from_polygons(layers)
        >>> votes.patterns.tolist(), votes.weights.tolist()
        ([[True, False], [False, True], [True, True]], [1.0, 2.0, 1.0])
        """
        named_layers = layers_by_name(layers)
        if not 0 < len(named_layers) <= MAX_ANNOTATORS:
            raise InputError(
                "annotators.wrong_number",
                "Between 1 and {most} annotators can be compared, not {number}.",
                most=MAX_ANNOTATORS,
                number=len(named_layers),
            )
        names = tuple(named_layers)
        n_annotators = len(names)
        reviews = ReviewedAreas.from_layers(names, reviewed)
        _check_layer_count(n_annotators, len(reviews.areas))
        region = reviews.limit(area, list(named_layers.values()))
        # The reviewed areas are overlaid as further layers.
        overlaid_layers = [*named_layers.values(), *reviews.areas]
        if faces:
            overlay = overlay_faces(overlaid_layers, region, progress)
            n_repaired = overlay.n_repaired
            is_reviewed = overlay.decisions[:, n_annotators:]
            table = cls.from_faces(
                decisions=overlay.decisions[:, :n_annotators],
                faces=overlay.faces,
                areas=overlay.areas,
                names=names,
                missing=reviews.missing(is_reviewed),
            )
        else:
            sums = overlay_areas(overlaid_layers, region, borders, progress)
            n_repaired = sums.n_repaired
            table = cls._from_area_sums(sums.patterns, sums.areas, names, reviews)
            if borders is None:
                table = replace(table, blocks=None)
            else:
                table = replace(table, block_columns=sums.block_columns)

        messages: list[Message] = []
        if area is None:
            messages.append(AgreementMessage.NO_STUDY_AREA)
        if n_repaired:
            messages.append(AgreementMessage.REPAIRED)
        return replace(table, messages=tuple(messages))

    @classmethod
    def from_faces(
        cls,
        decisions: Bools,
        faces: Objects | PolygonFile,
        areas: Floats,
        names: tuple[str, ...] = (),
        missing: Bools | None = None,
    ) -> VoteTable:
        """Count the patterns of the faces of an overlay.

        Args:
            decisions: (F, K) bool, decisions of the annotators on each face.
            faces: (F,) polygons that do not overlap.
            areas: (F,) areas of the faces, m².
            names: names of the annotators; "1", "2", … by default.
            missing: (F, K) True where an annotator did not look; None for nowhere.

        Returns:
            Vote table with areas as weights and the index of each face.

        >>> import shapely
        >>> faces = np.array([shapely.box(0, 0, 2, 1), shapely.box(2, 0, 3, 1)])
        >>> decisions = np.array([[True, False], [True, True]])
        >>> VoteTable.from_faces(decisions, faces, shapely.area(faces)).weights.tolist()
        [2.0, 1.0]
        """
        packed = pack_decisions(
            decisions.T,
            None,
            with_index=True,
            missing=None if missing is None else missing.T,
            keep_unrated=True,
        )
        patterns, is_rated = packed.unpack()
        return cls(
            patterns=patterns,
            is_rated=is_rated,
            weights=np.bincount(packed.index, areas, len(packed.codes)).astype(float),
            pattern_index=packed.index,
            names=names,
            faces=faces,
            unit_weight=0.0,
        )

    @classmethod
    def _from_area_sums(
        cls, patterns: Bools, areas: Floats, names: tuple[str, ...], reviews: ReviewedAreas
    ) -> VoteTable:
        """Return the table of the areas of patterns, whose blocks are rows of these areas.

        Args:
            patterns: (M, K + R) True where annotators drew, then where areas were reviewed.
            areas: (T, M) area of each pattern in each block, m².
            names: names of the K annotators.
            reviews: the R reviewed areas.
        """
        n_annotators = len(names)
        decisions = patterns[:, :n_annotators]
        missing = reviews.missing(patterns[:, n_annotators:])
        is_rated = None
        if missing is not None:
            # A decision outside the reviewed area is no rating: several patterns become one.
            packed = pack_decisions(
                decisions.T, None, with_index=True, missing=missing.T, keep_unrated=True
            )
            n_patterns = len(patterns)
            new_rows = packed.index
            # (patterns, new patterns) 1 where a pattern becomes a new one; products sum areas.
            becomes = scipy.sparse.csr_matrix(
                (np.ones(n_patterns), (np.arange(n_patterns), new_rows)),
                (n_patterns, len(packed.codes)),
            )
            areas = areas @ becomes
            decisions, is_rated = packed.unpack()
        return cls(
            patterns=decisions,
            is_rated=is_rated,
            weights=areas.sum(axis=0),
            names=names,
            blocks=scipy.sparse.csr_matrix(areas),
            unit_weight=0.0,
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
        """Count the patterns of several tiles, one tile in memory at a time.

        Args:
            tiles: stacks as for :meth:`from_stack`, or tuples (stack, mask) or (stack, mask,
                missing).
            names: names of the annotators; "1", "2", … by default.
            pixel_area: weight of one pixel.
            n_tiles: number of tiles, for the progress.
            progress: called with the fraction of the tiles done.

        Returns:
            Vote table without an index. Each tile is a block for resampling.

        Raises:
            InputError: if there are no tiles, tiles have different numbers of annotators, or a tile
                is invalid, see :meth:`from_stack`.

        >>> VoteTable.from_tiles([[[1, 0]], [[1, 1]]]).blocks.toarray().tolist()
        [[1.0, 1.0], [0.0, 2.0]]
        """
        validate_pixel_area(pixel_area)
        codes: list[Ints] = []
        weights: list[Floats] = []
        n_annotators = 0
        for number, tile in enumerate(tiles):
            stack, mask, missing = _parts_of_tile(tile)
            packed = pack_decisions(stack, mask, with_index=False, missing=missing)
            if number and packed.n_annotators != n_annotators:
                raise InputError(
                    "tiles.different_annotators",
                    "Tile {number} has {n_annotators} annotators, but the tiles before it have "
                    "{other_n_annotators}.",
                    number=number + 1,
                    n_annotators=packed.n_annotators,
                    other_n_annotators=n_annotators,
                )
            n_annotators = packed.n_annotators
            codes.append(packed.codes)
            weights.append(packed.counts * float(pixel_area))
            progress((number + 1) / n_tiles if n_tiles else 0.0)
        if not codes:
            raise InputError("tiles.none", "There are no tiles to count.")
        merged = _merge_blocks(codes, weights)
        patterns, is_rated = _unpack_ratings(merged.codes, n_annotators)
        return cls(
            patterns=patterns,
            is_rated=is_rated,
            weights=merged.weights,
            names=tuple(names),
            blocks=merged.blocks,
            unit_weight=float(pixel_area),
        )

    @classmethod
    def merge(cls, tables: Sequence[VoteTable]) -> VoteTable:
        """Merge the tables of several images or plots of the same annotators.

        Args:
            tables: vote tables with the same names and units.

        Returns:
            Vote table in which each image is a block for resampling. If all tables have faces, it
            contains the faces of all. If all have maps of rows and columns, its index has the
            layout of :class:`randcrowns.core.agreement.image_stack.ImageStack`. Otherwise it has no
            map.

        Raises:
            InputError: if names or units differ.

        >>> votes = VoteTable.from_stack([[1, 1, 0], [1, 0, 0]])
        >>> VoteTable.merge([votes, votes]).weights.tolist()
        [2.0, 2.0, 2.0]
        """
        first = tables[0]
        codes = []
        messages: list[Message] = []
        for table in tables:
            if table.names != first.names or table.unit_weight != first.unit_weight:
                raise InputError(
                    "votes.not_mergeable",
                    "Vote tables can be merged only if they have the same annotators and pixel "
                    "size.",
                )
            packed = table.packed_patterns()
            codes.append(packed.codes[packed.index])
            messages += table.messages
        merged = _merge_blocks(codes, weights=[table.weights for table in tables])
        index, faces = _merge_maps(tables, merged)
        patterns, is_rated = _unpack_ratings(merged.codes, first.n_annotators)
        return cls(
            patterns=patterns,
            is_rated=is_rated,
            weights=merged.weights,
            pattern_index=index,
            names=first.names,
            faces=faces,
            blocks=merged.blocks,
            are_blocks_plots=True,
            # Equal messages of several tables are listed once.
            messages=tuple(dict.fromkeys(messages)),
            unit_weight=first.unit_weight,
        )

    @property
    def n_annotators(self) -> int:
        """Number of annotators, K."""
        return int(self.patterns.shape[1])

    @cached_property
    def total_weight(self) -> float:
        """Size of the study area, the sum of all weights."""
        return float(self.weights.sum())

    @property
    def has_pixels(self) -> bool:
        """True if the units are pixels in rows and columns."""
        return self.pattern_index is not None and self.pattern_index.ndim == 2

    @property
    def has_positions(self) -> bool:
        """True if the units have positions: tiles, faces, or pixels in rows and columns."""
        return self.has_pixels or self.faces is not None or self.blocks is not None

    @cached_property
    def n_yes(self) -> Ints:
        """(M,) number h of annotators who marked each pattern (Lampert et al. 2016, Eq. 2)."""
        return cast("Ints", self.patterns.sum(axis=1))

    @property
    def is_complete(self) -> bool:
        """True if everybody looked everywhere, so that no rating is missing."""
        return self.is_rated is None

    @cached_property
    def n_rated(self) -> Ints:
        """(M,) number of annotators who looked at each pattern."""
        if self.is_rated is None:
            return np.full(len(self.patterns), self.n_annotators)
        return cast("Ints", self.is_rated.sum(axis=1))

    @cached_property
    def n_no(self) -> Ints:
        """(M,) number of annotators who looked at each pattern and did not mark it."""
        return self.n_rated - self.n_yes

    @cached_property
    def is_half_marked(self) -> Bools:
        """(M,) mask of the patterns that at least half of those who looked marked (0.5-GT)."""
        return (2 * self.n_yes >= self.n_rated) & (self.n_yes > 0)

    @cached_property
    def yes_share(self) -> Floats:
        """(M,) share of yes among those who looked; 0 where nobody looked."""
        return cast("Floats", self.n_yes / np.maximum(self.n_rated, 1))

    @cached_property
    def comparable_votes(self) -> Floats:
        """(M,) number of yes per K annotators: the share of yes among those who looked times K.

        It is the number of yes if everybody looked, and NaN where nobody did. Units that different
        numbers of annotators looked at can be compared by it.
        """
        if self.is_complete:
            return self.n_yes.astype(float)
        votes = self.yes_share * self.n_annotators
        return np.where(self.n_rated > 0, votes, np.nan)

    @cached_property
    def _bytes(self) -> Ints:
        """(ceil(K / 8), M) decisions, those of eight annotators packed into each byte."""
        return np.ascontiguousarray(np.packbits(self.patterns, axis=1, bitorder="little").T)

    @cached_property
    def ratings(self) -> VoteTable:
        """Table of the same rows in which a yes means that an annotator looked.

        Its :meth:`yes_sums` and :meth:`pattern_sums` are sums over those who looked.
        """
        looked = np.ones_like(self.patterns) if self.is_rated is None else self.is_rated
        return VoteTable(looked, self.weights, names=self.names, unit_weight=self.unit_weight)

    def yes_sums(self, values: Floats) -> Floats:
        """Sum values over the patterns with a yes of each annotator.

        Args:
            values: (M,) one value per pattern.

        Returns:
            (K,) sum for each annotator.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
        >>> votes.yes_sums(votes.weights).tolist()
        [2.0, 1.0]
        """
        sums = []
        for byte in self._bytes:
            # Sums for the 256 decisions of eight annotators, then for each annotator.
            sums_of_decisions = np.bincount(byte, values, 256)
            sums.append(_BYTE_DECISIONS.T @ sums_of_decisions)
        return cast("Floats", np.concatenate(sums)[: self.n_annotators])

    def pattern_sums(self, values: Floats) -> Floats:
        """Sum values over the annotators who marked each pattern.

        Args:
            values: (K,) one value per annotator.

        Returns:
            (M,) sum for each pattern.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
        >>> votes.pattern_sums(np.array([1.0, 10.0])).tolist()
        [0.0, 1.0, 11.0]
        """
        n_bytes = len(self._bytes)
        padded_values = np.zeros(8 * n_bytes)
        padded_values[: self.n_annotators] = values
        sums = np.zeros(len(self.patterns))
        for byte, eight_values in zip(self._bytes, padded_values.reshape(n_bytes, 8)):
            sums_of_decisions = _BYTE_DECISIONS @ eight_values
            sums += sums_of_decisions[byte]
        return sums

    @cached_property
    def shared_weights(self) -> Floats:
        """(K, K) weight that both of two annotators marked; on the diagonal that of each one."""
        sums = np.zeros((self.n_annotators, self.n_annotators))
        for rows in split_range(len(self.weights), _ROWS_PER_CHUNK):
            decisions = self.patterns[rows].astype(float)
            sums += (decisions * self.weights[rows, None]).T @ decisions
        return (sums + sums.T) / 2

    @cached_property
    def compared_weights(self) -> Floats:
        """(K, K) weight that the annotator of the row marked where that of the column looked."""
        if self.is_rated is None:
            marked = np.diagonal(self.shared_weights)
            return cast("Floats", np.repeat(marked[:, None], self.n_annotators, axis=1))
        sums = np.zeros((self.n_annotators, self.n_annotators))
        for rows in split_range(len(self.weights), _ROWS_PER_CHUNK):
            decisions = self.patterns[rows].astype(float)
            sums += (decisions * self.weights[rows, None]).T @ self.is_rated[rows].astype(float)
        return sums

    @cached_property
    def has_common_area(self) -> Bools:
        """(K, K) True for two annotators who both looked at some part of the study area."""
        if self.is_rated is None:
            return np.ones((self.n_annotators, self.n_annotators), dtype=bool)
        return self.ratings.shared_weights > 0

    def packed_patterns(self) -> PackedPatterns:
        """Return the patterns of the table, packed, each counted once."""
        missing = None if self.is_rated is None else ~self.is_rated.T
        return pack_decisions(
            self.patterns.T, None, with_index=True, missing=missing, keep_unrated=True
        )

    def inverted(self) -> VoteTable:
        """Return the table with all decisions inverted, without a map. Missing ratings stay.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
        >>> votes.inverted().n_yes.tolist()
        [2, 1, 0]
        """
        patterns = ~self.patterns
        if self.is_rated is not None:
            patterns &= self.is_rated
        return VoteTable(
            patterns,
            self.weights,
            names=self.names,
            messages=self.messages,
            unit_weight=self.unit_weight,
            is_rated=self.is_rated,
        )

    def without(self, annotators: int | Sequence[int] | Ints) -> VoteTable:
        """Return the table of the other annotators.

        Args:
            annotators: index or indices of the annotators to remove.

        Returns:
            Vote table with the same rows, so that patterns can occur more than once.

        Raises:
            InputError: if no annotator would remain.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
        >>> votes.without(1).patterns.tolist()
        [[False], [True], [True]]
        """
        if self.n_annotators - np.unique(annotators).size < 1:
            raise InputError("annotators.none_left", "At least one annotator must be left.")
        return self.select(np.delete(np.arange(self.n_annotators), annotators))

    def select(self, annotators: Ints) -> VoteTable:
        """Return the table of some annotators, in the given order.

        Args:
            annotators: indices of the annotators.

        Returns:
            Vote table with the same rows, so that patterns can occur more than once.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
        >>> votes.select(np.array([1, 0])).patterns.tolist()
        [[False, False], [False, True], [True, True]]
        """
        return replace(
            self,
            patterns=self.patterns[:, annotators],
            is_rated=None if self.is_rated is None else self.is_rated[:, annotators],
            names=tuple(self.names[k] for k in annotators),
        )

    def where_rated(self) -> VoteTable:
        """Return the table without the units at which nobody looked.

        Such units remain when annotators are removed, see :meth:`without`.

        >>> votes = VoteTable.from_stack([[1, 1, 0], [1, 0, 0]], missing=[[0, 0, 1], [0, 1, 0]])
        >>> rated = votes.without(1).where_rated()
        >>> rated.patterns.tolist(), rated.pattern_index.tolist()
        ([[True], [True]], [0, 1, 2])
        """
        is_rated = self.n_rated > 0
        if self.is_rated is None or is_rated.all():
            return self
        n_patterns = int(is_rated.sum())
        row_of_pattern = np.where(is_rated, np.cumsum(is_rated) - 1, n_patterns)
        pattern_index = None
        if self.pattern_index is not None:
            pattern_index = _lookup(row_of_pattern, n_patterns)[self.pattern_index]
        return replace(
            self,
            patterns=self.patterns[is_rated],
            is_rated=self.is_rated[is_rated],
            weights=self.weights[is_rated],
            pattern_index=pattern_index,
            blocks=None if self.blocks is None else self.blocks[:, is_rated],
        )

    def pattern_rows(
        self, stack: ArrayLike, mask: ArrayLike | None = None, missing: ArrayLike | None = None
    ) -> Ints:
        """Return the row of this table with the pattern of each unit of a stack.

        It maps a consensus of the whole table to one of its tiles, see :meth:`on_map`.

        Args:
            stack: (K, …) decisions, as for :meth:`from_stack`.
            mask: units to exclude (True).
            missing: (K, …) True where an annotator did not look.

        Returns:
            Rows in the shape of one raster, in the smallest unsigned integers; M where a unit is
            excluded or its pattern is not in the table.

        Raises:
            InputError: if the stack has another number of annotators.

        >>> votes = VoteTable.from_tiles([[[1, 0], [1, 1]], [[1, 1], [1, 0]]])
        >>> votes.pattern_rows([[1, 0], [1, 1]]).tolist()
        [2, 1]
        """
        packed = pack_decisions(stack, mask, with_index=True, missing=missing)
        own_patterns = self.packed_patterns()
        if packed.n_annotators != own_patterns.n_annotators:
            raise InputError(
                "votes.different_annotators",
                "The stack has {n_annotators} annotators, the table {other_n_annotators}.",
                n_annotators=packed.n_annotators,
                other_n_annotators=own_patterns.n_annotators,
            )
        n_patterns = len(self.patterns)
        n_own_codes = len(own_patterns.codes)
        row_of_own_code = np.empty(n_own_codes, dtype=np.int64)
        row_of_own_code[own_patterns.index] = np.arange(n_patterns)
        # Number the distinct codes of the table and of the stack together.
        all_codes = _concatenate_codes([own_patterns.codes, packed.codes])
        _, code_numbers = np.unique(all_codes, return_inverse=True)
        own_numbers = code_numbers[:n_own_codes]
        stack_numbers = code_numbers[n_own_codes:]
        # Codes of the stack alone have the row M, that of no pattern.
        row_of_number = np.full(code_numbers.max(initial=0) + 1, n_patterns)
        row_of_number[own_numbers] = row_of_own_code
        row_of_stack_code = row_of_number[stack_numbers]
        return _lookup(row_of_stack_code, n_patterns)[packed.index]

    def count_units(self, is_selected: Bools | None = None) -> Ints:
        """Count the units with each pattern, whatever their weight.

        Args:
            is_selected: mask of the units to count, in the shape of the index; all by default.

        Returns:
            (M,) number of units inside of the study area.

        Raises:
            InputError: if the table has no index.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
        >>> votes.count_units().tolist()
        [2, 1, 1]
        """
        if self.pattern_index is None:
            raise _no_map_error()
        if is_selected is None:
            selected_rows = self.pattern_index.ravel()
        else:
            selected_rows = self.pattern_index[is_selected]
        n_patterns = len(self.patterns)
        # The last count is that of the units outside of the study area.
        counts = np.bincount(selected_rows, minlength=n_patterns + 1)
        return cast("Ints", counts[:n_patterns])

    def decision_map(self, annotator: int) -> Bools:
        """Return the decisions of one annotator in the shape of the index; False outside.

        >>> VoteTable.from_stack([[1, 1, 0], [1, 0, 0]]).decision_map(1).tolist()
        [True, False, False]
        """
        return self.on_map(self.patterns[:, annotator])

    def missing_map(self, annotator: int) -> Bools:
        """Return where one annotator did not look, in the shape of the index; False outside.

        >>> votes = VoteTable.from_stack([[1, 1], [1, 0]], missing=[[0, 0], [0, 1]])
        >>> votes.missing_map(1).tolist()
        [False, True]
        """
        if self.is_rated is None:
            return self.on_map(np.zeros(len(self.patterns), dtype=bool))
        return self.on_map(~self.is_rated[:, annotator])

    def on_map(
        self, values: ArrayLike, outside: float | None = None, index: Array | None = None
    ) -> Array:
        """Assign the value of its pattern to every pixel or face.

        Args:
            values: (M,) one value per pattern.
            outside: value outside of the study area. By default False for bool values and NaN for
                numbers, which turns integers into floats.
            index: rows from :meth:`pattern_rows`; the index of the table by default.

        Returns:
            Values in the shape of the index.

        Raises:
            InputError: if the table has no index, or if there is not one value per pattern.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
        >>> votes.on_map(votes.n_yes, outside=0).tolist()
        [2, 1, 0, 0]
        """
        pattern_values = as_array(values, "The list of values")
        unit_index = self.pattern_index if index is None else index
        if unit_index is None:
            raise _no_map_error()
        if pattern_values.shape[:1] != (len(self.patterns),):
            raise InputError(
                "votes.wrong_value_count",
                "Expected {patterns} values, one per pattern, got {shape}.",
                patterns=len(self.patterns),
                shape=str(pattern_values.shape[:1]),
            )
        if outside is None:
            outside = False if pattern_values.dtype == bool else np.nan
            if pattern_values.dtype.kind in "iu":
                pattern_values = pattern_values.astype(float)
        fill = np.asarray(outside, dtype=pattern_values.dtype)
        return np.append(pattern_values, fill)[unit_index]


def _no_map_error() -> InputError:
    """Return the error for a table without an index of its units."""
    return InputError(
        "votes.no_map",
        "A table merged from tiles has no map; read the tiles again and use rows_of.",
    )


class _MergedBlocks(NamedTuple):
    """Patterns of several blocks, counted together."""

    codes: Ints  #: (M,) distinct packed patterns, ascending.
    weights: Floats  #: (M,) total weight of each pattern.
    blocks: Any  #: (T, M) sparse weight of each pattern in each block.
    rows: list[Ints]  #: for each block, the rows of its patterns among the distinct patterns.


def _merge_blocks(codes: Sequence[Ints], weights: Sequence[Floats]) -> _MergedBlocks:
    """Merge the patterns of T blocks.

    Args:
        codes: packed patterns of each block.
        weights: weight of each of these patterns.
    """
    distinct_codes, inverse = np.unique(_concatenate_codes(codes), return_inverse=True)
    pattern_rows = inverse.ravel()  # its shape differs between versions of numpy
    n_blocks = len(codes)
    block_sizes = [len(block_codes) for block_codes in codes]
    block_numbers = np.repeat(np.arange(n_blocks), block_sizes)
    blocks = scipy.sparse.csr_matrix(
        (np.concatenate(weights), (block_numbers, pattern_rows)),
        (n_blocks, len(distinct_codes)),
    )
    block_ends = np.cumsum(block_sizes)
    return _MergedBlocks(
        codes=distinct_codes,
        weights=np.asarray(blocks.sum(axis=0), dtype=float).ravel(),
        blocks=blocks,
        rows=np.split(pattern_rows, block_ends[:-1]),
    )


def _merge_maps(
    tables: Sequence[VoteTable], merged: _MergedBlocks
) -> tuple[Ints | None, PolygonFile | None]:
    """Merge the maps of several vote tables.

    Args:
        tables: vote tables.
        merged: their merged patterns, with one block per table.

    Returns:
        Row of the merged pattern of each unit, and the faces. If all tables have faces, the index
        has one entry per face; if all have images, it stacks the images and there are no faces.
        Otherwise both are None.
    """
    n_patterns = len(merged.codes)
    indices = []
    for table, rows in zip(tables, merged.rows):
        if table.pattern_index is None:
            return None, None
        indices.append(_lookup(rows, n_patterns)[table.pattern_index])

    faces = [table.faces for table in tables if table.faces is not None]
    if len(faces) == len(tables):
        return np.concatenate(indices), PolygonFile(_yield_chunks(faces))
    if all(index.ndim == 2 for index in indices):
        images = ImageStack(tuple(index.shape for index in indices))
        return images.assemble(indices, n_patterns), None
    return None, None


def _yield_chunks(faces: Sequence[Objects | PolygonFile]) -> Iterator[Objects]:
    """Yield the faces of several tables in parts that fit into the memory."""
    for faces_of_table in faces:
        for rows in split_range(len(faces_of_table), _ROWS_PER_CHUNK):
            yield faces_of_table[rows]


def _lookup(rows: Ints, outside: int) -> Ints:
    """Return the rows followed by ``outside``, in the smallest unsigned integers.

    An index of n patterns, in which n means excluded, can be translated with it.
    """
    return np.append(rows, outside).astype(np.min_scalar_type(outside))


#: Maximum number of annotators: their decisions are packed into 64 bits.
MAX_ANNOTATORS = 64

# Up to this number of annotators each possible pattern has a counter.
_COUNTED_BITS = 16
# Units processed at a time, few enough to stay in the processor's cache.
_CHUNK = 1 << 16


@dataclass(frozen=True, eq=False)
class PackedPatterns:
    """Distinct patterns of a stack of decisions, packed into integers.

    Attributes:
        n_annotators: number of annotators, K.
        codes: (M,) packed patterns, ascending: uint64, or two words, see :data:`_TWO_WORDS`. Bit k
            is the decision of annotator k. In uint64, bit K + k is set where the rating of
            annotator k is missing.
        counts: (M,) int64 number of units with each pattern.
        index: row of ``codes`` of each unit, in the shape of the units; M where a unit is excluded.
    """

    n_annotators: int
    codes: Ints
    counts: Ints
    index: Ints

    def unpack(self) -> tuple[Bools, Bools | None]:
        """Return the (M, K) decisions, and where each annotator looked; None for everywhere."""
        return _unpack_ratings(self.codes, self.n_annotators)


#: Packed patterns with missing ratings of more annotators than 64 bits can hold: a word for the
#: missing ratings and one for the decisions.
_TWO_WORDS = np.dtype([("missing", np.uint64), ("yes", np.uint64)])


def _concatenate_codes(codes: Sequence[Ints]) -> Array:
    """Concatenate packed patterns of the same annotators; all become two words if any are."""
    if all(part.dtype.names is None for part in codes):
        return np.concatenate(codes)
    return np.concatenate([_to_two_words(part) for part in codes])


def _to_two_words(codes: Array) -> Array:
    """Return packed patterns (M,) as two words; patterns in one word have no missing ratings."""
    if codes.dtype.names is not None:
        return codes
    words = np.zeros(len(codes), dtype=_TWO_WORDS)
    words["yes"] = codes
    return words


def _unpack_ratings(codes: Array, n_annotators: int) -> tuple[Bools, Bools | None]:
    """Return the (M, K) decisions of packed patterns, and where each annotator looked.

    The second is None if no rating is missing.
    """
    if codes.dtype.names is not None:
        is_yes = unpack_decisions(codes["yes"], n_annotators)
        is_missing = unpack_decisions(codes["missing"], n_annotators)
    elif 2 * n_annotators > MAX_ANNOTATORS:
        return unpack_decisions(codes, n_annotators), None
    else:
        bits = unpack_decisions(codes, 2 * n_annotators)
        is_yes = bits[:, :n_annotators].copy()
        is_missing = bits[:, n_annotators:]
    is_rated = ~is_missing if is_missing.any() else None
    return is_yes, is_rated


def _parts_of_tile(tile: Tile) -> tuple[ArrayLike, ArrayLike | None, ArrayLike | None]:
    """Return the stack of a tile, the mask of its excluded pixels and its missing ratings."""
    if not isinstance(tile, tuple):
        return tile, None, None
    if len(tile) == 2:
        stack, mask = tile
        return stack, mask, None
    return tile


def pack_decisions(
    stack: ArrayLike,
    mask: ArrayLike | None,
    *,
    with_index: bool,
    missing: ArrayLike | None = None,
    keep_unrated: bool = False,
) -> PackedPatterns:
    """Count the distinct patterns of a stack of decisions.

    Args:
        stack: (K, …) decisions, as for :meth:`VoteTable.from_stack`.
        mask: units to exclude (True), or None.
        with_index: True to return the index; otherwise it is empty.
        missing: (K, …) True where an annotator did not look, or None.
        keep_unrated: True to count units at which nobody looked; otherwise they are excluded.

    Returns:
        The packed patterns with their counts.

    Raises:
        InputError: if the stack or the mask is invalid, see :meth:`VoteTable.from_stack`.

    >>> packed = pack_decisions([[1, 1, 0, 0], [1, 0, 0, 0]], None, with_index=True)
    >>> packed.codes.tolist(), packed.counts.tolist(), packed.index.tolist()
    ([0, 1, 3], [2, 1, 1], [2, 1, 0, 0])
    """
    layers = _decision_layers(stack)
    shape = layers[0].shape
    is_excluded = _masked_units(stack, mask, shape)
    is_missing = _missing_layers(missing, len(layers), shape)
    columns = [layer.ravel() for layer in layers]
    if is_missing:
        columns = [layer & ~absent for layer, absent in zip(columns, is_missing)]
        is_unrated = np.logical_and.reduce(is_missing)
        if is_unrated.any() and not keep_unrated:
            is_excluded = is_unrated if is_excluded is None else is_excluded | is_unrated

    if len(columns) + len(is_missing) > MAX_ANNOTATORS:
        counted = _count_two_words(columns, is_missing, is_excluded, with_index)
        codes = counted.codes
    else:
        bits = [*columns, *is_missing]
        counted = _count_patterns(_packed_units(bits), len(bits), is_excluded, with_index)
        codes = counted.codes.astype(np.uint64)
    return PackedPatterns(
        n_annotators=len(layers),
        codes=codes,
        counts=counted.counts,
        index=counted.unit_rows.reshape(shape) if with_index else counted.unit_rows,
    )


def _masked_units(stack: ArrayLike, mask: ArrayLike | None, shape: tuple[int, ...]) -> Bools | None:
    """Return the (N,) units that a mask, or a masked array of the stack, excludes; None for none.

    Args:
        stack: (K, …) decisions.
        mask: units to exclude (True), or None.
        shape: shape of the raster of one annotator.

    Raises:
        InputError: if the mask is not boolean or has another shape.
    """
    is_masked = None
    if mask is not None:
        is_masked = _check_mask(mask, shape).ravel()
    for layer in stack:  # type: ignore[union-attr]
        if np.ma.is_masked(layer):
            layer_mask = np.ma.getmaskarray(layer).ravel()
            is_masked = layer_mask if is_masked is None else is_masked | layer_mask
    return is_masked


def _missing_layers(
    missing: ArrayLike | None, n_annotators: int, shape: tuple[int, ...]
) -> list[Bools]:
    """Return the (N,) missing ratings of each annotator; an empty list if none is missing.

    Args:
        missing: (K, …) True where an annotator did not look; None for nowhere.
        n_annotators: number K of annotators.
        shape: shape of the raster of one annotator, with N units.

    Raises:
        InputError: if the shape is wrong.
    """
    if missing is None:
        return []
    is_missing = np.asarray(missing).astype(bool)
    if is_missing.shape != (n_annotators, *shape):
        raise InputError(
            "votes.wrong_missing_shape",
            "The missing ratings have the shape {shape}, the decisions {other_shape}.",
            shape=str(is_missing.shape),
            other_shape=str((n_annotators, *shape)),
        )
    if not is_missing.any():
        return []
    return list(is_missing.reshape(n_annotators, -1))


def _check_mask(mask: ArrayLike, shape: tuple[int, ...]) -> Bools:
    """Return a mask of excluded units as an array.

    Args:
        mask: True at every unit to exclude.
        shape: shape that the mask must have.

    Raises:
        InputError: if the mask is not boolean or has another shape.
    """
    is_excluded = as_array(mask, "The mask")
    if is_excluded.dtype != bool:
        raise InputError(
            "votes.mask_not_boolean",
            "The mask must be True or False at every unit (True excludes it), not {dtype}.",
            dtype=is_excluded.dtype,
        )
    if is_excluded.shape != shape:
        raise InputError(
            "votes.wrong_mask_shape",
            "The mask has the shape {shape}, the decisions {other_shape}.",
            shape=str(is_excluded.shape),
            other_shape=str(shape),
        )
    return is_excluded


def unpack_decisions(codes: Ints, n_annotators: int) -> Bools:
    """Return the (M, K) decisions of (M,) packed patterns of K annotators.

    Args:
        codes: (M,) integers; bit k is the decision of annotator k.
        n_annotators: number K of annotators.

    >>> unpack_decisions(np.array([0, 1, 3]), 2).tolist()
    [[False, False], [True, False], [True, True]]
    """
    bit_numbers = np.arange(n_annotators, dtype=np.uint64)
    words = codes.astype(np.uint64)[:, np.newaxis]
    bits = (words >> bit_numbers) & np.uint64(1)
    return cast("Bools", bits != 0)


def layers_by_name(layers: Sequence[Any] | Mapping[str, Any]) -> dict[str, Any]:
    """Return the annotators' layers by name.

    Args:
        layers: layers of the annotators, or a mapping from names to them. The names of a sequence
            are "1", "2", ….

    Raises:
        InputError: if the layers have different coordinate systems, or one that is not in metres.

    >>> layers_by_name([[], []])
    {'1': [], '2': []}
    """
    if isinstance(layers, Mapping):
        named_layers = {str(name): layer for name, layer in layers.items()}
    else:
        named_layers = {str(number): layer for number, layer in enumerate(layers, start=1)}
    crs_of_layers = []
    for name, layer in named_layers.items():
        _, crs = polygons_and_crs(layer, name)
        crs_of_layers.append(crs)
    check_same_crs(crs_of_layers)
    return named_layers


def validate_pixel_area(area: float) -> None:
    """Raise an error if the area of a pixel is not positive and finite.

    >>> validate_pixel_area(0.25)
    >>> validate_pixel_area(0.0)
    Traceback (most recent call last):
    ...
    randcrowns.core.errors.InputError: The area of a pixel must be a number above 0, not 0.
    """
    if not 0 < area < np.inf:
        raise InputError(
            "votes.invalid_pixel_area",
            "The area of a pixel must be a number above 0, not {area:g}.",
            area=area,
        )


def _decision_layers(stack: ArrayLike) -> list[Bools]:
    """Return the decisions of each annotator as bool arrays of one shape.

    Raises:
        InputError: if there are no annotators or more than 64, shapes differ, or values are not
            decisions.
    """
    if not is_row(stack):
        raise InputError(
            "votes.not_a_stack",
            "The decisions must be a stack, or a list with an array per annotator.",
        )
    rasters: Any = stack
    layers = []
    for number, raster in enumerate(rasters, start=1):
        layers.append(as_array(raster, f"Annotator {number}"))
    if not 0 < len(layers) <= MAX_ANNOTATORS:
        raise InputError(
            "annotators.wrong_number",
            "Between 1 and {most} annotators can be compared, not {number}.",
            most=MAX_ANNOTATORS,
            number=len(layers),
        )
    first_shape = layers[0].shape
    decisions = []
    for number, layer in enumerate(layers, start=1):
        if layer.shape != first_shape:
            raise InputError(
                "votes.different_shapes",
                "Annotator {number} has the shape {shape}, annotator 1 has {other_shape}.",
                number=number,
                shape=str(layer.shape),
                other_shape=str(first_shape),
            )
        decisions.append(_to_decisions(layer, number))
    return decisions


def _to_decisions(layer: Array, number: int) -> Bools:
    """Return the raster of an annotator as True and False.

    Args:
        layer: bool, or integers of which all but 0 mean yes.
        number: number of the annotator, for the error.

    Raises:
        InputError: if the values are neither bool nor integers.
    """
    if layer.dtype == bool:
        return layer
    if layer.dtype.kind not in "iu":
        raise InputError(
            "votes.not_boolean",
            "Annotator {number}: decisions must be yes or no (bool, or integers), not {dtype}. "
            "Compare probabilities with a threshold first, and give missing pixels in the "
            "mask.",
            number=number,
            dtype=layer.dtype,
        )
    return np.asarray(layer != 0, dtype=bool)


def _check_layer_count(n_annotators: int, n_areas: int) -> None:
    """Raise an InputError if annotators and reviewed areas are too many layers for an overlay.

    Args:
        n_annotators: number of annotators.
        n_areas: number of different reviewed areas.
    """
    if n_annotators + n_areas > MAX_ANNOTATORS:
        raise InputError(
            "reviewed.too_many",
            "At most {most} layers can be overlaid exactly, but there are {annotators} "
            "annotators with {areas} different reviewed areas. Choose a pixel size.",
            most=MAX_ANNOTATORS,
            annotators=n_annotators,
            areas=n_areas,
        )


def _packed_units(layers: list[Bools]) -> Ints:
    """Return the (N,) packed bits of units, in the smallest unsigned integers.

    Args:
        layers: (N,) bits of each layer; bit k of a unit is that of layer k.
    """
    n_bytes = next(size for size in (1, 2, 4, 8) if 8 * size >= len(layers))
    dtype = np.dtype(f"u{n_bytes}")
    n_units = len(layers[0])
    units = np.zeros(n_units, dtype=dtype)
    # One buffer for all bits saves the time to request memory.
    buffer = np.empty(min(_CHUNK, n_units), dtype=dtype)
    for chunk in split_range(n_units, _CHUNK):
        packed = units[chunk]
        bits = buffer[: len(packed)]
        for k, layer in enumerate(layers):
            decisions = layer[chunk].view(np.uint8)
            np.left_shift(decisions, dtype.type(k), out=bits, dtype=dtype)
            packed |= bits
    return units


class _PatternCounts(NamedTuple):
    """Distinct patterns with their counts."""

    codes: Array  #: (M,) packed patterns that occur, ascending.
    counts: Ints  #: (M,) number of units with each pattern.
    unit_rows: Ints  #: (N,) row of the pattern of each unit, M where it is excluded; or empty.


def _count_patterns(
    units: Ints, n_bits: int, excluded: Bools | None, with_index: bool
) -> _PatternCounts:
    """Count the distinct patterns of packed units that are not excluded.

    Args:
        units: (N,) packed bits of the units.
        n_bits: number of their bits.
        excluded: (N,) True for units to exclude; None for none.
        with_index: True to return the pattern of each unit.
    """
    if n_bits <= _COUNTED_BITS:
        # Each possible code has a counter.
        code_rows = units
        codes = np.arange(1 << n_bits)
    else:
        code_rows, codes = pd.factorize(units)
    n_codes = len(codes)
    counts = np.zeros(n_codes, dtype=np.int64)
    for chunk in split_range(len(units), max(_CHUNK, n_codes)):
        chunk_rows = code_rows[chunk]
        if excluded is not None:
            chunk_rows = chunk_rows[~excluded[chunk]]
        counts += np.bincount(chunk_rows, minlength=n_codes)
    present = np.flatnonzero(counts)
    present = present[np.argsort(codes[present])]
    n_present = len(present)
    if not with_index:
        no_rows = units[:0]
        return _PatternCounts(codes=codes[present], counts=counts[present], unit_rows=no_rows)

    # The largest index is that of the last pattern, or M where units are excluded.
    largest_index = n_present - 1 if excluded is None else n_present
    index_type = np.min_scalar_type(max(largest_index, 0))
    pattern_of_code = np.zeros(n_codes, dtype=index_type)
    pattern_of_code[present] = np.arange(n_present)
    unit_rows = pattern_of_code[code_rows]
    if excluded is not None:
        unit_rows[excluded] = n_present
    return _PatternCounts(codes=codes[present], counts=counts[present], unit_rows=unit_rows)


def _count_two_words(
    decisions: list[Bools], missing: list[Bools], excluded: Bools | None, with_index: bool
) -> _PatternCounts:
    """Count the distinct patterns of units whose bits need two words.

    The decisions and the missing ratings are counted separately; each pair of their numbers is then
    a pattern.

    Args:
        decisions: (N,) decisions of each annotator.
        missing: (N,) missing ratings of each annotator.
        excluded: (N,) True for units to exclude, or None.
        with_index: True to return the index.
    """
    n_annotators = len(decisions)
    yes = _count_patterns(_packed_units(decisions), n_annotators, None, with_index=True)
    absent = _count_patterns(_packed_units(missing), n_annotators, None, with_index=True)
    n_yes_codes = len(yes.codes)
    pair_codes = absent.unit_rows.astype(np.int64) * n_yes_codes + yes.unit_rows
    counted = _count_patterns(pair_codes, MAX_ANNOTATORS, excluded, with_index)
    absent_rows, yes_rows = np.divmod(counted.codes, n_yes_codes)
    codes = np.zeros(len(counted.codes), dtype=_TWO_WORDS)
    codes["missing"] = absent.codes[absent_rows]
    codes["yes"] = yes.codes[yes_rows]
    return _PatternCounts(codes=codes, counts=counted.counts, unit_rows=counted.unit_rows)
