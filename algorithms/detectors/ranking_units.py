"""Reading of the layers of a ranking, and preparation of the units that are ranked.

Units are pixels of a grid or exact faces of the overlaid polygons, with the decisions of the
annotators and the scores of the detectors. Whole crowns are ranked from the same input.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Union

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsGeometry

from randcrowns.algorithms.common_parameters import create_reference_mask
from randcrowns.algorithms.detectors import ranking_messages
from randcrowns.algorithms.detectors.schema import parameters
from randcrowns.algorithms.detectors.schema.outputs import TRUTH_POLYGONS
from randcrowns.algorithms.detectors.schema.parameters import RankingSettings
from randcrowns.algorithms.multiple_images import check_same_crs, merge_messages
from randcrowns.core.agreement.checks import no_usable_polygons_error
from randcrowns.core.agreement.consensus import GroundTruths
from randcrowns.core.agreement.image_stack import ImageStack
from randcrowns.core.agreement.measures import missing_messages
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Objects, free_objects
from randcrowns.core.classes.values import parse_class_groups
from randcrowns.core.comparison import check_annotator_spelling
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.bootstrap import default_tile_side, number_square_tiles
from randcrowns.core.detectors.checks import nothing_left_error
from randcrowns.core.detectors.class_precision import group_ranked_classes
from randcrowns.core.detectors.crown_ranking import is_in_area
from randcrowns.core.detectors.faces import overlay_detectors, remove_uncounted_areas
from randcrowns.core.detectors.thinning import TOLERANCE_SHARE, thin, thin_scores
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.core.detectors.units import RankedUnits
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import dissolve_faces
from randcrowns.core.instances.average_precision import ignored_shares
from randcrowns.core.messages import Message, note
from randcrowns.core.names import numeric_sort_key
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.layers.fields import field_index
from randcrowns.layers.raster.grid import (
    MAX_NUMERIC_PIXELS,
    Grid,
    RasterSnapshot,
    find_common_grid,
    rasterise_mask,
    rasterise_maximum,
    read_band,
)
from randcrowns.layers.raster.masks import (
    ReferenceMask,
    declare_nodata,
    find_void_values_of_scores,
    mark_messages,
)
from randcrowns.layers.raster.void_values import void_messages
from randcrowns.layers.raster.write import polygonise_grid
from randcrowns.layers.vector.geometry import FeatureIssue
from randcrowns.layers.vector.read import (
    CrownLayer,
    LayerRequest,
    LayerSnapshot,
    read_crowns,
    split_by_annotator,
)
from randcrowns.layers.vector.reviewed_areas import read_reviewed_areas
from randcrowns.layers.vector.study_site import StudySite, read_study_site
from randcrowns.layers.vector.tables import FeatureTable

#: Function that converts polygons in working coordinates to a geometry of the output.
MapPolygons = Callable[[Objects, Progress], QgsGeometry]


class TruthRow(NamedTuple):
    """Row of the layer with the ground truths."""

    truth: str  #: name of the ground truth.
    image: str  #: name of the image; "" for a single image.
    area: float  #: area, m².
    shape: QgsGeometry  #: multipolygon in the coordinate reference system of the output.


@dataclass(frozen=True, eq=False)
class RankingUnits(RankedUnits):
    """Units that are ranked in a run, with existing ground truths and messages."""

    tiles_per_row: int = 1  #: number of tiles in a row; tiles are numbered row by row.
    tile_side: float = math.nan  #: side of a tile, metres.
    messages: list[Message] = field(default_factory=list)  #: messages about the units.
    #: Ground truths that exist as layers, on the units.
    existing_truths: GroundTruths = field(default_factory=lambda: GroundTruths({}))


def create_units(sites: Mapping[str, RankingSite], progress: Progress) -> RankingUnits:
    """Return the units of all images: pixels if there is a grid, otherwise exact faces.

    Args:
        sites: input by the name of the image.
        progress: called with the fraction done.

    Raises:
        InputError: if nothing is left to count, if pixels take too much memory, or if the images
            differ in coordinate reference system or pixel size.
    """
    units_by_image = {}
    for (name, site), share in iterate_with_progress(list(sites.items()), progress):
        if site.grid is None:
            units_by_image[name] = _create_face_units(site.settings, site, share)
        else:
            units_by_image[name] = _create_pixel_units(site.settings, site, site.grid, share)
    if len(sites) == 1:
        (only_units,) = units_by_image.values()
        return only_units

    _check_same_pixels(sites)
    units = _stack_images(units_by_image)
    messages_by_image = {}
    for name, image_units in units_by_image.items():
        messages_by_image[name] = image_units.messages
    # Messages with a count of one image are replaced by messages about all images.
    messages = merge_messages(
        messages_by_image,
        "ranking.pixels",
        "ranking.exact",
        *ranking_messages.NOTHING_FOUND_KEYS,
    )
    first_site = next(iter(sites.values()))
    messages += ranking_messages.nothing_found_messages(
        first_site.settings, first_site.study_area, units.votes, units.scores, units.is_valid
    )
    if first_site.grid is None:
        messages.append(_exact_area_message(float(units.votes.total_weight)))
    else:
        messages.append(_pixel_count_message(int(units.is_valid.sum()), first_site.grid))
    return replace(units, messages=messages)


def _check_same_pixels(sites: Mapping[str, RankingSite]) -> None:
    """Check that all images have the same coordinate reference system and pixel size.

    Args:
        sites: input by the name of the image.

    Raises:
        InputError: if coordinate reference systems or pixel sizes differ.
    """
    check_same_crs({image: site.working_crs for image, site in sites.items()})
    pixel_sizes = {
        (site.grid.pixel_width, site.grid.pixel_height)
        for site in sites.values()
        if site.grid is not None
    }
    if len(pixel_sizes) > 1:
        raise InputError(
            "images.different_pixel_sizes",
            "The images have pixels of different sizes. Give a pixel size, or resample the images "
            "to one pixel size.",
        )


def _stack_images(units_by_image: Mapping[str, RankingUnits]) -> RankingUnits:
    """Return the units of several images in one array, in which each image is a tile.

    Pixels of the images are arranged below each other with empty rows between them. Faces of the
    images follow each other.

    Args:
        units_by_image: units of each image by its name, of all images either pixels or faces.

    Returns:
        The units of all images, without messages.
    """
    images = list(units_by_image.values())
    first_image = images[0]
    shapes = [image.is_valid.shape for image in images]
    image_stack = ImageStack(tuple(shapes), _compute_image_gap(images))
    scores = {}
    for detector in first_image.scores:
        image_scores = [image.scores[detector] for image in images]
        scores[detector] = image_stack.assemble(image_scores, -np.inf)

    # Units with a score of every detector are counted; without any of them, all valid units are.
    is_valid = image_stack.assemble([image.is_valid for image in images], fill=False)
    is_scored = ranking_messages.scored_by_all_mask(is_valid, scores)
    if is_scored.any():
        is_valid = is_scored
    image_votes = [image.votes for image in images]
    if first_image.votes.has_pixels:
        face_areas = None
        votes = _stack_votes(image_votes, image_stack, is_valid)
    else:
        face_areas = np.concatenate([image.face_areas for image in images])
        votes = VoteTable.merge(image_votes)

    tile_numbers = [np.full(shape, number) for number, shape in enumerate(shapes)]
    return RankingUnits(
        votes=votes,
        scores=scores,
        is_valid=is_valid,
        tiles=image_stack.assemble(tile_numbers, 0),
        tiles_per_row=1,
        face_areas=face_areas,
        tolerance=first_image.tolerance,
        tile_side=first_image.tile_side,
        messages=[],
        existing_truths=_stack_truths([image.existing_truths for image in images], image_stack),
        windows=dict(zip(units_by_image, image_stack.windows)),
    )


def _stack_votes(
    votes_by_image: list[VoteTable], image_stack: ImageStack, is_valid: Bools
) -> VoteTable:
    """Return the votes on the pixels of all images in one array.

    Args:
        votes_by_image: votes on the pixels of each image.
        image_stack: arrangement of the images in the array.
        is_valid: mask of the pixels that are counted, all of them counted in their images too.
    """
    first_votes = votes_by_image[0]
    decisions = []
    missing = []
    for annotator in range(first_votes.n_annotators):
        image_decisions = [votes.decision_map(annotator) for votes in votes_by_image]
        decisions.append(image_stack.assemble(image_decisions, fill=False))
        image_missing = [votes.missing_map(annotator) for votes in votes_by_image]
        missing.append(image_stack.assemble(image_missing, fill=False))
    return VoteTable.from_stack(decisions, ~is_valid, names=first_votes.names, missing=missing)


def _stack_truths(truths_by_image: list[GroundTruths], image_stack: ImageStack) -> GroundTruths:
    """Return the existing ground truths on the units of all images in one array."""
    stacked = GroundTruths({})
    for name in truths_by_image[0].truths:
        marked = [truths.truths[name] for truths in truths_by_image]
        stacked.truths[name] = image_stack.assemble(marked, fill=False)
        known_masks = [truths.known_mask(name) for truths in truths_by_image]
        is_known = image_stack.assemble(known_masks, fill=True)
        if not is_known.all():
            stacked.known[name] = is_known
    return stacked


def _compute_image_gap(images: list[RankingUnits]) -> int:
    """Return the number of rows between images so that no tolerance reaches the next image.

    The tolerance of thinned lines, a share of the diagonal, is not known yet and is allowed for.
    Faces have no neighbours in the array and need a gap of one row only.

    Args:
        images: units of each image, of all images either pixels or faces.
    """
    first_image = images[0]
    if first_image.face_areas is not None:
        return 1
    reach = max(TOLERANCE_SHARE * math.hypot(*image.is_valid.shape) for image in images)
    if first_image.tolerance is not None:
        pixel = min(first_image.tolerance.pixel_height, first_image.tolerance.pixel_width)
        reach = max(reach, first_image.tolerance.distance / pixel)
    return 1 + math.ceil(reach)


def _create_pixel_units(
    settings: RankingSettings, inputs: RankingSite, grid: Grid, progress: Progress
) -> RankingUnits:
    """Return the pixels of a grid with the decisions and scores of all layers.

    Args:
        settings: settings of the run.
        inputs: layers of the image.
        grid: pixels of the image.
        progress: called with the fraction done.

    Raises:
        InputError: if the pixels take too much memory, or if none of them is left.
    """
    _check_memory(len(settings.detectors), grid)
    layers = _read_layers_on_grid(settings, inputs, grid, progress)
    _set_unknown_scores(inputs, layers.scores)
    is_scored = ranking_messages.scored_by_all_mask(layers.is_valid, layers.scores)
    is_valid = _select_counted_pixels(layers, is_scored)
    votes = VoteTable.from_stack(
        layers.decisions, ~is_valid, names=inputs.annotator_names, missing=layers.missing
    )
    distance = settings[parameters.TOLERANCE]
    messages: list[Message] = []
    messages += ranking_messages.excluded_area_messages(layers.is_valid, layers.scores)
    messages += ranking_messages.tolerance_messages(distance, grid)
    messages += _undeclared_nodata_messages(settings)
    messages += mark_messages(inputs.marks_by_name)
    messages.append(_pixel_count_message(int(is_scored.sum()), grid))
    messages += missing_messages(votes)
    messages += ranking_messages.nothing_found_messages(
        settings, inputs.study_area, votes, layers.scores, is_valid
    )

    counted_area = is_valid.sum() * grid.pixel_width * grid.pixel_height
    tile_side = compute_tile_side(settings, inputs, counted_area)
    pixel_side = math.sqrt(grid.pixel_width * grid.pixel_height)
    tile_pixels = max(1, round(tile_side / pixel_side))
    tolerance = None
    if distance > 0:
        tolerance = Tolerance(distance, grid.pixel_height, grid.pixel_width)
    return RankingUnits(
        votes=votes,
        scores=layers.scores,
        is_valid=is_valid,
        tiles=number_square_tiles(grid.shape, tile_pixels),
        tiles_per_row=math.ceil(grid.columns / tile_pixels),
        face_areas=None,
        tolerance=tolerance,
        tile_side=tile_side,
        messages=messages,
        existing_truths=layers.existing_truths,
    )


def _select_counted_pixels(layers: _GridLayers, is_scored: Bools) -> Bools:
    """Return a mask (rows, columns) of the pixels that are counted.

    They are the pixels with a score of every detector, or without any of them all valid pixels.
    Pixels at which no annotator looked are not counted.

    Args:
        layers: layers of the image on its pixels.
        is_scored: (rows, columns) True for valid pixels with a score of every detector.

    Raises:
        InputError: if no pixel is left.
    """
    is_counted = is_scored if is_scored.any() else layers.is_valid
    if layers.missing is not None:
        nobody_looked = np.logical_and.reduce(layers.missing)
        is_counted = is_counted & ~nobody_looked
    if not is_counted.any():
        raise nothing_left_error()
    return is_counted


def _undeclared_nodata_messages(settings: RankingSettings) -> list[Message]:
    """Return a message per detector's raster with a value for no data that it does not declare."""
    band = settings[parameters.BAND]
    messages: list[Message] = []
    for name, raster in settings.raster_detectors.items():
        has_band = 1 <= band <= raster.n_bands
        if has_band:
            messages += void_messages(name, find_void_values_of_scores(raster, band))
    return messages


