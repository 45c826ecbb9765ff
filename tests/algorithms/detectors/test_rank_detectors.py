"""randcrowns:rankdetectors on real layers and files."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import pandas as pd
import pytest
import shapely
from osgeo import gdal
from qgis.core import QgsCoordinateReferenceSystem, QgsRasterLayer
from support.layers import EAST, NORTH, layer_of
from support.processing import Listener, attributes, run_algorithm
from support.provider import provider
from support.rasters import write_raster
from support.shown import shows

from randcrowns.algorithms.detectors.schema.parameters import CONSENSUS_METHODS
from randcrowns.core.detectors.curves import aucr
from randcrowns.core.detectors.ranking import rank_detectors
from randcrowns.core.detectors.thinning import thin, thin_scores
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.layers.raster.grid import Grid

OUTPUTS = (
    "AUCR",
    "CURVES",
    "RANKINGS",
    "KENDALL_TAU",
    "CORRELATIONS",
    "CERTAINTY_TABLE",
    "TRUTH_POLYGONS",
    "COCO",
)
SIDE = 40.0
METHODS = ("0.5", "any", "0.75", "unanimous", "level", "excl-0.5", "staple", "simple", "lsml")


def box(west, south, width=6.0, height=6.0):
    return shapely.box(EAST + west, NORTH + south, EAST + west + width, NORTH + south + height)


CROWNS = [box(x, y) for x in (2.0, 14.0, 26.0) for y in (2.0, 14.0, 26.0)]
AREA = shapely.box(EAST, NORTH, EAST + SIDE, NORTH + SIDE)


def moved(shapes, by):
    return list(shapely.transform(np.array(shapes, dtype=object), lambda xy: xy + by))


def person(name, by=0.0, crs="EPSG:32617"):
    return layer_of(name, moved(CROWNS, by), crs, "Polygon")


def detector(name, by=0.0, scores=None, shapes=None):
    shapes = moved(CROWNS, by) if shapes is None else shapes
    scores = np.linspace(0.9, 0.3, len(shapes)).tolist() if scores is None else scores
    return layer_of(
        name, shapes, "EPSG:32617", "Polygon", "&field=score:double", [(score,) for score in scores]
    )


def three_people():
    return [person("one"), person("two", 0.5), person("three", 1.0)]


def study_area():
    return layer_of("area", [AREA], "EPSG:32617", "Polygon")


def ranked(people, area, feedback=None, outputs=("AUCR",), **parameters):
    """A run with the outputs that are looked at."""
    given = {"ANNOTATORS": people, "EXTENT_LAYER": area, "BOOTSTRAP_SAMPLES": 0, **parameters}
    return run_algorithm(
        "rankdetectors", {k: v for k, v in given.items() if v is not None}, feedback, outputs
    )


@pytest.fixture
def people(qgis_app):
    return three_people()


@pytest.fixture
def area(qgis_app):
    return study_area()


@pytest.fixture
def rank(run, people, area):
    return partial(ranked, people, area)


@pytest.fixture(scope="module")
def near_and_far(qgis_app):
    """Two detectors under all ground truths, by resolution: who only looks."""
    provider()
    some = [detector("near", 0.3), detector("far", 2.0)]
    given = {"outputs": ("AUCR", "TRUTH_POLYGONS"), "DETECTORS": some, "BOOTSTRAP_SAMPLES": 20}
    made = {
        size: ranked(three_people(), study_area(), RESOLUTION=size, **given) for size in (0, 0.5)
    }
    assert all(ran.ok for ran in made.values()), [ran.error for ran in made.values()]
    return made


@pytest.fixture(scope="module")
def plain(qgis_app):
    """All ground truths of people whose names are their own."""
    provider()
    some = [detector("d", 0.7), detector("other", 2.0)]
    return values_of(
        ranked(
            three_people(),
            study_area(),
            DETECTORS=some,
            COUNTED_UNITS=1,
            CONSENSUS_METHODS=list(range(9)),
        )
    )


@cache
def nearness(pixel, west):
    size = int(SIDE / pixel)
    x = west + (np.arange(size) + 0.5) * pixel
    y = NORTH + SIDE - (np.arange(size) + 0.5) * pixel
    points = shapely.points(*np.meshgrid(x, y))
    return -shapely.distance(points, shapely.union_all(np.array(CROWNS)))


def score_raster(tmp_path, name="raster", pixel=0.5, west=EAST, change=None, **more):
    """A score that falls with the distance from the first person's crowns."""
    values = nearness(pixel, west).copy()
    if change is not None:
        change(values)
    return QgsRasterLayer(
        str(write_raster(tmp_path / f"{name}.tif", values, pixel, west, NORTH + SIDE, **more)), name
    )


def values_of(ran, counted="areas"):
    frame = ran.table("AUCR")
    return frame[frame["counted"] == counted].set_index(["truth", "detector"])


def test_exact_areas_give_the_hand_worked_value(rank):
    perfect, all_over = (
        detector("perfect", scores=[1.0] * 9),
        detector("all over", shapes=[AREA], scores=[1.0]),
    )
    ran = rank(DETECTORS=[perfect, all_over], COUNTED_UNITS=1)
    assert ran.ok, ran.error
    found = values_of(ran)
    # A perfect detector has a P̄ of 1 up to full recall; a constant score gives (0.1 + 0.5) / 2.
    assert found.loc[("one", "perfect"), "value"] == pytest.approx(1.0, abs=1e-9)
    assert found.loc[("one", "all over"), "value"] == pytest.approx(0.3, abs=1e-9)
    assert found.loc[("one", "perfect"), "skew"] == pytest.approx(9 * 36 / 1600, abs=1e-9)
    assert found["rank"].dropna().isin([1, 2]).all()
    assert (found.xs("perfect", level="detector")["rank"].dropna() == 1).all()
    assert shows(ran.warnings, "ranking.exact", area=1600)


def test_pixels_and_exact_areas_agree(rank, near_and_far):
    some = [detector("near", 0.3), detector("far", 2.0)]
    exact, pixels = (
        values_of(near_and_far[0]),
        values_of(rank(DETECTORS=some, COUNTED_UNITS=1, RESOLUTION=0.1)),
    )
    both = exact["value"].dropna().index
    assert len(both) == 2 * 9
    assert (exact["value"] - pixels["value"]).loc[both].abs().max() < 0.01
    assert exact.loc[("LSML", "near"), "value"] != exact.loc[("LSML", "near"), "value"]
    assert "pixel size" in exact.loc[("LSML", "near"), "reason"]
    assert pixels.loc[("LSML", "near"), "value"] > 0.5


