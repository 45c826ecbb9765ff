"""What a LAS, LAZ or COPC file says of itself, before its points are read."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from osgeo import gdal, osr
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.core.errors import InputError, MissingLibraryError, RandCrownsError
from randcrowns.core.remarks import Remark, info, some
from randcrowns.layers.crs import is_defined
from randcrowns.layers.installing import trouble
from randcrowns.layers.libraries import CLOUDS

#: Of the files that are read.
CLOUD_ENDINGS = (".las", ".laz")
_PROJECTED_KEY, _GEOGRAPHIC_KEY, _NO_EPSG = 3072, 2048, (0, 32767)
_NAMED = 12
#: What the libraries raise for a damaged file, beside errors of their own.
_FAILURES = (RuntimeError, ValueError, OSError, struct.error, MemoryError, OverflowError)
_SIGNED = ("SignedInteger", "FloatingPoint")


@dataclass(frozen=True)
class CloudAttribute:
    """An attribute of every point: whether it holds whole numbers only, can be negative, and is not a standard one."""

    name: str
    whole: bool
    signed: bool
    extra: bool


@dataclass(frozen=True)
class CloudHead:
    """What a file says of itself."""

    path: Path
    n_points: int
    attributes: tuple[CloudAttribute, ...]  #: those with one number per point.
    #: Its system, not valid where it names none, or one that is not defined.
    crs: QgsCoordinateReferenceSystem
    z_unit: float | None  #: metres per unit of z, None where it is not told.

    def attribute(self, name: str) -> CloudAttribute:
        """The attribute of that name; an InputError names those there are."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        names = [
            attribute.name for attribute in sorted(self.attributes, key=lambda one: not one.extra)
        ]
        said = "{file} has no attribute '{name}' with one number per point; it has {names}."
        raise InputError(said, file=self.path.name, name=name, names=some(names, _NAMED))

    def system(self, chosen: QgsCoordinateReferenceSystem | None) -> QgsCoordinateReferenceSystem:
        """The file's own system or, where it names none, the one chosen for it; an InputError without either."""
        if self.crs.isValid():
            return self.crs
        if chosen is not None and chosen.isValid():
            return chosen
        raise InputError(
            "{file} does not say its coordinate system; choose the one its coordinates are in. For local coordinates "
            "in metres any system in metres will do.",
            file=self.path.name,
        )

    def unit_of_heights(self, crs: QgsCoordinateReferenceSystem) -> float | None:
        """Metres per unit of z as the file tells it, or else the system chosen for it; None where neither does."""
        return unit_of_system(crs) if self.z_unit is None else self.z_unit


def cloud_file(source: str) -> Path:
    """The LAS, LAZ or COPC file behind what a user chose: a path, or the source of a point cloud layer."""
    plain = (
        source.removeprefix("pdal://")
        .removeprefix("copc://")
        .removeprefix("file://")
        .partition("|")[0]
    )
    path = Path(plain)
    if path.name.lower() == "ept.json":
        beside = [
            path.parent.with_name(path.parent.name.removeprefix("ept_") + ending)
            for ending in CLOUD_ENDINGS
        ]
        path = next(
            (file for file in beside if path.parent.name.startswith("ept_") and file.exists()), path
        )
    if path.suffix.lower() not in CLOUD_ENDINGS:
        said = "{source} cannot be read as a point cloud; choose a LAS, LAZ or COPC file."
        raise InputError(said, source=source or "Nothing")
    try:
        there = path.is_file()
    except (OSError, ValueError):  # a name too long, or one that no file can have
        there = False
    if not there:
        raise InputError("There is no file {path}; choose a LAS, LAZ or COPC file.", path=path)
    return path


def look_into(path: Path) -> CloudHead:
    """Read the header of a file.

    Raises:
        InputError: if it is no point cloud that can be read.
        MissingLibraryError: if laspy or lazrs is not installed.
    """
    laspy = require_laspy()
    with in_sentences(path, laspy):
        check_header(path)
        with laspy.open(str(path)) as reader:
            _check_length(path, reader.header)
            return _head(path, reader.header)


def require_laspy() -> Any:
    """The library that reads and writes the files; without it, or lazrs, a MissingLibraryError."""
    said = trouble(CLOUDS)
    if said:
        raise MissingLibraryError(said)
    import laspy

    return laspy


@contextmanager
def in_sentences(path: Path, laspy: Any) -> Iterator[None]:
    """Whatever the libraries raise, as a sentence."""
    try:
        yield
    except RandCrownsError:
        raise
    except (laspy.errors.LaspyException, *_FAILURES) as error:
        raise damaged(path, error) from error
    except BaseException as error:
        # What lazrs, written in Rust, raises where it gives up is no Exception, and has no name to import.
        if type(error).__name__ != "PanicException":
            raise
        raise damaged(path, error) from error


