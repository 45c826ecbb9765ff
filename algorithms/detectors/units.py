"""From layers to what core ranks: units with scores and decisions, as pixels or exact faces, and crowns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry

from randcrowns.algorithms.choices import MARK_VALUE
from randcrowns.algorithms.detectors import choices, findings
from randcrowns.algorithms.detectors.choices import DetectorJob
from randcrowns.algorithms.detectors.outputs import TRUTH_POLYGONS
from randcrowns.algorithms.images import check_alike, remarks_of_images
from randcrowns.core.agreement.consensus import GroundTruths
from randcrowns.core.agreement.images import Sheet
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints, Objects, let_go
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.certainty import square_tiles
from randcrowns.core.detectors.crowns import belongs_to_area
from randcrowns.core.detectors.faces import detector_faces
from randcrowns.core.detectors.thinning import TOLERANCE_SHARE, thinned, thinned_scores
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import dissolved
from randcrowns.core.progress import Progress, part_of, steps
from randcrowns.core.remarks import Remark, note
from randcrowns.layers.raster.grid import (
    MOST_NUMBERS,
    Grid,
    RasterSnapshot,
    highest_value,
    inside_polygons,
    read_band,
)
from randcrowns.layers.raster.marks import Marks
from randcrowns.layers.raster.output import grid_polygons
from randcrowns.layers.vector.geometry import Oddity
from randcrowns.layers.vector.names import by_number
from randcrowns.layers.vector.place import Place, read_place
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, crowns_by_field, read_crowns
from randcrowns.layers.vector.tables import FeatureTable

TruthRow = tuple[str, str, float, QgsGeometry]  #: name, image, m², outline.
Mapped = Callable[[Objects, Progress], QgsGeometry]
#: The study area is cut into about so many tiles.
_TILES = 64
_NOTHING_LEFT = (
    "Nothing is left of the study area but training areas and areas to ignore; choose a larger one."
)


@dataclass(frozen=True, eq=False)
class Units:
    """Pixels, or faces of the overlaid polygons."""

    votes: VoteTable  #: decisions of the annotators.
    #: Per detector a score per unit; minus infinity where nothing was detected, NaN where not known.
    scores: dict[str, Floats]
    valid: Bools  #: where to look.
    tiles: Ints  #: number of the tile of each unit, row by row.
    across: int  #: number of tiles in a row.
    weight: Floats | None  #: area of each face; None for pixels.
    stack: list[Bools] | None  #: decisions on the grid; None for faces.
    tolerance: Tolerance | None  #: how far a detection may lie from the truth.
    tile_side: float  #: metres.
    remarks: list[Remark]  #: on what is counted.
    made_truths: dict[str, Bools] = field(
        default_factory=dict
    )  #: ground truths made before, by name.
    images: tuple[str, ...] = ()  #: names of several images.
    windows: tuple[tuple[slice, ...], ...] = ((),)  #: where the units of each lie.


def make_units(parts: Mapping[str, DetectorInput], progress: Progress) -> Units:
    """Of all images together; pixels where there is a grid, or else exact faces."""
    found = {
        name: _exact_units(one.job, one, told)
        if one.grid is None
        else _pixel_units(one.job, one, one.grid, told)
        for (name, one), told in steps(list(parts.items()), progress)
    }
    (first, *others), places = list(found.values()), list(parts.values())
    if not others:
        return first
    check_alike({name: one.working for name, one in parts.items()})
    sizes = {
        (one.grid.pixel_width, one.grid.pixel_height) for one in places if one.grid is not None
    }
    if len(sizes) > 1:
        raise InputError(
            "The images have pixels of different sizes; give a pixel size, or resample them to one."
        )
    of_each = ("ranking.pixels", "ranking.exact", *findings.NOTHING_HERE)
    told = remarks_of_images({name: one.remarks for name, one in found.items()}, *of_each)
    units, grid, job = _laid_out(list(found.values())), places[0].grid, places[0].job
    told += findings.nothing_here(job, places[0].area, units.votes, units.scores, units.valid)
    area = float(units.votes.total)
    told.append(_exact_told(area) if grid is None else _pixels_told(int(units.valid.sum()), grid))
    return replace(units, remarks=told, images=tuple(parts))


def _laid_out(units: list[Units]) -> Units:
    """The units of several images one after another; each image is a tile that is resampled."""
    first = units[0]
    gap = 1
    if first.weight is None:
        reach = max(TOLERANCE_SHARE * math.hypot(*one.valid.shape) for one in units)
        if first.tolerance is not None:
            pixel = min(first.tolerance.pixel_height, first.tolerance.pixel_width)
            reach = max(reach, first.tolerance.distance / pixel)
        gap += math.ceil(reach)
    sheet = Sheet(tuple(one.valid.shape for one in units), gap)

    def laid(parts: Sequence[np.ndarray], fill: Any) -> Any:
        return sheet.filled(parts, fill)

    scores = {name: laid([one.scores[name] for one in units], -np.inf) for name in first.scores}
    valid = laid([one.valid for one in units], False)
    known = findings.known_to_all(valid, scores)
    valid = known if known.any() else valid
    stack = None
    if first.weight is None:
        stack = [
            laid([one.stack[k] for one in units], False) for k in range(len(first.votes.names))
        ]  # type: ignore[index]
        votes = VoteTable.from_stack(stack, ~valid, names=first.votes.names)
    else:
        votes = VoteTable.merged([one.votes for one in units])
    return Units(
        votes=votes,
        scores=scores,
        valid=valid,
        tiles=laid([np.full(one.valid.shape, number) for number, one in enumerate(units)], 0),
        across=1,
        weight=None if first.weight is None else np.concatenate([one.weight for one in units]),
        stack=stack,
        tolerance=first.tolerance,
        tile_side=first.tile_side,
        made_truths={
            name: laid([one.made_truths[name] for one in units], False)
            for name in first.made_truths
        },
        remarks=[],
        windows=sheet.windows,
    )


def _pixel_units(job: DetectorJob, read: DetectorInput, grid: Grid, progress: Progress) -> Units:
    """Every layer on one grid."""
    number = len(read.names) + len(job.detectors) + len(job.made_truths) + 2
    if grid.rows * grid.columns * len(job.detectors) > MOST_NUMBERS:
        said = "{count} detectors on {rows:,} x {columns:,} pixels take too much memory; choose larger pixels."
        raise InputError(said, count=len(job.detectors), rows=grid.rows, columns=grid.columns)
    shares = (part_of(progress, step / number, (step + 1) / number) for step in range(number))
    valid = (
        np.ones(grid.shape, dtype=bool)
        if read.area is None
        else inside_polygons([read.area], grid, next(shares))
    )
    if not valid.any():
        raise InputError(
            "No pixel's centre lies inside the study area; choose smaller pixels or a larger area."
        )
    if read.mask is not None:
        valid &= ~inside_polygons([read.mask], grid, next(shares))
    if read.ignored is not None:
        valid &= ~inside_polygons(read.ignored.geometry, grid)
    stack = [
        read.marks[name].on(grid, next(shares))
        if name in read.marks
        else inside_polygons(read.annotators[name].geometry, grid, next(shares))
        for name in read.names
    ]
    scores = {}
    for name, snapshot in job.detectors.items():
        if isinstance(snapshot, RasterSnapshot):
            scores[name] = read_band(snapshot, job[choices.BAND], grid, next(shares))
        else:
            crowns, score = read.detections[name]
            scores[name] = highest_value(crowns.geometry, score, grid, next(shares))
    _forget_scoreless(read, scores)
    seen = int(valid.sum())
    if not seen:
        raise InputError(_NOTHING_LEFT)
    told = [
        *findings.excluded_remarks(valid, scores),
        *findings.tolerance_remarks(job[choices.TOLERANCE], grid),
    ]
    known = findings.known_to_all(valid, scores)
    counted = int(known.sum())
    valid = known if counted else valid
    votes = VoteTable.from_stack(stack, ~valid, names=read.names)
    side = tile_side(job, read, valid.sum() * grid.pixel_width * grid.pixel_height)
    pixel = math.sqrt(grid.pixel_width * grid.pixel_height)
    tile = max(1, round(side / pixel))
    return Units(
        votes=votes,
        scores=scores,
        valid=valid,
        tiles=square_tiles(grid.shape, tile),
        across=-(-grid.columns // tile),
        weight=None,
        stack=stack,
        tolerance=Tolerance(job[choices.TOLERANCE], grid.pixel_height, grid.pixel_width)
        if job[choices.TOLERANCE] > 0
        else None,
        tile_side=side,
        made_truths={
            name: read.marks[name].on(grid, next(shares))
            if name in read.marks
            else inside_polygons(read.made_truths[name].geometry, grid, next(shares))
            for name in job.made_truths
        },
        remarks=[
            *told,
            _pixels_told(counted, grid),
            *findings.nothing_here(job, read.area, votes, scores, valid),
        ],
    )


def _exact_units(job: DetectorJob, read: DetectorInput, progress: Progress) -> Units:
    """The faces of all polygons overlaid."""
    area = read.region
    if read.ignored is not None:
        area = shapely.difference(area, shapely.union_all(read.ignored.geometry))
    if area.is_empty:
        raise InputError(_NOTHING_LEFT)
    side = tile_side(job, read, area.area)
    # A ground truth made before cuts faces as a detector does that is sure of all it found.
    truths = {name: (crowns, np.ones(len(crowns))) for name, crowns in read.made_truths.items()}
    faces = detector_faces(
        {name: crowns.geometry for name, crowns in read.annotators.items()},
        {
            name: (crowns.geometry, scores)
            for name, (crowns, scores) in {**read.detections, **truths}.items()
        },
        area,
        side if job[choices.DRAWS] else None,
        progress,
    )
    made_truths = {name: faces.scores.pop(name) > 0 for name in truths}
    _forget_scoreless(read, faces.scores)
    valid = np.ones(len(faces.areas), dtype=bool)
    told = [
        _exact_told(float(area.area)),
        *findings.nothing_here(job, read.area, faces.votes, faces.scores, valid),
    ]
    return Units(
        votes=faces.votes,
        scores=faces.scores,
        valid=valid,
        tiles=faces.tiles,
        across=faces.across,
        weight=faces.areas,
        stack=None,
        tolerance=None,
        tile_side=side,
        made_truths=made_truths,
        remarks=told,
    )


def _pixels_told(pixels: int, grid: Grid) -> Remark:
    said = "Areas: {pixels:,} pixels of {width:g} x {height:g} {unit}."
    width, height = round(grid.pixel_width, 4), round(grid.pixel_height, 4)
    return note(
        "ranking.pixels", said, unit=grid.working.unit, pixels=pixels, width=width, height=height
    )


def _exact_told(area: float) -> Remark:
    return note("ranking.exact", "Areas: {area:,.0f} m², overlaid exactly.", area=area)


def _forget_scoreless(read: DetectorInput, scores: dict[str, Floats]) -> None:
    """Of a detector without scores no unit is known; one that has no polygons found nothing."""
    for name in read.scoreless:
        scores[name][:] = math.nan


def counted_area(read: DetectorInput, units: Units | None) -> float:
    """Square metres in which places are counted, or else crowns."""
    if units is not None:
        pixel = (
            read.grid.pixel_width * read.grid.pixel_height
            if units.weight is None and read.grid
            else 1.0
        )
        return units.votes.total * pixel
    return float(shapely.box(*read.bounds).area if read.area is None else read.region.area)


def tile_side(job: DetectorJob, read: DetectorInput, area: float) -> float:
    """Metres: as asked for; or an eighth of a square as large as the area, and at least a crown's diameter."""
    if job[choices.TILE_SIDE] > 0:
        return job[choices.TILE_SIDE]
    sizes = np.concatenate(
        [np.empty(0), *(shapely.area(crowns.geometry) for crowns in read.annotators.values())]
    )
    diameter = math.sqrt(4 * float(np.median(sizes)) / math.pi) if len(sizes) else 0.0
    return float(max(math.sqrt(float(area) / _TILES), diameter))


