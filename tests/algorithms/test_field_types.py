"""Attributes of every type are carried along into every format, or a message says what became of
them; no type stops a run."""

from __future__ import annotations

import json
from typing import Any

import pytest
from qgis.core import QgsField, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, QTime, QVariant
from support.layers import crowns_at, layer_of

from randcrowns.algorithms.exchange.schema.parameters import LAYER_FORMAT
from randcrowns.layers.compat import is_null
from randcrowns.layers.files.export import LAYER_FORMATS, has_driver

PLACES = [(0, 0), (20, 0), (40, 0)]
ENDINGS = (
    *("TEMPORARY_OUTPUT", "gpkg", "geojson", "fgb", "csv", "xlsx", "ods", "shp", "kml", "gml"),
    *("tab", "sqlite"),
)
#: Type -> field and value of a layer in memory.
STORED = {
    "bool": (QVariant.Bool, True),
    "int": (QVariant.Int, -5),
    "int64": (QVariant.LongLong, 2**40),
    "real": (QVariant.Double, 0.5),
    "text": (QVariant.String, "oak, élm"),
    "date": (QVariant.Date, QDate(2026, 1, 2)),
    "time": (QVariant.Time, QTime(3, 4, 5)),
    "datetime": (QVariant.DateTime, QDateTime(QDate(2026, 1, 2), QTime(3, 4, 5))),
    "binary": (QVariant.ByteArray, QByteArray(b"\x00\x01abc")),
    "texts": (QVariant.StringList, ["a,b", "c"]),
}
#: Type -> items and value of a list.
LISTS = {"ints": (QVariant.Int, [1, 2]), "reals": (QVariant.Double, [0.5, 2.0])}
#: Type -> type of Qt and expression of a virtual field. Databases have such fields, memory not.
VIRTUAL = {
    "json": (QVariant.Map, 'json_to_map(\'{"a": 1, "b": [1, 2]}\')'),
    "map": (QVariant.Map, 'json_to_map(\'{"a": 1, "b": [1, 2]}\')'),
    "mixed list": (QVariant.List, "array(1, 'a')"),
    "uint": (QVariant.UInt, "5"),
    "uint64": (QVariant.ULongLong, "5"),
    "letter": (QVariant.Char, "'c'"),
    "geometry": (QVariant.UserType, "make_point(1, 2)"),
    "interval": (QVariant.UserType, "to_interval('1 day')"),
    "reference": (QVariant.UserType, "@layer"),
    "address": (QVariant.Url, "'http://a.b/c'"),
    "identifier": (QVariant.Uuid, "uuid()"),
    "unknown": (QVariant.Invalid, "'x'"),
}
KINDS = (*STORED, *LISTS, *VIRTUAL)
#: Values that Python cannot read; their field is left out with a note.
UNREADABLE = ("geometry", "interval", "reference")
#: Forms in which formats return the values of each type.
FORMS: dict[str, tuple[Any, ...]] = {
    "bool": (True, 1, "1", "true"),
    "int": (-5, "-5"),
    "int64": (2**40, str(2**40)),
    "real": (0.5, "0.5"),
    "text": ("oak, élm",),
    "date": (
        QDate(2026, 1, 2),
        QDateTime(QDate(2026, 1, 2), QTime(0, 0)),
        "2026/01/02",
        "2026-01-02",
    ),
    "time": (QTime(3, 4, 5), "03:04:05", "03:04:05.000"),
    "datetime": (
        QDateTime(QDate(2026, 1, 2), QTime(3, 4, 5)),
        "2026/01/02 03:04:05",
        "2026/01/02 03:04:05.000",
        "2026-01-02T03:04:05",
    ),
    "binary": (QByteArray(b"\x00\x01abc"), "0001616263"),
    "texts": (["a,b", "c"],),
    "ints": ([1, 2],),
    "reals": ([0.5, 2.0],),
    "json": ({"a": 1, "b": [1, 2]},),
    "map": ({"a": 1, "b": [1, 2]},),
    "mixed list": ([1, "a"], ["1", "a"]),
    "uint": (5, "5"),
    "uint64": (5, "5"),
    "address": ("http://a.b/c",),
}


def layer_with(kind: str) -> QgsVectorLayer:
    """Three targets with a field of that type."""
    layer = layer_of("targets", crowns_at(PLACES), kind="Polygon")
    if kind in VIRTUAL:
        number, expression = VIRTUAL[kind]
        items = QVariant.String if kind == "json" else QVariant.Invalid
        layer.addExpressionField(expression, QgsField("extra", number, "", 0, 0, "", items))
    else:
        if kind in LISTS:
            items, value = LISTS[kind]
            field = QgsField("extra", QVariant.List, "list", 0, 0, "", items)
        else:
            number, value = STORED[kind]
            field = QgsField("extra", number)
        provider = layer.dataProvider()
        assert provider.addAttributes([field])
        layer.updateFields()
        index = layer.fields().indexFromName("extra")
        # One value is NULL.
        ids = [feature.id() for feature in layer.getFeatures()][:2]
        assert provider.changeAttributeValues({each: {index: value} for each in ids})
    QgsProject.instance().addMapLayer(layer)
    return layer


