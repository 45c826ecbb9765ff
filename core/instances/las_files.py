"""LAS, LAZ and COPC files: attributes, values for "no data", and checks for damage.

The libraries laspy and lazrs read the points; what they refuse or do not read is in this module.
"""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from randcrowns.core.arrays import Array
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.instances.cloud_values import (
    WITHHELD,
    CloudAttribute,
    damaged_file_error,
    truncated_file_error,
)
from randcrowns.core.messages import Message, info, note

#: Exceptions that the libraries raise for damaged files, in addition to their own.
_DAMAGE_ERRORS = (RuntimeError, ValueError, OSError, struct.error, MemoryError, OverflowError)

#: Id of the record that describes extra bytes, and the size of one description, bytes.
_EXTRA_BYTES_RECORD_ID = 4
_EXTRA_BYTES_SIZE = 192
#: Format in which the value for "no data" is stored, by type of the extra bytes (LAS 1.4, table
#: 24): eight bytes, unsigned, signed or floating point.
_NO_DATA_FORMS = {
    **dict.fromkeys((1, 3, 5, 7), "<Q"),
    **dict.fromkeys((2, 4, 6, 8), "<q"),
    **dict.fromkeys((9, 10), "<d"),
}

#: Size of a variable length record without its data, bytes.
_RECORD_SIZE = 54
#: Size of an extended variable length record without its data, bytes.
_EXTENDED_RECORD_SIZE = 60
#: Minimum size of the header of a LAS file, bytes.
_MIN_HEADER_SIZE = 227
#: Size of the header from LAS 1.4 on, bytes.
_HEADER_SIZE_1_4 = 375
#: Id of the record that describes the compression.
_LASZIP_RECORD_ID = 22204
#: Size of that record without its items, bytes, and the size of an item.
_MIN_LASZIP_SIZE = 34
_LASZIP_ITEM_SIZE = 6
#: Size of the offset of the chunk table, which comes before the chunks, bytes.
_TABLE_OFFSET_SIZE = 8
#: Size of the version and the number of chunks at the start of the chunk table, bytes.
_TABLE_HEAD_SIZE = 8
#: Chunk size that stands for chunks of variable size.
_VARIABLE_CHUNK_SIZE = 0xFFFFFFFF
#: Maximum plausible number of points in a chunk of a file with fewer points.
_MAX_CHUNK_SIZE = 1 << 22
#: Number of layers in which a chunk stores an item of a point, by type of the item. Extra bytes
#: have one layer per byte.
_LAYERS_PER_ITEM = {10: 9, 11: 1, 12: 2, 13: 1}
_EXTRA_BYTES_ITEM = 14
#: Standard attributes that are always decompressed, together with x, y and the class.
_ALWAYS_DECOMPRESSED = ("return_number", "number_of_returns", "scanner_channel")

# GeoTIFF keys, see the OGC GeoTIFF standard.
_GEOGRAPHIC_CRS_KEY = 2048
_PROJECTED_CRS_KEY = 3072
VERTICAL_CRS_KEY = 4096
VERTICAL_UNIT_KEY = 4099
#: Values of a CRS key that are no EPSG code: undefined and user-defined.
_NO_EPSG_CODE = (0, 32767)
#: Metres per unit, by EPSG code of the unit.
UNIT_LENGTHS = {9001: 1.0, 9002: 0.3048, 9003: 1200 / 3937, 9005: 0.3047972654, 9041: 0.3047994715}
#: Number of points per chunk; a chunk takes a fraction of a second.
CHUNK_SIZE = 200_000


def las_attributes(header: Any) -> tuple[CloudAttribute, ...]:
    """Return the attributes with one number per point in laspy's header of a file."""
    records = [*header.vlrs, *(header.evlrs or [])]
    declared_no_data = _declared_no_data(records)
    attributes = []
    for dimension in header.point_format.dimensions:
        name = dimension.name
        if dimension.num_elements != 1 or name in ("X", "Y", "Z"):
            continue
        attribute = CloudAttribute(
            name=name,
            is_integer=dimension.kind.name != "FloatingPoint" and not dimension.is_scaled,
            is_extra=not dimension.is_standard,
            no_data=None if dimension.is_standard else declared_no_data.get(name),
            scaling=_scaling(dimension),
            largest_unsigned=_largest_unsigned(dimension),
        )
        attributes.append(attribute)
    return tuple(attributes)