def test_cookes_weights_rank_as_the_consensus_that_is_made_before(rank, people, area, tmp_path):
    answers = tmp_path / "answers.csv"
    rows = ["one,1,4,5,6,5.5", "two,1,4,5,6,5.5", "three,1,1,2,3,5.5"]
    answers.write_text("\n".join(["annotator,question,low,median,high,true_value", *rows]))
    weighted = {"ANSWERS": str(answers), "CALIBRATION_CUTOFF": 0.001}
    near = {"DETECTORS": [detector("near", 0.3), detector("far", 1.5)], "COUNTED_UNITS": 1}
    cooke = CONSENSUS_METHODS.keys.index("cooke")
    made = run_algorithm(
        "consensus",
        {"ANNOTATORS": people, "EXTENT_LAYER": area, "METHOD": 10, **weighted},
        None,
        ("CONSENSUS",),
    )
    assert made.ok, made.refused or made.error
    consensus = made.layer("CONSENSUS")
    consensus.setName("made before")
    ran = rank(
        None,
        ("AUCR",),
        **near,
        CONSENSUS_METHODS=[cooke],
        GROUND_TRUTH_LAYERS=[consensus],
        **weighted,
    )
    assert ran.ok, ran.refused or ran.error
    values = ran.table("AUCR").set_index(["truth", "detector"])["value"]
    assert values["Cooke-GT", "near"] > values["Cooke-GT", "far"]
    for name in ("near", "far"):
        expected = values["made before", name]
        assert values["Cooke-GT", name] == pytest.approx(expected, abs=1e-9)
    assert "Cooke-GT" not in rank(None, ("AUCR",), **near).table("AUCR")["truth"].tolist()
    refused = rank(None, ("AUCR",), **near, CONSENSUS_METHODS=[cooke])
    assert shows(refused.refused, "cooke.no_file")


def test_methods_have_the_parameters_of_a_consensus(rank, people, area):
    """The same polygons, of the same area, with the same parameters."""
    blocks = [*people, person("four", 4.0)]
    same = {"ANNOTATORS": blocks, "EXTENT_LAYER": area, "RESOLUTION": 0.5}
    near, truths = (
        {"DETECTORS": [detector("near", 0.3)], "COUNTED_UNITS": 1, **same},
        ("STAPLE", "SIMPLE", "LSML"),
    )
    usual = rank(
        None,
        ("AUCR", "TRUTH_POLYGONS"),
        **near,
        CONSENSUS_METHODS=[CONSENSUS_METHODS.keys.index(name.lower()) for name in truths],
    )
    usual = usual.table("TRUTH_POLYGONS").groupby("truth")["area"].sum()
    assert set(usual.index) == set(truths)
    for method, parameters in (
        ("staple", {"STAPLE_PRIOR": 2, "PRIOR_VALUE": 0.9, "ASSIGN_CONSENSUS": True}),
        ("simple", {"SIMPLE_RULE": 1, "SIMPLE_FACTOR": 1.0}),
        ("lsml", {"CLIPPED": False, "MAX_ITERATIONS": 3, "CURVATURE": 0.2}),
    ):
        ran = rank(
            None,
            ("AUCR", "TRUTH_POLYGONS"),
            **near,
            CONSENSUS_METHODS=[CONSENSUS_METHODS.keys.index(method)],
            **parameters,
        )
        own = {name.replace("STAPLE_", ""): value for name, value in parameters.items()}
        made = run_algorithm(
            "consensus", {**own, **same, "METHOD": METHODS.index(method)}, None, ("CONSENSUS",)
        )
        assert (ran.ok, made.ok) == (True, True), (ran.error, made.error)
        marked = ran.table("TRUTH_POLYGONS")["area"].sum()
        assert marked == pytest.approx(made.results["MARKED"], rel=1e-6), method
        assert usual[method.upper()] != pytest.approx(marked), method


@pytest.mark.parametrize("resolution", [0, 0.5])
def test_a_field_names_the_annotators_of_one_layer(rank, near_and_far, resolution):
    """Give the same result as one layer per annotator; exclude and report unnamed polygons."""
    shapes = [*CROWNS, *moved(CROWNS, 0.5), *moved(CROWNS, 1.0), AREA]
    names = [(name,) for name in ["one"] * 9 + ["two"] * 9 + ["three"] * 9 + [None]]
    together = layer_of("everybody", shapes, "EPSG:32617", "Polygon", "&field=who:string", names)
    some = [detector("near", 0.3), detector("far", 2.0)]
    apart = near_and_far[resolution]
    ran = rank(
        outputs=OUTPUTS,
        ANNOTATORS=[together],
        ANNOTATOR_FIELD="who",
        DETECTORS=some,
        RESOLUTION=resolution,
        BOOTSTRAP_SAMPLES=20,
    )
    assert ran.ok, ran.error
    assert shows(ran.warnings, "annotators.unnamed", count=1, field="who")
    for counted in ("areas", "crowns"):
        one, other = (
            values_of(done, counted)["value"].dropna().sort_index() for done in (apart, ran)
        )
        assert len(other)
        assert list(one.index) == list(other.index)
        np.testing.assert_allclose(one, other, atol=1e-9)
    # Annotators without a layer of their own stand among the polygons.
    drawn = set(ran.table("TRUTH_POLYGONS")["truth"])
    assert drawn == {*apart.table("TRUTH_POLYGONS")["truth"], "one", "two", "three"}


@pytest.mark.parametrize("resolution", [0, 0.5])
def test_correlations_have_intervals_over_tiles(rank, resolution):
    given = {
        "DETECTORS": [detector("near", 0.3), detector("far", 2.0)],
        "COUNTED_UNITS": 1,
        "BOOTSTRAP_SAMPLES": 20,
        "TILE_SIDE": 5.0,
    }
    sure, less = (
        rank(None, ("AUCR", "CORRELATIONS"), **given, RESOLUTION=resolution, CERTAINTY=level)
        .table("CORRELATIONS")
        .set_index("detector")
        for level in (0.99, 0.8)
    )
    for name in ("cco", "cci"):
        assert (sure[f"{name}_low"] < less[f"{name}_low"]).all()
        assert (less[f"{name}_low"] < less[name]).all()
        assert (less[name] < less[f"{name}_high"]).all()
        assert (sure[f"{name}_p"] == less[f"{name}_p"]).all()
    assert sure.loc["near", "cci_p"] < 0.01


