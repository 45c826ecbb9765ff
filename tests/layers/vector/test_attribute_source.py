"""Attributes of GeoPackages are read without a Python object per feature, and are the same."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pandas as pd
import pytest
from qgis.core import QgsVectorLayerFeatureSource, QgsVectorLayerJoinInfo
from support.layers import crowns_at, layer_of, save

from randcrowns.layers.vector import tables
from randcrowns.layers.vector.attribute_source import AttributeSource
from randcrowns.layers.vector.tables import display_name_reader, read_attributes

pytestmark = pytest.mark.usefixtures("qgis_app")

_FIELDS = "&field=name:string&field=count:integer&field=big:int8&field=area:double&field=seen:date"
_ROWS = [["oak", 4, 2**40, 2.5, None], [None, None, None, None, None], ["o'k", 7, -1, 0.0, None]]
_PLAIN = ["name", "count", "big", "area"]


@pytest.fixture
def stored(tmp_path):
    """A layer of three crowns in a GeoPackage, by the name of its table."""
    layer = layer_of(
        "trees",
        crowns_at([(0, 0), (20, 0), (40, 0)]),
        kind="Polygon",
        fields=_FIELDS,
        rows=_ROWS,
    )
    return save(layer, tmp_path / "trees.gpkg")


def _read_by_feature(layer, *arguments, **options) -> pd.DataFrame:
    return read_attributes(QgsVectorLayerFeatureSource(layer), *arguments, **options)


def test_a_table_is_read_without_features(stored, monkeypatch):
    expected = _read_by_feature(stored, _PLAIN, id_column="id")
    selected = _read_by_feature(stored, ["count"], id_column="id", equal_values={"name": "o'k"})
    monkeypatch.setattr(tables, "_read_with_qgis", None)
    source = AttributeSource.from_layer(stored)
    pd.testing.assert_frame_equal(read_attributes(source, _PLAIN, id_column="id"), expected)
    assert expected["id"].tolist() == [1, 2, 3]
    assert expected["area"].fillna(-1.0).tolist() == [2.5, -1.0, 0.0]
    read = read_attributes(source, ["count"], id_column="id", equal_values={"name": "o'k"})
    pd.testing.assert_frame_equal(read, selected)
    assert read.to_numpy().tolist() == [[7, 3]]
    assert read_attributes(source, [], id_column="id")["id"].tolist() == [1, 2, 3]
    empty = read_attributes(source, _PLAIN, equal_values={"name": "elm"})
    assert (list(empty), len(empty)) == (_PLAIN, 0)


def _edit(layer) -> None:
    layer.startEditing()
    layer.changeAttributeValue(1, layer.fields().lookupField("count"), 5)


def _filter(layer) -> None:
    layer.setSubsetString('"count" = 7')


def _join(layer) -> None:
    other = layer_of("other", [None], fields="&field=key:string&field=x:integer", rows=[["oak", 8]])
    join = QgsVectorLayerJoinInfo()
    join.setJoinLayer(other)
    join.setJoinFieldName("key")
    join.setTargetFieldName("name")
    layer.addJoin(join)
    layer.other = other  # the join does not own it


@pytest.mark.parametrize("change", [_edit, _filter, _join])
def test_other_layers_are_read_as_they_are(stored, change):
    change(stored)
    source = AttributeSource.from_layer(stored)
    names = [name for name in stored.fields().names() if name not in ("fid", "seen")]
    read = read_attributes(source, names, id_column="id")
    pd.testing.assert_frame_equal(read, _read_by_feature(stored, names, id_column="id"))
    if change is _edit:
        assert read["count"].iloc[0] == 5
        stored.rollBack()
    elif change is _filter:
        assert read["id"].tolist() == [3]
    else:
        assert read["other_x"].iloc[0] == 8


def test_values_that_qgis_converts_are_read_by_qgis(stored, tmp_path):
    source = AttributeSource.from_layer(stored)
    assert source.read_stored(["seen"], {}) is None
    assert source.read_stored(_PLAIN, {}) is not None
    with closing(sqlite3.connect(tmp_path / "trees.gpkg")) as database, database:
        # A trigger of GDAL calls a function that only GDAL has.
        for (name,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'trees'"
        ).fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        database.execute("UPDATE trees SET name = x'6f616b' WHERE fid = 1")
    assert source.read_stored(["name"], {}) is None
    assert source.read_stored(["count"], {}) is not None
    (tmp_path / "trees.gpkg").rename(tmp_path / "moved.gpkg")
    assert source.read_stored(["count"], {}) is None


def test_names_are_read_from_the_table(stored, monkeypatch):
    stored.setDisplayExpression('"count"')
    names = display_name_reader(stored)
    stored.setDisplayExpression('"fid"')
    no_names = display_name_reader(stored)
    monkeypatch.setattr(QgsVectorLayerFeatureSource, "getFeatures", None)
    assert names() == {1: "4", 2: "", 3: "7"}
    # The ids of the features are no names, and need not be read.
    monkeypatch.setattr(AttributeSource, "read_stored", None)
    assert no_names() == {}
