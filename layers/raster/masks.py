"""Rasters as reference masks: marked pixels on any grid, or polygons around marked pixels."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple

import numpy as np
import scipy
import shapely
from osgeo import gdal
from qgis.core import QgsCoordinateTransformContext, QgsRasterLayer

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import (
    Grid,
    RasterSnapshot,
    alpha_band,
    count_bands,
    footprint_mask,
    iterate_values,
    open_raster,
    read_band,
)
from randcrowns.layers.raster.void_values import (
    ValueRange,
    exclude_value,
    find_void_numbers,
    find_void_scores,
    two_at_each_end,
    void_messages,
)
from randcrowns.layers.raster.write import polygonise_grid, polygonise_labels, to_metres

#: Maximum side of the central part of a raster that is inspected, pixels.
_INSPECTED_SIZE = 2048


class ValueMeaning(Enum):
    """Meaning of the values of a raster; the value is the key of an option."""

    AUTOMATIC = "automatic"  #: derived from the values.
    IDS = "ids"  #: numbers of instances; each number is a crown of its own.
    CLASSES = "classes"  #: classes; all pixels but 0 are marked.
    THRESHOLD = "threshold"  #: numbers; those of the given value or more are marked.
    ONE_VALUE = "value"  #: only pixels of the given value are marked.
    COLOUR = "colour"  #: only pixels of the given colour are marked.
    DATA = "data"  #: all pixels with data in any band are marked, as in an image.


class ValueFacts(NamedTuple):
    """Facts about the values of a band, without pixels that have no data."""

    n_values: int  #: number of distinct values other than 0, up to :data:`_MOST_VALUES`.
    low: float  #: smallest value; NaN without any.
    high: float  #: largest value; NaN without any.
    has_zero: bool  #: True if a pixel is 0.
    is_whole: bool  #: True if all values are whole numbers.
    marked_share: float  #: share of the pixels with data that are not 0; NaN without any.
    distinct: Floats  #: distinct values; not all of them if they are :data:`_MOST_VALUES` or more.


@dataclass(eq=False)
class ReferenceMask:
    """Marked pixels of a band of a raster."""

    #: The raster.
    raster: RasterSnapshot
    #: Value of marked pixels, or the threshold; 0 in automatic mode for all but 0.
    value: float = 0.0
    #: Meaning of the values.
    meaning: ValueMeaning = ValueMeaning.AUTOMATIC
    #: Number of the band, from 1.
    band: int = 1
    #: Red, green and blue of marked pixels, for ``ValueMeaning.COLOUR``.
    colour: tuple[int, int, int] | None = None
    #: Grid of the last call of :meth:`read_on_grid` and its result.
    _cached: tuple[Grid, Bools] | None = field(default=None, init=False, repr=False)
    #: Pixels without data of the last grid.
    _no_data: Bools | None = field(default=None, init=False, repr=False)

    @classmethod
    def of_area(cls, raster: RasterSnapshot) -> ReferenceMask:
        """Return the pixels of an area that a raster stands for, such as a study area.

        The area of an image is where it has data. The area of other rasters is their marked
        pixels.

        Args:
            raster: the raster.
        """
        return cls(raster, meaning=ValueMeaning.DATA) if is_image(raster) else cls(raster)

    @functools.cached_property
    def void_ranges(self) -> tuple[ValueRange, ...]:
        """Values that stand for no data without being declared."""
        if self.meaning is ValueMeaning.COLOUR:
            return ()
        distinct = self._raw_facts.distinct
        if self.meaning in (ValueMeaning.THRESHOLD, ValueMeaning.DATA):
            return find_void_scores(distinct)
        ranges = find_void_numbers(distinct, self.raster.dtype(self.band))
        return exclude_value(ranges, self.value) if self.value else ranges

    @functools.cached_property
    def _raw_facts(self) -> ValueFacts:
        """Facts about the band, with nodata values that the file does not declare."""
        return _read_facts(self.raster, self.band)

    @functools.cached_property
    def _source(self) -> RasterSnapshot:
        """The raster, with a nodata value that the file does not declare."""
        source = declare_nodata(self.raster, self.band, self.void_ranges)
        if self.meaning is ValueMeaning.DATA:
            for band in range(2, self.raster.n_bands + 1):
                source = declare_nodata(source, band, self.void_ranges)
        return source

    @functools.cached_property
    def facts(self) -> ValueFacts:
        """Facts about the band; all pixels are read."""
        if not self.void_ranges:
            return self._raw_facts
        return _read_facts(self._source, self.band)

    @functools.cached_property
    def used_meaning(self) -> ValueMeaning:
        """The meaning; in automatic mode, that which the values suggest."""
        if self.meaning is not ValueMeaning.AUTOMATIC:
            return self.meaning
        if self.value:
            return ValueMeaning.ONE_VALUE
        facts = self.facts
        if not facts.is_whole and facts.low >= 0 and facts.high <= 1:
            return ValueMeaning.THRESHOLD
        if facts.n_values > 1 and facts.is_whole and _are_compact(self._source, self.band):
            return ValueMeaning.IDS
        return ValueMeaning.CLASSES

    @property
    def threshold(self) -> float:
        """Smallest marked value, if the values are numbers with a threshold."""
        is_default = self.meaning is ValueMeaning.AUTOMATIC and not self.value
        return DEFAULT_THRESHOLD if is_default else self.value

    def read_on_grid(self, grid: Grid, progress: Progress = no_progress) -> Bools:
        """Return a mask of the marked pixels on a grid, by nearest neighbour.

        The result for the last grid is cached.

        Args:
            grid: the grid.
            progress: callback that receives the completed fraction.

        Returns:
            Mask (rows, columns).

        Raises:
            InputError: if the raster cannot be read, or the grid has too many pixels.
        """
        if self._cached is None or self._cached[0] != grid:
            values = self._read_values(grid, progress)
            self._cached = (grid, self._is_marked(values))
            self._no_data = np.isnan(values)
        return self._cached[1]

    def read_marked(self, grid: Grid) -> Bools:
        """Return :meth:`read_on_grid` without keeping the result.

        Args:
            grid: the grid, for example a part of the raster.

        Raises:
            InputError: if the raster cannot be read, or the grid has too many pixels.
        """
        return self._is_marked(self._read_values(grid))

    def read_labels(self, grid: Grid) -> Ints:
        """Return the numbers of the instances on a grid; 0 for pixels that are not marked.

        Args:
            grid: the grid.

        Raises:
            InputError: if the raster cannot be read, or the grid has too many pixels.
        """
        values = self._read_values(grid)
        return np.where(self._is_marked(values), values, 0).astype(np.int64)

    def _read_values(self, grid: Grid, progress: Progress = no_progress) -> Floats:
        """Return the values (rows, columns) on a grid, NaN without data.

        The values of a colour are 1 where it is, else 0. Those of an image are 1 where it has data.

        Args:
            grid: the grid.
            progress: called with the fraction done.
        """
        if self.meaning is ValueMeaning.DATA:
            return self._read_data(grid, progress)
        if self.meaning is not ValueMeaning.COLOUR or self.colour is None:
            return read_band(self._source, self.band, grid, progress)
        is_colour = np.ones(grid.shape, dtype=bool)
        bands = [read_band(self.raster, number, grid) for number in (1, 2, 3)]
        for band, value in zip(bands, self.colour):
            is_colour &= band == value
        return np.where(np.isnan(bands[0]), np.nan, is_colour.astype(float))

    def _read_data(self, grid: Grid, progress: Progress) -> Floats:
        """Return 1 on a grid where any band but that of the opacity has data, otherwise NaN."""
        bands = image_bands(self._source)
        has_data = np.zeros(grid.shape, dtype=bool)
        for number, band in enumerate(bands):
            share = subprogress(progress, number / len(bands), (number + 1) / len(bands))
            has_data |= ~np.isnan(read_band(self._source, band, grid, share))
            if has_data.all():
                break
        return np.where(has_data, 1.0, np.nan)

    def _is_marked(self, values: Floats) -> Bools:
        """Return a mask of the marked values; NaN is never marked."""
        if self.used_meaning is ValueMeaning.ONE_VALUE:
            return np.asarray(values == self.value)
        if self.used_meaning is ValueMeaning.THRESHOLD:
            return np.asarray(values >= self.threshold)
        return np.asarray((values != 0) & ~np.isnan(values))

    @functools.cached_property
    def marks_everything(self) -> bool:
        """True if every pixel with data is marked, so that only 'no data' can mean 'no'."""
        if self.meaning is ValueMeaning.COLOUR:
            return False
        if len(self.facts.distinct) < _MOST_VALUES:
            return bool(self._is_marked(self.facts.distinct).all())
        return all(
            self._is_marked(values).all() for values, _ in iterate_values(self._source, self.band)
        )

    def read_missing(self, grid: Grid) -> Bools:
        """Return a mask of the pixels at which the annotator did not look.

        These are the pixels without data and those outside the raster. If every pixel with data is
        marked, pixels without data stand for unmarked ones, and only those outside are missing.

        Args:
            grid: the grid.

        Returns:
            Mask (rows, columns).

        Raises:
            InputError: if the raster cannot be read, or the grid has too many pixels.
        """
        if self.marks_everything:
            return ~footprint_mask(self.raster, grid)
        self.read_on_grid(grid)
        return np.zeros(grid.shape, dtype=bool) if self._no_data is None else self._no_data

    def own_grid(self, context: QgsCoordinateTransformContext) -> Grid:
        """Return the grid of the raster, see :meth:`Grid.from_raster`.

        Args:
            context: the project's transform context.
        """
        return Grid.from_raster(self.raster, context)

    def polygons(
        self, working: WorkingCrs, progress: Progress = no_progress, grid: Grid | None = None
    ) -> Objects:
        """Return polygons along the edges of marked pixels that share a side, or of each instance.

        Args:
            working: working CRS of the result.
            progress: callback that receives the completed fraction.
            grid: pixels in which the raster is read; its own by default.

        Returns:
            Array (n,) of polygons in working metres.

        Raises:
            InputError: if the raster cannot be read, or only one of the raster and the working CRS
                is in pixel coordinates.
        """
        grid = grid or self.own_grid(working.transform_context)
        if grid.working_crs.in_pixels != working.in_pixels:
            working.check_layer(self.raster.name, self.raster.crs)
            raise InputError(
                "raster.only_one_without_georeference",
                "Raster '{raster}' has no georeference, but other layers have one. Georeference "
                "the raster first.",
                raster=self.raster.name,
            )
        outline_progress = subprogress(progress, 0.4, 1.0)
        if self.used_meaning is ValueMeaning.IDS:
            labels = self.read_labels(grid)
            outlines, _ = polygonise_labels(labels, grid.geotransform, outline_progress)
            outlines = to_metres(outlines, grid)
        else:
            mask = self.read_on_grid(grid, subprogress(progress, 0.0, 0.4))
            outlines, _ = polygonise_grid(mask.view(np.uint8), mask, grid, outline_progress)
        raster_crs = grid.working_crs.crs
        if raster_crs == working.crs or not len(outlines):
            return outlines
        coordinates = grid.working_crs.from_working(raster_crs, shapely.get_coordinates(outlines))
        transformed_outlines: Objects = shapely.set_coordinates(
            outlines, working.to_working(raster_crs, coordinates, self.raster.name)
        )
        return transformed_outlines


#: Values from which numbers between 0 and 1 are marked by default.
DEFAULT_THRESHOLD = 0.5
#: Number of distinct values at which counting stops.
_MOST_VALUES = 100_000
#: Area of the rectangles around the pixels of each value, as a multiple of the marked area, up to
#: which the values are taken for numbers of instances. Classes are scattered and have far more.
_COMPACT_RATIO = 3.0
#: Mean size of these rectangles, as a share of the rectangle around all marked pixels, above which
#: the values are classes.
_MAX_BOX_SHARE = 0.8
#: Maximum side of the central part that is inspected for numbers of instances, pixels.
_LABEL_WINDOW = 4096
#: Share of marked pixels above which a mask may be inverted.
_MOSTLY_MARKED = 0.5


def find_void_values_of_scores(raster: RasterSnapshot, band: int) -> tuple[ValueRange, ...]:
    """Return the undeclared values for no data of a band of scores.

    Args:
        raster: the raster.
        band: number of the band, from 1.
    """
    ends = np.empty(0)
    for values, _ in iterate_values(raster, band):
        ends = two_at_each_end(np.concatenate([ends, two_at_each_end(values)]))
    return find_void_scores(ends)


def declare_nodata(
    raster: RasterSnapshot, band: int, void_ranges: tuple[ValueRange, ...]
) -> RasterSnapshot:
    """Return a raster with further nodata values of a band.

    Args:
        raster: the raster.
        band: number of the band, from 1.
        void_ranges: the values; none return the raster unchanged.
    """
    if not void_ranges:
        return raster
    ranges = list(raster.user_nodata_ranges)
    ranges[band - 1] = (*ranges[band - 1], *void_ranges)
    return replace(raster, user_nodata_ranges=tuple(ranges))


def mark_messages(masks: Mapping[str, ReferenceMask]) -> list[Message]:
    """Return messages about what was taken for marked in rasters with unusual values.

    Args:
        masks: marked pixels of rasters, by the name of the raster.
    """
    messages = []
    for name, mask in masks.items():
        messages += void_messages(name, mask.void_ranges)
        if mask.meaning is ValueMeaning.AUTOMATIC and not mask.value:
            messages += _meaning_messages(name, mask)
        if mask.facts.n_values and mask.marks_everything:
            message = note(
                "marks.everything",
                "Raster '{name}' marks every pixel that has data. Pixels without data inside the "
                "raster are taken as not marked.",
                name=name,
            )
            messages.append(message)
    return messages


def _meaning_messages(name: str, mask: ReferenceMask) -> list[Message]:
    """Return a message about the values of a raster whose meaning was derived from them.

    Args:
        name: name of the raster.
        mask: the raster with the derived meaning of its values.

    Returns:
        One message; [] for a raster of one value that marks less than most of its pixels.
    """
    facts = mask.facts
    if mask.used_meaning is ValueMeaning.IDS:
        message = note(
            "marks.ids",
            "Raster '{name}' holds {count:,} numbers that tell instances apart. Each number is "
            "taken as an object of its own, even if it touches another.",
            name=name,
            count=facts.n_values,
        )
    elif mask.used_meaning is ValueMeaning.THRESHOLD:
        message = note(
            "marks.probabilities",
            "Raster '{name}' holds numbers from {low:g} to {high:g}. Pixels of {threshold:g} "
            "or more are taken as marked.",
            name=name,
            low=facts.low,
            high=facts.high,
            threshold=mask.threshold,
        )
    elif facts.n_values > 1 and mask.raster.has_palette():
        message = note(
            "marks.palette",
            "Raster '{name}' holds {count:,} numbers of colours in a table. All of them but 0 "
            "are taken as marked. To use one colour, give its number as the value of marked "
            "pixels.",
            name=name,
            count=facts.n_values,
        )
    elif facts.n_values > 1:
        message = note(
            "marks.classes",
            "Raster '{name}' holds {count:,} values besides 0, from {low:g} to {high:g}. All "
            "of them are taken as marked.",
            name=name,
            count=facts.n_values,
            low=facts.low,
            high=facts.high,
        )
    elif facts.has_zero and facts.marked_share > _MOSTLY_MARKED:
        message = note(
            "marks.mostly",
            "Raster '{name}' marks {share:.0%} of its pixels. If 0 stands for marked pixels, "
            "use one value, 0.",
            name=name,
            share=facts.marked_share,
        )
    else:
        return []
    return [message]


def _read_facts(raster: RasterSnapshot, band: int) -> ValueFacts:
    """Return facts about the values of a band; all pixels with data are read.

    Args:
        raster: the raster.
        band: number of the band, from 1.

    Raises:
        InputError: if the raster cannot be read.
    """
    distinct_values = np.empty(0)
    low = math.inf
    high = -math.inf
    is_whole = True
    n_pixels = 0
    n_marked = 0
    for values, counts in iterate_values(raster, band):
        if not values.size:
            continue
        n_pixels += int(counts.sum())
        n_marked += int(counts[values != 0].sum())
        low = min(low, float(values.min()))
        high = max(high, float(values.max()))
        is_whole = is_whole and bool((values == np.round(values)).all())
        if len(distinct_values) < _MOST_VALUES:
            distinct_values = np.union1d(distinct_values, values)
        else:
            # Only the ends are still required, to find values that stand for no data.
            distinct_values = np.union1d(distinct_values, two_at_each_end(values))

    marked_share = math.nan
    if n_pixels:
        marked_share = n_marked / n_pixels
    else:
        low = math.nan
        high = math.nan
    return ValueFacts(
        n_values=min(np.count_nonzero(distinct_values), _MOST_VALUES),
        low=low,
        high=high,
        has_zero=bool((distinct_values == 0).any()),
        is_whole=is_whole,
        marked_share=marked_share,
        distinct=distinct_values,
    )


def _are_compact(raster: RasterSnapshot, band: int) -> bool:
    """Return True if the pixels of each value lie close together, as those of an instance do.

    Only the central part of a large raster is inspected.

    Args:
        raster: the raster.
        band: number of the band, from 1.
    """
    dataset = raster.open()
    n_columns = min(dataset.RasterXSize, _LABEL_WINDOW)
    n_rows = min(dataset.RasterYSize, _LABEL_WINDOW)
    first_column = (dataset.RasterXSize - n_columns) // 2
    first_row = (dataset.RasterYSize - n_rows) // 2
    stored_band = dataset.GetRasterBand(band)
    values = stored_band.ReadAsArray(first_column, first_row, n_columns, n_rows)
    is_background = np.zeros(values.shape, dtype=bool)
    nodata = stored_band.GetNoDataValue()
    if nodata is not None:
        is_background = values == nodata
    for low, high in raster.user_nodata_ranges[band - 1]:
        is_background |= (values >= low) & (values <= high)
    if values.dtype.kind == "f":
        is_background |= np.isnan(values)
    return are_compact_labels(np.where(is_background, 0, values))


def are_compact_labels(labels: np.ndarray) -> bool:
    """Return True if the pixels of each number lie close together, as those of an instance do.

    Classes are scattered: the rectangles around their pixels are far larger than they are, or
    nearly as large as the rectangle around all of them. A single number is a class.

    Args:
        labels: (rows, columns) numbers; 0 for the background.
    """
    distinct_labels, label_index = np.unique(labels, return_inverse=True)
    is_number = distinct_labels != 0
    n_numbers = np.count_nonzero(is_number)
    if n_numbers < 2:
        return False
    # The search for boxes requires numbers from 1 to n without gaps.
    ranks = np.where(is_number, np.cumsum(is_number), 0)
    rank_of_pixel = ranks[label_index].reshape(labels.shape)
    box_area = sum(_measure_box(box) for box in scipy.ndimage.find_objects(rank_of_pixel))
    is_marked = rank_of_pixel != 0
    n_marked = np.count_nonzero(is_marked)
    (whole_box,) = scipy.ndimage.find_objects(is_marked.astype(np.uint8))
    mean_share = box_area / n_numbers / _measure_box(whole_box)
    return bool(box_area <= _COMPACT_RATIO * n_marked and mean_share <= _MAX_BOX_SHARE)


def _measure_box(box: tuple[slice, slice]) -> int:
    """Return the number of pixels in a box of rows and columns."""
    rows, columns = box
    return int((rows.stop - rows.start) * (columns.stop - columns.start))


def is_reference_mask(layer: QgsRasterLayer) -> bool:
    """Return True if a raster looks like a reference mask.

    A reference mask has one band. In its central part, it holds 0 or nodata and at most one other
    value.
    """
    is_single_band = count_bands(layer) == 1 and layer.providerType() == "gdal"
    return is_single_band and _is_binary(layer.source())


@functools.lru_cache(maxsize=256)
def _is_binary(source: str) -> bool:
    """Return True if a raster's centre holds unmarked pixels and at most one other value."""
    dataset = open_raster(source)
    if dataset is None:
        return False
    band = dataset.GetRasterBand(1)
    values = np.unique(band.ReadAsArray(*_choose_central_window(dataset)))
    is_unmarked = (values == 0) | np.isnan(values)
    if band.GetNoDataValue() is not None:
        is_unmarked |= values == band.GetNoDataValue()
    for low, high in find_void_numbers(values[~is_unmarked], values.dtype):
        is_unmarked |= (values >= low) & (values <= high)
    return np.count_nonzero(~is_unmarked) <= 1 and bool(is_unmarked.any())


