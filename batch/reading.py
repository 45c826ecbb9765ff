"""What a tile has of a layer: the crowns in it and around it, and which of them it owns."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np
import pyarrow as pa
import shapely

from randcrowns.batch.source import (
    CUT,
    SKIPPED,
    Problems,
    Rows,
    Source,
    crowns_of,
    is_placed,
    read_box,
    usable_shapes,
)
from randcrowns.batch.tiles import Grid, Tile
from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.geometry.areas import cut_to
from randcrowns.core.scoring.pairing import nearest_target

# Rounding at the edge of what is read.
MORE = 1 + 1e-6


class Read(NamedTuple):
    """Crowns of one layer.

    Attributes:
        rows: as they stand in the file; those that are used alone.
        crowns: the same as crowns.
        cut: what of each lies in the extent.
        own: (n,) whether the tile owns it: its centroid lies in the tile.
    """

    rows: Rows
    crowns: Crowns
    cut: Objects
    own: Bools

    def own_shapes(self) -> tuple[pa.ChunkedArray, Floats]:
        """The geometries of what the tile owns, as they are in the file, and their bounds."""
        return self.rows.wkb.filter(pa.array(self.own)), self.rows.bounds[self.own]


def read_tile(
    source: Source,
    tile: Tile,
    grid: Grid,
    reach: float,
    problems: Problems,
    *,
    plot_field: str = "",
    columns: tuple[str, ...] = (),
    within: Any = None,
    whole: bool = False,
) -> Read:
    """The crowns of a layer in a tile and around it.

    Args:
        source: the layer.
        reach: metres around the tile in which crowns are read.
        problems: told of what was wrong with the crowns that the tile owns.
        plot_field: column with the plot of each crown.
        columns: further columns.
        within: the extent; what shares no area with it is skipped.
        whole: whether crowns that reach beyond the extent are no news.
    """
    heard = Problems()
    read, used, shapes, rows = _read_box(
        source, tile.box(grid, reach), heard, plot_field, columns, within, whole
    )
    own = tile.owns(shapes, rows.bounds, grid)
    # Those on no map were told when the tiles were planned.
    unplaced = (
        shapely.is_missing(shapes) & is_placed(rows.bounds) & tile.owns_bounds(rows.bounds, grid)
    )
    told = heard.table()
    problems.found.append(told[told["id"].isin(rows.ids[own | unplaced])])
    return read._replace(own=own[used])


def _read_box(
    source: Source,
    box: Floats,
    heard: Problems,
    plot_field: str = "",
    columns: tuple[str, ...] = (),
    within: Any = None,
    whole: bool = True,
) -> tuple[Read, Bools, Objects, Rows]:
    """The crowns in a box, which rows they are, the shapes of all rows, and all rows."""
    rows = read_box(source, box, [name for name in (plot_field, *columns) if name])
    shapes = usable_shapes(rows, source.name, heard)
    used, cut = ~shapely.is_missing(shapes), shapes
    if within is not None and used.any():
        cut = shapes.copy()
        cut[used] = cut_to(within, shapes[used])
        inside = used & (shapely.area(cut) > 0)
        heard.add(source.name, rows.ids[used & ~inside], "a place outside the extent", SKIPPED)
        if not whole:
            beyond = np.array([part is not crown for part, crown in zip(cut, shapes)], dtype=bool)
            heard.add(source.name, rows.ids[inside & beyond], "a part outside the extent", CUT)
        used = inside
    kept = rows
    if not used.all():
        kept = rows.where(used)
    crowns = crowns_of(kept, shapes[used], source, plot_field)
    return Read(kept, crowns, cut[used], np.zeros(len(crowns), dtype=bool)), used, shapes, rows


#: Rows of the targets nearest to some crowns, and how far away they are, metres.
Nearest = Callable[[Crowns, Crowns], "tuple[Any, Any]"]


def by_centroid(targets: Crowns, crowns: Crowns) -> tuple[Any, Any]:
    """The targets whose centroids are nearest to those of the crowns."""
    row = nearest_target(
        targets, Crowns.of_checked(crowns.geometry, crowns.ids, None, crowns.name, crowns.crs)
    )
    here, there = (
        shapely.get_coordinates(shapely.centroid(side.geometry)) for side in (crowns, targets)
    )
    return row, np.hypot(*(there[row] - here).T)


def nearest_groups(
    source: Source,
    plot_field: str,
    targets: Crowns,
    crowns: Crowns,
    reach: float,
    nearest: Nearest,
    within: Any = None,
) -> Objects:
    """(n,) the plot of the target nearest to each crown, however far away it is.

    Targets are read in wider and wider surroundings until none that is nearer can lie outside.

    Args:
        source: the layer of the targets.
        plot_field: its column with the plots.
        targets: those that were read already.
        crowns: whose plots are wanted; all targets within ``reach`` of each were read.
        nearest: finds the nearest of some targets.
        within: the extent.
    """
    groups = np.full(len(crowns), None, dtype=object)
    pieces = source.pieces.bounds
    left, everything = np.arange(len(crowns)), False
    while len(left):
        sure = np.zeros(len(left), dtype=bool)
        if len(targets) and targets.groups is not None:
            row, distance = nearest(targets, crowns.subset(left))
            sure = (distance * MORE <= reach) | everything
            groups[left[sure]] = targets.groups[row[sure]]
        left = left[~sure]
        if everything or not len(left):
            break
        reach = 4 * max(reach, 1.0)
        box = shapely.total_bounds(crowns.geometry[left]) + np.array([-reach, -reach, reach, reach])
        everything = bool((box[:2] <= pieces[:, :2]).all() and (box[2:] >= pieces[:, 2:]).all())
        targets = _read_box(source, box, Problems(), plot_field, within=within)[0].crowns
    return groups