def _head(path: Path, header: Any) -> CloudHead:
    attributes = tuple(
        CloudAttribute(
            dimension.name,
            _is_whole(dimension),
            dimension.kind.name in _SIGNED,
            not dimension.is_standard,
        )
        for dimension in header.point_format.dimensions
        if dimension.num_elements == 1 and dimension.name not in ("X", "Y", "Z")
    )
    records = [
        record
        for record in (*header.vlrs, *(header.evlrs or ()))
        if record.user_id == "LASF_Projection"
    ]
    crs = _crs_of(records)
    known = crs if is_defined(crs) else QgsCoordinateReferenceSystem()
    return CloudHead(path, int(header.point_count), attributes, known, unit_told(records))


def _is_whole(dimension: Any) -> bool:
    return dimension.kind.name != "FloatingPoint" and not dimension.is_scaled


def _crs_of(records: Sequence[Any]) -> QgsCoordinateReferenceSystem:
    """What the file says, as well-known text or as a number of the EPSG register."""
    text = _text(records)
    if text:
        return QgsCoordinateReferenceSystem.fromWkt(text)
    for wanted in (_PROJECTED_KEY, _GEOGRAPHIC_KEY):
        for record in records:
            for key in getattr(record, "geo_keys", ()):
                if key.id == wanted and key.value_offset not in _NO_EPSG:
                    return QgsCoordinateReferenceSystem(f"EPSG:{key.value_offset}")
    return QgsCoordinateReferenceSystem()


def _text(records: Sequence[Any]) -> str:
    """The first system in well-known text; empty without one."""
    stored = (getattr(record, "string", "") for record in records)
    return next(filter(None, (text.strip("\0 ") for text in stored if isinstance(text, str))), "")


def _check_length(path: Path, header: Any) -> None:
    """Refuse a file that ends before its points begin or, where points are not compressed, before they end."""
    there = path.stat().st_size - int(header.offset_to_point_data)
    each = header.point_format.size
    missing = not header.are_points_compressed and there < header.point_count * each
    if there < 0 or missing:
        raise ends_early(path, max(there, 0) // each, header.point_count)


_VERTICAL_SYSTEM_KEY, _VERTICAL_UNIT_KEY = 4096, 4099
#: Metres per unit, by number of the EPSG register.
_UNITS = {9001: 1.0, 9002: 0.3048, 9003: 1200 / 3937, 9005: 0.3047972654, 9041: 0.3047994715}


def unit_told(records: Sequence[Any]) -> float | None:
    """Metres per unit of z as the LASF_Projection records of a file tell it; None where they do not."""
    text = _text(records)
    if text:
        return _vertical_unit(osr.SpatialReference.ImportFromWkt, text)
    keys = {
        key.id: key.value_offset for record in records for key in getattr(record, "geo_keys", ())
    }
    if keys.get(_VERTICAL_UNIT_KEY) in _UNITS:
        return _UNITS[keys[_VERTICAL_UNIT_KEY]]
    known = _VERTICAL_SYSTEM_KEY in keys
    return (
        _vertical_unit(osr.SpatialReference.ImportFromEPSG, keys[_VERTICAL_SYSTEM_KEY])
        if known
        else None
    )


def unit_of_system(crs: QgsCoordinateReferenceSystem) -> float | None:
    """Metres per unit of the vertical axis of a system; None for one without."""
    text = crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED)
    return _vertical_unit(osr.SpatialReference.ImportFromWkt, text) if crs.isValid() else None


def _vertical_unit(define: Callable[[osr.SpatialReference, Any], int], source: Any) -> float | None:
    """Metres per unit of the vertical axis; None for a system without, and for what is no system."""
    system = osr.SpatialReference()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        if define(system, source) != 0:
            return None
    except (RuntimeError, TypeError):  # no system, or text with what no text holds
        return None
    finally:
        gdal.PopErrorHandler()
    if system.IsVertical():
        return float(system.GetTargetLinearUnits("VERT_CS"))
    # A height above the ellipsoid, which the register has in metres only.
    return 1.0 if system.IsGeographic() and system.GetAxesCount() == 3 else None


_RECORD, _EXTENDED_RECORD = 54, 60
_HEADER, _HEADER_1_4 = 227, 375
_LASZIP = 22204
#: Chunk size of files whose chunks differ in size.
_ANY_SIZE = 0xFFFFFFFF
_LARGEST_CHUNK = 1 << 22
#: Item of a compressed point -> number of parts that each chunk holds it in; of extra bytes one each.
_PARTS = {10: 9, 11: 1, 12: 2, 13: 1}
_EXTRA_BYTES = 14


def damaged(path: Path, why: Remark | BaseException) -> InputError:
    """The error about a file that cannot be read."""
    said = "{file} cannot be read as a point cloud; it is damaged or ends early ({why}). Copy or download it again."
    return InputError(said, file=path.name, why=why)


def ends_early(path: Path, found: int, expected: int) -> InputError:
    """The error about a file that has fewer points than it says."""
    said = "{file} ends early: only {found:,} of {expected:,} points are there. Copy or download it again."
    return InputError(said, file=path.name, found=found, expected=expected)