def as_lines(
    units: Units, made: GroundTruths, grid: Grid | None, progress: Progress
) -> tuple[Units, GroundTruths, list[Remark]]:
    """The detections and the ground truths thinned to lines of one pixel, with the tolerance that goes with them."""
    half = part_of(progress, 0.0, 0.3), part_of(progress, 0.3, 1.0)
    truths = {
        name: thinned(truth & units.valid, told)
        for (name, truth), told in steps([*made.truths.items()], half[0])
    }
    scores = {
        name: thinned_scores(np.where(units.valid, score, -np.inf), told)
        for (name, score), told in steps([*units.scores.items()], half[1])
    }
    tolerance = units.tolerance
    said = (
        "Ground truths and detections were thinned to lines of one pixel; tolerance: {distance:.3g} {unit}. The "
        "certainty is over tiles, not over annotators."
    )
    if tolerance is None and grid is not None:
        diagonal = math.hypot(grid.rows * grid.pixel_height, grid.columns * grid.pixel_width)
        tolerance = Tolerance(TOLERANCE_SHARE * diagonal, grid.pixel_height, grid.pixel_width)
        said = (
            "Ground truths and detections were thinned to lines of one pixel; tolerance: {distance:.3g} {unit}, "
            "{share:.2%} of the diagonal. The certainty is over tiles, not over annotators."
        )
    unit, distance = (
        "m" if grid is None else grid.working.unit,
        0.0 if tolerance is None else tolerance.distance,
    )
    told_so = note("ranking.lines", said, distance=distance, unit=unit, share=TOLERANCE_SHARE)
    return (
        replace(units, scores=scores, tolerance=tolerance),
        replace(made, truths=truths),
        [told_so],
    )


