"""GeoPackages: tables of one moved into another in one transaction.

Every project that QGIS opens is looked at with it (see ``leftovers``), so it imports no numpy and pandas.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from randcrowns.core.errors import InputError
from randcrowns.layers.databases import LONGEST_WAIT, LOOK_WAIT, database_error, is_sqlite, reading

Look = Callable[[], None]
#: Bytes that a transaction keeps in memory at most.
UNWRITTEN = 2**20
_STEP = 0.2
#: Steps of SQLite's own machine between two looks at Cancel: some milliseconds.
_STEPS = 10_000
#: The table in which QGIS keeps styles.
_STYLES = "layer_styles"
#: Names of tables that a GeoPackage keeps for itself.
KEPT_TABLES = re.compile(f"gpkg_|sqlite_|rtree_|{_STYLES}$", re.IGNORECASE)
#: What GDAL and QGIS note when they change rows and styles.
_TOLD = {
    "gpkg_contents": "SELECT table_name, last_change FROM gpkg_contents WHERE table_name <> 'layer_styles' ORDER BY 1",
    _STYLES: "SELECT f_table_name, styleName, update_time FROM layer_styles ORDER BY 1, 2",
}


def is_geopackage(path: Path, look: Look) -> bool:
    """Whether the file is a database that lists its tables as GeoPackages do; ``look`` as of :func:`tables_moved`."""
    try:
        return is_sqlite(path) and "gpkg_contents" in _once_free(path, _tables, look)
    except sqlite3.DatabaseError:  # it only begins like one
        return False


def contents_told(path: Path) -> str:
    """What tells a database whose rows or styles somebody changed from what it was: who only opens one writes to it.

    Raises:
        InputError: where it cannot be read now.
    """
    try:
        with reading(path) as database:
            tables = _tables(database)
            own = sorted(name for name in tables if not KEPT_TABLES.match(name))
            counted = "SELECT count(*) FROM {table}"
            told = [
                (name, *_ask(database, counted, table=_quoted(name)).fetchone()) for name in own
            ]
            for listing, asked in _TOLD.items():
                told += database.execute(asked).fetchall() if listing in tables else []
    except sqlite3.Error as error:
        raise database_error(error, path) from error
    return hashlib.sha256(repr(told).encode()).hexdigest()


def heal(path: Path) -> None:
    """Have SQLite take back what a program that was killed had half written; files that are none are left alone."""
    if is_sqlite(path):
        _once_free(path, _tables)


def empty_like(path: Path, to: Path, look: Look) -> None:
    """Make an empty GeoPackage that lists tables and numbers coordinate systems as the one at ``path`` does."""

    def copy(database: sqlite3.Connection) -> None:
        database.execute("PRAGMA made.synchronous = OFF")  # no copy has to outlive a power cut
        for pragma in ("application_id", "user_version"):
            (value,) = _ask(database, "PRAGMA main.{pragma}", pragma=pragma).fetchone()
            _ask(database, "PRAGMA made.{pragma} = {value}", pragma=pragma, value=int(value))
        for name in _tables(database):
            if name.startswith("gpkg_"):
                _make_table(database, name, "main", "made")
        database.execute(
            "INSERT INTO made.gpkg_spatial_ref_sys SELECT * FROM main.gpkg_spatial_ref_sys"
        )

    _once_free(path, copy, look, to)


def _once_free(
    path: Path,
    action: Callable[[sqlite3.Connection], Any],
    look: Look = lambda: None,
    other: Path | None = None,
) -> Any:
    with closing(sqlite3.connect(path, timeout=_STEP, isolation_level=None)) as database:
        if other is not None:
            database.execute("ATTACH DATABASE ? AS made", (str(other),))
        return _patiently(lambda: action(database), path, look)


def _patiently(action: Callable[[], Any], path: Path, look: Look) -> Any:
    """Do it once the database is free; ``look`` is called meanwhile, and may raise to stop."""
    until = time.monotonic() + LONGEST_WAIT
    while True:
        look()
        try:
            return action()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise database_error(error, path) from error


@contextmanager
def tables_moved(
    source: Path, to: Path, alone: bool, look: Look
) -> Iterator[Callable[[Look], None]]:
    """The tables of one GeoPackage in another, where they take the place of those of their names, or of all others.

    Nobody else sees them before what is yielded is called, which makes them stay, with at most :data:`UNWRITTEN` bytes
    left to write; otherwise all is as before, also when the program is killed.

    Args:
        source: the GeoPackage with the tables; it may have others' lists, and coordinate systems, by
            :func:`empty_like`.
        to: the one that they are put into.
        alone: whether they take the place of all tables there.
        look: called every now and then; may raise to stop.

    Raises:
        InputError: where the file is in use for longer than :data:`LONGEST_WAIT`, the disk is full, …
    """
    stopped: list[BaseException] = []

    def heed() -> int:
        try:
            look()
        except BaseException as error:  # noqa: BLE001 - SQLite calls this; it is raised again after the statement
            stopped.append(error)
        return len(stopped)

    try:
        with closing(sqlite3.connect(to, timeout=_STEP, isolation_level=None)) as database:
            database.execute("ATTACH DATABASE ? AS made", (str(source),))
            database.execute(f"PRAGMA main.cache_size = {-UNWRITTEN // 1024}")
            _patiently(lambda: database.execute("BEGIN EXCLUSIVE"), to, look)
            database.set_progress_handler(heed, _STEPS)
            names = _listed(database, "made")
            for name in _listed(database, "main") if alone else names:
                _drop(database, name, alone)
            for name in names:
                _copy(database, name, to)
            database.set_progress_handler(None, 0)
            yield lambda look: _patiently(lambda: database.execute("COMMIT"), to, look)
    except sqlite3.Error as error:
        if stopped:
            raise stopped[0] from None
        raise database_error(error, to) from error


def keep_count(path: Path, table: str) -> None:
    """Keep the number of a table's rows, as GDAL does and its triggers go on; else whoever opens it counts them."""
    with closing(sqlite3.connect(path, timeout=LOOK_WAIT)) as database, database:
        if "gpkg_ogr_contents" in _tables(database):
            counted = "UPDATE gpkg_ogr_contents SET feature_count = (SELECT count(*) FROM {table})"
            _ask(
                database,
                f"{counted} WHERE lower(table_name) = lower(?)",
                table,
                table=_quoted(table),
            )


