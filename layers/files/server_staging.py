"""Tables on servers that are written under temporary names and swapped in together at the end.

Either all tables of a run reach their names, or none does, and the earlier tables stay until then.
On PostgreSQL the swap is one transaction. QGIS offers no transaction of this kind for other
servers, on which each table is replaced on its own.

A temporary table is named after its run, which holds an advisory lock of PostgreSQL while it lives.
Tables of runs that no longer hold their lock were interrupted; the next run drops them.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from qgis.core import QgsTransaction

from randcrowns.core.errors import InputError
from randcrowns.layers.databases import MAX_LOCK_WAIT, quote_name
from randcrowns.layers.servers import (
    POSTGRES,
    ServerError,
    ServerTable,
    convert_errors,
    database_identity,
    quote_text,
    resolve_table,
)

#: Beginning of the names of temporary tables. A name with 16 digits and a number fits into the 30
#: characters that all servers accept.
TEMPORARY_PREFIX = "randcrowns_"
#: Names of temporary tables; the first group identifies the run.
_TEMPORARY_NAME = re.compile(rf"{TEMPORARY_PREFIX}([0-9a-f]{{16}})_\d+$")
#: Time that the server waits for a lock between two checks for a cancel, seconds.
_LOCK_TIMEOUT = 0.5
_SET_TIMEOUT = f"SET LOCAL lock_timeout = '{int(1000 * _LOCK_TIMEOUT)}ms'"
#: Parts of the errors of QGIS that contain the source of a layer, with its password.
_SOURCE_PARTS = ("dbname=", "password=", "://")
#: Query for the temporary tables in a schema of which no run holds the lock.
_ABANDONED = (
    "SELECT known.relname::text FROM pg_class AS known "
    "JOIN pg_namespace AS schema ON schema.oid = known.relnamespace "
    "WHERE schema.nspname = {schema} AND known.relkind = 'r' AND known.relname ~ {pattern} "
    "AND pg_try_advisory_xact_lock(('x' || substr(known.relname, {start}, 16))::bit(64)::bigint)"
)
#: Query for the names and kinds of the indexes and sequences that are named after a table.
_OBJECTS = (
    "SELECT item.relname::text, item.relkind::text FROM pg_class AS item "
    "JOIN pg_depend AS link ON link.objid = item.oid AND link.refobjid = {staged}::regclass "
    "WHERE item.relkind IN ('S', 'i') AND strpos(item.relname, {name}) > 0 "
    "UNION SELECT item.relname::text, item.relkind::text FROM pg_index AS link "
    "JOIN pg_class AS item ON item.oid = link.indexrelid "
    "WHERE link.indrelid = {staged}::regclass AND strpos(item.relname, {name}) > 0"
)
#: Query for the number of indexes and sequences of a name that do not belong to a table.
_OWNER = (
    "SELECT count(*) FROM pg_class AS item "
    "LEFT JOIN pg_index AS link ON link.indexrelid = item.oid "
    "LEFT JOIN pg_depend AS owner ON owner.objid = item.oid AND owner.deptype = 'a' "
    "AND owner.refclassid = 'pg_class'::regclass "
    "WHERE item.oid = to_regclass({item}) "
    "AND coalesce(link.indrelid, owner.refobjid, 0) IS DISTINCT FROM to_regclass({final})::oid"
)
_COUNT_AND_COMMENT = (
    "SELECT {number}, count(*), obj_description({name}::regclass, 'pg_class') FROM {table}"
)


#: Number of rows of a table whose rows were not counted.
_UNKNOWN_COUNT = -1


@dataclass
class _StagedTable:
    """A temporary table and the table that it replaces."""

    final: ServerTable
    temporary: ServerTable
    n_rows: int = _UNKNOWN_COUNT  #: number of rows of the temporary table.


class ServerStaging:
    """Temporary tables of a run on servers.

    Args:
        run_id: id of the run, which is stored as the comment of each table.
        check_cancelled: called repeatedly; may raise to cancel.
    """

    def __init__(self, run_id: str, check_cancelled: Callable[[], None]) -> None:
        self._token = uuid.uuid4().hex[:16]
        self._comment = f"RandCrowns run {run_id or self._token}"
        self._check_cancelled = check_cancelled
        self._tables: list[_StagedTable] = []
        #: Transactions that hold the lock of this run, by database.
        self._locks: dict[str, QgsTransaction] = {}

    def stage(self, final: ServerTable) -> ServerTable:
        """Return the temporary table that will replace a table; it is not created yet.

        Temporary tables of interrupted runs in the same schema are dropped.
        """
        if final.provider == POSTGRES:
            self._lock(final)
            _drop_abandoned(final)
        temporary = final.with_table(f"{TEMPORARY_PREFIX}{self._token}_{len(self._tables)}")
        self._tables.append(_StagedTable(final, temporary))
        return temporary

    def record_count(self, temporary: ServerTable, n_rows: int) -> None:
        """Record the number of rows that a temporary table contains."""
        for table in self._tables:
            if table.temporary == temporary:
                table.n_rows = n_rows

    def publish(self) -> None:
        """Give all temporary tables their names; the earlier tables of these names are dropped.

        Raises:
            InputError: if a table cannot be replaced. On PostgreSQL nothing is changed then.
        """
        tables_by_database: dict[str, list[_StagedTable]] = {}
        for table in self._tables:
            database = database_identity(table.final)
            tables_by_database.setdefault(database, []).append(table)
        for tables in tables_by_database.values():
            if tables[0].final.provider == POSTGRES:
                self._swap_tables(tables)
            else:
                for table in tables:
                    _replace(table)
            for table in tables:
                self._tables.remove(table)

    def discard(self) -> None:
        """Drop the temporary tables that were not published, and release the locks."""
        deadline = time.monotonic() + MAX_LOCK_WAIT
        for table in self._tables:
            _drop(table.temporary, deadline)
        self._tables.clear()
        for transaction in self._locks.values():
            transaction.rollback()
        self._locks.clear()

    def _lock(self, table: ServerTable) -> None:
        """Take the lock of this run in the database of a table, unless it is held."""
        connection_info = table.uri.connectionInfo(False)
        if connection_info in self._locks:
            return
        transaction = QgsTransaction.create(connection_info, table.provider)
        if transaction is None:
            return
        is_begun, _ = transaction.begin()
        if is_begun:
            transaction.executeSql(f"SELECT pg_advisory_xact_lock({_lock_number(self._token)})")
            self._locks[connection_info] = transaction

    def _swap_tables(self, tables: list[_StagedTable]) -> None:
        """Replace tables of one PostgreSQL database in one transaction.

        Raises:
            InputError: if they cannot be replaced, or the server's answer is unknown.
        """
        rows = self._execute_swap(tables)
        if rows is None:
            return
        for table, (_, n_rows, comment) in zip(tables, rows):
            has_all_rows = table.n_rows in (_UNKNOWN_COUNT, n_rows)
            if comment != self._comment or not has_all_rows:
                raise InputError(
                    "server.rows_missing",
                    "Table '{table}' on the server has {found} of its {expected} rows, or those "
                    "of another run. Run again.",
                    table=table.final.textual_table(),
                    found=n_rows,
                    expected=table.n_rows,
                )

    def _execute_swap(self, tables: list[_StagedTable]) -> list[Any] | None:
        """Execute the transaction of :meth:`_swap_tables`, again while a table is locked.

        Returns:
            Number, row count and comment of each table; None if the connection was lost after the
            server had committed.

        Raises:
            InputError: if the tables cannot be replaced.
        """
        database = tables[0].final
        sql = _compose_swap_sql(tables, self._comment)
        deadline = time.monotonic() + MAX_LOCK_WAIT
        while True:
            self._check_cancelled()
            begin = time.monotonic()
            try:
                return database.execute(sql)
            except ServerError as error:
                if self._is_published(tables[0]):
                    return None
                is_lock_timeout = time.monotonic() - begin >= _LOCK_TIMEOUT
                if not is_lock_timeout or time.monotonic() > deadline:
                    raise _create_not_replaced_error(database, error, is_lock_timeout) from error

    def _is_published(self, table: _StagedTable) -> bool:
        """Return True if a table on a PostgreSQL server is the one of this run.

        Raises:
            InputError: if the server does not answer.
        """
        name = quote_text(table.final.relation)
        sql = f"SELECT obj_description(to_regclass({name})::oid, 'pg_class')"
        try:
            return bool(table.final.execute(sql)[0][0] == self._comment)
        except ServerError as error:
            raise InputError(
                "server.no_answer",
                "The connection to the database was lost while table '{table}' was replaced. All "
                "tables of this run are there, or none: look at the table, and run again if it is "
                "the earlier one.",
                table=table.final.textual_table(),
            ) from error


def server_error(error: object) -> str:
    """Return the text of a server's error without the source of a layer; "" without any text.

    QGIS writes the source, which may contain a password, before the text of the server.
    """
    details = " ".join(str(error).split())
    if any(part in details for part in _SOURCE_PARTS):
        *_, details = details.split(": ")
    return "" if any(part in details for part in _SOURCE_PARTS) else details


def _create_not_replaced_error(table: ServerTable, error: object, is_locked: bool) -> InputError:
    """Return the error for the user about a table that cannot be replaced.

    Args:
        table: the table.
        error: error of the server.
        is_locked: True if another program uses the table.
    """
    if is_locked:
        return InputError(
            "server.in_use",
            "Table '{table}' is in use by another program, so nothing was written. Close it there "
            "and run again, or choose another table.",
            table=table.textual_table(),
        )
    return InputError(
        "server.not_replaced",
        "Table '{table}' cannot be replaced, so nothing was written. The server reports: {why}",
        table=table.textual_table(),
        why=server_error(error) or "–",
    )


def _lock_number(token: str) -> int:
    """Return the number of a run's advisory lock, a signed integer of 64 bits."""
    return int.from_bytes(bytes.fromhex(token), "big", signed=True)


