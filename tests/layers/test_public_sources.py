"""Sources of layers without secrets: what remains, and that nothing of a secret does."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from qgis.core import QgsVectorLayer
from support.layers import crowns_at, layer_of
from support.secret_sources import HIDDEN_WORD, SECRET_SOURCES, SecretSource

from randcrowns.layers.files.staging import write_layer
from randcrowns.layers.public_sources import (
    public_id,
    public_name,
    public_paths,
    public_source,
    reduce_source,
    reduce_stored_source,
)


@pytest.mark.parametrize("case", SECRET_SOURCES, ids=lambda case: case.source)
def test_no_secret_remains(qgis_app, case: SecretSource) -> None:
    assert HIDDEN_WORD in case.source
    reduced = reduce_source(case.provider, case.source, ["id", "x"])
    assert HIDDEN_WORD not in unquote(reduced.text)
    assert case.public in reduced.text
    assert reduce_stored_source(reduced.text) == reduced.text


@pytest.mark.parametrize(
    ("provider", "source"),
    [
        ("ogr", "/data/trees.gpkg|layername=oaks"),
        ("ogr", "/data/a b@c/trees.shp"),
        ("ogr", "C:/data/trees.gpkg|layername=oaks|geometrytype=Polygon"),
        ("ogr", "/vsizip//data/u@h/trees.zip/trees.shp|layerid=0"),
        ("ogr", "/data/trees.gpkg|layername=oaks|subset=\"x\" > 3 AND x < 'b'"),
        ("gdal", "/data/trees.tif"),
        ("gdal", "GPKG:/data/trees.gpkg:image"),
        ("gdal", "/vsicurl/https://example.org:8080/data/trees.tif"),
        ("gdal", "/vsis3/bucket/trees.tif"),
        ("delimitedtext", "file:///data/trees.csv?delimiter=,&xField=x&yField=y&crs=EPSG:32617"),
    ],
)
def test_a_source_without_secrets_stays_as_it_is(qgis_app, provider: str, source: str) -> None:
    reduced = reduce_source(provider, source, ["x"])
    assert reduced.is_complete
    assert reduced.text.endswith(source)


@pytest.mark.parametrize(
    ("provider", "source"),
    [
        ("ogr", "/data/trees.gpkg|layername=oaks|subset=SELECT * FROM oaks LIMIT 3"),
        ("ogr", "/data/trees.gpkg|layername=oaks|option:LIST_ALL_TABLES=YES"),
        ("gdal", "/vsicurl/https://example.org/trees.tif?year=2020"),
        ("postgres", "dbname='a' host=h key='id' table=\"(SELECT 1 AS id)\" sql="),
        ("postgres", "dbname='a' host=h key='id' table=\"b\".\"c\" (geom) sql=y = 1"),
        ("WFS", "url='https://h/wfs?map=a' typename='trees'"),
        ("wms", "type=xyz&url=https://h/{z}/{x}/{y}.png"),
    ],
)
def test_a_source_that_selects_by_what_is_omitted_is_incomplete(
    qgis_app, provider: str, source: str
) -> None:
    assert not reduce_source(provider, source, ["x"]).is_complete


def test_a_database_opens_the_same_table_without_its_user(qgis_app) -> None:
    source = (
        "dbname='inventory' host=h port=5432 user='u' password='geheim' key='id' srid=32617 "
        'type=Polygon table="forest"."trees" (geom) sql="x" = 1'
    )
    reduced = reduce_source("postgres", source, ["X"])
    expected = (
        "postgres://dbname='inventory' host=h port=5432 key='id' srid=32617 "
        'type=Polygon table="forest"."trees" (geom) sql="x" = 1'
    )
    assert reduced == (expected, True)


def test_a_file_named_like_an_address_is_kept(qgis_app, tmp_path) -> None:
    file = tmp_path / "trees?year=2020.gpkg"
    write_layer(layer_of("oaks", crowns_at([(5, 5)])), file, "oaks")
    layer = QgsVectorLayer(f"{file}|layername=oaks", "oaks", "ogr")
    assert public_source(layer) == (f"{file}|layername=oaks", True)


def test_a_layer_in_memory_has_no_source_but_its_name(qgis_app) -> None:
    layer = layer_of("Polygon", crowns_at([(5, 5)]))
    assert public_source(layer) == ("", True)
    assert public_name(layer) == "Polygon"
    assert public_id(layer) == layer.id()


def test_a_name_from_a_secret_part_of_a_source_is_replaced(qgis_app) -> None:
    source = "/vsicurl/https://example.invalid/trees.gpkg?token=geheim.abc"
    layer = QgsVectorLayer(source, "trees.gpkg?token=geheim", "ogr")
    assert public_name(layer) == "ogr"
    assert HIDDEN_WORD not in public_id(layer)
    layer.setName("trees")
    assert public_name(layer) == "trees"
    assert public_id(layer) == layer.id()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/data/a.json;/data/b c.json", "/data/a.json;/data/b c.json"),
        ("/data/*.json", "/data/*.json"),
        ("https://u:geheim@h/a.json?k=1;/data/b.json", "https://h/a.json;/data/b.json"),
        ("", ""),
    ],
)
def test_paths_of_files(qgis_app, text: str, expected: str) -> None:
    assert public_paths(text) == expected
