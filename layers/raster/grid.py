"""Rasters: a grid in metres, and bands read onto it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely
from numpy.typing import ArrayLike
from osgeo import gdal, ogr, osr
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsMapLayer,
    QgsMultiBandColorRenderer,
    QgsRasterLayer,
    QgsVectorLayer,
)

from randcrowns.core.arrays import Bools, Floats, Objects, parts_of
from randcrowns.core.errors import Cancelled, InputError
from randcrowns.core.progress import Progress, no_progress, steps
from randcrowns.core.remarks import Said
from randcrowns.layers.crs import WorkingCrs, check_crs, is_defined, system_of

#: Grids with more pixels are refused; and where each has a number and not only a pattern of decisions, as several
#: rasters of them would not fit into memory.
MOST_PIXELS = 500_000_000
MOST_NUMBERS = 100_000_000
#: Shares of a pixel that count as none when a grid is cut.
_SLACK = 1e-6
#: Shares of a pixel by which a raster is read further east and south. A centre on the border of two of its pixels would
#: go to either by rounding, which differs from one part of a grid to the next; so it goes to the eastern, southern one.
_OFF_BORDERS = 1e-6
#: Share of a value by which scaling may have moved it off a user's nodata value.
_ROUNDING = 1e-12


#: Where QGIS shows pixels that lie nowhere: x from the left edge, y from the upper one, upwards.
_NOWHERE = (0.0, 1.0, 0.0, 0.0, 0.0, -1.0)
#: How far from an image's upper left corner pixels without a georeference lie at most.
_FARTHEST = 100_000


def lies_in_pixels(layer: QgsMapLayer) -> bool:
    """Whether a layer is a raster without a georeference, neither a coordinate system nor a size of its pixels.

    Or one of features without a system that lie where pixels of such a raster do.
    """
    if is_defined(system_of(layer)):
        return False
    if isinstance(layer, QgsVectorLayer):
        box = layer.extent()
        ends = (box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum())
        return layer.isValid() and (box.isNull() or max(map(abs, ends)) <= _FARTHEST)
    if not isinstance(layer, QgsRasterLayer) or layer.providerType() != "gdal":
        return False
    opened = opened_raster(layer.source()) if layer.isValid() else None
    if opened is None or opened.GetGCPCount():
        return False
    left, across, turned, top, other, down = (
        opened.GetGeoTransform(can_return_null=True) or _NOWHERE
    )
    near = (
        max(abs(left), abs(top)) <= _FARTHEST
    )  # a part of an image; farther off lies a map that lost its system
    return near and (across, turned, other, down) == (1.0, 0.0, 0.0, -1.0)


def opened_raster(source: str) -> gdal.Dataset | None:
    """What GDAL opens; None where it cannot."""
    try:
        return gdal.Open(source)
    except RuntimeError:  # where GDAL's exceptions are switched on
        return None


@dataclass(frozen=True)
class RasterSnapshot:
    """What is needed of a raster layer; holds no layer, so the layer may be removed meanwhile."""

    name: str
    source: str  #: what GDAL opens.
    #: As set in the layer's properties; an invalid one where its pixels lie nowhere but in the image.
    crs: QgsCoordinateReferenceSystem
    bands: int  #: how many.
    #: Per band the ranges of values that the user declared to be no data.
    nodata: tuple[tuple[tuple[float, float], ...], ...]
    use_nodata: tuple[bool, ...]  #: per band whether the file's own nodata value is heeded.

    @classmethod
    def of(cls, layer: QgsRasterLayer) -> RasterSnapshot:
        """Take the snapshot, on the thread the layer lives on; refused where GDAL cannot read it (a web service)."""
        name, provider = layer.name(), layer.dataProvider()
        if not layer.isValid() or provider is None:
            raise InputError(
                "Raster '{name}' cannot be read; check that its file is still there.", name=name
            )
        if layer.providerType() != "gdal":
            raise InputError(
                "Raster '{name}' is not read from a file; save it as a GeoTIFF and use that.",
                name=name,
            )
        crs = system_of(layer)
        if lies_in_pixels(layer):
            crs = QgsCoordinateReferenceSystem()
        else:
            check_crs(name, crs)
        bands = range(1, layer.bandCount() + 1)
        return cls(
            name=name,
            source=layer.source(),
            crs=crs,
            bands=layer.bandCount(),
            nodata=tuple(
                tuple((r.min(), r.max()) for r in provider.userNoDataValues(band)) for band in bands
            ),
            use_nodata=tuple(bool(provider.useSourceNoDataValue(band)) for band in bands),
        )

    @property
    def in_pixels(self) -> bool:
        """Whether its pixels lie nowhere but in the image: it has no georeference."""
        return not self.crs.isValid()

    def open(self) -> gdal.Dataset:
        """The dataset; an InputError if the file is gone or broken."""
        found = opened_raster(self.source)
        if found is None:
            raise InputError(
                "Raster '{name}' cannot be opened; check that its file is still there.",
                name=self.name,
            )
        return found

    def is_byte(self) -> bool:
        """Whether the first band holds bytes."""
        return self._of_band(1, lambda band: band.DataType == gdal.GDT_Byte)

    def is_complex(self, band: int) -> bool:
        """Whether the band holds complex numbers."""
        return self._of_band(band, lambda found: gdal.DataTypeIsComplex(found.DataType))

    def has_palette(self) -> bool:
        """Whether the values of the first band are numbers of colours in a table, which say nothing of brightness."""
        return self._of_band(1, lambda band: band.GetColorTable() is not None)

    def _of_band(self, number: int, holds: Callable[[gdal.Band], Any]) -> bool:
        opened = self.open()  # a band dies with its file
        return bool(holds(opened.GetRasterBand(number)))


@dataclass(frozen=True)
class Grid:
    """Rows and columns of pixels, northern row first."""

    working: WorkingCrs  #: the coordinate system in metres that the grid and the core work in.
    #: left, top: of the upper left corner, working metres.
    left: float
    top: float
    #: pixel_width, pixel_height: metres.
    pixel_width: float
    pixel_height: float
    #: rows, columns: how many.
    rows: int
    columns: int

    def __post_init__(self) -> None:
        self.check(MOST_PIXELS)

    def check(self, most: int = MOST_NUMBERS) -> None:
        """Refuse more pixels than these."""
        if self.rows * self.columns > most:
            said = (
                "The grid would have {rows:,} x {columns:,} pixels, more than {most:,}; choose a smaller study "
                "area or larger pixels."
            )
            raise InputError(said, rows=self.rows, columns=self.columns, most=most)

    @classmethod
    def of_raster(cls, raster: RasterSnapshot, context: QgsCoordinateTransformContext) -> Grid:
        """The raster's own grid; one of its pixel size where that is turned, or not in metres on the ground."""
        dataset = raster.open()
        size = dataset.RasterXSize, dataset.RasterYSize
        place = dataset.GetGeoTransform(can_return_null=True) or (math.nan,) * 6
        if raster.in_pixels:
            left, _, _, top, _, _ = place if math.isfinite(place[0]) else _NOWHERE
            return cls(WorkingCrs.of_pixels(context), left, top, 1.0, 1.0, size[1], size[0])
        left, across, turned, top, other, down = place
        if not all(map(math.isfinite, place)) or across * down == turned * other:
            said = "Raster '{name}' does not say where its pixels lie; georeference it first."
            raise InputError(said, name=raster.name)
        corners = np.array(
            [[column, row] for column in (0, size[0]) for row in (0, size[1])], dtype=float
        )
        own = corners @ np.array([[across, other], [turned, down]]) + (left, top)
        centre = own.mean(axis=0)
        working = WorkingCrs.for_layer(
            raster.name, raster.crs, (float(centre[0]), float(centre[1])), context
        )
        if working.crs == raster.crs and turned == other == 0 and across > 0 > down:
            metres = working.metres
            return cls(
                working,
                left * metres,
                top * metres,
                across * metres,
                -down * metres,
                size[1],
                size[0],
            )
        placed = working.metres_from(raster.crs, own, raster.name)
        back = working.metres_to(raster.crs, placed, raster.name)
        if not np.abs(back - own).max() < math.hypot(across, other):
            raise InputError(
                "Raster '{name}' covers too much of the earth to be worked on in metres; clip it to the study area "
                "first.",
                name=raster.name,
            )
        diagonal = float(np.hypot(*(placed[0] - placed[-1])))
        pixel = diagonal / math.hypot(*size)
        return cls.covering((*placed.min(axis=0), *placed.max(axis=0)), pixel, working)

    @classmethod
    def covering(cls, bounds: ArrayLike, pixel: float, working: WorkingCrs) -> Grid:
        """Square pixels over xmin, ymin, xmax, ymax in working metres, from the upper left corner on."""
        xmin, ymin, xmax, ymax = (float(value) for value in np.asarray(bounds, dtype=float))
        if not (math.isfinite(pixel) and pixel > 0):
            raise InputError(
                "Pixels of {pixel:g} m cannot be made; give a size above 0.", pixel=pixel
            )
        if not (xmax > xmin and ymax > ymin):
            raise InputError("The study area has no width or no height; choose one with an area.")
        across, down = (xmax - xmin) / pixel, (ymax - ymin) / pixel
        if max(across, down) > MOST_PIXELS:
            said = (
                "With pixels of {pixel:g} m the grid would have {down:.3g} x {across:.3g} of them, more than "
                "{most:,}; choose a smaller study area or larger pixels."
            )
            raise InputError(said, pixel=pixel, down=down, across=across, most=MOST_PIXELS)
        columns, rows = (max(1, math.ceil(length - _SLACK)) for length in (across, down))
        return cls(working, xmin, ymax, float(pixel), float(pixel), rows, columns)

    def within(self, bounds: ArrayLike) -> Grid:
        """The rows and columns of this grid that bounds in working metres touch; an InputError if they touch none."""
        xmin, ymin, xmax, ymax = (float(value) for value in np.asarray(bounds, dtype=float))
        first = max(math.floor((xmin - self.left) / self.pixel_width + _SLACK), 0)
        last = min(math.ceil((xmax - self.left) / self.pixel_width - _SLACK), self.columns)
        upper = max(math.floor((self.top - ymax) / self.pixel_height + _SLACK), 0)
        lower = min(math.ceil((self.top - ymin) / self.pixel_height - _SLACK), self.rows)
        if last <= first or lower <= upper:
            raise InputError(
                "The study area and the raster have no pixel in common; check where both lie."
            )
        left, top = self.left + first * self.pixel_width, self.top - upper * self.pixel_height
        return Grid(
            self.working,
            left,
            top,
            self.pixel_width,
            self.pixel_height,
            lower - upper,
            last - first,
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """xmin, ymin, xmax, ymax, working metres."""
        right = self.left + self.columns * self.pixel_width
        return self.left, self.top - self.rows * self.pixel_height, right, self.top

    def place(self, dataset: gdal.Dataset) -> None:
        """Say of a raster of so many rows and columns where its pixels lie."""
        metres = self.working.metres
        left, width, top, height = (
            x / metres for x in (self.left, self.pixel_width, self.top, self.pixel_height)
        )
        dataset.SetGeoTransform((left, width, 0.0, top, 0.0, -height))
        if not self.working.in_pixels:
            dataset.SetProjection(wkt_of(self.working.crs))

    def same_as(self, other: Grid) -> bool:
        """Whether the pixels of both are the same places."""
        if self.shape != other.shape or self.working.crs != other.working.crs:
            return False
        tolerance = 1e-3 * min(self.pixel_width, self.pixel_height)
        return bool(np.allclose(self.bounds, other.bounds, rtol=0.0, atol=tolerance))


def read_band(
    raster: RasterSnapshot, band: int, grid: Grid, progress: Progress = no_progress
) -> Floats:
    """(rows, columns) values on the grid, each pixel the raster's nearest; NaN where there are no data.

    Values are what the scale and offset of the band (from 1) make of the file's numbers, as on the map: the file's own
    nodata is one of its numbers, a user's are values. A pixel whose centre lies on the border between the raster's
    takes the eastern, southern one, so that a part of the grid is read as the whole is.

    Raises:
        InputError: if there is no such band, or the raster cannot be read there.
    """
    if not 1 <= band <= raster.bands:
        said = "Raster '{name}' has no band {band} (bands: {bands})."
        raise InputError(said, name=raster.name, bands=raster.bands, band=band)
    grid.working.check(raster.name, raster.crs)
    grid.check()
    source = raster.open()
    stored = source.GetRasterBand(band)
    own = stored.GetNoDataValue() if raster.use_nodata[band - 1] else None
    tell, stopped = gdal_progress(progress)
    values = _alike(source, band, raster, grid, own, tell)
    if values is None and not stopped:
        values = _warped(source, band, raster, grid, own, tell)
    if stopped:
        raise stopped[0]
    if values is None:
        why = gdal.GetLastErrorMsg().rstrip(". ") or Said("no reason given")
        raise InputError("Raster '{name}' cannot be read: {why}.", name=raster.name, why=why)
    scale, offset = stored.GetScale(), stored.GetOffset()
    values *= 1.0 if scale is None else scale
    values += 0.0 if offset is None else offset
    for low, high in raster.nodata[band - 1]:
        near = _ROUNDING * np.abs(values)
        values[(values >= low - near) & (values <= high + near)] = np.nan
    progress(1.0)
    return values


def _alike(
    source: gdal.Dataset,
    band: int,
    raster: RasterSnapshot,
    grid: Grid,
    own: float | None,
    tell: Any,
) -> Floats | None:
    """The band where the grid's pixels are the raster's own; None where they are others, or it cannot be read."""
    place = source.GetGeoTransform(can_return_null=True) or (_NOWHERE if raster.in_pixels else None)
    stored = source.GetRasterBand(band)
    if (
        place is None
        or raster.crs != grid.working.crs
        or stored.GetMaskFlags() & gdal.GMF_PER_DATASET
    ):
        return None
    left, across, turned, top, other, down = (grid.working.metres * x for x in place)
    same = np.isclose(
        [across, -down], [grid.pixel_width, grid.pixel_height], rtol=1e-9, atol=0.0
    ).all()
    if not same or turned or other:
        return None
    offset = np.array([(grid.left - left) / across, (top - grid.top) / -down])
    first = np.round(offset).astype(int)
    size = np.array([source.RasterXSize, source.RasterYSize])
    wanted = np.array([grid.columns, grid.rows])
    if (
        np.abs(offset - first).max() > _OFF_BORDERS
        or (first < 0).any()
        or (first + wanted > size).any()
    ):
        return None
    try:
        found = stored.ReadAsArray(*first.tolist(), *wanted.tolist(), callback=tell)
    except RuntimeError:
        return None
    if found is None or np.iscomplexobj(found):
        return None
    values = found.astype(np.float64)
    if own is not None and found.dtype.kind == "f":
        own = float(found.dtype.type(own))
    if own is not None:
        values[values == own] = np.nan
    return values


def _warped(
    source: gdal.Dataset,
    band: int,
    raster: RasterSnapshot,
    grid: Grid,
    own: float | None,
    tell: Any,
) -> Floats | None:
    """The nearest pixel of the band at each of the grid; None where it cannot be read."""
    aside = replace(
        grid,
        left=grid.left + _OFF_BORDERS * grid.pixel_width,
        top=grid.top - _OFF_BORDERS * grid.pixel_height,
    )
    target = empty_raster(aside, np.nan)
    systems = (
        {}
        if raster.in_pixels
        else {"srcSRS": wkt_of(raster.crs), "dstSRS": wkt_of(grid.working.crs)}
    )
    options = {
        **systems,
        "resampleAlg": gdal.GRA_NearestNeighbour,
        "dstNodata": math.nan,
        "callback": tell,
    }
    if own is not None:
        options["srcNodata"] = own
    elif source.GetRasterBand(band).GetNoDataValue() is not None:
        options["srcNodata"] = "None"
    try:
        single = gdal.Translate("", source, format="VRT", bandList=[band])
        if raster.in_pixels:
            single.SetGeoTransform(source.GetGeoTransform(can_return_null=True) or _NOWHERE)
            single.SetProjection("")
        done = gdal.Warp(target, single, **options)
    except RuntimeError:
        done = None
    return np.asarray(target.GetRasterBand(1).ReadAsArray(), dtype=np.float64) if done else None


def gdal_progress(progress: Progress) -> tuple[Callable[[float, str, Any], int], list[Cancelled]]:
    """The callback that tells GDAL's progress, and where it puts the cancel for which it stopped GDAL."""
    stopped: list[Cancelled] = []

    def tell(fraction: float, _message: str, _data: Any) -> int:
        try:
            progress(min(float(fraction), 1.0))  # GDAL counts small rasters beyond it
        except Cancelled as cancelled:
            stopped.append(cancelled)
            return 0
        return 1

    return tell, stopped


def empty_raster(grid: Grid, value: float) -> gdal.Dataset:
    """A raster in memory with one band of this value; NaN stands for no data."""
    grid.check()
    dataset = gdal.GetDriverByName("MEM").Create("", grid.columns, grid.rows, 1, gdal.GDT_Float64)
    grid.place(dataset)
    band = dataset.GetRasterBand(1)
    if math.isnan(value):
        band.SetNoDataValue(math.nan)
    band.Fill(value)
    return dataset


def wkt_of(crs: QgsCoordinateReferenceSystem) -> str:
    """The coordinate system as GDAL reads it."""
    return str(crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED_GDAL))