def _compose_swap_sql(tables: list[_StagedTable], comment: str) -> str:
    """Return the statements that replace tables, and a query for their rows and comments."""
    statements = [_SET_TIMEOUT]
    for table in tables:
        statements += _list_swap_statements(table, comment)
    checks = []
    for number, table in enumerate(tables):
        relation = table.final.relation
        checks.append(
            _COUNT_AND_COMMENT.format(number=number, name=quote_text(relation), table=relation)
        )
    statements.append(f"{' UNION ALL '.join(checks)} ORDER BY 1")
    return "; ".join(statements)


def _list_swap_statements(table: _StagedTable, comment: str) -> list[str]:
    """Return the statements that give a temporary table its name."""
    final = table.final
    name = quote_name(final.uri.table())
    return [
        f"DROP TABLE IF EXISTS {final.relation}",
        *_rename_statements(table),
        f"ALTER TABLE {table.temporary.relation} RENAME TO {name}",
        f"COMMENT ON TABLE {final.relation} IS {quote_text(comment)}",
    ]


def _rename_statements(table: _StagedTable) -> list[str]:
    """Return the statements that name indexes and sequences after the new name of their table.

    An index or a sequence keeps its temporary name if another table has one of the new name.
    """
    temporary_name = table.temporary.uri.table()
    schema, _, _ = resolve_table(table.temporary).partition(".")
    sql = _OBJECTS.format(
        staged=quote_text(table.temporary.relation), name=quote_text(temporary_name)
    )
    kinds = {"S": "SEQUENCE", "i": "INDEX"}
    statements = []
    with suppress(ServerError):
        for item, kind in table.final.execute(sql):
            new_name = item.replace(temporary_name, table.final.uri.table())
            qualified = quote_text(f"{quote_name(schema)}.{quote_name(new_name)}")
            check = _OWNER.format(item=qualified, final=quote_text(table.final.relation))
            if table.final.execute(check)[0][0] == 0:
                statements.append(
                    f"ALTER {kinds[kind]} {quote_name(schema)}.{quote_name(item)} "
                    f"RENAME TO {quote_name(new_name)}"
                )
    return statements


