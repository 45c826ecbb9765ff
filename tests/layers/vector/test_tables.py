"""Features to be written: a table is converted completely, block by block, in little memory."""

from __future__ import annotations

import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np
import pandas as pd
import pytest
from qgis.core import (
    QgsExpression,
    QgsFeature,
    QgsGeometry,
    QgsPointXY,
    QgsVectorLayer,
    QgsWkbTypes,
)
from support.layers import layer_of

from randcrowns.layers.vector.tables import (
    FeatureTable,
    LazySequence,
    display_name_reader,
    read_attributes,
)

pytestmark = pytest.mark.usefixtures("qgis_app")


def test_values_and_shapes_are_those_of_their_rows():
    shapes = LazySequence(
        4_500,
        lambda some: [QgsGeometry.fromPointXY(QgsPointXY(row, 0)) for row in range(4_500)[some]],
    )
    table = FeatureTable(geometries=shapes)
    table.add_column("number", np.arange(4_500))
    assert [table.has_unique_integers(name) for name in ("number", "fid")] == [True, False]
    table.add_field(table.fields.at(0), [str(row) for row in range(4_500)])
    blocks = list(table.iterate_blocks())
    assert [len(block) for block in blocks] == [2_000, 2_000, 500]
    features = [feature for block in blocks for feature in block]
    assert [feature.attributes() for feature in features] == [
        [row, str(row)] for row in range(4_500)
    ]
    assert [feature.geometry().asPoint().x() for feature in features] == list(range(4_500))


def test_shapes_are_created_in_blocks():
    """One by one, they took 74 % of the time of writing 30,000 rows (cProfile)."""
    created = []

    def create(rows: slice) -> list[QgsGeometry]:
        created.append((rows.start, rows.stop))
        return [QgsGeometry() for _ in range(rows.start, rows.stop)]

    table = FeatureTable(geometries=LazySequence(4_500, create))
    assert sum(map(len, table.iterate_blocks())) == 4_500
    assert created == [(0, 2_000), (2_000, 4_000), (4_000, 4_500)]


def test_features_without_fields_are_as_many_as_their_shapes():
    points = LazySequence(
        4_500,
        lambda some: [QgsGeometry.fromPointXY(QgsPointXY(row, 0)) for row in range(4_500)[some]],
    )
    blocks = list(FeatureTable(geometries=points).iterate_blocks())
    assert [len(block) for block in blocks] == [2_000, 2_000, 500]
    assert [one.geometry().asPoint().x() for block in blocks for one in block] == list(range(4_500))


def test_pieces_are_a_sequence():
    pieces = LazySequence(5_000, lambda some: list(range(5_000)[some]))
    assert list(pieces) == list(range(5_000))
    assert (pieces[0], pieces[-1], pieces[3:5], len(pieces[:])) == (0, 4_999, [3, 4], 5_000)
    with pytest.raises(IndexError):
        pieces[5_000]


def test_features_as_large_as_layers_come_one_by_one():
    table = FeatureTable()
    table.add_column("truth", ["anna", "ben", "cleo"])
    assert [len(block) for block in table.iterate_blocks()] == [1, 1, 1]


def test_a_column_of_numbers_is_held_as_it_was_given():
    numbers, table = np.arange(1_000_000.0), FeatureTable()
    tracemalloc.start()
    table.add_column("score", numbers)
    assert sum(map(len, islice(table.iterate_blocks(), 3))) == 6_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * len(numbers)  # bytes: less than as many pointers


@pytest.mark.parametrize(
    ("column", "kind", "plain"),
    [
        (np.array([0.1, np.nan, 1e16]), "", "[0.1, None, 1e+16]"),
        ([1, None, 3], "integer", "[1, None, 3]"),
        (np.array([True, False]), "", "[1, 0]"),
        (np.arange(2, dtype=np.uint8), "", "[0, 1]"),
        (np.arange(2), "text", "['0', '1']"),
        (["a", None, "c"], "", "['a', None, 'c']"),
        (["0.5", None], "real", "[0.5, None]"),
        (pd.array([1, None], dtype="Int64"), "", "[1, None]"),
        (pd.Categorical(["x", None, "x"]), "", "['x', None, 'x']"),
        (pd.Series([2.0, 1.0], index=[1.0, 0.0]), "", "[2.0, 1.0]"),
    ],
)
def test_attributes_are_plain_values_and_none_where_one_is_missing(column, kind, plain):
    made = FeatureTable()
    made.add_column("column", column, kind=kind)
    values = made.columns[0]
    assert repr(values[:]) == plain
    assert repr([values[place] for place in range(len(values))]) == plain


