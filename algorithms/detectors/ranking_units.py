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

from randcrowns.algorithms.common_parameters import MARK_VALUE
from randcrowns.algorithms.detectors import ranking_messages
from randcrowns.algorithms.detectors.schema import parameters
from randcrowns.algorithms.detectors.schema.outputs import TRUTH_POLYGONS
from randcrowns.algorithms.detectors.schema.parameters import RankingSettings
from randcrowns.algorithms.multiple_images import check_same_crs, merge_messages
from randcrowns.core.agreement.consensus import GroundTruths
from randcrowns.core.agreement.image_stack import ImageStack
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints, Objects, free_objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.bootstrap import number_square_tiles
from randcrowns.core.detectors.crown_ranking import is_in_area
from randcrowns.core.detectors.faces import overlay_detectors
from randcrowns.core.detectors.thinning import TOLERANCE_SHARE, thin, thin_scores
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import dissolve_faces
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.layers.raster.grid import (
    MAX_NUMERIC_PIXELS,
    Grid,
    RasterSnapshot,
    rasterise_mask,
    rasterise_maximum,
    read_band,
)
from randcrowns.layers.raster.masks import ReferenceMask
from randcrowns.layers.raster.write import polygonise_grid
from randcrowns.layers.vector.geometry import FeatureIssue
from randcrowns.layers.vector.names import numeric_sort_key
from randcrowns.layers.vector.read import (
    CrownLayer,
    LayerRequest,
    LayerSnapshot,
    read_crowns,
    split_by_annotator,
)
from randcrowns.layers.vector.study_site import StudySite, read_study_site
from randcrowns.layers.vector.tables import FeatureTable

#: Function that converts polygons in working coordinates to a geometry of the output.
MapPolygons = Callable[[Objects, Progress], QgsGeometry]
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
class RankingUnits:
    """Units that are ranked: (rows, columns) pixels of a grid, or (F,) faces of an overlay.

    Arrays "per unit" have one of these shapes. Several images are laid out in one array.
    """

    votes: VoteTable  #: decisions of the annotators.
    #: Score per unit by detector; minus infinity without a detection, NaN where unknown.
    scores: dict[str, Floats]
    is_valid: Bools  #: True per unit that is counted.
    tiles: Ints  #: number of the tile per unit; tiles are numbered row by row.
    tiles_per_row: int  #: number of tiles in a row.
    face_areas: Floats | None  #: (F,) area of each face, m²; None for pixels.
    #: Decisions (rows, columns) of each annotator; None for faces.
    decision_stack: list[Bools] | None
    tolerance: (
        Tolerance | None
    )  #: distance from the ground truth within which detections are right.
    tile_side: float  #: side of a tile, metres.
    messages: list[Message]  #: messages about the units.
    #: Decisions per unit of the existing ground truths, by name.
    existing_truths: dict[str, Bools] = field(default_factory=dict)
    images: tuple[str, ...] = ()  #: names of several images; empty for a single image.
    #: Slices of the units of each image; one empty tuple, for all units, for a single image.
    image_windows: tuple[tuple[slice, ...], ...] = ((),)


def create_units(parts: Mapping[str, RankingSite], progress: Progress) -> RankingUnits:
    """Return the units of all images: pixels if there is a grid, otherwise exact faces.

    Args:
        parts: input by the name of the image.
        progress: called with the fraction done.

    Raises:
        InputError: if nothing is left to count, if pixels take too much memory, or if the images
            differ in coordinate reference system or pixel size.
    """
    units_by_image = {}
    for (name, part), share in iterate_with_progress(list(parts.items()), progress):
        if part.grid is None:
            units_by_image[name] = _exact_units(part.settings, part, share)
        else:
            units_by_image[name] = _pixel_units(part.settings, part, part.grid, share)
    if len(parts) == 1:
        return next(iter(units_by_image.values()))
    check_same_crs({name: part.working_crs for name, part in parts.items()})
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
    messages = merge_messages(
        {name: image_units.messages for name, image_units in units_by_image.items()},
        "ranking.pixels",
        "ranking.exact",
        *ranking_messages.NOTHING_FOUND_KEYS,
    )
    messages += ranking_messages.nothing_found_messages(
        first.settings, first.study_area, units.votes, units.scores, units.is_valid
    )
    if first.grid is None:
        messages.append(_exact_area_message(float(units.votes.total_weight)))
    else:
        messages.append(_pixel_count_message(int(units.is_valid.sum()), first.grid))
    return replace(units, messages=messages, images=tuple(parts))


