"""What a run writes is made beside its places, and put there at the end: all of it, or nothing."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

from osgeo import gdal
from qgis.core import QgsMapLayerStyle, QgsProject, QgsVectorFileWriter, QgsVectorLayer

from randcrowns.core.crowns import first_free
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, Result, aside, writing
from randcrowns.layers.databases import cause_of, is_sqlite
from randcrowns.layers.files.geopackage import empty_like, is_geopackage, tables_moved
from randcrowns.layers.files.leftovers import BEFORE, BUSY, MOVES, NEW, PLACES, PREFIX, clear, state_of, undo_moves
from randcrowns.layers.files.places import look_again
from randcrowns.layers.words import tr

#: What belongs to a file of more than one part, by its ending, and would be wrong beside a new one.
_PARTS = {
    ".shp": (".shx", ".dbf", ".prj", ".cpg", ".qpj", ".qix", ".sbn", ".sbx", ".shp.xml", ".idm", ".ind", ".qmd"),
    ".tab": (".dat", ".map", ".id", ".ind"),
    ".mif": (".mid",),
    ".csv": (".csvt",),
    ".gml": (".xsd", ".gfs"),
}
#: The same, with what stands after its whole name.
_OF_RASTERS = dict.fromkeys((".tif", ".tiff"), (".aux.xml", ".ovr", ".msk"))
#: What shows that another program is about to write to a database.
_JOURNALS = ("-wal", "-journal", "-shm")
#: Whether GDAL makes a spatial index in a thread of its own: then it aborts QGIS where the file cannot be written on.
_INDEX_BESIDE = "OGR_GPKG_ALLOW_THREADED_RTREE"
#: How long a run that was cancelled waits for what it has under way, seconds; what takes longer clears up by itself.
_PATIENCE = 0.3
#: What stood at a place that was a GeoPackage.
_DATABASE = "GeoPackage"


@dataclass
class _Place:
    """A file that is made, or into which tables are going to be put."""

    path: Path
    made: Path
    tables: bool
    seen: str = ""  #: what stood there, which stays but for the tables.


class _Workplace:
    """A folder in which what is going to be in the folder around it is made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.places: dict[Path, _Place] = {}
        #: Names of files that are to go.
        self.gone: list[str] = []

    def add(self, path: Path, tables: bool) -> _Place:
        """A place more."""
        self.places[path] = _Place(path, self.folder / NEW / path.name, tables)
        (self.folder / PLACES).write_text(json.dumps([place.name for place in self.places]), encoding="utf-8")
        return self.places[path]


class Staged(ExitStack):
    """Use as ``with Staged() as staged:``; what :meth:`file` and :meth:`table` say is written to, then :meth:`move`.

    A run that is killed leaves every place as it was, or folders by which
    :func:`randcrowns.layers.files.leftovers.put_right` makes it so.
    """

    def __init__(self, look: Callable[[], None] = lambda: None) -> None:
        """``look`` is called every now and then, and may raise to stop."""
        super().__init__()
        self._look = look
        self._workplaces: dict[Path, _Workplace] = {}
        self._under_way: list[Event] = []

    def __enter__(self) -> Staged:
        """QGIS's end waits from now on until all is cleared away."""
        self.enter_context(writing())
        return self

    def __exit__(self, *raised: Any) -> bool:
        """Clear away what was made, once nobody writes to it."""
        if all(ended.wait(_PATIENCE) for ended in self._under_way):
            return bool(super().__exit__(*raised))
        Thread(target=_close_after, args=(self._under_way, self.pop_all())).start()
        return False

    def aside(self, work: Callable[[Progress], Result], progress: Progress) -> Result:
        """Do long work on the files that are made, see :func:`randcrowns.core.progress.aside`."""
        self._look()  # who was told to stop begins no more
        ended = Event()
        self._under_way.append(ended)

        def worked(told: Progress) -> Result:
            before = gdal.GetThreadLocalConfigOption(_INDEX_BESIDE)
            gdal.SetThreadLocalConfigOption(_INDEX_BESIDE, "NO")
            try:
                return work(told)
            finally:
                gdal.SetThreadLocalConfigOption(_INDEX_BESIDE, before)
                ended.set()

        return aside(worked, progress)

    def file(self, path: Path) -> Path:
        """Where to make a file that is going to be at ``path``, or where a link there leads, in place of what is there.

        Raises:
            OSError: if nothing can be written there.
        """
        return self._at(path, tables=False).made

    def table(self, path: Path) -> Path:
        """Where to make a table that is going to be in the file at ``path``; its other tables stay."""
        return self._at(path, tables=True).made

    def remove(self, path: Path) -> None:
        """Have a file go when what is made is put in its place."""
        self._in(path.resolve().parent).gone.append(path.name)

    def move(self) -> None:
        """Put everything in its place; where one thing cannot be, all is as before, and a sentence says why."""
        with ExitStack() as moving, ExitStack() as undo:
            commits = []
            for work in self._workplaces.values():
                files = []
                for one in work.places.values():
                    there = [one.made, *([one.path] if one.path.exists() else [])]
                    if not all(is_geopackage(file, self._look) for file in there):
                        files.append(one)
                    elif one.path.exists() or not _put_new(one.made, one.path, undo):
                        moved = tables_moved(one.made, one.path, not one.tables, self._look)
                        commits.append(moving.enter_context(moved))
                if files or work.gone:
                    self._look()
                    undo.callback(_put_back, work)
                    _put_files(work, files)
            if self._workplaces:
                self._look()
            for commit in commits:
                commit()
            undo.pop_all()
        for work in self._workplaces.values():
            (work.folder / MOVES).unlink(missing_ok=True)

    def _at(self, path: Path, tables: bool) -> _Place:
        place = Path(os.path.realpath(path))
        if place.is_symlink():
            raise OSError("the link leads to itself")
        if place.is_dir():
            raise InputError("{path} is a folder; give the output the name of a file.", path=place)
        work = self._in(place.parent)
        if place in work.places:
            return work.places[place]
        one = work.add(place, tables)
        if tables and place.exists():
            if is_geopackage(place, self._look):
                one.seen = _DATABASE
                empty_like(place, one.made, self._look)
            else:
                one.seen = state_of(place)
                shutil.copy2(place, one.made)
        return one

    def _in(self, parent: Path) -> _Workplace:
        if parent not in self._workplaces:
            self._workplaces[parent] = self._begin(parent)
        return self._workplaces[parent]

    def _begin(self, parent: Path) -> _Workplace:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        self.callback(clear, folder)
        held = sqlite3.connect(folder / BUSY, timeout=0, isolation_level=None, check_same_thread=False)
        busy = self.enter_context(closing(held))
        with suppress(sqlite3.Error):  # where files cannot be locked nobody can tell that it is in use
            busy.execute("BEGIN EXCLUSIVE")
        (folder / NEW).mkdir()
        return _Workplace(folder)


