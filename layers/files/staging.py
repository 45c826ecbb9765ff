"""Outputs that are written to temporary files and moved to their destinations together.

Either all outputs of a run reach their destinations, or none does.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

from osgeo import gdal
from qgis.core import QgsMapLayerStyle, QgsProject, QgsVectorFileWriter, QgsVectorLayer

from randcrowns.core.crowns import unique_name
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, Result, run_in_thread, track_background_work
from randcrowns.layers.databases import (
    DISK_FULL,
    LOCKED,
    database_error,
    is_sqlite,
    table_source,
    write_failure,
)
from randcrowns.layers.files.destinations import reload_layers
from randcrowns.layers.files.geopackage import (
    MAX_UNWRITTEN_BYTES,
    CancelCheck,
    Commit,
    copied_tables,
    create_empty_like,
    is_geopackage,
)
from randcrowns.layers.files.recovery import (
    DESTINATIONS_FILE,
    FOLDER_PREFIX,
    JOURNAL_FILE,
    LOCK_FILE,
    NEW_FOLDER,
    OLD_FOLDER,
    delete_folder,
    file_fingerprint,
    modification_state,
    undo_moves,
)
from randcrowns.layers.files.server_staging import ServerStaging
from randcrowns.layers.localization import error_message, tr
from randcrowns.layers.servers import ServerTable

#: Suffixes of the companion files of a format with several files, by the suffix of the main file.
#: They replace the main file's suffix. Old companions would be wrong beside a new main file.
_COMPANIONS = {
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
#: Suffixes of the companion files of rasters, which follow the main file's whole name.
_RASTER_COMPANIONS = dict.fromkeys((".tif", ".tiff"), (".aux.xml", ".ovr", ".msk"))
#: Suffixes of the files that show that another program has a database open.
_JOURNALS = ("-wal", "-journal", "-shm")
#: GDAL's option to build a spatial index in a separate thread. GDAL then aborts QGIS if the file
#: cannot be written.
_INDEX_THREAD_OPTION = "OGR_GPKG_ALLOW_THREADED_RTREE"
#: Time that a cancelled run waits for its background work, seconds. After that, the temporary files
#: are deleted when the work ends.
_MAX_WAIT = 0.3
#: Value of ``_StagedFile.original_content`` for a GeoPackage, whose other tables may change.
_GEOPACKAGE = "GeoPackage"


@dataclass
class _StagedFile:
    """A temporary file and its destination."""

    path: Path  #: the destination.
    temporary: Path  #: the temporary file.
    adds_tables: bool  #: True if only tables are added to the destination.
    #: fingerprint of the destination at the start, see :func:`file_fingerprint`; empty without a
    #: file.
    original_content: str = ""


class _Moves(NamedTuple):
    """Names of the files that are moved within a folder."""

    new: list[str]  #: files to move from the temporary folder to their destinations.
    old: list[str]  #: existing files to move to the temporary folder.


class _PendingCommit(NamedTuple):
    """A transaction that is ready to be committed."""

    path: Path  #: the database.
    commit: Commit


class _StagingFolder:
    """Temporary folder with the new files for the folder around it.

    Args:
        folder: the temporary folder, see :mod:`randcrowns.layers.files.recovery`.

    Attributes:
        folder: the temporary folder.
        files: the temporary files by destination.
        removed_names: names of the files that the outputs replace by nothing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[Path, _StagedFile] = {}
        self.removed_names: list[str] = []

    def add(self, path: Path, adds_tables: bool) -> _StagedFile:
        """Add a destination, and record it for the recovery after an interruption.

        Args:
            path: the destination.
            adds_tables: True if tables are added to an existing file.
        """
        staged_file = _StagedFile(path, self.folder / NEW_FOLDER / path.name, adds_tables)
        self.files[path] = staged_file
        names = [destination.name for destination in self.files]
        (self.folder / DESTINATIONS_FILE).write_text(json.dumps(names), encoding="utf-8")
        return staged_file

    def write_journal(
        self, files: Iterable[_StagedFile], new_databases: Iterable[_StagedFile]
    ) -> _Moves:
        """Record the moves in a journal, by which an interrupted run is rolled back.

        Args:
            files: the files that are moved together with their companions.
            new_databases: the databases without an old version, which are moved separately.

        Returns:
            The moves of ``files``.

        Raises:
            OSError: if the journal cannot be written.
        """
        paths = [file.path for file in files]
        new_names = self._choose_new_names(paths)
        # Old files are moved away if a new file replaces them, or if they belong to a replaced one.
        replaceable_names = [*new_names, *self.removed_names]
        for path in paths:
            replaceable_names += _list_companions(path, of_rasters=True)
        destination_folder = self.folder.parent
        # dict.fromkeys drops repeated names and keeps the order.
        distinct_names = dict.fromkeys(replaceable_names)
        old_names = [name for name in distinct_names if (destination_folder / name).exists()]

        # The recovery recognises new files at their destination by their states.
        database_names = [file.temporary.name for file in new_databases]
        new_states = {}
        for name in (*new_names, *database_names):
            new_states[name] = modification_state(self.folder / NEW_FOLDER / name)
        journal = {"new": new_states, "old": old_names}
        (self.folder / JOURNAL_FILE).write_text(json.dumps(journal), encoding="utf-8")
        return _Moves(new_names, old_names)

    def _choose_new_names(self, moved_files: Sequence[Path]) -> list[str]:
        """Return the sorted names of the new files, without those of databases and their journals.

        Args:
            moved_files: files that are moved together with their companions.
        """
        moved_names = {path.name for path in moved_files}
        database_names = [path.name for path in self.files if path.name not in moved_names]
        skipped_names = set(database_names)
        for name in database_names:
            skipped_names.update(f"{name}{suffix}" for suffix in _JOURNALS)
        new_names = {file.name for file in (self.folder / NEW_FOLDER).iterdir()}
        return sorted(new_names - skipped_names)