def value_in(layer: QgsVectorLayer) -> Any:
    """The first value of the field; of a text of JSON what it means."""
    assert layer.isValid()
    (name,) = [name for name in layer.fields().names() if name.lower() == "extra"]
    values = [feature[name] for feature in layer.getFeatures()]
    assert len(values) == len(PLACES)
    value = values[0]
    if isinstance(value, str) and value.startswith(("[", '{"')):
        return json.loads(value)
    return value


def check(kind: str, value: Any) -> None:
    if kind in FORMS:
        assert value in FORMS[kind], (kind, value)
    else:
        assert is_null(value) or value is not None  # Each can be read.


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_type_reaches_every_file(run, qgis_new_project, tmp_path, kind, ending):
    drawn = layer_of("drawn", crowns_at(PLACES, seed=2), kind="Polygon")
    destination = ending if ending.isupper() else str(tmp_path / f"scored.{ending}")
    done = run(
        "scorecrowns",
        {"TARGETS": layer_with(kind), "DELINEATIONS": [drawn], "SCORED_TARGETS": destination},
        outputs=(),
    )
    assert done.ok, done.error
    layer = done.layer("SCORED_TARGETS")
    assert ("output.unreadable_fields" in done.keys) == (kind in UNREADABLE)
    if kind in UNREADABLE:
        assert "extra" not in layer.fields().names()
        return
    check(kind, value_in(layer))
    type_name = layer.fields().field(layer.fields().lookupField("extra")).typeName()
    is_text = type_name.lower().startswith(("string", "text")) and "list" not in type_name.lower()
    if is_text and ending != "csv" and kind in ("map", "texts", "ints", "binary", "mixed list"):
        assert "output.as_text" in done.keys


@pytest.mark.parametrize("key", LAYER_FORMAT.keys)
def test_a_layer_with_every_type_is_exported(run, qgis_new_project, tmp_path, monkeypatch, key):
    if not has_driver(LAYER_FORMATS[key]):
        pytest.skip(f"this GDAL cannot write {key}")
    layers = []
    for kind in KINDS:
        layer = layer_with(kind)
        layer.setName(kind)
        layers.append(layer)
    place = LAYER_FORMAT.keys.index(key)
    done = run(
        "exportlayers",
        {"LAYERS": layers, "FORMAT": place, "FOLDER": str(tmp_path / "out")},
    )
    assert done.ok, done.error
    assert done.results["EXPORTED"] == len(KINDS)
    suffix = LAYER_FORMATS[key].suffix
    # GDAL guesses whether the first row of a sheet has titles.
    monkeypatch.setenv("OGR_XLSX_HEADERS", "FORCE")
    for kind in KINDS:
        if LAYER_FORMATS[key].holds_several_tables:
            source = f"{tmp_path / 'out' / ('results' + suffix)}|layername={kind}"
        else:
            source = str(tmp_path / "out" / f"{kind.replace(' ', '_')}{suffix}")
        if kind not in UNREADABLE:
            check(kind, value_in(QgsVectorLayer(source, kind, "ogr")))


def test_texts_that_look_like_formulas_stay_texts_in_csv(run, qgis_new_project, tmp_path):
    from randcrowns.layers.spreadsheets import set_escapes_formulas

    rows = [["=1+1"], ["-0.5"], ["@oak"]]
    targets = layer_of(
        "targets", crowns_at(PLACES), kind="Polygon", fields="&field=extra:string", rows=rows
    )
    drawn = layer_of("drawn", crowns_at(PLACES, seed=2), kind="Polygon")

    def written(name):
        done = run(
            "scorecrowns",
            {
                "TARGETS": targets,
                "DELINEATIONS": [drawn],
                "SCORED_TARGETS": str(tmp_path / name),
            },
            outputs=(),
        )
        assert done.ok, done.error
        values = [feature["extra"] for feature in done.layer("SCORED_TARGETS").getFeatures()]
        return values, "output.escaped_formulas" in done.keys

    try:
        assert written("scored.csv") == (["'=1+1", "-0.5", "'@oak"], True)
        assert written("scored.xlsx") == (["=1+1", "-0.5", "@oak"], False)
        set_escapes_formulas(False)
        assert written("plain.csv") == (["=1+1", "-0.5", "@oak"], False)
    finally:
        set_escapes_formulas(True)