def names_with_other_pixels(
    rasters: Mapping[str, RasterSnapshot], grid: Grid, context: QgsCoordinateTransformContext
) -> list[str]:
    """Return the names of the rasters whose pixels differ from those of a grid.

    Args:
        rasters: rasters by name.
        grid: the grid.
        context: the project's transform context.
    """
    return [
        name
        for name, raster in rasters.items()
        if not Grid.from_raster(raster, context).has_same_pixels(grid)
    ]


def alignment_message(grid: Grid, first: str, others: list[str]) -> Message:
    """Return the message that rasters are resampled to the pixels of one raster.

    Args:
        grid: the grid of the raster.
        first: name of the raster.
        others: names of the rasters that are resampled.
    """
    return note(
        "areas.pixels_aligned",
        "Raster '{first}' sets the pixels ({width:g} x {height:g} {unit}); aligned to them: "
        "{others}.",
        first=first,
        others=others,
        width=round(grid.pixel_width, 4),
        height=round(grid.pixel_height, 4),
        unit=grid.working_crs.unit,
    )


def turned_messages(rasters: Mapping[str, RasterSnapshot], grid: Grid) -> list[Message]:
    """Return a message if the pixels of some rasters are turned against those of a grid.

    Args:
        rasters: rasters by name.
        grid: the grid.
    """
    names = [name for name, raster in rasters.items() if raster.is_turned()]
    if not names:
        return []
    return [
        note(
            "areas.pixels_turned",
            "The pixels of these rasters are turned against the map: {names}. They were read at "
            "the centres of pixels along the map ({width:g} x {height:g} {unit}), so numbers may "
            "differ slightly.",
            names=names,
            width=round(grid.pixel_width, 4),
            height=round(grid.pixel_height, 4),
            unit=grid.working_crs.unit,
        )
    ]


