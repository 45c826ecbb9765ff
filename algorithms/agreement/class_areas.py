"""Classes of the ground that annotators marked, by polygons or by rasters of classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
import scipy
import shapely

from randcrowns.algorithms.agreement.vote_counting import (
    CountedVotes,
    DrawingSite,
    TileReader,
    grid_of_window,
    pixels_in_tile,
    rasterize_or_index,
    tile_windows,
)
from randcrowns.core.arrays import Bools, Floats, Ints
from randcrowns.core.classes.agreement import ClassRatings
from randcrowns.core.classes.area_classes import (
    UNMARKED_VALUE,
    AreaClassAgreement,
    AreaRatings,
    ClassScale,
    MarkedClasses,
    area_class_agreement,
    classed_layers,
    compare_area_ratings,
    rate_marks,
    rate_pixels,
)
from randcrowns.core.classes.area_consensus import (
    AreaClassConsensus,
    ClassedAreas,
    JointClasses,
    rate_together,
)
from randcrowns.core.classes.consensus import ClassRule
from randcrowns.core.classes.values import NO_CLASS, encode_classes
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.core.statistics import ratio
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.masks import ReferenceMask
from randcrowns.layers.raster.write import polygonise_grid

#: Pattern, or group of classes, of pixels that are not marked.
_NOT_MARKED = -1


def compare_area_classes(
    votes: CountedVotes, options: ClassScale, progress: Progress
) -> AreaClassAgreement:
    """Return the agreement of the annotators on the classes of the ground that they marked.

    Polygons are overlaid exactly. With rasters of classes, all annotators are compared in the
    pixels of the votes.

    Args:
        votes: counted votes of the run.
        options: scale of the classes, and whether unmarked ground is a class.
        progress: called with the fraction done.

    Raises:
        InputError: if a raster cannot be read, or classes on an interval scale are not numbers.
    """
    parts = list(votes.votes_by_image.values()) or [votes]
    unit = votes.drawings.working_crs.unit
    if not votes.drawings.class_rasters.has_classes:
        images = []
        reviewed = []
        for part in parts:
            images.append((part.drawings.crowns, part.drawings.remaining_area))
            reviewed.append(part.drawings.reviewed_areas)
        return area_class_agreement(images, unit, options, reviewed)

    all_names: set[str] = set()
    for part in parts:
        all_names.update(part.drawings.names)
    names = sorted(all_names)
    ratings: list[AreaRatings] = []
    for part, share in iterate_with_progress(parts, progress):
        if part.grid is not None:
            reader = _ClassReader(part.drawings, part.grid, names, options)
            ratings += reader.read_tiles(share)
    return compare_area_ratings(
        ratings, names, unit, scale=options.scale, unit_area=votes.table.unit_weight
    )


@dataclass(frozen=True, eq=False)
class _RatedPixels:
    """Ratings of the marked pixels of an image.

    Attributes:
        rated: the distinct patterns of ratings with the areas that have them.
        pattern: (rows, columns) pattern of each pixel; -1 for pixels that are not marked.
    """

    rated: AreaRatings
    pattern: Ints


def classes_of_pixels(
    votes_of_images: Sequence[CountedVotes],
    marked_of_images: Sequence[Bools],
    names: Sequence[str],
    rule: ClassRule,
    progress: Progress,
) -> AreaClassConsensus:
    """Divide the marked pixels of a consensus by the classes that annotators gave to them.

    The pixels of all images are rated together. Polygons are divided by the pixels whose centres
    they cover; values of rasters of classes are classes.

    Args:
        votes_of_images: votes of each image, in pixels.
        marked_of_images: (rows, columns) marked pixels of each image.
        names: names of the annotators.
        rule: rule by which the ground gets its class.
        progress: called with the fraction done.
    """
    images = []
    votes_and_marks = list(zip(votes_of_images, marked_of_images))
    rate_progress = subprogress(progress, 0.0, 0.7)
    for (votes, marked), share in iterate_with_progress(votes_and_marks, rate_progress):
        images.append(_rate_marked_pixels(votes, marked, names, share))
    joint = rate_together([image.rated for image in images], names, rule)
    classed = []
    for votes, image, rows in zip(votes_of_images, images, joint.rows):
        grid = cast("Grid", votes.grid)
        classed.append(_divide_pixels(grid, image, joint, rows))
    return AreaClassConsensus(classed, joint.confusion, [])


def _rate_marked_pixels(
    votes: CountedVotes, marked: Bools, names: Sequence[str], progress: Progress
) -> _RatedPixels:
    """Return the ratings of the marked pixels of an image.

    Args:
        votes: votes of the image, in pixels.
        marked: (rows, columns) marked pixels.
        names: (R,) names of the annotators.
        progress: called with the fraction of the tiles done.
    """
    grid = cast("Grid", votes.grid)
    reader = _ClassReader(votes.drawings, grid, names, ClassScale())
    number_of_pattern: dict[tuple[int, ...], int] = {}
    pattern_of_pixel = np.full(grid.shape, _NOT_MARKED, dtype=np.int32)
    for window, _ in iterate_with_progress(tile_windows(grid), progress):
        codes, _ = reader.read_tile(window)
        tile_patterns = _number_patterns(codes, number_of_pattern)
        pattern_of_pixel[window] = np.where(marked[window], tile_patterns, _NOT_MARKED)
    marked_patterns = pattern_of_pixel[pattern_of_pixel != _NOT_MARKED]
    n_pixels = np.bincount(marked_patterns, minlength=len(number_of_pattern))
    codes_of_pattern = np.array(list(number_of_pattern), dtype=np.int64).reshape(-1, len(names))
    # The code of a missing rating is -1, so it selects the last label.
    labels = np.array([*reader.labels, None], dtype=object)
    areas = n_pixels * grid.pixel_width * grid.pixel_height
    rated_areas = AreaRatings(ratings=labels[codes_of_pattern], areas=areas)
    return _RatedPixels(rated=rated_areas, pattern=cast("Ints", pattern_of_pixel))


def _number_patterns(codes: Ints, number_of_pattern: dict[tuple[int, ...], int]) -> Ints:
    """Return the number (rows, columns) of the pattern of ratings of each pixel of a tile.

    Args:
        codes: (R, rows, columns) code of each pixel's class by each annotator.
        number_of_pattern: number of each pattern of R codes. Patterns that occur for the first time
            are added in place.
    """
    ratings = ClassRatings.from_stack(codes, codes == NO_CLASS)
    # The labels of a tile are texts of the codes; a missing rating is -1, the last one.
    code_of_label = np.array([*map(int, ratings.labels), NO_CLASS])
    patterns = map(tuple, code_of_label[ratings.codes].tolist())
    numbers = [
        number_of_pattern.setdefault(pattern, len(number_of_pattern)) for pattern in patterns
    ]
    pixel_numbers: Ints = np.array(numbers)[ratings.pattern_index]
    return pixel_numbers.reshape(codes.shape[1:])


def _divide_pixels(
    grid: Grid, image: _RatedPixels, joint: JointClasses, rows: Ints
) -> ClassedAreas:
    """Return the connected areas of pixels of each class.

    Args:
        grid: the pixels.
        image: ratings of the pixels.
        joint: classes of the M patterns of ratings of all images.
        rows: number among these M patterns, of each pattern of the image.
    """
    is_marked = image.pattern != _NOT_MARKED
    # Marked pixels are a list from here: these arrays have one value per marked pixel.
    joint_patterns = rows[image.pattern[is_marked]]
    groups = np.full(grid.shape, _NOT_MARKED, dtype=np.int64)
    groups[is_marked] = joint.group[joint_patterns]
    area_numbers, group_of_area = _label_areas(groups)
    area_rows = area_numbers[is_marked] - 1
    means = {
        measure: _mean_per_area(values[joint_patterns], area_rows, len(group_of_area))
        for measure, values in joint.measures.items()
    }
    polygons, polygon_numbers = polygonise_grid(area_numbers, is_marked, grid)
    table = joint.table(group_of_area, means)
    polygon_rows = np.asarray(polygon_numbers) - 1
    return ClassedAreas(polygons, table.iloc[polygon_rows].reset_index(drop=True))


def _label_areas(groups: Ints) -> tuple[Ints, Ints]:
    """Label the connected areas of pixels of the same group.

    Args:
        groups: (rows, columns) group of each pixel; -1 for pixels that are not marked.

    Returns:
        (rows, columns) number of each pixel's area, from 1, and 0 where it is not marked; and the
        group (A,) of each area.
    """
    area_numbers = np.zeros(groups.shape, dtype=np.int32)
    group_of_area: list[int] = []
    for group in np.unique(groups[groups != _NOT_MARKED]).tolist():
        numbers_in_group, n_areas = scipy.ndimage.label(groups == group)
        is_in_group = numbers_in_group > 0
        area_numbers[is_in_group] = numbers_in_group[is_in_group] + len(group_of_area)
        group_of_area += [group] * n_areas
    return cast("Ints", area_numbers), np.array(group_of_area, dtype=np.int64)


def _mean_per_area(values: Floats, area_rows: Ints, n_areas: int) -> Floats:
    """Return the mean (A,) of the known values of each area; NaN without known values.

    Args:
        values: (P,) values of pixels; NaN if unknown.
        area_rows: (P,) index of each pixel's area.
        n_areas: number A of areas.
    """
    is_known = ~np.isnan(values)
    known_rows = area_rows[is_known]
    totals = np.bincount(known_rows, weights=values[is_known], minlength=n_areas)
    return ratio(totals, np.bincount(known_rows, minlength=n_areas))


class _PolygonsOfClass(NamedTuple):
    """Polygons of one annotator and class on a grid."""

    code: int  #: code of the class; NO_CLASS for polygons without one.
    #: Pixels of the grid inside the polygons, or an index of the polygons.
    drawn: shapely.STRtree | Bools


class _ClassReader:
    """Reader of the classes that annotators gave to the pixels of an image.

    Args:
        drawings: drawings of the annotators.
        grid: the pixels.
        names: (R,) names of the annotators that are rated.
        options: options of the agreement on classes.
    """

    def __init__(
        self,
        drawings: DrawingSite,
        grid: Grid,
        names: Sequence[str],
        options: ClassScale,
    ) -> None:
        class_rasters = drawings.class_rasters
        self._grid = grid
        self._names = names
        #: Reader of the annotators' decisions, and the order of the annotators in them.
        self._decisions = TileReader(drawings, grid)
        self._decision_rows = {name: row for row, name in enumerate(drawings.names)}
        #: (V,) values of the rasters, ascending.
        self._values = class_rasters.values
        #: Rasters of this image whose values are classes, by annotator.
        self._rasters = {}
        for name, raster in drawings.raster_drawings.items():
            # Two rasters with equal content differ, so they are compared by identity.
            if any(raster is class_raster for class_raster in class_rasters.rasters):
                self._rasters[name] = raster

        own_crowns = {name: crowns for name, crowns in drawings.crowns.items() if name in names}
        layers = classed_layers(own_crowns)
        unmarked_label = options.unmarked
        if unmarked_label is not None and not layers:
            unmarked_label = UNMARKED_VALUE
        encoded = encode_classes(
            class_rasters.labels,
            np.array([layer.label for layer in layers], dtype=object),
            np.array([unmarked_label], dtype=object),
        )
        value_codes, layer_codes, unmarked_codes = encoded.codes
        #: Names of the classes.
        self.labels = encoded.labels
        #: (V,) code of the class of each value of the rasters.
        self._value_codes = value_codes
        #: Code of the class of unmarked pixels.
        self._unmarked_code = unmarked_codes[0]
        #: Polygons of each class, by annotator.
        self._polygons: dict[str, list[_PolygonsOfClass]] = {name: [] for name in names}
        for layer, code in zip(layers, layer_codes):
            polygons = rasterize_or_index(layer.polygons, grid)
            self._polygons[layer.annotator].append(_PolygonsOfClass(int(code), polygons))

    def read_tiles(self, progress: Progress) -> list[AreaRatings]:
        """Return the ratings of each tile.

        Args:
            progress: called with the fraction of the tiles done.
        """
        pixel_area = self._grid.pixel_width * self._grid.pixel_height
        ratings = []
        for window, _ in iterate_with_progress(tile_windows(self._grid), progress):
            codes, n_ambiguous = self.read_tile(window)
            rated = rate_pixels(codes, self.labels, pixel_area)
            ratings.append(rated._replace(ambiguous_area=n_ambiguous * pixel_area))
        return ratings

    def read_tile(self, window: tuple[slice, slice]) -> tuple[Ints, int]:
        """Return the codes of a tile, and the number of pixels with several classes.

        Args:
            window: rows and columns of the tile.

        Returns:
            (R, rows, columns) code of each pixel's class by each annotator, NO_CLASS for a missing
            rating; and the number of pixels with several classes by an annotator.
        """
        tile = grid_of_window(self._grid, window)
        _, is_excluded, is_missing = self._decisions.decisions(window)
        codes = np.full((len(self._names), *tile.shape), NO_CLASS)
        is_ambiguous = np.zeros(tile.shape, dtype=bool)
        for row, name in enumerate(self._names):
            is_unrated = is_excluded
            if is_missing is not None and name in self._decision_rows:
                is_unrated = is_excluded | is_missing[self._decision_rows[name]]
            if name in self._rasters:
                codes[row] = self._read_class_codes(self._rasters[name], tile)
            elif self._polygons[name]:
                rated = self._rate_polygons(self._polygons[name], window, tile)
                codes[row] = rated.codes
                is_ambiguous |= rated.is_ambiguous & ~is_unrated
            codes[row][is_unrated] = NO_CLASS
        return codes, int(np.count_nonzero(is_ambiguous))

    def _read_class_codes(self, raster: ReferenceMask, tile: Grid) -> Ints:
        """Return the code (rows, columns) of each pixel's class in a raster of classes.

        Args:
            raster: the raster; 0 stands for unmarked pixels.
            tile: pixels of the tile.
        """
        values = raster.read_labels(tile)
        # 0 is none of the sorted values; its position is replaced by the code of unmarked pixels.
        positions = np.searchsorted(self._values, values).clip(max=len(self._values) - 1)
        codes: Ints = np.where(values == 0, self._unmarked_code, self._value_codes[positions])
        return codes

    def _rate_polygons(
        self, layers: Sequence[_PolygonsOfClass], window: tuple[slice, slice], tile: Grid
    ) -> MarkedClasses:
        """Return the classes of the pixels of a tile by the polygons of one annotator.

        Args:
            layers: polygons of each class.
            window: rows and columns of the tile.
            tile: pixels of the tile.
        """
        is_marked = np.stack([pixels_in_tile(layer.drawn, window, tile) for layer in layers])
        return rate_marks(
            is_marked, np.array([layer.code for layer in layers]), self._unmarked_code
        )