def _largest_unsigned(dimension: Any) -> int | None:
    """Return the largest number of an unscaled attribute without negative numbers, else None."""
    is_unsigned = dimension.kind.name == "UnsignedInteger" and not dimension.is_scaled
    return 2 ** int(dimension.num_bits) - 1 if is_unsigned else None


def projection_records(header: Any) -> list[Any]:
    """Return the records about the coordinate system in laspy's header of a file."""
    records = (*header.vlrs, *(header.evlrs or ()))
    return [record for record in records if record.user_id == "LASF_Projection"]


def geo_keys(records: Sequence[Any]) -> dict[int, int]:
    """Return the GeoTIFF keys in records about the coordinate system; the first of each counts.

    Args:
        records: laspy's records; those without keys are skipped.

    Returns:
        The value of each key by its number.
    """
    keys: dict[int, int] = {}
    for record in records:
        for key in getattr(record, "geo_keys", ()):
            keys.setdefault(key.id, key.value_offset)
    return keys


def epsg_code(records: Sequence[Any]) -> int | None:
    """Return the EPSG code of the CRS in records about the coordinate system; None without one."""
    keys = geo_keys(records)
    codes = [keys.get(key) for key in (_PROJECTED_CRS_KEY, _GEOGRAPHIC_CRS_KEY)]
    return next((code for code in codes if code is not None and code not in _NO_EPSG_CODE), None)


def las_chunks(reader: Any) -> Iterator[Mapping[str, Array]]:
    """Yield the points of laspy's reader in chunks, as arrays by attribute and x, y, z."""
    for points in reader.chunk_iterator(CHUNK_SIZE):
        yield _LasChunk(points)


class _LasChunk(Mapping[str, Array]):
    """Points of laspy as arrays by name, which are made when they are used.

    Args:
        points: record of points of laspy.
    """

    def __init__(self, points: Any) -> None:
        self._points = points

    def __getitem__(self, name: str) -> Array:
        if name in "xyz":
            return np.asarray(getattr(self._points, name))
        return np.asarray(self._points[name])

    def __iter__(self) -> Iterator[str]:
        return iter(("x", "y", "z", *self._points.point_format.dimension_names))

    def __len__(self) -> int:
        return len(list(iter(self)))


def decompression_selection(laspy: Any, attributes: Sequence[CloudAttribute]) -> Any:
    """Return laspy's flags of the parts of a point to decompress: x, y, z and the attributes.

    Args:
        laspy: the module laspy.
        attributes: attributes that are read.
    """
    flags = laspy.DecompressionSelection
    selection = flags.XY_RETURNS_CHANNEL | flags.Z
    for attribute in attributes:
        if attribute.is_extra:
            selection |= flags.ALL_EXTRA_BYTES
        elif attribute.name == WITHHELD:
            selection |= (
                flags.CLASSIFICATION | flags.FLAGS
            )  # the flag's place up to format 5, since
        elif attribute.name not in _ALWAYS_DECOMPRESSED:
            selection |= getattr(flags, attribute.name.upper(), flags.all())
    return selection


class _PatchedFile(io.RawIOBase):
    """Binary file in which some bytes are read as others; the file itself stays as it is.

    Args:
        path: the file.
        patches: offset and new content of the bytes.
    """

    def __init__(self, path: Path, patches: Sequence[_Patch]) -> None:
        super().__init__()
        self._file = path.open("rb")
        self._patches = patches

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move to an offset, as a file does."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Return the current offset."""
        return self._file.tell()

    def readinto(self, buffer: Any) -> int:
        """Read bytes into a buffer, as a file does."""
        data_start = self._file.tell()
        data = bytearray(self._file.read(len(buffer)))
        data_end = data_start + len(data)
        for patch in self._patches:
            # The part of the patch that lies in the data, as offsets in the file.
            start = max(patch.offset, data_start)
            end = min(patch.offset + len(patch.content), data_end)
            if start < end:
                content = patch.content[start - patch.offset : end - patch.offset]
                data[start - data_start : end - data_start] = content
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


class _Patch(NamedTuple):
    """Bytes of a file that are read as others."""

    offset: int  #: offset of the first byte in the file.
    content: bytes  #: new content.
    renamed: str = ""  #: name of the attribute that is renamed; "" for another repair.