def _check_memory(n_detectors: int, grid: Grid) -> None:
    """Raise InputError if the scores of all detectors on the pixels take too much memory."""
    if grid.rows * grid.columns * n_detectors > MAX_NUMERIC_PIXELS:
        raise InputError(
            "ranking.too_much_memory",
            "{count} detectors on {rows:,} x {columns:,} pixels take too much memory. Choose "
            "larger pixels.",
            count=n_detectors,
            rows=grid.rows,
            columns=grid.columns,
        )


class _GridLayers(NamedTuple):
    """Layers of an image as arrays (rows, columns) of the pixels of its grid."""

    is_valid: Bools  #: mask of the study area without training and ignored areas.
    decisions: list[Bools]  #: pixels that each annotator marked.
    #: Pixels at which each annotator did not look; None if everybody looked everywhere.
    missing: list[Bools] | None
    scores: dict[str, Floats]  #: scores of each detector.
    existing_truths: GroundTruths  #: existing ground truths on the pixels.


def _read_layers_on_grid(
    settings: RankingSettings, inputs: RankingSite, grid: Grid, progress: Progress
) -> _GridLayers:
    """Read or rasterise the study area and all layers of an image.

    Args:
        settings: settings of the run.
        inputs: layers of the image.
        grid: pixels of the image.
        progress: called with the fraction done.

    Raises:
        InputError: if no pixel's centre lies inside the study area.
    """
    n_layers = len(inputs.annotator_names) + len(settings.detectors) + len(settings.existing_truths)
    # The study area and the training areas take a step each, before the layers.
    n_steps = n_layers + 2
    is_valid = _rasterise_counted_area(inputs, grid, subprogress(progress, 0.0, 2 / n_steps))
    layer_steps = iter(
        [subprogress(progress, step / n_steps, (step + 1) / n_steps) for step in range(2, n_steps)]
    )

    rasters = inputs.marks_by_name
    decisions = []
    missing = []
    for name in inputs.annotator_names:
        step = next(layer_steps)
        decisions.append(_read_marked_pixels(inputs.annotators, rasters, name, grid, step))
        missing.append(_read_missing_pixels(inputs, name, grid))
    is_any_missing = any((mask & is_valid).any() for mask in missing)

    scores = {}
    for name in settings.detectors:
        scores[name] = _score_pixels(settings, inputs, name, grid, next(layer_steps))

    existing_truths = GroundTruths({})
    for name in settings.existing_truths:
        existing_truths.truths[name] = _read_marked_pixels(
            inputs.existing_truths, rasters, name, grid, next(layer_steps)
        )
        is_known = ~_read_missing_pixels(inputs, name, grid)
        if not is_known.all():
            existing_truths.known[name] = is_known
    return _GridLayers(
        is_valid=is_valid,
        decisions=decisions,
        missing=missing if is_any_missing else None,
        scores=scores,
        existing_truths=existing_truths,
    )


