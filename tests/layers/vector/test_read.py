from __future__ import annotations

import sqlite3
from contextlib import closing
from threading import Timer

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import (
    QgsCoordinateTransformContext,
    QgsFeature,
    QgsGeometry,
    QgsSettings,
    QgsVectorLayer,
    edit,
)
from qgis.PyQt.QtCore import QDate
from support.errors import raises
from support.layers import CROWN, EAST, NORTH, crowns_at, layer_of, save
from support.own_process import PLACES
from support.shown import shows
from support.writing import held, let_go

from randcrowns.core.errors import Cancelled
from randcrowns.layers import databases
from randcrowns.layers.vector import read as reading
from randcrowns.layers.vector.geometry import FeatureIssue
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns

CONTEXT = QgsCoordinateTransformContext()


def read(layer, selected_only=False, **options):
    return read_crowns(
        LayerRequest(LayerSnapshot.from_layer(layer, selected_only), **options), CONTEXT
    )


def at(wkt_tail):
    """WKT with coordinates counted from EAST, NORTH."""
    import re

    return re.sub(
        r"(-?[\d.]+) (-?[\d.]+)", lambda m: f"{EAST + float(m[1])} {NORTH + float(m[2])}", wkt_tail
    )


BOWTIE = at("POLYGON((0 0, 4 4, 4 0, 0 4, 0 0))")
CURVED = at("CURVEPOLYGON(CIRCULARSTRING(0 0, 4 0, 0 0))")


def test_good_crowns_come_as_they_are(qgis_app):
    shapes = crowns_at([(0, 0), (20, 0), (40, 0)])
    result = read(layer_of("good", shapes, kind="Polygon"))
    assert shapely.equals_exact(result.crowns.geometry, shapes, 0).all()
    assert result.crowns.ids.tolist() == [1, 2, 3]
    assert (result.crowns.name, result.crowns.crs) == ("good", "EPSG:32617")
    assert result.report.messages() == []


def n_left_out(report):
    return sum(
        len(ids)
        for oddity, ids in report.issues.items()
        if str(oddity.message_clause(1)).endswith(("skipped", "excluded"))
    )


@pytest.mark.parametrize(
    ("odd", "kind", "oddity", "left_out"),
    [
        (None, "Polygon", FeatureIssue.NULL, True),
        ("POLYGON EMPTY", "Polygon", FeatureIssue.EMPTY, True),
        (BOWTIE, "Polygon", FeatureIssue.REPAIRED, False),
        (CURVED, "CurvePolygon", FeatureIssue.CURVED, False),
        (at("POLYGON Z((0 0 7, 4 0 7, 4 4 7, 0 0 7))"), "PolygonZ", FeatureIssue.FLATTENED, False),
        (at("POLYGON M((0 0 1, 4 0 2, 0 4 3, 0 0 1))"), "PolygonM", FeatureIssue.FLATTENED, False),
        (
            at("MULTIPOLYGON(((0 0, 4 0, 4 4, 0 0)), ((6 0, 9 0, 9 4, 6 0)))"),
            "MultiPolygon",
            FeatureIssue.MULTIPART,
            False,
        ),
        (at("POLYGON((0 0, 4 0, 8 0, 0 0))"), "Polygon", FeatureIssue.NO_AREA, True),
        ("NAN", "Polygon", FeatureIssue.NOT_NUMBERS, True),
    ],
    ids=lambda value: value.name if isinstance(value, FeatureIssue) else None,
)
def test_what_is_odd_is_told_by_feature_id(qgis_app, odd, kind, oddity, left_out):
    good = CROWN if kind == "Polygon" else None
    layer = (
        nan_layer() if odd == "NAN" else layer_of("odd", [odd, good] if good else [odd], kind=kind)
    )
    result = read(layer)
    assert result.report.feature_ids(oddity) == [1]
    assert layer.featureCount() == len(result.crowns) + n_left_out(result.report)
    assert (1 in result.crowns.ids) is not left_out
    assert all(
        "'odd'" in sentence and "feature 1" in sentence
        for sentence in map(str, result.report.messages())
    )