def _lay_out(parts: list[RankingUnits]) -> RankingUnits:
    """Return the units of several images in one array; each image is a tile.

    Args:
        parts: units of the images, all pixels or all faces.
    """
    first = parts[0]
    sheet = ImageStack(tuple(part.is_valid.shape for part in parts), _image_gap(parts))

    def lay_out(arrays: Sequence[np.ndarray], fill: Any) -> Any:
        """Return arrays of all images in one array, with ``fill`` between the images."""
        return sheet.assemble(arrays, fill)

    scores = {
        name: lay_out([part.scores[name] for part in parts], -np.inf) for name in first.scores
    }
    valid = lay_out([part.is_valid for part in parts], False)
    known = ranking_messages.scored_by_all_mask(valid, scores)
    if known.any():
        valid = known
    stack = None
    weight = None
    if first.face_areas is None:
        stacks = [part.decision_stack or [] for part in parts]
        stack = [lay_out(decisions, False) for decisions in zip(*stacks)]
        votes = VoteTable.from_stack(stack, ~valid, names=first.votes.names)
    else:
        weight = np.concatenate([part.face_areas for part in parts])
        votes = VoteTable.merge([part.votes for part in parts])
    tiles = lay_out([np.full(part.is_valid.shape, number) for number, part in enumerate(parts)], 0)
    return RankingUnits(
        votes=votes,
        scores=scores,
        is_valid=valid,
        tiles=tiles,
        tiles_per_row=1,
        face_areas=weight,
        decision_stack=stack,
        tolerance=first.tolerance,
        tile_side=first.tile_side,
        messages=[],
        existing_truths={
            name: lay_out([part.existing_truths[name] for part in parts], False)
            for name in first.existing_truths
        },
        image_windows=sheet.windows,
    )


def _image_gap(parts: list[RankingUnits]) -> int:
    """Return the number of rows between images so that no tolerance reaches the next image.

    The tolerance of thinned lines, a share of the diagonal, is not known yet and is allowed for.
    """
    first = parts[0]
    if first.face_areas is not None:
        return 1
    reach = max(TOLERANCE_SHARE * math.hypot(*part.is_valid.shape) for part in parts)
    if first.tolerance is not None:
        pixel = min(first.tolerance.pixel_height, first.tolerance.pixel_width)
        reach = max(reach, first.tolerance.distance / pixel)
    return 1 + math.ceil(reach)


