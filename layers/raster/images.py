"""Images that annotation files name: their files, sizes and georeferences."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import shapely
from osgeo import gdal
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.exif import UPRIGHT, read_orientation
from randcrowns.core.exchange.image_search import ImageSearch, has_image_extension
from randcrowns.core.exchange.pixel_frame import PIXEL_GEOTRANSFORM, PixelFrame
from randcrowns.core.exchange.rle import RleMask
from randcrowns.core.messages import TranslatableText
from randcrowns.layers.local_files import offline_gdal, open_image
from randcrowns.layers.raster.write import polygonise


@dataclass(frozen=True, eq=False)
class AnnotatedImage(PixelFrame):
    """Image that annotations refer to; its file may be missing."""

    #: Name of the image in the annotations.
    name: str
    #: File of the image; None if it is missing or unreadable.
    path: Path | None = None
    #: Width of the upright image in pixels; 0 if unknown.
    width: int = 0
    #: Height of the upright image in pixels; 0 if unknown.
    height: int = 0
    #: Geotransform g0 ... g5 from pixels x, y to the map: X = g0 + x g1 + y g2 and
    #: Y = g3 + x g4 + y g5. None for an image without a georeference.
    geotransform: tuple[float, ...] | None = None
    #: CRS of the image; invalid if it has none.
    crs: QgsCoordinateReferenceSystem = field(default_factory=QgsCoordinateReferenceSystem)
    #: True if a file exists that cannot be read.
    is_unreadable: bool = False
    #: EXIF orientation, 1 to 8, of the file's pixels; 1 if they are those of the upright image.
    orientation: int = UPRIGHT

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
            geotransform = dataset.GetGeoTransform(can_return_null=True)
            wkt = dataset.GetProjection()
            width = dataset.RasterXSize
            height = dataset.RasterYSize
        if geotransform is not None:
            _, g1, g2, _, g4, g5 = geotransform
            is_invertible = g1 * g5 != g2 * g4
            if not is_invertible:
                geotransform = None
        crs = QgsCoordinateReferenceSystem.fromWkt(wkt) if wkt else QgsCoordinateReferenceSystem()
        return cls(name, path, width, height, geotransform, crs)


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
    x, y = image.to_map(np.array([[window.left, window.top]], dtype=float))[0]
    _, g1, g2, _, g4, g5 = image.geotransform or PIXEL_GEOTRANSFORM
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
        target.SetGeoTransform((x, g1, g2, y, g4, g5))
        target.FlushCache()


class ImageFinder:
    """Finder of the images that annotation files name; each image is opened once.

    Args:
        folder: folder that the user selected, which is searched with its subfolders; None without
            one. See :class:`randcrowns.core.exchange.image_search.ImageSearch`.
    """

    def __init__(self, folder: Path | None) -> None:
        self._search = ImageSearch(folder)
        self._opened: dict[tuple[Path, str], AnnotatedImage] = {}
        self._orientations: dict[Path, int] = {}

    def find(self, name: str, annotation_file: Path, named_path: str = "") -> AnnotatedImage:
        """Return the image that an annotation file names.

        Args:
            name: name of the image in the annotations, with or without folders and extension.
            annotation_file: the annotation file.
            named_path: path of the image in the annotations, if there is one besides the name.

        Returns:
            The image; without a path if it is not found, and ``is_unreadable`` if it cannot be
            read. Its pixels are those of the file, see :meth:`orientation`.

        Raises:
            InputError: if several images of the selected folder fit.
        """
        path = self._search.find_path(name, annotation_file, named_path)
        if path is None:
            return AnnotatedImage(name)
        key = (path, name)
        if key not in self._opened:
            self._opened[key] = AnnotatedImage.from_file(name, path)
        return self._opened[key]

    def orientation(self, image: AnnotatedImage) -> int:
        """Return the EXIF orientation, 1 to 8, of the file of an image; 1 if it is not found."""
        if image.path is None:
            return UPRIGHT
        if image.path not in self._orientations:
            self._orientations[image.path] = read_orientation(image.path)
        return self._orientations[image.path]

    def folder_name(self, image: AnnotatedImage) -> str:
        """Return the name of an image with its folders, if its file name does not identify it.

        Args:
            image: the image.

        Returns:
            Path relative to the selected folder, with slashes; empty if the image is not there or
            no other one there has its file name.
        """
        return self._search.folder_name(image.path)


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