def open_las(path: Path, laspy: Any, **options: Any) -> Any:
    """Return laspy's reader of a file, also for two kinds of files that laspy refuses.

    Of several attributes with one name, the later ones get a number (``tree``, ``tree_2``). A
    chunk size of 0, as LAStools writes in COPC files, stands for chunks of variable size.

    Args:
        path: the file.
        laspy: the module laspy.
        **options: further arguments of ``laspy.open``.
    """
    patches = _find_patches(path, laspy)
    source = io.BufferedReader(_PatchedFile(path, patches)) if patches else str(path)
    return laspy.open(source, **options)


def _find_patches(path: Path, laspy: Any) -> list[_Patch]:
    """Return the bytes of a file that must be read as others; see :func:`open_las`."""
    patches: list[_Patch] = []
    with path.open("rb") as file:
        header = _LasHeader.read(file)
        point_format = header.data[104] & 0x3F
        used_names = set()
        if point_format in laspy.supported_point_formats():
            used_names = set(laspy.PointFormat(point_format).dimension_names)
        for record in _records(file, header):
            if record.is_laszip and record.data[12:16] == b"\0\0\0\0":
                size = struct.pack("<I", _VARIABLE_CHUNK_SIZE)
                patches.append(_Patch(record.data_start + 12, size))
            if record.is_extra_bytes:
                patches += _name_patches(record, used_names)
    return patches


def _name_patches(record: _Record, used_names: set[str]) -> list[_Patch]:
    """Return new names for the attributes in a record whose name is empty or occurs before.

    Args:
        record: record about extra bytes.
        used_names: names that occur before; the names of the record are added.
    """
    patches = []
    for start in range(4, len(record.data) - _EXTRA_BYTES_SIZE + 5, _EXTRA_BYTES_SIZE):
        name = record.data[start : start + 32].split(b"\0")[0].decode("utf-8", "replace")
        new_name = name
        number = 1
        while new_name in used_names:
            number += 1
            new_name = f"{name[:26]}_{number}"
        used_names.add(new_name)
        if new_name != name:
            content = new_name.encode("utf-8")[:32].ljust(32, b"\0")
            patches.append(_Patch(record.data_start + start, content, name))
    return patches


@contextmanager
def report_damage(path: Path, laspy: Any) -> Iterator[None]:
    """Convert exceptions of the libraries to an InputError about a damaged file.

    Args:
        path: the file that is read in the context.
        laspy: the module laspy.
    """
    try:
        yield
    except RandCrownsError:
        raise
    except (laspy.errors.LaspyException, *_DAMAGE_ERRORS) as error:
        raise damaged_file_error(path, error) from error
    except BaseException as error:
        # A panic of lazrs, which is written in Rust, is not derived from Exception, and its class
        # cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise damaged_file_error(path, error) from error


def name_messages(path: Path, laspy: Any) -> tuple[Message, ...]:
    """Return a message for each attribute whose name occurs before in the file.

    Args:
        path: path of the file.
        laspy: the module laspy.
    """
    messages = []
    for patch in _find_patches(path, laspy):
        if not patch.renamed:
            continue
        new_name = patch.content.rstrip(b"\0").decode("utf-8", "replace")
        message = note(
            "cloud.same_name",
            "{file} has several attributes named '{name}'; the later one is called '{other}' here.",
            file=path.name,
            name=patch.renamed,
            other=new_name,
        )
        messages.append(message)
    return tuple(messages)


def _scaling(dimension: Any) -> tuple[float, float]:
    """Return factor and offset of an attribute, as laspy describes it."""
    if not dimension.is_scaled:
        return 1.0, 0.0
    scales = dimension.scales
    offsets = dimension.offsets
    scale = 1.0 if scales is None else float(scales[0])
    offset = 0.0 if offsets is None else float(offsets[0])
    return scale, offset


def _declared_no_data(records: Sequence[Any]) -> dict[str, int | float]:
    """Return the values that mean "no data" by attribute, from the records about extra bytes.

    laspy does not read them. They are stored as an integer or a float of eight bytes, by the type
    of the attribute, and hold only if the first bit of the options is set.

    Args:
        records: records of the file, as laspy reads them.
    """
    no_data_values: dict[str, int | float] = {}
    for record in records:
        if record.user_id != "LASF_Spec" or record.record_id != _EXTRA_BYTES_RECORD_ID:
            continue
        data = record.record_data_bytes()
        for start in range(0, len(data) - _EXTRA_BYTES_SIZE + 1, _EXTRA_BYTES_SIZE):
            data_type = data[start + 2]
            options = data[start + 3]
            form = _NO_DATA_FORMS.get(data_type)
            if form is None or not options & 1:
                continue
            name = data[start + 4 : start + 36].split(b"\0")[0].decode("utf-8", "replace")
            no_data_values[name] = struct.unpack_from(form, data, start + 40)[0]
    return no_data_values


