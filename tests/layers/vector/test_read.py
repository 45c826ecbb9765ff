from __future__ import annotations

import numpy as np
import pytest
import shapely
from qgis.core import QgsCoordinateTransformContext, QgsFeature, QgsGeometry, QgsVectorLayer, edit
from qgis.PyQt.QtCore import QDate
from support.layers import CROWN, EAST, NORTH, crowns_at, layer_of, save

from randcrowns.core.errors import InputError
from randcrowns.layers.vector.geometry import Oddity
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns

CONTEXT = QgsCoordinateTransformContext()


def read(layer, selected_only=False, **options):
    return read_crowns(LayerRequest(LayerSnapshot.of(layer, selected_only), **options), CONTEXT)


def at(wkt_tail):
    """WKT with coordinates counted from EAST, NORTH."""
    import re

    return re.sub(r"(-?[\d.]+) (-?[\d.]+)", lambda m: f"{EAST + float(m[1])} {NORTH + float(m[2])}", wkt_tail)


BOWTIE = at("POLYGON((0 0, 4 4, 4 0, 0 4, 0 0))")
CURVED = at("CURVEPOLYGON(CIRCULARSTRING(0 0, 4 0, 0 0))")


def test_good_crowns_come_as_they_are(qgis_app):
    shapes = crowns_at([(0, 0), (20, 0), (40, 0)])
    result = read(layer_of("good", shapes, kind="Polygon"))
    assert shapely.equals_exact(result.crowns.geometry, shapes, 0).all()
    assert result.crowns.ids.tolist() == [1, 2, 3]
    assert (result.crowns.name, result.crowns.crs) == ("good", "EPSG:32617")
    assert result.report.remarks() == []


def n_left_out(report):
    return sum(
        len(ids) for oddity, ids in report.oddities.items() if str(oddity.clause(1)).endswith(("skipped", "excluded"))
    )


@pytest.mark.parametrize(
    ("odd", "kind", "oddity", "left_out"),
    [
        (None, "Polygon", Oddity.NULL, True),
        ("POLYGON EMPTY", "Polygon", Oddity.EMPTY, True),
        (BOWTIE, "Polygon", Oddity.REPAIRED, False),
        (CURVED, "CurvePolygon", Oddity.CURVED, False),
        (at("POLYGON Z((0 0 7, 4 0 7, 4 4 7, 0 0 7))"), "PolygonZ", Oddity.FLATTENED, False),
        (at("POLYGON M((0 0 1, 4 0 2, 0 4 3, 0 0 1))"), "PolygonM", Oddity.FLATTENED, False),
        (at("MULTIPOLYGON(((0 0, 4 0, 4 4, 0 0)), ((6 0, 9 0, 9 4, 6 0)))"), "MultiPolygon", Oddity.MULTIPART, False),
        (at("POLYGON((0 0, 4 0, 8 0, 0 0))"), "Polygon", Oddity.NO_AREA, True),
        ("NAN", "Polygon", Oddity.NOT_NUMBERS, True),
    ],
    ids=lambda value: value.name if isinstance(value, Oddity) else None,
)
def test_what_is_odd_is_told_by_feature_id(qgis_app, odd, kind, oddity, left_out):
    good = CROWN if kind == "Polygon" else None
    layer = nan_layer() if odd == "NAN" else layer_of("odd", [odd, good] if good else [odd], kind=kind)
    result = read(layer)
    assert result.report.ids(oddity) == [1]
    assert layer.featureCount() == len(result.crowns) + n_left_out(result.report)
    assert (1 in result.crowns.ids) is not left_out
    assert all("'odd'" in sentence and "feature 1" in sentence for sentence in map(str, result.report.remarks()))


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
    for wkt in (CROWN, f"GEOMETRYCOLLECTION({CROWN}, POINT({EAST} {NORTH}))", f"POINT({EAST} {NORTH})"):
        feature = ogr.Feature(table.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(wkt))
        table.CreateFeature(feature)
    del feature, table, source
    layer = QgsVectorLayer(f"{tmp_path / 'any.gpkg'}|layername=any", "any", "ogr")
    result = read(layer)
    assert layer.featureCount() == len(result.crowns) + n_left_out(result.report)
    assert shapely.area(result.crowns.geometry) == pytest.approx(16.0)
    if layer.featureCount() == 3:
        assert result.report.ids(Oddity.MIXED) == [2]
        assert result.report.ids(Oddity.NOT_A_POLYGON) == [3]


def test_degrees_and_feet_become_metres(qgis_app):
    box = shapely.box(-82.0, 29.7, -81.9999, 29.7001)
    (crown,) = read(layer_of("d", [box], crs="EPSG:4326", kind="Polygon")).crowns.geometry
    assert crown.area == pytest.approx(107.2, rel=0.01)
    result = read(layer_of("f", [shapely.box(780000, 1500000, 780010, 1500010)], crs="EPSG:2236", kind="Polygon"))
    assert result.crowns.geometry[0].area == pytest.approx(9.2903, rel=1e-4)
    assert "in units of 0.3048 m" in str(result.report.remarks()[0])


