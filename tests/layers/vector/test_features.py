"""Features are read completely, or an error says that they cannot be read."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from qgis.core import QgsFeatureRequest, QgsVectorLayer, QgsVectorLayerFeatureSource
from support.errors import raises
from support.layers import crowns_at, layer_of, save

from randcrowns.layers.files.verdict_file import layer_outline_hashes
from randcrowns.layers.vector.features import iterate_features
from randcrowns.layers.vector.tables import read_attributes, read_attributes_and_geometries

COUNT = 300

#: Begins to read a snapshot of a layer and deletes the snapshot first, as Python does with the
#: objects of a run that was cancelled.
_ABANDONED = """
import sys
from qgis.core import QgsApplication, QgsFeatureRequest, QgsVectorLayer
from qgis.core import QgsVectorLayerFeatureSource
application = QgsApplication([], False)
application.initQgis()
from randcrowns.core.errors import Cancelled
from randcrowns.layers.vector.features import iterate_features
from randcrowns.layers.vector.read import LayerSnapshot

class Run:
    def cancel(self, fraction):
        self.fraction = fraction
        raise Cancelled

layer = QgsVectorLayer(sys.argv[1], "t", "ogr")
source = QgsVectorLayerFeatureSource(layer)
features = iterate_features(source, QgsFeatureRequest())
print(next(features).id(), flush=True)
del layer, source, features
print("abandoned", flush=True)

run = Run()
run.snapshot = LayerSnapshot.from_layer(QgsVectorLayer(sys.argv[1], "t", "ogr"))
try:
    run.snapshot.read_features(progress=run.cancel)
except Cancelled as cancelled:
    run.traceback = cancelled.__traceback__
del run
print("cancelled", flush=True)
"""


@pytest.fixture
def layer(qgis_app, tmp_path):
    """Crowns of a GeoPackage, to which QGIS has a connection without locks."""
    path = tmp_path / "t.gpkg"
    places = [(20 * number, 0) for number in range(COUNT)]
    save(layer_of("t", crowns_at(places), fields="&field=a:string", rows=[["a"]] * COUNT), path)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    layer = QgsVectorLayer(f"{path}|layername=t", "t", "ogr")
    assert len(list(layer.getFeatures())) == COUNT
    return layer


@pytest.fixture
def begun_log(layer, tmp_path):
    """Another program has begun a write-ahead log of the GeoPackage since."""
    with closing(sqlite3.connect(tmp_path / "t.gpkg")) as database:
        assert database.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
        database.execute("CREATE TABLE another (number INTEGER)")
        database.commit()
        yield


READERS = {
    "hashes": layer_outline_hashes,
    "some hashes": lambda source: layer_outline_hashes(source, range(1, COUNT + 1)),
    "attributes": read_attributes,
    "attributes and geometries": lambda source: read_attributes_and_geometries(
        source, lambda _share: None
    )[0],
}


@pytest.mark.parametrize("reader", READERS)
def test_a_connection_that_fails_is_replaced(layer, begun_log, reader):
    source = QgsVectorLayerFeatureSource(layer)
    # QGIS returns nothing, and reports no error.
    assert not list(source.getFeatures(QgsFeatureRequest()))
    assert len(READERS[reader](source)) == COUNT


def test_features_of_a_damaged_file_are_no_empty_layer(layer, tmp_path):
    path = tmp_path / "damaged.gpkg"
    source = QgsVectorLayerFeatureSource(save(layer, path))
    whole = path.read_bytes()
    path.write_bytes(whole[: 4096 * 10] + b"\xff" * (len(whole) - 4096 * 10))
    with raises("layer.not_readable_now"):
        list(iterate_features(source, QgsFeatureRequest()))


def test_no_features_are_no_error(layer):
    assert not list(iterate_features(layer, QgsFeatureRequest().setFilterFid(999)))


def test_a_snapshot_may_be_deleted_while_its_features_are_read(layer):
    """QGIS crashed, because the snapshot closed its iterators too late."""
    done = subprocess.run(
        [sys.executable, "-c", _ABANDONED, layer.source()],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["1", "abandoned", "cancelled"], done.stderr
    assert done.returncode == 0