def truth_rows(
    units: Units,
    truths: Mapping[str, Bools],
    grids: Sequence[Grid | None],
    mapped: Mapped,
    progress: Progress,
) -> list[TruthRow]:
    """Each ground truth, of each image, ``mapped`` from polygons: joined faces, or along pixels of an image's grid."""
    rows = []
    for (name, truth), told in steps([*truths.items()], progress):
        for image, window, grid in zip(units.images or ("",), units.windows, grids):
            marked, first, last = truth[window], part_of(told, 0.0, 0.7), part_of(told, 0.7, 1.0)
            if grid is not None:
                parts = shapely.get_parts(
                    grid_polygons(marked.astype(np.uint8), marked, grid, first)[0]
                )
            else:
                faces = np.arange(len(truth))[window][marked]
                parts = dissolved(units.votes.faces, first, faces)  # type: ignore[arg-type]
            rows.append((name, image, float(shapely.area(parts).sum()), mapped(parts, last)))
            let_go(parts)
    return rows


def truths_table(rows: list[TruthRow], crs: QgsCoordinateReferenceSystem) -> FeatureTable:
    """A row per ground truth, and image where there are several."""
    frame = pd.DataFrame(rows, columns=["truth", "image", "area", "shape"])
    shapes = frame.pop("shape").tolist()
    return TRUTH_POLYGONS.table(
        frame if frame["image"].any() else frame.drop(columns="image"), shapes, crs
    )