def _rasterise_counted_area(inputs: RankingSite, grid: Grid, progress: Progress) -> Bools:
    """Return a mask (rows, columns) of the study area without training and ignored areas.

    Args:
        inputs: layers of the image.
        grid: pixels of the image.
        progress: called with the fraction done.

    Raises:
        InputError: if no pixel's centre lies inside the study area.
    """
    if inputs.study_area is None:
        is_counted = np.ones(grid.shape, dtype=bool)
    else:
        study_progress = subprogress(progress, 0.0, 0.5)
        is_counted = rasterise_mask([inputs.study_area], grid, study_progress)
    if not is_counted.any():
        raise InputError(
            "study_area.no_pixel_centre",
            "No pixel's centre lies inside the study area. Choose smaller pixels or a larger area.",
        )
    if inputs.excluded_area is not None:
        training_progress = subprogress(progress, 0.5, 1.0)
        is_counted &= ~rasterise_mask([inputs.excluded_area], grid, training_progress)
    if inputs.ignored_areas is not None:
        is_counted &= ~rasterise_mask(inputs.ignored_areas.geometry, grid)
    return is_counted


def _read_marked_pixels(
    polygon_layers: Mapping[str, Crowns],
    rasters: Mapping[str, ReferenceMask],
    name: str,
    grid: Grid,
    progress: Progress,
) -> Bools:
    """Return a mask (rows, columns) of the pixels that a polygon layer or a raster marks.

    Args:
        polygon_layers: polygons by the name of the layer.
        rasters: marked pixels by the name of the raster.
        name: name of the layer or raster.
        grid: pixels of the mask.
        progress: called with the fraction done.
    """
    if name in rasters:
        return rasters[name].read_on_grid(grid, progress)
    return rasterise_mask(polygon_layers[name].geometry, grid, progress)


