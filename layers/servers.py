"""Tables in databases on servers: identity, tables that a layer reads, exact counts, and swaps.

QGIS's own connections are used, with the credentials that QGIS knows. PostgreSQL is asked for what
it alone knows; of other servers only the text of the source is compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from qgis.core import (
    QgsAbstractDatabaseProviderConnection,
    QgsDataSourceUri,
    QgsException,
    QgsProcessingUtils,
    QgsProviderConnectionException,
    QgsProviderRegistry,
)

from randcrowns.core.errors import InputError
from randcrowns.layers.databases import quote_name

#: Providers of layers in databases on servers, to which Processing can write.
SERVER_PROVIDERS = ("postgres", "mssql", "oracle", "hana")
#: Provider of PostgreSQL.
POSTGRES = "postgres"
#: Names of this computer in sources.
_THIS_COMPUTER = ("", "localhost", "127.0.0.1", "::1")
#: Query for a database's identity, which is the same however the server is addressed.
_IDENTITY = (
    "SELECT pg_postmaster_start_time()::text, "
    "(SELECT oid FROM pg_database WHERE datname = current_database())::text"
)
#: Query for the schema and the name of a table as the server resolves them. The server shortens
#: long names and chooses the schema of names without one.
_RESOLVE = (
    "SELECT coalesce(schema.nspname, {schema}::name, current_schema())::text, "
    "coalesce(known.relname, {table}::name)::text FROM (SELECT to_regclass({full})::oid AS id) "
    "AS given LEFT JOIN pg_class AS known ON known.oid = given.id "
    "LEFT JOIN pg_namespace AS schema ON schema.oid = known.relnamespace"
)


#: Query for the number of rows of another query.
_COUNT = "SELECT count(*) FROM ({query}) AS counted"


#: Errors of QGIS's connections; which of them is raised depends on the version.
_QGIS_ERRORS = (QgsException, QgsProviderConnectionException)


class ServerError(Exception):
    """Error that a server or QGIS's connection to it reports; its text is the server's."""


@contextmanager
def convert_errors() -> Iterator[None]:
    """Convert the errors of QGIS's connections to a ServerError."""
    try:
        yield
    except _QGIS_ERRORS as error:
        raise ServerError(str(error)) from error


@dataclass(frozen=True)
class ServerTable:
    """Table, view or query in a database on a server."""

    provider: str  #: name of QGIS's provider, such as ``postgres``.
    source: str  #: source of a layer that reads the table, in QGIS's encoding.

    @property
    def uri(self) -> QgsDataSourceUri:
        """The source, parsed."""
        return QgsDataSourceUri(self.source)

    @property
    def is_query(self) -> bool:
        """True if the layer reads an SQL query instead of a table."""
        return self.uri.table().lstrip().startswith("(")

    @property
    def relation(self) -> str:
        """Table or query in SQL, as it follows ``FROM``."""
        uri = self.uri
        if self.is_query:
            return f"{uri.table()} AS query"
        parts = [name for name in (uri.schema(), uri.table()) if name]
        return ".".join(map(quote_name, parts))

    @property
    def query(self) -> str:
        """SQL that reads the rows of the layer."""
        condition = self.uri.sql()
        parts = ["SELECT * FROM", self.relation]
        if condition:
            parts += ["WHERE", condition]
        return " ".join(parts)

    def textual_database(self) -> str:
        """Return the address of the database as the source names it, without credentials."""
        uri = self.uri
        host = uri.service() or uri.host().lower()
        address = "localhost" if host in _THIS_COMPUTER else host
        return "/".join((self.provider, address, uri.port() or "", uri.database()))

    def textual_table(self) -> str:
        """Return the schema and the name of the table as the source names them; "" for a query."""
        uri = self.uri
        if self.is_query or not uri.table():
            return ""
        default_schema = "public" if self.provider == POSTGRES else ""
        return f"{uri.schema() or default_schema}.{uri.table()}"

    def with_table(self, name: str) -> ServerTable:
        """Return another table in the same schema, without a filter."""
        uri = self.uri
        uri.setTable(name)
        uri.setSql("")
        return ServerTable(self.provider, uri.uri(False))

    @property
    def destination_text(self) -> str:
        """The table as a destination of QGIS Processing, and as the source of a result."""
        return str(QgsProcessingUtils.encodeProviderKeyAndUri(self.provider, self.source))

    def connect(self) -> QgsAbstractDatabaseProviderConnection:
        """Return QGIS's connection to the database.

        Raises:
            InputError: if QGIS has no connections of this kind.
        """
        metadata = QgsProviderRegistry.instance().providerMetadata(self.provider)
        try:
            connection = metadata.createConnection(self.uri.connectionInfo(False), {})
        except (AttributeError, *_QGIS_ERRORS):
            connection = None
        if connection is None:
            raise InputError(
                "server.no_connection",
                "QGIS cannot connect to the database with table '{table}'. Check the connection, "
                "or write to a file.",
                table=self.uri.table(),
            )
        return connection

    def execute(self, sql: str) -> list[list[Any]]:
        """Execute SQL on the server and return the rows of its last statement.

        PostgreSQL executes several statements in one transaction: all of them or none.

        Raises:
            ServerError: if the server reports an error, or cannot be reached.
            InputError: if QGIS has no connections of this kind.
        """
        with convert_errors():
            return list(self.connect().executeSql(sql))

    def can_be_replaced(self) -> bool:
        """Return True if a table can be written under another name and then replace this one."""
        if self.provider not in SERVER_PROVIDERS or not self.uri.table() or self.is_query:
            return False
        if self.provider == POSTGRES:
            return True
        abilities = QgsAbstractDatabaseProviderConnection.Capability
        try:
            capabilities = self.connect().capabilities()
        except InputError:
            return False
        return bool(
            capabilities & abilities.DropVectorTable and capabilities & abilities.RenameVectorTable
        )

    def count(self) -> int:
        """Return the number of the layer's rows as the server counts them now; -1 if unknown."""
        if self.provider != POSTGRES:
            return -1
        try:
            rows = self.execute(_COUNT.format(query=self.query))
            return int(rows[0][0])
        except (ServerError, InputError, IndexError):
            return -1


