"""Classes of the ground that annotators marked, by polygons or by rasters of classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, cast

import numpy as np
import shapely
from scipy import ndimage

from randcrowns.algorithms.agreement.vote_counting import (
    CountedVotes,
    DrawingSite,
    TileReader,
    grid_of_window,
    pixels_in_tile,
    rasterize_or_index,
    tile_windows,
)
from randcrowns.core.arrays import Bools, Ints
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
        return area_class_agreement(
            [(part.drawings.crowns, part.drawings.remaining_area) for part in parts],
            unit,
            options,
            [part.drawings.reviewed_areas for part in parts],
        )
    names = sorted(set(chain.from_iterable(part.drawings.names for part in parts)))
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
    parts = list(zip(votes_of_images, marked_of_images))
    for (votes, marked), share in iterate_with_progress(parts, subprogress(progress, 0.0, 0.7)):
        images.append(_rate_marked_pixels(votes, marked, names, share))
    joint = rate_together([image.rated for image in images], names, rule)
    classed = []
    for votes, image, rows in zip(votes_of_images, images, joint.rows):
        classed.append(_divide_pixels(cast("Grid", votes.grid), image, joint, rows))
    return AreaClassConsensus(classed, joint.confusion, [])


def _rate_marked_pixels(
    votes: CountedVotes, marked: Bools, names: Sequence[str], progress: Progress
) -> _RatedPixels:
    """Return the ratings of the marked pixels of an image."""
    grid = cast("Grid", votes.grid)
    reader = _ClassReader(votes.drawings, grid, names, ClassScale())
    labels = np.array([*reader.labels, None], dtype=object)
    number_of: dict[tuple[int, ...], int] = {}
    pattern = np.full(grid.shape, -1, dtype=np.int32)
    for window, _ in iterate_with_progress(tile_windows(grid), progress):
        codes, _ = reader.read_tile(window)
        ratings = ClassRatings.from_stack(codes, codes == NO_CLASS)
        # The labels of a tile are texts of the codes; a missing rating is -1, the last one.
        code_of = np.array([*map(int, ratings.labels), NO_CLASS])
        numbers = [
            number_of.setdefault(tuple(row), len(number_of))
            for row in code_of[ratings.codes].tolist()
        ]
        pixel_numbers = np.array(numbers)[ratings.pattern_index].reshape(codes.shape[1:])
        pattern[window] = np.where(marked[window], pixel_numbers, -1)
    n_pixels = np.bincount(pattern[pattern >= 0], minlength=len(number_of))
    patterns = np.array([*number_of], dtype=np.int64).reshape(-1, len(names))
    areas = n_pixels * grid.pixel_width * grid.pixel_height
    return _RatedPixels(AreaRatings(labels[patterns], areas), cast("Ints", pattern))


def _divide_pixels(
    grid: Grid, image: _RatedPixels, joint: JointClasses, rows: Ints
) -> ClassedAreas:
    """Return the connected areas of pixels of each class.

    Args:
        grid: the pixels.
        image: ratings of the pixels.
        joint: classes of the ratings of all images.
        rows: pattern of ratings of each pattern of the image.
    """
    is_marked = image.pattern >= 0
    row_of_pixel = rows[image.pattern[is_marked]]
    group = np.full(grid.shape, -1, dtype=np.int64)
    group[is_marked] = joint.group[row_of_pixel]
    area = np.zeros(grid.shape, dtype=np.int32)
    groups = [np.empty(0, dtype=np.int64)]
    for number in np.unique(group[is_marked]).tolist():
        labelled, n_areas = ndimage.label(group == number)
        is_own = labelled > 0
        area[is_own] = labelled[is_own] + sum(map(len, groups))
        groups.append(np.full(n_areas, number))
    group_of_area = np.concatenate(groups)
    means = {}
    for name, values in joint.measures.items():
        is_known = ~np.isnan(values[row_of_pixel])
        known_areas = area[is_marked][is_known] - 1
        totals = np.bincount(known_areas, values[row_of_pixel][is_known], len(group_of_area))
        means[name] = ratio(totals, np.bincount(known_areas, minlength=len(group_of_area)))
    polygons, numbers = polygonise_grid(area, is_marked, grid)
    table = joint.table(group_of_area, means)
    return ClassedAreas(polygons, table.iloc[np.asarray(numbers) - 1].reset_index(drop=True))


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
        rasters = drawings.class_rasters
        self._grid = grid
        self._names = names
        #: Reader of the annotators' decisions, and the order of the annotators in them.
        self._decisions = TileReader(drawings, grid)
        self._decision_rows = {name: row for row, name in enumerate(drawings.names)}
        self._values = rasters.values
        self._rasters = {
            name: marks
            for name, marks in drawings.raster_drawings.items()
            if any(marks is other for other in rasters.rasters)
        }
        crowns = {
            name: annotator_crowns
            for name, annotator_crowns in drawings.crowns.items()
            if name in names
        }
        layers = classed_layers(crowns)
        unmarked = options.unmarked
        if unmarked is not None and not layers:
            unmarked = UNMARKED_VALUE
        texts = np.array([layer.label for layer in layers], dtype=object)
        encoded = encode_classes(rasters.labels, texts, np.array([unmarked], dtype=object))
        #: Names of the classes, and the code of each value of the rasters.
        self.labels = encoded.labels
        self._value_codes, layer_codes, (self._unmarked_code,) = encoded.codes
        self._polygons: dict[str, list[_PolygonsOfClass]] = {name: [] for name in names}
        for layer, code in zip(layers, layer_codes):
            polygons = _PolygonsOfClass(int(code), rasterize_or_index(layer.polygons, grid))
            self._polygons[layer.annotator].append(polygons)

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
        _, is_excluded, missing = self._decisions.decisions(window)
        codes = np.full((len(self._names), *tile.shape), NO_CLASS)
        is_ambiguous = np.zeros(tile.shape, dtype=bool)
        for own_codes, name in zip(codes, self._names):
            is_unrated = is_excluded
            if missing is not None and name in self._decision_rows:
                is_unrated = is_excluded | missing[self._decision_rows[name]]
            if name in self._rasters:
                own_codes[:] = self._read_raster(self._rasters[name], tile)
            elif self._polygons[name]:
                rated = self._rate_polygons(self._polygons[name], window, tile)
                own_codes[:] = rated.codes
                is_ambiguous |= rated.is_ambiguous & ~is_unrated
            own_codes[is_unrated] = NO_CLASS
        return codes, int(np.count_nonzero(is_ambiguous))

    def _read_raster(self, marks: ReferenceMask, tile: Grid) -> Ints:
        """Return the code of each pixel's class in a raster of classes.

        Args:
            marks: the raster.
            tile: pixels of the tile.
        """
        values = marks.read_labels(tile)
        rows = np.searchsorted(self._values, values).clip(max=len(self._values) - 1)
        codes: Ints = np.where(values == 0, self._unmarked_code, self._value_codes[rows])
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
