"""randcrowns:compareannotators on hand-worked squares, odd input, and twelve experts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsFeature,
    QgsVectorFileWriter,
    QgsVectorLayer,
)
from support.data import real_data
from support.layers import EAST, NORTH, layer_of
from support.processing import Listener, run_algorithm
from support.provider import provider
from support.shown import shows

from randcrowns.algorithms.agreement import tables as agreement_tables
from randcrowns.core.agreement import blocks, votes
from randcrowns.core.geometry.polygon_file import PolygonFile
from randcrowns.layers.vector import tables

OUTPUTS = (
    "AGREEMENT",
    "DISAGREEMENTS",
    "ANNOTATOR_TABLE",
    "ANNOTATOR_PAIRS",
    "SUMMARY",
    "RATIO",
    "LINKAGE",
)


def square(x, y, side=10.0):
    return shapely.box(EAST + x, NORTH + y, EAST + x + side, NORTH + y + side)


def area_layer():
    return layer_of("area", [square(0, 0, 100)])


def three_layers():
    """Squares of 100 m² that are shifted by 0, 5 and 80 m: the third is elsewhere."""
    return [layer_of(name, [square(x, 10)]) for name, x in (("ann", 10), ("bob", 15), ("cleo", 80))]


def test_without_a_map_no_faces_are_made_and_the_numbers_are_the_same(
    algorithms, qgis_new_project, monkeypatch
):
    rng = np.random.default_rng(3)
    drawn = [
        layer_of(name, [square(*at, 8) for at in rng.uniform(0, 90, (60, 2))])
        for name in ("ann", "bob", "cleo", "dan")
    ]
    given = {
        "ANNOTATORS": drawn,
        "EXTENT_LAYER": area_layer(),
        "BLOCK_SIDE": 20.0,
        "BOOTSTRAP_SAMPLES": 100,
    }
    with_map = run_algorithm("compareannotators", given, outputs=OUTPUTS)
    monkeypatch.setattr(votes, "overlay_faces", None)
    without = run_algorithm("compareannotators", given, outputs=OUTPUTS[2:])
    assert without.ok, without.error
    for name in OUTPUTS[2:]:
        pd.testing.assert_frame_equal(
            without.table(name), with_map.table(name), rtol=1e-9, atol=1e-9
        )
    assert without.table("SUMMARY").set_index("statistic")["low"].notna().any()
    assert not run_algorithm("compareannotators", given, outputs=OUTPUTS).ok


def test_of_the_map_a_few_faces_are_in_memory_at_a_time(algorithms, qgis_new_project, monkeypatch):
    rng, near, read = np.random.default_rng(3), PolygonFile.read_at_origin, []
    drawn = [
        layer_of(name, [square(*at, 8) for at in rng.uniform(0, 90, (60, 2))])
        for name in ("ann", "bob", "cleo")
    ]
    given = {
        "ANNOTATORS": drawn,
        "EXTENT_LAYER": area_layer(),
        "BLOCK_SIDE": 20.0,
        "BOOTSTRAP_SAMPLES": 100,
    }
    whole = run_algorithm("compareannotators", given, outputs=OUTPUTS)

    def counted(kept, rows):
        found = near(kept, rows)
        read.append(len(found))
        return found

    monkeypatch.setattr(tables, "_BLOCK", 7)
    monkeypatch.setattr(blocks, "_FACES_PER_CHUNK", 9)
    monkeypatch.setattr(PolygonFile, "read_at_origin", counted)
    in_parts = run_algorithm("compareannotators", given, outputs=OUTPUTS)
    assert len(in_parts.table("AGREEMENT")) > 100
    for name in OUTPUTS:
        pd.testing.assert_frame_equal(in_parts.table(name), whole.table(name), rtol=1e-12)
    assert max(read) == 9


@pytest.fixture
def compare(algorithms, qgis_new_project):
    def run_it(**parameters):
        return run_algorithm(
            "compareannotators", {"BOOTSTRAP_SAMPLES": 100, **parameters}, outputs=OUTPUTS
        )

    return run_it


@pytest.fixture(scope="module")
def exact(qgis_app):
    """The three, compared exactly: who only looks."""
    provider()
    given = {"ANNOTATORS": three_layers(), "EXTENT_LAYER": area_layer()}
    done = run_algorithm("compareannotators", given, outputs=OUTPUTS)
    assert done.ok, done.error
    return done


def test_numbers_by_hand(exact):
    done = exact
    faces = done.table("AGREEMENT")
    assert sorted(zip(faces["n_yes"], faces["area"].round(6), faces["yes"])) == [
        (1, 50.0, "ann"),
        (1, 50.0, "bob"),
        (1, 100.0, "cleo"),
        (2, 50.0, "ann, bob"),
    ]
    pairs = done.table("ANNOTATOR_PAIRS").set_index(["first", "second"])
    assert pairs.loc[("ann", "bob"), "f1"] == pytest.approx(0.5)
    assert pairs.loc[("ann", "bob"), "shared"] == pytest.approx(50)
    assert pairs.loc[("ann", "bob"), "only_first"] == pytest.approx(50)
    assert pairs.loc[("ann", "cleo"), "f1"] == 0
    summary = done.table("SUMMARY").set_index("statistic")["value"]
    assert summary["smyth_bound"] == pytest.approx(250 / (3 * 10_000))
    assert summary["study_area"] == pytest.approx(10_000)
    assert done.results["SMYTH_BOUND"] == pytest.approx(250 / (3 * 10_000))
    ratio = done.table("RATIO")
    np.testing.assert_allclose(ratio["ratio"], [1, 50 / 250, 0])
    people = done.table("ANNOTATOR_TABLE").set_index("annotator")
    assert people.loc["ann", "sensitivity"] == pytest.approx(1)
    assert people.loc["ann", "ppv"] == pytest.approx(0.5)
    assert len(done.table("LINKAGE")) == 2
    assert "agreement.sparse" in done.keys


def test_disagreements_are_sorted_and_small_ones_counted(compare):
    done = compare(ANNOTATORS=three_layers(), EXTENT_LAYER=area_layer(), MIN_AREA=60)
    places = done.table("DISAGREEMENTS")
    assert places["area"].tolist() == pytest.approx([100])
    assert places["yes"].tolist() == ["cleo"]
    assert places["no"].tolist() == ["ann, bob"]
    assert shows(done.said("places.left_out"), "places.left_out", count=3, least=60)


def test_the_places_of_a_few_faces_are_told_of_once_however_few_shapes_are_written_at_a_time(
    compare, monkeypatch
):
    asked, tell = [], agreement_tables.face_table
    monkeypatch.setattr(
        agreement_tables,
        "face_table",
        lambda of, rows: asked.append(len(rows)) or tell(of, rows),
    )
    done = compare(ANNOTATORS=three_layers(), EXTENT_LAYER=area_layer())
    layer = done.layer("DISAGREEMENTS")
    assert [round(feature.geometry().area()) for feature in layer.getFeatures()] == [
        100,
        50,
        50,
        50,
    ]
    assert sorted(asked) == [0, 0, 4, 4]


def test_one_layer_with_a_field_gives_the_same(compare, exact):
    together = layer_of(
        "all",
        [square(10, 10), square(15, 10), square(80, 10), square(0, 50)],
        fields="&field=who:string",
        rows=[["ann"], ["bob"], ["cleo"], [None]],
    )
    done = compare(ANNOTATORS=[together], ANNOTATOR_FIELD="who", EXTENT_LAYER=area_layer())
    assert done.ok, done.error
    pd.testing.assert_frame_equal(done.table("ANNOTATOR_PAIRS"), exact.table("ANNOTATOR_PAIRS"))
    unnamed = "Layer 'all': 1 crown without an annotator's name is excluded (feature 4)."
    assert done.warnings.count(unnamed) == 1
    assert done.said("input.no_name") == unnamed


def test_pixels_and_exact_areas_agree_on_squares(compare, exact):
    pixels = compare(ANNOTATORS=three_layers(), EXTENT_LAYER=area_layer(), RESOLUTION=1)
    assert pixels.ok, pixels.error
    for output in ("ANNOTATOR_PAIRS", "RATIO", "ANNOTATOR_TABLE"):
        # Blocks of whole pixels are a little larger, so permutations within them differ.
        tables = [
            one.table(output).drop(columns="p_unlike", errors="ignore") for one in (pixels, exact)
        ]
        pd.testing.assert_frame_equal(*tables)
    columns = ["area", "n_yes", "yes", "no"]
    one, other = (
        run.table("AGREEMENT")[columns].sort_values(["area", "yes"], ignore_index=True)
        for run in (exact, pixels)
    )
    pd.testing.assert_frame_equal(one, other, atol=1e-6)


def test_agreement_raster(compare, tmp_path):
    path = tmp_path / "agreement.tif"
    done = compare(
        ANNOTATORS=three_layers(),
        EXTENT_LAYER=area_layer(),
        RESOLUTION=1,
        AGREEMENT_RASTER=str(path),
    )
    assert done.ok, done.error
    values = gdal.Open(str(path)).ReadAsArray()
    assert values.shape == (100, 100)
    assert [int((values == number).sum()) for number in range(4)] == [9750, 200, 50, 0]
    refused = compare(ANNOTATORS=three_layers(), AGREEMENT_RASTER=str(path))
    assert shows(refused.refused, "output.no_pixel_size")


@pytest.mark.parametrize("count", [1, 2, 64])
def test_any_number_of_annotators(compare, count):
    layers = [layer_of(f"a{number}", [square(10 + 0.1 * number, 10)]) for number in range(count)]
    done = compare(ANNOTATORS=layers, EXTENT_LAYER=area_layer())
    assert done.ok, done.error
    assert len(done.table("ANNOTATOR_TABLE")) == count
    assert len(done.table("ANNOTATOR_PAIRS")) == count * (count - 1) // 2
    assert ("agreement.one_annotator" in done.keys) == (count == 1)
    assert ("agreement.two_annotators_bound" in done.keys) == (count == 2)


def test_empty_identical_and_disjoint(compare):
    empty = layer_of("empty", [])
    same = [layer_of(name, [square(10, 10)]) for name in ("one", "two")]
    done = compare(ANNOTATORS=[*same, empty], EXTENT_LAYER=area_layer())
    assert done.ok, done.error
    pairs = done.table("ANNOTATOR_PAIRS").set_index(["first", "second"])["f1"]
    assert pairs["one", "two"] == 1
    assert pairs["one", "empty"] == 0
    assert "'empty' has no polygons that can be used" in done.warnings
    assert np.isnan(done.table("ANNOTATOR_TABLE").set_index("annotator").loc["empty", "ppv"])


def test_without_a_study_area_it_says_so(compare):
    for resolution in (0, 1):
        done = compare(ANNOTATORS=three_layers(), RESOLUTION=resolution)
        assert "agreement.no_study_area" in done.keys
        assert done.table("SUMMARY").set_index("statistic").loc[
            "study_area", "value"
        ] == pytest.approx(250)


@pytest.mark.parametrize(
    "world", ["-180,180,-80,84 [EPSG:4326]", "-20037508,20037508,-20037508,20037508 [EPSG:3857]"]
)
def test_a_rectangle_around_the_world_holds_what_was_drawn(compare, exact, world):
    done = compare(ANNOTATORS=three_layers(), EXTENT=world)
    assert done.ok, done.error
    pd.testing.assert_frame_equal(done.table("ANNOTATOR_PAIRS"), exact.table("ANNOTATOR_PAIRS"))


@pytest.mark.parametrize("resolution", [0, 1])
def test_who_drew_beside_the_study_area_is_told(compare, resolution):
    near = layer_of("near", [square(-10, 0)])  # shares an edge with the study area
    far = layer_of("far", [square(500, 0), square(520, 0)])
    inside = layer_of("ann", [square(10, 10), square(500, 0)])
    done = compare(ANNOTATORS=[inside, near, far], EXTENT_LAYER=area_layer(), RESOLUTION=resolution)
    assert done.ok, done.error
    near_told, far_told = done.said("outside").splitlines()
    assert near_told.startswith("near: the one polygon lies outside the study area")
    assert far_told.startswith("far: all 2 polygons lie outside the study area")
    assert far_told in done.warnings
    everywhere = compare(ANNOTATORS=[inside, near, far], RESOLUTION=resolution)
    assert everywhere.said("outside") == ""


def test_left_out_polygons_do_not_count(compare):
    done = compare(
        ANNOTATORS=three_layers(),
        EXTENT_LAYER=area_layer(),
        EXCLUDED=layer_of("cloud", [square(75, 0, 25)]),
    )
    summary = done.table("SUMMARY").set_index("statistic")["value"]
    assert summary["study_area"] == pytest.approx(10_000 - 625)
    assert summary["marked_by_any"] == pytest.approx(150)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"ANNOTATORS": []}, "Choose the annotators"),
        ({"ANNOTATOR_FIELD": "nobody"}, "has no field 'nobody'"),
        ({"WINDOW": 4}, "odd number"),
        ({"RESOLUTION": -1}, "at least 0"),
        ({"RESOLUTION": float("nan")}, "must be a number"),
    ],
)
def test_refusals(compare, parameters, sentence):
    done = compare(**{"ANNOTATORS": three_layers(), **parameters})
    assert sentence in done.refused or "Annotators" in done.refused


def test_nothing_anywhere_ends_in_a_sentence(compare):
    done = compare(ANNOTATORS=[layer_of("a", []), layer_of("b", [])])
    assert not done.ok
    assert shows(done.error, "annotators.no_usable_polygons")


@pytest.mark.parametrize("percent", [0, 30, 60, 86])
def test_cancelled_runs_write_nothing(algorithms, qgis_new_project, tmp_path, percent):
    raster, faces = tmp_path / "r.tif", tmp_path / "faces.gpkg"
    raster.write_text("mine")
    run_algorithm(
        "compareannotators",
        {
            "ANNOTATORS": three_layers(),
            "EXTENT_LAYER": area_layer(),
            "RESOLUTION": 1.0,
            "AGREEMENT_RASTER": str(raster),
            "AGREEMENT": str(faces),
        },
        feedback=Listener(cancel_at=percent),
        outputs=OUTPUTS,
    )
    assert raster.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.tif"]


def test_twelve_experts(compare):
    folder = real_data("rts_peel")
    layers = [
        QgsVectorLayer(str(path), path.stem[-2:], "ogr")
        for path in sorted(folder.glob("annotator_*.shp"))
    ]
    area = QgsVectorLayer(str(folder / "Peel_AOI_2500.geojson"), "area", "ogr")
    exact = compare(ANNOTATORS=layers, EXTENT_LAYER=area)
    pixels = compare(ANNOTATORS=layers, EXTENT_LAYER=area, RESOLUTION=2)
    found = []
    for done in (exact, pixels):
        assert done.ok, done.error
        f1 = done.table("ANNOTATOR_PAIRS")["f1"]
        assert done.results["SMYTH_BOUND"] == pytest.approx(0.0205, abs=5e-5)
        assert (f1.mean(), f1.min(), f1.max()) == pytest.approx((0.740, 0.508, 0.870), abs=1e-3)
        people = done.table("ANNOTATOR_TABLE")
        assert people.loc[people["outlier"] == 1, "annotator"].tolist() == ["05", "08"]
        found.append(f1)
    assert (found[0] - found[1]).abs().max() < 6e-4


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:2236", "EPSG:3857"])
def test_other_systems_are_worked_on_in_metres(compare, crs):
    layers = [_in_system(layer, crs) for layer in three_layers()]
    done = compare(ANNOTATORS=layers, EXTENT_LAYER=_in_system(area_layer(), crs))
    assert done.ok, done.error
    pairs = done.table("ANNOTATOR_PAIRS").set_index(["first", "second"])
    assert pairs.loc[("ann", "bob"), "f1"] == pytest.approx(0.5, abs=1e-6)
    assert pairs.loc[("ann", "bob"), "shared"] == pytest.approx(50, rel=1e-3)
    faces = done.layer("AGREEMENT")
    assert faces.crs().authid() == crs
    assert faces.extent().center().x() == pytest.approx(layers[0].extent().center().x(), rel=1e-3)


def _in_system(layer, crs):
    context = QgsCoordinateTransformContext()
    target = QgsCoordinateReferenceSystem(crs)
    transform = QgsCoordinateTransform(layer.crs(), target, context)
    made = QgsVectorLayer(f"MultiPolygon?crs={crs}", layer.name(), "memory")
    for feature in layer.getFeatures():
        geometry = feature.geometry()
        geometry.transform(transform)
        moved = QgsFeature()
        moved.setGeometry(geometry)
        made.dataProvider().addFeature(moved)
    made.updateExtents()
    return made


@pytest.mark.parametrize("algorithm", ["compareannotators", "consensus"])
@pytest.mark.parametrize(
    ("parameter", "role"),
    [("EXTENT_LAYER", "Study area (polygons)"), ("EXCLUDED", "Excluded areas")],
)
def test_an_annotator_is_no_study_area(algorithms, qgis_new_project, algorithm, parameter, role):
    people = three_layers()
    done = run_algorithm(
        algorithm, {"ANNOTATORS": people, parameter: people[1]}, outputs=("AGREEMENT", "CONSENSUS")
    )
    assert f"Layer 'bob' is selected as annotator and as '{role}'" in done.refused


def test_nobody_is_compared_with_themselves(compare, tmp_path):
    ann, bob, _ = three_layers()
    assert "twice as annotator ('ann')" in compare(ANNOTATORS=[ann, bob, ann]).refused
    file = str(tmp_path / "drawn.gpkg")
    QgsVectorFileWriter.writeAsVectorFormatV3(
        ann, file, QgsCoordinateTransformContext(), QgsVectorFileWriter.SaveVectorOptions()
    )
    twice = [QgsVectorLayer(file, name, "ogr") for name in ("one", "other")]
    assert "('one', 'other')" in compare(ANNOTATORS=twice).refused
    twice[1].setSubsetString("fid < 0")
    assert compare(ANNOTATORS=[twice[0], bob, twice[1]]).ok


@pytest.mark.parametrize("ending", ["txt", "gxt", "dgn", "dxf", "gpx", "sql", "xtf"])
def test_endings_that_do_not_work_are_refused_before_anything_is_written(compare, tmp_path, ending):
    if not QgsVectorFileWriter.driverForExtension(ending):
        pytest.skip(f"this GDAL knows no .{ending} files")
    people = three_layers()
    table = compare(ANNOTATORS=people, SUMMARY=str(tmp_path / f"s.{ending}")).refused
    assert table.startswith("'Agreement summary' is a table without geometry")
    polygons = compare(ANNOTATORS=people, AGREEMENT=str(tmp_path / f"s.{ending}")).refused
    assert (
        polygons
        == f"'Agreement map' cannot be stored in a .{ending} file; choose .gpkg, .shp or .geojson."
    )
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_output(compare, tmp_path):
    for folder in (str(tmp_path), f"{tmp_path}/"):
        refused = compare(ANNOTATORS=three_layers(), AGREEMENT=folder).refused
        assert refused.startswith(f"{tmp_path} is a folder")
        assert shows(refused, "output.is_folder", name="Agreement map")
    assert shows(
        compare(ANNOTATORS=three_layers(), SUMMARY=f"{tmp_path}/").refused,
        "output.is_folder",
        name="Agreement summary",
        example="summary",
    )
    assert list(tmp_path.iterdir()) == []
