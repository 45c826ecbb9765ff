from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from qgis.core import QgsVectorLayer
from shapely import box
from support.layers import layer_of, save

from randcrowns.layers.files.destinations import (
    Destination,
    create_table_sink,
    file_destination,
    layer_location,
    reload_layers,
    table_destination,
)
from randcrowns.layers.vector.tables import FeatureTable


@pytest.mark.parametrize(
    ("destination", "file"),
    [
        ("TEMPORARY_OUTPUT", None),
        ("memory:Scored", None),
        ("", None),
        ('postgis:dbname=\'x\' table="public"."t"', None),
        ("/a/b.gpkg", "/a/b.gpkg"),
        ("/a/b", "/a/b.gpkg"),
        ("/a/b.v2", "/a/b.v2.gpkg"),
        ("/a/crowns_0.5m", "/a/crowns_0.5m.gpkg"),
        ("/a/plot.laz", "/a/plot.laz.gpkg"),
        ("/a/b.csv", "/a/b.csv"),
        ("/a/b.gpkg|layername=c", "/a/b.gpkg"),
        ("ogr:dbname='/a/b c.gpkg' table=\"t\" (geom)", "/a/b c.gpkg"),
    ],
)
def test_tables(destination, file):
    place = table_destination(destination)
    assert (None if place is None else place.file) == (None if file is None else Path(file))


@pytest.mark.parametrize(
    ("destination", "file", "table"),
    [
        ("ogr:///a/b.gpkg|layername=c", "/a/b.gpkg", "c"),
        ("/a/b.gpkg|layername=my.targets", "/a/b.gpkg", "my.targets"),
        ("spatialite:dbname='/a/b.sqlite' table=\"c\" (geom)", "/a/b.sqlite", "c"),
        ("spatialite://dbname='/a/b.sqlite' table=\"c\" (geom)", "/a/b.sqlite", "c"),
        ("delimitedtext://file:///a/b.csv?delimiter=,", "/a/b.csv", ""),
        ("/a/x:y.gpkg", "/a/x:y.gpkg", ""),
    ],
)
def test_the_provider_of_a_destination_is_read_as_qgis_writes_it(destination, file, table):
    assert table_destination(destination) == Destination(Path(file), table)


@pytest.mark.parametrize(
    "destination",
    [
        'postgres://dbname=\'x\' host=Server port=5 table="s"."t" (geom)',
        'postgis:dbname=\'x\' host=server port=5 table="s"."t" (geom)',
        "ogr:PG:dbname='x' host=server port=5|layername=s.t",
        "PG:dbname='x' host=server port=5|layername=s.t",
    ],
)
def test_a_table_on_a_server_is_the_same_in_every_spelling(destination):
    assert table_destination(destination) == Destination(None, "s.t", "postgres/server/5/x")


def test_names_of_tables_are_compared_as_their_store_compares_them():
    def overlap(file, first, second):
        return Destination(Path(file), first).overlaps(Destination(Path(file), second))

    assert overlap("/a/b.gpkg", "Trees", "TREES")
    assert not overlap("/a/b.gpkg", "Übersicht", "übersicht")  # two tables of SQLite
    assert overlap("/a/b.xlsx", "Übersicht", "übersicht")  # one sheet of Excel
    server = [Destination(None, name, "postgres/server/5/x") for name in ("s.Trees", "s.trees")]
    assert not server[0].overlaps(server[1])
    assert server[0].overlaps(Destination(None, "", "postgres/server/5/x"))


def test_places_on_a_server_meet_where_their_tables_are_the_same():
    crowns = Destination(None, "crowns", "host/trees")
    assert crowns.overlaps(Destination(None, "crowns", "host/trees"))
    assert not crowns.overlaps(Destination(None, "crowns", "host/others"))
    assert not crowns.overlaps(Destination(None, "scores", "host/trees"))
    assert not crowns.overlaps(Destination(Path("a.gpkg"), "crowns"))


