"""A private PostgreSQL server with PostGIS, and layers of its tables."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from qgis.core import (
    QgsDataSourceUri,
    QgsProviderRegistry,
    QgsVectorLayer,
    QgsVectorLayerExporter,
)

from randcrowns.layers.databases import quote_name

__all__ = ["break_connections", "execute", "running_server", "table", "upload"]


def binaries() -> Path | None:
    """The newest server's programs, where PostGIS is installed for it."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        version = folder.parent.name
        extensions = Path("/usr/share/postgresql") / version / "extension" / "postgis.control"
        if (folder / "initdb").exists() and extensions.exists():
            return folder
    return None


@contextmanager
def running_server() -> Iterator[int]:
    """Yield the port of a running server, which listens on loopback only; stop it at the end."""
    programs = binaries()
    if programs is None:
        pytest.skip("no PostgreSQL server with PostGIS is installed (Debian: postgresql-postgis)")
    if os.geteuid() == 0:
        try:
            pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        if shutil.which("runuser") is None:
            pytest.skip("PostgreSQL does not run as root, and runuser is not installed")
        user = ["runuser", "-u", "postgres", "--"]
    else:
        user = []
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="randcrowns_pg_"))
    if user:
        shutil.chown(folder, "postgres")

    def call(*words):
        subprocess.run(
            [*user, *map(str, words)], check=True, capture_output=True, cwd=folder, timeout=300
        )

    data = folder / "data"
    call(
        programs / "initdb",
        "-D",
        data,
        "-U",
        "tester",
        "--auth=trust",
        "-E",
        "UTF8",
        "--no-locale",
        "-N",
    )
    options = (
        f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    )
    call(programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
    try:
        call(
            programs / "psql",
            "-h",
            "127.0.0.1",
            "-p",
            port,
            "-U",
            "tester",
            "postgres",
            "-c",
            "CREATE EXTENSION postgis",
        )
        yield port
    finally:
        call(programs / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def table(port: int, name: str, geometry: str = "geom") -> QgsDataSourceUri:
    """Return the source of a table in schema ``public``."""
    uri = QgsDataSourceUri()
    uri.setConnection("127.0.0.1", str(port), "postgres", "tester", "")
    uri.setDataSource("public", name, geometry, "", "id")
    return uri


def upload(layer: QgsVectorLayer, port: int, name: str) -> QgsVectorLayer:
    """Write a layer into a table, and return a layer that reads the table."""
    uri = table(port, name)
    execute(port, f"DROP TABLE IF EXISTS {quote_name(name)} CASCADE")
    problem, message = QgsVectorLayerExporter.exportLayer(
        layer, uri.uri(False), "postgres", layer.crs(), False, {"overwrite": True}
    )
    assert problem == QgsVectorLayerExporter.NoError, message
    made = QgsVectorLayer(uri.uri(False), layer.name(), "postgres")
    assert made.isValid()
    return made


def execute(port: int, sql: str) -> list[list[Any]]:
    """Return the rows of a statement."""
    metadata = QgsProviderRegistry.instance().providerMetadata("postgres")
    connection = metadata.createConnection(table(port, "x").connectionInfo(False), {})
    return list(connection.executeSql(sql))


def break_connections(port: int) -> None:
    """Have the server end all connections of QGIS."""
    programs = binaries()
    assert programs is not None
    sql = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE pid <> pg_backend_pid() AND usename = 'tester'"
    )
    command = [programs / "psql", "-h", "127.0.0.1", "-p", port, "-U", "tester", "postgres"]
    subprocess.run([*map(str, command), "-c", sql], check=True, capture_output=True)