def check_header(path: Path) -> None:
    """Refuse a file without room for the records and chunks that it says it has; takes no time, whatever it says."""
    n_bytes = path.stat().st_size
    with path.open("rb") as file:
        header = file.read(_HEADER_1_4)
        if len(header) < _HEADER or header[:4] != b"LASF":
            raise damaged(path, info("cloud.damaged", "it has no header of a LAS file"))
        size, points_at, n_records = struct.unpack_from("<HII", header, 94)
        if not size + _RECORD * n_records <= points_at <= n_bytes:
            raise damaged(
                path,
                info(
                    "cloud.damaged",
                    "it says that it has {number:,} header records",
                    number=n_records,
                ),
            )
        if header[25] >= 4 and len(header) >= _HEADER_1_4:
            start, number = struct.unpack_from("<QI", header, 235)
            if number and start + _EXTENDED_RECORD * number > n_bytes:
                raise damaged(
                    path,
                    info(
                        "cloud.damaged",
                        "it says that it has {number:,} extended header records",
                        number=number,
                    ),
                )
        if header[104] & 0x80:
            _check_chunk_table(path, file, header, n_bytes)


def check_chunks(path: Path) -> None:
    """Refuse a file with a chunk of compressed points whose parts do not fit into it."""
    import lazrs

    with path.open("rb") as file:
        header = file.read(_HEADER_1_4)
        if not header[104] & 0x80:
            return
        place = struct.unpack_from("<I", header, 96)[0]
        record = _laszip_record(file, header)
        n_parts, point = _parts_of(record)
        if n_parts == 0:
            return
        file.seek(place)
        chunks = lazrs.read_chunk_table(file, lazrs.LazVlr(record))
        place += 8
        for number, (_, n_bytes) in enumerate(chunks):
            file.seek(place + point)
            sizes = file.read(4 + 4 * n_parts)
            if len(sizes) == 4 + 4 * n_parts:
                inside = sum(struct.unpack(f"<{1 + n_parts}I", sizes)[1:])
                if point + len(sizes) + inside > n_bytes:
                    raise damaged(
                        path,
                        info(
                            "cloud.damaged",
                            "chunk {number} of {all} states a wrong size",
                            number=number + 1,
                            all=len(chunks),
                        ),
                    )
            place += n_bytes


def _check_chunk_table(path: Path, file: BinaryIO, header: bytes, n_bytes: int) -> None:
    points_at = struct.unpack_from("<I", header, 96)[0]
    point = struct.unpack_from("<H", header, 105)[0]
    n_points = (
        struct.unpack_from("<Q", header, 247)[0]
        if header[25] >= 4
        else struct.unpack_from("<I", header, 107)[0]
    )
    record = _laszip_record(file, header)
    if len(record) < 34:
        raise damaged(path, info("cloud.damaged", "it does not say how its points are compressed"))
    chunk_size = struct.unpack_from("<I", record, 12)[0]
    if chunk_size != _ANY_SIZE and not 0 < chunk_size <= max(n_points, _LARGEST_CHUNK):
        raise damaged(
            path,
            info(
                "cloud.damaged",
                "it says that its points come {number:,} at a time",
                number=chunk_size,
            ),
        )
    file.seek(points_at)
    table_at = _number(file, "<q")
    if table_at == -1:
        file.seek(n_bytes - 8)
        table_at = _number(file, "<q")
    if not points_at + 8 <= table_at <= n_bytes - 8:
        raise damaged(
            path, info("cloud.damaged", "the table of its compressed points is not in it")
        )
    file.seek(table_at + 4)
    n_chunks = _number(file, "<I")
    room = (table_at - points_at - 8) // max(point, 1)
    fitting = room if chunk_size == _ANY_SIZE else min(room, -(-n_points // chunk_size))
    if n_chunks > fitting + 1:
        raise damaged(
            path,
            info(
                "cloud.damaged", "it says that its points are in {number:,} chunks", number=n_chunks
            ),
        )


def _laszip_record(file: BinaryIO, header: bytes) -> bytes:
    """What the file says about the compression; empty where it says nothing."""
    size, _, n_records = struct.unpack_from("<HII", header, 94)
    file.seek(size)
    for _ in range(n_records):
        head = file.read(_RECORD)
        if len(head) < _RECORD:
            return b""
        number, n_bytes = struct.unpack_from("<HH", head, 18)
        data = file.read(n_bytes)
        if number == _LASZIP and head[2:16] == b"laszip encoded":
            return data
    return b""


def _parts_of(record: bytes) -> tuple[int, int]:
    """Number of parts of a chunk and bytes of a point; no part where points are compressed one after another."""
    number = struct.unpack_from("<H", record, 32)[0]
    items = [
        struct.unpack_from("<HHH", record, 34 + 6 * i)
        for i in range(number)
        if 40 + 6 * i <= len(record)
    ]
    if not items or items[0][0] not in _PARTS:
        return 0, 0
    parts = sum(size if kind == _EXTRA_BYTES else _PARTS.get(kind, 0) for kind, size, _ in items)
    return parts, sum(size for _, size, _ in items)


def _number(file: BinaryIO, form: str) -> int:
    data = file.read(struct.calcsize(form))
    return int(struct.unpack(form, data)[0]) if len(data) == struct.calcsize(form) else 0
