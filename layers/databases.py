"""Database files: reading them without side effects, waiting for locks, explaining errors.

It imports neither numpy nor pandas, because it runs for every project that QGIS opens (see
``files.find_interrupted_runs``).
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from qgis.core import QgsMapLayer, QgsProviderRegistry

from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, warning
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.compat import is_null

#: Maximum wait for a file that another program uses, seconds.
MAX_LOCK_WAIT = 10.0
#: Maximum wait for a file that is only read while the user waits, seconds.
MAX_READ_WAIT = 1.0
#: Part of SQLite's errors about a database that is in use.
LOCKED = "is locked"
#: SQLite's error about a damaged database.
_MALFORMED = "database disk image is malformed"
#: Part of SQLite's errors about a full disk.
DISK_FULL = "is full"
_FULL = warning(
    "disk.full",
    "The disk is full: {file} cannot be written. Free some space and run again, or choose a file "
    "on another disk.",
)
_NO_FOLDER = warning(
    "folder.not_writable",
    "its folder {folder} does not exist or cannot be written to; choose another folder.",
)
#: Number of bytes that are written to find out if the disk is full.
_TEST_SIZE = 2**20
#: Parts of errors of SQLite, or of a driver that uses SQLite, and the message for the user without
#: its values. The first entry that matches applies.
_CAUSES = (
    (
        (LOCKED,),
        warning(
            "file.in_use",
            "{file} is in use: another program, or unsaved edits in QGIS, keep it locked. Save or "
            "close there and run again, or choose another file.",
        ),
    ),
    ((DISK_FULL, "no space", "disk i/o", "file too large"), _FULL),
    (
        ("malformed", "not a database", "corrupt"),
        warning("file.damaged", "The file {file} is damaged; choose another file."),
    ),
    (("not a directory", "no such file", "file exists"), _NO_FOLDER),
    (
        ("name too long",),
        warning("file.name_too_long", "its name is too long; choose a shorter one."),
    ),
    (
        ("leads to itself", "symbolic link"),
        warning("file.circular_link", "it is a link that leads to itself; choose another file."),
    ),
    (
        ("readonly", "read-only", "unable to open", "permission"),
        warning(
            "file.not_writable",
            "{file} cannot be written to; check your rights to it and to its folder, or choose "
            "another file.",
        ),
    ),
)


def write_failure(error: object, file: Path) -> Message | None:
    """Return a message that explains why a file could not be read or written.

    Args:
        error: an exception, or the text of an error.
        file: the file. A relative path may stand for a layer or a database on a server.

    Returns:
        The message; None if neither the error nor the disk explains it.
    """
    folder = Path(os.path.realpath(file)).parent
    cause = _find_cause(_remove_file_names(error, file))
    # Drivers report a missing folder and a full disk as generic errors.
    is_generic = not getattr(error, "errno", None)
    if file.is_absolute() and is_generic and not folder.exists():
        cause = _NO_FOLDER
    if cause is None and _is_full(folder):
        cause = _FULL
    if cause is None:
        return None
    return replace(cause, values={"file": file, "folder": folder})


def _remove_file_names(error: object, file: Path) -> str:
    """Return the text of an error without the parts of a file's path.

    Otherwise a file named "disk is full" would explain every error that mentions it.
    """
    real_file = Path(os.path.realpath(file))
    parts = {*file.parts, *real_file.parts, real_file.stem}
    longest_first = sorted(parts, key=len, reverse=True)
    names = "|".join(re.escape(part) for part in longest_first)
    text = str(getattr(error, "strerror", None) or error)
    return re.sub(rf"(?<=[/\\'\"])({names})", "", text, flags=re.IGNORECASE)


def _find_cause(error_text: str) -> Message | None:
    """Return the message, without values, of the first known cause that matches, or None."""
    lower_text = error_text.lower()
    for parts, cause in _CAUSES:
        if any(part in lower_text for part in parts):
            return cause
    return None


def _is_full(folder: Path) -> bool:
    """Return True if the disk of a folder is full.

    Drivers report a full disk only as a generic write error.
    """
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            return file.write(bytes(_TEST_SIZE)) < _TEST_SIZE
    except OSError as error:
        return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def database_error(error: object, file: Path) -> InputError:
    """Return an error for the user that explains an error of SQLite.

    Args:
        error: an exception, or the text of an error; it is meant for programmers.
        file: the database that was read or written.
    """
    cause = write_failure(error, file)
    if cause is not None:
        return InputError.from_message(cause)
    return InputError(
        "file.not_accessible",
        "{file} could not be read or written; check that nothing else changes it, or choose "
        "another file.",
        file=file,
    )


def is_sqlite(path: Path) -> bool:
    """Return True if a file is an SQLite database, also if it is locked or damaged.

    SQLite opens the file. If Python opened and closed the file instead, this process would lose all
    its locks on it. Some of these locks keep other programs from deleting the log that QGIS reads.
    """
    if not path.is_file() or not path.stat().st_size:
        return False
    try:
        with closing(sqlite3.connect(sqlite_uri(path.absolute()), timeout=0, uri=True)) as database:
            database.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError:  # in use, or not accessible now
        return True
    except sqlite3.DatabaseError:
        with path.open("rb") as file:
            return file.read(15) == b"SQLite format 3"
    return True


def sqlite_uri(path: PurePath, mode: str = "rw") -> str:
    """Return the URI by which SQLite opens a file.

    Args:
        path: an absolute path, also one that starts with the name of another computer (``//``).
        mode: ``rw``, ``ro`` (read-only) or ``ro&immutable=1`` (read-only and without locks).
    """
    address = path.as_uri()
    if not address.startswith("file:///"):
        address = address.replace("file://", "file:////", 1)
    return f"{address}?mode={mode}"


@contextmanager
def open_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database for reading, also in a folder that cannot be written to.

    A database with a write-ahead log (WAL) needs files beside it, which SQLite may have to create.
    If there is no log, nobody is writing, and the database is opened without locks as a last
    resort.

    Yields:
        A connection to the database; it is closed at the end.

    Raises:
        sqlite3.Error: if the database cannot be read now.
    """
    logs = [Path(f"{path}-wal"), Path(f"{path}-journal")]
    has_log = any(log.exists() and log.stat().st_size for log in logs)
    modes = ["ro", "rw"]
    if not has_log:
        modes.append("ro&immutable=1")

    for mode in modes:
        address = sqlite_uri(path.absolute(), mode)
        with closing(sqlite3.connect(address, timeout=MAX_READ_WAIT, uri=True)) as database:
            try:
                database.execute("SELECT 1 FROM sqlite_master").fetchone()
            except UnicodeDecodeError as error:
                # The message of SQLite repeats a damaged part of the schema.
                raise sqlite3.DatabaseError(_MALFORMED) from error
            except sqlite3.OperationalError as error:
                if LOCKED in str(error) or mode == modes[-1]:
                    raise
                continue
            yield database
            return


def select_rows(table: str, condition: str = "") -> str:
    """Return SQL that reads all rows of a table, or those that fulfil a condition in SQL."""
    parts = ["SELECT * FROM", quote_name(table)]
    if condition:
        parts += ["WHERE", condition]
    return " ".join(parts)


def read_columns(
    file: Path, table: str, columns: Sequence[str], equal_values: Mapping[str, str]
) -> list[tuple[Any, ...]]:
    """Read columns of a table of a database, with the rows in the order of the first column.

    Args:
        file: the database.
        table: name of the table.
        columns: names of k columns, at least one.
        equal_values: text that a column must equal, by name of the column; empty for all rows.

    Returns:
        A tuple of k values per row, as SQLite stores them.

    Raises:
        sqlite3.Error: if the table cannot be read now.
    """
    names = [quote_name(name) for name in columns]
    query = ["SELECT", ", ".join(names), "FROM", quote_name(table)]
    if equal_values:
        conditions = [f"{quote_name(name)} = ?" for name in equal_values]
        query += ["WHERE", " AND ".join(conditions)]
    query += ["ORDER BY", names[0]]
    with open_read_only(file) as database:
        return database.execute(" ".join(query), tuple(equal_values.values())).fetchall()


def are_same_table(first: str, second: str) -> bool:
    """Return True if SQLite takes two names for the name of one table.

    Only letters of ASCII match in both cases, unlike in Python.

    >>> are_same_table("Trees", "TREES"), are_same_table("\u00dcbersicht", "\u00fcbersicht")
    (True, False)
    """
    with closing(sqlite3.connect(":memory:")) as database:
        row = database.execute("SELECT ? = ? COLLATE NOCASE", (first, second)).fetchone()
    return bool(row[0])


def tables_read(file: Path, query: str) -> frozenset[str] | None:
    """Return the tables of an SQLite database that a query reads, also through views.

    SQLite compiles the query and reports the tables; it is not run.

    Args:
        file: the database.
        query: SQL statement that reads rows.

    Returns:
        Names of tables and views; None if SQLite cannot compile the query, for instance because it
        calls functions of GDAL or SpatiaLite.
    """
    names: set[str] = set()

    def record(action: int, table: str | None, *_: str | None) -> int:
        if action == sqlite3.SQLITE_READ and table:
            names.add(table)
        return sqlite3.SQLITE_OK

    try:
        with open_read_only(file) as database:
            database.set_authorizer(record)
            database.execute(f"EXPLAIN {query}").close()
            database.set_authorizer(None)
    except (sqlite3.Error, ValueError):
        return None
    return frozenset(names)


def quote_name(name: str) -> str:
    """Return a name quoted as an identifier for SQL."""
    return '"' + name.replace('"', '""') + '"'


def layer_file(layer: QgsMapLayer) -> Path | None:
    """Return the file of a layer, or None for a layer in memory or on a server.

    The file is not opened.
    """
    path = source_parts(layer).get("path")
    return Path(path) if path else None


def source_parts(layer: QgsMapLayer) -> dict[str, Any]:
    """Return the parts of a layer's source, such as ``path`` and ``layerName``, by QGIS's names."""
    return decode_source(layer.providerType(), layer.source())


def decode_source(provider: str, source: str) -> dict[str, Any]:
    """Return the parts of a source by QGIS's names, see :func:`source_parts`; no part is NULL."""
    decoded = QgsProviderRegistry.instance().decodeUri(provider, source)
    parts = {name: value for name, value in decoded.items() if not is_null(value)}
    # QGIS takes the rest of a table such as "my.targets" for a path within the archive "my.tar".
    suffix = str(parts.get("vsiSuffix") or "")
    for name in ("layerName", "subset"):
        if suffix and f"{name}={parts.get(name)}{suffix}".lower() in source.lower():
            parts[name] += suffix
            del parts["vsiSuffix"]
            break
    return parts


def table_source(file: Path, table: str = "") -> str:
    """Return the source by which QGIS opens a table of a file, or a file of one table.

    Args:
        file: the file.
        table: name of the table; "" for the file's only table.
    """
    parts = {"path": str(file), **({"layerName": table} if table else {})}
    return str(QgsProviderRegistry.instance().encodeUri("ogr", parts))


def wait_for_unlock(file: Path | None, progress: Progress = no_progress) -> None:
    """Wait until no other program locks a database.

    GDAL would wait without checking for a cancel, and would then report an empty database.

    Args:
        file: the database; nothing happens for None or another kind of file.
        progress: called while waiting; may raise to cancel. Without it a lock is an error at once.

    Raises:
        InputError: if the file is still locked after :data:`MAX_LOCK_WAIT` seconds.
    """
    if file is None:
        return
    max_wait = 0.0 if progress is no_progress else MAX_LOCK_WAIT
    deadline = time.monotonic() + max_wait
    while _is_locked(file):
        if time.monotonic() > deadline:
            raise database_error(LOCKED, file)
        progress(0.0)


def _is_locked(file: Path) -> bool:
    """Return True if a file is a database that another program locks against reading.

    A database with a write-ahead log (WAL) can always be read; the log remains after a read-only
    access. Problems other than locks are left to GDAL to report.
    """
    if Path(f"{file}-wal").exists():
        return False
    address = sqlite_uri(file.absolute())
    try:
        with closing(sqlite3.connect(address, timeout=MAX_READ_WAIT, uri=True)) as database:
            database.execute("SELECT 1 FROM sqlite_master").fetchone()
    except (sqlite3.Error, ValueError) as error:
        return LOCKED in str(error)
    return False