def _read_missing_pixels(inputs: RankingSite, name: str, grid: Grid) -> Bools:
    """Return a mask (rows, columns) of the pixels at which an annotator did not look.

    Args:
        inputs: layers of the image.
        name: name of the annotator or existing ground truth. Polygons are complete, unless there
            is a reviewed area.
        grid: pixels of the mask.
    """
    is_missing = np.zeros(grid.shape, dtype=bool)
    if name in inputs.marks_by_name:
        is_missing = inputs.marks_by_name[name].read_missing(grid)
    if name in inputs.reviewed_areas:
        is_missing = is_missing | ~rasterise_mask([inputs.reviewed_areas[name]], grid)
    return is_missing


def _score_pixels(
    settings: RankingSettings, inputs: RankingSite, name: str, grid: Grid, progress: Progress
) -> Floats:
    """Return the scores (rows, columns) of a detector.

    A pixel gets the value of the raster, or the highest score of the polygons that cover it.

    Args:
        settings: settings of the run.
        inputs: layers of the image.
        name: name of the detector.
        grid: pixels of the image.
        progress: called with the fraction done.
    """
    snapshot = settings.detectors[name]
    if isinstance(snapshot, RasterSnapshot):
        band = settings[parameters.BAND]
        if 1 <= band <= snapshot.n_bands:
            void_ranges = find_void_values_of_scores(snapshot, band)
            snapshot = declare_nodata(snapshot, band, void_ranges)
        return read_band(snapshot, band, grid, progress)
    crowns, crown_scores = inputs.detections[name]
    return rasterise_maximum(crowns.geometry, crown_scores, grid, progress)