def test_lines_are_compared_with_a_tolerance(rank, people, area):
    """Thick outlines of the same line are one line; a line two metres beside it is wrong."""

    def strip(name, south, thick):
        return detector(name, shapes=[box(5.0, south - thick / 2, 30.0, thick)], scores=[1.0])

    truth = layer_of("one", [box(5.0, 19.0, 30.0, 2.0)], "EPSG:32617", "Polygon")
    some = [strip("thin", 20.0, 0.75), strip("thick", 20.0, 3.25), strip("beside", 24.0, 2.0)]
    given = {"ANNOTATORS": [truth], "DETECTORS": some, "COUNTED_UNITS": 1, "RESOLUTION": 0.25}
    plain = values_of(rank(**given))["value"]
    ran = rank(**given, THIN=True, BOOTSTRAP_SAMPLES=20)
    assert ran.ok, ran.error
    lines = values_of(ran)["value"]
    assert plain["one", "thick"] < 0.93
    assert lines["one", "thick"] > 0.95
    assert lines["one", "thin"] > 0.95
    assert lines["one", "beside"] < 0.4
    assert (
        f"tolerance: {0.0075 * np.hypot(40, 40):.3g} m, 0.75\N{NO-BREAK SPACE}% of the diagonal"
        in ran.warnings
    )
    wide = values_of(rank(**given, THIN=True, TOLERANCE=4.5))["value"]
    assert wide["one", "beside"] > 0.9


def test_lines_are_what_core_thins(rank, tmp_path):
    raster = score_raster(tmp_path)
    ran = rank(DETECTORS=[raster], COUNTED_UNITS=1, THIN=True, TOLERANCE=1.0, CONSENSUS_METHODS=[0])
    values = raster.dataProvider().block(1, raster.extent(), 80, 80)
    score = np.array([[values.value(row, column) for column in range(80)] for row in range(80)])
    expected = rank_detectors(
        {"raster": thin_scores(score)},
        {"one": thin(score == 0)},
        tolerance=Tolerance(1.0, 0.5, 0.5),
    )
    assert values_of(ran).loc[("one", "raster"), "value"] == pytest.approx(
        expected.aucr.loc["raster", "one"]
    )


def test_lines_require_pixels(rank):
    assert shows(
        rank(DETECTORS=[detector("a")], COUNTED_UNITS=1, THIN=True).refused,
        "thinning.no_pixel_size",
    )


@pytest.mark.parametrize("resolution", [0, 0.5])
def test_a_consensus_made_before_is_a_ground_truth(rank, people, area, resolution):
    """With the value that the run's own 0.5-GT has, as polygons and as a raster."""
    given = {"ANNOTATORS": people, "EXTENT_LAYER": area, "RESOLUTION": resolution}
    made = run_algorithm("consensus", {**given, "METHOD": 0}, None, ("CONSENSUS",))
    assert made.ok, made.error
    before = made.layer("CONSENSUS")
    before.setName("made before")
    some = [detector("near", 0.3), detector("far", 2.0)]
    ran = rank(
        outputs=OUTPUTS,
        DETECTORS=some,
        COUNTED_UNITS=1,
        RESOLUTION=resolution,
        GROUND_TRUTH_LAYERS=[before],
        BOOTSTRAP_SAMPLES=20,
    )
    assert ran.ok, ran.error
    found = values_of(ran)
    for name in ("near", "far"):
        assert found.loc["made before", name]["value"] == pytest.approx(
            found.loc["0.5-GT", name]["value"], abs=1e-9
        )
        assert found.loc["made before", name]["skew"] == pytest.approx(
            found.loc["0.5-GT", name]["skew"]
        )
    assert "made before" not in set(ran.table("TRUTH_POLYGONS")["truth"])


def test_a_raster_made_before_is_a_ground_truth(rank, tmp_path):
    raster = score_raster(tmp_path)
    values = raster.dataProvider().block(1, raster.extent(), 80, 80)
    score = np.array([[values.value(row, column) for column in range(80)] for row in range(80)])
    marked = (score > -1).astype(float) * 7
    path = write_raster(tmp_path / "gt.tif", marked, 0.5, EAST, NORTH + SIDE)
    ran = rank(
        DETECTORS=[raster], COUNTED_UNITS=1, GROUND_TRUTH_LAYERS=[QgsRasterLayer(str(path), "gt")]
    )
    assert ran.ok, ran.error
    assert values_of(ran).loc[("gt", "raster"), "value"] == pytest.approx(
        aucr(score, marked > 0), abs=1e-12
    )


def test_a_field_of_annotators_that_is_not_there_is_refused(rank, people):
    ran = rank(DETECTORS=[detector("a")], ANNOTATOR_FIELD="nobody")
    assert shows(ran.refused, "annotators.no_field", field="nobody")


def test_what_the_prior_and_clipping_do_is_said(rank, people):
    ran = rank(
        DETECTORS=[detector("near", 0.3)], COUNTED_UNITS=1, RESOLUTION=0.5, CONSENSUS_METHODS=[5, 7]
    )
    assert "STAPLE: The prior hardly changes how much is marked: with " in ran.warnings
    assert "LSML: As published, LSML also marks " in ran.warnings


def test_a_raster_gives_what_core_gives(rank, tmp_path):
    raster = score_raster(tmp_path)
    ran = rank(DETECTORS=[raster], COUNTED_UNITS=1)
    values = raster.dataProvider().block(1, raster.extent(), 80, 80)
    score = np.array([[values.value(row, column) for column in range(80)] for row in range(80)])
    truth = score == 0
    assert values_of(ran).loc[("one", "raster"), "value"] == pytest.approx(
        aucr(score, truth), abs=1e-12
    )


def test_rankings_curves_and_kendalls_tau_stand_in_tables(rank):
    ran = rank(
        outputs=OUTPUTS,
        DETECTORS=[detector("near", 0.5), detector("far", 3.0)],
        COUNTED_UNITS=1,
        CONSENSUS_METHODS=[0, 2, 8],
    )
    found = values_of(ran)
    levels = ["at least 1 of 3", "at least 2 of 3", "at least 3 of 3"]
    assert list(dict.fromkeys(found.index.get_level_values("truth"))) == [
        "one",
        "two",
        "three",
        "0.5-GT",
        *levels,
    ]
    rankings = ran.table("RANKINGS")
    assert rankings["position"].tolist() == ["1", "2", "Ground truths"]
    assert rankings["ranking_1"].tolist()[:2] == ["near", "far"]
    curves = ran.table("CURVES")
    assert len(curves) == 2 * 7 * 101
    assert curves.groupby(["detector", "truth"])["recall"].max().eq(1.0).all()
    assert ran.table("KENDALL_TAU")["kendall_tau"].max() == 1.0
    correlations = ran.table("CORRELATIONS").set_index("detector")
    assert correlations.loc["near", "cci"] > correlations.loc["far", "cci"]