def colour_bands(layer: QgsRasterLayer) -> tuple[int, int, int] | None:
    """Numbers, from 1, of the bands that the layer shows as red, green and blue.

    The first three where it is drawn in another way; None for an image of fewer than three bands, which is grey.
    """
    if layer.bandCount() < 3:
        return None
    renderer = layer.renderer()
    if isinstance(renderer, QgsMultiBandColorRenderer):
        shown = (renderer.redBand(), renderer.greenBand(), renderer.blueBand())
        if all(1 <= band <= layer.bandCount() for band in shown):
            return shown
    return (1, 2, 3)


# Polygons drawn between two looks at the progress; more where the grid is large, since every drawing passes over it.
_BATCH = 500
_MOST_PIXELS_PASSED = 500_000_000


def inside_polygons(polygons: ArrayLike, grid: Grid, progress: Progress = no_progress) -> Bools:
    """(rows, columns) pixels whose centre lies in any of the polygons (working metres)."""
    shapes = np.asarray(polygons, dtype=object).ravel()
    return np.isfinite(highest_value(shapes, np.zeros(len(shapes)), grid, progress))


def highest_value(
    polygons: ArrayLike, values: ArrayLike, grid: Grid, progress: Progress = no_progress
) -> Floats:
    """(rows, columns) the highest value of the polygons that a pixel's centre lies in; minus infinity without any.

    Args:
        polygons: (n,) polygons in working metres; None and empty ones are passed over.
        values: (n,) a value each; polygons with NaN are passed over.
    """
    shapes = np.asarray(polygons, dtype=object).ravel()
    height = np.asarray(values, dtype=float).ravel()
    target = empty_raster(grid, -np.inf)
    usable = ~(shapely.is_missing(shapes) | shapely.is_empty(shapes) | np.isnan(height))
    rows = np.flatnonzero(usable)
    rows = rows[np.argsort(height[rows], kind="stable")]
    metres = grid.working.metres
    passes = max(1, _MOST_PIXELS_PASSED // (grid.rows * grid.columns))
    batch = max(_BATCH, math.ceil(len(rows) / passes))
    for some, _ in steps(parts_of(rows, batch), progress):
        placed = (
            shapes[some]
            if metres == 1.0
            else shapely.transform(shapes[some], lambda xy: xy / metres)
        )
        _draw(target, placed, height[some])
    return np.asarray(target.GetRasterBand(1).ReadAsArray(), dtype=np.float64)


def _draw(target: gdal.Dataset, polygons: Objects, values: Floats) -> None:
    """Draw the polygons in their order, so that later ones cover earlier ones."""
    driver = gdal.GetDriverByName("Memory") or gdal.GetDriverByName("MEM")
    shapes = driver.Create("", 0, 0, 0, gdal.GDT_Unknown)
    nowhere = osr.SpatialReference(
        'LOCAL_CS["pixels"]'
    )  # without any system GDAL warns with every drawing
    layer = shapes.CreateLayer("polygons", target.GetSpatialRef() or nowhere, ogr.wkbUnknown)
    layer.CreateField(ogr.FieldDefn("value", ogr.OFTReal))
    for wkb, value in zip(shapely.to_wkb(polygons), values):
        _add_polygon(layer, wkb, float(value))
    gdal.RasterizeLayer(target, [1], layer, options=["ATTRIBUTE=value"])
    del layer  # before the dataset it belongs to


def _add_polygon(layer: ogr.Layer, wkb: bytes, value: float) -> None:
    feature = ogr.Feature(layer.GetLayerDefn())  # it dies here, before its layer does
    feature.SetGeometry(ogr.CreateGeometryFromWkb(wkb))
    feature.SetField(0, value)
    layer.CreateFeature(feature)