def wkt_of(records: Sequence[Any]) -> str:
    """Return the first well-known text of LASF_Projection records; "" without one."""
    for record in records:
        text = getattr(record, "string", "")
        if isinstance(text, str) and text.strip("\0 "):
            return text.strip("\0 ")
    return ""


def check_length(path: Path, header: Any) -> None:
    """Raise InputError if a file is too short for its points, as laspy's header counts them.

    The length of compressed points is unknown; then only the start of the points is checked.

    Args:
        path: path of the file.
        header: laspy's header of the file.
    """
    n_point_bytes = path.stat().st_size - int(header.offset_to_point_data)
    point_size = header.point_format.size
    n_required_bytes = 0 if header.are_points_compressed else header.point_count * point_size
    if n_point_bytes < n_required_bytes:
        n_complete_points = max(n_point_bytes, 0) // point_size
        raise truncated_file_error(path, n_complete_points, header.point_count)


@dataclass(frozen=True)
class _LasHeader:
    """Public header block of a LAS file; the offsets are those of the LAS 1.4 specification."""

    #: The first bytes of the file, at most 375.
    data: bytes

    @classmethod
    def read(cls, file: BinaryIO) -> _LasHeader:
        """Read the header from the start of a file."""
        return cls(file.read(_HEADER_SIZE_1_4))

    def _field(self, form: str, offset: int) -> int:
        """Return an integer in a format of :mod:`struct` at an offset in bytes."""
        return int(struct.unpack_from(form, self.data, offset)[0])

    @property
    def is_las(self) -> bool:
        """True if the file starts like a LAS file."""
        return len(self.data) >= _MIN_HEADER_SIZE and self.data[:4] == b"LASF"

    @property
    def is_version_1_4(self) -> bool:
        """True from LAS 1.4 on."""
        return self.data[25] >= 4

    @property
    def size(self) -> int:
        """Size of the header, bytes; the records follow."""
        return self._field("<H", 94)

    @property
    def points_start(self) -> int:
        """Offset of the points, bytes."""
        return self._field("<I", 96)

    @property
    def n_records(self) -> int:
        """Number of variable length records."""
        return self._field("<I", 100)

    @property
    def is_compressed(self) -> bool:
        """True if the points are compressed."""
        return bool(self.data[104] & 0x80)

    @property
    def point_size(self) -> int:
        """Size of an uncompressed point, bytes."""
        return self._field("<H", 105)

    @property
    def n_points(self) -> int:
        """Number of points."""
        return self._field("<Q", 247) if self.is_version_1_4 else self._field("<I", 107)

    @property
    def extended_records_start(self) -> int:
        """Offset of the extended records, bytes; from LAS 1.4 on."""
        return self._field("<Q", 235)

    @property
    def n_extended_records(self) -> int:
        """Number of extended records; 0 before LAS 1.4, or if the header is incomplete."""
        has_field = self.is_version_1_4 and len(self.data) >= _HEADER_SIZE_1_4
        return self._field("<I", 243) if has_field else 0

    @property
    def extended_records_end(self) -> int:
        """Minimum offset of the end of the extended records, bytes; 0 without any."""
        if self.n_extended_records == 0:
            return 0
        return self.extended_records_start + _EXTENDED_RECORD_SIZE * self.n_extended_records


def check_header(path: Path) -> None:
    """Raise InputError if a file is too short for the records and chunks that its header specifies.

    The check takes constant time, whatever numbers a damaged header contains.

    Args:
        path: the file.
    """
    n_bytes = path.stat().st_size
    with path.open("rb") as file:
        header = _LasHeader.read(file)
        if not header.is_las:
            raise damaged_file_error(
                path, info("cloud.no_header", "it has no header of a LAS file")
            )
        records_end = header.size + _RECORD_SIZE * header.n_records
        if not records_end <= header.points_start <= n_bytes:
            raise damaged_file_error(
                path,
                info(
                    "cloud.too_many_records",
                    "its header specifies {number:,} header records",
                    number=header.n_records,
                ),
            )
        if header.extended_records_end > n_bytes:
            raise damaged_file_error(
                path,
                info(
                    "cloud.too_many_extended_records",
                    "its header specifies {number:,} extended header records",
                    number=header.n_extended_records,
                ),
            )
        if header.is_compressed:
            _check_chunk_table(path, file, header, n_bytes)