def find_palette_entry(raster: RasterSnapshot, colour: tuple[int, int, int]) -> int | None:
    """Return the number of a colour in the colour table of a raster; None if it is not there.

    Args:
        raster: raster whose first band has a colour table.
        colour: red, green and blue, 0 to 255.
    """
    dataset = raster.open()
    table = dataset.GetRasterBand(1).GetColorTable()
    entries = [table.GetColorEntry(number)[:3] for number in range(table.GetCount())]
    return next((number for number, entry in enumerate(entries) if entry == colour), None)


def first_band_messages(rasters: Mapping[str, RasterSnapshot]) -> list[Message]:
    """Return messages if only the first of several bands is used of some rasters.

    Args:
        rasters: annotators' rasters by name.

    Returns:
        A message for each raster with a band per class, and for each raster with colours; one
        message for all other rasters with several bands.
    """
    messages = []
    names = []
    for name, raster in rasters.items():
        if raster.n_bands < 2:
            continue
        content = find_band_content(raster)
        if content is BandContent.OTHER:
            names.append(name)
        else:
            messages.append(_BAND_MESSAGES[content](name, raster.n_bands))
    if names:
        template = "The first band is used of annotators' rasters with several bands: {names}."
        messages.append(note("input.first_band", template, names=names))
    return messages


