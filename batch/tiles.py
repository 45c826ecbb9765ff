"""Tiles of the map: which there are, so that each holds a bearable number of crowns, and who owns what."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from randcrowns.batch.source import OFF_THE_MAP, SKIPPED, Problems, Source, each_bounds, is_placed
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError

#: Crowns of all layers that a tile holds at most, as long as it can be cut.
MOST_CROWNS = 200_000
# Without a size given, the map is cut in halves so often at most, and no tile is smaller than so many metres.
_HALVINGS, _LEAST_SIDE = 12, 16.0
# Without a size given there are so many tiles at least, so that every worker has some, but no very small ones.
_TILES, _FEWEST = 8, 5_000
# A tile of a size given can be cut in halves so often.
_FURTHER_HALVINGS = 4
# More than there are cells along any side.
_KEY = 1 << 31
# Cells that so many crowns may touch together.
_MOST_TOUCHED, _TOGETHER = 10_000_000, 5_000


@dataclass(frozen=True)
class Grid:
    """Square cells; x0 and y0 of the first, and their side, metres."""

    x0: float
    y0: float
    cell: float

    def cells(self, xy: Floats) -> Ints:
        """(n, 2) column and row of the cell that each point lies in; a point on an edge is in the next cell."""
        return np.floor((xy - [self.x0, self.y0]) / self.cell).clip(-_KEY, _KEY).astype(np.int64)


@dataclass(frozen=True)
class Tile:
    """A square of cells, [x0, x1) x [y0, y1).

    Attributes:
        column, row: its first cell.
        size: cells along a side.
        crowns: how many crowns it is about to hold.
    """

    column: int
    row: int
    size: int
    crowns: int = 0

    @property
    def key(self) -> str:
        """Its name, as in the files' names."""
        return f"{self.column}_{self.row}_{self.size}"

    def box(self, grid: Grid, reach: float = 0.0) -> Floats:
        """(4,) xmin, ymin, xmax, ymax, grown by a reach in metres."""
        corner = np.array([self.column, self.row, self.column + self.size, self.row + self.size])
        edges = corner * grid.cell + np.tile([grid.x0, grid.y0], 2)
        return edges + np.array([-reach, -reach, reach, reach])

    def owns(self, shapes: Objects, bounds: Floats, grid: Grid) -> Bools:
        """(n,) whether the centroid of each polygon lies in the tile; never that of a missing one.

        Where the bounds lie wholly inside or outside, so does the centroid.
        """
        present = ~shapely.is_missing(shapes)
        first, last = self._holds(grid.cells(bounds[:, :2])), self._holds(grid.cells(bounds[:, 2:]))
        own = present & first & last
        low, high = grid.cells(bounds[:, :2]), grid.cells(bounds[:, 2:])
        end = self.column + self.size, self.row + self.size
        meets = ((low < end) & (high >= [self.column, self.row])).all(axis=1)
        unsure = np.flatnonzero(present & meets & ~own)
        if len(unsure):
            own[unsure] = self._holds(
                grid.cells(shapely.get_coordinates(shapely.centroid(shapes[unsure])))
            )
        return np.asarray(own)

    def owns_bounds(self, bounds: Floats, grid: Grid) -> Bools:
        """(n,) whether the centre of the bounds lies in the tile: who tells of crowns without a usable outline."""
        return self._holds(grid.cells((bounds[:, :2] + bounds[:, 2:]) / 2))

    def _holds(self, cells: Ints) -> Bools:
        inside = (cells >= [self.column, self.row]) & (
            cells < [self.column + self.size, self.row + self.size]
        )
        return np.asarray(inside.all(axis=1))


@dataclass(frozen=True)
class Plan:
    """How a run is divided.

    Attributes:
        grid: the cells.
        tiles: those with crowns, the largest first.
        diagonals: the largest diagonal of the bounds in each layer, metres.
        bounds: of everything.
        problems: crowns without any place on the map.
        rows: crowns of each layer.
    """

    grid: Grid
    tiles: tuple[Tile, ...]
    diagonals: tuple[float, ...]
    bounds: Floats
    problems: Problems
    rows: tuple[int, ...]


