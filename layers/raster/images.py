"""Images that annotation files name: their files, sizes and georeferences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath, PurePosixPath

import numpy as np
import shapely
from osgeo import gdal
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.core.arrays import Floats
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.exif import (
    UPRIGHT,
    is_on_its_side,
    read_orientation,
    to_file_pixels,
)
from randcrowns.core.exchange.rle import RleMask
from randcrowns.core.messages import TranslatableText
from randcrowns.layers.local_files import is_file, offline_gdal, open_image
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

    def turn(self, orientation: int) -> AnnotatedImage:
        """Return the image with pixel coordinates that are those of the upright image.

        Args:
            orientation: EXIF orientation of the file, 1 to 8.
        """
        width, height = self.width, self.height
        if is_on_its_side(self.orientation) != is_on_its_side(orientation):
            width, height = height, width
        return replace(self, width=width, height=height, orientation=orientation)

    def to_map(self, pixels: Floats) -> Floats:
        """Transform pixel coordinates to map coordinates.

        Args:
            pixels: (n, 2) x, y in pixels of the upright image from its upper left corner.

        Returns:
            Array (n, 2) of coordinates in the image's CRS. For an image without a georeference,
            they are those at which QGIS shows it.
        """
        g0, g1, g2, g3, g4, g5 = self.geotransform or _PIXEL_GEOTRANSFORM
        width, height = self.width, self.height
        if is_on_its_side(self.orientation):
            width, height = height, width
        x, y = to_file_pixels(pixels, self.orientation, width, height).T
        return np.stack([g0 + x * g1 + y * g2, g3 + x * g4 + y * g5], axis=1)

    def to_pixels(self, coordinates: Floats) -> Floats:
        """Transform map coordinates to pixel coordinates, the inverse of :meth:`to_map`.

        Args:
            coordinates: (n, 2) coordinates in the image's CRS.

        Returns:
            Array (n, 2) of x, y in pixels of the upright image from its upper left corner.
        """
        g0, g1, g2, g3, g4, g5 = self.geotransform or _PIXEL_GEOTRANSFORM
        inverse = np.linalg.inv(np.array([[g1, g2], [g4, g5]]))
        file_pixels: Floats = (coordinates - (g0, g3)) @ inverse.T
        # A quarter turn is undone by one the other way, all other orientations by themselves.
        inverse_orientation = {6: 8, 8: 6}.get(self.orientation, self.orientation)
        return to_file_pixels(file_pixels, inverse_orientation, self.width, self.height)

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

    An image is the file that the path in the annotations names, else the one beside the annotation
    file, else one in the folder that the user selected. There, of several images with one name, the
    one is taken whose folders are those of the path or of the annotation file.

    Args:
        folder: folder that the user selected, which is searched with its subfolders; None without
            one.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._opened: dict[tuple[Path, str], AnnotatedImage] = {}
        self._orientations: dict[Path, int] = {}
        self._files_by_name: dict[str, list[Path]] | None = None

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
        path = self._find_path(name, annotation_file, named_path)
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
        if self._folder is None or image.path is None:
            return ""
        if len(self._list_images(self._folder).get(image.path.name.lower(), ())) < 2:
            return ""
        try:
            return image.path.resolve().relative_to(self._folder.resolve()).as_posix()
        except ValueError:
            return ""

    def _find_path(self, name: str, file: Path, named_path: str) -> Path | None:
        """Return the file of an image; None if there is none. See :meth:`find`."""
        if not name:
            return None
        # The path first: it says more than the name.
        named = [_parse_path(text, file) for text in (named_path, name) if text]
        for candidate in _near_candidates(named, file):
            if is_file(candidate):
                return candidate
        if self._folder is None:
            return None
        for relative_path in named:
            exact = self._folder / relative_path
            if len(relative_path.parts) > 1 and is_file(exact):
                return exact
        return self._find_in_folder(self._folder, named, file)

    def _find_in_folder(
        self, folder: Path, named: Sequence[PurePosixPath], file: Path
    ) -> Path | None:
        """Return the image of the selected folder whose folders agree best with the annotations.

        Args:
            folder: the selected folder.
            named: path and name of the image in the annotations.
            file: the annotation file.

        Raises:
            InputError: if several images agree equally well.
        """
        files_by_name = self._list_images(folder)
        for base_name in _file_names(named[-1]):
            same_name = files_by_name.get(base_name.lower(), [])
            same_case = [path for path in same_name if path.name == base_name]
            candidates = same_case or same_name
            if not candidates:
                continue
            agreements = [_folder_agreement(path, named, file) for path in candidates]
            best_agreement = max(agreements)
            fitting = [
                path
                for path, agreement in zip(candidates, agreements)
                if agreement == best_agreement
            ]
            if len(fitting) > 1 and folder / base_name in fitting:
                fitting = [folder / base_name]  # the name is a path in the selected folder
            if len(fitting) > 1:
                raise InputError(
                    "image.several_fit",
                    "{file}: image '{image}' may be one of several in the image folder: {images}. "
                    "Choose the folder of the right one, or import the files of each folder "
                    "separately.",
                    file=file.name,
                    image=str(named[-1]),
                    images=[path.relative_to(folder).as_posix() for path in fitting],
                )
            return fitting[0]
        return None

    def _list_images(self, folder: Path) -> dict[str, list[Path]]:
        """Return the images in a folder and its subfolders by file name in lower case, cached."""
        if self._files_by_name is None:
            self._files_by_name = {}
            for path in sorted(folder.rglob("*")):
                if path.suffix.lower() in _EXTENSIONS:
                    self._files_by_name.setdefault(path.name.lower(), []).append(path)
        return self._files_by_name


def has_image_extension(name: str) -> bool:
    """Return True if a file name has the extension of an image, in any case.

    >>> has_image_extension("plot1.TIF"), has_image_extension("plot1.2")
    (True, False)
    """
    return PurePosixPath(name).suffix.lower() in _EXTENSIONS


def _folder_agreement(path: Path, named: Sequence[PurePosixPath], file: Path) -> tuple[int, int]:
    """Return how well the folders of an image agree with the annotations; larger is better.

    Args:
        path: path of the image.
        named: path and name of the image in the annotations.
        file: the annotation file.

    Returns:
        Number of folders that agree with those in the annotations, which counts first, and number
        of folders that agree with those of the annotation file.
    """
    n_equal_named = max(_count_equal_folders(path.parent, name.parent) for name in named)
    return n_equal_named, _count_equal_folders(path.parent, file.parent)


def _file_names(path: PurePosixPath) -> list[str]:
    """Return the possible file names of an image, the likeliest first; it may lack its extension.

    >>> _file_names(PurePosixPath("site1/plot.tif"))
    ['plot.tif']
    """
    names = [path.name] if path.suffix else []
    if path.suffix.lower() not in _EXTENSIONS:
        for extension in _EXTENSIONS:
            names += [path.name + extension, path.name + extension.upper()]
    return names


def _parse_path(text: str, file: Path) -> PurePosixPath:
    """Return the path that an annotation file gives, with slashes.

    A path on a server (``//server/share/…``) is reduced to its name unless the annotation file lies
    on the same share, so that no file makes Windows log on to a server.

    Args:
        text: the path, with slashes or backslashes.
        file: the annotation file.
    """
    path = PurePosixPath(text.replace("\\", "/"))
    if path.root != "//":
        return path
    share = "//" + "/".join(path.parts[1:3])
    is_own_share = share.lower() == file.drive.replace("\\", "/").lower()
    return path if is_own_share else PurePosixPath(path.name)


def _near_candidates(named: Sequence[PurePosixPath], file: Path) -> Iterator[Path]:
    """Yield the files that a path names, and those beside an annotation file.

    Args:
        named: path and name of the image in the annotations.
        file: the annotation file.
    """
    for path in named:
        if path.suffix and len(path.parts) > 1:
            yield file.parent / path  # an absolute path stays as it is
    folders = [
        file.parent,
        *_image_folders(file.parent),
        file.parent / "images",
        file.parent.parent / "images",
    ]
    relative_paths = [path for path in named if len(path.parts) > 1 and not path.is_absolute()]
    for folder in folders:
        for path in relative_paths:
            for name in _file_names(path):
                yield folder / path.parent / name
    for folder in folders:
        for name in _file_names(named[-1]):
            yield folder / name


def _count_equal_folders(first: PurePath, second: PurePath) -> int:
    """Return how many of the last folders of two paths are the same, in any case.

    >>> _count_equal_folders(PurePosixPath("a/site1"), PurePosixPath("b/Site1"))
    1
    """
    count = 0
    for folder, other in zip(reversed(first.parts), reversed(second.parts)):
        if folder.lower() != other.lower():
            break
        count += 1
    return count


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
