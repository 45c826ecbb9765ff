"""Labelled point clouds read from LAS, LAZ and COPC files, in chunks and only what is needed."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext

from randcrowns.core.errors import Cancelled, InputError, MissingLibraryError, RandCrownsError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.crs import WorkingCrs

__all__ = ["CloudAttribute", "CloudHead", "PointCloud", "cloud_file", "look_into", "read_cloud", "require_laspy"]

#: Points at a time: a fraction of a second's work.
_CHUNK = 200_000
_ENDINGS = (".las", ".laz")
_PROJECTED_KEY, _GEOGRAPHIC_KEY, _NO_EPSG = 3072, 2048, (0, 32767)
_NAMED = 12
_SIGNED = ("SignedInteger", "FloatingPoint")
#: The parts of a compressed point that are read anyway or by name; the others are extra attributes.
_ALWAYS = ("return_number", "number_of_returns", "scanner_channel")


@dataclass(frozen=True)
class CloudAttribute:
    """An attribute of every point: whether it holds whole numbers only, can be negative, and is not a standard one."""

    name: str
    whole: bool
    signed: bool
    extra: bool


@dataclass(frozen=True)
class CloudHead:
    """What a file says of itself: its number of points, the attributes with one number each, and its system."""

    path: Path
    n_points: int
    attributes: tuple[CloudAttribute, ...]
    crs: QgsCoordinateReferenceSystem
    bounds: tuple[float, float, float, float]

    def attribute(self, name: str) -> CloudAttribute:
        """The attribute of that name.

        Raises:
            InputError: naming those there are.
        """
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        own = [attribute.name for attribute in self.attributes if attribute.extra]
        names = own + [attribute.name for attribute in self.attributes if not attribute.extra]
        raise InputError(
            f"{self.path.name} has no attribute '{name}' with one number per point; it has {_some(names)}."
        )


@dataclass(frozen=True)
class PointCloud:
    """N points in metres with two labels each.

    Attributes:
        xyz: (N, 3) working coordinates.
        target, prediction: (N,) whole numbers.
        crs: the file's system; not valid when it does not say one.
        working: where ``xyz`` are; None without a known system, which is then taken to be in metres.
        notes: sentences about what was odd.
    """

    xyz: NDArray[np.float64]
    target: NDArray[Any]
    prediction: NDArray[Any]
    crs: QgsCoordinateReferenceSystem
    working: WorkingCrs | None
    notes: tuple[str, ...]

    def on_map(self, xy: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 2) working coordinates in the file's own system."""
        return xy if self.working is None else self.working.metres_to(self.crs, xy)


def cloud_file(source: str) -> Path:
    """The file behind what a user chose: a path, or the source of a point cloud layer.

    Raises:
        InputError: unless it is a LAS, LAZ or COPC file that exists.
    """
    plain = source.removeprefix("pdal://").removeprefix("copc://").removeprefix("file://").partition("|")[0]
    path = Path(plain)
    if path.name.lower() == "ept.json":
        beside = [path.parent.with_name(path.parent.name.removeprefix("ept_") + ending) for ending in _ENDINGS]
        path = next((file for file in beside if path.parent.name.startswith("ept_") and file.exists()), path)
    if path.suffix.lower() not in _ENDINGS:
        raise InputError(f"{source or 'Nothing'} cannot be read as a point cloud; choose a LAS, LAZ or COPC file.")
    if not path.is_file():
        raise InputError(f"There is no file {path}; choose a LAS, LAZ or COPC file.")
    return path


def look_into(path: Path) -> CloudHead:
    """Read the header of a file.

    Raises:
        InputError: if it is no point cloud that can be read.
        MissingLibraryError: if laspy or lazrs is not installed.
    """
    laspy = require_laspy()
    with _told(path, laspy), laspy.open(str(path)) as reader:
        _check_length(path, reader.header)
        return _head(path, reader.header)


