"""Scoring layers of a PostGIS database, into one, and writing fields there; on a private server of
the test's own."""

from __future__ import annotations

import json
from threading import Timer

import pytest
from qgis.core import QgsProcessingUtils, QgsProject, QgsTransaction, QgsVectorLayer
from support.errors import raises
from support.layers import crowns_at, layer_of
from support.postgres import break_connections, execute, running_server, table, upload
from support.processing import Listener, attributes
from support.server_writing import OUTPUTS, earlier_tables, rows, score_into
from support.shown import shows

import randcrowns.layers.files.server_staging as server_staging
from randcrowns.layers.files.server_staging import ServerStaging
from randcrowns.layers.servers import ServerTable
from randcrowns.layers.vector.write import write_fields

#: Number of rows of each table of a complete run.
COMPLETE = {name.lower(): count for name, count in OUTPUTS.items()}
PLACES = [(0, 0), (20, 0), (40, 0)]


@pytest.fixture(scope="module")
def server():
    """Port of a running server."""
    with running_server() as port:
        yield port


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


#: Spellings of table ``targets``; ``port`` is the port of the server.
SPELLINGS = (
    "postgres://dbname='postgres' host=127.0.0.1 port={port} user='tester' table=\"public\".\"targets\" (geom)",
    "postgres://dbname='postgres' host=127.0.0.1 port={port} user='tester' table=\"targets\" (geom)",
    'postgres://table="targets" (geom) user=tester host=localhost dbname=postgres port={port}',
    "postgis:dbname='postgres' host=localhost port={port} user='tester' table=\"public\".\"targets\" (geom)",
    "POSTGRES:dbname='postgres' host=127.0.0.1 port={port} user='tester' table=\"targets\" (geom)",
    "ogr:PG:dbname='postgres' host=127.0.0.1 port={port} user='tester'|layername=targets",
    "PG:dbname='postgres' host=localhost port={port} user='tester'|layername=public.targets",
)


def query_layer(port, sql):
    uri = table(port, f"({sql})")
    uri.setSchema("")
    return QgsVectorLayer(uri.uri(False), "targets", "postgres")


def view(port):
    execute(port, "CREATE OR REPLACE VIEW seen AS SELECT * FROM targets")
    return QgsVectorLayer(table(port, "seen").uri(False), "targets", "postgres")


def filtered(port):
    uri = table(port, "drawn")
    uri.setSql("id IN (SELECT id FROM targets)")
    return QgsVectorLayer(uri.uri(False), "targets", "postgres")


def virtual(port):
    layer = QgsVectorLayer(table(port, "targets").uri(False), "stored", "postgres")
    QgsProject.instance().addMapLayer(layer)
    return QgsVectorLayer("?query=select * from stored", "targets", "virtual")


#: Layers that read table ``targets``.
READERS = {
    "table": lambda port: QgsVectorLayer(table(port, "targets").uri(False), "targets", "postgres"),
    "query": lambda port: query_layer(port, "SELECT t.* FROM targets AS t JOIN drawn USING (id)"),
    "view": view,
    "condition": filtered,
    "virtual": virtual,
    "GDAL": lambda port: QgsVectorLayer(
        f"PG:dbname='postgres' host=127.0.0.1 port={port} user='tester'|layername=targets",
        "targets",
        "ogr",
    ),
}


@pytest.mark.parametrize("reader", READERS)
def test_no_output_replaces_a_table_however_it_is_read_and_spelled(run, server, layers, reader):
    layer = READERS[reader](server)
    assert layer.isValid()
    other = layer_of("other", crowns_at(PLACES, seed=2), kind="Polygon")
    for spelling in SPELLINGS:
        place = spelling.format(port=server)
        done = run("scorecrowns", {"TARGETS": layer, "DELINEATIONS": [other], "PAIRS": place})
        assert shows(done.refused, "output.overwrites_input"), (spelling, done.error)
    done = run(
        "scorecrowns",
        {"TARGETS": layer, "DELINEATIONS": [other], "PAIRS": f"postgres://{uri_of(server, 'new')}"},
    )
    assert done.ok, done.refused + done.error


def uri_of(port, name, geometry="geom"):
    return table(port, name, geometry).uri(False)


def test_a_long_name_is_the_name_to_which_the_server_shortens_it(run, server, layers):
    name = "é" * 40  # 80 bytes, of which the server uses 62
    stored = upload(layers[0], server, name[:31])
    other = layer_of("other", crowns_at(PLACES, seed=2), kind="Polygon")
    place = f"postgres://{uri_of(server, name)}"
    done = run("scorecrowns", {"TARGETS": stored, "DELINEATIONS": [other], "PAIRS": place})
    assert shows(done.refused, "output.overwrites_input")
    done = run("scorecrowns", {"TARGETS": other, "DELINEATIONS": [other], "PAIRS": place})
    assert done.ok, done.error
    assert rows(server)[name[:31]] == 3


@pytest.mark.parametrize("name", ["Übersicht", "übersicht", "Targets 2", 'a"b', "it's", "木"])
def test_a_table_of_any_name_is_replaced_by_the_next_run(run, server, layers, name):
    for count in (3, 2):
        targets = layer_of("targets", crowns_at(PLACES[:count]), kind="Polygon")
        place = f"postgres://{uri_of(server, name)}"
        done = run("targetregions", {"TARGETS": targets, "REGIONS": place})
        assert done.ok, done.error
        assert rows(server)[name] == 4 * count
    assert "targets" in rows(server)