def test_display_names_are_read_on_another_thread():
    layer = QgsVectorLayer("Point?crs=EPSG:32617&field=tree:string", "trees", "memory")
    layer.startEditing()
    for name in ("oak", None, "<b>elm"):
        feature = QgsFeature(layer.fields())
        feature.setAttributes([name])
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(7, 0)))
        layer.addFeature(feature)
    layer.commitChanges()
    first, second, third = sorted(feature.id() for feature in layer.getFeatures())
    layer.startEditing()
    layer.changeAttributeValue(first, 0, "beech")
    names = display_name_reader(layer)
    layer.rollBack()
    with ThreadPoolExecutor(1) as other:
        assert other.submit(names).result() == {first: "beech", second: "", third: "<b>elm"}
    layer.setDisplayExpression("$id || ' at ' || $x")
    assert display_name_reader(layer)() == {one: f"{one} at 7" for one in (first, second, third)}
    layer.setDisplayExpression("$id")
    assert display_name_reader(layer)() == display_name_reader(None)() == {}
    layer.setDisplayExpression(f"if($id = {first}, 'elm', 'oak')")
    assert display_name_reader(layer)() == {}  # two of three are oaks
    layer.setDisplayExpression(f"if($id = {first}, 'elm', if($id = {second}, 'oak', ''))")
    assert display_name_reader(layer)() == {first: "elm", second: "oak", third: ""}


def test_names_in_a_field_are_read_without_an_expression(qgis_app, monkeypatch):
    """Evaluating an expression for 100,000 crowns took most of the time of reading their names."""
    layer = layer_of(
        "trees", [None] * 2, fields="&field=kind:string&field=tag:integer", rows=[["a", 7], [0, 9]]
    )
    layer.setDisplayExpression('"TAG"')
    names = display_name_reader(layer)
    monkeypatch.setattr(QgsExpression, "evaluate", None)
    assert list(names().values()) == ["7", "9"]


def test_a_condition_reads_the_requested_fields_only(qgis_app, monkeypatch):
    declared = "&field=kind:string&field=area:double&field=count:integer"
    rows = [["oak", 2.5, 4], ["elm", 3.5, None], ["oak", None, 5]]
    layer = layer_of("trees", [None] * 3, fields=declared, rows=rows)
    requests = []

    def read_features(request):
        requests.append(request)
        return QgsVectorLayer.getFeatures(layer, request)

    monkeypatch.setattr(layer, "getFeatures", read_features)
    table = read_attributes(layer, ["area", "count"], "\"kind\" = 'oak'", id_column="id")
    assert list(requests[0].subsetOfAttributes()) == [1, 2]
    assert table["area"].fillna(-1.0).tolist() == [2.5, -1.0]
    assert table[["count", "id"]].to_numpy().tolist() == [[4, 1], [5, 3]]


def test_few_of_many_fields_are_read_one_by_one(qgis_app, monkeypatch):
    """All attributes of 100,000 delineations took 0.6 s for one of 13 fields."""
    declared = "&field=kind:string&field=area:double&field=count:integer"
    layer = layer_of("trees", [None] * 2, fields=declared, rows=[["oak", 2.5, 4], ["elm", 1.5, 7]])
    complete = read_attributes(layer, ["count", "kind"])
    assert complete.to_numpy().tolist() == [[4, "oak"], [7, "elm"]]
    monkeypatch.setattr(QgsFeature, "attributes", None)
    assert read_attributes(layer, ["count"])["count"].tolist() == [4, 7]


@pytest.mark.parametrize(
    ("fields", "rows", "expected"),
    [
        ("area:double tree_id:string", [[4.5, "T7"], [5.5, "T9"]], ["T7", "T9"]),
        ("Crown_ID:integer name:string", [[7, "oak"], [9, "elm"]], ["7", "9"]),
        ("tag:string name:string", [["a", "oak"], ["a", "elm"]], ["oak", "elm"]),
        ("id:integer name:string", [[1, "oak"], [2, "elm"]], ["oak", "elm"]),
    ],
)
def test_an_id_field_of_the_user_names_the_crowns(qgis_app, fields, rows, expected):
    declared = "".join(
        f"&field={name}:{kind}" for name, kind in (text.rsplit(":", 1) for text in fields.split())
    )
    layer = layer_of("trees", [None] * len(rows), fields=declared, rows=rows)
    assert list(display_name_reader(layer)().values()) == expected
    layer.setDisplayExpression("'tree ' || $id")
    assert list(display_name_reader(layer)().values()) == ["tree 1", "tree 2"]


def test_shapes_without_fields_are_rows_too(qgis_app):
    shapes = [QgsGeometry.fromWkt(f"POINT({n} 0)") for n in range(3)]
    table = FeatureTable(geometries=shapes, wkb_type=QgsWkbTypes.Type.Point)
    assert len(table) == 3
    assert [
        feature.geometry().asWkt() for block in table.iterate_blocks() for feature in block
    ] == [s.asWkt() for s in shapes]
