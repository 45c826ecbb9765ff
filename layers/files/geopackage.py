"""Tables of a GeoPackage dropped and brought back one by one, so that the rest of the file stays as others left it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path

from qgis.core import QgsMapLayerStyle, QgsProject, QgsVectorFileWriter, QgsVectorLayer

from randcrowns.core.crowns import first_free
from randcrowns.core.errors import InputError

#: How long a file that another program writes to is waited for, seconds.
LONGEST_WAIT = 10.0
_STEP = 0.2
_PAGES = 2000


def is_sqlite(path: Path) -> bool:
    """Whether the file is a database of SQLite's."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(15) == b"SQLite format 3"


def table_names(path: Path) -> set[str]:
    """Lower-case names of all tables of a database."""
    with closing(sqlite3.connect(path, timeout=LONGEST_WAIT)) as database:
        return {str(row[0]).lower() for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def wait_for_lock(path: Path, look: Callable[[], None]) -> None:
    """Return once the database can be written to; ``look`` is called meanwhile, and may raise to stop."""
    until = time.monotonic() + LONGEST_WAIT
    with closing(sqlite3.connect(path, timeout=_STEP, isolation_level=None)) as database:
        while True:
            look()
            try:
                database.execute("BEGIN IMMEDIATE")
                database.execute("ROLLBACK")
                return
            except sqlite3.OperationalError as error:
                if not _can_be_written(path):
                    return  # the output itself says so better
                if time.monotonic() > until:
                    raise InputError(_locked(path)) from error


def _can_be_written(path: Path) -> bool:
    try:
        with path.open("r+b"):
            return True
    except OSError:
        return False


def copy_database(source: Path, to: Path, look: Callable[[], None]) -> None:
    """Copy a database by its own means, so that others may have it open; ``look`` as of :func:`wait_for_lock`."""
    left, until = -1, time.monotonic() + LONGEST_WAIT

    def follow(status: int, remaining: int, total: int) -> None:
        nonlocal left, until
        look()
        if remaining != left:
            left, until = remaining, time.monotonic() + LONGEST_WAIT
        elif time.monotonic() > until:
            raise InputError(_locked(source))

    with closing(sqlite3.connect(source, timeout=_STEP)) as old, closing(sqlite3.connect(to, timeout=_STEP)) as new:
        old.backup(new, pages=_PAGES, progress=follow, sleep=_STEP)


def put_back_tables(path: Path, tables: Iterable[str], earlier: Path | None) -> None:
    """Make tables of a GeoPackage what they were, with their index and what other tables say about them.

    A table that is not in ``earlier``, a copy of the file as it was, is dropped; so are all without such a copy.
    """
    with closing(sqlite3.connect(path, timeout=LONGEST_WAIT, isolation_level=None)) as database:
        database.execute("ATTACH DATABASE ? AS earlier", (":memory:" if earlier is None else str(earlier),))
        database.execute("BEGIN IMMEDIATE")
        for table in tables:
            _drop(database, table)
            _copy_back(database, table)
        database.execute("COMMIT")


def _drop(database: sqlite3.Connection, table: str) -> None:
    for (name,) in _objects(database, "main", table, "name", "type = 'table'"):
        database.execute(f"DROP TABLE IF EXISTS main.{_quoted(name)}")
    for listing, column in _listings(database, "main"):
        database.execute(f"DELETE FROM main.{_quoted(listing)} WHERE lower({column}) = lower(?)", (table,))


def _copy_back(database: sqlite3.Connection, table: str) -> None:
    made = list(_objects(database, "earlier", table, "type, name, sql", "sql IS NOT NULL"))
    for kind, name, sql in made:
        if kind == "table":
            database.execute(sql)
            database.execute(f"INSERT INTO main.{_quoted(name)} SELECT * FROM earlier.{_quoted(name)}")
    if made:
        present = set(_listings(database, "main"))
        for listing, column in _listings(database, "earlier"):
            if (listing, column) in present:
                named = _quoted(listing)
                database.execute(
                    f"INSERT OR REPLACE INTO main.{named} SELECT * FROM earlier.{named} "
                    f"WHERE lower({column}) = lower(?)",
                    (table,),
                )
    for kind, _, sql in made:
        if kind != "table":
            database.execute(sql)


def _objects(database: sqlite3.Connection, schema: str, table: str, columns: str, which: str) -> list[tuple[str, ...]]:
    """What belongs to a table, itself first: its spatial index, which is a virtual table, and triggers."""
    indexes: list[str] = []
    if ("gpkg_geometry_columns", "table_name") in _listings(database, schema):
        found = database.execute(
            f"SELECT column_name FROM {schema}.gpkg_geometry_columns WHERE lower(table_name) = lower(?)", (table,)
        )
        indexes = [f"rtree_{table}_{column}".lower() for (column,) in found]
    names = [table.lower(), *indexes]
    marks = ", ".join("?" * len(names))
    return database.execute(
        f"SELECT {columns} FROM {schema}.sqlite_master WHERE lower(tbl_name) IN ({marks}) AND {which} "
        "ORDER BY lower(tbl_name) <> ?",
        (*names, table.lower()),
    ).fetchall()


def _listings(database: sqlite3.Connection, schema: str) -> list[tuple[str, str]]:
    """Tables that say something about other tables, and the column with those tables' names."""
    names = [
        str(name)
        for (name,) in database.execute(f"SELECT name FROM {schema}.sqlite_master WHERE type = 'table'")
        if str(name).startswith("gpkg_") or name == "layer_styles"
    ]
    found: list[tuple[str, str]] = []
    for name in names:
        columns = {str(row[1]) for row in database.execute(f"PRAGMA {schema}.table_info({_quoted(name)})")}
        found += [(name, column) for column in ("table_name", "f_table_name") if column in columns]
    return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _locked(path: Path) -> str:
    return (
        f"{path} is in use: another program, or unsaved edits in QGIS, keep it locked. "
        "Save or close there and run again, or choose another file."
    )


def write_layer(layer: QgsVectorLayer, file: Path, table: str, described: str = "") -> None:
    """Write a layer as a table of a GeoPackage, other tables stay as they are."""
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName, options.layerName = "GPKG", table
    options.layerOptions = [f"DESCRIPTION={described}"] if described else []
    if file.exists():
        options.actionOnExistingFile = QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
    context = QgsProject.instance().transformContext()
    code, message, *_ = QgsVectorFileWriter.writeAsVectorFormatV3(layer, str(file), context, options)
    if code != QgsVectorFileWriter.WriterError.NoError or not _is_table(file, table):
        raise InputError(f"Layer '{layer.name()}' cannot be kept in {file} ({message}); choose another file.")


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
