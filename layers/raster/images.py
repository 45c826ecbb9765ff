"""Images that files of annotations name: where they are, how large, and where their pixels lie on the map."""

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
from randcrowns.core.exchange.masks import Mask
from randcrowns.core.remarks import Said
from randcrowns.layers.raster.output import traced

#: Endings of images, for files that name them without.
_ENDINGS = (".tif", ".tiff", ".png", ".jpg", ".jpeg", ".jp2", ".vrt", ".bmp", ".webp")
#: Where QGIS shows the pixels of an image that does not say where it lies.
_AS_SHOWN = (0.0, 1.0, 0.0, 0.0, 0.0, -1.0)


@dataclass(frozen=True, eq=False)
class PlacedImage:
    """An image, found or not."""

    name: str  #: as the annotations have it.
    path: Path | None = None  #: the file; None where there is none that can be read.
    #: width, height: pixels; 0 where not known.
    width: int = 0
    height: int = 0
    #: X = g0 + x g1 + y g2, Y = g3 + x g4 + y g5; None where the image does not say.
    place: tuple[float, ...] | None = None
    #: Its coordinate system, invalid where it has none.
    crs: QgsCoordinateReferenceSystem = field(default_factory=QgsCoordinateReferenceSystem)
    broken: bool = False  #: whether there is a file that cannot be read.

    @classmethod
    def opened(cls, name: str, path: Path) -> PlacedImage:
        """The image in a file."""
        with quiet_gdal():
            dataset = _open(path)
            if dataset is None:
                return cls(name, broken=True)
            place, wkt = dataset.GetGeoTransform(can_return_null=True), dataset.GetProjection()
            size = dataset.RasterXSize, dataset.RasterYSize
        if place is not None and place[1] * place[5] == place[2] * place[4]:
            place = None
        crs = QgsCoordinateReferenceSystem.fromWkt(wkt) if wkt else QgsCoordinateReferenceSystem()
        return cls(name, path, *size, place, crs)

    def to_map(self, pixels: Floats) -> Floats:
        """(n, 2) map coordinates of pixels; as QGIS shows the image where it does not say where it lies."""
        g0, g1, g2, g3, g4, g5 = self.place or _AS_SHOWN
        x, y = pixels.T
        return np.stack([g0 + x * g1 + y * g2, g3 + x * g4 + y * g5], axis=1)

    def to_pixels(self, coordinates: Floats) -> Floats:
        """(n, 2) pixels of map coordinates in the image's system."""
        g0, g1, g2, g3, g4, g5 = self.place or _AS_SHOWN
        turned = np.linalg.inv(np.array([[g1, g2], [g4, g5]]))
        found: Floats = (coordinates - (g0, g3)) @ turned.T
        return found

    def holds(self, pixels: Floats) -> np.ndarray:
        """(n,) which pixels lie in the image."""
        inside: np.ndarray = ((pixels >= 0) & (pixels <= (self.width, self.height))).all(axis=1)
        return inside


@dataclass(frozen=True)
class Window:
    """A part of an image: its first column and row, and its size, pixels."""

    left: int
    top: int
    width: int
    height: int


def cut_out(image: PlacedImage, window: Window, to: Path) -> None:
    """Write a part of an image as a GeoTIFF that lies where it lies in the image.

    Raises:
        InputError: naming the image, when it cannot be read.
    """
    corner = image.to_map(np.array([[window.left, window.top]], dtype=float))[0]
    _, g1, g2, _, g4, g5 = image.place or _AS_SHOWN
    with quiet_gdal():
        source = None if image.path is None else _open(image.path)
        rows = [window.left, window.top, window.width, window.height]
        srs = image.crs.toWkt() if image.crs.isValid() else None
        made = None
        if source is not None:
            options = ["COMPRESS=DEFLATE", "TILED=YES"]
            made = gdal.Translate(
                str(to), source, format="GTiff", srcWin=rows, outputSRS=srs, creationOptions=options
            )
        if made is None:
            why = gdal.GetLastErrorMsg().rstrip(". ") or Said("it cannot be read")
            raise InputError("Image {image} cannot be cut: {why}.", image=image.name, why=why)
        made.SetGeoTransform((corner[0], g1, g2, corner[1], g4, g5))
        made.FlushCache()


class ImageFinder:
    """Finds images beside the files that name them, or in a folder that the user picked; opens each once."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._opened: dict[Path, PlacedImage] = {}
        self._in_folder: dict[str, Path] | None = None

    def find(self, name: str, file: Path) -> PlacedImage:
        """The image that a file of annotations names."""
        path = next((path for path in self._places(name, file) if path.is_file()), None)
        if path is None:
            return PlacedImage(name)
        if path not in self._opened:
            self._opened[path] = PlacedImage.opened(name, path)
        return self._opened[path]

    def _places(self, name: str, file: Path) -> Iterator[Path]:
        """Where the image may be, the likeliest first."""
        if not name:
            return
        plain = PurePosixPath(name.replace("\\", "/"))
        names = [str(plain), plain.name] if plain.suffix else []
        endings = [plain.name + ending for lower in _ENDINGS for ending in (lower, lower.upper())]
        names += [] if plain.suffix.lower() in _ENDINGS else endings
        beside = (file.parent / "images", file.parent.parent / "images")
        folders = [file.parent, *_beside_labels(file.parent), *beside]
        if self._folder is not None:
            yield from (self._folder / one for one in names)
            found = self._listed(self._folder)
            yield from (found[one] for one in (Path(name).name for name in names) if one in found)
        yield from (folder / one for folder in folders for one in names)

    def _listed(self, folder: Path) -> dict[str, Path]:
        """Every image in the folder and the folders in it, by name."""
        if self._in_folder is None:
            paths: Iterable[Path] = sorted(folder.rglob("*"), reverse=True)
            self._in_folder = {path.name: path for path in paths if path.suffix.lower() in _ENDINGS}
        return self._in_folder


def outline_of(mask: Mask) -> shapely.Geometry:
    """The outline of a mask along the edges of its pixels (pixel coordinates); holes are kept."""
    top, left, inside = mask.window()
    marked = gdal_array.OpenArray(inside.view(np.uint8))
    marked.SetGeoTransform((float(left), 1.0, 0.0, float(top), 0.0, 1.0))
    parts, _ = traced(marked, marked)
    broken = ~shapely.is_valid(parts)  # rings that meet in a corner
    parts[broken] = shapely.make_valid(parts[broken])
    parts = shapely.get_parts(parts)
    return parts[0] if len(parts) == 1 else shapely.multipolygons(parts)


@contextmanager
def quiet_gdal() -> Iterator[None]:
    """What GDAL cannot read is said by us; what it said of another file before is forgotten."""
    gdal.ErrorReset()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        yield
    finally:
        gdal.PopErrorHandler()


def _open(path: Path) -> gdal.Dataset | None:
    try:
        return gdal.Open(str(path))
    except RuntimeError:  # where GDAL's exceptions are switched on
        return None


def _beside_labels(folder: Path) -> list[Path]:
    """The folder images/… that belongs to a folder labels/…, as YOLO has it."""
    parts = folder.parts
    return [
        Path(*parts[:place], "images", *parts[place + 1 :])
        for place in range(len(parts) - 1, -1, -1)
        if parts[place].lower() in ("labels", "annotations")
    ]
