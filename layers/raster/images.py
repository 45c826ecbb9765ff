"""Images that annotation files name: their files, sizes and georeferences."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import shapely
from osgeo import gdal
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.core.errors import InputError
from randcrowns.core.exchange import image_finder
from randcrowns.core.exchange.image_finder import FoundImage
from randcrowns.core.exchange.image_search import has_image_extension
from randcrowns.core.exchange.pixel_frame import PIXEL_GEOTRANSFORM, usable_geotransform
from randcrowns.core.exchange.rle import RleMask
from randcrowns.core.messages import TranslatableText
from randcrowns.layers.local_files import offline_gdal, open_image
from randcrowns.layers.raster.write import polygonise


@dataclass(frozen=True, eq=False)
class AnnotatedImage(FoundImage):
    """Image that annotations refer to, with its CRS as QGIS has it."""

    #: CRS of the image; invalid if it has none.
    crs: QgsCoordinateReferenceSystem = field(default_factory=QgsCoordinateReferenceSystem)
    #: True if a file exists that cannot be read.
    is_unreadable: bool = False

    @classmethod
    def from_file(cls, name: str, path: Path) -> AnnotatedImage:
        """Return the image in a file.

        Args:
            name: name of the image in the annotations.
            path: the file. If it cannot be read as an image, ``is_unreadable`` is set.
        """
        with offline_gdal():
            dataset = open_image(path)
            if dataset is None:
                return cls(name, is_unreadable=True)
            geotransform = usable_geotransform(dataset.GetGeoTransform(can_return_null=True))
            wkt = dataset.GetProjection()
            width = dataset.RasterXSize
            height = dataset.RasterYSize
        crs = QgsCoordinateReferenceSystem.fromWkt(wkt) if wkt else QgsCoordinateReferenceSystem()
        return cls(name, path, width, height, geotransform, crs=crs)


@dataclass(frozen=True)
class Window:
    """Rectangular part of an image, in pixels."""

    #: First column.
    left: int
    #: First row.
    top: int
    #: Number of columns.
    width: int
    #: Number of rows.
    height: int


def write_crop(image: AnnotatedImage, window: Window, path: Path) -> None:
    """Write a part of an image as a GeoTIFF file with the matching georeference.

    Args:
        image: the image.
        window: the part.
        path: the file, which is overwritten.

    Raises:
        InputError: if the image cannot be read or the file cannot be written.
    """
    corner = np.array([[window.left, window.top]], dtype=float)
    left, top = image.to_map(corner)[0]
    geotransform = image.geotransform or PIXEL_GEOTRANSFORM
    _, x_per_column, x_per_row, _, y_per_column, y_per_row = geotransform
    with offline_gdal():
        source = None if image.path is None else open_image(image.path)
        target = None
        if source is not None:
            target = gdal.Translate(
                str(path),
                source,
                format="GTiff",
                srcWin=[window.left, window.top, window.width, window.height],
                outputSRS=image.crs.toWkt() if image.crs.isValid() else None,
                creationOptions=["COMPRESS=DEFLATE", "TILED=YES"],
            )
        if target is None:
            why = gdal.GetLastErrorMsg().rstrip(". ") or TranslatableText("it cannot be read")
            raise InputError(
                "image.not_cut", "Image {image} cannot be cut: {why}.", image=image.name, why=why
            )
        target.SetGeoTransform((left, x_per_column, x_per_row, top, y_per_column, y_per_row))
        target.FlushCache()


class ImageFinder(image_finder.ImageFinder[AnnotatedImage]):
    """Finder of the images that annotation files name, which are opened with GDAL.

    An image that cannot be read has no path, and ``is_unreadable`` is set.

    Args:
        folder: folder that the user selected, which is searched with its subfolders; None without
            one.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__(folder, AnnotatedImage.from_file, AnnotatedImage)


def mask_outline(mask: RleMask) -> shapely.Geometry:
    """Return the outline of a mask along the edges of its pixels.

    Args:
        mask: the mask of one instance.

    Returns:
        (Multi)polygon in pixel coordinates, with holes.
    """
    top, left, pixels = mask.decode_window()
    geotransform = (float(left), 1.0, 0.0, float(top), 0.0, 1.0)
    outlines, _ = polygonise(pixels.view(np.uint8), pixels, geotransform)
    parts = shapely.get_parts(outlines)
    return parts[0] if len(parts) == 1 else shapely.multipolygons(parts)


__all__ = [
    "AnnotatedImage",
    "ImageFinder",
    "Window",
    "has_image_extension",
    "mask_outline",
    "write_crop",
]
