"""Images in the folder of crowns in map coordinates, which no file of the crowns names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsCsException,
    QgsRectangle,
)

from randcrowns.core.exchange.image_search import has_image_extension
from randcrowns.core.exchange.pixel_frame import usable_geotransform
from randcrowns.layers.crs import create_transform
from randcrowns.layers.local_files import offline_gdal, open_image

#: Number of bands from which a raster is a photo. Others may be heights or numbers of crowns.
_N_COLOUR_BANDS = 3
#: Maximum number of files of a folder that are opened.
_MAX_FILES = 200


@dataclass(frozen=True)
class ImageBeside:
    """An image with a georeference that shows crowns."""

    path: Path  #: File of the image.
    bounds: QgsRectangle  #: Extent in the CRS of the crowns.


def find_images_beside(
    folder: Path,
    extent: QgsRectangle,
    crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> list[ImageBeside]:
    """Return the colour images of a folder that show some crowns, sorted by name.

    Args:
        folder: folder of the crowns; its subfolders are not searched.
        extent: extent of the crowns.
        crs: CRS of the crowns.
        context: datum transformations of the project.
    """
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208  # Path.iterdir raises other errors.
    except (OSError, ValueError):
        return []
    paths = [folder / name for name in names if has_image_extension(name)]
    images = (_read_image(path, crs, context) for path in paths[:_MAX_FILES])
    return [image for image in images if image is not None and image.bounds.intersects(extent)]


def _read_image(
    path: Path, crs: QgsCoordinateReferenceSystem, context: QgsCoordinateTransformContext
) -> ImageBeside | None:
    """Return the image in a file; None if it is no colour image with a georeference.

    Args:
        path: the file.
        crs: CRS of the bounds in the result.
        context: datum transformations of the project.
    """
    with offline_gdal():
        dataset = open_image(path)
        if dataset is None or dataset.RasterCount < _N_COLOUR_BANDS:
            return None
        wkt = dataset.GetProjection()
        geotransform = usable_geotransform(dataset.GetGeoTransform(can_return_null=True))
        n_columns = dataset.RasterXSize
        n_rows = dataset.RasterYSize
    if not wkt or geotransform is None:
        return None
    left, x_per_column, x_per_row, top, y_per_column, y_per_row = geotransform
    corner_columns = np.array([0, n_columns, 0, n_columns])
    corner_rows = np.array([0, 0, n_rows, n_rows])
    x = left + corner_columns * x_per_column + corner_rows * x_per_row
    y = top + corner_columns * y_per_column + corner_rows * y_per_row
    extent = QgsRectangle(float(x.min()), float(y.min()), float(x.max()), float(y.max()))
    image_crs = QgsCoordinateReferenceSystem.fromWkt(wkt)
    try:
        bounds = create_transform(image_crs, crs, context).transformBoundingBox(extent)
    except QgsCsException:
        return None
    return ImageBeside(path, bounds)
