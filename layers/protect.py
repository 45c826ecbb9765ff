"""Files that a run writes, brought back to what they were when the run is cancelled or fails."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from types import TracebackType

__all__ = ["FileGuard", "destination_file"]

#: Larger files are not copied first; their outputs are then written in one go, without a look at Cancel.
MOST_BYTES = 256 * 2**20
_DATABASES = (".gpkg", ".sqlite", ".db")
_SIDECARS = (".shx", ".dbf", ".prj", ".cpg", ".qpj", ".qix", ".gpkg-wal", ".gpkg-shm", ".gpkg-journal", ".qmd")


def destination_file(destination: str) -> Path | None:
    """The file that an output's destination is written to; None for memory and servers."""
    text = destination.strip()
    if not text or text == "TEMPORARY_OUTPUT" or text.startswith("memory:"):
        return None
    table = re.match(r"""ogr:dbname='([^']+)'""", text, re.IGNORECASE)
    if table:
        return Path(table.group(1))
    if re.match(r"^(ogr|postgis|postgres|mssql|oracle|spatialite|hana|WFS):", text, re.IGNORECASE):
        return None
    path = Path(text.split("|", 1)[0])
    return path if path.suffix else path.with_suffix(".gpkg")


class FileGuard:
    """Use as ``with FileGuard(paths) as guard:``; when the block is left by an exception every file is as before.

    Attributes:
        holds: whether every file can be brought back; when not, do not stop half-way.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = sorted({Path(os.path.abspath(path)) for path in paths})
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._saved: dict[Path, Path] = {}
        self.holds = True

    def __enter__(self) -> FileGuard:
        self._folder = tempfile.TemporaryDirectory(prefix="randcrowns_")
        for number, path in enumerate(self._paths):
            if path.exists() and path.stat().st_size > MOST_BYTES:
                self.holds = False
                continue
            for file in _files_of(path):
                copy = Path(self._folder.name) / f"{number}_{file.name}"
                _copy(file, copy)
                self._saved[file] = copy
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and self.holds:
            self._restore()
        if self._folder is not None:
            self._folder.cleanup()

    def _restore(self) -> None:
        for path in self._paths:
            for file in _files_of(path):
                if file not in self._saved:
                    file.unlink(missing_ok=True)
        for file, copy in self._saved.items():
            _copy(copy, file)


def _files_of(path: Path) -> list[Path]:
    """The file and those that belong to it, as far as they exist; a database's own journals are left to it."""
    found = [path] if path.exists() else []
    if path.suffix.lower() in _DATABASES and found:
        return found
    others = [path.with_suffix(ending) for ending in _SIDECARS]
    return found + [other for other in others if other != path and other.exists()]


def _copy(source: Path, to: Path) -> None:
    """Copy a file; a database through its own means, so that others may have it open."""
    if source.suffix.lower() in _DATABASES and _is_sqlite(source):
        if to.exists() and not _is_sqlite(to):
            to.unlink()
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(to)) as new:
            old.backup(new)
    else:
        shutil.copy2(source, to)


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(15) == b"SQLite format 3"