def _never_cancel() -> None:
    """Check for no cancel."""


class StagedFiles(ExitStack):
    """Temporary files of a run, which are moved to their destinations together.

    Use it in a ``with`` statement: write to the paths that :meth:`stage_file` and
    :meth:`stage_table` return, then call :meth:`publish`. The temporary files are deleted at the
    end. If the program is killed,
    the destinations are unchanged, or can be restored by
    :func:`randcrowns.layers.files.recovery.recover`.

    Tables on servers are staged by :class:`randcrowns.layers.files.server_staging.ServerStaging`.

    Args:
        check_cancelled: called repeatedly; may raise to cancel.
        run_id: id of the run, which is stored with tables on servers.
    """

    def __init__(self, check_cancelled: CancelCheck = _never_cancel, run_id: str = "") -> None:
        super().__init__()
        self._check_cancelled = check_cancelled
        self._run_id = run_id
        #: Temporary tables on servers; None without any.
        self._server_staging: ServerStaging | None = None
        self._folders: dict[Path, _StagingFolder] = {}
        #: An event per background work, which is set when the work has ended.
        self._background_work: list[Event] = []

    def __enter__(self) -> StagedFiles:
        """Make the shutdown of QGIS wait from now on until the temporary files are deleted."""
        self.enter_context(track_background_work())
        return self

    def __exit__(self, *raised: Any) -> bool:
        """Delete the temporary files, once no background work writes to them."""
        if all(ended.wait(_MAX_WAIT) for ended in self._background_work):
            return bool(super().__exit__(*raised))
        Thread(target=_close_after, args=(self._background_work, self.pop_all())).start()
        return False

    def run_in_thread(self, work: Callable[[Progress], Result], progress: Progress) -> Result:
        """Run work on the temporary files in a worker thread and return its result.

        See :func:`randcrowns.core.progress.run_in_thread`. GDAL builds no spatial index in yet
        another thread meanwhile.

        Args:
            work: function that receives a progress of its own.
            progress: receives the fraction done; may raise to cancel.

        Raises:
            Cancelled: if the run is cancelled; and whatever ``work`` raises.
        """
        self._check_cancelled()
        ended = Event()
        self._background_work.append(ended)

        def work_without_index_thread(worker_progress: Progress) -> Result:
            previous = gdal.GetThreadLocalConfigOption(_INDEX_THREAD_OPTION)
            gdal.SetThreadLocalConfigOption(_INDEX_THREAD_OPTION, "NO")
            try:
                return work(worker_progress)
            finally:
                gdal.SetThreadLocalConfigOption(_INDEX_THREAD_OPTION, previous)
                ended.set()

        return run_in_thread(work_without_index_thread, progress)

    def stage_file(self, path: Path) -> Path:
        """Return the temporary path of a file that will replace the file at ``path``.

        Links are followed.

        Raises:
            OSError: if the destination's folder cannot be written to.
            InputError: if the destination is a folder, or lies beside companions of a file that
                does not exist.
        """
        return self._find_staged_file(path, adds_tables=False).temporary

    def stage_table(self, path: Path) -> Path:
        """Return the temporary path of a file whose tables will be added to the file at ``path``.

        Tables of the same name are replaced; other tables stay.

        Raises:
            OSError: if the destination's folder cannot be written to.
            InputError: see :meth:`stage_file`; also if a database cannot be read now.
        """
        return self._find_staged_file(path, adds_tables=True).temporary

    def stage_server_table(self, table: ServerTable) -> ServerTable:
        """Return the temporary table that will replace a table on a server."""
        if self._server_staging is None:
            self._server_staging = ServerStaging(self._run_id, self._check_cancelled)
            self.callback(self._server_staging.discard)
        return self._server_staging.stage(table)

    def record_server_rows(self, temporary: ServerTable, n_rows: int) -> None:
        """Record the number of rows that a temporary table on a server contains."""
        if self._server_staging is not None:
            self._server_staging.record_count(temporary, n_rows)

    def stage_removal(self, path: Path) -> None:
        """Register a file that :meth:`publish` deletes."""
        self._get_staging_folder(path.resolve().parent).removed_names.append(path.name)

    def publish(self) -> None:
        """Move all files and tables to their destinations.

        Raises:
            InputError: if one of them cannot be moved. All destinations are restored then.
        """
        # The rollback of files runs before the transactions are closed.
        with ExitStack() as transactions, ExitStack() as rollback:
            commits: list[_PendingCommit] = []
            for folder in self._folders.values():
                commits += self._move_folder(folder, transactions, rollback)
            if self._folders:
                self._check_cancelled()
            # A server fails more often than the transactions of files, whose space is reserved.
            if self._server_staging is not None:
                _check_space(commits)
                self._server_staging.publish()
            _commit_all(commits)
            rollback.pop_all()
        for folder in self._folders.values():
            (folder.folder / JOURNAL_FILE).unlink(missing_ok=True)

    def _move_folder(
        self, folder: _StagingFolder, transactions: ExitStack, rollback: ExitStack
    ) -> list[_PendingCommit]:
        """Move the files of a folder; copy tables into existing databases without a commit.

        Args:
            folder: the temporary folder.
            transactions: receives the open transactions.
            rollback: receives the function that restores the destinations.

        Returns:
            The transactions to commit.
        """
        databases, files = self._list_databases_and_files(folder)
        new_databases = [database for database in databases if not database.path.exists()]
        for database in new_databases:
            _write_to_disk(database.temporary)
        self._check_cancelled()
        _check_unchanged(files, exclusive=True)

        rollback.callback(_roll_back, folder)
        try:
            moves = folder.write_journal(files, new_databases)
        except OSError as error:
            raise _replace_error(folder.folder, error) from error

        commits: list[_PendingCommit] = []
        for database in databases:
            is_moved = not database.path.exists() and _move_new_database(database)
            if is_moved:
                continue
            if not database.adds_tables:
                _check_unchanged([database], exclusive=False)
            transaction = copied_tables(
                database.temporary,
                database.path,
                replace_all=not database.adds_tables,
                check_cancelled=self._check_cancelled,
            )
            commit = transactions.enter_context(transaction)
            commits.append(_PendingCommit(database.path, commit))
        _move_files(folder, moves)
        return commits

    def _list_databases_and_files(
        self, folder: _StagingFolder
    ) -> tuple[list[_StagedFile], list[_StagedFile]]:
        """Return the new GeoPackages whose destination is free or a GeoPackage, and other files."""
        databases = []
        files = []
        for file in folder.files.values():
            existing = [file.temporary]
            if file.path.exists():
                existing.append(file.path)
            if all(is_geopackage(path, self._check_cancelled) for path in existing):
                databases.append(file)
            else:
                files.append(file)
        return databases, files

    def _find_staged_file(self, path: Path, adds_tables: bool) -> _StagedFile:
        """Return the temporary file of a destination; register the destination if it is new.

        Args:
            path: path of the destination, which may be a link.
            adds_tables: True if tables are added to an existing file, of which the temporary file
                is then a copy. The temporary file of a GeoPackage gets no tables, since the
                new tables are copied into the GeoPackage itself at the end.

        Raises:
            InputError: if the destination is a folder, or files of a removed destination such as
                ``name.dbf`` would become part of the new one.
            OSError: if the destination is a link to itself, or the temporary file cannot be
                created.
        """
        destination = Path(os.path.realpath(path))
        if destination.is_symlink():
            raise OSError("the link leads to itself")
        if destination.is_dir():
            raise InputError(
                "file.is_folder",
                "{path} is a folder; give the output the name of a file.",
                path=destination,
            )
        folder = self._get_staging_folder(destination.parent)
        if destination in folder.files:
            return folder.files[destination]

        file = folder.add(destination, adds_tables)
        is_database = destination.exists() and is_geopackage(destination, self._check_cancelled)
        if is_database and adds_tables:
            file.original_content = _GEOPACKAGE
            create_empty_like(destination, file.temporary, self._check_cancelled)
            return file

        file.original_content = file_fingerprint(destination)
        if not file.original_content:
            _check_no_companions(destination)
        elif adds_tables:
            shutil.copy2(destination, file.temporary)
        return file

    def _get_staging_folder(self, parent: Path) -> _StagingFolder:
        """Return the temporary folder for destinations in ``parent``; create it if necessary."""
        if parent not in self._folders:
            self._folders[parent] = self._create_folder(parent)
        return self._folders[parent]

    def _create_folder(self, parent: Path) -> _StagingFolder:
        """Create a temporary folder with a database that stays locked while this run lives."""
        folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=parent))
        self.callback(delete_folder, folder)
        connection = sqlite3.connect(
            folder / LOCK_FILE, timeout=0, isolation_level=None, check_same_thread=False
        )
        busy = self.enter_context(closing(connection))
        # Some disks do not support locks. Other programs then cannot see that the folder is in use.
        with suppress(sqlite3.Error):
            busy.execute("BEGIN EXCLUSIVE")
        (folder / NEW_FOLDER).mkdir()
        return _StagingFolder(folder)