def nan_layer():
    layer = QgsVectorLayer("Polygon?crs=EPSG:32617", "odd", "memory")
    features = []
    for corner in (np.nan, EAST + 4):
        ring = np.array([[EAST, NORTH], [corner, NORTH], [EAST + 4, NORTH + 4], [EAST, NORTH]])
        feature = QgsFeature()
        geometry = QgsGeometry()
        geometry.fromWkb(shapely.to_wkb(shapely.Polygon(ring)))
        feature.setGeometry(geometry)
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    return layer


def test_repaired_and_curved_crowns_have_the_right_area(qgis_app):
    (bowtie,) = read(layer_of("b", [BOWTIE], kind="Polygon")).crowns.geometry
    assert bowtie.area == pytest.approx(8.0)
    (circle,) = read(layer_of("c", [CURVED], kind="CurvePolygon")).crowns.geometry
    assert circle.area == pytest.approx(np.pi * 4, rel=1e-3)


def test_collections_give_their_polygons_and_points_are_no_crowns(qgis_app, tmp_path):
    from osgeo import ogr, osr

    system = osr.SpatialReference()
    system.ImportFromEPSG(32617)
    source = ogr.GetDriverByName("GPKG").CreateDataSource(str(tmp_path / "any.gpkg"))
    table = source.CreateLayer("any", system, ogr.wkbUnknown)
    for wkt in (
        CROWN,
        f"GEOMETRYCOLLECTION({CROWN}, POINT({EAST} {NORTH}))",
        f"POINT({EAST} {NORTH})",
    ):
        feature = ogr.Feature(table.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(wkt))
        table.CreateFeature(feature)
    del feature, table, source
    layer = QgsVectorLayer(f"{tmp_path / 'any.gpkg'}|layername=any", "any", "ogr")
    result = read(layer)
    assert layer.featureCount() == len(result.crowns) + n_left_out(result.report)
    assert shapely.area(result.crowns.geometry) == pytest.approx(16.0)
    if layer.featureCount() == 3:
        assert result.report.feature_ids(FeatureIssue.MIXED) == [2]
        assert result.report.feature_ids(FeatureIssue.NOT_A_POLYGON) == [3]


def test_degrees_and_feet_become_metres(qgis_app):
    box = shapely.box(-82.0, 29.7, -81.9999, 29.7001)
    (crown,) = read(layer_of("d", [box], crs="EPSG:4326", kind="Polygon")).crowns.geometry
    assert crown.area == pytest.approx(107.2, rel=0.01)
    result = read(
        layer_of(
            "f", [shapely.box(780000, 1500000, 780010, 1500010)], crs="EPSG:2236", kind="Polygon"
        )
    )
    assert result.crowns.geometry[0].area == pytest.approx(9.2903, rel=1e-4)
    assert shows(str(result.report.messages()[0]), "input.units", unit=0.3048)


def test_a_layer_without_a_system_is_refused_by_name(qgis_app):
    layer = layer_of("nowhere", [CROWN], crs="", kind="Polygon")
    with raises("crs.missing", name="nowhere"):
        read(layer)


def test_zero_crowns(qgis_app):
    result = read(layer_of("none", [], kind="Polygon"))
    assert len(result.crowns) == 0
    assert n_left_out(result.report) == 0


def test_only_the_selected(qgis_app):
    layer = layer_of("some", crowns_at([(0, 0), (20, 0), (40, 0)]), kind="Polygon")
    layer.selectByIds([3, 1])
    assert read(layer, selected_only=True).crowns.ids.tolist() == [1, 3]


def test_groups_are_text_whatever_the_field_holds(qgis_app):
    shapes = crowns_at([(0, 0), (20, 0), (40, 0)])
    layer = layer_of(
        "g", shapes, kind="Polygon", fields="&field=plot:double", rows=[[1.0], [2.0], [None]]
    )
    result = read(layer, group_field="plot")
    assert result.crowns.plots.tolist() == ["1", "2", None]
    assert shows(" ".join(map(str, result.report.messages())), "input.no_group", field="plot")
    without = read(layer, group_field="site")
    assert without.crowns.plots is None
    assert shows(
        " ".join(map(str, without.report.messages())), "input.no_group_field", field="site"
    )


