"""From the annotators' layers to a vote table: exactly, or on a grid of pixels read tile by tile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse
import shapely

from randcrowns.algorithms.agreement.choices import (
    GROUP_FIELD,
    LEFT_OUT,
    RESOLUTION,
    STUDY_AREA,
    AnnotatorJob,
)
from randcrowns.algorithms.choices import ANNOTATOR_FIELD, MARK_VALUE
from randcrowns.algorithms.images import check_alike, read_images, remarks_of_images
from randcrowns.core.agreement.blocks import (
    BLOCKS_PER_SIDE,
    block_borders,
    block_numbers,
    check_blocks,
)
from randcrowns.core.agreement.images import Sheet
from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.votes import MOST_ANNOTATORS, VoteTable
from randcrowns.core.arrays import Bools, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import marked_area
from randcrowns.core.progress import Progress, aside, no_progress, part_of, steps
from randcrowns.core.remarks import Remark, info, note
from randcrowns.layers.raster.grid import Grid, inside_polygons
from randcrowns.layers.raster.marks import Marks, aligned, first_bands, of_other_pixels
from randcrowns.layers.raster.output import grid_polygons
from randcrowns.layers.vector.names import by_number
from randcrowns.layers.vector.place import Place, read_place
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot
from randcrowns.layers.words import tr

# Longest side of a tile that is read at a time, pixels.
_TILE = 2048
# Shares of a pixel that count as none.
_SLACK = 1e-6
# Difference of counted and drawn area that is worth a sentence.
_MOST_OFF = 0.05


def pixel_grid(drawings: Drawings, resolution: float) -> Grid:
    """Square pixels over the study area; their edges lie at whole multiples of their side."""
    xmin, ymin, xmax, ymax = drawings.bounds
    if resolution > max(xmax - xmin, ymax - ymin):
        said = "Pixels of {size:g} m are larger than the study area ({width:.6g} x {height:.6g} m); choose smaller ones."
        raise InputError(said, size=resolution, width=xmax - xmin, height=ymax - ymin)
    if resolution > 0:
        xmin = np.floor(xmin / resolution + _SLACK) * resolution
        ymax = np.ceil(ymax / resolution - _SLACK) * resolution
    return Grid.covering(np.array([xmin, ymin, xmax, ymax]), resolution, drawings.working)


def pixel_votes(
    drawings: Drawings, grid: Grid, block_side: float = 0.0, progress: Progress = no_progress
) -> VoteTable:
    """Decisions at the centres of pixels, with the pattern of each pixel, and blocks for resampling.

    A block has a side of ``block_side`` metres; 0 for an eighth of the grid's longer side.
    """
    longer = max(grid.shape)
    side: float = -(-longer // BLOCKS_PER_SIDE)
    if block_side > 0:
        check_block_side(block_side, drawings, grid)
        side = max(min(block_side / _pixel(grid), longer), 1.0)
    down, across = _spans(grid.rows, side), _spans(grid.columns, side)
    windows = [(rows, columns) for _, rows in down for _, columns in across]
    tiles = aside(lambda _told: _Tiles(drawings, grid), part_of(progress, 0.0, 0.0))
    counted = aside(
        lambda told: VoteTable.from_tiles(
            (tiles.decisions(window) for window in windows),
            names=drawings.names,
            pixel_area=grid.pixel_width * grid.pixel_height,
            n_tiles=len(windows),
            progress=told,
        ),
        part_of(progress, 0.0, 0.5),
    )
    block = [row * len(across) + column for row, _ in down for column, _ in across]
    of_blocks = scipy.sparse.csr_matrix((np.ones(len(block)), (block, np.arange(len(block)))))
    counted = replace(counted, blocks=of_blocks @ counted.blocks)

    def indexed(told: Progress) -> Ints:
        index = np.empty(grid.shape, dtype=np.min_scalar_type(len(counted.patterns)))
        for number, window in enumerate(windows):
            index[window] = counted.rows_of(*tiles.decisions(window))
            told((number + 1) / len(windows))
        return index

    return _noted(replace(counted, index=aside(indexed, part_of(progress, 0.5, 1.0))), drawings)


@dataclass(frozen=True, eq=False)
class Votes:
    """The annotators' polygons, their decisions, the pixels in which these are counted, and remarks.

    Of several images the table is that of all, and ``parts`` has each by its name; drawings and pixels are the first's.
    """

    drawings: Drawings
    table: VoteTable
    grid: Grid | None
    remarks: list[Remark]
    parts: dict[str, Votes] = field(default_factory=dict)

    @classmethod
    def merged(cls, parts: dict[str, Votes]) -> Votes:
        """Those of all images; of a single one as they are."""
        first, *others = parts.values()
        if not others:
            return first
        check_alike({image: one.drawings.working for image, one in parts.items()})
        told = remarks_of_images(
            {image: one.remarks for image, one in parts.items()}, "votes.pixels"
        )
        return cls(
            first.drawings,
            VoteTable.merged([one.table for one in parts.values()]),
            first.grid,
            told,
            parts,
        )

    def by_image(self) -> Iterator[tuple[str, Votes, tuple[slice, ...]]]:
        """Each image by its name, or the only one without, with the place of its units among those of all."""
        parts = self.parts or {"": self}
        units = [np.asarray(one.table.index).shape for one in parts.values()]
        yield from zip(parts, parts.values(), Sheet(tuple(units)).windows)


def read_votes(
    drawings: Drawings,
    resolution: float,
    block_side: float,
    progress: Progress,
    *,
    faces: bool = True,
) -> Votes:
    """The decisions on exact areas or, with a resolution, in pixels of this side in metres.

    Exact areas come with the ``faces`` of the overlay or, in far less time and memory, with their sums in blocks.
    """
    if not (resolution > 0 or drawings.marks):
        borders = partial(block_borders, block_side=block_side or None)
        work = partial(
            VoteTable.from_polygons,
            drawings.polygons,
            drawings.region,
            faces=faces,
            borders=borders,
        )
        exact = aside(lambda told: work(progress=told), progress)
        return Votes(drawings, _noted(exact, drawings), None, drawings.remarks)
    grid = votes_grid(drawings, resolution)
    votes = pixel_votes(drawings, grid, block_side, part_of(progress, 0.0, 0.9))
    pixels = round(votes.total / votes.unit)
    size, unit = round(_pixel(grid), 4), grid.working.unit
    said = info(
        "votes.pixels",
        "Counted in {pixels:,} pixels of {size:g} {unit}.",
        pixels=pixels,
        size=size,
        unit=unit,
    )
    off = check_counted(drawings, votes, grid, part_of(progress, 0.9, 1.0))
    return Votes(drawings, votes, grid, [*drawings.remarks, *off, said])


def votes_grid(drawings: Drawings, resolution: float) -> Grid:
    """Pixels of this side; or, where it is 0, those of the place within the study area."""
    if resolution > 0 or drawings.grid is None:
        return pixel_grid(drawings, resolution)
    return drawings.grid.within(np.array(drawings.bounds))


def check_counted(
    drawings: Drawings, votes: VoteTable, grid: Grid, progress: Progress = no_progress
) -> list[Remark]:
    """Remarks on annotators whose pixels cover more or less than what they drew; refused where no pixel does."""
    pixel = _pixel(grid)
    count = sum(map(len, drawings.polygons.values()))
    counted = dict(zip(votes.names, votes.yes_sums(votes.weights)))
    if count and not any(counted.values()):
        what = tr("the one polygon") if count == 1 else tr("all {count:,} polygons", count=count)
        said = "Pixels of {size:g} {unit} miss {what}; choose smaller ones, or 0 for exact areas."
        raise InputError(said, size=pixel, unit=grid.working.unit, what=what)
    region, told = drawings.region, []
    said = (
        "{name}: {counted:,.1f} {unit}² were counted in pixels of {size:g} {unit}, but {drawn:,.1f} {unit}² were "
        "drawn; choose smaller pixels, or 0 for exact areas."
    )
    for (name, drawing), share in steps(list(drawings.annotators.items()), progress):
        if isinstance(drawing, Marks):
            drawn = _own_area(drawing, drawings, grid, counted[name], share)
        else:
            drawn = aside(partial(marked_area, drawing, region), share)
        if abs(counted[name] - drawn) > _MOST_OFF * drawn:
            values = {"counted": counted[name], "size": pixel, "drawn": drawn}
            told.append(note("votes.off", said, name=name, unit=grid.working.unit, **values))
        elif isinstance(drawing, Marks) and not counted[name]:
            nothing = "{name} marks nothing inside the study area; this annotator counts as having marked nothing."
            told.append(note("outside.raster", nothing, name=name))
    return told


def _own_area(
    marks: Marks, drawings: Drawings, grid: Grid, counted: float, progress: Progress
) -> float:
    """What a raster marks in the study area by its own pixels; what was counted where these are the grid's."""
    own, region = marks.own_grid(drawings.working.transform_context), drawings.region
    alike = own.pixel_width == grid.pixel_width and own.pixel_height == grid.pixel_height
    if (
        alike
        or own.working.crs != grid.working.crs
        or not shapely.box(*own.bounds).intersects(region)
    ):
        return counted
    own = own.within(np.array(region.bounds))
    marked = marks.on(own, progress) & inside_polygons([region], own)
    return float(np.count_nonzero(marked) * own.pixel_width * own.pixel_height)


