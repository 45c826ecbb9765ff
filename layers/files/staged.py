"""What a run writes is made beside its places, and put there at the end: all of it, or nothing."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Mapping
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
from randcrowns.core.progress import Progress, Result, aside, under_way
from randcrowns.layers.databases import cause_of, is_sqlite
from randcrowns.layers.files.geopackage import (
    UNWRITTEN,
    Look,
    empty_like,
    is_geopackage,
    tables_moved,
)
from randcrowns.layers.files.leftovers import (
    BEFORE,
    BUSY,
    MOVES,
    NEW,
    PLACES,
    PREFIX,
    clear,
    content_of,
    state_of,
    undo_moves,
)
from randcrowns.layers.files.places import look_again
from randcrowns.layers.words import reason, tr

#: What belongs to a file of more than one part, by its ending, and would be wrong beside a new one.
_PARTS = {
    ".shp": (
        ".shx",
        ".dbf",
        ".prj",
        ".cpg",
        ".qpj",
        ".qix",
        ".sbn",
        ".sbx",
        ".shp.xml",
        ".idm",
        ".ind",
        ".qmd",
    ),
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
    seen: str = ""  #: what stood there when it was begun, see :func:`content_of`.


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
        (self.folder / PLACES).write_text(
            json.dumps([place.name for place in self.places]), encoding="utf-8"
        )
        return self.places[path]

    def note(
        self, files: Iterable[_Place], databases: Iterable[_Place]
    ) -> tuple[list[str], list[str]]:
        """Note what is going to be put in its place, for who has to undo it, before any is.

        Args:
            files: of which all parts are moved.
            databases: new ones, which are moved by themselves.

        Returns:
            Names of the files that were made, and of those that go for them.
        """
        paths = [one.path for one in files]
        others = {path.name for path in self.places} - {path.name for path in paths}
        left = {f"{name}{journal}" for name in others for journal in ("", *_JOURNALS)}
        made = sorted(file.name for file in (self.folder / NEW).iterdir() if file.name not in left)
        old = [
            *made,
            *self.gone,
            *(part for path in paths for part in _parts_of(path, _OF_RASTERS)),
        ]
        old = [name for name in dict.fromkeys(old) if (self.folder.parent / name).exists()]
        new = {
            name: state_of(self.folder / NEW / name)
            for name in (*made, *(one.made.name for one in databases))
        }
        (self.folder / MOVES).write_text(json.dumps({"new": new, "old": old}), encoding="utf-8")
        return made, old


class Staged(ExitStack):
    """Use as ``with Staged() as staged:``; what :meth:`file` and :meth:`table` say is written to, then :meth:`move`.

    A run that is killed leaves every place as it was, or folders by which
    :func:`randcrowns.layers.files.leftovers.put_right` makes it so.
    """

    def __init__(self, look: Look = lambda: None) -> None:
        """``look`` is called every now and then, and may raise to stop."""
        super().__init__()
        self._look = look
        self._workplaces: dict[Path, _Workplace] = {}
        self._under_way: list[Event] = []

    def __enter__(self) -> Staged:
        """QGIS's end waits from now on until all is cleared away."""
        self.enter_context(under_way())
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
            commits: list[tuple[Path, Callable[[Look], None]]] = []
            for work in self._workplaces.values():
                kinds: dict[bool, list[_Place]] = {True: [], False: []}
                for one in work.places.values():
                    there = [one.made, *([one.path] if one.path.exists() else [])]
                    kinds[all(is_geopackage(file, self._look) for file in there)].append(one)
                for one in (new := [one for one in kinds[True] if not one.path.exists()]):
                    _finish(one.made)
                self._look()
                _check_unchanged(kinds[False], alone=True)
                undo.callback(_put_back, work)
                try:
                    made, old = work.note(kinds[False], new)
                except OSError as error:
                    raise _not_replaced(work.folder, error) from error
                for one in kinds[True]:
                    if one.path.exists() or not _put_new(one):
                        _check_unchanged([] if one.tables else [one], alone=False)
                        moved = tables_moved(one.made, one.path, not one.tables, self._look)
                        commits.append((one.path, moving.enter_context(moved)))
                _put_files(work, made, old)
            if self._workplaces:
                self._look()
            _commit(commits)
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
        if place.exists() and is_geopackage(place, self._look) and tables:
            one.seen = _DATABASE
            empty_like(place, one.made, self._look)
            return one
        one.seen = content_of(place)
        beside = [
            name for name in _parts_of(place) if not one.seen and (place.parent / name).exists()
        ]
        if beside:
            said = "{files} would belong to {file}, which is not there; choose another name for the output."
            raise InputError(said, files=", ".join(beside), file=place.name)
        if tables and one.seen:
            shutil.copy2(place, one.made)
        return one

    def _in(self, parent: Path) -> _Workplace:
        if parent not in self._workplaces:
            self._workplaces[parent] = self._begin(parent)
        return self._workplaces[parent]

    def _begin(self, parent: Path) -> _Workplace:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        self.callback(clear, folder)
        held = sqlite3.connect(
            folder / BUSY, timeout=0, isolation_level=None, check_same_thread=False
        )
        busy = self.enter_context(closing(held))
        with suppress(
            sqlite3.Error
        ):  # where files cannot be locked nobody can tell that it is in use
            busy.execute("BEGIN EXCLUSIVE")
        (folder / NEW).mkdir()
        return _Workplace(folder)