def _pixel_units(
    settings: RankingSettings, inputs: RankingSite, grid: Grid, progress: Progress
) -> RankingUnits:
    """Return the pixels of a grid with the decisions and scores of all layers.

    Raises:
        InputError: if the pixels take too much memory, or if none of them is left.
    """
    n_detectors = len(settings.detectors)
    if grid.rows * grid.columns * n_detectors > MAX_NUMERIC_PIXELS:
        raise InputError(
            "{count} detectors on {rows:,} x {columns:,} pixels take too much memory. Choose "
            "larger pixels.",
            count=n_detectors,
            rows=grid.rows,
            columns=grid.columns,
        )
    # A step per layer, and one each for the study area and the training areas.
    n_steps = len(inputs.annotator_names) + n_detectors + len(settings.existing_truths) + 2
    shares = (
        subprogress(progress, step / n_steps, (step + 1) / n_steps) for step in range(n_steps)
    )
    valid = _study_area_pixels(inputs, grid, shares)
    stack = [_annotator_pixels(inputs, name, grid, next(shares)) for name in inputs.annotator_names]
    scores = {
        name: _score_pixels(settings, inputs, name, grid, next(shares))
        for name in settings.detectors
    }
    _set_unknown_scores(inputs, scores)
    if not valid.any():
        raise InputError(_NOTHING_LEFT)
    messages = [
        *ranking_messages.excluded_area_messages(valid, scores),
        *ranking_messages.tolerance_messages(settings[parameters.TOLERANCE], grid),
    ]
    known = ranking_messages.scored_by_all_mask(valid, scores)
    n_counted = int(known.sum())
    if n_counted:
        valid = known
    votes = VoteTable.from_stack(stack, ~valid, names=inputs.annotator_names)
    side = compute_tile_side(settings, inputs, valid.sum() * grid.pixel_width * grid.pixel_height)
    pixel = math.sqrt(grid.pixel_width * grid.pixel_height)
    tile_pixels = max(1, round(side / pixel))
    tolerance = None
    if settings[parameters.TOLERANCE] > 0:
        tolerance = Tolerance(settings[parameters.TOLERANCE], grid.pixel_height, grid.pixel_width)
    made_truths = {
        name: _made_truth_pixels(inputs, name, grid, next(shares))
        for name in settings.existing_truths
    }
    messages.append(_pixel_count_message(n_counted, grid))
    messages += ranking_messages.nothing_found_messages(
        settings, inputs.study_area, votes, scores, valid
    )
    return RankingUnits(
        votes=votes,
        scores=scores,
        is_valid=valid,
        tiles=number_square_tiles(grid.shape, tile_pixels),
        tiles_per_row=-(-grid.columns // tile_pixels),
        face_areas=None,
        decision_stack=stack,
        tolerance=tolerance,
        tile_side=side,
        messages=messages,
        existing_truths=made_truths,
    )


def _study_area_pixels(inputs: RankingSite, grid: Grid, shares: Iterator[Progress]) -> Bools:
    """Return a mask (rows, columns) of the study area without training and ignored areas.

    Raises:
        InputError: if no pixel's centre lies inside the study area.
    """
    if inputs.study_area is None:
        valid = np.ones(grid.shape, dtype=bool)
    else:
        valid = rasterise_mask([inputs.study_area], grid, next(shares))
    if not valid.any():
        raise InputError(
            "No pixel's centre lies inside the study area. Choose smaller pixels or a larger area."
        )
    if inputs.excluded_area is not None:
        valid &= ~rasterise_mask([inputs.excluded_area], grid, next(shares))
    if inputs.ignored_areas is not None:
        valid &= ~rasterise_mask(inputs.ignored_areas.geometry, grid)
    return valid


def _annotator_pixels(inputs: RankingSite, name: str, grid: Grid, progress: Progress) -> Bools:
    """Return a mask (rows, columns) of the pixels that an annotator marked."""
    if name in inputs.marks_by_name:
        return inputs.marks_by_name[name].read_on_grid(grid, progress)
    return rasterise_mask(inputs.annotators[name].geometry, grid, progress)


def _made_truth_pixels(inputs: RankingSite, name: str, grid: Grid, progress: Progress) -> Bools:
    """Return a mask (rows, columns) of the pixels that an existing ground truth marks."""
    if name in inputs.marks_by_name:
        return inputs.marks_by_name[name].read_on_grid(grid, progress)
    return rasterise_mask(inputs.existing_truths[name].geometry, grid, progress)


def _score_pixels(
    settings: RankingSettings, inputs: RankingSite, name: str, grid: Grid, progress: Progress
) -> Floats:
    """Return the scores (rows, columns) of a detector; of polygons the highest in each pixel."""
    snapshot = settings.detectors[name]
    if isinstance(snapshot, RasterSnapshot):
        return read_band(snapshot, settings[parameters.SCORE_BAND], grid, progress)
    crowns, crown_scores = inputs.detections[name]
    return rasterise_maximum(crowns.geometry, crown_scores, grid, progress)


def _exact_units(
    settings: RankingSettings, inputs: RankingSite, progress: Progress
) -> RankingUnits:
    """Return the faces of the overlay of all polygons.

    Raises:
        InputError: if nothing is left of the study area.
    """
    area = inputs.remaining_area
    if inputs.ignored_areas is not None:
        area = shapely.difference(area, shapely.union_all(inputs.ignored_areas.geometry))
    if area.is_empty:
        raise InputError(_NOTHING_LEFT)
    side = compute_tile_side(settings, inputs, area.area)
    # An existing ground truth divides faces like a detector with score 1 for all its polygons.
    truths_as_detections = {
        name: (crowns, np.ones(len(crowns))) for name, crowns in inputs.existing_truths.items()
    }
    detections = {**inputs.detections, **truths_as_detections}
    faces = overlay_detectors(
        {name: crowns.geometry for name, crowns in inputs.annotators.items()},
        {name: (crowns.geometry, scores) for name, (crowns, scores) in detections.items()},
        area,
        side if settings[parameters.BOOTSTRAP_SAMPLES] else None,
        progress,
    )
    made_truths = {name: faces.scores.pop(name) > 0 for name in truths_as_detections}
    _set_unknown_scores(inputs, faces.scores)
    valid = np.ones(len(faces.areas), dtype=bool)
    messages = [
        _exact_area_message(float(area.area)),
        *ranking_messages.nothing_found_messages(
            settings, inputs.study_area, faces.votes, faces.scores, valid
        ),
    ]
    return RankingUnits(
        votes=faces.votes,
        scores=faces.scores,
        is_valid=valid,
        tiles=faces.tiles,
        tiles_per_row=faces.tiles_per_row,
        face_areas=faces.areas,
        decision_stack=None,
        tolerance=None,
        tile_side=side,
        messages=messages,
        existing_truths=made_truths,
    )


def _pixel_count_message(n_pixels: int, grid: Grid) -> Message:
    """Return a message about the number and the size of the counted pixels."""
    return note(
        "ranking.pixels",
        "Areas: {pixels:,} pixels of {width:g} x {height:g} {unit}.",
        pixels=n_pixels,
        width=round(grid.pixel_width, 4),
        height=round(grid.pixel_height, 4),
        unit=grid.working_crs.unit,
    )


def _exact_area_message(area: float) -> Message:
    """Return a message about the exact area that is counted, m²."""
    return note("ranking.exact", "Areas: {area:,.0f} m², overlaid exactly.", area=area)


def _set_unknown_scores(inputs: RankingSite, scores: dict[str, Floats]) -> None:
    """Set the scores of detectors whose polygons all lack a score to NaN, in place.

    A detector without any polygon found nothing and is not changed.
    """
    for name in inputs.detectors_without_score:
        scores[name][:] = math.nan


def compute_counted_area(inputs: RankingSite, units: RankingUnits | None) -> float:
    """Return the area in which units are counted, or without units the crowns, m².

    Args:
        inputs: input of the run.
        units: units of the run; None if areas are not counted.
    """
    if units is not None:
        unit_area = 1.0
        if units.face_areas is None and inputs.grid is not None:
            unit_area = inputs.grid.pixel_width * inputs.grid.pixel_height
        return units.votes.total_weight * unit_area
    if inputs.study_area is None:
        return float(shapely.box(*inputs.bounds).area)
    return float(inputs.remaining_area.area)


def compute_tile_side(settings: RankingSettings, inputs: RankingSite, area: float) -> float:
    """Return the side of a tile, metres.

    By default it is an eighth of the side of a square as large as the study area, and at least the
    diameter of a circle as large as the median crown.

    Args:
        settings: settings of the run.
        inputs: input of the run.
        area: study area, m².
    """
    if settings[parameters.TILE_SIDE] > 0:
        return settings[parameters.TILE_SIDE]
    crown_areas = np.concatenate(
        [np.empty(0), *(shapely.area(crowns.geometry) for crowns in inputs.annotators.values())]
    )
    diameter = 0.0
    if len(crown_areas):
        diameter = math.sqrt(4 * float(np.median(crown_areas)) / math.pi)
    return float(max(math.sqrt(float(area) / _N_TILES), diameter))


def thin_to_lines(
    units: RankingUnits, made: GroundTruths, grid: Grid | None, progress: Progress
) -> tuple[RankingUnits, GroundTruths, list[Message]]:
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
    for (name, truth), share in iterate_with_progress(
        list(made.truths.items()), subprogress(progress, 0.0, 0.3)
    ):
        truths[name] = thin(truth & units.is_valid, share)
    scores = {}
    for (name, score), share in iterate_with_progress(
        list(units.scores.items()), subprogress(progress, 0.3, 1.0)
    ):
        scores[name] = thin_scores(np.where(units.is_valid, score, -np.inf), share)
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
        unit="m" if grid is None else grid.working_crs.unit,
        share=TOLERANCE_SHARE,
    )
    lines = replace(units, scores=scores, tolerance=tolerance)
    return lines, replace(made, truths=truths), [message]


