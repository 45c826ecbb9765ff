"""Numbers, texts and JSON in files of annotations, as programs and people write them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from randcrowns.core.errors import InputError

#: Larger files of text are refused, since they are read as a whole.
MOST_BYTES = 1 << 30
#: Coordinates beyond this are in no image and on no map.
LARGEST = 1e12


def number_of(value: Any) -> float:
    """A number, also one written as text; NaN for anything else.

    >>> number_of("0.5"), number_of(None), number_of(True)
    (0.5, nan, nan)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return math.nan
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan


def pixels_of(value: Any) -> int:
    """A width or height in pixels; 0 for anything that is none.

    >>> pixels_of(400), pixels_of("x"), pixels_of(1e400)
    (400, 0, 0)
    """
    number = number_of(value)
    return int(number) if 0 < number < LARGEST else 0


def text_in(path: Path, encoding: str = "utf-8-sig") -> str:
    """What stands in a file of text; an InputError that names the file where it cannot be read."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            said = "{path} is larger than {size} GB, which does not fit into memory; split it."
            raise InputError(said, path=path.name, size=MOST_BYTES >> 30)
        return path.read_text(encoding=encoding)
    except LookupError as error:
        said = "{path} says that it is written in {encoding}, which is unknown; save it as UTF-8."
        raise InputError(said, path=path.name, encoding=encoding) from error
    except OSError as error:
        raise InputError("{path} cannot be read: {why}.", path=path, why=error.strerror) from error
    except UnicodeDecodeError as error:
        raise InputError(
            "{path} is no text in {encoding} (byte {byte:,}); save it as UTF-8.",
            path=path.name,
            encoding="UTF-8" if encoding == "utf-8-sig" else encoding,
            byte=error.start,
        ) from error


def json_in(path: Path) -> Any:
    """What a JSON file holds; an InputError that names file and line where it is broken."""
    try:
        return json.loads(text_in(path))
    except json.JSONDecodeError as error:
        said = (
            "{path} is no whole JSON file: it breaks off or is wrong in line {line}, column {column}; get it again "
            "from where it came."
        )
        raise InputError(said, path=path.name, line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise InputError(
            "{path} is nested too deeply to be a file of annotations.", path=path.name
        ) from error