def check_chunks(path: Path) -> None:
    """Raise InputError if the layers of a chunk of compressed points do not fit into the chunk.

    A chunk in layers consists of the first point, uncompressed; the number of points; the size of
    each layer; and the layers.

    Args:
        path: the file.
    """
    import lazrs

    with path.open("rb") as file:
        header = _LasHeader.read(file)
        if not header.is_compressed:
            return
        record = _laszip_record(file, header)
        layout = _chunk_layout(record)
        if layout.n_layers == 0:
            return
        file.seek(header.points_start)
        chunks = lazrs.read_chunk_table(file, lazrs.LazVlr(record))
        # The offset of the chunk table comes before the chunks.
        chunk_start = header.points_start + _TABLE_OFFSET_SIZE
        n_file_bytes = path.stat().st_size
        for number, (_, n_chunk_bytes) in enumerate(chunks, start=1):
            n_required_bytes = _required_chunk_bytes(file, chunk_start, layout)
            if n_required_bytes > min(n_chunk_bytes, n_file_bytes - chunk_start):
                raise damaged_file_error(
                    path,
                    info(
                        "cloud.wrong_chunk_size",
                        "chunk {number} of {all} states a wrong size",
                        number=number,
                        all=len(chunks),
                    ),
                )
            chunk_start += n_chunk_bytes


def _required_chunk_bytes(file: BinaryIO, chunk_start: int, layout: _ChunkLayout) -> int:
    """Return the number of bytes that a chunk in layers needs according to the sizes in it.

    Args:
        file: the opened file.
        chunk_start: offset of the chunk in the file.
        layout: layout of the chunks.
    """
    # The number of points and the size of each layer follow the first point.
    numbers_form = f"<{1 + layout.n_layers}I"
    n_number_bytes = struct.calcsize(numbers_form)
    file.seek(chunk_start + layout.point_size)
    number_bytes = file.read(n_number_bytes)
    n_required_bytes = layout.point_size + n_number_bytes
    if len(number_bytes) == n_number_bytes:
        _n_points, *layer_sizes = struct.unpack(numbers_form, number_bytes)
        n_required_bytes += sum(layer_sizes)
    return n_required_bytes


def _check_chunk_table(path: Path, file: BinaryIO, header: _LasHeader, n_bytes: int) -> None:
    """Raise InputError if the table of compressed chunks is missing or too long.

    Args:
        path: path of the file, for messages.
        file: the opened file.
        header: header of the file.
        n_bytes: size of the file.
    """
    chunk_size = _read_chunk_size(path, file, header)
    file.seek(header.points_start)
    table_start = _read_integer(file, "<q")
    if table_start == -1:  # The file was written as a stream; the offset is at its end.
        file.seek(n_bytes - _TABLE_OFFSET_SIZE)
        table_start = _read_integer(file, "<q")
    chunks_start = header.points_start + _TABLE_OFFSET_SIZE
    if not chunks_start <= table_start <= n_bytes - _TABLE_HEAD_SIZE:
        reason = info("cloud.no_chunk_table", "the table of its compressed points is missing")
        raise damaged_file_error(path, reason)

    # The table begins with its version and the number of chunks, 4 bytes each.
    file.seek(table_start + 4)
    n_chunks = _read_integer(file, "<I")
    # Each chunk contains at least one uncompressed point.
    max_chunks = (table_start - chunks_start) // max(header.point_size, 1)
    if chunk_size is not None:
        max_chunks = min(max_chunks, math.ceil(header.n_points / chunk_size))
    if n_chunks > max_chunks + 1:
        reason = info("cloud.too_many_chunks", "it specifies {number:,} chunks", number=n_chunks)
        raise damaged_file_error(path, reason)