def _drop_abandoned(table: ServerTable) -> None:
    """Drop the temporary tables of interrupted runs in the schema of a table."""
    schema, _, _ = resolve_table(table).partition(".")
    sql = _ABANDONED.format(
        schema=quote_text(schema),
        pattern=quote_text(f"^{_TEMPORARY_NAME.pattern}"),
        start=len(TEMPORARY_PREFIX) + 1,
    )
    with suppress(ServerError):
        for (name,) in table.execute(sql):
            _drop(table.with_table(name))


def _drop(table: ServerTable, deadline: float = 0.0) -> None:
    """Drop a temporary table. If the server does not answer, the next run drops it.

    Args:
        table: the table.
        deadline: time of ``time.monotonic`` until which the drop is tried again while the table is
            locked, for example by a connection that is still being closed.
    """
    if table.provider != POSTGRES:
        with suppress(ServerError, InputError), convert_errors():
            table.connect().dropVectorTable(table.uri.schema(), table.uri.table())
        return
    n_tries = 0
    is_lock_timeout = False
    # The first attempt may use a connection that was lost.
    while n_tries < 2 or (is_lock_timeout and time.monotonic() < deadline):
        n_tries += 1
        begin = time.monotonic()
        with suppress(ServerError, InputError):
            table.execute(f"{_SET_TIMEOUT}; DROP TABLE IF EXISTS {table.relation}")
            return
        is_lock_timeout = time.monotonic() - begin >= _LOCK_TIMEOUT


def _replace(table: _StagedTable) -> None:
    """Replace a table on a server other than PostgreSQL, in two steps.

    Raises:
        InputError: if the server refuses a step.
    """
    schema = table.final.uri.schema()
    name = table.final.uri.table()
    connection = table.final.connect()
    try:
        with convert_errors():
            if name in _list_tables(connection.tables(schema)):
                connection.dropVectorTable(schema, name)
            connection.renameVectorTable(schema, table.temporary.uri.table(), name)
    except ServerError as error:
        raise _create_not_replaced_error(table.final, error, is_locked=False) from error


def _list_tables(tables: Iterable[object]) -> set[str]:
    """Return the names of tables as QGIS lists them."""
    return {str(table.tableName()) for table in tables}  # type: ignore[attr-defined]
