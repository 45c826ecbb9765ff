"""Layers that give several crowns one id, as views of joined tables do, are worked on by their
rows."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from qgis.core import QgsVectorLayer
from support.errors import raises
from support.layers import crowns_at, layer_of, save
from support.shown import shows

from randcrowns.layers.vector.write import write_fields

PLACES = [(0, 0), (20, 0), (40, 0)]
_VIEW = """
CREATE TABLE visits (tree INTEGER, person TEXT);
INSERT INTO visits VALUES (1, 'anna'), (1, 'ben'), (2, 'anna'), (3, 'anna'), (3, 'ben');
CREATE VIEW visited AS SELECT trees.fid AS OGC_FID, trees.geom, visits.person
FROM trees JOIN visits ON visits.tree = trees.fid;
INSERT INTO gpkg_contents (table_name, identifier, data_type, srs_id)
VALUES ('visited', 'visited', 'features', 32617);
INSERT INTO gpkg_geometry_columns VALUES ('visited', 'geom', 'POLYGON', 32617, 0, 0);
"""


@pytest.fixture
def view(qgis_app, tmp_path):
    path = tmp_path / "plot.gpkg"
    save(layer_of("trees", crowns_at(PLACES), kind="Polygon"), path, name="trees")
    with closing(sqlite3.connect(path)) as database:
        database.executescript(_VIEW)
    layer = QgsVectorLayer(f"{path}|layername=visited", "visited", "ogr")
    assert sorted(feature.id() for feature in layer.getFeatures()) == [1, 1, 2, 3, 3]
    return layer


@pytest.mark.parametrize("side", ["TARGETS", "DELINEATIONS"])
def test_a_view_of_joined_tables_is_scored_by_its_rows(run, view, side):
    other = layer_of("other", crowns_at(PLACES), kind="Polygon")
    layers = {"TARGETS": view, "DELINEATIONS": [other]}
    if side == "DELINEATIONS":
        layers = {"TARGETS": other, "DELINEATIONS": [view]}
    done = run("scorecrowns", {**layers, "PAIRING": 1})
    assert done.ok, done.error
    assert shows(done.said("input.repeated_ids"), "input.repeated_ids", layer="visited")
    found = done.table("SCORED_TARGETS" if side == "TARGETS" else "SCORED_DELINEATIONS")
    assert sorted(found["target_id" if side == "TARGETS" else "delineation_id"]) == [1, 2, 3, 4, 5]
    if side == "TARGETS":
        assert found["person"].tolist() == ["anna", "ben", "anna", "anna", "ben"]
        assert (found["other_iou"] > 0.99).all()


def test_its_fields_are_not_written_to_and_the_sentence_names_ids_and_remedy(view, monkeypatch):
    import randcrowns.layers.vector.write as write

    monkeypatch.setattr(
        write, "_check_editable", lambda layer: None
    )  # this driver refuses views by itself
    with raises("layer.repeated_ids", ids=[1, 3]):
        write_fields(view, [1, 2, 3, 4, 5], {"x": [1.0] * 5})


def test_other_layers_keep_their_ids(run):
    targets, other = (
        layer_of(name, crowns_at(PLACES), kind="Polygon") for name in ("targets", "other")
    )
    done = run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": [other]})
    assert "input.repeated_ids" not in done.keys
