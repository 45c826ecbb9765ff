"""Whether the counts and places that a LAS or LAZ file states fit into it.

The libraries believe them: a damaged number makes them read a million records that are not there, or ask for more
memory than there is, without a word until they are done.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any, BinaryIO

from randcrowns.core.errors import InputError

_RECORD, _EXTENDED_RECORD = 54, 60
_HEADER, _HEADER_1_4 = 227, 375
_LASZIP = 22204
#: Chunk size of files whose chunks differ in size.
_ANY_SIZE = 0xFFFFFFFF
_LARGEST_CHUNK = 1 << 22
#: Item of a compressed point -> number of parts that each chunk holds it in; of extra bytes one each.
_PARTS = {10: 9, 11: 1, 12: 2, 13: 1}
_EXTRA_BYTES = 14


def damaged(path: Path, why: Any) -> str:
    """The sentence about a file that cannot be read."""
    return (
        f"{path.name} cannot be read as a point cloud; it is damaged or ends early ({why}). Copy or download it again."
    )


def ends_early(path: Path, found: int, expected: int) -> str:
    """The sentence about a file that has fewer points than it says."""
    return f"{path.name} ends early: only {found:,} of {expected:,} points are there. Copy or download it again."


def check_header(path: Path) -> None:
    """Check how many records and chunks there are said to be; takes no time, whatever they say.

    Raises:
        InputError: if there is no room for them in the file.
        OSError: if the file cannot be read.
    """
    n_bytes = path.stat().st_size
    with open(path, "rb") as file:
        header = file.read(_HEADER_1_4)
        if len(header) < _HEADER or header[:4] != b"LASF":
            raise InputError(damaged(path, "it has no header of a LAS file"))
        size, points_at, n_records = struct.unpack_from("<HII", header, 94)
        if not size + _RECORD * n_records <= points_at <= n_bytes:
            raise InputError(damaged(path, f"it says that it has {n_records:,} header records"))
        if header[25] >= 4 and len(header) >= _HEADER_1_4:
            start, number = struct.unpack_from("<QI", header, 235)
            if number and start + _EXTENDED_RECORD * number > n_bytes:
                raise InputError(damaged(path, f"it says that it has {number:,} extended header records"))
        if header[104] & 0x80:
            _check_chunk_table(path, file, header, n_bytes)


def check_chunks(path: Path) -> None:
    """Check that the parts of each chunk of compressed points fit into the chunk.

    Raises:
        InputError: if they do not.
        OSError: if the file cannot be read.
        ImportError: if lazrs is not installed.
    """
    import lazrs

    with open(path, "rb") as file:
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
                    raise InputError(damaged(path, f"chunk {number + 1} of {len(chunks)} states a wrong size"))
            place += n_bytes


def _check_chunk_table(path: Path, file: BinaryIO, header: bytes, n_bytes: int) -> None:
    """Check how large the chunks of compressed points, and how many they are said to be."""
    points_at = struct.unpack_from("<I", header, 96)[0]
    point = struct.unpack_from("<H", header, 105)[0]
    n_points = struct.unpack_from("<Q", header, 247)[0] if header[25] >= 4 else struct.unpack_from("<I", header, 107)[0]
    record = _laszip_record(file, header)
    if len(record) < 34:
        raise InputError(damaged(path, "it does not say how its points are compressed"))
    chunk_size = struct.unpack_from("<I", record, 12)[0]
    if chunk_size != _ANY_SIZE and not 0 < chunk_size <= max(n_points, _LARGEST_CHUNK):
        raise InputError(damaged(path, f"it says that its points come {chunk_size:,} at a time"))
    file.seek(points_at)
    table_at = _number(file, "<q")
    if table_at == -1:
        file.seek(n_bytes - 8)
        table_at = _number(file, "<q")
    if not points_at + 8 <= table_at <= n_bytes - 8:
        raise InputError(damaged(path, "the table of its compressed points is not in it"))
    file.seek(table_at + 4)
    n_chunks = _number(file, "<I")
    room = (table_at - points_at - 8) // max(point, 1)
    fitting = room if chunk_size == _ANY_SIZE else min(room, -(-n_points // chunk_size))
    if n_chunks > fitting + 1:
        raise InputError(damaged(path, f"it says that its points are in {n_chunks:,} chunks"))


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
    items = [struct.unpack_from("<HHH", record, 34 + 6 * i) for i in range(number) if 40 + 6 * i <= len(record)]
    if not items or items[0][0] not in _PARTS:
        return 0, 0
    parts = sum(size if kind == _EXTRA_BYTES else _PARTS.get(kind, 0) for kind, size, _ in items)
    return parts, sum(size for _, size, _ in items)


def _number(file: BinaryIO, form: str) -> int:
    data = file.read(struct.calcsize(form))
    return int(struct.unpack(form, data)[0]) if len(data) == struct.calcsize(form) else 0
