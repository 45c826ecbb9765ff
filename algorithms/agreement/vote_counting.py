"""Reading of the annotators' layers, and counting of their votes exactly or in pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import scipy
import shapely

from randcrowns.algorithms.agreement.class_rasters import ClassRasters
from randcrowns.algorithms.agreement.schema.parameters import (
    CLASS_FIELD,
    COMPARED_CLASS_FIELD,
    EXCLUDED,
    PLOT_FIELD,
    RESOLUTION,
    STUDY_AREA,
    AgreementSettings,
)
from randcrowns.algorithms.classes.parameters import CLASS_GROUPS
from randcrowns.algorithms.common_parameters import (
    ANNOTATOR_FIELD,
    MARK_BAND,
    REVIEWED,
    VALUES,
    create_reference_mask,
)
from randcrowns.algorithms.multiple_images import check_same_crs, merge_messages, read_images
from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.blocks import (
    BLOCKS_PER_SIDE,
    block_edges,
    block_numbers_along_axis,
    validate_block_side,
)
from randcrowns.core.agreement.checks import (
    OutsideLocation,
    default_reviewed_area,
    no_polygon_inside_error,
    no_usable_polygons_error,
    outside_message,
    sort_annotators,
)
from randcrowns.core.agreement.image_stack import ImageStack
from randcrowns.core.agreement.votes import MAX_ANNOTATORS, VoteTable
from randcrowns.core.arrays import Bools, Ints, Objects
from randcrowns.core.classes.annotators import check_annotator_classes
from randcrowns.core.classes.values import parse_class_groups
from randcrowns.core.comparison import check_annotator_spelling
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import covered_area
from randcrowns.core.messages import Message, info, note
from randcrowns.core.progress import (
    Progress,
    iterate_with_progress,
    no_progress,
    run_in_thread,
    subprogress,
)
from randcrowns.layers.raster.grid import (
    MAX_NUMERIC_PIXELS,
    Grid,
    find_common_grid,
    rasterise_mask,
)
from randcrowns.layers.raster.masks import (
    ReferenceMask,
    ValueMeaning,
    alignment_message,
    first_band_messages,
    mark_messages,
    names_with_other_pixels,
    turned_messages,
)
from randcrowns.layers.raster.write import polygonise_grid
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, concatenate_crowns
from randcrowns.layers.vector.reviewed_areas import read_reviewed_areas
from randcrowns.layers.vector.study_site import StudySite, read_study_site

#: Longest side of a tile that is read at a time, pixels.
_TILE_SIDE = 2048
#: Share of a pixel by which a study area may exceed the pixels without getting a further row.
_PIXEL_TOLERANCE = 1e-6
#: Relative difference of counted and drawn area above which the user gets a message.
_MAX_AREA_DIFFERENCE = 0.05


def create_pixel_grid(drawings: DrawingSite, resolution: float) -> Grid:
    """Return square pixels that cover the study area.

    The edges of the pixels lie at whole multiples of their side.

    Args:
        drawings: drawings with the study area.
        resolution: side of a pixel, metres.

    Raises:
        InputError: if a pixel is larger than the study area.
    """
    xmin, ymin, xmax, ymax = drawings.bounds
    if resolution > max(xmax - xmin, ymax - ymin):
        raise InputError(
            "pixel_size.larger_than_area",
            "Pixels of {size:g} m are larger than the study area ({width:.6g} x {height:.6g} m). "
            "Choose smaller pixels.",
            size=resolution,
            width=xmax - xmin,
            height=ymax - ymin,
        )
    if resolution > 0:
        xmin = np.floor(xmin / resolution + _PIXEL_TOLERANCE) * resolution
        ymax = np.ceil(ymax / resolution - _PIXEL_TOLERANCE) * resolution
    return Grid.from_bounds(np.array([xmin, ymin, xmax, ymax]), resolution, drawings.working_crs)


def count_pixel_votes(
    drawings: DrawingSite, grid: Grid, block_side: float = 0.0, progress: Progress = no_progress
) -> VoteTable:
    """Return the votes at the centres of pixels, tile by tile.

    Args:
        drawings: drawings of the annotators.
        grid: the pixels.
        block_side: side in metres of the blocks for resampling; 0 for an eighth of the grid's
            longer side.
        progress: called with the fraction done.

    Returns:
        Votes with the pattern of each pixel and the sums of each block.

    Raises:
        InputError: if the blocks are smaller than a pixel, or too many.
    """
    longer_side = max(grid.shape)
    block_pixels: float = math.ceil(longer_side / BLOCKS_PER_SIDE)
    if block_side > 0:
        validate_block_length(block_side, drawings, grid)
        block_pixels = block_side / _compute_pixel_side(grid)
        block_pixels = max(min(block_pixels, longer_side), 1.0)
    row_spans = _split_into_tiles(grid.rows, block_pixels)
    column_spans = _split_into_tiles(grid.columns, block_pixels)
    windows = _combine_spans(row_spans, column_spans)
    reader = run_in_thread(
        lambda _share: TileReader(drawings, grid), subprogress(progress, 0.0, 0.0)
    )

    def count_tiles(share: Progress) -> VoteTable:
        """Return the votes on the pixels, with the sums of each tile as its blocks."""
        return VoteTable.from_tiles(
            (reader.decisions(window) for window in windows),
            names=drawings.names,
            pixel_area=grid.pixel_width * grid.pixel_height,
            n_tiles=len(windows),
            progress=share,
        )

    table = run_in_thread(count_tiles, subprogress(progress, 0.0, 0.5))
    blocks = _sum_tiles_by_block(table.blocks, row_spans, column_spans)
    table = replace(table, blocks=blocks, block_columns=len(column_spans))
    pattern_index = run_in_thread(
        partial(_find_patterns, reader, windows, table, grid), subprogress(progress, 0.5, 1.0)
    )
    return _with_area_note(replace(table, pattern_index=pattern_index), drawings)


def _sum_tiles_by_block(
    tile_weights: Any, row_spans: Sequence[_TileSpan], column_spans: Sequence[_TileSpan]
) -> Any:
    """Return the sums of the tiles of each block, which consists of one or several tiles.

    Args:
        tile_weights: (T, M) sparse weights of the patterns in the tiles, row by row.
        row_spans: rows of the tiles.
        column_spans: columns of the tiles.

    Returns:
        (B, M) sparse weights of the patterns in the blocks.
    """
    block_of_tile = []
    for rows in row_spans:
        first_block = rows.block * len(column_spans)
        block_of_tile += [first_block + columns.block for columns in column_spans]
    n_tiles = len(block_of_tile)
    tiles_to_blocks = scipy.sparse.csr_matrix(
        (np.ones(n_tiles), (block_of_tile, np.arange(n_tiles)))
    )
    return tiles_to_blocks @ tile_weights


def _find_patterns(
    reader: TileReader,
    windows: Sequence[tuple[slice, slice]],
    table: VoteTable,
    grid: Grid,
    progress: Progress,
) -> Ints:
    """Return the number of the pattern of each pixel (rows, columns) of a grid.

    Args:
        reader: reader of the annotators' decisions.
        windows: rows and columns of each tile.
        table: votes of all tiles.
        grid: the pixels.
        progress: called with the fraction of the tiles done.
    """
    # The smallest type that fits saves memory: the array has a value per pixel.
    pattern_index = np.empty(grid.shape, dtype=np.min_scalar_type(len(table.patterns)))
    for n_done, window in enumerate(windows, start=1):
        pattern_index[window] = table.pattern_rows(*reader.decisions(window))
        progress(n_done / len(windows))
    return pattern_index


class ImageVotes(NamedTuple):
    """Votes of one of several images."""

    image: str  #: name of the image; "" for a single image.
    votes: CountedVotes  #: votes of the image alone.
    window: tuple[slice, ...]  #: slices of its units in the arrays of all images.


@dataclass(frozen=True, eq=False)
class CountedVotes:
    """Votes of the annotators; of several images or plots, the votes of all of them together."""

    drawings: DrawingSite  #: drawings of the annotators; of several images those of the first.
    table: VoteTable  #: decisions of the annotators.
    #: Pixels in which they are counted, of several images those of the first; None for exact areas.
    grid: Grid | None
    messages: list[Message]  #: messages about the input.
    votes_by_image: dict[str, CountedVotes] = field(
        default_factory=dict
    )  #: votes of each of several images.

    @classmethod
    def merge(cls, parts: dict[str, CountedVotes]) -> CountedVotes:
        """Return the votes of all images together; those of a single image unchanged.

        Args:
            parts: votes by the name of the image.

        Raises:
            InputError: if the images are in different coordinate reference systems.
        """
        first_votes = next(iter(parts.values()))
        if len(parts) == 1:
            return first_votes
        check_same_crs({image: part.drawings.working_crs for image, part in parts.items()})
        messages = merge_messages(
            {image: part.messages for image, part in parts.items()}, "votes.pixels"
        )
        table = VoteTable.merge([part.table for part in parts.values()])
        return cls(first_votes.drawings, table, first_votes.grid, messages, parts)

    def iterate_images(self) -> Iterator[ImageVotes]:
        """Yield the votes of each image; those of a single image without a name."""
        votes_by_image = self.votes_by_image or {"": self}
        shapes = [np.asarray(votes.table.pattern_index).shape for votes in votes_by_image.values()]
        windows = ImageStack(tuple(shapes)).windows
        for (image, votes), window in zip(votes_by_image.items(), windows):
            yield ImageVotes(image, votes, window)


def count_votes(
    drawings: DrawingSite,
    resolution: float,
    block_side: float,
    progress: Progress,
    *,
    faces: bool = True,
) -> CountedVotes:
    """Count the votes on exact areas or in pixels.

    Args:
        drawings: drawings of the annotators.
        resolution: side of a pixel, metres. With 0, areas are exact, unless an annotator is a
            raster: then the pixels of ``drawings`` are used.
        block_side: side in metres of the blocks for resampling; 0 for the default.
        progress: called with the fraction done.
        faces: True to make the faces of the overlay of exact areas; False for the sums in blocks
            only, which takes far less time and memory.

    Returns:
        The votes, with messages about the input.

    Raises:
        InputError: if the pixels or the blocks do not fit the study area.
    """
    counts_pixels = resolution > 0 or bool(drawings.raster_drawings)
    if not counts_pixels:
        table = _count_exact_votes(drawings, block_side, progress, faces=faces)
        return CountedVotes(drawings=drawings, table=table, grid=None, messages=drawings.messages)

    grid = create_votes_grid(drawings, resolution)
    table = count_pixel_votes(drawings, grid, block_side, subprogress(progress, 0.0, 0.9))
    messages = list(drawings.messages)
    messages += area_difference_messages(drawings, table, grid, subprogress(progress, 0.9, 1.0))
    pixels_message = info(
        "votes.pixels",
        "Counted in {pixels:,} pixels of {size:g} {unit}.",
        pixels=round(table.total_weight / table.unit_weight),
        size=round(_compute_pixel_side(grid), 4),
        unit=grid.working_crs.unit,
    )
    messages.append(pixels_message)
    return CountedVotes(drawings=drawings, table=table, grid=grid, messages=messages)


def _count_exact_votes(
    drawings: DrawingSite, block_side: float, progress: Progress, *, faces: bool
) -> VoteTable:
    """Return the votes on exact areas, overlaid in a worker thread.

    Args:
        drawings: drawings of the annotators, all of them polygons.
        block_side: side in metres of the blocks for resampling; 0 for the default.
        progress: called with the fraction done.
        faces: True to make the faces of the overlay.

    Raises:
        InputError: if the blocks do not fit the study area.
    """

    def overlay(share: Progress) -> VoteTable:
        """Overlay the polygons of all annotators."""
        return VoteTable.from_polygons(
            drawings.polygon_drawings,
            drawings.remaining_area,
            faces=faces,
            borders=partial(block_edges, block_side=block_side or None),
            reviewed=drawings.reviewed_areas,
            progress=share,
        )

    return _with_area_note(run_in_thread(overlay, progress), drawings)


def create_votes_grid(drawings: DrawingSite, resolution: float) -> Grid:
    """Return pixels of a side in metres; with 0, the drawings' own pixels in the study area."""
    if resolution > 0 or drawings.grid is None:
        return create_pixel_grid(drawings, resolution)
    return drawings.grid.crop(np.array(drawings.bounds))


