"""Images that annotation files name: found, and opened once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from randcrowns.core.exchange.exif import UPRIGHT, read_orientation
from randcrowns.core.exchange.image_search import ImageSearch
from randcrowns.core.exchange.pixel_frame import PixelFrame


@dataclass(frozen=True, eq=False)
class FoundImage(PixelFrame):
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
    #: EXIF orientation, 1 to 8, of the file's pixels; 1 if they are those of the upright image.
    orientation: int = UPRIGHT


AnyImage = TypeVar("AnyImage", bound=FoundImage)


class ImageFinder(Generic[AnyImage]):
    """Finder of the images that annotation files name; each image is opened once.

    Args:
        folder: folder that the user selected, which is searched with its subfolders; None without
            one. See :class:`randcrowns.core.exchange.image_search.ImageSearch`.
        open_image: returns the image in a file; receives the name in the annotations and the path.
        missing_image: returns an image without a file; receives the name in the annotations.
    """

    def __init__(
        self,
        folder: Path | None,
        open_image: Callable[[str, Path], AnyImage],
        missing_image: Callable[[str], AnyImage],
    ) -> None:
        self._search = ImageSearch(folder)
        self._open_image = open_image
        self._missing_image = missing_image
        self._opened: dict[tuple[Path, str], AnyImage] = {}
        self._orientations: dict[Path, int] = {}

    def find(self, name: str, annotation_file: Path, named_path: str = "") -> AnyImage:
        """Return the image that an annotation file names.

        Args:
            name: name of the image in the annotations, with or without folders and extension.
            annotation_file: the annotation file.
            named_path: path of the image in the annotations, if there is one besides the name.

        Returns:
            The image, without a path if it is not found or cannot be read. Its pixels are those of
            the file, see :meth:`orientation`.

        Raises:
            InputError: if several images of the selected folder fit.
        """
        path = self._search.find_path(name, annotation_file, named_path)
        if path is None:
            return self._missing_image(name)
        key = (path, name)
        if key not in self._opened:
            self._opened[key] = self._open_image(name, path)
        return self._opened[key]

    def orientation(self, image: AnyImage) -> int:
        """Return the EXIF orientation, 1 to 8, of the file of an image; 1 if it is not found."""
        if image.path is None:
            return UPRIGHT
        if image.path not in self._orientations:
            self._orientations[image.path] = read_orientation(image.path)
        return self._orientations[image.path]

    def folder_name(self, image: AnyImage) -> str:
        """Return the name of an image with its folders, if its file name does not identify it.

        Args:
            image: the image.

        Returns:
            Path relative to the selected folder, with slashes; empty if the image is not there or
            no other one there has its file name.
        """
        return self._search.folder_name(image.path)