@pytest.mark.parametrize("resolution", [0.0, 0.5])
def test_ground_truths_come_as_polygons(rank, resolution):
    ran = rank(
        outputs=OUTPUTS, DETECTORS=[detector("d", 1.0)], COUNTED_UNITS=1, RESOLUTION=resolution
    )
    shapes = {
        f["truth"]: shapely.from_wkb(bytes(f.geometry().asWkb()))
        for f in ran.layer("TRUTH_POLYGONS").getFeatures()
    }
    wanted = {"Any-GT", "0.5-GT", "0.75-GT", "Excl-0.5-GT", "STAPLE", "SIMPLE"}
    assert set(shapes) == (wanted | {"LSML"} if resolution else wanted)
    drawn = [shapely.union_all(moved(CROWNS, by)) for by in (0.0, 0.5, 1.0)]
    assert (
        shapely.symmetric_difference(shapes["Any-GT"], shapely.union_all(drawn)).area
        < 1e-6 + resolution
    )
    assert shapely.symmetric_difference(shapes["0.5-GT"], drawn[1]).area < 9 * 0.5 + 1e-6
    skew = values_of(ran)["skew"]
    for name, shape in shapes.items():
        assert shape.area / SIDE**2 == pytest.approx(skew.loc[name, "d"], rel=1e-6)


@pytest.mark.parametrize("name", ["STAPLE", "0.5-GT", "at least 1 of 3"])
def test_who_is_called_like_a_ground_truth_keeps_an_own_column(rank, people, plain, name):
    people[0].setName(name)
    ran = rank(
        outputs=OUTPUTS,
        DETECTORS=[detector("d", 0.7), detector(name, 2.0)],
        COUNTED_UNITS=1,
        CONSENSUS_METHODS=list(range(9)),
    )
    assert ran.ok, ran.error
    renamed = values_of(ran)
    assert len(renamed) == len(plain) == 2 * 13
    for one, other in ((f"{name} (2)", "one"), (name, name)):
        assert renamed.loc[one, "value"].tolist() == pytest.approx(
            plain.loc[other, "value"].tolist(), nan_ok=True
        )
    assert name in {feature["truth"] for feature in ran.layer("TRUTH_POLYGONS").getFeatures()}


def test_crowns_are_counted_against_each_annotator(rank):
    extra = box(37.0, 37.0, 2.0, 2.0)
    right = detector("right", shapes=[*CROWNS, extra], scores=[*[0.5] * 9, 0.9])
    ran = rank(DETECTORS=[right], COUNTED_UNITS=2)
    assert ran.ok, ran.error
    found = values_of(ran, "crowns")
    # The surest detection is wrong, the other nine are right: precision 9/10 at every recall.
    assert found.loc[("one", "right"), "value"] == pytest.approx(0.9)
    assert found.loc[("one", "right"), ["crowns", "detections", "not_judged"]].tolist() == [
        9,
        10,
        0,
    ]
    assert set(ran.table("AUCR")["counted"]) == {"crowns"}
    assert found.loc[("one", "right"), "crown_recall"] == 1.0


def test_recall_by_randcrowns_is_given_with_recall_by_iou(rank, people):
    """The detection of the first crown is shifted by half its side: an IoU of 1/3."""
    moved = box(2.0 + 3.0, 2.0)
    right = detector("right", shapes=[moved, *CROWNS[1:]], scores=[0.5] * 9)
    ran = rank(
        DETECTORS=[right],
        ANNOTATORS=people[:1],
        COUNTED_UNITS=2,
        ALL_DRAWN=False,
        CROWN_SCORE=1,
        CROWN_THRESHOLD=0.1,
    )
    assert ran.ok, ran.error
    row = values_of(ran, "crowns").loc[("one", "right")]
    assert (row["crown_recall"], row["crown_recall_iou"]) == (1.0, pytest.approx(8 / 9))
    assert ran.results["CONCLUSION"].startswith(
        "Whole crowns: recall right 1.000 (RandCrowns of at least 0.1). At an IoU of at least 0.5: "
        "recall right 0.889. "
    )


def test_where_only_some_crowns_were_drawn_recall_alone_is_said_as_on_page_instances(
    rank, run, people
):
    extra = box(37.0, 37.0, 2.0, 2.0)
    right = detector("right", shapes=[*CROWNS, extra], scores=[*[0.5] * 9, 0.9])
    ran = rank(
        outputs=OUTPUTS, DETECTORS=[right], ANNOTATORS=people[:1], COUNTED_UNITS=2, ALL_DRAWN=False
    )
    assert ran.ok, ran.error
    row = values_of(ran, "crowns").loc[("one", "right")]
    assert pd.isna(row["value"])
    assert (row["not_judged"], row["crown_recall"]) == (1, 1.0)
    assert (
        row["reason"] == "Only some crowns were drawn: detections that match none are not judged."
    )
    said = (
        "Whole crowns: recall right 1.000 (IoU of at least 0.5). "
        "Only some crowns were drawn, so average precision"
    )
    assert ran.results["CONCLUSION"].startswith(said)
    assert "At an IoU of at least" not in ran.results["CONCLUSION"]
    sinks = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")
    instances = {
        "TARGETS": people[0],
        "PREDICTIONS": right,
        "DETECTION_METHOD": 3,
        "ALL_DRAWN": False,
    }
    other = run("evaluateinstances", instances, outputs=sinks).table("SUMMARY").iloc[0]
    assert (other["recall"], other["not_judged"]) == (row["crown_recall"], row["not_judged"])
    coco = ran.table("COCO").iloc[0]
    assert coco["ar_100"] == pytest.approx(other["ar_100"])
    assert pd.isna([coco["ap"], other["ap"]]).all()
    two = rank(
        outputs=OUTPUTS,
        DETECTORS=[right, detector("few", shapes=CROWNS[:3])],
        ANNOTATORS=people[:1],
        ALL_DRAWN=False,
    )
    said = "Whole crowns: recall right 1.000, few 0.333 (IoU of at least 0.5)."
    assert two.said("headline", " ").startswith(said)
    assert two.results["CONCLUSION"].count(said) == 1
    assert set(two.table("RANKINGS")["counted"]) == {"areas"}


def test_an_annotator_changes_nobody_elses_average_precision(rank, people):
    shapes = [*CROWNS, box(20.0, 14.0), box(20.0, 26.0, 5.0, 7.0)]
    found = detector("d", shapes=shapes, scores=[*np.linspace(0.7, 0.3, 9).tolist(), 0.9, 0.8])
    wider = layer_of("wider", [box(12.0, 2.0, 8.5), box(12.0, 14.0, 8.5)], "EPSG:32617", "Polygon")
    west = layer_of("west", [box(0, 0, 20.0, 40.0)], "EPSG:32617", "Polygon")

    def columns(*annotators):
        ran = rank(
            None,
            ("AUCR",),
            DETECTORS=[found],
            ANNOTATORS=list(annotators),
            COUNTED_UNITS=2,
            EXTENT_LAYER=west,
        )
        return values_of(ran, "crowns")[["value", "crowns", "detections"]].xs("d", level="detector")

    everyone = columns(*people, wider)
    for one in (*people, wider):
        assert columns(one).loc[one.name()].tolist() == everyone.loc[one.name()].tolist()
    # The box that ends where crowns begin touches one's at an edge and covers a part of wider's.
    assert everyone.loc["wider", "detections"] == everyone.loc["one", "detections"] + 1


