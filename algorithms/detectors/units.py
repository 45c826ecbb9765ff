"""Reading of the layers of a ranking, and preparation of the units that are ranked.

Units are pixels of a grid or exact faces of the overlaid polygons, with the decisions of the
annotators and the scores of the detectors. Whole crowns are ranked from the same input.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Union

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsGeometry

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
from randcrowns.layers.vector.read import (
    CrownLayer,
    LayerRequest,
    LayerSnapshot,
    crowns_by_field,
    read_crowns,
)
from randcrowns.layers.vector.tables import FeatureTable

#: Function that converts polygons in working coordinates to a geometry of the output.
Mapped = Callable[[Objects, Progress], QgsGeometry]
#: Approximate number of tiles of the study area.
_N_TILES = 64
_NOTHING_LEFT = (
    "Nothing is left of the study area but training areas and areas to ignore. Choose a larger one."
)


class TruthRow(NamedTuple):
    """Row of the layer with the ground truths."""

    truth: str  #: name of the ground truth.
    image: str  #: name of the image; "" for a single image.
    area: float  #: area, m².
    shape: QgsGeometry  #: multipolygon in the coordinate reference system of the output.


@dataclass(frozen=True, eq=False)
class Units:
    """Units that are ranked: (rows, columns) pixels of a grid, or (F,) faces of an overlay.

    Arrays "per unit" have one of these shapes. Several images are laid out in one array.
    """

    votes: VoteTable  #: decisions of the annotators.
    #: Score per unit by detector; minus infinity without a detection, NaN where unknown.
    scores: dict[str, Floats]
    valid: Bools  #: True per unit that is counted.
    tiles: Ints  #: number of the tile per unit; tiles are numbered row by row.
    across: int  #: number of tiles in a row.
    weight: Floats | None  #: (F,) area of each face, m²; None for pixels.
    #: Decisions (rows, columns) of each annotator; None for faces.
    stack: list[Bools] | None
    tolerance: (
        Tolerance | None
    )  #: distance from the ground truth within which detections are right.
    tile_side: float  #: side of a tile, metres.
    remarks: list[Remark]  #: messages about the units.
    #: Decisions per unit of the existing ground truths, by name.
    made_truths: dict[str, Bools] = field(default_factory=dict)
    images: tuple[str, ...] = ()  #: names of several images; empty for a single image.
    #: Slices of the units of each image; one empty tuple, for all units, for a single image.
    windows: tuple[tuple[slice, ...], ...] = ((),)


def make_units(parts: Mapping[str, DetectorInput], progress: Progress) -> Units:
    """Return the units of all images: pixels if there is a grid, otherwise exact faces.

    Args:
        parts: input by the name of the image.
        progress: called with the fraction done.

    Raises:
        InputError: if nothing is left to count, if pixels take too much memory, or if the images
            differ in coordinate reference system or pixel size.
    """
    units_by_image = {}
    for (name, part), share in steps(list(parts.items()), progress):
        if part.grid is None:
            units_by_image[name] = _exact_units(part.job, part, share)
        else:
            units_by_image[name] = _pixel_units(part.job, part, part.grid, share)
    if len(parts) == 1:
        return next(iter(units_by_image.values()))
    check_alike({name: part.working for name, part in parts.items()})
    pixel_sizes = {
        (part.grid.pixel_width, part.grid.pixel_height)
        for part in parts.values()
        if part.grid is not None
    }
    if len(pixel_sizes) > 1:
        raise InputError(
            "The images have pixels of different sizes. Give a pixel size, or resample the images "
            "to one pixel size."
        )
    units = _lay_out(list(units_by_image.values()))
    first = next(iter(parts.values()))
    messages = remarks_of_images(
        {name: image_units.remarks for name, image_units in units_by_image.items()},
        "ranking.pixels",
        "ranking.exact",
        *findings.NOTHING_HERE,
    )
    messages += findings.nothing_here(first.job, first.area, units.votes, units.scores, units.valid)
    if first.grid is None:
        messages.append(_exact_area_message(float(units.votes.total)))
    else:
        messages.append(_pixel_count_message(int(units.valid.sum()), first.grid))
    return replace(units, remarks=messages, images=tuple(parts))


def _lay_out(parts: list[Units]) -> Units:
    """Return the units of several images in one array; each image is a tile.

    Args:
        parts: units of the images, all pixels or all faces.
    """
    first = parts[0]
    sheet = Sheet(tuple(part.valid.shape for part in parts), _image_gap(parts))

    def lay_out(arrays: Sequence[np.ndarray], fill: Any) -> Any:
        """Return arrays of all images in one array, with ``fill`` between the images."""
        return sheet.filled(arrays, fill)

    scores = {
        name: lay_out([part.scores[name] for part in parts], -np.inf) for name in first.scores
    }
    valid = lay_out([part.valid for part in parts], False)
    known = findings.known_to_all(valid, scores)
    if known.any():
        valid = known
    stack = None
    weight = None
    if first.weight is None:
        stacks = [part.stack or [] for part in parts]
        stack = [lay_out(decisions, False) for decisions in zip(*stacks)]
        votes = VoteTable.from_stack(stack, ~valid, names=first.votes.names)
    else:
        weight = np.concatenate([part.weight for part in parts])
        votes = VoteTable.merged([part.votes for part in parts])
    tiles = lay_out([np.full(part.valid.shape, number) for number, part in enumerate(parts)], 0)
    return Units(
        votes=votes,
        scores=scores,
        valid=valid,
        tiles=tiles,
        across=1,
        weight=weight,
        stack=stack,
        tolerance=first.tolerance,
        tile_side=first.tile_side,
        remarks=[],
        made_truths={
            name: lay_out([part.made_truths[name] for part in parts], False)
            for name in first.made_truths
        },
        windows=sheet.windows,
    )


def _image_gap(parts: list[Units]) -> int:
    """Return the number of rows between images so that no tolerance reaches the next image.

    The tolerance of thinned lines, a share of the diagonal, is not known yet and is allowed for.
    """
    first = parts[0]
    if first.weight is not None:
        return 1
    reach = max(TOLERANCE_SHARE * math.hypot(*part.valid.shape) for part in parts)
    if first.tolerance is not None:
        pixel = min(first.tolerance.pixel_height, first.tolerance.pixel_width)
        reach = max(reach, first.tolerance.distance / pixel)
    return 1 + math.ceil(reach)


def _pixel_units(
    settings: DetectorJob, inputs: DetectorInput, grid: Grid, progress: Progress
) -> Units:
    """Return the pixels of a grid with the decisions and scores of all layers.

    Raises:
        InputError: if the pixels take too much memory, or if none of them is left.
    """
    n_detectors = len(settings.detectors)
    if grid.rows * grid.columns * n_detectors > MOST_NUMBERS:
        raise InputError(
            "{count} detectors on {rows:,} x {columns:,} pixels take too much memory. Choose "
            "larger pixels.",
            count=n_detectors,
            rows=grid.rows,
            columns=grid.columns,
        )
    # A step per layer, and one each for the study area and the training areas.
    n_steps = len(inputs.names) + n_detectors + len(settings.made_truths) + 2
    shares = (part_of(progress, step / n_steps, (step + 1) / n_steps) for step in range(n_steps))
    valid = _study_area_pixels(inputs, grid, shares)
    stack = [_annotator_pixels(inputs, name, grid, next(shares)) for name in inputs.names]
    scores = {
        name: _score_pixels(settings, inputs, name, grid, next(shares))
        for name in settings.detectors
    }
    _set_unknown_scores(inputs, scores)
    if not valid.any():
        raise InputError(_NOTHING_LEFT)
    messages = [
        *findings.excluded_remarks(valid, scores),
        *findings.tolerance_remarks(settings[choices.TOLERANCE], grid),
    ]
    known = findings.known_to_all(valid, scores)
    n_counted = int(known.sum())
    if n_counted:
        valid = known
    votes = VoteTable.from_stack(stack, ~valid, names=inputs.names)
    side = tile_side(settings, inputs, valid.sum() * grid.pixel_width * grid.pixel_height)
    pixel = math.sqrt(grid.pixel_width * grid.pixel_height)
    tile_pixels = max(1, round(side / pixel))
    tolerance = None
    if settings[choices.TOLERANCE] > 0:
        tolerance = Tolerance(settings[choices.TOLERANCE], grid.pixel_height, grid.pixel_width)
    made_truths = {
        name: _made_truth_pixels(inputs, name, grid, next(shares)) for name in settings.made_truths
    }
    messages.append(_pixel_count_message(n_counted, grid))
    messages += findings.nothing_here(settings, inputs.area, votes, scores, valid)
    return Units(
        votes=votes,
        scores=scores,
        valid=valid,
        tiles=square_tiles(grid.shape, tile_pixels),
        across=-(-grid.columns // tile_pixels),
        weight=None,
        stack=stack,
        tolerance=tolerance,
        tile_side=side,
        remarks=messages,
        made_truths=made_truths,
    )


def _study_area_pixels(inputs: DetectorInput, grid: Grid, shares: Iterator[Progress]) -> Bools:
    """Return a mask (rows, columns) of the study area without training and ignored areas.

    Raises:
        InputError: if no pixel's centre lies inside the study area.
    """
    if inputs.area is None:
        valid = np.ones(grid.shape, dtype=bool)
    else:
        valid = inside_polygons([inputs.area], grid, next(shares))
    if not valid.any():
        raise InputError(
            "No pixel's centre lies inside the study area. Choose smaller pixels or a larger area."
        )
    if inputs.mask is not None:
        valid &= ~inside_polygons([inputs.mask], grid, next(shares))
    if inputs.ignored is not None:
        valid &= ~inside_polygons(inputs.ignored.geometry, grid)
    return valid


def _annotator_pixels(inputs: DetectorInput, name: str, grid: Grid, progress: Progress) -> Bools:
    """Return a mask (rows, columns) of the pixels that an annotator marked."""
    if name in inputs.marks:
        return inputs.marks[name].on(grid, progress)
    return inside_polygons(inputs.annotators[name].geometry, grid, progress)


def _made_truth_pixels(inputs: DetectorInput, name: str, grid: Grid, progress: Progress) -> Bools:
    """Return a mask (rows, columns) of the pixels that an existing ground truth marks."""
    if name in inputs.marks:
        return inputs.marks[name].on(grid, progress)
    return inside_polygons(inputs.made_truths[name].geometry, grid, progress)


def _score_pixels(
    settings: DetectorJob, inputs: DetectorInput, name: str, grid: Grid, progress: Progress
) -> Floats:
    """Return the scores (rows, columns) of a detector; of polygons the highest in each pixel."""
    snapshot = settings.detectors[name]
    if isinstance(snapshot, RasterSnapshot):
        return read_band(snapshot, settings[choices.BAND], grid, progress)
    crowns, crown_scores = inputs.detections[name]
    return highest_value(crowns.geometry, crown_scores, grid, progress)


def _exact_units(settings: DetectorJob, inputs: DetectorInput, progress: Progress) -> Units:
    """Return the faces of the overlay of all polygons.

    Raises:
        InputError: if nothing is left of the study area.
    """
    area = inputs.region
    if inputs.ignored is not None:
        area = shapely.difference(area, shapely.union_all(inputs.ignored.geometry))
    if area.is_empty:
        raise InputError(_NOTHING_LEFT)
    side = tile_side(settings, inputs, area.area)
    # An existing ground truth divides faces like a detector with score 1 for all its polygons.
    truths_as_detections = {
        name: (crowns, np.ones(len(crowns))) for name, crowns in inputs.made_truths.items()
    }
    detections = {**inputs.detections, **truths_as_detections}
    faces = detector_faces(
        {name: crowns.geometry for name, crowns in inputs.annotators.items()},
        {name: (crowns.geometry, scores) for name, (crowns, scores) in detections.items()},
        area,
        side if settings[choices.DRAWS] else None,
        progress,
    )
    made_truths = {name: faces.scores.pop(name) > 0 for name in truths_as_detections}
    _set_unknown_scores(inputs, faces.scores)
    valid = np.ones(len(faces.areas), dtype=bool)
    messages = [
        _exact_area_message(float(area.area)),
        *findings.nothing_here(settings, inputs.area, faces.votes, faces.scores, valid),
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
        remarks=messages,
        made_truths=made_truths,
    )


def _pixel_count_message(n_pixels: int, grid: Grid) -> Remark:
    """Return a message about the number and the size of the counted pixels."""
    return note(
        "ranking.pixels",
        "Areas: {pixels:,} pixels of {width:g} x {height:g} {unit}.",
        pixels=n_pixels,
        width=round(grid.pixel_width, 4),
        height=round(grid.pixel_height, 4),
        unit=grid.working.unit,
    )


def _exact_area_message(area: float) -> Remark:
    """Return a message about the exact area that is counted, m²."""
    return note("ranking.exact", "Areas: {area:,.0f} m², overlaid exactly.", area=area)


def _set_unknown_scores(inputs: DetectorInput, scores: dict[str, Floats]) -> None:
    """Set the scores of detectors whose polygons all lack a score to NaN, in place.

    A detector without any polygon found nothing and is not changed.
    """
    for name in inputs.scoreless:
        scores[name][:] = math.nan


def counted_area(read: DetectorInput, units: Units | None) -> float:
    """Return the area in which units are counted, or without units the crowns, m².

    Args:
        read: input of the run.
        units: units of the run; None if areas are not counted.
    """
    if units is not None:
        unit_area = 1.0
        if units.weight is None and read.grid is not None:
            unit_area = read.grid.pixel_width * read.grid.pixel_height
        return units.votes.total * unit_area
    if read.area is None:
        return float(shapely.box(*read.bounds).area)
    return float(read.region.area)


def tile_side(job: DetectorJob, read: DetectorInput, area: float) -> float:
    """Return the side of a tile, metres.

    By default it is an eighth of the side of a square as large as the study area, and at least the
    diameter of a circle as large as the median crown.

    Args:
        job: settings of the run.
        read: input of the run.
        area: study area, m².
    """
    if job[choices.TILE_SIDE] > 0:
        return job[choices.TILE_SIDE]
    crown_areas = np.concatenate(
        [np.empty(0), *(shapely.area(crowns.geometry) for crowns in read.annotators.values())]
    )
    diameter = 0.0
    if len(crown_areas):
        diameter = math.sqrt(4 * float(np.median(crown_areas)) / math.pi)
    return float(max(math.sqrt(float(area) / _N_TILES), diameter))


def as_lines(
    units: Units, made: GroundTruths, grid: Grid | None, progress: Progress
) -> tuple[Units, GroundTruths, list[Remark]]:
    """Thin detections and ground truths to lines of one pixel.

    Args:
        units: pixels with the scores of the detectors.
        made: ground truths on these pixels.
        grid: the pixels. Without a tolerance, a share of their diagonal is used as tolerance.
        progress: called with the fraction done.

    Returns:
        The units with thinned scores and the tolerance, the thinned ground truths, and a message.
    """
    truths = {}
    for (name, truth), share in steps(list(made.truths.items()), part_of(progress, 0.0, 0.3)):
        truths[name] = thinned(truth & units.valid, share)
    scores = {}
    for (name, score), share in steps(list(units.scores.items()), part_of(progress, 0.3, 1.0)):
        scores[name] = thinned_scores(np.where(units.valid, score, -np.inf), share)
    tolerance = units.tolerance
    text = (
        "Ground truths and detections were thinned to lines of one pixel; tolerance: "
        "{distance:.3g} {unit}. The certainty is over tiles, not over annotators."
    )
    if tolerance is None and grid is not None:
        diagonal = math.hypot(grid.rows * grid.pixel_height, grid.columns * grid.pixel_width)
        tolerance = Tolerance(TOLERANCE_SHARE * diagonal, grid.pixel_height, grid.pixel_width)
        text = (
            "Ground truths and detections were thinned to lines of one pixel; tolerance: "
            "{distance:.3g} {unit}, {share:.2%} of the diagonal. The certainty is over tiles, not "
            "over annotators."
        )
    message = note(
        "ranking.lines",
        text,
        distance=0.0 if tolerance is None else tolerance.distance,
        unit="m" if grid is None else grid.working.unit,
        share=TOLERANCE_SHARE,
    )
    lines = replace(units, scores=scores, tolerance=tolerance)
    return lines, replace(made, truths=truths), [message]


def truth_rows(
    units: Units,
    truths: Mapping[str, Bools],
    grids: Sequence[Grid | None],
    mapped: Mapped,
    progress: Progress,
) -> list[TruthRow]:
    """Return the polygons of each ground truth, one row per ground truth and image.

    Args:
        units: units of all images.
        truths: True per unit that a ground truth marks, by name.
        grids: pixels of each image, along whose edges polygons run; None to join faces.
        mapped: function that converts the polygons to a geometry of the output.
        progress: called with the fraction done.
    """
    images = units.images or ("",)
    rows = []
    for (name, truth), share in steps(list(truths.items()), progress):
        outline_progress = part_of(share, 0.0, 0.7)
        map_progress = part_of(share, 0.7, 1.0)
        for image, window, grid in zip(images, units.windows, grids):
            marked = truth[window]
            if grid is not None:
                outlines, _ = grid_polygons(marked.astype(np.uint8), marked, grid, outline_progress)
                polygons = shapely.get_parts(outlines)
            else:
                faces = np.arange(len(truth))[window][marked]
                polygons = dissolved(units.votes.faces, outline_progress, faces)  # type: ignore[arg-type]
            area = float(shapely.area(polygons).sum())
            rows.append(TruthRow(name, image, area, mapped(polygons, map_progress)))
            let_go(polygons)
    return rows


def truths_table(rows: list[TruthRow], crs: QgsCoordinateReferenceSystem) -> FeatureTable:
    """Return the layer with the ground truths; without the field of the image for one image."""
    frame = pd.DataFrame(rows, columns=list(TruthRow._fields))
    shapes = frame.pop("shape").tolist()
    if not frame["image"].any():
        frame = frame.drop(columns="image")
    return TRUTH_POLYGONS.table(frame, shapes, crs)


@dataclass(frozen=True, eq=False)
class DetectorInput(Place):
    """Study site with the annotators, the detections and, if there are pixels, their grid."""

    #: Settings of the run; of several images, those of this image.
    job: DetectorJob = None  # type: ignore[assignment]
    #: Crowns of the annotators that are polygon layers, by name.
    annotators: dict[str, Crowns] = field(default_factory=dict)
    #: Marked pixels of annotators and existing ground truths that are rasters, by name.
    marks: dict[str, Marks] = field(default_factory=dict)
    #: Crowns and their scores (n,) of each polygon detector, by name.
    detections: dict[str, tuple[Crowns, Floats]] = field(default_factory=dict)
    #: Polygon detectors all of whose scores are missing, so that their detections are unknown.
    scoreless: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()  #: names of all annotators.
    #: Polygons of the existing ground truths, by name.
    made_truths: dict[str, Crowns] = field(default_factory=dict)
    #: Areas in which an unmatched detection is neither right nor wrong; None for none.
    ignored: Crowns | None = None
    in_plot: bool = False  #: True if it is one of several plots.

    @property
    def plot_names(self) -> list[str]:
        """Names of the plots of annotators and study area.

        Plots that only detectors have are not among them, as no annotator examined them.
        """
        names: set[Any] = set()
        for crowns in self.annotators.values():
            if crowns.groups is not None:
                names.update(crowns.groups)
        names.discard(None)
        if self.plots is not None:
            names |= self.plots.groups
        return sorted(names, key=by_number)

    def of_plot(self, plot: str, area: Any) -> DetectorInput:
        """Return the input of one plot.

        Args:
            plot: name of the plot.
            area: study area of the plot; None for everywhere.
        """

        def is_inside(crowns: Crowns) -> Bools:
            """Return a mask of the crowns of the plot; all of them if they have no plots."""
            if crowns.groups is None:
                return np.ones(len(crowns), dtype=bool)
            return np.asarray(crowns.groups == plot)

        return replace(
            super().of_plot(plot, area),
            annotators={
                name: crowns.subset(is_inside(crowns)) for name, crowns in self.annotators.items()
            },
            made_truths={
                name: crowns.subset(is_inside(crowns)) for name, crowns in self.made_truths.items()
            },
            detections={
                name: (crowns.subset(is_inside(crowns)), scores[is_inside(crowns)])
                for name, (crowns, scores) in self.detections.items()
            },
            in_plot=True,
        )

    @property
    def looked_at(self) -> Any:
        """Area in which units are counted, as one geometry; None for everywhere.

        Without a study area and without rasters, or in a plot, it is the rectangle around the
        polygons of all annotators.
        """
        polygons = [crowns.geometry for crowns in self.annotators.values()]
        is_everywhere = (
            not self.job.areas
            or (self.job.pixels and not self.in_plot)
            or not any(len(geometry) for geometry in polygons)
        )
        if self.area is not None or is_everywhere:
            return self.area
        return shapely.box(*shapely.total_bounds(np.concatenate(polygons)))

    def with_pixels(self) -> DetectorInput:
        """Return the input with the area in which units are counted, and its pixels if any."""
        area = self.looked_at
        grid = self.grid
        messages = list(self.decided)
        resolution = self.job[choices.RESOLUTION]
        if grid is None and resolution > 0 and area is not None:
            grid = Grid.covering(area.bounds, resolution, self.working)
        elif grid is not None and area is not None:
            messages += findings.beyond_the_raster(area, grid, next(iter(self.job.pixels)))
            grid = grid.within(area.bounds)
        return replace(self, area=area, grid=grid, decided=messages)

    def holds(self, crowns: Crowns) -> Bools:
        """Return a mask (n,) of crowns in the study area and outside the training areas."""
        is_inside = belongs_to_area(crowns, self.area)
        if self.mask is None:
            return is_inside
        return is_inside & ~belongs_to_area(crowns, self.mask)

    def counted_points(self, points: Objects) -> Objects:
        """Return those of (n,) points in the study area and outside the training areas."""
        is_counted = np.ones(len(points), dtype=bool)
        if self.area is not None:
            is_counted &= shapely.intersects(self.area, points)
        if self.mask is not None:
            is_counted &= ~shapely.intersects(self.mask, points)
        counted: Objects = points[is_counted]
        return counted


#: Pixels, or only the datum transformations of the project, that a study site is read with.
_Start = Union[Grid, QgsCoordinateTransformContext]


def read_detector_input(job: DetectorJob, progress: Progress) -> DetectorInput:
    """Read all polygon layers of a run, and the pixels of its first raster.

    Args:
        job: settings of the run, or of one of several images.
        progress: called with the fraction done.

    Raises:
        InputError: if no annotator has a usable polygon, or a layer cannot be used.
    """
    start = _start_of_site(job)
    messages = []
    if isinstance(start, Grid):
        messages += findings.pixel_remarks(job, start, next(iter(job.pixels)))
    plot_field = job[choices.GROUP_FIELD]
    site = read_place(
        _layer_requests(job),
        start,
        job[choices.STUDY_AREA],
        job[choices.TRAINING],
        progress,
        plot_field,
    )
    layers = {layer.crowns.name: layer for layer in site.layers}
    messages += _plot_messages(job, layers)

    annotators = {name: layers[name].crowns for name in job.drawn}
    annotator_field = job[choices.ANNOTATOR_FIELD]
    if annotator_field:
        annotators, field_messages = crowns_by_field(
            [layers[name] for name in annotators], annotator_field, job.reserved_names
        )
        messages += field_messages
    annotator_marks = {name: Marks(raster, job[MARK_VALUE]) for name, raster in job.marked.items()}

    detections = {}
    score_field = job[choices.SCORE_FIELD]
    for name in job.polygons:
        messages += findings.merged_scores(name, layers[name].values(score_field))
        detections[name] = (layers[name].crowns, layers[name].numbers(score_field))
    if not annotator_marks and not any(len(crowns) for crowns in annotators.values()):
        raise InputError("None of the annotators' layers has a polygon that can be used.")

    ignored = None
    ignored_snapshot = job[choices.IGNORED]
    if ignored_snapshot is not None:
        request = LayerRequest(ignored_snapshot, group_field=plot_field)
        ignored_layer = read_crowns(request, site.working)
        ignored = ignored_layer.crowns
        messages += ignored_layer.remarks()
    truth_marks = {
        name: Marks(snapshot)
        for name, snapshot in job.made_truths.items()
        if isinstance(snapshot, RasterSnapshot)
    }
    scoreless = frozenset(
        name
        for name in job.polygons
        if not len(layers[name].crowns) and layers[name].report.ids(Oddity.NO_SCORE)
    )
    site_fields = {**vars(site), "decided": [*site.decided, *messages]}
    return DetectorInput(
        **site_fields,
        job=job,
        annotators=annotators,
        marks={**annotator_marks, **truth_marks},
        detections=detections,
        scoreless=scoreless,
        names=tuple(job.annotators if annotator_marks else annotators),
        made_truths={
            name: layers[name].crowns for name in job.made_truths if name not in truth_marks
        },
        ignored=ignored,
    )


def _start_of_site(settings: DetectorJob) -> _Start:
    """Return the pixels of the first raster, at the pixel size of the run if it has one.

    Without a raster, the datum transformations of the project are returned.
    """
    if not settings.pixels:
        return settings.transform_context
    first = next(iter(settings.pixels.values()))
    grid = Grid.of_raster(first, settings.transform_context)
    if settings[choices.RESOLUTION] > 0:
        return Grid.covering(grid.bounds, settings[choices.RESOLUTION], grid.working)
    return grid


def _layer_requests(settings: DetectorJob) -> list[LayerRequest]:
    """Return how to read the polygon layers: annotators, detectors and existing ground truths."""
    plot_field = settings[choices.GROUP_FIELD]
    polygon_truths = {
        name: snapshot
        for name, snapshot in settings.made_truths.items()
        if isinstance(snapshot, LayerSnapshot)
    }
    # Names are unique over all roles.
    snapshots = {**settings.drawn, **settings.polygons, **polygon_truths}
    has_annotator_field = bool(settings[choices.ANNOTATOR_FIELD])
    return [
        LayerRequest(
            snapshot,
            name=name,
            group_field=plot_field if snapshot.fields.lookupField(plot_field) >= 0 else "",
            plot_field=settings.unused_plots if settings.crowns else "",
            apart_field=plot_field,
            score_field=settings[choices.SCORE_FIELD] if name in settings.polygons else "",
            all_attributes=has_annotator_field and name in settings.annotators,
        )
        for name, snapshot in snapshots.items()
    ]


def _plot_messages(settings: DetectorJob, layers: Mapping[str, CrownLayer]) -> list[Remark]:
    """Return messages about crowns that match across plots, as no plot field is selected."""
    messages = []
    for annotator in settings.drawn:
        for detector in settings.polygons:
            message = layers[annotator].across_plots(layers[detector])
            if message is not None:
                messages.append(message)
    return messages
