"""Reading the crowns of a layer in a tile and in its halo."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import shapely

from randcrowns.batch.source import (
    CLIPPED,
    SKIPPED,
    ProblemLog,
    Source,
    StoredCrowns,
    decode_polygons,
    is_on_map,
    make_crowns,
    read_crowns_in_box,
)
from randcrowns.batch.tiles import Grid, Tile
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.geometry.areas import clip_geometries
from randcrowns.core.scoring.pairing import nearest_target_rows

#: Factor on distances that covers rounding errors at the edge of a box.
ROUNDING_MARGIN = 1 + 1e-6


class MinimumScore(NamedTuple):
    """Score that crowns of a detector need.

    Attributes:
        column: column with the scores; empty to use all crowns.
        threshold: crowns with a lower score, or without one, are skipped.
    """

    column: str = ""
    threshold: float = 0.0


#: All crowns are used, whatever their score.
_NO_MINIMUM = MinimumScore()


class TileCrowns(NamedTuple):
    """Usable crowns of one layer in a tile and in its halo.

    Attributes:
        stored: the crowns as stored in the file.
        crowns: the same n crowns with valid polygons.
        clipped: (n,) polygons clipped to the extent; the polygons themselves without an extent.
        is_owned: (n,) mask of the crowns that the tile owns.
    """

    stored: StoredCrowns
    crowns: Crowns
    clipped: Objects
    is_owned: Bools

    def owned_shapes(self) -> tuple[pa.ChunkedArray, Floats]:
        """Return stored geometries (k,; well-known binary) and bounds (k, 4) of owned crowns."""
        return self.stored.wkb.filter(pa.array(self.is_owned)), self.stored.bounds[self.is_owned]


def read_tile(
    source: Source,
    tile: Tile,
    grid: Grid,
    halo: float,
    problems: ProblemLog,
    *,
    plot_field: str = "",
    class_field: str = "",
    columns: tuple[str, ...] = (),
    within: Any = None,
    allow_partial: bool = False,
    minimum: MinimumScore = _NO_MINIMUM,
) -> TileCrowns:
    """Read the crowns of a layer in a tile and in its halo.

    Args:
        source: the layer.
        tile: the tile.
        grid: grid of the tile.
        halo: width of the halo, metres; see :mod:`randcrowns.batch.tiles`.
        problems: receives the problems of crowns that the tile owns.
        plot_field: column with the plot of each crown; empty for none.
        class_field: column with the class of each crown; empty for none.
        columns: names of further columns.
        within: extent as a polygon, or None; crowns that share no area with it are skipped.
        allow_partial: False to record crowns that are partly outside ``within`` as problems.
        minimum: score that the crowns need; a layer without its column keeps all crowns.

    Returns:
        The usable crowns in the tile and its halo, with a mask of those that the tile owns.
    """
    problems_in_box = ProblemLog()
    contents = _read_box(
        source,
        tile.box(grid, halo),
        problems_in_box,
        plot_field=plot_field,
        class_field=class_field,
        columns=columns,
        within=within,
        allow_partial=allow_partial,
        minimum=minimum,
    )
    rows = contents.rows
    is_owned = tile.owns(contents.shapes, rows.bounds, grid)

    # Problems of crowns in the halo are recorded by the tiles that own these crowns. A crown
    # without a valid polygon belongs to the tile of its bounds; crowns off the map have no owner
    # and were recorded when the tiles were planned.
    has_no_polygon = shapely.is_missing(contents.shapes)
    owns_bounds = tile.owns_bounds(rows.bounds, grid)
    is_reported = is_owned | (has_no_polygon & is_on_map(rows.bounds) & owns_bounds)
    table = problems_in_box.table()
    problems.tables.append(table[table["id"].isin(rows.ids[is_reported])])

    return contents.usable._replace(is_owned=is_owned[contents.is_used])


class _BoxContents(NamedTuple):
    """Crowns of a layer whose bounds meet a box.

    Attributes:
        usable: the usable crowns; ``is_owned`` is False for all of them.
        is_used: (n,) mask of the usable crowns among all rows.
        shapes: (n,) valid polygons of all rows, or None.
        rows: all rows.
    """

    usable: TileCrowns
    is_used: Bools
    shapes: Objects
    rows: StoredCrowns


def _read_box(
    source: Source,
    box: Floats,
    problems: ProblemLog,
    *,
    plot_field: str = "",
    class_field: str = "",
    columns: tuple[str, ...] = (),
    within: Any = None,
    allow_partial: bool = True,
    minimum: MinimumScore = _NO_MINIMUM,
) -> _BoxContents:
    """Read the crowns whose bounds meet a box.

    Args:
        source: the layer.
        box: (4,) xmin, ymin, xmax and ymax.
        problems: receives the problems of all these crowns.
        plot_field: column with the plot of each crown; empty for none.
        class_field: column with the class of each crown; empty for none.
        columns: names of further columns.
        within: extent as a polygon, or None; crowns that share no area with it are skipped.
        allow_partial: False to record crowns that are partly outside ``within`` as problems.
        minimum: score that the crowns need.
    """
    names = [name for name in (plot_field, class_field, minimum.column, *columns) if name]
    rows = read_crowns_in_box(source, box, names)
    shapes = decode_polygons(rows, source.name, problems)
    if minimum.column in rows.attributes:
        _skip_low_scores(shapes, rows, minimum, source.name, problems)
    is_valid = ~shapely.is_missing(shapes)
    is_used = is_valid
    clipped = shapes
    if within is not None and is_valid.any():
        clipped = shapes.copy()
        clipped[is_valid] = clip_geometries(within, shapes[is_valid])
        is_used = is_valid & (shapely.area(clipped) > 0)
        outside_ids = rows.ids[is_valid & ~is_used]
        problems.add(source.name, outside_ids, "a place outside the extent", SKIPPED)
        if not allow_partial:
            # The clipping returns polygons that lie inside as the same objects.
            is_clipped = np.array(
                [part is not crown for part, crown in zip(clipped, shapes)], dtype=bool
            )
            clipped_ids = rows.ids[is_used & is_clipped]
            problems.add(source.name, clipped_ids, "a part outside the extent", CLIPPED)
    used_rows = rows if is_used.all() else rows.select(is_used)
    crowns = make_crowns(used_rows, shapes[is_used], source, plot_field, class_field)
    owned_by_nobody = np.zeros(len(crowns), dtype=bool)
    usable = TileCrowns(used_rows, crowns, clipped=clipped[is_used], is_owned=owned_by_nobody)
    return _BoxContents(usable=usable, is_used=is_used, shapes=shapes, rows=rows)


def _skip_low_scores(
    shapes: Objects,
    rows: StoredCrowns,
    minimum: MinimumScore,
    layer: str,
    problems: ProblemLog,
) -> None:
    """Set the polygons (n,) of crowns with a low or missing score to None in place.

    Args:
        shapes: (n,) polygons; changed in place.
        rows: the n stored crowns.
        minimum: column and threshold of the scores.
        layer: name of the layer.
        problems: receives the ids of the skipped crowns.
    """
    scores = known_scores(rows.attributes[minimum.column])
    is_present = ~shapely.is_missing(shapes)
    has_no_score = is_present & np.isnan(scores)
    has_low_score = is_present & (scores < minimum.threshold)
    problems.add(layer, rows.ids[has_no_score], "no score", SKIPPED)
    problems.add(layer, rows.ids[has_low_score], "a score below the threshold", SKIPPED)
    shapes[has_no_score | has_low_score] = None


def known_scores(values: Any) -> Floats:
    """Return scores (n,) as numbers; NaN for other values and for negative infinity."""
    numbers = pd.to_numeric(pd.Series(values), errors="coerce")
    scores: Floats = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.where(np.isneginf(scores), np.nan, scores)


#: Function of targets and crowns (n). It returns the row (n,) of the target nearest to each crown,
#: and the distance (n,) to it, metres.
NearestTargets = Callable[[Crowns, Crowns], "tuple[Any, Any]"]


def nearest_by_centroid(targets: Crowns, crowns: Crowns) -> tuple[Ints, Floats]:
    """Return the target with the nearest centroid to each crown, whatever their plots.

    Args:
        targets: targets, at least one.
        crowns: n crowns.

    Returns:
        (n,) row of the nearest target, and (n,) distance of the two centroids, m.
    """
    crowns_without_plots = Crowns.from_validated(
        crowns.geometry, crowns.ids, plots=None, name=crowns.name, crs=crowns.crs
    )
    rows = nearest_target_rows(targets, crowns_without_plots)
    target_centroids = shapely.get_coordinates(shapely.centroid(targets.geometry))
    centroids = shapely.get_coordinates(shapely.centroid(crowns.geometry))
    offsets = target_centroids[rows] - centroids
    return rows, np.hypot(offsets[:, 0], offsets[:, 1])


def plots_of_nearest_targets(
    source: Source,
    plot_field: str,
    targets: Crowns,
    crowns: Crowns,
    complete_within: float,
    nearest: NearestTargets,
    within: Any = None,
) -> Objects:
    """Return the plot (n,) of the target nearest to each crown, at any distance.

    Targets are read in growing boxes around the remaining crowns, until no target outside the box
    can be nearer than the one found. A plot is None if the layer has no targets, or the nearest
    target has no plot.

    Args:
        source: the layer of the targets.
        plot_field: column of the layer with the plot.
        targets: targets that were read already.
        crowns: (n) the crowns.
        complete_within: distance from each crown within which ``targets`` is complete, metres.
        nearest: finds the nearest targets.
        within: extent as a polygon, or None.
    """
    plots = np.full(len(crowns), None, dtype=object)
    group_bounds = source.row_groups.bounds
    remaining = np.arange(len(crowns))
    has_all_targets = False
    while len(remaining):
        is_certain = np.zeros(len(remaining), dtype=bool)
        if len(targets) and targets.plots is not None:
            target_rows, distances = nearest(targets, crowns.subset(remaining))
            is_certain = (distances * ROUNDING_MARGIN <= complete_within) | has_all_targets
            plots[remaining[is_certain]] = targets.plots[target_rows[is_certain]]
        remaining = remaining[~is_certain]
        if has_all_targets or not len(remaining):
            break
        complete_within = 4 * max(complete_within, 1.0)
        box = shapely.total_bounds(crowns.geometry[remaining])
        box[:2] -= complete_within
        box[2:] += complete_within
        starts_before_all = (box[:2] <= group_bounds[:, :2]).all()
        ends_after_all = (box[2:] >= group_bounds[:, 2:]).all()
        has_all_targets = bool(starts_before_all and ends_after_all)
        contents = _read_box(source, box, ProblemLog(), plot_field=plot_field, within=within)
        targets = contents.usable.crowns
    return plots
