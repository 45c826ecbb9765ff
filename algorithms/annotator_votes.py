"""From the annotators' layers to a vote table: exactly, or on a grid of pixels read tile by tile."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from randcrowns.algorithms.annotator_parameters import AnnotatorLayers
from randcrowns.algorithms.base import tr
from randcrowns.core.agreement_notes import Note
from randcrowns.core.errors import InputError
from randcrowns.core.intervals import BLOCKS_PER_SIDE
from randcrowns.core.packing import MOST_ANNOTATORS
from randcrowns.core.progress import Progress, no_progress, part_of
from randcrowns.core.votes import VoteTable
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.extent import plot_polygons, run_extent
from randcrowns.layers.raster import Grid
from randcrowns.layers.raster_output import grid_polygons
from randcrowns.layers.rasterise import inside_polygons
from randcrowns.layers.read import CrownLayer, read_crowns

__all__ = ["Drawings", "exact_votes", "pixel_faces", "pixel_grid", "pixel_votes", "read_drawings"]

Bools = NDArray[np.bool_]
_MOST_TILES = 10_000
#: Shares of a pixel that count as none.
_SLACK = 1e-6


@dataclass(frozen=True, eq=False)
class Drawings:
    """What was drawn, in working metres.

    Attributes:
        annotators: polygons of each, by name.
        area: the study area, or None for whatever anybody marked.
        left_out: polygons inside it that do not count, or None.
        working: the working coordinate system.
        grid: the image's pixels, when there is an image.
        sentences: what was odd, and what was decided.
        outside: which annotators have no polygon inside the study area; a sentence each.
    """

    annotators: dict[str, NDArray[np.object_]]
    area: Any
    left_out: Any
    working: WorkingCrs
    grid: Grid | None
    sentences: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Of the annotators."""
        return list(self.annotators)

    @property
    def region(self) -> Any:
        """The study area without what is left out; None where there is neither."""
        if self.left_out is None:
            return self.area
        area = self.area
        if area is None:
            area = shapely.union_all(np.concatenate(list(self.annotators.values())))
        rest = shapely.difference(area, self.left_out)
        if rest.is_empty:
            raise InputError(tr("Nothing is left of the study area; leave less of it out."))
        return rest

    @property
    def bounds(self) -> tuple[float, ...]:
        """xmin, ymin, xmax, ymax of the study area, or of everything drawn."""
        if self.area is not None:
            return tuple(self.area.bounds)
        return tuple(shapely.total_bounds(np.concatenate(list(self.annotators.values()))))


def read_drawings(taken: AnnotatorLayers, progress: Progress) -> Drawings:
    """Read all layers.

    Raises:
        InputError: if there is nothing to compare, or too many annotators.
    """
    working: Any = taken.transform_context
    grid = None
    if taken.image is not None:
        grid = Grid.of_raster(taken.image, taken.transform_context)
        working = grid.working
    sentences: list[str] = []
    read: dict[str, CrownLayer] = {}
    for number, (name, snapshot) in enumerate(taken.layers.items()):
        share = part_of(progress, number / len(taken.layers), (number + 1) / len(taken.layers))
        layer = read_crowns(snapshot, working, name=name, group_field=taken.field, progress=share)
        if len(layer.crowns):
            working = layer.working
        read[name] = layer
        sentences += _sentences(layer, taken.field)
    if not isinstance(working, WorkingCrs):
        working = next(iter(read.values())).working
    annotators = _by_field(read) if taken.field else {name: layer.crowns.geometry for name, layer in read.items()}
    if not annotators:
        raise InputError(
            tr("No polygon has anything in field '{field}', so there is no annotator.").format(field=taken.field)
        )
    if len(annotators) > MOST_ANNOTATORS:
        raise InputError(
            tr("At most {most} annotators can be compared, but field '{field}' names {count}.").format(
                most=MOST_ANNOTATORS, field=taken.field, count=len(annotators)
            )
        )
    plots = None if taken.extent.plots is None else plot_polygons(taken.extent.plots, working)
    if plots is not None:
        sentences += plots.report.sentences()
    drawn = np.concatenate(list(annotators.values()))
    area = run_extent(taken.extent.rectangle, taken.extent.crs, plots, working, drawn)
    if area is None and grid is not None:
        area = shapely.box(*grid.bounds)
        sentences.append(tr("No study area was chosen: the image's rectangle was taken."))
    if area is None and len(drawn) == 0:
        raise InputError(tr("None of the annotators' layers has a polygon that can be used."))
    left_out = None
    if taken.left_out is not None:
        masks = read_crowns(taken.left_out, working)
        sentences += masks.report.sentences()
        left_out = shapely.union_all(masks.crowns.geometry) if len(masks.crowns) else None
    found = Drawings(annotators, area, left_out, working, grid, sentences)
    found.outside.extend(_outside_sentences(found))
    sentences += found.outside
    return found


def exact_votes(drawings: Drawings, progress: Progress = no_progress) -> VoteTable:
    """Areas of the overlaid polygons."""
    votes = VoteTable.from_polygons(drawings.annotators, drawings.region, progress=progress)
    return _noted(votes, drawings)


def pixel_grid(drawings: Drawings, resolution: float) -> Grid:
    """Square pixels over the study area; their edges lie at whole multiples of their side."""
    xmin, ymin, xmax, ymax = drawings.bounds
    if resolution > 0:
        xmin = np.floor(xmin / resolution + _SLACK) * resolution
        ymax = np.ceil(ymax / resolution - _SLACK) * resolution
    return Grid.covering(np.array([xmin, ymin, xmax, ymax]), resolution, drawings.working)