def quote_text(value: str) -> str:
    """Return a text as a literal for SQL of PostgreSQL."""
    return "E'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


def database_identity(table: ServerTable) -> str:
    """Return a text that is equal for two sources if they lead to the same database.

    PostgreSQL is asked. The address in the source is used if the server does not answer.
    """
    if table.provider == POSTGRES:
        try:
            (start_time, database_id) = table.execute(_IDENTITY)[0]
        except (ServerError, InputError, IndexError):
            return table.textual_database()
        return f"{POSTGRES}/{start_time}/{database_id}"
    return table.textual_database()


def resolve_table(table: ServerTable) -> str:
    """Return schema and name of a table as the server resolves them; "" for a query."""
    uri = table.uri
    if table.provider != POSTGRES or table.is_query or not uri.table():
        return table.textual_table()
    sql = _RESOLVE.format(
        schema=quote_text(uri.schema()) if uri.schema() else "NULL",
        table=quote_text(uri.table()),
        full=quote_text(table.relation),
    )
    try:
        rows = table.execute(sql)
    except (ServerError, InputError):
        return table.textual_table()
    if not rows:
        return table.textual_table()
    schema_name, table_name = rows[0]
    return f"{schema_name}.{table_name}"


def server_tables_read(table: ServerTable) -> frozenset[str] | None:
    """Return the tables that a layer on a server reads, also through views and queries.

    PostgreSQL reports them in the plan of the query, which is not run.

    Returns:
        Schema and name of each table, separated by a dot; None if the tables are unknown.
    """
    own_name = resolve_table(table)
    names = {own_name} if own_name else set()
    if table.provider != POSTGRES:
        return frozenset(names) or None
    try:
        rows = table.execute(f"EXPLAIN (VERBOSE, FORMAT JSON) {table.query}")
        plan = json.loads(rows[0][0])
    except (ServerError, InputError, IndexError, ValueError, TypeError):
        return frozenset(names) or None
    return frozenset(names.union(_list_relations(plan)))


def _list_relations(plan: Any) -> Iterator[str]:
    """Yield the schema and name of each table in a plan of PostgreSQL."""
    if isinstance(plan, list):
        for item in plan:
            yield from _list_relations(item)
    elif isinstance(plan, dict):
        if "Relation Name" in plan:
            yield f"{plan.get('Schema', '')}.{plan['Relation Name']}"
        for value in plan.values():
            yield from _list_relations(value)


def ogr_server_table(path: str, table: str) -> ServerTable | None:
    """Return the table that GDAL reads from PostgreSQL; None for any other source of GDAL.

    Args:
        path: source of GDAL, such as ``PG:dbname=trees host=server``.
        table: name of the layer, with the schema and a dot in front unless it is the default.
    """
    match = re.match(r"PG:(.*)$", path, re.IGNORECASE | re.DOTALL)
    if match is None:
        return None
    uri = QgsDataSourceUri(match.group(1))
    schema, dot, name = table.partition(".")
    if not dot:
        schema = ""
        name = table
    uri.setDataSource(schema, name, "")
    return ServerTable(POSTGRES, uri.uri(False))