def pixel_faces(votes: VoteTable, grid: Grid, progress: Progress = no_progress) -> VoteTable:
    """The same table with the outlines of pixels of one pattern that adjoin as its faces."""
    index = np.asarray(votes.index)
    marked = votes.on_map(votes.yes_votes > 0)
    polygons, pattern = aside(lambda told: grid_polygons(index, marked, grid, told), progress)
    return replace(votes, index=pattern.astype(index.dtype), faces=polygons, blocks=None)


def check_block_side(block_side: float, drawings: Drawings, *grids: Grid) -> None:
    """Refuse blocks of this side, metres, smaller than a pixel of a grid, and too many; 0: blocks that always fit."""
    if not block_side > 0:
        return
    for grid in grids:
        pixel = max(grid.pixel_width, grid.pixel_height)
        if block_side < pixel:
            said = (
                "Blocks of {side:g} m are smaller than a pixel ({pixel:g} m); choose larger ones."
            )
            raise InputError(said, side=block_side, pixel=pixel)
    xmin, ymin, xmax, ymax = drawings.bounds
    check_blocks(block_side, xmax - xmin, ymax - ymin)
    for grid in grids:  # whole pixels reach beyond the study area
        check_blocks(block_side, grid.columns * _pixel(grid), grid.rows * _pixel(grid))