def create_truth_rows(
    units: RankingUnits,
    truths: Mapping[str, Bools],
    grids: Sequence[Grid | None],
    map_polygons: MapPolygons,
    progress: Progress,
) -> list[TruthRow]:
    """Return the polygons of each ground truth, one row per ground truth and image.

    Args:
        units: units of all images.
        truths: True per unit that a ground truth marks, by name.
        grids: pixels of each image, along whose edges polygons run; None to join faces.
        map_polygons: function that converts the polygons to a geometry of the output.
        progress: called with the fraction done.
    """
    images = units.images or ("",)
    rows = []
    for (name, truth), share in iterate_with_progress(list(truths.items()), progress):
        outline_progress = subprogress(share, 0.0, 0.7)
        map_progress = subprogress(share, 0.7, 1.0)
        for image, window, grid in zip(images, units.image_windows, grids):
            marked = truth[window]
            if grid is not None:
                outlines, _ = polygonise_grid(
                    marked.astype(np.uint8), marked, grid, outline_progress
                )
                polygons = shapely.get_parts(outlines)
            else:
                faces = np.arange(len(truth))[window][marked]
                polygons = dissolve_faces(units.votes.faces, outline_progress, faces)  # type: ignore[arg-type]
            area = float(shapely.area(polygons).sum())
            rows.append(TruthRow(name, image, area, map_polygons(polygons, map_progress)))
            free_objects(polygons)
    return rows


