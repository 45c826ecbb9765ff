"""Images that annotation files name: their files, sizes and georeferences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import numpy as np
import shapely
from osgeo import gdal, gdal_array
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.core.arrays import Floats
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.rle import RleMask
from randcrowns.core.messages import TranslatableText
from randcrowns.layers.raster.grid import open_raster
from randcrowns.layers.raster.write import polygonise

#: File name extensions of images, for annotation files that omit them.
_EXTENSIONS = (".tif", ".tiff", ".png", ".jpg", ".jpeg", ".jp2", ".vrt", ".bmp", ".webp")
#: Geotransform with which QGIS shows an image without a georeference: x from the left edge, y from
#: the upper edge upwards.
_PIXEL_GEOTRANSFORM = (0.0, 1.0, 0.0, 0.0, 0.0, -1.0)
#: Names of folders with annotations, in lower case, next to which a folder "images" is expected.
_LABEL_FOLDERS = ("labels", "annotations")


@dataclass(frozen=True, eq=False)
class AnnotatedImage:
    """Image that annotations refer to; its file may be missing."""

    #: Name of the image in the annotations.
    name: str
    #: File of the image; None if it is missing or unreadable.
    path: Path | None = None
    #: Width in pixels; 0 if unknown.
    width: int = 0
    #: Height in pixels; 0 if unknown.
    height: int = 0
    #: Geotransform g0 ... g5 from pixels x, y to the map: X = g0 + x g1 + y g2 and
    #: Y = g3 + x g4 + y g5. None for an image without a georeference.
    geotransform: tuple[float, ...] | None = None
    #: CRS of the image; invalid if it has none.
    crs: QgsCoordinateReferenceSystem = field(default_factory=QgsCoordinateReferenceSystem)
    #: True if a file exists that cannot be read.
    is_unreadable: bool = False

    @classmethod
    def from_file(cls, name: str, path: Path) -> AnnotatedImage:
        """Return the image in a file.

        Args:
            name: name of the image in the annotations.
            path: the file. If GDAL cannot read it, the result has ``broken`` set.
        """
        with quiet_gdal():
            dataset = open_raster(str(path))
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

    def to_map(self, pixels: Floats) -> Floats:
        """Transform pixel coordinates to map coordinates.

        Args:
            pixels: (n, 2) x, y in pixels from the upper left corner.

        Returns:
            Array (n, 2) of coordinates in the image's CRS. For an image without a georeference,
            they are those at which QGIS shows it.
        """
        g0, g1, g2, g3, g4, g5 = self.geotransform or _PIXEL_GEOTRANSFORM
        x, y = pixels.T
        return np.stack([g0 + x * g1 + y * g2, g3 + x * g4 + y * g5], axis=1)

    def to_pixels(self, coordinates: Floats) -> Floats:
        """Transform map coordinates to pixel coordinates, the inverse of :meth:`to_map`.

        Args:
            coordinates: (n, 2) coordinates in the image's CRS.

        Returns:
            Array (n, 2) of x, y in pixels from the upper left corner.
        """
        g0, g1, g2, g3, g4, g5 = self.geotransform or _PIXEL_GEOTRANSFORM
        inverse = np.linalg.inv(np.array([[g1, g2], [g4, g5]]))
        pixels: Floats = (coordinates - (g0, g3)) @ inverse.T
        return pixels

    def contains(self, pixels: Floats) -> np.ndarray:
        """Return a mask (n,) of the pixel coordinates (n, 2) that lie in the image."""
        inside: np.ndarray = ((pixels >= 0) & (pixels <= (self.width, self.height))).all(axis=1)
        return inside


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
    _, g1, g2, _, g4, g5 = image.geotransform or _PIXEL_GEOTRANSFORM
    with quiet_gdal():
        source = None if image.path is None else open_raster(str(image.path))
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

    Images are searched in the folder that the user selected, then near the annotation file.

    Args:
        folder: folder that the user selected, which is searched with its subfolders; None without
            one.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._opened: dict[Path, AnnotatedImage] = {}
        self._files_by_name: dict[str, Path] | None = None

    def find(self, name: str, annotation_file: Path) -> AnnotatedImage:
        """Return the image that an annotation file names.

        Args:
            name: name of the image in the annotations, with or without folders and extension.
            annotation_file: the annotation file.

        Returns:
            The image; without a path if it is not found, and ``broken`` if it cannot be read.
        """
        candidates = self._candidates(name, annotation_file)
        path = next((candidate for candidate in candidates if candidate.is_file()), None)
        if path is None:
            return AnnotatedImage(name)
        if path not in self._opened:
            self._opened[path] = AnnotatedImage.from_file(name, path)
        return self._opened[path]

    def _candidates(self, name: str, file: Path) -> Iterator[Path]:
        """Yield the possible files of an image, the likeliest first."""
        if not name:
            return
        relative_path = PurePosixPath(name.replace("\\", "/"))
        names = []
        if relative_path.suffix:
            names += [str(relative_path), relative_path.name]
        if relative_path.suffix.lower() not in _EXTENSIONS:
            for extension in _EXTENSIONS:
                names.append(relative_path.name + extension)
                names.append(relative_path.name + extension.upper())

        if self._folder is not None:
            for candidate_name in names:
                yield self._folder / candidate_name
            files_by_name = self._list_images(self._folder)
            for candidate_name in names:
                base_name = Path(candidate_name).name
                if base_name in files_by_name:
                    yield files_by_name[base_name]

        folders = [
            file.parent,
            *_image_folders(file.parent),
            file.parent / "images",
            file.parent.parent / "images",
        ]
        for folder in folders:
            for candidate_name in names:
                yield folder / candidate_name

    def _list_images(self, folder: Path) -> dict[str, Path]:
        """Return the images in a folder and its subfolders by file name, cached."""
        if self._files_by_name is None:
            # Of images with the same name, the alphabetically first path is used.
            paths: Iterable[Path] = sorted(folder.rglob("*"), reverse=True)
            self._files_by_name = {
                path.name: path for path in paths if path.suffix.lower() in _EXTENSIONS
            }
        return self._files_by_name


def mask_outline(mask: RleMask) -> shapely.Geometry:
    """Return the outline of a mask along the edges of its pixels.

    Args:
        mask: the mask of one instance.

    Returns:
        (Multi)polygon in pixel coordinates, with holes.
    """
    top, left, pixels = mask.decode_window()
    dataset = gdal_array.OpenArray(pixels.view(np.uint8))
    dataset.SetGeoTransform((float(left), 1.0, 0.0, float(top), 0.0, 1.0))
    parts, _ = polygonise(dataset, dataset)
    # Rings that touch themselves in the corner of a pixel are invalid.
    is_invalid = ~shapely.is_valid(parts)
    parts[is_invalid] = shapely.make_valid(parts[is_invalid])
    parts = shapely.get_parts(parts)
    return parts[0] if len(parts) == 1 else shapely.multipolygons(parts)


@contextmanager
def quiet_gdal() -> Iterator[None]:
    """Clear GDAL's last error, and suppress GDAL's messages in the context.

    The plugin reports unreadable files itself.
    """
    gdal.ErrorReset()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        yield
    finally:
        gdal.PopErrorHandler()


def _image_folders(folder: Path) -> list[Path]:
    """Return the folders "images" that correspond to a folder of labels, as in YOLO datasets.

    For example ``data/images/train`` for ``data/labels/train``; the innermost replacement first.
    """
    parts = folder.parts
    return [
        Path(*parts[:index], "images", *parts[index + 1 :])
        for index in range(len(parts) - 1, -1, -1)
        if parts[index].lower() in _LABEL_FOLDERS
    ]