def _create_face_units(
    settings: RankingSettings, inputs: RankingSite, progress: Progress
) -> RankingUnits:
    """Return the faces of the overlay of all polygons, with their decisions and scores.

    Args:
        settings: settings of the run.
        inputs: polygons of the study site.
        progress: called with the fraction done.

    Raises:
        InputError: if nothing is left of the study area.
    """
    area = remove_uncounted_areas(
        inputs.remaining_area,
        inputs.ignored_areas,
        tuple(inputs.annotators),
        inputs.reviewed_areas,
    )
    tile_side = compute_tile_side(settings, inputs, area.area)
    annotator_polygons = {name: crowns.geometry for name, crowns in inputs.annotators.items()}
    scored_polygons = {}
    for name, (crowns, scores) in inputs.detections.items():
        scored_polygons[name] = (crowns.geometry, scores)
    # An existing ground truth divides faces like a detector with score 1 for all its polygons.
    for name, crowns in inputs.existing_truths.items():
        scored_polygons[name] = (crowns.geometry, np.ones(len(crowns)))
    faces = overlay_detectors(
        annotator_polygons,
        scored_polygons,
        area,
        # Without bootstrap samples, faces are not divided by tiles.
        tile_side if settings[parameters.BOOTSTRAP_SAMPLES] else None,
        progress,
        reviewed=inputs.reviewed_areas,
    )
    existing_truths = {name: faces.scores.pop(name) > 0 for name in inputs.existing_truths}
    _set_unknown_scores(inputs, faces.scores)

    is_valid = np.ones(len(faces.areas), dtype=bool)
    messages = [_exact_area_message(float(area.area))]
    messages += missing_messages(faces.votes)
    messages += ranking_messages.nothing_found_messages(
        settings, inputs.study_area, faces.votes, faces.scores, is_valid
    )
    return RankingUnits(
        votes=faces.votes,
        scores=faces.scores,
        is_valid=is_valid,
        tiles=faces.tiles,
        tiles_per_row=faces.tiles_per_row,
        face_areas=faces.areas,
        tolerance=None,
        tile_side=tile_side,
        messages=messages,
        existing_truths=GroundTruths(existing_truths),
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
    """Return the side of a tile, metres; by default see :func:`default_tile_side`.

    Args:
        settings: settings of the run.
        inputs: layers of the study site.
        area: area of the units that are counted, m².
    """
    if settings[parameters.TILE_SIDE] > 0:
        return settings[parameters.TILE_SIDE]
    # The empty array stands for annotators that are all rasters.
    areas_by_annotator = [np.empty(0)]
    areas_by_annotator += [shapely.area(crowns.geometry) for crowns in inputs.annotators.values()]
    return default_tile_side(area, np.concatenate(areas_by_annotator))


def thin_to_lines(
    units: RankingUnits, ground_truths: GroundTruths, grid: Grid | None, progress: Progress
) -> tuple[RankingUnits, GroundTruths, list[Message]]:
    """Thin detections and ground truths to lines of one pixel.

    Args:
        units: pixels with the scores of the detectors.
        ground_truths: ground truths on these pixels.
        grid: the pixels. Without a tolerance, a share of their diagonal is used as tolerance.
        progress: called with the fraction done.

    Returns:
        The units with thinned scores and the tolerance, the thinned ground truths, and a message.
    """
    thinned_truths = {}
    truth_progress = subprogress(progress, 0.0, 0.3)
    for name, share in iterate_with_progress(list(ground_truths.truths), truth_progress):
        valid_truth = ground_truths.truths[name] & units.is_valid
        thinned_truths[name] = thin(valid_truth, share)

    thinned_scores = {}
    score_progress = subprogress(progress, 0.3, 1.0)
    for name, share in iterate_with_progress(list(units.scores), score_progress):
        valid_scores = np.where(units.is_valid, units.scores[name], -np.inf)
        thinned_scores[name] = thin_scores(valid_scores, share)

    tolerance, message = _choose_line_tolerance(units.tolerance, grid)
    line_units = replace(units, scores=thinned_scores, tolerance=tolerance)
    line_truths = replace(ground_truths, truths=thinned_truths)
    return line_units, line_truths, [message]


def _choose_line_tolerance(
    tolerance: Tolerance | None, grid: Grid | None
) -> tuple[Tolerance | None, Message]:
    """Return the tolerance of thinned lines, by default a share of the diagonal, and a message.

    Args:
        tolerance: tolerance of the run; None for the default.
        grid: the pixels; None for units without pixels, which have no default.
    """
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
    distance = 0.0 if tolerance is None else tolerance.distance
    unit = "m" if grid is None else grid.working_crs.unit
    message = note("ranking.lines", text, distance=distance, unit=unit, share=TOLERANCE_SHARE)
    return tolerance, message


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
    windows: dict[str, tuple[slice, ...]] = units.windows or {"": ()}
    rows = []
    for (name, truth), share in iterate_with_progress(list(truths.items()), progress):
        outline_progress = subprogress(share, 0.0, 0.7)
        map_progress = subprogress(share, 0.7, 1.0)
        for (image, window), grid in zip(windows.items(), grids):
            if grid is None:
                polygons = _dissolve_marked_faces(units.votes, truth, window, outline_progress)
            else:
                polygons = _outline_marked_pixels(truth[window], grid, outline_progress)
            area = float(shapely.area(polygons).sum())
            shape = map_polygons(polygons, map_progress)
            rows.append(TruthRow(truth=name, image=image, area=area, shape=shape))
            free_objects(polygons)
    return rows


def _outline_marked_pixels(is_marked: Bools, grid: Grid, progress: Progress) -> Objects:
    """Return the polygons of the marked pixels of an image, along the edges of the pixels.

    Args:
        is_marked: (rows, columns) mask of the marked pixels.
        grid: pixels of the image.
        progress: called with the fraction done.
    """
    outlines, _ = polygonise_grid(is_marked.astype(np.uint8), is_marked, grid, progress)
    polygons: Objects = shapely.get_parts(outlines)
    return polygons


def _dissolve_marked_faces(
    votes: VoteTable, truth: Bools, window: tuple[slice, ...], progress: Progress
) -> Objects:
    """Return the polygons of the marked faces of an image, joined where they touch.

    Args:
        votes: vote table with the faces of all images.
        truth: (F,) True per face that the ground truth marks.
        window: slice of the image's faces.
        progress: called with the fraction done.
    """
    face_numbers = np.arange(len(truth))
    marked_faces = face_numbers[window][truth[window]]
    polygons: Objects = dissolve_faces(votes.faces, progress, marked_faces)  # type: ignore[arg-type]
    return polygons


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
    #: (Multi)polygon that an annotator has reviewed, by name; everywhere for the others.
    reviewed_areas: dict[str, Any] = field(default_factory=dict)
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
            names |= self.extent_layer.plot_names
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

        annotators = {}
        for name, crowns in self.annotators.items():
            annotators[name] = crowns.subset(is_inside(crowns))
        existing_truths = {}
        for name, crowns in self.existing_truths.items():
            existing_truths[name] = crowns.subset(is_inside(crowns))
        detections = {}
        for name, (crowns, scores) in self.detections.items():
            is_in_plot = is_inside(crowns)
            detections[name] = (crowns.subset(is_in_plot), scores[is_in_plot])
        return replace(
            super().restrict_to_plot(plot, area),
            annotators=annotators,
            existing_truths=existing_truths,
            detections=detections,
            is_plot=True,
        )

    @property
    def counted_region(self) -> Any:
        """Area in which units are counted, as one geometry; None for everywhere.

        Without a study area and without rasters, or in a plot, it is the rectangle around the
        polygons of all annotators.
        """
        if self.study_area is not None or not self.settings.counts_areas:
            return self.study_area
        if self.settings.pixel_rasters and not self.is_plot:
            return None
        polygons = [crowns.geometry for crowns in self.annotators.values()]
        has_polygons = any(len(geometry) for geometry in polygons)
        if not has_polygons:
            return None
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

    @cached_property
    def counted_detections(self) -> dict[str, Bools]:
        """Masks (n,) of the crowns of each polygon detector in the study area, by detector."""
        return {
            name: self.counted_crowns_mask(crowns) for name, (crowns, _) in self.detections.items()
        }

    @cached_property
    def shares_on_ignored(self) -> dict[str, Floats] | None:
        """Share (n,) of each detected crown on an ignored area, by detector; None without areas."""
        if self.ignored_areas is None:
            return None
        return {
            name: ignored_shares(self.ignored_areas, crowns)
            for name, (crowns, _) in self.detections.items()
        }

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
    """Read all polygon layers of a run, and the pixels of the raster with the largest ones.

    Args:
        settings: settings of the run, or of one of several images.
        progress: called with the fraction done.

    Raises:
        InputError: if no annotator has a usable polygon, or a layer cannot be used.
    """
    site, messages = _read_polygon_site(settings, progress)
    layers = {layer.crowns.name: layer for layer in site.layers}
    messages += _plot_messages(settings, layers)

    annotators, annotator_messages = _select_annotator_crowns(settings, layers)
    messages += check_annotator_spelling([*annotators, *settings.raster_annotators])
    has_annotator_crowns = any(len(crowns) for crowns in annotators.values())
    if not settings.raster_annotators and not has_annotator_crowns:
        raise no_usable_polygons_error()
    detections, detection_messages = _select_scored_detections(settings, layers)
    ignored_areas, ignored_messages = _read_ignored_areas(settings, site)
    groups = parse_class_groups(settings[parameters.CLASS_GROUPS])
    classed = group_ranked_classes(annotators, detections, groups, ignored_areas)
    annotator_names = tuple(settings.annotators if settings.raster_annotators else annotators)
    reviewed = read_reviewed_areas(
        settings[parameters.REVIEWED],
        settings[parameters.ANNOTATOR_FIELD],
        annotator_names,
        site.working_crs,
    )
    messages += annotator_messages
    messages += detection_messages
    messages += classed.messages
    messages += ignored_messages
    messages += reviewed.messages

    existing_truths = {}
    for name, snapshot in settings.existing_truths.items():
        if not isinstance(snapshot, RasterSnapshot):
            existing_truths[name] = layers[name].crowns
    # The fields of the study site, to which those of a ranking are added.
    site_fields = {**vars(site), "site_messages": [*site.site_messages, *messages]}
    return RankingSite(
        **site_fields,
        settings=settings,
        annotators=classed.annotators,
        marks_by_name=_create_reference_masks(settings),
        detections=classed.detections,
        detectors_without_score=_find_detectors_without_score(settings, layers),
        annotator_names=annotator_names,
        existing_truths=existing_truths,
        ignored_areas=classed.ignored,
        reviewed_areas=reviewed.areas,
    )


def _read_polygon_site(
    settings: RankingSettings, progress: Progress
) -> tuple[StudySite, list[Message]]:
    """Read all polygon layers, the study area and the training areas.

    Args:
        settings: settings of the run, or of one of several images.
        progress: called with the fraction done.

    Returns:
        The study site, with the pixels of the rasters if there are any, and messages about them.
    """
    messages = []
    grid_or_context = _read_first_grid(settings)
    if isinstance(grid_or_context, Grid):
        first_raster = find_common_grid(settings.pixel_rasters, settings.transform_context).raster
        messages += ranking_messages.pixel_messages(settings, grid_or_context, first_raster)
    site = read_study_site(
        _create_layer_requests(settings),
        grid_or_context,
        extent=settings[parameters.STUDY_AREA],
        excluded=settings[parameters.TRAINING],
        progress=progress,
        plot_field=settings[parameters.PLOT_FIELD],
    )
    return site, messages


def _select_annotator_crowns(
    settings: RankingSettings, layers: Mapping[str, CrownLayer]
) -> tuple[dict[str, Crowns], list[Message]]:
    """Return the crowns of annotators that are polygons, by name, and messages about them.

    An annotator is a layer or, with an annotator field, a value of that field.

    Args:
        settings: settings of the run.
        layers: polygon layers by name.
    """
    crowns_by_layer = {name: layers[name].crowns for name in settings.polygon_annotators}
    annotator_field = settings[parameters.ANNOTATOR_FIELD]
    if not annotator_field:
        return crowns_by_layer, []
    return split_by_annotator(
        [layers[name] for name in crowns_by_layer], annotator_field, settings.reserved_names
    )


def _select_scored_detections(
    settings: RankingSettings, layers: Mapping[str, CrownLayer]
) -> tuple[dict[str, tuple[Crowns, Floats]], list[Message]]:
    """Return crowns and scores (n,) of each polygon detector by name, and messages about scores.

    Args:
        settings: settings of the run.
        layers: polygon layers by name.
    """
    detections = {}
    messages = []
    score_field = settings[parameters.SCORE_FIELD]
    for name in settings.polygon_detectors:
        layer = layers[name]
        messages += ranking_messages.merged_score_messages(name, layer.field_values(score_field))
        detections[name] = (layer.crowns, layer.field_numbers(score_field))
    return detections, messages


def _read_ignored_areas(
    settings: RankingSettings, site: StudySite
) -> tuple[Crowns | None, list[Message]]:
    """Read the layer with the areas to ignore, if one is selected.

    Args:
        settings: settings of the run.
        site: study site in whose coordinate reference system the layer is read.

    Returns:
        The areas, or None without a layer, and messages about the layer.
    """
    snapshot = settings[parameters.IGNORED]
    if snapshot is None:
        return None, []
    class_field = settings[parameters.CLASS_FIELD] if settings.counts_crowns else ""
    if field_index(snapshot.fields, class_field) < 0:
        class_field = ""  # areas without the field count for all classes
    request = LayerRequest(
        snapshot, group_field=settings[parameters.PLOT_FIELD], class_field=class_field
    )
    layer = read_crowns(request, site.working_crs)
    return layer.crowns, layer.messages()


def _create_reference_masks(settings: RankingSettings) -> dict[str, ReferenceMask]:
    """Return the marked pixels of annotators and existing ground truths that are rasters."""
    masks = {
        name: create_reference_mask(raster, settings)
        for name, raster in settings.raster_annotators.items()
    }
    for name, snapshot in settings.existing_truths.items():
        if isinstance(snapshot, RasterSnapshot):
            masks[name] = ReferenceMask(snapshot)
    return masks


def _find_detectors_without_score(
    settings: RankingSettings, layers: Mapping[str, CrownLayer]
) -> frozenset[str]:
    """Return the polygon detectors all of whose polygons were skipped for a missing score.

    Args:
        settings: settings of the run.
        layers: polygon layers by name.
    """
    names = set()
    for name in settings.polygon_detectors:
        layer = layers[name]
        if not len(layer.crowns) and layer.report.feature_ids(FeatureIssue.NO_SCORE):
            names.add(name)
    return frozenset(names)


def _read_first_grid(settings: RankingSettings) -> _Start:
    """Return the pixels of the rasters, at the pixel size of the run if it has one.

    Without a raster, the datum transformations of the project are returned.
    """
    if not settings.pixel_rasters:
        return settings.transform_context
    grid = find_common_grid(settings.pixel_rasters, settings.transform_context).grid
    if settings[parameters.RESOLUTION] > 0:
        return Grid.from_bounds(grid.bounds, settings[parameters.RESOLUTION], grid.working_crs)
    return grid


def _create_layer_requests(settings: RankingSettings) -> list[LayerRequest]:
    """Return how to read the polygon layers: annotators, detectors and existing ground truths."""
    plot_field = settings[parameters.PLOT_FIELD]
    polygon_truths = {
        name: snapshot
        for name, snapshot in settings.existing_truths.items()
        if isinstance(snapshot, LayerSnapshot)
    }
    # Names are unique over all roles.
    snapshots = {**settings.polygon_annotators, **settings.polygon_detectors, **polygon_truths}
    has_annotator_field = bool(settings[parameters.ANNOTATOR_FIELD])
    unused_plot_field = settings.unused_plot_field if settings.counts_crowns else ""
    requests = []
    for name, snapshot in snapshots.items():
        has_plot_field = field_index(snapshot.fields, plot_field) >= 0
        is_detector = name in settings.polygon_detectors
        request = LayerRequest(
            snapshot,
            name=name,
            group_field=plot_field if has_plot_field else "",
            unused_plot_field=unused_plot_field,
            site_field=plot_field,
            score_field=settings[parameters.SCORE_FIELD] if is_detector else "",
            read_all_attributes=has_annotator_field and name in settings.annotators,
            class_field=_get_class_field(settings, name),
        )
        requests.append(request)
    return requests


def _get_class_field(settings: RankingSettings, name: str) -> str:
    """Return the class field of a layer; "" if its classes are not compared."""
    if not settings.counts_crowns:
        return ""
    if name in settings.polygon_detectors:
        return settings.detector_class_field
    is_annotator = name in settings.polygon_annotators
    return str(settings[parameters.CLASS_FIELD]) if is_annotator else ""


def _plot_messages(settings: RankingSettings, layers: Mapping[str, CrownLayer]) -> list[Message]:
    """Return messages about crowns that match across plots, as no plot field is selected."""
    messages = []
    for annotator in settings.polygon_annotators:
        for detector in settings.polygon_detectors:
            message = layers[annotator].unused_plots_message(layers[detector])
            if message is not None:
                messages.append(message)
    return messages
