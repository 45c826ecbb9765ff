"""Databases in files: how they are read without a trace, and what keeps a file from being read or written.

Every project that QGIS opens is looked at with it (see ``files.leftovers``), so it imports no numpy and pandas.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePath
from typing import Any

from qgis.core import QgsMapLayer, QgsProviderRegistry

from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.words import tr

#: How long a file that another program uses is waited for, seconds.
LONGEST_WAIT = 10.0
#: The same where it is only looked into; the user waits too.
LOOK_WAIT = 1.0
_FULL = "The disk is full: {file} cannot be written. Free some space and run again, or choose a file on another disk."
_NO_FOLDER = "its folder {folder} is not there, or takes no files; choose another."
#: What SQLite says of a database that is in use.
_LOCKED = "is locked"
#: A disk that does not take so many bytes is full.
_LITTLE = 2**20
#: What a part of an error of SQLite's, or of a driver that stands on it, means for the file; the first that fits.
_CAUSES = (
    (
        (_LOCKED,),
        "{file} is in use: another program, or unsaved edits in QGIS, keep it locked. Save or close there and run "
        "again, or choose another file.",
    ),
    (("is full", "no space", "disk i/o", "file too large"), _FULL),
    (
        ("malformed", "not a database", "corrupt"),
        "The file {file} is damaged; choose another file.",
    ),
    (("not a directory", "no such file", "file exists"), _NO_FOLDER),
    (("name too long",), "its name is too long; choose a shorter one."),
    (
        ("leads to itself", "symbolic link"),
        "it is a link that leads to itself; choose another file.",
    ),
    (
        ("readonly", "read-only", "unable to open", "permission"),
        "{file} cannot be written to; check your rights to it and to its folder, or choose another file.",
    ),
)


def cause_of(error: object, file: Path) -> str:
    """What kept a file from being written, in a sentence; empty where neither the error nor the disk tells.

    Errors name files, and those may be called as causes are.
    """
    at = Path(os.path.realpath(file))
    names = "|".join(
        map(re.escape, sorted({*file.parts, *at.parts, at.stem}, key=len, reverse=True))
    )
    text = re.sub(
        rf"(?<=[/\\'\"])({names})",
        "",
        str(getattr(error, "strerror", None) or error),
        flags=re.IGNORECASE,
    )
    known = next(
        (said for parts, said in _CAUSES if any(part in text.lower() for part in parts)), ""
    )
    # Drivers tell of it as of anything else, and what is not absolute may be a layer or a database on a server.
    if file.is_absolute() and not getattr(error, "errno", None) and not at.parent.exists():
        known = _NO_FOLDER
    return tr(known or _FULL, file=file, folder=at.parent) if known or _is_full(at.parent) else ""


def _is_full(folder: Path) -> bool:
    """Whether the disk takes no more: drivers tell of it as of anything else that they cannot do."""
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            return file.write(bytes(_LITTLE)) < _LITTLE
    except OSError as error:
        return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def database_error(error: sqlite3.Error | OSError, file: Path) -> InputError:
    """An error of SQLite's in a sentence; its own words are for those who program with it."""
    said = "{file} could not be read or written; check that nothing else changes it, or choose another file."
    return InputError(cause_of(error, file) or tr(said, file=file))


def is_sqlite(path: Path) -> bool:
    """Whether the file is a database of SQLite's, or a damaged one.

    SQLite itself is asked: who closes a file in another way lets go of all locks that this process has on it, also of
    those that keep other programs from taking away the log that QGIS reads.
    """
    if not path.is_file() or not path.stat().st_size:
        return False
    try:
        with closing(sqlite3.connect(address_of(path.absolute()), timeout=0, uri=True)) as database:
            database.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError:  # in use, or not to be opened now
        return True
    except sqlite3.DatabaseError:
        with path.open("rb") as file:
            return file.read(15) == b"SQLite format 3"
    return True


def address_of(path: PurePath, mode: str = "rw") -> str:
    """How SQLite is told of a file by its whole path; it takes the name of another computer only within the path."""
    address = path.as_uri()
    if not address.startswith("file:///"):
        address = address.replace("file://", "file:////", 1)
    return f"{address}?mode={mode}"


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A database that is only read, also in a folder where nothing can be written.

    One that logs writes (WAL) wants files beside it; where there is no log, nobody writes, and it is read without.

    Raises:
        sqlite3.Error: if it cannot be read now.
    """
    logs = (Path(f"{path}{ending}") for ending in ("-wal", "-journal"))
    logged = any(log.exists() and log.stat().st_size for log in logs)
    ways = ("ro", "rw", *([] if logged else ["ro&immutable=1"]))
    for way in ways:
        with closing(
            sqlite3.connect(address_of(path.absolute(), way), timeout=LOOK_WAIT, uri=True)
        ) as database:
            try:
                database.execute("SELECT 1 FROM sqlite_master").fetchone()
            except sqlite3.OperationalError as error:
                if _LOCKED in str(error) or way == ways[-1]:
                    raise
                continue
            yield database
            return


def layer_file(layer: QgsMapLayer) -> Path | None:
    """The file that a layer is read from; None for one in memory or on a server. Opens nothing."""
    path = source_parts(layer).get("path")
    return Path(path) if path else None


def source_parts(layer: QgsMapLayer) -> dict[str, Any]:
    """What a layer's source names."""
    return dict(QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source()))


def wait_for(file: Path | None, progress: Progress = no_progress) -> None:
    """Wait until another program lets go of a database: GDAL would wait deaf, and then find nothing.

    Where nobody can cancel, nobody waits for long.

    Raises:
        InputError: where it stays locked.
    """
    until = time.monotonic() + (0.0 if progress is no_progress else LONGEST_WAIT)
    while file is not None and _is_locked(file):
        if time.monotonic() > until:
            raise InputError(cause_of(_LOCKED, file))
        progress(0.0)


def _is_locked(file: Path) -> bool:
    """Whether it is a database that cannot be read now; of what else is wrong GDAL tells.

    One that logs writes (WAL) can always be read, and who only reads leaves its log behind.
    """
    if Path(f"{file}-wal").exists():
        return False
    try:
        with closing(
            sqlite3.connect(address_of(file.absolute()), timeout=LOOK_WAIT, uri=True)
        ) as database:
            database.execute("SELECT 1 FROM sqlite_master").fetchone()
    except (sqlite3.Error, ValueError) as error:
        return _LOCKED in str(error)
    return False
