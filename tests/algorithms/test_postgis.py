"""Scoring layers of a PostGIS database, into one, and writing fields there; on a private server of
the test's own."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest
from qgis.core import QgsDataSourceUri, QgsVectorLayer, QgsVectorLayerExporter
from support.errors import raises
from support.layers import crowns_at, layer_of
from support.processing import attributes

from randcrowns.layers.vector.write import write_fields

PLACES = [(0, 0), (20, 0), (40, 0)]


def binaries() -> Path | None:
    """The newest server's programs, where PostGIS is installed for it."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        version = folder.parent.name
        extensions = Path("/usr/share/postgresql") / version / "extension" / "postgis.control"
        if (folder / "initdb").exists() and extensions.exists():
            return folder
    return None


@pytest.fixture(scope="module")
def server():
    """Port of a running server; it listens on loopback only and is gone after the tests."""
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


def table(port, name, geometry="geom"):
    uri = QgsDataSourceUri()
    uri.setConnection("127.0.0.1", str(port), "postgres", "tester", "")
    uri.setDataSource("public", name, geometry, "", "id")
    return uri


def upload(layer, port, name):
    uri = table(port, name)
    problem, message = QgsVectorLayerExporter.exportLayer(
        layer, uri.uri(False), "postgres", layer.crs(), False, {"overwrite": True}
    )
    assert problem == QgsVectorLayerExporter.NoError, message
    made = QgsVectorLayer(uri.uri(False), layer.name(), "postgres")
    assert made.isValid()
    return made


@pytest.fixture
def layers(server, qgis_app):
    rows = [["p"], ["p"], ["q"]]
    targets = layer_of(
        "targets", crowns_at(PLACES), kind="Polygon", fields="&field=plot:string", rows=rows
    )
    drawn = layer_of("drawn", crowns_at(PLACES, seed=2), kind="Polygon")
    return targets, upload(targets, server, "targets"), upload(drawn, server, "drawn")


def test_scored_from_and_into_the_database(run, server, layers):
    memory, targets, drawn = layers
    uri = table(server, "scored").uri(False)
    parameters = {"TARGETS": targets, "DELINEATIONS": [drawn], "PLOT_FIELD": "plot"}
    done = run("scorecrowns", {**parameters, "SCORED_TARGETS": f"postgres://{uri}"})
    if not done.ok:
        done = run("scorecrowns", {**parameters, "SCORED_TARGETS": f"postgis:{uri}"})
    assert done.ok, done.refused + done.error
    expected = run("scorecrowns", {"TARGETS": memory, "DELINEATIONS": [drawn]}).table(
        "SCORED_TARGETS"
    )
    scored = QgsVectorLayer(uri, "scored", "postgres")
    assert scored.isValid()
    found = attributes(scored).sort_values("target_id")
    assert found["drawn_rc"].astype(float).tolist() == pytest.approx(
        expected["drawn_rc"].astype(float).tolist()
    )
    assert done.table("SUMMARY")["plot"].tolist() == ["all", "p", "q"]


def test_fields_are_written_into_the_database_as_one_step(server, layers):
    _, targets, _ = layers
    ids = sorted(feature.id() for feature in targets.getFeatures())
    write_fields(targets, ids, {"a_rc": [0.5, float("nan"), 1.0], "a_status": ["x", "y", None]})
    assert targets.undoStack().count() == 1
    assert targets.commitChanges(), targets.commitErrors()
    again = attributes(
        QgsVectorLayer(table(server, "targets").uri(False), "again", "postgres")
    ).sort_values("id")
    assert again["a_rc"].tolist()[::2] == [0.5, 1.0]
    assert again["a_rc"].isna().tolist() == [False, True, False]


def test_a_table_that_may_not_be_changed_is_refused(server, layers):

    uri = table(server, "targets")
    uri.setSql("")
    layer = QgsVectorLayer(uri.uri(False), "targets", "postgres")
    layer.setReadOnly(True)
    with raises("layer.read_only"):
        write_fields(layer, [1], {"a_rc": [1.0]})