def in_plots(name, plots, score=None):
    fields, own = ("&field=score:double", [(score,)] * 9) if score else ("", [()] * 9)
    rows = [(plot, *more) for plot, more in zip(plots, own)]
    return layer_of(name, CROWNS, "EPSG:32617", "Polygon", f"&field=plot:string{fields}", rows)


def test_crowns_are_counted_within_their_plots(rank, people):
    drawn = in_plots("drawn", ["a"] * 3 + ["b"] * 3 + ["c"] * 3)
    found = in_plots("found", ["a"] * 3 + ["b"] * 2 + ["a"] * 4, 0.5)
    plots = {"DETECTORS": [found], "ANNOTATORS": [drawn], "PLOT_FIELD": "plot"}
    ran = rank(**plots, COUNTED_UNITS=2)
    assert ran.ok, ran.error
    row = values_of(ran, "crowns").loc[("drawn", "found")]
    # Five of nine boxes match a crown of their plot; plot c has no detections.
    assert row["value"] == pytest.approx(5 / 9 * 5 / 9)
    assert row["crowns"] == 9
    assert shows(
        ran.results["INPUT_PROBLEMS"], "plots.some_apart", where="'drawn' alone has c (3 crowns)"
    )
    whole = values_of(rank(DETECTORS=[found], ANNOTATORS=[drawn], COUNTED_UNITS=2), "crowns").loc[
        ("drawn", "found")
    ]
    assert (whole["value"], whole["crowns"]) == (pytest.approx(1.0), 9)
    refused = rank(**{**plots, "ANNOTATORS": [drawn, people[0]]}, COUNTED_UNITS=2).refused
    assert shows(refused, "plots.no_field", name="one", field="plot")
    assert rank(**{**plots, "ANNOTATORS": [drawn, people[0]]}, COUNTED_UNITS=1).ok


def test_over_crowns_alone_the_sentence_says_who_comes_first(rank, people):
    ran = rank(
        DETECTORS=[detector("near"), detector("far", 4.0)], ANNOTATORS=people[:1], COUNTED_UNITS=2
    )
    unknown = "The certainty is unknown: no bootstrap samples were made."
    said = f"near comes first under 1 of 1 annotators (whole crowns). {unknown}"
    assert ran.results["CONCLUSION"] == ran.said("crown_verdict", " ") == said
    ran = rank(
        DETECTORS=[detector("near"), detector("far", 4.0)],
        ANNOTATORS=people[:1],
        COUNTED_UNITS=2,
        BOOTSTRAP_SAMPLES=50,
    )
    assert ran.results["CONCLUSION"].startswith(
        "near can be called better than far. By whole crowns, near came out ahead of far in 100.0 % "
    )
    assert "AP (all points) of near is 1.000 higher" in ran.results["CONCLUSION"]
    assert ran.results["CONCLUSION"].endswith("Annotator: one.")
    assert ran.results["CROWN_PROBABILITY"] == 1.0


def test_where_whole_crowns_and_areas_disagree_that_is_the_headline(rank, people):
    blobs = detector("blobs", shapes=[box(x, 2.0, 6.0, 30.0) for x in (2.0, 14.0, 26.0)])
    ran = rank(
        outputs=OUTPUTS,
        DETECTORS=[blobs, detector("few", shapes=CROWNS[:2])],
        ANNOTATORS=people[:1],
        BOOTSTRAP_SAMPLES=100,
    )
    first = ran.said("headline", " ")
    crowns = "Whole crowns: few 0.222, blobs 0.000 (AP, all points). few c"
    assert first.startswith(f"Whole crowns and areas disagree. {crowns}")
    assert shows(first, "headline.ahead", best="blobs")
    assert ran.results["CONCLUSION"].startswith(first)
    table = ran.table("CERTAINTY_TABLE")
    assert table.groupby("counted")["detector"].first().to_dict() == {
        "areas": "blobs",
        "crowns": "few",
    }
    values = values_of(ran, "crowns")["value"]
    crowns = table[table["counted"] == "crowns"].set_index("detector")["value"]
    for name in ("few", "blobs"):
        assert crowns[name] == pytest.approx(values.loc["one", name])
    agreeing = rank(
        outputs=OUTPUTS,
        DETECTORS=[detector("near"), detector("far", 4.0)],
        ANNOTATORS=people[:1],
        BOOTSTRAP_SAMPLES=20,
    )
    assert agreeing.said("headline").startswith(
        "Whole crowns: near 1.000, far 0.000 (AP, all points)."
    )


def test_a_plot_field_that_is_not_chosen_is_told(rank, people):
    found = in_plots("found", "aabbbcccc", 0.5)
    given = {
        "DETECTORS": [found],
        "ANNOTATORS": [in_plots("drawn", "aaabbbccc")],
        "COUNTED_UNITS": 2,
    }
    told = rank(**given)
    assert shows(told.results["WARNING"], "plots.unused", layer="found", field="plot")
    alike = rank(**{**given, "ANNOTATORS": [in_plots("drawn", "aabbbcccc")]})
    assert shows(alike.results["INPUT_PROBLEMS"], "plots.known", plots=3, field="plot")
    for other in (
        {"PLOT_FIELD": "plot"},
        {"COUNTED_UNITS": 1},
        {"ANNOTATORS": [*given["ANNOTATORS"], people[0]]},
    ):
        assert not [key for key in rank(**{**given, **other}).keys if key.startswith("plots")]


def test_plots_are_resampled_where_all_layers_name_them(rank):
    fields, rows = "&field=plot:string&field=score:double", [(plot, 0.5) for plot in "aaabbbccc"]
    drawn, found, off = (
        layer_of(f"d{by}", moved(CROWNS, by), "EPSG:32617", "Polygon", fields, rows)
        for by in (0, 0.2, 4)
    )
    given = {
        "DETECTORS": [found, off],
        "ANNOTATORS": [drawn],
        "COUNTED_UNITS": 2,
        "BOOTSTRAP_SAMPLES": 40,
    }
    by_plot = rank(**{**given, "COUNTED_UNITS": 0, "EXTENT_LAYER": None}, PLOT_FIELD="plot")
    size = sum(
        shapely.box(
            *shapely.total_bounds([one for one, (plot, _) in zip(CROWNS, rows) if plot == name])
        ).area
        for name in "abc"
    )
    assert f"({size:,.0f} m²)" in by_plot.said("study_area")
    assert "40 bootstrap samples of plots" in rank(**given, PLOT_FIELD="plot").results["CONCLUSION"]
    assert "40 bootstrap samples of tiles" in rank(**given).results["CONCLUSION"]


