"""Tables of one GeoPackage moved into another one in a single transaction.

It imports neither numpy nor pandas, because it runs for every project that QGIS opens (see
``find_interrupted_runs``).

A GeoPackage is an SQLite database. Its *listings* are tables with rows about other tables: those of
the standard, whose names begin with ``gpkg_``, and QGIS's table of styles. In SQL below, the schema
``main`` is the database of the connection, and ``staged`` is a temporary GeoPackage with new
tables.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from randcrowns.core.errors import InputError
from randcrowns.layers.databases import (
    MAX_LOCK_WAIT,
    MAX_READ_WAIT,
    database_error,
    is_sqlite,
    open_read_only,
    quote_name,
)

#: Called repeatedly during long work; raises to cancel it.
CancelCheck = Callable[[], None]
#: Commits a transaction; the check is called while the database is locked.
Commit = Callable[[CancelCheck], None]
#: Maximum number of bytes that a transaction has still to write when it is committed.
MAX_UNWRITTEN_BYTES = 2**20
#: Time that SQLite waits for a lock between two checks for a cancel, seconds.
_LOCK_TIMEOUT = 0.2
#: Number of SQLite's virtual machine instructions between two checks for a cancel (a few
#: milliseconds).
_CHECK_INTERVAL = 10_000
#: Table in which QGIS stores styles.
_STYLES = "layer_styles"
#: Beginnings of table names that are reserved in a GeoPackage.
RESERVED_TABLE_NAMES = re.compile(f"gpkg_|sqlite_|rtree_|{_STYLES}$", re.IGNORECASE)
#: Queries for the times of modification that GDAL and QGIS record, by listing.
_MODIFICATION_QUERIES = {
    "gpkg_contents": (
        "SELECT table_name, last_change FROM gpkg_contents "
        "WHERE table_name <> 'layer_styles' ORDER BY 1"
    ),
    _STYLES: "SELECT f_table_name, styleName, update_time FROM layer_styles ORDER BY 1, 2",
}


class _SchemaObject(NamedTuple):
    """A row of ``sqlite_master``."""

    kind: str  #: ``table``, ``index``, ``trigger`` or ``view``.
    name: str
    sql: str | None  #: statement that creates the object; None for automatic indexes.


class _Listing(NamedTuple):
    """A table with rows about other tables."""

    name: str
    column: str  #: column with the names of the other tables.


def is_geopackage(path: Path, check_cancelled: CancelCheck) -> bool:
    """Return True if a file is a GeoPackage: an SQLite database with a table of contents.

    Args:
        path: the file, which may be missing.
        check_cancelled: called while the database is locked; may raise to cancel.

    Raises:
        InputError: if the database stays locked for :data:`MAX_LOCK_WAIT` seconds.
    """
    try:
        if not is_sqlite(path):
            return False
        return "gpkg_contents" in _run_when_unlocked(path, _list_tables, check_cancelled)
    except sqlite3.DatabaseError:  # only its first bytes are those of a database
        return False


def content_fingerprint(path: Path) -> str:
    """Return a fingerprint of the rows and styles of a GeoPackage.

    It consists of the tables' row counts and the recorded times of modification. The modification
    time of the file itself changes when a program only opens it.

    Raises:
        InputError: if the file cannot be read now.
    """
    facts: list[tuple[Any, ...]] = []
    try:
        with open_read_only(path) as database:
            all_tables = _list_tables(database)
            user_tables = [name for name in all_tables if not RESERVED_TABLE_NAMES.match(name)]
            for name in sorted(user_tables):
                query = "SELECT count(*) FROM {table}"
                rows = _execute(database, query, table=quote_name(name))
                (count,) = rows.fetchone()
                facts.append((name, count))
            for listing, query in _MODIFICATION_QUERIES.items():
                if listing in all_tables:
                    facts += database.execute(query).fetchall()
    except sqlite3.Error as error:
        raise database_error(error, path) from error
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def recover_database(path: Path) -> None:
    """Let SQLite roll back the incomplete transaction of a program that was killed.

    Files that are no databases stay unchanged.

    Raises:
        InputError: if the database is locked.
        sqlite3.Error: if it cannot be read.
    """
    if is_sqlite(path):
        _run_when_unlocked(path, _list_tables)


def create_empty_like(path: Path, target: Path, check_cancelled: CancelCheck) -> None:
    """Create an empty GeoPackage with the listings and CRS numbers of another one.

    Args:
        path: the GeoPackage to imitate.
        target: the file to create.
        check_cancelled: called while ``path`` is locked; may raise to cancel.

    Raises:
        InputError: if ``path`` stays locked for :data:`MAX_LOCK_WAIT` seconds.
    """

    def copy_listings(database: sqlite3.Connection) -> None:
        # The temporary file need not survive a power failure.
        database.execute("PRAGMA staged.synchronous = OFF")
        for pragma in ("application_id", "user_version"):
            (value,) = _execute(database, "PRAGMA main.{pragma}", pragma=pragma).fetchone()
            statement = "PRAGMA staged.{pragma} = {value}"
            _execute(database, statement, pragma=pragma, value=int(value))
        for name in _list_tables(database):
            if name.startswith("gpkg_"):
                _create_table_like(database, name, "main", "staged")
        database.execute(
            "INSERT INTO staged.gpkg_spatial_ref_sys SELECT * FROM main.gpkg_spatial_ref_sys"
        )

    _run_when_unlocked(path, copy_listings, check_cancelled, target)


def _never_cancel() -> None:
    """Check for no cancel."""


def _run_when_unlocked(
    path: Path,
    action: Callable[[sqlite3.Connection], Any],
    check_cancelled: CancelCheck = _never_cancel,
    staged: Path | None = None,
) -> Any:
    """Open a database, run an action on it once it is not locked, and return the action's result.

    Args:
        path: the database.
        action: called with the connection, again if the database is locked.
        check_cancelled: called before each attempt; may raise to cancel.
        staged: a database to attach as schema ``staged``.
    """
    with closing(sqlite3.connect(path, timeout=_LOCK_TIMEOUT, isolation_level=None)) as database:
        if staged is not None:
            database.execute("ATTACH DATABASE ? AS staged", (str(staged),))
        return _retry_while_locked(lambda: action(database), path, check_cancelled)


def _retry_while_locked(action: Callable[[], Any], path: Path, check_cancelled: CancelCheck) -> Any:
    """Return the result of an action, which is repeated while its database ``path`` is locked.

    Args:
        action: what to do with the database.
        path: the database, for errors.
        check_cancelled: called before each attempt; may raise to cancel.

    Raises:
        InputError: if the database is still locked after :data:`MAX_LOCK_WAIT` seconds.
    """
    deadline = time.monotonic() + MAX_LOCK_WAIT
    while True:
        check_cancelled()
        try:
            return action()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise database_error(error, path) from error


@contextmanager
def copied_tables(
    source: Path, target: Path, replace_all: bool, check_cancelled: CancelCheck
) -> Iterator[Commit]:
    """Copy the tables of one GeoPackage into another one, within a transaction.

    Tables of the same name are replaced. Other programs see no change until the transaction is
    committed. Without a commit the target stays as it was, also if this program is killed.

    Args:
        source: the GeoPackage with the new tables. Its listings and CRS numbers may be copies of
            those of ``target``, see :func:`create_empty_like`.
        target: the GeoPackage to change.
        replace_all: True to drop all tables of ``target`` first.
        check_cancelled: called repeatedly; may raise to cancel.

    Yields:
        A function that commits the transaction. At most :data:`MAX_UNWRITTEN_BYTES` are written
        then.

    Raises:
        InputError: if ``target`` is in use for longer than :data:`MAX_LOCK_WAIT` seconds, or cannot
            be written, for instance because the disk is full.
    """
    cancel_errors: list[BaseException] = []

    def interrupt_if_cancelled() -> int:
        # SQLite calls this function and would lose an exception. A result other than 0 interrupts
        # the statement.
        try:
            check_cancelled()
        except BaseException as error:  # noqa: BLE001 - raised again after the statement
            cancel_errors.append(error)
        return len(cancel_errors)

    def commit(check_cancelled: CancelCheck) -> None:
        _retry_while_locked(lambda: database.execute("COMMIT"), target, check_cancelled)

    try:
        with closing(
            sqlite3.connect(target, timeout=_LOCK_TIMEOUT, isolation_level=None)
        ) as database:
            database.execute("ATTACH DATABASE ? AS staged", (str(source),))
            # A negative size is in kibibytes; a positive one would be in pages.
            database.execute(f"PRAGMA main.cache_size = {-MAX_UNWRITTEN_BYTES // 1024}")
            _retry_while_locked(
                lambda: database.execute("BEGIN EXCLUSIVE"), target, check_cancelled
            )
            database.set_progress_handler(interrupt_if_cancelled, _CHECK_INTERVAL)
            _replace_tables(database, target, replace_all=replace_all)
            database.set_progress_handler(None, 0)
            yield commit
    except sqlite3.Error as error:
        if cancel_errors:
            raise cancel_errors[0] from None
        raise database_error(error, target) from error


def _replace_tables(database: sqlite3.Connection, target: Path, *, replace_all: bool) -> None:
    """Copy all tables of schema ``staged`` into schema ``main``, and check the copies.

    Args:
        database: connection to the target, within a transaction.
        target: file of the target, for errors.
        replace_all: True to drop all tables of the target first, not only those of the same names.
    """
    new_names = _list_contents(database, "staged")
    dropped_names = _list_contents(database, "main") if replace_all else new_names
    for name in dropped_names:
        _drop_table(database, name, with_styles=replace_all)
    for name in new_names:
        _copy_table(database, name, target)
    # Triggers of one table may change others, so the checks follow all copies.
    for name in new_names:
        _check_copied(database, name, target)


def store_row_count(path: Path, table: str) -> None:
    """Store the number of a table's rows in a GeoPackage, where GDAL reads it.

    GDAL's triggers update the number later. Without it every program that opens the table counts
    its rows.

    Raises:
        sqlite3.Error: if the file cannot be written.
    """
    with closing(sqlite3.connect(path, timeout=MAX_READ_WAIT)) as database, database:
        if "gpkg_ogr_contents" in _list_tables(database):
            statement = (
                "UPDATE gpkg_ogr_contents SET feature_count = (SELECT count(*) FROM {table}) "
                "WHERE table_name = ? COLLATE NOCASE"
            )
            _execute(database, statement, table, table=quote_name(table))


def _list_contents(database: sqlite3.Connection, schema: str) -> list[str]:
    """Return the tables in the table of contents, except for the table of styles.

    Styles are dropped and copied together with their tables.
    """
    query = "SELECT table_name FROM {schema}.gpkg_contents"
    rows = _execute(database, query, schema=schema)
    return [str(name) for (name,) in rows if name.lower() != _STYLES]


def _list_tables(database: sqlite3.Connection, schema: str = "main") -> list[str]:
    """Return the names of all tables of a schema."""
    query = "SELECT name FROM {schema}.sqlite_master WHERE type = 'table'"
    return [str(name) for (name,) in _execute(database, query, schema=schema)]


def _execute(
    database: sqlite3.Connection, sql: str, *values: object, **names: object
) -> sqlite3.Cursor:
    """Execute an SQL template.

    Args:
        database: the connection.
        sql: SQL with names of schemas, tables and columns in braces, and ``?`` for values.
        *values: the values.
        **names: the names. Names that users chose must be quoted, see :func:`quote_name`.
    """
    return database.execute(sql.format(**names), values)


def _drop_table(database: sqlite3.Connection, table: str, with_styles: bool) -> None:
    """Drop a table with its rows in the listings.

    Args:
        database: the connection.
        table: name of the table.
        with_styles: True to delete its styles too, which a user may have saved.
    """
    for item in _read_table_objects(database, "main", table):
        if item.kind == "table":
            _execute(database, "DROP TABLE IF EXISTS main.{table}", table=quote_name(item.name))
    for listing in _list_listings(database, "main"):
        if with_styles or listing.name != _STYLES:
            statement = "DELETE FROM main.{listing} WHERE {column} = ? COLLATE NOCASE"
            names = {"listing": quote_name(listing.name), "column": listing.column}
            _execute(database, statement, table, **names)


def _copy_table(database: sqlite3.Connection, table: str, target: Path) -> None:
    """Copy a table from schema ``staged`` to ``main``, with its listings, indexes and triggers.

    Args:
        database: the connection.
        table: name of the table.
        target: the file of schema ``main``, for messages.
    """
    objects = [
        item for item in _read_table_objects(database, "staged", table) if item.sql is not None
    ]
    for item in objects:
        if item.kind == "table":
            database.execute(str(item.sql))
            statement = "INSERT INTO main.{table} SELECT * FROM staged.{table}"
            _execute(database, statement, table=quote_name(item.name))

    for listing in _list_listings(database, "staged"):
        rows = _select_rows(database, listing.name, f"{listing.column} = ? COLLATE NOCASE", table)
        if rows:
            _create_listing(database, listing.name)
        for row in rows:
            if listing.name == _STYLES:
                row.pop("id", None)  # another style may have this id in the target
            _adapt_references(database, row, target)
            _insert_row(database, listing.name, row)

    # Indexes and triggers follow at the end, so that no trigger runs for the copied rows.
    for item in objects:
        if item.kind != "table":
            database.execute(str(item.sql))


def _count_rows(database: sqlite3.Connection, schema: str, table: str) -> int:
    """Return the number of rows of a table; 0 if the table does not exist."""
    if not _has_table(database, schema, table):
        return 0
    query = "SELECT count(*) FROM {schema}.{table}"
    (count,) = _execute(database, query, schema=schema, table=quote_name(table)).fetchone()
    return int(count)


def _check_copied(database: sqlite3.Connection, table: str, target: Path) -> None:
    """Raise an InputError unless a copied table has the rows and the notes of the staged one.

    Args:
        database: the connection.
        table: name of the table.
        target: the file of schema ``main``, for messages.
    """
    expected = _count_rows(database, "staged", table)
    copied_count = _count_rows(database, "main", table)
    staged_notes = _read_metadata_texts(database, "staged", table)
    notes = _read_metadata_texts(database, "main", table)
    if copied_count != expected or notes != staged_notes:
        raise InputError(
            "file.rows_missing",
            "Table '{table}' in {file} would have {found} of its {expected} rows, or the record of "
            "another run, so nothing was written. Choose another name for the table.",
            table=table,
            file=target,
            found=copied_count,
            expected=expected,
        )


def _has_table(database: sqlite3.Connection, schema: str, table: str) -> bool:
    """Return True if a schema contains a table or view of a name."""
    query = "SELECT count(*) FROM {schema}.sqlite_master WHERE name = ? COLLATE NOCASE"
    return bool(_execute(database, query, table, schema=schema).fetchone()[0])


def _read_metadata_texts(database: sqlite3.Connection, schema: str, table: str) -> list[str]:
    """Return the metadata texts of a table, sorted; the record of its run is one of them.

    Args:
        database: connection to the GeoPackage.
        schema: schema of the table, ``main`` or ``staged``.
        table: name of the table.
    """
    if not _has_table(database, schema, "gpkg_metadata_reference"):
        return []
    query = (
        "SELECT text.metadata FROM {schema}.gpkg_metadata AS text "
        "JOIN {schema}.gpkg_metadata_reference AS reference ON reference.md_file_id = text.id "
        "WHERE reference.table_name = ? COLLATE NOCASE"
    )
    return sorted(str(text) for (text,) in _execute(database, query, table, schema=schema))


def _adapt_references(database: sqlite3.Connection, row: dict[str, Any], target: Path) -> None:
    """Change a row of a listing so that its references are valid in schema ``main``.

    A missing CRS and metadata are copied.

    Args:
        database: connection with the schemas ``main`` and ``staged``.
        row: values by column of a listing in ``staged``; changed in place.
        target: file of schema ``main``, for errors.

    Raises:
        InputError: if another program has added another CRS with the same number meanwhile.
    """
    if row.get("srs_id") is not None:
        _copy_crs(database, row["srs_id"], target)

    if "identifier" in row:
        same_identifiers = _select_rows(
            database, "gpkg_contents", "identifier = ?", row["identifier"], "main"
        )
        if same_identifiers:
            row["identifier"] = None  # identifiers must be unique, and are optional

    if row.get("md_file_id") is not None:
        _create_listing(database, "gpkg_metadata")
        metadata = _select_rows(database, "gpkg_metadata", "id = ?", row["md_file_id"])[0]
        del metadata["id"]
        row["md_file_id"] = _insert_row(database, "gpkg_metadata", metadata)


def _copy_crs(database: sqlite3.Connection, srs_id: int, target: Path) -> None:
    """Copy a CRS from schema ``staged`` into schema ``main``, unless it is there already.

    Args:
        database: connection with both schemas.
        srs_id: number of the CRS.
        target: file of schema ``main``, for errors.

    Raises:
        InputError: if another program has added another CRS with the same number meanwhile.
    """
    table = "gpkg_spatial_ref_sys"
    new_crs = _select_rows(database, table, "srs_id = ?", srs_id)[0]
    existing_systems = _select_rows(database, table, "srs_id = ?", srs_id, "main")
    if not existing_systems:
        _insert_row(database, table, new_crs)
        return
    existing_crs = existing_systems[0]
    for column in ("organization", "organization_coordsys_id", "definition"):
        if existing_crs[column] != new_crs[column]:
            raise InputError(
                "file.changed",
                "{file} was changed by another program during the run, so nothing was written. "
                "Run again.",
                file=target,
            )


def _select_rows(
    database: sqlite3.Connection, table: str, where: str, value: object, schema: str = "staged"
) -> list[dict[str, Any]]:
    """Return the rows of a table that fulfil a condition, as values by column.

    Args:
        database: the connection.
        table: name of the table.
        where: condition in SQL with one ``?``.
        value: value for the ``?``.
        schema: schema of the table.
    """
    query = "SELECT * FROM {schema}.{table} WHERE {where}"
    cursor = _execute(database, query, value, schema=schema, table=quote_name(table), where=where)
    columns = [str(description[0]) for description in cursor.description]
    return [dict(zip(columns, row)) for row in cursor]


def _insert_row(database: sqlite3.Connection, table: str, row: dict[str, Any]) -> int:
    """Insert a row into a table of schema ``main`` and return its row id.

    Values of columns that the table does not have are ignored.

    Args:
        database: connection to the GeoPackage.
        table: name of the table.
        row: values by column.
    """
    columns = [name for name in _list_columns(database, "main", table) if name in row]
    names = ", ".join(quote_name(name) for name in columns)
    marks = ", ".join("?" * len(columns))
    values = [row[name] for name in columns]
    statement = "INSERT INTO main.{table} ({names}) VALUES ({marks})"
    cursor = _execute(
        database, statement, *values, table=quote_name(table), names=names, marks=marks
    )
    return int(cursor.lastrowid or 0)


def _create_listing(database: sqlite3.Connection, listing: str) -> None:
    """Create a listing of schema ``staged`` in ``main`` if it is missing there.

    If the listing belongs to an extension of GeoPackages, its rows about the extension are copied.
    """
    if listing in _list_tables(database):
        return
    _create_table_like(database, listing, "staged", "main")
    if listing == _STYLES:  # GDAL finds the styles by their row in the table of contents
        for row in _select_rows(
            database, "gpkg_contents", "table_name = ? COLLATE NOCASE", listing
        ):
            _insert_row(database, "gpkg_contents", row)
    if listing != "gpkg_extensions" and "gpkg_extensions" in _list_tables(database, "staged"):
        _create_listing(database, "gpkg_extensions")
        for row in _select_rows(
            database, "gpkg_extensions", "table_name = ? COLLATE NOCASE", listing
        ):
            _insert_row(database, "gpkg_extensions", row)


def _create_table_like(
    database: sqlite3.Connection, name: str, source_schema: str, target_schema: str
) -> None:
    """Create an empty table with the columns of the table of the same name in another schema.

    Args:
        database: connection with both schemas.
        name: name of both tables.
        source_schema: schema of the existing table.
        target_schema: schema of the new table.
    """
    query = "SELECT sql FROM {schema}.sqlite_master WHERE type = 'table' AND name = ?"
    (sql,) = _execute(database, query, name, schema=source_schema).fetchone()
    _execute(
        database,
        "CREATE TABLE {schema}.{table} {columns}",
        schema=target_schema,
        table=quote_name(name),
        columns=sql[sql.index("(") :],
    )


def _read_table_objects(
    database: sqlite3.Connection, schema: str, table: str
) -> list[_SchemaObject]:
    """Return a table and the objects that belong to it: its spatial index, indexes and triggers.

    The spatial index is a virtual table. The table itself comes first.

    Args:
        database: connection to the GeoPackage.
        schema: schema of the table, ``main`` or ``staged``.
        table: name of the table.
    """
    table_names = [table]
    if _Listing("gpkg_geometry_columns", "table_name") in _list_listings(database, schema):
        query = (
            "SELECT column_name FROM {schema}.gpkg_geometry_columns "
            "WHERE table_name = ? COLLATE NOCASE"
        )
        for (column,) in _execute(database, query, table, schema=schema):
            table_names.append(f"rtree_{table}_{column}")
    query = (
        "SELECT type, name, sql FROM {schema}.sqlite_master "
        "WHERE tbl_name COLLATE NOCASE IN ({marks}) ORDER BY tbl_name <> ? COLLATE NOCASE"
    )
    marks = ", ".join("?" * len(table_names))
    rows = _execute(database, query, *table_names, table, schema=schema, marks=marks)
    return [_SchemaObject(*row) for row in rows.fetchall()]


def _list_listings(database: sqlite3.Connection, schema: str) -> list[_Listing]:
    """Return the listings of a GeoPackage."""
    listings = []
    for name in _list_tables(database, schema):
        if not name.startswith("gpkg_") and name != _STYLES:
            continue
        columns = _list_columns(database, schema, name)
        table_columns = [column for column in columns if column in ("table_name", "f_table_name")]
        listings += [_Listing(name, column) for column in table_columns]
    return listings


def _list_columns(database: sqlite3.Connection, schema: str, table: str) -> list[str]:
    """Return the names of a table's columns."""
    query = "PRAGMA {schema}.table_info({table})"
    rows = _execute(database, query, schema=schema, table=quote_name(table))
    return [str(row[1]) for row in rows]
