"""Checks of the paths that a command names."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from randcrowns.core.errors import InputError


def checked_path(path: str | Path) -> Path:
    """Return a path if every library can handle it.

    Raises:
        InputError: if the path is not UTF-8, which Parquet and GDAL require, or too long.
    """
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            "path.not_utf8",
            "The path {path} is not UTF-8, as Parquet and GDAL require. Rename the file or folder.",
            path=os.fsencode(path).decode("utf-8", "backslashreplace"),
        ) from error
    try:
        Path(path).stat()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise InputError(
                "path.too_long",
                "The path {path} is too long for this file system. Shorten the names in it.",
                path=path,
            ) from error
    return Path(path)


def gdal_path(path: str | Path) -> str:
    """Return a path for GDAL.

    It is absolute, because SQLite cannot resolve a relative path in a very long working directory.
    """
    return str(Path(path).absolute())