def test_the_study_area_is_said(rank, people):
    given = {"DETECTORS": [detector("near")], "ANNOTATORS": people[:1]}
    assert rank(**given).said("study_area") == "Study area: the polygons of 'area' (1,600 m²)."
    around = "Study area: the rectangle around all annotators' polygons (900 m²)."
    assert rank(**given, EXTENT_LAYER=None).said("study_area") == around
    assert "areas.partly_drawn" in rank(**given, ALL_DRAWN=False).keys
    two = {
        "DETECTORS": [detector("near"), detector("far", 4.0)],
        "ANNOTATORS": people[:1],
        "ALL_DRAWN": False,
    }
    assert (
        rank(**two).said("headline").endswith("so average precision is n/a and areas say little.")
    )
    assert "areas.partly_drawn" not in rank(**given).keys


def test_where_only_one_has_crowns_the_sentence_on_crowns_is_about_them(rank, tmp_path):
    ran = rank(DETECTORS=[detector("near"), score_raster(tmp_path)])
    assert ran.said("crown_verdict", " ") == (
        "near has an AP (all points) of 1.000 under 3 annotators (whole crowns). "
        "No other detector has crowns to "
        "count, so there is nothing to rank."
    )
    assert rank(DETECTORS=[detector("near")], COUNTED_UNITS=1).said("crown_verdict") == ""


def test_the_randcrowns_threshold_forgives_a_shift(rank):
    shifted = detector("shifted", 1.8)
    by_iou, by_score = (
        values_of(
            rank(
                None,
                ("AUCR",),
                DETECTORS=[shifted],
                COUNTED_UNITS=2,
                CROWN_THRESHOLD=0.6,
                CROWN_SCORE=score,
            ),
            "crowns",
        )
        for score in (0, 1)
    )
    assert by_iou.loc[("one", "shifted"), "value"] < by_score.loc[("one", "shifted"), "value"]


def test_training_areas_are_left_out(rank):
    west = shapely.box(EAST, NORTH, EAST + 20, NORTH + SIDE)
    training = layer_of("training", [west], "EPSG:32617", "Polygon")
    found = values_of(rank(DETECTORS=[detector("d")], COUNTED_UNITS=1, TRAINING=training))
    inside = shapely.area(shapely.difference(np.array(CROWNS), west)).sum()
    assert found.loc[("one", "d"), "skew"] == pytest.approx(inside / 800)
    everything = layer_of("all", [AREA], "EPSG:32617", "Polygon")
    assert shows(
        rank(DETECTORS=[detector("d")], COUNTED_UNITS=1, TRAINING=everything).error,
        "study_area.nothing_left",
    )


def test_the_tolerance_forgives_a_shift(rank):
    shifted = [detector("shifted", 0.8)]
    strict, kind = (
        values_of(
            rank(
                None,
                ("AUCR",),
                DETECTORS=shifted,
                COUNTED_UNITS=1,
                RESOLUTION=0.2,
                CONSENSUS_METHODS=[0],
                TOLERANCE=t,
            )
        )
        for t in (0.0, 1.2)
    )
    assert kind.loc[("one", "shifted"), "value"] > strict.loc[("one", "shifted"), "value"] + 0.05


def test_the_draws_use_the_tolerance(rank):
    some = [detector("near", 0.8), detector("far", 5.0)]
    sinks = ("AUCR", "CERTAINTY_TABLE")
    ran = rank(
        None,
        sinks,
        DETECTORS=some,
        COUNTED_UNITS=1,
        RESOLUTION=0.2,
        TOLERANCE=1.2,
        BOOTSTRAP_SAMPLES=20,
    )
    table = ran.table("CERTAINTY_TABLE").set_index("detector")
    values = values_of(ran)["value"]
    for name in ("near", "far"):
        assert table.loc[name, "value"] == pytest.approx(values.loc["0.5-GT", name], abs=1e-9)
    assert ran.results["CONCLUSION"].endswith("Ground truth: 0.5-GT.")


def test_the_skew_limits_can_come_from_the_ground_truths(rank):
    usual, own = (
        rank(None, ("AUCR",), DETECTORS=[detector("d", 1.0)], COUNTED_UNITS=1, SKEW_LIMITS=skew)
        for skew in (0, 1)
    )
    assert shows(own.warnings, "ranking.skew_limits")
    one, other = (values_of(ran).loc[("one", "d"), "value"] for ran in (usual, own))
    assert abs(one - other) > 0.001


def test_the_better_detector_is_called_better_when_it_is(rank):
    ran = rank(
        outputs=OUTPUTS,
        DETECTORS=[detector("bad", 5.0), detector("good", 0.5)],
        COUNTED_UNITS=1,
        BOOTSTRAP_SAMPLES=60,
    )
    assert ran.results["CONCLUSION"].startswith("good can be called better than bad")
    assert ran.said("first_places") == "good comes first under 9 of 9 ground truths (areas)."
    assert ran.results["PROBABILITY"] > 0.95
    table = ran.table("CERTAINTY_TABLE")
    assert table["detector"].tolist() == ["good", "bad"]
    assert table[["rank_1", "rank_2"]].to_numpy().sum(axis=1) == pytest.approx([1, 1])
    same = rank(
        outputs=OUTPUTS,
        DETECTORS=[detector("a"), detector("b")],
        COUNTED_UNITS=1,
        BOOTSTRAP_SAMPLES=30,
    )
    assert (
        "a cannot be called better than b. By area, a and b tied in all bootstrap samples."
        in same.results["CONCLUSION"]
    )


def test_other_grids_are_aligned_to_the_largest_pixels_in_any_order(rank, tmp_path):
    rasters = [score_raster(tmp_path), score_raster(tmp_path, "coarse", 1.0)]
    values = []
    for detectors in (rasters, rasters[::-1]):
        ran = rank(DETECTORS=detectors, COUNTED_UNITS=1)
        assert ran.ok, ran.error
        assert shows(
            ran.said("areas."),
            "areas.pixels_aligned",
            first="coarse",
            width=1.0,
            height=1.0,
            unit="m",
            others="raster",
        )
        assert ran.said("areas.") in ran.warnings
        assert shows(ran.warnings, "ranking.pixels", pixels=1600, width=1.0, height=1.0, unit="m")
        values.append(values_of(ran)["value"].sort_index().to_dict())
    assert values[0] == values[1]
    assert values[0]["one", "coarse"] > 0.9