def test_all_tables_of_a_run_are_there_with_its_id_and_their_own_names(run, server):
    earlier_tables(server)
    done = score_into(server)
    assert done.ok, done.error
    assert rows(server) == COMPLETE
    (comments,) = execute(
        server,
        "SELECT " + ", ".join(f"obj_description('{name}'::regclass)" for name in COMPLETE),
    )
    run_id = json.loads(done.results["PROVENANCE"])["id"]
    assert set(comments) == {f"RandCrowns run {run_id}"}
    names = execute(server, "SELECT relname::text FROM pg_class WHERE relname LIKE 'randcrowns%'")
    assert names == []
    layer = QgsProcessingUtils.mapLayerFromString(done.results["SCORED_TARGETS"], done.context)
    assert layer.featureCount() == 300


@pytest.mark.parametrize("disturbance", ["cancel", "lost connection"])
@pytest.mark.parametrize(("owner", "moment"), [(ServerStaging, "publish"), (ServerTable, "count")])
def test_a_run_that_ends_early_leaves_the_earlier_tables(
    run, server, monkeypatch, disturbance, owner, moment
):
    """Before the tables get their names, and after the rows of the first one are written."""
    acts = {"cancel": Listener.cancel, "lost connection": lambda _: break_connections(server)}
    listener = Listener()
    work = getattr(owner, moment)

    def disturb(staging):
        acts[disturbance](listener)
        return work(staging)

    monkeypatch.setattr(owner, moment, disturb)
    earlier_tables(server)
    done = score_into(server, listener)
    is_written = done.ok and bool(done.results)
    assert rows(server) == (COMPLETE if is_written else {"scored_targets": 7})
    assert not (disturbance == "cancel" and is_written)


def test_tables_of_an_interrupted_run_are_removed_and_those_of_a_living_run_stay(server, run):
    earlier_tables(server)
    living = ServerStaging("", lambda: None)
    temporary = living.stage(ServerTable("postgres", uri_of(server, "mine")))
    execute(server, f"CREATE TABLE {temporary.relation} (id int)")
    abandoned = f"randcrowns_{'0' * 16}_0"
    execute(server, f"CREATE TABLE {abandoned} (id int)")
    assert score_into(server).ok
    assert abandoned not in rows(server)
    assert rows(server)[temporary.uri.table()] == 0
    living.discard()
    assert rows(server) == COMPLETE


def test_a_temporary_table_that_is_still_in_use_is_dropped_when_it_is_free(server, run):
    staging = ServerStaging("", lambda: None)
    temporary = staging.stage(ServerTable("postgres", uri_of(server, "mine")))
    execute(server, f"CREATE TABLE {temporary.relation} (id int)")
    writer = QgsTransaction.create(table(server, "x").connectionInfo(False), "postgres")
    assert writer.begin()[0]
    assert writer.executeSql(f"LOCK TABLE {temporary.relation} IN ACCESS SHARE MODE")[0]
    timer = Timer(1.3, writer.rollback)  # longer than two attempts of half a second
    timer.start()
    staging.discard()
    timer.join()
    assert temporary.uri.table() not in rows(server)


def test_a_table_on_which_others_depend_stays_and_the_server_says_why(server, run):
    earlier_tables(server)
    execute(server, "CREATE VIEW depends AS SELECT * FROM scored_targets")
    done = score_into(server)
    assert shows(done.error, "server.not_replaced", table="public.scored_targets")
    assert "other objects depend on it" in done.error
    assert rows(server) == {"scored_targets": 7}


def test_a_table_in_use_is_waited_for_and_stays(server, run, monkeypatch):
    monkeypatch.setattr(server_staging, "MAX_LOCK_WAIT", 0.6)
    earlier_tables(server)
    user = QgsTransaction.create(table(server, "x").connectionInfo(False), "postgres")
    assert user.begin()[0]
    assert user.executeSql("LOCK TABLE scored_targets IN ACCESS SHARE MODE")[0]
    done = score_into(server)
    user.rollback()
    assert shows(done.error, "server.in_use", table="public.scored_targets")
    assert rows(server) == {"scored_targets": 7}


def test_files_and_tables_are_written_together_or_not_at_all(server, run, tmp_path):
    earlier_tables(server)
    execute(server, "CREATE VIEW depends AS SELECT * FROM scored_targets")
    place = f"ogr:dbname='{tmp_path}/results.gpkg' table=\"pairs\""
    assert not score_into(server, PAIRS=place).ok
    assert list(tmp_path.iterdir()) == []
    execute(server, "DROP VIEW depends")
    assert score_into(server, PAIRS=place).ok
    assert QgsVectorLayer(f"{tmp_path}/results.gpkg|layername=pairs").featureCount() == 300


def test_a_server_that_cannot_be_reached_is_an_error_without_the_password(run):
    place = (
        "postgres://dbname='x' host=127.0.0.1 port=1 user='a' password='geheim' "
        'table="public"."t" (geom)'
    )
    targets = layer_of("targets", crowns_at(PLACES), kind="Polygon")
    done = run("targetregions", {"TARGETS": targets, "REGIONS": place})
    assert shows(done.refused + done.error, "output.not_written", where="public.t")
    assert "geheim" not in done.refused + done.error + done.warnings