def _pixel(grid: Grid) -> float:
    return float(np.sqrt(grid.pixel_width * grid.pixel_height))


def _spans(length: int, side: float) -> list[tuple[int, slice]]:
    """Pieces of rows or columns that are read at a time, with the number of the block that each lies in."""
    starts = np.flatnonzero(np.diff(block_numbers(length, side), prepend=-1)).tolist()
    return [
        (number, slice(at, min(at + _TILE, end)))
        for number, (start, end) in enumerate(zip(starts, [*starts[1:], length]))
        for at in range(start, end, _TILE)
    ]


#: Pixels of a grid on which polygons are drawn at once; on larger ones window by window, each time it is asked for.
_DRAWN_AT_ONCE = 1_000_000


class _Tiles:
    """Decisions of all annotators in a window of the grid."""

    def __init__(self, drawings: Drawings, grid: Grid) -> None:
        self._grid = grid
        self._drawn: list[shapely.STRtree | Bools] = [
            drawn.on(grid) if isinstance(drawn, Marks) else _kept(drawn, grid)
            for drawn in drawings.annotators.values()
        ]
        region = drawings.region
        self._region = None if region is None else _kept(shapely.get_parts(region), grid)

    def decisions(self, window: tuple[slice, slice]) -> tuple[Bools, Bools]:
        """(K, rows, columns) who said yes, and (rows, columns) what is excluded."""
        rows, columns = window
        grid = self._grid
        tile = replace(
            grid,
            left=grid.left + columns.start * grid.pixel_width,
            top=grid.top - rows.start * grid.pixel_height,
            rows=rows.stop - rows.start,
            columns=columns.stop - columns.start,
        )
        stack = np.stack([_within(drawn, window, tile) for drawn in self._drawn])
        return stack, ~(
            stack.any(axis=0) if self._region is None else _within(self._region, window, tile)
        )


def _kept(polygons: Objects, grid: Grid) -> shapely.STRtree | Bools:
    """Polygons drawn on the grid, or where it is large, to be drawn window by window."""
    tree = shapely.STRtree(polygons)
    return _drawn(tree, grid) if grid.rows * grid.columns <= _DRAWN_AT_ONCE else tree


def _within(drawn: shapely.STRtree | Bools, window: tuple[slice, slice], tile: Grid) -> Bools:
    return drawn[window] if isinstance(drawn, np.ndarray) else _drawn(drawn, tile)


def _drawn(tree: shapely.STRtree, tile: Grid) -> Bools:
    near = tree.geometries[tree.query(shapely.box(*tile.bounds))]
    return inside_polygons(near, tile) if len(near) else np.zeros(tile.shape, dtype=bool)


def _noted(votes: VoteTable, drawings: Drawings) -> VoteTable:
    if drawings.area is None and Note.NO_STUDY_AREA not in votes.notes:
        return replace(votes, notes=(*votes.notes, Note.NO_STUDY_AREA))
    return votes


# An annotator who drew farther from everybody else than this hardly drew the same place; metres.
_FAR = 50_000.0