def _close_after(under_way: Iterable[Event], staged: ExitStack) -> None:
    for ended in under_way:
        ended.wait()
    staged.close()


def _put_new(made: Path, place: Path, undo: ExitStack) -> bool:
    """Put a database where there is none; False where there is one, which another run may just have made."""
    with closing(sqlite3.connect(made, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    with made.open("rb+") as written:
        os.fsync(written.fileno())
    try:
        os.link(made, place)
    except FileExistsError:
        return False
    except OSError:  # no such links on this disk
        shutil.move(made, place)
    undo.callback(place.unlink, missing_ok=True)
    return True


def _put_files(work: _Workplace, places: list[_Place]) -> None:
    """Put files in their places; those that were there, with what belongs to them, go beside the new ones."""
    new, before = work.folder / NEW, work.folder / BEFORE
    parts = list(work.gone)
    for one in places:
        path, ending = one.path, one.path.suffix.lower()
        in_use = is_sqlite(path) and any(os.path.exists(f"{path}{journal}") for journal in _JOURNALS)
        if in_use or path.is_dir() or (one.seen and state_of(path) != one.seen):
            raise InputError(cause_of("is locked", path))
        parts += [path.stem + part for part in _PARTS.get(ending, ())]
        parts += [path.name + part for part in _OF_RASTERS.get(ending, ())]
    databases = {one.path.name for one in work.places.values()} - {one.path.name for one in places}
    moved = {f"{name}{journal}" for name in databases for journal in ("", *_JOURNALS)}
    made = sorted(file.name for file in new.iterdir() if file.name not in moved)
    around = work.folder.parent
    old = [name for name in dict.fromkeys([*made, *parts]) if (around / name).exists()]
    before.mkdir()
    name = ""
    try:
        moves = {"new": {name: state_of(new / name) for name in made}, "old": old}
        (work.folder / MOVES).write_text(json.dumps(moves), encoding="utf-8")
        for name in old:
            _set_aside(around / name, before / name, name in made)
        for name in made:
            os.replace(new / name, around / name)
    except OSError as error:
        said = tr("The file {path} cannot be replaced; is it open in another program?", path=around / name)
        raise InputError(cause_of(error, around / name) or said) from error


def _set_aside(file: Path, to: Path, replaced: bool) -> None:
    """Move a file; one that is going to be replaced stays until then, where the disk can have it in two folders."""
    if replaced:
        with suppress(OSError):
            os.link(file, to)
            return
    os.replace(file, to)


def _put_back(work: _Workplace) -> None:
    kept = undo_moves(work.folder)
    if kept:
        said = "What stood in {files} before could not be put back; it is kept in the folder {folder}."
        raise InputError(said, files=", ".join(kept), folder=work.folder / BEFORE)


def write_layer(layer: QgsVectorLayer, file: Path, table: str, described: str = "") -> None:
    """Write a layer as a table of a GeoPackage, other tables stay as they are."""
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName, options.layerName = "GPKG", table
    options.layerOptions = [f"DESCRIPTION={described}"] if described else []
    context = QgsProject.instance().transformContext()
    with Staged() as staged:
        try:
            made = staged.table(file)
        except OSError as error:
            raise _not_kept(layer, file, error) from error
        if made.exists():
            options.actionOnExistingFile = QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
        code, message, *_ = QgsVectorFileWriter.writeAsVectorFormatV3(layer, str(made), context, options)
        if code != QgsVectorFileWriter.WriterError.NoError or not _is_table(made, table):
            raise _not_kept(layer, file, message)
        staged.move()
    look_again(QgsProject.instance().mapLayers().values(), [file])


def _not_kept(layer: QgsVectorLayer, file: Path, error: object) -> InputError:
    why = cause_of(error, file) or tr("choose another file.")
    return InputError("Layer '{layer}' cannot be kept in {file}: {why}", layer=layer.name(), file=file, why=why)


def _is_table(file: Path, table: str) -> bool:
    return file.exists() and QgsVectorLayer(f"{file}|layername={table}", "", "ogr").isValid()


def keep_in_file(layer: QgsVectorLayer, file: Path, table: str) -> QgsVectorLayer:
    """Write a layer as a new table of a GeoPackage, other tables stay as they are, and open it with the same style.

    A table of that name that is there already stays too: the new one gets the next name that is free.
    """
    table = first_free(table, partial(_is_table, file), "{}_{}")
    write_layer(layer, file, table)
    kept = QgsVectorLayer(f"{file}|layername={table}", layer.name(), "ogr")
    style = QgsMapLayerStyle()
    style.readFromLayer(layer)
    style.writeToLayer(kept)
    return kept