def test_groups_of_blanks_only_are_no_groups_and_told(qgis_app):
    shapes = crowns_at([(0, 0), (20, 0), (40, 0), (60, 0)])
    layer = layer_of(
        "g",
        shapes,
        kind="Polygon",
        fields="&field=plot:string",
        rows=[[""], ["  "], ["\0"], [" A\0 "]],
    )
    result = read(layer, group_field="plot")
    assert result.crowns.plots.tolist() == [None, None, None, "A"]
    assert shows(
        " ".join(map(str, result.report.messages())), "input.no_group", count=3, field="plot"
    )


@pytest.mark.parametrize("kind", ["double", "string"])
def test_scores_below_the_threshold_and_missing_ones_are_left_out(qgis_app, kind):
    missing = float("-inf")
    values = (
        [0.9, 0.4, None, 0.5, missing]
        if kind == "double"
        else ["0.9", "0.4", "sure", " 0.5", "-inf"]
    )
    shapes = crowns_at([(0, 0), (20, 0), (40, 0), (60, 0), (80, 0)])
    layer = layer_of(
        "s", shapes, kind="Polygon", fields=f"&field=score:{kind}", rows=[[v] for v in values]
    )
    result = read(layer, score_field="score", score_threshold=0.5)
    assert result.crowns.ids.tolist() == [1, 4]
    assert result.report.feature_ids(FeatureIssue.LOW_SCORE) == [2]
    assert result.report.feature_ids(FeatureIssue.NO_SCORE) == [3, 5]
    kept = read(layer, score_field="confidence", score_threshold=0.5)
    assert len(kept.crowns) == 5
    assert shows(str(kept.report.messages()[0]), "input.no_score_field", field="confidence")


def test_points_are_no_crowns_unless_asked_for(qgis_app):
    points = QgsVectorLayer("Point?crs=EPSG:32617", "stems", "memory")
    with raises("layer.no_polygons", name="stems"):
        LayerSnapshot.from_layer(points)
    assert LayerSnapshot.from_layer(points, require_polygons=False).name == "stems"


def test_the_snapshot_outlives_the_layer_and_holds_its_unsaved_edits(qgis_app, tmp_path):
    layer = save(
        layer_of("file", crowns_at([(0, 0), (20, 0)]), kind="Polygon"), tmp_path / "file.gpkg"
    )
    layer.startEditing()
    layer.deleteFeature(1)
    snapshot = LayerSnapshot.from_layer(layer)
    layer.rollBack()
    del layer
    assert read_crowns(LayerRequest(snapshot), CONTEXT).crowns.ids.tolist() == [2]


def test_sentences_count_in_plain_words(qgis_app):
    layer = layer_of("two", [BOWTIE, BOWTIE, None], kind="Polygon")
    sentences = list(map(str, read(layer).report.messages()))
    assert (
        "Layer 'two': 2 crowns with an invalid geometry are repaired (features 1, 2)." in sentences
    )
    assert "Layer 'two': 1 crown without geometry is skipped (feature 3)." in sentences


def test_groups_of_dates_are_written_as_iso_and_what_is_no_number_is_no_group(qgis_app):
    days = [[QDate(2020, 1, 2)], [QDate(2020, 1, 2)], [None]]
    dated = layer_of(
        "d", crowns_at([(0, 0), (20, 0), (40, 0)]), fields="&field=day:date", rows=days
    )
    result = read(dated, group_field="day")
    assert result.crowns.plots.tolist() == ["2020-01-02", "2020-01-02", None]
    numbers = [[float("nan")], [2.0], [2.5]]
    plots = layer_of(
        "n", crowns_at([(0, 0), (20, 0), (40, 0)]), fields="&field=plot:double", rows=numbers
    )
    result = read(plots, group_field="plot")
    assert result.crowns.plots.tolist() == [None, "2", "2.5"]
    assert shows(" ".join(map(str, result.report.messages())), "input.no_group", field="plot")


@pytest.mark.parametrize("huge", [2e9, 1e11, 1e13, 1e200])
def test_coordinates_on_no_map_are_told_and_do_not_spoil_the_rest(qgis_app, huge):
    wkt = f"POLYGON((0 0, {huge} 0, {huge} {huge}, 0 0))"
    result = read(layer_of("huge", [wkt, CROWN], kind="Polygon"))
    assert result.report.feature_ids(FeatureIssue.TOO_LARGE) == [1]
    assert result.crowns.ids.tolist() == [2]
    assert result.working_crs.name == "EPSG:32617"


