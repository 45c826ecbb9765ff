"""Tolerant conversion of numbers, and reading of text and JSON in files of annotations."""

from __future__ import annotations

import array
import codecs
import gc
import gzip
import io
import json
import math
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from randcrowns.core.arrays import Floats
from randcrowns.core.errors import InputError

#: Maximum size of a text file, which is read as a whole, bytes.
MAX_BYTES = 1 << 30
#: Byte order marks, and the encodings they stand for; the longer ones first.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Extension of compressed files, in lower case.
_GZIP = ".gz"
#: Errors while a file is read, whose compressed content may be damaged.
_READ_ERRORS = (OSError, EOFError, zlib.error)
#: Limit of the absolute value of a coordinate in an image or on a map.
MAX_COORDINATE = 1e12


def parse_number(value: Any) -> float:
    """Convert a number, or a number written as text, to a float.

    Args:
        value: a value from a file.

    Returns:
        The number; NaN for any other value, including booleans.

    >>> parse_number("0.5"), parse_number(None), parse_number(True)
    (0.5, nan, nan)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return math.nan
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan


def parse_numbers(values: Iterable[Any]) -> Floats:
    """Convert numbers, or numbers written as text, to an array (n,).

    Args:
        values: values from a file.

    Returns:
        The numbers; NaN for any other value.

    >>> parse_numbers(["0.5", None, 2]).tolist()
    [0.5, nan, 2.0]
    """
    listed = list(values)
    # Several times faster than numpy for a list of numbers, and it refuses text.
    with suppress(TypeError, OverflowError):
        numbers = np.frombuffer(array.array("d", listed), dtype=np.float64)
        may_be_boolean = np.flatnonzero((numbers == 0) | (numbers == 1)).tolist()
        if not any(type(listed[place]) is bool for place in may_be_boolean):
            return numbers
    return np.array([parse_number(value) for value in listed], dtype=np.float64)


def parse_pixels(value: Any) -> int:
    """Convert the width or height of an image to an integer.

    Args:
        value: a value from a file.

    Returns:
        The number of pixels; 0 if the value is not a valid width or height.

    >>> parse_pixels(400), parse_pixels("x"), parse_pixels(1e400)
    (400, 0, 0)
    """
    number = parse_number(value)
    return int(number) if 0 < number < MAX_COORDINATE else 0


@contextmanager
def paused_collection() -> Iterator[None]:
    """Pause Python's search for reference cycles.

    JSON has no cycles, but each of its many lists counts towards the next search, which costs more
    than the decoding itself.

    >>> with paused_collection():
    ...     gc.isenabled()
    False
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def file_extension(path: Path) -> str:
    """Return the extension of a file in lower case; of a compressed file, both of its extensions.

    >>> file_extension(Path("truth.JSON")), file_extension(Path("truth.json.gz"))
    ('.json', '.json.gz')
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    n_own = 2 if suffixes[-1:] == [_GZIP] else 1
    return "".join(suffixes[-n_own:])


def read_first_bytes(path: Path, n_bytes: int) -> bytes:
    """Return the first bytes of a file; those of its content if it is compressed with gzip.

    Args:
        path: the file.
        n_bytes: maximum number of bytes.

    Raises:
        InputError: if the file cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "plot_1.txt"
    ...     _ = path.write_bytes(b"0 0.5 0.5 0.1 0.1")
    ...     read_first_bytes(path, 5)
    b'0 0.5'
    """
    try:
        with _open_binary(path) as file:
            return file.read(n_bytes)
    except _READ_ERRORS as error:
        raise unreadable_error(path, error) from error


def _open_binary(path: Path) -> IO[bytes]:
    """Open a file, or the content of a file that is compressed with gzip."""
    if path.suffix.lower() == _GZIP:
        return cast("IO[bytes]", gzip.open(path))
    return path.open("rb")


def encoding_of_mark(beginning: bytes) -> str:
    """Return the encoding that the byte order mark of a text file stands for.

    Args:
        beginning: the first bytes of the file.

    Returns:
        Name of the encoding; UTF-8 without a mark.

    >>> encoding_of_mark("0 0.5".encode("utf-16")), encoding_of_mark(b"0 0.5")
    ('utf-16', 'utf-8-sig')
    """
    names = (name for mark, name in BYTE_ORDER_MARKS if beginning.startswith(mark))
    return next(names, "utf-8-sig")


def detect_text_encoding(path: Path) -> str:
    """Return the encoding of a text file from its byte order mark; UTF-8 without one.

    Raises:
        InputError: if the file cannot be read.
    """
    return encoding_of_mark(read_first_bytes(path, len(codecs.BOM_UTF32)))


def read_text(path: Path, encoding: str = "") -> str:
    """Read a text file.

    Args:
        path: the file.
        encoding: name of its encoding; by default that of its byte order mark, or UTF-8.

    Returns:
        The content of the file.

    Raises:
        InputError: naming the file, if it is too large, cannot be read or is not in this encoding.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "plot_1.txt"
    ...     _ = path.write_text("0 0.5 0.5 0.1 0.1", encoding="utf-8")
    ...     read_text(path)
    '0 0.5 0.5 0.1 0.1'
    """
    try:
        content = _read_content(path)
        if content is None:
            raise InputError(
                "file.too_large",
                "{path} is larger than {size} GB, which does not fit into memory; split it.",
                path=path.name,
                size=MAX_BYTES >> 30,
            )
        encoding = encoding or detect_text_encoding(path)
        return io.TextIOWrapper(io.BytesIO(content), encoding=encoding).read()
    except LookupError as error:
        raise InputError(
            "file.unknown_encoding",
            "{path} names the encoding {encoding}, which is unknown; save it as UTF-8.",
            path=path.name,
            encoding=encoding,
        ) from error
    except _READ_ERRORS as error:
        raise unreadable_error(path, error) from error
    except UnicodeDecodeError as error:
        raise InputError(
            "file.wrong_encoding",
            "{path} is not text in {encoding} (byte {byte:,}); save it as UTF-8.",
            path=path.name,
            encoding="UTF-8" if encoding == "utf-8-sig" else encoding,
            byte=error.start,
        ) from error


def _read_content(path: Path) -> bytes | None:
    """Return the content of a file; None if it is larger than :data:`MAX_BYTES`."""
    if path.stat().st_size > MAX_BYTES:
        return None
    with _open_binary(path) as file:
        # A compressed file may be much larger than its size on the disk.
        content = file.read(MAX_BYTES + 1)
    return content if len(content) <= MAX_BYTES else None


def read_json(path: Path) -> Any:
    """Read a JSON file, or a file with a JSON object per line.

    Args:
        path: the file.

    Returns:
        The decoded content; of a file with an object per line, the list of the objects.

    Raises:
        InputError: naming the file and the line, if the file cannot be read or is not valid JSON.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "truth.json"
    ...     _ = path.write_text('{"images": []}', encoding="utf-8")
    ...     read_json(path)
    {'images': []}
    """
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        records = _parse_json_lines(text)
        if records is not None:
            return records
        raise InputError(
            "json.incomplete",
            "{path} is not a complete JSON file: it ends early or is wrong in line {line}, "
            "column {column}; get it again from its source.",
            path=path.name,
            line=error.lineno,
            column=error.colno,
        ) from error
    except ValueError as error:  # Python limits the digits of whole numbers.
        raise InputError(
            "json.long_number",
            "{path} contains a whole number of thousands of digits, which no file of annotations "
            "needs; get it again from its source.",
            path=path.name,
        ) from error
    except RecursionError as error:
        raise InputError(
            "json.nested_too_deeply",
            "{path} is nested too deeply to be a file of annotations.",
            path=path.name,
        ) from error


def _parse_json_lines(content: str) -> list[Any] | None:
    """Return the objects of a file with a JSON object per line; None for other files."""
    lines = [line for line in content.split("\n") if line.strip()]
    try:
        records = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return None
    return records if all(isinstance(record, dict) for record in records) else None


def unreadable_error(path: Path, error: Exception) -> InputError:
    """Return the error that a file cannot be read."""
    return InputError(
        "file.unreadable",
        "{path} cannot be read: {why}.",
        path=path,
        why=getattr(error, "strerror", None) or error,
    )