def pixel_votes(drawings: Drawings, grid: Grid, block_side: float = 0.0, progress: Progress = no_progress) -> VoteTable:
    """Decisions at the centres of pixels, with the pattern of each pixel; tiles are the blocks for resampling.

    Args:
        drawings: what was drawn.
        grid: the pixels.
        block_side: side of a tile, metres; 0 for an eighth of the grid's longer side.
        progress: told the fraction done.
    """
    pixel = float(np.sqrt(grid.pixel_width * grid.pixel_height))
    side = max(round(block_side / pixel), 1) if block_side > 0 else -(-max(grid.shape) // BLOCKS_PER_SIDE)
    windows = [
        (slice(row, min(row + side, grid.rows)), slice(column, min(column + side, grid.columns)))
        for row in range(0, grid.rows, side)
        for column in range(0, grid.columns, side)
    ]
    if len(windows) > _MOST_TILES:
        raise InputError(
            tr("Blocks of {side:g} m are too small for this study area; there would be {count:,}.").format(
                side=block_side, count=len(windows)
            )
        )
    tiles = _Tiles(drawings, grid)
    votes = VoteTable.from_tiles(
        (tiles.decisions(window) for window in windows),
        names=drawings.names,
        pixel_area=grid.pixel_width * grid.pixel_height,
        n_tiles=len(windows),
        progress=part_of(progress, 0.0, 0.5),
    )
    index = np.empty(grid.shape, dtype=np.min_scalar_type(len(votes.patterns)))
    for number, window in enumerate(windows):
        index[window] = votes.rows_of(*tiles.decisions(window))
        progress(0.5 + 0.5 * (number + 1) / len(windows))
    return _noted(replace(votes, index=index), drawings)


def pixel_faces(votes: VoteTable, grid: Grid, progress: Progress = no_progress) -> VoteTable:
    """The same table with the outlines of pixels of one pattern that adjoin as its faces."""
    index = np.asarray(votes.index)
    marked = votes.on_map(votes.yes_votes > 0)
    polygons, pattern = grid_polygons(index, marked, grid, progress)
    return replace(votes, index=pattern.astype(index.dtype), faces=polygons, blocks=None)


class _Tiles:
    """Decisions of all annotators in a window of the grid."""

    def __init__(self, drawings: Drawings, grid: Grid) -> None:
        self._grid = grid
        self._trees = [shapely.STRtree(polygons) for polygons in drawings.annotators.values()]
        region = drawings.region
        self._region = None if region is None else shapely.STRtree(shapely.get_parts(region))

    def decisions(self, window: tuple[slice, slice]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """(K, rows, columns) who said yes, and (rows, columns) what to leave out."""
        rows, columns = window
        grid = self._grid
        tile = replace(
            grid,
            left=grid.left + columns.start * grid.pixel_width,
            top=grid.top - rows.start * grid.pixel_height,
            rows=rows.stop - rows.start,
            columns=columns.stop - columns.start,
        )
        stack = np.stack([_drawn(tree, tile) for tree in self._trees])
        inside = stack.any(axis=0) if self._region is None else _drawn(self._region, tile)
        return stack, ~inside


def _drawn(tree: shapely.STRtree, tile: Grid) -> Bools:
    near = tree.geometries[tree.query(shapely.box(*tile.bounds))]
    return inside_polygons(near, tile) if len(near) else np.zeros(tile.shape, dtype=bool)


def _noted(votes: VoteTable, drawings: Drawings) -> VoteTable:
    if drawings.area is None and Note.NO_STUDY_AREA not in votes.notes:
        return replace(votes, notes=(*votes.notes, Note.NO_STUDY_AREA))
    return votes


def _by_field(read: dict[str, CrownLayer]) -> dict[str, NDArray[np.object_]]:
    """Polygons by what the field says, in alphabetical order."""
    polygons = np.concatenate([layer.crowns.geometry for layer in read.values()])
    named = np.concatenate([np.asarray(layer.crowns.groups, dtype=object) for layer in read.values()])
    names = sorted({name for name in named if name})
    return {name: polygons[named == name] for name in names}


def _outside_sentences(drawings: Drawings) -> list[str]:
    """Who drew, but nothing inside the study area: such an annotator counts as one who marked nothing."""
    region = drawings.region
    if region is None:
        return []
    shapely.prepare(region)
    told = []
    for name, polygons in drawings.annotators.items():
        if len(polygons) and not (shapely.intersects(region, polygons) & ~shapely.touches(region, polygons)).any():
            what = tr("the one polygon lies") if len(polygons) == 1 else tr("all {count:,} polygons lie")
            told.append(
                tr("{name}: {what} outside the study area, so nothing of it counts.").format(
                    name=name, what=what.format(count=len(polygons))
                )
            )
    return told


def _sentences(layer: CrownLayer, field_name: str) -> list[str]:
    report = layer.report
    groups = layer.crowns.groups
    missing = 0 if groups is None else sum(not group for group in groups)
    if missing:
        report.notes[:] = [note for note in report.notes if "nothing in field" not in note]
        report.notes.append(
            tr("Layer '{name}': {count} polygons have nothing in field '{field}' and were left out.").format(
                name=report.layer, count=missing, field=field_name
            )
        )
    told = report.sentences()
    if len(layer.crowns) == 0:
        told.append(
            tr("Layer '{name}' has no polygon that can be used: this annotator marked nothing.").format(
                name=report.layer
            )
        )
    return told