def plan_tiles(
    sources: Sequence[Source], side: float | None = None, most: int = MOST_CROWNS
) -> Plan:
    """Cut the map into tiles, from the bounds that the files state: a first, cheap pass.

    Args:
        sources: the layers.
        side: of a tile, metres; by default the map is halved until no tile holds too much.
        most: crowns in a tile; one that holds more is cut further.

    Raises:
        InputError: for a side or a number that cannot be, tiles that are too small for the crowns, coordinates that
            look like degrees, or no crowns at all.
    """
    if most < 1:
        raise InputError(f"A tile must be allowed 1 crown at least, not {most}.")
    if side is not None and not (math.isfinite(side) and side > 0):
        raise InputError(f"The side of a tile must be a number of metres above 0, not {side}.")
    stated = [source.pieces.bounds for source in sources]
    known = [one for one in stated if len(one)]
    total = _around(np.concatenate(known)) if known else np.full(4, np.nan)
    if known and not is_placed(np.concatenate(known)).all():
        # A file that does not state the bounds of its row groups, or has crowns on no map, is looked through.
        total = _around(
            np.concatenate([bounds for source in sources for _, bounds in each_bounds(source)])
        )
    if not np.isfinite(total).all():
        raise InputError("None of the layers holds a crown with a place on the map.")
    rows = tuple(int(source.pieces.rows.sum()) for source in sources)
    if side is None:
        most = min(most, max(_FEWEST, sum(rows) // _TILES))
    grid, root = _grid(total, side)
    problems = Problems()
    cells, counts, diagonals = _counted(sources, grid, problems)
    while side is None and grid.cell > _LEAST_SIDE and counts.max(initial=0) > most:
        # A crown far from the others makes cells that hold too much.
        finer, finer_root = _cells(total, max(_LEAST_SIDE, grid.cell / 2**_FURTHER_HALVINGS))
        try:
            cells, counts, diagonals = _counted(sources, finer, Problems())
        except InputError:
            break
        grid, root = finer, finer_root
    if (
        np.abs(total[[0, 2]]).max() <= 180
        and np.abs(total[[1, 3]]).max() <= 90
        and max(diagonals) < 0.1
    ):
        raise InputError(
            f"{sources[0].name}: the coordinates look like degrees, but the file says that they are metres; "
            "name the right coordinate system: randcrowns partition FILE OUT.parquet --assign-crs EPSG:4326"
        )
    tiles = sorted(_cut(cells, counts, root, most), key=lambda tile: (-tile.crowns, tile.key))
    return Plan(grid, tuple(tiles), tuple(diagonals), total, problems, rows)


def _around(bounds: Floats) -> Floats:
    """(4,) the bounds of all bounds that are known."""
    bounds = bounds[is_placed(bounds)]
    if len(bounds) == 0:
        return np.full(4, np.nan)
    return np.append(bounds[:, :2].min(axis=0), bounds[:, 2:].max(axis=0))


def _grid(total: Floats, side: float | None) -> tuple[Grid, int]:
    """The cells, and how many of them are along the side of a tile before it is cut."""
    if side is not None:
        if float((total[2:] - total[:2]).max()) / side * 2**_FURTHER_HALVINGS >= _KEY / 2:
            raise InputError(
                f"Tiles of {side:g} metres are too small for a map so wide; name a longer side."
            )
        start = np.floor(total[:2] / side) * side
        return Grid(
            float(start[0]), float(start[1]), side / 2**_FURTHER_HALVINGS
        ), 2**_FURTHER_HALVINGS
    extent = float((total[2:] - total[:2]).max())
    cell = max(_LEAST_SIDE, 2.0 ** math.ceil(math.log2(max(extent, 1.0) / 2**_HALVINGS)))
    return _cells(total, cell)


def _cells(total: Floats, cell: float) -> tuple[Grid, int]:
    """Cells of one side over everything, and how many of them are along the side of all."""
    extent = float((total[2:] - total[:2]).max())
    start = np.floor(total[:2] / cell) * cell
    across = max(1, int(extent // cell) + 2)
    return Grid(float(start[0]), float(start[1]), cell), 2 ** math.ceil(math.log2(across))


def _counted(
    sources: Sequence[Source], grid: Grid, problems: Problems
) -> tuple[Ints, Ints, list[float]]:
    """(c, 2) cells that any crown touches, how many have their middle there, and each layer's longest diagonal."""
    found, counts = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    diagonals = []
    for source in sources:
        longest = 0.0
        for bounds in _some(source, problems):
            longest = max(
                longest, float(np.hypot(*(bounds[:, 2:] - bounds[:, :2]).T).max(initial=0.0))
            )
            low, high = grid.cells(bounds[:, :2]), grid.cells(bounds[:, 2:])
            middle = grid.cells((bounds[:, :2] + bounds[:, 2:]) / 2)
            several = (low != high).any(axis=1)
            low, (wide, tall) = low[several], (high - low + 1)[several].T
            if (wide * tall.astype(np.float64)).sum() > _MOST_TOUCHED:
                raise InputError(
                    f"{source.name}: the crowns are too large for cells of {grid.cell:g} metres, the longest "
                    f"{longest:,.0f} metres; name a longer side of tiles (--tile), or see whether that crown is right."
                )
            owner = np.repeat(np.arange(len(low)), wide * tall)
            place = np.arange(len(owner)) - np.repeat(
                np.cumsum(wide * tall) - wide * tall, wide * tall
            )
            touched = low[owner] + np.stack([place % wide[owner], place // wide[owner]], axis=1)
            keys = [cells[:, 0] * _KEY + cells[:, 1] for cells in (middle, touched)]
            key, index = np.unique(np.concatenate(keys), return_inverse=True)
            found.append(key)
            counts.append(np.bincount(index.ravel()[: len(middle)], minlength=len(key)))
        diagonals.append(longest)
    key, index = np.unique(np.concatenate(found), return_inverse=True)
    total = np.bincount(index.ravel(), np.concatenate(counts), len(key)).astype(np.int64)
    return np.stack(np.divmod(key, _KEY), axis=1), total, diagonals


def _some(source: Source, problems: Problems) -> Iterator[Floats]:
    """Bounds of the crowns on the map, a few thousand at a time; the others are told."""
    for ids, bounds in each_bounds(source):
        placed = is_placed(bounds)
        problems.add(source.name, ids[~placed], f"no geometry, or {OFF_THE_MAP}", SKIPPED)
        yield from np.array_split(bounds[placed], max(1, len(bounds) // _TOGETHER))


def _cut(cells: Ints, counts: Ints, root: int, most: int) -> Iterator[Tile]:
    corners, owner = np.unique(cells // root, axis=0, return_inverse=True)
    order = np.argsort(owner.ravel(), kind="stable")
    ends = np.searchsorted(owner.ravel()[order], np.arange(len(corners) + 1))
    for number, (column, row) in enumerate((corners * root).tolist()):
        some = order[ends[number] : ends[number + 1]]
        yield from _quarters(cells[some], counts[some], column, row, root, most)


def _quarters(
    cells: Ints, counts: Ints, column: int, row: int, size: int, most: int
) -> Iterator[Tile]:
    """The tile, or its quarters where it holds too much and can be cut."""
    if len(cells) == 0:
        return
    if size == 1 or counts.sum() <= most:
        yield Tile(column, row, size, int(counts.sum()))
        return
    half = size // 2
    right, upper = (cells >= [column + half, row + half]).T
    for east in (False, True):
        for north in (False, True):
            some = (right == east) & (upper == north)
            yield from _quarters(
                cells[some], counts[some], column + half * east, row + half * north, half, most
            )