@dataclass(frozen=True, eq=False)
class DetectorInput(Place):
    """The place with its pixels, when there is a raster or a pixel size."""

    #: The run, of this image where there are several.
    job: DetectorJob = None  # type: ignore[assignment]
    annotators: dict[str, Crowns] = field(
        default_factory=dict
    )  #: crowns of each that is polygons, by name.
    marks: dict[str, Marks] = field(
        default_factory=dict
    )  #: what each marks that is a raster, by name.
    #: Crowns and their scores of each polygon detector, by name.
    detections: dict[str, tuple[Crowns, Floats]] = field(default_factory=dict)
    #: Polygon detectors whose scores are all missing: nothing is known of what they found.
    scoreless: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()  #: of all annotators.
    #: Polygons of the ground truths made before, by name.
    made_truths: dict[str, Crowns] = field(default_factory=dict)
    #: Areas in which an unmatched detection is neither right nor wrong; None for none.
    ignored: Crowns | None = None
    in_plot: bool = False  #: whether it is one of several plots.

    @property
    def plot_names(self) -> list[str]:
        """Those of the annotators and of the study area: a plot that nobody looked at says nothing."""
        named = {
            plot
            for crowns in self.annotators.values()
            if crowns.groups is not None
            for plot in crowns.groups
        }
        return sorted(
            named - {None} | (frozenset() if self.plots is None else self.plots.groups),
            key=by_number,
        )

    def of_plot(self, plot: str, area: Any) -> DetectorInput:
        def inside(crowns: Crowns) -> Bools:
            return (
                np.ones(len(crowns), dtype=bool)
                if crowns.groups is None
                else np.asarray(crowns.groups == plot)
            )

        return replace(
            super().of_plot(plot, area),
            annotators={
                name: crowns.subset(inside(crowns)) for name, crowns in self.annotators.items()
            },
            made_truths={
                name: crowns.subset(inside(crowns)) for name, crowns in self.made_truths.items()
            },
            detections={
                name: (crowns.subset(inside(crowns)), scores[inside(crowns)])
                for name, (crowns, scores) in self.detections.items()
            },
            in_plot=True,
        )

    @property
    def looked_at(self) -> Any:
        """Where places are counted: without a study area what is around all annotators' polygons; None: everywhere."""
        drawn = [crowns.geometry for crowns in self.annotators.values()]
        everywhere = (
            not self.job.areas or (self.job.pixels and not self.in_plot) or not sum(map(len, drawn))
        )
        if self.area is not None or everywhere:
            return self.area
        return shapely.box(*shapely.total_bounds(np.concatenate(drawn)))

    def with_pixels(self) -> DetectorInput:
        """The same with the study area where places are counted, and its pixels where there are such."""
        job, told, area, grid = self.job, list(self.decided), self.looked_at, self.grid
        if grid is None and job[choices.RESOLUTION] > 0 and area is not None:
            grid = Grid.covering(area.bounds, job[choices.RESOLUTION], self.working)
        elif grid is not None and area is not None:
            told += findings.beyond_the_raster(area, grid, next(iter(job.pixels)))
            grid = grid.within(area.bounds)
        return replace(self, area=area, grid=grid, decided=told)

    def holds(self, crowns: Crowns) -> Bools:
        """(n,) which crowns lie in the study area and outside the training areas."""
        inside = belongs_to_area(crowns, self.area)
        return inside if self.mask is None else inside & ~belongs_to_area(crowns, self.mask)

    def counted_points(self, points: Objects) -> Objects:
        """Of (n,) points those in the study area and outside the training areas."""
        inside = (
            np.ones(len(points), dtype=bool)
            if self.area is None
            else shapely.intersects(self.area, points)
        )
        kept: Objects = points[
            inside if self.mask is None else inside & ~shapely.intersects(self.mask, points)
        ]
        return kept


