"""Files that a run writes, brought back to what they were when the run is cancelled or fails."""

from __future__ import annotations

import glob
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from randcrowns.core.errors import InputError
from randcrowns.layers.files.geopackage import copy_database, is_sqlite, put_back_tables, table_names, wait_for_lock
from randcrowns.layers.files.places import Place

#: Larger files are not copied first; their outputs are then written in one go, without a look at Cancel.
MOST_BYTES = 256 * 2**20
_DATABASES = (".gpkg", ".sqlite", ".db")
_SIDECARS = (
    *(".shx", ".dbf", ".prj", ".cpg", ".qpj", ".qix", ".sbn", ".sbx", ".shp.xml", ".idm", ".ind"),
    *(".dat", ".map", ".id", ".mid", ".mif", ".csvt", ".xsd", ".gfs", ".qmd"),
    *(".gpkg-wal", ".gpkg-shm", ".gpkg-journal"),
)


class FileGuard:
    """Use as ``with FileGuard(places) as guard:``; when the block is left by an exception every place is as before.

    Of a GeoPackage that was there already only the tables that the run writes are brought back: what others saved in
    the file meanwhile stays. The copies lie beside the files, so that a run that is killed loses nothing:
    :func:`left_behind` finds them.

    Attributes:
        holds: whether every place can be brought back; when not, do not stop half-way.
    """

    def __init__(self, places: Iterable[Path | Place], look: Callable[[], None] | None = None) -> None:
        self._files: dict[Path, set[str]] = {}
        for place in places:
            file, table = (place, "") if isinstance(place, Path) else (place.file, place.table)
            if file is not None:
                self._files.setdefault(Path(os.path.abspath(file)), set()).add(table)
        self._look = look or (lambda: None)
        self._folders = ExitStack()
        self._saved: dict[Path, Path] = {}
        self._tables: dict[Path, Path | None] = {}
        self.holds = True

    def __enter__(self) -> FileGuard:
        try:
            for path, tables in self._files.items():
                self._save(path, tables)
        except BaseException:
            self._folders.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is not None and self.holds:
                self._restore()
        finally:
            self._folders.close()

    def _save(self, path: Path, tables: set[str]) -> None:
        if path.is_dir():
            raise InputError(f"{path} is a folder; give the output the name of a file.")
        if not path.exists():
            return
        database = is_sqlite(path)
        if database:
            wait_for_lock(path, self._look)
        if database and "" not in tables:
            there = table_names(path)
            if "gpkg_contents" in there:
                self._tables[path] = None
                if there.isdisjoint(table.lower() for table in tables):
                    return
        if path.stat().st_size > MOST_BYTES:
            self.holds = False
            return
        folder = Path(self._folders.enter_context(_folder_beside(path)))
        for file in _files_of(path):
            copy = folder / file.name
            self._copy(file, copy)
            if path in self._tables:
                self._tables[path] = copy
            else:
                self._saved[file] = copy

    def _restore(self) -> None:
        for path in self._files:
            if path in self._tables:
                put_back_tables(path, self._files[path], self._tables[path])
                continue
            for file in _files_of(path):
                if file not in self._saved:
                    file.unlink(missing_ok=True)
        self._look = lambda: None
        for file, copy in self._saved.items():
            self._copy(copy, file)

    def _copy(self, source: Path, to: Path) -> None:
        """Copy a file; a database through its own means, so that others may have it open."""
        if is_sqlite(source):
            if to.exists() and not is_sqlite(to):
                to.unlink()
            copy_database(source, to, self._look)
        else:
            shutil.copy2(source, to)


def left_behind(place: Path | Place) -> list[Path]:
    """Folders with what stood in a file before runs that were killed while they wrote it."""
    file = place if isinstance(place, Path) else place.file
    return [] if file is None else sorted(file.parent.glob(f"{glob.escape(_copy_prefix(file))}*"))


def _copy_prefix(path: Path) -> str:
    return f".{path.name}.before_"


def _folder_beside(path: Path) -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix=_copy_prefix(path), dir=path.parent)
    except OSError:  # the file may be written but not its folder
        return tempfile.TemporaryDirectory(prefix=_copy_prefix(path))


def _files_of(path: Path) -> list[Path]:
    """The file and those that belong to it, as far as they exist; a database's own journals are left to it."""
    found = [path] if path.exists() else []
    if path.suffix.lower() in _DATABASES and found:
        return found
    others = [path.with_suffix(ending) for ending in _SIDECARS]
    return found + [other for other in others if other != path and other.exists()]