def image_bands(raster: RasterSnapshot) -> list[int]:
    """Return the numbers, from 1, of the bands of a raster other than that of the opacity."""
    opacity_band = alpha_band(raster.open())
    return [number for number in range(1, raster.n_bands + 1) if number != opacity_band]


def is_image(raster: RasterSnapshot) -> bool:
    """Return True if a raster is an image: it has several bands, and one of them several values.

    A mask that was saved with several bands holds one value besides 0 in each of them. Only the
    central part of a large raster is inspected.

    Args:
        raster: the raster.
    """
    if raster.n_bands < 2:
        return False
    dataset = raster.open()
    window = _choose_central_window(dataset)
    for number in image_bands(raster):
        values = dataset.GetRasterBand(number).ReadAsArray(*window)
        if len(np.unique(values[values != 0])) > 1:
            return True
    return False


def image_area_message(name: str, n_bands: int) -> Message:
    """Return the message that the area of an image is where it has data."""
    return note(
        "areas.image",
        "Raster '{name}' is an image with {bands} bands. Its area is where it has data: pixels "
        "that are neither no data nor transparent.",
        name=name,
        bands=n_bands,
    )


def _choose_central_window(dataset: gdal.Dataset) -> tuple[int, int, int, int]:
    """Return first column, first row, columns and rows of the part of a raster to inspect."""
    columns = min(dataset.RasterXSize, _INSPECTED_SIZE)
    rows = min(dataset.RasterYSize, _INSPECTED_SIZE)
    left = (dataset.RasterXSize - columns) // 2
    top = (dataset.RasterYSize - rows) // 2
    return left, top, columns, rows