def _check_no_companions(destination: Path) -> None:
    """Raise InputError if files exist that would become companions of a new destination.

    Args:
        destination: path of the new file, such as ``crowns.shp``, to which an existing
            ``crowns.dbf`` would belong.
    """
    existing_names = [
        name for name in _list_companions(destination) if (destination.parent / name).exists()
    ]
    if existing_names:
        raise InputError(
            "file.would_belong_to_other",
            "{files} would belong to {file}, which does not exist; choose another name for "
            "the output.",
            files=", ".join(existing_names),
            file=destination.name,
        )


def _list_companions(path: Path, of_rasters: bool = False) -> list[str]:
    """Return the names that the companion files of a main file may have.

    Args:
        path: the main file.
        of_rasters: True to include companions of rasters.
    """
    suffix = path.suffix.lower()
    names = [path.stem + companion for companion in _COMPANIONS.get(suffix, ())]
    if of_rasters:
        names += [path.name + companion for companion in _RASTER_COMPANIONS.get(suffix, ())]
    return names


def _close_after(background_work: Iterable[Event], staged: ExitStack) -> None:
    """Delete the temporary files when all background work has ended."""
    for ended in background_work:
        ended.wait()
    staged.close()


def _commit_all(commits: Sequence[_PendingCommit]) -> None:
    """Commit the transactions of all databases.

    The disks of all databases but the first are checked before, so that a full disk cannot
    interrupt between two commits.

    Raises:
        InputError: if a transaction cannot be committed. It names the databases that were.
    """
    _check_space(commits[1:])
    written_names: list[str] = []
    for pending in commits:
        try:
            pending.commit(_never_cancel)
        except InputError as error:
            if not written_names:
                raise
            raise InputError(
                "file.partly_written",
                "{why} These files are already written: {files}.",
                why=error_message(error),
                files=", ".join(written_names),
            ) from error
        written_names.append(pending.path.name)