@dataclass(frozen=True, eq=False)
class Drawings(Place):
    """The place with what was drawn."""

    #: Polygons of each annotator, or the pixels that a raster marks, by name.
    annotators: dict[str, Objects | Marks] = field(default_factory=dict)
    #: The plot of each of the annotator's polygons, by name.
    plots_of: dict[str, Objects] = field(default_factory=dict)

    def of_plot(self, plot: str, area: Any) -> Drawings:
        drawn = {
            name: one if isinstance(one, Marks) else one[self.plots_of[name] == plot]
            for name, one in self.annotators.items()
        }
        return replace(super().of_plot(plot, area), annotators=drawn, plots_of={})

    @property
    def polygons(self) -> dict[str, Objects]:
        """Of the annotators who drew such."""
        return {
            name: drawn for name, drawn in self.annotators.items() if not isinstance(drawn, Marks)
        }

    @property
    def marks(self) -> dict[str, Marks]:
        """The annotators that are rasters."""
        return {name: drawn for name, drawn in self.annotators.items() if isinstance(drawn, Marks)}

    @property
    def names(self) -> list[str]:
        """Of the annotators."""
        return list(self.annotators)


def drawings_of_images(job: AnnotatorJob, progress: Progress) -> dict[str, Drawings]:
    """What was drawn on each of several images, or in each plot, by its name; of a single one under an empty name."""
    return read_images(job, job.of_images, GROUP_FIELD, read_drawings, progress)


def read_drawings(job: AnnotatorJob, progress: Progress) -> Drawings:
    """Read all layers; refused where there is nothing to compare, or too many annotators."""
    named_by, plot = job[ANNOTATOR_FIELD], job[GROUP_FIELD]
    requests = [
        LayerRequest(
            snapshot, name=name, group_field=named_by, unnamed_excluded=True, apart_field=plot
        )
        for name, snapshot in job.layers.items()
        if isinstance(snapshot, LayerSnapshot)
    ]
    context, pixels = job.transform_context, job.pixels
    start = context if pixels is None else Grid.of_raster(pixels, context)
    place = read_place(requests, start, job[STUDY_AREA], job[LEFT_OUT], progress, plot)
    annotators: dict[str, Objects | Marks] = {
        layer.crowns.name: layer.crowns.geometry for layer in place.layers
    }
    plots_of = {layer.crowns.name: layer.plots for layer in place.layers}
    if job.rasters:
        drawn_by = {
            **annotators,
            **{name: Marks(raster, job[MARK_VALUE]) for name, raster in job.rasters.items()},
        }
        annotators = {name: drawn_by[name] for name in job.layers}
        place.decided.extend(_raster_remarks(job, place))
    if named_by:
        named = np.concatenate(
            [np.asarray(layer.crowns.groups, dtype=object) for layer in place.layers]
        )
        plots = np.concatenate([layer.plots for layer in place.layers])
        annotators = {name: place.everything[named == name] for name in _named(place, named_by)}
        plots_of = {name: plots[named == name] for name in annotators}
        said = "{name}: no polygon that can be used, so this annotator marked nothing."
        none = [
            name
            for name, polygons in annotators.items()
            if not isinstance(polygons, Marks) and not len(polygons)
        ]
        place.decided.extend(note("annotators.none", said, name=name) for name in none)
    if len(annotators) > MOST_ANNOTATORS:
        said = "At most {most} annotators can be compared, but field '{field}' names {count}."
        raise InputError(said, most=MOST_ANNOTATORS, field=named_by, count=len(annotators))
    if place.area is None and place.grid is not None:
        place = replace(place, area=shapely.box(*place.grid.bounds))
        said = f"No study area was chosen: {rectangle_of(job)} was taken."
        place.decided.append(note("input.image_extent", said))
    drawings = Drawings(**vars(place), annotators=annotators, plots_of=plots_of)
    drawn = sum(map(len, drawings.polygons.values()))
    if place.area is None and not drawn:
        raise InputError("None of the annotators' layers has a polygon that can be used.")
    outside = _outside(drawings)
    if (
        drawn
        and not drawings.marks
        and len(outside) == sum(map(bool, map(len, drawings.polygons.values())))
    ):
        raise _nothing_inside(drawings)
    drawings.decided.extend([*outside, *_far(drawings.polygons)])
    return drawings


def rectangle_of(job: AnnotatorJob) -> str:
    """What stands for a study area where none was chosen and a raster sets the pixels."""
    return "the rectangle of the first raster" if job.rasters else "the image's rectangle"


