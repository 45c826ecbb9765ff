"""Label rasters: images whose pixels hold numbers of crowns, classes, or 1 for crowns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy
import shapely
from osgeo import gdal
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, CoordinateUnit, Image
from randcrowns.core.exchange.pixel_frame import usable_geotransform
from randcrowns.core.messages import Message, note
from randcrowns.layers.local_files import offline_gdal, open_image
from randcrowns.layers.raster.grid import alpha_band, check_n_pixels
from randcrowns.layers.raster.masks import are_compact_labels
from randcrowns.layers.raster.void_values import ValueRange, find_void_numbers, void_messages
from randcrowns.layers.raster.write import polygonise_labels

#: GDAL's types of whole numbers that numbers of crowns have.
_INTEGER_TYPES = (gdal.GDT_Byte, gdal.GDT_UInt16, gdal.GDT_Int16, gdal.GDT_UInt32, gdal.GDT_Int32)
#: Maximum number of pixels of a label raster.
_MAX_PIXELS = 100_000_000
#: Geotransform of pixel coordinates, y downwards, as in annotation files.
_PIXELS = (0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
#: Share of crowns in a mask from which 0 may stand for crowns.
_MOSTLY_MARKED = 0.5


def read_label_raster(path: Path) -> tuple[Annotations, QgsCoordinateReferenceSystem]:
    """Read the crowns of a label raster.

    Numbers that lie close together are numbers of crowns, so that touching crowns stay apart and
    the parts of one crown are one. Scattered numbers are classes: each connected patch of a class
    is a crown, with the class as its label. Pixels of 0 and pixels without data are background.

    Args:
        path: the file.

    Returns:
        The annotations and their CRS. A raster with a georeference gives map coordinates, another
        one pixels of the image of the same name.

    Raises:
        InputError: if the file cannot be read, is too large, or holds no whole numbers in one band.
    """
    with offline_gdal():
        dataset = open_image(path)
        if dataset is None:
            raise InputError(
                "file.damaged_raster",
                "{path} cannot be read; it is damaged, or it is no raster.",
                path=path.name,
            )
        labels, void_ranges = _read_labels(dataset, path)
        n_bands = _count_value_bands(dataset)
        geotransform = usable_geotransform(dataset.GetGeoTransform(can_return_null=True))
        wkt = dataset.GetProjection()

    is_numbered = are_compact_labels(labels)
    crowns = _outline_crowns(labels, is_numbered)
    n_rows, n_columns = labels.shape
    if geotransform is None:
        unit = CoordinateUnit.PIXELS
        image_name = path.name
        shapes = crowns.shapes
    else:
        unit = CoordinateUnit.MAP
        image_name = ""
        map_shapes = shapely.transform(crowns.shapes, lambda xy: _to_map(geotransform, xy))
        shapes = np.asarray(map_shapes, dtype=object)

    messages = [_meaning_message(path.name, is_numbered, len(shapes), crowns.n_values)]
    messages += _band_messages(path.name, n_bands)
    messages += _background_messages(path.name, labels, is_numbered, void_ranges)
    fields = {}
    if crowns.ids is not None:
        fields["id"] = crowns.ids
    image = Image(image_name, width=n_columns, height=n_rows)
    annotations = replace(
        Annotations.from_shapes(shapes, [image], label=crowns.class_labels),
        messages=tuple(messages),
        unit=unit,
        fields=fields,
    )
    crs = QgsCoordinateReferenceSystem()
    if wkt:
        crs = QgsCoordinateReferenceSystem.fromWkt(wkt)
    return annotations, crs


def _count_value_bands(dataset: gdal.Dataset) -> int:
    """Return the number of bands of a dataset without its alpha band."""
    n_alpha_bands = 0 if alpha_band(dataset) is None else 1
    return int(dataset.RasterCount) - n_alpha_bands


class _OutlinedCrowns(NamedTuple):
    """Crowns of a label raster."""

    shapes: Objects  #: (n,) polygons in pixel coordinates, y downwards.
    ids: Objects | None  #: (n,) numbers of the crowns; None for a raster of classes.
    class_labels: Objects | None  #: (n,) classes as texts; None for numbers or a single class.
    n_values: int  #: number of distinct numbers or classes.


def _outline_crowns(labels: Ints, is_numbered: bool) -> _OutlinedCrowns:
    """Outline the crowns of a label raster.

    Args:
        labels: (rows, columns) numbers of the pixels; 0 for the background.
        is_numbered: True if the numbers are those of crowns, False if they are classes, of which
            each connected patch is a crown.
    """
    if is_numbered:
        shapes, crown_numbers = polygonise_labels(labels, _PIXELS)
        ids = np.array(crown_numbers.tolist(), dtype=object)
        return _OutlinedCrowns(
            shapes, ids, class_labels=None, n_values=len(np.unique(crown_numbers))
        )
    patches = _number_patches(labels)
    shapes, patch_numbers = polygonise_labels(patches, _PIXELS)
    classes = _read_patch_classes(labels, patches, patch_numbers)
    n_classes = len(np.unique(classes))
    class_labels = _format_classes(classes) if n_classes > 1 else None
    return _OutlinedCrowns(shapes, ids=None, class_labels=class_labels, n_values=n_classes)


def may_hold_labels(path: Path) -> bool:
    """Return True if a file is a raster with whole numbers in one band, besides an alpha band."""
    with offline_gdal():
        dataset = open_image(path)
        if dataset is None:
            return False
        has_one_band = _count_value_bands(dataset) == 1
        return has_one_band and dataset.GetRasterBand(1).DataType in _INTEGER_TYPES


def _read_patch_classes(classes: Ints, patches: Ints, numbers: Ints) -> Ints:
    """Return the class of each numbered patch.

    Args:
        classes: (rows, columns) class of each pixel.
        patches: (rows, columns) number of the patch of each pixel.
        numbers: (n,) numbers of the patches whose classes are returned.

    Returns:
        (n,) classes.
    """
    # Any pixel of a patch has its class; take the first one.
    patch_numbers, first_pixels = np.unique(patches, return_index=True)
    first_pixel_of_number = first_pixels[np.searchsorted(patch_numbers, numbers)]
    values: Ints = classes.ravel()[first_pixel_of_number]
    return values


class _LabelPixels(NamedTuple):
    """Numbers of the pixels of a label raster."""

    labels: Ints  #: (rows, columns) numbers; 0 for pixels without data.
    #: Values that were taken for no data undeclared.
    void_ranges: tuple[ValueRange, ...]


def _read_labels(dataset: gdal.Dataset, path: Path) -> _LabelPixels:
    """Return the numbers of the pixels of a raster.

    Raises:
        InputError: if the raster is too large, or holds no whole numbers in one band.
    """
    check_n_pixels(dataset.RasterYSize, dataset.RasterXSize, _MAX_PIXELS)
    band = dataset.GetRasterBand(1)
    is_colour = dataset.RasterCount >= 3 or band.GetColorInterpretation() == gdal.GCI_RedBand
    values = band.ReadAsArray()
    if values is not None and not is_colour:
        values, void_ranges = _remove_nodata(values, band)
        opacity = alpha_band(dataset)
        if opacity is not None:
            values[dataset.GetRasterBand(opacity).ReadAsArray() == 0] = 0
        if (values == np.round(values)).all():
            return _LabelPixels(np.asarray(values.astype(np.int64)), void_ranges)
    raise InputError(
        "import.no_labels",
        "{path} is no label raster: its pixels hold colours or fractions, and no numbers of crowns "
        "or classes. Choose a raster of one band with whole numbers.",
        path=path.name,
    )


def _remove_nodata(
    values: np.ndarray, band: gdal.Band
) -> tuple[np.ndarray, tuple[ValueRange, ...]]:
    """Return values as floats, or integers as they are; 0 for pixels without data.

    Args:
        values: (rows, columns) values.
        band: band of the values, which may declare a value for no data.

    Returns:
        The numbers, and the values that were taken for no data undeclared. NaN needs no
        declaration.
    """
    is_integer = values.dtype.kind in "iu"
    numbers = values.copy() if is_integer else values.real.astype(np.float64)
    nodata = band.GetNoDataValue()
    if nodata is not None:
        if values.dtype.kind == "f":
            # GDAL reports a double, which pixels of single precision hold rounded.
            nodata = float(values.dtype.type(nodata))
        numbers[numbers == nodata] = 0
    if not is_integer:
        numbers[np.isnan(numbers)] = 0
    void_ranges = find_void_numbers(np.unique(numbers), values.dtype)
    for low, high in void_ranges:
        numbers[(numbers >= low) & (numbers <= high)] = 0
    return numbers, void_ranges


def _number_patches(labels: Ints) -> Ints:
    """Return the (rows, columns) number of the connected patch of one class; 0 for background.

    The patches are numbered by class, then by their first pixel. All classes are searched at once,
    because a raster may have a class per pixel.

    Args:
        labels: (rows, columns) class of each pixel; 0 for background.
    """
    # A run is a row of neighbouring pixels of one class. Patches are runs that touch.
    is_run_start = np.ones(labels.shape, dtype=bool)
    is_run_start[:, 1:] = labels[:, 1:] != labels[:, :-1]
    run_of_pixel = np.cumsum(is_run_start).reshape(labels.shape) - 1
    class_of_run = labels[is_run_start]
    patch_of_run = _connect_runs(labels, is_run_start, run_of_pixel)

    # Patches of the background keep the number 0; the others are sorted by class and first run.
    _, first_runs = np.unique(patch_of_run, return_index=True)
    class_of_patch = class_of_run[first_runs]
    sorted_patches = np.lexsort((first_runs, class_of_patch))
    numbered_patches = sorted_patches[class_of_patch[sorted_patches] != 0]
    number_of_patch = np.zeros(len(first_runs), dtype=np.int64)
    number_of_patch[numbered_patches] = np.arange(1, len(numbered_patches) + 1)
    number_of_run = number_of_patch[patch_of_run]
    patch_numbers: Ints = number_of_run[run_of_pixel]
    return patch_numbers


def _connect_runs(labels: Ints, is_run_start: Bools, run_of_pixel: Ints) -> Ints:
    """Return the patch (R,) of each run: runs of one class that touch are one patch.

    Args:
        labels: (rows, columns) class of each pixel; 0 for background.
        is_run_start: (rows, columns) True for the first pixel of a run.
        run_of_pixel: (rows, columns) number of each pixel's run, from 0.
    """
    has_same_class_below = (labels[1:] == labels[:-1]) & (labels[1:] != 0)
    # Every pair of runs above each other is found once, where one of them or their contact begins.
    is_contact = has_same_class_below
    is_contact[:, 1:] &= is_run_start[1:, 1:] | is_run_start[:-1, 1:]
    upper_runs = run_of_pixel[:-1][is_contact]
    lower_runs = run_of_pixel[1:][is_contact]
    n_runs = int(is_run_start.sum())
    contacts = scipy.sparse.coo_matrix(
        (np.ones(len(upper_runs), dtype=bool), (upper_runs, lower_runs)), (n_runs, n_runs)
    )
    _, patch_of_run = scipy.sparse.csgraph.connected_components(contacts, directed=False)
    return np.asarray(patch_of_run)


def _to_map(geotransform: tuple[float, ...], xy: Floats) -> Floats:
    """Return (n, 2) map coordinates of (n, 2) pixel coordinates."""
    g0, g1, g2, g3, g4, g5 = geotransform
    x, y = xy.T
    return np.stack([g0 + x * g1 + y * g2, g3 + x * g4 + y * g5], axis=1)


def _format_classes(classes: Ints) -> Objects:
    """Return (n,) classes as texts."""
    return np.array([str(value) for value in classes.tolist()], dtype=object)


def _band_messages(name: str, n_bands: int) -> list[Message]:
    """Return a note if a raster has further bands with values, which are not read."""
    if n_bands < 2:
        return []
    return [
        note(
            "import.labels_first_band",
            "{file} has {count:,} bands. Only the first one was read.",
            file=name,
            count=n_bands,
        )
    ]


def _meaning_message(name: str, is_numbered: bool, n_crowns: int, n_classes: int) -> Message:
    """Return the message about what the numbers of a label raster were taken for.

    Args:
        name: name of the raster.
        is_numbered: True if the numbers are those of crowns.
        n_crowns: number of crowns.
        n_classes: number of classes.
    """
    if is_numbered:
        return note(
            "import.labels_ids",
            "{file}: its numbers were taken for numbers of crowns, {count:,} in all.",
            file=name,
            count=n_crowns,
        )
    return note(
        "import.labels_classes",
        "{file}: its numbers were taken for {classes:,} classes. Pixels of one class that touch "
        "are a crown, {count:,} in all.",
        file=name,
        classes=n_classes,
        count=n_crowns,
    )


def _background_messages(
    name: str, labels: Ints, is_numbered: bool, void_ranges: tuple[ValueRange, ...]
) -> list[Message]:
    """Return notes about values taken for no data, and about a mask that is mostly crowns.

    Args:
        name: name of the raster.
        labels: (rows, columns) numbers of its pixels; 0 for the background.
        is_numbered: True if the numbers are those of crowns.
        void_ranges: values that were taken for no data undeclared.
    """
    messages = void_messages(name, void_ranges)
    share = np.count_nonzero(labels) / max(labels.size, 1)
    is_mask = not is_numbered and len(np.unique(labels[labels != 0])) == 1
    if is_mask and share > _MOSTLY_MARKED:
        messages.append(
            note(
                "import.mostly_crowns",
                "{name}: {share:.0%} of its pixels were taken for crowns. If 0 stands for crowns, "
                "exchange 0 and 1 in the raster.",
                name=name,
                share=share,
            )
        )
    return messages