@pytest.mark.parametrize("change", ["delete", "filter", "none"])
def test_a_layer_changed_between_snapshot_and_reading_is_told(qgis_app, tmp_path, change):
    layer = save(
        layer_of("t", crowns_at([(0, 0), (20, 0), (40, 0)]), kind="Polygon"), tmp_path / "t.gpkg"
    )
    snapshot = LayerSnapshot.from_layer(layer)
    if change == "delete":
        with edit(layer):
            layer.deleteFeature(2)
    if change == "filter":
        layer.setSubsetString("fid = 1")
    result = read_crowns(LayerRequest(snapshot), CONTEXT)
    told = "had 3 crowns when the run began" in " ".join(map(str, result.report.messages()))
    assert told == (len(result.crowns) != 3)
    assert told == (change == "delete") or change == "filter"


@pytest.fixture
def in_file(qgis_app, tmp_path, monkeypatch):
    """300 crowns in a GeoPackage that nobody can read while another program has locked it."""
    monkeypatch.setattr(databases, "MAX_READ_WAIT", 0.1)
    options = {"OGR_SQLITE_JOURNAL": "DELETE", "SQLITE_BUSY_TIMEOUT": "200"}
    before = {name: gdal.GetConfigOption(name) for name in options}
    for name, value in options.items():
        gdal.SetConfigOption(name, value)
    QgsSettings().setValue("qgis/walForSqlite3", False)
    rows = [["a"]] * len(PLACES)
    save(
        layer_of("t", crowns_at(PLACES), kind="Polygon", fields="&field=a:string", rows=rows),
        tmp_path / "t.gpkg",
    )
    with closing(sqlite3.connect(tmp_path / "t.gpkg")) as database:
        assert database.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    yield QgsVectorLayer(f"{tmp_path / 't.gpkg'}|layername=t", "t", "ogr")
    QgsSettings().remove("qgis/walForSqlite3")
    for name, value in before.items():
        gdal.SetConfigOption(name, value)


@pytest.mark.parametrize("which", ["all", "selected", "expression"])
def test_a_layer_in_a_locked_file_is_never_taken_for_an_empty_one(
    in_file, tmp_path, monkeypatch, which
):
    monkeypatch.setattr(databases, "MAX_LOCK_WAIT", 0.1)
    in_file.selectByIds([3, 1])
    snapshot = LayerSnapshot.from_layer(
        in_file, which == "selected", "\"a\" = 'a'" if which == "expression" else ""
    )
    other = held(tmp_path / "t.gpkg")
    with raises("file.in_use"):
        snapshot.read_features(progress=lambda _told: None)
    with raises("file.in_use"):
        LayerSnapshot.from_layer(in_file)
    let_go(other)
    assert len(snapshot.read_features()) == (2 if which == "selected" else len(PLACES))


@pytest.mark.parametrize("which", ["all", "selected", "expression", "edited"])
def test_a_lock_that_comes_while_it_is_read_is_told_and_passes(
    in_file, tmp_path, monkeypatch, which
):
    """QGIS keeps what it opened then, and reads no saved feature with it afterwards."""
    in_file.selectByIds([3, 1])
    if which == "edited":
        in_file.startEditing()
        drawn = QgsFeature(in_file.fields())
        drawn.setGeometry(in_file.getFeature(1).geometry())
        assert in_file.addFeature(drawn)
    snapshot = LayerSnapshot.from_layer(
        in_file, which == "selected", "\"a\" = 'a'" if which == "expression" else ""
    )
    monkeypatch.setattr(reading, "wait_for_unlock", lambda *_: None)
    other = held(tmp_path / "t.gpkg")
    with raises("file.in_use"):
        snapshot.read_features()
    let_go(other)
    assert len(snapshot.read_features()) == {"selected": 2, "edited": len(PLACES) + 1}.get(
        which, len(PLACES)
    )


def test_waiting_for_a_locked_file_hears_cancel_and_ends_with_the_lock(in_file, tmp_path):
    snapshot, other, looks = LayerSnapshot.from_layer(in_file), held(tmp_path / "t.gpkg"), []

    def cancel(told):
        looks.append(told)
        if len(looks) == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        snapshot.read_features(progress=cancel)
    assert looks == [0.0] * 3
    Timer(1.5, let_go, [other]).start()
    assert len(snapshot.read_features(progress=lambda _told: None)) == len(PLACES)