def _raster_remarks(job: AnnotatorJob, place: Place) -> list[Remark]:
    """Which raster sets the pixels where several could, and what is taken of those with several bands."""
    told, grid, first = first_bands(job.rasters), place.grid, next(iter(job.rasters))
    others = [] if grid is None else of_other_pixels(job.rasters, grid, job.transform_context)
    if grid is not None and others and not job[RESOLUTION] > 0:
        told.append(aligned(grid, first, others))
    return told


def _named(place: Place, field_name: str) -> list[str]:
    """The annotators that a field names, numbers before words."""
    names = frozenset[str]().union(*(layer.groups for layer in place.layers))
    if not names:
        raise InputError(
            "No polygon has anything in field '{field}', so there is no annotator.",
            field=field_name,
        )
    return sorted(names, key=by_number)


def _far(annotators: dict[str, Objects]) -> list[Remark]:
    """Remarks on annotators far from all others."""
    drew = {
        name: shapely.box(*shapely.total_bounds(polygons))
        for name, polygons in annotators.items()
        if len(polygons)
    }
    boxes = np.array(list(drew.values()), dtype=object)
    apart = shapely.distance(boxes[:, None], boxes[None, :])
    np.fill_diagonal(apart, np.inf)
    said = "{name} lies {distance:,.0f} km away from all other annotators; check the layers' coordinate systems."
    return [
        note("annotators.far", said, name=name, distance=nearest / 1000)
        for name, nearest in zip(drew, apart.min(axis=1, initial=np.inf))
        if _FAR < nearest < np.inf
    ]


class _Where(Enum):
    """Where polygons lie that do not count."""

    OUTSIDE = "outside"
    EXCLUDED = "excluded"
    EITHER = "either"


#: What is said of an annotator whose polygons all lie there: of several, of one.
_NONE_COUNTS = {
    _Where.OUTSIDE: (
        "{name}: all {count:,} polygons lie outside the study area, so none counts.",
        "{name}: the one polygon lies outside the study area, so it does not count.",
    ),
    _Where.EXCLUDED: (
        "{name}: all {count:,} polygons lie in the excluded areas, so none counts.",
        "{name}: the one polygon lies in the excluded areas, so it does not count.",
    ),
    _Where.EITHER: (
        "{name}: all {count:,} polygons lie outside the study area or in the excluded areas, so none counts.",
        "{name}: the one polygon lies outside the study area or in the excluded areas, so it does not count.",
    ),
}
#: The same of all annotators.
_NOTHING_COUNTS = {
    _Where.OUTSIDE: (
        "None of the {count:,} polygons reaches into the study area, so nothing can be compared; choose another study "
        "area, or check the layers' coordinate systems.",
        "The one polygon does not reach into the study area, so nothing can be compared; choose another study area, or "
        "check the layers' coordinate systems.",
    ),
    _Where.EXCLUDED: (
        "All {count:,} polygons lie in the excluded areas, so nothing can be compared; exclude less of it.",
        "The one polygon lies in the excluded areas, so nothing can be compared; exclude less of it.",
    ),
    _Where.EITHER: (
        "All {count:,} polygons lie outside the study area or in the excluded areas, so nothing can be compared; "
        "exclude less of it.",
        "The one polygon lies outside the study area or in the excluded areas, so nothing can be compared; exclude "
        "less of it.",
    ),
}


def _outside(drawings: Drawings) -> list[Remark]:
    """Remarks on annotators without polygons inside the study area; they count as having marked nothing."""
    region = drawings.region
    told = []
    for name, polygons in drawings.polygons.items() if region is not None else ():
        if len(polygons) and not _reaching(polygons, region).any():
            where = _where_not(drawings, polygons)
            many, one = _NONE_COUNTS[where]
            told.append(
                note(f"outside.{where.value}", many, one=one, name=name, count=len(polygons))
            )
    return told


def _reaching(polygons: Objects, region: Any) -> Bools:
    """(n,) which polygons share more than their edge with the region."""
    shapely.prepare(region)
    return np.asarray(shapely.intersects(region, polygons) & ~shapely.touches(region, polygons))


def _where_not(drawings: Drawings, polygons: Objects) -> _Where:
    inside = np.ones(len(polygons), dtype=bool)
    if drawings.area is not None:
        inside = _reaching(polygons, drawings.area)
    if not inside.any():
        return _Where.OUTSIDE
    return _Where.EXCLUDED if inside.all() else _Where.EITHER


def _nothing_inside(drawings: Drawings) -> InputError:
    """Why nothing can be compared."""
    drawn = np.concatenate(list(drawings.polygons.values()))
    many, one = _NOTHING_COUNTS[_where_not(drawings, drawn)]
    return InputError(many, one=one, count=len(drawn))