def test_a_layer_without_a_system_is_refused_by_name(qgis_app):
    layer = layer_of("nowhere", [CROWN], crs="", kind="Polygon")
    with pytest.raises(InputError, match="'nowhere' has no coordinate system"):
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
    layer = layer_of("g", shapes, kind="Polygon", fields="&field=plot:double", rows=[[1.0], [2.0], [None]])
    result = read(layer, group_field="plot")
    assert result.crowns.groups.tolist() == ["1", "2", None]
    assert "1 crown has nothing in field 'plot'" in " ".join(map(str, result.report.remarks()))
    without = read(layer, group_field="site")
    assert without.crowns.groups is None
    assert "no field 'site'" in " ".join(map(str, without.report.remarks()))


def test_groups_of_blanks_only_are_no_groups_and_told(qgis_app):
    shapes = crowns_at([(0, 0), (20, 0), (40, 0)])
    layer = layer_of("g", shapes, kind="Polygon", fields="&field=plot:string", rows=[[""], ["  "], [" A "]])
    result = read(layer, group_field="plot")
    assert result.crowns.groups.tolist() == [None, None, "A"]
    assert "2 crowns have nothing in field 'plot'" in " ".join(map(str, result.report.remarks()))


@pytest.mark.parametrize("kind", ["double", "string"])
def test_scores_below_the_threshold_and_missing_ones_are_left_out(qgis_app, kind):
    missing = float("-inf")
    values = [0.9, 0.4, None, 0.5, missing] if kind == "double" else ["0.9", "0.4", "sure", " 0.5", "-inf"]
    shapes = crowns_at([(0, 0), (20, 0), (40, 0), (60, 0), (80, 0)])
    layer = layer_of("s", shapes, kind="Polygon", fields=f"&field=score:{kind}", rows=[[v] for v in values])
    result = read(layer, score_field="score", score_threshold=0.5)
    assert result.crowns.ids.tolist() == [1, 4]
    assert result.report.ids(Oddity.LOW_SCORE) == [2]
    assert result.report.ids(Oddity.NO_SCORE) == [3, 5]
    kept = read(layer, score_field="confidence", score_threshold=0.5)
    assert len(kept.crowns) == 5
    assert "no field 'confidence'" in str(kept.report.remarks()[0])


def test_the_snapshot_outlives_the_layer_and_holds_its_unsaved_edits(qgis_app, tmp_path):
    layer = save(layer_of("file", crowns_at([(0, 0), (20, 0)]), kind="Polygon"), tmp_path / "file.gpkg")
    layer.startEditing()
    layer.deleteFeature(1)
    snapshot = LayerSnapshot.of(layer)
    layer.rollBack()
    del layer
    assert read_crowns(LayerRequest(snapshot), CONTEXT).crowns.ids.tolist() == [2]


def test_sentences_count_in_plain_words(qgis_app):
    layer = layer_of("two", [BOWTIE, BOWTIE, None], kind="Polygon")
    sentences = list(map(str, read(layer).report.remarks()))
    assert "Layer 'two': 2 crowns with an invalid geometry were repaired (features 1, 2)." in sentences
    assert "Layer 'two': 1 crown without geometry was skipped (feature 3)." in sentences


def test_groups_of_dates_are_written_as_iso_and_what_is_no_number_is_no_group(qgis_app):
    days = [[QDate(2020, 1, 2)], [QDate(2020, 1, 2)], [None]]
    dated = layer_of("d", crowns_at([(0, 0), (20, 0), (40, 0)]), fields="&field=day:date", rows=days)
    result = read(dated, group_field="day")
    assert result.crowns.groups.tolist() == ["2020-01-02", "2020-01-02", None]
    numbers = [[float("nan")], [2.0], [2.5]]
    plots = layer_of("n", crowns_at([(0, 0), (20, 0), (40, 0)]), fields="&field=plot:double", rows=numbers)
    result = read(plots, group_field="plot")
    assert result.crowns.groups.tolist() == [None, "2", "2.5"]
    assert "1 crown has nothing in field 'plot'" in " ".join(map(str, result.report.remarks()))


@pytest.mark.parametrize("huge", [2e9, 1e11, 1e13, 1e200])
def test_coordinates_on_no_map_are_told_and_do_not_spoil_the_rest(qgis_app, huge):
    wkt = f"POLYGON((0 0, {huge} 0, {huge} {huge}, 0 0))"
    result = read(layer_of("huge", [wkt, CROWN], kind="Polygon"))
    assert result.report.ids(Oddity.TOO_LARGE) == [1]
    assert result.crowns.ids.tolist() == [2]
    assert result.working.name == "EPSG:32617"


@pytest.mark.parametrize("change", ["delete", "filter", "none"])
def test_a_layer_changed_between_snapshot_and_reading_is_told(qgis_app, tmp_path, change):
    layer = save(layer_of("t", crowns_at([(0, 0), (20, 0), (40, 0)]), kind="Polygon"), tmp_path / "t.gpkg")
    snapshot = LayerSnapshot.of(layer)
    if change == "delete":
        with edit(layer):
            layer.deleteFeature(2)
    if change == "filter":
        layer.setSubsetString("fid = 1")
    result = read_crowns(LayerRequest(snapshot), CONTEXT)
    told = "had 3 crowns when the run began" in " ".join(map(str, result.report.remarks()))
    assert told == (len(result.crowns) != 3)
    assert told == (change == "delete") or change == "filter"