def create_truth_table(rows: list[TruthRow], crs: QgsCoordinateReferenceSystem) -> FeatureTable:
    """Return the layer with the ground truths; without the field of the image for one image."""
    frame = pd.DataFrame(rows, columns=list(TruthRow._fields))
    shapes = frame.pop("shape").tolist()
    if not frame["image"].any():
        frame = frame.drop(columns="image")
    return TRUTH_POLYGONS.create_table(frame, shapes, crs)


@dataclass(frozen=True, eq=False)
class RankingSite(StudySite):
    """Study site with the annotators, the detections and, if there are pixels, their grid."""

    #: Settings of the run; of several images, those of this image.
    settings: RankingSettings = None  # type: ignore[assignment]
    #: Crowns of the annotators that are polygon layers, by name.
    annotators: dict[str, Crowns] = field(default_factory=dict)
    #: Marked pixels of annotators and existing ground truths that are rasters, by name.
    marks_by_name: dict[str, ReferenceMask] = field(default_factory=dict)
    #: Crowns and their scores (n,) of each polygon detector, by name.
    detections: dict[str, tuple[Crowns, Floats]] = field(default_factory=dict)
    #: Polygon detectors all of whose scores are missing, so that their detections are unknown.
    detectors_without_score: frozenset[str] = frozenset()
    annotator_names: tuple[str, ...] = ()  #: names of all annotators.
    #: Polygons of the existing ground truths, by name.
    existing_truths: dict[str, Crowns] = field(default_factory=dict)
    #: Areas in which an unmatched detection is neither right nor wrong; None for none.
    ignored_areas: Crowns | None = None
    is_plot: bool = False  #: True if it is one of several plots.

    @property
    def plot_names(self) -> list[str]:
        """Names of the plots of annotators and study area.

        Plots that only detectors have are not among them, as no annotator examined them.
        """
        names: set[Any] = set()
        for crowns in self.annotators.values():
            if crowns.plots is not None:
                names.update(crowns.plots)
        names.discard(None)
        if self.extent_layer is not None:
            names |= self.extent_layer.group_names
        return sorted(names, key=numeric_sort_key)

    def restrict_to_plot(self, plot: str, area: Any) -> RankingSite:
        """Return the input of one plot.

        Args:
            plot: name of the plot.
            area: study area of the plot; None for everywhere.
        """

        def is_inside(crowns: Crowns) -> Bools:
            """Return a mask of the crowns of the plot; all of them if they have no plots."""
            if crowns.plots is None:
                return np.ones(len(crowns), dtype=bool)
            return np.asarray(crowns.plots == plot)

        return replace(
            super().restrict_to_plot(plot, area),
            annotators={
                name: crowns.subset(is_inside(crowns)) for name, crowns in self.annotators.items()
            },
            existing_truths={
                name: crowns.subset(is_inside(crowns))
                for name, crowns in self.existing_truths.items()
            },
            detections={
                name: (crowns.subset(is_inside(crowns)), scores[is_inside(crowns)])
                for name, (crowns, scores) in self.detections.items()
            },
            is_plot=True,
        )

    @property
    def counted_region(self) -> Any:
        """Area in which units are counted, as one geometry; None for everywhere.

        Without a study area and without rasters, or in a plot, it is the rectangle around the
        polygons of all annotators.
        """
        polygons = [crowns.geometry for crowns in self.annotators.values()]
        is_everywhere = (
            not self.settings.counts_areas
            or (self.settings.pixel_rasters and not self.is_plot)
            or not any(len(geometry) for geometry in polygons)
        )
        if self.study_area is not None or is_everywhere:
            return self.study_area
        return shapely.box(*shapely.total_bounds(np.concatenate(polygons)))

    def with_counted_pixels(self) -> RankingSite:
        """Return the input with the area in which units are counted, and its pixels if any."""
        area = self.counted_region
        grid = self.grid
        messages = list(self.site_messages)
        resolution = self.settings[parameters.RESOLUTION]
        if grid is None and resolution > 0 and area is not None:
            grid = Grid.from_bounds(area.bounds, resolution, self.working_crs)
        elif grid is not None and area is not None:
            messages += ranking_messages.area_outside_raster_messages(
                area, grid, next(iter(self.settings.pixel_rasters))
            )
            grid = grid.crop(area.bounds)
        return replace(self, study_area=area, grid=grid, site_messages=messages)

    def counted_crowns_mask(self, crowns: Crowns) -> Bools:
        """Return a mask (n,) of crowns in the study area and outside the training areas."""
        is_inside = is_in_area(crowns, self.study_area)
        if self.excluded_area is None:
            return is_inside
        return is_inside & ~is_in_area(crowns, self.excluded_area)

    def select_counted_points(self, points: Objects) -> Objects:
        """Return those of (n,) points in the study area and outside the training areas."""
        is_counted = np.ones(len(points), dtype=bool)
        if self.study_area is not None:
            is_counted &= shapely.intersects(self.study_area, points)
        if self.excluded_area is not None:
            is_counted &= ~shapely.intersects(self.excluded_area, points)
        counted: Objects = points[is_counted]
        return counted


