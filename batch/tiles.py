"""Division of the map into tiles that hold a limited number of crowns.

A tile owns the crowns whose centroid lies in it, so that every crown has exactly one owner. A tile
writes results for the crowns that it owns only.

The score of a crown also depends on crowns near it, some of which belong to other tiles. Each tile
therefore reads the crowns in its box grown by a margin on all sides. This margin is called the
*halo*. It must be at least as wide as the largest distance at which another crown can influence a
crown that the tile owns; then the tile computes the same numbers as a run on the whole map. Crowns
in the halo serve as context only and are dropped before the tile writes its results. The width
depends on the pairing method, on the search radius and on the largest crowns of the layers, and it
differs between targets and delineations. :func:`randcrowns.batch.scoring.halo_widths` derives it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely

from randcrowns.batch.source import (
    OFF_MAP_PROBLEM,
    SKIPPED,
    ProblemLog,
    Source,
    is_on_map,
    iterate_bounds,
)
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError

#: Default maximum number of crowns of all layers in a tile.
DEFAULT_MAXIMUM_CROWNS = 200_000
# Without a requested tile size, the map is halved at most this often.
_MAXIMUM_HALVINGS = 12
# Without a requested tile size, no cell is smaller than this, metres.
_MINIMUM_CELL = 16.0
# Without a requested tile size, there are at least this many tiles, so that every worker has work.
_MINIMUM_TILES = 8
# Longer diagonals of crowns are metres: in degrees, they would be 10 km long.
_MAXIMUM_DIAGONAL_IN_DEGREES = 0.1
# The wish for many tiles does not lower the maximum number of crowns in a tile below this.
_MINIMUM_CROWNS = 5_000
# A tile of a requested size can be halved this often.
_FURTHER_HALVINGS = 4
# Factor that packs column and row of a cell into one integer: more than the cells along any side.
_KEY_FACTOR = 1 << 31
# Maximum number of cells that the crowns of one chunk may touch together.
_MAXIMUM_TOUCHED_CELLS = 10_000_000
# Number of crowns in a chunk whose cells are counted at a time.
_CHUNK_CROWNS = 5_000


@dataclass(frozen=True)
class Grid:
    """Grid of square cells.

    Attributes:
        x0: left edge of the first column, metres.
        y0: lower edge of the first row, metres.
        cell: side of a cell, metres.
    """

    x0: float
    y0: float
    cell: float

    def cells(self, xy: Floats) -> Ints:
        """Return column and row (n, 2) of the cell that contains each point of ``xy`` (n, 2).

        A point on the edge between two cells belongs to the cell with the higher number.
        """
        return (
            np.floor((xy - [self.x0, self.y0]) / self.cell)
            .clip(-_KEY_FACTOR, _KEY_FACTOR)
            .astype(np.int64)
        )


@dataclass(frozen=True)
class Tile:
    """Square of cells, [x0, x1) x [y0, y1).

    Attributes:
        column: column of its lower left cell.
        row: row of its lower left cell.
        size: number of cells along a side.
        n_crowns: number of crowns of all layers whose bounds have their centre in the tile.
    """

    column: int
    row: int
    size: int
    n_crowns: int = 0

    @property
    def key(self) -> str:
        """Name of the tile, as used in file names and in the manifest."""
        return f"{self.column}_{self.row}_{self.size}"

    def box(self, grid: Grid, halo: float = 0.0) -> Floats:
        """Return the bounds of the tile.

        Args:
            grid: cells that tiles consist of.
            halo: distance by which the tile is grown on all sides, m.

        Returns:
            (4,) xmin, ymin, xmax, ymax, m.
        """
        corners = np.array([self.column, self.row, self.column + self.size, self.row + self.size])
        edges = corners * grid.cell + np.tile([grid.x0, grid.y0], 2)
        return edges + np.array([-halo, -halo, halo, halo])

    def owns(self, shapes: Objects, bounds: Floats, grid: Grid) -> Bools:
        """Return a mask (n,) of the polygons whose centroid lies in the tile.

        Centroids are computed only for polygons whose bounds cross an edge of the tile: if the
        bounds lie inside or outside, so does the centroid.

        Args:
            shapes: (n,) polygons; a missing one is owned by no tile.
            bounds: (n, 4) their bounds.
            grid: the grid of the tile.
        """
        is_present = ~shapely.is_missing(shapes)
        first_cells = grid.cells(bounds[:, :2])
        last_cells = grid.cells(bounds[:, 2:])
        is_owned = is_present & self._contains(first_cells) & self._contains(last_cells)

        end = self.column + self.size, self.row + self.size
        meets_tile = ((first_cells < end) & (last_cells >= [self.column, self.row])).all(axis=1)
        on_edge = np.flatnonzero(is_present & meets_tile & ~is_owned)
        if len(on_edge):
            centroids = shapely.get_coordinates(shapely.centroid(shapes[on_edge]))
            is_owned[on_edge] = self._contains(grid.cells(centroids))
        return np.asarray(is_owned)

    def owns_bounds(self, bounds: Floats, grid: Grid) -> Bools:
        """Return which bounds have their centre in the tile.

        It decides which tile reports a crown without a usable outline.

        Args:
            bounds: (n, 4) xmin, ymin, xmax, ymax, m.
            grid: cells that tiles consist of.

        Returns:
            (n,) mask.
        """
        centres = (bounds[:, :2] + bounds[:, 2:]) / 2
        return self._contains(grid.cells(centres))

    def _contains(self, cells: Ints) -> Bools:
        """Return a mask (n,) of the ``cells`` (n, 2; column and row) that belong to the tile."""
        is_inside = (cells >= [self.column, self.row]) & (
            cells < [self.column + self.size, self.row + self.size]
        )
        return np.asarray(is_inside.all(axis=1))


@dataclass(frozen=True)
class TilePlan:
    """Division of the map for one run.

    Attributes:
        grid: grid that the tiles consist of.
        tiles: tiles that contain crowns, the largest number of crowns first.
        diagonals: longest diagonal of a crown's bounds in each layer, metres.
        bounds: (4,) xmin, ymin, xmax, ymax of all layers.
        problems: crowns that have no position on the map.
        n_crowns: number of crowns in each layer.
    """

    grid: Grid
    tiles: tuple[Tile, ...]
    diagonals: tuple[float, ...]
    bounds: Floats
    problems: ProblemLog
    n_crowns: tuple[int, ...]


class _CellCounts(NamedTuple):
    """Numbers of crowns in the cells of a grid.

    Attributes:
        cells: (c, 2) column and row of the cells that any crown touches, sorted.
        counts: (c,) number of crowns whose bounds have their centre in each cell.
        diagonals: longest diagonal of a crown's bounds in each layer, metres.
    """

    cells: Ints
    counts: Ints
    diagonals: list[float]


def plan_tiles(
    sources: Sequence[Source], side: float | None = None, maximum: int = DEFAULT_MAXIMUM_CROWNS
) -> TilePlan:
    """Divide the map into tiles.

    This reads the bounds of the crowns but no geometries.

    Args:
        sources: the layers.
        side: side of a tile, metres; by default the map is halved until no tile contains more than
            ``maximum`` crowns.
        maximum: maximum number of crowns in a tile; a tile with more is divided further.

    Returns:
        The tiles, largest number of crowns first, with their grid and the bounds of the map.

    Raises:
        InputError: if ``side`` or ``maximum`` is not positive, the tiles are too small for the
            crowns, the coordinates look like degrees, or no layer contains a crown.
    """
    _check_tile_size(side, maximum)
    total = _bounds_of_layers(sources)
    rows = tuple(int(source.row_groups.rows.sum()) for source in sources)
    problems = ProblemLog()
    if side is None:
        maximum = min(maximum, max(_MINIMUM_CROWNS, sum(rows) // _MINIMUM_TILES))
        grid, root_size = _default_grid(total)
    else:
        grid, root_size = _grid_of_side(total, side)
    counted = _count_crowns(sources, grid, problems)

    # A crown far from all others makes the cells so large that one of them holds too many crowns.
    while side is None and grid.cell > _MINIMUM_CELL and counted.counts.max(initial=0) > maximum:
        finer_cell = max(_MINIMUM_CELL, grid.cell / 2**_FURTHER_HALVINGS)
        finer_grid, finer_root_size = _grid_of_cells(total, finer_cell)
        try:
            counted = _count_crowns(sources, finer_grid, ProblemLog())
        except InputError:
            # The crowns touch too many of the finer cells.
            break
        grid = finer_grid
        root_size = finer_root_size

    _check_not_degrees(sources[0].name, total, max(counted.diagonals))
    tiles = list(_divide(counted.cells, counted.counts, root_size, maximum))
    tiles.sort(key=lambda tile: (-tile.n_crowns, tile.key))
    return TilePlan(
        grid=grid,
        tiles=tuple(tiles),
        diagonals=tuple(counted.diagonals),
        bounds=total,
        problems=problems,
        n_crowns=rows,
    )


def _check_tile_size(side: float | None, maximum: int) -> None:
    """Raise InputError unless the side (m; None for the default) and the maximum are positive."""
    if maximum < 1:
        raise InputError(
            "tiles.invalid_crown_count",
            "A tile must be allowed 1 crown at least, not {maximum}.",
            maximum=maximum,
        )
    if side is not None and not (math.isfinite(side) and side > 0):
        raise InputError(
            "tiles.invalid_side",
            "The side of a tile must be a number of metres above 0, not {side}.",
            side=side,
        )


def _bounds_of_layers(sources: Sequence[Source]) -> Floats:
    """Return the bounds (4,) of all crowns.

    Raises:
        InputError: if no crown has a position on the map.
    """
    group_bounds = np.concatenate([source.row_groups.bounds for source in sources])
    total = _total_bounds(group_bounds)
    if not is_on_map(group_bounds).all():
        # Some file does not state the bounds of its row groups, or has crowns off the map.
        crown_bounds = []
        for source in sources:
            crown_bounds += [chunk_bounds for _, chunk_bounds in iterate_bounds(source)]
        total = _total_bounds(np.concatenate(crown_bounds))
    if not np.isfinite(total).all():
        raise InputError(
            "batch.no_crowns", "None of the layers holds a crown with a place on the map."
        )
    return total


def _total_bounds(bounds: Floats) -> Floats:
    """Return the bounds (4,) of all ``bounds`` (n, 4) on the map; NaN if there are none."""
    bounds = bounds[is_on_map(bounds)]
    if len(bounds) == 0:
        return np.full(4, np.nan)
    return np.append(bounds[:, :2].min(axis=0), bounds[:, 2:].max(axis=0))


def _check_not_degrees(name: str, total: Floats, longest: float) -> None:
    """Raise InputError if coordinates look like degrees instead of metres.

    Args:
        name: name of the layer, for the message.
        total: (4,) xmin, ymin, xmax and ymax of all crowns.
        longest: longest diagonal of the bounds of a crown.
    """
    is_in_longitudes = np.abs(total[[0, 2]]).max() <= 180
    is_in_latitudes = np.abs(total[[1, 3]]).max() <= 90
    if is_in_longitudes and is_in_latitudes and longest < _MAXIMUM_DIAGONAL_IN_DEGREES:
        raise InputError(
            "crs.looks_like_degrees",
            "{name}: the coordinates look like degrees, but the file says that they "
            "are metres. Name the right coordinate system: randcrowns partition FILE "
            "OUT.parquet --assign-crs EPSG:4326",
            name=name,
        )


def _grid_of_side(total: Floats, side: float) -> tuple[Grid, int]:
    """Return the grid for tiles of ``side`` metres, and the number of cells along such a tile.

    Raises:
        InputError: if the map has too many tiles of that size.
    """
    extent = float((total[2:] - total[:2]).max())
    divisions = 2**_FURTHER_HALVINGS
    if extent / side * divisions >= _KEY_FACTOR / 2:
        raise InputError(
            "tiles.side_too_small",
            "Tiles of {side:g} metres are too small for a map so wide; name a longer side.",
            side=side,
        )
    start = np.floor(total[:2] / side) * side
    return Grid(float(start[0]), float(start[1]), side / divisions), divisions


def _default_grid(total: Floats) -> tuple[Grid, int]:
    """Return a grid over the map, and the number of its cells along the square around all."""
    extent = float((total[2:] - total[:2]).max())
    power = math.ceil(math.log2(max(extent, 1.0) / 2**_MAXIMUM_HALVINGS))
    return _grid_of_cells(total, max(_MINIMUM_CELL, 2.0**power))


def _grid_of_cells(total: Floats, cell: float) -> tuple[Grid, int]:
    """Return the grid with cells of ``cell`` metres over the map, and its size.

    The size is the number of cells along the square around all, a power of two.
    """
    extent = float((total[2:] - total[:2]).max())
    start = np.floor(total[:2] / cell) * cell
    across = max(1, int(extent // cell) + 2)
    return Grid(float(start[0]), float(start[1]), cell), 2 ** math.ceil(math.log2(across))


def _count_crowns(sources: Sequence[Source], grid: Grid, problems: ProblemLog) -> _CellCounts:
    """Count the crowns of all layers in the cells of a grid.

    Args:
        sources: the layers.
        grid: the grid.
        problems: receives the crowns off the map.

    Returns:
        The cells that crowns touch, the number of crowns with their centre in each cell, and the
        longest diagonal of a crown in each layer, metres.

    Raises:
        InputError: if the crowns of a chunk touch too many cells together.
    """
    chunk_keys = [np.empty(0, np.int64)]
    chunk_counts = [np.empty(0, np.int64)]
    diagonals = []
    for source in sources:
        longest = 0.0
        for bounds in _bounds_on_map(source, problems):
            lower_left, upper_right = bounds[:, :2], bounds[:, 2:]
            sides = upper_right - lower_left
            lengths = np.hypot(sides[:, 0], sides[:, 1])
            longest = max(longest, float(lengths.max(initial=0.0)))
            centre_cells = grid.cells((lower_left + upper_right) / 2)
            touched_cells = _touched_cells(source.name, bounds, grid, longest)
            cells = np.concatenate([centre_cells, touched_cells])
            # One number per cell, which sorts like column and row.
            cell_keys = cells[:, 0] * _KEY_FACTOR + cells[:, 1]
            # Cells that crowns only touch get a count of 0.
            crown_counts = np.zeros(len(cells), dtype=np.int64)
            crown_counts[: len(centre_cells)] = 1
            keys, counts = _add_up_by_key(cell_keys, crown_counts)
            chunk_keys.append(keys)
            chunk_counts.append(counts)
        diagonals.append(longest)
    keys, counts = _add_up_by_key(np.concatenate(chunk_keys), np.concatenate(chunk_counts))
    columns, rows = np.divmod(keys, _KEY_FACTOR)
    return _CellCounts(np.column_stack([columns, rows]), counts, diagonals)


def _add_up_by_key(keys: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Return distinct keys (k,), ascending, and the sum (k,) of the counts of each.

    Args:
        keys: (n,) keys, which may be repeated.
        counts: (n,) a count per key.
    """
    distinct_keys, key_numbers = np.unique(keys, return_inverse=True)
    sums = np.bincount(key_numbers.ravel(), weights=counts, minlength=len(distinct_keys))
    return distinct_keys, sums.astype(np.int64)