def _read_chunk_size(path: Path, file: BinaryIO, header: _LasHeader) -> int | None:
    """Return the number of points in a compressed chunk; None for chunks of variable size.

    Args:
        path: path of the file, for messages.
        file: the opened file.
        header: header of the file.

    Raises:
        InputError: if the file does not specify its compression, or specifies too large chunks.
    """
    record = _laszip_record(file, header)
    if len(record) < _MIN_LASZIP_SIZE:
        reason = info("cloud.no_compression", "it does not specify how its points are compressed")
        raise damaged_file_error(path, reason)
    chunk_size = int(struct.unpack_from("<I", record, 12)[0])
    # LAStools writes 0 in COPC files, which also have chunks of variable size.
    if chunk_size in (0, _VARIABLE_CHUNK_SIZE):
        return None
    if chunk_size > max(header.n_points, _MAX_CHUNK_SIZE):
        reason = info(
            "cloud.chunks_too_large", "it specifies chunks of {number:,} points", number=chunk_size
        )
        raise damaged_file_error(path, reason)
    return chunk_size


class _Record(NamedTuple):
    """Variable length record of a file."""

    user_id: bytes  #: user id, without zeros at its end.
    record_id: int  #: record id.
    data_start: int  #: offset of the data in the file.
    data: bytes  #: the data.

    @property
    def is_laszip(self) -> bool:
        """True for the record that describes the compression."""
        return self.user_id == b"laszip encoded" and self.record_id == _LASZIP_RECORD_ID

    @property
    def is_extra_bytes(self) -> bool:
        """True for the record that describes the attributes outside the LAS standard."""
        return self.user_id == b"LASF_Spec" and self.record_id == _EXTRA_BYTES_RECORD_ID


def _records(file: BinaryIO, header: _LasHeader) -> Iterator[_Record]:
    """Yield the variable length records of a file, as far as they are complete.

    Args:
        file: the opened file.
        header: header of the file.
    """
    start = header.size
    for _ in range(header.n_records):
        file.seek(start)
        record_header = file.read(_RECORD_SIZE)
        if len(record_header) < _RECORD_SIZE:
            return
        record_id, n_data_bytes = struct.unpack_from("<HH", record_header, 18)
        user_id = record_header[2:18].split(b"\0")[0]
        yield _Record(user_id, record_id, start + _RECORD_SIZE, file.read(n_data_bytes))
        start += _RECORD_SIZE + n_data_bytes


def _laszip_record(file: BinaryIO, header: _LasHeader) -> bytes:
    """Return the data of the record that describes the compression; empty if it is missing.

    A chunk size of 0 is replaced by the number that stands for chunks of variable size.
    """
    for record in _records(file, header):
        if not record.is_laszip:
            continue
        # Bytes 12 to 15 are the chunk size, of which 0 also stands for variable sizes.
        before, chunk_size, after = record.data[:12], record.data[12:16], record.data[16:]
        if chunk_size == b"\0\0\0\0":
            chunk_size = struct.pack("<I", _VARIABLE_CHUNK_SIZE)
        return before + chunk_size + after
    return b""


class _ChunkLayout(NamedTuple):
    """Layout of the chunks of a file."""

    #: Number of layers of a chunk; 0 if points are compressed one after another.
    n_layers: int
    #: Size of an uncompressed point, bytes; 0 if there are no layers.
    point_size: int


def _chunk_layout(record: bytes) -> _ChunkLayout:
    """Return the layout of chunks from the data of the record that describes the compression."""
    n_items = struct.unpack_from("<H", record, 32)[0]
    items = []
    for index in range(n_items):
        offset = _MIN_LASZIP_SIZE + _LASZIP_ITEM_SIZE * index
        if offset + _LASZIP_ITEM_SIZE <= len(record):
            item_type, size, _version = struct.unpack_from("<HHH", record, offset)
            items.append((item_type, size))
    if not items or items[0][0] not in _LAYERS_PER_ITEM:
        return _ChunkLayout(0, 0)

    n_layers = 0
    point_size = 0
    for item_type, size in items:
        n_layers += size if item_type == _EXTRA_BYTES_ITEM else _LAYERS_PER_ITEM.get(item_type, 0)
        point_size += size
    return _ChunkLayout(n_layers, point_size)


def _read_integer(file: BinaryIO, form: str) -> int:
    """Read an integer in a format of :mod:`struct`; return 0 at the end of the file."""
    n_bytes = struct.calcsize(form)
    data = file.read(n_bytes)
    return int(struct.unpack(form, data)[0]) if len(data) == n_bytes else 0