def _parts_of(path: Path, rasters: Mapping[str, tuple[str, ...]] | None = None) -> list[str]:
    """Names of what belongs to a file beside it."""
    ending = path.suffix.lower()
    own = [path.stem + part for part in _PARTS.get(ending, ())]
    return [*own, *(path.name + part for part in (rasters or {}).get(ending, ()))]


def _close_after(under_way: Iterable[Event], staged: ExitStack) -> None:
    for ended in under_way:
        ended.wait()
    staged.close()


def _commit(commits: list[tuple[Path, Callable[[Look], None]]]) -> None:
    """Have tables stay, in one file after another, where nothing may stop it after the first, such as a full disk."""
    most = UNWRITTEN * (len(commits) + 1)
    for place, _ in commits[1:]:
        with tempfile.TemporaryFile(dir=place.parent, buffering=0) as room:
            if room.write(bytes(most)) < most:
                raise InputError(cause_of("is full", place))
    done: list[str] = []
    for place, commit in commits:
        try:
            commit(lambda: None)
        except InputError as error:
            said = "{why} Written were: {files}."
            raise (
                InputError(said, why=reason(error), files=", ".join(done)) if done else error
            ) from error
        done.append(place.name)


def _check_unchanged(places: Iterable[_Place], alone: bool) -> None:
    """Refuse to replace what somebody else wrote meanwhile, or must have ``alone`` and another program has open."""
    for one in places:
        in_use = (
            alone
            and is_sqlite(one.path)
            and any(os.path.exists(f"{one.path}{end}") for end in _JOURNALS)
        )
        if in_use or one.path.is_dir() or content_of(one.path) != one.seen:
            raise InputError(cause_of("is locked", one.path))


def _finish(made: Path) -> None:
    """Have all of a new database in its file, and on the disk."""
    with closing(sqlite3.connect(made, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    with made.open("rb+") as written:
        os.fsync(written.fileno())


def _put_new(one: _Place) -> bool:
    """Put a database where there is none; False where there is one, which another run may just have made."""
    try:
        os.link(one.made, one.path)
    except FileExistsError:
        return False
    except OSError:  # no such links on this disk
        shutil.move(one.made, one.path)
    return True


def _put_files(work: _Workplace, made: list[str], old: list[str]) -> None:
    """Put files in their places; those that were there, with what belongs to them, go beside the new ones."""
    before, around, name = work.folder / BEFORE, work.folder.parent, ""
    before.mkdir()
    try:
        for name in old:
            _set_aside(around / name, before / name, name in made)
        for name in made:
            os.replace(work.folder / NEW / name, around / name)
    except OSError as error:
        raise _not_replaced(around / name, error) from error


def _not_replaced(path: Path, error: OSError) -> InputError:
    said = tr("The file {path} cannot be replaced; is it open in another program?", path=path)
    return InputError(cause_of(error, path) or said)


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
        said = (
            "What stood in {files} before could not be put back; it is kept in the folder {folder}."
        )
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
            options.actionOnExistingFile = (
                QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
            )
        code, message, *_ = QgsVectorFileWriter.writeAsVectorFormatV3(
            layer, str(made), context, options
        )
        if code != QgsVectorFileWriter.WriterError.NoError or not _is_table(made, table):
            raise _not_kept(layer, file, message)
        staged.move()
    look_again(QgsProject.instance().mapLayers().values(), [file])


def _not_kept(layer: QgsVectorLayer, file: Path, error: object) -> InputError:
    why = cause_of(error, file) or tr("choose another file.")
    return InputError(
        "Layer '{layer}' cannot be kept in {file}: {why}", layer=layer.name(), file=file, why=why
    )


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