#: Pixels, or only the datum transformations of the project, that a study site is read with.
_Start = Union[Grid, QgsCoordinateTransformContext]


def read_ranking_site(settings: RankingSettings, progress: Progress) -> RankingSite:
    """Read all polygon layers of a run, and the pixels of its first raster.

    Args:
        settings: settings of the run, or of one of several images.
        progress: called with the fraction done.

    Raises:
        InputError: if no annotator has a usable polygon, or a layer cannot be used.
    """
    start = _start_of_site(settings)
    messages = []
    if isinstance(start, Grid):
        messages += ranking_messages.pixel_messages(
            settings, start, next(iter(settings.pixel_rasters))
        )
    plot_field = settings[parameters.GROUP_FIELD]
    site = read_study_site(
        _layer_requests(settings),
        start,
        settings[parameters.STUDY_AREA],
        settings[parameters.TRAINING_AREAS],
        progress,
        plot_field,
    )
    layers = {layer.crowns.name: layer for layer in site.layers}
    messages += _plot_messages(settings, layers)

    annotators = {name: layers[name].crowns for name in settings.polygon_annotators}
    annotator_field = settings[parameters.ANNOTATOR_FIELD]
    if annotator_field:
        annotators, field_messages = split_by_annotator(
            [layers[name] for name in annotators], annotator_field, settings.reserved_names
        )
        messages += field_messages
    annotator_marks = {
        name: ReferenceMask(raster, settings[MARK_VALUE])
        for name, raster in settings.raster_annotators.items()
    }

    detections = {}
    score_field = settings[parameters.SCORE_FIELD]
    for name in settings.polygon_detectors:
        messages += ranking_messages.merged_score_messages(
            name, layers[name].field_values(score_field)
        )
        detections[name] = (layers[name].crowns, layers[name].field_numbers(score_field))
    if not annotator_marks and not any(len(crowns) for crowns in annotators.values()):
        raise InputError("None of the annotators' layers has a polygon that can be used.")

    ignored = None
    ignored_snapshot = settings[parameters.IGNORED]
    if ignored_snapshot is not None:
        request = LayerRequest(ignored_snapshot, group_field=plot_field)
        ignored_layer = read_crowns(request, site.working_crs)
        ignored = ignored_layer.crowns
        messages += ignored_layer.messages()
    truth_marks = {
        name: ReferenceMask(snapshot)
        for name, snapshot in settings.existing_truths.items()
        if isinstance(snapshot, RasterSnapshot)
    }
    scoreless = frozenset(
        name
        for name in settings.polygon_detectors
        if not len(layers[name].crowns) and layers[name].report.feature_ids(FeatureIssue.NO_SCORE)
    )
    site_fields = {**vars(site), "site_messages": [*site.site_messages, *messages]}
    return RankingSite(
        **site_fields,
        settings=settings,
        annotators=annotators,
        marks_by_name={**annotator_marks, **truth_marks},
        detections=detections,
        detectors_without_score=scoreless,
        annotator_names=tuple(settings.annotators if annotator_marks else annotators),
        existing_truths={
            name: layers[name].crowns
            for name in settings.existing_truths
            if name not in truth_marks
        },
        ignored_areas=ignored,
    )