def test_other_files_keep_their_names():
    assert file_destination("/a/b.tif") == Destination(Path("/a/b.tif"))
    assert file_destination("TEMPORARY_OUTPUT") is None


@pytest.fixture
def two_tables(qgis_app, tmp_path):
    made = layer_of("first", [box(0, 0, 4, 4)], kind="Polygon")
    save(made, tmp_path / "crowns.gpkg", name="first")
    save(made, tmp_path / "crowns.gpkg", name="second")
    return tmp_path / "crowns.gpkg"


def test_a_layer_that_names_no_table_is_read_from_the_first(two_tables):
    assert layer_location(QgsVectorLayer(str(two_tables), "", "ogr")) == Destination(
        two_tables, "first"
    )
    assert layer_location(
        QgsVectorLayer(f"{two_tables}|layername=second", "", "ogr")
    ) == Destination(two_tables, "second")


def test_a_file_of_one_layer_has_no_tables(qgis_app, tmp_path):
    made = layer_of("crowns", [box(0, 0, 4, 4)], kind="Polygon")
    save(made, tmp_path / "crowns.shp", name="crowns", driver="ESRI Shapefile")
    path = tmp_path / "crowns.shp"
    assert layer_location(QgsVectorLayer(str(path), "", "ogr")) == Destination(path)


def test_of_a_changed_file_one_layer_and_those_by_its_path_are_opened_anew_but_no_edited_ones(
    two_tables,
):
    class Asked(QgsVectorLayer):
        asked = 0

        def dataProvider(self):  # noqa: N802
            self.asked += 1
            return super().dataProvider()

    parts = ("", "|layername=first", "|layername=second", "")
    one, first, second, edited = layers = [
        Asked(f"{two_tables}{table}", "", "ogr") for table in parts
    ]
    edited.startEditing()
    for order, files, asked in (
        (layers, [two_tables.with_name("other.gpkg")], [0, 0, 0]),
        (layers, [two_tables], [1, 0, 0]),
        ([edited, second, first, one], [two_tables], [1, 0, 1]),
    ):
        for layer in layers:
            layer.asked = 0
        reload_layers(order, files)
        assert [layer.asked for layer in (one, first, second)] == asked
        assert edited.asked == 0
    edited.rollBack()


def test_what_was_read_half_written_is_read_whole_again(two_tables):
    """QGIS reads a GeoPackage without locks, so a map drawn meanwhile may see what nobody else
    does.
    """
    layers = [
        QgsVectorLayer(f"{two_tables}|layername={table}", "", "ogr")
        for table in ("first", "second")
    ]

    def rows():
        return [feature.geometry().area() for layer in layers for feature in layer.getFeatures()]

    with closing(sqlite3.connect(two_tables)) as database:
        database.execute("ALTER TABLE gpkg_geometry_columns RENAME TO elsewhere")
        database.commit()
        assert rows() != [16.0, 16.0]
        database.execute("ALTER TABLE elsewhere RENAME TO gpkg_geometry_columns")
        database.commit()
    reload_layers(layers, [two_tables])
    assert rows() == [16.0, 16.0]


def test_a_new_table_replaces_one_of_its_name_and_leaves_the_others(qgis_app, tmp_path):
    path, table = tmp_path / "plot.gpkg", FeatureTable()
    table.add_column("name", ["new"])
    for name in ("other", "mine"):
        save(layer_of("old", [box(0, 0, 1, 1)] * 3, fields="&field=name:string"), path, name=name)
    sink, source = create_table_sink(
        Destination(path, "mine"), table.fields, table.wkb_type, table.crs
    )
    assert all(map(sink.addFeatures, table.iterate_blocks()))
    del sink
    assert [feature["name"] for feature in QgsVectorLayer(source, "", "ogr").getFeatures()] == [
        "new"
    ]
    assert QgsVectorLayer(f"{path}|layername=other", "", "ogr").featureCount() == 3