def read_cloud(
    path: Path,
    target: str,
    prediction: str,
    transform_context: QgsCoordinateTransformContext,
    *,
    invalid_id: int = -1,
    crs: QgsCoordinateReferenceSystem | None = None,
    progress: Progress = no_progress,
) -> PointCloud:
    """Read the coordinates and two attributes of all points.

    Args:
        path: the file.
        target, prediction: names of the attributes with the instance of each point.
        transform_context: the project's choices of datum transformations.
        invalid_id: stands for a label that is not a number (NaN).
        crs: the system to take if the file does not tell one.
        progress: told the fraction of the points read.

    Raises:
        InputError: naming the file, if it ends early or cannot be read, an attribute is not there or holds no whole
            numbers, or coordinates are not finite.
        MissingLibraryError: if laspy or lazrs is not installed.
    """
    laspy = require_laspy()
    with _told(path, laspy):
        head = look_into(path)
        chosen = [head.attribute(name) for name in (target, prediction)]
        with laspy.open(str(path), decompression_selection=_needed(laspy, chosen)) as reader:
            known = head.crs if head.crs.isValid() or crs is None else crs
            notes, working = _working(head, known, transform_context)
            xyz = np.empty((head.n_points, 3))
            labels = [_Labels(path, attribute, head.n_points, invalid_id) for attribute in chosen]
            done = 0
            for points in reader.chunk_iterator(_CHUNK):
                rows = slice(done, done + len(points))
                xyz[rows, 0], xyz[rows, 1], xyz[rows, 2] = points.x, points.y, points.z
                _check_finite(path, xyz[rows], done)
                if working is not None:
                    xyz[rows, :2] = working.metres_from(known, xyz[rows, :2], path.name)
                    xyz[rows, 2] *= working.metres
                for label in labels:
                    label.take(rows, points[label.attribute.name])
                done += len(points)
                progress(done / head.n_points)
    if done < head.n_points:
        raise InputError(_ends_early(path, done, head.n_points))
    return PointCloud(
        xyz,
        labels[0].values,
        labels[1].values,
        known,
        working,
        (*notes, *(note for label in labels for note in label.notes())),
    )


class _Labels:
    """The labels of one attribute, filled chunk by chunk; numbers with a fraction are refused."""

    def __init__(self, path: Path, attribute: CloudAttribute, n_points: int, invalid_id: int) -> None:
        self.attribute = attribute
        self._path = path
        self._n_points = n_points
        self._invalid_id = invalid_id
        self._missing = 0
        self.values: NDArray[Any] = np.empty(0, dtype=np.int64)

    def take(self, rows: slice, values: Any) -> None:
        """Keep the labels of these points."""
        found = np.asarray(values)
        if not np.issubdtype(found.dtype, np.integer):
            found = self._whole(found)
        if len(self.values) == 0:
            self.values = np.empty(self._n_points, dtype=found.dtype)
        self.values[rows] = found

    def notes(self) -> list[str]:
        """What was odd."""
        if not self._missing:
            return []
        return [
            f"{self._path.name}: {self._missing} points have no number in attribute '{self.attribute.name}'; they "
            f"belong to no instance ({self._invalid_id})."
        ]

    def _whole(self, values: NDArray[Any]) -> NDArray[np.int64]:
        missing = np.isnan(values)
        self._missing += int(missing.sum())
        numbers = np.where(missing, self._invalid_id, values)
        wrong = numbers[(numbers != np.floor(numbers)) | (np.abs(numbers) > 2**53)]
        if len(wrong):
            raise InputError(
                f"Attribute '{self.attribute.name}' of {self._path.name} must hold the number of an instance, a whole "
                f"number, but it holds {wrong[0]:g}; choose another attribute."
            )
        return numbers.astype(np.int64)


def require_laspy() -> Any:
    """The library that reads and writes the files.

    Raises:
        MissingLibraryError: if it, or lazrs, is not installed.
    """
    try:
        import laspy
        import lazrs  # noqa: F401 - laspy finds it by itself
    except ImportError as error:
        raise MissingLibraryError(
            "Point cloud files are read with the libraries laspy and lazrs, which are not installed; type "
            "python3 -m pip install 'laspy[lazrs]' in the Python that QGIS uses, then start QGIS again."
        ) from error
    return laspy