def _touched_cells(name: str, bounds: Floats, grid: Grid, longest: float) -> Ints:
    """Return column and row (m, 2) of the cells touched by bounds that span several cells.

    Args:
        name: name of the layer.
        bounds: (n, 4) bounds of crowns.
        grid: the grid.
        longest: longest diagonal so far, metres, for the message of the error.

    Raises:
        InputError: if the crowns touch too many cells together.
    """
    first_cells = grid.cells(bounds[:, :2])
    last_cells = grid.cells(bounds[:, 2:])
    spans_several = (first_cells != last_cells).any(axis=1)
    first_cells = first_cells[spans_several]
    last_cells = last_cells[spans_several]
    # Numbers of columns and rows that each crown touches.
    columns, rows = (last_cells - first_cells + 1).T
    # Floats, because the product of two long sides overflows an integer.
    if (columns * rows.astype(np.float64)).sum() > _MAXIMUM_TOUCHED_CELLS:
        raise InputError(
            "tiles.crowns_too_large",
            "{name}: the crowns are too large for cells of {cell:g} metres, the "
            "longest {longest:,.0f} metres. Name a longer side of tiles (--tile), or "
            "check that crown.",
            name=name,
            cell=grid.cell,
            longest=longest,
        )
    n_cells = columns * rows
    crown_of_cell = np.repeat(np.arange(len(first_cells)), n_cells)
    # The cells of a crown are numbered row by row.
    first_number = np.cumsum(n_cells) - n_cells
    number_in_crown = np.arange(len(crown_of_cell)) - first_number[crown_of_cell]
    row_offsets, column_offsets = np.divmod(number_in_crown, columns[crown_of_cell])
    offsets = np.stack([column_offsets, row_offsets], axis=1)
    return np.asarray(first_cells[crown_of_cell] + offsets)


