"""Fewer features than a layer has are never returned in silence, whatever its provider."""

from __future__ import annotations

import pytest
from osgeo import gdal
from qgis.core import QgsProject, QgsVectorLayer
from support.errors import assert_message, raises
from support.layers import CROWN, crowns_at, layer_of
from support.postgres import break_connections, execute, running_server, upload
from support.web_service import CROWNS, running_service

from randcrowns.layers.vector.read import LayerSnapshot

N_STORED = 6000


@pytest.fixture
def service(qgis_app):
    # QGIS stores the pages in a SpatiaLite database.
    before = gdal.GetConfigOption("SPATIALITE_LOAD")
    gdal.SetConfigOption("SPATIALITE_LOAD", "YES")
    with running_service() as running:
        yield running
    gdal.SetConfigOption("SPATIALITE_LOAD", before)


@pytest.mark.parametrize("names_count", [True, False])
def test_a_page_of_a_web_service_that_fails_is_an_error_until_it_is_there(service, names_count):
    service.names_count = names_count
    service.first_failing = 20
    layer = service.layer()
    for _ in range(2):  # QGIS keeps the pages that arrived, and calls them complete
        with raises("layer.incomplete", layer="trees", read=20):
            LayerSnapshot.from_layer(layer).read_features()
    service.first_failing = None
    assert len(LayerSnapshot.from_layer(layer).read_features()) == CROWNS


def test_pages_that_failed_for_the_map_are_read_again_by_a_run(service, qgis_app):
    service.first_failing = 20
    layer = service.layer()
    assert len(list(layer.getFeatures())) == 20
    qgis_app.processEvents()
    service.first_failing = None
    assert len(LayerSnapshot.from_layer(layer).read_features()) == CROWNS


def test_the_number_of_a_web_service_is_called_unknown(service):
    snapshot = LayerSnapshot.from_layer(service.layer())
    message = snapshot.count_change_message("trees", len(snapshot.read_features()))
    assert_message(message, "input.count_unknown", read=CROWNS)
    assert not message.is_notice
    assert snapshot.count_change_message("trees", CROWNS - 1).key == "input.changed"


@pytest.fixture(scope="module")
def server(qgis_app):
    with running_server() as port:
        yield port


@pytest.fixture(scope="module")
def stored(server):
    places = [(9 * (number % 100), 9 * (number // 100)) for number in range(N_STORED)]
    return upload(layer_of("stored", crowns_at(places), kind="Polygon"), server, "stored")


def _broken_at(server, number):
    """A progress that breaks all connections when it is called for the number-th time."""
    calls = iter(range(number))

    def report(_):
        if next(calls, None) is None:
            break_connections(server)

    return report


@pytest.mark.parametrize("is_estimated", [False, True])
def test_a_broken_connection_is_an_error_whatever_the_layer_counts(server, stored, is_estimated):
    uri = stored.source() + (" estimatedmetadata=true" if is_estimated else "")
    layer = QgsVectorLayer(uri, "stored", "postgres")
    with raises("layer.incomplete", expected=N_STORED):
        LayerSnapshot.from_layer(layer).read_features(progress=_broken_at(server, 1))
    assert len(LayerSnapshot.from_layer(layer).read_features()) == N_STORED


def test_a_broken_connection_is_an_error_where_an_expression_selects(server, stored):
    snapshot = LayerSnapshot.from_layer(stored, expression="$area > 0")
    with raises("layer.incomplete"):
        snapshot.read_features(progress=_broken_at(server, 1))


def test_a_broken_connection_is_an_error_below_a_virtual_layer(server, stored, qgis_new_project):
    QgsProject.instance().addMapLayer(stored.clone())
    virtual = QgsVectorLayer("?query=select * from stored", "virtual", "virtual")
    snapshot = LayerSnapshot.from_layer(virtual)
    assert snapshot.feature_count == N_STORED
    with raises("layer.incomplete"):
        snapshot.read_features(progress=_broken_at(server, 1))


def test_unsaved_edits_of_a_table_on_a_server_count(stored):
    stored.startEditing()
    stored.deleteFeatures(stored.allFeatureIds()[:5])
    assert stored.addFeature(next(stored.getFeatures()))
    snapshot = LayerSnapshot.from_layer(stored)
    assert len(snapshot.read_features()) == N_STORED - 4
    stored.rollBack()


def test_rows_that_others_add_are_read(server, stored):
    snapshot = LayerSnapshot.from_layer(stored)
    sql = "INSERT INTO stored (geom) SELECT geom FROM stored LIMIT 3 RETURNING id"
    ids = [str(row[0]) for row in execute(server, sql)]
    assert len(snapshot.read_features()) == N_STORED + 3
    execute(server, f"DELETE FROM stored WHERE id IN ({', '.join(ids)})")
    assert len(LayerSnapshot.from_layer(stored, limit=7).read_features()) == 7


def test_lines_that_a_text_file_has_lost_are_reported(qgis_app, tmp_path):
    path = tmp_path / "crowns.csv"
    lines = ["id;wkt", *(f'{n};"{CROWN}"' for n in range(5)), "5;no outline"]
    path.write_text("\n".join(lines), encoding="utf-8")
    source = f"file://{path}?type=csv&delimiter=;&wktField=wkt&crs=EPSG:32617"
    snapshot = LayerSnapshot.from_layer(QgsVectorLayer(source, "crowns", "delimitedtext"))
    n_read = len(snapshot.read_features())
    assert snapshot.count_change_message("crowns", n_read) is None
    path.write_text("\n".join(lines[:3]), encoding="utf-8")
    n_read = len(snapshot.read_features())
    message = snapshot.count_change_message("crowns", n_read)
    assert_message(message, "input.changed", expected=5, read=n_read)
    assert n_read < 5