def _listed(database: sqlite3.Connection, schema: str) -> list[str]:
    """The tables of a GeoPackage that hold somebody's rows; styles go with the tables that they are of."""
    asked = "SELECT table_name FROM {schema}.gpkg_contents"
    return [
        str(name) for (name,) in _ask(database, asked, schema=schema) if name.lower() != _STYLES
    ]


def _tables(database: sqlite3.Connection, schema: str = "main") -> list[str]:
    found = _ask(
        database, "SELECT name FROM {schema}.sqlite_master WHERE type = 'table'", schema=schema
    )
    return [str(name) for (name,) in found]


def _ask(
    database: sqlite3.Connection, sql: str, *values: object, **names: object
) -> sqlite3.Cursor:
    """Ask with names in the braces of the SQL, those of tables quoted, and with values for its marks."""
    return database.execute(sql.format(**names), values)


def _drop(database: sqlite3.Connection, table: str, styles: bool) -> None:
    """Drop a table with what is said about it; its ``styles``, which a user may have saved, only where told to."""
    for kind, name, _ in _objects(database, "main", table):
        if kind == "table":
            _ask(database, "DROP TABLE IF EXISTS main.{table}", table=_quoted(name))
    for listing, column in _listings(database, "main"):
        if styles or listing != _STYLES:
            forget = "DELETE FROM main.{listing} WHERE lower({column}) = lower(?)"
            _ask(database, forget, table, listing=_quoted(listing), column=column)


def _copy(database: sqlite3.Connection, table: str, to: Path) -> None:
    objects = [one for one in _objects(database, "made", table) if one[2] is not None]
    for kind, name, sql in objects:
        if kind == "table":
            database.execute(sql)
            _ask(
                database, "INSERT INTO main.{table} SELECT * FROM made.{table}", table=_quoted(name)
            )
    for listing, column in _listings(database, "made"):
        rows = _rows(database, listing, f"lower({column}) = lower(?)", table)
        if rows:
            _make_list(database, listing)
        for row in rows:
            if listing == _STYLES:
                row.pop("id", None)  # which may be another's there
            _fit(database, row, to)
            _insert(database, listing, row)
    for kind, _, sql in objects:
        if kind != "table":
            database.execute(sql)