class BandContent(Enum):
    """Content of the bands of a raster with several bands."""

    ONE_HOT = "one_hot"  #: a band per class or object; at most one is marked at each pixel.
    COLOURS = "colours"  #: red, green and blue, perhaps with transparency.
    OTHER = "other"


def find_band_content(raster: RasterSnapshot) -> BandContent:
    """Return what the bands of a raster hold, from the central part of a large one.

    Args:
        raster: raster with at least two bands.
    """
    dataset = raster.open()
    is_coloured = False
    if raster.n_bands >= 3:
        first_bands = [dataset.GetRasterBand(number) for number in (1, 2, 3)]
        interpretations = [band.GetColorInterpretation() for band in first_bands]
        is_coloured = interpretations == [gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand]

    highest_code = _find_one_hot_code(dataset, raster.n_bands)
    # GDAL takes three bands of bytes for colours, but colours have larger values than 1.
    if highest_code is not None and not (is_coloured and highest_code > 1):
        return BandContent.ONE_HOT
    return BandContent.COLOURS if is_coloured else BandContent.OTHER


def _find_one_hot_code(dataset: gdal.Dataset, n_bands: int) -> float | None:
    """Return the highest value by which the bands of a raster mark pixels, if it is one-hot.

    A raster is one-hot if each band has at most one value besides 0, at most one band marks a
    pixel, and at least one pixel is marked. Only the central part of a large raster is read.

    Args:
        dataset: the raster.
        n_bands: number of bands to read, from the first one.

    Returns:
        The highest value of the bands, at least 0; None if the raster is not one-hot.
    """
    window = _choose_central_window(dataset)
    _, _, n_columns, n_rows = window
    n_marking_bands = np.zeros((n_rows, n_columns), dtype=np.int32)
    highest_value = 0.0
    for number in range(1, n_bands + 1):
        values = dataset.GetRasterBand(number).ReadAsArray(*window)
        is_marked = values != 0
        marked_values = np.unique(values[is_marked])
        if len(marked_values) > 1:
            return None
        highest_value = max(highest_value, float(marked_values.max(initial=0.0)))
        n_marking_bands += is_marked
    is_one_hot = n_marking_bands.max(initial=0) == 1
    return highest_value if is_one_hot else None


def _one_hot_message(name: str, n_bands: int) -> Message:
    """Return the note that only the first of several bands of classes is used."""
    return note(
        "marks.one_hot",
        "Raster '{name}' has {bands} bands of which at most one is marked at each pixel, a band "
        "per class or object. Only band 1 is taken. Choose another band, or merge the bands to one "
        "with a number per class.",
        name=name,
        bands=n_bands,
    )


def _colours_message(name: str, _n_bands: int) -> Message:
    """Return the note that only the red of a picture is used."""
    return note(
        "marks.colours",
        "Raster '{name}' is a picture of colours (red, green, blue). Only its red is taken: pixels "
        "with any red are marked. If a colour marks the objects, choose 'Colour' as the values of "
        "rasters.",
        name=name,
    )


_BAND_MESSAGES: dict[BandContent, Callable[[str, int], Message]] = {
    BandContent.ONE_HOT: _one_hot_message,
    BandContent.COLOURS: _colours_message,
}