@contextmanager
def _told(path: Path, laspy: Any) -> Iterator[None]:
    """Whatever the libraries raise, as a sentence."""
    try:
        yield
    except (RandCrownsError, Cancelled):
        raise
    except (laspy.errors.LaspyException, RuntimeError, ValueError, OSError, struct.error, MemoryError) as error:
        raise InputError(
            f"{path.name} cannot be read as a point cloud; it is damaged or ends early ({error}). Copy or download it "
            "again."
        ) from error


def _head(path: Path, header: Any) -> CloudHead:
    attributes = tuple(
        CloudAttribute(dimension.name, _is_whole(dimension), dimension.kind.name in _SIGNED, not dimension.is_standard)
        for dimension in header.point_format.dimensions
        if dimension.num_elements == 1 and dimension.name not in ("X", "Y", "Z")
    )
    return CloudHead(path, int(header.point_count), attributes, _crs_of(header), (*header.mins[:2], *header.maxs[:2]))


def _is_whole(dimension: Any) -> bool:
    return dimension.kind.name != "FloatingPoint" and not dimension.is_scaled


def _crs_of(header: Any) -> QgsCoordinateReferenceSystem:
    """What the file says, as well-known text or as a number of the EPSG register."""
    records = [record for record in (*header.vlrs, *(header.evlrs or ())) if record.user_id == "LASF_Projection"]
    for record in records:
        text = getattr(record, "string", "")
        if isinstance(text, str) and text.strip("\0 "):
            return QgsCoordinateReferenceSystem.fromWkt(text.strip("\0 "))
    for wanted in (_PROJECTED_KEY, _GEOGRAPHIC_KEY):
        for record in records:
            for key in getattr(record, "geo_keys", ()):
                if key.id == wanted and key.value_offset not in _NO_EPSG:
                    return QgsCoordinateReferenceSystem(f"EPSG:{key.value_offset}")
    return QgsCoordinateReferenceSystem()


def _needed(laspy: Any, attributes: Sequence[CloudAttribute]) -> Any:
    """The parts of a compressed point to unpack."""
    parts = laspy.DecompressionSelection
    wanted = parts.XY_RETURNS_CHANNEL | parts.Z
    for attribute in attributes:
        if attribute.extra:
            wanted |= parts.ALL_EXTRA_BYTES
        elif attribute.name not in _ALWAYS:
            wanted |= getattr(parts, attribute.name.upper(), parts.all())
    return wanted


def _working(
    head: CloudHead, crs: QgsCoordinateReferenceSystem, transform_context: QgsCoordinateTransformContext
) -> tuple[list[str], WorkingCrs | None]:
    if not crs.isValid():
        return [f"{head.path.name} does not say its coordinate system; its coordinates are taken to be metres."], None
    west, south, east, north = head.bounds
    centre = (west + east) / 2, (south + north) / 2
    if head.n_points == 0 or not np.isfinite(centre).all():
        centre = 0.0, 0.0
    working = WorkingCrs.for_layer(head.path.name, crs, centre, transform_context)
    return [working.note] if working.note else [], working


def _check_finite(path: Path, xyz: NDArray[np.float64], before: int) -> None:
    finite = np.isfinite(xyz).all(axis=1)
    if not finite.all():
        first = before + int(np.flatnonzero(~finite)[0]) + 1
        raise InputError(
            f"{path.name}: every point needs finite coordinates, but those of point {first} are not numbers; remove "
            "such points, or check the scale and offset in the file's header."
        )


def _check_length(path: Path, header: Any) -> None:
    """Refuse a file that ends before its points begin or, where points are not compressed, before they end."""
    there = path.stat().st_size - int(header.offset_to_point_data)
    each = header.point_format.size
    missing = not header.are_points_compressed and there < header.point_count * each
    if there < 0 or missing:
        raise InputError(_ends_early(path, max(there, 0) // each, header.point_count))


def _ends_early(path: Path, found: int, expected: int) -> str:
    return f"{path.name} ends early: only {found:,} of {expected:,} points are there. Copy or download it again."


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    return f"{shown} and {len(names) - _NAMED} more" if len(names) > _NAMED else shown
