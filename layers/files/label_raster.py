"""Label rasters: images whose pixels hold numbers of crowns, classes, or 1 for crowns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy.ndimage
import shapely
from osgeo import gdal
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, CoordinateUnit, Image
from randcrowns.core.messages import Message, note
from randcrowns.layers.local_files import offline_gdal, open_image
from randcrowns.layers.raster.grid import check_n_pixels
from randcrowns.layers.raster.masks import are_compact_labels
from randcrowns.layers.raster.write import polygonise_labels

#: Maximum number of pixels of a label raster.
_MAX_PIXELS = 100_000_000
#: Geotransform of pixel coordinates, y downwards, as in annotation files.
_PIXELS = (0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


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
        labels = _read_labels(dataset, path)
        geotransform = dataset.GetGeoTransform(can_return_null=True)
        wkt = dataset.GetProjection()

    is_numbered = are_compact_labels(labels)
    instances = labels if is_numbered else _number_patches(labels)
    shapes, numbers = polygonise_labels(instances, _PIXELS)
    values = numbers if is_numbered else _classes_of_patches(labels, instances, numbers)
    n_classes = len(np.unique(values))

    is_on_map = geotransform is not None
    if is_on_map:
        shapes = np.asarray(
            shapely.transform(shapes, lambda xy: _to_map(geotransform, xy)), dtype=object
        )
    n_rows, n_columns = labels.shape
    image = Image("" if is_on_map else path.name, width=n_columns, height=n_rows)
    has_classes = not is_numbered and n_classes > 1
    annotations = Annotations.from_shapes(
        shapes, [image], label=_labels_of_classes(values) if has_classes else None
    )
    annotations = replace(
        annotations,
        messages=(_meaning_message(path.name, is_numbered, len(shapes), n_classes),),
        unit=CoordinateUnit.MAP if is_on_map else CoordinateUnit.PIXELS,
        fields={"id": np.array(numbers.tolist(), dtype=object)} if is_numbered else {},
    )
    crs = QgsCoordinateReferenceSystem.fromWkt(wkt) if wkt else QgsCoordinateReferenceSystem()
    return annotations, crs


def _classes_of_patches(classes: Ints, patches: Ints, numbers: Ints) -> Ints:
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


def _read_labels(dataset: gdal.Dataset, path: Path) -> Ints:
    """Return the (rows, columns) numbers of a raster; 0 for pixels without data.

    Raises:
        InputError: if the raster is too large, or holds no whole numbers in one band.
    """
    check_n_pixels(dataset.RasterYSize, dataset.RasterXSize, _MAX_PIXELS)
    band = dataset.GetRasterBand(1)
    is_colour = dataset.RasterCount >= 3 or band.GetColorInterpretation() == gdal.GCI_RedBand
    values = band.ReadAsArray()
    if values is not None and not is_colour:
        values = _without_nodata(values, band)
        if (values == np.round(values)).all():
            return np.asarray(values.astype(np.int64))
    raise InputError(
        "import.no_labels",
        "{path} is no label raster: its pixels hold colours or fractions, and no numbers of crowns "
        "or classes. Choose a raster of one band with whole numbers.",
        path=path.name,
    )


def _without_nodata(values: np.ndarray, band: gdal.Band) -> Floats:
    """Return values as floats, with 0 for pixels without data, declared or not."""
    numbers = values.real.astype(np.float64)
    nodata = band.GetNoDataValue()
    if nodata is not None:
        rounded = float(values.dtype.type(nodata)) if values.dtype.kind == "f" else nodata
        numbers[numbers == rounded] = 0.0
    numbers[~np.isfinite(numbers) | (np.abs(numbers) > 1e18) | (numbers < 0)] = 0.0
    return numbers


def _number_patches(labels: Ints) -> Ints:
    """Return the (rows, columns) number of the connected patch of one class; 0 for background."""
    patches = np.zeros(labels.shape, dtype=np.int64)
    n_patches = 0
    for value in np.unique(labels[labels != 0]):
        components, count = scipy.ndimage.label(labels == value)
        is_patch = components > 0
        patches[is_patch] = components[is_patch] + n_patches
        n_patches += count
    return patches


def _to_map(geotransform: tuple[float, ...], xy: Floats) -> Floats:
    """Return (n, 2) map coordinates of (n, 2) pixel coordinates."""
    g0, g1, g2, g3, g4, g5 = geotransform
    x, y = xy.T
    return np.stack([g0 + x * g1 + y * g2, g3 + x * g4 + y * g5], axis=1)


def _labels_of_classes(values: Ints) -> Objects:
    """Return (n,) classes as texts."""
    return np.array([str(value) for value in values.tolist()], dtype=object)


def _meaning_message(name: str, is_numbered: bool, n_crowns: int, n_classes: int) -> Message:
    """Return the message about what the numbers of a label raster were taken for."""
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