def test_nodata_is_left_out_and_counted(rank, tmp_path):
    def spoil(values):
        values[:20] = -99.0

    ran = rank(DETECTORS=[score_raster(tmp_path, change=spoil, nodata=-99.0)], COUNTED_UNITS=1)
    assert ran.said("areas.excluded") == (
        "25 % of the area is excluded for all detectors, since raster has no scores there "
        "(1,600 of 6,400 pixels)."
    )
    assert ran.said("areas.") in ran.warnings
    assert np.isfinite(values_of(ran).loc[("one", "raster"), "value"])


def test_gaps_of_several_detectors_and_bands_are_noted(rank, tmp_path):
    def spoil(values):
        values[:20] = -99.0

    some = [score_raster(tmp_path, name, change=spoil, nodata=-99.0) for name in ("r1", "r2")]
    path = tmp_path / "several.tif"
    gdal.Translate(str(path), some[0].source(), bandList=[1, 1])
    ran = rank(
        DETECTORS=[QgsRasterLayer(str(path), "several"), some[1], score_raster(tmp_path, "whole")],
        COUNTED_UNITS=1,
    )
    assert ran.said("areas.").splitlines() == [
        "The pixels of raster 'several' are counted.",
        "Raster 'several' has 2 bands; band 1 holds its score.",
        "25 % of the area is excluded for all detectors (1,600 of 6,400 pixels). "
        "Area without scores: several 25 %, r2 25 %.",
    ]


def test_a_constant_raster_has_a_reason_beside_its_correlations(rank, tmp_path):
    def same(values):
        values[:] = 1.0

    ran = rank(
        outputs=OUTPUTS,
        DETECTORS=[score_raster(tmp_path), score_raster(tmp_path, "flat", change=same)],
        COUNTED_UNITS=1,
    )
    found = ran.table("CORRELATIONS").set_index("detector")
    assert np.isnan(found.loc["flat", "cco"])
    assert found.loc["flat", "reason"] == "Its score is the same everywhere."
    assert not found.loc["raster", "reason"]


def test_a_raster_without_data_there_has_no_value_and_a_reason(rank, tmp_path):
    def nothing(values):
        values[:] = -99.0

    empty = score_raster(tmp_path, "empty", change=nothing, nodata=-99.0)
    ran = rank(DETECTORS=[score_raster(tmp_path), empty], COUNTED_UNITS=1, BOOTSTRAP_SAMPLES=5)
    assert ran.ok, ran.error
    found = values_of(ran)
    assert np.isnan(found.loc[("one", "empty"), "value"])
    assert shows(found.loc[("one", "empty"), "reason"], "reason.no_score")
    assert np.isfinite(found.loc[("one", "raster"), "value"])


@pytest.mark.parametrize("order", [1, -1])
def test_rasters_that_share_no_pixel_have_no_value_in_any_order(rank, tmp_path, order):
    def half(place):
        def change(values):
            values[:, place] = -99.0

        return change

    names = {"west": slice(40, None), "east": slice(40)}
    rasters = [
        score_raster(tmp_path, name, change=half(place), nodata=-99.0)
        for name, place in names.items()
    ]
    ran = rank(outputs=OUTPUTS, DETECTORS=rasters[::order], COUNTED_UNITS=1, BOOTSTRAP_SAMPLES=5)
    assert ran.ok, ran.error
    found = values_of(ran)
    assert found["value"].isna().all()
    assert found["rank"].isna().all()
    assert set(found["reason"]) == {"No pixel has a score from every detector."}
    assert "west: No pixel has a score from every detector." in ran.results["INPUT_PROBLEMS"]
    assert "comes first" not in ran.results["CONCLUSION"]
    assert ran.table("CORRELATIONS")[["cco", "cci"]].isna().all(axis=None)


def test_where_no_pixel_is_left_the_run_says_so(rank, tmp_path):
    everything = layer_of("all", [shapely.buffer(AREA, 9)], "EPSG:32617", "Polygon")
    for found in ({"RESOLUTION": 0.5}, {"DETECTORS": [score_raster(tmp_path)]}):
        told = {"DETECTORS": [detector("d")], "COUNTED_UNITS": 1, **found}
        assert shows(rank(**told, TRAINING=everything).error, "ranking.nothing_left")
        assert shows(
            rank(**told, TRAINING=everything, EXTENT_LAYER=None).error, "ranking.nothing_left"
        )
    assert shows(
        rank(DETECTORS=[detector("d")], COUNTED_UNITS=1, RESOLUTION=1e6).error,
        "study_area.no_pixel_centre",
    )


def test_a_raster_of_complex_numbers_is_refused(rank, tmp_path):
    path = str(tmp_path / "waves.tif")
    dataset = gdal.GetDriverByName("GTiff").Create(path, 80, 80, 2, gdal.GDT_CFloat32)
    dataset.SetGeoTransform((EAST, 0.5, 0, NORTH + SIDE, 0, -0.5))
    dataset.SetProjection(QgsCoordinateReferenceSystem("EPSG:32617").toWkt())
    del dataset
    refused = rank(DETECTORS=[QgsRasterLayer(path, "waves")], BAND=2).refused
    assert shows(refused, "detectors.complex_numbers", name="waves", band=2)


def test_a_raster_without_a_place_is_told(rank, tmp_path):
    path = str(tmp_path / "lost.tif")
    dataset = gdal.GetDriverByName("GTiff").Create(path, 80, 80, 1, gdal.GDT_Float32)
    dataset.SetProjection(QgsCoordinateReferenceSystem("EPSG:32617").toWkt())
    del dataset
    assert shows(
        rank(DETECTORS=[QgsRasterLayer(path, "lost")]).error, "raster.no_georeference", name="lost"
    )


def test_without_any_score_nothing_is_said_to_be_counted(rank, tmp_path):
    def nothing(values):
        values[:] = -99.0

    ran = rank(
        DETECTORS=[score_raster(tmp_path, "empty", change=nothing, nodata=-99.0)],
        COUNTED_UNITS=1,
        BOOTSTRAP_SAMPLES=5,
    )
    assert ran.ok, ran.error
    assert shows(ran.warnings, "ranking.pixels", pixels=0)
    assert ran.results["CONCLUSION"] == (
        "empty has no value under any ground truth. It has no score inside the study area."
    )
    assert values_of(ran)["reason"].str.contains("no score inside").sum() >= 8


def test_a_tolerance_that_leaves_nothing_to_judge_is_named(rank):
    ran = rank(
        DETECTORS=[detector("a"), detector("b", 2.0)],
        COUNTED_UNITS=1,
        RESOLUTION=0.5,
        TOLERANCE=30.0,
        BOOTSTRAP_SAMPLES=2,
    )
    reason = values_of(ran).loc[("one", "a"), "reason"]
    assert reason.startswith("Every unmarked pixel is within the tolerance of a marked one")
    assert "everything" not in ran.warnings + ran.results["CONCLUSION"]