def _bounds_on_map(source: Source, problems: ProblemLog) -> Iterator[Floats]:
    """Yield the bounds (n, 4) of the crowns on the map in chunks; record the other crowns."""
    for ids, bounds in iterate_bounds(source):
        on_map = is_on_map(bounds)
        problems.add(source.name, ids[~on_map], f"no geometry, or {OFF_MAP_PROBLEM}", SKIPPED)
        yield from np.array_split(bounds[on_map], max(1, len(bounds) // _CHUNK_CROWNS))


def _divide(cells: Ints, counts: Ints, root_size: int, maximum: int) -> Iterator[Tile]:
    """Yield tiles of at most ``maximum`` crowns, where cells allow it.

    Args:
        cells: (c, 2) column and row of the cells that crowns touch.
        counts: (c,) number of crowns with their centre in each cell.
        root_size: number of cells along a tile before it is divided, a power of two.
        maximum: maximum number of crowns in a tile.
    """
    squares, square_of_cell = np.unique(cells // root_size, axis=0, return_inverse=True)
    square_of_cell = square_of_cell.ravel()  # some versions of numpy return a column
    order = np.argsort(square_of_cell, kind="stable")
    # The cells of square i are order[starts[i]:starts[i + 1]].
    starts = np.searchsorted(square_of_cell[order], np.arange(len(squares) + 1))
    corners = (squares * root_size).tolist()
    for number, (column, row) in enumerate(corners):
        in_square = order[starts[number] : starts[number + 1]]
        yield from _divide_square(
            cells[in_square], counts[in_square], column, row, size=root_size, maximum=maximum
        )


def _divide_square(
    cells: Ints, counts: Ints, column: int, row: int, size: int, maximum: int
) -> Iterator[Tile]:
    """Yield a square as one tile, or divided into quarters if it contains too many crowns.

    Args:
        cells: (c, 2) column and row of the cells in the square that crowns touch.
        counts: (c,) number of crowns with their centre in each cell.
        column: first column of the square.
        row: first row of the square.
        size: number of cells along a side of the square.
        maximum: maximum number of crowns in a tile.
    """
    if len(cells) == 0:
        return
    if size == 1 or counts.sum() <= maximum:
        yield Tile(column, row, size, int(counts.sum()))
        return
    half = size // 2
    is_east, is_north = (cells >= [column + half, row + half]).T
    for east in (False, True):
        for north in (False, True):
            in_quarter = (is_east == east) & (is_north == north)
            yield from _divide_square(
                cells[in_quarter],
                counts[in_quarter],
                column=column + half * east,
                row=row + half * north,
                size=half,
                maximum=maximum,
            )