def read_detector_input(job: DetectorJob, progress: Progress) -> DetectorInput:
    """Read all polygon layers, and find the grid; refused if no annotator drew anything."""
    first, told = next(iter(job.pixels), ""), []
    start: Any = job.transform_context
    if first:
        start = Grid.of_raster(job.pixels[first], job.transform_context)
        if job[choices.RESOLUTION] > 0:
            start = Grid.covering(start.bounds, job[choices.RESOLUTION], start.working)
        told += findings.pixel_remarks(job, start, first)
    named_by = job[choices.ANNOTATOR_FIELD]
    plot, unused = job[choices.GROUP_FIELD], job.unused_plots if job.crowns else ""
    drawn = [(name, snapshot, "") for name, snapshot in job.drawn.items()]
    found = [(name, snapshot, job[choices.SCORE_FIELD]) for name, snapshot in job.polygons.items()]
    made = [
        (name, one, "") for name, one in job.made_truths.items() if isinstance(one, LayerSnapshot)
    ]
    requests = [
        LayerRequest(
            snapshot,
            name=name,
            group_field=plot if snapshot.fields.lookupField(plot) >= 0 else "",
            plot_field=unused,
            apart_field=plot,
            score_field=score,
            all_attributes=bool(named_by) and name in job.annotators,
        )
        for name, snapshot, score in (*drawn, *found, *made)
    ]
    place = read_place(
        requests, start, job[choices.STUDY_AREA], job[choices.TRAINING], progress, plot
    )
    layers = {layer.crowns.name: layer for layer in place.layers}
    annotators = {name: layers[name].crowns for name in job.drawn}
    marks = {name: Marks(raster, job[MARK_VALUE]) for name, raster in job.marked.items()}
    rasters = {
        name: one for name, one in job.made_truths.items() if isinstance(one, RasterSnapshot)
    }
    detections = {}
    told += filter(
        None,
        (layers[one].across_plots(layers[other]) for one in annotators for other in job.polygons),
    )
    if named_by:
        annotators, unnamed = crowns_by_field(
            [layers[name] for name in annotators], named_by, job.reserved_names
        )
        told += unnamed
    for name in job.polygons:
        told += findings.merged_scores(name, layers[name].values(job[choices.SCORE_FIELD]))
        detections[name] = (layers[name].crowns, layers[name].numbers(job[choices.SCORE_FIELD]))
    if not (marks or any(len(crowns) for crowns in annotators.values())):
        raise InputError("None of the annotators' layers has a polygon that can be used.")
    scoreless = frozenset(
        name
        for name in job.polygons
        if not len(layers[name].crowns) and layers[name].report.ids(Oddity.NO_SCORE)
    )
    known = {**vars(place), "decided": [*place.decided, *told]}
    names = tuple(job.annotators if marks else annotators)
    crowds, ignored = job[choices.IGNORED], None
    if crowds is not None:
        areas = read_crowns(LayerRequest(crowds, group_field=plot), place.working)
        ignored = areas.crowns
        known["decided"] += areas.remarks()
    return DetectorInput(
        **known,
        job=job,
        annotators=annotators,
        marks={**marks, **{name: Marks(raster) for name, raster in rasters.items()}},
        detections=detections,
        scoreless=scoreless,
        names=names,
        made_truths={name: layers[name].crowns for name, _, _ in made},
        ignored=ignored,
    )
