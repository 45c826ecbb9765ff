"""Every kind of bad input ends in a sentence or a counted status, never in a crash or a lost
feature."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsProject,
    QgsVectorLayer,
)
from support.layers import CROWN, EAST, NORTH, crowns_at, layer_of, save
from support.processing import Listener
from support.shown import shows

BOXES = crowns_at([(0, 0), (20, 0), (40, 0)])


def polygon(name="targets", shapes=BOXES, **options):
    return layer_of(name, shapes, **{"kind": "Polygon", **options})


@pytest.fixture
def score(run):
    def score(targets=None, drawn=None, **parameters):
        layers = (
            drawn if isinstance(drawn, list) else [drawn if drawn is not None else polygon("drawn")]
        )
        return run(
            "scorecrowns",
            {
                "TARGETS": targets if targets is not None else polygon(),
                "DELINEATIONS": layers,
                **parameters,
            },
        )

    return score


@pytest.mark.parametrize(
    "name", ["ALPHA", "OMEGA", "GAMMA", "SEARCH_RADIUS", "RANDCROWNS_THRESHOLD"]
)
@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0])
def test_lengths_that_are_no_lengths(score, name, value):
    done = score(PRESET=3, **{name: value})
    assert "must be a" in done.refused
    assert not done.ok


@pytest.mark.parametrize(
    ("name", "content", "key"),
    [
        ("crowns.parquet", b"PAR1", "file.no_parquet_driver"),
        ("crowns.gpkg", b"no database", "file.damaged_vector"),
        ("crowns.shp", b"%PDF-1.4 of a report", "file.damaged_vector"),
    ],
)
@pytest.mark.parametrize("is_target", [True, False], ids=["target", "delineation"])
def test_the_reason_why_a_file_cannot_be_read(
    score, tmp_path, monkeypatch, name, content, key, is_target
):
    path = tmp_path / name
    path.write_bytes(content)
    driver = gdal.GetDriverByName
    monkeypatch.setattr(gdal, "GetDriverByName", lambda n: None if n == "Parquet" else driver(n))
    done = score(str(path), polygon("drawn")) if is_target else score(drawn=[str(path)])
    assert shows(done.refused, key, path=name)


@pytest.mark.parametrize("name", ["crowns.gpkg", "crowns.shp", "crowns.geojson", "crowns.fgb"])
@pytest.mark.parametrize("is_target", [True, False], ids=["target", "delineation"])
def test_a_virtual_layer_under_another_name_is_not_followed(score, tmp_path, name, is_target):
    other = tmp_path / "other.geojson"
    save(polygon("other"), other, "GeoJSON")
    path = tmp_path / name
    path.write_text(
        '<OGRVRTDataSource><OGRVRTLayer name="other">'
        f"<SrcDataSource>{other}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>"
    )
    for text in (str(path), f"{path}|layername=other"):
        done = score(text, polygon("drawn")) if is_target else score(drawn=[text])
        assert shows(done.refused, "file.other_format", path=name)


def test_a_virtual_raster_under_another_name_is_not_followed(run, tmp_path):
    path = tmp_path / "mask.tif"
    path.write_text(
        '<VRTDataset rasterXSize="4" rasterYSize="4"><VRTRasterBand dataType="Byte" band="1">'
        "<SimpleSource><SourceFilename>/vsicurl/http://127.0.0.1:9/a.tif</SourceFilename>"
        "<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>"
    )
    done = run("compareannotators", {"ANNOTATORS": [str(path), str(path)]}, outputs=("SUMMARY",))
    assert shows(done.refused, "file.other_format", path="mask.tif", format="VRT")


def test_nan_is_told_with_the_name_of_the_parameter(score):
    assert shows(
        score(PRESET=3, ALPHA=math.nan).refused,
        "number.not_finite",
        name="True positive boundary (alpha, m)",
    )


def test_no_delineations(score):
    assert score(drawn=[]).refused == "Choose at least one layer of delineations."


def test_a_missing_coordinate_system(score):
    assert shows(score(targets=polygon("nowhere", crs="")).refused, "crs.missing", name="nowhere")
    assert shows(score(drawn=polygon("drawn", crs="")).refused, "crs.missing", name="drawn")


def test_metres_in_a_layer_that_says_degrees(score):
    done = score(targets=polygon("mislabelled", crs="EPSG:4326"))
    assert not done.ok
    assert shows(done.error, "crs.outside", name="mislabelled")


def test_delineations_that_cannot_be_brought_to_the_targets(score):
    done = score(drawn=polygon("mislabelled", crs="EPSG:4326"))
    assert not done.ok
    assert shows(done.error, "crs.not_transformed", name="mislabelled")


def test_a_layer_of_points(score):
    points = layer_of("points", [f"POINT({EAST} {NORTH})"], kind="Point")
    assert shows(score(drawn=[points]).refused, "layer.no_readable_polygons", name="points")


def test_zero_crowns_on_either_side(score):
    none = polygon("none", [])
    done = score(drawn=none)
    assert done.ok, done.error
    assert done.table("SCORED_TARGETS")["none_status"].tolist() == ["unmatched"] * 3
    assert done.table("SCORED_TARGETS")["none_rc"].tolist() == [0.0] * 3
    assert "Layer 'none' has no polygons that can be used." in done.warnings
    done = score(targets=none)
    assert done.ok, done.error
    assert len(done.table("SCORED_TARGETS")) == len(done.table("REGIONS")) == 0
    assert set(done.table("SCORED_DELINEATIONS")["status"]) == {"unmatched"}
    assert math.isnan(done.results["MEAN_RANDCROWNS"])
    assert score(targets=none, drawn=none).ok


def test_odd_geometries_are_told_and_every_target_stays_in_the_table(score):
    bowtie = (
        f"POLYGON(({EAST} {NORTH}, {EAST + 4} {NORTH + 4}, {EAST + 4} {NORTH}, "
        f"{EAST} {NORTH + 4}, {EAST} {NORTH}))"
    )
    targets = polygon("odd", [None, "POLYGON EMPTY", bowtie, CROWN])
    done = score(targets=targets, PRESET=3, ALPHA=0.1, OMEGA=1.0, GAMMA=3.0)
    assert done.ok, done.error
    table = done.table("SCORED_TARGETS").set_index("target_id")
    assert table["drawn_status"].tolist()[:2] == ["no_geometry", "no_geometry"]
    assert table.loc[[1, 2], "drawn_rc"].isna().all()
    assert set(table.loc[[3, 4], "drawn_status"]) <= {"scored", "missed", "unmatched"}
    for words in (
        "without geometry is skipped (feature 1)",
        "empty geometry is skipped (feature 2)",
        "repaired (feature 3)",
    ):
        assert words in done.warnings
    assert done.results["INPUT_PROBLEMS"].count("\n") >= 2


@pytest.mark.parametrize(
    "kind", ["PolygonZ", "PolygonM", "CurvePolygon", "MultiSurface", "MultiPolygonZ"]
)
def test_3d_measured_and_curved_layers_are_scored_and_kept_as_they_are(score, kind):
    z = " 7" if kind.endswith(("Z", "M")) else ""
    ring = ", ".join(
        f"{EAST + x} {NORTH + y}{z}" for x, y in ((0, 0), (4, 0), (4, 4), (0, 4), (0, 0))
    )
    circle = f"CURVEPOLYGON(CIRCULARSTRING({EAST} {NORTH}, {EAST + 4} {NORTH}, {EAST} {NORTH}))"
    wkt = {
        "PolygonZ": f"POLYGON Z(({ring}))",
        "PolygonM": f"POLYGON M(({ring}))",
        "CurvePolygon": circle,
        "MultiSurface": f"MULTISURFACE({circle})",
        "MultiPolygonZ": f"MULTIPOLYGON Z((({ring})))",
    }[kind]
    layer = layer_of("odd", [wkt], kind=kind)
    flat = polygon("drawn", [shapely.box(EAST, NORTH, EAST + 4, NORTH + 4)])
    done = score(targets=layer, drawn=[flat, layer], PAIRING=1)
    assert done.ok, done.error
    table = done.table("SCORED_TARGETS")
    assert table["odd_rc"][0] == pytest.approx(1.0)
    after = next(done.layer("SCORED_TARGETS").getFeatures()).geometry()
    assert after.asWkb() == next(layer.getFeatures()).geometry().asWkb()
    assert done.layer("SCORED_DELINEATIONS").featureCount() == 2


def test_odd_layers_reach_a_geopackage(score, tmp_path):
    ring = ", ".join(
        f"{EAST + x} {NORTH + y} 7" for x, y in ((0, 0), (4, 0), (4, 4), (0, 4), (0, 0))
    )
    layer = layer_of("odd", [f"POLYGON Z(({ring}))", None], kind="PolygonZ")
    outputs = {
        name: str(tmp_path / f"{name}.gpkg")
        for name in ("SCORED_TARGETS", "SCORED_DELINEATIONS", "REGIONS")
    }
    done = score(targets=layer, drawn=[layer], **outputs)
    assert done.ok, done.error
    assert len(done.table("SCORED_TARGETS")) == 2


def test_layers_of_one_name_and_names_with_odd_characters(score):
    names = ["crowns", "crowns", 'it\'s "quoted"; DROP', "木の冠 ☘", "x" * 60]
    done = score(drawn=[polygon(name) for name in names])
    assert done.ok, done.error
    columns = list(done.table("SCORED_TARGETS").columns)
    found = [name[: -len("_rc")] for name in columns if name.endswith("_rc")]
    assert found == ["crowns", "crowns_2", "it_s_quoted_drop", "layer", "x" * 40]
    assert done.table("SUMMARY")["layer"].tolist() == ["crowns", "crowns (2)", *names[2:]]


def test_odd_names_in_files(score, tmp_path):
    folder = tmp_path / "it's a ☘ folder"
    folder.mkdir()
    drawn = save(polygon("crowns"), folder / "drawn by 'A'.gpkg")
    path = str(folder / "out put.gpkg")
    done = score(drawn=[drawn], SCORED_TARGETS=path)
    assert done.ok, done.error
    assert len(done.table("SCORED_TARGETS")) == 3


def test_a_field_that_a_result_would_be_called_is_kept(score):
    targets = polygon(
        fields="&field=drawn_rc:string&field=target_id:integer&field=rc_mean:integer",
        rows=[["mine", 5, 6]] * 3,
    )
    done = score(targets=targets, drawn=[polygon("drawn"), polygon("other")])
    table = done.table("SCORED_TARGETS")
    assert table["drawn_rc"].tolist() == ["mine"] * 3
    assert table["target_id"].tolist() == [5] * 3
    assert table["target_id_2"].tolist() == [1, 2, 3]
    assert "drawn_2_rc" in table.columns
    assert "rc_mean_2" in table.columns


def test_a_group_field_that_is_not_there(score):
    assert shows(score(PLOT_FIELD="plot").refused, "plots.no_group_field", field="plot")


def test_delineations_without_the_group_field(score):
    targets = polygon(fields="&field=plot:integer", rows=[[1], [2], [None]])
    done = score(targets=targets, PLOT_FIELD="plot")
    assert done.ok, done.error
    assert shows(done.warnings, "input.no_group_field", field="plot")
    assert done.table("SUMMARY")["plot"].tolist() == ["all", "1", "2"]


@pytest.mark.parametrize(
    ("kind", "rows", "kept"),
    [
        ("double", [[0.9], [0.1], [None]], 1),
        ("string", [["0.9"], ["x"], [None]], 1),
        ("integer", [[1], [0], [1]], 2),
    ],
)
def test_score_fields_with_nulls_and_text(score, kind, rows, kept):
    drawn = polygon("drawn", fields=f"&field=score:{kind}", rows=rows)
    done = score(drawn=[drawn], SCORE_FIELD="score", SCORE_THRESHOLD=0.5)
    assert len(done.table("SCORED_DELINEATIONS")) == kept
    assert "excluded (feature" in done.warnings


def test_a_score_field_that_no_layer_has(score):
    assert shows(score(SCORE_FIELD="score").refused, "delineations.no_score_field", field="score")
    assert shows(
        score(
            drawn=[polygon("d", fields="&field=score:double", rows=[[1]] * 3)],
            SCORE_FIELD="score",
            SCORE_THRESHOLD=math.nan,
        ).refused,
        "number.not_finite",
    )


@pytest.mark.parametrize(
    ("value", "said"), [(2.5, "a whole number"), (2**40, "at most"), (0, "at least 1")]
)
def test_whole_numbers_are_not_changed_silently(run, value, said):
    given = {"ANNOTATORS": [polygon("a"), polygon("b"), polygon("c")], "EXAMPLES": value}
    assert said in run("annotatorvariance", given).refused


def test_the_target_among_the_delineations_is_allowed_and_told(score):
    layer = polygon()
    done = score(targets=layer, drawn=[layer])
    assert done.ok, done.error
    assert done.results["MEAN_RANDCROWNS"] == pytest.approx(1.0)
    assert shows(done.warnings, "scoring.same_layer")


def test_targets_too_small(score):
    done = score(targets=polygon(shapes=crowns_at([(0, 0)], radius=0.3)), drawn=[polygon("drawn")])
    table = done.table("SCORED_TARGETS")
    assert table["drawn_status"][0] == "target_too_small"
    assert np.isnan(float(table["drawn_rc"][0] or "nan"))


def test_an_output_that_would_overwrite_an_input(score, tmp_path):
    layer = save(polygon(), tmp_path / "targets.gpkg")
    before = (tmp_path / "targets.gpkg").read_bytes()
    done = score(targets=layer, SCORED_TARGETS=str(tmp_path / "targets.gpkg"))
    assert shows(done.refused, "output.overwrites_input", layer="targets")
    assert (tmp_path / "targets.gpkg").read_bytes() == before


def test_two_outputs_in_one_place(score, tmp_path):
    path = str(tmp_path / "same.gpkg")
    assert shows(score(SCORED_TARGETS=path, REGIONS=path).refused, "output.same_file")


def test_an_output_where_nothing_can_be_written(score, tmp_path):
    done = score(SCORED_TARGETS=str(tmp_path / "no" / "such" / "folder" / "x.gpkg"))
    assert done.refused or not done.ok


def test_a_layer_removed_and_edited_while_the_job_runs(algorithms, qgis_new_project):
    from qgis.core import QgsApplication

    targets, drawn = polygon(), polygon("drawn")
    QgsProject.instance().addMapLayers([targets, drawn])
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("randcrowns:scorecrowns")
    parameters = {
        "TARGETS": targets.id(),
        "DELINEATIONS": [drawn.id()],
        "SCORED_TARGETS": "TEMPORARY_OUTPUT",
    }
    listener = Listener()
    assert algorithm.prepare(parameters, context, listener)
    targets.startEditing()
    targets.deleteFeature(1)
    targets.commitChanges()
    QgsProject.instance().removeMapLayer(drawn.id())
    results = algorithm.runPrepared(parameters, context, listener)
    scored = context.getMapLayer(results["SCORED_TARGETS"])
    assert [feature["target_id"] for feature in scored.getFeatures()] == [1, 2, 3]
    assert {feature["drawn_status"] for feature in scored.getFeatures()} == {"scored"}


def test_unsaved_features_are_scored(score, tmp_path):
    layer = save(polygon(), tmp_path / "targets.gpkg")
    QgsProject.instance().addMapLayer(layer)
    layer.startEditing()
    from qgis.core import QgsFeature, QgsGeometry

    added = QgsFeature(layer.fields())
    added.setGeometry(QgsGeometry.fromWkt(CROWN))
    added.setAttribute("fid", "Autogenerate")
    assert layer.addFeature(added)
    layer.deleteFeature(2)
    done = score(targets=layer, SCORED_TARGETS=str(tmp_path / "out.gpkg"))
    assert done.ok, done.error
    ids = sorted(done.table("SCORED_TARGETS")["target_id"])
    assert ids[0] < 0
    assert ids[1:] == [1, 3]
    layer.rollBack()


def test_the_filter_of_newer_processing_dialogs_is_heeded(score):
    layer = polygon()
    QgsProject.instance().addMapLayer(layer)
    source = QgsProcessingFeatureSourceDefinition(layer.id())
    if not hasattr(source, "filterExpression"):
        pytest.skip("before QGIS 3.32 there is no such filter")
    source.filterExpression = "$id <> 2"
    assert score(targets=source).table("SCORED_TARGETS")["target_id"].tolist() == [1, 3]
    source.featureLimit = 1
    assert score(targets=source).table("SCORED_TARGETS")["target_id"].tolist() == [1]


def test_selected_only_with_nothing_selected(score):
    layer = polygon()
    QgsProject.instance().addMapLayer(layer)
    done = score(targets=QgsProcessingFeatureSourceDefinition(layer.id(), True))
    assert done.ok, done.error
    assert len(done.table("SCORED_TARGETS")) == 0


def test_a_broken_layer(score, tmp_path):
    broken = QgsVectorLayer(str(tmp_path / "gone.gpkg"), "gone", "ogr")
    done = score(drawn=[broken])
    assert done.refused or not done.ok


def test_an_extent_that_meets_nothing(score):
    done = score(EXTENT="0,1,0,1 [EPSG:32617]")
    assert done.ok, done.error
    assert done.table("SCORED_TARGETS")["drawn_status"].tolist() == ["outside_extent"] * 3


@pytest.mark.parametrize("extent", ["0,0,0,0 [EPSG:32617]", "nan,1,0,1 [EPSG:32617]"])
def test_an_extent_without_area(score, extent):
    done = score(EXTENT=extent)
    assert done.refused or "extent" in done.error


@pytest.mark.parametrize("name", ["\0", "p\0"])
def test_a_plot_called_as_no_text_can_be_is_none_or_that_without(run, name):
    """NumPy and files end a text there."""
    plots = [[name], ["p"], ["q"]]
    drawn = [polygon(called, fields="&field=plot:string", rows=plots) for called in ("one", "two")]
    ran = run(
        "consensus",
        {"ANNOTATORS": drawn, "PLOT_FIELD": "plot", "RESOLUTION": 1.0},
        outputs=("CONSENSUS",),
    )
    assert ran.ok, ran.refused or ran.error
    drawn_in = sorted(feature["image"] for feature in ran.layer("CONSENSUS").getFeatures())
    assert drawn_in == ["p"] * len(name) + ["q"]
