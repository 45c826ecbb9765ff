"""randcrowns:annotatorvariance and randcrowns:tuneparameters: the same numbers as core, in the
right places.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsRasterLayer,
)
from support.layers import EAST, NORTH, crowns_at, layer_of
from support.processing import Listener, run_algorithm
from support.provider import provider
from support.shown import shows

from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.algorithms.tuning.schema.report_content import VARIANCE_CONTENT
from randcrowns.core.crowns import Crowns
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.core.tuning.search import search_grid
from randcrowns.core.tuning.variance import annotator_variance, select_pairs
from randcrowns.core.tuning.wrong_pairs import simulate_annotators
from randcrowns.layers.crs import transform_coordinates
from randcrowns.layers.styles import figures
from randcrowns.report.theme import new_figure

PLACES = [(14 * column, 14 * row) for row in range(3) for column in range(4)]
EXTRA = (300, 300)
SMALL_GRID = {"ALPHAS": "0.3 0.7", "OMEGAS": "0.3:1.2:0.9", "GAMMAS": "3;7"}
TUNE_OUTPUTS = ("GRID", "RECOMMENDED", "VARIANCE")
VARIANCE_OUTPUTS = ("VARIANCE", "CROWNS", "DELINEATIONS", "EXCLUDED", "GALLERY")


def drawings(number, places=PLACES):
    return [crowns_at(places, seed=seed) for seed in range(1, number + 1)]


def layers(number, **options):
    return [
        layer_of(f"person {n}", shapes, **options) for n, shapes in enumerate(drawings(number), 1)
    ]


def crowns(number):
    return [
        Crowns(shapes, np.arange(1, len(shapes) + 1), name=f"person {n}", crs="EPSG:32617")
        for n, shapes in enumerate(drawings(number), 1)
    ]


def same(table: pd.DataFrame, expected: pd.DataFrame, names) -> None:
    assert len(table) == len(expected)
    for name in names:
        if not pd.api.types.is_numeric_dtype(expected[name]):
            assert table[name].fillna("").tolist() == expected[name].astype(str).tolist(), name
        else:
            np.testing.assert_allclose(
                table[name].astype(float), expected[name].astype(float), atol=1e-9, err_msg=name
            )


# randcrowns:annotatorvariance


@pytest.fixture(scope="module")
def usual(qgis_app):
    """A run on three annotators with all defaults."""
    provider()
    done = run_algorithm("annotatorvariance", {"ANNOTATORS": layers(3)}, outputs=VARIANCE_OUTPUTS)
    assert done.ok, done.error
    return done


def test_variance_is_cores(usual):
    done = usual
    expected = annotator_variance(crowns(3), PRESETS["image_boxes"])
    same(done.table("VARIANCE"), expected.summary, expected.summary.columns)
    same(done.table("DELINEATIONS"), expected.scores, expected.scores.columns)
    same(done.table("CROWNS"), expected.crowns, expected.crowns.columns)
    same(
        done.table("GALLERY"),
        select_pairs(expected.scores),
        ["kind", "place", "randcrowns", "iou", "delineation_id"],
    )
    for score in SCORES:
        assert done.results[f"VARIANCE_{score.upper()}"] == pytest.approx(
            expected.summary[f"{score}_variance"].iloc[-1]
        )
    assert shows(done.results["CONCLUSION"], "finding.variance", count=12)
    assert done.results["INPUT_PROBLEMS"] == ""


def test_an_annotator_called_all_is_not_everybody(run):
    given = [layer_of(name, shapes) for name, shapes in zip(("x", "all", "y"), drawings(3))]
    done = run("annotatorvariance", {"ANNOTATORS": given}, outputs=VARIANCE_OUTPUTS)
    expected = annotator_variance(crowns(3), PRESETS["image_boxes"]).summary
    assert done.table("VARIANCE")["target_annotator"].tolist() == ["x", "all (2)", "y", "all"]
    for score in SCORES:
        assert done.results[f"VARIANCE_{score.upper()}"] == pytest.approx(
            expected[f"{score}_variance"].iloc[-1]
        )
    stated = stated_variance(done.results["CONCLUSION"])
    assert stated == pytest.approx(expected["randcrowns_variance"].iloc[-1], rel=0.005)


def test_drawings_and_targets_are_the_polygons_that_were_scored(usual):
    done = usual
    targets = {
        f["target"]: shapely.from_wkb(bytes(f.geometry().asWkb()))
        for f in done.layer("CROWNS").getFeatures()
    }
    for feature in done.layer("DELINEATIONS").getFeatures():
        target, drawn = (
            targets[feature["target"]],
            shapely.from_wkb(bytes(feature.geometry().asWkb())),
        )
        iou = shapely.area(shapely.intersection(target, drawn)) / shapely.area(
            shapely.union(target, drawn)
        )
        assert iou == pytest.approx(feature["iou"], abs=1e-6)


def test_looks_mark_the_worst_and_the_typical(run):
    done = run(
        "annotatorvariance", {"ANNOTATORS": layers(3), "EXAMPLES": 2}, outputs=VARIANCE_OUTPUTS
    )
    table = done.table("CROWNS")
    assert table["example"].value_counts().to_dict() == {"worst": 2, "typical": 2}
    worst = table[table["example"] == "worst"].sort_values("place")
    assert (
        worst["randcrowns_variance"].tolist()
        == sorted(table["randcrowns_variance"], reverse=True)[:2]
    )


def test_crowns_that_not_everybody_drew_are_listed_with_their_outline(run):
    given = layers(2)
    given.append(layer_of("person 3", crowns_at([*PLACES[1:], EXTRA], seed=3)))
    done = run("annotatorvariance", {"ANNOTATORS": given}, outputs=VARIANCE_OUTPUTS)
    left = done.table("EXCLUDED")
    assert left[["annotator", "crown_id"]].to_numpy().tolist() == [
        ["person 1", 1],
        ["person 2", 1],
        ["person 3", 12],
    ]
    assert left["reason"].str.len().min() > 10
    places = [
        feature.geometry().centroid().asPoint() for feature in done.layer("EXCLUDED").getFeatures()
    ]
    assert places[0].x() == pytest.approx(EAST, abs=3)
    assert places[2].x() == pytest.approx(EAST + 300, abs=3)


def test_an_extent_around_the_world_cuts_nothing(run, usual):
    world = "-180,180,-80,84 [EPSG:4326]"
    done = run(
        "annotatorvariance", {"ANNOTATORS": layers(3), "EXTENT": world}, outputs=("VARIANCE",)
    )
    assert done.ok, done.error
    pd.testing.assert_frame_equal(done.table("VARIANCE"), usual.table("VARIANCE"))


def test_field_targets(run):
    target, *others = layers(3)
    done = run(
        "annotatorvariance",
        {"TARGETS": target, "ANNOTATORS": others, "PRESET": 1},
        outputs=VARIANCE_OUTPUTS,
    )
    assert done.ok, done.error
    first, *rest = crowns(3)
    expected = annotator_variance(rest, PRESETS["field_polygons"], targets=first)
    same(done.table("VARIANCE"), expected.summary, expected.summary.columns)


def test_crowns_of_one_plot_only_are_compared(run):
    fields = "&field=plot:string"
    here, there = [["a"]] * 12, [["b"]] * 12
    given = [
        layer_of(f"person {n}", [*shapes, *shapes], fields=fields, rows=[*here, *there])
        for n, shapes in enumerate(drawings(3), 1)
    ]
    done = run(
        "annotatorvariance", {"ANNOTATORS": given, "PLOT_FIELD": "plot"}, outputs=VARIANCE_OUTPUTS
    )
    assert done.ok, done.error
    assert shows(done.results["CONCLUSION"], "finding.variance", count=24)
    table = done.table("DELINEATIONS")
    assert ((table["target_id"] > 12) == (table["delineation_id"] > 12)).all()


def test_two_annotators_have_scores_but_no_variance(run):
    done = run("annotatorvariance", {"ANNOTATORS": layers(2)}, outputs=VARIANCE_OUTPUTS)
    assert done.ok, done.error
    assert len(done.table("DELINEATIONS")) == 24
    assert np.isnan(done.results["VARIANCE_RANDCROWNS"])
    assert "only one delineation" in done.results["CONCLUSION"]


def test_a_single_drawing_is_warped(run):
    (only,) = layers(1)
    options = {"WARPS": 2, "WARP_TRANSLATION": 0.2}
    done = run("annotatorvariance", {"ANNOTATORS": [only], **options}, outputs=VARIANCE_OUTPUTS)
    assert done.ok, done.error
    (drawing,) = crowns(1)
    expected = annotator_variance(
        [drawing, *simulate_annotators(drawing, 2, shift_sd=0.2)], PRESETS["image_boxes"]
    )
    same(done.table("DELINEATIONS"), expected.scores, expected.scores.columns)
    assert shows(done.results["INPUT_PROBLEMS"], "annotators.simulated", count=2)
    begins = f"From 2 warped copies of {only.name()} (no measurement): "
    assert done.results["CONCLUSION"].startswith(begins)
    searched = run(
        "tuneparameters", {"ANNOTATORS": [only], **options, "GAMMAS": "3"}, outputs=("GRID",)
    )
    assert searched.results["CONCLUSION"].startswith(begins)


def test_a_small_variance_is_not_told_as_none(run):
    options = {
        "ANNOTATORS": layers(1),
        "WARP_SCALE": 0.05,
        "WARP_ROTATION": 1.0,
        "WARP_TRANSLATION": 0.2,
    }
    done = run("annotatorvariance", options, outputs=VARIANCE_OUTPUTS)
    assert done.ok, done.error
    assert 0 < done.results["VARIANCE_RANDCROWNS"] < 5e-5
    told = stated_variance(done.results["CONCLUSION"])
    assert told == pytest.approx(done.results["VARIANCE_RANDCROWNS"], rel=0.01)


def stated_variance(conclusion):
    """Return the variance of RandCrowns that a conclusion states, such as 2.07 × 10⁻¹¹."""
    text = conclusion.split("RandCrowns ")[1].split(",")[0].replace("\xa0×\xa010", "e")
    return float(text.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))


def test_a_layer_in_degrees_gives_the_same(run, usual):
    moved = layers(3)
    moved[1] = layer_of("person 2", in_degrees(drawings(2)[1]), crs="EPSG:4326")
    done = run("annotatorvariance", {"ANNOTATORS": moved}, outputs=VARIANCE_OUTPUTS)
    assert done.ok, done.error
    np.testing.assert_allclose(
        done.table("DELINEATIONS")["iou"], usual.table("DELINEATIONS")["iou"], atol=1e-4
    )
    assert "EPSG:4326" in done.results["INPUT_PROBLEMS"]


def in_degrees(shapes):
    system = QgsCoordinateReferenceSystem
    there = QgsCoordinateTransform(
        system("EPSG:32617"), system("EPSG:4326"), QgsCoordinateTransformContext()
    )
    return shapely.transform(shapes, lambda xy: transform_coordinates(xy, there))


def test_pictures(run, tmp_path):
    image = sample_image(tmp_path)
    files = {
        "GALLERY_FILE": str(tmp_path / "gallery.png"),
        "SCATTER_FILE": str(tmp_path / "scatter.svg"),
    }
    done = run("annotatorvariance", {"ANNOTATORS": layers(3), "IMAGE": image, **files}, outputs=())
    assert done.ok, done.error
    assert (tmp_path / "gallery.png").read_bytes().startswith(b"\x89PNG")
    scatter = (tmp_path / "scatter.svg").read_text()
    assert "person 1 – person 2" in scatter
    assert done.results["SCATTER_FILE"] == files["SCATTER_FILE"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "gallery.png",
        "image.tif",
        "scatter.svg",
    ]


def sample_image(folder):
    from osgeo import gdal, osr

    dataset = gdal.GetDriverByName("GTiff").Create(str(folder / "image.tif"), 120, 90, 3)
    dataset.SetGeoTransform((EAST - 10, 0.5, 0, NORTH + 40, 0, -0.5))
    system = osr.SpatialReference()
    system.ImportFromEPSG(32617)
    dataset.SetProjection(system.ExportToWkt())
    for band in (1, 2, 3):
        dataset.GetRasterBand(band).WriteArray(np.arange(120 * 90).reshape(90, 120) % 251)
    dataset.FlushCache()
    return QgsRasterLayer(str(folder / "image.tif"), "image")


def test_crowns_outside_the_image_are_listed_with_their_outline(run):
    """The image ends before the last column of crowns."""
    image = layer_of("image", [shapely.box(EAST - 10, NORTH - 10, EAST + 35, NORTH + 40)])
    done = run(
        "annotatorvariance",
        {"ANNOTATORS": layers(3), "EXTENT_LAYER": image},
        outputs=VARIANCE_OUTPUTS,
    )
    assert done.ok, done.error
    assert shows(done.results["CONCLUSION"], "finding.variance", count=9)
    left = done.table("EXCLUDED")
    assert left["reason"].tolist() == ["outside the image extent"] * 9
    assert sorted(set(left["crown_id"])) == [4, 8, 12]
    places = [
        feature.geometry().centroid().asPoint().x()
        for feature in done.layer("EXCLUDED").getFeatures()
    ]
    assert places == pytest.approx([EAST + 42] * 9, abs=3)


def test_a_pair_at_the_edge_of_the_image_scores_as_on_page_score(run):
    """Both cut to the image what is drawn beyond it."""
    people = layers(3)
    west, south, east, north = shapely.total_bounds(
        np.concatenate([layer.geometry for layer in crowns(3)])
    )
    plot = layer_of("image", [shapely.box(west + 2, south + 1.5, east - 2, north - 1)])
    done = run(
        "annotatorvariance", {"ANNOTATORS": people, "EXTENT_LAYER": plot}, outputs=VARIANCE_OUTPUTS
    )
    drawn = done.table("DELINEATIONS")
    drawn = drawn[
        (drawn["target_annotator"] == "person 1") & (drawn["delineation_annotator"] == "person 2")
    ]
    given = {"TARGETS": people[0], "DELINEATIONS": [people[1]], "EXTENT_LAYER": plot, "PAIRING": 1}
    pairs = run("scorecrowns", given).table("PAIRS")
    both = drawn.merge(pairs, on=["target_id", "delineation_id"], suffixes=("", "_score"))
    assert len(both) == len(drawn) == len(PLACES)
    for name in SCORES:
        assert both[name].to_numpy(float) == pytest.approx(
            both[f"{name}_score"].to_numpy(float), abs=1e-9
        )
    cut = annotator_variance(crowns(3), PRESETS["image_boxes"]).scores
    assert not np.allclose(cut["iou"], done.table("DELINEATIONS")["iou"].astype(float), atol=0.01)


# randcrowns:tuneparameters


def test_the_grid_is_cores(run):
    done = run("tuneparameters", {"ANNOTATORS": layers(3), **SMALL_GRID}, outputs=TUNE_OUTPUTS)
    assert done.ok, done.error
    expected = search_grid(crowns(3), [0.3, 0.7], [0.3, 1.2], [3, 7])
    same(done.table("GRID"), expected.grid.drop(columns="rank"), expected.grid.columns.drop("rank"))
    assert done.table("GRID")["rank"].notna().sum() == expected.grid["rank"].notna().sum() > 0
    same(
        done.table("RECOMMENDED"),
        expected.recommended,
        ["alpha", "omega", "gamma", "variance", "rank"],
    )
    same(
        done.table("VARIANCE"),
        expected.best_variance.summary,
        expected.best_variance.summary.columns,
    )
    best = expected.best
    assert [done.results[name] for name in ("ALPHA", "OMEGA", "GAMMA")] == [
        best.alpha,
        best.omega,
        best.gamma,
    ]
    assert f"alpha {best.alpha:g} m" in done.results["CONCLUSION"]
    assert shows(done.results["CONCLUSION"], "finding.edge")


def test_grid_and_experiment_end_where_the_image_does(run):
    west, south, east, north = shapely.total_bounds(
        np.concatenate([layer.geometry for layer in crowns(3)])
    )
    image = shapely.box(west + 1, south + 0.5, east - 0.5, north + 0.3)
    plot = layer_of("image", [image])
    given = {"ANNOTATORS": layers(3), "EXTENT_LAYER": plot}
    done = run("tuneparameters", {**given, **SMALL_GRID}, outputs=TUNE_OUTPUTS)
    expected = search_grid(crowns(3), [0.3, 0.7], [0.3, 1.2], [3, 7], extent=image)
    same(done.table("GRID"), expected.grid, ["variance", "wrong"])
    same(done.table("VARIANCE"), expected.best_variance.summary, ["randcrowns_variance"])
    numbers = {name: done.results[name] for name in ("ALPHA", "OMEGA", "GAMMA")}
    at_best = run("annotatorvariance", {**given, "PRESET": 2, **numbers}, outputs=VARIANCE_OUTPUTS)
    same(at_best.table("VARIANCE"), expected.best_variance.summary, ["randcrowns_variance"])
    without = search_grid(crowns(3), [0.3, 0.7], [0.3, 1.2], [3, 7])
    assert not np.allclose(without.grid["variance"], expected.grid["variance"], rtol=0.1, atol=0)


def test_the_default_grid_is_the_papers(run):
    done = run("tuneparameters", {"ANNOTATORS": layers(3)}, outputs=("GRID",))
    assert done.ok, done.error
    grid = done.table("GRID")
    assert len(grid) == 1050
    assert sorted(grid["omega"].unique())[-1] == 1.5


def test_a_grid_with_nothing_to_offer_says_why(run):
    done = run(
        "tuneparameters",
        {"ANNOTATORS": layers(3), **SMALL_GRID, "WRONG_PAIR_THRESHOLD": 0.01},
        outputs=TUNE_OUTPUTS,
    )
    assert done.ok, done.error
    assert shows(done.results["CONCLUSION"], "finding.wrong_pairs_too_high", limit=0.01)
    assert shows(done.warnings, "finding.wrong_pairs_too_high")
    assert shows(done.results["WARNING"], "tuning.none_offered")
    assert len(done.table("RECOMMENDED")) == 0
    assert len(done.table("VARIANCE")) == 0
    assert np.isnan(done.results["ALPHA"])


def test_heatmap_picture(run, tmp_path):
    file = tmp_path / "map.svg"
    done = run(
        "tuneparameters",
        {"ANNOTATORS": layers(3), **SMALL_GRID, "HEATMAP_FILE": str(file)},
        outputs=(),
    )
    assert done.ok, done.error
    text = file.read_text()
    assert "gamma 3" in text
    assert "gamma 7" in text


def test_a_picture_of_many_gammas_shows_some_and_says_so(run, tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "MAX_PANELS", 3)
    file = tmp_path / "map.svg"
    grid = {"ALPHAS": "0.3", "OMEGAS": "0.3", "GAMMAS": "1:7:1", "HEATMAP_FILE": str(file)}
    done = run("tuneparameters", {"ANNOTATORS": layers(3), **grid}, outputs=("GRID",))
    assert done.ok, done.error
    assert len(done.table("GRID")) == 7
    assert shows(done.warnings, "picture.panels", shown=3, all=7)
    text = file.read_text()
    assert "3 of 7 values of gamma" in text
    assert text.count(">gamma ") == 3
    assert ">gamma 1<" in text
    assert ">gamma 7<" in text


def test_a_cancel_is_heard_while_pictures_are_drawn(run, tmp_path):
    for name, given in (
        ("tuneparameters", {**SMALL_GRID, "HEATMAP_FILE": str(tmp_path / "a.png")}),
        ("annotatorvariance", {"SCATTER_FILE": str(tmp_path / "a.png")}),
    ):
        listener = Listener(cancel_at={"tuneparameters": 77.0, "annotatorvariance": 64.0}[name])
        done = run(name, {"ANNOTATORS": layers(3), **given}, listener, outputs=())
        assert done.results == {}
        assert listener.isCanceled()
        assert list(tmp_path.iterdir()) == []


# What cannot work


@pytest.mark.parametrize("name", ["annotatorvariance", "tuneparameters"])
def test_no_annotators(run, name):
    assert "at least one annotator" in run(name, {"ANNOTATORS": []}).refused


def test_two_annotators_cannot_be_tuned_with(run):
    assert "at least three annotators" in run("tuneparameters", {"ANNOTATORS": layers(2)}).refused


def test_one_annotator_without_copies(run):
    assert "warped copies" in run("tuneparameters", {"ANNOTATORS": layers(1), "WARPS": 1}).refused
    assert (
        "warped copies" in run("annotatorvariance", {"ANNOTATORS": layers(1), "WARPS": 0}).refused
    )


@pytest.mark.parametrize("name", ["annotatorvariance", "tuneparameters"])
@pytest.mark.parametrize("role", ["TARGETS", "EXTENT_LAYER"])
def test_an_annotator_has_no_other_role(run, name, role):
    given = layers(4)
    assert (
        "is selected as annotator and as '"
        in run(name, {"ANNOTATORS": given, role: given[0]}).refused
    )


def test_no_coordinate_system(run):
    given = [*layers(2), layer_of("nowhere", drawings(1)[0], crs="")]
    assert shows(
        run("annotatorvariance", {"ANNOTATORS": given}).refused, "crs.missing", name="nowhere"
    )


def test_nothing_in_common(run):
    given = [*layers(2), layer_of("elsewhere", crowns_at([EXTRA], seed=4))]
    done = run("annotatorvariance", {"ANNOTATORS": given})
    assert not done.ok
    assert shows(done.error, "tuning.no_shared_crowns")


def test_an_annotator_who_drew_nothing(run):
    done = run("tuneparameters", {"ANNOTATORS": [*layers(2), layer_of("idle", [])]})
    assert not done.ok
    assert shows(done.error, "tuning.empty_layer", layer="idle")


@pytest.mark.parametrize(
    ("grid", "sentence"),
    [
        ({"ALPHAS": ""}, "no values of alpha"),
        ({"OMEGAS": "a few"}, "'a' is not a value of omega"),
        ({"GAMMAS": "1:7"}, "'1:7' is not a range of gamma"),
        ({"GAMMAS": "7:1:1"}, "of gamma is empty"),
        ({"ALPHAS": "0:1:0.00001"}, "more than"),
        ({"ALPHAS": "0:1:0.01", "OMEGAS": "0:1:0.01"}, "take larger steps"),
        ({"WRONG_PAIR_THRESHOLD": float("nan")}, "must be a number"),
        (
            {"ALPHAS": "0,5 0,7"},
            "Write decimals with a point and spaces between numbers, such as 0.5 0.7",
        ),
        ({"ALPHAS": "0,1:0,5:0,1"}, "Write decimals with a point"),
        ({"ALPHAS": "1_0"}, "'1_0' is not a value of alpha"),
        ({"OMEGAS": "inf"}, "'inf' is not a value of omega"),
        ({"OMEGAS": "-0.1"}, "must be from 0 to 1,000,000, but -0.1 is not"),
        ({"OMEGAS": "1e300"}, "must be from 0 to 1,000,000, but 1e300 is not"),
        ({"GAMMAS": "1:1e7:1e6"}, "must be from 0 to 1,000,000, but 1e7 is not"),
        ({"WARP_ROTATION": 1e300}, "must be at most 180"),
        ({"WARP_SCALE": 30}, "must be at most 1,"),
        ({"WARP_TRANSLATION": 1e9}, "must be at most 100"),
        ({"WRONG_PAIR_THRESHOLD": 0.0}, "must be at least 0.01, but it is 0"),
    ],
)
def test_grids_that_cannot_be_searched(run, grid, sentence):
    assert sentence in run("tuneparameters", {"ANNOTATORS": layers(3), **grid}).refused


def test_negative_values_are_told_in_a_sentence(run):
    done = run("tuneparameters", {"ANNOTATORS": layers(3), "ALPHAS": "-1 0.5"})
    assert shows(done.refused, "values.out_of_range", most=1000000)


def test_pictures_that_cannot_be_written(run, tmp_path):
    given = {"ANNOTATORS": layers(3)}
    assert shows(
        run("annotatorvariance", {**given, "SCATTER_FILE": str(tmp_path / "a.bmp")}).refused,
        "output.wrong_ending",
    )
    nowhere = str(tmp_path / "none" / "a.png")
    assert shows(
        run("annotatorvariance", {**given, "SCATTER_FILE": nowhere}).refused, "output.no_folder"
    )


def test_a_cancelled_run_writes_nothing(run, tmp_path):
    file = tmp_path / "map.png"
    listener = Listener(cancel_at=20)
    done = run(
        "tuneparameters",
        {"ANNOTATORS": layers(3), "HEATMAP_FILE": str(file)},
        listener,
        outputs=TUNE_OUTPUTS,
    )
    assert done.results == {}
    assert not file.exists()


def test_a_plot_field_that_is_not_chosen_is_told_where_it_matters(run):
    field, n = {"fields": "&field=plot:string"}, len(PLACES)
    alike = [["A"]] * (n - 2) + [["B"]] * 2
    other = [["B"]] * 2 + [["A"]] * (n - 2)
    shapes = drawings(3)
    people = [layer_of(f"person {i}", own, rows=alike, **field) for i, own in enumerate(shapes[:2])]
    people.append(layer_of("person 3", shapes[2], rows=other, **field))
    done = run("annotatorvariance", {"ANNOTATORS": people}, outputs=VARIANCE_OUTPUTS)
    assert done.keys.count("plots.unused") == 1
    assert shows(done.results["WARNING"], "plots.unused", layer="person 3", field="plot")
    chosen = run(
        "annotatorvariance", {"ANNOTATORS": people, "PLOT_FIELD": "plot"}, outputs=VARIANCE_OUTPUTS
    )
    assert "plots.unused" not in chosen.keys


@pytest.mark.parametrize(("n_pairs", "n_colours"), [(20, 6), (21, 1)])
def test_the_figure_of_many_pairs_of_annotators_has_one_colour(n_pairs, n_colours, qgis_app):
    """The theme has 6 colours; markers distinguish the other pairs, up to 20."""
    pairs = pd.DataFrame(
        {
            "series": [f"{number:02d}" for number in range(n_pairs)],
            "target_layer": "ann",
            "delineation_layer": [f"person {number}" for number in range(n_pairs)],
            "randcrowns": 0.9,
            "iou": 0.8,
        }
    )
    (figure,) = VARIANCE_CONTENT.plots(RunOutputs(None, {"DELINEATIONS": pairs}))
    axes = new_figure(4.8, 4.8).add_subplot()
    figure.panels[0].draw(axes)
    colours = {tuple(points.get_facecolor()[0]) for points in axes.collections}
    assert len(colours) == n_colours
    assert (axes.get_legend() is None) == (n_colours == 1)