def _fit(database: sqlite3.Connection, row: dict[str, Any], to: Path) -> None:
    """Make what a row says of other lists true in the file that it goes to."""
    if row.get("srs_id") is not None:
        (system,) = _rows(database, "gpkg_spatial_ref_sys", "srs_id = ?", row["srs_id"])
        there = _rows(database, "gpkg_spatial_ref_sys", "srs_id = ?", row["srs_id"], "main")
        if not there:
            _insert(database, "gpkg_spatial_ref_sys", system)
        elif any(
            there[0][key] != system[key]
            for key in ("organization", "organization_coordsys_id", "definition")
        ):
            said = "{file} was changed by another program during the run; nothing was written, so run again."
            raise InputError(said, file=to)
    if "identifier" in row and _rows(
        database, "gpkg_contents", "identifier = ?", row["identifier"], "main"
    ):
        row["identifier"] = None
    if row.get("md_file_id") is not None:
        _make_list(database, "gpkg_metadata")
        (about,) = _rows(database, "gpkg_metadata", "id = ?", row["md_file_id"])
        del about["id"]
        row["md_file_id"] = _insert(database, "gpkg_metadata", about)


def _rows(
    database: sqlite3.Connection, listing: str, where: str, value: object, schema: str = "made"
) -> list[dict[str, Any]]:
    sql = "SELECT * FROM {schema}.{listing} WHERE {where}"
    found = _ask(database, sql, value, schema=schema, listing=_quoted(listing), where=where)
    names = [str(described[0]) for described in found.description]
    return [dict(zip(names, row)) for row in found]


def _insert(database: sqlite3.Connection, listing: str, row: dict[str, Any]) -> int:
    """Insert what of a row the list has columns for; its number."""
    known = {name: row[name] for name in _columns(database, "main", listing) if name in row}
    names, marks = ", ".join(map(_quoted, known)), ", ".join("?" * len(known))
    sql = "INSERT INTO main.{listing} ({names}) VALUES ({marks})"
    done = _ask(database, sql, *known.values(), listing=_quoted(listing), names=names, marks=marks)
    return int(done.lastrowid or 0)


def _make_list(database: sqlite3.Connection, listing: str) -> None:
    """Make a list that the file does not have, with what is said of it as of an extension."""
    if listing in _tables(database):
        return
    _make_table(database, listing, "made", "main")
    if listing == _STYLES:  # by which GDAL finds the list
        for row in _rows(database, "gpkg_contents", "lower(table_name) = ?", listing):
            _insert(database, "gpkg_contents", row)
    if listing != "gpkg_extensions" and "gpkg_extensions" in _tables(database, "made"):
        _make_list(database, "gpkg_extensions")
        for row in _rows(database, "gpkg_extensions", "lower(table_name) = ?", listing):
            _insert(database, "gpkg_extensions", row)


def _make_table(database: sqlite3.Connection, name: str, like: str, schema: str) -> None:
    asked = "SELECT sql FROM {like}.sqlite_master WHERE type = 'table' AND name = ?"
    (sql,) = _ask(database, asked, name, like=like).fetchone()
    columns = sql[sql.index("(") :]
    _ask(
        database,
        "CREATE TABLE {schema}.{table} {columns}",
        schema=schema,
        table=_quoted(name),
        columns=columns,
    )


def _objects(database: sqlite3.Connection, schema: str, table: str) -> list[tuple[str, str, str]]:
    """Type, name and SQL of what belongs to a table, itself first: its spatial index, a virtual table, and triggers."""
    indexes: list[str] = []
    if ("gpkg_geometry_columns", "table_name") in _listings(database, schema):
        asked = "SELECT column_name FROM {schema}.gpkg_geometry_columns WHERE lower(table_name) = lower(?)"
        indexes = [
            f"rtree_{table}_{column}".lower()
            for (column,) in _ask(database, asked, table, schema=schema)
        ]
    names = [table.lower(), *indexes]
    sql = (
        "SELECT type, name, sql FROM {schema}.sqlite_master WHERE lower(tbl_name) IN ({marks}) "
        "ORDER BY lower(tbl_name) <> ?"
    )
    marks = ", ".join("?" * len(names))
    return _ask(database, sql, *names, table.lower(), schema=schema, marks=marks).fetchall()


def _listings(database: sqlite3.Connection, schema: str) -> list[tuple[str, str]]:
    """Tables that say something about other tables, and the column with those tables' names."""
    names = [
        name for name in _tables(database, schema) if name.startswith("gpkg_") or name == _STYLES
    ]
    return [
        (name, column)
        for name in names
        for column in _columns(database, schema, name)
        if column in ("table_name", "f_table_name")
    ]


def _columns(database: sqlite3.Connection, schema: str, table: str) -> list[str]:
    found = _ask(
        database, "PRAGMA {schema}.table_info({table})", schema=schema, table=_quoted(table)
    )
    return [str(about[1]) for about in found]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