def area_difference_messages(
    drawings: DrawingSite, votes: VoteTable, grid: Grid, progress: Progress = no_progress
) -> list[Message]:
    """Return messages about annotators whose counted area differs from the area that they drew.

    Args:
        drawings: drawings of the annotators.
        votes: votes on the pixels.
        grid: the pixels.
        progress: called with the fraction done.

    Raises:
        InputError: if no pixel lies in any polygon.
    """
    counted_areas = dict(zip(votes.names, votes.yes_sums(votes.weights)))
    _check_counted_polygons(drawings, counted_areas, grid)
    study_area = drawings.remaining_area
    messages = []
    for name, share in iterate_with_progress(list(drawings.annotators), progress):
        drawing = drawings.annotators[name]
        counted_area = counted_areas[name]
        if isinstance(drawing, ReferenceMask):
            drawn_area = _measure_marked_area(drawing, drawings, grid, counted_area, share)
        else:
            drawn_area = run_in_thread(partial(covered_area, drawing, study_area), share)

        if abs(counted_area - drawn_area) > _MAX_AREA_DIFFERENCE * drawn_area:
            message = note(
                "votes.off",
                "{name}: {counted:,.1f} {unit}² were counted in pixels of {size:g} {unit}, but "
                "{drawn:,.1f} {unit}² were drawn. Choose smaller pixels, or 0 for exact areas.",
                name=name,
                counted=counted_area,
                drawn=drawn_area,
                size=_compute_pixel_side(grid),
                unit=grid.working_crs.unit,
            )
            messages.append(message)
        elif isinstance(drawing, ReferenceMask) and not counted_area:
            message = note(
                "outside.raster",
                "{name} marks nothing inside the study area. This annotator counts as having "
                "marked nothing.",
                name=name,
            )
            messages.append(message)
    return messages