def _check_space(commits: Sequence[_PendingCommit]) -> None:
    """Raise an InputError if the disk of a database has no space for its transaction."""
    size = MAX_UNWRITTEN_BYTES * (len(commits) + 2)
    for pending in commits:
        with tempfile.TemporaryFile(dir=pending.path.parent, buffering=0) as file:
            if file.write(bytes(size)) < size:
                raise database_error(DISK_FULL, pending.path)


def _check_unchanged(files: Iterable[_StagedFile], exclusive: bool) -> None:
    """Raise an error if a destination has changed since the run began.

    Args:
        files: the files.
        exclusive: True if no other program may have a destination open as a database.

    Raises:
        InputError: if a destination has changed or is in use.
    """
    for file in files:
        is_open_elsewhere = (
            exclusive
            and is_sqlite(file.path)
            and any(os.path.exists(f"{file.path}{suffix}") for suffix in _JOURNALS)
        )
        if (
            is_open_elsewhere
            or file.path.is_dir()
            or file_fingerprint(file.path) != file.original_content
        ):
            raise database_error(LOCKED, file.path)


def _write_to_disk(database_file: Path) -> None:
    """Move a new database's log into its file, and flush the file to the disk."""
    with closing(sqlite3.connect(database_file, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    with database_file.open("rb+") as file:
        os.fsync(file.fileno())


def _move_new_database(database: _StagedFile) -> bool:
    """Move a new database to its destination.

    Returns:
        False if the destination exists, because another run has just created it.
    """
    try:
        # Unlike a move, a hard link never replaces an existing file.
        os.link(database.temporary, database.path)
    except FileExistsError:
        return False
    except OSError:  # the disk does not support hard links
        shutil.move(database.temporary, database.path)
    return True


def _move_files(folder: _StagingFolder, moves: _Moves) -> None:
    """Move old files to the temporary folder, and new files to their destinations.

    Raises:
        InputError: if a file cannot be moved.
    """
    before = folder.folder / OLD_FOLDER
    parent = folder.folder.parent
    before.mkdir()
    name = ""
    try:
        for name in moves.old:
            _move_old_file(parent / name, before / name, is_replaced=name in moves.new)
        for name in moves.new:
            os.replace(folder.folder / NEW_FOLDER / name, parent / name)
    except OSError as error:
        raise _replace_error(parent / name, error) from error


def _replace_error(path: Path, error: OSError) -> InputError:
    """Return the error for the user about a file that cannot be replaced."""
    cause = write_failure(error, path)
    if cause is not None:
        return InputError.from_message(cause)
    return InputError(
        "file.not_replaced",
        "The file {path} cannot be replaced; is it open in another program?",
        path=path,
    )


def _move_old_file(file: Path, to: Path, is_replaced: bool) -> None:
    """Move an old file; one that is replaced later stays until then if the disk supports links."""
    if is_replaced:
        with suppress(OSError):
            os.link(file, to)
            return
    os.replace(file, to)


def _roll_back(folder: _StagingFolder) -> None:
    """Restore the destinations in a folder.

    Raises:
        InputError: if a file cannot be restored.
    """
    not_restored = undo_moves(folder.folder)
    if not_restored:
        raise InputError(
            "file.not_restored",
            "The previous versions of {files} could not be restored. They are in the folder "
            "{folder}.",
            files=", ".join(not_restored),
            folder=folder.folder / OLD_FOLDER,
        )


def write_layer(layer: QgsVectorLayer, file: Path, table: str, description: str = "") -> None:
    """Write a layer as a table of a GeoPackage.

    A table of the same name is replaced; other tables stay. Layers of the project that read the
    file are reloaded. Call this on the main thread only.

    Args:
        layer: the layer.
        file: the GeoPackage, which is created if it is missing.
        table: name of the table.
        description: description of the table.

    Raises:
        InputError: if the table cannot be written.
    """
    write_layers({table: layer}, file, description)


def write_layers(layers: Mapping[str, QgsVectorLayer], file: Path, description: str = "") -> None:
    """Write layers as tables of a GeoPackage: all of them, or none.

    See :func:`write_layer`.

    Args:
        layers: name of a table -> its layer.
        file: the GeoPackage, which is created if it is missing.
        description: description of the tables.

    Raises:
        InputError: if a table cannot be written.
    """
    with StagedFiles() as staged:
        for table, layer in layers.items():
            try:
                temporary = staged.stage_table(file)
            except OSError as error:
                raise _save_error(layer, file, error) from error
            _write_table(layer, temporary, table, description, file)
        staged.publish()
    reload_layers(QgsProject.instance().mapLayers().values(), [file])


def _write_table(
    layer: QgsVectorLayer, temporary: Path, table: str, description: str, file: Path
) -> None:
    """Write a layer as a table of a temporary GeoPackage.

    Args:
        layer: the layer.
        temporary: the temporary GeoPackage.
        table: name of the table.
        description: description of the table.
        file: destination of the GeoPackage, which an error names.

    Raises:
        InputError: if the table cannot be written.
    """
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = "GPKG"
    options.layerName = table
    options.layerOptions = [f"DESCRIPTION={description}"] if description else []
    if temporary.exists():
        options.actionOnExistingFile = (
            QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
        )
    code, error_text, *_ = QgsVectorFileWriter.writeAsVectorFormatV3(
        layer, str(temporary), QgsProject.instance().transformContext(), options
    )
    is_written = code == QgsVectorFileWriter.WriterError.NoError
    if not is_written or not _is_table(temporary, table):
        raise _save_error(layer, file, error_text)


def _save_error(layer: QgsVectorLayer, file: Path, error: object) -> InputError:
    """Return the error for the user about a layer that cannot be written to a file.

    Args:
        layer: the layer.
        file: file that cannot be written.
        error: exception, or the text of the driver's error.
    """
    why = write_failure(error, file) or tr("choose another file.")
    return InputError(
        "layer.not_saved",
        "Layer '{layer}' cannot be saved in {file}: {why}",
        layer=layer.name(),
        file=file,
        why=why,
    )


def _is_table(file: Path, table: str) -> bool:
    """Return True if a GeoPackage has a table that QGIS can open as a layer."""
    return file.exists() and QgsVectorLayer(table_source(file, table), "", "ogr").isValid()


def save_as_table(layer: QgsVectorLayer, file: Path, table: str) -> QgsVectorLayer:
    """Write a layer as a new table of a GeoPackage, and open the table with the same style.

    All existing tables stay. Call this on the main thread only.

    Args:
        layer: the layer, such as a temporary one.
        file: the GeoPackage, which is created if it is missing.
        table: name of the table; a number is appended if a table of this name exists.

    Returns:
        A layer that reads the new table; it is in no project.

    Raises:
        InputError: if the table cannot be written.
    """
    free_name = unique_name(table, partial(_is_table, file), "{}_{}")
    write_layer(layer, file, free_name)
    saved_layer = QgsVectorLayer(table_source(file, free_name), layer.name(), "ogr")
    style = QgsMapLayerStyle()
    style.readFromLayer(layer)
    style.writeToLayer(saved_layer)
    return saved_layer