def test_a_damaged_file_is_told_of_instead_of_what_is_left_of_it(in_file, tmp_path):
    snapshot, path = LayerSnapshot.from_layer(in_file), tmp_path / "t.gpkg"
    whole = path.read_bytes()
    for part in (20, 10):
        path.write_bytes(whole[: 4096 * part] + b"\xff" * (len(whole) - 4096 * part))
        with raises("file.damaged"):
            snapshot.read_features()
    path.unlink()
    with raises("layer.unreadable", name="t"):
        snapshot.read_features()


def test_a_layer_or_a_filter_without_features_gives_none(in_file):
    assert LayerSnapshot.from_layer(in_file, expression="\"a\" = 'b'").read_features() == []
    whole = LayerSnapshot.from_layer(in_file)
    in_file.setSubsetString("a = 'b'")
    assert LayerSnapshot.from_layer(in_file).read_features() == []
    in_file.setSubsetString("")
    with edit(in_file):
        in_file.deleteFeatures(in_file.allFeatureIds())
    assert LayerSnapshot.from_layer(in_file).read_features() == []
    with raises("layer.changed_while_reading", expected=300, read=0):
        whole.read_features()


def test_a_look_at_a_file_leaves_nothing_beside_it(in_file, tmp_path):
    path = tmp_path / "logs.gpkg"
    path.write_bytes((tmp_path / "t.gpkg").read_bytes())
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    before = path.read_bytes(), path.stat().st_mtime_ns
    reading.wait_for_unlock(path)
    for other in ("no.gpkg", "text.txt"):
        reading.wait_for_unlock(tmp_path / other)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["logs.gpkg", "t.gpkg"]


def test_plots_are_compared_where_both_layers_name_them(qgis_app):
    """Crowns that overlap across plots are told of; a layer without the field names none."""
    places = [(0, 0), (20, 0)]
    named = [
        layer_of(name, crowns_at(places), fields="&field=plot:string", rows=[["p"], [plot]])
        for name, plot in (("one", "q"), ("other", "r"))
    ]
    layers = [*named, layer_of("without", crowns_at(places))]
    read = [
        read_crowns(LayerRequest(LayerSnapshot.from_layer(one), unused_plot_field="plot"), CONTEXT)
        for one in layers
    ]
    assert read[0].unused_plots_message(read[1]) is not None
    assert read[0].unused_plots_message(read[2]) is None
    plain = read_crowns(LayerRequest(LayerSnapshot.from_layer(layers[0])), CONTEXT)
    assert plain.unused_plots_message(read[1]) is None


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("string", [" oak ", "", None], ["oak", None, None]),
        ("integer", [3, None, 4], ["3", None, "4"]),
        ("double", [3.0, None, 4.0], ["3", None, "4"]),
        ("bool", [True, False, None], ["true", "false", None]),
        ("date", [QDate(2026, 1, 2), None, None], ["2026-01-02", None, None]),
    ],
)
def test_classes_of_every_type_are_read_as_texts(qgis_app, kind, values, expected):
    shapes = crowns_at([(0, 0), (20, 0), (40, 0)])
    rows = [[value] for value in values]
    layer = layer_of("trees", shapes, kind="Polygon", fields=f"&field=species:{kind}", rows=rows)
    assert read(layer, class_field="species").crowns.classes.tolist() == expected
    assert read(layer).crowns.classes is None


def test_classes_belong_to_the_usable_crowns_and_decimals_are_refused(qgis_app):
    shapes = [None, CROWN]
    rows = [["oak"], ["ash"]]
    layer = layer_of("trees", shapes, kind="Polygon", fields="&field=species:string", rows=rows)
    assert read(layer, class_field="species").crowns.classes.tolist() == ["ash"]
    decimals = layer_of("trees", [CROWN], kind="Polygon", fields="&field=h:double", rows=[[1.5]])
    with raises("classes.not_whole", name="trees", value=1.5):
        read(decimals, class_field="h")
    without = read(layer, class_field="genus")
    assert without.crowns.classes is None
    assert [found.key for found in without.report.layer_messages] == ["input.no_class_field"]