def _check_counted_polygons(
    drawings: DrawingSite, counted_areas: dict[str, float], grid: Grid
) -> None:
    """Raise an InputError if no pixel lies in any polygon.

    Args:
        drawings: drawings of the annotators.
        counted_areas: area counted in pixels by annotator, m².
        grid: the pixels.
    """
    n_polygons = sum(map(len, drawings.polygon_drawings.values()))
    if n_polygons and not any(counted_areas.values()):
        raise InputError(
            "pixel_size.misses_polygons",
            "Pixels of {size:g} {unit} miss all {count:,} polygons. Choose smaller pixels, or 0 "
            "for exact areas.",
            one="Pixels of {size:g} {unit} miss the only polygon. Choose smaller pixels, or 0 for "
            "exact areas.",
            size=_compute_pixel_side(grid),
            unit=grid.working_crs.unit,
            count=n_polygons,
        )


def _measure_marked_area(
    marks: ReferenceMask, drawings: DrawingSite, grid: Grid, counted_area: float, progress: Progress
) -> float:
    """Return the area that a raster marks in the study area by its own pixels, m².

    Args:
        marks: marked pixels of the raster.
        drawings: drawings with the study area.
        grid: pixels in which the votes are counted.
        counted_area: area counted in these pixels. It is returned if the raster's own pixels have
            the same size, are in another coordinate reference system, lie outside the study area,
            or are too many.
        progress: called with the fraction done.
    """
    own_grid = marks.own_grid(drawings.working_crs.transform_context)
    study_area = drawings.remaining_area
    has_same_size = (
        own_grid.pixel_width == grid.pixel_width and own_grid.pixel_height == grid.pixel_height
    )
    if has_same_size or own_grid.working_crs.crs != grid.working_crs.crs:
        return counted_area
    if not shapely.box(*own_grid.bounds).intersects(study_area):
        return counted_area
    if own_grid.rows * own_grid.columns > MAX_NUMERIC_PIXELS:
        return counted_area
    own_grid = own_grid.crop(np.array(study_area.bounds))
    # Parts of few pixels need little memory, however small the pixels of the raster are.
    rows_per_part = max(1, _PIXELS_PER_PART // own_grid.columns)
    n_marked = 0
    for first_row in range(0, own_grid.rows, rows_per_part):
        part = replace(
            own_grid,
            top=own_grid.top - first_row * own_grid.pixel_height,
            rows=min(rows_per_part, own_grid.rows - first_row),
        )
        is_marked = marks.read_marked(part) & rasterise_mask([study_area], part)
        n_marked += np.count_nonzero(is_marked)
        progress(first_row / own_grid.rows)
    return float(n_marked * own_grid.pixel_width * own_grid.pixel_height)


def create_pixel_faces(votes: VoteTable, grid: Grid, progress: Progress = no_progress) -> VoteTable:
    """Return votes whose faces are the outlines of adjoining pixels with the same pattern.

    Args:
        votes: votes with the pattern of each pixel (rows, columns).
        grid: the pixels.
        progress: called with the fraction done.
    """
    pattern_of_pixel = np.asarray(votes.pattern_index)
    is_marked = votes.on_map(votes.n_yes > 0)
    faces, pattern_of_face = run_in_thread(
        lambda share: polygonise_grid(pattern_of_pixel, is_marked, grid, share), progress
    )
    return replace(
        votes,
        pattern_index=pattern_of_face.astype(pattern_of_pixel.dtype),
        faces=faces,
        blocks=None,
    )


def validate_block_length(block_side: float, drawings: DrawingSite, *grids: Grid) -> None:
    """Raise an InputError for blocks that are smaller than a pixel, or too many.

    Args:
        block_side: side of a block in metres; 0 for blocks that always fit.
        drawings: drawings with the study area.
        *grids: grids whose pixels are counted in the blocks.
    """
    if not block_side > 0:
        return
    for grid in grids:
        pixel = max(grid.pixel_width, grid.pixel_height)
        if block_side < pixel:
            raise InputError(
                "blocks.smaller_than_pixel",
                "Blocks of {side:g} m are smaller than a pixel ({pixel:g} m). Choose larger "
                "blocks.",
                side=block_side,
                pixel=pixel,
            )
    xmin, ymin, xmax, ymax = drawings.bounds
    validate_block_side(block_side, xmax - xmin, ymax - ymin)
    for grid in grids:  # Whole pixels extend beyond the study area.
        side = _compute_pixel_side(grid)
        validate_block_side(block_side, grid.columns * side, grid.rows * side)


def _compute_pixel_side(grid: Grid) -> float:
    """Return the side of a square with the area of a pixel, metres."""
    return float(np.sqrt(grid.pixel_width * grid.pixel_height))


class _TileSpan(NamedTuple):
    """Rows, or columns, of a tile."""

    block: int  #: number of the row, or column, of blocks.
    span: slice  #: rows, or columns, of the grid.


def _split_into_tiles(length: int, block_side: float) -> list[_TileSpan]:
    """Split the rows, or columns, of a grid into those of tiles; no tile reaches into two blocks.

    Args:
        length: number of rows, or columns, of the grid.
        block_side: side of a block in pixels, not necessarily whole.
    """
    block_numbers = block_numbers_along_axis(length, block_side)
    # A block starts where the number changes; -1 before the first pixel makes it a start too.
    block_starts = np.flatnonzero(np.diff(block_numbers, prepend=-1)).tolist()
    block_ends = [*block_starts[1:], length]
    spans = []
    for block, (block_start, block_end) in enumerate(zip(block_starts, block_ends)):
        for tile_start in range(block_start, block_end, _TILE_SIDE):
            tile_end = min(tile_start + _TILE_SIDE, block_end)
            spans.append(_TileSpan(block=block, span=slice(tile_start, tile_end)))
    return spans


#: Number of pixels of a raster whose marks are counted at a time.
_PIXELS_PER_PART = 20_000_000
#: Maximum number of pixels of a grid on which polygons are rasterized at once. On larger grids
#: they are rasterized tile by tile, each time a tile is read.
_MAX_RASTERIZED_AT_ONCE = 1_000_000


class _DecisionSource(NamedTuple):
    """Source of the decisions of one annotator on a grid."""

    marked: shapely.STRtree | Bools  #: marked pixels, or an index of the polygons to be rasterized.
    missing: Bools | None  #: pixels at which the annotator did not look; None for polygons.
    #: Pixels of the reviewed area, or an index of its polygons; None for everywhere.
    reviewed: shapely.STRtree | Bools | None

    @property
    def has_missing(self) -> bool:
        """True if the annotator may not have looked at all pixels."""
        return self.missing is not None or self.reviewed is not None

    @classmethod
    def from_drawing(
        cls, drawing: Objects | ReferenceMask, reviewed_area: Any, grid: Grid
    ) -> _DecisionSource:
        """Read or index a drawing for a grid.

        Args:
            drawing: (n,) polygons, or marked pixels of a raster.
            reviewed_area: (multi)polygon that the annotator reviewed; None for everywhere.
            grid: the grid.
        """
        reviewed = None
        if reviewed_area is not None:
            reviewed = rasterize_or_index(shapely.get_parts(reviewed_area), grid)
        if isinstance(drawing, ReferenceMask):
            return cls(drawing.read_on_grid(grid), drawing.read_missing(grid), reviewed)
        return cls(rasterize_or_index(drawing, grid), missing=None, reviewed=reviewed)


class TileReader:
    """Reader of the decisions of all annotators in tiles of a grid.

    Args:
        drawings: drawings of the annotators, with the study area.
        grid: the grid.
    """

    def __init__(self, drawings: DrawingSite, grid: Grid) -> None:
        self._grid = grid
        self._sources = [
            _DecisionSource.from_drawing(drawing, drawings.reviewed_areas.get(name), grid)
            for name, drawing in drawings.annotators.items()
        ]
        #: Pixels of the study area, or its polygons; None for everywhere.
        self._study_area: shapely.STRtree | Bools | None = None
        if drawings.remaining_area is not None:
            self._study_area = rasterize_or_index(shapely.get_parts(drawings.remaining_area), grid)

    def decisions(self, window: tuple[slice, slice]) -> tuple[Bools, Bools, Bools | None]:
        """Return the decisions in a tile.

        Args:
            window: rows and columns of the tile.

        Returns:
            (K, rows, columns) True where annotator K marked a pixel, (rows, columns) True for
            excluded pixels, and (K, rows, columns) True where annotator K did not look, or None.
            Without a study area, pixels that nobody marked are excluded.
        """
        tile = grid_of_window(self._grid, window)
        is_marked = np.stack(
            [pixels_in_tile(source.marked, window, tile) for source in self._sources]
        )
        if self._study_area is None:
            is_counted = is_marked.any(axis=0)
        else:
            is_counted = pixels_in_tile(self._study_area, window, tile)
        if not any(source.has_missing for source in self._sources):
            return is_marked, ~is_counted, None
        is_missing = np.zeros(is_marked.shape, dtype=bool)
        for row, source in enumerate(self._sources):
            if source.missing is not None:
                is_missing[row] = source.missing[window]
            if source.reviewed is not None:
                is_missing[row] |= ~pixels_in_tile(source.reviewed, window, tile)
        return is_marked, ~is_counted, is_missing


def grid_of_window(grid: Grid, window: tuple[slice, slice]) -> Grid:
    """Return the pixels of a tile.

    Args:
        grid: the grid.
        window: rows and columns of the tile.
    """
    rows, columns = window
    return replace(
        grid,
        left=grid.left + columns.start * grid.pixel_width,
        top=grid.top - rows.start * grid.pixel_height,
        rows=rows.stop - rows.start,
        columns=columns.stop - columns.start,
    )


def tile_windows(grid: Grid) -> list[tuple[slice, slice]]:
    """Return rows and columns of the tiles in which a grid is read."""
    # A block as long as the longer side contains the whole grid.
    block_side = max(grid.shape)
    return _combine_spans(
        _split_into_tiles(grid.rows, block_side), _split_into_tiles(grid.columns, block_side)
    )


def _combine_spans(
    row_spans: Sequence[_TileSpan], column_spans: Sequence[_TileSpan]
) -> list[tuple[slice, slice]]:
    """Return rows and columns of the tiles, row by row."""
    return [(rows.span, columns.span) for rows in row_spans for columns in column_spans]


def rasterize_or_index(polygons: Objects, grid: Grid) -> shapely.STRtree | Bools:
    """Return the pixels inside polygons, or on a large grid an index of the polygons."""
    tree = shapely.STRtree(polygons)
    if grid.rows * grid.columns <= _MAX_RASTERIZED_AT_ONCE:
        return _rasterize(tree, grid)
    return tree


def pixels_in_tile(
    drawn: shapely.STRtree | Bools, window: tuple[slice, slice], tile: Grid
) -> Bools:
    """Return the marked pixels of a tile (rows, columns).

    Args:
        drawn: marked pixels of the whole grid, or an index of polygons.
        window: rows and columns of the tile in the grid.
        tile: pixels of the tile.
    """
    return drawn[window] if isinstance(drawn, np.ndarray) else _rasterize(drawn, tile)


def _rasterize(tree: shapely.STRtree, grid: Grid) -> Bools:
    """Return True for the pixels (rows, columns) whose centre lies inside a polygon."""
    nearby = tree.geometries[tree.query(shapely.box(*grid.bounds))]
    return rasterise_mask(nearby, grid) if len(nearby) else np.zeros(grid.shape, dtype=bool)


def _with_area_note(votes: VoteTable, drawings: DrawingSite) -> VoteTable:
    """Return votes with a message if there is no study area."""
    if drawings.study_area is None and AgreementMessage.NO_STUDY_AREA not in votes.messages:
        return replace(votes, messages=(*votes.messages, AgreementMessage.NO_STUDY_AREA))
    return votes


#: Distance in metres from all other annotators above which an annotator's coordinates are
#: suspicious.
_SUSPICIOUS_DISTANCE = 50_000.0


@dataclass(frozen=True, eq=False)
class DrawingSite(StudySite):
    """Study site with the drawings of all annotators."""

    #: Polygons, or marked pixels of a raster, by the name of the annotator.
    annotators: dict[str, Objects | ReferenceMask] = field(default_factory=dict)
    #: Crowns of the annotators that are no rasters, with their ids, by name.
    crowns: dict[str, Crowns] = field(default_factory=dict)
    #: Plot of each polygon, by the name of the annotator.
    plot_of_polygon: dict[str, Objects] = field(default_factory=dict)
    #: (Multi)polygon that an annotator has reviewed, by name; everywhere for the others.
    reviewed_areas: dict[str, Any] = field(default_factory=dict)
    #: Rasters of classes of all images of the run.
    class_rasters: ClassRasters = field(default_factory=ClassRasters)

    def restrict_to_plot(self, plot: str, area: Any) -> DrawingSite:
        """Return the drawings of one plot.

        Args:
            plot: name of the plot.
            area: study area of the plot; None for everywhere.
        """
        # Rasters have no plots: all plots read them in their own study areas.
        annotators: dict[str, Objects | ReferenceMask] = dict(self.annotators)
        for name, polygons in self.polygon_drawings.items():
            annotators[name] = polygons[self.plot_of_polygon[name] == plot]
        crowns = {
            name: annotator_crowns.subset(self.plot_of_polygon[name] == plot)
            for name, annotator_crowns in self.crowns.items()
        }
        return replace(
            super().restrict_to_plot(plot, area),
            annotators=annotators,
            crowns=crowns,
            plot_of_polygon={},
        )

    @property
    def polygon_drawings(self) -> dict[str, Objects]:
        """Polygons of the annotators that are no rasters, by name."""
        return {
            name: drawn
            for name, drawn in self.annotators.items()
            if not isinstance(drawn, ReferenceMask)
        }

    @property
    def raster_drawings(self) -> dict[str, ReferenceMask]:
        """Marked pixels of the annotators that are rasters, by name."""
        return {
            name: drawn
            for name, drawn in self.annotators.items()
            if isinstance(drawn, ReferenceMask)
        }

    @property
    def names(self) -> list[str]:
        """Names of the annotators."""
        return list(self.annotators)


def read_drawings_by_image(
    settings: AgreementSettings, progress: Progress
) -> dict[str, DrawingSite]:
    """Read the drawings of each image or plot, by its name; those of a single image under ""."""
    sites = read_images(settings, settings.by_image, PLOT_FIELD, read_drawings, progress)
    groups = parse_class_groups(settings[CLASS_GROUPS])
    rasters = ClassRasters([site.raster_drawings for site in sites.values()])
    # Without groups, all values are classes of their own.
    raster_values = rasters.values.tolist() if groups else ()
    crowns_by_image = [site.crowns for site in sites.values()]
    checked = check_annotator_classes(crowns_by_image, groups, raster_values)
    classed_rasters = rasters.with_classes(checked.class_of_value)
    sites_with_classes = {}
    for (image, site), crowns in zip(sites.items(), checked.images):
        # A message of all images is one message of the run.
        site.site_messages.extend(checked.messages)
        sites_with_classes[image] = replace(site, crowns=crowns, class_rasters=classed_rasters)
    return sites_with_classes


def read_drawings(settings: AgreementSettings, progress: Progress) -> DrawingSite:
    """Read the drawings of all annotators from their layers.

    Messages about the input are in the result's ``site_messages``.

    Args:
        settings: settings of the run, or of one image.
        progress: called with the fraction done.

    Raises:
        InputError: if there is no usable polygon, or if there are too many annotators.
    """
    site = _read_site(settings, progress)
    annotator_field = settings[ANNOTATOR_FIELD]
    if annotator_field:
        drawings = _split_by_field(site, annotator_field)
    else:
        drawings = _split_by_layer(site, settings)
    n_annotators = len(drawings.annotators)
    if n_annotators > MAX_ANNOTATORS:
        raise InputError(
            "annotators.too_many_in_field",
            "At most {most} annotators can be compared, but field '{field}' names {count}.",
            most=MAX_ANNOTATORS,
            field=annotator_field,
            count=n_annotators,
        )

    reviewed = read_reviewed_areas(
        settings[REVIEWED], annotator_field, drawings.annotators, drawings.working_crs
    )
    drawings = replace(drawings, reviewed_areas=reviewed.areas)
    drawings.site_messages.extend(reviewed.messages)
    drawings = _limit_to_reviewed(drawings)

    # Without a study area, the extent of the image is used, if there is one.
    if drawings.study_area is None and drawings.grid is not None:
        drawings = replace(drawings, study_area=shapely.box(*drawings.grid.bounds))
        message = note(
            "input.image_extent",
            f"No study area was chosen: {default_area_phrase(settings)} was used.",
        )
        drawings.site_messages.append(message)

    drawings.site_messages.extend(_check_polygons(drawings))
    drawings.site_messages.extend(_distance_messages(drawings.polygon_drawings))
    drawings.site_messages.extend(check_annotator_spelling(drawings.annotators))
    return drawings


def _limit_to_reviewed(drawings: DrawingSite) -> DrawingSite:
    """Return the drawings with a study area of what was reviewed, if that is known of everybody."""
    area, messages = default_reviewed_area(
        drawings.study_area, drawings.reviewed_areas, drawings.annotators
    )
    drawings.site_messages.extend(messages)
    return replace(drawings, study_area=area) if messages else drawings


def _check_polygons(drawings: DrawingSite) -> list[Message]:
    """Return messages about annotators whose polygons lie outside the study area.

    Raises:
        InputError: if there is neither a polygon nor a study area, or if all annotators drew
            outside the study area.
    """
    polygons_by_annotator = drawings.polygon_drawings.values()
    n_annotators_with_polygons = sum(len(polygons) > 0 for polygons in polygons_by_annotator)
    if drawings.study_area is None and not n_annotators_with_polygons:
        raise no_usable_polygons_error()
    outside_messages = _outside_messages(drawings)
    # There is one message per annotator whose polygons are all outside.
    are_all_outside = len(outside_messages) == n_annotators_with_polygons
    if n_annotators_with_polygons and are_all_outside and not drawings.raster_drawings:
        raise _nothing_inside_error(drawings)
    return outside_messages


def _read_site(settings: AgreementSettings, progress: Progress) -> StudySite:
    """Read the polygon layers of the annotators, the study area and the excluded areas.

    The pixels are those of the annotators' rasters, or of the raster that sets them; without
    either, the site has no pixels.

    Args:
        settings: settings of the run, or of one image.
        progress: called with the fraction done.
    """
    plot_field = settings[PLOT_FIELD]
    requests = []
    for name, snapshot in settings.layers.items():
        if not isinstance(snapshot, LayerSnapshot):
            continue
        request = LayerRequest(
            snapshot,
            name=name,
            group_field=settings[ANNOTATOR_FIELD],
            exclude_ungrouped=True,
            site_field=plot_field,
            class_field=_get_class_field(settings),
        )
        requests.append(request)
    context = settings.transform_context
    grid_or_context: Any = context
    if settings.rasters:
        grid_or_context = find_common_grid(settings.rasters, context).grid
    elif settings.pixel_raster is not None:
        grid_or_context = Grid.from_raster(settings.pixel_raster, context)
    return read_study_site(
        requests, grid_or_context, settings[STUDY_AREA], settings[EXCLUDED], progress, plot_field
    )


def _get_class_field(settings: AgreementSettings) -> str:
    """Return the class field of a run; "" without one. Each algorithm has its own parameter."""
    return settings.values.get(CLASS_FIELD) or settings.values.get(COMPARED_CLASS_FIELD) or ""


def _split_by_layer(site: StudySite, settings: AgreementSettings) -> DrawingSite:
    """Return the drawings of annotators that are layers, in the order of the layers.

    Messages about rasters are added to ``site.site_messages``.
    """
    crowns = {}
    plots = {}
    for layer in site.layers:
        crowns[layer.crowns.name] = layer.crowns
        plots[layer.crowns.name] = layer.plots

    marks = {}
    for name, raster in settings.rasters.items():
        marks[name] = create_reference_mask(raster, settings)
    if marks:
        site.site_messages.extend(_raster_messages(settings, site))
        site.site_messages.extend(mark_messages(marks))
    annotators: dict[str, Objects | ReferenceMask] = {}
    names = list(settings.layers) if marks else list(crowns)
    for name in names:
        annotators[name] = marks[name] if name in marks else crowns[name].geometry
    return DrawingSite(**vars(site), annotators=annotators, crowns=crowns, plot_of_polygon=plots)


def _split_by_field(site: StudySite, annotator_field: str) -> DrawingSite:
    """Return the drawings of annotators that a field of the layers names.

    Messages about annotators without polygons are added to ``site.site_messages``.

    Args:
        site: study site whose layers have the annotator of each crown as its plot.
        annotator_field: name of the field.

    Raises:
        InputError: if the field is empty for all polygons.
    """
    annotator_of_polygon = np.concatenate(
        [np.asarray(layer.crowns.plots, dtype=object) for layer in site.layers]
    )
    plot_of_polygon = np.concatenate([layer.plots for layer in site.layers])
    all_crowns = concatenate_crowns([layer.crowns for layer in site.layers], annotator_field)
    annotators: dict[str, Objects | ReferenceMask] = {}
    crowns = {}
    plots = {}
    names = chain.from_iterable(layer.plot_names for layer in site.layers)
    for name in sort_annotators(names, annotator_field):
        is_own = annotator_of_polygon == name
        crowns[name] = all_crowns.subset(is_own)
        annotators[name] = crowns[name].geometry
        plots[name] = plot_of_polygon[is_own]
        if not is_own.any():
            message = note(
                "annotators.none",
                "{name}: no polygon that can be used, so this annotator marked nothing.",
                name=name,
            )
            site.site_messages.append(message)
    return DrawingSite(**vars(site), annotators=annotators, crowns=crowns, plot_of_polygon=plots)


def default_area_phrase(settings: AgreementSettings) -> str:
    """Return an English noun phrase for the area that is used if no study area is chosen.

    It applies to runs in which a raster sets the pixels.
    """
    return "the rectangle around all rasters" if settings.rasters else "the image's rectangle"


def _raster_messages(settings: AgreementSettings, site: StudySite) -> list[Message]:
    """Return messages about the bands that are read, and the raster that sets the pixels."""
    is_default = settings[VALUES] != ValueMeaning.COLOUR.value and settings[MARK_BAND] == 1
    messages = first_band_messages(settings.rasters) if is_default else []
    grid = site.grid
    if grid is None:
        return messages
    messages += turned_messages(settings.rasters, grid)
    if settings[RESOLUTION] > 0:
        return messages
    others = names_with_other_pixels(settings.rasters, grid, settings.transform_context)
    if others:
        first_raster = find_common_grid(settings.rasters, settings.transform_context).raster
        messages.append(alignment_message(grid, first_raster, others))
    return messages


def _distance_messages(polygons_by_annotator: dict[str, Objects]) -> list[Message]:
    """Return messages about annotators whose polygons lie far away from those of all others."""
    names = [name for name, polygons in polygons_by_annotator.items() if len(polygons)]
    boxes = np.empty(len(names), dtype=object)
    for row, name in enumerate(names):
        xmin, ymin, xmax, ymax = shapely.total_bounds(polygons_by_annotator[name])
        boxes[row] = shapely.box(xmin, ymin, xmax, ymax)
    # (K, K) distances of every two annotators.
    distances = shapely.distance(boxes[:, None], boxes[None, :])
    np.fill_diagonal(distances, np.inf)
    nearest_distances = distances.min(axis=1, initial=np.inf)

    messages = []
    for name, distance in zip(names, nearest_distances):
        # A single annotator is infinitely far from all others.
        is_far = _SUSPICIOUS_DISTANCE < distance < np.inf
        if not is_far:
            continue
        message = note(
            "annotators.far",
            "{name} lies {distance:,.0f} km away from all other annotators. Check the layers' "
            "coordinate systems.",
            name=name,
            distance=distance / 1000,
        )
        messages.append(message)
    return messages


def _outside_messages(drawings: DrawingSite) -> list[Message]:
    """Return a message per annotator none of whose polygons lies inside the study area.

    Such annotators count as having marked nothing.
    """
    region = drawings.remaining_area
    if region is None:
        return []
    messages = []
    for name, polygons in drawings.polygon_drawings.items():
        if len(polygons) and not _shares_area(polygons, region).any():
            location = _find_location(drawings, polygons)
            messages.append(outside_message(name, len(polygons), location))
    return messages


def _shares_area(polygons: Objects, region: Any) -> Bools:
    """Return a mask (n,) of polygons that share more than their boundary with a region."""
    shapely.prepare(region)
    return np.asarray(shapely.intersects(region, polygons) & ~shapely.touches(region, polygons))


def _find_location(drawings: DrawingSite, polygons: Objects) -> OutsideLocation:
    """Return where polygons lie that do not count."""
    is_inside = np.ones(len(polygons), dtype=bool)
    if drawings.study_area is not None:
        is_inside = _shares_area(polygons, drawings.study_area)
    if not is_inside.any():
        return OutsideLocation.OUTSIDE
    return OutsideLocation.EXCLUDED if is_inside.all() else OutsideLocation.EITHER


def _nothing_inside_error(drawings: DrawingSite) -> InputError:
    """Return the error for drawings without any polygon that counts."""
    polygons = np.concatenate(list(drawings.polygon_drawings.values()))
    return no_polygon_inside_error(len(polygons), _find_location(drawings, polygons))