def _start_of_site(settings: RankingSettings) -> _Start:
    """Return the pixels of the first raster, at the pixel size of the run if it has one.

    Without a raster, the datum transformations of the project are returned.
    """
    if not settings.pixel_rasters:
        return settings.transform_context
    first = next(iter(settings.pixel_rasters.values()))
    grid = Grid.from_raster(first, settings.transform_context)
    if settings[parameters.RESOLUTION] > 0:
        return Grid.from_bounds(grid.bounds, settings[parameters.RESOLUTION], grid.working_crs)
    return grid


def _layer_requests(settings: RankingSettings) -> list[LayerRequest]:
    """Return how to read the polygon layers: annotators, detectors and existing ground truths."""
    plot_field = settings[parameters.GROUP_FIELD]
    polygon_truths = {
        name: snapshot
        for name, snapshot in settings.existing_truths.items()
        if isinstance(snapshot, LayerSnapshot)
    }
    # Names are unique over all roles.
    snapshots = {**settings.polygon_annotators, **settings.polygon_detectors, **polygon_truths}
    has_annotator_field = bool(settings[parameters.ANNOTATOR_FIELD])
    return [
        LayerRequest(
            snapshot,
            name=name,
            group_field=plot_field if snapshot.fields.lookupField(plot_field) >= 0 else "",
            unused_plot_field=settings.unused_plot_field if settings.counts_crowns else "",
            site_field=plot_field,
            score_field=settings[parameters.SCORE_FIELD]
            if name in settings.polygon_detectors
            else "",
            read_all_attributes=has_annotator_field and name in settings.annotators,
        )
        for name, snapshot in snapshots.items()
    ]


def _plot_messages(settings: RankingSettings, layers: Mapping[str, CrownLayer]) -> list[Message]:
    """Return messages about crowns that match across plots, as no plot field is selected."""
    messages = []
    for annotator in settings.polygon_annotators:
        for detector in settings.polygon_detectors:
            message = layers[annotator].unused_plots_message(layers[detector])
            if message is not None:
                messages.append(message)
    return messages