def test_a_raster_elsewhere_is_told(rank, tmp_path):
    ran = rank(DETECTORS=[score_raster(tmp_path, west=EAST + 5000)], COUNTED_UNITS=1)
    assert shows(ran.error, "study_area.no_common_pixel")


def test_a_nearly_world_wide_extent_takes_what_lies_around_the_crowns(rank, tmp_path):
    whole = {"EXTENT": "-179,179,-85,85 [EPSG:4326]", "EXTENT_LAYER": None, "COUNTED_UNITS": 1}
    told = rank(DETECTORS=[detector("d", 1.0)], **whole)
    value = values_of(told).loc[("one", "d"), "value"]
    assert told.ok
    assert 0.5 < value <= 1.0
    raster = score_raster(tmp_path)
    within, all_of_it = (
        values_of(rank(None, ("AUCR",), DETECTORS=[raster], **more))
        for more in (whole, {**whole, "EXTENT": None})
    )
    assert within["value"].tolist() == all_of_it["value"].tolist()


def test_an_empty_annotator_has_no_value_and_a_reason(rank, people):
    nobody = layer_of("nobody", [], "EPSG:32617", "Polygon")
    found = values_of(
        rank(ANNOTATORS=[*people, nobody], DETECTORS=[detector("d")], COUNTED_UNITS=1)
    )
    assert np.isnan(found.loc[("nobody", "d"), "value"])
    assert found.loc[("nobody", "d"), "reason"]
    assert np.isfinite(found.loc[("one", "d"), "value"])
    assert shows(
        rank(ANNOTATORS=[nobody], DETECTORS=[detector("d")]).error, "annotators.no_usable_polygons"
    )


def test_one_annotator_is_the_only_ground_truth_and_no_row_is_without_a_value(rank, people):
    ran = rank(
        ANNOTATORS=people[:1], DETECTORS=[detector("d"), detector("e", 2.0)], BOOTSTRAP_SAMPLES=20
    )
    assert ran.ok, ran.error
    assert values_of(ran).loc[("one", "d"), "rank"] == 1
    assert values_of(ran).reset_index()["truth"].unique().tolist() == ["one"]
    assert values_of(ran)["value"].notna().all()
    assert rank(ANNOTATORS=people[:1], DETECTORS=[detector("d")], CONSENSUS_METHODS=[1]).ok


def test_polygons_without_a_score_are_left_out_and_told(rank):
    ran = rank(DETECTORS=[detector("d", scores=[None, *np.linspace(0.9, 0.5, 8).tolist()])])
    assert "1 crown without a score is excluded" in ran.warnings
    assert values_of(ran, "crowns").loc[("one", "d"), "detections"] == 8


def test_degrees_feet_and_metres_meet(rank, people):
    from qgis.core import QgsCoordinateTransform, QgsProject

    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    transform = QgsCoordinateTransform(people[0].crs(), degrees, QgsProject.instance())
    shapes = []
    for feature in people[0].getFeatures():
        geometry = feature.geometry()
        geometry.transform(transform)
        shapes.append(geometry.asWkt(12))
    other = layer_of("degrees", shapes, "EPSG:4326", "Polygon")
    found = values_of(
        rank(ANNOTATORS=[people[0], other], DETECTORS=[detector("d", 1.0)], COUNTED_UNITS=1)
    )
    one, two = (found.loc[(name, "d"), "value"] for name in ("one", "degrees"))
    assert one == pytest.approx(two, abs=1e-4)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"DETECTORS": []}, "at least one detector"),
        ({"ANNOTATORS": []}, "at least one annotator"),
        ({"SCORE_FIELD": "sure"}, "no numeric field 'sure'"),
        ({"MIN_SKEW": 0.6, "MAX_SKEW": 0.5}, "skew limits"),
        ({"TOLERANCE": 1.0}, "requires pixels"),
        ({"CONSENSUS_METHODS": []}, "ground truth"),
        ({"CROWN_THRESHOLD": 0.0}, "must be at least 0.01, but it is 0"),
        ({"BOOTSTRAP_SAMPLES": 100_001}, "'Bootstrap samples (0 = none)' must be at most 100000"),
        ({"RESOLUTION": float("nan")}, "must be a number"),
    ],
)
def test_what_cannot_work_is_refused(rank, parameters, sentence):
    ran = rank(**{"DETECTORS": [detector("d")], **parameters})
    assert sentence in ran.refused


def test_rasters_alone_have_no_crowns(rank, tmp_path):
    raster = score_raster(tmp_path)
    assert shows(rank(DETECTORS=[raster], COUNTED_UNITS=2).refused, "detectors.raster_for_crowns")
    assert shows(rank(DETECTORS=[raster], BAND=3).refused, "detectors.no_score_band", band=3)


def test_a_layer_is_not_both(rank, people):
    both = detector("both")
    assert shows(
        rank(DETECTORS=[both], ANNOTATORS=[*people, both]).refused,
        "detectors.also_annotator",
        name="both",
    )


def test_a_layer_without_a_system_is_refused(rank):
    lost = layer_of("lost", CROWNS, "", "Polygon", "&field=score:double", [(1.0,)] * 9)
    assert shows(rank(DETECTORS=[lost]).refused, "crs.missing")


def test_too_many_pixels_are_refused(rank):
    assert shows(rank(DETECTORS=[detector("d")], RESOLUTION=0.001).error, "raster.too_many_pixels")


def test_a_cancelled_run_gives_nothing(rank):
    ran = rank(
        Listener(cancel_at=30.0),
        DETECTORS=[detector("d"), detector("e", 1.0)],
        BOOTSTRAP_SAMPLES=5000,
    )
    assert not ran.results or "AUCR" not in ran.results


def test_outputs_go_to_files(rank, tmp_path):
    path = tmp_path / "scores.csv"
    ran = rank(DETECTORS=[detector("d")], AUCR=str(path))
    assert ran.ok, ran.error
    assert len(path.read_text().splitlines()) == 1 + len(attributes(ran.layer("AUCR")))


def test_a_grid_says_whether_it_is_the_same(qgis_app, people):
    from qgis.core import QgsCoordinateTransformContext

    from randcrowns.layers.crs import WorkingCrs

    working = WorkingCrs.for_layer(
        "one", people[0].crs(), (EAST, NORTH), QgsCoordinateTransformContext()
    )
    grid = Grid.from_bounds(AREA.bounds, 0.5, working)
    assert grid.has_same_pixels(Grid.from_bounds(AREA.bounds, 0.5, working))
    assert not grid.has_same_pixels(Grid.from_bounds(AREA.bounds, 1.0, working))
